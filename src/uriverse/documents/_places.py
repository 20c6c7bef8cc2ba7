"""How a new destination is written at its place in a document."""

from __future__ import annotations

from collections.abc import Callable

from . import _css, _html, _json, _markdown_places, _rdf, _text, _xml

#: The writers by the name of the place. A writer raises `ValueError` if a destination cannot be
#: written there.
PLACES: dict[str, Callable[[str], str]] = {
    **_markdown_places.PLACES,
    **_html.PLACES,
    **_css.PLACES,
    **_xml.PLACES,
    **_json.PLACES,
    **_rdf.PLACES,
    **_text.PLACES,
}
