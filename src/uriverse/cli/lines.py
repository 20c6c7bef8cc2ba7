"""What every command does with its texts: take them, answer each, and leave with a status."""

from __future__ import annotations

import functools
import json
import os
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader
from typing import Any, NoReturn, TypeVar, cast

import click

from uriverse import URIError
from uriverse.errors import visible

#: What a shell calls the end by a closed pipe: 128 and the signal's number.
PIPE_CLOSED = 141

#: How many octets are read at once: what has come is answered before more is waited for.
AT_ONCE = 1 << 17

T = TypeVar("T")

#: What a command answers to a text; `None` for nothing, a `URIError` where it can't.
Ask = Callable[[str], Any]


#: What is printed of a text as JSON, and whether the text is valid.
Describe = Callable[[str], tuple[dict[str, Any], bool]]

#: What makes the line that is printed for a text; `None` for no line.
LineFor = Callable[[str], str | None]


@dataclass(frozen=True)
class Texts:
    """The texts of a command, and how their answers are printed."""

    given: tuple[str, ...]
    file: str | None
    as_json: bool
    as_array: bool
    strict: bool
    quiet: bool

    def answer(self, ask: Ask) -> NoReturn:
        """Print what is answered to each text, in their order, and leave.

        A text without an answer has its number and the reason on standard error, or in JSON
        an object as the others. The status is 0 if all have one, 1 if some have not.
        """
        if self.as_json or self.as_array:
            self.print_objects(lambda text: result_of(ask, text))
        if not sys.stdout.isatty():
            self.run(ask)

        def line_for(text: str) -> str | None:
            answer = ask(text)
            # What is decoded may hold anything, and what steers a terminal is not for one.
            return None if answer is None else visible(answer)

        self.run(line_for)

    def print_objects(self, describe: Describe) -> NoReturn:
        """Print a JSON object for each text, and leave; `describe` says if it is valid."""

        def described(text: str) -> str | None:
            data, valid = describe(text)
            if valid and data.get("result", ...) is None:
                return None
            # ASCII only: so a lone surrogate is printed as its escape, and any terminal is safe.
            line = json.dumps(data)
            if not valid:
                raise Unanswered(line)
            return line

        self.run(described, Array() if self.as_array else None)

    def run(self, line_for: LineFor, output: Output | None = None) -> NoReturn:
        """Print a line for each text, and leave with the status that says if all were valid."""
        sys.exit(1 if self.go_through(line_for, output) else 0)

    def print_last(self, rows: Iterable[tuple[str, str, Any]], invalid: int) -> NoReturn:
        """Print what was found when all texts had been read, and leave.

        Args:
            rows: texts, the line for each, and its result in JSON.
            invalid: how many texts were not valid.
        """
        output = Array() if self.as_array else Output()
        lines = [
            json.dumps({"text": text, "result": result, "error": None})
            if self.as_json or self.as_array
            else line
            for text, line, result in rows
        ]
        with leaving_quietly():
            output.write(lines)
            output.close()
        sys.exit(1 if invalid else 0)

    def go_through(self, line_for: LineFor, output: Output | None = None) -> int:
        """Print a line for each text; how many were not valid.

        Args:
            line_for: what makes the line; raises a `URIError`, or `Unanswered`.
            output: where the lines go; standard output, if nothing is said.
        """
        output = output or Output()
        number, invalid = 0, 0
        with leaving_quietly():
            for batch in self.batches():
                lines: list[str] = []
                for number, text in enumerate(batch, number + 1):  # noqa: B020
                    try:
                        line = line_for(text)
                    except Unanswered as unanswered:
                        invalid += 1
                        lines.append(unanswered.line)
                    except URIError as error:
                        invalid += 1
                        # In the order of the texts, should both go to one place.
                        output.write(lines)
                        lines = []
                        self.report(error, number)
                    else:
                        if line is not None:
                            lines.append(line)
                        continue
                    if self.strict:
                        break
                output.write(lines)
                if invalid and self.strict:
                    break
            output.close()
        return invalid

    def report(self, error: URIError, number: int) -> None:
        """Say what is wrong with a text, with its number."""
        if self.quiet:
            return
        reason, *rest = str(error).split("\n")
        head = f"{number}: {reason}"
        if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
            head = click.style(head, fg="red")
        print("\n".join([head, *rest]), file=sys.stderr, flush=True)

    def batches(self) -> Iterator[list[str]]:
        """The texts given as arguments, or else the lines of the file or of standard input."""
        if self.given and self.file is not None:
            raise misuse("give texts or a file, not both")
        if self.given:
            yield list(self.given)
        elif self.file not in {None, "-"}:
            with open(str(self.file), "rb") as file:  # noqa: PTH123
                yield from lines_of(file)
        elif sys.stdin is None or (self.file is None and sys.stdin.isatty()):
            raise misuse("give texts, or lines on standard input")
        else:
            yield from lines_of(cast("BufferedReader", sys.stdin.buffer))


