"""The command `uriverse redact`."""

from __future__ import annotations

import sys

from uriverse import redact

from .declarations import argument, command, option
from .lines import complete_file_name
from .output import MISUSE, MisuseError, UnreadableError, complain, problem
from .rewriting import Rewriting, in_place_options
from .streams import octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@command("redact")
@argument("files", nargs=-1, shell_complete=complete_file_name, metavar="[FILE]...")
@option("--usernames", is_flag=True, help="Replace user names as well.")
@option("--paths", is_flag=True, help="Replace secrets in paths as well, such as webhooks.")
@in_place_options
def redact_command(
    files: tuple[str, ...],
    usernames: bool,
    paths: bool,
    in_place: bool,
    backup: str | None,
    dry_run: bool,
) -> None:
    """Replace the secrets of URIs in text with REDACTED.

    Print each FILE without the passwords, access tokens and keys in its URIs; all other
    octets stay the same. Without a FILE, or if FILE is -, standard input is read, and each
    line is printed when it is complete.

    The exit status is 0, or 2 if a FILE cannot be read.
    """

    def batches(name: str) -> Iterator[list[tuple[bytes, bytes]]]:
        for lines in whole_lines(octets_of(name)):
            old = lines.splitlines(keepends=True)
            yield [(line, without_secrets(line, usernames=usernames, paths=paths)) for line in old]

    unread = False
    rewriting = Rewriting(in_place=in_place, backup=backup, dry_run=dry_run)
    if in_place or dry_run:
        rewriting.check_files(files, "give them as arguments")
    for name in files or ("-",):
        if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
            raise MisuseError("no input; give files as arguments, or text on standard input")
        try:
            rewriting.write(name, batches(name))
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


def without_secrets(line: bytes, *, usernames: bool, paths: bool) -> bytes:
    """Replace the secrets in a line."""
    # Octets that are not UTF-8 are kept.
    decoded = line.decode("utf-8", "surrogateescape")
    return redact(decoded, usernames=usernames, paths=paths).encode("utf-8", "surrogateescape")
