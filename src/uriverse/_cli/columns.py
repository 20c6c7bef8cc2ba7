"""The command `uriverse columns`."""

from __future__ import annotations

import signal
import sys
import textwrap
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, get_args

from uriverse._carets import visible
from uriverse._quoting import quoted
from uriverse.columns._registry import OPERATIONS
from uriverse.tables._options import (
    ARROW_COMPRESSIONS,
    OPERATIONS_OF_WORD,
    OPTIONS,
    USUAL_COMPRESSION,
    WITH_PRESET,
    WITH_SECOND,
)
from uriverse.typing import Compression, Format, Preset

from .declarations import argument, command, option
from .output import KilledExit, MisuseError, leave, say
from .planning import listed, load_files, needing, operation_of, planning, reject_misfits

if TYPE_CHECKING:
    from uriverse.tables._local import Tally
    from uriverse.tables._sources import Source

#: The signals that end the program, if the platform defines them.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

#: The largest number of operations that the help of an option names.
MOST_NAMED = 3

#: The default of `--master`.
LOCAL_SPARK = "local[*]"

#: The whole in percent.
WHOLE = 100

#: The words for percentages of bad rows that `--fail-on` accepts.
PERCENTAGES = {"any": 0, "never": WHOLE}

#: The operations that apply a policy.
WITH_POLICY = OPERATIONS_OF_WORD["policy"]

form = get_args(Format)


