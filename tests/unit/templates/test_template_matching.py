from typing import Any

import pytest
from matches import captured

from uriverse import IRI, URI, IRIReference, TemplateError, URIReference
from uriverse.templates import Router, Template

#: No match.
NO = None

LONG = "a" * 5000


Values = dict[str, dict[str, Any] | None]


def case(text: str, values: Values, no: str = "", **options: Any) -> tuple[str, Values, Any]:
    """Return a template, the values in some URIs, and options; `no` has URIs without a match."""
    return text, {**values, **dict.fromkeys(no.split())}, options


CASES = [
    # A variable takes one segment.
    case("/a/{b}", {"/a/x": {"b": "x"}, "/a/x%20y": {"b": "x y"}, "/a/%C3%A9": {"b": "é"}}),
    case("/a/{b}", {"/a/+": {"b": "+"}, "/a/...": {"b": "..."}, "": NO}, no="/a/ /a /a/x/ /a/x/y"),
    case("/a/{b}", {}, no="/A/x"),
    # A variable takes reserved characters that the template does not use.
    case("/{a}", {"/a:b@c;d=e,f!$&'()*+": {"a": "a:b@c;d=e,f!$&'()*+"}}),
    case("/{a}:{b}", {"/x:y@z": {"a": "x", "b": "y@z"}}, no="/x:y:z"),
    case("/{a}.{b}.json", {"/x.y.json": {"a": "x", "b": "y"}}, no="/x.json"),
    case("/{a}{;b}", {"/x;b=1": {"a": "x", "b": "1"}, "/x=y": {"a": "x=y"}}, no="/x;c"),
    # Percent encoded triplets and names are compared in normal form.
    case("/a~%41%2f{b}", {"/%61%7EA%2Fx": {"b": "x"}, "/a~A%2fx": {"b": "x"}}, no="/a~A/x"),
    case("x{;%41}", {"x;A=1": {"%41": "1"}, "x;%41=1": {"%41": "1"}}),
    case("{?%41*}", {"?%41=1&A=2": {"%41": ["1", "2"]}}),
    case("{?a,%41}", {"?%61=1&A=2": {"a": "1", "%41": "2"}}),
    case("/é/{a}", {"/%c3%A9/x": {"a": "x"}}),
    # Presence of scheme and authority is that of the template.
    case("http://h/{a}", {"http://h/x": {"a": "x"}}, no="//h/x /x https://h/x http://h:80/x"),
    case("http://h/{a}", {}, no="http://u@h/x"),
    case("/a/{b}", {"/a/x": {"b": "x"}}, no="//a/x http:/a/x"),
    case("//{a}", {"//x": {"a": "x"}}, no="//x/ x"),
    case("mailto:{a}@{b}", {"mailto:me@x": {"a": "me", "b": "x"}}, no="mailto:me@x@y"),
    case("{a}", {"x": {"a": "x"}}, no="x:y //x"),
    # Schemes and hosts ignore the case and values keep it.
    case("http://h.Example/{a}", {"HTTP://H.example/X": {"a": "X"}}),
    case("http://h.Example/{a}", {"http://%48.example/x": {"a": "x"}}),
    case("MAILTO:{a}", {"mailto:X": {"a": "X"}}),
    case("{a}://h/", {"HTTP://h/": {"a": "HTTP"}, "x+y.z-1://h/": {"a": "x+y.z-1"}}, no="//h/"),
    *(case("http://{a}/", {"http://X.Y/": {"a": "X.Y"}}), case("/A", {"/A": {}}, no="/a")),
    case("HTTP://Me@{a}.Example/X", {"http://Me@h.example/X": {"a": "h"}}),
    case("HTTP://Me@{a}.Example/X", {}, no="http://me@h.example/X"),
    case("//U{a}@H", {"//Ux@h": {"a": "x"}}, no="//ux@h"),
    case("//H:80/@A", {"//h:80/@A": {}}, no="//h:80/@a"),
    # A variable in the authority takes no delimiters.
    case("http://{a}/", {"http://x/": {"a": "x"}, "http://x,y/": {"a": "x,y"}}, no="http://x:80/"),
    case("http://{a}/", {}, no="http://u@x/ http:/// http://[::1]/ http://x%2Fy/"),
    case("http://{a}:{b}/", {"http://x:80/": {"a": "x", "b": 80}}, types={"b": int}),
    case("http://{a}:{b}/", {}, no="http://x:/", types={"b": int}),
    case("http://{a}@{b}/", {"http://u@x/": {"a": "u", "b": "x"}}, no="http://u:p@x/"),
    case("http://h{.a*}/", {"http://h.x.y/": {"a": ["x", "y"]}, "http://h/": {}}, no="http://h./"),
    # Reserved expansion takes several segments.
    case("/{+a}/x", {"/a/x": {"a": "a"}, "/a/b/x": {"a": "a/b"}, "/a/x/x": {"a": "a/x"}}),
    case("/{+a}/x", {}, no="/a?/x"),
    case("/{+a}{?b}", {"/x/y?b=1": {"a": "x/y", "b": "1"}, "/x/": {"a": "x/"}}),
    # Reserved expansion at the start may contain a scheme and an authority.
    case("{+a}", {"http://h/x": {"a": "http://h/x"}, "mailto:x": {"a": "mailto:x"}}),
    case("{+a}", {"/x": {"a": "/x"}, "x": {"a": "x"}}, no="x#f"),
    case("{+a}/x", {"http://h/x": {"a": "http://h"}, "h/x": {"a": "h"}}, no="/x"),
    # Reserved values keep triplets of reserved characters.
    case("/{+a}", {"/x%3F%41%20": {"a": "x%3FA "}, "/%25": {"a": "%25"}}),
    case("{#a}", {"#%2F%252F/%C3%A9": {"a": "%2F%252F/é"}}),
    # Expressions with several variables are filled from the left.
    case("/{a,b,c}", {"/x": {"a": "x"}, "/x,y": {"a": "x", "b": "y"}}, no="/x,y,z,0 /,y"),
    case("{/a,b}", {"/x": {"a": "x"}, "/x/y": {"a": "x", "b": "y"}, "": {}}, no="/ /x/y/z"),
    case("x{.a,b}", {"x": {}, "x.y": {"a": "y"}, "x.y.z": {"a": "y", "b": "z"}}, no="x."),
    case("{#a,b}", {"#x": {"a": "x"}, "#x,y": {"a": "x", "b": "y"}, "": {}}),
    # Exploded variables are lists.
    case("{/a*}", {"/x": {"a": ["x"]}, "/x/y": {"a": ["x", "y"]}, "": {}}, no="/x//y /x/"),
    case("{a*}", {"x": {"a": ["x"]}, "x,y": {"a": ["x", "y"]}, "": NO}, no=","),
    case("x{.a*}", {"x": {}, "x.y.z": {"a": ["y", "z"]}}),
    case("{#a*}", {"#x,y": {"a": ["x", "y"]}, "#": {"a": [""]}, "": {}}),
    # Items of exploded variables may be empty.
    case("{#a*}", {"#,": {"a": ["", ""]}, "#,x": {"a": ["", "x"]}, "#x,": {"a": ["x", ""]}}),
    case("x?{a*}", {"x?,x": {"a": ["", "x"]}, "x?": {"a": [""]}, "x?x,,y": {"a": ["x", "", "y"]}}),
    case("/{a*}", {"/,x": {"a": ["", "x"]}, "/": {"a": [""]}}, allow={"empty"}),
    case("/{a*}", {"/,": {"a": ["", ""]}}, allow={"empty"}),
    case("x{/a*}", {"x/": {"a": [""]}, "x//y": {"a": ["", "y"]}, "x": {}}, allow={"empty"}),
    case("x{.a*}", {"x.": {"a": [""]}, "x..y": {"a": ["", "y"]}, "x": {}}, allow={"empty"}),
    # Path parameters have the order of the template.
    case("x{;a,b}", {"x": {}, "x;a=1": {"a": "1"}, "x;b=2": {"b": "2"}}),
    case("x{;a,b}", {"x;a=1;b=2": {"a": "1", "b": "2"}}, no="x;b=2;a=1 x;a x;a= x;c=3 x;a=1;a=2"),
    case("x{;a}", {"x;a": {"a": ""}, "x;a=": {"a": ""}, "x;a=1": {"a": "1"}}, allow={"empty"}),
    case("x{;a*}", {"x": {}, "x;a=1;a=2": {"a": ["1", "2"]}}),
    case("x{;a*}", {"x;b=1;c=2": {"a": {"b": "1", "c": "2"}}}, no="x;a=1;b=2 x;b=1;b=2 x;a"),
    # Parameters of a query may have any order.
    case("x{?a,b}", {"x": {}, "x?a=1&b=2": {"a": "1", "b": "2"}}),
    case("x{?a,b}", {"x?b=2&a=1": {"a": "1", "b": "2"}, "x?a": {"a": ""}, "x?a=": {"a": ""}}),
    case("x{?a,b}", {"x?a=+%2B/?:@": {"a": "++/?:@"}}, no="x?a=1&a=2"),
    case("x?f=1{&a}", {"x?f=1": {}, "x?a=2&f=%31": {"a": "2"}}, no="x?f=2 x?f x"),
    case("x?f{&a}", {"x?f": {}, "x?a=1&f": {"a": "1"}}, no="x?f= x?f&f"),
    case("{?a}{&b}", {"?a=1&b=2": {"a": "1", "b": "2"}, "?b=2": {"b": "2"}, "": {}}, no="&b=1"),
    case("{?a}&f=1", {"?a=1&f=1": {"a": "1"}, "?f=1": {}, "": NO}),
    # A parameter may have literals and variables.
    case("?x={a}", {"?x=1": {"a": "1"}, "?y&x=": {"a": ""}}, no="?x ?x=1&x=2 ?"),
    case("?x={a}-{b}&y={c}", {"?y=3&x=1-2": {"a": "1", "b": "2", "c": "3"}}, no="?x=1&y=3"),
    case("?x=1{a}2", {"?x=132": {"a": "3"}}, no="?x=13"),
    # Exploded parameters are lists or mappings.
    case("x{?a*}", {"x": {}, "x?a=1": {"a": ["1"]}, "x?a=1&b=3&a=2": {"a": ["1", "2"]}}),
    case("x{?a*}", {"x?b=1&c=2": {"a": {"b": "1", "c": "2"}}, "x?b": {"a": {"b": ""}}}),
    case("x{?a*}", {"x?b=1&b=2": {}, "x?": {}}),
    case("{?a*,b}", {"?b=1&c=2": {"a": {"c": "2"}, "b": "1"}, "?a=1&b=2": {"a": ["1"], "b": "2"}}),
    case("{?a*}", {"?a=1&b=2": {"a": {"a": "1", "b": "2"}}, "?a=1&a=2": {}}, types={"a": dict}),
    case("{?a*}", {"?a=1&b=2": {"a": ["1"]}, "?b=2": {}}, types={"a": list}),
    # Lists and mappings that are not exploded are strings without a type.
    case("{?a}", {"?a=1,2": {"a": "1,2"}}),
    case("{?a}", {"?a=1,2": {"a": [1, 2]}}, no="?a= ?a=1,x", types={"a": list[int]}),
    case("{?a}", {"?a=b,2,c,3": {"a": {"b": 2, "c": 3}}}, no="?a=b", types={"a": dict[str, int]}),
    case("/{a}", {"/1,2": {"a": ["1", "2"]}}, no="/1,", types={"a": list}),
    case("/{a}", {"/b,2": {"a": {"b": "2"}}}, no="/b,1,b,2 /b,", types={"a": dict}),
    # Exploded mappings in a path have equals signs.
    case("{/a*}", {"/b=1/c=2": {"a": {"b": "1", "c": "2"}}}, no="/b /b=", types={"a": dict}),
    case("{a*}", {"b=1,c=2": {"a": {"b": "1", "c": "2"}}}, no="b", types={"a": dict}),
    # A query of another form is a sequence.
    case("x?{a}", {"x?y": {"a": "y"}, "x?y=1&z": {"a": "y=1&z"}, "x?": {"a": ""}}, no="x"),
    case("?{a}&{b}", {"?x&y": {"a": "x", "b": "y"}}, no="?x&y&z"),
    case("?x{a}=1", {"?xy=1": {"a": "y"}}, no="?xy=2 ?xy=1&z"),
    case("?x=1{?a}", {"?x=1": {}, "?x=1?a=2": {"a": "2"}}, no="?x=1&a=2"),
    case("x?{?a}", {"x?": {}, "x??a=2": {"a": "2"}}, no="x?a=2"),
    case("?{a,b}", {"?1,2": {"a": "1", "b": "2"}, "?1": {"a": "1"}}),
    # A fragment is matched.
    case("x#{a}", {"x#": {"a": ""}, "x#y": {"a": "y"}}, no="x#y/z x"),
    case("x#y{a}", {"x#y": {"a": ""}, "x#yz": {"a": "z"}}, no="x#z"),
    case("x{#a}", {"x": {}, "x#": {"a": ""}, "x#/?%41": {"a": "/?A"}, "x?q#y": {"a": "y"}}),
    case("{#a}x", {"#yx": {"a": "y"}, "#x": {"a": ""}}, no="x"),
    case("x#?{a}", {"x#?y": {"a": "y"}}, no="x?y"),
    case("{?a}{#b}", {"?a=1#x": {"a": "1", "b": "x"}, "#x": {"b": "x"}, "?a=1": {"a": "1"}}),
    *(case("{?a}{#b}", {"": {}}), case("x", {"x": {}}, no="x# x#y")),
    case("#x{#a}", {"#x": {}}, no="#x#y"),
    # A query that the template requires must exist.
    *(case("x?", {"x?": {}, "x?y": {}}, no="x"), case("x?f", {"x?f": {}}, no="x")),
    # A variable that occurs twice has one value.
    case("/{a}/{a}", {"/x/x": {"a": "x"}, "/x/%78": {"a": "x"}}, no="/x/y"),
    case("/{a}{?a}", {"/x?a=x": {"a": "x"}, "/x": {"a": "x"}}, no="/x?a=y"),
    case("/{a}{;a}", {"/x;a=x": {"a": "x"}}, no="/x;a=y /x"),
    case("/{a}{#a}", {"/x#x": {"a": "x"}}, no="/x#y /x"),
    case("{/a}{.a}", {"/x.x": {"a": "x"}, "": {}}, no="/x"),
    # Prefixes are compared with the whole value.
    case("/{a:2}/{a}", {"/ab/abc": {"a": "abc"}, "/a/a": {"a": "a"}}, no="/ab/xbc /a/abc"),
    case("/{a:2}", {"/ab": {"a": "ab"}, "/%C3%A9b": {"a": "éb"}}, no="/é /abc"),
    case("/{a:1}/{a:2}", {"/a/ab": {"a": "ab"}}, no="/b/ab /ab/ab"),
    case("/{a:1}{?a:2}", {"/x?a=xy": {"a": "xy"}, "/x": {"a": "x"}}, no="/x?a=y"),
    case("{?a:2}", {"?a=bc": {"a": "bc"}}, no="?a=bcd"),
    # Equal parameters of a form and of a literal do not match twice.
    case("?a=1{&a}", {}, no="?a=1 ?a=1&a=2"),
    # Names in an authority are compared in lower case.
    case("https://h{;X}/", {"https://h;X=a/": {"X": "a"}, "https://H;x=A/": {"X": "A"}}),
    # The userinfo keeps its case.
    case("https://User@Host/x{y}", {"HTTPS://User@hOST/x1": {"y": "1"}}, no="https://user@host/x1"),
    case("https://{u}:Pw@H{x}/", {"https://a:Pw@hq/": {"u": "a", "x": "q"}}),
    case("https://{u}:Pw@H{x}/", {}, no="https://a:pw@hq/"),
    case("//A@B/{x}", {"//A@b/1": {"x": "1"}}, no="//a@b/1"),
    # Parameters in a fragment are matched.
    case("/#/users{?page,sort}", {"/#/users?page=2&sort=n": {"page": "2", "sort": "n"}}),
    case("/#/users{?page,sort}", {"/#/users?sort=n": {"sort": "n"}, "/#/users": {}}),
    case("/#/users{?page,sort}", {}, no="/#/users&page=2 /#/users?page=2?sort=n"),
    case("#{?t*}", {"#?t=a&t=b&t=c": {"t": ["a", "b", "c"]}}, types={"t": list}),
    # A query that is no list of parameters is a sequence.
    case("/s?{;x}", {"/s?;x=1": {"x": "1"}}, no="/s?x=1"),
    case("/s{?q}/{x}", {"/s?q=1/y": {"q": "1", "x": "y"}}, no="/s?abc"),
    case("/s{?q*}/x", {"/s?q=1&q=2/x": {"q": ["1", "2"]}}, types={"q": list}),
    case("/d?{x}{/x}", {"/d?a/a": {"x": "a"}}, no="/d?a"),
    # Each pair of a mapping has an equals sign.
    case("{#x*}", {"#a=": {"x": {"a": ""}}}, no="#a", types={"x": dict}),
    # A name without "=", or an "=" without a value after ";", is an empty value only at its end.
    case("{?a}{b}", {"?a=": {"a": "", "b": ""}, "?a": {"a": "", "b": ""}}, no="?ab ?a/"),
    case("{?a}{+b}", {"?a&c": {"a": "", "b": "&c"}}, no="?ac"),
    case("?x{?a*}y", {"?x?a=y": {"a": [""]}}, no="?x?ay", types={"a": list}),
    case("?x{;a}{;c}", {"?x;a=;c=1": {"a": "", "c": "1"}, "?x;a;c=1": {"a": "", "c": "1"}}),
    case("?x{;a}y", {"?x;ay": {"a": ""}}, no="?x;a=y"),
    case("/x{&a}/y", {"/x&a/y": {"a": ""}}, no="/x&a;/y", allow={"empty"}),
    case("#{?a}/x", {"#?a=/x": {"a": ""}}, no="#?a/x"),
    case("#{?a}{&c}", {"#?a&c=1": {"a": "", "c": "1"}, "#?a=&c": {"a": "", "c": ""}}),
    # Ways with values that are refused do not count.
    case("/{a}-{b}", {"/x-2": {"a": "x", "b": 2}}, types={"b": int}),
    case("/{a}-{b}", {"/x-y-2": {"a": "x-y", "b": 2}}, types={"b": int}),
    *(case("/{a}{b}", {}, no="/..a"), case("/{a}-{b}", {"/.-x-y": {"a": ".-x", "b": "y"}})),
    # Long literals match.
    case(f"/{LONG}/{{x}}", {f"/{LONG}/1": {"x": "1"}}, no=f"/{LONG}a/1"),
    case(f"/{{x}}/{LONG}", {f"/1/{LONG}": {"x": "1"}}, no=f"/1/{LONG}a"),
    # IRI templates match IRIs.
    case("/{a}", {"/é": {"a": "é"}, "/%C3%A9": {"a": "é"}}, iri=True),
    case("/é/{a}", {"/é/ü": {"a": "ü"}, "/%c3%a9/x": {"a": "x"}}, iri=True),
    case("//é/{a}", {"//é/x": {"a": "x"}}, no="//É/x", iri=True),
    case("{?a}", {"?a=\ue000": {"a": "\ue000"}}, iri=True),
]


