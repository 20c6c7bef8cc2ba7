"""Run all benchmarks, and write their results as JSON, as charts and as one page of Markdown.

    python -m benchmarks                        # with generated URLs
    python -m benchmarks --corpora FOLDER       # with the URLs in FOLDER/*.txt
    python -m benchmarks --quick edits linear   # two of the benchmarks, with fewer rounds
    python -m benchmarks --docs                 # also write the results into the documentation

Each benchmark runs in its own process, one after the other. A benchmark whose libraries are not
installed is skipped. The whole run takes about a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # the scripts import each other by their file names

import document  # noqa: E402
from report import page  # noqa: E402

#: The benchmarks, each with the extra packages that it cannot do without.
BENCHMARKS = {
    "identifiers": (),
    "references": ("can_ada", "url", "yarl"),
    "edits": ("ada_url", "yarl"),
    "http_messages": ("httptools", "requests", "starlette", "werkzeug"),
    "everyday": (),
    "redaction": ("opentelemetry.util.http", "pyarrow"),
    "dialing": ("httpx",),
    "integrations": (
        "curies",
        "django",
        "msgspec",
        "pydantic",
        "rfc3986_validator",
        "rfc3987_syntax",
    ),
    "findings": ("can_ada", "pyarrow", "w3lib"),
    "rules": ("pyarrow", "urlpattern"),
    "templates": ("pyarrow",),
    "scanning": ("pyarrow", "pyoxigraph"),
    "columns": ("pyarrow", "pyspark", "w3lib"),
    "sql": ("duckdb", "pyarrow"),
    "jobs": ("duckdb", "polars", "publicsuffixlist", "pyarrow", "w3lib"),
    "command_line": (),
    "documents": ("bs4", "cmarkgfm", "linkify_it", "lxml", "mistune", "selectolax", "turbohtml"),
    "growth": ("can_ada", "rfc3986", "uritools", "url", "yarl"),
    "linear": (),
}
#: The benchmarks that process ordinary URLs.
WITH_CORPORA = (
    "identifiers",
    "references",
    "redaction",
    "findings",
    "scanning",
    "columns",
    "sql",
    "jobs",
    "command_line",
)
#: The benchmarks whose results are also drawn as a chart.
WITH_CHART = ("identifiers", "references")
#: The benchmarks that the documentation has no results of.
NOT_IN_DOCS = ("jobs", "linear", "rules", "sql", "templates")
#: The benchmarks that get `SOME_ROUNDS` with `--docs`, because they would take too long.
SLOW = ("dialing", "integrations", "findings")
SOME_ROUNDS = ("--rounds", "9")
#: Options that `--quick` adds to a benchmark. All other benchmarks get `FEW_ROUNDS`.
QUICK = {
    "growth": ("--longest", "10000", "--rounds", "3"),
    "linear": ("--characters", "10000"),
    "jobs": ("--rounds", "2", "--rows", "20000"),
    "command_line": ("--rounds", "2", "--lines", "20000"),
    "documents": ("--rounds", "3", "--documents", "50"),
}
FEW_ROUNDS = ("--rounds", "3")


def missing(packages: Sequence[str]) -> list[str]:
    """Return the packages that cannot be imported."""
    program = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    command = [sys.executable, "-c", program]
    return [one for one in packages if subprocess.run([*command, one], check=False).returncode]


def run(name: str, results: Path, corpora: Path | None, more: Sequence[str]) -> bool:
    """Run one benchmark with more options, and return whether it wrote its results."""
    if absent := missing(BENCHMARKS[name]):
        print(f"{name}: skipped, because {', '.join(absent)} is not installed", flush=True)
        return False
    file = results / f"{name}.json"
    command = [sys.executable, str(HERE / f"{name}.py"), "--json", str(file)]
    if corpora is not None and name in WITH_CORPORA:
        command += ["--corpora", str(corpora)]
    command += more
    print(f"{name} ...", end="", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    print(f" {time.monotonic() - start:.0f} s", flush=True)
    if done.returncode:
        print(f"{name}: failed with exit status {done.returncode}", flush=True)
        return False
    if name in WITH_CHART and not missing(["matplotlib"]):
        chart = results / f"{name}.svg"
        draw = [sys.executable, str(HERE / "plot.py"), str(file), str(chart)]
        subprocess.run(draw, check=True)
    return True


def main(command_line: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument(
        "--corpora", type=Path, metavar="FOLDER", help="text files with one URL per line"
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("benchmark-results"),
        metavar="FOLDER",
        help="where to write the results (default: %(default)s)",
    )
    parser.add_argument("--quick", action="store_true", help="measure only a few rounds")
    parser.add_argument(
        "--docs", action="store_true", help="write the results into docs/ and the README"
    )
    arguments = parser.parse_args(command_line)
    names = arguments.names or [
        name for name in BENCHMARKS if not (arguments.docs and name in NOT_IN_DOCS)
    ]
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"unknown benchmark {unknown[0]}: the names are {', '.join(BENCHMARKS)}")
    arguments.results.mkdir(parents=True, exist_ok=True)
    more: dict[str, Sequence[str]] = {}
    if arguments.quick:
        more = {name: QUICK.get(name, FEW_ROUNDS) for name in names}
    elif arguments.docs:
        more = dict.fromkeys(SLOW, SOME_ROUNDS)
    done = [run(name, arguments.results, arguments.corpora, more.get(name, ())) for name in names]
    files = [file for name in BENCHMARKS if (file := arguments.results / f"{name}.json").exists()]
    written = arguments.results / "results.md"
    figures = {file.stem: json.loads(file.read_text()) for file in files}
    written.write_text(page(figures), "utf-8")
    print(f"{written}: {sum(done)} of {len(names)} benchmarks")
    if arguments.docs and document.main([str(arguments.results)]):
        return 1
    return 0 if any(done) else 1


if __name__ == "__main__":
    sys.exit(main())
