"""Daft, Ray Data and Dask return the results of the column functions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import rays
from tables import EVERY_CALL, HOSTILE

from uriverse import columns
from uriverse.columns.pandas import URIAccessor

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: Functions whose results in pandas are data frames.
FRAMES = {"parse", "decision", "match"}


def call_of(name: str) -> Callable[[Any], Any]:
    """Return a function that calls a column function with options, in one thread."""
    function = getattr(columns, name)
    words, options = EVERY_CALL[name]

    def call(urls: Any) -> Any:
        return function(urls, *words, threads=1, **options).to_pyarrow()

    return call


def package(name: str) -> Any:
    return pytest.importorskip(name, reason=f"needs {name} (pip install --group test-all)")


@pytest.fixture(scope="module")
def in_daft() -> Any:
    """The results of all column functions in Daft, as an Arrow table."""
    daft = package("daft")
    frame = daft.from_pydict({"url": HOSTILE})
    made = []
    for name in EVERY_CALL:
        call = call_of(name)
        result = daft.DataType.from_arrow_type(call([]).type)
        function = daft.func.batch(return_dtype=result)(call)
        made.append(function(frame["url"]).alias(name))
    return frame.select(*made).to_arrow()


@pytest.fixture(scope="module")
def in_ray() -> Any:
    """The results of all column functions in Ray Data, as an Arrow table."""
    ray = rays.ray()
    calls = {name: call_of(name) for name in EVERY_CALL}

    def with_results(table: Any) -> Any:
        return pa.table({name: call(table["url"]) for name, call in calls.items()})

    urls = ray.data.from_arrow(pa.table({"url": pa.array(HOSTILE)}))
    batches = urls.map_batches(with_results, batch_format="pyarrow")
    return pa.concat_tables(batches.iter_batches(batch_size=None, batch_format="pyarrow"))


@pytest.mark.parametrize("name", EVERY_CALL)
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("in_daft", marks=pytest.mark.xdist_group("daft")),
        pytest.param("in_ray", marks=pytest.mark.xdist_group("ray")),
    ],
)
def test_an_engine_returns_the_results_of_the_column_function(
    request: pytest.FixtureRequest, engine: str, name: str
) -> None:
    got = request.getfixturevalue(engine).column(name).to_pylist(maps_as_pydicts="strict")
    assert got == call_of(name)(HOSTILE).to_pylist(maps_as_pydicts="strict")


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_returns_the_results_of_the_column_functions(
    scheduler: str,
) -> None:
    package("dask")
    frames: Any = import_module("dask.dataframe")
    pd: Any = import_module("pandas")

    def with_results(urls: Any) -> Any:
        made: dict[str, Any] = {}
        for name, (words, options) in EVERY_CALL.items():
            found = getattr(URIAccessor(urls), name)(*words, **options)
            if name in FRAMES:
                made |= {f"{name}.{field}": found[field] for field in found.columns}
            else:
                made[name] = found
        return pd.DataFrame(made)

    urls = pd.Series(HOSTILE, name="url", dtype="string[pyarrow]")
    made = frames.from_pandas(urls, npartitions=3).map_partitions(with_results)
    expected = with_results(urls)
    assert list(made.columns) == list(expected.columns)
    pd.testing.assert_frame_equal(made.compute(scheduler=scheduler), expected)
    for name in ("host", "port", "is_valid"):
        rows = [None if pd.isna(row) else row for row in expected[name]]
        assert rows == call_of(name)(HOSTILE).to_pylist()
