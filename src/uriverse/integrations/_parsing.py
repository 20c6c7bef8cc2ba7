"""Parse strings for other libraries, and describe the errors in their messages without secrets."""

from __future__ import annotations

from typing import Any, TypeVar

from uriverse import _redaction
from uriverse._errors import ParseError, TemplateError, draw_error, find_error_secrets, get_code
from uriverse._uri.engine import Identifier

from .constraints import Constraints

T = TypeVar("T", bound=Identifier)


def parse_value(text_or_value: Any, kind: type[T], constraints: Constraints | None) -> T:
    value = text_or_value if isinstance(text_or_value, kind) else kind(text_or_value)
    if constraints is not None:
        constraints.enforce(value)
    return value


def summarize_error(error: ParseError | TemplateError) -> str:
    """Return the reason, the code and the position of an error in one line."""
    return f"{error.reason} ({get_code(error)}, position {error.position})"


def redact_error_text(error: ParseError | TemplateError) -> str:
    return _redaction.mask_spans(error.text, error.position, find_error_secrets(error))[0]


def format_with_caret(error: ParseError | TemplateError) -> str:
    """Return a summary, the redacted string with a caret, and the hint, for a terminal."""
    lines = [summarize_error(error)]
    if error.text:
        lines += draw_error(error)
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)
