"""Functions over whole Arrow columns: each row of the result equals the scalar function's result.

A column is any object that implements the [Arrow PyCapsule protocol][1] (pyarrow, Polars, pandas,
DuckDB and nanoarrow objects do), with strings or with binary values that are read as UTF-8; or a
list of `str`. Every function returns an `Array`, which implements the protocol too. Null rows stay
null. An invalid row gives null, and `parse` gives the reason. No row is ever dropped.

[1]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

>>> from uriverse import columns
>>> columns.host(["http://example.org/a", "b", "http://a b", None]).to_pylist()
['example.org', None, None, None]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import FIELDS as FIELDS
from .registry import FUNCTIONS

if TYPE_CHECKING:
    __all__: list[str]
    from .arrow import Array as Array
    from .functions import *  # noqa: F403  # generated from the registry
else:
    # Hidden from type checkers, which would accept any name because of `__getattr__`.
    __all__ = ["Array", *FUNCTIONS]  # noqa: PLE0604  # the keys are strings

    def __getattr__(name: str) -> object:
        """Import the functions, and nanoarrow with them, on first access."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import functions
        from .arrow import Array

        public = {function: getattr(functions, function) for function in FUNCTIONS}
        globals().update(public, Array=Array)
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
