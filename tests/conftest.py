"""What every test shares: how Hypothesis is run."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# Who runs in the background ignores Ctrl-C, and so would the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A deadline would be a timed assertion, and fail on a busy machine.
settings.register_profile(
    "uriverse",
    deadline=None,
    max_examples=300,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("uriverse"), max_examples=5000)
settings.load_profile("uriverse")
