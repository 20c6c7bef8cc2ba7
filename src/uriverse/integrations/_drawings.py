"""Command-line error messages for invalid URIs."""

from __future__ import annotations

from uriverse.errors import ParseError

from ._summaries import summary


def with_caret(error: ParseError) -> str:
    """Return the message for a terminal: a summary, the string with a caret, and the hint.

    Secrets in the string are redacted.

    >>> from uriverse import URI
    >>> try:
    ...     URI("http://me:secret@example.org/a b")
    ... except ParseError as error:
    ...     print(with_caret(error))
    invalid space in path (syntax, position 30)
      http://me:REDACTED@example.org/a b
                                      ^
    hint: percent-encode it as %20
    """
    lines = [summary(error)]
    if error.text:
        lines += error._drawing()
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)
