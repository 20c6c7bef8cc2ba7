"""Generate docs/api.json, which lists every public name with its signature and its type.

python tools/make_api.py            write the list
python tools/make_api.py --check    fail if a public name, a signature or a type has changed

`griffe check uriverse --search src --against TAG` then names the changes that break programs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import griffe
from generated import write_or_check

import uriverse

LIST = Path(__file__).resolve().parent.parent / "docs" / "api.json"


def public_modules() -> Iterator[str]:
    """Yield the names of all modules whose names have no underscore."""
    yield "uriverse"
    for module in walk_packages(uriverse.__path__, "uriverse."):
        if not any(part.startswith("_") for part in module.name.split(".")):
            yield module.name


def loaded() -> Any:
    """Return the package as its source code describes it, with the reference implementation."""
    package: Any = griffe.load("uriverse", search_paths=[str(Path(uriverse.__file__).parents[1])])
    engine = package["_uri.engine"]
    assigned = {name: one for name, one in engine.members.items() if not one.is_alias}
    for name, member in assigned.items():
        # Both engines have the same signatures: a test compares them.
        if member.is_attribute and str(member.value) == f"_engine.{name}":
            target = f"uriverse._uri.identifier.{name}"
            engine.set_member(name, griffe.Alias(name, target, parent=engine))
    return package


def signatures(function: griffe.Function) -> str | list[str]:
    """Return the signature of a function, or those of its overloads."""
    if function.overloads:
        return [one.signature() for one in function.overloads]
    return function.signature()


def is_own(member: Any) -> bool:
    """Return whether a name belongs to uriverse, not to the standard library."""
    return not member.is_alias or member.target_path.startswith("uriverse.")


def owner(member: Any) -> str:
    """Return the path of the class that defines a member."""
    target = member.final_target if member.is_alias else member
    path: str = target.parent.canonical_path
    return path


def described(name: str, member: Any, classes: set[str]) -> Iterator[tuple[str, str | list[str]]]:
    """Yield a name and its description, then those of its members.

    A class has the members of its public base classes too. They are not repeated.

    Args:
        name: the public name.
        member: what it names.
        classes: the paths of the public classes.
    """
    if not is_own(member):
        yield name, member.target_path
    elif member.is_function:
        yield name, signatures(member.final_target if member.is_alias else member)
    elif member.is_class:
        yield name, f"class({', '.join(map(str, member.bases))})"
        for inner, found in member.all_members.items():
            hidden = inner.startswith("_") and not (inner.startswith("__") and found.is_function)
            if not hidden and not (found.inherited and owner(found) in classes):
                yield from described(f"{name}.{inner}", found, classes)
    elif not member.is_module:
        yield name, str(member.annotation or "attribute")


def api() -> dict[str, str | list[str]]:
    """Return the description of every public name."""
    package = loaded()
    public = {
        f"{module}.{name}": package[f"{module}.{name}".removeprefix("uriverse.")]
        for module in public_modules()
        for name in import_module(module).__all__
    }
    classes = {one.canonical_path for one in public.values() if is_own(one) and one.is_class}
    found: dict[str, str | list[str]] = {}
    for name, member in public.items():
        found.update(described(name, member, classes))
    return found


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, {LIST: json.dumps(api(), indent=1, sort_keys=True) + "\n"}))
