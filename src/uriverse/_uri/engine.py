"""The functions of the engine: those of the kernel, or of `identifier` if it is not used."""

from __future__ import annotations

from uriverse._engine import compiled, kernel, use_compiled

#: False at run time. Type checkers take it as true, and so analyze the reference implementation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from uriverse._spec.components import Bounds

    Function = TypeVar("Function", bound=Callable[..., Any])

if TYPE_CHECKING or kernel is None:
    from . import identifier as _engine
else:
    from uriverse import _spec
    from uriverse._spec import tables as _tables

    kernel.load(_tables, _spec)
    _engine = kernel


def ignore_overload(function: Function) -> Function:
    """Stand for `typing.overload` at run time, so that `typing` need not be imported."""
    return function


def register_view(kind: type) -> None:
    """Let the kernel create the objects of a class, `Segments` or `Params`, itself."""
    if kernel is not None:
        kernel.register_view(kind)


Identifier = _engine.Identifier
as_text = _engine.as_text
load_types = _engine.load_types


@use_compiled()
def is_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI ([RFC 3986, 3][1]).

    A URI begins with a scheme. A relative reference such as `//example.org/` is not a URI.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_uri("urn:isbn:0451450523"), is_uri("//example.org/")
    (True, False)
    """
    return _engine.is_uri(text)


@use_compiled()
def is_uri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI or relative reference ([RFC 3986, 4.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_uri_reference("../a?b"), is_uri_reference("a b")
    (True, False)
    """
    return _engine.is_uri_reference(text)


@use_compiled()
def is_absolute_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI without a fragment ([RFC 3986, 4.3][1]).

    The RFC calls such a URI an `absolute-URI`.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_absolute_uri("http://a/b?c"), is_absolute_uri("http://a/b#c")
    (True, False)
    """
    return _engine.is_absolute_uri(text)


@use_compiled()
def is_iri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid IRI ([RFC 3987, 2.2][1]).

    An IRI begins with a scheme, and may contain non-ASCII characters. Every URI is an IRI.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_iri("http://example.org/rosé"), is_iri("http://example.org/<>")
    (True, False)
    """
    return _engine.is_iri(text)


@use_compiled()
def is_iri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid IRI or relative IRI reference ([RFC 3987, 2.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_iri_reference("rosé"), is_iri_reference("%zz")
    (True, False)
    """
    return _engine.is_iri_reference(text)


@use_compiled()
def parse(text: str | Identifier, /) -> Identifier:
    """Parse a string as the most specific of `URI`, `URIReference`, `IRI` and `IRIReference`.

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Returns:
        A `URI` if the string is ASCII and has a scheme, a `URIReference` if it is ASCII and has
        no scheme. Otherwise an `IRI` or an `IRIReference`. The string is kept unchanged.

    Raises:
        ParseError: the string is not a valid IRI reference. The error contains the position and
            the reason.
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> parse("http://example.org/"), parse("../a"), parse("rosé")
    (URI('http://example.org/'), URIReference('../a'), IRIReference('rosé'))
    """
    return _engine.parse(text)


def get_bounds(value: Identifier) -> Bounds:
    from uriverse._spec.components import Bounds

    return Bounds(*value._bounds)


def compute_scheme_key(value: Identifier) -> str | None:
    key: str | None = kernel.scheme_key(value) if compiled else None
    return key


def decode_if_bytes(data: object, noun: str) -> str:
    """Convert `str` or `bytes` to a `str`; octets that are not UTF-8 become surrogate escapes."""
    # A subclass of `str` or `bytes` may override methods. Use its actual characters or bytes.
    if isinstance(data, str):
        return str.__str__(data)
    if isinstance(data, bytes):
        return bytes.decode(data, errors="surrogateescape")
    raise TypeError(f"{noun} must be a str or bytes, not {type(data).__name__}")


def to_ascii(domain: str) -> str:
    if compiled:
        return str(kernel.to_ascii(domain))
    from uriverse._spec.domain import to_ascii

    return to_ascii(domain)


def to_unicode(label: str) -> str:
    if compiled:
        return str(kernel.to_unicode(label))
    from uriverse._spec.domain import to_unicode

    return to_unicode(label)


def redact(text: str | Identifier, /, *, usernames: bool = False, paths: bool = False) -> str:
    """Replace the secrets in a URI, or in any text that contains URIs, with `REDACTED`.

    Use the function before you write URIs to a log. The secrets are:

    - passwords, as in `https://user:password@host`;
    - the values of parameters such as `access_token`, `X-Amz-Signature`, `api_key` and `code`, in
      queries, in fragments, and after a semicolon in paths;
    - JSON Web Tokens;
    - user names, if `usernames` is true;
    - keys of webhooks and bots, and the tokens of links that log people in, if `paths` is true.

    The URIs may be invalid. A URI may be the value of a parameter in another URI, and be
    percent-encoded for that purpose up to three times. All other characters stay the same.

    Secrets in other places are not found.
    [The guide](https://uriverse.readthedocs.io/en/stable/how-to/redact-and-log.html) lists the
    names of parameters and their sources.

    Args:
        text: a URI, valid or not, or any text.
        usernames: whether to replace user names as well.
        paths: whether to replace path segments that look random and follow a segment such as
            `webhooks`, `reset-password` or `verify`, as well.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> redact("GET https://me:pw@example.org/?page=2&token=1234 failed")
    'GET https://me:REDACTED@example.org/?page=2&token=REDACTED failed'
    """
    string, valid = as_text(text), type(text) is not str
    if compiled:
        return str(kernel.redact(string, usernames, paths, valid))
    from uriverse._redaction import redact_text, redact_valid

    function = redact_valid if valid else redact_text
    return function(string, usernames=usernames, paths=paths)
