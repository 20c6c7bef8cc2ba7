import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from compare_conformance import url_rule_checkers, url_rule_peers
from compare_conformance.url_rule_checkers import CHECKERS, answer
from compare_conformance.url_rule_peers import PAGE, PEERS, TELLING, find_common, results, telling
from compare_conformance.url_rule_places import reaches_another_place
from conformance.conditions import START
from conformance.url_rules import Answer, Case, by_command, load

CASES = load()
EXPECTED: dict[str, list[Answer]] = {"uriverse": [case.allowed for case in CASES]}


@pytest.fixture(scope="module")
def elsewhere() -> set[Case]:
    """The cases whose URL reaches another place."""
    pytest.importorskip("can_ada", reason="needs can_ada (pip install --group test-all)")
    return {case for case in CASES if not case.allowed and reaches_another_place(case)}


def always(result: object) -> Callable[..., object]:
    """Return a function that returns the same result for all arguments."""
    return lambda *_: result


def allows(name: str, rule: str, url: str, *denied: str) -> bool | None:
    request = {"rule": [rule], "deny": list(denied), "accept": [], "url": url}
    return answer(CHECKERS[name], request)


def test_rules_are_translated_to_the_language_of_a_checker() -> None:
    for name, rule, url, expected in [
        ("startswith", "https://a.example/b/**", "https://a.example/b/c", True),
        ("startswith", "https://a.example", "https://a.example.evil.test/", False),
        ("startswith", "https://a.example/b", "https://a.example/b", None),
        ("startswith", "https://*.a.example/", "https://b.a.example/", None),
        ("startswith", "https://b\u00fccher.example/", "https://xn--bcher-kva.example/", True),
        ("startswith", "http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/", True),
        ("urlparse", "https://*.a.example:*/b", "https://c.a.example:8443/b?d", True),
        ("urlparse", "https://a.example/b?c=1", "https://a.example/b?c=2", False),
        ("urlparse", "https://a.example/%7eb", "https://a.example/~b", True),
        ("urlparse", "a.example", "http://A.example:8080/", True),
        ("urlparse", "[2001:db8::1]", "http://[2001:db8::1]/", True),
        ("urlparse", "192.0.2.0/24", "http://192.0.2.1/", None),
        ("urlparse", "https://a.example/*/b", "https://a.example/c/b", None),
        ("urlparse", "https://a.example/", "https://a.example:b/", False),
    ]:
        assert allows(name, rule, url) is expected


@pytest.mark.parametrize("name", ["startswith", "urlparse"])
def test_deny_rules_win(name: str) -> None:
    for denied, expected in [
        *(("https://a.example/b", False), ("https://a.example/b/c/", False)),
        *(("https://a.example", False), ("a.example", False), ("https://a.example/d", True)),
        *(("https://a.example:8443/b", True), ("https://a.example/*", None)),
    ]:
        assert allows(name, "https://a.example/", "https://a.example/b/c", denied) is expected


@pytest.mark.parametrize(
    "request_", [{"rule": None, "accept": []}, {"rule": ["a"], "accept": ["b"]}]
)
def test_cases_without_rules_or_with_codes_are_inexpressible(request_: dict[str, object]) -> None:
    request = {"deny": [], "url": "https://a.example/", **request_}
    assert answer(CHECKERS["urlparse"], request) is None


def test_the_checkers_run_as_programs() -> None:
    command = [sys.executable, url_rule_checkers.__file__]
    versions = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert {"startswith", "urlparse"} <= versions.keys() <= CHECKERS.keys()
    found = by_command([*command, "urlparse"], CASES)
    assert found == [answer(CHECKERS["urlparse"], case.request) for case in CASES]


def test_every_checker_of_the_page_has_a_program() -> None:
    assert PEERS.keys() == {"uriverse", *CHECKERS}


def test_the_telling_cases_are_vectors() -> None:
    rows = list(telling(CASES, EXPECTED))
    assert len(rows) == len(TELLING) == len(set(TELLING))
    assert all(expected == found for *_, expected, found in rows)


def test_a_wrong_answer_is_bold_and_counted_in_its_group(elsewhere: set[Case]) -> None:
    answers: dict[str, list[Answer]] = {"mcp": [True] * len(CASES), "fastmcp": [None] * len(CASES)}
    assert {tuple(row[3:]) for row in telling(CASES, answers)} == {
        ("allowed", "-"),
        ("**allowed**", "-"),
    }
    rows = list(url_rule_peers.groups(CASES, answers, elsewhere))
    counts = [row[2].split(" + ") for row in rows if row[2] != "0"]
    assert sum(int(reached) for reached, _ in counts) == len(elsewhere)
    wrong = sum(int(count) for pair in counts for count in pair)
    assert wrong == sum(not case.allowed for case in CASES)
    assert {row[3] for row in rows} == {"-"}


