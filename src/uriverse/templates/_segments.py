"""Find the patterns of paths that a path may match, segment by segment."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple


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
        """Add a pattern under a number."""
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
