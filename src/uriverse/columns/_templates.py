"""The variables of a URI Template as the fields of a struct, and as the columns of an expansion."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from uriverse._errors import TemplateError
from uriverse.templates import Template
from uriverse.templates._template import get_programs, get_slots, get_variable_types
from uriverse.templates._types import SCALAR, SHAPES, VariableType

if TYPE_CHECKING:
    from ._buffers import Kind

#: The kinds of single values that are not strings, by their types.
KINDS: dict[type, Kind] = {int: "number", float: "float", date: "date", datetime: "timestamp"}

#: The largest number of columns that the kernel expands a template with.
MOST_COLUMNS = 32

#: The range of 64-bit integers.
SMALLEST, LARGEST = -(2**63), 2**63 - 1


@lru_cache(maxsize=64)
def list_variable_types(template: Template) -> dict[str, VariableType]:
    """Return the types of the variables by name, in the order of the template.

    If a variable occurs as a single value and as a list, its field is a list, and so on: a field
    can contain the values of each shape before its own in `SHAPES`.
    """
    types: dict[str, VariableType] = {}
    for slot in get_slots(template):
        kind = types.setdefault(slot.variable.name, slot.kind)
        types[slot.variable.name] = max(kind, slot.kind, key=lambda one: SHAPES.index(one.shape))
    return types


def create_match_shape(template: Template) -> tuple[tuple[str, Kind], ...]:
    return tuple((name, choose_kind(kind)) for name, kind in list_variable_types(template).items())


def choose_kind(kind: VariableType) -> Kind:
    if kind.shape == "scalar":
        return KINDS.get(kind.scalar, "text")
    return "texts" if kind.shape == "list" else "pairs"


def match_fields(string: str, template: Template) -> dict[str, Any] | None:
    """Return the fields for a URI; `None` if it does not match, or matches in several ways.

    The result is also `None` if a number has more than 64 bits, or a time cannot be converted to
    UTC, because the fields cannot contain them.
    """
    variables = match_variables(string, template)
    if variables is None:
        return None
    try:
        return {
            name: None if name not in variables else convert_field(variables[name], name, kind)
            for name, kind in list_variable_types(template).items()
        }
    except OverflowError:
        return None


def match_variables(string: str, template: Template) -> dict[str, Any] | None:
    """Return the variables in a URI; `None` if it does not match, or matches in several ways."""
    try:
        match = template.match(string)
    except TemplateError:
        return None
    return None if match is None else match.variables


def convert_field(value: Any, name: str, kind: VariableType) -> Any:
    """Convert the value of a variable; raise `OverflowError` if the field cannot contain it."""
    if kind.shape != "scalar" and not isinstance(value, list | Mapping):
        value = [value]
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return [(key, kind.write_scalar(item, name)) for key, item in pairs]
    if isinstance(value, list):
        items = [kind.write_scalar(item, name) for item in cast("list[object]", value)]
        return items if kind.shape == "list" else [(name, item) for item in items]
    if isinstance(value, int) and not SMALLEST <= value <= LARGEST:
        raise OverflowError(value)
    if isinstance(value, datetime):
        return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
    return value if kind.scalar in KINDS else kind.write_scalar(value, name)


def prepare_match(template: Template) -> tuple[Any, ...] | None:
    """Return the options of `match` for the kernel; `None` if only Python can match it."""
    _, program = get_programs(template)
    return (
        None
        if program is None
        else (program, tuple(kind for _, kind in create_match_shape(template)))
    )


def prepare_expansion(template: Template, names: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return the options of `expand` for the kernel; `None` if only Python can expand it.

    They are the program, and for each variable the index of its column; -1 if it has none.
    """
    program, _ = get_programs(template)
    kinds = list_variable_types(template).values()
    if program is None or len(names) > MOST_COLUMNS or any(kind.choices for kind in kinds):
        return None
    indices = {name: index for index, name in enumerate(names)}
    return program, tuple(indices.get(variable.name, -1) for variable in template.variables)


def match_to_json(string: str, template: Template) -> str | None:
    """Return the variables in a URI as a JSON object; `None` as for `match_fields`."""
    from json import dumps

    fields = match_variables(string, template)
    return None if fields is None else dumps(fields, ensure_ascii=False)


def expand_row(*strings: str | None, template: Template, names: tuple[str, ...]) -> str | None:
    """Return the expansion for the strings of a row; `None` if a value is not allowed."""
    values: dict[str, Any] = {}
    for name, string in zip(names, strings, strict=True):
        if string is None:
            continue
        kind = get_variable_types(template).get(name, SCALAR)
        try:
            value = kind.read_scalar(string)
        except ValueError:
            return None
        values[name] = value if kind.shape == "scalar" else [value]
    try:
        return str(template.expand(values))
    except TemplateError:
        return None
