"""Columns of Spark: the functions of `uriverse.columns` for `select`, `where` and `withColumn`.

A column is given by its name or as a `Column`, as everywhere in `pyspark.sql.functions`; a value
that all rows have is `lit(...)`. Rows come in batches, in Arrow's layout, to as many tasks as Spark
has, and each of them works in one thread. Options are looked at when a column is defined, before
any row is. In the examples the only row of `frame` has in `url` the text
`http://www.Example.org:80/a/../caf%C3%A9?q=1&r#s`.

>>> from uriverse.columns import spark as uri
>>> url = uri.parse("url")
>>> frame.select(url.scheme, url.host, url.error).first()[:]
('http', 'www.Example.org', None)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from uriverse import columns

if TYPE_CHECKING:
    from pyspark.sql import Column

    from uriverse.schemes.registry import Registry
    from uriverse.typing import (
        Component,
        DecodeErrors,
        DotSegments,
        Field,
        Grammar,
        HostForm,
        Level,
    )

    from . import Array

# pyarrow says nothing of its types, and so neither does what is to do with them.
pa: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
arrow: Any = import_module("pyspark.sql.pandas.types")

__all__ = [
    "decode",
    "encode",
    "findings",
    "fingerprint",
    "host",
    "hostname",
    "is_valid",
    "normalize",
    "origin",
    "parse",
    "port",
    "query_param",
    "query_params",
    "relativize",
    "resolve",
    "reversed_host",
    "surt",
    "to_iri",
    "to_uri",
]

#: What becomes of columns of Arrow: one of as many rows.
Batch = Callable[..., Any]


def parse(
    column: Column | str,
    /,
    grammar: Grammar = "iri-reference",
    *,
    fields: tuple[Field, ...] | list[Field] = columns.FIELDS,
) -> Column:
    """Take identifiers apart, into one struct; null where the text is null.

    Keep it in a variable, and take all fields that are wanted from that: Spark then parses once.

    Args:
        column: texts, by name or as a column.
        grammar: as for `uriverse.columns.parse`.
        fields: as for `uriverse.columns.parse`.

    Raises:
        ValueError: there is no such grammar or field.

    >>> frame.select(uri.parse("url", fields=["host", "port"]).alias("parsed")).first()
    Row(parsed=Row(host='www.Example.org', port='80'))
    """
    return over(columns.parse, [column], grammar=grammar, fields=fields)


def is_valid(column: Column | str, /, grammar: Grammar = "iri-reference") -> Column:
    """Whether each text is what a grammar produces; null where it is null.

    Args:
        column: texts, by name or as a column.
        grammar: as for `uriverse.columns.parse`.

    Raises:
        ValueError: there is no such grammar.

    >>> frame.where(uri.is_valid("url", "absolute-uri")).count()
    0
    """
    return over(columns.is_valid, [column], grammar=grammar)


def host(column: Column | str, /) -> Column:
    """The host of each, as it is written; null where there is none.

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.host("url")).first()
    Row(host(url)='www.Example.org')
    """
    return over(columns.host, [column])


def hostname(column: Column | str, /) -> Column:
    """The host of each without brackets, its ASCII letters in lower case; null without one.

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.hostname("url")).first()
    Row(hostname(url)='www.example.org')
    """
    return over(columns.hostname, [column])


def port(column: Column | str, /) -> Column:
    """The port of each as a `bigint`; null where there is none, or it is larger.

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.port("url")).first()
    Row(port(url)=80)
    """
    return over(columns.port, [column])


def origin(column: Column | str, /) -> Column:
    """The origin of each ([RFC 6454, 6.2][1]); null where it has none of its own.

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.origin("url")).first()
    Row(origin(url)='http://www.example.org')
    """
    return over(columns.origin, [column])


def reversed_host(column: Column | str, /) -> Column:
    """The `hostname` of each with its labels in reverse order, to be sorted and grouped by.

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.reversed_host("url")).first()
    Row(reversed_host(url)='org.example.www')
    """
    return over(columns.reversed_host, [column])


def normalize(
    column: Column | str,
    /,
    *,
    case: bool = True,
    percent_encoding: bool = True,
    dot_segments: DotSegments = True,
    ipv6: bool = True,
    scheme: bool | Registry = False,
) -> Column:
    """Normalize each row ([RFC 3986, 6.2.2 and 6.2.3][1]); invalid rows become null.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2

    Args:
        column: texts, by name or as a column.
        case: as for `uriverse.columns.normalize`, and so the steps that follow.
        percent_encoding: as `case`.
        dot_segments: as `case`.
        ipv6: as `case`.
        scheme: as `case`.

    >>> frame.select(uri.normalize("url", scheme=True)).first()
    Row(normalize(url)='http://www.example.org/caf%C3%A9?q=1&r#s')
    """
    return over(
        columns.normalize,
        [column],
        case=case,
        percent_encoding=percent_encoding,
        dot_segments=dot_segments,
        ipv6=ipv6,
        scheme=scheme,
    )


def resolve(base: Column | str, reference: Column | str, /, *, strict: bool = True) -> Column:
    """The target of each reference on its base ([RFC 3986, section 5][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5

    Args:
        base: by name or as a column; `lit("http://...")` for one that all rows have.
        reference: by name or as a column.
        strict: as for `uriverse.columns.resolve`.

    Returns:
        Null where one of the two is null or no identifier, or the base has no scheme.

    >>> from pyspark.sql.functions import lit
    >>> frame.select(uri.resolve("url", lit("d")).alias("target")).first()
    Row(target='http://www.Example.org:80/d')
    """
    return over(columns.resolve, [base, reference], strict=strict)


def relativize(column: Column | str, base: Column | str, /, *, climb: bool = True) -> Column:
    """The shortest reference that resolves to each on its base.

    Args:
        column: the targets, by name or as a column.
        base: as for `resolve`.
        climb: as for `uriverse.columns.relativize`.

    Returns:
        Null where one of the two is null, no identifier or without a scheme, or where no
        reference resolves to it.

    >>> from pyspark.sql.functions import lit
    >>> frame.select(uri.relativize(lit("http://www.Example.org:80/"), "url").alias("way")).first()
    Row(way='.')
    """
    return over(columns.relativize, [column, base], climb=climb)


def to_uri(column: Column | str, /, *, host: HostForm = "percent") -> Column:
    """The URI that each maps to ([RFC 3987, 3.1][1]); null for what is no identifier.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

    Args:
        column: texts, by name or as a column.
        host: as for `uriverse.columns.to_uri`.

    Raises:
        ValueError: there is no such form.

    >>> from pyspark.sql.functions import lit
    >>> frame.select(uri.to_uri(lit("http://bücher.example/"), host="idna").alias("uri")).first()
    Row(uri='http://xn--bcher-kva.example/')
    """
    return over(columns.to_uri, [column], host=host)


def to_iri(column: Column | str, /) -> Column:
    """The IRI that each maps to ([RFC 3987, 3.2][1]); null for what is no identifier.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.to_iri("url")).first()
    Row(to_iri(url)='http://www.Example.org:80/a/../café?q=1&r#s')
    """
    return over(columns.to_iri, [column])


def encode(column: Column | str, component: Component, /, *, iri: bool = False) -> Column:
    """Each text as it is written in a component: `uriverse.percent.encode`.

    Args:
        column: texts, by name or as a column.
        component: as for `uriverse.percent.encode`.
        iri: as for `uriverse.percent.encode`.

    Raises:
        ValueError: there is no such component.

    >>> frame.select(uri.encode(uri.host("url"), "segment").alias("segment")).first()
    Row(segment='www.Example.org')
    """
    return over(columns.encode, [column], component, iri=iri)


def decode(column: Column | str, /, errors: DecodeErrors = "strict") -> Column:
    """The text that each percent-encoded text stands for: `uriverse.percent.decode`.

    Args:
        column: texts, by name or as a column; take identifiers apart first.
        errors: as for `uriverse.columns.decode`.

    Raises:
        ValueError: there is no such way.

    >>> frame.select(uri.decode(uri.parse("url").path).alias("path")).first()
    Row(path='/a/../café')
    """
    return over(columns.decode, [column], errors)


def query_param(column: Column | str, name: str, /) -> Column:
    """The first value of a parameter in each query, decoded; null without one.

    Args:
        column: texts, by name or as a column.
        name: the parameter's, decoded; the same for all rows.

    >>> frame.select(uri.query_param("url", "q")).first()
    Row(query_param(url)='1')
    """
    return over(columns.query_param, [column], name)


def query_params(column: Column | str, /) -> Column:
    """All parameters in each query, decoded; null without a query.

    Args:
        column: texts, by name or as a column.

    Returns:
        An array of structs of `key` and `value`, which is null without a "=".

    >>> frame.select(uri.query_params("url")).first()
    Row(query_params(url)=[Row(key='q', value='1'), Row(key='r', value=None)])
    """
    return over(columns.query_params, [column])


def findings(column: Column | str, /, profile: str = "generic") -> Column:
    """The codes of what `uriverse.check` finds in each text, as an array.

    Args:
        column: texts, by name or as a column; they need not be identifiers.
        profile: as for `uriverse.check`.

    Raises:
        ValueError: there is no such profile.

    >>> from pyspark.sql.functions import lit
    >>> frame.select(uri.findings(lit("http://a.example:080/")).alias("codes")).first()
    Row(codes=['port-odd'])
    """
    return over(columns.findings, [column], profile)


def surt(column: Column | str, /) -> Column:
    """A key of each that sorts by domain, host, port and path: `uriverse.columns.surt`.

    Args:
        column: texts, by name or as a column.

    >>> frame.select(uri.surt("url")).first()
    Row(surt(url)='org,example,www)/caf%C3%A9?q=1&r')
    """
    return over(columns.surt, [column])


def fingerprint(column: Column | str, /, level: Level = "syntax") -> Column:
    """A `bigint` for each, the same for all that are equivalent: `uriverse.columns.fingerprint`.

    Args:
        column: texts, by name or as a column.
        level: as for `uriverse.columns.fingerprint`.

    Raises:
        ValueError: there is no such level.

    >>> frame.select(uri.fingerprint("url") == uri.fingerprint(uri.normalize("url"))).first()[0]
    True
    """
    return over(columns.fingerprint, [column], level)


def over(
    function: Callable[..., Array], given: Sequence[Column | str], *rest: str, **options: Any
) -> Column:
    """What a function makes of columns, batch by batch.

    Args:
        function: of `uriverse.columns`.
        given: the columns, by name or as such.
        rest: what it is given behind them.
        options: what it is given by name.

    Raises:
        TypeError: the function has something against the rest, or the options.
        ValueError: as `TypeError`.
    """

    def batch(*texts: Any) -> Any:
        return function(*texts, *rest, threads=1, **options).to_pyarrow()

    # No rows tell the type, and what is wrong with the options before any task is.
    kind = batch(*([] for _ in given)).type
    way = in_arrow if hasattr(functions, "arrow_udf") else in_pandas
    return way(batch, kind, function.__name__)(*given)


def in_arrow(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """What makes a column of others, batch by batch.

    Args:
        batch: what is done with one.
        kind: the type of Arrow that comes of it.
        name: of the function, for those who look at a plan.
    """
    return defined(functions.arrow_udf, batch, kind, name)


def in_pandas(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """The same for Spark 4.0, which hands over series of pandas.

    Args:
        batch: as for `in_arrow`.
        kind: as for `in_arrow`.
        name: as for `in_arrow`.
    """
    made = defined(functions.pandas_udf, over_series(batch, kind), kind, name)
    # A frame of pandas has no rows that are null as a whole.
    return absent_where_null(made) if pa.types.is_struct(kind) else made


def over_series(batch: Batch, kind: Any) -> Batch:
    """What is done with series of pandas: a series comes of it, or a frame of the fields."""

    def made(*texts: Any) -> Any:
        column = batch(*map(pa.Array.from_pandas, texts))
        if pa.types.is_struct(kind):
            column = pa.table(column.flatten(), [field.name for field in kind])
        # Numbers of 64 bits that stand beside nulls would else become inexact.
        return column.to_pandas(integer_object_nulls=True)

    return made


def absent_where_null(made: Callable[..., Column]) -> Callable[..., Column]:
    """A function of one column that gives null for null, whatever it gave before."""

    def strict(column: Column | str) -> Column:
        answer: Column = functions.when(functions.isnotnull(column), made(column))
        return answer

    return strict


def defined(define: Any, batch: Any, kind: Any, name: str) -> Callable[..., Column]:
    """A function of Spark's, by what it has to define such functions."""
    # By what is annotated Spark would look for what kind of function it is.
    batch.__annotations__ = {}
    batch.__name__ = name
    made: Callable[..., Column] = define(batch, arrow.from_arrow_type(kind))
    return made
