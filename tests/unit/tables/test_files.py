"""Tests of table files: reading them, processing them and writing them."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import struct
import sys
import tracemalloc
from collections import Counter
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
from platforms import unix

from uriverse import _atomic_files
from uriverse.tables import (
    Plan,
    TableError,
    _batches,
    _columnar,
    _delimited,
    _destinations,
    _json_lines,
    _parts,
    _reading,
    _text_lines,
    _writers,
)
from uriverse.tables._destinations import folder_at
from uriverse.tables._local import Tally, transform
from uriverse.tables._sources import Source, failing, format_of, sources
from uriverse.tables._writing import Output
from uriverse.typing import Format

# These packages have no type annotations.
pa: Any = import_module("pyarrow")
csv: Any = import_module("pyarrow.csv")
pq: Any = import_module("pyarrow.parquet")

ROWS: list[dict[str, Any]] = [
    {"url": "http://a/", "note": 'says "x", y'},
    {"url": None, "note": ""},
    {"url": "", "note": None},
    {"url": "a b", "note": "two\nlines"},
    {"url": "http://é/?q=1", "note": "007"},
]


URL_IS_X = b'{"url": "x"}\n'


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table_in(name: str, rows: list[dict[str, Any]] = ROWS) -> str:
    """Write a table file without uriverse, and return its name."""
    path = Path(name)
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), name)
    elif name.endswith("json"):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    else:
        path.write_text("\n".join(row["url"] or "" for row in rows), "utf-8")
    return name


def rows_of(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file, as uriverse reads them."""
    with _reading.opened(sources([name], None, "")[0], lambda schema: schema.names) as reader:
        return [row for batch in reader.batches for row in batch.to_pylist()]


def test_rows_that_were_read_do_not_stay_in_memory(tmp_path: Path) -> None:
    name = str(tmp_path / "in.parquet")
    with pq.ParquetWriter(name, pa.schema([("url", pa.string())]), compression="none") as writer:
        for _ in range(20):
            urls = [f"//a/{os.urandom(2000).hex()}" for _ in range(1000)]
            writer.write_table(pa.table({"url": urls}))
    tracemalloc.start()
    try:
        with _reading.opened(sources([name], None, "")[0], lambda schema: schema.names) as reader:
            assert sum(batch.num_rows for batch in reader.batches) == 20_000
            _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < Path(name).stat().st_size // 2


def run(
    given: list[str], output: str, plan: Plan | None = None, bad_rows: str | None = None
) -> Tally:
    return transform(
        sources(given, None, output),
        lambda _: plan or Plan("host", "url"),
        Output(output, format_of(output)),
        bad_rows=Output(bad_rows, format_of(bad_rows)) if bad_rows else None,
        threads=2,
    )


def nothing_but(*names: str) -> bool:
    """Return whether the current folder contains exactly the given names."""
    return {path.name for path in Path().iterdir()} == set(names)


@pytest.mark.parametrize(
    "end",
    [
        "parquet",
        "arrow",
        "feather",
        "csv",
        "tsv",
        "ndjson",
        "jsonl",
        "json",
        "csv.gz",
        "tsv.GZ",
        "json.gz",
        "csv.zst",
        "tsv.zst",
        "json.ZST",
    ],
)
def test_written_files_are_read_back_unchanged(end: str) -> None:
    name = f"written.{end}"
    tally = run([table_in("in.parquet")], name)
    hosts = ["a", None, None, None, "é"]
    rows = [{**row, "host": host} for row, host in zip(ROWS, hosts, strict=True)]
    assert rows_of(name) == rows
    assert (tally.rows, tally.bad) == (5, {"path": 1})
    first = Path(name).read_bytes()[:4]
    assert (first[:2] == b"\x1f\x8b") == name.lower().endswith("gz")
    assert (first == b"\x28\xb5\x2f\xfd") == name.lower().endswith("zst")
    run([name], "again.parquet", Plan("host", "url", keep=("url", "note")))
    assert rows_of("again.parquet") == rows
    assert nothing_but("in.parquet", name, "again.parquet")


@pytest.mark.parametrize("is_stream", [False, True])
def test_arrow_files_are_read_in_both_formats(
    is_stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table(
        {
            "n": pa.array(range(5)),
            "kind": pa.array(["x", None, "y", "x", "x"]).dictionary_encode(),
            "url": pa.array([row["url"] for row in ROWS], pa.string_view()),
        }
    )
    new = pa.ipc.new_stream if is_stream else pa.ipc.new_file
    with new("in.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table, 2)
    tally = run(["in.arrow"], "out.arrow", Plan("host", "url", keep=("kind", "n")))
    assert (tally.rows, tally.bad) == (5, {"path": 1})
    found = pa.ipc.open_file("out.arrow").read_all()
    assert found.to_pydict() == {
        "kind": ["x", None, "y", "x", "x"],
        "n": [0, 1, 2, 3, 4],
        "host": ["a", None, None, None, "é"],
    }
    piped = io.BytesIO(Path("in.arrow").read_bytes())
    monkeypatch.setattr(piped, "seekable", lambda: False)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(piped))
    plan = Plan("host", "url", keep=())
    assert transform([Source("-", "arrow")], lambda _: plan, Output("out.csv", "csv")).rows == 5


def test_malformed_arrow_files_are_rejected_in_one_line() -> None:
    batch = pa.record_batch({"url": ["a", "bcdef"]})
    with pa.ipc.new_file("in.arrow", batch.schema) as writer:
        writer.write_batch(batch)
    whole = Path("in.arrow").read_bytes()
    offsets = struct.pack("<3i", 0, 1, 6)
    assert whole.count(offsets) == 1
    # The last string would end far behind the end of the buffer.
    Path("offsets.arrow").write_bytes(whole.replace(offsets, struct.pack("<3i", 0, 1, 2**20)))
    # In the stream format, the length of the schema is nearly 2 GiB.
    Path("length.arrow").write_bytes(b"\xff\xff\xff\xff\xf8\xff\xff\x7f" + whole[16:])
    Path("cut.arrow").write_bytes(whole[:-20])
    Path("start.arrow").write_bytes(whole[:8])
    Path("other.arrow").write_bytes(b"no Arrow file")
    Path("empty.arrow").touch()
    for name in ("offsets", "length", "cut", "start", "other", "empty"):
        with pytest.raises(TableError, match=rf"^{name}\.arrow: ") as raised:
            run([f"{name}.arrow"], "out.csv")
        assert "\n" not in str(raised.value)
    assert not Path("out.csv").exists()


def test_a_damaged_zstandard_file_is_rejected() -> None:
    run([table_in("in.parquet", ROWS * 100)], "whole.csv.zst")
    whole = Path("whole.csv.zst").read_bytes()
    for damaged in (whole[:-5], whole[:40] + b"\0" * 8 + whole[48:], b"no zstd"):
        Path("in.csv.zst").write_bytes(damaged)
        with pytest.raises(TableError, match=r"^in\.csv\.zst: "):
            run(["in.csv.zst"], "out.csv", Plan("port", "url"))
    Path("in.csv.zst").write_bytes(whole + pa.Codec("zstd").compress(b"x,y,z\n", asbytes=True))
    assert run(["in.csv.zst"], "out.csv", Plan("port", "url")).rows == 501
    assert nothing_but("in.parquet", "whole.csv.zst", "in.csv.zst", "out.csv")


def test_large_zstandard_files_are_written_in_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_destinations, "BLOCK", 100)
    run([table_in("in.parquet", ROWS * 100)], "out.csv.zst", Plan("port", "url"))
    assert Path("out.csv.zst").read_bytes().count(b"\x28\xb5\x2f\xfd") > 1
    assert len(rows_of("out.csv.zst")) == 500


