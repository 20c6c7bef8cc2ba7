"""What is done with a table: one of its columns read, and what comes of it beside the others.

A plan is plain data, so that it can be sent to where the rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from uriverse import columns
from uriverse.redaction import without_passwords
from uriverse.typing import Grammar, Operation, Preset

from .options import OPERATIONS
from .presets import PRESETS

# pyarrow says nothing of its types.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The operations that need a base, and what is said of a row where the text is not at fault.
RELATED = {"resolve": "base", "relativize": "unrelated"}

#: How many names of columns a message has at most.
NAMED = 20

#: The operations that read by a grammar which can be chosen.
GRAMMATICAL = ("parse", "is-valid")

#: What is told of a row that is bad: its number in the batch, and what is wrong with its text.
FAULTS: Schema = pa.schema(
    [
        ("row", pa.int64()),
        ("text", pa.large_string()),
        ("error", pa.large_string()),
        ("error_position", pa.int32()),
    ]
)


class TableError(ValueError):
    """What is planned can't be done with the table."""


class Done(NamedTuple):
    """What came of a batch.

    Attributes:
        batch: the columns that are kept, and the results.
        faults: its bad rows, as `FAULTS` has them; rows are counted from 0.
    """

    batch: RecordBatch
    faults: RecordBatch


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done with each batch of rows of a table.

    Attributes:
        op: what is done with the column.
        column: the name of the column of text that is read.
        keep: the names of the columns that stand before the results; `None` for all.
        prefix: what the names of the results begin with.
        preset: whose names and types the results of `"parse"` have; `None` for our own.
        grammar: the rule that `"parse"` and `"is-valid"` read by.
        base: for `"resolve"` and `"relativize"`, the base of all rows.
        base_column: instead of it, the name of the column of bases.
        scheme: whether `"normalize"` applies the rules of the scheme too.
        name: of the parameter that `"query-param"` looks for.
        profile: the profile of `"findings"`.

    Raises:
        TableError: an operation has not what it needs, or there is none of that name.

    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"n": [1, 2], "url": ["http://a/b", "a b"]})
    >>> Plan("host", "url")(batch).to_pylist()
    [{'n': 1, 'url': 'http://a/b', 'host': 'a'}, {'n': 2, 'url': 'a b', 'host': None}]
    >>> Plan("host", "url", keep=("n",), prefix="url_").schema(batch.schema).names
    ['n', 'url_host']
    """

    op: Operation
    column: str
    keep: tuple[str, ...] | None = None
    prefix: str = ""
    preset: Preset | None = None
    grammar: Grammar = "iri-reference"
    base: str | None = None
    base_column: str | None = None
    scheme: bool = False
    name: str | None = None
    profile: str = "generic"

    def __post_init__(self) -> None:
        if self.op not in OPERATIONS:
            raise TableError(f"an operation is one of {', '.join(OPERATIONS)}, not {self.op!r}")
        if self.op in RELATED and (self.base is None) == (self.base_column is None):
            raise TableError(f"{self.op} needs a base, or a column of them")
        if self.op == "query-param" and self.name is None:
            raise TableError("query-param needs the name of a parameter")
        if self.preset is not None and self.preset not in PRESETS:
            raise TableError(f"a preset is one of {', '.join(PRESETS)}, not {self.preset!r}")

    def schema(self, schema: Schema) -> Schema:
        """The schema of what comes of a table that has this one.

        Raises:
            TableError: a column is not there, or not once, or no text; or a result would have
                the name of a column that is kept.
        """
        empty = pa.record_batch([pa.nulls(0, field.type) for field in schema], schema=schema)
        return self(empty).schema

    def needed(self, schema: Schema) -> list[str]:
        """The names of the columns that are read, of a table that has this schema."""
        kept = schema.names if self.keep is None else self.keep
        bases = [] if self.base_column is None else [self.base_column]
        return list(dict.fromkeys([*kept, self.column, *bases]))

    def __call__(self, batch: RecordBatch) -> RecordBatch:
        """The columns that are kept, and the results.

        Raises:
            TableError: as for `schema`.
        """
        return self.made(batch)[0]

    def done(self, batch: RecordBatch) -> Done:
        """The same, and which of its rows are bad.

        Raises:
            TableError: as for `schema`.
        """
        made, answered = self.made(batch)
        doubtful = pc.and_not(pc.is_valid(batch.column(self.column)), answered)
        if self.base_column is not None:
            doubtful = pc.and_(doubtful, pc.is_valid(batch.column(self.base_column)))
        return Done(made, self.faults(batch, doubtful))

    def made(self, batch: RecordBatch) -> tuple[RecordBatch, Column]:
        """The columns that are kept and the results; and for each row if it has an answer."""
        schema = batch.schema
        kept = schema.names if self.keep is None else self.keep
        fields = [(schema.field(number_of(schema, name)), batch.column(name)) for name in kept]
        results, answered = self.results(batch)
        made = {self.prefix + name: column for name, column in results.items()}
        if twice := sorted(set(kept) & made.keys()):
            raise TableError(
                f"the table has a column {shown(twice[0])} already: "
                "do not keep it (--keep), or set a prefix (--prefix)"
            )
        fields += [(pa.field(name, column.type), column) for name, column in made.items()]
        arrays = [column for _, column in fields]
        return pa.record_batch(
            arrays, schema=pa.schema([field for field, _ in fields], schema.metadata)
        ), answered

    def results(self, batch: RecordBatch) -> tuple[dict[str, Column], Column]:
        """The results by their names; and for each row if it has an answer."""
        texts = text_column(batch, self.column)
        if self.op == "parse":
            return self.parsed(texts)
        base = self.base
        if self.op in RELATED and self.base_column is not None:
            base = text_column(batch, self.base_column, "--base-column")
        result = ACTS[self.op](self, texts, base).to_pyarrow()
        return {self.op.replace("-", "_"): result}, self.answered(result)

    def parsed(self, texts: Column) -> tuple[dict[str, Column], Column]:
        parsed = columns.parse(texts, self.grammar, threads=1).to_pyarrow()
        fields: dict[str, Column] = dict(zip(columns.FIELDS, parsed.flatten(), strict=True))
        # Every identifier has a path, if an empty one.
        answered = pc.is_valid(fields["path"])
        return fields if self.preset is None else PRESETS[self.preset](texts, fields), answered

    def answered(self, result: Column) -> Column:
        """For each row, if its result says that the text is well; false if it must be seen."""
        if self.op == "is-valid":
            return pc.fill_null(result, fill_value=False)
        if self.op == "findings":
            return pc.fill_null(pc.equal(pc.list_value_length(result), 0), fill_value=False)
        return pc.is_valid(result)

    def faults(self, batch: RecordBatch, doubtful: Column) -> RecordBatch:
        """Those of the rows in doubt that are bad, as `FAULTS` has them."""
        rows = pc.indices_nonzero(doubtful)
        texts = text_column(batch, self.column).take(rows)
        grammar: Grammar = self.grammar if self.op in GRAMMATICAL else "iri-reference"
        told = columns.parse(
            texts, grammar, fields=["error", "error_position"], threads=1
        ).to_pyarrow()
        error, position = told.flatten()
        if self.op in RELATED:
            error = pc.fill_null(error, RELATED[self.op])
        arrays = (rows, texts, error, position)
        faults = pa.record_batch(
            [array.cast(field.type) for array, field in zip(arrays, FAULTS, strict=True)],
            schema=FAULTS,
        )
        return faults.filter(pc.is_valid(error))


def act(function: Callable[..., columns.Array]) -> Callable[[Plan, Column, Column], columns.Array]:
    """What needs a column only, in the form of what needs more."""
    return lambda plan, texts, base: function(texts, threads=1)  # noqa: ARG005


#: What is done for each operation but `parse`, with a plan, the texts, and a base or bases.
ACTS: dict[str, Callable[[Plan, Column, Column], columns.Array]] = {
    "normalize": lambda plan, texts, _: columns.normalize(texts, scheme=plan.scheme, threads=1),
    "resolve": lambda _, texts, base: columns.resolve(base, texts, threads=1),
    "relativize": lambda _, texts, base: columns.relativize(texts, base, threads=1),
    "host": act(columns.host),
    "hostname": act(columns.hostname),
    "port": act(columns.port),
    "origin": act(columns.origin),
    "reversed-host": act(columns.reversed_host),
    "surt": act(columns.surt),
    "fingerprint": act(columns.fingerprint),
    "is-valid": lambda plan, texts, _: columns.is_valid(texts, plan.grammar, threads=1),
    "findings": lambda plan, texts, _: columns.findings(texts, plan.profile, threads=1),
    "to-uri": act(columns.to_uri),
    "to-iri": act(columns.to_iri),
    "query-params": act(columns.query_params),
    "query-param": lambda plan, texts, _: columns.query_param(texts, str(plan.name), threads=1),
}


def number_of(schema: Schema, name: str) -> int:
    """The number of the column of that name.

    Raises:
        TableError: there is none, or more than one.
    """
    numbers: list[int] = schema.get_all_field_indices(name)
    if len(numbers) != 1:
        there = named(dict.fromkeys(schema.names)) or "none"
        count = "no column" if not numbers else f"{len(numbers)} columns"
        raise TableError(f"the table has {count} {shown(name)}; there are: {there}")
    return numbers[0]


def named(names: Iterable[str]) -> str:
    """Join the first names of columns for a message, count the others, and mask passwords."""
    every = list(names)
    first = ", ".join(map(without_passwords, every[:NAMED]))
    return first if len(every) <= NAMED else f"{first} and {len(every) - NAMED:,} more"


def shown(name: str) -> str:
    """Quote a column name with passwords masked: a header may be missing, and be URIs instead."""
    return repr(without_passwords(name))


def text_column(batch: RecordBatch, name: str, option: str = "--column") -> Column:
    """The column of that name, not as views.

    Args:
        batch: the table.
        name: of the column.
        option: of the command line, by which another column is chosen.

    Raises:
        TableError: no column has that name, or it does not contain strings.
    """
    column = batch.column(number_of(batch.schema, name))
    if not is_text(column.type):
        raise TableError(
            f"column {shown(name)} has the type {type_name(column.type)}: "
            f"choose a column of strings ({option}), or cast this one to string"
        )
    # Of views come views, which few formats and programs take.
    return column.cast(pa.large_string()) if column.type == pa.string_view() else column


def type_name(kind: Any) -> str:
    """Return the name of a type without passwords; for a Spark type, the name Spark gives it."""
    # The name of a struct contains those of its fields.
    return without_passwords(str(kind.type_name if isinstance(kind, pa.OpaqueType) else kind))


def is_text(kind: Any) -> bool:
    """Whether it is the type of a column of text."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    texts = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
    return kind in texts
