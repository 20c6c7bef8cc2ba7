"""The schemes of CoAP, whose grammars define no fragment (RFC 7252, 6, and RFC 8323, 8)."""

from __future__ import annotations

from collections.abc import Iterator

from ._violation import Problem


def find_problems(text: str) -> Iterator[Problem]:
    """Yield a finding for a fragment, with which a request fails (RFC 7252, 6.4)."""
    # Fragments belong to no scheme (RFC 3986, 4.3), so the URI is valid.
    number_sign = text.find("#")
    if number_sign >= 0:
        yield Problem("fragment-rejected", "fragment", number_sign + 1, len(text))
