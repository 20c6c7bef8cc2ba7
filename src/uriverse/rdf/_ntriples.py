"""Validate the IRIs in N-Triples and N-Quads files."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, final

from uriverse import _engine
from uriverse._engine import is_iri
from uriverse._errors import ParseError
from uriverse._patterns import lazy_pattern

from ._terms import decoded, iri_error

#: The number of bytes that are read at a time.
BLOCK = 1 << 18

#: The first bytes of a gzip file.
GZIP = b"\x1f\x8b"

#: Matches the IRIs of a document. Group 1 is the IRI as written. It is invalid if ">" is missing:
#: it then ends with the next character, "<" or a line break. For "<>", the group is ">", because an
#: empty group stands for other tokens: literals, comments, and the "<<" of RDF 1.2. A literal that
#: is not closed ends with its line, so that the time is linear in the length of the document.
TOKEN: re.Pattern[bytes] = re.compile(
    rb"<<(?=[ \t(<_])"
    rb"|<(>|[^<>\r\n]*+(?:(?=>)|[<\r\n]))"
    rb'|"[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+"?'
    rb"|#[^\r\n]*+"
)
LINE_BREAK = lazy_pattern(r"\r\n?|\n")


#: A function that returns the index of the first IRI that may be invalid.
Skip = Callable[[bytes, int], int]
SKIP: Skip | None = getattr(_engine.kernel, "next_suspect_iri", None)


@final
@dataclass(frozen=True, slots=True)
class InvalidIRI:
    """An invalid IRI in an N-Triples or N-Quads file.

    `str()` returns the place and the reason, without the IRI, which may contain secrets.

    Attributes:
        line: the number of the line; the first line is 1.
        column: the place of the first invalid character, in characters; the first column is 1.
        error: the error. Its `text` is the IRI as written, and its `position` is an index in it.

    >>> import io
    >>> [invalid] = check_ntriples(io.BytesIO(b"<http://a/> <http://a/ b>"))
    >>> invalid.line, invalid.column, invalid.error.text
    (1, 23, 'http://a/ b')
    """

    line: int
    column: int
    error: ParseError

    @property
    def code(self) -> str:
        """The error code, as in `uriverse.check`: always `"syntax"`.

        >>> import io
        >>> [invalid.code for invalid in check_ntriples(io.BytesIO(b"<a b>"))]
        ['syntax']
        """
        return self.error.code

    @property
    def reason(self) -> str:
        """A description of the error.

        >>> import io
        >>> [invalid.reason for invalid in check_ntriples(io.BytesIO(b"<a:b c>"))]
        ['invalid space in path']
        """
        return self.error.reason

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.reason}"


def check_ntriples(source: str | os.PathLike[str] | IO[bytes], /) -> Iterator[InvalidIRI]:
    r"""Find the invalid IRIs in an N-Triples or N-Quads file.

    Every IRI is checked: subjects, predicates, objects, datatypes and graph names. An IRI is valid
    if it matches the rule `IRI` of RFC 3987 after its escapes, such as `\u00E9`, are decoded. It
    must have a scheme, because [N-Triples has no relative references][1]. Other parts of the file
    are not checked.

    The file is read in blocks, so memory use does not depend on its size, but on the length of its
    longest line. Files that are compressed with gzip are decompressed.

    [1]: https://www.w3.org/TR/n-triples/#sec-iri

    Args:
        source: the path of a file, or an open binary file.

    Returns:
        An iterator over the invalid IRIs, in their order. The file is read while you iterate.

    Raises:
        OSError: the file cannot be read, or is not a valid gzip file.
        TypeError: the file is open in text mode, or `source` is neither a path nor a file.

    >>> import io
    >>> file = io.BytesIO(b'<http://a/b> <http://a/c d> "<e>" .\n<http://a/> <f> _:b .\n')
    >>> for invalid in check_ntriples(file):
    ...     print(invalid)
    1:25: invalid space in path
    2:15: missing scheme: an IRI starts with a scheme and a colon
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:  # noqa: PTH123  # also accepts a `str`
            yield from invalid_in(file)
    elif hasattr(source, "read"):
        yield from invalid_in(source)
    else:
        raise TypeError(f"source must be a path or a file, not {type(source).__name__}")


