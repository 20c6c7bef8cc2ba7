"""Find the destinations in Markdown: CommonMark with the tables and autolinks of GFM."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ._found import Found
from ._html import find as find_in_html
from ._markdown_autolinks import EMAIL_IN_TEXT
from ._markdown_blocks import Blocks
from ._markdown_content import Content, Places
from ._markdown_inlines import Inlines, Opened
from ._markdown_starts import FOOTNOTE_START

if TYPE_CHECKING:
    from ._types import LinkKind

WEB_URL = re.compile(r"(?:https?|ftp)://", re.IGNORECASE | re.ASCII)

#: Each link, image, autolink, tag, URL, domain and e-mail address contains one of these strings.
OPENS_ALONE = re.compile(rf"\]\(|<|://|www\.|{EMAIL_IN_TEXT.pattern}")
#: The same if link reference definitions exist.
OPENS = re.compile(rf"\]|{OPENS_ALONE.pattern}")

START_TAG = re.compile("<[A-Za-z]")


class Opening(NamedTuple):
    """A destination that a renderer opens once.

    Attributes:
        found: the destination as `find` reports it; for a reference, that of the definition.
        kind: "link", "image" or "autolink", also for a reference; for HTML, what its finder says.
    """

    found: Found
    kind: LinkKind


def find(text: str) -> list[Found]:
    """Find the destinations that a renderer opens, in the order of the document.

    A link reference definition is reported once if at least one link or image uses it.

    Renderers with and without footnotes read `[^a]: /url` and the lines after it differently. The
    destinations of both are found. A destination that is a definition for one of them and an
    autolink for the other is the autolink: what is written in its place is right in both.
    """
    found = {opening.found: None for opening in openings(text)}
    if FOOTNOTE_START.search(text) or "![^" in text:
        known = {each[:3]: each for each in found}
        for opening in openings(text, footnotes=True):
            same = known.get(opening.found[:3])
            if same and same.kind == "definition":
                found.pop(same, None)
            if not same or same.kind == "definition":
                found[opening.found] = None
    return sorted(found, key=lambda each: (each.start, -each.end))


def openings(text: str, *, footnotes: bool = False) -> Iterator[Opening]:
    """Yield the destinations, once for each time that a renderer opens them.

    Args:
        text: the document.
        footnotes: whether the renderer supports footnotes, as cmark-gfm does.
    """
    source = normalized(text)
    source = source if source.endswith("\n") else f"{source}\n"
    blocks = Blocks(source, footnotes=footnotes)
    labels = blocks.footnotes if footnotes else None
    opens = OPENS if blocks.definitions or footnotes else OPENS_ALONE
    read: list[tuple[Content, list[Opened]]] = []
    # A footnote is rendered if something refers to it; text outside footnotes always is.
    rendered: set[object] = {None}
    for content in blocks.contents:
        # Without one of these strings, no element opens anything. The search includes the
        # characters between the pieces, but no such string extends over two pieces.
        pieces = content.pieces
        sign = START_TAG if content.is_html else opens
        if not pieces or not sign.search(source, pieces[0][0], pieces[-1][1]):
            continue
        written = content.text
        if content.is_html:
            span = 0, len(written)
            read.append((content, [Opened(*span, "", "html", None, span, span)]))
            continue
        inlines = Inlines(written, blocks.definitions, labels)
        rendered.update(blocks.footnotes[label] for label in inlines.references)
        if inlines.opened:
            read.append((content, inlines.opened))
    returns = removed_returns(text) if "\r" in text else None
    for content, opened in read:
        if content.footnote in rendered:
            for opening in openings_in(content, opened):
                yield opening if returns is None else moved(opening, returns)


def normalized(text: str) -> str:
    r"""Return a document with `"\n"` at the end of all lines, and without U+0000 (CommonMark 2)."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x00", "\ufffd")


def openings_in(content: Content, opened: list[Opened]) -> Iterator[Opening]:
    """Yield the destinations that the elements of a block open."""
    places = content.places()
    for each in opened:
        if each.kind == "html":
            yield from html_openings(content, each, places)
        else:
            kind = kind_of(each)
            if (definition := each.definition) is not None:
                start, end = definition.start, definition.end
            else:
                start, end = places.span(each.start, each.end)
            place = place_of(content.source, start, each)
            reported = "definition" if definition else kind
            yield Opening(Found(start, end, each.destination, reported, place), kind)


def html_openings(content: Content, opened: Opened, places: Places) -> Iterator[Opening]:
    """Yield the destinations in HTML."""
    html = content.text[opened.start : opened.end]
    for found in find_in_html(html) if START_TAG.search(html) else ():
        start, end = places.span(opened.start + found.start, opened.start + found.end)
        yield Opening(found._replace(start=start, end=end), found.kind)


def kind_of(opened: Opened) -> LinkKind:
    """Return the kind of a destination in Markdown."""
    if opened.kind == "image":
        return "image"
    return "autolink" if opened.kind == "autolink" else "link"


def place_of(source: str, start: int, opened: Opened) -> str:
    """Return how a destination is written, a key of `PLACES`."""
    if opened.kind == "autolink" and opened.outer != opened.inner:
        return "markdown-autolink"
    if opened.kind == "autolink":
        is_url = WEB_URL.match(opened.destination)
        return "markdown-extended-autolink" if is_url else "markdown-email"
    return "markdown-angle" if start and source[start - 1] == "<" else "markdown-bare"


def removed_returns(text: str) -> list[int]:
    r"""Return the indexes, in the text with "\n" at all line ends, after each "\r\n"."""
    indexes: list[int] = []
    position = -1
    while (position := text.find("\r\n", position + 1)) >= 0:
        indexes.append(position + 1 - len(indexes))
    return indexes


def moved(opening: Opening, returns: list[int]) -> Opening:
    """Add the carriage returns that were removed before a destination to its span."""
    found = opening.found
    start, end = (place + bisect_right(returns, place) for place in (found.start, found.end))
    return opening._replace(found=found._replace(start=start, end=end))
