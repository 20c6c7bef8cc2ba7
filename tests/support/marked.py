"""Tables of strings with a mark "^" at the position of an error."""

from collections.abc import Iterable, Mapping
from typing import Any

#: A table: the strings of a row share the key. A row in one string is split at its spaces.
Table = Mapping[Any, str | Iterable[str]]


def find_mark(marked: str) -> tuple[str, int]:
    before, mark, after = marked.partition("^")
    assert mark
    return before + after, len(before)


def list_rows(table: Table) -> list[tuple[Any, ...]]:
    """Return a row of parameters for each string of a table: its key, and the string."""
    return [
        (*(key if isinstance(key, tuple) else (key,)), string)
        for key, strings in table.items()
        for string in (strings.split() if isinstance(strings, str) else strings)
    ]


def list_marked_rows(table: Table) -> list[tuple[Any, ...]]:
    """Return a row for each string of a table: its key, the string, and the mark's position."""
    return [(*row[:-1], *find_mark(row[-1])) for row in list_rows(table)]
