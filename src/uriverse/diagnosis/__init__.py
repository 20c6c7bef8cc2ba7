"""Diagnose URIs: `check` reports problems, and `explain` shows the components.

>>> from uriverse import check
>>> [finding.code for finding in check("http://0x7f.1/")]
['ipv4-hex']
"""

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
