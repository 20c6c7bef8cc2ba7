"""The canonical form of IPv6 addresses ([RFC 5952](https://www.rfc-editor.org/rfc/rfc5952))."""

from __future__ import annotations

GROUPS = 8

#: The 96-bit prefixes of addresses that end in an IPv4 address: IPv4-mapped (RFC 4291, 2.5.5.2),
#: IPv4-translated (RFC 2765, 2.1), and the well-known prefix for translation (RFC 6052, 2.1). The
#: all-zeros prefix of IPv4-compatible addresses is not included: it is deprecated, and `::1` has
#: the same prefix.
BEFORE_IPV4 = (
    (0, 0, 0, 0, 0, 0xFFFF),
    (0, 0, 0, 0, 0xFFFF, 0),
    (0x64, 0xFF9B, 0, 0, 0, 0),
)


def canonicalize_address(address: str) -> str:
    """Write an IPv6 address in the form that RFC 5952, 4, recommends.

    >>> canonicalize_address("2001:DB8:0:0:1:0:0:1"), canonicalize_address("::FFFF:C000:0201")
    ('2001:db8::1:0:0:1', '::ffff:192.0.2.1')
    """
    groups = parse_groups(address)
    ipv4_ending: list[str] = []
    if tuple(groups[:6]) in BEFORE_IPV4:  # RFC 5952, 5
        octets = [str(octet) for group in groups[6:] for octet in divmod(group, 256)]
        ipv4_ending = [".".join(octets)]
        groups = groups[:6]
    texts = [f"{group:x}" for group in groups]  # RFC 5952, 4.1 and 4.3
    zeros_start, zeros_end = find_longest_zeros(groups)
    if zeros_end - zeros_start < 2:  # RFC 5952, 4.2.2: "::" must not replace a single group
        return ":".join(texts + ipv4_ending)
    return f"{':'.join(texts[:zeros_start])}::{':'.join(texts[zeros_end:] + ipv4_ending)}"


def parse_groups(address: str) -> list[int]:
    before, double_colon, after = address.partition("::")
    left, right = parse_ipv6_numbers(before), parse_ipv6_numbers(after)
    zero_count = GROUPS - len(left) - len(right) if double_colon else 0
    return left + [0] * zero_count + right


def parse_ipv6_numbers(text: str) -> list[int]:
    """Parse groups as 16-bit numbers; an IPv4 address at the end becomes two numbers."""
    numbers: list[int] = []
    for group in text.split(":") if text else ():
        if "." in group:
            a, b, c, d = map(int, group.split("."))
            numbers += [a * 256 + b, c * 256 + d]
        else:
            numbers.append(int(group, 16))
    return numbers


def find_longest_zeros(numbers: list[int]) -> tuple[int, int]:
    """Return the span of the longest run of zeros, the first of equals (RFC 5952, 4.2.3)."""
    longest = (0, 0)
    start = 0
    for index, number in enumerate(numbers):
        if number:
            start = index + 1
        elif index + 1 - start > longest[1] - longest[0]:
            longest = (start, index + 1)
    return longest
