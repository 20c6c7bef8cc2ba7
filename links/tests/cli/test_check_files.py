import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import Result
from commands import run as run_command
from platforms import unix

from uriverse.diagnosis import CODES
from uriverse_links._cli.reports import convert_to_reference

LINKS = Path(__file__).resolve().parents[2]


def run(*words: str, given: bytes | str = "") -> Result:
    return run_command("check", *words, given=given)


def run_lines(*lines: str, options: str = "") -> Result:
    return run("--from-files", "lines", *options.split(), "-", given="\n".join(lines))


def places(result: Result, severity: str = "") -> list[str]:
    lines = [" ".join(line.split(" ")[:3]).removesuffix(":") for line in result.stdout.splitlines()]
    return [line for line in lines if severity in line]


def sarif(*words: str) -> dict[str, Any]:
    log = json.loads(run("--format", "sarif", "--from-files", "text", *words).stdout)
    assert log["version"] == "2.1.0"
    [found] = log["runs"]
    assert isinstance(found, dict)
    return found


def regions(name: str) -> list[dict[str, int]]:
    results = sarif(name)["results"]
    return [result["locations"][0]["physicalLocation"]["region"] for result in results]


BROKEN = "x\n> see <http://a./\n> b/%2e/\n>  %2fc> <http://b.\n/>\n> <http://c.>"


@pytest.mark.parametrize(
    ("kind", "content", "expected"),
    [
        (
            "lines",
            "\ufeffhttp://a./\r\n\r\nb c\r\n\udcff",
            (
                "1:8: warning trailing-dot, 3:1: info missing-scheme, 3:2: error syntax, "
                "4:1: error syntax, 4:1: info missing-scheme"
            ),
        ),
        (
            "text",
            "# é\n\nSee [this](http://a.example/%2Fb),\nor <http://a./> or <http://b/>.\n",
            "3:29: warning encoded-slash, 4:12: warning trailing-dot",
        ),
        ("text", "urn:a:b", "1:6: error scheme-syntax"),
        (
            "text",
            BROKEN,
            (
                "2:15: warning trailing-dot, 3:5: warning encoded-dot, 4:4: warning encoded-slash, "
                "4:18: warning trailing-dot, 6:11: warning trailing-dot"
            ),
        ),
    ],
)
def test_findings_have_their_line_and_column(kind: str, content: str, expected: str) -> None:
    Path("a").write_bytes(content.encode("utf-8", "surrogateescape"))
    found = places(run("--from-files", kind, "a"))
    assert found == [f"a:{place}" for place in expected.split(", ")]


def test_findings_in_a_uri_broken_over_lines_have_regions_in_sarif() -> None:
    Path("a.md").write_text(BROKEN)
    assert [region["startLine"] for region in regions("a.md")] == [2, 3, 4, 4, 6]
    assert regions("a.md")[2] == {"startLine": 4, "startColumn": 4, "endColumn": 7}
    Path("b.md").write_text("<http://a/%2\nfb>")
    assert regions("b.md") == [{"startLine": 1, "startColumn": 11, "endLine": 2, "endColumn": 2}]


def test_sarif_output_has_rules_levels_and_locations(tmp_path: Path) -> None:
    path = tmp_path / "a b.md"
    path.write_text("x\n <http://a.:0/>")
    found = sarif("--severity", "port-odd=info", str(path))
    assert found["tool"]["driver"]["name"] == "uriverse"
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["trailing-dot", "port-odd"]
    assert rules[0]["shortDescription"]["text"] == CODES["trailing-dot"].message
    levels = [(result["ruleId"], result["level"]) for result in found["results"]]
    assert levels == [("trailing-dot", "warning"), ("port-odd", "note")]
    [place] = found["results"][1]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": f"file://{tmp_path.as_posix()}/a%20b.md"},
        "region": {"startLine": 2, "startColumn": 13, "endColumn": 14},
    }
    assert found["columnKind"] == "unicodeCodePoints"
    assert found["invocations"] == [{"executionSuccessful": True}]
    assert sarif(str(path), "none")["invocations"] == [{"executionSuccessful": False}]
    path.write_text("x:y")
    assert sarif(str(path))["results"] == []


