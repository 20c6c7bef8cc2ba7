"""Commands edit the URIs in files, and nothing else: in place, as a diff, in lines or in fields."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from amounts import scaled
from command_runner import Result, run_uriverse
from platforms import unix

from uriverse import parse
from uriverse._cli.output import AT_ONCE

COMMAND = [sys.executable, "-m", "uriverse"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str, given: bytes | str = "") -> Result:
    return run_uriverse(words, input=given)


def edited(name: str, content: bytes, *words: str) -> bytes:
    """Write a file, edit it in place with a command that must succeed, and return its content."""
    Path(name).write_bytes(content)
    result = run(*words, "--file", name, "--in-place")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert names() == [name]
    changed = Path(name).read_bytes()
    Path(name).unlink()
    return changed


def names() -> list[str]:
    """Return the names of all files in the current folder."""
    return sorted(path.name for path in Path().iterdir())


# --- lines


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"HTTP://a/%7e\nb\n", b"http://a/~\nb\n"),
        (b"HTTP://a\r\n\r\nHTTP://b\n", b"http://a\r\n\r\nhttp://b\n"),
        (b"\xef\xbb\xbfHTTP://a\n\nHTTP://b", b"\xef\xbb\xbfhttp://a\n\nhttp://b"),
        (b"", b""),
        (b"\n", b"\n"),
    ],
)
def test_a_file_of_lines_keeps_line_ends_empty_lines_and_the_byte_order_mark(
    before: bytes, after: bytes
) -> None:
    assert edited("urls.txt", before, "normalize") == after


def test_empty_lines_are_not_edited() -> None:
    assert edited("a", b"\nb\n", "resolve", "http://a/") == b"\nhttp://a/b\n"


def test_lines_may_end_with_nul() -> None:
    assert edited("a", b"A:b\0C:\n\0", "decode", "-z") == b"A:b\0C:\n\0"
    assert edited("a", b"A:b\0C:d", "normalize", "-z") == b"a:b\0c:d"


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["set", "--query-drop", "utm_*"], b"http://a/?utm_a=1&b=2", b"http://a/?b=2"),
        (["resolve", "http://a/b/"], b"c", b"http://a/b/c"),
        (["relativize", "http://a/b/"], b"http://a/b/c", b"c"),
        (["repair"], b"http://a/ b", b"http://a/%20b"),
        (["encode"], b"a b", b"a%20b"),
        (["decode"], b"a%20b", b"a b"),
        (["to-uri"], "http://a/é".encode(), b"http://a/%C3%A9"),
        (["to-iri"], b"http://a/%C3%A9", "http://a/é".encode()),
    ],
)
def test_every_command_that_edits_strings_edits_files(
    words: list[str], before: bytes, after: bytes
) -> None:
    assert edited("a.txt", before, *words) == after
    assert edited("a.csv", b"x,y\n1," + before, *words, "--field", "y") == b"x,y\n1," + after


def test_invalid_lines_stay_unchanged_and_are_reported_with_the_file_and_the_line() -> None:
    Path("a.txt").write_text("HTTP://a/\nb c\n")
    Path("b.txt").write_text("d e\nHTTP://b/\n")
    words = ["normalize", "--file", "a.txt", "--file", "b.txt"]
    result = run(*words, "--in-place")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "a.txt:2: invalid space in path" in result.stderr
    assert "b.txt:1: invalid space in path" in result.stderr
    assert result.stderr.endswith("\nuriverse normalize: 4 URIs, 2 changed, 2 invalid\n")
    assert Path("a.txt").read_text() == "http://a/\nb c\n"
    assert Path("b.txt").read_text() == "d e\nhttp://b/\n"


@pytest.mark.parametrize("limit", [["--fail-fast"], ["--max-errors", "1"]])
def test_a_file_with_too_many_invalid_lines_stays_unchanged(limit: list[str]) -> None:
    Path("a.txt").write_text("HTTP://a/\n")
    Path("b.txt").write_text("HTTP://b/\nc d\n")
    Path("c.txt").write_text("HTTP://c/\n")
    files = ["--file", "a.txt", "--file", "b.txt", "--file", "c.txt"]
    result = run("normalize", *files, "--in-place", "--summary", *limit)
    assert result.exit_code == 1
    kept = "uriverse normalize: b.txt: too many invalid strings; the file stays unchanged\n"
    assert kept in result.stderr
    assert result.stderr.endswith("3 URIs, 1 changed, 1 invalid; stopped early\n")
    assert [Path(f"{name}.txt").read_text() for name in "abc"] == [
        "http://a/\n",
        "HTTP://b/\nc d\n",
        "HTTP://c/\n",
    ]
    assert names() == ["a.txt", "b.txt", "c.txt"]


def test_a_result_with_the_end_of_a_line_is_an_error() -> None:
    Path("a").write_text("b%0Ac\nd%0D\n")
    result = run("decode", "--file", "a", "--in-place")
    assert result.exit_code == 1
    assert result.stderr.startswith("a:1: the result contains the end of a line")
    assert Path("a").read_text() == "b%0Ac\nd%0D\n"


# --- files


def test_the_mode_of_the_file_is_kept() -> None:
    Path("a").write_text("A:b")
    Path("a").chmod(0o640)
    run("normalize", "--file", "a", "--in-place", "--backup", "~")
    assert Path("a").read_text() == "a:b"
    assert Path("a~").read_text() == "A:b"
    modes = [stat.S_IMODE(Path(name).stat().st_mode) for name in ("a", "a~")]
    assert modes == [0o640] * 2 or os.name == "nt"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_root_keeps_the_owner_and_the_mode_of_a_file_and_of_its_backup() -> None:
    Path("a").write_text("A:b")
    os.chown("a", 12_345, 23_456)
    Path("a").chmod(0o4640)  # a change of the owner resets the first bit
    run("normalize", "--file", "a", "--in-place", "--backup", "~")
    assert Path("a").read_text() == "a:b"
    for name in ("a", "a~"):
        status = Path(name).stat()
        assert (status.st_uid, status.st_gid) == (12_345, 23_456)
        assert stat.S_IMODE(status.st_mode) == 0o4640


def test_a_file_is_replaced_on_a_system_without_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fchown", raising=False)
    Path("a").write_text("A:b")
    run("normalize", "--file", "a", "--in-place")
    assert Path("a").read_text() == "a:b"


def test_a_file_without_changes_is_not_touched_and_has_no_backup() -> None:
    Path("a").write_text("a:b\n")
    before = Path("a").stat()
    result = run("normalize", "--file", "a", "--in-place", "--backup", ".bak", "--summary")
    assert result.stderr == "uriverse normalize: 1 URI, 0 changed, 0 invalid\n"
    after = Path("a").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert names() == ["a"]


@unix
def test_a_symbolic_link_is_kept_and_its_target_edited() -> None:
    Path("folder").mkdir()
    Path("folder/a").write_text("A:b")
    Path("link").symlink_to("folder/a")
    run("normalize", "--file", "link", "--in-place")
    assert Path("link").is_symlink()
    assert Path("folder/a").read_text() == "a:b"
    assert [path.name for path in Path("folder").iterdir()] == ["a"]


@unix
def test_a_file_that_cannot_be_replaced_is_an_error_and_the_others_are_edited() -> None:
    os.mkfifo("pipe")
    Path("a").write_text("A:b")
    files = [word for name in ("none", "pipe", ".", "a") for word in ("--file", name)]
    result = run("normalize", *files, "--in-place")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "uriverse normalize: none: No such file or directory",
        "uriverse normalize: pipe: not a regular file",
        "uriverse normalize: .: not a regular file",
    ]
    assert Path("a").read_text() == "a:b"


@unix
@pytest.mark.parametrize("backup", [[], ["--backup", ".bak"]])
def test_a_full_disk_leaves_the_file_unchanged(backup: list[str]) -> None:
    content = "HTTP://a/\n" * 40_000
    Path("a").write_text(content)
    words = [*COMMAND, "normalize", "--file", "a", "--in-place", *backup]
    # A limit on the size of files has the same effect as a full disk, also for a file of coverage.
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("COV")}
    result = subprocess.run(
        ["bash", "-c", 'ulimit -f 100; exec "$@"', "-", *words],
        env=environment,
        capture_output=True,
        check=False,
        text=True,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "uriverse normalize: a: File too large\n"
    assert Path("a").read_text() == content
    assert names() == ["a"]


@unix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_leaves_the_file_unchanged(name: str) -> None:
    content = "HTTP://a/\n" * (AT_ONCE // 10)
    Path("a").write_text(content)
    # The program sends the signal to itself while it writes the temporary file.
    program = (
        "import os, signal, sys, uriverse._cli as cli, uriverse._cli.rewriting as rewriting\n"
        "edited = rewriting.edited\n"
        "def stop(*words):\n"
        "    assert len(os.listdir()) == 2, os.listdir()\n"
        f"    signal.raise_signal(signal.{name})\n"
        "    return edited(*words)\n"
        "rewriting.edited = stop\n"
        "cli.main()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, "normalize", "--file", "a", "--in-place"],
        capture_output=True,
        check=False,
        text=True,
    )
    number = getattr(signal, name)
    assert (result.returncode, result.stdout, result.stderr.strip()) == (128 + number, "", "")
    assert Path("a").read_text() == content
    assert names() == ["a"]


# --- diffs


@unix
def test_a_dry_run_prints_a_diff_that_patch_applies() -> None:
    random = Random(35)
    for _ in range(scaled(40)):
        lines = random.choices(["HTTP://A/", "b", "", "c d", "x/%7e"], k=random.randrange(40))
        content = "\n".join(lines)
        Path("a").write_text(content)
        diff = run("normalize", "--quiet", "--file", "a", "--dry-run").stdout
        assert Path("a").read_text() == content
        run("normalize", "--quiet", "--file", "a", "--in-place")
        changed = Path("a").read_text()
        assert bool(diff) == (changed != content)
        assert patched(content, diff) == changed


def patched(content: str, diff: str) -> str:
    """Apply a unified diff to the content of a file, and check its context and its numbers."""
    old = content.splitlines(keepends=True)
    new: list[str] = []
    done = 0
    lines = diff.splitlines(keepends=True)
    for number, line in enumerate(lines[2:], 2):
        text = line[1:]
        if lines[number + 1 : number + 2] == ["\\ No newline at end of file\n"]:
            text = text.removesuffix("\n")
        if line.startswith("@@"):
            _, before, after, _ = line.split()
            start = int(before[1:].split(",")[0]) - 1
            new += old[done:start]
            done = start
            assert int(after[1:].split(",")[0]) - 1 == len(new)
        elif line[0] in " -":
            assert old[done] == text
            done += 1
        if line[0] in " +":
            new.append(text)
    return "".join(new + old[done:])


def test_a_diff_has_three_lines_of_context_and_groups_neighboring_changes() -> None:
    lines = [*"abcdefghij", "K:1", "L:2", *"mno", "P:3", *"qrstuvwxyz", "A:4"]
    Path("a").write_text("\n".join(lines))
    assert run("normalize", "--file", "a", "--dry-run").stdout == (
        "--- a\n+++ a\n"
        "@@ -8,12 +8,12 @@\n h\n i\n j\n-K:1\n-L:2\n+k:1\n+l:2\n m\n n\n o\n-P:3\n+p:3\n"
        " q\n r\n s\n"
        "@@ -24,4 +24,4 @@\n x\n y\n z\n"
        "-A:4\n\\ No newline at end of file\n+a:4\n\\ No newline at end of file\n"
    )


# --- fields


@pytest.mark.parametrize(
    ("field", "before", "after"),
    [
        (
            "url",
            b'id,url\r\n1,HTTP://a/\r\n"2","HTTP://b/"',
            b'id,url\r\n1,http://a/\r\n"2","http://b/"',
        ),
        ("url", b'"url","a ""b"""\nA:b,"x\ny"\n', b'"url","a ""b"""\na:b,"x\ny"\n'),
        ("2", b'x,A:b,"c"\n', b'x,a:b,"c"\n'),
        ("url", b"\xef\xbb\xbfurl\nA:b\n\n", b"\xef\xbb\xbfurl\na:b\n\n"),
        ("1", b'\xef\xbb\xbf"A:b"\n', b'\xef\xbb\xbf"a:b"\n'),
        ("url", b'a,url\n1,\n2,""\n', b'a,url\n1,\n2,""\n'),
        ("url", b'a,url\nx"y,A:b\n', b'a,url\nx"y,a:b\n'),
        ("a,b", b'"a,b",c\nA:b,d\n', b'"a,b",c\na:b,d\n'),
        ("é", "é,c\nA:b,ü\n".encode(), "é,c\na:b,ü\n".encode()),
        ("2", b"\xff,A:b\n", b"\xff,a:b\n"),
    ],
)
def test_a_field_of_a_csv_file_is_edited_and_all_other_characters_stay(
    field: str, before: bytes, after: bytes
) -> None:
    assert edited("a.csv", before, "normalize", "--field", field) == after
    tabs = [content.replace(b",", b"\t") for content in (before, after)]
    name = field.replace(",", "\t")
    assert edited("a.tsv", tabs[0], "normalize", "--field", name) == tabs[1]


