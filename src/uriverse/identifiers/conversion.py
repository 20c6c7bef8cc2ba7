"""Convert between IRIs and URIs, to a form for display, and to Unicode Normalization Form C."""

from __future__ import annotations

from uriverse import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from uriverse._spec.bidi import BidiFinding
    from uriverse.typing import HostForm


class Convertible(_engine.Identifier):
    """Mixin of the four types: methods that convert an identifier to other forms."""

    __slots__ = ()

    def to_uri(self, *, host: HostForm = "percent") -> _engine.Identifier:
        """Map to a URI ([RFC 3987, 3.1][1]): percent-encode non-ASCII characters.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

        Args:
            host: `"percent"` percent-encodes a non-ASCII host. `"idna"` converts it to the domain
                name that is looked up, by IDNA 2008 after the UTS 46 mapping. An ASCII host is
                unchanged unless it has percent-encoded non-ASCII characters. Full-width digits
                become an IPv4 address, as in browsers.

        Returns:
            A `URI` (with a scheme) or a `URIReference` (without); this object itself if it has
            one of these types.

        Raises:
            ConvertError: a label of the host is not valid in a domain name.
            ValueError: `host` is neither `"percent"` nor `"idna"`.

        >>> from uriverse import IRI
        >>> IRI("http://bücher.example/rosé").to_uri()
        URI('http://b%C3%BCcher.example/ros%C3%A9')
        >>> IRI("http://bücher.example/rosé").to_uri(host="idna")
        URI('http://xn--bcher-kva.example/ros%C3%A9')
        """
        if host == "percent":
            return self._to_uri()
        if host != "idna":
            raise ValueError(f"host must be 'percent' or 'idna', not {host!r}")
        return with_domain(self)._to_uri()

    def to_iri(self) -> _engine.Identifier:
        """Map to an IRI ([RFC 3987, 3.2][1]): decode the characters that an IRI allows.

        These are non-ASCII characters. ASCII characters are never decoded, and neither are octets
        that are not strictly legal UTF-8, private-use characters outside the query, or
        bidirectional formatting characters. The result maps back to an equivalent URI.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

        Triplets of non-ASCII octets that remain are converted to upper case, because the RFC
        encodes these octets again.

        Returns:
            An `IRI` (with a scheme) or an `IRIReference` (without), or a `URI` or a `URIReference`
            if the result is ASCII; this object itself if nothing changes.

        >>> from uriverse import URI
        >>> URI("http://example.org/D%C3%BCrst/%FC%2F%E2%80%AE").to_iri()
        IRI('http://example.org/Dürst/%FC%2F%E2%80%AE')
        """
        return self._to_iri()

    def display(self) -> str:
        """Return the identifier for display: decoded unless misleading, and with passwords masked.

        A domain name is shown in Unicode if it converts back to the same name, is in a single
        script, and does not imitate Latin letters. Characters that are invisible, look like a
        delimiter or mix directions stay encoded. If a label of the host stays encoded,
        `uriverse.check` reports the reason (`misleading-host`). Show the result in a left-to-right
        context ([RFC 3987, 4.1][1]); for any other purpose, use `str()`.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

        >>> from uriverse import URI
        >>> URI("http://xn--bcher-kva.example/%C3%A9%E2%80%AE").display()
        'http://bücher.example/é%E2%80%AE'
        >>> URI("http://xn--80ak6aa92e.com/").display()  # Cyrillic, and looks like apple.com
        'http://xn--80ak6aa92e.com/'
        """
        from .display import display

        return display(str(self))

    @property
    def is_nfc(self) -> bool:
        """Whether the identifier is in Normalization Form C, so that `nfc` changes nothing.

        See [RFC 3987, 5.3.2.2][1]. Triplets, and marks after a delimiter, are ignored.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").is_nfc, IRI("http://a/é").is_nfc
        (False, True)
        """
        from uriverse._spec.nfc import is_nfc

        return is_nfc(str(self))

    def nfc(self) -> Self:
        """Convert to Unicode Normalization Form C; no other operation ever applies it.

        Triplets and delimiters are unchanged. The result may not be equivalent to the original
        under RFC 3987, so use this when you create identifiers, not on identifiers that you
        receive.

        Raises:
            ConvertError: the normal form of a character is a delimiter, or is not allowed in an
                identifier (U+037E, U+1FEF).

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").nfc()
        IRI('http://a/é')
        """
        from uriverse._spec.nfc import misfit, nfc
        from uriverse.errors import ConvertError

        text = str(self)
        form = nfc(text)
        if form == text:
            return self
        position = misfit(text)
        if position >= 0:
            character = f"U+{ord(text[position]):04X}"
            reason = f"invalid {character}: its normal form is an ASCII character that is not data"
            hint = "percent-encode it"
            raise ConvertError(text, position, "text", "ucschar", reason, hint)
        return type(self)(form)

    @property
    def bidi_findings(self) -> tuple[BidiFinding, ...]:
        """Violations of the rules for bidirectional text in [RFC 3987, section 4][1].

        Characters that format bidirectional text are not allowed in an IRI (4.1). A component
        should have one direction, and should begin and end with it if that is right-to-left
        (4.2). As the section suggests, the labels of a host, the extensions of a segment, and the
        names and values of a query are components of their own.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4

        >>> from uriverse import IRI
        >>> [(f.code, f.start, f.end) for f in IRI("http://a/א1").bidi_findings]
        [('bidi-edge', 9, 11)]
        """
        from uriverse._spec.bidi import bidi_findings

        return tuple(bidi_findings(str(self)))


def with_domain(value: Convertible) -> _engine.Identifier:
    """Convert a non-ASCII host, percent-encoded or not, to an ASCII domain name."""
    host = value.host
    if host is None or (host.isascii() and "%" not in host):
        return value
    from uriverse._spec.domain import to_ascii
    from uriverse._spec.percent import PAST_ASCII, with_characters_decoded, with_unreserved_decoded
    from uriverse.errors import ConvertError

    if host.isascii() and not PAST_ASCII.search(host):
        return value
    decoded = with_characters_decoded(with_unreserved_decoded(host), "host", upper=True)
    text = str(value)
    start, end = value._bounds[2], value._bounds[3]
    try:
        domain = to_ascii(decoded)
    except ConvertError as error:
        # If the host was percent-encoded, the position of the label is unknown.
        error.position = start + (error.position if decoded == host else 0)
        error.text = text
        raise
    # The domain consists of letters, digits, hyphens, underscores and dots, so it replaces the host
    # and cannot affect another component.
    return _engine.parse(text[:start] + domain + text[end:])
