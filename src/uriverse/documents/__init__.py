"""Find, rewrite and guard the links of documents."""

from __future__ import annotations

__all__: list[str] = []
__dir__ = __all__.copy
