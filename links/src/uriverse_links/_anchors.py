"""The anchors of a document: the fragments that links to it can have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import category

from ._destinations import DocumentFormat
from ._html import list_elements, read_tag
from ._html_elements import decode_attribute as decoded_references
from ._html_elements import locate_value
from ._markdown import read_html
from ._markdown_blocks import Block, Document

#: Letters in circles and squares: symbols with the property `Alphabetic`.
SYMBOLS = re.compile(
    "[\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]"
)

#: The start of a tag that opens or closes a heading in HTML.
HTML_HEADING = re.compile(r"<(/?)h([1-6])(?=[\s/>])", re.IGNORECASE | re.ASCII)

#: Explicit anchors: `{#name}` as in Pandoc or `{: #name }` as in kramdown, and a line `(name)=` as
#: in MyST.
ATTRIBUTES = re.compile(r"\{([^{}\n]*+)\}")
NAME = re.compile(r"#([\w:.-]+)")
TARGET = re.compile(r"^[ \t]*\(([^()\n]+)\)=[ \t]*$", re.MULTILINE)


def find_anchors(text: str, format: DocumentFormat) -> frozenset[str] | None:  # noqa: A002
    """Return the fragments that links to a document can have; `None` if they are unknown.

    In HTML, these are the attributes `id`, and `name` of `a`. In Markdown, these are also the
    headings, with the names that GitHub gives them.
    """
    if format == "html":
        return frozenset(find_ids(text))
    return frozenset(find_markdown_anchors(text)) if format == "markdown" else None


# --- HTML


def find_ids(html: str) -> Iterator[str]:
    for start, _ in list_elements(html, "[id],a[name]"):
        tag = read_tag(html, start)
        attribute_names = ("id", "name") if tag.name == "a" else ("id",)
        for attribute in attribute_names:
            if attribute in tag.attributes:
                yield locate_value(tag.attributes[attribute]).decode().text


# --- Markdown


def find_markdown_anchors(text: str) -> Iterator[str]:
    document = Document(text)
    source = document.source
    headings: list[str] = []
    for block in document.blocks:
        if block.kind == "heading":
            headings.append(render_heading(source, block))
        for html, _ in read_html(source, block):
            yield from find_ids(html)
            if block.kind == "html":
                headings += find_html_headings(html)
    # Some renderers read `{#name}` at the end of a heading as attributes, and others as text.
    yield from make_slugs(headings)
    yield from make_slugs(map(strip_attributes, headings))
    for attributes in ATTRIBUTES.finditer(source):
        if name := NAME.search(attributes[1]):
            yield name[1]
    yield from (target[1] for target in TARGET.finditer(source))


def strip_attributes(heading: str) -> str:
    return ATTRIBUTES.sub("", heading).rstrip() if "{" in heading else heading


def find_html_headings(html: str) -> Iterator[str]:
    open_level, start = "", 0
    for tag in HTML_HEADING.finditer(html):
        slash, level = tag.groups()
        if not slash:
            open_level, start = level, tag.start()
        elif level == open_level:
            yield decoded_references(strip_tags(html[start : tag.start()])).strip()
            open_level = ""


def strip_tags(html: str) -> str:
    first, *pieces = html.split("<")
    parts = (part.partition(">") for part in pieces)
    return first + "".join(after if end else f"<{before}" for before, end, after in parts)


def render_heading(source: str, block: Block) -> str:
    """Return the text of a heading, without images and the text in them."""
    pieces: list[str] = []
    end = block.start
    for element in block.elements:
        is_inside_last = element.start < end
        if is_inside_last:
            continue
        if element.kind in {"text", "code", "line-end"}:
            pieces.append(element.value)
        elif element.kind == "autolink":
            pieces.append(source[element.start + 1 : element.end - 1])
        if element.kind in {"autolink", "image"}:
            end = element.end
    return "".join(pieces)


# --- the names of headings


def make_slug(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading, if no other heading has the same."""
    characters = [
        character
        for character in heading.lower()
        if character in " -" or is_word_character(character)
    ]
    return "".join(characters).replace(" ", "-")


def is_word_character(character: str) -> bool:
    """Return whether a character has the Unicode property `Word`, without join controls."""
    kind = category(character)
    return (
        kind[0] in "LM"
        or kind in {"Nl", "Pc"}
        or character.isdecimal()
        or SYMBOLS.match(character) is not None
    )


def make_slugs(headings: Iterable[str]) -> Iterator[str]:
    """Yield the anchors of headings, in order; a number makes equal ones different."""
    counts: dict[str, int] = {}
    for heading in headings:
        first = unique = make_slug(heading)
        while unique in counts:
            counts[first] += 1
            unique = f"{first}-{counts[first]}"
        counts[unique] = 0
        yield unique
