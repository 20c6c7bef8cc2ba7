"""How a new destination is written in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from ._destinations import quote

#: Characters that a bare destination cannot contain, or that mean something in the text around it,
#: in a table or before a renderer splits the text into links.
SPECIAL = re.compile(r"[\x01-\x20\x7f\\<>\"'`|]|&(?=[#A-Za-z])")
SPECIAL_IN_ANGLES = re.compile(r"[\x01-\x1f\x7f\\<>\"'`|]|^ | $|&(?=[#A-Za-z])")
PARENTHESES = re.compile(r"[()]")

#: A URI that can be written between "<" and ">" as an autolink.
AUTOLINK = re.compile(r"[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20\x7f<>`|\\&]*+")
#: A URL that GFM links without delimiters, also if punctuation follows.
EXTENDED_AUTOLINK = re.compile(
    r"(?:https?|ftp)://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]+)?"
    r"(?:[/?#](?:[A-Za-z0-9/.\-%=?#,+]*[A-Za-z0-9/])?)?"
)


def bare(destination: str) -> str:
    """Write a destination without delimiters: `[text](destination)`."""
    if not destination:
        return "<>"
    written = referenced(SPECIAL, destination)
    return written if is_balanced(destination) else referenced(PARENTHESES, written)


def angle(destination: str) -> str:
    """Write a destination between angle brackets: `[text](<destination>)`."""
    return referenced(SPECIAL_IN_ANGLES, destination)


def autolink(destination: str) -> str:
    """Write a URI between angle brackets as an autolink: `<destination>`."""
    if not AUTOLINK.fullmatch(destination):
        raise ValueError(f"an autolink cannot contain {quote(destination)}")
    return destination


def extended_autolink(destination: str) -> str:
    """Write a URI in text, between angle brackets if it would not be linked without them."""
    if EXTENDED_AUTOLINK.fullmatch(destination):
        return destination
    return f"<{autolink(destination)}>"


def email(destination: str) -> str:
    """Write a URI in place of an e-mail address in text."""
    return f"<{autolink(destination)}>"


def referenced(special: re.Pattern[str], destination: str) -> str:
    """Write special characters as numeric character references."""
    if "\x00" in destination:
        raise ValueError("a destination in Markdown cannot contain U+0000")
    return special.sub(lambda found: f"&#{ord(found[0])};", destination)


def is_balanced(destination: str) -> bool:
    """Return whether all parentheses of a destination are in pairs, in at most 32 levels."""
    depth = 0
    for found in PARENTHESES.finditer(destination):
        depth += 1 if found[0] == "(" else -1
        if not 0 <= depth <= 32:
            return False
    return depth == 0


PLACES: dict[str, Callable[[str], str]] = {
    "markdown-bare": bare,
    "markdown-angle": angle,
    "markdown-autolink": autolink,
    "markdown-extended-autolink": extended_autolink,
    "markdown-email": email,
}
