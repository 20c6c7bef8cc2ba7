"""Both engines in one process, each with its own four types.

The running package registers its types with one engine only. The other engine gets four minimal
types here: everything that both engines implement is in their own base class.
"""

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest

from uriverse import IRI, URI, IRIReference, URIReference, _engine, _spec
from uriverse._spec import tables
from uriverse._uri import identifier as specification

#: The reason for skipping a test that needs both engines.
NOT_BUILT = "the kernel is not built here"

RUNNING: dict[str, Any] = {kind._rule: kind for kind in (IRIReference, IRI, URIReference, URI)}


@dataclass(frozen=True)
class Engine:
    name: str
    module: Any
    types: dict[str, Any]

    @property
    def parse(self) -> Callable[[str], Any]:
        return self.module.parse  # type: ignore[no-any-return]

    def accepts(self, text: str) -> tuple[bool, ...]:
        return tuple(getattr(self.module, name)(text) for name in ASKED)


#: The `is_*` functions, and the rule that each checks.
ASKED = {
    "is_uri": "URI",
    "is_uri_reference": "URI-reference",
    "is_absolute_uri": "absolute-URI",
    "is_iri": "IRI",
    "is_iri_reference": "IRI-reference",
}


def bare_types(module: Any) -> dict[str, Any]:
    """Create four types on an engine's base class that are nested like the public ones."""
    made: dict[str, Any] = {}
    for rule, kind in RUNNING.items():
        parents = tuple(made[base._rule] for base in kind.__bases__ if base in RUNNING.values())
        space: dict[str, Any] = {"__slots__": (), "_rule": rule, "__module__": __name__}
        made[rule] = type(kind.__name__, parents or (module.Identifier,), space)
    # In the kernel, some properties are functions, of which the public types make properties.
    for name, function in vars(getattr(module, "URIMethods", object)).items():
        if isinstance(inspect.getattr_static(IRIReference, name, None), property):
            setattr(made["IRI-reference"], name, property(function))
    return made


def specified() -> Engine:
    """Return the reference implementation, whether or not it is the running engine."""
    types = RUNNING
    if _engine.compiled:
        types = bare_types(specification)
        specification.load_types(types)
    return Engine("spec", specification, types)


def compiled() -> Engine | None:
    """Return the kernel, whether or not it is the running engine; `None` if it is not built."""
    try:
        kernel = import_module("uriverse._kernel.core")
    except ImportError:
        return None
    if _engine.compiled:
        return Engine("kernel", kernel, RUNNING)
    types = bare_types(kernel)
    kernel.load(tables, _spec)
    kernel.load_types(types)
    return Engine("kernel", kernel, types)


SPEC = specified()
KERNEL = compiled()


def both() -> tuple[Engine, Engine]:
    """Return both engines; skip the test if the kernel is not built."""
    if KERNEL is None:
        if os.environ.get(_engine.SWITCH) == "require":
            pytest.fail(f"{NOT_BUILT}, and {_engine.SWITCH} is 'require'")
        pytest.skip(NOT_BUILT)
    return SPEC, KERNEL
