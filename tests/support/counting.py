"""Count the calls and measure the memory of a function: unlike time, both are reproducible."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from types import FrameType


def calls_of(act: Callable[[], object]) -> int:
    """Count the function calls that `act` makes, including calls of built-in functions."""
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


def collect_garbage() -> None:
    """Collect garbage, and exempt what is left from later collections, which it would slow down."""
    gc.collect()
    gc.freeze()


def peak_of(act: Callable[[], object]) -> int:
    """Return the peak of the memory that `act` needs, in bytes."""
    # Python keeps the memory of up to 2,000 tuples of each length for the next ones. A collection
    # frees this memory, which would not count otherwise.
    collect_garbage()
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def assert_proportional(act: Callable[[int], object], size: int = 2000) -> None:
    """Assert that the calls and the memory of `act` grow at most linearly with its argument."""
    act(size)  # so that lazy imports do not count
    calls, peaks = zip(
        *((calls_of(partial(act, n)), peak_of(partial(act, n))) for n in (size, 2 * size)),
        strict=True,
    )
    assert calls[1] <= 2.1 * calls[0] + 200
    # The memory of sets and lists grows in steps.
    assert peaks[1] <= 3 * peaks[0] + 20_000
