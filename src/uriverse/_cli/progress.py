"""A progress bar on standard error, for commands that read large files."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from rich.progress import Progress, TaskID

#: The seconds to wait before the bar appears. Most files have been read by then.
PATIENCE = 0.5


class Bar:
    """A progress bar for reading a file: the bytes read, the rate and the time left.

    Call the bar with the number of bytes that were read since the last call, and optionally a
    description that is shown after the bar.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.read = 0
        self.start = time.monotonic()
        self.shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, size: int, description: str = "") -> None:
        self.read += size
        if self.shown is None and time.monotonic() - self.start > PATIENCE:
            self.shown = begun(self.size)
        if self.shown is not None:
            bar, task = self.shown
            bar.update(task, completed=self.read, description=description)

    def __exit__(self, *error: object) -> None:
        if self.shown is not None:
            self.shown[0].stop()


def begun(size: int) -> tuple[Progress, TaskID]:
    """Show a progress bar on the terminal; return the bar and its task."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    # Results go to standard output unchanged; error messages are printed above the bar.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    bar.start()
    return bar, bar.add_task("", total=size)
