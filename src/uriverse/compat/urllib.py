"""The functions of `urllib.parse`, with the semantics of RFC 3986 and RFC 3987.

To port a program, import these functions instead of those of the [standard library][1]. They have
the same parameters and results. But invalid strings raise an error, nothing is lost between
`urlsplit` and `urlunsplit`, and `urljoin` resolves references of every scheme as [RFC 3986, 5.2][2]
requires. The guide "Port from urllib.parse" lists all differences.

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from uriverse import percent
from uriverse.errors import ParseError
from uriverse.identifiers import IRIReference, parse
from uriverse.redaction import redacted_component

__all__ = [
    "DefragResult",
    "SplitResult",
    "parse_qsl",
    "quote",
    "quote_plus",
    "unquote",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlsplit",
    "urlunsplit",
]

#: The characters that `quote` never encodes ([RFC 3986, 2.3][1]), and those that it may leave
#: ([RFC 3986, 2.2][2]).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.3
#: [2]: https://www.rfc-editor.org/rfc/rfc3986#section-2.2
UNRESERVED = r"A-Za-z0-9._~\-"
NOT_ALLOWED = re.compile(rf"[^{UNRESERVED}:/?#\[\]@!$&'()*+,;=]")

#: Consecutive percent-encoded octets, and a percent sign that does not start one.
TRIPLETS = re.compile("(?:%[0-9A-Fa-f]{2})+")
INCOMPLETE_TRIPLET = re.compile("%(?![0-9A-Fa-f]{2})")


class Components(NamedTuple):
    """The fields of `SplitResult`."""

    scheme: str
    netloc: str
    path: str
    query: str
    fragment: str


class SplitResult(Components):
    """The components of a URI as a named tuple, in which `""` means both "empty" and "undefined".

    Attributes:
        scheme: the scheme in lower case.
        netloc: the authority.
        path, query, fragment: the components, exactly as written.

    >>> urlsplit("http://me@example.org:8080/a?b#c")
    SplitResult(scheme='http', netloc='me@example.org:8080', path='/a', query='b', fragment='c')
    """

    @property
    def _original(self) -> IRIReference | None:
        """The URI that was split, which distinguishes empty components from undefined ones.

        `None` if the result was created from components.
        """
        return self.__dict__.get("original")

    def _with_original(self, source: IRIReference | None) -> Self:
        """Set the URI that was split, and return this object."""
        self.__dict__["original"] = source
        return self

    @property
    def username(self) -> str | None:
        """The part of the userinfo before the first colon, still percent-encoded.

        `None` if there is no userinfo.

        >>> urlsplit("//me%40home:secret@example.org").username
        'me%40home'
        """
        userinfo, at, _ = self.netloc.rpartition("@")
        return userinfo.partition(":")[0] if at else None

    @property
    def password(self) -> str | None:
        """The part of the userinfo after the first colon, still percent-encoded.

        `None` if there is no colon in the userinfo.

        >>> urlsplit("//me:50%25@example.org").password
        '50%25'
        """
        _, colon, password = self.netloc.rpartition("@")[0].partition(":")
        return password if colon else None

    @property
    def hostname(self) -> str | None:
        """The host in lower case and without brackets; `None` if it is empty or undefined.

        >>> urlsplit("//[2001:DB8::1]:80/").hostname
        '2001:db8::1'
        """
        return self._authority().hostname or None

    @property
    def port(self) -> int | None:
        """The port as a number; `None` if it is empty or undefined.

        Numbers above 65535 are valid in RFC 3986.

        >>> urlsplit("//example.org:080/").port
        80
        """
        return self._authority().port

    def _authority(self) -> IRIReference:
        """Parse the authority; raise `BuildError` if it is invalid."""
        return IRIReference.build(authority=self.netloc)

    def __repr__(self) -> str:
        """Return the components, with secrets such as passwords replaced."""
        return redacted_fields(self)

    def geturl(self) -> str:
        """Return the original URI, with any components changed by `_replace`.

        A component that was replaced with `""` is removed.

        Raises:
            BuildError: a component is invalid, or the URI would be parsed differently.

        >>> urlsplit("HTTP://example.org/?#")._replace(fragment="top").geturl()
        'HTTP://example.org/?#top'
        """
        given = [value or None for value in self]
        if source := self._original:
            exact = (source.scheme, source.authority, source.path, source.query, source.fragment)
            for index, (was, before) in enumerate(zip(components_of(source), exact, strict=True)):
                if was == self[index]:
                    given[index] = before
        scheme, authority, path, query, fragment = given
        return str(
            IRIReference.build(
                scheme=scheme,
                authority=authority,
                path=path or "",
                query=query,
                fragment=fragment,
            )
        )

    # Pyright treats the method as final, but a result must keep the URI that was split.
    def _replace(self, **changes: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a copy with other values for some components, as in every named tuple."""
        return super()._replace(**changes)._with_original(self._original)


