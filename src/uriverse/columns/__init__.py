"""Parse, normalize and validate whole columns of URIs, without a Python loop over the rows.

A column is a list of `str`, or any object with strings that implements the [Arrow PyCapsule
protocol][1]: a pyarrow array, a Polars or pandas Series, a DuckDB or nanoarrow result. A column of
binary values is read as UTF-8. Every function returns an `Array`, which implements the protocol
too.

Each function has one result per row. Null rows stay null, and invalid rows become null; `parse`
returns the reason. A row gets the same result as from the corresponding method of `IRIReference`.

[1]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

>>> from uriverse import columns
>>> columns.host(["http://example.org/a", "b", "http://a b", None]).to_pylist()
['example.org', None, None, None]
"""

# pyright: reportUnsupportedDunderAll=false, reportUnusedImport=false

from __future__ import annotations

from uriverse import _lazy

# These modules register the functions, whose types are in `__init__.pyi`.
from . import _checks, _components, _conversions, _edits  # noqa: F401
from ._registry import FIELDS as FIELDS
from ._registry import FUNCTIONS

__all__ = ["FIELDS", "Array", "Expression", "expand", "select", "uri", *FUNCTIONS]  # noqa: PLE0604  # the keys are strings
__dir__ = __all__.copy


def __getattr__(name: str) -> object:
    """Import the column functions, which need nanoarrow, when one of them is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _functions, _selecting

    for module in (_functions, _selecting):
        globals().update((key, value) for key, value in vars(module).items() if key in __all__)
    _lazy.publish(globals())
    return globals()[name]
