"""Guard a Markdown document as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ._guard_html import TAG, keeps_inline_tag, keeps_tag
from ._guard_rules import Rules
from ._guard_text import NOTICED, Edit, code, has_pairs, text_edits
from ._markdown_blocks import DEEP, Block, Document, Element
from ._markdown_places import AUTOLINK, bare

#: How often a document is guarded: removing a link may join its neighbors to a new one.
ROUNDS = 4

#: The end of a link that is kept as it is: a destination, and a title without special characters.
PLAIN_TARGET = re.compile(r"\]\([A-Za-z0-9\-._~:/?#@!$%+,;=&]+(?: \"[A-Za-z0-9 ,!?-]*\")?\)")
#: A link reference definition that is kept. No title follows it.
DEFINITION = re.compile(
    r"\[[A-Za-z0-9 _.-]+\]: ([A-Za-z0-9\-._~:/?#@!$%+,;=]+)(?=\Z|\n(?:\Z|[ \t]*\n|\[))"
)
#: The opening fence of code.
OPENING_FENCE = re.compile(r"(?:`+|~+)(?P<info>[^\n]*)")


class Item(NamedTuple):
    """A code span, a tag, a link, an image or an autolink in a block.

    Attributes:
        element: the element.
        start: the start of the item in the contents of the block.
        end: the end of the item.
        is_plain: whether all renderers read the element as this one, or a tag is kept.
    """

    element: Element
    start: int
    end: int
    is_plain: bool


def normalize_text(markdown: str) -> str:
    r"""Return a document with `"\n"` at the end of all lines, and without U+0000 (CommonMark 2)."""
    return markdown.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def is_complete(text: str) -> bool:
    """Return whether no fenced code is open at the end of a document, which is a line feed."""
    if "```" not in text and "~~~" not in text:
        return True
    return not any(is_open(text, block) for block in Document(text).blocks)


def is_open(source: str, block: Block) -> bool:
    """Return whether a block is fenced code that the end of the document closes."""
    # The range of code ends before the line end of its closing fence, if it has one.
    return block.kind == "fence" and block.end == len(source)


def guarded(markdown: str, rules: Rules) -> str:
    """Guard a document until nothing changes; escape all of it if it keeps changing."""
    text = normalize_text(markdown)
    for _ in range(ROUNDS):
        # Where blocks are too deep, `Document` does not read them as renderers do.
        if DEEP.search(text):
            break
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
    edits: list[Edit] = []
    done: list[tuple[int, int]] = []
    for block in Document(source).blocks:
        if block.kind == "html":
            done += kept_tags(source, block, rules)
        elif block.kind != "fence":
            done.append((block.start, block.end))
            edits += block_edits(source, block, rules)
        elif is_open(source, block) or source[block.end - 1] != "\n":
            # Some renderers read code differently that ends because a list item or a quote does.
            fence = OPENING_FENCE.match(source, block.start)
            assert fence, "the code has a fence"
            done.append((block.start, block.end))
            # markdown-it reads a fence with a vertical bar as the head of a table.
            if "|" in fence["info"] or any(
                text_edits(source, *fence.span("info"), rules, plain=False)
            ):
                edits.append(Edit(*fence.span("info"), ""))
    for start, end in between(done, len(source)):
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


def kept_tags(source: str, block: Block, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the spans of the tags of an HTML block that are kept."""
    for element in block.elements if rules.html else ():
        for tag in TAG.finditer(source, element.start, element.end):
            if keeps_tag(tag, rules):
                yield tag.span()
    rules.remove_html("".join([element.value for element in block.elements]))


def block_edits(source: str, block: Block, rules: Rules) -> Iterator[Edit]:
    """Yield the edits of a block's text, with their places in the document."""
    text = source[block.start : block.end]
    if NOTICED.search(text):
        elements = [move_element(element, -block.start) for element in block.elements]
        items = list(find_items(text, elements, rules))
        for start, end, new in span_edits(text, 0, len(text), items, rules):
            yield Edit(start + block.start, end + block.start, new)


def move_element(element: Element, offset: int) -> Element:
    """Return an element whose places are relative to another index."""
    start, end, text_end = (
        place + offset for place in (element.start, element.end, element.text_end)
    )
    return element._replace(start=start, end=end, text_end=text_end)


def find_items(text: str, elements: list[Element], rules: Rules) -> Iterator[Item]:
    """Yield the elements of a block, and whether all renderers read them in the same way."""
    codes = [(element.start, element.end) for element in elements if element.kind == "code"]
    outside = (text.find("~", start, end) for start, end in between(codes, len(text)))
    tilde = next((index for index in outside if index >= 0), len(text))
    image_end = 0
    for element in elements:
        start, end = element.start, element.end
        if element.kind == "code":
            code_text = text[start:end]
            # A block or a table might split a code span, and marked might find the end of a link
            # or of strikethrough in it.
            is_plain = "\n" not in code_text and "|" not in code_text and has_pairs(code_text)
            yield Item(element, start, end, is_plain and (start < tilde or "~" not in code_text))
        elif element.kind == "html":
            is_plain = rules.html and keeps_inline_tag(text, start, end, rules)
            if not is_plain:
                rules.remove_html(element.value)
            yield Item(element, start, end, is_plain)
        elif element.kind in {"link", "image", "autolink"}:
            # In the text of an image, nothing is a link until the image is removed.
            if start >= image_end or element.kind == "autolink":
                yield Item(element, start, end, start >= image_end)
            if element.kind == "image":
                image_end = max(image_end, end)


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
    element, destination = item.element, item.element.value
    if not item.is_plain:
        yield from text_edits(text, item.start, item.end, rules, plain=False)
        return
    if element.kind in {"code", "html"}:
        return
    if element.kind == "autolink":
        written = text[item.start + 1 : item.end - 1]
        plain = written == destination and AUTOLINK.fullmatch(written)
        if linked or not (plain and rules.allow_link(destination)):
            rules.remove("autolink", destination)
            yield Edit(item.start, item.end, code(written))
        return
    first, last = element.text_start, element.text_end
    is_image = element.kind == "image"
    allowed = rules.allow_embed(destination) if is_image else rules.allow_link(destination)
    allowed = allowed and bool(destination) and not (is_image and element.label is not None)
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
