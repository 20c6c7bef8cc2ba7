"""The kinds of destinations."""

from __future__ import annotations

from typing import Literal, TypeAlias

LinkKind: TypeAlias = Literal[
    "link", "image", "form", "script", "style", "frame", "media", "redirect", "feed", "autolink",
    "definition", "base", "text",
]  # fmt: skip
