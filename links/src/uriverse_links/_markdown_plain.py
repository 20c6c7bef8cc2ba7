"""The lines of Markdown whose blocks one pattern recognizes.

Most lines of a document are of this kind. `read_line` would read each of them in the same way, but
it takes several times as long.
"""

from __future__ import annotations

import re

from ._markdown_content import Content
from ._markdown_stack import FENCED, HEADING, ITEM, LIST, PARAGRAPH, QUOTE, TABLE, Block, OpenBlocks
from ._markdown_starts import (
    ATX_HEADING,
    BLANK_LINES,
    CLOSING_HASHES,
    CODE_LINES,
    LINES_TO_BLANK,
    OPENING_FENCE,
    PLAIN_INDENTED,
    PLAIN_ITEM,
    PLAIN_LINES,
    html_start,
)
from ._scanning import after


class PlainLines(OpenBlocks):
    """Reads the lines whose blocks one pattern recognizes."""

    def read_plain(self, position: int) -> int:
        """Read lines up to one that needs `read_line`, and return the index of that line."""
        source, opened = self.source, self.open
        length = len(source)
        while position < length:
            if len(opened) == 1:
                if source.startswith("\n", position):
                    position += 1
                    continue
                if found := PLAIN_LINES.match(source, position):
                    position = self.start_paragraph(found)
                    continue
            kind = opened[-1].kind
            if self.open_footnotes:
                break
            if kind == PARAGRAPH:
                end = self.read_paragraph(position)
            elif kind < FENCED:
                end = self.read_start(position, kind)
            elif kind == FENCED and len(opened) == 2:
                end = self.skip_code(opened[1], position)
            else:
                break
            if end == position:
                break
            position = end
        return position

    def read_paragraph(self, position: int) -> int:
        """Read lines that continue or end an open paragraph, and return the index after them."""
        source = self.source
        if found := PLAIN_LINES.match(source, position):
            # Whether or not these lines continue all open blocks, they continue the paragraph.
            self.add_piece(self.open[-1], found.span())
        elif found := BLANK_LINES.match(source, position):
            self.close(self.depth_after_blank() or len(self.open) - 1)
        elif found := PLAIN_ITEM.match(source, position):
            return found.end() if self.open_plain_item(found) else position
        else:
            found = PLAIN_INDENTED.match(source, position)
            if found is None or not self.is_inside(found.start(1) - position):
                return position
            self.add_piece(self.open[-1], found.span(1))
        return found.end()

    def read_start(self, position: int, kind: int) -> int:
        """Read lines after which a block may start, and return the index after them.

        Args:
            position: the start of the first line.
            kind: the kind of the innermost open block, which is not a paragraph.
        """
        source, opened = self.source, self.open
        if found := BLANK_LINES.match(source, position):
            if kind == ITEM and not opened[-1].has_child:
                # Some blank lines end an empty list item, but not all.
                return position
            depth = len(opened) - 1 if kind in {HEADING, TABLE} else len(opened)
            self.close(self.depth_after_blank() or depth)
            return found.end()
        if found := PLAIN_ITEM.match(source, position):
            return found.end() if self.open_plain_item(found) else position
        if len(opened) > 1:
            if not self.ends_outermost(opened[1].kind, position):
                return position
            self.close(1)
        return self.read_outermost(position)

    def depth_after_blank(self) -> int:
        """Return how many blocks are outside the block quotes that a blank line ends, or 0."""
        return [block.kind for block in self.open].index(QUOTE) if self.quotes else 0

    def is_inside(self, indent: int) -> bool:
        """Return whether a line with an indentation continues all open blocks.

        A line that continues only the paragraph keeps its indentation.
        """
        if self.quotes:
            return False
        for block in self.open:
            indent -= block.width
            if indent < 0:
                return False
        return True

    def ends_outermost(self, kind: int, position: int) -> bool:
        """Return whether the line surely ends the outermost open block of a kind.

        No paragraph is open that the line could continue.
        """
        character = self.source[position]
        if kind == LIST:
            return character not in " \t*+-0123456789"
        if kind == QUOTE:
            return character not in " \t>"
        return kind == HEADING

    def read_outermost(self, position: int) -> int:
        """Read the start of a block that no other block contains.

        Return the index after it, or the same index if `read_line` must read it.
        """
        source = self.source
        if found := PLAIN_LINES.match(source, position):
            return self.start_paragraph(found)
        character = source[position]
        if character == "#" and (found := ATX_HEADING.match(source, position)):
            end = source.index("\n", position)
            self.add_heading(position, found.end(), end)
            return end + 1
        if character in "`~" and (found := OPENING_FENCE.match(source, position)):
            end = source.index("\n", position)
            self.open_fence(found, 0, end, 1)
            return end + 1
        if character == "<":
            return self.skip_html(position)
        # No paragraph is open, so indented lines are code.
        return after(CODE_LINES, source, position)

    def start_paragraph(self, found: re.Match[str]) -> int:
        """Open a paragraph that no other block contains, and return the index after its lines."""
        source, end = self.source, found.end()
        if source.startswith("\n", end) and source[found.start()] != "[":
            # It ends here, and contains no definitions.
            self.contents.append(Content(source, [found.span()]))
            return end + 1
        block = Block(PARAGRAPH)
        self.open.append(block)
        self.add_piece(block, found.span())
        return end

    def skip_html(self, position: int) -> int:
        """Return the index after an HTML block that no other block contains, if one starts."""
        source = self.source
        starts, ending = html_start(source, position, in_paragraph=False)
        if not starts:
            return position
        if ending is None:
            end = after(LINES_TO_BLANK, source, position)
        else:
            found = ending.search(source, position)
            end = source.index("\n", found.end()) + 1 if found else len(source)
        self.contents.append(Content(source, [(position, end)], is_html=True))
        return end

    def open_plain_item(self, found: re.Match[str]) -> bool:
        """Open a list item and its paragraph; return whether the line starts one."""
        opened = self.open
        indent = found.end(1) - found.start()
        depth = 1
        for block in opened[1:]:
            if block.kind == ITEM:
                if indent < block.width:
                    break
                indent -= block.width
            elif block.kind != LIST:
                # A paragraph is interrupted only by some lists.
                if block.kind != PARAGRAPH or found[2] is None:
                    return False
                break
            depth += 1
        if indent > 3:
            return False
        marker, width = found[2] or found[3], indent + found.start(4) - found.end(1)
        if (
            depth < len(opened)
            and opened[depth].kind == ITEM
            and opened[depth - 1].marker == marker
        ):
            # The next item of the same list takes the place of the previous one.
            self.close(depth + 1)
            item = opened[depth]
            item.width = width
        else:
            self.add_item(marker, width, depth)
            item = opened[-1]
        item.has_child = True
        paragraph = Block(PARAGRAPH)
        opened.append(paragraph)
        self.add_piece(paragraph, found.span(4))
        return True

    def add_item(self, marker: str, width: int, container: int) -> int:
        """Open a list item, and its list unless it is open already."""
        above = self.open[container - 1]
        if above.kind != LIST or above.marker != marker:
            block = Block(LIST)
            block.marker = marker
            container = self.push(block, container)
        item = Block(ITEM)
        item.width = width
        return self.push(item, container)

    def add_heading(self, line: int, start: int, end: int) -> None:
        """Add the text of an ATX heading (CommonMark 4.2).

        Args:
            line: the start of the line.
            start: the start of the text.
            end: the index of the line feed.
        """
        text = self.source[line:end].rstrip()
        last = line + len(CLOSING_HASHES.sub("", text).rstrip())
        if start < last:
            self.headings.append(self.add_content([(start, last)]))

    def open_fence(self, found: re.Match[str], indent: int, end: int, container: int) -> int:
        """Open a fenced code block, and return how many blocks are open then.

        Args:
            found: the opening fence.
            indent: its indentation.
            end: the index of the line feed.
            container: the number of blocks that contain the code.
        """
        code = Block(FENCED)
        code.fence, code.indent = found[0], indent
        code.columns = len(self.code)
        self.code.append(found.span())
        self.infos.append((found.end(), end))
        return self.push(code, container)

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
