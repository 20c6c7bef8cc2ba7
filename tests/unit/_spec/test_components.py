from hypothesis import example, given
from hypothesis import strategies as st
from strategies import characters, texts

from uriverse import compose, split
from uriverse._spec.components import find_bounds, find_host_span, split_authority
from uriverse.typing import Parts


@given(texts())
@example("a\nb:c\n//d\n?e\n#f\n")
def test_components_compose_and_contain_no_closing_delimiters(text: str) -> None:
    parts = split(text)
    assert compose(*parts) == text
    assert not set(":/?#") & set(parts.scheme or "")
    assert not set("/?#") & set(parts.authority or "")
    assert not set("?#") & set(parts.path)
    assert "#" not in (parts.query or "")


def test_split_accepts_any_string() -> None:
    for text, parts in [
        *(("", Parts(None, None, "", None, None)), ("a:", Parts("a", None, "", None, None))),
        *((":", Parts(None, None, ":", None, None)), ("//", Parts(None, "", "", None, None))),
        *(("///", Parts(None, "", "/", None, None)), ("?#", Parts(None, None, "", "", ""))),
        ("#?", Parts(None, None, "", None, "?")),
        ("1 2://\n/[", Parts("1 2", "\n", "/[", None, None)),
        ("\ud800", Parts(None, None, "\ud800", None, None)),
    ]:
        assert split(text) == parts


def test_compose_omits_undefined_components_but_keeps_empty_ones() -> None:
    assert compose(None, None, "", None, None) == ""
    assert compose("", "", "", "", "") == "://?#"


@given(texts())
def test_bounds_are_ordered_and_exclude_delimiters(text: str) -> None:
    at = find_bounds(text)
    parts = split(text)
    assert (at.scheme_end >= 0) == (parts.scheme is not None)
    assert (at.authority >= 0) == (parts.authority is not None)
    assert text[at.path : at.path_end] == parts.path
    assert at.path <= at.path_end <= at.query_end <= len(text)
    if at.authority >= 0:
        assert text[at.authority - 2 : at.authority] == "//"
        assert at.authority <= at.host <= at.host_end <= at.path
        assert text[at.authority : at.path] == parts.authority
    else:
        assert at.host == at.host_end == -1
    if at.path_end < at.query_end:
        assert text[at.path_end] == "?"
    if at.query_end < len(text):
        assert text[at.query_end] == "#"


def test_split_authority_accepts_any_string() -> None:
    for authority, host, parts in [
        *(("", "", (None, "", None)), ("a", "a", (None, "a", None)), ("a:", "a", (None, "a", ""))),
        *(("a:1:2", "a", (None, "a", "1:2")), ("u@a", "a", ("u", "a", None))),
        *(("@", "", ("", "", None)), ("u:p@a:1", "a", ("u:p", "a", "1"))),
        *(("a@b@c", "b@c", ("a", "b@c", None)), ("[::1]:80", "[::1]", (None, "[::1]", "80"))),
        *(("u@[::1]", "[::1]", ("u", "[::1]", None)), ("[::1", "[::1", (None, "[::1", None))),
        *(("[::1]x:80", "[::1]x:80", (None, "[::1]x:80", None)), ("[]:", "[]", (None, "[]", ""))),
        ("[a@b]:1", "b]", ("[a", "b]", "1")),
    ]:
        start, end = find_host_span(f"//{authority}/", 2, 2 + len(authority))
        assert f"//{authority}/"[start:end] == host
        assert split_authority(authority) == parts


@given(st.text(characters(), max_size=12))
def test_the_parts_of_an_authority_compose_to_the_authority(authority: str) -> None:
    userinfo, host, port = split_authority(authority)
    before = "" if userinfo is None else f"{userinfo}@"
    after = "" if port is None else f":{port}"
    assert before + host + after == authority
