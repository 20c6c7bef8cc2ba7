"""Show URIs in notebooks as a table with the name of each component below the component."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from uriverse._errors import visible
from uriverse._spec.components import all_parts

from . import engine as _engine

#: Styles that are readable on a light and on a dark background.
CELL = "text-align: left; padding: 0 .1em; font-family: monospace; overflow-wrap: anywhere"
NAME = "text-align: left; padding: 0 .1em; font-size: smaller; opacity: .8"


def html_of(text: str) -> str:
    """Return an HTML table of the components of a valid URI, with its secrets replaced."""
    pieces = list(named_pieces(_engine.redact(text)))
    cells = "".join(f'<td style="{CELL}">{escape(visible(piece))}</td>' for _, piece in pieces)
    names = "".join(f'<td style="{NAME}">{name}</td>' for name, _ in pieces)
    return f'<table style="display: inline-table"><tr>{cells}</tr><tr>{names}</tr></table>'


def named_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the components of a URI and the delimiters between them, with their names."""
    parts = all_parts(text)
    if parts.scheme is not None:
        yield "scheme", parts.scheme
        yield "", ":"
    if parts.host is not None:
        yield "", "//"
        if parts.userinfo is not None:
            yield "userinfo", parts.userinfo
            yield "", "@"
        yield "host", parts.host
        if parts.port is not None:
            yield "", ":"
            yield "port", parts.port
    yield "path", parts.path
    if parts.query is not None:
        yield "", "?"
        yield "query", parts.query
    if parts.fragment is not None:
        yield "", "#"
        yield "fragment", parts.fragment
