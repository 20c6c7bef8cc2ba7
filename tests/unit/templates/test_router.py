import pickle
from collections.abc import Mapping
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from misleading import MisleadingStr

from uriverse import IRI, URI, IRIReference, TemplateError, URIReference
from uriverse.templates import Route, Template, _routing
from uriverse.templates._order import compute_order


class Router(_routing.Router):
    """A router that matches each URI again, since the first match compiles templates."""

    __slots__ = ()

    def match(self, uri: str | URIReference | IRIReference, /) -> Route | None:
        first = result(super(), uri)
        assert result(super(), uri) == first
        return super().match(uri)


def names(router: Router, uri: str) -> list[str]:
    return [
        name
        for name in sorted(router, key=lambda name: compute_order(router[name]).key)
        if router[name].match(uri) is not None
    ]


def test_a_route_is_a_pair_of_the_name_and_the_variables() -> None:
    route = Router({"user": "/users/{id}"}).match("/users/7")
    assert route is not None
    name, variables = route
    assert (name, variables) == ("user", {"id": "7"})
    assert isinstance(route, Route)
    assert (route.name, route.variables) == ("user", {"id": "7"})
    # No template matches.
    router = Router({"user": "/users/{id}"})
    assert router.match("/users") is None
    assert router.match("/groups/1") is None
    for text in (
        *("not a URI", "/users/%zz", "/users/\ud800", "/users/ä", "/users/%", ":", "::/users/1"),
    ):
        assert router.match(text) is None
    assert Router().match("/") is None
    # A template added after a match is found.
    router = Router({"any": "/{x}"})
    assert router.match("/a") == ("any", {"x": "a"})
    router.add("a", "/a")
    assert router.match("/a") == ("a", {})
    # The repr of a route has no secrets.
    route = Router({"a": "/a{?token}"}).match("/a?token=s3cr3t")
    assert repr(route) == "Route(name='a', variables={'token': 'REDACTED'})"


def test_a_router_is_a_mapping_from_names_to_templates() -> None:
    router = Router([("b", "/b"), ("a", Template("/a"))])
    router.add("c", "/c")
    assert isinstance(router, Mapping)
    assert (list(router), len(router), router["a"]) == (["b", "a", "c"], 3, Template("/a"))
    assert "a" in router
    assert "d" not in router
    with pytest.raises(KeyError, match="'d'"):
        router["d"]
    # A router is shown and pickled with its templates.
    router = Router({"a": "/a/{x}"})
    router.match("/a/1")
    assert repr(router) == "Router({'a': Template('/a/{x}')})"
    again = pickle.loads(pickle.dumps(router))
    assert again == router
    assert again.match("/a/1") == ("a", {"x": "1"})


def test_build_is_the_inverse_of_match() -> None:
    router = Router({"user": "/users/{id}{?page}", "file": "https://{host}/f{/path*}"})
    for uri in ("/users/a%20b?page=2", "https://example.org/f/a/b"):
        route = router.match(uri)
        assert route is not None
        assert router.build(route.name, route.variables) == URIReference(uri)
    assert router.build("user", {"id": 1, "page": 2}, page=3) == URIReference("/users/1?page=3")
    assert router.build("user", id=1) == URIReference("/users/1")
    with pytest.raises(KeyError, match="'group'"):
        router.build("group")


def test_uris_of_all_types_are_matched() -> None:
    router = Router({"a": "https://example.org/{x}", "b": "/{x}"})
    assert router.match(URI("https://example.org/1")) == ("a", {"x": "1"})
    assert router.match(MisleadingStr("/1")) == ("b", {"x": "1"})
    wrong: Any
    for wrong in (b"/a", None, 3):
        with pytest.raises(TypeError, match="expected a str or a URI, not"):
            router.match(wrong)
        with pytest.raises(TypeError, match="expected a str or a URI, not"):
            Router().match(wrong)


