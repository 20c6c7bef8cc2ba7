from compare_conformance.clients import SLOW
from compare_conformance.explaining import explaining
from compare_conformance.published import GROUPS
from compare_conformance.requesting import SAMPLE, requestable, requests_of
from compare_conformance.tallies import Tally, differ
from uriverse_compare import Comparison, Parser, Reading, Target


def target(host: str, port: int | None = None) -> Target:
    return Target(host, port)


def test_a_finding_concerns_the_characters_in_which_hosts_or_ports_differ() -> None:
    for text, targets, codes in [
        ("http://me@127.1/", {target("127.1"), target("127.0.0.1")}, {"ipv4-short"}),
        ("http://me@127.1/", {target("127.1"), target("me@127.1")}, {"userinfo", "ipv4-short"}),
        ("http://me@127.1:080/", {target("127.1", 80), target("127.1")}, {"port-odd"}),
        ("good.example/a", {target("good.example"), target("")}, {"missing-scheme"}),
        ("http://%61.example/", {target("%61.example"), target("a.example")}, {"host-encoded"}),
        ("http://u%40@a.example/", {target("u@@a.example"), target("a.example")}, {"userinfo"}),
        ("http://a.example/", {target("b.example"), target("c.example")}, set()),
        ("http://a.example:1/", {target("d", 1), target("d", 2)}, set()),
        ("http://%61%62/", {target("ab"), target("abc")}, {"host-encoded"}),
        ("http://a%62/", {target("a"), target("ab")}, {"host-encoded"}),
        ("http://[::1]:8\u3000/", {target("::1"), target("[::1]:8 ")}, {"port-odd", "space"}),
    ]:
        assert codes <= {finding.code for finding in explaining(text, targets)}
        if "userinfo" not in codes:
            assert "userinfo" not in {finding.code for finding in explaining(text, targets)}


def test_requests_are_counted_for_all_and_for_mainstream_clients() -> None:
    tally = Tally()
    found = {"httpx": target("a", 80), "requests": target("a", 80), "OpenSSL": target("b", 80)}
    tally.add_requests("http://a@b/", found)
    assert (tally.requested, tally.clients, tally.mainstream) == (1, 1, 0)
    tally.add_requests("http://a@b/", {**found, "aiohttp": target("b", 80)})
    assert (tally.requested, tally.clients, tally.mainstream) == (2, 2, 1)
    assert tally.classes["userinfo"].clients == tally.clients_explained == 2
    tally.add_requests("http://c/", {"httpx": target("c", 80), "requests": None})
    assert (tally.requested, tally.clients) == (3, 2)
    tally.add_requests("http://c/", {"httpx": target("d", 80), "requests": target("e", 80)})
    assert tally.unexplained == {"http://c/": {"d:80": ["httpx"], "e:80": ["requests"]}}


def test_differences_between_possible_hosts_are_counted() -> None:
    tally = Tally()
    tally.add_requests("http://a@b/", {"httpx": target("a@b", 80), "requests": target("b", 80)})
    assert (tally.clients, tally.clients_possible, tally.mainstream_possible) == (1, 0, 0)
    tally.add_requests("http://a@b/", {"httpx": target("::a", 80), "OpenSSL": target("b_1.c", 80)})
    assert (tally.clients, tally.clients_possible, tally.mainstream_possible) == (2, 1, 0)
    tally.add_requests("http://a/", {"httpx": target("1.2.3.4", 80), "requests": target("a", 80)})
    assert (tally.clients, tally.clients_possible, tally.mainstream_possible) == (3, 2, 1)


def test_a_connection_to_the_own_machine_is_a_missing_host() -> None:
    tally = Tally()
    tally.add_requests("http:/a/", {"httpx": target("a", 80), "requests": target("::1", 80)})
    assert tally.clients_explained == 1


def test_local_addresses_are_no_difference() -> None:
    assert not differ([target("localhost", 80), target("::1", 80), None])
    assert differ([target("a", 80), target("a", 81)])


def test_flagged_strings_are_counted_without_a_difference_too() -> None:
    parser = Parser("p", "1", frozenset(), lambda _: [])
    tally = Tally()
    found = Reading("accepted", scheme="http", host="127.1")
    assert tally.add(Comparison("http://127.1/", {parser: found})) == set()
    assert (tally.strings, tally.flagged, tally.different) == (1, 1, 0)
    assert tally.classes["ipv4-short"].flagged == 1
    assert tally.as_json()["classes"][0]["code"] == "ipv4-short"


def test_published_strings_are_distinct() -> None:
    for group in GROUPS:
        assert len(set(group.texts)) == len(group.texts)
        assert "https://" in group.source


def test_only_web_strings_are_requested() -> None:
    assert requestable(["x:a", "HTTP://a/", "https:b", "http:c"], 2) == ["HTTP://a/", "https:b"]


def test_clients_request_all_strings_or_a_sample_or_use_their_own_schemes() -> None:
    texts = ["http://a@b/?http:", "HTTPS://c"]
    assert requests_of("httpx", texts) == texts
    assert requests_of("libpq", texts) == ["postgresql://a@b/?http:", "postgresql://c"]
    assert requests_of("git", ["http:a"]) == ["ssh:a", "git:a"]
    many = [f"http://{number}/" for number in range(2 * SAMPLE)]
    found = [requests_of(name, many) for name in SLOW]
    assert len(set(found[0])) == SAMPLE
    assert set(found[0]) < set(many)
    assert all(sample == found[0] for sample in found)
