import ast
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest
from interpreters import run_python
from platforms import unix

import uriverse

PACKAGE = Path(uriverse.__file__).parent
#: An installed package has no sources of the kernel.
KERNEL = Path(__file__).resolve().parents[2] / "src" / "uriverse" / "_kernel"

#: The floors, from top to bottom: a room imports rooms on lower floors only.
FLOORS = (
    ("_cli", "integrations", "testing", "rdf", "columns", "dial"),
    *(("http", "templates", "_policy", "diagnosis"), ("_typed", "hosts", "logs")),
    *(("_uri", "schemes"), ("_kernel", "_spec", "typing")),
    ("_errors", "_redaction", "_engine", "_lazy"),
)
FLOOR_OF = {room: -number for number, rooms in enumerate(FLOORS) for room in rooms}

#: The modules at public paths that belong to a room.
IN_ROOMS = {"oauth": "_policy", "suffixes": "hosts", "percent": "_uri"}

#: The rooms that import another room on their floor; the first two only in functions.
ON_ONE_FLOOR = {
    *(("_cli", "columns"), ("rdf", "columns"), ("_policy", "diagnosis")),
    *(("templates", "diagnosis"), ("_typed", "hosts"), ("_uri", "schemes"), ("_kernel", "_spec")),
    *(("typing", "_spec"), ("_errors", "_redaction")),
    *(("_redaction", "_lazy"), ("_redaction", "_engine"), ("_errors", "_engine")),
}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name_of(path: Path) -> str:
    return ".".join(("uriverse", *path.relative_to(PACKAGE).with_suffix("").parts))


def room_of(module: str) -> str | None:
    """Return the room of a module; `None` for the package itself and its public names."""
    name = [*module.split("."), "__init__"][1]
    room = IN_ROOMS.get(name, name)
    return room if room in FLOOR_OF else None


def may_import(room: str | None, other: str | None) -> bool:
    """Return whether a room may import another; `None` is the package itself."""
    if room is None or room == other or (room, other) in ON_ONE_FLOOR:
        return True
    if other is None:
        # Only the rooms of the top floor use the public names of the package.
        return FLOOR_OF[room] == 0
    return FLOOR_OF[other] < FLOOR_OF[room]


#: The names of functions that import a module.
IMPORTING_NAMES = {"import_module", "__import__"}


def imported(nodes: Iterable[ast.AST], module: str) -> Iterator[str]:
    """Yield the absolute names of the package's modules that a module imports.

    Imports in functions and under conditions count. A module's name in a string counts as an
    import, and so does a relative name in a call with `__package__` or `__name__`. The `__module__`
    of a public object is no import.
    """
    package = module.rpartition(".")[0]
    anchors = {"__name__": module.removesuffix(".__init__"), "__package__": package}
    nodes = list(nodes)
    named = {id(n.value) for n in nodes if isinstance(n, ast.Assign) and names_module(n)}
    for node in nodes:
        found: list[str] = []
        match node:
            case ast.Constant() if id(node) in named:
                pass
            case ast.Import():
                found = [alias.name for alias in node.names]
            case ast.ImportFrom():
                origin = resolve_name("." * node.level + (node.module or ""), package)
                # `from uriverse import engine` names modules; `from .engine import x` names one.
                whole = origin == "uriverse"
                found = [f"{origin}.{alias.name}" for alias in node.names] if whole else [origin]
            case ast.Call(func=function, args=[name, *others]):
                text = static_prefix(name, anchors)
                others += [keyword.value for keyword in node.keywords]
                if text.startswith("."):
                    at = [anchors.get(n.id) for n in others if isinstance(n, ast.Name)]
                    found = [resolve_name(text, anchor) for anchor in at if anchor]
                elif getattr(function, "attr", getattr(function, "id", "")) in IMPORTING_NAMES:
                    found = [text]
            case ast.Constant() | ast.JoinedStr():
                text = static_prefix(node, anchors)
                found = [text] if re.fullmatch(r"uriverse\.[\w.]+", text) else []
        yield from (name for name in found if f"{name}.".startswith("uriverse."))


def names_module(statement: ast.Assign) -> bool:
    return all(ast.unparse(target).endswith("__module__") for target in statement.targets)


