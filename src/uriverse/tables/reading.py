"""Read the rows of each file format in batches of bounded size."""

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
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from uriverse.typing import Format

from .batches import PROBED, ROWS, beside, bounded, merged, rows_at_once
from .plan import TableError, number_of, shown
from .sources import BLOCK, Source, failing, octets_read, stream_of

# pyarrow says nothing of its types.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")
pq: Any = import_module("pyarrow.parquet")
pa_csv: Any = import_module("pyarrow.csv")
pa_json: Any = import_module("pyarrow.json")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

DELIMITERS = {"csv": ",", "tsv": "\t"}

#: The column of a file of lines.
LINE = "text"

#: The most octets in a row of lines or NDJSON. A row of CSV has to fit in two blocks, too.
LONGEST = 1 << 24

#: The most octets in the line of CSV that has the names of the columns.
LONGEST_HEADER = 1 << 20

#: How deep values may be nested: far less than what readers crash at.
DEEPEST = 100


class Reader(NamedTuple):
    """A file that is open.

    Attributes:
        schema: of its rows.
        batches: its rows, in batches of bounded size.
        read: how many octets have been read so far.
    """

    schema: Schema
    batches: Iterator[RecordBatch]
    read: Callable[[], int]


@contextmanager
def opened(source: Source, columns: Columns) -> Generator[Reader, None, None]:
    """A file, open for reading.

    Args:
        source: the file.
        columns: which of its columns are read; given its schema.

    Raises:
        TableError: it can't be read, or is not what its format has.
    """
    with failing(source.name):
        stream = stream_of(source)
    with stream:
        with failing(source.name):
            reader = READERS[source.form](stream, columns)
        yield reader._replace(batches=in_pieces(source.name, reader.batches))


def in_pieces(name: str, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
    """Split batches into batches of bounded size, and skip empty ones."""
    while True:
        with failing(name):
            batch = next(batches, None)
        if batch is None:
            return
        yield from bounded(batch)


Columns: TypeAlias = Callable[[Schema], list[str]]


def chosen(schema: Schema, names: list[str]) -> Schema:
    """The schema of these columns only, each of which may hold null: it does in other files."""
    fields = [schema.field(number_of(schema, name)).with_nullable(True) for name in names]
    return pa.schema(fields, schema.metadata)


def parquet(stream: BinaryIO, columns: Columns) -> Reader:
    file = pq.ParquetFile(stream)
    reject_deep_types(file.schema_arrow)
    names = columns(file.schema_arrow)
    done, rows, size = 0, file.metadata.num_rows, stream.seek(0, os.SEEK_END)
    coded = {field.name for field in file.schema_arrow if pa.types.is_dictionary(field.type)}

    def batches() -> Iterator[RecordBatch]:
        nonlocal done
        sides: list[Iterator[RecordBatch]] = []
        if plain := [name for name in names if name not in coded]:
            # Threads would cost more than they bring for so few rows.
            read = partial(file.iter_batches, columns=plain, use_threads=False)
            sides.append(merged(read(rows_at_once(next(read(PROBED), None)))))
        if whole := [name for name in names if name in coded]:
            # Rows of a dictionary are not written out, and the dictionary is read for each batch.
            sides.append(file.iter_batches(ROWS, columns=whole))
        for parts in beside(sides):
            columns = {name: part.column(name) for part in parts for name in part.schema.names}
            done += parts[0].num_rows
            yield pa.record_batch({name: columns[name] for name in names})

    return Reader(
        chosen(file.schema_arrow, names), batches(), lambda: size * done // rows if rows else size
    )


def separated(delimiter: str) -> Callable[[BinaryIO, Columns], Reader]:
    """What reads CSV: all columns as texts, as only a reader of them knows what else they are."""

    def read(stream: BinaryIO, columns: Columns) -> Reader:
        # The names first, as the reader must be told the type of each.
        header = header_of(stream, delimiter)
        if not header:
            raise TableError("the file has no line with the names of the columns")
        schema = pa.schema([(name, pa.string()) for name in header])
        names = columns(schema)
        field_counts: list[int] = []
        parsing = pa_csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            # In a table of one column that is how null is written.
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
                place = f"; it is after row {rows:,}" if rows else ""
                if field_counts:
                    reason = f"a row has {field_counts[0]} fields, not {len(header)}{place}"
                    raise TableError(reason) from None
                if "straddling object" in str(error):
                    raise TableError(
                        f"a row is longer than {BLOCK:,} octets, or a quote is not closed{place}"
                    ) from None
                if str(error) != "Empty CSV file":
                    raise

        return Reader(chosen(schema, names), batches(), octets_read(stream))

    return read


def header_of(stream: BinaryIO, delimiter: str) -> list[str] | None:
    """Read the names of the columns; `None` if the file is empty.

    Raises:
        TableError: they are too long, or their line ends with a carriage return alone.
    """
    try:
        return next(csv.reader(header_lines(stream), delimiter=delimiter), None)
    except csv.Error as error:
        if "limit" in str(error):
            raise TableError(
                f"the name of a column is longer than {csv.field_size_limit():,} characters"
            ) from None
        raise TableError(
            "the line with the names of the columns contains a carriage return without a line "
            "feed; end lines with LF or CRLF"
        ) from None


def header_lines(stream: BinaryIO) -> Iterator[str]:
    """Read the header lines of a CSV file: there are several if a name contains line breaks.

    Raises:
        TableError: together they are longer than any header.
    """
    left = LONGEST_HEADER
    while line := stream.readline(left + 1):
        left -= len(line)
        if left < 0:
            raise TableError(
                f"the line with the names of the columns is longer than {LONGEST_HEADER:,} octets"
            )
        yield line.decode("utf-8-sig")


def skip_row(field_counts: list[int], row: Any) -> str:
    """Note how many fields a row has that has more or less than others.

    What pyarrow would say has the text of the row in it.
    """
    field_counts.append(row.actual_columns)
    return "error"


def ndjson(stream: BinaryIO, columns: Columns) -> Reader:
    """Objects, of the fields that those at the beginning have."""
    blocks = (block for block in parsable(whole_lines(stream)) if block.strip())
    first = next(blocks, None)
    if first is None:
        raise TableError("the file has no objects")
    schema = as_written(objects(first).schema)
    names = columns(schema)
    others = "error" if len(names) == len(schema) else "ignore"
    schema = chosen(schema, names)
    parsing = pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)

    def batches() -> Iterator[RecordBatch]:
        for block in chain([first], blocks):
            for batch in objects(block, parsing).select(names).to_batches():
                # The reader accepts octets that are not UTF-8.
                batch.validate(full=True)
                yield batch

    return Reader(schema, batches(), octets_read(stream))


