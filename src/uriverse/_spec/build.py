"""Build URIs and IRIs from components, and explain why invalid components are rejected.

Any components can be composed (RFC 3986, 5.3), but the result may parse into other components. The
grammar prevents that with a rule for the path in each case (RFC 3986, 3). So if every component
matches its rule, the string parses into exactly these components.
"""

from __future__ import annotations

from uriverse._errors import BuildError, Deferred

from .components import AllParts, compose_all_parts, find_host_span
from .messages import (
    BEFORE_COLON,
    BEFORE_ROOTLESS,
    BEFORE_SLASHES,
    describe_invalid_component,
    explain_missing_scheme,
)
from .syntax import LONGEST_TEXT, get_matcher, matches
from .violation import choose_component_rule, choose_host_rule, choose_path_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from uriverse._errors import Arguments


#: The delimiters before and after each component that can be removed from every URI.
DELIMITERS = {"userinfo": ("", "@"), "port": (":", ""), "query": ("?", ""), "fragment": ("#", "")}


def has_host_if_needed(parts: AllParts) -> bool:
    """RFC 3986, 3.2: a userinfo and a port need a host."""
    return parts.host is not None or parts.userinfo is parts.port is None


def compose_if_valid(parts: AllParts, rule: str) -> str | None:
    """Compose a string from components, or return `None` if they form no URI (RFC 3986, 3)."""
    scheme, userinfo, host, port, path, query, fragment = parts
    prefix = "i" if "IRI" in rule else ""
    if scheme is None and not rule.endswith("-reference"):
        return None
    if host is None and (userinfo is not None or port is not None):
        return None
    path_rule = choose_path_rule(
        path, prefix, scheme=scheme is not None, authority=host is not None
    )
    # Chained, because a loop over a table of components takes 1.3 times as long.
    is_valid = (
        (scheme is None or get_matcher("scheme")(scheme))
        and (userinfo is None or get_matcher(f"{prefix}userinfo")(userinfo))
        and (host is None or get_matcher(choose_host_rule(host, prefix))(host))
        and (port is None or get_matcher("port")(port))
        and get_matcher(path_rule)(path)
        and (query is None or get_matcher(f"{prefix}query")(query))
        and (fragment is None or get_matcher(f"{prefix}fragment")(fragment))
    )
    return compose_all_parts(parts) if is_valid else None


def replace_component(match: re.Match[str], number: int, part: str | None, rule: str) -> str | None:
    """Replace or remove a component, by its number in `AllParts`; `None` if that is invalid."""
    name = AllParts._fields[number]
    text = match.string
    start, end = match.span(name)  # -1 if the component is absent
    if start < 0 or (part is None and name not in DELIMITERS):
        return replace_components(match, {name: part}, rule)
    if part is None:
        delimiter_before, delimiter_after = DELIMITERS[name]
        return text[: start - len(delimiter_before)] + text[end + len(delimiter_after) :]
    if not matches(part, choose_component_rule(match, name, part, "i" if "IRI" in rule else "")):
        return None
    return f"{text[:start]}{part}{text[end:]}"


def replace_components(
    match: re.Match[str], changes: dict[str, str | None], rule: str
) -> str | None:
    """Replace or remove components; `None` if that is invalid, or if a name is unknown."""
    names = AllParts._fields
    components = [*match.group(*names)]
    for name, part in changes.items():
        if name not in names:
            return None
        components[names.index(name)] = part
    parts = AllParts._make(components)
    if parts.path is None:  # every URI has a path
        return None
    scheme, host = match.group("scheme", "host")
    if (scheme is None, host is None) != (parts.scheme is None, parts.host is None):
        # With or without a scheme or an authority, the path must match another rule.
        return compose_if_valid(parts, rule)
    prefix = "i" if "IRI" in rule else ""
    for name, part in changes.items():
        if part is not None and not matches(part, choose_component_rule(match, name, part, prefix)):
            return None
    return compose_all_parts(parts) if has_host_if_needed(parts) else None


