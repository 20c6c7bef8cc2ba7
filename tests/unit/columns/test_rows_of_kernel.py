from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest

from uriverse import columns, hosts
from uriverse.hosts._scopes import load_blocks


def test_parameters_are_sorted_by_their_decoded_names() -> None:
    for query, expected in [
        # A "+" is a space (0x20), which precedes "!" (0x21), and %2B is a plus sign (0x2B).
        *(("a!&a+", "a+&a!"), ("a+&a!", "a+&a!"), ("a%2B&a+", "a+&a%2B"), ("%2b&+", "+&%2b")),
        *(("a%21&a+b&a", "a&a+b&a%21"), ("b+c=1&b%20a=2&b=3", "b=3&b%20a=2&b+c=1")),
        # Equal names keep their order, and values do not count.
        *(("a+=2&a%20=1&a=3", "a=3&a+=2&a%20=1"), ("a=+&a=!&a=%20", "a=+&a=!&a=%20")),
        *(("b&&a+", "&a+&b"), ("%C3%A9&%7e&z", "z&%7e&%C3%A9"), ("%FF&a&%00", "%00&a&%FF")),
    ]:
        column = columns.sorted_params([f"/a?{query}", None, "?", f"?{query}#b"])
        assert column.to_pylist() == [f"/a?{expected}", None, "?", f"?{expected}#b"]


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        *((" x", ["+x", "%20x"]), ("+x", ["%2Bx", "%2bx"]), ("%x", ["%25x"])),
        *(("x ", ["x+", "%78%20"]), ("\u00e9", ["%C3%A9", "%c3%a9", "\u00e9"])),
    ],
)
def test_every_spelling_of_a_name_selects_parameters(name: str, spellings: list[str]) -> None:
    others = "/a?z=1&x&=+x&%2Bxx&z+x"
    for spelling in spellings:
        rows = [f"{others}&{spelling}=2", f"{others}&{spelling}", f"/a?{spelling}&{others[3:]}"]
        assert columns.without_params(rows, name).to_pylist() == [others] * 3
        assert columns.without_params(rows, ["other", name]).to_pylist() == [others] * 3
        assert columns.filter_params(rows, drop=name).to_pylist() == [others] * 3
        kept = [f"/a?{spelling}=2", f"/a?{spelling}", f"/a?{spelling}"]
        assert columns.filter_params(rows, keep=name).to_pylist() == kept
        assert columns.param_values(rows, name).to_pylist() == [["2"], [None], [None]]


#: Rows, and for each function of a list, what it returns for the row.
LISTS: dict[str, dict[str, Any]] = {
    "?a&a=1": {"names": ["a"], "values": [None, "1"], "segments": []},
    "/b?a=&a": {"names": ["a"], "values": ["", None], "segments": ["", "b"]},
    "x": {"names": None, "values": None, "segments": ["x"]},
    "a b": {"names": None, "values": None, "segments": None},
    "?": {"names": [], "values": [], "segments": []},
    # The kernel discards what it has written, and leaves the row to Python.
    "/%FF?a&a=%FF&a": {"names": ["a"], "values": [None, "%FF", None], "segments": ["", "%FF"]},
    "?b=%C3&a": {"names": ["b", "a"], "values": [None], "segments": []},
    "/?a&a&a": {"names": ["a"], "values": [None, None, None], "segments": ["", ""]},
    "//h?a=%20+": {"names": ["a"], "values": ["  "], "segments": []},
}


@pytest.mark.parametrize("rows", [[*LISTS], [None, *LISTS, None], [*LISTS, None] * 20])
def test_lists_have_nulls_where_rows_or_values_are_missing(rows: list[str | None]) -> None:
    calls = {
        "names": columns.param_names(rows),
        "values": columns.param_values(rows, "a"),
        "segments": columns.path_segments(rows),
    }
    for name, column in calls.items():
        expected = [LISTS[row][name] if row is not None else None for row in rows]
        assert column.to_pylist() == expected, name
    pairs = columns.query_params(rows).to_pylist()
    for row, found in zip(rows, pairs, strict=True):
        values = LISTS[row]["values"] if row is not None else None
        assert (values is None) == (found is None), row
        assert [each["value"] for each in found or () if each["key"] == "a"] == (values or []), row


def edges(version: int) -> list[int]:
    bits = 32 if version == 4 else 128
    firsts = [
        (prefix << (bits - length), (prefix + 1 << (bits - length)) - 1)
        for length, scopes in load_blocks(version)
        for prefix in scopes
    ]
    numbers = {n for first, last in firsts for n in (first - 1, first, last, last + 1)}
    return sorted(number for number in numbers if 0 <= number < 1 << bits)


def test_the_scope_of_an_address_is_that_of_its_block_at_both_ends() -> None:
    addresses: list[IPv4Address | IPv6Address] = [*map(IPv4Address, edges(4))]
    addresses += map(IPv6Address, edges(6))
    rows = [f"//{ip}" if ip.version == 4 else f"http://u@[{ip}]:80/" for ip in addresses]
    expected = [hosts.scope(ip) for ip in addresses]
    assert columns.scope(rows).to_pylist() == expected
    rows = ["//a", *(row.upper() for row in rows), "[::1]"]
    assert columns.scope(rows).to_pylist() == [None, *expected, None]


def test_scopes_of_ipv6_addresses_are_found_in_every_spelling() -> None:
    rows = {
        "//[::1]": "loopback",
        "//[0:0:0:0:0:0:0:1]": "loopback",
        "//[::0.0.0.1]": "loopback",
        "//[0000:0000::0001]": "loopback",
        "//[::]": "unspecified",
        "//[FE80::1]": "link-local",
        "//[fe80:0:0:0:1:2:3:4]": "link-local",
        "//[febf:ffff::]": "link-local",
        "//[fec0::]": "site-local",
        "//[fd00::1]": "unique-local",
        "//[::ffff:1.2.3.4]": "transition",
        "//[::ffff:102:304]": "transition",
        "//[2001:db8::1]": "documentation",
        "//[2606:4700::1111]": "global",
        "//[4000::]": "reserved",
        "//[ff02::1]": "multicast",
        "//[v1.a]": None,
    }
    assert dict(zip(rows, columns.scope([*rows]).to_pylist(), strict=True)) == rows
