"""Test programs that handle URIs, with Hypothesis strategies and assertions.

`uriverse.testing.strategies` needs Hypothesis. `uriverse.testing.pytest_plugin` is a pytest
plugin.
"""

from uriverse import _lazy

from ._assertions import assert_same

__all__ = ["assert_same"]
__dir__ = __all__.copy

_lazy.publish(globals())
