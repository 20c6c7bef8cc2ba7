"""Reasons why matching the expansion of a template may not return the values."""

from __future__ import annotations

from collections.abc import Iterator

from ._parsing import Expression, Part
from ._patterns import Pattern, Slot
from ._sequences import START, TRIPLET, Sequence, bits

#: The largest number of steps to compare the ways to match a sequence.
MOST_STEPS = 100_000


def ambiguities_of(parts: tuple[Part, ...], pattern: Pattern) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for part in parts:
        if isinstance(part, Expression):
            found.update(dict.fromkeys(in_expression(part)))
    sequences = [pattern.head, pattern.query, pattern.fragment]
    sequences += [parameter.value for parameter in pattern.parameters or ()]
    for sequence in sequences:
        if sequence is not None:
            found.update(dict.fromkeys(in_sequence(sequence, pattern.slots)))
    found.update(dict.fromkeys(in_components(pattern)))
    found.update(dict.fromkeys(in_query(pattern)))
    found.update(dict.fromkeys(in_variables(pattern.slots)))
    found.update(dict.fromkeys(after_optional(parts, pattern)))
    found.update(dict.fromkeys(outside_query(parts)))
    return tuple(found)


def in_expression(expression: Expression) -> Iterator[str]:
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


def in_sequence(sequence: Sequence, slots: tuple[Slot, ...]) -> Iterator[str]:
    """Yield the pairs of variables that a string can be divided between in several ways."""
    pairs = positions_reached_together(sequence)
    if pairs is None:
        yield "there are too many ways to match the template to compare them"
        return
    names: dict[str, None] = {}
    for pair in sorted(pairs):
        for number in pair:
            position = sequence.positions[number]
            slot = position.begins if position.slot is None else position.slot
            if slot is not None:
                names[slots[slot].variable.name] = None
    if len(names) == 1:
        yield f"{next(iter(names))} can end in more than one place"
    elif names:
        *others, last = names
        yield f"{', '.join(others)} and {last} can be divided in more than one way"


def positions_reached_together(sequence: Sequence) -> set[tuple[int, int]] | None:
    """Return the pairs of different positions in which two matches of one string can be.

    A sequence is unambiguous if and only if there is no such pair. Returns `None` if this takes
    too many steps.
    """
    positions = sequence.positions
    classes = [
        {TRIPLET if p.slot is None and len(s) > 1 else s for s in p.accepts} for p in positions
    ]
    reached = {(START, START)}
    waiting = [(START, START)]
    before: dict[tuple[int, int], list[tuple[int, int]]] = {}
    steps_left = MOST_STEPS
    while waiting:
        pair = waiting.pop()
        ones, others = (list(bits(sequence.following(number))) for number in pair)
        steps_left -= len(ones) * len(others)
        if steps_left < 0:
            return None
        for one in ones:
            for other in others:
                if classes[one].isdisjoint(classes[other]):
                    continue
                following = (one, other)
                before.setdefault(following, []).append(pair)
                if following not in reached:
                    reached.add(following)
                    waiting.append(following)
    ends = set(bits(sequence.end))
    useful = {pair for pair in reached if pair[0] in ends and pair[1] in ends}
    waiting = list(useful)
    while waiting:
        for pair in before.get(waiting.pop(), ()):
            if pair not in useful:
                useful.add(pair)
                waiting.append(pair)
    return {pair for pair in useful if pair[0] < pair[1]}


def in_components(pattern: Pattern) -> Iterator[str]:
    """Yield the components that only some expansions have, because variables may be undefined."""
    if pattern.has_scheme is None:
        return  # a variable may contain a scheme
    head = pattern.head
    colons = first_colons(head)
    if colons and not pattern.has_scheme:
        yield "only some expansions have a scheme"
    ways = slashes_after(head, colons if pattern.has_scheme else {START})
    if ways != {pattern.has_authority}:
        yield "only some expansions have an authority"


def first_colons(sequence: Sequence) -> set[int]:
    """Return the positions of literal colons that no slash precedes."""
    found: set[int] = set()
    reached = {START}
    waiting = [START]
    while waiting:
        for number in bits(sequence.following(waiting.pop())):
            accepts = sequence.positions[number].accepts
            if accepts == {":"}:
                found.add(number)
            elif "/" not in accepts and number not in reached:
                reached.add(number)
                waiting.append(number)
    return found


def slashes_after(sequence: Sequence, starts: set[int]) -> set[bool]:
    """Return whether two slashes follow some positions: `True`, `False`, or both."""
    found: set[bool] = set()
    for start in starts:
        for one in steps(sequence, start):
            for two in steps(sequence, one):
                found.add(
                    all(n is not None and "/" in sequence.positions[n].accepts for n in (one, two))
                )
    return found


def steps(sequence: Sequence, position: int | None) -> list[int | None]:
    """Return the positions after another one; `None` stands for the end."""
    if position is None:
        return [None]
    ends: list[int | None] = [None] if sequence.end >> position & 1 else []
    return [*bits(sequence.following(position)), *ends]


def in_query(pattern: Pattern) -> Iterator[str]:
    """Yield the reasons why parameters may belong to several variables."""
    parameters = pattern.parameters or ()
    names = [parameter.name for parameter in parameters]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"the query has two parameters with the name {name}"
    for parameter in parameters:
        slot = None if parameter.slot is None else pattern.slots[parameter.slot]
        if slot and slot.variable.explode and slot.kind.shape == "mapping" and len(parameters) > 1:
            yield f"a mapping {slot.variable.name} may have the name of another parameter as a key"


def in_variables(slots: tuple[Slot, ...]) -> Iterator[str]:
    """Yield the reasons why the occurrences of a variable have different values."""
    shapes: dict[str, str] = {}
    for slot in slots:
        name, shape = slot.variable.name, slot.kind.shape
        if shape == "either":
            yield f"a mapping {name} may have the key {name}, as a list would"
        if shapes.setdefault(name, shape) != shape:
            yield f"{name} is exploded in one place, and not in another"


def after_optional(parts: tuple[Part, ...], pattern: Pattern) -> Iterator[str]:
    """Yield the reason why a template does not match if the query or the fragment is undefined."""
    for symbol, needed in (("?", pattern.needs_query), ("#", pattern.needs_fragment)):
        for part in parts:
            if isinstance(part, str) and symbol in part:
                break
            if needed and isinstance(part, Expression) and part.operator.symbol == symbol:
                yield f"the template does not match if {part.variables[0].name} is undefined"
                break


def outside_query(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield the reason why an expression with "&" may expand to a part of the path."""
    optional: Expression | None = None
    for part in parts:
        if isinstance(part, str):
            if optional is None and "?" in part:
                break
        elif part.operator.symbol == "?":
            optional = optional or part
        elif part.operator.symbol == "&" and optional is not None:
            names = " and ".join(variable.name for variable in optional.variables)
            verb = "is" if len(optional.variables) == 1 else "are"
            yield f"{part.variables[0].name} is not part of the query if {names} {verb} undefined"
            break
