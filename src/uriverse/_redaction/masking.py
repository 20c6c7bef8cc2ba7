"""Find and replace the secrets in strings that contain URIs."""

from __future__ import annotations

import sys

from uriverse._engine import kernel
from uriverse._lazy import lazy_pattern

from . import secrets
from .marks import CHUNK, find_marks, find_secret_values, list_views
from .userinfo import find_userinfos, is_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from .userinfo import Span

    class NamedComponents(Protocol):
        def _asdict(self) -> dict[str, str | None]: ...


#: The string that replaces a secret, as the [semantic conventions of OpenTelemetry][1] require.
#:
#: [1]: https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
MASK = "REDACTED"


#: A valid URI or reference up to the end of its authority.
TO_AUTHORITY = lazy_pattern("(?:[^:/?#]+:)?+//[^/?#]*+")


def mask_spans(text: str, position: int, spans: list[Span]) -> tuple[str, int]:
    """Replace spans of a string with `REDACTED`; return the new string and the adjusted position.

    The new position refers to the same character as `position` in the original string, or to the
    start of `REDACTED` if a span contains the character.
    """
    pieces: list[str] = []
    copied_end = shift = 0
    for start, end in spans:
        if start >= end:
            continue
        pieces += text[copied_end:start], MASK
        copied_end = end
        if position >= end:
            shift += len(MASK) - (end - start)
        elif position > start:
            shift += start - position
    return "".join(pieces) + text[copied_end:], position + shift


def find_secrets(
    text: str,
    *,
    usernames: bool = False,
    suspected: bool = False,
    start: int = 0,
    end: int = sys.maxsize,
) -> list[Span]:
    """Return the spans of the secrets in a URI, or in any text that may contain URIs, in order.

    With `suspected`, the string should be a URI, but is invalid: then everything that may be a
    password counts. Only secrets that overlap `text[start:end]` are returned.
    """
    if kernel is not None:
        spans: list[Span] = kernel.list_secrets(text, usernames, suspected, start, end)
        return spans
    if suspected:
        return find_secrets_of_invalid_uri(text, start, end)
    return find_secret_spans(text, start, end, usernames=usernames)


def find_all_secrets(text: str, *, usernames: bool, paths: bool, path: int = 0) -> list[Span]:
    """Find the secrets that `uriverse.redact` replaces; no path starts before the index `path`."""
    spans = find_secrets(text, usernames=usernames)
    if paths:
        spans = merge_spans([*spans, *(s for s in secrets.find_path_secrets(text) if s[0] >= path)])
    return spans


def redact_text(text: str, *, usernames: bool = False, paths: bool = False) -> str:
    """Replace the secrets in a URI, or in any text that may contain URIs."""
    return mask_spans(text, 0, find_all_secrets(text, usernames=usernames, paths=paths))[0]


def redact_valid(text: str, *, usernames: bool = False, paths: bool = False) -> str:
    """Replace the secrets in a valid URI or reference, so that the result is valid as well.

    The delimiters between components and between segments stay. Without them, a colon could move
    into the first segment, or a private-use character into the path.
    """
    authority = TO_AUTHORITY.match(text)
    # An authority may contain a slash that is percent-encoded, but the path starts after it.
    path_start = authority.end() if authority else 0
    spans = find_all_secrets(text, usernames=usernames, paths=paths, path=path_start)
    return mask_spans(text, 0, list(split_at_delimiters(text, spans, path_start)))[0]


def split_at_delimiters(text: str, spans: list[Span], path_start: int) -> Iterator[Span]:
    """Yield the parts of the secrets in a valid URI that are neither delimiters nor its host."""
    path_end = find_first_character("?#", text, path_start, len(text))
    userinfo_end = text.rfind("@", 0, path_start)
    for start, end in spans:
        part_start = start
        for index in range(start, end):
            # After the path, slashes and question marks delimit nothing.
            is_delimiter = text[index] == "#" or (text[index] in "/?" and index <= path_end)
            if index == userinfo_end:
                # A supposed password continues after the host, up to an "@" there.
                yield part_start, index
                part_start = path_start
            elif is_delimiter:
                yield part_start, index
                part_start = index + 1
        yield part_start, end


def redact_invalid(text: str) -> str:
    """Replace everything that may be a secret in a string that should be a URI, but may not be."""
    return mask_spans(text, 0, find_secrets(text, suspected=True))[0]


def redact_userinfo(text: str, *, valid: bool) -> str:
    """Replace the secrets in a string that should be a URI, and all of its userinfo."""
    spans = find_secrets(text, suspected=not valid)
    return mask_spans(text, 0, merge_spans([*spans, *find_userinfo_spans(text)]))[0]


def redact_message(message: str) -> str:
    """Replace everything that may be a secret in a message that quotes a string."""
    import re

    quoted_string = re.search(r"(?<!\S)\S*:\S", message)
    start = quoted_string.start() if quoted_string else len(message)
    spans = find_secrets(message[:start])
    for first, last in find_secrets(message[start:], suspected=True):
        spans.append((start + first, start + last))
    return mask_spans(message, 0, merge_spans(spans))[0]


def redact_component(component: str, text: str, scheme: str = "") -> str:
    """Replace the secrets in a component; `scheme` is what directly precedes a path: `http:`."""
    if component == "userinfo":
        name, colon, password = text.partition(":")
        return name + colon + (MASK if password else "")
    delimiters = {"authority": "//", "path": scheme, "query": "?", "fragment": "#"}
    delimiter = delimiters.get(component, "")
    return redact_text(delimiter + text).removeprefix(delimiter)