def test_a_result_that_needs_quotation_marks_is_quoted() -> None:
    words = ["decode", "--field", "1"]
    assert edited("a.csv", b"%2C,b\n%22%0A,%2C\n", *words) == b'",",b\n"""\n",%2C\n'
    assert edited("a.tsv", b"%2C\t%09\n%09\tb\n", *words) == b',\t%09\n"\t"\tb\n'


def test_edited_csv_files_have_the_same_other_values() -> None:
    random = Random(4180)
    characters = ["a", "é", ",", '"', "\n", "\r\n", " ", "\t", "#"]
    for _ in range(scaled(100)):
        rows = [
            ["".join(random.choices(characters, k=random.randrange(5))) for _ in range(4)]
            for _ in range(random.randrange(1, 6))
        ]
        index = random.randrange(4)
        for row in rows:
            row[index] = random.choice(["HTTP://A/%7e", "b?c=1,2", "", "'"])
        quoting: Any = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
        ending = random.choice(["\n", "\r\n"])
        with Path("a.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=quoting, lineterminator=ending).writerows(rows)
        assert (
            run("normalize", "--file", "a.csv", "--field", str(index + 1), "--in-place").exit_code
            == 0
        )
        for row in rows:
            row[index] = str(parse(row[index]).normalize())
        with Path("a.csv").open(encoding="utf-8", newline="") as file:
            assert list(csv.reader(file)) == rows
        with Path("b.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=quoting, lineterminator=ending).writerows(rows)
        assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"url":"A:b"}\n', b'{"url":"a:b"}\n'),
        (
            b'{ "id" : 1e2, "url":\t"A:b" , "x":{"url":"A:b"}}\r\n',
            b'{ "id" : 1e2, "url":\t"a:b" , "x":{"url":"A:b"}}\r\n',
        ),
        (b'{"\\u0075rl":"A:b"}', b'{"\\u0075rl":"a:b"}'),
        (b'{"url":"HTTP:\\/\\/a\\/"}', b'{"url":"http:\\/\\/a\\/"}'),
        (b'{"url":"A:\\u00e9"}', b'{"url":"a:\\u00e9"}'),
        ('{"url":"A:é","ü":1}'.encode(), '{"url":"a:é","ü":1}'.encode()),
        (b'{"url":"a:\\u00e9"}', b'{"url":"a:\\u00e9"}'),
        (b'{"url":null}\n\n{}\n{"url":""}\n{"a":[]}', b'{"url":null}\n\n{}\n{"url":""}\n{"a":[]}'),
        (b'\xef\xbb\xbf{"url":"A:b"}', b'\xef\xbb\xbf{"url":"a:b"}'),
        (b'{"a":"\xff","url":"A:b"}', b'{"a":"\xff","url":"a:b"}'),
    ],
)
def test_a_field_of_a_json_lines_file_is_edited_and_all_other_characters_stay(
    before: bytes, after: bytes
) -> None:
    for name in ("a.jsonl", "a.NDJSON"):
        assert edited(name, before, "normalize", "--field", "url") == after