@pytest.mark.parametrize("codec", ["none", "zstd", "gzip", "snappy"])
def test_parquet_keeps_the_compression_of_the_first_input(codec: str) -> None:
    pq.write_table(pa.table({"url": ["a"]}), "in.parquet", compression=codec)
    run(["in.parquet"], "out.parquet", Plan("port", "url"))
    written = pq.ParquetFile("out.parquet").metadata.row_group(0).column(0).compression
    assert written == ("UNCOMPRESSED" if codec == "none" else codec.upper())


def test_each_line_is_a_row_and_an_empty_line_is_an_empty_string() -> None:
    Path("in.txt").write_bytes(b"http://a/\r\n\r\n\nb\rc\n\xffx\nlast")
    assert rows_of("in.txt") == [
        {"text": text} for text in ["http://a/", "", "", "b\rc", "\ufffdx", "last"]
    ]
    tally = run(["in.txt"], "out.txt", Plan("host", "text", keep=()))
    assert Path("out.txt").read_text("utf-8") == "a\n\n\n\n\n\n"
    # Invalid UTF-8 makes the row invalid, in any component.
    assert (tally.rows, tally.bad) == (6, {"path": 2})


def test_lines_have_one_column_without_line_breaks() -> None:
    Path("in.txt").write_text("?q=1\n?q=%0A\n", "utf-8")
    with pytest.raises(TableError, match=r"out\.txt: lines have one column, not 2 \(text, host\);"):
        run(["in.txt"], "out.txt", Plan("host", "text"))
    with pytest.raises(TableError, match=r"out\.txt: row 2: the result contains a line break;"):
        run(["in.txt"], "out.txt", Plan("query-param", "text", {"name": "q"}, keep=()))
    assert nothing_but("in.txt")
    run(["in.txt"], "out.lst", Plan("is-valid", "text", keep=()))
    assert Path("out.lst").read_text("utf-8") == "true\ntrue\n"
    run(["in.txt"], "out.lst", Plan("findings", "text", keep=()))
    assert json.loads(Path("out.lst").read_text("utf-8").splitlines()[0]) == []


def test_the_length_of_a_line_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", 4)
    monkeypatch.setattr(_text_lines, "LONGEST", 12)
    Path("in.txt").write_bytes(b"a\nb\n" + b"c" * 12 + b"\nd")
    assert [row["text"] for row in rows_of("in.txt")] == ["a", "b", "c" * 12, "d"]
    Path("in.txt").write_bytes(b"a\nb\n" + b"c" * 20)
    with pytest.raises(TableError, match=r"in\.txt: line 3 is longer than 12 octets"):
        rows_of("in.txt")


def test_lines_longer_than_a_block_are_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", 4)
    Path("in.txt").write_text("a\nlonger than that\n\nb\n", "utf-8")
    assert [row["text"] for row in rows_of("in.txt")] == ["a", "longer than that", "", "b"]


def test_batches_and_row_groups_have_limited_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "ROWS", 3)
    monkeypatch.setattr(_writers, "GROUP_ROWS", 4)
    texts = [f"http://h{number}/" for number in range(10)]
    Path("in.txt").write_text("\n".join(texts), "utf-8")
    progress: list[tuple[int, int]] = []
    transform(
        sources(["in.txt"], None, ""),
        lambda _: Plan("host", "text", keep=()),
        Output("out.parquet", "parquet"),
        threads=2,
        tell=lambda octets, tally: progress.append((octets, tally.rows)),
    )
    assert [rows for _, rows in progress] == [3, 6, 9, 10]
    assert progress[-1][0] == Path("in.txt").stat().st_size
    assert [row["host"] for row in rows_of("out.parquet")] == [f"h{n}" for n in range(10)]
    assert pq.ParquetFile("out.parquet").num_row_groups == 2


def test_large_rows_are_written_in_smaller_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "ROWS", 1)
    monkeypatch.setattr(_writers, "GROUP_OCTETS", 1)
    run([table_in("in.parquet")], "out.parquet")
    assert pq.ParquetFile("out.parquet").num_row_groups == 5


def test_only_repeating_values_are_dictionary_encoded() -> None:
    rows = [{"url": f"http://a/{n}", "kind": "x"} for n in range(9)]
    run([table_in("in.parquet", rows)], "out.parquet")
    columns = pq.ParquetFile("out.parquet").metadata.row_group(0)
    encodings = {columns.column(n).path_in_schema: columns.column(n).encodings for n in range(3)}
    assert {name for name, how in encodings.items() if "RLE_DICTIONARY" in how} == {"kind", "host"}


def test_a_table_without_rows_is_written_without_rows() -> None:
    pq.write_table(pa.table({"url": pa.array([], pa.string())}), "in.parquet")
    Path("in.csv").write_text("url\n", "utf-8")
    Path("in.txt").touch()
    for name in ("in.parquet", "in.csv"):
        assert run([name], "out.parquet") == Tally()
        assert pq.read_schema("out.parquet").names == ["url", "host"]
    run(["in.txt"], "out.csv", Plan("host", "text"))
    assert Path("out.csv").read_text("utf-8") == '"text","host"\n'


