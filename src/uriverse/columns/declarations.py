"""Registry entries of column functions: their inputs, options, results and documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

from uriverse.typing import Operation

#: The kind of a result, which determines the code and the documentation for each engine.
Result = Literal["text", "flag", "number", "texts", "pairs", "fields"]


class ResultTypes(NamedTuple):
    """The data types of one kind of result in each engine."""

    arrow: str
    polars: str
    pandas: str
    duckdb: str
    spark: str


#: The default of options without a default value.
REQUIRED = object()


def unchecked(value: Any) -> Any:
    """Accept any value; for options that need no check."""
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a column function.

    Attributes:
        name: the name of the parameter.
        type: its annotation.
        doc: its documentation: a noun phrase that ends with a period.
        default: its default value; `REQUIRED` if callers have to set it.
        default_name: the constant that signatures show instead of the value, if any.
        positional: whether it may be passed by position; a required option then has to be.
        choices: the accepted strings; empty if the option accepts other values.
        check: returns the value to use, or raises `TypeError` or `ValueError`.
        help: its help on the command line; empty if the `columns` command does not offer it.
        metavar: the placeholder for its value on the command line; empty for a flag.
    """

    name: str
    type: str
    doc: str
    default: object = REQUIRED
    default_name: str = ""
    positional: bool = False
    choices: tuple[str, ...] = ()
    check: Callable[[Any], Any] = unchecked
    help: str = ""
    metavar: str = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def flag(self) -> str:
        """The option's name on the command line."""
        return "--" + self.name.replace("_", "-")


def option_of(name: str, type: str, choices: tuple[str, ...], **rest: Any) -> Option:  # noqa: A002
    """Declare an option that accepts only certain strings."""

    def check(value: Any) -> Any:
        return one_of(name, value, choices)

    return Option(name=name, type=type, choices=choices, check=check, **rest)


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> Any:
    """Return a value unchanged if it is one of the choices.

    Raises:
        ValueError: the value is not one of the choices.
    """
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example of a column function, which the documentation shows and tests run.

    Attributes:
        rows: the column.
        result: the result, as `to_pylist()` returns it.
        base: the base of all rows; empty for functions without one.
        options: the options that differ from the defaults.
    """

    rows: list[str | None]
    result: list[Any]
    base: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFunction:
    """A column function, with all data that the library, its adapters and its documentation need.

    Attributes:
        name: its name in `uriverse.columns`.
        row: its scalar equivalent: takes the strings of a row, the base first, and the options by
            name; returns `None` for null.
        kernel: takes the options by name and returns the arguments of the kernel; `None` if the
            kernel does not implement the function with these options.
        result: the kind of its result.
        summary: its documentation in one line.
        details: further paragraphs, separated by empty lines.
        returns: a description of the result, including when a row is null.
        rfc: the title and the URL of its specification.
        inputs: the names of its columns, in the order of its parameters. `base` may be one string
            for all rows.
        options: its options, in the order of its parameters.
        example: an example.
        of_identifiers: whether rows are identifiers. If so, the function is an operation of the
            `columns` command, which reports invalid rows.
        sql_variants: further SQL functions with options that differ from the defaults, by name.
        reason: for a valid row without a result, the reason that reports of bad rows give.
    """

    name: str
    row: Callable[..., Any]
    kernel: Callable[..., tuple[Any, ...] | None]
    result: Result
    summary: str
    returns: str
    example: Example
    details: str = ""
    rfc: tuple[str, str] | None = None
    inputs: tuple[str, ...] = ("column",)
    options: tuple[Option, ...] = ()
    of_identifiers: bool = True
    sql_variants: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict[str, Mapping[str, Any]]
    )
    reason: str | None = None

    @property
    def sql_functions(self) -> dict[str, Mapping[str, Any]]:
        """The function's names in SQL, each with its options."""
        return {f"uri_{self.name}": {}, **self.sql_variants}

    @property
    def operation(self) -> Operation:
        """The function's name in the `columns` command."""
        return cast("Operation", self.name.replace("_", "-"))

    @property
    def has_base(self) -> bool:
        """Whether each row is combined with a base."""
        return "base" in self.inputs

    @property
    def has_strings(self) -> bool:
        """Whether the result contains strings, so that their layout can be chosen."""
        return self.result not in {"flag", "number"}

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every option.

        Args:
            options: the options that are set; all others have their default values.

        Raises:
            TypeError: a value has the wrong type.
            ValueError: an option has an unknown value.
        """
        return {
            option.name: option.check(options.get(option.name, option.default))
            for option in self.options
        }
