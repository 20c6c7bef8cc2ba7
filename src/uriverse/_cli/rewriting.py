"""Edit the URIs in files: replace the files, or print the new content or a diff."""

from __future__ import annotations

import os
import stat
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from errno import EINVAL
from os import fsencode

from uriverse import URIError
from uriverse._errors import escape_unprintable

from .commands import option, replacing
from .output import MisuseError, UnreadableError, adapt_hint, describe_os_error, print_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from .atomic_files import AtomicFile
    from .output import Tally
    from .records import Record

    #: Records of a file before and after an edit.
    Pairs = list[tuple[bytes, bytes]]


class StoppedError(Exception):
    """Raised at the last invalid string that the options allow."""


class Rewriting:
    """The options of a command that edits files, or a field of their records.

    The original files are kept with the suffix `backup`, if it is set.
    """

    def __init__(
        self, *, in_place: bool, backup: str | None, dry_run: bool, field: str | None = None
    ) -> None:
        self.in_place = in_place
        self.backup = backup
        self.dry_run = dry_run
        self.field = field
        if in_place and dry_run:
            raise MisuseError("--in-place contradicts --dry-run; use one of them")
        if backup is not None and not in_place:
            raise MisuseError("--backup needs --in-place; add --in-place")
        if backup is not None and (not backup or os.path.basename(backup) != backup):  # noqa: PTH119
            raise MisuseError("--backup needs the end of a file name; write --backup .bak")

    @property
    def prints_field(self) -> bool:
        """Whether files with another field are printed, for which standard input is a file too."""
        return self.field is not None and not self.in_place and not self.dry_run

    def require_files(self, files: tuple[str, ...], advice: str) -> None:
        if self.prints_field:
            return
        if not files or "-" in files:
            flag = "--in-place" if self.in_place else "--dry-run"
            raise MisuseError(f"{flag} edits files; {advice}")

    def edit_files(
        self, files: tuple[str, ...], end: str, tally: Tally, edit: Callable[[str], Any]
    ) -> None:
        """Edit the strings in files. After too many invalid strings, the file stays unchanged."""
        from .records import choose_record_format

        if self.field is not None and end == "\0":
            raise MisuseError("--field contradicts -z; use one of them")
        formats = [choose_record_format(name, self.field, end) for name in files]
        tally.changed = 0
        for name, record_format in zip(files, formats, strict=True):
            changed_before = tally.changed
            batches = (
                edit_records(tally, name, batch, edit) for batch in record_format.read_records(name)
            )
            try:
                self.write_file(name, batches)
            except StoppedError:
                if self.in_place:
                    tally.changed = changed_before
                    reason = "too many invalid strings; the file stays unchanged"
                    print_error(describe_os_error(UnreadableError(EINVAL, reason, name)))
                return
            except UnreadableError as error:
                tally.changed = changed_before
                tally.report_unreadable(error)

    def write_file(self, name: str, batches: Iterable[Pairs]) -> None:
        if self.in_place:
            replace_file(name, batches, self.backup)
        elif self.dry_run:
            for hunk in make_diff(name, (pair for batch in batches for pair in batch)):
                write_octets(hunk)
        else:
            for pairs in batches:
                write_octets(b"".join([new for _, new in pairs]))


def edit_records(
    tally: Tally, name: str, records: Iterable[Record], edit: Callable[[str], Any]
) -> Pairs:
    """Return the octets of each record before and after the edit; count and report problems."""
    pairs: Pairs = []
    for record in records:
        old = new = record.octets
        if record.text is None and not record.problem:
            pairs.append((old, old))  # nothing to edit, such as an empty line
            continue
        tally.total += 1
        problem = record.problem
        try:
            new = record.apply_edit(edit)
        except URIError as error:
            problem = str(adapt_hint(error))
        tally.changed = (tally.changed or 0) + (new != old)
        if problem:
            tally.report_problem(problem, name, record.line)
            if tally.stopped:
                raise StoppedError
        pairs.append((old, new))
    return pairs


def replace_file(name: str, batches: Iterable[Pairs], backup: str | None) -> None:
    """Replace a file by its new content, in one step. A file without changes is not touched."""
    from pathlib import Path

    from .atomic_files import AtomicFile, exit_on_signals

    # Keep a symbolic link and replace its target.
    path = Path(os.path.realpath(name))
    with exit_on_signals():
        new_file = AtomicFile(path)
        try:
            if write_edited_copy(path, batches, new_file):
                if backup is not None:
                    copy_file(path, Path(f"{name}{backup}"))
                new_file.commit()
        except UnreadableError:
            raise  # it is an OSError with the name of the file already
        except OSError as error:
            raise UnreadableError(error.errno, error.strerror, name) from None
        finally:
            new_file.discard()


