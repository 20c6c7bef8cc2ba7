"""Parsers of other languages, and libcurl."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Iterator, Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from conformance.edges import VALID
from conformance.peers import MISSING, Answer, Call, PythonPeer

SCRIPTS = Path(__file__).parent / "foreign"

#: The time after which a program is stopped, in seconds.
TIME_LIMIT = 120


class Program(NamedTuple):
    """A program that answers calls.

    Attributes:
        command: the interpreter, and the name of a script in the folder `foreign`.
        version: a command that prints the version, and fails if the script cannot run.
        operations: the operations that the script knows.
    """

    command: tuple[str, str]
    version: tuple[str, ...]
    operations: frozenset[str]
    standard: str = ""
    validates: bool = True
    relative: bool = True


#: Prints the version of the library, which is not that of Ruby.
RUBY_VERSION = "require 'uri'; print URI::VERSION"

FULL = frozenset({"accept", "host", "resolve", "normalize", "text"})

PROGRAMS = {
    "Node.js URL": Program(
        ("node", "peer.js"), ("node", "--version"), FULL | {"accept_iri"}, "WHATWG", relative=False
    ),
    "PHP parse_url": Program(
        ("php", "peer.php"), ("php", "--version"), frozenset({"accept", "host"}), validates=False
    ),
    "Ruby URI": Program(("ruby", "peer.rb"), ("ruby", "-e", RUBY_VERSION), FULL),
    "Perl URI": Program(
        ("perl", "peer.pl"),
        ("perl", "-MURI", "-e", "print $URI::VERSION"),
        FULL - {"accept"},
        validates=False,
    ),
    "java.net.URI": Program(("java", "Peer.java"), ("javac", "--version"), FULL, "RFC 2396"),
}


@dataclass
class ForeignPeer:
    """A parser of another language; one process answers all calls.

    The program reads one line for each call: the operation and its arguments, as hexadecimal digits
    of UTF-8, or "." for an empty argument. The program writes one line for each call: "=" and the
    value in the same notation, "-" for a rejection, or "!" and the message of another error.
    """

    name: str
    version: str
    standard: str
    validates: bool
    relative: bool
    command: tuple[str, ...]
    operations: frozenset[str]

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        known = [call for call in calls if self.knows(call)]
        lines = "".join(
            " ".join((call.operation, *(text.encode().hex() or "." for text in call.arguments)))
            + "\n"
            for call in known
        )
        try:
            done = subprocess.run(
                self.command,
                input=lines,
                capture_output=True,
                text=True,
                check=True,
                timeout=TIME_LIMIT,
            )
            found = [read_line(line) for line in done.stdout.splitlines()]
            answers = dict(zip(known, found, strict=True))
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            answers = dict.fromkeys(known, Answer("error", f"{type(error).__name__}: {error}"))
        return [answers.get(call, MISSING) for call in calls]

    def knows(self, call: Call) -> bool:
        """Whether the program has the operation, and can read the arguments as UTF-8."""
        try:
            "".join(call.arguments).encode()
        except UnicodeEncodeError:
            return False
        return call.operation in self.operations


def read_line(line: str) -> Answer:
    """Decode one line of a program."""
    text = bytes.fromhex(line[1:]).decode(errors="replace")
    kinds = {"=": "value", "-": "rejected", "!": "error"}
    return Answer(kinds[line[:1]], text)


def installed_programs() -> Iterator[ForeignPeer | PythonPeer | str]:
    """Yield a peer for each installed program, and the name of each program that is missing."""
    curl = libcurl()
    yield curl or "libcurl"
    for name, program in PROGRAMS.items():
        try:
            done = subprocess.run(
                program.version, capture_output=True, text=True, check=True, timeout=TIME_LIMIT
            )
        except (OSError, subprocess.SubprocessError):
            yield name
            continue
        number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
        yield ForeignPeer(
            name,
            number[0] if number else "",
            program.standard,
            program.validates,
            program.relative,
            (program.command[0], str(SCRIPTS / program.command[1])),
            program.operations,
        )


#: Constants of libcurl's URL API: https://curl.se/libcurl/c/curl_url_set.html
PART_URL, PART_HOST = 0, 5
NON_SUPPORT_SCHEME = 1 << 3
NO_HOST = 14


class CurlError(ValueError):
    """libcurl rejects a string."""


def libcurl() -> PythonPeer | None:
    """Return libcurl's URL API as a peer, or None if the library is not installed."""
    try:
        library = ctypes.CDLL("libcurl.so.4")
    except OSError:
        return None
    library.curl_version.restype = c_char_p
    library.curl_url.restype = c_void_p
    library.curl_url_set.argtypes = (c_void_p, c_int, c_char_p, c_uint)
    library.curl_url_get.argtypes = (c_void_p, c_int, POINTER(c_void_p), c_uint)
    library.curl_url_cleanup.argtypes = (c_void_p,)
    library.curl_free.argtypes = (c_void_p,)

    def part(which: int, *texts: str) -> str:
        handle, found = library.curl_url(), c_void_p()
        try:
            for text in texts:
                # A C string ends at NUL, so libcurl would see another string.
                if "\0" in text:
                    raise CurlError(text)
                if library.curl_url_set(handle, PART_URL, text.encode(), NON_SUPPORT_SCHEME):
                    raise CurlError(text)
            status = library.curl_url_get(handle, which, byref(found), 0)
            if status not in {0, NO_HOST}:
                raise CurlError(texts)
            return ctypes.string_at(found.value).decode() if found.value else ""
        finally:
            library.curl_free(found)
            library.curl_url_cleanup(handle)

    def url(*texts: str) -> str:
        return part(PART_URL, *texts)

    operations = {
        "accept": lambda text: url(text) and VALID,
        "host": lambda text: part(PART_HOST, text),
        "resolve": url,
        "text": url,
    }
    version = re.search(rb"libcurl/(\S+)", library.curl_version())
    number = version[1].decode() if version else ""
    return PythonPeer("libcurl", number, "", True, False, operations, (ValueError,))
