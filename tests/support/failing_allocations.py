"""Let the n-th allocation of a call fail; the call must raise `MemoryError` or succeed.

`tests/hostile/test_failing_allocations.py` starts this program with `failing_malloc.c` preloaded:

    failing_allocations.py NAME...
"""

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

from entry_points import ENTRY_POINTS, column_entry_points

from uriverse.columns._buffers import kernel_of_columns

MALLOC = ctypes.CDLL(None)
MALLOC.fail_after.argtypes = (ctypes.c_long, ctypes.c_long)

#: The result of a call that raised `MemoryError`.
NO_MEMORY = object()


def attempt(call: Callable[[], Any], count: int, number: int) -> tuple[Any, bool]:
    result = NO_MEMORY
    try:
        MALLOC.fail_after(count, number)
        result = call()
    except MemoryError:
        pass
    except SystemError as error:
        # CPython sets no exception in some calls of a Python function without memory. The
        # second message is that of a call from Python code.
        if not str(error).startswith(("<function ", "error return without exception set")):
            raise
    while True:
        try:
            return result, bool(MALLOC.stop_failing())
        except MemoryError:
            continue


def check(name: str, call: Callable[[], Any], step: int) -> int:
    """Let each `step`-th allocation of a call fail; return the number of allocations."""
    expected = call()
    assert call() == expected, f"{name} has several results"
    kernel = kernel_of_columns()
    buffers = kernel._count_buffers_in_use() if kernel is not None else 0
    for number in (1, 3):
        count, failed = 0, True
        while failed:
            result, failed = attempt(call, count, number)
            where = f"{name}, allocation {count}"
            assert result is NO_MEMORY or result == expected, f"{where}: {result!r}"
            if kernel is not None and kernel._count_buffers_in_use() != buffers:
                gc.collect()  # An exception refers to frames, which can refer to the exception.
                assert kernel._count_buffers_in_use() == buffers, f"{where}: a buffer leaks"
            count += step
        assert call() == expected, f"{name} changed its result"
    return count


def main() -> None:
    calls = {**ENTRY_POINTS, **column_entry_points()}
    gc.disable()  # so that all runs allocate the same
    for word in sys.argv[1:]:
        name, _, step = word.partition("=")
        allocations = check(name, calls[name], int(step or 1))
        sys.stdout.write(f"{name}: {allocations} allocations\n")


if __name__ == "__main__":
    main()
