"""Matching: which URIs match a template, and the values of the variables."""

from __future__ import annotations

from typing import Any

import pytest

from uriverse import IRI, URI, IRIReference, TemplateError, URIReference
from uriverse.templates import Template

#: No match.
NO = None


def variables_in(text: str, uri: str, **options: Any) -> dict[str, Any] | None:
    """Return the values; `None` for no match."""
    found = Template(text, **options).match(uri)
    return None if found is None else found.variables


def check(text: str, cases: dict[str, dict[str, Any] | None], **options: Any) -> None:
    """Compare the values in some URIs."""
    template = Template(text, **options)
    found = {uri: template.match(uri) for uri in cases}
    assert {uri: match and match.variables for uri, match in found.items()} == cases
    for uri, values in cases.items():
        everything = template.match_all(uri)
        assert [match.variables for match in everything] == ([] if values is None else [values])


def test_a_variable_takes_one_segment() -> None:
    check(
        "/a/{b}",
        {
            "/a/x": {"b": "x"},
            "/a/x%20y": {"b": "x y"},
            "/a/%C3%A9": {"b": "\u00e9"},
            "/a/+": {"b": "+"},
            "/a/...": {"b": "..."},
            "/a/": NO,
            "/a": NO,
            "/a/x/": NO,
            "/a/x/y": NO,
            "/A/x": NO,
            "": NO,
        },
    )


def test_a_variable_takes_reserved_characters_that_the_template_does_not_use() -> None:
    check("/{a}", {"/a:b@c;d=e,f!$&'()*+": {"a": "a:b@c;d=e,f!$&'()*+"}})
    check("/{a}:{b}", {"/x:y@z": {"a": "x", "b": "y@z"}, "/x:y:z": NO})
    check("/{a}.{b}.json", {"/x.y.json": {"a": "x", "b": "y"}, "/x.json": NO})
    check("/{a}{;b}", {"/x;b=1": {"a": "x", "b": "1"}, "/x;c": NO, "/x=y": {"a": "x=y"}})


def test_percent_encoded_triplets_and_names_are_compared_in_normal_form() -> None:
    check("/a~%41%2f{b}", {"/%61%7EA%2Fx": {"b": "x"}, "/a~A%2fx": {"b": "x"}, "/a~A/x": NO})
    check("x{;%41}", {"x;A=1": {"%41": "1"}, "x;%41=1": {"%41": "1"}})
    check("{?%41*}", {"?%41=1&A=2": {"%41": ["1", "2"]}})
    check("{?a,%41}", {"?%61=1&A=2": {"a": "1", "%41": "2"}})
    check("/\u00e9/{a}", {"/%c3%A9/x": {"a": "x"}})


def test_presence_of_scheme_and_authority_is_that_of_the_template() -> None:
    check(
        "http://h/{a}",
        {
            "http://h/x": {"a": "x"},
            "//h/x": NO,
            "/x": NO,
            "https://h/x": NO,
            "http://h:80/x": NO,
            "http://u@h/x": NO,
        },
    )
    check("/a/{b}", {"//a/x": NO, "http:/a/x": NO, "/a/x": {"b": "x"}})
    check("//{a}", {"//x": {"a": "x"}, "//x/": NO, "x": NO})
    check("mailto:{a}@{b}", {"mailto:me@x": {"a": "me", "b": "x"}, "mailto:me@x@y": NO})
    check("{a}", {"x": {"a": "x"}, "x:y": NO, "//x": NO})


def test_schemes_and_hosts_ignore_the_case_and_values_keep_it() -> None:
    check(
        "http://h.Example/{a}",
        {"HTTP://H.example/X": {"a": "X"}, "http://%48.example/x": {"a": "x"}},
    )
    check("MAILTO:{a}", {"mailto:X": {"a": "X"}})
    check("{a}://h/", {"HTTP://h/": {"a": "HTTP"}, "x+y.z-1://h/": {"a": "x+y.z-1"}, "//h/": NO})
    check("http://{a}/", {"http://X.Y/": {"a": "X.Y"}})
    check("/A", {"/a": NO, "/A": {}})
    check(
        "HTTP://Me@{a}.Example/X",
        {"http://Me@h.example/X": {"a": "h"}, "http://me@h.example/X": NO},
    )
    check("//U{a}@H", {"//Ux@h": {"a": "x"}, "//ux@h": NO})
    check("//H:80/@A", {"//h:80/@A": {}, "//h:80/@a": NO})


