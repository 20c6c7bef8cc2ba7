"""The destinations in XML: sitemaps, RSS, Atom, OPML.

Expat decides whether the document is well-formed, and entity declarations are refused. After that,
a few patterns find the tags, because the offsets of expat are those of bytes. Elements are
recognized by their local names: feeds use them alike, whatever their prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from xml.parsers import expat

from uriverse import ParseError

from ._destinations import (
    EMPTY,
    OUTERMOST,
    Base,
    LinkKind,
    Occurrence,
    forbid_pattern,
    skip_pattern,
)

SPACE = " \t\r\n"
VALUE = r"\"[^\"]*+\"|'[^']*+'"
#: A token of XML, with the text before it. Values of attributes do not contain "<" in well-formed
#: documents.
TOKEN = re.compile(
    r"[^<]*+<(?:!--[\s\S]*?-->|!\[CDATA\[[\s\S]*?\]\]>|(?P<instruction>\?[\s\S]*?\?>)"
    rf"|(?P<doctype>!DOCTYPE(?:[^\[>\"']++|{VALUE}|\[(?:[^\]\"'<]++|{VALUE}|<!--[\s\S]*?-->"
    rf"|<\?[\s\S]*?\?>|<)*+\])*+>)"
    rf"|(?P<close>/)?+(?P<name>[^\s<>/]++)(?P<attributes>(?:[^<>\"'/]++|{VALUE}|/(?!>))*+)(?P<empty>/)?+>)"
)
ATTRIBUTE = re.compile(r"([^\s=\"'/]++)\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)')")
#: A line break or a tab in an attribute value is a space.
LINE_BREAKS = str.maketrans("\t\r\n", "   ")
REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]++)|#([0-9]++)|(\w++));")
ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
#: A part of character data.
DATA = re.compile(
    r"<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?P<cdata>[\s\S]*?)\]\]>|(?P<text>[^<]++)"
)

#: Elements whose text is a destination; with a prefix if it decides the kind.
TEXTS: dict[str, LinkKind] = {
    **dict.fromkeys(("comments", "docs", "gallery_loc", "guid", "link", "loc", "uri"), "link"),
    **dict.fromkeys(("icon", "image:loc", "logo", "thumbnail_loc", "url"), "image"),
    "content_loc": "media",
    "player_loc": "frame",
}
#: Attributes that are destinations, by element: those of feeds, and of XHTML in Atom.
ATTRIBUTES: dict[str, dict[str, LinkKind]] = {
    "a": {"href": "link"},
    "area": {"href": "link"},
    "audio": {"src": "media"},
    "content": {"src": "link", "url": "media"},
    "embed": {"src": "frame"},
    "enclosure": {"url": "media"},
    "iframe": {"src": "frame"},
    "image": {"href": "image"},
    "img": {"src": "image"},
    "link": {"href": "link"},
    "outline": {"xmlUrl": "feed", "htmlUrl": "link", "url": "link"},
    "player": {"url": "frame"},
    "source": {"url": "feed", "src": "media"},
    "thumbnail": {"url": "image"},
    "video": {"src": "media", "poster": "image"},
}

#: All tags without destinations and attributes, and the text between them.
SKIPPED = re.compile(
    rf"(?:[^<]++|</[^<>]++>"
    rf"|<(?!(?:[^\s<>/:]++:)?+(?:{'|'.join({*TEXTS, *ATTRIBUTES})})[\s/>])[^\s<>/!?]++/?+>)*+"
)


def find_xml_destinations(text: str) -> Iterator[Occurrence]:
    check_document(text)
    index = 0
    bases = OpenBases()
    has_bases = "xml:base" in text
    #: The name of the last start tag if its text is a destination, and the index after it.
    open_name, start = "", 0
    while True:
        if not open_name and not has_bases:
            index = skip_pattern(SKIPPED, text, index)
        token = TOKEN.match(text, index)
        if token is None:
            return
        index = token.end()
        name = token["name"] or ""
        if name not in TEXTS:
            name = name.rpartition(":")[2]
        if token["instruction"]:
            yield from find_style_sheet(token)
        elif token["close"]:
            if open_name == name:
                end = token.start("close") - 1
                yield from bases.set_base(read_element_text(text, start, end, TEXTS[name]))
            open_name = ""
            bases.close()
        elif name:
            attributes = parse_attributes(token)
            yield from bases.open(attributes)
            yield from bases.set_base(read_link_attributes(name, attributes))
            permalink = attributes.get("isPermaLink")
            is_identifier = permalink is not None and decode_value(permalink) == "false"
            has_destination = name in TEXTS and not is_identifier and not token["empty"]
            open_name, start = (name, index) if has_destination else ("", 0)
            if token["empty"]:
                bases.close()


class OpenBases:
    """The bases of the open elements, which `xml:base` sets."""

    def __init__(self) -> None:
        self.current = OUTERMOST
        self.depth = 0
        #: For each open element with `xml:base`, its depth and the base around it.
        self.outer: list[tuple[int, Base]] = []

    def open(self, attributes: dict[str, re.Match[str]]) -> Iterator[Occurrence]:
        self.depth += 1
        if base_attribute := attributes.get("xml:base"):
            base = read_attribute(base_attribute, "base")
            yield base._replace(base=self.current)
            self.outer.append((self.depth, self.current))
            self.current = Base(base.destination, self.current, base.start)

    def close(self) -> None:
        if self.outer and self.outer[-1][0] == self.depth:
            _, self.current = self.outer.pop()
        self.depth -= 1

    def set_base(self, occurrences: Iterator[Occurrence]) -> Iterator[Occurrence]:
        for occurrence in occurrences:
            yield occurrence._replace(base=self.current)


def read_link_attributes(name: str, attributes: dict[str, re.Match[str]]) -> Iterator[Occurrence]:
    for attribute_name, kind in ATTRIBUTES.get(name, {}).items():
        if attribute_name in attributes:
            is_feed_link = name == "link" and is_feed(attributes)
            yield read_attribute(attributes[attribute_name], "feed" if is_feed_link else kind)


def check_document(text: str) -> None:
    parser = expat.ParserCreate("utf-8")
    octets = text.encode("utf-8", "surrogatepass")

    def refuse_entities(*_: object) -> None:
        position = count_characters(octets[: max(parser.CurrentByteIndex, 0)])
        reason = "entity declarations are refused"
        raise ParseError(text, min(position, len(text)), "text", "document", reason)

    parser.EntityDeclHandler = refuse_entities
    try:
        parser.Parse(octets, True)
    except expat.ExpatError as error:
        reason = f"invalid XML: {expat.ErrorString(error.code)}"
        position = count_characters(octets[: max(parser.ErrorByteIndex, 0)])
        raise ParseError(text, min(position, len(text)), "text", "document", reason) from None


def count_characters(octets: bytes) -> int:
    return len(octets.decode("utf-8", "replace"))


def parse_attributes(token: re.Match[str]) -> dict[str, re.Match[str]]:
    matches = ATTRIBUTE.finditer(token.string, *token.span("attributes"))
    return {attribute[1]: attribute for attribute in matches}


def decode_value(attribute: re.Match[str]) -> str:
    return decode_entities(attribute[attribute.lastgroup or 0].translate(LINE_BREAKS))


def read_attribute(attribute: re.Match[str], kind: LinkKind) -> Occurrence:
    group = attribute.lastgroup or ""
    destination = decode_value(attribute).strip(SPACE)
    return Occurrence(*attribute.span(group), destination, kind, f"xml-{group}-quoted")


FEEDS = {"application/atom+xml", "application/rss+xml"}


def is_feed(attributes: dict[str, re.Match[str]]) -> bool:
    media_type = attributes.get("type")
    return media_type is not None and decode_value(media_type) in FEEDS


def find_style_sheet(token: re.Match[str]) -> Iterator[Occurrence]:
    if token["instruction"].startswith("?xml-stylesheet"):
        attributes = ATTRIBUTE.finditer(token.string, *token.span("instruction"))
        yield from (
            read_attribute(attribute, "style") for attribute in attributes if attribute[1] == "href"
        )


def read_element_text(text: str, start: int, end: int, kind: LinkKind) -> Iterator[Occurrence]:
    """Yield the destination in the text between two tags.

    If the text is one CDATA section, the destination is in it. Otherwise it is the whole text, in
    which comments, processing instructions and CDATA sections may occur.
    """
    context = "xml-text"
    pieces = [piece for piece in DATA.finditer(text, start, end) if piece[0].strip(SPACE)]
    if len(pieces) == 1 and pieces[0].lastgroup == "cdata":
        start, end = pieces[0].span("cdata")
        context = "xml-cdata"
    destination = "".join(map(decode_piece, pieces)).strip(SPACE)
    if destination:
        content = text[start:end]
        start += len(content) - len(content.lstrip(SPACE))
        end -= len(content) - len(content.rstrip(SPACE))
        yield Occurrence(start, end, destination, kind, context)


def decode_piece(piece: re.Match[str]) -> str:
    return piece["cdata"] or decode_entities(piece["text"] or "")


def decode_entities(text: str) -> str:
    """Decode the references in character data, except for those to unknown entities."""
    return REFERENCE.sub(decode_entity, text) if "&" in text else text


def decode_entity(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name:
        return ENTITIES.get(name, match[0])
    # `int` refuses very long numbers, even if they are only zeros.
    digits = (hexadecimal or decimal).lstrip("0")
    return chr(int(digits, 16 if hexadecimal else 10))


# --- writing

#: Characters that XML cannot contain, and white space that is removed from a destination.
IMPOSSIBLE = re.compile(
    rf"\A[{SPACE}]|[{SPACE}]\Z|[\t\r\n\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
)
SPECIAL = {
    "xml-text": re.compile("[&<>]"),
    "xml-double-quoted": re.compile('[&<>"]'),
    "xml-single-quoted": re.compile("[&<>']"),
}
NAMES = {character: f"&{name};" for name, character in ENTITIES.items()}


def write_xml(context: str, destination: str) -> str:
    forbid_pattern(IMPOSSIBLE, destination, "XML")
    if context == "xml-text":
        forbid_pattern(EMPTY, destination, "the text of an element")
    return SPECIAL[context].sub(lambda match: NAMES[match[0]], destination)


def write_cdata(destination: str) -> str:
    forbid_pattern(IMPOSSIBLE, destination, "XML")
    forbid_pattern(re.compile(r"\]\]>|\A\Z"), destination, "a CDATA section")
    return destination


WRITERS: dict[str, Callable[[str], str]] = {
    **{place: partial(write_xml, place) for place in SPECIAL},
    "xml-cdata": write_cdata,
}
