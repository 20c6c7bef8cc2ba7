"""Sequences of literals and captured runs."""

from __future__ import annotations

from uriverse.templates import _sequences as sequences
from uriverse.templates._sequences import (
    MOST_KEPT,
    START,
    TRIPLET,
    Position,
    Sequence,
    bits,
    symbols_of,
)

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def strings_in(sequence: Sequence, text: str) -> list[dict[int, list[str]]]:
    """Return the strings that each slot captures, for each way to match."""
    symbols = symbols_of(text)
    readings = sequence.readings(symbols, symbols)
    if readings is None:
        return []
    return [
        {slot: ["".join(symbols[a:b]) for a, b in spans] for slot, spans in way.items()}
        for way in readings.captures()
    ]


def test_symbols_are_characters_and_triplets() -> None:
    assert symbols_of("a%41%zz%") == ["a", "%41", "%", "z", "z", "%"]
    assert symbols_of("ab\n") == ["a", "b", "\n"]
    assert symbols_of("%0A\n") == ["%0A", "\n"]
    assert symbols_of("") == []


def test_bits_are_the_numbers_of_the_set_bits() -> None:
    assert list(bits(0)) == []
    assert list(bits(0b10110)) == [1, 2, 4]
    assert list(bits(1 << 5000)) == [5000]


def test_an_empty_sequence_matches_the_empty_string() -> None:
    assert strings_in(Sequence(), "") == [{}]
    assert strings_in(Sequence(), "a") == []


def test_a_literal_matches_itself() -> None:
    sequence = Sequence()
    assert sequence.add_literal("a%2Fb") == 1 << START + 1
    assert strings_in(sequence, "a%2Fb") == [{}]
    for text in ("", "a", "a%2F", "a%2Fbb", "a%2fb", "a/b"):
        assert strings_in(sequence, text) == []


def test_a_run_captures_characters() -> None:
    sequence = Sequence()
    sequence.add_run(0, LETTERS | {TRIPLET}, least=1)
    assert strings_in(sequence, "ab%2F") == [{0: ["ab%2F"]}]
    assert strings_in(sequence, "") == []
    assert strings_in(sequence, "a1") == []


def test_a_run_may_be_empty() -> None:
    sequence = Sequence()
    sequence.add_literal("/")
    sequence.add_run(0, LETTERS, least=0)
    sequence.add_literal("/")
    assert strings_in(sequence, "//") == [{}]
    assert strings_in(sequence, "/a/") == [{0: ["a"]}]
    assert strings_in(sequence, "/") == []


def test_all_ways_to_match_are_found() -> None:
    sequence = Sequence()
    sequence.add_run(0, LETTERS, least=1)
    sequence.add_run(1, LETTERS, least=1)
    assert strings_in(sequence, "a") == []
    assert strings_in(sequence, "ab") == [{0: ["a"], 1: ["b"]}]
    assert strings_in(sequence, "abc") == [{0: ["ab"], 1: ["c"]}, {0: ["a"], 1: ["bc"]}]


def test_positions_that_lead_to_no_match_are_removed() -> None:
    sequence = Sequence()
    sequence.add_run(0, LETTERS, least=1)
    sequence.add_literal("-")
    sequence.add_run(1, LETTERS | {"-"}, least=1)
    sequence.add_literal("x")
    assert strings_in(sequence, "a-x-x") == [{0: ["a"], 1: ["x-"]}]


def test_a_literal_may_begin_an_item() -> None:
    sequence = Sequence()
    again = sequence.add_literal("/", begins=0)
    sequence.add_run(0, LETTERS, least=0)
    sequence.join(sequence.end, again)
    sequence.end |= 1 << START
    assert strings_in(sequence, "") == [{}]
    assert strings_in(sequence, "/") == [{0: [""]}]
    assert strings_in(sequence, "/a//bc") == [{0: ["a", "", "bc"]}]


def test_a_literal_may_separate_items() -> None:
    sequence = Sequence()
    sequence.add_run(0, LETTERS, least=0)
    again = sequence.add_literal(",", begins=0, separates=True)
    sequence.add_run(0, LETTERS, least=0)
    sequence.join(sequence.end, again)
    assert strings_in(sequence, "a,b") == [{0: ["a", "b"]}]
    assert strings_in(sequence, ",") == [{0: ["", ""]}]
    assert strings_in(sequence, ",,b") == [{0: ["", "", "b"]}]


def test_literals_and_runs_may_be_compared_with_other_symbols() -> None:
    sequence = Sequence()
    sequence.add_literal("h")
    sequence.add_run(0, frozenset("AB"), least=1)
    readings = sequence.readings(list("hab"), list("HAB"))
    assert readings is not None
    assert list(readings.captures()) == [{0: [(1, 3)]}]
    assert sequence.readings(list("hab"), list("hab")) is None
    assert sequence.readings(list("HAB"), list("HAB")) is None


def test_positions_may_be_added_one_by_one() -> None:
    sequence = Sequence()
    mask = sequence.add(Position(frozenset("="), 3))
    assert sequence.end == mask
    assert list(bits(sequence.following(START))) == [1]
    assert strings_in(sequence, "=") == [{3: ["="]}]


def test_memory_does_not_grow_with_the_number_of_strings() -> None:
    characters = [chr(code) for code in range(0x100, 0x100 + MOST_KEPT + 10)]
    sequence = Sequence()
    sequence.add_run(0, frozenset(characters), least=1)
    for character in characters:
        assert strings_in(sequence, character) == [{0: [character]}]
    assert len(sequence._accepting) <= MOST_KEPT


def test_sets_of_positions_are_kept_up_to_a_limit() -> None:
    masks = [1 << number for number in range(12)]
    kept: dict[int, int] = {}
    for positions in range(1 << 12):
        assert sequences.union_of(masks, positions, kept) == positions
        assert len(kept) <= MOST_KEPT
    assert sequences.union_of(masks, 5, kept) == 5
