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
from ._types import SCALAR, VariableType, pairs_of

#: Bidirectional formatting characters, which no IRI contains (RFC 3987, 4.1).
BIDI = "".join(f"{chr(low)}-{chr(high)}" for low, high in BIDI_FORMATTING)

#: Characters that are percent-encoded, by whether reserved characters and triplets are kept, and by
#: whether the result is an IRI.
ENCODED = {
    (False, False): lazy_pattern(f"[^{unreserved}]"),
    (True, False): lazy_pattern(f"{pct_encoded}|[^{unreserved}{reserved}]"),
    (False, True): lazy_pattern(f"[^{unreserved}{ucschar}]|[{BIDI}]"),
    (True, True): lazy_pattern(f"{pct_encoded}|[^{unreserved}{reserved}{ucschar}]|[{BIDI}]"),
}

#: Runs of percent-encoded triplets, and the octets that reserved expansion keeps percent-encoded.
TRIPLETS = lazy_pattern(f"(?:{pct_encoded})++")
KEPT_ENCODED = frozenset(b":/?#[]@!$&'()*+,;=%")


class Piece(NamedTuple):
    """A part of an expansion: a value, an item of a value, or the characters between values.

    Attributes:
        text: the expansion.
        variable: the variable; `None` for text between values.
    """

    text: str
    variable: Variable | None = None


def expanded(
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
            pieces.append(Piece(encoded(part, reserved=True, iri=iri)))
        else:
            pieces += expanded_expression(part, values, types, iri=iri)
    return pieces


def expanded_expression(
    expression: Expression,
    values: Mapping[str, object],
    types: Mapping[str, VariableType],
    *,
    iri: bool,
) -> list[Piece]:
    """RFC 6570, 3.2.1."""
    operator = expression.operator
    pieces: list[Piece] = []
    for variable in expression.variables:
        value = values.get(variable.name)
        if value is None:
            continue
        writer = VariableWriter(operator, variable, types.get(variable.name, SCALAR), iri)
        for item in writer.items_of(value):
            pieces.append(Piece(operator.separator if pieces else operator.first))
            pieces += item
    return pieces


class VariableWriter(NamedTuple):
    """Expands a variable of an expression (3.2.1 to 3.2.9)."""

    operator: Operator
    variable: Variable
    kind: VariableType
    iri: bool

    def items_of(self, value: object) -> list[list[Piece]]:
        """Return the strings for a value: one, or one for each item of an exploded value."""
        name = self.variable.name
        pairs = pairs_of(value)
        self.kind.check_shape(value, name, is_mapping=pairs is not None)
        if pairs is None and not isinstance(value, list | tuple):
            return [self.labeled(self.label, [self.piece(self.prefix_of(value))])]
        if pairs is not None:
            defined = [(key, item) for key, item in pairs if item is not None]
            self.check_prefix(is_defined=bool(defined))
            return self.items_of_pairs(defined)
        listed = cast("list[object] | tuple[object, ...]", value)
        items = [item for item in listed if item is not None]
        self.check_prefix(is_defined=bool(items))
        return self.items_of_list(items)

    def check_prefix(self, *, is_defined: bool) -> None:
        """RFC 6570, 2.4.1: a prefix does not apply to a list or a mapping."""
        if is_defined and self.variable.prefix is not None:
            name = self.variable.name
            reason = (
                f"invalid value of {name}: a prefix length does not apply to a list or a mapping"
            )
            raise TemplateError("", 0, "template", "prefix", reason, variable=name)

    def items_of_list(self, items: list[object]) -> list[list[Piece]]:
        pieces = [self.piece(self.written(item)) for item in items]
        if self.variable.explode:
            return [self.labeled(self.label, [piece]) for piece in pieces]
        return self.joined(pieces)

    def items_of_pairs(self, pairs: list[tuple[object, object]]) -> list[list[Piece]]:
        written = [(self.key(key), self.piece(self.written(item))) for key, item in pairs]
        if not self.variable.explode:
            return self.joined([part for pair in written for part in pair])
        if self.operator.named:
            return [self.labeled(key, [item]) for key, item in written]
        return [[key, Piece("="), item] for key, item in written]

    def joined(self, pieces: list[Piece]) -> list[list[Piece]]:
        if not pieces:
            return []
        return [self.labeled(self.label, [p for piece in pieces for p in (Piece(","), piece)][1:])]

    def labeled(self, label: Piece, pieces: list[Piece]) -> list[Piece]:
        """Return a value after its name, if the operator writes names."""
        if not self.operator.named:
            return pieces
        is_empty = not any(piece.text for piece in pieces)
        return [label, Piece(self.operator.empty if is_empty else "="), *pieces]

    @property
    def label(self) -> Piece:
        return Piece(encoded(self.variable.name, reserved=True, iri=self.iri))

    def piece(self, text: str) -> Piece:
        return Piece(text, self.variable)

    def key(self, given: object) -> Piece:
        if not isinstance(given, str):
            kind = type(given).__name__
            raise TypeError(f"a key of {self.variable.name} must be a str, not {kind}")
        return self.piece(self.percent_encoded(given))

    def written(self, value: object) -> str:
        return self.percent_encoded(self.kind.write(value, self.variable.name))

    def prefix_of(self, value: object) -> str:
        """Return a value, or its first characters, percent-encoded (2.4.1)."""
        return self.percent_encoded(
            self.kind.write(value, self.variable.name)[: self.variable.prefix]
        )

    def percent_encoded(self, text: str) -> str:
        reserved, name = self.operator.reserved, self.variable.name
        return encoded(text, reserved=reserved, iri=self.iri, variable=name)


def encoded(text: str, *, reserved: bool, iri: bool, variable: str | None = None) -> str:
    """Percent-encode a string, except for unreserved characters and, if given, reserved ones."""
    try:
        return ENCODED[reserved, iri].sub(encoded_character, text)
    except UnicodeEncodeError:
        reason = f"invalid lone surrogate in the value of {variable}"
        place = (find_surrogate(text), "template", "varname")
        raise TemplateError(text, *place, reason, variable=variable) from None


def encoded_character(found: re.Match[str]) -> str:
    """Percent-encode a character as UTF-8; keep a percent-encoded triplet."""
    if len(found[0]) == 3:
        return found[0]
    return pct_encode(found[0].encode())


def decoded_reserved(text: str) -> str:
    """Decode the triplets in a reserved expansion except those of reserved characters and "%"."""
    return TRIPLETS.sub(decoded_run, text) if "%" in text else text


def decoded_run(run: re.Match[str]) -> str:
    octets = bytes.fromhex(run[0].replace("%", ""))
    kept = b"".join(b"%%%02X" % o if o in KEPT_ENCODED else bytes((o,)) for o in octets)
    return kept.decode()


#: A function that expands literals and expressions.
Expand = Callable[[tuple[Part, ...], Mapping[str, object]], list[Piece]]


def partial_text(parts: tuple[Part, ...], values: Mapping[str, object], expand: Expand) -> str:
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
    """Return an expression in which the given variables are expanded."""
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
    names = (
        f"{v.name}{'*' if v.explode else '' if v.prefix is None else f':{v.prefix}'}"
        for v in variables
    )
    return f"{{{symbol}{','.join(names)}}}"
