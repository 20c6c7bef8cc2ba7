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

from ._arrow import Array, Column, Shape, schema_of
from ._buffers import FULL, kernel_of_columns
from ._execution import Call, base_first, bind, execute_on, fixed_shape
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

    Attributes:
        name: the name of the SQL function.
        function: the column function.
        preset: the options that the SQL function sets.
        inputs: the number of columns.
    """

    def __init__(self, name: str, function: ColumnFunction, preset: Mapping[str, Any]) -> None:
        self.name = name
        self.function = function
        self.preset = preset
        self.inputs = len(function.inputs)
        self._last: tuple[Names, list[Any], Call] | None = None

    def __call__(self, arguments: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
        """Run the function on Arrow arrays of the same length, and return an Arrow array.

        A row is null if one of its arguments is null.

        Args:
            arguments: the columns, then the options. The last one may be an array of structs with
                options by name. A null in a field of a struct means the default value, or `None`
                for an option without a default value.
            named: further options, by name.

        Raises:
            TypeError: a required option is missing, or an option is unknown or has the wrong type.
            ValueError: an option has an invalid value.
        """
        if len(arguments) == self.inputs and not named:
            return self._over(self._without_options, [whole(column) for column in arguments])
        named = named or {}
        columns = [whole(column) for column in arguments[: self.inputs]]
        options = [whole(option) for option in (*arguments[self.inputs :], *named.values())]
        names = (*(None for _ in arguments[self.inputs :]), *named)
        if not len(columns[0]):
            return self._nulls(0)
        call = self._bound_before(names, options)
        if call is not None:
            return self._over(call, columns)
        if not all(map(has_one_value, options)):
            return self._over_groups(columns, names, options)
        call = self._call(names, [option[0].as_py() for option in options])
        if call is None:
            return self._nulls(len(columns[0]))
        self._last = names, options, call
        return self._over(call, columns)

    def _nulls(self, rows: int) -> Any:
        return pa.nulls(rows, self.type)

    @property
    def type(self) -> Any:
        """The Arrow type of the result, with 32-bit offsets of strings."""
        return pa.field(schema_of(self.shape, "string")).type

    @property
    def shape(self) -> Shape:
        """The type of the result, which cannot depend on an option."""
        return "text" if self.function.row_in_sql else fixed_shape(self.function)

    # --- options

    @cached_property
    def _without_options(self) -> Call:
        return bound(self, (), (), "")

    def _bound_before(self, names: Names, options: list[Any]) -> Call | None:
        """Return the column function of the last call, if that call had the same options.

        An engine passes the same constants in every batch of a query.
        """
        if self._last is None:
            return None
        last_names, last_options, call = self._last
        if last_names != names:
            return None
        same = all(now.equals(then) for now, then in zip(options, last_options, strict=True))
        return call if same else None

    def _call(self, names: Names, values: Sequence[Any]) -> Call | None:
        """Return the column function with the options of a row; `None` if an option is null.

        Args:
            names: the names of the options.
            values: the values of the options; a `dict` for a struct with options by name.
        """
        if None in values:
            return None
        given = list(zip(names, values, strict=True))
        unnamed = [value for name, value in given if name is None]
        named: dict[str, Any] = {}
        if unnamed and isinstance(unnamed[-1], dict):
            struct = cast("dict[str, Any]", unnamed.pop())
            required = {option.name for option in self.function.sql_options if option.required}
            named = {
                name: value
                for name, value in struct.items()
                if value is not None or name in required
            }
        named |= {name: value for name, value in given if name is not None}
        by_name = tuple((name, frozen(value)) for name, value in named.items())
        return bound(self, frozen(unnamed), by_name, repr(values))

    # --- rows

    def _over(self, call: Call, arrays: list[Any]) -> Any:
        """Run a column function on Arrow arrays, in this thread."""
        function = self.function
        inputs = [(array, False) for array in arrays]
        if function.second:
            at = function.inputs.index(function.second)
            # A constant is parsed only once.
            if has_one_value(arrays[at]):
                inputs[at] = (arrays[at][:1], True)
            inputs = list(base_first(function.name, inputs))
        return in_one_call(call, inputs, len(arrays[0])) or in_pieces(call, inputs)

    def _over_groups(self, columns: list[Any], names: Names, options: list[Any]) -> Any:
        """Run the function with options that differ from row to row."""
        # All rows with the same options are computed at once.
        groups: dict[str, tuple[tuple[Any, ...], list[int]]] = {}
        for row, values in enumerate(zip(*(each.to_pylist() for each in options), strict=True)):
            groups.setdefault(repr(values), (values, []))[1].append(row)
        columns = [selectable(column) for column in columns]
        results: list[Any] = []
        places: list[int | None] = [None] * len(columns[0])
        done = 0
        for values, rows in groups.values():
            call = self._call(names, values)
            if call is not None:
                results.append(
                    self._over(call, [column.take(pa.array(rows)) for column in columns])
                )
                for place, row in enumerate(rows, done):
                    places[row] = place
                done += len(rows)
        if not results:
            return self._nulls(len(columns[0]))
        return pa.concat_arrays(results).take(pa.array(places, pa.int64()))


#: All SQL functions by name.
SQL_FUNCTIONS: dict[str, SQLFunction] = {
    name: SQLFunction(name, function, options)
    for function in FUNCTIONS.values()
    for name, options in function.sql_functions.items()
}


def run_in_sql(name: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    return SQL_FUNCTIONS[name](arguments, named)


@lru_cache(maxsize=128)
def bound(
    of: SQLFunction,
    unnamed: tuple[Any, ...],
    named: tuple[tuple[str, Any], ...],
    written: str,  # noqa: ARG001  # part of the key of the cache
) -> Call:
    """Bind options to a SQL function.

    Args:
        of: the SQL function.
        unnamed: the values of the first positional options.
        named: the names and values of other options.
        written: the `repr` of all values. The cache must not confuse equal values that differ as
            strings, such as 1, 1.0 and `True`.

    Raises:
        TypeError: a required option is missing, or an option is unknown or has the wrong type.
        ValueError: an option has an invalid value.
    """
    function = of.function
    known = [option.name for option in function.sql_options]
    positional = function.sql_arguments
    names = [option.name for option in positional]
    usage = f"the options of {of.name} are {', '.join(known)}"
    if len(unnamed) > len(names):
        how = f"write {{'{known[0]}': ...}} in DuckDB, and {known[0]} => ... in Spark"
        raise TypeError(f"too many options without a name; {usage}; {how}")
    given = dict(zip(names, unnamed, strict=False))
    for name, value in named:
        if name not in known or name in given:
            wrong = "duplicate" if name in given else "unknown"
            raise TypeError(f"{wrong} option {quote_argument(name)}; {usage}")
        given[name] = value
    options = {**of.preset, **given}
    for option in positional:
        if option.required and option.name not in options:
            raise TypeError(f"{of.name} requires the argument {option.name}")
    if function.row_in_sql is None:
        return bind(function.name, options)
    return Call("text", partial(function.row_in_sql, **function.checked(options)))


def frozen(value: Any) -> Any:
    """Return a value of an option as a key of a dictionary: lists become tuples.

    Raises:
        TypeError: the value is a struct.
    """
    if isinstance(value, dict):
        raise TypeError("only the last argument may be a struct, and its fields may not be structs")
    return tuple(map(frozen, cast("list[object]", value))) if isinstance(value, list) else value


# --- arrays


def whole(given: Any) -> Any:
    """Return an Arrow array without chunks."""
    if not isinstance(given, pa.ChunkedArray):
        return given
    return given.chunk(0) if given.num_chunks == 1 else given.combine_chunks()


def has_one_value(array: Any) -> bool:
    """Return whether all rows of an Arrow array have the same value, or all are null."""
    same: bool = array[1:].equals(array[:-1])
    return same


def selectable(array: Any) -> Any:
    """Return an Arrow array of which pyarrow can select rows: it cannot for string views."""
    return array.cast(pa.large_string()) if pa.types.is_string_view(array.type) else array


def in_one_call(call: Call, inputs: list[tuple[Any, bool]], rows: int) -> Any:
    """Run a column function in one call of the compiled kernel, if possible.

    For a small batch, `execute_on` would take longer to prepare the call than the kernel takes to
    compute it.

    Args:
        call: the function with its options.
        inputs: the arrays, and whether each has one row that is repeated for all rows.
        rows: the number of rows.

    Returns:
        The Arrow array; `None` if the function, its options or the types of the arrays require
        `execute_on`.
    """
    kernel = kernel_of_columns()
    if kernel is None or call.arguments is None or not rows:
        return None
    sources: list[tuple[Any, int, bool]] = []
    layout: Layout = "string"
    for array, repeated in inputs:
        if array.type.id not in OFFSETS:
            return None
        # As in `execute_on`, the last column has the layout of the result.
        layout, code = OFFSETS[array.type.id]
        valid, places, data = array.buffers()
        buffers = (valid or b"", memoryview(places).cast(code), data or b"")
        sources.append((kernel.Rows(layout, len(array), array.offset, buffers), 0, repeated))
    if call.selected:
        functions = tuple(one.in_kernel(kernel) for one in call.selected)
        if None in functions:
            return None
        fields, done = kernel.apply_each(functions, sources[-1][:2], rows, layout, FULL)
        made = kernel.made_of(done, 0, (None,), tuple(fields))
    else:
        made, done = kernel.apply(
            call.name, tuple(sources), rows, layout, call.row, call.arguments, FULL
        )
    if done < rows:
        return None
    return pa.array(Array(call.shape, schema_of(call.shape, layout), [made]))


def in_pieces(call: Call, inputs: list[tuple[Any, bool]]) -> Any:
    columns = [(Column(array), repeated) for array, repeated in inputs]
    return whole(pa.chunked_array(execute_on(call, columns, layout=None, threads=1)))
