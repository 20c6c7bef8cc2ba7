"""Scale the number of random cases with the Hypothesis profile."""

from hypothesis import settings

#: The number of Hypothesis examples at which `scaled` returns its argument unchanged.
EXAMPLES = 300


def scaled(number: int) -> int:
    """Scale the number of cases for a Hypothesis profile with 300 examples to this profile."""
    return max(number * settings().max_examples // EXAMPLES, 1)
