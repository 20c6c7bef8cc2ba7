import json
import re
import tomllib
from pathlib import Path
from typing import Any

from commands import Result
from commands import run as run_command

from uriverse import Finding
from uriverse.diagnosis import CODES
from uriverse_links._cli.reports import SITE, format_command
from uriverse_links._cli.strings_in_files import Location

ROOT = Path(__file__).resolve().parents[3]


def run(*words: str) -> Result:
    return run_command("check", *words)


def results(*words: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the rules by code, and the results of a SARIF log."""
    [log] = json.loads(run("--format", "sarif", *words).stdout)["runs"]
    return {rule["id"]: rule for rule in log["tool"]["driver"]["rules"]}, log["results"]


def test_a_workflow_command_has_the_place_of_the_finding() -> None:
    Path("a.md").write_text("[a](b)\n\n[e](<http://f/ g>)\n", "utf-8")
    result = run("--format", "github", "--severity", "syntax=info", "a.md")
    assert result.stdout.splitlines() == [
        (
            "::warning file=a.md,line=3,col=15,endColumn=16,title=uriverse-links check%3A space::"
            f"{CODES['space'].message}; {CODES['space'].suggestion} (URL standard, 4.4)"
        ),
        (
            "::notice file=a.md,line=3,col=15,endColumn=16,title=uriverse-links check%3A syntax::"
            "invalid space in path; percent-encode it as %2520 "
            "(RFC 3986, Appendix A; RFC 3987, 2.2)"
        ),
    ]
    assert result.exit_code == 0
    [command] = run("--format", "github", "a.md").stdout.splitlines()
    assert command.endswith("as %2520 (RFC 3986, Appendix A; RFC 3987, 2.2; also space)")


def test_a_workflow_command_is_not_json_and_can_be_suppressed() -> None:
    Path("a.md").write_text("[a](<b c>)", "utf-8")
    assert run("--format", "github", "--quiet", "a.md").output == ""
    assert run("--format", "github", "--json", "a.md").exit_code == 2
    Path("a.md").write_text("[a](b)", "utf-8")
    assert run("--format", "github", "a.md").output == ""


def test_workflow_commands_escape_delimiters() -> None:
    finding = Finding("a:b", "error", "path", 0, 3, "100%\r\nc,d:", "RFC", None)
    place = Location("e,f:\n%.md", 1, 2, ((1, 2, 1),))
    assert format_command(finding, place) == (
        "::error file=e%2Cf%3A%0A%25.md,line=1,col=2,endLine=2,title=uriverse-links check%3A "
        "a%3Ab::100%25%0D%0Ac,d: (RFC)"
    )


def test_each_rule_links_to_its_section_of_the_documentation() -> None:
    Path("a.md").write_text("<http://u@a./> [b](http://c/d%2Fe) <http://f/>\n", "utf-8")
    rules, _ = results("--allow", "a", "a.md")
    assert rules["trailing-dot"]["helpUri"] == f"{SITE}findings.html#trailing-dot"
    assert rules["trailing-dot"]["help"] == {
        "text": "To fix it, remove the trailing dot. Based on RFC 3986, 3.2.2.",
        "markdown": "To fix it, remove the trailing dot. Based on RFC 3986, 3.2.2. "
        f"See [trailing-dot]({SITE}findings.html#trailing-dot).",
    }
    assert rules["encoded-slash"]["help"]["text"].startswith("Based on ")
    assert rules["host-not-allowed"]["helpUri"] == f"{SITE}how-to/policy.html#see-why"
    sections = (ROOT / "docs/findings.md").read_text("utf-8").splitlines()
    assert not [code for code in CODES if f"### {code}" not in sections]
    assert "## See why" in (ROOT / "docs/how-to/policy.md").read_text("utf-8")


def test_the_links_lead_to_the_site_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["urls"]["Changelog"] == f"{SITE}changelog.html"
    assert SITE.startswith(project["urls"]["Documentation"])


def fingerprints(*words: str) -> list[str]:
    return [each["partialFingerprints"]["primaryLocationLineHash"] for each in results(*words)[1]]


def test_a_fingerprint_stays_the_same_when_lines_move() -> None:
    path = Path("a.md")
    path.write_text("<http://a./>\n<http://b./> <http://a./>\n", "utf-8")
    before = fingerprints("a.md")
    assert [re.sub("[0-9a-f]{16}", "x", each) for each in before] == ["x:1", "x:1", "x:2"]
    assert len(set(before)) == 3
    path.write_text("# new\n\n<http://a./>\n\n* <http://b./>\n  <http://a./>\n", "utf-8")
    assert fingerprints("a.md") == before


def test_a_fingerprint_does_not_depend_on_secrets() -> None:
    for name, password in (("a.md", "hunter2"), ("b.md", "letmein")):
        Path(name).write_text(f"<http://me:{password}@a.example/>\n", "utf-8")
    assert fingerprints("a.md") == fingerprints("b.md")


def test_a_string_with_lone_surrogates_has_a_fingerprint() -> None:
    Path("a.css").write_bytes(b"a { background: url('http://\xff/') }")
    assert fingerprints("a.css")


def test_the_required_members_of_sarif_are_present() -> None:
    Path("a.md").write_text("<http://a./>\n", "utf-8")
    log = json.loads(run("--format", "sarif", "a.md").stdout)
    assert log["version"] == "2.1.0"
    [found] = log["runs"]
    assert found["tool"]["driver"]["informationUri"] == SITE
    [result] = found["results"]
    assert result["message"]["text"]
    assert result["level"] in {"none", "note", "warning", "error"}
    [rule] = found["tool"]["driver"]["rules"]
    assert rule["id"] == result["ruleId"]
    assert set(rule) <= {"id", "shortDescription", "help", "helpUri"}
    region = result["locations"][0]["physicalLocation"]["region"]
    assert all(value >= 1 for value in region.values())