def test_a_variable_in_the_authority_takes_no_delimiters() -> None:
    check(
        "http://{a}/",
        {
            "http://x/": {"a": "x"},
            "http://x,y/": {"a": "x,y"},
            "http://x:80/": NO,
            "http://u@x/": NO,
            "http:///": NO,
            "http://[::1]/": NO,
            "http://x%2Fy/": NO,
        },
    )
    check(
        "http://{a}:{b}/", {"http://x:80/": {"a": "x", "b": 80}, "http://x:/": NO}, types={"b": int}
    )
    check("http://{a}@{b}/", {"http://u@x/": {"a": "u", "b": "x"}, "http://u:p@x/": NO})
    check("http://h{.a*}/", {"http://h.x.y/": {"a": ["x", "y"]}, "http://h/": {}, "http://h./": NO})


def test_reserved_expansion_takes_several_segments() -> None:
    check(
        "/{+a}/x",
        {"/a/x": {"a": "a"}, "/a/b/x": {"a": "a/b"}, "/a/x/x": {"a": "a/x"}, "/a?/x": NO},
    )
    check("/{+a}{?b}", {"/x/y?b=1": {"a": "x/y", "b": "1"}, "/x/": {"a": "x/"}})


def test_reserved_expansion_at_the_start_may_contain_a_scheme_and_an_authority() -> None:
    check(
        "{+a}",
        {
            "http://h/x": {"a": "http://h/x"},
            "mailto:x": {"a": "mailto:x"},
            "/x": {"a": "/x"},
            "x": {"a": "x"},
            "x#f": NO,
        },
    )
    check("{+a}/x", {"http://h/x": {"a": "http://h"}, "h/x": {"a": "h"}, "/x": NO})


def test_reserved_values_keep_triplets_of_reserved_characters() -> None:
    check("/{+a}", {"/x%3F%41%20": {"a": "x%3FA "}, "/%25": {"a": "%25"}})
    check("{#a}", {"#%2F%252F/%C3%A9": {"a": "%2F%252F/\u00e9"}})


def test_expressions_with_several_variables_are_filled_from_the_left() -> None:
    check("/{a,b,c}", {"/x": {"a": "x"}, "/x,y": {"a": "x", "b": "y"}, "/x,y,z,0": NO, "/,y": NO})
    check("{/a,b}", {"/x": {"a": "x"}, "/x/y": {"a": "x", "b": "y"}, "": {}, "/": NO, "/x/y/z": NO})
    check("x{.a,b}", {"x": {}, "x.y": {"a": "y"}, "x.y.z": {"a": "y", "b": "z"}, "x.": NO})
    check("{#a,b}", {"#x": {"a": "x"}, "#x,y": {"a": "x", "b": "y"}, "": {}})


def test_exploded_variables_are_lists() -> None:
    check("{/a*}", {"/x": {"a": ["x"]}, "/x/y": {"a": ["x", "y"]}, "": {}, "/x//y": NO, "/x/": NO})
    check("{a*}", {"x": {"a": ["x"]}, "x,y": {"a": ["x", "y"]}, "": NO, ",": NO})
    check("x{.a*}", {"x": {}, "x.y.z": {"a": ["y", "z"]}})
    check("{#a*}", {"#x,y": {"a": ["x", "y"]}, "#": {"a": [""]}, "": {}})


def test_items_of_exploded_variables_may_be_empty() -> None:
    check("{#a*}", {"#,": {"a": ["", ""]}, "#,x": {"a": ["", "x"]}, "#x,": {"a": ["x", ""]}})
    check("x?{a*}", {"x?,x": {"a": ["", "x"]}, "x?": {"a": [""]}, "x?x,,y": {"a": ["x", "", "y"]}})
    check(
        "/{a*}", {"/,x": {"a": ["", "x"]}, "/": {"a": [""]}, "/,": {"a": ["", ""]}}, allow={"empty"}
    )
    check("x{/a*}", {"x/": {"a": [""]}, "x//y": {"a": ["", "y"]}, "x": {}}, allow={"empty"})
    check("x{.a*}", {"x.": {"a": [""]}, "x..y": {"a": ["", "y"]}, "x": {}}, allow={"empty"})


