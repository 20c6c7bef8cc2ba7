"""The expansion of templates (RFC 6570, section 3); `tests/conformance` has the RFC's examples."""

from collections import OrderedDict
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import product
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest

from uriverse import IRIReference, TemplateError, URIReference
from uriverse.templates import Template


def error_of(text: str, values: dict[str, Any], **options: Any) -> TemplateError:
    with pytest.raises(TemplateError) as caught:
        Template(text, **options).expand(values)
    return caught.value


def test_a_value_may_be_a_string_a_number_a_date_or_a_uuid() -> None:
    for value, expanded in [
        *(("a", "a"), ("", ""), (7, "7"), (-1, "-1"), (1.5, "1.5"), (1e16, "1e%2B16")),
        *((Decimal("1.50"), "1.50"), (date(2020, 1, 2), "2020-01-02")),
        (datetime(2020, 1, 2, 3, 4, tzinfo=UTC), "2020-01-02T03%3A04%3A00%2B00%3A00"),
        *((time(1, 2), "01%3A02%3A00"), (UUID(int=1), "00000000-0000-0000-0000-000000000001")),
        (None, ""),
    ]:
        assert Template("{a}").expand_text(a=value) == expanded


def test_an_empty_value_differs_from_an_undefined_one() -> None:
    for template, empty, one in [
        *(("{a}", "", "b"), ("{+a}", "", "b"), ("{#a}", "#", "#b"), ("{.a}", ".", ".b")),
        *(("{/a}", "/", "/b"), ("{;a}", ";a", ";a=b"), ("{?a}", "?a=", "?a=b")),
        *(("{&a}", "&a=", "&a=b"), ("{?a*}", "?a=", "?a=b"), ("{;a*}", ";a", ";a=b")),
    ]:
        assert Template(template).expand_text(a="") == empty
        assert Template(template).expand_text(a=[""]) == empty
        assert Template(template).expand_text(a="b") == one
        assert Template(template).expand_text() == ""


@pytest.mark.parametrize("value", [None, [], (), {}, [None], {"b": None}, [("b", None)]])
def test_lists_and_mappings_without_defined_items_are_undefined(value: object) -> None:
    for operator, modifier in product(("", *"+#./;?&"), ("", "*", ":2")):
        text = f"x{{{operator}a{modifier}}}"
        assert Template(text).expand_text(a=value) == "x", text


def test_a_mapping_may_be_any_mapping_or_a_list_of_pairs() -> None:
    value: Any
    for pairs in [{"p": 1, "q": 2}, OrderedDict(p=1, q=2), MappingProxyType({"p": 1, "q": 2})]:
        for value in (pairs, [*pairs.items()], tuple(pairs.items())):
            assert Template("{a}").expand_text(a=value) == "p,1,q,2"
            assert Template("{a*}").expand_text(a=value) == "p=1,q=2"
            assert Template("{/a*}").expand_text(a=value) == "/p=1/q=2"
            assert Template("{?a*}").expand_text(a=value) == "?p=1&q=2"
            assert Template("{?a}").expand_text(a=value) == "?a=p,1,q,2"
    # A list of pairs may repeat a key.
    assert Template("{?a*}").expand_text(a=[("p", 1), ("p", 2)]) == "?p=1&p=2"
    # Undefined items of lists and mappings are omitted.
    assert Template("{a}{?b*}").expand_text(a=["x", None, "y"], b={"p": None, "q": 1}) == "x,y?q=1"
    # A list with other items is no list of pairs.
    for value in ([("p", 1, 2)], [["p", 1]], [("p", 1), "q"]):
        with pytest.raises(TypeError, match=r"value of .*a.* must be"):
            Template("{a}").expand_text(a=value)
    # Another type is a type error.
    for value in [
        *(True, b"b", bytearray(b"b"), memoryview(b"b"), {1, 2}, object(), [[1]], {"b": [1]}),
    ]:
        for text in ("{a}", "{a*}", "{?a*}"):
            with pytest.raises(TypeError, match=r"value of .*a.* must"):
                Template(text).expand(a=value)
    # Keys must be strings.
    with pytest.raises(TypeError, match="a key of a must be a str, not int"):
        Template("{a}").expand(a={1: "b"})


