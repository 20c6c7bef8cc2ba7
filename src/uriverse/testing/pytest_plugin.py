"""A pytest plugin that shows the differences between two URIs, component by component.

Enable the plugin in `conftest.py`:

    pytest_plugins = ["uriverse.testing.pytest_plugin"]

When `assert first == second` fails for two URIs, pytest then shows the table of
`uriverse.testing.assert_same`.
"""

from __future__ import annotations

from uriverse import IRIReference

from . import _assertions

__all__ = ["pytest_assertrepr_compare"]
__dir__ = __all__.copy


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain how two URIs differ; return `None` for all other comparisons."""
    if op == "==" and isinstance(left, IRIReference) and isinstance(right, IRIReference):
        lines = _assertions.compare_components(left, right, ("left", "right"))
        return [f"{left!r} == {right!r}", *lines]
    return None
