"""A row's result depends on that row and on the options of this call, and on nothing else.

The registry provides the functions and their options, so that a new function is tested without any
change here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from amounts import scaled
from hypothesis import given, settings
from hypothesis import strategies as st

from uriverse import SCHEMES, columns
from uriverse._uri import engine
from uriverse.columns import _execution
from uriverse.columns._arguments import ALL_FIELDS
from uriverse.columns._declarations import SECOND_INPUTS, ColumnFunction, Option
from uriverse.columns._execution import run
from uriverse.columns._registry import FUNCTIONS

Rows = list[str | None]

#: Strings that take different paths through the kernel. `~` is replaced by a letter, so that rows
#: differ in their content, but not in their length or position.
TEMPLATES = (
    *("http://a~.example/~", "HTTP://A~.Example:080/%7e~/./x?Q~=1#~", "https://h~/?x=~&y&x=2#f"),
    *("http://\xfc~.example/\xe9~?x=\xe9~", "http://h/~%C3%A9%E2%82%AC?x=~%FF&~&y=%C3%A9", "../~"),
    *("http://h/?~&y&z&%FF~=1&x=~%FF", "http://h/%FF~?x&y&~=%FF", "?~=1&x=~+a%20b", "", "/~/../b"),
    *("http://me:pw~@h/?token=~&b=~", "http://[::~%41]/", "http://h b~/", "~ %zz", "http:/h~/x"),
    *("http://[2001:DB8::A:1]/~", "//H~:81/~", "file:///%7e~", "urn:isbn:~%3a", "x:~/a/../b"),
    *(
        "mailto:~@b.example",
        "data:,~",
        "%~",
        "http://1.2.3.4:8~/",
        "http://h:99999999999999999999/~",
    ),
    "http://h/" + "long/" * 9 + "~?x=" + "y" * 20 + "~",
    *("http://b\xfccher~.example/" + "\U0001f600" * 5 + "~", "//\xe9/~%C3%A9", "/%7e~?%C3%A9=\xe9"),
)

#: The values of options that are neither flags nor choices, by their names or their types.
VALUES: dict[str, tuple[Any, ...]] = {
    "dot_segments": (True, False, "all"),
    "fields": (ALL_FIELDS, columns.FIELDS, ("path",), ("error", "error_position"), ("bounds",)),
    "name": ("x", "y", "\xe9", ""),
    "policy": ("", "allow = ['*.example', 'http://h/']", "scopes = 'any'"),
    "template": ("{scheme}://{host}/{+path}{?x,q*}", "http://{+rest}", "/{%7e}{?y}"),
    "names": (["x", "%FF", "y"], "y", ("\xe9", "~", "a", "b", "c", "x"), ()),
    "keep": ("*", "x", ["[xy]", "\xe9"], ()),
    "drop": ("?", (), ["y*", "x"]),
    "value": ("1", ["a b", None], "\xe9"),
    "scheme, str | None": ("https", None),
    "host, Host | None": ("a.example", "::1", "\xe9", None),
    "port": (8080, "", None),
    "router": ("page = '{scheme}://{host}/{+path}{?x}'\nempty = ''",),
    "bool | Registry": (True, False, SCHEMES),
    "str | None": (None, "https"),
    "suffixes": (None,),
}


def values_of(option: Option) -> tuple[Any, ...]:
    if option.type == "bool":
        return (True, False)
    both = VALUES.get(f"{option.name}, {option.type}")
    values = option.choices or both or VALUES.get(option.name) or VALUES.get(option.type)
    assert values, f"add values of the option {option.name!r} to VALUES in {__file__}"
    return values


def options_of(function: ColumnFunction) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {option.name: st.sampled_from(values_of(option)) for option in function.options}
    )


def answers(function: ColumnFunction, options: Mapping[str, Any], *inputs: Rows) -> list[Any]:
    """Return the result of the row function for each row, as Arrow represents it."""
    checked = function.checked(options)
    return [
        None if None in strings else in_arrow(function, function.row(*strings, **checked))
        for strings in zip(*inputs, strict=True)
    ]


def in_arrow(function: ColumnFunction, value: Any) -> Any:
    if function.result == "pairs" and value is not None:
        return [{"key": name, "value": data} for name, data in value]
    if function.result == "map" and value is not None:
        return dict(value)
    if function.result == "match_fields" and value is not None:
        pairs = (
            {"q": [{"key": key, "value": data} for key, data in value["q"]]}
            if value.get("q")
            else {}
        )
        return value | pairs
    if function.result == "fields":
        return value | {"bounds": list(value["bounds"])} if value.get("bounds") else value
    return value


def results(function: ColumnFunction, options: Mapping[str, Any], *inputs: Any) -> list[Any]:
    """Call a column function; the base is the first input. Arrow checks the result."""
    in_order = inputs[::-1] if function.inputs[-1] in SECOND_INPUTS else inputs
    made = pa.chunked_array(run(function.name, in_order, options))
    made.validate(full=True)
    values: list[Any] = made.to_pylist(maps_as_pydicts="strict")
    return values


# --- columns with the same rows


def sliced(rows: Rows, kind: Any = None) -> Any:
    kind = kind or pa.string()
    return pa.array(["//before", None, "", *rows, "//after"], kind).slice(3, len(rows))


def chunked(rows: Rows, kind: Any = None, size: int = 3) -> Any:
    chunks = [sliced(rows[start : start + size], kind) for start in range(0, len(rows), size)]
    return pa.chunked_array([*chunks, sliced([], kind)])


def dictionary(rows: Rows) -> Any:
    """Return a dictionary column in which nulls are null indices or null values."""
    values = ["//unused", None, *dict.fromkeys(row for row in rows if row is not None)]
    numbers = [
        (None if place % 2 else 1) if row is None else values.index(row)
        for place, row in enumerate(rows)
    ]
    whole = pa.DictionaryArray.from_arrays(pa.array([0, *numbers, 0], pa.int16()), sliced(values))
    return whole.slice(1, len(rows))


COLUMNS: dict[str, Callable[[Rows], Any]] = {
    "list": list,
    "slice": sliced,
    "slice of large strings": lambda rows: sliced(rows, pa.large_string()),
    "slice of views": lambda rows: sliced(rows, pa.string_view()),
    "chunks": chunked,
    "chunks of views": lambda rows: chunked(rows, pa.string_view(), 4),
    "dictionary": dictionary,
    "chunks of dictionaries": lambda rows: pa.chunked_array(
        [dictionary(rows[:5]), dictionary(rows[5:])]
    ),
}


def columns_of(function: ColumnFunction, rows: Rows, seed: int) -> list[Rows]:
    """Return the inputs of a function: the rows, and before them a base for each row."""
    bases = [f"http://h{letter}.example/{letter}/d?{letter}" for letter in "abcdef"]
    others = [None, "", "b", "http://a b.exampl/a/d?", "HTTP://h/%7e/.."]
    random = Random(seed)
    column: Rows = [random.choice([*bases, *others, row]) for row in rows]
    return [column, rows] if function.second else [rows]


def shuffled(seed: int, copies: int = 3) -> Rows:
    """Return each template with several letters, and nulls, in random order."""
    random = Random(seed)
    rows: Rows = [text.replace("~", letter) for text in TEMPLATES for letter in "abc"[:copies]]
    rows += [None] * 5 + random.choices(rows, k=9)
    random.shuffle(rows)
    return rows


ROWS = st.lists(
    st.none()
    | st.builds(str.replace, st.sampled_from(TEMPLATES), st.just("~"), st.sampled_from("abAz9")),
    max_size=12,
)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(st.data())
@settings(max_examples=scaled(40))
def test_each_row_of_a_column_has_the_answer_of_the_row_function(
    name: str, data: st.DataObject
) -> None:
    function = FUNCTIONS[name]
    inputs = columns_of(function, data.draw(ROWS), data.draw(st.integers(0, 99)))
    options = data.draw(options_of(function))
    kinds = [COLUMNS[data.draw(st.sampled_from(list(COLUMNS)))] for _ in inputs]
    made = results(
        function, options, *(kind(rows) for kind, rows in zip(kinds, inputs, strict=True))
    )
    assert made == answers(function, options, *inputs)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_equal_length_have_their_own_answers(name: str, kind: str) -> None:
    function = FUNCTIONS[name]
    options = {option.name: values_of(option)[0] for option in function.options}
    inputs = columns_of(function, shuffled(1), 2)
    assert results(function, options, *map(COLUMNS[kind], inputs)) == answers(
        function, options, *inputs
    )


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].options])
def test_a_second_call_keeps_nothing_of_the_first(name: str) -> None:
    function = FUNCTIONS[name]
    inputs = columns_of(function, shuffled(3, copies=1), 4)
    given = dictionary(inputs[-1])
    column = [*inputs[:-1], given]
    every = product(*map(values_of, function.options))
    calls = [
        dict(zip((option.name for option in function.options), values, strict=True))
        for values in every
    ]
    Random(5).shuffle(calls)
    # The first options follow again after all others.
    for options in [*calls[:24], calls[0]]:
        assert results(function, options, *column) == answers(function, options, *inputs), options


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].second])
def test_a_base_of_the_same_length_replaces_the_base_before(name: str) -> None:
    function = FUNCTIONS[name]
    options = {option.name: option.default for option in function.options}
    bases: Rows = [
        "http://a/b/c",
        "http://x/y/z",
        "http://a b/c",
        "http://x/y/z",
        None,
        "mailto:a@b",
    ]
    for first, second in product(bases, bases):
        rows: Rows = ["http://a/b/d", "http://x/y/w", "http://a/b/d", "http://x/y/w"]
        column = [first, second, second, first]
        for kind in COLUMNS.values():
            made = results(function, options, kind(column), kind(rows))
            assert made == answers(function, options, column, rows), column


@pytest.mark.skipif(not engine.compiled, reason="the kernel is not built")
@pytest.mark.parametrize("layout", ["string", "large_string", "string_view"])
@pytest.mark.parametrize(
    "discarded", ["?%FF", "?a&b&c&d=%FF", "?a=1&b&c=%FF", "?" + "a&" * 40 + "b=%FF"]
)
def test_the_answer_of_the_row_function_replaces_all_that_the_kernel_wrote(
    discarded: str, layout: Any
) -> None:
    # The kernel writes the parameters up to "%FF", and then calls the row function.
    def row(text: str) -> Any:
        return {discarded: None, "?again=%FF": [("a", "1"), ("b", None)]}[text]

    call = _execution.Call("pairs", row, "query_params", ())
    kept = "&".join(f"k{number}={number}" for number in range(50))
    given = ["?x&y=2", discarded, f"?{kept}", discarded, "?again=%FF", "?z"]
    made = pa.chunked_array(_execution.execute(call, given, layout=layout))
    made.validate(full=True)
    assert made.to_pylist()[0] == [{"key": "x", "value": None}, {"key": "y", "value": "2"}]
    assert made.to_pylist()[1:4] == [
        None,
        [{"key": f"k{number}", "value": str(number)} for number in range(50)],
        None,
    ]
    assert made.to_pylist()[4:] == [
        [{"key": "a", "value": "1"}, {"key": "b", "value": None}],
        [{"key": "z", "value": None}],
    ]
