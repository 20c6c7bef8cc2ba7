"""What can be asked of texts and tables: the words for it, known without what does it."""

from __future__ import annotations

from typing import Literal, get_args

#: The rules that a text can be asked to meet, by what they are called in options.
Grammar = Literal["uri", "uri-reference", "absolute-uri", "iri", "iri-reference", "absolute-iri"]
GRAMMARS: dict[Grammar, str] = {
    "uri": "URI",
    "uri-reference": "URI-reference",
    "absolute-uri": "absolute-URI",
    "iri": "IRI",
    "iri-reference": "IRI-reference",
    "absolute-iri": "absolute-IRI",
}

#: What can be done with a column: the functions of `uriverse.columns`, by their names.
Operation = Literal[
    "parse",
    "normalize",
    "resolve",
    "relativize",
    "host",
    "hostname",
    "port",
    "origin",
    "reversed-host",
    "surt",
    "fingerprint",
    "is-valid",
    "findings",
    "to-uri",
    "to-iri",
    "query-params",
    "query-param",
]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

#: Whose names and types the results of `parse` can have.
Preset = Literal["commoncrawl", "ecs"]

#: How a table is written down.
Format = Literal["parquet", "csv", "tsv", "ndjson", "lines"]

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

#: What Parquet can be compressed with.
Compression = Literal["snappy", "zstd", "gzip", "lz4", "brotli", "none"]

#: With what it is, if nothing is said.
USUAL_COMPRESSION: Compression = "snappy"