def test_several_tables_are_combined_in_order() -> None:
    Path("x").mkdir()
    table_in("x/b.json", [{"url": "http://b"}, {"url": "%"}])
    table_in("x/a.parquet", [{"url": "http://a"}])
    table_in("x/.hidden.json")
    table_in("x/_told.json")
    Path("x/other").touch()
    Path("x/folder.csv").mkdir()
    for given in (["x"], ["x/[ab].*"], ["x/a.parquet", "x/b.json"]):
        tally = run(given, "out.csv", bad_rows="bad.ndjson")
        assert [row["host"] for row in rows_of("out.csv")] == ["a", "b", None]
        assert tally == Tally(3, tally.bad)
        assert rows_of("bad.ndjson") == [
            {"file": "x/b.json", "row": 2, "text": "%", "error": "path", "error_position": 1}
        ]


def test_an_existing_file_is_preferred_to_a_pattern() -> None:
    run([table_in("in[1].json")], "out.csv")
    assert len(rows_of("out.csv")) == 5


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            {"url": "x", "n": 1.5},
            (
                "b.json: column 'n' is double, but int64 in a.json; "
                "cast one of them, or do not keep the column"
            ),
        ),
        ({"url": "x"}, "b.json: the table has no column 'n'; choose one of url"),
        (
            {"url": "x", "n": 1, "m": 2},
            "b.json: column 'm' is missing in a.json; do not keep the column",
        ),
    ],
)
def test_tables_that_differ_are_rejected_before_anything_is_written(
    other: dict[str, Any], message: str
) -> None:
    given = [table_in("a.json", [{"url": "x", "n": 1}]), table_in("b.json", [other])]
    with pytest.raises(TableError) as raised:
        run(given, "out.csv")
    assert str(raised.value) == message
    assert nothing_but(*given)
    # Columns that the plan does not need may differ.
    assert run(given, "out.csv", Plan("host", "url", keep=())).rows == 2


def test_string_types_are_cast_to_that_of_the_first_table() -> None:
    types = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    for first in types:
        for number, other in enumerate([*types, pa.string_view(), pa.null()]):
            texts = pa.array([None] if other == pa.null() else ["http://b"], other)
            pq.write_table(pa.table({"url": pa.array(["http://a"], first)}), "a.parquet")
            pq.write_table(pa.table({"url": texts}), f"b{number}.parquet")
            if first == types[-1] and other == pa.string_view():
                with pytest.raises(TableError, match="column 'url' is string_view, but dictionary"):
                    run(["a.parquet", f"b{number}.parquet"], "out.parquet")
                continue
            run(["a.parquet", f"b{number}.parquet"], "out.parquet")
            found = pq.read_table("out.parquet")
            assert found.column("url").to_pylist() == ["http://a", *texts.to_pylist()]
            assert found.schema.field("url").type == first


def test_the_order_of_columns_may_differ() -> None:
    given = [table_in("a.json", [{"url": "x", "n": 1}]), table_in("b.json", [{"n": 2, "url": "y"}])]
    run(given, "out.json", Plan("host", "url"))
    assert [(row["url"], row["n"]) for row in rows_of("out.json")] == [("x", 1), ("y", 2)]


def test_strings_in_json_stay_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", 100)
    rows: list[dict[str, Any]] = [
        {"url": "x", "when": "2024-01-01", "none": None, "in": {"a": ["2024-01-01"]}},
        {"url": "y", "when": "never", "none": "some", "in": {"a": ["x"]}},
    ]
    run([table_in("in.json", rows)], "out.json")
    assert rows_of("out.json") == [{**row, "host": None} for row in rows]


def test_objects_may_have_other_fields_if_they_are_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", 30)
    rows = [{"url": "http://a", "n": 1}, {"url": "http://b", "more": 1}]
    given = [table_in("in.json", rows)]
    with pytest.raises(TableError, match=r"in\.json: line 2: unexpected field"):
        run(given, "out.json")
    run(given, "out.json", Plan("host", "url", keep=("url",)))


