"""The autolinks that GFM adds (GFM 6.9): URLs, domains and e-mail addresses in text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ._markdown_blocks import PUNCTUATION, Block, Element, decode_with_offsets

WHITE_SPACE = " \t\n\v\f\r"
SCHEMES = ("http://", "https://", "ftp://")
#: A domain up to the first character that cmark-gfm accepts in none. The limit keeps the time for
#: a long word with many possible domains linear.
DOMAIN = re.compile(r"(?:\\?[A-Za-z0-9._\-]){0,2000}+")
WORD = re.compile(r"[^ \t\n\v\f\r<]*+")
REFERENCE_AT_END = re.compile(r"&[A-Za-z]+;\Z")
TRAILING = "?!.,:*_~'\";"

#: A decoded "@" needs more than a pattern: it may be written as an escape or as a reference.
EMAIL_IN_TEXT = re.compile(r"@|&(?:#(?:64|[xX]0*40)|#0+64|commat);")
#: A string with an autolink contains one of these.
SIGN = re.compile(rf"://|www\.|{EMAIL_IN_TEXT.pattern}")
#: As in cmark-gfm, no URL starts after an opening bracket that is not closed.
MARK = re.compile(rf"\\[{PUNCTUATION}]|[\[\]]|://|www\.")
BRACKETS = {"[": 1, "]": -1}

LOCAL_CHARACTER = re.compile(r"[A-Za-z0-9.+\-_]")
MAIL_SCHEME_BEFORE = re.compile(r"(?:\A|(?<![A-Za-z0-9]))(mailto|xmpp):\Z")
#: The domain of an address, which contains a dot and ends with a letter.
EMAIL_DOMAIN = re.compile(r"@(?:[A-Za-z0-9_\-]|\.(?=[A-Za-z0-9]))*+")
XMPP_DOMAIN = re.compile(r"@(?:[A-Za-z0-9_/\-]|\.(?=[A-Za-z0-9]))*+")


def find_autolinks(source: str, block: Block) -> Iterator[Element]:
    """Yield the URLs and domains in the text of a block, and the addresses between them."""
    if not SIGN.search(source, block.start, block.end):
        return
    line, line_end = "", -1
    open_brackets = url_end = 0
    for start, end, line_start, only_addresses in list_visible_spans(block.elements):
        position = text_start = max(start, url_end)
        while mark := MARK.search(source, position, end):
            position = mark.end()
            open_brackets = max(0, open_brackets + BRACKETS.get(mark[0], 0))
            if mark[0] not in {"://", "www."} or open_brackets or only_addresses:
                continue
            # As in cmark-gfm, a URL may contain the rest of its line, also if that is not text.
            if position > line_end:
                line_end = source.find("\n", position, block.end) + 1 or block.end
                line = source[line_start:line_end]
            is_www = mark[0] == "www."
            span = (match_www if is_www else match_url)(line, mark.start() - line_start)
            if span is None:
                position = mark.start() + 1
                continue
            url_start, url_end = (line_start + index for index in span)
            yield from find_addresses(source, text_start, url_start)
            url = source[url_start:url_end]
            if block.kind == "cell":
                # The text of a cell does not contain the backslash before a vertical bar.
                url = url.replace("\\|", "|")
            yield Element("url", url_start, url_end, f"http://{url}" if is_www else url)
            position = text_start = url_end
        yield from find_addresses(source, text_start, end)


def list_visible_spans(elements: list[Element]) -> Iterator[tuple[int, int, int, bool]]:
    """Yield the spans of text outside links and images, and the start of their line.

    The last item is true after an autolink in the text of a link: as in cmark-gfm, only e-mail
    addresses are linked there.
    """
    # The ends of the last link, of the last image, and of the text that is not yielded.
    link_end = image_end = hidden_end = 0
    is_new_line, line_start = True, 0
    for element in elements:
        start, end = element.start, element.end
        if is_new_line:
            is_new_line, line_start = False, start
        if element.kind == "text" and start >= hidden_end:
            yield start, end, line_start, start < link_end
        elif element.kind == "line-end":
            is_new_line = True
        elif element.kind == "autolink" and start >= image_end:
            # In the text of a link, the text after an autolink is yielded again.
            hidden_end = end
        elif element.kind == "link":
            link_end, hidden_end = end, max(hidden_end, end)
        elif element.kind == "image":
            image_end, hidden_end = max(image_end, end), max(hidden_end, end)


def find_addresses(source: str, start: int, end: int) -> Iterator[Element]:
    if not EMAIL_IN_TEXT.search(source, start, end):
        return
    text, offsets = decode_with_offsets(source[start:end])
    for first, last, is_bare in find_address_spans(text):
        address = text[first:last]
        destination = f"mailto:{address}" if is_bare else address
        yield Element("url", start + offsets[first], start + offsets[last], destination)


def is_host_character(character: str) -> bool:
    """Return whether cmark-gfm accepts a character as the first one of a host in a URL."""
    if character < "\x80":
        return character.isalnum() or not (character.isprintable() or character in "\t\n\f\r")
    category = unicodedata.category(character)
    return category != "Zs" and category[0] != "P"


def match_www(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of a domain that starts with `www.` after a space, "*", "_", "~" or "("."""
    if start and text[start - 1] not in "*_~(" + WHITE_SPACE:
        return None
    if start + len("www.") >= len(text) or not is_domain(text, start):
        return None
    return trim_span(text, start, start)


