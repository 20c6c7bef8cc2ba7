"""A URL pattern without regular expressions is a template that matches no other URIs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from uriverse import TemplateError
from uriverse.templates import Template, template_from_url_pattern


@pytest.mark.parametrize(
    ("pattern", "template"),
    [
        ("https://example.com/books/:id", "https://example.com/books/{id}"),
        ("HTTPS://Example.com/:a/*/:b.js", "HTTPS://Example.com/{a}/{+0}/{b}.js"),
        ("https://{example}.com/{a}b", "https://example.com/ab"),
        ("https://*.example.com", "https://{0}.example.com/{+1}"),
        (":scheme://example.com:8080/", "{scheme}://example.com:8080/"),
        ("https://example.com::port/", "https://example.com:{port}/"),
        ("https://[\\:\\:1]:80/", "https://[::1]:80/"),
        ("https://example.com/\\:a/\\*", "https://example.com/:a/%2A"),
        ("https://example.com/é/\\{", "https://example.com/%C3%A9/%7B"),
        ("https://example.com/:$a", "https://example.com/{%24a}"),
        ("https://example.com/a?q=:q&r=1", "https://example.com/a?q={q}&r=1"),
        ("https://example.com/a?q=*", "https://example.com/a?q={0}"),
        ("https://example.com/a?*", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com?a", "https://example.com/?a"),
        ("https://example.com/*#*", "https://example.com/{+0}{#1}"),
        ("https://example.com/a#:b", "https://example.com/a#{b}"),
        ("https://example.com#", "https://example.com/"),
        ({"pathname": "/a/:b"}, "/a/{b}"),
        ({"pathname": ":a/b"}, "{a}/b"),
        ({"pathname": "*"}, "/{+0}"),
        ({"pathname": ""}, ""),
        ({"pathname": "/a", "search": "?b=:c", "hash": "#d"}, "/a?b={c}#d"),
        ({"pathname": "/a", "search": "b", "hash": "d"}, "/a?b#d"),
        ({"protocol": "https:", "hostname": "example.com"}, "https://example.com/{+0}"),
        ({"protocol": "https", "pathname": "/a"}, "https://{0}/a"),
        ({"hostname": "example.com", "pathname": "/a"}, "{0}://example.com/a"),
        ({"port": "80", "pathname": "/a"}, "{0}://{1}:80/a"),
        ({"hostname": "a", "port": "", "username": "*", "password": "*"}, "{0}://a/{+1}"),
    ],
)
def test_a_pattern_is_a_template(pattern: str | Mapping[str, str], template: str) -> None:
    assert str(template_from_url_pattern(pattern)) == template


def matched(pattern: str | Mapping[str, str], uri: str) -> dict[str, Any] | None:
    """Match a URI against the template of a pattern; return the variables."""
    match = template_from_url_pattern(pattern).match(uri)
    return None if match is None else match.variables


def test_a_name_takes_a_part_of_a_segment() -> None:
    pattern = "https://example.com/:name.js"
    assert matched(pattern, "https://example.com/a%20b.js") == {"name": "a b"}
    assert matched(pattern, "https://example.com/a/b.js") is None
    assert matched(pattern, "https://example.com/.js") is None


def test_a_wildcard_in_the_path_takes_slashes_and_nothing() -> None:
    pattern = "https://example.com/*"
    for path in ("", "a", "a/b", "a//b", "a/"):
        assert matched(pattern, f"https://example.com/{path}") == ({"0": path})
    assert matched(pattern, "https://example.com") is None
    assert matched(pattern, "https://example.com.evil.example/") is None


def test_a_wildcard_in_the_hostname_takes_labels() -> None:
    pattern = "https://*.example.com/"
    assert matched(pattern, "https://a.b.example.com/") == {"0": "a.b"}
    assert matched(pattern, "https://example.com/") is None
    assert matched(pattern, "https://evil.example/.example.com/") is None
    assert matched(pattern, "https://me@a.example.com/") is None


def test_a_search_is_the_whole_query() -> None:
    pattern = "https://example.com/a?q=:q"
    assert matched(pattern, "https://example.com/a?q=1") == {"q": "1"}
    assert matched(pattern, "https://example.com/a?q=1&r") is None
    assert matched("https://example.com/a?", "https://example.com/a?r") is None
    assert matched("https://example.com/a#b", "https://example.com/a?r#b") is None
    assert matched("https://example.com/a?q=*", "https://example.com/a?q=1&r") == {"0": "1"}
    assert matched("https://example.com/a", "https://example.com/a?r") == {}


def test_a_pattern_without_a_hash_matches_no_fragment() -> None:
    assert matched("https://example.com/a", "https://example.com/a#b") is None
    assert matched("https://example.com/a#*", "https://example.com/a?b#c") is None
    assert matched("https://example.com/a?*#*", "https://example.com/a?b#c") == {"0": "c"}


def test_the_template_refuses_dot_segments_and_encoded_slashes() -> None:
    pattern = "https://example.com/*"
    for path in ("a/../b", "%2e%2e/b", "a%2Fb", "a\\b"):
        assert matched(pattern, f"https://example.com/{path}") is None


@pytest.mark.parametrize(
    ("pattern", "position", "reason"),
    [
        ("https://example.com/(a|b)", 20, "a template cannot contain a regular expression"),
        ("https://example.com/:id?", 23, "a template cannot express a modifier"),
        ("https://example.com/**", 21, "a template cannot express a modifier"),
        ("http{s}?://example.com/", 7, "a template cannot express a modifier"),
        ("https://:sub.example.com/", 8, "a template cannot express a name in the hostname"),
        ("https://example.com:*/", 20, "a template cannot express an optional port"),
        ("https://example.com:8a/", 20, "invalid port"),
        ("https://bücher.example/", 9, "invalid character"),
        ("https://a b.example/", 9, "invalid character"),
        ("http_://example.com/", 4, "invalid character"),
        ("https:///a", 0, "invalid hostname"),
        ("https://me@example.com/", 8, "a template cannot contain userinfo"),
        ("https://example.com/:a/:a", 23, "duplicate name 'a'"),
        ("https://example.com/a/../b", 19, "dot segment in path"),
        ("https://example.com/%2e", 19, "dot segment in path"),
        ("https://example.com/%zz", 0, "invalid percent-encoding"),
        ("https://example.com/a|b", 21, "invalid character"),
        ("/books/:id", 0, "missing protocol"),
        ({"hostname": "bad]name"}, 0, "invalid hostname"),
        ({"hostname": "example.com", "pathname": "a"}, 0, 'a path must start with "/"'),
        ({"pathname": "*/a"}, 0, 'a path must start with "/"'),
        ({"search": "a"}, 0, "missing pathname"),
        ({"pathname": "/", "username": "me"}, 0, "a template cannot contain userinfo"),
        ({"pathname": "/", "baseURL": "https://a.example"}, 0, "a template cannot contain a base"),
    ],
)
def test_a_pattern_that_no_template_can_express_is_an_error(
    pattern: str | Mapping[str, str], position: int, reason: str
) -> None:
    with pytest.raises(TemplateError) as caught:
        template_from_url_pattern(pattern)
    error = caught.value
    assert error.reason.startswith(reason)
    assert error.position == position
    assert error.rule == "URLPattern"


def test_a_pattern_is_a_string_or_a_mapping_of_components() -> None:
    wrong: Any
    for wrong in (1, None, {"pathname": 1}):
        with pytest.raises(TypeError, match="str"):
            template_from_url_pattern(wrong)
    with pytest.raises(ValueError, match="unknown component of a URLPattern: 'path'"):
        template_from_url_pattern({"path": "/a"})


def test_expansion_is_the_inverse_of_matching() -> None:
    template = template_from_url_pattern("https://*.example.com/:id/*")
    assert isinstance(template, Template)
    uri = "https://a.example.com/7/b/c"
    match = template.match(uri)
    assert match is not None
    assert str(template.expand(match.variables)) == uri
