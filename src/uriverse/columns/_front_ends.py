"""The signatures and docstrings of the column functions in each front end, and the functions.

The docstring of a function for one row describes its options and its result. This module adds what
depends on the front end: the inputs, the layout, the errors and the example.

`tools/make_columns.py` writes the signatures to `__init__.pyi`, `_functions.pyi` and `spark.pyi`,
which type checkers and editors read.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from ._registry import FIELDS, FUNCTIONS, ColumnFunction, Option

#: The maximum length of a line in a docstring.
WIDTH = 96

INPUTS = {
    "column": "the strings: a list of `str`, or an object that implements the Arrow PyCapsule "
    "protocol.",
    "reference": "the references: a list of `str`, or an object that implements the Arrow "
    "PyCapsule protocol.",
    "base": "the base URI of all rows; or a column with a base URI for each row.",
    "other": "the other URI of all rows; or a column with another URI for each row.",
    "layout": 'the Arrow type of the strings in the result, such as `"large_string"`; `None` for '
    'the type of the input column (for a list, usually `"string"`).',
    "threads": "the maximum number of threads; `None` for one per processor.",
}
METHOD_INPUTS = {
    "base": "the base URI of all rows, as a string; or a column with a base URI for each row. In "
    "Polars, a string is always a URI, never the name of a column. In pandas, a Series of bases "
    "must have the same index.",
    "other": "the other URI of all rows, as a string; or a column with another URI for each row. "
    "In Polars, a string is always a URI, never the name of a column. In pandas, a Series must "
    "have the same index.",
}
SPARK_INPUTS = {
    "column": "a column of strings, given as its name or as a `Column`.",
    "reference": "a column of references, given as its name or as a `Column`.",
    "base": "a column of base URIs, given as its name or as a `Column`. Use `lit(...)` for a "
    "single base URI.",
    "other": "a column of other URIs, given as its name or as a `Column`. Use `lit(...)` for a "
    "single URI.",
}

INVALID_OPTION = "an option has an invalid value."

#: Options of the functions for Arrow. `layout` is only for functions with strings in their results.
LAYOUT = Option(name="layout", type="Layout | None", default=None, positional=False, accepts=())
THREADS = Option(name="threads", type="int | None", default=None, positional=False, accepts=())


def list_arrow_options(function: ColumnFunction) -> list[Option]:
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
    parameters = [*inputs, *(write_parameter(option) for option in positional if option.required)]
    if not method:
        parameters.append("/")
    parameters += [write_parameter(option) for option in positional if not option.required]
    if named:
        parameters.append("*")
    return [*parameters, *map(write_parameter, named)]


def write_parameter(option: Option) -> str:
    """Return the parameter for an option; without an annotation if the option has no type."""
    annotated = f"{option.name}: {option.type}" if option.type else option.name
    if option.required:
        return annotated
    return f"{annotated}{' = ' if option.type else '='}{write_default(option)}"


def write_default(option: Option) -> str:
    return "FIELDS" if option.default is FIELDS else format_literal(option.default)


def write_options(function: ColumnFunction) -> str:
    return f"{{{', '.join(f'{option.name!r}: {option.name}' for option in function.options)}}}"


# --- docstrings


def write_function_docstring(function: ColumnFunction) -> str:
    too_long = 'a string is too long for the layout; use `layout="large_string"`.'
    lengths = "an option has an invalid value, or the columns differ in length."
    errors = {
        "ColumnError": "a column violates the Arrow specification.",
        "OverflowError": too_long if function.has_strings else "",
        "TypeError": "a column does not contain strings, or an option has the wrong type.",
        "URIError": explain_invalid_string(function),
        "ValueError": lengths if function.second else INVALID_OPTION,
    }
    more = [
        option.name for option in list_arrow_options(function) if option not in function.options
    ]
    return compose_docstring(function, INPUTS, errors, write_example(function), more)


def write_method_docstring(function: ColumnFunction) -> str:
    wrong_option = ", or an option has the wrong type" if function.options else ""
    errors = {
        "TypeError": f"the column does not contain strings{wrong_option}.",
        "URIError": explain_invalid_string(function),
        "ValueError": INVALID_OPTION if function.options else "",
    }
    example = function.example
    rows = f"pl.Series({format_literal(example.rows)})"
    base = format_literal(example.base) if function.second else ""
    lines = (
        *(">>> import polars as pl", ">>> import uriverse.columns.polars"),
        *write_call(
            "",
            "column",
            rows,
            f".uri.{function.name}({format_arguments(function, base)}).to_list()",
        ),
        repr(example.result),
    )
    return compose_docstring(function, METHOD_INPUTS, errors, lines)


def write_spark_docstring(function: ColumnFunction) -> str:
    errors = {
        "PythonException": "a column does not contain strings; raised when the query runs.",
        "TypeError": "an option has the wrong type." if function.options else "",
        "ValueError": INVALID_OPTION if function.options else "",
    }
    example = function.example
    # The first row of the example.
    base, row = f"lit({format_literal(example.base)})", f"lit({format_literal(example.rows[0])})"
    inputs = [base if name == function.second else row for name in function.inputs]
    call = f"uri.{function.name}({format_arguments(function, *inputs)})"
    format_result = repr if function.result == "map" else format_spark_value
    lines = (
        ">>> from pyspark.sql.functions import lit",
        *write_call("frame.select(", "result", call, ").first()[0]"),
        format_result(example.result[0]),
    )
    return compose_docstring(function, SPARK_INPUTS, errors, lines)


def explain_invalid_string(function: ColumnFunction) -> str:
    """Return the reason for a `URIError`; an empty string if the function does not raise it."""
    if function.relative_other:
        return "the other reference is a string that is invalid."
    name = {"base": "base", "other": "other URI"}.get(function.second or "")
    return f"the {name} is a string that is invalid or has no scheme." if name else ""


# --- sections


def split_manual(function: ColumnFunction) -> tuple[str, str, str]:
    """Return the introduction, the entries of the options, and the description of the result."""
    introduction, _, returns = function.manual.partition("\n\nReturns:\n")
    introduction, _, options = introduction.partition("\n\nArgs:\n")
    return introduction, options, returns


def compose_docstring(
    function: ColumnFunction,
    inputs: Mapping[str, str],
    errors: Mapping[str, str],
    lines: Iterable[str],
    more: Iterable[str] = (),
) -> str:
    """Compose the docstring of a function or method in a front end.

    The reason for an error is empty if the function does not raise it. `INPUTS` describes the
    options `more`.
    """
    introduction, options, returns = split_manual(function)
    described = {name: inputs[name] for name in function.inputs if name in inputs}
    arguments = [
        format_entries(described),
        options,
        format_entries({name: INPUTS[name] for name in more}),
    ]
    sections = {
        "Args": "\n".join(filter(None, arguments)),
        "Returns": returns,
        "Raises": format_entries(errors),
    }
    blocks = [f"{title}:\n{text}" for title, text in sections.items() if text]
    return "\n\n".join([introduction, *blocks, "\n".join(lines)])


def wrap_paragraph(paragraph: str, first: str = "", indent: str = "") -> str:
    """Wrap a paragraph between words, like `textwrap.fill`, which takes ten times as long."""
    lines: list[str] = []
    line = first
    for word in paragraph.split():
        if len(line) + len(word) > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return "\n".join([*lines, line.rstrip()])


def format_entries(described: Mapping[str, str]) -> str:
    texts = [f"{name}: {text}" for name, text in described.items() if text]
    return "\n".join(wrap_paragraph(text, "    ", "        ") for text in texts)


# --- examples


def write_example(function: ColumnFunction) -> Iterator[str]:
    call_example = function.example
    inputs = [
        format_literal(call_example.base) if name == function.second else "\0"
        for name in function.inputs
    ]
    before, after = (
        f"columns.{function.name}({format_arguments(function, *inputs)}).to_pylist()".split("\0")
    )
    yield ">>> from uriverse import columns"
    yield from write_call(before, "column", format_literal(call_example.rows), after)
    yield repr(call_example.result)


def write_call(before: str, name: str, value: str, after: str) -> Iterator[str]:
    """Yield the lines of a call with a value; if one line is too short, the value gets a name."""
    if len(f">>> {before}{value}{after}") > WIDTH:
        yield f">>> {name} = {value}"
        value = name
    yield f">>> {before}{value}{after}"


def format_arguments(function: ColumnFunction, *inputs: str) -> str:
    example_options = function.example.options
    required = [
        format_literal(example_options[option.name])
        for option in function.options
        if option.required
    ]
    named = [
        f"{option.name}={format_literal(example_options[option.name])}"
        for option in function.options
        if option.name in example_options and not option.required
    ]
    return ", ".join(filter(None, [*inputs, *required, *named]))


def format_literal(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(format_literal, cast('list[object]', value)))}]"
    return repr(value)


def format_spark_value(value: object) -> str:
    """Return the `repr` of a value in PySpark, where a struct is a `Row`."""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value).items()
        return f"Row({', '.join(f'{name}={format_spark_value(field)}' for name, field in fields)})"
    if isinstance(value, list):
        return f"[{', '.join(map(format_spark_value, cast('list[object]', value)))}]"
    return repr(value)


# --- front ends


class FrontEnd(NamedTuple):
    """How the functions of a front end are made from the registry.

    `declare` returns the signature of a function and the expression that computes its result.
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
        path = f"<{self.declare.__name__}>"
        # Tracebacks, `inspect.getsource` and Sphinx show the source.
        linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
        exec(compile(source, path, "exec"), module, functions)  # noqa: S102
        for name, function in FUNCTIONS.items():
            # `python -OO` removes docstrings.
            functions[name].__doc__ = self.docstring(function) if function.manual else None
        return functions


