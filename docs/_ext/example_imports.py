"""The imports that the example of a docstring needs, so that a reader can copy it from its page."""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import uriverse


def with_imports(lines: list[str], name: str, documented: object) -> list[str]:
    """Return a docstring whose example begins with the imports that it needs.

    Args:
        lines: the docstring.
        name: the full name of the documented object, which begins with its public module.
        documented: the documented object.
    """
    examples = doctest.DocTestParser().get_examples("\n".join(lines))
    if not examples:
        return lines
    first = examples[0]
    imports = statements(unbound("".join(example.source for example in examples)), name, documented)
    prompts = [f"{' ' * first.indent}>>> {statement}" for statement in imports]
    return [*lines[: first.lineno], *prompts, *lines[first.lineno :]]


def unbound(code: str) -> set[str]:
    """Return the names that code uses but does not define."""
    used, defined = set(), set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(name, ast.Load()):
                used.add(name)
            case ast.Name(name) | ast.arg(name) | ast.ExceptHandler(name=str(name)):
                defined.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                defined.add(node.name)
            case ast.alias():
                defined.add((node.asname or node.name).partition(".")[0])
    return used - defined


def statements(names: set[str], documented_name: str, documented: object) -> list[str]:
    """Return import statements in the order of ruff: Python's own modules, others, ours."""
    modules = set()
    members = defaultdict(set)
    for name in names:
        # A function may have the name of a built-in one.
        if hasattr(builtins, name) and name != documented_name.rpartition(".")[2]:
            continue
        if name in uriverse.__all__:
            members["uriverse"].add(name)
            continue
        for owner in owners(documented_name, documented):
            found = getattr(owner, name, None)
            if isinstance(found, ModuleType):
                modules.add(
                    found.__name__ if found.__name__ == name else f"{found.__name__} as {name}"
                )
                break
            if found is not None:
                is_own = name in getattr(owner, "__all__", ())
                home = owner.__name__ if is_own else getattr(found, "__module__", owner.__name__)
                members[home].add(name)
                break
    made = [f"import {module}" for module in modules]
    made += [f"from {module} import {listed(names)}" for module, names in members.items()]
    return sorted(made, key=order)


def owners(name: str, documented: Any) -> list[ModuleType]:
    """Return the public module of an object, and the module where it is defined."""
    parts = name.split(".")
    paths = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
    public = next(path for path in paths if path in sys.modules)
    members = vars(documented).values() if isinstance(documented, type) else [documented]
    functions: Iterator[Any] = (
        getattr(member, "__func__", getattr(member, "fget", member)) for member in members
    )
    # `__module__` names the public module, but the globals are those of the definition.
    defined = [
        function.__globals__["__name__"]
        for function in map(inspect.unwrap, functions)
        if inspect.isfunction(function)
    ]
    return [sys.modules[module] for module in (public, *defined[:1]) if module in sys.modules]


def listed(names: set[str]) -> str:
    """Return names in the order of ruff: constants, classes, functions."""
    return ", ".join(sorted(names, key=lambda name: (name[0].islower(), not name.isupper(), name)))


def order(statement: str) -> tuple[int, bool, str]:
    package = statement.split()[1].partition(".")[0]
    group = 0 if package in sys.stdlib_module_names else 2 if package == "uriverse" else 1
    return group, statement.startswith("from"), statement
