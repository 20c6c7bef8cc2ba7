"""Find and replace the secrets in URIs; `uriverse.redact` and `uriverse.logs` use this package.

Its modules are imported on first use, so that `import uriverse` is fast.
"""

from __future__ import annotations

from uriverse._lazy import import_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .masking import MASK as MASK
    from .masking import find_secrets as find_secrets
    from .masking import first_of as first_of
    from .masking import masked as masked
    from .masking import redacted as redacted
    from .masking import redacted_component as redacted_component
    from .masking import redacted_fields as redacted_fields
    from .masking import redacted_invalid as redacted_invalid
    from .masking import redacted_message as redacted_message
    from .masking import redacted_value as redacted_value
    from .masking import united as united
    from .masking import userinfo_spans as userinfo_spans
    from .masking import without_userinfo as without_userinfo
    from .userinfo import Span as Span
else:  # Type checkers would accept any name.
    __getattr__ = import_later(
        globals(),
        {
            "masking": "MASK find_secrets first_of masked redacted redacted_component "
            "redacted_fields redacted_invalid redacted_message redacted_value united "
            "userinfo_spans without_userinfo",
        },
    )