def test_path_parameters_have_the_order_of_the_template() -> None:
    check(
        "x{;a,b}",
        {
            "x": {},
            "x;a=1": {"a": "1"},
            "x;b=2": {"b": "2"},
            "x;a=1;b=2": {"a": "1", "b": "2"},
            "x;b=2;a=1": NO,
            "x;a": NO,
            "x;a=": NO,
            "x;c=3": NO,
            "x;a=1;a=2": NO,
        },
    )
    check("x{;a}", {"x;a": {"a": ""}, "x;a=": {"a": ""}, "x;a=1": {"a": "1"}}, allow={"empty"})
    check(
        "x{;a*}",
        {
            "x": {},
            "x;a=1;a=2": {"a": ["1", "2"]},
            "x;b=1;c=2": {"a": {"b": "1", "c": "2"}},
            "x;a=1;b=2": NO,
            "x;b=1;b=2": NO,
            "x;a": NO,
        },
    )


def test_parameters_of_a_query_may_have_any_order() -> None:
    check(
        "x{?a,b}",
        {
            "x": {},
            "x?a=1&b=2": {"a": "1", "b": "2"},
            "x?b=2&a=1": {"a": "1", "b": "2"},
            "x?a": {"a": ""},
            "x?a=": {"a": ""},
            "x?a=+%2B/?:@": {"a": "++/?:@"},
            "x?a=1&a=2": NO,
        },
    )
    check("x?f=1{&a}", {"x?f=1": {}, "x?a=2&f=%31": {"a": "2"}, "x?f=2": NO, "x?f": NO, "x": NO})
    check("x?f{&a}", {"x?f": {}, "x?a=1&f": {"a": "1"}, "x?f=": NO, "x?f&f": NO})
    check("{?a}{&b}", {"?a=1&b=2": {"a": "1", "b": "2"}, "?b=2": {"b": "2"}, "": {}, "&b=1": NO})
    check("{?a}&f=1", {"?a=1&f=1": {"a": "1"}, "?f=1": {}, "": NO})


def test_a_parameter_may_have_literals_and_variables() -> None:
    check("?x={a}", {"?x=1": {"a": "1"}, "?y&x=": {"a": ""}, "?x": NO, "?x=1&x=2": NO, "?": NO})
    check("?x={a}-{b}&y={c}", {"?y=3&x=1-2": {"a": "1", "b": "2", "c": "3"}, "?x=1&y=3": NO})
    check("?x=1{a}2", {"?x=132": {"a": "3"}, "?x=13": NO})


def test_exploded_parameters_are_lists_or_mappings() -> None:
    check(
        "x{?a*}",
        {
            "x": {},
            "x?a=1": {"a": ["1"]},
            "x?a=1&b=3&a=2": {"a": ["1", "2"]},
            "x?b=1&c=2": {"a": {"b": "1", "c": "2"}},
            "x?b": {"a": {"b": ""}},
            "x?b=1&b=2": {},
            "x?": {},
        },
    )
    check("{?a*,b}", {"?b=1&c=2": {"a": {"c": "2"}, "b": "1"}, "?a=1&b=2": {"a": ["1"], "b": "2"}})
    check("{?a*}", {"?a=1&b=2": {"a": {"a": "1", "b": "2"}}, "?a=1&a=2": {}}, types={"a": dict})
    check("{?a*}", {"?a=1&b=2": {"a": ["1"]}, "?b=2": {}}, types={"a": list})


def test_lists_and_mappings_that_are_not_exploded_are_strings_without_a_type() -> None:
    check("{?a}", {"?a=1,2": {"a": "1,2"}})
    check("{?a}", {"?a=1,2": {"a": [1, 2]}, "?a=": NO, "?a=1,x": NO}, types={"a": list[int]})
    check("{?a}", {"?a=b,2,c,3": {"a": {"b": 2, "c": 3}}, "?a=b": NO}, types={"a": dict[str, int]})
    check("/{a}", {"/1,2": {"a": ["1", "2"]}, "/1,": NO}, types={"a": list})
    check("/{a}", {"/b,2": {"a": {"b": "2"}}, "/b,1,b,2": NO, "/b,": NO}, types={"a": dict})


