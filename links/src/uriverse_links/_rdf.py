"""The IRIs in N-Triples, N-Quads, Turtle and TriG documents, as written between `<` and `>`.

Prefixed names, such as `ex:a`, are not found, but the namespaces of their prefixes are. Each base
IRI is found, and applies until the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from uriverse import ParseError

from ._destinations import OUTERMOST, Base, LinkKind, Occurrence, forbid_pattern, skip_pattern

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


def find_rdf_destinations(text: str) -> Iterator[Occurrence]:
    index = 0
    base = OUTERMOST
    while True:
        index = skip_pattern(SKIPPED, text, index)
        if index == len(text):
            return
        match = IRI.match(text, index)
        if not match:
            reason = 'invalid directive: expected an IRI between "<" and ">"'
            if text[index] == "<":
                reason = 'missing ">" after an IRI'
            elif text[index] in "\"'":
                reason = "string without an end"
            raise ParseError(text, index, "text", "directive", reason)
        kind: LinkKind = "link"
        if match["base"]:
            kind = "base"
        elif match["prefix"]:
            kind = "definition"
        destination = ESCAPE.sub(decode_unicode_escape, match["iri"])
        yield Occurrence(*match.span("iri"), destination, kind, "rdf-iri", base)
        if match["base"]:
            base = Base(destination, base, match.start("iri"))
        index = match.end()


def decode_unicode_escape(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


# --- writing

#: Characters that an IRI can contain only as escapes, and those that browsers or parsers reject.
SPECIAL = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
SURROGATE = re.compile(r"[\ud800-\udfff]")


def write_iri(destination: str) -> str:
    forbid_pattern(SURROGATE, destination, "an RDF document")
    return SPECIAL.sub(write_unicode_escape, destination)


def write_unicode_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


WRITERS = {"rdf-iri": write_iri}
