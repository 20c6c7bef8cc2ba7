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
from uriverse_links._anchors import find_anchors
from uriverse_links._destinations import DocumentFormat
from uriverse_links._links import format_of, get_finder

from .document_files import Document, Documents, IgnoreRules, find_repository, folder_uri
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
    def __init__(self, generator: Generator, folder: Parts) -> None:
        self.generator = generator
        self.folder = folder

    @cached_property
    def read_texts(self) -> dict[Parts, str]:
        folder = Path(*self.folder)
        paths = [Path(document.name) for document in Documents(()).list_folder(str(folder))]
        return {path.parts: read_leniently(path) for path in [*paths, *folder.rglob("*.ipynb")]}

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of documents and of pages without a source, as identifiers."""
        texts = [*self.read_texts.values(), "(genindex)=\n(modindex)=\n(search)=\n"]
        names = ["".join(name) for text in texts for name in LABEL.findall(text)]
        return frozenset(map(make_identifier, names if self.generator.has_labels else ()))

    def has_anchor(self, page: Parts, name: str, anchors: frozenset[str]) -> bool:
        """Return whether a page with some anchors may have another anchor or label."""
        # A label with a dot is the name of an object in code.
        if (self.generator.has_labels and "." in name) or BUILT.search(
            self.read_texts.get(page, "")
        ):
            return True
        return make_identifier(name) in {*map(make_identifier, anchors), *self.labels} - {""}

    def list_including(self, path: Parts) -> list[Parts]:
        """Return the documents with a directive that may include the file at a path."""
        name = path[-1]
        return [
            page
            for page, text in self.read_texts.items()
            for line in text.splitlines()
            if name in line and BUILT.match(line)
        ]


def read_leniently(path: Path) -> str:
    with suppress(OSError):
        return path.read_text("utf-8", "replace")
    return ""


def find_source_folder(config: Path, generator: Generator) -> Parts:
    """Return the folder of the sources that a configuration file names, or the default one."""
    setting = SOURCES.search(read_leniently(config)) if generator.sources else None
    sources = setting[1].strip() if setting else generator.sources
    return Path(os.path.normpath(config.parent / sources)).parts


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

    def list_names(self, folder: Parts) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(Path(*folder)))  # noqa: PTH208
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def find_project(self, path: Parts, limit: Parts) -> Project | None:
        """Return the site whose sources contain a file; look for it up to the folder `limit`."""
        for length in range(len(path) - 1, len(limit) - 1, -1):
            folder = path[:length]
            for config, generator in GENERATORS.items():
                if config not in self.list_names(folder):
                    continue
                root = find_source_folder(Path(*folder, config), generator)
                if path[: len(root)] == root:
                    return self.projects.setdefault(root, Project(generator, root))
        return None

    def find_missing(self, path: Parts, known_path: Parts) -> int | None:
        """Return the index of the first name in a path that does not exist.

        The names at the start of `known_path` exist, so their folders are not listed.
        """
        for index, name in enumerate(path):
            is_known = path[: index + 1] == known_path[: index + 1]
            if not is_known and name not in self.list_names(path[:index]):
                return index
        return None

    def has_page(self, path: Parts, known_path: Parts) -> bool:
        """Return whether there is a source, such as `guide.md`, that a site publishes as `path`."""
        *folder, name = path
        stem, suffix = os.path.splitext(name)  # noqa: PTH122
        source_stems = [name]
        if suffix in {".html", ".htm"}:
            source_stems.append(stem)
        if stem == "index":
            source_stems.append("README")
        sources = [(*folder, stem + suffix) for stem in source_stems for suffix in PAGES]
        return any(self.find_missing(source, known_path) is None for source in sources)

    def find_file(self, path: Parts) -> Parts | None:
        """Return the file that a path stands for: itself, or the index of a folder."""
        if not os.path.isdir(Path(*path)):  # noqa: PTH112 - no error if the path is too long
            return path
        return next(((*path, name) for name in INDEXES if name in self.list_names(path)), None)

    def find_anchors(self, path: Parts) -> frozenset[str] | None:
        """Return the anchors of a file, for Markdown also in lower case; `None` if unknown."""
        if path not in self._anchors:
            name = str(Path(*path))
            document_format = format_of(name)
            self._anchors[path] = None
            if document_format == "markdown" or document_format == "html":  # noqa: PLR1714 - for type checkers
                with suppress(UnreadableError):
                    self.add_anchors(
                        path, Document(name, document_format).read().text, document_format
                    )
        return self._anchors[path]

    def add_anchors(self, path: Parts, text: str, document_format: DocumentFormat) -> None:
        # The anchors of a template are unknown, and so are those behind a redirect.
        is_template = document_format == "html" and PLACEHOLDER.search(text)
        anchors = None if is_template else find_anchors(text, document_format)
        if anchors is not None:
            destinations = get_finder(document_format)(text)
            if any(destination.kind == "redirect" for destination in destinations):
                anchors = None
        if anchors and document_format == "markdown":
            # GitHub ignores the case of letters in anchors.
            anchors |= {anchor.lower() for anchor in anchors}
        self._anchors[path] = anchors


#: The formats whose relative references are links. In RDF and JSON, they are only names.
CHECKED = {"markdown", "html", "css", "xml", "text", "restructuredtext", "asciidoc"}

#: Fragments that belong to no anchor: the top of a page, the lines of a file on GitHub, and the
#: state of a program in the page.
NO_ANCHOR = re.compile(r"(?ai:top)?|L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?|[/!].*", re.ASCII | re.DOTALL)

#: Separates the fragment from the words that a browser searches for.
TEXT_FRAGMENT = ":~:"

#: The maximum number of names among which a similar one is searched, and how similar it must be.
MAX_COMPARED = 1000
MIN_SIMILARITY = 0.65


class DeadLink(NamedTuple):
    """A target that does not exist, and a similar one that does.

    `rules` names the generator, or GitHub, by whose rules Markdown was read.
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

    def relativize_path(self, target: IRIReference) -> str | None:
        """Return the path from the folder to a target, or `None` if it is not in the folder."""
        uri = self.uri.resolve(target).normalize(scheme=True)
        if (uri.scheme, uri.authority) != (self.root.scheme, self.root.authority):
            return None
        is_inside = uri.path.startswith(self.root.path)
        return uri.path.removeprefix(self.root.path) if is_inside else None


