"""Tests of `uriverse policy`, and of the policy of `uriverse check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import Result, run_uriverse

from uriverse import Policy

TOML = """
schemes = ["https"]
allow = ["*.example.com", "www.example.com", "ftp://a.example/"]
"""

REVIEW = """\
www.example.com: covered: another rule matches everything that the rule matches: *.example.com; \
remove this rule
ftp://a.example/: never-matches: the policy rejects every URI that the rule matches: the policy \
forbids the scheme; add "ftp" to schemes
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.toml").write_text(TOML, "utf-8")
    Path("policy.json").write_text(json.dumps(Policy.from_toml(TOML).to_dict()), "utf-8-sig")
    Path("good.toml").write_text('allow = ["a.example"]', "utf-8")


def run(*words: str, given: str | None = None) -> Result:
    return run_uriverse(words, input=given)


# --- review


@pytest.mark.parametrize("name", ["policy.toml", "policy.json"])
def test_review_prints_a_line_for_each_finding(name: str) -> None:
    result = run("policy", "review", name)
    assert (result.exit_code, result.stdout, result.stderr) == (1, REVIEW, "")


def test_review_reads_a_policy_from_standard_input() -> None:
    result = run("policy", "review", "-", given=TOML)
    assert (result.exit_code, result.stdout) == (1, REVIEW)


def test_review_prints_nothing_if_a_policy_has_no_findings() -> None:
    result = run("policy", "review", "good.toml")
    assert (result.exit_code, result.output) == (0, "")


def test_review_prints_json() -> None:
    result = run("policy", "review", "--json-array", "policy.toml")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(each["code"], each["rule"]) for each in found] == [
        ("covered", "www.example.com"),
        ("never-matches", "ftp://a.example/"),
    ]
    assert found[0].keys() == {"code", "rule", "message", "hint"}


def test_review_prints_nothing_if_it_is_quiet() -> None:
    result = run("policy", "review", "--quiet", "policy.toml")
    assert (result.exit_code, result.output) == (1, "")


def test_review_prints_no_secrets() -> None:
    rules = '["https://a.example/?token=hunter2hunter2", "ftp://a.example/?token=hunter2hunter2"]'
    result = run("policy", "review", "-", given=f"allow = {rules}")
    assert result.stdout.startswith("ftp://a.example/?token=REDACTED: never-matches: ")


@pytest.mark.parametrize("words", [("http://a.example/",), ("--file", "urls.txt")])
def test_review_reads_no_uris(words: tuple[str, ...]) -> None:
    result = run("policy", "review", "good.toml", *words)
    assert result.exit_code == 2
    assert "review reads no URIs; use test for URIs" in result.stderr


# --- test


def test_the_decision_on_each_uri_is_printed() -> None:
    urls = ["https://a.example.com/%7e?token=hunter2hunter2", "https://b.example/"]
    result = run("policy", "test", "policy.toml", *urls)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "allowed: https://a.example.com/%7e?token=REDACTED (rule *.example.com)",
        "rejected: https://b.example/ (host-not-allowed): the policy forbids the host",
    ]


def test_the_exit_status_is_0_if_all_uris_are_allowed() -> None:
    result = run("policy", "test", "good.toml", given="http://a.example/\nhttps://a.example/b\n")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2


def test_decisions_are_printed_as_json() -> None:
    result = run("policy", "test", "good.toml", "--json", "HTTP://a.example", "http://b.example/")
    assert result.exit_code == 1
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "text": "HTTP://a.example",
            "allowed": True,
            "uri": "http://a.example/",
            "rule": "a.example",
            "code": "",
            "reason": "",
            "hint": "",
        },
        {
            "text": "http://b.example/",
            "allowed": False,
            "uri": None,
            "rule": None,
            "code": "host-not-allowed",
            "reason": "the policy forbids the host",
            "hint": "",
        },
    ]


def test_quiet_decisions_only_set_the_exit_status() -> None:
    result = run("policy", "test", "good.toml", "--quiet", "http://a.example/", "a b")
    assert (result.exit_code, result.output) == (1, "")


def test_the_first_rejection_may_end_the_test() -> None:
    result = run("policy", "test", "good.toml", "--fail-fast", "a b", "http://a.example/")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1


# --- wrong policies


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "allow", "invalid policy a.toml: Expected '=' after a key"),
        ("a.JSON", "{", "invalid policy a.JSON: Expecting property name"),
        ("a.json", "[]", "invalid policy a.json: a policy must be a table, not list"),
        (
            "a.toml",
            "hosts = []",
            "invalid policy a.toml: unknown key 'hosts'; did you mean 'allow'?",
        ),
        ("a.toml", "ports = 80", "invalid policy a.toml: ports must be a list of integers"),
        (
            "a.toml",
            "allow = ['a:80']",
            "invalid policy a.toml: allow[0]: missing scheme before a port",
        ),
        ("a.toml", "\udcff", "invalid policy a.toml: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_an_invalid_policy_is_a_usage_error(name: str, content: str, message: str) -> None:
    Path(name).write_text(content, "utf-8", "surrogateescape")
    for words in (("policy", "review", name), ("check", "--policy", name, "http://a.example/")):
        result = run(*words)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"uriverse {words[0]}: {message}")
        assert result.stdout == ""


