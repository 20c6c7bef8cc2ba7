"""Apply a column function to table files on this computer, batch by batch."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from uriverse._quoting import quoted
from uriverse._redaction import redacted_invalid

from ._found_columns import TableError, is_text, number_of, type_name
from ._plan import BAD_ROWS, Outcome, Plan
from ._reading import opened
from ._sources import Source, failing
from ._writing import Output

if TYPE_CHECKING:
    from typing import Self

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The schema of bad-row files: the file name, then `BAD_ROWS` with row numbers from 1.
BAD_ROWS_OF_FILES: Schema = pa.schema([("file", pa.string()), *BAD_ROWS])


@dataclass
class Tally:
    """The number of rows that were read, of bad rows for each error, and of rows not written."""

    rows: int = 0
    bad: Counter[str] = field(default_factory=Counter[str])
    omitted: int = 0

    def add(self, batch: RecordBatch, outcome: Outcome) -> None:
        self.rows += batch.num_rows
        self.omitted += batch.num_rows - outcome.batch.num_rows
        for counted in pc.value_counts(outcome.bad_rows.column("error")).to_pylist():
            self.bad[counted["values"]] += counted["counts"]

    def __str__(self) -> str:
        return f"{self.counts}: {', '.join(self.reasons())}" if self.bad else self.counts

    @property
    def counts(self) -> str:
        """The numbers of rows, such as `1,000 rows, 2 bad`, or `1,000 rows, 998 written, 2 bad`."""
        noun = "row" if self.rows == 1 else "rows"
        written = f" {self.rows - self.omitted:,} written," if self.omitted else ""
        return f"{self.rows:,} {noun},{written} {self.bad.total():,} bad"

    def reasons(self) -> Iterator[str]:
        """Yield each error with its number of bad rows, the most frequent error first."""
        for error, count in sorted(self.bad.items(), key=lambda item: (-item[1], item[0])):
            yield f"{error} {count:,}"


class Batch(NamedTuple):
    """Consecutive rows of a file.

    `before` is the number of rows before this batch.
    """

    file: str
    before: int
    rows: RecordBatch


#: A progress callback, which takes the number of octets read so far and the tally so far.
Tell = Callable[[int, Tally], object]


def transform(
    sources: list[Source],
    plan_for: Callable[[Schema], Plan],
    output: Output,
    *,
    bad_rows: Output | None = None,
    threads: int = 1,
    tally: Tally | None = None,
    tell: Tell = lambda octets, tally: None,  # noqa: ARG005
) -> Tally:
    """Apply a column function, such as `host`, to table files, and write the results to one file.

    Only a few batches are in memory at a time. If an error occurs, no output file is created or
    replaced.

    Args:
        sources: the input files, at least one, in order.
        plan_for: a function that takes the schema of a table and returns the plan.
        output: the output file.
        bad_rows: the file for the bad rows, with the schema `BAD_ROWS_OF_FILES`.
        threads: the number of threads.
        tally: the tally to add the rows to, and to return; `None` for a new one.
        tell: a callback for progress, called after each batch.

    Raises:
        TableError: a file cannot be read or written, the plan does not fit the tables, or the
            tables differ in a column.
    """
    tally = tally or Tally()
    with Reading(sources, plan_for) as reading, ExitStack() as outputs:
        plan = reading.plan
        kept = output.like(reading.reader)
        write = outputs.enter_context(kept.written(plan.schema(reading.schema)))
        # This file is closed first. If that fails, the output file is not created either.
        write_bad = bad_rows and outputs.enter_context(bad_rows.written(BAD_ROWS_OF_FILES))
        for batch, outcome in outcomes(plan, reading.batches(), threads):
            write(outcome.batch)
            if write_bad and outcome.bad_rows.num_rows:
                write_bad(placed(batch, outcome.bad_rows))
            tally.add(batch.rows, outcome)
            tell(reading.octets(), tally)
        # On Windows, an open input cannot be replaced by the output.
        reading.close()
    return tally


class Reading:
    """A context manager that reads several table files as one table."""

    def __init__(self, sources: list[Source], plan_for: Callable[[Schema], Plan]) -> None:
        self.sources = sources
        self.plan_for = plan_for
        self.plan: Plan
        self.schema: Schema
        self.stack = ExitStack()
        self.done = 0

    def __enter__(self) -> Self:
        # Keep the first table open, because standard input cannot be opened twice.
        self.reader = self.stack.enter_context(opened(self.sources[0], self.planned))
        with self.stack:
            self.schema = self.reader.schema
            for source in self.sources[1:]:
                with opened(source, self.agreed):
                    pass
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the first input file. All later files are closed as soon as they have been read."""
        self.stack.close()

    def planned(self, schema: Schema) -> list[str]:
        """Create the plan from the schema of the first table, and return the columns to read."""
        self.plan = self.plan_for(schema)
        return self.plan.needed(schema)

    def agreed(self, schema: Schema) -> list[str]:
        """Check that a later table matches the first table, and return the columns to read."""
        first = redacted_invalid(self.sources[0].name)
        for name in self.schema.names:
            own, known = schema.field(number_of(schema, name)).type, self.schema.field(name).type
            if own != known and not readable_as(own, known):
                raise TableError(
                    f"column {quoted(name)} is {type_name(own)}, but {type_name(known)} in {first}"
                    "; cast one of them, or do not keep the column"
                )
        if more := [name for name in self.plan.needed(schema) if name not in self.schema.names]:
            raise TableError(
                f"column {quoted(more[0])} is missing in {first}; do not keep the column"
            )
        return list(self.schema.names)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows of all tables, in order."""
        yield from self.batches_of(self.sources[0])
        for source in self.sources[1:]:
            self.done += self.reader.read()
            with opened(source, self.agreed) as self.reader:
                yield from self.batches_of(source)

    def batches_of(self, source: Source) -> Iterator[Batch]:
        before = 0
        for batch in self.reader.batches:
            with failing(source.name):
                rows = batch.cast(self.schema)
            yield Batch(source.name, before, rows)
            before += batch.num_rows

    def octets(self) -> int:
        """Return the number of octets read so far."""
        return self.done + self.reader.read()


def readable_as(own: Any, known: Any) -> bool:
    """Return whether both types are string types, and the first can be cast to the second."""
    if not (is_text(own) and is_text(known)):
        return False
    try:
        pa.array([], own).cast(known)
    except pa.ArrowNotImplementedError:
        return False
    return True


def outcomes(plan: Plan, batches: Iterator[Batch], threads: int) -> Iterator[tuple[Batch, Outcome]]:
    """Apply a plan to batches in several threads, and yield the results in order."""
    waiting: deque[tuple[Batch, Future[Outcome]]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for batch in batches:
            waiting.append((batch, pool.submit(plan.outcome, batch.rows)))
            if len(waiting) > threads:
                first, future = waiting.popleft()
                yield first, future.result()
        for last, future in waiting:
            yield last, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def placed(batch: Batch, bad_rows: RecordBatch) -> RecordBatch:
    """Add the file name to bad rows, and count their row numbers from the start of the file."""
    rows = pc.add(bad_rows.column("row"), batch.before + 1)
    # A file name may be invalid UTF-8, but an Arrow string may not.
    name = batch.file.encode(errors="backslashreplace").decode()
    file = pa.repeat(pa.scalar(name, pa.string()), len(rows))
    return pa.record_batch([file, rows, *bad_rows.columns[1:]], schema=BAD_ROWS_OF_FILES)
