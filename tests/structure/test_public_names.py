import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import uriverse
from uriverse._uri import identifier as spec


def public_members() -> Iterator[tuple[str, object]]:
    for name in uriverse.__all__:
        public = getattr(uriverse, name)
        if name != "compiled":  # A `bool` has no docstring of its own.
            yield name, public
        if isinstance(public, type):
            for member, value in vars(public).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


def test_every_public_name_has_a_docstring_that_opens_with_a_sentence() -> None:
    for name, member in public_members():
        summary = (inspect.getdoc(member) or "").split("\n\n")[0]
        assert summary.rstrip().endswith((".", ":")), name


def test_public_members_have_the_documentation_of_python_functions() -> None:
    for name in vars(spec.Identifier):
        assert name.startswith("_") or inspect.getdoc(getattr(uriverse.IRIReference, name)), name


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


PACKAGE = Path(uriverse.__file__).parent
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def imported(name: str) -> Any:
    """Return a public module; skip the test if a package that the module needs is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_dir_of_a_public_module_shows_exactly_its_public_names(name: str) -> None:
    module = imported(name)
    public = list(module.__all__)
    assert sorted(public) == sorted(set(public)) == sorted(dir(module))
    assert all(hasattr(module, public_name) for public_name in public)


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_an_unknown_name_of_a_public_module_raises_attribute_error(name: str) -> None:
    module = imported(name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing_like_this'"):
        _ = module.nothing_like_this


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_the_module_of_a_public_class_or_function_is_the_public_module(name: str) -> None:
    module = imported(name)
    for public in module.__all__:
        found = getattr(module, public)
        if isinstance(found, type) or inspect.isroutine(found):
            assert found.__module__ == name, public


def definitions(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from names_set_by(*targets)
            case ast.AnnAssign(target=target):
                yield from names_set_by(target)
            case ast.If() | ast.Try() | ast.For():
                if isinstance(node, ast.For):
                    yield from names_set_by(node.target)
                for block in ("body", "orelse", "finalbody"):
                    yield from definitions(getattr(node, block, []))
                for handler in getattr(node, "handlers", []):
                    yield from definitions(handler.body)
            case _:
                pass


def names_set_by(*targets: ast.expr) -> Iterator[str]:
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_every_definition_in_a_public_module_is_public_or_has_an_underscore(name: str) -> None:
    module = imported(name)
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    allowed = {*module.__all__, "TYPE_CHECKING"}
    found = {name for name in definitions(tree.body) if not name.startswith("_")}
    assert found - allowed == set()


def test_a_definition_is_detected_in_any_notation() -> None:
    for source in [
        *("def name(): ...", "class name: ...", "name = 1", "other, name = 1, 2", "name: int = 1"),
        *("if a: name = 1", "try: import a\nexcept ImportError: name = 1", "for name in a: ..."),
    ]:
        assert "name" in definitions(ast.parse(source).body)


#: The rooms that count as one: the engine is the base class of the types and of their views, and
#: the public suffixes of hosts stand at a public path.
SAME_ROOM = {"_kernel": "_uri", "_spec": "_uri", "suffixes": "hosts"}

#: Attributes with an underscore that other packages document: those of named tuples, `os`, and
#: libraries that offer no other name.
DOCUMENTED = {"_replace", "_asdict", "_fields", "_make", "_exit"} | {
    "_addr",  # the address of a structure of nanoarrow
    "_dns_host",  # the host that a connection of urllib3 looks up
    "_run_exitfuncs",  # of `atexit`
    "_tunnel_host",  # the host behind a proxy, in `urllib.request`
}


def room_of(path: Path) -> str:
    """Return the first component of a module's path, or the room that it belongs to."""
    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    return SAME_ROOM.get(room, room)


def underscore_definitions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(name)) if name.isidentifier():
                yield name
            case _:
                pass


def underscore_uses(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the private attributes of other objects that a module uses, and their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
                yield name, node.lineno
            case _:
                pass


TREES = {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}
DEFINED_IN = {
    room: {
        name
        for path, tree in TREES.items()
        if room_of(path) == room
        for name in underscore_definitions(tree)
        if name.startswith("_")
    }
    for room in {room_of(path) for path in SOURCES}
}


def test_no_package_uses_underscore_names_of_objects_of_another() -> None:
    for path in SOURCES:
        own = DEFINED_IN[room_of(path)] | DOCUMENTED
        assert [use for use in underscore_uses(TREES[path]) if use[0] not in own] == [], path


def test_the_use_of_an_underscore_name_is_detected() -> None:
    source = "value._bounds\nself._own\ncls._own\nvalue.public\nvalue.__doc__\nf()._other"
    assert list(underscore_uses(ast.parse(source))) == [("_bounds", 1), ("_other", 6)]
    defined = "class A:\n    __slots__ = ('_a',)\n    def _b(self): self._c = 1\n_d = 1"
    assert {"_a", "_b", "_c", "_d"} <= set(underscore_definitions(ast.parse(defined)))


def test_an_instance_of_every_public_class_has_a_public_class() -> None:
    values = (
        *(uriverse.URI("http://a/b?c"), uriverse.IRI("http://é/"), uriverse.URIReference("a")),
        *(uriverse.IRIReference("é"), uriverse.split("a"), uriverse.URI("a:b").params),
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
