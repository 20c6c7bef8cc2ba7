"""Calls of the SQL functions, as DuckDB and Spark write them."""

from collections.abc import Mapping
from typing import Any

from uriverse.columns._registry import FUNCTIONS


def inputs_of(name: str, base: str) -> list[str]:
    """Return the column `url`, and a constant for the second input, in the order of the inputs."""
    function = FUNCTIONS[name]
    return [f"'{base}'" if each == function.second else "url" for each in function.inputs]


def literal(value: object, engine: str) -> str:
    if isinstance(value, list):
        items = ", ".join(literal(item, engine) for item in value)
        return f"[{items}]" if engine == "duckdb" else f"array({items})"
    if isinstance(value, str):
        return "'" + value.replace("'", "''" if engine == "duckdb" else "\\'") + "'"
    if isinstance(value, float):
        return f"{value}e0" if engine == "duckdb" else f"{value}D"
    return "NULL" if value is None else str(value).lower()


def struct_of(options: Mapping[str, Any], engine: str) -> str:
    """Return the struct that sets options, as the last argument of a SQL function."""
    written = {name: literal(value, engine) for name, value in options.items()}
    if engine == "duckdb":
        return "{" + ", ".join(f"'{name}': {value}" for name, value in written.items()) + "}"
    fields = (f"'{name}', {value}" for name, value in written.items())
    return f"named_struct({', '.join(fields)})"
