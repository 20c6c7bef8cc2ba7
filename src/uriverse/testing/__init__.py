"""Test programs that handle URIs, with Hypothesis strategies and assertions.

`uriverse.testing.strategies` needs Hypothesis. `uriverse.testing.pytest_plugin` is a pytest
plugin.
"""

from uriverse._public_names import publish

from ._assertions import assert_same

__all__ = ["assert_same"]
__dir__ = __all__.copy

publish(globals())
