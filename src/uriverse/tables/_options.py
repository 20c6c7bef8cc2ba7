"""The operations that use each option, the file name extensions of formats, the compression.

Importing this module is fast, because it does not import pyarrow.
"""

from __future__ import annotations

from uriverse.columns._declarations import Option
from uriverse.columns._registry import OPERATIONS
from uriverse.typing import Compression, Format

#: The operations that need a base URI, and the operations with output schemas.
WITH_BASE = tuple(name for name, function in OPERATIONS.items() if function.has_base)
WITH_PRESET = tuple(name for name, function in OPERATIONS.items() if function.result == "fields")

#: The options of all operations, by name.
OPTIONS: dict[str, Option] = {
    option.name: option
    for function in OPERATIONS.values()
    for option in function.options
    if option.help
}

#: For each option that not every operation uses, the operations that use it.
OPERATIONS_OF: dict[str, tuple[str, ...]] = {
    "base": WITH_BASE,
    "base_column": WITH_BASE,
    "preset": WITH_PRESET,
    **{
        option.name: tuple(op for op, function in OPERATIONS.items() if option in function.options)
        for option in OPTIONS.values()
    },
}

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
