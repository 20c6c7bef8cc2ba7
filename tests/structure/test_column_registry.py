import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import uriverse
from uriverse import _engine, columns
from uriverse.columns import _front_ends
from uriverse.columns._buffers import kernel_of_columns
from uriverse.columns._functions import ColumnMethods
from uriverse.columns._registry import FUNCTIONS, ColumnFunction, Option

PACKAGE = Path(uriverse.__file__).parent

#: The modules that define the functions.
DEFINITIONS = {f"columns/_{name}.py" for name in ("checks", "components", "conversions", "edits")}

#: The modules that use column functions.
USERS = sorted(path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "columns").glob("*.py"))

#: The generated types.
TYPES = ("__init__", "_functions", "spark")


def defined_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Dict(keys=keys):
                yield from constants(keys)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=names):
                yield from constants(ast.walk(names))
            case _:
                pass


def constants(nodes: Any) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_describe_the_parameters_of_each_front_end(name: str) -> None:
    function = FUNCTIONS[name]
    options = [option.name for option in function.options]
    methods, functions = inspect.signature(getattr(ColumnMethods, name)), getattr(columns, name)
    summary = function.manual.partition("\n")[0] + "\n\n"
    for docstring, parameters in (
        (inspect.getdoc(functions) or "", list(inspect.signature(functions).parameters)),
        (inspect.getdoc(getattr(ColumnMethods, name)) or "", list(methods.parameters)[1:]),
        (_front_ends.write_spark_docstring(function), [*function.inputs, *options]),
    ):
        assert docstring.startswith(summary)
        assert max(map(len, docstring.splitlines())) <= _front_ends.WIDTH
        entries = docstring.partition("Args:\n")[2].partition("\n\n")[0]
        assert re.findall(r"^    (\w+): ", entries, re.MULTILINE) == parameters


@pytest.mark.parametrize("name", sorted(set(USERS) - DEFINITIONS))
def test_no_other_module_defines_the_functions(name: str) -> None:
    # Options such as `host` and `name` may have the names of functions.
    options = {option.name for function in FUNCTIONS.values() for option in function.options}
    source = (PACKAGE / name).read_text("utf-8")
    assert not set(defined_names(source)) & (FUNCTIONS.keys() - options)


def test_no_two_functions_have_the_same_name() -> None:
    sources = [(PACKAGE / name).read_text("utf-8") for name in DEFINITIONS]
    names = re.findall(r"^@column\(.*?^def (\w+)\(", "\n".join(sources), re.MULTILINE | re.DOTALL)
    assert sorted(names) == sorted(FUNCTIONS)


def test_a_second_definition_of_a_function_is_detected() -> None:
    for source in [
        *("def host(): ...", "class A:\n    def host(self): ..."),
        *("TABLE = {**other, 'is_valid': 1}", "Operation = Literal['parse', 'other']"),
        "Operation = Literal['parse']",
    ]:
        assert set(defined_names(source)) & FUNCTIONS.keys()


def missing_parts(function: ColumnFunction) -> Iterator[str]:
    name = function.name
    _, options, returns = _front_ends.split_manual(function)
    if not returns:
        yield f"{name}: its docstring lacks a section Returns"
    described = re.findall(r"^    (\w+): ", options, re.MULTILINE)
    if described != [option.name for option in function.options]:
        yield f"{name}: its docstring must describe its options in order, not {described}"
    for option in function.options:
        if option.type != "bool" and not option.accepts:
            yield f"{name}: `checks` lacks the option {option.name}"
    for module in TYPES:
        if f"def {name}(" not in (PACKAGE / "columns" / f"{module}.pyi").read_text("utf-8"):
            yield f"{name}: columns/{module}.pyi lacks it; run tools/make_columns.py"
    if _engine.compiled and (name in operations()) != (function.kernel is not None):
        lacking = "the table in _kernel/operations.pxi lacks it; else, it needs `kernel=None`"
        yield f"{name}: {lacking if function.kernel else '`kernel=None` is wrong'}"


def operations() -> set[str]:
    kernel = kernel_of_columns()
    return {*kernel.OPERATIONS, *kernel.WHOLE_COLUMNS}


def test_no_column_function_lacks_a_part() -> None:
    assert [part for function in FUNCTIONS.values() for part in missing_parts(function)] == []


def test_each_operation_of_the_kernel_belongs_to_a_column_function() -> None:
    if _engine.compiled:
        # `replace_start` is for prefix maps, and `expand` takes a column for each variable.
        assert operations() - {"replace_start", "expand"} <= FUNCTIONS.keys()


HOST = FUNCTIONS["host"]
OPTION = Option(name="x", type="str", default="", positional=False, accepts=())


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (replace(HOST, name="added"), "columns/__init__.pyi"),
        (replace(HOST, name="added"), "columns/_functions.pyi"),
        (replace(HOST, name="added"), "columns/spark.pyi"),
        (replace(HOST, manual="Return the host."), "Returns"),
        (replace(HOST, options=(OPTION,)), "describe its options"),
        (replace(HOST, options=(OPTION,)), "option x"),
        pytest.param(
            *(replace(HOST, name="added"), "the table in _kernel/operations.pxi"),
            marks=(needs_kernel := pytest.mark.skipif(not _engine.compiled, reason="no kernel")),
        ),
        pytest.param(*(replace(HOST, kernel=None), "`kernel=None`"), marks=needs_kernel),
    ],
)
def test_a_forgotten_part_is_named_with_its_function(function: ColumnFunction, part: str) -> None:
    assert [found for found in missing_parts(function) if part in found]
    assert all(found.startswith(f"{function.name}: ") for found in missing_parts(function))


def test_public_functions_have_public_modules() -> None:
    pytest.importorskip("nanoarrow")
    for name in {*columns.__all__} - {"FIELDS", "uri"}:
        assert "._" not in getattr(columns, name).__module__


def test_dir_lists_the_functions_without_nanoarrow() -> None:
    program = (
        "import sys; sys.modules['nanoarrow'] = sys.modules['pyarrow'] = None;"
        "from uriverse import columns; print(*dir(columns))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {*FUNCTIONS, "Array", "FIELDS"} <= set(done.stdout.split())


def test_an_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = columns.nothing  # type: ignore[attr-defined]
