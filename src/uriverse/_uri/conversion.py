"""Methods that convert URIs to IRIs and back, format them for display and apply Unicode NFC."""

from __future__ import annotations

from . import engine as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from uriverse._spec.bidi import BidiFinding

    from .signatures import Plain, PublicType


class Convertible(_engine.Identifier):
    """Mixin of the four public types, with the methods that convert a URI to other forms."""

    __slots__ = ()

    def to_uri(self, *, host: Literal["percent", "idna"] = "percent") -> _engine.Identifier:
        """Convert an IRI to a URI: percent-encode its non-ASCII characters ([RFC 3987, 3.1][1]).

        Up to 4,096 labels (the parts of a domain name between dots) are cached once they have been
        converted. The cache is safe to use from several threads.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

        Args:
            host: how to write a host with non-ASCII characters. `"percent"` percent-encodes them.
                `"idna"` converts the host to the ASCII domain name that DNS lookups use
                (`xn--...`), as specified by IDNA 2008 after the UTS 46 mapping. It also converts
                percent-encoded non-ASCII characters, and converts full-width digits to an IPv4
                address, as browsers do.

        Returns:
            A `URI` (with a scheme) or a `URIReference` (without), or this object itself if it has
            one of these types and its host does not change.

        Raises:
            ConvertError: with `"idna"`, a label of the host is not valid in a domain name.
            ValueError: `host` is neither `"percent"` nor `"idna"`.

        >>> from uriverse import IRI
        >>> IRI("http://bücher.example/rosé").to_uri()
        URI('http://b%C3%BCcher.example/ros%C3%A9')
        >>> IRI("http://bücher.example/rosé").to_uri(host="idna")
        URI('http://xn--bcher-kva.example/ros%C3%A9')
        """
        if host == "percent":
            return self._to_uri()
        require_idna(host)
        uri: _engine.Identifier | None = (
            _engine.kernel.uri_with_domain(self) if _engine.compiled else None
        )
        return convert_domain(self)._to_uri() if uri is None else uri

    def to_iri(self, *, host: Literal["percent", "idna"] = "percent") -> _engine.Identifier:
        """Convert a URI to an IRI: percent-decode non-ASCII characters ([RFC 3987, 3.2][1]).

        Only non-ASCII characters are decoded: `%C3%A9` becomes `é`, but `%61` does not become `a`.
        Characters that are not allowed at their place in an IRI stay encoded: private-use
        characters outside the query, and characters that control the direction of text. Bytes that
        are not valid UTF-8 stay encoded too. Converting the result back gives an equivalent URI.

        If a byte above 7F stays percent-encoded, its hexadecimal digits are converted to upper
        case, because the RFC encodes such bytes again.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

        Args:
            host: how to write the host. `"percent"` only percent-decodes it. `"idna"` also decodes
                the A-labels (`xn--...`) of a domain name, unless `to_uri(host="idna")` would not
                restore the host exactly, because a label has capital letters or is invalid in IDNA
                2008. The result may look like another host. To show it to people, use `display`.

        Returns:
            An `IRI` (with a scheme) or an `IRIReference` (without), or a `URI` or a `URIReference`
            if the result is ASCII; this object itself if nothing changes.

        Raises:
            ValueError: `host` is neither `"percent"` nor `"idna"`.

        >>> from uriverse import URI
        >>> URI("http://example.org/D%C3%BCrst/%FC%2F%E2%80%AE").to_iri()
        IRI('http://example.org/Dürst/%FC%2F%E2%80%AE')
        >>> URI("http://xn--bcher-kva.example/").to_iri(host="idna")
        IRI('http://bücher.example/')
        """
        if host == "percent":
            return self._to_iri()
        require_idna(host)
        return decode_a_labels(self._to_iri())

    def display(self) -> str:
        """Return a readable string for display: percent-decoded where safe, without secrets.

        Secrets such as passwords are replaced with `REDACTED`, as `redacted` does.

        A domain name is shown in Unicode only if it converts back to the same ASCII name. The
        letters of each label must belong to a single script. The scripts of Chinese, of Japanese
        and of Korean may each be mixed with Latin letters. A label without Latin letters stays in
        ASCII if all its letters look like Latin ones, unless the top-level domain is in the same
        script. If a label stays in ASCII, `uriverse.check` reports the reason (`misleading-host`).

        Other characters stay encoded if they are invisible, look like a delimiter, or mix text
        directions.

        The string is for display only: it may be invalid, or differ from the URI. Show it in a
        left-to-right context ([RFC 3987, 4.1][1]). Use `str()` for any other purpose.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

        >>> from uriverse import URI
        >>> URI("http://xn--bcher-kva.example/%C3%A9%E2%80%AE").display()
        'http://bücher.example/é%E2%80%AE'
        >>> URI("http://xn--80ak6aa92e.com/").display()  # Cyrillic, and looks like apple.com
        'http://xn--80ak6aa92e.com/'
        """
        text = _engine.redact(self)
        if text.isascii() and not ("%" in text or "--" in text):
            return text  # nothing to decode: the common case
        from uriverse._uri import display  # faster than an import of the function

        return display.format_for_display(text)

    def redacted(
        self: Plain[PublicType], *, usernames: bool = False, paths: bool = False
    ) -> PublicType:
        """Return a copy of the URI in which secrets are replaced with `REDACTED`, for logs.

        The secrets are passwords, and parameters such as `access_token`, as `uriverse.redact`
        explains. All other characters stay the same. `repr()` shows the URI in this form.

        Args:
            usernames: whether to replace user names as well.
            paths: whether to replace secrets in the path as well, such as the key of a webhook.

        Returns:
            A URI of the same public type, or this object itself if it contains no secret.

        >>> from uriverse import URI
        >>> URI("https://me:pw@example.org/?page=2&token=1234").redacted()
        URI('https://me:REDACTED@example.org/?page=2&token=REDACTED')
        """
        value: Any = self
        text = _engine.redact(value, usernames=usernames, paths=paths)
        return value if text == _engine.as_text(self) else self._plain_type()(text)

    @property
    def is_nfc(self) -> bool:
        r"""True if the URI is in Unicode Normalization Form C ([RFC 3987, 5.3.2.2][1]).

        Percent-encoded characters are ignored, and so are combining marks after a delimiter. `nfc`
        converts a URI to this form.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").is_nfc, IRI("http://a/é").is_nfc
        (False, True)
        """
        from uriverse._spec.nfc import is_nfc

        return is_nfc(_engine.as_text(self))

    def nfc(self: Plain[PublicType]) -> PublicType:
        r"""Return a copy of the URI in Unicode Normalization Form C ([RFC 3987, 5.3.2.2][1]).

        Percent-encoded characters and delimiters do not change. The result may not be equivalent to
        the original under RFC 3987, so use this method for IRIs that you create, not for IRIs that
        you receive. No other method applies this form.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        Returns:
            A URI of the same public type, or this object itself if nothing changes.

        Raises:
            ConvertError: the URI contains U+037E, which NFC converts to the delimiter `;`, or
                U+1FEF, which NFC converts to a grave accent (not allowed in a URI).

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").nfc()
        IRI('http://a/é')
        """
        from uriverse._errors import ConvertError
        from uriverse._spec.nfc import convert_to_nfc, find_misfit

        text = _engine.as_text(self)
        normal_text = convert_to_nfc(text)
        if normal_text == text:
            unchanged: Any = self
            return unchanged
        position = find_misfit(text)
        if position >= 0:
            character = f"character U+{ord(text[position]):04X}"
            reason = f"invalid {character}: its NFC form is a reserved or invalid ASCII character"
            hint = "percent-encode it"
            raise ConvertError(text, position, "text", "ucschar", reason, hint)
        return self._plain_type()(normal_text)

    @property
    def bidi_findings(self) -> tuple[BidiFinding, ...]:
        """The violations of the rules for right-to-left text in IRIs ([RFC 3987, section 4][1]).

        An IRI must not contain characters that control the direction of text (RFC 3987, 4.1). A
        string should not mix right-to-left and left-to-right letters, and a string with
        right-to-left letters should begin and end with them (RFC 3987, 4.2). As the RFC suggests,
        these two rules apply to each label of the host, to each piece of a path segment between
        dots, and to each name and value in the query. They also apply to the whole userinfo and to
        the whole fragment.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4

        >>> from uriverse import IRI
        >>> [(f.code, f.start, f.end) for f in IRI("http://a/א1").bidi_findings]
        [('bidi-edge', 9, 11)]
        """
        from uriverse._spec.bidi import bidi_findings

        return tuple(bidi_findings(_engine.as_text(self)))


