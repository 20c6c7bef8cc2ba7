from __future__ import annotations

import copy
import gc
import pickle
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

import uriverse
from uriverse import URI, BuildError, ParseError, URIError, URIReference, _engine, parse
from uriverse._errors import Deferred, read_args, read_attributes
from uriverse._spec.build import describe_build_error
from uriverse._spec.components import AllParts
from uriverse._spec.messages import (
    create_parse_error,
    deferred_parse_error,
    describe_non_ascii_reference,
)

if TYPE_CHECKING:
    from uriverse._errors import Arguments

INVALID = "http://us:er@exa%zzmple/"


def error_of(function: Callable[[], object]) -> URIError:
    with pytest.raises(URIError) as caught:
        function()
    return caught.value


def pending() -> URIError:
    return error_of(lambda: URI(INVALID))


def is_pending(error: URIError) -> bool:
    return isinstance(read_args(error)[0], Deferred) and read_attributes(error) == {}


def everything(error: URIError) -> tuple[object, ...]:
    return str(error), repr(error), error.args, vars(error), error.as_dict(), type(error)


#: Functions that raise an error, each with the same error, created at once.
PAIRS: dict[str, tuple[Callable[[], object], URIError]] = {
    "constructor": (
        lambda: URI("http://a b/"),
        create_parse_error("http://a b/", "URI", "host", 8),
    ),
    "escape": (lambda: URI("http://a/%zz"), create_parse_error("http://a/%zz", "URI", "path", 10)),
    "no scheme": (lambda: URI("//a/"), create_parse_error("//a/", "URI", "scheme", 0)),
    "reference": (
        lambda: URIReference("http://a:b/"),
        create_parse_error("http://a:b/", "URI-reference", "port", 9),
    ),
    "parse": (lambda: parse("\u00e9?\ud800"), create_parse_error("\u00e9?\ud800", "IRI-reference")),
    "resolve": (lambda: URI("a:").resolve("//["), create_parse_error("//[", "IRI-reference")),
    "not ASCII": (
        lambda: URI("a:").resolve("?\u00e9"),
        uriverse.ResolveError(*describe_non_ascii_reference("?\u00e9", "URI")),
    ),
    "subclass": (lambda: type("Mine", (URI,), {})("a:#^"), create_parse_error("a:#^", "URI")),
    "build": (
        lambda: URI.build(scheme="a", host="b c"),
        BuildError(
            *describe_build_error(
                AllParts("a", None, "b c", None, "", None, None), "URI", None, 0, by_segments=False
            )
        ),
    ),
    "replace": (
        lambda: URI("http://a/").with_path("b"),
        BuildError(
            *describe_build_error(
                AllParts("http", None, "a", None, "b", None, None),
                "URI",
                None,
                0,
                by_segments=False,
            )
        ),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_pending_error_equals_the_error_that_is_created_at_once(name: str) -> None:
    function, expected = PAIRS[name]
    assert not is_pending(expected)
    error = error_of(function)
    assert is_pending(error)
    assert everything(error) == everything(expected)
    assert not is_pending(error)


@pytest.mark.parametrize("attribute", ["text", "position", "component", "rule", "reason", "hint"])
@pytest.mark.parametrize("name", PAIRS)
def test_any_attribute_of_a_pending_error_can_be_read_first(name: str, attribute: str) -> None:
    function, expected = PAIRS[name]
    error = error_of(function)
    assert getattr(error, attribute) == getattr(expected, attribute)
    assert everything(error) == everything(expected)


#: Ways to examine an error, which all show its message or its attributes.
EXAMINATIONS: dict[str, Callable[[URIError], object]] = {
    "str": str,
    "repr": repr,
    "args": lambda error: error.args,
    "vars": vars,
    "as_dict": lambda error: error.as_dict(),
    "pickle": lambda error: everything(pickle.loads(pickle.dumps(error))),
    "copy": lambda error: everything(copy.copy(error)),
    "deepcopy": lambda error: everything(copy.deepcopy(error)),
    "dir": dir,
}


@pytest.mark.parametrize("name", EXAMINATIONS)
def test_every_way_to_examine_a_pending_error_shows_its_message(name: str) -> None:
    examine, expected = EXAMINATIONS[name], create_parse_error(INVALID, "URI")
    error = pending()
    assert is_pending(error)
    assert examine(error) == examine(expected)
    assert not is_pending(error)
    assert examine(error) == examine(expected)
    assert everything(error) == everything(expected)


def test_the_string_of_a_pending_error_is_known() -> None:
    error = pending()
    assert error.text == INVALID
    assert is_pending(error)
    if _engine.compiled:  # the reference implementation looks for them later
        assert (error.component, error.position) == ("host", INVALID.index("zz"))
        assert is_pending(error)
    assert error.rule == "pct-encoded"


def test_attributes_that_are_set_in_a_pending_error_keep_their_values() -> None:
    expected = create_parse_error(INVALID, "URI")
    error: Any = pending()
    error.position, error.hint, error.well_formed = 3, "do this", True
    error.add_note("a note")
    assert (error.position, error.hint, error.rule) == (3, "do this", "pct-encoded")
    assert error.reason == expected.reason
    assert vars(error).keys() == {*vars(expected), "well_formed", "__notes__"}
    assert error.args == (expected.reason,)
    assert everything(pickle.loads(pickle.dumps(error))) == everything(error)
    del error.reason
    assert not hasattr(error, "reason")
    error = pending()
    error.args = ("a", 1)
    assert error.args == ("a", 1)
    assert error.reason == expected.reason


def test_an_unknown_attribute_raises_the_usual_error() -> None:
    for error in (pending(), create_parse_error(INVALID, "URI")):
        with pytest.raises(AttributeError) as caught:
            error.reasons  # type: ignore[attr-defined]  # noqa: B018
        assert str(caught.value) == "'ParseError' object has no attribute 'reasons'"
        assert (caught.value.name, caught.value.obj) == ("reasons", error)


class RepeatedError(BuildError):
    """A subclass with an attribute of its own; `pickle` finds it at the top of the module."""

    def __init__(
        self, text: str, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> None:
        super().__init__(text, position, component, rule, reason, hint)
        self.twice = text * 2


def test_an_error_that_a_user_creates_is_never_pending() -> None:
    error = RepeatedError("a", 0, "path", "path", "no")
    assert (read_args(error), read_attributes(error)["twice"]) == (("no",), "aa")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert everything(again) == everything(error)


def test_threads_that_examine_an_error_at_once_find_the_same_message() -> None:
    expected = everything(create_parse_error(INVALID, "URI"))
    count = 4
    barrier = Barrier(count)

    def examine(errors: list[URIError]) -> list[tuple[object, ...]]:
        found = []
        for error in errors:
            barrier.wait()
            found.append((error.hint, *everything(error)))
        return found

    errors = [pending() for _ in range(50)]
    with ThreadPoolExecutor(count) as executor:
        results = list(executor.map(examine, [errors] * count))
    hint = create_parse_error(INVALID, "URI").hint
    assert results == [[(hint, *expected)] * len(errors)] * count


def test_an_error_that_another_thread_completes_meanwhile_keeps_its_attributes() -> None:
    calls = []

    def create(text: str) -> Arguments:
        calls.append(text)
        if len(calls) == 1:
            # The other thread also sets an attribute, after it has read the message.
            assert error.reason == "no"
            error.hint = "do this"
        return text, 0, "path", "path", "no", "do"

    error = Deferred(ParseError, create)("a")
    assert error.rule == "path"
    assert (error.hint, error.args, calls) == ("do this", ("no",), ["a", "a"])


def test_an_error_whose_message_cannot_be_computed_stays_pending() -> None:
    failures = [MemoryError(), KeyboardInterrupt()]

    def create() -> Arguments:
        if failures:
            raise failures.pop()
        return "a", 0, "path", "path", "no", ""

    error = Deferred(ParseError, create)()
    for failure in (KeyboardInterrupt, MemoryError):
        with pytest.raises(failure):
            str(error)
    assert str(error).startswith("no (path, position 0)")


def test_raising_an_error_for_a_long_string_does_not_allocate_memory() -> None:
    text = f"http://a/{'b' * 10_000_000} "
    with pytest.raises(ParseError):
        URI("http://a/ ")  # imports modules
    tracemalloc.start()
    try:
        error = error_of(lambda: URI(text))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert is_pending(error)
    assert peak < 1_000_000
    assert (error.position, len(str(error)) < 400) == (len(text) - 1, True)


@pytest.mark.parametrize("examine", [id, str, vars], ids=["never", "str", "vars"])
def test_an_error_is_freed_without_a_collection(examine: Callable[[URIError], object]) -> None:
    gc.disable()
    try:
        try:
            URI(INVALID)
        except ParseError as error:
            examine(error)
            alive = weakref.ref(error)
        assert alive() is None
    finally:
        gc.enable()


def test_an_error_has_the_exception_that_was_being_handled_as_its_context() -> None:
    first = KeyError("a")
    try:
        raise first
    except KeyError:
        error = pending()
    assert error.__context__ is first
    assert error.__cause__ is None
    assert pending().__context__ is None


@pytest.mark.skipif(not _engine.compiled, reason="the functions of the reference are in Python")
def test_the_traceback_of_a_constructor_ends_where_it_is_called() -> None:
    try:
        URI(INVALID)
    except ParseError as error:
        traceback = error.__traceback__
    assert traceback is not None
    assert traceback.tb_next is None


def test_the_function_that_creates_parse_errors_finds_the_violation_itself() -> None:
    assert everything(deferred_parse_error(INVALID, "URI")) == everything(pending())
