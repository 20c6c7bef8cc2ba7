"""What is done with tables in files: read, worked on and written, batch by batch."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from uriverse.redaction import without_passwords
from uriverse.typing import Compression, Format

from .options import USUAL_COMPRESSION
from .plan import BAD_ROWS, Outcome, Plan, TableError, is_text, number_of, shown, type_name
from .reading import opened
from .sources import Source, failing
from .writing import written

if TYPE_CHECKING:
    from typing import Self

# pyarrow says nothing of its types.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The columns of reports of bad rows: their file, and `BAD_ROWS` with rows counted from 1.
BAD_ROWS_OF_FILES: Schema = pa.schema([("file", pa.string()), *BAD_ROWS])


class Output(NamedTuple):
    """A file that is written.

    Attributes:
        name: `-` for standard output.
        form: its format.
        compression: of Parquet.
        escape_formulas: of CSV and TSV: whether text that a spreadsheet reads as a formula gets
            a "'" before it.
    """

    name: str
    form: Format
    compression: Compression = USUAL_COMPRESSION
    escape_formulas: bool = False

    def written(self, schema: Schema) -> AbstractContextManager[Callable[[RecordBatch], None]]:
        """Open the file as a context manager that gives a function to write rows of `schema`."""
        return written(
            self.name,
            self.form,
            schema,
            self.compression,
            escape_formulas=self.escape_formulas,
        )


@dataclass
class Tally:
    """How many rows there have been, and how many are bad, by what is wrong with them."""

    rows: int = 0
    bad: Counter[str] = field(default_factory=Counter[str])

    def add(self, outcome: Outcome) -> None:
        self.rows += outcome.batch.num_rows
        for counted in pc.value_counts(outcome.bad_rows.column("error")).to_pylist():
            self.bad[counted["values"]] += counted["counts"]

    def __str__(self) -> str:
        counts = f"{self.rows:,} rows, {self.bad.total():,} bad"
        return f"{counts}: {', '.join(self.reasons())}" if self.bad else counts

    def reasons(self) -> Iterator[str]:
        """What is wrong with bad rows, the most frequent first."""
        for error, count in sorted(self.bad.items(), key=lambda item: (-item[1], item[0])):
            yield f"{error} {count:,}"


class Batch(NamedTuple):
    """Rows of a file, which stand behind so many others."""

    file: str
    before: int
    rows: RecordBatch


#: What is told how many octets have been read, and what has come of them so far.
Tell = Callable[[int, Tally], object]


def transform(
    sources: list[Source],
    plan_for: Callable[[Schema], Plan],
    output: Output,
    *,
    bad_rows: Output | None = None,
    threads: int = 1,
    tell: Tell = lambda octets, tally: None,  # noqa: ARG005
) -> Tally:
    """Read tables, do with them what is planned, and write one.

    Memory is taken for some batches only. The files that are written are there when all has gone
    well, and only then.

    Args:
        sources: what is read, one after the other; at least one.
        plan_for: what is planned for tables that have a schema.
        output: what is written.
        bad_rows: what the bad rows are written to, with the schema `BAD_ROWS_OF_FILES`.
        threads: how many work at the same time.
        tell: what is told how far it is.

    Raises:
        TableError: something can't be read, done or written, or the tables differ.
    """
    tally = Tally()
    with Reading(sources, plan_for) as reading, ExitStack() as outputs:
        plan = reading.plan
        write = outputs.enter_context(output.written(plan.schema(reading.schema)))
        # Put in its place first: without it the output is not there either.
        write_bad = bad_rows and outputs.enter_context(bad_rows.written(BAD_ROWS_OF_FILES))
        for batch, outcome in outcomes(plan, reading.batches(), threads):
            write(outcome.batch)
            if write_bad and outcome.bad_rows.num_rows:
                write_bad(placed(batch, outcome.bad_rows))
            tally.add(outcome)
            tell(reading.octets(), tally)
        # On Windows, an open input cannot be replaced by the output.
        reading.close()
    return tally


class Reading:
    """Tables that are read as one.

    Attributes:
        schema: of the columns that are read.
        plan: what is planned for it.
    """

    def __init__(self, sources: list[Source], plan_for: Callable[[Schema], Plan]) -> None:
        self.sources = sources
        self.plan_for = plan_for
        self.plan: Plan
        self.schema: Schema
        self.stack = ExitStack()
        self.done = 0

    def __enter__(self) -> Self:
        # It stays open, as standard input can't be opened again.
        self.reader = self.stack.enter_context(opened(self.sources[0], self.planned))
        with self.stack:
            self.schema = self.reader.schema
            for source in self.sources[1:]:
                with opened(source, self.agreed):
                    pass
            self.stack = self.stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the first table; each of the others is closed once it has been read."""
        self.stack.close()

    def planned(self, schema: Schema) -> list[str]:
        """The columns that are needed of the first table, by which all are planned."""
        self.plan = self.plan_for(schema)
        return self.plan.needed(schema)

    def agreed(self, schema: Schema) -> list[str]:
        """The columns that are needed of another table.

        Raises:
            TableError: it differs from the first.
        """
        first = without_passwords(self.sources[0].name)
        for name in self.schema.names:
            own, known = schema.field(number_of(schema, name)).type, self.schema.field(name).type
            if own != known and not readable_as(own, known):
                raise TableError(
                    f"column {shown(name)} is {type_name(own)}, but {type_name(known)} in {first}: "
                    "cast one of them, or do not keep the column (--keep)"
                )
        if more := [name for name in self.plan.needed(schema) if name not in self.schema.names]:
            raise TableError(
                f"column {shown(more[0])} is not in {first}: do not keep the column (--keep)"
            )
        return list(self.schema.names)

    def batches(self) -> Iterator[Batch]:
        """The rows of all, in order."""
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
        """How many octets have been read."""
        return self.done + self.reader.read()


def readable_as(own: Any, known: Any) -> bool:
    """Whether texts of one type become texts of another: each program has a type of its own."""
    if not (is_text(own) and is_text(known)):
        return False
    try:
        pa.array([], own).cast(known)
    except pa.ArrowNotImplementedError:
        return False
    return True


def outcomes(plan: Plan, batches: Iterator[Batch], threads: int) -> Iterator[tuple[Batch, Outcome]]:
    """Apply a plan to batches, several at a time, and yield the outcomes in order."""
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
    """Return bad rows with their file and with their numbers in it."""
    rows = pc.add(bad_rows.column("row"), batch.before + 1)
    # A name need not be UTF-8, but a string of Arrow is.
    name = batch.file.encode(errors="backslashreplace").decode()
    file = pa.repeat(pa.scalar(name, pa.string()), len(rows))
    return pa.record_batch([file, rows, *bad_rows.columns[1:]], schema=BAD_ROWS_OF_FILES)
