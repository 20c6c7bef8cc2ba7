"""A million of anything that looks like identifiers: found in bounded calls and memory.

A text that was read again and again would not end here within a day. How the time grows
is not measured.
"""

from __future__ import annotations

import sys
from collections import deque

import pytest
from counting import calls_of, peak_of

from uriverse import extract

SIZE = 1_000_000

#: What is repeated.
UNITS = [
    "<", "(", "'", "a:", "a.", "://", "http://", "http://a/", "http://a ", "http://urn:",
    "https://....", "a://%", "a://\\", "a://u@", "a://1:", "a://[", "a://[:", "a://x@y@",
    "a://h:80))", "1a://", ".://a", "\ud800a://", "\0a://", "a://x。y ", "http://a/。", "。", "’",
    "https://a’b", "URL:", "URL: ", "url:a", "url:\n", "<URL:<URL:", "<url:a:b\n", "<http://",
    "<http://a ", "<http://a\n", "<http://a\n> ", "<a://\n>\n", " <a://b\n", "<\n", "'a://%",
    "'a://a\\", "(a://%", "(a://(b)", "(((a://)", "a://a%(", "*a://%", "('http://a/',", "http://a(",
    "http://a/)(", "urn:a:", "urn:a:%", "mailto:", "mailto:a@", "data:;a=", "data:a/b;c,", "did:a:",
    "tag:a", "news:a", "sip:a", "geo:1,", "geo:1.", "file:/a\\", "tel:", "a://\u200b", "a://a\u200b.",
]  # fmt: skip


def repeated(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def find_all(text: str) -> None:
    """Find all, and keep nothing."""
    deque(extract(text), maxlen=0)


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
@pytest.mark.parametrize("before", ["", "<http://", "<URL:a:", "(http://", "'URL:a:", "data:;a="])
def test_all_is_found_in_a_very_long_text(unit: str, before: str) -> None:
    text = before + repeated(unit, SIZE if not before else SIZE // 10)
    after = 0
    for value, start, end in extract(text):
        assert after <= start < end
        assert str(value)[0] == text[start]
        after = end


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_finding_makes_calls_in_proportion_to_the_text(unit: str) -> None:
    def calls(size: int) -> int:
        return calls_of(lambda: find_all(repeated(unit, size)))

    calls(1000)  # all that is lazy is imported
    assert calls(40_000) <= 2 * calls(20_000) + 100


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_finding_takes_memory_in_proportion_to_the_text(unit: str) -> None:
    text = repeated(unit, SIZE // 10)
    find_all(text[:1000])
    assert peak_of(lambda: find_all(text)) <= 16 * sys.getsizeof(text) + 100_000
