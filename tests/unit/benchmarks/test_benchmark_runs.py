import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import benchmark_scripts
import pytest

from uriverse import is_uri

ROOT = Path(__file__).resolve().parents[3]
BENCHMARKS = ROOT / "benchmarks"

#: The names of all benchmarks.
NAMES = re.findall(
    r'^    "(\w+)": \(',
    (BENCHMARKS / "__main__.py")
    .read_text("utf-8")
    .partition("BENCHMARKS = {")[2]
    .partition("\n}")[0],
    re.MULTILINE,
)

#: Averages of the real URLs that the generator imitates.
REAL = {
    "characters": 54.9,
    "characters of the authority": 10.0,
    "characters of the path": 34.4,
    "segments": 3.9,
    "share with a query": 0.085,
    "characters of a query": 34.4,
}

#: The conditions of a run.
RUN = {
    "date": "2026-11-27",
    "uriverse": "1.0.0",
    "engine": "compiled kernel",
    "python": "CPython 3.14.0",
    "system": "Linux x86_64",
    "processors": "2 (AMD EPYC)",
}


@pytest.fixture
def scripts() -> Iterator[Any]:
    pytest.importorskip("yarl")
    with benchmark_scripts.importable() as script:
        yield script


def test_generated_urls_are_distinct_valid_and_as_long_as_real_ones(scripts: Any) -> None:
    inputs: ModuleType = scripts("inputs")
    texts = inputs.generated(3000)
    assert len(set(texts)) == 3000
    assert all(map(is_uri, texts))
    assert texts == inputs.generated(3000)
    assert texts != inputs.generated(3000, seed=1)
    found = inputs.statistics(inputs.generated(20_000))
    for name, figure in REAL.items():
        assert figure * 0.9 < found[name] < figure * 1.1, name


def test_lines_of_files_are_read_once_and_in_a_fixed_order(scripts: Any, tmp_path: Path) -> None:
    inputs: ModuleType = scripts("inputs")
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfhttp://a/\r\nhttp://b/\r\n\r\nhttp://a/\r\n")
    assert sorted(inputs.corpus(tmp_path)) == ["http://a/", "http://b/"]
    assert inputs.corpus(tmp_path) == inputs.corpus(tmp_path)
    with pytest.raises(SystemExit, match="no strings in"):
        inputs.corpus(tmp_path / "missing")