def invalid_in(file: IO[bytes]) -> Iterator[InvalidIRI]:
    """Find the invalid IRIs in an open file, which may be compressed."""
    line = 1
    for octets in whole_lines(file):
        column = 1
        done = 0
        for match in suspects(octets):
            # Octets that are not UTF-8 become lone surrogates, which no IRI contains.
            written = match[1].decode(errors="surrogateescape")
            if is_iri(decoded(written)):
                continue
            passed = octets[done : match.start(1)].decode(errors="surrogateescape")
            done = match.start(1)
            line, column = place_after(passed, line, column)
            error = error_of(written)
            yield InvalidIRI(line, column + error.position, error)
        line += octets.count(b"\n", done)
        if b"\r" in octets:
            line += octets.count(b"\r", done) - octets.count(b"\r\n", done)


def suspects(octets: bytes, skip: Skip | None = SKIP) -> Iterator[re.Match[bytes]]:
    """Yield a match of `TOKEN` for each IRI that may be invalid."""
    at = 0
    while match := TOKEN.search(octets, skip(octets, at) if skip else at):
        at = match.end()
        if written := match[1]:
            yield match
            # This "<" may start the next IRI.
            at -= written.endswith(b"<")


def place_after(passed: str, line: int, column: int) -> tuple[int, int]:
    """Return the line and the column of the position just after a string.

    The line and the column that are passed in are those of its first character.
    """
    lines = LINE_BREAK.split(passed)
    last = len(lines[-1])
    return (line + len(lines) - 1, last + 1) if lines[1:] else (line, column + last)


def whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file in blocks, each with whole lines only."""
    opened: Any = file
    block = read(opened)
    # A pipe may return fewer bytes than are needed to recognize a compressed file.
    while 0 < len(block) < len(GZIP) and (more := read(opened)):
        block += more
    if block.startswith(GZIP):
        import gzip

        whole: Any = Rewound(block, file)
        opened = gzip.GzipFile(fileobj=whole)
        block = read(opened)
    rest: list[bytes] = []
    while block:
        # The line break in the middle of "\r\n" would count twice.
        end = block.rfind(b"\n") + 1 or block.rfind(b"\r", 0, -1) + 1
        if end:
            yield b"".join((*rest, block[:end]))
            rest = []
        rest.append(block[end:])
        block = read(opened)
    if last := b"".join(rest):
        # `TOKEN` needs a line break after an IRI without ">".
        yield last + b"\n"


def read(file: IO[bytes]) -> bytes:
    try:
        block = file.read(BLOCK)
    except (EOFError, zlib.error) as error:
        raise OSError(f"invalid gzip file: {error}") from error
    if not isinstance(block, bytes):
        raise TypeError("the file must be open in binary mode")
    return block


class Rewound:
    """A file with its first bytes, which have been read already."""

    def __init__(self, first: bytes, file: IO[bytes]) -> None:
        self.first = first
        self.file = file

    def read(self, size: int) -> bytes:
        block, self.first = self.first[:size], self.first[size:]
        # The module gzip expects as many bytes as it asks for, until the end of the file.
        while len(block) < size and (more := self.file.read(size - len(block))):
            block += more
        return block


def error_of(written: str) -> ParseError:
    """Return the error for an invalid IRI, as group 1 of `TOKEN` matches it."""
    if written == ">":
        written = ""
    elif written[-1] in "<\r\n":
        written = written[:-1]
        reason, hint = 'missing ">" after an IRI', 'write ">" after the IRI'
        return ParseError(written, len(written), "text", "IRIREF", reason, hint)
    error = iri_error(written)
    assert error, "the IRI is invalid"
    return error
