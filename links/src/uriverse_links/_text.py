"""Find the URIs in plain text, and in markup languages that have no parser here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from uriverse import IRI, extract

from ._destinations import Found, quote

BRACKET = re.compile(r"(?<!//)\[")


def find(text: str) -> Iterator[Found]:
    """Find the URIs in running text, as `uriverse.extract` does."""
    for value, start, end in extract(text):
        yield Found(start, end, str(value), "text", "text")


def find_in_asciidoc(text: str) -> Iterator[Found]:
    """Find the URIs in AsciiDoc, in which the text of a link follows in brackets: `URI[text]`."""
    # The brackets of an IP literal follow the slashes.
    return find(BRACKET.sub(" ", text))


def write(destination: str) -> str:
    """Write a URI in running text."""
    if IRI.try_parse(destination) is None:
        raise ValueError(f"text cannot contain {quote(destination)}; use a URI with a scheme")
    return destination


PLACES: dict[str, Callable[[str], str]] = {"text": write}
