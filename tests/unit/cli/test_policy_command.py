import json
from pathlib import Path

import pytest
from command_runner import failure, objects, printed, run

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
def _files(_empty_folder: None) -> None:
    Path("policy.toml").write_text(TOML, "utf-8")
    Path("policy.json").write_text(json.dumps(Policy.from_toml(TOML).to_dict()), "utf-8-sig")
    Path("good.toml").write_text('allow = ["a.example"]', "utf-8")


def found(words: str, *uris: str) -> list[list[str]]:
    return [line.split()[:3] for line in run(f"check {words}", *uris).stdout.splitlines()]


def test_review_prints_a_line_for_each_finding() -> None:
    assert printed("policy review policy.toml", status=1) == REVIEW
    assert printed("policy review policy.json", status=1) == REVIEW
    assert printed("policy review -", given=TOML, status=1) == REVIEW
    assert printed("policy review good.toml") == ""
    assert printed("policy review --quiet policy.toml", status=1) == ""


def test_review_prints_json() -> None:
    rows = json.loads(printed("policy review --json-array policy.toml", status=1))
    assert [(row["code"], row["rule"]) for row in rows] == [
        ("covered", "www.example.com"),
        ("never-matches", "ftp://a.example/"),
    ]
    assert rows[0].keys() == {"code", "rule", "message", "hint"}


def test_review_prints_no_secrets() -> None:
    rules = '["https://a.example/?token=hunter2hunter2", "ftp://a.example/?token=hunter2hunter2"]'
    result = run("policy review -", given=f"allow = {rules}")
    assert result.stdout.startswith("ftp://a.example/?token=REDACTED: never-matches: ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("review good.toml http://a.example/", "review reads no URIs; use test for URIs"),
        ("review good.toml --file urls.txt", "review reads no URIs; use test for URIs"),
        ("test missing.toml http://a.example/", "missing.toml: No such file or directory"),
        ("show good.toml", "'show' is not one of 'review', 'test'"),
    ],
)
def test_wrong_arguments_are_usage_errors(words: str, message: str) -> None:
    assert message in failure(f"policy {words}")


def test_the_decision_on_each_uri_is_printed() -> None:
    uris = "https://a.example.com/%7e?token=hunter2hunter2 https://b.example/"
    assert printed(f"policy test policy.toml {uris}", status=1).splitlines() == [
        "allowed: https://a.example.com/%7e?token=REDACTED (rule *.example.com)",
        "rejected: https://b.example/ (host-not-allowed): the policy forbids the host",
    ]
    both = printed("policy test good.toml", given="http://a.example/\nhttps://a.example/b\n")
    assert both.count("\n") == 2
    assert printed("policy test good.toml --quiet http://a.example/", "a b", status=1) == ""
    first = printed("policy test good.toml --fail-fast", "a b", "http://a.example/", status=1)
    assert first.count("\n") == 1


