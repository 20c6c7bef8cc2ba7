import pickle
from typing import Any

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


def test_links_are_written_as_they_were_parsed() -> None:
    text: Any
    for text, expected in [
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
    ]:
        links = parse_links(text)
        assert [str(link) for link in links] == expected
        assert parse_links(", ".join(map(str, links))) == links
        assert pickle.loads(pickle.dumps(links)) == links
    # An invalid field is rejected with a position.
    for text, position in [
        *(("/a", 0), ("</a", 3), ("</a b>", 3), ("</%zz>", 3), ("<http://a:b/>", 10)),
        *(("</\u00e9>", 2), ("</a> rel=next", 5), ("</a>; rel=next </b>", 15), ("</a>;", 5)),
        *(("</a>; rel=next;", 15), ("</a>;;rel=next", 5), ("</a>; =next", 6), ("</a>; rel=", 10)),
        *(("</a>; rel=a b", 12), ("</a>; rel=a/b", 11), ('</a>; title="b', 12)),
        *(('</a>; title="b\n"', 14), ('</a>; title="b\\', 14), ("<http://[::1>", 12)),
    ]:
        with pytest.raises(ParseError) as caught:
            parse_links(text)
        assert (caught.value.text, caught.value.position) == (text, position)
        assert caught.value.hint
    # Only the parameter is skipped if its value cannot be decoded.
    for param in [
        *("title*", "title*=b", "title*=latin-1''b", "title*=UTF-8''b'", "title*=UTF-8''%zz"),
        *("title*=UTF-8''%ff", "title*=UTF-8'e+'b", "title*=\"UTF-8''b c\""),
        "title*=\"\\UTF-8''b c\"",
    ]:
        # RFC 8288, B.3. One bad title must not hide the other links of a page.
        first, second = parse_links(f"</a>; {param}; title=b; rel=next, </c>; rel=prev")
        assert first.params == (("title", "b"), ("rel", "next"))
        assert (first.title, second.rel) == ("b", ("prev",))
    # Only the first rel counts.
    assert only("</a>; rel=Next; rel=prev").rel == ("next",)
    assert only("</a>").rel == only("</a>; rel").rel == ()
    assert only('</a>; rel=" a\u00a0b  c"').rel == ("a\u00a0b", "c")
    # A title with a star takes precedence.
    assert only("</a>; title=b; title*=UTF-8''%C3%A9").title == "é"
    assert only("</a>; title=b").title == "b"
    assert only("</a>").title is None
    # Parameters can be a list.
    link = Link("/a", [("rel", "next")])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert {link} == {only("</a>; rel=next")}


def test_a_representation_does_not_show_passwords_and_secret_parameters() -> None:
    link = only('<http://me:secret@a/>; rel=next; crossorigin; anchor="http://me:secret@b/"')
    assert "secret" not in repr(link)
    assert "('rel', 'next'), ('crossorigin', None), ('anchor'," in repr(link)
    # A representation does not show the values of secret parameters.
    link = Link("/a", (("rel", "next"), ("token", "abc"), ("password", None)))
    assert repr(link) == (
        "Link(target='/a', params=(('rel', 'next'), ('token', 'REDACTED'), ('password', None)))"
    )


def test_targets_and_contexts_are_resolved_against_the_base() -> None:
    link = only('<../b?c>; rel=next; anchor="#d"')
    assert link.target_uri("http://a.example/x/y") == URI("http://a.example/b?c")
    assert link.context_uri(URI("http://a.example/x")) == URI("http://a.example/x#d")
    assert only("</a>").context_uri("http://a.example/x") == URI("http://a.example/x")
    with pytest.raises(ParseError):
        only("</a>; anchor=^").context_uri("http://a.example/x")
    # An HTTP URI without a host is rejected when a link is resolved.
    for target in ["///evil", "http:///evil", "https:evil"]:
        link = only(f'<{target}>; anchor="{target}"')
        for resolve in (link.target_uri, link.context_uri):
            with pytest.raises(ParseError, match="requires a host"):
                resolve("http://a/b")
        with pytest.raises(ParseError, match="requires a host"):
            only("</a>").context_uri("http:///evil")


def test_build_chooses_the_parameter_for_the_title() -> None:
    assert str(Link.build("/a", "next", title="b c")) == '</a>; rel=next; title="b c"'
    assert str(Link.build("/a", "next", title="é")) == "</a>; rel=next; title*=UTF-8''%C3%A9"
    link = Link.build(
        URIReference("a"), ["prev", "up"], anchor="#b", params=[("type", "text/html")]
    )
    assert str(link) == '<a>; rel="prev up"; anchor=#b; type="text/html"'
    assert only(str(link)) == link
    assert str(Link("a", (("crossorigin", None),))) == "<a>; crossorigin"
    # A parameter that cannot be written is rejected.
    for param in [("a b", "c"), ("A", "c"), ("", "c"), ("a", "\n"), ("a", "\u20ac")]:
        with pytest.raises(BuildError):
            Link("/a", (param,))
    # A parameter with a star requires an extended value.
    for value in [None, "b", "UTF-8'"]:
        with pytest.raises(ParseError):
            Link("/a", (("title*", value),))
    # A target or an anchor that is not a URI reference is rejected.
    for target, anchor in ((">", None), ("/a", ">")):
        with pytest.raises(ParseError):
            Link.build(target, "next", anchor=anchor)


def test_extended_values_are_decoded_and_encoded() -> None:
    for text, value, language in [
        *(("UTF-8''", "", ""), ("utf-8'en-GB'%c2%a3%20rates", "£ rates", "en-GB")),
        *(("UTF-8''a!#$&+-.^_`|~", "a!#$&+-.^_`|~", ""), ("UTF-8''%27%2A%25", "'*%", "")),
        ("UTF-8''%00", "\0", ""),
    ]:
        assert decode_ext_value(text) == (value, language)
        assert decode_ext_value(encode_ext_value(value, language)) == (value, language)
    # A value that cannot be encoded is rejected.
    for value, language in [("a", "e n"), ("a", "-"), ("b\ud800", "")]:
        with pytest.raises(BuildError) as caught:
            encode_ext_value(value, language)
        assert caught.value.position == (value.find("\ud800") if "\ud800" in value else 0)


def test_requests_loses_parameters_after_a_title_with_an_equals_sign() -> None:
    utils = pytest.importorskip(
        "requests.utils", reason="needs requests (pip install --group test-all)"
    )
    field = '</b>; title="a=b"; rel=next'
    assert utils.parse_header_links(field) == [{"url": "/b"}]
    assert only(field).rel == ("next",)
