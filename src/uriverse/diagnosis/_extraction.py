"""Find the URIs and IRIs in running text, such as prose, mail or log files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from uriverse._engine import compiled, kernel
from uriverse._lazy import lazy_pattern
from uriverse._spec import BIDI_FORMATTING
from uriverse._spec.grammar.rfc3986 import scheme
from uriverse._spec.grammar.rfc3987 import (
    iauthority,
    ifragment,
    ipath_abempty,
    ipath_absolute,
    ipath_rootless,
    iquery,
)
from uriverse._uri import IRI, URI
from uriverse._uri.engine import Identifier, as_text, get_bounds
from uriverse.schemes._descriptors import DESCRIPTORS

#: The prefixes that RFC 3986, Appendix C, recommends before a URI. They are not schemes.
PREFIXES = {"url", "uri"}

#: The patterns that recognize schemes without "//", by scheme.
ROOTLESS = {
    name: descriptor.in_text for name, descriptor in DESCRIPTORS.items() if descriptor.in_text
}

#: The names before a colon that may begin a URI without "//", for the kernel.
NAMES = tuple(name.encode() for name in (*ROOTLESS, *PREFIXES))

#: A colon after a possible scheme, or after a prefix ("URL:") that a scheme follows.
CANDIDATE = lazy_pattern(
    r":(?:(?<=[a-z0-9+.\-]:)//[^\s<>\"]"
    rf"|(?<=ur[il]:)(?P<space>\s*+)(?!ur[il]:){scheme}:(?P<number>[0-9])?+|"
    + "|".join(f"(?<={name}:){follows}" for name, follows in ROOTLESS.items())
    + ")",
    re.IGNORECASE,
)

#: Punctuation that ends a clause. It is allowed in a URI, but is removed from the end of one.
PUNCTUATION = ".,;:!?'…‥–—·،؛؟।"

#: Characters that the grammar allows in an IRI, but that end an IRI in running text: spaces,
#: quotation marks, East Asian punctuation and brackets, and bidirectional formatting characters
#: (RFC 3987, 4.1). A closing single quote before a letter is an apostrophe, as in "l’heure".
ENDING_CHARACTERS = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b"
    "\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
    "“”„‟‘’‚‛«»‹›。、，．；：！？｡､｢｣「」『』【】〈〉《》〔〕〖〗（）［］｛｝"
    + "".join(chr(code) for first, last in BIDI_FORMATTING for code in range(first, last + 1))
)
ENDING = lazy_pattern(rf"[{ENDING_CHARACTERS}](?<!’(?=\w))")

#: Characters that continue the host for other parsers: characters that browsers interpret as a dot
#: (RFC 3490, 3.1) or ignore; and "@", which turns everything before it into userinfo.
HOST_GOES_ON = lazy_pattern(r"(?:[。．｡]|[\u200B\u2060\uFEFF]++\.?+)[A-Za-z0-9]|[^\s\w/?#@<>]*+@")

#: Characters up to the first one that no IRI contains, if there are not too many.
RUN = lazy_pattern(r"[^\s<>\"`{}|\\^]{1,500}+(?![^\s<>\"`{}|\\^])")

#: Characters that no IRI contains, and that cannot follow an authority: see `BARE`.
CUTS_HOST = ("{", "\\", "^")

#: A URI without enclosing delimiters. If it ends after its authority, a delimiter must follow:
#: `http://a\@b/`, `http://a%zz.b/` and `http://a.{b}/`, if cut there, would name another host.
BARE = lazy_pattern(
    rf"{scheme}:(?://{iauthority}"
    rf"(?=(?P<delimiter>[/?\#])|[{PUNCTUATION}()]*+(?:[\s<>\"`\]}}|]|\Z)){ipath_abempty}"
    rf"|(?!//)(?:{ipath_rootless}|{ipath_absolute})?+)"
    rf"(?:\?{iquery})?+(?:\#{ifragment})?+"
)

#: A line break with the white space around it. In quoted mail, "> " follows the line break.
BREAK = r"[^\S\r\n]*+(?:\r\n?|\n)[^\S\r\n]*+"
QUOTED_BREAK = rf"{BREAK}(?:(?:>[^\S\r\n]*+)++(?=[^\s<>]))?+"

#: A URI between "<" and ">" that may be wrapped over lines; the first pattern that matches is used.
#: A ">" at the start of a line marks quoted mail if another ">" follows the URI. Otherwise it ends
#: the URI. Wrapping adds only line breaks, so spaces within a line belong to the URI.
ENCLOSED = [
    lazy_pattern(rf"([^\s<>]++(?:{line_break}[^\s<>]++)*+)\s*+>")
    for line_break in (QUOTED_BREAK, BREAK)
]
BROKEN = lazy_pattern(r"[\s>]+")
ON_A_LINE = lazy_pattern(r"([^<>\r\n]++)>")

#: A string between double quotation marks on one line.
QUOTED = lazy_pattern(r'([^"\r\n]++)"')

#: Patterns that match up to the closing delimiter, for opening delimiters that are also allowed
#: within a URI.
CLOSED = {
    "(": lazy_pattern(r"[^\s<>\"()]*+(?:\([^\s<>\"()]*+\)[^\s<>\"()]*+)*+(?=\))"),
    "'": lazy_pattern(r"[^\s<>\"']*+(?=')"),
    "*": lazy_pattern(r"[^\s<>\"*]*+(?=\*)"),
    "|": lazy_pattern(r"[^\s<>\"|]*+(?=\|)"),
}

#: The colon of a probable URL, even if a slash is missing or is a backslash, and the scheme before
#: the colon.
SUSPECT = lazy_pattern(r":(?=[/\\])")
SUSPECT_SCHEME = lazy_pattern(
    r"(?<![a-z0-9+.\-])(?:https?|wss?|ftp|file)\Z", re.IGNORECASE | re.ASCII
)

#: A probable URL in running text. A string with braces is a URI template, so it is skipped.
MEANT = lazy_pattern(r"[^\s<>\"`{}]++(?![{}])")

#: Characters that are invalid in a URI, but are not delimiters either: a longer string that is no
#: URI, such as the URI template `http://a/{b}`, would be cut short before them. A backslash or a
#: vertical bar at the end of a word is a delimiter, and so are control characters.
CUT_SHORT = lazy_pattern(
    rf"[%#\[{{^]|\\++(?![\s\"'`]|\Z)|\|(?![\s\"'`()\[\]{{}}|]|\Z)|[^\x00-\x7f{PUNCTUATION}]"
)

#: The characters that separate URIs in a list, and those that end a word.
SEPARATORS = (",", ";", "|")
WORD_END = lazy_pattern(r"[\s<>\"]")

#: The start of a URI after "<" that may continue after the last line break.
OPEN = lazy_pattern(
    rf"<\s*+(?:ur[il]:[\s{ENDING_CHARACTERS}]*+)?+"
    rf"(?:{scheme}:[^\s<>]*+(?:{BREAK}(?:>[^\S\r\n]*+)*+[^\s<>]++)*+\s*+)?+",
    re.IGNORECASE,
)

#: The last place where a line can be cut: after white space, or after a closing quotation mark if
#: the characters after it do not continue a host (see `HOST_GOES_ON`).
GAP = lazy_pattern(r'(?s:.*)(?:\s|"(?=[,:;}\])][^\s\w/?#@<>]{0,9}+[\s\w/?#<>]))')
OPENING = lazy_pattern(rf'[<"]\s*+(?:ur[il]:\s*+)?+{scheme}:', re.IGNORECASE)

#: The maximum number of buffered characters of chunked input. A longer line, or a longer URI that
#: is wrapped over lines, is searched in parts.
LONGEST = 1 << 22

#: Up to this number of characters, the buffered input is searched again after each new chunk.
SHORT = 1 << 12

NO_LETTERS = "0123456789+-."
SCHEME_CHARACTERS = f"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ{NO_LETTERS}"


class Extracted(NamedTuple):
    """A URI or IRI that `extract` found in a string, and its position.

    Attributes:
        value: the URI or IRI; a `URI` if all its characters are ASCII.
        start: the index of its first character in the string.
        end: the index after its last character. `text[start:end]` equals `str(value)`, unless the
            URI is wrapped over lines.

    >>> extracted = next(extract("See http://a.example/b."))
    >>> extracted.value, extracted.start, extracted.end
    (URI('http://a.example/b'), 4, 22)
    """

    value: IRI
    start: int
    end: int


Extracted.__module__ = "uriverse"


class Candidate(NamedTuple):
    """A substring that may be a URI, without the line breaks that wrapping added.

    `value` is the parsed URI or IRI, or `None` if the substring is invalid.
    """

    text: str
    start: int
    end: int
    enclosed: bool
    value: IRI | None

    @property
    def is_wrapped(self) -> bool:
        return self.end - self.start != len(self.text)


class Section(NamedTuple):
    """A section of a long input; `start` counts from 0, and `line` and `column` count from 1."""

    text: str = ""
    start: int = 0
    line: int = 1
    column: int = 1

    def advance(self, text: str) -> Section:
        lines = self.text.count("\n")
        # Without a line break, `rfind` returns -1, and the column continues from this part's.
        column = len(self.text) - self.text.rfind("\n") + (0 if lines else self.column - 1)
        return Section(text, self.start + len(self.text), self.line + lines, column)


def extract(text: str | Identifier, /) -> Iterator[Extracted]:
    """Find the URIs and IRIs in running text, such as prose, mail or log files.

    The URIs are delimited as in [RFC 3986, Appendix C][1]. Every result is valid by the grammar;
    nothing is repaired or completed.

    - Between `<` and `>`, and between double quotation marks, the URI is the whole enclosed string.
      If that string is invalid, as in `<http://a.example/my page>`, it is skipped. Between `<` and
      `>`, a URI may be wrapped over lines: line breaks, the white space around them and the `>` of
      quoted mail are removed.
    - Elsewhere, a URI ends before white space, a quotation mark, `<`, `>`, or a closing bracket.
      Punctuation at its end is not part of it, and neither is a closing parenthesis without an
      opening one. A comma, semicolon or vertical bar ends a URI if another URI with `//` follows.
    - A string is skipped if its URI would be cut short, as in the URI template
      `http://a.example/{b}`, or before a backslash, `^`, `[`, or `%` without two digits.

    A URI is recognized if `//` follows its scheme or `URL:` precedes it. Other URIs, such as
    `mailto:a@b.example`, are recognized by the form that their scheme requires.

    Time and memory are linear in the length of the string.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-C

    Args:
        text: any string.

    Returns:
        An iterator of URIs and IRIs with their positions, in order. Positions count code points.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> for extracted in extract("See (http://a.example/b_(c)), <mailto:a@b.example>!"):
    ...     print(extracted.start, extracted.end, extracted.value)
    5 27 http://a.example/b_(c)
    31 49 mailto:a@b.example
    """
    return find_uris(as_text(text))


def find_probable_uris(text: str) -> Iterator[Candidate]:
    """Find the strings in running text that are probably meant as URIs, valid or not.

    The results are those of `extract`, the enclosed strings that `extract` rejects, and the URLs
    that `extract` skips because they are invalid. URI templates, which contain braces, are skipped
    unless they are enclosed.
    """
    from heapq import merge

    previous_end = 0
    candidates = merge(
        find_candidate_uris(text), find_suspected_urls(text), key=attrgetter("start")
    )
    for candidate in candidates:
        is_part_of_previous = candidate.start < previous_end
        if candidate.value is not None or not is_part_of_previous:
            yield candidate
            previous_end = candidate.end


def find_suspected_urls(text: str) -> Iterator[Candidate]:
    """Find what is probably meant as a URL, such as `http:/a`; the values are `None`."""
    previous_end = 0
    for colon_match in SUSPECT.finditer(text):
        colon = colon_match.start()
        scheme = SUSPECT_SCHEME.search(text, max(colon - len("https"), 0), colon)
        if scheme is None or scheme.start() < previous_end:
            continue
        start = scheme.start()
        is_bracketed = text.startswith("<", start - 1, start)
        candidate = parse_bracketed_uri(text, start) if is_bracketed else None
        candidate = candidate or parse_quoted_uri(text, start, start)
        if candidate is None and (match := MEANT.match(text, start)):
            end = trim_punctuation(text, start, match.end())
            candidate = Candidate(text[start:end], start, end, False, None)
        if candidate is not None:
            previous_end = candidate.end
            yield candidate._replace(value=None)


def find_uris(text: str) -> Iterator[Extracted]:
    if compiled:
        yield from find_uris_by_kernel(text)
        return
    for candidate in find_candidate_uris(text):
        if candidate.value is not None:
            yield Extracted(candidate.value, candidate.start, candidate.end)


def find_uris_by_kernel(text: str) -> Iterator[Extracted]:
    octets, readable, position = kernel.mask_non_ascii(text), None, 0
    names, endings, find = NAMES, ENDING_CHARACTERS, kernel.find_next_uri
    while (extracted := find(text, octets, position, names, endings, PUNCTUATION)) is not None:
        if type(extracted) is not int:
            uri = Extracted._make(extracted)
            yield uri
            position = uri.end
            continue
        # The kernel returns only the position from which Python must search.
        readable = blank_endings(text) if readable is None else readable
        candidate_and_position = find_next_candidate(text, readable, extracted)
        if candidate_and_position is None:
            return
        candidate, position = candidate_and_position
        if candidate is not None and candidate.value is not None:
            yield Extracted(candidate.value, candidate.start, candidate.end)


def find_candidate_uris(text: str) -> Iterator[Candidate]:
    """Find the valid URIs in a string, and enclosed strings that start like a URI, in order."""
    readable, position = blank_endings(text), 0
    while step := find_next_candidate(text, readable, position):
        candidate, position = step
        if candidate is not None:
            yield candidate


def blank_endings(text: str) -> str:
    """Replace each character that ends a URI in running text by a space."""
    return blank_separators(text if text.isascii() else ENDING.sub(" ", text))


def find_next_candidate(
    text: str, readable: str, position: int
) -> tuple[Candidate | None, int] | None:
    """Find the next colon after a possible scheme; return `None` after the last one.

    The result is the string with that colon if it is a candidate, and the next `position`.
    """
    match = CANDIDATE.search(readable, position)
    if match is None:
        return None
    colon = match.start()
    prefix_start = find_scheme_start(readable, position, colon)
    if prefix_start is None:
        return None, colon + 1
    candidate = None
    start = prefix_start if match["space"] is None else match.end("space")
    if text[position:prefix_start].rstrip().endswith("<"):
        candidate = parse_bracketed_uri(text, start)
    # Without brackets, the URI follows its prefix directly. A number there would be the port
    # of a host without a scheme.
    if candidate is None and not match["space"] and not match["number"]:
        candidate = parse_quoted_uri(text, prefix_start, start)
        candidate = candidate or parse_bare_uri(text, readable, start)
    if candidate is None:
        return None, colon + 1
    uri = candidate.value
    # A URI without host, path and query identifies nothing.
    is_complete = candidate.enclosed if uri is None else uri.host or uri.path or uri.query
    return candidate if is_complete else None, candidate.end


def blank_separators(readable: str) -> str:
    """Replace the separators between URIs with `//`, as in `http://a,http://b`, by spaces."""
    pieces = readable.split("://")
    for i, piece in enumerate(pieces[1:-1], 1):
        previous_uri = piece.rstrip(SCHEME_CHARACTERS)
        scheme = piece[len(previous_uri) :]
        ends_with_separator = previous_uri.endswith(SEPARATORS)
        if ends_with_separator and scheme[:1].isalpha() and not WORD_END.search(previous_uri):
            pieces[i] = f"{previous_uri[:-1]} {scheme}"
    return "://".join(pieces)


def find_scheme_start(readable: str, search_start: int, colon: int) -> int | None:
    """Find where the scheme, or a prefix such as `URL:`, before a colon starts."""
    before_colon = readable[search_start:colon]
    word = before_colon[len(before_colon.rstrip(SCHEME_CHARACTERS)) :]
    scheme = word.lstrip(NO_LETTERS)
    start = colon - len(scheme)
    has_slashes = readable.startswith("//", colon + 1)
    name = scheme.lower()
    if not name or not (has_slashes or name in ROOTLESS or name in PREFIXES):
        return None
    # A scheme may directly follow a letter of a script without upper and lower case, because some
    # of these scripts have no spaces between words: 詳しくはhttp://a/
    previous = readable[start - 1 : start]
    if previous.isdecimal() or previous.islower() or previous.isupper() or previous == "_":
        return None
    return start


def parse_bracketed_uri(text: str, start: int) -> Candidate | None:
    for pattern in ENCLOSED:
        if match := pattern.match(text, start):
            unwrapped = BROKEN.sub("", match[1])
            return Candidate(unwrapped, start, match.end(1), True, try_parse_text(unwrapped))
    match = ON_A_LINE.match(text, start)
    return parse_enclosed_text(text, start, start, match.end(1)) if match else None


def parse_quoted_uri(text: str, prefix_start: int, start: int) -> Candidate | None:
    match = QUOTED.match(text, start) if text.endswith('"', 0, prefix_start) else None
    return parse_enclosed_text(text, prefix_start, start, match.end(1)) if match else None


def parse_enclosed_text(text: str, prefix_start: int, start: int, end: int) -> Candidate:
    enclosed = text[start:end].rstrip()
    if text.endswith('\\"', 0, prefix_start):
        enclosed = enclosed.rstrip("\\")
    return Candidate(enclosed, start, start + len(enclosed), True, try_parse_text(enclosed))


def parse_bare_uri(text: str, readable: str, start: int) -> Candidate | None:
    """Find an unquoted URI that starts at an index; the value of one cut short is `None`."""
    # After an opening delimiter such as "(", the URI ends before the closing delimiter.
    up_to_closing = CLOSED.get(text[start - 1 : start])
    closed = up_to_closing.match(readable, start) if up_to_closing else None
    limit = closed.end() if closed else len(readable)
    end_and_delimiter = find_bare_end(readable, start, limit)
    if end_and_delimiter is None:
        return None
    end, has_delimiter = end_and_delimiter
    if not has_delimiter and HOST_GOES_ON.match(text, end):
        return None
    # Most characters need no pattern: it takes longer than the rest of this function.
    next_character = readable[end : end + 1]
    may_be_cut_short = next_character in "%#[{^\\|" or next_character > "\x7f"
    if may_be_cut_short and CUT_SHORT.match(readable, end, limit):
        return Candidate(readable[start:end], start, end, False, None)
    end = trim_punctuation(readable, start, end)
    value = try_parse_text(readable[start:end])
    return None if value is None else Candidate(readable[start:end], start, end, False, value)


def find_bare_end(readable: str, start: int, limit: int) -> tuple[int, bool] | None:
    """Return the end of an unquoted URI, and whether "/", "?" or "#" follows its authority."""
    run = RUN.match(readable, start, limit)
    value = try_parse_text(run[0]) if run else None
    if run and value is not None:
        # The URI ends before a character that no IRI contains, so `BARE` would match the same
        # characters. But it takes long to compile.
        end = run.end()
        if value.authority is None:
            return end, False
        has_delimiter = start + get_bounds(value).path < end
        if has_delimiter or not readable.startswith(CUTS_HOST, end, limit):
            return end, has_delimiter
    match = BARE.match(readable, start, limit)
    return None if match is None else (match.end(), match["delimiter"] is not None)


def trim_punctuation(text: str, start: int, end: int) -> int:
    """Return the end of a URI without trailing punctuation and unbalanced parentheses."""
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while (last := text[end - 1]) in PUNCTUATION or last == "(" or (last == ")" and unopened > 0):
        end -= 1
        # Without this "(", one more ")" is unopened; without this ")", one less.
        unopened += {"(": 1, ")": -1}.get(last, 0)
    return end


def try_parse_text(text: str) -> IRI | None:
    return (URI if text.isascii() else IRI).try_parse(text)


def divide_input(chunks: Iterable[str], longest: int = LONGEST) -> Iterator[Section]:
    """Cut chunked input into parts that can be searched for URIs separately.

    Searching the parts gives the same results as searching the whole input, if neither a line nor a
    wrapped URI has more than `longest` characters. A longer line is cut after white space or a
    quotation mark. A word longer than that is skipped.
    """
    section, buffer, in_long_word = Section(), "", False
    min_length = 0  # of the buffer, before it is searched for a cut
    for chunk in chunks:
        buffer += chunk
        if in_long_word:
            gap = re.search(r'[\s"]', buffer)
            word_end = gap.start() if gap else len(buffer)
            section = section.advance(buffer[:word_end])
            buffer, in_long_word = buffer[word_end:], gap is None
        if len(buffer) < min_length:
            continue
        cut = find_safe_cut(buffer)
        if not cut and len(buffer) > longest:
            cut = find_any_cut(buffer)
            if not cut:
                section, buffer, in_long_word = section.advance(buffer), "", True
        # Long input is searched again only when its length has doubled, which keeps the total time
        # linear.
        is_long = len(buffer) > SHORT
        min_length = min(2 * len(buffer), longest + 1) if is_long and not cut else 0
        if cut:
            section = section.advance(buffer[:cut])
            buffer = buffer[cut:]
            yield section
    yield section.advance(buffer)


def find_safe_cut(text: str) -> int:
    """Return an offset at which input can be cut without splitting a URI, or 0."""
    cut = text.rfind("\n") + 1
    while cut and (start := text.rfind("<", 0, cut)) >= 0 and OPEN.fullmatch(text, start, cut):
        cut = text.rfind("\n", 0, start) + 1
        # Only a ">" before this "<" could close a URI that an earlier "<" opened.
        if text.find(">", cut, start) < 0:
            break
    return cut


def find_any_cut(text: str) -> int:
    """Return the last line break, white space or closing quotation mark of a long line, or 0."""
    after_line_break = text.rfind("\n") + 1
    if after_line_break:
        return after_line_break
    gap = GAP.match(text)
    if gap is None:
        return 0
    # The last "<" or quotation mark may open a URI, which must not be cut.
    opening = max(text.rfind("<", 0, gap.end()), text.rfind('"', 0, gap.end()))
    if OPENING.match(text, opening, gap.end()) and (earlier_gap := GAP.match(text, 0, opening)):
        return earlier_gap.end()
    return gap.end()
