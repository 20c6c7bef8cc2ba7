"""Putting parts together so that they are read back as the same parts, or not at all.

[RFC 3986, section 5.3](https://www.rfc-editor.org/rfc/rfc3986#section-5.3) composes
whatever it is given. What makes the result ambiguous is stated in section 3: a path
after an authority is empty or begins with a slash; without one it can't begin with
two; and the first segment of a relative path has no colon.
"""

from __future__ import annotations

from uriverse.errors import BuildError

from .components import AllParts, Bounds, composed, host_span
from .messages import BEFORE_COLON, BEFORE_ROOTLESS, BEFORE_SLASHES, an, build_error
from .syntax import LONGEST_TEXT, matches
from .violation import host_rule, path_rule


def intended(parts: AllParts) -> Bounds:
    """Where the parts must be found in the text that is composed of them."""
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
    """Whether each part has the part it stands beside (3.2): without a host, no authority."""
    return parts.host is not None or parts.userinfo is parts.port is None


def shielded(parts: AllParts) -> AllParts:
    """The parts with a dot segment before a path that would be read as something else.

    Removing dot segments (5.2.4) takes it away again.
    """
    if parts.host is None and parts.path.startswith("//"):
        return parts._replace(path=f"/.{parts.path}")
    first_segment = parts.path.partition("/")[0]
    if parts.host is None and parts.scheme is None and ":" in first_segment:
        return parts._replace(path=f"./{parts.path}")
    return parts


#: The hints for a path that is invalid here: one set for path strings, one for segments.
OF_A_PATH = {hint: f"{hint}, or set shield=True" for hint in (BEFORE_SLASHES, BEFORE_COLON)}
OF_SEGMENTS = {
    BEFORE_SLASHES: "set shield=True",
    BEFORE_ROOTLESS: 'begin the segments with "", as in ["", "a", "b"]',
}


def error_for(
    parts: AllParts, rule: str, authority: str | None, shield: int, *, segments: bool
) -> BuildError:
    """Why the parts make no `rule` that is read back as them.

    Args:
        parts: the parts.
        rule: the rule.
        authority: what userinfo, host and port were taken from, if they were.
        shield: how many characters were put before the path that was given.
        segments: whether the path was given as segments.
    """
    i = "i" if "IRI" in rule else ""
    if len(composed(parts)) > LONGEST_TEXT:
        longest = max((part for part in parts if part is not None), key=len)
        reason = f"together they have more than {LONGEST_TEXT:,} characters"
        return BuildError(longest, 0, AllParts._fields[parts.index(longest)], rule, reason)
    if parts.scheme is None and not rule.endswith("-reference"):
        reason = f"{an(rule)} has a scheme"
        hint = f"build {an(rule)}-reference without one"
        return BuildError("", 0, "scheme", "scheme", reason, hint)
    if not coherent(parts):
        component = "port" if parts.userinfo is None else "userinfo"
        reason = f"a {component} stands beside a host, and there is none"
        hint = 'give a host; host="" is an empty one'
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
    raise AssertionError("parts that all meet their rules are read back as they are")
