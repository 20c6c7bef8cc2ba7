"""Read Parquet, Arrow, CSV, TSV, NDJSON and plain lines as tables, in batches of limited size."""

from __future__ import annotations

import csv
import io
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, TypeAlias, get_args

from uriverse._quoting import quoted
from uriverse.typing import Compression, Format

from ._batches import PROBED, ROWS, beside, bounded, merged, rows_at_once, scalar_of
from ._partitions import filled, with_partition
from ._plan import TableError, number_of
from ._sources import BLOCK, Source, failing, octets_read, stream_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

DELIMITERS = {"csv": ",", "tsv": "\t"}

#: The name of the column in text files with one value per line.
LINE = "text"

#: The maximum number of octets in a line of NDJSON or plain lines. A CSV row must fit two blocks.
LONGEST = 1 << 24

#: The maximum number of octets in the header of a CSV file.
LONGEST_HEADER = 1 << 20

#: The first octets of Arrow IPC files in the file format.
ARROW_MAGIC = b"ARROW1"

#: The maximum nesting depth of values. pyarrow crashes at a much greater depth.
DEEPEST = 100


class Reader(NamedTuple):
    """An open input file.

    Attributes:
        schema: the schema of the rows.
        batches: the rows, in batches of limited size.
        read: a function that returns the number of octets read so far.
        compression: the compression of the columns, if the file says so.
    """

    schema: Schema
    batches: Iterator[RecordBatch]
    read: Callable[[], int]
    compression: Compression | None = None


@contextmanager
def opened(source: Source, columns: Columns) -> Generator[Reader, None, None]:
    """Open a table file for reading.

    Raises:
        TableError: the file cannot be read, or has another format.
    """
    with failing(source.name):
        stream = stream_of(source)
    with stream:
        with failing(source.name):
            reader = reader_of(source, stream, columns)
        yield reader._replace(batches=in_pieces(source.name, reader.batches))


def reader_of(source: Source, stream: BinaryIO, columns: Columns) -> Reader:
    """Return the parser of a file, which adds the columns in the names of its folders."""
    if not source.partition:
        return READERS[source.form](stream, columns)
    names: list[str] = []

    def own_columns(schema: Schema) -> list[str]:
        names[:] = columns(with_partition(schema, source.partition))
        own = [name for name in names if name in schema.names]
        # No format has rows without columns.
        return own or schema.names[:1]

    reader = READERS[source.form](stream, own_columns)
    return reader._replace(
        schema=chosen(with_partition(reader.schema, source.partition), names),
        batches=(filled(batch, source.partition, names) for batch in reader.batches),
    )


