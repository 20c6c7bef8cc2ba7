"""Patterns of paths."""

from __future__ import annotations

import pytest
from counting import assert_proportional

from uriverse._policy.paths import PathIndex, comparable, path_pattern


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        *(("/a", "/a", True), ("/a", "/a/", False), ("/a", "/A", False), ("/a/", "/a", False)),
        *(("/a/", "/a/", True), ("/a/", "/a/b/c", True), ("/a/**", "/a/", True)),
        *(("/a/**", "/a", False), ("/", "/", True), ("/**", "/a", True), ("/*", "/", False)),
        *(("/*", "/a", True), ("/*", "/a/b", False), ("/a*c", "/ac", False)),
        *(("/a*c", "/abc", True), ("/a*a", "/a", False), ("/a*a", "/aa", False)),
        *(("/*a*", "/a", False), ("/*a*", "/aaa", True), ("/*aa*", "/aaaa", True)),
        *(("/*/b/", "/a/b/c", True), ("/*/b/", "//b/c", False), ("/a%2Ab", "/a*b", True)),
        *(("/a%2Ab", "/a%2Ab", True), ("/a%2Ab", "/axb", False), ("/a*b", "/a%2Ab", True)),
        *(("/*41", "/%E2%82%AC41", True), ("/*41", "/%41", False)),
        *(("/*C41", "/%E2%82%AC41", False), ("/%E2*", "/%E2%82", True), ("/*82*", "/%82a", False)),
        *(("/*2*", "/%82a", False), ("/a//b", "/a//b", True), ("/a//b", "/a/b", False)),
    ],
)
def test_a_pattern_matches_whole_segments_and_percent_encoded_triplets(
    pattern: str, path: str, matches: bool
) -> None:
    found = path_pattern(pattern)
    assert found.matches(comparable(path)) is matches
    index: PathIndex[str] = PathIndex()
    index.add(found, pattern)
    assert list(index.find(comparable(path))) == [pattern] * matches


@pytest.mark.parametrize(
    ("pattern", "other", "covers"),
    [
        *(("/", "/a", True), ("/", "/", True), ("/a/", "/a", False), ("/a/", "/a/**", True)),
        *(("/a/", "/a/*", True), ("/a/", "/a/b/", True), ("/a/", "/ab/", False)),
        *(("/a", "/a/", False), ("/*", "/a", True), ("/*", "/*", True), ("/*", "/a*", True)),
        *(("/a*", "/*", False), ("/a*", "/a*b", True), ("/a*b", "/a*", False)),
        *(("/*a*", "/*a", False), ("/*-*", "/*--*", True), ("/*--*", "/*-*", False)),
        *(("/*", "/", False), ("/*/", "/*/a", True), ("/*/a", "/*/", False)),
        *(("/a%2A", "/a*", False), ("/a*", "/a%2A", True)),
    ],
)
def test_a_pattern_covers_patterns_that_match_fewer_paths(
    pattern: str, other: str, covers: bool
) -> None:
    assert path_pattern(pattern).covers(path_pattern(other)) is covers


def test_an_index_returns_the_values_of_all_patterns() -> None:
    index: PathIndex[int] = PathIndex()
    for number, pattern in enumerate(("/a/", "/a/b", "/*/b", "/", "/a/b/", "/c/", "/a/b")):
        index.add(path_pattern(pattern), number)
    assert sorted(index.find("/a/b")) == [0, 1, 2, 3, 6]
    assert (sorted(index.find("/a/b/")), sorted(index.find("/c"))) == ([0, 3, 4], [3])
    # No literal begins inside a percent encoded triplet.
    commas = path_pattern("/*2C*")
    assert not commas.matches("/a%2Cb")
    assert commas.matches("/a%2Cb2Cd")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        *(("*a", "a"), ("*ab", "ab"), ("*%E2%82%AC", "%E2%82%AC"), ("a/", "a/"), ("*/", "a/")),
        ("a", "a/"),
    ],
)
def test_long_patterns_and_paths_take_linear_time(pattern: str, path: str) -> None:
    def find(count: int) -> None:
        long = path_pattern(f"/{pattern * count}b")
        index: PathIndex[int] = PathIndex()
        index.add(long, 0)
        list(index.find(f"/{path * count}b"))
        assert long.covers(long)

    assert_proportional(find)
