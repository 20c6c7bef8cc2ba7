"""Templates are matched and expanded in linear time and memory, also if many ways to match exist.

The tests count calls and measure memory, without the kernel, which makes no calls.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from counting import assert_proportional

from uriverse import TemplateError
from uriverse.templates import Template, _compiled

#: Templates, and the pieces of strings that they match or nearly match.
STRINGS = (
    ("/{a}", "/", "x", ""),
    ("/{a}", "/", "%2F", ""),
    ("/{a}", "/", "%25", ""),
    ("/{a}", "/", "x", "/"),
    ("{a}{b}", "", "x", ""),
    ("{a}{b}{c}{d}", "", "x", ""),
    ("{a}{b}{c}{d}", "", "x", "/"),
    ("{a}-{b}-{c}", "", "-", ""),
    ("{a}-{b}-{c}.json", "", "x-", ".jsol"),
    ("/{+a}", "/", "x/", ""),
    ("/{+a}/{+b}/{c}", "/", "x/", "y"),
    ("{+a}{+b}", "", "x/", "%zz"),
    ("/{+a*}", "/", "x,", "x"),
    ("{/a*}", "", "/x", ""),
    ("{/a*}{/b*}", "", "/x", ""),
    ("{/a*,b,c}", "", "/x", ""),
    ("{a*}", "", "x,", "x"),
    ("x{;a*}", "x", ";b=1", ""),
    ("x{;a,b,c}", "x", ";c=1", ""),
    ("x{.a}{.b*}", "x", ".y", ""),
    ("{?a,b}", "?", "a=1&", "b=2"),
    ("{?a,b}", "?a=", "x", ""),
    ("{?a*}", "?", "a=1&", "a=2"),
    ("{?a}", "?", "&", ""),
    ("?x={a}{b}", "?x=", "y", ""),
    ("?{a}{b}", "?", "y&", ""),
    ("{#a,b}", "#", "x,", ""),
    ("{#a*}", "#", ",", ""),
    ("http://{a}{.b*}/", "http://x", ".y", "/"),
    ("/{a:3}/{a}", "/xxx/xxx", "x", ""),
    ("/{a}/{a}", "/", "x", "/y"),
)


@pytest.fixture(autouse=True)
def _without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "kernel", None)


@pytest.mark.parametrize(("text", "before", "piece", "after"), STRINGS)
def test_matching_takes_linear_time_and_memory(
    text: str, before: str, piece: str, after: str
) -> None:
    template = Template(text)

    def match(size: int) -> None:
        uri = before + piece * size + after
        with suppress(TemplateError):
            template.match(uri)
        template.match_all(uri, limit=2)

    assert_proportional(match, 400)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("{a}", lambda n: "x/" * n),
            ("{+a}", lambda n: "%41%" * n),
            ("{a:9999}", "\u00e9".__mul__),
        ),
        *(("{?a*}", lambda n: ["x"] * n), ("{/a*}", lambda n: {str(i): "y" for i in range(n)})),
        *(("{a}", lambda n: [("x", "y")] * n), ("{/a*}", lambda n: [None] * n)),
    ],
)
def test_expansion_takes_linear_time_and_memory(text: str, value: Callable[[int], Any]) -> None:
    template = Template(text)
    assert_proportional(lambda size: template.expand_text(a=value(size)))


@pytest.mark.parametrize("text", ["{+a}", "{/a*}", "/{a}"])
def test_safe_expansion_takes_linear_time_and_memory(text: str) -> None:
    template = Template(text, safe=True)

    def expand(size: int) -> None:
        with suppress(TemplateError):
            template.expand(a=["x"] * size if "*" in text else "%2525" * size)

    assert_proportional(expand, 600)


@pytest.mark.parametrize(
    "unit",
    ["{a}", "x", "%41", "\u00e9", "{", "}", "{a:", "{a,", "{?a}{", "{+a.b.c}", "%", "{{", "{a."],
)
def test_parsing_takes_linear_time_and_memory(unit: str) -> None:
    def parse(size: int) -> None:
        with suppress(TemplateError):
            Template(unit * (size // len(unit)))

    assert_proportional(parse)


def test_a_long_prefix_is_accepted() -> None:
    template = Template("/{a:9999}")
    assert template.match("/" + "x" * 9999) is not None
    assert template.match("/" + "x" * 10_000) is None
    assert len(template.expand_text(a="x" * 100_000)) == 10_000


@pytest.mark.parametrize("text", ["{a}", "{a}-", "{/a}", "{;a}", "{;a*}", "{/a*}", "{+a}", "{#a}"])
def test_many_variables_are_matched(text: str) -> None:
    template = Template(text * 256)
    uri = template.expand_text(a="x")
    with suppress(TemplateError):
        template.match(uri)
    assert len(template.match_all("x" * 3000, limit=300)) <= 256
    assert isinstance(template.ambiguities, tuple)


def test_many_distinct_parameters_are_matched() -> None:
    names = [f"a{number}" for number in range(256)]
    template = Template(f"{{?{','.join(names)}}}")
    values = dict.fromkeys(names, "x")
    uri = str(template.expand(values)) + "&b=1" * 5000
    found = template.match(uri)
    assert found is not None
    assert found.variables == values


def test_a_template_of_the_longest_length_is_matched() -> None:
    template = Template("/" + "a" * 8188 + "{b}")
    found = template.match(template.expand(b="x"))
    assert found is not None
    assert found.variables == {"b": "x"}


@pytest.mark.parametrize("text", ["\ud800", "/\udfff", "http://a/\ud800", "/x?\ud800", "\udcff#"])
def test_lone_surrogates_do_not_match(text: str) -> None:
    for template in (Template("/{a}"), Template("{+a}"), Template("/{a}", iri=True)):
        assert template.match(text) is None
        assert template.match_all(text) == []
        with pytest.raises(TemplateError):
            template.expand(a=text)


@pytest.mark.parametrize("value", [None, 1, b"/x", bytearray(b"/x"), object(), ["/x"], ("/x",)])
def test_other_types_than_str_are_type_errors(value: Any) -> None:
    template = Template("/{a}")
    for method in (template.match, template.match_all, Template):
        with pytest.raises(TypeError):
            method(value)
