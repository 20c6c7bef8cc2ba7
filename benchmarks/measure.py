"""Measure the speed of several libraries on the same strings, in alternating passes.

The results are medians and quartiles. The time of the loop around each call is included in the
figures of all libraries.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

# The folder above that of the scripts contains the package.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from conformance import conditions

#: A function to measure. Its argument is a string, or a value that was created from one.
Function = Callable[[Any], object]
#: The work of a pass: functions, each with the strings to call it with.
Work = Sequence[tuple[Function, Sequence[str]]]
#: A function that processes the values of a pass: it receives the function to measure, and them.
Loop = Callable[[Function, Sequence[Any]], None]

# The CPU time of this process if its resolution is fine enough, as on Linux and macOS. Then other
# programs have little influence.
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


#: The date, the versions and the system of a run, and the paragraph that states them.
START = conditions.START
machine = conditions.conditions
statement = conditions.statement


@dataclass(frozen=True)
class Contender:
    """A library to measure.

    Attributes:
        name: the name in the table.
        work: the functions, each with its strings.
        attribute: an attribute to read from each result, or `None`.
        target: the largest ratio of uriverse to this library that meets the target, or `None`.
        made_of: a function that creates the argument from each string before the clock starts;
            `None` to pass the string itself.
        loop: the loop over the strings of a pass; `None` for a loop that calls the function.
    """

    name: str
    work: Work
    attribute: str | None = None
    target: float | None = None
    made_of: Callable[[str], Any] | None = None
    loop: Loop | None = None


@dataclass(frozen=True)
class Spread:
    """The median and the quartiles of several measurements."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> Self:
        low, median, high = statistics.quantiles(figures, n=4, method="inclusive")
        return cls(median, low, high)


@dataclass(frozen=True)
class Row:
    """The results of one library in a table.

    Attributes:
        name: the name of the library or function.
        figure: the measured values, in the unit of the table.
        ratio: the value of uriverse divided by that of this library, for each round; `None` for
            uriverse itself.
        target: the upper limit of the ratio, or of the figure in a row without a ratio; `None` if
            the row is for information only.
        wrong: the number of strings for which the library gives another answer than the RFCs;
            `None` if the answers were not compared.
    """

    name: str
    figure: Spread
    ratio: Spread | None = None
    target: float | None = None
    wrong: int | None = None

    @property
    def verdict(self) -> str:
        """`"met"` or `"missed"`, or an empty string without a target."""
        if self.target is None:
            return ""
        judged = self.figure if self.ratio is None else self.ratio
        return "met" if judged.median <= self.target else "missed"


@dataclass(frozen=True)
class Table:
    """The result of one comparison: uriverse in the first row, followed by the other libraries."""

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
                row.get("wrong"),
            )
            for row in data["rows"]
        ]
        return cls(data["title"], data["unit"], tuple(data["notes"]), tuple(rows))


def by_operation(tables: Iterable[Table]) -> dict[str, dict[int, Table]]:
    """Return the tables of `growth.py` by operation, and by the length of the strings."""
    found: dict[str, dict[int, Table]] = {}
    for table in tables:
        operation, _, length = table.title.rpartition(", ")
        characters = int(length.removesuffix(" characters").replace(",", ""))
        found.setdefault(operation, {})[characters] = table
    return found


def own_loop(attribute: str | None) -> Loop:
    """Return a new loop function that calls a function with each string.

    Each library has its own loop, because the interpreter specializes the code of a loop for the
    function that it calls.
    """
    names: dict[str, Any] = {}
    # The code is a constant of this module, except for the name of the attribute.
    exec(LOOP.format(attribute=f".{attribute}" if attribute else ""), names)  # noqa: S102
    loop: Loop = names["loop"]
    return loop


def new_copies(texts: Iterable[str]) -> list[str]:
    """Return copies of strings that have no cached hash and no cached UTF-8 encoding."""
    return [text.encode().decode() for text in texts]


class Course:
    """The repeated passes of one library over its strings."""

    def __init__(self, contender: Contender) -> None:
        self.count = sum(len(texts) for _, texts in contender.work)
        self.made_of = contender.made_of
        self.parts = [
            (contender.loop or own_loop(contender.attribute), function, texts)
            for function, texts in contender.work
            if texts
        ]

    def time_per_text(self) -> float:
        """Make one pass, and return its time in nanoseconds per string."""
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
        """Return fresh arguments for one pass."""
        copies = new_copies(texts)
        return copies if self.made_of is None else list(map(self.made_of, copies))


def in_turn(contenders: Sequence[Contender], rounds: int) -> tuple[Row, ...]:
    """Measure each library once in each round; the first one is uriverse.

    The library that starts changes from round to round. The first round is a warm-up and is not
    counted. Ratios are computed from two passes of the same round.
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
    """Return the rows of a table.

    Args:
        names: the name and the target of each row.
        figures: for each row, the values of all rounds.
    """
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
