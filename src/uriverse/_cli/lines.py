"""Shared code of the commands: read URIs, print a result for each, and exit with a status."""

from __future__ import annotations

import sys
from os.path import isfile as is_file

from uriverse import URIError
from uriverse._errors import escape_unprintable

from .commands import argument, option, replacing
from .output import (
    Array,
    InvalidLine,
    MisuseError,
    Output,
    Tally,
    UnreadableError,
    adapt_hint,
    print_error,
    read_chunks,
    split_lines,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, NoReturn, TypeVar

    from .records import Record
    from .rewriting import Rewriting

    T = TypeVar("T")

    #: A function that returns the result for a string, or `None` for no result. For an invalid
    #: string, the function raises `URIError`.
    Transform = Callable[[str], Any]

    #: A function that returns the JSON object for a string, and whether the string is valid.
    Describe = Callable[[str], tuple[dict[str, Any], bool]]

    #: A function that returns the line to print for a string, or `None` for no line.
    FormatLine = Callable[[str], str | None]


#: The error for a command with both kinds of input.
BOTH_INPUTS = "both arguments and --file are given; give {}s or a file"


class Inputs(Tally):
    """The input strings of a command, and the options for printing results.

    The strings are arguments, or in lines of files, or in a field of their records; `-` is standard
    input. With `keep_invalid`, invalid strings are printed unchanged. With `rewriting`, results are
    written to the files.
    """

    #: The option that reads files.
    file_option = "--file"

    def __init__(
        self,
        arguments: tuple[str, ...],
        files: tuple[str, ...],
        *,
        as_json: bool,
        keep_invalid: bool,
        output: Output,
        rewriting: Rewriting | None,
        field: str | None = None,
        **counting: Any,
    ) -> None:
        super().__init__(**counting)
        self.arguments = arguments
        self.files = files
        self.as_json = as_json
        self.keep_invalid = keep_invalid
        self.output = output
        self.rewriting = rewriting
        self.field = field

    @property
    def escape(self) -> Callable[[str], str]:
        """A function that escapes control characters if output goes to a terminal."""
        prints_text = not self.as_json and self.rewriting is None
        return escape_unprintable if prints_text and sys.stdout.isatty() else str

    def write_results(self, transform: Transform, *, is_escaped: bool = False) -> NoReturn:
        """Print the result of a function for each input string, in order, and exit.

        Errors go to standard error, or with `--json` as objects to standard output. `is_escaped`
        tells whether results were already passed through `escape`.
        """
        if self.rewriting is not None:
            self.rewriting.require_files(self.files, "name them with --file")
            if self.arguments and self.files:
                raise MisuseError(BOTH_INPUTS.format(self.noun))
            if self.arguments:
                raise MisuseError("--field edits files; name them with --file, or write --file -")
            if self.as_json:
                raise MisuseError("edited files are not JSON output; remove --json or --changes")
            self.rewriting.edit_files(self.list_files(), self.output.end, self, transform)
            self.exit_with_summary()
        # Each of these calls prints all results and exits.
        if self.as_json:
            self.print_lines(lambda text: format_json_result(text, transform(text)))
        if is_escaped or not sys.stdout.isatty():
            self.print_lines(transform)

        def format_result(text: str) -> str | None:
            result = transform(text)
            return None if result is None else escape_unprintable(result)

        self.print_lines(format_result)

    def print_objects(
        self, describe: Describe, format_quickly: FormatLine | None = None
    ) -> NoReturn:
        """Print an object for each string. `format_quickly` returns the line of most valid ones."""

        def format_object(text: str) -> str:
            if format_quickly is not None and (line := format_quickly(text)) is not None:
                return line
            from json import dumps

            members, is_valid = describe(text)
            # ASCII only, so that lone surrogates are escaped and the output is safe for terminals.
            line = dumps(members)
            if not is_valid:
                raise InvalidLine(line)
            return line

        self.print_lines(format_object)

    def print_lines(self, format_line: FormatLine) -> NoReturn:
        if self.field is not None:
            self.print_field_lines(format_line, self.field)
        for file, number, batch in self.read_batches():
            self.print_batch(format_line, file, enumerate(batch, number))
            if self.stopped:
                break
        self.exit_with_summary()

    def print_field_lines(self, format_line: FormatLine, field: str) -> NoReturn:
        from .records import choose_record_format

        if self.arguments:
            raise MisuseError("--field reads files; name them with --file, or write --file -")
        if self.output.end == "\0":
            raise MisuseError("--field contradicts -z; use one of them")
        formats = [(name, choose_record_format(name, field, "\n")) for name in self.list_files()]
        for name, file_format in formats:
            try:
                for records in file_format.read_records(name):
                    self.print_record_lines(format_line, name, records)
                    if self.stopped:
                        self.exit_with_summary()
            except UnreadableError as error:
                self.report_unreadable(error)
        self.exit_with_summary()

    def print_record_lines(
        self, format_line: FormatLine, name: str, records: Iterable[Record]
    ) -> None:
        file = None if name == "-" else name
        batch: list[tuple[int, str]] = []
        for record in records:
            if record.text is not None:
                batch.append((record.line, record.text))
            if not record.problem:
                continue
            self.print_batch(format_line, file, batch)  # the lines before the problem
            batch = []
            if not self.stopped:
                self.total += 1
                self.report_problem(record.problem, name, record.line)
            if self.stopped:
                return
        self.print_batch(format_line, file, batch)

    def print_batch(
        self, format_line: FormatLine, file: str | None, batch: Iterable[tuple[int, str]]
    ) -> None:
        lines: list[str] = []
        for number, text in batch:
            self.total += 1
            try:
                line = format_line(text)
            except InvalidLine as invalid:
                self.invalid += 1
                line = invalid.line
            except URIError as error:
                self.invalid += 1
                if not self.as_json:
                    # Keep the order of lines if both streams go to the same place.
                    self.output.write_lines(lines)
                    lines = []
                line = self.report_invalid(error, text, file, number)
            if line is not None:
                lines.append(line)
            if self.stopped:
                break
        self.output.write_lines(lines)

    def report_invalid(
        self, error: URIError, text: str, file: str | None, number: int
    ) -> str | None:
        """Report an error, or return the output line for an invalid string, if it has one."""
        adapt_hint(error)
        if self.as_json:
            return format_json_result(text, None, error, file, number)
        self.report(str(error), file, number)
        return self.escape(text) if self.keep_invalid else None

    def list_files(self) -> tuple[str, ...]:
        names = self.files or ("-",)
        if "-" in names and (sys.stdin is None or (not self.files and sys.stdin.isatty())):
            advice = f"give {self.noun}s as arguments, or one per line on standard input"
            raise MisuseError(f"no input; {advice}")
        return names

    def read_batches(self) -> Iterator[tuple[str | None, int, list[str]]]:
        """Yield batches of strings, with their file, or `None`, and the number of the first."""
        if self.arguments and self.files:
            raise MisuseError(BOTH_INPUTS.format(self.noun))
        if self.arguments:
            if not self.quiet:
                warn_about_files(self.arguments, self.noun, self.file_option)
            yield None, 1, list(self.arguments)
            return
        for name in self.list_files():
            number = 1
            try:
                for lines in split_lines(read_chunks(name), self.output.end.encode()):
                    yield None if name == "-" else name, number, lines
                    number += len(lines)
            except UnreadableError as error:
                self.report_unreadable(error)


def takes_inputs(
    noun: str = "URI",
    *,
    arguments: str = "",
    quiet: str = "Do not print errors.",
    edits: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command with its input arguments, and the common input and output options.

    The help shows `arguments`, by default `[URI]...` with the noun; parsing does not depend on it.
    A command that `edits` its strings has the options to edit files and to keep invalid strings.
    """
    article = "an" if noun.startswith("I") else "a"

    def add_input_options(command: Callable[..., None]) -> Callable[..., None]:
        @argument("inputs", nargs=-1, metavar=arguments or f"[{noun}]...")
        @option(
            "-f",
            "--file",
            "files",
            multiple=True,
            metavar="FILE",
            help=f"Read {article} {noun} from each line of FILE; - is stdin.",
        )
        @option("-z", "zero", is_flag=True, help="Separate lines by NUL in input and output.")
        @option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
        @option("--json-array", "as_array", is_flag=True, help="Print a JSON array.")
        @option("--fail-fast", is_flag=True, help=f"Stop at the first invalid {noun}.")
        @option(
            "--max-errors", least=1, metavar="NUMBER", help=f"Stop at this many invalid {noun}s."
        )
        @option(
            "--summary", is_flag=True, help=f"Print the number of {noun}s and errors to stderr."
        )
        @option("-q", "--quiet", is_flag=True, help=quiet)
        @replacing(command)
        def with_inputs(
            inputs: tuple[str, ...],
            files: tuple[str, ...],
            zero: bool,
            as_json: bool,
            as_array: bool,
            fail_fast: bool,
            max_errors: int | None,
            summary: bool,
            quiet: bool,
            *,
            rewriting: Rewriting | None = None,
            keep_invalid: bool = False,
            **options: Any,
        ) -> None:
            as_json = as_json or as_array
            if keep_invalid and as_json:
                raise MisuseError("--keep-invalid contradicts --json; use one of them")
            with Array() if as_array else Output() as output:
                if zero:
                    output.end = "\0"
                input_strings = Inputs(
                    inputs,
                    files,
                    as_json=as_json,
                    most_errors=1 if fail_fast else max_errors,
                    keep_invalid=keep_invalid,
                    summary=summary,
                    quiet=quiet,
                    output=output,
                    noun=noun,
                    rewriting=rewriting,
                )
                command(input_strings, **options)

        if not edits:
            return with_inputs
        from .rewriting import add_rewriting_options

        help_text = f"Print invalid {noun}s unchanged, and report them."
        add_option = option("--keep-invalid", is_flag=True, help=help_text)
        return add_rewriting_options(add_option(with_inputs))

    return add_input_options


def warn_about_files(arguments: Iterable[str], noun: str = "URI", file_option: str = "") -> None:
    if name := next(filter(is_file, arguments), None):
        advice = f"; to read the {noun}s in the file, use {file_option}" if file_option else ""
        read = f"{escape_unprintable(name)} is read as {'an' if noun == 'IRI' else 'a'} {noun}"
        print_error(f"{read}, although there is a file of that name{advice}")


def parse_argument(name: str, parse: Callable[[], T]) -> T:
    try:
        return parse()
    except URIError as error:
        raise MisuseError(f"invalid {name}: {adapt_hint(error)}") from None


def format_json_result(
    text: str,
    result: object,
    error: URIError | None = None,
    file: str | None = None,
    line: int | None = None,
) -> str | None:
    """Return an object with a string, its result and its error; `None` without result and error."""
    if result is None and error is None:
        return None
    from json import dumps

    error_members: dict[str, Any] | None = None
    if error is not None:
        error_members = dict(error.as_dict())
        if error.text != text:
            # A position in another string, such as a component to set, would be misleading here.
            error_members["position"] = None
        if file is not None:
            error_members |= {"file": file, "line": line}
    return dumps({"text": text, "result": result, "error": error_members})
