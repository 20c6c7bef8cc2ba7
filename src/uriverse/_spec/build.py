"""Build URIs and IRIs from components, and explain why invalid components are rejected.

Any components can be composed ([RFC 3986, section 5.3][1]), but the result may parse into other
components. RFC 3986, 3, prevents that by restricting paths: after an authority, a path is empty or
begins with a slash; without an authority, it does not begin with two slashes; and the first segment
of a relative path contains no colon.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3
"""

from __future__ import annotations

from uriverse.errors import BuildError, Deferred

from .components import AllParts, Bounds, composed, host_span
from .messages import BEFORE_COLON, BEFORE_ROOTLESS, BEFORE_SLASHES, build_error, missing_scheme
from .syntax import LONGEST_TEXT, matches
from .violation import host_rule, path_rule


def intended(parts: AllParts) -> Bounds:
    """Return the offsets that the components should have in the composed string.

    If parsing the string returns other offsets, the components cannot be composed: a character of
    one component would be parsed as part of another component.
    """
    at = 0
    scheme_end = authority = host = host_end = -1
    if parts.scheme is not None:
        scheme_end = len(parts.scheme)
        at = scheme_end + 1
    if parts.host is not None:
        authority = host = at + 2
        if parts.userinfo is not None:
            host += len(parts.userinfo) + 1
        at = host_end = host + len(parts.host)
        if parts.port is not None:
            at += 1 + len(parts.port)
    path_end = at + len(parts.path)
    query_end = path_end if parts.query is None else path_end + 1 + len(parts.query)
    return Bounds(scheme_end, authority, host, host_end, at, path_end, query_end)


def coherent(parts: AllParts) -> bool:
    """Return false if there is a userinfo or a port without a host (RFC 3986, 3.2)."""
    return parts.host is not None or parts.userinfo is parts.port is None


def shielded(parts: AllParts) -> AllParts:
    """Insert a dot segment before a path that would be parsed as an authority or a scheme.

    Removing dot segments (RFC 3986, 5.2.4) removes the inserted dot segment again.
    """
    if parts.host is None and parts.path.startswith("//"):
        return parts._replace(path=f"/.{parts.path}")
    first_segment = parts.path.partition("/")[0]
    if parts.host is None and parts.scheme is None and ":" in first_segment:
        return parts._replace(path=f"./{parts.path}")
    return parts


#: Hints for an invalid path: one table for paths given as strings, one for paths given as segments.
OF_A_PATH = {hint: f"{hint}, or set shield=True" for hint in (BEFORE_SLASHES, BEFORE_COLON)}
OF_SEGMENTS = {
    BEFORE_SLASHES: f"set shield=True to {BEFORE_SLASHES}",
    BEFORE_ROOTLESS: 'add "" as the first segment, as in ["", "a", "b"]',
}


def error_for(
    parts: AllParts, rule: str, authority: str | None, shield: int, segments: bool
) -> BuildError:
    """Return the error for components from which no valid URI can be built.

    Args:
        parts: the components.
        rule: the grammar rule that the URI must match.
        authority: the authority that was split into userinfo, host and port, if one was given.
        shield: the number of characters that were inserted before the given path.
        segments: whether the path was given as segments.
    """
    i = "i" if "IRI" in rule else ""
    if len(composed(parts)) > LONGEST_TEXT:
        longest = max((part for part in parts if part is not None), key=len)
        reason = f"components too long: the limit is {LONGEST_TEXT:,} characters in total"
        return BuildError(longest, 0, AllParts._fields[parts.index(longest)], rule, reason)
    if parts.scheme is None and not rule.endswith("-reference"):
        hint = f"pass a scheme, or build a relative reference with {rule}Reference"
        return BuildError("", 0, "scheme", "scheme", missing_scheme(rule), hint)
    if not coherent(parts):
        component = "port" if parts.userinfo is None else "userinfo"
        reason = f"{component} without a host: an authority always has a host"
        hint = 'pass a host, or host="" for an empty host'
        return BuildError("", 0, component, f"{i}authority", reason, hint)
    has_scheme, has_authority = parts.scheme is not None, parts.host is not None
    for component, component_rule, part in (
        ("scheme", "scheme", parts.scheme),
        ("userinfo", f"{i}userinfo", parts.userinfo),
        ("host", host_rule(parts.host or "", i), parts.host),
        ("port", "port", parts.port),
        ("path", path_rule(parts.path, i, scheme=has_scheme, authority=has_authority), parts.path),
        ("query", f"{i}query", parts.query),
        ("fragment", f"{i}fragment", parts.fragment),
    ):
        if part is not None and not matches(part, component_rule):
            error = build_error(part, component, component_rule)
            if component == "path":
                error.text, error.position = part[shield:], error.position - shield
                instead = OF_SEGMENTS if segments else OF_A_PATH
                error.hint = instead.get(error.hint, error.hint)
            elif authority is not None and component in {"userinfo", "host", "port"}:
                host, host_end = host_span(authority, 0, len(authority))
                offset = {"userinfo": 0, "host": host, "port": host_end + 1}[component]
                error.text, error.position = authority, error.position + offset
            return error
    raise AssertionError("components that all match their rules parse back unchanged")


#: Creates the same error, but later.
deferred_error_for = Deferred(BuildError, error_for)