@pytest.mark.parametrize(
    ("field", "before", "after"),
    [
        ("a.b", '{"b":"A:b","a":{"b":"A:b","c":"A:b"}}', '{"b":"A:b","a":{"b":"a:b","c":"A:b"}}'),
        ("a[1]", '{"a":["A:b", "A:b" ,"A:b"]}', '{"a":["A:b", "a:b" ,"A:b"]}'),
        ("a[0].b", '{"a":[ {"b":"A:b"},{"b":"A:b"}]}', '{"a":[ {"b":"a:b"},{"b":"A:b"}]}'),
        ("a[0][1].b.c", '{"a":[[1,{"b":{"c":"A:b"}}]]}', '{"a":[[1,{"b":{"c":"a:b"}}]]}'),
        ('"a.b"', '{"a.b":"A:b","a":{"b":"A:b"}}', '{"a.b":"a:b","a":{"b":"A:b"}}'),
        ('a."\\u0062[0]"', '{"a":{"b[0]":"A:b"}}', '{"a":{"b[0]":"a:b"}}'),
        ("a b-c.é", '{"a b-c":{"é":"A:b"}}', '{"a b-c":{"é":"a:b"}}'),
        ("a.b", '{"a":{"b":null}}', '{"a":{"b":null}}'),
    ],
)
def test_a_nested_field_of_a_json_lines_file_is_edited(field: str, before: str, after: str) -> None:
    result = edited("a.jsonl", f"{before}\n".encode(), "normalize", "--field", field)
    assert result.decode() == f"{after}\n"


