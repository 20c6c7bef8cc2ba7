from pathlib import Path

import pytest
from command_runner import failure, run

from uriverse._cli.output import MisuseError, align_to_lines
from uriverse._cli.texts import redact_command

LINES = b"GET https://me:pw@a/?token=1\r\n\xff https://b/;jsessionid=2/c\n\nno end"
SHOWN = LINES.replace(b"pw", b"REDACTED").replace(b"=1", b"=REDACTED").replace(b"=2", b"=REDACTED")


def test_other_octets_of_a_file_are_kept() -> None:
    Path("app.log").write_bytes(LINES)
    assert run("redact app.log")[:2] == (0, SHOWN)
    named = SHOWN.replace(b"me:", b"REDACTED:")
    assert run("redact --usernames", given=LINES)[:2] == (0, named)
    for given in (b"", b"a\n"):
        assert run("redact", given=given).stdout_bytes == given


def test_a_file_that_cannot_be_read_is_reported_after_the_others() -> None:
    result = run("redact none -", given=b"//a:b@c")
    assert result[:2] == (2, b"//a:REDACTED@c")
    assert "No such file" in result.stderr


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_chunks_are_joined_to_lines(size: int) -> None:
    chunks = [LINES[n : n + size] for n in range(0, len(LINES), size)]
    parts = list(align_to_lines(chunks))
    assert b"".join(parts) == LINES
    assert all(part.endswith(b"\n") for part in parts[:-1])


def test_standard_input_from_a_terminal_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(MisuseError, match="no input"):
        redact_command.run(**(redact_command.parse_words([]) or {}))


TABLE = 'id,url,note\r\n1,http://a/?token=abc,http://u:pw@b/\r\n2\r\n3,"http://u:pw@c/",\r\n'


def test_only_a_field_of_records_is_redacted_on_request() -> None:
    Path("a.csv").write_bytes(TABLE.replace("2\r\n", "").encode())
    shown = TABLE.replace("2\r\n", "").replace("abc", "REDACTED").replace("pw@c", "REDACTED@c")
    assert run("redact --field url a.csv")[:3] == (0, shown.encode(), "")
    given = '{"a": [{"url": "http:\\/\\/u:pw@b\\/"}], "note": "//u:pw@b"}\n{"b": 1}\n'
    shown = given.replace("pw@b\\", "REDACTED@b\\")
    assert run("redact --field a[0].url", given=given).stdout == shown
    message = failure("redact --field url a.csv a.txt")
    assert message.startswith("uriverse redact: --field: unknown format of ")


def test_a_record_without_the_field_is_redacted_as_a_whole_and_reported() -> None:
    result = run("redact --field url", given=TABLE.replace("2\r\n", "http://u:pw@d/\r\n"))
    assert (result.exit_code, b"//u:REDACTED@d/\r\n" in result.stdout_bytes) == (1, True)
    assert result.stderr == "3: the record has 1 of at least 2 fields\n"
    Path("a.jsonl").write_text("{http://u:pw@a/\n")
    message = failure("redact --field url --in-place a.jsonl", status=1)
    assert Path("a.jsonl").read_text() == "{http://u:REDACTED@a/\n"
    assert message.startswith("a.jsonl:1: invalid JSON: ")
