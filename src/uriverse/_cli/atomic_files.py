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
FOLDERS_ARE_SYNCED = os.name == "posix"

#: The maximum number of characters of the file name in the name of the temporary file.
NAME_KEPT = 50


class AtomicFile:
    """A regular file that is written under a temporary name in its folder, and renamed by `put`.

    Call `discard` in any case when the work ends. Before `put`, it removes the temporary file.

    Args:
        place: the path of the file, without symbolic links: a link would be replaced by the file.
        model: the file whose mode and owner the new file gets, if it exists; by default the file at
            `place`.
    """

    def __init__(self, place: Path, model: Path | None = None) -> None:
        self.place = place
        self.model = model or place
        # File systems limit file names to 255 octets.
        begun = f".{place.name[:NAME_KEPT]}.{secrets.token_hex(4)}.partial"
        self.aside = place.with_name(begun)
        self.file: BinaryIO | None = None

    def open(self) -> BinaryIO:
        self.file = self.aside.open("xb")
        if self.model.exists():
            # Before writing data, which others may not be allowed to read. The owner comes first,
            # because its change resets bits of the mode.
            copy_owner(self.model, self.file)
            shutil.copymode(self.model, self.aside)
        return self.file

    def put(self) -> None:
        """Sync the complete file to disk, and rename it to its path."""
        assert self.file is not None
        self.file.flush()
        os.fsync(self.file.fileno())
        # Windows cannot rename an open file.
        self.file.close()
        put(self.aside, self.place)

    def discard(self) -> None:
        """Close and remove the temporary file, if it still exists."""
        if self.file is not None:
            close(self.file)
        self.aside.unlink(missing_ok=True)


def copy_owner(model: Path, file: BinaryIO) -> None:
    """Give a new file the group and the owner of another, as far as the user may; root may."""
    if hasattr(os, "fchown"):
        status = model.stat()
        with suppress(OSError):
            os.fchown(file.fileno(), -1, status.st_gid)
            os.fchown(file.fileno(), status.st_uid, -1)


def close(file: BinaryIO) -> None:
    # A complete file has already been synced.
    with suppress(OSError):
        file.close()


def put(aside: Path, place: Path) -> None:
    """Rename a complete file to its final path, and sync the folder to disk."""
    aside.replace(place)
    if FOLDERS_ARE_SYNCED:
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


#: The signals that end the program, if the platform defines them.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_by_signals() -> Generator[None, None, None]:
    """Turn fatal signals into `SystemExit`, so that temporary files are removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        raise KilledExit(number)

    # Signals that are ignored, as under `nohup`, stay ignored, so that the program keeps running.
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
