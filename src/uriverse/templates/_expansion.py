"""Expand URI Templates ([RFC 6570, section 3](https://www.rfc-editor.org/rfc/rfc6570#section-3))."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from uriverse._errors import TemplateError
from uriverse._lazy import lazy_pattern
from uriverse._spec import BIDI_FORMATTING
from uriverse._spec.grammar.rfc3986 import pct_encoded, reserved, unreserved
from uriverse._spec.grammar.rfc3987 import ucschar
from uriverse._spec.percent import find_surrogate, pct_encode

from ._parsing import Expression, Operator, Part, Variable
from ._types import SCALAR, VariableType, list_pairs

#: Bidirectional formatting characters, which no IRI contains (RFC 3987, 4.1).
BIDI = "".join(f"{chr(low)}-{chr(high)}" for low, high in BIDI_FORMATTING)

#: Characters that are percent-encoded, by whether reserved characters and triplets are kept, and by
#: whether the result is an IRI.
ENCODED_CHARACTERS = {
    (False, False): lazy_pattern(f"[^{unreserved}]"),
    (True, False): lazy_pattern(f"{pct_encoded}|[^{unreserved}{reserved}]"),
    (False, True): lazy_pattern(f"[^{unreserved}{ucschar}]|[{BIDI}]"),
    (True, True): lazy_pattern(f"{pct_encoded}|[^{unreserved}{reserved}{ucschar}]|[{BIDI}]"),
}

#: Runs of percent-encoded triplets, and the octets that reserved expansion keeps percent-encoded.
TRIPLETS = lazy_pattern(f"(?:{pct_encoded})++")
KEPT_ENCODED = frozenset(b":/?#[]@!$&'()*+,;=%")


class Piece(NamedTuple):
    """A part of an expansion; the variable is `None` for the characters between values."""

    text: str
    variable: Variable | None = None


def expand_template(
    parts: tuple[Part, ...],
    values: Mapping[str, object],
    types: Mapping[str, VariableType],
    *,
    iri: bool,
) -> list[Piece]:
    """RFC 6570, 3.1 and 3.2."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(Piece(encode_text(part, reserved=True, iri=iri)))
        else:
            pieces += expand_expression(part, values, types, iri=iri)
    return pieces


def expand_expression(
    expression: Expression,
    values: Mapping[str, object],
    types: Mapping[str, VariableType],
    *,
    iri: bool,
) -> list[Piece]:
    """RFC 6570, 3.2.1: undefined variables are ignored."""
    operator = expression.operator
    pieces: list[Piece] = []
    for variable in expression.variables:
        value = values.get(variable.name)
        if value is None:
            continue
        writer = VariableWriter(operator, variable, types.get(variable.name, SCALAR), iri)
        for value_pieces in writer.expand_value(value):
            pieces.append(Piece(operator.separator if pieces else operator.first))
            pieces += value_pieces
    return pieces


class VariableWriter(NamedTuple):
    """Expands a variable of an expression (3.2.1 to 3.2.9)."""

    operator: Operator
    variable: Variable
    kind: VariableType
    iri: bool

    def expand_value(self, value: object) -> list[list[Piece]]:
        """Return the pieces of a value, or of each item of an exploded list or mapping."""
        name = self.variable.name
        pairs = list_pairs(value)
        self.kind.check_shape(value, name, is_mapping=pairs is not None)
        if pairs is not None:
            defined_pairs = [(key, item) for key, item in pairs if item is not None]
            self.check_prefix(is_defined=bool(defined_pairs))
            return self.expand_pairs(defined_pairs)
        if not isinstance(value, list | tuple):
            prefix = self.kind.write_scalar(value, name)[: self.variable.prefix]
            return [self.add_label(self.label, [self.make_piece(self.percent_encode(prefix))])]
        items = cast("list[object] | tuple[object, ...]", value)
        defined_items = [item for item in items if item is not None]
        self.check_prefix(is_defined=bool(defined_items))
        pieces = [self.make_piece(self.encode_value(item)) for item in defined_items]
        if self.variable.explode:
            return [self.add_label(self.label, [piece]) for piece in pieces]
        return self.join_pieces(pieces)

    def check_prefix(self, *, is_defined: bool) -> None:
        """RFC 6570, 2.4.1: a prefix does not apply to a list or a mapping."""
        if is_defined and self.variable.prefix is not None:
            name = self.variable.name
            problem = "a prefix length does not apply to a list or a mapping"
            reason = f"invalid value of {name}: {problem}"
            raise TemplateError("", 0, "template", "prefix", reason, variable=name)

    def expand_pairs(self, pairs: list[tuple[object, object]]) -> list[list[Piece]]:
        """RFC 6570, 3.2.1: `key,value,key,value`, or if exploded, `key=value` for each pair."""
        piece_pairs = [
            (self.encode_key(key), self.make_piece(self.encode_value(item))) for key, item in pairs
        ]
        if not self.variable.explode:
            return self.join_pieces([part for pair in piece_pairs for part in pair])
        if self.operator.named:
            return [self.add_label(key, [item]) for key, item in piece_pairs]
        return [[key, Piece("="), item] for key, item in piece_pairs]

    def join_pieces(self, pieces: list[Piece]) -> list[list[Piece]]:
        if not pieces:
            return []
        separated = [part for piece in pieces for part in (Piece(","), piece)][1:]
        return [self.add_label(self.label, separated)]

    def add_label(self, label: Piece, pieces: list[Piece]) -> list[Piece]:
        if not self.operator.named:
            return pieces
        is_empty = not any(piece.text for piece in pieces)
        return [label, Piece(self.operator.empty if is_empty else "="), *pieces]

    @property
    def label(self) -> Piece:
        return Piece(encode_text(self.variable.name, reserved=True, iri=self.iri))

    def make_piece(self, text: str) -> Piece:
        return Piece(text, self.variable)

    def encode_key(self, key: object) -> Piece:
        if not isinstance(key, str):
            type_name = type(key).__name__
            raise TypeError(f"a key of {self.variable.name} must be a str, not {type_name}")
        return self.make_piece(self.percent_encode(key))

    def encode_value(self, value: object) -> str:
        return self.percent_encode(self.kind.write_scalar(value, self.variable.name))

    def percent_encode(self, text: str) -> str:
        reserved, name = self.operator.reserved, self.variable.name
        return encode_text(text, reserved=reserved, iri=self.iri, variable=name)


