"""Match strings against patterns in linear time: one sequence of characters, many paths at once.

A sequence is an automaton without backtracking (Glushkov's construction): each literal character
and each run is a position, and a set of positions is a bit mask. A string is read forward, and the
positions that lead to no match are removed backward. The remaining ones are all ways to match it.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: The element of a character class that stands for every percent-encoded triplet.
TRIPLET = "%"

#: A character, or a percent-encoded triplet.
SYMBOL = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)

#: The largest number of sets of positions that are kept, so that memory does not grow.
MOST_KEPT = 1024

#: The position before the first symbol.
START = 0

#: The spans of the items that each slot captures, as indices of symbols.
Captures = dict[int, list[tuple[int, int]]]


class Position(NamedTuple):
    """A position of a sequence.

    Attributes:
        accepts: the symbols that the position accepts.
        slot: the slot that captures the symbol; `None` for a literal.
        begins: the slot with an item that begins after this symbol.
        separates: whether an item of this slot, which may be empty, also ends before the symbol.
    """

    accepts: frozenset[str]
    slot: int | None = None
    begins: int | None = None
    separates: bool = False


class Sequence:
    """A sequence of literals and captured runs.

    The methods that add parts to the sequence are called once, when the sequence is created.
    """

    __slots__ = ("_accepting", "_after", "_before", "_follow", "_precede", "end", "positions")

    def __init__(self) -> None:
        self.positions = [Position(frozenset())]
        #: The positions after which the sequence may end, or the next part may begin.
        self.end = 1 << START
        self._follow = [0]  # for each position, the positions that may follow
        self._precede: list[int] = []
        self._accepting: dict[str, int] = {}
        self._after: dict[int, int] = {}
        self._before: dict[int, int] = {}

    # --- creation

    def add(self, position: Position) -> int:
        """Add a position, and return it as a mask."""
        mask = 1 << len(self.positions)
        self.positions.append(position)
        self._follow.append(0)
        self.join(self.end, mask)
        self.end = mask
        return mask

    def join(self, before: int, after: int) -> None:
        for position in bits(before):
            self._follow[position] |= after

    def add_literal(self, text: str, begins: int | None = None, *, separates: bool = False) -> int:
        """Add a literal; return its first position.

        Args:
            text: the literal, which is not empty.
            begins: the slot with an item that begins after the literal.
            separates: whether an item of this slot, which may be empty, also ends before it.
        """
        *symbols, last = symbols_of(text)
        masks = [self.add(Position(frozenset({symbol}))) for symbol in symbols]
        masks.append(self.add(Position(frozenset({last}), None, begins, separates)))
        return masks[0]

    def add_run(self, slot: int, accepts: frozenset[str], *, least: int) -> None:
        """Add a run of characters that a slot captures, which may be empty if `least` is 0."""
        before = self.end
        mask = self.add(Position(accepts, slot))
        self.join(mask, mask)
        if least == 0:
            self.end |= before

    # --- matching

    def readings(self, symbols: list[str], values: list[str]) -> Readings | None:
        """Return all ways to match symbols, or `None`.

        Args:
            symbols: the symbols to compare with literals.
            values: the symbols to compare with character classes.
        """
        states = [1 << START]
        for symbol, value in zip(symbols, values, strict=True):
            reached = self.after(states[-1]) & self.accepting(symbol, value)
            if not reached:
                return None
            states.append(reached)
        states[-1] &= self.end
        if not states[-1]:
            return None
        if not self._precede:
            self._precede = self.preceding()
        for index in range(len(states) - 1, 0, -1):
            states[index - 1] &= self.before(states[index])
        return Readings(self, states)

    def after(self, positions: int) -> int:
        """Return the positions that may follow one of the given ones."""
        return union_of(self._follow, positions, self._after)

    def before(self, positions: int) -> int:
        """Return the positions that one of the given ones may follow."""
        return union_of(self._precede, positions, self._before)

    def following(self, position: int) -> int:
        return self._follow[position]

    def preceding(self) -> list[int]:
        """Return for each position the positions that it may follow."""
        found = [0] * len(self.positions)
        for position, following in enumerate(self._follow):
            for other in bits(following):
                found[other] |= 1 << position
        return found

    def accepting(self, symbol: str, value: str) -> int:
        """Return the positions that accept a symbol."""
        found = self._accepting.get(key := symbol + value)
        if found is None:
            if len(self._accepting) >= MOST_KEPT:
                self._accepting.clear()
            kind = TRIPLET if len(value) > 1 else value
            found = 0
            for number, position in enumerate(self.positions):
                looked_up = symbol if position.slot is None else kind
                found |= (looked_up in position.accepts) << number
            self._accepting[key] = found
        return found


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
                yield self.captured(path[1:])
            else:
                choices.append(bits(self.sequence.following(position) & self.states[depth + 1]))

    def captured(self, path: list[int]) -> Captures:
        found: Captures = {}
        for index, number in enumerate(path):
            position = self.sequence.positions[number]
            if position.slot is not None:
                items = found.setdefault(position.slot, [])
                if items:
                    items[-1] = (items[-1][0], index + 1)
                else:
                    items.append((index, index + 1))
            elif position.begins is not None:
                items = found.setdefault(position.begins, [])
                if position.separates and not items:
                    items.append((index, index))
                items.append((index + 1, index + 1))
        return found


def symbols_of(text: str) -> list[str]:
    """Split a string into characters and percent-encoded triplets."""
    return SYMBOL.findall(text) if "%" in text else list(text)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union_of(masks: list[int], positions: int, kept: dict[int, int]) -> int:
    """Return the union of the masks of some positions, which is kept for the next call."""
    found = kept.get(positions)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = 0
        for position in bits(positions):
            found |= masks[position]
        kept[positions] = found
    return found


# --- the patterns of paths, segment by segment


class Segment(NamedTuple):
    """The pattern of a segment, or of several segments.

    Attributes:
        start: the literal at the start; all of it if the segment contains no variable.
        end: the literal after the last variable.
        literals: the number of literal characters.
        is_variable: whether the pattern contains a variable.
        is_open: whether the number of segments varies.
        is_optional: whether the pattern also matches no segment.
        is_unlimited: whether a variable may take any number of segments.
    """

    start: str = ""
    end: str = ""
    literals: int = 0
    is_variable: bool = False
    is_open: bool = False
    is_optional: bool = False
    is_unlimited: bool = False


class Start(NamedTuple):
    """The patterns whose next segment starts with the same literal, and contains a variable.

    Attributes:
        open: the numbers of the patterns whose number of segments varies from here on.
        nodes: the nodes after the segment, by the literal at its end.
    """

    open: list[int]
    nodes: dict[str, Node]


class Node:
    """The patterns that begin with the same segments.

    Attributes:
        literals: the nodes after literal segments.
        variable: the node after a segment that consists of variables; `None` if no pattern has one.
        starts: the patterns with other segments, by the literal at the start of the segment.
        ends: the numbers of the patterns that end here.
    """

    __slots__ = ("_lengths", "ends", "literals", "starts", "variable")

    def __init__(self) -> None:
        self.literals: dict[str, Node] = {}
        self.variable: Node | None = None
        self.starts: dict[str, Start] = {}
        #: The lengths of the literals of `starts`, in ascending order.
        self._lengths: list[int] = []
        self.ends: list[int] = []

    def add(self, pattern: Iterable[Segment], number: int) -> None:
        node = self
        for segment in pattern:
            if segment.is_open:
                node.starting(segment.start).open.append(number)
                if segment.is_optional:
                    node.ends.append(number)
                return
            node = node.after(segment)
        node.ends.append(number)

    def after(self, segment: Segment) -> Node:
        """Return the node after a segment, which is created if it is missing."""
        if not segment.is_variable:
            return self.literals.setdefault(segment.start, Node())
        if segment.literals:
            return self.starting(segment.start).nodes.setdefault(segment.end, Node())
        if self.variable is None:
            self.variable = Node()
        return self.variable

    def starting(self, literal: str) -> Start:
        """Return the other patterns whose next segment starts with a literal."""
        if literal not in self.starts:
            self.starts[literal] = Start([], {})
            if len(literal) not in self._lengths:
                insort(self._lengths, len(literal))
        return self.starts[literal]

    def starts_of(self, segment: str) -> Iterator[Start]:
        """Yield the other patterns that may match a segment, with a look-up for each length."""
        for length in self._lengths:
            if length > len(segment):
                break
            found = self.starts.get(segment[:length])
            if found is not None:
                yield found

    def find(self, path: list[str]) -> list[int]:
        """Return the numbers of all patterns that a path may match, in any order.

        Each node is visited at most once.

        Args:
            path: the segments, in the form in which the patterns are written.
        """
        found: list[int] = []
        waiting: list[tuple[Node, int]] = [(self, 0)]
        while waiting:
            node, index = waiting.pop()
            if index == len(path):
                found += node.ends
                continue
            segment = path[index]
            index += 1
            following = node.literals.get(segment)
            if following is not None:
                waiting.append((following, index))
            if node.variable is not None:
                waiting.append((node.variable, index))
            for start in node.starts_of(segment):
                found += start.open
                waiting += [
                    (following, index)
                    for end, following in start.nodes.items()
                    if segment.endswith(end)
                ]
        return found
