"""A repair changes only what is malformed, reports each change, and never changes the host."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st
from readers import malformed
from strategies import hostile, references

from uriverse import (
    Repaired,
    RepairError,
    URIReference,
    is_iri_reference,
    is_uri_reference,
    parse,
    repair,
    split,
)

SCHEMES = ("https", "ftp", "foo")


def options() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"iri": st.booleans(), "slashes": st.booleans()},
        optional={"scheme": st.sampled_from(SCHEMES)},
    )


def texts() -> st.SearchStrategy[str]:
    """Mostly malformed strings that can be repaired, and arbitrary ones."""
    made = st.randoms(use_true_random=False).map(malformed)
    return st.one_of(made, made, made, references(), hostile())


def repaired(text: str, **given: Any) -> Repaired | None:
    """Return the result of a repair, or None if the string is rejected."""
    try:
        result = repair(text, **given)
    except RepairError as error:
        event(error.code)
        assert 0 <= error.position <= len(text)  # noqa: PT017 - it may be repaired
        assert error.text == text  # noqa: PT017 - it may be repaired
        return None
    event("changed" if result.changes else "unchanged")
    return result


@given(texts(), options())
def test_a_repair_returns_a_valid_identifier_or_raises_repair_error(
    text: str, given_options: dict[str, Any]
) -> None:
    result = repaired(text, **given_options)
    if result is not None:
        is_valid = is_iri_reference if given_options["iri"] else is_uri_reference
        assert is_valid(str(result))
        assert type(result.uri) is type(parse(str(result)))


@given(texts(), options())
@example("http:\\\\a\\\\b", {"iri": False, "slashes": True})
def test_a_second_repair_changes_nothing(text: str, given_options: dict[str, Any]) -> None:
    result = repaired(text, **given_options)
    if result is not None:
        assert repair(result.uri, **given_options) == Repaired(result.uri, ())


@given(texts(), options())
def test_the_changes_turn_the_input_into_the_result(
    text: str, given_options: dict[str, Any]
) -> None:
    result = repaired(text, **given_options)
    if result is None:
        return
    pieces: list[str] = []
    done = 0
    for change in result.changes:
        assert done <= change.start <= change.end
        assert text[change.start : change.end] == change.before != change.after
        pieces += text[done : change.start], change.after
        done = change.end
    assert "".join(pieces) + text[done:] == str(result)


@given(references())
def test_a_valid_reference_is_returned_unchanged(text: str) -> None:
    assert repair(text, iri=True) == Repaired(parse(text), ())
    if text.isascii():
        assert repair(text) == Repaired(URIReference(text), ())


@given(texts(), st.booleans())
def test_without_options_the_scheme_and_an_ascii_authority_do_not_change(
    text: str, iri: bool
) -> None:
    result = repaired(text, iri=iri)
    if result is None:
        return
    before = split(text.strip("".join(map(chr, range(0x21)))))
    assert result.uri.scheme == before.scheme
    assert (result.uri.authority is None) == (before.authority is None)
    if before.authority is not None and before.authority.isascii():
        host = before.authority.rpartition("@")[2]
        assert str(result.uri.authority).rpartition("@")[2] == host


@pytest.mark.parametrize("code", range(0x80))
@pytest.mark.parametrize("start", ["http://a.example/b", "/b", "?b", "#b"])
def test_each_ascii_character_is_kept_removed_or_encoded(code: int, start: str) -> None:
    character = chr(code)
    text = f"{start}{character}z"
    after = f"%{code:02X}"
    if is_uri_reference(text):
        after = character
    elif character in "\t\n\r":
        after = ""
    elif character == "\\" and "/" in start:
        after = "/"
    assert str(repair(text)) == f"{start}{after}z"
