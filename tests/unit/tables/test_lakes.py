"""Tests of the recipe for Delta tables in the documentation."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

deltalake: Any = pytest.importorskip("deltalake", reason="needs deltalake (pip install deltalake)")

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

ROOT = Path(__file__).parents[3]


def recipe(heading: str) -> str:
    """Return the Python block below a heading of the page.

    Its language is `py`, because blocks in `python` run without a table.
    """
    page = (ROOT / "docs/columns/files.md").read_text("utf-8")
    return page.partition(f"## {heading}\n")[2].partition("```py\n")[2].partition("```")[0]


def test_the_recipe_for_delta_tables_writes_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    urls = ["http://A.example/", "a b", None]
    deltalake.write_deltalake("crawl", pa.table({"n": [1, 2, 3], "url": urls}))
    exec(recipe("Process a Delta table"), {})
    table = pa.table(deltalake.DeltaTable("hosts").to_pyarrow_table())
    assert table.sort_by("n").to_pydict() == {
        "n": [1, 3],
        "url": ["http://A.example/", None],
        "hostname": ["a.example", None],
    }
