import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from urllib.parse import unquote_to_bytes

import ada_url
import pytest
from amounts import scaled
from corpora import needs_corpora, read_corpora
from readers import FOREIGN, foreign_hosts_seen, hosts_seen, malformed

from uriverse import Repaired, RepairError, is_uri_reference, repair
from uriverse._spec.domain import to_ascii
from uriverse.diagnosis._dot_segments import SURROGATE
from uriverse_compare import installed

SEEDS = 4
STRINGS = scaled(10_000)
FOREIGN_STRINGS = 15_000


#: The whitespace and control characters that a repair removes at the ends of a string. Parsers that
#: keep them are compared on the trimmed string.
ENDS = "".join(map(chr, range(0x21)))

#: The hosts that parsers see before and after a repair, by parser.
Seen = tuple[dict[str, str], dict[str, str]]


def strings(seed: int, count: int) -> Iterator[str]:
    random = Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        text = malformed(random)
        if text not in seen and not SURROGATE.search(text):
            seen.add(text)
            yield text


def changed(texts: Iterator[str]) -> Iterator[tuple[str, Repaired]]:
    """Yield the strings that a repair changes, with the result for URIs and for IRIs."""
    for text in texts:
        for iri in (False, True):
            try:
                result = repair(text, iri=iri)
            except RepairError:
                continue
            if result.changes:
                yield text, result


def looked_up(host: str) -> str:
    """Return the domain name that a host is looked up as; parsers return it in Unicode or ASCII.

    Perl keeps the colon before an empty port.
    """
    try:
        return to_ascii(host.rstrip(":"))
    except ValueError:
        return host.rstrip(":")


def assert_same_hosts(text: str, result: Repaired, seen: Seen) -> None:
    before, after = ({p: looked_up(host) for p, host in hosts.items()} for hosts in seen)
    found = {host for host in (*before.values(), *after.values()) if host}
    relative = result.uri.scheme is None and result.uri.authority is None
    # Some parsers read the first segment of a relative reference as a host.
    assert relative or len(found) <= 1, (text, str(result), before, after)
    for parser in before.keys() & after.keys():
        # `java.net.URI` finds no host in `//b\u00fccher.example`.
        if before[parser] or relative:
            assert before[parser] == after[parser], (text, str(result), parser)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_python_parsers_see_the_same_host_before_and_after_a_repair(seed: int) -> None:
    count = 0
    for text, result in changed(strings(seed, STRINGS)):
        count += 1
        assert_same_hosts(text, result, (hosts_seen(text.strip(ENDS)), hosts_seen(str(result))))
    assert count > STRINGS / 5


@pytest.mark.extended
@pytest.mark.xdist_group("foreign")
@pytest.mark.parametrize("name", FOREIGN)
def test_parsers_of_other_languages_see_the_same_host_before_and_after_a_repair(name: str) -> None:
    found = installed([name])
    if not found:
        pytest.skip(f"needs {name} (docs/conformance.md)")
    cases = list(changed(strings(SEEDS, FOREIGN_STRINGS)))
    before = foreign_hosts_seen(found[0], [text.strip(ENDS) for text, _ in cases])
    after = foreign_hosts_seen(found[0], [str(result) for _, result in cases])
    for (text, result), *seen in zip(cases, before, after, strict=True):
        assert_same_hosts(text, result, (seen[0], seen[1]))


def url(text: str, base: str | None = None) -> tuple[object, ...] | None:
    """Return what a browser makes of a string, decoded; None if it rejects the string."""
    try:
        found = ada_url.URL(text, base)
    except ValueError:
        return None
    pieces = (found.username, found.password, found.pathname, found.search, found.hash)
    return found.protocol, found.hostname, found.port, *map(unquote_to_bytes, pieces)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("base", [None, "https://base.example/a/b?c"])
def test_browsers_see_the_same_url_before_and_after_a_repair(seed: int, base: str | None) -> None:
    count = 0
    for text, result in changed(strings(seed, STRINGS)):
        before = url(text, base)
        if before is not None:
            count += 1
            assert before == url(str(result), base), (text, str(result))
    assert count > STRINGS / 10


def judge(texts: list[str]) -> Counter[str]:
    """Repair strings, and count the results by kind; compare each result with a browser's."""
    figures: Counter[str] = Counter(strings=len(texts))
    for text in texts:
        figures["invalid"] += not is_uri_reference(text)
        try:
            result = repair(text)
        except RepairError as error:
            figures[f"refused: {error.code}"] += 1
            continue
        figures["repaired"] += bool(result.changes)
        figures.update({f"change: {kind}" for kind in {c.kind for c in result.changes}})
        before = url(text)
        figures["accepted by ada"] += before is not None
        figures["disagreements"] += before is not None and before != url(str(result))
    return figures


@needs_corpora
@pytest.mark.slow
def test_browsers_see_the_same_urls_in_repaired_corpora() -> None:
    figures = judge(read_corpora())
    assert figures["strings"] > 90_000
    assert figures["disagreements"] == 0
    # Most malformed lines are repaired, except those with a double quote in the host.
    assert figures["repaired"] > figures["invalid"] / 2


if __name__ == "__main__":
    for figure, count in sorted(judge(read_corpora()).items()):
        sys.stdout.write(f"{count:7} {figure}\n")


#: Parts of references to files on Windows.
DRIVE_PIECES = (
    *("c|", "C|", "d:", "c%7C", "c", "|", "/", "//", "\\", "..", ".", "%2e", "a", "h", "?x", "#x"),
    *(" ", "\t", "[", "file:", "FILE:"),
)


def test_browsers_find_the_same_file_after_a_repair() -> None:
    random = Random(29)
    texts = ("".join(random.choices(DRIVE_PIECES, k=random.randint(1, 7))) for _ in range(STRINGS))
    bases = ("file:///a/b", "file:///c:/d/e", "file://h/x", "file:///", "http://h/x/y")
    compared = 0
    for text, result in changed(texts):
        for base in bases:
            before = url(text, base)
            if before is not None:
                compared += 1
                assert before == url(str(result), base), (text, base)
    assert compared > STRINGS / 10