def static_prefix(node: ast.expr, known: Mapping[str, str]) -> str:
    """Return the start of a string or f-string, up to the first value known only at run time."""
    text = ""
    for piece in node.values if isinstance(node, ast.JoinedStr) else [node]:
        part = piece.value if isinstance(piece, ast.FormattedValue) else piece
        if isinstance(part, ast.Name) and part.id in known:
            text += known[part.id]
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            text += part.value
        else:
            break
    return text


#: The module that imports a module above it: the choice of the engine loads the kernel.
UPWARDS = {("uriverse._engine", "uriverse._kernel")}


def upward_imports(tree: ast.AST, module: str) -> list[str]:
    """Return the imports of a module that no room below its own offers."""
    room = room_of(module)
    names = sorted(set(imported(ast.walk(tree), module)))
    return [
        name
        for name in names
        if not may_import(room, room_of(name)) and (module, name) not in UPWARDS
    ]


def test_imports_run_only_downwards() -> None:
    upward = {name_of(path): upward_imports(parse(path), name_of(path)) for path in MODULES}
    assert {name: names for name, names in upward.items() if names} == {}


def test_an_import_of_a_higher_floor_is_detected_in_any_notation() -> None:
    for source, name in [
        ("import uriverse", "uriverse"),
        ("import uriverse.columns._execution as w", "uriverse.columns._execution"),
        ("from uriverse import _cli", "uriverse._cli"),
        ("from uriverse import _errors, check", "uriverse.check"),
        ("from uriverse.diagnosis import check", "uriverse.diagnosis"),
        ("from .. import _policy", "uriverse._policy"),
        ("from ..hosts import ip", "uriverse.hosts"),
        ("def f():\n    from .._uri.engine import parse", "uriverse._uri.engine"),
        ("TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from uriverse import URI", "uriverse.URI"),
        (
            "try:\n    import uriverse._kernel.core\nexcept ImportError: ...",
            "uriverse._kernel",
        ),
        ("m = import_module('uriverse')", "uriverse"),
        ("m = import_module('uriverse.diagnosis._extraction')", "uriverse.diagnosis._extraction"),
        ("m = importlib.import_module('.._policy', __package__)", "uriverse._policy"),
        ("m = import_module(name='x', package=y) or __import__('uriverse._cli')", "uriverse._cli"),
        ("m = import_module(f'..{x}', package=__package__)", "uriverse"),
        ("m = import_module('...columns', __name__)", "uriverse.columns"),
        ("m = import_module(f'uriverse._uri.{x}')", "uriverse._uri."),
        ("LATER = {'Params': 'uriverse._uri.params'}", "uriverse._uri.params"),
    ]:
        found = upward_imports(ast.parse(source), "uriverse._spec.percent")
        assert [(higher, higher.startswith(name)) for higher in found] == [(found[0], True)]


def test_imports_of_the_same_room_and_of_lower_floors_are_allowed() -> None:
    for source, module in [
        ("from . import syntax\nfrom .syntax import matches\nimport re", "uriverse._spec.percent"),
        ("from .. import _errors\nfrom .grammar.rfc3986 import URI", "uriverse._spec.percent"),
        ("m = import_module(f'.{x}', __package__)", "uriverse._spec.percent"),
        ("m = import_module(f'uriverse._spec.{x}')", "uriverse._uri.engine"),
        ("from . import view\nfrom .view import View", "uriverse.schemes.__init__"),
        ("m = import_module(f'.{x}', __name__)", "uriverse.schemes.__init__"),
        ("m = import_module(f'{__name__}.{x}')", "uriverse.__init__"),
        ("from uriverse import _uri, check, hosts", "uriverse.columns._reference"),
        ("f.__module__ = g.__module__ = 'uriverse.typing'", "uriverse._spec.percent"),
        ("print('uriverse is a package, uriverse._cli is a module')", "uriverse._spec.percent"),
    ]:
        assert upward_imports(ast.parse(source), module) == []


