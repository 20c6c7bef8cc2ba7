"""The schemes of CoAP: `coap`, `coaps`, and those for TCP and WebSocket.

The grammars of [RFC 7252, 6][1] and [RFC 8323, 8][2] define no fragment. Fragments belong to no
scheme ([RFC 3986, 4.3][3]), so a URI with a fragment is valid, but clients cannot request it.

[1]: https://www.rfc-editor.org/rfc/rfc7252#section-6
[2]: https://www.rfc-editor.org/rfc/rfc8323#section-8
[3]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3
"""

from __future__ import annotations

from collections.abc import Iterator

from ._violation import Problem


def find_problems(text: str) -> Iterator[Problem]:
    """Yield a finding for a fragment, with which a request fails (RFC 7252, 6.4)."""
    number_sign = text.find("#")
    if number_sign >= 0:
        yield Problem("fragment-rejected", "fragment", number_sign + 1, len(text))
