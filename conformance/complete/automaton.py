"""Make the minimal deterministic automaton of an ABNF rule, over classes of characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from .abnf import Expression


class Fragments:
    """A nondeterministic automaton that grows by one expression at a time (Thompson 1968)."""

    def __init__(self, rules: Mapping[str, Expression]) -> None:
        self.rules = rules
        self.empty_steps: list[list[int]] = []
        self.steps: list[list[tuple[int, int, int]]] = []

    def add_state(self) -> int:
        self.empty_steps.append([])
        self.steps.append([])
        return len(self.steps) - 1

    def add(self, expression: Expression, start: int) -> int:
        """Add an expression that begins in a state; return the state in which it ends."""
        kind, *details = expression
        if kind == "rule":
            return self.add(self.rules[details[0]], start)
        if kind == "except":
            return self.add_difference(details[0], details[1], start)
        if kind == "loop":
            return self.add_loop(details[0], details[1], details[2], start)
        if kind == "row":
            for part in details[0]:
                start = self.add(part, start)
            return start
        end = self.add_state()
        if kind == "range":
            self.steps[start].append((details[0], details[1], end))
        else:
            for way in details[0]:
                self.empty_steps[self.add(way, start)].append(end)
        return end

    def add_loop(self, least: int, most: int | None, part: Expression, start: int) -> int:
        for _ in range(least):
            start = self.add(part, start)
        if most is None:
            again = self.add_state()
            self.empty_steps[start].append(again)
            self.empty_steps[self.add(part, again)].append(again)
            return again
        end = self.add_state()
        for _ in range(most - least):
            self.empty_steps[start].append(end)
            start = self.add(part, start)
        self.empty_steps[start].append(end)
        return end

    def add_difference(self, kept: str, dropped: str, start: int) -> int:
        """Add the strings of a rule that another rule does not produce."""
        first, second = make_automaton(self.rules, kept), make_automaton(self.rules, dropped)
        end = self.add_state()
        states = {(0, 0): start}
        for i, j in (todo := [(0, 0)]):  # grows
            if first.verdicts[i] and not second.verdicts[j]:
                self.empty_steps[states[i, j]].append(end)
            columns = zip(first.table[i], first.classes, strict=True)
            others = zip(second.table[j], second.classes, strict=True)
            for (goal, ranges), (other, other_ranges) in product(columns, others):
                if (goal, other) not in states:
                    states[goal, other] = self.add_state()
                    todo.append((goal, other))
                for (a, b), (c, d) in product(ranges, other_ranges):
                    if max(a, c) <= min(b, d):
                        self.steps[states[i, j]].append((max(a, c), min(b, d), states[goal, other]))
        return end

    def close_all(self) -> list[int]:
        """Return, as bits, the states that each state reaches without a character."""
        closed = []
        for state in range(len(self.steps)):
            seen = {state}
            todo = [state]
            for reached in todo:  # grows
                new = [i for i in self.empty_steps[reached] if i not in seen]
                seen.update(new)
                todo += new
            # Only these states matter: those that read a character, and the last one.
            closed.append(sum(1 << i for i in seen if self.steps[i] or not self.empty_steps[i]))
        return closed


@dataclass(frozen=True)
class Automaton:
    """A complete deterministic automaton. The state 0 is the start.

    Attributes:
        table: the next state, by state and class.
        verdicts: whether a string is accepted that ends in a state.
        classes: the ranges of each class of characters, by their first and last code points.
        contexts: for each state before states were merged, the classes of a shortest word that
            leads to it. So what the grammar writes apart stays apart, such as paths with and
            without a scheme. The states themselves are those in which the words end.
    """

    table: list[list[int]]
    verdicts: list[bool]
    classes: list[list[tuple[int, int]]]
    contexts: list[tuple[int, ...]]

    @cached_property
    def viable(self) -> list[bool]:
        """Whether some accepted string begins with the strings that end in a state."""
        viable = list(self.verdicts)
        while True:
            after = [viable[i] or any(viable[j] for j in row) for i, row in enumerate(self.table)]
            if after == viable:
                return viable
            viable = after

    @cached_property
    def known(self) -> KnownCharacters:
        return KnownCharacters(self)

    @cached_property
    def borders(self) -> tuple[list[int], list[int]]:
        """The first code point of each range, in order, and the class of each."""
        pairs = sorted((first, k) for k, ranges in enumerate(self.classes) for first, _ in ranges)
        return [first for first, _ in pairs], [k for _, k in pairs]

    def find_class(self, character: str) -> int:
        firsts, classes = self.borders
        return classes[bisect_right(firsts, ord(character)) - 1]

    def follow(self, text: str, state: int = 0) -> int:
        """Return the state in which a string ends that begins in a state."""
        for character in text:
            state = self.table[state][self.known[character]]
        return state

    def count_viable(self, text: str, state: int = 0) -> int:
        """Return the length of the longest prefix that some string begins with that is accepted."""
        for position, character in enumerate(text):
            state = self.table[state][self.known[character]]
            if not self.viable[state]:
                return position
        return len(text)


class KnownCharacters(dict[str, int]):
    """The class of each character, which is looked up once."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton

    def __missing__(self, character: str) -> int:
        self[character] = number = self.automaton.find_class(character)
        return number