def objects(block: bytes, parsing: Any = None) -> Any:
    """Parse JSON objects, one per line, into a table."""
    whole = pa_json.ReadOptions(block_size=len(block) + 1)
    return pa_json.read_json(io.BytesIO(block), whole, parsing)


def whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Read a file in blocks of whole lines, each block without its last line break.

    A byte order mark at the beginning is dropped.

    Raises:
        TableError: a line is too long.
    """
    # The parts of a line without an end so far: a long line is put together once.
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
    """Reject lines of JSON at which pyarrow's parser would crash.

    It crashes at deeply nested values, and at a block that begins with null.

    Raises:
        TableError: there is such a line.
    """
    lines = 1
    for block in blocks:
        # Any line may become the first one of a block.
        if b"null" in block and (null := NULL.search(b"\n" + block)):
            place = lines + block.count(b"\n", 0, null.start())
            raise TableError(f"line {place:,} is null, not a JSON object")
        if is_deep(block):
            place = next(n for n, line in enumerate(block.split(b"\n"), lines) if is_deep(line))
            raise TableError(f"line {place:,} is nested more than {DEEPEST} levels deep")
        lines += block.count(b"\n") + 1
        yield block


def is_deep(block: bytes) -> bool:
    """Whether a block has a line of JSON that is nested more than `DEEPEST` levels deep."""
    if b"[" * (DEEPEST + 1) not in block.translate(BRACKETS, NOT_OPENING):
        # A fast check for nearly all lines: they have fewer opening brackets in total.
        return False
    # A quote or backslash after a backslash has no meaning of its own.
    plain = re.sub(rb"\\.", b"", block) if b"\\" in block else block
    marks = re.sub(rb'"[^"\n]*"?', b"", plain.translate(BRACKETS, NO_MARKS))
    for _ in range(DEEPEST):
        inner = marks.replace(b"[]", b"")
        if inner == marks:
            # The brackets left have no partner.
            return max(map(len, marks.replace(b"]", b"").split(b"\n"))) > DEEPEST
        marks = inner
    return b"[" in marks


#: A line that begins with null. pyarrow drops a byte order mark at the beginning of each block.
NULL = re.compile(rb"\n(?:\xef\xbb\xbf)?[ \t\r]*null")

#: Brackets of both kinds become one kind, and octets without a meaning for the depth are deleted.
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_MARKS = bytes(set(range(256)) - set(b'[]{}"\n'))
NOT_OPENING = bytes(set(range(256)) - set(b"[{\n"))


def reject_deep_types(schema: Schema) -> None:
    """Reject columns whose values are nested too deeply.

    Raises:
        TableError: there is such a column.
    """
    for field in schema:
        kinds = [field.type]
        for _ in range(DEEPEST + 1):
            kinds = [kind.field(n).type for kind in kinds for n in range(kind.num_fields)]
        if kinds:
            raise TableError(
                f"column {shown(field.name)} is nested more than {DEEPEST} levels deep"
            )


def as_written(kind: Any) -> Any:
    """A schema or type without what was guessed of texts, and of what is only null at first."""
    if isinstance(kind, pa.Schema):
        return pa.schema([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(as_written(kind.value_type))
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind


def lines(stream: BinaryIO, columns: Columns) -> Reader:
    """Lines without what ends them; an octet that is not UTF-8 becomes what no identifier has."""
    schema = pa.schema([(LINE, pa.string())])

    def batches() -> Iterator[RecordBatch]:
        for block in whole_lines(stream):
            yield batch_of_lines(block, schema)

    return Reader(chosen(schema, columns(schema)), batches(), octets_read(stream))


def batch_of_lines(octets: bytes, schema: Schema) -> RecordBatch:
    text = pa.array([octets.decode("utf-8", "replace")], pa.large_string())
    lines = pc.split_pattern(text, "\n").values
    if b"\r" in octets:
        lines = pc.replace_substring_regex(lines, "\r$", "")
    return pa.record_batch([lines.cast(pa.string())], schema=schema)


#: What reads each format.
READERS: dict[Format, Callable[[BinaryIO, Columns], Reader]] = {
    "parquet": parquet,
    "csv": separated(DELIMITERS["csv"]),
    "tsv": separated(DELIMITERS["tsv"]),
    "ndjson": ndjson,
    "lines": lines,
}
