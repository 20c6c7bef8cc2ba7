"""`uriverse-links check` with files of lines and of text, in all output formats."""

from __future__ import annotations

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
from uriverse_links._cli.reports import reference_to

LINKS = Path(__file__).resolve().parents[2]


def run(*words: str, given: bytes | str = "") -> Result:
    return run_command("check", *words, given=given)


def run_lines(*lines: str, options: tuple[str, ...] = ()) -> Result:
    """Check lines of standard input."""
    return run("--from-files", "lines", *options, "-", given="\n".join(lines))


def sarif(*words: str) -> dict[str, Any]:
    log = json.loads(run("--format", "sarif", "--from-files", "text", *words).stdout)
    assert log["version"] == "2.1.0"
    [found] = log["runs"]
    assert isinstance(found, dict)
    return found


def test_findings_in_lines_have_the_file_name_and_line_number(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes("\ufeffhttp://a./\r\n\r\nb c\r\n".encode() + b"\xff")
    lines = run("--from-files", "lines", str(path)).stdout.splitlines()
    assert [line.removeprefix(str(path)).split(" ")[:3] for line in lines] == [
        [":1:8:", "warning", "trailing-dot:"],
        [":3:1:", "info", "missing-scheme:"],
        [":3:2:", "error", "syntax:"],
        [":4:1:", "error", "syntax:"],
        [":4:1:", "info", "missing-scheme:"],
    ]


def test_findings_in_running_text_have_their_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(
        "# é\n\nSee [this](http://a.example/%2Fb),\nor <http://a./> or <http://b/>.\n", "utf-8"
    )
    other = tmp_path / "other.md"
    other.write_text("urn:a:b")
    result = run("--from-files", "text", str(path), str(other))
    assert [line.split(" ")[0] for line in result.stdout.splitlines()] == [
        f"{path}:3:29:",
        f"{path}:4:12:",
        f"{other}:1:6:",
    ]
    assert result.exit_code == 1


def test_findings_in_a_uri_broken_over_lines_have_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x\n> see <http://a./\n> b/%2e/\n>  %2fc> <http://b.\n/>\n> <http://c.>")
    lines = run("--from-files", "text", str(path)).stdout.splitlines()
    found = [line.removeprefix(str(path)).split(" ")[0] for line in lines]
    assert found == [":2:15:", ":3:5:", ":4:4:", ":4:18:", ":6:11:"]
    regions = [
        result["locations"][0]["physicalLocation"]["region"]
        for result in sarif(str(path))["results"]
    ]
    assert [region["startLine"] for region in regions] == [2, 3, 4, 4, 6]
    assert regions[2] == {"startLine": 4, "startColumn": 4, "endColumn": 7}
    broken = tmp_path / "b.md"
    broken.write_text("<http://a/%2\nfb>")
    [result] = sarif(str(broken))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 1,
        "startColumn": 11,
        "endLine": 2,
        "endColumn": 2,
    }


def test_sarif_output_has_rules_levels_and_locations(tmp_path: Path) -> None:
    path = tmp_path / "a b.md"
    path.write_text("x\n <http://a.:0/>")
    found = sarif("--severity", "port-odd=info", str(path))
    assert found["tool"]["driver"]["name"] == "uriverse"
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["trailing-dot", "port-odd"]
    assert rules[0]["shortDescription"]["text"] == CODES["trailing-dot"].message
    assert [(r["ruleId"], r["level"]) for r in found["results"]] == [
        ("trailing-dot", "warning"),
        ("port-odd", "note"),
    ]
    [place] = found["results"][1]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": f"file://{tmp_path.as_posix()}/a%20b.md"},
        "region": {"startLine": 2, "startColumn": 13, "endColumn": 14},
    }
    assert found["columnKind"] == "unicodeCodePoints"
    assert found["invocations"] == [{"executionSuccessful": True}]
    found = sarif(str(path), str(tmp_path / "none"))
    assert found["invocations"] == [{"executionSuccessful": False}]
    path.write_text("x:y")
    assert sarif(str(path))["results"] == []


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("a/b c.md", "a/b%20c.md"),
        ("a:b.txt", "./a:b.txt"),
        (os.fsdecode(b"caf\xe9.txt"), "caf%E9.txt"),
        ("//tmp/x", "file:///tmp/x"),
        ("/tmp/x", "file:///tmp/x"),
    ],
)
def test_sarif_locations_are_references_to_files(name: str, reference: str) -> None:
    assert reference_to(name) == reference


