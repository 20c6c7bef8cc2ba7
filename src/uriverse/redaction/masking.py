"""Replace the secrets in strings that contain URIs."""

from __future__ import annotations

from .spans import secret_spans, suspected_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .spans import Span

    class NamedComponents(Protocol):
        """A named tuple whose fields are components of a URI."""

        def _asdict(self) -> dict[str, str | None]: ...


#: The string that replaces a secret, as the [semantic conventions of OpenTelemetry][1] require.
#:
#: [1]: https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
MASK = "REDACTED"


def masked(text: str, position: int, spans: list[Span]) -> tuple[str, int]:
    """Replace spans of a string with `REDACTED`; return the new string and the adjusted position.

    The new position refers to the same character as `position` in the original string.
    """
    pieces: list[str] = []
    done = moved = 0
    for start, end in spans:
        pieces += text[done:start], MASK if start < end else ""
        done = end
        if position >= end > start:
            moved += len(MASK) - (end - start)
        elif start < position < end:
            moved += start - position
    return "".join(pieces) + text[done:], position + moved


def redacted(text: str, *, usernames: bool = False) -> str:
    """Replace the secrets in a URI, or in any text that may contain URIs."""
    spans = secret_spans(text, usernames=usernames)
    return masked(text, 0, spans)[0] if spans else text


def redacted_invalid(text: str) -> str:
    """Replace everything that may be a secret in a string that should be a URI, but may not be."""
    return masked(text, 0, suspected_spans(text))[0]


def redacted_message(message: str) -> str:
    """Replace everything that may be a secret in a message that quotes a string."""
    import re

    quoted = re.search(r"(?<!\S)\S*:\S", message)
    start = quoted.start() if quoted else len(message)
    return redacted(message[:start]) + redacted_invalid(message[start:])


def redacted_component(component: str, text: str) -> str:
    """Replace the secrets in a component of a URI, such as `"query"`."""
    if component == "userinfo":
        name, colon, password = text.partition(":")
        return name + colon + (MASK if password else "")
    delimiter = {"authority": "//", "query": "?", "fragment": "#"}.get(component, "")
    return redacted(delimiter + text).removeprefix(delimiter)


def redacted_fields(parts: NamedComponents) -> str:
    """Return the `repr` of a named tuple of components, without their secrets."""
    shown = (
        f"{name}={part if part is None else redacted_component(name, part)!r}"
        for name, part in parts._asdict().items()
    )
    return f"{type(parts).__name__}({', '.join(shown)})"
