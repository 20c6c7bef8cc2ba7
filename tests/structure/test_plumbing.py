"""A call reaches the kernel in one way, and no module changes an object of another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

#: An installed package has no sources of the kernel.
PACKAGE = Path(__file__).resolve().parents[2] / "src" / "uriverse"
SOURCES = sorted(
    path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".pyx", ".pxd", ".pxi", ".h"}
)
MODULES = [path for path in SOURCES if path.suffix == ".py"]

#: Ways to reach another module or class that an import, a method or a property replaces.
GONE = re.compile(
    r"\b(tp_mro|FastMethod|fast_method|present_methods|public_function|Annotations\(|annotate\("
    r"|register_types|call_reference|reference_modules|described_kernel|search_last)"
)

#: Methods that change a list, a set or a dictionary.
CHANGES = {
    *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove"),
    *("setdefault", "sort", "update"),
}


def test_no_source_has_a_second_way_to_reach_the_kernel() -> None:
    uses = {path: GONE.findall(path.read_text("utf-8")) for path in SOURCES}
    assert {path: words for path, words in uses.items() if words} == {}


def root_name(expression: ast.expr) -> str | None:
    while isinstance(expression, ast.Attribute | ast.Subscript):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


def list_targets(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that a statement assigns or deletes, or that a call changes."""
    if isinstance(node, ast.Assign | ast.Delete):
        return node.targets
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return [node.target]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func] if node.func.attr in CHANGES else []
    return []


def find_changes_of_other_modules(source: str) -> list[str]:
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.level or (node.module or "").startswith("uriverse"))
        for alias in node.names
    }
    return [ast.unparse(node) for node in walk_with_names(tree, imported)]


def walk_with_names(tree: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """Yield the nodes that change an object with one of the names, which arguments may hide."""
    for node in ast.iter_child_nodes(tree):
        visible = names
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            visible = names - {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        if any(
            not isinstance(target, ast.Name) and root_name(target) in visible
            for target in list_targets(node)
        ):
            yield node
        yield from walk_with_names(node, visible)


def find_false_classes(source: str) -> Iterator[str]:
    """Yield the classes that define `__class__`, or whose `__setattr__` does more than to raise."""
    for node in ast.walk(ast.parse(source)):
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            names = {root_name(target) for target in list_targets(member)}
            if isinstance(member, ast.FunctionDef):
                names.add(member.name)
            if "__class__" in names or (
                isinstance(member, ast.FunctionDef)
                and member.name == "__setattr__"
                and not isinstance(member.body[-1], ast.Raise)
            ):
                yield ast.unparse(node).splitlines()[0]


def test_no_module_changes_an_object_of_another_module() -> None:
    changes = {path: find_changes_of_other_modules(path.read_text("utf-8")) for path in MODULES}
    assert {path: statements for path, statements in changes.items() if statements} == {}


def test_no_class_pretends_to_be_another() -> None:
    assert [kind for path in MODULES for kind in find_false_classes(path.read_text("utf-8"))] == []
    false_class = re.compile(r"^ +(def __class__|__class__ *=|def __setattr__)", re.MULTILINE)
    kernel = [path for path in SOURCES if path.suffix != ".py"]
    assert [path for path in kernel if false_class.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "statement",
    ["TYPES[0] = 1", "types.kernel = 1", "TYPES.append(1)", "types.NAMES['a'] = 1", "del TYPES[0]"],
)
def test_a_change_of_another_module_is_found(statement: str) -> None:
    source = f"from uriverse._uri.types import TYPES\nfrom . import types\n{statement}"
    assert find_changes_of_other_modules(source) == [statement]


@pytest.mark.parametrize(
    "member",
    ["__class__ = int", "def __class__(self): ...", "def __setattr__(self, n, v): self.f.a[n] = v"],
)
def test_a_false_class_is_found(member: str) -> None:
    assert list(find_false_classes(f"class A:\n    {member}")) == ["class A:"]


def test_arguments_hide_names_of_modules() -> None:
    source = "from uriverse import hosts\ndef f(hosts):\n    hosts[0] = 1"
    assert find_changes_of_other_modules(source) == []
