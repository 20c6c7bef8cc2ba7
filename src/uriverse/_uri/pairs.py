"""The base class of `Params`: finds, decodes and replaces parameters in a query.

It implements the form encoding of the [URL standard][1], but keeps the exact query, so that
parameters that are not edited do not change.

[1]: https://url.spec.whatwg.org/#application/x-www-form-urlencoded

The compiled kernel has the same class, to which `setup.py` copies the docstrings and annotations.
"""

from __future__ import annotations

import re
from collections.abc import ItemsView, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar, cast, overload

from uriverse._errors import BuildError, quoted
from uriverse._spec.grammar.params import SEPARATORS, WRITTEN
from uriverse._spec.percent import (
    encode_error,
    escaped_octets,
    invalid_escape,
    pct_decode,
)
from uriverse._spec.syntax import LONGEST_TEXT, matches

from .param_arguments import DATA, name_text, pairs_of, value_texts

if TYPE_CHECKING:
    from typing import Any, Self

    from uriverse.typing import ParamCodec, ParamName, ParamSeparator, ParamValues

T = TypeVar("T")

#: The number of lookups that search the query itself. Later lookups use a table of all names.
OFTEN = 8


class Pairs:
    """The base class of `Params`, which stores a query, its codec and its separator."""

    __slots__ = ("__weakref__", "_asked", "_codec", "_index", "_query", "_separator")

    if TYPE_CHECKING:
        _codec: ParamCodec
        _query: str | None
        _separator: ParamSeparator
        #: The number of lookups so far, and the table of all values by name once it is needed.
        _asked: int
        _index: dict[str, list[str]] | None

    def __new__(
        cls,
        query: str | None = None,
        /,
        *,
        codec: ParamCodec = "form",
        separator: ParamSeparator = "&",
    ) -> Self:
        if codec not in tuple(WRITTEN):  # the codec may not be hashable
            raise ValueError(f"codec must be one of {', '.join(WRITTEN)}, not {quoted(codec)}")
        if separator not in SEPARATORS:
            raise ValueError(
                f"separator must be one of {' '.join(SEPARATORS)}, not {quoted(separator)}"
            )
        if query is not None:
            query = as_query(query)
        return cls._made(query, codec, separator)

    # Errors about the arguments name the public class.
    __new__.__qualname__ = "Params"

    @classmethod
    def _made(cls, query: str | None, codec: ParamCodec, separator: ParamSeparator) -> Self:
        """Create an object for a string that is known to be a valid query."""
        self = object.__new__(cls)
        self._query, self._codec, self._separator = query, codec, separator
        self._asked, self._index = 0, None
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
    def codec(self) -> ParamCodec:
        """The encoding of names and values: `"form"`, in which "+" is a space, or `"rfc3986"`.

        >>> from uriverse import Params
        >>> Params("a=x+y").codec
        'form'
        """
        return self._codec

    @property
    def separator(self) -> ParamSeparator:
        """The separator between two parameters: `"&"` or `";"`.

        >>> from uriverse import Params
        >>> Params("a=1;b=2", separator=";").separator
        ';'
        """
        return self._separator

    def _with_query(self, query: str | None) -> Self:
        """Return a copy with the given valid query, and with the same codec and separator."""
        return self._made(query, self._codec, self._separator)

    def _pieces(self) -> list[str]:
        """Return the pieces of the query between separators, including empty pieces."""
        return [] if self._query is None else self._query.split(self._separator)

    def _pairs(self) -> list[tuple[str, str]]:
        """Return the decoded name and value of every parameter in the query."""
        return [pair(piece, self._codec) for piece in self._pieces() if piece]

    def _values(self) -> dict[str, list[str]]:
        """Return a table that maps each parameter name to the list of its values.

        The table is created on the first call. It makes it possible to look up many names in linear
        time.
        """
        if self._index is None:
            index: dict[str, list[str]] = {}
            for name, value in self._pairs():
                index.setdefault(name, []).append(value)
            # The first table is kept: another thread may be reading it.
            if self._index is None:
                self._index = index
        return self._index

    @overload
    def get(self, name: ParamName, /) -> str | None: ...
    @overload
    def get(self, name: ParamName, /, default: str) -> str: ...
    @overload
    def get(self, name: ParamName, /, default: T) -> str | T: ...
    def get(self, name: ParamName, /, default: object = None) -> object:
        """Return the first value of a parameter, or the default if the name is missing.

        Args:
            name: the name as data, `str` or `bytes`.
            default: the result for a missing name.

        Raises:
            TypeError: `name` is neither `str` nor `bytes`.

        >>> from uriverse import Params
        >>> Params("a=1&a=2").get("a"), Params("a").get("a"), Params("a").get("b")
        ('1', '', None)
        """
        wanted = octets_of(name)
        self._asked += 1
        if self._asked > OFTEN:
            values = None if wanted is None else self._values().get(data(wanted))
            return values[0] if values else default
        for piece in self._pieces():
            if wanted is not None and self._is(piece, wanted):
                return data(octets(piece.partition("=")[2], self._codec))
        return default

    @overload
    def getall(self, name: ParamName) -> list[str]: ...
    @overload
    def getall(self, name: ParamName, default: T) -> list[str] | T: ...
    def getall(self, name: ParamName, default: object = ...) -> object:
        """Return the values of all parameters with the given name, in order.

        Args:
            name: the name as data, `str` or `bytes`.
            default: the result for a missing name, instead of an error.

        Raises:
            KeyError: the name is missing, and no default is given.
            TypeError: `name` is neither `str` nor `bytes`.

        >>> from uriverse import Params
        >>> Params("a=1&b=2&a").getall("a")
        ['1', '']
        """
        values = self._values().get(name_text(name))
        if values is not None:
            return list(values)
        if default is ...:
            raise KeyError(name)
        return default

    def __getitem__(self, name: ParamName) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __len__(self) -> int:
        return sum(map(bool, self._pieces()))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, DATA) and self.get(name) is not None

    def items(self) -> ItemsView[str, str]:
        """Return the decoded names and values of all parameters, in order.

        >>> from uriverse import Params
        >>> list(Params("a=1&b&a=2").items())
        [('a', '1'), ('b', ''), ('a', '2')]
        """
        return Items(cast("Mapping[str, str]", self))

    def with_param(self, name: ParamName, value: ParamValues) -> Self:
        """Return a copy of the parameters with a name set to one or more values.

        New values replace the old values in place. Additional values follow the last parameter of
        the name; a new name follows the last parameter of the query. A parameter that already has
        the right value stays exactly as written.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; an empty sequence removes the name. `str` and
                `bytes` are encoded. Numbers are written in decimal: an `int`, and any object with
                `__index__`, in digits, a `float` as by `repr`, a `Decimal` as by `str`. A `UUID` is
                written as by `str`, dates and times as by `isoformat`, and a member of an `IntEnum`
                or a `StrEnum` as its value. `None` writes the name without "=".

        Raises:
            BuildError: a string has surrogates that decoding would not restore (see
                `percent.encode`), a number is not finite or has more than 640 digits, or the name
                is empty and its value is `None`.
            TypeError: the name or a value has an unsupported type. A `bool` is rejected, because
                programs write it in different ways: pass `"true"` or `1`, for example.

        >>> from uriverse import Params
        >>> str(Params("a=%7e&b=1&b=2").with_param("b", ["1", 3.5, None]))
        'a=%7e&b=1&b=3.5&b'
        >>> from datetime import date
        >>> str(Params().with_param("since", date(2026, 1, 31)))
        'since=2026-01-31'
        """
        text = name_text(name)
        values = value_texts(value, text)
        wanted = octets_to_write(text)
        given: list[bytes | None] = []
        for each in values:
            if each is None and not wanted:
                piece_of("", None)
            given.append(None if each is None else octets_to_write(each))
        found = self._pieces()
        there = sum(self._is(piece, wanted) for piece in found)
        pieces: list[str] = []
        taken = 0
        for piece in found:
            if not self._is(piece, wanted):
                pieces.append(piece)
                continue
            there -= 1
            # All values that remain follow the last parameter of the name.
            now = given[taken:] if there == 0 else given[taken : taken + 1]
            taken += len(now)
            as_written, equals, old = piece.partition("=")
            # A piece without "=" has the value None when it is written, and "" when it is read.
            # Either value leaves the piece as it is.
            has = [octets(old, self._codec), *([] if equals else [None])]
            same = [piece] if now and now[0] in has else []
            pieces += same + [self._piece(as_written, new) for new in now[len(same) :]]
        left = given[taken:]
        if left and pieces[-1:] == [""]:
            pieces.pop()  # If the query ends with a separator, write the first new piece after it.
        pieces += [self._piece(written(text, self._codec), new) for new in left]
        return self._of_pieces(pieces)

    def add_param(self, name: ParamName, value: ParamValues) -> Self:
        """Return a copy with new parameters at the end, one for each given value.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; see `with_param`.

        Raises:
            BuildError: the name or a value cannot be encoded; see `with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> from uriverse import Params
        >>> str(Params("a=1").add_param("a", "2"))
        'a=1&a=2'
        """
        pieces, added = self._pieces(), self._written(name, value)
        if added and pieces[-1:] == [""]:
            pieces.pop()  # If the query ends with a separator, write the first new piece after it.
        return self._of_pieces(pieces + added)

    def _remove(self, names: tuple[object, ...]) -> Self:
        """Return a copy of the parameters without those that have one of the given names."""
        removed = {octets_of(name) for name in names} - {None}
        return self._of_pieces(
            [
                piece
                for piece in self._pieces()
                if not piece or octets(piece.partition("=")[0], self._codec) not in removed
            ]
        )

    def _build(self, source: object) -> Self:
        """Return parameters with the names and values of a mapping or of pairs, in order.

        The codec and the separator are those of this object.
        """
        pieces: list[str] = []
        for name, value in pairs_of(source):
            pieces += self._written(name, value)
        return self._of_pieces(pieces)

    def _of_pieces(self, pieces: list[str]) -> Self:
        return self._with_query(self._separator.join(pieces) if pieces else None)

    def _written(self, name: object, value: object) -> list[str]:
        """Encode a name with each of its values, and return strings such as `a=1`."""
        text = name_text(name)
        values = value_texts(value, text)
        codec = self._codec
        encoded = written(text, codec)
        return [
            piece_of(encoded, None) if each is None else f"{encoded}={written(each, codec)}"
            for each in values
        ]

    def _is(self, piece: str, name: bytes) -> bool:
        """Return True if a piece of the query is a parameter with this name."""
        return piece != "" and octets(piece.partition("=")[0], self._codec) == name

    def _piece(self, name: str, value: bytes | None) -> str:
        return piece_of(name, None if value is None else written(value, self._codec))