def match_url(text: str, colon: int) -> tuple[int, int] | None:
    """Return the span of a URL, given the index of its `://`."""
    start = colon
    while start and text[start - 1].isascii() and text[start - 1].isalpha():
        start -= 1
    domain_start = colon + len("://")
    if text[start:domain_start].lower() not in SCHEMES or domain_start >= len(text):
        return None
    if not is_host_character(text[domain_start]) or not is_domain(text, domain_start):
        return None
    return trim_span(text, start, domain_start)


def is_domain(text: str, start: int) -> bool:
    """Return whether the last two labels of the domain at an index contain no underscore.

    As in cmark-gfm, the first and the last character of the text do not count, and a domain with
    more than ten dots may contain underscores.
    """
    match = DOMAIN.match(text, start + 1, max(len(text) - 1, start + 1))
    labels = match[0].split(".") if match else []
    return len(labels) > 11 or not any("_" in label for label in labels[-2:])


def trim_span(text: str, start: int, domain_start: int) -> tuple[int, int]:
    """Return the span of an autolink without the punctuation at its end (GFM 6.9)."""
    word = WORD.match(text, domain_start)
    end = word.end() if word else domain_start
    extra_parentheses = text.count(")", start, end) - text.count("(", start, end)
    # The letters and slashes before the domain are not punctuation, so the loop ends there.
    while True:
        last = text[end - 1]
        if last == ";":
            # Remove a whole character reference; the longest one has 33 characters.
            reference = REFERENCE_AT_END.search(text, max(start, end - 40), end)
            end = reference.start() if reference else end - 1
        elif last == ")" and extra_parentheses > 0:
            extra_parentheses -= 1
            end -= 1
        elif last in TRAILING:
            end -= 1
        else:
            return start, end


def find_address_spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of the e-mail addresses in decoded text (GFM 6.9).

    The scheme `mailto:` or `xmpp:` may precede an address. The third item of each result is false
    if cmark-gfm adds no scheme.
    """
    search_start, has_dot = 0, False
    schemes: set[str] = set()
    while (at_sign := text.find("@", search_start)) >= 0:
        start = find_local_part(text, search_start, at_sign, schemes)
        pattern = XMPP_DOMAIN if "xmpp" in schemes else EMAIL_DOMAIN
        domain = pattern.match(text, at_sign)
        end = domain.end() if domain and start < at_sign else at_sign
        has_dot = has_dot or "." in text[at_sign:end]
        if end > at_sign and text.startswith("@", end):
            # As in cmark-gfm, a dot or a scheme may also precede the first of several "@".
            search_start = at_sign + 1
            continue
        search_start = max(end, at_sign + 1)
        if has_dot and end > at_sign + 1 and text[end - 1].isalpha():
            yield start, end, not schemes
        has_dot = False
        schemes.clear()


def find_local_part(text: str, search_start: int, at_sign: int, schemes: set[str]) -> int:
    """Return the start of the address whose "@" is at an index, and add its schemes to a set."""
    start = at_sign
    while start > search_start:
        scheme = MAIL_SCHEME_BEFORE.search(text, max(search_start, start - 8), start)
        if scheme:
            schemes.add(scheme[1])
        elif not LOCAL_CHARACTER.match(text, start - 1):
            break
        start -= 1
    return start
