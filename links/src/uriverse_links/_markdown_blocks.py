"""The block structure of a Markdown document (CommonMark 4 and 5, and tables of GFM 4.10).

Only blocks with links are kept: the inline content of paragraphs, headings and table cells, and
HTML blocks. The algorithm is the one of the CommonMark specification's appendix, phase 1. Where
cmark-gfm, the reference implementation of GFM, departs from the words of the specification, this
module does what cmark-gfm does.
"""

from __future__ import annotations

from collections.abc import Callable

from ._markdown_cursor import BLANK, Cursor
from ._markdown_plain import PlainLines
from ._markdown_stack import CODE, FENCED, FOOTNOTE, HEADING, HTML, PARAGRAPH, QUOTE, TABLE, Block
from ._markdown_starts import (
    ATX_HEADING,
    BULLET,
    CLOSING_FENCE,
    FOOTNOTE_START,
    OPENING_FENCE,
    ORDINAL,
    SETEXT_UNDERLINE,
    THEMATIC_BREAK,
    html_start,
)
from ._markdown_tables import DELIMITER_ROW, cells_of, unescaped


class Blocks(PlainLines, Cursor):
    """Reads a document line by line.

    Attributes:
        contents: the text of the blocks with links, in the order of the document.
        headings: the contents of the headings, in the order of the document.
        definitions: the link reference definitions by label.
    """

    def __init__(self, source: str, *, footnotes: bool = False) -> None:
        """Read a document, whose lines end with line feeds.

        Args:
            source: the document.
            footnotes: whether to read footnote definitions, an extension of cmark-gfm.
        """
        self.reads_footnotes = footnotes
        PlainLines.__init__(self, source)
        Cursor.__init__(self, source)
        # No thematic break starts before this index.
        self.no_break_before = 0
        self.read()

    def read(self) -> None:
        """Read all lines, and close all blocks."""
        source, opened = self.source, self.open
        position = 1 if source.startswith("\ufeff") else 0
        length = len(source)
        while position < length:
            start = self.read_plain(position)
            if start < length:
                self.read_line(start)
            position = source.find("\n", start) + 1 or length
        if opened[-1].kind == FENCED:
            self.ends_in_code = True
            opened[-1].fence = ""
        self.close(1)

    # Phase 1: the lines.

    def read_line(self, start: int) -> None:
        """Read the line that starts at an index."""
        self.start_line(start)
        depth = self.continued()
        if depth == 0:
            return
        is_lazy = self.open[-1].kind == PARAGRAPH
        container = self.open_blocks(depth, is_lazy=is_lazy)
        self.find_text()
        if container == depth and depth < len(self.open) and not self.blank and is_lazy:
            # A lazy continuation line (CommonMark 5.1).
            self.add_line(self.open[-1])
            return
        if container == depth:
            self.close(depth)
        self.add_text(start)

    def continued(self) -> int:
        """Return how many open blocks the line continues, or 0 if it only closes a code block."""
        opened, depth = self.open, 1
        while depth < len(opened):
            self.find_text()
            is_end = self.blank and self.offset == self.next and not self.quotes
            if is_end and (not self.open_footnotes or self.next == self.line):
                # The rest of a blank line continues all list items, however many are open. Only an
                # empty line continues all footnotes.
                depth = len(opened) - 1
            block = opened[depth]
            if block.kind == FENCED and self.closes_fence(block):
                self.code.append((self.next, self.line_end() + 1))
                block.fence = ""
                self.close(depth)
                return 0
            if not CONTINUES[block.kind](self, block):
                return depth
            depth += 1
        return depth

    def continues_quote(self, _: Block) -> bool:
        """Skip the marker of a block quote; return whether the line has one."""
        if self.indent > 3 or self.source[self.next] != ">":
            return False
        self.enter_quote()
        return True

    def continues_item(self, block: Block) -> bool:
        """Skip the indentation of a list item; return whether the line has it or is blank."""
        if self.indent >= block.width:
            self.advance_columns(block.width)
        elif self.blank and block.has_child:
            self.advance_to(self.next)
        else:
            return False
        return True

    def continues_footnote(self, _: Block) -> bool:
        """Skip the indentation of a footnote; return whether the line has it or is empty."""
        if self.indent >= 4:
            self.advance_columns(4)
            return True
        return self.source[self.line] == "\n"

    def continues_code(self, _: Block) -> bool:
        """Skip the indentation of an indented code block."""
        if self.indent >= 4:
            self.advance_columns(4)
        elif self.blank:
            self.advance_to(self.next)
        else:
            return False
        return True

    def continues_fenced(self, block: Block) -> bool:
        """Skip up to the indentation of the opening fence."""
        for _ in range(block.indent):
            if self.source[self.offset] in BLANK:
                self.advance_columns(1)
        return True

    def continues_html(self, block: Block) -> bool:
        """Return whether the line continues an HTML block: a blank line ends some of them."""
        return block.html is not None or not self.blank

    def continues_table(self, _: Block) -> bool:
        """Return whether the line is a row."""
        return not self.blank and bool(cells_of(self.source, self.next))

    def closes_fence(self, block: Block) -> bool:
        """Return whether the line is the closing fence of a code block."""
        fence = block.fence
        found = CLOSING_FENCE.match(self.source, self.next) if self.indent <= 3 else None
        return found is not None and found[1][0] == fence[0] and len(found[1]) >= len(fence)

    def open_blocks(self, depth: int, *, is_lazy: bool) -> int:
        """Open the blocks that start on the line, and return how many blocks contain its text.

        Args:
            depth: the number of blocks that the line continues.
            is_lazy: whether the line may continue a paragraph although it does not continue all
                open blocks.
        """
        all_matched = depth == len(self.open)
        container = depth
        while self.open[container - 1].kind < CODE:
            self.find_text()
            if self.indent >= 4:
                if not (is_lazy or self.blank):
                    self.advance_columns(4)
                    container = self.push(Block(CODE), container)
                break
            leaf = self.open_leaf(container, all_matched=all_matched)
            if leaf is not None:
                return leaf
            opened = self.open_container(container)
            if opened is None:
                self.read_table(self.open[container - 1])
                break
            container = opened
            is_lazy = False
        return container

    def open_leaf(self, container: int, *, all_matched: bool) -> int | None:
        """Open a block that contains no other blocks, and return how many blocks are open then.

        Return `None` if no such block starts on the line.
        """
        source, position = self.source, self.next
        block = self.open[container - 1]
        in_paragraph = block.kind == PARAGRAPH
        character = source[position]
        if character == "#" and (match := ATX_HEADING.match(source, position)):
            self.advance_to(match.end())
            return self.push(Block(HEADING), container)
        if character in "`~" and (match := OPENING_FENCE.match(source, position)):
            container = self.open_fence(match, position - self.offset, self.line_end(), container)
            self.skip_line()
            return container
        if character == "<":
            starts, ending = html_start(source, position, in_paragraph=in_paragraph)
            if starts:
                html = Block(HTML)
                html.html = ending
                return self.push(html, container)
        if in_paragraph and SETEXT_UNDERLINE.match(source, position):
            self.end_heading(block)
            return container
        may_break = character in "*_-" and (all_matched or not in_paragraph)
        if may_break and self.is_thematic_break(position):
            # A thematic break contains nothing, so it is closed at once.
            container = self.push(Block(HEADING), container) - 1
            self.close(container)
            self.skip_line()
            return container
        return None

    def open_container(self, container: int) -> int | None:
        """Open a block quote, a footnote or a list item; return how many blocks are open then."""
        position = self.next
        if self.source[position] == ">":
            self.enter_quote()
            return self.push(Block(QUOTE), container)
        if self.reads_footnotes and (found := FOOTNOTE_START.match(self.source, position)):
            self.advance_to(found.end())
            return self.open_footnote(found[1], container)
        in_paragraph = self.open[container - 1].kind == PARAGRAPH
        marker = self.list_marker(position, interrupts=in_paragraph)
        return None if marker is None else self.open_item(*marker, container)

    def read_table(self, block: Block) -> None:
        """Read a row of a table, or the delimiter row that turns a paragraph into a table."""
        if block.kind == PARAGRAPH and self.open_table(block, self.next):
            self.skip_line()
        elif block.kind == TABLE and not self.blank:
            self.add_row(block, cells_of(self.source, self.next))
            self.skip_line()

    def end_heading(self, block: Block) -> None:
        """Turn a paragraph into a setext heading, unless it contains only definitions."""
        if block.content is not None and self.take_definitions(block.content):
            block.kind = HEADING
            self.headings.append(block.content)
            self.skip_line()

    def enter_quote(self) -> None:
        """Skip the marker of a block quote, and the optional space after it."""
        self.advance_to(self.next)
        self.advance_columns(1)
        if self.source[self.offset] in BLANK:
            self.advance_columns(1)

    def is_thematic_break(self, position: int) -> bool:
        """Return whether a thematic break starts at an index (CommonMark 4.1)."""
        if position < self.no_break_before:
            return False
        found = THEMATIC_BREAK.match(self.source, position)
        if found and found["more"] and self.source[found.end()] == "\n":
            return True
        # A line such as "- - - a" is searched once, not again for each of its markers.
        self.no_break_before = found.end() if found else position
        return False

    def list_marker(self, position: int, *, interrupts: bool) -> tuple[str, int] | None:
        """Return the type and the end of the list marker at an index (CommonMark 5.2)."""
        found = BULLET.match(self.source, position) or ORDINAL.match(self.source, position)
        if found is None:
            return None
        is_bullet = found.re is BULLET
        if interrupts:
            # Only a list that starts with 1 can interrupt a paragraph, and no empty item can.
            text = self.source[found.end() : self.source.index("\n", found.end())]
            if not text.strip(BLANK) or not (is_bullet or int(found[1]) == 1):
                return None
        return found[0] if is_bullet else found[2], found.end()

    def open_footnote(self, label: str, container: int) -> int:
        """Open a footnote definition, and return how many blocks are open then."""
        footnote = Block(FOOTNOTE)
        footnote.marker = label
        depth = self.push(footnote, container)
        self.open_footnotes.append(footnote)
        return depth

    def open_item(self, marker: str, end: int, container: int) -> int:
        """Open a list item, and its list unless it is open already."""
        indent, width = self.indent, end - self.next
        self.advance_to(end)
        saved = self.offset, self.column, self.inside_tab
        while self.column - saved[1] <= 5 and self.source[self.offset] in BLANK:
            self.advance_columns(1)
        spaces = self.column - saved[1]
        if not 1 <= spaces < 5 or self.source[self.offset] == "\n":
            self.offset, self.column, self.inside_tab = saved
            if spaces > 0:
                self.advance_columns(1)
            spaces = 1
        return self.add_item(marker, indent + width + spaces, container)

    def open_table(self, block: Block, position: int) -> bool:
        """Turn a paragraph into a table if a delimiter row for its last line is at an index."""
        source, content = self.source, block.content
        delimiters = DELIMITER_ROW.match(source, position)
        if block.columns or delimiters is None or content is None or not content.pieces:
            return False
        start, end = content.pieces[-1]
        row = max(start, source.rfind("\n", 0, end - 1) + 1)
        cells = cells_of(source, row)
        if not cells or len(cells) != len(cells_of(source, position)):
            # As in cmark-gfm, no later line makes a table of this paragraph.
            block.columns = -1
            return False
        block.kind = TABLE
        block.columns = len(cells)
        before = content.pieces[:-1] + [(start, row)] * (row > start)
        content.pieces[:] = [each for span in before for each in unescaped(source, *span)]
        self.add_row(block, cells)
        return True

    def add_row(self, table: Block, cells: list[tuple[int, int]]) -> None:
        """Add the cells of a row; those beyond the last column are ignored (GFM 4.10)."""
        for start, end in cells[: table.columns]:
            self.add_content(unescaped(self.source, start, end))

    def add_text(self, start: int) -> None:
        """Add the rest of a line to the innermost block."""
        block = self.open[-1]
        if block.kind == HTML:
            self.add_line(block)
            if block.html and block.html.search(self.source, self.next, self.line_end()):
                self.close(len(self.open) - 1)
        elif block.kind == FENCED:
            self.code.append((self.offset, self.line_end() + 1))
        elif self.blank or block.kind in {CODE, TABLE}:
            return
        elif block.kind == HEADING:
            self.add_heading(start, self.next, self.line_end())
        else:
            self.advance_to(self.next)
            if block.kind != PARAGRAPH:
                self.push(Block(PARAGRAPH), len(self.open))
            self.add_line(self.open[-1])

    def add_line(self, block: Block) -> None:
        """Add the rest of the line, with its line feed, to the text of a block."""
        self.add_piece(block, (self.offset, self.line_end() + 1))


#: Whether a line continues an open block, by its kind. These functions skip the block's prefix of
#: the line.
CONTINUES: tuple[Callable[[Blocks, Block], bool], ...] = (
    lambda _, __: True,  # the document
    Blocks.continues_quote,
    Blocks.continues_item,
    Blocks.continues_footnote,
    lambda _, __: True,  # a list
    lambda blocks, _: not blocks.blank,  # a paragraph
    lambda _, __: False,  # a heading
    Blocks.continues_table,
    Blocks.continues_code,
    Blocks.continues_fenced,
    Blocks.continues_html,
)
