"""Hosts that other programs interpret as an IPv4 address, although RFC 3986 does not."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import NamedTuple

from uriverse import percent
from uriverse._spec.syntax import matches
from uriverse.typing import IPv4Form

#: The ASCII characters that C's `isspace` accepts. `inet_aton` stops parsing at the first one.
SPACES = " \t\n\v\f\r"

#: The characters that browsers strip from the end of a URL, which may be the end of the host.
CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))

#: The most digits of a number in an address, without leading zeros: those of 2**32 - 1 in octal.
MOST_DIGITS = 11

#: Larger than any number in an address.
TOO_LARGE = 2**32


class Number(NamedTuple):
    """A part of a host that is written as a number; `value` is `None` if it is invalid (`08`)."""

    base: int
    value: int | None


def lookalike_ip(host: str, /) -> IPv4Address | None:
    """Return the IPv4 address that other programs connect to for a host that is not an IPv4address.

    An IPv4address has four decimal numbers without leading zeros ([RFC 3986, 3.2.2][1]), so any
    other notation is a `reg-name` there. But C's `inet_aton` and browsers ([URL standard][2])
    accept more notations, and this function accepts what either of them does. Both parse one to
    four numbers, each decimal, octal (`0177`) or hexadecimal (`0x7f`), of which the last fills the
    remaining octets. Only browsers percent-decode the host, map characters as in UTS 46 (full-width
    digits and dots), interpret `0x` as zero and ignore a dot at the end. Only `inet_aton` ignores
    a space and everything after it; the host is percent-decoded before this rule is applied.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
    [2]: https://url.spec.whatwg.org/#concept-ipv4-parser

    Args:
        host: a host, or a string that is used as one; for an identifier, its `host`.

    Returns:
        The address; `None` for an IPv4address, for a name, for an IP-literal, and for
        numbers that neither interprets as an address (`256.1`, `1.2.3.4.5`, `08.1`).

    Raises:
        TypeError: the host is not a `str`.

    >>> lookalike_ip("2130706433"), lookalike_ip("0177.0.0.1"), lookalike_ip("%31%32%37.1.")
    (IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'))
    >>> lookalike_ip("127.0.0.1"), lookalike_ip("example.com"), lookalike_ip("4294967296")
    (None, None, None)
    """
    if matches(host, "IPv4address"):
        return None
    found = as_inet_aton_does(decode_host(host))
    if found is None:
        found = as_browsers_do(host)
    return None if found is None else IPv4Address(found)


def as_inet_aton_does(text: str) -> int | None:
    """Parse like `inet_aton`: up to a space, with digits after each `0x`, and no trailing dot."""
    read = before_space(text)
    if read.endswith(".") or "0x" in read.lower().split("."):
        return None
    return address_of(numbers_in(read))


def as_browsers_do(host: str) -> int | None:
    """Parse like a browser, which first strips, percent-decodes and maps the host."""
    return address_of(numbers_in(name_in_browsers(host)))


def name_in_browsers(host: str) -> str:
    """Return the name that browsers produce from a host."""
    left = host.rstrip(CONTROLS_AND_SPACE).translate(dict.fromkeys(b"\t\n\r"))
    return mapped(decode_host(left))


def ipv4_form(host: str, /) -> IPv4Form | None:
    """Return how a host that consists of numbers differs from an IPv4address.

    If several forms apply, the first of this list:

    - `"overflow"`: a number is too large for its position, or there are more than four;
    - `"hex"`: a number begins with `0x`;
    - `"octal"`: a number begins with `0` and has more digits. If such a digit is 8 or 9 (`08`),
      current software rejects it; older software interpreted it as decimal;
    - `"integer"`: there is only one number;
    - `"short"`: there are two or three numbers;
    - `"trailing-dot"`: it ends with a dot;
    - `"trailing-space"`: a space follows the address, and possibly more characters;
    - `"encoded"`: it contains percent-encoded or non-ASCII characters.

    Args:
        host: as for `lookalike_ip`.

    Returns:
        The form, even if there is no valid address (`"overflow"`, some `"octal"`); `None` for
        an IPv4address, and for a host that does not consist of numbers.

    Raises:
        TypeError: the host is not a `str`.

    >>> ipv4_form("127.1"), ipv4_form("0x7f.1"), ipv4_form("1.2.3.400"), ipv4_form("127.0.0.1")
    ('short', 'hex', 'overflow', None)
    """
    if matches(host, "IPv4address"):
        return None
    whole = decode_host(host)
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
    """Return whether the last label is a number, so that browsers parse an IPv4 address or fail.

    This is the ["ends in a number checker"][1] of the URL standard, for hosts that are not
    IP-literals.

    [1]: https://url.spec.whatwg.org/#ends-in-a-number-checker

    >>> ends_in_number("foo.09"), ends_in_number("foo.0x4."), ends_in_number("09.foo")
    (True, True, False)
    """
    return number_of(name_in_browsers(host).removesuffix(".").rpartition(".")[2]) is not None


def decode_host(host: str) -> str:
    """Percent-decode a host (RFC 3986, 3.2.2); return it unchanged if it is invalid."""
    try:
        return percent.decode(host) if "%" in host else host
    except ValueError:  # base class of the errors of `uriverse`
        return host


def before_space(text: str) -> str:
    """Return the part of a string that `inet_aton` parses."""
    for space in SPACES:
        text = text.partition(space)[0]
    return text


def mapped(text: str) -> str:
    """Map a name by UTS 46; return it unchanged if that fails, as no browser would look it up."""
    if text.isascii():
        return text
    from idna import uts46_remap  # its tables are large

    try:
        # Map character by character: normalization to form C does not matter here, because only
        # ASCII results do, and for a whole string its time grows faster than the length.
        return text.translate({ord(c): uts46_remap(c, std3_rules=False) for c in set(text)})
    except ValueError:  # base class of the errors of `idna`
        return text


def numbers_in(text: str) -> list[Number]:
    """Return the numbers that a host consists of; an empty list if any part is not a number."""
    parts = text.removesuffix(".").split(".")
    numbers = [number for part in parts if (number := number_of(part))]
    return numbers if len(numbers) == len(parts) else []


def number_of(part: str) -> Number | None:
    """Parse a part as in the IPv4 number parser of the URL standard."""
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
    """Return the number, or a value that is too large, in time linear in the number of digits."""
    significant = digits.lstrip("0")
    return Number(
        base, int(significant or "0", base) if len(significant) <= MOST_DIGITS else TOO_LARGE
    )


def limits(count: int) -> list[int]:
    """Return the exclusive limit of each number: the last one fills the remaining octets."""
    return [256] * (count - 1) + [256 ** (5 - count)]


def overflows(numbers: list[Number]) -> bool:
    """Return whether there are too many numbers, or one is too large for its position."""
    return len(numbers) > 4 or any(
        number.value is not None and number.value >= limit
        for number, limit in zip(numbers, limits(len(numbers)), strict=True)
    )


def address_of(numbers: list[Number]) -> int | None:
    """Return the address, as an integer, that one to four numbers represent."""
    if not numbers or overflows(numbers):
        return None
    address = 0
    for index, number in enumerate(numbers):
        if number.value is None:
            return None
        last = index == len(numbers) - 1
        address += number.value << (0 if last else 8 * (3 - index))
    return address
