"""Find and replace the secrets in URIs; `uriverse.redact` and `uriverse.logs` use this package."""

from __future__ import annotations

from .masking import MASK as MASK
from .masking import masked as masked
from .masking import redacted as redacted
from .masking import redacted_component as redacted_component
from .masking import redacted_fields as redacted_fields
from .masking import redacted_invalid as redacted_invalid
from .masking import redacted_message as redacted_message
from .spans import first_of as first_of
from .spans import secret_spans as secret_spans
from .spans import suspected_spans as suspected_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .spans import Span as Span
