"""The `Link` field: parsing, writing, extended values, and errors with positions."""

from __future__ import annotations

import pickle

import pytest

from uriverse import URI, BuildError, ParseError, URIReference
from uriverse.http import Link, decode_ext_value, encode_ext_value, parse_links


def only(text: str) -> Link:
    (link,) = parse_links(text)
    return link


def test_the_examples_of_rfc_8288_are_parsed() -> None:
    link = only('<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"')
    assert (link.rel, link.title) == (("previous",), "previous chapter")
    assert only('</>; rel="http://example.net/foo"').rel == ("http://example.net/foo",)
    assert only('</terms>; rel="copyright"; anchor="#foo"').get("anchor") == "#foo"
    first, second = parse_links(
        "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
        "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"
    )
    assert (first.title, second.title) == ("letztes Kapitel", "nächstes Kapitel")
    several = only('<http://example.org/>; rel="start http://example.net/relation/other"')
    assert several.rel == ("start", "http://example.net/relation/other")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("", []), (" ,\t,", []), ("<>", ["<>"]), ("</a>", ["</a>"])),
        *(("</a> ; rel = next ", ["</a>; rel=next"]), ('</a>;REL="next"', ["</a>; rel=next"])),
        ('</a>;rel=""', ['</a>; rel=""']),
        ("</a>; crossorigin; rel=preload", ["</a>; crossorigin; rel=preload"]),
        ("</a>;crossorigin , </b>", ["</a>; crossorigin", "</b>"]),
        ('</a,b;c>; title="a=b; c, <d>"', ['</a,b;c>; title="a=b; c, <d>"']),
        ('</a>; title="\\"\\\\\\a"', ['</a>; title="\\"\\\\a"']),
        ("</a>; hreflang=de; hreflang=en", ["</a>; hreflang=de; hreflang=en"]),
        ("</a>; title*=\"UTF-8''b\"", ["</a>; title*=UTF-8''b"]),
        (b'</a>; title="\xe9"', ['</a>; title="\u00e9"']),
        ("<http://a.example:80/%7Eb#c>", ["<http://a.example:80/%7Eb#c>"]),
    ],
)
def test_links_are_written_as_they_were_parsed(text: str | bytes, expected: list[str]) -> None:
    links = parse_links(text)
    assert [str(link) for link in links] == expected
    assert parse_links(", ".join(map(str, links))) == links
    assert pickle.loads(pickle.dumps(links)) == links


