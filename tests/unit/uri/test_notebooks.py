import re
from html import unescape
from typing import Any

import pytest
from hypothesis import example, given
from strategies import references

from uriverse import URI, URN, IRIReference, explain, parse, redact
from uriverse._errors import escape_unprintable
from uriverse._spec.components import split_all_parts


def cells(html: str) -> list[list[str]]:
    rows = re.findall("<tr>(.*?)</tr>", html, re.DOTALL)
    return [
        [unescape(cell) for cell in re.findall("<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in rows
    ]


def table(value: Any) -> list[list[str]]:
    return cells(value._repr_html_())


@given(references())
@example("http://user@host:80/path?query#fragment")
@example("//host")
def test_each_component_of_the_redacted_uri_is_above_its_name(text: str) -> None:
    value = split_all_parts(redact(text))
    first, names = table(parse(text))
    assert "".join(first) == escape_unprintable(redact(text))
    found = dict(zip(names, first, strict=True))
    for name, component in value._asdict().items():
        assert found.get(name) == (None if component is None else escape_unprintable(component))


def test_markup_is_escaped() -> None:
    assert "a&amp;&#x27;" in URI("a:?a&'")._repr_html_()


def test_secrets_and_invisible_characters_are_not_shown() -> None:
    assert "hidden" not in URI("http://me:hidden@a/?token=hidden")._repr_html_()
    assert "\\u200d" in IRIReference("a\u200d")._repr_html_()


def test_a_typed_uri_is_shown_like_a_uri() -> None:
    assert table(URN("urn:example:a")) == [["urn", ":", "example:a"], ["scheme", "", "path"]]


def test_an_explanation_shows_the_components_or_the_error() -> None:
    assert table(explain("a:b")) == table(URI("a:b"))
    shown = explain("http://a b/<")._repr_html_()
    assert shown.startswith("<pre>invalid space in host")
    assert "&lt;" in shown


def test_ipython_uses_the_table() -> None:
    formatters = pytest.importorskip(
        "IPython.core.formatters", reason="needs IPython (pip install --group test-all)"
    )
    assert formatters.HTMLFormatter()(URI("a:b")) == URI("a:b")._repr_html_()
