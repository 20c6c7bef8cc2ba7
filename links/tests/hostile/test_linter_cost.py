"""The linter of documents takes a linear number of calls and linear memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from counting import assert_proportional
from nightly import all_but_first

from uriverse import check
from uriverse_links import DocumentFormat
from uriverse_links._cli.ignore_comments import IgnoreComments, comments
from uriverse_links._cli.strings_in_files import Place, moves, strings_in
from uriverse_links._destinations import Lines

COMMENTS: list[tuple[DocumentFormat, str]] = [
    ("markdown", "<!-- uriverse: ignore -->"),
    ("markdown", "a <!-- b --> `"),
    ("markdown", "a <!-- "),
    ("markdown", "a <!--\n"),
    ("html", "<!--"),
    ("html", "--><!--"),
    ("css", "/*"),
    ("css", "/* uriverse: ignore-file[a] */"),
    ("turtle", "#"),
    ("restructuredtext", ".. "),
    ("restructuredtext", "\n.. "),
    ("asciidoc", "//"),
]

DOCUMENTS: list[tuple[DocumentFormat, str]] = [
    ("markdown", "<http://a./><!-- uriverse: ignore[space] -->"),
    ("markdown", "<http://a./> <!-- uriverse: ignore -->"),
    ("markdown", "<http://a./>\n<!-- uriverse: ignore -->\n"),
    ("markdown", "<http://a./>\n<!-- uriverse: ignore-file[a b c] -->\n"),
    ("html", "<a href='http://a.&#47;'><!-- uriverse: ignore -->"),
]


def finding(form: DocumentFormat, unit: str) -> Callable[[int], None]:
    def find(times: int) -> None:
        deque(comments(unit * times, form), maxlen=0)

    return find


def linting(form: DocumentFormat, unit: str) -> Callable[[int], None]:
    found = check("http://a./")

    def lint(times: int) -> None:
        text = unit * times
        lines = Lines(text)
        ignored = IgnoreComments(text, form, lines)
        for _, place in strings_in("a", text, form, lines):
            ignored.covers(found[0], place)
        ignored.unused()

    return lint


@pytest.mark.parametrize(("form", "unit"), all_but_first(COMMENTS))
def test_comments_are_found_in_linear_time(form: DocumentFormat, unit: str) -> None:
    assert_proportional(finding(form, unit), 500)


@pytest.mark.parametrize(("form", "unit"), all_but_first(DOCUMENTS))
def test_documents_are_linted_in_linear_time(form: DocumentFormat, unit: str) -> None:
    assert_proportional(linting(form, unit), 200)


@pytest.mark.parametrize(
    "written", all_but_first(["&amp;", "\\/", "&", "\\", "a ", "\\u0041", "&#38;a"])
)
def test_positions_are_aligned_in_linear_time(written: str) -> None:
    def align(times: int) -> None:
        moves(written * times, "&" * times)
        moves(written * times, "A" * times)

    assert_proportional(align, 500)


def test_a_finding_in_a_long_destination_is_placed_at_once() -> None:
    place = Place("a", 1, 1, tuple((n, 1, 2 * n) for n in range(1, 100_000)))

    def at(times: int) -> None:
        for index in range(times):
            place.at(index)

    assert_proportional(at, 500)
