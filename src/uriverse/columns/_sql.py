"""The column functions as SQL functions, whose options are arguments of each row.

DuckDB and Spark pass every argument as an Arrow array, even a constant. The adapters for both use
this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from importlib import import_module
from typing import Any, Literal, cast

from uriverse._errors import quote_argument
from uriverse.typing import Layout

from ._arrow import Array, Column, Shape, create_schema
from ._buffers import FULL, kernel_of_columns
from ._execution import Call, bind_options, execute_on_columns, get_default_shape, order_inputs
from ._registry import FUNCTIONS, ColumnFunction

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: The names of the options in a call; `None` for an option without a name.
Names = tuple[str | None, ...]

#: The layout, and the format character of the offsets, for the most common types of pyarrow.
OFFSETS: dict[int, tuple[Layout, Literal["i", "q"]]] = {
    pa.string().id: ("string", "i"),
    pa.large_string().id: ("large_string", "q"),
}


class SQLFunction:
    """A column function whose options are arguments, and which takes and returns Arrow arrays.

    DuckDB passes only 2048 rows at once, so a call must not cost more than a few microseconds.
    """

    def __init__(self, name: str, function: ColumnFunction, preset: Mapping[str, Any]) -> None:
        self.name = name
        self.function = function
        self.preset = preset
        self.n_columns = len(function.inputs)
        self._last_call: tuple[Names, list[Any], Call] | None = None

    def __call__(self, arguments: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
        """Run the function on Arrow arrays of the same length, and return an Arrow array.

        A row is null if one of its arguments is null.

        The arguments are the columns, then the options. The last one may be an array of structs
        with options by name. A null in a field of a struct means the default value, or `None` for
        an option without a default value.
        """
        columns = [combine_chunks(column) for column in arguments[: self.n_columns]]
        if len(arguments) == self.n_columns and not named:
            return self._run_call(self._without_options, columns)
        if not len(columns[0]):
            return self._create_nulls(0)
        named = named or {}
        unnamed = arguments[self.n_columns :]
        options = [combine_chunks(option) for option in (*unnamed, *named.values())]
        names = (*(None for _ in unnamed), *named)
        call = self._reuse_last_call(names, options)
        if call is not None:
            return self._run_call(call, columns)
        if not all(map(has_one_value, options)):
            return self._run_groups(columns, names, options)
        call = self._bind_row_options(names, [option[0].as_py() for option in options])
        if call is None:
            return self._create_nulls(len(columns[0]))
        self._last_call = names, options, call
        return self._run_call(call, columns)

    def _create_nulls(self, rows: int) -> Any:
        return pa.nulls(rows, self.type)

    @property
    def type(self) -> Any:
        return pa.field(create_schema(self.shape, "string")).type

    @property
    def shape(self) -> Shape:
        """The type of the result, which cannot depend on an option."""
        return "text" if self.function.row_in_sql else get_default_shape(self.function)

    # --- options

    @cached_property
    def _without_options(self) -> Call:
        return bind_sql_options(self, (), (), "")

    def _reuse_last_call(self, names: Names, options: list[Any]) -> Call | None:
        """Return the column function of the last call, if that call had the same options.

        An engine passes the same constants in every batch of a query.
        """
        if self._last_call is None:
            return None
        last_names, last_options, call = self._last_call
        if last_names != names:
            return None
        pairs = zip(options, last_options, strict=True)
        has_same_options = all(option.equals(last_option) for option, last_option in pairs)
        return call if has_same_options else None

    def _bind_row_options(self, names: Names, values: Sequence[Any]) -> Call | None:
        """Return the column function with the options of a row; `None` if an option is null."""
        if None in values:
            return None
        arguments = list(zip(names, values, strict=True))
        unnamed = [value for name, value in arguments if name is None]
        named: dict[str, Any] = {}
        if unnamed and isinstance(unnamed[-1], dict):
            # A null in a field means the default value, if the option has one.
            struct = cast("dict[str, Any]", unnamed.pop())
            required = {option.name for option in self.function.sql_options if option.required}
            named = {
                name: value
                for name, value in struct.items()
                if value is not None or name in required
            }
        named |= {name: value for name, value in arguments if name is not None}
        by_name = tuple((name, freeze_value(value)) for name, value in named.items())
        return bind_sql_options(self, freeze_value(unnamed), by_name, repr(values))

    # --- rows

    def _run_call(self, call: Call, arrays: list[Any]) -> Any:
        function = self.function
        # Each array, and whether its only row is repeated.
        inputs = [(array, False) for array in arrays]
        if function.second:
            index = function.inputs.index(function.second)
            # A constant is parsed only once.
            if has_one_value(arrays[index]):
                inputs[index] = (arrays[index][:1], True)
            inputs = list(order_inputs(function.name, inputs))
        return try_single_call(call, inputs, len(arrays[0])) or run_in_ranges(call, inputs)

    def _run_groups(self, columns: list[Any], names: Names, options: list[Any]) -> Any:
        """Run the function with options that differ from row to row.

        All rows with the same options are computed at once.
        """
        groups: dict[str, tuple[tuple[Any, ...], list[int]]] = {}
        for row, values in enumerate(zip(*(option.to_pylist() for option in options), strict=True)):
            _, rows = groups.setdefault(repr(values), (values, []))
            rows.append(row)
        columns = [make_selectable(column) for column in columns]
        results: list[Any] = []
        # For each row, the index of its result; `None` for null.
        indices: list[int | None] = [None] * len(columns[0])
        n_results = 0
        for values, rows in groups.values():
            call = self._bind_row_options(names, values)
            if call is None:
                continue
            results.append(
                self._run_call(call, [column.take(pa.array(rows)) for column in columns])
            )
            for index, row in enumerate(rows, n_results):
                indices[row] = index
            n_results += len(rows)
        if not results:
            return self._create_nulls(len(columns[0]))
        return pa.concat_arrays(results).take(pa.array(indices, pa.int64()))


#: All SQL functions by name.
SQL_FUNCTIONS: dict[str, SQLFunction] = {
    name: SQLFunction(name, function, options)
    for function in FUNCTIONS.values()
    for name, options in function.sql_functions.items()
}


def run_in_sql(name: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    return SQL_FUNCTIONS[name](arguments, named)


@lru_cache(maxsize=128)
def bind_sql_options(
    sql_function: SQLFunction,
    unnamed: tuple[Any, ...],
    named: tuple[tuple[str, Any], ...],
    representation: str,  # noqa: ARG001  # part of the key of the cache
) -> Call:
    """Bind options to a SQL function.

    The `repr` of all values keeps the cache from confusing equal values that differ as strings,
    such as 1, 1.0 and `True`.
    """
    function = sql_function.function
    known_names = [option.name for option in function.sql_options]
    positional = function.sql_arguments
    positional_names = [option.name for option in positional]
    usage = f"the options of {sql_function.name} are {', '.join(known_names)}"
    if len(unnamed) > len(positional_names):
        first = known_names[0]
        advice = f"write {{'{first}': ...}} in DuckDB, and {first} => ... in Spark"
        raise TypeError(f"too many options without a name; {usage}; {advice}")
    arguments = dict(zip(positional_names, unnamed, strict=False))
    for name, value in named:
        if name not in known_names or name in arguments:
            fault = "duplicate" if name in arguments else "unknown"
            raise TypeError(f"{fault} option {quote_argument(name)}; {usage}")
        arguments[name] = value
    options = {**sql_function.preset, **arguments}
    for option in positional:
        if option.required and option.name not in options:
            raise TypeError(f"{sql_function.name} requires the argument {option.name}")
    if function.row_in_sql is None:
        return bind_options(function.name, options)
    return Call("text", partial(function.row_in_sql, **function.check_options(options)))


def freeze_value(value: Any) -> Any:
    """Return a value of an option as a key of a dictionary: lists become tuples."""
    if isinstance(value, dict):
        raise TypeError("only the last argument may be a struct, and its fields may not be structs")
    return (
        tuple(map(freeze_value, cast("list[object]", value))) if isinstance(value, list) else value
    )


# --- arrays


def combine_chunks(array: Any) -> Any:
    if not isinstance(array, pa.ChunkedArray):
        return array
    return array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()


def has_one_value(array: Any) -> bool:
    """Return whether all rows of an Arrow array have the same value, or all are null."""
    same: bool = array[1:].equals(array[:-1])
    return same


def make_selectable(array: Any) -> Any:
    """Return an Arrow array of which pyarrow can select rows: it cannot for string views."""
    return array.cast(pa.large_string()) if pa.types.is_string_view(array.type) else array


def try_single_call(call: Call, inputs: list[tuple[Any, bool]], rows: int) -> Any:
    """Run a column function in one call of the compiled kernel, if possible.

    For a small batch, `execute_on_columns` would take longer to prepare the call than the kernel
    takes to compute it. Return `None` if the function, its options or the types of the arrays
    require `execute_on_columns`. Each input is an array, and whether its only row is repeated.
    """
    kernel = kernel_of_columns()
    if kernel is None or call.arguments is None or not rows:
        return None
    # The rows of each array, the index of the first one, and whether it is repeated.
    sources: list[tuple[Any, int, bool]] = []
    layout: Layout = "string"
    for array, repeated in inputs:
        if array.type.id not in OFFSETS:
            return None
        # As in `execute_on_columns`, the last column has the layout of the result.
        layout, code = OFFSETS[array.type.id]
        valid, offsets, data = array.buffers()
        buffers = (valid or b"", memoryview(offsets).cast(code), data or b"")
        sources.append((kernel.Rows(layout, len(array), array.offset, buffers), 0, repeated))
    if call.selected:
        functions = tuple(function.get_kernel_function(kernel) for function in call.selected)
        if None in functions:
            return None
        strings, first_row, _ = sources[-1]
        fields, n_results = kernel.apply_each(functions, (strings, first_row), rows, layout, FULL)
        array = kernel.make_array(n_results, 0, (None,), tuple(fields))
    else:
        array, n_results = kernel.apply(
            call.name, tuple(sources), rows, layout, call.row, call.arguments, FULL
        )
    if n_results < rows:  # too long for one array
        return None
    return pa.array(Array(call.shape, create_schema(call.shape, layout), [array]))


def run_in_ranges(call: Call, inputs: list[tuple[Any, bool]]) -> Any:
    columns = [(Column(array), repeated) for array, repeated in inputs]
    return combine_chunks(
        pa.chunked_array(execute_on_columns(call, columns, layout=None, threads=1))
    )
