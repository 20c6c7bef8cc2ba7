"""Arrow producers that lie, in all layouts: the results are those of single rows, or an error."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from arrow_producers import KINDS, Streamed, broken_at_random, hosts, lies
from draws import Draws, decoded

from uriverse import ColumnError, URIError, columns
from uriverse.columns import Expression, _execution
from uriverse.columns._buffers import kernel_of_columns
from uriverse.columns._registry import FUNCTIONS, ColumnFunction
from uriverse.columns._templates import expand_row
from uriverse.templates import Template

#: Invalid values for members of arrays and schemas. Only lies that can be detected are listed: the
#: interface has no buffer sizes.
LIES = tuple(lies())

#: Generating strings takes longer than a column function, so that several use the same strings.
FUNCTIONS_AT_ONCE = 6

LAYOUTS = ("string", "large_string", "string_view", "dictionary", "slice")

#: The default list of public suffixes is in a package of its own.
WITHOUT = () if find_spec("publicsuffixlist") else ("suffixes",)

#: The column functions. Those with two columns have more possible inputs, and are drawn more often.
EVERY = tuple(
    function
    for function in FUNCTIONS.values()
    if not any(option.name in WITHOUT for option in function.options)
    for _ in range(len(function.inputs) ** 2)
)

#: Templates with the variables of `ORDERS`, which are orders of the columns.
TEMPLATES = ("{+a}{+b}{+c}", "http://h/{a}{/b*}{?c}", "{#a,b:3,c}")
ORDERS = ("a", "abc", "bca", "cab", "acb")

#: The name of a query parameter.
PARAM = re.compile("[?&]([^=&#]*)")

#: Values of options, besides those of the examples and the accepted strings.
VALUES: dict[str, tuple[object, ...]] = {
    "name": ("x", "", "a b", "\udcff"),
    "value": ("1", "", None, "a&b", [], ["1", "2"], ["1", None, "2"]),
    "names": (["x", "a b"], []),
    "keep": (["*x*"], ["?"]),
    "drop": ("x", ["a*", "*b"]),
    "host": ("h", "::1", "", None),
    "port": (0, "", None),
}


def check(data: bytes) -> None:
    """Read one column that is perhaps invalid, and one valid column in a random layout."""
    draws = Draws(data)
    buffers = buffers_in_use()
    if draws.randrange(4):
        check_layout(draws)
    else:
        check_lies(draws)
    assert buffers_in_use() == buffers, "a buffer leaks"


def buffers_in_use() -> int:
    """Return the number of buffers of columns that the kernel has not freed yet."""
    kernel = kernel_of_columns()
    return 0 if kernel is None else int(kernel._count_buffers_in_use())


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
    """Apply a function to a column in a random layout, and its Python function to each row."""
    import pyarrow as pa

    strings = draws.strings(*draws.randrange(5) * ("IRI-reference",))
    rows = [draws.choice((text, text, None)) for text in strings]
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
        places = [*range(len(octets))] * 2
        column = pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), column)
        texts += texts
    elif layout == "slice":
        column = pa.chunked_array([column.slice(1), column])
        texts = texts[1:] + texts
    expressions: dict[str, Expression] = {}
    expected: dict[str, list[Any]] = {}
    for number in range(FUNCTIONS_AT_ONCE):
        function = draws.choice(EVERY)
        options = options_for(function, texts, draws)
        inputs: list[list[str | None]] = [texts]
        second: Any = None
        call = _execution.bind_options(function.name, options)
        if len(function.inputs) > 1:
            bases = (None, "", function.example.base, *texts, *texts)
            second = valid_second(call, draws.choice(bases))
            inputs.insert(0, [second] * len(texts))
            if second is None or draws.randrange(2):
                inputs[0] = [draws.choice(bases) for _ in texts]
                second = column_of(inputs[0])
        name = f"{number}: {function.name} {options}"
        expressions[name] = Expression(function.name, options, second)
        expected[name] = results_by_row(function, options, inputs)
        columns_given = [column] if second is None else [second, column]
        result = pa.chunked_array(_execution.execute_call(call, *columns_given))
        result.validate(full=True)
        assert result.to_pylist() == expected[name], (name, texts)
        assert pa.array(_execution.execute_call(call, *columns_given)).equals(
            result.combine_chunks()
        )
    check_expansion(column, texts, draws)
    selected = pa.chunked_array(columns.select(column, expressions))
    selected.validate(full=True)
    for row, fields in enumerate(selected.to_pylist()):
        assert fields == {name: rows[row] for name, rows in expected.items()}, (row, texts)


def valid_second(call: _execution.Call, text: str | None) -> str | None:
    """Return a base or another URI for all rows; `None` if the function rejects it."""
    with suppress(URIError):
        call.check_string(text or "")
        return text
    return None


def check_expansion(column: Any, texts: list[str | None], draws: Draws) -> None:
    """Expand a template with a column, and with strings and other columns in any order."""
    import pyarrow as pa

    template = Template(draws.choice(TEMPLATES))
    given: dict[str, Any] = {}
    rows: dict[str, list[str | None]] = {}
    for name in draws.choice(ORDERS):
        drawn = [draws.choice(texts) for _ in texts]
        one = draws.choice((None, "", "a b", *texts))
        rows[name] = drawn if one is None else [one] * len(texts)
        given[name] = column_of(drawn) if one is None else one
        if name == "a":
            rows[name], given[name] = texts, column
    layout: Any = draws.choice((None, "string", "large_string", "string_view"))
    result = pa.chunked_array(columns.expand(template, given, layout=layout))
    result.validate(full=True)
    strings = zip(*rows.values(), strict=True)
    assert result.to_pylist() == [
        expand_row(*row, template=template, names=tuple(rows)) for row in strings
    ], (template, given)


def results_by_row(
    function: ColumnFunction, options: dict[str, Any], inputs: list[list[str | None]]
) -> list[Any]:
    """Return the results of the Python function for each row, as Arrow writes them."""
    row_of = _execution.bind_options(function.name, options).row
    rows = [None if None in strings else row_of(*strings) for strings in zip(*inputs, strict=True)]
    if function.result == "pairs":
        names = ("key", "value")
        rows = [row and [dict(zip(names, pair, strict=True)) for pair in row] for row in rows]
    return rows


def column_of(rows: list[str | None]) -> Any:
    """Return a column of strings, in which surrogate escapes become octets again."""
    import pyarrow as pa

    octets = [None if row is None else row.encode("utf-8", "surrogateescape") for row in rows]
    return pa.array(octets, pa.binary()).view(pa.string())


def options_for(function: ColumnFunction, texts: list[str | None], draws: Draws) -> dict[str, Any]:
    """Return options of a column function: those of its example, the defaults, or other values.

    Names of parameters are often those of the strings.
    """
    names = [name for text in texts for name in PARAM.findall(text or "")]
    chosen: dict[str, Any] = {}
    for option in function.options:
        values: list[Any] = [*(option.choices or VALUES.get(option.name, ()))]
        if option.name == "name":
            values += names
        elif option.name in {"names", "keep", "drop"}:
            values += [[name] for name in names]
        if option.type == "bool":
            values += [True, False]
        if option.name in function.example.options:
            values.append(function.example.options[option.name])
        if values and (option.required or draws.randrange(2)):
            chosen[option.name] = draws.choice(values)
    return chosen


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
