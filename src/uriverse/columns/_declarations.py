"""Data classes for the registry of column functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from uriverse._errors import quoted
from uriverse._uri import engine as _engine
from uriverse._uri.types import IRI, Resolver

#: The kind of values that a column function returns. `RESULT_TYPES` has the data types.
Result = Literal[
    "text", "flag", "number", "texts", "pairs", "map", "fields", "decision_fields", "match_fields"
]

#: The sections of the reference page, in their order.
Section = Literal[
    "Parse and validate",
    "Apply a policy",
    "Get one component",
    "Match URI Templates",
    "Read query parameters",
    "Classify",
    "Edit",
    "Normalize and convert",
    "Resolve and relativize references",
    "Sort, group and join",
    "Percent-encode and decode",
    "Write to logs",
]


class ResultTypes(NamedTuple):
    """The names of a data type in Arrow, Polars, pandas, DuckDB and Spark."""

    arrow: str
    polars: str
    pandas: str
    duckdb: str
    spark: str


#: The names of the second column of a function. Both also accept one string for all rows.
SECOND_INPUTS = ("base", "other")

#: Marks an option that has no default value.
REQUIRED = object()


def unchecked(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a column function.

    Attributes:
        name: the name of the parameter.
        type: the annotation of the parameter.
        doc: the documentation: a noun phrase, with further sentences if needed.
        default: the default value; `REQUIRED` if callers have to set the option.
        default_name: the name of a constant that signatures show instead of the default value.
        positional: whether the option may be passed by position. A required positional option
            must be passed by position.
        choices: the accepted strings; empty if the option accepts other values.
        check: a function that validates a value and returns the value to use.
        in_sql: whether SQL functions have the option.
    """

    name: str
    type: str
    doc: str
    default: object = REQUIRED
    default_name: str = ""
    positional: bool = False
    choices: tuple[str, ...] = ()
    check: Callable[[Any], Any] = unchecked
    in_sql: bool = True

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


def option_of(name: str, type: str, choices: tuple[str, ...], **rest: Any) -> Option:  # noqa: A002
    def check(value: Any) -> Any:
        return one_of(name, value, choices)

    return Option(name=name, type=type, choices=choices, check=check, **rest)


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise ValueError(f"unknown {name} {quoted(value)}; use {', '.join(choices)}")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example call of a column function. The documentation shows it, and tests run it.

    Attributes:
        rows: the rows of the column.
        result: the expected result of `to_pylist()`.
        base: the base, or the other URI, of all rows; empty for functions of one column.
        options: the options that differ from the defaults.
    """

    rows: list[str | None]
    result: list[Any]
    base: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFunction:
    """The registry entry of one column function.

    Attributes:
        row: the scalar equivalent, whose name is the name of the function. It takes the strings of
            one row, the second input first, and the options by name. It returns `None` for null.
        section: the section of the reference page.
        result: the kind of values that the function returns.
        summary: the first line of the documentation.
        returns: the description of the result, including the cases in which a row is null.
        example: an example call.
        kernel: a function that takes the options by name and returns the arguments for the
            operation of the compiled kernel with the same name, or `None` if the operation does
            not support these options; `None` if the kernel has no such operation.
        details: further paragraphs of the documentation, separated by empty lines.
        rfc: the title and the URL of the specification.
        inputs: the names of the column parameters, in order. The parameters `base` and `other` also
            accept one string for all rows.
        relative_other: whether `other` may be a relative reference.
        options: the options, in the order of the parameters.
        sql_variants: additional SQL functions: a name, and the options that the function sets.
        row_in_sql: the scalar equivalent in SQL, which returns a string; `None` for `row`. The type
            of a SQL function cannot depend on an option.
    """

    row: Callable[..., Any]
    section: Section
    result: Result
    summary: str
    returns: str
    example: Example
    kernel: Callable[..., tuple[Any, ...] | None] | None = None
    details: str = ""
    rfc: tuple[str, str] | None = None
    inputs: tuple[str, ...] = ("column",)
    relative_other: bool = False
    options: tuple[Option, ...] = ()
    sql_variants: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict[str, Mapping[str, Any]]
    )
    row_in_sql: Callable[..., str | None] | None = None

    @property
    def name(self) -> str:
        """The name of the function in `uriverse.columns`."""
        return self.row.__name__

    @property
    def sql_functions(self) -> dict[str, Mapping[str, Any]]:
        """A dictionary from the names of SQL functions to the options that these functions set.

        For example, `uri_normalize_scheme` sets the option `scheme` of `normalize`.
        """
        return {f"uri_{self.name}": {}, **self.sql_variants}

    @property
    def sql_options(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.in_sql)

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

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Validate the options of a caller, and add the default values."""
        return {
            option.name: option.check(options.get(option.name, option.default))
            for option in self.options
        }
