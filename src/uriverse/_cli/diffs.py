"""Unified diffs of edited files, printed while the files are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from os import fsencode

from uriverse._errors import visible

#: The number of unchanged lines before and after each change.
CONTEXT = 3

#: The mark after a line without a line feed at the end of a file.
NO_NEWLINE = b"\n\\ No newline at end of file\n"


class Hunk:
    """A part of a diff: lines that were removed and added, and unchanged lines around them."""

    def __init__(self, old: int, new: int, before: Iterable[bytes]) -> None:
        self.old = old
        self.new = new
        self.lines = [b" " + line for line in before]
        self.removed: list[bytes] = []
        self.added: list[bytes] = []
        #: The number of unchanged lines at the end.
        self.same = 0

    def keep(self, line: bytes) -> None:
        self.settle()
        self.lines.append(b" " + line)
        self.same += 1

    def change(self, old: Iterable[bytes], new: Iterable[bytes]) -> None:
        self.removed += [b"-" + line for line in old]
        self.added += [b"+" + line for line in new]
        self.same = 0

    def settle(self) -> None:
        """Write the lines that were removed together before those that were added."""
        self.lines += self.removed + self.added
        self.removed, self.added = [], []

    def written(self) -> bytes:
        self.settle()
        lines = self.lines[: len(self.lines) - max(0, self.same - CONTEXT)]
        old = sum(not line.startswith(b"+") for line in lines)
        new = sum(not line.startswith(b"-") for line in lines)
        lines = [line if line.endswith(b"\n") else line + NO_NEWLINE for line in lines]
        return b"".join([b"@@ -%d,%d +%d,%d @@\n" % (self.old, old, self.new, new), *lines])


def unified_diff(name: str, pairs: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """Yield the hunks of a unified diff, the first with the names of the files.

    `difflib` needs both files in memory, and much time to find the lines that belong together.

    Args:
        name: the name of the file.
        pairs: the content of the file in parts, each before and after the edit.
    """
    before: deque[bytes] = deque(maxlen=CONTEXT)
    hunk: Hunk | None = None
    # As git does, a tab ends a name with a space, so that `patch` reads all of it.
    shown = fsencode(visible(name)) + b"\t" * (" " in name)
    header = b"--- %s\n+++ %s\n" % (shown, shown)
    old_line = new_line = 1
    for old, new in pairs:
        old_lines = lines_in(old)
        new_lines = old_lines if old == new else lines_in(new)
        if old == new:
            for line in old_lines:
                if hunk is None:
                    before.append(line)
                    continue
                hunk.keep(line)
                before.append(line)
                if hunk.same > 2 * CONTEXT:
                    yield header + hunk.written()
                    hunk, header = None, b""
        else:
            if hunk is None:
                hunk = Hunk(old_line - len(before), new_line - len(before), before)
            hunk.change(old_lines, new_lines)
            before.clear()
        old_line += len(old_lines)
        new_line += len(new_lines)
    if hunk is not None:
        yield header + hunk.written()


def lines_in(octets: bytes) -> list[bytes]:
    """Split octets after each line feed."""
    *lines, last = octets.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])
