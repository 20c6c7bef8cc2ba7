"""The registry of all column functions: `FUNCTIONS`, which the decorator `column` fills.

The modules `_components`, `_checks`, `_edits` and `_conversions` define each function for one row,
with its options in its signature and its manual in its docstring. All else is made from these: the
functions of `uriverse.columns`, those for Polars, pandas, DuckDB and Spark, their types, and the
reference page.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin

from uriverse import typing as aliases
from uriverse._errors import URIError, quote_argument
from uriverse._uri import engine as _engine
from uriverse._uri.types import IRI, Resolver
from uriverse.typing import Field

if TYPE_CHECKING:
    from ._buffers import Kind

#: A function for the strings of one row.
Row = TypeVar("Row", bound=Callable[..., Any])

#: The kind of values that a column function returns.
Result = Literal[
    "text", "flag", "number", "texts", "pairs", "map", "fields", "decision_fields", "match_fields"
]

#: The kinds of results that the annotation of a function tells.
RESULTS: dict[str, Result] = {
    "str": "text",
    "bool": "flag",
    "int": "number",
    "list[str]": "texts",
    "list[str | None]": "texts",
}

#: The fields of the struct that `parse` returns by default.
FIELDS: tuple[Field, ...] = tuple(name for name in get_args(Field) if name != "bounds")

#: The fields of the struct that `decision` returns.
DECISION: tuple[tuple[str, Kind], ...] = (
    ("allowed", "flag"),
    *((name, "text") for name in ("uri", "rule", "code", "reason", "hint")),
)

#: The data type of each kind of result in DuckDB.
DUCKDB_TYPES: dict[Result, str] = {
    "text": "VARCHAR",
    "flag": "BOOLEAN",
    "number": "BIGINT",
    "texts": "VARCHAR[]",
    "pairs": "STRUCT(key VARCHAR, value VARCHAR)[]",
    "map": "MAP(VARCHAR, VARCHAR)",
    "fields": "STRUCT({} VARCHAR, error_position INTEGER)".format(" VARCHAR, ".join(FIELDS[:-1])),
    "decision_fields": "STRUCT(allowed BOOLEAN, uri VARCHAR, rule VARCHAR, code VARCHAR, "
    "reason VARCHAR, hint VARCHAR)",
    # The fields of a struct would depend on the template.
    "match_fields": "VARCHAR",
}

#: The names of the second column of a function. Both also accept one string for all rows.
SECOND_INPUTS = ("base", "other")

#: Options that SQL functions lack. The type of a SQL function cannot depend on `fields`. A list of
#: suffixes is too long for a SQL literal, and a path would let queries read files.
NOT_IN_SQL = ("fields", "suffixes")

#: The strings that an option accepts, or a function that validates a value and returns it.
Check = tuple[str, ...] | Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a column function, which is a parameter of the function for one row.

    Attributes:
        name: the name of the parameter.
        type: the annotation of the parameter.
        default: the default value; `inspect.Parameter.empty` if callers have to set the option.
        positional: whether the option may be passed by position. A required positional option
            must be passed by position.
        accepts: the accepted strings, or a function that validates a value and returns the value
            to use; empty for a bool.
    """

    name: str
    type: str
    default: object
    positional: bool
    accepts: Check

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted strings; empty if the option accepts other values."""
        return () if callable(self.accepts) else self.accepts

    def check(self, value: Any) -> Any:
        if callable(self.accepts):
            return self.accepts(value)
        return check_choice(self.name, value, self.choices) if self.accepts else value


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise ValueError(f"unknown {name} {quote_argument(value)}; use {', '.join(choices)}")
    return value


class Example(NamedTuple):
    """An example call of a column function; the arguments of `column` describe the fields."""

    rows: list[str | None]
    result: list[Any]
    base: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFunction:
    """The registry entry of one column function.

    Attributes:
        name: the name of the function in `uriverse.columns`.
        manual: the docstring, which describes the options and the result.
        inputs: the names of the column parameters, in order. The parameters `base` and `other` also
            accept one string for all rows.
        options: the options, in the order of the parameters.
        row: the function for one row. It takes the strings of the row, the second input first, and
            the options by name. It returns `None` for null.
        result: the kind of values that the function returns.
    """

    name: str
    manual: str
    inputs: tuple[str, ...]
    options: tuple[Option, ...]
    row: Callable[..., Any]
    result: Result
    # The arguments of `column`, which describes them.
    example: Example
    kernel: Callable[..., tuple[Any, ...] | None] | None
    relative_other: bool
    sql_variants: Mapping[str, Mapping[str, Any]]
    row_in_sql: Callable[..., str | None] | None

    @property
    def sql_functions(self) -> dict[str, Mapping[str, Any]]:
        """A dictionary from the names of SQL functions to the options that these functions set.

        For example, `uri_normalize_scheme` sets the option `scheme` of `normalize`.
        """
        return {f"uri_{self.name}": {}, **self.sql_variants}

    @property
    def sql_options(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.name not in NOT_IN_SQL)

    @property
    def sql_arguments(self) -> list[Option]:
        """The options that SQL functions take without a name, the required ones first."""
        positional = [option for option in self.sql_options if option.positional]
        return sorted(positional, key=lambda option: not option.required)

    @property
    def second(self) -> str | None:
        """The name of the second input, `"base"` or `"other"`; `None` without one."""
        return next((name for name in self.inputs if name in SECOND_INPUTS), None)

    @property
    def check_second(self) -> Callable[[str | _engine.Identifier], object]:
        """A function that raises an error if a second input for all rows is invalid."""
        if self.second == "other":
            return _engine.parse if self.relative_other else IRI
        return Resolver

    @property
    def has_strings(self) -> bool:
        """Only functions with strings in their results have the option `layout`."""
        return self.result not in {"flag", "number"}

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Validate the options of a caller, and add the default values."""
        return {
            option.name: option.check(options.get(option.name, option.default))
            for option in self.options
        }


