"""A bar that shows how much of a file has been read, on standard error."""

from __future__ import annotations

import time
from types import TracebackType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from rich.progress import Progress, TaskID

#: Seconds before anything is shown: most files are done by then.
PATIENCE = 0.5


class Bar:
    """A bar of octets read, with the rate, the time left, and what else is told."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.read = 0
        self.start = time.monotonic()
        self.shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, octets: int, told: str = "") -> None:
        self.read += octets
        if self.shown is None and time.monotonic() - self.start > PATIENCE:
            self.shown = begun(self.size)
        if self.shown is not None:
            bar, task = self.shown
            bar.update(task, completed=self.read, description=told)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.shown is not None:
            self.shown[0].stop()


def begun(size: int) -> tuple[Progress, TaskID]:
    """A bar on the terminal."""
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
    # Answers go their own way; messages are printed above the bar.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    bar.start()
    return bar, bar.add_task("", total=size)