def test_sarif_locations_are_references_to_files() -> None:
    for name, reference in [
        *(("a/b c.md", "a/b%20c.md"), ("a:b.txt", "./a:b.txt")),
        *((os.fsdecode(b"caf\xe9.txt"), "caf%E9.txt"), ("//tmp/x", "file:///tmp/x")),
        ("/tmp/x", "file:///tmp/x"),
    ]:
        assert convert_to_reference(name) == reference


@pytest.mark.parametrize("kind", ["text", "lines"])
def test_control_characters_in_file_names_are_escaped(kind: str) -> None:
    name = "a\x1b[31m\n.txt"
    Path(name).write_text("see <http://a./>")
    result = run("--from-files", kind, name, f"{name}\x07")
    assert "a\\x1b[31m\\n.txt:1:" in result.stdout
    missing = "a\\x1b[31m\\n.txt\\x07: No such file or directory"
    assert result.stderr == f"uriverse-links check: {missing}\n"
    assert "\x1b" not in result.output
    row = json.loads(run("--json", "--from-files", kind, name).stdout)
    assert row["file"] == name
    artifact = sarif(name)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == "a%1B%5B31m%0A.txt"


@unix
def test_a_sarif_log_is_valid_after_an_interrupt() -> None:
    Path("a.txt").write_text("see <http://a./>\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(LINKS / "src"), *sys.path])}
    command = [sys.executable, "-m", "uriverse_links", "check", "--format", "sarif"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--from-files", "text", "a.txt", "-"],
        env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0,
    ) as process:  # fmt: skip
        assert process.stdout
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        log = json.loads(begun + process.stdout.read())
    assert process.returncode == 130
    [found] = log["runs"]
    assert found["invocations"] == [{"executionSuccessful": False}]
    assert [result["ruleId"] for result in found["results"]] == ["trailing-dot"]
    assert [rule["id"] for rule in found["tool"]["driver"]["rules"]] == ["trailing-dot"]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_fail_on_sets_the_severity_that_makes_the_exit_status_1(form: str) -> None:
    for text, fail_on, status in [
        *(("a:b", "info", 0), ("a b", "error", 1), ("a b", "never", 0), ("http://a./", "error", 0)),
        *(("http://a./", "warning", 1), ("http://a./", "never", 0)),
    ]:
        result = run_lines(text, options=f"--fail-on {fail_on} --format {form}")
        assert result.exit_code == status


def test_profiles_and_severities_are_passed_to_the_library() -> None:
    assert run_lines("http://a./", options="--profile web").exit_code == 1
    own = "--severity ambiguity=off --severity trailing-dot=info"
    assert places(run_lines("http://a./%2e", options=own)) == ["-:1:8: info trailing-dot"]
    for severity, status in (("warning", 0), ("off", 0), ("error", 1)):
        options = f"--type absolute-iri --severity syntax={severity}"
        assert run_lines("//a/b", options=options).exit_code == status


WRONG_SEVERITIES = ("x=off", "syntax", "syntax=bad", "=off")


def test_an_invalid_policy_or_severity_is_an_error() -> None:
    for words, message in [
        ("--allow a:80", "invalid --allow: missing scheme before a port"),
        ("--deny a/b", "invalid --deny: missing scheme before a path"),
        ("--policy none.toml", "none.toml: No such file or directory"),
        *((f"--severity {value}", "--severity: ") for value in WRONG_SEVERITIES),
    ]:
        result = run_lines("http://a/", options=words)
        assert result.exit_code == 2
        assert message in result.stderr


def test_a_wrong_type_is_a_syntax_finding() -> None:
    result = run_lines("//a/b", "a b", "x:y", options="--type uri")
    errors = [line for line in result.stdout.splitlines() if " error " in line]
    assert [line.partition(";")[0] for line in errors] == [
        "-:1:1: error syntax: missing scheme: a URI starts with a scheme and a colon",
        "-:2:2: error syntax: invalid space in path",
    ]


@pytest.mark.parametrize(
    ("policy", "options", "uris", "expected"),
    [
        (
            'allow = ["a.example"]',
            "--policy a.toml --allow c.example",
            ("http://a.example/", "http://b.example/", "http://c.example/ "),
            ["-:2:8: error host-not-allowed", "-:3:18: error syntax"],
        ),
        (
            '{"allow": ["a.example"]}',
            "--policy a.JSON",
            ("http://a.example/", "http://b.example/"),
            ["-:2:8: error host-not-allowed"],
        ),
        # A policy with a base rejects the whole reference.
        (
            'base = "http://a.example/b/"\nallow = ["http://a.example/b/"]\n',
            "--policy a.toml",
            ("../x", "c"),
            ["-:1:1: error path-not-allowed"],
        ),
        # Deny rules alone reject nothing else.
        (
            "",
            "--deny b.example --severity syntax=off",
            ("http://b.example/", "http://u@127.0.0.1/", "http://[", "//b.example/"),
            ["-:1:8: error denied"],
        ),
    ],
)
def test_a_policy_may_be_a_file_or_options(
    policy: str, options: str, uris: tuple[str, ...], expected: list[str]
) -> None:
    for name in ("a.toml", "a.JSON"):
        Path(name).write_text(policy)
    assert places(run_lines(*uris, options=options), " error ") == expected
    Path("a.toml").write_text("[")
    result = run_lines("http://a/", options="--policy a.toml")
    assert "invalid policy a.toml: " in result.stderr


def test_a_code_of_a_policy_raises_the_severity_of_a_finding() -> None:
    [finding] = run_lines(
        "http://a.example\\@b.example/", options="--allow b.example"
    ).stdout.splitlines()
    assert " error syntax: " in finding
    assert finding.endswith("host-with-delimiter, backslash)")


def test_running_text_has_candidates_with_and_without_delimiters() -> None:
    text = (
        'http:/a{b} "http://c d" <http://e f <ftp:\\g/h, (http:\\i) http://j k <http://l/http:\\m> '
        "<foo://n <http://o"
    )
    rows = run("--from-files", "text", "--json", "-", given=text).stdout.splitlines()
    found = {json.loads(row)["text"] for row in rows}
    assert {"http://c d", "ftp:\\g/h"} <= found
    assert "http:/a" not in found


def test_json_output_has_one_object_per_uri() -> None:
    lines = ("x:y", "", "http://a./")
    result = run_lines(*lines, options="--format json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["line"], row["column"]) for row in rows] == [(1, 1), (3, 1)]
    assert [[each["code"] for each in row["findings"]] for row in rows] == [[], ["trailing-dot"]]
    assert rows == json.loads(run_lines(*lines, options="--json-array").stdout)
    ended = run_lines(*lines, options="--json -z")
    assert ended.stdout == result.stdout.replace("\n", "\0")


def test_fail_fast_quiet_and_summary() -> None:
    Path("urls").write_text("http://a./\nx: \nx: \n")
    found = places(run("--fail-fast", "--from-files", "lines", "urls"))
    assert {line.split(":")[1] for line in found} == {"1", "2"}
    for form in ("text", "json", "sarif", "github"):
        result = run("--quiet", "--format", form, "--from-files", "lines", "urls")
        assert (result.exit_code, result.output) == (1, "")
    result = run("--summary", "--max-errors", "1", "--from-files", "lines", "urls")
    assert result.stderr == "uriverse-links check: 2 URIs, 1 failed; stopped early\n"


def test_an_unreadable_file_is_reported_and_the_others_are_checked() -> None:
    Path("a").write_text("http://a./")
    result = run("--from-files", "lines", "none", ".", "a")
    assert result.exit_code == 2
    assert result.stderr == (
        "uriverse-links check: none: No such file or directory\n"
        "uriverse-links check: .: Is a directory\n"
    )
    assert "trailing-dot" in result.stdout


@pytest.mark.parametrize("form", ["text", "sarif", "github"])
def test_no_output_shows_a_password(form: str) -> None:
    Path("a").write_text("http://a:hunter2@b/ \nuser:hunter2 @host\n")
    output = run("--format", form, "--from-files", "lines", "a").output
    assert "password" in output
    assert "hunter2" not in output
    assert "hunter2" not in run("http://me:hunter2@b/").stderr


def test_findings_have_colors_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    words = ("check", "--from-files", "lines", "-")
    colored = run_command(*words, given="http://a./", is_terminal=True).stdout
    assert colored.startswith("-:1:8: \x1b[33mwarning\x1b[0m trailing-dot")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run_command(*words, given="http://a./", is_terminal=True).stdout
    monkeypatch.setattr("commands.Stream.isatty", lambda _: True)
    result = run("--from-files", "text", "-")
    assert (result.exit_code, "no input; give files" in result.stderr) == (2, True)
