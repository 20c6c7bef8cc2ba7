"""Parse `http` and `https` URIs, and compare their origins and sites ([RFC 9110, 4.2][1]).

[1]: https://www.rfc-editor.org/rfc/rfc9110#section-4.2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, final

from uriverse._errors import ConvertError, quote_argument
from uriverse._uri import URI
from uriverse._uri.engine import Identifier, get_bounds
from uriverse.suffixes import Suffixes

from .base import TypedURI

#: The schemes of `HTTPURI`.
WEB_SCHEMES = ("http", "https")


@final
class HTTPURI(TypedURI):
    """An `http` or `https` URI, with its origin and request target ([RFC 9110, 4.2][1]).

    The host is never empty. Userinfo is accepted, although it is deprecated (RFC 9110, 4.2.4), but
    it is not part of `origin`, `host_header` and `request_target()`. A fragment is accepted too
    (RFC 9110, 4.2.5).

    [1]: https://www.rfc-editor.org/rfc/rfc9110#section-4.2

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid `http` or `https` URI, or has no host.
        TypeError: `text` is neither a `str` nor a URI.

    >>> uri = HTTPURI("HTTPS://me@Example.org:443/a?b#c")
    >>> uri.origin, uri.host_header, uri.request_target()
    ('https://example.org', 'Example.org:443', '/a?b')
    """

    __module__ = "uriverse"

    __slots__ = ()

    _schemes = WEB_SCHEMES
    _scheme_rule = "http-URI"
    _hint_without_scheme = 'write "https://" before the host'

    def _check_scheme_rules(self) -> None:
        if self.host:
            return
        missing = self.authority is None
        position = get_bounds(self).scheme_end + 1 if missing else get_bounds(self).host
        scheme = self.scheme.lower()
        reason = f"{'missing' if missing else 'empty'} host: an {scheme} URI requires a host"
        self._reject(position, "host", f"{scheme}-URI", reason, f"write {scheme}://host/path")

    if TYPE_CHECKING:
        # No `http` URI lacks these.
        @property
        def host(self) -> str: ...
        @property
        def authority(self) -> str: ...
        @property
        def effective_port(self) -> int: ...
        @property
        def origin(self) -> str: ...

    @property
    def host_header(self) -> str:
        """The value of the `Host` header field: the authority as written, but without userinfo.

        A default port is included if the URI contains one. See [RFC 9110, 7.2][1].

        [1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.2

        >>> HTTPURI("http://me:secret@Example.com:80/").host_header
        'Example.com:80'
        """
        return str(self.without_userinfo().authority)

    def request_target(
        self, form: Literal["origin", "absolute", "authority", "asterisk"] = "origin"
    ) -> str:
        """Return the request target for the first line of an HTTP request ([RFC 9112, 3.2][1]).

        Components are returned as written. Userinfo and fragment are never included.

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2

        Args:
            form: the form of the target. `"origin"` is the path and the query, with `/` for an
                empty path. `"absolute"` is the whole URI, for requests to a proxy. `"authority"` is
                the host and always a port, for `CONNECT`. `"asterisk"` is `*`, for `OPTIONS` on the
                whole server.

        Raises:
            ConvertError: the form is `"asterisk"`, but the URI has a path or a query and so
                identifies a resource and not the whole server (RFC 9112, 3.2.4).
            ValueError: the form is unknown.

        >>> uri = HTTPURI("http://www.example.org?q#f")
        >>> uri.request_target(), uri.request_target("absolute"), uri.request_target("authority")
        ('/?q', 'http://www.example.org?q', 'www.example.org:80')
        """
        if form == "origin":
            query = "" if self.query is None else f"?{self.query}"
            return f"{self.path or '/'}{query}"
        if form == "absolute":
            return str(self.replace(userinfo=None, fragment=None))
        if form == "authority":
            # CONNECT has no default port: the request contains no scheme (RFC 9110, 9.3.6).
            return f"{self.host}:{self.port_text or self.effective_port}"
        if form == "asterisk":
            if self.path or self.query is not None:
                reason = "unexpected path or query: the asterisk-form has neither"
                hint = "use the origin-form for a single resource"
                component = "path" if self.path else "query"
                position = get_bounds(self).path
                raise ConvertError(str(self), position, component, "asterisk-form", reason, hint)
            return "*"
        choices = "origin, absolute, authority, asterisk"
        raise ValueError(f"form must be one of {choices}, not {quote_argument(form)}")

    def is_same_site(
        self, other: str | Identifier, /, *, public_suffix: Suffixes | Callable[[str], str]
    ) -> bool:
        """Return True if both URIs have the same scheme and the same registrable domain.

        The HTML standard calls such URIs [same site][1]. The registrable domain is the public
        suffix of the host and one more label. Ports are ignored. An IP address is a site of its
        own, and so is a host that is itself a public suffix. A site is a weaker security boundary
        than an origin.

        [1]: https://html.spec.whatwg.org/multipage/browsers.html#same-site

        Args:
            other: a string or a URI.
            public_suffix: a list of public suffixes, or a function that takes a host name and
                returns its public suffix, such as `"co.uk"`, or `""` if it has none. The host name
                is in lower case and has no trailing dot. The function is not called for IP
                addresses.

        Raises:
            ParseError: `other` is not a valid URI, or is an `http` or `https` URI without a host.
            TypeError: `other` is neither a `str` nor a URI.
            ValueError: `public_suffix` returns a string that is not a suffix of the host name.

        >>> from uriverse.suffixes import Suffixes
        >>> shop = HTTPURI("https://a.example.co.uk/")
        >>> shop.is_same_site("https://b.example.co.uk:81/", public_suffix=Suffixes())
        True
        """
        from uriverse.hosts import _sites  # late: most programs compare no sites

        uri = URI(other)
        if uri.scheme.lower() not in self._schemes:
            return False
        return _sites.are_same_site(self.origin, HTTPURI(uri).origin, public_suffix)