def test_a_count_of_instructions_that_grows_by_more_than_the_tolerance_or_is_missing_is_marked(
    scripts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    instructions: ModuleType = scripts("instructions")
    before = {"parse": 1000, "str": 100}
    assert not instructions.compared({"parse": 1019, "str": 90, "new": 7}, before)
    assert "MORE" not in capsys.readouterr().out
    assert instructions.compared({"parse": 1021, "str": 100}, before)
    assert "MORE" in capsys.readouterr().out
    assert instructions.compared({"parse": 1000}, before)
    assert "GONE" in capsys.readouterr().out


def test_the_page_of_results_names_each_library_with_its_verdict(scripts: Any) -> None:
    spread = {"median": 100.0, "low": 90.0, "high": 110.0}
    ratio = {"median": 0.5, "low": 0.4, "high": 0.6}
    rows = [
        {"name": "uriverse", "figure": spread, "ratio": None, "target": None, "wrong": 0},
        {"name": "a|b", "figure": spread, "ratio": ratio, "target": 0.6, "wrong": 3},
        {"name": "c", "figure": spread, "ratio": ratio, "target": 0.4},
    ]
    table = {"title": "parse", "unit": "ns", "notes": ["a note"], "rows": rows}
    page = scripts("report").page(
        {"edits": {"machine": RUN, "peers": {"yarl": "1"}, "tables": [table]}}
    )
    assert "| uriverse | 100 (90 to 110) |  |  | 0 |" in page
    assert "| a\\|b | 100 (90 to 110) | 0.5 | 0.6, met | 3 |" in page
    assert "| c | 100 (90 to 110) | 0.5 | 0.4, missed |  |" in page
    assert "a note" in page


def test_the_page_has_a_row_for_each_library_and_a_column_for_each_length(scripts: Any) -> None:

    def table(length: str, **times: float) -> dict[str, Any]:
        rows = [
            {"name": name, "figure": dict.fromkeys(("median", "low", "high"), time), "ratio": None}
            for name, time in times.items()
        ]
        rows = [{**row, "target": None} for row in rows]
        return {"title": f"a, b, {length} characters", "unit": "ns", "notes": [], "rows": rows}

    tables = [table("100", uriverse=2000, slow=5000), table("1,000", uriverse=30_000)]
    page = scripts("report").page({"growth": {"machine": RUN, "peers": {}, "tables": tables}})
    assert page.endswith(
        "### A, b\n\n| µs | 100 characters | 1,000 characters |\n| --- | ---: | ---: |\n"
        "| uriverse | 2 | 30 |\n| slow | 5 |  |\n"
    )


def test_an_unknown_benchmark_is_one_line_of_error() -> None:
    command = [sys.executable, "-m", "benchmarks", "edit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown benchmark edit: the names are identifiers, " in done.stderr


def test_every_benchmark_has_a_section_on_the_page_of_results(scripts: Any) -> None:
    assert scripts("report").SECTIONS.keys() == {*NAMES}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_one_command_runs_a_benchmark_and_writes_its_results(name: str, tmp_path: Path) -> None:
    for package in ("yarl", "ada_url"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "benchmarks", "--quick", "--results", str(tmp_path), name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if absent := re.search(r"because (.+) is not installed", done.stdout):
        pytest.skip(f"needs {absent[1]} (pip install --group bench)")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("results.md: 1 of 1 benchmarks")
    assert "ratio" in (tmp_path / "results.md").read_text("utf-8")
    assert json.loads((tmp_path / f"{name}.json").read_text())["tables"]


def lost_cell(ratio: float) -> dict[str, Any]:
    spread = {"median": 100.0, "low": 90.0, "high": 110.0}
    rows = [
        {"name": "uriverse", "figure": spread, "ratio": None, "target": None},
        {"name": "yarl", "figure": spread, "ratio": dict.fromkeys(spread, ratio), "target": 1.0},
    ]
    tables = [{"title": "a new operation", "unit": "ns", "notes": [], "rows": rows}]
    return {"machine": RUN, "peers": {}, "tables": tables}


def test_the_documentation_shows_each_lost_cell_with_its_argument(scripts: Any) -> None:
    document: ModuleType = scripts("document")
    text = (
        "Before.\n<!-- results: faster -->\nold\n<!-- end -->\n"
        "<!-- results: targets -->\nold\n<!-- end -->\n"
        "<!-- results: edits -->\nold\n<!-- end -->\nAfter.\n"
    )
    page = document.page(text, {"everyday": lost_cell(1.3)}, {"a new operation": "An argument."})
    assert page.startswith("Before.\n<!-- results: faster -->\n\nOf 1 operations")
    assert "- **a new operation**: yarl, 1.3 (100 ns). An argument.\n" in page
    assert "0 of 1 targets are met." in page
    assert "| a new operation | yarl | 1.3 | 1 | missed |" in page
    assert page.endswith("<!-- results: edits -->\nold\n<!-- end -->\nAfter.\n")


def test_nothing_is_documented_while_a_lost_cell_has_no_argument(
    scripts: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document: ModuleType = scripts("document")
    (tmp_path / "everyday.json").write_text(json.dumps(lost_cell(1.3)), "utf-8")
    before = (ROOT / "docs/benchmarks.md").read_bytes()
    assert document.main([str(tmp_path)]) == 1
    assert "no argument for: a new operation" in capsys.readouterr().err
    assert (ROOT / "docs/benchmarks.md").read_bytes() == before
    cells = [*map(scripts("measure").Table.from_json, lost_cell(1.2)["tables"])]
    assert document.unexplained({"everyday": cells}, {}) == []


def test_each_argument_belongs_to_an_operation(scripts: Any) -> None:
    document: ModuleType = scripts("document")
    operations: ModuleType = scripts("everyday_operations")
    names = {one.name for one in operations.OPERATIONS} | {"import, microseconds"}
    names |= {f"{one.name}, in Python" for one in operations.PURE_OPERATIONS}
    others = (BENCHMARKS / "http_messages.py").read_text("utf-8")
    arguments = tomllib.loads(document.ARGUMENTS.read_text("utf-8"))
    assert [one for one in arguments if one not in names and f'"{one}"' not in others] == []
    assert all(argument.endswith(".") for argument in arguments.values())


def test_the_readme_has_the_passages_that_a_run_replaces(scripts: Any) -> None:
    document: ModuleType = scripts("document")
    measure: ModuleType = scripts("measure")
    names = document.LIBRARIES.values()
    rows = [
        measure.Row(name, measure.Spread(time, time, time)) for time, name in enumerate(names, 40)
    ]
    parsing = measure.Table("URI(text)", "ns", (), tuple(rows))
    data = {"machine": RUN, "peers": dict.fromkeys(document.VERSIONS.values(), "9.9")}
    text = document.readme((ROOT / "README.md").read_text("utf-8"), parsing, data)
    assert "takes 0.04 µs; the next" in text
    assert "| ns per parse | 40 | 41 | 42 | 43 | 44 | 45 | 46 |" in text
    statement = measure.statement(RUN, dict.fromkeys(document.VERSIONS, "9.9"))
    assert f"\n\n{statement}\n\n" in text


def test_results_of_several_runs_are_not_documented_together(
    scripts: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = {"machine": RUN, "peers": {}, "tables": []}
    next_day = {**figures, "machine": {**RUN, "date": "2026-11-28"}}
    other = {**figures, "machine": {**RUN, "uriverse": "1.1.0"}}
    earlier: dict[str, Any] = {"tables": []}
    files = {"edits": figures, "everyday": next_day, "redaction": other, "command_line": earlier}
    for name, data in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data), "utf-8")
    before = (ROOT / "docs/benchmarks.md").read_bytes()
    assert scripts("document").main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == "not from the same run as the others: redaction\n"
    assert (ROOT / "docs/benchmarks.md").read_bytes() == before
