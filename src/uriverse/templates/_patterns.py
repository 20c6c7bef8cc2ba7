"""The pattern of a template: which URIs its expansions are equivalent to.

A template is divided at its first "?" and its first "#". The part before them, and the fragment,
are sequences. A query is a set of parameters, so that their order does not matter, unless the
template writes something else there; then it is a sequence as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from uriverse.percent import decode_unreserved, uppercase

from ._expansion import encode_text
from ._parsing import Expression, Operator, Part, Variable
from ._sequences import CACHE_SIZE, TRIPLET, Position, Sequence, split_symbols
from ._types import CHARACTERS, VariableType

Region = Literal["scheme", "authority", "path", "query", "fragment"]

ALPHANUMERIC = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
UNRESERVED = ALPHANUMERIC | frozenset("-._~") | {TRIPLET}
SUB_DELIMS = frozenset("!$&'()*+,;=")
PCHAR = UNRESERVED | SUB_DELIMS | frozenset(":@")
RESERVED = SUB_DELIMS | frozenset(":/?#[]@")

#: The characters that a variable of each region may take, unless its operator keeps reserved ones.
REGION_CHARACTERS: dict[Region, frozenset[str]] = {
    "scheme": ALPHANUMERIC | frozenset("+-."),
    "authority": UNRESERVED | SUB_DELIMS,
    "path": PCHAR,
    "query": PCHAR | frozenset("/?"),
    "fragment": PCHAR,
}

#: The characters that reserved expansion cannot take, because a component would end there.
REGION_ENDS: dict[Region, frozenset[str]] = {
    "scheme": frozenset("?#"),
    "authority": frozenset("?#"),
    "path": frozenset("?#"),
    "query": frozenset("#"),
    "fragment": frozenset(),
}

#: The regions before the query: their variables take no dot segments or slashes.
PATH_REGIONS: frozenset[Region] = frozenset({"scheme", "authority", "path"})


class Slot(NamedTuple):
    """An occurrence of a variable in a pattern."""

    variable: Variable
    kind: VariableType
    #: The component that the value is part of.
    region: Region
    #: Whether the expression keeps reserved characters.
    reserved: bool
    #: Whether the captured items start with "=" or with a name.
    named: bool
    #: Whether the variable has a value even if nothing is captured.
    is_required: bool


class Parameter(NamedTuple):
    """A parameter of a query: that of a variable has a slot; `value` is `None` without "="."""

    name: str
    value: Sequence | None
    slot: int | None


class Pattern(NamedTuple):
    """The pattern of a template, whose query is either `parameters` or a sequence."""

    #: The variables in the order of the template.
    slots: tuple[Slot, ...]
    #: Whether the URIs have a scheme and an authority; `None` if a variable may contain them.
    has_scheme: bool | None
    has_authority: bool | None
    #: The scheme, the authority and the path.
    head: Sequence
    parameters: tuple[Parameter, ...] | None
    query: Sequence | None
    needs_query: bool
    fragment: Sequence | None
    needs_fragment: bool


#: The placeholders in a skeleton: for a variable that stays in its component, and for one that
#: keeps reserved characters.
CLOSED, OPEN = "\0", "\1"


def compile_pattern(
    parts: tuple[Part, ...], types: Mapping[str, VariableType], empty: frozenset[str]
) -> Pattern:
    """Compile parts in normal form. The variables of paths that `empty` names may be empty."""
    head, query, fragment = split_template(parts)
    builder = Builder(types, empty)
    # A string with a placeholder for each expression, in which delimiters can be found.
    skeleton = "".join(make_skeleton(part) for part in head)
    colon, authority_end = locate_delimiters(skeleton)  # -1 without one
    is_open = skeleton.startswith(OPEN)  # the first variable may contain a scheme and an authority
    head_sequence = Sequence()
    builder.add_head(head_sequence, head, colon, authority_end)
    parameters = () if query is None else builder.build_parameters(query)
    return Pattern(
        head=head_sequence,
        has_scheme=None if is_open else colon >= 0,
        has_authority=None if is_open else authority_end >= 0,
        parameters=parameters,
        query=builder.build_sequence(query, "query") if query and parameters is None else None,
        needs_query=query is not None and not is_optional(query, "?"),
        fragment=None if fragment is None else builder.build_sequence(fragment, "fragment"),
        needs_fragment=fragment is not None and not is_optional(fragment, "#"),
        slots=tuple(builder.slots),
    )


def split_template(
    parts: tuple[Part, ...],
) -> tuple[list[Part], list[Part] | None, list[Part] | None]:
    """Divide a template before its query and its fragment, whose "?" or "#" is removed."""
    head: list[Part] = []
    query: list[Part] | None = None
    fragment: list[Part] | None = None
    current = head
    for part in parts:
        if isinstance(part, Expression):
            symbol = part.operator.symbol
            if symbol == "#" and fragment is None:
                current = fragment = []
            elif symbol == "?" and query is None and fragment is None:
                current = query = []
            current.append(part)
            continue
        text = part
        if query is None and fragment is None:
            before, mark, after = text.partition("?")
            if mark and "#" not in before:
                head.append(before)
                query = [""]
                current, text = query, after
        if fragment is None:
            before, mark, after = text.partition("#")
            if mark:
                if before:
                    current.append(before)
                fragment = [""]
                current, text = fragment, after
        current.append(text)
    return head, query, fragment


def is_optional(parts: list[Part], symbol: str) -> bool:
    """Return whether a component is absent if its first expression is undefined."""
    first, *others = parts
    if isinstance(first, str) or first.operator.symbol != symbol:
        return False
    return not others if symbol == "#" else all(map(continues_query, others))


def continues_query(part: Part) -> bool:
    return isinstance(part, Expression) and part.operator.symbol == "&"


def make_skeleton(part: Part) -> str:
    """Return a literal, or an expression as its first character and a placeholder."""
    if isinstance(part, str):
        return part
    operator = part.operator
    return operator.first + (OPEN if operator.reserved else CLOSED)


def locate_delimiters(skeleton: str) -> tuple[int, int]:
    """Return the index of the colon after the scheme and of the end of the authority, or -1."""
    first_segment = skeleton.partition("/")[0].partition(OPEN)[0]
    colon = first_segment.find(":")
    authority_start = colon + 1
    if not skeleton.startswith("//", authority_start):
        return colon, -1
    slash = skeleton.find("/", authority_start + 2)
    return colon, len(skeleton) if slash < 0 else slash


class Builder:
    """Creates the parts of a pattern. Variables of paths that `empty` names may be empty."""

    def __init__(self, types: Mapping[str, VariableType], empty: frozenset[str]) -> None:
        self.types = types
        self.empty = empty
        self.slots: list[Slot] = []

    def add_head(
        self, sequence: Sequence, head: list[Part], colon: int, authority_end: int
    ) -> None:
        """Add the parts before the query. Schemes and hosts are compared in lower case."""
        # These are indices of the skeleton, as `colon` and `authority_end` are.
        path_start = max(colon + 1, authority_end)
        host_start = "".join(map(make_skeleton, head)).rfind("@", 0, path_start) + 1
        authority_reserved = collect_reserved(head, colon + len("://"), path_start)
        path_reserved = collect_reserved(head, path_start)
        index = 0
        for part in head:
            end = index + len(make_skeleton(part))
            if isinstance(part, str):
                # The components of the literal, any of which may be empty.
                scheme_length, path_index = max(colon - index, 0), max(path_start - index, 0)
                host_index = max(scheme_length, host_start - index)
                scheme, before_host = part[:scheme_length], part[scheme_length:host_index]
                host, path = part[host_index:path_index], part[path_index:]
                literal = lowercase(scheme) + before_host + lowercase(host) + path
                if literal:
                    sequence.add_literal(literal)
            elif end <= colon:
                self.add_expression(sequence, part, "scheme", path_reserved)
            elif end <= authority_end:
                self.add_expression(sequence, part, "authority", authority_reserved)
            else:
                self.add_expression(sequence, part, "path", path_reserved)
            index = end

    def build_sequence(self, parts: list[Part], region: Region) -> Sequence:
        sequence = Sequence()
        reserved = collect_reserved(parts)
        for number, part in enumerate(parts):
            if isinstance(part, str):
                if part:
                    sequence.add_literal(part)
            else:
                # The "?" or "#" before the component is not part of it.
                self.add_expression(sequence, part, region, reserved, at_start=number == 0)
        return sequence

    def build_parameters(self, parts: list[Part]) -> tuple[Parameter, ...] | None:
        """Return the parameters of a query; `None` if it is not a set of parameters."""
        if has_text_after_parameter(parts):
            return None
        fixed_parameters: list[tuple[str, list[Part] | None]] = []
        variables: list[tuple[Expression, Variable]] = []
        for piece in split_query(parts):
            match piece:
                case [Expression(Operator(symbol="?" | "&"), names) as expression]:
                    variables += [(expression, name) for name in names]
                case [str(text), *value_parts] if "=" in text or not value_parts:
                    name, equals, value = text.partition("=")
                    fixed_parameters.append((name, [value, *value_parts] if equals else None))
                case _:
                    return None  # the name of a parameter contains a variable
        parameters = [
            Parameter(name, None if value is None else self.build_sequence(value, "query"), None)
            for name, value in fixed_parameters
        ]
        for expression, variable in variables:
            slot = self.add_slot(expression, variable, "query", named=variable.explode)
            parameters.append(Parameter(format_label(variable), None, slot))
        return tuple(parameters)

    def add_expression(
        self,
        sequence: Sequence,
        expression: Expression,
        region: Region,
        excluded: frozenset[str],
        *,
        at_start: bool = False,
    ) -> None:
        """Add an expression; with `at_start`, it is the first part of a query or a fragment."""
        operator = expression.operator
        first = "" if at_start and operator.symbol in {"?", "#"} else operator.first
        if not operator.named:
            self.add_unnamed_variables(sequence, expression, region, first, excluded)
            return
        # Bit sets of positions in the sequence: the next part follows one of `sequence.end`.
        before_expression = sequence.end
        after_variables = 0
        for variable in expression.variables:
            slot = self.add_slot(expression, variable, region, named=True)
            # It is the first variable that is defined, ...
            sequence.end = before_expression
            self.add_named(sequence, expression, slot, first, excluded)
            after_this = sequence.end
            if after_variables:
                # ... or it follows another one.
                sequence.end = after_variables
                self.add_named(sequence, expression, slot, operator.separator, excluded)
                after_this |= sequence.end
            after_variables |= after_this
        # A component that begins with the expression is absent if no variable is defined.
        sequence.end = after_variables if at_start else before_expression | after_variables

    def add_unnamed_variables(
        self,
        sequence: Sequence,
        expression: Expression,
        region: Region,
        first: str,
        excluded: frozenset[str],
    ) -> None:
        """Add variables whose names are not written: `first` precedes the first one."""
        separator = expression.operator.separator
        # Bit sets of positions. Variables are filled from the left, so the first undefined one ends
        # the expression: it may end after each variable, or before all of them.
        ends = sequence.end if first else 0
        for index, variable in enumerate(expression.variables):
            # Only an expression without a first string writes nothing for an empty value.
            is_required = index == 0 and not first
            slot = self.add_slot(expression, variable, region, is_required=is_required)
            accepts = self.choose_characters(slot, expression, excluded)
            min_length = self.get_min_length(slot)
            before_value = first if index == 0 else separator
            item_start = sequence.add_literal(before_value, begins=slot) if before_value else 0
            sequence.add_run(slot, accepts, min_length=min_length)
            if variable.explode:
                ends_after_first = 0
                if not item_start:
                    # Nothing precedes the first item, so that the second one needs positions.
                    ends_after_first = sequence.end
                    item_start = sequence.add_literal(separator, begins=slot, separates=True)
                    sequence.add_run(slot, accepts, min_length=min_length)
                # Each item may be followed by another one.
                sequence.link_positions(sequence.end, item_start)
                sequence.end |= ends_after_first
            ends |= sequence.end
        sequence.end = ends

    def add_named(
        self,
        sequence: Sequence,
        expression: Expression,
        slot: int,
        prefix: str,
        excluded: frozenset[str],
    ) -> None:
        """Add `name=value` after a prefix; if exploded, one or more items, with their own names."""
        separator = expression.operator.separator
        variable, region = self.slots[slot].variable, self.slots[slot].region
        accepts = self.choose_characters(slot, expression, excluded | {separator})
        if variable.explode:
            if prefix:
                sequence.add_literal(prefix, begins=slot)
            sequence.add_run(slot, accepts | {"="}, min_length=1)
            ends_after_first = sequence.end
            item_start = sequence.add_literal(separator, begins=slot, separates=not prefix)
            sequence.add_run(slot, accepts | {"="}, min_length=1)
            sequence.link_positions(sequence.end, item_start)
            sequence.end |= ends_after_first
            return
        label = prefix + format_label(variable)
        # Hosts are compared in lower case.
        sequence.add_literal(label if region != "authority" else lowercase(label), begins=slot)
        min_length = self.get_min_length(slot)
        ends_after_name = sequence.end if min_length == 0 else 0
        sequence.add_position(Position(frozenset("="), slot))
        sequence.add_run(slot, accepts, min_length=min_length)
        sequence.end |= ends_after_name

    def add_slot(
        self,
        expression: Expression,
        variable: Variable,
        region: Region,
        *,
        named: bool = False,
        is_required: bool = False,
    ) -> int:
        """Add an occurrence of a variable; return its number."""
        operator = expression.operator
        kind = self.types.get(variable.name)
        if kind is None:
            shape: Literal["scalar", "list", "either"] = "scalar"
            if variable.explode:
                shape = "either" if operator.named else "list"
            kind = VariableType(shape)
        self.slots.append(Slot(variable, kind, region, operator.reserved, named, is_required))
        return len(self.slots) - 1

    def get_min_length(self, slot: int) -> int:
        variable, region = self.slots[slot].variable, self.slots[slot].region
        return int(region in PATH_REGIONS and variable.name not in self.empty)

    def choose_characters(
        self, slot: int, expression: Expression, excluded: frozenset[str]
    ) -> frozenset[str]:
        """Return the characters that the value of a variable may contain, with its delimiters."""
        variable, kind, region, *_ = self.slots[slot]
        operator, shape = expression.operator, kind.shape
        has_separators = len(expression.variables) > 1 or variable.explode
        accepts = list_characters(region, operator, excluded, has_separators=has_separators)
        contains_names = operator.named and variable.explode
        if shape in {"scalar", "list"} and not contains_names:
            accepts = keep_type_characters(accepts, kind)
        if variable.explode:
            return accepts | {"="} if shape == "mapping" else accepts
        return accepts | {","} if shape in {"list", "mapping"} else accepts


@lru_cache(maxsize=CACHE_SIZE)
def list_characters(
    region: Region, operator: Operator, excluded: frozenset[str], *, has_separators: bool
) -> frozenset[str]:
    """Return the characters of strings; the same set for most templates."""
    if operator.reserved:
        characters = (UNRESERVED | RESERVED) - REGION_ENDS[region]
    else:
        characters = REGION_CHARACTERS[region] - excluded
    return characters - {operator.separator} if has_separators else characters


def keep_type_characters(accepts: frozenset[str], kind: VariableType) -> frozenset[str]:
    if kind.choices is not None:
        characters = frozenset[str]().union(*kind.choices)
    elif kind.scalar is not str:
        characters = frozenset(CHARACTERS[kind.scalar])
    else:
        return accepts
    # In normal form, unreserved characters are not percent-encoded.
    return accepts & (characters if characters <= UNRESERVED else characters | {TRIPLET})


def split_query(parts: list[Part]) -> Iterator[list[Part]]:
    """Divide a query into parameters, such as `a={x}`, and expressions, such as `{?x,y}`."""
    pieces: list[list[Part]] = [[]]
    for part in parts:
        if isinstance(part, str):
            end_of_parameter, *next_parameters = part.split("&")
            pieces[-1].append(end_of_parameter)
            pieces.extend([text] for text in next_parameters)
        elif part.operator.symbol in {"?", "&"}:
            pieces.extend(([part], []))  # the expression, and the start of the next piece
        else:
            pieces[-1].append(part)
    for piece in pieces:
        if nonempty_parts := [part for part in piece if part != ""]:
            yield nonempty_parts


def has_text_after_parameter(parts: list[Part]) -> bool:
    """Return whether text or another "?" continues the last parameter of `{?...}` or `{&...}`."""
    follows_parameter = False
    for index, part in enumerate(parts):
        if isinstance(part, str):
            if follows_parameter and part and not part.startswith("&"):
                return True
            follows_parameter = follows_parameter and not part
            continue
        symbol = part.operator.symbol
        if (follows_parameter and symbol != "&") or (index > 0 and symbol == "?"):
            return True
        follows_parameter = symbol in {"?", "&"}
    return False


def collect_reserved(
    parts: Iterable[Part], start: int = 0, end: int = sys.maxsize
) -> frozenset[str]:
    """Return the reserved characters that a template writes, between indices of its skeleton."""
    characters: set[str] = set()
    index = 0
    for part in parts:
        if isinstance(part, str):
            characters.update(part[max(start - index, 0) : max(end - index, 0)])
        elif start <= index < end:
            operator = part.operator
            if len(part.variables) > 1 or operator.first == operator.separator:
                characters.add(operator.separator)
        index += len(make_skeleton(part))
    return frozenset(characters) & RESERVED


def format_label(variable: Variable) -> str:
    """Return the name of a variable as URIs contain it, in normal form."""
    return normalize_text(encode_text(variable.name, reserved=True, iri=False))


def normalize_text(text: str) -> str:
    return uppercase(decode_unreserved(text)) if "%" in text else text


def lowercase(text: str) -> str:
    """Convert letters to lower case, except in percent-encoded triplets."""
    if "%" not in text:
        return text.lower()
    return "".join(s.lower() if len(s) == 1 else s for s in split_symbols(text))
