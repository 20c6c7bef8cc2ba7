"""Find the values of secret parameters."""

from __future__ import annotations

from .marks import QUOTES
from .secrets import is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .marks import Mark

#: The signs that end a value, by whether it is in a query or fragment, and whether its parameter
#: follows a semicolon.
ENDS = {
    (False, False): '/\\?#;&"',
    (False, True): '/\\?#;"',
    (True, False): '&#"',
    (True, True): '&#;"',
}


def secret_values(  # noqa: C901 - a branch for each delimiter
    text: str, view: list[Mark], end: int, *, closing: str = "", whole: bool = False
) -> Iterator[tuple[int, int]]:
    """Find the values of secret parameters in a part of a string.

    Args:
        text: the string.
        view: the delimiters in the part.
        end: the end of the part.
        closing: punctuation that does not belong to a value at the end.
        whole: whether the part may start with a parameter, as a query does.
    """
    # Where the name of a parameter may start.
    name = 0 if whole else None
    after_semicolon = False
    # Whether a query or a fragment has started, and whether that of the outermost URI has.
    in_query = in_outer_query = False
    # The end of the last secret value. Delimiters in a value do not matter.
    hidden = 0
    for index, mark in enumerate(view):
        sign = mark.sign
        if mark.start < hidden:
            continue
        if sign == '"':
            name, in_query, in_outer_query = None, False, False
        elif mark.in_authority and not whole:
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
                like_query = whole and not after_semicolon
                ends = ENDS[in_query or like_query, after_semicolon]
                outer_ends = "" if in_outer_query or like_query else ENDS[False, True]
                stop = end_of_value(view, index + 1, end, ends, outer_ends)
                if stop == end or text[stop] in QUOTES:
                    stop = end_of_trimmed(text, mark.end, stop, closing)
                if mark.end < stop:
                    hidden = stop
                    yield mark.end, stop
            # The equals sign may delimit another name: `?next=token=a`.
            name, after_semicolon = mark.end, False


def end_of_trimmed(text: str, start: int, end: int, closing: str) -> int:
    """Return the end of `text[start:end]` without punctuation that follows a URI."""
    value = text[start:end]
    # In JSON within JSON, a backslash precedes the quotation mark.
    value = value.rstrip("\\" if text[end : end + 1] == '"' else "")
    return start + len(value.rstrip(closing))


def end_of_value(view: list[Mark], index: int, end: int, ends: str, outer_ends: str) -> int:
    """Return where the value of a parameter ends.

    Args:
        view: the delimiters.
        index: the index of the first delimiter after the equals sign.
        end: the end of the part, which ends every value.
        ends: the signs that end the value.
        outer_ends: the signs that end the value if they are not percent-encoded.
    """
    while index < len(view):
        mark = view[index]
        if mark.sign in ends or (mark.depth == 0 and mark.sign in outer_ends):
            return mark.start
        index += 1
    return end
