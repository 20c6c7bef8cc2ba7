"""The messages of the fields of models and forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.core.exceptions import ValidationError


def replace_message(error: ValidationError, messages: dict[str, Any]) -> None:
    """Use the message that a field defines for the code of an error, or for `"invalid"`."""
    for code in (error.code, "invalid"):
        if code in messages:
            error.message = messages[code]
            return
