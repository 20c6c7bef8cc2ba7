"""Counts what an act does and takes, where timing it would tell of the machine as well."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
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
