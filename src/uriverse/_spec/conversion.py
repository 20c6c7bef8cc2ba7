"""Convert IRIs to URIs, and URIs to IRIs ([RFC 3987, section 3][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-3
"""

from __future__ import annotations

from itertools import accumulate

from uriverse._lazy import lazy_pattern

from .components import compose_all_parts, split_all_parts
from .normalization import ENCODED, change_components
from .percent import decode_iri_characters, pct_encode

NON_ASCII = lazy_pattern("[^\0-\x7f]++")


def convert_to_uri(text: str) -> str:
    """RFC 3987, 3.1, step 2: percent-encode non-ASCII characters as UTF-8."""
    return NON_ASCII.sub(lambda run: pct_encode(run[0].encode()), text)


def map_to_uri_offsets(text: str) -> list[int]:
    """Return the offset of each character of an IRI, and of its end, after conversion to a URI.

    >>> map_to_uri_offsets("a/é?")
    [0, 1, 2, 8, 9]
    """
    return list(accumulate(map(len, map(convert_to_uri, text)), initial=0))


def convert_to_iri(text: str) -> str:
    """Decode the non-ASCII characters that an IRI allows.

    Step 2 of RFC 3987, 3.2, also decodes unreserved ASCII characters. This function does not, so
    that the string changes as little as possible.
    """

    def decode_part(name: str, part: str) -> str:
        return decode_iri_characters(part, name, upper=True)

    return compose_all_parts(change_components(split_all_parts(text), ENCODED, decode_part))
