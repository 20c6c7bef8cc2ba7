import gc
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from types import FunctionType, ModuleType
from typing import Any

import benchmark_scripts
import pytest

from uriverse import URI


@pytest.fixture
def everyday() -> Iterator[ModuleType]:
    reason = "needs yarl (pip install --group bench)"
    pytest.importorskip("yarl", minversion="1.20", reason=reason)
    with benchmark_scripts.importable() as script:
        yield script("everyday")


# rfc3986 calls one of its own deprecated methods.
@pytest.mark.filterwarnings("ignore:Please use rfc3986:DeprecationWarning")
def test_all_libraries_return_the_same_results_unless_the_table_says_otherwise(
    everyday: ModuleType,
) -> None:
    names = everyday.installed((everyday.OURS, *everyday.PEERS))
    differences = [
        difference
        for operation in everyday.OPERATIONS
        for difference in everyday.differences(operation, everyday.codes_of(operation, names))
    ]
    assert differences == []


def test_all_libraries_of_an_operation_that_raises_an_error_raise_one(everyday: ModuleType) -> None:
    names = everyday.installed((everyday.OURS, *everyday.PEERS))
    raising = [operation for operation in everyday.OPERATIONS if operation.caught]
    assert raising
    for operation in raising:
        assert everyday.codes_of(operation, names)[0].library == everyday.OURS


def test_exactly_the_reads_of_stored_objects_are_marked_as_such(everyday: ModuleType) -> None:
    names = everyday.installed((everyday.OURS, *everyday.PEERS))
    stored = import_module("everyday_operations").STORED
    numbers = count()
    reads = re.compile(r"u(\.\w+)+(\[\d\])?")
    wrong = [
        (operation.name, code.library)
        for operation in everyday.OPERATIONS
        for code in everyday.codes_of(operation, names)[1:]
        if reads.fullmatch(code.variant.code) and code.library != "baseline"
        # yarl returns the same object for the same string.
        if has(code, f"https://user:pw@www.example.org:8443/a/b-c?q={next(numbers)}#sec")
        != (code.variant.work == stored)
    ]
    assert wrong == []


def has(code: Any, text: str) -> bool:
    """Return whether a value refers to the result of the code before the code has run."""
    value = code.make(text)
    level: list[Any] = [value]
    found: dict[int, object] = {}
    while level:
        level = [
            one
            for one in gc.get_referents(*level)
            if id(one) not in found and not isinstance(one, type | ModuleType | FunctionType)
        ]
        found.update((id(one), one) for one in level)
    return id(code.function(value)) in found


def test_the_names_of_operations_are_unique(everyday: ModuleType) -> None:
    names = [operation.name for operation in everyday.OPERATIONS]
    assert len(set(names)) == len(names)


def test_every_public_attribute_of_a_uri_is_measured(everyday: ModuleType) -> None:
    code = " ".join(operation.ours for operation in everyday.OPERATIONS)
    measured = set(re.findall(r"\b(?:u|URI|base)\.(\w+)", code))
    names = {name for name in dir(URI("a:b")) if not name.startswith("_")}
    assert names - measured == set()