def format_fields(parts: NamedComponents) -> str:
    fields = parts._asdict()
    # A password may follow the scheme, as in `http:user:password@host`.
    scheme = f"{fields.get('scheme')}:" if fields.get("authority") is None else ""
    arguments = (
        f"{name}={part if part is None else redact_component(name, part, scheme)!r}"
        for name, part in fields.items()
    )
    return f"{type(parts).__name__}({', '.join(arguments)})"


#: Punctuation that does not belong to a URI if it follows the URI in a sentence.
CLOSING = ".,:;!?'*)]}"

#: Punctuation before a URI, with letters before it, as in `URI('...')`.
OPENING = lazy_pattern(r"[A-Za-z]*+['*(\[{]")


def find_secret_spans(
    text: str, start: int = 0, end: int = sys.maxsize, *, usernames: bool = False
) -> list[Span]:
    """Find passwords, values of secret parameters, JSON Web Tokens and, with an option, user names.

    A parameter is in a query, in a fragment, or after a semicolon in a path. The delimiters may be
    percent-encoded up to three times, as they are in a URI that is the value of a parameter.
    """
    if not may_have_secrets(text):
        return []
    spans = [token.span() for token in secrets.JWT.finditer(text)]
    for chunk in CHUNK.finditer(text):
        chunk_start, chunk_end = chunk.span()
        is_whole_text = chunk_end - chunk_start == len(text) and not OPENING.match(text)
        # Punctuation after a URI in a sentence is not part of a secret.
        closing = "" if is_whole_text else CLOSING
        all_marks = list(find_marks(text, chunk_start, chunk_end))
        # A view consists of the delimiters that are encoded up to a certain number of times.
        for view in list_views(all_marks):
            spans += find_secret_values(text, view, chunk_end, closing=closing)
            userinfos = find_userinfos(text, view, all_marks, chunk_start, chunk_end)
            for (name_start, name_end), password in userinfos:
                spans.append(password)
                if usernames or is_token(text[name_start:name_end]):
                    spans.append((name_start, name_end))
    return merge_spans(spans, start, end)


def find_secrets_of_invalid_uri(text: str, start: int = 0, end: int = sys.maxsize) -> list[Span]:
    """Return the spans of everything that may be a secret in an invalid URI, merged, in order.

    A password in such a string may contain delimiters, as in `//user:pa/ss@host` and
    `user:pass word@host`. So the span extends from the first colon to the last "@". The colon
    between a scheme and slashes is skipped, and so is a colon before a port number. The value of a
    parameter may contain spaces.
    """
    if not may_have_secrets(text):
        return []
    spans = [token.span() for token in secrets.JWT.finditer(text)]
    spans += find_suspected_password(text)
    all_marks = list(find_marks(text, 0, len(text), is_invalid_uri=True))
    for view in list_views(all_marks):
        spans += find_secret_values(text, view, len(text), starts_in_query=True)
        userinfos = find_userinfos(text, view, all_marks, 0, len(text), is_whole_string=True)
        for (name_start, name_end), password in userinfos:
            spans.append(password)
            if is_token(text[name_start:name_end]):
                spans.append((name_start, name_end))
    return merge_spans(spans, start, end)


#: Userinfo, also behind an empty port as in `//u:/pass@host`. Some programs take other characters
#: for "@".
USERINFO = lazy_pattern(
    r"(?s:(?:[^:/?#\\@]*+:)?+[/\\]*+([^/\\?#@]*:(?=[/\\?#]).*|[^/\\?#]*)(?:[@\uff20\ufe6b]|%40))"
)


def find_userinfo_spans(text: str) -> list[Span]:
    """Find the userinfo of a string that should be a URI, as a list of at most one span."""
    userinfo = USERINFO.match(text)
    return [userinfo.span(1)] if userinfo else []


def may_have_secrets(text: str) -> bool:
    return any(sign in text for sign in ("@", "=", "40", "3D", "3d", "61;", "eyJ"))


def find_suspected_password(text: str) -> list[Span]:
    """Return what is between the first colon and the last "@", as a list of at most one span."""
    import re

    slashes = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    # After slashes, a colon may precede a port.
    pattern = re.compile(r":(?![0-9]*+[/?#])" if slashes else ":")
    at = max(text.rfind("@"), 0)
    colon = pattern.search(text, slashes.end() if slashes else 0, at)
    return [(colon.end(), at)] if colon else []


def merge_spans(spans: list[Span], start: int = 0, end: int = sys.maxsize) -> list[Span]:
    """Sort and merge spans; remove empty ones, and those outside of `text[start:end]`."""
    merged: list[Span] = []
    for first, last in sorted(spans):
        if first >= last or first >= end or last <= start:
            continue
        if merged and first <= merged[-1][1]:
            merged_start, merged_end = merged.pop()
            merged.append((merged_start, max(merged_end, last)))
        else:
            merged.append((first, last))
    return merged


def find_first_character(characters: str, text: str, start: int, end: int) -> int:
    """Return the first index of any of the characters between two indexes; otherwise `end`."""
    for character in characters:
        index = text.find(character, start, end)
        end = end if index < 0 else index
    return end