def test_the_more_specific_template_wins_in_whichever_order_they_are_added() -> None:
    for uri, templates in [
        ("/users/me", ["/users/me", "/users/m{x}", "/users/{x}", "/users{/x}", "/users{/x*}"]),
        ("/a/b/c", ["/a/{x}/c", "/{x}/b/c", "/{x}/{y}/{z}", "/{x}/{+y}", "/{+x}"]),
        ("/a-b.json", ["/a-{x}.json", "/{x}.json", "/a-{x}", "/{x}", "{/x*}"]),
        ("/a", ["/a", "/a{/x}", "/a{/x*}{/y}", "/{+x}"]),
        *(("/a/b/end", ["/{+x}/end", "/{+x}"]), ("/ab/c", ["/ab{+x}", "/a{+x}", "/{+x}"])),
        (
            "https://example.org/a",
            [
                *("https://example.org/{x}", "https://{h}.org/a", "https://{h}/a", "{s}://{h}/a"),
                *("{+x}/a", "{+x}"),
            ],
        ),
        ("/a?x=1&yy=2", ["/a?x=1&yy={y}", "/a?yy=2", "/a?x={x}", "/a"]),
        ("/a#f", ["/a#f", "/a#{f}", "/a{#f}"]),
    ]:
        for added in [templates, templates[::-1], *list(permutations(templates))[:24]]:
            router = Router({text: text for text in added})
            assert names(router, uri) == templates
            route = router.match(uri)
            assert route is not None
            assert route.name == templates[0]


def test_a_template_whose_type_refuses_the_value_is_skipped() -> None:
    router = Router()
    router.add("name", "/{name}")
    router.add("id", Template("/{id}", types={"id": int}))
    router.add("key", Template("/{key}", types={"key": UUID}))
    assert router.match("/7") == ("id", {"id": 7})
    assert router.match("/07") == ("name", {"name": "07"})
    key = "12345678-1234-5678-1234-567812345678"
    assert router.match(f"/{key}") == ("key", {"key": UUID(key)})
    # A template without a fixed start is tried for every URI.
    router = Router({"page": "https://a.example/{page}", "any": "{+uri}"})
    assert names(router, "https://a.example/x") == ["page", "any"]
    for uri in ("https://b.example/x", "/x"):
        assert router.match(uri) == ("any", {"uri": uri})
    # A less specific path is tried if a more specific one ends elsewhere.
    router = Router({"one": "/a/{x}/c", "two": "/{y}/b/d", "three": "/{+z}"})
    assert router.match("/a/b/c") == ("one", {"x": "b"})
    assert router.match("/a/b/d") == ("two", {"y": "a"})
    assert router.match("/a/b/e") == ("three", {"z": "a/b/e"})
    # An ambiguous match is an error even if another template matches.
    router = Router({"two": "/{x}-{y}", "any": "/{z}"})
    assert router.match("/a-b") == ("two", {"x": "a", "y": "b"})
    assert router.match("/a") == ("any", {"z": "a"})
    with pytest.raises(TemplateError, match="more than one way"):
        router.match("/a-b-c")


def test_templates_with_the_same_order_are_tried_as_they_were_added() -> None:
    for templates in permutations(("/{x}b", "/a{x}")):
        route = Router({text: text for text in templates}).match("/a-b")
        assert route is not None
        assert route.name == templates[0]
    # A template without other parameters goes first.
    router = Router({"any": "/a"})
    router.add("exact", Template("/a", extra=False))
    assert router.match("/a") == ("exact", {})
    assert router.match("/a?b") == ("any", {})
    # Segments may start with many literals.
    starts = [f"{letter}{digit}" for letter in "abcdef" for digit in range(4)]
    router = Router({start: f"/{start}{{x}}/{{y}}" for start in starts})
    for start in starts:
        assert router.match(f"/{start}1/2") == (start, {"x": "1", "y": "2"})
    assert router.match("/g01/2") is None


def test_templates_that_differ_in_names_of_variables_are_a_conflict() -> None:
    for first, second in [
        *(("/a/{x}", "/a/{y}"), ("/a/{x}", "/%61/{y}")),
        ("https://example.org/{x}", "HTTPS://Example.ORG/{x}"),
        *(("/a{/x*}", "/a{/y*}"), ("/{x:3}", "/{y:3}"), ("/a{?x}", "/a{?y}")),
        *(("/a{?x}", "/a{?y,z*}"), ("/a?b=1&c={x}", "/a?c={y}&b=1"), ("/a?b={x}{&c}", "/a?b={y}")),
        *(("/a{#x}", "/a{#y}"), ("/{+x}", "/{+y}"), ("/a?{x}{y}", "/a?{y}{z}")),
    ]:
        router = Router({"one": first})
        reason = "the routes 'one' and 'two' match the same URIs"
        with pytest.raises(TemplateError) as caught:
            router.add("two", second)
        assert (caught.value.reason, caught.value.text, list(router)) == (reason, second, ["one"])
        with pytest.raises(TemplateError, match=reason):
            Router({"one": first, "two": second})


