"""The kernel normalizes and compares by scheme as the Python functions do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import references

from uriverse import IRI, SCHEMES, IRIReference, parse
from uriverse.schemes import Registry

#: The rules of the default registry, which the kernel does not know.
SAME = Registry(SCHEMES.values())

PIECES = (
    *("http:", "HTTPS:", "ws:", "file:", "urn:", "mailto:", "foo:", "x" * 30 + ":", "//", "", "/"),
    *("h", "H%41", "b\u00fccher.example", "[::1]", "localhost", "%4Cocalhost", ":80", ":0443", ":"),
    *(":21", "/", "/a/../b", "?", "?q", "#f", "a@B", "@"),
)


def texts() -> st.SearchStrategy[str]:
    made = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
    return (made | references()).filter(valid)


def valid(text: str) -> bool:
    return IRIReference.try_parse(text) is not None


@given(texts(), st.booleans())
def test_normalizing_by_scheme_agrees_with_the_python_functions(text: str, case: bool) -> None:
    value = parse(text)
    assert value.normalize(case=case, scheme=True) == value.normalize(case=case, scheme=SAME)


@given(texts())
def test_comparison_keys_agree_with_the_python_functions(text: str) -> None:
    value = parse(text)
    assert value.comparison_key("scheme") == value.comparison_key(SAME)


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_each_scheme_normalizes_as_in_the_registry(scheme: str) -> None:
    for rest in (":", "://h", f"://h:{SCHEMES[scheme].default_port or 1}", "://h:00080/", ":a"):
        value = IRI.try_parse(scheme + rest)
        if value is not None:
            assert value.normalize(scheme=True) == value.normalize(scheme=SAME)
