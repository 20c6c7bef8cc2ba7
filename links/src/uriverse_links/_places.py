"""How a new destination is written at its place in a document."""

from __future__ import annotations

from collections.abc import Callable

from ._css import PLACES as CSS
from ._html import PLACES as HTML
from ._json import PLACES as JSON
from ._markdown_places import PLACES as MARKDOWN
from ._rdf import PLACES as RDF
from ._text import PLACES as TEXT
from ._xml import PLACES as XML

#: The writers by the name of the place. A writer raises `ValueError` if a destination cannot be
#: written there.
PLACES: dict[str, Callable[[str], str]] = {
    **MARKDOWN,
    **HTML,
    **CSS,
    **XML,
    **JSON,
    **RDF,
    **TEXT,
}
