"""Mail addresses, and what a message to them begins with ([RFC 6068][1]).

[1]: https://www.rfc-editor.org/rfc/rfc6068
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Self, cast, final

from uriverse import percent
from uriverse._spec.components import all_parts, composed
from uriverse.errors import BuildError, ConvertError
from uriverse.identifiers.building import part_text
from uriverse.schemes.mailto import (
    ONCE_FIELDS,
    Mailto,
    equivalence,
    read,
    recipients,
    written_address,
    written_hfield,
)

from .decoding import decode
from .view import View


@final
class MailtoURI(View):
    r"""A URI of mail addresses ([RFC 6068](https://www.rfc-editor.org/rfc/rfc6068)).

    Immutable. Values are data, decoded once: they may hold line breaks, which a program that
    makes a message of them has to refuse but in the body. It also has to ignore fields as
    `From` ([section 3][1]), which are read as all others.

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3

    Args:
        uri: the URI, or its text.

    Raises:
        ParseError: it is no mailto URI.

    >>> mail = MailtoURI("mailto:joe@example.com?cc=bob@example.com&body=hello%0D%0Ajoe")
    >>> mail.to, mail.cc, mail.body
    (('joe@example.com',), ('bob@example.com',), 'hello\r\njoe')
    """

    __slots__ = ("_mailto",)

    SCHEMES: ClassVar[tuple[str, ...]] = ("mailto",)
    RULE: ClassVar[str] = "mailtoURI"

    _mailto: Mailto

    def _read(self) -> None:
        object.__setattr__(self, "_mailto", read(str(self)))

    # --- whom it is for

    @property
    def to(self) -> tuple[str, ...]:
        """The addresses, decoded: those of the path, and then those of `to` header fields.

        So [section 2](https://www.rfc-editor.org/rfc/rfc6068#section-2) takes the two. In the
        path each address is decoded by itself. The value of a header field is decoded as a
        whole, and is a list of [RFC 5322, 3.4][1]: there `%2C` parts addresses, and they may be
        with a name, as in `Joe <joe@example.com>`.

        [1]: https://www.rfc-editor.org/rfc/rfc5322#section-3.4

        Raises:
            ConvertError: what is encoded in a `to` header field is not UTF-8.

        >>> MailtoURI("mailto:addr1@an.example?to=addr2@an.example").to
        ('addr1@an.example', 'addr2@an.example')
        """
        of_path = (f"{decode(each.local_part)}@{decode(each.domain)}" for each in self._mailto.to)
        return (*of_path, *self._addresses("to"))

    @property
    def cc(self) -> tuple[str, ...]:
        """The addresses that get a copy, decoded.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?cc=a@example.org%2C%20%22b%2Cc%22@example.org").cc
        ('a@example.org', '"b,c"@example.org')
        """
        return self._addresses("cc")

    @property
    def bcc(self) -> tuple[str, ...]:
        """The addresses that get a blind copy, decoded; whoever sees the URI sees them.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?bcc=a@example.org").bcc
        ('a@example.org',)
        """
        return self._addresses("bcc")

    # --- what it says

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """All header fields, decoded, in their order; with `body` and those of addresses.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?Subject=caf%C3%A9&blat=foop").headers
        (('Subject', 'café'), ('blat', 'foop'))
        """
        return tuple(
            (self._text(each.hfname, each.start), self._text(each.hfvalue, each.value_start))
            for each in self._mailto.hfields
        )

    def header(self, name: str) -> tuple[str, ...]:
        """The values of the header fields of that name, which is compared without case.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?keywords=a&Keywords=b").header("Keywords")
        ('a', 'b')
        """
        return tuple(self._text(value, start) for value, start in self._values(name))

    @property
    def subject(self) -> str | None:
        """The subject, of several the first; `None` without one.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?subject=current-issue").subject
        'current-issue'
        """
        return next(iter(self.header("subject")), None)

    @property
    def body(self) -> str | None:
        r"""The text of the message, of several the first; `None` without one.

        Raises:
            ConvertError: what is encoded there is not UTF-8.

        >>> MailtoURI("mailto:?body=send%20current-issue%0D%0Asend%20index").body
        'send current-issue\r\nsend index'
        """
        return next(iter(self.header("body")), None)

    # --- comparing

    def _scheme_key(self) -> str:
        """A comparison key, equal for URIs with the same message ([section 2][1]) and fragment.

        Percent-encoding, the case of domains and of the names of header fields, whether a
        domain is in Unicode or in ASCII, and whether addresses are in the path or in a `to`
        header field make no difference. The order of addresses and fields does.

        [1]: https://www.rfc-editor.org/rfc/rfc6068#section-2

        >>> MailtoURI("mailto:?TO=%61@B").comparison_key()
        'mailto:a@b'
        """
        return composed(equivalence(all_parts(str(self.uri.normalize()))))

    # --- making one

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
        r"""The URI of a message; what is given is data, and encoded.

        Args:
            to: the addresses, without names of people.
            subject: the subject; `None` for none, `""` for an empty one.
            body: the text; `None` for none. Line breaks of any kind are written as `%0D%0A`.
            cc: the addresses that get a copy.
            bcc: the addresses that get a blind copy; whoever sees the URI sees them.
            headers: names and values of other header fields, as a mapping or as pairs. Also
                those that whoever makes the message MUST ignore, as `From` ([section 3][1]):
                it is for them to do so, and no rule for what is written.

        [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3

        Raises:
            BuildError: an address is no addr-spec of RFC 6068, or has in its domain what
                would be percent-encoded in ASCII; something but the body has a line break or
                another control, or the body a NUL; a name is none of a header field, or what
                a message has once is given twice.
            TypeError: something is of the wrong type.

        >>> MailtoURI.build(["gorby%kremvax@example.com"], subject="a & b", body="one\ntwo")
        MailtoURI('mailto:gorby%25kremvax@example.com?subject=a%20%26%20b&body=one%0D%0Atwo')
        """
        path = ",".join(written_addresses(to))
        fields: list[str] = []
        for name, given in (("cc", cc), ("bcc", bcc)):
            found = ",".join(written_addresses(given))
            if found:
                # In a query a "+" may be read as a space.
                fields.append(f"{name}={found.replace('+', '%2B')}")
        for name, value in (("subject", subject), ("body", body)):
            if value is not None:
                fields.append(written_hfield(name, part_text(name, value)))
        fields += [written_hfield(name, value) for name, value in pairs(headers)]
        reject_twice(["to"] * bool(path) + [field.partition("=")[0] for field in fields])
        return cls(f"mailto:{path}?{'&'.join(fields)}" if fields else f"mailto:{path}")

    # --- how it is done

    def _values(self, name: str) -> Iterator[tuple[str, int]]:
        """The values of that name, as they are written, and where they stand."""
        for hfield in self._mailto.hfields:
            if decode(hfield.hfname).lower() == name.lower():
                yield hfield.hfvalue, hfield.value_start

    def _addresses(self, name: str) -> tuple[str, ...]:
        """The addresses in the header fields of that name, decoded."""
        values = (self._text(value, start) for value, start in self._values(name))
        return tuple(address for value in values for address in recipients(value))

    def _text(self, written: str, start: int) -> str:
        """What stands there, decoded."""
        try:
            return percent.decode(written)
        except ConvertError as error:
            position, hint = start + error.position, "the URI should have it as UTF-8"
            raise ConvertError(str(self), position, "query", "hfield", error.reason, hint) from None


def written_addresses(addresses: Iterable[str]) -> Iterator[str]:
    """Addresses as they are written."""
    if isinstance(addresses, str):
        raise TypeError("addresses are given one by one, not as one str")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"an address is a str, not {type(address).__name__}")
        yield written_address(address)


def pairs(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The names and values of header fields."""
    is_mapping = isinstance(headers, Mapping)
    for field in cast("Mapping[str, str]", headers).items() if is_mapping else headers:
        match field:
            case (str(name), str(value)):
                yield name, value
            case _:
                raise TypeError("a header field is given as a pair of str, its name and its value")


def reject_twice(names: Iterable[str]) -> None:
    """Refuse that what a message has once is given twice."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen & ONCE_FIELDS:
            reason, hint = "a message has this header field once", "give all that it has at once"
            raise BuildError(name, 0, "query", "hfname", reason, hint)
        seen.add(name.lower())
