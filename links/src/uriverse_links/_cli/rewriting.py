"""Replace files by their edited content in one step, or print the content or a diff."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path

from .output import MisuseError, UnreadableError, escape_controls, exit_on_signals

#: The parts of a file before and after an edit; each part ends with a line.
Pairs = Sequence[tuple[bytes, bytes]]

#: The number of unchanged lines before and after each change in a diff.
CONTEXT_LINES = 3

#: Whether folders can be synced to disk. Windows cannot open folders.
CAN_SYNC_FOLDERS = os.name == "posix"

#: The maximum number of characters of the file name in the name of the temporary file.
NAME_LIMIT = 50


@dataclass(kw_only=True)
class Rewriting:
    """How a command edits files: in place, with backups under names with a suffix, or as a diff."""

    in_place: bool
    backup: str | None
    dry_run: bool

    def __post_init__(self) -> None:
        if self.in_place and self.dry_run:
            raise MisuseError("--in-place contradicts --dry-run; use one of them")
        if self.backup is not None and not self.in_place:
            raise MisuseError("--backup needs --in-place; add --in-place")
        suffix = self.backup
        # A suffix with a slash would name a file in another folder.
        if suffix is not None and (not suffix or os.path.basename(suffix) != suffix):  # noqa: PTH119
            raise MisuseError("--backup needs the end of a file name; write --backup .bak")

    def check_file(self, name: str) -> None:
        """Check that a file can be replaced, before it is read: a pipe would block."""
        if self.in_place and Path(name).exists() and not Path(name).is_file():
            raise UnreadableError(EINVAL, "not a regular file", name)

    def write(self, name: str, pairs: Pairs) -> None:
        if self.dry_run:
            print_octets(b"".join(make_diff(name, pairs)))
            return
        octets = b"".join([new for _, new in pairs])
        if not self.in_place:
            print_octets(octets)
        elif any(old != new for old, new in pairs):
            replace_file(name, octets, self.backup)


def replace_file(name: str, octets: bytes, backup: str | None = None) -> None:
    # Keep a symbolic link and replace its target.
    path = Path(os.path.realpath(name))
    with exit_on_signals():
        try:
            if backup is not None:
                write_file(Path(f"{name}{backup}"), path.read_bytes(), path)
            write_file(path, octets, path)
        except OSError as error:
            raise UnreadableError(error.errno, error.strerror, name) from None


def write_file(path: Path, octets: bytes, model: Path) -> None:
    """Write a file under a temporary name in its folder, and rename it when it is complete."""
    # File systems limit file names to 255 octets.
    temporary_path = path.with_name(f".{path.name[:NAME_LIMIT]}.{secrets.token_hex(4)}.partial")
    try:
        with temporary_path.open("xb") as file:
            if model.exists():
                # Copy the mode before writing any data, which others may not be allowed to read.
                shutil.copymode(model, temporary_path)
            file.write(octets)
            file.flush()
            os.fsync(file.fileno())
        temporary_path.replace(path)
    finally:
        temporary_path.unlink(missing_ok=True)
    if CAN_SYNC_FOLDERS:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def print_octets(octets: bytes) -> None:
    """Write octets to standard output; on a terminal, escape control characters."""
    if sys.stdout.isatty():
        lines = octets.decode("utf-8", "backslashreplace").split("\n")
        sys.stdout.write("\n".join(map(escape_controls, lines)))
    else:
        sys.stdout.buffer.write(octets)
    sys.stdout.flush()


def make_diff(name: str, pairs: Pairs) -> Iterator[bytes]:
    """Yield a unified diff, made without `difflib`, which is slow to align lines."""
    lines = mark_lines(pairs)
    hunks = find_hunks(lines)
    if hunks:
        # As git does, a tab ends a name with a space, so that `patch` reads all of it.
        shown_name = os.fsencode(escape_controls(name)) + b"\t" * (" " in name)
        yield b"--- %s\n+++ %s\n" % (shown_name, shown_name)
    old_line = new_line = 1
    previous_end = 0
    for start, end in hunks:
        # The lines between two hunks are unchanged.
        old_line += start - previous_end
        new_line += start - previous_end
        hunk = lines[start:end]
        old_count = sum(not line.startswith(b"+") for line in hunk)
        new_count = sum(not line.startswith(b"-") for line in hunk)
        yield b"@@ -%d,%d +%d,%d @@\n" % (old_line, old_count, new_line, new_count)
        yield b"".join(hunk)
        old_line += old_count
        new_line += new_count
        previous_end = end


def find_hunks(lines: list[bytes]) -> list[tuple[int, int]]:
    """Return the ranges of changed lines and of the lines around them; merge ranges that touch."""
    hunks: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        if line.startswith(b" "):
            continue
        start, end = max(index - CONTEXT_LINES, 0), min(index + CONTEXT_LINES + 1, len(lines))
        if hunks and start <= hunks[-1][1]:
            start, _ = hunks.pop()
        hunks.append((start, end))
    return hunks


def mark_lines(pairs: Pairs) -> list[bytes]:
    """Return the lines of a diff. Lines that were removed together precede those added there."""
    lines: list[bytes] = []
    removed: list[bytes] = []
    added: list[bytes] = []
    for old, new in pairs:
        if old != new:
            removed += split_marked_lines(b"-", old)
            added += split_marked_lines(b"+", new)
        elif old:
            lines += [*removed, *added, *split_marked_lines(b" ", old)]
            removed, added = [], []
    return [*lines, *removed, *added]


def split_marked_lines(mark: bytes, octets: bytes) -> Iterator[bytes]:
    *lines, last = octets.split(b"\n")
    yield from (mark + line + b"\n" for line in lines)
    if last:
        yield mark + last + b"\n\\ No newline at end of file\n"