def test_exploded_mappings_in_a_path_have_equals_signs() -> None:
    check(
        "{/a*}", {"/b=1/c=2": {"a": {"b": "1", "c": "2"}}, "/b": NO, "/b=": NO}, types={"a": dict}
    )
    check("{a*}", {"b=1,c=2": {"a": {"b": "1", "c": "2"}}, "b": NO}, types={"a": dict})


def test_a_query_of_another_form_is_a_sequence() -> None:
    check("x?{a}", {"x?y": {"a": "y"}, "x?y=1&z": {"a": "y=1&z"}, "x?": {"a": ""}, "x": NO})
    check("?{a}&{b}", {"?x&y": {"a": "x", "b": "y"}, "?x&y&z": NO})
    check("?x{a}=1", {"?xy=1": {"a": "y"}, "?xy=2": NO, "?xy=1&z": NO})
    check("?x=1{?a}", {"?x=1": {}, "?x=1?a=2": {"a": "2"}, "?x=1&a=2": NO})
    check("x?{?a}", {"x?": {}, "x??a=2": {"a": "2"}, "x?a=2": NO})
    check("?{a,b}", {"?1,2": {"a": "1", "b": "2"}, "?1": {"a": "1"}})


def test_a_fragment_is_matched() -> None:
    check("x#{a}", {"x#": {"a": ""}, "x#y": {"a": "y"}, "x#y/z": NO, "x": NO})
    check("x#y{a}", {"x#y": {"a": ""}, "x#yz": {"a": "z"}, "x#z": NO})
    check("x{#a}", {"x": {}, "x#": {"a": ""}, "x#/?%41": {"a": "/?A"}, "x?q#y": {"a": "y"}})
    check("{#a}x", {"#yx": {"a": "y"}, "#x": {"a": ""}, "x": NO})
    check("x#?{a}", {"x#?y": {"a": "y"}, "x?y": NO})
    check(
        "{?a}{#b}", {"?a=1#x": {"a": "1", "b": "x"}, "#x": {"b": "x"}, "?a=1": {"a": "1"}, "": {}}
    )
    check("x", {"x#": NO, "x#y": NO, "x": {}})
    check("#x{#a}", {"#x": {}, "#x#y": NO})


def test_a_query_that_the_template_requires_must_exist() -> None:
    check("x?", {"x?": {}, "x": NO, "x?y": {}})
    check("x?f", {"x": NO, "x?f": {}})


@pytest.mark.parametrize(
    ("text", "uri", "extra"),
    [
        ("x{?a}", "x", None),
        ("x{?a}", "x?a=1", None),
        ("x{?a}", "x?b=1&a=2&c", "b=1&c"),
        ("x{?a}", "x?b=%7a+%20", "b=%7a+%20"),
        ("x{?a}", "x?", ""),
        ("x{?a}", "x?a=1&", ""),
        ("x{?a}", "x?a=1&&b", "&b"),
        ("x", "x?y=1", "y=1"),
        ("x?", "x?", None),
        ("x?", "x?y", "y"),
        ("x?y", "x?z&y", "z"),
        ("x?{a}", "x?y&z", None),
        ("x?y={a}{#b}", "x?y=1&z#b", "z"),
    ],
)
def test_other_parameters_are_extra(text: str, uri: str, extra: str | None) -> None:
    found = Template(text).match(uri)
    assert found is not None
    assert str(found.extra) == (extra or "")
    strict = Template(text, extra=False)
    assert (strict.match(uri) is None) is (extra is not None)
    assert len(strict.match_all(uri)) == (extra is None)


