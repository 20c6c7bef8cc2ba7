import csv
import json
import os
import stat
from pathlib import Path
from random import Random
from typing import Any

import pytest
from amounts import scaled
from command_runner import failure, objects, printed, run
from platforms import unix

from uriverse import parse
from uriverse._cli.output import READ_SIZE


def octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def edited(name: str, content: str, *words: str) -> str:
    Path(name).write_bytes(octets(content))
    assert printed(*words, "--file", name, "--in-place") == ""
    assert names() == [name]
    changed = Path(name).read_bytes()
    Path(name).unlink()
    return changed.decode("utf-8", "surrogateescape")


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def write(**contents: str) -> None:
    """Write files; an underscore in a name stands for a dot."""
    for name, content in contents.items():
        Path(name.replace("_", ".")).write_text(content, newline="")


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("normalize", "HTTP://a/%7e\nb\n", "http://a/~\nb\n"),
        ("normalize", "HTTP://a\r\n\r\nHTTP://b\n", "http://a\r\n\r\nhttp://b\n"),
        ("normalize", "\ufeffHTTP://a\n\nHTTP://b", "\ufeffhttp://a\n\nhttp://b"),
        ("normalize", "", ""),
        ("normalize", "\n", "\n"),
        # Empty lines are not edited.
        ("resolve http://a/", "\nb\n", "\nhttp://a/b\n"),
        *(("decode -z", "A:b\0C:\n\0", "A:b\0C:\n\0"), ("normalize -z", "A:b\0C:d", "a:b\0c:d")),
    ],
)
def test_a_file_of_lines_keeps_line_ends_empty_lines_and_the_byte_order_mark(
    words: str, before: str, after: str
) -> None:
    assert edited("urls.txt", before, *words.split()) == after


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("set --query-drop utm_*", "http://a/?utm_a=1&b=2", "http://a/?b=2"),
        ("resolve http://a/b/", "c", "http://a/b/c"),
        ("relativize http://a/b/", "http://a/b/c", "c"),
        *(("repair", "http://a/ b", "http://a/%20b"), ("encode", "a b", "a%20b")),
        *(("decode", "a%20b", "a b"), ("to-uri", "http://a/é", "http://a/%C3%A9")),
        ("to-iri", "http://a/%C3%A9", "http://a/é"),
    ],
)
def test_every_command_that_edits_strings_edits_files(words: str, before: str, after: str) -> None:
    assert edited("a.txt", before, *words.split()) == after
    assert edited("a.csv", f"x,y\n1,{before}", *words.split(), "--field", "y") == f"x,y\n1,{after}"


def test_invalid_lines_stay_unchanged_and_are_reported_with_the_file_and_the_line() -> None:
    write(a_txt="HTTP://a/\nb c\n", b_txt="d e\nHTTP://b/\n")
    errors = failure("normalize --file a.txt --file b.txt --in-place", status=1)
    assert "a.txt:2: invalid space in path" in errors
    assert "b.txt:1: invalid space in path" in errors
    assert errors.endswith("\nuriverse normalize: 4 URIs, 2 changed, 2 invalid\n")
    assert Path("a.txt").read_text() == "http://a/\nb c\n"
    assert Path("b.txt").read_text() == "d e\nhttp://b/\n"


@pytest.mark.parametrize("limit", ["--fail-fast", "--max-errors=1"])
def test_a_file_with_too_many_invalid_lines_stays_unchanged(limit: str) -> None:
    write(a="HTTP://a/\n", b="HTTP://b/\nc d\n", c="HTTP://c/\n")
    errors = failure(f"normalize -f a -f b -f c --in-place --summary {limit}", status=1)
    kept = "uriverse normalize: b: too many invalid strings; the file stays unchanged\n"
    assert kept in errors
    assert errors.endswith("3 URIs, 1 changed, 1 invalid; stopped early\n")
    contents = [Path(name).read_text() for name in names()]
    assert contents == ["http://a/\n", "HTTP://b/\nc d\n", "HTTP://c/\n"]
    assert run("normalize --file b --dry-run", limit).exit_code == 1


def test_a_result_with_the_end_of_a_line_is_an_error() -> None:
    write(a="b%0Ac\nd%0D\n")
    errors = failure("decode --file a --in-place", status=1)
    assert errors.startswith("a:1: the result contains the end of a line")
    assert Path("a").read_text() == "b%0Ac\nd%0D\n"


