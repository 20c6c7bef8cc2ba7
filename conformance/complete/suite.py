"""Make the strings of a W-method suite (Chow 1978) for an automaton.

Each string is a word of the transition cover, then a word of up to k letters, then a word of the
characterizing set. An acceptor with at most k more states than the minimal automaton answers
wrongly for one of these strings, if it is wrong for any string.

SIMD code reads blocks of 64 bytes. So loops are also repeated until the next letter crosses the end
of a block.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain, combinations, cycle, islice, pairwise, product
from random import Random
from typing import NamedTuple

from .automaton import Automaton

#: Which loop is repeated: the first or the last on the way to a state, or the loop after the next
#: letter; and the number of bytes after which the next letter follows.
STRETCHES = (("first", 64), ("last", 63), ("last", 127), ("behind", 127))

#: The number of prefixes in a batch.
BATCH = 256


class Prefix(NamedTuple):
    """The beginning of strings, and the state in which it ends."""

    text: str
    state: int


class Batch(NamedTuple):
    """Strings as the buffers of an Arrow column, and whether each must be accepted.

    The strings are those of `prefixes`, each followed by all of `words`.
    """

    prefixes: list[Prefix]
    words: list[str]
    data: bytes
    offsets: array[int]
    verdicts: list[bool]

    def decode(self) -> list[str]:
        return [self.data[start:end].decode() for start, end in pairwise(self.offsets)]


class Suite:
    """The W-method suite of an automaton, for any k."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.letters = [list_letters(ranges) for ranges in automaton.classes]
        #: The number of bytes of each letter.
        self.sizes = {letter: len(letter.encode()) for letter in chain(*self.letters)}
        #: The letters of each class, one after the other.
        self.turns = [cycle(letters) for letters in self.letters]
        self.words = [self.spell(word) for word in separate_states(automaton)]
        self.verdicts = [self.answer(state) for state in range(len(automaton.table))]

    def spell(self, word: Iterable[int]) -> str:
        """Write a word of classes with the first letter of each."""
        return "".join([self.letters[k][0] for k in word])

    def answer(self, state: int) -> list[bool]:
        """Return for each word whether it is accepted from a state."""
        ends = (self.automaton.follow(word, state) for word in self.words)
        return [self.automaton.verdicts[end] for end in ends]

    @cached_property
    def paths(self) -> dict[int, tuple[int, ...]]:
        """The classes of a shortest word that leads to each state."""
        return find_paths(self.automaton.table, {0: ()})

    @cached_property
    def loops(self) -> list[list[int]]:
        """The classes that lead from each state to itself."""
        rows = enumerate(self.automaton.table)
        return [[k for k, goal in enumerate(row) if goal == state] for state, row in rows]

    def cover(self) -> Iterator[Prefix]:
        """Yield the transition cover, with every letter of each class."""
        yield Prefix("", 0)
        for state, row in enumerate(self.automaton.table):
            start = self.spell(self.paths[state])
            for letters, goal in zip(self.letters, row, strict=True):
                yield from (Prefix(start + letter, goal) for letter in letters)

    def vary(self, *, every_letter: bool) -> Iterator[Prefix]:
        """Yield the transition cover of the automaton before states were merged."""
        known = set(self.paths.values())
        for path in self.automaton.contexts:
            if path in known:
                continue
            start = self.spell(path)
            state = self.automaton.follow(start)
            for k, goal in enumerate(self.automaton.table[state]):
                letters = self.letters[k] if every_letter else [next(self.turns[k])]
                yield from (Prefix(start + letter, goal) for letter in letters)

    def extend(self, length: int) -> Iterator[Prefix]:
        """Yield the transition cover, followed by every word of a length over the classes."""
        table = self.automaton.table
        for start, path in self.paths.items():
            for word in product(range(len(self.letters)), repeat=length + 1):
                state = start
                for k in word:
                    state = table[state][k]
                yield Prefix("".join([next(self.turns[k]) for k in path + word]), state)

    def stretch(self, is_kept: Callable[[], bool]) -> Iterator[Prefix]:
        """Yield the transition cover with repeated loops, as `STRETCHES` says.

        Args:
            is_kept: decides about each string before it is made, which takes most of the time.
        """
        table = self.automaton.table
        # Shortest words that pass a state with a loop.
        through = {state: path for state, path in self.paths.items() if self.loops[state]}
        paths = find_paths(table, through)
        for where, size in STRETCHES:
            for state, path in (self.paths if where == "behind" else paths).items():
                for k, goal in enumerate(table[state]):
                    if (where == "behind" and not self.loops[goal]) or not is_kept():
                        continue
                    if where == "behind":
                        text = self.repeat((*path, k), "last", size)
                    else:
                        text = self.repeat(path, where, size) + next(self.turns[k])
                    yield Prefix(text, goal)

    def repeat(self, path: tuple[int, ...], where: str, size: int) -> str:
        """Write a word with a repeated loop, so that it has a number of bytes."""
        states = list(accumulate(path, lambda state, k: self.automaton.table[state][k], initial=0))
        places = [i for i, state in enumerate(states) if self.loops[state]]
        place = places[0] if where == "first" else places[-1]
        letters = [next(self.turns[k]) for k in path]
        free = size - len("".join(letters).encode())
        loop = self.loops[states[place]]
        added = []
        for k in cycle(loop):
            letter = next(self.turns[k])
            if self.sizes[letter] > free:
                letter = self.letters[loop[0]][0]
            if free <= 0:
                break
            added.append(letter)
            free -= self.sizes[letter]
        return "".join([*letters[:place], *added, *letters[place:]])

    def batch(
        self, prefixes: Iterable[Prefix], share: float = 1, seed: str = ""
    ) -> Iterator[Batch]:
        """Follow each prefix with every word, or with a random share of the words."""
        words, verdicts = self.words, self.verdicts
        random = Random(seed)  # noqa: S311  # not for secrets
        prefixes = iter(prefixes)
        while chunk := list(islice(prefixes, BATCH)):
            if share < 1:
                chosen = sorted(
                    random.sample(range(len(self.words)), max(1, round(share * len(self.words))))
                )
                words = [self.words[i] for i in chosen]
                verdicts = [[row[i] for i in chosen] for row in self.verdicts]
            yield make_batch(chunk, words, verdicts)


