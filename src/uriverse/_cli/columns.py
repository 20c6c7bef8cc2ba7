"""The command `uriverse columns`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, get_args

from uriverse._carets import visible
from uriverse._spec.normalization import lower
from uriverse.columns._registry import OPERATIONS
from uriverse.tables._options import (
    OPERATIONS_OF_WORD,
    OPTIONS,
    OTHERS,
    USUAL_COMPRESSION,
    WITH_PRESET,
    WITH_SECOND,
)
from uriverse.typing import Compression, Format, Operation, Preset

from .declarations import argument, command, option
from .lines import as_argument
from .output import MisuseError, leave, say
from .selecting import expressions_in
from .signals import ended_by_signals

if TYPE_CHECKING:
    from uriverse.tables._local import Tally
    from uriverse.tables._plan import Plan
    from uriverse.tables._sources import Source

#: The names to look for if several columns contain strings and no `--column` is given.
USUAL = ("url", "uri", "iri", "href", "link")

#: The largest number of operations that the help of an option names.
MOST_NAMED = 3

#: The default of `--master`.
LOCAL_SPARK = "local[*]"

form = get_args(Format)


def listed(names: Iterable[str], last: str) -> str:
    """Join names with commas, and the last two with a word such as "or"."""
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end


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
1 if some are invalid, and 2 after an error.

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
    type=tuple(OPERATIONS),
    metavar="OPERATION",
    help="Apply this operation to each URI.  [default: parse]",
)
@option(
    "--select",
    metavar="RESULTS",
    help="Compute several results, as in: host, port as p.",
)
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
    help=f"Compress Parquet with CODEC.  [default: {USUAL_COMPRESSION}]",
)
@option(
    "--escape-formulas",
    is_flag=True,
    help="Write ' before formulas in CSV and TSV.",
)
@option("--bad-rows", metavar="FILE", help="Write invalid rows, unmasked, to FILE.")
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
    threads: int | None,
    engine: str,
    master: str | None,
    quiet: bool,
    **planned: Any,
) -> None:
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
        output_form = write_as or both or format_of(output)
        if compression is not None and output_form != "parquet":
            raise MisuseError(f"--compression applies to parquet only; the output is {output_form}")
        bad_form = None if bad_rows is None else format_of(bad_rows)
        if escape_formulas and {"csv", "tsv"}.isdisjoint({output_form, bad_form}):
            raise MisuseError(
                f"--escape-formulas applies to csv and tsv only; the output is {output_form}"
            )
        sources = sources_of(inputs, read_as or both, output)
        if bad_rows is not None:
            kept_apart(bad_rows, output, [source.name for source in sources])
        plan_for = planning(planned, to_lines=output_form == "lines")
        form_of_output = (output_form, compression or USUAL_COMPRESSION, escape_formulas)
        write = Output(output, *form_of_output)
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
    sys.exit(1 if tally.bad else 0)


def operation_of(planned: dict[str, Any]) -> Operation | Literal["select"]:
    """Return the operation: that of `--op`, or `select` with `--select`."""
    if planned["select"] is None:
        return planned["op"] or "parse"
    if planned["op"] is not None:
        raise MisuseError("--op contradicts --select; use one of them")
    planned["results"] = expressions_in(planned["select"])
    return "select"


def reject_misfits(planned: dict[str, Any]) -> None:
    """Reject options that do not fit the operation, or are missing or invalid."""
    op: Operation | Literal["select"] = planned["op"]
    for name, names in OPERATIONS_OF_WORD.items():
        if planned[name] is not None and op not in names:
            flag = "schema" if name == "preset" else name.replace("_", "-")
            raise MisuseError(f"--{flag} does not apply to {op}; use it with {listed(names, 'or')}")
    if op != "select":
        reject_bad_options(op, planned)


def reject_bad_options(op: Operation, planned: dict[str, Any]) -> None:
    """Reject options of an operation that are missing or invalid."""
    second = OPERATIONS[op].second
    if second and (planned[second] is None) == (planned[f"{second}_column"] is None):
        if planned[second] is None:
            noun = {"base": "a base", "other": "another URI"}[second]
            raise MisuseError(f"{op} needs {noun}; set --{second} or --{second}-column")
        raise MisuseError(f"--{second} contradicts --{second}-column; use one of them")
    for needed in OPERATIONS[op].options:
        if needed.required and planned[needed.word or needed.name] is None:
            raise MisuseError(f"{op} needs {needed.flag}; add {needed.flag} {needed.metavar}")
    if second and planned[second] is not None:
        as_argument(f"--{second}", lambda: OPERATIONS[op].check_second(planned[second]))
    try:
        with needing("suffixes"):
            OPERATIONS[op].checked(options_of(planned))
    except ValueError as error:
        raise MisuseError(str(error)) from None


def options_of(planned: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are set, of the column function with the operation."""
    if planned["op"] == "select":
        return {"results": planned["results"]}
    found: dict[str, Any] = {}
    for each in OPERATIONS[planned["op"]].options:
        value = planned[each.word or each.name] if each.help else None
        if value is not None:
            found[each.name] = value.split(",") if each.metavar.endswith(",...") else value
    return found


