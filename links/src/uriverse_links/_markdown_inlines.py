"""The links in the text of a Markdown block (CommonMark 6, and the autolinks of GFM 6.9)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container
from html.entities import html5
from typing import NamedTuple

from ._markdown_autolinks import EMAIL_IN_TEXT, addresses_in, url_at, www_at
from ._markdown_emphasis import markers_in

PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ESCAPE = re.compile(rf"\\([{PUNCTUATION}])")
REFERENCE = re.compile(
    r"&(?:#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]{1,31}));"
)
ENCODED = re.compile(f"{ESCAPE.pattern}|{REFERENCE.pattern}")
WHITE_SPACE = " \t\n\v\f\r"
WHITE_SPACES = re.compile(r"[ \t\n\v\f\r]++")
SPACES = re.compile(r"[ \t\n\v\f\r]*+")

#: Where an inline element may start or end.
SPECIAL = re.compile(r"[\\`<\[\]]|!\[|://|www\.")
BACKTICKS = re.compile(r"`++")
SIMPLE_CODE = re.compile(r"`[^`]++`(?!`)")

URI_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20<>]*+)>")
LABEL_OF_HOST = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL_AUTOLINK = re.compile(
    r"<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]++@" + LABEL_OF_HOST + rf"(?:\.{LABEL_OF_HOST})*)>"
)
ATTRIBUTE = (
    r"[ \t\v\f\r\n]++[a-zA-Z_:][a-zA-Z0-9:._-]*+"
    r"(?:[ \t\v\f\r\n]*+=[ \t\v\f\r\n]*+(?:[^ \t\r\n\v\f\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+"
)
#: An opening or closing tag, without "<" (CommonMark 6.6).
TAG = (
    rf"(?:[A-Za-z][A-Za-z0-9-]*+(?:{ATTRIBUTE})*+[ \t\v\f\r\n]*+/?>"
    r"|/[A-Za-z][A-Za-z0-9-]*+[ \t\v\f\r\n]*+>)"
)
HTML_TAG = re.compile(f"<{TAG}")
HTML_OTHERS = (
    ("<!--", re.compile(r"<!--(?:-?>|(?:[^-]|-[^-]|--[^>])*+-->)")),
    ("<?", re.compile(r"<\?(?:[^?]|\?[^>])*+\?>")),
    ("<![CDATA[", re.compile(r"<!\[CDATA\[(?:[^\]]|\][^\]]|\]\][^>])*+\]\]>")),
    ("<!", re.compile(r"<![A-Z]++[ \t\n\v\f\r][^>]*+>")),
)
DECLARATION_START = re.compile(r"<![A-Z]++[ \t\n\v\f\r]")

#: The characters up to the end of a label, without brackets (CommonMark 6.3).
LABEL = re.compile(rf"\[((?:[^\[\]\\]|\\[{PUNCTUATION}]?+){{0,999}}+)\]")
ANGLE_DESTINATION = re.compile(r"<((?:[^<>\\\n]++|\\[^\n])*+)>")
#: A run of a bare destination up to a parenthesis.
BARE_RUN = re.compile(rf"(?:[^\x00-\x20\x7f()\\]++|\\[{PUNCTUATION}]?+)*+")
#: A title. As in cmark, a quotation mark after a backslash ends it if no other one does.
TITLE = re.compile(r"\"(?:[^\"]|(?<=\\)\")*\"|'(?:[^']|(?<=\\)')*'|\((?:[^()]|(?<=\\)[()])*\)")
LINE_BREAK = re.compile(r"[ \t]*+(?:\n[ \t]*+)?+")
LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")
#: The rest of a link after its opening bracket, without a title, escapes and other elements.
SIMPLE_LINK = re.compile(r"[^\[\]\\`<]*+\]\(([^\x00-\x20\x7f()<\\&]*+)\)")
MOST_PARENTHESES = 32
MOST_IN_LABEL = 1000


class Definition(NamedTuple):
    """A link reference definition, and the span of its destination in the document."""

    label: str
    start: int
    end: int
    written: str


class Bracket:
    """An opening bracket that may start a link or an image."""

    __slots__ = ("bracket_after", "counts", "end", "is_image")

    def __init__(self, end: int, counts: tuple[int, int], *, is_image: bool) -> None:
        """Keep the index after the bracket, and how many links and footnotes are before it."""
        self.end = end
        self.counts = counts
        self.is_image = is_image
        self.bracket_after = False


class Opened(NamedTuple):
    """A destination that the text of a block opens.

    Attributes:
        start: the index of the destination in the text, or -1 if a definition contains it.
        end: the index after it.
        destination: the decoded destination.
        kind: "link", "image", "autolink", or "html" for a tag, which may contain destinations.
        definition: the definition, for a reference.
        outer: the span of the whole element.
        inner: the span of its text.
    """

    start: int
    end: int
    destination: str
    kind: str
    definition: Definition | None
    outer: tuple[int, int]
    inner: tuple[int, int]


def decoded(written: str) -> str:
    """Decode character references and backslash escapes (CommonMark 2.4 and 2.5)."""
    if "&" in written:
        written = REFERENCE.sub(character_of, written)
    return ESCAPE.sub(r"\1", written) if "\\" in written else written


def character_of(reference: re.Match[str]) -> str:
    """Return the character that a character reference stands for."""
    hexadecimal, decimal, name = reference.groups()
    if name:
        return html5.get(f"{name};", reference[0])
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if number == 0 or 0xD800 <= number < 0xE000 or number > 0x10FFFF:
        return "\ufffd"
    return chr(number)


def normalized_label(label: str) -> str:
    """Return the form of a label by which labels are compared (CommonMark 4.7)."""
    return WHITE_SPACES.sub(" ", label.strip(WHITE_SPACE)).casefold()


def destination_at(text: str, position: int) -> tuple[int, int, int] | None:
    """Return the span of the destination at an index, and the index after it (CommonMark 6.3)."""
    if text.startswith("<", position):
        found = ANGLE_DESTINATION.match(text, position)
        return None if found is None else (*found.span(1), found.end())
    depth, end, length = 0, position, len(text)
    while True:
        found = BARE_RUN.match(text, end)
        end = found.end() if found else end
        character = text[end] if end < length else ""
        if character == "(" and depth < MOST_PARENTHESES:
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        elif character == "(":
            return None
        else:
            break
        end += 1
    return position, end, end


def definition_at(text: str, position: int) -> tuple[int, str, tuple[int, int]] | None:
    """Return the end, the label and the destination's span of a definition (CommonMark 4.7)."""
    label = LABEL.match(text, position)
    if label is None or not label[1].strip(WHITE_SPACE) or not text.startswith(":", label.end()):
        return None
    place = LINE_BREAK.match(text, label.end() + 1)
    found = destination_at(text, place.end() if place else label.end() + 1)
    if found is None or found[0] == found[2]:
        return None
    start, end, after = found
    gap = LINE_BREAK.match(text, after)
    title = TITLE.match(text, gap.end()) if gap and gap.end() > after else None
    finish = LINE_END.match(text, title.end()) if title else None
    finish = finish or LINE_END.match(text, after)
    if finish is None:
        return None
    return finish.end(), normalized_label(label[1]), (start, end)


