"""Parse URI Templates ([RFC 6570, section 2](https://www.rfc-editor.org/rfc/rfc6570#section-2))."""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from uriverse._errors import TemplateError
from uriverse._lazy import lazy_pattern
from uriverse._spec.grammar.rfc6570 import RULES
from uriverse._spec.percent import pct_encode

#: The largest number of characters of a template.
MAX_TEMPLATE_LENGTH = 8192

#: The largest number of variables of a template. The time to match a URI grows with it.
MAX_VARIABLES = 256


class Operator(NamedTuple):
    """How an expression is expanded: a row of the table in RFC 6570, Appendix A."""

    symbol: str
    #: The string before the first defined variable.
    first: str
    separator: str
    #: Whether each value follows its name and "=".
    named: bool
    #: The string after the name of an empty value.
    empty: str
    #: Whether reserved characters and percent-encoded triplets are kept.
    reserved: bool


OPERATORS = {
    row[0]: Operator(*row)
    for row in (
        ("", "", ",", False, "", False),
        ("+", "", ",", False, "", True),
        ("#", "#", ",", False, "", True),
        (".", ".", ".", False, "", False),
        ("/", "/", "/", False, "", False),
        (";", ";", ";", True, "", False),
        ("?", "?", "&", True, "=", False),
        ("&", "&", "&", True, "=", False),
    )
}


class Variable(NamedTuple):
    """A variable in a URI Template.

    Attributes:
        name: the name.
        operator: the operator of its expression, such as `"/"`; `""` for simple expansion.
        prefix: the number of characters to use, as in `{name:3}`; `None` for the whole value.
        explode: whether a list or a mapping is expanded item by item, as in `{name*}`.

    >>> from uriverse.templates import Template
    >>> Template("/files{/path*}").variables
    (Variable(name='path', operator='/', prefix=None, explode=True),)
    """

    name: str
    operator: str = ""
    prefix: int | None = None
    explode: bool = False


class Expression(NamedTuple):
    operator: Operator
    variables: tuple[Variable, ...]


Part = str | Expression

LITERALS = lazy_pattern(f"(?:{RULES['literals']})*+")
VARNAME = lazy_pattern(RULES["varname"])
MAX_LENGTH = lazy_pattern(RULES["max-length"])


def parse_template(text: str) -> tuple[Part, ...]:
    if len(text) > MAX_TEMPLATE_LENGTH:
        reason = f"template too long: a template may have at most {MAX_TEMPLATE_LENGTH} characters"
        raise TemplateError(text, MAX_TEMPLATE_LENGTH, "template", "URI-Template", reason)
    parts: list[Part] = []
    position = variable_count = 0
    while position < len(text):
        start = position
        if text[start] == "{":
            expression, position = parse_expression(text, start)
            variable_count += len(expression.variables)
            if variable_count > MAX_VARIABLES:
                reason = f"too many variables: a template may have at most {MAX_VARIABLES}"
                raise TemplateError(text, start, "template", "URI-Template", reason)
            parts.append(expression)
            continue
        literals = LITERALS.match(text, start)
        assert literals  # the pattern matches the empty string too
        position = literals.end()
        if position == start:
            reject_literal(text, start)
        parts.append(literals[0])
    return tuple(parts)


def reject_literal(text: str, position: int) -> NoReturn:
    """Raise an error that explains why a character is not allowed outside of expressions."""
    character = text[position]
    rule = "literals"
    if character == "}":
        reason, hint = '"}" without "{"', "write a literal brace as %7D"
    elif character == "%":
        rule, hint = "pct-encoded", 'write a literal "%" as %25'
        reason = 'invalid percent-encoding: "%" must be followed by two hexadecimal digits'
    elif "\ud800" <= character <= "\udfff":
        reason, hint = "invalid lone surrogate in literal", ""
    else:
        description = "space" if character == " " else f"character {character!r}"
        reason = f"invalid {description} in literal"
        hint = f"percent-encode it as {pct_encode(character.encode())}"
    raise TemplateError(text, position, "template", rule, reason, hint)


def parse_expression(text: str, start: int) -> tuple[Expression, int]:
    """Return the expression at an index, such as `{?x,y}`, and its end."""
    position = start + 1
    symbol = text[position : position + 1]
    if symbol and symbol in "=,!@|":
        reason = f'unsupported operator "{symbol}": RFC 6570 reserves it for extensions'
        hint = "use one of + # . / ; ? &"
        raise TemplateError(text, position, "template", "op-reserve", reason, hint)
    if symbol in OPERATORS:
        position += len(symbol)
    else:
        symbol = ""
    variables: list[Variable] = []
    while True:
        variable, position = parse_variable(text, start, position, symbol)
        variables.append(variable)
        delimiter = text[position : position + 1]
        position += 1
        if delimiter == "}":
            return Expression(OPERATORS[symbol], tuple(variables)), position
        if delimiter != ",":
            reject_expression(text, start, position - 1)


def parse_variable(text: str, start: int, position: int, symbol: str) -> tuple[Variable, int]:
    """Return the variable at an index, and its end: a name, and `*` or `:` with a prefix length."""
    match = VARNAME.match(text, position)
    if match is None:
        reject_expression(text, start, position)
    name, position = match[0], match.end()
    modifier = text[position : position + 1]
    if modifier == "*":
        return Variable(name, symbol, explode=True), position + 1
    if modifier == ":":
        length = MAX_LENGTH.match(text, position + 1)
        has_more_digits = length is not None and text[length.end() : length.end() + 1].isdecimal()
        if length is None or has_more_digits:
            reason = "invalid prefix length"
            hint = "write a number from 1 to 9999, without leading zeros"
            raise TemplateError(text, position + 1, "template", "max-length", reason, hint)
        return Variable(name, symbol, prefix=int(length[0])), length.end()
    return Variable(name, symbol), position


def reject_expression(text: str, start: int, position: int) -> NoReturn:
    """Raise an error that explains why the expression at `start` is invalid at `position`."""
    if position >= len(text):
        reason = 'missing "}": the expression does not end'
        hint = 'add "}", or write a literal "{" as %7B'
        raise TemplateError(text, start, "template", "expression", reason, hint)
    previous, character = text[position - 1], text[position]
    following = text[position + 1 : position + 2]
    rule, hint = "varname", ""
    if character in "},":
        reason = "missing variable name"
    elif character == "." and following and following in "},:*":
        reason, hint = "a variable name cannot end with a dot", "remove the dot"
    elif previous in "*0123456789" and character in "*:0123456789":
        rule = "modifier-level4"
        reason = "a variable has at most one modifier: a prefix length or an asterisk"
    else:
        description = "space" if character == " " else f"character {character!r}"
        reason = f"invalid {description} in expression"
        hint = 'use only letters, digits, "_", percent-encoded triplets, and single dots'
    raise TemplateError(text, position, "template", rule, reason, hint)
