"""The worst inputs of one megabyte give the right result, in a linear number of calls.

These tests count calls. `benchmarks/linear.py` measures how the time grows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from counting import calls_of
from engines import KERNEL, SPEC, Engine

from uriverse import IRI, URI, ConvertError, parse, percent
from uriverse._spec import percent as slow

MEGABYTE = 1_000_000
ENGINES = [engine for engine in (SPEC, KERNEL) if engine is not None]


def repeated(unit: str, size: int = MEGABYTE) -> str:
    return unit * (size // len(unit))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    ("dot_segments", "start", "unit", "start_after", "unit_after"),
    [
        (True, "s://h/", "a/../", "s://h/", ""),
        (True, "s://h/", "../", "s://h/", ""),
        (True, "s://h/", "./", "s://h/", ""),
        (True, "s:/", "a/../", "s:/", ""),
        (True, "s:/a/..", "//", "s:/.", "//"),
        (True, "s://h", "/", "s://h", "/"),
        (True, "s:", "%41", "s:", "A"),
        (True, "s:", "%2E%2e/", "s:", "../"),
        (True, "s:/", "%2E%2e/", "s:/", ""),
        (True, "s://", "%41", "s://", "a"),
        (True, "s:?", "%2f", "s:?", "%2F"),
        (True, "s:#", "%c3%a9", "s:#", "%C3%A9"),
        (True, "S://", "A", "s://", "a"),
        ("all", "s:", "../", "s:", ""),
        ("all", "s:a/../", "../a/", "s:/a/", ""),
        ("all", "s:a/..", "//", "s:/.", "//"),
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
def test_an_iri_of_one_megabyte_is_converted_to_a_uri_and_back(
    engine: Engine, unit: str, uri: str
) -> None:
    count = MEGABYTE // len(uri)
    for start in ("s://", "s:?"):
        iri = engine.types["IRI"](start + unit * count)
        assert str(iri._to_uri()) == start + uri * count
        assert str(iri._to_uri()._to_iri()) == str(iri)
        assert iri.normalize() is iri


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["\u0301", "\u0316\u0301", "\u0344", "e\u0301", "\u00ad", "א"])
def test_a_host_of_one_megabyte_of_marks_has_an_nfc_form_but_no_domain_name(marks: str) -> None:
    value = IRI(f"http://{repeated(marks)}/")
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
    assert decode(repeated("%FF"), "keep") == repeated("%FF")


OPERATIONS: dict[str, Callable[[str], object]] = {
    "normalize": lambda text: SPEC.types["IRI"](text).normalize(),
    "changes": lambda text: IRI(text).normalization_changes(),
    "to_uri": lambda text: SPEC.types["IRI"](text)._to_uri(),
    "to_iri": lambda text: SPEC.types["IRI"](text)._to_iri(),
    "to_iri, idna": lambda text: IRI(text).to_iri(host="idna"),
    "display": lambda text: IRI(text).display(),
    "nfc": lambda text: IRI(text).nfc(),
    "bidi": lambda text: IRI(text).bidi_findings,
    "resolve": lambda text: IRI("s://h/a/b").resolve(text),
    "then": lambda text: parse("s:a/b").then(parse(text).relative_form()),
    "then, from a relative reference": lambda text: parse(text).relative_form().then("../b"),
    "same document": lambda text: URI("s://h/a/b").is_same_document(parse(text).relative_form()),
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    "unit",
    [
        "a/../",
        "../",
        "//",
        "%41",
        "%c3%a9",
        "%ff",
        "\u0301",
        "\u0316\u0301",
        "א/a",
        "xn--9ca.",
        "ａ",
    ],
)
def test_calls_of_each_operation_grow_linearly_with_the_length(operation: str, unit: str) -> None:
    def calls(size: int) -> int:
        text = f"s://{repeated(unit, size)}" if unit.strip("./") else f"s:/.{repeated(unit, size)}"
        return calls_of(lambda: OPERATIONS[operation](text))

    calls(100)  # so that lazy imports do not count
    assert calls(4000) <= 4.5 * calls(1000) + 100
