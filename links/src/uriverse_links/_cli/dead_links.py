"""Links in documents to files and anchors that do not exist on the site that they belong to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from uriverse import IRIReference
from uriverse.percent import decode
from uriverse_links import Link
from uriverse_links._anchors import anchors_of
from uriverse_links._destinations import DocumentFormat
from uriverse_links._links import finder_of, format_of

from .document_files import Document, Documents, Ignored, find_repository, folder_uri
from .output import UnreadableError, escape_controls
from .strings_in_files import PLACEHOLDER

#: The path of a file or a folder: the root of the file system, and names.
Parts = tuple[str, ...]

#: The files that stand for their folder.
INDEXES = ("index.html", "index.htm", "index.md", "README.md")

#: The suffixes of the sources of pages. A site may publish `guide.md` as `guide` or `guide.html`.
PAGES = (".html", ".htm", ".md", ".rst", ".adoc", ".ipynb")


class Generator(NamedTuple):
    """A generator of sites: its name, its folder of sources, and whether links may be labels."""

    name: str
    sources: str = ""
    has_labels: bool = False


#: The generators by the names of their configuration files; the first one counts.
GENERATORS = {
    "myst.yml": Generator("MyST", has_labels=True),
    "_toc.yml": Generator("Jupyter Book", has_labels=True),
    "conf.py": Generator("Sphinx", has_labels=True),
    "mkdocs.yml": Generator("MkDocs", "docs"),
    "book.toml": Generator("mdBook", "src"),
    "_config.yml": Generator("Jekyll"),
}
SOURCES = re.compile(r"(?m)^(?:docs_dir|src)[ ]*[:=][ ]*[\"']?([^\"'\n#]+)")
#: The labels of MyST: `(label)=`, `.. _label:`, options and fields such as `:name: label`, the
#: attribute `{#label}`, and those of equations. The lines of notebooks are strings.
LABEL = re.compile(
    r"(?m:^[ \t>\"]*+(?:\(([^()\n]+)\)=|\.\. _([^\n:]+):|(?:#\|[ ]*+|:)?+(?:name|label):"
    r"[ ]*+[\"']?+([^\s\"'\\]+)))|\{[^{}\n#]*+#([\w:.-]+)|\"label\":[ ]*+\"([^\"\n]+)"
    r"|\$\$[ ]*+\(([^()\n]+)\)|\\label\{([^{}\n]+)\}"
)
#: Content whose anchors only a generator knows: included documents, templates, and objects in code.
BUILT = re.compile(
    r"(?m:^[ \t]*+(?:--8<--|\{[{%]|:::[ ]\w|[`:~]{3,}\{(?:include|eval-rst|auto|py:|glossary)))"
)


class Project:
    """The folder with the sources of a site, and its generator."""

    def __init__(self, generator: Generator, folder: Parts) -> None:
        self.generator = generator
        self.folder = folder

    @cached_property
    def texts(self) -> dict[Parts, str]:
        folder = Path(*self.folder)
        paths = [Path(document.name) for document in Documents(()).list_folder(str(folder))]
        return {path.parts: read_text(path) for path in [*paths, *folder.rglob("*.ipynb")]}

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of documents and of pages without a source, as identifiers."""
        texts = [*self.texts.values(), "(genindex)=\n(modindex)=\n(search)=\n"]
        names = ["".join(name) for text in texts for name in LABEL.findall(text)]
        return frozenset(map(make_identifier, names if self.generator.has_labels else ()))

    def has_anchor(self, page: Parts, name: str, anchors: frozenset[str]) -> bool:
        """Return whether a page with some anchors may have another anchor or label."""
        # A label with a dot is the name of an object in code.
        if (self.generator.has_labels and "." in name) or BUILT.search(self.texts.get(page, "")):
            return True
        return make_identifier(name) in {*map(make_identifier, anchors), *self.labels} - {""}

    def list_including(self, path: Parts) -> list[Parts]:
        """Return the documents that may include another one, at which its links then start."""
        lines = [(page, line) for page, text in self.texts.items() for line in text.splitlines()]
        return [page for page, line in lines if path[-1] in line and BUILT.match(line)]


def read_text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text("utf-8", "replace")
    return ""


def make_identifier(name: str) -> str:
    """Return what the anchors and labels that generators make from a name have in common."""
    folded = normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")


