"""The commands `uriverse explain` and `uriverse parse`."""

from __future__ import annotations

from uriverse import URIError, parse
from uriverse._engine import kernel

from .commands import command
from .lines import Inputs, takes_inputs
from .output import InvalidLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command("explain")
@takes_inputs()
def explain_command(inputs: Inputs) -> None:
    """Show the components of URIs, or why they are invalid.

    For a valid URI, print a diagram of its components. For an invalid URI, print the
    position of the error, the rule that it breaks and how to fix it.
    """
    from uriverse import explain

    def serialize_explanation(uri: str) -> tuple[dict[str, Any], bool]:
        explanation = explain(uri)
        return explanation.as_dict(), explanation.valid

    if inputs.as_json:
        inputs.print_objects(serialize_explanation)
    between = ""

    def draw(uri: str) -> str:
        nonlocal between
        explanation = explain(uri)
        drawing = f"{between}{explanation}"
        between = "\n"
        if not explanation.valid:
            raise InvalidLine(drawing)
        return drawing

    inputs.print_lines(draw)


@command("parse")
@takes_inputs()
def parse_command(inputs: Inputs) -> None:
    """Print the components of URIs as JSON.

    Print one object per line. A missing component is null; an empty component is "".
    """
    inputs.print_objects(serialize_components, kernel and kernel.format_record)


def serialize_components(text: str) -> tuple[dict[str, Any], bool]:
    from uriverse._uri.params import list_optional_items

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
            [replace_surrogates(name), None if data is None else replace_surrogates(data)]
            for name, data in list_optional_items(value.params)
        ],
        "error": None,
    }, True


def replace_surrogates(data: str) -> str:
    """Replace octets that are not UTF-8 by U+FFFD."""
    return data.encode(errors="surrogateescape").decode(errors="replace")
