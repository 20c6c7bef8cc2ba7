import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marked import list_rows

from uriverse import IRIReference, hosts
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse.hosts import (
    EmbeddedAddress,
    _scopes,
    embedded_addresses,
    ipv4_form,
    is_globally_reachable,
    lookalike_ip,
    scope,
    scopes,
    special_use,
)
from uriverse.typing import Scope

LONG = 20_000

#: The values that `ipv4_form` returns besides `None`.
IPV4_FORMS = get_args(get_args(get_type_hints(ipv4_form)["return"])[0])

# --- hosts that other parsers read as IPv4 addresses

LOOPBACK = IPv4Address("127.0.0.1")


@pytest.mark.parametrize(
    ("form", "address", "host"),
    list_rows(
        {
            # Fewer than four numbers: the last one fills the remaining octets.
            ("short", "127.0.0.1"): [
                *("127.1", "127.0.1", "127.1.", "%EF%BC%91%EF%BC%92７.1", "127.1\tx.y")
            ],
            ("short", "10.1.255.255"): "10.1.65535",
            ("short", "10.255.255.255"): "10.16777215",
            ("integer", "127.0.0.1"): "2130706433",
            ("integer", "0.0.0.0"): "0",
            ("integer", "255.255.255.255"): "4294967295",
            ("octal", "127.0.0.1"): "0177.0.0.1 017700000001 127.0.0.01",
            ("octal", "0.0.0.0"): "00.0.0.0",
            ("octal", "8.8.8.8"): "010.8.8.8",
            ("hex", "127.0.0.1"): "0x7f.0.0.1 0X7F000001 0x7F.1 0x7f.0.00.1 ０ｘ７Ｆ.1",
            ("hex", "255.255.255.255"): "0xffffffff",
            ("hex", "0.0.0.0"): "0x",
            ("hex", "127.0.0.0"): "127.0x",
            ("trailing-dot", "127.0.0.1"): "127.0.0.1. １２７.0.0.1。",
            ("encoded", "127.0.0.1"): (
                "%31%32%37.0.0.1 127%2E0%2e0.1 １２７．０．０．１ 127。0｡0.1 𝟏²⑦.0.0.1 "
                "127.0.0.\u00ad1"
            ),
            # Accepted by `inet_aton` only
            ("trailing-space", "127.0.0.1"): ["127.0.0.1 x", "127.0.0.1 é\ufffd", "127.0.0.1%20x"],
            # Numbers that are not an address
            ("overflow", None): (
                "256.1 1.256.1 1.2.65536 1.16777216 4294967296 0x100000000 040000000000 1.2.3.400 "
                "1.2.3.4.5 1.2.3.4.5. 08.256.1.1"
            ),
            ("octal", None): "08 127.0.0.09",
            # Plain addresses and names, and hosts that browsers reject
            (None, None): [
                *("127.0.0.1", "255.255.255.255", "example.com", "1.example", "example.1"),
                *("0x7g.1", "x7f.1", "1a.1", "1..2", ".1", "1.2.3.4..", ".", "", " 127.1", "+1"),
                *("-1", "[::1]", "bücher.example", "½", "1´1", "1\u00a0x", "١٢٧.1", "127.1%"),
                *("127.1%zz", "%2531.1", "%FF.1", "127.1\ufffd", "127.1\ud800"),
            ],
        }
    ),
)
def test_ipv4_form_and_lookalike_ip_detect_ipv4_lookalikes(
    host: str, form: str | None, address: str | None
) -> None:
    assert ipv4_form(host) == form
    assert lookalike_ip(host) == (address and IPv4Address(address))


def addresses_seen(host: str) -> set[IPv4Address]:
    """Return the IPv4 addresses that `inet_aton` and a browser read from the host."""
    ada_url: Any = pytest.importorskip(
        "ada_url", reason="needs ada_url (pip install --group test-all)"
    )
    found = set()
    with suppress(OSError, UnicodeError):
        found.add(IPv4Address(socket.inet_aton(host)))
    try:
        name = ada_url.URL(f"http://{host}").hostname
    except ValueError:
        return found
    if re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+", name):
        found.add(IPv4Address(name))
    return found


def is_standard_ipv4(host: str) -> bool:
    try:
        return str(IPv4Address(host)) == host
    except ValueError:
        return False


#: `inet_aton` ignores everything after a space. Encoded spaces count too, since a
#: program may decode the host first.
SPACE = re.compile(r"[ \t-\r]|%(?:20|0[9a-d])", re.IGNORECASE)

NUMBER_FORMATS = ("{:d}", "0{:o}", "00{:o}", "0x{:x}", "0X{:X}", "0x0{:x}", "0{:d}")

