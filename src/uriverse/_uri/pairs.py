"""The base class of `Params`, as the kernel has it: the form encoding of the [URL standard][1].

It keeps the exact query, so that parameters that are not edited do not change.

[1]: https://url.spec.whatwg.org/#application/x-www-form-urlencoded
"""

from __future__ import annotations

import re
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache
from math import isfinite
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, TypeGuard, TypeVar, cast

from uriverse._errors import BuildError, ParseError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._spec import LONGEST_NUMBER, SEPARATORS, WRITTEN
from uriverse._spec.percent import (
    describe_encode_error,
    encode_escapes,
    find_invalid_escape,
    pct_decode,
)

from .engine import decode_if_bytes

if TYPE_CHECKING:
    from datetime import date, time
    from typing import Any, Literal, Self, TypeAlias

    from uriverse.typing import ParamValues

    ParamCodec: TypeAlias = Literal["form", "rfc3986"]
    ParamSeparator: TypeAlias = Literal["&", ";"]


T = TypeVar("T")

#: The number of lookups that search the query itself. Later lookups use a table of all names.
OFTEN = 8

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


class Pairs:
    __slots__ = ("__weakref__", "_codec", "_index", "_lookup_count", "_query", "_separator")

    if TYPE_CHECKING:
        _codec: ParamCodec
        _query: str | None
        _separator: ParamSeparator
        #: The number of lookups so far, and the table of all values by name once it is needed.
        _lookup_count: int
        _index: dict[str, list[str]] | None

    def __new__(
        cls,
        query: str | None = None,
        /,
        *,
        codec: Literal["form", "rfc3986"] = "form",
        separator: Literal["&", ";"] = "&",
    ) -> Self:
        if codec not in tuple(WRITTEN):  # the codec may not be hashable
            choices = ", ".join(WRITTEN)
            raise ValueError(f"codec must be one of {choices}, not {quote_argument(codec)}")
        if separator not in SEPARATORS:
            choices = " ".join(SEPARATORS)
            raise ValueError(f"separator must be one of {choices}, not {quote_argument(separator)}")
        if query is not None:
            query = validate_query(query)
        return cls._create(query, codec, separator)

    # Errors about the arguments name the public class.
    __new__.__qualname__ = "Params"

    @classmethod
    def _create(cls, query: str | None, codec: ParamCodec, separator: ParamSeparator) -> Self:
        """Create an object for a string that is known to be a valid query."""
        self = object.__new__(cls)
        self._query, self._codec, self._separator = query, codec, separator
        self._lookup_count, self._index = 0, None
        return self

    @property
    def query(self) -> str | None:
        """The query exactly as written, or `None` if the URI has no query.

        The query is also `None` after the last parameter has been removed.

        >>> from uriverse import Params
        >>> Params("a=%7e&&b").query
        'a=%7e&&b'
        """
        return self._query

    @property
    def codec(self) -> Literal["form", "rfc3986"]:
        """The encoding of names and values: `"form"`, in which "+" is a space, or `"rfc3986"`.

        >>> from uriverse import Params
        >>> Params("a=x+y").codec
        'form'
        """
        return self._codec

    @property
    def separator(self) -> Literal["&", ";"]:
        """The separator between two parameters: `"&"` or `";"`.

        >>> from uriverse import Params
        >>> Params("a=1;b=2", separator=";").separator
        ';'
        """
        return self._separator

    def _with_query(self, query: str | None) -> Self:
        return self._create(query, self._codec, self._separator)

    def _split_pieces(self) -> list[str]:
        """Return the pieces of the query between separators, including empty pieces."""
        return [] if self._query is None else self._query.split(self._separator)

    def _decode_pairs(self) -> list[tuple[str, str]]:
        return [decode_pair(piece, self._codec) for piece in self._split_pieces() if piece]

    def _index_values(self) -> dict[str, list[str]]:
        """Return a table of all values by name, to look up many names in linear time."""
        if self._index is None:
            index: dict[str, list[str]] = {}
            for name, value in self._decode_pairs():
                index.setdefault(name, []).append(value)
            # The first table is kept: another thread may be reading it.
            if self._index is None:
                self._index = index
        return self._index

    def get(self, name: str | bytes, /, default: object = None) -> Any:
        octets = try_encode(name)
        if octets is None:
            return default
        self._lookup_count += 1
        if self._lookup_count > OFTEN:  # so that many lookups take linear time
            values = self._index_values().get(decode_param_text(octets))
            return values[0] if values else default
        for piece in self._split_pieces():
            if self._has_name(piece, octets):
                return decode_param_text(decode_param_octets(piece.partition("=")[2], self._codec))
        return default

    def getall(self, name: str | bytes, default: object = ...) -> Any:
        values = self._index_values().get(convert_name(name))
        if values is not None:
            return list(values)
        if default is ...:
            raise KeyError(name)
        return default

    def __getitem__(self, name: str | bytes) -> str:
        value: str | None = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __len__(self) -> int:
        return sum(map(bool, self._split_pieces()))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, DATA) and self.get(name) is not None

    def items(self) -> ItemsView[str, str]:
        return Items(cast("Mapping[str, str]", self))

    def with_param(self, name: str | bytes, value: ParamValues) -> Self:
        decoded_name = convert_name(name)
        values = convert_values(value, decoded_name)
        name_octets = encode_data(decoded_name)
        new_values: list[bytes | None] = []
        for new_value in values:
            if new_value is None and not name_octets:
                join_piece("", None)  # raises the error for an empty parameter
            new_values.append(None if new_value is None else encode_data(new_value))
        old_pieces = self._split_pieces()
        old_count = sum(self._has_name(piece, name_octets) for piece in old_pieces)
        pieces: list[str] = []
        for piece in old_pieces:
            if not self._has_name(piece, name_octets):
                pieces.append(piece)
                continue
            old_count -= 1
            # Each old parameter takes one new value, and the last one takes all that remain.
            replacement_count = 1 if old_count else len(new_values)
            pieces += self._replace_piece(piece, new_values[:replacement_count])
            del new_values[:replacement_count]
        encoded_name = encode_param_text(decoded_name, self._codec)
        new_pieces = [self._encode_piece(encoded_name, new_value) for new_value in new_values]
        return self._with_pieces(append_pieces(pieces, new_pieces))

    def _replace_piece(self, piece: str, new_values: list[bytes | None]) -> list[str]:
        """Return a piece for each value; the old one stays as written if it has the first value."""
        encoded_name, equals, encoded_value = piece.partition("=")
        old_value = decode_param_octets(encoded_value, self._codec)
        # A piece without "=" has the value None when it is written, and "" when it is read.
        old_values = [old_value] if equals else [old_value, None]
        same_pieces: list[str] = []
        if new_values and new_values[0] in old_values:
            same_pieces, new_values = [piece], new_values[1:]
        return same_pieces + [self._encode_piece(encoded_name, value) for value in new_values]

    def add_param(self, name: str | bytes, value: ParamValues) -> Self:
        new_pieces = self._encode_param(name, value)
        return self._with_pieces(append_pieces(self._split_pieces(), new_pieces))

    def _remove(self, names: tuple[object, ...]) -> Self:
        removed = {try_encode(name) for name in names} - {None}

        def has_other_name(piece: str) -> bool:
            name = decode_param_octets(piece.partition("=")[0], self._codec)
            return not piece or name not in removed

        return self._with_pieces(list(filter(has_other_name, self._split_pieces())))

    def _build(self, source: object) -> Self:
        """Encode the names and values of a mapping or of pairs, in order."""
        pieces: list[str] = []
        for name, value in iterate_pairs(source):
            pieces += self._encode_param(name, value)
        return self._with_pieces(pieces)

    def _with_pieces(self, pieces: list[str]) -> Self:
        return self._with_query(self._separator.join(pieces) if pieces else None)

    def _encode_param(self, name: object, value: object) -> list[str]:
        text = convert_name(name)
        texts = convert_values(value, text)
        encoded_name = encode_param_text(text, self._codec)
        return [
            join_piece(encoded_name, None if text is None else encode_param_text(text, self._codec))
            for text in texts
        ]

    def _has_name(self, piece: str, name: bytes) -> bool:
        return piece != "" and decode_param_octets(piece.partition("=")[0], self._codec) == name

    def _encode_piece(self, name: str, value: bytes | None) -> str:
        return join_piece(name, None if value is None else encode_param_text(value, self._codec))