def kept_apart(bad_rows: str, output: str, inputs: list[str]) -> None:
    """Check that the file for invalid rows is neither an input nor the output."""
    from uriverse.tables._sources import real

    names = dict.fromkeys(inputs, "an input") | {output: "the output"}
    for name, what in names.items():
        if "-" not in {bad_rows, name} and real(name) == real(bad_rows):
            raise MisuseError(f"--bad-rows names {what}; choose another file")


def planning(planned: dict[str, Any], *, to_lines: bool) -> Callable[[Any], Plan]:
    """Return a function that creates the `Plan` for a table from the command-line options.

    The function takes the schema of the table. A `Plan` is a column function with its options.
    """
    from uriverse.tables._plan import Plan

    options: Any = {o: planned[o] for o in OTHERS if planned[o] is not None}
    options |= options_of(planned)
    names = planned["keep"]
    if names is None:
        names = "none" if to_lines or "preset" in options else "all"
    listed_names = () if names == "none" else tuple(dict.fromkeys(names.split(",")))
    keep = None if names == "all" else listed_names

    def plan_for(schema: Any) -> Plan:
        column = planned["column"] or column_of(
            schema, planned["base_column"] or planned["other_column"]
        )
        return Plan(planned["op"], column, options, keep, planned["prefix"])

    return plan_for


def column_of(schema: Any, ignored: str | None) -> str:
    """Return the name of the column that contains the URIs of a table.

    This is the only string column. If there are several string columns, it is the only one with a
    usual name, such as "url".

    Raises:
        TableError: no column or several columns qualify.
    """
    from uriverse.tables._plan import TableError, is_text, named

    names: list[str] = [
        field.name for field in schema if is_text(field.type) and field.name != ignored
    ]
    for found in (names, [name for name in names if lower(name) in USUAL]):
        if len(found) == 1:
            return found[0]
    if names:
        raise TableError(
            f"several columns contain strings; choose one with --column: {named(names)}"
        )
    types = named(f"{field.name} ({field.type})" for field in schema)
    raise TableError(f"no column contains strings; cast one to string: {types}")


@contextmanager
def progress(
    sources: list[Source], quiet: bool
) -> Generator[Callable[[int, Tally], None], None, None]:
    """Show a progress bar on a terminal; yield the function that advances it."""
    sizes = [source.size for source in sources]
    if quiet or None in sizes or not sys.stderr.isatty():
        yield lambda octets, tally: None  # noqa: ARG005
        return
    from .progress import Bar

    with Bar(sum(size for size in sizes if size is not None)) as bar:

        def report(octets: int, tally: Tally) -> None:
            bar(octets - bar.read, tally.counts)

        yield report


@contextmanager
def needing(extras: str) -> Generator[None, None, None]:
    """Exit with installation instructions if an optional dependency is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        leave(f"{missing.name} is not installed; run: pip install 'uriverse[{extras}]'")
