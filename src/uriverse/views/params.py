"""The parameters of a query, which can be edited without touching the octets of others.

`multidict` has the interface that people know, and this has its names for reading. It is
not built on it: that keeps decoded text only, so the octets of a query would be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from fnmatch import fnmatchcase
from itertools import chain, islice
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast, final, overload

from uriverse import _engine
from uriverse.errors import BuildError
from uriverse.redaction import without_passwords

from .decoding import Data, text_of

if TYPE_CHECKING:
    from typing import Self

    from uriverse.typing import ParamCodec, ParamSeparator

    from .pairs import Pairs
elif _engine.compiled:
    Pairs = _engine.kernel.Pairs
    _engine.reference_modules["pairs"] = f"{__package__}.pairs"
else:
    from .pairs import Pairs

T = TypeVar("T")

#: What is one value, though Python takes it for a row of things.
SCALARS = (str, bytes, bytearray, memoryview)

#: The first number of more digits than are written.
TOO_LARGE = 10**_engine.LONGEST_NUMBER

#: What a name or a value is, in a form that `isinstance` need not build first.
DATA = (str, bytes)

#: What is a row of values, and what has names. Asking an abstract class takes long, so the
#: usual ones stand first.
ROWS = (list, tuple, Sequence)
MAPPINGS = (dict, Mapping)

#: A parameter's name as data: text, or the octets of what is not UTF-8.
Name = Data

#: Its value: `None` where no "=" follows the name.
Value = Data | None

#: What can be written as a value: `None` for a name without "=".
Writable = str | bytes | int | float | None

#: What can be given for a name: a value, or one for each time that it is repeated.
Given = Writable | Sequence[Writable]

#: What names and what is given for them can be had from.
Source = Mapping[Any, Given] | Iterable[tuple[Name, Given]]


@final
class Params(Pairs, Mapping[Name, Value]):
    """A query as [parameters](https://url.spec.whatwg.org/#urlencoded-parsing), in their order.

    Immutable, and exact: its text stays the query that it was made of, and an edit gives
    another one in which only what was edited is written otherwise. Names and values are
    given decoded: `str`, or `bytes` for those that are not UTF-8. A value is `None` where no
    "=" follows the name, and `""` where nothing follows the "=".

    A name may be there many times. As in a `multidict`, `params[name]` is its first value and
    `getall` has all of them; iteration and `keys` give each name once; `len`, `values` and
    `items` count every parameter. Two are equal if they have the same names and values in
    the same order; to another mapping one is equal if no name is repeated, and it has the same.

    Args:
        query: the text of a query, without its "?"; `None` for none.
        codec: `"form"`, as browsers send forms: a space is written "+", all but letters,
            digits and `*-._` is percent-encoded; or `"rfc3986"`: "+" is a plus sign, and
            all but unreserved characters and `:@/?` is encoded.
        separator: what stands between two parameters, `"&"` or `";"`.

    Raises:
        ParseError: the text is no query.
        TypeError: it is no `str`.
        ValueError: there is no such codec or separator.

    >>> params = Params("a=1&b=x+y&b=%7Ez&c")
    >>> params["b"], params.getall("b"), params["c"]
    ('x y', ['x y', '~z'], None)
    >>> str(params.with_param("a", "1&2"))
    'a=1%262&b=x+y&b=%7Ez&c'
    """

    __slots__ = ()

    # --- reading

    def __getitem__(self, name: Name) -> Value:
        value = self._first(name, MISSING)
        if value is MISSING:
            raise KeyError(name)
        return value  # type: ignore[return-value]

    @overload
    def get(self, name: Name, /) -> Value: ...
    @overload
    def get(self, name: Name, /, default: Value) -> Value: ...
    @overload
    def get(self, name: Name, /, default: T) -> Value | T: ...
    def get(self, name: Name, /, default: object = None) -> object:
        """The first value of a name, or what is given for one that is not there.

        >>> Params("a=1&a=2").get("a"), Params("a").get("b", "")
        ('1', '')
        """
        return self._first(name, default)

    @overload
    def getall(self, name: Name) -> list[Value]: ...
    @overload
    def getall(self, name: Name, default: T) -> list[Value] | T: ...
    def getall(self, name: Name, default: object = ...) -> object:
        """All values of a name, in their order.

        Raises:
            KeyError: it is not there, and no default is given.

        >>> Params("a=1&b=2&a").getall("a")
        ['1', None]
        """
        values = self._values().get(exact_name(name))
        if values is not None:
            return list(values)
        if default is ...:
            raise KeyError(name)
        return default

    @overload
    def getone(self, name: Name) -> Value: ...
    @overload
    def getone(self, name: Name, default: T) -> Value | T: ...
    def getone(self, name: Name, default: object = ...) -> object:
        """The first value of a name, as a multidict has it.

        Raises:
            KeyError: it is not there, and no default is given.

        >>> Params("a=1&a=2").getone("a")
        '1'
        """
        return self[name] if default is ... else self._first(name, default)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, DATA) and self._first(name, MISSING) is not MISSING

    def __iter__(self) -> Iterator[Name]:
        return iter(dict.fromkeys(name for name, _ in self._pairs()))

    def __len__(self) -> int:
        return sum(map(bool, self._pieces()))

    def keys(self) -> KeysView[Name]:
        """The names in the order in which they first stand there, each once.

        >>> list(Params("a=1&b&a=2").keys())
        ['a', 'b']
        """
        return Keys(self)

    def items(self) -> ItemsView[Name, Value]:
        """The names and values, in their order.

        >>> list(Params("a=1&b&a=2").items())
        [('a', '1'), ('b', None), ('a', '2')]
        """
        return Items(self)

    def values(self) -> ValuesView[Value]:
        """The values, in their order.

        >>> list(Params("a=1&b&a=2").values())
        ['1', None, '2']
        """
        return Values(self)

    def read_as(
        self, *, codec: ParamCodec | None = None, separator: ParamSeparator | None = None
    ) -> Params:
        """The same text, read otherwise; what is not given stays.

        Raises:
            ValueError: there is no such codec or separator.

        >>> params = Params("a=1+2;b=3")
        >>> params["a"], params.read_as(codec="rfc3986", separator=";")["a"]
        ('1 2;b=3', '1+2')
        """
        chosen = Params(codec=codec or self.codec, separator=separator or self.separator)
        return chosen._with_query(self.query)

    # --- editing

    def with_param(self, name: Name, value: Given) -> Params:
        """Another in which a name has this value, or these, and no other.

        Values take the places of those that were there; those that are over are added
        behind the last, or at the end. Those that are the same stay as they are written.

        Args:
            name: text, or octets.
            value: `str` and `bytes` are encoded; an `int` is written in decimal digits, a
                `float` as `repr` has it, a `bool` as `true` or `false`; `None` gives a name
                without "="; of a sequence each is a value, and an empty one takes all away.

        Raises:
            BuildError: a text has a lone surrogate, or a number is not finite, or has more
                than 640 digits.
            TypeError: the name or the value is of another type.

        >>> str(Params("a=%7e&b=1&b=2").with_param("b", ["1", 3.5, True]))
        'a=%7e&b=1&b=3.5&b=true'
        """
        if type(name) is str and type(value) is str:
            return self._put(name, [value])
        return self._put(exact_name(name), texts_of(value))

    def add_param(self, name: Name, value: Given) -> Params:
        """Another with this value, or these, added at the end. See `with_param`.

        >>> str(Params("a=1").add_param("a", "2"))
        'a=1&a=2'
        """
        return self._joined(self._pieces(), self._written(exact_name(name), texts_of(value)))

    def without(self, *names: Name) -> Params:
        """Another without all parameters of these names.

        Where nothing is left, not even what is empty between separators, there is no query.

        >>> str(Params("a=1&b=%20&a=2").without("a"))
        'b=%20'
        """
        return self._changed({exact_name(name): [] for name in names})

    @overload
    def update(self, source: Mapping[Any, Given], /, **named: Given) -> Params: ...
    @overload
    def update(self, source: Iterable[tuple[Name, Given]] = ..., /, **named: Given) -> Params: ...
    def update(self, source: Source = (), /, **named: Given) -> Params:
        """Another in which each name that is given has what is given for it, and nothing else.

        Of pairs, those of one name are all its values. See `with_param`.

        >>> str(Params("a=1&b=2&c=3").update({"b": [4, 5]}, c=None, d="é"))
        'a=1&b=4&b=5&c&d=%C3%A9'
        """
        changes: dict[Name, list[Value]] = {}
        for name, given in pairs_of(source):
            changes.setdefault(exact_name(name), []).extend(texts_of(given))
        for text, given in named.items():
            changes[exact_name(text)] = texts_of(given)
        return self._changed(changes)

    def sorted(self) -> Params:
        """Another in the order of the names' octets; those of one name stay in theirs.

        What is empty between separators comes first.

        >>> str(Params("b=2&a=%7e&b=1").sorted())
        'a=%7e&b=2&b=1'
        """
        parts = sorted(self._parts(), key=lambda part: octets_of(part[1] or ""))
        return self._joined([piece for piece, _, _ in parts])

    def filter(self, *, keep: str | Iterable[str] = "*", drop: str | Iterable[str] = ()) -> Params:
        """Another with those parameters only whose names match.

        Args:
            keep: names or [globs][1] that are to stay, one or more; case counts.
            drop: names or globs that are not, even so.

        [1]: https://docs.python.org/3/library/fnmatch.html

        >>> params = Params("q=a+b&utm_source=x&utm_medium=y")
        >>> str(params.filter(drop="utm_*")), str(params.filter(keep=["q", "p"]))
        ('q=a+b', 'q=a+b')
        """
        kept, dropped = globs(keep), globs(drop)
        return self._joined(
            [
                piece
                for piece, name, _ in self._parts()
                if name is None or (matches_any(name, kept) and not matches_any(name, dropped))
            ]
        )

    # --- what every value can do

    def __str__(self) -> str:
        return self.query or ""

    def __repr__(self) -> str:
        codec = "" if self.codec == "form" else f", codec={self.codec!r}"
        separator = "" if self.separator == "&" else f", separator={self.separator!r}"
        query = self.query and without_passwords(f"?{self.query}", valid=True)[1:]
        return f"Params({query!r}{codec}{separator})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Params):
            return self._pairs() == other._pairs()
        if isinstance(other, MAPPINGS):
            theirs = cast("Mapping[object, object]", other)
            mine = dict(self._pairs())
            return len(self) == len(mine) and mine == dict(theirs)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._pairs()))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return read, (self.query, self.codec, self.separator)

    # --- how it is done

    def _parts(self) -> list[tuple[str, Name | None, Value]]:
        """What stands between the separators, with name and value; what is empty has none."""
        pairs = iter(self._pairs())
        found = ((piece, next(pairs) if piece else (None, None)) for piece in self._pieces())
        return [(piece, name, value) for piece, (name, value) in found]

    def _joined(self, pieces: list[str], added: Iterable[str] = ()) -> Params:
        """Another of these pieces; the first that is added fills an empty last one."""
        more = list(added)
        if more and pieces[-1:] == [""]:
            pieces = pieces[:-1]
        pieces = pieces + more
        return self._with_query(self.separator.join(pieces) if pieces else None)

    def _written(self, name: Name, values: Iterable[Value]) -> list[str]:
        """The pieces that give a name these values."""
        return self._with_query(None)._put(name, list(values))._pieces()

    def _changed(self, changes: dict[Name, list[Value]]) -> Params:
        """Another in which these names have these values."""
        if len(changes) <= FEW:
            edited = self
            # Those that are there come first, as they do below.
            for wanted in sorted(changes, key=lambda name: self._first(name, MISSING) is MISSING):
                edited = edited._put(wanted, changes[wanted])
            return edited
        left = {name: iter(values) for name, values in changes.items()}
        parts = self._parts()
        there = Counter(name for _, name, _ in parts)
        pieces: list[str] = []
        for piece, name, _ in parts:
            if name is None or name not in changes:
                pieces.append(piece)
                continue
            there[name] -= 1
            # The last of a name is followed by all values that are over.
            now = list(left[name] if there[name] == 0 else islice(left[name], 1))
            pieces += self._with_query(piece)._put(name, now)._pieces()
        added = chain.from_iterable(self._written(name, left[name]) for name in left)
        return self._joined(pieces, added)


#: How many names are edited one by one: for each the whole query is read.
FEW = 4


class Keys(KeysView[Name]):
    """Names, each once."""

    _mapping: Params

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Items(ItemsView[Name, Value]):
    """Names and values, with those of a name that is repeated."""

    _mapping: Params
    _found: frozenset[object] | None = None

    def __iter__(self) -> Iterator[tuple[Name, Value]]:
        return iter(self._mapping._pairs())

    def __contains__(self, item: object) -> bool:
        if self._found is None:
            self._found = frozenset(self._mapping._pairs())
        try:
            return item in self._found
        except TypeError:  # what can't be hashed is none
            return False


class Values(ValuesView[Value]):
    """Values, with those of a name that is repeated."""

    _mapping: Params

    def __iter__(self) -> Iterator[Value]:
        return iter([value for _, value in self._mapping._pairs()])

    def __contains__(self, value: object) -> bool:
        return value in list(self)


#: Stands for a name that is not there: a value can be anything else.
MISSING = object()


def read(query: str | None, codec: ParamCodec, separator: ParamSeparator) -> Params:
    """What pickling makes a value of."""
    return Params(query, codec=codec, separator=separator)


def exact_name(name: object) -> Name:
    """A name as data; the text, where its octets are UTF-8.

    Raises:
        TypeError: it is neither `str` nor `bytes`.
    """
    if isinstance(name, DATA):
        return exact_text(name)
    raise TypeError(f"a name is a str or bytes, not {type(name).__name__}")


def exact_text(data: str | bytes) -> str | bytes:
    """The exact `str` of data, or the octets of what is not UTF-8."""
    if type(data) is str:
        return data
    if isinstance(data, bytes):
        return text_of(bytes(memoryview(data)))
    # A subclass may print itself otherwise; its own characters count.
    return str.__str__(data)


def texts_of(given: object) -> list[Value]:
    """What is given for a name, as the values that are written."""
    return list(map(text_of_value, given)) if is_row(given) else [text_of_value(given)]


def is_row(given: object) -> TypeGuard[Sequence[object]]:
    """Whether something is a sequence of values, and none itself."""
    return isinstance(given, ROWS) and not isinstance(given, SCALARS)


def text_of_value(value: object) -> Value:
    """One value as it is written."""
    if value is None:
        return None
    if isinstance(value, DATA):
        return exact_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    # Subclasses may print themselves otherwise; their numbers count.
    if isinstance(value, int):
        if abs(value) < TOO_LARGE:
            return int.__repr__(value)
        reason = "so large a number is not written"
        raise BuildError("", 0, "query", "query", reason, "give its digits")
    if isinstance(value, float):
        if isfinite(value):
            return float.__repr__(value)
        text = float.__repr__(value)
        reason = f"{text} cannot be written as a number"
        raise BuildError(text, 0, "query", "query", reason, "give a str")
    kind = type(value).__name__
    raise TypeError(f"a value is a str, bytes, int, float, bool, None or a row of them, not {kind}")


def pairs_of(source: object) -> Iterable[tuple[object, object]]:
    """The names and what is given for them."""
    if isinstance(source, MAPPINGS):
        return cast("Mapping[object, object]", source).items()
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"parameters are given as a mapping or as pairs, not as {kind}")
    return map(as_pair, cast("Iterable[object]", source))


def as_pair(pair: object) -> tuple[object, object]:
    if is_row(pair) and len(pair) == 2:
        return pair[0], pair[1]
    raise TypeError("parameters are given as pairs of a name and a value")


def octets_of(name: Name) -> bytes:
    return name if isinstance(name, bytes) else name.encode()


def globs(given: str | Iterable[str]) -> list[str]:
    """One name or glob, or several."""
    if isinstance(given, bytes):
        raise TypeError("a glob is a str, not bytes")
    found = [given] if isinstance(given, str) else list(given)
    for glob in found:
        if not isinstance(glob, str):
            raise TypeError(f"a glob is a str, not {type(glob).__name__}")
    return found


def matches_any(name: Name, patterns: list[str]) -> bool:
    """Whether a name is one of these, or matches one as a glob."""
    text = name if isinstance(name, str) else name.decode(errors="surrogateescape")
    return any(text == pattern or fnmatchcase(text, pattern) for pattern in patterns)
