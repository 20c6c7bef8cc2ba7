"""Match paths in normal form against patterns, in which `%2A` is a literal `*`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

#: A segment of a pattern: a literal, or the literals around its wildcards.
Segment = str | tuple[str, ...]

#: The character for a wildcard of a pattern that is compared with another one. No path contains it.
ANY_TEXT = "\0"


class PathPattern(NamedTuple):
    """The segments of paths, of which the first is empty, or those above all paths that match."""

    segments: tuple[Segment, ...]
    below: bool

    def matches(self, path: str) -> bool:
        segments = path.split("/")
        surplus = len(segments) - len(self.segments)
        has_right_length = surplus > 0 if self.below else surplus == 0
        # `map` ignores the segments below those of the pattern.
        return has_right_length and all(map(matches_segment, self.segments, segments))

    def covers(self, other: PathPattern) -> bool:
        if self.below:
            # The shortest path of a pattern for a subtree has one more segment.
            has_right_length = len(other.segments) + other.below > len(self.segments)
        else:
            has_right_length = len(other.segments) == len(self.segments) and not other.below
        return has_right_length and all(map(covers_segment, self.segments, other.segments))

    def literal(self) -> str | None:
        """Return the only path, or the common start of all paths; `None` with a wildcard."""
        literals = [segment for segment in self.segments if isinstance(segment, str)]
        if len(literals) < len(self.segments):
            return None
        return "/".join(literals) + "/" * self.below


def to_comparable(text: str) -> str:
    return text.replace("%2A", "*")


def parse_path_pattern(path: str) -> PathPattern:
    *names, last = path.split("/")
    below = last in {"", "**"}
    return PathPattern(tuple(map(parse_segment, names if below else [*names, last])), below)


def parse_segment(text: str) -> Segment:
    if "*" not in text:
        return to_comparable(text)
    return tuple(map(to_comparable, text.split("*")))


def matches_segment(pattern: Segment, segment: str) -> bool:
    if isinstance(pattern, str):
        return pattern == segment
    return contains_in_order(pattern, segment)


def covers_segment(pattern: Segment, other: Segment) -> bool:
    if isinstance(pattern, str):
        return pattern == other
    if isinstance(other, str):
        return matches_segment(pattern, other)
    # Only a wildcard can match what another wildcard stands for.
    return contains_in_order(pattern, ANY_TEXT.join(other))


def contains_in_order(pieces: tuple[str, ...], text: str) -> bool:
    """Return whether a segment matches a pattern, whose wildcards are between the pieces.

    A wildcard stands for at least one character or percent-encoded triplet. The first position of
    each piece is the best one, since it leaves most characters for the others.
    """
    first, *middle, last = pieces
    if not text.startswith(first):
        return False
    start = len(first)
    for piece in middle:
        start = find_whole_piece(text, piece, find_character_end(text, start))
        if start < 0:
            return False
        start += len(piece)
    end = len(text) - len(last)
    return (
        find_character_end(text, start) <= end
        and text.endswith(last)
        and is_character_boundary(text, end)
    )


def find_character_end(text: str, index: int) -> int:
    return index + (3 if text.startswith("%", index) else 1)


def find_whole_piece(text: str, piece: str, start: int) -> int:
    index = text.find(piece, start)
    while index >= 0 and not is_character_boundary(text, index):
        index = text.find(piece, index + 1)
    return index


def is_character_boundary(text: str, index: int) -> bool:
    return "%" not in text[max(index - 2, 0) : index]


class WildcardNode(Generic[T]):
    """A node of a tree of patterns with wildcards: what follows their first segments.

    `exact` has the values of the patterns that end here, `below` those for all paths below. To find
    the next nodes without trying each one, those after wildcards are grouped by the lengths of the
    literals at both ends of the segment, and then by the literals themselves.
    """

    __slots__ = ("below", "exact", "literals", "wildcards")

    def __init__(self) -> None:
        self.literals: dict[str, WildcardNode[T]] = {}
        self.wildcards: dict[
            tuple[int, int], dict[str, dict[tuple[str, ...], WildcardNode[T]]]
        ] = {}
        self.exact: list[T] = []
        self.below: list[T] = []

    def get_or_add(self, segment: Segment) -> WildcardNode[T]:
        if isinstance(segment, str):
            return self.literals.setdefault(segment, WildcardNode())
        start, end = segment[0], segment[-1]
        nodes_by_ends = self.wildcards.setdefault((len(start), len(end)), {})
        return nodes_by_ends.setdefault(start + end, {}).setdefault(segment, WildcardNode())

    def find(self, segment: str) -> Iterator[WildcardNode[T]]:
        """Yield the next nodes after all patterns that match a segment."""
        if segment in self.literals:
            yield self.literals[segment]
        # Look up the characters at both ends; only then try the patterns with these ends.
        for (start_length, end_length), nodes_by_ends in self.wildcards.items():
            ends = segment[:start_length] + segment[len(segment) - end_length :]
            for pieces, node in nodes_by_ends.get(ends, {}).items():
                if contains_in_order(pieces, segment):
                    yield node


class PathIndex(Generic[T]):
    """Values by patterns of paths, whose literals are found by hashing, however many they are."""

    __slots__ = ("below", "deepest", "exact", "lengths", "longest", "with_wildcards")

    def __init__(self) -> None:
        self.exact: dict[str, list[T]] = {}
        self.below: dict[str, list[T]] = {}
        self.with_wildcards: WildcardNode[T] | None = None  # made for the first of them
        #: The largest number of slashes in a key of `below`.
        self.deepest = 0
        #: The lengths of the keys of `below`, so that few prefixes of a long path are copied.
        self.lengths: set[int] = set()
        #: The largest number of segments of a pattern with wildcards.
        self.longest = 0

    def add(self, pattern: PathPattern, value: T) -> None:
        literal = pattern.literal()
        if literal is None:  # it has wildcards
            node = self.with_wildcards = self.with_wildcards or WildcardNode()
            for segment in pattern.segments:
                node = node.get_or_add(segment)
            (node.below if pattern.below else node.exact).append(value)
            self.longest = max(self.longest, len(pattern.segments))
        elif pattern.below:
            self.below.setdefault(literal, []).append(value)
            self.deepest = max(self.deepest, literal.count("/"))
            self.lengths.add(len(literal))
        else:
            self.exact.setdefault(literal, []).append(value)

    def find(self, path: str) -> Iterator[T]:
        """Yield the values of all patterns that match a path."""
        yield from self.exact.get(path, ())
        # The keys of `below` end with a slash, so look up each start of the path that does.
        slash = -1
        for _ in range(self.deepest):
            slash = path.find("/", slash + 1)
            if slash < 0:
                break
            if slash + 1 in self.lengths:
                yield from self.below.get(path[: slash + 1], ())
        if self.with_wildcards is None:
            return
        # Follow all patterns with wildcards that match the segments so far.
        nodes = [self.with_wildcards]
        segments = path.split("/", self.longest)
        for count, segment in enumerate(segments, 1):
            nodes = [next_node for node in nodes for next_node in node.find(segment)]
            is_whole_path = count == len(segments)
            for node in nodes:
                yield from node.exact if is_whole_path else node.below
