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
from ._parsing import Part, Variable
from ._patterns import PATH_REGIONS, Pattern, Slot, format_label
from ._safety import Hazard
from ._sequences import CACHE_SIZE, Node, Position, Sequence, bits
from ._types import SCALAR, SHAPES, VariableType

#: The entry of the table for a character that does not match.
NO_POSITION = 0xFFFF

#: The largest number of positions of a sequence, and of variables and parameters of a template.
MAX_POSITIONS = 4096
MAX_SLOTS = 64

#: The largest number of literals at the start of other segments after a node of a router.
MAX_STARTS = 16

#: Numbers of the kernel, as in `_kernel/templates.pxi`.
ANY_SHAPE = NO_PREFIX = -1
UNKNOWN = 2
STRING, NUMBER, CHOICE = 0, 1, 2

#: The class of each byte; the next position for each position and each class, as 16-bit numbers;
#: the slot that each position captures, and the one that begins after it, or -1, as 16-bit numbers;
#: and whether the sequence may end after each position.
Table = tuple[bytes, bytes, bytes, bytes, bytes]

#: A program for the kernel, or `None`.
Program = Any


def compile_expansion(parts: tuple[Part, ...], types: Mapping[str, VariableType]) -> Program:
    """Compile a template for expansion; `None` if only Python can expand it."""
    if kernel is None or any(number_type(kind) is None for kind in types.values()):
        return None
    names: list[str] = []
    steps: list[object] = []  # the octets of literals, and tuples for expressions
    for part in parts:
        if isinstance(part, str):
            steps.append(encode_text(part, reserved=True, iri=False).encode())
            continue
        names += [variable.name for variable in part.variables]
        variables = [
            serialize_variable(variable, types.get(variable.name)) for variable in part.variables
        ]
        operator = part.operator
        strings = (operator.first.encode(), operator.separator.encode(), operator.empty.encode())
        steps.append((*strings, operator.named, operator.reserved, variables))
    choices = [types.get(name, SCALAR).choices or () for name in names]
    return kernel.TemplateExpansion(steps, names, choices)


def serialize_variable(variable: Variable, kind: VariableType | None) -> tuple[object, ...]:
    label = encode_text(variable.name, reserved=True, iri=False).encode()
    prefix = NO_PREFIX if variable.prefix is None else variable.prefix
    shape = ANY_SHAPE if kind is None else SHAPES.index(kind.shape)
    return label, prefix, variable.explode, number_type(kind or SCALAR), shape


def compile_matching(
    pattern: Pattern, allow: Mapping[str, frozenset[Hazard]], *, extra: bool
) -> Program:
    """Compile a pattern for matching; `None` if only Python can match it."""
    if kernel is None or not is_simple(pattern):
        return None
    head = compile_table(pattern.head)
    fragment = None if pattern.fragment is None else compile_table(pattern.fragment)
    if head is None or (fragment is None and pattern.fragment is not None):
        return None  # a table is not possible
    slots = [serialize_slot(slot, allow[slot.variable.name]) for slot in pattern.slots]
    parameters = [
        (parameter.name.encode(), parameter.slot) for parameter in pattern.parameters or ()
    ]
    has_scheme = UNKNOWN if pattern.has_scheme is None else int(pattern.has_scheme)
    has_authority = UNKNOWN if pattern.has_authority is None else int(pattern.has_authority)
    options = (has_scheme, has_authority, pattern.needs_query, pattern.needs_fragment, extra)
    return kernel.TemplateMatching(head, fragment, slots, parameters, options)


def compile_routes(
    kind: type,
    names: list[str],
    programs: list[Program],
    roots: Mapping[str, Node],
    everywhere: list[int],
) -> Program:
    """Compile a router for results of type `kind`; `None` if only Python can match its paths.

    The caller adds the programs of templates to `programs` later, once they are needed.
    """
    if kernel is None:
        return None
    nodes = {start: compile_node(node) for start, node in roots.items()}
    if None in nodes.values():
        return None
    return kernel.Routes(kind, names, programs, nodes, everywhere)


def compile_node(root: Node) -> Program:
    """Compile a tree of segments; `None` if a node has too many kinds of segments after it."""
    nodes = [root]
    for node in nodes:  # no recursion, because paths may be longer than Python can recurse
        nodes += node.literals.values()
        if node.variable is not None:
            nodes.append(node.variable)
        for start in node.starts.values():
            nodes += start.nodes.values()
        if len(node.starts) > MAX_STARTS:
            return None
    programs: dict[Node | None, Program] = {None: None}
    for node in reversed(nodes):  # a node needs the programs of the nodes after it
        literals = {text: programs[next_node] for text, next_node in node.literals.items()}
        starts: list[tuple[bytes, list[int], list[tuple[bytes, Program]]]] = []
        for text, start in node.starts.items():
            ends = [(end.encode(), programs[next_node]) for end, next_node in start.nodes.items()]
            starts.append((text.encode(), start.open, ends))
        programs[node] = kernel.RouteNode(literals, programs[node.variable], starts, node.ends)
    return programs[root]


