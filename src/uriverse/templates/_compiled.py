"""Write a template in the form that the compiled kernel needs.

The kernel matches templates in which each character decides the next position: its table has the
next position for each position and each class of bytes. It leaves all other templates, and the URIs
whose values need a closer look, to the Python functions.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from uriverse._uri.engine import kernel

from ._expansion import encoded
from ._parsing import Part
from ._patterns import IN_PATH, Pattern, Slot, label_of
from ._safety import Hazard
from ._sequences import Node, Position, Sequence, bits
from ._types import SCALAR, SHAPES, VariableType

#: The entry of the table for a character that does not match.
NO_POSITION = 0xFFFF

#: The largest number of positions of a sequence, and of variables and parameters of a template.
MOST_POSITIONS = 4096
MOST_SLOTS = 64

#: The largest number of literals at the start of other segments after a node of a router.
MOST_STARTS = 16

#: The numbers of the kernel in `_kernel/templates.pxi`: the shapes of values, and their types.
ANY_SHAPE = -1
STRING, NUMBER, CHOICE = 0, 1, 2

#: The class of each byte; the next position for each position and each class, as 16-bit numbers;
#: the slot that each position captures, and the one that begins after it, or -1, as 16-bit numbers;
#: and whether the sequence may end after each position.
Table = tuple[bytes, bytes, bytes, bytes, bytes]

#: A program for the kernel, or `None`.
Program = Any


def compiled_expansion(parts: tuple[Part, ...], types: Mapping[str, VariableType]) -> Program:
    """Return the program that expands a template to URIs; `None` if only Python can expand it."""
    if kernel is None:
        return None
    steps: list[object] = []
    names: list[str] = []
    choices: list[tuple[str, ...]] = []
    for part in parts:
        if isinstance(part, str):
            steps.append(encoded(part, reserved=True, iri=False).encode())
            continue
        variables: list[object] = []
        for variable in part.variables:
            kind = types.get(variable.name)
            number = type_for_kernel(kind or SCALAR)
            if number is None:
                return None
            label = encoded(variable.name, reserved=True, iri=False).encode()
            prefix = -1 if variable.prefix is None else variable.prefix
            shape = ANY_SHAPE if kind is None else SHAPES.index(kind.shape)
            variables.append((label, prefix, variable.explode, number, shape))
            names.append(variable.name)
            choices.append((kind and kind.choices) or ())
        operator = part.operator
        texts = (operator.first.encode(), operator.separator.encode(), operator.empty.encode())
        steps.append((*texts, operator.named, operator.reserved, variables))
    return kernel.TemplateExpansion(steps, names, choices)


def compiled_matching(
    pattern: Pattern, allow: Mapping[str, frozenset[Hazard]], *, extra: bool
) -> Program:
    """Return the program that matches URIs; `None` if only Python can match them."""
    if kernel is None or not is_simple(pattern):
        return None
    head = table_of(pattern.head)
    fragment = None if pattern.fragment is None else table_of(pattern.fragment)
    if head is None or (fragment is None) != (pattern.fragment is None):
        return None
    slots = [slot_for_kernel(slot, allow[slot.variable.name]) for slot in pattern.slots]
    parameters = [(p.name.encode(), p.slot) for p in pattern.parameters or ()]
    presence = [
        2 if has is None else int(has) for has in (pattern.has_scheme, pattern.has_authority)
    ]
    options = (*presence, pattern.needs_query, pattern.needs_fragment, extra)
    return kernel.TemplateMatching(head, fragment, slots, parameters, options)


def compiled_routes(
    kind: type, routes: list[tuple[str, Program]], roots: Mapping[str, Node], everywhere: list[int]
) -> Program:
    """Return the program that looks up routes; `None` if only Python can look them up.

    Args:
        kind: the class `Route`.
        routes: the names of the routes and the programs that match their templates.
        roots: the paths by the scheme and authority before them.
        everywhere: the numbers of the templates that may match with every scheme and authority.
    """
    if kernel is None:
        return None
    names, programs = [name for name, _ in routes], [program for _, program in routes]
    nodes = {start: compiled_node(node) for start, node in roots.items()}
    return (
        None if None in nodes.values() else kernel.Routes(kind, names, programs, nodes, everywhere)
    )


def compiled_node(root: Node) -> Program:
    """Return a node in the form that the kernel needs; `None` if only Python can look up routes."""
    nodes = [root]
    for node in nodes:  # paths may be longer than Python can recurse
        nodes += node.literals.values()
        nodes += [node.variable] if node.variable is not None else []
        nodes += [after for _, start in node.starts.items() for after in start.nodes.values()]
        if len(node.starts) > MOST_STARTS:
            return None
    made: dict[Node | None, Program] = {None: None}
    for node in reversed(nodes):
        literals = {text: made[after] for text, after in node.literals.items()}
        starts = [
            (text.encode(), start.open, [(end.encode(), made[n]) for end, n in start.nodes.items()])
            for text, start in node.starts.items()
        ]
        made[node] = kernel.RouteNode(literals, made[node.variable], starts, node.ends)
    return made[root]


def is_simple(pattern: Pattern) -> bool:
    """Return whether the kernel knows all kinds of variables of a pattern."""
    names = [label_of(slot.variable) for slot in pattern.slots]
    return (
        pattern.query is None
        and len(names) == len(set(names)) <= MOST_SLOTS
        and all(parameter.slot is not None for parameter in pattern.parameters or ())
        and all(map(is_simple_slot, pattern.slots))
    )


def is_simple_slot(slot: Slot) -> bool:
    variable, kind, region, _, named, is_required = slot
    if (
        variable.prefix is not None
        or type_for_kernel(kind) is None
        or (slot.reserved and region == "authority")
    ):
        return False
    if not variable.explode:
        return kind.shape == "scalar"
    is_known = kind.shape == "list" if region in IN_PATH and not named else region == "query"
    return is_known and not is_required  # the first item of a required variable may be empty


def type_for_kernel(kind: VariableType) -> int | None:
    if kind.choices is not None:
        return CHOICE
    numbers: dict[type, int] = {str: STRING, int: NUMBER}
    return numbers.get(kind.scalar)


def slot_for_kernel(slot: Slot, allow: frozenset[Hazard]) -> tuple[object, ...]:
    return (
        slot.variable.name,
        SHAPES.index(slot.kind.shape),
        type_for_kernel(slot.kind),
        [choice.encode(errors="surrogatepass") for choice in slot.kind.choices or ()],
        slot.reserved,
        slot.named and not slot.variable.explode,
        slot.is_required,
        slot.region in IN_PATH,
        slot.region == "authority",
        slot.region == "fragment",
        "empty" in allow,
    )


def table_of(sequence: Sequence) -> tuple[bytes, Table] | None:
    """Return the literal at the start of a sequence, and the table of the positions after it.

    Returns `None` if a character does not decide the next position.
    """
    start = start_of(sequence)
    positions = sequence.positions[len(start) :]
    if len(positions) > MOST_POSITIONS:
        return None
    if any(p.slot is None and any(len(symbol) > 1 for symbol in p.accepts) for p in positions):
        return None  # the table has one class for all triplets
    following = tuple(
        tuple(bits(sequence.following(len(start) + number) >> len(start)))
        for number in range(len(positions))
    )
    # The first position is before the first character after the literal.
    members = (frozenset[int](), *(frozenset(map(ord, p.accepts)) for p in positions[1:]))
    table = table_of_positions(members, following)
    if table is None:
        return None
    ends = bytes(sequence.end >> len(start) + number & 1 for number in range(len(positions)))
    return start, shared_table((*table, *captures(positions), ends))


def table_of_positions(
    members: tuple[frozenset[int], ...], following: tuple[tuple[int, ...], ...]
) -> tuple[bytes, bytes] | None:
    """Return the class of each byte, and the next position for each position and each class.

    Args:
        members: the bytes that each position accepts.
        following: the positions that may follow each position.
    """
    kinds: dict[tuple[bool, ...], int] = {}
    distinct = list(dict.fromkeys(members))
    classes = bytes(
        kinds.setdefault(tuple(byte in accepts for accepts in distinct), len(kinds))
        for byte in range(256)
    )
    table = array("H", [NO_POSITION]) * (len(members) * len(kinds))
    by_member = {accepts: {classes[byte] for byte in accepts} for accepts in distinct}
    for number, after in enumerate(following):
        for other in after:
            for kind in by_member[members[other]]:
                place = number * len(kinds) + kind
                if table[place] != NO_POSITION:
                    return None
                table[place] = other
    return classes, table.tobytes()


@lru_cache(maxsize=1024)
def shared_table(table: Table) -> Table:
    """Return the same object for the same table: most routes differ only in the literal."""
    return table


def start_of(sequence: Sequence) -> bytes:
    """Return the literal at the start of a sequence; its octets are at the first positions."""
    found = ""
    while sequence.following(len(found)) == 1 << len(found) + 1:
        following = sequence.positions[len(found) + 1]
        is_literal = following.slot is None and following.begins is None
        is_octet = all(len(symbol) == 1 for symbol in following.accepts)
        if not is_literal or not is_octet or sequence.end >> len(found) & 1:
            break
        found += "".join(following.accepts)
    return found.encode()


def captures(positions: list[Position]) -> tuple[bytes, bytes]:
    """Return the slot that each position captures, and the one that begins after it, or -1."""
    slots = array("h", [-1 if p.slot is None else p.slot for p in positions])
    begins = array("h", [-1 if p.begins is None else p.begins for p in positions])
    return slots.tobytes(), begins.tobytes()
