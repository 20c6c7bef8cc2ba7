"""What can be asked of texts and tables: the words for it, known without what does it."""

from __future__ import annotations

from typing import get_args

from uriverse.typing import Compression, Format, Operation

OPERATIONS: tuple[Operation, ...] = get_args(Operation)


#: The formats by the ends of names.
EXTENSIONS: dict[str, Format] = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".txt": "lines",
    ".lst": "lines",
}


#: With what it is, if nothing is said.
USUAL_COMPRESSION: Compression = "snappy"
