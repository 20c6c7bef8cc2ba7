"""Keep only the links of generated Markdown that a policy allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from uriverse import IRIReference, Policy

from ._destinations import skip_pattern
from ._guard_text import (
    NOTICED,
    TAG,
    Edit,
    Removed,
    Rules,
    has_balanced_brackets,
    keeps_inline_tag,
    keeps_tag,
    text_edits,
    write_code_span,
)
from ._markdown import AUTOLINK, write_bare
from ._markdown_blocks import DEEP, Block, Document, Element

#: How often a document is guarded: removing a link may join its neighbors to a new one.
MAX_ROUNDS = 4

#: The end of a link that is kept as it is: a destination, and a title without special characters.
PLAIN_TARGET = re.compile(r"\]\([A-Za-z0-9\-._~:/?#@!$%+,;=&]+(?: \"[A-Za-z0-9 ,!?-]*\")?\)")
#: A link reference definition that is kept. No title follows it.
DEFINITION = re.compile(
    r"\[[A-Za-z0-9 _.-]+\]: ([A-Za-z0-9\-._~:/?#@!$%+,;=]+)(?=\Z|\n(?:\Z|[ \t]*\n|\[))"
)
#: The opening fence of code.
OPENING_FENCE = re.compile(r"(?:`+|~+)(?P<info>[^\n]*)")


class Item(NamedTuple):
    """An element in the contents of a block: a code span, a tag, a link, an image or an autolink.

    It is plain if all renderers read it as this element, or if it is a tag that is kept.
    """

    element: Element
    start: int
    end: int
    is_plain: bool


def normalize_line_ends(markdown: str) -> str:
    r"""Return a document with `"\n"` at the end of all lines, and without U+0000 (CommonMark 2)."""
    return markdown.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def is_complete(text: str) -> bool:
    if "```" not in text and "~~~" not in text:
        return True
    return not any(is_open_fence(text, block) for block in Document(text).blocks)


def is_open_fence(source: str, block: Block) -> bool:
    # The range of code ends before the line end of its closing fence, if it has one.
    return block.kind == "fence" and block.end == len(source)


def guard_document(markdown: str, rules: Rules) -> str:
    """Guard a document until nothing changes; escape all of it if it keeps changing."""
    text = normalize_line_ends(markdown)
    for _ in range(MAX_ROUNDS):
        # Where blocks are too deep, `Document` does not read them as renderers do.
        if DEEP.search(text):
            break
        guarded_text = guard_once(text, rules)
        if guarded_text == text:
            return text
        text = guarded_text
    return escape_all(text, rules)


def escape_all(text: str, rules: Rules) -> str:
    return apply_edits(text, list(text_edits(text, 0, len(text), rules, in_paragraph=False)))


def guard_once(text: str, rules: Rules) -> str:
    has_line_end = text.endswith("\n")
    source = text if has_line_end else f"{text}\n"
    edits: list[Edit] = []
    guarded_spans: list[tuple[int, int]] = []
    for block in Document(source).blocks:
        if block.kind == "html":
            guarded_spans += list_kept_tags(source, block, rules)
        elif block.kind != "fence":
            guarded_spans.append((block.start, block.end))
            edits += block_edits(source, block, rules)
        elif is_open_fence(source, block) or source[block.end - 1] != "\n":
            guarded_spans.append((block.start, block.end))
            edits += fence_edits(source, block, rules)
        # Some renderers read code differently that ends because a list item or a quote does. Such
        # code is edited as a gap between the guarded spans.
    for start, end in list_gaps(guarded_spans, len(source)):
        if NOTICED.search(source, start, end):
            edits += gap_edits(source, start, end, rules)
    guarded_text = apply_edits(source, edits)
    return guarded_text if has_line_end else guarded_text.removesuffix("\n")


def list_gaps(spans: list[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    position = 0
    for start, end in [*spans, (length, length)]:
        if start > position:
            yield position, start
        position = max(position, end)


def apply_edits(text: str, edits: list[Edit]) -> str:
    """Apply edits; one that overlaps an earlier one is ignored."""
    pieces = [""]
    position = 0
    for start, end, new in sorted(edits):
        if start >= position:
            add_piece(pieces, text[position:start])
            add_piece(pieces, new)
            position = end
    add_piece(pieces, text[position:])
    return "".join(pieces)


def add_piece(pieces: list[str], piece: str) -> None:
    """Add a piece of a document, and a space between two code spans that would become one."""
    if piece:
        if pieces[-1].endswith("`") and piece.startswith("`"):
            pieces.append(" ")
        pieces.append(piece)


def gap_edits(source: str, start: int, end: int, rules: Rules) -> Iterator[Edit]:
    """Yield the edits of text that no paragraph contains, such as HTML and definitions."""
    position = start
    for definition in DEFINITION.finditer(source, start, end):
        if rules.allow_link(definition[1]):
            yield from text_edits(source, position, definition.start(), rules, in_paragraph=False)
            position = definition.end()
    yield from text_edits(source, position, end, rules, in_paragraph=False)


def fence_edits(source: str, block: Block, rules: Rules) -> Iterator[Edit]:
    """Remove the words after the opening fence of code if a renderer may find a link in them."""
    fence = OPENING_FENCE.match(source, block.start)
    assert fence, "the code has a fence"
    info_edits = text_edits(source, *fence.span("info"), rules, in_paragraph=False)
    # markdown-it reads a fence with a vertical bar as the head of a table.
    if "|" in fence["info"] or any(info_edits):
        yield Edit(*fence.span("info"), "")


def list_kept_tags(source: str, block: Block, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the spans of the tags in an HTML block that are kept, and record its destinations."""
    if rules.html:
        for element in block.elements:
            for tag in TAG.finditer(source, element.start, element.end):
                if keeps_tag(tag, rules):
                    yield tag.span()
    rules.remove_html("".join([element.value for element in block.elements]))


