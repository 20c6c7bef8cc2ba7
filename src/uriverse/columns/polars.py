"""The namespace `uri` of Polars: what `uriverse.columns` does, for expressions and Series.

To import this module is to register it. All functions work row by row, and say before they run
what they give: lazy frames know their schemas, and the streaming engine runs them in batches.

>>> import polars as pl
>>> import uriverse.columns.polars
>>> frame = pl.LazyFrame({"url": ["http://example.org/a", "http://a b", None]})
>>> frame.select(pl.col("url").uri.host()).collect().to_series().to_list()
['example.org', None, None]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

try:
    import polars as pl
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"uriverse.columns.polars needs {missing.name}: pip install 'uriverse[polars]'",
        name=missing.name,
    ) from missing

from uriverse import columns
from uriverse.schemes.registry import Registry
from uriverse.typing import Component, DecodeErrors, DotSegments, Field, Grammar

from . import FIELDS, Array

if TYPE_CHECKING:
    from uriverse.typing import HostForm, Level

__all__ = ["URINamespace"]

#: What the namespace is of, and what its methods give.
Column = TypeVar("Column", bound=pl.Expr | pl.Series)


@pl.api.register_series_namespace("uri")
@pl.api.register_expr_namespace("uri")
class URINamespace(Generic[Column]):
    """What `pl.col("url").uri` and `series.uri` are: the functions of `uriverse.columns`.

    Each method is the function of the same name, and takes what that takes. Texts are `String`,
    `Categorical` or `Enum`; what comes back has the name of the column. What a method is told
    wrong, it refuses at once; a column that is no text, when the query runs.

    Args:
        column: texts. Type checkers do not know of `.uri`, but of `URINamespace(column)`.

    >>> URINamespace(pl.Series(["http://example.org/"])).host().to_list()
    ['example.org']
    """

    def __init__(self, column: Column) -> None:
        self._column: Column = column

    def parse(
        self,
        grammar: Grammar = "iri-reference",
        *,
        fields: tuple[Field, ...] | list[Field] = FIELDS,
    ) -> Column:
        """`uriverse.columns.parse`: a `Struct`; `.struct.unnest()` makes columns of it.

        >>> parsed = pl.Series("url", ["http://a:80/?", "http://a b/"]).uri.parse()
        >>> parsed.struct.unnest().select("host", "query", "error").rows()
        [('a', '', None), (None, None, 'host')]
        """
        return self._each(lambda texts: columns.parse(texts, grammar, fields=fields))

    def is_valid(self, grammar: Grammar = "iri-reference") -> Column:
        """`uriverse.columns.is_valid`: `Boolean`.

        >>> pl.Series(["a", "a b", None]).uri.is_valid().to_list()
        [True, False, None]
        """
        return self._each(lambda texts: columns.is_valid(texts, grammar))

    def host(self) -> Column:
        """`uriverse.columns.host`: `String`.

        >>> pl.Series(["http://[::1]/", "file:///", "a"]).uri.host().to_list()
        ['[::1]', '', None]
        """
        return self._each(columns.host)

    def hostname(self) -> Column:
        """`uriverse.columns.hostname`: `String`.

        >>> pl.Series(["http://[::A]/", "http://Example.ORG"]).uri.hostname().to_list()
        ['::a', 'example.org']
        """
        return self._each(columns.hostname)

    def port(self) -> Column:
        """`uriverse.columns.port`: `Int64`.

        >>> pl.Series(["http://a:080/", "http://a/"]).uri.port().to_list()
        [80, None]
        """
        return self._each(columns.port)

    def origin(self) -> Column:
        """`uriverse.columns.origin`: `String`.

        >>> pl.Series(["HTTPS://me@A.example:443/b", "urn:a:b"]).uri.origin().to_list()
        ['https://a.example', None]
        """
        return self._each(columns.origin)

    def reversed_host(self) -> Column:
        """`uriverse.columns.reversed_host`: `String`.

        >>> pl.Series(["http://www.Example.org/"]).uri.reversed_host().to_list()
        ['org.example.www']
        """
        return self._each(columns.reversed_host)

    def normalize(
        self,
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: DotSegments = True,
        ipv6: bool = True,
        scheme: bool | Registry = False,
    ) -> Column:
        """`uriverse.columns.normalize`: `String`.

        >>> pl.Series(["HTTP://A:80/%7eb/../c", "a b"]).uri.normalize(scheme=True).to_list()
        ['http://a/c', None]
        """
        return self._each(
            lambda texts: columns.normalize(
                texts,
                case=case,
                percent_encoding=percent_encoding,
                dot_segments=dot_segments,
                ipv6=ipv6,
                scheme=scheme,
            )
        )

    def resolve(self, base: str | Column, *, strict: bool = True) -> Column:
        """`uriverse.columns.resolve`: this column has the references, resolved on a base: `String`.

        Args:
            base: a text for all rows (it is no name of a column), or a column of bases.
            strict: as for `uriverse.columns.resolve`.

        >>> pl.Series(["d", "../e", "%"]).uri.resolve("http://a/b/c").to_list()
        ['http://a/b/d', 'http://a/e', None]
        >>> pl.Series(["d", "d"]).uri.resolve(pl.Series(["http://a", "http://b/c"])).to_list()
        ['http://a/d', 'http://b/d']
        """
        return self._beside(base, lambda texts, start: columns.resolve(start, texts, strict=strict))

    def relativize(self, base: str | Column, *, climb: bool = True) -> Column:
        """`uriverse.columns.relativize`: this column has the targets: `String`.

        Args:
            base: a text for all rows (it is no name of a column), or a column of bases.
            climb: as for `uriverse.columns.relativize`.

        >>> pl.Series(["http://a/b/d", "http://a/e"]).uri.relativize("http://a/b/c").to_list()
        ['d', '/e']
        """
        return self._beside(
            base, lambda texts, start: columns.relativize(texts, start, climb=climb)
        )

    def to_uri(self, *, host: HostForm = "percent") -> Column:
        """`uriverse.columns.to_uri`: `String`.

        >>> pl.Series(["http://bücher.example/é"]).uri.to_uri(host="idna").to_list()
        ['http://xn--bcher-kva.example/%C3%A9']
        """
        return self._each(lambda texts: columns.to_uri(texts, host=host))

    def to_iri(self) -> Column:
        """`uriverse.columns.to_iri`: `String`.

        >>> pl.Series(["/caf%C3%A9%2F"]).uri.to_iri().to_list()
        ['/café%2F']
        """
        return self._each(columns.to_iri)

    def encode(self, component: Component, *, iri: bool = False) -> Column:
        """`uriverse.columns.encode`: `String`.

        >>> pl.Series(["a b/é", None]).uri.encode("segment").to_list()
        ['a%20b%2F%C3%A9', None]
        """
        return self._each(lambda texts: columns.encode(texts, component, iri=iri))

    def decode(self, errors: DecodeErrors = "strict") -> Column:
        """`uriverse.columns.decode`: `String`.

        >>> pl.Series(["caf%C3%A9", "%", "%FF"]).uri.decode().to_list()
        ['café', None, None]
        """
        return self._each(lambda texts: columns.decode(texts, errors))

    def query_param(self, name: str) -> Column:
        """`uriverse.columns.query_param`: `String`.

        >>> pl.Series(["?a=x+y&b", "?b"]).uri.query_param("a").to_list()
        ['x y', None]
        """
        return self._each(lambda texts: columns.query_param(texts, name))

    def query_params(self) -> Column:
        """`uriverse.columns.query_params`: a `List` of `Struct` with `key` and `value`.

        >>> pl.Series(["?a=1&b", "/"]).uri.query_params().to_list()
        [[{'key': 'a', 'value': '1'}, {'key': 'b', 'value': None}], None]
        """
        return self._each(columns.query_params)

    def findings(self, profile: str = "generic") -> Column:
        """`uriverse.columns.findings`: a `List` of `String`.

        >>> pl.Series(["http://a.example/", "http://a.example:080/"]).uri.findings().to_list()
        [[], ['port-odd']]
        """
        return self._each(lambda texts: columns.findings(texts, profile))

    def surt(self) -> Column:
        """`uriverse.columns.surt`: `String`.

        >>> pl.Series(["http://www.Example.org:80/a?b#c"]).uri.surt().to_list()
        ['org,example,www)/a?b']
        """
        return self._each(columns.surt)

    def fingerprint(self, level: Level = "syntax") -> Column:
        """`uriverse.columns.fingerprint`: `Int64`.

        >>> pl.Series(["http://a/%7e", "HTTP://A/~"]).uri.fingerprint().n_unique()
        1
        """
        return self._each(lambda texts: columns.fingerprint(texts, level))

    def _each(self, function: Callable[[object], Array]) -> Column:
        """What a function makes of each text."""
        return self._over(function)

    def _beside(self, base: str | Column, function: Callable[[object, object], Array]) -> Column:
        """What a function makes of each text and its base."""
        if isinstance(base, type(self._column)):
            return self._over(function, base)
        return self._each(lambda texts: function(texts, base))

    def _over(self, function: Callable[..., Array], *others: Column) -> Column:
        """What a function makes of this column and those beside it."""
        given: tuple[Any, ...] = (self._column, *others)
        if isinstance(self._column, pl.Series):
            return cast("Column", applied(function, given).alias(self._column.name))
        # What it makes of no rows tells the type, and whether what it was told is right.
        dtype = applied(function, [pl.Series(dtype=pl.String)] * len(given)).dtype
        expression = pl.map_batches(
            given, lambda batch: applied(function, batch), dtype, is_elementwise=True
        )
        return cast("Column", expression)


def applied(function: Callable[..., Array], given: Sequence[pl.Series]) -> pl.Series:
    """What a function makes of Series of the same length, or of one row for all."""
    rows = next((len(one) for one in given if len(one) != 1), 1)
    made = function(*(one if len(one) != 1 else one.new_from_index(0, rows) for one in given))
    return pl.Series(made)
