"""Parse the values of `--select`, such as `host, query_param('id') as id`, and of `--where`."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from uriverse._quoting import quoted
from uriverse.columns import FUNCTIONS

from .output import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriverse.columns import Expression

#: The syntax of each option, for error messages.
USAGE = {
    "--select": "write functions as in: host, query_param('id') as id",
    "--where": "write a function as in: is_valid",
}


def expressions_in(
    text: str, known: Mapping[str, Any], option: str = "--select"
) -> dict[str, Expression]:
    """Parse a list of column functions, each with options and the name of its result.

    Args:
        text: the value of the option.
        known: the values of options of functions that other options of the command set, such as
            the policy.
        option: the name of the option, for error messages.

    Raises:
        MisuseError: the list has another syntax, or a function or an option is unknown.
    """
    try:
        # The items of a `with` statement have the same syntax: a call, and a name after `as`.
        module = ast.parse(f"with ({text}\n): pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MisuseError(f"{option} has invalid syntax; {USAGE[option]}") from None
    expressions: dict[str, Expression] = {}
    statement, *others = module.body
    if others or not isinstance(statement, ast.With) or not text.strip():
        raise MisuseError(f"{option} has invalid syntax; {USAGE[option]}")
    for item in statement.items:
        try:
            function, expression = expression_of(item.context_expr, known)
            name = function if item.optional_vars is None else name_of(item.optional_vars)
        except MisuseError as error:
            raise MisuseError(f"{option}: {error}") from None
        if name in expressions:
            raise MisuseError(f"{option} has two results {quoted(name)}; name one with: as NAME")
        expressions[name] = expression
    return expressions


def condition_in(text: str, known: Mapping[str, Any]) -> Expression:
    """Parse a column function with a boolean result, with its options.

    Raises:
        MisuseError: as for `expressions_in`, or the result is not boolean.
    """
    expressions = [*expressions_in(text, known, "--where").values()]
    if len(expressions) > 1:
        raise MisuseError(f"--where has {len(expressions)} functions; write only one")
    if FUNCTIONS[expressions[0].function].result != "flag":
        flags = ", ".join(name for name, each in FUNCTIONS.items() if each.result == "flag")
        raise MisuseError(f"--where: {expressions[0].function} is not boolean; use {flags}")
    return expressions[0]


def expression_of(node: ast.expr, known: Mapping[str, Any]) -> tuple[str, Expression]:
    """Return the name of a column function, and the function with its options."""
    from uriverse.columns import uri  # late: it needs nanoarrow

    called = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
    name = name_of(called.func)
    if name not in FUNCTIONS:
        close = get_close_matches(name, FUNCTIONS)
        remedy = f"did you mean {close[0]}?" if close else "see the list of operations in --help"
        raise MisuseError(f"unknown function {quoted(name)}; {remedy}")
    try:
        values = [ast.literal_eval(value) for value in called.args]
        options: dict[str, Any] = {
            word.arg or "**": ast.literal_eval(word.value) for word in called.keywords
        }
    except ValueError:
        raise MisuseError(
            f"an option of {name} is not a value; write strings in quotes, or True, "
            "False, None or a number"
        ) from None
    if not values:
        own = {option.name for option in FUNCTIONS[name].options}
        options = {option: known[option] for option in own & known.keys()} | options
    try:
        return name, getattr(uri, name)(*values, **options)
    except TypeError as error:
        raise MisuseError(str(error).removeprefix("ColumnMethods.")) from None
    except ValueError as error:
        raise MisuseError(f"{name}: {error}") from None


def name_of(node: ast.expr) -> str:
    if not isinstance(node, ast.Name):
        raise MisuseError(
            f"{quoted(ast.unparse(node))} is not a name; {USAGE['--select']}, with _ for -"
        )
    return node.id
