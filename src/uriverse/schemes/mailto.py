"""Mail addresses, and what a message to them begins with ([RFC 6068][1]).

[1]: https://www.rfc-editor.org/rfc/rfc6068
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

from uriverse.errors import BuildError, ConvertError
from uriverse.percent import decode
from uriverse.spec.mailto import (
    ONCE_FIELDS,
    Mailto,
    read,
    split_at_commas,
    with_lower_domain,
    written_address,
    written_hfield,
)
from uriverse.views import Data, decoded

from .view import View

#: Header fields that are lists of addresses.
ADDRESS_FIELDS = {"to", "cc", "bcc"}


class MailtoURI(View):
    r"""A URI of mail addresses ([RFC 6068](https://www.rfc-editor.org/rfc/rfc6068)).

    Immutable. Values are data, decoded once: they may hold line breaks, which a program that
    makes a message of them has to refuse but in the body.

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

        So [section 2](https://www.rfc-editor.org/rfc/rfc6068#section-2) takes the two. What is
        in a header field may be with a name, as in `Joe <joe@example.com>`.

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

        >>> MailtoURI("mailto:?cc=a@example.org,%22b%2Cc%22@example.org").cc
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

    @property
    def equivalence_key(self) -> tuple[object, ...]:
        """What is equal for those that are equivalent; it can be hashed.

        Percent-encoding, the case of domains and of the names of header fields, and whether
        addresses are in the path or in a `to` header field make no difference, nor does a
        fragment. The order does.

        >>> MailtoURI("mailto:a@B").equivalence_key == MailtoURI("mailto:?TO=%61@b").equivalence_key
        True
        """
        to = [f"{decode(each.local_part)}@{decode(each.domain)}" for each in self._mailto.to]
        found: list[Data] = [with_lower_domain(address) for address in to]
        others: list[tuple[Data, Data | tuple[Data, ...]]] = []
        for hfield in self._mailto.hfields:
            name = decoded(hfield.hfname).lower()
            if name == "to":
                found += address_keys(hfield.hfvalue)
            elif name in ADDRESS_FIELDS:
                others.append((name, tuple(address_keys(hfield.hfvalue))))
            else:
                others.append((name, decoded(hfield.hfvalue)))
        return tuple(found), tuple(others)

    def equivalent(self, other: MailtoURI) -> bool:
        """Whether both are for the same message, by `equivalence_key`.

        >>> MailtoURI("mailto:joe@EXAMPLE.com").equivalent(MailtoURI("mailto:joe@example.com"))
        True
        """
        return self.equivalence_key == other.equivalence_key

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
        headers: Iterable[tuple[str, str]] = (),
    ) -> Self:
        r"""The URI of a message; what is given is data, and encoded.

        Args:
            to: the addresses, without names of people.
            subject: the subject; `None` for none, `""` for an empty one.
            body: the text; `None` for none. Line breaks of any kind are written as `%0D%0A`.
            cc: the addresses that get a copy.
            bcc: the addresses that get a blind copy; whoever sees the URI sees them.
            headers: names and values of other header fields.

        Raises:
            BuildError: an address is no addr-spec of RFC 6068; something but the body has a
                line break or another control; a name is none of a header field, or what a
                message has once is given twice.
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
                fields.append(written_hfield(*pair((name, value))))
        fields += [written_hfield(*pair(each)) for each in headers]
        refuse_twice(["to"] * bool(path) + [field.partition("=")[0] for field in fields])
        return cls(f"mailto:{path}?{'&'.join(fields)}" if fields else f"mailto:{path}")

    # --- how it is done

    def _values(self, name: str) -> Iterator[tuple[str, int]]:
        """The values of that name, as they are written, and where they stand."""
        for hfield in self._mailto.hfields:
            if decoded(hfield.hfname).lower() == name.lower():
                yield hfield.hfvalue, hfield.value_start

    def _addresses(self, name: str) -> tuple[str, ...]:
        """The addresses in the header fields of that name, decoded."""
        found: list[str] = []
        for value, start in self._values(name):
            at = start
            for written in split_at_commas(value):
                if written:
                    found.append(self._text(written, at))
                at += len(written) + 1
        return tuple(found)

    def _text(self, written: str, start: int) -> str:
        """What stands there, decoded."""
        try:
            return decode(written)
        except ConvertError as error:
            position, hint = start + error.position, "the URI should have it as UTF-8"
            raise ConvertError(str(self), position, "query", "hfield", error.reason, hint) from None


def address_keys(hfvalue: str) -> Iterator[Data]:
    """The addresses of a header field, as they are compared."""
    for written in split_at_commas(hfvalue):
        address = decoded(written)
        if address:
            yield with_lower_domain(address) if isinstance(address, str) else address


def written_addresses(addresses: Iterable[str]) -> Iterator[str]:
    """Addresses as they are written."""
    if isinstance(addresses, str):
        raise TypeError("addresses are given one by one, not as one str")
    for address in addresses:
        if not isinstance(address, str):
            raise TypeError(f"an address is a str, not {type(address).__name__}")
        yield written_address(address)


def pair(given: tuple[object, object]) -> tuple[str, str]:
    """The name and the value of a header field."""
    name, value = given
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError("the name and the value of a header field are str")
    return name, value


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse that what a message has once is given twice."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen & ONCE_FIELDS:
            reason, hint = "a message has this header field once", "give all that it has at once"
            raise BuildError(name, 0, "query", "hfname", reason, hint)
        seen.add(name.lower())
