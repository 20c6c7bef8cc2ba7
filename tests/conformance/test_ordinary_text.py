"""Redaction leaves ordinary text unchanged: documentation, source code and third-party corpora.

The corpora are in the folder that `URIVERSE_CORPORA` names, or in `../shared/corpora` next to the
repository. This command prints the share of the lines that change, and each of these lines:

    URIVERSE_CORPORA=FOLDER python tests/conformance/test_ordinary_text.py
"""

import os
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

import pytest

from uriverse import redact

ROOT = Path(__file__).resolve().parents[2]
STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))
CORPORA = Path(os.environ.get("URIVERSE_CORPORA") or ROOT.parent / "shared" / "corpora")

#: Folders of the standard library without ordinary code: tests contain planted secrets.
SKIPPED = {"site-packages", "test", "tests", "idle_test", "__pycache__"}


class Change(NamedTuple):
    """A line that redaction changes."""

    #: "password", "parameter NAME", "token" for a secret in another place, or "several lines".
    kind: str
    line: str
    shown: str


def documentation() -> Iterator[str]:
    """Yield the pages of this project's documentation, which contain a few made-up passwords."""
    for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))):
        yield path.read_text("utf-8")


def code() -> Iterator[str]:
    for path in sorted(STANDARD_LIBRARY.rglob("*.py")):
        if SKIPPED.isdisjoint(path.relative_to(STANDARD_LIBRARY).parts):
            yield path.read_text("utf-8", errors="replace")


def descriptions() -> Iterator[str]:
    for package in distributions():
        yield package.read_text("METADATA") or ""


def corpora() -> Iterator[str]:
    """Yield the corpora, whose lines are URLs from pages and test suites."""
    for path in sorted(CORPORA.glob("*.txt")):
        yield path.read_text("utf-8-sig")


#: The sources of lines, each with the largest number of lines in a million that may change.
TEXTS: dict[str, tuple[Callable[[], Iterator[str]], int]] = {
    "documentation": (documentation, 5000),
    "code": (code, 50),
    "descriptions": (descriptions, 500),
    "corpora": (corpora, 1500),
}


def kind(line: str, shown: str) -> str:
    """Return what the first secret in a line is."""
    differing = next(
        (i for i, pair in enumerate(zip(line, shown, strict=False)) if len(set(pair)) > 1),
        len(shown),
    )
    # A secret may begin like its mask.
    before = shown[: shown.rfind("REDACTED", 0, differing + len("REDACTED"))]
    if name := re.search(r"[?&#;/\\]?([^\s?&#;/\\=]*)(?:=|%(?:25)*3D)$", before, re.IGNORECASE):
        return f"parameter {name[1]}"
    return "password" if re.search(r"(:|%(25)*3A)$", before, re.IGNORECASE) else "token"


def changes(texts: Iterator[str]) -> tuple[int, list[Change]]:
    count, found = 0, []
    for text in texts:
        lines, redacted = text.split("\n"), redact(text).split("\n")
        count += sum(map(bool, lines))
        if len(lines) == len(redacted):
            pairs = zip(lines, redacted, strict=True)
            found += [Change(kind(*pair), *pair) for pair in pairs if pair[0] != pair[1]]
        else:
            found.append(Change("several lines", text, "\n".join(redacted)))
    return count, found


def report(name: str, count: int, found: list[Change]) -> str:
    share = 1_000_000 * len(found) // max(count, 1)
    kinds = Counter(change.kind for change in found).most_common()
    return "\n".join(
        [
            f"{name}: {len(found)} of {count} lines change, {share} in a million",
            *(f"{times:7} {what}" for what, times in kinds),
            "",
        ]
    )


# The descriptions depend on the installed packages, so the command only prints their share.
@pytest.mark.parametrize("name", sorted(TEXTS.keys() - {"descriptions"}))
def test_ordinary_text_is_not_changed(name: str) -> None:
    read, limit = TEXTS[name]
    if name == "corpora" and not CORPORA.is_dir():
        pytest.skip("needs third-party corpora (URIVERSE_CORPORA=FOLDER)")
    count, found = changes(read())
    sys.stdout.write(report(name, count, found))
    assert count > 1000
    assert len(found) <= limit * count // 1_000_000


if __name__ == "__main__":
    for name, (read, _) in TEXTS.items():
        count, found = changes(read())
        sys.stdout.write(report(name, count, found))
        for change in found:
            sys.stdout.write(f"  {change.kind}\n    {change.line!r}\n    {change.shown!r}\n")
