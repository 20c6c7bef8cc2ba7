"""Read NDJSON files."""

from __future__ import annotations

import io
import re
from bisect import bisect_left
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import Any, BinaryIO, TypeAlias

from uriverse._redaction import redacted_message

from ._found_columns import TableError
from ._readers import DEEPEST, Columns, Reader, chosen
from ._sources import octets_read
from ._text_lines import whole_lines

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

RecordBatch: TypeAlias = Any


def ndjson(stream: BinaryIO, columns: Columns) -> Reader:
    """Read an NDJSON file. The objects in the first block determine the schema."""
    blocks = (each for each in parsable(whole_lines(stream)) if each[1].strip())
    first = next(blocks, None)
    if first is None:
        raise TableError("the file contains no JSON objects")
    schema = as_written(objects(*first).schema)
    names = columns(schema)
    others = "error" if len(names) == len(schema) else "ignore"
    schema = chosen(schema, names)
    pa_json: Any = import_module("pyarrow.json")
    parsing = pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)

    def batches() -> Iterator[RecordBatch]:
        for block in chain([first], blocks):
            for batch in objects(*block, parsing).select(names).to_batches():
                # The JSON parser of pyarrow accepts invalid UTF-8.
                batch.validate(full=True)
                yield batch

    return Reader(schema, batches(), octets_read(stream))


def objects(line: int, block: bytes, parsing: Any = None) -> Any:
    """Parse JSON objects, one per line, as a table.

    Args:
        line: the number of the first line.
        block: the lines.
        parsing: the `ParseOptions` of pyarrow.

    Raises:
        TableError: a line is invalid.
    """
    try:
        return parsed(block, parsing)
    except pa.ArrowInvalid as error:
        lines = block.split(b"\n")
        # A column may have another type than in the lines before, so parse these too.
        ends = range(1, len(lines))
        whole = bisect_left(ends, True, key=lambda end: fails(b"\n".join(lines[:end]), parsing))
        reason = REASON.sub("", redacted_message(str(error)))
        raise TableError(f"line {line + whole:,}: {reason}") from None


def parsed(block: bytes, parsing: Any) -> Any:
    pa_json: Any = import_module("pyarrow.json")
    whole = pa_json.ReadOptions(block_size=len(block) + 1)
    return pa_json.read_json(io.BytesIO(block), whole, parsing)


def fails(block: bytes, parsing: Any) -> bool:
    """Return whether lines are invalid."""
    try:
        parsed(block, parsing)
    except pa.ArrowInvalid:
        return bool(block.strip())
    return False


def parsable(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the blocks of an NDJSON file with their first line, and reject what crashes pyarrow.

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
        yield lines, block
        lines += block.count(b"\n") + 1


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


#: The parts of pyarrow's messages that are no reason. Its rows are those of the block.
REASON = re.compile(r"^JSON parse error: |\.? in row \d+$|\.$")

#: A line that starts with null. pyarrow skips a byte order mark at the start of each block.
NULL = re.compile(rb"\n(?:\xef\xbb\xbf)?[ \t\r]*null")

#: Tables for `bytes.translate`: braces become brackets, and irrelevant octets are deleted.
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_MARKS = bytes(set(range(256)) - set(b'[]{}"\n'))
NOT_OPENING = bytes(set(range(256)) - set(b"[{\n"))


def as_written(kind: Any) -> Any:
    """Replace timestamp and null types, which pyarrow infers from JSON, with the string type."""
    if isinstance(kind, pa.Schema):
        return pa.schema([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(as_written(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(as_written(kind.value_type))
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind
