"""Run the complete suites: `python -m conformance.complete`, from the root of a checkout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import process_time

import uriverse

from .acceptors import make_suite
from .checks import Check, list_checks, run_check


def main(argv: Sequence[str] | None = None) -> int:
    """Run the suites; return 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.complete",
        description="Ask uriverse for its answers to complete suites of strings.",
    )
    parser.add_argument("rules", nargs="*", metavar="RULE", help="only these rules or acceptors")
    parser.add_argument(
        "--all", action="store_true", help="all strings, and k = 2 where the tests have k = 1"
    )
    options = parser.parse_args(argv)
    print(f"uriverse {uriverse.__version__}, compiled: {uriverse.compiled}")
    print(f"{'rule':20} {'acceptor':26} {'states':>6} {'classes':>7} {'k':>2} {'strings':>12} {'wrong':>6}  time")
    status = 0
    for check in list_checks():
        if options.rules and not {check.rule, check.acceptor} & set(options.rules):
            continue
        if options.all:
            check = check.make_whole()
        start = process_time()
        report = run_check(check)
        automaton = make_suite(check.rule, *check.files).automaton
        print(
            f"{check.rule:20} {check.acceptor:26} {len(automaton.table):6} {len(automaton.classes):7}"
            f" {check.k:2} {report.strings:12,} {len(report.wrong):6} {process_time() - start:5.1f} s",
            flush=True,
        )
        for text in report.wrong:
            print(f"    {text!a}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
