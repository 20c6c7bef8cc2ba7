"""Fatal signals end a program that writes files; ignored ones do not."""

from __future__ import annotations

import os
import signal

import pytest
from platforms import unix

from uriverse._cli.atomic_files import ended_by_signals
from uriverse._cli.output import KilledExit


@unix
def test_a_signal_ends_the_program_unless_it_is_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals():
            os.kill(os.getpid(), signal.SIGHUP)  # as under `nohup`
            with pytest.raises(KilledExit):
                os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
