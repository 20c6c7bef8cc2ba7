"""Look up the codes, severities and profiles of findings, and explain why a string is invalid.

>>> from uriverse.diagnosis import CODES
>>> CODES["ipv4-hex"].group
'ambiguity'
"""

from __future__ import annotations

from uriverse import _lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._codes import CODES, Code
    from ._explanation import Part, why_invalid
    from ._findings import PROFILES, SEVERITIES

__all__ = ["CODES", "PROFILES", "SEVERITIES", "Code", "Part", "why_invalid"]
__dir__ = __all__.copy
if not TYPE_CHECKING:  # Type checkers would accept any name.
    __getattr__ = _lazy.import_later(
        globals(),
        {
            "_codes": "CODES Code",
            "_explanation": "Part why_invalid",
            "_findings": "PROFILES SEVERITIES",
        },
    )
