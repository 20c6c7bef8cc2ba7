"""Apply a column function to one column of a table, and add the results as new columns.

A `Plan` contains only plain data, so it can be pickled and sent to other processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

from uriverse import columns
from uriverse._quoting import quoted
from uriverse.columns import FUNCTIONS, OPERATIONS
from uriverse.columns._execution import is_string, run
from uriverse.columns._selecting import Expression, expressions_of
from uriverse.typing import Operation

from ._batches import scalar_of
from ._found_columns import TableError, number_of, text_column
from ._options import OPERATIONS_OF
from ._plan_options import Options
from ._presets import PRESETS, with_preset

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The schema of bad rows: the row number in the batch, the string, and the error.
BAD_ROWS: Schema = pa.schema(
    [
        ("row", pa.int64()),
        ("text", pa.large_string()),
        ("error", pa.large_string()),
        ("error_position", pa.int32()),
    ]
)


#: The second inputs of operations, in error messages.
NOUNS = {"base": "a base", "other": "another URI"}


class Outcome(NamedTuple):
    """The output of a column function for one batch of rows, and the bad rows of the batch.

    Attributes:
        batch: the kept columns, followed by the results.
        bad_rows: the bad rows, with the schema `BAD_ROWS`. Row numbers start at 0.
    """

    batch: RecordBatch
    bad_rows: RecordBatch


Outcome.__module__ = "uriverse.tables"


@dataclass(frozen=True, slots=True)
class Plan:
    """A column function with its options, and the columns to keep in the output.

    Call a plan with a pyarrow `RecordBatch` to apply the function to the batch. The result of a row
    is null if its string is null or invalid.

    Attributes:
        op: the name of the column function, with dashes: `"host"`, `"is-valid"`; or `"select"` for
            several results, or for none if the plan only filters rows.
        column: the name of the column that contains the strings.
        options: the options of the operation that differ from the defaults.
        keep: the names of the columns to keep before the results; `None` for all columns.
        prefix: a prefix for the names of the result columns.
        replace: whether the result takes the place of the strings: the output has it at the
            position of `column`, under that name. Of several results, the one with the name of the
            column does so.
        where: an expression whose result is true for the rows to process. All other rows are
            missing in the output; they are not bad. `None` to process all rows.
        drop_bad: whether bad rows are missing in the output.

    Raises:
        TableError: the operation or the preset is unknown, a required option is missing, the
            operation does not have an option, or the result of `where` is not boolean.

    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"n": [1, 2], "url": ["http://a/b", "a b"]})
    >>> Plan("host", "url")(batch).to_pylist()
    [{'n': 1, 'url': 'http://a/b', 'host': 'a'}, {'n': 2, 'url': 'a b', 'host': None}]
    >>> Plan("host", "url", keep=("n",), prefix="url_").schema(batch.schema).names
    ['n', 'url_host']
    >>> Plan("is-valid", "url", {"grammar": "uri"}, keep=())(batch).to_pylist()
    [{'is_valid': True}, {'is_valid': False}]
    >>> from uriverse.columns import uri
    >>> results = {"host": uri.host(), "depth": uri.path_depth()}
    >>> Plan("select", "url", {"results": results}, keep=())(batch).to_pylist()
    [{'host': 'a', 'depth': 1}, {'host': None, 'depth': None}]
    >>> Plan("normalize", "url", replace=True, where=uri.is_valid())(batch).to_pylist()
    [{'n': 1, 'url': 'http://a/b'}]
    """

    __module__ = "uriverse.tables"

    op: Operation | Literal["select"]
    column: str
    options: Options | None = None
    keep: tuple[str, ...] | None = None
    prefix: str = ""
    replace: bool = False
    where: Expression | None = None
    drop_bad: bool = False

    def __post_init__(self) -> None:
        given = self.given
        if self.where is not None:
            self._check_condition(self.where)
        if self.op == "select":
            self._check_results()
            return
        if self.op not in OPERATIONS:
            names = ", ".join([*OPERATIONS, "select"])
            raise TableError(f"unknown operation {quoted(self.op)}; use {names}")
        function = OPERATIONS[self.op]
        for name in given:
            if self.op not in (operations := OPERATIONS_OF.get(name, ())):
                names = ", ".join(operations) or "no operation"
                raise TableError(f"{self.op} has no option {quoted(name)}; it is for {names}")
        second = function.second
        if second and (second in given) == (f"{second}_column" in given):
            noun = NOUNS[second]
            raise TableError(f"{self.op} needs {noun}; set either {second} or {second}_column")
        for option in function.options:
            if option.required and option.name not in given:
                raise TableError(f"{self.op} needs the option {option.name!r}")
        if given.get("preset", "ecs") not in PRESETS:
            raise TableError(f"unknown preset {quoted(given['preset'])}; use {', '.join(PRESETS)}")

    def _check_results(self) -> None:
        if self.given.keys() != {"results"}:
            raise TableError("select needs the option 'results', and has no other")
        if not self.given["results"] and (self.where is not None or self.drop_bad):
            # The plan only filters rows.
            return
        try:
            expressions = expressions_of(self.given["results"], {})
        except (TypeError, ValueError) as error:
            raise TableError(str(error)) from None
        for name, expression in expressions.items():
            if has_column(expression):
                raise TableError(f"the base or the other URI of {quoted(name)} must be a string")

    @staticmethod
    def _check_condition(where: Expression) -> None:
        if not isinstance(where, Expression):
            given = type(where).__name__
            raise TableError(f"where must be an expression such as uri.is_valid(), not {given}")
        if FUNCTIONS[where.function].result != "flag":
            flags = (name for name, function in FUNCTIONS.items() if function.result == "flag")
            raise TableError(
                f"the result of {where.function} is not boolean; filter rows by {', '.join(flags)}"
            )
        if has_column(where):
            raise TableError("the base or the other URI of where must be a string")

    @property
    def given(self) -> Mapping[str, Any]:
        """The options by name, empty for `None`."""
        return self.options or {}

    def schema(self, schema: Schema) -> Schema:
        """Return the schema of the output for a table with the given schema.

        Args:
            schema: the pyarrow schema of the table.

        Raises:
            TableError: a column is missing, occurs twice or does not contain strings; or a result
                has the same name as a kept column.

        >>> import pyarrow as pa
        >>> Plan("host", "url", prefix="url_").schema(pa.schema({"url": pa.string()})).names
        ['url', 'url_host']
        """
        empty = pa.record_batch([pa.nulls(0, field.type) for field in schema], schema=schema)
        return self(empty).schema

    def needed(self, schema: Schema) -> list[str]:
        """Return the names of the columns that this plan reads from a table.

        Args:
            schema: the pyarrow schema of the table.

        >>> import pyarrow as pa
        >>> schema = pa.schema({"id": pa.int64(), "url": pa.string()})
        >>> Plan("host", "url", keep=()).needed(schema)
        ['url']
        """
        kept = schema.names if self.keep is None else self.keep
        second = [] if self.second_column is None else [self.second_column]
        return list(dict.fromkeys([*kept, self.column, *second]))

    @property
    def second_column(self) -> str | None:
        """The name of the column with the second input of each row; `None` without one."""
        name: str | None = self.given.get("base_column", self.given.get("other_column"))
        return name

    def __call__(self, batch: RecordBatch) -> RecordBatch:
        """Apply the column function to a pyarrow `RecordBatch`.

        Returns:
            A `RecordBatch` with the kept columns, followed by the results.

        Raises:
            TableError: the batch does not have the columns that the plan needs; see `schema`.

        >>> import pyarrow as pa
        >>> batch = pa.record_batch({"url": ["http://a.example/b"]})
        >>> Plan("host", column="url")(batch).to_pydict()
        {'url': ['http://a.example/b'], 'host': ['a.example']}
        """
        return self.outcome(batch).batch if self.drop_bad else self.transformed(batch)[0]

    def outcome(self, batch: RecordBatch) -> Outcome:
        """Apply the column function to a pyarrow `RecordBatch`, and find the bad rows.

        A row is bad if its string is invalid, or if its result is null although neither the string
        nor the second input is null. Rows that `where` removes are not bad.

        Args:
            batch: the batch.

        Raises:
            TableError: the batch does not have the columns that the plan needs; see `schema`.

        >>> import pyarrow as pa
        >>> Plan("host", "url").outcome(pa.record_batch({"url": ["a b"]})).bad_rows.to_pylist()
        [{'row': 0, 'text': 'a b', 'error': 'path', 'error_position': 1}]
        """
        result, good, places = self.transformed(batch)
        wanted = batch if places is None else batch.take(places)
        suspects = pc.and_not(pc.is_valid(wanted.column(self.column)), good)
        if self.second_column is not None:
            suspects = pc.and_(suspects, pc.is_valid(wanted.column(self.second_column)))
        bad = self.bad_rows(wanted, suspects)
        if self.drop_bad and bad.num_rows:
            result = result.filter(without(bad.column("row"), result.num_rows))
        if places is not None:
            bad = bad.set_column(0, "row", places.take(bad.column("row")).cast(pa.int64()))
        return Outcome(result, bad)

    def transformed(self, batch: RecordBatch) -> tuple[RecordBatch, Column, Column | None]:
        """Apply the column function to the wanted rows of a batch.

        Return a batch with the kept columns and the results; a mask that is true for its rows that
        certainly have no error; and the numbers of its rows in the given batch, or `None` if it has
        all of them.
        """
        places = None
        if self.where is not None:
            places = self.wanted(text_column(batch, self.column))
            batch = batch.take(places)
        schema = batch.schema
        kept = schema.names if self.keep is None else self.keep
        output: dict[str, tuple[Any, Column]] = {
            name: (schema.field(number_of(schema, name)), batch.column(name)) for name in kept
        }
        results, good = self.results(batch)
        if self.replace:
            replacement = self.replacement(results, kept)
            output[self.column] = (pa.field(self.column, replacement.type), replacement)
        for name, column in results.items():
            new = self.prefix + name
            if new in output:
                raise TableError(
                    f"the table already has a column {quoted(new)}; do not keep it, or set a prefix"
                )
            output[new] = (pa.field(new, column.type), column)
        arrays = [column for _, column in output.values()]
        fields = [field for field, _ in output.values()]
        made = pa.record_batch(arrays, schema=pa.schema(fields, schema.metadata))
        return made, good, places

    def wanted(self, strings: Column) -> Column:
        """Return the numbers of the rows for which the result of `where` is true."""
        assert self.where is not None
        flags = columns.select(strings, {"wanted": self.where}, threads=1).to_pyarrow()
        return pc.indices_nonzero(flags.field("wanted"))

    def replacement(self, results: dict[str, Column], kept: Iterable[str]) -> Column:
        """Remove the result that takes the place of the strings from all results, and return it."""
        if self.column not in kept:
            raise TableError(f"column {quoted(self.column)} is not kept, so it cannot be replaced")
        name = self.column if len(results) > 1 else next(iter(results))
        if name not in results:
            raise TableError(
                f"column {quoted(self.column)} cannot be replaced by {len(results)} results; "
                "give one of them the name of the column"
            )
        return results.pop(name)

    def results(self, batch: RecordBatch) -> tuple[dict[str, Column], Column]:
        """Run the column function on a batch, and find the rows that certainly have no error.

        Return the result columns by name, and a mask that is true for the rows that certainly have
        no error.
        """
        strings = text_column(batch, self.column)
        if self.op == "select":
            return self.selected(strings)
        function = OPERATIONS[self.op]
        if function.result == "fields":
            return self.parsed(strings)
        second = self.given.get(function.second or "")
        if self.second_column is not None:
            second = text_column(batch, self.second_column, f"{function.second} column")
        inputs = tuple(second if name == function.second else strings for name in function.inputs)
        result = run(function.name, inputs, self.given, threads=1).to_pyarrow()
        if function.result == "flag":
            good = true_in(pc.invert(result) if function.finds_invalid else result)
        elif function.result == "texts":
            good = true_in(pc.invert(pc.list_value_length(result).cast(pa.bool_())))
        elif function.result == "decision_fields":
            good = true_in(result.field("allowed"))
        else:
            good = pc.is_valid(result)
        return {function.name: result}, good

    def selected(self, strings: Column) -> tuple[dict[str, Column], Column]:
        """Compute several results for a column of strings, and find the valid rows.

        Return the result columns by name, and a mask that is true for valid rows.
        """
        results = self.given["results"]
        # No other result has this name, which is longer than all of them.
        validity = f"{''.join(results)} is valid"
        every = {**results, validity: columns.uri.is_valid()}
        found = columns.select(strings, every, threads=1)
        fields = dict(zip(every, found.to_pyarrow().flatten(), strict=True))
        return fields, true_in(fields.pop(validity))

    def parsed(self, strings: Column) -> tuple[dict[str, Column], Column]:
        """Parse a column of strings, and find the valid rows.

        Return the result columns by name, and a mask that is true for valid rows. If the plan has
        a preset, the columns are those of its output schema.
        """
        if preset := self.given.get("preset"):
            grammar = self.given.get("grammar", "iri-reference")
            return with_preset(preset, strings, grammar)
        parsed = run("parse", (strings,), self.given, threads=1).to_pyarrow()
        fields: dict[str, Column] = dict(zip(columns.FIELDS, parsed.flatten(), strict=True))
        # Every valid row has a path, which may be empty.
        return fields, pc.is_valid(fields["path"])

    def bad_rows(self, batch: RecordBatch, suspects: Column) -> RecordBatch:
        """Return the bad rows of a batch, with the schema `BAD_ROWS`.

        Args:
            batch: the batch.
            suspects: a mask of the rows to check.
        """
        rows = pc.indices_nonzero(suspects)
        strings = text_column(batch, self.column).take(rows)
        function = None if self.op == "select" else OPERATIONS[self.op]
        options = {**self.given, "fields": ["error", "error_position"]}
        error, position = run("parse", (strings,), options, threads=1).to_pyarrow().flatten()
        if function is not None and not function.of_identifiers:
            error, position = pa.nulls(len(rows), error.type), pa.nulls(len(rows))
        reason = None if function is None else function.reason
        if reason is not None:
            error = pc.fill_null(error, scalar_of(reason).cast(error.type))
        arrays = (rows, strings, error, position)
        bad = pa.record_batch(
            [array.cast(field.type) for array, field in zip(arrays, BAD_ROWS, strict=True)],
            schema=BAD_ROWS,
        )
        return bad.filter(pc.is_valid(error))


def has_column(expression: Expression) -> bool:
    """Return whether the second input of an expression is a column, which no batch would fit."""
    return not (expression.second is None or is_string(expression.second))


def without(rows: Column, count: int) -> Column:
    """Return a mask for a batch with `count` rows that is true except for the given rows."""
    return pc.invert(pc.is_in(pa.arange(0, count), rows))


def true_in(flags: Column) -> Column:
    """Return a boolean column with False instead of nulls."""
    return pc.coalesce(flags, pc.is_valid(flags))
