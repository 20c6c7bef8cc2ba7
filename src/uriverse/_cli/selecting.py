"""Parse the value of `--select`, such as `host, query_param('id') as id`."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from uriverse._quoting import quoted
from uriverse.columns._registry import FUNCTIONS, OPERATIONS

from .output import MisuseError

if TYPE_CHECKING:
    from uriverse.columns import Expression

#: The syntax of `--select`, for error messages.
USAGE = "write functions as in: host, query_param('id') as id"


def expressions_in(text: str) -> dict[str, Expression]:
    """Parse a list of column functions, each with options and the name of its result.

    Raises:
        MisuseError: the text has another syntax, or a function or an option is unknown.
    """
    try:
        # The items of a `with` statement have the same syntax: a call, and a name after `as`.
        module = ast.parse(f"with ({text}\n): pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MisuseError(f"--select has invalid syntax; {USAGE}") from None
    expressions: dict[str, Expression] = {}
    statement, *others = module.body
    if others or not isinstance(statement, ast.With) or not text.strip():
        raise MisuseError(f"--select has invalid syntax; {USAGE}")
    for item in statement.items:
        function, expression = expression_of(item.context_expr)
        name = function if item.optional_vars is None else name_of(item.optional_vars)
        if name in expressions:
            raise MisuseError(f"--select has two results {quoted(name)}; name one with: as NAME")
        expressions[name] = expression
    return expressions


def expression_of(node: ast.expr) -> tuple[str, Expression]:
    """Return the name of a column function, and the function with its options."""
    from uriverse.columns import uri  # late: it needs nanoarrow

    called = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
    name = name_of(called.func)
    if name not in FUNCTIONS or name.replace("_", "-") not in OPERATIONS:
        close = get_close_matches(name, [operation.replace("-", "_") for operation in OPERATIONS])
        remedy = f"did you mean {close[0]}?" if close else "see the list of operations in --help"
        raise MisuseError(f"--select: unknown function {quoted(name)}; {remedy}")
    try:
        values = [ast.literal_eval(value) for value in called.args]
        options: dict[str, Any] = {
            word.arg or "**": ast.literal_eval(word.value) for word in called.keywords
        }
    except ValueError:
        raise MisuseError(
            f"--select: an option of {name} is not a value; write strings in quotes, or True, "
            "False, None or a number"
        ) from None
    try:
        return name, getattr(uri, name)(*values, **options)
    except TypeError as error:
        raise MisuseError(f"--select: {str(error).removeprefix('ColumnMethods.')}") from None
    except ValueError as error:
        raise MisuseError(f"--select: {name}: {error}") from None


def name_of(node: ast.expr) -> str:
    if not isinstance(node, ast.Name):
        raise MisuseError(
            f"--select: {quoted(ast.unparse(node))} is not a name; {USAGE}, with _ for -"
        )
    return node.id
