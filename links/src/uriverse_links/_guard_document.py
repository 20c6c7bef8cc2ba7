"""Guard a Markdown document as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ._guard_html import TAG, keeps_inline_tag, keeps_tag
from ._guard_rules import Rules
from ._guard_text import NOTICED, Edit, code, has_pairs, text_edits
from ._markdown import normalized
from ._markdown_blocks import Blocks
from ._markdown_content import Content
from ._markdown_inlines import Inlines, Opened
from ._markdown_places import AUTOLINK, bare

#: How often a document is guarded: removing a link may join its neighbors to a new one.
ROUNDS = 4

#: The end of a link that is kept as it is: a destination, and a title without special characters.
PLAIN_TARGET = re.compile(r"\]\([A-Za-z0-9\-._~:/?#@!$%+,;=&]+(?: \"[A-Za-z0-9 ,!?-]*\")?\)")
#: A link reference definition that is kept. No title follows it.
DEFINITION = re.compile(
    r"\[[A-Za-z0-9 _.-]+\]: ([A-Za-z0-9\-._~:/?#@!$%+,;=]+)(?=\Z|\n(?:\Z|[ \t]*\n|\[))"
)


class Item(NamedTuple):
    """A code span, a tag, a link, an image or an autolink in a block.

    Attributes:
        start: the start of the item in the contents of the block.
        end: the end of the item.
        opened: the link, image or autolink; `None` for a code span or a tag.
        is_plain: whether all renderers read a code span as code, or a tag is kept.
    """

    start: int
    end: int
    opened: Opened | None
    is_plain: bool = True


def guarded(markdown: str, rules: Rules) -> str:
    """Guard a document until nothing changes; escape all of it if it keeps changing."""
    text = normalized(markdown)
    for _ in range(ROUNDS):
        again = guarded_once(text, rules)
        if again == text:
            return text
        text = again
    return escaped_all(text, rules)


def escaped_all(text: str, rules: Rules) -> str:
    """Escape all links, also those in code."""
    return applied(text, list(text_edits(text, 0, len(text), rules, plain=False)))


def guarded_once(text: str, rules: Rules) -> str:
    """Replace the links that the policy does not allow."""
    ended = text.endswith("\n")
    source = text if ended else f"{text}\n"
    blocks = Blocks(source)
    edits: list[Edit] = []
    done = list(blocks.code)
    for content in blocks.contents:
        if content.is_html:
            done += kept_tags(content, rules)
            continue
        done += content.pieces
        text = content.text
        if NOTICED.search(text):
            edits += content_edits(content, Inlines(text, blocks.definitions), rules)
    for start, end in blocks.infos:
        done.append((start, end))
        if any(text_edits(source, start, end, rules, plain=False)):
            edits.append(Edit(start, end, ""))
    for start, end in between(sorted(done), len(source)):
        if NOTICED.search(source, start, end):
            edits += gap_edits(source, start, end, rules)
    result = applied(source, edits)
    return result if ended else result.removesuffix("\n")


def between(spans: list[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between sorted spans."""
    position = 0
    for start, end in [*spans, (length, length)]:
        if start > position:
            yield position, start
        position = max(position, end)


def applied(text: str, edits: list[Edit]) -> str:
    """Apply edits; one that overlaps an earlier one is ignored."""
    pieces = [""]
    position = 0
    for start, end, new in sorted(edits):
        if start >= position:
            add(pieces, text[position:start])
            add(pieces, new)
            position = end
    add(pieces, text[position:])
    return "".join(pieces)


def add(pieces: list[str], piece: str) -> None:
    """Add a piece of a document, and a space between two code spans that would become one."""
    if piece:
        if pieces[-1].endswith("`") and piece.startswith("`"):
            pieces.append(" ")
        pieces.append(piece)


def gap_edits(source: str, start: int, end: int, rules: Rules) -> Iterator[Edit]:
    """Yield the edits of text that no paragraph contains, such as HTML and definitions."""
    position = start
    for found in DEFINITION.finditer(source, start, end):
        if rules.allow_link(found[1]):
            yield from text_edits(source, position, found.start(), rules, plain=False)
            position = found.end()
    yield from text_edits(source, position, end, rules, plain=False)


