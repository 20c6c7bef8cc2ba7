"""Every name in the annotations of a public signature can be imported from a public module."""

from __future__ import annotations

import builtins
import collections.abc
import datetime as dt
import inspect
import ipaddress
import pathlib
import re
import typing
import uuid
from collections.abc import Iterator

import pytest

import uriverse
import uriverse.typing as aliases
from uriverse import columns, hosts, http, oauth, percent, schemes, suffixes, templates
from uriverse._uri.engine import Identifier
from uriverse.columns import _registry

#: Standard library modules whose names are allowed in annotations.
STANDARD = (builtins, typing, collections.abc, dt, ipaddress, pathlib, uuid)

#: The base class of the four types, and type variables.
BASE_CLASS_AND_TYPE_VARIABLES = {Identifier.__name__, "_engine", "T"}


def is_public(name: str) -> bool:
    return (
        name in BASE_CLASS_AND_TYPE_VARIABLES
        or name in aliases.__all__
        or name in {*uriverse.__all__, *columns.__all__, *hosts.__all__}
        or name in {*http.__all__, *schemes.__all__, *suffixes.__all__, *templates.__all__}
        or any(hasattr(module, name) for module in STANDARD)
    )


def public_callables() -> Iterator[tuple[str, object]]:
    modules = {
        "uriverse": uriverse,
        "hosts": hosts,
        "http": http,
        "oauth": oauth,
        "percent": percent,
        "suffixes": suffixes,
        "templates": templates,
    }
    for prefix, module in modules.items():
        for name in module.__all__:
            found = getattr(module, name)
            if not isinstance(found, type):
                yield f"{prefix}.{name}", found
                continue
            for member, value in vars(found).items():
                function = getattr(value, "fget", getattr(value, "__func__", value))
                if inspect.isfunction(function) and not member.startswith("_"):
                    yield f"{prefix}.{name}.{member}", function
    for name in _registry.FUNCTIONS:
        yield f"columns.{name}", getattr(columns, name)
    yield "columns.expand", columns.expand


@pytest.mark.parametrize(
    ("name", "function"),
    [case for case in public_callables() if callable(case[1])],
    ids=[name for name, found in public_callables() if callable(found)],
)
def test_the_names_in_a_public_signature_are_public(name: str, function: object) -> None:
    for parameter, annotation in inspect.get_annotations(function).items():  # type: ignore[arg-type]
        text = annotation if isinstance(annotation, str) else ""
        # Skip strings in a `Literal`, and attributes after a dot.
        names = re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*(?![\w\"'])", text)
        assert [found for found in names if not is_public(found)] == [], (name, parameter)
