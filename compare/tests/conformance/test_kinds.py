from collections.abc import Mapping

from compare_conformance.kinds import KIND_OF, KINDS, accepted, changed, connected, is_due
from compare_conformance.tallies import Due, Tally
from uriverse.diagnosis import CODES
from uriverse_compare import Comparison, Parser, Reading, Target

HTTP = frozenset({"http", "https"})


def parser(name: str, dials: frozenset[str] = HTTP) -> Parser:
    return Parser(name, "1", dials, lambda _: [])


def comparison(text: str, hosts: Mapping[Parser, str | None]) -> Comparison:
    readings = {
        one: Reading("rejected") if host is None else Reading("accepted", scheme="http", host=host)
        for one, host in hosts.items()
    }
    return Comparison(text, readings)


def test_each_finding_has_one_kind() -> None:
    codes = [code for kind in KINDS for code in kind.codes]
    assert len(codes) == len(set(codes)) == len(KIND_OF)
    assert set(codes) < set(CODES)
    assert len({kind.title for kind in KINDS}) == len(KINDS)


def test_the_characters_of_a_kind_are_replaced() -> None:
    for code, text, neutral in [
        ("backslash", "http://a\\@b/", "http://aa@b/"),
        ("control", "http://b\t\x7f\x85\u2028/", "http://baaa\u2028/"),
        ("space", "http://b \u2028/", "http://baa/"),
        ("host-past-ascii", "http://\u00fc\u200d\x85\u2028b/", "http://aa\x85\u2028b/"),
        ("host-encoded", "http://%2fb%2/", "http://ab%2/"),
        ("userinfo", "http://me:b@c@d/@e", "http://d/e"),
        ("bracket", "http://[::1]b]:8/", "http://aba:8/"),
        ("port-odd", "http://me:b@c:08/d:e", "http://me:b@c/d:e"),
        ("ipv4-hex", "http://0x7f.1%20:80/", "http://axaf.a%20:80/"),
        ("trailing-dot", "http://.a.b..c../d", "http://aa.baaca/d"),
        ("label-edge-hyphen", "http://-a.b-c.-d-/", "http://aa.b-c.ada/"),
        ("bad-a-label", "http://XN--b/", "http://ab/"),
        ("label-with-underscore", "http://b_c/", "http://bac/"),
        ("host-characters", "http://b;c/", "http://bac/"),
        ("slash-count", "http:/\\/b//c", "http://b//c"),
        *(("missing-scheme", "//b/c", "http://b/c"), ("scheme-odd", "1http://b/c", "http://b/c")),
        ("path-like-authority", "http://b///c", "http://b/c"),
        ("file-host", "FILE://b/", "http://b/"),
        ("drive-letter", "file:///c|/b:c", "file:///a/b:c"),
    ]:
        assert KIND_OF[code].neutral(text) == neutral
        assert changed(text)[KIND_OF[code].title] == neutral


def test_a_string_is_changed_only_for_the_kinds_that_it_contains() -> None:
    assert changed("http://b.example/c") == {}
    assert [*changed("http://b.example/%41")] == [KIND_OF["host-encoded"].title]


def test_a_difference_is_due_to_a_kind_if_it_vanishes() -> None:
    one, two, three = parser("1"), parser("2"), parser("3")
    before = {one: Target("a", None), two: Target("b", None), three: Target("c", None)}
    same = dict.fromkeys((one, two), Target("d", None))
    assert is_due(before, same)
    assert not is_due(before, {one: Target("a", None), two: Target("b", None)})
    # A parser that rejects one of the strings shows nothing.
    assert not is_due(before, {one: Target("d", None)})
    assert not is_due({one: Target("a", None), two: Target("a", None)}, same)


def test_only_software_that_connects_to_a_host_is_a_client() -> None:
    client, library, other = parser("httpx"), parser("yarl", frozenset()), parser("libpq")
    hosts = {
        client: "a",
        library: "b",
        other: "a/b",
        parser("requests"): "",
        parser("aiohttp"): None,
    }
    found = comparison("http://a/", hosts)
    assert len(accepted(found)) == 4
    assert connected(found) == {client: Target("a", None)}


def test_recall_counts_the_findings_of_the_kind() -> None:
    one, two, three = parser("1"), parser("2"), parser("3", frozenset())
    title = KIND_OF["host-encoded"].title
    tally = Tally()
    neutral = {title: comparison("http://a/", dict.fromkeys((one, two, three), "a"))}
    flagged = comparison("http://%61/", {one: "%61", two: "a", three: "a"})
    tally.add_changed(flagged, neutral)
    assert tally.as_json()["due"] == {
        title: {"parsers": 1, "parsers_found": 1, "clients": 1, "clients_found": 1}
    }
    # No finding concerns this difference, which no client has.
    tally.add_changed(comparison("http://c/", {one: "c", two: "c", three: "d"}), neutral)
    assert tally.due[title] == Due(parsers=2, parsers_found=1, clients=1, clients_found=1)
    tally.add_changed(comparison("http://c/", {one: "c", two: "d", three: "d"}), {})
    assert tally.any_due == 2
