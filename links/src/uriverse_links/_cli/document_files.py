"""The documents that arguments name: files, folders and patterns, without what git ignores."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from errno import EINVAL, ENOENT
from glob import glob
from pathlib import Path
from typing import NamedTuple, Self

from pathspec import GitIgnoreSpec

from uriverse import IRIReference, URIError
from uriverse.percent import encode
from uriverse_links import DocumentFormat, Link, format_of, links

from .output import MisuseError, UnreadableError, describe_os_error, print_error


class Rules(NamedTuple):
    """The rules of one file, as they apply in a folder: the prefix is its path, such as `a/b/`."""

    spec: GitIgnoreSpec
    prefix: str = ""

    def enter_folder(self, name: str) -> Self:
        return self._replace(prefix=f"{self.prefix}{name}/")


class IgnoreRules(NamedTuple):
    """Decides which files and folders of a folder git ignores; rules of a later file win."""

    folder: Path
    rules: tuple[Rules, ...] = ()

    @classmethod
    def read_rules(cls, folder: str) -> Self:
        """Return the rules in a folder: its own, and those of its repository above it.

        If the latter ignore the folder itself, they do not apply, because the user named it.
        """
        path = Path(folder).absolute()
        repository = find_repository(path) or path
        ignore_rules = cls(repository)._with_own_rules()
        for name in path.relative_to(repository).parts:
            if ignore_rules.ignores(name, is_folder=True):
                return cls(path)._with_own_rules()
            ignore_rules = ignore_rules.enter_folder(name)
        return ignore_rules

    def enter_folder(self, name: str) -> Self:
        rules = tuple(rule.enter_folder(name) for rule in self.rules)
        return self._replace(folder=self.folder / name, rules=rules)._with_own_rules()

    def ignores(self, name: str, *, is_folder: bool) -> bool:
        name = f"{name}/" if is_folder else name
        for spec, prefix in reversed(self.rules):
            is_ignored = spec.check_file(prefix + name).include
            if is_ignored is not None:
                return is_ignored
        return False

    def _with_own_rules(self) -> Self:
        rules = self.rules
        if has_repository(self.folder):
            # The rules of one repository do not apply in another.
            rules = read_patterns(self.folder / ".git" / "info" / "exclude")
        return self._replace(rules=rules + read_patterns(self.folder / ".gitignore"))


def read_patterns(path: Path) -> tuple[Rules, ...]:
    try:
        lines = path.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ()
    try:
        return (Rules(compile_patterns(lines)),)
    except ValueError:
        # As in git, an invalid pattern matches nothing.
        return (Rules(compile_patterns([line for line in lines if is_pattern(line)])),)


def compile_patterns(lines: list[str]) -> GitIgnoreSpec:
    # `a/**` matches all in the folder `a`, and not `a` itself, so that a later pattern can include
    # a file in it. `a/*` means the same here, because no file in an ignored folder is looked at.
    lines = [line[:-1] if line.endswith("/**") else line for line in lines]
    return GitIgnoreSpec.from_lines(lines, backend="simple")


def is_pattern(line: str) -> bool:
    try:
        compile_patterns([line])
    except ValueError:
        return False
    return True


def has_repository(folder: Path) -> bool:
    # The method of `Path` raises an error for a path that is too long.
    return os.path.exists(folder / ".git")  # noqa: PTH110


def find_repository(path: Path) -> Path | None:
    return next((folder for folder in (path, *path.parents) if has_repository(folder)), None)


def exclude_patterns(*patterns: tuple[str, Sequence[str]]) -> Callable[[str], bool]:
    """Return a function that decides whether a file is excluded, as `.gitignore` files do.

    If patterns of two folders match a file, those of the later one decide.
    """
    for _, lines in patterns:
        for line in lines:
            try:
                compile_patterns([line])
            except ValueError as error:
                raise MisuseError(f"invalid pattern {line!r}: {error}") from None
    specs = [
        (folder or os.curdir, compile_patterns(list(lines)))
        for folder, lines in reversed(patterns)
        if lines
    ]

    def is_excluded(name: str) -> bool:
        for folder, spec in specs:
            path = os.path.relpath(name, folder).replace(os.sep, "/")
            # To `pathspec`, `include` means that a pattern lists the file to exclude it; `None`
            # means that no pattern matches.
            is_listed: bool | None = spec.check_file(path).include
            if is_listed is not None:
                return is_listed
        return False

    return is_excluded


#: The number of octets at the beginning of a file in which git searches for NUL.
SEARCHED_SIZE = 8000

#: The encodings by their byte order marks. That of UTF-32, which is not read, starts like one of
#: UTF-16.
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

#: The declaration of an encoding at the start of an XML document.
ENCODING_DECLARATION = re.compile(
    r"<\?xml\s[^>]*?\sencoding\s*+=\s*+[\"'](?P<name>[A-Za-z][\w.-]*+)[\"']"
)

#: The encodings that a declaration may name, as Python writes them.
SUPPORTED_ENCODING = re.compile(
    r"(?P<unicode>utf-(?:8|16).*+)|ascii|iso8859-\d++|cp125\d|koi8-[rtu]"
)


class DocumentText(NamedTuple):
    """The content of a document without byte order mark; invalid octets are surrogate escapes."""

    text: str
    encoding: str
    mark: bytes


def decode_document(octets: bytes, document_format: DocumentFormat, name: str) -> DocumentText:
    """Decode a document: by its byte order mark, else as XML declares, else as UTF-8."""
    mark = next((mark for mark in MARKS if octets.startswith(mark)), b"")
    encoding = MARKS.get(mark, "")
    # As in git, a file with NUL is binary. In UTF-16, every other octet may be NUL.
    if not encoding.startswith("utf-16") and b"\0" in octets[:SEARCHED_SIZE]:
        raise UnreadableError(EINVAL, "a binary file, or not UTF-8", name)
    if not encoding:
        is_xml = document_format == "xml"
        encoding = find_declared_encoding(octets, name) if is_xml else "utf-8"
    try:
        text = octets.removeprefix(mark).decode(encoding, "surrogateescape")
    except UnicodeDecodeError:
        raise UnreadableError(EINVAL, "invalid UTF-16", name) from None
    return DocumentText(text, encoding, mark)


def find_declared_encoding(octets: bytes, name: str) -> str:
    """Return the encoding that an XML document declares, or UTF-8 if it declares none."""
    declaration = ENCODING_DECLARATION.match(octets[:SEARCHED_SIZE].decode("ascii", "replace"))
    if declaration is None:
        return "utf-8"
    try:
        encoding = codecs.lookup(declaration["name"]).name
    except LookupError:
        encoding = ""
    if match := SUPPORTED_ENCODING.fullmatch(encoding):
        # A file whose declaration is readable cannot be UTF-16, even if it says so.
        return "utf-8" if match["unicode"] else encoding
    reason = f"unsupported encoding {declaration['name']}; convert the file to UTF-8"
    raise UnreadableError(EINVAL, reason, name)


def read_octets(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UnreadableError(error.errno, error.strerror, name) from None


class Document(NamedTuple):
    """A document to read, and the folder among the arguments in which it was found, if any."""

    name: str
    format: DocumentFormat
    folder: str | None = None

    def read(self) -> DocumentText:
        return decode_document(read_octets(self.name), self.format, self.name)

    def uri(self, base: IRIReference) -> IRIReference:
        """Return the URI of the document, given that of its folder, or its own if it has none."""
        if self.folder is None:
            return base
        names = Path(self.name).relative_to(self.folder).parts
        path = "/".join([encode(name, "segment") for name in names])
        return folder_uri(base).resolve(f"./{path}")


def folder_uri(base: IRIReference) -> IRIReference:
    return base if base.path.endswith("/") else base.with_path(f"{base.path}/")


class Documents:
    """The documents that arguments name, in order and each once.

    A folder stands for the documents in it and in its folders, in the order of their names. Hidden
    folders, the files and folders that git ignores, and files of unknown formats are skipped.
    Symbolic links in folders are not followed. A pattern that the shell did not expand stands for
    the names that match it. A format that is given is that of standard input and of the files that
    are named themselves.
    """

    def __init__(
        self,
        names: Iterable[str],
        document_format: DocumentFormat | None = None,
        *,
        advice: str = "set it with --input-format",
    ) -> None:
        self.names = names
        self.advice = advice
        self.format: DocumentFormat | None = document_format
        self.unread = False

    def __iter__(self) -> Iterator[Document]:
        seen_paths: set[str] = set()
        for document in self.list_documents():
            path = os.path.abspath(document.name)  # noqa: PTH100
            if path not in seen_paths:
                seen_paths.add(path)
                yield document

    def read_texts(self, formats: Collection[str] = ()) -> Iterator[tuple[Document, str]]:
        """Yield each document with its content. Skip and report those that cannot be read."""
        for document in self:
            if formats and document.format not in formats:
                continue
            try:
                text = document.read().text
            except UnreadableError as error:
                self.report_unreadable(error)
            else:
                yield document, text

    def links(self, document: Document, text: str, base: IRIReference | None = None) -> list[Link]:
        """Return the links of a document; report a document whose syntax is invalid."""
        try:
            uri = None if base is None else document.uri(base)
            return links(text, document.format, base=uri)
        except URIError as error:
            self.report_unreadable(UnreadableError.from_syntax_error(document.name, text, error))
            return []

    def report_unreadable(self, error: OSError) -> None:
        print_error(describe_os_error(error))
        self.unread = True

    def list_documents(self) -> Iterator[Document]:
        for name in self.names:
            if name == "-":
                yield self.require_standard_input()
                continue
            for path in expand_pattern(name):
                if os.path.isdir(path):  # noqa: PTH112
                    yield from self.list_folder(path)
                    continue
                document_format = self.format or format_of(path)
                if not os.path.lexists(path):
                    self.report_unreadable(UnreadableError(ENOENT, os.strerror(ENOENT), path))
                elif document_format is None:
                    self.report_unreadable(
                        UnreadableError(EINVAL, f"unknown format; {self.advice}", path)
                    )
                else:
                    yield Document(path, document_format)

    def require_standard_input(self) -> Document:
        if sys.stdin is None or sys.stdin.isatty():
            raise MisuseError("no input; give files as arguments, or a document on standard input")
        if self.format is None:
            raise MisuseError("standard input has no file name; set its format with --input-format")
        return Document("-", self.format)

    def list_folder(self, folder: str) -> Iterator[Document]:
        rules = IgnoreRules.read_rules(folder)
        # The open folders, each with its entries that are not visited yet. Recursion would limit
        # the depth of folders.
        open_folders = [(rules, iter(self.list_entries(folder, rules)))]
        while open_folders:
            rules, entries = open_folders[-1]
            entry = next(entries, None)
            if entry is None:
                open_folders.pop()
                continue
            name, path, is_folder = entry
            if is_folder:
                inner_rules = rules.enter_folder(name)
                open_folders.append((inner_rules, iter(self.list_entries(path, inner_rules))))
            elif (document_format := format_of(path)) is not None:
                yield Document(path, document_format, folder)

    def list_entries(self, folder: str, rules: IgnoreRules) -> list[tuple[str, str, bool]]:
        """Return each file and folder to read: its name, its path, and whether it is a folder."""
        paths: list[tuple[str, str, bool]] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    is_folder = entry.is_dir(follow_symlinks=False)
                    # A pipe would block, and devices have no end.
                    is_file = entry.is_file(follow_symlinks=False)
                    is_wanted = not name.startswith(".") if is_folder else is_file
                    if is_wanted and not rules.ignores(name, is_folder=is_folder):
                        path = name if folder == os.curdir else entry.path
                        paths.append((name, path, is_folder))
        except OSError as error:
            self.report_unreadable(error)
        return sorted(paths)


def expand_pattern(name: str) -> list[str]:
    """Return the paths that match a pattern; a name that no path matches stays as it is.

    The name of an existing file is not a pattern, even if it contains such characters.
    """
    if os.path.lexists(name) or not any(character in name for character in "*?["):
        return [name]
    return sorted(glob(name, recursive=True)) or [name]  # noqa: PTH207
