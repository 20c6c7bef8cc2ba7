"""View of `mailto` URIs: recipients, header fields and the body of a message ([RFC 6068][1]).

[1]: https://www.rfc-editor.org/rfc/rfc6068
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Self, cast, final

from uriverse import percent
from uriverse._spec.components import all_parts, composed
from uriverse._spec.percent import ENCODE_AS_UTF8
from uriverse.errors import BuildError, ConvertError
from uriverse.identifiers.building import part_text
from uriverse.schemes.mailto import (
    ONCE_FIELDS,
    Mailto,
    equivalence,
    parse_mailto,
    recipients,
    written_address,
    written_hfield,
)

from .decoding import decode
from .view import View


@final
class MailtoURI(View):
    r"""Recipients, header fields and body of a message, as [RFC 6068][2] encodes them in a URI.

    Immutable. Values are data, decoded once. They may contain line breaks, which a program that
    creates a message must reject everywhere but in the body. The program must also ignore fields
    such as `From` ([section 3][1]), which are parsed here like all others.

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3
    [2]: https://www.rfc-editor.org/rfc/rfc6068

    Args:
        uri: a string, an identifier or a view.

    Raises:
        ParseError: `uri` is not a mailto URI.

    >>> mail = MailtoURI("mailto:joe@example.com?cc=bob@example.com&body=hello%0D%0Ajoe")
    >>> mail.to, mail.cc, mail.body
    (('joe@example.com',), ('bob@example.com',), 'hello\r\njoe')
    """

    __slots__ = ("_mailto",)

    SCHEMES: ClassVar[tuple[str, ...]] = ("mailto",)
    RULE: ClassVar[str] = "mailtoURI"

    _mailto: Mailto

    def _parse(self) -> None:
        object.__setattr__(self, "_mailto", parse_mailto(str(self)))

    # --- recipients

    @property
    def to(self) -> tuple[str, ...]:
        """The addresses, decoded: first those in the path, then those in `to` header fields.

        [Section 2](https://www.rfc-editor.org/rfc/rfc6068#section-2) treats the two alike. In the
        path, each address is decoded separately. The value of a header field is decoded as a whole,
        and is an address list of [RFC 5322, 3.4][1]: there, `%2C` separates addresses, and an
        address may have a display name, as in `Joe <joe@example.com>`.

        [1]: https://www.rfc-editor.org/rfc/rfc5322#section-3.4

        Raises:
            ConvertError: the encoded octets of a `to` header field are not UTF-8.

        >>> MailtoURI("mailto:addr1@an.example?to=addr2@an.example").to
        ('addr1@an.example', 'addr2@an.example')
        """
        of_path = (f"{decode(each.local_part)}@{decode(each.domain)}" for each in self._mailto.to)
        return (*of_path, *self._addresses("to"))

    @property
    def cc(self) -> tuple[str, ...]:
        """The addresses that receive a copy, decoded.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?cc=a@example.org%2C%20%22b%2Cc%22@example.org").cc
        ('a@example.org', '"b,c"@example.org')
        """
        return self._addresses("cc")

    @property
    def bcc(self) -> tuple[str, ...]:
        """The addresses that receive a blind copy, decoded; visible to everyone who sees the URI.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?bcc=a@example.org").bcc
        ('a@example.org',)
        """
        return self._addresses("bcc")

    # --- header fields and body

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """All header fields, decoded, in order; including `body` and the address fields.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?Subject=caf%C3%A9&blat=foop").headers
        (('Subject', 'café'), ('blat', 'foop'))
        """
        return tuple(
            (self._text(each.hfname, each.start), self._text(each.hfvalue, each.value_start))
            for each in self._mailto.hfields
        )

    def header(self, name: str) -> tuple[str, ...]:
        """Return the values of all header fields with this name, which is case-insensitive.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?keywords=a&Keywords=b").header("Keywords")
        ('a', 'b')
        """
        return tuple(self._text(value, start) for value, start in self._values(name))

    @property
    def subject(self) -> str | None:
        """The subject, or the first one of several; `None` without a subject.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?subject=current-issue").subject
        'current-issue'
        """
        return next(iter(self.header("subject")), None)

    @property
    def body(self) -> str | None:
        r"""The body of the message, or the first one of several; `None` without a body.

        Raises:
            ConvertError: the encoded octets are not UTF-8.

        >>> MailtoURI("mailto:?body=send%20current-issue%0D%0Asend%20index").body
        'send current-issue\r\nsend index'
        """
        return next(iter(self.header("body")), None)

    # --- comparing

    def _scheme_key(self) -> str:
        """Return a comparison key, equal for equivalent messages ([section 2][1]) and fragments.

        The key does not depend on percent-encoding, on the case of domains and of the names of
        header fields, on whether a domain is in Unicode or in ASCII, or on whether addresses are in
        the path or in a `to` header field. It does depend on the order of addresses and fields.

        [1]: https://www.rfc-editor.org/rfc/rfc6068#section-2

        >>> MailtoURI("mailto:?TO=%61@B").comparison_key()
        'mailto:a@b'
        """
        return composed(equivalence(all_parts(str(self.uri.normalize()))))

    # --- building

    @classmethod
    def build(
        cls,
        to: Iterable[str] = (),
        *,
        subject: str | None = None,
        body: str | None = None,
        cc: Iterable[str] = (),
        bcc: Iterable[str] = (),
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> Self:
        r"""Build a mailto URI; all arguments are data, and are percent-encoded.

        Args:
            to: the addresses, without display names.
            subject: the subject; `None` for no subject, `""` for an empty one.
            body: the body; `None` for no body. Line breaks of any kind are written as `%0D%0A`.
            cc: the addresses that receive a copy.
            bcc: the addresses that receive a blind copy; visible to everyone who sees the URI.
            headers: names and values of other header fields, as a mapping or as pairs. Fields that
                mail programs MUST ignore, such as `From` ([section 3][1]), are accepted: that rule
                applies to the programs, not to the URI.

        [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3

        Raises:
            BuildError: an address is not an addr-spec of RFC 6068, or its domain contains ASCII
                characters that would have to be percent-encoded; the body contains a NUL, or
                another value a line break or another control character; the name of a header field
                is invalid; or a field that a message has at most once is given twice.
            TypeError: an argument is of the wrong type.

        >>> MailtoURI.build(["gorby%kremvax@example.com"], subject="a & b", body="one\ntwo")
        MailtoURI('mailto:gorby%25kremvax@example.com?subject=a%20%26%20b&body=one%0D%0Atwo')
        """
        path = ",".join(written_addresses(to))
        fields: list[str] = []
        for name, given in (("cc", cc), ("bcc", bcc)):
            found = ",".join(written_addresses(given))
            if found:
                # Many programs read a "+" in a query as a space.
                fields.append(f"{name}={found.replace('+', '%2B')}")
        for name, value in (("subject", subject), ("body", body)):
            if value is not None:
                fields.append(written_hfield(name, part_text(name, value)))
        fields += [written_hfield(name, value) for name, value in pairs(headers)]
        reject_twice(["to"] * bool(path) + [field.partition("=")[0] for field in fields])
        return cls(f"mailto:{path}?{'&'.join(fields)}" if fields else f"mailto:{path}")

    # --- implementation

    def _values(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield the values of all header fields with this name, as written, and their offsets."""
        for hfield in self._mailto.hfields:
            if decode(hfield.hfname).lower() == name.lower():
                yield hfield.hfvalue, hfield.value_start

    def _addresses(self, name: str) -> tuple[str, ...]:
        """Return the addresses in all header fields with this name, decoded."""
        values = (self._text(value, start) for value, start in self._values(name))
        return tuple(address for value in values for address in recipients(value))

    def _text(self, written: str, start: int) -> str:
        """Percent-decode a string that is at an offset of the URI."""
        try:
            return percent.decode(written)
        except ConvertError as error:
            position, reason = start + error.position, error.reason
            raise ConvertError(
                str(self), position, "query", "hfield", reason, ENCODE_AS_UTF8
            ) from None


def written_addresses(addresses: Iterable[str]) -> Iterator[str]:
    """Yield addresses as they are written in a mailto URI."""
    if isinstance(addresses, str):
        raise TypeError("addresses must be an iterable of str, not a single str")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"an address must be a str, not {type(address).__name__}")
        yield written_address(address)


def pairs(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of header fields."""
    is_mapping = isinstance(headers, Mapping)
    for field in cast("Mapping[str, str]", headers).items() if is_mapping else headers:
        match field:
            case (str(name), str(value)):
                yield name, value
            case _:
                raise TypeError("a header field must be a pair of str: a name and a value")


def reject_twice(names: Iterable[str]) -> None:
    """Raise `BuildError` if a field that a message has at most once is given twice."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen & ONCE_FIELDS:
            reason, hint = "duplicate header field", "pass the whole value of the field at once"
            raise BuildError(name, 0, "query", "hfname", reason, hint)
        seen.add(name.lower())
