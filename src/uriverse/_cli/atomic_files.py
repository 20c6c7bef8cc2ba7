"""Files that appear at their path only when they are complete, after fatal signals too."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO, NoReturn

from .output import KilledExit

#: Whether folders can be synced to disk. Windows cannot open folders.
CAN_SYNC_FOLDERS = os.name == "posix"

#: The maximum number of characters of the file name in the name of the temporary file.
NAME_LIMIT = 50


class AtomicFile:
    """A regular file that is written under a temporary name in its folder, and renamed by `commit`.

    Call `discard` in any case when the work ends. Before `commit`, it removes the temporary file.

    Args:
        path: the path of the file, without symbolic links: a link would be replaced by the file.
        model: the file whose mode and owner the new file gets, if it exists; by default the file at
            `path`.
    """

    def __init__(self, path: Path, model: Path | None = None) -> None:
        self.path = path
        self.model = model or path
        # File systems limit file names to 255 octets.
        temporary_name = f".{path.name[:NAME_LIMIT]}.{secrets.token_hex(4)}.partial"
        self.temporary_path = path.with_name(temporary_name)
        self.file: BinaryIO | None = None

    def open(self) -> BinaryIO:
        self.file = self.temporary_path.open("xb")
        if self.model.exists():
            # Before writing data, which others may not be allowed to read. The owner comes first,
            # because its change resets bits of the mode.
            copy_owner(self.model, self.file)
            shutil.copymode(self.model, self.temporary_path)
        return self.file

    def commit(self) -> None:
        """Sync the complete file to disk, and rename it to its path."""
        assert self.file is not None
        self.file.flush()
        os.fsync(self.file.fileno())
        # Windows cannot rename an open file.
        self.file.close()
        rename_durably(self.temporary_path, self.path)

    def discard(self) -> None:
        """Close and remove the temporary file, if it still exists."""
        if self.file is not None:
            close_silently(self.file)
        self.temporary_path.unlink(missing_ok=True)


def copy_owner(model: Path, file: BinaryIO) -> None:
    """Give a new file the group and the owner of another, as far as the user may; root may."""
    if hasattr(os, "fchown"):
        status = model.stat()
        with suppress(OSError):
            os.fchown(file.fileno(), -1, status.st_gid)
            os.fchown(file.fileno(), status.st_uid, -1)


def close_silently(file: BinaryIO) -> None:
    # A complete file has already been synced.
    with suppress(OSError):
        file.close()


def rename_durably(source: Path, target: Path) -> None:
    """Rename a complete file to its final path, and sync the folder to disk."""
    source.replace(target)
    if CAN_SYNC_FOLDERS:
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


#: The signals that end the program, if the platform defines them.
FATAL_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def exit_on_signals() -> Generator[None, None, None]:
    """Turn fatal signals into `SystemExit`, so that temporary files are removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise KilledExit(number)

    # Signals that are ignored, as under `nohup`, stay ignored, so that the program keeps running.
    old_handlers = {number: signal.getsignal(number) for number in FATAL_SIGNALS}
    for number, handler in old_handlers.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
