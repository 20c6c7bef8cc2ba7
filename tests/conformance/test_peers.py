import json
import re
import sys
from pathlib import Path

import pytest
from interpreters import run_python

from conformance import __main__ as command
from conformance import comparing, foreign, peer_report, peers
from conformance.comparing import ERROR, LENIENT, NONE, RIGHT, WHATWG, WRONG, Record, compare, grade
from conformance.conditions import START
from conformance.edges import EDGES, VALID, Edge
from conformance.foreign import ForeignPeer, Program, installed_programs
from conformance.peers import ADAPTERS, MISSING, REJECTION, Answer, Call, Peer, PythonPeer
from conformance.suites import VENDORED, find
from uriverse import _engine

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {peer.name: peer for peer in peers.installed_packages() if not isinstance(peer, str)}

#: Prints the grades of uriverse, in the order of the cases.
GRADES_OF_URIVERSE = """
from conformance.comparing import compare
from conformance.peers import installed_packages
print(*compare(next(installed_packages()), {}).grades.values())
"""


@pytest.fixture(scope="module")
def programs() -> dict[str, Peer]:
    return {peer.name: peer for peer in installed_programs() if not isinstance(peer, str)}


def peer(name: str, **changes: object) -> PythonPeer:
    values = {"validates": True, "standard": "", "relative": True, "operations": {}}
    return PythonPeer(name, "1", rejections=(ValueError,), **{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge.title)
def test_uriverse_gives_the_answer_that_the_rfc_requires(edge: Edge) -> None:
    uriverse = PACKAGES["uriverse"]
    answer = uriverse.answer(Call(edge.operation, edge.arguments))
    assert grade(edge, uriverse, answer) == RIGHT


@pytest.mark.parametrize("switch", ["disable", "require"])
def test_both_engines_give_the_right_answers(switch: str) -> None:
    if switch == "require" and not _engine.compiled:
        pytest.skip("the kernel is not built here")
    env = {"URIVERSE_KERNEL": switch}
    done = run_python("-c", GRADES_OF_URIVERSE, env=env, cwd=ROOT, check=True)
    assert done.stdout.split() == [RIGHT] * len(EDGES)


def test_the_cases_have_distinct_titles_and_name_a_section() -> None:
    assert len({edge.title for edge in EDGES}) == len(EDGES) == 38
    assert all(re.fullmatch(r"RFC 398[67], \d(\.\d)*", edge.section) for edge in EDGES)
    assert {edge.operation for edge in EDGES} == set(peer_report.OPERATIONS)


@pytest.mark.parametrize(
    "name", [name for name, adapter in ADAPTERS.items() if adapter.standard == "WHATWG"]
)
def test_parsers_of_the_url_standard_give_the_answers_of_the_url_standard(name: str) -> None:
    if name not in PACKAGES:
        pytest.skip(f"needs {name} (pip install --group bench)")
    assert WRONG not in compare(PACKAGES[name], {}).grades.values()


@pytest.mark.parametrize("name", PACKAGES)
def test_an_adapter_lists_the_exceptions_of_its_parser(name: str) -> None:
    record = compare(PACKAGES[name], {})
    errors = {title for title, found in record.grades.items() if found == ERROR}
    # These two parsers raise a TypeError and a NotImplementedError about a string.
    allowed = {"can_ada": {"lone surrogate"}, "hyperlink": {"scheme without authority"}}
    assert errors <= allowed.get(name, set())
    assert RIGHT in record.grades.values()


@pytest.mark.slow
def test_the_scripts_of_other_languages_run_without_errors(programs: dict[str, Peer]) -> None:
    for program in programs.values():
        answers = program.answers([Call(edge.operation, edge.arguments) for edge in EDGES])
        assert not [answer for answer in answers if answer.kind == "error"]
        assert [answer for answer in answers if answer.kind == "value"]


SPACE = next(edge for edge in EDGES if edge.title == "space")
EMPTY_HOST = next(edge for edge in EDGES if edge.title == "empty host")
BRACKETS = next(edge for edge in EDGES if edge.title == "IPv6 address in brackets")


def test_grade() -> None:
    for edge, standard, validates, answer, expected in [
        *((SPACE, "", True, REJECTION, RIGHT), (SPACE, "", True, Answer("value", VALID), WRONG)),
        (SPACE, "", False, Answer("value", VALID), LENIENT),
        (SPACE, "WHATWG", True, Answer("value", VALID), WHATWG),
        (SPACE, "", True, MISSING, NONE),
        (SPACE, "", True, Answer("error", "KeyError: 1"), ERROR),
        (EMPTY_HOST, "", True, Answer("value", ""), RIGHT),
        (EMPTY_HOST, "", True, Answer("value", "x"), WRONG),
        (EMPTY_HOST, "WHATWG", True, Answer("value", "x"), WHATWG),
        *((EMPTY_HOST, "", True, REJECTION, RIGHT), (BRACKETS, "WHATWG", True, REJECTION, WRONG)),
        (BRACKETS, "", False, REJECTION, WRONG),
    ]:
        assert grade(edge, peer("one", standard=standard, validates=validates), answer) == expected


def fails(text: str) -> object:
    raise KeyError(text)


def test_the_answer_of_an_operation() -> None:
    for operation, expected in [
        (fails, Answer("error", "KeyError: 'a'")),
        (int, REJECTION),
        (lambda _: False, REJECTION),
        (lambda _: None, Answer("value", "")),
        (lambda text: f"{text}b", Answer("value", "ab")),
    ]:
        assert peer("one", operations={"host": operation}).answer(Call("host", ("a",))) == expected


def test_a_validator_of_iris_validates_ascii_strings_as_uris() -> None:
    one = peer("one", operations={"accept_iri": str})
    assert one.answer(Call("accept", ("a",))) == Answer("value", VALID)
    assert one.answer(Call("accept", ("é",))) == MISSING


def test_a_program_that_fails_has_errors_as_answers() -> None:
    one = ForeignPeer(
        *("one", "1", "", True, True), (sys.executable, "-c", "1 / 0"), frozenset({"host"})
    )
    host, surrogate, missing = one.answers(
        [Call("host", ("a",)), Call("host", ("\ud800",)), Call("text", ("a",))]
    )
    assert host.kind == "error"
    assert surrogate == missing == MISSING


def test_a_program_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Program(("uriverse-no-such-program", "a"), ("uriverse-no-such-program",), frozenset())
    monkeypatch.setattr(foreign, "PROGRAMS", {"absent": absent})
    monkeypatch.setattr(foreign, "libcurl", lambda: None)
    assert list(installed_programs()) == ["libcurl", "absent"]


def test_an_exception_is_not_a_right_answer_to_an_invalid_string() -> None:
    one = peer("one", operations={"accept": fails})
    tallies = compare(one, find(VENDORED)).tallies
    assert tallies["invalid"].right == 0 < tallies["invalid"].cases


@pytest.fixture
def two_peers(monkeypatch: pytest.MonkeyPatch) -> list[Peer]:
    chosen: list[Peer] = [PACKAGES["uriverse"], PACKAGES["urllib"]]
    monkeypatch.setattr(command, "installed", lambda: (chosen, ["absent"]))
    return chosen


def test_the_command_compares_parsers(
    two_peers: list[Peer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    json_file, page = tmp_path / "peers.json", tmp_path / "peers.md"
    arguments = ["--suites", str(VENDORED), "--peers"]
    assert command.main([*arguments, "--json", str(json_file), "--markdown", str(page)]) == 0
    printed = capsys.readouterr().out
    assert f"{'✓' * len(EDGES)}  valid, accepted" in printed
    assert "absent is not installed" in printed
    document = json.loads(json_file.read_text("utf-8"))
    assert document["peers_not_installed"] == ["absent"]
    assert [one["name"] for one in document["peers"]] == ["uriverse", "urllib"]
    for one in document["peers"]:
        assert set(one) == {"name", "version", "standard", "validates", "cases", "suites"}
        assert list(one["cases"]) == [edge.title for edge in EDGES]
        for found in one["cases"].values():
            assert set(found) == {"grade", "kind", "answer"}
            assert found["grade"] in comparing.GRADES
        for tally in one["suites"].values():
            assert 0 <= tally["right"] <= tally["cases"]
    ours = document["peers"][0]["suites"]
    assert all(tally["right"] == tally["cases"] > 0 for tally in ours.values())
    written = page.read_text("utf-8")
    assert "Not installed: absent." in written
    assert f"\n\n{START} " in written


def test_the_page_explains_every_difference() -> None:
    record = Record(peer("one"))
    for edge in EDGES:
        record.answers[edge.title] = Answer("value", "other")
        record.grades[edge.title] = WRONG
    explained = "\n".join(peer_report.explanations([record]))
    assert explained.count("\n- one: ") == len(EDGES)


def test_the_page_lists_the_other_answers_that_an_rfc_allows() -> None:
    explained = "\n".join(peer_report.explanations([]))
    assert '\n- Also allowed: `"http://a/b/c/g"`\n' in explained
    assert "\n- Also allowed: rejected\n" in explained


def test_every_parser_is_in_a_table_of_the_page() -> None:
    shown = [name for names in peer_report.GROUPS.values() for name in names]
    assert sorted(shown) == sorted([*ADAPTERS, *foreign.PROGRAMS, "libcurl"])


def test_the_committed_page_has_the_current_cases() -> None:
    page = (ROOT / "docs" / "peers.md").read_text("utf-8")
    for edge in EDGES:
        assert f"(#{peer_report.anchor(edge)})" in page
        assert edge.note in page
