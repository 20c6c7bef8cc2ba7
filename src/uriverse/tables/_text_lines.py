"""Read text files with one value per line."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from importlib import import_module
from typing import Any, BinaryIO, TypeAlias

from ._batches import scalar_of
from ._found_columns import TableError
from ._readers import Columns, Reader, chosen
from ._sources import BLOCK, octets_read

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The name of the column in text files with one value per line.
LINE = "text"

#: The maximum number of octets in a line of NDJSON or plain lines. A CSV row must fit two blocks.
LONGEST = 1 << 24


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
