"""Strings of ten megabytes are parsed correctly with linear memory and without recursion.

These tests count calls and measure memory. `benchmarks/linear.py` measures how the time grows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

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
    repair,
    split,
)
from uriverse._redaction import redacted, redacted_invalid
from uriverse.diagnosis._checking import list_findings
from uriverse.diagnosis._findings import group_details

SIZE = 10_000_000

ENGINES = [engine for engine in (SPEC, KERNEL) if engine is not None]

#: Valid strings, each as a prefix, a piece to repeat, and a suffix.
VALID = {
    "dot segments": ("", "/..", ""),
    "triplets": ("", "%41", ""),
    "letters": ("", "a", ""),
    "scheme": ("", "a", ":"),
    "colons in userinfo": ("//", ":", "@"),
    "colons in a path": ("/", ":", ""),
    "segments": ("//a", "/", ""),
    "host": ("//", "a", ""),
    "percent-encoded host": ("//", "%C3%A9", ""),
    "dotted host": ("//", "1.", ""),
    "digits of a port": ("//a:", "1", ""),
    "non-ASCII": ("", "é", ""),
    "supplementary plane": ("//", "\U00010000", ""),
    "IPvFuture": ("//[v1.", "a", "]"),
    "version of IPvFuture": ("//[v", "1", ".a]"),
    "question marks": ("", "?", ""),
    "percent-encoded query": ("?", "%3F", ""),
    "fragment": ("#", "/?", ""),
}

#: Invalid strings in the same form, with the component and the position of the error. A negative
#: position counts from the end of the string; None is the end itself.
INVALID = {
    "percent signs": ("", "%", "", "path", 1),
    "brackets": ("", "[", "", "path", 0),
    "brackets in a host": ("//", "[", "", "host", 3),
    "colons": ("", ":", "", "path", 0),
    "colons in brackets": ("http://[", ":", "", "host", 10),
    "colons in a port": ("//", ":", "", "port", 3),
    "several userinfos": ("//", "a@", "", "host", 5),
    "userinfo with an invalid end": ("//", "a", " @b", "userinfo", -3),
    "unclosed IPvFuture": ("//[v1.", "a", "", "host", None),
    "IPvFuture closed by another bracket": ("//[v1.", "a", "[", "host", -1),
    "version without an end": ("//[v", "1", "", "host", None),
    "digits in brackets": ("//[", "1", "", "host", 7),
    "dots in brackets": ("//[", "1.", "]", "host", 4),
    "groups in brackets": ("//[", "1:", "]", "host", 18),
    "port with an invalid end": ("//a:", "1", "x", "port", -1),
    "path with an invalid end": ("", "/..", " ", "path", -1),
    "path that ends with a percent sign": ("/", "a", "%", "path", None),
    "incomplete triplet": ("/", "%41", "%4", "path", None),
    "invalid triplet": ("/", "%41", "%zz", "path", -2),
    "host with an invalid end": ("//", "a", "^", "host", -1),
    "non-ASCII with an invalid end": ("", "é", "\ud800", "path", -1),
    "query with an invalid end": ("?", "%41", "#%", "fragment", None),
    "invalid scheme": ("1", "a", ":", "scheme", 0),
    "surrogates": ("", "\ud800", "", "path", 0),
    "NULs": ("", "\0", "", "path", 0),
    "spaces": ("//", " ", "@", "userinfo", 2),
}


def valid_string(name: str, size: int) -> str:
    before, unit, after = VALID[name]
    return before + unit * (size // len(unit)) + after


def invalid_string(name: str, size: int) -> tuple[str, str, int]:
    before, unit, after, component, position = INVALID[name]
    text = before + unit * (size // len(unit)) + after
    if position is None:
        position = len(text)
    return text, component, position if position >= 0 else len(text) + position


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", VALID)
def test_a_valid_string_of_ten_megabytes_is_parsed(engine: Engine, name: str) -> None:
    text = valid_string(name, SIZE)
    assert engine.module.is_iri_reference(text)
    assert str(engine.parse(text)) == text


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_string_of_ten_megabytes_has_the_right_error_position(
    engine: Engine, name: str
) -> None:
    text, component, position = invalid_string(name, SIZE)
    assert not engine.module.is_iri_reference(text)
    with pytest.raises(ParseError) as caught:
        engine.parse(text)
    assert (caught.value.component, caught.value.position) == (component, position)
    # An error message shows only the surroundings of the error.
    assert len(str(caught.value)) < 2000


def ignoring_errors(act: Callable[[], object]) -> Callable[[], None]:
    """Return a function that calls `act` and ignores a `URIError`."""

    def done() -> None:
        with suppress(URIError):
            act()

    return done


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", [*VALID, *INVALID])
def test_parsing_takes_at_most_four_times_the_memory_of_the_string(
    engine: Engine, name: str
) -> None:
    size = 1_000_000
    text = valid_string(name, size) if name in VALID else invalid_string(name, size)[0]
    peak = peak_of(ignoring_errors(lambda: engine.parse(text)))
    assert peak <= 4 * sys.getsizeof(text) + 100_000


@pytest.mark.parametrize("name", [*VALID, *INVALID])
def test_the_reference_implementation_makes_no_more_calls_for_a_longer_string(name: str) -> None:
    def calls(size: int) -> int:
        text = valid_string(name, size) if name in VALID else invalid_string(name, size)[0]
        return calls_of(ignoring_errors(lambda: SPEC.parse(text)))

    calls(1000)  # patterns are compiled on first use
    # Bisection finds the position in brackets: a few more calls for twice the length.
    steps = 300 if "IPvFuture" in name or "version" in name else 0
    assert calls(64_000) <= calls(1000) + 6 * steps


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_parsing_never_recurses(engine: Engine) -> None:
    inputs = [valid_string(name, 100_000) for name in VALID]
    inputs += [invalid_string(name, 100_000)[0] for name in INVALID]
    for text in inputs:
        ignoring_errors(partial(engine.parse, text))()  # so that lazy imports do not count
    depth = 0
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 30)
    try:
        for text in inputs:
            ignoring_errors(partial(engine.parse, text))()
    finally:
        sys.setrecursionlimit(limit)


def test_memory_that_python_keeps_for_the_next_objects_counts_too() -> None:
    assert_proportional(lambda count: [(number, number) for number in range(count)])


def test_a_port_of_ten_million_digits_is_kept_but_not_converted_to_int() -> None:
    value = URIReference(f"//a:{'1' * SIZE}")
    assert value.port_text == "1" * SIZE
    with pytest.raises(ConvertError) as caught:
        _ = value.port
    assert (caught.value.position, caught.value.component) == (4, "port")
    assert len(str(caught.value)) < 2000


def test_leading_zeros_of_a_port_do_not_count_toward_its_limit() -> None:
    assert URIReference(f"//a:{'0' * SIZE}80").port == 80
    assert URIReference(f"//a:{'0' * SIZE}").port == 0


@pytest.mark.parametrize("digits", [639, 640, 641])
def test_a_port_of_up_to_640_digits_is_converted_to_int(digits: int) -> None:
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


@pytest.mark.parametrize("name", VALID)
def test_a_string_of_one_megabyte_is_split_composed_and_edited(name: str) -> None:
    text = valid_string(name, SIZE // 10)
    assert compose(*split(text)) == text
    value = parse(text)
    assert str(value.replace()) == text
    assert value.with_fragment("f").fragment == "f"


def test_a_path_of_200000_segments_is_split_and_rebuilt() -> None:
    value = URIReference("/a%2F" * 200_000)
    assert value.segments == ("", *["a/"] * 200_000)
    assert value.with_segments(value.segments) == value
    joined = URIReference("//a").joinpath(*["b"] * 50_000)
    assert joined.path == "/b" * 50_000


@pytest.mark.parametrize("part", ["userinfo", "host", "path", "query", "fragment"])
@pytest.mark.parametrize("unit", ["%", "[", " ", "%41", "/", "é", "\ud800", ":"])
def test_build_accepts_or_rejects_a_component_of_one_megabyte(part: str, unit: str) -> None:
    parts = {"host": "a", part: unit * (SIZE // 10)}
    try:
        value = URIReference.build(**parts)  # type: ignore[call-overload]
    except BuildError as error:
        assert error.component == part  # noqa: PT017 - it may be built
        assert error.text == parts[part]  # noqa: PT017 - it may be built
        assert len(str(error)) < 2000  # noqa: PT017 - it may be built
    else:
        assert getattr(value, part) == parts[part]


#: Pieces to repeat in a string that is searched for passwords.
CREDENTIALS = [
    ":", "@", "/", "//", "a:", "a:b:", "//a:", "//a:b@", "a:b:c@/", "a:b:c@", ":1&", "//:1&@",
    "/@", "%", "%3A", "%2F%2Fa%3A", "%2F%2Fa%3Ab%40", "%252F%252F", "%2525", "%40", "a.", "a:1&a@/",
    "\0", "\0@/", '<a>;b="c",',
]  # fmt: skip

#: More such pieces, with the strings before and after them.
NESTED_CREDENTIALS = [
    ("a=//b", ":c", "&d=e@f"),
    ("a=", "http:b:", "&c=d@e"),
    ("a=http:b:", "c&:", "&d=e@f"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "unit", "after"),
    [*(("", unit, "") for unit in CREDENTIALS), *NESTED_CREDENTIALS],
    ids=ascii,
)
@pytest.mark.parametrize("redact", [redacted, redacted_invalid])
def test_redacting_takes_linear_time_and_memory(
    before: str, unit: str, after: str, redact: Callable[[str], str]
) -> None:
    def text(size: int) -> str:
        return f"http://u:p@h/?{before}{unit * (size // len(unit))}{after}"

    def shown(size: int) -> Callable[[], object]:
        given = text(size)
        return lambda: redact(given)

    assert redact(text(SIZE // 10)).startswith("http://u:REDACTED")
    assert calls_of(shown(40_000)) <= 2 * calls_of(shown(20_000)) + 100
    # A span needs a few objects, and there is at most one span for every four characters.
    assert peak_of(shown(100_000)) <= 100 * 100_000


def numbered(count: int) -> list[str]:
    return [f"a{number}" for number in range(count)]


#: Operations on n names or values.
MANY: dict[str, Callable[[int], Callable[[], object]]] = {
    "without existing names": lambda n: partial(
        Params("&".join(numbered(n))).without, *numbered(n)
    ),
    "without missing names": lambda n: partial(Params("b").without, *numbered(n)),
    "with_param, many values": lambda n: partial(
        Params("&".join(["a=1"] * n)).with_param, "a", numbered(n)
    ),
    "update": lambda n: partial(
        Params("&".join(numbered(n))).updated, dict.fromkeys(numbered(n), "1")
    ),
    "a value of surrogate escapes": lambda n: partial(Params().with_param, "a", "\udcff" * n),
    "a name of surrogate escapes": lambda n: partial(Params("%FF" * n).get, "\udcff" * n),
    "surrogate escapes of valid UTF-8": lambda n: ignoring_errors(
        partial(Params().with_param, "a", "\udcff" * n + "\udcc3\udca9")
    ),
    "getall": lambda n: partial(
        lambda params: [params.getall(name) for name in params], Params("&".join(numbered(n)))
    ),
    "TelURI": lambda n: partial(TelURI, f"tel:+1;{';'.join(numbered(n))}"),
    "TelURI.parameters": lambda n: partial(
        lambda call: call.parameters, TelURI(f"tel:+1;{';'.join(numbered(n))}")
    ),
    "TelURI.comparison_key": lambda n: partial(
        lambda call: call.comparison_key("scheme"), TelURI(f"tel:+1;{';'.join(numbered(n))}")
    ),
    "TelURI.from_parts": lambda n: partial(
        TelURI.from_parts, "+1", parameters=dict.fromkeys(numbered(n), "b")
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_calls_and_memory_grow_linearly_with_the_number_of_parameters(name: str) -> None:
    act = MANY[name]
    act(100_000)()  # with a copy of all parameters for each of them, this would take minutes
    assert_proportional(lambda size: act(size)())


#: Beginnings of malformed strings, and pieces to repeat after them.
MALFORMED = ("http://a.example/", "", "http://a.example?", "#", "http://", "foo:", "a b", "http:")
TO_REPAIR = (
    *(
        "%",
        " ",
        "\\",
        "\t",
        "[",
        "\u00e9",
        "|",
        "a\t ",
        "@",
        ":",
        "//",
        "\\/",
        "%2",
        "a.",
        "\u00e9.",
    ),
    *("|\\", "x y/", "\n\\", "{u:p@", "\x01"),
)


@pytest.mark.parametrize("start", MALFORMED)
@pytest.mark.parametrize("unit", TO_REPAIR, ids=ascii)
def test_a_repair_takes_linear_time_and_memory(start: str, unit: str) -> None:
    choices: tuple[dict[str, Any], ...] = ({}, {"iri": True, "slashes": True, "scheme": "https"})
    for options in choices:
        act = partial(repair, **options)
        assert_proportional(
            lambda size, act=act: ignoring_errors(  # type: ignore[misc]
                partial(act, f"{start}{unit * size}x")
            )(),
            size=300,
        )


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["%", " ", "\\", "\t", "[", "|\\"], ids=ascii)
def test_a_string_of_one_megabyte_is_repaired(unit: str) -> None:
    assert repair(f"http://a.example/{unit * (SIZE // 10 // len(unit))}").changes


@pytest.mark.parametrize("unit", ["\\@", "%e9_-.", "/%ff%2F", "%00%ff%2F", "a@b.c\ufdd0\0"])
def test_the_details_of_many_findings_take_linear_time_and_memory(unit: str) -> None:
    findings = list_findings(f"http://u@{unit * 4000}", "strict")
    assert len(findings) >= 4000
    assert_proportional(lambda size: group_details(findings[:size]))
