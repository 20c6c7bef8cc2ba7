"""Reasons why matching the expansion of a template may not return the values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from ._parsing import Expression, Part
from ._patterns import Pattern, Slot
from ._sequences import START, TRIPLET, Position, Sequence, bits

#: Positions in which two matches of one string are at the same time.
Pair: TypeAlias = tuple[int, int]

#: The largest number of steps to compare the ways to match a sequence.
MAX_STEPS = 100_000


def find_ambiguities(parts: tuple[Part, ...], pattern: Pattern) -> tuple[str, ...]:
    """Return the reasons why matching an expansion may not return the values, each once."""
    reasons: list[str] = []
    for part in parts:
        if isinstance(part, Expression):
            reasons += find_expression_ambiguities(part)
    sequences = [pattern.head, pattern.query, pattern.fragment]
    sequences += [parameter.value for parameter in pattern.parameters or ()]
    for sequence in sequences:
        if sequence is not None:
            reasons += find_sequence_ambiguities(sequence, pattern.slots)
    reasons += find_component_ambiguities(pattern)
    reasons += find_query_ambiguities(pattern)
    reasons += find_variable_ambiguities(pattern.slots)
    reasons += find_missing_components(parts, pattern)
    reasons += find_continuation_ambiguities(parts)
    return tuple(dict.fromkeys(reasons))


def find_expression_ambiguities(expression: Expression) -> Iterator[str]:
    """Yield the reasons why different values of an expression expand to the same string."""
    operator, variables = expression
    for variable in variables:
        if variable.prefix is not None:
            yield f"only the first {variable.prefix} characters of {variable.name} are expanded"
        if operator.symbol == "." and variable.explode:
            yield f"an item of {variable.name} may contain a dot, which also separates items"
        if operator.reserved:
            yield (
                f"{variable.name} keeps percent-encoded triplets, so different values have the "
                "same expansion"
            )
    if len(variables) > 1 and not operator.named:
        first, last = variables[0].name, variables[-1].name
        yield f"{last} cannot be distinguished from {first} if {first} is undefined"


def find_sequence_ambiguities(sequence: Sequence, slots: tuple[Slot, ...]) -> Iterator[str]:
    """Yield a reason if a string can be divided between variables in several ways."""
    pairs = find_shared_positions(sequence)
    if pairs is None:
        yield "there are too many ways to match the template to compare them"
        return
    names: dict[str, None] = {}  # a dict, because it keeps the order
    for pair in sorted(pairs):
        for number in pair:
            position = sequence.positions[number]
            # The variable that takes this character, or begins after this literal.
            slot = position.begins if position.slot is None else position.slot
            if slot is not None:
                names[slots[slot].variable.name] = None
    if len(names) == 1:
        yield f"{next(iter(names))} can end in more than one place"
    elif names:
        *others, last = names
        yield f"{', '.join(others)} and {last} can be divided in more than one way"


def find_shared_positions(sequence: Sequence) -> set[Pair] | None:
    """Return the pairs of different positions that two matches of one string can have at once."""
    predecessors = find_pair_predecessors(sequence)
    if predecessors is None:
        return None  # there are too many to compare
    ends = set(bits(sequence.end))
    # The pairs from which both matches can reach the end, found backward from the end.
    complete = {pair for pair in predecessors if ends.issuperset(pair)}
    pending = list(complete)
    while pending:
        for pair in predecessors[pending.pop()]:
            if pair not in complete:
                complete.add(pair)
                pending.append(pair)
    return {(first, second) for first, second in complete if first < second}


def list_classes(position: Position) -> set[str]:
    """Return the symbols that a position accepts, with one class for all triplets."""
    if position.slot is not None:
        return set(position.accepts)
    return {TRIPLET if len(symbol) > 1 else symbol for symbol in position.accepts}


def find_pair_predecessors(sequence: Sequence) -> dict[Pair, list[Pair]] | None:
    """Return the pairs that two matches of one string reach, each with the pairs before it."""
    classes = [list_classes(position) for position in sequence.positions]
    predecessors: dict[Pair, list[Pair]] = {(START, START): []}
    pending = [(START, START)]
    steps_left = MAX_STEPS
    while pending:
        pair = pending.pop()
        first_successors, second_successors = (
            list(bits(sequence.get_successors(position))) for position in pair
        )
        steps_left -= len(first_successors) * len(second_successors)
        if steps_left < 0:
            return None  # there are too many to compare
        for next_pair in product(first_successors, second_successors):
            first, second = next_pair
            if classes[first].isdisjoint(classes[second]):
                continue  # no character leads to both
            if next_pair not in predecessors:
                predecessors[next_pair] = []
                pending.append(next_pair)
            predecessors[next_pair].append(pair)
    return predecessors


def find_component_ambiguities(pattern: Pattern) -> Iterator[str]:
    if pattern.has_scheme is None:
        return  # a variable may contain the scheme, so any expansion may have one or none
    colons = find_first_colons(pattern.head)
    if colons and not pattern.has_scheme:
        yield "only some expansions have a scheme"
    authority_starts = colons if pattern.has_scheme else {START}
    if find_slashes(pattern.head, authority_starts) != {pattern.has_authority}:
        yield "only some expansions have an authority"


def find_first_colons(sequence: Sequence) -> set[int]:
    """Return the positions of the literal colons that may end a scheme: no slash precedes them."""
    colons: set[int] = set()
    reached = {START}
    pending = [START]
    while pending:
        for number in bits(sequence.get_successors(pending.pop())):
            accepts = sequence.positions[number].accepts
            if accepts == {":"}:
                colons.add(number)
            elif "/" not in accepts and number not in reached:
                reached.add(number)
                pending.append(number)
    return colons


def find_slashes(sequence: Sequence, starts: set[int]) -> set[bool]:
    """Return whether `//` may follow the positions: `{True}`, `{False}`, or both."""
    answers: set[bool] = set()
    for start in starts:
        for first in list_next_positions(sequence, start):
            for second in list_next_positions(sequence, first):
                answers.add(accepts_slash(sequence, first) and accepts_slash(sequence, second))
    return answers


def accepts_slash(sequence: Sequence, position: int | None) -> bool:
    return position is not None and "/" in sequence.positions[position].accepts


def list_next_positions(sequence: Sequence, position: int | None) -> list[int | None]:
    """Return the positions after another one; `None` stands for the end."""
    if position is None:
        return [None]
    ends: list[int | None] = [None] if sequence.end >> position & 1 else []
    return [*bits(sequence.get_successors(position)), *ends]


def find_query_ambiguities(pattern: Pattern) -> Iterator[str]:
    parameters = pattern.parameters or ()
    names = [parameter.name for parameter in parameters]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"the query has two parameters with the name {name}"
    for parameter in parameters:
        if parameter.slot is None:
            continue
        slot = pattern.slots[parameter.slot]
        is_mapping = slot.variable.explode and slot.kind.shape == "mapping"
        if is_mapping and len(parameters) > 1:
            yield f"a mapping {slot.variable.name} may have the name of another parameter as a key"


def find_variable_ambiguities(slots: tuple[Slot, ...]) -> Iterator[str]:
    shapes: dict[str, str] = {}
    for slot in slots:
        name, shape = slot.variable.name, slot.kind.shape
        if shape == "either":
            yield f"a mapping {name} may have the key {name}, as a list would"
        if shapes.setdefault(name, shape) != shape:
            yield f"{name} is exploded in one place, and not in another"


def find_missing_components(parts: tuple[Part, ...], pattern: Pattern) -> Iterator[str]:
    """Yield reasons for components that must exist, but that an undefined variable removes."""
    for symbol, is_needed in (("?", pattern.needs_query), ("#", pattern.needs_fragment)):
        for part in parts:
            if isinstance(part, str) and symbol in part:
                break  # the component starts with a literal, so it always exists
            if is_needed and isinstance(part, Expression) and part.operator.symbol == symbol:
                yield f"the template does not match if {part.variables[0].name} is undefined"
                break


def find_continuation_ambiguities(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield a reason if a `{&...}` is part of the path because the `{?...}` before is undefined."""
    query_start: Expression | None = None
    for part in parts:
        if isinstance(part, str):
            if query_start is None and "?" in part:
                break  # a literal starts the query, so it always exists
        elif part.operator.symbol == "?":
            query_start = query_start or part
        elif part.operator.symbol == "&" and query_start is not None:
            names = " and ".join(variable.name for variable in query_start.variables)
            verb = "is" if len(query_start.variables) == 1 else "are"
            yield f"{part.variables[0].name} is not part of the query if {names} {verb} undefined"
            break