@pytest.mark.parametrize(("text", "cases", "options"), CASES)
def test_a_uri_has_the_values_that_the_template_captures(
    text: str, cases: Values, options: dict[str, Any]
) -> None:
    template = Template(text, **options)
    found = {uri: template.match(uri) for uri in cases}
    assert {uri: match and match.variables for uri, match in found.items()} == cases
    for uri, values in cases.items():
        everything = template.match_all(uri)
        assert [match.variables for match in everything] == ([] if values is None else [values])


def test_other_parameters_are_extra() -> None:
    for text, uri, extra in [
        *(("x{?a}", "x", None), ("x{?a}", "x?a=1", None), ("x{?a}", "x?b=1&a=2&c", "b=1&c")),
        *(("x{?a}", "x?b=%7a+%20", "b=%7a+%20"), ("x{?a}", "x?", ""), ("x{?a}", "x?a=1&", "")),
        *(("x{?a}", "x?a=1&&b", "&b"), ("x", "x?y=1", "y=1"), ("x?", "x?", None)),
        *(("x?", "x?y", "y"), ("x?y", "x?z&y", "z"), ("x?{a}", "x?y&z", None)),
        ("x?y={a}{#b}", "x?y=1&z#b", "z"),
    ]:
        found = Template(text).match(uri)
        assert found is not None
        assert str(found.extra) == (extra or "")
        strict = Template(text, extra=False)
        assert (strict.match(uri) is None) is (extra is not None)
        assert len(strict.match_all(uri)) == (extra is None)


