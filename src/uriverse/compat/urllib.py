"""A replacement for `urllib.parse` that splits and resolves URIs as RFC 3986 defines.

To port a program, import from this module instead of the [standard library][1]. `urlsplit`,
`urlunsplit` and `urljoin` accept only valid strings, lose nothing, and resolve references of every
scheme as [RFC 3986, 5.2][2] requires. All other functions accept any string and return the results
of the standard library. The options `missing_as_none` and `keep_empty` of Python 3.15 work in every
version. The guide "Port from urllib.parse" lists all differences.

All errors are subclasses of `ValueError`, as in the standard library.

[1]: https://docs.python.org/3/library/urllib.parse.html
[2]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2

>>> from uriverse.compat.urllib import urljoin, urlsplit
>>> urlsplit("http://example.org/a?").geturl()
'http://example.org/a?'
>>> urljoin("coap://example.org/a/b", "../c")
'coap://example.org/c'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, AnyStr, Self, cast, overload
from urllib import parse as stdlib
from urllib.parse import (
    parse_qs,
    parse_qsl,
    quote,
    quote_from_bytes,
    quote_plus,
    unquote,
    unquote_plus,
    unquote_to_bytes,
    urlencode,
)

from uriverse import IRIReference, ParseError, parse
from uriverse._redaction import redacted_component

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]
__dir__ = __all__.copy

#: A URL as `urlparse` divides it. The group of an undefined component does not match.
_COMPONENTS = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.\-]*:)?(?://(?P<netloc>[^/?#]*))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)

#: The characters that `urlparse` removes.
_REMOVED = re.compile(r"\A[\0- ]+|[\t\r\n]+")

#: An authority that is the start of a userinfo, because its password has a slash.
_CUT_USERINFO = re.compile(r"[^\[@:]*:(?![0-9]*\Z)[^@]*", re.DOTALL)

if TYPE_CHECKING:

    class _Inherited(tuple[Any, ...]):  # noqa: SLOT001 - it exists only for type checkers
        """The attributes of the classes of `urllib.parse` that `Result` extends."""

        netloc: Any
        port: Any
        _userinfo: Any
        _hostinfo: Any
        _encoded_counterpart: Any
        _decoded_counterpart: Any

        def _asdict(self) -> dict[str, Any]: ...
        def _replace(self, /, **changes: Any) -> Self: ...

else:
    _Inherited = object

    # Names that `urllib.parse` does not list in `__all__`, such as `unwrap`. Type checkers do not
    # see this function, because they would accept any name.
    def __getattr__(name: str) -> object:
        return getattr(stdlib, name)


class _Result(_Inherited):
    """Changes to the result classes of `urllib.parse`: nothing is lost, and no secret is shown."""

    #: Whether empty components are kept, and undefined ones are `None`. It is `None` if the object
    #: was created from components. Python 3.15 has the same attribute.
    _keep_empty: bool | None = None

    #: The components that `urlsplit` found, exactly as written, by index and value in the result.
    _written: Mapping[tuple[int, str | None], str | None] = MappingProxyType({})

    def _with(self, **attributes: Any) -> Self:
        """Set attributes that are not components, and return this object."""
        self.__dict__.update(attributes)
        return self

    # Pyright treats the method as final, but a copy must keep the other attributes.
    def _replace(self, /, **changes: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a copy with other values for some components, as in every named tuple."""
        return super()._replace(**changes)._with(**self.__dict__)

    __replace__ = _replace

    def __repr__(self) -> str:
        """Return the components, with secrets such as passwords replaced."""
        shown = (f"{name}={_redacted_field(name, part)!r}" for name, part in self._asdict().items())
        return f"{type(self).__name__}({', '.join(shown)})"


class _Text(_Result):
    """A result whose components are strings."""

    def encode(self, encoding: str = "ascii", errors: str = "strict") -> Any:
        """Return the result with `bytes` as components."""
        parts = (part if part is None else part.encode(encoding, errors) for part in self)
        return self._encoded_counterpart(*parts)._with(**self.__dict__)


