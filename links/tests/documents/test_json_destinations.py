"""Which strings of JSON, JSON Lines and HTTP archives are destinations."""

from __future__ import annotations

import pytest

from uriverse import ParseError
from uriverse_links import links
from uriverse_links._json import find, find_in_archive

FOUND = {
    '["http://a/", "urn:a:b", "mailto:a@b", "x://y", "X:y", "a", "note: x", ":", "HTTP:x"]': [
        *("http://a/", "urn:a:b", "mailto:a@b", "x://y", "HTTP:x")
    ],
    '{"http://key/": 1, "http://key/" : "http:\\/\\/v\\u00e9"}': ["http://vé"],
    '{"a": "http://a/"}\n{"a": "http://b/"}\n': ["http://a/", "http://b/"],
    '\ufeff["\\u0068ttp://a/", "http://\\ud800", "http://a b/", -1.5e3, true, null]': ["http://a/"],
    '"http://a/"': ["http://a/"],
    "": [],
}
INVALID = {'["a': 1, '["\\x"]': 1, '["\n"]': 1, "[01]": 1, "[nul]": 1, "{'a': 1}": 1, "[1 x]": 3}
#: Documents with a bracket that is not closed or not opened, and the position of this bracket.
UNBALANCED = {
    '{"log":{"entries":[{"request":{"url":"https://a.ex/"}},': 0,
    '{"log":': 0,
    '{"a":"[{"}\n {"a":[1]\n': 12,
    "[1}": 2,
    "[] ]": 3,
}


@pytest.mark.parametrize("document", FOUND, ids=ascii)
def test_strings_that_are_uris_are_destinations(document: str) -> None:
    assert [each.destination for each in find(document)] == FOUND[document]


@pytest.mark.parametrize("document", UNBALANCED, ids=ascii)
def test_a_bracket_without_its_counterpart_is_rejected(document: str) -> None:
    for finder in (find, find_in_archive):
        with pytest.raises(ParseError, match="invalid JSON: ") as caught:
            list(finder(document))
        assert caught.value.position == UNBALANCED[document]


def test_documents_without_brackets_are_read_in_linear_time() -> None:
    assert not list(find("1 " * 300_000))


def test_brackets_in_strings_need_no_counterpart() -> None:
    for finder in (find, find_in_archive):
        assert not list(finder('{"]": "}", "a": ["\\"["]}'))


@pytest.mark.parametrize("document", INVALID, ids=ascii)
def test_invalid_tokens_are_rejected(document: str) -> None:
    for finder in (find, find_in_archive):
        with pytest.raises(ParseError) as caught:
            list(finder(document))
        assert caught.value.position == INVALID[document]


def test_urls_of_requests_and_redirects_are_found_in_an_archive() -> None:
    document = (
        '{"log": {"pages": [{"url": "x:no"}], "entries": [{"request": {"url": "x:1", "headers": '
        '[{"name": "url", "url": "x:no"}]}, "response": {"redirectURL": "/2", "content": {}}}, '
        '{"request": {"url": "x:3"}, "response": {"redirectURL": "", "status": 200}}]}}'
    )
    found = [(each.destination, each.kind) for each in find_in_archive(document)]
    assert found == [("x:1", "link"), ("/2", "redirect"), ("x:3", "link")]


@pytest.mark.parametrize("base", [None, "file:///tmp/a.har"])
@pytest.mark.parametrize(
    ("redirect", "target"),
    [
        ("/b", "http://h/b"),
        ("b?c", "http://h/a/b?c"),
        ("//i/", "http://i/"),
        ("#f", "http://h/a/x?q#f"),
        ("http://i/", "http://i/"),
    ],
)
def test_a_redirect_is_resolved_against_its_request(
    base: str | None, redirect: str, target: str
) -> None:
    request = '"request": {"cookies": [{}], "url": "http://h/a/x?q"}'
    response = f'"response": {{"headers": [], "redirectURL": "{redirect}"}}'
    other = '{"request": {"url": "http://other/"}, "response": {"redirectURL": "o"}}'
    for first, second in ((request, response), (response, request)):
        document = f'{{"log": {{"entries": [{other}, {{{first}, {second}}}, {other}]}}}}'
        found = [link for link in links(document, "har", base=base) if link.kind == "redirect"]
        others = "http://other/o"
        assert [str(link.target) for link in found] == [others, target, others]


def test_the_query_of_a_very_long_request_is_no_part_of_a_base() -> None:
    document = '{"request": {"url": "http://h/%s"}, "response": {"redirectURL": "b"}}'
    assert str(links(document % ("a?" + "b" * 9000), "har")[1].target) == "http://h/b"
    with pytest.raises(ParseError, match="base longer than") as caught:
        links(document % ("a" * 9000), "har")
    assert caught.value.position == document.index("http")


def test_a_redirect_without_a_request_has_the_base_of_the_document() -> None:
    document = '"response": {"redirectURL": "a"} {"request": {"redirectURL": "b"}}'
    (link,) = links(document, "har", base="http://h/")
    assert str(link.target) == "http://h/a"
