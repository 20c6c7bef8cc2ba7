"""Translate constructor strings of `URLPattern` to rules ([URL Pattern][1]).

[1]: https://urlpattern.spec.whatwg.org/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from uriverse._engine import annotate
from uriverse._matching.url_patterns import (
    COMPONENTS,
    Part,
    Token,
    encoded,
    end_of_protocol,
    parts_of,
    tokens_of,
    without_braces,
)
from uriverse._spec.percent import plain

from .foreign_rules import DEFAULT_PORTS, EVERY_HOST, Given, origin_of
from .rules import Rule

#: The protocols that a rule can express.
PROTOCOLS = {
    "ftp": ("ftp",),
    "http": ("http",),
    "https": ("https",),
    "http{s}?": ("http", "https"),
    "ws": ("ws",),
    "wss": ("wss",),
    "ws{s}?": ("ws", "wss"),
}

#: The forms of the components that a rule can express.
HINTS = {
    "hostname": 'write a name, "*." and a name, or "{*.}?" and a name',
    "port": 'write a number, "*" for every port, or nothing for the default port',
    "pathname": 'use "*" only as the last segment, and ":name" for a part of one segment',
    "search": 'write the query in full, or "*" for every query',
    "hash": 'remove everything from "#" on, or write "#*"',
}

#: The start of a hostname that matches a name and all names below it.
OPTIONAL_SUBDOMAINS = [
    ("open", "{"),
    ("asterisk", "*"),
    ("char", "."),
    ("close", "}"),
    ("modifier", "?"),
]


def rules_from_url_pattern(text: str, /) -> tuple[Rule, ...]:
    """Translate the constructor string of a `URLPattern` to rules ([URL Pattern][1]).

    | part of the pattern | forms that a rule can express |
    |---|---|
    | protocol | a fixed one, `http{s}?` or `ws{s}?` |
    | hostname | a fixed one, `*.` and a name, or `{*.}?` and a name |
    | port | a fixed one, `*`, or none for the default port |
    | pathname | fixed text, `:name` for a part of one segment, and `*` as the last segment |
    | search | fixed text, `*`, or none for every query |
    | hash | `*` or none |

    A pattern that consists only of an origin allows every path. Rules do not allow URLs with
    userinfo, which a pattern allows by default. They compare URLs in normal form, so they also
    allow other spellings of a URL that the pattern matches, such as `/%61` for `/a`.

    [1]: https://urlpattern.spec.whatwg.org/#constructor-string-parsing

    Args:
        text: the pattern. It must contain a protocol, because the function takes no base URL.

    Returns:
        The rules, without duplicates.

    Raises:
        RuleError: the pattern is invalid, or no rule can express it, for example because it
            contains a regular expression, an optional group or a modifier.
        TypeError: the pattern is not a `str`.

    >>> for rule in rules_from_url_pattern("http{s}?://{*.}?example.com/:file.js"):
    ...     print(rule)
    http://example.com/*.js
    http://*.example.com/*.js
    https://example.com/*.js
    https://*.example.com/*.js
    >>> print(*rules_from_url_pattern("https://example.com/search?q=a"))
    https://example.com/search?q=a
    """
    given = Given(plain(text), "URLPattern")
    tokens = list(tokens_of(given))
    colon = end_of_protocol(given, tokens)
    protocol = given.text[: tokens[colon].start].lower()
    if protocol not in PROTOCOLS:
        hint = f"use {', '.join(PROTOCOLS)}; or write a pattern for each protocol"
        raise given.error(0, "scheme", "unsupported protocol", hint)
    parts = parts_of(given, tokens[colon + 2 :])
    starts = {COMPONENTS[component]: part.start for component, part in parts.items()}
    hosts = hosts_of(given, parts["hostname"])
    port = port_of(given, parts.get("port"), PROTOCOLS[protocol])
    path, query = path_of(given, parts), query_of(given, parts)
    after_origin = path + query if query or path != "/" else ""
    texts = (
        origin_of(scheme, host, port) + after_origin
        for scheme in PROTOCOLS[protocol]
        for host in hosts
    )
    return tuple(dict.fromkeys(given.rule(rule, {"scheme": 0, **starts}) for rule in texts))


rules_from_url_pattern.__module__ = "uriverse"
annotate(rules_from_url_pattern)


def hosts_of(given: Given, part: Part) -> tuple[str, ...]:
    """Return the hosts of the rules."""
    optional = [(token.kind, token.value) for token in part.tokens[:5]] == OPTIONAL_SUBDOMAINS
    tokens = without_braces(given, "hostname", part._replace(tokens=part.tokens[5 * optional :]))
    if [token.kind for token in tokens] == ["asterisk"]:
        raise given.error(part.start, "host", "a rule cannot allow every host", EVERY_HOST)
    below = len(tokens) > 1 and tokens[0].kind == "asterisk" and tokens[1].separates(".")
    name = fixed_text(given, "hostname", tokens[2 * below :])
    given.require_host(name, part.start)
    if "*" in name:
        raise given.error(part.start, "host", 'invalid character "*" in host', HINTS["hostname"])
    return (name, f"*.{name}") if optional else (f"*.{name}" if below else name,)


def port_of(given: Given, part: Part | None, schemes: Sequence[str]) -> str:
    """Return the port of the rules; `""` for the default port, and `"*"` for every port."""
    tokens = without_braces(given, "port", part) if part else []
    if not part or not tokens:
        return ""
    if [token.kind for token in tokens] == ["asterisk"]:
        return "*"
    port = given.port(fixed_text(given, "port", tokens), part.start)
    if len(schemes) > 1 and port in {str(DEFAULT_PORTS[scheme]) for scheme in schemes}:
        reason = "the port is the default port of only one of the protocols"
        raise given.error(part.start, "port", reason, "write a pattern for each protocol")
    return port


def path_of(given: Given, parts: Mapping[str, Part]) -> str:
    """Return the path of the rules; `"/"` for every path."""
    part = parts.get("pathname")
    if part is None:
        later = next((parts[name] for name in ("search", "hash") if name in parts), None)
        if later is not None:
            # URL Pattern, 1.6, "change state": the pathname is then "/".
            reason = 'the missing path is "/", and a rule with this path allows everything below'
            raise given.error(later.start - 1, "path", reason, 'write a path, such as "/*"')
        return "/"
    tokens = without_braces(given, "pathname", part)
    is_subtree = tokens[-1].kind == "asterisk" and tokens[-2].separates("/")
    if is_subtree:
        del tokens[-1]
    path = "".join(path_pieces(given, tokens))
    given.require_no_dot_segments(path, part.start)
    if not is_subtree:
        given.require_exact_path(path, tokens[-1].end - len(path))
    return path


def path_pieces(given: Given, tokens: Sequence[Token]) -> Iterator[str]:
    """Return the characters of a path. A rule also writes a named group as `*`."""
    previous = ""
    for token in tokens:
        if token.kind == "asterisk" or token.kind == previous == "name":
            reason = "a rule cannot have a wildcard here"
            raise given.error(token.start, "path", reason, HINTS["pathname"])
        previous = token.kind
        yield "*" if previous == "name" else encoded(given, "pathname", token)


def query_of(given: Given, parts: Mapping[str, Part]) -> str:
    """Return the query of the rules with its `?`; `""` for every query."""
    if "hash" in parts:
        tokens = parts["hash"].tokens
        if [token.kind for token in tokens] != ["asterisk"]:
            reason = "a rule ignores the fragment"
            raise given.error(parts["hash"].start, "fragment", reason, HINTS["hash"])
    if "search" not in parts:
        # URL Pattern, 1.6, "change state": before a hash, the search is then "".
        return "?" if "hash" in parts else ""
    tokens = without_braces(given, "search", parts["search"])
    if [token.kind for token in tokens] == ["asterisk"]:
        return ""
    fixed_text(given, "search", tokens)
    query = "".join(encoded(given, "search", token) for token in tokens)
    return f"?{query.replace('*', '%2A')}"  # a rule has no wildcard in its query


def fixed_text(given: Given, component: str, tokens: Sequence[Token]) -> str:
    """Return the characters that tokens stand for; raise `RuleError` for wildcards."""
    for token in tokens:
        if not token.is_fixed:
            reason = "a rule cannot have a wildcard here"
            raise given.error(token.start, COMPONENTS[component], reason, HINTS[component])
    return "".join(token.value for token in tokens)
