"""The command that reads and writes whole tables: columns."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, get_args

import click

from uriverse import Resolver
from uriverse._spec.syntax import GRAMMARS
from uriverse.carets import visible
from uriverse.diagnosis import PROFILES
from uriverse.tables.options import OPERATIONS, USUAL_COMPRESSION
from uriverse.typing import Compression, Format, Preset

from .lines import as_argument, misuse
from .output import leave, say

if TYPE_CHECKING:
    from uriverse.tables.local import Tally
    from uriverse.tables.plan import Plan
    from uriverse.tables.sources import Source

#: What the column is called if there are several of text, and nobody says which is meant.
USUAL = ("url", "uri", "iri", "href", "link")

#: The options that tell of an operation, and which.
OPTIONS = {
    "base": ("resolve", "relativize"),
    "base_column": ("resolve", "relativize"),
    "grammar": ("parse", "is-valid"),
    "name": ("query-param",),
    "preset": ("parse",),
    "profile": ("findings",),
    "scheme": ("normalize",),
}

#: What ends a program: being told to, and the end of its terminal, where there is such a signal.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

#: What a shell adds to the number of the signal that ended a program.
KILLED = 128

#: Where Spark is if `--master` does not say.
LOCAL_SPARK = "local[*]"

form = click.Choice(get_args(Format))


@click.command("columns")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="OUTPUT", help="The file to write.")
@click.option("--column", metavar="NAME", help="The column of texts, if it is not plain.")
@click.option(
    "--op",
    type=click.Choice(OPERATIONS),
    default="parse",
    show_default=True,
    metavar="OP",
    help="What is done with each text.",
)
@click.option("--base", metavar="URI", help="For resolve, relativize: the base of all.")
@click.option("--base-column", metavar="NAME", help="Instead: the column of the bases.")
@click.option("--name", metavar="NAME", help="For query-param: the parameter.")
@click.option("--scheme", is_flag=True, default=None, help="For normalize: as normalize --scheme.")
@click.option(
    "--grammar",
    type=click.Choice(list(GRAMMARS)),
    metavar="TYPE",
    help="For parse, is-valid: as check --type.",
)
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    metavar="PROFILE",
    help="For findings: as check --profile.",
)
@click.option(
    "--schema",
    "preset",
    type=click.Choice(get_args(Preset)),
    help="For parse: whose names results have.",
)
@click.option("--keep", metavar="all|none|NAME,...", help="What stands before the results.")
@click.option("--prefix", default="", metavar="TEXT", help="What names of results begin with.")
@click.option("--format", "both", type=form, metavar="FORMAT", help="Of inputs and output.")
@click.option("--input-format", "read_as", type=form, metavar="FORMAT", help="Of inputs.")
@click.option("--output-format", "write_as", type=form, metavar="FORMAT", help="Of the output.")
@click.option(
    "--compression",
    type=click.Choice(get_args(Compression)),
    metavar="CODEC",
    help=f"Of Parquet; {USUAL_COMPRESSION} if not said.",
)
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="In CSV and TSV: write ' before text that a spreadsheet takes for a formula.",
)
@click.option(
    "--bad-rows",
    metavar="FILE",
    help="Write bad rows there, with texts, and so passwords, as they are.",
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="How many work, if not all.")
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="What works.",
)
@click.option(
    "--master",
    metavar="URL",
    help=f"For --engine spark: where Spark is; {LOCAL_SPARK} if not said.",
)
@click.option("-q", "--quiet", is_flag=True, help="Do not say how many rows there were.")
def columns_command(
    inputs: tuple[str, ...],
    output: str,
    both: Format | None,
    read_as: Format | None,
    write_as: Format | None,
    compression: Compression | None,
    escape_formulas: bool,
    bad_rows: str | None,
    threads: int | None,
    engine: str,
    master: str | None,
    quiet: bool,
    **planned: Any,
) -> None:
    """Do something with a column of texts in tables of any size.

    INPUTs are files, folders, patterns in quotes, or - for standard input, and become one
    table, OUTPUT. FORMAT is parquet, csv, tsv, ndjson or lines; .txt is lines, and .gz may
    stand behind. OUTPUT is there when all is done, and only then. All columns are kept;
    none with --schema, and in lines. The status is 0 if all rows are valid, 1 if some are
    bad, 2 for misuse or what can't be done.

    \b
    OP is parse, normalize, resolve, relativize, host, hostname, port, origin,
    reversed-host, surt, fingerprint, is-valid, findings, query-param,
    query-params, to-uri or to-iri.

    \b
    uriverse columns in.parquet --column url --bad-rows bad.csv -o out.parquet
    uriverse columns "in/*.csv" --op resolve --base-column page -o out.parquet
    uriverse columns - --format lines --op host -o - < urls.txt
    """
    refuse_misfits(planned)
    if "" in {*inputs, output, bad_rows}:
        raise misuse("the name of a file is empty")
    if master is not None and engine != "spark":
        raise misuse("--master is for --engine spark")
    with needing("files"):
        from uriverse.columns.execution import processors
        from uriverse.tables.local import Output, transform
        from uriverse.tables.plan import TableError
        from uriverse.tables.sources import format_of
        from uriverse.tables.sources import sources as sources_of
    try:
        output_form = write_as or both or format_of(output)
        if compression is not None and output_form != "parquet":
            raise misuse(f"--compression is for parquet, not {output_form}")
        bad_form = None if bad_rows is None else format_of(bad_rows)
        if escape_formulas and {"csv", "tsv"}.isdisjoint({output_form, bad_form}):
            raise misuse(f"--escape-formulas is for csv and tsv, not {output_form}")
        sources = sources_of(inputs, read_as or both, output)
        if bad_rows is not None:
            kept_apart(bad_rows, output, [source.name for source in sources])
        plan_for = planning(planned, to_lines=output_form == "lines")
        form_of_output = (output_form, compression or USUAL_COMPRESSION, escape_formulas)
        write = Output(output, *form_of_output)
        write_bad = None
        if bad_rows and bad_form:
            write_bad = Output(bad_rows, bad_form, escape_formulas=escape_formulas)
        with ended_by_signals(), progress(sources, quiet) as tell:
            if engine == "spark":
                with needing("files,spark"):
                    from uriverse.tables.spark import transform as by_spark
                tally = by_spark(
                    sources, plan_for, write, bad_rows=write_bad, master=master or LOCAL_SPARK
                )
            else:
                workers = threads or processors()
                tally = transform(
                    sources, plan_for, write, bad_rows=write_bad, threads=workers, tell=tell
                )
    except TableError as error:
        leave(visible(str(error)))
    if not quiet:
        say(str(tally))
    sys.exit(1 if tally.bad else 0)


def refuse_misfits(planned: dict[str, Any]) -> None:
    """Refuse what tells of another operation than the one that is asked for, or not enough.

    Raises:
        UsageError: an option does not fit.
    """
    op = planned["op"]
    for option, operations in OPTIONS.items():
        if planned[option] is not None and op not in operations:
            shown = "schema" if option == "preset" else option.replace("_", "-")
            raise misuse(f"--{shown} is for {' and '.join(operations)}")
    if op in OPTIONS["base"] and (planned["base"] is None) == (planned["base_column"] is None):
        which = "needs" if planned["base"] is None else "takes only one of"
        raise misuse(f"{op} {which} --base or --base-column")
    if op in OPTIONS["name"] and planned["name"] is None:
        raise misuse(f"{op} needs --name")
    if planned["base"] is not None:
        as_argument(lambda: Resolver(planned["base"]))


def kept_apart(bad_rows: str, output: str, inputs: list[str]) -> None:
    """See to it that bad rows are not written over something else.

    Raises:
        UsageError: they would be.
    """
    from uriverse.tables.sources import real

    names = dict.fromkeys(inputs, "an input") | {output: "the output"}
    for name, what in names.items():
        if "-" not in {bad_rows, name} and real(name) == real(bad_rows):
            raise misuse(f"--bad-rows is {what}")


def planning(planned: dict[str, Any], *, to_lines: bool) -> Callable[[Any], Plan]:
    """What makes the plan for tables that have a schema, by the options that are given."""
    from uriverse.tables.plan import Plan

    given: dict[str, Any] = {o: value for o, value in planned.items() if value is not None}
    keep = given.pop("keep", "none" if to_lines or "preset" in given else "all")
    if keep != "all":
        given["keep"] = () if keep == "none" else tuple(dict.fromkeys(keep.split(",")))

    def plan_for(schema: Any) -> Plan:
        column = given.get("column") or column_of(schema, given.get("base_column"))
        words: dict[str, Any] = {**given, "column": column}
        return Plan(**words)

    return plan_for


def column_of(schema: Any, but: str | None) -> str:
    """The only column of text, or the only one that is called as such columns are.

    Raises:
        TableError: there is none, or several.
    """
    from uriverse.tables.plan import TableError, is_text, named

    names: list[str] = [field.name for field in schema if is_text(field.type) and field.name != but]
    for found in (names, [name for name in names if name.lower() in USUAL]):
        if len(found) == 1:
            return found[0]
    if names:
        raise TableError(f"choose one of the columns of strings with --column: {named(names)}")
    types = named(f"{field.name} ({field.type})" for field in schema)
    raise TableError(f"no column contains strings; cast one to string: {types}")


@contextmanager
def progress(
    sources: list[Source], quiet: bool
) -> Generator[Callable[[int, Tally], None], None, None]:
    """What is told how far the work is, and shows it on a terminal."""
    sizes = [source.size for source in sources]
    if quiet or None in sizes or not sys.stderr.isatty():
        yield lambda octets, tally: None  # noqa: ARG005
        return
    from .progress import Bar

    with Bar(sum(size for size in sizes if size is not None)) as bar:

        def tell(octets: int, tally: Tally) -> None:
            bar(octets - bar.read, f"{tally.rows:,} rows, {tally.bad.total():,} bad")

        yield tell


@contextmanager
def needing(extras: str) -> Generator[None, None, None]:
    """What is missing is told with what to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        leave(f"columns needs {missing.name}: pip install 'uriverse[{extras}]'")


@contextmanager
def ended_by_signals() -> Generator[None, None, None]:
    """What has been begun is cleared away when the program is told to end, too."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        sys.exit(KILLED + number)

    # Who has begun it may want it to outlive the terminal: what is ignored stays so.
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
