"""The command `uriverse redact`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import UsageError
from click.testing import CliRunner

from uriverse._cli.commands import uriverse
from uriverse._cli.redacting import redact_command, whole_lines

LINES = b"GET https://me:pw@a/?token=1\r\n\xff https://b/;jsessionid=2/c\n\nno end"
SHOWN = LINES.replace(b"pw", b"REDACTED").replace(b"=1", b"=REDACTED").replace(b"=2", b"=REDACTED")


def test_other_octets_of_a_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "app.log"
    file.write_bytes(LINES)
    result = CliRunner().invoke(uriverse, ["redact", str(file)])
    assert result.exit_code == 0
    assert result.stdout_bytes == SHOWN


def test_standard_input_is_read_and_user_names_are_replaced_on_request() -> None:
    result = CliRunner().invoke(uriverse, ["redact", "--usernames"], input=LINES)
    assert result.stdout_bytes == SHOWN.replace(b"me:", b"REDACTED:")


def test_a_file_that_cannot_be_read_is_reported_after_the_others(tmp_path: Path) -> None:
    result = CliRunner().invoke(uriverse, ["redact", str(tmp_path / "none"), "-"], input=b"//a:b@c")
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
        assert CliRunner().invoke(uriverse, ["redact"], input=given).stdout_bytes == given


def test_standard_input_from_a_terminal_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="no input"):
        redact_command.in_click().main([], "redact", standalone_mode=False)
