from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from amounts import scaled
from engines import both
from hypothesis import given
from hypothesis import strategies as st
from misleading import MisleadingBytes, MisleadingStr
from walker import walk

from uriverse import URIError, _engine, percent
from uriverse._spec import percent as specification

OPTIONS = [
    {"case": case, "percent_encoding": decoded, "dot_segments": dots, "ipv6": ipv6}
    for case, decoded, ipv6 in product((True, False), repeat=3)
    for dots in (True, False, "all")
]
PIECES = (
    *("%41", "%7e", "%2E", "%2e%2E", "%2f", "%3a", "%25", "%2541", "%c3%a9", "%C3", "%A9"),
    *("%e2%80%ae", "%D8%9c", "%c2%a0", "%c1%81", "%FF", "%EF%BF%BF", "%EE%80%80"),
    *("%E0%80%80", "%ED%A0%80", "%f0%9f%98%80", "%F4%90%80%80", "%f0%80%80%80"),
    *("/", "/", ".", "..", "/./", "/../", "a", "B", "é", "\u202e"),
)  # fmt: skip
STARTS = (
    *("", "s:", "S+1:", "s://", "//", "S://H:80", "//u%41@", "s://%41B", "s:a", "s:.", "/"),
    *("é://É", "Http://H", "https://h:443", "urn:A:", "mailto:a@B", "tel:+1-", "data:A/B,"),
    "file://LocalHost",
)
GROUPS = ("0", "0000", "1", "00Ab", "FFFF", "ffff", "64", "ff9b", "a00")


def normal_forms(kind: Any, text: str) -> list[object]:
    value = kind(text)
    forms = [value.normalize(**choice) for choice in OPTIONS]
    forms += [value._to_uri(), value._to_iri()]
    return [(str(form), type(form).__name__, form._bounds, form is value) for form in forms]


def assert_normal_forms_agree(text: str) -> None:
    spec, kernel = both()
    for rule, kind in spec.types.items():
        if kind.try_parse(text) is not None:
            assert normal_forms(kernel.types[rule], text) == normal_forms(kind, text), text


def assert_scheme_based_normal_forms_agree(text: str) -> None:
    spec, kernel = both()
    for rule, kind in spec.types.items():
        if (value := kind.try_parse(text)) is not None:
            other = kernel.types[rule](text)
            by_spec, by_kernel = value.normalize(scheme=True), other.normalize(scheme=True)
            assert (str(by_spec), by_spec is value) == (str(by_kernel), by_kernel is other), text
            assert by_spec._bounds == by_kernel._bounds, text


@given(st.sampled_from(STARTS), st.lists(st.sampled_from(PIECES), max_size=4).map("".join))
def test_engines_apply_scheme_based_normalization_the_same(start: str, rest: str) -> None:
    for text in (start + rest, f"{start}/{rest}", f"{start}:80{rest}"):
        if both()[0].module.is_iri_reference(text):
            assert_scheme_based_normal_forms_agree(text)
            assert_normal_forms_agree(text)


def test_engines_normalize_ipv6_addresses_the_same() -> None:
    random = Random(5952)
    addresses = [walk("IPv6address", random) for _ in range(scaled(600))]
    addresses += ["64:ff9b::102:304", "::FFFF:0102:304", "::ffff:0:102:304", "::102:304"]
    for _ in range(scaled(3000)):
        count = random.randint(0, 8)
        written = [random.choice(GROUPS) for _ in range(count)]
        if count >= 2 and random.random() < 0.3:
            written[-2:] = [f"{random.randint(0, 255)}.0.2.{random.randint(0, 255)}"]
        at = random.randint(0, len(written))
        addresses.append(":".join(written))
        addresses.append(f"{':'.join(written[:at])}::{':'.join(written[at:])}")
    found = [f"//[{address}]" for address in addresses]
    valid = [text for text in found if both()[0].module.is_uri_reference(text)]
    assert len(valid) > scaled(1000)
    for text in valid:
        assert_normal_forms_agree(text)


def outcome(function: Callable[..., Any], *arguments: Any, **named: Any) -> object:
    try:
        return function(*arguments, **named)
    except (URIError, ValueError, TypeError) as error:
        return type(error), vars(error), str(error)


def assert_functions_agree(name: str, *arguments: Any, **named: Any) -> None:
    _, kernel = both()
    mine, theirs = getattr(kernel.module, name), getattr(specification, name)
    assert outcome(mine, *arguments, **named) == outcome(theirs, *arguments, **named)


@pytest.mark.parametrize("name", ["decode", "decode_bytes", "decode_unreserved", "uppercase"])
@pytest.mark.parametrize(
    "wrong", [None, 1, b"a", "%", "%4", "%%41", "a%zz", "\ud800", "%41\udfff", "é" * 400 + "%"]
)
def test_engines_raise_the_same_error_for_invalid_encoded_strings(name: str, wrong: Any) -> None:
    assert_functions_agree(name, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 300, 341, 342, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("piece", ["a", "%41", "%c3%a9", "é", "/", "\U0001f600", " "])
def test_engines_normalize_and_encode_around_buffer_sizes_alike(size: int, piece: str) -> None:
    text = piece * size
    for name in ("decode", "decode_bytes", "decode_unreserved", "uppercase"):
        assert_functions_agree(name, text)
    assert_functions_agree("encode", text, "segment")
    assert_functions_agree("encode", text, "segment", iri=True)
    assert_functions_agree("encode", text.encode(), "query")
    if piece != " ":
        assert_normal_forms_agree(f"S://H/{text}/../?{text}#{text}")


def test_encode_and_decode_ignore_overrides_of_str_and_bytes_subclasses() -> None:
    for name in ("decode", "decode_bytes", "decode_unreserved", "uppercase"):
        assert_functions_agree(name, MisleadingStr("%7ea%2f"))
    assert_functions_agree("encode", MisleadingStr("a/b"), "segment")
    assert_functions_agree("encode", MisleadingBytes(b"a/b"), "segment")
    assert specification.encode(MisleadingBytes(b"a/b"), "segment") == "a%2Fb"
    assert specification.decode(MisleadingStr("%7ea")) == "~a"


@pytest.mark.extended
def test_engines_normalize_and_encode_every_octet_the_same() -> None:
    both()
    for first in range(256):
        assert_functions_agree("encode", bytes([first]), "segment")
        for second in (0, 0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF):
            for third in ("", "%80", "%BF", "%80%80", "%bf%BF"):
                assert_normal_forms_agree(
                    f"a:%{first:02x}%{second:02X}{third}?%{first:02x}%{second:02X}{third}"
                )


def test_percent_functions_come_from_the_running_engine() -> None:
    assert (percent.encode is specification.encode) is not _engine.compiled
