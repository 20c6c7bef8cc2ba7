"""Validity and components of the examples in `data/`, which are taken from the RFCs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from uriverse import compose, parse, split
from uriverse._uri.engine import is_absolute_uri, is_iri, is_iri_reference, is_uri, is_uri_reference

DATA = Path(__file__).parent / "data"

FUNCTIONS: dict[str, Callable[[str], bool]] = {
    "URI": is_uri,
    "URI-reference": is_uri_reference,
    "absolute-URI": is_absolute_uri,
    "IRI": is_iri,
    "IRI-reference": is_iri_reference,
    "relative-ref": lambda text: is_uri_reference(text) and parse(text).is_relative,
}

ATTRIBUTES = (
    "scheme", "authority", "userinfo", "host", "port_text", "path", "query", "fragment",
    "host_kind",
)  # fmt: skip


def verdicts() -> list[tuple[str, str, str]]:
    lines = (DATA / "verdicts.txt").read_text("utf-8").splitlines()
    cases = [line.split(" ", 2) for line in lines if line and not line.startswith("#")]
    return [(verdict, rule, json.loads(text)) for verdict, rule, text in cases]


def components() -> list[dict[str, str]]:
    return json.loads((DATA / "components.json").read_text("utf-8"))  # type: ignore[no-any-return]


@pytest.mark.parametrize(("verdict", "rule", "text"), verdicts())
def test_a_string_is_valid_or_invalid_as_the_rfc_says(verdict: str, rule: str, text: str) -> None:
    assert verdict in {"valid", "invalid"}
    assert FUNCTIONS[rule](text) is (verdict == "valid")


@pytest.mark.parametrize("case", components(), ids=lambda case: case["text"])
def test_parse_and_split_return_the_components_of_the_rfc(case: dict[str, str]) -> None:
    value = parse(case["text"])
    assert {name: getattr(value, name) for name in ATTRIBUTES} == {
        n: case.get(n) for n in ATTRIBUTES
    }
    five = [case.get(name) for name in ("scheme", "authority", "path", "query", "fragment")]
    assert list(split(case["text"])) == five
    assert compose(*split(case["text"])) == case["text"]
