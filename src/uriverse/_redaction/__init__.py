"""Find and replace the secrets in URIs; `uriverse.redact` and `uriverse.logs` use this package.

Its modules are imported on first use, so that `import uriverse` is fast.
"""

from __future__ import annotations

from uriverse._lazy import import_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .masking import MASK as MASK
    from .masking import find_first_character as find_first_character
    from .masking import find_secrets as find_secrets
    from .masking import find_userinfo_spans as find_userinfo_spans
    from .masking import format_fields as format_fields
    from .masking import mask_spans as mask_spans
    from .masking import merge_spans as merge_spans
    from .masking import redact_component as redact_component
    from .masking import redact_invalid as redact_invalid
    from .masking import redact_message as redact_message
    from .masking import redact_text as redact_text
    from .masking import redact_userinfo as redact_userinfo
    from .masking import redact_valid as redact_valid
    from .userinfo import Span as Span
else:  # Type checkers would accept any name.
    __getattr__ = import_later(
        globals(),
        {
            "masking": "MASK find_first_character find_secrets find_userinfo_spans format_fields "
            "mask_spans merge_spans redact_component redact_invalid redact_message redact_text "
            "redact_userinfo redact_valid",
        },
    )
