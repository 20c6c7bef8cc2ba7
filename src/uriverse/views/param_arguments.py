"""Validate the arguments that callers pass to `Params`, and convert them to strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from math import isfinite
from typing import TypeGuard, cast

from uriverse import _engine
from uriverse.errors import BuildError

from .decoding import data_text

#: Types that count as a single value, although Python treats them as sequences.
SCALARS = (str, bytes, bytearray, memoryview)

#: The types of data, as a tuple because `isinstance` is slower with a union.
DATA = (str, bytes)

#: The types of sequences and of mappings. Checking against an abstract class is slow, so the usual
#: types come first.
SEQUENCES = (list, tuple, Sequence)
MAPPINGS = (dict, Mapping)

#: The smallest number that has too many digits to be written.
TOO_LARGE = 10**_engine.LONGEST_NUMBER


def name_text(name: object) -> str:
    """Convert the name of a query parameter to a plain `str`, not a subclass.

    Raises:
        TypeError: `name` is neither `str` nor `bytes`.
    """
    return data_text(name, "a name")


def value_texts(given: object) -> list[str | None]:
    """Convert one value, or a sequence of values, to a list of strings.

    `None` stays `None`: it stands for a parameter without "=".
    """
    return list(map(value_text, given)) if is_sequence(given) else [value_text(given)]


def is_sequence(given: object) -> TypeGuard[Sequence[object]]:
    """Return True for a sequence of values, and False for a single value such as a `str`."""
    return isinstance(given, SEQUENCES) and not isinstance(given, SCALARS)


def value_text(value: object) -> str | None:
    """Convert the value of a query parameter, such as a number, to a string.

    `None` stays `None`: it stands for a parameter without "=".

    Raises:
        BuildError: a number is not finite, or has more than 640 digits.
        TypeError: the value has an unsupported type.
    """
    if value is None:
        return None
    if isinstance(value, DATA):
        return data_text(value, "a value")
    if isinstance(value, bool):
        return "true" if value else "false"
    # A subclass of a number type may override `__repr__`. Use its actual number.
    if isinstance(value, int):
        if abs(value) < TOO_LARGE:
            return int.__repr__(value)
        reason = f"number too large: an int may have at most {_engine.LONGEST_NUMBER} digits"
        raise BuildError("", 0, "query", "query", reason, "pass the digits as a str")
    if isinstance(value, float):
        if isfinite(value):
            return float.__repr__(value)
        text = float.__repr__(value)
        reason = f"invalid number: {text} is not finite"
        raise BuildError(text, 0, "query", "query", reason, "pass the value as a str")
    kind = type(value).__name__
    raise TypeError(
        f"a value must be a str, bytes, int, float, bool, None or a sequence of them, not {kind}"
    )


def pairs_of(source: object) -> Iterable[tuple[object, object]]:
    """Return query parameters as pairs of a name and one or more values.

    The parameters are given as a mapping or as an iterable of pairs.
    """
    if isinstance(source, MAPPINGS):
        return cast("Mapping[object, object]", source).items()
    if isinstance(source, DATA) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"parameters must be a mapping or an iterable of pairs, not {kind}")
    return map(as_pair, cast("Iterable[object]", source))


def as_pair(pair: object) -> tuple[object, object]:
    if is_sequence(pair) and len(pair) == 2:
        return pair[0], pair[1]
    raise TypeError("a parameter must be a pair of a name and a value")


def globs(given: str | Iterable[str]) -> list[str]:
    """Convert one glob pattern, or several glob patterns, to a list of strings."""
    if isinstance(given, bytes):
        raise TypeError("a glob must be a str, not bytes")
    found = [given] if isinstance(given, str) else list(given)
    for glob in found:
        if not isinstance(glob, str):
            raise TypeError(f"a glob must be a str, not {type(glob).__name__}")
    return found


def matches_any(name: str, patterns: list[str]) -> bool:
    """Return True if a name equals a pattern, or if one of the patterns, as a glob, matches it.

    A name that contains `[` may not match itself as a glob: `a[0]` as a glob matches `a0`. So
    the function also compares the strings.
    """
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
