"""The third-party corpora, which are not part of this repository."""

import os
from pathlib import Path

import pytest

CORPORA = Path(
    os.environ.get("URIVERSE_CORPORA") or Path(__file__).resolve().parents[3] / "shared" / "corpora"
)
needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason="needs third-party corpora (URIVERSE_CORPORA=FOLDER)"
)


def read_corpora() -> list[str]:
    """Return the lines of all corpora that are not empty."""
    paths = sorted(CORPORA.glob("*.txt"))
    lines = [line for path in paths for line in path.read_text("utf-8-sig").split("\n") if line]
    return [line.removesuffix("\r") for line in lines]