@pytest.mark.parametrize(
    "field", ["", ".a", "a.", "a..b", "[0]", "a[x]", "a[-1]", '"a', 'a"b"', '"\\x"']
)
def test_an_invalid_path_of_a_field_is_a_usage_error(field: str) -> None:
    Path("a.jsonl").write_text('{"a":"A:b"}\n')
    result = run("normalize", "--file", "a.jsonl", "--field", field)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"uriverse normalize: --field: invalid path {field!r}; ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("field", "before", "after"),
    [
        ("url", b'{"url":"A:b"}\n{"url":"A:c"}\n', b'{"url":"a:b"}\n{"url":"a:c"}\n'),
        ("a.url", b'\xef\xbb\xbf {"a":{"url":"A:b"}}', b'\xef\xbb\xbf {"a":{"url":"a:b"}}'),
        ("url", b"id,url\n1,A:b\n", b"id,url\n1,a:b\n"),
        ("url", b"id\turl\n1\tA:b,c\n", b"id\turl\n1\ta:b,c\n"),
        ("2", b"1,A:b\n", b"1,a:b\n"),
        ("1", b"A:b\n", b"a:b\n"),
        ("1", b"", b""),
        ("url", b"", b""),
        ("url", b"\xef\xbb\xbf\r\n\n", b"\xef\xbb\xbf\r\n\n"),
        ("url", b' \n\n{"url":"A:b"}\n', b' \n\n{"url":"a:b"}\n'),
        ("url", b"\nurl\nA:b\n", b"\nurl\na:b\n"),
        ("[url]", b"[url]\nA:b\n", b"[url]\na:b\n"),
    ],
)
def test_a_field_of_standard_input_is_edited_in_the_format_of_its_first_line(
    field: str, before: bytes, after: bytes
) -> None:
    for words in ([], ["--file", "-"]):
        result = run("normalize", "--field", field, *words, given=before)
        assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, after, "")


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("a.b", '{"a":[{"b":"A:b"}]}'),
        ("a[0]", '{"a":{"0":"A:b"}}'),
        ("a[9]", '{"a":["A:b"]}'),
        ("a[0]", '{"a":[]}'),
        ("a.b", '{"a":"A:b"}'),
    ],
)
def test_an_object_without_a_nested_field_stays_unchanged(field: str, line: str) -> None:
    result = run("normalize", "--field", field, given=f"{line}\n")
    assert (result.exit_code, result.stdout) == (1, f"{line}\n")
    assert result.stderr.startswith(f"1: no object has the field {field!r}; ")