class Unanswered(Exception):  # noqa: N818  # nothing has failed
    """A line for a text that is not valid."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


class Output:
    """Standard output, to which lines are written and flushed at once."""

    def write(self, lines: list[str]) -> None:
        if lines:
            sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.flush()

    def close(self) -> None:
        pass


class Array(Output):
    """The same, with the lines as the elements of a JSON array."""

    begun = False

    def write(self, lines: list[str]) -> None:
        if lines:
            sys.stdout.write((",\n" if self.begun else "[\n") + ",\n".join(lines))
            sys.stdout.flush()
            self.begun = True

    def close(self) -> None:
        print("\n]" if self.begun else "[]", flush=True)


def on_texts(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command take texts, and the options of how to answer them."""

    @click.argument("texts", nargs=-1, metavar="[TEXT]...")
    @click.option(
        "-f", "--file", metavar="FILE", help="Read the lines of FILE; - is standard input."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
    @click.option("--json-array", "as_array", is_flag=True, help="Print a JSON array.")
    @click.option("--strict", is_flag=True, help="Stop at the first that is not valid.")
    @click.option("-q", "--quiet", is_flag=True, help="Do not say what is wrong.")
    @functools.wraps(command)
    def with_texts(
        texts: tuple[str, ...],
        file: str | None,
        as_json: bool,
        as_array: bool,
        strict: bool,
        quiet: bool,
        **options: Any,
    ) -> None:
        command(Texts(texts, file, as_json, as_array, strict, quiet), **options)

    return with_texts


def misuse(message: str) -> click.UsageError:
    """The error of a command that is used wrongly."""
    return click.UsageError(message, click.get_current_context())


def as_argument(read: Callable[[], T]) -> T:
    """What an argument is read as; where it is wrong, the command is used wrongly."""
    try:
        return read()
    except URIError as error:
        raise misuse(str(error)) from None


def result_of(ask: Ask, text: str) -> tuple[dict[str, Any], bool]:
    """What is printed of a text as JSON, and whether it has an answer."""
    try:
        return {"text": text, "result": ask(text), "error": None}, True
    except URIError as error:
        return {"text": text, "result": None, "error": error.as_dict()}, False


def lines_of(stream: BufferedReader) -> Iterator[list[str]]:
    """The lines of a stream, as many as there are at once; of any length."""
    begun: list[bytes] = []  # the parts of a line whose end has not come yet
    first = True
    with progress(stream) as advance:
        while octets := stream.read1(AT_ONCE):
            advance(len(octets))
            if first:
                octets, first = octets.removeprefix(BOM_UTF8), False
            whole, end, rest = octets.rpartition(b"\n")
            if end:
                yield lines_in(b"".join([*begun, whole]))
                begun = []
            begun.append(rest)
        if last := b"".join(begun):
            yield lines_in(last)


def lines_in(octets: bytes) -> list[str]:
    """Lines without what ends them."""
    # What is not UTF-8 becomes lone surrogates, which no rule lets pass.
    lines = octets.decode("utf-8", "surrogateescape").split("\n")
    return [line.removesuffix("\r") for line in lines] if b"\r" in octets else lines


def progress(stream: BufferedReader) -> AbstractContextManager[Callable[[int], object]]:
    """What is told how many octets have been read, and shows it where people look on.

    That is where a file goes to a file or a pipe, and messages go to a terminal.
    """
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return nullcontext(lambda _: None)
    if not (stat.S_ISREG(status.st_mode) and sys.stderr.isatty() and not sys.stdout.isatty()):
        return nullcontext(lambda _: None)
    from .progress import Bar

    return Bar(status.st_size)


@contextmanager
def leaving_quietly() -> Generator[None, None, None]:
    """Where nobody reads any more what is printed, the command ends without a word."""
    try:
        yield
    except BrokenPipeError:
        # What is left must not be written when leaving either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
