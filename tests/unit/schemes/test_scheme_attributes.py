from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from uriverse import SCHEMES, check, parse
from uriverse.schemes import Registry, Scheme


def codes(text: str, schemes: Registry) -> list[str]:
    return [finding.code for finding in check(text, "strict", schemes=schemes)]


def normal(text: str, schemes: Registry) -> str:
    return str(parse(text).normalize(scheme=schemes))


def key(text: str, schemes: Registry) -> str:
    return parse(text).comparison_key(schemes)


def references(text: str, schemes: Registry) -> list[str]:
    return [finding.reference for finding in check(text, schemes=schemes)]


#: Attributes of the scheme `x-a`, a function and its argument, and the results without and with
#: the attribute.
EFFECTS: list[tuple[dict[str, Any], Callable[[str, Registry], Any], str, Any, Any]] = [
    ({"name": "x-b", "empty_path": ""}, normal, "x-b://h", "x-b://h/", "x-b://h"),
    ({"status": "permanent"}, lambda _, all_: all_["x-a"].status, "", None, "permanent"),
    ({"reference": "Spec", "query": False}, references, "x-a:?", [], ["Spec"]),
    ({"default_port": 7}, normal, "x-a://h:07/", "x-a://h:7/", "x-a://h/"),
    ({"authority": "required"}, codes, "x-a:b", [], ["authority-missing"]),
    ({"authority": "forbidden"}, codes, "x-a://h/", [], ["authority-misplaced"]),
    ({"empty_host": False}, codes, "x-a:///b", ["authority-empty"], ["host-missing"]),
    ({"userinfo": "deprecated"}, codes, "x-a://u@h/", [], ["userinfo"]),
    ({"userinfo": "forbidden"}, codes, "x-a://u@h/", [], ["userinfo-misplaced"]),
    ({"query": False}, codes, "x-a:b?c", [], ["query-misplaced"]),
    ({"fragment": False}, codes, "x-a:b#c", [], ["fragment-misplaced"]),
    ({"path": "path-empty"}, codes, "x-a:b", [], ["path-misshapen"]),
    ({"path": "path-rootless"}, codes, "x-a:", [], ["path-misshapen"]),
    ({"path": "path-absolute"}, codes, "x-a:b", [], ["path-misshapen"]),
    ({"path": "path-abempty"}, codes, "x-a:b", [], ["path-misshapen"]),
    ({"empty_path": ""}, normal, "x-a://h?b", "x-a://h/?b", "x-a://h?b"),
    ({"domain": True}, key, "x-a://%C3%A9/", "x-a://%C3%A9/", "x-a://xn--9ca/"),
    ({"local": True}, codes, "x-a://h/b", [], ["file-host"]),
    ({"normalize": lambda parts: parts._replace(query="c")}, normal, "x-a:?b", "x-a:?b", "x-a:?c"),
    ({"equivalence": lambda parts: parts._replace(query="c")}, key, "x-a:?b", "x-a:?b", "x-a:?c"),
]


@pytest.mark.parametrize(("attributes", "function", "text", "without", "expected"), EFFECTS)
def test_an_attribute_of_a_scheme_has_an_effect(
    attributes: dict[str, Any],
    function: Callable[[str, Registry], Any],
    text: str,
    without: Any,
    expected: Any,
) -> None:
    plain = Scheme(name="x-a")
    assert function(text, SCHEMES.with_schemes(plain)) == without
    changed = replace(plain, **attributes)
    assert function(text, SCHEMES.with_schemes(changed)) == expected


def test_every_attribute_has_an_effect() -> None:
    tested = {name for attributes, *_ in EFFECTS for name in attributes}
    assert tested == {field.name for field in fields(Scheme)}
