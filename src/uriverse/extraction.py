"""The identifiers in running text, found where their delimiters and their grammar say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .engine import Identifier, as_text
from .grammar.bidi import BIDI_FORMATTING
from .grammar.rfc3986 import scheme
from .grammar.rfc3987 import (
    iauthority,
    ifragment,
    ipath_abempty,
    ipath_absolute,
    ipath_rootless,
    iquery,
)
from .identifiers import IRI, URI

#: Something on each side of the first "@" of an address; no longer than one can be, so
#: that a text of nothing but schemes is not read again and again.
ADDRESS = r"[^\s<>\"/?#@]{1,200}@[\w\[]"

#: What follows the colon of a scheme that is taken without "//": what the scheme's own
#: RFC demands first. All else that looks so is prose, code, time of day or an XML name.
ROOTLESS = {
    "about": r"(?:blank|config|legacy-compat|srcdoc)\b",
    "acct": ADDRESS,
    "blob": r"(?:https?://|null/)[^\s/]",
    "cid": ADDRESS,
    "data": r"(?:[\w.+-]{1,127}/[\w.+-]{1,127})?(?:;[\w.%=+-]{1,127}){0,5},",
    "did": r"[a-z0-9]{1,99}:\w",
    "doi": r"10\.\d",
    "file": r"/[^\s/]",
    "geo": r"-?\d[\d.]{0,30},-?\d",
    "magnet": r"\?\w",
    "mailto": rf"(?:\?\w|{ADDRESS})",
    "mid": ADDRESS,
    "news": rf"(?:[\w+-]{{1,99}}\.\w|{ADDRESS})",
    "sip": ADDRESS,
    "sips": ADDRESS,
    "sms": r"\+?\(?\d",
    "tag": r"[\w.@-]{1,255},\d{4}\b",
    "tel": r"\+?\(?\d",
    "urn": r"[a-z0-9][a-z0-9-]{0,31}:[^\s:]",
    "xmpp": ADDRESS,
}

#: What Appendix C recommends to write before an identifier. It is no scheme.
PREFIXES = {"url", "uri"}

#: The colons that may end a scheme, and those of a prefix that has one behind it.
CANDIDATE = re.compile(
    r":(?:(?<=[a-z0-9+.\-]:)//[^\s<>\"]"
    rf"|(?<=ur[il]:)(?P<space>\s*+)(?!ur[il]:){scheme}:(?P<number>\d)?+|"
    + "|".join(f"(?<={name}:){follows}" for name, follows in ROOTLESS.items())
    + ")",
    re.IGNORECASE,
)

#: Punctuation that ends a clause. It may stand in an identifier, but not at its end.
PUNCTUATION = ".,;:!?'…‥–—·،؛؟।"

#: What the grammar lets stand in an IRI, though in text it stands after one: spaces,
#: quotation marks, the punctuation and brackets of East Asia, and formatting characters
#: (RFC 3987, 4.1). As in "l’heure", a closing single quote may be an apostrophe.
ENDING = re.compile(
    r"[\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF"
    r"“”„‟‘’‚‛«»‹›。、，．；：！？｡､｢｣「」『』【】〈〉《》〔〕〖〗（）［］｛｝"
    f"{''.join(f'{chr(first)}-{chr(last)}' for first, last in BIDI_FORMATTING)}]"
    r"(?<!’(?=\w))"
)

#: What goes on naming a host behind one, to those who do not read as we do: what browsers
#: take for a dot (RFC 3490, 3.1) or skip; and "@", which makes userinfo of all before it.
HOST_GOES_ON = re.compile(r"(?:[。．｡]|[\u200B\u2060\uFEFF]++\.?+)[A-Za-z0-9]|[^\s\w/?#@<>]*+@")

#: An identifier without delimiters. Where it ends in its authority, a delimiter follows:
#: `http://a\@b/`, `http://a%zz.b/` and `http://a.{b}/` cut short would name another host.
BARE = re.compile(
    rf"{scheme}:(?://{iauthority}"
    rf"(?=(?P<rest>[/?\#])|[{PUNCTUATION}()]*+(?:[\s<>\"`\]}}|]|\Z)){ipath_abempty}"
    rf"|(?!//)(?:{ipath_rootless}|{ipath_absolute})?+)"
    rf"(?:\?{iquery})?+(?:\#{ifragment})?+"
)

#: A line break, with what may be put around it. In mail that is quoted, "> " stands there.
BREAK = r"[^\S\r\n]*+(?:\r\n?|\n)[^\S\r\n]*+"
QUOTED_BREAK = rf"{BREAK}(?:(?:>[^\S\r\n]*+)++(?=[^\s<>]))?+"

#: What stands between "<" and ">". The first that matches; else a ">" that begins a line
#: has closed the identifier and not quoted the mail.
ENCLOSED = [
    re.compile(rf"([^\s<>]++(?:{line_break}[^\s<>]++)*+)\s*+>")
    for line_break in (QUOTED_BREAK, BREAK)
]

#: Up to what closes an identifier that stands right behind a sign that it could hold too.
CLOSED = {
    "(": re.compile(r"[^\s<>\"()]*+(?:\([^\s<>\"()]*+\)[^\s<>\"()]*+)*+(?=\))"),
    "'": re.compile(r"[^\s<>\"']*+(?=')"),
    "*": re.compile(r"[^\s<>\"*]*+(?=\*)"),
}

#: What is meant as a URL, whatever is wrong with it: between angle brackets up to the closing
#: one, else up to what can't be meant. Braces make a template of it.
MEANT = re.compile(
    r"(?:(?<=<)(?:https?|wss?|ftp|file):[/\\][^<>\r\n{}]*(?=>)"
    r"|(?<![a-z0-9+.\-])(?:https?|wss?|ftp|file):[/\\][^\s<>\"`{}]*+(?![{}]))",
    re.IGNORECASE,
)

#: What goes on behind one that `extract` has cut short, as no identifier can hold it.
GOES_ON = frozenset("\\%^|@")

NO_LETTERS = "0123456789+-."
SCHEME_CHARACTERS = f"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ{NO_LETTERS}"


class Extracted(NamedTuple):
    """An identifier that was found in a text, and where.

    Attributes:
        value: the identifier; a `URI` if it is ASCII only.
        start: the index in the text of its first character.
        end: the index after its last one. `text[start:end]` is the value's text, but
            for the line breaks that were put into it.
    """

    value: IRI
    start: int
    end: int


def extract(text: str | Identifier, /) -> Iterator[Extracted]:
    """Find the URIs and IRIs in running text, in order, as [RFC 3986, Appendix C][1] says.

    Whatever is found is one by the grammar; nothing is repaired or completed. Between
    `<` and `>` an identifier is taken whole, and may be broken over lines. Elsewhere it
    ends before what can't stand in it, and without the punctuation that follows it and
    brackets that it has not opened. It has `//` behind its scheme, or a scheme that is
    known to do without and what that scheme demands, or `URL:` before it.

    Time and memory are linear in the length of the text.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-C

    Args:
        text: any text.

    Returns:
        An iterator of what is found; indices count code points.

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> for found in extract("See (http://a.example/b_(c)), <mailto:a@b.example>!"):
    ...     print(found.start, found.end, found.value)
    5 27 http://a.example/b_(c)
    31 49 mailto:a@b.example
    """
    return found_in(as_text(text))


def meant_in(text: str) -> Iterator[tuple[str, int]]:
    r"""What is meant as an identifier in running text, right or wrong, and where it begins.

    All that `extract` finds; but where that has passed something over, or has cut it short,
    since it is no identifier, all of it. For those who look for what is wrong.

    >>> list(meant_in(r"see http://a.example\\@b.example, or <http://c d>"))
    [('http://a.example\\\\@b.example', 4), ('http://c d', 38)]
    """
    found = {start: (str(value), end) for value, start, end in extract(text)}
    for match in MEANT.finditer(text):
        start = match.start()
        end = match.end() if text.startswith(">", match.end()) else trimmed_end(text, *match.span())
        value, found_end = found.get(start, ("", start))
        enclosed_whole = text.startswith(">", end) and found_end < end
        if not value or text[found_end : found_end + 1] in GOES_ON or enclosed_whole:
            found[start] = text[start:end], end
    yield from ((value, start) for start, (value, _) in sorted(found.items()))


def found_in(text: str) -> Iterator[Extracted]:
    """What `extract` finds."""
    # Of the same length, so that each place is the same in both.
    readable = text if text.isascii() else ENDING.sub(" ", text)
    position = 0
    while candidate := CANDIDATE.search(readable, position):
        colon = candidate.start()
        found = None
        outset = scheme_start(readable, position, colon)
        if outset is not None:
            start = outset if candidate["space"] is None else candidate.end("space")
            if readable[position:outset].rstrip().endswith("<"):
                found = enclosed(text, start)
            # What is not enclosed stands right behind its prefix, and what is a number
            # then is the port of a host without a scheme.
            if found is None and not candidate["space"] and not candidate["number"]:
                found = bare(text, readable, start)
        if found is None:
            position = colon + 1
        else:
            position = found.end
            yield found


def scheme_start(readable: str, floor: int, colon: int) -> int | None:
    """Where the scheme begins that a colon ends, or the prefix; `None` if it is none."""
    before = readable[floor:colon]
    run = before[len(before.rstrip(SCHEME_CHARACTERS)) :]
    name = run.lstrip(NO_LETTERS)
    start = colon - len(name)
    after_slashes = readable.startswith("//", colon + 1)
    if not name or not (after_slashes or name.lower() in ROOTLESS or name.lower() in PREFIXES):
        return None
    # What has no case is written without spaces between words: 詳しくはhttp://a/
    previous = readable[start - 1 : start]
    word = previous.isdecimal() or previous.islower() or previous.isupper() or previous == "_"
    return None if word else start


def enclosed(text: str, start: int) -> Extracted | None:
    """The identifier that begins behind a "<" and ends with the next ">"."""
    for pattern in ENCLOSED:
        if match := pattern.match(text, start):
            exact = re.sub(r"[\s>]+", "", match[1])
            return extracted(exact, *match.span(1))
    return None


def bare(text: str, readable: str, start: int) -> Extracted | None:
    """The identifier that begins here without a delimiter, or with one that it could hold."""
    closing = CLOSED.get(readable[start - 1 : start])
    closed = closing.match(readable, start) if closing else None
    match = BARE.match(readable, start, closed.end() if closed else len(readable))
    if match is None:
        return None
    end = match.end()
    if match["rest"] is None and HOST_GOES_ON.match(text, end):
        return None
    end = trimmed_end(readable, start, end)
    return extracted(readable[start:end], start, end)


def trimmed_end(text: str, start: int, end: int) -> int:
    """Where it ends without punctuation, and without brackets that have no other in it."""
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while (last := text[end - 1]) in PUNCTUATION or last == "(" or (last == ")" and unopened > 0):
        end -= 1
        unopened += (last == "(") - (last == ")")
    return end


def extracted(exact: str, start: int, end: int) -> Extracted | None:
    """What was found, if it is an identifier by the grammar and names something."""
    value = (URI if exact.isascii() else IRI).try_parse(exact)
    if value is None or not (value.host or value.path or value.query):
        return None
    return Extracted(value, start, end)