def write_edited_copy(path: Path, batches: Iterable[Pairs], new_file: AtomicFile) -> bool:
    """Write the new content of a file, and return whether it differs."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(EINVAL, "not a regular file")
    stream, has_changes = new_file.open(), False
    for pairs in batches:
        stream.write(b"".join([new for _, new in pairs]))
        has_changes = has_changes or any(old != new for old, new in pairs)
    return has_changes


def copy_file(source: Path, target: Path) -> None:
    from shutil import copyfileobj

    from .atomic_files import AtomicFile

    file = AtomicFile(target, source)
    try:
        with source.open("rb") as octets:
            copyfileobj(octets, file.open())
        file.commit()
    finally:
        file.discard()


def write_octets(octets: bytes) -> None:
    """Write octets to standard output; on a terminal, escape control characters."""
    if sys.stdout.isatty():
        lines = octets.decode("utf-8", "backslashreplace").split("\n")
        sys.stdout.write("\n".join(map(escape_unprintable, lines)))
    else:
        sys.stdout.buffer.write(octets)
    sys.stdout.flush()


def add_in_place_options(command: Callable[..., None]) -> Callable[..., None]:
    for names, settings in (
        (("--dry-run",), {"is_flag": True, "help": "Print the changes as a diff; write nothing."}),
        (("--backup",), {"metavar": "SUFFIX", "help": "Keep each original FILE with this SUFFIX."}),
        (("--in-place",), {"is_flag": True, "help": "Replace each FILE by its edited content."}),
    ):
        command = option(*names, **settings)(command)
    return command


def add_rewriting_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to edit files. The command receives them, or `None`, as `rewriting`."""

    @add_in_place_options
    @option("--field", metavar="FIELD", help="Edit a field of CSV, TSV or JSON Lines.")
    @replacing(command)
    def with_rewriting(
        in_place: bool, backup: str | None, dry_run: bool, field: str | None, **options: Any
    ) -> None:
        rewriting = None
        if in_place or dry_run or backup is not None or field is not None:
            rewriting = Rewriting(in_place=in_place, backup=backup, dry_run=dry_run, field=field)
        command(rewriting=rewriting, **options)

    return with_rewriting


#: The number of unchanged lines before and after each change.
CONTEXT_LINES = 3

#: The mark after a line without a line feed at the end of a file.
NO_NEWLINE = b"\n\\ No newline at end of file\n"


class Hunk:
    def __init__(self, old: int, new: int, before: Iterable[bytes]) -> None:
        self.old = old
        self.new = new
        self.lines = [b" " + line for line in before]
        self.removed: list[bytes] = []
        self.added: list[bytes] = []
        #: The number of unchanged lines at the end.
        self.unchanged_count = 0

    def keep(self, line: bytes) -> None:
        self.flush_changes()
        self.lines.append(b" " + line)
        self.unchanged_count += 1

    def change(self, old: Iterable[bytes], new: Iterable[bytes]) -> None:
        self.removed += [b"-" + line for line in old]
        self.added += [b"+" + line for line in new]
        self.unchanged_count = 0

    def flush_changes(self) -> None:
        """Write the lines that were removed together before those that were added."""
        self.lines += self.removed + self.added
        self.removed, self.added = [], []

    def to_bytes(self) -> bytes:
        self.flush_changes()
        surplus = max(0, self.unchanged_count - CONTEXT_LINES)
        lines = self.lines[: len(self.lines) - surplus]
        old_count = sum(not line.startswith(b"+") for line in lines)
        new_count = sum(not line.startswith(b"-") for line in lines)
        lines = [line if line.endswith(b"\n") else line + NO_NEWLINE for line in lines]
        header = b"@@ -%d,%d +%d,%d @@\n" % (self.old, old_count, self.new, new_count)
        return b"".join([header, *lines])


def make_diff(name: str, pairs: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """Yield the hunks of a unified diff, the first with the names of the files.

    `difflib` needs both files in memory, and much time to find the lines that belong together.
    """
    before: deque[bytes] = deque(maxlen=CONTEXT_LINES)  # the unchanged lines before a change
    hunk: Hunk | None = None  # while lines are changed, or shortly after
    # As git does, a tab ends a name with a space, so that `patch` reads all of it.
    shown_name = fsencode(escape_unprintable(name)) + b"\t" * (" " in name)
    header = b"--- %s\n+++ %s\n" % (shown_name, shown_name)
    old_line = new_line = 1
    for old, new in pairs:
        old_lines = new_lines = split_after_newlines(old)
        if old == new:
            for line in old_lines:
                before.append(line)
                if hunk is None:
                    continue
                hunk.keep(line)
                # Changes that are closer than this share their context, and so the hunk.
                if hunk.unchanged_count > 2 * CONTEXT_LINES:
                    yield header + hunk.to_bytes()
                    hunk, header = None, b""
        else:
            new_lines = split_after_newlines(new)
            if hunk is None:
                hunk = Hunk(old_line - len(before), new_line - len(before), before)
            hunk.change(old_lines, new_lines)
            before.clear()
        old_line += len(old_lines)
        new_line += len(new_lines)
    if hunk is not None:
        yield header + hunk.to_bytes()


def split_after_newlines(octets: bytes) -> list[bytes]:
    *lines, last = octets.split(b"\n")
    return [line + b"\n" for line in lines] + ([last] if last else [])
