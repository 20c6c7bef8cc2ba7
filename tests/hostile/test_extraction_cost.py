"""`extract` takes a linear number of calls and linear memory, even for long, hostile input.

An algorithm that rescans its input would take more than a day here. The tests do not measure time.
"""

from __future__ import annotations

import sys
from collections import deque

import pytest
from counting import calls_of, peak_of

from uriverse import extract
from uriverse.diagnosis._extraction import parts_of

SIZE = 200_000

#: Pieces to repeat.
UNITS = [
    "<", "(", "'", "a:", "a.", "://", "http://", "http://a/", "http://a ", "http://urn:",
    "https://....", "a://%", "a://\\", "a://u@", "a://1:", "a://[", "a://[:", "a://x@y@",
    "a://h:80))", "1a://", ".://a", "\ud800a://", "\0a://", "a://x。y ", "http://a/。", "。", "’",
    "https://a’b", "URL:", "URL: ", "url:a", "url:\n", "<URL:<URL:", "<url:a:b\n", "<http://",
    "<http://a ", "<http://a\n", "<http://a\n> ", "<a://\n>\n", " <a://b\n", "<\n", "'a://%",
    "'a://a\\", "(a://%", "(a://(b)", "(((a://)", "a://a%(", "*a://%", "('http://a/',", "http://a(",
    "http://a/)(", "urn:a:", "urn:a:%", "mailto:", "mailto:a@", "data:;a=", "data:a/b;c,", "did:a:",
    "tag:a", "news:a", "sip:a", "geo:1,", "geo:1.", "file:/a\\", "tel:", "a://\u200b", "a://a\u200b.",
    '"http://a', '"http://a ', '"http://a" ', '\\"http://a\\', '"http://a\n', "<http://a  b ",
    "<http:/a b", '<http://a "', '"a://a<',
]  # fmt: skip


def repeated(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def find_all(text: str) -> None:
    """Iterate over all results of `extract`, and keep none."""
    deque(extract(text), maxlen=0)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
@pytest.mark.parametrize("before", ["", "<http://", "<URL:a:", "(http://", "'URL:a:", "data:;a="])
def test_extract_finds_every_identifier_in_a_very_long_string(unit: str, before: str) -> None:
    def found(times: int) -> int:
        return sum(1 for _ in extract(before + unit * times))

    times = (SIZE if not before else SIZE // 10) // len(unit) // 24 * 24
    text = before + unit * times
    after = count = 0
    for value, start, end in extract(text):
        assert after <= start < end
        assert str(value)[0] == text[start]
        after, count = end, count + 1
    # The count grows in proportion to the length.
    assert count == found(24) + (found(48) - found(24)) * (times // 24 - 1)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_calls_of_extract_grow_linearly_with_the_length(unit: str) -> None:
    def calls(size: int) -> int:
        return calls_of(lambda: find_all(repeated(unit, size)))

    calls(1000)  # so that lazy imports do not count
    assert calls(40_000) <= 2 * calls(20_000) + 100


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_memory_of_extract_grows_linearly_with_the_length(unit: str) -> None:
    text = repeated(unit, SIZE // 2)
    find_all(text[:1000])
    assert peak_of(lambda: find_all(text)) <= 16 * sys.getsizeof(text) + 100_000


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_memory_for_chunked_input_depends_on_the_longest_identifier_only(unit: str) -> None:
    chunk, longest = repeated(unit, 4096), 50_000

    def cut(chunks: int) -> None:
        deque(parts_of((chunk for _ in range(chunks)), longest), maxlen=0)

    cut(1)
    assert peak_of(lambda: cut(500)) <= 5 * longest * sys.getsizeof(chunk) / len(chunk) + 20_000
    assert calls_of(lambda: cut(1000)) <= 2.1 * calls_of(lambda: cut(500)) + 200
