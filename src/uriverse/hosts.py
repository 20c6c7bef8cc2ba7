"""What a host leads to, as far as its text tells: addresses in disguise, and what they are for.

Nothing here asks the network. What a name resolves to, now or a moment later, what a proxy,
a hosts file or a redirect makes of it, can't be seen in a text: whoever connects looks at the
address that it connects to, with `scopes`. What can be seen is which texts are addresses,
though they do not look so, and which names never lead to the public Internet.

>>> from ipaddress import ip_address
>>> from uriverse import hosts
>>> hosts.lookalike_ip("0x7f.1")
IPv4Address('127.0.0.1')
>>> sorted(hosts.scopes(ip_address("64:ff9b::10.0.0.1")))
['global', 'private']
>>> hosts.special_use("printer.local")
'local'
"""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import Literal, NamedTuple, TypeAlias

from . import percent
from .grammar.iana_hosts import IPV4, IPV6, SPECIAL_USE_NAMES
from .spec.syntax import matches

__all__ = [
    "Form",
    "How",
    "Reached",
    "Scope",
    "ipv4_form",
    "is_globally_reachable",
    "lookalike_ip",
    "reached_addresses",
    "scope",
    "scopes",
    "special_use",
]

# --- texts that are taken for an IPv4 address

#: What is unlike an IPv4address in a host that is taken for one; see `ipv4_form`.
Form: TypeAlias = Literal[
    "overflow", "hex", "octal", "integer", "short", "trailing-dot", "trailing-space", "encoded"
]

#: What C's `isspace` knows in ASCII. Where one stands, `inet_aton` stops reading.
SPACES = " \t\n\v\f\r"

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
    Only `inet_aton` ignores what follows a space.

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
    value = address_of(numbers_in(mapped(before_space(decoded(host)))))
    return None if value is None else IPv4Address(value)


def ipv4_form(host: str, /) -> Form | None:
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
    name = mapped(text)
    numbers = numbers_in(name)
    bases = {number.base for number in numbers}
    if not numbers:
        return None
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


# --- addresses in addresses

#: How an address is reached by another; see `reached_addresses`.
How: TypeAlias = Literal[
    "itself",
    "mapped",
    "compatible",
    "translated",
    "nat64",
    "nat64-local",
    "6to4",
    "teredo-server",
    "teredo-client",
    "isatap",
]

#: Interface identifiers of ISATAP begin so (RFC 5214, 6.1): the second where the address is
#: unique in the world.
ISATAP = (0x0000_5EFE, 0x0200_5EFE)

#: The lengths of prefix that fit into 64:ff9b:1::/48, which is for translators on the spot.
NAT64_LOCAL_LENGTHS = (48, 56, 64, 96)


class Reached(NamedTuple):
    """An address, and how it is reached by the one asked about."""

    address: IPv4Address | IPv6Address
    how: How


def reached_addresses(ip: IPv4Address | IPv6Address, /) -> tuple[Reached, ...]:
    """An address, and those IPv4 addresses that are embedded in it.

    Who connects to such an IPv6 address may well reach the IPv4 address: by the operating
    system or by a translator or tunnel on the way. So both are to be looked at.

    - `"mapped"`, `::ffff:0:0/96` ([RFC 4291, 2.5.5.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2));
    - `"compatible"`, `::/96` without `::` and `::1` (2.5.5.1 there, deprecated);
    - `"translated"`, `::ffff:0:0:0/96` ([RFC 2765, 2.1](https://www.rfc-editor.org/rfc/rfc2765#section-2.1));
    - `"nat64"`, `64:ff9b::/96` ([RFC 6052](https://www.rfc-editor.org/rfc/rfc6052#section-2.1));
    - `"nat64-local"`, `64:ff9b:1::/48` ([RFC 8215](https://www.rfc-editor.org/rfc/rfc8215)): the
      address can't tell how long the prefix is that an operator has chosen there, so it is
      read with each length that RFC 6052, 2.2 has;
    - `"6to4"`, `2002::/16` ([RFC 3056](https://www.rfc-editor.org/rfc/rfc3056#section-2));
    - `"teredo-server"` and `"teredo-client"`, `2001::/32`
      ([RFC 4380, 4](https://www.rfc-editor.org/rfc/rfc4380#section-4));
    - `"isatap"`, an interface identifier `0:5efe` or `200:5efe`
      ([RFC 5214, 6.1](https://www.rfc-editor.org/rfc/rfc5214#section-6.1)).

    A prefix that an operator has chosen for NAT64 elsewhere can't be seen.

    Args:
        ip: an address.

    Returns:
        The address first, as `"itself"`; then those in it, in the order above.

    Raises:
        TypeError: it is no address.

    >>> reached_addresses(IPv6Address("2002:7f00:1::"))[1]
    Reached(address=IPv4Address('127.0.0.1'), how='6to4')
    """
    number = number_in(ip)
    reached = [Reached(ip, "itself")]
    if isinstance(ip, IPv6Address):
        reached += [Reached(IPv4Address(found), how) for found, how in embedded(number)]
    return tuple(reached)


