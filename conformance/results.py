"""The results of whole suites: counts, deviations, and cases that were not run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from conformance.deviations import DEVIATIONS, Reason, key_of
from conformance.judging import judge
from conformance.suites import Case


@dataclass(frozen=True)
class Deviation:
    """A case whose expectation uriverse does not meet; `reason` is None if it is unexplained."""

    kind: str
    input: Any
    base: str | None
    expected: Any
    found: Any
    source: str
    reason: Reason | None


@dataclass
class Result:
    """The result of one suite. `cases` is the sum of the other numbers."""

    suite: str
    cases: int = 0
    passed: int = 0
    deviations: list[Deviation] = field(default_factory=list)
    not_run: Counter[str] = field(default_factory=Counter)

    @property
    def unexplained(self) -> list[Deviation]:
        return [deviation for deviation in self.deviations if deviation.reason is None]


def run(suite: str, cases: Iterable[Case]) -> Result:
    """Run all cases of a suite."""
    result = Result(suite)
    for case in cases:
        result.cases += 1
        judgment = judge(suite, case)
        listed = DEVIATIONS.get(key_of(suite, case))
        if judgment.skipped is not None:
            result.not_run[judgment.skipped] += 1
        elif judgment.passed and listed is None:
            result.passed += 1
        else:
            # A listed case that passes is unexplained too: its entry is out of date.
            reason = None if judgment.passed else judgment.reason or listed
            result.deviations.append(
                Deviation(
                    kind=case["kind"],
                    input=case["input"],
                    base=case.get("base"),
                    expected=case["expected"],
                    found=judgment.found,
                    source=case["source"],
                    reason=reason,
                )
            )
    return result
