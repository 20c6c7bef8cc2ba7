"""Docs, docstrings, comments and messages avoid wording that new readers misunderstood.

These patterns find relapses. A sentence that passes can still be hard to understand.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Each pattern, and what to write instead.
PATTERNS = {
    r"(?-i:^(What|Whatever|Who|Whoever|Those|Of (a|an|the|what))\b)(?!.*\?$)": "the subject",
    r"\b(is|are|was|be) none\b(?! of (the|its)\b)": '"is not"',
    r"(?<!there )\b(is|are) no (?!longer|more|less|need|way|such|reason)[a-z]": '"is not"',
    r"\b(of|by|for|in|with|to|than|from) what (is|are|has|have|stands?|holds?|they|it)\b": "a noun",
    r"\b(is|are|be|not|was) told\b|\btells? of\b": '"reported", "shown"',
    r"\b(a|each|every|no|two|both|many|other|all|the) texts\b": '"strings", "values", "lines"',
    r"\b(a|each|every|no|another) text\b(?! (file|direction|mode|column|format))": '"string"',
    r"\b(leave|left|leaving)\b[^.]{0,30}\bout\b": '"remove", "omit"',
    r"\b(who|whoever|nobody|everybody) (reads?|asks?|takes?|makes?|finds?)\b": "the program",
    r"\b(can't|isn't|doesn't|won't|aren't|don't)\b": "the long form",
}
WORDING = {re.compile(pattern, re.IGNORECASE): advice for pattern, advice in PATTERNS.items()}
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`\"'(])")
FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2", re.DOTALL | re.MULTILINE)
#: Examples of code in a docstring, with their output.
EXAMPLE = re.compile(r'^ *>>> .*?(?=^\s*$|^\s*"""|\Z)', re.DOTALL | re.MULTILINE)
#: A comment of Cython or C, but not a directive of the C preprocessor.
COMMENT = re.compile(r"(?:^|\s)(?:# |//|/?\*)\s*(.*)")
#: Quoted code and names in prose.
QUOTED = re.compile(r"`[^`]*`")

DOCUMENTS = sorted(
    {
        path
        for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "compare/*.md", "links/*.md")
        for path in ROOT.glob(pattern)
    }
)
SOURCES = sorted(
    path
    for suffix in ("py", "pyx", "pxi", "h")
    for folder in ("src", "compare/src", "links/src")
    for path in (ROOT / folder).rglob(f"*.{suffix}")
    if "grammar" not in path.parts
)


def sentences(text: str) -> Iterator[str]:
    yield from SENTENCE.split(" ".join(QUOTED.sub("X", text).split()))


def document(path: Path) -> Iterator[tuple[int, str]]:
    text = FENCE.sub(lambda match: "\n" * match[0].count("\n"), path.read_text("utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        yield number, line.lstrip("#*-> |")


def python(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, EXAMPLE.sub("", node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")


def cython(path: Path) -> Iterator[tuple[int, str]]:
    source = EXAMPLE.sub(lambda match: "\n" * match[0].count("\n"), path.read_text("utf-8"))
    within = False
    for number, line in enumerate(source.splitlines(), 1):
        quotes = line.count('"""')
        comment = COMMENT.search(line)
        if quotes or within:
            yield number, line.strip(' "')
        elif comment:
            yield number, comment[1]
        within ^= quotes % 2 == 1


def violations(path: Path) -> Iterator[str]:
    parts = document if path.suffix == ".md" else python if path.suffix == ".py" else cython
    for number, text in parts(path):
        for sentence in sentences(text):
            for pattern, advice in WORDING.items():
                if found := pattern.search(sentence):
                    place = f"{path.relative_to(ROOT)}:{number}"
                    yield f"{place}: write {advice} instead of {found[0]!r}: {sentence}"


def test_the_wording_is_plain() -> None:
    assert "\n".join(chain.from_iterable(map(violations, [*DOCUMENTS, *SOURCES]))) == ""


def test_a_planted_violation_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    for name, text in {
        "a.md": "What has no host can't be read.\n\n```\nWhat is code is not prose.\n```\n",
        "a.py": '"""Whoever reads it."""\n# it is none\nx = "leave it out"\n',
        "a.pxi": '# it is told\n"""\nof what it is\n"""\n',
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert len(list(violations(tmp_path / name))) >= 2