def in_pieces(name: str, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
    """Split batches into batches of limited size, and skip empty batches."""
    while True:
        with failing(name):
            batch = next(batches, None)
        if batch is None:
            return
        yield from bounded(batch)


#: A function that takes the schema of a file and returns the names of the columns to read.
Columns: TypeAlias = Callable[[Schema], list[str]]


def chosen(schema: Schema, names: list[str]) -> Schema:
    """Return a schema with only the named columns, all of them nullable.

    A column without nulls in this file may contain nulls in another input file.
    """
    fields = [schema.field(number_of(schema, name)).with_nullable(True) for name in names]
    return pa.schema(fields, schema.metadata)


def parquet(stream: BinaryIO, columns: Columns) -> Reader:
    # A reader that buffers in advance keeps all octets of the file in memory until it is closed.
    file: Any = import_module("pyarrow.parquet").ParquetFile(stream, pre_buffer=False)
    reject_deep_types(file.schema_arrow)
    names = columns(file.schema_arrow)
    done, rows, size = 0, file.metadata.num_rows, stream.seek(0, os.SEEK_END)
    coded = {field.name for field in file.schema_arrow if pa.types.is_dictionary(field.type)}

    def batches() -> Iterator[RecordBatch]:
        nonlocal done
        sides: list[Iterator[RecordBatch]] = []
        if plain := [name for name in names if name not in coded]:
            # For so few rows, threads cost more time than they save.
            read = partial(file.iter_batches, columns=plain, use_threads=False)
            sides.append(merged(read(rows_at_once(next(read(PROBED), None)))))
        if whole := [name for name in names if name in coded]:
            # These batches can be large: dictionary values are not copied to the rows. Small
            # batches would be slow, because the dictionary is read again for each batch.
            sides.append(file.iter_batches(ROWS, columns=whole))
        for parts in beside(sides):
            columns = {name: part.column(name) for part in parts for name in part.schema.names}
            done += parts[0].num_rows
            yield pa.record_batch({name: columns[name] for name in names})

    return Reader(
        chosen(file.schema_arrow, names),
        batches(),
        lambda: size * done // rows if rows else size,
        compression_of(file.metadata),
    )


def compression_of(metadata: Any) -> Compression | None:
    """Return the compression of the first column of a Parquet file, if uriverse can write it."""
    if not metadata.num_row_groups or not metadata.num_columns:
        return None
    name: str = metadata.row_group(0).column(0).compression.lower()
    names: dict[str, Compression] = {each: each for each in get_args(Compression)}
    return "none" if name == "uncompressed" else names.get(name)


def arrow(stream: BinaryIO, columns: Columns) -> Reader:
    """Read an Arrow IPC file, in the file format or in the stream format."""
    ipc: Any = import_module("pyarrow.ipc")
    is_file = stream.read(len(ARROW_MAGIC)) == ARROW_MAGIC
    opening = ipc.open_file if is_file else ipc.open_stream
    stream.seek(0)
    schema = opening(stream).schema
    reject_deep_types(schema)
    names = columns(schema)
    numbers = sorted(number_of(schema, name) for name in names)
    stream.seek(0)
    file = opening(stream, options=ipc.IpcReadOptions(included_fields=numbers))

    def batches() -> Iterator[RecordBatch]:
        found = map(file.get_batch, range(file.num_record_batches)) if is_file else file
        for batch in found:
            # The file could refer to octets outside its buffers.
            batch.validate(full=True)
            yield batch.select(names)

    return Reader(chosen(schema, names), batches(), octets_read(stream))


def separated(delimiter: str) -> Callable[[BinaryIO, Columns], Reader]:
    """Return a CSV parser. All columns are strings, because CSV has no other types."""

    def read(stream: BinaryIO, columns: Columns) -> Reader:
        pa_csv: Any = import_module("pyarrow.csv")
        # Read the column names first, because pyarrow needs the type of each column.
        header = header_of(stream, delimiter)
        if not header:
            raise TableError("the file has no header line")
        schema = pa.schema([(name, pa.string()) for name in header])
        names = columns(schema)
        field_counts: list[int] = []
        parsing = pa_csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            # In a table with one column, an empty line is a null row.
            ignore_empty_lines=len(header) > 1,
            invalid_row_handler=partial(skip_row, field_counts),
        )
        conversion = pa_csv.ConvertOptions(
            column_types=schema,
            include_columns=names,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )

        def batches() -> Iterator[RecordBatch]:
            rows = 0
            options = pa_csv.ReadOptions(column_names=header, block_size=BLOCK)
            try:
                for batch in pa_csv.open_csv(stream, options, parsing, conversion):
                    rows += batch.num_rows
                    yield batch
            except pa.ArrowInvalid as error:
                place = f" (after row {rows:,})" if rows else ""
                if field_counts:
                    reason = f"a row has {field_counts[0]} fields, not {len(header)}{place}"
                    raise TableError(reason) from None
                if "straddling object" in str(error):
                    raise TableError(
                        f"a quote is not closed, or a row is longer than {BLOCK:,} octets{place}"
                    ) from None
                if str(error) != "Empty CSV file":
                    raise

        return Reader(chosen(schema, names), batches(), octets_read(stream))

    return read


def header_of(stream: BinaryIO, delimiter: str) -> list[str] | None:
    """Return the column names of a CSV file, or None if the file is empty.

    Raises:
        TableError: the header is too long, or contains a carriage return without a line feed.
    """
    try:
        return next(csv.reader(header_lines(stream), delimiter=delimiter), None)
    except csv.Error as error:
        if "limit" in str(error):
            raise TableError(
                f"a column name is longer than {csv.field_size_limit():,} characters"
            ) from None
        raise TableError(
            "the header line contains a carriage return without a line feed; "
            "end lines with LF or CRLF"
        ) from None


def header_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a CSV header, which has several lines if a name contains line breaks."""
    left = LONGEST_HEADER
    while line := stream.readline(left + 1):
        left -= len(line)
        if left < 0:
            raise TableError(f"the header line is longer than {LONGEST_HEADER:,} octets")
        yield line.decode("utf-8-sig")


def skip_row(field_counts: list[int], row: Any) -> str:
    """Store the number of fields of an invalid CSV row, and make pyarrow raise an error.

    The caller needs the number for a new error message. The message of pyarrow quotes the row,
    which may contain a password.
    """
    field_counts.append(row.actual_columns)
    return "error"


def ndjson(stream: BinaryIO, columns: Columns) -> Reader:
    """Read an NDJSON file. The objects in the first block determine the schema."""
    blocks = (block for block in parsable(whole_lines(stream)) if block.strip())
    first = next(blocks, None)
    if first is None:
        raise TableError("the file contains no JSON objects")
    schema = as_written(objects(first).schema)
    names = columns(schema)
    others = "error" if len(names) == len(schema) else "ignore"
    schema = chosen(schema, names)
    pa_json: Any = import_module("pyarrow.json")
    parsing = pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)

    def batches() -> Iterator[RecordBatch]:
        for block in chain([first], blocks):
            for batch in objects(block, parsing).select(names).to_batches():
                # The JSON parser of pyarrow accepts invalid UTF-8.
                batch.validate(full=True)
                yield batch

    return Reader(schema, batches(), octets_read(stream))


def objects(block: bytes, parsing: Any = None) -> Any:
    """Parse JSON objects, one per line, as a table."""
    pa_json: Any = import_module("pyarrow.json")
    whole = pa_json.ReadOptions(block_size=len(block) + 1)
    return pa_json.read_json(io.BytesIO(block), whole, parsing)


def whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Read a file in blocks of whole lines, without the last line break of each block.

    A byte order mark at the start of the file is removed.

    Raises:
        TableError: a line is too long.
    """
    # Parts of an unfinished line. Joining them only once takes linear time.
    rest: list[bytes] = []
    lines, mark = 1, BOM_UTF8
    while block := stream.read(BLOCK):
        whole, end, part = block.rpartition(b"\n")
        if end:
            yield b"".join([*rest, whole]).removeprefix(mark)
            lines += block.count(b"\n")
            rest, mark = [], b""
        rest.append(part)
        if sum(map(len, rest)) > LONGEST:
            raise TableError(f"line {lines:,} is longer than {LONGEST:,} octets")
    if last := b"".join(rest).removeprefix(mark):
        yield last


