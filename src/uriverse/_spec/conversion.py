"""IRIs as URIs, and URIs as IRIs ([RFC 3987, section 3][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-3
"""

from __future__ import annotations

import re
from itertools import accumulate

from .components import all_parts, composed
from .normalization import ENCODED, changed
from .percent import pct_encode, with_characters_decoded

PAST_ASCII = re.compile("[^\0-\x7f]++")


def uri_text(text: str) -> str:
    """The URI of an IRI: what is past ASCII is encoded, as UTF-8 (3.1, step 2)."""
    return PAST_ASCII.sub(lambda run: pct_encode(run[0].encode()), text)


def places_in_uri(text: str) -> list[int]:
    """Return the offset in the URI of each character of an IRI, followed by the URI's length.

    >>> places_in_uri("a/é?")
    [0, 1, 2, 8, 9]
    """
    return list(accumulate(map(len, map(uri_text, text)), initial=0))


def iri_text(text: str) -> str:
    """The IRI of a URI: what an IRI may hold unencoded is decoded (3.2).

    Step 2 would decode unreserved characters of ASCII as well. They are left to
    normalisation: no IRI needs it, and the text stays as near as can be to what it was.
    """
    parts = all_parts(text)
    return composed(
        changed(parts, ENCODED, lambda name, part: with_characters_decoded(part, name, upper=True))
    )