class DefragResult(NamedTuple):
    """A URI without its fragment, and the fragment.

    Attributes:
        url: the URI without its fragment.
        fragment: the fragment; `""` if it is empty or undefined.

    >>> urldefrag("a#b")
    DefragResult(url='a', fragment='b')
    """

    url: str
    fragment: str

    def __repr__(self) -> str:
        """Return the parts, with secrets such as passwords replaced."""
        return redacted_fields(self)

    def geturl(self) -> str:
        """Return the URI with its fragment; an empty fragment is removed.

        >>> urldefrag("http://example.org/#top").geturl()
        'http://example.org/#top'
        """
        # The fragment of an IRI reference may contain non-ASCII characters.
        reference = IRIReference(self.url)
        return str(reference.with_fragment(self.fragment) if self.fragment else reference)


def redacted_fields(parts: SplitResult | DefragResult) -> str:
    """Return the `repr` of a named tuple of components, without their secrets."""
    names = {"netloc": "authority"}
    shown = (
        f"{name}={redacted_component(names.get(name, name), value)!r}"
        for name, value in parts._asdict().items()
    )
    return f"{type(parts).__name__}({', '.join(shown)})"


def components_of(source: IRIReference) -> Components:
    """Return the components of a URI as a named tuple like `SplitResult`."""
    return Components(
        (source.scheme or "").lower(),
        source.authority or "",
        source.path,
        source.query or "",
        source.fragment or "",
    )


def parsed(url: str, *, allow_fragments: bool) -> IRIReference:
    """Parse a URI or a reference, and reject a fragment if none is allowed."""
    reference = parse(url)
    if not allow_fragments and reference.fragment is not None:
        reason = "unexpected fragment: allow_fragments is false"
        hint = "percent-encode the number sign as %23"
        raise ParseError(str(reference), str(reference).index("#"), "fragment", "#", reason, hint)
    return reference


def urlsplit(url: str, scheme: str = "", allow_fragments: bool = True) -> SplitResult:
    """Split a URI or a reference into its five components ([RFC 3986, 3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        url: a URI, an IRI, or a reference.
        scheme: the scheme of the result if `url` has no scheme.
        allow_fragments: whether `url` may have a fragment.

    Raises:
        ParseError: `url` is invalid, or has a fragment that is not allowed.
        TypeError: `url` is not a `str`.

    >>> urlsplit("//example.org/a", scheme="https").geturl()
    'https://example.org/a'
    """
    source = parsed(url, allow_fragments=allow_fragments)
    components = components_of(source)
    return SplitResult(components.scheme or scheme, *components[1:])._with_original(source)


def urlunsplit(components: Iterable[str | None]) -> str:
    """Build a URI from five components ([RFC 3986, 5.3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3

    Args:
        components: a `SplitResult`, whose `geturl` is called, or the scheme, the authority, the
            path, the query and the fragment. A component that is `""` or `None` is undefined, but a
            `file` URI gets an empty authority. After an authority, a slash is added before the
            path if it is missing.

    Raises:
        BuildError: a component is invalid, or the URI would be parsed differently.
        ValueError: there are not five components.

    >>> urlunsplit(("http", "example.org", "/a", "b=c", ""))
    'http://example.org/a?b=c'
    """
    if isinstance(components, SplitResult):
        return components.geturl()
    scheme, netloc, path, query, fragment = (value or "" for value in components)
    if netloc and path and not path.startswith("/"):
        path = f"/{path}"
    uri = SplitResult(scheme, netloc, path, query, fragment).geturl()
    # RFC 8089 allows both forms, and many programs expect the slashes.
    is_file = scheme.lower() == "file" and not netloc and path.startswith("/")
    return f"{scheme}://{uri[5:]}" if is_file else uri


