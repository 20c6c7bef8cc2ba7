from ipaddress import ip_address
from random import Random

import pytest
from counting import assert_proportional

from uriverse import RuleError
from uriverse._policy.hosts import (
    HostIndex,
    HostPattern,
    parse_address,
    parse_domain,
    parse_host_pattern,
    parse_plain_pattern,
    widen_host_pattern,
)
from uriverse._policy.paths import PathIndex, parse_path_pattern, to_comparable


def test_a_pattern_matches_whole_segments_and_percent_encoded_triplets() -> None:
    for pattern, path, matches in [
        *(("/a", "/a", True), ("/a", "/a/", False), ("/a", "/A", False), ("/a/", "/a", False)),
        *(("/a/", "/a/", True), ("/a/", "/a/b/c", True), ("/a/**", "/a/", True)),
        *(("/a/**", "/a", False), ("/", "/", True), ("/**", "/a", True), ("/*", "/", False)),
        *(("/*", "/a", True), ("/*", "/a/b", False), ("/a*c", "/ac", False)),
        *(("/a*c", "/abc", True), ("/a*a", "/a", False), ("/a*a", "/aa", False)),
        *(("/*a*", "/a", False), ("/*a*", "/aaa", True), ("/*aa*", "/aaaa", True)),
        *(("/*/b/", "/a/b/c", True), ("/*/b/", "//b/c", False), ("/a%2Ab", "/a*b", True)),
        *(("/a%2Ab", "/a%2Ab", True), ("/a%2Ab", "/axb", False), ("/a*b", "/a%2Ab", True)),
        *(("/*41", "/%E2%82%AC41", True), ("/*41", "/%41", False)),
        *(("/*C41", "/%E2%82%AC41", False), ("/%E2*", "/%E2%82", True), ("/*82*", "/%82a", False)),
        *(("/*2*", "/%82a", False), ("/a//b", "/a//b", True), ("/a//b", "/a/b", False)),
    ]:
        found = parse_path_pattern(pattern)
        assert found.matches(to_comparable(path)) is matches
        index: PathIndex[str] = PathIndex()
        index.add(found, pattern)
        assert list(index.find(to_comparable(path))) == [pattern] * matches


def test_a_pattern_covers_patterns_that_match_fewer_paths() -> None:
    for pattern, other, covers in [
        *(("/", "/a", True), ("/", "/", True), ("/a/", "/a", False), ("/a/", "/a/**", True)),
        *(("/a/", "/a/*", True), ("/a/", "/a/b/", True), ("/a/", "/ab/", False)),
        *(("/a", "/a/", False), ("/*", "/a", True), ("/*", "/*", True), ("/*", "/a*", True)),
        *(("/a*", "/*", False), ("/a*", "/a*b", True), ("/a*b", "/a*", False)),
        *(("/*a*", "/*a", False), ("/*-*", "/*--*", True), ("/*--*", "/*-*", False)),
        *(("/*", "/", False), ("/*/", "/*/a", True), ("/*/a", "/*/", False)),
        *(("/a%2A", "/a*", False), ("/a*", "/a%2A", True)),
    ]:
        assert parse_path_pattern(pattern).covers(parse_path_pattern(other)) is covers


def test_an_index_returns_the_values_of_all_patterns() -> None:
    index: PathIndex[int] = PathIndex()
    for number, pattern in enumerate(("/a/", "/a/b", "/*/b", "/", "/a/b/", "/c/", "/a/b")):
        index.add(parse_path_pattern(pattern), number)
    assert sorted(index.find("/a/b")) == [0, 1, 2, 3, 6]
    assert (sorted(index.find("/a/b/")), sorted(index.find("/c"))) == ([0, 3, 4], [3])
    # No literal begins inside a percent encoded triplet.
    commas = parse_path_pattern("/*2C*")
    assert not commas.matches("/a%2Cb")
    assert commas.matches("/a%2Cb2Cd")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        *(("*a", "a"), ("*ab", "ab"), ("*%E2%82%AC", "%E2%82%AC"), ("a/", "a/"), ("*/", "a/")),
        ("a", "a/"),
    ],
)
def test_long_patterns_and_paths_take_linear_time(pattern: str, path: str) -> None:
    def find(count: int) -> None:
        long = parse_path_pattern(f"/{pattern * count}b")
        index: PathIndex[int] = PathIndex()
        index.add(long, 0)
        list(index.find(f"/{path * count}b"))
        assert long.covers(long)

    assert_proportional(find, 500)


