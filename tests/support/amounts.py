"""How many random cases a test runs, by the Hypothesis profile."""

from __future__ import annotations

from hypothesis import settings


def scaled(number: int, least: int = 1) -> int:
    """Scale a number of cases that is meant for the profile "full".

    Args:
        number: how many cases "full" runs.
        least: how many cases any profile runs.
    """
    full = settings.get_profile("full").max_examples
    return max(number * settings.default.max_examples // full, least)
