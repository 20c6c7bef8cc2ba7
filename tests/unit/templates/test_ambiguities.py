from datetime import date
from typing import Any

from uriverse.templates import Template


def test_a_reversible_template_has_no_ambiguities() -> None:
    for text in [
        *("", "/a", "/{a}", "/{a}/{b}", "{a}/{b}", "/{a}/{a}", "{/a*}", "/x{/a}", "{/a}/x"),
        "/{a}{/b}",
        *("x{.a}", "x{;a,b}", "/{a}{;b}", "{?a,b}", "?x=1{&a}", "?x={a}&y={b}", "x?{a}{&b}"),
        *(
            *("x?{a}", "?{a}&{b}", "#{a}", "{s}://{h}/", "http://{h}:{p}/", "http://{u}@{h}/"),
            "/x{a}y",
        ),
        *("/{a}:{b}", "/{a*}", "mailto:{a}@{b}", "{?%41}", "?x=1{?a}"),
    ]:
        template = Template(text)
        assert template.ambiguities == ()
        assert template.is_reversible


def test_types_can_make_a_template_reversible() -> None:
    types: Any
    text: Any
    for text, types in [
        *(("{?a*}", {"a": list}), ("{?a*}", {"a": dict}), ("{?a,b}", {"a": dict, "b": list})),
        *(("x{;a*}", {"a": dict[str, int]}), ("/{a}T{b}", {"a": date})),
        ("/{a}{b}", {"a": int, "b": ("x", "y")}),
    ]:
        assert Template(text, types=types).is_reversible
    # Empty values may not begin an authority.
    assert Template("/{a}/{b}").is_reversible
    assert Template("/{a}/{b}", allow={"empty"}).ambiguities == (
        "only some expansions have an authority",
    )
    # Empty values are ambiguous only if they are allowed.
    types = {"a": ("x", ""), "b": ("x", "")}
    assert Template("/{a}-{b}", types=types).is_reversible
    assert not Template("/{a}{b}", types=types, allow={"empty"}).is_reversible
    # Too many ways to match are not compared.
    reason = "there are too many ways to match the template to compare them"
    assert Template("/" + "a" * 8000 + "{a}").is_reversible
    assert Template("{/a*}" * 100).ambiguities == (reason,)


DIVIDED = "can be divided in more than one way"
KEEPS = "keeps percent-encoded triplets, so different values have the same expansion"


def test_reasons_are_in_the_order_of_the_template() -> None:
    types: Any
    text: Any
    for text, types, reasons in [
        *(("{a}{b}", {}, [f"a and b {DIVIDED}"]), ("/{a}-{b}", {}, [f"a and b {DIVIDED}"])),
        ("/{a}.{b}", {}, [f"a and b {DIVIDED}"]),
        ("http://{a}{.b}/", {}, [f"a and b {DIVIDED}"]),
        *(("{/a}{/b}", {}, [f"a and b {DIVIDED}"]), ("{/a*}{/b}", {}, [f"a and b {DIVIDED}"])),
        *(("{a}{b}{c}", {}, [f"a, b and c {DIVIDED}"]), ("?x={a}-{b}", {}, [f"a and b {DIVIDED}"])),
        *(("?{a}{b}", {}, [f"a and b {DIVIDED}"]), ("#{a}{b}", {}, [f"a and b {DIVIDED}"])),
        ("/{a}-{b}", {"b": int}, [f"a and b {DIVIDED}"]),
        ("{a}{a}", {}, ["a can end in more than one place"]),
        ("/{a,b}", {}, ["b cannot be distinguished from a if a is undefined"]),
        ("{.a,b,c}", {}, ["c cannot be distinguished from a if a is undefined"]),
        ("/{a:3}", {}, ["only the first 3 characters of a are expanded"]),
        *(("{+a}", {}, [f"a {KEEPS}"]), ("{#a}", {}, [f"a {KEEPS}"])),
        ("{?a,a}", {}, ["the query has two parameters with the name a"]),
        ("?a=1{&a}", {}, ["the query has two parameters with the name a"]),
        ("?a=1{&a*}", {"a": list}, ["the query has two parameters with the name a"]),
        (
            "{?a*}{&a*}",
            {"a": list},
            [
                "the query has two parameters with the name a",
                "a is not part of the query if a is undefined",
            ],
        ),
        ("x{.a*}", {}, ["an item of a may contain a dot, which also separates items"]),
        ("{?a*}", {}, ["a mapping a may have the key a, as a list would"]),
        ("x{;a*}", {}, ["a mapping a may have the key a, as a list would"]),
        ("{?a*,b}", {"a": dict}, ["a mapping a may have the name of another parameter as a key"]),
        ("x{?a}y", {}, ["the template does not match if a is undefined"]),
        ("{?a}&b=1", {}, ["the template does not match if a is undefined"]),
        (
            "/{a}{?a*}",
            {},
            [
                "a mapping a may have the key a, as a list would",
                "a is exploded in one place, and not in another",
            ],
        ),
        (
            "{#a}{b}",
            {},
            [f"a {KEEPS}", f"a and b {DIVIDED}", "the template does not match if a is undefined"],
        ),
        ("{?a}?b=1{#c}", {}, [f"c {KEEPS}", "the template does not match if a is undefined"]),
    ]:
        template = Template(text, types=types)
        assert list(template.ambiguities) == reasons
        assert not template.is_reversible


def test_undefined_variables_may_not_remove_a_component() -> None:
    for text, component in [
        *(("/{/a}", "authority"), ("{/a}/b", None), ("{.a}//b", "authority"), ("//{a}", None)),
        *(("x:/{/a}", "authority"), ("x:{/a}", None), ("x://{a}", None), ("x{.a}:b", None)),
        *(("x{/a}:b", "scheme"), ("{a}{/b}:c", "scheme"), ("/x{/a}:b", None), ("{;a}x", None)),
        *(("x:{/a}/{b}", None), ("/x/{/a}", None), ("{/a}", None), ("{.a}:b", None)),
    ]:
        found = Template(text).ambiguities
        if component is None:
            assert found == ()
        else:
            (reason,) = found
            assert reason.startswith("only some expansions have a")
            assert reason.endswith(component)
