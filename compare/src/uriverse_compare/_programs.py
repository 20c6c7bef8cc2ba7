"""Adapters for URI parsers that are written in other programming languages.

A worker is a short program in the folder `workers`. One process reads all strings. Its input is one
line for each string: "x", and the hexadecimal digits of the string's UTF-8. Its output is one line
for each string:

    + NAME=HEX NAME=HEX ...    the components of an accepted string, by their names in `Reading`
    - HEX                      the message with which the parser rejects the string
    ! HEX                      the message of any other error

A component without digits is empty; a component that is not in the line is absent.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from threading import Lock, Thread, Timer
from time import monotonic
from typing import IO

from ._reading import COMPONENTS, HTTP, Parser, Reading

WORKERS = Path(__file__).parent / "workers"

#: The time after which a worker is stopped, in seconds: for each run, and for each string.
TIME_LIMIT, TIME_PER_STRING = 120.0, 0.01

#: The time in which a program must print its version, in seconds.
VERSION_TIME_LIMIT = 60

#: The number of characters of a worker's error output that a reading shows.
MAX_REASON = 400

#: Variables with which programs neither download anything nor write files outside our folder.
ENVIRONMENT = {
    "BUN_RUNTIME_TRANSPILER_CACHE_PATH": "0",
    "CGO_ENABLED": "0",
    "DENO_DIR": "{folder}/deno",
    "DENO_NO_UPDATE_CHECK": "1",
    "GO111MODULE": "off",
    "GOTOOLCHAIN": "local",
}

#: Without it, two threads could create two folders.
FOLDER_LOCK = Lock()

UNREAD = Reading("unread", reason="UTF-8 cannot represent a lone surrogate")

#: The names of the fields in a line of a worker.
FIELDS = frozenset({*COMPONENTS, "address"})


class WorkerError(Exception):
    """The output of a worker process does not follow the protocol."""


@dataclass
class Build:
    """The command that compiles a worker. It runs when the worker is first needed."""

    command: Sequence[str]
    lock: Lock = field(default_factory=Lock)
    done: bool = False

    def run(self) -> None:
        with self.lock:
            if not self.done:
                subprocess.run(
                    expand_command(self.command),
                    check=True,
                    capture_output=True,
                    cwd=get_private_folder(),
                    env=make_environment(),
                    stdin=subprocess.DEVNULL,
                    timeout=TIME_LIMIT,
                )
                self.done = True


@dataclass(frozen=True)
class Program:
    """The commands for a parser that is written in another language.

    In the commands, "{workers}" is the folder of the workers, and "{folder}" is a private folder.

    Attributes:
        version: a command that prints the version, and fails if the parser is not installed.
        command: the command that runs the worker.
        build: compiles the worker; `None` if the language needs no compiler.
        dials: the attribute of `Parser`.
    """

    version: Sequence[str]
    command: Sequence[str]
    build: Build | None = None
    dials: frozenset[str] = HTTP


JAVA = Build(("javac", "-d", "{folder}", "{workers}/Read.java"))
GO = Build(("go", "build", "-o", "{folder}/read-go", "{workers}/read.go"))
MONO = Build(("mcs", "-out:{folder}/Read.exe", "{workers}/Read.cs"))

DENO = ("deno", "run", "--quiet", "--no-config", "--no-lock", "--no-remote")
JVM = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "{folder}", "Read")
NODE = ("node", "--no-deprecation", "{workers}/url.mjs")

RUBY_VERSION = "require 'uri'; print URI::VERSION"
ADDRESSABLE_VERSION = "require 'addressable/version'; print Addressable::VERSION::STRING"

PROGRAMS = {
    "Node.js URL": Program(("node", "--version"), (*NODE, "URL")),
    "Node.js url.parse": Program(("node", "--version"), (*NODE, "url.parse")),
    "Deno URL": Program(("deno", "--version"), (*DENO, "{workers}/url.mjs", "URL")),
    "Bun URL": Program(("bun", "--version"), ("bun", "{workers}/url.mjs", "URL")),
    "PHP parse_url": Program(("php", "--version"), ("php", "{workers}/parse_url.php")),
    "Ruby URI": Program(("ruby", "-e", RUBY_VERSION), ("ruby", "{workers}/read.rb", "uri")),
    "Ruby Addressable": Program(
        ("ruby", "-e", ADDRESSABLE_VERSION),
        ("ruby", "{workers}/read.rb", "addressable"),
        dials=frozenset(),
    ),
    "Perl URI": Program(
        ("perl", "-MURI", "-e", "print $URI::VERSION"), ("perl", "{workers}/read.pl")
    ),
    "Go net/url": Program(("go", "version"), ("{folder}/read-go",), GO),
    "java.net.URI": Program(("java", "--version"), (*JVM, "URI"), JAVA),
    "java.net.URL": Program(("java", "--version"), (*JVM, "URL"), JAVA),
    "Mono System.Uri": Program(("mono", "--version"), ("mono", "{folder}/Read.exe"), MONO),
}


def create_program_parser(name: str, program: Program) -> Parser | None:
    commands = [program.version, program.command]
    if program.build:
        commands.append(program.build.command)
    # The command of a compiled worker begins with its path.
    if not all(shutil.which(command[0]) for command in commands if "/" not in command[0]):
        return None
    version = find_program_version(str(shutil.which(program.version[0])), *program.version[1:])
    if version is None:
        return None
    return Parser(name, version, program.dials, partial(read_with_program, program))


@cache
def find_program_version(*command: str, **variables: str) -> str | None:
    """Return the version that a command prints, or `None` if the command fails."""
    try:
        process = subprocess.run(
            command,
            check=True,
            capture_output=True,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            timeout=VERSION_TIME_LIMIT,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(rb"\d+(\.\d+)*", process.stdout or process.stderr)
    return match[0].decode() if match else None


def read_with_program(program: Program, texts: Sequence[str]) -> list[Reading]:
    """Read strings with a program. If the program fails, all readings are failures."""
    try:
        answers: Iterator[Reading] = iter(run_worker(program, list(filter(is_utf8, texts))))
    except subprocess.CalledProcessError as error:
        answers = repeat(make_failure(f"{error}: {error.stderr.decode(errors='replace').strip()}"))
    except (OSError, subprocess.SubprocessError, WorkerError) as error:
        answers = repeat(make_failure(str(error)))
    # There is an answer for each string that is valid UTF-8.
    return [next(answers) if is_utf8(text) else UNREAD for text in texts]


def run_worker(program: Program, texts: Sequence[str]) -> list[Reading]:
    """Run a program, and return how it reads each string; fail if it misses one."""
    if program.build:
        program.build.run()
    limit = TIME_LIMIT + TIME_PER_STRING * len(texts)
    start = monotonic()
    with (
        TemporaryFile() as errors,
        subprocess.Popen(
            expand_command(program.command),
            cwd=get_private_folder(),
            env=make_environment(),
            # A program may start another one, which must end with it.
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        feeder = Thread(target=feed_strings, args=(process.stdin, texts))
        timer = Timer(limit, stop_process, (process,))
        try:
            timer.start()
            feeder.start()
            answers = [parse_line(line) for line in process.stdout]
            status = process.wait()
        finally:
            timer.cancel()
            stop_process(process)
            feeder.join()
        if monotonic() - start >= limit:
            raise WorkerError(f"stopped after {limit:.0f} seconds")
        if status or len(answers) != len(texts):
            errors.seek(0)
            message = errors.read(MAX_REASON).decode(errors="replace").strip()
            raise WorkerError(
                f"the program ended with status {status} after {len(answers)} of {len(texts)}"
                f" strings: {message}"
            )
    return answers


def feed_strings(pipe: IO[bytes], texts: Iterable[str]) -> None:
    """Write strings to a worker. If the worker has ended, stop; `run_worker` reports that."""
    with suppress(BrokenPipeError), pipe:
        pipe.writelines(b"x%s\n" % text.encode().hex().encode() for text in texts)


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Stop a process and the processes that it started, if it is still running."""
    if process.poll() is None:
        # Windows has no process groups.
        with suppress(AttributeError, ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()


def parse_line(line: bytes) -> Reading:
    """Parse an answer: "+" and the components, "-" for a rejection, or "!" for a failure."""
    try:
        match line.decode("ascii").split():
            case ["+", *pairs]:
                fields = dict(pair.split("=") for pair in pairs)
                if FIELDS.issuperset(fields):
                    return Reading(
                        "accepted", **{name: decode_digits(fields[name]) for name in fields}
                    )
            case ["-", digits]:
                return Reading("rejected", reason=decode_digits(digits))
            case ["!", digits]:
                return make_failure(decode_digits(digits))
            case _:
                pass
    except ValueError:
        pass
    raise WorkerError(f"the program printed the line {line[:MAX_REASON]!r}")


def decode_digits(digits: str) -> str:
    r"""Decode hexadecimal digits; show octets that are not UTF-8 as escapes such as `\xff`."""
    return bytes.fromhex(digits).decode(errors="backslashreplace")


def make_failure(reason: str) -> Reading:
    return Reading("failed", reason=reason[:MAX_REASON])


def is_utf8(text: str) -> bool:
    """Return whether UTF-8 can represent a string; it cannot represent lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def get_private_folder() -> Path:
    """Return a private folder, which is removed when this process exits."""
    with FOLDER_LOCK:
        return create_folder_once()


@cache
def create_folder_once() -> Path:
    path = Path(mkdtemp(prefix="uriverse-parsers-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def expand_command(command: Iterable[str]) -> list[str]:
    """Replace `{workers}` and `{folder}` in a command by the paths of these folders."""
    return [part.format(workers=WORKERS, folder=get_private_folder()) for part in command]


def make_environment() -> dict[str, str]:
    return os.environ | dict(zip(ENVIRONMENT, expand_command(ENVIRONMENT.values()), strict=True))


#: Functions that find the programs, by the names of their parsers. They return `None` if a program
#: is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(create_program_parser, name, program) for name, program in PROGRAMS.items()
}
