"""Build URIs and IRIs from components, and explain why invalid components are rejected.

Any components can be composed ([RFC 3986, section 5.3][1]), but the result may parse into other
components. RFC 3986, 3, prevents that by restricting paths: after an authority, a path is empty or
begins with a slash; without an authority, it does not begin with two slashes; and the first segment
of a relative path contains no colon. The grammar has a rule for the path in each of these cases. So
if every component matches its rule, the string parses into exactly these components.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3
"""

from __future__ import annotations

from uriverse._errors import BuildError, Deferred, arguments_of

from .components import AllParts, composed, host_span
from .messages import BEFORE_COLON, BEFORE_ROOTLESS, BEFORE_SLASHES, build_error, missing_scheme
from .syntax import LONGEST_TEXT, matcher, matches
from .violation import host_rule, path_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from uriverse._errors import Arguments


#: The delimiters before and after each component that can be removed from every URI.
DELIMITERS = {"userinfo": ("", "@"), "port": (":", ""), "query": ("?", ""), "fragment": ("#", "")}


def coherent(parts: AllParts) -> bool:
    """Return false if there is a userinfo or a port without a host (RFC 3986, 3.2)."""
    return parts.host is not None or parts.userinfo is parts.port is None


def built(parts: AllParts, rule: str) -> str | None:
    """Compose a string from components, or return `None` if they form no URI (RFC 3986, 3)."""
    scheme, userinfo, host, port, path, query, fragment = parts
    i = "i" if "IRI" in rule else ""
    valid = (
        (matcher("scheme")(scheme) if scheme is not None else rule.endswith("-reference"))
        and (host is not None or userinfo is port is None)
        and (userinfo is None or matcher(f"{i}userinfo")(userinfo))
        and (host is None or matcher(host_rule(host, i))(host))
        and (port is None or matcher("port")(port))
        and matcher(path_rule(path, i, scheme=scheme is not None, authority=host is not None))(path)
        and (query is None or matcher(f"{i}query")(query))
        and (fragment is None or matcher(f"{i}fragment")(fragment))
    )
    return composed(parts) if valid else None


def exchanged(match: re.Match[str], number: int, part: str | None, rule: str) -> str | None:
    """Replace or remove one component of a URI; return `None` if the result would be no URI.

    The components are numbered as in `AllParts`. `match` is the match of Appendix B for the URI.
    """
    name = AllParts._fields[number]
    text = match.string
    start, end = match.span(name)
    if start < 0 or (part is None and name not in DELIMITERS):
        return replaced(match, {name: part}, rule)
    if part is None:
        before, after = DELIMITERS[name]
        return text[: start - len(before)] + text[end + len(after) :]
    if not matches(part, rule_in(match, name, part, "i" if "IRI" in rule else "")):
        return None
    return f"{text[:start]}{part}{text[end:]}"


def replaced(match: re.Match[str], changes: dict[str, str | None], rule: str) -> str | None:
    """Replace or remove components of a URI; return `None` if the result would be no URI.

    With a name that is not that of a component, return `None` too.
    """
    names = AllParts._fields
    components = [*match.group(*names)]
    for name, part in changes.items():
        if name not in names:
            return None
        components[names.index(name)] = part
    parts = AllParts._make(components)
    if parts.path is None:
        return None  # there is always a path
    scheme, host = match.group("scheme", "host")
    if (scheme is None, host is None) != (parts.scheme is None, parts.host is None):
        return built(parts, rule)  # the rule for the path is another one
    i = "i" if "IRI" in rule else ""
    for name, part in changes.items():
        if part is not None and not matches(part, rule_in(match, name, part, i)):
            return None
    return composed(parts) if coherent(parts) else None


def rule_in(match: re.Match[str], name: str, part: str, i: str) -> str:
    """Return the grammar rule for a new component of the URI that `match` has split."""
    if name == "path":
        scheme, authority = match["scheme"] is not None, match["host"] is not None
        return path_rule(part, i, scheme=scheme, authority=authority)
    if name == "host":
        return host_rule(part, i)
    return name if name in {"scheme", "port"} else f"{i}{name}"


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
OF_A_PATH = {hint: f"{hint}, or set protect_path=True" for hint in (BEFORE_SLASHES, BEFORE_COLON)}
OF_SEGMENTS = {
    BEFORE_SLASHES: f"set protect_path=True to {BEFORE_SLASHES}",
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


def failure_for(*arguments: Any) -> Arguments:
    """Return the arguments of the error that `error_for` returns."""
    return arguments_of(error_for(*arguments))


#: Creates the error later.
deferred_error_for = Deferred(BuildError, failure_for)
