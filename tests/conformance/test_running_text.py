"""`extract` finds every identifier in a sample text and in third-party corpora, and nothing else.

The corpora are not part of this repository. They are in `../shared/corpora` next to the repository,
or in the folder that `URIVERSE_CORPORA` names. Without them, their tests are skipped.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from corpora import CORPORA

from uriverse import IRI, extract
from uriverse.diagnosis._extraction import PUNCTUATION, ROOTLESS

DATA = Path(__file__).parent / "data"

#: Prose with `{}` in place of an identifier.
PROSE = {
    "before a space": "One is {} and so on; at 12:30: e.g. this.\n",
    "before a period": "The note: see {}. Then another.\n",
    "before a comma": "Here, {}, and there.\n",
    "alone in parentheses": "It is there ({}).\n",
    "in parentheses": "It is there (see {}), too.\n",
    "in angle brackets": "It is there: <{}>.\n",
    "after a prefix": "It is there: <URL:{}>.\n",
    "in quotes": 'She said "{}", they say.\n',
    "in typographic quotes": "She said “{}”, they say.\n",
    "in markdown": "A [link](b:{}), and **{}**. [Another]({}).\n",
    "in HTML": '<p class="a:b"><a href="{}">{}</a></p>\n',
    "in Japanese": "詳しくは「{}」、{}。次は。\n",
    "in a paragraph": "Now {}, {} and {}.\n{}\n\n",
}


def test_extract_finds_exactly_the_identifiers_of_the_sample_text() -> None:
    text = (DATA / "extraction.txt").read_text("utf-8")
    expected = json.loads((DATA / "extraction.json").read_text("utf-8"))
    assert [str(value) for value, _, _ in extract(text)] == expected
    assert len(expected) >= 60


@cache
def corpus() -> list[str]:
    if not CORPORA.is_dir():
        pytest.skip("needs third-party corpora (URIVERSE_CORPORA=FOLDER)")
    texts = (path.read_text("utf-8") for path in sorted(CORPORA.glob("*.txt")))
    lines = (line for text in texts for line in text.split("\n"))
    found = [line for line in dict.fromkeys(lines) if IRI.try_parse(line)]
    assert len(found) > 50_000
    return found


def reason(text: str) -> str | None:
    """Return why `extract` does not find an identifier in prose, or None if it should."""
    scheme, _, rest = text.partition(":")
    if not rest.startswith("//") and not re.match(ROOTLESS.get(scheme, "(?!)"), rest):
        return "a scheme that is taken without slashes only behind a prefix"
    if not rest.strip("/"):
        return "it names nothing"
    if text[-1] in PUNCTUATION:
        return "it ends with punctuation"
    if text.count("(") != text.count(")"):
        return "its parentheses are not balanced"
    if "*" in text or "'" in text:
        return "it holds what closes it"
    return None


def missed(prose: str, step: int, broken: Callable[[str], str] = str) -> list[str]:
    """Return the identifiers of the corpora that `extract` does not find exactly in some prose."""
    count = prose.count("{}")
    return [
        text
        for text in corpus()[:: 1 if step == 1 else step + len(prose)]
        if [str(value) for value, _, _ in extract(prose.format(*[broken(text)] * count))]
        != [text] * count
    ]


def assert_nearly_all(wrong: list[str]) -> None:
    assert len(wrong) <= len(corpus()) // 1000
    assert [text for text in wrong if reason(text) is None] == []


#: Every step-th identifier of the corpora is put into the prose.
STEPS = pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])


@STEPS
@pytest.mark.parametrize("name", PROSE)
def test_extract_finds_corpus_identifiers_in_prose(name: str, step: int) -> None:
    assert_nearly_all(missed(PROSE[name], step))


@STEPS
@pytest.mark.parametrize("line_break", ["\n    ", "\r\n> "])
def test_extract_finds_corpus_identifiers_broken_over_lines(line_break: str, step: int) -> None:
    def broken(text: str) -> str:
        # Only long identifiers are broken, near their end, so that the scheme stays whole.
        place = len(text) * 4 // 5 if len(text) >= 20 else len(text)
        return text[:place] + line_break + text[place:]

    assert_nearly_all(missed("> See <{}>, please.\n", step, broken))
    assert_nearly_all(missed("> See <URL:{}>\n", step, broken))