def declare_on_arrow(function: ColumnFunction) -> tuple[str, str]:
    columns = [f"{name}: object" for name in function.inputs]
    parameters = order_parameters(columns, list_arrow_options(function))
    inputs = "".join(f"{name}, " for name in function.inputs)
    layout = "layout" if function.has_strings else "None"
    arguments = f"{function.name!r}, ({inputs}), {write_options(function)}, {layout}, threads"
    signature = f"def {function.name}({', '.join(parameters)}) -> Array:"
    return signature, f"run_function({arguments})"


def declare_method(function: ColumnFunction) -> tuple[str, str]:
    """Declare a method for Polars, pandas and `select`."""
    kind = "Struct" if function.result.endswith("fields") else "Column"
    second = [function.second] if function.second else []
    inputs = ["self", *(f"{name}: str | Second" for name in second)]
    parameters = order_parameters(inputs, function.options, method=True)
    arguments = ", ".join([repr(function.name), write_options(function), *second])
    signature = f"def {function.name}({', '.join(parameters)}) -> {kind}:"
    return signature, f"self._{kind.lower()}({arguments})"


def declare_on_spark(function: ColumnFunction) -> tuple[str, str]:
    columns = [f"{name}: Column | str" for name in function.inputs]
    parameters = order_parameters(columns, function.options)
    inputs = ", ".join(function.inputs)
    result = f"run_on_spark({function.name!r}, [{inputs}], {write_options(function)})"
    return f"def {function.name}({', '.join(parameters)}) -> Column:", result


ARROW = FrontEnd(declare_on_arrow, write_function_docstring)
METHODS = FrontEnd(declare_method, write_method_docstring)
SPARK = FrontEnd(declare_on_spark, write_spark_docstring)
