"""The blocks of a Markdown document, and the elements in their text.

pulldown-cmark (the package `pyromark`) decides what they are: CommonMark with the tables, the
strikethrough and the footnotes of GFM. This module tells where they are in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from html.entities import html5
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import pyromark
from pyromark import Options

from ._destinations import decode_code_point

if TYPE_CHECKING:
    from pyromark.event import _LinkData, _Tag, _TagEnd

PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ESCAPE = re.compile(rf"\\([{PUNCTUATION}])")
REFERENCE = re.compile(
    r"&(?:#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]{1,31}));"
)
ENCODED = re.compile(f"{ESCAPE.pattern}|{REFERENCE.pattern}")


def decode_references(text: str) -> str:
    return REFERENCE.sub(decode_reference, text) if "&" in text else text


def decode_reference(reference: re.Match[str]) -> str:
    hexadecimal, decimal, name = reference.groups()
    if name:
        return html5.get(f"{name};", reference[0])
    return decode_code_point(int(hexadecimal, 16) if hexadecimal else int(decimal))


def decode_with_offsets(text: str) -> tuple[str, list[int]]:
    """Decode escapes and character references, and return where each character starts."""
    if "\\" not in text and "&" not in text:
        return text, list(range(len(text) + 1))
    characters: list[str] = []
    offsets: list[int] = []
    position = 0
    for match in ENCODED.finditer(text):
        offsets.extend(range(position, match.start()))
        characters.append(text[position : match.start()])
        decoded = match[1] or decode_references(match[0])
        characters.append(decoded)
        offsets.extend([match.start()] * len(decoded))
        position = match.end()
    offsets.extend(range(position, len(text) + 1))
    return "".join(characters) + text[position:], offsets


BlockKind: TypeAlias = Literal["text", "heading", "cell", "html", "fence"]
ElementKind: TypeAlias = Literal[
    "text", "code", "html", "link", "image", "autolink", "url", "line-end"
]

OPTIONS = Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH
#: They neither end the text of a block nor open anything.
EMPHASIS = {"Emphasis", "Strong", "Strikethrough"}
BLOCK_KINDS: dict[str, BlockKind] = {"HtmlBlock": "html", "TableCell": "cell"}

#: Characters that UTF-8 cannot represent, and the one that CommonMark replaces (2.3).
UNREADABLE = re.compile(r"[\x00\ud800-\udfff]")
LONE_RETURN = re.compile(r"\r(?!\n)")
#: The first 100 markers of block quotes and list items on a line, and more of them. For each line
#: that follows, pulldown-cmark takes time proportional to their number.
DEEP = re.compile(
    r"^((?:[ \t]*+(?:>|(?:[*+-]|[0-9]{1,9}[.)])(?=[ \t]))){100})([ \t>*+.)0-9-]++)", re.MULTILINE
)
WIDE_CHARACTER = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+|\xff")
WHITE_SPACES = re.compile(r"[ \t\n\v\f\r]++")


class Element(NamedTuple):
    """A link, an image, code, HTML or plain text inside a block.

    Attributes:
        kind: its kind. An autolink is between "<" and ">". A "url" has no such brackets; it may be
            a domain or an e-mail address, and only `find_autolinks` yields it.
        start: the index of its first character in the document.
        end: the index after its last character.
        value: the decoded text or destination, the content of code, or HTML without the prefixes
            of its lines, such as those of block quotes.
        text_end: the index of the "]" after the text of a link or an image.
        label: the label of the definition that a link or an image refers to, if any.
    """

    kind: ElementKind
    start: int
    end: int
    value: str = ""
    text_end: int = 0
    label: str | None = None

    @property
    def text_start(self) -> int:
        """The index of the text of a link or an image."""
        return self.start + 1 + (self.kind == "image")


class Block(NamedTuple):
    """A block with text: a paragraph, a heading, a cell of a table, HTML or fenced code.

    Attributes:
        kind: its kind; "text" for a paragraph, and for an item in a tight list.
        elements: the elements of its text, in the order of their starts. Links and images come
            before the elements in their text. Fenced code has no elements.
        start: the index of its first character in the document, after the prefix of its line.
        end: the index after its last character.
        footnote: the label of the footnote that contains it, if any; "" in a footnote whose label
            an earlier one has.
    """

    kind: BlockKind
    elements: list[Element]
    start: int
    end: int
    footnote: str | None


def normalize_label(label: str) -> str:
    """Return the form of a label by which labels are compared (CommonMark 4.7)."""
    return WHITE_SPACES.sub(" ", label).strip(" ").casefold()


class LineMap(NamedTuple):
    """Where the lines of HTML start in the HTML, and in the document.

    The document has prefixes between them, such as those of block quotes.
    """

    starts: list[int]
    offsets: list[int]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, max(start, end - 1)) - 1
        return (
            self.offsets[first] + start - self.starts[first],
            self.offsets[last] + end - self.starts[last],
        )


def join_html(source: str, elements: Sequence[Element]) -> tuple[str, LineMap]:
    """Return the HTML of elements, and where its lines are."""
    lines = LineMap([], [])
    length = 0
    for element in elements:
        line_start, position = length, element.start
        for line in element.value.split("\n"):
            line_end = source.find("\n", position, element.end)
            if line_end < 0:
                line_end = element.end
            # Nothing but the line end follows the HTML of a line, but a prefix may precede it.
            html_end = line_end - 1 if source.startswith("\r", line_end - 1) else line_end
            lines.starts.append(line_start)
            lines.offsets.append(html_end - len(line))
            line_start, position = line_start + len(line) + 1, line_end + 1
        length += len(element.value)
    return "".join([element.value for element in elements]), lines


class Document:
    """A Markdown document.

    Attributes:
        source: the document as all renderers read it. All characters keep their places.
        blocks: its blocks, in their order.
        references: the labels of the footnotes that it refers to.
    """

    def __init__(self, text: str, *, footnotes: bool = False) -> None:
        self.source = LONE_RETURN.sub("\n", UNREADABLE.sub("\ufffd", text))
        self.blocks: list[Block] = []
        self.references: set[str] = set()
        self.options = OPTIONS | Options.ENABLE_FOOTNOTES * footnotes
        has_mark = self.source.startswith("\ufeff")
        readable = self.source[has_mark:].replace("\r\n", "\n")
        #: The text that pulldown-cmark reads. It gives places as numbers of bytes.
        self.readable = DEEP.sub(lambda match: match[1] + "x" * len(match[2]), readable)
        #: The ends, in these bytes, of characters that are not one byte, and how many more bytes
        #: than characters of the document stand before the first end, and before each next one.
        self.changes: list[int] = []
        self.surplus = [-has_mark]
        if not self.source.isascii() or len(readable) < len(text):
            # The byte 0xFF, which UTF-8 does not have, stands for "\r\n": one byte for two
            # characters of the document.
            data = self.source[has_mark:].encode().replace(b"\r\n", b"\xff")
            for character in WIDE_CHARACTER.finditer(data):
                self.changes.append(character.end())
                more_bytes = -1 if character[0] == b"\xff" else len(character[0]) - 1
                self.surplus.append(self.surplus[-1] + more_bytes)
        self.kind: BlockKind = "text"
        self.elements: list[Element] = []
        #: Where the last element ends, or the text of a link starts that is still empty.
        self.end = 0
        #: The indexes in `elements` of the links and images around the event.
        self.open_links: list[int] = []
        self.in_code = False
        self.footnote: str | None = None
        self.footnotes: set[str] = set()
        if footnotes:
            self.hide_references()
        self.collect_blocks()

    def locate(self, byte: int) -> int:
        return byte - self.surplus[bisect_right(self.changes, byte)]

    @cached_property
    def definitions(self) -> dict[str, int]:
        """Where the link reference definition of each label starts."""
        definitions = pyromark.reference_definitions(self.readable, options=self.options)
        return {
            normalize_label(label): self.locate(definition["span"]["start"])
            for label, definition in definitions.items()
        }

    def hide_references(self) -> None:
        """Replace references to footnotes, and the start of images such as `![^a](b)`, by commas.

        As in cmark-gfm, but not in pulldown-cmark, links and images can contain such references,
        and `![^` starts no image.
        """
        data = bytearray(self.readable.encode())
        for event, span in pyromark.events_with_range(self.readable, options=self.options):
            start, end = span["start"], span["end"]
            if isinstance(event, str):
                continue
            if "FootnoteReference" in event:
                self.references.add(normalize_label(event["FootnoteReference"]))
                data[start:end] = b"," * (end - start)
            elif "Start" in event and data.startswith(b"![^", start, end):
                data[start] = ord(",")
        self.readable = data.decode()

    def collect_blocks(self) -> None:
        changes, surplus = self.changes, self.surplus
        events = pyromark.events_with_range(self.readable, options=self.options, merge_text=True)
        for event, span in events:
            # The same as in `locate`, whose calls would take a third of the time.
            start = span["start"] - surplus[bisect_right(changes, span["start"])]
            end = span["end"] - surplus[bisect_right(changes, span["end"])]
            if isinstance(event, str):
                if event != "Rule":  # a line end
                    self.add_element("line-end", start, end, "\n")
            # Any other event is a dictionary, whose only key is the kind of the event.
            elif "Text" in event:
                # The range of an escaped character does not include the backslash.
                start -= self.source.startswith("\\", start - 1, start)
                self.add_element("text", start, end, event["Text"])
            elif "Start" in event:
                self.enter_tag(event["Start"], start, end)
            elif "End" in event:
                self.leave_tag(event["End"])
            elif "Code" in event:
                self.add_element("code", start, end, event["Code"])
            elif "InlineHtml" in event:
                self.add_element("html", start, end, event["InlineHtml"])
            elif "Html" in event:
                self.add_element("html", start, end, event["Html"])

    def add_element(self, kind: ElementKind, start: int, end: int, value: str) -> None:
        self.elements.append(Element(kind, start, end, value))
        self.end = end

    def enter_tag(self, tag: _Tag, start: int, end: int) -> None:
        # A tag is its name, or a dictionary with its name as the only key.
        if isinstance(tag, str):
            if tag not in EMPHASIS:
                self.end_block()
                self.kind = BLOCK_KINDS.get(tag, "text")
        elif "Link" in tag:
            self.open_link("link", tag["Link"], start, end)
        elif "Image" in tag:
            self.open_link("image", tag["Image"], start, end)
        else:
            self.end_block()
            if "Heading" in tag:
                self.kind = "heading"
            elif "CodeBlock" in tag:
                self.in_code = True
                if tag["CodeBlock"] != "Indented":
                    self.blocks.append(Block("fence", [], start, end, self.footnote))
            elif "FootnoteDefinition" in tag:
                label = normalize_label(tag["FootnoteDefinition"])
                self.footnote = "" if label in self.footnotes else label
                self.footnotes.add(label)

    def leave_tag(self, tag: _TagEnd) -> None:
        if tag in ("Link", "Image"):
            self.close_link()
        elif not isinstance(tag, str) or tag not in EMPHASIS:
            self.end_block()
            if tag == "FootnoteDefinition":
                self.footnote = None

    def end_block(self) -> None:
        """Add the block of the elements, if there are any, except for code."""
        if self.elements and not self.in_code:
            start = self.elements[0].start
            self.blocks.append(Block(self.kind, self.elements, start, self.end, self.footnote))
        self.elements = []
        self.kind = "text"
        self.in_code = False

    def open_link(self, kind: ElementKind, link: _LinkData, start: int, end: int) -> None:
        destination, label = link["dest_url"], None
        if link["link_type"] in {"Autolink", "Email"}:
            kind = "autolink"
            # cmark decodes references in it; the specification does not.
            destination = decode_references(self.source[start + 1 : end - 1])
            if link["link_type"] == "Email":
                destination = f"mailto:{destination}"
        elif link["link_type"] != "Inline":
            label = normalize_label(link["id"])
            # The range of `[label][]` does not include the second pair of brackets.
            if self.source.startswith("[]", end):
                end += len("[]")
        element = Element(kind, start, end, destination, label=label)
        self.open_links.append(len(self.elements))
        self.elements.append(element)
        self.end = element.text_start

    def close_link(self) -> None:
        index = self.open_links.pop()
        element = self.elements[index]
        text_end = self.source.find("]", self.end)
        self.elements[index] = element._replace(text_end=text_end)
        self.end = element.end