def make_batch(prefixes: list[Prefix], words: list[str], verdicts: list[list[bool]]) -> Batch:
    encoded = [word.encode() for word in words]
    texts = [prefix.text.encode() for prefix in prefixes]
    sizes = {size: [size + len(word) for word in encoded] for size in set(map(len, texts))}
    data = b"".join([text + text.join(encoded) for text in texts])
    ends = accumulate(chain.from_iterable([sizes[len(text)] for text in texts]), initial=0)
    answers = chain.from_iterable([verdicts[prefix.state] for prefix in prefixes])
    return Batch(prefixes, words, data, array("i", ends), list(answers))


def list_letters(ranges: list[tuple[int, int]]) -> list[str]:
    """List the ASCII characters of a class, and the first and the last of its other ranges.

    No column can contain a lone surrogate, so their neighbors stand for them.
    """
    points: set[int] = set()
    for first, last in ranges:
        points.update(range(first, min(last, 0x7F) + 1))
        points.update({first, last} - set(range(0xD800, 0xE000)))
        points.update(point for point in (0x80, 0xD7FF, 0xE000) if first <= point <= last)
    return [chr(point) for point in sorted(points)]


def find_paths(
    table: list[list[int]], starts: dict[int, tuple[int, ...]]
) -> dict[int, tuple[int, ...]]:
    """Find the shortest path to each state that goes on from one of some paths."""
    todo = [(len(path), path, state) for state, path in starts.items()]
    heapify(todo)
    paths: dict[int, tuple[int, ...]] = {}
    while todo:
        length, path, state = heappop(todo)
        if state not in paths:
            paths[state] = path
            for k, goal in enumerate(table[state]):
                heappush(todo, (length + 1, (*path, k), goal))
    return paths


def separate_states(automaton: Automaton) -> list[tuple[int, ...]]:
    """Find a characterizing set: words of which any two states accept different ones."""
    table, verdicts = automaton.table, automaton.verdicts
    states = range(len(table))
    # A shortest word for each pair: from the pairs that differ at once to those that lead to them.
    words: dict[tuple[int, int], tuple[int, ...]] = {
        pair: () for pair in combinations(states, 2) if verdicts[pair[0]] != verdicts[pair[1]]
    }
    before: list[list[list[int]]] = [[[] for _ in row] for row in table]
    for state, row in enumerate(table):
        for k, goal in enumerate(row):
            before[goal][k].append(state)
    for (i, j), word in (todo := list(words.items())):  # grows
        for k, sources in enumerate(before[i]):
            for a, b in product(sources, before[j][k]):
                pair = (a, b) if a < b else (b, a)
                if pair not in words:
                    words[pair] = longer = (k, *word)
                    todo.append((pair, longer))
    # Of these words, choose the one that splits the blocks most, until each state is alone.
    answers: dict[tuple[int, ...], list[bool]] = {}
    for word in sorted(set(words.values()), key=len):
        ends = list(states)
        for k in word:
            ends = [table[end][k] for end in ends]
        answers[word] = [verdicts[end] for end in ends]
    blocks = [0] * len(states)
    chosen = []
    while len(set(blocks)) < len(states):
        best = max(answers, key=lambda word: len(set(zip(blocks, answers[word], strict=True))))
        chosen.append(best)
        order: dict[tuple[int, bool], int] = {}
        pairs = zip(blocks, answers[best], strict=True)
        blocks = [order.setdefault(pair, len(order)) for pair in pairs]
    return chosen