def test_control_characters_in_file_names_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\n.txt"
    path.write_text("see <http://a./>")
    for kind in ("text", "lines"):
        result = run("--from-files", kind, str(path), f"{path}\x07")
        assert f"{tmp_path}/a\\x1b[31m\\n.txt:1:" in result.stdout
        assert result.stderr == (
            f"uriverse-links check: {tmp_path}/a\\x1b[31m\\n.txt\\x07: No such file or directory\n"
        )
        assert "\x1b" not in result.output
    [row] = map(json.loads, run("--json", "--from-files", "text", str(path)).stdout.splitlines())
    assert row["file"] == str(path)
    [result] = sarif(str(path))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"].endswith("/a%1B%5B31m%0A.txt")


@unix
def test_a_sarif_log_is_valid_after_an_interrupt(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("see <http://a./>\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(LINKS / "src"), *sys.path])}
    command = [sys.executable, "-m", "uriverse_links", "check", "--format", "sarif"]
    with subprocess.Popen(
        [*command, "--from-files", "text", "a.txt", "-"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as process:
        assert process.stdout
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        log = json.loads(begun + process.stdout.read())
    assert process.returncode == 130
    [found] = log["runs"]
    assert found["invocations"] == [{"executionSuccessful": False}]
    assert [result["ruleId"] for result in found["results"]] == ["trailing-dot"]
    assert [rule["id"] for rule in found["tool"]["driver"]["rules"]] == ["trailing-dot"]


@pytest.mark.parametrize(
    ("text", "fail_on", "status"),
    [
        ("a:b", "info", 0),
        ("a b", "error", 1),
        ("a b", "never", 0),
        ("http://a./", "error", 0),
        ("http://a./", "warning", 1),
        ("http://a./", "never", 0),
    ],
)
def test_fail_on_sets_the_severity_that_makes_the_exit_status_1(
    text: str, fail_on: str, status: int
) -> None:
    for form in ("text", "json", "sarif", "github"):
        options = ("--fail-on", fail_on, "--format", form)
        assert run_lines(text, options=options).exit_code == status


def test_profiles_and_severities_are_passed_to_the_library() -> None:
    assert run_lines("http://a./", options=("--profile", "web")).exit_code == 1
    own = ("--severity", "ambiguity=off", "--severity", "trailing-dot=info")
    assert run_lines("http://a./%2e", options=own).stdout.startswith("-:1:8: info trailing-dot")
    for wrong in ("x=off", "syntax", "syntax=bad", "=off"):
        result = run_lines("a", options=("--severity", wrong))
        assert result.exit_code == 2
        assert "--severity: " in result.stderr


def test_a_wrong_type_is_a_syntax_finding() -> None:
    result = run_lines("//a/b", "a b", "x:y", options=("--type", "uri"))
    assert result.exit_code == 1
    errors = [line for line in result.stdout.splitlines() if " error " in line]
    assert [line.partition(";")[0] for line in errors] == [
        "-:1:1: error syntax: missing scheme: a URI starts with a scheme and a colon",
        "-:2:2: error syntax: invalid space in path",
    ]
    for severity, status in (("warning", 0), ("off", 0), ("error", 1)):
        options = ("--type", "absolute-iri", "--severity", f"syntax={severity}")
        assert run_lines("//a/b", options=options).exit_code == status


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--allow", "a:80"], "invalid --allow: missing scheme before a port"),
        (["--deny", "a/b"], "invalid --deny: missing scheme before a path"),
        (["--policy", "none.toml"], "none.toml: No such file or directory"),
    ],
)
def test_an_invalid_policy_is_an_error(words: list[str], message: str) -> None:
    result = run_lines("http://a/", options=tuple(words))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"uriverse-links check: {message}")


def test_a_policy_may_be_a_file(tmp_path: Path) -> None:
    for name, content in (
        ("a.toml", 'allow = ["a.example"]'),
        ("a.JSON", '{"allow": ["a.example"]}'),
    ):
        path = tmp_path / name
        path.write_text(content)
        lines = ("http://a.example/", "http://b.example/", "http://c.example/ ")
        result = run_lines(*lines, options=("--policy", str(path), "--allow", "c.example"))
        assert [line.split()[2] for line in result.stdout.splitlines() if " error " in line] == [
            "host-not-allowed:",
            "syntax:",
        ]
    path.write_text("[")
    result = run_lines("http://a/", options=("--policy", str(path)))
    assert f"invalid policy {path}: " in result.stderr


def test_running_text_has_candidates_with_and_without_delimiters() -> None:
    text = (
        'http:/a{b} "http://c d" <http://e f <ftp:\\g/h, (http:\\i) http://j k <http://l/http:\\m> '
        "<foo://n <http://o"
    )
    found = [
        json.loads(line)["text"]
        for line in run("--from-files", "text", "--json", "-", given=text).stdout.splitlines()
    ]
    assert "http://c d" in found
    assert "ftp:\\g/h" in found
    assert "http:/a" not in found


def test_a_policy_with_a_base_rejects_the_whole_reference(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('base = "http://a.example/b/"\nallow = ["http://a.example/b/"]\n')
    result = run_lines("../x", "c", options=("--policy", str(path)))
    assert [line.split()[:3] for line in result.stdout.splitlines() if " error " in line] == [
        ["-:1:1:", "error", "path-not-allowed:"]
    ]


def test_deny_rules_alone_reject_nothing_else() -> None:
    lines = ("http://b.example/", "http://u@127.0.0.1/", "http://[", "//b.example/")
    result = run_lines(*lines, options=("--deny", "b.example"))
    assert [line.split()[0] for line in result.stdout.splitlines() if " denied" in line] == [
        "-:1:8:"
    ]


def test_a_code_of_a_policy_raises_the_severity_of_a_finding() -> None:
    result = run_lines("http://a.example\\@b.example/", options=("--allow", "b.example"))
    [finding] = result.stdout.splitlines()
    assert " error syntax: " in finding
    assert finding.endswith("host-with-delimiter, backslash)")


def test_json_output_has_one_object_per_uri() -> None:
    result = run_lines("x:y", "", "http://a./", options=("--format", "json"))
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["line"], row["column"]) for row in rows] == [(1, 1), (3, 1)]
    assert rows[0]["findings"] == []
    assert rows[1]["findings"][0]["code"] == "trailing-dot"
    array = run_lines("x:y", "", "http://a./", options=("--json-array",))
    assert rows == json.loads(array.stdout)
    ended = run_lines("x:y", "", "http://a./", options=("--json", "-z"))
    assert ended.stdout == result.stdout.replace("\n", "\0")