def test_decisions_are_printed_as_json() -> None:
    words = "policy test good.toml --json HTTP://a.example http://b.example/"
    assert printed(words, status=1) == (
        '{"text": "HTTP://a.example", "allowed": true, "uri": "http://a.example/", '
        '"rule": "a.example", "code": "", "reason": "", "hint": ""}\n'
        '{"text": "http://b.example/", "allowed": false, "uri": null, "rule": null, '
        '"code": "host-not-allowed", "reason": "the policy forbids the host", "hint": ""}\n'
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "allow", "Expected '=' after a key"),
        ("a.JSON", "{", "Expecting property name"),
        ("a.json", "[]", "a policy must be a table, not list"),
        ("a.toml", "hosts = []", "unknown key 'hosts'; did you mean 'allow'?"),
        ("a.toml", "ports = 80", "ports must be a list of integers"),
        ("a.toml", "allow = ['a:80']", "allow[0]: missing scheme before a port"),
        ("a.toml", "\udcff", "'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_an_invalid_policy_is_a_usage_error(name: str, content: str, message: str) -> None:
    Path(name).write_text(content, "utf-8", "surrogateescape")
    for words in (f"policy review {name}", f"check --policy {name} http://a.example/"):
        errors = failure(words)
        assert errors.startswith(f"uriverse {words.split()[0]}: invalid policy {name}: {message}")


def test_check_reports_uris_that_a_policy_or_its_rules_reject() -> None:
    words = "check --policy policy.toml https://a.example.com/ https://b.example/"
    expected = "2:9: error host-not-allowed: the policy forbids the host (policy)\n"
    assert printed(words, status=1) == expected
    rules = "--allow *.example.org --allow a.example --deny b.example.org"
    uris = "http://a.example/ http://b.example.org/ http://c.example.org/ http://c.example/"
    assert printed(f"check {rules} {uris}", status=1).splitlines() == [
        "2:8: error denied: a deny rule matches: b.example.org (policy)",
        "4:8: error host-not-allowed: the policy forbids the host (policy)",
    ]


def test_the_rules_of_check_are_added_to_those_of_the_policy() -> None:
    words = "check --policy good.toml --allow b.example --deny http://a.example"
    assert run(f"{words} https://a.example/ http://b.example/").exit_code == 0
    assert run(f"{words} http://a.example/").exit_code == 1
    assert run("check --policy good.toml http://b.example/").exit_code == 1
    # Without an option, the policy keeps its own rules, or allows every host.
    assert run("check --deny b.example http://a.example/").exit_code == 0
    for rule in ("--allow a:80", "--deny a/b"):
        message = f"uriverse check: invalid {rule.split()[0]}: missing scheme before a p"
        assert failure(f"check {rule} http://a/").startswith(message)


def test_deny_rules_alone_report_only_the_uris_that_they_deny() -> None:
    others = "mailto:a@b.example ftp://a.example http://127.0.0.1/ //a.example/b c"
    others += " http://user@a.example/ http://a.example/b%2Fc"
    assert found(f"--deny *.b.example {others}") == found(others)
    lines = run("check --deny *.b.example http://user@a.b.example/ ftp://a.b.example./").stdout
    assert [line for line in lines.splitlines() if "error denied" in line] == [
        "1:13: error denied: a deny rule matches: *.b.example (policy)",
        "2:7: error denied: a deny rule matches: *.b.example (policy)",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "--allow http://a.example/* http://a.example/b%2Fc",
            [("1:19:", "error", "encoded-slash:")],
        ),
        # Other findings are still reported.
        ("--allow a.example http://b.example/..;x", [("1:18:", "error", "dot-with-parameter:")]),
        # A rejection for a detail makes its cause an error.
        (
            "--deny a.example --allow b.example http://me:pw@b.example:065536/ http://%62.example%2F/",
            [
                *(("1:8:", "error", "userinfo-not-allowed:"), ("1:11:", "warning", "password:")),
                *(("1:24:", "warning", "port-huge:"), ("2:8:", "error", "host-with-delimiter:")),
            ],
        ),
    ],
)
def test_rejected_findings_become_errors(words: str, expected: list[tuple[str, str, str]]) -> None:
    assert list(map(tuple, found(words))) == expected
    assert run("check http://a.example/b%2Fc").exit_code == 0
    off = "check --allow http://a.example/* --severity encoded-slash=off http://a.example/b%2Fc"
    assert printed(off, status=1).endswith("and others as a separator (policy)\n")


def test_findings_of_a_policy_in_json_have_details_and_positions() -> None:
    (row,) = objects("check --allow a.example --format json", "ftp://b.example/a b")
    assert [(each["code"], each["details"]) for each in row["findings"]] == [("syntax", ["space"])]
    # A finding about the canonical URI has no position.
    words = "check --allow http://a.example/* --format json http://a.example/%25%32eb"
    (row,) = objects(words)
    by_policy = [each for each in row["findings"] if each["reference"] == "policy"]
    end = len(row["text"])
    assert [(each["component"], each["start"], each["end"]) for each in by_policy] == [
        ("text", 0, end)
    ]
    assert row["findings"][-1]["severity"] == "error"
