import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from compare_conformance import held_out
from compare_conformance.clients import MAINSTREAM
from compare_conformance.mutants import mutants
from uriverse_compare import Parser, Target, installed


def test_a_finding_concerns_each_difference_between_mainstream_clients() -> None:
    data = held_out.load()
    assert held_out.missed(data["cases"]) == []
    assert len(data["cases"]) >= 200
    assert [*data["clients"]] == [*MAINSTREAM]


def test_the_held_out_strings_are_random_strings_with_their_own_seed() -> None:
    data = held_out.load()
    texts = [case["input"] for case in data["cases"]]
    assert (data["seed"], data["requested"]) == (held_out.SEED, held_out.REQUESTS)
    assert len(set(texts)) == len(texts)
    assert set(texts) < set(mutants(held_out.SEED, 20 * held_out.REQUESTS))
    assert set(texts).isdisjoint(held_out.chosen())
    assert held_out.FILE.stat().st_size < 60_000


def test_a_difference_without_a_finding_is_missed() -> None:
    case = {"input": "http://a.example/", "connections": [["b", 80, "x"], ["c", 80, "y"]]}
    found = {"input": "http://a.example:080/", "connections": [["a.example", 80], ["a.example", 8]]}
    assert held_out.missed([case, found]) == ["http://a.example/"]


def test_only_differences_between_possible_hosts_are_possible() -> None:
    cases = [
        {"input": "http://a@b/", "connections": [["a@b", 80, "x"], ["b", 80, "y"]]},
        {"input": "http://127.1/", "connections": [["127.1", 80, "x"], ["127.0.0.1", 80, "y"]]},
    ]
    assert held_out.possible_count(cases) == 1


def test_strings_without_a_difference_are_not_written() -> None:
    made: dict[str, dict[str, Target | None]] = {
        "httpx": {"http://a/": Target("a", 80), "http://b/": Target("b", 80), "http://c/": None},
        "requests": {"http://a/": Target("b", 80), "http://b/": Target("b", 80)},
    }
    assert list(held_out.differences(made, ["http://a/", "http://b/", "http://c/"])) == [
        {"input": "http://a/", "connections": [["a", 80, "httpx"], ["b", 80, "requests"]]}
    ]


def test_a_script_writes_a_line_per_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clients = installed(["urllib.request"])

    def found(names: Sequence[str]) -> list[Parser]:
        return [Parser(name, "1", frozenset(), clients[0].read) for name in names]

    file = tmp_path / "held-out.json"
    monkeypatch.setattr(held_out, "FILE", file)
    monkeypatch.setattr(held_out, "installed", found)
    monkeypatch.setattr(held_out, "REQUESTS", 20)
    monkeypatch.setattr(held_out, "request_all", requests_of)
    held_out.main()
    data = json.loads(file.read_text("utf-8"))
    assert len(data["cases"]) == data["requested"] == 20
    assert len(file.read_text("utf-8").splitlines()) == 22
    monkeypatch.setattr(held_out, "installed", lambda _: clients)
    with pytest.raises(SystemExit, match="not installed: Go net/url"):
        held_out.main()


def requests_of(
    parsers: Sequence[Parser], texts: Sequence[str]
) -> tuple[dict[str, dict[str, Target]], dict[str, object]]:
    """Return a connection to another host for each client."""
    return {one.name: {text: Target(one.name, 80) for text in texts} for one in parsers}, {}
