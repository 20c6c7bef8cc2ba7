"""Compile templates for the kernel; without it, or if only Python can do the work, to `None`.

The kernel matches templates in which each character decides the next position.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from uriverse._engine import kernel

from ._expansion import encode_text
from ._parsing import Part
from ._patterns import PATH_REGIONS, Pattern, Slot, format_label
from ._safety import Hazard
from ._sequences import Node, Position, Sequence, bits
from ._types import SCALAR, SHAPES, VariableType

#: The entry of the table for a character that does not match.
NO_POSITION = 0xFFFF

#: The largest number of positions of a sequence, and of variables and parameters of a template.
MAX_POSITIONS = 4096
MAX_SLOTS = 64

#: The largest number of literals at the start of other segments after a node of a router.
MAX_STARTS = 16

#: The numbers of the kernel in `_kernel/templates.pxi`: the shapes of values, and their types.
ANY_SHAPE = -1
STRING, NUMBER, CHOICE = 0, 1, 2

#: The class of each byte; the next position for each position and each class, as 16-bit numbers;
#: the slot that each position captures, and the one that begins after it, or -1, as 16-bit numbers;
#: and whether the sequence may end after each position.
Table = tuple[bytes, bytes, bytes, bytes, bytes]

#: A program for the kernel, or `None`.
Program = Any


def compile_expansion(parts: tuple[Part, ...], types: Mapping[str, VariableType]) -> Program:
    if kernel is None:
        return None
    steps: list[object] = []
    names: list[str] = []
    choices: list[tuple[str, ...]] = []
    for part in parts:
        if isinstance(part, str):
            steps.append(encode_text(part, reserved=True, iri=False).encode())
            continue
        variables: list[object] = []
        for variable in part.variables:
            kind = types.get(variable.name)
            type_number = number_type(kind or SCALAR)
            if type_number is None:
                return None
            label = encode_text(variable.name, reserved=True, iri=False).encode()
            prefix = -1 if variable.prefix is None else variable.prefix
            shape = ANY_SHAPE if kind is None else SHAPES.index(kind.shape)
            variables.append((label, prefix, variable.explode, type_number, shape))
            names.append(variable.name)
            choices.append((kind and kind.choices) or ())
        operator = part.operator
        texts = (operator.first.encode(), operator.separator.encode(), operator.empty.encode())
        steps.append((*texts, operator.named, operator.reserved, variables))
    return kernel.TemplateExpansion(steps, names, choices)


def compile_matching(
    pattern: Pattern, allow: Mapping[str, frozenset[Hazard]], *, extra: bool
) -> Program:
    if kernel is None or not is_simple(pattern):
        return None
    head = compile_table(pattern.head)
    fragment = None if pattern.fragment is None else compile_table(pattern.fragment)
    if head is None or (fragment is None) != (pattern.fragment is None):
        return None
    slots = [serialize_slot(slot, allow[slot.variable.name]) for slot in pattern.slots]
    parameters = [
        (parameter.name.encode(), parameter.slot) for parameter in pattern.parameters or ()
    ]
    presence = [
        2 if is_present is None else int(is_present)
        for is_present in (pattern.has_scheme, pattern.has_authority)
    ]
    options = (*presence, pattern.needs_query, pattern.needs_fragment, extra)
    return kernel.TemplateMatching(head, fragment, slots, parameters, options)


def compile_routes(
    kind: type, routes: list[tuple[str, Program]], roots: Mapping[str, Node], everywhere: list[int]
) -> Program:
    if kernel is None:
        return None
    names, programs = [name for name, _ in routes], [program for _, program in routes]
    nodes = {start: compile_node(node) for start, node in roots.items()}
    return (
        None if None in nodes.values() else kernel.Routes(kind, names, programs, nodes, everywhere)
    )


def compile_node(root: Node) -> Program:
    nodes = [root]
    for node in nodes:  # paths may be longer than Python can recurse
        nodes += node.literals.values()
        nodes += [node.variable] if node.variable is not None else []
        for start in node.starts.values():
            nodes += start.nodes.values()
        if len(node.starts) > MAX_STARTS:
            return None
    programs: dict[Node | None, Program] = {None: None}
    for node in reversed(nodes):
        literals = {text: programs[next_node] for text, next_node in node.literals.items()}
        starts: list[tuple[bytes, list[int], list[tuple[bytes, Program]]]] = []
        for text, start in node.starts.items():
            ends = [(end.encode(), programs[next_node]) for end, next_node in start.nodes.items()]
            starts.append((text.encode(), start.open, ends))
        programs[node] = kernel.RouteNode(literals, programs[node.variable], starts, node.ends)
    return programs[root]


def is_simple(pattern: Pattern) -> bool:
    names = [format_label(slot.variable) for slot in pattern.slots]
    return (
        pattern.query is None
        and len(names) == len(set(names)) <= MAX_SLOTS
        and all(parameter.slot is not None for parameter in pattern.parameters or ())
        and all(map(is_simple_slot, pattern.slots))
    )


def is_simple_slot(slot: Slot) -> bool:
    variable, kind, region, _, named, is_required = slot
    is_open_authority = slot.reserved and region == "authority"
    if variable.prefix is not None or number_type(kind) is None or is_open_authority:
        return False
    if not variable.explode:
        return kind.shape == "scalar"
    is_known = kind.shape == "list" if region in PATH_REGIONS and not named else region == "query"
    return is_known and not is_required  # the first item of a required variable may be empty


def number_type(kind: VariableType) -> int | None:
    if kind.choices is not None:
        return CHOICE
    numbers: dict[type, int] = {str: STRING, int: NUMBER}
    return numbers.get(kind.scalar)


def serialize_slot(slot: Slot, allow: frozenset[Hazard]) -> tuple[object, ...]:
    return (
        slot.variable.name,
        SHAPES.index(slot.kind.shape),
        number_type(slot.kind),
        [choice.encode(errors="surrogatepass") for choice in slot.kind.choices or ()],
        slot.reserved,
        slot.named and not slot.variable.explode,
        slot.is_required,
        slot.region in PATH_REGIONS,
        slot.region == "authority",
        slot.region == "fragment",
        "empty" in allow,
    )


def compile_table(sequence: Sequence) -> tuple[bytes, Table] | None:
    """Return the literal at the start, and the table of the positions after it."""
    start = find_start_literal(sequence)
    positions = sequence.positions[len(start) :]
    if len(positions) > MAX_POSITIONS:
        return None
    literals = [
        symbol for position in positions if position.slot is None for symbol in position.accepts
    ]
    if any(len(symbol) > 1 for symbol in literals):
        return None  # the table has one class for all triplets
    following = tuple(
        tuple(bits(sequence.get_successors(len(start) + number) >> len(start)))
        for number in range(len(positions))
    )
    # The first position is before the first character after the literal.
    accepted = [frozenset(map(ord, position.accepts)) for position in positions[1:]]
    members = (frozenset[int](), *accepted)
    table = compile_transitions(members, following)
    if table is None:
        return None
    ends = bytes(sequence.end >> len(start) + number & 1 for number in range(len(positions)))
    return start, intern_table((*table, *list_captures(positions), ends))


def compile_transitions(
    members: tuple[frozenset[int], ...], following: tuple[tuple[int, ...], ...]
) -> tuple[bytes, bytes] | None:
    """Return the class of each byte, and the next position for each position and class."""
    class_numbers: dict[tuple[bool, ...], int] = {}
    distinct = list(dict.fromkeys(members))
    classes = bytes(
        class_numbers.setdefault(tuple(byte in accepts for accepts in distinct), len(class_numbers))
        for byte in range(256)
    )
    table = array("H", [NO_POSITION]) * (len(members) * len(class_numbers))
    by_member = {accepts: {classes[byte] for byte in accepts} for accepts in distinct}
    for number, successors in enumerate(following):
        for successor in successors:
            for byte_class in by_member[members[successor]]:
                index = number * len(class_numbers) + byte_class
                if table[index] != NO_POSITION:
                    return None
                table[index] = successor
    return classes, table.tobytes()


@lru_cache(maxsize=1024)
def intern_table(table: Table) -> Table:
    """Return the same object for the same table: most routes differ only in the literal."""
    return table


def find_start_literal(sequence: Sequence) -> bytes:
    literal = ""
    while sequence.get_successors(len(literal)) == 1 << len(literal) + 1:
        position = sequence.positions[len(literal) + 1]
        is_literal = position.slot is None and position.begins is None
        is_octet = all(len(symbol) == 1 for symbol in position.accepts)
        if not is_literal or not is_octet or sequence.end >> len(literal) & 1:
            break
        literal += "".join(position.accepts)
    return literal.encode()


def list_captures(positions: list[Position]) -> tuple[bytes, bytes]:
    """Return the slot that each position captures, and the one that begins after it, or -1."""
    slots = array("h", [-1 if position.slot is None else position.slot for position in positions])
    begins = array(
        "h", [-1 if position.begins is None else position.begins for position in positions]
    )
    return slots.tobytes(), begins.tobytes()
