"""The destinations in HTML, as a browser without scripts reads it.

The sections are those of https://html.spec.whatwg.org/multipage/parsing.html. Text, comments and
tags without destinations are skipped by one regular expression, because they are most of a page.

The tokenizer (13.2.5) is complete. The tree construction (13.2.6) is implemented only where it
changes the tokenizer: for elements that contain only text, and for SVG and MathML. A destination
therefore counts even if the tree builder drops its element, such as a form in a form. The contents
of `template` count as well, because scripts may insert them, and the contents of `noscript`,
because scripts are off. The document in `srcdoc` counts too, but not those in it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import TypeAlias

from . import _css
from ._found import OUTERMOST, Base, Found
from ._html_elements import HTML, PLACES, Attributes, destinations, written_in
from ._html_foreign import Foreign
from ._html_open import OpenElements
from ._references import Value, value_at
from ._scanning import after

__all__ = ["PLACES", "find"]

SPACE = r"\t\n\f\r "
NAME_END = rf"{SPACE}/>"

#: An attribute (13.2.5.32 to 13.2.5.40). A tag that is not closed at the end of the document does
#: not count.
VALUE = rf"\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^>\"'{SPACE}][^>{SPACE}]*+)"
NAMED_ATTRIBUTE = (
    rf"[{SPACE}/]*+(?P<name>[^{NAME_END}][^{NAME_END}=]*+)"
    rf"(?:[{SPACE}]*+=(?P<equals>)[{SPACE}]*+(?:{VALUE}|(?=>))|(?![{SPACE}]*+=))"
)
ATTRIBUTE = re.compile(NAMED_ATTRIBUTE)
ANY_ATTRIBUTE = re.sub(r"\(\?P<\w+>", "(?:", NAMED_ATTRIBUTE)
REST_OF_TAG = rf"(?:{ANY_ATTRIBUTE})*+[{SPACE}/]*+>"
START_TAG = re.compile(rf"<([A-Za-z][^{NAME_END}]*+)((?:{ANY_ATTRIBUTE})*+)[{SPACE}/]*+>")
END_TAG = re.compile(rf"</([A-Za-z][^{NAME_END}]*+){REST_OF_TAG}")

#: All other tokens: text, comments (13.2.5.43 to 13.2.5.52), document types and bogus comments
#: (13.2.5.41).
COMMENT = r"<!--(?:-?>|[\s\S]*?--!?>)|<(?:!(?!--)|\?)[^>]*+>|</(?:[^A-Za-z>][^>]*+)?>"
TEXT = r"[^<]++|<(?![A-Za-z/!?])"

#: Elements whose contents are text (13.2.6.4). Scripts have rules of their own.
RAW = frozenset(
    ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
)


def other_than(names: str) -> str:
    """Return a pattern for any number of attributes with other names than those of a pattern."""
    return rf"(?:(?![{SPACE}/]*+(?ai:{names})[={NAME_END}]){ANY_ATTRIBUTE})*+"


def skipping(stops: str, attributes: str = rf"(?:{ANY_ATTRIBUTE})*+") -> str:
    """Return a pattern for all that precedes a start tag with a destination.

    Args:
        stops: a pattern for the names of elements that have destinations or other rules.
        attributes: a pattern for the attributes of other elements that have no destinations.
    """
    return (
        rf"(?:{TEXT}|</[A-Za-z][^{NAME_END}]*+{REST_OF_TAG}"
        rf"|<(?!(?ai:{stops})[{NAME_END}])[A-Za-z][^{NAME_END}]*+{attributes}[{SPACE}/]*+>"
        rf"|{COMMENT})*+"
    )


#: Most destinations are those of links in their most frequent form, which needs no decoding. They
#: are matched together with what precedes them, which doubles the speed.
PLAIN_LINK = (
    rf"<[Aa](?=[{SPACE}/]){other_than('href|ping|style')}[{SPACE}/]*+[Hh][Rr][Ee][Ff]="
    rf"\"(?P<href>[^\"&\x00-\x20]*+)\"{other_than('ping|style')}[{SPACE}/]*+>"
)
STOPS = "|".join(sorted({*HTML, *RAW, "svg", "math"}))
NEXT = re.compile(rf"{skipping(STOPS, other_than('style'))}(?:{PLAIN_LINK})?+")
MARKUP = re.compile(rf"(?:{TEXT}|{COMMENT})*+")
#: In SVG and MathML, CDATA sections are text (13.2.5.42).
FOREIGN_MARKUP = re.compile(rf"(?:{TEXT}|<!\[CDATA\[[\s\S]*?(?:\]\]>|\Z)|{COMMENT})*+")


#: A function that yields the destinations in the tag of an `iframe`.
FrameReader: TypeAlias = Callable[[Attributes], Iterator[Found]]


def find(text: str) -> Iterator[Found]:
    """Find the destinations in an HTML document."""
    yield from with_one_base(find_all(text, in_srcdoc))


def with_one_base(every: Iterator[Found]) -> Iterator[Found]:
    """Yield destinations without all base URLs of a document but the first, which counts."""
    based = False
    for found in every:
        is_base = found.kind == "base" and found.base is None
        if not (is_base and based):
            yield found
        based = based or is_base


def find_all(text: str, frame: FrameReader) -> Iterator[Found]:
    """Find the destinations in an HTML document, with all base URLs.

    Args:
        text: the document.
        frame: a function that yields the destinations in the tag of an `iframe`.
    """
    at = 0
    around = Around(text)
    while True:
        skipped = NEXT.match(text, at)
        if skipped is None:
            raise AssertionError(at)  # the pattern also matches an empty string
        at = skipped.end()
        if skipped["href"] is not None:
            start, end = skipped.span("href")
            yield Found(start, end, skipped["href"], "link", "html-double-quoted")
            continue
        tag = START_TAG.match(text, at)
        if not tag:
            return
        name = lower(tag[1])
        attributes = attributes_of(tag)
        at = tag.end()
        if name in {"svg", "math"}:
            yield from destinations(name, attributes, name)
            if not self_closing(tag):
                around.end = tag.start()
                at = yield from in_foreign(text, at, Foreign(name, around))
            around.foreign.append((tag.start(), at))
            continue
        yield from frame(attributes) if name == "iframe" else destinations(name, attributes)
        if name in RAW:
            at = yield from raw(text, at, name)


def in_iframe(attributes: Attributes) -> Iterator[Found]:
    """Yield the destinations in the tag of an `iframe` outside `srcdoc`."""
    return destinations("iframe", attributes)


def in_srcdoc(attributes: Attributes) -> Iterator[Found]:
    """Yield the destinations in the tag of an `iframe`, and in its document in `srcdoc`.

    The base of that document is resolved against the base of the document around it.
    """
    every = list(in_iframe(attributes))
    if "srcdoc" in attributes:
        written = written_in(attributes["srcdoc"])
        value = written.decoded()
        nested = list(with_one_base(find_all(value.text, in_iframe)))
        bases = [
            Base(found.destination, OUTERMOST, value.places[found.start])
            for found in nested
            if found.kind == "base"
        ]
        for found in nested:
            base = OUTERMOST if found.kind == "base" or not bases else bases[0]
            start, end = value.places[found.start], value.places[found.end]
            place = f"{written.place} srcdoc {found.place}"
            every.append(Found(start, end, found.destination, found.kind, place, base))
    yield from sorted(every, key=lambda found: found.start)


def lower(name: str) -> str:
    """Return a name in lower case, but only its ASCII letters."""
    return name.lower() if name.isascii() else name.translate(LOWER)


LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def attributes_of(tag: re.Match[str]) -> dict[str, re.Match[str]]:
    """Return the attributes of a start tag, a match of `START_TAG`."""
    found: dict[str, re.Match[str]] = {}
    for match in ATTRIBUTE.finditer(tag.string, tag.start(2), tag.end()):
        found.setdefault(lower(match["name"]), match)
    return found


def self_closing(tag: re.Match[str]) -> bool:
    """Return whether a slash that is not part of a value ends a start tag."""
    return tag.end(2) < tag.end() - 1 and tag.string[tag.end() - 2] == "/"


# --- elements whose contents are text


def raw(text: str, at: int, name: str) -> Generator[Found, None, int]:
    """Read the contents of an element that contains only text; return the index after them."""
    end = end_of_raw(text, at, name)
    if name == "style":
        yield from css_in(text, at, end)
    return end


def end_of_raw(text: str, at: int, name: str) -> int:
    """Return the index of the end tag of an element that contains only text."""
    if name == "plaintext":
        return len(text)
    if name == "script":
        return end_of_script(text, at)
    end = raw_end(name).search(text, at)
    return end.start() if end else len(text)


def raw_end(name: str) -> re.Pattern[str]:
    return re.compile(rf"</(?ai:{name})(?=[{NAME_END}])")


#: The next state of a script, by state (13.2.5.15 to 13.2.5.31). In a comment, `</script>` ends the
#: element only if no `<script>` precedes it.
SCRIPT = {
    "normal": re.compile(rf"(?P<end></(?ai:script)[{NAME_END}])|(?P<escaped><!(?=--))"),
    "escaped": re.compile(
        rf"(?P<end></(?ai:script)[{NAME_END}])|(?P<twice><(?ai:script)[{NAME_END}])|(?P<normal>-->)"
    ),
    "twice": re.compile(rf"(?P<escaped></(?ai:script)[{NAME_END}])|(?P<normal>-->)"),
}


def end_of_script(text: str, at: int) -> int:
    """Return the index of the end tag of a script."""
    state = "normal"
    while match := SCRIPT[state].search(text, at):
        state = match.lastgroup or state
        if state == "end":
            return match.start()
        # In `<!-->`, the hyphens that start the comment also end it.
        at = match.end()
    return len(text)


# --- SVG and MathML


class Around:
    """The HTML elements that are open around an SVG or MathML element.

    They matter only for some tags in it, so that they are found when the first one is read.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.end = 0
        self.elements = OpenElements()
        #: The start and the end of each SVG or MathML element that has not been passed.
        self.foreign: deque[tuple[int, int]] = deque()

    def __call__(self) -> OpenElements:
        """Return the elements that are open at the index `end`."""
        while (tag := self.next_tag()) and tag.start() < self.end:
            self.at = tag.end()
            name = lower(tag[1])
            if self.foreign and tag.start() == self.foreign[0][0]:
                _, self.at = self.foreign.popleft()
                self.elements.begin_foreign()
            elif self.text.startswith("</", tag.start()):
                self.elements.close(name)
            else:
                self.elements.open(name)
                if name in RAW:
                    self.at = end_of_raw(self.text, self.at, name)
        self.elements.begin_foreign()
        return self.elements

    def next_tag(self) -> re.Match[str] | None:
        at = after(MARKUP, self.text, self.at)
        return START_TAG.match(self.text, at) or END_TAG.match(self.text, at)


