"""Run the complete suites: `python -m conformance.complete`, from the root of a checkout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import process_time

import uriverse

from .acceptors import make_suite
from .bounded import LIMITS
from .checks import list_checks, run_check


def main(argv: Sequence[str] | None = None) -> int:
    """Run the suites; return 1 if a result is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.complete",
        description="Ask uriverse for its answers to complete suites of strings. The environment "
        "variable URIVERSE_KERNEL=disable selects the reference implementation.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a rule, an acceptor or an operation (default: all)",
    )
    parser.add_argument(
        "--all", action="store_true", help="run the whole suites, with k = 2 instead of k = 1"
    )
    options = parser.parse_args(argv)
    wrong = run_suites(options.names, whole=options.all)
    wrong += run_operations(options.names, whole=options.all)
    return 1 if wrong else 0


def run_suites(names: Sequence[str], *, whole: bool) -> int:
    """Print a line for each acceptor; return the number of wrong answers."""
    print(f"uriverse {uriverse.__version__}, compiled: {uriverse.compiled}")
    print("rule                 acceptor                   states classes  k      strings  wrong")
    wrong = 0
    checks = list_checks()
    for check in [check.make_whole() for check in checks] if whole else checks:
        if (names and not {check.rule, check.acceptor} & {*names}) or not check.share:
            continue
        start = process_time()
        report = run_check(check)
        automaton = make_suite(check.rule, *check.files).automaton
        print(
            f"{check.rule:20} {check.acceptor:26} {len(automaton.table):6} "
            f"{len(automaton.classes):7} {check.k:2} {report.strings:12,} {len(report.wrong):6} "
            f"{process_time() - start:6.1f} s",
            flush=True,
        )
        print(*(f"    {text!a}\n" for text in report.wrong), sep="", end="")
        wrong += len(report.wrong)
    return wrong


def run_operations(names: Sequence[str], *, whole: bool) -> int:
    """Print a line for each operation; return the number of wrong results."""
    print("operation            longest        cases  wrong")
    wrong = 0
    for check, limits in LIMITS.items():
        if names and check.__name__ not in names:
            continue
        start, cases, failures = process_time(), 0, []
        for case in check(limits[whole]):
            cases += 1
            failures += [] if case.is_right else [case]
        print(
            f"{check.__name__:20} {limits[whole]:7} {cases:12,} {len(failures):6} "
            f"{process_time() - start:6.1f} s",
            flush=True,
        )
        print(*(f"    {case}\n" for case in failures[:20]), sep="", end="")
        wrong += len(failures)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
