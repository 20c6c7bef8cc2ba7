"""Cases that run every night only."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest


def all_but_first(cases: Iterable[Any]) -> list[Any]:
    """Mark all cases of a test but the first `slow`: they run the same code as the first."""
    first, *others = cases
    marked = (
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in others
    )
    return list(chain([first], marked))