@pytest.mark.parametrize("size", [20, 1000])
def test_the_error_for_an_invalid_object_gives_its_line(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", size)
    lines = '\n{"url":"a"}\n\n{"url":"b"}\n\n{"url":"c"}\n{"url":1}\n{"url":"d"}\n\n'
    Path("in.json").write_text(lines)
    reason = r"in\.json: line 7: Column\(/url\) changed from string to number$"
    with pytest.raises(TableError, match=reason):
        run(["in.json"], "out.json")


def test_nested_values_are_json_in_csv() -> None:
    run([table_in("in.json", [{"url": "?q=1"}])], "out.csv", Plan("query-params", "url"))
    assert rows_of("out.csv") == [{"url": "?q=1", "query_params": '[{"key": "q", "value": "1"}]'}]
    table = pa.table(
        {
            "url": pa.array(["a", None]).dictionary_encode(),
            "view": pa.array(["b", None], pa.string_view()),
            "list": pa.array([[1, None], None], pa.list_(pa.int64())),
        }
    )
    pq.write_table(table, "in.parquet")
    run(["in.parquet"], "out.csv")
    assert Path("out.csv").read_text("utf-8").splitlines()[1:] == ['"a","b","[1, null]",', ",,,"]


def test_maps_are_objects_in_json_unless_a_key_occurs_twice() -> None:
    run([table_in("in.json", [{"url": "?q=1&b&q=2"}])], "out.json", Plan("params", "url", keep=()))
    assert rows_of("out.json") == [{"params": {"q": "1", "b": None}}]
    pairs = [[("a", 1), ("b", None)], None]
    for key, rows, made in (
        (pa.large_string(), pairs, [{"a": 1, "b": None}, None]),
        (pa.string(), [*pairs, [("a", 1), ("a", 2)]], [*pairs, [("a", 1), ("a", 2)]]),
    ):
        maps = pa.array(rows, pa.map_(key, pa.int64()))
        pq.write_table(pa.table({"url": ["a"] * len(rows), "m": maps}), "in.parquet")
        run(["in.parquet"], "out.json")
        written = [json.loads(line)["m"] for line in Path("out.json").read_text().splitlines()]
        assert written == json.loads(json.dumps(made))


def test_dates_are_strings_in_json_and_bytes_are_rejected() -> None:
    for name, value, message in (
        ("date", date(2024, 1, 2), None),
        (
            "number",
            float("nan"),
            "column 'number': JSON cannot represent bytes, NaN or infinity; do not",
        ),
        ("octets", b"x", "column 'octets': JSON cannot represent bytes, NaN or infinity; do not"),
    ):
        given = [table_in("in.parquet", [{"url": "x", name: value}])]
        if message is None:
            run(given, "out.json")
            assert json.loads(Path("out.json").read_text("utf-8"))["date"] == "2024-01-02"
        else:
            with pytest.raises(TableError, match=rf"out\.json: {message}"):
                run(given, "out.json")


def test_decimals_are_strings_in_json() -> None:
    table = pa.table({"url": ["x"], "n": pa.array(["1.10"]).cast(pa.decimal128(5, 2))})
    pq.write_table(table, "in.parquet")
    run(["in.parquet"], "out.json")
    assert json.loads(Path("out.json").read_text("utf-8"))["n"] == "1.10"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("in.parquet", b"", "Parquet file size is 0 bytes"),
        ("in.parquet", b"PAR1nothing at all like it", ""),
        ("in.csv", b"", "the file has no header line"),
        ("in.csv", b"a," * 2**19 + b"a\n", "the header line is longer than"),
        (
            "in.csv",
            b'"' + b"a\n" * 2**17 + b'"\n',
            "a column name is longer than 131,072 char",
        ),
        (
            "in.csv",
            b'url\n"' + b"x\n" * 2**23,
            "a quote is not closed",
        ),
        ("in.csv.gz", gzip.compress(b"x" * 2**24), "the header line is longer"),
        ("in.json", URL_IS_X + b"[" * 2**24 + b"]", "line 2 is longer than 16,777,216 octets"),
        (
            "in.json",
            b'{"url": ' + b"[" * 20000 + b"]" * 20000 + b"}",
            "line 1 is nested more than 100",
        ),
        (
            "in.json",
            b'{"url": ' + b'{"a": ' * 2000 + b"1" + b"}" * 2001,
            "line 1 is nested more than",
        ),
        (
            "in.json",
            URL_IS_X + b"\n{}\n" * 9 + b"[[1]," + b"[" * 101,
            "line 20 is nested more than 100",
        ),
        ("in.csv", b"url\nx\ny,http://u:geheim@h\n", "row 2 has 2 fields, not 1; rows are counted"),
        (
            "in.csv",
            b'url,b\n"\n\n",\n\nx\n',
            "row 2 has 1 field, not 2; rows are",
        ),
        (
            "in.csv",
            b"url\nx\n\xff\n",
            "row 2 is not valid UTF-8; rows are counted after",
        ),
        ("in.csv", b"url\n" + b"x\n" * 2**22 + b"y,z\n", "row 4,194,305 has 2 fields"),
        ("in.csv", b"\xff\n", "the file is not valid UTF-8"),
        ("in.json", b" \n", "the file contains no JSON objects"),
        ("in.json", b'{"url": "http://u:geheim@h"', "line 1: Missing a comma"),
        ("in.json", b'{"url": "\xff"}', "Invalid UTF8"),
        ("in.json", b"[1]", "line 1: Column() changed from object to array"),
        ("in.json", b'null\n{"url":"x"}\n', "line 1 is null, not a JSON object"),
        ("in.json", b"\n\xef\xbb\xbf \t\rnull", "line 2 is null, not a JSON object"),
        ("in.json", b'{"url":"x"}\n null\n', "line 2 is null, not a JSON object"),
        (
            "in.json",
            b'{"url":"x","http://u:geheim@h/":1}\n{"url":"x","http://u:geheim@h/":""}',
            "changed from number to string",
        ),
        ("in.csv", b"url\rx\r", "the header line contains a carriage return without"),
        ("in.csv.gz", gzip.compress(b"url\nx\n" * 99, mtime=0)[:-9], "ended before"),
        ("in.csv.gz", b"url\n", "Not a gzipped file"),
        ("in.csv.gz", gzip.compress(b"", mtime=0)[:10] + b"\xff" * 99, "invalid block type"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_the_error_for_a_malformed_file_gives_its_name(
    name: str, content: bytes, message: str
) -> None:
    Path(name).write_bytes(content)
    Path("out.csv").write_text("before", "utf-8")
    with pytest.raises(TableError) as raised:
        run([name], "out.csv")
    shown = str(raised.value)
    assert shown.startswith(f"{name}: ")
    assert message in shown
    assert "\n" not in shown
    assert "geheim" not in shown
    assert nothing_but(name, "out.csv")
    assert Path("out.csv").read_text("utf-8") == "before"


@pytest.mark.parametrize(
    "value",
    [
        "[" * 99 + "]" * 99,
        '{"a":' * 99 + "1" + "}" * 99,
        "[" + "[[]]," * 200 + "[]]",
        '"' + "[" * 1000 + '"',
        '"\\"' + "[{" * 1000 + '\\\\"',
        '["\\\\",' + "[]," * 200 + '"]"]',
    ],
)
def test_closed_brackets_and_brackets_in_strings_are_not_nested(value: str) -> None:
    assert not _json_lines.is_deep(b'{"url": "x", "a": %s}\n' % value.encode() * 3)


def test_deeply_nested_columns_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_columnar, "DEEPEST", 10)
    for depth in (10, 11, 200):
        kind = pa.int8()
        for _ in range(depth):
            kind = pa.struct({"a": kind})
        pq.write_table(pa.schema({"url": pa.string(), "x": kind}).empty_table(), f"{depth}.parquet")
    assert run(["10.parquet"], "out.parquet") == Tally()
    with pytest.raises(TableError, match=r"^11\.parquet: column 'x' is nested more than 10 levels"):
        run(["11.parquet"], "out.parquet")
    # pyarrow rejects this depth. Its message depends on the version.
    with pytest.raises(TableError, match=r"^200\.parquet: "):
        run(["200.parquet"], "out.parquet")


def test_dictionary_columns_are_aligned_with_the_other_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_batches, "ROWS", 5)
    monkeypatch.setattr(_batches, "DECODED", 3)
    rows = [{"url": f"http://{n}/", "kind": "ab"[n % 2], "n": n} for n in range(17)]
    table = pa.Table.from_pylist(rows)
    table = table.set_column(1, "kind", table.column("kind").dictionary_encode())
    pq.write_table(table, "in.parquet", row_group_size=7)
    run(["in.parquet"], "out.parquet")
    assert rows_of("out.parquet") == [{**row, "host": str(row["n"])} for row in rows]
    assert pa.types.is_dictionary(pq.read_schema("out.parquet").field("kind").type)
    run(["in.parquet"], "out.csv", Plan("host", "kind", keep=()))
    assert len(rows_of("out.csv")) == 17


