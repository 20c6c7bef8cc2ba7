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
    align_to_lines,
    describe_os_error,
    print_error,
    read_chunks,
)
from .rewriting import Rewriting, add_in_place_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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

    printed_uris: set[str] = set()
    has_uris = is_unreadable = False
    as_json = as_json or as_array
    on_terminal = sys.stdout.isatty()
    with Array() if as_array else Output() as output:
        for name in files or ("-",):
            try:
                for part in read_parts(name):
                    lines: list[str] = []
                    for extracted in extract(part.text):
                        has_uris = True
                        uri = str(extracted.value)
                        if unique and uri in printed_uris:
                            continue
                        if unique:
                            printed_uris.add(uri)
                        if as_json:
                            start, end = part.start + extracted.start, part.start + extracted.end
                            lines.append(format_json(text=uri, start=start, end=end, file=name))
                        else:
                            lines.append(escape_unprintable(uri) if on_terminal else uri)
                    output.write_lines(lines)
            except UnreadableError as error:
                print_error(describe_os_error(error))
                is_unreadable = True
        sys.exit(MISUSE if is_unreadable else 0 if has_uris else 1)


def format_json(**members: object) -> str:
    from json import dumps

    return dumps(members)


def read_parts(name: str) -> Iterator[Section]:
    """Yield parts of a file that can be searched separately, as they arrive."""
    if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    from uriverse.diagnosis._extraction import divide_input

    return divide_input(decode_chunks(read_chunks(name)))


def decode_chunks(chunks: Iterator[bytes]) -> Iterator[str]:
    decoder = getincrementaldecoder("utf-8-sig")("surrogateescape")
    for octets in chunks:
        yield decoder.decode(octets)
    yield decoder.decode(b"", final=True)


@command("redact")
@argument("files", nargs=-1, metavar="[FILE]...")
@option("--usernames", is_flag=True, help="Replace user names as well.")
@option("--paths", is_flag=True, help="Replace secrets in paths as well, such as webhooks.")
@add_in_place_options
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

    def redact_string(text: str) -> str:
        return redact(text, usernames=usernames, paths=paths)

    tally = Tally(noun="record", most_errors=None, summary=False, quiet=False)
    rewriting = Rewriting(in_place=in_place, backup=backup, dry_run=dry_run)
    if in_place or dry_run:
        rewriting.require_files(files, "give them as arguments")
    names = files or ("-",)
    if "-" in names and (sys.stdin is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    edited_files = [redact_lines(name, redact_string) for name in names]
    if field is not None:
        from .records import choose_record_format

        formats = [choose_record_format(name, field, "\n") for name in names]
        edited_files = [
            redact_records(tally, name, record_format.read_records(name), redact_string)
            for name, record_format in zip(names, formats, strict=True)
        ]
    for name, batches in zip(names, edited_files, strict=True):
        try:
            rewriting.write_file(name, batches)
        except UnreadableError as error:
            tally.report_unreadable(error)
    tally.exit_with_summary()


def redact_lines(name: str, redact_string: Callable[[str], str]) -> Iterator[Pairs]:
    for lines in align_to_lines(read_chunks(name)):
        yield [
            (line, redact_octets(line, redact_string)) for line in lines.splitlines(keepends=True)
        ]


def redact_records(
    tally: Tally,
    name: str,
    batches: Iterable[Iterable[Record]],
    redact_string: Callable[[str], str],
) -> Iterator[Pairs]:
    for records in batches:
        pairs: Pairs = []
        for record in records:
            tally.total += 1
            if record.problem:
                tally.report_problem(record.problem, name, record.line)
                pairs.append((record.octets, redact_octets(record.octets, redact_string)))
            else:
                pairs.append((record.octets, record.apply_edit(redact_string)))
        yield pairs


def redact_octets(octets: bytes, redact_string: Callable[[str], str]) -> bytes:
    # Octets that are not UTF-8 are kept.
    text = redact_string(octets.decode("utf-8", "surrogateescape"))
    return text.encode("utf-8", "surrogateescape")