def kept_tags(content: Content, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the spans of the tags of an HTML block that are kept."""
    if rules.html:
        for start, end in content.pieces:
            for tag in TAG.finditer(content.source, start, end):
                if keeps_tag(tag, rules):
                    yield tag.span()
    rules.remove_html(content.text)


def content_edits(content: Content, inlines: Inlines, rules: Rules) -> list[Edit]:
    """Return the edits of a block's text, with their places in the document."""
    text = inlines.text
    items = [
        Item(*each.outer, each)
        for each in inlines.opened
        if each.kind in {"link", "image"} or (each.kind == "autolink" and each.outer != each.inner)
    ]
    items += tag_items(inlines, rules)
    items += code_items(text, [atom for atom in inlines.atoms if text.startswith("`", atom[0])])
    items.sort(key=lambda item: (item.start, -item.end))
    edits = list(span_edits(text, 0, len(text), items, rules))
    if not edits:
        return []
    places = content.places()
    return [Edit(*places.span(start, end), new) for start, end, new in edits]


def span_edits(
    text: str, start: int, end: int, items: list[Item], rules: Rules, *, linked: bool = False
) -> Iterator[Edit]:
    """Yield the edits of a span of a block.

    Args:
        text: the contents of the block.
        start: the start of the span.
        end: the end of the span.
        items: the items in the span, sorted; those that contain others are first.
        rules: the policies.
        linked: whether a link that is kept contains the span.
    """
    index = 0
    while index < len(items):
        item = items[index]
        following = index + 1
        while following < len(items) and items[following].start < item.end:
            following += 1
        yield from text_edits(text, start, item.start, rules, plain=True, linked=linked)
        inside = items[index + 1 : following]
        yield from item_edits(text, item, inside, rules, linked=linked)
        start, index = item.end, following
    yield from text_edits(text, start, end, rules, plain=True, linked=linked)


def item_edits(
    text: str, item: Item, inside: list[Item], rules: Rules, *, linked: bool
) -> Iterator[Edit]:
    """Yield the edits of an item, given the items inside it."""
    opened = item.opened
    if opened is None:
        if not item.is_plain:
            yield from text_edits(text, item.start, item.end, rules, plain=False)
        return
    destination = opened.destination
    if opened.kind == "autolink":
        written = text[opened.start : opened.end]
        plain = written == destination and AUTOLINK.fullmatch(written)
        if linked or not (plain and rules.allow_link(destination)):
            rules.remove("autolink", destination)
            yield Edit(item.start, item.end, code(written))
        return
    first, last = opened.inner
    is_image = opened.kind == "image"
    allowed = rules.allow_embed(destination) if is_image else rules.allow_link(destination)
    allowed = allowed and bool(destination) and not (is_image and opened.definition)
    if not allowed:
        rules.remove("image" if is_image else "link", destination)
        yield Edit(item.start, first, "")
        yield Edit(last, item.end, "")
    elif (
        not PLAIN_TARGET.fullmatch(text, last, item.end)
        or "&" in destination
        or "&" in text[last : item.end]
    ):
        yield Edit(last, item.end, f"]({bare(destination)})")
    inner = [each for each in inside if each.end <= last]
    yield from span_edits(text, first, last, inner, rules, linked=linked or allowed)


def tag_items(inlines: Inlines, rules: Rules) -> Iterator[Item]:
    """Yield the HTML tags of a block."""
    text = inlines.text
    autolinks = {each.outer for each in inlines.opened if each.kind == "autolink"}
    for start, end in inlines.atoms:
        if text.startswith("<", start) and (start, end) not in autolinks:
            kept = rules.html and keeps_inline_tag(text, start, end, rules)
            if not kept:
                rules.remove_html(text[start:end])
            yield Item(start, end, None, kept)


def code_items(text: str, spans: list[tuple[int, int]]) -> Iterator[Item]:
    """Yield the code spans of a block."""
    outside = (text.find("~", start, end) for start, end in between(spans, len(text)))
    tilde = next((index for index in outside if index >= 0), len(text))
    for start, end in spans:
        written = text[start:end]
        # A block or a table might split a code span, and marked might find the end of a link or of
        # strikethrough in it.
        is_plain = "\n" not in written and "|" not in written and has_pairs(written)
        is_plain = is_plain and (start < tilde or "~" not in written)
        yield Item(start, end, None, is_plain)