class _Octets(_Result):
    """A result whose components are `bytes`."""

    def decode(self, encoding: str = "ascii", errors: str = "strict") -> Any:
        """Return the result with strings as components."""
        parts = (part if part is None else part.decode(encoding, errors) for part in self)
        return self._decoded_counterpart(*parts)._with(**self.__dict__)


class _WithAuthority(_Inherited):
    """The properties of a result that has an authority."""

    @property
    def _userinfo(self) -> tuple[Any, Any]:
        """The user name and the password, for the properties of `urllib.parse`."""
        return (None, None) if self.netloc is None else super()._userinfo

    @property
    def _hostinfo(self) -> tuple[Any, Any]:
        """The host and the port, for the properties of `urllib.parse`."""
        return (None, None) if self.netloc is None else super()._hostinfo

    @property
    def port(self) -> int | None:
        """The port as a number."""
        try:
            port: int | None = super().port
        except ValueError as error:
            # The rest of the message shows the port, which may be a part of a password.
            raise ValueError(str(error).partition(" as ")[0]) from None
        return port


class SplitResult(_WithAuthority, _Text, stdlib.SplitResult):
    """The components of a URI, as returned by `urlsplit`.

    `username`, `password`, `hostname` and `port` are the properties of `urllib.parse`.

    Attributes:
        scheme: the scheme in lower case.
        netloc: the authority.
        path, query, fragment: the components, exactly as written.

    >>> urlsplit("http://me@example.org:8080/a?b#c")
    SplitResult(scheme='http', netloc='me@example.org:8080', path='/a', query='b', fragment='c')
    """

    def geturl(self) -> str:
        """Return the original URI, with any components changed by `_replace`, as `urlunsplit` does.

        >>> urlsplit("HTTP://example.org/?#")._replace(fragment="top").geturl()
        'HTTP://example.org/?#top'
        """
        return urlunsplit(self)


class SplitResultBytes(_WithAuthority, _Octets, stdlib.SplitResultBytes):
    """The components of a URI as `bytes`, as returned by `urlsplit`."""

    def geturl(self) -> bytes:
        """Return the original URI, with any components changed by `_replace`."""
        return urlunsplit(self)


class ParseResult(_WithAuthority, _Text, stdlib.ParseResult):
    """The components of a URL, as returned by `urlparse`."""

    def geturl(self) -> str:
        """Return the URL, as `urlunparse` does."""
        return urlunparse(self)


class ParseResultBytes(_WithAuthority, _Octets, stdlib.ParseResultBytes):
    """The components of a URL as `bytes`, as returned by `urlparse`."""

    def geturl(self) -> bytes:
        """Return the URL, as `urlunparse` does."""
        return urlunparse(self)


class DefragResult(_Text, stdlib.DefragResult):
    """A URL without its fragment, and the fragment.

    >>> urldefrag("a#b")
    DefragResult(url='a', fragment='b')
    """

    def geturl(self) -> str:
        """Return the URL with its fragment."""
        return f"{self.url}#{self.fragment}" if _has_fragment(self) else self.url


class DefragResultBytes(_Octets, stdlib.DefragResultBytes):
    """A URL without its fragment, and the fragment, as `bytes`."""

    def geturl(self) -> bytes:
        """Return the URL with its fragment."""
        return b"%b#%b" % self if _has_fragment(self) else self.url


for _str_type, _bytes_type in (
    (SplitResult, SplitResultBytes),
    (ParseResult, ParseResultBytes),
    (DefragResult, DefragResultBytes),
):
    _str_type._encoded_counterpart = _bytes_type
    _bytes_type._decoded_counterpart = _str_type


def _has_fragment(parts: DefragResult | DefragResultBytes) -> bool:
    """Return whether `geturl` appends the fragment."""
    return bool(parts.fragment) or (parts._keep_empty is True and parts.fragment is not None)