def test_the_mode_of_the_file_is_kept() -> None:
    write(a="A:b")
    Path("a").chmod(0o640)
    printed("normalize --file a --in-place --backup ~")
    assert (Path("a").read_text(), Path("a~").read_text()) == ("a:b", "A:b")
    modes = [stat.S_IMODE(Path(name).stat().st_mode) for name in ("a", "a~")]
    assert modes == [0o640] * 2 or os.name == "nt"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_root_keeps_the_owner_and_the_mode_of_a_file_and_of_its_backup() -> None:
    write(a="A:b")
    os.chown("a", 12_345, 23_456)
    Path("a").chmod(0o4640)  # a change of the owner resets the first bit
    printed("normalize --file a --in-place --backup ~")
    for name in ("a", "a~"):
        status = Path(name).stat()
        assert (status.st_uid, status.st_gid) == (12_345, 23_456)
        assert stat.S_IMODE(status.st_mode) == 0o4640


def test_a_file_is_replaced_on_a_system_without_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fchown", raising=False)
    assert edited("a", "A:b", "normalize") == "a:b"


def test_a_file_without_changes_is_not_touched_and_has_no_backup() -> None:
    write(a="a:b\n")
    before = Path("a").stat()
    result = run("normalize --file a --in-place --backup .bak --summary")
    assert result.stderr == "uriverse normalize: 1 URI, 0 changed, 0 invalid\n"
    after = Path("a").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert names() == ["a"]


@unix
def test_a_symbolic_link_is_kept_and_its_target_edited() -> None:
    Path("folder").mkdir()
    Path("folder/a").write_text("A:b")
    Path("link").symlink_to("folder/a")
    printed("normalize --file link --in-place")
    assert Path("link").is_symlink()
    assert Path("folder/a").read_text() == "a:b"
    assert [path.name for path in Path("folder").iterdir()] == ["a"]


@unix
def test_a_file_that_cannot_be_replaced_is_an_error_and_the_others_are_edited() -> None:
    os.mkfifo("pipe")
    write(a="A:b")
    errors = failure("normalize --in-place -f none -f pipe -f . -f a")
    assert errors.splitlines() == [
        "uriverse normalize: none: No such file or directory",
        "uriverse normalize: pipe: not a regular file",
        "uriverse normalize: .: not a regular file",
    ]
    assert Path("a").read_text() == "a:b"


@unix
def test_a_dry_run_prints_a_diff_that_patch_applies() -> None:
    random = Random(35)
    for _ in range(scaled(20)):
        lines = random.choices(["HTTP://A/", "b", "", "c d", "x/%7e"], k=random.randrange(40))
        content = "\n".join(lines)
        Path("a").write_text(content)
        diff = run("normalize --quiet --file a --dry-run").stdout
        assert Path("a").read_text() == content
        run("normalize --quiet --file a --in-place")
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
    assert run("normalize --file a --dry-run").stdout == (
        "--- a\n+++ a\n"
        "@@ -8,12 +8,12 @@\n h\n i\n j\n-K:1\n-L:2\n+k:1\n+l:2\n m\n n\n o\n-P:3\n+p:3\n"
        " q\n r\n s\n"
        "@@ -24,4 +24,4 @@\n x\n y\n z\n"
        "-A:4\n\\ No newline at end of file\n+a:4\n\\ No newline at end of file\n"
    )


def test_a_diff_ends_with_the_context_of_the_last_change() -> None:
    write(a="A:b\n" + "c:d\n" * 9)
    diff = printed("normalize --file a --dry-run")
    assert diff.splitlines()[2:] == ["@@ -1,4 +1,4 @@", "-A:b", "+a:b", " c:d", " c:d", " c:d"]


