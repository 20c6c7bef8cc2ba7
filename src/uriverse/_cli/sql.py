"""The command `uriverse sql`: SQL over files, with a SQL function for each column function."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import copyfileobj
from typing import Any, NoReturn

from uriverse import redact
from uriverse._errors import escape_unprintable

from .atomic_files import AtomicFile, handle_signals
from .commands import argument, command, option
from .output import KilledExit, MisuseError, exit_with_error

TEXT = "skip = 0, all_varchar = true, allow_quoted_nulls = false, max_line_size = 16777216"
LINES = r"delim = E'\x01', header = false, quote = '', escape = '', max_line_size = 16777216"
QUOTED = "header = true, quote = '\"', escape = '\"'"

#: How DuckDB reads and writes each format, by file extension. Nothing is guessed: DuckDB may take a
#: ";" in URLs for the delimiter and then lose rows, reads 1.50 as a number, and ignores JSON fields
#: that first occur late in a file. Lines have the column `text`, and do not contain U+0001.
FORMATS = {
    "csv": (f"read_csv(FILE, delim = ',', {QUOTED}, {TEXT})", "FORMAT csv"),
    "tsv": (rf"read_csv(FILE, delim = E'\t', {QUOTED}, {TEXT})", r"FORMAT csv, DELIM E'\t'"),
    "lines": (
        rf"read_csv(FILE, columns = {{'text': 'VARCHAR'}}, auto_detect = false, {LINES})",
        r"FORMAT csv, HEADER false, DELIM E'\x01', QUOTE '', ESCAPE ''",
    ),
    "ndjson": ("read_json(FILE, format = 'newline_delimited', sample_size = -1)", "FORMAT json"),
    "parquet": ("read_parquet(FILE)", "FORMAT parquet"),
}
FORMATS.update(txt=FORMATS["lines"], jsonl=FORMATS["ndjson"])
COMPRESSIONS = {"gz": ", COMPRESSION gzip", "zst": ", COMPRESSION zstd"}

#: Nothing is downloaded, and a table is never a local variable of Python.
SETTINGS: dict[str, Any] = {
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}


@command("sql")
@argument("query")
@option("-o", "--output", metavar="FILE", help="Write to FILE when the result is complete.")
@option(
    "--format",
    "stream_format",
    type=("csv", "lines", "ndjson"),
    default="csv",
    metavar="FORMAT",
    help="Read and print csv, lines or ndjson in pipes.",
)
@option("--memory", metavar="SIZE", help="Use at most this memory, such as 2GB.")
def sql_command(query: str, output: str | None, stream_format: str, memory: str | None) -> None:
    """Query files with SQL, using the functions of uriverse.

    QUERY is a query of DuckDB, such as "SELECT uri_host(url) FROM 'log.parquet'". The table '-'
    is standard input. Lines have one column, text. A terminal shows the result as a table;
    elsewhere it is printed as CSV. FILE ends with .parquet, .csv, .tsv, .ndjson or .txt.
    """
    try:
        import duckdb

        from uriverse.columns.duckdb import register
    except ModuleNotFoundError as missing:
        exit_with_error(f"{missing.name} is not installed; run: pip install 'uriverse[duckdb]'")
    with tempfile.TemporaryDirectory(prefix="uriverse-") as folder:
        settings = SETTINGS | {"temp_directory": folder}
        if memory:
            settings["max_memory"] = memory
        received_signals: list[int] = []
        try:
            connection = duckdb.connect(config=settings)
            register(connection)
            with interrupt_on_signals(connection, received_signals):
                last = run_statements(connection, query, Path(folder), stream_format)
                write_result(connection, last, Path(folder), output, stream_format)
        except (duckdb.Error, RuntimeError) as error:
            if received_signals:
                # DuckDB reports a signal as an error of the function that was running.
                raise KilledExit(received_signals[0]) from None
            exit_with_error(describe_error(error))


def interrupt_on_signals(
    connection: Any, received_signals: list[int]
) -> AbstractContextManager[None]:
    """Let signals stop the running query and exit, and append their numbers to a list."""

    def interrupt(number: int, _frame: object) -> NoReturn:
        received_signals.append(number)
        connection.interrupt()
        # The next query would clear the interrupt, and reading standard input would go on.
        raise KilledExit(number)

    return handle_signals(("SIGINT", "SIGTERM", "SIGHUP"), interrupt)


def run_statements(connection: Any, query: str, folder: Path, stream_format: str) -> str | None:
    """Run all statements but the last; return the last one if it is a query."""
    from duckdb import StatementType

    statements = connection.extract_statements(query)
    for statement in statements:
        if statement.type == StatementType.LOAD:
            raise MisuseError("extensions are not supported; remove INSTALL and LOAD")
        if statement.type == StatementType.SELECT:
            for table in connection.get_table_names(statement.query):
                create_view(connection, table, folder, stream_format)
            if statement is statements[-1]:
                return str(statement.query).strip().removesuffix(";")
        connection.execute(statement).fetchall()
    return None


def create_view(connection: Any, table: str, folder: Path, stream_format: str) -> None:
    """Define the table that stands for a file or for standard input, if it has no other meaning."""
    location = table
    extension, _ = split_extensions(Path(table))
    if table == "-":
        # A query may read a table twice, but a pipe can be read only once. DuckDB does not report
        # a table that is a view already, so this happens once.
        copy, extension = folder / "stdin", stream_format
        location = str(copy)
        with copy.open("xb") as rows:
            copyfileobj(sys.stdin.buffer, rows)
    if extension not in FORMATS:
        return
    name = table.replace('"', '""')
    source = FORMATS[extension][0].replace("FILE", quote(location))
    connection.execute(f'CREATE OR REPLACE TEMP VIEW "{name}" AS FROM {source}')


def write_result(
    connection: Any, query: str | None, folder: Path, output: str | None, stream_format: str
) -> None:
    if query is None:
        return  # the last statement is not a query
    path = Path(output or "-")
    is_stdout = path.exists() and os.path.samestat(path.stat(), os.fstat(1))
    if output in {None, "-"} or is_stdout:
        if sys.stdout.isatty():
            print(connection.sql(query))
            return
        # If standard output is appended to a file, DuckDB would truncate the file.
        _, write_options = FORMATS[stream_format]
        copy_to(connection, query, folder / "stdout", write_options)
        with (folder / "stdout").open("rb") as rows:
            copyfileobj(rows, sys.stdout.buffer)
        return
    if path.exists() and not path.is_file():
        raise MisuseError("the output is not a regular file; redirect standard output instead")
    extension, compression = split_extensions(path)
    if extension not in FORMATS:
        names = ", ".join(f".{name}" for name in FORMATS if name != "lines")
        raise MisuseError(f"the format of the output is unknown; use one of {names}")
    _, write_options = FORMATS[extension]
    file = AtomicFile(path.resolve())
    try:
        file.open()
        copy_to(connection, query, file.temporary_path, write_options + compression)
        file.commit()
    finally:
        file.discard()


def copy_to(connection: Any, query: str, path: Path, options: str) -> None:
    if options == FORMATS["lines"][1] and len(connection.sql(query).columns) != 1:
        raise MisuseError("lines have one column; select one, or choose another format")
    connection.execute(f"COPY ({query}\n) TO {quote(str(path))} ({options}, USE_TMP_FILE false)")


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def split_extensions(path: Path) -> tuple[str, str]:
    *_, extension, last = ["", "", *path.name.lower().split(".")[1:]]
    return (extension, COMPRESSIONS[last]) if last in COMPRESSIONS else (last, "")


def describe_error(error: Exception) -> str:
    """Return the message of DuckDB in one line, without secrets and rows."""
    lines = str(error).partition("\n\n")[0].splitlines()[:3]
    message = "; ".join(line for line in lines if not line.startswith("Original Line"))
    return escape_unprintable(redact(message))
