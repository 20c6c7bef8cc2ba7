"""The destinations in HTML, as a browser without scripts reads it.

The sections are those of https://html.spec.whatwg.org/multipage/parsing.html. Text, comments and
tags without destinations are skipped by one regular expression, because they are most of a page.

The tokenizer (13.2.5) is complete. Of the tree construction (13.2.6), only what changes the
tokenizer is implemented: elements whose contents are text, and SVG and MathML. So a destination
counts even if the tree builder drops its element, such as a form in a form. What scripts may insert
counts as well: the contents of `template` and, because scripts are off, of `noscript`. The document
in `srcdoc` is not read.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from uriverse._patterns import lazy_pattern

from . import _css
from ._found import Found
from ._html_elements import HTML, PLACES, Written, destinations, style
from ._html_foreign import Foreign

__all__ = ["PLACES", "find"]

SPACE = r"\t\n\f\r "
NAME_END = rf"{SPACE}/>"

#: An attribute (13.2.5.32 to 13.2.5.40). A tag that does not end before the document is no tag.
VALUE = rf"\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^>\"'{SPACE}][^>{SPACE}]*+)"
NAMED_ATTRIBUTE = (
    rf"[{SPACE}/]*+(?P<name>[^{NAME_END}][^{NAME_END}=]*+)"
    rf"(?:[{SPACE}]*+=(?P<equals>)[{SPACE}]*+(?:{VALUE}|(?=>))|(?![{SPACE}]*+=))"
)
ATTRIBUTE = lazy_pattern(NAMED_ATTRIBUTE)
ANY_ATTRIBUTE = re.sub(r"\(\?P<\w+>", "(?:", NAMED_ATTRIBUTE)
REST_OF_TAG = rf"(?:{ANY_ATTRIBUTE})*+[{SPACE}/]*+>"
START_TAG = lazy_pattern(rf"<([A-Za-z][^{NAME_END}]*+)((?:{ANY_ATTRIBUTE})*+)[{SPACE}/]*+>")
END_TAG = lazy_pattern(rf"</([A-Za-z][^{NAME_END}]*+){REST_OF_TAG}")

#: What is neither a start tag nor an end tag: text, comments (13.2.5.43 to 13.2.5.52), document
#: types and bogus comments (13.2.5.41).
COMMENT = r"<!--(?:-?>|[\s\S]*?--!?>)|<(?:!(?!--)|\?)[^>]*+>|</(?:[^A-Za-z>][^>]*+)?>"
TEXT = r"[^<]++|<(?![A-Za-z/!?])"

#: Elements whose contents are text (13.2.6.4). Scripts have rules of their own.
RAW = frozenset(
    ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
)


def skipping(stops: str, attributes: str = "") -> re.Pattern[str]:
    """Return a pattern for all that precedes a start tag with a destination.

    Args:
        stops: a pattern for the names of elements that have destinations or other rules.
        attributes: a pattern for the names of attributes that have destinations on any element.
    """
    without = rf"(?![{SPACE}/]*+(?ai:{attributes})[={NAME_END}])" if attributes else ""
    return lazy_pattern(
        rf"(?:{TEXT}|</[A-Za-z][^{NAME_END}]*+{REST_OF_TAG}"
        rf"|<(?!(?ai:{stops})[{NAME_END}])[A-Za-z][^{NAME_END}]*+"
        rf"(?:{without}{ANY_ATTRIBUTE})*+[{SPACE}/]*+>|{COMMENT})*+"
    )


SKIPPED = skipping("|".join(sorted({*HTML, *RAW, "svg", "math"})), "style")
MARKUP = lazy_pattern(rf"(?:{TEXT}|{COMMENT})*+")
#: In SVG and MathML, CDATA sections are text (13.2.5.42).
FOREIGN_MARKUP = lazy_pattern(rf"(?:{TEXT}|<!\[CDATA\[[\s\S]*?(?:\]\]>|\Z)|{COMMENT})*+")


def find(text: str) -> Iterator[Found]:
    """Find the destinations in an HTML document."""
    based = False
    for found in find_all(text):
        # Only the first base URL counts.
        if found.kind != "base" or not based:
            yield found
        based = based or found.kind == "base"


def find_all(text: str) -> Iterator[Found]:
    """Find the destinations in an HTML document, with all base URLs."""
    at = 0
    while tag := START_TAG.match(text, after(SKIPPED, text, at)):
        name = lower(tag[1])
        yield from destinations(name, attributes_of(tag))
        at = tag.end()
        if name in RAW:
            at = yield from raw(text, at, name)
        elif name in {"svg", "math"} and not self_closing(tag):
            at = yield from in_foreign(text, at, name)


def after(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the index after a match of a pattern that matches everywhere."""
    match = pattern.match(text, at)
    assert match, "the pattern matches the empty string"
    return match.end()


