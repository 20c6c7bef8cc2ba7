"""Normalization and equivalence: examples of the RFCs, edge cases, and single steps."""

import ipaddress
from random import Random
from typing import Any

import pytest
from walker import walk

from uriverse import IRI, URI, IRIReference, ParseError, URIReference, parse
from uriverse._spec.ipv6 import canonicalize_address
from uriverse.typing import Change

RELATIVE = "../a a/../b:c a/..//evil //h/a/../b /a/../b a/%2E%2E/b"
#: A rootless path keeps its dot segments: they may be data.
ROOTLESS = (
    "foo:a/../b data:text/plain,a/../b mailto:a/../b@c urn:example:a/../b scheme:..///x foo:.. "
    "foo:./a:b"
)
UNCHANGED = f"{RELATIVE} {ROOTLESS} foo:/.//a foo://h"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        # RFC 3986, 6.2.2 to 6.2.2.3
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
        ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),
        ("http://example.org/%7euser", "http://example.org/~user"),
        # Edge cases
        *(("scheme:/a/..//evil", "scheme:/.//evil"), ("urn:x:A%3a", "urn:x:A%3A")),
        *(("http://h/%2E%2E/a", "http://h/a"), ("http://User@H:80/", "http://User@h:80/")),
        ("http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"),
        *(("foo:a/%2E%2E/%7e", "foo:a/../~"), ("foo:/..", "foo:/")),
        *(("foo://h/..//a", "foo://h//a"), ("foo://h/..", "foo://h/")),
        # Nothing is decoded twice.
        ("http://a/%2541%25%32%35", "http://a/%2541%2525"),
        ("http://%41%42%3a%3A/", "http://ab%3A%3A/"),
        *(("HTTP://a:080?%7E#%7E", "http://a:080?~#~"), ("s://%7Eu%3A:%41@h", "s://~u%3A:A@h")),
        ("s://[V1F.AB]/", "s://[v1f.ab]/"),
        *((text, text) for text in ("", *UNCHANGED.split())),
    ],
)
def test_normalize_returns_the_normal_form_of_a_uri(text: str, normal: str) -> None:
    value = parse(text)
    assert str(value.normalize()) == normal
    assert value.is_normalized() is (text == normal)
    assert type(value.normalize()) is type(value)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        *(("foo:a/../b", "foo:/b"), ("data:text/plain,a/../b", "data:text/b")),
        *(("mailto:a/../b@c", "mailto:/b@c"), ("urn:example:a/../b", "urn:/b")),
        *(("scheme:..///x", "scheme:/.//x"), ("scheme:a/..//x", "scheme:/.//x")),
        *(("scheme:.//x", "scheme:/x"), ("foo:..", "foo:"), ("foo:a/..", "foo:/")),
        *(("foo:./a:b", "foo:a:b"), ("foo:../../a/./b", "foo:a/b")),
        # Percent-encoding is decoded first.
        *(("foo:a/%2E%2E/b", "foo:/b"), ("foo:%2e/%7e", "foo:~")),
        # Rooted paths, and empty paths after a host, behave as by default.
        *(("scheme:/a/..//evil", "scheme:/.//evil"), ("http://h/a/../b", "http://h/b")),
        # Relative references keep their dot segments.
        *((text, text) for text in (*RELATIVE.split(), "foo:a/b", "foo:", "http://h")),
    ],
)
def test_normalize_with_dot_segments_all_applies_to_rootless_paths(text: str, normal: str) -> None:
    for value in (parse(text), IRIReference(text)):
        form = value.normalize(dot_segments="all")
        assert str(form) == normal
        assert form._bounds == type(form)(normal)._bounds
        assert form.normalize(dot_segments="all") is form
        assert value.is_normalized(dot_segments="all") is (text == normal)


def test_normalize_changes_only_what_its_options_say() -> None:
    value = URI("foo:a/%2E%2E/%7E")
    assert value.normalize(percent_encoding=False) is value
    assert str(value.normalize(percent_encoding=False, dot_segments="all")) == "foo:/%7E"
    for text in ("http://a/b?c#d", "a", "http://[::1]/", "http://a/%2F", "http://é/"):
        assert (normal := parse(text)).normalize() is normal
    # Non-ASCII characters are decoded in IRIs only.
    assert URI("a:%c3%a9").normalize() == URI("a:%C3%A9")
    assert IRI("a:%c3%a9").normalize() == IRI("a:é")
    assert type(IRI("a:%41").normalize()) is IRI


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ("none", ValueError, "dot_segments must be True, False or 'all', not 'none'"),
        (None, TypeError, "dot_segments must be a bool or 'all', not NoneType"),
        (1, TypeError, "dot_segments must be a bool or 'all', not int"),
    ],
)
def test_normalize_rejects_invalid_dot_segments_settings(
    setting: Any, error: type[Exception], message: str
) -> None:
    for text in ("foo:/a", "foo:/a/..", "a"):
        value = parse(text)
        for method in (value.normalize, value.is_normalized, value.normalization_changes):
            with pytest.raises(error, match=message):
                method(dot_segments=setting)


