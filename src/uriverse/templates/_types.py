"""The types of variables: which strings a variable takes, and their conversion to values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin
from uuid import UUID

from uriverse._errors import BuildError, TemplateError, quote_argument
from uriverse._spec import LONGEST_NUMBER
from uriverse._uri.pairs import convert_value

#: The structure of a value. A value in `"either"` is a list if all names are that of the variable,
#: and a mapping otherwise.
Shape = Literal["scalar", "list", "mapping", "either"]

#: The shapes, by their numbers in the kernel.
SHAPES: tuple[Shape, ...] = get_args(Shape)


class VariableType(NamedTuple):
    """The type of a variable: the structure of its values, and the type of these or their items.

    The type is `str` or a key of `READERS`. If there are `choices`, only these strings are allowed.
    """

    shape: Shape
    scalar: type = str
    choices: tuple[str, ...] | None = None

    def read_scalar(self, text: str) -> Any:
        """Convert a decoded string that `write_scalar` returns; raise `ValueError` for others."""
        if self.choices is not None:
            if text in self.choices:
                return text
            raise ValueError
        if self.scalar is str:
            return text
        if len(text.removeprefix("-")) > LONGEST_NUMBER:
            raise ValueError
        value = READERS[self.scalar](text)
        if text != convert_value(value, ""):
            raise ValueError  # another spelling, such as "+7" for 7
        return value

    def write_scalar(self, value: object, name: str) -> str:
        """Convert a value; raise `TemplateError` or `TypeError` if it is not allowed."""
        if self.choices is not None:
            if value in self.choices:
                return str(value)
            allowed = ", ".join(map(repr, self.choices))
            reason = f"invalid value of {name}: another string than its type allows"
            hint = f"pass one of {allowed}"
            raise TemplateError("", 0, "template", "varname", reason, hint, variable=name)
        is_allowed = not isinstance(value, bool | bytes | bytearray | memoryview)
        if self.scalar is not str:
            is_allowed = is_allowed and isinstance(value, self.scalar)
        if self.scalar is date and isinstance(value, datetime):
            is_allowed = False  # a datetime is a date with a time, which would be lost
        if not is_allowed:
            expected = "a str or a number" if self.scalar is str else self.scalar.__name__
            raise TypeError(f"the value of {name} must be {expected}, not {type(value).__name__}")
        try:
            text = convert_value(value, name)
        except BuildError as error:
            reason = f"invalid value of {name}: {error.reason}"
            location = (error.text, 0, "template", "varname")
            raise TemplateError(*location, reason, error.hint, variable=name) from None
        assert text is not None
        return text

    def check_shape(self, value: object, name: str, *, is_mapping: bool) -> None:
        if self is SCALAR:
            return  # a variable without a type takes every value
        type_name = type(value).__name__
        is_list = isinstance(value, list | tuple) and not is_mapping
        has_shape = {
            "scalar": not is_mapping and not is_list,
            "list": is_list,
            "mapping": is_mapping or value == [],
            "either": is_mapping or is_list,
        }
        if not has_shape[self.shape]:
            expected = {"scalar": "a single value", "either": "a list or a mapping"}
            kind = expected.get(self.shape, f"a {self.shape}")
            raise TypeError(f"the value of {name} must be {kind}, not {type_name}")


#: The functions that convert strings to values, by the type of the values.
READERS: dict[type, Callable[[str], Any]] = {
    int: int,
    float: float,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
    UUID: UUID,
}

#: The characters of the strings of each type.
CHARACTERS: dict[type, str] = {
    int: "-0123456789",
    float: "+-.0123456789e",
    date: "-0123456789",
    datetime: "+-.:0123456789T",
    UUID: "-0123456789abcdef",
}

SCALAR = VariableType("scalar")

SUPPORTED_TYPES = "str, int, float, date, datetime, UUID, list, dict, or a tuple of str"


def parse_type(name: str, declared_type: object, *, explode: bool, named: bool) -> VariableType:
    default_shape: Shape = "scalar" if not explode else "either" if named else "list"
    if isinstance(declared_type, type) and (declared_type is str or declared_type in READERS):
        return VariableType(default_shape, declared_type)
    origin = get_origin(declared_type) or declared_type
    if origin is list or origin is dict:
        item: Any = (get_args(declared_type) or (str,))[-1]
        item_type = parse_type(name, item, explode=False, named=False)
        if item_type.shape == "scalar":
            return item_type._replace(shape="list" if origin is list else "mapping")
    if isinstance(declared_type, tuple):
        choices = cast("tuple[object, ...]", declared_type)
        if choices and all(isinstance(choice, str) for choice in choices):
            return VariableType(default_shape, str, cast("tuple[str, ...]", choices))
    raise TypeError(
        f"the type of {name} must be {SUPPORTED_TYPES}, not {quote_argument(declared_type)}"
    )


def list_pairs(value: object) -> Collection[tuple[object, object]] | None:
    """Return the pairs of a mapping, or of a list of pairs; `None` for other values."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[object, object]", value).items())
    if isinstance(value, list | tuple) and value:
        items = cast("list[object]", value)
        if all(
            isinstance(item, tuple) and len(cast("tuple[object, ...]", item)) == 2 for item in items
        ):
            return cast("list[tuple[object, object]]", items)
    return None
