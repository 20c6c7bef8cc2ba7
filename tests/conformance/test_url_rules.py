import json
import re
import sys
from pathlib import Path

import pytest

from conformance import url_rules
from conformance.url_rules import CheckerError, by_command, by_uriverse, load, main, report

CASES = load()
DATA = json.loads(url_rules.VECTORS.read_text("utf-8"))["cases"]

#: Programs that answer every case in the same way, or not at all.
CHECKERS = {
    "allows everything": "for line in sys.stdin: print('true')",
    "refuses everything": "for line in sys.stdin: print('false')",
    "expresses nothing": "for line in sys.stdin: print('null')",
    "crashes": "raise SystemExit(3)",
    "answers one case": "print('true')",
    "answers in words": "for line in sys.stdin: print('yes')",
}

#: The forms of a source: a URL, an advisory, a section of an RFC, or this project.
SOURCE = re.compile(
    r"https://[!-~]+|CVE-\d{4}-\d{4,}|GHSA(-[0-9a-z]{4}){3}|RFC \d+, [A-Z\d]+(\.\d+)*|uriverse"
)


def checker(name: str) -> list[str]:
    return [sys.executable, "-c", f"import sys\n{CHECKERS[name]}"]


@pytest.mark.parametrize("group", dict.fromkeys(case.group for case in CASES))
def test_uriverse_gives_the_expected_answer(group: str) -> None:
    cases = [case for case in CASES if case.group == group]
    answers = zip(cases, by_uriverse(cases), strict=True)
    assert [case for case, answer in answers if answer is not case.allowed] == []


def test_the_vectors_are_many_and_distinct() -> None:
    assert len(CASES) >= 400
    assert sum(case.allowed for case in CASES) >= 150
    assert len({json.dumps(case.request) for case in CASES}) == len(CASES)


def test_every_vector_has_a_reason_and_a_source() -> None:
    for case in CASES:
        assert case.why.endswith("."), case
        assert SOURCE.fullmatch(case.source), case


def test_the_vectors_are_sorted_in_groups_and_have_one_line_each() -> None:
    groups = [case.group for case in CASES]
    changes = [
        group for group, before in zip(groups, ["", *groups], strict=False) if group != before
    ]
    assert len(changes) == len(set(changes))
    lines = url_rules.VECTORS.read_text("utf-8").splitlines()
    found = [json.loads(line.strip().rstrip(",")) for line in lines if '"group"' in line]
    assert found == DATA


def test_a_checker_that_allows_everything_is_wrong_but_not_over_strict() -> None:
    found = report(CASES, by_command(checker("allows everything"), CASES))
    assert found.wrong == [case for case in CASES if not case.allowed]
    assert found.over_strict == []


def test_a_checker_that_refuses_everything_is_over_strict_but_not_wrong() -> None:
    found = report(CASES, by_command(checker("refuses everything"), CASES))
    assert found.wrong == []
    assert found.over_strict == [case for case in CASES if case.allowed]


def test_cases_that_a_checker_cannot_express_are_not_counted() -> None:
    found = report(CASES, by_command(checker("expresses nothing"), CASES))
    assert found == (0, [], [])


def test_a_checker_that_does_not_answer_every_case_is_reported() -> None:
    for name, message in [
        ("crashes", "exit code 3"),
        ("answers one case", f"1 answers for {len(CASES)} cases"),
        ("answers in words", "not 'yes'"),
    ]:
        with pytest.raises(CheckerError, match=message):
            by_command(checker(name), CASES)


def test_a_checker_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CheckerError, match="cannot start"):
        by_command([str(tmp_path / "missing")], CASES)


@pytest.mark.parametrize(
    ("name", "code"),
    [("allows everything", 1), ("refuses everything", 1), ("expresses nothing", 0), ("crashes", 2)],
)
def test_the_exit_code_says_whether_every_answer_is_right(
    name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(checker(name)) == code
    output = capsys.readouterr()
    assert output.err if code == 2 else output.out.startswith(f"{len(CASES)} cases")


def test_the_report_lists_the_cases_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    main(checker("allows everything"))
    output = capsys.readouterr().out
    assert output.isascii()
    for case in CASES:
        assert (json.dumps(case.request) in output) is (not case.allowed)


def test_without_a_command_uriverse_is_tested(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "0 wrong" in capsys.readouterr().out
