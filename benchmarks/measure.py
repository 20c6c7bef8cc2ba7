"""Timing of several ways to read the same texts, in turn, with medians and spread.

Nothing is subtracted: the loop around each call is part of every figure, ours and the
peers' alike.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

#: What is timed: called with a text, or what was made of it before, its result thrown away.
Function = Callable[[Any], object]
#: A pass: texts, and the function that reads them.
Work = Sequence[tuple[Function, Sequence[str]]]

# The time of this process alone where that is counted finely, as on Linux and macOS:
# what other programs do then counts little.
CLOCK = (
    time.process_time_ns
    if time.get_clock_info("process_time").resolution <= 1e-6
    else time.perf_counter_ns
)

LOOP = """
def loop(function, texts):
    for text in texts:
        function(text){attribute}
"""


@dataclass(frozen=True)
class Contender:
    """One that is timed: a name, its work, and the attribute read from each result.

    Where it does not begin with texts, `made_of` makes of each what it begins with, before the
    clock starts.
    """

    name: str
    work: Work
    attribute: str | None = None
    target: float | None = None
    made_of: Callable[[str], Any] | None = None


@dataclass(frozen=True)
class Spread:
    """The median of some figures, and their quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> Self:
        low, median, high = statistics.quantiles(figures, n=4, method="inclusive")
        return cls(median, low, high)


@dataclass(frozen=True)
class Row:
    """What was measured of one contender.

    Attributes:
        figure: in the unit of the table.
        ratio: ours to this peer's, of the same round; `None` for ours.
        target: what the ratio should not pass, or the figure where there is no ratio;
            `None` where the row is there for information.
    """

    name: str
    figure: Spread
    ratio: Spread | None = None
    target: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the target is met; empty without one."""
        if self.target is None:
            return ""
        judged = self.figure if self.ratio is None else self.ratio
        return "met" if judged.median <= self.target else "missed"


@dataclass(frozen=True)
class Table:
    """One comparison: ours in the first row, then the peers."""

    title: str
    unit: str
    notes: tuple[str, ...]
    rows: tuple[Row, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        rows = [
            Row(
                row["name"],
                Spread(**row["figure"]),
                None if row["ratio"] is None else Spread(**row["ratio"]),
                row["target"],
            )
            for row in data["rows"]
        ]
        return cls(data["title"], data["unit"], tuple(data["notes"]), tuple(rows))


def own_loop(attribute: str | None) -> Callable[[Function, Sequence[Any]], None]:
    """A loop of its own for each contender.

    The interpreter fits the code of a loop to what is called in it. A loop that all
    share would be fitted to none of them.
    """
    names: dict[str, Any] = {}
    # The text is a constant of this module but for the name of an attribute.
    exec(LOOP.format(attribute=f".{attribute}" if attribute else ""), names)  # noqa: S102
    loop: Callable[[Function, Sequence[Any]], None] = names["loop"]
    return loop


def new_copies(texts: Iterable[str]) -> list[str]:
    """Equal texts which hold nothing from an earlier reading: no hash, no UTF-8."""
    return [text.encode().decode() for text in texts]


class Course:
    """The way of one contender through its texts, as often as asked."""

    def __init__(self, contender: Contender) -> None:
        self.count = sum(len(texts) for _, texts in contender.work)
        self.made_of = contender.made_of
        self.parts = [
            (own_loop(contender.attribute), function, texts)
            for function, texts in contender.work
            if texts
        ]

    def time_per_text(self) -> float:
        """Nanoseconds per text of one pass."""
        parts = [(loop, function, self.begun(texts)) for loop, function, texts in self.parts]
        gc.collect()
        gc.disable()
        try:
            start = CLOCK()
            for loop, function, texts in parts:
                loop(function, texts)
            return (CLOCK() - start) / self.count
        finally:
            gc.enable()

    def begun(self, texts: Sequence[str]) -> list[Any]:
        """What a pass begins with."""
        copies = new_copies(texts)
        return copies if self.made_of is None else list(map(self.made_of, copies))


def in_turn(contenders: Sequence[Contender], rounds: int) -> tuple[Row, ...]:
    """Time each contender once in each round; the first is ours.

    Who begins changes from round to round. The first round warms up and does not count.
    A ratio is that of two passes of the same round.
    """
    courses = [Course(contender) for contender in contenders]
    figures: list[list[float]] = [[] for _ in courses]
    for round_number in range(rounds + 1):
        for turn in range(len(courses)):
            index = (turn + round_number) % len(courses)
            figure = courses[index].time_per_text()
            if round_number:
                figures[index].append(figure)
    return rows_of([(one.name, one.target) for one in contenders], figures)


def rows_of(
    names: Sequence[tuple[str, float | None]], figures: Sequence[Sequence[float]]
) -> tuple[Row, ...]:
    """The rows of a table from the names, the targets and the figures of each round."""
    ours = figures[0]
    return tuple(
        Row(
            name,
            Spread.of(theirs),
            None
            if theirs is ours
            else Spread.of([a / b for a, b in zip(ours, theirs, strict=True)]),
            target,
        )
        for (name, target), theirs in zip(names, figures, strict=True)
    )