def _redacted_field(name: str, value: Any) -> Any:
    """Return a component without its secrets."""
    if isinstance(value, bytes):
        return _redacted_field(name, value.decode("latin-1")).encode("latin-1")
    if not isinstance(value, str):
        return value
    if name != "netloc":
        return redacted_component("query" if name == "params" else name, value)
    if _CUT_USERINFO.fullmatch(value):
        return redacted_component("userinfo", value)
    userinfo, at, host = value.rpartition("@")
    return redacted_component("userinfo", userinfo) + at + host


def _decoded(*values: Any) -> tuple[list[Any], Callable[[Any], Any]]:
    """Decode the arguments of a function if they are `bytes`.

    Returns:
        The arguments as strings, except for `None`, and the function that converts the result to
        the type of the arguments.

    Raises:
        TypeError: one argument is a string and another is not, or one cannot be decoded.
        UnicodeDecodeError: an argument has octets that are not ASCII.
    """
    given = [value for value in values if value] or [one for one in values if one is not None][:1]
    kinds = {isinstance(value, str | IRIReference) for value in given}
    if len(kinds) > 1:
        raise TypeError("cannot mix str and other arguments")
    if kinds != {False}:
        return [value if value or value is None else "" for value in values], lambda result: result
    for value in given:
        if not hasattr(value, "decode"):
            raise TypeError(f"arguments must be str or bytes, not {type(value).__name__}")
    texts = [value.decode("ascii") if value else None if value is None else "" for value in values]
    return texts, lambda result: result.encode("ascii")


def _parsed(url: str | None, *, allow_fragments: bool) -> IRIReference:
    """Parse a URI or a reference, and reject a fragment if none is allowed."""
    reference = parse(url or "")
    if not allow_fragments and reference.fragment is not None:
        reason = "unexpected fragment: allow_fragments is false"
        hint = "percent-encode the number sign as %23"
        raise ParseError(str(reference), str(reference).index("#"), "fragment", "#", reason, hint)
    return reference


@overload
def urlsplit(
    url: str | None,
    scheme: str | None = None,
    allow_fragments: bool = True,
    *,
    missing_as_none: bool = False,
) -> SplitResult: ...
@overload
def urlsplit(
    url: bytes,
    scheme: bytes | str | None = None,
    allow_fragments: bool = True,
    *,
    missing_as_none: bool = False,
) -> SplitResultBytes: ...
def urlsplit(
    url: Any, scheme: Any = None, allow_fragments: bool = True, *, missing_as_none: bool = False
) -> Any:
    """Split a URI or a reference into its five components ([RFC 3986, 3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        url: a URI, an IRI, or a reference.
        scheme: the scheme of the result if `url` has no scheme.
        allow_fragments: whether `url` may have a fragment.
        missing_as_none: whether undefined components are `None`. By default they are empty.

    Raises:
        ParseError: `url` is invalid, or has a fragment that is not allowed.
        TypeError: `url` is neither `str` nor `bytes`, or `scheme` is not of the same type.

    >>> urlsplit("//example.org/a", scheme="https").geturl()
    'https://example.org/a'
    >>> tuple(urlsplit("http://example.org?", missing_as_none=True))
    ('http', 'example.org', '', '', None)
    """
    (url, scheme), encoded = _decoded(url, scheme)
    source = _parsed(url, allow_fragments=allow_fragments)
    written = (source.scheme, source.authority, source.path, source.query, source.fragment)
    parts: list[Any] = [written[0] and written[0].lower(), *written[1:]]
    if not missing_as_none:
        parts = [part or "" for part in parts]
    state = {"_written": dict(zip(enumerate(parts), written, strict=True))}
    if source.scheme is None and scheme is not None:
        # The standard library removes control characters.
        parts[0] = stdlib.urlsplit("", scheme).scheme
    return encoded(SplitResult(*parts)._with(**state, _keep_empty=missing_as_none))


