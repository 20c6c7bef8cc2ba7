"""The URIs among the strings of JSON (RFC 8259), JSON Lines and HTTP archives (HAR).

Strings, numbers, names and brackets are checked, but not their order, so that JSON Lines can be
read as well. Nothing is recursive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from uriverse import SCHEMES, ParseError, is_iri

from ._destinations import LONGEST_BASE, Base, LinkKind, Occurrence, skip_pattern

SPACE = r"[ \t\n\r]"
STRING = r"\"(?:[^\"\\\x00-\x1f]++|\\(?:[\"\\/bfnrt]|u[0-9A-Fa-f]{4}))*+\""
NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+"
LITERAL = rf"(?:{NUMBER}|true|false|null)(?![\w.+-])"

#: A string that may be a URI: it starts with a scheme and a colon.
CANDIDATE = r"\"(?=[A-Za-z\\][A-Za-z0-9+.\\-]*+:)"
#: Everything up to a string that may be a URI; names of members are followed by a colon.
SKIPPED = re.compile(
    rf"(?:[ \t\n\r\[\]{{}},:]++|(?!{CANDIDATE}){STRING}|{STRING}{SPACE}*+:|{LITERAL})*+"
)
VALUE = re.compile(STRING)
#: The structure of an HTTP archive: brackets, names of members, and strings. Most members have a
#: simple value and another name than those with a URL, and are skipped.
TOKEN = re.compile(
    rf"(?:[ \t\n\r,:]|{LITERAL}|(?!\"(?:url|redirectURL)\")"
    rf"\"[^\"\\\x00-\x1f]*+\"{SPACE}*+:{SPACE}*+(?:{STRING}|{LITERAL}))*+"
    rf"(?:(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<string>{STRING})(?:{SPACE}*+(?P<name>:))?+)?+"
)

#: The next bracket outside of strings, or the end, in a document without invalid strings.
BRACKET = re.compile(rf"(?:[^\"\[\]{{}}]++|{STRING})*+([\[\]{{}}]|\Z)")
CLOSING = {"[": "]", "{": "}"}


def find_json_destinations(text: str) -> Iterator[Occurrence]:
    """Find the strings in JSON or JSON Lines that are URIs or IRIs.

    The scheme must be registered, or be followed by `//`: other strings with a colon are text.
    """
    index = measure_mark(text)
    while True:
        index = skip_pattern(SKIPPED, text, index)
        if index == len(text):
            check_brackets(text)
            return
        string = VALUE.match(text, index)
        if not string:
            position, reason = explain_invalid(text, index)
            raise ParseError(text, position, "text", "value", reason)
        index = string.end()
        value = json.loads(string[0])
        if is_probable_uri(value):
            yield Occurrence(string.start() + 1, index - 1, value, "text", "json-string")


#: The members of an HTTP archive with a URL, by the object they are in.
ARCHIVE: dict[tuple[str, str], LinkKind] = {
    ("request", "url"): "link",
    ("response", "redirectURL"): "redirect",
}


def find_in_archive(text: str) -> Iterator[Occurrence]:
    """Find the URLs in an HTTP archive: those of requests and redirects.

    The base of a redirect is the URL of its request, which may follow it (RFC 9110, 10.2.2).
    """
    index = measure_mark(text)
    #: The name of each open object or array, that of its member, and the URL of its request.
    open_values = [("", Base("", None, 0))]
    name = ""
    while True:
        token = TOKEN.match(text, index)
        if token is None:
            raise AssertionError(index)  # the pattern also matches an empty string
        index = token.end()
        if token["open"]:
            open_values.append((name, Base("", None, index)))
        elif token["close"]:
            name = open_values.pop()[0] if len(open_values) > 1 else ""
        elif token["name"]:
            name = json.loads(token["string"])
        elif token["string"]:
            destination = json.loads(token["string"])
            if destination and (kind := ARCHIVE.get((open_values[-1][0], name))):
                entry, start = open_values[-2][1], token.start("string") + 1
                if kind == "link":
                    # Only a redirect to a fragment would keep the query.
                    is_long = len(destination) > LONGEST_BASE
                    entry.destination = destination.partition("?")[0] if is_long else destination
                    entry.start = start
                base = None if kind == "link" else entry
                yield Occurrence(start, index - 1, destination, kind, "json-string", base)
        elif index == len(text):
            check_brackets(text)
            return
        else:
            break
    position, reason = explain_invalid(text, index)
    raise ParseError(text, position, "text", "value", reason)


def check_brackets(text: str) -> None:
    # The closing brackets of the open ones, and the index of the outermost open one.
    expected: list[str] = []
    start = 0
    for bracket in BRACKET.finditer(text):
        character, index = bracket[1], bracket.start(1)
        if character in CLOSING:
            if not expected:
                start = index
            expected.append(CLOSING[character])
        elif character and (not expected or expected.pop() != character):
            reason = f'invalid JSON: no bracket for this "{character}" is open'
            raise ParseError(text, index, "text", "value", reason)
    if expected:
        reason = f'invalid JSON: this "{text[start]}" is not closed'
        raise ParseError(text, start, "text", "value", reason)


def measure_mark(text: str) -> int:
    return len(text) - len(text.removeprefix("\ufeff"))


def is_probable_uri(value: str) -> bool:
    """Return whether a string is a URI or an IRI, and not only text with a colon."""
    scheme, colon, scheme_specific_part = value.partition(":")
    has_known_scheme = scheme_specific_part.startswith("//") or scheme.lower() in SCHEMES
    return bool(colon) and has_known_scheme and is_iri(value)


def explain_invalid(text: str, index: int) -> tuple[int, str]:
    position = skip_pattern(re.compile(rf"(?:{SPACE}|[,:])*+"), text, index)
    if text.startswith('"', position):
        reason = "invalid string: missing quotation mark, or invalid character or escape"
    else:
        reason = "invalid JSON: expected a string, a number, true, false, null or a bracket"
    return position, reason


# --- writing


def write_json(destination: str) -> str:
    return json.dumps(destination, ensure_ascii=False)[1:-1]


WRITERS = {"json-string": write_json}