class Items(ItemsView[str, str]):
    """The object that `Params.items` returns, with the names and values of all parameters."""

    _mapping: Any
    _found: frozenset[object] | None = None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._mapping._pairs())

    def __contains__(self, item: object) -> bool:
        if self._found is None:
            self._found = frozenset(self._mapping._pairs())
        try:
            return item in self._found
        except TypeError:  # An object that cannot be hashed is not a pair of strings.
            return False


def as_query(query: object) -> str:
    """Validate a query, and return it as a plain `str`, not a subclass.

    Raises:
        ParseError: `query` is not a valid query.
        TypeError: `query` is not a `str`.
    """
    if not isinstance(query, str):
        raise TypeError(f"query must be a str, not {type(query).__name__}")
    exact = str.__str__(query)
    if len(exact) > LONGEST_TEXT or not matches(exact, "iquery"):
        from uriverse._spec.messages import component_error  # needed for errors only

        raise component_error(exact, "query", "iquery")
    return exact


def octets_of(name: object) -> bytes | None:
    """Convert the name of a parameter to bytes; return `None` if the name cannot be encoded.

    A name cannot be encoded if it has surrogates that decoding the bytes would not restore.

    Raises:
        TypeError: `name` is neither `str` nor `bytes`.
    """
    if isinstance(name, bytes):
        return bytes(memoryview(name))
    if not isinstance(name, str):
        raise TypeError(f"parameter name must be a str or bytes, not {type(name).__name__}")
    exact = str.__str__(name)
    try:
        return exact.encode()
    except UnicodeEncodeError:  # the string has surrogates
        return escaped_octets(exact) if invalid_escape(exact) < 0 else None