def test_a_variable_that_occurs_twice_has_one_value() -> None:
    check("/{a}/{a}", {"/x/x": {"a": "x"}, "/x/%78": {"a": "x"}, "/x/y": NO})
    check("/{a}{?a}", {"/x?a=x": {"a": "x"}, "/x?a=y": NO, "/x": {"a": "x"}})
    check("/{a}{;a}", {"/x;a=x": {"a": "x"}, "/x;a=y": NO, "/x": NO})
    check("/{a}{#a}", {"/x#x": {"a": "x"}, "/x#y": NO, "/x": NO})
    check("{/a}{.a}", {"/x.x": {"a": "x"}, "": {}, "/x": NO})


def test_prefixes_are_compared_with_the_whole_value() -> None:
    check("/{a:2}/{a}", {"/ab/abc": {"a": "abc"}, "/a/a": {"a": "a"}, "/ab/xbc": NO, "/a/abc": NO})
    check("/{a:2}", {"/ab": {"a": "ab"}, "/\u00e9": NO, "/%C3%A9b": {"a": "\u00e9b"}, "/abc": NO})
    check("/{a:1}/{a:2}", {"/a/ab": {"a": "ab"}, "/b/ab": NO, "/ab/ab": NO})
    check("/{a:1}{?a:2}", {"/x?a=xy": {"a": "xy"}, "/x": {"a": "x"}, "/x?a=y": NO})
    check("{?a:2}", {"?a=bc": {"a": "bc"}, "?a=bcd": NO})


def test_iri_templates_match_iris() -> None:
    check("/{a}", {"/\u00e9": {"a": "\u00e9"}, "/%C3%A9": {"a": "\u00e9"}}, iri=True)
    check("/\u00e9/{a}", {"/\u00e9/\u00fc": {"a": "\u00fc"}, "/%c3%a9/x": {"a": "x"}}, iri=True)
    check("//\u00e9/{a}", {"//\u00e9/x": {"a": "x"}, "//\u00c9/x": NO}, iri=True)
    check("{?a}", {"?a=\ue000": {"a": "\ue000"}}, iri=True)
    found = Template("/{a}", iri=True).match("/x?\u00e9=1")
    assert found
    assert str(found.extra) == "\u00e9=1"


@pytest.mark.parametrize("text", ["/%zz", "/a b", "http://[x", "\ud800", "/\u00e9", "/x#y#z"])
def test_a_string_that_is_not_a_uri_reference_does_not_match(text: str) -> None:
    assert Template("{+a}").match(text) is None
    assert Template("{+a}").match_all(text) == []


def test_values_of_the_four_types_are_accepted() -> None:
    template = Template("x:/{a}")
    for kind in (URI, URIReference, IRI, IRIReference):
        found = template.match(kind("x:/y"))
        assert found
        assert found.variables == {"a": "y"}
    assert template.match(IRI("x:/\u00e9")) is None
    iri = Template("x:/{a}", iri=True).match(IRI("x:/\u00e9"))
    assert iri
    assert iri.variables == {"a": "\u00e9"}


@pytest.mark.parametrize("uri", [None, b"/x", 1, ["/x"]])
def test_another_type_is_a_type_error(uri: Any) -> None:
    for method in (Template("/{a}").match, Template("/{a}").match_all):
        with pytest.raises(TypeError):
            method(uri)


def test_more_than_one_way_to_match_is_an_error() -> None:
    template = Template("http://u:secret@h/{a}-{b}")
    uri = "http://u:secret@h/x-y-z"
    with pytest.raises(TemplateError) as caught:
        template.match(uri)
    error = caught.value
    assert (error.text, error.position, error.component) == (uri, 0, "text")
    assert (error.rule, error.variable) == ("URI-Template", None)
    assert error.reason == "the URI matches the template in more than one way"
    assert error.hint.startswith("use match_all")
    assert "secret" not in str(error)
    assert [match.variables for match in template.match_all(uri)] == [
        {"a": "x-y", "b": "z"},
        {"a": "x", "b": "y-z"},
    ]


def test_ways_with_values_that_are_refused_do_not_count() -> None:
    check(
        "/{a}-{b}", {"/x-2": {"a": "x", "b": 2}, "/x-y-2": {"a": "x-y", "b": 2}}, types={"b": int}
    )
    assert variables_in("/{a}{b}", "/..a") is None
    assert variables_in("/{a}-{b}", "/.-x-y") == {"a": ".-x", "b": "y"}


