"""Fields and request targets keep their contents when they are written and parsed again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
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
    effective_uri,
    encode_ext_value,
    from_asgi,
    from_wsgi,
    parse_forwarded,
    parse_host,
    parse_links,
    parse_origin,
    redirect_target,
    request_target,
)
from uriverse.http._fields import TOKEN
from uriverse.http._forwarded import last_first

METHODS = st.sampled_from(("GET", "OPTIONS", "CONNECT", "get", "G T"))

#: Pieces of field values, many of which are valid.
PIECES = (
    *("<", ">", ";", ",", "=", '"', "\\", "*", "'", " ", "\t", "_a", "a", "%41", "\u00e9", "\0"),
    *(
        *("</a>; rel=next", 'title="a=b, c"', "title*=UTF-8''%C3%A9", "; rel=", "rel"),
        "<http://a/b?c>",
    ),
    *("for=192.0.2.1", 'for="[::1]:80"', "by=_a;proto=https", "host=a", "null", "http://a", "a:80"),
    *("/a?b", "//a", "[::1]", "unknown", "me:pw@a", "#f"),
)

FIELDS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=8).map(", ".join),
    hostile(),
)
TARGETS = st.one_of(
    st.tuples(
        st.just("/"), produced("path-abempty"), st.just("?") | st.just(""), produced("query")
    ).map(lambda parts: "".join(parts) if parts[2] else parts[0] + parts[1]),
    produced("absolute-URI"),
    st.tuples(produced("host"), st.just(":"), st.integers(0, 70000).map(str)).map("".join),
    st.just("*"),
    FIELDS,
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
    """Return the result of a function, or the `URIError` that it raises."""
    try:
        return function()
    except URIError as error:
        check_error(error)
        return error


def check_error(error: URIError) -> None:
    assert 0 <= error.position <= len(error.text)
    assert str(error)


@given(METHODS, TARGETS)
def test_a_request_target_is_lossless(method: str, text: str) -> None:
    target = result(lambda: request_target(method, text))
    event(type(target).__name__)
    if not isinstance(target, URIError):
        assert str(target) == text
        assert request_target(method, str(target)) == target


@given(METHODS, TARGETS, st.lists(st.sampled_from(PIECES), max_size=2))
def test_an_effective_uri_is_a_valid_uri_or_an_error(
    method: str, text: str, hosts: list[str]
) -> None:
    uri = result(lambda: effective_uri(request_target(method, text), hosts, scheme="https"))
    event(type(uri).__name__)
    if not isinstance(uri, URIError):
        assert type(uri) is URI
        assert uri.fragment is None
        if text.startswith("/"):
            assert uri.authority == hosts[0]
            assert (uri.path + ("" if uri.query is None else f"?{uri.query}")) == text


@given(st.text(), st.binary(), st.text(st.characters(max_codepoint=0xFF)), FIELDS)
def test_any_scope_and_any_environment_have_a_valid_uri_or_an_error(
    path: str, raw: bytes, octets: str, host: str
) -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/{path}",
        "query_string": raw,
        "headers": [(b"host", host.encode("utf-8", "surrogatepass"))],
    }
    environ = {"REQUEST_METHOD": "GET", "wsgi.url_scheme": "http", "HTTP_HOST": host}
    for uri in (
        result(lambda: from_asgi(scope)),
        result(lambda: from_asgi({**scope, "raw_path": b"/" + raw})),
        result(lambda: from_wsgi({**environ, "PATH_INFO": f"/{octets}"})),
        result(lambda: from_wsgi({**environ, "PATH_INFO": path, "QUERY_STRING": octets})),
        result(lambda: from_wsgi({**environ, "RAW_URI": f"/{octets}"})),
    ):
        assert isinstance(uri, URI | URIError)


@given(st.lists(LINKS, max_size=3))
def test_written_links_are_parsed_as_the_same_links(links: list[Link]) -> None:
    assert parse_links(", ".join(map(str, links))) == tuple(links)


@given(st.lists(ELEMENTS, max_size=3))
def test_written_elements_are_parsed_as_the_same_elements(
    elements: list[ForwardedElement],
) -> None:
    assert parse_forwarded(", ".join(map(str, elements))) == tuple(elements)


@pytest.mark.parametrize("parse", [parse_links, parse_forwarded])
@given(FIELDS)
def test_parsed_fields_are_written_and_parsed_as_the_same_values(
    parse: Callable[[str], tuple[object, ...]], text: str
) -> None:
    found = result(lambda: parse(text))
    event(type(found).__name__)
    if not isinstance(found, URIError):
        assert parse(", ".join(map(str, found))) == found


@pytest.mark.parametrize("parse", [parse_host, parse_origin])
@given(FIELDS)
def test_parsed_values_keep_their_string(parse: Callable[[str], object], text: str) -> None:
    found = result(lambda: parse(text))
    if not isinstance(found, URIError):
        assert str(found) == text


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(("", "en", "de-CH")))
def test_decoding_an_extended_value_inverts_encoding(value: str, language: str) -> None:
    written = encode_ext_value(value, language)
    assert decode_ext_value(written) == (value, language)
    assert TOKEN.fullmatch(written)


@given(produced("URI"), produced("URI-reference"))
def test_a_redirect_changes_only_the_fragment_of_the_resolved_location(
    base: str, location: str
) -> None:
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
    backwards = result(lambda: [*last_first(text)][::-1])
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