def parsable(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks of an NDJSON file, and reject lines that would crash pyarrow.

    The JSON parser of pyarrow crashes on deeply nested values, and on blocks that start with
    `null`.
    """
    lines = 1
    for block in blocks:
        # pyarrow splits the block further, at any line.
        if b"null" in block and (null := NULL.search(b"\n" + block)):
            place = lines + block.count(b"\n", 0, null.start())
            raise TableError(f"line {place:,} is null, not a JSON object")
        if is_deep(block):
            place = next(n for n, line in enumerate(block.split(b"\n"), lines) if is_deep(line))
            raise TableError(f"line {place:,} is nested more than {DEEPEST} levels deep")
        lines += block.count(b"\n") + 1
        yield block


def is_deep(block: bytes) -> bool:
    """Return whether a block of JSON lines contains a value nested more than `DEEPEST` levels."""
    if b"[" * (DEEPEST + 1) not in block.translate(BRACKETS, NOT_OPENING):
        # The fast path for nearly all blocks: no line has so many opening brackets.
        return False
    # An escaped quote does not end a string.
    plain = re.sub(rb"\\.", b"", block) if b"\\" in block else block
    marks = re.sub(rb'"[^"\n]*"?', b"", plain.translate(BRACKETS, NO_MARKS))
    for _ in range(DEEPEST):
        inner = marks.replace(b"[]", b"")
        if inner == marks:
            # The remaining brackets are unmatched.
            return max(map(len, marks.replace(b"]", b"").split(b"\n"))) > DEEPEST
        marks = inner
    return b"[" in marks


#: A line that starts with null. pyarrow skips a byte order mark at the start of each block.
NULL = re.compile(rb"\n(?:\xef\xbb\xbf)?[ \t\r]*null")

#: Tables for `bytes.translate`: braces become brackets, and irrelevant octets are deleted.
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_MARKS = bytes(set(range(256)) - set(b'[]{}"\n'))
NOT_OPENING = bytes(set(range(256)) - set(b"[{\n"))


def reject_deep_types(schema: Schema) -> None:
    """Reject columns whose types are nested more than `DEEPEST` levels deep."""
    for field in schema:
        kinds = [field.type]
        for _ in range(DEEPEST + 1):
            kinds = [kind.field(n).type for kind in kinds for n in range(kind.num_fields)]
        if kinds:
            raise TableError(
                f"column {quoted(field.name)} is nested more than {DEEPEST} levels deep"
            )


def as_written(kind: Any) -> Any:
    """Replace timestamp and null types, which pyarrow infers from JSON, with the string type."""
    if isinstance(kind, pa.Schema):
        return pa.schema([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(as_written(kind.value_type))
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind


def lines(stream: BinaryIO, columns: Columns) -> Reader:
    """Read a text file with one value per line.

    Invalid UTF-8 becomes U+FFFD, which is not allowed in URIs, so the row is invalid.
    """
    schema = pa.schema([(LINE, pa.string())])

    def batches() -> Iterator[RecordBatch]:
        for block in whole_lines(stream):
            yield batch_of_lines(block, schema)

    return Reader(chosen(schema, columns(schema)), batches(), octets_read(stream))


def batch_of_lines(octets: bytes, schema: Schema) -> RecordBatch:
    text = pa.repeat(scalar_of(octets.decode("utf-8", "replace")), 1)
    lines = pc.split_pattern(text, "\n").values
    if b"\r" in octets:
        lines = pc.replace_substring_regex(lines, "\r$", "")
    return pa.record_batch([lines.cast(pa.string())], schema=schema)


#: The parser of each format.
READERS: dict[Format, Callable[[BinaryIO, Columns], Reader]] = {
    "parquet": parquet,
    "arrow": arrow,
    "csv": separated(DELIMITERS["csv"]),
    "tsv": separated(DELIMITERS["tsv"]),
    "ndjson": ndjson,
    "lines": lines,
}
