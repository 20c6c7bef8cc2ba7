"""Compare jobs with columns of URLs in Polars and DuckDB, with and without uriverse.

    python benchmarks/jobs.py
    python benchmarks/jobs.py --rows 100000 --json figures.json
    python benchmarks/jobs.py --docs   # also write the table into docs/how-to/column-jobs.md

Requires Polars, DuckDB, publicsuffixlist and the dependency group `bench`. The exit status is
always 0. See README.md.
"""

from __future__ import annotations

import ast
import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jobs_in_duckdb as in_duckdb
import jobs_in_polars as in_polars
import polars as pl
from columns import Passes, in_turn
from identifiers import options
from inputs import corpus
from job_rows import START, Tables, given, tables_of
from measure import machine, statement
from peers import versions
from references import run

import uriverse

if TYPE_CHECKING:
    from measure import Table

PAGE = Path(__file__).resolve().parents[1] / "docs/how-to/column-jobs.md"
#: The lines before and after the table in the page.
MARKS = ("<!-- results: jobs -->\n", "<!-- end -->\n")
#: The packages of the code without uriverse.
PACKAGES = ("polars", "duckdb", "publicsuffixlist")

Work = Callable[[Tables], pl.DataFrame]


class Wrong(NamedTuple):
    """Rows for which the code without uriverse gives a wrong answer.

    Attributes:
        rows: the columns of the table of hits.
        answer: the result with uriverse.
        wrong: the result without it; a string is a part of the message of an error.
        note: the cell of the table in the documentation.
        moves: the columns of the table of redirects.
    """

    rows: Mapping[str, Sequence[Any]]
    answer: list[tuple[Any, ...]]
    wrong: list[tuple[Any, ...]] | str
    note: str
    moves: Mapping[str, Sequence[str]] | None = None


class Job(NamedTuple):
    """Something that people do with columns of URLs.

    Attributes:
        name: the heading in the documentation.
        ours: the code with uriverse.
        theirs: the code without it.
        wrong: what goes wrong without it.
        ordered: whether the order of the rows in the result matters.
    """

    name: str
    ours: Work
    theirs: Work
    wrong: Wrong
    ordered: bool = True

    @property
    def engine(self) -> str:
        return "Polars" if self.ours.__module__ == in_polars.__name__ else "DuckDB"


