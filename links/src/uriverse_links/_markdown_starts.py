"""How the lines of blocks in Markdown start and end (CommonMark 4 and 5)."""

from __future__ import annotations

import re

from ._markdown_inlines import TAG

#: The start of a line that can only be the text of a paragraph: no block starts with it, and the
#: line neither underlines a heading nor is a delimiter row.
PLAIN = (
    r"(?:[^\s>#`~<=\-*_+0-9|:\[]|\[(?!\^)|[*_]{1,2}+(?=[A-Za-z\[`])|`{1,2}+(?!`)|[\-+](?=[A-Za-z\[])"
    r"|[0-9]{1,9}+(?![0-9.)]))"
)
PLAIN_LINES = re.compile(rf"(?:{PLAIN}[^\n]*+\n)++")
#: Such a line after spaces.
PLAIN_INDENTED = re.compile(rf" ++({PLAIN}[^\n]*+\n)")
#: A list item whose first line is the text of a paragraph.
PLAIN_ITEM = re.compile(rf"( *+)(?:([*+\-])|[0-9]{{1,9}}+([.)])) {{1,4}}+({PLAIN}[^\n]*+\n)")

BLANK_LINES = re.compile(r"(?:[ \t]*+\n)++")
LINES_TO_BLANK = re.compile(r"(?:[ \t]*+[^ \t\n][^\n]*+\n)*+")
CODE_LINES = re.compile(r"(?: {4}[^\n]*+\n|[ \t]*+\n)*+")

ATX_HEADING = re.compile(r"#{1,6}(?:[ \t]++|(?=\n))")
CLOSING_HASHES = re.compile(r"[ \t]#+\Z")
OPENING_FENCE = re.compile(r"`{3,}+(?=[^`\n]*+\n)|~{3,}+")
CLOSING_FENCE = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+\n")
SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\n")
#: The start of a thematic break, which is complete if a line feed follows.
THEMATIC_BREAK = re.compile(r"([*_\-])(?P<more>(?:[ \t]*+\1){2,}+)?+[ \t]*+\1?+[ \t]*+")
BULLET = re.compile(r"[*+\-](?=\s)", re.ASCII)
ORDINAL = re.compile(r"([0-9]{1,9})([.)])(?=\s)", re.ASCII)

#: The start of a footnote definition, an extension of cmark-gfm.
FOOTNOTE_START = re.compile(r"\[\^([^\] \t\n]++)\]:[ \t]*+")

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


def html_start(
    source: str, position: int, *, in_paragraph: bool
) -> tuple[bool, re.Pattern[str] | None]:
    """Return whether an HTML block starts at an index (CommonMark 4.6), and what ends it.

    A blank line ends it if the second result is `None`.
    """
    end = source.index("\n", position) + 1
    if found := HTML_START.match(source, position, end):
        return True, HTML_ENDS.get(found.lastgroup or "")
    return not in_paragraph and HTML_TAG_LINE.match(source, position, end) is not None, None
