"""Matching the expansion of a reversible template returns the values of its variables."""

from __future__ import annotations

from hypothesis import assume, event, given
from hypothesis import strategies as st

from uriverse.templates import Template
from uriverse.testing._templates import usual_templates
from uriverse.testing.strategies import values_for


@given(st.data(), usual_templates())
def test_matching_returns_the_values(data: st.DataObject, template: Template) -> None:
    assume(template.is_reversible)
    values = data.draw(values_for(template))
    event(f"{len(values)} values")
    found = template.match(template.expand(values))
    assert found is not None
    assert found.variables == values
    assert not found.extra
    assert template.match_all(template.expand(values)) == [found]


@given(st.data(), usual_templates())
def test_the_values_of_each_match_expand_to_a_uri_with_the_same_matches(
    data: st.DataObject, template: Template
) -> None:
    uri = template.expand(data.draw(values_for(template)))
    for found in template.match_all(uri):
        again = template.match_all(template.expand(found.variables))
        assert found.variables in [each.variables for each in again]