def walk_running(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree without the imports for type checkers, which never run."""
    remaining = [tree]
    while remaining:
        yield (node := remaining.pop())
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            remaining += node.orelse
        else:
            remaining += ast.iter_child_nodes(node)


def dependencies(path: Path) -> set[str]:
    """Return the modules that a module imports; a package stands for its `__init__`."""
    nodes, module = list(walk_running(parse(path))), name_of(path)
    found: set[str] = set()
    for name in imported(nodes, module):
        # A name that is composed at run time can be that of any module with this prefix.
        found |= {other for other in NAMES if other.startswith(name)} if name[-1] == "." else {name}
    package = module.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            members = {f"{origin}.{alias.name}" for alias in node.names}
            # The names imported from a package may all be modules of it, so that it does not depend
            # on the package's own names.
            found -= {origin} if members <= NAMES else set()
            found |= members
    found -= {other for above, other in UPWARDS if above == module}
    return found & NAMES - {module.removesuffix(".__init__")}


NAMES = {name_of(path).removesuffix(".__init__") for path in MODULES}


def cycle_in(graph: Mapping[str, set[str]]) -> list[str]:
    remaining = dict(graph)
    while free := [name for name, others in remaining.items() if not others & remaining.keys()]:
        for name in free:
            del remaining[name]
    found: list[str] = []
    name = min(remaining, default="")
    while remaining and name not in found:
        found.append(name)
        name = min(remaining[name] & remaining.keys())
    return found[found.index(name) :] if found else []


def test_imports_have_no_cycles() -> None:
    graph = {name_of(path).removesuffix(".__init__"): dependencies(path) for path in MODULES}
    assert "uriverse._uri.engine" in graph["uriverse._uri.types"]
    assert "uriverse.schemes._urn" in graph["uriverse.schemes._descriptors"]
    assert cycle_in(graph) == []


def test_cycle_in_finds_a_cycle_anywhere_in_a_graph() -> None:
    assert cycle_in({"a": {"b", "c"}, "b": {"d"}, "c": set(), "d": {"b"}}) == ["b", "d"]
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
    assert cycle_in({"a": {"b"}, "b": set()}) == []


FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def import_statements(node: ast.AST, *, functions: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            yield from import_statements(ast.Module(child.orelse, []), functions=functions)
        elif functions or not isinstance(child, FUNCTIONS):
            yield from import_statements(child, functions=functions)


def locks(node: ast.AST, module: str, sources: Mapping[str, str]) -> list[str]:
    package = module if f"{module}.__init__" in sources else module.rpartition(".")[0]
    names: list[str] = []
    for statement in import_statements(node, functions=isinstance(node, FUNCTIONS)):
        if isinstance(statement, ast.Import):
            modules = [alias.name for alias in statement.names]
        else:
            origin = resolve_name("." * statement.level + (statement.module or ""), package)
            modules = [f"{origin}.{alias.name}" for alias in statement.names]
            names.append(origin)
        for name in modules:
            # Python imports these as `__import__(name)`, which waits for the outermost package too.
            if name in sources or f"{name}.__init__" in sources:
                names += [name, name.partition(".")[0]]
    return [name for name in names if name in sources or f"{name}.__init__" in sources]


def scopes(module: str, sources: Mapping[str, str]) -> list[list[str]]:
    """Return the modules that a module imports, in order: alone, and before each function."""
    tree = ast.parse(sources[module if module in sources else f"{module}.__init__"])
    top = locks(tree, module, sources)
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    # Strings name the modules of public names.
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    texts = [text for text in constants if isinstance(text, str)]
    later = [f"{module}.{text}" for text in texts if f"{module}.{text}" in sources]
    return [top, top + later, *(top + locks(function, module, sources) for function in functions)]


def reached(starts: Iterable[str], graph: Mapping[str, set[str]]) -> set[str]:
    """Return the modules that an import of some modules imports."""
    found: set[str] = set()
    waiting = [*starts]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


def possible_deadlocks(sources: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the modules whose imports may deadlock in threads, each with a module it imports.

    A thread that imports a package `P` holds its lock, and waits for each module `P.sub` that the
    package imports. Another thread that has begun to import `P.sub` holds that lock, and waits for
    `P`: always if `P` was not imported before, and also for a `from . import other` in `P.sub`. (It
    waits for `uriverse`, too: Python imports `other` by `__import__`, which returns the outermost
    package.) Python breaks such a deadlock: one thread gets a `_DeadlockError`, or a module that is
    half initialized. It cannot happen if the modules that `P` imports are imported only by a thread
    that imports `P` or has imported it. Therefore, modules outside of `P` import from `P` itself,
    or from `P.sub` after an import of `P`. And a public module, with which a program may begin,
    imports from `uriverse`, and from its package, before it imports the modules that these import.

    Args:
        sources: the source of each module by its name. The name of a package ends in `.__init__`.
    """
    modules = {name.removesuffix(".__init__") for name in sources}
    orders = {name: scopes(name, sources) for name in modules}
    graph = {name: {*order[0]} for name, order in orders.items()}
    public = {name for name in modules if "._" not in name}
    whole = reached(["uriverse"], graph)
    found: set[tuple[str, str]] = set()
    for package in modules - sources.keys():
        within = {name for name in modules if name.startswith(f"{package}.")}
        # A module without imports never waits.
        own = {name for name in reached([package], graph) & within if graph[name]}
        # If `uriverse` imports the package, it is complete when others begin.
        outside = modules - within - {package} if package not in whole else set()
        for name in (within & public) | outside if own else ():
            begins = name in within
            # All public modules of a package wait for it.
            waiting = {package} | (within & public if begins else set()) - {name}
            for order in orders[name]:
                first = next((n for n, other in enumerate(order) if other in waiting), len(order))
                early = {other for other in order[:first] if other != "uriverse"}
                found |= {
                    (name, other) for other in (reached(early, graph) if begins else early) & own
                }
        found |= {(name, package) for name in own & public}
    return found


def test_threads_never_wait_for_each_other_when_they_import_modules() -> None:
    assert possible_deadlocks({name_of(path): path.read_text("utf-8") for path in MODULES}) == set()


def test_an_import_before_the_package_is_detected() -> None:
    for outside in [
        *("from ._p._q import x", "import uriverse._p._q", "def f():\n    from ._p._q import x"),
        "from ._p._q import x\nfrom ._p import y",
        "if TYPE_CHECKING:\n    from ._p import y\nfrom ._p._q import x",
    ]:
        assert possible_deadlocks(package_with({"_r": outside})) == {
            ("uriverse._r", "uriverse._p._q")
        }


def test_imports_after_the_package_are_allowed() -> None:
    for outside in [
        *("from ._p import x", "from ._p import y\nfrom ._p._q import x"),
        "from . import _p\nfrom ._p._q import x",
        "from ._p import y\ndef f():\n    from ._p._q import x",
        *("def f():\n    from ._p import _q", "if TYPE_CHECKING:\n    from ._p._q import x"),
        "from ._p._s import x",
    ]:
        assert possible_deadlocks(package_with({"_r": outside})) == set()


def test_a_public_module_that_does_not_begin_with_the_package_is_detected() -> None:
    for sources in [
        {"__init__": "from ._r import x", "r": "from ._r import x"},
        {"__init__": "from ._r import x", "r": "def f():\n    from ._r import x"},
        {
            "__init__": "from ._r import x",
            "r.__init__": "__getattr__ = import_later(globals(), {'_t': 'x'})",
            "r._t": "from uriverse._r import x",
        },
        {"__init__": "from ._r import x", "r": "from ._t import x", "_t": "from ._r import x"},
        {"__init__": "from ._r import x", "r": "from ._r import x\nfrom uriverse import y"},
        {"__init__": "from .r import x", "r": "from ._s import x"},
    ]:
        found = possible_deadlocks(package_with({"_r": "from ._s import x", **sources}))
        assert {name for name, _ in found} == {"uriverse.r"}


@pytest.mark.parametrize(
    "begin", ["from uriverse import x", "import uriverse", "from . import _s", "from .s import x"]
)
def test_a_public_module_may_import_anything_after_the_package(begin: str) -> None:
    sources = {
        "__init__": "from ._r import x",
        "_r": "from ._s import x",
        "r": f"{begin}\nfrom ._r import x",
        "s": "import uriverse",
    }
    assert possible_deadlocks(package_with(sources)) == set()


def package_with(sources: dict[str, str]) -> dict[str, str]:
    others = {"__init__": "", "_p.__init__": "from ._q import x", "_p._q": "from ._s import x"}
    empty = dict.fromkeys(("_p._s", "_s", "_r"), "")
    return {f"uriverse.{name}": source for name, source in (others | empty | sources).items()}


def test_every_module_is_in_a_room_and_every_exception_is_needed() -> None:
    whole = {"__init__", "__main__"}
    first = {name_of(path).split(".")[1] for path in MODULES} - whole
    assert {room_of(f"uriverse.{name}") for name in first} == set(FLOOR_OF)
    used = {
        (room, other)
        for path in MODULES
        if (room := room_of(name_of(path)))
        for name in imported(ast.walk(parse(path)), name_of(path))
        if (other := room_of(name)) and other != room and FLOOR_OF[other] == FLOOR_OF[room]
    }
    # The kernel is compiled: its imports are strings in its sources.
    assert used == ON_ONE_FLOOR - {("_kernel", "_spec")}


@pytest.mark.parametrize("name", ["uriverse_compare", "uriverse_links"])
def test_no_module_names_another_distribution(name: str) -> None:
    # Messages may contain the names of their commands.
    assert [path for path in MODULES if name in path.read_text("utf-8")] == []


def test_the_package_that_compares_parsers_uses_public_names_only() -> None:
    folder = Path(__file__).resolve().parents[2] / "compare" / "src" / "uriverse_compare"
    private = re.compile(r"^\s*(?:from|import) uriverse\b.*\b_[a-z]\w*", re.MULTILINE)
    paths = list(folder.rglob("*.py"))
    assert len(paths) > 10
    assert {path.name: private.findall(path.read_text("utf-8")) for path in paths} == {
        path.name: [] for path in paths
    }


def test_every_module_has_a_docstring() -> None:
    assert [path for path in MODULES if not ast.get_docstring(parse(path))] == []


def test_no_module_has_a_generic_name() -> None:
    empty = {"utils", "util", "helpers", "common", "misc", "manager"}
    assert not empty & {part for path in MODULES for part in name_of(path).split(".")}


#: Cython resolves these at compile time: no import remains at run time.
COMPILED_AWAY = {"cpython", "cython", "libc"}

#: An import statement in Cython, in either form.
CYTHON_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+(\S+)[ \t]+c?import\b|c?import[ \t]+([\w., \t]+))", re.MULTILINE
)
IMPORTING = re.compile(r"__import__|import_module|PyImport_\w+")


