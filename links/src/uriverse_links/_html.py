"""The destinations in HTML, as a browser without scripts reads it.

turbohtml parses the document as https://html.spec.whatwg.org/multipage/parsing.html says, and tells
where each tag and each attribute is written. The values are read from the document itself.

A destination counts even if the tree builder drops its element, such as a form in a form. The
contents of `template` count as well, because scripts may insert them, and those of `noscript`,
because scripts are off. The document in `srcdoc` counts too, but not those in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from turbohtml import CData, Document, Element, SourceLocation, Text, parse

from . import _css
from ._found import OUTERMOST, Base, Found
from ._html_elements import (
    HTML,
    PLACES,
    PRESENTATION,
    SPACE,
    Attributes,
    destinations,
    written_in,
)
from ._references import Value, value_at

__all__ = ["PLACES", "find", "read_tags"]

NAME_END = f"{SPACE}/>"
TAG_NAME = re.compile(f"<([^{NAME_END}]++)")
#: The sections 13.2.5.33 to 13.2.5.39.
ATTRIBUTE = re.compile(
    rf"(?P<name>[^{NAME_END}][^{NAME_END}=]*+)(?:[{SPACE}]*+=(?P<equals>)[{SPACE}]*+"
    rf"(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^>\"'{SPACE}][^>{SPACE}]*+)|))?+"
)

#: A CSS selector for the elements that can have destinations.
ATTRIBUTES = {"href", r"xlink\:href", "srcdoc", *PRESENTATION}.union(*HTML.values())
LINKING = ",".join(["style", *(f"[{name}]" for name in sorted(ATTRIBUTES))])

#: Elements that the tree builder drops in some places, such as table cells outside a table.
DROPPABLE = (
    *("body", "caption", "col", "colgroup", "form", "head", "html", "select", "tbody", "td"),
    *("tfoot", "th", "thead", "tr"),
)
#: The start tags of such elements with attributes, and of frames: in a frameset, all other elements
#: are dropped.
DROPPABLE_TAG = re.compile(rf"<(?ai:{'|'.join((*DROPPABLE, 'frame', 'frameset'))})(?=[{SPACE}/])")

#: turbohtml 1.15.4 crashes if the end tag of a template follows HTML in a template of SVG or
#: MathML, as in `<svg><template><desc><p></template><b><p></b>`.
FOREIGN_TAG = re.compile("<(?ai:svg|math)")
TEMPLATE = re.compile("(?ai:(</?templat)e)")


#: turbohtml cannot return the name of an attribute that contains one.
SURROGATE = re.compile("[\ud800-\udfff]")


class Tag(NamedTuple):
    """A start tag.

    Attributes:
        name: the name as it is written, in lower case.
        attributes: the attributes by name.
        element: the element in the tree.
        location: where the element is written.
    """

    name: str
    attributes: Attributes
    element: Element
    location: SourceLocation


def find(text: str) -> Iterator[Found]:
    """Find the destinations in an HTML document."""
    return keep_one_base(find_all(text))


def keep_one_base(every: Iterator[Found]) -> Iterator[Found]:
    """Yield destinations without all base URLs of a document but the first, which counts."""
    based = False
    for found in every:
        is_base = found.kind == "base" and found.base is None
        if not (is_base and based):
            yield found
        based = based or is_base


def find_all(text: str, *, in_frame: bool = False) -> Iterator[Found]:
    """Find the destinations in an HTML document, with all base URLs.

    Args:
        text: the document.
        in_frame: whether it is a document in `srcdoc`, in which others do not count.
    """
    every: list[Found] = []
    for tag in read_tags(text, LINKING):
        namespace = tag.element.namespace.value
        every += destinations(tag.name, tag.attributes, namespace)
        if (namespace, tag.name) == ("html", "iframe") and not in_frame:
            every += find_in_srcdoc(tag.attributes)
        elif (namespace, tag.name) == ("html", "style"):
            every += find_in_style(text, tag.location)
        elif (namespace, tag.name) == ("svg", "style"):
            every += find_in_svg_style(text, tag)
    yield from sorted(every, key=lambda found: found.start)


def find_in_srcdoc(attributes: Attributes) -> Iterator[Found]:
    """Find the destinations in the document of an `iframe`.

    The base of that document is resolved against the base of the document around it.
    """
    if "srcdoc" not in attributes:
        return
    written = written_in(attributes["srcdoc"])
    value = written.decoded()
    every = list(keep_one_base(find_all(value.text, in_frame=True)))
    bases = [
        Base(found.destination, OUTERMOST, value.places[found.start])
        for found in every
        if found.kind == "base"
    ]
    for found in every:
        base = OUTERMOST if found.kind == "base" or not bases else bases[0]
        start, end = value.places[found.start], value.places[found.end]
        place = f"{written.place} srcdoc {found.place}"
        yield Found(start, end, found.destination, found.kind, place, base)


# --- start tags


def read_tags(text: str, selector: str) -> Iterator[Tag]:
    """Yield the start tags of the elements that a CSS selector selects, in their order."""
    located = [
        (location.start_tag.start_offset, location, element)
        for element in parse_html(text).select(selector)
        # An element without tag has no location, and neither has one that is opened again.
        if (location := element.source_location)
    ]
    # The tree has another order where elements move out of a table.
    for start, location, element in sorted(located, key=itemgetter(0)):
        yield Tag(read_name(text, start), read_attributes(text, location), element, location)


def read_name(text: str, start: int) -> str:
    """Return the name of a start tag, which may differ from that in the tree."""
    match = TAG_NAME.match(text, start)
    assert match, "a start tag has a name"
    return match[1].lower() if match[1].isascii() else match[1]


def read_attributes(text: str, location: SourceLocation) -> Attributes:
    """Return the attributes of a start tag."""
    matches = {
        name: ATTRIBUTE.match(text, span.start_offset) for name, span in location.attrs.items()
    }
    return {name: match for name, match in matches.items() if match}


def parse_html(text: str) -> Document:
    """Parse HTML into a tree whose locations are those in the text, and that drops no tag."""
    source = text.replace("\r", "\n")
    try:
        source.encode()
    except UnicodeEncodeError:
        source = SURROGATE.sub("\ufffd", source)
    foreign = FOREIGN_TAG.search(source)
    if foreign and TEMPLATE.search(source, foreign.end()):
        source = TEMPLATE.sub(r"\1-", source)
    document = parse_with_locations(source)
    if not DROPPABLE_TAG.search(source):
        return document
    starts = {
        location.start_tag.start_offset
        for element in document.select(",".join(DROPPABLE))
        if (location := element.source_location)
    }

    def rename(tag: re.Match[str]) -> str:
        if tag.start() in starts:
            return tag[0]
        # In SVG, `body` and `head` are HTML, as `span` is.
        return "<span" if len(tag[0]) == len("<span") else f"{tag[0][:2]}-{tag[0][3:]}"

    renamed = DROPPABLE_TAG.sub(rename, source)
    return document if renamed == source else parse_with_locations(renamed)


def parse_with_locations(source: str) -> Document:
    return parse(
        source, positions=False, source_locations=True, allow_declarative_shadow_roots=False
    )


# --- style sheets


def find_in_style(text: str, location: SourceLocation) -> Iterator[Found]:
    """Find the destinations in a style sheet, which is written as it is."""
    start = location.start_tag.end_offset
    end = location.end_tag.start_offset if location.end_tag else len(text)
    for found in _css.find(text[start:end]):
        yield found._replace(start=found.start + start, end=found.end + start)


#: In SVG, a style sheet is ordinary text, in which references, comments and CDATA sections count.
#: End tags that end nothing do not count.
STYLE_TEXT = re.compile(
    r"<!\[CDATA\[(?P<cdata>[\s\S]*?)(?:\]\]>|\Z)|(?P<text>[^<]++|<(?![A-Za-z/!?]))"
    r"|<!--(?:-?>|[\s\S]*?--!?>)|<(?:!(?!--)|[/?])[^>]*+>"
)


def find_in_svg_style(text: str, tag: Tag) -> Iterator[Found]:
    """Find the destinations in a style sheet of SVG, of which an element ends a part."""
    start = tag.location.start_tag.end_offset
    length = 0
    for child in tag.element.children:
        if isinstance(child, Text | CData):
            length += len(child.data)
        elif isinstance(child, Element) and (location := child.source_location):
            yield from find_in_svg_text(text, start, length)
            start = (location.end_tag or location.start_tag).end_offset
            length = 0
    yield from find_in_svg_text(text, start, length)


def find_in_svg_text(text: str, at: int, length: int) -> Iterator[Found]:
    """Find the destinations in a number of characters after an index, before the next element."""
    pieces: list[Value] = []
    #: For each character of the pieces, whether it is in a CDATA section.
    in_cdata: list[bool] = []
    while len(in_cdata) < length and (match := STYLE_TEXT.match(text, at)):
        at = match.end()
        if match["cdata"] is not None:
            start, end = match.span("cdata")
            pieces.append(Value(match["cdata"], range(start, end + 1)))
        elif match["text"]:
            pieces.append(value_at(text, *match.span(), in_text=True))
        else:
            continue
        in_cdata += [match["text"] is None] * len(pieces[-1].text)
    starts = [place for piece in pieces for place in piece.places[:-1]]
    ends = [place for piece in pieces for place in piece.places[1:]]
    for found in _css.find("".join(piece.text for piece in pieces)):
        place = found.place if in_cdata[found.start] else f"html-text {found.place}"
        yield found._replace(start=starts[found.start], end=ends[found.end - 1], place=place)
