import re
from pathlib import Path

import pytest

from compare_conformance import http_peers
from compare_conformance.http_peers import CASES, PAGE, PEERS, REJECTED, Case, by_uriverse, versions

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_uriverse_finds_the_target_uri_that_the_rfcs_require(case: Case) -> None:
    assert list(by_uriverse([case])) == [case.uri or REJECTED]


def test_the_cases_have_distinct_titles_and_name_a_section() -> None:
    assert len({case.title for case in CASES}) == len(CASES) == 33
    assert all(re.fullmatch(r"911[02], \d(\.\d)+", case.section) for case in CASES)


def test_the_committed_page_has_the_current_cases_and_parsers() -> None:
    page = PAGE.read_text("utf-8")
    for case in CASES:
        assert f"| {case.title} | {http_peers.shown(case)} | {http_peers.hosts(case)} |" in page
    assert f"| {' | '.join(PEERS)} |" in page


def test_the_committed_page_shows_the_answers_of_the_parsers() -> None:
    run = ", ".join(f"{name} {number}" for name, number in versions().items())
    if f": {run}." not in " ".join(PAGE.read_text("utf-8").split()):
        pytest.skip("the page was written with other versions of the parsers")
    assert http_peers.main(["--check"]) == 0


def test_a_page_that_is_out_of_date_is_reported_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "http-peers.md"
    page.write_text("old", "utf-8")
    monkeypatch.setattr(http_peers, "PAGE", page)
    monkeypatch.setattr(http_peers, "PEERS", {"uriverse": PEERS["uriverse"]})
    assert http_peers.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert http_peers.main([]) == 0
    assert http_peers.main(["--check"]) == 0
    earlier = re.sub(r"\d{4}-\d\d-\d\d", "2026-01-01", page.read_text("utf-8"))
    page.write_text(earlier, "utf-8")
    assert http_peers.main(["--check"]) == 0
    page.write_text(earlier.replace("| rejected |", "| accepted |", 1), "utf-8")
    assert http_peers.main(["--check"]) == 1
