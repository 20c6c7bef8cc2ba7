"""Requests of clients that are not Python packages.

A worker is a short program in the folder `workers`. Its input is one line for each string: "x", and
the hexadecimal digits of the string's UTF-8. It requests the string, and then writes one line. The
library `refuse.c` records the lookups and connections of the worker. The worker runs in a network
namespace with a loopback interface only, so nothing could leave the machine even without that
library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import IO

from conformance.dialing.recording import Record
from uriverse_compare._probes import GIT_SCHEMES
from uriverse_compare._programs import is_utf8, make_environment, stop_process
from uriverse_compare._reading import HTTP

WORKERS = Path(__file__).parent / "workers"

#: Runs a command in a network namespace of its own. Some programs need a loopback interface.
LOOPBACK = 'ip link set lo up; exec "$@"'
ISOLATED = ("unshare", "--net", "--map-root-user", "sh", "-c", LOOPBACK, "sh")

#: The time in which a worker must answer a string, a command must end, and a worker must end after
#: its input, in seconds.
TIME_LIMIT, BUILD_TIME_LIMIT, END_TIME_LIMIT = 60, 300, 20


class RecordingError(Exception):
    """A worker does not start, does not answer, or does not use the C library."""


@dataclass(frozen=True)
class Client:
    """How to request strings with a program.

    In the commands, "{workers}" is the folder of the workers, and "{folder}" is a private folder.

    Attributes:
        command: the command that runs the worker.
        build: the command that compiles the worker, if it needs to be compiled.
        schemes: the schemes of the strings that are requested.
        needs: other programs that the worker runs.
    """

    command: Sequence[str]
    build: Sequence[str] = ()
    schemes: frozenset[str] = HTTP
    needs: Sequence[str] = ()


JVM = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "{folder}", "Dial")
JAVA = ("javac", "-d", "{folder}", "{workers}/Dial.java")
DENO = ("deno", "run", "--quiet", "--no-config", "--no-lock", "--no-remote", "--allow-net")
PYTHON = ("{python}", "{workers}/dial_library.py")
BROWSER = ("{python}", "{workers}/dial_browser.py")

#: The clients, by the names of their parsers.
CLIENTS = {
    "libcurl": Client((*PYTHON, "libcurl"), schemes=HTTP | {"ftp"}),
    "libxml2": Client((*PYTHON, "libxml2"), schemes=HTTP | {"ftp"}),
    "OpenSSL": Client((*PYTHON, "OpenSSL"), schemes=frozenset({"http"})),
    "libpq": Client((*PYTHON, "libpq"), schemes=frozenset({"postgres", "postgresql"})),
    "Qt QUrl": Client((*PYTHON, "Qt QUrl")),
    "Node.js URL": Client(("node", "{workers}/dial.mjs", "get")),
    "Node.js url.parse": Client(("node", "--no-deprecation", "{workers}/dial.mjs", "url.parse")),
    "Deno URL": Client((*DENO, "{workers}/dial.mjs", "fetch")),
    "Bun URL": Client(("bun", "{workers}/dial.mjs", "fetch")),
    "PHP parse_url": Client(("php", "{workers}/dial.php")),
    "Ruby URI": Client(("ruby", "{workers}/dial.rb")),
    "Perl URI": Client(("perl", "{workers}/dial.pl"), schemes=frozenset({"http"})),
    "Go net/url": Client(
        ("{folder}/dial-go",), ("go", "build", "-o", "{folder}/dial-go", "{workers}/dial.go")
    ),
    "java.net.URI": Client((*JVM, "URI"), JAVA),
    "java.net.URL": Client((*JVM, "URL"), JAVA),
    "Mono System.Uri": Client(
        ("mono", "{folder}/Dial.exe"), ("mcs", "-out:{folder}/Dial.exe", "{workers}/Dial.cs")
    ),
    "git": Client(("{python}", "{workers}/dial_git.py"), schemes=GIT_SCHEMES, needs=("git", "ssh")),
    "Chromium": Client((*BROWSER, "Chromium")),
    "Firefox": Client((*BROWSER, "Firefox")),
}


@contextmanager
def recorder(client: Client) -> Generator[Callable[[str], Record]]:
    """Run a worker, and yield a function that requests a string and returns the record."""
    with TemporaryDirectory(prefix="uriverse-dialing-") as name:
        folder = Path(name)
        build(("gcc", "-shared", "-fPIC", "-O1", "-o", "{folder}/refuse.so"), folder)
        if client.build:
            build(client.build, folder)
        log = folder / "log"
        log.touch()
        variables = {
            "LD_PRELOAD": str(folder / "refuse.so"),
            "DIALING_LOG": str(log),
            "HOME": name,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "QT_QPA_PLATFORM": "offscreen",
        }
        with (
            log.open("rb") as events,
            subprocess.Popen(
                (*ISOLATED, *located(client.command, folder)),
                cwd=folder,
                env=without_proxies(make_environment()) | variables,
                start_new_session=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            ) as process,
        ):
            try:

                def request(text: str) -> Record:
                    ask(process, text)
                    return record_of(events)

                check(request)
                yield request
            finally:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Close the input of a worker, so that it can stop a browser, and then stop the worker."""
    assert process.stdin
    with suppress(BrokenPipeError):
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_TIME_LIMIT)
    stop_process(process)