def embedded(number: int) -> list[tuple[int, How]]:
    """The IPv4 addresses in an IPv6 address."""
    low = number & 0xFFFF_FFFF
    found: list[tuple[int, How]] = []
    prefix = number >> 32
    if prefix == 0xFFFF:
        found.append((low, "mapped"))
    if prefix == 0 and low > 1:
        found.append((low, "compatible"))
    if prefix == 0xFFFF_0000:
        found.append((low, "translated"))
    if prefix == 0x0064_FF9B << 64:
        found.append((low, "nat64"))
    if number >> 80 == 0x0064_FF9B_0001:
        readings = dict.fromkeys(translated(number, length) for length in NAT64_LOCAL_LENGTHS)
        found.extend((reading, "nat64-local") for reading in readings)
    if number >> 112 == 0x2002:
        found.append((number >> 80 & 0xFFFF_FFFF, "6to4"))
    if number >> 96 == 0x2001_0000:
        found.append((number >> 64 & 0xFFFF_FFFF, "teredo-server"))
        found.append((low ^ 0xFFFF_FFFF, "teredo-client"))  # 4: its bits are inverted
    if prefix & 0xFFFF_FFFF in ISATAP:
        found.append((low, "isatap"))
    return found


def translated(number: int, length: int) -> int:
    """The IPv4 address behind a NAT64 prefix of that length (RFC 6052, 2.2).

    Bits 64 to 71 are no part of the address; with a length of 96 they are in the prefix.
    """
    octets = number.to_bytes(16, "big")
    if length < 96:
        octets = octets[:8] + octets[9:]
    start = length // 8
    return int.from_bytes(octets[start : start + 4], "big")


# --- what addresses are for

#: What an address is for; see `scope`.
Scope: TypeAlias = Literal[
    "global",
    "unspecified",
    "this-network",
    "loopback",
    "private",
    "shared",
    "link-local",
    "site-local",
    "unique-local",
    "multicast",
    "broadcast",
    "documentation",
    "benchmarking",
    "transition",
    "special",
    "reserved",
]

#: The scopes of the blocks in IANA's registries that are not globally reachable, by the name
#: of the block. Those with other names are "special".
SCOPE_OF: dict[str, Scope] = {
    '"This network"': "this-network",
    '"This host on this network"': "unspecified",
    "Private-Use": "private",
    "Shared Address Space": "shared",
    "Loopback": "loopback",
    "Link Local": "link-local",
    "Documentation (TEST-NET-1)": "documentation",
    "Documentation (TEST-NET-2)": "documentation",
    "Documentation (TEST-NET-3)": "documentation",
    "Benchmarking": "benchmarking",
    "Reserved": "reserved",
    "Limited Broadcast": "broadcast",
    "Loopback Address": "loopback",
    "Unspecified Address": "unspecified",
    "IPv4-mapped Address": "transition",
    "IPv4-IPv6 Translat.": "transition",
    "TEREDO": "transition",
    "6to4": "transition",
    "Documentation": "documentation",
    "Unique-Local": "unique-local",
    "Link-Local Unicast": "link-local",
}

#: What those registries leave to others: first address, length of the prefix, scope.
BESIDES_IPV4: tuple[tuple[int, int, Scope], ...] = (
    (0, 0, "global"),
    (0xE000_0000, 4, "multicast"),  # RFC 5771, 3
)
BESIDES_IPV6: tuple[tuple[int, int, Scope], ...] = (
    # Unicast addresses are given out of 2000::/3 only; the rest waits (RFC 4291, 2.4, and
    # IANA's registry of the IPv6 address space).
    (0, 0, "reserved"),
    (0x2000 << 112, 3, "global"),
    (0, 96, "transition"),  # "compatible": RFC 4291, 2.5.5.1
    (0xFFFF_0000 << 32, 96, "transition"),  # "translated": RFC 2765, 2.1
    (0xFEC0 << 112, 10, "site-local"),  # RFC 3879: deprecated, and never for others
    (0xFF00 << 112, 8, "multicast"),  # RFC 4291, 2.7
)