def shield_path(parts: AllParts) -> AllParts:
    """Insert a dot segment before a path that would be parsed as an authority or a scheme."""
    if parts.host is None and parts.path.startswith("//"):
        return parts._replace(path=f"/.{parts.path}")
    first_segment = parts.path.partition("/")[0]
    if parts.host is None and parts.scheme is None and ":" in first_segment:
        return parts._replace(path=f"./{parts.path}")
    return parts


#: Hints for an invalid path: one table for paths given as strings, one for paths given as segments.
PATH_HINTS = {hint: f"{hint}, or set protect_path=True" for hint in (BEFORE_SLASHES, BEFORE_COLON)}
SEGMENT_HINTS = {
    BEFORE_SLASHES: f"set protect_path=True to {BEFORE_SLASHES}",
    BEFORE_ROOTLESS: 'add "" as the first segment, as in ["", "a", "b"]',
}


def describe_build_error(
    parts: AllParts, rule: str, authority: str | None, shield_length: int, by_segments: bool
) -> Arguments:
    """Return the arguments of the error for components from which no valid URI can be built.

    `authority` is set if the caller passed one, not its parts; `by_segments` is true if the path
    was passed as segments. A dot segment of `shield_length` characters precedes the path.
    """
    prefix = "i" if "IRI" in rule else ""
    if len(compose_all_parts(parts)) > LONGEST_TEXT:
        longest = max((part for part in parts if part is not None), key=len)
        reason = f"components too long: the limit is {LONGEST_TEXT:,} characters in total"
        return longest, 0, AllParts._fields[parts.index(longest)], rule, reason, ""
    if parts.scheme is None and not rule.endswith("-reference"):
        hint = f"pass a scheme, or build a relative reference with {rule}Reference"
        return "", 0, "scheme", "scheme", explain_missing_scheme(rule), hint
    if not has_host_if_needed(parts):
        component = "port" if parts.userinfo is None else "userinfo"
        reason = f"{component} without a host: an authority always has a host"
        hint = 'pass a host, or host="" for an empty host'
        return "", 0, component, f"{prefix}authority", reason, hint
    component, component_rule, part = find_invalid_component(parts, prefix)
    error = describe_invalid_component(part, component, component_rule)
    text, position, _, violated_rule, reason, hint = error
    if component == "path":
        # Errors point into the path as the caller wrote it, without an inserted dot segment.
        text, position = text[shield_length:], position - shield_length
        hint = (SEGMENT_HINTS if by_segments else PATH_HINTS).get(hint, hint)
    elif authority is not None and component in {"userinfo", "host", "port"}:
        host_start, host_end = find_host_span(authority, 0, len(authority))
        position += {"userinfo": 0, "host": host_start, "port": host_end + 1}[component]
        text = authority
    return text, position, component, violated_rule, reason, hint


def find_invalid_component(parts: AllParts, prefix: str) -> tuple[str, str, str]:
    """Return the first component that does not match its grammar rule: name, rule and text."""
    has_scheme, has_authority = parts.scheme is not None, parts.host is not None
    path_rule = choose_path_rule(parts.path, prefix, scheme=has_scheme, authority=has_authority)
    for component, rule, part in (
        ("scheme", "scheme", parts.scheme),
        ("userinfo", f"{prefix}userinfo", parts.userinfo),
        ("host", choose_host_rule(parts.host or "", prefix), parts.host),
        ("port", "port", parts.port),
        ("path", path_rule, parts.path),
        ("query", f"{prefix}query", parts.query),
        ("fragment", f"{prefix}fragment", parts.fragment),
    ):
        if part is not None and not matches(part, rule):
            return component, rule, part
    raise AssertionError("components that all match their rules parse back unchanged")


#: Raised in the place of a `BuildError`: the explanation is computed when the error is examined.
deferred_build_error = Deferred(BuildError, describe_build_error)