numbers = st.one_of(
    st.integers(0, 300),
    st.sampled_from([0, 255, 256, 65535, 65536, 2**24 - 1, 2**24, 2**32 - 1, 2**32, 2**64]),
)
written = st.builds(
    lambda writing, number: writing.format(number), st.sampled_from(NUMBER_FORMATS), numbers
)
joined = st.builds(
    lambda parts, dot, end: dot.join(parts) + end,
    st.lists(written, min_size=1, max_size=5),
    st.sampled_from([".", ".", ".", "。", "%2e"]),
    st.sampled_from(["", "", ".", "x", " x"]),
)


def as_triplet(character: str) -> str:
    return f"%{ord(character):02x}"


def in_full_width(character: str) -> str:
    return chr(ord(character) + 0xFEE0)


@st.composite
def disguised(draw: st.DrawFn) -> str:
    """Draw numbers between dots, with some characters encoded or in full width."""
    host = draw(joined)
    plain: list[Callable[[str], str]] = [str, str, str]
    ways = st.sampled_from([*plain, as_triplet, in_full_width])
    return "".join(draw(ways)(c) if c.isascii() and c.isalnum() else c for c in host)


random_hosts = st.text(st.sampled_from("0011278 ..xXafF.%3１２７．。｡ｘ\u00ad²z"), max_size=12)


@given(st.one_of(joined, disguised(), random_hosts))
@example("127.0.0.1 x")
@example("1.2.3.4.")
@example("0x.0x.0x.0x")
def test_every_host_read_as_an_ipv4_address_is_detected(host: str) -> None:
    expected = set() if is_standard_ipv4(host) else addresses_seen(host)
    found = lookalike_ip(host)
    if expected:
        assert {found} == expected
        assert ipv4_form(host) not in {None, "overflow"}
    elif not SPACE.search(host):
        assert found is None


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{:d}", "0{:o}", "0x{:x}"]))
def test_numbers_in_every_base_are_read_as_addresses(number: int, writing: str) -> None:
    assert lookalike_ip(writing.format(number)) == IPv4Address(number)


@given(st.text())
def test_host_functions_accept_any_string(text: str) -> None:
    assert ipv4_form(text) in {None, *IPV4_FORMS}
    assert (lookalike_ip(text) is None) or ipv4_form(text)
    assert special_use(text) in {None, *SPECIAL_USE_NAMES}