def octets_to_write(data: str | bytes) -> bytes:
    """Convert the name or the value of a parameter to bytes, ready for percent-encoding.

    Raises:
        BuildError: the string has surrogates that decoding the bytes would not restore.
    """
    found = octets_of(data)
    if found is None:
        raise encode_error(str.__str__(cast("str", data)), "query", "query")
    return found


def piece_of(name: str, value: str | None) -> str:
    """Join an encoded name and an encoded value into one parameter, such as `a=1`.

    If the value is `None`, the parameter is written without "=".

    Raises:
        BuildError: the name is empty and the value is `None`.
    """
    if value is not None:
        return f"{name}={value}"
    if not name:
        reason, hint = "empty parameter: both name and value are missing", 'pass "" as the value'
        raise BuildError("", 0, "query", "query", reason, hint)
    return name


def pair(piece: str, codec: ParamCodec) -> tuple[str, str]:
    """Return the decoded name and value of a parameter; without "=", the value is `""`."""
    name, _, value = piece.partition("=")
    return data(octets(name, codec)), data(octets(value, codec))


def octets(text: str, codec: ParamCodec) -> bytes:
    """Decode a name or a value to bytes."""
    return pct_decode(text.replace("+", " ") if codec == "form" else text)


def data(found: bytes) -> str:
    """Decode bytes as UTF-8; bytes that are not valid UTF-8 become surrogate escapes."""
    return found.decode(errors="surrogateescape")


def written(text: str | bytes, codec: ParamCodec) -> str:
    """Encode a name or a value as the codec requires."""
    if isinstance(text, str) and is_unchanged[codec](text):
        return text
    return "".join(map(ENCODED[codec].__getitem__, octets_to_write(text)))


def encoded_octet(octet: int, codec: str) -> str:
    """Return an octet as the codec writes it."""
    if chr(octet) in WRITTEN[codec]:
        return chr(octet)
    return "+" if chr(octet) == " " and codec == "form" else f"%{octet:02X}"


#: For each codec, the encoded form of each octet.
ENCODED = {codec: [encoded_octet(octet, codec) for octet in range(256)] for codec in WRITTEN}
#: For each codec, a function that matches the strings that encoding does not change.
is_unchanged = {
    codec: re.compile(f"[{re.escape(kept)}]*+").fullmatch for codec, kept in WRITTEN.items()
}
