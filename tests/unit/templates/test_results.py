"""Results of matching."""

from __future__ import annotations

import copy
import pickle

import pytest

from uriverse import Params
from uriverse.templates import Match, Template


def match_of(text: str, uri: str) -> Match:
    found = Template(text).match(uri)
    assert found is not None
    return found


def test_a_match_has_the_template_and_the_values() -> None:
    template = Template("/{a}{?b}")
    found = template.match("/x?c=1&b=2")
    assert found is not None
    assert found.template is template
    assert found.variables == {"a": "x", "b": "2"}
    assert found.extra == Params("c=1", codec="rfc3986")


def test_variables_are_in_the_order_of_the_template() -> None:
    assert list(match_of("/{b}{?c,a}", "/x?a=1&c=2").variables) == ["b", "c", "a"]


def test_extra_reads_plus_signs_literally() -> None:
    found = match_of("/{a}", "/x?b=1+2&c=%2B")
    assert found.extra["b"] == "1+2"
    assert found.extra["c"] == "+"
    assert not match_of("/{a}", "/x").extra


def test_matches_are_equal_if_their_values_are() -> None:
    found = match_of("/{a}", "/x?b")
    assert found == match_of("/{a}", "/%78?b")
    assert found != match_of("/{a}", "/y?b")
    assert found != match_of("/{a}", "/x?c")
    assert found != match_of("/{a}", "/x")
    assert found != match_of("/{a}{?b}", "/x?b")
    assert found != {"a": "x"}


def test_a_match_is_not_hashable_because_its_values_may_change() -> None:
    found = match_of("/{a}", "/x")
    found.variables["a"] = "y"
    assert found.variables == {"a": "y"}
    with pytest.raises(TypeError):
        hash(found)


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_is_equal(copied: object) -> None:
    assert callable(copied)
    found = match_of("/{a*}{?b}", "/x?b=1&c")
    assert copied(found) == found
    assert type(copied(found)) is Match


def test_repr_shows_values_and_extra_parameters() -> None:
    assert repr(match_of("/{a}", "/x")) == "Match({'a': 'x'})"
    assert repr(match_of("/{a}", "/x?b=1")) == "Match({'a': 'x'}, extra='b=1')"
    assert repr(match_of("/{a}", "/x?")) == "Match({'a': 'x'}, extra='')"