def test_the_input_is_closed_before_the_output_replaces_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Windows cannot replace or rename an open file.
    put, still_open = _atomic_files.put, list[str]()

    def look(aside: Path, place: Path) -> None:
        names = {os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()}
        still_open.extend(names & {str(aside), str(place)})
        put(aside, place)

    monkeypatch.setattr(_atomic_files, "put", look)
    run([table_in("in.parquet")], "in.parquet")
    assert rows_of("in.parquet")[0]["host"] == "a"
    assert still_open == []


def test_folders_are_synced_only_on_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (os.name == "posix") == _atomic_files.FOLDERS_ARE_SYNCED
    monkeypatch.setattr(_atomic_files, "FOLDERS_ARE_SYNCED", False)

    def reject(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", reject)
    Path("aside").write_text("new", "utf-8")
    _atomic_files.put(Path("aside"), Path("place"))
    assert nothing_but("place")


def test_only_the_number_and_the_size_of_an_invalid_row_are_recorded() -> None:
    # Call the function directly, because pyarrow calls it in another thread.
    rows: list[tuple[int, int]] = []
    row = csv.InvalidRow(expected_columns=2, actual_columns=3, number=5, text="a,b,c")
    assert _delimited.skip_row(rows, row) == "error"
    assert rows == [(5, 3)]


def test_the_error_for_an_unreadable_or_unwritable_file_gives_its_name() -> None:
    table_in("in.json")
    Path("folder.csv").mkdir()
    Path("in").touch()
    Path("in.parquet.gz").touch()
    for given, output, message in (
        (["nothing.csv"], "out.csv", "nothing.csv: No such file or directory"),
        (["in.json"], "nowhere/out.csv", "nowhere/out.csv: No such file or directory"),
        (["in.json"], "folder.csv", "folder.csv: Is a directory"),
        (["in.json"], "out", "out has no known extension (.parquet, .arrow"),
        (["in"], "out.csv", "in has no known extension (.parquet, .arrow"),
        (["nothing"], "out.csv", "nothing: No such file or directory"),
        (["https://h/a.csv?x=*"], "out.csv", "https://h/a.csv?x=*: the only supported URLs are"),
        (["-"], "out.csv", "standard input and output have no known extension"),
        (["in.parquet.gz"], "out.csv", "in.parquet.gz has no known extension"),
        (["*.nothing"], "out.csv", "*.nothing: no file matches this pattern"),
        (["folder.csv"], "out.csv", "folder.csv: the folder contains no files of a known format"),
        (["."], "in.json", ".: the inputs include the output in.json; list them by name"),
        (["*.json"], "in.json", "*.json: the inputs include the output in.json"),
    ):
        with pytest.raises(TableError) as raised:
            run(given, output)
        assert str(raised.value).startswith(message)
    assert nothing_but("in.json", "folder.csv", "in", "in.parquet.gz")


def test_the_columns_in_folder_names_are_read() -> None:
    for year in (2025, 2026):
        Path(f"in/year={year}/k=a%2Fb").mkdir(parents=True)
        table_in(f"in/year={year}/k=a%2Fb/a.json")
    Path("in/year=2026/k=__HIVE_DEFAULT_PARTITION__").mkdir()
    table_in("in/year=2026/k=__HIVE_DEFAULT_PARTITION__/a.json")
    Path("in/other/year=1").mkdir(parents=True)
    table_in("in/other/year=1/a.json")
    plan = Plan("host", "url", keep=("year", "k"))
    first = {"year": "2025", "k": "a/b", "host": "a"}
    for given in (["in"], ["in/year=*/*/a.json"], ["in/year=2025", "in/year=2026"]):
        assert run(given, "out.json", plan).rows == 3 * len(ROWS)
        found = rows_of("out.json")
        assert found[0] == first
        assert [(row["year"], row["k"]) for row in found[:: len(ROWS)]] == [
            ("2025", "a/b"),
            ("2026", None),
            ("2026", "a/b"),
        ]
    # A folder in the names of all inputs does not become a column.
    run(["in/year=2026"], "out.json", Plan("host", "url"))
    assert rows_of("out.json")[0].keys() == {"url", "note", "k", "host"}
    run(["in/year=2025/k=a%2Fb/a.json"], "out.json", Plan("host", "url"))
    assert rows_of("out.json")[0].keys() == {"url", "note", "host"}


def test_tables_with_other_partition_columns_are_rejected() -> None:
    for folder in ("x=1", "x=2/url=3", "y=1"):
        Path("in", folder).mkdir(parents=True)
    table_in("in/x=1/a.json")
    table_in("in/y=1/a.json")
    with pytest.raises(TableError, match="the table has no column 'x'; choose one of url, note, y"):
        run(["in"], "out.csv")
    table_in("in/x=2/url=3/a.json")
    with pytest.raises(TableError, match="column 'url' is in the file and in the name of its fold"):
        run(["in/x=2"], "out.csv")
    assert not Path("out.csv").exists()


def run_to(output: Output, given: str = "in.parquet", plan: Plan | None = None) -> Tally:
    return transform(sources([given], None, ""), lambda _: plan or Plan("host", "url"), output)


@pytest.mark.parametrize("form", get_args(Format))
def test_partitions_are_written_and_read_back(form: Format) -> None:
    values = ["a/b", None, "a/b", "", "é=%", "a/b"]
    rows = [{"url": f"http://h{n}/", "k": k, "n": n % 2} for n, k in enumerate(values)]
    table_in("in.parquet", rows)
    plan = Plan("host", "url", keep=("k", "n"))
    tally = run_to(Output("out", form, partition_by=("k", "n")), plan=plan)
    assert (tally.rows, tally.bad.total()) == (6, 0)
    folders = {str(path.parent) for path in Path("out").glob("*/*/*")}
    assert folders == {
        "out/k=a%2Fb/n=0",
        "out/k=a%2Fb/n=1",
        "out/k=__HIVE_DEFAULT_PARTITION__/n=1",
        "out/k=/n=1",
        "out/k=é%3D%25/n=0",
    }
    name = "text" if form == "lines" else "host"
    transform(
        sources(["out"], None, ""),
        lambda _: Plan("select", name, {"results": {}}, drop_bad=True),
        Output("all.json", "ndjson"),
    )
    found = {row[name]: (row["k"], row["n"]) for row in rows_of("all.json")}
    assert found == {f"h{n}": (row["k"], str(n % 2)) for n, row in enumerate(rows)}
    assert nothing_but("in.parquet", "out", "all.json")


def test_rows_of_a_partition_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "ROWS", 7)
    monkeypatch.setattr(_parts, "GROUP_OCTETS", 300)
    monkeypatch.setattr(_parts, "MOST_OPEN", 2)
    rows = [{"url": f"http://h/{n}", "k": n * n % 5} for n in range(200)]
    table_in("in.parquet", rows)
    run_to(Output("out", "parquet", partition_by=("k",)))
    for k in range(5):
        parts = sorted(Path(f"out/k={k}").glob("*")) if Path(f"out/k={k}").exists() else []
        found = [row["url"] for part in parts for row in rows_of(str(part))]
        assert found == [row["url"] for row in rows if row["k"] == k]