def scope(ip: IPv4Address | IPv6Address, /) -> Scope:
    """What an address is for, in one word.

    The most specific block decides that has the address in IANA's registries of
    special-purpose addresses ([RFC 6890](https://www.rfc-editor.org/rfc/rfc6890)):

    - `"global"`: it is in none, or the registry says that it is globally reachable;
    - `"unspecified"` (`0.0.0.0`, `::`), which often leads to the own machine, and
      `"this-network"` (the rest of `0.0.0.0/8`);
    - `"loopback"`, `"link-local"`, `"multicast"`, `"broadcast"`;
    - `"private"` (RFC 1918), `"unique-local"` (RFC 4193), `"site-local"` (`fec0::/10`, once
      the same), and `"shared"` (RFC 6598, between a provider and its customers);
    - `"documentation"`, `"benchmarking"`;
    - `"transition"`: an IPv6 address that stands for an IPv4 address, mapped, compatible,
      translated, Teredo, 6to4, or local NAT64; see `scopes`;
    - `"special"`: not globally reachable for another reason (`192.0.0.0/24`, `100::/64`);
    - `"reserved"`: for the future. Of IPv6 that is all outside `2000::/3` that has no other use.

    Of an address that embeds another only the outer one is looked at: `64:ff9b::/96` is
    global. `scopes` looks at both.

    Raises:
        TypeError: it is no address.

    >>> scope(IPv4Address("192.168.0.1")), scope(IPv6Address("::1")), scope(IPv4Address("1.1.1.1"))
    ('private', 'loopback', 'global')
    >>> scope(IPv4Address("192.0.0.8")), scope(IPv4Address("192.0.0.9"))
    ('special', 'global')
    """
    number = number_in(ip)
    return next(
        found
        for length, scopes in blocks(ip.version)
        if (found := scopes.get(number >> (ip.max_prefixlen - length)))
    )


def scopes(ip: IPv4Address | IPv6Address, /) -> frozenset[Scope]:
    """What an address is for, and all that are embedded in it (`reached_addresses`).

    A program that is to connect to public addresses only allows no others than `"global"`
    and `"transition"`.

    Raises:
        TypeError: it is no address.

    >>> sorted(scopes(IPv6Address("::ffff:127.0.0.1"))), sorted(scopes(IPv6Address("2620:fe::9")))
    (['loopback', 'transition'], ['global'])
    """
    return frozenset(scope(reached.address) for reached in reached_addresses(ip))


def is_globally_reachable(ip: IPv4Address | IPv6Address, /) -> bool:
    """Whether an address is globally reachable, as IANA's registries have it (RFC 8190).

    Not where they say "N/A" or nothing, as for Teredo, 6to4 and blocks that have been given
    up; nor are multicast addresses, which no host has, and those reserved. It is so of what has
    the scope `"global"`, and of no others.

    Raises:
        TypeError: it is no address.

    >>> is_globally_reachable(IPv4Address("192.0.0.9"))
    True
    >>> is_globally_reachable(IPv6Address("2002::"))
    False
    """
    return scope(ip) == "global"


@cache
def blocks(version: int) -> list[tuple[int, dict[int, Scope]]]:
    """For each length of prefix, the longest first, the scope by what the prefix is."""
    bits, registry, besides = (
        (32, IPV4, BESIDES_IPV4) if version == 4 else (128, IPV6, BESIDES_IPV6)
    )
    found: dict[int, dict[int, Scope]] = {}
    for first, length, word in besides:
        found.setdefault(length, {})[first >> (bits - length)] = word
    for first, length, name, _, reachable in registry:
        word = "global" if reachable else SCOPE_OF.get(name, "special")
        found.setdefault(length, {})[first >> (bits - length)] = word
    return sorted(found.items(), reverse=True)


def number_in(ip: object) -> int:
    if not isinstance(ip, IPv4Address | IPv6Address):
        raise TypeError(f"expected an IPv4Address or an IPv6Address, not {type(ip).__name__}")
    return int(ip)


# --- names

#: How many labels the longest of the names has.
MOST_LABELS = max(name.count(".") + 1 for name in SPECIAL_USE_NAMES)


def special_use(name: str, /) -> str | None:
    """The special-use domain name under which a host name falls ([RFC 6761][1]).

    Such names have a meaning of their own, and asking the public DNS for them is wrong or in
    vain: `localhost`, `local` (multicast DNS), `onion`, `home.arpa`, `test`, `invalid`,
    `example.com`, the reverse zones of private addresses and some more, as in [IANA's
    registry][2]. Others that are in use inside networks (`internal`, `lan`, `corp`) are not
    in it.

    [1]: https://www.rfc-editor.org/rfc/rfc6761
    [2]: https://www.iana.org/assignments/special-use-domain-names

    Args:
        name: a host. Case does not count, nor a dot at the end; what is percent-encoded is
            decoded, and what is no ASCII mapped, as for looking it up.

    Returns:
        The registered name, in lower case and without a dot at its end; the longest, if there
        are several; `None` if the name is under none.

    Raises:
        TypeError: the name is no `str`.

    >>> special_use("Www.Example.COM."), special_use("localhost"), special_use("notlocal")
    ('example.com', 'localhost', None)
    """
    if not isinstance(name, str):
        raise TypeError(f"expected a str, not {type(name).__name__}")
    labels = mapped(decoded(name)).lower().removesuffix(".").rsplit(".", MOST_LABELS)[-MOST_LABELS:]
    suffixes = (".".join(labels[start:]) for start in range(len(labels)))
    return next((suffix for suffix in suffixes if suffix in SPECIAL_USE_NAMES), None)