def test_fail_fast_quiet_and_summary(tmp_path: Path) -> None:
    path = tmp_path / "urls"
    path.write_text("http://a./\nx: \nx: \n")
    lines = run("--fail-fast", "--from-files", "lines", str(path)).stdout.splitlines()
    assert {line.removeprefix(str(path)).split(":")[1] for line in lines} == {"1", "2"}
    for form in ("text", "json", "sarif", "github"):
        result = run("--quiet", "--format", form, "--from-files", "lines", str(path))
        assert (result.exit_code, result.output) == (1, "")
    result = run("--summary", "--max-errors", "1", "--from-files", "lines", str(path))
    assert result.stderr == "uriverse-links check: 2 URIs, 1 failed; stopped early\n"


def test_an_unreadable_file_is_reported_and_the_others_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("http://a./")
    result = run("--from-files", "lines", str(tmp_path / "none"), str(tmp_path), str(path))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"uriverse-links check: {tmp_path / 'none'}: No such file or directory",
        f"uriverse-links check: {tmp_path}: Is a directory",
    ]
    assert "trailing-dot" in result.stdout


def test_no_output_shows_a_password(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("http://a:hunter2@b/ \nuser:hunter2 @host\n")
    for form in ("text", "sarif", "github"):
        output = run("--format", form, "--from-files", "lines", str(path)).output
        assert "password" in output
        assert "hunter2" not in output
    assert "hunter2" not in run("http://me:hunter2@b/").stderr


def test_findings_have_colors_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    words = ("check", "--from-files", "lines", "-")
    monkeypatch.setattr("commands.Stream.isatty", lambda self: self.is_terminal)
    colored = run_command(*words, given="http://a./", is_terminal=True).stdout
    assert colored.startswith("-:1:8: \x1b[33mwarning\x1b[0m trailing-dot")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run_command(*words, given="http://a./", is_terminal=True).stdout


def test_input_from_a_terminal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commands.Stream.isatty", lambda _: True)
    result = run("--from-files", "text", "-")
    assert (result.exit_code, "no input; give files" in result.stderr) == (2, True)
