"""Run the suites: `python -m conformance`, from the root of a checkout."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from conformance import page, peer_report, report
from conformance.comparing import Record, compare, installed
from conformance.results import run
from conformance.suites import SUITES, VARIABLE, SuitesError, default_folder, find


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m conformance",
        description="Run the test suites of other projects and explain every deviation.",
    )
    parser.add_argument(
        "--suites",
        type=Path,
        metavar="FOLDER",
        default=default_folder(),
        help=f"the folder of suites (default: ${VARIABLE}, or else the suites in this repository)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a Markdown page")
    parser.add_argument(
        "--peers", action="store_true", help="compare the parsers that are installed"
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the suites; return 1 if a deviation is not explained, and 2 without suites."""
    options = arguments(argv)
    if isinstance(sys.stdout, TextIOWrapper):
        # The encodings of some consoles do not have the symbols of the grades.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        suites = find(options.suites)
    except SuitesError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    results = [run(name, cases) for name, cases in suites.items()]
    missing = [name for name in SUITES if name not in suites]
    document = {**report.environment(), "suites": report.as_json(results), "missing": missing}
    print(report.as_text(results))
    records: list[Record] = []
    absent: list[str] = []
    if options.peers:
        peers, absent = installed()
        records = [compare(peer, suites) for peer in peers]
        document |= {"peers": peer_report.as_json(records), "peers_not_installed": absent}
        print(f"\n{peer_report.as_text(records, absent)}\n")
    if missing:
        print(f"suites not in {options.suites}: {', '.join(missing)}")
    if options.json:
        options.json.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    if options.markdown:
        options.markdown.write_text(page.markdown(results, records, absent), "utf-8")
    unexplained = sum(len(result.unexplained) for result in results)
    print(f"unexplained deviations: {unexplained}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