class Items(ItemsView[str, str]):
    """The object that `Params.items` returns, with the names and values of all parameters."""

    _mapping: Any
    _pair_set: frozenset[object] | None = None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._mapping._decode_pairs())

    def __contains__(self, item: object) -> bool:
        if self._pair_set is None:
            self._pair_set = frozenset(self._mapping._decode_pairs())
        try:
            return item in self._pair_set
        except TypeError:  # An object that cannot be hashed is not a pair of strings.
            return False


def append_pieces(pieces: list[str], new_pieces: list[str]) -> list[str]:
    """Add pieces to those of a query; if it ends with a separator, the first one follows that."""
    ends_with_separator = pieces[-1:] == [""]
    if new_pieces and ends_with_separator:
        return pieces[:-1] + new_pieces
    return pieces + new_pieces


def validate_query(query: object) -> str:
    if not isinstance(query, str):
        raise TypeError(f"query must be a str, not {type(query).__name__}")
    exact = str.__str__(query)
    from uriverse._spec import syntax  # the kernel does not need the grammar

    if len(exact) > syntax.LONGEST_TEXT or not syntax.matches(exact, "iquery"):
        from uriverse._spec.messages import describe_invalid_component  # needed for errors only

        raise ParseError(*describe_invalid_component(exact, "query", "iquery"))
    return exact


