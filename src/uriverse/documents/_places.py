"""How a new destination is written at its place in a document."""

from __future__ import annotations

from collections.abc import Callable

from ._markdown_places import PLACES as MARKDOWN
from ._text import PLACES as TEXT

#: The writers by the name of the place. A writer raises `ValueError` if a destination cannot be
#: written there.
PLACES: dict[str, Callable[[str], str]] = {**MARKDOWN, **TEXT}
