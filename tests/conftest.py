"""What every test shares: how Hypothesis is run."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one worker does alone takes longest, and is begun first."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


#: How much of a text a test is named by.
NAMED = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long texts do not stand whole in the names of tests: some have hundreds of thousands."""
    if isinstance(val, str | bytes) and len(val) > NAMED:
        return f"{val[:NAMED]!a}, {len(val)}"
    return None
