"""Counts what an act does and takes, where timing it would tell of the machine as well."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from types import FrameType


def calls_of(act: Callable[[], object]) -> int:
    """How many calls an act makes, of functions in Python and of built-in ones."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def peak_of(act: Callable[[], object]) -> int:
    """The most memory that an act takes on top of what there was."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def assert_proportional(act: Callable[[int], object], size: int = 2000) -> None:
    """Assert that an act takes calls and memory in proportion to a size, or less."""
    act(size)  # all that is lazy is imported
    calls, peaks = zip(
        *((calls_of(partial(act, n)), peak_of(partial(act, n))) for n in (size, 2 * size)),
        strict=True,
    )
    assert calls[1] <= 2.1 * calls[0] + 200
    # Sets and lists grow by steps, and so does their memory.
    assert peaks[1] <= 3 * peaks[0] + 20_000
