"""Find and replace the secrets in URIs; `uriverse.redact` and `uriverse.logs` use this package."""

from __future__ import annotations

from .masking import MASK as MASK
from .masking import find_secrets as find_secrets
from .masking import masked as masked
from .masking import redacted as redacted
from .masking import redacted_component as redacted_component
from .masking import redacted_fields as redacted_fields
from .masking import redacted_invalid as redacted_invalid
from .masking import redacted_message as redacted_message
from .masking import redacted_value as redacted_value
from .masking import use_kernel as use_kernel
from .spans import first_of as first_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .userinfo import Span as Span
