"""The command `uriverse extract`."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder

from uriverse import extract
from uriverse._errors import visible
from uriverse.diagnosis._extraction import Part, parts_of

from .declarations import argument, command, option
from .output import MISUSE, MisuseError, UnreadableError, complain, problem
from .printing import Array, Output
from .streams import octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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
                            text = visible(text)
                        lines.append(text)
                    output.write(lines)
            except UnreadableError as error:
                complain(problem(error))
                unread = True
        sys.exit(MISUSE if unread else 0 if found_any else 1)


def in_json(place: Mapping[str, object]) -> str:
    from json import dumps

    return dumps(place)


def parts_in(name: str) -> Iterator[Part]:
    """Read a file in parts that can be searched for URIs separately.

    Each part is yielded as soon as it has been read.

    Invalid UTF-8 is decoded to surrogates, which are not allowed in URIs.
    """
    if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    return parts_of(decode_chunks(octets_of(name)))


def decode_chunks(chunks: Iterator[bytes]) -> Iterator[str]:
    """Decode chunks of UTF-8, and drop a byte order mark at the beginning."""
    decoder = getincrementaldecoder("utf-8-sig")("surrogateescape")
    for octets in chunks:
        yield decoder.decode(octets)
    yield decoder.decode(b"", final=True)