def test_normalize_returns_the_normal_form_of_an_iri() -> None:
    for text, normal in [
        # RFC 3987, 3.2.1 and 5.3.2
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9", "example://a/b/c/%7Bfoo%7D/rosé"),
        ("http://a/%e2%80%ae/", "http://a/%E2%80%AE/"),
        ("http://a/%fc%2f", "http://a/%FC%2F"),
        ("http://%c3%89É/", "http://ÉÉ/"),  # the case of non-ASCII letters is kept (5.3.2.1)
        ("http://α.CoM/", "http://α.com/"),  # as in the URI; RFC 3987 keeps the case
        ("http://a/%EE%80%80?%EE%80%80#%EE%80%80", "http://a/%EE%80%80?\ue000#%EE%80%80"),
        ("http://a/%e0%80%80%c3%A9%c3", "http://a/%E0%80%80é%C3"),
        ("a/e\u0301", "a/e\u0301"),  # NFC is never applied
    ]:
        assert str(IRIReference(text).normalize()) == normal


@pytest.mark.parametrize(
    ("step", "normal"),
    [
        ("case", "http://[2001:db8::0:1]:1/%7E/a%2E/../B"),
        ("percent_encoding", "HTTP://[2001:DB8::0:1]:1/~/a./../B"),
        ("dot_segments", "HTTP://[2001:DB8::0:1]:1/%7e/B"),
        ("ipv6", "HTTP://[2001:db8::1]:1/%7e/a%2e/../B"),
    ],
)
def test_each_normalization_step_can_be_enabled_or_disabled(step: str, normal: str) -> None:
    value = URI("HTTP://[2001:DB8::0:1]:1/%7e/a%2e/../B")
    none: dict[str, Any] = dict.fromkeys(
        ("case", "percent_encoding", "dot_segments", "ipv6"), False
    )
    only = {**none, step: True}
    assert str(value.normalize(**only)) == normal
    assert not value.is_normalized(**only)
    assert value.normalize(**none) is value
    assert value.is_normalized(**none)
    rest = {name: name != step for name in none}
    assert value.normalize(**rest) != value.normalize()


def test_normalization_changes_lists_every_step() -> None:
    value = URI("HTTP://U@[::FFFF:0102:0304]/%7e/../a%2f?%7e")
    assert value.normalization_changes() == (
        Change("percent_encoding", "path", "/%7e/../a%2f", "/~/../a%2f"),
        Change("percent_encoding", "query", "%7e", "~"),
        Change("case", "scheme", "HTTP", "http"),
        Change("case", "host", "[::FFFF:0102:0304]", "[::ffff:0102:0304]"),
        Change("case", "path", "/~/../a%2f", "/~/../a%2F"),
        Change("ipv6", "host", "[::ffff:0102:0304]", "[::ffff:1.2.3.4]"),
        Change("dot_segments", "path", "/~/../a%2F", "/a%2F"),
    )
    assert [c.step for c in value.normalization_changes(case=False, percent_encoding=False)] == [
        "ipv6",
        "dot_segments",
    ]
    assert value.normalize().normalization_changes() == ()
    assert URI("s:a/../b").normalization_changes() == ()
    assert URI("s:a/../b").normalization_changes(dot_segments="all") == (
        Change("dot_segments", "path", "a/../b", "/b"),
    )


def test_normalize_removes_encoded_dot_segments_of_rooted_paths() -> None:
    value = URI("http://h/a/b/%2E%2E/../c")
    assert str(value.normalize(percent_encoding=False)) == "http://h/c"
    assert str(value.normalize()) == "http://h/c"
    assert str(URI("s:/%2e/a%2E/.%2e").normalize(percent_encoding=False)) == "s:/"


@pytest.mark.parametrize(
    "text", ["%2E%2E/a", "a/%2E/b", "//h/%2E.", ".%2E", "/%2E/%2E%2E/..", "%2E"]
)
def test_normalize_keeps_encoded_dots_of_relative_references(text: str) -> None:
    value = parse(text)
    assert value.normalize() is value
    base = URI("http://h/a/b/c/d")
    assert base.resolve(value.normalize()) == base.resolve(value)
    assert str(parse(f"{text}/a%2E%7e").normalize()) == f"{text}/a.~"