def test_templates_that_match_different_uris_are_not_a_conflict() -> None:
    for first, second in [
        *(("/a/{x}", "/b/{x}"), ("/a/{x}", "/a/{+x}"), ("/a{/x}", "/a{/x*}")),
        *(("/{x}/{x}", "/{x}/{y}"), ("/a{;x}", "/a{;y}"), ("/{x:3}", "/{y:4}"), ("/a", "/a?")),
        *(("/a", "/a#"), ("/a{#x}", "/a#{x}"), ("/a{?x}", "/a?{x}"), ("/a?b=1", "/a?b=2")),
        *(("/a?b={x}", "/a?c={x}"), ("/{x}{?x}", "/{x}{?y}"), ("/a?{x}&b", "/a?b&{x}")),
    ]:
        assert len(Router({"one": first, "two": second})) == 2
    # Templates with other types and options are not a conflict.
    templates = [
        *(Template("/{x}{?y}"), Template("/{x}{?y}", types={"x": int})),
        *(Template("/{x}{?y}", types={"x": UUID}), Template("/{x}{?y}", types={"y": int})),
        *(Template("/{x}{?z}", types={"z": int}), Template("/{x}{?y}", allow={"slash"})),
        *(Template("/{x}{?y}", extra=False), Template("/{x}{?y}", iri=True)),
    ]
    assert len(Router((str(n), template) for n, template in enumerate(templates))) == 8


def test_names_are_unique_strings() -> None:
    router = Router({"a": "/a"})
    with pytest.raises(ValueError, match="the name of a route must be unique: 'a'"):
        router.add("a", "/b")
    wrong: Any = 1
    with pytest.raises(TypeError, match="the name of a route must be a str, not int"):
        router.add(wrong, "/b")
    with pytest.raises(TypeError, match="a template must be a str, not int"):
        router.add("b", wrong)
    with pytest.raises(TemplateError, match="missing variable name"):
        router.add("b", "/{}")
    assert list(router) == ["a"]


def test_routes_are_found_by_each_spelling_of_a_uri() -> None:
    router = Router(
        {
            "a": "HTTPS://Example.org/~a/{x}",
            "b": "//example.org/{x}",
            "c": "urn:a:{x}",
            "d": "b/{x}",
        }
    )
    for uri in (
        *("https://example.org/~a/1", "Https://EXAMPLE.org/%7ea/%31", "https://example.org/%7Ea/1"),
    ):
        assert router.match(uri) == ("a", {"x": "1"})
    assert router.match("//EXAMPLE.org/1?x#".removesuffix("#")) == ("b", {"x": "1"})
    assert router.match("URN:a:1") == ("c", {"x": "1"})
    assert router.match("b/1?c/d#".removesuffix("#")) == ("d", {"x": "1"})
    assert router.match("https://user@example.org/~a/1") is None
    # IRIs are matched by templates for IRIs.
    router = Router({"a": Template("https://bücher.example/ä/{x}", iri=True)})
    assert router.match("https://bücher.example/ä/ö") == ("a", {"x": "ö"})
    assert router.match(IRI("https://b%C3%BCcher.example/%c3%a4/%C3%B6")) == ("a", {"x": "ö"})


# --- the law: a router does the same as trying all templates in order

LITERALS = ["a", "b", "A", "%61", "%2F", "ab", "/", "/", "//", ":", ".", "a.b", ";", "é", "-"]
EXPRESSIONS = ["{x}", "{y}", "{+x}", "{/x}", "{/x*}", "{/x,y}", "{x*}", "{.x}", "{;x}", "{x,y}"]
EXPRESSIONS += ["{+x,y}", "{x:1}"]
PREFIXES = ["", "", "//h", "https://h", "HTTPS://h", "https://u@h", "{x}://h", "https://{x}"]
PREFIXES += ["https://{y}.h", "https://{+x}", "https://h:{p}", "urn:", "{s}:", "{+x}", "//{h}"]
QUERIES = ["", "", "?a=1", "?a={x}", "{?a}", "?{q}", "?a=1&b", "{?x*}", "#f", "{#f}", "?", "#{f}"]
VALUES = ["", "a", "b", "h", "A/b", "%61", "é", ".", "1"]

