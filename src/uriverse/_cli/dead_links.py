"""Links in documents to files and anchors that do not exist."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from uriverse import IRI, IRIReference
from uriverse._carets import visible
from uriverse.documents import Link, format_of
from uriverse.documents._anchors import anchors_of
from uriverse.percent import decode

from .document_files import Document, folder_uri
from .output import UnreadableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriverse.typing import DocumentFormat

#: The formats whose relative references are links. In RDF and JSON, they are only names.
CHECKED = {"markdown", "html", "css", "xml", "text", "restructuredtext", "asciidoc"}

#: The parts of a template, which a program replaces before the document is published.
TEMPLATE = re.compile(r"\{\{|\{%|\$\{|<%")

#: Fragments that belong to no anchor: the top of a page, the lines of a file on GitHub, and the
#: state of a program in the page.
NO_ANCHOR = re.compile(r"(?ai:top)?|L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?|[/!].*", re.ASCII | re.DOTALL)

#: The text that a browser searches for, after the fragment.
TEXT_FRAGMENT = ":~:"

#: The files that stand for their folder.
INDEXES = ("index.html", "index.htm", "index.md", "README.md")

#: The suffixes of the sources of pages. A site may publish `guide.md` as `guide` or `guide.html`.
PAGES = (".html", ".htm", ".md", ".rst", ".adoc")

#: The path of a file or a folder: the root of the file system, and names.
Parts = tuple[str, ...]


class Dead(NamedTuple):
    """A link that leads nowhere.

    Attributes:
        link: the link.
        message: the problem.
        suggestion: a similar link that exists, if there is one.
    """

    link: Link
    message: str
    suggestion: str | None = None


class Tree:
    """The names in folders, each of which is listed once. The case of letters matters."""

    def __init__(self) -> None:
        self.listed: dict[Parts, frozenset[str]] = {}
        self.anchors: dict[Parts, frozenset[str] | None] = {}

    def names(self, folder: Parts) -> frozenset[str]:
        """Return the names in a folder, or nothing if it cannot be listed."""
        found = self.listed.get(folder)
        if found is None:
            try:
                found = frozenset(os.listdir(Path(*folder)))  # noqa: PTH208
            except OSError:
                found = frozenset()
            self.listed[folder] = found
        return found

    def missing(self, path: Parts, known: Parts) -> int | None:
        """Return the index of the first name that does not exist in a path, or `None`.

        Args:
            path: the path.
            known: a path that exists.
        """
        start = len(os.path.commonprefix([path, known]))
        for index in range(start, len(path)):
            if path[index] not in self.names(path[:index]):
                return index
        return None

    def page(self, path: Parts, known: Parts) -> Parts | None:
        """Return the source of a page that a site may publish under a path."""
        *folder, name = path
        stem, suffix = os.path.splitext(name)  # noqa: PTH122
        stems = (name, stem) if suffix in {".html", ".htm"} else (name,)
        for source in (f"{each}{page}" for each in stems for page in PAGES):
            if self.missing((*folder, source), known) is None:
                return (*folder, source)
        return None

    def index(self, path: Parts) -> Parts | None:
        """Return the file whose anchors a path has: itself, or the index of a folder."""
        if not Path(*path).is_dir():
            return path
        return next(((*path, name) for name in INDEXES if name in self.names(path)), None)

    def anchors_in(self, path: Parts) -> frozenset[str] | None:
        """Return the anchors of a file, or `None` if they are unknown."""
        if path not in self.anchors:
            name = str(Path(*path))
            form = format_of(name)
            text: str | None = None
            if form in {"markdown", "html"}:
                try:
                    text = Document(name, form).text()
                except UnreadableError:
                    text = None
            self.anchors[path] = None if text is None or form is None else anchors_of(text, form)
        return self.anchors[path]


class Checker:
    """Finds dead links in documents.

    Args:
        base: the URI of the documents; see `Document.uri`.
    """

    def __init__(self, base: IRI | None) -> None:
        self.base = base
        self.tree = Tree()

    def dead(self, document: Document, text: str, links: list[Link]) -> Iterator[Dead]:
        """Yield the dead links of a document.

        Args:
            document: the document.
            text: its content.
            links: its links, with targets that are not resolved.
        """
        if document.format not in CHECKED:
            return
        page = Page(self.tree, document, text, self.base)
        for link in links:
            if link.kind == "base":
                page.change_base(link)
                break
        for link in links:
            # A form is sent to a program.
            if link.kind not in {"base", "form"} and not TEMPLATE.search(link.written):
                found = page.check(link)
                if found is not None:
                    yield found


class Page:
    """A document, and where its relative references lead."""

    def __init__(self, tree: Tree, document: Document, text: str, base: IRI | None) -> None:
        self.tree = tree
        self.document = document
        self.text = text
        path = Path(document.name).absolute()
        self.path: Parts = path.parts
        self.folder: Parts = path.parent.parts
        self.repository = next(
            (each.parts for each in path.parents if (each / ".git").exists()), None
        )
        #: The folders that a path can start from if it starts with a slash.
        self.roots: list[Parts] = []
        if document.folder is not None:
            self.roots.append(Path(document.folder).absolute().parts)
        if self.repository is not None:
            self.roots.append(self.repository)
        #: The folders of relative references, more than one after `<base href="/">`.
        self.starts = [self.folder]
        #: The URI of the document, and that of a folder of the site with its path.
        self.uri: IRI | None = None
        if base is not None:
            self.uri = document.uri(base).normalize(scheme=True)
            if document.folder is None:
                self.site, self.site_folder = self.uri.resolve("."), self.folder
            else:
                self.site, self.site_folder = folder_uri(base), self.roots[0]
            self.site = self.site.normalize(scheme=True)

    def change_base(self, link: Link) -> None:
        """Change where relative references start, as `<base href>` says."""
        self.starts = []
        if link.target is not None:
            name = link.target.path.rpartition("/")[2]
            folder = link.target.path.removesuffix(name)
            self.starts = self.places(link.target.with_path(folder))

    def check(self, link: Link) -> Dead | None:
        """Return a link if it is dead."""
        target = link.target
        if target is None:
            return None
        if not target.path and target.scheme is None and target.authority is None:
            return self.without_anchor(link, self.path, own=True)
        places = self.places(target)
        for place in places:
            if self.tree.missing(place, self.folder) is None:
                return self.without_anchor(link, place)
            if self.tree.page(place, self.folder) is not None:
                return None
        return self.missing(link, places[0]) if places else None

    def places(self, target: IRIReference) -> list[Parts]:
        """Return the paths that a reference may stand for; none if it leads elsewhere."""
        path, starts = target.path, self.starts
        if self.uri is not None and (target.scheme or target.authority is not None):
            target = self.uri.resolve(target)
        elif self.uri is not None and path.startswith("/"):
            target = self.uri.resolve(target)
        if target.scheme is not None or target.authority is not None:
            inside = self.path_in_site(target)
            if inside is None:
                return []
            path, starts = inside, [self.site_folder]
        elif path.startswith("/"):
            starts = self.roots
        places = (self.place(start, path) for start in starts)
        return [place for place in places if place is not None]

    def path_in_site(self, target: IRIReference) -> str | None:
        """Return the path of a URI from the folder of the site, or `None` outside the site."""
        if self.uri is None:
            return None
        found, site = target.normalize(scheme=True), self.site
        if (found.scheme, found.authority) != (site.scheme, site.authority):
            return None
        return found.path.removeprefix(site.path) if found.path.startswith(site.path) else None

    def place(self, start: Parts, path: str) -> Parts | None:
        """Return the path of a file from a folder, or `None` outside the repository."""
        parts = list(start)
        for segment in path.split("/"):
            name = decode(segment, errors="surrogateescape")
            if name == "..":
                if len(parts) == 1:
                    return None
                parts.pop()
            elif name not in {"", "."}:
                parts.append(name)
        limit = self.repository or ()
        return tuple(parts) if tuple(parts[: len(limit)]) == limit else None

    def missing(self, link: Link, place: Parts) -> Dead:
        """Describe a link to a file that does not exist."""
        suggestion = None
        index = self.tree.missing(place, self.folder)
        assert index is not None
        for name in get_close_matches(place[index], self.tree.names(place[:index])):
            similar = (*place[:index], name, *place[index + 1 :])
            if self.tree.missing(similar, self.folder) is None:
                path = os.path.relpath(Path(*similar), Path(*self.folder))
                suggestion = path.replace(os.sep, "/")
                break
        return Dead(link, f"no file {shown(Path(*place))}", suggestion)

    def without_anchor(self, link: Link, place: Parts, *, own: bool = False) -> Dead | None:
        """Return a link to an existing file if the file has no such anchor."""
        fragment = (link.target.fragment if link.target else None) or ""
        fragment = fragment.partition(TEXT_FRAGMENT)[0]
        if NO_ANCHOR.fullmatch(fragment):
            return None
        form: DocumentFormat | None = self.document.format
        file: Parts | None = place
        if own or place == self.path:
            anchors = self.own_anchors()
        else:
            file = self.tree.index(place)
            form = None if file is None else format_of(file[-1])
            anchors = None if file is None else self.tree.anchors_in(file)
        if anchors is None or file is None:
            return None
        name = decode(fragment, errors="surrogateescape")
        names = {fragment, name}
        if form == "markdown":
            # GitHub ignores the case of letters, and a prefix that it adds itself.
            names = {each.removeprefix("user-content-").lower() for each in names}
            if not names.isdisjoint(anchor.lower() for anchor in anchors):
                return None
        if not names.isdisjoint(anchors):
            return None
        similar = get_close_matches(name, anchors, n=1)
        place_of_anchor = "the document" if file == self.path else shown(Path(*file))
        return Dead(
            link, f'no anchor "{visible(name)}" in {place_of_anchor}', f"#{similar[0]}" if similar else None
        )

    def own_anchors(self) -> frozenset[str] | None:
        """Return the anchors of the document itself."""
        if self.path not in self.tree.anchors:
            self.tree.anchors[self.path] = anchors_of(self.text, self.document.format)
        return self.tree.anchors[self.path]


def shown(path: Path) -> str:
    """Return a path for a message, relative to the current folder if it is in it."""
    try:
        path = path.relative_to(Path.cwd())
    except ValueError:
        pass
    return visible(str(path))
