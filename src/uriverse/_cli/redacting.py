"""The command `uriverse redact`."""

from __future__ import annotations

import sys

from uriverse import redact

from .declarations import argument, command, option
from .lines import complete_file_name, octets_of
from .output import MISUSE, MisuseError, UnreadableError, complain, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@command("redact")
@argument("files", nargs=-1, shell_complete=complete_file_name, metavar="[FILE]...")
@option("--usernames", is_flag=True, help="Replace user names as well.")
@option("--paths", is_flag=True, help="Replace secrets in paths as well, such as webhooks.")
def redact_command(files: tuple[str, ...], usernames: bool, paths: bool) -> None:
    """Replace the secrets of URIs in text with REDACTED.

    Print each FILE without the passwords, access tokens and keys in its URIs; all other
    octets stay the same. Without a FILE, or if FILE is -, standard input is read, and each
    line is printed when it is complete.

    The exit status is 0, or 2 if a FILE cannot be read.
    """
    unread = False
    for name in files or ("-",):
        if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
            raise MisuseError("no input; give files as arguments, or text on standard input")
        try:
            for lines in whole_lines(octets_of(name)):
                shown = without_secrets(lines, usernames=usernames, paths=paths)
                sys.stdout.buffer.write(b"".join(shown))
                sys.stdout.buffer.flush()
        except UnreadableError as error:
            complain(problem(error))
            unread = True
    sys.exit(MISUSE if unread else 0)


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Join the chunks of a file to parts that end with a line, and yield them."""
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    for octets in chunks:
        whole, end, rest = octets.rpartition(b"\n")
        if end:
            yield b"".join([*begun, whole, end])
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield last


def without_secrets(lines: bytes, *, usernames: bool, paths: bool) -> Iterator[bytes]:
    """Replace the secrets in each line."""
    for line in lines.splitlines(keepends=True):
        # Octets that are not UTF-8 are kept.
        decoded = line.decode("utf-8", "surrogateescape")
        text = redact(decoded, usernames=usernames, paths=paths)
        yield text.encode("utf-8", "surrogateescape")
