"""Find delimiters of URIs, also percent-encoded ones, and between them the values of secrets."""

from __future__ import annotations

from uriverse._lazy import lazy_pattern

from .secrets import is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    class Mark(NamedTuple):
        """A delimiter in a string: its sign, such as `"&"`, or `'"'` for all `QUOTES`.

        `depth` is how often it is percent-encoded, from 0 to `DEEPEST`; `DATA` in the first
        authority of a URI, where encoded characters are not delimiters. `in_authority` is whether
        it is there, or is the slash before.
        """

        sign: str
        start: int
        end: int
        depth: int
        in_authority: bool
else:
    from collections import namedtuple

    Mark = namedtuple("Mark", "sign start end depth in_authority")  # noqa: PYI024 - fast to import

#: A delimiter of a URI inside another URI may be percent-encoded this many times.
DEEPEST = 3

#: The depth of encoded characters that are not delimiters.
DATA = DEEPEST + 1

#: A sequence without spaces and controls, which cannot be in a URI.
CHUNK = lazy_pattern(r"[^\x00-\x20\x7f]+")

#: The characters that end a URI in a document. Only a password can contain them.
QUOTES = '"<>`'

#: A delimiter, one of `QUOTES`, "&" and "=" as HTML and shells escape them, an escape in a string
#: of JSON, or a percent-encoded delimiter. In JSON within JSON, the escape has several backslashes.
MARK = lazy_pattern(
    r"(&#(?:38|[Xx]26);)|(&#(?:61|[Xx]3[Dd]);|\\=)"
    r"|[/:?#@&=;\[\"<>`]"
    r"|\\(?:\\{0,7}(?:u00|x)(2[36Ff]|3[AaBbDdFf]|40|5[BbCc]))?+"
    r"|%((?:25)*+)(2[36Ff]|3[AaBbDdFf]|40|5[BbCc])"
)


def find_marks(text: str, start: int, end: int, *, is_invalid_uri: bool = False) -> Iterator[Mark]:
    """Yield the delimiters between two indexes, in their order.

    In an invalid URI, quotation marks do not end it, and encoded delimiters count in its authority
    too.
    """
    # How much has been read of the slashes before an authority, and of the authority.
    before, colon, slash, authority, after = range(5)
    state, last, colon_end = before, start, -1  # the last one: of an encoded colon
    for match in MARK.finditer(text, start, end):
        first, end_of_match = match.span()
        ampersand, equals, escape, encodings, octet = match.groups()
        if escape or octet:
            sign = chr(int(escape or octet, 16))
        else:
            sign = "&" if ampersand else "=" if equals else match[0]
        if octet:
            depth = 1 + len(encodings) // 2
            colon_end = end_of_match if sign == ":" else -1
            if depth <= DEEPEST:
                in_authority = state == authority
                shown_depth = DATA if in_authority and not is_invalid_uri else depth
                yield Mark(sign, first, end_of_match, shown_depth, in_authority)
            continue
        if sign in QUOTES:
            if is_invalid_uri:
                continue
            sign, state = '"', before
        elif state == authority:
            state = after if sign in "/\\?#" else authority
        elif state in {colon, slash}:
            state = state + 1 if sign == "/" and first == last else after
        elif state == before and sign in ":/\\?#":
            # The slashes in `https%3A//user%3Apassword%40host` are those of an encoded URI.
            state = {":": colon, "/": after if first == colon_end else slash}.get(sign, after)
        last = end_of_match
        yield Mark(sign, first, end_of_match, 0, state == authority)


def list_views(marks: list[Mark]) -> Iterator[list[Mark]]:
    """Yield the delimiters that are not encoded, then also those that are encoded once, twice, ...

    A URI that is the value of a parameter has encoded delimiters. They are delimiters of that URI,
    and parts of words for all others.
    """
    for depth in sorted({0, *(mark.depth for mark in marks)} - {DATA}):
        yield [mark for mark in marks if mark.depth <= depth]


#: The signs that end a value, by whether it is in a query or fragment, and whether its parameter
#: follows a semicolon.
ENDS = {
    (False, False): '/\\?#;&"',
    (False, True): '/\\?#;"',
    (True, False): '&#"',
    (True, True): '&#;"',
}


def find_secret_values(  # noqa: C901 - a branch for each delimiter
    text: str, view: list[Mark], end: int, *, closing: str = "", starts_in_query: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield the spans of secret parameter values in a part of a string, which ends at `end`.

    `closing` is punctuation that does not belong to a value at the end. `starts_in_query` is
    whether the part may start with a parameter, as a query does.
    """
    # Where the name of a parameter may start.
    name = 0 if starts_in_query else None
    after_semicolon = False
    # Whether a query or a fragment has started, and whether that of the outermost URI has.
    in_query = in_outer_query = False
    # The end of the last secret value. Delimiters in a value do not matter.
    secret_end = 0
    for index, mark in enumerate(view):
        sign = mark.sign
        if mark.start < secret_end:
            continue
        if sign == '"':
            name, in_query, in_outer_query = None, False, False
        elif mark.in_authority and not starts_in_query:
            name = None
        elif sign in "?#":
            name, after_semicolon, in_query = mark.end, False, True
            in_outer_query |= mark.depth == 0
        elif sign in "&;":
            name, after_semicolon = mark.end, sign == ";"
        elif sign in "/\\":
            # In a path, only a semicolon or "&" precedes a parameter.
            name, after_semicolon = (mark.end if in_query else None), False
        elif sign == "=":
            if name is not None and is_secret(text[name : mark.start]):
                like_query = starts_in_query and not after_semicolon
                ends = ENDS[in_query or like_query, after_semicolon]
                outer_ends = "" if in_outer_query or like_query else ENDS[False, True]
                stop = find_value_end(view, index + 1, end, ends, outer_ends)
                if stop == end or text[stop] in QUOTES:
                    stop = trim_closing(text, mark.end, stop, closing)
                if mark.end < stop:
                    secret_end = stop
                    yield mark.end, stop
            # The equals sign may delimit another name: `?next=token=a`.
            name, after_semicolon = mark.end, False


def trim_closing(text: str, start: int, end: int, closing: str) -> int:
    value = text[start:end]
    # In JSON within JSON, a backslash precedes the quotation mark.
    value = value.rstrip("\\" if text[end : end + 1] == '"' else "")
    return start + len(value.rstrip(closing))


def find_value_end(marks: list[Mark], index: int, end: int, ends: str, unencoded_ends: str) -> int:
    """Return where the first delimiter from `marks[index]` on is that ends a value, or `end`.

    A sign in `ends` ends it, and so does one in `unencoded_ends` if it is not percent-encoded.
    """
    # A slice would copy all other marks for each value.
    for i in range(index, len(marks)):
        mark = marks[i]
        if mark.sign in ends or (mark.depth == 0 and mark.sign in unencoded_ends):
            return mark.start
    return end
