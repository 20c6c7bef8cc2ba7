"""The signatures of the column functions in each front end, and the functions that have them.

`tools/make_columns.py` writes the same signatures to `__init__.pyi`, `_functions.pyi` and
`spark.pyi`, which type checkers and editors read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from . import _docstrings
from ._registry import FIELDS, FUNCTIONS, ColumnFunction, Option

#: Options of the functions for Arrow. `layout` is only for functions with strings in their results.
LAYOUT = Option(name="layout", type="Layout | None", default=None, positional=False, accepts=())
THREADS = Option(name="threads", type="int | None", default=None, positional=False, accepts=())


def arrow_options(function: ColumnFunction) -> list[Option]:
    return [*function.options, *([LAYOUT] if function.has_strings else []), THREADS]


# --- signatures


def order_parameters(
    inputs: Iterable[str], options: Iterable[Option], *, method: bool = False
) -> list[str]:
    """Return the parameters of a function: its inputs, then its options.

    Only a method accepts its required options by name.
    """
    options = list(options)
    positional = [option for option in options if option.positional]
    named = [option for option in options if not option.positional]
    return [
        *inputs,
        *(write_parameter(option) for option in positional if option.required),
        *([] if method else ["/"]),
        *(write_parameter(option) for option in positional if not option.required),
        *(["*"] if named else []),
        *map(write_parameter, named),
    ]


def write_parameter(option: Option) -> str:
    """Return the parameter for an option; without an annotation if the option has no type."""
    annotated = f"{option.name}: {option.type}" if option.type else option.name
    if option.required:
        return annotated
    return f"{annotated}{' = ' if option.type else '='}{write_default(option)}"


def write_default(option: Option) -> str:
    return "FIELDS" if option.default is FIELDS else _docstrings.literal(option.default)


def write_signature(name: str, parameters: Iterable[str], result: str) -> str:
    return f"def {name}({', '.join(parameters)}) -> {result}:"


def write_options(function: ColumnFunction) -> str:
    """Return a `dict` display with the options."""
    return f"{{{', '.join(f'{option.name!r}: {option.name}' for option in function.options)}}}"


# --- front ends


class FrontEnd(NamedTuple):
    """How the functions of a front end are made from the registry.

    Attributes:
        declare: a function that returns the signature of a function and the expression that
            computes its result.
        docstring: a function that returns the docstring.
    """

    declare: Callable[[ColumnFunction], tuple[str, str]]
    docstring: Callable[[ColumnFunction], str]

    def signature(self, function: ColumnFunction) -> str:
        return self.declare(function)[0]

    def define(self, module: dict[str, Any]) -> dict[str, Callable[..., Any]]:
        """Return all functions of the front end, which use the names of a module."""
        # Python checks the arguments of such functions as those of all others, and much faster
        # than `inspect.Signature.bind`.
        declarations = map(self.declare, FUNCTIONS.values())
        source = "\n".join(f"{signature} return {result}" for signature, result in declarations)
        functions: dict[str, Any] = {}
        exec(compile(source, "<column functions>", "exec"), module, functions)  # noqa: S102
        for name, function in FUNCTIONS.items():
            functions[name].__doc__ = self.docstring(function)
        return functions


def declare_on_arrow(function: ColumnFunction) -> tuple[str, str]:
    columns = [f"{name}: object" for name in function.inputs]
    parameters = order_parameters(columns, arrow_options(function))
    inputs = "".join(f"{name}, " for name in function.inputs)
    layout = "layout" if function.has_strings else "None"
    result = f"run({function.name!r}, ({inputs}), {write_options(function)}, {layout}, threads)"
    return write_signature(function.name, parameters, "Array"), result


def declare_method(function: ColumnFunction) -> tuple[str, str]:
    """Declare a method for Polars, pandas and `select`."""
    kind = "Struct" if function.result.endswith("fields") else "Column"
    second = [function.second] if function.second else []
    inputs = ["self", *(f"{name}: str | Second" for name in second)]
    parameters = order_parameters(inputs, function.options, method=True)
    arguments = ", ".join([repr(function.name), write_options(function), *second])
    return write_signature(function.name, parameters, kind), f"self._{kind.lower()}({arguments})"


def declare_on_spark(function: ColumnFunction) -> tuple[str, str]:
    columns = [f"{name}: Column | str" for name in function.inputs]
    signature = write_signature(
        function.name, order_parameters(columns, function.options), "Column"
    )
    inputs = ", ".join(function.inputs)
    return signature, f"run_on_spark({function.name!r}, [{inputs}], {write_options(function)})"


ARROW = FrontEnd(declare_on_arrow, _docstrings.of_function)
METHODS = FrontEnd(declare_method, _docstrings.of_method)
SPARK = FrontEnd(declare_on_spark, _docstrings.of_spark)
