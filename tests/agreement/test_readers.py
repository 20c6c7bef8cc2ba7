"""Whatever other libraries see different hosts in has a finding that says why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from readers import canonical, hosts_seen, mutants

from uriverse import check
from uriverse.diagnosis import CODES

#: How many texts are compared for each seed: 120,000 in all.
SEEDS = 12
MUTANTS = 10_000

CORPORA = Path(
    os.environ.get("URIVERSE_CORPORA") or Path(__file__).resolve().parents[3] / "shared" / "corpora"
)


def ambiguities(text: str) -> set[str]:
    return {f.code for f in check(text) if CODES[f.code].group == "ambiguity"}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_texts_in_which_two_see_different_hosts_have_an_ambiguity(seed: int) -> None:
    differing = 0
    for text in mutants(seed, MUTANTS):
        seen = hosts_seen(text)
        if len(set(seen.values())) > 1:
            differing += 1
            assert ambiguities(text), (text, seen)
    assert differing > MUTANTS / 5


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("http://good.example\\@evil.example/", {"good.example", "evil.example"}),
        ("http:/good.example", {"good.example", ""}),
        ("../a", {"..", ""}),
        ("\u212ahttps://good.example/", {"\u212ahttps".lower(), ""}),
        ("file://localhost/a", {"localhost", ""}),
        ("http://0x7f.1/", {"127.0.0.1", "0x7f.1"}),
        ("http://%61.example/", {"a.example", "%61.example"}),
    ],
)
def test_the_readers_do_see_different_hosts(text: str, hosts: set[str]) -> None:
    assert set(hosts_seen(text).values()) == {canonical(host) for host in hosts}
    assert ambiguities(text)


@pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"no corpora in {CORPORA}; URIVERSE_CORPORA names another"
)
def test_ordinary_lines_have_no_ambiguity() -> None:
    lines = [
        line.removesuffix("\r")
        for path in sorted(CORPORA.glob("*.txt"))
        for line in path.read_text("utf-8-sig").split("\n")
        if line
    ]
    assert len(lines) > 90_000
    ambiguous = sum(bool(ambiguities(line)) for line in lines)
    assert ambiguous / len(lines) < 0.03
