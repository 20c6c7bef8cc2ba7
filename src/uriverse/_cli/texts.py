"""The commands `uriverse extract` and `uriverse redact`, which read running text."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder

from uriverse import redact
from uriverse._errors import escape_unprintable

from .commands import argument, command, option
from .output import (
    MISUSE,
    Array,
    MisuseError,
    Output,
    Tally,
    UnreadableError,
    complain,
    octets_of,
    problem,
)
from .rewriting import Rewriting, in_place_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from uriverse.diagnosis._extraction import Section

    from .records import Record
    from .rewriting import Pairs


@command("extract")
@argument("files", nargs=-1, metavar="[FILE]...")
@option("--json", "as_json", is_flag=True, help="Print one JSON object for each URI.")
@option("--json-array", "as_array", is_flag=True, help="Print a JSON array of all URIs.")
@option("-u", "--unique", is_flag=True, help="Print each URI once.")
def extract_command(files: tuple[str, ...], as_json: bool, as_array: bool, unique: bool) -> None:
    """Extract URIs and IRIs from running text.

    Delimiters and line breaks are recognized as described in RFC 3986, Appendix C. Without a
    FILE, or if FILE is -, standard input is searched. Input is searched as it arrives and may
    have any length; lines longer than 4 Mi characters are searched in parts. Offsets count
    characters from 0.

    The exit status is 0 if a URI was found, 1 if none was found, and 2 if a FILE cannot be
    read.
    """
    from uriverse import extract

    seen: set[str] = set()
    found_any = unread = False
    as_json = as_json or as_array
    on_terminal = sys.stdout.isatty()
    with Array() if as_array else Output() as output:
        for name in files or ("-",):
            try:
                for part in parts_in(name):
                    lines: list[str] = []
                    for found in extract(part.text):
                        found_any = True
                        text = str(found.value)
                        if unique and text in seen:
                            continue
                        if unique:
                            seen.add(text)
                        if as_json:
                            start, end = part.start + found.start, part.start + found.end
                            text = in_json({"text": text, "start": start, "end": end, "file": name})
                        elif on_terminal:
                            text = escape_unprintable(text)
                        lines.append(text)
                    output.write(lines)
            except UnreadableError as error:
                complain(problem(error))
                unread = True
        sys.exit(MISUSE if unread else 0 if found_any else 1)


def in_json(place: Mapping[str, object]) -> str:
    from json import dumps

    return dumps(place)


def parts_in(name: str) -> Iterator[Section]:
    """Read a file in parts that can be searched for URIs separately.

    Each part is yielded as soon as it has been read.

    Invalid UTF-8 is decoded to surrogates, which are not allowed in URIs.
    """
    if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    from uriverse.diagnosis._extraction import divide_input

    return divide_input(decode_chunks(octets_of(name)))


def decode_chunks(chunks: Iterator[bytes]) -> Iterator[str]:
    decoder = getincrementaldecoder("utf-8-sig")("surrogateescape")
    for octets in chunks:
        yield decoder.decode(octets)
    yield decoder.decode(b"", final=True)


@command("redact")
@argument("files", nargs=-1, metavar="[FILE]...")
@option("--usernames", is_flag=True, help="Replace user names as well.")
@option("--paths", is_flag=True, help="Replace secrets in paths as well, such as webhooks.")
@in_place_options
@option("--field", metavar="FIELD", help="Redact only a field of CSV, TSV or JSON Lines.")
def redact_command(
    files: tuple[str, ...],
    usernames: bool,
    paths: bool,
    in_place: bool,
    backup: str | None,
    dry_run: bool,
    field: str | None,
) -> None:
    """Replace the secrets of URIs in text with REDACTED.

    Print each FILE without the passwords, access tokens and keys in its URIs; all other
    octets stay the same. Without a FILE, or if FILE is -, standard input is read, and each
    line is printed when it is complete.

    With --field, only this field of each record is changed. A record without it is redacted
    as a whole, and reported; the exit status is then 1. It is 2 if a FILE cannot be read.
    """

    def redact_text(text: str) -> str:
        return redact(text, usernames=usernames, paths=paths)

    tally = Tally(noun="record", most_errors=None, summary=False, quiet=False)
    rewriting = Rewriting(in_place=in_place, backup=backup, dry_run=dry_run)
    if in_place or dry_run:
        rewriting.check_files(files, "give them as arguments")
    names = files or ("-",)
    if "-" in names and (sys.stdin is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    edits = [redact_lines(name, redact_text) for name in names]
    if field is not None:
        from .records import format_of

        formats = [format_of(name, field, "\n") for name in names]
        edits = [
            redact_records(tally, name, file_format.records(name), redact_text)
            for name, file_format in zip(names, formats, strict=True)
        ]
    for name, batches in zip(names, edits, strict=True):
        try:
            rewriting.write(name, batches)
        except UnreadableError as error:
            complain(problem(error))
            tally.unread = True
    tally.leave()


def redact_lines(name: str, redact_text: Callable[[str], str]) -> Iterator[Pairs]:
    for lines in whole_lines(octets_of(name)):
        yield [(line, redact_octets(line, redact_text)) for line in lines.splitlines(keepends=True)]


def redact_records(
    tally: Tally, name: str, batches: Iterable[Iterable[Record]], redact_text: Callable[[str], str]
) -> Iterator[Pairs]:
    """Yield the records of a file before and after, in batches; report those without the field."""
    for records in batches:
        pairs: Pairs = []
        for record in records:
            tally.total += 1
            if record.problem:
                tally.reject(record.problem, name, record.line)
                pairs.append((record.octets, redact_octets(record.octets, redact_text)))
            else:
                pairs.append((record.octets, record.edited(redact_text)))
        yield pairs


def redact_octets(octets: bytes, redact_text: Callable[[str], str]) -> bytes:
    # Octets that are not UTF-8 are kept.
    text = redact_text(octets.decode("utf-8", "surrogateescape"))
    return text.encode("utf-8", "surrogateescape")


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Join the chunks of a file to parts that end with a line, and yield them."""
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    for octets in chunks:
        whole, end, rest = octets.rpartition(b"\n")
        if end:
            yield b"".join([*begun, whole, end])
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield last
