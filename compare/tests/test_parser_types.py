"""Type checkers infer these types for `uriverse_compare`; the file is type-checked and also run."""

from collections.abc import Mapping
from typing import Any, assert_type

from uriverse import Finding
from uriverse_compare import (
    Comparison,
    Group,
    Parser,
    Reading,
    Target,
    compare,
    compare_all,
    installed,
)


def test_a_comparison_has_readings_groups_and_findings() -> None:
    chosen = assert_type(installed(["uriverse", "urllib.parse"]), list[Parser])
    found = assert_type(compare("http://a/", chosen), Comparison)
    assert_type(found.readings, Mapping[Parser, Reading])
    assert_type(found.groups, tuple[Group, ...])
    assert_type(found.groups[0].target, Target | None)
    assert_type(found.differ, bool)
    assert_type(found.explanation, tuple[Finding, ...])
    assert_type(found.as_dict(), dict[str, Any])
    assert_type(compare_all(["http://a/"], chosen), list[Comparison])


def test_a_parser_reads_strings() -> None:
    ours = installed(["uriverse"])[0]
    assert_type(ours.dials, frozenset[str])
    reading = assert_type(ours.read(["http://a/"]), list[Reading])[0]
    assert_type(reading.host, str | None)
