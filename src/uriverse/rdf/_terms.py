"""IRIs as Turtle and SPARQL write them: between `<` and `>`, with escapes."""

from __future__ import annotations

import re

from uriverse._errors import ParseError
from uriverse._patterns import lazy_pattern
from uriverse._uri import IRI, IRIReference
from uriverse._uri.engine import is_iri

#: A `UCHAR` ([N-Triples, section 7](https://www.w3.org/TR/n-triples/#n-triples-grammar)) below
#: U+110000, the end of Unicode.
ESCAPE = lazy_pattern(r"\\(?:u([0-9A-Fa-f]{4})|U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}))")


def decoded(written: str) -> str:
    r"""Decode the escapes in an IRI. Invalid escapes stay as they are, and make the IRI invalid.

    >>> decoded(r"http://example.org/ros\u00E9")
    'http://example.org/rosé'
    """
    return ESCAPE.sub(character, written) if "\\" in written else written


def character(match: re.Match[str]) -> str:
    """Return the character that an escape stands for."""
    return chr(int(match[1] or match[2], 16))


def iri_error(written: str, kind: type[IRIReference] = IRI) -> ParseError | None:
    """Return the error for an invalid IRI as written, or `None` if the IRI is valid.

    Args:
        written: the characters between `<` and `>`.
        kind: `IRI` to require a scheme; `IRIReference` to allow relative references.

    Returns:
        An error whose text is the IRI as written, and whose position is an index in that string.
    """
    try:
        kind(decoded(written))
    except ParseError as error:
        position = place_as_written(written, error.position)
        if written[position : position + 1] == "\\" and not ESCAPE.match(written, position):
            reason = "invalid escape in IRI"
            hint = r"write \u and four hexadecimal digits, or \U and eight, up to \U0010FFFF"
            return ParseError(written, position, "text", "UCHAR", reason, hint)
        hint = error.hint
        return ParseError(written, position, error.component, error.rule, error.reason, hint)
    return None


def place_as_written(written: str, position: int) -> int:
    """Convert an index in a decoded IRI to an index in the IRI as written."""
    for match in ESCAPE.finditer(written):
        if match.start() >= position:
            break
        position += match.end() - match.start() - 1
    return position


def resolved(written: str, base: IRI | None) -> IRI:
    """Return the IRI that an IRI reference between `<` and `>` stands for.

    Raises:
        ParseError: the reference is invalid, or has no scheme, and `base` is `None`.
    """
    if error := iri_error(written, IRI if base is None else IRIReference):
        raise error
    return against(base, decoded(written))


def against(base: IRI | None, reference: str) -> IRI:
    """Resolve a reference against a base IRI. An IRI with a scheme stays unchanged.

    Raises:
        ParseError: the reference is invalid, or has no scheme, and `base` is `None`.
    """
    if base is None or is_iri(reference):
        return IRI(reference)
    return base.resolve(IRIReference(reference))
