"""Syntax-based normalization ([RFC 3986, 6.2.2][1], [RFC 3987, 5.3.2][2]).

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
[2]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Literal, NamedTuple

from uriverse._errors import quote_argument

from . import ipv6
from .components import AllParts, compose_all_parts, split_all_parts
from .percent import decode_iri_characters, decode_unreserved_triplets, uppercase_triplets
from .resolution import remove_dot_segments, shield_double_slash

#: The components that may contain percent-encoded triplets.
ENCODED = ("userinfo", "host", "path", "query", "fragment")


class Steps(NamedTuple):
    """The enabled steps of syntax-based normalization, in the order of their application.

    Percent-decoding comes first, because it can produce upper-case letters and dot segments.
    """

    percent_encoding: bool = True
    case: bool = True
    ipv6: bool = True
    dot_segments: bool | Literal["all"] = True


def normalize_syntax(text: str, steps: Steps, *, iri: bool) -> str:
    parts = split_all_parts(text)
    for _, step_parts in apply_steps(parts, steps, iri=iri):
        parts = step_parts
    return compose_all_parts(parts)


def apply_steps(parts: AllParts, steps: Steps, *, iri: bool) -> Iterator[tuple[str, AllParts]]:
    """Yield, for each enabled step, its name and the components after the step."""
    check_dot_segments(steps.dot_segments)
    removes_all = steps.dot_segments == "all"
    functions: dict[str, Callable[[AllParts], AllParts]] = {
        "percent_encoding": normalize_iri_percent_encoding if iri else normalize_percent_encoding,
        "case": normalize_case,
        "ipv6": normalize_ipv6,
        "dot_segments": remove_all_dot_segments if removes_all else remove_rooted_dot_segments,
    }
    for step, enabled in steps._asdict().items():
        if enabled:
            parts = functions[step](parts)
            yield step, parts


def check_dot_segments(setting: object) -> None:
    if isinstance(setting, str):
        if setting != "all":
            choices = "True, False or 'all'"
            raise ValueError(f"dot_segments must be {choices}, not {quote_argument(setting)}")
    elif not isinstance(setting, bool):
        raise TypeError(f"dot_segments must be a bool or 'all', not {type(setting).__name__}")


def normalize_percent_encoding(parts: AllParts) -> AllParts:
    """RFC 3986, 6.2.2.2: decode percent-encoded unreserved characters, such as `%7E`.

    In a relative reference, the segments `%2E` and `%2E%2E` stay encoded: reference resolution
    (5.2.4) does not treat them as dot segments, but it would if they were decoded.
    """
    decoded = change_components(parts, ENCODED, lambda _, text: decode_unreserved_triplets(text))
    if parts.scheme is not None:
        return decoded
    segments = parts.path.split("/")
    path = [s if is_dot_segment(s) else decode_unreserved_triplets(s) for s in segments]
    return decoded._replace(path="/".join(path))


def normalize_iri_percent_encoding(parts: AllParts) -> AllParts:
    """RFC 3987, 5.3.2.3: decode the characters that an IRI allows as well."""
    return change_components(
        normalize_percent_encoding(parts),
        ENCODED,
        lambda component, text: decode_iri_characters(text, component, upper=False),
    )


def normalize_case(parts: AllParts) -> AllParts:
    """RFC 3986, 6.2.2.1. The case of non-ASCII letters does not change (RFC 3987, 5.3.2.1)."""
    parts = change_components(parts, ("scheme", "host"), lambda _, text: lowercase_ascii(text))
    return change_components(parts, ENCODED, lambda _, text: uppercase_triplets(text))


def normalize_ipv6(parts: AllParts) -> AllParts:
    """RFC 5952."""
    host = parts.host or ""
    if not host.startswith("[") or host[1] in "vV":
        return parts
    return parts._replace(host=f"[{ipv6.canonicalize_address(host[1:-1])}]")


def remove_rooted_dot_segments(parts: AllParts) -> AllParts:
    """Remove the segments `.` and `..` from the path of a URI if the path starts with `/`.

    Other paths keep their dot segments. RFC 3986, 6.2.2.3, says they "should" be removed. But in
    `data:text/plain,a/../b` they are data, and without them, two different URIs would compare as
    equal (RFC 3986, 6.1).
    """
    return remove_all_dot_segments(parts) if parts.path.startswith("/") else parts


def remove_all_dot_segments(parts: AllParts) -> AllParts:
    """RFC 3986, 5.2.4, also for percent-encoded dot segments (6.2.2.2).

    Relative references keep theirs: the result of removing them depends on the base URI.
    """
    if parts.scheme is None:
        return parts
    segments = parts.path.split("/")
    path = "/".join(decode_unreserved_triplets(s) if is_dot_segment(s) else s for s in segments)
    return parts._replace(path=shield_double_slash(parts.host, remove_dot_segments(path)))


def change_components(
    parts: AllParts, components: Collection[str], change: Callable[[str, str], str]
) -> AllParts:
    """Apply a function to some components of a URI, skipping those that are undefined."""
    texts = {name: getattr(parts, name) for name in components}
    changes = {name: change(name, text) for name, text in texts.items() if text is not None}
    return parts._replace(**changes)


def is_dot_segment(segment: str) -> bool:
    """Return whether a segment is `.` or `..`, percent-encoded or not."""
    # A percent-encoded triplet has three characters, so a longer segment cannot be a dot segment.
    return len(segment) <= len("%2E%2E") and decode_unreserved_triplets(segment) in {".", ".."}


def lowercase_ascii(text: str) -> str:
    """Convert only ASCII letters to lower case; `str.lower` would convert U+212A to "k"."""
    return text.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")