class Inlines:
    """Finds the destinations in the text of a block.

    Attributes:
        opened: the destinations that a renderer opens.
        references: the labels of the footnotes that the text refers to.
    """

    def __init__(
        self,
        text: str,
        definitions: dict[str, Definition],
        footnotes: Container[str] | None = None,
    ) -> None:
        """Read the text.

        Args:
            text: the text of a block.
            definitions: the link reference definitions of the document by label.
            footnotes: the labels of the document's footnotes; `None` if `[^` has no meaning.
        """
        self.text = text.rstrip(WHITE_SPACE)
        self.definitions = definitions
        self.footnotes = footnotes
        self.opened: list[Opened] = []
        self.references: list[str] = []
        self.brackets: list[Bracket] = []
        # Links contain no links. As in cmark, a link closes the brackets before it only until the
        # next one opens.
        self.may_link = False
        # The spans whose characters are not text: code, tags and autolinks.
        self.atoms: list[tuple[int, int]] = []
        self.unclosed: set[str] = set()
        self.ticks: list[tuple[int, int]] | None = None
        self.last_ticks: dict[int, int] = {}
        self.all_ticks_seen = False
        self.read()
        if EMAIL_IN_TEXT.search(self.text):
            self.add_emails()

    def read(self) -> None:
        """Read the elements from left to right."""
        text, position = self.text, 0
        while special := SPECIAL.search(text, position):
            start, end = special.span()
            character = special[0]
            if character == "]":
                position = self.close_bracket(start)
            elif character in {"[", "!["}:
                if self.brackets:
                    self.brackets[-1].bracket_after = True
                is_image = character == "![" and not self.starts_footnote(end)
                if found := SIMPLE_LINK.match(text, end):
                    # `close_bracket` would find the same in several steps: the link contains no
                    # elements, and the destination is written as it is.
                    position = found.end()
                    span, inner = found.span(1), (end, found.start(1) - 2)
                    outer = end - 1 - is_image, position
                    kind = "image" if is_image else "link"
                    self.opened.append(Opened(*span, found[1], kind, None, outer, inner))
                    self.may_link = self.may_link and is_image
                    continue
                self.may_link = self.may_link or not is_image
                counts = len(self.opened), len(self.references)
                self.brackets.append(Bracket(end, counts, is_image=is_image))
                position = end
            elif character == "`":
                position = self.after_code(start)
            elif character == "\\":
                position = end + 1 if ESCAPE.match(text, start) else end
            elif character == "<":
                position = self.after_angle(start)
            else:
                position = self.after_url(character, start, end)

    def after_code(self, start: int) -> int:
        """Return the index after a code span or after its opening backticks (CommonMark 6.1)."""
        if not self.all_ticks_seen and (simple := SIMPLE_CODE.match(self.text, start)):
            # The next run of backticks is as long as this one.
            self.atoms.append(simple.span())
            return simple.end()
        if self.ticks is None:
            self.ticks = [found.span() for found in BACKTICKS.finditer(self.text)]
        index = bisect_right(self.ticks, (start, len(self.text))) - 1
        end = self.ticks[index][1]
        size = end - start
        # Like cmark, remember where the last run of each size is once no closing run was found. A
        # later search overwrites this with the run that it finds.
        if self.all_ticks_seen and self.last_ticks.get(size, -1) < end:
            return end
        for following in range(index + 1, len(self.ticks)):
            first, after = self.ticks[following]
            self.last_ticks[after - first] = first
            if after - first == size:
                self.atoms.append((start, after))
                return after
        self.all_ticks_seen = True
        return end

    def after_angle(self, start: int) -> int:
        """Return the index after the autolink or tag at "<", or after the "<"."""
        text = self.text
        if found := URI_AUTOLINK.match(text, start):
            self.add_autolink(found.span(1), decoded_references(found[1]), found.span())
            return found.end()
        if found := EMAIL_AUTOLINK.match(text, start):
            self.add_autolink(found.span(1), "mailto:" + decoded_references(found[1]), found.span())
            return found.end()
        end = self.tag_end(start)
        if end is None:
            return start + 1
        self.atoms.append((start, end))
        self.opened.append(Opened(start, end, "", "html", None, (start, end), (start, end)))
        return end

    def tag_end(self, start: int) -> int | None:
        """Return the index after the HTML tag at an index (CommonMark 6.6)."""
        text = self.text
        for prefix, pattern in HTML_OTHERS:
            if not text.startswith(prefix, start):
                continue
            if prefix not in self.unclosed and (found := pattern.match(text, start)):
                return found.end()
            # Without its end, no other of its kind is complete: searching again would take time
            # quadratic in the length.
            if prefix != "<!" or DECLARATION_START.match(text, start):
                self.unclosed.add(prefix)
        found = HTML_TAG.match(text, start)
        return found.end() if found else None

    def add_autolink(self, span: tuple[int, int], destination: str, outer: tuple[int, int]) -> None:
        """Add an autolink."""
        self.atoms.append(outer)
        self.opened.append(Opened(*span, destination, "autolink", None, outer, span))

    def after_url(self, special: str, start: int, end: int) -> int:
        """Return the index after an extended autolink (GFM 6.9) or after its first characters."""
        if self.brackets:
            return end
        span = www_at(self.text, start) if special == "www." else url_at(self.text, start)
        if span is None:
            return start + 1
        destination = self.text[span[0] : span[1]]
        self.add_autolink(span, "http://" * (special == "www.") + destination, span)
        return span[1]

    def close_bracket(self, start: int) -> int:
        """Return the index after the link or image that a "]" ends, or after the "]"."""
        end = start + 1
        if not self.brackets:
            return end
        bracket = self.brackets.pop()
        if not (bracket.is_image or self.may_link):
            return end
        target = self.inline_target(end) or self.reference_target(bracket, start)
        if target is None:
            if self.starts_footnote(bracket.end):
                self.close_footnote(bracket, start)
            return end
        after, span, definition = target
        written = definition.written if definition else self.text[span[0] : span[1]]
        opening = bracket.end - 1 - bracket.is_image
        if bracket.is_image:
            # The text of an image is plain text, in which nothing opens.
            del self.opened[bracket.counts[0] :]
        else:
            self.may_link = False
        kind = "image" if bracket.is_image else "link"
        destination = decoded(written.strip(WHITE_SPACE))
        inner = bracket.end, start
        self.opened.append(Opened(*span, destination, kind, definition, (opening, after), inner))
        return after

    def starts_footnote(self, position: int) -> bool:
        """Return whether a bracket before an index may start a footnote reference, not an image."""
        return self.footnotes is not None and self.text.startswith("^", position)

    def close_footnote(self, bracket: Bracket, end: int) -> None:
        """Read the footnote reference between a bracket and the "]" at an index.

        As in cmark-gfm, nothing in it is an element, whether or not the footnote exists.
        """
        start = bracket.end + 1
        if start == end:
            return
        del self.opened[bracket.counts[0] :]
        del self.references[bracket.counts[1] :]
        while self.atoms and self.atoms[-1][0] >= start:
            self.atoms.pop()
        if end - start > MOST_IN_LABEL:
            return
        label = self.text[start:end]
        if "\n" in label:
            # cmark-gfm computes the length of the label from columns, which restart on a new line.
            column = start - self.text.rfind("\n", 0, start)
            label = label[: max(0, len(label) - label.rfind("\n") - column)]
        label = normalized_label(label)
        if self.footnotes is not None and label in self.footnotes:
            self.atoms.append((start - 2, end + 1))
            self.references.append(label)

    def inline_target(self, position: int) -> tuple[int, tuple[int, int], None] | None:
        """Return the end and the destination's span of an inline link (CommonMark 6.3)."""
        text = self.text
        if not text.startswith("(", position):
            return None
        found = destination_at(text, skip(text, position + 1))
        if found is None:
            return None
        start, end, after = found
        gap = skip(text, after)
        title = TITLE.match(text, gap) if gap > after else None
        finish = skip(text, title.end() if title else gap)
        return (finish + 1, (start, end), None) if text.startswith(")", finish) else None

    def reference_target(
        self, bracket: Bracket, start: int
    ) -> tuple[int, tuple[int, int], Definition] | None:
        """Return the end and the definition of a reference link (CommonMark 6.3)."""
        if not self.definitions:
            return None
        text, end = self.text, start + 1
        found = LABEL.match(text, end)
        label = found[1].strip(WHITE_SPACE) if found else ""
        if found:
            end = found.end()
        if not label:
            if bracket.bracket_after:
                return None
            label = text[bracket.end : start]
        definition = (
            self.definitions.get(normalized_label(label)) if len(label) < MOST_IN_LABEL else None
        )
        return None if definition is None else (end, (-1, -1), definition)

    def add_emails(self) -> None:
        """Add the e-mail addresses in the text (GFM 6.9).

        cmark-gfm searches the text after it decoded escapes and character references.
        """
        spans = self.text_spans()
        markers = sorted(markers_in(self.text, spans)) if "_" in self.text else []
        for span in spans:
            for start, end in without(markers, *span):
                self.add_emails_in(start, end)

    def add_emails_in(self, start: int, end: int) -> None:
        """Add the e-mail addresses in a span of the text."""
        text = self.text[start:end]
        plain, places = decoded_with_places(text)
        for first, last, is_bare in addresses_in(plain):
            span = start + places[first], start + places[last]
            destination = "mailto:" * is_bare + plain[first:last]
            self.opened.append(Opened(*span, destination, "autolink", None, span, span))

    def text_spans(self) -> list[tuple[int, int]]:
        """Return the spans of the text outside code, tags, autolinks, links and images.

        In a link with a link in its text, cmark-gfm treats what follows the inner link as if it
        were outside the outer one.
        """
        hidden = list(self.atoms)
        links = sorted(each.outer for each in self.opened if each.kind in {"link", "autolink"})
        for each in self.opened:
            if each.kind == "link":
                start, end = each.inner
                first = bisect_left(links, (start, start))
                inside = links[first][1] if first < len(links) else end
                hidden.append((each.outer[0], min(inside, end)))
                hidden.append((end, each.outer[1]))
            elif each.kind == "image":
                hidden.append(each.outer)
        spans: list[tuple[int, int]] = []
        position = 0
        for start, end in [*sorted(hidden), (len(self.text),) * 2]:
            if start > position:
                spans.append((position, start))
            position = max(position, end)
        return spans


def without(markers: list[int], start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a span between the markers of emphasis."""
    inside = markers[bisect_left(markers, start) : bisect_left(markers, end)]
    starts = [start, *(index + 1 for index in inside)]
    return [each for each in zip(starts, [*inside, end], strict=True) if each[0] < each[1]]


def decoded_with_places(written: str) -> tuple[str, list[int]]:
    """Decode escapes and character references, and return where each character starts."""
    if "\\" not in written and "&" not in written:
        return written, list(range(len(written) + 1))
    characters: list[str] = []
    places: list[int] = []
    position = 0
    for found in ENCODED.finditer(written):
        places.extend(range(position, found.start()))
        characters.append(written[position : found.start()])
        one = decoded(found[0])
        characters.append(one)
        places.extend([found.start()] * len(one))
        position = found.end()
    places.extend(range(position, len(written) + 1))
    return "".join(characters) + written[position:], places


def skip(text: str, position: int) -> int:
    """Return the index after white space."""
    found = SPACES.match(text, position)
    return found.end() if found else position


def decoded_references(written: str) -> str:
    """Decode the character references of an autolink: cmark does, the specification does not."""
    return REFERENCE.sub(character_of, written) if "&" in written else written