def test_values_of_the_four_types_are_accepted() -> None:
    uri: Any
    method: Any
    template = Template("x:/{a}")
    for kind in (URI, URIReference, IRI, IRIReference):
        assert template.match(kind("x:/y")) == template.match("x:/y")
    assert template.match(IRI("x:/\u00e9")) is None
    found = Template("x:/{a}", iri=True).match(IRI("x:/\u00e9?\u00e9=1"))
    assert found
    assert (found.variables, str(found.extra)) == ({"a": "\u00e9"}, "\u00e9=1")
    # Another type is a type error.
    for uri in [None, b"/x", 1, ["/x"]]:
        for method in (Template("/{a}").match, Template("/{a}").match_all):
            with pytest.raises(TypeError):
                method(uri)
    # A string that is not a URI reference does not match.
    for text in ["/%zz", "/a b", "http://[x", "\ud800", "/\u00e9", "/x#y#z"]:
        assert Template("{+a}").match(text) is None
        assert Template("{+a}").match_all(text) == []


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
        *({"a": "x-y", "b": "z"}, {"a": "x", "b": "y-z"})
    ]


def test_match_all_returns_at_most_limit_matches() -> None:
    template = Template("{a}{b}")
    assert (len(template.match_all("x" * 10)), len(template.match_all("x" * 40))) == (9, 16)
    assert len(template.match_all("x" * 40, limit=3)) == 3
    assert template.match_all("x" * 40, limit=0) == []
    assert len(template.match_all("x" * 1000, limit=1000)) == 256
    # Too many ways are an error even if all are refused.
    template = Template("/{a}{b}")
    assert template.match("/" + "%2F" * 200) is None
    with pytest.raises(TemplateError, match="too many ways to match"):
        template.match("/" + "%2F" * 300)
    assert template.match_all("/" + "%2F" * 300) == []
    # A template may write more parameters than Python can recurse.
    text = "?" + "&".join(f"a{n}=" for n in range(1200))
    assert captured(Template(text + "{&x}").match(text + "&x=1")) == {"x": "1"}