def in_foreign(text: str, at: int, foreign: Foreign) -> Generator[Found, None, int]:
    """Read the contents of an `svg` or `math` element; return the index after them."""
    sheet = StyleSheet(text)
    while True:
        markup = FOREIGN_MARKUP if foreign.current[0] != "html" else MARKUP
        start, at = at, after(markup, text, at)
        if foreign.current[:2] == ("svg", "style"):
            sheet.add(start, at)
        else:
            yield from sheet.flush()
        if end := END_TAG.match(text, at):
            if not foreign.close(lower(end[1])):
                break
            at = end.end()
            continue
        tag = START_TAG.match(text, at)
        if not tag:
            at = len(text)
            break
        name = lower(tag[1])
        attributes = attributes_of(tag)
        if name == "style":
            yield from sheet.flush()
        namespace = foreign.open(name, attributes, self_closing=self_closing(tag))
        if not namespace:
            break
        if found := list(destinations(name, attributes, namespace)):
            # Destinations are yielded in their order in the document.
            yield from sheet.flush()
            yield from found
        at = tag.end()
        if namespace == "html" and name in RAW:
            at = yield from raw(text, at, name)
    yield from sheet.flush()
    return at


#: The text in a style sheet of SVG, and its CDATA sections.
STYLE_TEXT = re.compile(rf"<!\[CDATA\[(?P<cdata>[\s\S]*?)(?:\]\]>|\Z)|(?P<text>{TEXT})|{COMMENT}")


