"""Which attributes of HTML, SVG and MathML elements have destinations, and how to read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html.entities import html5
from typing import NamedTuple, TypeAlias

from . import _css
from ._destinations import (
    LinkKind,
    Occurrence,
    decode_code_point,
    forbid_pattern,
    remove_ignored_characters,
    require_stable,
)

#: The start of a character reference, and all that may belong to it (13.2.5.72 to 13.2.5.80).
REFERENCE = re.compile(
    r"&(?:#(?:[xX](?P<hex>[0-9A-Fa-f]++)|(?P<decimal>[0-9]++));?|(?P<name>[A-Za-z0-9]++;?))"
)
MAX_NAME_LENGTH = max(map(len, html5))

#: The characters that numbers for C1 controls stand for (13.2.5.80): those of windows-1252.
CONTROLS = {
    number: bytes([number]).decode("cp1252")
    for number in range(0x80, 0xA0)
    if number not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}


def decode_attribute(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return REFERENCE.sub(replace_reference, text) if "&" in text else text


def replace_reference(match: re.Match[str]) -> str:
    characters, length = decode_html_reference(match)
    return characters + match[0][length:]


def decode_html_reference(match: re.Match[str], *, in_text: bool = False) -> tuple[str, int]:
    """Decode a character reference; return what it stands for, and its length as written.

    An ampersand that starts no reference stands for itself.
    """
    name = match["name"]
    if not name:
        digits = match["hex"] or match["decimal"]
        return decode_number(digits, 16 if match["hex"] else 10), len(match[0])
    # The longest name that matches counts. Without a semicolon, it counts in an attribute only if
    # no letter, digit or "=" follows, because `&copy=1` in a query is a parameter.
    for length in range(min(len(name), MAX_NAME_LENGTH), 1, -1):
        if characters := html5.get(name[:length]):
            end = match.start() + 1 + length
            following = match.string[end : end + 1]
            is_parameter = following == "=" or (following.isascii() and following.isalnum())
            if is_parameter and name[length - 1] != ";" and not in_text:
                break
            return characters, length + 1
    return "&", 1


def decode_number(digits: str, base: int) -> str:
    """Return the character that a numeric reference stands for (13.2.5.80)."""
    digits = digits.lstrip("0")
    # No code point has more digits, and `int` rejects very long numbers.
    number = int(digits, base) if 0 < len(digits) <= 7 else 0
    return CONTROLS.get(number) or decode_code_point(number)


class DecodedText(NamedTuple):
    """A decoded part of a document, and the index in it of each character and of the end."""

    text: str
    offsets: Sequence[int]


def decode_span(document: str, start: int, end: int, *, in_text: bool = False) -> DecodedText:
    """Decode an attribute value or text, and record where its characters are written."""
    text = document[start:end]
    if "&" not in text:
        return DecodedText(decode_attribute(text), range(start, end + 1))
    texts: list[str] = []
    offsets: list[int] = []
    index = 0
    text = text.replace("\0", "\ufffd")
    for match in REFERENCE.finditer(text):
        characters, length = decode_html_reference(match, in_text=in_text)
        texts += (text[index : match.start()], characters)
        offsets += range(start + index, start + match.start())
        offsets += [start + match.start()] * len(characters)
        index = match.start() + length
    texts.append(text[index:])
    offsets += range(start + index, end + 1)
    return DecodedText("".join(texts), offsets)


SPACE = "\t\n\f\r "

#: The attributes of a start tag by name, as matches of `ATTRIBUTE` in `_html`. For a name that
#: occurs twice, the first one counts.
Attributes: TypeAlias = Mapping[str, re.Match[str]]

#: The places of attribute values, by the group that matches.
VALUE_CONTEXTS = {
    "double": "html-double-quoted",
    "single": "html-single-quoted",
    "bare": "html-unquoted",
    "equals": "html-no-value",
    "name": "html-no-equals-sign",
}


class AttributeValue(NamedTuple):
    """The span of an attribute value in a document, and its context (see `VALUE_CONTEXTS`)."""

    document: str
    start: int
    end: int
    context: str

    def decode(self) -> DecodedText:
        return decode_span(self.document, self.start, self.end)


def locate_value(attribute: re.Match[str]) -> AttributeValue:
    group = attribute.lastgroup
    assert group, "the pattern has a group that always matches"
    if group in {"name", "equals"}:
        return AttributeValue(
            attribute.string, attribute.end(), attribute.end(), VALUE_CONTEXTS[group]
        )
    start, end = attribute.span(group)
    return AttributeValue(attribute.string, start, end, VALUE_CONTEXTS[group])


#: Functions that yield the destinations in an attribute value.
Reader: TypeAlias = Callable[[AttributeValue, LinkKind], Iterable[Occurrence]]


def read_single(value: AttributeValue, kind: LinkKind) -> Iterable[Occurrence]:
    """Return the only destination, also an empty one: it stands for the document."""
    document, start, end, context = value
    text = document[start:end]
    if not text.isascii() or not text.isprintable() or " " in text:
        start += len(text) - len(text.lstrip(SPACE))
        end -= len(text) - len(text.rstrip(SPACE))
        text = document[start : max(start, end)]
    destination = remove_ignored_characters(decode_attribute(text))
    return (Occurrence(start, max(start, end), destination, kind, context),)


def read_loaded(value: AttributeValue, kind: LinkKind) -> Iterable[Occurrence]:
    """Return the only destination; an empty one is not loaded."""
    return [occurrence for occurrence in read_single(value, kind) if occurrence.destination]


#: A URL of a list that is separated by spaces.
WORD = re.compile(rf"[^{SPACE}]++")


def read_words(value: AttributeValue, kind: LinkKind) -> Iterator[Occurrence]:
    decoded = value.decode()
    for word in WORD.finditer(decoded.text):
        yield make_occurrence(
            word.start(), word.end(), word[0], kind, decoded, f"{value.context} word"
        )


def make_occurrence(
    start: int, end: int, text: str, kind: LinkKind, decoded: DecodedText, context: str
) -> Occurrence:
    destination = remove_ignored_characters(text)
    return Occurrence(decoded.offsets[start], decoded.offsets[end], destination, kind, context)


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


def read_candidates(value: AttributeValue, kind: LinkKind) -> Iterator[Occurrence]:
    decoded = value.decode()
    for match in CANDIDATE.finditer(decoded.text):
        url = match["url"].rstrip(",")
        if url and has_valid_descriptors(match["descriptors"] or ""):
            start = match.start("url")
            context = f"{value.context} candidate"
            yield make_occurrence(start, start + len(url), url, kind, decoded, context)


def has_valid_descriptors(descriptors: str) -> bool:
    """Return whether the descriptors of a candidate are valid; otherwise it is not loaded."""
    kinds: set[str | None] = set()
    for word in DESCRIPTOR.findall(descriptors):
        match = DESCRIPTOR_KIND.fullmatch(word)
        if not match or match.lastgroup in kinds:
            return False
        kinds.add(match.lastgroup)
    # At most a density, or a width and perhaps a height.
    return kinds <= {"x"} or (kinds <= {"w", "h"} and "w" in kinds)


#: https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
REFRESH = re.compile(
    rf"[{SPACE}]*+(?:[0-9]++|(?=\.))[0-9.]*+(?:[{SPACE}]++|(?=[;,]))[{SPACE}]*+[;,]?+[{SPACE}]*+"
    rf"(?:[uU][rR][lL][{SPACE}]*+=[{SPACE}]*+)?+"
    r"(?:\"(?P<double>[^\"]*+)|'(?P<single>[^']*+)|(?P<unquoted>[\s\S]*+))"
)


def read_refresh(value: AttributeValue, kind: LinkKind) -> Iterator[Occurrence]:
    decoded = value.decode()
    match = REFRESH.match(decoded.text)
    if not match:
        return
    groups = ("double", "single", "unquoted")
    group = next(group for group in groups if match[group] is not None)
    start, end = match.span(group)
    # A number without a URL after it reloads the document.
    if start < len(decoded.text) or group != "unquoted":
        context = f"{value.context} refresh-{group}"
        yield make_occurrence(start, end, match[group], kind, decoded, context)


def read_style(value: AttributeValue, _: LinkKind) -> Iterator[Occurrence]:
    decoded = value.decode()
    for occurrence in _css.find_css_destinations(decoded.text):
        start, end = decoded.offsets[occurrence.start], decoded.offsets[occurrence.end]
        yield Occurrence(
            start,
            end,
            occurrence.destination,
            occurrence.kind,
            f"{value.context} {occurrence.context}",
        )


class Rule(NamedTuple):
    """How to read an attribute."""

    kind: LinkKind
    reader: Reader = read_loaded


CANDIDATES = Rule("image", read_candidates)
BACKGROUND = {"background": Rule("image")}
FRAME = {"src": Rule("frame")}
IMAGE = {"src": Rule("image"), "srcset": CANDIDATES}
LINK = {"href": Rule("link", read_single), "ping": Rule("link", read_words)}

#: The attributes with destinations, by element. The table leaves out those that only identify
#: something (`cite`), and those that browsers do not open.
HTML: dict[str, dict[str, Rule]] = {
    "a": LINK,
    "area": LINK,
    "audio": {"src": Rule("media")},
    "base": {"href": Rule("base", read_single)},
    "body": BACKGROUND,
    "button": {"formaction": Rule("form", read_single)},
    "form": {"action": Rule("form", read_single)},
    **dict.fromkeys(("embed", "frame", "iframe"), FRAME),
    **dict.fromkeys(("image", "img"), IMAGE),
    "input": {"src": Rule("image"), "formaction": Rule("form", read_single)},
    "link": {"href": Rule("link"), "imagesrcset": CANDIDATES},
    "meta": {"content": Rule("redirect", read_refresh)},
    "object": {"data": Rule("frame")},
    "script": {"src": Rule("script")},
    "source": {"src": Rule("media"), "srcset": CANDIDATES},
    **dict.fromkeys(("table", "tbody", "td", "tfoot", "th", "thead", "tr"), BACKGROUND),
    "track": {"src": Rule("media")},
    "video": {"src": Rule("media"), "poster": Rule("image")},
}
STYLE = Rule("image", read_style)

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
    "a": Rule("link", read_single),
    "script": Rule("script"),
    **dict.fromkeys(("feimage", "image", "mpath", "textpath", "use"), Rule("image")),
    **dict.fromkeys(("lineargradient", "pattern", "radialgradient"), Rule("image")),
}
#: In MathML, any element can be a link.
MATH = Rule("link", read_single)

#: As `HTML`, with the attribute that all elements have.
RULES: dict[str, dict[str, Rule]] = {
    name: {**rules, "style": STYLE} for name, rules in HTML.items()
}
ANY: dict[str, Rule] = {"style": STYLE}


def find_in_attributes(
    name: str, attributes: Attributes, namespace: str = "html"
) -> Iterator[Occurrence]:
    """Yield the destinations in a start tag, in the order of its attributes."""
    if namespace != "html":
        yield from find_in_foreign_attributes(name, attributes, namespace)
        return
    rules = RULES.get(name, ANY)
    for attribute in attributes:
        rule = rules.get(attribute)
        if rule and (name not in CONDITIONAL or is_effective(name, attribute, attributes)):
            is_link = name == "link" and attribute == "href"
            kind = classify_link(attributes) if is_link else rule.kind
            yield from rule.reader(locate_value(attributes[attribute]), kind)


def find_in_foreign_attributes(
    name: str, attributes: Attributes, namespace: str
) -> Iterator[Occurrence]:
    # In SVG, `href` takes precedence over `xlink:href`.
    is_svg = namespace == "svg"
    link_names = {"href"} if is_svg and "href" in attributes else {"href", "xlink:href"}
    link_rule = SVG.get(name) if is_svg else MATH
    for attribute in attributes:
        rule = link_rule if attribute in link_names else PRESENTATION.get(attribute)
        if rule:
            yield from rule.reader(locate_value(attributes[attribute]), rule.kind)


#: Elements for which `is_effective` must decide.
CONDITIONAL = frozenset(("input", "meta"))


def is_effective(name: str, attribute: str, attributes: Attributes) -> bool:
    """Return whether an attribute of an element in `CONDITIONAL` has a destination."""
    if name == "input" and attribute == "src":
        return get_lower_value(attributes, "type") == "image"
    if name == "meta":
        return get_lower_value(attributes, "http-equiv") == "refresh" or attribute == "style"
    return True


def get_lower_value(attributes: Attributes, name: str) -> str:
    attribute = attributes.get(name)
    if not attribute:
        return ""
    document, start, end, _ = locate_value(attribute)
    return decode_attribute(document[start:end]).lower()


#: The media types of feeds.
FEEDS = {"application/rss+xml", "application/atom+xml", "application/feed+json"}


def classify_link(attributes: Attributes) -> LinkKind:
    """Return what the destination of a `link` element is, by its `rel`."""
    rel = set(get_lower_value(attributes, "rel").split())
    if "stylesheet" in rel:
        return "style"
    if "alternate" in rel and get_lower_value(attributes, "type").strip() in FEEDS:
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


def escape_match(match: re.Match[str]) -> str:
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(match[0]) or f"&#{ord(match[0])};"


def nest(outer: Writer, inner: Writer) -> Writer:
    """Return a function that writes a destination into a part of an attribute value or of text."""
    return lambda destination: outer(inner(destination))


def write_unquoted(text: str) -> str:
    """Write an attribute value without quotation marks; an empty one needs them."""
    return SPECIAL["html-unquoted"].sub(escape_match, text) or '""'


def write_quoted_value(text: str) -> str:
    """Write a value after "=" where none is; nothing if it is empty."""
    return text and f'"{SPECIAL["html-double-quoted"].sub(escape_match, text)}"'


def write_with_equals_sign(text: str) -> str:
    """Write a value after an attribute that has none, not even an equals sign."""
    return text and f"={write_quoted_value(text)}"


def write_word(destination: str) -> str:
    forbid_pattern(re.compile(rf"[{SPACE}]|\A\Z"), require_stable(destination, "HTML"), "a list")
    return destination


def write_candidate(destination: str) -> str:
    forbid_pattern(re.compile(r"\A,|,\Z"), write_word(destination), "srcset")
    return destination


#: A destination that would be read as another part of a refresh.
AMBIGUOUS = re.compile(rf"\A(?:[\"';,]|[uU][rR][lL][{SPACE}]*+=)|\A\Z")


def write_refresh(quotes: str, special: re.Pattern[str], destination: str) -> str:
    forbid_pattern(special, require_stable(destination, "HTML"), f"an {quotes} refresh")
    return destination


#: The writers of attribute values, and those of parts of these values.
ATTRIBUTE_WRITERS: dict[str, Writer] = {
    **{context: partial(pattern.sub, escape_match) for context, pattern in SPECIAL.items()},
    "html-unquoted": write_unquoted,
    "html-no-value": write_quoted_value,
    "html-no-equals-sign": write_with_equals_sign,
}
INNER_WRITERS: dict[str, Writer] = {
    "word": write_word,
    "candidate": write_candidate,
    "refresh-double": partial(write_refresh, "double-quoted", re.compile('"')),
    "refresh-single": partial(write_refresh, "single-quoted", re.compile("'")),
    "refresh-unquoted": partial(write_refresh, "unquoted", AMBIGUOUS),
    **_css.WRITERS,
}
DOCUMENT_WRITERS = {
    **{
        context: nest(outer, partial(require_stable, context="HTML"))
        for context, outer in ATTRIBUTE_WRITERS.items()
    },
    **{
        f"{context} {inner_context}": nest(ATTRIBUTE_WRITERS[context], inner)
        for context in SPECIAL
        for inner_context, inner in INNER_WRITERS.items()
    },
    # In SVG, style sheets are ordinary text.
    **{
        f"html-text {inner_context}": nest(partial(SPECIAL_IN_TEXT.sub, escape_match), inner)
        for inner_context, inner in _css.WRITERS.items()
    },
}
WRITERS = {
    **DOCUMENT_WRITERS,
    # The document in `srcdoc`.
    **{
        f"{context} srcdoc {inner_context}": nest(partial(pattern.sub, escape_match), inner)
        for context, pattern in SPECIAL.items()
        for inner_context, inner in (DOCUMENT_WRITERS | _css.WRITERS).items()
    },
}