PATHS = st.lists(st.sampled_from(LITERALS + EXPRESSIONS), max_size=6).map("".join)
TEMPLATES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(PREFIXES),
    st.sampled_from(["", "/"]),
    PATHS,
    st.sampled_from(QUERIES),
)


@st.composite
def routed(draw: st.DrawFn) -> tuple[Router, list[str]]:
    """Return a router, and URIs that are similar to expansions of its templates."""
    router = Router()
    iri = draw(st.booleans())
    for text in draw(st.lists(TEMPLATES, min_size=1, max_size=6, unique=True)):
        template = Template(text, iri=iri, allow={"empty"} if draw(st.booleans()) else set())
        try:
            router.add(text, template)
        except TemplateError:
            continue
    uris: list[str] = []
    for template in draw(st.lists(st.sampled_from(list(router.values())), min_size=1, max_size=8)):
        scalars = {variable.name for variable in template.variables if not variable.explode}
        values = {
            variable.name: draw(
                st.sampled_from([None, *VALUES])
                if variable.name in scalars
                else st.lists(st.sampled_from(VALUES), max_size=3)
            )
            for variable in template.variables
        }
        uri = template.expand_text(values)
        uris.append(draw(st.sampled_from([uri, uri, uri.upper(), uri.replace("a", "%61")])))
    return router, uris


def result(router: Any, uri: object) -> object:
    try:
        return router.match(uri)
    except TemplateError as error:
        return error.reason


def scanned(router: Router, uri: str) -> object:
    """Return the first of all templates that matches, in their order."""
    for name in sorted(router, key=lambda name: compute_order(router[name]).key):
        try:
            found = router[name].match(uri)
        except TemplateError as error:
            return error.reason
        if found is not None:
            return Route(name, found.variables)
    return None


@example((Router({"": "//h{/x}a"}), ["//ha"]))
@example((Router({"": "/abc{x}d", "_": "/ab{+x}"}), ["/ab", "/a", "/abcd", "/abc/d"]))
@example((Router({"": "s:a//{x}", "_": "b//{x}"}), ["s:a//c", "b//c", "//b//c", "s://a//c"]))
@example((Router({"": "s:{/x*}"}), ["s:", "s:/", "s:/a", "S:/a/b", "s://a"]))
@example((Router({"": "//h%2fi/{x}"}), ["//h%2Fi/a", "//H%2fI/a"]))
@example((Router({"": "/a{/x}b"}), ["/ab", "/a/cb"]))
@example((Router({"": "/a{/x}{/y}b"}), ["/ab", "/a/c/db"]))
@given(routed())
def test_a_router_finds_what_trying_all_templates_finds(given: tuple[Router, list[str]]) -> None:
    router, uris = given
    for uri in uris:
        assert result(router, uri) == scanned(router, uri), uri


def test_a_template_that_is_added_during_a_match_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    router = Router({"first": "/first"})
    build = _routing.build_index

    def slow(templates: Mapping[str, Template]) -> Any:
        if "second" not in router:
            router.add("second", "/second")
        return build(templates)

    monkeypatch.setattr(_routing, "build_index", slow)
    assert router.match("/first") == ("first", {})
    assert router.match("/second") == ("second", {})


def test_only_the_templates_that_a_match_tries_are_compiled() -> None:
    router = Router({"one": "/a/{x}", "two": "/b/{x}", "same": "/{y}/b", "any": "{+z}"})
    assert router.match("/a/b") == ("one", {"x": "b"})
    compiled = [name for name, template in router.items() if "_pattern" in vars(template)]
    assert compiled == ["one"]
    assert router.match("/c/b") == ("same", {"y": "c"})
    assert router.match("/c") == ("any", {"z": "/c"})
    assert "_pattern" not in vars(router["two"])
    # The templates of a router may be compiled already.
    again = Router(router)
    assert again.match("/a/b") == ("one", {"x": "b"})
    assert again["one"] is router["one"]


def test_a_percent_encoded_character_counts_as_one_in_the_order_of_routes() -> None:
    found = Router([("one", "/%20{x}"), ("two", "/{x}bc")]).match("/%20zbc")
    assert found is not None
    assert found.name == "two"