def block_edits(source: str, block: Block, rules: Rules) -> Iterator[Edit]:
    text = source[block.start : block.end]
    if NOTICED.search(text):
        elements = [move_element(element, -block.start) for element in block.elements]
        items = list(find_items(text, elements, rules))
        for start, end, new in span_edits(text, 0, len(text), items, rules):
            yield Edit(start + block.start, end + block.start, new)


def move_element(element: Element, offset: int) -> Element:
    start, end, text_end = (
        index + offset for index in (element.start, element.end, element.text_end)
    )
    return element._replace(start=start, end=end, text_end=text_end)


def find_items(text: str, elements: list[Element], rules: Rules) -> Iterator[Item]:
    codes = [(element.start, element.end) for element in elements if element.kind == "code"]
    tilde_indices = (text.find("~", start, end) for start, end in list_gaps(codes, len(text)))
    tilde = next((index for index in tilde_indices if index >= 0), len(text))
    image_end = 0
    for element in elements:
        start, end = element.start, element.end
        if element.kind == "code":
            code_text = text[start:end]
            # A block or a table might split a code span, and marked might find the end of a link
            # or of strikethrough in it.
            is_plain = (
                "\n" not in code_text and "|" not in code_text and has_balanced_brackets(code_text)
            )
            yield Item(element, start, end, is_plain and (start < tilde or "~" not in code_text))
        elif element.kind == "html":
            is_plain = rules.html and keeps_inline_tag(text, start, end, rules)
            if not is_plain:
                rules.remove_html(element.value)
            yield Item(element, start, end, is_plain)
        elif element.kind in {"link", "image", "autolink"}:
            # An image contains no links until it is removed.
            if start >= image_end or element.kind == "autolink":
                yield Item(element, start, end, start >= image_end)
            if element.kind == "image":
                image_end = max(image_end, end)