#: Records with the string A:b in the field that is edited, and in no other one.
CSV = [
    *(("url", 'id,url\r\n1,A:b\r\n"2","A:b"'), ("url", '"url","a ""b"""\nA:b,"x\ny"\n')),
    *(("2", 'x,A:b,"c"\n'), ("url", "\ufeffurl\nA:b\n\n"), ("1", '\ufeff"A:b"\n')),
    *(("url", 'a,url\n1,\n2,""\n'), ("url", 'a,url\nx"y,A:b\n'), ("a,b", '"a,b",c\nA:b,d\n')),
    *(("é", "é,c\nA:b,ü\n"), ("2", "\udcff,A:b\n")),
]
JSON = [
    ("url", '{"url":"A:b"}\n'),
    ("url", '{ "id" : 1e2, "url":\t"A:b" , "x":{"url":"X:b"}}\r\n'),
    *(("url", '{"\\u0075rl":"A:b"}'), ("url", '{"url":"A:b\\/\\/a\\/"}')),
    *(("url", '{"url":"A:b\\u00e9"}'), ("url", '{"url":"A:bé","ü":1}')),
    *(("url", '{"url":"a:\\u00e9"}'), ("url", '{"url":null}\n\n{}\n{"url":""}\n{"a":[]}')),
    *(("url", '\ufeff{"url":"A:b"}'), ("url", '{"a":"\udcff","url":"A:b"}')),
    *(("a.b", '{"b":"X:b","a":{"b":"A:b","c":"X:b"}}'), ("a[1]", '{"a":["X:b", "A:b" ,"X:b"]}')),
    ("a[0].b", '{"a":[ {"b":"A:b"},{"b":"X:b"}]}'),
    *(("a[0][1].b.c", '{"a":[[1,{"b":{"c":"A:b"}}]]}'), ('"a.b"', '{"a.b":"A:b","a":{"b":"X:b"}}')),
    *(('a."\\u0062[0]"', '{"a":{"b[0]":"A:b"}}'), ("a b-c.é", '{"a b-c":{"é":"A:b"}}')),
    ("a.b", '{"a":{"b":null}}'),
]


@pytest.mark.parametrize(("field", "content"), CSV)
def test_a_field_of_a_csv_file_is_edited_and_all_else_stays(field: str, content: str) -> None:
    after = content.replace("A:b", "a:b")
    assert edited("a.csv", content, "normalize", "--field", field) == after
    tabs = field.replace(",", "\t")
    changed = edited("a.tsv", content.replace(",", "\t"), "normalize", "--field", tabs)
    assert changed == after.replace(",", "\t")


@pytest.mark.parametrize(("field", "content"), JSON)
def test_a_field_of_a_json_lines_file_is_edited_and_all_other_characters_stay(
    field: str, content: str
) -> None:
    for name in ("a.jsonl", "a.NDJSON"):
        after = edited(name, content, "normalize", "--field", field)
        assert after == content.replace("A:b", "a:b")


def test_a_field_of_standard_input_is_edited_in_the_format_of_its_first_line() -> None:
    for field, content in [
        *(("url", '{"url":"A:b"}\n{"url":"A:b"}\n'), ("a.url", '\ufeff {"a":{"url":"A:b"}}')),
        *(("url", "id,url\n1,A:b\n"), ("url", "id\turl\n1\tA:b,c\n"), ("2", "1,A:b\n")),
        *(("1", "A:b\n"), ("1", ""), ("url", ""), ("url", "\ufeff\r\n\n")),
        *(("url", ' \n\n{"url":"A:b"}\n'), ("url", "\nurl\nA:b\n"), ("[url]", "[url]\nA:b\n")),
    ]:
        for words in ([], ["--file", "-"]):
            result = run("normalize --field", field, *words, given=content)
            assert result[:3] == (0, octets(content.replace("A:b", "a:b")), "")


def test_empty_lines_before_the_first_one_may_arrive_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriverse._cli.output.READ_SIZE", 2)
    result = printed("normalize --field url", given='\n\n\n{"url":"A:b"}\n')
    assert result == '\n\n\n{"url":"a:b"}\n'


def test_a_result_that_needs_quotation_marks_is_quoted() -> None:
    words = ["decode", "--field", "1"]
    assert edited("a.csv", "%2C,b\n%22%0A,%2C\n", *words) == '",",b\n"""\n",%2C\n'
    assert edited("a.tsv", "%2C\t%09\n%09\tb\n", *words) == ',\t%09\n"\t"\tb\n'


