"""The commands `uriverse explain` and `uriverse parse`."""

from __future__ import annotations

import sys

from uriverse import URIError, parse
from uriverse._engine import kernel

from .declarations import command
from .lines import Inputs, takes_inputs
from .printing import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from uriverse.diagnosis._figure import Line

#: The color of each component on a terminal.
COLORS = {
    "scheme": "magenta",
    "authority": "cyan",
    "userinfo": "yellow",
    "host": "cyan",
    "port": "blue",
    "path": "green",
    "query": "yellow",
    "fragment": "red",
}


@command("explain")
@takes_inputs()
def explain_command(inputs: Inputs) -> None:
    """Show the components of URIs, or why they are invalid.

    For a valid URI, print a diagram of its components. For an invalid URI, print the
    position of the error, the rule that it breaks and how to fix it.
    """
    if inputs.as_json:
        inputs.print_objects(explanation_of)
    from uriverse.diagnosis._explanation import explain, lines_of

    between: list[Line] = []
    write = in_color if sys.stdout.isatty() else plain

    def figure(uri: str) -> str:
        explanation = explain(uri)
        drawn = write(between + lines_of(explanation))
        between[:] = [[]]
        if not explanation.valid:
            raise Unanswered(drawn)
        return drawn

    inputs.run(figure)


@command("parse")
@takes_inputs()
def parse_command(inputs: Inputs) -> None:
    """Print the components of URIs as JSON.

    Print one object per line. A missing component is null; an empty component is "".
    """
    inputs.print_objects(components_of, kernel and kernel.record)


def explanation_of(uri: str) -> tuple[dict[str, Any], bool]:
    from uriverse.diagnosis._explanation import explain

    explanation = explain(uri)
    return explanation.as_dict(), explanation.valid


def plain(lines: list[Line]) -> str:
    return "\n".join("".join(run.text for run in line).rstrip() for line in lines)


def in_color(lines: list[Line]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    with console.capture() as capture:
        for line in lines:
            text = Text.assemble(*((run.text, COLORS.get(run.part, "")) for run in line))
            text.rstrip()
            # A wrapped line would no longer align with the brackets below it.
            console.print(text, soft_wrap=True)
    return capture.get().removesuffix("\n")


def components_of(text: str) -> tuple[dict[str, Any], bool]:
    """Return the JSON object that `parse` prints for a string, and whether it is valid."""
    from uriverse._views.params import optional_items

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
            for name, data in optional_items(value.params)
        ],
        "error": None,
    }, True


def shown(data: str) -> str:
    """Convert decoded data to a string for JSON, with U+FFFD for octets that are not UTF-8."""
    return data.encode(errors="surrogateescape").decode(errors="replace")
