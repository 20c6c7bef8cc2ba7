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

from __future__ import annotations

from typing import TYPE_CHECKING

from uriverse import _lazy

from ._registry import FIELDS as FIELDS
from ._registry import FUNCTIONS as FUNCTIONS

if TYPE_CHECKING:
    __all__: list[str]
    from ._arrow import Array as Array
    from ._functions import *  # noqa: F403  # generated from the registry
    from ._selecting import Expression as Expression
    from ._selecting import expand as expand
    from ._selecting import select as select
    from ._selecting import uri as uri
else:
    # Type checkers must not see `__getattr__`, because they would then accept any name.
    __all__ = ["FIELDS", "Array", "Expression", "expand", "select", "uri", *FUNCTIONS]  # noqa: PLE0604  # the keys are strings
    __dir__ = __all__.copy

    def __getattr__(name: str) -> object:
        """Import the column functions, which need nanoarrow, when one of them is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import _functions
        from ._arrow import Array
        from ._selecting import Expression, expand, select, uri

        public = {function: getattr(_functions, function) for function in FUNCTIONS}
        others = {"Array": Array, "Expression": Expression, "expand": expand, "select": select}
        globals().update(public, **others, uri=uri)
        _lazy.publish(globals())
        return globals()[name]
