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
from typing import TYPE_CHECKING, NamedTuple

from . import _css
from ._destinations import OUTERMOST, Base, Occurrence
from ._html_elements import (
    HTML,
    PRESENTATION,
    SPACE,
    WRITERS,
    Attributes,
    DecodedText,
    decode_span,
    find_in_attributes,
    locate_value,
)

if TYPE_CHECKING:
    from turbohtml import Document, Element

__all__ = ["WRITERS", "find_html_destinations", "list_elements", "read_tag"]

NAME_END = f"{SPACE}/>"
TAG_NAME = re.compile(f"<([^{NAME_END}]++)")
#: The sections 13.2.5.32 to 13.2.5.39.
ATTRIBUTE = re.compile(
    rf"[{SPACE}/]*+(?P<name>[^{NAME_END}][^{NAME_END}=]*+)(?:[{SPACE}]*+=(?P<equals>)[{SPACE}]*+"
    rf"(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^>\"'{SPACE}][^>{SPACE}]*+)|))?+"
)
#: The most frequent form of a link, which needs no decoding.
OTHER_ATTRIBUTES = r"(?: (?:aria-[a-z]+|class|data-[a-z]+|id|rel|target|title)=\"[^\"]*+\")*+"
PLAIN_LINK = re.compile(rf"<[Aa]{OTHER_ATTRIBUTES} href=\"([^\"&\x00-\x20]*+)\"{OTHER_ATTRIBUTES}>")
STYLE_END = re.compile(f"</(?ai:style)(?=[{NAME_END}])|\\Z")

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
DROPPABLE_TAG = re.compile(
    rf"<(?=[b-tB-T])(?ai:(?:{'|'.join(DROPPABLE)}|frame)(?=[{SPACE}/])|frameset(?=[{NAME_END}]))"
)

#: Elements as long that the tree builder drops nowhere, and that contain nothing, by their length.
#: In SVG, `meta` is HTML as `body` and `head` are.
REPLACEMENTS = {
    len(tag): tag for tag in ("<br", "<wbr", "<meta", "<track", "<source", "<bgsound", "<basefont")
}

#: turbohtml 1.15.4 crashes if `</template>` follows HTML in a `template` of SVG or MathML, as in
#: `<svg><template><desc><p></template><b><p></b>`. Templates are therefore read as elements without
#: rules of their own if one follows the start of SVG or MathML.
FOREIGN_TAG = re.compile("<(?ai:svg|math)")
TEMPLATE_START = re.compile("<(?ai:template)")
TEMPLATE_NAME = re.compile("(?ai:(</?templat)e)")

#: turbohtml returns no name that contains one.
SURROGATE = re.compile("[\ud800-\udfff]")


class Tag(NamedTuple):
    """A start tag, its attributes by name, and the index after the last one."""

    name: str
    attributes: Attributes
    end: int


def find_html_destinations(text: str) -> Iterator[Occurrence]:
    return keep_one_base(find_with_bases(text))


def keep_one_base(occurrences: Iterator[Occurrence]) -> Iterator[Occurrence]:
    """Yield destinations without all base URLs of a document but the first, which counts."""
    has_base = False
    for occurrence in occurrences:
        is_base = occurrence.kind == "base" and occurrence.base is None
        if not (is_base and has_base):
            yield occurrence
        has_base = has_base or is_base


def find_with_bases(text: str, *, in_frame: bool = False) -> Iterator[Occurrence]:
    """Find the destinations, with all base URLs. In a frame, documents in `srcdoc` do not count."""
    occurrences: list[Occurrence] = []
    for start, element in list_elements(text, LINKING):
        if plain_link := PLAIN_LINK.match(text, start):
            occurrences.append(
                Occurrence(*plain_link.span(1), plain_link[1], "link", "html-double-quoted")
            )
            continue
        namespace, tag = element.namespace.value, read_tag(text, start)
        occurrences += find_in_attributes(tag.name, tag.attributes, namespace)
        if (namespace, tag.name) == ("html", "iframe") and not in_frame:
            occurrences += find_in_srcdoc(tag.attributes)
        elif (namespace, tag.name) == ("html", "style"):
            occurrences += find_in_style(text, tag.end)
        elif (namespace, tag.name) == ("svg", "style"):
            occurrences += find_in_svg_style(text, tag.end, element)
    yield from sorted(occurrences, key=lambda occurrence: occurrence.start)


def find_in_srcdoc(attributes: Attributes) -> Iterator[Occurrence]:
    """Find the destinations in the document of an `iframe`; it may have a base of its own."""
    if "srcdoc" not in attributes:
        return
    value = locate_value(attributes["srcdoc"])
    decoded = value.decode()
    occurrences = list(keep_one_base(find_with_bases(decoded.text, in_frame=True)))
    inner_base = OUTERMOST
    for occurrence in occurrences:
        if occurrence.kind == "base":
            start = decoded.offsets[occurrence.start]
            inner_base = Base(occurrence.destination, OUTERMOST, start)
    for occurrence in occurrences:
        base = OUTERMOST if occurrence.kind == "base" else inner_base
        start, end = decoded.offsets[occurrence.start], decoded.offsets[occurrence.end]
        context = f"{value.context} srcdoc {occurrence.context}"
        yield Occurrence(start, end, occurrence.destination, occurrence.kind, context, base)