def is_simple(pattern: Pattern) -> bool:
    """Return whether the kernel can match a pattern, apart from the limits of its tables."""
    if pattern.query is not None:
        return False  # the query is not a set of parameters
    if any(parameter.slot is None for parameter in pattern.parameters or ()):
        return False  # the template itself writes a parameter
    names = [format_label(slot.variable) for slot in pattern.slots]
    if len(names) > MAX_SLOTS or len(set(names)) < len(names):
        return False
    return all(map(is_simple_slot, pattern.slots))


def is_simple_slot(slot: Slot) -> bool:
    """Return whether the kernel can read the values of a variable."""
    variable, kind, region, reserved, named, is_required = slot
    is_open_authority = reserved and region == "authority"
    if variable.prefix is not None or number_type(kind) is None or is_open_authority:
        return False
    if not variable.explode:
        return kind.shape == "scalar"
    # The first item of a required variable may be empty.
    if region in PATH_REGIONS and not named:
        return kind.shape == "list" and not is_required
    return region == "query" and not is_required


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
    offset = len(start)  # each character of a literal is a position
    positions = sequence.positions[offset:]
    if len(positions) > MAX_POSITIONS:
        return None  # the table would be too large
    literals = [
        symbol for position in positions if position.slot is None for symbol in position.accepts
    ]
    if any(len(symbol) > 1 for symbol in literals):
        return None  # the table has one class for all triplets
    successors = tuple(
        tuple(bits(sequence.get_successors(offset + number) >> offset))
        for number in range(len(positions))
    )
    # The first position is before the first character after the literal: it accepts no byte.
    accepted = [encode_characters(position.accepts) for position in positions[1:]]
    table = compile_transitions((frozenset[int](), *accepted), successors)
    if table is None:
        return None  # a character may lead to two positions
    ends = bytes(sequence.end >> offset + number & 1 for number in range(len(positions)))
    return start, (*table, *list_captures(positions), ends)


@lru_cache(maxsize=CACHE_SIZE)
def encode_characters(characters: frozenset[str]) -> frozenset[int]:
    return frozenset(map(ord, characters))


@lru_cache(maxsize=CACHE_SIZE)  # most routes differ only in the literal at the start
def compile_transitions(
    accepted_bytes: tuple[frozenset[int], ...], successors: tuple[tuple[int, ...], ...]
) -> tuple[bytes, bytes] | None:
    """Return the class of each byte, and the next position for each position and class."""
    # Bytes that the same positions accept have the same class.
    distinct = list(dict.fromkeys(accepted_bytes))
    memberships = [0] * 256  # for each byte, the sets that contain it, as a mask
    for number, octets in enumerate(distinct):
        for byte in octets:
            memberships[byte] |= 1 << number
    class_numbers = {mask: number for number, mask in enumerate(dict.fromkeys(memberships))}
    classes = bytes(map(class_numbers.__getitem__, memberships))
    classes_by_octets = {octets: {classes[byte] for byte in octets} for octets in distinct}
    table = array("H", [NO_POSITION]) * (len(accepted_bytes) * len(class_numbers))
    for position, next_positions in enumerate(successors):
        for next_position in next_positions:
            for byte_class in classes_by_octets[accepted_bytes[next_position]]:
                index = position * len(class_numbers) + byte_class
                if table[index] != NO_POSITION:
                    return None  # the byte may lead to two positions
                table[index] = next_position
    return classes, table.tobytes()


def find_start_literal(sequence: Sequence) -> bytes:
    """Return the literal that all matches start with, before a variable begins."""
    literal = ""
    first_end = sequence.end & -sequence.end  # masks are sets of positions
    for number in range(first_end.bit_length() - 1):
        position = sequence.positions[number + 1]
        is_next = sequence.get_successors(number) == 2 << number  # and no other one may follow
        if not is_next or position.slot is not None or position.begins is not None:
            break
        (symbol,) = position.accepts  # as those of each literal
        if len(symbol) > 1:
            break
        literal += symbol
    return literal.encode()


def list_captures(positions: list[Position]) -> tuple[bytes, bytes]:
    """Return the slot that each position captures, and the one that begins after it, or -1."""
    slots = [-1 if position.slot is None else position.slot for position in positions]
    begins = [-1 if position.begins is None else position.begins for position in positions]
    return array("h", slots).tobytes(), array("h", begins).tobytes()
