"""Signals that end the program while temporary files exist."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from .output import KilledExit

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
