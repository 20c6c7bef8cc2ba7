"""Texts that are taken for an IPv4 address, though they do not look so."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import NamedTuple

from uriverse import percent
from uriverse._spec.syntax import matches
from uriverse.typing import IPv4Form

#: What C's `isspace` knows in ASCII. Where one stands, `inet_aton` stops reading.
SPACES = " \t\n\v\f\r"

#: What browsers cut off of the end of a URL, which may be that of the host.
CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))

#: No number in an address has more digits, when its leading zeros are gone: 2**32 - 1 in octal.
MOST_DIGITS = 11

#: More than any number in an address.
TOO_LARGE = 2**32


class Number(NamedTuple):
    """A part of a host that is written as a number; `value` is `None` if it can't be one (`08`)."""

    base: int
    value: int | None


def lookalike_ip(host: str, /) -> IPv4Address | None:
    """The IPv4 address that is dialled for a host which is not written as one.

    An IPv4address has four decimal numbers without leading zeros ([RFC 3986, 3.2.2][1]), so
    all else is a `reg-name` there. But C's `inet_aton` and browsers ([URL standard][2]) have
    their own notions, and what either reads as an address is one here. Both take one to four
    numbers, the last of which fills the octets that are left, each decimal, octal (`0177`)
    or hexadecimal (`0x7f`). Only browsers decode percent-encoding, map characters as UTS 46
    does (digits and dots of full width), take `0x` for zero and ignore one dot at the end.
    Only `inet_aton` ignores what follows a space; it is given a host that has been decoded.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
    [2]: https://url.spec.whatwg.org/#concept-ipv4-parser

    Args:
        host: a host, or what someone takes for one; of an identifier, its `host`.

    Returns:
        The address; `None` for an IPv4address, for a name, for an IP-literal, and for
        numbers that neither takes for an address (`256.1`, `1.2.3.4.5`, `08.1`).

    Raises:
        TypeError: the host is no `str`.

    >>> lookalike_ip("2130706433"), lookalike_ip("0177.0.0.1"), lookalike_ip("%31%32%37.1.")
    (IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'))
    >>> lookalike_ip("127.0.0.1"), lookalike_ip("example.com"), lookalike_ip("4294967296")
    (None, None, None)
    """
    if matches(host, "IPv4address"):
        return None
    found = as_inet_aton_does(decoded(host))
    if found is None:
        found = as_browsers_do(host)
    return None if found is None else IPv4Address(found)


def as_inet_aton_does(text: str) -> int | None:
    """The address that C reads: up to a space, with digits behind each `0x`, and no last dot."""
    read = before_space(text)
    if read.endswith(".") or "0x" in read.lower().split("."):
        return None
    return address_of(numbers_in(read))


def as_browsers_do(host: str) -> int | None:
    """The address that browsers read: decoded and mapped, without what they leave out of a URL."""
    return address_of(numbers_in(name_in_browsers(host)))


def name_in_browsers(host: str) -> str:
    """The name that browsers make of a host."""
    left = host.rstrip(CONTROLS_AND_SPACE).translate(dict.fromkeys(b"\t\n\r"))
    return mapped(decoded(left))


def ipv4_form(host: str, /) -> IPv4Form | None:
    """What is unlike an IPv4address in a host that consists of numbers.

    Of several, the first in this order:

    - `"overflow"`: a number is too large for its place, or there are more than four;
    - `"hex"`: a number begins with `0x`;
    - `"octal"`: a number begins with `0`, and has more digits. Where such a digit is 8 or 9
      (`08`), current software refuses it, older took it for decimal;
    - `"integer"`: there is one number only;
    - `"short"`: there are two or three;
    - `"trailing-dot"`: a dot ends it;
    - `"trailing-space"`: a space, and maybe more, follows it;
    - `"encoded"`: some of it is percent-encoded, or is no ASCII.

    Args:
        host: as for `lookalike_ip`.

    Returns:
        The form, also where there is no address (`"overflow"`, some `"octal"`); `None` for
        an IPv4address, and for a host that is not all numbers.

    Raises:
        TypeError: the host is no `str`.

    >>> ipv4_form("127.1"), ipv4_form("0x7f.1"), ipv4_form("1.2.3.400"), ipv4_form("127.0.0.1")
    ('short', 'hex', 'overflow', None)
    """
    if matches(host, "IPv4address"):
        return None
    whole = decoded(host)
    text = before_space(whole)
    name = next((read for read in (text, name_in_browsers(host)) if numbers_in(read)), "")
    numbers = numbers_in(name)
    if not numbers:
        return None
    bases = {number.base for number in numbers}
    if overflows(numbers):
        return "overflow"
    if 16 in bases:
        return "hex"
    if 8 in bases:
        return "octal"
    if len(numbers) < 4:
        return "integer" if len(numbers) == 1 else "short"
    if name.endswith("."):
        return "trailing-dot"
    return "encoded" if text == whole else "trailing-space"


