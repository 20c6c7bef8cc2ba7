"""Validate the arguments that callers pass to `Params`, and convert them to strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from math import isfinite
from operator import index
from typing import SupportsIndex, TypeGuard, cast

from uriverse._errors import BuildError, quoted
from uriverse._spec import LONGEST_NUMBER

from .decoding import data_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date, time
    from typing import Any

#: Types that count as a single value, although Python treats them as sequences.
SCALARS = (str, bytes, bytearray, memoryview)

#: The types of data, as a tuple because `isinstance` is slower with a union.
DATA = (str, bytes)

#: The types of sequences and of mappings. Checking against an abstract class is slow, so the usual
#: types come first.
SEQUENCES = (list, tuple, Sequence)
MAPPINGS = (dict, Mapping)

#: The supported types of values, for error messages.
SUPPORTED = "a str, bytes, int, float, Decimal, UUID, date, time, None"

#: The smallest number that has too many digits to be written.
TOO_LARGE = 10**LONGEST_NUMBER


def name_text(name: object) -> str:
    """Convert the name of a query parameter to a plain `str`, not a subclass.

    Raises:
        TypeError: `name` is neither `str` nor `bytes`.
    """
    return data_text(name, "parameter name")


def value_texts(given: object, name: str) -> list[str | None]:
    """Convert one value, or a sequence of values, to a list of strings.

    `None` stays `None`: it stands for a parameter without "=".

    Args:
        given: the value or values.
        name: the name of the parameter, for error messages.
    """
    if type(given) is str:
        return [given]  # the most common case
    values = given if is_sequence(given) else [given]
    return [value_text(value, name) for value in values]


def is_sequence(given: object) -> TypeGuard[Sequence[object]]:
    """Return True for a sequence of values, and False for a single value such as a `str`."""
    return not isinstance(given, SCALARS) and isinstance(given, SEQUENCES)


def value_text(value: object, name: str) -> str | None:
    """Convert the value of a query parameter, such as a number, to a string.

    `None` stays `None`: it stands for a parameter without "=".

    Args:
        value: the value.
        name: the name of the parameter, for error messages.

    Raises:
        BuildError: a number is not finite, or has more than 640 digits, or a time is not a time.
        TypeError: the value has an unsupported type.
    """
    if value is None:
        return None
    if isinstance(value, DATA):
        return data_text(value, "value")
    if isinstance(value, bool):
        raise wrong_value(value, name)
    # A subclass of a number type may override `__repr__`. Use its actual number.
    if isinstance(value, float):
        return finite(float.__repr__(value), isfinite(value))
    text = None if isinstance(value, int) else standard_text(value)
    if text is not None:
        return text
    try:
        number = index(cast("SupportsIndex", value))
    except TypeError:
        raise wrong_value(value, name) from None
    if abs(number) < TOO_LARGE:
        return int.__repr__(number)
    reason = f"number too large: an int may have at most {LONGEST_NUMBER} digits"
    raise BuildError("", 0, "query", "query", reason, "pass the digits as a str")


def standard_text(value: object) -> str | None:
    """Convert a `Decimal`, a `UUID`, a date or a time to a string; return `None` for other types.

    The types are recognized by name, so that their modules need not be imported.
    """
    for base in type(value).__mro__:
        kind: Any = base
        match kind.__module__, kind.__name__:
            # A subclass may override `__str__`. Use its actual number.
            case "decimal", "Decimal":
                return finite(kind.__str__(value), kind.is_finite(value))
            case "uuid", "UUID":
                return str(kind.__str__(value))
            case "datetime", "date" | "time":
                # A subclass may be more precise: a `pandas.Timestamp` has nanoseconds.
                text = data_text(cast("date | time", value).isoformat(), "value")
                if value == value:  # noqa: PLR0124  # `pandas.NaT` does not equal itself
                    return text
                reason = f"invalid time: {text} is not a time"
                raise BuildError(text, 0, "query", "query", reason, "pass the value as a str")
            case _:
                pass
    return None


def finite(text: str, is_finite: bool) -> str:
    """Return the digits of a number, or raise `BuildError` if the number is not finite."""
    if is_finite:
        return text
    reason = f"invalid number: {text} is not finite"
    raise BuildError(text, 0, "query", "query", reason, "pass the value as a str")


def wrong_value(value: object, name: str) -> TypeError:
    """Return the error for a value of an unsupported type."""
    kind = type(value).__name__
    if kind in {"bool", "bool_"}:  # `bool_` is the type in NumPy 1
        wanted = 'must not be a bool: pass "true" or "false", or 1 or 0'
    elif isinstance(value, Enum):
        wanted = f"must not be a member of the enum {kind}: pass its value"
    else:
        wanted = f"must be {SUPPORTED} or a sequence of them, not {kind}"
    return TypeError(f"value of parameter {quoted(name)} {wanted}")


def pairs_of(source: object) -> Iterable[tuple[object, object]]:
    """Return query parameters as pairs of a name and one or more values.

    The parameters are given as a mapping or as an iterable of pairs.
    """
    if isinstance(source, MAPPINGS):
        return cast("Mapping[object, object]", source).items()
    if isinstance(source, DATA) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"params must be a mapping or an iterable of pairs, not {kind}")
    return map(as_pair, cast("Iterable[object]", source))


def as_pair(pair: object) -> tuple[object, object]:
    if is_sequence(pair) and len(pair) == 2:
        return pair[0], pair[1]
    raise TypeError("params must be pairs of a name and a value")


def globs(given: object, argument: str) -> list[str]:
    """Convert one glob pattern, or several glob patterns, to a list of strings.

    Args:
        given: the pattern or patterns.
        argument: the name of the argument, for error messages.
    """
    if isinstance(given, str):
        return [given]
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        kind = type(given).__name__
        raise TypeError(f"{argument} must be a str or an iterable of str, not {kind}")
    found = list(cast("Iterable[object]", given))
    for glob in found:
        if not isinstance(glob, str):
            raise TypeError(f"{argument} must contain only str, not {type(glob).__name__}")
    return cast("list[str]", found)


def matches_any(name: str, patterns: list[str]) -> bool:
    """Return True if one of the glob patterns matches a name, or equals it as a string.

    A name that contains `[` may not match itself as a glob: `a[0]` as a glob matches `a0`. So
    the function also compares the strings.
    """
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
