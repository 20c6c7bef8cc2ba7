"""Match strings against patterns in linear time: one sequence of characters, many paths at once.

A sequence is an automaton without backtracking (Glushkov's construction): each literal character
and each run is a position, and a set of positions is a bit mask. A string is read forward, and the
positions that lead to no match are removed backward. The remaining ones are all ways to match it.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

#: The element of a character class that stands for every percent-encoded triplet.
TRIPLET = "%"

#: A character, or a percent-encoded triplet.
SYMBOL = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)

#: The largest number of sets of positions that are kept, so that memory does not grow.
CACHE_SIZE = 1024

#: The position before the first symbol.
START = 0

#: The spans of the items that each slot captures, as indices of symbols.
Captures = dict[int, list[tuple[int, int]]]


class Position(NamedTuple):
    accepts: frozenset[str]
    #: The slot that captures the symbol; `None` for a literal.
    slot: int | None = None
    #: The slot with an item that begins after this symbol.
    begins: int | None = None
    #: Whether an item of this slot, which may be empty, also ends before the symbol.
    separates: bool = False


@lru_cache(maxsize=CACHE_SIZE)
def make_literal(symbol: str) -> Position:
    return Position(frozenset({symbol}))


class Sequence:
    """A sequence of literals and captured runs, which its creator adds."""

    __slots__ = (
        "_accepting",
        "_follow",
        "_precede",
        "_predecessors",
        "_successors",
        "end",
        "positions",
    )

    def __init__(self) -> None:
        self.positions = [Position(frozenset())]
        #: The positions after which the sequence may end, or the next part may begin.
        self.end = 1 << START
        self._follow = [0]  # for each position, the positions that may follow
        self._precede: list[int] = []
        self._accepting: dict[str, int] = {}
        self._successors: dict[int, int] = {}
        self._predecessors: dict[int, int] = {}

    # --- creation

    def add_position(self, position: Position) -> int:
        """Add a position, and return it as a mask."""
        mask = 1 << len(self.positions)
        self.positions.append(position)
        self._follow.append(0)
        self.link_positions(self.end, mask)
        self.end = mask
        return mask

    def link_positions(self, positions: int, successors: int) -> None:
        for position in bits(positions):
            self._follow[position] |= successors

    def add_literal(self, text: str, begins: int | None = None, *, separates: bool = False) -> int:
        """Add a literal, which is not empty; return its first position."""
        *symbols, last_symbol = split_symbols(text)
        first = len(self.positions)
        last = first + len(symbols)
        self.link_positions(self.end, 1 << first)
        self.positions += map(make_literal, symbols)
        self.positions.append(Position(frozenset({last_symbol}), None, begins, separates))
        self._follow += [*(2 << number for number in range(first, last)), 0]
        self.end = 1 << last
        return 1 << first

    def add_run(self, slot: int, accepts: frozenset[str], *, min_length: int) -> None:
        """Add a run of characters that a slot captures, which may be empty if `min_length` is 0."""
        before = self.end
        mask = self.add_position(Position(accepts, slot))
        self.link_positions(mask, mask)
        if min_length == 0:
            self.end |= before

    # --- matching

    def find_readings(self, symbols: list[str], values: list[str]) -> Readings | None:
        """Return all ways to match symbols; `values` are compared with character classes."""
        # Forward: the positions, as a mask, that can be reached with each symbol.
        states = [1 << START]
        for symbol, value in zip(symbols, values, strict=True):
            successors = unite_masks(self._follow, states[-1], self._successors)
            next_positions = successors & self.find_accepting(symbol, value)
            if not next_positions:
                return None
            states.append(next_positions)
        states[-1] &= self.end
        if not states[-1]:
            return None
        if not self._precede:
            self._precede = self.compute_predecessors()
        # Backward: keep only those from which the end can be reached.
        for index in range(len(states) - 1, 0, -1):
            states[index - 1] &= unite_masks(self._precede, states[index], self._predecessors)
        return Readings(self, states)

    def get_successors(self, position: int) -> int:
        return self._follow[position]

    def compute_predecessors(self) -> list[int]:
        predecessors = [0] * len(self.positions)
        for position, successors in enumerate(self._follow):
            for other in bits(successors):
                predecessors[other] |= 1 << position
        return predecessors

    def find_accepting(self, symbol: str, value: str) -> int:
        """Return the positions, as a mask, that accept a symbol, or in a variable, its value."""
        key = symbol + value
        accepting = self._accepting.get(key)
        if accepting is not None:
            return accepting
        if len(self._accepting) >= CACHE_SIZE:
            self._accepting.clear()
        value_class = TRIPLET if len(value) > 1 else value
        accepting = 0
        for number, position in enumerate(self.positions):
            element = symbol if position.slot is None else value_class
            accepting |= (element in position.accepts) << number
        self._accepting[key] = accepting
        return accepting


class Readings:
    """All ways to match a string: for each symbol, the positions that accept it."""

    __slots__ = ("sequence", "states")

    def __init__(self, sequence: Sequence, states: list[int]) -> None:
        self.sequence = sequence
        self.states = states

    def captures(self) -> Iterator[Captures]:
        """Yield the captures of each way to match, in the order of the positions."""
        count = len(self.states) - 1
        path = [START]
        choices = [iter([START])]
        while choices:
            position = next(choices[-1], None)
            if position is None:
                choices.pop()
                continue
            depth = len(choices) - 1
            del path[depth:]
            path.append(position)
            if depth == count:
                yield self.read_captures(path[1:])
            else:
                successors = self.sequence.get_successors(position)
                choices.append(bits(successors & self.states[depth + 1]))

    def read_captures(self, path: list[int]) -> Captures:
        """Return the items of each slot, given the position of each symbol."""
        captures: Captures = {}
        for index, number in enumerate(path):
            position, next_index = self.sequence.positions[number], index + 1
            if position.slot is not None:
                # The symbol belongs to the last item of a variable.
                items = captures.setdefault(position.slot, [(index, index)])
                item_start, _ = items[-1]
                items[-1] = (item_start, next_index)
            elif position.begins is not None:
                # A separator, after which the next item begins, which may be empty.
                items = captures.setdefault(position.begins, [])
                if position.separates and not items:
                    items.append((index, index))  # the item before it is empty
                items.append((next_index, next_index))
        return captures


def split_symbols(text: str) -> list[str]:
    """Split a string into characters and percent-encoded triplets."""
    return SYMBOL.findall(text) if "%" in text else list(text)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def unite_masks(masks: list[int], positions: int, cache: dict[int, int]) -> int:
    """Return the union of the masks of some positions, which is kept for the next call."""
    union = cache.get(positions)
    if union is None:
        if len(cache) >= CACHE_SIZE:
            cache.clear()
        union = 0
        for position in bits(positions):
            union |= masks[position]
        cache[positions] = union
    return union


# --- the patterns of paths, segment by segment


class Segment(NamedTuple):
    """The pattern of a segment, or of several segments."""

    #: The literal at the start; all of it if the segment contains no variable.
    start: str = ""
    #: The literal after the last variable.
    end: str = ""
    #: The number of literal characters.
    literals: int = 0
    is_variable: bool = False
    #: Whether the number of segments varies, may be 0, and has no limit.
    is_open: bool = False
    is_optional: bool = False
    is_unlimited: bool = False


class Start(NamedTuple):
    """The patterns whose next segment starts with the same literal, and contains a variable."""

    #: The numbers of the patterns whose number of segments varies from here on.
    open: list[int]
    #: The nodes after the segment, by the literal at its end.
    nodes: dict[str, Node]


class Node:
    """The patterns that begin with the same segments."""

    __slots__ = ("_lengths", "ends", "literals", "starts", "variable")

    def __init__(self) -> None:
        self.literals: dict[str, Node] = {}  # after literal segments
        self.variable: Node | None = None  # after a segment that consists of variables
        #: The patterns with other segments, by the literal at the start of the segment.
        self.starts: dict[str, Start] = {}
        self._lengths: list[int] = []  # of the literals of `starts`, in ascending order
        self.ends: list[int] = []  # the numbers of the patterns that end here

    def add_pattern(self, pattern: Iterable[Segment], number: int) -> None:
        node = self
        for segment in pattern:
            if segment.is_open:
                node.add_start(segment.start).open.append(number)
                if segment.is_optional:
                    node.ends.append(number)
                return
            node = node.add_child(segment)
        node.ends.append(number)

    def add_child(self, segment: Segment) -> Node:
        if not segment.is_variable:
            return self.literals.setdefault(segment.start, Node())
        if segment.literals:
            return self.add_start(segment.start).nodes.setdefault(segment.end, Node())
        if self.variable is None:
            self.variable = Node()
        return self.variable

    def add_start(self, literal: str) -> Start:
        if literal not in self.starts:
            self.starts[literal] = Start([], {})
            if len(literal) not in self._lengths:
                insort(self._lengths, len(literal))
        return self.starts[literal]

    def find_starts(self, segment: str) -> Iterator[Start]:
        for length in self._lengths:
            if length > len(segment):
                break
            start = self.starts.get(segment[:length])
            if start is not None:
                yield start

    def find_patterns(self, path: list[str]) -> list[int]:
        """Return the numbers of all patterns that a path may match, in any order."""
        numbers: list[int] = []
        waiting: list[tuple[Node, int]] = [(self, 0)]  # with the index of the next segment
        while waiting:
            node, index = waiting.pop()
            if index == len(path):
                numbers += node.ends
                continue
            segment = path[index]
            index += 1
            next_node = node.literals.get(segment)
            if next_node is not None:
                waiting.append((next_node, index))
            if node.variable is not None:
                waiting.append((node.variable, index))
            for start in node.find_starts(segment):
                numbers += start.open
                nodes = start.nodes.items()
                waiting += [(next_node, index) for end, next_node in nodes if segment.endswith(end)]
        return numbers