def try_encode(name: object) -> bytes | None:
    """Return the bytes of a name; `None` if it has surrogates that decoding would not restore."""
    if isinstance(name, bytes):
        return bytes(memoryview(name))
    if not isinstance(name, str):
        raise TypeError(f"parameter name must be a str or bytes, not {type(name).__name__}")
    exact = str.__str__(name)
    try:
        return exact.encode()
    except UnicodeEncodeError:  # the string has surrogates
        return encode_escapes(exact) if find_invalid_escape(exact) < 0 else None


def encode_data(data: str | bytes) -> bytes:
    """Return the bytes of data; raise `BuildError` where `try_encode` returns `None`."""
    octets = try_encode(data)
    if octets is None:
        raise BuildError(*describe_encode_error(str.__str__(cast("str", data)), "query", "query"))
    return octets


def join_piece(name: str, value: str | None) -> str:
    """Write a parameter such as `a=1`, or without "=" if the value is `None`."""
    if value is not None:
        return f"{name}={value}"
    if not name:
        reason, hint = "empty parameter: both name and value are missing", 'pass "" as the value'
        raise BuildError("", 0, "query", "query", reason, hint)
    return name


def decode_pair(piece: str, codec: ParamCodec) -> tuple[str, str]:
    """Return the decoded name and value; without "=", the value is `""`."""
    name, _, value = piece.partition("=")
    decoded_name = decode_param_text(decode_param_octets(name, codec))
    return decoded_name, decode_param_text(decode_param_octets(value, codec))


def decode_param_octets(text: str, codec: ParamCodec) -> bytes:
    return pct_decode(text.replace("+", " ") if codec == "form" else text)


def decode_param_text(octets: bytes) -> str:
    return octets.decode(errors="surrogateescape")


def encode_param_text(text: str | bytes, codec: ParamCodec) -> str:
    if isinstance(text, str) and UNCHANGED[codec].fullmatch(text):
        return text
    return "".join(map(build_octet_table(codec).__getitem__, encode_data(text)))


#: For each codec, the strings that encoding does not change.
UNCHANGED = {
    codec: lazy_pattern(f"[{re.escape(characters)}]*+") for codec, characters in WRITTEN.items()
}


@cache
def build_octet_table(codec: str) -> list[str]:
    """Return each octet as the codec writes it."""
    octets = [chr(n) if chr(n) in WRITTEN[codec] else f"%{n:02X}" for n in range(256)]
    if codec == "form":
        octets[ord(" ")] = "+"
    return octets


def convert_name(name: object) -> str:
    return decode_if_bytes(name, "parameter name")


def convert_values(values: object, name: str) -> list[str | None]:
    """Convert one value, or a sequence of them; `None` stands for a parameter without "="."""
    if type(values) is str:
        return [values]  # the most common case
    if not is_sequence(values):
        return [convert_value(values, name)]
    return [convert_value(value, name) for value in values]


