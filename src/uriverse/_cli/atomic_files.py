"""Files that appear at their path only when they are complete, after fatal signals too."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, suppress
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

    Call `discard` in any case when the work ends. The new file gets the mode and the owner of
    `model`, by default of the file at `path`. If `path` is a symbolic link, the file replaces it.
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
        self.file.close()  # Windows cannot rename an open file
        self.temporary_path.replace(self.path)
        if CAN_SYNC_FOLDERS:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def discard(self) -> None:
        """Close and remove the temporary file, if it still exists."""
        if self.file is not None:
            with suppress(OSError):  # a complete file has already been synced
                self.file.close()
        self.temporary_path.unlink(missing_ok=True)


def copy_owner(model: Path, file: BinaryIO) -> None:
    """Give a new file the group and the owner of another, as far as the user may; root may."""
    if hasattr(os, "fchown"):
        status = model.stat()
        with suppress(OSError):
            os.fchown(file.fileno(), -1, status.st_gid)
            os.fchown(file.fileno(), status.st_uid, -1)


@contextmanager
def handle_signals(
    names: tuple[str, ...], handle: Callable[[int, FrameType | None], None]
) -> Generator[None]:
    """Call a function for signals that the platform defines; those that `nohup` ignores stay so."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handled_numbers = [n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN]
    old_handlers = {number: signal.signal(number, handle) for number in handled_numbers}
    try:
        yield
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)


def exit_on_signals() -> AbstractContextManager[None]:
    """Turn fatal signals into `SystemExit`, so that temporary files are removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise KilledExit(number)

    return handle_signals(("SIGTERM", "SIGHUP"), end)
