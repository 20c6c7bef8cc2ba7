from datetime import date
from typing import Any

import pytest

from uriverse import TemplateError
from uriverse.templates import Template


def test_variables_that_are_not_given_remain() -> None:
    values: Any
    text: Any
    for text, values, left in [
        *(("/{a}/{b}", {"a": 1}, "/1/{b}"), ("/{a}/{b}", {}, "/{a}/{b}")),
        *(("/{a}/{b}", {"a": 1, "b": 2}, "/1/2"), ("/{a}/{b}", {"a": None}, "//{b}")),
        *(("/{a,b}", {"a": 1, "b": 2}, "/1,2"), ("/{a:3,b*}{+c}", {"c": "/x"}, "/{a:3,b*}/x")),
        *(("{?a,b,c}", {"b": 2}, "?b=2{&a,c}"), ("{?a,b,c}", {"b": None}, "{?a,c}")),
        ("{?a,b:3,c*}", {"a": 1}, "?a=1{&b:3,c*}"),
        ("?x=1{&a,b,c}", {"b": 2}, "?x=1{&a}&b=2{&c}"),
        ("{;a,b,c}", {"a": "", "c": 3}, ";a{;b};c=3"),
        *(("{/a,b*}", {"b": ["x", "y"]}, "{/a}/x/y"), ("{.a,b}", {"a": "x"}, ".x{.b}")),
        ("{?a}{#b}", {"a": "x}{y"}, "?a=x%7D%7By{#b}"),
        *(("\u00e9{a}", {"a": "\u00e9"}, "\u00e9%C3%A9"), ("{a}{a}{b}", {"a": 1}, "11{b}")),
    ]:
        found = Template(text).partial(values)
        assert str(found) == left
        rest = {"a": "A", "b": "B", "c": "C"}
        assert set(found.expand_text(rest)) == set(Template(text).expand_text({**rest, **values}))


def test_named_arguments_replace_values() -> None:
    assert str(Template("{a}/{b}/{c}").partial({"a": 1, "b": 2}, b=3)) == "1/3/{c}"
    assert str(Template("{a}").partial()) == "{a}"
    # An empty template has no variables to expand.
    assert str(Template("").partial(a="1")) == ""
    # An expression whose separator depends on both variables is an error.
    for text in ["{a,b}", "{+a,b}", "{#a,b}"]:
        with pytest.raises(TemplateError) as caught:
            Template(text).partial(a=1)
        error = caught.value
        assert text in error.reason
        assert (error.component, error.rule, error.variable) == ("template", "expression", "b")
        assert error.hint == "pass b as well"
    # Values are checked as in expand.
    with pytest.raises(TypeError, match="the value of a must be int, not str"):
        Template("{a}{b}", types={"a": int}).partial(a="1")
    with pytest.raises(TemplateError, match="lone surrogate"):
        Template("{a}{b}").partial(a="\ud800")


def test_options_are_kept_for_the_variables_that_remain() -> None:
    class Special(Template):
        __slots__ = ()

    template = Special(
        "/{a}/{b}",
        types={"a": int, "b": date},
        allow={"a": {"dots"}, "b": {"slash"}},
        safe=True,
        extra=False,
        iri=True,
    )
    found = template.partial(a=1)
    assert type(found) is Special
    options: dict[str, Any] = {"types": {"b": date}, "allow": {"b": {"slash"}}}
    assert found == Special("/1/{b}", **options, safe=True, extra=False, iri=True)
    # Options of a template without variables are those of none.
    plain = Template("/{a}/{b}", types={"a": int}, allow={"dots"})
    assert plain.partial(a=1) == Template("/1/{b}", allow={"dots"})
    assert plain.partial(a=1, b=2) == Template("/1/2")


def test_only_safe_values_are_expanded() -> None:
    for text, values in [
        *(("/{a}/{b}", {"a": ".."}), ("/{a,b}/{c}", {"a": "x", "b": "/"}), ("{/a,b}", {"b": ""})),
        *(("/{+a}{b}{?c}", {"a": "x//y"}), ("/{+a}{+b}", {"b": "x?y"})),
    ]:
        with pytest.raises(TemplateError, match="unsafe"):
            Template(text, safe=True).partial(values)
    # Safe values are expanded.
    template = Template("/{a}{+b}{?c,d}{#e}", safe=True)
    assert str(template.partial(b="/x/", c="..")) == "/{a}/x/?c=..{&d}{#e}"
    assert str(template.partial(a="x", e="/..")) == "/x{+b}{?c,d}#/.."


def test_a_parameter_moves_only_before_other_parameters() -> None:
    for text in ["{?a,b}/x", "{?a,b}x", "{?a,b}{c}", "{?a,b}{?c}"]:
        with pytest.raises(TemplateError, match="needs all its variables"):
            Template(text).partial(b="1")
        assert str(Template(text).partial(a="1")) == text.replace("{?a,b}", "?a=1{&b}")
    # A parameter may move before others.
    for text in ["{?a,b}&x", "{?a,b}#x", "{?a,b}{&c}", "{?a,b}{#c}", "{?a,b}"]:
        assert str(Template(text).partial(b="1")) == text.replace("{?a,b}", "?b=1{&a}")
