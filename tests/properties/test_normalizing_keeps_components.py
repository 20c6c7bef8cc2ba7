"""Normalizing never changes which components an identifier has; no operation invents a host."""

from contextlib import suppress
from itertools import product
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import references, texts

from uriverse import URI, ConvertError, IRIReference, URIReference, parse
from uriverse._spec.ipv6 import parse_groups

STEPS = ("case", "percent_encoding", "dot_segments", "ipv6")
#: Options of `normalize`, one for each step of syntax-based normalization.
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {**dict.fromkeys(STEPS, st.booleans()), "dot_segments": st.sampled_from([True, False, "all"])}
)
DEFAULT = dict.fromkeys(STEPS, True)
ALL: dict[str, Any] = {**DEFAULT, "dot_segments": "all"}
#: Removes dot segments as resolution does, and changes nothing else.
ONLY_ALL: dict[str, Any] = {**dict.fromkeys(STEPS, False), "dot_segments": "all"}

#: Pieces of identifiers that normalization changes.
PIECES = ("/", "/", "..", ".", "a", "B", "%2e", "%2E%2E", "%41", "%c3%a9", "%ff", "%2f", "b:c", "é")
STARTS = ("", "s:", "S:/", "s://H", "s://u%7e@[::0A]:1/", "//H%41/", "s:///", "/")


def unnormalized() -> st.SearchStrategy[str]:
    rest = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
    made = st.tuples(st.sampled_from(STARTS), rest, st.sampled_from(("", "?%7e", "#%7E"))).map(
        "".join
    )
    return made.filter(lambda text: IRIReference.try_parse(text) is not None)


IDENTIFIERS = st.one_of(references(), unnormalized())
TYPES: list[Any] = [parse, IRIReference]


def same_host(before: str | None, after: str | None) -> bool:
    """Whether two hosts are equivalent, without calling the normalization code of the library."""
    if before is None or after is None:
        return before is after
    if before.startswith("[") and before[1] not in "vV":
        return after.startswith("[") and parse_groups(before[1:-1]) == parse_groups(after[1:-1])
    return unquote_to_bytes(before).lower() == unquote_to_bytes(after).lower()


def same_octets(before: str | None, after: str | None) -> bool:
    if before is None or after is None:
        return before is after
    return unquote_to_bytes(before) == unquote_to_bytes(after)


@given(IDENTIFIERS, OPTIONS)
@example("s:a/../b", DEFAULT)
@example("s:a/../b", ALL)
def test_normalize_keeps_scheme_authority_and_first_slash(text: str, steps: dict[str, Any]) -> None:
    for read in TYPES:
        value = read(text)
        normal = value.normalize(**steps)
        assert (normal.scheme is None) is (value.scheme is None)
        assert (value.scheme or "").lower() == (normal.scheme or "").lower()
        if value.path.startswith("/") or steps["dot_segments"] != "all":
            assert normal.path.startswith("/") is value.path.startswith("/")
        assert same_host(value.host, normal.host)
        assert normal.port_text == value.port_text
        for part in ("userinfo", "query", "fragment"):
            assert same_octets(getattr(value, part), getattr(normal, part))
        kept = not steps["dot_segments"] or (
            steps["dot_segments"] is True and not value.path.startswith("/")
        )
        if value.scheme is None or kept:
            assert same_octets(value.path, normal.path)
        assert normal._bounds == type(value)(str(normal))._bounds


@given(IDENTIFIERS, OPTIONS)
def test_normalization_changes_lists_exactly_what_normalize_changes(
    text: str, steps: dict[str, Any]
) -> None:
    value = IRIReference(text)
    normal = value.normalize(**steps)
    changes = value.normalization_changes(**steps)
    assert (not changes) is (normal is value)
    parts: dict[str, str | None] = {
        name: getattr(value, name) for name in ("scheme", "userinfo", "host", "path", "query")
    } | {"fragment": value.fragment}
    for change in changes:
        assert steps[change.step]
        assert parts[change.component] == change.before
        parts[change.component] = change.after
    for name, part in parts.items():
        assert getattr(normal, name) == part


@given(IDENTIFIERS, IDENTIFIERS)
def test_comparison_keys_are_equal_if_and_only_if_uris_are_equivalent(a: str, b: str) -> None:
    first, second = parse(a), parse(b)
    assert first.equivalent(second) is second.equivalent(first)
    assert first.equivalent(second) is (first.comparison_key() == second.comparison_key())
    for other in (first.normalize(), IRIReference(a).normalize(), first.to_uri(), first.to_iri()):
        assert first.equivalent(other)
        assert other.comparison_key() == first.comparison_key()
    assert first.equivalent(second, level="string") is (first == second)


def has_encoded_dots(text: str) -> bool:
    segments = IRIReference(text).path.split("/")
    return any("%" in s and unquote_to_bytes(s) in {b".", b".."} for s in segments)


