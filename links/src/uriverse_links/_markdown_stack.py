"""The stack of open blocks in a Markdown document, and the results of the closed ones."""

from __future__ import annotations

import re

from ._markdown_content import Content, Places
from ._markdown_inlines import Definition, definition_at, normalized_label

#: The kinds of open blocks: those that contain other blocks first, those of literal text last. They
#: are constants of the module because members of an `Enum` are slower to read.
DOCUMENT, QUOTE, ITEM, FOOTNOTE, LIST, PARAGRAPH, HEADING, TABLE, CODE, FENCED, HTML = range(11)


class Block:
    """An open block."""

    __slots__ = (
        "columns",
        "content",
        "fence",
        "has_child",
        "html",
        "indent",
        "kind",
        "marker",
        "width",
    )

    def __init__(self, kind: int) -> None:
        """Create an empty block."""
        self.kind = kind
        self.has_child = False
        self.content: Content | None = None
        #: The marker's type, and the width of marker and indentation, of a list or an item; the
        #: label, and the width of the indentation, of a footnote definition.
        self.marker = ""
        self.width = 0
        #: The opening fence of a code block, and its indentation.
        self.fence = ""
        self.indent = 0
        self.html: re.Pattern[str] | None = None
        #: The number of columns of a table, or that of the spans of code before a code block.
        self.columns = 0


class OpenBlocks:
    """The stack of open blocks.

    Attributes:
        contents: the text of the blocks with links, in the order of the document.
        headings: the contents of the headings, in the order of the document.
        definitions: the link reference definitions by label.
    """

    def __init__(self, source: str) -> None:
        """Open the document."""
        self.source = source
        self.contents: list[Content] = []
        self.headings: list[Content] = []
        self.definitions: dict[str, Definition] = {}
        #: The spans of fenced code with its fences, and those of the info strings. They do not
        #: include code without a closing fence that ends because a list item or a block quote
        #: does: some renderers read it differently.
        self.code: list[tuple[int, int]] = []
        self.infos: list[tuple[int, int]] = []
        self.open = [Block(DOCUMENT)]
        #: Whether the document ends within fenced code.
        self.ends_in_code = False
        #: The number of open block quotes, and the open footnote definitions.
        self.quotes = 0
        self.open_footnotes: list[Block] = []
        #: The footnote definitions by label. The first one of a label counts.
        self.footnotes: dict[str, Block] = {}

    def add_content(self, pieces: list[tuple[int, int]], *, is_html: bool = False) -> Content:
        """Add the text of a block."""
        content = Content(self.source, pieces, is_html=is_html)
        if self.open_footnotes:
            content.footnote = self.open_footnotes[-1]
        self.contents.append(content)
        return content

    def add_piece(self, block: Block, piece: tuple[int, int]) -> None:
        """Add a piece of the document to the text of a block."""
        if block.content is None:
            block.content = self.add_content([], is_html=block.kind == HTML)
        block.content.pieces.append(piece)

    def push(self, block: Block, container: int) -> int:
        """Open a block inside another one, and return how many blocks are open then.

        Blocks that cannot contain the new block are closed.
        """
        while not can_contain(self.open[container - 1].kind, block.kind):
            container -= 1
        self.close(container)
        self.quotes += block.kind == QUOTE
        self.open[-1].has_child = True
        self.open.append(block)
        return container + 1

    def close(self, depth: int) -> None:
        """Close all open blocks but the outermost `depth`."""
        opened = self.open
        while len(opened) > depth:
            block = opened.pop()
            kind = block.kind
            if kind == PARAGRAPH and block.content is not None:
                self.take_definitions(block.content)
            elif kind == QUOTE:
                self.quotes -= 1
            elif kind == FOOTNOTE:
                self.open_footnotes.pop()
                self.footnotes.setdefault(normalized_label(block.marker), block)
            elif kind == FENCED and block.fence:
                del self.code[block.columns :]
                self.infos.pop()

    def take_definitions(self, content: Content) -> bool:
        """Remove the definitions at the start of a paragraph; return whether text remains."""
        source = self.source
        pieces = content.pieces
        if pieces and source[pieces[0][0]] == "[":
            text, position = content.text, 0
            places: Places | None = None
            while text.startswith("[", position) and (found := definition_at(text, position)):
                position, label, (start, end) = found
                places = places or content.places()
                definition = Definition(label, *places.span(start, end), text[start:end])
                self.definitions.setdefault(label, definition)
            content.drop(position)
            return any(not source[start:end].isspace() for start, end in pieces)
        return True


def can_contain(outer: int, inner: int) -> bool:
    """Return whether a block can contain a block of another kind."""
    if inner == ITEM:
        return outer == LIST
    return outer <= FOOTNOTE
