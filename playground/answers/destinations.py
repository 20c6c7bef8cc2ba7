"""Group Python libraries by the host that they find in a string.

The adapters of `uriverse_compare` call the libraries, which connect to nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uriverse_compare import Parser

#: The libraries that run in the browser. They only read strings: the adapters of HTTP clients would
#: make a request.
PROGRAMS = ("uriverse", "urllib.parse", "yarl", "rfc3986")

#: The number of characters up to which the libraries read a string.
LONGEST = 10_000


@cache
def parsers() -> list[Parser]:
    """Return the libraries. Their import takes seconds, so the page asks for them last."""
    from uriverse_compare import installed

    return installed(PROGRAMS)


def destinations(text: str) -> list[dict[str, Any]] | None:
    """Group the libraries by the host and the port that they find.

    Returns:
        For each group, the host and port as `target`, or `None` if the libraries reject the string;
        the names and versions of the `programs`; and the `components` that the first one finds. The
        result is `None` if the string is too long.
    """
    if len(text) > LONGEST:
        return None
    from uriverse_compare import COMPONENTS, Comparison

    found = Comparison(text, {parser: parser.read([text])[0] for parser in parsers()})
    return [
        {
            "target": None if group.target is None else str(group.target),
            "programs": [f"{parser.name} {parser.version}" for parser in group.parsers],
            "components": {
                name: getattr(found.readings[group.parsers[0]], name) for name in COMPONENTS
            },
        }
        for group in found.groups
    ]
