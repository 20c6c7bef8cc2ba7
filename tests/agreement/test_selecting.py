from functools import partial
from random import Random
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from compare_conformance.mutants import mutants
from uriverse import _engine, columns
from uriverse.columns import Array, Expression, _execution, select, uri
from uriverse.columns._registry import FUNCTIONS

Rows = list[str | None]

BASE = "https://a.example/b/c?d=e"

ROWS: Rows = [
    None,
    "",
    *(row for function in FUNCTIONS.values() for row in function.example.rows),
    *mutants(3, 150),
    "HTTP://\xe9.example:080/%7e/../a;b?x=1&x=2&y#%C3%A9",
    "\ud800",
]


def is_unicode(text: str) -> bool:
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def of_example(name: str) -> Expression:
    """Return a column function as an expression, with the options of its example."""
    function = FUNCTIONS[name]
    others = [BASE] if function.second else []
    expression: Expression = getattr(uri, name)(*others, **function.example.options)
    return expression


#: The rows that can be encoded as UTF-8.
VALID_ROWS = [row for row in ROWS if row is None or is_unicode(row)]

#: All functions, and those of which an option changes how rows are parsed.
EXPRESSIONS: dict[str, Expression] = {
    **{name: of_example(name) for name in FUNCTIONS},
    "is a URI": uri.is_valid("uri"),
    "parsed as a URI": uri.parse("uri", fields=["host", "error", "bounds"]),
    "bounds": uri.parse(fields=["bounds", "error_position"]),
    "fingerprint by scheme": uri.fingerprint("scheme"),
    "fingerprint of the string": uri.fingerprint("string"),
}


def alone(column: object, expression: Expression, **more: Any) -> Array:
    function = FUNCTIONS[expression.function]
    required = [option.name for option in function.options if option.positional and option.required]
    options = dict(expression.options)
    arguments = [options.pop(name) for name in required]
    others = [] if expression.second is None else [expression.second]
    inputs = [*others, column] if function.inputs[0] == function.second else [column, *others]
    if function.has_strings:
        options |= more
    made: Array = getattr(columns, expression.function)(*inputs, *arguments, **options)
    return made


def assert_fields(column: object, expressions: dict[str, Expression], **more: Any) -> None:
    made = select(column, expressions, **more)
    read = pa.chunked_array(made)
    read.validate(full=True)
    assert [field.name for field in read.type] == list(expressions)
    assert read.null_count == 0
    rows = made.to_pylist()
    for name, expression in expressions.items():
        expected = alone(column, expression, **more).to_pylist()
        assert [row[name] for row in rows] == expected, name
        field = pa.chunked_array([chunk.field(name) for chunk in read.chunks], read.type[name].type)
        assert field == pa.chunked_array(alone(column, expression, **more)) or expected == (
            field.to_pylist()
        ), name


def shuffled(seed: int) -> dict[str, Expression]:
    names = list(EXPRESSIONS)
    Random(seed).shuffle(names)
    return {name: EXPRESSIONS[name] for name in names}


@pytest.mark.parametrize("seed", range(3))
def test_a_result_does_not_depend_on_the_other_results(seed: int) -> None:
    assert_fields(ROWS, shuffled(seed))


@pytest.mark.parametrize("layout", ["string", "large_string", "string_view"])
def test_fields_have_the_requested_layout(layout: Any) -> None:
    assert_fields(pa.array(VALID_ROWS), EXPRESSIONS, layout=layout)


INPUTS: dict[str, Any] = {
    "large": lambda: pa.array(VALID_ROWS, pa.large_string()),
    "views": lambda: pa.array(VALID_ROWS, pa.string_view()),
    "slice": lambda: pa.array(VALID_ROWS)[7:150],
    "chunks": lambda: pa.chunked_array([VALID_ROWS[:5], [], VALID_ROWS[5:90], VALID_ROWS[90:]]),
    "dictionary": lambda: pa.array([*VALID_ROWS, *VALID_ROWS[::-1]]).dictionary_encode(),
    "nulls": lambda: pa.nulls(70, pa.string()),
    "null": lambda: pa.nulls(3),
    "empty": lambda: pa.array([], pa.string()),
    "polars": lambda: pl.Series(VALID_ROWS, dtype=pl.String),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_every_type_of_column_has_the_same_fields(kind: str) -> None:
    assert_fields(INPUTS[kind](), EXPRESSIONS)


@pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")
@pytest.mark.parametrize("layout", ["string", "large_string", "string_view"])
@pytest.mark.parametrize("full", [600, 1500])
def test_fields_that_overflow_their_arrays_have_equal_chunks(
    full: int, layout: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row for row in VALID_ROWS if row is None or len(row) < 60]
    expected = select(rows, EXPRESSIONS).to_pylist()
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=full))
    for column in (rows, pa.array(rows).dictionary_encode()):
        made = select(column, EXPRESSIONS, layout=layout, threads=1)
        assert (made.chunks > 1) == (layout != "large_string")
        assert made.to_pylist() == expected


@pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")
def test_a_field_too_long_for_its_layout_overflows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=50))
    column = pa.array(["//a/", "x:" + "\xe9" * 40]).dictionary_encode()
    with pytest.raises(OverflowError, match="use large_string"):
        select(column, host=uri.host(), uri=uri.to_uri(), layout="string")


def test_threads_keep_the_order_of_rows() -> None:
    rows = [f"//h{number}/{number}" for number in range(50_000)]
    made = select(rows, host=uri.host(), depth=uri.path_depth(), origin=uri.is_same_origin(BASE))
    assert made[43_210] == {"host": "h43210", "depth": 1, "origin": False}
    assert [row["host"] for row in made] == [f"h{number}" for number in range(50_000)]


def test_the_base_of_an_expression_can_be_a_column() -> None:
    links = ["c", "d", None, "e"]
    pages = pa.chunked_array([["http://a/", None], ["http://b/", "no base"]])
    made = select(links, link=uri.resolve(pages), raw=uri.path_and_query())
    assert made.to_pylist() == [
        *({"link": "http://a/c", "raw": "c"}, {"link": None, "raw": "d"}),
        *({"link": None, "raw": None}, {"link": None, "raw": "e"}),
    ]


@pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")
def test_the_reference_implementation_has_the_same_structs(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = select(ROWS, EXPRESSIONS).to_pylist()
    monkeypatch.setattr(_execution, "compiled", False)
    assert select(ROWS, EXPRESSIONS).to_pylist() == expected
