"""The accessor `uri` of pandas: what `uriverse.columns` does, for Series.

To import this module is to register it.

>>> import pandas as pd
>>> import uriverse.columns.pandas
>>> pd.Series(["http://example.org/a", "http://a b"], name="url").uri.host()
0    example.org
1            NaN
Name: url, dtype: str
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    import pandas as pd

    # It has no types.
    pa: Any = import_module("pyarrow")
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"uriverse.columns.pandas needs {missing.name}: pip install 'uriverse[pandas]'",
        name=missing.name,
    ) from missing

from uriverse import columns
from uriverse.schemes.registry import Registry
from uriverse.typing import Component, DecodeErrors, DotSegments, Field, Grammar

from . import FIELDS, Array

if TYPE_CHECKING:
    from uriverse.typing import HostForm, Level

__all__ = ["URIAccessor"]

# Type checkers do not know all of these two.
ArrowDtype: Any = pd.ArrowDtype
StringDtype: Any = pd.StringDtype

#: What texts are given back as, where they came as neither strings nor Arrow's.
TEXT = StringDtype(na_value=float("nan"))

#: What numbers and flags are given back as, by what Arrow calls them, where texts were not Arrow's.
NUMBERS: dict[str, Any] = {
    "bool": pd.BooleanDtype(),
    "int32": pd.Int32Dtype(),
    "int64": pd.Int64Dtype(),
}

#: What Arrow calls texts, and what has only nulls. pandas can do nothing with views of strings.
ARROW = ("string", "large_string", "null")


@pd.api.extensions.register_series_accessor("uri")
class URIAccessor:
    """What `series.uri` is: the functions of `uriverse.columns`.

    Each method is the function of the same name, and takes what that takes. Texts are of any string
    dtype, of an `ArrowDtype` or categories of texts; or objects, `str` and identifiers, with
    `None` or NaN for what is missing. What comes back has the index and the name of the Series.
    Its texts are of the same dtype where that is one of strings or Arrow's, else `str`; other
    types can tell what is missing too: `boolean`, `Int64`, and for lists an `ArrowDtype`.

    Args:
        series: texts. Type checkers do not know of `.uri`, but of `URIAccessor(series)`.

    Raises:
        AttributeError: its dtype is not one of text.

    >>> URIAccessor(pd.Series(["http://example.org/"])).host().tolist()
    ['example.org']
    """

    def __init__(self, series: pd.Series[Any]) -> None:
        if not is_text(series.dtype):
            raise AttributeError(f"Can only use .uri accessor with text, not {series.dtype}")
        self._series = series

    def parse(
        self,
        grammar: Grammar = "iri-reference",
        *,
        fields: tuple[Field, ...] | list[Field] = FIELDS,
    ) -> pd.DataFrame:
        """`uriverse.columns.parse`: a `DataFrame` with a column for each field.

        All of a row is missing where the text is.

        >>> pd.Series(["http://a:80/?", "http://a b/"]).uri.parse(fields=["host", "error"])
          host error
        0    a   NaN
        1  NaN  host
        """
        parsed = pa.chunked_array(columns.parse(self._texts(), grammar, fields=fields))
        names = [field.name for field in parsed.type]
        # Each has nulls where the struct does.
        values = map(self._values, parsed.flatten())
        return pd.DataFrame(dict(zip(names, values, strict=True)), index=self._series.index)

    def is_valid(self, grammar: Grammar = "iri-reference") -> pd.Series[Any]:
        """`uriverse.columns.is_valid`: `boolean`.

        >>> pd.Series(["a", "a b", None]).uri.is_valid().tolist()
        [True, False, <NA>]
        """
        return self._each(lambda texts: columns.is_valid(texts, grammar))

    def host(self) -> pd.Series[Any]:
        """`uriverse.columns.host`: texts.

        >>> pd.Series(["http://[::1]/", "file:///", "a"]).uri.host().tolist()
        ['[::1]', '', nan]
        """
        return self._each(columns.host)

    def hostname(self) -> pd.Series[Any]:
        """`uriverse.columns.hostname`: texts.

        >>> pd.Series(["http://[::A]/", "http://Example.ORG"]).uri.hostname().tolist()
        ['::a', 'example.org']
        """
        return self._each(columns.hostname)

    def port(self) -> pd.Series[Any]:
        """`uriverse.columns.port`: `Int64`.

        >>> pd.Series(["http://a:080/", "http://a/"]).uri.port().tolist()
        [80, <NA>]
        """
        return self._each(columns.port)

    def origin(self) -> pd.Series[Any]:
        """`uriverse.columns.origin`: texts.

        >>> pd.Series(["HTTPS://me@A.example:443/b", "urn:a:b"]).uri.origin().tolist()
        ['https://a.example', nan]
        """
        return self._each(columns.origin)

    def reversed_host(self) -> pd.Series[Any]:
        """`uriverse.columns.reversed_host`: texts.

        >>> pd.Series(["http://www.Example.org/"]).uri.reversed_host().tolist()
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
    ) -> pd.Series[Any]:
        """`uriverse.columns.normalize`: texts.

        >>> pd.Series(["HTTP://A:80/%7eb/../c", "a b"]).uri.normalize(scheme=True).tolist()
        ['http://a/c', nan]
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

    def resolve(self, base: str | pd.Series[Any], *, strict: bool = True) -> pd.Series[Any]:
        """`uriverse.columns.resolve`: this Series has the references, resolved on a base.

        Args:
            base: a text for all rows, or a Series of bases with the same index.
            strict: as for `uriverse.columns.resolve`.

        Raises:
            ValueError: the bases have another index.

        >>> pd.Series(["d", "../e", "%"]).uri.resolve("http://a/b/c").tolist()
        ['http://a/b/d', 'http://a/e', nan]
        >>> pd.Series(["d", "d"]).uri.resolve(pd.Series(["http://a", "http://b/c"])).tolist()
        ['http://a/d', 'http://b/d']
        """
        return self._beside(base, lambda texts, start: columns.resolve(start, texts, strict=strict))

    def relativize(self, base: str | pd.Series[Any], *, climb: bool = True) -> pd.Series[Any]:
        """`uriverse.columns.relativize`: this Series has the targets.

        Args:
            base: a text for all rows, or a Series of bases with the same index.
            climb: as for `uriverse.columns.relativize`.

        Raises:
            ValueError: the bases have another index.

        >>> pd.Series(["http://a/b/d", "http://a/e"]).uri.relativize("http://a/b/c").tolist()
        ['d', '/e']
        """
        return self._beside(
            base, lambda texts, start: columns.relativize(texts, start, climb=climb)
        )

    def to_uri(self, *, host: HostForm = "percent") -> pd.Series[Any]:
        """`uriverse.columns.to_uri`: texts.

        >>> pd.Series(["http://bücher.example/é"]).uri.to_uri(host="idna").tolist()
        ['http://xn--bcher-kva.example/%C3%A9']
        """
        return self._each(lambda texts: columns.to_uri(texts, host=host))

    def to_iri(self) -> pd.Series[Any]:
        """`uriverse.columns.to_iri`: texts.

        >>> pd.Series(["/caf%C3%A9%2F"]).uri.to_iri().tolist()
        ['/café%2F']
        """
        return self._each(columns.to_iri)

    def encode(self, component: Component, *, iri: bool = False) -> pd.Series[Any]:
        """`uriverse.columns.encode`: texts.

        >>> pd.Series(["a b/é", None]).uri.encode("segment").tolist()
        ['a%20b%2F%C3%A9', nan]
        """
        return self._each(lambda texts: columns.encode(texts, component, iri=iri))

    def decode(self, errors: DecodeErrors = "strict") -> pd.Series[Any]:
        """`uriverse.columns.decode`: texts.

        >>> pd.Series(["caf%C3%A9", "%", "%FF"]).uri.decode().tolist()
        ['café', nan, nan]
        """
        return self._each(lambda texts: columns.decode(texts, errors))

    def query_param(self, name: str) -> pd.Series[Any]:
        """`uriverse.columns.query_param`: texts.

        >>> pd.Series(["?a=x+y&b", "?b"]).uri.query_param("a").tolist()
        ['x y', nan]
        """
        return self._each(lambda texts: columns.query_param(texts, name))

    def query_params(self) -> pd.Series[Any]:
        """`uriverse.columns.query_params`: lists of structs with `key` and `value`.

        >>> pd.Series(["?a=1&b", "/"]).uri.query_params().tolist()
        [[{'key': 'a', 'value': '1'}, {'key': 'b', 'value': None}], <NA>]
        """
        return self._each(columns.query_params)

    def findings(self, profile: str = "generic") -> pd.Series[Any]:
        """`uriverse.columns.findings`: lists of texts.

        >>> pd.Series(["http://a.example/", "http://a.example:080/"]).uri.findings().tolist()
        [[], ['port-odd']]
        """
        return self._each(lambda texts: columns.findings(texts, profile))

    def surt(self) -> pd.Series[Any]:
        """`uriverse.columns.surt`: texts.

        >>> pd.Series(["http://www.Example.org:80/a?b#c"]).uri.surt().tolist()
        ['org,example,www)/a?b']
        """
        return self._each(columns.surt)

    def fingerprint(self, level: Level = "syntax") -> pd.Series[Any]:
        """`uriverse.columns.fingerprint`: `Int64`.

        >>> pd.Series(["http://a/%7e", "HTTP://A/~"]).uri.fingerprint().nunique()
        1
        """
        return self._each(lambda texts: columns.fingerprint(texts, level))

    def _texts(self) -> object:
        """The texts as `uriverse.columns` takes them."""
        dtype: Any = self._series.dtype
        if pd.api.types.is_object_dtype(dtype) or getattr(dtype, "storage", "") == "python":
            return self._series.astype(object).where(self._series.notna(), None).tolist()
        return self._series

    def _each(self, function: Callable[[object], Array]) -> pd.Series[Any]:
        """What a function makes of each text."""
        made = pa.chunked_array(function(self._texts()))
        return pd.Series(self._values(made), index=self._series.index, name=self._series.name)

    def _beside(
        self, base: str | pd.Series[Any], function: Callable[[object, object], Array]
    ) -> pd.Series[Any]:
        """What a function makes of each text and its base."""
        if not isinstance(base, pd.Series):
            return self._each(lambda texts: function(texts, base))
        if not base.index.equals(self._series.index):
            raise ValueError("the base has another index: align it first, as `base.reindex` does")
        bases = URIAccessor(base)._texts()
        return self._each(lambda texts: function(texts, bases))

    def _values(self, made: Any) -> Any:
        """An array of Arrow as one of pandas."""
        dtype: Any = self._series.dtype
        if isinstance(dtype, ArrowDtype) or pa.types.is_nested(made.type):
            dtype = ArrowDtype(made.type)
        elif str(made.type) in NUMBERS:
            dtype = NUMBERS[str(made.type)]
        elif not isinstance(dtype, StringDtype):
            dtype = TEXT
        return dtype.__from_arrow__(made)


def is_text(dtype: Any) -> bool:
    """Whether a dtype is one of texts; objects are told one by one, when they are read."""
    if isinstance(dtype, pd.CategoricalDtype):
        return is_text(dtype.categories.dtype)
    if not isinstance(dtype, ArrowDtype):
        return pd.api.types.is_object_dtype(dtype) or isinstance(dtype, StringDtype)
    arrow: Any = dtype.pyarrow_dtype
    return str(arrow.value_type if pa.types.is_dictionary(arrow) else arrow) in ARROW