def urljoin(base: str, url: str, allow_fragments: bool = True) -> str:
    """Resolve a reference against a base URI ([RFC 3986, 5.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2

    Args:
        base: the base URI. If it has no scheme, the result is a reference too, as from
            `URIReference.then`.
        url: the reference.
        allow_fragments: whether the two may have fragments.

    Raises:
        ParseError: an argument is invalid, or has a fragment that is not allowed.
        TypeError: an argument is not a `str`.

    >>> urljoin("http://example.org/a/b", "../c?d"), urljoin("a/b", "c")
    ('http://example.org/c?d', 'a/c')
    """
    start = parsed(base, allow_fragments=allow_fragments)
    reference = parsed(url, allow_fragments=allow_fragments)
    return str(start.then(reference) if start.scheme is None else start.resolve(reference))


def urldefrag(url: str) -> DefragResult:
    """Split a URI into the URI without its fragment, and the fragment ([RFC 3986, 3.5][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5

    Raises:
        ParseError: `url` is invalid.
        TypeError: `url` is not a `str`.

    >>> urldefrag("http://example.org/a?b#c")
    DefragResult(url='http://example.org/a?b', fragment='c')
    """
    reference = parse(url)
    return DefragResult(str(reference.with_fragment(None)), reference.fragment or "")


def quote(
    string: str | bytes | bytearray,
    safe: str = "/",
    encoding: str | None = None,
    errors: str | None = None,
) -> str:
    """Percent-encode data ([RFC 3986, 2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        string: the data.
        safe: the reserved characters that are not encoded.
        encoding: the encoding of a `str`; `None` for UTF-8.
        errors: how to encode characters that the encoding does not have, as for `str.encode`;
            `None` for `"strict"`. With UTF-8 and `None`, surrogate escapes are encoded as the
            octets that they represent.

    Raises:
        BuildError: the string contains surrogates that do not represent an octet.
        UnicodeEncodeError: the encoding does not have a character.
        ValueError: `safe` contains a character that is not allowed in a URI, or a percent sign.
        TypeError: `string` is neither a `str` nor `bytes`, or `encoding` or `errors` is given for
            `bytes`.

    >>> quote("50% of a/b"), quote("a/b", safe="")
    ('50%25%20of%20a/b', 'a%2Fb')
    """
    if not isinstance(safe, str):
        raise TypeError(f"safe must be str, not {type(safe).__name__}")
    if isinstance(string, bytearray):
        string = bytes(string)
    if wrong := NOT_ALLOWED.search(safe):
        raise ValueError(f"safe must contain only reserved characters, not {wrong[0]!r}")
    if isinstance(string, str) and (encoding, errors) != (None, None):
        string = string.encode(encoding or "utf-8", errors or "strict")
    elif (encoding, errors) != (None, None):
        raise TypeError("quote() cannot encode bytes: remove encoding and errors")
    if not safe or not isinstance(string, str | bytes):
        return percent.encode(string, "unreserved")
    kept = rf"[{UNRESERVED}{re.escape(safe)}]+"
    if isinstance(string, str):
        return "".join(
            piece if index % 2 else percent.encode(piece, "unreserved")
            for index, piece in enumerate(re.split(f"({kept})", string))
        )
    pieces = re.split(f"({kept})".encode("ascii"), string)
    return "".join(
        piece.decode("ascii") if index % 2 else percent.encode(piece, "unreserved")
        for index, piece in enumerate(pieces)
    )


def quote_plus(
    string: str | bytes, safe: str = "", encoding: str | None = None, errors: str | None = None
) -> str:
    """Percent-encode data as HTML forms do: as `quote` does, but with "+" for each space.

    >>> quote_plus("a b/c+d")
    'a+b%2Fc%2Bd'
    """
    return quote(string, safe, encoding, errors).replace("%20", "+")


