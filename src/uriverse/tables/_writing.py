"""Write tables as Parquet, Arrow, CSV, TSV, NDJSON or plain lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from uriverse.typing import Compression, Format

from ._delimited import DELIMITERS
from ._destinations import folder_at, octets_to
from ._found_columns import TableError, number_of
from ._object_stores import is_object
from ._options import EXTENSIONS, USUAL_COMPRESSION
from ._parts import PartsWriter
from ._readers import Reader
from ._sources import failing
from ._writers import ArrowWriter, CSVWriter, LinesWriter, NDJSONWriter, ParquetWriter, Writer

if TYPE_CHECKING:
    from typing import Self

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The maximum number of batches that wait to be written.
WAITING = 2


class Output(NamedTuple):
    """An output file and its options.

    Attributes:
        name: the path; `-` for standard output.
        form: the format.
        compression: the compression of Parquet and Arrow files; `None` for that of the first input,
            or else for the usual one of the format.
        escape_formulas: whether to write `'` before strings that a spreadsheet would read as
            formulas, in CSV and TSV files.
        partition_by: the columns whose values become the names of folders; the output is then a
            folder.
        file_rows: the maximum number of rows of a file; the output is then a folder of files.
    """

    name: str
    form: Format
    compression: Compression | None = None
    escape_formulas: bool = False
    partition_by: tuple[str, ...] = ()
    file_rows: int | None = None

    def check(self, schema: Schema) -> None:
        """Check that a table with the given schema can be written.

        Raises:
            TableError: a column to partition by is missing, or no other column is left.
        """
        for name in self.partition_by:
            number_of(schema, name)
        if len(schema) == len(self.partition_by):
            raise TableError("no column is left to write beside the partition columns; keep one")

    def like(self, reader: Reader) -> Self:
        """Return an output with the compression of an input, unless a compression is set."""
        if self.compression or self.form != "parquet":
            return self
        return self._replace(compression=reader.compression)

    def writer(self, stream: BinaryIO, schema: Schema) -> Writer:
        """Return a writer for the format."""
        if self.form in USUAL_COMPRESSION:
            compression = self.compression or USUAL_COMPRESSION[self.form]
            return (ArrowWriter if self.form == "arrow" else ParquetWriter)(
                stream, schema, compression
            )
        if self.form in DELIMITERS:
            delimiter = DELIMITERS[self.form]
            return CSVWriter(stream, schema, delimiter, escape_formulas=self.escape_formulas)
        return (NDJSONWriter if self.form == "ndjson" else LinesWriter)(stream, schema)

    @contextmanager
    def opened(self, schema: Schema) -> Generator[Writer, None, None]:
        """Open the file or the folder, and yield its writer."""
        if self.partition_by or self.file_rows is not None:
            if is_object(self.name):
                raise TableError(
                    "an object store takes no partitions; write a folder here, and upload it"
                )
            with folder_at(self.name) as folder:
                with failing(self.name):
                    parts = PartsWriter(
                        folder,
                        schema,
                        self.writer,
                        next(end for end, form in EXTENSIONS.items() if form == self.form),
                        self.partition_by,
                        self.file_rows,
                    )
                yield parts
            return
        with octets_to(self.name, packed=self.form not in USUAL_COMPRESSION) as stream:
            with failing(self.name):
                writer = self.writer(stream, schema)
            yield writer

    @contextmanager
    def written(self, schema: Schema) -> Generator[Callable[[RecordBatch], None], None, None]:
        """Open the file for writing, and yield a function to write batches.

        A regular file appears at its path only when it is complete.

        Raises:
            TableError: the file cannot be written.
        """
        self.check(schema)
        with self.opened(schema) as writer:
            # A separate thread writes batches while the next batches are read.
            pool = ThreadPoolExecutor(1)
            waiting: deque[Future[None]] = deque()

            def write(batch: RecordBatch) -> None:
                waiting.append(pool.submit(writer.write, batch))
                if len(waiting) > WAITING:
                    with failing(self.name):
                        waiting.popleft().result()

            try:
                yield write
                with failing(self.name):
                    for written_later in waiting:
                        written_later.result()
                    writer.close()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                writer.abandon()
                raise
            finally:
                pool.shutdown()