def test_keys_names_and_literals_are_percent_encoded() -> None:
    for text in ["{a}", "{+a}"]:
        expected = "p%3Bq,r%3Bs" if text == "{a}" else "p;q,r;s"
        assert Template(text).expand_text(a={"p;q": "r;s"}) == expected
        assert Template("{?a*}").expand_text(a={"p&q": ""}) == "?p%26q="
        assert Template("{?a*}").expand_text(a={"": ""}) == "?="
    # Names are written as in the template.
    assert Template("{?%41,b.c}").expand_text({"%41": 1, "b.c": 2}) == "?%41=1&b.c=2"
    # Literals are percent encoded and triplets are kept.
    assert Template("\u00e9%41%c3'{a}").expand_text(a=1) == "%C3%A9%41%c3'1"
    # Reserved expansion keeps reserved characters and triplets.
    assert Template("{+a}").expand_text(a="/%41%zz%\u00e9 {}") == "/%41%25zz%25%C3%A9%20%7B%7D"
    assert Template("{#a}").expand_text(a="?/%2F%2") == "#?/%2F%252"
    assert Template("{a}").expand_text(a="/%41%zz") == "%2F%2541%25zz"


def test_a_prefix_counts_characters_before_they_are_encoded() -> None:
    assert Template("{a:2}").expand_text(a="\u00e9\U0001f600x") == "%C3%A9%F0%9F%98%80"
    assert Template("{a:9999}").expand_text(a="ab") == "ab"
    assert Template("{a:2}").expand_text(a=1234) == "12"
    # Cutting the string after "%4" leaves no triplet, so "%" is encoded.
    assert Template("{+a:2}").expand_text(a="%41") == "%254"
    # A prefix of a list or a mapping is an error.
    for value in [["b"], ("b",), {"b": 1}, [("b", 1)]]:
        error = error_of("{a:2}", {"a": value})
        assert (error.component, error.rule, error.variable) == ("template", "prefix", "a")
        assert "prefix length does not apply to a list or a mapping" in error.reason


def test_iri_templates_keep_non_ascii_characters() -> None:
    template = Template("\u00e9/{a}{?b}", iri=True)
    found = template.expand(a="\u00fc \u202e", b="\ue000")
    # Bidirectional formatting characters and private-use characters are encoded.
    assert found == IRIReference("\u00e9/\u00fc%20%E2%80%AE?b=%EE%80%80")
    assert type(found) is IRIReference
    assert Template("{+a}", iri=True).expand_text(a="/\u00fc%41\ufff9") == "/\u00fc%41%EF%BF%B9"


def test_named_arguments_replace_values_and_other_names_are_ignored() -> None:
    template = Template("{a}{b}{self}{values}")
    assert template.expand_text({"a": 1, "b": 2, "z": 3}, b=4, y=5) == "14"
    assert (template.expand_text({"self": 1}, values=2), template.expand_text(None)) == ("12", "")
    # `expand` returns a URI reference.
    found = Template("http://a.example/{b}").expand(b="c d")
    assert found == URIReference("http://a.example/c%20d")
    assert type(found) is URIReference


def test_an_invalid_expansion_raises_an_error_with_the_expansion() -> None:
    values: Any
    text: Any
    expanded: Any
    for text, values, expanded, position, component in [
        ("{a}://x", {"a": "1"}, "1://x", 0, "scheme"),
        ("{+a}", {"a": "http://[x"}, "http://[x", 8, "host"),
        *(("{a}:b", {}, ":b", 0, "path"), ("a[{a}]", {"a": 1}, "a[1]", 1, "path")),
        *(("#{#a}", {"a": 1}, "##1", 1, "fragment"), ("//a:{a}", {"a": "x"}, "//a:x", 4, "port")),
    ]:
        error = error_of(text, values)
        assert (error.text, error.position, error.component) == (expanded, position, component)
        assert error.reason.startswith("the expansion is invalid: ")
        assert error.variable is None
        assert Template(text).expand_text(values) == expanded


def test_a_value_that_cannot_be_expanded_is_an_error() -> None:
    value: Any
    reason: Any
    for text in ["{a}", "{a*}", "{+a}", "{?a*}", "{a:2}"]:
        error = error_of(text, {"a": "x\ud800"})
        assert (error.text, error.position, error.variable) == ("x\ud800", 1, "a")
        assert "lone surrogate" in error.reason
        assert "a" in error.reason
    # A lone surrogate in an item is an error.
    for value in [{"\udfff": 1}, [("b", "\udfff")], ["\udfff"]]:
        error = error_of("{a}", {"a": value})
        assert (error.position, error.variable) == (0, "a")
    # A number without a finite value is an error.
    for value, reason in [
        *((float("nan"), "nan is not finite"), (float("inf"), "inf is not finite")),
        *((10**700, "at most 640 digits"), ([float("-inf")], "-inf is not finite")),
    ]:
        error = error_of("{a}", {"a": value})
        assert (error.component, error.rule, error.variable) == ("template", "varname", "a")
        assert reason in error.reason
        assert error.hint