def imported_when_running(source: str) -> list[str]:
    found = [
        name.split()[0]
        for origin, names in CYTHON_IMPORT.findall(source)
        for name in (origin or names).split(",")
        if name.split()[0].split(".")[0] not in COMPILED_AWAY
    ]
    return found + IMPORTING.findall(source)


#: The modules above the kernel that its functions import, for errors and in rare cases.
ABOVE_THE_KERNEL = {
    *("uriverse._uri.identifier", "uriverse._uri.pairs", "uriverse._uri.segments"),
    *("uriverse.schemes._normalization", "uriverse.diagnosis._dot_segments"),
    "uriverse.diagnosis._ambiguity",
    "uriverse.columns._buffers",
}

#: The module of the kernel that the other one imports.
CORE = "uriverse._kernel.core"

#: An import of a module in a function of the kernel.
IMPORT_IN_A_FUNCTION = re.compile(
    r"^ +from (uriverse[\w.]*) import (\w+)(?: as \w+)?$", re.MULTILINE
)


def test_functions_of_the_kernel_import_few_modules_above_it() -> None:
    paths = [
        path for path in KERNEL.iterdir() if path.suffix in {".pyx", ".pxd", ".pxi", ".py", ".h"}
    ]
    assert {KERNEL / "core.pyx", KERNEL / "columns.pyx"} <= {*paths}
    found: set[str] = set()
    for path in paths:
        source = path.read_text("utf-8")
        imports = IMPORT_IN_A_FUNCTION.findall(source)
        running = [name for name in imported_when_running(source) if name != CORE]
        assert running == [package for package, _ in imports], path
        modules = {f"{package}.{name}" for package, name in imports}
        found |= {name for name in modules & NAMES if not may_import("_kernel", room_of(name))}
    assert found == ABOVE_THE_KERNEL


