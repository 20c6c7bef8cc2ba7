"""Shared code of the commands: read URIs, print a result for each, and exit with a status."""

from __future__ import annotations

import os
import stat
import sys
from codecs import BOM_UTF8

from uriverse import URIError
from uriverse._carets import visible

from .declarations import argument, option, replacing
from .output import MisuseError, UnreadableError, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from io import BufferedReader
    from typing import Any, NoReturn, Self, TypeVar

    import click
    from click.shell_completion import CompletionItem

    from .progress import Bar

    T = TypeVar("T")

    #: A function that returns the result for a string, or `None` for no result. For an invalid
    #: string, the function raises `URIError`.
    Ask = Callable[[str], Any]

    #: A function that returns the JSON object for a string, and whether the string is valid.
    Describe = Callable[[str], tuple[dict[str, Any], bool]]

    #: A function that returns the line to print for a string, or `None` for no line.
    LineFor = Callable[[str], str | None]

#: The maximum number of octets per read. Results are printed before the next read, which may block.
AT_ONCE = 1 << 17


class Inputs:
    """The input strings of a command, and the options for printing results.

    Args:
        given: the strings given as arguments.
        file: the file to read instead of arguments, with one string per line; `-` is standard
            input.
        as_json: whether to print JSON objects.
        fail_fast: whether to stop at the first invalid string.
        quiet: whether to print no errors.
        output: prints the results.
        noun: the name of an input string in messages, such as "URI".
    """

    def __init__(
        self,
        given: tuple[str, ...],
        file: str | None,
        as_json: bool,
        fail_fast: bool,
        quiet: bool,
        output: Output,
        noun: str,
    ) -> None:
        self.given = given
        self.file = file
        self.as_json = as_json
        self.fail_fast = fail_fast
        self.quiet = quiet
        self.output = output
        self.noun = noun

    @property
    def shown(self) -> Callable[[str], str]:
        """A function that escapes control characters if output goes to a terminal."""
        return visible if sys.stdout.isatty() and not self.as_json else str

    def answer(self, ask: Ask, *, drawn: bool = False) -> NoReturn:
        """Print the result of a function for each input string, in order, and exit.

        If a string causes an error, its number and the error are printed to standard error, or
        with `--json` as an object on standard output. The exit status is 1 after any error, else 0.

        Args:
            ask: returns the result for a string, or raises `URIError`.
            drawn: whether results were already passed through `shown`.
        """
        if self.as_json:
            self.run(lambda text: object_of(text, ask(text)))
        if drawn or not sys.stdout.isatty():
            self.run(ask)

        def line_for(text: str) -> str | None:
            answer = ask(text)
            return None if answer is None else visible(answer)

        self.run(line_for)

    def print_objects(self, describe: Describe, quick: LineFor | None = None) -> NoReturn:
        """Print the JSON object that `describe` returns for each string, and exit.

        Args:
            describe: returns the JSON object.
            quick: returns the object as a line for most valid strings, and `None` for all others.
        """

        def described(text: str) -> str:
            if quick is not None and (line := quick(text)) is not None:
                return line
            from json import dumps

            data, valid = describe(text)
            # ASCII only, so that lone surrogates are escaped and the output is safe for terminals.
            if not valid:
                raise Unanswered(dumps(data))
            return dumps(data)

        self.run(described)

    def print_last(self, rows: Iterable[tuple[str, str, Any]], invalid: int) -> NoReturn:
        """Print results that are known only after all strings have been read, and exit."""
        self.output.write(
            [
                str(object_of(text, result)) if self.as_json else self.shown(line)
                for text, line, result in rows
            ]
        )
        sys.exit(1 if invalid else 0)

    def run(self, line_for: LineFor) -> NoReturn:
        """Print a line for each input string; exit with 1 if any string is invalid, else with 0."""
        sys.exit(1 if self.go_through(line_for) else 0)

    def go_through(self, line_for: LineFor) -> int:
        """Print the output line for each input string, and return the number of invalid strings."""
        number, invalid = 0, 0
        for batch in self.batches():
            lines: list[str] = []
            for number, text in enumerate(batch, number + 1):  # noqa: B020
                try:
                    line = line_for(text)
                except Unanswered as unanswered:
                    invalid += 1
                    lines += [] if unanswered.line is None else [unanswered.line]
                except URIError as error:
                    from .hints import reworded

                    invalid += 1
                    reworded(error)
                    if self.as_json:
                        lines.append(str(object_of(text, None, error)))
                    else:
                        # Keep the order of lines if both streams go to the same place.
                        self.output.write(lines)
                        lines = []
                        self.report(error, number)
                else:
                    if line is not None:
                        lines.append(line)
                    continue
                if self.fail_fast:
                    break
            self.output.write(lines)
            if invalid and self.fail_fast:
                break
        return invalid

    def report(self, error: URIError, number: int) -> None:
        """Print an error to standard error, with the number of the input string that is invalid."""
        if self.quiet:
            return
        reason, *rest = str(error).split("\n")
        head = f"{number}: {reason}"
        if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
            from click import style

            head = style(head, fg="red")
        say("\n".join([head, *rest]))

    def batches(self) -> Iterator[list[str]]:
        """Yield the strings given as arguments, or else the lines of the file or standard input."""
        if self.given and self.file is not None:
            raise MisuseError(f"both arguments and --file are given; give {self.noun}s or a file")
        if self.given:
            yield list(self.given)
        elif self.file in {None, "-"} and (
            sys.stdin is None or (self.file is None and sys.stdin.isatty())
        ):
            raise MisuseError(
                f"no input; give {self.noun}s as arguments, or one per line on standard input"
            )
        else:
            yield from lines_of(octets_of("-" if self.file is None else self.file))


