"""Divide any string at the delimiters of RFC 3986, Appendix B.

`divide.js` does the same before Python has started, so both find the same components.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: The regular expression of Appendix B. It matches any string.
STRING = re.compile(
    r"(?s:(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?)"
)

#: The parts of an authority. Any string matches. A host in brackets without an end has no port.
AUTHORITY = re.compile(r"(?s:(?:(?P<userinfo>.*)@)?(?P<host>\[[^\]]*|.*?)(?::(?P<port>[0-9]*))?)")


def divided(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the start and the end of each defined component."""
    whole = STRING.fullmatch(text)
    assert whole is not None
    for name, component in whole.groupdict().items():
        if component is None:
            continue
        yield name, *whole.span(name)
        if name == "authority":
            inner = AUTHORITY.fullmatch(text, *whole.span(name))
            assert inner is not None
            for part, value in inner.groupdict().items():
                if value is not None:
                    yield part, *inner.span(part)