@pytest.mark.parametrize(
    ("text", "position"),
    [
        *(("/a", 0), ("</a", 3), ("</a b>", 3), ("</%zz>", 3), ("<http://a:b/>", 10)),
        *(("</\u00e9>", 2), ("</a> rel=next", 5), ("</a>; rel=next </b>", 15), ("</a>;", 5)),
        *(("</a>; rel=next;", 15), ("</a>;;rel=next", 5), ("</a>; =next", 6), ("</a>; rel=", 10)),
        *(("</a>; rel=a b", 12), ("</a>; rel=a/b", 11), ('</a>; title="b', 12)),
        *(('</a>; title="b\n"', 14), ('</a>; title="b\\', 14), ("<http://[::1>", 12)),
    ],
)
def test_an_invalid_field_is_rejected_with_a_position(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse_links(text)
    assert (caught.value.text, caught.value.position) == (text, position)
    assert caught.value.hint


@pytest.mark.parametrize(
    "param",
    [
        *("title*", "title*=b", "title*=latin-1''b", "title*=UTF-8''b'", "title*=UTF-8''%zz"),
        *("title*=UTF-8''%ff", "title*=UTF-8'e+'b", "title*=\"UTF-8''b c\""),
        "title*=\"\\UTF-8''b c\"",
    ],
)
def test_only_the_parameter_is_skipped_if_its_value_cannot_be_decoded(param: str) -> None:
    # RFC 8288, B.3. One bad title must not hide the other links of a page.
    first, second = parse_links(f"</a>; {param}; title=b; rel=next, </c>; rel=prev")
    assert first.params == (("title", "b"), ("rel", "next"))
    assert (first.title, second.rel) == ("b", ("prev",))


def test_a_representation_does_not_show_passwords() -> None:
    link = only('<http://me:secret@a/>; rel=next; crossorigin; anchor="http://me:secret@b/"')
    assert "secret" not in repr(link)
    assert "('rel', 'next'), ('crossorigin', None), ('anchor'," in repr(link)


def test_only_the_first_rel_counts() -> None:
    assert only("</a>; rel=Next; rel=prev").rel == ("next",)
    assert only("</a>").rel == only("</a>; rel").rel == ()
    assert only('</a>; rel=" a\u00a0b  c"').rel == ("a\u00a0b", "c")


def test_a_title_with_a_star_takes_precedence() -> None:
    assert only("</a>; title=b; title*=UTF-8''%C3%A9").title == "é"
    assert only("</a>; title=b").title == "b"
    assert only("</a>").title is None


def test_targets_and_contexts_are_resolved_against_the_base() -> None:
    link = only('<../b?c>; rel=next; anchor="#d"')
    assert link.target_uri("http://a.example/x/y") == URI("http://a.example/b?c")
    assert link.context_uri(URI("http://a.example/x")) == URI("http://a.example/x#d")
    assert only("</a>").context_uri("http://a.example/x") == URI("http://a.example/x")
    with pytest.raises(ParseError):
        only("</a>; anchor=^").context_uri("http://a.example/x")


# --- building


def test_build_chooses_the_parameter_for_the_title() -> None:
    assert str(Link.build("/a", "next", title="b c")) == '</a>; rel=next; title="b c"'
    assert str(Link.build("/a", "next", title="é")) == "</a>; rel=next; title*=UTF-8''%C3%A9"
    link = Link.build(
        URIReference("a"), ["prev", "up"], anchor="#b", params=[("type", "text/html")]
    )
    assert str(link) == '<a>; rel="prev up"; anchor=#b; type="text/html"'
    assert only(str(link)) == link
    assert str(Link("a", (("crossorigin", None),))) == "<a>; crossorigin"


@pytest.mark.parametrize(
    "params", [(("a b", "c"),), (("A", "c"),), (("", "c"),), (("a", "\n"),), (("a", "\u20ac"),)]
)
def test_a_parameter_that_cannot_be_written_is_rejected(
    params: tuple[tuple[str, str | None], ...],
) -> None:
    with pytest.raises(BuildError):
        Link("/a", params)


@pytest.mark.parametrize("value", [None, "b", "UTF-8'"])
def test_a_parameter_with_a_star_requires_an_extended_value(value: str | None) -> None:
    with pytest.raises(ParseError):
        Link("/a", (("title*", value),))


def test_a_target_or_an_anchor_that_is_not_a_uri_reference_is_rejected() -> None:
    for target, anchor in ((">", None), ("/a", ">")):
        with pytest.raises(ParseError):
            Link.build(target, "next", anchor=anchor)


# --- extended values


@pytest.mark.parametrize(
    ("text", "value", "language"),
    [
        ("UTF-8''", "", ""),
        ("utf-8'en-GB'%c2%a3%20rates", "£ rates", "en-GB"),
        *(("UTF-8''a!#$&+-.^_`|~", "a!#$&+-.^_`|~", ""), ("UTF-8''%27%2A%25", "'*%", "")),
        ("UTF-8''%00", "\0", ""),
    ],
)
def test_extended_values_are_decoded_and_encoded(text: str, value: str, language: str) -> None:
    assert decode_ext_value(text) == (value, language)
    assert decode_ext_value(encode_ext_value(value, language)) == (value, language)


@pytest.mark.parametrize(("value", "language"), [("a", "e n"), ("a", "-"), ("b\ud800", "")])
def test_a_value_that_cannot_be_encoded_is_rejected(value: str, language: str) -> None:
    with pytest.raises(BuildError) as caught:
        encode_ext_value(value, language)
    assert caught.value.position == (value.find("\ud800") if "\ud800" in value else 0)


# --- other parsers


def test_requests_loses_parameters_after_a_title_with_an_equals_sign() -> None:
    utils = pytest.importorskip(
        "requests.utils", reason="needs requests (pip install --group test-all)"
    )
    field = '</b>; title="a=b"; rel=next'
    assert utils.parse_header_links(field) == [{"url": "/b"}]
    assert only(field).rel == ("next",)


@pytest.mark.parametrize("target", ["///evil", "http:///evil", "https:evil"])
def test_an_http_uri_without_a_host_is_rejected_when_a_link_is_resolved(target: str) -> None:
    link = only(f'<{target}>; anchor="{target}"')
    for resolve in (link.target_uri, link.context_uri):
        with pytest.raises(ParseError, match="requires a host"):
            resolve("http://a/b")
    with pytest.raises(ParseError, match="requires a host"):
        only("</a>").context_uri("http:///evil")


def test_a_representation_does_not_show_the_values_of_secret_parameters() -> None:
    link = Link("/a", (("rel", "next"), ("token", "abc"), ("password", None)))
    assert repr(link) == (
        "Link(target='/a', params=(('rel', 'next'), ('token', 'REDACTED'), ('password', None)))"
    )


def test_parameters_can_be_a_list() -> None:
    link = Link("/a", [("rel", "next")])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert {link} == {only("</a>; rel=next")}
