"""Parse and build `mailto` URIs, which describe an email message ([RFC 6068][1]).

[1]: https://www.rfc-editor.org/rfc/rfc6068
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Self, cast, final

from uriverse import percent
from uriverse._errors import BuildError, ConvertError
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import ENCODE_AS_UTF8
from uriverse._uri.building import convert_component
from uriverse._uri.engine import as_text
from uriverse._uri.segments import decode_segment
from uriverse.schemes._mailto import (
    ONCE_FIELDS,
    encode_address,
    encode_hfield,
    parse_mailto,
    split_recipients,
)

from .base import TypedURI


@final
class MailtoURI(TypedURI):
    r"""A `mailto` URI: the recipients, header fields and body of an email message ([RFC 6068][2]).

    All values are percent-decoded strings. They may contain line breaks, which a mail program must
    reject in header fields. It must also ignore unsafe fields such as `From` ([RFC 6068, section
    3][1]); this class returns them like all other fields.

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3
    [2]: https://www.rfc-editor.org/rfc/rfc6068

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid `mailto` URI.
        TypeError: `text` is neither a `str` nor a URI.

    >>> mail = MailtoURI("mailto:joe@example.com?cc=bob@example.com&body=hello%0D%0Ajoe")
    >>> mail.to, mail.cc, mail.body
    (('joe@example.com',), ('bob@example.com',), 'hello\r\njoe')
    """

    __module__ = "uriverse"

    __slots__ = ("_mailto",)

    _schemes = ("mailto",)
    _scheme_rule = "mailtoURI"

    def _check_scheme_rules(self) -> None:
        self._mailto = parse_mailto(as_text(self))

    @property
    def to(self) -> tuple[str, ...]:
        """The decoded addresses of the recipients, from the path and from `to` header fields.

        The tuple contains the addresses in the path first. An address in the path and an address in
        a `to` field mean the same ([RFC 6068, section 2][2]). The tuple is empty if the URI has no
        recipients.

        In the path, each address is decoded separately. A header field is decoded as a whole, and
        then parsed as an address list of [RFC 5322, 3.4][1]. In a header field, `%2C` therefore
        separates addresses; in the path, it is a comma within an address. A header field may also
        have a display name, as in `Joe <joe@example.com>`. The tuple then contains the display name
        and the address as one string.

        [1]: https://www.rfc-editor.org/rfc/rfc5322#section-3.4
        [2]: https://www.rfc-editor.org/rfc/rfc6068#section-2

        Raises:
            ConvertError: a `to` header field is not valid UTF-8 after decoding. Addresses in the
                path are always valid UTF-8, because the parser rejects all others.

        >>> MailtoURI("mailto:addr1@an.example?to=addr2@an.example").to
        ('addr1@an.example', 'addr2@an.example')
        """
        path_addresses = ("@".join(map(decode_segment, address)) for address in self._mailto.to)
        return (*path_addresses, *self._list_addresses("to"))

    @property
    def cc(self) -> tuple[str, ...]:
        """The addresses in the `cc` header field, decoded; `()` if the URI has no such field.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?cc=a@example.org%2C%20%22b%2Cc%22@example.org").cc
        ('a@example.org', '"b,c"@example.org')
        """
        return self._list_addresses("cc")

    @property
    def bcc(self) -> tuple[str, ...]:
        """The addresses in the `bcc` header field, decoded; `()` if the URI has no such field.

        The addresses are not secret: everyone with access to the URI sees them.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?bcc=a@example.org").bcc
        ('a@example.org',)
        """
        return self._list_addresses("bcc")

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The decoded names and values of all header fields, in order, including `body` and `to`.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?Subject=caf%C3%A9&blat=foop").headers
        (('Subject', 'café'), ('blat', 'foop'))
        """
        return tuple(
            (
                self._decode_field(hfield.hfname, hfield.start),
                self._decode_field(hfield.hfvalue, hfield.value_start),
            )
            for hfield in self._mailto.hfields
        )

    def header(self, name: str) -> tuple[str, ...]:
        """Return the decoded values of all header fields with the given name.

        Args:
            name: the name of the header fields, in any case.

        Returns:
            The values in order; `()` if no header field has this name.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?keywords=a&Keywords=b").header("Keywords")
        ('a', 'b')
        """
        return tuple(self._decode_field(value, start) for value, start in self._find_values(name))

    @property
    def subject(self) -> str | None:
        """The decoded subject of the message, or `None` if the URI has no subject.

        If the URI has several subjects, this is the first one.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?subject=current-issue").subject
        'current-issue'
        """
        return next(iter(self.header("subject")), None)

    @property
    def body(self) -> str | None:
        r"""The decoded body of the message, or `None` if the URI has no body.

        If the URI has several bodies, this is the first one.

        Raises:
            ConvertError: a header field is not valid UTF-8 after decoding.

        >>> MailtoURI("mailto:?body=send%20current-issue%0D%0Asend%20index").body
        'send current-issue\r\nsend index'
        """
        return next(iter(self.header("body")), None)

    @classmethod
    def from_parts(
        cls,
        to: Iterable[str] = (),
        *,
        subject: str | None = None,
        body: str | None = None,
        cc: Iterable[str] = (),
        bcc: Iterable[str] = (),
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> Self:
        r"""Build a `mailto` URI for a message with these recipients, header fields and body.

        Pass all arguments unencoded: `from_parts` percent-encodes them where necessary.

        Args:
            to: the addresses of the recipients, without display names.
            subject: the subject; `None` for no subject, `""` for an empty one.
            body: the body; `None` for no body, `""` for an empty one. Each line break becomes
                `%0D%0A`.
            cc: the addresses that receive a copy (Cc).
            bcc: the addresses that receive a blind copy (Bcc). Everyone with access to the URI sees
                them.
            headers: the names and values of other header fields, as a mapping or as pairs. Fields
                that mail programs must ignore, such as `From`, are accepted
                ([RFC 6068, section 3][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3

        Raises:
            BuildError: an address is not valid under RFC 6068, or its domain contains an ASCII
                character that would have to be percent-encoded; the body contains a NUL, or another
                value contains a control character; the name of a header field is invalid; or a
                field that may occur only once is given twice.
            TypeError: an argument has the wrong type.

        >>> MailtoURI.from_parts(["gorby%kremvax@example.com"], subject="a & b", body="one\ntwo")
        MailtoURI('mailto:gorby%25kremvax@example.com?subject=a%20%26%20b&body=one%0D%0Atwo')
        """
        path = ",".join(encode_addresses(to))
        fields: list[str] = []
        for name, copy_addresses in (("cc", cc), ("bcc", bcc)):
            encoded = ",".join(encode_addresses(copy_addresses))
            if encoded:
                # Encode "+", because many programs decode "+" in a query as a space.
                fields.append(f"{name}={encoded.replace('+', '%2B')}")
        for name, value in (("subject", subject), ("body", body)):
            if value is not None:
                fields.append(encode_hfield(name, convert_component(name, value)))
        fields += [encode_hfield(name, value) for name, value in iterate_header_fields(headers)]
        # The path contains the addresses of the field To.
        names = ["to"] if path else []
        names += [field.partition("=")[0] for field in fields]
        reject_duplicates(names)
        return cls(f"mailto:{path}?{'&'.join(fields)}" if fields else f"mailto:{path}")

    def _find_values(self, name: str) -> Iterator[tuple[str, int]]:
        for hfield in self._mailto.hfields:
            if lowercase_ascii(decode_segment(hfield.hfname)) == lowercase_ascii(name):
                yield hfield.hfvalue, hfield.value_start

    def _list_addresses(self, name: str) -> tuple[str, ...]:
        values = (self._decode_field(value, start) for value, start in self._find_values(name))
        return tuple(address for value in values for address in split_recipients(value))

    def _decode_field(self, encoded: str, start: int) -> str:
        try:
            return percent.decode(encoded)
        except ConvertError as error:
            location = (as_text(self), start + error.position, "query", "hfield")
            raise ConvertError(*location, error.reason, ENCODE_AS_UTF8) from None


def encode_addresses(addresses: Iterable[str]) -> Iterator[str]:
    if isinstance(addresses, str):
        raise TypeError("addresses must be an iterable of str, not a single str")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"an address must be a str, not {type(address).__name__}")
        yield encode_address(address)


def iterate_header_fields(
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
) -> Iterator[tuple[str, str]]:
    is_mapping = isinstance(headers, Mapping)
    for field in cast("Mapping[str, str]", headers).items() if is_mapping else headers:
        match field:
            case (str(name), str(value)):
                yield name, value
            case _:
                raise TypeError("a header field must be a pair of str: a name and a value")


def reject_duplicates(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen & ONCE_FIELDS:
            hint = "combine the values, and pass the field only once"
            raise BuildError(name, 0, "query", "hfname", "duplicate header field", hint)
        seen.add(name.lower())