def require_idna(host: str) -> None:
    if host != "idna":
        from uriverse._errors import quote_argument

        raise ValueError(f"host must be 'percent' or 'idna', not {quote_argument(host)}")


def decode_a_labels(iri: _engine.Identifier) -> _engine.Identifier:
    """Return a copy of the IRI with U-labels, or the IRI if they convert to another host."""
    host = iri.host
    if host is None or "xn--" not in host.lower():
        return iri
    from uriverse._errors import URIError
    from uriverse._spec.domain import LABEL, LONGEST_TEXT

    if len(host) > LONGEST_TEXT:
        return iri
    decoded = LABEL.sub(lambda label: _engine.to_unicode(label[0]), host)
    text, (start, end) = _engine.as_text(iri), iri._bounds[2:4]
    try:
        candidate = _engine.parse(text[:start] + decoded + text[end:])
        is_restored = decoded != host and convert_domain(candidate) == convert_domain(iri)
    except URIError:  # the host is an IPvFuture, or not a valid domain name
        return iri
    return candidate if is_restored else iri


def convert_domain(value: _engine.Identifier) -> _engine.Identifier:
    """Return a copy of the URI with its internationalized host converted to an ASCII domain name.

    Non-ASCII characters are converted even if they are percent-encoded. A URI with an ASCII host is
    returned unchanged.
    """
    host = value.host
    if host is None or (host.isascii() and "%" not in host):
        return value
    # Imported late, because most hosts are ASCII and not percent-encoded.
    from uriverse._errors import ConvertError

    decoded = host if "%" not in host else decode_iri_host(host)
    if decoded is None:
        return value
    text = _engine.as_text(value)
    start, end = value._bounds[2], value._bounds[3]
    try:
        domain = _engine.to_ascii(decoded)
    except ConvertError as error:
        # If the host was percent-encoded, the position of the label is unknown.
        error.position = start + (error.position if decoded == host else 0)
        error.text = text
        raise
    # The domain consists of letters, digits, hyphens, underscores and dots, so it replaces the host
    # and cannot affect another component.
    return _engine.parse(text[:start] + domain + text[end:])


def decode_iri_host(host: str) -> str | None:
    """Percent-decode a host; return `None` if it contains no character or octet beyond ASCII."""
    from uriverse._spec.percent import PAST_ASCII, decode_iri_characters, decode_unreserved_triplets

    if host.isascii() and not PAST_ASCII.search(host):
        return None
    return decode_iri_characters(decode_unreserved_triplets(host), "host", upper=True)
