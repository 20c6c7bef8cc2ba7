"""Convert IRIs to URIs, and URIs to IRIs ([RFC 3987, section 3][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-3
"""

from __future__ import annotations

from itertools import accumulate

from uriverse._lazy import lazy_pattern

from .components import all_parts, composed
from .normalization import ENCODED, changed
from .percent import pct_encode, with_characters_decoded

PAST_ASCII = lazy_pattern("[^\0-\x7f]++")


def uri_text(text: str) -> str:
    """Convert an IRI to a URI: percent-encode its non-ASCII characters as UTF-8.

    This is step 2 of RFC 3987, 3.1.
    """
    return PAST_ASCII.sub(lambda run: pct_encode(run[0].encode()), text)


def places_in_uri(text: str) -> list[int]:
    """Return the offset of each character of an IRI after conversion to a URI.

    The last item of the list is the length of the URI.

    >>> places_in_uri("a/é?")
    [0, 1, 2, 8, 9]
    """
    return list(accumulate(map(len, map(uri_text, text)), initial=0))


def iri_text(text: str) -> str:
    """Convert a URI to an IRI: decode the non-ASCII characters that an IRI allows.

    Step 2 of RFC 3987, 3.2, also decodes unreserved ASCII characters. This function does not, so
    that the string changes as little as possible. Normalization decodes unreserved characters.
    """
    parts = all_parts(text)
    return composed(
        changed(parts, ENCODED, lambda name, part: with_characters_decoded(part, name, upper=True))
    )
