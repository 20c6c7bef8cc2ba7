"""`uriverse.compat.urllib` agrees with `urllib.parse`, except for the documented differences.

The cases are the calls that CPython's own tests of `urllib.parse` make, and random calls.
"""

from __future__ import annotations

import importlib
import inspect
import io
import re
import sys
import unittest
import urllib.parse
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, references
from urllib_differences import DIFFERENCES, FUNCTIONS, ORIGINALS, Case, attribute

from uriverse.compat import urllib as compat

GUIDE = Path(__file__).resolve().parents[2] / "docs/integrations/urllib.md"


@cache
def recorded() -> list[Case]:
    """Run the tests of CPython, and return the calls that they make."""
    calls: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {}

    def recording(name: str) -> Callable[..., Any]:
        def function(*args: Any, **options: Any) -> Any:
            calls.setdefault(repr((name, args, options)), (name, args, options))
            return ORIGINALS[name](*args, **options)

        return function

    modules = [importlib.import_module(f"test.test_{name}") for name in ("urlparse", "urllib")]
    try:
        for name in FUNCTIONS:
            setattr(urllib.parse, name, recording(name))
        for module in modules:
            suite = unittest.defaultTestLoader.loadTestsFromModule(module)
            unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    finally:
        for name, original in ORIGINALS.items():
            setattr(urllib.parse, name, original)
    return [Case.of(*call) for call in calls.values()]


def test_calls_of_the_tests_of_cpython_differ_only_as_documented() -> None:
    assert [case for case in recorded() if case.is_unexplained()] == []


def test_most_calls_of_the_tests_of_cpython_have_equal_results() -> None:
    same = [case for case in recorded() if not case.is_different()]
    assert len(same) > 0.7 * len(recorded())


