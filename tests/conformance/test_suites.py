"""The library passes the suites of other URI libraries, except cases that contradict the RFCs.

The package `conformance` contains most suites, and the reasons for deviations. The other two are in
`../shared/suites` next to the repository, or in the folder that `URIVERSE_SUITES` names. Without
that folder, the tests of these suites are skipped.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import fetch, suites
from conformance.__main__ import main
from conformance.deviations import DEVIATIONS, IDNA_2008, key_of
from conformance.judging import judge
from conformance.results import run
from conformance.suites import SUITES, VARIABLE, VENDORED, Case

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "suites")

#: The cases of each suite: passed, deviating, and not run.
COUNTS = {
    "json-schema-test-suite": (119, 0, 0),
    "uritemplate-test": (270, 0, 0),
    "w3c-rdf-jsonld-iri-resolution": (445, 0, 0),
    "haskell-network-uri": (564, 6, 0),
    "go-net-url": (87, 0, 136),
    "hyperlink": (45, 0, 54),
    "rhymu8354-uri": (256, 3, 62),
    "uritools": (67, 2, 22),
    "fast-uri": (44, 7, 196),
    "urn": (207, 18, 0),
    "addressable-template": (139, 0, 0),
    "wpt-url": (483, 408, 0),
    # The versions of Python's and the suite's Unicode data may differ in a few names.
    "wpt-idna-toascii": (1512, 246, 1018),
}


def cases(suite: str) -> list[Case]:
    for folder in (FOLDER, VENDORED):
        path = folder / f"{suite}.json"
        if path.is_file():
            return suites.load(path)
    pytest.skip(f"needs third-party suites ({VARIABLE}=FOLDER)")


@pytest.mark.parametrize("suite", SUITES)
def test_every_deviation_from_a_suite_is_explained(suite: str) -> None:
    result = run(suite, cases(suite))
    assert result.unexplained == []
    assert (result.passed, len(result.deviations), result.not_run.total()) == COUNTS[suite]


def test_the_documentation_states_the_counts_of_the_vendored_suites() -> None:
    suites = {path.stem for path in VENDORED.glob("*.json")}
    counts = [COUNTS[suite] for suite in suites]
    deviating = sum(count[1] for count in counts)
    cases_run = sum(count[0] for count in counts) + deviating
    page = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert f"| {cases_run:,} in {len(suites)} suites | {deviating}, each with a reason |" in page


@pytest.mark.parametrize("suite", SUITES)
def test_every_listed_deviation_is_a_case_of_its_suite(suite: str) -> None:
    keys = {key_of(suite, case) for case in cases(suite)}
    assert {key for key in DEVIATIONS if key[0] == suite} <= keys


def test_every_reason_to_reject_a_domain_name_occurs() -> None:
    found = {
        deviation.reason
        for deviation in run("wpt-idna-toascii", cases("wpt-idna-toascii")).deviations
    }
    assert found == set(IDNA_2008.values())


def test_a_case_without_a_judge_is_counted_as_not_run() -> None:
    case = {"kind": "new", "input": "a", "grammar": "uri"}
    assert judge("urn", case).skipped == "no judge for cases of the kind 'new'"


def test_a_failure_that_is_not_listed_is_unexplained() -> None:
    case = {"kind": "valid", "input": "%", "expected": True, "grammar": "uri", "source": "here"}
    result = run("hyperlink", [case])
    assert [deviation.input for deviation in result.unexplained] == ["%"]


def test_a_listed_case_that_passes_is_unexplained() -> None:
    listed = ("rhymu8354-uri", "invalid", "http://www.example.com:65536/foo/bar")
    assert listed in DEVIATIONS
    # With another grammar, the string is invalid, as the case expects.
    case = {"kind": listed[1], "input": listed[2], "expected": False, "source": "here"}
    result = run(listed[0], [{**case, "grammar": "relative-ref"}])
    assert len(result.unexplained) == 1


@pytest.mark.parametrize("path", sorted(VENDORED.glob("*.json")), ids=lambda path: path.stem)
def test_a_vendored_suite_has_an_origin_and_a_license(path: Path) -> None:
    assert (VENDORED / "licenses" / f"{path.stem}.txt").read_text("utf-8").strip()
    readme = (VENDORED / "README.md").read_text("utf-8")
    assert f"`{path.name}`" in readme
    assert path.stem in SUITES


def test_a_command_writes_json_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    assert main(["--suites", str(VENDORED), "--json", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "unexplained deviations: 0" in printed
    document = json.loads(file.read_text("utf-8"))
    assert set(document) >= {"date", "uriverse", "engine", "python", "system", "suites"}
    assert [suite["suite"] for suite in document["suites"]] == [
        name for name in SUITES if name not in document["missing"]
    ]
    for suite in document["suites"]:
        assert set(suite) == {
            *("suite", "project", "license", "cases", "passed", "deviations", "not_run")
        }
        counts = (suite["passed"], len(suite["deviations"]), sum(suite["not_run"].values()))
        assert sum(counts) == suite["cases"]
        assert counts == COUNTS[suite["suite"]]
        for deviation in suite["deviations"]:
            assert set(deviation) == {
                *("kind", "input", "base", "expected", "found", "source", "reason", "section")
            }
            assert deviation["reason"]
            assert deviation["section"].startswith("RFC ")


@pytest.mark.parametrize("exists", [False, True])
def test_a_folder_without_suites_is_an_error_of_one_line(
    exists: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path if exists else tmp_path / "missing"
    assert main(["--suites", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("conformance: no ")
    assert str(folder) in error
    assert error.count("\n") == 1


def test_the_command_runs_from_a_checkout() -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-m", "conformance"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "json-schema-test-suite" in done.stdout


def test_fetch_converts_web_platform_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        "a comment",
        {"comment": "Mixed", "input": "bücher.example", "output": "xn--bcher-kva.example"},
        {"input": "\u200d.example", "output": None},
    ]
    monkeypatch.setattr(fetch, "download", lambda _address: rows)
    assert fetch.main([str(tmp_path / "suites")]) == 0
    found = suites.find(tmp_path / "suites")
    fetched = {"wpt-idna-toascii"}
    assert set(found) == fetched | {path.stem for path in VENDORED.glob("*.json")}
    result = run("wpt-idna-toascii", found["wpt-idna-toascii"])
    assert (result.cases, result.passed) == (4, 4)


def test_fetch_reports_a_failed_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def offline(address: str) -> object:
        raise OSError("no network")

    monkeypatch.setattr(fetch, "download", offline)
    assert fetch.main([str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"conformance: cannot download {fetch.WPT}/toascii.json: no network")
    assert error.count("\n") == 1