def test_the_two_kinds_of_wrong_answers_have_the_same_base(elsewhere: set[Case]) -> None:
    refused = sum(not case.allowed for case in CASES)
    lax: dict[str, list[Answer]] = {"mcp": [True] * len(CASES)}
    (row,) = results(CASES, lax, elsewhere, range(len(CASES)))
    counts = [len(elsewhere), refused - len(elsewhere)]
    shares = [f"{count} ({100 * count / refused:.1f} %)" for count in counts]
    assert row[1:] == (str(len(CASES)), *shares, "0")
    strict: dict[str, list[Answer]] = {"mcp": [False] * len(CASES), "urlpattern": [None, True]}
    strict["urlpattern"] += [None] * (len(CASES) - 2)
    assert find_common(strict) == [1]
    assert [row[1] for row in results(CASES, strict, elsewhere, find_common(strict))] == ["1", "1"]


@pytest.mark.usefixtures("elsewhere")
def test_no_url_to_allow_reaches_another_place() -> None:
    assert [case for case in CASES if case.allowed and reaches_another_place(case)] == []


@pytest.mark.usefixtures("elsewhere")
def test_a_client_by_a_standard_leaves_the_rules_or_stays_inside() -> None:
    for rule, denied, url, expected in [
        ("https://a.example/", "", "https://a.example.evil.test/", True),
        ("https://a.example/", "", "https://a.example@evil.test/", True),
        ("https://*.a.example/", "", "https://evil.test\\.a.example/", True),
        ("https://a.example/b/", "", "https://a.example/b/%2e%2e/c", True),
        ("https://a.example/b", "", "https://a.example/B", True),
        ("https://a.example/b?c", "", "https://a.example/b?d", True),
        ("https://a.example/*/c", "", "https://a.example/b/d", True),
        ("https://a.example:*/", "https://a.example/b", "https://a.example:81/b/c", True),
        ("10.0.0.0/8", "", "http://11.0.0.1/", True),
        # A server might.
        ("https://a.example/b/", "", "https://a.example/b/%252e%252e/c", False),
        ("https://a.example/b/", "", "https://a.example/b/..%2Fc", False),
        ("https://a.example/b/", "", "https://a.example/b/..;/c", False),
        ("https://a.example/b/", "", "https://a.example/b//../c", False),
        ("https://a.example/", "https://a.example/b", "https://a.example/B", False),
        # Malformed, on the right host.
        ("https://a.example/", "", "https://a.example/%zz", False),
        ("https://a.example/", "", "https://a.example/{b}|[c]", False),
        ("https://a.example/", "", "https://a.example/ b", False),
        # The same host.
        ("https://b\u00fccher.example/", "", "https://b\u00fccher.example/", False),
        ("http://127.0.0.1/", "", "http://2130706433/", False),
        ("https://a.example/", "", "https://user@a.example/", False),
        ("https://a.example/", "", "https://exa mple/", False),
        ("https://a.example/%2A", "", "https://a.example/*", False),
    ]:
        case = Case("", (rule,), (denied,) if denied else (), (), url, False, "", "")
        assert reaches_another_place(case) is expected


def test_the_committed_page_has_the_current_cases_and_checkers() -> None:
    page = PAGE.read_text("utf-8")
    assert f"{len(CASES)} pairs of rules and a URL" in page
    assert all(peer.title in page for peer in PEERS.values())
    for rule, _, url in TELLING:
        assert f"| {url_rule_peers.code(rule)}" in page
        assert f"| {url_rule_peers.code(url)} |" in page
    for case in CASES:
        assert f"| {case.group.replace('-', ' ')} |" in page
    assert f"(url-rules.md) | {len(CASES)} |" in (PAGE.parent / "conformance.md").read_text("utf-8")


@pytest.mark.usefixtures("elsewhere")
def test_the_page_leaves_out_checkers_that_are_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = {"uriverse": "0", "urlparse": "3"}
    monkeypatch.setattr(url_rule_peers, "versions", always(installed))
    monkeypatch.setattr(url_rule_peers, "by_uriverse", always(EXPECTED["uriverse"]))
    assert url_rule_peers.main([]) == 0
    output = capsys.readouterr()
    assert f"\n\n{START} " in output.out
    assert f"| uriverse | {len(CASES)} | 0 | 0 | 0 |" in output.out
    assert "| rule | URL | expected | uriverse | urlparse |" in output.out
    assert "fastmcp is not installed" in output.err


@pytest.mark.usefixtures("elsewhere")
def test_the_page_is_written_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "url-rules.md"
    monkeypatch.setattr(url_rule_peers, "PAGE", page)
    monkeypatch.setattr(url_rule_peers, "versions", always({"uriverse": "0"}))
    monkeypatch.setattr(url_rule_peers, "by_uriverse", always(EXPECTED["uriverse"]))
    assert url_rule_peers.main(["--write"]) == 0
    assert page.read_text("utf-8").startswith("# Checkers of URL rules compared")