class Unanswered(Exception):  # noqa: N818  # nothing has failed
    """Raised for an invalid string if the error belongs on standard output, or is not printed.

    Attributes:
        line: the line for standard output; `None` to print nothing.
    """

    def __init__(self, line: str | None) -> None:
        super().__init__(line)
        self.line = line


class Output:
    """Write lines to standard output, and flush it after each batch.

    As a context manager, it is closed when the command exits or fails. After a usage error
    (`MisuseError`), it is not closed, so nothing is printed.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if not isinstance(error, MisuseError):
            self.close()

    def write(self, lines: list[str]) -> None:
        if lines:
            sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.flush()

    def close(self) -> None:
        pass


class Array(Output):
    """Write lines to standard output as the elements of a JSON array."""

    begun = False
    opening = "["

    def write(self, lines: list[str]) -> None:
        if lines:
            before = ",\n" if self.begun else f"{self.opening}\n"
            # Set before writing: Ctrl-C may arrive as soon as any output is visible.
            self.begun = True
            sys.stdout.write(before + ",\n".join(lines))
            sys.stdout.flush()

    def close(self) -> None:
        print("\n]" if self.begun else "[]", flush=True)


def takes_inputs(
    noun: str = "URI", *, arguments: str = "", quiet: str = "Do not print errors."
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command with its input arguments, and the common input and output options.

    Args:
        noun: the name for an input string in the help and in error messages, such as `"URI"`.
        arguments: the text for the arguments in the usage line of the help; by default `[URI]...`,
            with the noun. Parsing does not depend on it.
        quiet: the help of `--quiet`.
    """
    an = "an" if noun.startswith("I") else "a"

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @argument("inputs", nargs=-1, metavar=arguments or f"[{noun}]...")
        @option(
            "-f",
            "--file",
            shell_complete=complete_file_name,
            metavar="FILE",
            help=f"Read {an} {noun} from each line of FILE; - is stdin.",
        )
        @option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
        @option("--json-array", "as_array", is_flag=True, help="Print a JSON array.")
        @option("--fail-fast", is_flag=True, help=f"Stop at the first invalid {noun}.")
        @option("-q", "--quiet", is_flag=True, help=quiet)
        @replacing(command)
        def with_inputs(
            inputs: tuple[str, ...],
            file: str | None,
            as_json: bool,
            as_array: bool,
            fail_fast: bool,
            quiet: bool,
            **options: Any,
        ) -> None:
            with Array() if as_array else Output() as output:
                as_json = as_json or as_array
                command(Inputs(inputs, file, as_json, fail_fast, quiet, output, noun), **options)

        return with_inputs

    return decorate


def complete_file_name(
    ctx: click.Context,  # noqa: ARG001
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Let the shell complete a file name.

    `click.Path` does the same, but searches the disk for a translation of its name.
    """
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def as_argument(name: str, read: Callable[[], T]) -> T:
    """Parse a command-line argument, and report an invalid argument as a usage error."""
    try:
        return read()
    except URIError as error:
        from .hints import reworded

        raise MisuseError(f"invalid {name}: {reworded(error)}") from None


def object_of(text: str, result: object, error: URIError | None = None) -> str | None:
    """Return a JSON object with an input string, the result for the string, and the error.

    Return `None` if there is neither a result nor an error.
    """
    if result is None and error is None:
        return None
    from json import dumps

    reason: dict[str, Any] | None = None
    if error is not None:
        # A position in another string, such as a component to set, would be misleading here.
        place = {} if error.text == text else {"position": None}
        reason = {**error.as_dict(), **place}
    return dumps({"text": text, "result": result, "error": reason})


def octets_of(name: str) -> Iterator[bytes]:
    """Read a file or standard input (`-`), and yield octets as they arrive.

    Raises:
        UnreadableError: the file cannot be read.
    """
    try:
        if name == "-":  # not closed afterwards
            yield from octets_in(sys.stdin.buffer)  # type: ignore[arg-type]
        else:
            with open(name, "rb") as stream:  # noqa: PTH123
                yield from octets_in(stream)
    except OSError as error:
        raise UnreadableError(error.errno, error.strerror, name) from None


def octets_in(stream: BufferedReader) -> Iterator[bytes]:
    """Yield the octets of a file as they arrive, and show a progress bar if one is useful."""
    bar = progress(stream)
    if bar is None:
        while octets := stream.read1(AT_ONCE):
            yield octets
        return
    with bar as advance:
        while octets := stream.read1(AT_ONCE):
            advance(len(octets))
            yield octets


def lines_of(chunks: Iterable[bytes]) -> Iterator[list[str]]:
    """Read lines from a file that arrives in chunks. Yield the lines that each chunk completes."""
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    mark = BOM_UTF8  # removed at the start of the file
    for octets in chunks:
        whole, end, rest = octets.rpartition(b"\n")
        if end:
            yield lines_in(b"".join([*begun, whole]).removeprefix(mark))
            begun, mark = [], b""
        begun.append(rest)
    if last := b"".join(begun).removeprefix(mark):
        yield lines_in(last)


def lines_in(octets: bytes) -> list[str]:
    """Split octets into lines without their line breaks."""
    # Octets that are not UTF-8 become lone surrogates, which no grammar allows.
    lines = octets.decode("utf-8", "surrogateescape").split("\n")
    return [line.removesuffix("\r") for line in lines] if b"\r" in octets else lines


def progress(stream: BufferedReader) -> Bar | None:
    """Return a progress bar for reading a file, or `None`.

    The bar is shown only if the input is a regular file, standard error is a terminal and standard
    output is not.
    """
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return None
    if not (stat.S_ISREG(status.st_mode) and sys.stderr.isatty() and not sys.stdout.isatty()):
        return None
    from .progress import Bar

    return Bar(status.st_size)