def test_files_have_a_limited_number_of_rows() -> None:
    table_in("in.parquet", [{"url": f"http://h/{n}"} for n in range(10)])
    run_to(Output("out", "csv", file_rows=4))
    names = sorted(path.name for path in Path("out").iterdir())
    assert names == ["part-00000.csv", "part-00001.csv", "part-00002.csv"]
    assert [len(rows_of(f"out/{name}")) for name in names] == [4, 4, 2]
    run(["out"], "all.csv", Plan("select", "url", {"results": {}}, drop_bad=True))
    assert [row["url"] for row in rows_of("all.csv")] == [f"http://h/{n}" for n in range(10)]


def test_a_folder_of_files_without_rows_has_the_schema() -> None:
    pq.write_table(pa.table({"url": pa.array([], pa.string())}), "in.parquet")
    run_to(Output("out", "parquet", file_rows=4))
    assert pq.read_schema("out/part-00000.parquet").names == ["url", "host"]


def test_columns_that_cannot_be_partitions_are_rejected() -> None:
    table_in("in.parquet", [{"url": "http://h/?a", "list": [1]}])
    for names, plan, told in (
        (("nothing",), None, "the table has no column 'nothing'; choose one of url, list, host"),
        (("host",), Plan("host", "url", keep=()), "no column is left to write beside the partiti"),
        (("list",), None, "out: column 'list' cannot be in the names of folders"),
    ):
        with pytest.raises(TableError, match=told):
            run_to(Output("out", "parquet", partition_by=names), plan=plan)
        assert nothing_but("in.parquet")


def test_a_corrupt_row_group_leaves_no_partition() -> None:
    table = pa.table({"url": [f"http://h/{n}" for n in range(3000)], "k": [*range(3)] * 1000})
    pq.write_table(table, "in.parquet", row_group_size=1000, compression="snappy")
    place = pq.ParquetFile("in.parquet").metadata.row_group(2).column(0).data_page_offset
    whole = Path("in.parquet").read_bytes()
    Path("in.parquet").write_bytes(whole[:place] + b"\xff" * 200 + whole[place + 200 :])
    Path("out/k=0").mkdir(parents=True)
    Path("out/k=0/part-0.parquet").write_text("before", "utf-8")
    for output in (
        Output("out", "parquet", partition_by=("k",)),
        Output("new", "csv", file_rows=9),
    ):
        with pytest.raises(TableError, match=r"^in\.parquet: "):
            run_to(output)
    assert nothing_but("in.parquet", "out")
    assert Path("out/k=0/part-0.parquet").read_text("utf-8") == "before"


def test_the_error_for_null_in_place_of_an_object_gives_its_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", 16)
    Path("in.json").write_bytes(URL_IS_X * 5 + b"null\n")
    with pytest.raises(TableError, match=r"in\.json: line 6 is null, not a JSON object"):
        run(["in.json"], "out.csv")
    Path("b.json").write_bytes(b"null\n" + URL_IS_X)
    with pytest.raises(TableError, match=r"b\.json: line 1 is null, not a JSON object"):
        run([table_in("a.json"), "b.json"], "out.csv")
    Path("in.json").write_bytes(b'{"url": null, "null": "null"}\n')
    assert rows_of("in.json") == [{"url": None, "null": "null"}]


@pytest.mark.parametrize("block", [2, 1 << 22])
def test_a_byte_order_mark_is_not_part_of_the_first_line(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_text_lines, "BLOCK", block)
    for content, texts in (
        (b"a\n\xef\xbb\xbfb", ["a", "\ufeffb"]),
        (b"a", ["a"]),
        (b"\n", [""]),
        (b"", []),
    ):
        Path("in.txt").write_bytes(b"\xef\xbb\xbf" + content)
        assert [row["text"] for row in rows_of("in.txt")] == texts
    Path("in.jsonl").write_bytes(b'\xef\xbb\xbf{"url": "x"}')
    assert rows_of("in.jsonl") == [{"url": "x"}]
    Path("in.csv").write_bytes(b"\xef\xbb\xbfurl\nx")
    assert rows_of("in.csv") == [{"url": "x"}]


SECRET = "http://u:secret@h/"


def test_messages_about_columns_have_no_passwords() -> None:
    pq.write_table(pa.table({"url": ["x"], "n": [{SECRET: 1}]}), "a.parquet")
    pq.write_table(pa.table({"url": ["x"], "n": [{SECRET: "1"}]}), "b.parquet")
    Path("in.csv").write_text(f"url,{SECRET}\nx,y\n", "utf-8")
    for given, output, plan, message in (
        (
            ["in.csv"],
            "out.txt",
            None,
            "lines have one column, not 3 (url, http://u:REDACTED@h/, host)",
        ),
        (
            ["a.parquet"],
            "out.csv",
            Plan("host", "n"),
            "is struct<http://u:REDACTED@h/: int64>; cast",
        ),
        (
            ["a.parquet", "b.parquet"],
            "out.csv",
            None,
            "is struct<http://u:REDACTED@h/: string>, but ",
        ),
    ):
        with pytest.raises(TableError) as raised:
            run(given, output, plan)
        assert message in str(raised.value)
        assert "secret" not in str(raised.value)


