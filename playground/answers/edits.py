"""Apply the changes that a user makes on the page.

An edit of a segment or a parameter replaces only this segment or parameter. All other characters
stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uriverse import IRIReference, Params, parse, repair

Edit = dict[str, Any]


def apply_edit(text: str, edit: Edit, *, base: str, steps: dict[str, Any]) -> str:
    """Return a string after an edit.

    Args:
        text: the string. It may be invalid if the edit is a repair.
        edit: the name of the edit as `kind`, and its arguments: the `index` of a segment or
            parameter, and the new `name` or `value` as data.
        base: the base URI, for the edits `"resolve"` and `"relative"`.
        steps: the settings of the steps of normalization, for the edit `"normalize"`.

    Raises:
        URIError: the result would not be a valid identifier.
    """
    kind = edit["kind"]
    if kind == "repair":
        return str(repair(text))
    value = parse(text)
    if kind == "normalize":
        return str(value.normalize(**normalize_options(steps)))
    if kind == "resolve":
        return str(parse(base).resolve(value))
    if kind == "relative":
        return str(parse(base).resolve(value).relative_to(base))
    if kind in CONVERSIONS:
        return str(CONVERSIONS[kind](value))
    return str(EDITS[kind](value, edit))


def normalize_options(steps: dict[str, Any]) -> dict[str, Any]:
    """Return the options of `normalize` for the settings of its steps."""
    return {"scheme": True, **steps}


# --- segments


def set_segment(value: IRIReference, edit: Edit) -> IRIReference:
    segments = value.segments.with_segment(edit["index"], edit["value"])
    return value.with_path(str(segments))


def remove_segment(value: IRIReference, edit: Edit) -> IRIReference:
    raw = list(value.segments.raw)
    del raw[edit["index"]]
    return value.with_path("/".join(raw))


def add_segment(value: IRIReference, edit: Edit) -> IRIReference:
    return value.joinpath(edit["value"])


# --- parameters


def pieces_of(value: IRIReference) -> tuple[list[str], list[int]]:
    """Split a query at "&", and return the pieces, and the index of the piece of each parameter.

    Empty pieces are not parameters.
    """
    pieces = (value.query or "").split("&")
    return pieces, [index for index, piece in enumerate(pieces) if piece]


def with_piece(value: IRIReference, edit: Edit, change: Callable[[str], str]) -> IRIReference:
    """Replace the piece of one parameter in the query."""
    pieces, places = pieces_of(value)
    place = places[edit["index"]]
    pieces[place] = change(pieces[place])
    return value.with_query("&".join(pieces))


def set_name(value: IRIReference, edit: Edit) -> IRIReference:
    """Rename a parameter. Its value stays as it is written."""

    def renamed(piece: str) -> str:
        _, equals, written = piece.partition("=")
        # A parameter without a name and without "=" would be an empty piece.
        return (encoded(edit["value"], "") + equals + written) or "="

    return with_piece(value, edit, renamed)


def set_value(value: IRIReference, edit: Edit) -> IRIReference:
    """Set the value of a parameter. Its name stays as it is written."""

    def changed(piece: str) -> str:
        return piece.partition("=")[0] + "=" + encoded("", edit["value"])

    return with_piece(value, edit, changed)


def encoded(name: str, value: str) -> str:
    """Return a name or a value as it is written in a query."""
    return str(Params.build([(name, value)])).strip("=")


def remove_param(value: IRIReference, edit: Edit) -> IRIReference:
    pieces, places = pieces_of(value)
    del pieces[places[edit["index"]]]
    return value.with_query("&".join(pieces) if pieces else None)


def add_param(value: IRIReference, edit: Edit) -> IRIReference:
    return value.add_param(edit["name"], edit["value"])


CONVERSIONS: dict[str, Callable[[IRIReference], object]] = {
    "to_uri": lambda value: value.to_uri(),
    "to_uri_idna": lambda value: value.to_uri(host="idna"),
    "to_iri": lambda value: value.to_iri(),
}

EDITS: dict[str, Callable[[IRIReference, Edit], IRIReference]] = {
    "set-segment": set_segment,
    "remove-segment": remove_segment,
    "add-segment": add_segment,
    "set-name": set_name,
    "set-value": set_value,
    "remove-param": remove_param,
    "add-param": add_param,
}
