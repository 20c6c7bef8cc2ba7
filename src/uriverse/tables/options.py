"""The file name extensions of table formats, and the default compression.

Importing this module is fast, because it does not import pyarrow.
"""

from __future__ import annotations

from uriverse.typing import Compression, Format

#: The format for each file name extension.
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

#: The default compression of Parquet files.
USUAL_COMPRESSION: Compression = "snappy"
