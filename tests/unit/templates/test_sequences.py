from uriverse.templates import _sequences as sequences
from uriverse.templates._sequences import START, TRIPLET, Segment, Sequence, bits, split_symbols

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def strings_in(sequence: Sequence, text: str) -> list[dict[int, list[str]]]:
    """Return the strings that each slot captures, for each way to match."""
    symbols = split_symbols(text)
    readings = sequence.find_readings(symbols, symbols)
    if readings is None:
        return []
    return [
        {slot: ["".join(symbols[a:b]) for a, b in spans] for slot, spans in way.items()}
        for way in readings.captures()
    ]


def test_symbols_are_characters_and_triplets() -> None:
    assert split_symbols("a%41%zz%") == ["a", "%41", "%", "z", "z", "%"]
    assert (split_symbols("ab\n"), split_symbols("%0A\n")) == (["a", "b", "\n"], ["%0A", "\n"])
    assert split_symbols("") == []
    # Bits are the numbers of the set bits.
    assert (list(bits(0)), list(bits(0b10110)), list(bits(1 << 5000))) == ([], [1, 2, 4], [5000])


def test_a_literal_matches_itself() -> None:
    sequence = Sequence()
    assert sequence.add_literal("a%2Fb") == 1 << START + 1
    assert strings_in(sequence, "a%2Fb") == [{}]
    for text in ("", "a", "a%2F", "a%2Fbb", "a%2fb", "a/b"):
        assert strings_in(sequence, text) == []
    # Its symbols are positions, each after the one before.
    others = Sequence()
    others.add_run(0, LETTERS, min_length=0)
    sequence = Sequence()
    sequence.add_run(0, LETTERS, min_length=0)
    sequence.add_literal("a%2Fba", begins=0)
    for symbol in ("a", "%2F", "b"):
        others.add_position(sequences.Position(frozenset({symbol})))
    others.add_position(sequences.Position(frozenset("a"), begins=0))
    assert (sequence.positions, sequence.end) == (others.positions, others.end)
    numbers = range(len(others.positions))
    assert [*map(sequence.get_successors, numbers)] == [*map(others.get_successors, numbers)]
    # An empty sequence matches the empty string.
    assert (strings_in(Sequence(), ""), strings_in(Sequence(), "a")) == ([{}], [])


def test_a_run_captures_characters() -> None:
    sequence = Sequence()
    sequence.add_run(0, LETTERS | {TRIPLET}, min_length=1)
    assert (strings_in(sequence, "ab%2F"), strings_in(sequence, "")) == ([{0: ["ab%2F"]}], [])
    assert strings_in(sequence, "a1") == []
    # A run may be empty.
    sequence = Sequence()
    sequence.add_literal("/")
    sequence.add_run(0, LETTERS, min_length=0)
    sequence.add_literal("/")
    assert (strings_in(sequence, "//"), strings_in(sequence, "/a/")) == ([{}], [{0: ["a"]}])
    assert strings_in(sequence, "/") == []
    # All ways to match are found.
    sequence = Sequence()
    sequence.add_run(0, LETTERS, min_length=1)
    sequence.add_run(1, LETTERS, min_length=1)
    assert (strings_in(sequence, "a"), strings_in(sequence, "ab")) == ([], [{0: ["a"], 1: ["b"]}])
    assert strings_in(sequence, "abc") == [{0: ["ab"], 1: ["c"]}, {0: ["a"], 1: ["bc"]}]
    # Positions that lead to no match are removed.
    sequence = Sequence()
    sequence.add_run(0, LETTERS, min_length=1)
    sequence.add_literal("-")
    sequence.add_run(1, LETTERS | {"-"}, min_length=1)
    sequence.add_literal("x")
    assert strings_in(sequence, "a-x-x") == [{0: ["a"], 1: ["x-"]}]


def test_a_literal_may_begin_or_separate_items() -> None:
    sequence = Sequence()
    again = sequence.add_literal("/", begins=0)
    sequence.add_run(0, LETTERS, min_length=0)
    sequence.link_positions(sequence.end, again)
    sequence.end |= 1 << START
    assert (strings_in(sequence, ""), strings_in(sequence, "/")) == ([{}], [{0: [""]}])
    assert strings_in(sequence, "/a//bc") == [{0: ["a", "", "bc"]}]
    # A literal may separate items.
    sequence = Sequence()
    sequence.add_run(0, LETTERS, min_length=0)
    again = sequence.add_literal(",", begins=0, separates=True)
    sequence.add_run(0, LETTERS, min_length=0)
    sequence.link_positions(sequence.end, again)
    assert strings_in(sequence, "a,b") == [{0: ["a", "b"]}]
    assert strings_in(sequence, ",") == [{0: ["", ""]}]
    assert strings_in(sequence, ",,b") == [{0: ["", "", "b"]}]


def test_literals_and_runs_may_be_compared_with_other_symbols() -> None:
    sequence = Sequence()
    sequence.add_literal("h")
    sequence.add_run(0, frozenset("AB"), min_length=1)
    readings = sequence.find_readings(list("hab"), list("HAB"))
    assert readings is not None
    assert list(readings.captures()) == [{0: [(1, 3)]}]
    assert sequence.find_readings(list("hab"), list("hab")) is None
    assert sequence.find_readings(list("HAB"), list("HAB")) is None
    # Positions may be added one by one.
    sequence = Sequence()
    mask = sequence.add_position(sequences.Position(frozenset("="), 3))
    assert (sequence.end, list(bits(sequence.get_successors(START)))) == (mask, [1])
    assert strings_in(sequence, "=") == [{3: ["="]}]


def test_memory_does_not_grow_with_the_number_of_strings() -> None:
    characters = [chr(code) for code in range(0x100, 0x100 + sequences.CACHE_SIZE + 10)]
    sequence = Sequence()
    sequence.add_run(0, frozenset(characters), min_length=1)
    for character in characters:
        assert strings_in(sequence, character) == [{0: [character]}]
    assert len(sequence._accepting) <= sequences.CACHE_SIZE
    # Sets of positions are kept up to a limit.
    masks = [1 << number for number in range(12)]
    kept: dict[int, int] = {}
    for positions in range(1 << 12):
        assert sequences.unite_masks(masks, positions, kept) == positions
        assert len(kept) <= sequences.CACHE_SIZE
    assert sequences.unite_masks(masks, 5, kept) == 5


# --- patterns of paths, found segment by segment


def test_a_segment_matches_only_patterns_whose_start_is_not_longer() -> None:
    patterns = sequences.Node()
    for number, start in enumerate(("abc", "a", "x")):
        patterns.add_pattern([Segment(start=start, literals=len(start), is_variable=True)], number)
    assert sorted(patterns.find_patterns(["abcd"])) == [0, 1]
    assert patterns.find_patterns(["ab"]) == [1]
    assert patterns.find_patterns([""]) == []
