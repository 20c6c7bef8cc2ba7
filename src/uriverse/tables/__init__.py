"""Run column functions on table files, on this computer or on Spark."""

from __future__ import annotations

from uriverse import _public_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._found_columns import TableError
    from ._frames import transform
    from ._plan import Outcome, Plan
    from ._plan_options import Options

__all__ = ["Options", "Outcome", "Plan", "TableError", "transform"]
__dir__ = __all__.copy
if not TYPE_CHECKING:  # Type checkers would accept any name.
    __getattr__ = _public_names.import_later(
        globals(),
        {
            "_found_columns": "TableError",
            "_frames": "transform",
            "_plan": "Outcome Plan",
            "_plan_options": "Options",
        },
    )
