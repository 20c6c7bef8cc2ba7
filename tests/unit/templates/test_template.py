import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

from uriverse.templates import Template

OPTIONS: dict[str, Any] = {
    "types": {"a": int},
    "allow": {"b": {"dots"}},
    "safe": True,
    "extra": False,
    "iri": True,
}


def test_the_string_is_that_of_the_template_and_the_repr_has_no_secrets() -> None:
    assert str(Template("/%7e/{a}")) == "/%7e/{a}"
    # Repr has no secrets.
    for template, shown in [
        (Template("/{a}"), "Template('/{a}')"),
        (Template("/{a}", safe=True, iri=True), "Template('/{a}', safe=True, iri=True)"),
        (Template("http://u:secret@h/{a}"), "Template('http://u:REDACTED@h/{a}')"),
    ]:
        assert repr(template) == shown
    # The only positional argument is the string.
    with pytest.raises(TypeError):
        Template("/{a}", {"a": int})  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Template(text="/{a}")  # type: ignore[call-arg]


def test_equality_depends_on_the_string_and_the_options() -> None:
    template = Template("/{a}/{b}", **OPTIONS)
    assert template == Template("/{a}/{b}", **OPTIONS)
    assert hash(template) == hash(Template("/{a}/{b}", **OPTIONS))
    others: dict[str, Any] = {"types": {}, "allow": (), "safe": False, "extra": True, "iri": False}
    for name, value in others.items():
        assert template != Template("/{a}/{b}", **{**OPTIONS, name: value})
    assert template != Template("/{a}/{b}/", **OPTIONS)
    assert template != "/{a}/{b}"
    assert Template("{a}{b}", allow={"dots"}) == Template(
        "{a}{b}", allow={"a": ["dots"], "b": ["dots"]}
    )
    # Later changes of the arguments have no effect.
    types: dict[str, Any] = {"a": int}
    allow: dict[str, Any] = {"b": {"dots"}}
    template = Template("/{a}/{b}", types=types, allow=allow)
    types.clear()
    allow["b"].add("empty")
    assert template == Template("/{a}/{b}", types={"a": int}, allow={"b": {"dots"}})
    # Hashes of templates can be keys.
    routes = {Template("/{a}"): 1, Template("/{b}"): 2, Template("/{a}", safe=True): 3}
    assert (routes[Template("/{a}")], len(routes)) == (1, 3)


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda template: pickle.loads(pickle.dumps(template))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_is_equal_and_has_the_options(copied: Any) -> None:
    class_of_copies = Special
    template = class_of_copies("/{a}/{b}", **OPTIONS)
    assert template.match("/7/..") is not None  # computed attributes are not copied
    found = copied(template)
    assert type(found) is Special
    assert (found, found.match("/7/..")) == (template, template.match("/7/.."))
    assert found.match("/x/..") is None
    assert found.match("/7/..?c") is None


class Special(Template):
    """A subclass, which pickle finds by its name."""

    __slots__ = ()


@pytest.mark.parametrize("name", ["_text", "_safe", "ambiguities", "variables", "new"])
def test_a_template_is_immutable(name: str) -> None:
    template = Special("/{a}")
    with pytest.raises(AttributeError, match="Special is immutable"):
        setattr(template, name, "x")
    with pytest.raises(AttributeError, match="Special is immutable"):
        delattr(template, name)
    assert template == Special("/{a}")


def test_allow_may_be_any_iterable_or_a_mapping() -> None:
    message: Any
    error: Any
    allow: Any
    for allow in (
        *({"dots"}, ["dots"], ("dots",), frozenset({"dots"}), iter(["dots"]), {"a": ["dots"]}),
    ):
        assert Template("/{a}", allow=allow).match("/..") is not None
    # Another argument allow is an error.
    for allow, error, message in [
        ("dots", TypeError, "allow must be a set of slash, dots, empty, not 'dots'"),
        (None, TypeError, "allow must be a set of slash, dots, empty, not None"),
        (1, TypeError, "allow must be a set of slash, dots, empty, not 1"),
        ({"a": "dots"}, TypeError, "allow must be a set of slash, dots, empty, not 'dots'"),
        ({"a": None}, TypeError, "allow must be a set of slash, dots, empty, not None"),
        ({"a": {"dot"}}, ValueError, "allow must contain only slash, dots, empty, not 'dot'"),
        ({"control"}, ValueError, "allow must contain only slash, dots, empty, not 'control'"),
        ({1}, ValueError, "allow must contain only slash, dots, empty, not 1"),
        ({"b": {"dots"}}, ValueError, "unknown variable in allow: 'b'"),
    ]:
        with pytest.raises(error, match=message):
            Template("/{a}", allow=allow)


def test_templates_load_when_they_are_first_used() -> None:
    code = "import uriverse, sys; sys.exit('uriverse.templates' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