def span_edits(
    text: str, start: int, end: int, items: list[Item], rules: Rules, *, in_link: bool = False
) -> Iterator[Edit]:
    """Yield the edits of a span of a block, given the items in it: the outer ones are first."""
    index = 0
    while index < len(items):
        item = items[index]
        next_index = index + 1
        while next_index < len(items) and items[next_index].start < item.end:
            next_index += 1
        yield from text_edits(text, start, item.start, rules, in_paragraph=True, in_link=in_link)
        inner_items = items[index + 1 : next_index]
        yield from item_edits(text, item, inner_items, rules, in_link=in_link)
        start, index = item.end, next_index
    yield from text_edits(text, start, end, rules, in_paragraph=True, in_link=in_link)


def item_edits(
    text: str, item: Item, inner_items: list[Item], rules: Rules, *, in_link: bool
) -> Iterator[Edit]:
    element, destination = item.element, item.element.value
    if not item.is_plain:
        yield from text_edits(text, item.start, item.end, rules, in_paragraph=False)
        return
    if element.kind in {"code", "html"}:
        return
    if element.kind == "autolink":
        source = text[item.start + 1 : item.end - 1]
        is_plain = source == destination and AUTOLINK.fullmatch(source) is not None
        if in_link or not is_plain or not rules.allow_link(destination):
            rules.remove("autolink", destination)
            yield Edit(item.start, item.end, write_code_span(source))
        return
    text_start, text_end = element.text_start, element.text_end
    is_kept = keeps_link(element, rules)
    has_reference = "&" in destination or "&" in text[text_end : item.end]
    if not is_kept:
        rules.remove("image" if element.kind == "image" else "link", destination)
        yield Edit(item.start, text_start, "")
        yield Edit(text_end, item.end, "")
    elif has_reference or not PLAIN_TARGET.fullmatch(text, text_end, item.end):
        yield Edit(text_end, item.end, f"]({write_bare(destination)})")
    inner = [other for other in inner_items if other.end <= text_end]
    yield from span_edits(text, text_start, text_end, inner, rules, in_link=in_link or is_kept)


def keeps_link(element: Element, rules: Rules) -> bool:
    """Return whether a link or an image is kept; an image with a label never is."""
    destination = element.value
    if element.kind == "image":
        return bool(destination) and element.label is None and rules.allow_embed(destination)
    return bool(destination) and rules.allow_link(destination)


#: The number of characters that `Guard` holds at most.
MAX_HELD = 1 << 16

BLANK = re.compile(r"[ \t\n]*+")
BLANK_LINE = re.compile(r"\n[ \t]*\n(?=[^ \t\n])")


def guard(
    markdown: str,
    policy: Policy,
    *,
    embeds: Policy | None = None,
    base: str | IRIReference | None = None,
    html: bool = False,
) -> str:
    r"""Keep only the links of a Markdown document that a policy allows.

    Use it for text that other people or language models wrote. Every renderer of the result opens
    only destinations that the policy allows:

    - A link that is not allowed is replaced by its text, and an image by its alternative text.
    - A URL, a domain or an e-mail address in text that is not allowed becomes a code span, because
      renderers turn bare ones into links.
    - Images load without a click, so they need a policy of their own. By default, none is allowed.
    - Raw HTML is escaped, unless `html` is true.
    - Links that refer to a definition become inline links. Images that refer to one are removed.

    Fenced code and code spans are kept. Line ends become `"\n"`.

    Args:
        markdown: the document.
        policy: the policy for links.
        embeds: the policy for images; `None` allows none.
        base: the URI of the page that displays the document. Without it, relative references and
            references that start with `//` are rejected, unless the policy has a base.
        html: whether to keep harmless HTML, such as `<br>`, `<kbd>`, `<details>` and tables, and
            links and images in HTML that the policies allow. A tag must be written in lower case,
            with double quotation marks around values, and without other attributes than `href`,
            `src`, `alt`, `title`, `width`, `height`, `align`, `colspan`, `rowspan` and `open`.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.

    >>> from uriverse import Policy
    >>> policy = Policy(allow=["*.example.org"])
    >>> guard("[docs](https://a.example.org/) ![x](https://evil.example/?q=secret)", policy)
    '[docs](https://a.example.org/) x'
    >>> guard("[click](javascript:alert(1)) or see www.evil.example <img src=x>", policy)
    'click or see `www.evil.example` &lt;img src=x>'
    """
    return guard_document(markdown, Rules(policy, embeds, base, html=html))


