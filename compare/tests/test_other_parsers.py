import sys
from collections import Counter

import pytest
from amounts import scaled
from corpora import needs_corpora, read_corpora
from readers import FOREIGN, canonical, foreign_hosts_seen, hosts_seen

from compare_conformance.mutants import mutants
from uriverse import check
from uriverse.diagnosis import CODES
from uriverse.diagnosis._dot_segments import SURROGATE
from uriverse_compare import installed

#: The number of strings for each seed, and for the parsers in other languages.
SEEDS = 6
MUTANTS = scaled(10_000)
FOREIGN_MUTANTS = 15_000


def ambiguities(text: str) -> set[str]:
    codes = {code for f in check(text) for code in (f.code, *f.details)}
    return {code for code in codes if CODES[code].group == "ambiguity"}


def count_of_disagreements(seen: dict[str, dict[str, str]]) -> int:
    """Count the strings in which parsers see different hosts; `check` must report each of them."""
    found = [text for text, hosts in seen.items() if len(set(hosts.values())) > 1]
    for text in found:
        assert ambiguities(text), (text, seen[text])
    sys.stdout.write(f"{len(found)} of {len(seen)} strings have different hosts, all reported\n")
    return len(found)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_check_reports_strings_in_which_python_parsers_see_different_hosts(seed: int) -> None:
    seen = {text: hosts_seen(text) for text in mutants(seed, MUTANTS)}
    assert count_of_disagreements(seen) > MUTANTS / 5


@pytest.fixture(scope="module")
def seen_here() -> dict[str, dict[str, str]]:
    """Return the hosts that the Python parsers see in strings without lone surrogates."""
    texts = mutants(SEEDS, FOREIGN_MUTANTS)
    return {text: hosts_seen(text) for text in texts if not SURROGATE.search(text)}


@pytest.mark.extended
@pytest.mark.xdist_group("foreign")  # One worker generates the strings.
@pytest.mark.parametrize("name", FOREIGN)
def test_check_reports_strings_in_which_parsers_of_other_languages_see_another_host(
    name: str, seen_here: dict[str, dict[str, str]]
) -> None:
    found = installed([name])
    if not found:
        pytest.skip(f"needs {name} (docs/conformance.md)")
    theirs = list(foreign_hosts_seen(found[0], list(seen_here)))
    seen = {
        text: {**ours, **foreign}
        for (text, ours), foreign in zip(seen_here.items(), theirs, strict=True)
    }
    assert count_of_disagreements(seen) > FOREIGN_MUTANTS / 5
    # The parser accepts many of the strings.
    assert sum(name in hosts for hosts in theirs) > FOREIGN_MUTANTS / 5


def test_parsers_see_different_hosts_in_known_ambiguous_uris() -> None:
    for text, hosts in [
        ("http://good.example\\@evil.example/", {"good.example", "evil.example"}),
        *(("http:/good.example", {"good.example", ""}), ("a/b", {"a", ""})),
        ("\u212ahttps://good.example/", {"\u212ahttps".lower(), ""}),
        *(("file://localhost/a", {"localhost", ""}), ("http://0x7f.1/", {"127.0.0.1", "0x7f.1"})),
        ("http://%61.example/", {"a.example", "%61.example"}),
        ("http://[v1.a]/", {"v1.a", "[v1.a]"}),
    ]:
        assert set(hosts_seen(text).values()) == {canonical(host) for host in hosts}
        assert ambiguities(text)


@needs_corpora
@pytest.mark.slow
def test_fewer_than_3_percent_of_corpus_lines_have_an_ambiguity() -> None:
    lines = read_corpora()
    assert len(lines) > 90_000
    # The finding "file-host" does not count: one corpus has "file://" before relative paths, as in
    # "file://deps/v8/a.cc", where the folder is parsed as the host. That finding is right.
    ambiguous = sum(bool(ambiguities(line) - {"file-host"}) for line in lines)
    assert ambiguous / len(lines) < 0.03


def counts(lines: list[str]) -> Counter[str]:
    """Count the lines of which parsers see different hosts, and the lines with each finding."""
    found = Counter(
        {"lines": len(lines), "different hosts": 0, "different hosts without a finding": 0}
    )
    for line in lines:
        codes = ambiguities(line)
        different = len(set(hosts_seen(line).values())) > 1
        found["different hosts"] += different
        found["different hosts without a finding"] += different and not codes
        found["no finding but file-host"] += not codes - {"file-host"}
        found.update(codes)
    return found


if __name__ == "__main__":
    for what, count in counts(read_corpora()).most_common():
        sys.stdout.write(f"{count:7} {what}\n")