def make_automaton(rules: Mapping[str, Expression], name: str) -> Automaton:
    """Make the minimal automaton of a rule."""
    fragments = Fragments(rules)
    start = fragments.add_state()
    end = fragments.add(("rule", name.lower()), start)
    ranges = {step[:2] for steps in fragments.steps for step in steps}
    firsts = sorted({0, *(r[0] for r in ranges), *(r[1] + 1 for r in ranges)} - {0x110000})
    covered = {r: [k for k, first in enumerate(firsts) if r[0] <= first <= r[1]] for r in ranges}
    closed = fragments.close_all()
    numbers = {closed[start]: 0}
    table: list[list[int]] = []
    for states in (todo := [closed[start]]):  # grows
        row = [0] * len(firsts)
        for state in list_bits(states):
            for first, last, goal in fragments.steps[state]:
                for k in covered[first, last]:
                    row[k] |= closed[goal]
        for goals in row:
            if goals not in numbers:
                numbers[goals] = len(numbers)
                todo.append(goals)
        table.append([numbers[goals] for goals in row])
    return minimize(table, [bool(states >> end & 1) for states in numbers], firsts)


def list_bits(number: int) -> Iterator[int]:
    while number:
        bit = number.bit_length() - 1
        number ^= 1 << bit
        yield bit


def minimize(table: list[list[int]], verdicts: Sequence[bool], firsts: Sequence[int]) -> Automaton:
    """Merge states that accept the same strings (Moore 1956), and ranges that are read alike.

    Args:
        table: the next state, by state and range.
        verdicts: whether a string is accepted that ends in a state.
        firsts: the first code point of each range.
    """
    count, blocks = 0, [int(verdict) for verdict in verdicts]
    while count < len(set(blocks)):
        count = len(set(blocks))
        signatures = [(blocks[i], *[blocks[j] for j in row]) for i, row in enumerate(table)]
        order = {signature: k for k, signature in enumerate(dict.fromkeys(signatures))}
        blocks = [order[signature] for signature in signatures]
    members = {block: i for i, block in enumerate(blocks)}
    rows = [[blocks[j] for j in table[members[block]]] for block in range(count)]
    # Ranges with the same column are one class.
    classes: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    columns = list(zip(*rows, strict=True))
    for first, after, column in zip(firsts, [*firsts[1:], 0x110000], columns, strict=True):
        ranges = classes.setdefault(column, [])
        is_adjacent = bool(ranges) and ranges[-1][1] == first - 1
        ranges.append((ranges.pop()[0] if is_adjacent else first, after - 1))
    numbers = {column: k for k, column in enumerate(classes)}
    return Automaton(
        [list(row) for row in zip(*classes, strict=True)],
        [verdicts[members[block]] for block in range(count)],
        list(classes.values()),
        find_contexts(table, [numbers[column] for column in columns]),
    )


def find_contexts(table: list[list[int]], classes: list[int]) -> list[tuple[int, ...]]:
    """Find a shortest word of classes that leads to each state."""
    words: dict[int, tuple[int, ...]] = {0: ()}
    for state in (todo := [0]):  # grows
        for goal, k in zip(table[state], classes, strict=True):
            if goal not in words:
                words[goal] = (*words[state], k)
                todo.append(goal)
    return list(words.values())