def test_equal_parameters_of_a_form_and_of_a_literal_do_not_match_twice() -> None:
    check("?a=1{&a}", {"?a=1": NO, "?a=1&a=2": NO})


def test_match_all_returns_at_most_limit_matches() -> None:
    template = Template("{a}{b}")
    assert len(template.match_all("x" * 10)) == 9
    assert len(template.match_all("x" * 40)) == 16
    assert len(template.match_all("x" * 40, limit=3)) == 3
    assert template.match_all("x" * 40, limit=0) == []
    assert len(template.match_all("x" * 1000, limit=1000)) == 256


def test_a_template_may_write_more_parameters_than_python_can_recurse() -> None:
    text = "?" + "&".join(f"a{n}=" for n in range(1200))
    found = Template(text + "{&x}").match(text + "&x=1")
    assert found is not None
    assert found.variables == {"x": "1"}


def test_too_many_ways_are_an_error_even_if_all_are_refused() -> None:
    template = Template("/{a}{b}")
    assert template.match("/" + "%2F" * 200) is None
    with pytest.raises(TemplateError, match="too many ways to match"):
        template.match("/" + "%2F" * 300)
    assert template.match_all("/" + "%2F" * 300) == []


@pytest.mark.parametrize(
    ("text", "matching", "other"),
    [
        ("https://User@Host/x{y}", "HTTPS://User@hOST/x1", "https://user@host/x1"),
        ("https://{u}:Pw@H{x}/", "https://a:Pw@hq/", "https://a:pw@hq/"),
        ("//A@B/{x}", "//A@b/1", "//a@b/1"),
    ],
)
def test_the_userinfo_keeps_its_case(text: str, matching: str, other: str) -> None:
    assert Template(text).match(matching) is not None
    assert Template(text).match(other) is None


def test_parameters_in_a_fragment_are_matched() -> None:
    check(
        "/#/users{?page,sort}",
        {
            "/#/users?page=2&sort=n": {"page": "2", "sort": "n"},
            "/#/users?sort=n": {"sort": "n"},
            "/#/users": {},
            "/#/users&page=2": NO,
            "/#/users?page=2?sort=n": NO,
        },
    )
    found = Template("#{?tags*}", types={"tags": list}).match("#?tags=a&tags=b&tags=c")
    assert found is not None
    assert found.variables == {"tags": ["a", "b", "c"]}


def test_a_query_that_is_no_list_of_parameters_is_a_sequence() -> None:
    check("/s?{;x}", {"/s?;x=1": {"x": "1"}, "/s?x=1": NO})
    check("/s{?q}/{x}", {"/s?abc": NO, "/s?q=1/y": {"q": "1", "x": "y"}})
    found = Template("/s{?q*}/x", types={"q": list}).match("/s?q=1&q=2/x")
    assert found is not None
    assert found.variables == {"q": ["1", "2"]}
    check("/d?{x}{/x}", {"/d?a": NO, "/d?a/a": {"x": "a"}})


def test_names_in_an_authority_are_compared_in_lower_case() -> None:
    check("https://h{;X}/", {"https://h;X=a/": {"X": "a"}, "https://H;x=A/": {"X": "A"}})


def test_each_pair_of_a_mapping_has_an_equals_sign() -> None:
    template = Template("{#x*}", types={"x": dict})
    assert template.match("#a") is None
    found = template.match("#a=")
    assert found is not None
    assert found.variables == {"x": {"a": ""}}


def test_long_literals_match() -> None:
    text = "/" + "a" * 5000
    check(text + "/{x}", {text + "/1": {"x": "1"}, text + "a/1": NO})
    check("/{x}" + text, {"/1" + text: {"x": "1"}, "/1" + text + "a": NO})


def test_empty_parameters_that_the_template_writes_are_not_others() -> None:
    for text in ("/x?&&y", "/x?&&", "/x?&{a}"):
        for extra in (True, False):
            found = Template(text, extra=extra).match(Template(text).expand(a="y"))
            assert found is not None
            assert str(found.extra) == ""
    assert Template("/x", extra=False).match("/x?") is None
