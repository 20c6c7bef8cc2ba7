"""What an identifier consists of, or what is wrong with it."""

from .explanation import Explanation, Part, explain, refusal

__all__ = ["Explanation", "Part", "explain", "refusal"]
