"""What an identifier consists of, what is wrong with it, and what is odd about it."""

from .checking import check
from .codes import CODES, Code
from .explanation import Explanation, Part, explain, why_invalid
from .findings import PROFILES, SEVERITIES, Finding

__all__ = [
    "CODES",
    "PROFILES",
    "SEVERITIES",
    "Code",
    "Explanation",
    "Finding",
    "Part",
    "check",
    "explain",
    "why_invalid",
]
