"""The compiled kernel as this package and `_errors` use it; the engine sets it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The compiled kernel, which finds secrets and draws errors faster; `None` without it. This package
#: is below the engine, and cannot import it.
kernel: Any = None
