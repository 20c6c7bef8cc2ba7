"""The destinations in CSS: `url()`, `src()`, `@import` and the strings of `image-set()`.

The sections are those of CSS Syntax (https://www.w3.org/TR/css-syntax-3/). Declarations are not
validated: a destination counts even if browsers ignore the declaration, or do not use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial

from ._destinations import (
    EMPTY,
    LinkKind,
    Occurrence,
    decode_code_point,
    forbid_pattern,
    remove_ignored_characters,
    require_stable,
    skip_pattern,
)

SPACE = r"(?:\r\n|[ \t\n\r\f])"
ESCAPE = rf"\\(?:[0-9A-Fa-f]{{1,6}}+{SPACE}?+|[^0-9A-Fa-f\n\r\f]|\Z)"
COMMENT = r"/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+"
BLANK = rf"(?:{SPACE}|{COMMENT})*+"
#: U+0000 counts, because it is read as U+FFFD (3.3).
NAME_CHARACTER = r"[-\w\0\x80-\U0010ffff]"
NAME = rf"(?:{NAME_CHARACTER}++|{ESCAPE})++"
#: The contents of a string (4.3.5), which may end with the style sheet.
CONTENTS = {quote: rf"(?:[^{quote}\\\n\r\f]++|\\(?:\r\n|[\s\S]|\Z))*+" for quote in ('"', "'")}
QUOTES = frozenset(CONTENTS)
ANY_STRING = "|".join(f"{quote}{inside}{quote}?+" for quote, inside in CONTENTS.items())


def spell_name(name: str) -> str:
    """Return a pattern for a name in any case, also with escapes (4.3.7)."""
    return "".join(map(spell_character, name))


def spell_character(character: str) -> str:
    plain_pattern = (
        f"[{character.lower()}{character.upper()}]" if character.isalpha() else character
    )
    codes = "|".join({f"{ord(case):x}" for case in (character.lower(), character.upper())})
    literal = "" if character in "abcdef" else rf"|\\{plain_pattern}"
    escape_pattern = rf"\\(?:0{{4}}|0{{0,3}}(?!\w\w[0-9A-Fa-f]))(?ai:{codes}){SPACE}?+"
    return rf"(?:{plain_pattern}{literal}|{escape_pattern})"


URL = rf"{spell_name('url')}\("
STRINGS = rf"(?:(?:-{spell_name('webkit')}-)?+{spell_name('image-set')}|{spell_name('src')})\("
IMPORT = rf"@{spell_name('import')}(?!{NAME_CHARACTER}|{ESCAPE})"
#: The name of a namespace is not opened.
NAMESPACE = rf"@{spell_name('namespace')}(?!{NAME_CHARACTER}|{ESCAPE})"

#: All tokens up to the next one that matters. Names are skipped as a whole: "curl(" is no "url(".
SKIPPED = re.compile(
    rf"(?:[^-\w\0\x80-\U0010ffff\"'/\\@\#]++|{COMMENT}|{ANY_STRING}"
    rf"|(?!{URL}|{STRINGS}|{IMPORT}|{NAMESPACE})(?:[@\#]?+{NAME}|[\s\S]))*+",
    re.ASCII,
)
HEAD = re.compile(
    rf"(?:(?P<import>{IMPORT})|(?P<namespace>{NAMESPACE}{BLANK}(?:(?!{URL}){NAME})?+))?+{BLANK}"
    rf"(?:(?P<url>{URL}){SPACE}*+|(?P<strings>{STRINGS}))?+",
    re.ASCII,
)
STRING = re.compile(
    "|".join(
        rf"{quote}(?P<{name}>{CONTENTS[quote]})(?:{quote}|\Z)"
        for quote, name in (('"', "double"), ("'", "single"))
    )
)
#: A string with a line break, which ends before it (4.3.5).
BAD_STRING = re.compile(ANY_STRING)
#: The rest of `url(` without quotation marks (4.3.6), and the remnants of an invalid one (4.3.14).
UNQUOTED = re.compile(
    rf"(?P<unquoted>(?:[^\"'()\\\x01-\x20\x7f]++|{ESCAPE})*+)(?={SPACE}*+(?:\)|\Z))"
)
BAD_URL = re.compile(r"(?:[^)\\]++|\\[\s\S]?+)*+\)?+")
#: The next bracket, string or URL in the arguments of a function.
ARGUMENT = re.compile(
    rf"(?:[^-\w\0\x80-\U0010ffff\"'/\\()@\#]++|{COMMENT}|(?!{URL})(?:[@\#]?+{NAME}|[^\"'()]))*+"
    rf"(?:(?P<url>{URL}){SPACE}*+|(?P<bracket>[()])|(?=(?P<quote>[\"']))|\Z)",
    re.ASCII,
)
UNFINISHED = re.compile(r"(?<!\\)(?:\\\\)*+\\\Z")
ESCAPED = re.compile(rf"\\(?:([0-9A-Fa-f]{{1,6}}+){SPACE}?+|(\r\n|[\n\r\f]|\Z)|([\s\S]))")


def find_css_destinations(text: str) -> Iterator[Occurrence]:
    index, end = 0, len(text)
    while (index := skip_pattern(SKIPPED, text, index)) < end:
        head = HEAD.match(text, index)
        assert head, "the pattern matches the empty string"
        kind: LinkKind = "style" if head["import"] else "image"
        index = head.end()
        if head["strings"]:
            index = yield from find_in_arguments(text, index)
            continue
        match, index = match_destination(text, index, in_url=bool(head["url"]))
        # The URL of a namespace is only a name.
        if match and not head["namespace"]:
            yield from read_destination(match, kind)


def match_destination(text: str, index: int, *, in_url: bool) -> tuple[re.Match[str] | None, int]:
    """Match a string, or the rest of a URL without quotation marks.

    Return the match and the index after it; `None` and the index after an invalid string or URL.
    """
    if text[index : index + 1] in QUOTES:
        pattern, invalid_pattern = STRING, BAD_STRING
    elif in_url:
        pattern, invalid_pattern = UNQUOTED, BAD_URL
    else:
        return None, index
    match = pattern.match(text, index)
    return (match, match.end()) if match else (None, skip_pattern(invalid_pattern, text, index))


def find_in_arguments(text: str, index: int) -> Generator[Occurrence, None, int]:
    """Find the strings and URLs in the arguments of a function; return the index after it.

    Strings in nested functions, such as `type("image/png")`, are not destinations.
    """
    depth = 1
    while depth:
        argument = ARGUMENT.match(text, index)
        if argument is None or argument.end() == len(text):
            return len(text)
        index = argument.end()
        if bracket := argument["bracket"]:
            depth += 1 if bracket == "(" else -1
            continue
        in_url = bool(argument["url"])
        match, next_index = match_destination(text, index, in_url=in_url)
        if match and (depth == 1 or in_url):
            yield from read_destination(match, "image")
        # The bracket after a URL is still to come, unless the URL is invalid.
        if in_url and (match or text[index : index + 1] in QUOTES):
            depth += 1
        index = next_index
    return index


def read_destination(match: re.Match[str], kind: LinkKind) -> Iterator[Occurrence]:
    """Yield the destination of a match of `STRING` or `UNQUOTED`; an empty one is not loaded."""
    group = match.lastgroup
    assert group, "each pattern has a group for the contents"
    contents = match[group]
    text = unescape(contents)
    # At the end of the document, a backslash continues a string, but is a character of a URL.
    if group == "unquoted" and UNFINISHED.search(contents):
        text += "\ufffd"
    destination = remove_ignored_characters(text)
    if destination:
        yield Occurrence(match.start(group), match.end(group), destination, kind, f"css-{group}")


def unescape(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return ESCAPED.sub(decode_escape, text) if "\\" in text else text


def decode_escape(match: re.Match[str]) -> str:
    """Return what an escape stands for. Before a line break, a backslash continues the string."""
    digits, _, character = match.groups()
    return (character or "") if digits is None else decode_code_point(int(digits, 16))


# --- writing

#: "<" is escaped because "</style" ends a style element, and ">" because "]]>" ends CDATA.
SPECIAL = {
    "double": re.compile(r"[\"\\<>\f]"),
    "single": re.compile(r"['\\<>\f]"),
    "unquoted": re.compile(r"[\"'()\\<>\x01-\x20\x7f]"),
}


def write_css(special: re.Pattern[str], destination: str) -> str:
    forbid_pattern(EMPTY, require_stable(destination, "CSS"), "CSS")
    return special.sub(escape_css, destination)


def escape_css(match: re.Match[str]) -> str:
    r"""Escape a character. The space ends the digits: `\3c a`."""
    return f"\\{ord(match[0]):x} "


WRITERS: dict[str, Callable[[str], str]] = {
    f"css-{group}": partial(write_css, pattern) for group, pattern in SPECIAL.items()
}
