"""Arrow producers that lie, in all layouts: the results are those of single rows, or an error."""

from __future__ import annotations

from typing import Any

from arrow_producers import KINDS, Streamed, broken_at_random, hosts, lies
from draws import Draws, decoded

from uriverse import ColumnError, columns
from uriverse._engine import kernel

#: Invalid values for members of arrays and schemas. Only lies that can be detected are listed: the
#: interface has no buffer sizes.
LIES = tuple(lies())

LAYOUTS = ("string", "large_string", "string_view", "dictionary", "slice")

#: Functions of one row, and the functions of a column that compute the same.
FUNCTIONS = ("host", "port", "normalize", "to_uri", "to_iri", "origin", "is_valid", "surt")


def check(data: bytes) -> None:
    """Read one column that is perhaps invalid, and one valid column in a random layout."""
    draws = Draws(data)
    buffers = buffers_in_use()
    if draws.randrange(2):
        check_lies(draws)
    else:
        check_layout(draws)
    assert buffers_in_use() == buffers, "a buffer leaks"


def buffers_in_use() -> int:
    """Return the number of buffers of columns that the kernel has not freed yet."""
    return 0 if kernel is None else int(kernel._given_out())


def check_lies(draws: Draws) -> None:
    """Read a column with an invalid member, or with random integers in its buffers."""
    if draws.randrange(2):
        made = broken_at_random(draws, draws.choice(tuple(KINDS)))
    else:
        kind, which, number, member, value = draws.choice(LIES)
        made = broken_at_random(draws, kind)
        setattr(getattr(made, which)[number], member, value)
    expected = hosts(made)
    for given in (made, Streamed(made)):
        if given is not made and made.arrays[-1].release is None:
            continue  # A released array marks the end of a stream.
        try:
            found: Any = columns.host(given).to_pylist()
        except (ColumnError, TypeError) as error:
            found = type(error)
        assert found == expected, (found, expected)


def check_layout(draws: Draws) -> None:
    """Apply a function to a column in a random layout, and to its rows as a list."""
    import pyarrow as pa

    rows: list[str | None] = [
        draws.choice((text, text, None))
        for _ in range(draws.randrange(5))
        for text in draws.strings("IRI-reference")
    ]
    octets = (
        [None if row is None else row.encode("utf-8", "surrogateescape") for row in rows]
        if all(encodable(row) for row in rows)
        else [draws.rest()]
    )
    texts = [None if row is None else decoded_row(row) for row in octets]
    layout = draws.choice(LAYOUTS)
    column: Any = pa.array(octets, pa.binary()).view(pa.string())
    if layout == "large_string":
        column = pa.array(octets, pa.large_binary()).view(pa.large_string())
    elif layout == "string_view":
        column = pa.array(octets, pa.binary_view()).view(pa.string_view())
    elif layout == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([*range(len(octets))], pa.int8()), column)
    elif layout == "slice":
        column = pa.chunked_array([column.slice(1), column])
        texts = texts[1:] + texts
    function = getattr(columns, draws.choice(FUNCTIONS))
    result = pa.chunked_array(function(column))
    result.validate(full=True)
    assert result.to_pylist() == function(texts).to_pylist()


def encodable(row: str | None) -> bool:
    """Whether surrogates in a row can be written as octets."""
    return row is None or (
        decoded(row.encode("utf-8", "surrogatepass")) is not None
        and not any(
            "\ud800" <= character <= "\udc7f" or "\udd00" <= character <= "\udfff"
            for character in row
        )
    )


def decoded_row(row: bytes) -> str:
    """Return the string that a column function reads from these octets."""
    return row.decode("utf-8", "surrogateescape")
