import copy
import pickle
from typing import Any

import pytest

from uriverse import Params
from uriverse.templates import Match, Template


def match_of(text: str, uri: str) -> Match:
    found = Template(text).match(uri)
    assert found is not None
    return found


def test_a_match_has_the_template_the_values_and_other_parameters() -> None:
    template = Template("/{a}{?b}")
    found = template.match("/x?c=1&b=2")
    assert found is not None
    assert found.template is template
    assert found.variables == {"a": "x", "b": "2"}
    assert found.extra == Params("c=1", codec="rfc3986")
    # Variables are in the order of the template.
    assert list(match_of("/{b}{?c,a}", "/x?a=1&c=2").variables) == ["b", "c", "a"]
    # Extra reads plus signs literally.
    found = match_of("/{a}", "/x?b=1+2&c=%2B")
    assert (found.extra["b"], found.extra["c"]) == ("1+2", "+")
    assert not match_of("/{a}", "/x").extra
    # Repr shows values and extra parameters.
    assert repr(match_of("/{a}", "/x")) == "Match({'a': 'x'})"
    assert repr(match_of("/{a}", "/x?b=1")) == "Match({'a': 'x'}, extra='b=1')"
    assert repr(match_of("/{a}", "/x?")) == "Match({'a': 'x'}, extra='')"


def test_matches_are_equal_if_their_values_are() -> None:
    copied: Any
    found = match_of("/{a}", "/x?b")
    assert found == match_of("/{a}", "/%78?b")
    assert found != match_of("/{a}", "/y?b")
    assert found != match_of("/{a}", "/x?c")
    assert found != match_of("/{a}", "/x")
    assert found != match_of("/{a}{?b}", "/x?b")
    assert found != {"a": "x"}
    # A match is not hashable because its values may change.
    found = match_of("/{a}", "/x")
    found.variables["a"] = "y"
    assert found.variables == {"a": "y"}
    with pytest.raises(TypeError):
        hash(found)
    # A copy is equal.
    for copied in [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))]:
        assert callable(copied)
        found = match_of("/{a*}{?b}", "/x?b=1&c")
        assert copied(found) == found
        assert type(copied(found)) is Match


# --- neither templates nor matches show secrets


def test_the_repr_of_a_match_has_no_secrets() -> None:
    template: Any
    for template, uri, shown in [
        ("/a{?token}", "/a?token=s3cr3t", "Match({'token': 'REDACTED'})"),
        ("/a{?q*}", "/a?api_key=s3cr3t&b=c", "Match({'q': {'api_key': 'REDACTED', 'b': 'c'}})"),
        ("/a{/token*}", "/a/s3cr3t/s3cr3t", "Match({'token': ['REDACTED', 'REDACTED']})"),
        ("{+next}", "https://u:s3cr3t@h/", "Match({'next': 'https://u:REDACTED@h/'})"),
        ("https://{u}@h/{x}", "https://s3cr3t@h/y", "Match({'u': 'REDACTED', 'x': 'y'})"),
        ("/{x}@{y}", "/a@b", "Match({'x': 'a', 'y': 'b'})"),
        ("/a/{x}", "/a/me@b.c", "Match({'x': 'me@b.c'})"),
        ("/a", "/a?token=s3cr3t", "Match({}, extra='token=REDACTED')"),
    ]:
        assert repr(Template(template).match(uri)) == shown
    # Numbers are shown.
    assert repr(Template("/{x}", types={"x": int}).match("/7")) == "Match({'x': 7})"
    # The repr of a template has no secrets.
    template = Template("https://u:s3cr3t@h/{x}")
    assert repr(template) == "Template('https://u:REDACTED@h/{x}')"
    assert str(template) == "https://u:s3cr3t@h/{x}"
