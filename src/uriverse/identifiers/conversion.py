"""IRIs as URIs and back, for people, and in one Unicode form."""

from __future__ import annotations

from uriverse import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from uriverse._spec.bidi import BidiFinding
    from uriverse.typing import HostForm


class Convertible(_engine.Identifier):
    """What has other forms; the four types are this."""

    __slots__ = ()

    def to_uri(self, *, host: HostForm = "percent") -> _engine.Identifier:
        """The URI that it maps to ([RFC 3987, 3.1][1]): what is past ASCII is percent-encoded.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

        Args:
            host: `"idna"` makes a domain name of a host past ASCII, as it is looked up: by
                IDNA 2008, after the mapping of UTS 46. A host in ASCII stays as it is, if it
                has none past ASCII percent-encoded. Digits of full width become an IPv4
                address, as in browsers.

        Returns:
            A `URI` or, without a scheme, a `URIReference`; this itself if it is one of them.

        Raises:
            ConvertError: a label of the host is none that a domain name can have.
            ValueError: there is no such form of a host.

        >>> from uriverse import IRI
        >>> IRI("http://bücher.example/rosé").to_uri()
        URI('http://b%C3%BCcher.example/ros%C3%A9')
        >>> IRI("http://bücher.example/rosé").to_uri(host="idna")
        URI('http://xn--bcher-kva.example/ros%C3%A9')
        """
        if host == "percent":
            return self._to_uri()
        if host != "idna":
            raise ValueError(f"{host!r} is neither 'percent' nor 'idna'")
        return with_domain(self)._to_uri()

    def to_iri(self) -> _engine.Identifier:
        """The IRI that it maps to ([RFC 3987, 3.2][1]): what an IRI may hold is decoded.

        That is characters past ASCII. Nothing in ASCII is decoded; nor what is not strictly
        legal UTF-8, private use outside of the query, or a character that formats text
        which runs both ways. It maps back to an equivalent URI.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

        What stays of octets past ASCII is in upper case, as the RFC encodes it again.

        Returns:
            An `IRI` or, without a scheme, an `IRIReference`, or if nothing past ASCII is in
            it a `URI` or a `URIReference`; this itself, if nothing changes.

        >>> from uriverse import URI
        >>> URI("http://example.org/D%C3%BCrst/%FC%2F%E2%80%AE").to_iri()
        IRI('http://example.org/Dürst/%FC%2F%E2%80%AE')
        """
        return self._to_iri()

    def display(self) -> str:
        """Return the identifier for display: decoded unless misleading, and with passwords masked.

        A domain name is shown in Unicode, if that leads back to the same name, is of one
        script, and does not look like another in Latin letters. Characters that are invisible,
        look like a delimiter or mix directions stay encoded. If a label of the host does,
        `uriverse.check` reports the reason (`misleading-host`). Show the result in a context
        from left to right ([RFC 3987, 4.1][1]); for anything else, use `str()`.

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
        """Whether `nfc` changes nothing ([RFC 3987, 5.3.2.2][1]).

        What is percent-encoded, and marks after a delimiter, are not looked at.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").is_nfc, IRI("http://a/é").is_nfc
        (False, True)
        """
        from uriverse._spec.nfc import is_nfc

        return is_nfc(str(self))

    def nfc(self) -> Self:
        """The same in Unicode's Normalization Form C; no other operation ever applies it.

        What is percent-encoded stays as it is, and so does what delimits. The form makes one
        of what RFC 3987 does not call equivalent, so it is a step for those who make
        identifiers, not for those who are given them.

        Raises:
            ConvertError: it has a character whose form would delimit, or can't stand in an
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
            reason = f"the form of U+{ord(text[position]):04X} is of ASCII, and not data there"
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
    """An identifier whose host, if it is past ASCII, is written as a domain name is looked up."""
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
        # Where it was encoded, the place of a label is not known.
        error.position = start + (error.position if decoded == host else 0)
        error.text = text
        raise
    # Letters, digits, hyphens, underscores: it takes the host's place, and no other.
    return _engine.parse(text[:start] + domain + text[end:])