def test_empty_lines_before_the_first_one_may_arrive_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriverse._cli.output.AT_ONCE", 2)
    result = run("normalize", "--field", "url", given='\n\n\n{"url":"A:b"}\n')
    assert (result.exit_code, result.stdout) == (0, '\n\n\n{"url":"a:b"}\n')


@pytest.mark.parametrize("start", ['[{"url":"A:b"}]', "[", ' [ "A:b"]', "\ufeff[[", "[]"])
def test_a_json_array_in_standard_input_is_an_error(start: str) -> None:
    result = run("normalize", "--field", "url", given=f"\n{start}\n")
    assert result.exit_code == 2
    assert result.stderr == (
        "uriverse normalize: -:2: a JSON array is not read; write one JSON object per line\n"
    )


def test_a_field_that_no_object_of_a_json_lines_file_has_is_reported() -> None:
    line = '{"links":[{"url":"A:b"}]}\n'
    Path("a.jsonl").write_text(line * 2)
    result = run("normalize", "--file", "a.jsonl", "--field", "links.0.url", "--in-place")
    assert (result.exit_code, result.stdout, Path("a.jsonl").read_text()) == (1, "", line * 2)
    assert result.stderr == (
        "a.jsonl:1: no object has the field 'links.0.url'; "
        "write names and indices, as in a.b[0].c\n"
    )
    for other in ("", "{", '{"links":null}\n'):
        Path("a.jsonl").write_text(line * bool(other) + other)
        result = run("normalize", "--file", "a.jsonl", "--field", "links", "--in-place")
        assert "no object has" not in result.stderr


