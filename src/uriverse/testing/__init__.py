"""Hypothesis strategies and assertions, to test programs that handle URIs.

`uriverse.testing.strategies` needs Hypothesis. `uriverse.testing.pytest_plugin` is a pytest
plugin.
"""

from .assertions import assert_same

__all__ = ["assert_same"]