def test_all_names_of_urllib_parse_are_present() -> None:
    assert sorted(compat.__all__) == sorted(urllib.parse.__all__)
    for name in dir(urllib.parse):
        if not name.startswith("__"):
            assert hasattr(compat, name), name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_those_of_the_standard_library(name: str) -> None:
    theirs, ours = (
        inspect.signature(one).parameters for one in (ORIGINALS[name], getattr(compat, name))
    )
    added = {"missing_as_none", "keep_empty"}
    assert [one for one in ours if one not in added] == [one for one in theirs if one not in added]
    assert [ours[one].kind for one in theirs] == [theirs[one].kind for one in theirs]


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def of_one_type(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Arguments that are all strings or all `bytes`."""
    return strategy | strategy.map(
        lambda one: as_bytes(one) if isinstance(one, str) else type(one)(map(as_bytes, one))
    )


#: Short strings that are likely to be valid, or to have what only some functions accept.
PIECES = st.sampled_from(
    [
        *("http:", "HTTP:", "coap:", "file:", "mailto:", "//", "///", "a", "B", "/", "?", "#", ";"),
        *("..", ".", "@", ":", ":80", ":99999", "[::1]", "[V1.a]", "[1.2.3.4]", "[", "%2E", "%"),
        *(" ", "\t", "\n", "\0", "\\", "=", "&", "+", "\u00e9", "\u2100", "\ud800"),
    ]
)
URLS = references() | hostile() | st.lists(PIECES, max_size=8).map("".join)
DATA = of_one_type(URLS) | st.text() | st.binary() | st.binary().map(bytearray)
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, 0, 3, "", b"", (), [], {}, bytes, bytearray(b"a?")]
)
CODECS = st.fixed_dictionaries(
    {},
    optional={
        "encoding": st.sampled_from([None, "utf-8", "latin-1", "ascii", "no such codec"]),
        "errors": st.sampled_from([None, "strict", "replace", "ignore", "surrogateescape"]),
    },
)
SAFE = st.fixed_dictionaries({}, optional={"safe": DATA | st.sampled_from(["%", b"%", "\u00e9/"])})
#: Older versions of Python do not have these options.
IS_NEW = sys.version_info >= (3, 15)
MISSING = st.fixed_dictionaries({}, optional={"missing_as_none": st.booleans()} if IS_NEW else {})
KEEP = st.fixed_dictionaries({}, optional={"keep_empty": st.booleans()} if IS_NEW else {})
FRAGMENTS = st.fixed_dictionaries({}, optional={"allow_fragments": st.booleans()})
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "keep_blank_values": st.booleans(),
        "strict_parsing": st.booleans(),
        "max_num_fields": st.none() | st.integers(0, 3),
        "separator": st.sampled_from(["&", ";", b"&", "", None, "ab"]),
    },
)
ITEMS = DATA | ODD | st.lists(DATA | ODD, max_size=3)
QUERIES = (
    st.dictionaries(st.text() | st.binary() | st.integers(), ITEMS, max_size=3)
    | st.lists(st.tuples(ITEMS, ITEMS), max_size=3)
    | DATA
    | ODD
)
QUOTING = st.fixed_dictionaries(
    {},
    optional={
        "doseq": st.booleans(),
        "quote_via": st.sampled_from([urllib.parse.quote, urllib.parse.quote_plus]),
    },
)


def merged(*strategies: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(*strategies).map(lambda many: {k: v for one in many for k, v in one.items()})


def components(count: int) -> st.SearchStrategy[Any]:
    one = st.sampled_from(["", "", "http", "file", "a", "HTTP", "/a", "//a", "a:b"]) | URLS
    # A path is never `None`. Python 3.15 writes "None" before its parameters.
    some = [st.tuples(x, x, one, *[x] * (count - 3)) for x in (one | st.none(), one | ODD)]
    return of_one_type(st.tuples(*[one] * count)) | st.one_of(some) | ODD


ONE, TWO = of_one_type(URLS) | ODD, of_one_type(st.tuples(URLS, URLS))
CALLS: dict[str, tuple[st.SearchStrategy[tuple[Any, ...]], st.SearchStrategy[dict[str, Any]]]] = {
    "parse_qs": (st.tuples(DATA | ODD), merged(FIELDS, CODECS)),
    "parse_qsl": (st.tuples(DATA | ODD), merged(FIELDS, CODECS)),
    "quote": (st.tuples(DATA | ODD), merged(SAFE, CODECS)),
    "quote_from_bytes": (st.tuples(DATA | ODD), SAFE),
    "quote_plus": (st.tuples(DATA | ODD), merged(SAFE, CODECS)),
    "unquote": (st.tuples(DATA | ODD), CODECS),
    "unquote_plus": (st.tuples(DATA | ODD), CODECS),
    "unquote_to_bytes": (st.tuples(DATA | ODD), st.just({})),
    "urldefrag": (st.tuples(ONE), MISSING),
    "urlencode": (st.tuples(QUERIES), merged(QUOTING, SAFE, CODECS)),
    "urljoin": (TWO | st.tuples(ONE, ONE), FRAGMENTS),
    "urlparse": (st.tuples(ONE) | TWO | st.tuples(ONE, ONE), merged(FRAGMENTS, MISSING)),
    "urlsplit": (st.tuples(ONE) | TWO | st.tuples(ONE, ONE), merged(FRAGMENTS, MISSING)),
    "urlunparse": (st.tuples(components(6)), KEEP),
    "urlunsplit": (st.tuples(components(5)), KEEP),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
@given(data=st.data())
def test_results_are_those_of_the_standard_library(name: str, data: st.DataObject) -> None:
    args, options = CALLS[name]
    case = Case.of(name, data.draw(args), data.draw(options))
    assert not case.is_unexplained(), case


@pytest.mark.parametrize("name", ["urlparse", "urldefrag"])
@given(of_one_type(URLS), MISSING)
def test_methods_of_results_are_those_of_the_standard_library(
    name: str, url: Any, options: dict[str, Any]
) -> None:
    try:
        theirs = ORIGINALS[name](url, **options)
    except ValueError:
        return
    ours = getattr(compat, name)(url, **options)
    convert = "encode" if isinstance(url, str) else "decode"
    assert ours.geturl() == theirs.geturl()
    assert ours._replace(fragment=url).geturl() == theirs._replace(fragment=url).geturl()
    for codec in ((), ("utf-8", "surrogatepass")):
        assert attribute(ours, convert, *codec) == attribute(theirs, convert, *codec)


@given(of_one_type(references()))
def test_geturl_loses_only_what_the_standard_library_loses(url: Any) -> None:
    """The URLs differ only by empty components and the case of the scheme."""
    try:
        ours, theirs = compat.urlsplit(url), urllib.parse.urlsplit(url)
    except ValueError:
        return
    assert urllib.parse.urlsplit(ours.geturl()) == theirs
    assert tuple(ours) == tuple(theirs)


def documented() -> dict[str, tuple[str, str, str]]:
    """Return the rows of the table of differences: a call, and its result in both modules."""
    table = GUIDE.read_text("utf-8").partition("## All differences")[2]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    return {name: (call, theirs, ours) for name, call, theirs, ours in rows[1:]}


def test_the_guide_lists_every_difference() -> None:
    assert set(documented()) == set(DIFFERENCES)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_results_in_the_guide_are_right(name: str) -> None:
    call, *cells = documented()[name]
    for module, cell in zip((urllib.parse, compat), cells, strict=True):
        try:
            found = repr(eval(call.strip("`"), vars(module).copy()))
        except (ValueError, TypeError, AttributeError) as error:
            found = type(error).__name__
        # Cells list the results of several versions of Python.
        assert found in re.findall("`(.*?)`", cell)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_call_in_the_guide_shows_the_difference_that_it_explains(name: str) -> None:
    call = documented()[name][0].strip("`").removesuffix(".path").removesuffix(".netloc")
    function = call.partition("(")[0]
    case = Case.of(*eval(call, {**vars(compat), function: partial(as_call, function)}))
    assert [one for one, explains in DIFFERENCES.items() if explains(case)] == [name]


def as_call(name: str, *args: Any, **options: Any) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    return name, args, options