def test_a_pattern_has_a_canonical_form() -> None:
    for text, kind, canonical in [
        *(("A.Example", "name", "a.example"), ("a.example.", "name", "a.example")),
        ("b\u00fccher.example", "name", "xn--bcher-kva.example"),
        ("*.B\u00dcCHER.example", "subdomains", "*.xn--bcher-kva.example"),
        *(("1.2.3.4", "address", "1.2.3.4"), ("[2001:DB8::0:1]", "address", "2001:db8::1")),
        ("2001:db8:0:0::1", "address", "2001:db8::1"),
        ("::ffff:1.2.3.4", "address", "::ffff:1.2.3.4"),
        *(("10.0.0.0/8", "network", "10.0.0.0/8"), ("2001:DB8::/32", "network", "2001:db8::/32")),
    ]:
        assert parse_host_pattern(text) == (kind, canonical)


def test_a_plain_pattern_is_the_one_that_the_rules_for_all_hosts_lead_to() -> None:
    random = Random(1)
    pieces = ("a", "b", "com", "0", "1", "0x", "7f", "-", ".", ".", "--", "xn--", "A", "_", "\n")
    plain_count = 0
    for _ in range(20_000):
        text = "".join(random.choices(pieces, k=random.randrange(1, 9)))
        text = random.choice(("", "", "*.", "*")) + text
        plain_pattern = parse_plain_pattern(text)
        if plain_pattern is None:
            continue
        plain_count += 1
        assert parse_address(text) is None
        prefix = "*." if text.startswith("*.") else ""
        kind = "subdomains" if prefix else "name"
        assert plain_pattern == (kind, prefix + parse_domain(text, len(prefix)))
    assert plain_count > 400
    # A label has at most 63 characters (RFC 1035, 2.3.4).
    assert parse_plain_pattern("a" * 63) == parse_host_pattern("a" * 63)
    assert parse_plain_pattern("a" * 64) is None


def test_an_invalid_pattern_raises_an_error_with_a_position() -> None:
    for text, position in [
        *(("", 0), ("*", 0), ("a*", 1), ("*.*.a", 2), ("127.1", 0), ("*.127.0.0.1", 0)),
        *(("fe80::1%1", 0), ("10.0.0.0/x", 0), ("10.0.0.1/8", 0), ("fe80::%1/64", 6)),
        *(("*.10.0.0.0/8", 0), ("a..b", 2), ("*.a..b", 4), ("a" * 64, 0), ("a\n", 0)),
    ]:
        with pytest.raises(RuleError) as caught:
            parse_host_pattern(text)
        assert caught.value.position == position


def index_of(*patterns: str) -> HostIndex[str]:
    index: HostIndex[str] = HostIndex()
    for pattern in patterns:
        index.get_or_add(parse_host_pattern(pattern), pattern)
    return index


def test_an_index_finds_names_and_addresses_and_the_wildcards_and_networks_around_them() -> None:
    index = index_of("a.b.example", "*.b.example", "*.example", "b.example", "*.a.b.example")
    assert [*index.find_name("a.b.example")] == ["a.b.example", "*.b.example", "*.example"]
    assert [*index.find_name("b.example")] == ["b.example", "*.example"]
    assert [*index.find_name("example")] == []
    assert [*index.find_name("ab.example")] == ["*.example"]
    # An index finds an address and its networks.
    index = index_of("10.0.0.1", "10.0.0.0/8", "::/0", "fe80::1", "0.0.0.0/0")
    assert [*index.find_address(ip_address("10.0.0.1"))] == ["10.0.0.1", "10.0.0.0/8", "0.0.0.0/0"]
    assert [*index.find_address(ip_address("fe80::1%3"))] == ["fe80::1", "::/0"]
    assert [*index.find_address(ip_address("::ffff:10.0.0.1"))] == ["::/0"]
    # An index returns the first value of equal patterns.
    first: HostIndex[int] = HostIndex()
    for number, text in enumerate(("10.0.0.0/8", "10.0.0.0/8", "A.example", "a.example")):
        first.get_or_add(parse_host_pattern(text), number)
    assert [*first.find_address(ip_address("10.0.0.1"))] == [0]
    assert [*first.find_name("a.example")] == [2]


def test_a_mapped_address_is_denied_as_an_ipv4_address() -> None:
    for text, widened in [
        *(("::ffff:10.0.0.1", "10.0.0.1/32"), ("::ffff:10.0.0.0/104", "10.0.0.0/8")),
        *(("::fffe:0:0/95", "::fffe:0:0/95"), ("10.0.0.1", "10.0.0.1/32"), ("::1", "::1/128")),
    ]:
        assert widen_host_pattern(parse_host_pattern(text)) == HostPattern("network", widened)
        assert widen_host_pattern(parse_host_pattern("a.example")) == parse_host_pattern(
            "a.example"
        )
