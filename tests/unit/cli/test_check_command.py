"""Tests of `uriverse check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import Result, run_uriverse

from uriverse.diagnosis import CODES


def run(*words: str, given: str | None = None) -> Result:
    return run_uriverse(words, input=given)


def described(code: str) -> str:
    """Return the part of an output line that describes a code."""
    known = CODES[code]
    return f"{code}: {known.message}; {known.suggestion} ({known.reference})"


def test_a_finding_is_printed_on_a_line_with_its_position() -> None:
    result = run("check", "http://a.example/", "http://a.example./%2e")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"2:8: warning {described('trailing-dot')}",
        f"2:19: warning {described('encoded-dot')}",
    ]
    assert result.stderr == ""


def test_a_hint_is_printed_if_an_argument_is_the_name_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text("http://a.example/\n", "utf-8")
    result = run("check", "http://a.example/", "urls.txt")
    assert result.exit_code == 0
    assert result.stdout.startswith("2:1: info missing-scheme")
    assert result.stderr == (
        "uriverse check: urls.txt is read as a URI, although there is a file of that name; "
        "to read the URIs in the file, use --from-files lines or text\n"
    )
    assert run("check", "--from-files", "lines", "urls.txt").stderr == ""
    assert run("check", "--quiet", "urls.txt").stderr == ""
    assert run("check", "other.txt").stderr == ""


def test_scheme_rules_apply_to_iris_and_positions_refer_to_the_iri() -> None:
    wrong = {"mailto:no-ät": 13, "urn:é": 5, "urn::é": 5, "tel:12é": 7, "data:xé": 8, "file:é": 6}
    result = run("check", *wrong, "mailto:jörg@example.org", "urn:example:é", "data:,é")
    assert [line.split(" ")[:3] for line in result.stdout.splitlines()] == [
        [f"{line}:{column}:", "error", "scheme-syntax:"]
        for line, column in enumerate(wrong.values(), 1)
    ]
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("text", "fail_on", "status"),
    [
        ("a:b", "info", 0),
        ("a b", "error", 1),
        ("a b", "never", 0),
        ("http://a./", "error", 0),
        ("http://a./", "warning", 1),
        ("http://a./", "info", 1),
        ("http://a./", "never", 0),
    ],
)
def test_fail_on_sets_the_severity_that_makes_the_exit_status_1(
    text: str, fail_on: str, status: int
) -> None:
    assert run("check", "--fail-on", fail_on, text).exit_code == status
    assert run("check", "--fail-on", fail_on, "--format", "json", text).exit_code == status


def test_profile_and_severity_options_are_passed_to_the_library() -> None:
    assert run("check", "--profile", "web", "http://a./").exit_code == 1
    own = ("--severity", "ambiguity=off", "--severity", "trailing-dot=info")
    assert run("check", *own, "http://a./%2e").stdout.startswith("1:8: info trailing-dot")
    assert run("check", "--severity", "syntax=off", "a b", "--fail-on", "error").exit_code == 0
    assert "write syntax=off" in run("check", "--severity", "syntax", "a").stderr
    for wrong in ("x=off", "syntax", "syntax=bad", "=off"):
        result = run("check", "--severity", wrong, "a")
        assert result.exit_code == 2
        assert "--severity: " in result.stderr


def test_a_wrong_type_is_a_syntax_finding() -> None:
    result = run("check", "--type", "uri", "//a/b", "a b", "x:y")
    assert result.exit_code == 1
    errors = [line for line in result.stdout.splitlines() if " error " in line]
    assert [line.partition(";")[0] for line in errors] == [
        "1:1: error syntax: missing scheme: a URI starts with a scheme and a colon",
        "2:2: error syntax: invalid space in path",
    ]


def test_json_output_has_one_object_per_uri() -> None:
    result = run("check", "--format", "json", given="x:y\n\nhttp://a./\n")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["line"] for row in rows] == [1, 2, 3]
    assert [row["column"] for row in rows] == [1, 1, 1]
    assert rows[0]["findings"] == []
    assert rows[2]["findings"][0]["code"] == "trailing-dot"
    assert rows == json.loads(run("check", "--json-array", given="x:y\n\nhttp://a./\n").stdout)


def test_fail_fast_stops_at_the_first_failure_and_quiet_prints_nothing(tmp_path: Path) -> None:
    assert len(run("check", "--fail-fast", "a b", "c d").stdout.splitlines()) == 2
    path = tmp_path / "urls"
    path.write_text("http://a./\nx: \nx: \n")
    lines = run("check", "--fail-fast", "--from-files", "lines", str(path)).stdout.splitlines()
    assert {line.removeprefix(str(path)).split(":")[1] for line in lines} == {"1", "2"}
    for form in ("text", "json"):
        result = run("check", "--quiet", "--format", form, "a b")
        assert (result.exit_code, result.output) == (1, "")


def test_findings_in_files_have_the_file_name_and_line_number(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes("\ufeffhttp://a./\r\n\r\nb c\r\n".encode() + b"\xff")
    lines = run("check", "--from-files", "lines", str(path)).stdout.splitlines()
    assert [line.removeprefix(str(path)).split(" ")[:3] for line in lines] == [
        [":1:8:", "warning", "trailing-dot:"],
        [":3:1:", "info", "missing-scheme:"],
        [":3:2:", "error", "syntax:"],
        [":4:1:", "error", "syntax:"],
        [":4:1:", "info", "missing-scheme:"],
    ]
    assert run("check", "--file", str(path)).stdout.startswith(f"{path}:1:8: warning")


def test_findings_in_running_text_have_their_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(
        "# é\n\nSee [this](http://a.example/%2Fb),\nor <http://a./> or <http://b/>.\n", "utf-8"
    )
    other = tmp_path / "other.md"
    other.write_text("urn:a:b")
    result = run("check", "--from-files", "text", str(path), str(other))
    assert [line.split(" ")[0] for line in result.stdout.splitlines()] == [
        f"{path}:3:29:",
        f"{path}:4:12:",
        f"{other}:1:6:",
    ]
    assert result.exit_code == 1


def test_the_whole_content_of_delimiters_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text('see <http://ex.org/a{b>,\nor "http://ex.org/my page".\n')
    lines = run("check", "--from-files", "text", str(path)).stdout.splitlines()
    found = [line.removeprefix(str(path)).partition(";")[0] for line in lines]
    assert ':1:21: error syntax: invalid character "{" in path' in found
    assert ":2:21: error syntax: invalid space in path" in found


def test_findings_in_a_uri_broken_over_lines_have_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x\n> see <http://a./\n> b/%2e/\n>  %2fc> <http://b.\n/>\n> <http://c.>")
    lines = run("check", "--from-files", "text", str(path)).stdout.splitlines()
    found = [line.removeprefix(str(path)).split(" ")[0] for line in lines]
    assert found == [":2:15:", ":3:5:", ":4:4:", ":4:18:", ":6:11:"]


def test_control_characters_in_file_names_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\n.txt"
    path.write_text("see <http://a./>")
    for kind in ("text", "lines"):
        result = run("check", "--from-files", kind, str(path), f"{path}\x07")
        assert f"{tmp_path}/a\\x1b[31m\\n.txt:1:" in result.stdout
        assert result.stderr == (
            f"uriverse check: {tmp_path}/a\\x1b[31m\\n.txt\\x07: No such file or directory\n"
        )
        assert "\x1b" not in result.output
    [row] = map(
        json.loads, run("check", "--json", "--from-files", "text", str(path)).stdout.splitlines()
    )
    assert row["file"] == str(path)


def test_an_unreadable_file_is_reported_and_the_others_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("http://a./")
    result = run("check", "--from-files", "lines", str(tmp_path / "none"), str(tmp_path), str(path))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"uriverse check: {tmp_path / 'none'}: No such file or directory",
        f"uriverse check: {tmp_path}: Is a directory",
    ]
    assert "trailing-dot" in result.stdout
    assert run("check", "--from-files", "text").exit_code == 2
    assert run("check", "--from-files", "text", "--file", str(path), "x").exit_code == 2


def test_a_wrong_type_has_the_severity_of_syntax() -> None:
    assert run("check", "--type", "uri", "--severity", "syntax=warning", "//a/b").exit_code == 0
    result = run("check", "--type", "uri", "--severity", "syntax=off", "//a/b", "a b")
    assert (result.exit_code, "syntax" in result.stdout) == (0, False)


def test_from_files_reads_standard_input() -> None:
    result = run("check", "--from-files", "text", "-", given="see <http://a./>")
    assert result.stdout.startswith("-:1:13: warning trailing-dot")


def test_fail_fast_continues_after_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x:y\nb c\nd e\n")
    result = run("check", "--fail-fast", "--from-files", "lines", str(tmp_path / "none"), str(path))
    assert result.exit_code == 2
    assert f"{path}:2:" in result.stdout
    assert f"{path}:3:" not in result.stdout


def test_lines_with_invalid_utf_8_have_findings(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"http://caf\xe9@example.org/\nhttp://ok.\n")
    result = run("check", "--file", str(path))
    assert result.exit_code == 1
    assert f"{path}:2:8: warning trailing-dot" in result.stdout


def test_no_finding_shows_a_password() -> None:
    output = run("check", "http://a:hunter2@b/ ").output
    assert "password" in output
    assert "hunter2" not in output


def test_normalize_and_compare_apply_scheme_rules_on_request() -> None:
    assert run("normalize", "--scheme", "http://A:80").stdout == "http://a/\n"
    assert run("normalize", "http://A:80").stdout == "http://a:80\n"
    changes = json.loads(run("normalize", "--scheme", "--changes", "http://a:80/").stdout)
    assert changes["result"] == [
        {"step": "scheme", "component": "port", "before": "80", "after": None}
    ]
    assert run("compare", "--level", "scheme", "http://a", "http://a:80/").exit_code == 0