def options_of_operations(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every column function to the `columns` command."""
    for name, each in reversed(OPTIONS.items()):
        value: dict[str, Any] = {"is_flag": True}
        if each.metavar:
            value = {"metavar": each.metavar, **({"type": each.choices} if each.choices else {})}
        names = OPERATIONS_OF_WORD[name]
        # The help of an option is one line, also on a narrow terminal.
        used_by = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} operations"
        help_text = f"{each.help} (for {used_by})."
        command = option(each.flag, default=None, help=help_text, **value)(command)
    return command


HELP = f"""Process a column of URIs in Parquet, CSV or JSON files.

Each INPUT is a file, a folder, a quoted pattern, or - for standard input. All become one
table, which is written when it is complete. FORMAT is {listed(get_args(Format), "or")};
by default it follows from the file extension. The exit status is 0 if all rows are valid,
1 if some are invalid, and 2 after an error. CONDITION is a function such as is_valid; WHEN is
any, never or a percentage such as 5%.

\b
{textwrap.fill(f"OPERATION is {listed(OPERATIONS, 'or')}.", 78, break_on_hyphens=False)}
"""


@command("columns", summary=HELP, kind="ColumnsCommand")
@argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@option(
    "-o", "--output", required=True, metavar="FILE", help="Write to FILE; - is standard output."
)
@option("--column", metavar="COLUMN", help="Read URIs from COLUMN.")
@option(
    "--op",
    multiple=True,
    type=tuple(OPERATIONS),
    metavar="OPERATION",
    help="Apply this operation to each URI.  [default: parse]",
)
@option(
    "--select",
    metavar="RESULTS",
    help="Compute several results, as in: host, port as p.",
)
@option("--replace", is_flag=True, help="Write the result in place of the URIs.")
@option("--where", metavar="CONDITION", help="Process only rows for which CONDITION is true.")
@option("--base", metavar="URI", help=f"Use this base URI (for {', '.join(WITH_SECOND['base'])}).")
@option(
    "--base-column",
    metavar="COLUMN",
    help=f"Read base URIs from COLUMN (for {', '.join(WITH_SECOND['base'])}).",
)
@option(
    "--other", metavar="URI", help=f"Use this other URI (for {', '.join(WITH_SECOND['other'])})."
)
@option(
    "--other-column",
    metavar="COLUMN",
    help=f"Read other URIs from COLUMN (for {', '.join(WITH_SECOND['other'])}).",
)
@options_of_operations
@option(
    "--allow", multiple=True, metavar="RULE", help=f"Allow RULE (for {', '.join(WITH_POLICY)})."
)
@option("--deny", multiple=True, metavar="RULE", help=f"Deny RULE (for {', '.join(WITH_POLICY)}).")
@option(
    "--schema",
    "preset",
    type=get_args(Preset),
    metavar="SCHEMA",
    help=f"Write {listed(get_args(Preset), 'or')} columns (for {', '.join(WITH_PRESET)}).",
)
@option("--keep", metavar="COLUMN,...", help="Copy these input columns, or all, or none.")
@option(
    "--prefix", default="", metavar="PREFIX", help="Put PREFIX before the names of new columns."
)
@option(
    "--format", "both", type=form, metavar="FORMAT", help="Set the format of both input and output."
)
@option(
    "--input-format", "read_as", type=form, metavar="FORMAT", help="Set the format of the input."
)
@option(
    "--output-format", "write_as", type=form, metavar="FORMAT", help="Set the format of the output."
)
@option(
    "--compression",
    type=get_args(Compression),
    metavar="CODEC",
    help="Compress Parquet or Arrow with CODEC.",
)
@option(
    "--escape-formulas",
    is_flag=True,
    help="Write ' before formulas in CSV and TSV.",
)
@option("--bad-rows", metavar="FILE", help="Write invalid rows, unmasked, to FILE.")
@option("--drop-bad", is_flag=True, help="Omit invalid rows from the output.")
@option(
    "--fail-on",
    default="any",
    show_default=True,
    metavar="WHEN",
    help="Set when bad rows set the status to 1.",
)
@option(
    "--threads",
    least=1,
    metavar="NUMBER",
    help="Use this number of threads.",
)
@option(
    "--engine",
    type=("local", "spark"),
    default="local",
    show_default=True,
    metavar="ENGINE",
    help="Run the local or spark engine.",
)
@option("--master", metavar="URL", help=f"Connect to this Spark master.  [default: {LOCAL_SPARK}]")
@option("-q", "--quiet", is_flag=True, help="Do not print the number of rows.")
def columns_command(
    inputs: tuple[str, ...],
    output: str,
    both: Format | None,
    read_as: Format | None,
    write_as: Format | None,
    compression: Compression | None,
    escape_formulas: bool,
    bad_rows: str | None,
    fail_on: str,
    threads: int | None,
    engine: str,
    master: str | None,
    quiet: bool,
    **planned: Any,
) -> None:
    most_bad = percentage_in(fail_on)
    load_files(planned)
    planned["op"] = operation_of(planned)
    reject_misfits(planned)
    if "" in {*inputs, output, bad_rows}:
        raise MisuseError(
            "a file name is empty; name a file, or write - for standard input or output"
        )
    if master is not None and engine != "spark":
        raise MisuseError("--master requires Spark; add --engine spark")
    with needing("files"):
        from uriverse.columns._execution import processors
        from uriverse.tables._local import transform
        from uriverse.tables._plan import TableError
        from uriverse.tables._sources import format_of
        from uriverse.tables._sources import sources as sources_of
        from uriverse.tables._writing import Output
    try:
        output_form = write_as or both or form_of_output(output, inputs, read_as)
        bad_form = None if bad_rows is None else format_of(bad_rows)
        reject_misfitting_formats(output_form, bad_form, compression, escape_formulas)
        sources = sources_of(inputs, read_as or both, output)
        if bad_rows is not None:
            kept_apart(bad_rows, output, [source.name for source in sources])
        plan_for = planning(planned, to_lines=output_form == "lines")
        write = Output(output, output_form, compression, escape_formulas)
        write_bad = None
        if bad_rows and bad_form:
            write_bad = Output(bad_rows, bad_form, escape_formulas=escape_formulas)
        with ended_by_signals(), progress(sources, quiet) as report:
            if engine == "spark":
                with needing("files,spark"):
                    from uriverse.tables._spark import transform as by_spark
                tally = by_spark(
                    sources, plan_for, write, bad_rows=write_bad, master=master or LOCAL_SPARK
                )
            else:
                workers = threads or processors()
                tally = transform(
                    sources, plan_for, write, bad_rows=write_bad, threads=workers, tell=report
                )
    except TableError as error:
        leave(visible(str(error)))
    if not quiet:
        say(str(tally))
    sys.exit(1 if tally.bad.total() * WHOLE > most_bad * tally.rows else 0)


def percentage_in(text: str) -> int:
    """Return the percentage of bad rows above which the exit status is 1."""
    if text in PERCENTAGES:
        return PERCENTAGES[text]
    number = text.removesuffix("%")
    if text == number or not number.isascii() or not number.isdigit() or int(number) > WHOLE:
        raise MisuseError(
            f"invalid value for --fail-on: {quoted(text)}; write any, never or a percentage, such "
            "as 5%"
        )
    return int(number)


def form_of_output(output: str, inputs: tuple[str, ...], read_as: Format | None) -> Format:
    """Return the format of the output: for standard output, that of the first input."""
    from uriverse.tables._sources import format_of, sources

    return sources(inputs, read_as, output)[0].form if output == "-" else format_of(output)


def reject_misfitting_formats(
    form: Format, bad_form: Format | None, compression: Compression | None, escape_formulas: bool
) -> None:
    """Reject options that do not fit the format of the output."""
    if compression is not None and form not in USUAL_COMPRESSION:
        raise MisuseError(f"--compression applies to parquet and arrow only; the output is {form}")
    if compression is not None and form == "arrow" and compression not in ARROW_COMPRESSIONS:
        raise MisuseError(
            f"arrow has no compression {compression}; use {listed(ARROW_COMPRESSIONS, 'or')}"
        )
    if escape_formulas and {"csv", "tsv"}.isdisjoint({form, bad_form}):
        raise MisuseError(f"--escape-formulas applies to csv and tsv only; the output is {form}")


def kept_apart(bad_rows: str, output: str, inputs: list[str]) -> None:
    """Check that the file for invalid rows is neither an input nor the output."""
    from uriverse.tables._sources import real

    names = dict.fromkeys(inputs, "an input") | {output: "the output"}
    for name, what in names.items():
        if "-" not in {bad_rows, name} and real(name) == real(bad_rows):
            raise MisuseError(f"--bad-rows names {what}; choose another file")


@contextmanager
def progress(
    sources: list[Source], quiet: bool
) -> Generator[Callable[[int, Tally], None], None, None]:
    """Show the progress, unless `quiet` is set; yield the function to call after each batch.

    On a terminal, this is a bar if the sizes of all inputs are known. Otherwise, lines are printed.
    """
    if quiet:
        yield lambda octets, tally: None  # noqa: ARG005
        return
    from .progress import Bar, Lines

    sizes = [source.size for source in sources]
    if None in sizes or not sys.stderr.isatty():
        size = None if None in sizes else sum(filter(None, sizes))
        lines = Lines(size)
        yield lambda octets, tally: lines(octets, tally.counts)
        return

    with Bar(sum(size for size in sizes if size is not None)) as bar:

        def report(octets: int, tally: Tally) -> None:
            bar(octets - bar.read, tally.counts)

        yield report


@contextmanager
def ended_by_signals() -> Generator[None, None, None]:
    """Turn fatal signals into `SystemExit`, so that temporary files are removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise KilledExit(number)

    # Signals that are ignored, as under `nohup`, stay ignored, so that the program keeps running.
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
