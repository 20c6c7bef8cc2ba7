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

from ._destinations import EMPTY, OUTERMOST, Base, Found, LinkKind, after, refuse

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


def find(text: str) -> Iterator[Found]:
    """Find the destinations in a sitemap, a feed or a list of feeds."""
    check(text)
    at = 0
    bases = Bases()
    has_bases = "xml:base" in text
    #: The name of the last start tag if its text is a destination, and the index after it.
    opened, start = "", 0
    while token := TOKEN.match(text, at if opened or has_bases else after(SKIPPED, text, at)):
        at = token.end()
        name = token["name"] or ""
        if name not in TEXTS:
            name = name.rpartition(":")[2]
        if token["instruction"]:
            yield from style_sheet(token)
        elif token["close"]:
            if opened == name:
                end = token.start("close") - 1
                yield from bases.applied(text_at(text, start, end, TEXTS[name]))
            opened = ""
            bases.close()
        elif name:
            attributes = attributes_in(token)
            yield from bases.open(attributes)
            yield from bases.applied(found_in(name, attributes))
            permalink = attributes.get("isPermaLink")
            linked = name in TEXTS and not (permalink and value_of(permalink) == "false")
            opened, start = (name, at) if linked and not token["empty"] else ("", 0)
            if token["empty"]:
                bases.close()


class Bases:
    """The bases of the open elements, which `xml:base` sets."""

    def __init__(self) -> None:
        self.current = OUTERMOST
        self.depth = 0
        #: For each open element with `xml:base`, its depth and the base around it.
        self.outer: list[tuple[int, Base]] = []

    def open(self, attributes: dict[str, re.Match[str]]) -> Iterator[Found]:
        """Open an element, and yield the base that it sets."""
        self.depth += 1
        if changed := attributes.get("xml:base"):
            found = attribute_at(changed, "base")
            yield found._replace(base=self.current)
            self.outer.append((self.depth, self.current))
            self.current = Base(found.destination, self.current, found.start)

    def close(self) -> None:
        if self.outer and self.outer[-1][0] == self.depth:
            _, self.current = self.outer.pop()
        self.depth -= 1

    def applied(self, every: Iterator[Found]) -> Iterator[Found]:
        for found in every:
            yield found._replace(base=self.current)


def found_in(name: str, attributes: dict[str, re.Match[str]]) -> Iterator[Found]:
    for key, kind in ATTRIBUTES.get(name, {}).items():
        if key in attributes:
            feed = name == "link" and is_feed(attributes)
            yield attribute_at(attributes[key], "feed" if feed else kind)


def check(text: str) -> None:
    """Raise an error if a document is not well-formed, or declares entities."""
    parser = expat.ParserCreate("utf-8")
    octets = text.encode("utf-8", "surrogatepass")

    def refuse_entities(*_: object) -> None:
        raise error_at(text, octets, parser.CurrentByteIndex, "entity declarations are refused")

    parser.EntityDeclHandler = refuse_entities
    try:
        parser.Parse(octets, True)
    except expat.ExpatError as error:
        reason = f"invalid XML: {expat.ErrorString(error.code)}"
        raise error_at(text, octets, parser.ErrorByteIndex, reason) from None


def error_at(text: str, octets: bytes, index: int, reason: str) -> ParseError:
    position = len(octets[: max(index, 0)].decode("utf-8", "replace"))
    return ParseError(text, min(position, len(text)), "text", "document", reason)


def attributes_in(token: re.Match[str]) -> dict[str, re.Match[str]]:
    found = ATTRIBUTE.finditer(token.string, *token.span("attributes"))
    return {attribute[1]: attribute for attribute in found}


def value_of(attribute: re.Match[str]) -> str:
    return decoded(attribute[attribute.lastgroup or 0].translate(LINE_BREAKS))


def attribute_at(attribute: re.Match[str], kind: LinkKind) -> Found:
    group = attribute.lastgroup or ""
    destination = value_of(attribute).strip(SPACE)
    return Found(*attribute.span(group), destination, kind, f"xml-{group}-quoted")


FEEDS = {"application/atom+xml", "application/rss+xml"}


def is_feed(attributes: dict[str, re.Match[str]]) -> bool:
    media_type = attributes.get("type")
    return media_type is not None and value_of(media_type) in FEEDS


def style_sheet(token: re.Match[str]) -> Iterator[Found]:
    """Yield the destination of the processing instruction `xml-stylesheet`."""
    if token["instruction"].startswith("?xml-stylesheet"):
        found = ATTRIBUTE.finditer(token.string, *token.span("instruction"))
        yield from (attribute_at(each, "style") for each in found if each[1] == "href")


def text_at(text: str, start: int, end: int, kind: LinkKind) -> Iterator[Found]:
    """Yield the destination in the text between two tags.

    If the text is one CDATA section, the destination is in it. Otherwise it is the whole text, in
    which comments, processing instructions and CDATA sections may occur.
    """
    place = "xml-text"
    pieces = [piece for piece in DATA.finditer(text, start, end) if piece[0].strip(SPACE)]
    if len(pieces) == 1 and pieces[0].lastgroup == "cdata":
        start, end = pieces[0].span("cdata")
        place = "xml-cdata"
    destination = "".join(map(characters, pieces)).strip(SPACE)
    if destination:
        written = text[start:end]
        start += len(written) - len(written.lstrip(SPACE))
        end -= len(written) - len(written.rstrip(SPACE))
        yield Found(start, end, destination, kind, place)


def characters(piece: re.Match[str]) -> str:
    return piece["cdata"] or decoded(piece["text"] or "")


def decoded(written: str) -> str:
    """Decode the references in character data. References to unknown entities stay as they are."""
    return REFERENCE.sub(referenced, written) if "&" in written else written


def referenced(match: re.Match[str]) -> str:
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


def write(place: str, destination: str) -> str:
    refuse(IMPOSSIBLE, destination, "XML")
    if place == "xml-text":
        refuse(EMPTY, destination, "the text of an element")
    return SPECIAL[place].sub(lambda match: NAMES[match[0]], destination)


def write_cdata(destination: str) -> str:
    """Write a destination into a CDATA section, which has no references."""
    refuse(IMPOSSIBLE, destination, "XML")
    refuse(re.compile(r"\]\]>|\A\Z"), destination, "a CDATA section")
    return destination


PLACES: dict[str, Callable[[str], str]] = {
    **{place: partial(write, place) for place in SPECIAL},
    "xml-cdata": write_cdata,
}
