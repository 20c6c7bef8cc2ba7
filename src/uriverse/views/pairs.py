"""A query read as parameters, as HTML forms write them.

By the [URL standard, 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded), but
that no octet is lost: a parameter is found, read and exchanged where it stands.

The compiled kernel has the same class, under the same names and with the same docstrings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeVar, cast, get_args

from uriverse._grammar.params import SEPARATORS, WRITTEN
from uriverse._spec.percent import (
    encode_error,
    escaped_octets,
    invalid_escape,
    pct_decode,
    pct_encode,
)
from uriverse._spec.syntax import LONGEST_TEXT, matches
from uriverse.errors import BuildError
from uriverse.typing import ParamCodec, ParamSeparator

T = TypeVar("T")

#: How often a name is looked for in the text before all are put into a table.
OFTEN = 8


class Pairs:
    """A query and how it is read; what `Params` is built on."""

    __slots__ = ("__weakref__", "_asked", "_codec", "_index", "_query", "_separator")

    _codec: ParamCodec
    _query: str | None
    _separator: ParamSeparator
    #: How often a name was looked for, and all values by name once that was often.
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
        if codec not in get_args(ParamCodec):
            raise ValueError(f"codec must be one of {', '.join(WRITTEN)}, not {codec!r}")
        if separator not in get_args(ParamSeparator):
            raise ValueError(f"separator must be one of {' '.join(SEPARATORS)}, not {separator!r}")
        if query is not None:
            query = as_query(query)
        return cls._made(query, codec, separator)

    @classmethod
    def _made(cls, query: str | None, codec: ParamCodec, separator: ParamSeparator) -> Self:
        """Those of a text that is known to be a query."""
        self = object.__new__(cls)
        self._query, self._codec, self._separator = query, codec, separator
        self._asked, self._index = 0, None
        return self

    @property
    def query(self) -> str | None:
        """The query, exactly; `None` without one, `""` if it is empty."""
        return self._query

    @property
    def codec(self) -> ParamCodec:
        """How data is written in it: `"form"`, where a space is "+", or `"rfc3986"`."""
        return self._codec

    @property
    def separator(self) -> ParamSeparator:
        """What stands between two parameters: `"&"` or `";"`."""
        return self._separator

    def _with_query(self, query: str | None) -> Self:
        """Those of another text that is known to be a query, read as this is."""
        return self._made(query, self._codec, self._separator)

    def _pieces(self) -> list[str]:
        """What stands between the separators, the empty ones too."""
        return [] if self._query is None else self._query.split(self._separator)

    def _pairs(self) -> list[tuple[str, str]]:
        """The names and values, decoded; an empty piece is no parameter."""
        return [pair(piece, self._codec) for piece in self._pieces() if piece]

    def _first(self, name: object, missing: T) -> str | T:
        """The value of the first parameter of that name."""
        wanted = octets_of(name)
        self._asked += 1
        if self._asked > OFTEN:
            values = None if wanted is None else self._values().get(data(wanted))
            return values[0] if values else missing
        for piece in self._pieces():
            found, _, value = piece.partition("=")
            if piece and octets(found, self._codec) == wanted:
                return data(octets(value, self._codec))
        return missing

    def _values(self) -> dict[str, list[str]]:
        """All values by name; kept, so that many names are looked for in linear time."""
        if self._index is None:
            index: dict[str, list[str]] = {}
            for name, value in self._pairs():
                index.setdefault(name, []).append(value)
            # The first table is kept: another thread may be reading it.
            if self._index is None:
                self._index = index
        return self._index

    def _put(self, name: str | bytes, values: Sequence[str | bytes | None]) -> Self:
        """With these values for a name, and no others; `None` is written without "=".

        Raises:
            BuildError: no octets decode to a name or a value, or an empty name would have no
                value.
        """
        wanted = octets_to_write(name)
        given: list[bytes | None] = []
        for value in values:
            if value is None and not wanted:
                piece_of("", None)
            given.append(None if value is None else octets_to_write(value))
        found = self._pieces()
        there = sum(self._is(piece, wanted) for piece in found)
        pieces: list[str] = []
        taken = 0
        for piece in found:
            if not self._is(piece, wanted):
                pieces.append(piece)
                continue
            there -= 1
            # The last of a name is followed by all values that are over.
            now = given[taken:] if there == 0 else given[taken : taken + 1]
            taken += len(now)
            name_text, equals, text = piece.partition("=")
            # Without "=" a piece has the value None, and "" as well, which is how it is read.
            has = [octets(text, self._codec), *([] if equals else [None])]
            same = [piece] if now and now[0] in has else []
            pieces += same + [self._piece(name_text, value) for value in now[len(same) :]]
        left = given[taken:]
        if left and pieces[-1:] == [""]:
            pieces.pop()  # An empty last piece is filled: no octet of it is lost.
        pieces += [self._piece(written(name, self._codec), value) for value in left]
        return self._with_query(self._separator.join(pieces) if pieces else None)

    def _is(self, piece: str, name: bytes) -> bool:
        """Whether a piece is a parameter of that name."""
        return piece != "" and octets(piece.partition("=")[0], self._codec) == name

    def _piece(self, name: str, value: bytes | None) -> str:
        return piece_of(name, None if value is None else written(value, self._codec))


def as_query(query: object) -> str:
    """The exact `str` of a text that is a query.

    Raises:
        ParseError: it is none.
        TypeError: it is no `str`.
    """
    if not isinstance(query, str):
        raise TypeError(f"a query must be a str, not {type(query).__name__}")
    exact = str.__str__(query)
    if len(exact) > LONGEST_TEXT or not matches(exact, "iquery"):
        from uriverse._spec.messages import component_error  # needed for errors only

        raise component_error(exact, "query", "iquery")
    return exact


def octets_of(name: object) -> bytes | None:
    """The octets that a name stands for; `None` if no octets decode to it.

    Raises:
        TypeError: it is neither `str` nor `bytes`.
    """
    if isinstance(name, bytes):
        return bytes(memoryview(name))
    if not isinstance(name, str):
        raise TypeError(f"a name must be a str or bytes, not {type(name).__name__}")
    exact = str.__str__(name)
    return escaped_octets(exact) if invalid_escape(exact) < 0 else None


def octets_to_write(data: str | bytes) -> bytes:
    """The octets of a name or a value.

    Raises:
        BuildError: no octets decode to it.
    """
    found = octets_of(data)
    if found is None:
        raise encode_error(str.__str__(cast("str", data)), "query", "query")
    return found


def piece_of(name: str, value: str | None) -> str:
    """A parameter of a name and a value, which are encoded already.

    Raises:
        BuildError: nothing would be written, which is no parameter.
    """
    if value is not None:
        return f"{name}={value}"
    if not name:
        reason, hint = "empty parameter: both name and value are missing", 'pass "" as the value'
        raise BuildError("", 0, "query", "query", reason, hint)
    return name


def pair(piece: str, codec: ParamCodec) -> tuple[str, str]:
    """A parameter's name and value, decoded; without "=" the value is empty."""
    name, _, value = piece.partition("=")
    return data(octets(name, codec)), data(octets(value, codec))


def octets(text: str, codec: ParamCodec) -> bytes:
    """The octets that a name or a value stands for."""
    return pct_decode(text.replace("+", " ") if codec == "form" else text)


def data(found: bytes) -> str:
    """The string that octets are in UTF-8; those that are not become surrogate escapes."""
    return found.decode(errors="surrogateescape")


def written(text: str | bytes, codec: ParamCodec) -> str:
    """Data as it stands in a parameter."""
    stays = frozenset(WRITTEN[codec].encode())
    encoded = "".join(
        chr(octet) if octet in stays else pct_encode(bytes([octet]))
        for octet in octets_to_write(text)
    )
    return encoded.replace("%20", "+") if codec == "form" else encoded
