"""Scale the number of random cases with the Hypothesis profile."""

from hypothesis import settings

#: The number of Hypothesis examples at which `scaled` returns its argument unchanged.
EXAMPLES = 300


def scaled(number: int) -> int:
    """Scale a number of cases by the number of examples in the Hypothesis profile.

    Args:
        number: the number of cases for a profile with 300 examples.
    """
    return max(number * settings().max_examples // EXAMPLES, 1)