def urlunsplit(components: Iterable[AnyStr | None], *, keep_empty: bool | None = None) -> AnyStr:
    """Build a URI from five components ([RFC 3986, 5.3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3

    Args:
        components: the scheme, the authority, the path, the query and the fragment. After an
            authority, a slash is added before the path if it is missing. A result of `urlsplit`
            gives the original URI; only components that were replaced differ.
        keep_empty: whether a component that is `""` is empty; otherwise it is undefined, as `None`
            is. By default, it is empty in the results of `urlsplit(..., missing_as_none=True)`.

    Raises:
        BuildError: a component is invalid, or the URI would be parsed differently.
        TypeError: a component is neither `str` nor `bytes`, or their types differ.
        ValueError: there are not five components.

    >>> urlunsplit(("http", "example.org", "/a", "b=c", ""))
    'http://example.org/a?b=c'
    >>> urlunsplit(("http", "example.org", "/a", "", None), keep_empty=True)
    'http://example.org/a?'
    """
    parts, encoded = _decoded(*components)
    keeps = getattr(components, "_keep_empty", None) if keep_empty is None else keep_empty
    written = {} if keep_empty is False else getattr(components, "_written", {})
    scheme, netloc, path, query, fragment = (
        written.get(part, part[1] if keeps else part[1] or None) for part in enumerate(parts)
    )
    if not keeps and netloc is None and (1, parts[1]) not in written:
        # The standard library writes "file:///a" and "http:///a", but "git:a".
        rooted = not path or path.startswith("/")
        netloc = "" if rooted and scheme in stdlib.uses_netloc else None
    netloc, path = _joinable(netloc, path)
    uri = IRIReference.build(
        scheme=scheme or None, authority=netloc, path=path, query=query, fragment=fragment
    )
    text: AnyStr = encoded(str(uri))
    return text


def _joinable(netloc: str | None, path: str | None) -> tuple[str | None, str]:
    """Return an authority and a path that can follow each other in a URI."""
    path = path or ""
    if netloc is None:
        return "" if path.startswith("//") else None, path
    return netloc, f"/{path}" if path and not path.startswith("/") else path


def urljoin(base: AnyStr, url: AnyStr | None, allow_fragments: bool = True) -> AnyStr:
    """Resolve a reference against a base URI ([RFC 3986, 5.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2

    Args:
        base: the base URI. If it has no scheme, the result is a reference too, as from
            `URIReference.then`.
        url: the reference.
        allow_fragments: whether the two may have fragments.

    Raises:
        ParseError: an argument is invalid, or has a fragment that is not allowed.
        TypeError: an argument is neither `str` nor `bytes`, or their types differ.

    >>> urljoin("http://example.org/a/b", "../c?d"), urljoin("a/b", "c")
    ('http://example.org/c?d', 'a/c')
    """
    texts, encoded = _decoded(base, url)
    start, reference = (_parsed(text, allow_fragments=allow_fragments) for text in texts)
    joined = start.then(reference) if start.scheme is None else start.resolve(reference)
    text: AnyStr = encoded(str(joined))
    return text


