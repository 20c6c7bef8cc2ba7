"""The comparison table in the README equals the output of the benchmark script."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_comparison_table_of_the_readme_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = re.findall(r"(\w+)\s(\d+\.\d+\.\d+)", README.partition("other software: ")[2])
    assert len(versions) == 5
    for name, version in versions:
        pytest.importorskip(name, reason=f"needs {name} (pip install --group bench)")
        if importlib.metadata.version(name) != version:
            pytest.skip(f"the README describes {name} {version}")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    comparison = import_module("comparison")
    printed = list(comparison.table([library() for library in comparison.LIBRARIES]))
    del sys.modules["comparison"]
    start = README.index(printed[0])
    assert README[start:].splitlines()[: len(printed)] == printed
