"""Strings of ten megabytes are parsed correctly with linear memory and without recursion.

The worst strings of one megabyte are edited and converted correctly. `test_growth.py` counts calls.
"""

import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import pytest
from counting import calls_of, peak_of
from engines import KERNEL, SPEC, Engine

from uriverse import (
    IRI,
    BuildError,
    ConvertError,
    ParseError,
    URIError,
    URIReference,
    compose,
    parse,
    percent,
    repair,
    split,
)
from uriverse._spec import percent as slow

SIZE = 10_000_000
MEGABYTE = 1_000_000

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
def test_an_error_in_ten_megabytes_has_the_right_position(engine: Engine, name: str) -> None:
    text, component, position = invalid_string(name, SIZE)
    assert not engine.module.is_iri_reference(text)
    with pytest.raises(ParseError) as caught:
        engine.parse(text)
    assert (caught.value.component, caught.value.position) == (component, position)
    # An error message shows only the surroundings of the error.
    assert len(str(caught.value)) < 2000


def ignoring_errors(act: Callable[[], object]) -> Callable[[], None]:
    def done() -> None:
        with suppress(URIError):
            act()

    return done


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("name", [*VALID, *INVALID])
def test_parsing_takes_at_most_four_times_the_memory_of_a_string(engine: Engine, name: str) -> None:
    size = 1_000_000
    text = valid_string(name, size) if name in VALID else invalid_string(name, size)[0]
    peak = peak_of(ignoring_errors(lambda: engine.parse(text)))
    assert peak <= 4 * sys.getsizeof(text) + 100_000


@pytest.mark.parametrize(
    "name", ["dot segments", *(pytest.param(n, marks=pytest.mark.slow) for n in (*VALID, *INVALID))]
)
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
    text = valid_string(name, MEGABYTE)
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
    parts = {"host": "a", part: unit * (MEGABYTE)}
    try:
        value = URIReference.build(**parts)  # type: ignore[call-overload]
    except BuildError as error:
        assert error.component == part  # noqa: PT017 - it may be built
        assert error.text == parts[part]  # noqa: PT017 - it may be built
        assert len(str(error)) < 2000  # noqa: PT017 - it may be built
    else:
        assert getattr(value, part) == parts[part]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    ("dot_segments", "start", "unit", "start_after", "unit_after"),
    [
        *((True, "s://h/", "a/../", "s://h/", ""), (True, "s://h/", "../", "s://h/", "")),
        *((True, "s://h/", "./", "s://h/", ""), (True, "s:/", "a/../", "s:/", "")),
        *((True, "s:/a/..", "//", "s:/.", "//"), (True, "s://h", "/", "s://h", "/")),
        *((True, "s:", "%41", "s:", "A"), (True, "s:", "%2E%2e/", "s:", "../")),
        *((True, "s:/", "%2E%2e/", "s:/", ""), (True, "s://", "%41", "s://", "a")),
        *((True, "s:?", "%2f", "s:?", "%2F"), (True, "s:#", "%c3%a9", "s:#", "%C3%A9")),
        *((True, "S://", "A", "s://", "a"), ("all", "s:", "../", "s:", "")),
        *(("all", "s:a/../", "../a/", "s:/a/", ""), ("all", "s:a/..", "//", "s:/.", "//")),
        ("all", "s:", "%2E%2e/", "s:", ""),
    ],
)
def test_a_uri_of_one_megabyte_is_normalized(
    engine: Engine, dot_segments: Any, start: str, unit: str, start_after: str, unit_after: str
) -> None:
    count = MEGABYTE // len(unit)
    form = engine.types["URI"](start + unit * count).normalize(dot_segments=dot_segments)
    assert str(form) == start_after + unit_after * count
    assert form.normalize(dot_segments=dot_segments) is form


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    ("unit", "uri"),
    [("é", "%C3%A9"), ("\u0301", "%CC%81"), ("\u0316\u0301", "%CC%96%CC%81"), ("א", "%D7%90")],
)
def test_an_iri_of_one_megabyte_is_converted_and_back(engine: Engine, unit: str, uri: str) -> None:
    count = MEGABYTE // len(uri)
    for start in ("s://", "s:?"):
        iri = engine.types["IRI"](start + unit * count)
        assert str(iri._to_uri()) == start + uri * count
        assert str(iri._to_uri()._to_iri()) == str(iri)
        assert iri.normalize() is iri


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["\u0301", "\u0316\u0301", "\u0344", "e\u0301", "\u00ad", "א"])
def test_a_host_of_one_megabyte_of_marks_has_an_nfc_form_but_no_domain_name(marks: str) -> None:
    value = IRI(f"http://{marks * (MEGABYTE // len(marks))}/")
    with pytest.raises(ConvertError, match="the limit is 253 octets"):
        value.to_uri(host="idna")
    form = value.nfc()
    assert form.is_nfc
    # The marks are already in canonical order, so that this call also takes linear time.
    assert unicodedata.normalize("NFC", str(form)) == str(form)
    assert value.display().isascii()
    assert len(value.bidi_findings) <= 1


def test_nfc_reorders_one_megabyte_of_combining_marks() -> None:
    count = MEGABYTE // 2
    form = IRI("s:x" + "\u0316\u0301" * count).nfc()
    assert str(form) == "s:x" + "\u0316" * count + "\u0301" * count


@pytest.mark.slow
@pytest.mark.parametrize("functions", [percent, slow], ids=["public", "spec"])
def test_percent_encode_and_decode_handle_one_megabyte(functions: object) -> None:
    encode: Callable[..., str] = functions.encode  # type: ignore[attr-defined]
    decode: Callable[..., str] = functions.decode  # type: ignore[attr-defined]
    for unit, text in (("%", "%25"), (" ", "%20"), ("é", "%C3%A9"), ("a", "a")):
        count = MEGABYTE // len(text)
        assert encode(unit * count, "segment") == text * count
        assert decode(text * count) == unit * count
    assert decode("%FF" * 333_333, "keep") == "%FF" * 333_333


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["%", " ", "\\", "\t", "[", "|\\"], ids=ascii)
def test_a_string_of_one_megabyte_is_repaired(unit: str) -> None:
    assert repair(f"http://a.example/{unit * (MEGABYTE // len(unit))}").changes