def encode_text(text: str, *, reserved: bool, iri: bool, variable: str | None = None) -> str:
    try:
        return ENCODED_CHARACTERS[reserved, iri].sub(encode_character, text)
    except UnicodeEncodeError:
        reason = f"invalid lone surrogate in the value of {variable}"
        location = (find_surrogate(text), "template", "varname")
        raise TemplateError(text, *location, reason, variable=variable) from None


def encode_character(match: re.Match[str]) -> str:
    is_triplet = len(match[0]) == 3
    return match[0] if is_triplet else pct_encode(match[0].encode())


def decode_reserved_expansion(text: str) -> str:
    """Decode the triplets in a reserved expansion except those of reserved characters and "%"."""
    return TRIPLETS.sub(decode_reserved_run, text) if "%" in text else text


def decode_reserved_run(run: re.Match[str]) -> str:
    octets = bytes.fromhex(run[0].replace("%", ""))
    decoded = b"".join(
        b"%%%02X" % octet if octet in KEPT_ENCODED else bytes((octet,)) for octet in octets
    )
    return decoded.decode()


#: A function that expands literals and expressions.
Expand = Callable[[tuple[Part, ...], Mapping[str, object]], list[Piece]]


def expand_partially(parts: tuple[Part, ...], values: Mapping[str, object], expand: Expand) -> str:
    return "".join(
        part
        if isinstance(part, str)
        else expand_partial_expression(part, next_part, values, expand)
        for part, next_part in zip(parts, (*parts, "")[1:], strict=True)
    )


def list_partial_pieces(
    parts: tuple[Part, ...], values: Mapping[str, object], expand: Expand
) -> list[Piece]:
    """Return the expansions of the variables in `values`, and a safe `x` for each other one."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, str):
            pieces += expand((part,), values)
            continue
        for index, variable in enumerate(part.variables):
            if variable.name in values:
                pieces += expand((Expression(part.operator, (variable,)),), values)
            else:
                first = part.operator.first if index == 0 else ""
                pieces.append(Piece(f"{first}x"))
    return pieces


def expand_partial_expression(
    expression: Expression, next_part: Part, values: Mapping[str, object], expand: Expand
) -> str:
    """Expand the variables that have values, and return the others as expressions."""
    operator, variables = expression

    def join_expansion(part: Expression) -> str:
        return "".join(piece.text for piece in expand((part,), values))

    undefined = [variable for variable in variables if variable.name not in values]
    if not undefined:
        return join_expansion(expression)
    if len(undefined) == len(variables):
        return format_expression(operator.symbol, undefined)
    defined = tuple(variable for variable in variables if variable.name in values)
    # The defined variables go first. A literal that continues the last parameter must stay there.
    keeps_order = ends_parameter(next_part) or defined == variables[: len(defined)]
    if operator.symbol == "?" and keeps_order:
        start = join_expansion(Expression(operator, defined))
        return start + format_expression("&" if start else "?", undefined)
    if operator.first != operator.separator:
        source = format_expression(operator.symbol, variables)
        reason = f"the expression {source} needs all its variables"
        hint = f"pass {', '.join(variable.name for variable in undefined)} as well"
        name = undefined[0].name
        raise TemplateError("", 0, "template", "expression", reason, hint, variable=name)
    # Each variable begins with the same separator, so they can be expanded one by one.
    return "".join(
        join_expansion(Expression(operator, (variable,)))
        if variable.name in values
        else format_expression(operator.symbol, [variable])
        for variable in variables
    )


def ends_parameter(part: Part) -> bool:
    if isinstance(part, str):
        return not part or part.startswith(("&", "#"))
    return part.operator.symbol in {"&", "#"}


def format_expression(symbol: str, variables: list[Variable] | tuple[Variable, ...]) -> str:
    names: list[str] = []
    for variable in variables:
        prefix = "" if variable.prefix is None else f":{variable.prefix}"
        names.append(variable.name + ("*" if variable.explode else prefix))
    return f"{{{symbol}{','.join(names)}}}"
