"""`http` and `https` URIs ([RFC 9110, 4.2](https://www.rfc-editor.org/rfc/rfc9110#section-4.2))."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, final, get_args

from uriverse._engine import Identifier
from uriverse.errors import ConvertError
from uriverse.identifiers import URI
from uriverse.typing import RequestForm

from .view import View, as_uri


@final
class HTTPURI(View):
    """An [`http-URI` or `https-URI`](https://www.rfc-editor.org/rfc/rfc9110#section-4.2).

    It has a host, which is not empty. Userinfo is read, though deprecated (4.2.4): nothing
    that is sent or compared here has it.

    Args:
        uri: a text or a URI; a fragment may follow (4.2.5).

    Raises:
        ParseError: the text is none, or has no host.
        TypeError: it is neither a `str` nor an identifier.

    >>> uri = HTTPURI("HTTPS://me@Example.org:443/a?b#c")
    >>> uri.origin, uri.host_header, uri.request_target()
    ('https://example.org', 'Example.org:443', '/a?b')
    """

    __slots__ = ()

    SCHEMES: ClassVar[tuple[str, ...]] = ("http", "https")
    RULE: ClassVar[str] = "http-URI"

    def _read(self) -> None:
        if self.uri.host:
            return
        after_scheme, host = self.uri._bounds[0] + 1, self.uri._bounds[2]
        rule = f"{self.scheme}-URI"
        hint = f"write {self.scheme}://host/path"
        if self.uri.host is None:
            self._reject(after_scheme, "host", rule, "there is no authority", hint)
        self._reject(host, "host", rule, "the host is empty", hint)

    @property
    def scheme(self) -> str:
        """The scheme in lower case.

        >>> HTTPURI("HTTP://a/").scheme
        'http'
        """
        return self.uri.scheme.lower()

    @property
    def effective_port(self) -> int:
        """The port, or the scheme's default where there is none or no digits (4.2.1, 4.2.2).

        Raises:
            ConvertError: it has more than 640 digits.

        >>> HTTPURI("http://a:8080/").effective_port, HTTPURI("https://a:/").effective_port
        (8080, 443)
        """
        port = self.uri.effective_port
        assert port is not None, "both schemes have a default"
        return port

    @property
    def origin(self) -> str:
        """The origin as [RFC 6454, 6.2][1] writes it: scheme, host, and a port that is no default.

        As `URI.origin` does: the host in normal form, past ASCII as a domain name if it is one.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

        >>> HTTPURI("HTTP://Example.COM:080/x").origin, HTTPURI("http://[::0:1]:81/").origin
        ('http://example.com', 'http://[::1]:81')
        """
        return str(self.uri.origin)

    @property
    def host_header(self) -> str:
        """The value of the field `Host` ([RFC 9110, 7.2][1]): the authority without userinfo.

        As it is written, and so with a port that is the default.

        [1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.2

        >>> HTTPURI("http://me:secret@Example.com:80/").host_header
        'Example.com:80'
        """
        return str(self.uri.with_userinfo(None).authority)

    def request_target(self, form: RequestForm = "origin") -> str:
        """What stands in the first line of a request ([RFC 9112, 3.2][1]).

        All is as it is written; userinfo and fragment are never sent.

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2

        Args:
            form: `"origin"`, the path, or `/` for an empty one, and the query;
                `"absolute"`, for proxies, the URI; `"authority"`, for `CONNECT`, the host
                and always a port; `"asterisk"`, for `OPTIONS` of the whole server, `*`.

        Raises:
            ConvertError: the asterisk-form is asked of a URI with a path or a query, which
                names one resource of the server (3.2.4).
            ValueError: there is no such form.

        >>> uri = HTTPURI("http://www.example.org?q#f")
        >>> uri.request_target(), uri.request_target("absolute"), uri.request_target("authority")
        ('/?q', 'http://www.example.org?q', 'www.example.org:80')
        """
        uri = self.uri
        if form == "origin":
            query = "" if uri.query is None else f"?{uri.query}"
            return f"{uri.path or '/'}{query}"
        if form == "absolute":
            return str(uri.replace(userinfo=None, fragment=None))
        if form == "authority":
            # There is no default for CONNECT: what reads it knows no scheme (RFC 9110, 9.3.6).
            return f"{uri.host}:{uri.port_text or self.effective_port}"
        if form == "asterisk":
            return self._asterisk()
        raise ValueError(f"{form!r} is none of {', '.join(get_args(RequestForm))}")

    def same_origin(self, other: str | Identifier | View, /) -> bool:
        """Whether this and another have the same [origin](https://www.rfc-editor.org/rfc/rfc6454#section-5).

        What is of another scheme has not.

        Raises:
            ParseError: the other is a text that is no URI, or `http` without a host.
            TypeError: the other is neither a `str`, nor an identifier, nor a view.

        >>> HTTPURI("http://a/b").same_origin("http://A:80/c"), HTTPURI("http://a/").same_origin("https://a/")
        (True, False)
        """
        theirs = as_http(other)
        return theirs is not None and self.origin == theirs.origin

    def same_site(
        self, other: str | Identifier | View, /, *, public_suffix: Callable[[str], str]
    ) -> bool:
        """Whether this and another are of the [same site][1]: one scheme, one registrable domain.

        Ports don't matter. A site is no boundary for security as an origin is.

        [1]: https://html.spec.whatwg.org/multipage/browsers.html#same-site

        Args:
            other: a text, a URI, or another of these.
            public_suffix: gives the public suffix of a host name in lower case, without the
                dot of a root; `""` if there is none. The registrable domain is that and one
                label more. It is not asked of IP addresses: each is its own site, and so is
                a name that is a public suffix.

        Raises:
            ParseError: the other is a text that is no URI, or `http` without a host.
            TypeError: the other is neither a `str`, nor an identifier, nor a view.
            ValueError: what `public_suffix` gives is no suffix of the name.

        >>> def last_label(name: str) -> str:  # a list such as publicsuffix.org has better ones
        ...     return name.rpartition(".")[2]
        >>> HTTPURI("https://a.example.org/").same_site(
        ...     "https://b.example.org:81/", public_suffix=last_label
        ... )
        True
        """
        theirs = as_http(other)
        return (
            theirs is not None
            and self.scheme == theirs.scheme
            and self._site(public_suffix) == theirs._site(public_suffix)
        )

    def _site(self, public_suffix: Callable[[str], str]) -> str:
        """The registrable domain of the host; the host itself, where it has none."""
        uri = URI(self.origin)
        host = str(uri.host)
        if uri.host_kind != "reg-name":
            return host
        name = host.removesuffix(".")
        suffix = public_suffix(name)
        if suffix in ("", name):
            return host
        before = name.removesuffix(f".{suffix}")
        if before == name:
            raise ValueError(f"{suffix!r} is no suffix of {name!r}")
        return before.rpartition(".")[2] + host[len(before) :]

    def _asterisk(self) -> str:
        uri = self.uri
        if uri.path or uri.query is not None:
            reason = "the asterisk-form is for a URI with neither a path nor a query"
            hint = "use the origin-form for a resource"
            component = "path" if uri.path else "query"
            raise ConvertError(str(self), uri._bounds[4], component, "asterisk-form", reason, hint)
        return "*"


def as_http(other: str | Identifier | View) -> HTTPURI | None:
    """Another as a view; `None` if it is of another scheme."""
    if isinstance(other, HTTPURI):
        return other
    uri = as_uri(other)
    return HTTPURI(uri) if uri.scheme.lower() in HTTPURI.SCHEMES else None