def build(command: Sequence[str], folder: Path) -> None:
    """Compile a worker, or the library that records."""
    source = [str(WORKERS / "refuse.c"), "-ldl"] if command[0] == "gcc" else []
    try:
        subprocess.run(
            (*located(command, folder), *source),
            check=True,
            capture_output=True,
            cwd=folder,
            env=make_environment(),
            timeout=BUILD_TIME_LIMIT,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise RecordingError(f"cannot compile: {error}") from error


def ask(process: subprocess.Popen[bytes], text: str) -> None:
    """Send a string to a worker, and wait until the worker has requested it."""
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(b"x%s\n" % text.encode().hex().encode())
        process.stdin.flush()
    except BrokenPipeError as error:
        raise RecordingError("the worker has ended") from error
    ready, _, _ = select([process.stdout], [], [], TIME_LIMIT)
    if not ready or not process.stdout.readline():
        raise RecordingError(f"the worker does not answer the string {text!r}")


def check(request: Callable[[str], Record]) -> None:
    """Raise an error if the worker's connections are not recorded."""
    for scheme in ("http", "postgresql", "ssh"):
        if request(f"{scheme}://control.example:8080/").dialed == ("control.example", 8080):
            return
    raise RecordingError("the connections of the worker are not recorded")


def record_of(events: IO[bytes]) -> Record:
    """Read the events since the last call."""
    record = Record()
    for line in events:
        match line.decode("ascii").split():
            case ["lookup", *digits]:
                octets = bytes.fromhex("".join(digits))
                record.lookups.append(octets.decode(errors="backslashreplace"))
            case ["connect", "-", port]:
                record.connections.append(("", int(port)))
            case ["connect", address, port]:
                # Java connects to IPv4 addresses with IPv6 sockets.
                ip = ip_address(address)
                mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
                record.connections.append((str(mapped or ip), int(port)))
            case _:
                raise RecordingError(f"refuse.c wrote {line!r}")
    return record


def located(command: Sequence[str], folder: Path) -> Iterator[str]:
    """Replace the names of folders in a command."""
    python = sys.executable
    return (part.format(workers=WORKERS, folder=folder, python=python) for part in command)


def without_proxies(variables: dict[str, str]) -> dict[str, str]:
    return {key: data for key, data in variables.items() if not key.lower().endswith("_proxy")}


def missing(client: Client) -> list[str]:
    """Return the programs that a client needs and that are not installed."""
    needed = [ISOLATED[0], "gcc", client.command[0], *client.build[:1], *client.needs]
    return [name for name in needed if "{" not in name and shutil.which(name) is None]


def readable(client: Client, text: str) -> bool:
    """Return whether a string is requested: UTF-8 can represent it, and its scheme is known."""
    scheme, colon, _ = text.partition(":")
    return is_utf8(text) and "\0" not in text and bool(colon) and scheme.lower() in client.schemes
