"""Messages, exit statuses, results and the reading of files, for all commands."""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8
from errno import EINVAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedReader
    from typing import NoReturn, Self

    from uriverse import URIError


#: The exit status for usage errors, and for other errors that stop a command.
MISUSE = 2

#: The number that shells add to the number of a signal to get the exit status.
KILLED = 128

#: The name of the running command, such as "uriverse check".
program_name = "uriverse"

#: The exit status after Ctrl-C, which sends the signal 2.
INTERRUPTED = KILLED + 2

#: The exit status after a closed pipe, which sends the signal 13.
PIPE_CLOSED = KILLED + 13


class KilledExit(SystemExit):
    """Raised by the handler of a signal that ends the program."""

    def __init__(self, number: int) -> None:
        super().__init__(KILLED + number)


class MisuseError(Exception):
    """Raised if a command is used incorrectly, such as with an invalid value of an option."""


class UnreadableError(OSError):
    """Raised if an input file cannot be read; any other `OSError` concerns the output."""

    @classmethod
    def at_line(cls, name: str, line: int, reason: str) -> Self:
        return cls(EINVAL, reason, f"{name}:{line}")


class ClosedPipeGuard:
    """Exit without a message if standard output is a pipe that the other end has closed."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        try:
            sys.stdout.flush()
            is_closed = isinstance(error, BrokenPipeError)
        except BrokenPipeError:
            is_closed = True
        if is_closed:
            # Prevent Python from flushing the remaining output at exit, which would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(PIPE_CLOSED)


def format_version() -> str:
    from uriverse._engine import compiled, kernel_absence
    from uriverse._uri.version import __version__

    engine = "compiled kernel" if compiled else f"pure Python, {kernel_absence}"
    return f"uriverse {__version__} ({engine})"


def describe_os_error(error: OSError) -> str:
    from uriverse._errors import escape_unprintable
    from uriverse._redaction import redact_invalid

    reason = error.strerror or type(error).__name__
    if error.filename is None:
        return reason
    # The user may have given a URL, with secrets, instead of a file name.
    name = escape_unprintable(redact_invalid(os.fsdecode(error.filename)))
    return f"{name or repr('')}: {reason}"


def write_to_stderr(message: str) -> None:
    """Print a message, unless standard error is closed or full."""
    try:  # noqa: SIM105 - `contextlib` takes long to import
        print(message, file=sys.stderr, flush=True)
    except OSError:
        pass


def print_error(message: str) -> None:
    """Print a message as `uriverse COMMAND: <what is wrong>; <what to do about it>`."""
    write_to_stderr(f"{program_name}: {message}")


def report_misuse(message: str) -> None:
    """Print the message of a `MisuseError`, which may quote secrets and control characters."""
    from uriverse._errors import escape_unprintable
    from uriverse._redaction import redact_message

    message = message.rstrip(".")
    if "; " not in message and "\n" not in message:
        message += f"; see '{program_name} --help'"
    lines = redact_message(message).expandtabs(4).splitlines()
    print_error("\n".join(map(escape_unprintable, lines)))


def exit_with_error(message: str) -> NoReturn:
    print_error(message)
    sys.exit(MISUSE)


def name_program(name: str) -> None:
    global program_name  # noqa: PLW0603 - a process runs one command
    program_name = name


class InvalidLine(Exception):  # noqa: N818  # nothing has failed
    """Raised for an invalid string with the line for standard output; `None` to print nothing."""

    def __init__(self, line: str | None) -> None:
        super().__init__(line)
        self.line = line


class Output:
    """Write lines to standard output, and flush it after each batch.

    As a context manager, it is closed when the command exits or fails. After a usage error
    (`MisuseError`), it is not closed, so nothing is printed.
    """

    #: The character after each line of the input and the output: a line feed or NUL.
    end = "\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if not isinstance(error, MisuseError):
            self.close()

    def write_lines(self, lines: list[str]) -> None:
        if lines:
            sys.stdout.write(self.end.join(lines) + self.end)
            sys.stdout.flush()

    def close(self) -> None:
        pass


class Array(Output):
    """Write lines to standard output as the elements of a JSON array."""

    has_lines = False
    opening = "["

    def write_lines(self, lines: list[str]) -> None:
        if lines:
            before = ",\n" if self.has_lines else f"{self.opening}\n"
            # Set before writing: Ctrl-C may arrive as soon as any output is visible.
            self.has_lines = True
            sys.stdout.write(before + ",\n".join(lines))
            sys.stdout.flush()

    def close(self) -> None:
        print("\n]" if self.has_lines else "[]", flush=True)


class Tally:
    """The number of input strings and of errors.

    The command stops after `most_errors` invalid strings. With `summary`, it prints a summary in
    any case, not only after several errors. `changed` is `None` if no files are edited. `unread`
    tells whether a file could not be read or written. `failure` is the word for invalid strings.
    """

    def __init__(self, *, noun: str, most_errors: int | None, summary: bool, quiet: bool) -> None:
        self.noun = noun
        self.most_errors = most_errors
        self.summary = summary
        self.quiet = quiet
        self.total = self.invalid = 0
        self.changed: int | None = None
        self.unread = False
        self.failure = "invalid"
        self._reported = 0

    @property
    def stopped(self) -> bool:
        return self.invalid == self.most_errors

    def report_problem(self, problem: str, file: str, number: int) -> None:
        self.invalid += 1
        self.report(problem, None if file == "-" else file, number)

    def report(self, error: str, file: str | None, number: int) -> None:
        if self.quiet:
            return
        self._reported += 1
        from uriverse._errors import escape_unprintable

        prefix = "" if file is None else f"{escape_unprintable(file)}:"
        write_to_stderr(f"{prefix}{number}: {error}")

    def report_unreadable(self, error: UnreadableError) -> None:
        print_error(describe_os_error(error))
        self.unread = True

    def exit_with_summary(self) -> NoReturn:
        """Exit with 2 after a file error, 1 after an invalid string, else 0."""
        if self.summary or self._reported > 1:
            self.summarize()
        if self.unread:
            sys.exit(MISUSE)
        sys.exit(1 if self.invalid else 0)

    def summarize(self) -> None:
        noun = self.noun if self.noun in {"URI", "IRI"} else self.noun.lower()
        plural = "" if self.total == 1 else "s"
        parts = [f"{self.total} {noun}{plural}"]
        if self.changed is not None:
            parts.append(f"{self.changed} changed")
        parts.append(f"{self.invalid} {self.failure}")
        print_error(", ".join(parts) + ("; stopped early" if self.stopped else ""))


#: The maximum number of octets per read. Results are printed before the next read, which may block.
READ_SIZE = 1 << 17


def read_chunks(name: str) -> Iterator[bytes]:
    """Yield the octets of a file or of standard input (`-`) as they arrive."""
    try:
        if name == "-":  # not closed afterwards
            yield from read_stream(sys.stdin.buffer)  # type: ignore[arg-type]
        else:
            with open(name, "rb") as stream:  # noqa: PTH123
                yield from read_stream(stream)
    except OSError as error:
        raise UnreadableError(error.errno, error.strerror, name) from None


def read_stream(stream: BufferedReader) -> Iterator[bytes]:
    while octets := stream.read1(READ_SIZE):
        yield octets


def split_lines(chunks: Iterable[bytes], end: bytes = b"\n") -> Iterator[list[str]]:
    """Yield the lines that each chunk completes, without the octets that end them."""
    mark = BOM_UTF8  # removed at the start of the file
    for lines in align_to_lines(chunks, end):
        if content := lines.removeprefix(mark):
            yield decode_lines(content.removesuffix(end), end)
        mark = b""


def align_to_lines(chunks: Iterable[bytes], end: bytes = b"\n") -> Iterator[bytes]:
    """Join chunks to parts that end with a line."""
    line_parts: list[bytes] = []  # parts of a line whose end has not been read yet
    for octets in chunks:
        lines, line_end, last_part = octets.rpartition(end)
        if line_end:
            yield b"".join([*line_parts, lines, line_end])
            line_parts = []
        line_parts.append(last_part)
    if last_line := b"".join(line_parts):
        yield last_line


def decode_lines(octets: bytes, end: bytes) -> list[str]:
    # Octets that are not UTF-8 become lone surrogates, which no grammar allows.
    lines = octets.decode("utf-8", "surrogateescape").split(end.decode())
    if end == b"\n" and b"\r" in octets:
        return [line.removesuffix("\r") for line in lines]
    return lines


#: Hints for the command line, in place of hints that name Python functions or arguments.
HINTS = {
    'write "/." before the path, or set protect_path=True': 'write "/." before the path',
    'write "./" before the path, or set protect_path=True': 'write "./" before the path',
    "use with_path for a path with dot segments": "use --path for a path with dot segments",
    'pass a host, or host="" for an empty host': "set a host with --host",
    "pass the port as a separate argument": "set the port with --port",
    "pass the scheme without the colon": "write the scheme without the colon",
    'set walk_up=True to allow ".."': 'remove --no-walk-up to allow ".."',
    "use decode_bytes, or set errors to 'surrogateescape', 'replace' or 'keep'": (
        "use --errors replace or --errors keep"
    ),
    'parse the string as an IRI, and convert the host with to_uri(host="idna")': (
        "convert the IRI to a URI with uriverse to-uri --host idna"
    ),
    "use match_all, or separate the variables by a character that they cannot contain": (
        "separate the variables by a character that they cannot contain"
    ),
}


def adapt_hint(error: URIError) -> URIError:
    error.hint = HINTS.get(error.hint, error.hint)
    return error
