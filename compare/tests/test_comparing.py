import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, references

from uriverse import parse
from uriverse.diagnosis import CODES
from uriverse_compare import Comparison, Group, Outcome, Reading, compare, compare_all, installed
from uriverse_compare._comparison import CONTROL, Target, find_target
from uriverse_compare._reading import HTTP, Parser, RejectedError, UnreadError, create_reader

OURS, URLLIB = installed(["uriverse", "urllib.parse"])


def parser(name: str, parse: Callable[[str], Reading]) -> Parser:
    """Return a parser that reads the control URI as every parser does."""

    def read(text: str) -> Reading:
        return OURS.read([text])[0] if text == CONTROL else parse(text)

    return Parser(name, "1", dials=HTTP, read=create_reader(read, [ValueError]))


def finds(host: str | None, port: str | None = None, scheme: str = "http") -> Reading:
    return Reading("accepted", scheme=scheme, host=host, port=port)


@given(references())
def test_our_reading_has_the_components_of_the_identifier(text: str) -> None:
    found = parse(text)
    assert OURS.read([text])[0] == Reading(
        "accepted",
        found.scheme,
        found.userinfo,
        found.host,
        found.port_text,
        found.path,
        found.query,
        found.fragment,
    )


def test_differences_of_notation_do_not_count() -> None:
    for one, other in [
        *((finds("A.Example"), finds("a.example")), (finds("[::1]"), finds("::1"))),
        (finds("[::1]"), finds("[0:0:0:0:0:0:0:1]")),
        (finds("b\u00fccher.example"), finds("xn--bcher-kva.example")),
        (finds("a.example"), finds("a.example", "80")),
        (finds("a.example"), finds("a.example", "")),
        (finds("a.example", "443", "HTTPS"), finds("a.example", None, "https")),
        (finds("a.example", "0081"), finds("a.example", "81")),
        (finds(None), finds("")),
        (finds("%61.example")._replace(address="a.example"), finds("a.example")),
    ]:
        assert find_target(one) == find_target(other)


def test_other_hosts_and_ports_are_different() -> None:
    for one, other in [
        *((finds("a.example"), finds("a.example.")), (finds("127.1"), finds("127.0.0.1"))),
        *((finds("%61.example"), finds("a.example")), (finds("me@[::1]"), finds("me@[::1"))),
        (finds("fa\u00df.example"), finds("fass.example")),
        (finds("a.example", "443"), finds("a.example")),
        (finds("a.example", "80", "x"), finds("a.example", None, "x")),
        (finds("a.example", "+81"), finds("a.example", "81")),
        (finds("a.example", "9" * 5000), finds("a.example", "9" * 5001)),
    ]:
        assert find_target(one) != find_target(other)


def test_parsers_are_grouped_by_target_and_ours_come_first() -> None:
    third = parser("third", lambda _: finds("b.example"))
    found = compare("http://a.example/", [OURS, third, URLLIB])
    assert found.groups == (
        Group(Target("a.example", None), (OURS, URLLIB)),
        Group(Target("b.example", None), (third,)),
    )
    assert found.differ


def test_a_rejection_is_no_difference() -> None:
    found = compare("http://a b/", [OURS, URLLIB])
    assert [group.target for group in found.groups] == [None, Target("a b", None)]
    assert not found.differ


def refuse(error: Exception) -> Callable[[str], Reading]:
    def parse(text: str) -> Reading:
        raise error

    return parse


def test_only_the_listed_exceptions_are_rejections() -> None:
    for error, outcome in [
        *((ValueError("no"), "rejected"), (UnicodeError("no"), "rejected")),
        *((RejectedError("no"), "rejected"), (UnreadError("no"), "unread")),
        *((TypeError("no"), "failed"), (IndexError("no"), "failed")),
    ]:
        third = parser("third", refuse(error))
        found = compare("http://a.example/", [OURS, third])
        assert found.readings[third].outcome == outcome
        assert "no" in found.readings[third].reason
        assert (None in [group.target for group in found.groups]) == (outcome == "rejected")


def test_a_parser_that_misreads_the_control_uri_fails() -> None:
    def read(texts: object) -> list[Reading]:
        return [finds("control.example"), finds("a.example")]

    faulty = Parser("faulty", "1", dials=HTTP, read=read)
    reading = compare("http://a.example/", [faulty]).readings[faulty]
    assert reading.outcome == "failed"
    assert CONTROL in reading.reason