def test_edited_csv_files_have_the_same_other_values() -> None:
    random = Random(4180)
    characters = ["a", "é", ",", '"', "\n", "\r\n", " ", "\t", "#"]
    for _ in range(scaled(40)):
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
        printed("normalize --file a.csv --field", str(index + 1), "--in-place")
        for row in rows:
            row[index] = str(parse(row[index]).normalize())
        with Path("a.csv").open(encoding="utf-8", newline="") as file:
            assert list(csv.reader(file)) == rows
        with Path("b.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=quoting, lineterminator=ending).writerows(rows)
        assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_edited_json_lines_files_have_the_same_other_values() -> None:
    random = Random(8259)
    values = [None, True, 1.5, "", 'a\n"é\\', [1, {"url": "A:b"}], {"url": "A:b", "x": {}}]
    for _ in range(scaled(40)):
        rows: list[dict[str, Any]] = []
        for _ in range(random.randrange(1, 6)):
            names_of_others = random.sample("abcdé", 3)
            row: dict[str, Any] = {name: random.choice(values) for name in names_of_others}
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
        assert edited("a.jsonl", before, *words) == after


@pytest.mark.parametrize(
    "field", ["", ".a", "a.", "a..b", "[0]", "a[x]", "a[-1]", '"a', 'a"b"', '"\\x"']
)
def test_an_invalid_path_of_a_field_is_a_usage_error(field: str) -> None:
    Path("a.jsonl").write_text('{"a":"A:b"}\n')
    message = failure("normalize --file a.jsonl --field", field)
    assert message.startswith(f"uriverse normalize: --field: invalid path {field!r}; ")
    assert message.count("\n") == 1


def test_a_record_without_an_edit_stays_unchanged_and_is_reported() -> None:
    for field, line, reason in [
        ("a.b", '{"a":[{"b":"A:b"}]}', "1: no object has the field 'a.b'; "),
        ("a[0]", '{"a":{"0":"A:b"}}', "1: no object has the field 'a[0]'; "),
        ("a[9]", '{"a":["A:b"]}', "1: no object has the field 'a[9]'; "),
        ("a[0]", '{"a":[]}', "1: no object has the field 'a[0]'; "),
        ("a.b", '{"a":"A:b"}', "1: no object has the field 'a.b'; "),
        (
            "links.0.url",
            '{"links":[{"url":"A:b"}]}',
            "1: no object has the field 'links.0.url'; write names and indices, as in a.b[0].c\n",
        ),
        ("url", '{"url":"a:b"}\n{"url":"a b"}', "2: invalid space in path "),
    ]:
        result = run("normalize --field", field, given=f"{line}\n")
        assert (result.exit_code, result.stdout) == (1, f"{line}\n")
        assert result.stderr.startswith(reason)
        assert result.stderr == reason or not reason.endswith("\n")


@pytest.mark.parametrize("end", ["", "{", '{"links":null}\n'])
def test_a_field_that_may_exist_in_other_objects_is_not_reported(end: str) -> None:
    line = '{"links":[{"url":"A:b"}]}\n'
    Path("a.jsonl").write_text(line * bool(end) + end)
    result = run("normalize --file a.jsonl --field links --in-place")
    assert "no object has" not in result.stderr


@pytest.mark.parametrize("start", ['[{"url":"A:b"}]', "[", ' [ "A:b"]', "\ufeff[[", "[]"])
def test_a_json_array_in_standard_input_is_an_error(start: str) -> None:
    reason = "-:2: a JSON array is not read; write one JSON object per line"
    message = run("normalize --field url", given=f"\n{start}\n")
    assert (message.exit_code, message.stderr) == (2, f"uriverse normalize: {reason}\n")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", '{"url":"A:b"}\n{"url":"%s"}\n', "2: the line is longer than 131,072 octets"),
        ("a.csv", "url\nA:b\n%s\n", "3: the line is longer than 131,072 octets"),
        ("a.csv", 'url\nA:b\n"%s\n%s\n', "3: a quoted field has no end, or is longer"),
    ],
)
def test_a_record_that_is_too_long_is_rejected_and_the_file_stays_unchanged(
    name: str, content: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uriverse._cli.records.MAX_RECORD_SIZE", 1 << 17)
    before = content.replace("%s", "b" * (1 << 18 if content.count("%s") == 1 else 1 << 16))
    Path(name).write_text(before)
    message = failure("normalize --file", name, "--field", "url", "--in-place")
    assert message.startswith(f"uriverse normalize: {name}:{reason}")
    assert Path(name).read_text() == before
    assert names() == [name]


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
    message = failure("normalize --file a.jsonl --field url --in-place", status=1)
    assert message == f"a.jsonl:2: {reason}\n"
    assert Path("a.jsonl").read_text() == f'{{"url":"a:b"}}\n{line}\n'


def test_a_field_is_edited_to_standard_output_without_an_option_to_write() -> None:
    write(a_csv="x,url\n1\n2,A:b\n", b_jsonl='{"url":"C:d"}\n')
    result = run("normalize --file a.csv --file b.jsonl --field url")
    assert (result.exit_code, result.stdout) == (1, 'x,url\n1\n2,a:b\n{"url":"c:d"}\n')
    assert result.stderr == "a.csv:2: the record has 1 of at least 2 fields\n"
    assert Path("a.csv").read_text() == "x,url\n1\n2,A:b\n"


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
def test_a_file_without_the_fields_stays_unchanged(field: str, content: str, reason: str) -> None:
    write(a_csv=content)
    message = failure("normalize --file a.csv --field", field, "--in-place")
    assert message == f"uriverse normalize: {reason}\n"
    assert Path("a.csv").read_text() == content
    assert names() == ["a.csv"]


def test_records_may_arrive_in_parts_and_have_any_length() -> None:
    long = "b" * READ_SIZE
    for name, content in (
        ("a.csv", f'url,x\nA:{long},"{long}\n{long}"\nA:c,d\n'),
        ("a.jsonl", f'{{"x": "{long}", "url": "A:{long}"}}\n{{"url": "A:b"}}'),
    ):
        after = edited(name, content, "normalize", "--field", "url")
        assert after == content.replace("A:", "a:")


def test_options_that_cannot_be_used_together_are_usage_errors() -> None:
    for words, message in [
        ("--in-place", "--in-place edits files; name them with --file"),
        ("--dry-run a:b", "--dry-run edits files; name them with --file"),
        ("--field url a:b", "--field edits files; name them with --file, or write --file -"),
        ("--field url -f - --in-place", "--in-place edits files; name them with --file"),
        ("--in-place -f a b:c", "both arguments and --file are given; give URIs or a file"),
        ("--in-place --dry-run -f a", "--in-place contradicts --dry-run; use one of them"),
        ("--backup ~ -f a", "--backup needs --in-place; add --in-place"),
        ("--backup= --in-place -f a", "--backup needs the end of a file name; "),
        ("--backup /x --in-place -f a", "--backup needs the end of a file name; write"),
        ("--json --in-place -f a", "edited files are not JSON output; remove --json or --changes"),
        ("--changes --dry-run -f a", "edited files are not JSON output; "),
        ("--keep-invalid --json a", "--keep-invalid contradicts --json; use one of them"),
        ("-z --field 1 -f a.csv", "--field contradicts -z; use one of them"),
        ("--field 0 -f a.csv", "the fields of --field count from 1; use --field 1"),
        ("--field 1 -f a", "--field: unknown format of 'a'; rename the file, so that"),
    ]:
        errors = failure(f"normalize {words}")
        assert errors.startswith(f"uriverse normalize: {message}")
        assert errors.count("\n") == 1


def test_set_prints_several_results_only_to_standard_output() -> None:
    assert "--iterate prints several results, so it cannot edit files" in failure(
        "set --iterate port=1,2 --file a --in-place"
    )


def test_redact_edits_files_in_place_and_as_a_diff() -> None:
    before, after = b"a\r\nhttps://u:pw@a/ \xff", b"a\r\nhttps://u:REDACTED@a/ \xff"
    Path("log").write_bytes(before)
    assert run("redact --dry-run log").stdout_bytes == (
        b"--- log\n+++ log\n@@ -1,2 +1,2 @@\n a\r\n-%s\n\\ No newline at end of file\n"
        b"+%s\n\\ No newline at end of file\n" % (before[3:], after[3:])
    )
    assert failure("redact --in-place --backup .1 none log") == (
        "uriverse redact: none: No such file or directory\n"
    )
    assert (Path("log").read_bytes(), Path("log.1").read_bytes()) == (after, before)
    message = "uriverse redact: --in-place edits files; give them as arguments\n"
    assert failure("redact --in-place") == message


def test_nul_separates_input_and_output() -> None:
    assert printed("normalize -z", given="A:b\0C:d\0") == "a:b\0c:d\0"
    assert printed("decode -z a%0Ab c") == "a\nb\0c\0"
    assert run("get host -z", given="http://a/\n\0http://b/").stderr.startswith("1: invalid")
    assert printed("set -z --iterate port=1,2 //a") == "//a:1\0//a:2\0"


def test_get_escapes_tabs_line_breaks_and_backslashes_in_fields() -> None:
    result = printed("get decoded:path,host http://a/b%09c%0A%0D%5C http://a/é")
    assert result == "/b\\tc\\n\\r\\\\\ta\n/é\ta\n"
    assert printed("get -g {path} /b%09") == "/b\t\n"


def test_invalid_strings_are_printed_unchanged_on_request() -> None:
    result = run("normalize --keep-invalid", given="A:b\nc d\nE:f\n")
    assert (result.exit_code, result.stdout) == (1, "a:b\nc d\ne:f\n")
    assert result.stderr.startswith("2: invalid space")


def test_errors_in_files_have_the_name_of_the_file() -> None:
    write(a="b\nc d\n", b="e f\n")
    words = ["--file", "a", "--file", "b"]
    result = run("get path", *words)
    assert result.stdout == "b\n"
    assert [line for line in result.stderr.splitlines() if "invalid space" in line] == [
        "a:2: invalid space in path (ipath-noscheme, position 1)",
        "b:1: invalid space in path (ipath-noscheme, position 1)",
    ]
    errors = [row["error"] for row in objects("get path --json", *words)]
    assert [(error["file"], error["line"]) for error in errors if error] == [("a", 2), ("b", 1)]
    assert "\na:2:2: error syntax" in run("check", *words).stdout
    assert run("get path --file none", *words[:2]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "given", "summary"),
    [
        ("normalize", "a b\nc\nd e\n", "normalize: 3 URIs, 2 invalid"),
        *(("normalize", "a b\nc\n", ""), ("normalize --json", "a b\nc d\n", "")),
        ("normalize --quiet", "a b\nc d\n", ""),
        ("normalize --summary a", "", "normalize: 1 URI, 0 invalid"),
        ("resolve --summary a: b c", "", "resolve: 2 references, 0 invalid"),
        ("check --summary", "a b\nc", "check: 2 URIs, 1 failed"),
        ("policy test p.toml --summary https://b.example/", "", "policy: 1 URI, 1 rejected"),
        (
            "normalize --max-errors 2",
            "a b\nA:b\nc d\n#\n",
            "normalize: 3 URIs, 2 invalid; stopped early",
        ),
    ],
)
def test_a_summary_follows_many_errors_or_a_request(words: str, given: str, summary: str) -> None:
    write(p_toml='allow = ["a.example"]\n')
    lines = run(words, given=given).stderr.splitlines()
    assert [line for line in lines if "uriverse" in line] == [f"uriverse {summary}"] * bool(summary)
    assert "--quiet" not in words or not lines


