"""Fields keep their contents when they are written and parsed again.

The fuzz target `http` parses, writes and parses any string as a field or a target.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st
from strategies import hostile, produced

from uriverse import URI, URIError
from uriverse.http import (
    ForwardedElement,
    HostField,
    Link,
    Node,
    client_request,
    decode_ext_value,
    encode_ext_value,
    parse_forwarded,
    parse_links,
    redirect_target,
)
from uriverse.http._fields import TOKEN
from uriverse.http._forwarded import parse_from_right

#: Pieces of field values, many of which are valid.
PIECES = (
    *("<", ">", ";", ",", "=", '"', "\\", "*", "'", " ", "\t", "_a", "a", "%41", "\u00e9", "\0"),
    *("</a>; rel=next", 'title="a=b, c"', "title*=UTF-8''%C3%A9", "; rel=", "rel"),
    *("<http://a/b?c>", "for=192.0.2.1", 'for="[::1]:80"', "by=_a;proto=https", "host=a", "null"),
    *("http://a", "a:80", "/a?b", "//a", "[::1]", "unknown", "me:pw@a", "#f"),
)

FIELDS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=8).map(", ".join),
    hostile(),
)
TOKENS = st.from_regex(r"[a-z!#$&+.^_`|~0-9-]{1,8}", fullmatch=True)
QUOTABLE = st.text(
    st.one_of(
        st.sampled_from('\t"\\,;= '),
        st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"),
    )
)
LINKS = st.builds(
    Link,
    produced("URI-reference"),
    st.lists(st.tuples(TOKENS, st.none() | QUOTABLE), max_size=3).map(tuple),
)
NODES = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(lambda address: f"[{address}]"),
    st.sampled_from(("unknown", "_hidden", "UNKNOWN:80", "192.0.2.1:_port")),
).map(Node)
ELEMENTS = st.builds(
    ForwardedElement,
    for_=st.none() | NODES,
    by=st.none() | NODES,
    host=st.none() | st.sampled_from(("", "a", "A:80", "[::1]:81")),
    proto=st.none() | produced("scheme"),
    extensions=st.lists(st.tuples(TOKENS, QUOTABLE), max_size=2, unique_by=lambda e: e[0])
    .map(tuple)
    .filter(lambda all_: not {"for", "by", "host", "proto"} & {name for name, _ in all_}),
)


def result(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except URIError as error:
        check_error(error)
        return error


def check_error(error: URIError) -> None:
    assert 0 <= error.position <= len(error.text)
    assert str(error)


@given(st.lists(LINKS, max_size=3))
def test_written_links_are_parsed_as_the_same_links(links: list[Link]) -> None:
    assert parse_links(", ".join(map(str, links))) == tuple(links)


@given(st.lists(ELEMENTS, max_size=3))
def test_written_elements_are_parsed_as_the_same_elements(elements: list[ForwardedElement]) -> None:
    assert parse_forwarded(", ".join(map(str, elements))) == tuple(elements)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(("", "en", "de-CH")))
def test_decoding_an_extended_value_inverts_encoding(value: str, language: str) -> None:
    written = encode_ext_value(value, language)
    assert decode_ext_value(written) == (value, language)
    assert TOKEN.fullmatch(written)


@given(produced("URI"), produced("URI-reference"))
def test_a_redirect_changes_only_the_fragment_of_the_location(base: str, location: str) -> None:
    target = redirect_target(base, location)
    resolved = URI(base).resolve(location)
    assert target.with_fragment(None) == resolved.with_fragment(None)
    assert target.fragment in {resolved.fragment, URI(base).fragment}


@given(st.lists(ELEMENTS, max_size=3), ELEMENTS, st.integers(1, 3))
def test_elements_to_the_left_of_the_trusted_ones_change_nothing(
    forged: list[ForwardedElement], added: ForwardedElement, hops: int
) -> None:
    def found(elements: list[ForwardedElement]) -> object:
        return client_request("::1", elements, scheme="http", host="a", hops=hops)

    assert found([*forged, *[added] * hops]) == found([added] * hops)


@given(FIELDS, st.lists(ELEMENTS, min_size=1, max_size=3))
def test_a_field_that_a_client_sends_does_not_change_the_elements_of_trusted_proxies(
    sent: str, added: list[ForwardedElement]
) -> None:
    def found(forwarded: str | list[ForwardedElement]) -> object:
        return client_request("::1", forwarded, scheme="http", host="a", hops=len(added))

    assert found(", ".join((sent, *map(str, added)))) == found(added)


@given(FIELDS)
def test_reading_a_forwarded_field_from_either_end_finds_the_same_elements(text: str) -> None:
    forwards = result(lambda: parse_forwarded(text))
    backwards = result(lambda: [*parse_from_right(text)][::-1])
    event(type(forwards).__name__)
    assert isinstance(forwards, URIError) == isinstance(backwards, URIError)
    if not isinstance(forwards, URIError):
        # Only the direction from the right counts empty elements.
        assert [e for e in backwards if str(e) != ";"] == [e for e in forwards if str(e) != ";"]


@given(st.sampled_from(PIECES))
def test_a_host_field_can_be_the_authority_of_a_uri(text: str) -> None:
    found = result(lambda: HostField(text))
    if not isinstance(found, URIError):
        assert URI(f"http://{found}/").authority == text
