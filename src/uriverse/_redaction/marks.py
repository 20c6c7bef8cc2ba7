"""Find the delimiters of URIs in a string, also those that are percent-encoded."""

from __future__ import annotations

from uriverse._lazy import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    class Mark(NamedTuple):
        """A delimiter in a string.

        Attributes:
            sign: the delimiter, such as `"&"`; `'"'` for all `QUOTES`.
            start: the index of its first character.
            end: the index after its last character, such as `start + 3` for `%26`.
            depth: how often it is percent-encoded, from 0 to `DEEPEST`; `DATA` in the first
                authority of a URI, where encoded characters are not delimiters.
            in_authority: whether it is in that authority, or is the slash before it.
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


def marks(text: str, start: int, end: int, *, whole: bool = False) -> Iterator[Mark]:
    """Yield the delimiters between two indexes, in their order.

    Args:
        text: the string.
        start: the first index.
        end: the index after the last character.
        whole: whether the string should be a URI, but is invalid: then quotation marks do not end
            it, and encoded delimiters count in its authority too.
    """
    # How much has been read of the slashes before an authority, and of the authority.
    before, colon, slash, authority, after = range(5)
    state, last, colon_end = before, start, -1  # the last one: of an encoded colon
    for found in MARK.finditer(text, start, end):
        first, next_ = found.span()
        ampersand, equals, escape, encodings, octet = found.groups()
        if escape or octet:
            sign = chr(int(escape or octet, 16))
        else:
            sign = "&" if ampersand else "=" if equals else found[0]
        if octet:
            depth = 1 + len(encodings) // 2
            colon_end = next_ if sign == ":" else -1
            if depth <= DEEPEST:
                in_authority = state == authority
                yield Mark(
                    sign, first, next_, DATA if in_authority and not whole else depth, in_authority
                )
            continue
        if sign in QUOTES:
            if whole:
                continue
            sign, state = '"', before
        elif state == authority:
            state = after if sign in "/\\?#" else authority
        elif state in {colon, slash}:
            state = state + 1 if sign == "/" and first == last else after
        elif state == before and sign in ":/\\?#":
            # The slashes in `https%3A//user%3Apassword%40host` are those of an encoded URI.
            state = {":": colon, "/": after if first == colon_end else slash}.get(sign, after)
        last = next_
        yield Mark(sign, first, next_, 0, state == authority)


def views(marks: list[Mark]) -> Iterator[list[Mark]]:
    """Yield the delimiters that are not encoded, then also those that are encoded once, twice, ...

    A URI that is the value of a parameter has encoded delimiters. They are delimiters of that URI,
    and parts of words for all others.
    """
    for depth in sorted({0, *(mark.depth for mark in marks)} - {DATA}):
        yield [mark for mark in marks if mark.depth <= depth]