@given(IDENTIFIERS, st.sampled_from(["b://h/x/y", "s:x/y", "s:"]))
@example("foo:a/../b", "s:x")
@example("data:text/plain,a/../b", "s:x")
@example("urn:example:a/../b", "s:x")
@example("scheme:..///x", "s:x")
@example("s:/a/..//b", "s:x")
@example("s:%2E%2e/../a", "s:x")
def test_resolving_a_uri_only_removes_its_dot_segments(text: str, base: str) -> None:
    value = parse(text)
    assume(value.scheme is not None)
    target = URI(base).resolve(value)
    if not has_encoded_dots(text):
        assert target == value.normalize(**ONLY_ALL)
    if value.is_normalized(dot_segments=False, ipv6=False):
        # Normal percent-encoding rules out encoded dots.
        assert not has_encoded_dots(text)
        assert target.path == value.normalize(dot_segments="all").path
        if value.path.startswith("/"):
            assert target.path == value.normalize().path


def resolution_and_normalization_commute(base: URI, reference: str) -> bool:
    value = parse(reference)
    return base.resolve(value.normalize()).normalize() == base.resolve(value).normalize()


@pytest.mark.parametrize("reference", ["s2:/a/%2E%2E/..", "s2:a/%2E%2E/b"])
def test_resolution_and_normalization_do_not_commute_with_encoded_dots_after_a_scheme(
    reference: str,
) -> None:
    assert not resolution_and_normalization_commute(URI("s://h/"), reference)


@pytest.mark.parametrize("base", ["s://h/a/b", "s:/a/b", "s:/.//a", "s:a/b", "S:%2E%2E/a"])
def test_resolution_and_normalization_commute_without_encoded_dots_after_schemes(base: str) -> None:
    for count, prefix in product(range(4), ("", "/", "//g/", "s2:", "s2:/", "S:")):
        for path in product(("", "a", ".", "..", "%2e", "b:c"), repeat=count):
            reference = prefix + "/".join(path)
            value = IRIReference.try_parse(reference)
            if value is None or (value.scheme is not None and has_encoded_dots(reference)):
                continue
            assert resolution_and_normalization_commute(URI(base), reference), reference


@pytest.mark.parametrize(
    "text",
    [
        *("foo:/a/..//evil", "foo:a/..//evil", "foo:/%2E//evil", "foo:.//evil", "//a%2F%2Fevil"),
        "//good%40evil/%2F%2Fevil",
    ],
)
def test_no_operation_moves_or_invents_a_host(text: str) -> None:
    value = IRIReference(text)
    others = [value.normalize(), value.to_uri(), value.to_iri(), value.to_uri().normalize()]
    others += [value.to_iri().normalize(), value.normalize(percent_encoding=False)]
    others += [value.normalize(dot_segments="all"), value.to_iri().normalize(dot_segments="all")]
    for other in others:
        assert same_host(value.host, other.host), (text, other)
        assert same_octets(value.userinfo, other.userinfo)
        assert other == parse(str(other))
        assert other.host == parse(str(other)).host


@given(texts())
def test_to_uri_with_idna_changes_only_the_host(text: str) -> None:
    value = IRIReference.try_parse(text)
    if value is None:
        return
    with suppress(ConvertError):
        assert_only_the_host_is_changed(value, value.to_uri(host="idna"))


LABELS = st.one_of(
    st.sampled_from(
        ["xn--bcher-kva", "xn--4dbcd", "XN--9ca", "xn--n3h", "a", "A", "1", "é", "%C3%A9"]
    ),
    st.text(st.characters(categories=["Ll", "Lo", "Mn", "Nd"]), min_size=1, max_size=8).map(
        lambda label: "xn--" + label.encode("punycode").decode("ascii")
    ),
    st.text("xn-a0é%A", max_size=8),
)


@given(
    st.one_of(texts(), st.lists(LABELS, min_size=1, max_size=3).map(lambda n: "//" + ".".join(n)))
)
def test_to_iri_with_idna_is_undone_by_to_uri_with_idna(text: str) -> None:
    value = IRIReference.try_parse(text)
    if value is None:
        return
    plain, decoded = value.to_iri(), value.to_iri(host="idna")
    assert decoded.to_iri(host="idna") == decoded == IRIReference(str(decoded))
    if decoded == plain:
        return
    # The host is converted as a whole, and changes nothing else.
    assert not any(label[:4].lower() == "xn--" for label in str(decoded.host).split("."))
    assert decoded.to_uri(host="idna") == plain.to_uri(host="idna")
    assert not str(plain.host).isascii() or decoded.to_uri(host="idna").host == plain.host


def assert_only_the_host_is_changed(value: IRIReference, name: URIReference) -> None:
    plain = value.to_uri()
    for part in ("scheme", "userinfo", "port_text", "path", "query", "fragment"):
        assert getattr(name, part) == getattr(plain, part)
    assert (name.host is None) is (value.host is None)
    if name.host != plain.host:
        assert set(str(name.host)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-._~")
