"""Hosts as other programs read them: as IPv4 addresses, and by the versions of IDNA."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address
from typing import Literal, NamedTuple
from unicodedata import decomposition, normalize

from uriverse import percent
from uriverse._spec.syntax import matches

#: The characters that `isspace` accepts in C. `inet_aton` stops parsing at the first of them.
SPACES = " \t\n\v\f\r"

#: The characters that browsers strip from the end of a URL. The URL may end with its host.
CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))

#: The maximum number of digits in a number of an address, without leading zeros: 2**32 - 1 has
#: eleven digits in octal.
MOST_DIGITS = 11

#: A number that is larger than any number in an address.
TOO_LARGE = 2**32


class Number(NamedTuple):
    """A number in a dotted host, such as `0x7f`; without a value if it is invalid, as `08` is."""

    base: int
    value: int | None


def lookalike_ip(host: str, /) -> IPv4Address | None:
    """Return the IPv4 address that other programs see in a host such as `127.1` or `0x7f.1`.

    In [RFC 3986, 3.2.2][1], an IPv4 address has four decimal numbers without leading zeros, and any
    other notation is a name. But browsers ([URL standard][2]) and C's `inet_aton` connect to an
    address for more notations. This function accepts a notation if either of them does:

    - Both accept one to four numbers, each decimal, octal (`0177`) or hexadecimal (`0x7f`). The
      last number fills the remaining octets.
    - Only browsers percent-decode the host, map characters such as full-width digits (UTS 46),
      interpret `0x` as zero, and ignore a dot at the end.
    - Only `inet_aton` ignores a space and everything after it. Here, the host is percent-decoded
      first.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
    [2]: https://url.spec.whatwg.org/#concept-ipv4-parser

    Args:
        host: a host, such as `URI.host`, or any string that a program uses as a host.

    Returns:
        The address; `None` for an address in the notation of RFC 3986, for a name, and for numbers
        that both reject, such as `256.1`, `1.2.3.4.5` and `08.1`.

    Raises:
        TypeError: the host is not a `str`.

    >>> lookalike_ip("2130706433"), lookalike_ip("0177.0.0.1"), lookalike_ip("%31%32%37.1.")
    (IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'))
    >>> lookalike_ip("127.0.0.1"), lookalike_ip("example.com"), lookalike_ip("4294967296")
    (None, None, None)
    """
    if matches(host, "IPv4address"):
        return None
    number = parse_like_inet_aton(decode_host(host))
    if number is None:
        number = combine_numbers(parse_numbers(normalize_like_browsers(host)))
    return None if number is None else IPv4Address(number)


def parse_like_inet_aton(text: str) -> int | None:
    name = cut_at_space(text)
    if name.endswith(".") or "0x" in name.lower().split("."):
        return None
    return combine_numbers(parse_numbers(name))


def normalize_like_browsers(host: str) -> str:
    """Return a host as browsers see it: stripped, percent-decoded and mapped by UTS 46."""
    stripped = host.rstrip(CONTROLS_AND_SPACE).translate(dict.fromkeys(b"\t\n\r"))
    return map_by_uts46(decode_host(stripped))


def ipv4_form(
    host: str, /
) -> (
    Literal[
        "overflow", "hex", "octal", "integer", "short", "trailing-dot", "trailing-space", "encoded"
    ]
    | None
):
    """Return the unusual notation of a numeric host, such as `"hex"` for `0x7f.0.0.1`.

    The usual notation of an IPv4 address has four decimal numbers without leading zeros
    ([RFC 3986, 3.2.2][1]). If a host differs from it in several ways, the first of these is
    returned:

    - `"overflow"`: a number is too large for its position, or there are more than four numbers;
    - `"hex"`: a number begins with `0x`;
    - `"octal"`: a number begins with `0` and has more digits. Current software rejects the digits 8
      and 9 in such a number; older software parsed the number as decimal;
    - `"integer"`: there is only one number;
    - `"short"`: there are two or three numbers;
    - `"trailing-dot"`: the host ends with a dot;
    - `"trailing-space"`: a space follows the address, and possibly more characters;
    - `"encoded"`: some characters are percent-encoded or not ASCII.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

    Args:
        host: a host, such as `URI.host`, or any string that a program uses as a host.

    Returns:
        The notation, even if the host is not a valid address (`"overflow"`, and `"octal"` with a
        digit 8 or 9); `None` for the usual notation, and for a host with other labels than numbers.

    Raises:
        TypeError: the host is not a `str`.

    >>> ipv4_form("127.1"), ipv4_form("0x7f.1"), ipv4_form("1.2.3.400"), ipv4_form("127.0.0.1")
    ('short', 'hex', 'overflow', None)
    """
    if matches(host, "IPv4address"):
        return None
    decoded = decode_host(host)
    # `inet_aton` ignores a space and all characters after it. Browsers map characters instead.
    before_space = cut_at_space(decoded)
    name = before_space if parse_numbers(before_space) else normalize_like_browsers(host)
    numbers = parse_numbers(name)
    if not numbers:
        return None
    bases = {number.base for number in numbers}
    if has_overflow(numbers):
        return "overflow"
    if 16 in bases:
        return "hex"
    if 8 in bases:
        return "octal"
    if len(numbers) < 4:
        return "integer" if len(numbers) == 1 else "short"
    if name.endswith("."):
        return "trailing-dot"
    # The numbers have the usual notation, but the host does not.
    return "encoded" if before_space == decoded else "trailing-space"


def ends_in_number(host: str) -> bool:
    """Return whether browsers parse a host as an IPv4 address or reject it.

    This is the "ends in a number checker" of the URL standard, for hosts without brackets.
    """
    last_label = normalize_like_browsers(host).removesuffix(".").rpartition(".")[2]
    return parse_number(last_label) is not None


def decode_host(host: str) -> str:
    """Percent-decode a host; return it unchanged if it cannot be decoded."""
    try:
        return percent.decode(host) if "%" in host else host
    except ValueError:  # the base class of uriverse's errors
        return host


def cut_at_space(text: str) -> str:
    """Return the part of a string before its first space, where `inet_aton` stops parsing."""
    for space in SPACES:
        text = text.partition(space)[0]
    return text


def map_by_uts46(text: str) -> str:
    """Map a host name by UTS 46; return it unchanged if UTS 46 does not allow it."""
    if text.isascii():
        return text
    try:
        # Map each character separately. UTS 46 also normalizes the whole string to NFC, which takes
        # more than linear time. NFC does not matter here, because only ASCII results do.
        return text.translate({ord(letter): map_character(letter) for letter in set(text)})
    except ValueError:  # the base class of idna's errors
        return text


@lru_cache(4096)
def map_character(character: str) -> str:
    from idna import uts46_remap  # imported late, because its tables are large

    return uts46_remap(character, std3_rules=False)


def parse_numbers(text: str) -> list[Number]:
    parts = text.removesuffix(".").split(".")
    numbers = [number for part in parts if (number := parse_number(part))]
    return numbers if len(numbers) == len(parts) else []


def parse_number(part: str) -> Number | None:
    """Parse a number as C does, so that `017` is octal; `08` is a number without a value."""
    if not part.isascii():
        return None
    if part[:2] in {"0x", "0X"}:
        digits = part[2:]
        is_hexadecimal = not digits.strip("0123456789abcdefABCDEF")
        return convert_digits(digits, 16) if is_hexadecimal else None
    if not part.isdecimal():
        return None
    if part[0] != "0" or part == "0":
        return convert_digits(part, 10)
    is_octal = not part.strip("01234567")
    return convert_digits(part, 8) if is_octal else Number(8, None)


def convert_digits(digits: str, base: int) -> Number:
    """Convert digits in linear time, which `int` would exceed; a long number is `TOO_LARGE`."""
    significant = digits.lstrip("0")
    if len(significant) > MOST_DIGITS:
        return Number(base, TOO_LARGE)
    return Number(base, int(significant or "0", base))


def has_overflow(numbers: list[Number]) -> bool:
    count = len(numbers)
    if count > 4:
        return True
    # The last number fills the remaining octets.
    limits = [256] * (count - 1) + [256 ** (5 - count)]
    return any(
        number.value is not None and number.value >= limit
        for number, limit in zip(numbers, limits, strict=True)
    )


def combine_numbers(numbers: list[Number]) -> int | None:
    """Return the address: each number is an octet, but the last one fills the remaining octets."""
    if not numbers or has_overflow(numbers):
        return None
    address = 0
    for index, number in enumerate(numbers):
        if number.value is None:
            return None
        is_last = index == len(numbers) - 1
        octets_after = 0 if is_last else 3 - index
        address += number.value << 8 * octets_after
    return address


def converts_alike(name: str, domain: str) -> bool:
    """Return whether IDNA 2003 and IDNA 2008 convert a host name to the same domain as UTS 46.

    IDNA 2008 converts only lower-case names, so the name is first mapped as RFC 5895, 2, says.
    """
    from uriverse._spec.domain import SEPARATOR, to_unicode  # late: it imports idna

    return all(
        text.isascii()
        or (convert_by_idna_2003(text) == label and map_by_rfc_5895(text) == to_unicode(label))
        for text, label in set(zip(SEPARATOR.split(name), domain.split("."), strict=False))
    )


def convert_by_idna_2003(label: str) -> str:
    """Convert a label as RFC 3490, 4.1, says; return `""` if the label is invalid."""
    from encodings.idna import ToASCII  # late: few hosts need its tables
    from stringprep import in_table_a1

    # Python maps letters to lower case by the latest version of Unicode. IDNA 2003 uses
    # Unicode 3.2, in which some of these letters do not exist.
    if any(in_table_a1(c) for c in set(label.lower()) ^ set(label)):
        return ""
    try:
        return ToASCII(label).decode()
    except UnicodeError:
        return ""


def map_by_rfc_5895(label: str) -> str:
    return normalize("NFC", "".join(map(normalize_width, label.lower())))


def normalize_width(character: str) -> str:
    has_usual_width = not decomposition(character).startswith(("<wide>", "<narrow>"))
    return character if has_usual_width else normalize("NFKC", character)
