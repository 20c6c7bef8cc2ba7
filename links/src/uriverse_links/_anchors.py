"""The anchors of a document: the fragments that links to it can have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import category

from ._html import list_elements, read_tag
from ._html_elements import written_in
from ._markdown import normalized
from ._markdown_blocks import Blocks
from ._markdown_emphasis import markers_in
from ._markdown_inlines import Definition, Inlines, decoded
from ._references import decoded as decoded_references
from ._types import DocumentFormat

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


def anchors_of(text: str, format: DocumentFormat) -> frozenset[str] | None:  # noqa: A002
    """Return the anchors of a document, or `None` if those of its format are unknown.

    In HTML, these are the attributes `id`, and `name` of `a`. In Markdown, these are also the
    headings, with the names that GitHub gives them, and explicit anchors of other renderers.
    """
    if format == "html":
        return frozenset(ids_in(text))
    return frozenset(anchors_in_markdown(text)) if format == "markdown" else None


# --- HTML


def ids_in(html: str) -> Iterator[str]:
    """Yield the identifiers of the elements in HTML."""
    for start, _ in list_elements(html, "[id],a[name]"):
        tag = read_tag(html, start)
        for attribute in ("id", "name") if tag.name == "a" else ("id",):
            if attribute in tag.attributes:
                yield written_in(tag.attributes[attribute]).decoded().text


# --- Markdown


def anchors_in_markdown(text: str) -> Iterator[str]:
    """Yield the anchors of a Markdown document."""
    source = normalized(text)
    blocks = Blocks(source if source.endswith("\n") else f"{source}\n")
    headings = [
        (heading.pieces[0][0], plain_text(heading.text, blocks.definitions))
        for heading in blocks.headings
        if heading.pieces
    ]
    for content in blocks.contents:
        if "<" not in content.text:
            continue
        if content.is_html:
            yield from ids_in(content.text)
            start = content.pieces[0][0]
            headings += [(start, heading) for heading in headings_in(content.text)]
            continue
        inlines = Inlines(content.text, blocks.definitions)
        for each in inlines.opened:
            if each.kind == "html":
                yield from ids_in(content.text[each.start : each.end])
    # The sort keeps the order of headings in the same block.
    headings.sort(key=lambda heading: heading[0])
    yield from slugs_of(heading for _, heading in headings)
    yield from slugs_of(without_attributes(heading) for _, heading in headings)
    for attributes in ATTRIBUTES.finditer(source):
        if name := NAME.search(attributes[1]):
            yield name[1]
    yield from (target[1] for target in TARGET.finditer(source))


def without_attributes(heading: str) -> str:
    """Remove the attributes of a heading, such as an explicit anchor."""
    return ATTRIBUTES.sub("", heading).rstrip() if "{" in heading else heading


def headings_in(html: str) -> Iterator[str]:
    """Yield the headings in HTML, without tags."""
    opened: tuple[str, int] | None = None
    for tag in HTML_HEADING.finditer(html):
        closes, level = tag.groups()
        if not closes:
            opened = level, tag.start()
        elif opened is not None and opened[0] == level:
            yield decoded_references(without_tags(html[opened[1] : tag.start()])).strip()
            opened = None


def without_tags(html: str) -> str:
    """Remove the tags in HTML."""
    first, *rest = html.split("<")
    parts = (part.partition(">") for part in rest)
    return first + "".join(after if end else f"<{before}" for before, end, after in parts)


def plain_text(heading: str, definitions: dict[str, Definition]) -> str:
    """Return a heading in Markdown as a renderer shows it, without images."""
    inlines = Inlines(heading, definitions)
    text = inlines.text
    #: The spans of code, images, tags and link syntax, and whether each is rendered as written.
    spans: list[tuple[int, int, bool]] = []
    for each in inlines.opened:
        (start, end), (first, last) = each.outer, each.inner
        if each.kind in {"link", "autolink"}:
            spans += [(start, first, False), (last, end, False)]
        else:
            spans.append((start, end, False))
        if each.kind == "autolink":
            spans.append((first, last, True))
    others = {each.outer for each in inlines.opened}
    for start, end in inlines.atoms:
        if (start, end) not in others:
            code = text[start:end]
            ticks = len(code) - len(code.lstrip("`"))
            first, last = start + ticks, end - ticks
            spans += [(start, first, False), (first, last, True), (last, end, False)]
    return "".join(rendered(text, spans))


def rendered(text: str, spans: list[tuple[int, int, bool]]) -> Iterator[str]:
    """Yield the rendered pieces of a heading, given the spans of code, links, images and tags."""
    pieces: list[tuple[int, int, bool | None]] = []
    position = 0
    for start, end, is_literal in [*sorted(spans), (len(text), len(text), False)]:
        # The alternative text of an image can contain code.
        if start >= position:
            pieces += [(position, start, None), (start, end, is_literal)]
            position = end
    markers = markers_in(text, [(start, end) for start, end, kind in pieces if kind is None])
    for start, end, kind in pieces:
        if kind:
            yield text[start:end]
        elif kind is None:
            yield decoded("".join([text[at] for at in range(start, end) if at not in markers]))


# --- the names of headings


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading, if no other heading has the same.

    >>> slug("What's new in 2.0?")
    'whats-new-in-20'
    """
    kept = [character for character in heading.lower() if character in " -" or in_word(character)]
    return "".join(kept).replace(" ", "-")


def in_word(character: str) -> bool:
    """Return whether a character has the Unicode property `Word`, without join controls."""
    kind = category(character)
    return (
        kind[0] in "LM"
        or kind in {"Nl", "Pc"}
        or character.isdecimal()
        or SYMBOLS.match(character) is not None
    )


def slugs_of(headings: Iterable[str]) -> Iterator[str]:
    """Yield the anchors of headings, in order. A number makes equal ones different."""
    used: dict[str, int] = {}
    for heading in headings:
        first = unique = slug(heading)
        while unique in used:
            used[first] += 1
            unique = f"{first}-{used[first]}"
        used[unique] = 0
        yield unique