def test_empty_parameters_that_the_template_writes_are_not_others() -> None:
    for text in ("/x?&&y", "/x?&&", "/x?&{a}"):
        for extra in (True, False):
            found = Template(text, extra=extra).match(Template(text).expand(a="y"))
            assert found is not None
            assert str(found.extra) == ""
    assert Template("/x", extra=False).match("/x?") is None


# --- names are compared in normal form, and queries that may lack their question mark are reported


def test_a_name_with_percent_encoded_triplets_matches() -> None:
    values: Any
    for text, values in [
        *(("{?%41}", {"%41": "x"}), ("{;%41}", {"%41": "x"}), ("{?%41*}", {"%41": ["x", "y"]})),
        ("{?%2f%c3%a9}", {"%2f%c3%a9": "x"}),
    ]:
        template = Template(text)
        for uri in (template.expand(values), template.expand(values).normalize()):
            match = template.match(uri)
            assert match is not None
            assert match.variables == values
    # A string with a lone surrogate has no route.
    router = Router({"page": "/{name}"})
    assert router.match("/\ud800") is None
    assert router.match("/\xe9") is None
    assert router.match("/%C3%A9") == ("page", {"name": "\xe9"})


def test_a_query_that_may_begin_with_an_ampersand_is_ambiguous() -> None:
    for text, reasons in [
        ("{?a}{&b}", ("b is not part of the query if a is undefined",)),
        ("{?a,c}/{&b}", ("b is not part of the query if a and c are undefined",)),
        *(("?x=1{&b}", ()), ("{?a}", ()), ("{&b}", ()), ("/{x}{?a}", ())),
    ]:
        found = [each for each in Template(text).ambiguities if "part of the query" in each]
        assert tuple(found) == reasons
