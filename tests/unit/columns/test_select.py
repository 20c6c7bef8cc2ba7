from functools import partial
from typing import Any

import pytest

from uriverse import ResolveError, URIError, URIReference, _engine, columns
from uriverse.columns import _execution, select, uri


def test_functions_with_two_inputs_can_be_selected_alone() -> None:
    made = select(["b", None], link=uri.resolve("http://a/"))
    assert made.to_pylist() == [{"link": "http://a/b"}, {"link": None}]
    # The second input of each function is checked by its rules.
    # `then` also accepts a relative reference.
    made = select(["http://a/"], link=uri.then("b"))
    assert made.to_pylist() == [{"link": "http://a/b"}]
    with pytest.raises(ResolveError, match="a base URI must have a scheme"):
        select(["b"], link=columns.Expression("resolve", {}, "a"))


@pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")
def test_rows_that_overflow_an_array_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=200))
    rows = [f"//host-{number}/\xe9" for number in range(100)]
    made = select(rows, host=uri.host(), uri=uri.to_uri(), depth=uri.path_depth())
    assert made.chunks > 1
    expected = [{"host": row[2:-2], "uri": f"{row[:-1]}%C3%A9", "depth": 1} for row in rows]
    assert made.to_pylist() == expected


@pytest.mark.parametrize(
    ("name", "value"), [("", None), ("a", [str(number) for number in range(17)]), ("a", "\ud800")]
)
def test_parameters_that_the_kernel_does_not_write_are_set_in_python(name: str, value: Any) -> None:
    expected: list[Any] = [None]
    try:
        expected.append(str(URIReference("/?a=b").with_param(name, value)))
    except URIError:
        expected.append(None)
    assert columns.with_param([None, "/?a=b"], name, value).to_pylist() == expected


def test_select_accepts_named_expressions_only() -> None:
    results: Any
    for results, error, message in [
        (uri.host(), TypeError, "name each result, as in select"),
        ({}, ValueError, "select needs at least one result"),
        ({1: uri.host()}, TypeError, "the name of a result must be a str, not int"),
        (
            {"\ud800": uri.host()},
            ValueError,
            r"the name of a result must be valid Unicode, not '\\u",
        ),
        ({"a": "host"}, TypeError, "the result 'a' must be an expression such as uri.host"),
    ]:
        with pytest.raises(error, match=message):
            select(["a"], results)