def lower(name: str) -> str:
    """Return a name in lower case, but only its ASCII letters."""
    return name.lower() if name.isascii() else name.translate(LOWER)


LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def attributes_of(tag: re.Match[str]) -> dict[str, Written]:
    """Return the attributes of a start tag, a match of `START_TAG`."""
    found: dict[str, Written] = {}
    document = tag.string
    for match in ATTRIBUTE.finditer(document, tag.start(2), tag.end()):
        name = lower(match["name"])
        if name in found:
            continue
        kind = match.lastgroup
        if kind == "double":
            found[name] = Written(document, *match.span(kind), "html-double-quoted")
        elif kind == "single":
            found[name] = Written(document, *match.span(kind), "html-single-quoted")
        elif kind == "bare":
            found[name] = Written(document, *match.span(kind), "html-unquoted")
        else:
            place = "html-no-value" if kind == "equals" else "html-no-equals-sign"
            found[name] = Written(document, match.end(), match.end(), place)
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


#: What ends each state of a script (13.2.5.15 to 13.2.5.31): in a comment, `<script>` starts a part
#: that does not end the element.
SCRIPT = {
    "data": lazy_pattern(rf"(?P<end></(?ai:script)[{NAME_END}])|(?P<escaped><!(?=--))"),
    "escaped": lazy_pattern(
        rf"(?P<end></(?ai:script)[{NAME_END}])|(?P<twice><(?ai:script)[{NAME_END}])|(?P<data>-->)"
    ),
    "twice": lazy_pattern(rf"(?P<escaped></(?ai:script)[{NAME_END}])|(?P<data>-->)"),
}


def end_of_script(text: str, at: int) -> int:
    """Return the index of the end tag of a script."""
    state = "data"
    while match := SCRIPT[state].search(text, at):
        state = match.lastgroup or state
        if state == "end":
            return match.start()
        # In `<!-->`, the hyphens that start the comment also end it.
        at = match.end()
    return len(text)


# --- SVG and MathML


def in_foreign(text: str, at: int, root: str) -> Generator[Found, None, int]:
    """Read the contents of an `svg` or `math` element; return the index after them."""
    foreign = Foreign(root)
    while True:
        markup = FOREIGN_MARKUP if foreign.current_is_foreign else MARKUP
        start, at = at, after(markup, text, at)
        if foreign.styles:
            yield from svg_style(text, start, at)
        if end := END_TAG.match(text, at):
            if not foreign.close(lower(end[1])):
                return at
            at = end.end()
            continue
        tag = START_TAG.match(text, at)
        if not tag:
            return len(text)
        name = lower(tag[1])
        attributes = attributes_of(tag)
        namespace = foreign.open(name, attributes, self_closing=self_closing(tag))
        if not namespace:
            return at
        yield from destinations(name, attributes, namespace)
        at = tag.end()
        if namespace == "html" and name in RAW:
            at = yield from raw(text, at, name)


#: The text in a style sheet of SVG, and its CDATA sections.
STYLE_TEXT = lazy_pattern(rf"<!\[CDATA\[(?P<cdata>[\s\S]*?)(?:\]\]>|\Z)|(?P<text>{TEXT})|{COMMENT}")


def svg_style(text: str, start: int, end: int) -> Iterator[Found]:
    """Find the destinations in the text of a `style` element of SVG, which is ordinary markup."""
    for match in STYLE_TEXT.finditer(text, start, end):
        if match.lastgroup == "cdata":
            yield from css_in(text, *match.span("cdata"))
        elif match.lastgroup == "text":
            yield from style(Written(text, *match.span("text"), "html-text"), "image")


def css_in(text: str, start: int, end: int) -> Iterator[Found]:
    """Find the destinations in a style sheet that is written as it is."""
    for found in _css.find(text[start:end]):
        yield found._replace(start=found.start + start, end=found.end + start)
