"""Find the destinations in Markdown: CommonMark with the tables and autolinks of GFM.

pulldown-cmark finds the blocks and their elements (`_markdown_blocks`). It does not find the URLs,
domains and e-mail addresses that GFM links in text, and tells where a link is, but not where in it
the destination is. This module finds both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ._destinations import LinkKind, Occurrence, quote_text
from ._html import find_html_destinations
from ._markdown_autolinks import find_autolinks
from ._markdown_blocks import PUNCTUATION, Block, Document, Element, ElementKind, LineMap, join_html

WEB_URL = re.compile(r"(?:https?|ftp)://", re.IGNORECASE | re.ASCII)
START_TAG = re.compile("<[A-Za-z]")
#: Renderers with and without footnotes read these strings differently.
FOOTNOTE = re.compile(r"\[\^[^\] \t\n]++\]:|!\[\^")
#: A label (CommonMark 6.3) of a definition.
LABEL = re.compile(rf"\[(?:[^\[\]\\]|\\[{PUNCTUATION}]?+)*+\]:")
#: The white space before a destination, with the prefix of a line in block quotes.
GAP = re.compile(r"[ \t\v\f]*+(?:\r?\n[ \t\v\f>]*+)?+")
ANGLE_DESTINATION = re.compile(r"<((?:[^<>\\\n]++|\\[^\n])*+)>")
#: The characters that may end a destination without angle brackets, and escapes, which do not.
DESTINATION_MARK = re.compile(rf"\\[{PUNCTUATION}]|[()\x00-\x20]")

#: The elements with destinations, and how a renderer opens them.
KINDS: dict[ElementKind, LinkKind] = {
    "link": "link",
    "image": "image",
    "autolink": "autolink",
    "url": "autolink",
}


class Opening(NamedTuple):
    """A destination that a renderer opens once, and how.

    For a reference, `occurrence` is the destination of its definition.
    """

    occurrence: Occurrence
    kind: LinkKind


def find_markdown_destinations(text: str) -> list[Occurrence]:
    """Find the destinations that a renderer opens, in the order of the document.

    A link reference definition is reported once if at least one link or image uses it.

    Renderers with and without footnotes read `[^a]: /url` and the lines after it differently. The
    destinations of both are found. A destination that is a definition for one of them and an
    autolink for the other is the autolink: what is written in its place is right in both.
    """
    occurrences = {opening.occurrence: None for opening in list_openings(text)}
    if FOOTNOTE.search(text):
        # By the start, the end and the destination.
        occurrences_by_place = {occurrence[:3]: occurrence for occurrence in occurrences}
        for opening in list_openings(text, footnotes=True):
            same_place = occurrences_by_place.get(opening.occurrence[:3])
            if same_place is None:
                occurrences[opening.occurrence] = None
            elif same_place.kind == "definition":
                occurrences.pop(same_place, None)
                occurrences[opening.occurrence] = None
    return sorted(occurrences, key=lambda occurrence: (occurrence.start, -occurrence.end))


def list_openings(text: str, *, footnotes: bool = False) -> Iterator[Opening]:
    """Yield the destinations, once for each time that a renderer opens them."""
    document = Document(text, footnotes=footnotes)
    source = document.source
    for block in document.blocks:
        # A footnote is rendered if something refers to it; text outside footnotes always is.
        if block.footnote is not None and block.footnote not in document.references:
            continue
        for html, lines in read_html(source, block):
            if not START_TAG.search(html):
                continue
            for occurrence in find_html_destinations(html):
                start, end = lines.locate(occurrence.start, occurrence.end)
                yield Opening(occurrence._replace(start=start, end=end), occurrence.kind)
        for element in read_elements(source, block):
            if element.kind in KINDS:
                yield make_opening(document, element)


def read_elements(source: str, block: Block) -> list[Element]:
    """Return the elements of a block, also those that GFM links in text.

    Nothing in an image is an element, and nothing that starts in a URL in text.
    """
    elements = block.elements
    if autolinks := list(find_autolinks(source, block)):
        elements = sorted([*elements, *autolinks], key=lambda element: element.start)
    outer_elements: list[Element] = []
    end = 0
    for element in elements:
        if element.start >= end:
            outer_elements.append(element)
            if element.kind in {"image", "url"}:
                end = element.end
    return outer_elements


def read_html(source: str, block: Block) -> Iterator[tuple[str, LineMap]]:
    """Yield an HTML block, or each tag and each comment in text, and where its lines are."""
    if block.kind == "html":
        yield join_html(source, block.elements)
    elif any(element.kind == "html" for element in block.elements):
        for element in read_elements(source, block):
            if element.kind == "html":
                yield join_html(source, [element])


def make_opening(document: Document, element: Element) -> Opening:
    source, kind = document.source, KINDS[element.kind]
    if element.kind == "url":
        context = "markdown-extended-autolink" if WEB_URL.match(element.value) else "markdown-email"
        return Opening(Occurrence(element.start, element.end, element.value, kind, context), kind)
    if element.kind == "autolink":
        span = element.start + 1, element.end - 1
        return Opening(Occurrence(*span, element.value, kind, "markdown-autolink"), kind)
    reported_kind, gap_start = kind, element.text_end + len("](")
    if element.label is not None:
        # The destination of a reference is that of its definition.
        label = LABEL.match(source, document.definitions[element.label])
        assert label, "a definition starts with a label"
        reported_kind, gap_start = "definition", label.end()
    start, end = locate_destination(source, gap_start)
    context = "markdown-angle" if source.startswith("<", start - 1, start) else "markdown-bare"
    return Opening(Occurrence(start, end, element.value, reported_kind, context), kind)


def locate_destination(source: str, gap_start: int) -> tuple[int, int]:
    """Return the span of the destination after an index (CommonMark 6.3)."""
    gap = GAP.match(source, gap_start)
    assert gap, "the pattern matches the empty string"
    start = gap.end()
    if angle := ANGLE_DESTINATION.match(source, start):
        return angle.span(1)
    depth = 0
    for mark in DESTINATION_MARK.finditer(source, start):
        if mark[0] == "(":
            depth += 1
        elif mark[0] == ")" and depth:
            depth -= 1
        elif not mark[0].startswith("\\"):
            return start, mark.start()
    return start, len(source)


#: Characters that a bare destination cannot contain, or that mean something in the text around it,
#: in a table or before a renderer splits the text into links.
SPECIAL = re.compile(r"[\x01-\x20\x7f\\<>\"'`|]|&(?=[#A-Za-z])")
SPECIAL_IN_ANGLES = re.compile(r"[\x01-\x1f\x7f\\<>\"'`|]|^ | $|&(?=[#A-Za-z])")
PARENTHESES = re.compile(r"[()]")

#: A URI that can be written between "<" and ">" as an autolink.
AUTOLINK = re.compile(r"[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20\x7f<>`|\\&]*+")
#: A URL that GFM links without delimiters, also if punctuation follows.
EXTENDED_AUTOLINK = re.compile(
    r"(?:https?|ftp)://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]+)?"
    r"(?:[/?#](?:[A-Za-z0-9/.\-%=?#,+]*[A-Za-z0-9/])?)?"
)


def write_bare(destination: str) -> str:
    if not destination:
        return "<>"
    text = escape_characters(SPECIAL, destination)
    return text if is_balanced(destination) else escape_characters(PARENTHESES, text)


def write_angle(destination: str) -> str:
    return escape_characters(SPECIAL_IN_ANGLES, destination)


def write_autolink(destination: str) -> str:
    if not AUTOLINK.fullmatch(destination):
        raise ValueError(f"an autolink cannot contain {quote_text(destination)}")
    return destination


def write_extended_autolink(destination: str) -> str:
    """Write a URI in text, between angle brackets if it would not be linked without them."""
    if EXTENDED_AUTOLINK.fullmatch(destination):
        return destination
    return f"<{write_autolink(destination)}>"


def write_email(destination: str) -> str:
    return f"<{write_autolink(destination)}>"


def escape_characters(special: re.Pattern[str], destination: str) -> str:
    if "\x00" in destination:
        raise ValueError("a destination in Markdown cannot contain U+0000")
    return special.sub(lambda match: f"&#{ord(match[0])};", destination)


def is_balanced(destination: str) -> bool:
    """Return whether all parentheses of a destination are in pairs, in at most 32 levels."""
    depth = 0
    for parenthesis in PARENTHESES.finditer(destination):
        depth += 1 if parenthesis[0] == "(" else -1
        if not 0 <= depth <= 32:
            return False
    return depth == 0


WRITERS: dict[str, Callable[[str], str]] = {
    "markdown-bare": write_bare,
    "markdown-angle": write_angle,
    "markdown-autolink": write_autolink,
    "markdown-extended-autolink": write_extended_autolink,
    "markdown-email": write_email,
}