def test_an_error_in_a_record_of_standard_input_has_its_line() -> None:
    result = run("normalize", "--field", "url", given='{"url":"a:b"}\n{"url":"a b"}\n')
    assert (result.exit_code, result.stdout) == (1, '{"url":"a:b"}\n{"url":"a b"}\n')
    assert result.stderr.startswith("2: invalid space in path ")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", '{"url":"A:b"}\n{"url":"%s"}\n', "2: the line is longer than 131,072 octets"),
        ("a.csv", "url\nA:b\n%s\n", "3: the line is longer than 131,072 octets"),
        (
            "a.csv",
            'url\nA:b\n"%s\n%s\n',
            "3: a quoted field has no end, or is longer than 131,072 octets",
        ),
    ],
)
def test_a_record_that_is_too_long_is_rejected_and_the_file_stays_unchanged(
    name: str, content: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uriverse._cli.records.LONGEST", 1 << 17)
    long = "b" * (1 << 18 if content.count("%s") == 1 else 1 << 16)
    before = content.replace("%s", long)
    Path(name).write_text(before)
    result = run("normalize", "--file", name, "--field", "url", "--in-place")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"uriverse normalize: {name}:{reason}\n"
    assert Path(name).read_text() == before
    assert names() == [name]


def test_edited_json_lines_files_have_the_same_other_values() -> None:
    random = Random(8259)
    values = [None, True, 1.5, "", 'a\n"é\\', [1, {"url": "A:b"}], {"url": "A:b", "x": {}}]
    for _ in range(scaled(100)):
        rows: list[dict[str, Any]] = []
        for _ in range(random.randrange(1, 6)):
            row: dict[str, Any] = {
                each: random.choice(values) for each in random.sample("abcdé", 3)
            }
            row["url"] = random.choice(["HTTP://A/%7e", "b?c=1,2", "A:ü", "", None])
            names_in_order = random.sample(list(row), k=len(row))
            rows.append({name: row[name] for name in names_in_order})
        style: dict[str, Any] = {
            "ensure_ascii": random.choice([True, False]),
            "separators": random.choice([(",", ":"), (", ", ": "), (" ,\t", " :  ")]),
        }
        before = "".join(f"{json.dumps(row, **style)}\n" for row in rows)
        for row in rows:
            row["url"] = row["url"] and str(parse(row["url"]).normalize())
        after = "".join(f"{json.dumps(row, **style)}\n" for row in rows)
        words = ["normalize", "--field", "url"]
        assert edited("a.jsonl", before.encode(), *words) == after.encode()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"url":1}', "the value of 'url' is not a string"),
        ('{"url":"A:b","url":"A:c"}', "several fields 'url'"),
        ("[1]", "invalid JSON: expected an object"),
        ('{"url":"A:b"', 'invalid JSON: expected ","'),
        ('{"url":"A:b"} x', "invalid JSON: characters follow the object"),
        ('{"url" "A:b"}', 'invalid JSON: expected ":"'),
        ('{url:"A:b"}', "invalid JSON: expected a name in double quotation marks"),
        ('{"url":}', "invalid JSON: Expecting value"),
        ('{"a":' + "[" * 100_000, "invalid JSON: too many nested values"),
        ('{"a":' + "1" * 100_000 + "}", "invalid JSON: too many digits in a number"),
    ],
)
def test_a_line_without_one_string_in_the_field_stays_unchanged_and_is_reported(
    line: str, reason: str
) -> None:
    Path("a.jsonl").write_text(f'{{"url":"A:b"}}\n{line}\n')
    result = run("normalize", "--file", "a.jsonl", "--field", "url", "--in-place")
    assert result.exit_code == 1
    assert result.stderr == f"a.jsonl:2: {reason}\n"
    assert Path("a.jsonl").read_text() == f'{{"url":"a:b"}}\n{line}\n'


def test_a_field_is_edited_to_standard_output_without_an_option_to_write() -> None:
    Path("a.csv").write_text("url\nA:b\n")
    Path("b.jsonl").write_text('{"url":"C:d"}\n')
    result = run("normalize", "--file", "a.csv", "--file", "b.jsonl", "--field", "url")
    assert (result.exit_code, result.stdout) == (0, 'url\na:b\n{"url":"c:d"}\n')
    assert Path("a.csv").read_text() == "url\nA:b\n"


def test_a_record_with_too_few_fields_is_reported() -> None:
    Path("a.csv").write_text("x,url\n1\n2,A:b\n")
    result = run("normalize", "--file", "a.csv", "--field", "url")
    assert (result.exit_code, result.stdout) == (1, "x,url\n1\n2,a:b\n")
    assert result.stderr == "a.csv:2: the record has 1 of at least 2 fields\n"


@pytest.mark.parametrize(
    ("field", "content", "reason"),
    [
        ("url", 'url\nA:b\n"c\nd\n', "a.csv:3: a quoted field has no end"),
        ("url", 'url\nA:b\n"c"d\n', "a.csv:3: characters follow a quoted field"),
        ("x", "url,y\nA:b,c\n", "a.csv:1: no field 'x'; the fields are 'url', 'y'"),
        ("x", "", "a.csv:1: no field 'x'; the file is empty"),
        ("y", "x,y,y\n", "a.csv:1: several fields 'y'; use a number: 2 or 3"),
    ],
)
def test_a_file_whose_fields_cannot_be_found_stays_unchanged(
    field: str, content: str, reason: str
) -> None:
    Path("a.csv").write_text(content)
    Path("b.csv").write_text("x,y,url\n1,2,A:b\n")
    result = run("normalize", "--file", "a.csv", "--field", field, "--in-place")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"uriverse normalize: {reason}\n"
    assert Path("a.csv").read_text() == content
    assert names() == ["a.csv", "b.csv"]


def test_records_may_arrive_in_parts_and_have_any_length() -> None:
    long = "b" * AT_ONCE
    content = f'url,x\nA:{long},"{long}\n{long}"\nA:c,d\n'
    assert (
        edited("a.csv", content.encode(), "normalize", "--field", "url")
        == content.replace("A:", "a:").encode()
    )
    content = f'{{"x": "{long}", "url": "A:{long}"}}\n{{"url": "A:b"}}'
    assert (
        edited("a.jsonl", content.encode(), "normalize", "--field", "url")
        == content.replace("A:", "a:").encode()
    )