def is_sequence(values: object) -> TypeGuard[Sequence[object]]:
    return not isinstance(values, SCALARS) and isinstance(values, SEQUENCES)


def convert_value(value: object, name: str) -> str | None:
    """Convert a value such as a number; `None` stands for a parameter without "="."""
    if value is None:
        return None
    if isinstance(value, DATA):
        return decode_if_bytes(value, "value")
    if isinstance(value, bool):
        raise TypeError(explain_wrong_value(value, name))
    # A subclass of a number type may override `__repr__`. Use its actual number.
    if isinstance(value, float):
        return require_finite(float.__repr__(value), isfinite(value))
    if not isinstance(value, int):
        text = convert_standard_type(value)
        if text is not None:
            return text
    try:
        number = index(cast("SupportsIndex", value))  # an integer of any type, such as NumPy's
    except TypeError:
        raise TypeError(explain_wrong_value(value, name)) from None
    if abs(number) < TOO_LARGE:
        return int.__repr__(number)
    reason = f"number too large: an int may have at most {LONGEST_NUMBER} digits"
    raise BuildError("", 0, "query", "query", reason, "pass the digits as a str")


def convert_standard_type(value: object) -> str | None:
    """Convert a `Decimal`, a `UUID`, a date or a time; return `None` for other types.

    The types are recognized by name, so that their modules need not be imported.
    """
    for base in type(value).__mro__:
        kind: Any = base
        match kind.__module__, kind.__name__:
            # A subclass may override `__str__`. Use its actual number.
            case "decimal", "Decimal":
                return require_finite(kind.__str__(value), kind.is_finite(value))
            case "uuid", "UUID":
                return str(kind.__str__(value))
            case "datetime", "date" | "time":
                # A subclass may be more precise: a `pandas.Timestamp` has nanoseconds.
                text = decode_if_bytes(cast("date | time", value).isoformat(), "value")
                if value == value:  # noqa: PLR0124  # `pandas.NaT` does not equal itself
                    return text
                reason = f"invalid time: {text} is not a time"
                raise BuildError(text, 0, "query", "query", reason, "pass the value as a str")
            case _:
                pass
    return None


def require_finite(text: str, is_finite: bool) -> str:
    if is_finite:
        return text
    reason = f"invalid number: {text} is not finite"
    raise BuildError(text, 0, "query", "query", reason, "pass the value as a str")


def explain_wrong_value(value: object, name: str) -> str:
    subject, type_name = f"value of parameter {quote_argument(name)}", type(value).__name__
    if type_name in {"bool", "bool_"}:  # `bool_` is the type in NumPy 1
        return f'{subject} must not be a bool: pass "true" or "false", or 1 or 0'
    if isinstance(value, Enum):
        return f"{subject} must not be a member of the enum {type_name}: pass its value"
    return f"{subject} must be {SUPPORTED} or a sequence of them, not {type_name}"


def iterate_pairs(source: object) -> Iterable[tuple[object, object]]:
    if isinstance(source, MAPPINGS):
        return cast("Mapping[object, object]", source).items()
    if isinstance(source, DATA) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"params must be a mapping or an iterable of pairs, not {kind}")
    return map(to_pair, cast("Iterable[object]", source))


def to_pair(pair: object) -> tuple[object, object]:
    if is_sequence(pair) and len(pair) == 2:
        return pair[0], pair[1]
    raise TypeError("params must be pairs of a name and a value")


def list_globs(patterns: object, argument: str) -> list[str]:
    """Return one or more patterns as a list; `argument` is their name in errors."""
    if isinstance(patterns, str):
        return [patterns]
    if isinstance(patterns, bytes) or not isinstance(patterns, Iterable):
        kind = type(patterns).__name__
        raise TypeError(f"{argument} must be a str or an iterable of str, not {kind}")
    globs = list(cast("Iterable[object]", patterns))
    for glob in globs:
        if not isinstance(glob, str):
            raise TypeError(f"{argument} must contain only str, not {type(glob).__name__}")
    return cast("list[str]", globs)


def matches_any_glob(name: str, patterns: list[str]) -> bool:
    """Return whether a pattern matches a name or equals it: the glob `a[0]` matches `a0`."""
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