#: All column functions by name.
FUNCTIONS: dict[str, ColumnFunction] = {}


def list_values(**options: Any) -> tuple[Any, ...]:
    return tuple(options.values())


def column(
    example: Mapping[str | None, Any],
    *,
    base: str = "",
    options: Mapping[str, Any] | None = None,
    kernel: Callable[..., tuple[Any, ...] | None] | None = list_values,
    result: Result | None = None,
    checks: Mapping[str, Check] | None = None,
    relative_other: bool = False,
    sql_variants: Mapping[str, Mapping[str, Any]] | None = None,
    row_in_sql: Callable[..., str | None] | None = None,
) -> Callable[[Row], Row]:
    """Make a column function of a function that computes the result for the strings of one row.

    The strings are the first parameters: `row`, which is called `column` in the column function,
    and a base or another string. All other parameters are options, with the same names, types and
    defaults. If the function raises a `URIError`, the result is null.

    Args:
        example: the rows of an example with their results, as from `to_pylist()`. The documentation
            shows the example, and tests run it.
        base: the base, or the other URI, of all rows of the example.
        options: the options of the example that differ from the defaults.
        kernel: a function that takes the options by name and returns the arguments for the
            operation of the compiled kernel with the same name, or `None` if the operation does
            not support these options; `None` if the kernel has no such operation.
        result: the kind of values that the function returns, if `RESULTS` does not tell it.
        checks: what each option accepts that is neither a bool nor a `Literal`.
        relative_other: whether the input `other` may be a relative reference.
        sql_variants: additional SQL functions: a name, and the options that the function sets.
        row_in_sql: the function for one row in SQL, which returns a string, if it is another one.
            The type of a SQL function cannot depend on an option.
    """

    def declare(function: Row) -> Row:
        @wraps(function)
        def compute_row(*arguments: Any, **options: Any) -> Any:
            try:
                return function(*arguments, **options)
            except URIError:
                return None

        # A call has the second input first.
        def compute_with_second(second: str, row: str, **options: Any) -> Any:
            return compute_row(row, second, **options)

        signature = inspect.signature(function)
        string_names = [
            name for name in signature.parameters if name in {"row", "reference", *SECOND_INPUTS}
        ]
        name = function.__name__
        FUNCTIONS[name] = ColumnFunction(
            name=name,
            manual=inspect.cleandoc(function.__doc__ or ""),
            inputs=tuple("column" if name == "row" else name for name in string_names),
            options=tuple(
                create_option(parameter, checks or {})
                for parameter in signature.parameters.values()
                if parameter.name not in string_names
            ),
            row=compute_with_second if string_names[-1] in SECOND_INPUTS else compute_row,
            result=result or RESULTS[signature.return_annotation.removesuffix(" | None")],
            example=Example(list(example), list(example.values()), base, options or {}),
            kernel=kernel,
            relative_other=relative_other,
            sql_variants=sql_variants or {},
            row_in_sql=row_in_sql,
        )
        return cast("Row", compute_row)

    return declare


def create_option(parameter: inspect.Parameter, checks: Mapping[str, Check]) -> Option:
    annotation: str = parameter.annotation
    return Option(
        name=parameter.name,
        type=annotation,
        default=parameter.default,
        positional=parameter.kind is parameter.POSITIONAL_OR_KEYWORD,
        accepts=checks.get(parameter.name, list_literals(annotation)),
    )


def list_literals(annotation: str) -> tuple[str, ...]:
    """Return the strings of a `Literal`, or of an alias of one in `uriverse.typing`."""
    if annotation.startswith("Literal["):
        return tuple(ast.literal_eval(annotation.removeprefix("Literal")))
    alias = getattr(aliases, annotation, None)
    return get_args(alias) if get_origin(alias) is Literal else ()
