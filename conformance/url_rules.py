"""Test a checker of URLs with the vectors: `python -m conformance.url_rules COMMAND...`.

The command reads one case per line from its standard input, as JSON, and answers each case with one
line: `true` if the URL is allowed, `false` if it is not, and `null` if the checker cannot express
the rules. Without a command, uriverse itself is tested.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

VECTORS = Path(__file__).resolve().parent / "vectors" / "url-rules.json"

#: An answer: whether a URL is allowed; None if the checker cannot express the rules.
Answer = bool | None

ANSWERS: dict[str, Answer] = {"true": True, "false": False, "null": None}


class CheckerError(Exception):
    """A checker failed, or did not answer every case."""


class Case(NamedTuple):
    """Rules, a URL, and whether the rules allow it.

    Attributes:
        allow: the rules that allow URLs; `None` allows every public host.
        deny: the rules that deny URLs.
        accept: the codes of ambiguities that the caller accepts.
    """

    group: str
    allow: tuple[str, ...] | None
    deny: tuple[str, ...]
    accept: tuple[str, ...]
    url: str
    allowed: bool
    why: str
    source: str

    @property
    def request(self) -> dict[str, Any]:
        """The case without the expected answer, as a checker receives it."""
        return {"rule": self.allow, "deny": self.deny, "accept": self.accept, "url": self.url}


def as_case(data: dict[str, Any]) -> Case:
    rule = data["rule"]
    rules = [rule] if isinstance(rule, str) else rule
    return Case(
        group=data["group"],
        allow=None if rules is None else tuple(rules),
        deny=tuple(data.get("deny", ())),
        accept=tuple(data.get("accept", ())),
        url=data["url"],
        allowed=data["allowed"],
        why=data["why"],
        source=data["source"],
    )


def load(path: Path = VECTORS) -> list[Case]:
    """Read the vectors."""
    return [as_case(data) for data in json.loads(path.read_text("utf-8"))["cases"]]


def by_uriverse(cases: Sequence[Case]) -> list[Answer]:
    """Return the answers of `uriverse.Policy`."""
    from uriverse import Policy

    return [
        Policy(allow=case.allow, deny=case.deny, allowed=case.accept).allows(case.url)
        for case in cases
    ]


def by_command(command: Sequence[str], cases: Sequence[Case]) -> list[Answer]:
    """Return the answers of a program; raise `CheckerError` if it does not answer every case."""
    lines = "".join(f"{json.dumps(case.request)}\n" for case in cases)
    try:
        run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise CheckerError(f"cannot start the checker: {error}") from error
    if run.returncode != 0:
        raise CheckerError(f"the checker failed: exit code {run.returncode}")
    answers = run.stdout.split()
    invalid = next((answer for answer in answers if answer not in ANSWERS), None)
    if invalid is not None:
        raise CheckerError(f"answers must be true, false or null, not {invalid!r}")
    if len(answers) != len(cases):
        raise CheckerError(f"the checker printed {len(answers)} answers for {len(cases)} cases")
    return [ANSWERS[answer] for answer in answers]


class Report(NamedTuple):
    """The cases that a checker answered wrongly.

    Attributes:
        answered: the number of cases that the checker can express.
        wrong: the cases that it allows although they must be refused.
        over_strict: the cases that it refuses although they must be allowed.
    """

    answered: int
    wrong: list[Case]
    over_strict: list[Case]


def report(cases: Sequence[Case], answers: Sequence[Answer]) -> Report:
    """Compare the answers of a checker with the vectors."""
    pairs = [pair for pair in zip(cases, answers, strict=True) if pair[1] is not None]
    return Report(
        answered=len(pairs),
        wrong=[case for case, answer in pairs if answer and not case.allowed],
        over_strict=[case for case, answer in pairs if case.allowed and not answer],
    )


def as_text(found: Report, total: int) -> str:
    """Return a report as plain text, in ASCII: URLs contain invisible characters."""
    lines = [
        f"{total} cases, {total - found.answered} of them not expressible",
        f"{len(found.wrong)} wrong (allowed, but must be refused)",
        f"{len(found.over_strict)} over-strict (refused, but must be allowed)",
    ]
    for title, cases in (("wrong", found.wrong), ("over-strict", found.over_strict)):
        for case in cases:
            lines += ["", f"{title}: {json.dumps(case.request)}", f"  {case.why} ({case.source})"]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Return 1 if a case is wrong or over-strict, and 2 if the checker fails."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.url_rules",
        description="Test a checker of URLs with the vectors; without a command, test uriverse.",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the checker and its arguments")
    command = parser.parse_args(argv).command
    cases = load()
    try:
        answers = by_command(command, cases) if command else by_uriverse(cases)
    except CheckerError as error:
        print(f"conformance.url_rules: {error}", file=sys.stderr)
        return 2
    found = report(cases, answers)
    print(as_text(found, len(cases)))
    return 1 if found.wrong or found.over_strict else 0


if __name__ == "__main__":
    sys.exit(main())
