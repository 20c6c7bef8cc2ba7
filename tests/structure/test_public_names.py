"""Public names have docstrings and public modules, and both engines have the same members."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import uriverse
from uriverse import diagnosis, http
from uriverse._spec import identifier as spec


def public_members() -> Iterator[tuple[str, object]]:
    for name in uriverse.__all__:
        public = getattr(uriverse, name)
        if name != "compiled":  # A `bool` has no docstring of its own.
            yield name, public
        if isinstance(public, type):
            for member, value in vars(public).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("name", [name for name, _ in public_members()])
def test_every_public_name_has_a_docstring_that_opens_with_a_sentence(name: str) -> None:
    docstring = inspect.getdoc(dict(public_members())[name])
    assert docstring
    assert docstring.split("\n\n")[0].rstrip().endswith((".", ":"))


def surface(module: object, kind: str) -> dict[str, str | None]:
    owner = getattr(module, kind) if kind else module
    names = {n for n in vars(spec if not kind else spec.Identifier) if not n.startswith("_")}
    return {name: inspect.getdoc(getattr(owner, name)) for name in names}


def test_both_engines_have_the_same_members_with_the_same_docstrings() -> None:
    kernel = pytest.importorskip("uriverse._kernel.identifier", reason="the kernel is not built")
    assert surface(kernel, "Identifier") == surface(spec, "Identifier")
    for name in ("is_uri", "is_uri_reference", "is_absolute_uri", "is_iri", "is_iri_reference"):
        assert inspect.getdoc(getattr(kernel, name)) == inspect.getdoc(getattr(spec, name))
    assert inspect.getdoc(kernel.parse) == inspect.getdoc(spec.parse)
    assert inspect.getdoc(kernel.Identifier) == inspect.getdoc(spec.Identifier)


@pytest.mark.parametrize(
    "module", [uriverse, uriverse.schemes, diagnosis, http], ids=lambda m: m.__name__
)
def test_every_name_in_all_exists_and_is_listed_once(module: Any) -> None:
    assert sorted(module.__all__) == sorted(set(module.__all__))
    assert set(module.__all__) <= set(dir(module))
    assert all(hasattr(module, name) for name in module.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


#: The public modules.
PUBLIC_MODULES = [
    "uriverse",
    *(
        module.name
        for module in pkgutil.walk_packages(uriverse.__path__, "uriverse.")
        if is_public(module.name)
    ),
]


def exported_names() -> Iterator[tuple[str, str]]:
    """Yield the names in `__all__` of each public module that can be imported here."""
    for name in PUBLIC_MODULES:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        for public in getattr(module, "__all__", ()):
            yield name, public


@pytest.mark.parametrize(("name", "public"), list(exported_names()))
def test_exported_names_and_their_methods_have_a_public_module(name: str, public: str) -> None:
    found = getattr(importlib.import_module(name), public)
    assert is_public(getattr(found, "__module__", None) or "uriverse")
    members = vars(found).items() if isinstance(found, type) else ()
    for member, value in members:
        if not member.startswith("_") and inspect.isroutine(getattr(value, "__func__", value)):
            assert is_public(value.__module__), member


def test_an_instance_of_every_public_class_has_a_public_class() -> None:
    values = (
        uriverse.URI("http://a/b?c"),
        uriverse.IRI("http://é/"),
        uriverse.URIReference("a"),
        uriverse.IRIReference("é"),
        uriverse.split("a"),
        uriverse.URI("a:b").params,
        uriverse.URI("a:b").segments,
        uriverse.check("a b")[0],
        uriverse.explain("a:b"),
        uriverse.IRI("http://a/\u05d01").bidi_findings[0],
        uriverse.URI("A:b").normalization_changes()[0],
    )
    for value in values:
        assert is_public(type(value).__module__), value


def test_the_class_of_an_error_has_a_public_module() -> None:
    with pytest.raises(uriverse.URIError) as caught:
        uriverse.parse("a b")
    assert is_public(type(caught.value).__module__)
