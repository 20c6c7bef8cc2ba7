"""How many random cases a test runs, by the Hypothesis profile."""

from __future__ import annotations

from hypothesis import settings

#: The number of examples of each property for which a test gives its number of cases.
EXAMPLES = 300


def scaled(number: int) -> int:
    """Scale a number of cases by the number of examples in the Hypothesis profile.

    Args:
        number: how many cases to run beside 300 examples of each property.
    """
    return max(number * settings().max_examples // EXAMPLES, 1)
