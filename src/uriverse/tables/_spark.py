"""Apply a column function to Parquet files with Spark, and write a folder of Parquet files."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from uriverse import FileURI

from ._batches import ROWS
from ._destinations import folder_at
from ._found_columns import TableError
from ._frames import over_batches
from ._frames import transform as transformed
from ._local import BAD_ROWS_OF_FILES, Reading, Tally
from ._object_stores import is_object
from ._options import USUAL_COMPRESSION
from ._partitions import NULL, folders_in
from ._plan import Plan
from ._sources import Source
from ._writing import Output

# pyarrow has no type annotations, and neither do the Spark functions that work with it.
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

#: The characters that have a special meaning in paths for Spark.
SPECIAL = re.compile(r"([\[\]{}*?\\])")

#: The name of the error condition in an error message of Spark.
CONDITION = re.compile(r"\[([A-Z0-9_.]+)\]")


def transform(
    sources: list[Source],
    plan_for: Callable[[Schema], Plan],
    output: Output,
    *,
    bad_rows: Output | None = None,
    master: str = "local[*]",
) -> Tally:
    """Apply a column function to Parquet files with Spark, and write the results to a folder.

    The output has the same rows as the output of `local.transform`, but the order may differ.

    Raises:
        TableError: a file cannot be read or written, is not Parquet, or is a standard stream; the
            plan does not fit the tables; the tables differ in a column; or Spark fails.
    """
    names = [output.name, *(source.name for source in sources)]
    if any(map(is_object, names)):
        raise TableError("Spark jobs need local paths; copy the objects of the store here first")
    if "-" in names:
        raise TableError("Spark cannot use standard input or output; use files")
    if {output.form, *(source.form for source in sources)} != {"parquet"}:
        raise TableError("Spark jobs need Parquet files; convert the other files first")
    with Reading(sources, plan_for) as reading:
        plan, schema = reading.plan, reading.schema
        compression = output.like(reading.reader).compression or USUAL_COMPRESSION["parquet"]
        output.check(plan.schema(schema))
    with failing(), session(master) as spark, folder_at(output.name) as aside:
        frame = frame_of(spark, sources, schema)
        writer = transformed(frame, plan).write.partitionBy(*output.partition_by)
        if output.file_rows is not None:
            writer = writer.option("maxRecordsPerFile", output.file_rows)
        writer.parquet(f"file://{aside}", compression=compression)
        found = bad_rows_of(frame, plan).persist()
        if bad_rows is not None:
            with bad_rows.written(BAD_ROWS_OF_FILES) as write:
                for batch in in_batches(found, sources):
                    write(batch)
        counted = found.groupBy("error").count().collect()
        bad = Counter({row["error"]: row["count"] for row in counted})
        written = spark.read.parquet(escaped(aside)).count()
        # Counting all rows of the inputs reads only the metadata of the files.
        rows = written if plan.where is None and not plan.drop_bad else frame.count()
        return Tally(rows, bad, rows - written)


def frame_of(spark: Session, sources: list[Source], schema: Schema) -> DataFrame:
    """Return the rows of Parquet files, with the columns in the names of their folders.

    The partitions that Spark discovers would have other types, and other columns.
    """
    #: The names of the partition columns as in the names of folders, where they may be encoded.
    folders: dict[str, set[str]] = {name: set() for name, _ in sources[0].partition}
    for source in sources:
        for written in (folder.partition("=")[0] for folder in folders_in(source.name)):
            folders.get(unquote(written), set()).add(written)
    own = pa.schema([field for field in schema if field.name not in folders])
    files = [escaped(absolute(source.name)) for source in sources]
    frame = spark.read.schema(arrow.from_arrow_schema(own)).parquet(*files)
    return frame.select(
        *(
            value_in_path(folders[name]).alias(name) if name in folders else named(name)
            for name in schema.names
        )
    )


def named(name: str) -> Any:
    """Return the column with a name, in which Spark would otherwise look for fields of structs."""
    return functions.col(f"`{name.replace('`', '``')}`")


def value_in_path(names: set[str]) -> Any:
    """Return a column with the value of a partition column, from the path of the file of each row.

    Args:
        names: the names before `=` in the names of folders.
    """
    # The path is a URL, in which percent signs of the names of folders are encoded once more.
    path = decoded(functions.col("_metadata.file_path"))
    pattern = f"^.*/(?:{'|'.join(map(re.escape, sorted(names)))})=([^/]*)/"
    text = functions.regexp_extract(path, pattern, 1)
    return functions.when(text != NULL, decoded(text))


def decoded(column: Any) -> Any:
    """Return a column without percent-encoding."""
    return functions.url_decode(functions.replace(column, functions.lit("+"), functions.lit("%2B")))


@contextmanager
def failing() -> Generator[None, None, None]:
    """Convert Spark errors to `TableError`, without the messages, which may contain passwords."""
    try:
        yield
    except (errors.PySparkException, java_errors.Py4JJavaError) as error:
        condition = CONDITION.search(str(error))
        name = condition[1] if condition else type(error).__name__
        raise TableError(f"the Spark job failed: {name}") from None


@contextmanager
def session(master: str) -> Generator[Session, None, None]:
    """Yield the active Spark session, or start one and stop it afterwards."""
    if running := sql.SparkSession.getActiveSession():
        yield running
        return
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # pyspark warns about versions of other packages, which does not help users of the command.
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
    """Redirect standard output to standard error, even for child processes."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def absolute(name: str) -> Path:
    """Return the absolute form of a path. Symbolic links stay, because of partitions in names."""
    return Path(os.path.abspath(name))  # noqa: PTH100


def path_of(url: str) -> str:
    """Return the path of a file from its URL in Spark, in which non-ASCII characters stay."""
    uri = "".join(each if each.isascii() else quote(each) for each in url)
    return str(FileURI(uri).to_posix())


def escaped(path: Path) -> str:
    """Return the URL of a local path for Spark, with special characters escaped."""
    return "file://" + SPECIAL.sub(r"\\\1", str(path))


def bad_rows_of(frame: DataFrame, plan: Plan) -> DataFrame:
    """Return a DataFrame of the bad rows, each with its file name, row number, string and error.

    The schema is `BAD_ROWS_OF_FILES`.
    """
    with_places = frame.selectExpr("*", "_metadata.file_path", "_metadata.row_index")
    schema = arrow.from_arrow_schema(BAD_ROWS_OF_FILES)
    return over_batches(with_places, bad_rows_with(plan), schema)


def bad_rows_with(plan: Plan) -> Callable[[RecordBatch], RecordBatch]:
    """Return a function that returns the bad rows of a batch.

    The last two columns of the batch contain the file name and the row number of each row.
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
    """Yield the invalid rows in batches, sorted by file name and row number.

    Each row has the name of its file as the caller wrote it.
    """
    names = {str(absolute(source.name)): source.name for source in sources}
    rows = bad_rows.orderBy("file", "row").toLocalIterator()
    while batch := [row.asDict() for row in islice(rows, ROWS)]:
        for row in batch:
            path = path_of(row["file"])
            row["file"] = names.get(path, path)
        yield pa.RecordBatch.from_pylist(batch, BAD_ROWS_OF_FILES)
