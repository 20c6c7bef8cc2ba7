"""The scripts of the folder `benchmarks`, which import each other by their names alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@contextmanager
def importable() -> Iterator[Callable[[str], Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield import_module
    for script in BENCHMARKS.glob("*.py"):
        if script.stem != "__main__":  # the program that runs the tests
            sys.modules.pop(script.stem, None)