# --- misuse


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--in-place"], "--in-place edits files; name them with --file"),
        (["--dry-run", "a:b"], "--dry-run edits files; name them with --file"),
        (
            ["--field", "url", "a:b"],
            "--field edits files; name them with --file, or write --file -",
        ),
        (
            ["--field", "url", "--file", "-", "--in-place"],
            "--in-place edits files; name them with --file",
        ),
        (
            ["--in-place", "--file", "a", "b:c"],
            "both arguments and --file are given; give URIs or a file",
        ),
        (
            ["--in-place", "--dry-run", "--file", "a"],
            "--in-place contradicts --dry-run; use one of them",
        ),
        (["--backup", "~", "--file", "a"], "--backup needs --in-place; add --in-place"),
        (
            ["--backup", "", "--in-place", "--file", "a"],
            "--backup needs the end of a file name; write --backup .bak",
        ),
        (
            ["--backup", "/x", "--in-place", "--file", "a"],
            "--backup needs the end of a file name; write --backup .bak",
        ),
        (
            ["--json", "--in-place", "--file", "a"],
            "edited files are not JSON output; remove --json or --changes",
        ),
        (
            ["--changes", "--dry-run", "--file", "a"],
            "edited files are not JSON output; remove --json or --changes",
        ),
        (["-z", "--field", "1", "--file", "a.csv"], "--field contradicts -z; use one of them"),
        (["--field", "0", "--file", "a.csv"], "the fields of --field count from 1; use --field 1"),
        (
            ["--field", "1", "--file", "a"],
            (
                "--field: unknown format of 'a'; rename the file, so that it ends with .csv, .tsv, "
                ".jsonl or .ndjson"
            ),
        ),
    ],
)
def test_options_that_cannot_be_used_together_are_usage_errors(
    words: list[str], message: str
) -> None:
    result = run("normalize", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"uriverse normalize: {message}\n"


def test_set_prints_several_results_only_to_standard_output() -> None:
    result = run("set", "--iterate", "port=1,2", "--file", "a", "--in-place")
    assert result.exit_code == 2
    assert "--iterate prints several results, so it cannot edit files" in result.stderr


# --- redact


def test_redact_edits_files_in_place_and_as_a_diff() -> None:
    before, after = b"a\r\nhttps://u:pw@a/ \xff", b"a\r\nhttps://u:REDACTED@a/ \xff"
    Path("log").write_bytes(before)
    result = run_uriverse(["redact", "--dry-run", "log"])
    assert result.stdout_bytes == (
        b"--- log\n+++ log\n@@ -1,2 +1,2 @@\n a\r\n-%s\n\\ No newline at end of file\n"
        b"+%s\n\\ No newline at end of file\n" % (before[3:], after[3:])
    )
    assert run("redact", "--in-place", "--backup", ".1", "log").exit_code == 0
    assert (Path("log").read_bytes(), Path("log.1").read_bytes()) == (after, before)
    missing = run("redact", "--in-place", "none", "log")
    assert (missing.exit_code, missing.stderr) == (
        2,
        "uriverse redact: none: No such file or directory\n",
    )
    nothing = run("redact", "--in-place")
    assert nothing.stderr == "uriverse redact: --in-place edits files; give them as arguments\n"


# --- input and output


def test_nul_separates_input_and_output() -> None:
    result = run("normalize", "-z", given="A:b\0C:d\0")
    assert result.stdout == "a:b\0c:d\0"
    assert run("decode", "-z", "a%0Ab", "c").stdout == "a\nb\0c\0"
    assert run("get", "host", "-z", given="http://a/\n\0http://b/").stderr.startswith("1: invalid")
    assert run("set", "-z", "--iterate", "port=1,2", "//a").stdout == "//a:1\0//a:2\0"


def test_get_escapes_tabs_line_breaks_and_backslashes_in_fields() -> None:
    result = run("get", "decoded:path,host", "http://a/b%09c%0A%0D%5C", "http://a/é")
    assert result.stdout == "/b\\tc\\n\\r\\\\\ta\n/é\ta\n"
    assert run("get", "-g", "{path}", "/b%09").stdout == "/b\t\n"


def test_invalid_strings_are_printed_unchanged_on_request() -> None:
    result = run("normalize", "--keep-invalid", given="A:b\nc d\nE:f\n")
    assert (result.exit_code, result.stdout) == (1, "a:b\nc d\ne:f\n")
    assert result.stderr.startswith("2: invalid space")
    assert run("normalize", "--keep-invalid", "--json", "a").stderr == (
        "uriverse normalize: --keep-invalid contradicts --json; use one of them\n"
    )


def test_errors_in_files_have_the_name_of_the_file() -> None:
    Path("a").write_text("b\nc d\n")
    Path("b").write_text("e f\n")
    words = ["--file", "a", "--file", "b"]
    result = run("get", "path", *words)
    assert result.stdout == "b\n"
    assert [line for line in result.stderr.splitlines() if "invalid space" in line] == [
        "a:2: invalid space in path (ipath-noscheme, position 1)",
        "b:1: invalid space in path (ipath-noscheme, position 1)",
    ]
    errors = [
        json.loads(line)["error"]
        for line in run("get", "path", "--json", *words).stdout.splitlines()
    ]
    places = [(error["file"], error["line"]) for error in errors if error]
    assert places == [("a", 2), ("b", 1)]
    assert "\na:2:2: error syntax" in run("check", *words).stdout
    assert run("get", "path", "--file", "none", *words[:2]).exit_code == 2


def test_a_summary_is_printed_after_several_errors_or_on_request() -> None:
    several = run("normalize", given="a b\nc\nd e\n")
    assert several.stderr.splitlines()[-1] == "uriverse normalize: 3 URIs, 2 invalid"
    assert "URIs," not in run("normalize", given="a b\nc\n").stderr
    assert "URIs," not in run("normalize", "--json", given="a b\nc d\n").stderr
    assert run("normalize", "--quiet", given="a b\nc d\n").stderr == ""
    assert run("normalize", "--summary", "a").stderr == "uriverse normalize: 1 URI, 0 invalid\n"
    resolved = run("resolve", "--summary", "a:", "b", "c")
    assert resolved.stderr == "uriverse resolve: 2 references, 0 invalid\n"
    checked = run("check", "--summary", "a b", "c")
    assert checked.stderr == "uriverse check: 2 URIs, 1 failed\n"
    Path("p.toml").write_text('allow = ["a.example"]\n')
    tested = run("policy", "test", "p.toml", "--summary", "https://b.example/")
    assert tested.stderr == "uriverse policy: 1 URI, 1 rejected\n"


def test_a_command_stops_at_the_number_of_errors() -> None:
    result = run("normalize", "--max-errors", "2", given="a b\nA:b\nc d\nC:d\n")
    assert (result.exit_code, result.stdout) == (1, "a:b\n")
    assert result.stderr.endswith("uriverse normalize: 3 URIs, 2 invalid; stopped early\n")
    checked = run("check", "--max-errors", "2", "a b", "c", "d e", "f g").stdout
    assert [line.partition(":")[0] for line in checked.splitlines() if "error" in line] == [
        "1",
        "3",
    ]
    assert run("normalize", "--max-errors", "0", "a").exit_code == 2


# --- check --base


def test_check_resolves_relative_references_against_a_base() -> None:
    base = ["check", "--base", "https://a.example/b/"]
    assert run(*base, "--type", "uri", "../c", "?d", "https://e.example/").exit_code == 0
    assert run("check", "--type", "uri", "../c").exit_code == 1
    result = run(
        *base, "--severity", "encoded-slash=error", "../../x/%2F", "a b", "https://e.example/%2F"
    )
    assert [line.split(" ")[:3] for line in result.stdout.splitlines() if "error" in line] == [
        ["1:9:", "error", "encoded-slash:"],
        ["2:2:", "error", "syntax:"],
        ["3:19:", "error", "encoded-slash:"],
    ]
    # The host of the base concerns the whole reference.
    result = run(
        "check", "--base", "http://127.1/", "--severity", "ipv4-short=error", "/a", "--json"
    )
    [finding] = [f for f in json.loads(result.stdout)["findings"] if f["component"] == "host"][:1]
    assert (finding["start"], finding["end"]) == (0, 2)


def test_check_applies_a_policy_to_the_target_of_a_reference() -> None:
    words = ["check", "--base", "https://a.example/", "--allow", "a.example", "/b", "//c.example/"]
    result = run(*words)
    assert result.exit_code == 1
    assert result.stdout.startswith("2:3: error host-not-allowed")
    assert run("check", "--base", "../a", "b").stderr.startswith("uriverse check: invalid --base")


def test_a_dry_run_stops_after_too_many_errors() -> None:
    Path("a").write_text("A:b\na b\nC:d\n")
    result = run("normalize", "--file", "a", "--dry-run", "--max-errors", "1")
    assert result.exit_code == 1
    assert Path("a").read_text() == "A:b\na b\nC:d\n"


def test_a_diff_ends_with_the_context_of_the_last_change() -> None:
    Path("a").write_text("A:b\n" + "c:d\n" * 9)
    printed = run("normalize", "--file", "a", "--dry-run").stdout
    assert printed.splitlines()[2:] == ["@@ -1,4 +1,4 @@", "-A:b", "+a:b", " c:d", " c:d", " c:d"]
