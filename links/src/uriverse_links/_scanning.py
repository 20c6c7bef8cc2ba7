"""Skip parts of a document."""

from __future__ import annotations

import re


def after(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the index after a match of a pattern that matches everywhere."""
    match = pattern.match(text, at)
    assert match, "the pattern matches the empty string"
    return match.end()
