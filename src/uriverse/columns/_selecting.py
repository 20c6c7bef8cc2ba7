"""Functions of several columns: `select`, the expressions that it takes, and `expand`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from uriverse._errors import quote_argument
from uriverse.templates import Template
from uriverse.typing import Layout

from ._arrow import Array
from ._components import check_template
from ._execution import (
    Call,
    SelectedFunction,
    bind_options,
    combine_functions,
    execute_call,
    execute_on_columns,
    import_input,
    is_string,
)
from ._functions import ColumnMethods
from ._reference import require_unicode
from ._templates import expand_row, list_variable_types, prepare_expansion


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Expression:
    """A column function with its options, without a column, for `select`.

    The methods of `uriverse.columns.uri` create expressions and check their options. An expression
    can be pickled.

    Attributes:
        function: the name of the function.
        options: the options of the function.
        second: the base or the other URI, as one string or as a column; `None` without one.

    >>> from uriverse.columns import uri
    >>> uri.normalize(scheme=True)
    <Expression normalize>
    """

    __module__ = "uriverse.columns"

    function: str
    options: Mapping[str, Any]
    second: Any = None

    def __repr__(self) -> str:
        return f"<Expression {self.function}>"


class Expressions(ColumnMethods[Expression, Expression, object]):
    """The column functions as methods that return an `Expression`, such as `uri.host()`."""

    __slots__ = ()

    def _column(self, name: str, options: Mapping[str, object], *bases: object) -> Expression:
        call = bind_options(name, options)
        for base in bases:
            if is_string(base):
                call.check_string(base)
        return Expression(name, options, *bases)


#: The column functions as expressions for `select`.
uri = Expressions()


def select(
    column: object,
    results: Mapping[str, Expression] | None = None,
    /,
    *,
    layout: Layout | None = None,
    threads: int | None = None,
    **named: Expression,
) -> Array:
    """Compute several results for each row of a column, in one pass over its rows.

    Each result is an expression such as `uri.host()`, a method call of `uriverse.columns.uri`. Its
    methods are the column functions, without the column. This is faster than a call for each
    result, because each row is read and parsed once.

    Args:
        column: the strings: a list of `str`, or an object that implements the Arrow PyCapsule
            protocol.
        results: the expressions by the names of their results, which may be any strings.
        layout: the Arrow type of the strings in the results, such as `"large_string"`; `None` for
            the type of the input column (for a list, usually `"string"`).
        threads: the maximum number of threads; `None` for one per processor.
        named: further expressions by the names of their results.

    Returns:
        A struct for each row, with a field for each result in the given order. No struct is null;
        in a null row, all fields are null. So tables accept the array: `pyarrow.table(array)`,
        `polars.DataFrame(array)`.

    Raises:
        ColumnError: a column violates the Arrow specification.
        OverflowError: a string is too long for the layout; use `layout="large_string"`.
        TypeError: the column does not contain strings, or a result is not an expression.
        ValueError: there is no result, or the columns differ in length.

    >>> from uriverse.columns import select, uri
    >>> urls = ["HTTP://a.example/x?page=2", "b c"]
    >>> facts = select(urls, host=uri.host(), page=uri.query_param("page"), valid=uri.is_valid())
    >>> facts[0]
    {'host': 'a.example', 'page': '2', 'valid': True}
    >>> facts[1]
    {'host': None, 'page': None, 'valid': False}
    """
    call, others = combine_expressions(results, named)
    return execute_call(call, *others, column, layout=layout, threads=threads)


def combine_expressions(
    results: Mapping[str, Expression] | None, named: Mapping[str, Expression]
) -> tuple[Call, list[Any]]:
    selected: list[SelectedFunction] = []
    others: list[Any] = []
    for name, expression in collect_expressions(results, named).items():
        call = bind_options(expression.function, expression.options)
        second = None
        if expression.second is not None:
            second = len(others)
            others.append(expression.second)
            if is_string(expression.second):
                call.check_string(expression.second)
        selected.append(SelectedFunction(name, call, second))
    return combine_functions(tuple(selected)), others


def collect_expressions(
    results: Mapping[str, Expression] | None, named: Mapping[str, Expression]
) -> dict[str, Expression]:
    if isinstance(results, Expression):
        raise TypeError("name each result, as in select(host=uri.host())")
    expressions = {**({} if results is None else results), **named}
    if not expressions:
        raise ValueError("select needs at least one result, such as host=uri.host()")
    for name, expression in expressions.items():
        if type(name) is not str:
            raise TypeError(f"the name of a result must be a str, not {type(name).__name__}")
        require_unicode("result", name)
        if not isinstance(expression, Expression):
            type_name = type(expression).__name__
            raise TypeError(
                f"the result {quote_argument(name)} must be an expression such as uri.host(), "
                f"not {type_name}"
            )
    return expressions


def expand(
    template: Template | str,
    values: Mapping[str, object],
    /,
    *,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """Expand a URI Template for each row, with the values of its variables from columns.

    A null is an undefined variable. The strings of a variable with a type, such as `int`, must be
    written as expansion writes them. A variable with the type `list` has one item in each row.

    Args:
        template: the template, or its string.
        values: for each variable, a column as in the other functions, or one string for all rows.
            Variables without a column are undefined.
        layout: the Arrow type of the strings in the result, such as `"large_string"`; `None` for
            the type of the last column.
        threads: the maximum number of threads; `None` for one per processor.

    Returns:
        The URI reference; null only if a value is not allowed, or if the expansion is not a valid
        reference. `Template.expand` raises an error with the reason for the values of such a row.

    Raises:
        ColumnError: a column violates the Arrow specification.
        OverflowError: a string is too long for the layout; use `layout="large_string"`.
        TemplateError: the string is not a URI Template.
        TypeError: a column does not contain strings, or a variable is a mapping.
        ValueError: the columns differ in length, there is no column, or a name is not a variable.

    >>> from uriverse import columns
    >>> columns.expand("/users/{id}{?page}", {"id": ["a b", "7"], "page": ["2", None]}).to_pylist()
    ['/users/a%20b?page=2', '/users/7']
    """
    checked_template = Template(template) if isinstance(template, str) else check_template(template)
    variable_types = list_variable_types(checked_template)
    for name in values:
        if name not in variable_types:
            raise ValueError(
                f"unknown variable {quote_argument(name)}; use {', '.join(variable_types)}"
            )
        if variable_types[name].shape == "mapping":
            raise TypeError(f"the variable {name} cannot have a column: it is a mapping")
    row = partial(expand_row, template=checked_template, names=tuple(values))
    inputs = [import_input(source) for source in values.values()]
    if all(repeated for _, repeated in inputs):
        raise ValueError("values must contain at least one column")
    arguments = prepare_expansion(checked_template, tuple(values))
    call = Call("text", row, "expand", arguments, takes_null=True)
    return execute_on_columns(call, inputs, layout=layout, threads=threads)
