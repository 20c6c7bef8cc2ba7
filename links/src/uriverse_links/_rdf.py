"""The IRIs in N-Triples, N-Quads, Turtle and TriG documents, as written between `<` and `>`.

Prefixed names, such as `ex:a`, are not found, but the namespaces of their prefixes are. Each base
IRI is found, and applies until the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from uriverse import ParseError

from ._destinations import OUTERMOST, Base, Found, LinkKind, after, refuse

#: A string (https://www.w3.org/TR/rdf12-turtle/#sec-grammar). Short ones have no line breaks.
STRING = (
    r"\"\"\"(?:[^\"\\]++|\\[\s\S]|\"{1,2}+(?!\"))*+\"\"\""
    r"|'''(?:[^'\\]++|\\[\s\S]|'{1,2}+(?!'))*+'''"
    r"|\"(?!\"\")(?:[^\"\\\r\n]++|\\[^\r\n])*+\"|'(?!'')(?:[^'\\\r\n]++|\\[^\r\n])*+'"
)
#: The start of a directive. A prefixed name, such as `prefix:a`, is a word of its own.
DIRECTIVE = r"@?+(?ai:base|prefix)(?![\w:%-])"
WORD = r"@?+(?:[\w:%.-]++|\\.)++"
BLANK = r"(?:[ \t\r\n]++|#[^\r\n]*+)*+"
#: All tokens up to an IRI or a directive. `<<` starts a triple term.
SKIPPED = re.compile(
    rf"(?:[^\w:%.\-\\@<#\"']++|#[^\r\n]*+|(?!{DIRECTIVE}){WORD}|{STRING}|<<|@(?![\w:]))*+"
)
IRI = re.compile(
    rf"(?:(?P<base>@?+(?ai:base))|@?+(?ai:prefix){BLANK}(?P<prefix>[^\s:<>\"'#]*+:))?+{BLANK}"
    r"<(?P<iri>[^<>\r\n]*+)>"
)
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}))")


def find(text: str) -> Iterator[Found]:
    """Find the IRIs in an RDF document; those that are invalid as well."""
    at = 0
    base = OUTERMOST
    while True:
        at = after(SKIPPED, text, at)
        if at == len(text):
            return
        match = IRI.match(text, at)
        if not match:
            raise incomplete(text, at)
        kind: LinkKind = "base" if match["base"] else "definition" if match["prefix"] else "link"
        destination = ESCAPE.sub(character, match["iri"])
        yield Found(*match.span("iri"), destination, kind, "rdf-iri", base)
        if match["base"]:
            base = Base(destination, base, match.start("iri"))
        at = match.end()


def character(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


def incomplete(text: str, at: int) -> ParseError:
    names = {"<": 'missing ">" after an IRI', **dict.fromkeys("\"'", "string without an end")}
    reason = names.get(text[at], 'invalid directive: expected an IRI between "<" and ">"')
    return ParseError(text, at, "text", "directive", reason)


# --- writing

#: Characters that an IRI can contain only as escapes, and those that browsers or parsers reject.
SPECIAL = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
SURROGATE = re.compile(r"[\ud800-\udfff]")


def write(destination: str) -> str:
    """Write an IRI between `<` and `>`, with escapes for the characters that need them."""
    refuse(SURROGATE, destination, "an RDF document")
    return SPECIAL.sub(escape, destination)


def escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


PLACES = {"rdf-iri": write}
