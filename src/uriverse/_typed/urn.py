"""Parse and build Uniform Resource Names, such as `urn:isbn:0451450523` ([RFC 8141][1]).

[1]: https://www.rfc-editor.org/rfc/rfc8141
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn, Self, final
from uuid import UUID

from uriverse._errors import BuildError, ConvertError
from uriverse._spec import LONGEST_NUMBER
from uriverse._spec.components import split_all_parts
from uriverse._spec.percent import decode_unreserved_triplets
from uriverse._uri.building import convert_component
from uriverse._uri.engine import Identifier, as_text, get_bounds
from uriverse.schemes import _urn

from .base import TypedURI

#: The canonical form of a UUID ([RFC 9562, 4](https://www.rfc-editor.org/rfc/rfc9562#section-4)).
CANONICAL_UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")

#: Numbers without leading zeros, separated by dots ([RFC 3061][1], after RFC 1778, 2.15).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc3061#section-2
DOTTED_NUMBERS = re.compile(r"(?:0|[1-9][0-9]*+)(?:\.(?:0|[1-9][0-9]*+))*+")

#: The digits of an ISBN, with or without a hyphen between two of them (RFC 3187). Only an ISBN-10
#: may end with an X.
ISBN_DIGITS = re.compile("(?:[0-9]-?){9}[0-9Xx]|97[89]-?(?:[0-9]-?){9}[0-9]")

#: The form of an ISBN, for errors.
ISBN_FORM = "10 or 13 digits with a valid check digit"

#: The smallest number that has too many digits to be converted.
TOO_LARGE = 10**LONGEST_NUMBER

#: The prefix that makes an ISBN-10 an ISBN-13 (ISO 2108).
ISBN_PREFIX = "978"


@final
class URN(TypedURI):
    """A Uniform Resource Name, such as `urn:isbn:0451450523` ([RFC 8141, section 2][1]).

    Components are strings as written, and `None` if they are absent. The class knows only the
    syntax that all namespaces share. It accepts namespace identifiers that cannot be registered,
    such as `urn-0` and `x-a` (RFC 8141, section 5). `uriverse.check` reports namespace identifiers
    that start with `urn-`.

    [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid URN.
        TypeError: `text` is neither a `str` nor a URI.

    >>> name = URN("urn:example:a/b?+r?=q#f")
    >>> name.nid, name.nss, name.r_component, name.q_component, name.f_component
    ('example', 'a/b', 'r', 'q', 'f')
    >>> name.is_urn_equivalent("URN:Example:a/b")
    True
    """

    __module__ = "uriverse"

    __slots__ = ()

    _schemes = ("urn",)
    _scheme_rule = "namestring"
    _contents = ("uuid", "oid", "isbn")

    def _check_scheme_rules(self) -> None:
        if _urn.NAMESTRING.fullmatch(as_text(self)) is None:
            self._reject(*_urn.find_urn_violation(as_text(self)))

    @classmethod
    def from_parts(
        cls,
        nid: str,
        nss: str,
        *,
        r_component: str | None = None,
        q_component: str | None = None,
        f_component: str | None = None,
    ) -> Self:
        """Build a URN from its components, which must already be percent-encoded where necessary.

        Args:
            nid: the namespace identifier, such as `"isbn"`.
            nss: the namespace-specific string. Dot segments in it are kept. Normalization keeps
                them too, but resolving the URN as a reference removes those that are not
                percent-encoded.
            r_component: parameters for the resolver; `None` for no parameters. It must not be empty
                and must not contain "?=".
            q_component: parameters for the resource; `None` for no parameters. It must not be
                empty.
            f_component: the fragment; `None` for no fragment, `""` for an empty one.

        Raises:
            BuildError: a component is invalid.
            TypeError: a component is not a `str`.

        >>> URN.from_parts("example", "a%20b", q_component="c=d")
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
                text += f"{delimiter}{check_urn_component(part, component, rule)}"
        return cls(text)

    # --- components

    @property
    def nid(self) -> str:
        """The namespace identifier (NID) as written, such as `"isbn"`. Its case does not matter.

        >>> URN("urn:ISBN:0-395-36341-1").nid
        'ISBN'
        """
        return self.path.partition(":")[0]

    @property
    def nss(self) -> str:
        """The namespace-specific string (NSS), which follows the namespace identifier and ":".

        It ends at "?+", "?=", "#", or at the end of the URN.

        >>> URN("urn:example:a/b:c?=d").nss
        'a/b:c'
        """
        return self.path.partition(":")[2]

    @property
    def r_component(self) -> str | None:
        """The parameters for the [resolver][1], which follow "?+"; `None` if the URN has none.

        They end at the first "?=", at "#", or at the end of the URN.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.1

        >>> URN("urn:example:a?+b?c?=d").r_component
        'b?c'
        """
        query = self.query or ""
        return query[1:].partition("?=")[0] if query.startswith("+") else None

    @property
    def q_component(self) -> str | None:
        """The parameters for the [resource][1], which follow "?="; `None` if the URN has none.

        They end at "#", or at the end of the URN.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.2

        >>> URN("urn:example:a?=b?+c").q_component
        'b?+c'
        """
        query = self.query or ""
        if query.startswith("="):
            return query[1:]
        _, delimiter, q_component = query.partition("?=")
        return q_component if delimiter else None

    @property
    def f_component(self) -> str | None:
        """The [fragment][1] of the URN without its "#", or `None` if the URN has no fragment.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-2.3.3

        >>> URN("urn:example:a#b").f_component
        'b'
        """
        return self.fragment

    @property
    def assigned_name(self) -> str:
        """The URN as written, without its r-, q- and f-components.

        See [RFC 8141, section 2](https://www.rfc-editor.org/rfc/rfc8141#section-2).

        >>> URN("URN:example:a?+b").assigned_name
        'URN:example:a'
        """
        return as_text(self)[: get_bounds(self).path_end]

    # --- comparing

    def is_urn_equivalent(self, other: str | Identifier, /) -> bool:
        """Return True if both URNs are [URN-equivalent][1], as RFC 8141 defines.

        The scheme, the namespace identifier and percent-encoded triplets are compared without
        regard to case. The r-, q- and f-components are ignored, and so are the rules of individual
        namespaces. Unlike in `equivalent`, percent-encoded triplets are never decoded: `a%7Eb` and
        `a~b` are different names.

        [1]: https://www.rfc-editor.org/rfc/rfc8141#section-3.1

        Args:
            other: a URN, as a string or a URI.

        Raises:
            ParseError: `other` is not a valid URN.
            TypeError: `other` is neither a `str` nor a URI.

        >>> URN("URN:EXAMPLE:a%2cb?=c").is_urn_equivalent("urn:example:a%2Cb")
        True
        >>> URN("urn:example:a%2cb").is_urn_equivalent("urn:example:a,b")
        False
        """
        parts = _urn.convert_for_comparison(split_all_parts(str(self)))
        return parts == _urn.convert_for_comparison(split_all_parts(str(URN(other))))

    # --- names in some namespaces

    @property
    def uuid(self) -> UUID | None:
        """The UUID in a URN of the namespace `uuid`; `None` in other namespaces.

        See [RFC 9562, section 4](https://www.rfc-editor.org/rfc/rfc9562#section-4).

        Raises:
            ConvertError: the namespace-specific string is not a UUID in its canonical form; its
                case does not matter.

        >>> URN("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6").uuid
        UUID('f81d4fae-7dec-11d0-a765-00a0c91e6bf6')
        """
        if self.nid.lower() != "uuid":
            return None
        nss = decode_unreserved_triplets(self.nss)
        if not CANONICAL_UUID.fullmatch(nss):
            self._reject_content("UUID", "hexadecimal digits in groups of 8, 4, 4, 4 and 12")
        return UUID(nss)

    @property
    def oid(self) -> tuple[int, ...] | None:
        """The numbers of the OID in a URN of the namespace `oid`; `None` in other namespaces.

        See [RFC 3061, section 2](https://www.rfc-editor.org/rfc/rfc3061#section-2).

        Raises:
            ConvertError: the namespace-specific string does not consist of numbers without leading
                zeros, separated by dots, or a number has more than 640 digits.

        >>> URN("urn:oid:1.3.6.1").oid
        (1, 3, 6, 1)
        """
        if self.nid.lower() != "oid":
            return None
        nss = decode_unreserved_triplets(self.nss)
        if not DOTTED_NUMBERS.fullmatch(nss):
            self._reject_content("OID", "numbers without leading zeros, separated by dots")
        numbers = nss.split(".")
        if max(map(len, numbers)) > LONGEST_NUMBER:
            self._reject_content("OID", f"at most {LONGEST_NUMBER} digits in each number")
        return tuple(map(int, numbers))

    @property
    def isbn(self) -> str | None:
        """The 13 digits of the ISBN in a URN of the namespace `isbn`; `None` in other namespaces.

        Hyphens are removed, and an ISBN-10 is converted to an ISBN-13. See
        [RFC 3187, section 5](https://www.rfc-editor.org/rfc/rfc3187#section-5).

        Raises:
            ConvertError: the namespace-specific string is not an ISBN, or its check digit is wrong.

        >>> URN("urn:isbn:0-395-36341-1").isbn, URN("urn:isbn:978-0-395-36341-6").isbn
        ('9780395363416', '9780395363416')
        """
        if self.nid.lower() != "isbn":
            return None
        isbn = to_isbn13(decode_unreserved_triplets(self.nss))
        if isbn is None:
            self._reject_content("ISBN", ISBN_FORM)
        return isbn

    @classmethod
    def from_uuid(cls, uuid: UUID, /) -> Self:
        """Build the URN of a UUID ([RFC 9562, section 4][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc9562#section-4

        Args:
            uuid: the UUID.

        Raises:
            TypeError: `uuid` is not a `uuid.UUID`.

        >>> URN.from_uuid(UUID(int=10))
        URN('urn:uuid:00000000-0000-0000-0000-00000000000a')
        """
        if not isinstance(uuid, UUID):
            raise TypeError(f"uuid must be a uuid.UUID, not {type(uuid).__name__}")
        # A subclass may override `__str__`. Use its actual number.
        return cls.from_parts("uuid", str(UUID(int=uuid.int)))

    @classmethod
    def from_oid(cls, oid: Iterable[int], /) -> Self:
        """Build the URN of an object identifier ([RFC 3061][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3061#section-2

        Args:
            oid: the numbers, starting at the root.

        Raises:
            BuildError: `oid` is empty, or a number is negative or has more than 640 digits.
            TypeError: a number is not an `int`.

        >>> URN.from_oid((1, 3, 6, 1))
        URN('urn:oid:1.3.6.1')
        """
        numbers = list(oid)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int):
                raise TypeError(f"the numbers of an OID must be int, not {type(number).__name__}")
            if not 0 <= number < TOO_LARGE:
                reason = f"invalid OID: a number is negative, or has over {LONGEST_NUMBER} digits"
                raise BuildError("", 0, "path", "NSS", reason)
        if not numbers:
            reason = "empty OID: at least one number is required"
            raise BuildError("", 0, "path", "NSS", reason)
        return cls.from_parts("oid", ".".join(map(int.__repr__, numbers)))

    @classmethod
    def from_isbn(cls, isbn: str, /) -> Self:
        """Build the URN of an ISBN ([RFC 3187][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3187#section-5

        Args:
            isbn: 10 or 13 digits, with or without hyphens; they are kept as given.

        Raises:
            BuildError: `isbn` is not an ISBN, or its check digit is wrong.
            TypeError: `isbn` is not a `str`.

        >>> URN.from_isbn("0-395-36341-1")
        URN('urn:isbn:0-395-36341-1')
        """
        text = convert_component("isbn", isbn)
        if to_isbn13(text) is None:
            reason = f"invalid ISBN: expected {ISBN_FORM}"
            hint = "copy the ISBN as it is printed, with or without hyphens"
            raise BuildError(text, 0, "path", "NSS", reason, hint)
        return cls.from_parts("isbn", text)

    def _reject_content(self, kind: str, expected: str) -> NoReturn:
        position = _urn.NID_START + len(self.nid) + 1
        reason, hint = f"invalid {kind}: expected {expected}", f"copy the {kind} without changes"
        raise ConvertError(as_text(self), position, "path", "NSS", reason, hint)