@overload
def urlparse(
    url: str,
    scheme: str | None = None,
    allow_fragments: bool = True,
    *,
    missing_as_none: bool = False,
) -> ParseResult: ...
@overload
def urlparse(
    url: bytes | None,
    scheme: bytes | str | None = None,
    allow_fragments: bool = True,
    *,
    missing_as_none: bool = False,
) -> ParseResultBytes: ...
def urlparse(
    url: Any, scheme: Any = None, allow_fragments: bool = True, *, missing_as_none: bool = False
) -> Any:
    """Split any string into six components, as the standard library does.

    Args:
        url: the string.
        scheme: the scheme of the result if `url` has no scheme.
        allow_fragments: whether a number sign starts a fragment.
        missing_as_none: whether undefined components are `None`. By default they are empty.

    >>> urlparse("http://example.org/a b;c?")
    ParseResult(scheme='http', netloc='example.org', path='/a b', params='c', query='', fragment='')
    >>> urlparse("http://example.org?", missing_as_none=True).geturl()
    'http://example.org?'
    """
    default = "" if scheme is None else scheme
    found = cast("tuple[Any, ...]", stdlib.urlparse(url, default, allow_fragments))
    kind = ParseResult if isinstance(found[0], str) else ParseResultBytes
    result = kind(*found)._with(_keep_empty=missing_as_none)
    if not missing_as_none:
        return result
    (text,), _ = _decoded(url or "")
    text = _REMOVED.sub("", text)
    # The groups only say which components are undefined. The result has their text.
    match = _COMPONENTS.fullmatch(text if allow_fragments else text.replace("#", "/"))
    assert match is not None  # every string matches
    undefined = {name for name in ("netloc", "query", "fragment") if match[name] is None}
    if len(match["path"]) == len(result.path):
        undefined.add("params")
    if scheme is None and not result.scheme:
        undefined.add("scheme")
    return result._replace(**dict.fromkeys(undefined))


def urlunparse(components: Iterable[AnyStr | None], *, keep_empty: bool | None = None) -> AnyStr:
    """Join six components, as the standard library does.

    Args:
        components: the scheme, the authority, the path, its parameters, the query and the fragment.
        keep_empty: whether a component that is `""` is empty; otherwise it is undefined, as `None`
            is. By default, it is empty in the results of `urlparse(..., missing_as_none=True)`.

    Raises:
        TypeError: a component is neither `str` nor `bytes`, or their types differ.
        ValueError: there are not six components, or `keep_empty` is true for a result of `urlparse`
            without `missing_as_none`.

    >>> urlunparse(("http", "example.org", "/a b", "", "", ""))
    'http://example.org/a b'
    >>> urlunparse(("http", "example.org", "/a", None, "", None), keep_empty=True)
    'http://example.org/a?'
    """
    with_none = getattr(components, "_keep_empty", None)
    if keep_empty and with_none is False:
        raise ValueError("keep_empty=True requires a result of urlparse(..., missing_as_none=True)")
    if not (with_none or keep_empty):
        return stdlib.urlunparse(components)
    parts, encoded = _decoded(*components)
    text: AnyStr
    if keep_empty is False:
        text = encoded(stdlib.urlunparse([part or "" for part in parts]))
        return text
    scheme, netloc, path, params, query, fragment = parts
    netloc, path = _joinable(netloc, path if params is None else f"{path or ''};{params}")
    pieces = (
        f"{scheme}:" if scheme else "",
        "" if netloc is None else f"//{netloc}",
        path,
        "" if query is None else f"?{query}",
        "" if fragment is None else f"#{fragment}",
    )
    text = encoded("".join(pieces))
    return text


@overload
def urldefrag(url: str, *, missing_as_none: bool = False) -> DefragResult: ...
@overload
def urldefrag(url: bytes | None, *, missing_as_none: bool = False) -> DefragResultBytes: ...
def urldefrag(url: Any, *, missing_as_none: bool = False) -> Any:
    """Split any string at its fragment, as the standard library does.

    Args:
        url: the string.
        missing_as_none: whether an undefined fragment is `None`. By default it is empty.

    >>> urldefrag("http://example.org/a?b#c")
    DefragResult(url='http://example.org/a?b', fragment='c')
    """
    found = cast("tuple[Any, ...]", stdlib.urldefrag(url))
    kind = DefragResult if isinstance(found[0], str) else DefragResultBytes
    result = kind(*found)._with(_keep_empty=missing_as_none)
    if missing_as_none and "#" not in _decoded(url or "")[0][0]:
        result = result._replace(fragment=None)
    return result
