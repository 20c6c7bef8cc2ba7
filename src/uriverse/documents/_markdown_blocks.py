"""The block structure of a Markdown document (CommonMark 4 and 5, and tables of GFM 4.10).

Only blocks with links are kept: the inline content of paragraphs, headings and table cells, and
HTML blocks. The algorithm is the one of the CommonMark specification's appendix, phase 1. Where
cmark-gfm, the reference implementation of GFM, departs from the words of the specification, this
module does what cmark-gfm does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum

from ._markdown_content import Content
from ._markdown_inlines import TAG, Definition, definition_at
from ._markdown_tables import DELIMITER_ROW, cells_of, unescaped

#: The white space of the specification's ASCII rules.
BLANK = " \t"

#: A line that can only be the text of a paragraph: no block starts with its first character, it
#: neither underlines a heading nor is a delimiter row.
PLAIN_LINES = re.compile(r"(?:[^\s>#`~<=\-*_+0-9|:][^\n]*+\n)++")
BLANK_LINES = re.compile(r"\n++")

ATX_HEADING = re.compile(r"#{1,6}(?:[ \t]++|(?=\n))")
CLOSING_HASHES = re.compile(r"[ \t]#+\Z")
OPENING_FENCE = re.compile(r"`{3,}+(?=[^`\n]*+\n)|~{3,}+")
CLOSING_FENCE = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+\n")
SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\n")
#: The start of a thematic break, which is complete if a line feed follows.
THEMATIC_BREAK = re.compile(r"([*_\-])(?P<more>(?:[ \t]*+\1){2,}+)?+[ \t]*+\1?+[ \t]*+")
BULLET = re.compile(r"[*+\-](?=\s)", re.ASCII)
ORDINAL = re.compile(r"([0-9]{1,9})([.)])(?=\s)", re.ASCII)

#: The start of an HTML block (CommonMark 4.6), and where each kind of block ends.
HTML_START = re.compile(
    r"<(?:(?P<raw>script|pre|style|textarea)[\s>]|(?P<comment>!--)|(?P<instruction>\?)"
    r"|(?P<declaration>!(?-i:[A-Z]))|(?P<cdata>!\[CDATA\[)"
    r"|/?(?P<block>address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup"
    r"|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset"
    r"|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol"
    r"|optgroup|option|p|param|section|source|title|summary|table|tbody|td|tfoot|th|thead|tr"
    r"|track|ul)(?:\s|/?>))",
    re.IGNORECASE | re.ASCII,
)
HTML_ENDS = {
    "raw": re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    "comment": re.compile("-->"),
    "instruction": re.compile(r"\?>"),
    "declaration": re.compile(">"),
    "cdata": re.compile("]]>"),
}
HTML_TAG_LINE = re.compile(rf"<{TAG}[\t\f ]*+\n")


class Kind(IntEnum):
    """The kinds of open blocks."""

    DOCUMENT = 0
    QUOTE = 1
    LIST = 2
    ITEM = 3
    PARAGRAPH = 4
    HEADING = 5
    CODE = 6
    FENCED = 7
    HTML = 8
    TABLE = 9


ACCEPTS_LINES = (Kind.PARAGRAPH, Kind.HEADING, Kind.CODE, Kind.FENCED)


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

    def __init__(self, kind: Kind) -> None:
        """Create an empty block."""
        self.kind = kind
        self.has_child = False
        self.content: Content | None = None
        #: The marker's type, and the width of marker and indentation, of a list or an item.
        self.marker = ""
        self.width = 0
        #: The opening fence of a code block, and its indentation.
        self.fence = ""
        self.indent = 0
        self.html: re.Pattern[str] | None = None
        #: The number of columns of a table, or that of the spans of code before a code block.
        self.columns = 0


class Blocks:
    """Reads a document line by line.

    Attributes:
        contents: the text of the blocks with links, in the order of the document.
        headings: the contents of the headings, in the order of the document.
        definitions: the link reference definitions by label.
    """

    def __init__(self, source: str) -> None:
        """Read a document, whose lines end with line feeds."""
        self.source = source
        self.contents: list[Content] = []
        self.headings: list[Content] = []
        self.definitions: dict[str, Definition] = {}
        #: Every definition, including those whose label was defined before.
        self.all_definitions: list[Definition] = []
        #: The spans of fenced code with its fences, and those of the info strings. They do not
        #: include code without a closing fence that ends because a list item or a block quote
        #: does: some renderers read it differently.
        self.code: list[tuple[int, int]] = []
        self.infos: list[tuple[int, int]] = []
        #: Whether the document ends within fenced code.
        self.ends_in_code = False
        self.open = [Block(Kind.DOCUMENT)]
        # The position in the line: the index of the next character, its column, and whether the
        # columns before it consumed a part of a tab.
        self.offset: int = 0
        self.column: int = 0
        self.inside_tab: bool = False
        # No thematic break starts before this index.
        self.no_break_before = 0
        # The first character that is neither a space nor a tab.
        self.next: int = 0
        self.next_column: int = 0
        self.indent: int = 0
        self.blank = False
        self.read()

    def read(self) -> None:
        """Read all lines, and close all blocks."""
        source, opened = self.source, self.open
        position = 1 if source.startswith("\ufeff") else 0
        length = len(source)
        while position < length:
            if len(opened) == 1:
                if match := BLANK_LINES.match(source, position):
                    position = match.end()
                    continue
                if match := PLAIN_LINES.match(source, position):
                    self.push(Block(Kind.PARAGRAPH), 1)
                    self.add_piece(opened[1], match.span())
                    position = match.end()
                    continue
            elif len(opened) == 2:
                top = opened[1]
                if top.kind is Kind.FENCED:
                    position = self.skip_code(top, position)
                    continue
                is_paragraph = top.kind is Kind.PARAGRAPH
                if is_paragraph and (match := PLAIN_LINES.match(source, position)):
                    self.add_piece(top, match.span())
                    position = match.end()
                    continue
            end = source.index("\n", position)
            self.read_line(position)
            position = end + 1
        if self.open[-1].kind is Kind.FENCED:
            self.ends_in_code = True
            self.open[-1].fence = ""
        self.close(1)

    def skip_code(self, block: Block, position: int) -> int:
        """Return the index after a fenced code block that no other block contains."""
        fence = block.fence
        pattern = rf"^ {{0,3}}+{re.escape(fence[0])}{{{len(fence)},}}+[ \t]*+\n"
        found = re.compile(pattern, re.MULTILINE).search(self.source, position)
        block.fence = ""
        self.close(1)
        end = found.end() if found else len(self.source)
        self.ends_in_code = found is None
        self.code.append((position, end))
        return end

    # Phase 1: the lines.

    def read_line(self, start: int) -> None:
        """Read the line that starts at an index."""
        self.offset, self.column, self.inside_tab = start, 0, False
        depth = self.continued()
        if depth == 0:
            return
        is_lazy = self.open[-1].kind is Kind.PARAGRAPH
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
        for depth in range(1, len(self.open)):
            block = self.open[depth]
            self.find_text()
            if block.kind is Kind.FENCED and self.closes_fence(block):
                self.code.append((self.next, self.line_end() + 1))
                block.fence = ""
                self.close(depth)
                return 0
            if not CONTINUES[block.kind](self, block):
                return depth
        return len(self.open)

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
        while self.open[container - 1].kind not in {Kind.CODE, Kind.FENCED, Kind.HTML}:
            self.find_text()
            if self.indent >= 4:
                if not (is_lazy or self.blank):
                    self.advance_columns(4)
                    container = self.push(Block(Kind.CODE), container)
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
        in_paragraph = block.kind is Kind.PARAGRAPH
        character = source[position]
        if character == "#" and (match := ATX_HEADING.match(source, position)):
            self.advance_to(match.end())
            return self.push(Block(Kind.HEADING), container)
        if character in "`~" and (match := OPENING_FENCE.match(source, position)):
            code = Block(Kind.FENCED)
            code.fence, code.indent = match[0], position - self.offset
            code.columns = len(self.code)
            self.code.append(match.span())
            self.infos.append((match.end(), self.line_end()))
            self.skip_line()
            return self.push(code, container)
        if character == "<" and (html := self.html_block(position, in_paragraph)):
            return self.push(html, container)
        if in_paragraph and SETEXT_UNDERLINE.match(source, position):
            self.end_heading(block)
            return container
        may_break = character in "*_-" and (all_matched or not in_paragraph)
        if may_break and self.is_thematic_break(position):
            # A thematic break contains nothing, so it is closed at once.
            container = self.push(Block(Kind.HEADING), container) - 1
            self.close(container)
            self.skip_line()
            return container
        return None

    def open_container(self, container: int) -> int | None:
        """Open a block quote or a list item, and return how many blocks are open then."""
        position = self.next
        if self.source[position] == ">":
            self.enter_quote()
            return self.push(Block(Kind.QUOTE), container)
        in_paragraph = self.open[container - 1].kind is Kind.PARAGRAPH
        marker = self.list_marker(position, interrupts=in_paragraph)
        return None if marker is None else self.open_item(*marker, container)

    def read_table(self, block: Block) -> None:
        """Read a row of a table, or the delimiter row that turns a paragraph into a table."""
        if block.kind is Kind.PARAGRAPH and self.open_table(block, self.next):
            self.skip_line()
        elif block.kind is Kind.TABLE and not self.blank:
            self.add_row(block, cells_of(self.source, self.next))
            self.skip_line()

    def end_heading(self, block: Block) -> None:
        """Turn a paragraph into a setext heading, unless it contains only definitions."""
        if block.content is not None and self.take_definitions(block.content):
            block.kind = Kind.HEADING
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

    def html_block(self, position: int, in_paragraph: bool) -> Block | None:
        """Return the HTML block that starts at an index, if one does (CommonMark 4.6)."""
        end = self.line_end() + 1
        found = HTML_START.match(self.source, position, end)
        if found is None and (in_paragraph or not HTML_TAG_LINE.match(self.source, position, end)):
            return None
        block = Block(Kind.HTML)
        block.html = HTML_ENDS.get(found.lastgroup or "") if found else None
        return block

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
        above = self.open[container - 1]
        if above.kind is not Kind.LIST or above.marker != marker:
            block = Block(Kind.LIST)
            block.marker = marker
            container = self.push(block, container)
        item = Block(Kind.ITEM)
        item.width = indent + width + spaces
        return self.push(item, container)

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
        block.kind = Kind.TABLE
        block.columns = len(cells)
        before = content.pieces[:-1] + [(start, row)] * (row > start)
        content.pieces[:] = [each for span in before for each in unescaped(source, *span)]
        self.add_row(block, cells)
        return True

    def add_row(self, table: Block, cells: list[tuple[int, int]]) -> None:
        """Add the cells of a row; those beyond the last column are ignored (GFM 4.10)."""
        for start, end in cells[: table.columns]:
            self.contents.append(Content(self.source, unescaped(self.source, start, end)))

    def add_text(self, start: int) -> None:
        """Add the rest of a line to the innermost block."""
        block = self.open[-1]
        if block.kind is Kind.HTML:
            self.add_line(block)
            if block.html and block.html.search(self.source, self.next, self.line_end()):
                self.close(len(self.open) - 1)
        elif block.kind is Kind.FENCED:
            self.code.append((self.offset, self.line_end() + 1))
        elif self.blank or block.kind in {Kind.CODE, Kind.TABLE}:
            return
        elif block.kind is Kind.HEADING:
            end = start + len(without_closing_hashes(self.source[start : self.line_end()]))
            if self.next < end:
                self.headings.append(Content(self.source, [(self.next, end)]))
                self.contents.append(self.headings[-1])
        else:
            self.advance_to(self.next)
            if block.kind is not Kind.PARAGRAPH:
                self.push(Block(Kind.PARAGRAPH), len(self.open))
            self.add_line(self.open[-1])

    def add_line(self, block: Block) -> None:
        """Add the rest of the line, with its line feed, to the text of a block."""
        self.add_piece(block, (self.offset, self.line_end() + 1))

    def add_piece(self, block: Block, piece: tuple[int, int]) -> None:
        """Add a piece of the document to the text of a block."""
        if block.content is None:
            block.content = Content(self.source, [], is_html=block.kind is Kind.HTML)
            self.contents.append(block.content)
        block.content.pieces.append(piece)

    # The stack of open blocks.

    def push(self, block: Block, container: int) -> int:
        """Open a block inside another one, and return how many blocks are open then.

        Blocks that cannot contain the new block are closed.
        """
        while not can_contain(self.open[container - 1].kind, block.kind):
            container -= 1
        self.close(container)
        self.open[-1].has_child = True
        self.open.append(block)
        return len(self.open)

    def close(self, depth: int) -> None:
        """Close all open blocks but the outermost `depth`."""
        while len(self.open) > depth:
            block = self.open.pop()
            if block.kind is Kind.PARAGRAPH and block.content is not None:
                self.take_definitions(block.content)
            elif block.kind is Kind.FENCED and block.fence:
                del self.code[block.columns :]
                self.infos.pop()

    def take_definitions(self, content: Content) -> bool:
        """Remove the definitions at the start of a paragraph; return whether text remains."""
        source = self.source
        if content.pieces and source[content.pieces[0][0]] == "[":
            text, places, position = content.text, content.places(), 0
            while text.startswith("[", position) and (found := definition_at(text, position)):
                position, label, (start, end) = found
                definition = Definition(label, *places.span(start, end), text[start:end])
                self.all_definitions.append(definition)
                self.definitions.setdefault(label, definition)
            content.drop(position)
        return any(not source[start:end].isspace() for start, end in content.pieces)

    # The position in the line.

    def line_end(self) -> int:
        """Return the index of the line feed."""
        return self.source.index("\n", self.offset)

    def skip_line(self) -> None:
        """Move to the line feed, where columns do not matter."""
        self.offset = self.line_end()

    def find_text(self) -> None:
        """Find the first character that is neither a space nor a tab."""
        if self.next <= self.offset:
            source, position, column = self.source, self.offset, self.column
            while (character := source[position]) in BLANK:
                column += 1 if character == " " else 4 - column % 4
                position += 1
            self.next, self.next_column, self.blank = position, column, character == "\n"
        self.indent = self.next_column - self.column

    def advance_to(self, position: int) -> None:
        """Move to an index in the line."""
        if self.source.find("\t", self.offset, position) < 0:
            self.column += position - self.offset
        else:
            for character in self.source[self.offset : position]:
                self.column += 4 - self.column % 4 if character == "\t" else 1
        self.offset = position
        self.inside_tab = False

    def advance_columns(self, count: int) -> None:
        """Move by a number of columns: a tab is as wide as the columns to the next tab stop."""
        while count > 0 and (character := self.source[self.offset]) != "\n":
            width = 4 - self.column % 4 if character == "\t" else 1
            self.inside_tab = width > count
            step = min(width, count)
            self.column += step
            self.offset += not self.inside_tab
            count -= step


#: Whether a line continues an open block. These functions skip the block's prefix of the line.
CONTINUES: dict[Kind, Callable[[Blocks, Block], bool]] = {
    Kind.QUOTE: Blocks.continues_quote,
    Kind.LIST: lambda _, __: True,
    Kind.ITEM: Blocks.continues_item,
    Kind.PARAGRAPH: lambda blocks, _: not blocks.blank,
    Kind.HEADING: lambda _, __: False,
    Kind.CODE: Blocks.continues_code,
    Kind.FENCED: Blocks.continues_fenced,
    Kind.HTML: Blocks.continues_html,
    Kind.TABLE: Blocks.continues_table,
}


def can_contain(outer: Kind, inner: Kind) -> bool:
    """Return whether a block can contain a block of another kind."""
    if outer is Kind.LIST:
        return inner is Kind.ITEM
    return outer in {Kind.DOCUMENT, Kind.QUOTE, Kind.ITEM} and inner is not Kind.ITEM


def without_closing_hashes(line: str) -> str:
    """Remove the closing sequence of an ATX heading (CommonMark 4.2)."""
    line = line.rstrip()
    return CLOSING_HASHES.sub("", line).rstrip()