def test_an_import_in_the_kernel_is_detected_in_any_notation() -> None:
    for source, found in [
        ("import uriverse", "uriverse"),
        ("    import sys, uriverse._errors as e", "sys"),
        ("cimport cython, uriverse._kernel.scan", "uriverse._kernel.scan"),
        ("    from uriverse._errors import ParseError", "uriverse._errors"),
        *(("from .._errors import ParseError", ".._errors"), ("\tfrom . import scan", ".")),
        ("from .scan cimport scan", ".scan"),
        ("from uriverse._kernel.scan cimport scan", "uriverse._kernel.scan"),
        *(("if wrong: from .. import _errors", ".."), ("x = 1; import uriverse", "uriverse")),
        ("errors = __import__(name)", "__import__"),
        ('PyImport_ImportModule("uriverse._errors")', "PyImport_ImportModule"),
    ]:
        harmless = "from libc.string cimport memchr\ncimport cython\n# imported anew\n"
        assert imported_when_running(harmless) == []
        assert found in imported_when_running(f"{harmless}{source}\n")


#: A program that imports each given module in a separate process and prints the names of those that
#: fail. The processes are forked from one that has imported large third-party packages, but none of
#: ours.
ALONE = """
import gc, importlib, importlib.util, json, os, sys, traceback

gc.disable()  # Collecting garbage would write to the memory that the forks share.
for name in ("click", "duckdb", "idna", "pandas", "polars", "pyarrow", "pyspark"):
    if importlib.util.find_spec(name):
        importlib.import_module(name)

def end_of(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        # Only a package that is not installed excuses a module.
        root = (error.name or name).split(".")[0]
        if root != name.split(".")[0] and importlib.util.find_spec(root) is None:
            return 0
        traceback.print_exc()
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

failed = []
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        os._exit(end_of(name))
    if os.waitpid(child, 0)[1]:
        failed.append(name)
print(json.dumps(failed))
"""


