"""Which attributes of HTML, SVG and MathML elements have destinations, and how to read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html.entities import html5
from typing import NamedTuple, TypeAlias

from . import _css
from ._destinations import Found, LinkKind, as_browsers_read, refuse, stable

#: The start of a character reference, and all that may belong to it (13.2.5.72 to 13.2.5.80).
REFERENCE = re.compile(
    r"&(?:#(?:[xX](?P<hex>[0-9A-Fa-f]++)|(?P<decimal>[0-9]++));?|(?P<name>[A-Za-z0-9]++;?))"
)
LONGEST = max(map(len, html5))

#: The characters that numbers for C1 controls stand for (13.2.5.80): those of windows-1252.
CONTROLS = {
    number: bytes([number]).decode("cp1252")
    for number in range(0x80, 0xA0)
    if number not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}


def decoded(written: str) -> str:
    """Decode the character references in an attribute value.

    >>> decoded("?a=1&amp;b=2&copy=3&#x26;")
    '?a=1&b=2&copy=3&'
    """
    if "\0" in written:
        written = written.replace("\0", "\ufffd")
    return REFERENCE.sub(replaced, written) if "&" in written else written


def replaced(match: re.Match[str]) -> str:
    piece, length = reference(match)
    return piece + match[0][length:]


def reference(match: re.Match[str], *, in_text: bool = False) -> tuple[str, int]:
    """Decode the character reference that a match of `REFERENCE` starts with.

    Return the characters that it stands for, and its length as written. If it is not a reference,
    it is the ampersand itself. Other rules apply in the text between tags than in attributes.
    """
    name = match["name"]
    if not name:
        digits = match["hex"] or match["decimal"]
        return numbered(digits, 16 if match["hex"] else 10), len(match[0])
    # The longest name that matches counts. Without a semicolon, it counts in an attribute only if
    # no letter, digit or "=" follows, because `&copy=1` in a query is a parameter.
    for length in range(min(len(name), LONGEST), 1, -1):
        if found := html5.get(name[:length]):
            end = match.start() + 1 + length
            follows = match.string[end : end + 1]
            is_parameter = follows == "=" or (follows.isascii() and follows.isalnum())
            if is_parameter and name[length - 1] != ";" and not in_text:
                break
            return found, length + 1
    return "&", 1


def numbered(digits: str, base: int) -> str:
    """Return the character that a numeric reference stands for (13.2.5.80)."""
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) <= 7 else 0x110000
    if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    return CONTROLS.get(number) or chr(number)


class Value(NamedTuple):
    """A decoded part of a document, and the index in it of each character and of the end."""

    text: str
    places: Sequence[int]


def value_at(document: str, start: int, end: int, *, in_text: bool = False) -> Value:
    """Decode an attribute value or text, and record where its characters are written."""
    written = document[start:end]
    if "&" not in written:
        return Value(decoded(written), range(start, end + 1))
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    written = written.replace("\0", "\ufffd")
    for match in REFERENCE.finditer(written):
        piece, length = reference(match, in_text=in_text)
        pieces += (written[at : match.start()], piece)
        places += range(start + at, start + match.start())
        places += [start + match.start()] * len(piece)
        at = match.start() + length
    pieces.append(written[at:])
    places += range(start + at, end + 1)
    return Value("".join(pieces), places)


SPACE = "\t\n\f\r "

#: The attributes of a start tag by name, as matches of `ATTRIBUTE` in `_html`. For a name that
#: occurs twice, the first one counts.
Attributes: TypeAlias = Mapping[str, re.Match[str]]

#: The places of attribute values, by the group that matches.
QUOTES = {
    "double": "html-double-quoted",
    "single": "html-single-quoted",
    "bare": "html-unquoted",
    "equals": "html-no-value",
    "name": "html-no-equals-sign",
}


class Written(NamedTuple):
    """A part of a document that may contain character references, and its place (see `QUOTES`)."""

    document: str
    start: int
    end: int
    place: str

    def decoded(self) -> Value:
        return value_at(self.document, self.start, self.end)


def written_in(attribute: re.Match[str]) -> Written:
    group = attribute.lastgroup
    assert group, "the pattern has a group that always matches"
    if group in {"name", "equals"}:
        return Written(attribute.string, attribute.end(), attribute.end(), QUOTES[group])
    start, end = attribute.span(group)
    return Written(attribute.string, start, end, QUOTES[group])


#: Functions that yield the destinations in an attribute value.
Reader: TypeAlias = Callable[[Written, LinkKind], Iterable[Found]]


def one(written: Written, kind: LinkKind) -> Iterable[Found]:
    """Return the only destination, also an empty one: it stands for the document."""
    document, start, end, place = written
    text = document[start:end]
    if not text.isascii() or not text.isprintable() or " " in text:
        start += len(text) - len(text.lstrip(SPACE))
        end -= len(text) - len(text.rstrip(SPACE))
        text = document[start : max(start, end)]
    return (Found(start, max(start, end), as_browsers_read(decoded(text)), kind, place),)


def loaded(written: Written, kind: LinkKind) -> Iterable[Found]:
    """Return the only destination; an empty one is not loaded."""
    return [found for found in one(written, kind) if found.destination]


#: A URL of a list that is separated by spaces.
WORD = re.compile(rf"[^{SPACE}]++")


def several(written: Written, kind: LinkKind) -> Iterator[Found]:
    value = written.decoded()
    for word in WORD.finditer(value.text):
        yield placed(word.start(), word.end(), word[0], kind, value, f"{written.place} word")


def placed(start: int, end: int, text: str, kind: LinkKind, value: Value, place: str) -> Found:
    """Return a destination between two indices of a decoded value."""
    destination = as_browsers_read(text)
    return Found(value.places[start], value.places[end], destination, kind, place)


#: https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
CANDIDATE = re.compile(
    rf"[{SPACE},]*+(?P<url>[^{SPACE}]++)"
    rf"(?:(?<=,)|(?P<descriptors>(?:[^,(]++|\((?:[^)]++)?+(?:\)|\Z))*+)(?:,|\Z))"
)
DESCRIPTOR = re.compile(rf"(?:[^{SPACE}(]++|\([^)]*+\)?+)++")
DESCRIPTOR_KIND = re.compile(
    r"(?P<w>0*[1-9][0-9]*w)|(?P<h>0*[1-9][0-9]*h)"
    r"|(?P<x>(?:-0+(?:\.0+)?|(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))(?:[eE][-+]?[0-9]+)?x)"
)


def candidates(written: Written, kind: LinkKind) -> Iterator[Found]:
    value = written.decoded()
    for match in CANDIDATE.finditer(value.text):
        url = match["url"].rstrip(",")
        if url and allowed(match["descriptors"] or ""):
            start = match.start("url")
            place = f"{written.place} candidate"
            yield placed(start, start + len(url), url, kind, value, place)


def allowed(descriptors: str) -> bool:
    """Return whether the descriptors of a candidate are valid; otherwise it is not loaded."""
    seen: set[str | None] = set()
    for word in DESCRIPTOR.findall(descriptors):
        match = DESCRIPTOR_KIND.fullmatch(word)
        if not match or match.lastgroup in seen:
            return False
        seen.add(match.lastgroup)
    return seen <= {"x"} or (seen <= {"w", "h"} and "w" in seen)


#: https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
REFRESH = re.compile(
    rf"[{SPACE}]*+(?:[0-9]++|(?=\.))[0-9.]*+(?:[{SPACE}]++|(?=[;,]))[{SPACE}]*+[;,]?+[{SPACE}]*+"
    rf"(?:[uU][rR][lL][{SPACE}]*+=[{SPACE}]*+)?+"
    r"(?:\"(?P<double>[^\"]*+)|'(?P<single>[^']*+)|(?P<unquoted>[\s\S]*+))"
)


def refresh(written: Written, kind: LinkKind) -> Iterator[Found]:
    value = written.decoded()
    match = REFRESH.match(value.text)
    if not match:
        return
    groups = ("double", "single", "unquoted")
    group = next(group for group in groups if match[group] is not None)
    start, end = match.span(group)
    if start < len(value.text) or group != "unquoted":
        place = f"{written.place} refresh-{group}"
        yield placed(start, end, match[group], kind, value, place)


def style(written: Written, _: LinkKind) -> Iterator[Found]:
    value = written.decoded()
    for found in _css.find(value.text):
        start, end = value.places[found.start], value.places[found.end]
        yield Found(start, end, found.destination, found.kind, f"{written.place} {found.place}")


class Rule(NamedTuple):
    """How to read an attribute."""

    kind: LinkKind
    reader: Reader = loaded


CANDIDATES = Rule("image", candidates)
BACKGROUND = {"background": Rule("image")}
FRAME = {"src": Rule("frame")}
IMAGE = {"src": Rule("image"), "srcset": CANDIDATES}
LINK = {"href": Rule("link", one), "ping": Rule("link", several)}

#: The attributes with destinations, by element. The table leaves out those that only identify
#: something (`cite`), and those that browsers do not open.
HTML: dict[str, dict[str, Rule]] = {
    "a": LINK,
    "area": LINK,
    "audio": {"src": Rule("media")},
    "base": {"href": Rule("base", one)},
    "body": BACKGROUND,
    "button": {"formaction": Rule("form", one)},
    "form": {"action": Rule("form", one)},
    **dict.fromkeys(("embed", "frame", "iframe"), FRAME),
    **dict.fromkeys(("image", "img"), IMAGE),
    "input": {"src": Rule("image"), "formaction": Rule("form", one)},
    "link": {"href": Rule("link"), "imagesrcset": CANDIDATES},
    "meta": {"content": Rule("redirect", refresh)},
    "object": {"data": Rule("frame")},
    "script": {"src": Rule("script")},
    "source": {"src": Rule("media"), "srcset": CANDIDATES},
    **dict.fromkeys(("table", "tbody", "td", "tfoot", "th", "thead", "tr"), BACKGROUND),
    "track": {"src": Rule("media")},
    "video": {"src": Rule("media"), "poster": Rule("image")},
}
STYLE = Rule("image", style)

#: The presentation attributes of SVG with a `url()`.
PRESENTATION: dict[str, Rule] = dict.fromkeys(
    (
        *("clip-path", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid"),
        *("marker-start", "mask", "stroke", "style"),
    ),
    STYLE,
)
#: The meaning of `href` in SVG. On other elements, it refers to a part of the document, or has no
#: meaning.
SVG: dict[str, Rule] = {
    "a": Rule("link", one),
    "script": Rule("script"),
    **dict.fromkeys(("feimage", "image", "mpath", "textpath", "use"), Rule("image")),
    **dict.fromkeys(("lineargradient", "pattern", "radialgradient"), Rule("image")),
}
#: In MathML, any element can be a link.
MATH = Rule("link", one)

#: As `HTML`, with the attribute that all elements have.
RULES: dict[str, dict[str, Rule]] = {
    name: {**rules, "style": STYLE} for name, rules in HTML.items()
}
ANY: dict[str, Rule] = {"style": STYLE}


def destinations(name: str, attributes: Attributes, namespace: str = "html") -> Iterator[Found]:
    """Yield the destinations in a start tag, in the order of its attributes."""
    if namespace != "html":
        yield from foreign_destinations(name, attributes, namespace)
        return
    rules = RULES.get(name, ANY)
    for attribute in attributes:
        rule = rules.get(attribute)
        if rule and (name not in CONDITIONAL or applies(name, attribute, attributes)):
            kind = link_kind(attributes) if name == "link" and attribute == "href" else rule.kind
            yield from rule.reader(written_in(attributes[attribute]), kind)


def foreign_destinations(name: str, attributes: Attributes, namespace: str) -> Iterator[Found]:
    """Yield the destinations in a start tag of SVG or MathML."""
    for attribute in attributes:
        rule = PRESENTATION.get(attribute)
        # In SVG, `href` takes precedence over `xlink:href`.
        if attribute == "href" or (
            attribute == "xlink:href" and not (namespace == "svg" and "href" in attributes)
        ):
            rule = SVG.get(name) if namespace == "svg" else MATH
        if rule:
            yield from rule.reader(written_in(attributes[attribute]), rule.kind)


#: Elements for which `applies` must decide.
CONDITIONAL = frozenset(("input", "meta"))


def applies(name: str, attribute: str, attributes: Attributes) -> bool:
    """Return whether an attribute has a meaning, given the other attributes of its element."""
    if name == "input" and attribute == "src":
        return text_of(attributes, "type") == "image"
    if name == "meta":
        return text_of(attributes, "http-equiv") == "refresh" or attribute == "style"
    return True


def text_of(attributes: Attributes, name: str) -> str:
    attribute = attributes.get(name)
    if not attribute:
        return ""
    document, start, end, _ = written_in(attribute)
    return decoded(document[start:end]).lower()


#: The media types of feeds.
FEEDS = {"application/rss+xml", "application/atom+xml", "application/feed+json"}


def link_kind(attributes: Attributes) -> LinkKind:
    """Return what the destination of a `link` element is, by its `rel`."""
    rel = set(text_of(attributes, "rel").split())
    if "stylesheet" in rel:
        return "style"
    if "alternate" in rel and text_of(attributes, "type").strip() in FEEDS:
        return "feed"
    return "image" if rel & {"icon", "apple-touch-icon", "mask-icon"} else "link"


# --- writing

Writer: TypeAlias = Callable[[str], str]

#: The characters that a character reference replaces.
SPECIAL = {
    "html-double-quoted": re.compile(r'[&"<>]'),
    "html-single-quoted": re.compile(r"[&'<>]"),
    "html-unquoted": re.compile(rf"[&\"'<=>`{SPACE}]"),
}
SPECIAL_IN_TEXT = re.compile("[&<>]")


def referenced(match: re.Match[str]) -> str:
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(match[0]) or f"&#{ord(match[0])};"


def nest(outer: Writer, inner: Writer) -> Writer:
    """Return a function that writes a destination into a part of an attribute value or of text."""
    return lambda destination: outer(inner(destination))


def write_unquoted(text: str) -> str:
    """Write an attribute value without quotation marks; an empty one needs them."""
    return SPECIAL["html-unquoted"].sub(referenced, text) or '""'


def write_value(text: str) -> str:
    """Write a value after "=" where none is; nothing if it is empty."""
    return text and f'"{SPECIAL["html-double-quoted"].sub(referenced, text)}"'


def write_with_equals_sign(text: str) -> str:
    """Write a value after an attribute that has none, not even an equals sign."""
    return text and f"={write_value(text)}"


def write_word(destination: str) -> str:
    refuse(re.compile(rf"[{SPACE}]|\A\Z"), stable(destination, "HTML"), "a list")
    return destination


def write_candidate(destination: str) -> str:
    refuse(re.compile(r"\A,|,\Z"), write_word(destination), "srcset")
    return destination


#: A destination that would be read as another part of a refresh.
AMBIGUOUS = re.compile(rf"\A(?:[\"';,]|[uU][rR][lL][{SPACE}]*+=)|\A\Z")


def write_refresh(quotes: str, special: re.Pattern[str], destination: str) -> str:
    refuse(special, stable(destination, "HTML"), f"an {quotes} refresh")
    return destination


#: The writers of attribute values, and those of parts of these values.
ATTRIBUTE_PLACES: dict[str, Writer] = {
    **{place: partial(pattern.sub, referenced) for place, pattern in SPECIAL.items()},
    "html-unquoted": write_unquoted,
    "html-no-value": write_value,
    "html-no-equals-sign": write_with_equals_sign,
}
INNER_PLACES: dict[str, Writer] = {
    "word": write_word,
    "candidate": write_candidate,
    "refresh-double": partial(write_refresh, "double-quoted", re.compile('"')),
    "refresh-single": partial(write_refresh, "single-quoted", re.compile("'")),
    "refresh-unquoted": partial(write_refresh, "unquoted", AMBIGUOUS),
    **_css.PLACES,
}
DOCUMENT_PLACES = {
    **{
        place: nest(outer, partial(stable, place="HTML"))
        for place, outer in ATTRIBUTE_PLACES.items()
    },
    **{
        f"{place} {inside}": nest(ATTRIBUTE_PLACES[place], inner)
        for place in SPECIAL
        for inside, inner in INNER_PLACES.items()
    },
    # In SVG, style sheets are ordinary text.
    **{
        f"html-text {inside}": nest(partial(SPECIAL_IN_TEXT.sub, referenced), inner)
        for inside, inner in _css.PLACES.items()
    },
}
PLACES = {
    **DOCUMENT_PLACES,
    # The document in `srcdoc`.
    **{
        f"{place} srcdoc {inside}": nest(partial(pattern.sub, referenced), inner)
        for place, pattern in SPECIAL.items()
        for inside, inner in (DOCUMENT_PLACES | _css.PLACES).items()
    },
}