def unquote(
    string: str | bytes, encoding: str | None = "utf-8", errors: str | None = "replace"
) -> str:
    """Percent-decode a component ([RFC 3986, 2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        string: the component. Characters that are not percent-encoded stay as they are.
        encoding: the encoding of the decoded octets; `None` for UTF-8.
        errors: what to do with octets that the encoding does not have, as for `bytes.decode`;
            `None` for `"replace"`.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        UnicodeDecodeError: the octets do not match the encoding, and `errors` is `"strict"`.
        TypeError: `string` is neither a `str` nor `bytes`.

    >>> unquote("caf%C3%A9%2F"), unquote("caf%E9", encoding="latin-1")
    ('café/', 'café')
    """
    if not isinstance(string, str | bytes):
        raise TypeError(f"string must be str or bytes, not {type(string).__name__}")
    codec = encoding or "utf-8", errors or "replace"
    text = string if isinstance(string, str) else string.decode("latin-1")
    if INCOMPLETE_TRIPLET.search(text):
        percent.decode_bytes(text)  # raises the error, with its position
    if isinstance(string, str):
        return TRIPLETS.sub(lambda found: percent.decode_bytes(found[0]).decode(*codec), text)
    # Latin-1 maps each octet to the character with the same number.
    octets = TRIPLETS.sub(lambda found: percent.decode_bytes(found[0]).decode("latin-1"), text)
    return octets.encode("latin-1").decode(*codec)


def parse_qsl(
    qs: str,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> list[tuple[str, str]]:
    """Parse the parameters of a query or of an HTML form.

    Args:
        qs: the query.
        keep_blank_values: whether to keep parameters that have no value.
        strict_parsing: whether to reject a parameter without an equals sign.
        encoding: the encoding of the decoded octets.
        errors: what to do with octets that the encoding does not have, as for `bytes.decode`.
        max_num_fields: the maximum number of parameters; `None` for no limit.
        separator: the string between two parameters.

    Returns:
        The names and values, in order, with "+" decoded as a space.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        ValueError: the separator is empty, there are too many parameters, or a parameter has no
            equals sign and `strict_parsing` is true.
        TypeError: `qs` is not a `str`.

    >>> parse_qsl("a=1&b=x+y&a=%C3%A9&c=")
    [('a', '1'), ('b', 'x y'), ('a', 'é')]
    """
    if not isinstance(qs, str):
        raise TypeError(f"qs must be str, not {type(qs).__name__}")
    fields = qs.split(separator) if qs else []
    if max_num_fields is not None and len(fields) > max_num_fields:
        raise ValueError(f"qs must not have more than max_num_fields={max_num_fields} parameters")
    pairs: list[tuple[str, str]] = []
    for field in fields:
        name, equals, value = field.partition("=")
        if strict_parsing and not equals:
            raise ValueError("qs must not have a parameter without an equals sign")
        if value or (keep_blank_values and field):
            plain = (unquote(text.replace("+", " "), encoding, errors) for text in (name, value))
            pairs.append((next(plain), next(plain)))
    return pairs


def urlencode(
    query: Mapping[Any, Any] | Sequence[tuple[Any, Any]],
    doseq: bool = False,
    safe: str = "",
    encoding: str | None = None,
    errors: str | None = None,
    quote_via: Callable[..., str] = quote_plus,
) -> str:
    """Build a query from names and values.

    Args:
        query: the names and values, in a mapping or in pairs. `str` and `bytes` are encoded; of all
            other objects, the `str()` is encoded.
        doseq: whether a value that is a sequence gives one parameter for each of its elements.
        safe: the reserved characters that are not encoded.
        encoding: the encoding of each `str`; `None` for UTF-8.
        errors: how to encode characters that the encoding does not have, as for `str.encode`.
        quote_via: the function that encodes names and values: `quote_plus` or `quote`.

    Raises:
        BuildError: a string contains surrogates that do not represent an octet.
        ValueError: `safe` contains a character that is not allowed in a URI, or a percent sign.
        TypeError: `query` is neither a mapping nor a sequence of pairs.

    >>> urlencode({"q": "a b", "page": 2}), urlencode({"tag": ["x", "y"]}, doseq=True)
    ('q=a+b&page=2', 'tag=x&tag=y')
    """

    def encoded(data: object) -> str:
        if isinstance(data, bytes):
            return quote_via(data, safe)
        return quote_via(str(data), safe, encoding, errors)

    items: Iterable[tuple[object, Any]]
    items = query.items() if isinstance(query, Mapping) else query
    if isinstance(items, str | bytes):
        raise TypeError(f"query must be a mapping or pairs, not {type(items).__name__}")
    pieces: list[str] = []
    for name, value in items:
        is_single = not doseq or isinstance(value, str | bytes) or not hasattr(value, "__iter__")
        values: list[Any] = [value] if is_single else list(value)
        pieces += [f"{encoded(name)}={encoded(one)}" for one in values]
    return "&".join(pieces)
