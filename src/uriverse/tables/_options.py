"""The operations that use each option, the file name extensions of formats, the compression.

Importing this module is fast, because it does not import pyarrow.
"""

from __future__ import annotations

from uriverse.columns import OPERATIONS
from uriverse.columns._declarations import SECOND_INPUTS, Option
from uriverse.typing import Compression, Format, Operation

#: The operations that need a second input, by its name; and the operations with output schemas.
WITH_SECOND: dict[str, tuple[Operation, ...]] = {
    second: tuple(name for name, function in OPERATIONS.items() if function.second == second)
    for second in SECOND_INPUTS
}
WITH_PRESET: tuple[Operation, ...] = tuple(
    name for name, function in OPERATIONS.items() if function.result == "fields"
)

#: The options that the operations have on the command line, by their names there.
OPTIONS: dict[str, Option] = {
    option.word or option.name: option
    for function in OPERATIONS.values()
    for option in function.options
    if option.help
}

#: The options that are not those of a column function, and the operations that use them.
OTHERS: dict[str, tuple[Operation, ...]] = {
    **WITH_SECOND,
    **{f"{second}_column": operations for second, operations in WITH_SECOND.items()},
    "preset": WITH_PRESET,
}

#: For each option that not every operation uses, the operations that use it.
OPERATIONS_OF: dict[str, tuple[Operation, ...]] = {
    **OTHERS,
    **{
        name: tuple(
            op
            for op, function in OPERATIONS.items()
            if any(option.help and option.name == name for option in function.options)
        )
        for name in dict.fromkeys(option.name for option in OPTIONS.values())
    },
}

#: The same, by the names on the command line.
OPERATIONS_OF_WORD: dict[str, tuple[Operation, ...]] = {
    **OTHERS,
    **{
        word: tuple(op for op, function in OPERATIONS.items() if option in function.options)
        for word, option in OPTIONS.items()
    },
}

#: The format for each file name extension.
EXTENSIONS: dict[str, Format] = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".tsv": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".txt": "lines",
    ".lst": "lines",
}

#: The default compression of formats that compress columns. Parquet files keep that of the input.
USUAL_COMPRESSION: dict[Format, Compression] = {"parquet": "snappy", "arrow": "none"}

#: The compressions of Arrow files; Parquet files have these and others.
ARROW_COMPRESSIONS: tuple[Compression, ...] = ("zstd", "lz4", "none")
