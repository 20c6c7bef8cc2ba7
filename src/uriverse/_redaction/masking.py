"""Replace the secrets in strings that contain URIs."""

from __future__ import annotations

import sys

from uriverse._lazy import lazy_pattern

from . import by_kernel, secrets, spans
from . import paths as path_rules
from .userinfo import TOKENS, WITH_PASSWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .userinfo import Span

    class NamedComponents(Protocol):
        """A named tuple whose fields are components of a URI."""

        def _asdict(self) -> dict[str, str | None]: ...


#: The string that replaces a secret, as the [semantic conventions of OpenTelemetry][1] require.
#:
#: [1]: https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
MASK = "REDACTED"


#: A valid URI or reference up to the end of its authority.
TO_AUTHORITY = lazy_pattern("(?:[^:/?#]+:)?+//[^/?#]*+")


def masked(text: str, position: int, found: list[Span]) -> tuple[str, int]:
    """Replace spans of a string with `REDACTED`; return the new string and the adjusted position.

    The new position refers to the same character as `position` in the original string.
    """
    pieces: list[str] = []
    done = moved = 0
    for start, end in found:
        pieces += text[done:start], MASK if start < end else ""
        done = end
        if position >= end > start:
            moved += len(MASK) - (end - start)
        elif start < position < end:
            moved += start - position
    return "".join(pieces) + text[done:], position + moved


if by_kernel.kernel is not None:
    by_kernel.kernel.load_secrets(secrets, WITH_PASSWORDS, path_rules.WORDS, TOKENS)


def find_secrets(
    text: str,
    *,
    usernames: bool = False,
    suspected: bool = False,
    start: int = 0,
    end: int = sys.maxsize,
) -> list[Span]:
    """Find the secrets in a URI, or in any text that may contain URIs.

    Args:
        text: the string.
        usernames: whether user names are secrets as well.
        suspected: whether the string should be a URI, but is invalid: then everything that may be
            a password counts.
        start: the first index of the part that matters.
        end: the index after that part.

    Returns:
        The start and the end of each secret that overlaps the part, in order.
    """
    if by_kernel.kernel is not None:
        spanned: list[Span] = by_kernel.kernel.secret_spans(text, usernames, suspected, start, end)
        return spanned
    if suspected:
        return spans.suspected_spans(text, start, end)
    return spans.secret_spans(text, start, end, usernames=usernames)


def find_all(text: str, *, usernames: bool, paths: bool, path: int = 0) -> list[Span]:
    """Find the secrets that `uriverse.redact` replaces with the same options.

    Args:
        text: the string.
        usernames: whether user names are secrets as well.
        paths: whether secrets in paths are secrets as well.
        path: the index before which no path starts.
    """
    found = find_secrets(text, usernames=usernames)
    if paths:
        found = spans.united([*found, *(s for s in path_rules.path_secrets(text) if s[0] >= path)])
    return found


def redacted(text: str, *, usernames: bool = False, paths: bool = False) -> str:
    """Replace the secrets in a URI, or in any text that may contain URIs."""
    return masked(text, 0, find_all(text, usernames=usernames, paths=paths))[0]


def redacted_value(text: str, *, usernames: bool = False, paths: bool = False) -> str:
    """Replace the secrets in a valid URI or reference, so that the result is valid as well.

    The delimiters between components and between segments stay. Without them, a colon could move
    into the first segment, or a private-use character into the path.
    """
    # An authority may contain a slash that is percent-encoded. Its host never changes.
    authority = TO_AUTHORITY.match(text)
    path = authority.end() if authority else 0
    path_end = spans.first_of("?#", text, path, len(text))
    pieces: list[Span] = []
    for start, end in find_all(text, usernames=usernames, paths=paths, path=path):
        for index in range(start, end):
            if text[index] == "#" or (text[index] in "/?" and index <= path_end):
                pieces.append((start, index))
                start = index + 1  # noqa: PLW2901 - the rest of the span
        pieces.append((start, end))
    return masked(text, 0, pieces)[0]


def redacted_invalid(text: str) -> str:
    """Replace everything that may be a secret in a string that should be a URI, but may not be."""
    return masked(text, 0, find_secrets(text, suspected=True))[0]


def without_userinfo(text: str, *, valid: bool) -> str:
    """Replace the secrets in a string that should be a URI, and all of its userinfo."""
    found = find_secrets(text, suspected=not valid)
    return masked(text, 0, spans.united([*found, *spans.userinfo_spans(text)]))[0]


def redacted_message(message: str) -> str:
    """Replace everything that may be a secret in a message that quotes a string."""
    import re

    quoted = re.search(r"(?<!\S)\S*:\S", message)
    start = quoted.start() if quoted else len(message)
    found = find_secrets(message[:start])
    for first, last in find_secrets(message[start:], suspected=True):
        found.append((start + first, start + last))
    return masked(message, 0, spans.united(found))[0]


def redacted_component(component: str, text: str, scheme: str = "") -> str:
    """Replace the secrets in a component of a URI, such as `"query"`.

    Args:
        component: the name of the component.
        text: the component.
        scheme: what precedes the path if it directly follows the scheme, such as `http:`.
    """
    if component == "userinfo":
        name, colon, password = text.partition(":")
        return name + colon + (MASK if password else "")
    delimiters = {"authority": "//", "path": scheme, "query": "?", "fragment": "#"}
    delimiter = delimiters.get(component, "")
    return redacted(delimiter + text).removeprefix(delimiter)


def redacted_fields(parts: NamedComponents) -> str:
    """Return the `repr` of a named tuple of components, without their secrets."""
    fields = parts._asdict()
    # A password may follow the scheme, as in `http:user:password@host`.
    scheme = f"{fields.get('scheme')}:" if fields.get("authority") is None else ""
    shown = (
        f"{name}={part if part is None else redacted_component(name, part, scheme)!r}"
        for name, part in fields.items()
    )
    return f"{type(parts).__name__}({', '.join(shown)})"