def failing_alone(modules: list[str], path: Path) -> tuple[list[str], str]:
    """Return the modules that cannot be imported alone, and their tracebacks."""
    command = [sys.executable, "-c", ALONE, *modules]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    failed: list[str] = json.loads(done.stdout)
    return failed, done.stderr


@unix
@pytest.mark.slow
def test_every_module_can_be_imported_alone() -> None:
    names = {m.name for m in pkgutil.walk_packages(uriverse.__path__, "uriverse.")}
    assert {"uriverse._spec.violation", "uriverse._cli.commands"} <= names
    failed, stderr = failing_alone(sorted(names), PACKAGE.parent)
    assert not failed, stderr


@unix
def test_a_module_that_needs_another_to_be_imported_first_is_detected(tmp_path: Path) -> None:
    sources = {
        "__init__": "",
        "whole": "from . import other",
        "other": "VALUE = 1",
        "needy": "import planted; planted.other.VALUE",
        "before": "first = 1\nfrom .after import second",
        "after": "from .before import first\nsecond = 2",
        "around": "from .whole import missing",
        "excused": "import not_installed_anywhere",
        "mistaken": "import planted.nothing",
        "leaving": "raise SystemExit",
    }
    package = tmp_path / "planted"
    package.mkdir()
    for name, source in sources.items():
        (package / f"{name}.py").write_text(source)
    modules = ["planted", *(f"planted.{name}" for name in sources if name != "__init__")]
    failed, stderr = failing_alone(modules, tmp_path)
    # The modules "before" and "after" import each other, and only "before" can be imported first.
    assert failed == [f"planted.{n}" for n in ("needy", "after", "around", "mistaken", "leaving")]
    assert "AttributeError" in stderr


def test_importing_the_package_imports_no_integration() -> None:
    program = "import uriverse, sys; uriverse.URI('http://a/').resolve('b'); print(*sys.modules)"
    loaded = set(run_python("-c", program, check=True).stdout.split())
    assert "uriverse._uri" in loaded
    libraries = {found.name for found in pkgutil.iter_modules([str(PACKAGE / "integrations")])}
    assert {"django", "msgspec", "sqlalchemy"} <= libraries
    assert not loaded & ({*libraries, "hypothesis", "pydantic_core"} - {"argparse", "urllib"})
    assert not [name for name in loaded if name.startswith("uriverse.integrations")]


ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "tools", "benchmarks", "compare", "conformance", "fuzz", "docs", "links")

#: Modules of the standard library that Windows does not have.
UNIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}

#: Matches an import of such a module, without indentation.
UNIX_IMPORT = re.compile(rf"^(?:import|from) .*\b({'|'.join(sorted(UNIX_ONLY))})\b", re.MULTILINE)


def unix_imports(source: str) -> set[str]:
    """Return the modules that Windows does not have, and that the top level of a module imports."""
    found: set[str] = set()
    for node in ast.parse(source).body if UNIX_IMPORT.search(source) else ():
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(str(node.module))
    return found & UNIX_ONLY


def test_modules_of_unix_are_not_imported_on_every_platform() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert paths
    assert [path for path in paths if unix_imports(path.read_text("utf-8"))] == []
    source = "import os, fcntl\nfrom resource import getrusage\nif os.name == 'nt':\n    import pty"
    assert unix_imports(source) == {"fcntl", "resource"}
