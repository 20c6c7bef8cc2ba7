"""The command `uriverse redact`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import run_uriverse

from uriverse._cli.output import MisuseError
from uriverse._cli.texts import redact_command, whole_lines

LINES = b"GET https://me:pw@a/?token=1\r\n\xff https://b/;jsessionid=2/c\n\nno end"
SHOWN = LINES.replace(b"pw", b"REDACTED").replace(b"=1", b"=REDACTED").replace(b"=2", b"=REDACTED")


def test_other_octets_of_a_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "app.log"
    file.write_bytes(LINES)
    result = run_uriverse(["redact", str(file)])
    assert result.exit_code == 0
    assert result.stdout_bytes == SHOWN


def test_standard_input_is_read_and_user_names_are_replaced_on_request() -> None:
    result = run_uriverse(["redact", "--usernames"], input=LINES)
    assert result.stdout_bytes == SHOWN.replace(b"me:", b"REDACTED:")


def test_a_file_that_cannot_be_read_is_reported_after_the_others(tmp_path: Path) -> None:
    result = run_uriverse(["redact", str(tmp_path / "none"), "-"], input=b"//a:b@c")
    assert result.exit_code == 2
    assert result.stdout_bytes == b"//a:REDACTED@c"
    assert "No such file" in result.stderr


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_chunks_are_joined_to_lines(size: int) -> None:
    chunks = [LINES[n : n + size] for n in range(0, len(LINES), size)]
    parts = list(whole_lines(chunks))
    assert b"".join(parts) == LINES
    assert all(part.endswith(b"\n") for part in parts[:-1])


def test_an_empty_file_and_a_file_that_ends_with_a_line_are_kept() -> None:
    for given in (b"", b"a\n"):
        assert run_uriverse(["redact"], input=given).stdout_bytes == given


def test_standard_input_from_a_terminal_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(MisuseError, match="no input"):
        redact_command.run(**(redact_command.parse([]) or {}))


TABLE = 'id,url,note\r\n1,http://a/?token=abc,http://u:pw@b/\r\n2\r\n3,"http://u:pw@c/",\r\n'


def test_only_a_field_of_records_is_redacted_on_request(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(TABLE.replace("2\r\n", "").encode())
    result = run_uriverse(["redact", "--field", "url", str(file)])
    shown = TABLE.replace("2\r\n", "").replace("abc", "REDACTED").replace("pw@c", "REDACTED@c")
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, shown.encode(), "")
    objects = '{"a": [{"url": "http:\\/\\/u:pw@b\\/"}], "note": "//u:pw@b"}\n{"b": 1}\n'
    shown = objects.replace("pw@b\\", "REDACTED@b\\")
    assert run_uriverse(["redact", "--field", "a[0].url"], input=objects).stdout == shown


def test_a_record_without_the_field_is_redacted_as_a_whole_and_reported(tmp_path: Path) -> None:
    given = TABLE.replace("2\r\n", "http://u:pw@d/\r\n")
    result = run_uriverse(["redact", "--field", "url"], input=given)
    assert result.exit_code == 1
    assert "//u:REDACTED@d/\r\n" in result.stdout_bytes.decode()
    assert result.stderr == "3: the record has 1 of at least 2 fields\n"
    file = tmp_path / "a.jsonl"
    file.write_text("{http://u:pw@a/\n")
    result = run_uriverse(["redact", "--field", "url", "--in-place", str(file)])
    assert (result.exit_code, file.read_text()) == (1, "{http://u:REDACTED@a/\n")
    assert result.stderr.startswith(f"{file}:1: invalid JSON: ")


def test_files_of_an_unknown_format_are_rejected_before_any_output(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("url\n//u:pw@a\n")
    words = ["redact", "--field", "url", str(tmp_path / "a.csv"), str(tmp_path / "a.txt")]
    result = run_uriverse(words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("uriverse redact: --field: unknown format of ")
