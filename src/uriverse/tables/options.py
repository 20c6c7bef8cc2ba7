"""The names of formats, for code that must not import pyarrow."""

from __future__ import annotations

from uriverse.typing import Compression, Format

#: The formats by the extensions of file names.
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

#: The compression of Parquet files if none is chosen.
USUAL_COMPRESSION: Compression = "snappy"