class Tree:
    """Lists each folder once, and reads each document once.

    The case of letters matters, also if the file system ignores it.
    """

    def __init__(self) -> None:
        self._names: dict[Parts, frozenset[str]] = {}
        self._anchors: dict[Parts, frozenset[str] | None] = {}
        #: The sites, by the folder of their sources.
        self.projects: dict[Parts, Project] = {}

    def names(self, folder: Parts) -> frozenset[str]:
        """Return the names in a folder, or nothing if it cannot be listed."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(Path(*folder)))  # noqa: PTH208
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def find_project(self, path: Parts, limit: Parts) -> Project | None:
        for length in range(len(path) - 1, len(limit) - 1, -1):
            folder = Path(*path[:length])
            for config in [name for name in GENERATORS if name in self.names(path[:length])]:
                generator = GENERATORS[config]
                setting = generator.sources and SOURCES.search(read_text(folder / config))
                sources = setting[1].strip() if setting else generator.sources
                root = Path(os.path.normpath(folder / sources)).parts
                if path[: len(root)] == root:
                    return self.projects.setdefault(root, Project(generator, root))
        return None

    def missing(self, path: Parts, known: Parts) -> int | None:
        """Return the index of the first name in a path that does not exist.

        A path that exists is known.
        """
        is_known = True
        for index, name in enumerate(path):
            is_known = is_known and known[index : index + 1] == (name,)
            if not is_known and name not in self.names(path[:index]):
                return index
        return None

    def has_page(self, path: Parts, known: Parts) -> bool:
        """Return whether a site may publish a source under a path."""
        *folder, name = path
        stem, suffix = os.path.splitext(name)  # noqa: PTH122
        stems = [name, stem] if suffix in {".html", ".htm"} else [name]
        stems += ["README"] if stem == "index" else []
        sources = ((*folder, f"{each}{page}") for each in stems for page in PAGES)
        return any(self.missing(source, known) is None for source in sources)

    def file(self, path: Parts) -> Parts | None:
        """Return the file that a path stands for: itself, or the index of a folder."""
        if not os.path.isdir(Path(*path)):  # noqa: PTH112 - no error if the path is too long
            return path
        return next(((*path, name) for name in INDEXES if name in self.names(path)), None)

    def anchors(self, path: Parts) -> frozenset[str] | None:
        """Return the anchors of a file, or `None` if they are unknown.

        The anchors of Markdown are also returned in lower case.
        """
        if path not in self._anchors:
            name = str(Path(*path))
            form = format_of(name)
            self._anchors[path] = None
            if form == "markdown" or form == "html":  # noqa: PLR1714 - for type checkers
                with suppress(UnreadableError):
                    self.add(path, Document(name, form).read().text, form)
        return self._anchors[path]

    def add(self, path: Parts, text: str, form: DocumentFormat) -> None:
        # The anchors of a template are unknown, and so are those behind a redirect.
        is_template = form == "html" and PLACEHOLDER.search(text)
        found = None if is_template else anchors_of(text, form)
        if found is not None and any(each.kind == "redirect" for each in finder_of(form)(text)):
            found = None
        if found and form == "markdown":
            found |= {anchor.lower() for anchor in found}
        self._anchors[path] = found


#: The formats whose relative references are links. In RDF and JSON, they are only names.
CHECKED = {"markdown", "html", "css", "xml", "text", "restructuredtext", "asciidoc"}

#: Fragments that belong to no anchor: the top of a page, the lines of a file on GitHub, and the
#: state of a program in the page.
NO_ANCHOR = re.compile(r"(?ai:top)?|L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?|[/!].*", re.ASCII | re.DOTALL)

#: Separates the fragment from the words that a browser searches for.
TEXT_FRAGMENT = ":~:"

#: The maximum number of names among which a similar one is searched, and how similar it must be.
MOST_COMPARED = 1000
ALIKE = 0.65


class Dead(NamedTuple):
    """A target that does not exist, and a similar one that does.

    If Markdown was read by the rules of a generator or GitHub, `rules` is its name.
    """

    message: str
    suggestion: str | None
    rules: str | None = None


class Starts(NamedTuple):
    """The folders from which a path may start, and whether they are known and not only possible."""

    folders: tuple[Parts, ...] = ()
    are_certain: bool = True


class Site(NamedTuple):
    """The URI of a document on a site, and the URI and the path of a folder that contains it."""

    uri: IRIReference
    root: IRIReference
    folder: Parts

    def path_of(self, target: IRIReference) -> str | None:
        """Return the path from the folder to a target, or `None` if it is not in the folder."""
        found = self.uri.resolve(target).normalize(scheme=True)
        if (found.scheme, found.authority) != (self.root.scheme, self.root.authority):
            return None
        inside = found.path.startswith(self.root.path)
        return found.path.removeprefix(self.root.path) if inside else None


def dead_links(
    tree: Tree, document: Document, text: str, links: list[Link], base: IRIReference | None
) -> Iterator[tuple[Link, Dead]]:
    """Yield the dead links of a document, whose targets are not resolved."""
    page = Page(tree, document, base)
    tree.add(page.path, text, document.format)
    for link in links:
        if link.kind == "base":
            page.change_base(link.target)
            break
    checked: dict[str, Dead | None] = {}
    for link in links:
        target = link.target
        # A form is sent to a program.
        if target is None or link.kind in {"base", "form"} or PLACEHOLDER.search(link.written):
            continue
        # Many documents have several links to the same target.
        key = str(target)
        if key not in checked:
            found = page.check(target)
            if found and any(other.check(target) is None for other in page.including):
                found = None
            checked[key] = found and found._replace(rules=page.rules)
        found = checked[key]
        if found is not None:
            yield link, found


class Page:
    """A document, and where its relative references start."""

    def __init__(self, tree: Tree, document: Document, base: IRIReference | None) -> None:
        self.tree = tree
        self.arguments = document, base
        self.format = document.format
        path = Path(document.name).absolute()
        self.path: Parts = path.parts
        self.folder: Parts = path.parent.parts
        top = None if document.folder is None else Path(document.folder).absolute().parts
        repository = find_repository(path.parent)
        #: The folder outside which nothing is checked.
        self.limit: Parts = () if repository is None else repository.parts
        self.site: Site | None = None
        if base is not None:
            uri = document.uri(base)
            root = uri.resolve(".") if top is None else folder_uri(base)
            self.site = Site(uri, root.normalize(scheme=True), top or self.folder)
        self.starts = Starts((self.folder,))
        self.rules = self.project = None
        if self.format == "markdown":
            self.project = tree.find_project(self.path, self.limit or top or self.folder)
            self.rules = self.project.generator.name if self.project else "GitHub"
        if self.project:
            # A site may publish `guide.md` as `guide/`, where its URLs then start.
            self.starts = Starts((self.folder, (*self.folder, path.stem)))
        #: Where a path that starts with a slash starts.
        self.roots = Starts((top,)) if top and "index.html" in tree.names(top) else self.above(top)

    @cached_property
    def including(self) -> list[Page]:
        document, base = self.arguments
        paths = self.project.list_including(self.path) if self.project else []
        documents = [document._replace(name=str(Path(*path))) for path in paths]
        return [Page(self.tree, document, base) for document in documents]

    def above(self, top: Parts | None) -> Starts:
        """Return the folders that may be the root of the site, not above `top` or a repository."""
        highest = len(self.limit or top or self.folder)
        lengths = range(highest, len(self.folder) + 1)
        return Starts(tuple(self.folder[:length] for length in lengths), are_certain=False)

    def change_base(self, base: IRIReference | None) -> None:
        """Change where relative references start, as `<base href>` says."""
        if base is None:
            self.starts = Starts()
            return
        name = base.path.rpartition("/")[2]
        path, starts = self.start_of(base.with_path(base.path.removesuffix(name)))
        folders = tuple(self.places(path, starts))
        self.starts = Starts(folders, are_certain=starts.are_certain or path != "/")

    def check(self, target: IRIReference) -> Dead | None:
        """Describe a target that does not exist; return `None` for others."""
        fragment = (target.fragment or "").partition(TEXT_FRAGMENT)[0]
        if not target.path and target.scheme is None and target.authority is None:
            return self.without_anchor(fragment, self.path)
        places = self.places(*self.start_of(target))
        for place in places:
            if self.tree.missing(place, self.folder) is None:
                return self.without_anchor(fragment, self.tree.file(place))
            if self.tree.has_page(place, self.folder):
                return None
        return self.without_file(places[0], target) if places else None

    def start_of(self, target: IRIReference) -> tuple[str, Starts]:
        """Return the path of a reference, and where it starts: nowhere if it leads elsewhere."""
        if target.scheme is None and target.authority is None:
            if not target.path.startswith("/"):
                return target.path, self.starts
            if self.site is None:
                return target.path, self.roots
        inside = None if self.site is None else self.site.path_of(target)
        if self.site is None or inside is None:
            return "", Starts()
        return inside, Starts((self.site.folder,))

    def places(self, path: str, starts: Starts) -> list[Parts]:
        """Return the files or folders that a path may stand for."""
        found: list[Parts] = []
        for start in starts.folders:
            place = self.place(start, path)
            if place is None:
                continue
            # A folder may be the root of the site if it has the first name in the path.
            first = () if starts.are_certain else place[: len(start) + 1]
            if self.tree.missing(first, self.folder) is None:
                found.append(place)
        return found

    def place(self, start: Parts, path: str) -> Parts | None:
        """Return the file at a path from a folder, or `None` outside the repository."""
        parts = list(start)
        for segment in path.split("/"):
            name = decode(segment, errors="surrogateescape")
            if name == "..":
                # The root of the file system is its own parent.
                del parts[max(1, len(parts) - 1) :]
            elif name not in {"", "."}:
                parts.append(name)
        return tuple(parts) if tuple(parts[: len(self.limit)]) == self.limit else None

    def without_file(self, place: Parts, target: IRIReference) -> Dead | None:
        """Describe a file that does not exist; return `None` for labels, and files of a build."""
        index = self.tree.missing(place, self.folder)
        assert index is not None
        if self.project:
            label = make_identifier(decode(target.path)) if target.fragment is None else ""
            ignored = Ignored.of(str(Path(*place[:index])))
            made = [ignored.covers(place[index], is_folder=kind) for kind in (False, True)]
            if label in self.project.labels or any(made):
                return None
        written, suffix = divided(place[index])
        names = {
            found[0]: name
            for name in sorted(self.tree.names(place[:index]))
            if suffix in (found := divided(name)) or written in found
        }
        similar = ((*place[:index], name, *place[index + 1 :]) for name in alike(written, names))
        suggestion = next(
            (
                os.path.relpath(Path(*each), Path(*self.folder)).replace(os.sep, "/")
                for each in similar
                if each != self.folder and self.tree.missing(each, self.folder) is None
            ),
            None,
        )
        return Dead(f"no file {shown(place)}", suggestion)

    def without_anchor(self, fragment: str, file: Parts | None) -> Dead | None:
        """Describe an anchor that does not exist in a file; return `None` for others."""
        if NO_ANCHOR.fullmatch(fragment) or file is None:
            return None
        anchors = self.tree.anchors(file)
        if anchors is None:
            return None
        form = self.format if file == self.path else format_of(file[-1])
        name = decode(fragment, errors="surrogateescape")
        names = {fragment, name}
        if form == "markdown":
            # GitHub ignores the case of letters, and a prefix that it adds itself.
            names |= {each.removeprefix("user-content-").lower() for each in names}
        if not names.isdisjoint(anchors):
            return None
        if self.project and self.project.has_anchor(file, name, anchors):
            return None
        place = "the document" if file == self.path else shown(file)
        similar = alike(name.casefold(), {anchor.casefold(): anchor for anchor in sorted(anchors)})
        suggestion = f"#{similar[0]}" if similar else None
        return Dead(f'no anchor "{escape_controls(name)}" in {place}', suggestion)


def alike(name: str, known: dict[str, str]) -> list[str]:
    """Return the values of the keys that are most similar to a name."""
    # The search compares the name with every key.
    found = get_close_matches(name, known, cutoff=ALIKE) if len(known) <= MOST_COMPARED else []
    return [known[key] for key in found]


def divided(name: str) -> tuple[str, str]:
    """Divide the name of a file before its suffix. The case of letters is removed."""
    return os.path.splitext(name.casefold())  # noqa: PTH122


def shown(place: Parts) -> str:
    """Return a path for a message, relative to the current folder if it is in it."""
    path, current = Path(*place), Path.cwd()
    return escape_controls(str(path.relative_to(current) if path.is_relative_to(current) else path))