def test_a_missing_policy_is_an_error() -> None:
    result = run("policy", "test", "missing.toml", "http://a.example/")
    assert result.exit_code == 2
    assert result.stderr == "uriverse policy: missing.toml: No such file or directory\n"


def test_an_unknown_action_is_a_usage_error() -> None:
    result = run("policy", "show", "good.toml")
    assert result.exit_code == 2
    assert "'show' is not one of 'review', 'test'" in result.stderr


# --- check


def test_check_reports_uris_that_a_policy_rejects() -> None:
    urls = ["https://a.example.com/", "https://b.example/"]
    result = run("check", "--policy", "policy.toml", *urls)
    assert result.exit_code == 1
    assert result.stdout == "2:9: error host-not-allowed: the policy forbids the host (policy)\n"


def test_check_reports_uris_that_its_rules_reject() -> None:
    rules = ["--allow", "*.example.org", "--allow", "a.example", "--deny", "b.example.org"]
    urls = [
        "http://a.example/",
        "http://b.example.org/",
        "http://c.example.org/",
        "http://c.example/",
    ]
    result = run("check", *rules, *urls)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "2:8: error denied: a deny rule matches: b.example.org (policy)",
        "4:8: error host-not-allowed: the policy forbids the host (policy)",
    ]


def test_the_rules_of_check_are_added_to_those_of_the_policy() -> None:
    words = ["check", "--policy", "good.toml", "--allow", "b.example", "--deny", "http://a.example"]
    assert run(*words, "https://a.example/", "http://b.example/").exit_code == 0
    assert run(*words, "http://a.example/").exit_code == 1
    assert run("check", "--policy", "good.toml", "http://b.example/").exit_code == 1
    # Without an option, the policy keeps its own rules, or allows every host.
    assert run("check", "--deny", "b.example", "http://a.example/").exit_code == 0


def test_deny_rules_alone_report_only_the_uris_that_they_deny() -> None:
    others = ["mailto:a@b.example", "ftp://a.example", "http://127.0.0.1/", "//a.example/b", "c"]
    others += ["http://user@a.example/", "http://a.example/b%2Fc"]
    without = run("check", *others)
    assert run("check", "--deny", "*.b.example", *others).stdout == without.stdout
    denied = ["http://user@a.b.example/", "ftp://a.b.example./"]
    lines = run("check", "--deny", "*.b.example", *denied).stdout.splitlines()
    assert [line for line in lines if "error denied" in line] == [
        "1:13: error denied: a deny rule matches: *.b.example (policy)",
        "2:7: error denied: a deny rule matches: *.b.example (policy)",
    ]


def test_a_finding_that_the_policy_rejects_becomes_an_error() -> None:
    url = "http://a.example/b%2Fc"
    assert run("check", url).exit_code == 0
    result = run("check", "--allow", "http://a.example/*", url)
    assert result.exit_code == 1
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [
        ["1:19:", "error", "encoded-slash:"]
    ]
    result = run("check", "--allow", "http://a.example/*", "--severity", "encoded-slash=off", url)
    assert result.stdout.endswith("and others as a separator (policy)\n")


def test_other_findings_are_still_reported() -> None:
    result = run("check", "--allow", "a.example", "http://b.example/..;x")
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [
        ["1:18:", "error", "dot-with-parameter:"]
    ]
    result = run("check", "--allow", "a.example", "--format", "json", "ftp://b.example/a b")
    [found] = map(json.loads, result.stdout.splitlines())
    assert [(finding["code"], finding["details"]) for finding in found["findings"]] == [
        ("syntax", ["space"])
    ]


def test_a_rejection_for_a_detail_makes_its_cause_an_error() -> None:
    arguments = ("check", "--deny", "a.example", "--allow", "b.example")
    result = run(*arguments, "http://me:pw@b.example:065536/", "http://%62.example%2F/")
    assert [line.split()[1:3] for line in result.stdout.splitlines()] == [
        ["error", "userinfo-not-allowed:"],
        ["warning", "password:"],
        ["warning", "port-huge:"],
        ["error", "host-with-delimiter:"],
    ]


def test_a_finding_about_the_canonical_uri_has_no_position() -> None:
    result = run(
        "check", "--allow", "http://a.example/*", "--format", "json", "http://a.example/%25%32eb"
    )
    findings = json.loads(result.stdout)["findings"]
    assert findings[-1]["severity"] == "error"
    text = json.loads(result.stdout)["text"]
    by_policy = [f for f in findings if f["reference"] == "policy"]
    assert [(f["component"], f["start"], f["end"]) for f in by_policy] == [("text", 0, len(text))]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--allow", "a:80"], "invalid --allow: missing scheme before a port"),
        (["--deny", "a/b"], "invalid --deny: missing scheme before a path"),
    ],
)
def test_an_invalid_rule_is_a_usage_error(words: list[str], message: str) -> None:
    result = run("check", *words, "http://a/")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"uriverse check: {message}")
