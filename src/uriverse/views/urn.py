"""Uniform Resource Names ([RFC 8141](https://www.rfc-editor.org/rfc/rfc8141))."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar, NoReturn, Self, final
from uuid import UUID

from uriverse._engine import LONGEST_NUMBER
from uriverse._spec.components import all_parts, composed
from uriverse.errors import BuildError, ConvertError
from uriverse.identifiers.building import part_text
from uriverse.schemes import urn

from .view import View

#: A UUID as [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#section-4) writes it.
CANONICAL_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")

#: Numbers without leading zeros, with dots between them ([RFC 3061][1], after RFC 1778, 2.15).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc3061#section-2
DOTTED_NUMBERS = re.compile(r"(?:0|[1-9][0-9]*+)(?:\.(?:0|[1-9][0-9]*+))*+")

#: The digits of an ISBN, with or without a hyphen between two of them (RFC 3187). Only
#: one of ten may end with an X.
ISBN_DIGITS = re.compile("(?:[0-9]-?){9}[0-9Xx]|97[89]-?(?:[0-9]-?){9}[0-9]")

#: Above all numbers that are made digits.
TOO_LARGE = 10**LONGEST_NUMBER

#: What makes an ISBN of thirteen digits of one of ten (ISO 2108).
ISBN_PREFIX = "978"


@final
class URN(View):
    """A URN, as [RFC 8141, section 2](https://www.rfc-editor.org/rfc/rfc8141#section-2) has it.

    Components are strings as they are written; `None` is undefined. The syntax says nothing
    about single namespaces, so NIDs that cannot be registered, such as `urn-0` and `x-a`
    (section 5), are accepted. `check` reports those that begin with `urn-`.

    Args:
        uri: a string or an identifier.

    Raises:
        ParseError: `uri` is not a URN.
        TypeError: it is neither a `str` nor an identifier.

    >>> name = URN("urn:example:a/b?+r?=q#f")
    >>> name.nid, name.nss, name.r_component, name.q_component, name.f_component
    ('example', 'a/b', 'r', 'q', 'f')
    >>> name.equivalent(URN("URN:Example:a/b"))
    True
    """

    __slots__ = ("_parts",)

    SCHEMES: ClassVar[tuple[str, ...]] = ("urn",)
    RULE: ClassVar[str] = "namestring"
    CONTENTS: ClassVar[tuple[str, ...]] = ("uuid", "oid", "isbn")

    _parts: urn.Namestring

    def _read(self) -> None:
        parts = urn.namestring(str(self))
        if parts is None:
            self._reject(*urn.violation(str(self)))
        object.__setattr__(self, "_parts", parts)

    @classmethod
    def build(
        cls,
        nid: str,
        nss: str,
        *,
        r_component: str | None = None,
        q_component: str | None = None,
        f_component: str | None = None,
    ) -> Self:
        """Make one of its parts, given as text.

        Dot segments in the NSS stay as they are given, also encoded as `%2E`. Normalization
        keeps them; resolving the URN as a reference removes those that are not encoded.

        Args:
            nid: the namespace identifier.
            nss: the namespace specific string.
            r_component: parameters of the resolution, or `None`; never empty, and without "?=".
            q_component: parameters of the resource, or `None`; never empty.
            f_component: a fragment, or `None`; `""` is an empty one.

        Raises:
            BuildError: a part is not what its rule produces.
            TypeError: a part is no `str`.

        >>> URN.build("example", "a%20b", q_component="c=d")
        URN('urn:example:a%20b?=c=d')
        """
        text = "urn"
        for component, rule, delimiter, part in (
            ("path", "NID", ":", nid),
            ("path", "NSS", ":", nss),
            ("query", "r-component", "?+", r_component),
            ("query", "q-component", "?=", q_component),
            ("fragment", "f-component", "#", f_component),
        ):
            if part is not None or rule in {"NID", "NSS"}:
                text += f"{delimiter}{checked(part, component, rule)}"
        return cls(text)

    # --- the parts

    @property
    def nid(self) -> str:
        """The namespace identifier, as it is written; its case does not matter.

        >>> URN("urn:ISBN:0-395-36341-1").nid
        'ISBN'
        """
        return self._parts.nid

    @property
    def nss(self) -> str:
        """The namespace specific string: all up to the r-, q- or f-component.

        >>> URN("urn:example:a/b:c?=d").nss
        'a/b:c'
        """
        return self._parts.nss

    @property
    def r_component(self) -> str | None:
        """What is told to the [resolution][1], between "?+" and the first "?=", "#" or the end.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.1

        >>> URN("urn:example:a?+b?c?=d").r_component
        'b?c'
        """
        return self._parts.r_component

    @property
    def q_component(self) -> str | None:
        """What is told to the [resource][1], between "?=" and "#" or the end.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.2

        >>> URN("urn:example:a?=b?+c").q_component
        'b?+c'
        """
        return self._parts.q_component

    @property
    def f_component(self) -> str | None:
        """The [fragment][1].

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.3

        >>> URN("urn:example:a#b").f_component
        'b'
        """
        return self._parts.f_component

    @property
    def assigned_name(self) -> str:
        """The URN without r-, q- and f-component, as it is written.

        >>> URN("URN:example:a?+b").assigned_name
        'URN:example:a'
        """
        # The scheme is three characters long, however it is written.
        return f"{str(self)[: urn.NID_START]}{self.nid}:{self.nss}"

    # --- comparing

    def _scheme_key(self) -> str:
        """A comparison key, equal for [URN-equivalent][1] URNs: the normalized assigned-name.

        The case of the scheme, the NID and of triplets does not matter, nor do r-, q- and
        f-component. Triplets are never decoded, unlike for `URI.equivalent` (docs/schemes.md
        says why). The rules of single namespaces are not applied.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-3.1

        >>> URN("URN:EXAMPLE:a%2cb?=c").comparison_key()
        'urn:example:a%2Cb'
        >>> URN("urn:example:a%2cb").equivalent("urn:example:a,b")
        False
        """
        return composed(urn.equivalence(all_parts(str(self))))

    # --- what some namespaces name

    @property
    def uuid(self) -> UUID | None:
        """The UUID of a name of the namespace [uuid][1]; `None` in another.

        [1]: https://www.rfc-editor.org/rfc/rfc9562#section-4

        Raises:
            ConvertError: the NSS is no UUID in its canonical form, of either case.

        >>> URN("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6").uuid
        UUID('f81d4fae-7dec-11d0-a765-00a0c91e6bf6')
        """
        if self.nid.lower() != "uuid":
            return None
        if not CANONICAL_UUID.fullmatch(self.nss):
            self._inconvertible("UUID", "hexadecimal digits in groups of 8, 4, 4, 4 and 12")
        return UUID(self.nss)

    @property
    def oid(self) -> tuple[int, ...] | None:
        """The numbers of an object identifier, of the namespace [oid][1]; `None` in another.

        [1]: https://www.rfc-editor.org/rfc/rfc3061#section-2

        Raises:
            ConvertError: the NSS is not of numbers without leading zeros and dots between
                them; or a number has more than 640 digits.

        >>> URN("urn:oid:1.3.6.1").oid
        (1, 3, 6, 1)
        """
        if self.nid.lower() != "oid":
            return None
        if not DOTTED_NUMBERS.fullmatch(self.nss):
            self._inconvertible("OID", "numbers without leading zeros, and dots between them")
        numbers = self.nss.split(".")
        if max(map(len, numbers)) > LONGEST_NUMBER:
            self._inconvertible("OID", f"no more than {LONGEST_NUMBER} digits for a number")
        return tuple(map(int, numbers))

    @property
    def isbn(self) -> str | None:
        """The thirteen digits of an ISBN, of the namespace [isbn][1]; `None` in another.

        One of ten digits is told as the same of thirteen (ISO 2108). Hyphens are left out,
        wherever they part digits.

        [1]: https://www.rfc-editor.org/rfc/rfc3187#section-5

        Raises:
            ConvertError: the NSS is no ISBN, or its check digit is wrong.

        >>> URN("urn:isbn:0-395-36341-1").isbn, URN("urn:isbn:978-0-395-36341-6").isbn
        ('9780395363416', '9780395363416')
        """
        if self.nid.lower() != "isbn":
            return None
        found = thirteen_digits(self.nss)
        if found is None:
            self._inconvertible("ISBN", "10 or 13 digits, the last of which is the check digit")
        return found

    @classmethod
    def from_uuid(cls, uuid: UUID, /) -> Self:
        """The name of a UUID.

        Raises:
            TypeError: it is no `uuid.UUID`.

        >>> URN.from_uuid(UUID(int=10))
        URN('urn:uuid:00000000-0000-0000-0000-00000000000a')
        """
        if not isinstance(uuid, UUID):
            raise TypeError(f"a UUID is a uuid.UUID, not {type(uuid).__name__}")
        # A subclass may print itself otherwise; its number counts.
        return cls.build("uuid", str(UUID(int=uuid.int)))

    @classmethod
    def from_oid(cls, oid: Iterable[int], /) -> Self:
        """The name of an object identifier.

        Args:
            oid: its numbers, from the root on.

        Raises:
            BuildError: there are none, or one is negative or of more than 640 digits.
            TypeError: one is no `int`.

        >>> URN.from_oid((1, 3, 6, 1))
        URN('urn:oid:1.3.6.1')
        """
        numbers = list(oid)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int):
                raise TypeError(f"a number of an OID is an int, not {type(number).__name__}")
            if not 0 <= number < TOO_LARGE:
                reason = (
                    f"a number of an OID is not negative, and of {LONGEST_NUMBER} digits at most"
                )
                raise BuildError("", 0, "path", "NSS", reason)
        if not numbers:
            raise BuildError("", 0, "path", "NSS", "an OID has at least one number")
        return cls.build("oid", ".".join(map(int.__repr__, numbers)))

    @classmethod
    def from_isbn(cls, isbn: str, /) -> Self:
        """The name of an ISBN, which is written as it is given.

        Args:
            isbn: ten or thirteen digits, with or without hyphens.

        Raises:
            BuildError: it is no ISBN, or its check digit is wrong.
            TypeError: it is no `str`.

        >>> URN.from_isbn("0-395-36341-1")
        URN('urn:isbn:0-395-36341-1')
        """
        text = part_text("isbn", isbn)
        if thirteen_digits(text) is None:
            reason = "an ISBN is of 10 or 13 digits, the last of which is the check digit"
            raise BuildError(text, 0, "path", "NSS", reason, "take the digits as they are printed")
        return cls.build("isbn", text)

    def _inconvertible(self, kind: str, made_of: str) -> NoReturn:
        """Raise the error for an NSS that its namespace does not have."""
        position = urn.NID_START + len(self.nid) + 1
        article = "a" if kind == "UUID" else "an"
        reason = f"the NSS is no {kind}: {article} {kind} is {made_of}"
        raise ConvertError(str(self), position, "path", "NSS", reason, "nss has the text")


def checked(part: object, component: str, rule: str) -> str:
    """The exact `str` of a part that its rule produces.

    Raises:
        BuildError: the rule does not produce it.
        TypeError: it is no `str`.
    """
    text = part_text(rule, part)
    if not urn.RULES[rule].fullmatch(text):
        position = urn.component_stop(rule, text)
        reason = f"this is no {rule}: " + (
            "it ends too soon" if position == len(text) else "a character can't stand there"
        )
        hint = "a part is given as text: percent-encode what is data"
        raise BuildError(text, position, component, rule, reason, hint)
    return text


def thirteen_digits(isbn: str) -> str | None:
    """The thirteen digits of an ISBN in either form; `None` of a text that is none.

    The check digits are those of ISO 2108: in ten digits, the sum of each times its place from
    the end is a multiple of 11, with X for 10; in thirteen, that of the digits, every other
    one times 3, is one of 10.

    >>> thirteen_digits("0-8044-2957-X"), thirteen_digits("0-8044-2957-0")
    ('9780804429573', None)
    """
    if not ISBN_DIGITS.fullmatch(isbn):
        return None
    digits = isbn.replace("-", "").upper()
    if len(digits) == len("9780395363416"):
        return digits if digits[-1] == check_digit(digits[:-1]) else None
    values = [10 if digit == "X" else int(digit) for digit in digits]
    if sum(place * value for place, value in zip(range(10, 0, -1), values, strict=True)) % 11:
        return None
    beginning = ISBN_PREFIX + digits[:-1]
    return beginning + check_digit(beginning)


def check_digit(beginning: str) -> str:
    """The last digit of an ISBN of thirteen, from the twelve before it."""
    weighted = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(beginning))
    return str(-weighted % 10)