# --- start tags


def list_elements(text: str, selector: str) -> list[tuple[int, Element]]:
    """List the elements that a CSS selector selects, in the order of their start tags.

    Each one is listed with the index of its start tag, and those without start tag are not.
    """
    # The tree has another order where elements move out of a table, and repeats some elements.
    elements = {element.source_col: element for element in parse_html(text).select(selector)}
    return sorted((start, elements[start]) for start in elements if start is not None)


def read_tag(text: str, start: int) -> Tag:
    match = TAG_NAME.match(text, start)
    assert match, "a start tag has a name"
    name, index = match[1], match.end()
    attributes: dict[str, re.Match[str]] = {}
    while match := ATTRIBUTE.match(text, index):
        attributes.setdefault(lowercase_name(match["name"]), match)
        index = match.end()
    return Tag(lowercase_name(name), attributes, index)


def lowercase_name(name: str) -> str:
    """Return a name in lower case; one with other letters than those of ASCII has no meaning."""
    return name.lower() if name.isascii() else name


def parse_html(text: str) -> Document:
    """Parse HTML into a tree that drops no tag, in which each column is an index in the text."""
    # On a single line, the column of a tag is its index.
    source = text.replace("\n", " ").replace("\r", " ")
    try:
        source.encode()
    except UnicodeEncodeError:
        source = SURROGATE.sub("\ufffd", source)
    foreign = FOREIGN_TAG.search(source)
    if foreign and TEMPLATE_START.search(source, foreign.end()):
        source = TEMPLATE_NAME.sub(r"\1-", source)
    document = parse_single_line(source)
    if not DROPPABLE_TAG.search(source):
        return document
    # Replace the tags that the tree builder drops by others of the same length.
    kept_starts = {element.source_col for element in document.select(",".join(DROPPABLE))}

    def replace(tag: re.Match[str]) -> str:
        return tag[0] if tag.start() in kept_starts else REPLACEMENTS[len(tag[0])]

    safe_source = DROPPABLE_TAG.sub(replace, source)
    return document if safe_source == source else parse_single_line(safe_source)


def parse_single_line(source: str) -> Document:
    from turbohtml import parse

    return parse(source, source_locations=True, allow_declarative_shadow_roots=False)


# --- style sheets


def find_in_style(text: str, index: int) -> Iterator[Occurrence]:
    start = text.index(">", index) + 1
    end = STYLE_END.search(text, start)
    assert end, "the pattern matches the end of the text"
    for occurrence in _css.find_css_destinations(text[start : end.start()]):
        yield occurrence._replace(start=occurrence.start + start, end=occurrence.end + start)


#: In SVG, a style sheet is ordinary text, in which references, comments and CDATA sections count.
#: End tags that end nothing do not count.
STYLE_TEXT = re.compile(
    r"<!\[CDATA\[(?P<cdata>[\s\S]*?)(?:\]\]>|\Z)|(?P<text>[^<]++|<(?![A-Za-z/!?]))"
    r"|<!--(?:-?>|[\s\S]*?--!?>)|<(?:!(?!--)|[/?])[^>]*+>"
)


def find_in_svg_style(text: str, index: int, element: Element) -> Iterator[Occurrence]:
    """Find the destinations in a `style` element of SVG.

    Its child elements divide the text, and each part is a style sheet.
    """
    from turbohtml import CData, Element, Text

    start = text.index(">", index) + 1
    length = 0  # of the style sheet that starts there, when it is decoded
    for child in element.children:
        if isinstance(child, Text | CData):
            length += len(child.data)
        elif isinstance(child, Element) and (location := child.source_location):
            yield from find_in_svg_text(text, start, length)
            start = (location.end_tag or location.start_tag).end_offset
            length = 0
    yield from find_in_svg_text(text, start, length)


def find_in_svg_text(text: str, index: int, length: int) -> Iterator[Occurrence]:
    """Find the destinations in the style sheet at an index, which has a decoded length."""
    pieces: list[DecodedText] = []
    #: For each character of the pieces, whether it is in a CDATA section.
    in_cdata: list[bool] = []
    while len(in_cdata) < length and (match := STYLE_TEXT.match(text, index)):
        index = match.end()
        if match["cdata"] is not None:
            start, end = match.span("cdata")
            pieces.append(DecodedText(match["cdata"], range(start, end + 1)))
        elif match["text"]:
            pieces.append(decode_span(text, *match.span(), in_text=True))
        else:  # a comment, or a tag that ends nothing
            continue
        in_cdata += [match["text"] is None] * len(pieces[-1].text)
    starts = [offset for piece in pieces for offset in piece.offsets[:-1]]
    ends = [offset for piece in pieces for offset in piece.offsets[1:]]
    for occurrence in _css.find_css_destinations("".join(piece.text for piece in pieces)):
        context = occurrence.context
        if not in_cdata[occurrence.start]:
            context = f"html-text {context}"
        yield occurrence._replace(
            start=starts[occurrence.start], end=ends[occurrence.end - 1], context=context
        )
