import json
import os
from pathlib import Path
from typing import Any

import pytest
from commands import Result, write
from commands import run as run_command

from uriverse_links._cli import baselines


def run(*words: str, kind: str = "documents") -> Result:
    return run_command("check", "--from-files", kind, "--baseline", "baseline.json", *words)


def update(*words: str, kind: str = "documents") -> list[dict[str, Any]]:
    result = run("--update-baseline", *words, kind=kind)
    assert (result.exit_code, result.output) == (0, "")
    found: list[dict[str, Any]] = json.loads(Path("baseline.json").read_bytes())["findings"]
    return found


def test_only_new_findings_are_reported() -> None:
    write("a.md", "<http://a./>\n<http://b./>\n<http://c/[>\n")
    update("a.md")
    assert run("a.md").exit_code == 0
    assert run("a.md").output == ""
    write(
        "a.md", "# new\n\n<http://c/[>\n<http://d./> <http://b./>\n\n<http://a./>\n<http://a./>\n"
    )
    result = run("--fail-on", "warning", "a.md")
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["a.md:4:9:", "a.md:7:9:"]


def test_the_file_is_sorted_and_has_a_line_for_each_kind_of_finding() -> None:
    write("z.md", "<http://a./> <http://a./>\n")
    write("d/a.md", "<http://b./>\n<http://u@\u00e9./>\n")
    assert update(".") == [
        {"file": "d/a.md", "code": "host-past-ascii", "uri": "http://u@é./", "count": 1},
        {"file": "d/a.md", "code": "trailing-dot", "uri": "http://b./", "count": 1},
        {"file": "d/a.md", "code": "trailing-dot", "uri": "http://u@é./", "count": 1},
        {"file": "d/a.md", "code": "userinfo", "uri": "http://u@é./", "count": 1},
        {"file": "z.md", "code": "trailing-dot", "uri": "http://a./", "count": 2},
    ]
    octets = Path("baseline.json").read_bytes()
    lines = octets.decode("ascii").splitlines()
    assert lines[0] == '{"version": 1, "findings": ['
    assert len(lines) == 7
    assert lines[-1] == "]}"
    # The baseline is not a document to check.
    update(".")
    assert Path("baseline.json").read_bytes() == octets


def test_the_file_contains_no_secrets() -> None:
    write("a.md", "<http://me:hunter2@a.example/?token=1234>\n[b](<http://me:hunter2@a b/>)\n")
    update("a.md")
    octets = Path("baseline.json").read_bytes()
    assert b"hunter2" not in octets
    assert b"1234" not in octets
    assert run("a.md").output == ""


def test_files_are_named_relative_to_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    write("d/a.md", "<http://a./>\n")
    [entry] = update("d")
    assert entry["file"] == "d/a.md"
    monkeypatch.chdir("d")
    assert run_command("check", "--baseline", "../baseline.json", "a.md").output == ""
    there = baselines.Baseline("x.json", update=True)
    monkeypatch.setattr(os.path, "relpath", raising_value_error)
    assert there.make_relative(f"a{os.sep}b") == "a/b"


def raising_value_error(*_: object) -> str:
    """Do as `os.path.relpath` on Windows if the paths are on different drives."""
    raise ValueError


def test_an_update_keeps_the_findings_in_files_that_are_not_checked() -> None:
    for name in ("a.md", "b.md", "c.md"):
        write(name, f"<http://{name[0]}./>\n")
    update(".")
    write("a.md", "<http://new./>\n")
    Path("b.md").unlink()
    assert [entry["uri"] for entry in update("a.md")] == ["http://new./", "http://c./"]
    write("c.md", "")
    assert [entry["uri"] for entry in update("a.md", "c.md")] == ["http://new./"]


def test_other_kinds_of_files_have_baselines_too() -> None:
    write("a.txt", "http://a./\n")
    for kind in ("lines", "text"):
        assert len(update("a.txt", kind=kind)) == 1
        assert run("a.txt", kind=kind).output == ""


def test_suppressed_findings_are_not_in_the_baseline() -> None:
    write("a.md", "<http://a./> <!-- uriverse: ignore -->\n")
    assert update("a.md") == []
    assert Path("baseline.json").read_bytes() == b'{"version": 1, "findings": [\n\n]}\n'
    assert run("a.md").output == ""


def test_an_update_reads_all_files_even_if_a_finding_would_stop_the_command() -> None:
    write("a.md", "[a](<b c>)\n[d](<e f>)\n")
    assert len(update("--fail-fast", "a.md")) == 2


def test_a_baseline_is_not_written_if_a_file_cannot_be_read() -> None:
    write("a.md", "<http://a./>\n")
    update("a.md")
    before = Path("baseline.json").read_bytes()
    write("a.md", "<http://b./>\n")
    result = run("--update-baseline", "a.md", "none.md")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "uriverse-links check: none.md: No such file or directory",
        "uriverse-links check: baseline.json stays unchanged, because a file could not be read",
    ]
    assert Path("baseline.json").read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", '{"version": 2, "findings": []}', '{"version": 1}'),
        *('{"version": 1, "findings": [{}]}', '{"version": 1, "findings": [[]]}'),
        '{"version": 1, "findings": [{"file": 1, "code": "a", "uri": "b", "count": 1}]}',
        '{"version": 1, "findings": [{"file": "a", "code": "a", "uri": "b", "count": "1"}]}',
        "[" * 100_000,
    ],
)
def test_another_file_is_not_taken_for_a_baseline(content: str) -> None:
    write("baseline.json", content)
    for words in ((), ("--update-baseline",)):
        result = run(*words, ".")
        assert result.exit_code == 2
        assert result.stderr == (
            "uriverse-links check: baseline.json is not a baseline; delete it, and write one with "
            "--update-baseline\n"
        )
    assert Path("baseline.json").read_text("utf-8") == content


def test_a_missing_baseline_is_an_error() -> None:
    result = run(".")
    assert result.exit_code == 2
    assert (
        "cannot read the baseline baseline.json: No such file or directory; write" in result.stderr
    )


def test_a_baseline_that_cannot_be_written_is_an_error() -> None:
    write("a.md", "<http://a./>\n")
    result = run_command("check", "--baseline", "none/b", "--update-baseline", "a.md")
    assert result.exit_code == 2
    assert result.stderr == "uriverse-links check: none/b: No such file or directory\n"


def test_an_update_needs_a_file() -> None:
    write("a.md", "")
    result = run_command("check", "--update-baseline", "a.md")
    assert result.exit_code == 2
    assert "--update-baseline needs a file; name it with --baseline" in result.stderr
