"""The kernel and the reference implementation have the same names and accept the same types.

The fuzz target `parse`, which `test_fuzz_targets.py` runs, compares values, bounds and errors.
"""

import sys
from typing import Any

import pytest
from engines import ASKED, both
from misleading import MisleadingStr


def test_engines_define_the_same_methods_and_functions() -> None:
    spec, kernel = both()
    specified = {name for name in vars(spec.module.Identifier) if not name.startswith("__")}
    compiled = {name for name in vars(kernel.module.Identifier) if not name.startswith("__")}
    # Of some functions of the kernel, only the public types make properties.
    compiled |= specified & {*vars(kernel.module.URIMethods)}
    # Internals of the reference implementation.
    assert specified - {"_text", "_cached_match", "_match", "_of", "_derived", "_rule"} == compiled
    for name in ("load_types", "parse", *ASKED, "Identifier"):
        assert callable(getattr(spec.module, name))
        assert callable(getattr(kernel.module, name))


@pytest.mark.parametrize("wrong", [None, 1, b"a:", ["a:"], object()])
def test_both_engines_raise_type_error_for_other_types_than_str(wrong: object) -> None:
    for engine in both():
        for read in (engine.parse, *engine.types.values(), engine.module.is_uri):
            with pytest.raises(TypeError, match="expected a str or a URI, not"):
                read(wrong)


def test_engines_ignore_dunder_str_of_a_subclass_of_str() -> None:
    for engine in both():
        value = engine.parse(MisleadingStr("http://truth/"))
        assert (str(value), type(str(value))) == ("http://truth/", str)


def test_engines_accept_an_identifier_in_place_of_a_string() -> None:
    for engine in both():
        narrow = engine.types["URI"]("a:b")
        assert engine.types["IRI-reference"](narrow) == narrow
        assert engine.module.is_absolute_uri(narrow)


def test_a_subclass_accepts_the_same_strings_with_both_engines() -> None:
    accepted = []
    for engine in both():
        kinds: list[Any] = [type("One", (kind,), {}) for kind in engine.types.values()]
        texts = ("a:b", "a:é", "b", "é")
        accepted.append([[kind.try_parse(t) is not None for t in texts] for kind in kinds])
    assert accepted[0] == accepted[1]


def test_pytest_cov_counts_no_branches_in_this_folder(pytestconfig: pytest.Config) -> None:
    # Without pytest-cov, `tools/mutate.py` records the lines that each test executes.
    counted = pytestconfig.pluginmanager.hasplugin("_cov") and "coverage" in repr(sys.gettrace())
    assert not counted