def test_a_command_stops_at_the_number_of_errors() -> None:
    assert run("normalize --max-errors 2", given="a b\nA:b\nc d\nC:d\n").stdout == "a:b\n"
    checked = run("check --max-errors 2", "a b", "c", "d e", "f g").stdout
    lines = [line.partition(":")[0] for line in checked.splitlines() if "error" in line]
    assert lines == ["1", "3"]
    assert failure("normalize --max-errors 0 a")


def test_check_resolves_relative_references_against_a_base() -> None:
    base = ["check", "--base", "https://a.example/b/"]
    assert run(*base, "--type", "uri", "../c", "?d", "https://e.example/").exit_code == 0
    assert run("check --type uri ../c").exit_code == 1
    words = ("--severity", "encoded-slash=error", "../../x/%2F", "a b", "https://e.example/%2F")
    found = [line.split(" ")[:3] for line in run(*base, *words).stdout.splitlines()]
    assert [line for line in found if "error" in line] == [
        ["1:9:", "error", "encoded-slash:"],
        ["2:2:", "error", "syntax:"],
        ["3:19:", "error", "encoded-slash:"],
    ]
    # The host of the base concerns the whole reference.
    (row,) = objects("check --base http://127.1/ --severity ipv4-short=error /a --json")
    finding = next(each for each in row["findings"] if each["component"] == "host")
    assert (finding["start"], finding["end"]) == (0, 2)


def test_check_applies_a_policy_to_the_target_of_a_reference() -> None:
    words = ["check", "--base", "https://a.example/", "--allow", "a.example", "/b", "//c.example/"]
    assert printed(*words, status=1).startswith("2:3: error host-not-allowed")
    assert failure("check --base ../a b").startswith("uriverse check: invalid --base")
