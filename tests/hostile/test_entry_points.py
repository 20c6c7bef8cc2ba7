import gc
import os
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import entry_points
import pytest
from entry_points import ENTRY_POINTS, TEXT, VALUES, WIDE, column_entry_points
from interpreters import run_python

from uriverse import IRI, URI, IRIReference, Params, ParseError, URIReference, _engine
from uriverse.columns._buffers import kernel_of_columns

CALLS = {**ENTRY_POINTS, **column_entry_points()}

#: Calls that take less than a millisecond.
FAST = ("is_uri", "is_iri_reference", "parse", "try_parse", "attributes", "comparisons", "domains")

needs_kernel = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")


def shared_objects() -> list[Any]:
    objects: list[Any] = [None, True, False, NotImplemented, "", b"", ()]
    objects += [TEXT, WIDE, entry_points.LONG]
    objects += [URI, IRI, URIReference, IRIReference, Params, str, bytes, ParseError]
    return [*objects, *VALUES, *entry_points.INVALID, entry_points.ROWS, entry_points.Odd]


def counts() -> list[int]:
    gc.collect()
    return [sys.getrefcount(shared) for shared in shared_objects()]


def assert_nothing_leaks(call: Callable[[], Any], repeats: int) -> None:
    """Assert that calls leave no reference, no block of memory and no buffer of a column.

    A leak adds a reference or a block with every call. Caches of the interpreter also grow, but not
    in every series of calls, so the smallest growth of several series counts.
    """
    expected = call()
    references, blocks = [counts()], [sys.getallocatedblocks()]
    # After `counts` has collected the garbage of other tests.
    buffers = kernel_of_columns()._count_buffers_in_use()
    for _ in range(4):
        for _ in range(repeats):
            call()
        references.append(counts())
        blocks.append(sys.getallocatedblocks())
    changes = [[abs(b - a) for a, b in zip(*pair, strict=True)] for pair in pairwise(references)]
    assert all(min(series) < repeats // 2 for series in zip(*changes, strict=True))
    assert min(b - a for a, b in pairwise(blocks)) < repeats // 2
    assert kernel_of_columns()._count_buffers_in_use() == buffers
    assert call() == expected


@needs_kernel
@pytest.mark.parametrize("name", FAST)
def test_repeated_calls_leave_no_references_and_no_memory(name: str) -> None:
    assert_nothing_leaks(CALLS[name], 100)


@needs_kernel
@pytest.mark.extended
@pytest.mark.parametrize("name", CALLS)
def test_a_thousand_calls_leave_no_references_and_no_memory(name: str) -> None:
    assert_nothing_leaks(CALLS[name], 250)
    # Large blocks are not counted above.
    tracemalloc.start()
    try:
        for _ in range(200):
            CALLS[name]()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            CALLS[name]()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 200 * 256
    finally:
        tracemalloc.stop()


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def run_in_threads(work: Callable[[], None], count: int = 8) -> None:
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run() -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised in the main thread
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def assert_equal_in_threads(names: Iterable[str], repeats: int) -> None:
    expected = {name: CALLS[name]() for name in names}

    def work() -> None:
        for _ in range(repeats):
            assert {name: CALLS[name]() for name in expected} == expected

    run_in_threads(work)


@pytest.mark.usefixtures("frequent_switches")
def test_eight_threads_get_the_same_results_from_shared_values_and_columns() -> None:
    assert_equal_in_threads([*FAST, "columns: host of an array", "columns: normalize"], 10)


@pytest.mark.extended
@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("name", CALLS)
def test_eight_threads_get_the_same_results_from_each_entry_point(name: str) -> None:
    assert_equal_in_threads([name], 100)


@pytest.mark.usefixtures("frequent_switches")
def test_eight_threads_read_a_new_value_for_the_first_time() -> None:
    # Some results are stored in the value when they are first read.
    for _ in range(20):
        value, params = IRI(WIDE), Params("a=1&b=2&a=%41")

        def work(value: IRI = value, params: Params = params) -> None:
            assert (value.host, value.port) == ("b\u00fccher.example", 80)
            assert hash(value) == hash(IRI(WIDE))
            assert value.params.get("\u00e9") == "\u20ac"
            assert (params["b"], params.getall("a"), len(params)) == ("2", ["1", "A"], 3)

        run_in_threads(work)


#: Runs code in a new interpreter of the same process.
IN_ANOTHER_INTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
code = '''
import uriverse
assert str(uriverse.URI("http://a/b/c").resolve("../d")) == "http://a/d"
assert uriverse.compiled is {compiled}, uriverse.compiled
'''
failure = interpreters.run_string(other, code)
assert failure is None, failure
"""


def test_a_second_interpreter_uses_the_reference_implementation() -> None:
    # Cython modules can be loaded into one interpreter of a process only.
    program = "import uriverse\nuriverse.URI('http://a/')\n" + IN_ANOTHER_INTERPRETER.format(
        compiled=False
    )
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "URIVERSE_KERNEL": "auto"}
    run_python("-c", program, check=True, env=environment)


@needs_kernel
def test_a_second_interpreter_that_requires_the_kernel_is_told_why_it_cannot_have_it() -> None:
    program = "import uriverse\n" + IN_ANOTHER_INTERPRETER.format(compiled=True)
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "URIVERSE_KERNEL": "require"}
    done = run_python("-c", program, env=environment)
    assert done.returncode == 1
    assert "cannot be imported (" in done.stderr
    assert "interpreter" in done.stderr.partition("cannot be imported (")[2].partition(")")[0]


def test_the_user_name_of_an_iri_is_not_read_from_freed_memory() -> None:
    # The kernel read an ASCII part of a longer string after the part had been freed. With
    # PYTHONMALLOC=debug, Python overwrites freed memory.
    program = """
from uriverse import IRI
value = IRI("http://us%65r-with-a-name:p%40ss-word@b\\u00fccher.example/")
assert (value.username, value.password) == ("user-with-a-name", "p@ss-word")
"""
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONMALLOC": "debug"}
    run_python("-c", program, check=True, env=environment)
