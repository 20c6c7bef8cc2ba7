"""Find the destinations in Markdown: CommonMark with the tables and autolinks of GFM."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ._found import Found
from ._markdown_blocks import Blocks, Content
from ._markdown_inlines import Definition, Inlines, Opened, decoded

if TYPE_CHECKING:
    from uriverse.typing import LinkKind


def html_links(text: str) -> Iterable[Found]:
    """Find the destinations in a piece of HTML.

    This is where the HTML format joins in: its `find` replaces this function.
    """
    return ()


class Opening(NamedTuple):
    """A destination that a renderer opens once.

    Attributes:
        found: the destination as `find` reports it; for a reference, that of the definition.
        kind: "link", "image" or "autolink", also for a reference; for HTML, what `html_links` says.
    """

    found: Found
    kind: LinkKind


def find(text: str) -> list[Found]:
    """Find the destinations that a renderer opens, in the order of the document.

    A link reference definition is reported once if at least one link or image uses it.
    """
    unique = {opening.found: None for opening in openings(text)}
    return sorted(unique, key=lambda found: (found.start, found.end))


def openings(text: str) -> Iterator[Opening]:
    """Yield the destinations, once for each time that a renderer opens them."""
    source = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    source = source.replace("\x00", "\ufffd")
    blocks = Blocks(source if source.endswith("\n") else f"{source}\n")
    returns = removed_returns(text) if "\r" in text else None
    for content in blocks.contents:
        for opening in openings_in(content, blocks.definitions):
            yield opening if returns is None else moved(opening, returns)


def openings_in(content: Content, definitions: dict[str, Definition]) -> Iterator[Opening]:
    """Yield the destinations in the text of a block."""
    text = content.text
    if content.is_html:
        yield from html_openings(content, text, 0)
        return
    opened = Inlines(text, definitions).opened
    if not opened:
        return
    places = content.places()
    for each in opened:
        if each.kind == "html":
            yield from html_openings(content, text[each.start : each.end], each.start)
            continue
        if (definition := each.definition) is not None:
            place = place_of(content.source, definition.start)
            span = definition.start, definition.end
            found = Found(*span, each.destination, "definition", place)
        else:
            start, end = places.span(each.start, each.end)
            place = place_of(content.source, start) if each.kind != "autolink" else auto_place(each)
            found = Found(start, end, each.destination, kind_of(each), place)
        yield Opening(found, kind_of(each))


def html_openings(content: Content, html: str, offset: int) -> Iterator[Opening]:
    """Yield the destinations in a piece of HTML that starts at an offset of a block's text."""
    places = None
    for found in html_links(html):
        places = places or content.places()
        start, end = places.span(offset + found.start, offset + found.end)
        yield Opening(found._replace(start=start, end=end), found.kind)


def kind_of(opened: Opened) -> LinkKind:
    """Return the kind of a destination in Markdown."""
    match opened.kind:
        case "image":
            return "image"
        case "autolink":
            return "autolink"
        case _:
            return "link"


def place_of(source: str, start: int) -> str:
    """Return how a destination is written: between angle brackets, or without them."""
    return "markdown-angle" if start and source[start - 1] == "<" else "markdown-bare"


def auto_place(opened: Opened) -> str:
    """Return how an autolink is written."""
    return "markdown-autolink" if opened.outer != opened.inner else "markdown-extended-autolink"


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
