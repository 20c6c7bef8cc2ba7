"""Hypothesis strategies for the components of URIs (RFC 3986, 3), and for typed URIs."""

from __future__ import annotations

import re
from string import ascii_letters, digits

from hypothesis import strategies as st

from uriverse._typed.base import TypedURI

# Hypothesis shrinks to the first element, so letters come first.
UNRESERVED = f"{ascii_letters}{digits}-._~"
SUB_DELIMS = "!$&'()*+,;="
PCHAR = f"{UNRESERVED}{SUB_DELIMS}:@"

#: The ranges of `ucschar` and `iprivate` (RFC 3987, 2.2), each with its first and last character.
UCSCHAR = (
    (0xA0, 0xD7FF),
    (0xF900, 0xFDCF),
    (0xFDF0, 0xFFEF),
    *((plane << 16, (plane << 16) + 0xFFFD) for plane in range(1, 0xE)),
    (0xE1000, 0xEFFFD),
)
IPRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))

#: The longest run of characters or segments in a component.
MAX_LENGTH = 8

TRIPLETS = st.builds("%{:{}}".format, st.integers(0, 255), st.sampled_from(["02X", "02x"]))


def ranges(*bounds: tuple[int, int]) -> st.SearchStrategy[str]:
    return st.one_of([st.characters(min_codepoint=low, max_codepoint=high) for low, high in bounds])


def runs(
    alphabet: str, *, iri: bool, private: bool = False, least: int = 0
) -> st.SearchStrategy[str]:
    """Strings of characters from `alphabet`, percent-encoded octets, and non-ASCII characters."""
    single = [st.sampled_from(alphabet), TRIPLETS]
    if iri:
        single.append(ranges(*UCSCHAR))
    if private:
        single.append(ranges(*IPRIVATE))
    return st.lists(st.one_of(single), min_size=least, max_size=MAX_LENGTH).map("".join)


def schemes() -> st.SearchStrategy[str]:
    known = st.sampled_from(["http", "https", "urn", "ftp", "HTTP", "file", "a", "x-y+z.1"])
    tails = st.text(f"{ascii_letters}{digits}+-.", max_size=MAX_LENGTH)
    return known | st.builds("{}{}".format, st.sampled_from(ascii_letters), tails)


def hosts(*, iri: bool) -> st.SearchStrategy[str]:
    ipv6 = st.ip_addresses(v=6)
    future = st.text(f"{UNRESERVED}{SUB_DELIMS}:", min_size=1, max_size=MAX_LENGTH)
    literals = st.one_of(
        ipv6.map(str),
        ipv6.map(lambda address: address.exploded.upper()),
        st.builds("::{}".format, st.ip_addresses(v=4)),
        st.builds("v{}.{}".format, st.sampled_from("1aF"), future),
    ).map("[{}]".format)
    return st.one_of(
        st.sampled_from(["a", "example.org", "EXAMPLE.com", "localhost", ""]),
        runs(f"{UNRESERVED}{SUB_DELIMS}", iri=iri),
        st.ip_addresses(v=4).map(str),
        literals,
    )


def authorities(*, iri: bool) -> st.SearchStrategy[str]:
    other_userinfos = runs(f"{UNRESERVED}{SUB_DELIMS}:", iri=iri).map("{}@".format)
    userinfos = st.sampled_from(["", "me@", "me:secret@"]) | other_userinfos
    ports = st.sampled_from(["", ":", ":80", ":443"]) | st.integers(0, 10**6).map(":{}".format)
    return st.builds("{}{}{}".format, userinfos, hosts(iri=iri), ports)


def segments(*, iri: bool, least: int = 0) -> st.SearchStrategy[str]:
    return runs(PCHAR, iri=iri, least=least) | st.sampled_from(["a", ".", "..", "a.b"])


def hierarchical_parts(*, iri: bool, colon: bool) -> st.SearchStrategy[str]:
    """An authority with a path, or a path alone, with a colon in its first segment or not."""
    later_segments = st.lists(segments(iri=iri).map("/{}".format), max_size=4).map("".join)
    first = segments(iri=iri, least=1)
    if not colon:
        first = first.map(lambda segment: segment.replace(":", "-"))
    return st.one_of(
        st.just(""),
        st.builds("{}{}".format, first, later_segments),
        st.builds("/{}{}".format, first, later_segments),
        st.just("/"),
        st.builds("//{}{}".format, authorities(iri=iri), later_segments),
    )


def queries(*, iri: bool) -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(["", "?", "?a=b", "?a=b&a=c&d"]),
        runs(f"{PCHAR}/?", iri=iri, private=iri).map("?{}".format),
    )


def fragments(*, iri: bool) -> st.SearchStrategy[str]:
    return st.sampled_from(["", "#"]) | runs(f"{PCHAR}/?", iri=iri).map("#{}".format)


def find_examples(kind: type[TypedURI]) -> list[str]:
    """Return the valid URIs in the docstrings of a class, without duplicates."""
    docstrings = "\n".join(member.__doc__ or "" for member in (kind, *vars(kind).values()))
    texts = re.findall(rf'\b{kind.__name__}\("([^"\\]*)"\)', docstrings)
    return [text for text in dict.fromkeys(texts) if kind.try_parse(text)]


def vary_examples(kind: type[TypedURI]) -> st.SearchStrategy[TypedURI]:
    """Generate the examples of a class, with another piece where the class accepts it."""

    def replace_piece(text: str, piece: str, start: int, length: int) -> TypedURI:
        return kind.try_parse(text[:start] + piece + text[start + length :]) or kind(text)

    pieces, length = runs(f"{PCHAR}/?#", iri=False), st.integers(0, MAX_LENGTH)
    texts = st.sampled_from(find_examples(kind))
    return st.builds(replace_piece, texts, pieces, st.integers(0, 40), length)
