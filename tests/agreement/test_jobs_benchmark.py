import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import benchmark_scripts
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/column-jobs.md"
ROWS = 3_000


@pytest.fixture(scope="module")
def jobs() -> Iterator[ModuleType]:
    for package in ("duckdb", "polars", "publicsuffixlist", "w3lib", "yarl"):
        pytest.importorskip(package, reason=f"needs {package} (pip install --group bench)")
    with benchmark_scripts.importable() as script:
        yield script("jobs")


@pytest.fixture(scope="module")
def tables(jobs: ModuleType) -> Any:
    return jobs.tables_of(import_module("inputs").generated(ROWS), ROWS)


def test_all_rows_of_a_column_of_urls_are_distinct(tables: Any) -> None:
    for name in ("url", "link", "target", "typed", "line", "shown"):
        assert tables.hits[name].n_unique() == ROWS, name


def test_jobs_return_the_same_rows_with_and_without_uriverse(jobs: ModuleType, tables: Any) -> None:
    for job in jobs.JOBS:
        ours = jobs.rows_of(job.ours, tables, ordered=job.ordered)
        assert ours, job.name
        assert ours == jobs.rows_of(job.theirs, tables, ordered=job.ordered), job.name


@pytest.mark.slow
def test_the_code_without_uriverse_gives_the_listed_wrong_answers(jobs: ModuleType) -> None:
    for job in jobs.JOBS:
        assert jobs.answers(job, job.ours) == job.wrong.answer, job.name
        wrong = jobs.answers(job, job.theirs)
        if isinstance(job.wrong.wrong, str):
            assert job.wrong.wrong in wrong, job.name
        else:
            assert wrong == job.wrong.wrong, job.name


def test_the_page_has_a_section_and_a_row_for_each_job(jobs: ModuleType) -> None:
    page = PAGE.read_text("utf-8")
    headings = re.findall("^## (.+)", page, re.MULTILINE)
    assert headings[:-1] == [job.name for job in jobs.JOBS]
    for job in jobs.JOBS:
        cells = (f"[{job.name}](#{jobs.anchor(job.name)})", job.engine)
        counts = jobs.lines_of(job.ours), jobs.lines_of(job.theirs)
        assert f"| {' | '.join(map(str, (*cells, *counts)))} | " in page, job.name
        assert f" | {job.wrong.note} |\n" in page, job.name
