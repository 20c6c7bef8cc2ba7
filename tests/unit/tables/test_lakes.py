"""Tests of the recipes for Delta and Iceberg tables in the documentation."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

ROOT = Path(__file__).parents[3]

CRAWL = pa.table({"n": [1, 2, 3], "url": ["http://A.example/", "a b", None]})

#: The rows that the recipes write.
HOSTS = {"n": [1, 3], "url": ["http://A.example/", None], "hostname": ["a.example", None]}


def recipe(heading: str) -> str:
    """Return the Python block below a heading of the page.

    Its language is `py`, because blocks in `python` run without a table.
    """
    page = (ROOT / "docs/columns/files.md").read_text("utf-8")
    return page.partition(f"## {heading}\n")[2].partition("```py\n")[2].partition("```")[0]


def test_the_recipe_for_delta_tables_writes_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deltalake: Any = pytest.importorskip(
        "deltalake", reason="needs deltalake (pip install deltalake)"
    )
    monkeypatch.chdir(tmp_path)
    deltalake.write_deltalake("crawl", CRAWL)
    exec(recipe("Process a Delta table"), {})
    table = pa.table(deltalake.DeltaTable("hosts").to_pyarrow_table())
    assert table.sort_by("n").to_pydict() == HOSTS


def test_the_recipe_for_iceberg_tables_writes_the_results_in_one_commit(tmp_path: Path) -> None:
    sql: Any = pytest.importorskip(
        "pyiceberg.catalog.sql", reason="needs pyiceberg (pip install 'pyiceberg[sql-sqlite]')"
    )
    settings = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/c.db",
        "warehouse": f"file://{tmp_path}",
    }
    catalog = sql.SqlCatalog("default", **settings)
    catalog.create_namespace("web")
    catalog.create_table("web.crawl", schema=CRAWL.schema).append(CRAWL)
    # pyiceberg reads its configuration when it is imported.
    environment = {f"PYICEBERG_CATALOG__DEFAULT__{key.upper()}": settings[key] for key in settings}
    subprocess.run(
        [sys.executable, "-c", recipe("Process an Iceberg table")],
        env={**os.environ, **environment},
        check=True,
    )
    hosts = catalog.load_table("web.hosts")
    assert hosts.scan().to_arrow().sort_by("n").to_pydict() == HOSTS
    assert len(hosts.snapshots()) == 1
    catalog.close()
