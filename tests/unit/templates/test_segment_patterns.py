"""Patterns of paths, found segment by segment."""

from __future__ import annotations

from uriverse.templates._sequences import Node, Segment


def test_a_segment_matches_only_patterns_whose_start_is_not_longer() -> None:
    patterns = Node()
    for number, start in enumerate(("abc", "a", "x")):
        patterns.add([Segment(start=start, literals=len(start), is_variable=True)], number)
    assert (sorted(patterns.find(["abcd"])), patterns.find(["ab"])) == ([0, 1], [1])
    assert patterns.find([""]) == []