JOBS = (
    Job(
        "Parse URLs to columns",
        in_polars.parse,
        in_polars.parse_without,
        Wrong(
            {"url": ["https://good.example\\@evil.example/"]},
            [(None, None, None, None, None)],
            [("https", "evil.example", None, "/", None)],
            "`https://good.example\\@evil.example/` has the host `evil.example`; browsers go to "
            "`good.example`. Invalid URLs are not noticed.",
        ),
    ),
    Job(
        "Filter by host or by site",
        in_duckdb.filter_sites,
        in_duckdb.filter_sites_without,
        Wrong(
            {"url": ["https://evil.example\\@www.example.com/"]},
            [],
            [("https://evil.example\\@www.example.com/",)],
            "`https://evil.example\\@www.example.com/` passes as `www.example.com`.",
        ),
        ordered=False,
    ),
    Job(
        "Drop fragments and campaign parameters",
        in_polars.drop_tracking,
        in_polars.drop_tracking_without,
        Wrong(
            {"url": ["https://a.example/?next=/b?gclid=1&q=2"]},
            [("https://a.example/?next=/b?gclid=1&q=2",)],
            [("https://a.example/?next=/b?q=2",)],
            "`?next=/b?gclid=1&q=2` becomes `?next=/b?q=2`: a value is cut, and the parameter `q` "
            "is lost.",
        ),
    ),
    Job(
        "Remove duplicates",
        in_duckdb.deduplicate,
        in_duckdb.deduplicate_without,
        Wrong(
            {"url": ["https://a.example/%7eme", "https://a.example/~me"]},
            [("https://a.example/%7eme", 2)],
            [("https://a.example/%7eme", 1), ("https://a.example/~me", 1)],
            "`/%7eme` and `/~me` stay two URLs; so do `/b/../c` and `/c`.",
        ),
        ordered=False,
    ),
    Job(
        "Join with a table of redirects",
        in_polars.join,
        in_polars.join_without,
        Wrong(
            {"url": ["https://a.example"]},
            [("https://a.example", "https://b.example/")],
            [],
            "`https://a.example` does not find the redirect from `https://a.example/`.",
            {"old": ["https://a.example/"], "new": ["https://b.example/"]},
        ),
        ordered=False,
    ),
    Job(
        "Extract one parameter",
        in_duckdb.param,
        in_duckdb.param_without,
        Wrong(
            {"url": ["https://a.example/?q=%FF"]},
            [("%FF",)],
            "Failed to decode string",
            "One row with `?q=%FF` stops the query. In `?next=/b?q=c`, the parameter `q` is found.",
        ),
    ),
    Job(
        "Count URLs by site",
        in_polars.count_sites,
        in_polars.count_sites_without,
        Wrong(
            {"url": ["https://10.0.0.1/", "https://192.168.0.1/"]},
            [(None, 2)],
            [("0.1", 2)],
            "`10.0.0.1` and `192.168.0.1` are the same site, `0.1`.",
        ),
        ordered=False,
    ),
    Job(
        "Set invalid URLs aside",
        in_duckdb.validate,
        in_duckdb.validate_without,
        Wrong(
            {"typed": ["https://a.example/%zz", "https://[::1]/"]},
            [("https://a.example/%zz",)],
            [("https://[::1]/",)],
            "`https://a.example/%zz` is accepted, and `https://[::1]/` is not.",
        ),
    ),
    Job(
        "Resolve links against their pages",
        in_polars.resolve,
        in_polars.resolve_without,
        Wrong(
            {"url": ["https://a.example//b/c", "app://a.example/b"], "link": ["../d", "c"]},
            [("https://a.example//d",), ("app://a.example/c",)],
            [("https://a.example/d",), ("c",)],
            "`../d` on `https://a.example//b/c` loses a slash. On `app://a.example/b`, links stay "
            "relative.",
        ),
    ),
    Job(
        "Sort by domain",
        in_duckdb.surt,
        in_duckdb.surt_without,
        Wrong(
            {"url": ["https://10.0.0.1/", "https://9.0.0.3/", "https://10.0.0.5/"]},
            [("https://10.0.0.1/",), ("https://10.0.0.5/",), ("https://9.0.0.3/",)],
            [("https://10.0.0.1/",), ("https://9.0.0.3/",), ("https://10.0.0.5/",)],
            "IP addresses are reversed, so `9.0.0.3` comes between `10.0.0.1` and `10.0.0.5`.",
        ),
    ),
    Job(
        "Divide visits into sessions",
        in_duckdb.sessions,
        in_duckdb.sessions_without,
        Wrong(
            {
                "visitor": [1, 1],
                "time": [START, START],
                "url": ["https://a.example/", "https://me@a.example/"],
            },
            [(1, "https://a.example", 2, START)],
            [(1, "https://a.example", 1, START), (1, "https://me@a.example", 1, START)],
            "`https://me@a.example/` begins another session.",
        ),
        ordered=False,
    ),
    Job(
        "Remove secrets from log lines",
        in_polars.redact,
        in_polars.redact_without,
        Wrong(
            {"line": ["https://me:p@ss@a.example/", "https://a.example/?access%5Ftoken=x"]},
            [("https://me:REDACTED@a.example/",), ("https://a.example/?access%5Ftoken=REDACTED",)],
            [
                ("https://me:REDACTED@ss@a.example/",),
                ("https://a.example/?access%5Ftoken=x",),
            ],
            "`https://me:p@ss@a.example/` keeps half of its password; `access%5Ftoken=x` stays.",
        ),
    ),
    Job(
        "Repair malformed URLs",
        in_polars.repair,
        in_polars.repair_without,
        Wrong(
            {"typed": ["https://a.example/100%", "//a.example/b", "https://b\u00fccher.example/"]},
            [
                ("https://a.example/100%25",),
                ("https://a.example/b",),
                ("https://xn--bcher-kva.example/",),
            ],
            [
                ("https://a.example/100%",),
                ("https:////a.example/b",),
                ("https://b%C3%BCcher.example/",),
            ],
            "`https://a.example/100%` stays malformed, `//a.example/b` becomes "
            "`https:////a.example/b`, and the host of `https://b\u00fccher.example/` is "
            "percent-encoded.",
        ),
    ),
    Job(
        "Find private addresses and lookalikes",
        in_duckdb.private,
        in_duckdb.private_without,
        Wrong(
            {"target": ["http://0x7f.1/", "http://xn--bcher-kva.example/", "http://[fd00::1]/"]},
            [("http://0x7f.1/",), ("http://[fd00::1]/",)],
            [("http://xn--bcher-kva.example/",)],
            "`http://0x7f.1/` (127.0.0.1) and `http://[fd00::1]/` are missed; every "
            "internationalized name is suspicious.",
        ),
    ),
    Job(
        "Show URLs to people",
        in_polars.display,
        in_polars.display_without,
        Wrong(
            {"shown": ["https://xn--80ak6aa92e.com/", "https://a.example/b%2Fc"]},
            [("https://xn--80ak6aa92e.com/",), ("https://a.example/b%2Fc",)],
            [("https://\u0430\u0440\u0440\u04cf\u0435.com/",), ("https://a.example/b/c",)],
            "`https://xn--80ak6aa92e.com/` looks like apple.com; `/b%2Fc` becomes `/b/c`.",
        ),
    ),
    Job(
        "Compute several columns in one pass",
        in_polars.several,
        in_polars.several_without,
        Wrong(
            {"url": ["https://10.0.0.1/%7eme"]},
            [("10.0.0.1", None, "https://10.0.0.1/~me", 1)],
            [("10.0.0.1", "0.1", "https://10.0.0.1/%7eme", 1)],
            "The site of `10.0.0.1` is `0.1`; `/%7eme` and `/~me` differ.",
        ),
    ),
    Job(
        "Measure the depth and the sections of a site",
        in_duckdb.sections,
        in_duckdb.sections_without,
        Wrong(
            {"url": ["https://www.example.com/%FF/"]},
            [("%FF", 1, 1)],
            "Failed to decode string",
            "One row with the path `/%FF/` stops the query.",
        ),
        ordered=False,
    ),
    Job(
        "Group requests by route",
        in_polars.route,
        in_polars.route_without,
        Wrong(
            {"request": ["/users/%6De", "/users/..", "/users/7?debug=1"]},
            [("me", 1), ("user", 1), (None, 1)],
            [("user", 2), (None, 1)],
            "`/users/%6De` is not `/users/me`, `..` is the name of a user, and `/users/7?debug=1` "
            "has no route.",
        ),
        ordered=False,
    ),
    Job(
        "Find links within a site",
        in_duckdb.same_site,
        in_duckdb.same_site_without,
        Wrong(
            {"url": ["https://10.0.0.1/"], "target": ["https://192.168.0.1/"]},
            [(False, 1)],
            [(True, 1)],
            "`10.0.0.1` and `192.168.0.1` are the same site.",
        ),
        ordered=False,
    ),
    Job(
        "Make a map of the parameters",
        in_duckdb.params,
        in_duckdb.params_without,
        Wrong(
            {"url": ["https://a.example/?q=%FF"]},
            [({"q": "%FF"},)],
            "Failed to decode string",
            "One row with `?q=%FF` stops the query.",
        ),
    ),
)


