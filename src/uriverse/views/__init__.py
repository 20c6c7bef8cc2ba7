"""Editable views of the path and of the query of a URI: segments and parameters."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .params import Params
    from .segments import Segments

__all__ = ["Params", "Segments"]


def __getattr__(name: str) -> Any:
    """Import a class of this package when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{name.lower()}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
