"""Ten megabytes of anything: the right answer, in bounded memory, calls and depth.

How the time grows is printed by `benchmarks/linear.py`; here nothing is timed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType

import pytest
from counting import assert_proportional, calls_of, peak_of
from engines import KERNEL, SPEC, Engine

from uriverse import (
    BuildError,
    ConvertError,
    Params,
    ParseError,
    TelURI,
    URIError,
    URIReference,
    compose,
    parse,
    split,
)
from uriverse.redaction import without_passwords

SIZE = 10_000_000

ENGINES = [engine for engine in (SPEC, KERNEL) if engine is not None]

#: What is repeated, and what stands before and after it. Each is right as it is.
RIGHT = {
    "dot segments": ("", "/..", ""),
    "escapes": ("", "%41", ""),
    "letters": ("", "a", ""),
    "scheme": ("", "a", ":"),
    "colons in userinfo": ("//", ":", "@"),
    "colons in a path": ("/", ":", ""),
    "segments": ("//a", "/", ""),
    "host": ("//", "a", ""),
    "escaped host": ("//", "%C3%A9", ""),
    "dotted host": ("//", "1.", ""),
    "digits of a port": ("//a:", "1", ""),
    "past ASCII": ("", "é", ""),
    "past the first plane": ("//", "\U00010000", ""),
    "IPvFuture": ("//[v1.", "a", "]"),
    "version of IPvFuture": ("//[v", "1", ".a]"),
    "question marks": ("", "?", ""),
    "query in escapes": ("?", "%3F", ""),
    "fragment": ("#", "/?", ""),
}

#: The same, wrong; and the component and place of the offence, counted from the end
#: of the repetition where the place is negative or None (the very end).
WRONG = {
    "percent signs": ("", "%", "", "path", 1),
    "brackets": ("", "[", "", "path", 0),
    "brackets of a host": ("//", "[", "", "host", 3),
    "colons": ("", ":", "", "path", 0),
    "colons in brackets": ("http://[", ":", "", "host", 10),
    "colons of a port": ("//", ":", "", "port", 3),
    "userinfos": ("//", "a@", "", "host", 5),
    "userinfo with a wrong end": ("//", "a", " @b", "userinfo", -3),
    "unclosed IPvFuture": ("//[v1.", "a", "", "host", None),
    "IPvFuture closed wrongly": ("//[v1.", "a", "[", "host", -1),
    "version without an end": ("//[v", "1", "", "host", None),
    "digits in brackets": ("//[", "1", "", "host", 7),
    "dots in brackets": ("//[", "1.", "]", "host", 4),
    "groups in brackets": ("//[", "1:", "]", "host", 18),
    "port with a wrong end": ("//a:", "1", "x", "port", -1),
    "path with a wrong end": ("", "/..", " ", "path", -1),
    "path with a percent sign at its end": ("/", "a", "%", "path", None),
    "escapes cut short": ("/", "%41", "%4", "path", None),
    "escapes with a wrong one": ("/", "%41", "%zz", "path", -2),
    "host with a wrong end": ("//", "a", "^", "host", -1),
    "past ASCII with a wrong end": ("", "é", "\ud800", "path", -1),
    "query with a wrong end": ("?", "%41", "#%", "fragment", None),
    "no scheme at all": ("1", "a", ":", "scheme", 0),
    "surrogates": ("", "\ud800", "", "path", 0),
    "NULs": ("", "\0", "", "path", 0),
    "spaces": ("//", " ", "@", "userinfo", 2),
}


def right(name: str, size: int) -> str:
    before, unit, after = RIGHT[name]
    return before + unit * (size // len(unit)) + after


def wrong(name: str, size: int) -> tuple[str, str, int]:
    before, unit, after, component, place = WRONG[name]
    text = before + unit * (size // len(unit)) + after
    if place is None:
        place = len(text)
    return text, component, place if place >= 0 else len(text) + place


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", RIGHT)
def test_a_very_long_text_is_read(engine: Engine, name: str) -> None:
    text = right(name, SIZE)
    assert engine.module.is_iri_reference(text)
    assert str(engine.parse(text)) == text


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", WRONG)
def test_a_very_long_wrong_text_is_refused_at_its_place(engine: Engine, name: str) -> None:
    text, component, place = wrong(name, SIZE)
    assert not engine.module.is_iri_reference(text)
    with pytest.raises(ParseError) as caught:
        engine.parse(text)
    assert (caught.value.component, caught.value.position) == (component, place)
    # An error draws the surroundings of the place only.
    assert len(str(caught.value)) < 2000


def quietly(act: Callable[[], object]) -> Callable[[], None]:
    """The same act, whose refusal is an answer."""

    def done() -> None:
        with suppress(URIError):
            act()

    return done


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_reading_takes_a_few_times_the_memory_of_the_text(engine: Engine, name: str) -> None:
    size = 1_000_000
    text = right(name, size) if name in RIGHT else wrong(name, size)[0]
    peak = peak_of(quietly(lambda: engine.parse(text)))
    assert peak <= 4 * sys.getsizeof(text) + 100_000


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_the_specification_makes_no_more_calls_for_a_longer_text(name: str) -> None:
    def calls(size: int) -> int:
        text = right(name, size) if name in RIGHT else wrong(name, size)[0]
        return calls_of(quietly(lambda: SPEC.parse(text)))

    calls(1000)  # patterns are compiled when they are first used
    # A place in brackets is found by bisection: a few calls more for twice the length.
    steps = 300 if "IPvFuture" in name or "version" in name else 0
    assert calls(64_000) <= calls(1000) + 6 * steps


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_nothing_is_recursive(engine: Engine) -> None:
    inputs = [right(name, 100_000) for name in RIGHT]
    inputs += [wrong(name, 100_000)[0] for name in WRONG]
    for text in inputs:
        quietly(partial(engine.parse, text))()  # all that is lazy is imported
    depth = 0
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 30)
    try:
        for text in inputs:
            quietly(partial(engine.parse, text))()
    finally:
        sys.setrecursionlimit(limit)


def test_a_port_of_ten_million_digits_is_kept_and_not_made_a_number() -> None:
    value = URIReference(f"//a:{'1' * SIZE}")
    assert value.port_text == "1" * SIZE
    with pytest.raises(ConvertError) as caught:
        _ = value.port
    assert (caught.value.position, caught.value.component) == (4, "port")
    assert len(str(caught.value)) < 2000


def test_a_port_of_ten_million_zeros_is_a_number() -> None:
    assert URIReference(f"//a:{'0' * SIZE}80").port == 80
    assert URIReference(f"//a:{'0' * SIZE}").port == 0


@pytest.mark.parametrize("digits", [639, 640, 641])
def test_a_port_is_a_number_up_to_the_longest_that_is_always_read(digits: int) -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        value = URIReference(f"//a:{'9' * digits}")
        if digits <= 640:
            assert value.port == 10**digits - 1
            assert value.with_port(10**digits - 1) == value
        else:
            with pytest.raises(ConvertError):
                _ = value.port
            with pytest.raises(BuildError):
                value.with_port(10**digits - 1)
            with pytest.raises(BuildError):
                value.with_port(1 - 10**digits)
    finally:
        sys.set_int_max_str_digits(limit)


@pytest.mark.parametrize("name", RIGHT)
def test_a_very_long_text_is_split_composed_and_edited(name: str) -> None:
    text = right(name, SIZE // 10)
    assert compose(*split(text)) == text
    value = parse(text)
    assert str(value.replace()) == text
    assert value.with_fragment("f").fragment == "f"


def test_a_very_long_path_is_taken_apart_and_joined() -> None:
    value = URIReference("/a%2F" * 200_000)
    assert value.segments == ("", *["a/"] * 200_000)
    assert value.with_segments(value.segments) == value
    joined = URIReference("//a").joinpath(*["b"] * 50_000)
    assert joined.path == "/b" * 50_000


@pytest.mark.parametrize("part", ["userinfo", "host", "path", "query", "fragment"])
@pytest.mark.parametrize("unit", ["%", "[", " ", "%41", "/", "é", "\ud800", ":"])
def test_a_very_long_part_is_built_or_refused(part: str, unit: str) -> None:
    parts = {"host": "a", part: unit * (SIZE // 10)}
    try:
        value = URIReference.build(**parts)  # type: ignore[arg-type]
    except BuildError as error:
        assert error.component == part  # noqa: PT017 - it may be built
        assert error.text == parts[part]  # noqa: PT017 - it may be built
        assert len(str(error)) < 2000  # noqa: PT017 - it may be built
    else:
        assert getattr(value, part) == parts[part]


#: Pieces that are repeated in a string that is searched for passwords.
CREDENTIALS = [
    ":", "@", "/", "//", "a:", "a:b:", "//a:", "//a:b@", "a:b:c@/", "a:b:c@", ":1&", "//:1&@",
    "/@", "%", "%3A", "%2F%2Fa%3A", "%2F%2Fa%3Ab%40", "%252F%252F", "%2525", "%40", "a.", "a:1&a@/",
    "\0", "\0@/",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", CREDENTIALS, ids=ascii)
@pytest.mark.parametrize("valid", [True, False])
def test_passwords_are_looked_for_in_linear_time_and_memory(unit: str, valid: bool) -> None:
    def text(size: int) -> str:
        return f"http://u:p@h/?{unit * (size // len(unit))}"

    def shown(size: int) -> Callable[[], object]:
        given = text(size)
        return lambda: without_passwords(given, valid=valid)

    assert without_passwords(text(SIZE // 10), valid=valid).startswith("http://u:***")
    assert calls_of(shown(40_000)) <= 2 * calls_of(shown(20_000)) + 100
    # A span is a few objects, and four characters make at most one span.
    assert peak_of(shown(100_000)) <= 100 * 100_000


def numbered(count: int) -> list[str]:
    return [f"a{number}" for number in range(count)]


#: Operations that take n names or values.
MANY: dict[str, Callable[[int], Callable[[], object]]] = {
    "without names that are there": lambda n: partial(
        Params("&".join(numbered(n))).without, *numbered(n)
    ),
    "without names that are not": lambda n: partial(Params("b").without, *numbered(n)),
    "values for a name": lambda n: partial(
        Params("&".join(["a=1"] * n)).with_param, "a", numbered(n)
    ),
    "update": lambda n: partial(
        Params("&".join(numbered(n))).updated, dict.fromkeys(numbered(n), "1")
    ),
    "a value of surrogate escapes": lambda n: partial(Params().with_param, "a", "\udcff" * n),
    "a name of surrogate escapes": lambda n: partial(Params("%FF" * n).get, "\udcff" * n),
    "escapes that are UTF-8": lambda n: quietly(
        partial(Params().with_param, "a", "\udcff" * n + "\udcc3\udca9")
    ),
    "getall": lambda n: partial(
        lambda params: [params.getall(name) for name in params], Params("&".join(numbered(n)))
    ),
    "a number": lambda n: partial(TelURI, f"tel:+1;{';'.join(numbered(n))}"),
    "the parameters of a number": lambda n: partial(
        lambda call: call.parameters, TelURI(f"tel:+1;{';'.join(numbered(n))}")
    ),
    "a number to compare": lambda n: partial(
        lambda call: call.comparison_key(), TelURI(f"tel:+1;{';'.join(numbered(n))}")
    ),
    "a number that is built": lambda n: partial(
        TelURI.build, "+1", parameters=dict.fromkeys(numbered(n), "b")
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_many_parameters_take_calls_and_memory_in_proportion(name: str) -> None:
    act = MANY[name]
    act(100_000)()  # with a copy for each of them, this would take minutes
    assert_proportional(lambda size: act(size)())
