"""The command that finds identifiers in running text: extract."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from uriverse import extract
from uriverse.errors import visible

from . import MISUSE
from .lines import misuse, output_as


@click.command("extract")
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line, with offsets.")
@click.option("--json-array", "as_array", is_flag=True, help="Print them as a JSON array.")
@click.option("-u", "--unique", is_flag=True, help="Print each but once.")
def extract_command(files: tuple[str, ...], as_json: bool, as_array: bool, unique: bool) -> None:
    """Find URIs and IRIs in running text.

    As RFC 3986, Appendix C, describes them. The text is that of the FILEs, or of
    standard input; "-" is that too. Between "<" and ">" an identifier may be broken
    over lines, so the text is read to its end first. Offsets count characters from 0.
    The status is 0 if there are any, 1 if there are none, 2 if a FILE can't be read.

    \b
    echo 'See <http://example.org/a>, or http://example.org/b.' | uriverse extract
    uriverse extract --json README.md | jq -r .text
    """
    seen: set[str] = set()
    unread = False
    with output_as(as_array) as output:
        for name in files or ("-",):
            whole = text_of(name)
            if whole is None:
                unread = True
                continue
            lines: list[str] = []
            for found in extract(whole):
                text = str(found.value)
                if unique and text in seen:
                    continue
                seen.add(text)
                place = {"text": text, "start": found.start, "end": found.end, "file": name}
                lines.append(json.dumps(place) if as_json or as_array else shown(text))
            output.write(lines)
        sys.exit(MISUSE if unread else 0 if seen else 1)


def shown(text: str) -> str:
    """An identifier as a terminal is to show it, or exactly."""
    return visible(text) if sys.stdout.isatty() else text


def text_of(name: str) -> str | None:
    """The text of a file; octets that are not UTF-8 become what no identifier holds.

    `None` if it can't be read, which is said on standard error.
    """
    if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise misuse("give files, or a text on standard input")
    try:
        octets = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"uriverse: {name}: {error.strerror}", file=sys.stderr)
        return None
    return octets.decode("utf-8-sig", "surrogateescape")