def ends_in_number(host: str) -> bool:
    """Whether a host's last label is a number, so that browsers read an IPv4 address or fail.

    It is the URL standard's ["ends in a number checker"][1], for a host that is no IP-literal.

    [1]: https://url.spec.whatwg.org/#ends-in-a-number-checker

    >>> ends_in_number("foo.09"), ends_in_number("foo.0x4."), ends_in_number("09.foo")
    (True, True, False)
    """
    return number_of(name_in_browsers(host).removesuffix(".").rpartition(".")[2]) is not None


def decoded(host: str) -> str:
    """A host percent-decoded (RFC 3986, 3.2.2); as it is, where that fails: no one looks it up."""
    try:
        return percent.decode(host) if "%" in host else host
    except ValueError:  # as our errors are
        return host


def before_space(text: str) -> str:
    """What `inet_aton` reads of a text."""
    for space in SPACES:
        text = text.partition(space)[0]
    return text


def mapped(text: str) -> str:
    """A name as UTS 46 maps it; as it is, where that fails: no browser looks it up."""
    if text.isascii():
        return text
    from idna import uts46_remap  # its tables are large

    try:
        # One by one, as form C is of no account here: what is looked for is ASCII. For a whole
        # text that form takes time that grows faster than the text.
        return text.translate({ord(c): uts46_remap(c, std3_rules=False) for c in set(text)})
    except ValueError:  # as the errors of `idna` are
        return text


def numbers_in(text: str) -> list[Number]:
    """The numbers that a host consists of; none where any of it is something else."""
    parts = text.removesuffix(".").split(".")
    numbers = [number for part in parts if (number := number_of(part))]
    return numbers if len(numbers) == len(parts) else []


def number_of(part: str) -> Number | None:
    """A part read as the URL standard's IPv4 number parser does."""
    if not part.isascii():
        return None
    if part[:2] in {"0x", "0X"}:
        return valued(part[2:], 16) if is_of(part[2:], "0123456789abcdefABCDEF") else None
    if not part.isdecimal():
        return None
    if part[0] != "0" or part == "0":
        return valued(part, 10)
    return valued(part, 8) if is_of(part, "01234567") else Number(8, None)


def is_of(text: str, characters: str) -> bool:
    return not text.strip(characters)


def valued(digits: str, base: int) -> Number:
    """The number, or one that is too large: a text of any length costs no more than reading it."""
    significant = digits.lstrip("0")
    return Number(
        base, int(significant or "0", base) if len(significant) <= MOST_DIGITS else TOO_LARGE
    )


def limits(count: int) -> list[int]:
    """What each of so many numbers must be below: the last fills the octets that are left."""
    return [256] * (count - 1) + [256 ** (5 - count)]


def overflows(numbers: list[Number]) -> bool:
    """Whether there are too many numbers, or one is too large for its place."""
    return len(numbers) > 4 or any(
        number.value is not None and number.value >= limit
        for number, limit in zip(numbers, limits(len(numbers)), strict=True)
    )


def address_of(numbers: list[Number]) -> int | None:
    """The address that one to four numbers are."""
    if not numbers or overflows(numbers):
        return None
    address = 0
    for index, number in enumerate(numbers):
        if number.value is None:
            return None
        last = index == len(numbers) - 1
        address += number.value << (0 if last else 8 * (3 - index))
    return address
