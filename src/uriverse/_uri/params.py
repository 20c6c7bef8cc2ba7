"""The parameters of a query, with the method names of `multidict`, which loses the exact query."""

from __future__ import annotations

from collections import Counter
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import islice
from typing import TYPE_CHECKING, final, overload

from uriverse._engine import compiled, kernel, use_compiled
from uriverse._redaction import redact_component
from uriverse._spec.percent import encode_escapes
from uriverse._uri.foreign_names import ParamsNames

from . import engine as _engine
from .pairs import (
    Pairs,
    append_pieces,
    convert_name,
    convert_values,
    iterate_pairs,
    list_globs,
    matches_any_glob,
)

if TYPE_CHECKING:
    from typing import Any, Literal, Self, TypeVar

    from uriverse.typing import ParamSource, ParamValues

    from .pairs import ParamCodec, ParamSeparator

    T = TypeVar("T")

if not TYPE_CHECKING and compiled:
    Pairs = kernel.Pairs
    ItemsView.register(kernel.Items)


@final
class Params(Pairs, Mapping[str, str], ParamsNames):
    """The parameters of a query, in order: a read-only mapping of names to values.

    Names and values are percent-decoded strings. Bytes that are not valid UTF-8 become surrogate
    escapes, as in `os.fsdecode`. A parameter without "=" has the value `""`; `raw_items`
    distinguishes `a` from `a=`.

    `Params` are immutable and lossless. `query` is the exact query, and methods that edit it return
    new `Params`, in which only the named parameters differ.

    A name may occur more than once. As in a `multidict`, `params[name]` is its first value, and
    `getall` returns all values. Iteration and `keys` yield each name once, while `len`, `values`
    and `items` count every parameter.

    Two `Params` are equal if they have the same names and values in the same order, however they
    are encoded: `a` equals `a=`, and `%7E` equals `~`. `Params` equal no other mapping, because a
    `dict` has no order; compare `dict(params)` or `params.items()` instead.

    Args:
        query: a query without its "?"; `None` for no query, `""` for an empty one.
        codec: how names and values are encoded. `"form"` is the encoding of [HTML forms][1]: "+" is
            a space, and all characters except letters, digits and `*-._` are percent-encoded.
            `"rfc3986"` is plain percent-encoding: "+" is a plus sign, and all characters except
            letters, digits and `-._~:@/?` are percent-encoded.
        separator: the separator between parameters, `"&"` or `";"`.

    [1]: https://url.spec.whatwg.org/#application/x-www-form-urlencoded

    Raises:
        ParseError: `query` is not a valid query.
        TypeError: `query` is neither a `str` nor `None`.
        ValueError: the codec or the separator is unknown.

    >>> params = Params("a=1&b=x+y&b=%7Ez&c")
    >>> params["b"], params.getall("b"), params["c"]
    ('x y', ['x y', '~z'], '')
    >>> str(params.with_param("a", "1&2"))
    'a=1%262&b=x+y&b=%7Ez&c'
    """

    __module__ = "uriverse"

    __slots__ = ()

    @overload
    @classmethod
    def build(
        cls,
        source: Mapping[Any, ParamValues],
        /,
        *,
        codec: Literal["form", "rfc3986"] = ...,
        separator: Literal["&", ";"] = ...,
    ) -> Params: ...
    @overload
    @classmethod
    def build(
        cls,
        source: Iterable[tuple[str | bytes, ParamValues]],
        /,
        *,
        codec: Literal["form", "rfc3986"] = ...,
        separator: Literal["&", ";"] = ...,
    ) -> Params: ...
    @classmethod
    def build(
        cls,
        source: ParamSource,
        /,
        *,
        codec: Literal["form", "rfc3986"] = "form",
        separator: Literal["&", ";"] = "&",
    ) -> Params:
        """Build the parameters of a query from names and values, in the given order.

        Args:
            source: names and values as data, in a mapping or in pairs; see `with_param`. A sequence
                of values repeats the name. A parameter without "=" in `Params` is written without
                "=".
            codec: how names and values are encoded, `"form"` or `"rfc3986"`.
            separator: the separator between parameters, `"&"` or `";"`.

        Returns:
            The parameters; without any, their query is `None`.

        Raises:
            BuildError: a name or a value cannot be encoded; see `with_param`.
            TypeError: `source`, a name or a value has an unsupported type.
            ValueError: the codec or the separator is unknown.

        >>> str(Params.build({"q": "a b", "page": 2, "tag": ["x", "y"]}))
        'q=a+b&page=2&tag=x&tag=y'
        >>> str(Params.build([("a", 1), ("b", None), ("a", 3)]))
        'a=1&b&a=3'
        """
        empty = cls(codec=codec, separator=separator)
        return empty._build(list_optional_items(source) if isinstance(source, Params) else source)

    # --- reading

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self._decode_pairs()))

    @overload  # type: ignore[override]  # the base class has no overloads
    def get(self, name: str | bytes, /) -> str | None: ...
    @overload
    def get(self, name: str | bytes, /, default: str) -> str: ...
    @overload
    def get(self, name: str | bytes, /, default: T) -> str | T: ...
    @use_compiled("Pairs")
    def get(self, name: str | bytes, /, default: object = None) -> object:
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
        return super().get(name, default)

    @overload  # type: ignore[override]  # the base class has no overloads
    def getall(self, name: str | bytes) -> list[str]: ...
    @overload
    def getall(self, name: str | bytes, default: T) -> list[str] | T: ...
    @use_compiled("Pairs")
    def getall(self, name: str | bytes, default: object = ...) -> object:
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
        return super().getall(name, default)

    @use_compiled("Pairs")
    def items(self) -> ItemsView[str, str]:
        """Return the decoded names and values of all parameters, in order.

        >>> from uriverse import Params
        >>> list(Params("a=1&b&a=2").items())
        [('a', '1'), ('b', ''), ('a', '2')]
        """
        return super().items()

    @use_compiled("Pairs")
    def with_param(self, name: str | bytes, value: ParamValues) -> Params:
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
        return super().with_param(name, value)

    @use_compiled("Pairs")
    def add_param(self, name: str | bytes, value: ParamValues) -> Params:
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
        return super().add_param(name, value)

    def keys(self) -> KeysView[str]:
        """Return the distinct names of the parameters, in the order in which they first occur.

        >>> list(Params("a=1&b&a=2").keys())
        ['a', 'b']
        """
        return Keys(self)

    def values(self) -> ValuesView[str]:
        """Return the decoded values of all parameters, in order.

        >>> list(Params("a=1&b&a=2").values())
        ['1', '', '2']
        """
        return Values(self)

    def raw_items(self) -> tuple[tuple[str, str | None], ...]:
        """Return the names and values of all parameters as written, without percent-decoding.

        The value of a parameter without "=" is `None`.

        >>> Params("a=%7E&b&&b=").raw_items()
        (('a', '%7E'), ('b', None), ('b', ''))
        """
        parts = (piece.partition("=") for piece in self._split_pieces() if piece)
        return tuple((name, value if equals else None) for name, equals, value in parts)

    def with_codec(
        self,
        codec: Literal["form", "rfc3986"] | None = None,
        *,
        separator: Literal["&", ";"] | None = None,
    ) -> Params:
        """Parse the query again with a different codec or separator, and return its parameters.

        Args:
            codec: `"form"` or `"rfc3986"`; `None` to keep the codec.
            separator: `"&"` or `";"`; `None` to keep the separator.

        Raises:
            ValueError: the codec or the separator is unknown.

        >>> params = Params("a=1+2;b=3")
        >>> params["a"], params.with_codec(codec="rfc3986", separator=";")["a"]
        ('1 2;b=3', '1+2')
        """
        chosen = Params(
            codec=self.codec if codec is None else codec,
            separator=self.separator if separator is None else separator,
        )
        return chosen._with_query(self.query)

    # --- editing

    def without(self, *names: str | bytes) -> Params:
        """Return a copy without the parameters that have one of these names.

        If nothing remains, the query of the result is `None`. An empty piece, as between the two
        separators in `a&&b`, is not a parameter and remains.

        Args:
            names: the names as data, `str` or `bytes`; names that are missing are ignored.

        Raises:
            TypeError: a name is neither `str` nor `bytes`.

        >>> str(Params("a=1&b=%20&a=2").without("a"))
        'b=%20'
        """
        return self._remove(names)

    @overload
    def updated(self, source: Mapping[Any, ParamValues], /, **named: ParamValues) -> Params: ...
    @overload
    def updated(
        self, source: Iterable[tuple[str | bytes, ParamValues]] = ..., /, **named: ParamValues
    ) -> Params: ...
    def updated(self, source: ParamSource = (), /, **named: ParamValues) -> Params:
        """Return a copy of the parameters in which the given names have new values.

        The new values replace all old values of a name. A name that is missing is added.

        Args:
            source: names and values, in a mapping or in pairs. Values of pairs with the same name
                are combined. A parameter without "=" in `Params` is written without "=".
            named: more names and values; they override those of the same name in `source`.

        Raises:
            BuildError: a name or a value cannot be encoded; see `with_param`.
            TypeError: `source`, a name or a value has an unsupported type.

        >>> str(Params("a=1&b=2&c=3").updated({"b": [4, 5]}, c=None, d="é"))
        'a=1&b=4&b=5&c&d=%C3%A9'
        """
        changes: dict[str, list[str | None]] = {}
        pairs = list_optional_items(source) if isinstance(source, Params) else iterate_pairs(source)
        for key, values in pairs:
            name = convert_name(key)
            changes.setdefault(name, []).extend(convert_values(values, name))
        for key, values in named.items():
            name = convert_name(key)
            changes[name] = convert_values(values, name)
        return self._set_values(changes)

    def sorted(self) -> Params:
        """Return a copy of the parameters, sorted by name; equal names keep their order.

        Names are compared byte by byte, in UTF-8. Empty pieces between separators come first.

        >>> str(Params("b=2&a=%7e&b=1").sorted())
        'a=%7e&b=2&b=1'
        """
        parts = sorted(self._list_named_pieces(), key=lambda part: encode_escapes(part[1] or ""))
        return self._join_pieces([piece for piece, _ in parts])

    def filter(self, *, keep: str | Iterable[str] = "*", drop: str | Iterable[str] = ()) -> Params:
        """Return a copy with only the parameters whose names match a pattern.

        Args:
            keep: one or more names or [globs][1] to keep. Matching is case-sensitive.
            drop: one or more names or globs to remove, even if they match `keep`.

        [1]: https://docs.python.org/3/library/fnmatch.html

        Raises:
            TypeError: `keep` or `drop` is neither a `str` nor an iterable of `str`.

        >>> params = Params("q=a+b&utm_source=x&utm_medium=y")
        >>> str(params.filter(drop="utm_*")), str(params.filter(keep=["q", "p"]))
        ('q=a+b', 'q=a+b')
        """
        wanted_globs, unwanted_globs = list_globs(keep, "keep"), list_globs(drop, "drop")

        def is_kept(name: str) -> bool:
            is_wanted = matches_any_glob(name, wanted_globs)
            return is_wanted and not matches_any_glob(name, unwanted_globs)

        pieces = self._list_named_pieces()
        return self._join_pieces([p for p, name in pieces if name is None or is_kept(name)])

    # --- special methods

    def __str__(self) -> str:
        return self.query or ""

    def __repr__(self) -> str:
        codec = "" if self.codec == "form" else f", codec={self.codec!r}"
        separator = "" if self.separator == "&" else f", separator={self.separator!r}"
        query = self.query and redact_component("query", self.query)
        return f"Params({query!r}{codec}{separator})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Params):
            return NotImplemented
        return self._decode_pairs() == other._decode_pairs()

    def __hash__(self) -> int:
        return hash(tuple(self._decode_pairs()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return restore_params, (self.query, self.codec, self.separator)

    # --- implementation

    def _list_named_pieces(self) -> list[tuple[str, str | None]]:
        """Return the pieces of the query with their decoded names; `None` for an empty piece."""
        pairs = iter(self._decode_pairs())
        return [(piece, next(pairs)[0] if piece else None) for piece in self._split_pieces()]

    def _join_pieces(self, pieces: list[str]) -> Params:
        return self._with_query(self.separator.join(pieces) if pieces else None)

    def _set_values(self, changes: dict[str, list[str | None]]) -> Params:
        """Return a copy in which new values replace all old values of some names."""
        if len(changes) <= FEW:
            params = self
            # Edit existing names first, as the code below does.
            for name in sorted(changes, key=lambda name: name not in self):
                params = params.with_param(name, changes[name])
            return params
        # Each iterator yields the values of a name that are not in `pieces` yet.
        new_values = {name: iter(values) for name, values in changes.items()}
        named_pieces = self._list_named_pieces()
        old_counts = Counter(name for _, name in named_pieces)
        pieces: list[str] = []
        for piece, piece_name in named_pieces:
            if piece_name is None or piece_name not in changes:
                pieces.append(piece)
                continue
            old_counts[piece_name] -= 1
            # Each old parameter takes one new value, and the last one takes all that remain.
            replacement_count = 1 if old_counts[piece_name] else None
            values = list(islice(new_values[piece_name], replacement_count))
            pieces += self._with_query(piece).with_param(piece_name, values)._split_pieces()
        more_params = self._build([(name, list(values)) for name, values in new_values.items()])
        return self._join_pieces(append_pieces(pieces, more_params._split_pieces()))


#: The largest number of names that are edited one by one. Each such edit parses the whole query.
FEW = 4


class Keys(KeysView[str]):
    """The set-like object that `Params.keys` returns, with each parameter name once."""

    _mapping: Params

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Values(ValuesView[str]):
    """The object that `Params.values` returns, with the values of all parameters."""

    _mapping: Params

    def __iter__(self) -> Iterator[str]:
        return iter([value for _, value in self._mapping._decode_pairs()])

    def __contains__(self, value: object) -> bool:
        return value in list(self)


def restore_params(query: str | None, codec: ParamCodec, separator: ParamSeparator) -> Params:
    return Params(query, codec=codec, separator=separator)


def list_optional_items(params: Params) -> list[tuple[str, str | None]]:
    """Return the decoded names and values; the value of a parameter without "=" is `None`."""
    raw_items = params.raw_items()
    return [
        (name, None if raw_value is None else value)
        for (name, value), (_, raw_value) in zip(params._decode_pairs(), raw_items, strict=True)
    ]


_engine.register_view(Params)
