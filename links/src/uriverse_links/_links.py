"""Find the links of a document in any format, and replace them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import PurePath
from typing import TypeAlias, get_args

from uriverse import IRI, IRIReference, ParseError, extract, parse

from . import _css, _html, _json, _markdown, _rdf, _xml
from ._destinations import (
    LONGEST_BASE,
    OUTERMOST,
    Base,
    DocumentFormat,
    Lines,
    LinkKind,
    Occurrence,
    quote_text,
)

#: A "[" that belongs to no IP literal, which follows slashes.
BRACKET = re.compile(r"(?<!//)\[")


# --- the formats


def find_in_text(text: str) -> Iterator[Occurrence]:
    for value, start, end in extract(text):
        yield Occurrence(start, end, str(value), "text", "text")


def find_in_asciidoc(text: str) -> Iterator[Occurrence]:
    """Find the URIs in AsciiDoc, in which the text of a link follows in brackets: `URI[text]`."""
    return find_in_text(BRACKET.sub(" ", text))


def write_in_text(destination: str) -> str:
    if IRI.try_parse(destination) is None:
        raise ValueError(f"text cannot contain {quote_text(destination)}; use a URI with a scheme")
    return destination


Finder: TypeAlias = Callable[[str], Iterable[Occurrence]]

#: For each format, the function that finds the destinations, and the suffixes of file names.
FORMATS: dict[DocumentFormat, tuple[Finder, tuple[str, ...]]] = {
    "markdown": (_markdown.find_markdown_destinations, (".md", ".markdown", ".mdown", ".mkd")),
    "html": (_html.find_html_destinations, (".html", ".htm")),
    "css": (_css.find_css_destinations, (".css",)),
    "xml": (_xml.find_xml_destinations, (".xml", ".rss", ".atom", ".opml")),
    "json": (_json.find_json_destinations, (".json", ".jsonl", ".ndjson")),
    "har": (_json.find_in_archive, (".har",)),
    "turtle": (_rdf.find_rdf_destinations, (".ttl", ".nt", ".nq", ".trig")),
    "text": (find_in_text, (".txt", ".text")),
    "restructuredtext": (find_in_text, (".rst", ".rest")),
    "asciidoc": (find_in_asciidoc, (".adoc", ".asciidoc", ".asc")),
}
BY_SUFFIX: dict[str, DocumentFormat] = {
    suffix: name for name, (_, suffixes) in FORMATS.items() for suffix in suffixes
}

#: The functions that write a new destination, by the name of its context in a document. They raise
#: `ValueError` if it cannot be written there.
WRITERS: dict[str, Callable[[str], str]] = {
    "text": write_in_text,
    **_markdown.WRITERS,
    **_html.WRITERS,
    **_css.WRITERS,
    **_xml.WRITERS,
    **_json.WRITERS,
    **_rdf.WRITERS,
}


def format_of(path: str | PathLike[str], /) -> DocumentFormat | None:
    """Return the format of a file by the suffix of its name, or `None` if it is unknown.

    >>> format_of("docs/index.md"), format_of("logo.png")
    ('markdown', None)
    """
    return BY_SUFFIX.get(PurePath(fspath(path)).suffix.lower())


def get_finder(name: DocumentFormat) -> Finder:
    if name not in FORMATS:
        formats = ", ".join(get_args(DocumentFormat))
        raise ValueError(f"unknown format {quote_text(name)}; use {formats}")
    return FORMATS[name][0]


# --- links


#: The characters that Markdown renderers and browsers percent-encode in a destination.
ENCODED = re.compile(r"[ \"<>^`{|}]")


@dataclass(frozen=True, slots=True)
class Link:
    """A destination in a document.

    Attributes:
        kind: the role of the destination in the document.
        written: the destination as it is written in the document.
        destination: the destination as a renderer decodes it, without backslash escapes and
            character references.
        start: the index of its first character in the document.
        end: the index after its last character. `document[start:end]` equals `written`.
        target: the URI or IRI that the destination resolves to, or a relative reference without a
            base; `None` if the destination is not a valid reference.
        line: the number of its line in the document, from 1.
        column: the number of its first character in the line, from 1.

    >>> (link,) = links("[a](<b c>)", "markdown")
    >>> link.kind, link.written, link.destination, link.target
    ('link', 'b c', 'b c', URIReference('b%20c'))
    """

    kind: LinkKind
    written: str
    destination: str
    start: int
    end: int
    target: IRIReference | None
    _lines: Lines = field(default_factory=Lines, repr=False, compare=False)

    @property
    def line(self) -> int:
        return self._lines.locate(self.start)[0]

    @property
    def column(self) -> int:
        return self._lines.locate(self.start)[1]


def links(
    text: str,
    format: DocumentFormat,  # noqa: A002
    *,
    base: str | IRIReference | None = None,
) -> list[Link]:
    r"""Return every destination that a renderer of a document would open, in order.

    In Markdown (CommonMark with the tables and autolinks of GFM), these are the destinations of
    links and images, autolinks, URLs and e-mail addresses in text, and the destinations in raw
    HTML. A link reference definition has the kind `"definition"`. It is returned once if at least
    one link or image uses it. Code, comments and escaped characters contain no links. Footnotes
    such as `[^1]: /url` are read as renderers with footnotes and as renderers without them do: the
    destinations of both are returned, and one destination may contain another.

    Args:
        text: the document.
        format: its format; `format_of` returns the format of a file.
        base: the URI of the document, against which relative references are resolved. The first
            `<base href>` in HTML, `xml:base`, the bases of Turtle and the URL of the request in an
            HTTP archive change it.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference, the document is malformed (XML, JSON or
            Turtle), or a base in it has more than 8,192 characters.
        ValueError: the format is unknown.

    >>> document = "See [the guide](../guide\\_1.html) and <https://a.example/>.\n"
    >>> for link in links(document, "markdown", base="https://b.example/docs/"):
    ...     print(link.kind, link.destination, link.target)
    link ../guide_1.html https://b.example/guide_1.html
    autolink https://a.example/ https://a.example/
    """
    occurrences = list(get_finder(format)(text))
    return make_links(text, occurrences, Bases(text, require_base(base), occurrences))


def rewrite(
    text: str,
    format: DocumentFormat,  # noqa: A002
    function: Callable[[Link], str | IRIReference | None],
    *,
    base: str | IRIReference | None = None,
) -> str:
    """Replace destinations in a document, and change no other character.

    Args:
        text: the document.
        format: its format; `format_of` returns the format of a file.
        function: it takes a `Link` and returns its new destination, or `None` to keep it. The new
            destination is escaped as its place in the document requires.
        base: the URI of the document; it affects only `Link.target`.

    Raises:
        ResolveError: `base` has no scheme.
        ParseError: as for `links`.
        ValueError: the format is unknown, or a new destination cannot be written at its place.

    >>> def secure(link: Link) -> str | None:
    ...     secured = link.destination.removeprefix("http:")
    ...     return None if secured == link.destination else f"https:{secured}"
    >>> rewrite("[a](http://a.example/) and `http://b.example/`", "markdown", secure)
    '[a](https://a.example/) and `http://b.example/`'
    """
    pieces = edits(text, format, lambda link, _: function(link), base=base)
    return "".join([piece for _, piece in pieces])


def edits(
    text: str,
    format: DocumentFormat,  # noqa: A002
    function: Callable[[Link, IRIReference | None], str | IRIReference | None],
    *,
    base: str | IRIReference | None = None,
    refused: Callable[[Link, ValueError], None] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a document before and after `rewrite`.

    The function also takes the base URI that applies to a link. With each link whose new
    destination cannot be written at its place, and the error, `refused` is called; without it, the
    error is raised.
    """
    occurrences = list(get_finder(format)(text))
    position = 0
    bases = Bases(text, require_base(base), occurrences)
    document_links = make_links(text, occurrences, bases)
    for index, (link, occurrence) in enumerate(zip(document_links, occurrences, strict=True)):
        new = function(link, bases.find_base(occurrence))
        # In a footnote, a destination may contain another one, which is replaced instead.
        contains_next = index + 1 < len(occurrences) and link.end > occurrences[index + 1].start
        if new is None or contains_next:
            continue
        if not isinstance(new, str | IRIReference):
            raise TypeError(f"expected a str or a URI, not {type(new).__name__}")
        try:
            new_text = WRITERS[occurrence.context](str(new))
        except ValueError as error:
            if refused is None:
                raise
            refused(link, error)
            continue
        unchanged_text = text[position : link.start]
        yield unchanged_text, unchanged_text
        yield link.written, new_text
        position = link.end
    yield text[position:], text[position:]


