"""Pages with results state the conditions of the run, and a command that repeats it and works.

`RUNS` lists the commands. A page with figures that has no command in this list fails a test.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from conformance.conditions import START

ROOT = Path(__file__).resolve().parents[2]

#: The pages that may have results. The changelog describes earlier versions.
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "_build" not in path.parts
}

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: Matches the signs of a page with results: the statement, a block that a tool writes, a date, a
#: time, a speed, or a share.
RESULTS = re.compile(
    rf"{START}|<!-- results|\b20\d\d-\d\d-\d\d\b"
    r"|(?<![\w.])\d[\d.,]* (?:[nµum]s|[KMG]B/s)\b|(?<![\w.,])\d[\d,]* of \d[\d,]*\b"
)
STATEMENT = re.compile(
    rf"{START} 20\d\d-\d\d-\d\d, with uriverse \d+\.\d+\.\d+ \([a-z ]+\) and \w+ 3\.\d+\.\d+"
    r" on \w+ \w+ with \d+ processors? \([^)]+\)\."
)

#: The figures in these pages are not the results of a run.
OTHER_FIGURES = {
    "docs/how-to/connect.md": "a delay that RFC 8305 recommends",
    "docs/how-to/policy.md": "limits of time",
}


class Run(NamedTuple):
    """The beginning of a command of a page, and how to run it.

    The arguments `small` run it on small input, in a folder with URLs. A `test` calls a command
    that would write into the repository, or that is itself a test. The command needs some modules,
    and perhaps a file that is not in the repository.
    """

    page: str
    command: str
    small: str = ""
    test: str = ""
    needs: tuple[str, ...] = ()
    file: str = ""


RUNS = (
    Run("README.md", "python benchmarks/comparison.py", "benchmarks/comparison.py",
        needs=("can_ada", "httpx", "pyarrow", "pydantic", "rfc3986", "yarl")),
    Run("docs/benchmarks.md", "python -m benchmarks",
        "-m benchmarks --quick --results {folder} http_messages",
        needs=("can_ada", "httptools", "requests", "starlette", "url", "werkzeug", "yarl")),
    Run("docs/coming-from/index.md", "pytest tests/docs/test_coming_from.py",
        test="tests/docs/test_coming_from.py::test_a_string_has_the_result_in_the_table"),
    Run("docs/conformance.md", "python -m conformance.complete\n",
        "-m conformance.complete scheme check_octets"),
    Run("docs/conformance.md", "python -m conformance\n",
        "-m conformance --suites {folder} --json {folder}/results"),
    Run("docs/conformance.md", "pytest -rP --extended --hypothesis-profile=full"
        " compare/tests/test_other_parsers.py",
        test="compare/tests/test_other_parsers.py::test_check_reports_strings_in_which_python_"
        "parsers_see_different_hosts"),
    Run("docs/conformance.md", "python compare/tests/test_other_parsers.py",
        "compare/tests/test_other_parsers.py"),
    Run("docs/conformance.md", "python tests/agreement/test_repaired_urls.py",
        "tests/agreement/test_repaired_urls.py", needs=("ada_url",)),
    Run("docs/conformance.md", "pytest -rP tests/hostile/test_planted_secrets.py",
        test="tests/hostile/test_planted_secrets.py::test_planted_secrets_in_paths_of_documented_"
        "services_are_replaced"),
    Run("docs/conformance.md", "python tests/hostile/test_planted_secrets.py",
        "tests/hostile/test_planted_secrets.py"),
    Run("docs/conformance.md", "python tests/conformance/test_ordinary_text.py",
        "tests/conformance/test_ordinary_text.py"),
    Run("docs/differences.md", "python -m compare_conformance.differential",
        test="compare/tests/conformance/test_differential.py::test_the_command_writes_the_report"),
    Run("docs/fuzzing.md", "fuzz/run --minutes 10", "fuzz/run --minutes 0.01 percent"),
    Run("docs/fuzzing.md", "fuzz/planted", "fuzz/planted --check"),
    Run("docs/fuzzing.md", "python tools/mutate.py",
        test="tests/unit/tools/test_mutate.py::"
        "test_one_command_mutates_a_module_and_prints_what_no_test_notices"),
    Run("docs/how-to/column-jobs.md", "python benchmarks/jobs.py",
        "benchmarks/jobs.py --rows 300 --rounds 2",
        needs=("duckdb", "polars", "publicsuffixlist", "w3lib")),
    Run("docs/http-peers.md", "python -m compare_conformance.http_peers",
        test="compare/tests/conformance/test_http_peers.py::"
        "test_a_page_that_is_out_of_date_is_reported_and_written_again"),
    Run("docs/peers.md", "python -m conformance --peers",
        "-m conformance --suites {folder} --peers --markdown {folder}/page"),
    Run("docs/playground.md", "python benchmarks/playground.py", "benchmarks/playground.py",
        needs=("playwright",), file="docs/_build/html/playground/index.html"),
    Run("docs/url-rules.md", "python -m compare_conformance.url_rule_peers",
        "-m compare_conformance.url_rule_peers", needs=("can_ada",)),
)  # fmt: skip


def statements(text: str) -> list[str]:
    return re.findall(rf"^{START} .*?(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> str:
    blocks = [code for language, code in BLOCK.findall(text) if language in {"sh", "console"}]
    spans = re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    return re.sub(r"\.venv/bin/|\\\n *", "", "\n".join([*blocks, *spans]))


WITH_RESULTS = [
    page
    for page, text in PAGES.items()
    if RESULTS.search(BLOCK.sub("", text)) and page not in OTHER_FIGURES
]


def test_a_page_with_results_is_recognized() -> None:
    assert {"README.md", "docs/benchmarks.md", "docs/peers.md"} <= {*WITH_RESULTS}
    assert RESULTS.search("It took 3.5 µs.")
    assert RESULTS.search("on 2026-11-27")
    assert RESULTS.search("28 of 52 forms")
    assert not RESULTS.search("RFC 3986, 200 MB, version 1.2 of 2026")


def test_other_figures_are_still_there() -> None:
    assert [page for page in OTHER_FIGURES if not RESULTS.search(PAGES[page])] == []


@pytest.mark.parametrize("page", WITH_RESULTS)
def test_a_page_with_results_names_a_command_that_is_tested(page: str) -> None:
    assert page in {run.page for run in RUNS}, "add the command of the page to RUNS"


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.page} {run.command}".strip())
def test_a_tested_command_is_on_its_page(run: Run) -> None:
    assert run.command in commands(PAGES[run.page])
    assert bool(run.small) != bool(run.test)
    file, _, name = run.test.partition("::")
    if file:
        assert f"def {name}" in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize("page", WITH_RESULTS)
def test_a_page_with_results_states_date_versions_and_system(page: str) -> None:
    found = [" ".join(one.split()) for one in statements(PAGES[page])]
    assert found
    assert [one for one in found if not STATEMENT.match(one)] == []


@pytest.mark.slow  # only a release needs it
@pytest.mark.parametrize("run", [run for run in RUNS if run.small], ids=lambda run: run.small)
def test_a_command_runs_on_small_input(run: Run, tmp_path: Path) -> None:
    for module in run.needs:
        pytest.importorskip(module, reason=f"needs {module} (pip install --group bench)")
    if run.file and not (ROOT / run.file).exists():
        pytest.skip(f"needs {run.file} (python tools/make_playground.py)")
    (tmp_path / "urls.txt").write_text(
        "http://a.example/b\nhttp://a.example\\@b.example/\n", "utf-8"
    )
    suite = "uritools.json"
    (tmp_path / suite).write_bytes((ROOT / "conformance/suites" / suite).read_bytes())
    words = [word.format(folder=tmp_path) for word in run.small.split()]
    shown = re.search(
        rf"PYTHONPATH=(\S+) (?:\w+=\S+ )*{re.escape(run.command)}", commands(PAGES[run.page])
    )
    modules = {"PYTHONPATH": shown[1]} if shown else {}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, **modules, "URIVERSE_CORPORA": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d", done.stdout)