def rows_of(work: Work, tables: Tables, *, ordered: bool) -> list[tuple[Any, ...]]:
    """Return the rows of the result, sorted if their order does not matter."""
    rows = work(tables).rows()
    return rows if ordered else sorted(rows, key=repr)


def answers(job: Job, work: Work) -> list[tuple[Any, ...]] | str:
    """Return the result for the rows of `job.wrong`, or the message of an error."""
    try:
        return rows_of(work, given(job.wrong.rows, job.wrong.moves), ordered=job.ordered)
    except Exception as error:  # noqa: BLE001  # DuckDB and Polars have no common class of errors.
        return str(error)


def lines_of(work: Work) -> int:
    """Return the number of lines in the body of a function, without comments."""
    [function] = ast.parse(inspect.getsource(work)).body
    assert isinstance(function, ast.FunctionDef)
    source = inspect.getsource(work).splitlines()[function.body[0].lineno - 1 :]
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in source)


def measured(tables: Tables, rounds: int) -> Iterator[Table]:
    rows = len(tables.hits)
    for job in JOBS:
        passes: Passes = {
            f"uriverse and {job.engine}": (partial(job.ours, tables), None),
            job.engine: (partial(job.theirs, tables), None),
        }
        note = f"lines of code: {lines_of(job.ours)}, and {lines_of(job.theirs)} without uriverse"
        yield from in_turn(
            job.name, passes, rows, rounds, "CPU time", note, clock=time.process_time_ns
        )


def markdown(tables: Iterable[Table]) -> str:
    """Return the table of the documentation."""
    lines = [
        "| job | in | lines | lines without | ratio of times | wrong without uriverse |\n",
        "|---|---|---:|---:|---:|---|\n",
    ]
    jobs = {job.name: job for job in JOBS}
    for table in tables:
        job, ratio = jobs[table.title], table.rows[1].ratio
        assert ratio is not None
        cells = (
            *(f"[{job.name}](#{anchor(job.name)})", job.engine, lines_of(job.ours)),
            *(lines_of(job.theirs), f"{ratio.median:.2g}", job.wrong.note),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |\n")
    return "".join(lines)


def anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def conditions() -> str:
    """Return the paragraph about the conditions of this run."""
    installed = versions()
    others = {name: installed[name] for name in PACKAGES}
    return statement(machine(uriverse.__version__, compiled=uriverse.compiled), others)


def write(results: str) -> None:
    """Replace the results in the documentation."""
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    PAGE.write_text(f"{before}{MARKS[0]}\n{results}\n{MARKS[1]}{after}", "utf-8")


def main() -> None:
    parser = options("Compare jobs with columns of URLs, with and without uriverse.")
    parser.add_argument("--docs", action="store_true", help=f"write the table into {PAGE.name}")
    parser.set_defaults(strings=1_000_000, rounds=5)
    arguments = parser.parse_args()
    texts = tables_of(corpus(arguments.corpora), arguments.strings)
    found: list[Table] = []

    def kept() -> Iterator[Table]:
        for table in measured(texts, arguments.rounds):
            found.append(table)
            yield table

    run(arguments, [kept()])
    results = f"{conditions()}\n\n{markdown(found)}"
    print(f"\n{results}", end="")
    if arguments.docs:
        write(results)


if __name__ == "__main__":
    main()
