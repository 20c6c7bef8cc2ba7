"""Draw a string with a caret under one character, for error messages."""

from __future__ import annotations

#: The number of characters drawn on each side of the caret. An ellipsis replaces all others.
AROUND = 60


def window(text: str, position: int) -> tuple[int, int]:
    """Return the start and the end of the part of a string that is drawn."""
    start, end = position - AROUND, position + AROUND
    # Calls of `min` and `max` take longer.
    return start if start > 0 else 0, end if end < len(text) else len(text)  # noqa: FURB136


def drawing(
    text: str, position: int, *, before: bool = False, after: bool = False
) -> tuple[str, str]:
    """Return two lines: the string, and a caret under the character at `position`.

    Args:
        text: the string, or a part of it.
        position: the index of the character.
        before: whether characters are missing before `text`.
        after: whether characters are missing after it.
    """
    start, end = window(text, position)
    left, right = visible(text[start:position]), visible(text[position:end])
    first = "…" if before or start > 0 else ""
    last = "…" if after or end < len(text) else ""
    return f"  {first}{left}{right}{last}", f"  {' ' * (len(first) + display_width(left))}^"


def visible(text: str) -> str:
    """Escape characters that are not printable, such as controls and bidirectional marks."""
    if text.isprintable():
        return text
    return text.translate(
        {ord(c): c.encode("unicode_escape").decode() for c in set(text) if not c.isprintable()}
    )


def display_width(text: str) -> int:
    """Return the number of terminal columns that a printable string occupies."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    # Combining marks have no width of their own. Neither do the vowels and final consonants of a
    # Hangul syllable.
    return sum(
        0
        if category(c) in {"Mn", "Me"} or "\u1160" <= c <= "\u11ff"
        else 2
        if east_asian_width(c) in "WF"
        else 1
        for c in text
    )
