"""The documents that command-line arguments name: files, folders and patterns of file names."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from errno import EINVAL, ENOENT
from glob import glob
from pathlib import Path
from typing import NamedTuple

from uriverse import IRIReference, URIError
from uriverse.percent import encode
from uriverse_links import DocumentFormat, Link, format_of, links
from uriverse_links._destinations import Lines

from .document_encodings import Decoded, decode_document
from .ignoring import Ignored
from .output import MisuseError, UnreadableError, complain, describe_error


def read_octets(name: str) -> bytes:
    """Read a file, or standard input if the name is `-`.

    Raises:
        UnreadableError: the file cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UnreadableError(error.errno, error.strerror, name) from None


class Document(NamedTuple):
    """A document to read.

    Attributes:
        name: the name of the file; `-` is standard input.
        format: its format.
        folder: the folder among the arguments in which the file was found; `None` if the file was
            named itself.
    """

    name: str
    format: DocumentFormat
    folder: str | None = None

    def read(self) -> Decoded:
        """Read and decode the document.

        Raises:
            UnreadableError: the file cannot be read, is binary, or has an unknown encoding.
        """
        return decode_document(read_octets(self.name), self.format, self.name)

    def uri(self, base: IRIReference) -> IRIReference:
        """Return the URI of the document.

        Args:
            base: the URI of the folder in which the file was found. If the file was named itself,
                the URI of the document.
        """
        if self.folder is None:
            return base
        names = Path(self.name).relative_to(self.folder).parts
        path = "/".join([encode(name, "segment") for name in names])
        return folder_uri(base).resolve(f"./{path}")


def describe_invalid(document: Document, text: str, error: URIError) -> UnreadableError:
    """Return the error for a document whose syntax is invalid."""
    line, column = Lines(text).place(error.position)
    return UnreadableError(EINVAL, error.reason, f"{document.name}:{line}:{column}")


def folder_uri(base: IRIReference) -> IRIReference:
    """Return the URI of a folder, whose path ends with a slash."""
    return base if base.path.endswith("/") else base.with_path(f"{base.path}/")


class Documents:
    """The documents that arguments name, in order and each once.

    A folder stands for the documents in it and in its folders, in the order of their names. Hidden
    folders, the files and folders that git ignores, and files of unknown formats are skipped.
    Symbolic links in folders are not followed. A pattern that the shell did not expand stands for
    the names that match it.

    Args:
        names: the arguments; `-` is standard input.
        form: the format of standard input and of the files that are named themselves; by default
            the names of files tell their format.
        advice: what to do with a file whose name does not tell its format.

    Attributes:
        unread: whether a file or a folder could not be read. The error has been printed.
    """

    def __init__(
        self,
        names: Iterable[str],
        form: DocumentFormat | None = None,
        *,
        advice: str = "set it with --input-format",
    ) -> None:
        self.names = names
        self.advice = advice
        self.form: DocumentFormat | None = form
        self.unread = False

    def __iter__(self) -> Iterator[Document]:
        seen: set[str] = set()
        for document in self.list_all():
            path = os.path.abspath(document.name)  # noqa: PTH100
            if path not in seen:
                seen.add(path)
                yield document

    def texts(self, formats: Collection[str] = ()) -> Iterator[tuple[Document, str]]:
        """Yield each document with its content. Skip and report those that cannot be read.

        Args:
            formats: the formats of the documents; by default, all.
        """
        for document in self:
            if formats and document.format not in formats:
                continue
            try:
                text = document.read().text
            except UnreadableError as error:
                self.refuse(error)
            else:
                yield document, text

    def links(self, document: Document, text: str, base: IRIReference | None = None) -> list[Link]:
        """Return the links of a document; report a document whose syntax is invalid.

        Args:
            document: the document.
            text: its content.
            base: the URI of the documents; see `Document.uri`.
        """
        try:
            uri = None if base is None else document.uri(base)
            return links(text, document.format, base=uri)
        except URIError as error:
            self.refuse(describe_invalid(document, text, error))
            return []

    def refuse(self, error: OSError) -> None:
        """Report a file or a folder that cannot be read."""
        complain(describe_error(error))
        self.unread = True

    def list_all(self) -> Iterator[Document]:
        """Yield the documents of each argument."""
        for name in self.names:
            if name == "-":
                yield self.standard_input()
                continue
            for path in expand_pattern(name):
                if os.path.isdir(path):  # noqa: PTH112
                    yield from self.list_folder(path)
                    continue
                form = self.form or format_of(path)
                if not os.path.lexists(path):
                    self.refuse(UnreadableError(ENOENT, os.strerror(ENOENT), path))
                elif form is None:
                    self.refuse(UnreadableError(EINVAL, f"unknown format; {self.advice}", path))
                else:
                    yield Document(path, form)

    def standard_input(self) -> Document:
        if sys.stdin is None or sys.stdin.isatty():
            raise MisuseError("no input; give files as arguments, or a document on standard input")
        if self.form is None:
            raise MisuseError("standard input has no file name; set its format with --input-format")
        return Document("-", self.form)

    def list_folder(self, folder: str) -> Iterator[Document]:
        """Yield the documents in a folder, and in the folders in it."""
        # Recursion would limit the depth of folders.
        ignored = Ignored.of(folder)
        pending = [(ignored, iter(self.entries(folder, ignored)))]
        while pending:
            ignored, entries = pending[-1]
            for name, path, is_folder in entries:
                if is_folder:
                    inner = ignored.inside(name)
                    pending.append((inner, iter(self.entries(path, inner))))
                    break
                if (form := format_of(path)) is not None:
                    yield Document(path, form, folder)
            else:
                pending.pop()

    def entries(self, folder: str, ignored: Ignored) -> list[tuple[str, str, bool]]:
        """Return the files and folders to read in a folder, sorted by name.

        Each has a name, a path, and whether it is a folder.
        """
        found: list[tuple[str, str, bool]] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    is_folder = entry.is_dir(follow_symlinks=False)
                    # A pipe would block, and devices have no end.
                    is_file = entry.is_file(follow_symlinks=False)
                    wanted = not name.startswith(".") if is_folder else is_file
                    if wanted and not ignored.covers(name, is_folder=is_folder):
                        path = name if folder == os.curdir else entry.path
                        found.append((name, path, is_folder))
        except OSError as error:
            self.refuse(error)
        return sorted(found)


def expand_pattern(name: str) -> list[str]:
    """Expand a pattern of file names, as shells do. Return another name as it is."""
    if os.path.lexists(name) or not any(character in name for character in "*?["):
        return [name]
    return sorted(glob(name, recursive=True)) or [name]  # noqa: PTH207