def test_messages_about_files_have_no_passwords() -> None:
    Path("http:/u:secret@h").mkdir(parents=True)
    table_in("in.csv")
    table_in("http:/u:secret@h/a.csv")
    Path(SECRET, "y").touch()
    for given, output, message in (
        ([SECRET + "y"], "out.csv", "http://u:REDACTED@h/y has no known extension"),
        ([SECRET + "x"], "out.csv", "http://u:REDACTED@h/x: the only supported URLs are those of"),
        (["in.csv"], SECRET + "x", "http://u:REDACTED@h/x has no known extension"),
        (["http:/u:secret@h/*.x"], "out.csv", "http:/"),
        (
            [SECRET],
            SECRET + "a.csv",
            "http://u:REDACTED@h/: the inputs include the output http://u:REDACTED@h/a.csv;",
        ),
    ):
        with pytest.raises(TableError) as raised:
            run(given, output)
        assert str(raised.value).startswith(message)
    Path("http:/u:secret@h/a.csv").unlink()
    with pytest.raises(TableError, match=r"http://u:REDACTED@h/: the folder contains no files of"):
        run([SECRET], "out.csv")


@unix
def test_a_link_to_a_pipe_is_written_to_directly() -> None:
    table_in("in.json")
    read, write = os.pipe()
    Path("out.csv").symlink_to(f"/dev/fd/{write}")
    try:
        run(["in.json"], "out.csv")
    finally:
        os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read().startswith(b'"url","note","host"\n')
    assert nothing_but("in.json", "out.csv")


@unix
def test_outputs_that_cannot_be_files_are_rejected() -> None:
    table_in("in.json")
    Path("loop.csv").symlink_to("loop.csv")
    for output, message in (
        ("loop.csv", "loop.csv: Too many levels of symbolic links"),
        ("new.csv/", "new.csv/: this is the path of a folder; add a file name"),
        ("new.csv/.", "new.csv/.: this is the path of a folder; add a file name"),
    ):
        for words in ((output, None), ("out.csv", output)):
            with pytest.raises(TableError) as raised:
                run(["in.json"], words[0], bad_rows=words[1])
            assert str(raised.value) == message
    with pytest.raises(TableError, match=r"loop\.csv: Too many levels"):
        run(["*.json"], "loop.csv")
    assert nothing_but("in.json", "loop.csv")
    assert Path("loop.csv").is_symlink()


@unix
def test_links_to_folders_are_not_followed() -> None:
    Path("tree/k=1/sub/.hidden").mkdir(parents=True)
    for name in (
        "tree/a.csv",
        "tree/k=1/b.csv",
        "tree/k=1/sub/c.csv",
        "tree/k=1/sub/.hidden/d.csv",
    ):
        Path(name).write_text("url\nhttp://a/\n", "utf-8")
    for name, target in (("tree/k=1/sub/loop", "../.."), ("tree/k=1/k=2", ".."), ("link", "tree")):
        Path(name).symlink_to(target, target_is_directory=True)
    files = ["tree/a.csv", "tree/k=1/b.csv", "tree/k=1/sub/c.csv"]
    absolute = str(Path("tree").absolute())
    for given, expected in (
        ("tree", files[:2]),
        ("tree/**/*.csv", files),
        ("tree/**", files),
        ("**/sub/**/*.csv", files[2:]),
        ("**/b.csv", files[1:2]),
        ("l*/**/b.csv", ["link/k=1/b.csv"]),
        (f"{absolute}/**/c.csv", [f"{absolute}/k=1/sub/c.csv"]),
    ):
        assert [source.name for source in sources([given], None, "out.csv")] == [
            str(Path(name)) for name in expected
        ]


@unix
def test_a_broken_link_is_not_skipped() -> None:
    table_in("in.json")
    Path("broken.json").symlink_to("nothing.json")
    for given in (".", "*.json"):
        with pytest.raises(TableError, match=r"broken\.json: No such file or directory"):
            run([given], "out.csv")
    assert nothing_but("in.json", "broken.json")


def test_a_file_name_may_be_as_long_as_the_file_system_allows() -> None:
    for name in ("n" * 251 + ".csv", "€" * 83 + ".csv"):
        run([table_in("in.json")], name)
        assert len(rows_of(name)) == len(ROWS)


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1 << 62], pa.timestamp("us")),
        pa.array([[(1 << 31) - 1]], pa.list_(pa.int32())).cast(pa.list_(pa.date32())),
        pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]),
    ],
    ids=["timestamp", "dates", "struct"],
)
@pytest.mark.parametrize("end", ["csv", "json"])
def test_the_error_for_a_value_without_a_json_form_names_the_column(values: Any, end: str) -> None:
    pq.write_table(pa.table({"url": ["x"], "n": values}), "in.parquet")
    if pa.types.is_timestamp(values.type) and end == "csv":
        run(["in.parquet"], "out.csv")
        return
    with pytest.raises(TableError, match=rf"out\.{end}: column 'n': JSON cannot represent some"):
        run(["in.parquet"], f"out.{end}")
    assert nothing_but("in.parquet")


def test_the_error_for_a_string_that_is_not_utf_8_names_the_column() -> None:
    octets = pa.array([b"\xff"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"url": ["x"], "n": octets}), "in.parquet")
    with pytest.raises(TableError, match=r"out\.json: column 'n': a string is not valid UTF-8"):
        run(["in.parquet"], "out.json")


def test_a_file_name_that_is_not_utf_8_is_escaped_in_bad_rows() -> None:
    name = os.fsdecode(b"\xff.txt")
    try:
        Path(name).write_text("a b\n", "utf-8")
    except OSError:
        pytest.skip("this file system only accepts UTF-8")
    run([name], "out.json", Plan("host", "text"), bad_rows="bad.json")
    assert [row["file"] for row in rows_of("bad.json")] == ["\\udcff.txt"]


def test_standard_input_must_be_the_only_input() -> None:
    with pytest.raises(TableError, match="standard input must be the only input"):
        sources(["-", "-"], "lines", "")


def test_the_output_may_replace_the_input() -> None:
    run([table_in("in.parquet")], "in.parquet")
    assert [row["host"] for row in rows_of("in.parquet")] == ["a", None, None, None, "é"]


