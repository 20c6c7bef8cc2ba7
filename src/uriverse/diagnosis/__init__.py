"""Diagnose URIs: `check` reports problems, and `explain` shows the components.

>>> from uriverse import check
>>> [finding.code for finding in check("http://0x7f.1/")]
['ipv4-hex']
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
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

#: The modules that define the public names. Each is imported when one of its names is first used.
LATER = {
    "CODES": "codes",
    "PROFILES": "findings",
    "SEVERITIES": "findings",
    "Code": "codes",
    "Explanation": "explanation",
    "Finding": "findings",
    "Part": "explanation",
    "check": "checking",
    "explain": "explanation",
    "why_invalid": "explanation",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module when the name is first used."""
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
