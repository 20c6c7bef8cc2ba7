"""What is done with tables in files, by Spark: a folder of files comes of it, as always there."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from uriverse import FileURI
from uriverse.redaction import without_passwords

from .batches import ROWS
from .frames import over_batches
from .frames import transform as transformed
from .local import BAD_ROWS_OF_FILES, Output, Reading, Tally
from .plan import Plan, TableError
from .sources import Source, real

# pyarrow says nothing of its types, and so neither does what is to do with them.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")
arrow: Any = import_module("pyspark.sql.pandas.types")
errors: Any = import_module("pyspark.errors")
java_errors: Any = import_module("py4j.protocol")
functions: Any = import_module("pyspark.sql.functions")
sql: Any = import_module("pyspark.sql")

DataFrame: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any
Session: TypeAlias = Any

#: What means more than itself in a path that Spark is given.
SPECIAL = re.compile(r"([\[\]{}*?\\])")

#: What Spark calls what went wrong, in what it says of it.
CONDITION = re.compile(r"\[([A-Z0-9_.]+)\]")


def transform(
    sources: list[Source],
    plan_for: Callable[[Schema], Plan],
    output: Output,
    *,
    bad_rows: Output | None = None,
    master: str = "local[*]",
) -> Tally:
    """The same as `files.transform`, by Spark.

    Args:
        sources: as there; all Parquet.
        plan_for: as there.
        output: the folder, of files of Parquet.
        bad_rows: as there.
        master: where Spark is.

    Raises:
        TableError: as there, or Spark can't do it.
    """
    if "-" in {output.name, *(source.name for source in sources)}:
        raise TableError("Spark reads and writes files, not standard input and output")
    if {output.form, *(source.form for source in sources)} != {"parquet"}:
        raise TableError("with Spark, inputs and output are Parquet")
    with Reading(sources, plan_for) as reading:
        plan, schema = reading.plan, reading.schema
        plan.schema(schema)
    with failing(), session(master) as spark, folder(output.name) as aside:
        files = [escaped(real(source.name)) for source in sources]
        reader = spark.read.schema(arrow.from_arrow_schema(schema))
        frame = reader.parquet(*files)
        transformed(frame, plan).write.parquet(f"file://{aside}", compression=output.compression)
        found = bad_rows_of(frame, plan).persist()
        if bad_rows is not None:
            with bad_rows.written(BAD_ROWS_OF_FILES) as write:
                for batch in in_batches(found, sources):
                    write(batch)
        counted = found.groupBy("error").count().collect()
        bad = Counter({row["error"]: row["count"] for row in counted})
        return Tally(spark.read.parquet(escaped(aside)).count(), bad)


@contextmanager
def failing() -> Generator[None, None, None]:
    """What goes wrong in Spark is told by its name only: there may be passwords in the rest."""
    try:
        yield
    except (errors.PySparkException, java_errors.Py4JJavaError) as error:
        condition = CONDITION.search(str(error))
        name = condition[1] if condition else type(error).__name__
        raise TableError(f"Spark can't do it: {name}") from None


@contextmanager
def session(master: str) -> Generator[Session, None, None]:
    """Spark: that which runs already, or one that ends with this."""
    if running := sql.SparkSession.getActiveSession():
        yield running
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # It warns of versions of other packages, with what is of no use to those who look on.
    warnings.simplefilter("ignore", FutureWarning)
    builder = sql.SparkSession.builder.master(master).appName("uriverse")
    bars = str(sys.stderr.isatty()).lower()
    with standard_output_spared():
        spark = builder.config("spark.ui.showConsoleProgress", bars).getOrCreate()
    try:
        spark.sparkContext.setLogLevel("OFF")
        yield spark
    finally:
        spark.stop()


@contextmanager
def standard_output_spared() -> Generator[None, None, None]:
    """What is started now prints to standard error whatever it prints."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def folder(name: str) -> Generator[Path, None, None]:
    """A folder that is put in its place when all has gone well, and only then.

    Raises:
        TableError: there is something in its place that Spark has not written.
    """
    place = real(name)
    if place.exists() and not is_written(place):
        shown = without_passwords(name)
        raise TableError(f"{shown}: there is something else in its place; take another name")
    token = secrets.token_hex(4)
    aside = place.with_name(f".{place.name}.{token}.partial")
    try:
        yield aside
        before = place.with_name(f".{place.name}.{token}.replaced")
        if place.exists():
            place.rename(before)
        try:
            aside.rename(place)
        except BaseException:
            if before.exists():
                before.rename(place)
            raise
        removed(before)
    finally:
        removed(aside)


def removed(left: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if left.is_file():
        left.unlink()
    shutil.rmtree(left, ignore_errors=True)


def is_written(place: Path) -> bool:
    """Whether there is a file, or a folder with nothing in it but what Spark writes."""
    parts = re.compile(r"\.?(?:part-.*|_SUCCESS)(?:\.crc)?")
    return place.is_file() or all(parts.fullmatch(entry.name) for entry in place.iterdir())


def escaped(path: Path) -> str:
    """A path on this machine as Spark is to read it, exactly."""
    return "file://" + SPECIAL.sub(r"\\\1", str(path))


def bad_rows_of(frame: DataFrame, plan: Plan) -> DataFrame:
    """Return the bad rows of a frame, with the schema `BAD_ROWS_OF_FILES`."""
    with_places = frame.selectExpr("*", "_metadata.file_path", "_metadata.row_index")
    schema = arrow.from_arrow_schema(BAD_ROWS_OF_FILES)
    return over_batches(with_places, bad_rows_with(plan), schema)


def bad_rows_with(plan: Plan) -> Callable[[RecordBatch], RecordBatch]:
    """Make a function that returns the bad rows of a batch.

    The last two columns of the batch are the file of each row and its number in the file.
    """
    schema = arrow.to_arrow_schema(arrow.from_arrow_schema(BAD_ROWS_OF_FILES))

    def bad_rows(batch: RecordBatch) -> RecordBatch:
        *_, files, rows = batch.columns
        bad = plan.outcome(batch.select(list(range(batch.num_columns - 2)))).bad_rows
        at = bad.column("row")
        places = [files.take(at), pc.add(rows.take(at), 1)]
        batch = pa.record_batch([*places, *bad.columns[1:]], schema=BAD_ROWS_OF_FILES)
        return batch.cast(schema)

    return bad_rows


def in_batches(bad_rows: DataFrame, sources: list[Source]) -> Iterator[RecordBatch]:
    """Yield bad rows in the order of the files, which are named as the caller named them."""
    names = {str(real(source.name)): source.name for source in sources}
    rows = bad_rows.orderBy("file", "row").toLocalIterator()
    while batch := [row.asDict() for row in islice(rows, ROWS)]:
        for row in batch:
            path = str(FileURI(row["file"]).to_posix())
            row["file"] = names.get(path, path)
        yield pa.RecordBatch.from_pylist(batch, BAD_ROWS_OF_FILES)
