"""The commands that take identifiers apart: explain, parse."""

from __future__ import annotations

import sys
from typing import Any

import click

from uriverse import URIError, parse
from uriverse.diagnosis import explain
from uriverse.diagnosis.figure import Line

from .lines import Texts, Unanswered, on_texts

#: How each component is painted on a terminal.
COLOURS = {
    "scheme": "magenta",
    "authority": "cyan",
    "userinfo": "yellow",
    "host": "cyan",
    "port": "blue",
    "path": "green",
    "query": "yellow",
    "fragment": "red",
}


@click.command("explain")
@on_texts
def explain_command(texts: Texts) -> None:
    """Show the anatomy of each TEXT.

    Or exactly what is wrong with it, and where.

    \b
    uriverse explain "foo://example.com:8042/over/there?name=ferret#nose"
    uriverse explain --json < urls.txt
    """
    if texts.as_json:
        texts.print_objects(explanation_of)
    between: list[Line] = []
    write = in_colour if sys.stdout.isatty() else plain

    def figure(text: str) -> str:
        explanation = explain(text)
        drawn = write(between + explanation._lines())
        between[:] = [[]]
        if not explanation.valid:
            raise Unanswered(drawn)
        return drawn

    texts.run(figure)


@click.command("parse")
@on_texts
def parse_command(texts: Texts) -> None:
    """Print the components of each TEXT as JSON.

    A component that is undefined is null; one that is there and empty is "".

    \b
    uriverse parse "http://example.org/a?b" "urn:isbn:0451450523"
    uriverse parse --json-array < urls.txt
    uriverse parse < urls.txt | jq -r .host
    """
    texts.print_objects(components_of)


def explanation_of(text: str) -> tuple[dict[str, Any], bool]:
    explanation = explain(text)
    return explanation.as_dict(), explanation.valid


def plain(lines: list[Line]) -> str:
    return "\n".join("".join(run.text for run in line).rstrip() for line in lines)


def in_colour(lines: list[Line]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    with console.capture() as capture:
        for line in lines:
            text = Text.assemble(*((run.text, COLOURS.get(run.part, "")) for run in line))
            text.rstrip()
            # Wrapping would tear brackets from what they stand under.
            console.print(text, soft_wrap=True)
    return capture.get().removesuffix("\n")


def components_of(text: str) -> tuple[dict[str, Any], bool]:
    """What `parse` prints for a text, and whether it is valid."""
    try:
        value = parse(text)
    except URIError as error:
        return {"text": text, "type": None, "error": error.as_dict()}, False
    return {
        "text": text,
        "type": type(value).__name__,
        "scheme": value.scheme,
        "authority": value.authority,
        "userinfo": value.userinfo,
        "host": value.host,
        "host_kind": value.host_kind,
        "port": value.port_text,
        "path": value.path,
        "query": value.query,
        "fragment": value.fragment,
        "params": [
            [shown(name), None if data is None else shown(data)]
            for name, data in value.params._optional_items()
        ],
        "error": None,
    }, True


def shown(data: str) -> str:
    """Convert decoded data to a string for JSON, with U+FFFD for octets that are not UTF-8."""
    return data.encode(errors="surrogateescape").decode(errors="replace")