def check_urn_component(part: object, component: str, rule: str) -> str:
    text = convert_component(rule, part)
    if _urn.RULES[rule].fullmatch(text):
        return text
    position = _urn.find_component_stop(rule, text)
    is_incomplete = position == len(text)
    name = _urn.NAMES.get(rule, rule)
    reason = f"incomplete {name}" if is_incomplete else f"invalid character in {name}"
    hint = "" if is_incomplete else "percent-encode special characters"
    if rule == "NID":
        hint = "use 2 to 32 ASCII letters, digits and hyphens, such as isbn"
    raise BuildError(text, position, component, rule, reason, hint)


def to_isbn13(isbn: str) -> str | None:
    """Return the 13 digits of an ISBN of 10 or 13 digits, or `None` if it is invalid."""
    if not ISBN_DIGITS.fullmatch(isbn):
        return None
    digits = isbn.replace("-", "").upper()
    if len(digits) == 13:
        return digits if digits[-1] == compute_check_digit(digits[:-1]) else None
    # The digits of an ISBN-10, multiplied by 10, 9, ... and 1, have a sum divisible by 11.
    numbers = [10 if digit == "X" else int(digit) for digit in digits]
    weights = range(10, 0, -1)
    if sum(weight * number for weight, number in zip(weights, numbers, strict=True)) % 11:
        return None
    beginning = ISBN_PREFIX + digits[:-1]
    return beginning + compute_check_digit(beginning)


def compute_check_digit(beginning: str) -> str:
    weighted = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(beginning))
    return str(-weighted % 10)