def test_long_hosts_are_handled_in_linear_time() -> None:
    for host, form, address in [
        ("0" * LONG + "177.0.0.1", "octal", LOOPBACK),
        *(("0x" + "0" * LONG + "7f000001", "hex", LOOPBACK), ("9" * LONG, "overflow", None)),
        *(("0x" + "f" * LONG, "overflow", None), ("1." * LONG, "overflow", None)),
        *(("0" + "8" * LONG, "octal", None), ("%30" * LONG + "177.1", "octal", LOOPBACK)),
        ("０" * LONG + "177.1", "octal", LOOPBACK),
        *(("a" + "\u0316\u0301" * (LONG // 2), None, None), ("." * LONG, None, None)),
        (" " * LONG, None, None),
    ]:
        assert (ipv4_form(host), lookalike_ip(host)) == (form, address)
        assert special_use(host) is None


#: Addresses, and the ways in which they embed other addresses.
EMBEDDED = {
    **dict.fromkeys(("127.0.0.1", "::", "::1", "2001:db8::1", "::1:0:0"), ""),
    **dict.fromkeys(("64:ff9b:0:1::c000:221", "64:ff9a::c000:221", "64:ff9b:2::"), ""),
    **dict.fromkeys(("2003:c000:204::1", "2001:1::1", "2001:db8::100:5efe:192.0.2.143"), ""),
    "::ffff:192.0.2.1": "mapped 192.0.2.1",
    "::2": "compatible 0.0.0.2",
    "::127.0.0.1": "compatible 127.0.0.1",
    "::ffff:0:10.0.0.1": "translated 10.0.0.1",
    "64:ff9b::192.0.2.33": "nat64 192.0.2.33",
    # RFC 6052, 2.2: the examples whose prefix lengths fit
    "64:ff9b:1:c000:2:2100::": "nat64-local 192.0.2.33 0.2.33.0 2.33.0.0 0.0.0.0",
    "64:ff9b:1:aac0:0:221::": "nat64-local 170.192.0.2 192.0.2.33 0.2.33.0 0.0.0.0",
    "64:ff9b:1:abcd:c0:2:2100:0": "nat64-local 171.205.192.0 205.192.0.2 192.0.2.33 33.0.0.0",
    "64:ff9b:1::": "nat64-local 0.0.0.0",
    "64:ff9b:1::127.0.0.1": "nat64-local 0.0.0.0 0.0.0.127 127.0.0.1",
    "2002:c000:204::1": "6to4 192.0.2.4",
    # RFC 4380, 5.2.4: server 65.54.227.120, client behind 192.0.2.45
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "teredo-server 65.54.227.120, teredo-client 192.0.2.45",
    "fe80::5efe:192.0.2.143": "isatap 192.0.2.143",
    "2001:db8::200:5efe:192.0.2.143": "isatap 192.0.2.143",
    "2002:a00:1::5efe:7f00:1": "6to4 10.0.0.1, isatap 127.0.0.1",
}


@pytest.mark.parametrize(("address", "ways"), EMBEDDED.items())
def test_embedded_addresses_lists_all_reachable_addresses(address: str, ways: str) -> None:
    ip = ip_address(address)
    itself, *others = embedded_addresses(ip)
    assert itself == EmbeddedAddress(ip, "itself")
    assert others == [
        (IPv4Address(inner), how)
        for how, *inners in map(str.split, ways.split(", ") if ways else ())
        for inner in inners
    ]


def test_the_zone_of_an_address_is_ignored() -> None:
    assert scope(IPv6Address("fe80::1%eth0")) == "link-local"
    assert embedded_addresses(IPv6Address("::ffff:1.2.3.4%1"))[1].address == IPv4Address("1.2.3.4")


@given(st.integers(0, 2**32 - 1))
def test_embedded_addresses_agree_with_ipaddress(number: int) -> None:
    inner = IPv4Address(number)
    mapped = IPv6Address((0xFFFF << 32) + number)
    assert (inner, "mapped") in embedded_addresses(mapped)
    assert mapped.ipv4_mapped == inner
    six = IPv6Address((0x2002 << 112) + (number << 80))
    assert (inner, "6to4") in embedded_addresses(six)
    assert six.sixtofour == inner
    teredo = IPv6Address((0x2001_0000 << 96) + (number << 64) + (number ^ 0xFFFF_FFFF))
    assert [(r.address, r.how) for r in embedded_addresses(teredo)[1:3]] == [
        (inner, "teredo-server"),
        (inner, "teredo-client"),
    ]
    assert teredo.teredo == (inner, inner)


@pytest.mark.parametrize(
    ("word", "address"),
    list_rows(
        {
            "global": "8.8.8.8 172.32.0.0 192.0.0.9 2606:4700:4700::11 64:ff9b::8.8.8.8 2001:1::1",
            "unspecified": "0.0.0.0 ::",
            "this-network": "0.0.0.1",
            "loopback": "127.255.255.255 ::1",
            "private": "172.31.255.255",
            "shared": "100.64.0.1",
            "link-local": "169.254.169.254 fe80::1",
            "special": "192.0.0.1 2001:1::4 100::1",
            "benchmarking": "198.19.0.1",
            "documentation": "203.0.113.1 2001:db8::1 3fff::1",
            "multicast": "239.255.255.255 ff02::1",
            "reserved": "255.255.255.254 4000::1 ::1:0:0:0 fe00::1",
            "broadcast": "255.255.255.255",
            "transition": "::127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b:1::1 2001::1 2002::",
            "unique-local": "fd00::1",
            "site-local": "fec0::1",
        }
    ),
)
def test_scope_classifies_addresses(address: str, word: Scope) -> None:
    ip = ip_address(address)
    assert scope(ip) == word
    assert is_globally_reachable(ip) is (word == "global")


def test_scopes_include_embedded_addresses() -> None:
    for address, words in [
        *(("127.0.0.1", {"loopback"}), ("::ffff:127.0.0.1", {"transition", "loopback"})),
        ("::127.0.0.1", {"transition", "loopback"}),
        *(("64:ff9b::10.0.0.1", {"global", "private"}), ("64:ff9b::8.8.8.8", {"global"})),
        ("2002:7f00:1::", {"transition", "loopback"}),
        ("2001:0:808:808::80ff:fffe", {"transition", "global", "loopback"}),
        ("fe80::5efe:8.8.8.8", {"link-local", "global"}),
    ]:
        assert scopes(ip_address(address)) == words


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_the_scope_of_every_address_is_documented(ip: IPv4Address | IPv6Address) -> None:
    assert scope(ip) in get_args(Scope)
    assert f'`"{scope(ip)}"`' in str(scope.__doc__)
    assert scope(ip) in scopes(ip)


EMBEDDINGS = get_args(get_type_hints(EmbeddedAddress, vars(_scopes))["how"])


def test_every_result_is_documented() -> None:
    for function, word in [
        *((scope, word) for word in get_args(Scope)),
        *((ipv4_form, word) for word in IPV4_FORMS),
        *((embedded_addresses, word) for word in EMBEDDINGS),
    ]:
        assert f'`"{word}"`' in str(function.__doc__)


@pytest.mark.parametrize(
    ("registered", "name"),
    list_rows(
        {
            "localhost": "localhost LocalHost. a.b.localhost %6Cocalhost ｌｏｃａｌｈｏｓｔ",
            "local": "printer.local printer。local",
            "invalid": "x.invalid",
            "test": "a.test",
            "example": "a.example",
            "example.com": "www.example.com",
            "example.net": "example.net",
            "onion": "2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion",
            "alt": "x.alt",
            "home.arpa": "router.home.arpa",
            "eap.arpa": "x.eap.arpa",
            "resolver.arpa": "_dns.resolver.arpa",
            "10.in-addr.arpa": "1.0.0.10.in-addr.arpa",
            "16.172.in-addr.arpa": "1.1.16.172.in-addr.arpa",
            "170.0.0.192.in-addr.arpa": "170.0.0.192.in-addr.arpa a.170.0.0.192.IN-ADDR.ARPA",
            # Whole labels only, and names that are not registered
            None: [
                *("notlocalhost", "localhost.example.xyz", "xample.com", "myexample.com", "arpa"),
                *("32.172.in-addr.arpa", "110.in-addr.arpa", "printer.internal", "printer.lan"),
                *("example.com.evil.com", "localhost..", "localhost%00", "", ".", "127.0.0.1"),
            ],
        }
    ),
)
def test_special_use_returns_a_matching_registered_name(name: str, registered: str | None) -> None:
    assert special_use(name) == registered


@pytest.mark.parametrize("name", SPECIAL_USE_NAMES)
def test_special_use_matches_registered_names_and_their_subdomains(name: str) -> None:
    assert special_use(name) == name
    assert special_use(f"x.{name.upper()}.") == name
    assert special_use(f"x{name}") != name


def test_arguments_of_a_wrong_type_are_rejected() -> None:
    for function in (lookalike_ip, ipv4_form, special_use):
        with pytest.raises(TypeError):
            function(b"127.1")  # type: ignore[arg-type]
    for question in (embedded_addresses, scope, scopes, is_globally_reachable):
        with pytest.raises(TypeError, match="ip must be an IPv4Address or IPv6Address, not str"):
            question("127.0.0.1")  # type: ignore[arg-type]


def test_idna_is_imported_only_for_non_ascii_hosts() -> None:
    code = (
        "import sys; from uriverse import hosts\n"
        "hosts.ipv4_form('127.1'); hosts.special_use('a.b')\n"
        "assert 'idna' not in sys.modules\n"
        "hosts.ipv4_form('é'); assert 'idna' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_host_kind_and_ip_follow_the_grammar() -> None:
    for host, kind, address in [
        ("[2001:db8::1]", "IPv6address", IPv6Address("2001:db8::1")),
        *(("192.0.2.1", "IPv4address", IPv4Address("192.0.2.1")), ("192.0.2.01", "reg-name", None)),
        *(("[v1.a:b]", "IPvFuture", None), ("a.example", "reg-name", None)),
        *(("b\u00fccher.example", "reg-name", None), ("", "reg-name", None), ("::1", None, None)),
        *(("[192.0.2.1]", None, None), ("[::1", None, None), ("[fe80::1%25eth0]", None, None)),
        ("a/b", None, None),
    ]:
        assert hosts.host_kind(host) == kind
        assert hosts.ip(host) == address
        if kind:
            assert IRIReference(f"//{host}").host_kind == kind
            assert IRIReference(f"//{host}").ip == address


def test_ip_reads_zone_identifiers_on_request() -> None:
    for host, address in [
        *(("[fe80::1%25eth0]", "fe80::1%eth0"), ("[fe80::1%25a%20b]", "fe80::1%a b")),
        *(("[fe80::1]", "fe80::1"), ("192.0.2.1", "192.0.2.1"), ("[fe80::1%25]", None)),
        *(("[fe80::1%eth0]", None), ("[fe80::1%25a%25b]", None), ("fe80::1%25eth0", None)),
        ("[192.0.2.1%25eth0]", None),
    ]:
        assert hosts.ip(host, zone="rfc6874") == (None if address is None else ip_address(address))
        with pytest.raises(ValueError, match="zone must be 'rfc6874' or None, not 'rfc9844'"):
            hosts.ip(host, zone="rfc9844")  # type: ignore[arg-type]


def test_browser_and_inet_aton_syntax_are_not_combined() -> None:
    for host, address in [
        *(("127. 1", None), ("0x.1 x", None), ("0x.1", "0.0.0.1"), ("0x.1\t.00", "0.1.0.0")),
        *(("127.1\n", "127.0.0.1"), ("127.1%20x", "127.0.0.1"), ("127.1. x", None)),
    ]:
        assert lookalike_ip(host) == (None if address is None else ip_address(address))