def test_strings_are_compared_in_their_order() -> None:
    paths = [f"/{number}" for number in range(50)]
    found = compare_all([f"http://a.example{path}" for path in paths], [OURS, URLLIB])
    assert [comparison.readings[OURS].path for comparison in found] == paths
    assert [one.text for one in found] == [f"http://a.example{path}" for path in paths]
    assert compare_all([], [OURS]) == []


def test_findings_explain_a_difference() -> None:
    for text, code in [
        ("http://good.example\\@evil.example/", "backslash"),
        ("http://good.example#@evil.example/", "at-behind-host"),
        *(("http://0x7f.1/", "ipv4-hex"), ("foo:/good.example/a", "single-slash")),
        *(("http:/good.example/a", "slash-count"), ("good.example/a", "missing-scheme")),
    ]:
        explanation = compare(text, [OURS]).explanation
        assert code in {
            name for finding in explanation for name in (finding.code, *finding.details)
        }


@pytest.mark.parametrize("text", ["http://a.example/%2F", "http://a.example/?%FF", "HTTP://a/../b"])
def test_findings_about_a_path_or_query_explain_no_difference(text: str) -> None:
    assert compare(text, [OURS]).explanation == ()


@given(hostile(), st.sampled_from(["accepted", "rejected", "failed"]))
def test_comparisons_of_any_string_can_be_drawn_and_dumped(text: str, outcome: Outcome) -> None:
    third = Parser("third", "", HTTP, lambda texts: [Reading(outcome, *[text] * 9) for _ in texts])
    found = Comparison(text, {OURS: OURS.read([text])[0], third: third.read([text])[0]})
    for drawn in (str(found), found.in_full()):
        assert not set(drawn) & set("\0\x1b\r\u202e")
        drawn.encode()
    assert json.loads(json.dumps(found.as_dict()))["readings"]["third"]["host"] == text


SECRET = "s3cr3t-0f-the-test"


def test_secrets_are_not_drawn_and_not_in_the_repr() -> None:
    texts = [
        f"http://me:{SECRET}@a.example/",
        f"http://me:{SECRET}@a.example@b.example/",
        f"http://me:{SECRET}@a.example\\@b.example/",
        f"http://me:{SECRET}@a.example:80x/",
        f"http://a.example/?token={SECRET}",
        f"//me:{SECRET}@a.example/",
        f"http:///me:{SECRET}@a.example/",
        f"x:me:{SECRET}@a.example/",
        f"http://a.example/#access_token={SECRET}",
        f"http://a.example/b?next=http://me:{SECRET}@b/",
        f"foo://:{SECRET}@/",
    ]
    for text, found in zip(texts, compare_all(texts), strict=True):
        drawn = (str(found), found.in_full(), repr(found), repr(found.groups))
        for shown in (*drawn, *map(repr, found.readings.values())):
            assert SECRET not in shown
        assert found.text == text


def test_a_table_of_targets_names_rejections_and_failures_too() -> None:
    others = [
        parser("other", lambda _: finds("::1", "81")),
        parser("strict", refuse(ValueError("no"))),
        parser("limited", refuse(UnreadError("no"))),
        parser("faulty", refuse(TypeError("no"))),
        parser("blank", lambda _: finds(None)),
    ]
    assert str(compare("http://127.1:80/", others)).splitlines() == [
        *("http://127.1:80/", "", "host and port  parsers"),
        "[::1]:81       other 1",
        "(rejected)     strict 1",
        "(no host)      blank 1",
        "(not read)     limited 1",
        "(failed)       faulty 1",
        "",
        f"ipv4-short, position 7: {CODES['ipv4-short'].message}",
    ]


def test_a_table_of_components_distinguishes_undefined_and_empty() -> None:
    strict = parser("strict", refuse(ValueError("no")))
    drawn = compare("http://me@a.example?#b", [OURS, strict]).in_full()
    assert [line.split() for line in drawn.splitlines()[2:5]] == [
        ["parser", "scheme", "userinfo", "host", "port", "path", "query", "fragment"],
        [OURS.name, OURS.version, "http", "me", "a.example", "-", '""', '""', "b"],
        ["strict", "1", "(rejected)"],
    ]


def test_a_host_with_userinfo_is_shown_without_further_brackets() -> None:
    assert str(find_target(finds("me@[::1]", "81"))) == "REDACTED@[::1]:81"
    assert find_target(finds("\u00fc..A")).host == "\u00fc..a"  # no domain name


def test_an_unknown_parser_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"unknown parser 'x'; the parsers are uriverse, urllib"):
        installed(["uriverse", "x"])


def test_parsers_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ada_url", None)
    assert installed(["ada-url"]) == []
