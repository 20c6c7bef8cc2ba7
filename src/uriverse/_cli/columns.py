"""The command `uriverse columns`."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from uriverse._carets import visible
from uriverse._quoting import quoted
from uriverse.columns import OPERATIONS
from uriverse.tables._object_stores import path_in
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
from .output import MisuseError, leave, say
from .planning import listed, load_files, needing, operation_of, planning, reject_misfits
from .signals import ended_by_signals

if TYPE_CHECKING:
    from uriverse.tables._each import Job
    from uriverse.tables._local import Tally, Tell
    from uriverse.tables._sources import Source
    from uriverse.tables._writing import Output

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

Each INPUT is a file, a folder, a quoted pattern, an object such as s3://bucket/key, or - for
standard input. All become one table, which is written when it is complete; if FILE is a folder,
each input has a file of its own. FORMAT is {listed(get_args(Format), "or")};
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
@option("--partition-by", metavar="COLUMN", help="Write a folder for each value of COLUMN.")
@option("--file-rows", least=1, metavar="NUMBER", help="Write a folder of files with NUMBER rows.")
@option("--resume", is_flag=True, help="Skip inputs with a file in the output folder.")
@option("--bad-rows", metavar="FILE", help="Write invalid rows, unmasked, to FILE.")
@option("--drop-bad", is_flag=True, help="Omit invalid rows from the output.")
@option(
    "--fail-on",
    default="any",
    show_default=True,
    metavar="WHEN",
    help="Exit with 1 for bad rows.",
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
    partition_by: str | None,
    file_rows: int | None,
    resume: bool,
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
    with needing("files"):
        planned["op"] = operation_of(planned)
    reject_misfits(planned)
    if "" in {*inputs, output, bad_rows}:
        raise MisuseError(
            "a file name is empty; name a file, or write - for standard input or output"
        )
    if master is not None and engine != "spark":
        raise MisuseError("--master requires Spark; add --engine spark")
    parts = partition_by is not None or file_rows is not None
    each = engine == "local" and not parts and is_folder(output)
    reject_misfitting_outputs(output, parts=parts, each=each, resume=resume, bad_rows=bad_rows)
    with needing("files"):
        from uriverse.tables._found_columns import TableError
        from uriverse.tables._sources import format_of, notes_on
        from uriverse.tables._sources import sources as sources_of
        from uriverse.tables._writing import Output
    try:
        form = write_as or both
        if form is None and (parts or each or output == "-"):
            form = sources_of(inputs, read_as, output)[0].form
        target = Output(output, form or format_of(output), compression, escape_formulas)
        bad = None if bad_rows is None else Output(bad_rows, format_of(bad_rows))
        reject_misfitting_formats(target, bad)
        sources = sources_of(inputs, read_as or both, output)
        apart_from(sources, target, bad, parts=parts)
        for note in () if quiet else notes_on(inputs, read_as or both):
            say(visible(note))
        names = () if partition_by is None else tuple(dict.fromkeys(partition_by.split(",")))
        target = target._replace(partition_by=names, file_rows=file_rows)
        bad = bad and bad._replace(escape_formulas=escape_formulas)
        with ended_by_signals(), progress(sources, quiet) as report:
            if each:
                jobs = jobs_for(sources, target, write_as or both, planned, resume=resume)
                if resume and not quiet:
                    say(f"{len(sources) - len(jobs)} of {len(sources)} files are complete already")
                tally = run_each(jobs, threads, report)
            else:
                plan_for = planning(planned, to_lines=target.form == "lines")
                run = on_spark(master) if engine == "spark" else locally(threads, report)
                tally = run(sources, plan_for, target, bad_rows=bad)
    except TableError as error:
        leave(visible(str(error)))
    if not quiet:
        say(str(tally))
    sys.exit(1 if tally.bad.total() * WHOLE > most_bad * tally.rows else 0)


def locally(threads: int | None, report: Tell) -> Callable[..., Tally]:
    """Return the function that processes files on this computer."""
    from uriverse.columns._execution import processors
    from uriverse.tables._local import transform

    return partial(transform, threads=threads or processors(), tell=report)


def on_spark(master: str | None) -> Callable[..., Tally]:
    """Return the function that processes files with Spark."""
    with needing("files,spark"):
        from uriverse.tables._spark import transform

    return partial(transform, master=master or LOCAL_SPARK)


def jobs_for(
    sources: list[Source],
    target: Output,
    form: Format | None,
    planned: dict[str, Any],
    *,
    resume: bool,
) -> list[Job]:
    """Return a job for each input file; with `resume`, without those that were done before."""
    from uriverse.tables._each import Job, targets

    jobs = [
        Job(
            source,
            planning(planned, to_lines=to_form == "lines"),
            target._replace(name=name, form=to_form),
        )
        for source, (name, to_form) in zip(
            sources, targets(target.name, sources, form), strict=True
        )
    ]
    return [job for job in jobs if not (resume and job.is_done)]


def run_each(jobs: list[Job], threads: int | None, report: Tell) -> Tally:
    """Process each file by itself on this computer."""
    from uriverse.columns._execution import processors
    from uriverse.tables._each import transform_each

    return transform_each(jobs, threads=threads or processors(), tell=report)


def is_folder(output: str) -> bool:
    """Return whether an output path is that of a folder: it exists, or ends with a slash."""
    return path_in(output).endswith(("/", os.sep)) or os.path.isdir(output)  # noqa: PTH112


def reject_misfitting_outputs(
    output: str, *, parts: bool, each: bool, resume: bool, bad_rows: str | None
) -> None:
    """Reject options that do not fit the kind of output.

    This is a file, a folder with the parts of one table, or a folder with a file for each input.
    """
    if parts and output == "-":
        raise MisuseError("--partition-by and --file-rows write a folder; name it with --output")
    if resume and not each:
        raise MisuseError(
            "--resume needs a folder with a file for each input; name it with --output FOLDER/"
        )
    if each and bad_rows is not None:
        raise MisuseError("--bad-rows needs a single table as output, not a file for each input")


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


def reject_misfitting_formats(target: Output, bad: Output | None) -> None:
    """Reject options that do not fit the format of the output."""
    form, compression = target.form, target.compression
    if bad and bad.form == "lines":
        raise MisuseError("--bad-rows writes several columns; name a file such as bad.csv")
    if compression is not None and form not in USUAL_COMPRESSION:
        raise MisuseError(f"--compression applies to parquet and arrow only; the output is {form}")
    if compression is not None and form == "arrow" and compression not in ARROW_COMPRESSIONS:
        raise MisuseError(
            f"arrow has no compression {compression}; use {listed(ARROW_COMPRESSIONS, 'or')}"
        )
    if target.escape_formulas and {"csv", "tsv"}.isdisjoint({form, bad and bad.form}):
        raise MisuseError(f"--escape-formulas applies to csv and tsv only; the output is {form}")


def apart_from(sources: list[Source], target: Output, bad: Output | None, *, parts: bool) -> None:
    """Check that the outputs do not replace what they must not.

    The file for invalid rows is neither an input nor the output. A folder that is replaced contains
    all of the table or none of it, so the inputs must not be a part of it.
    """
    from uriverse.tables._sources import real

    names = dict.fromkeys((source.name for source in sources), "an input")
    for name, what in (names | {target.name: "the output"}).items():
        if bad and "-" not in {bad.name, name} and real(name) == real(bad.name):
            raise MisuseError(f"--bad-rows names {what}; choose another file")
    if parts and any(real(target.name) in real(name).parents for name in names if name != "-"):
        raise MisuseError("--output names a folder that contains an input; choose another folder")


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
