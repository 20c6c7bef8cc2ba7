"""The destinations in documents, as all formats report them: their types, positions and errors."""

from __future__ import annotations

import re
from ast import literal_eval
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from uriverse import BuildError, explain

DocumentFormat: TypeAlias = Literal[
    "markdown",
    "html",
    "css",
    "xml",
    "json",
    "har",
    "turtle",
    "text",
    "restructuredtext",
    "asciidoc",
]
"""A format of documents, for `links` and `rewrite`.

- `"markdown"`: CommonMark with the tables and autolinks of GFM, as pulldown-cmark reads it;
- `"html"`: HTML, also bookmarks files; `"css"`: style sheets;
- `"xml"`: sitemaps, and feeds in RSS, Atom and OPML;
- `"json"`: strings in JSON and JSON Lines; `"har"`: the requests in HTTP archives;
- `"turtle"`: Turtle, TriG, N-Triples and N-Quads;
- `"text"`, `"restructuredtext"`, `"asciidoc"`: the URIs that `uriverse.extract` finds.

>>> from uriverse_links import format_of
>>> format_of("README.md")
'markdown'
"""

LinkKind: TypeAlias = Literal[
    "link",
    "image",
    "form",
    "script",
    "style",
    "frame",
    "media",
    "redirect",
    "feed",
    "autolink",
    "definition",
    "base",
    "text",
]
"""The role of a destination in a document.

- `"link"`: the user opens it, for example with a click;
- `"autolink"`: the same, and the text of the link is the destination;
- `"image"`, `"script"`, `"style"`, `"frame"`, `"media"`: the renderer loads it;
- `"form"`: data is sent to it;
- `"redirect"`: the renderer opens it instead of the document;
- `"feed"`: a feed or another version of the document;
- `"definition"`: a link reference definition in Markdown, which links and images refer to;
- `"base"`: the base URI of the document;
- `"text"`: a URI in text that is not a link.

>>> from uriverse_links import links
>>> [link.kind for link in links("![a](b.png)", "markdown")]
['image']
"""


#: The length of the longest base in a document. Every target contains a base, so that a long one
#: would make the targets of many links very large.
LONGEST_BASE = 8192


@dataclass(eq=False, slots=True)
class Base:
    """A base URI for a part of a document, and the base that it is itself resolved against."""

    destination: str
    outer: Base | None
    start: int


#: The base of a document without its own.
OUTERMOST = Base("", None, 0)


class Occurrence(NamedTuple):
    """A destination that a format found in a document, as the renderer decodes it.

    Its context, a key of `WRITERS`, says how a new destination is written there. If its base is
    `None`, the first one in the document applies, as in HTML.
    """

    start: int
    end: int
    destination: str
    kind: LinkKind
    context: str
    base: Base | None = None


#: The characters that the URL parser of browsers removes from both ends, and everywhere
#: (https://url.spec.whatwg.org/#url-parsing).
ENDS = "".join(map(chr, range(0x21)))
REMOVED = str.maketrans("", "", "\t\n\r")

#: A character that cannot be part of a destination in HTML or CSS.
UNSTABLE = re.compile(r"\A[\x00-\x20]|[\x00-\x20]\Z|[\t\n\r\0]")

#: Matches an empty destination, which some places cannot contain, because nothing loads it.
EMPTY = re.compile(r"\A\Z")


def remove_ignored_characters(text: str) -> str:
    """Return a destination as the URL parser of browsers reads it."""
    return text.strip(ENDS).translate(REMOVED)


def forbid_pattern(pattern: re.Pattern[str], destination: str, context: str) -> None:
    if match := pattern.search(destination):
        if character := destination[match.start() : match.start() + 1]:
            reason = f"a destination in {context} cannot contain {character!a} here"
            hint = "percent-encode it"
        else:
            reason, hint = f"a destination in {context} cannot be empty", ""
        raise BuildError(destination, match.start(), "text", "destination", reason, hint)


def require_stable(destination: str, context: str) -> str:
    """Return the destination, unless browsers would read another one."""
    forbid_pattern(UNSTABLE, destination, context)
    return destination


LINE_END = re.compile(r"\r\n?|\n")


class Lines:
    __slots__ = ("starts", "text")

    def __init__(self, text: str = "", starts: list[int] | None = None) -> None:
        self.text = text
        self.starts = starts

    def locate(self, index: int) -> tuple[int, int]:
        """Return the line and the column of a character; both count from 1."""
        starts = self.get_starts()
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def get_starts(self) -> list[int]:
        if self.starts is None:
            self.starts = [0, *(end.end() for end in LINE_END.finditer(self.text))]
            self.text = ""
        return self.starts

    def __reduce__(self) -> tuple[type[Lines], tuple[str, list[int]]]:
        # A pickled link does not contain the document.
        return Lines, ("", self.get_starts())


def decode_code_point(number: int) -> str:
    """Return a character, or U+FFFD for U+0000, a surrogate or a number beyond the last one."""
    is_surrogate = 0xD800 <= number <= 0xDFFF
    return "\ufffd" if number == 0 or is_surrogate or number > 0x10FFFF else chr(number)


def skip_pattern(pattern: re.Pattern[str], text: str, index: int) -> int:
    """Return the index after a match of a pattern that matches everywhere."""
    match = pattern.match(text, index)
    assert match, "the pattern matches the empty string"
    return match.end()


def quote_text(text: object) -> str:
    if not isinstance(text, str):
        return hide_secrets(repr(text))
    # In a string that should be a URI but is invalid, more may be a secret than `redact` replaces.
    return repr(explain(text)).removeprefix("Explanation(").rpartition(", type=")[0]


def hide_secrets(text: str) -> str:
    hidden: str = literal_eval(quote_text(text))
    return hidden