def make_links(text: str, occurrences: list[Occurrence], bases: Bases) -> list[Link]:
    lines = Lines(text)
    document_links: list[Link] = []
    for occurrence in occurrences:
        start, end, destination, kind, _, _ = occurrence
        target = resolve_destination(destination, bases.find_base(occurrence))
        document_links.append(Link(kind, text[start:end], destination, start, end, target, lines))
    return document_links


class Bases:
    """The base URIs of a document: that around it, the first one in it, and those of its parts."""

    def __init__(self, text: str, base: IRIReference | None, occurrences: list[Occurrence]) -> None:
        self.text = text
        self.outermost = self.first = base
        for occurrence in occurrences:
            if occurrence.kind == "base" and occurrence.base is None:
                first = self.join_base(Base(occurrence.destination, None, occurrence.start), base)
                # Browsers ignore other bases.
                if first is not None and first.scheme not in {"data", "javascript"}:
                    self.first = first
                break
        self.resolved: dict[Base, IRIReference | None] = {OUTERMOST: self.first}

    def find_base(self, occurrence: Occurrence) -> IRIReference | None:
        base = occurrence.base
        if base is None:
            return self.outermost if occurrence.kind == "base" else self.first
        # Resolve each base against the one around it, from the outermost to the innermost.
        unresolved: list[Base] = []
        while base not in self.resolved:
            unresolved.append(base)
            base = base.outer or OUTERMOST
        resolved = self.resolved[base]
        while unresolved:
            inner = unresolved.pop()
            self.resolved[inner] = resolved = self.join_base(inner, resolved)
        return resolved

    def join_base(self, inner: Base, outer: IRIReference | None) -> IRIReference | None:
        """Resolve a base in the document; an invalid one is ignored."""
        base = resolve_destination(inner.destination, outer) or outer
        if base is not None and len(str(base)) > LONGEST_BASE:
            reason = f"base longer than {LONGEST_BASE:,} characters"
            raise ParseError(self.text, inner.start, "text", "base", reason)
        return base


def require_base(base: str | IRIReference | None) -> IRI | None:
    return None if base is None else IRIReference(base).resolve("")


def resolve_destination(destination: str, base: IRIReference | None) -> IRIReference | None:
    """Return the reference in a destination, resolved against a base URI that has a scheme.

    Renderers percent-encode characters such as spaces, which no reference contains.
    """
    try:
        reference = parse(ENCODED.sub(percent_encode_match, destination))
    except ParseError:
        return None
    return reference if base is None or base.scheme is None else base.resolve(reference)


def percent_encode_match(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"
