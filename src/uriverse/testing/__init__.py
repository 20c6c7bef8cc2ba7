"""Hypothesis strategies and assertions for tests of programs that use URIs.

`uriverse.testing.strategies` needs Hypothesis. `uriverse.testing.pytest_plugin` is a plugin of
pytest.
"""

from .assertions import assert_same

__all__ = ["assert_same"]