def find_dead_links(
    tree: Tree, document: Document, text: str, links: list[Link], base: IRIReference | None
) -> Iterator[tuple[Link, DeadLink]]:
    page = Page(tree, document, base)
    tree.add_anchors(page.path, text, document.format)
    base_links = [link for link in links if link.kind == "base"]
    if base_links:
        # Only the first base counts.
        page.change_base(base_links[0].target)
    # Many documents have several links to the same target, which is checked once.
    checked_targets: dict[str, DeadLink | None] = {}
    for link in links:
        target = link.target
        # A form is sent to a program.
        if target is None or link.kind in {"base", "form"} or PLACEHOLDER.search(link.written):
            continue
        target_text = str(target)
        if target_text not in checked_targets:
            checked_targets[target_text] = page.find_dead_link(target)
        dead = checked_targets[target_text]
        if dead is not None:
            yield link, dead


class Page:
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
        has_index = top and "index.html" in tree.list_names(top)
        self.roots = Starts((top,)) if top and has_index else self.list_roots(top)

    @cached_property
    def including(self) -> list[Page]:
        document, base = self.arguments
        paths = self.project.list_including(self.path) if self.project else []
        documents = [document._replace(name=str(Path(*path))) for path in paths]
        return [Page(self.tree, document, base) for document in documents]

    def list_roots(self, top: Parts | None) -> Starts:
        """Return the folders that may be the root of the site, not above `top` or a repository."""
        highest = len(self.limit or top or self.folder)
        lengths = range(highest, len(self.folder) + 1)
        return Starts(tuple(self.folder[:length] for length in lengths), are_certain=False)

    def change_base(self, base: IRIReference | None) -> None:
        if base is None:
            self.starts = Starts()
            return
        name = base.path.rpartition("/")[2]
        path, starts = self.find_start(base.with_path(base.path.removesuffix(name)))
        folders = tuple(self.list_paths(path, starts))
        self.starts = Starts(folders, are_certain=starts.are_certain or path != "/")

    def find_dead_link(self, target: IRIReference) -> DeadLink | None:
        """Check a target; it may also exist for a document that includes this one."""
        dead = self.check_target(target)
        if dead is None or any(page.check_target(target) is None for page in self.including):
            return None
        return dead._replace(rules=self.rules)

    def check_target(self, target: IRIReference) -> DeadLink | None:
        fragment = (target.fragment or "").partition(TEXT_FRAGMENT)[0]
        if not target.path and target.scheme is None and target.authority is None:
            return self.describe_missing_anchor(fragment, self.path)
        paths = self.list_paths(*self.find_start(target))
        for path in paths:
            if self.tree.find_missing(path, self.folder) is None:
                return self.describe_missing_anchor(fragment, self.tree.find_file(path))
            if self.tree.has_page(path, self.folder):
                return None
        return self.describe_missing_file(paths[0], target) if paths else None

    def find_start(self, target: IRIReference) -> tuple[str, Starts]:
        """Return the path of a reference, and the folders from which it may start.

        A reference to another site has no such folder.
        """
        has_only_path = target.scheme is None and target.authority is None
        if has_only_path and not target.path.startswith("/"):
            return target.path, self.starts
        if self.site is None:
            return (target.path, self.roots) if has_only_path else ("", Starts())
        site_path = self.site.relativize_path(target)
        if site_path is None:
            return "", Starts()
        return site_path, Starts((self.site.folder,))

    def list_paths(self, path: str, starts: Starts) -> list[Parts]:
        paths: list[Parts] = []
        for start in starts.folders:
            file_path = self.resolve_path(start, path)
            if file_path is None:
                continue
            # A folder may be the root of the site if it has the first name in the path.
            first_name_path = file_path[: len(start) + 1]
            if starts.are_certain or self.tree.find_missing(first_name_path, self.folder) is None:
                paths.append(file_path)
        return paths

    def resolve_path(self, start: Parts, path: str) -> Parts | None:
        """Return the file at a path from a folder, or `None` outside the repository."""
        parts = list(start)
        for segment in path.split("/"):
            name = decode(segment, errors="surrogateescape")
            if name == "..":
                # The root of the file system is its own parent.
                del parts[max(1, len(parts) - 1) :]
            elif name not in {"", "."}:
                parts.append(name)
        is_inside = tuple(parts[: len(self.limit)]) == self.limit
        return tuple(parts) if is_inside else None

    def describe_missing_file(self, path: Parts, target: IRIReference) -> DeadLink | None:
        """Describe a file that does not exist; return `None` for labels, and files of a build."""
        index = self.tree.find_missing(path, self.folder)
        assert index is not None
        if self.project:
            label = make_identifier(decode(target.path)) if target.fragment is None else ""
            if label in self.project.labels:
                return None
            # A build creates files that git ignores.
            rules = IgnoreRules.read_rules(str(Path(*path[:index])))
            if any(rules.ignores(path[index], is_folder=is_folder) for is_folder in (False, True)):
                return None
        message = f"no file {format_path(path)}"
        for name in self.find_similar_names(path[:index], path[index]):
            similar = (*path[:index], name, *path[index + 1 :])
            if similar != self.folder and self.tree.find_missing(similar, self.folder) is None:
                suggestion = os.path.relpath(Path(*similar), Path(*self.folder))
                return DeadLink(message, suggestion.replace(os.sep, "/"))
        return DeadLink(message, None)

    def find_similar_names(self, folder: Parts, missing_name: str) -> list[str]:
        """Return the names in a folder that may be meant: their stem or suffix is the same."""
        missing_stem, missing_suffix = split_suffix(missing_name)
        names_by_stem: dict[str, str] = {}
        for name in sorted(self.tree.list_names(folder)):
            stem, suffix = split_suffix(name)
            if {stem, suffix} & {missing_stem, missing_suffix}:
                names_by_stem[stem] = name
        return find_similar(missing_stem, names_by_stem)

    def describe_missing_anchor(self, fragment: str, file: Parts | None) -> DeadLink | None:
        if NO_ANCHOR.fullmatch(fragment) or file is None:
            return None
        anchors = self.tree.find_anchors(file)
        if anchors is None:
            return None
        is_same_document = file == self.path
        document_format = self.format if is_same_document else format_of(file[-1])
        name = decode(fragment, errors="surrogateescape")
        possible_names = {fragment, name}
        if document_format == "markdown":
            # GitHub ignores the case of letters, and a prefix that it adds itself.
            possible_names |= {
                possible_name.removeprefix("user-content-").lower()
                for possible_name in possible_names
            }
        if not possible_names.isdisjoint(anchors):
            return None
        if self.project and self.project.has_anchor(file, name, anchors):
            return None
        anchors_by_key = {anchor.casefold(): anchor for anchor in sorted(anchors)}
        similar_anchors = find_similar(name.casefold(), anchors_by_key)
        suggestion = f"#{similar_anchors[0]}" if similar_anchors else None
        shown_file = "the document" if is_same_document else format_path(file)
        return DeadLink(f'no anchor "{escape_controls(name)}" in {shown_file}', suggestion)


def find_similar(name: str, values: dict[str, str]) -> list[str]:
    # The search compares the name with every key.
    if len(values) > MAX_COMPARED:
        return []
    return [values[key] for key in get_close_matches(name, values, cutoff=MIN_SIMILARITY)]


def split_suffix(name: str) -> tuple[str, str]:
    return os.path.splitext(name.casefold())  # noqa: PTH122


def format_path(path_parts: Parts) -> str:
    """Return a path for a message, relative to the current folder if it is in it."""
    path, current = Path(*path_parts), Path.cwd()
    return escape_controls(str(path.relative_to(current) if path.is_relative_to(current) else path))
