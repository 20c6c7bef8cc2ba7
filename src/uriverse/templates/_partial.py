"""Expand some variables of a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from uriverse._errors import TemplateError

from ._expansion import Piece
from ._parsing import Expression, Part, Variable

#: A function that expands literals and expressions.
Expand = Callable[[tuple[Part, ...], Mapping[str, object]], list[Piece]]


def partial_text(parts: tuple[Part, ...], values: Mapping[str, object], expand: Expand) -> str:
    """Return a template in which the given variables are expanded."""
    found: list[str] = []
    for part, following in zip(parts, (*parts, "")[1:], strict=True):
        if isinstance(part, str):
            found.append(part)
        else:
            found.append(partial_expression(part, following, values, expand))
    return "".join(found)


def partial_pieces(
    parts: tuple[Part, ...], values: Mapping[str, object], expand: Expand
) -> list[Piece]:
    """Return the expansions of the given variables, and a character for each other variable."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, str):
            pieces += expand((part,), values)
            continue
        for number, variable in enumerate(part.variables):
            if variable.name in values:
                pieces += expand((Expression(part.operator, (variable,)),), values)
            else:
                pieces.append(Piece(f"{'' if number else part.operator.first}x"))
    return pieces


def partial_expression(
    expression: Expression, following: Part, values: Mapping[str, object], expand: Expand
) -> str:
    """Return an expression in which the given variables are expanded.

    Args:
        expression: the expression.
        following: the part of the template after it.
        values: the values of variables.
        expand: expands literals and expressions.
    """
    operator, variables = expression

    def text(part: Expression) -> str:
        return "".join(piece.text for piece in expand((part,), values))

    left = [variable for variable in variables if variable.name not in values]
    if not left:
        return text(expression)
    if len(left) == len(variables):
        return written(operator.symbol, left)
    known = tuple(variable for variable in variables if variable.name in values)
    if operator.symbol == "?" and (ends_parameter(following) or known == variables[: len(known)]):
        start = text(Expression(operator, known))
        return start + written("&" if start else "?", left)
    if operator.first != operator.separator:
        names = ", ".join(variable.name for variable in left)
        reason = f"the expression {written(operator.symbol, variables)} needs all its variables"
        raise TemplateError(
            "", 0, "template", "expression", reason, f"pass {names} as well", variable=left[0].name
        )
    # Each variable begins with the same separator, so they can be expanded one by one.
    return "".join(
        text(Expression(operator, (variable,)))
        if variable.name in values
        else written(operator.symbol, [variable])
        for variable in variables
    )


def ends_parameter(part: Part) -> bool:
    """Return whether a parameter of a query ends before a part of a template."""
    if isinstance(part, str):
        return not part or part.startswith(("&", "#"))
    return part.operator.symbol in {"&", "#"}


def written(symbol: str, variables: list[Variable] | tuple[Variable, ...]) -> str:
    """Return an expression as a string."""
    names = (
        f"{v.name}{'*' if v.explode else '' if v.prefix is None else f':{v.prefix}'}"
        for v in variables
    )
    return f"{{{symbol}{','.join(names)}}}"
