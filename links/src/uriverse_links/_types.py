"""The types of arguments and results."""

from __future__ import annotations

from typing import Literal, TypeAlias

DocumentFormat: TypeAlias = Literal[
    "markdown",
    "html",
    "css",
    "xml",
    "json",
    "har",
    "turtle",
    "text",
    "restructuredtext",
    "asciidoc",
]
"""A format of documents, for `links` and `rewrite`.

- `"markdown"`: CommonMark with the tables and autolinks of GFM, as pulldown-cmark reads it;
- `"html"`: HTML, also bookmarks files; `"css"`: style sheets;
- `"xml"`: sitemaps, and feeds in RSS, Atom and OPML;
- `"json"`: strings in JSON and JSON Lines; `"har"`: the requests in HTTP archives;
- `"turtle"`: Turtle, TriG, N-Triples and N-Quads;
- `"text"`, `"restructuredtext"`, `"asciidoc"`: the URIs that `uriverse.extract` finds.

>>> from uriverse_links import format_of
>>> format_of("README.md")
'markdown'
"""

LinkKind: TypeAlias = Literal[
    "link",
    "image",
    "form",
    "script",
    "style",
    "frame",
    "media",
    "redirect",
    "feed",
    "autolink",
    "definition",
    "base",
    "text",
]
"""The role of a destination in a document.

- `"link"`: the user opens it, for example with a click;
- `"autolink"`: the same, and the text of the link is the destination;
- `"image"`, `"script"`, `"style"`, `"frame"`, `"media"`: the renderer loads it;
- `"form"`: data is sent to it;
- `"redirect"`: the renderer opens it instead of the document;
- `"feed"`: a feed or another version of the document;
- `"definition"`: a link reference definition in Markdown, which links and images refer to;
- `"base"`: the base URI of the document;
- `"text"`: a URI in text that is not a link.

>>> from uriverse_links import links
>>> [link.kind for link in links("![a](b.png)", "markdown")]
['image']
"""