def test_repr_of_a_change_masks_passwords() -> None:
    (change,) = URI("s://me:s3cret%7e@h").normalization_changes()
    assert change.after == "me:s3cret~"
    assert "s3cret" not in repr(change)
    assert repr(change) == "Change('percent_encoding', 'userinfo', 'me:REDACTED', 'me:REDACTED')"
    assert repr(Change("case", "host", "A", "a")) == "Change('case', 'host', 'A', 'a')"
    assert repr(Change("case", "userinfo", "a%7e", "a%7E")) == (
        "Change('case', 'userinfo', 'a%7e', 'a%7E')"
    )


def test_ipv6_addresses_have_one_canonical_form() -> None:
    for address, form in [
        # RFC 5952, 1 and 4
        *(("2001:0db8::0001", "2001:db8::1"), ("2001:db8::0:1", "2001:db8::1")),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        *(("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1")),
        *(("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:DB8::AAAA", "2001:db8::aaaa")),
        *(("0:0:0:0:0:0:0:0", "::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0")),
        *(("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:0:0:0:0:0:0:0", "1::")),
        # RFC 5952, 5: known prefixes of embedded IPv4 addresses
        ("0:0:0:0:0:ffff:192.0.2.1", "::ffff:192.0.2.1"),
        *(("::FFFF:C000:0201", "::ffff:192.0.2.1"), ("::ffff:0:c000:201", "::ffff:0:192.0.2.1")),
        *(("64:ff9b::c000:201", "64:ff9b::192.0.2.1"), ("64:ff9b::", "64:ff9b::0.0.0.0")),
        *(("64:ff9b:1::c000:201", "64:ff9b:1::c000:201"), ("64:ff9c::1", "64:ff9c::1")),
        *(("::192.0.2.1", "::c000:201"), ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201")),
        ("::1", "::1"),
    ]:
        assert canonicalize_address(address) == form
        assert str(URI(f"s://[{address}]").normalize()) == f"s://[{form}]"


def test_the_canonical_ipv6_form_agrees_with_ipaddress() -> None:
    random = Random(5952)
    for _ in range(500):
        text = walk("IPv6address", random)
        address = ipaddress.IPv6Address(text)
        form = canonicalize_address(text)
        assert ipaddress.IPv6Address(form) == address
        assert canonicalize_address(address.exploded) == canonicalize_address(form) == form
        if "." not in form:
            assert form == address.compressed


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", True),
        ("example://a/b/c/%7Bfoo%7D/rosé", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9", True),
        ("http://example.org/~user", "http://example.org/%7Euser", True),
        # 6.2.3 needs the scheme's rules
        ("http://example.com", "http://example.com/", False),
        *(("http://example.com:80/", "http://example.com/", False), ("a?", "a", False)),
        *(("a#b", "a", False), ("http://a/%2F", "http://a//", False)),
        ("http://[::ffff:1.2.3.4]/", "http://[0::FFFF:102:304]/", True),
        *(("http://a/é", "http://a/e\u0301", False), ("http://É/", "http://é/", False)),
        *(("a/./b", "a/b", False), ("s:/a/./b", "s:/a/b", True)),
        *(("data:,a/../b", "data:/b", False), ("urn:example:a/./b", "urn:example:a/b", False)),
        ("s:a/%2E/b", "s:a/./b", True),
    ],
)
def test_equivalent_by_syntax_ignores_only_syntax_differences(a: str, b: str, same: bool) -> None:
    assert parse(a).equivalent(b) is same
    assert parse(b).equivalent(parse(a), level="syntax") is same
    assert (parse(a).comparison_key() == parse(b).comparison_key()) is same
    assert not parse(a).equivalent(b, level="string")
    assert parse(a).equivalent(parse(a), level="string")


def test_comparison_keys_are_ascii_strings() -> None:
    assert IRI("HTTP://É/é").comparison_key() == "http://%C3%89/%C3%A9"
    assert IRI("HTTP://É/é").comparison_key("string") == "HTTP://É/é"
    assert URIReference("a/../%7e").comparison_key() == "a/../~"


def test_equivalent_and_comparison_key_reject_invalid_arguments() -> None:
    with pytest.raises(ParseError):
        URI("a:b").equivalent("a b")
    with pytest.raises(TypeError):
        URI("a:b").equivalent(1)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match="level must be a Registry or one of string, syntax, scheme"
    ):
        URI("a:b").comparison_key("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("group", range(2, 6))
def test_an_address_outside_the_nat64_prefix_is_written_without_ipv4(group: int) -> None:
    groups = ["64", "ff9b", "0", "0", "0", "0", "102", "304"]
    assert str(URI(f"http://[{':'.join(groups)}]/").normalize()) == "http://[64:ff9b::1.2.3.4]/"
    groups[group] = "1"
    assert "." not in str(URI(f"http://[{':'.join(groups)}]/").normalize())