class StyleSheet:
    """The text of a `style` element of SVG, in which tags, comments and CDATA sections count."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[Value] = []
        #: For each character, whether it is in a CDATA section.
        self.cdata: list[bool] = []

    def add(self, start: int, end: int) -> None:
        """Add the text between two indices of the document."""
        for match in STYLE_TEXT.finditer(self.text, start, end):
            if group := match.lastgroup:
                start, end = match.span(group)
                cdata = group == "cdata"
                places = range(start, end + 1)
                piece = (
                    Value(match[group], places)
                    if cdata
                    else value_at(self.text, start, end, in_text=True)
                )
                self.pieces.append(piece)
                self.cdata += [cdata] * len(piece.text)

    def flush(self) -> Iterator[Found]:
        """Yield the destinations in the text so far, and start another style sheet."""
        if not self.pieces:
            return
        places = [place for piece in self.pieces for place in piece.places[:-1]]
        ends = [place for piece in self.pieces for place in piece.places[1:]]
        for found in _css.find("".join(piece.text for piece in self.pieces)):
            start, end = places[found.start], ends[found.end - 1]
            place = found.place if self.cdata[found.start] else f"html-text {found.place}"
            yield found._replace(start=start, end=end, place=place)
        self.pieces, self.cdata = [], []


def css_in(text: str, start: int, end: int) -> Iterator[Found]:
    """Find the destinations in a style sheet that is written as it is."""
    for found in _css.find(text[start:end]):
        yield found._replace(start=found.start + start, end=found.end + start)