@unix
def test_a_replaced_file_keeps_its_mode_and_links_are_kept() -> None:
    table_in("in.json")
    Path("real.csv").touch(mode=0o640)
    Path("link.csv").symlink_to("real.csv")
    run(["in.json"], "link.csv")
    assert Path("link.csv").is_symlink()
    assert stat.S_IMODE(Path("real.csv").stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        run(["in.json"], "new.csv")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new.csv").stat().st_mode) == 0o640


@unix
def test_a_device_is_written_to_directly() -> None:
    Path("nowhere.csv").symlink_to(os.devnull)
    assert run([table_in("in.json")], "nowhere.csv").rows == 5
    assert nothing_but("in.json", "nowhere.csv")
    assert not Path(os.devnull).is_file()


@unix
@pytest.mark.parametrize("end", ["parquet", "csv", "json", "txt", "csv.gz"])
def test_a_full_disk_is_reported_and_leaves_no_file(end: str) -> None:
    table_in("in.txt", [{"url": f"http://{n}/"} for n in range(20000)])
    Path(f"full.{end}").symlink_to("/dev/full")
    with pytest.raises(TableError, match=f"full.{end}: No space left on device"):
        run(["in.txt"], f"full.{end}", Plan("host", "text", keep=()))
    assert nothing_but("in.txt", f"full.{end}")


@pytest.mark.parametrize("end", ["parquet", "csv", "json"])
def test_a_late_failure_leaves_the_old_output(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "ROWS", 1)
    monkeypatch.setattr(_writers, "GROUP_ROWS", 1)
    table_in("a.json")
    Path("b.csv").write_text("url,note\nx,y\nz\n", "utf-8")
    Path(f"out.{end}").write_text("before", "utf-8")
    with pytest.raises(TableError, match=r"b\.csv: row [0-9,]+ has 1 field,"):
        run(["a.json", "b.csv"], f"out.{end}", bad_rows="bad.parquet")
    assert nothing_but("a.json", "b.csv", f"out.{end}")
    assert Path(f"out.{end}").read_text("utf-8") == "before"


class Pipe(io.BytesIO):
    """A stream that is not seekable."""

    def seekable(self) -> bool:
        return False


class Standard:
    """A replacement for `sys.stdin`."""

    def __init__(self, buffer: io.BytesIO) -> None:
        self.buffer = buffer


@pytest.mark.parametrize("form", ["parquet", "csv", "ndjson"])
def test_standard_input_may_be_a_pipe(form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    end = {"ndjson": "json"}.get(form, form)
    run([table_in("in.parquet")], f"in.{end}", Plan("host", "url", prefix="x_"))
    monkeypatch.setattr(sys, "stdin", Standard(Pipe(Path(f"in.{end}").read_bytes())))
    source = Source("-", form)
    assert source.size is None
    plan = Plan("host", "url", keep=("url",))
    transform([source], lambda _: plan, Output("out.csv", "csv"))
    assert [row["host"] for row in rows_of("out.csv")] == ["a", None, None, None, "é"]


def test_closed_standard_input_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(TableError, match="standard stream: standard input is closed"):
        transform([Source("-", "csv")], lambda _: Plan("host", "url"), Output("out.csv", "csv"))


def test_a_broken_pipe_is_not_converted() -> None:
    with pytest.raises(BrokenPipeError), failing("x"):
        raise BrokenPipeError


def test_a_tally_lists_the_most_frequent_error_first() -> None:
    tally = Tally(5_000_000)
    assert str(tally) == "5,000,000 rows, 0 bad"
    tally.bad.update({"host": 30_001, "path": 61_220, "query": 30_001})
    assert str(tally) == "5,000,000 rows, 121,222 bad: path 61,220, host 30,001, query 30,001"


def test_a_tally_uses_the_singular_for_one_row() -> None:
    assert str(Tally(1)) == "1 row, 0 bad"
    assert str(Tally(1, Counter({"host": 1}))) == "1 row, 1 bad: host 1"
    assert str(Tally(0)) == "0 rows, 0 bad"
    assert str(Tally(2)) == "2 rows, 0 bad"


@pytest.mark.parametrize(
    "left", ["precious.txt", "year=1/precious.txt", "empty", "part-0.parquet", "year=1/part-0.csv"]
)
def test_a_folder_with_other_files_is_not_replaced(tmp_path: Path, left: str) -> None:
    place = tmp_path / "out"
    (place / left).parent.mkdir(parents=True)
    (place / left).mkdir() if left == "empty" else (place / left).touch()
    if "part" not in left:
        with pytest.raises(TableError, match="contains other files"), folder_at(str(place)):
            pytest.fail("the folder must be rejected")
        assert (place / left).exists()
        return
    with folder_at(str(place)) as aside:
        aside.mkdir()
        (aside / "_SUCCESS").touch()
    assert [entry.name for entry in place.iterdir()] == ["_SUCCESS"]


def test_the_old_folder_is_kept_if_the_new_one_cannot_be_renamed(tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    (place / "part-0").touch()
    with pytest.raises(FileNotFoundError), folder_at(str(place)):
        pass  # Write nothing.
    assert [entry.name for entry in place.iterdir()] == ["part-0"]
    with pytest.raises(FileNotFoundError), folder_at(str(tmp_path / "new")):
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_an_incomplete_parquet_file_has_no_footer() -> None:
    stream = io.BytesIO()
    table = pa.table({"a": ["b"]})
    writer = _writers.ParquetWriter(stream, table.schema, "snappy")
    writer.write(table.to_batches()[0])
    writer.write_group()
    assert writer.stream.tell() == len(stream.getvalue())
    writer.abandon()
    with pytest.raises(OSError, match="the stream is shut"):
        writer.stream.write(b"PAR1")
    del writer
    assert stream.getvalue().startswith(b"PAR1")
    assert not stream.getvalue().endswith(b"PAR1")


# --- outputs that are not completed

FOLDER_SCHEMA = pa.schema([("site", pa.string()), ("path", pa.string())])


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv"])
@pytest.mark.parametrize("options", [{}, {"partition_by": ("site",)}, {"file_rows": 1}])
def test_an_error_leaves_neither_a_file_nor_a_folder(
    form: Format, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_writers, "GROUP_OCTETS", 1)
    monkeypatch.setattr(_parts, "GROUP_OCTETS", 1)
    rows = [{"site": site, "path": f"/{n}"} for site in ("a", "b") for n in range(3)]
    output = Output(str(tmp_path / "out"), form, **options)

    def interrupted() -> None:
        with output.written(FOLDER_SCHEMA) as write:
            write(pa.RecordBatch.from_pylist(rows, FOLDER_SCHEMA))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_without_row_groups_has_no_compression(tmp_path: Path) -> None:
    name = str(tmp_path / "in.parquet")
    pq.ParquetWriter(name, pa.schema([("url", pa.string())])).close()
    with _reading.opened(sources([name], None, "")[0], lambda schema: schema.names) as reader:
        assert (reader.compression, list(reader.batches)) == (None, [])


def test_the_reason_for_too_little_memory_names_both_causes(tmp_path: Path) -> None:
    with (
        pytest.raises(TableError, match="in: there is not enough memory, or the file is damaged"),
        failing("in"),
    ):
        raise MemoryError
