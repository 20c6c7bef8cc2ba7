"""Read the directives at the start of a Turtle or SPARQL document."""

from __future__ import annotations

import re

from uriverse._errors import ParseError
from uriverse._patterns import lazy_pattern
from uriverse._uri import IRI

from ._terms import resolved

#: White space and comments.
SPACE = r"(?:[ \t\r\n]|#[^\r\n]*+)*+"

#: The keyword of a directive. The case of SPARQL keywords is ignored. The characters
#: after a keyword distinguish `PREFIX a:` from a name such as `prefix:a`.
KEYWORD = lazy_pattern(
    rf"{SPACE}(?:@(?P<turtle>prefix|base|version)(?![A-Za-z0-9-])"
    rf"|(?P<sparql>(?ai:prefix|version)(?=[ \t\r\n#\"'])|(?ai:base)(?=[ \t\r\n#<])))"
)
NAME = lazy_pattern(rf"{SPACE}(?P<name>[^\s:<>\"'#@()\[\]{{}},;|^`\\]*+):")
NAMESPACE = lazy_pattern(rf"{SPACE}<(?P<iri>[^<>\r\n]*+)>")
VERSION = lazy_pattern(rf"{SPACE}(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+')")
DOT = lazy_pattern(rf"{SPACE}\.")
BLANK = lazy_pattern(SPACE)


def directives(text: str, base: IRI | None) -> tuple[dict[str, IRI], IRI | None]:
    """Read the prefix and base directives at the start of a document.

    Returns:
        The namespaces by prefix, and the base IRI after the last directive.

    Raises:
        ParseError: a directive is invalid. The position is an index in `text`.
    """
    prefixes: dict[str, IRI] = {}
    at = len(text) - len(text.removeprefix("\ufeff"))  # a byte order mark, which editors add
    while keyword := KEYWORD.match(text, at):
        kind = (keyword["turtle"] or keyword["sparql"]).lower()
        at = keyword.end()
        if kind == "version":
            at = required(VERSION, text, at, "a version in quotation marks").end()
        else:
            name = None
            if kind == "prefix":
                name = required(NAME, text, at, 'a prefix that ends with ":"')
                at = name.end()
            found = required(NAMESPACE, text, at, 'an IRI between "<" and ">"')
            at = found.end()
            iri = iri_of(found, base)
            if name is None:
                base = iri
            else:
                prefixes[name["name"]] = iri
        if keyword["turtle"]:
            at = required(DOT, text, at, 'a dot after a directive that starts with "@"').end()
    return prefixes, base


def required(pattern: re.Pattern[str], text: str, at: int, expected: str) -> re.Match[str]:
    """Match a part of a directive."""
    if match := pattern.match(text, at):
        return match
    space = BLANK.match(text, at)
    position = space.end() if space else at
    reason = f"invalid directive: expected {expected}"
    raise ParseError(text, position, "text", "directive", reason)


def iri_of(match: re.Match[str], base: IRI | None) -> IRI:
    """Return the IRI of a directive, resolved against the base.

    Raises:
        ParseError: the IRI is invalid, or has no scheme, and the base is not known.
    """
    try:
        return resolved(match["iri"], base)
    except ParseError as error:
        position = match.start("iri") + error.position
        reason, hint = error.reason, error.hint
        raise ParseError(
            match.string, position, error.component, error.rule, reason, hint
        ) from None