class Guard:
    r"""Keep only the links of a Markdown document that a policy allows, while it is generated.

    `feed` takes the next characters and returns those that are decided. A block is decided when the
    next one starts, so that the user sees a paragraph at a time. At most 65,536 characters are
    held: of a longer block, such as a very long code block, no links and no code are kept.

    The results together are safe in the sense of `guard`. A link that refers to a later definition
    is kept as it is, and the definition is kept only if the policy allows it.

    Args:
        policy: the policy for links.
        embeds: the policy for images; `None` allows none.
        base: the URI of the page that displays the document.
        html: whether to keep harmless HTML, as `guard` does.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.

    >>> from uriverse import Policy
    >>> stream = Guard(Policy(allow=["*.example.org"]))
    >>> for piece in "![x](https://ev", "il.example/?q=", "secret)\n\nNe", "xt":
    ...     print(repr(stream.feed(piece)))
    ''
    ''
    'x\n\n'
    ''
    >>> stream.close()
    'Next'
    """

    __slots__ = ("_enough", "_held", "_rules")

    def __init__(
        self,
        policy: Policy,
        *,
        embeds: Policy | None = None,
        base: str | IRIReference | None = None,
        html: bool = False,
    ) -> None:
        self._rules = Rules(policy, embeds, base, html=html)
        self._held = ""
        #: The length from which the first block in `_held` is read again.
        self._enough = 0

    @property
    def removed(self) -> list[Removed]:
        r"""The destinations that were removed so far, each one once.

        Their order is that of the paragraphs. In a paragraph, those in raw HTML come first.

        They are those that the policies do not allow, and those in raw HTML. Their secrets are
        replaced as `redact` replaces them, so that they can be logged.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy(allow=["*.example.org"]))
        >>> _ = stream.feed("![x](https://evil.example/?token=abc) <img src=//evil.example>\n")
        >>> _ = stream.close()
        >>> for kind, destination in stream.removed:
        ...     print(kind, destination)
        image //evil.example
        image https://evil.example/?token=REDACTED
        """
        return list(self._rules.removed)

    def feed(self, piece: str, /) -> str:
        r"""Take the next characters of the document, and return those that are decided.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy())
        >>> stream.feed("One\n\n"), stream.feed("Two")
        ('', 'One\n\n')
        """
        text = self._held + piece
        # The last character may be the first half of a line end.
        pending_return = "\r" if text.endswith("\r") else ""
        text = normalize_line_ends(text.removesuffix("\r"))
        decided_parts: list[str] = []
        start = 0
        for blank in BLANK_LINE.finditer(text):
            end = blank.end()
            if end - start < self._enough:
                continue
            if is_complete(text[start:end]):
                decided_parts.append(guard_document(text[start:end], self._rules))
                start, self._enough = end, 0
            else:
                # Wait until the block is longer by a quarter, which keeps the total time linear.
                self._enough = (end - start) * 5 // 4
        # Escape the start of a block that is too long to be held, up to a space if it has one.
        while len(text) - start > MAX_HELD:
            end = start + MAX_HELD
            space = max(text.rfind(" ", start + 1, end), text.rfind("\n", start + 1, end))
            if space >= 0:
                end = space
            decided_parts.append(f"{escape_all(text[start:end], self._rules)}\n\n")
            start = skip_pattern(BLANK, text, end)
            self._enough = 0
        self._held = text[start:] + pending_return
        return "".join(decided_parts)

    def close(self) -> str:
        r"""Return the rest of the document.

        >>> from uriverse import Policy
        >>> stream = Guard(Policy())
        >>> stream.feed("One\n\nTwo <b>"), stream.close()
        ('One\n\n', 'Two &lt;b>')
        """
        held, self._held, self._enough = self._held, "", 0
        return guard_document(held, self._rules)
