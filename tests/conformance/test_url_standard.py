"""Every URL test of WPT agrees with the RFCs, or differs for exactly one reason."""

from collections import Counter
from pathlib import Path
from typing import Any

from conformance.deviations import PORT_LIMIT
from conformance.results import run
from conformance.suites import VENDORED, Case, load
from conformance.url_standard import (
    ACCEPTED,
    FILE_PORT,
    NONCHARACTER,
    NUMERIC_HOST,
    REJECTED,
    Answer,
    Rejection,
    agrees,
    answer,
    classes_of,
)
from uriverse import IRIReference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
CASES = load(VENDORED / "wpt-url.json")
ANSWERS = [(case, answer(case)) for case in CASES]
DIFFERENCES = [(case, found) for case, found in ANSWERS if not agrees(case, found)]


def case_of(text: str, expected: str | None, base: str | None = None) -> Case:
    return {"kind": "url", "input": text, "base": base, "expected": expected, "source": "here"}


def classes(text: str, expected: str | None, base: str | None = None) -> list[Any]:
    case = case_of(text, expected, base)
    return classes_of(case, answer(case))


def test_every_case_agrees_or_belongs_to_exactly_one_class() -> None:
    assert [case for case, found in DIFFERENCES if len(classes_of(case, found)) != 1] == []


def test_every_class_has_a_case() -> None:
    occurring = {reason for case, found in DIFFERENCES for reason in classes_of(case, found)}
    assert occurring == {*REJECTED.values(), NONCHARACTER, *ACCEPTED}


def test_every_class_has_a_section_of_an_rfc() -> None:
    for reason in (*REJECTED.values(), NONCHARACTER, *ACCEPTED):
        assert reason.section.startswith("RFC ")
        # Vertical bars would end the cells of the tables of reasons.
        assert "|" not in reason.text


def test_every_forbidden_character_is_in_one_class() -> None:
    characters = "".join(REJECTED)
    assert len(set(characters)) == len(characters)


def verdict(*, is_accepted: bool) -> str:
    return "accepted" if is_accepted else "rejected"


def row(case: Case, found: Answer) -> tuple[str, str]:
    """Return the answers of the URL Standard and of the RFCs as in the table of the page."""
    ours = verdict(is_accepted=isinstance(found, IRIReference))
    if ours == "accepted" and case["expected"] is not None:
        ours += ", equivalent targets" if agrees(case, found) else ", different targets"
    return verdict(is_accepted=case["expected"] is not None), ours


def test_the_page_has_the_number_of_each_combination_of_answers() -> None:
    page = PAGE.read_text("utf-8")
    counts = Counter(row(case, found) for case, found in ANSWERS)
    assert len(counts) == 5
    for (theirs, ours), count in counts.items():
        assert f"\n| {theirs} | {ours} | {count} |\n" in page
    assert f"\nEach of the {len(DIFFERENCES)} differences belongs to exactly one of" in page
    assert f" of {len(REJECTED) + 1 + len(ACCEPTED)} classes" in page


def test_a_rejection_names_the_first_forbidden_character() -> None:
    for text, base, rejected, character in [
        *(("http://a/%4", None, "http://a/%4", "%"), ("http://a/%", None, "http://a/%", "%")),
        ("http://a/%zz", None, "http://a/%zz", "%"),
        *(("http://a/%41|", None, "http://a/%41|", "|"), ("http://[::1", None, "http://[::1", "")),
        *(("a\\b", "http://a/", "a\\b", "\\"), ("a\\b", "http://a/##", "http://a/##", "#")),
    ]:
        assert answer(case_of(text, None, base)) == Rejection(rejected, character)


def test_a_relative_reference_without_a_base_has_no_target() -> None:
    assert answer(case_of("a", None)) is None
    assert agrees(case_of("a", None), None)
    assert classes("a", "http://a/") == []


def test_a_difference_that_no_class_explains_is_unexplained() -> None:
    for text, expected, base in [
        *(("http://a/", "http://b/", None), ("http://a/", None, None)),
        *(("http://1.2/a", "http://1.0.0.2/b", None), ("http://a/?'", "http://a/?%22", None)),
        *(("http://a:b@h/", "http://a@h/", None), ("file://localhost//a", "file:////b", None)),
        *(("file:///a", "file:///b", None), ("b", "sc:c", "sc:a"), ("b", None, "sc:/a")),
        *(("http://a:b/", "http://a/", None), ("http://[::1", "http://[::1]/", None)),
        ("a", "http://a/", None),
    ]:
        assert classes(text, expected, base) == []
        assert len(run("wpt-url", [case_of(text, expected, base)]).unexplained) == 1


def test_a_difference_in_two_classes_is_unexplained() -> None:
    for text, reasons in [
        ("file://a:70000/", [PORT_LIMIT, FILE_PORT]),
        ("http://1.2:70000/", [PORT_LIMIT, NUMERIC_HOST]),
    ]:
        assert classes(text, None) == reasons
        assert len(run("wpt-url", [case_of(text, None)]).unexplained) == 1
