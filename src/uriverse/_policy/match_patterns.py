"""Translate match patterns of browser extensions to rules."""

from __future__ import annotations

from uriverse._engine import annotate
from uriverse._spec.percent import plain

from .foreign_rules import EVERY_HOST, PARTS, Given, origin_of
from .rules import Rule

#: The schemes that the scheme of a match pattern stands for.
SCHEMES = {
    "*": ("http", "https"),
    "http": ("http",),
    "https": ("https",),
    "ws": ("ws",),
    "wss": ("wss",),
    "ftp": ("ftp",),
}


def rules_from_match_pattern(text: str, /) -> tuple[Rule, ...]:
    """Translate a match pattern of a browser extension to rules ([Chrome][1], [MDN][2]).

    Where browsers differ, the rules allow only URLs that all of them match:

    - `*://` stands for `http` and `https`, not for `ws` and `wss`.
    - `/foo/*` does not match `/foo`.

    Rules compare URLs in normal form. They also allow other spellings of a URL that the pattern
    matches, such as `/%61` for `/a`, and an empty query where the pattern has none.

    [1]: https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns
    [2]: https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/Match_patterns

    Args:
        text: the match pattern. If it has no port, it matches every port.

    Returns:
        The rules, without duplicates. `*.example.com` also matches `example.com`, so it yields two
        rules for each scheme.

    Raises:
        RuleError: the pattern is invalid, or no rule can express it: `<all_urls>`, the host `*`,
            the scheme `file`, or a `*` in the path that is not the last segment.
        TypeError: the pattern is not a `str`.

    >>> for rule in rules_from_match_pattern("*://*.example.com/docs/*"):
    ...     print(rule)
    http://example.com:*/docs/
    http://*.example.com:*/docs/
    https://example.com:*/docs/
    https://*.example.com:*/docs/
    >>> print(*rules_from_match_pattern("https://example.com/a?b=c"))
    https://example.com:*/a?b=c
    """
    given = Given(plain(text), "match-pattern")
    if given.text == "<all_urls>":
        raise given.error(0, "text", "a rule cannot allow all URLs", EVERY_HOST)
    parts = PARTS.fullmatch(given.text)
    assert parts is not None, "the pattern matches every string"
    starts = {name: max(parts.start(name), 0) for name in parts.groupdict()}
    schemes = schemes_of(given, parts["scheme"])
    host = parts["host"]
    given.require_host(host, starts["host"])
    port = "*" if parts["port"] is None else given.port(parts["port"], starts["port"])
    if parts["path"] is None:
        raise given.error(starts["rest"], "path", "missing path", 'append "/*" to the host')
    path = path_and_query(given, parts["path"], parts["rest"], starts["path"])
    starts["query"] = starts["rest"]
    hosts = (host[2:], host) if host.startswith("*.") else (host,)
    texts = (origin_of(scheme, name, port) + path for scheme in schemes for name in hosts)
    return tuple(dict.fromkeys(given.rule(text, starts) for text in texts))


rules_from_match_pattern.__module__ = "uriverse"
annotate(rules_from_match_pattern)


def schemes_of(given: Given, scheme: str | None) -> tuple[str, ...]:
    """Return the schemes that the scheme of a pattern stands for."""
    if scheme == "file":
        reason = "a rule cannot allow local files"
        raise given.error(
            0, "scheme", reason, "remove the pattern; a policy is for URLs with a host"
        )
    hint = 'start with "*://", "http://" or "https://"'
    if scheme is None:
        raise given.error(0, "scheme", "missing scheme", hint)
    if scheme not in SCHEMES:
        raise given.error(0, "scheme", "unsupported scheme", hint)
    return SCHEMES[scheme]


def path_and_query(given: Given, path: str, rest: str, start: int) -> str:
    """Return the path and the query of the rules."""
    end = start + len(path)
    if "#" in rest:
        reason = "fragment in pattern: browsers match URLs without their fragment"
        raise given.error(
            end + rest.index("#"), "fragment", reason, 'remove everything from "#" on'
        )
    given.require_no_dot_segments(path, start)
    wildcard = (path + rest).find("*")
    if wildcard < 0:
        given.require_exact_path(path, start)
        return path + (rest or "?")
    if wildcard < len(path + rest) - 1 or rest or not path.endswith("/*"):
        reason = 'a "*" here crosses segments, or includes the query'
        hint = 'use "*" only as the last segment, as in "/docs/*", or write rules instead'
        raise given.error(
            start + wildcard, "query" if wildcard >= len(path) else "path", reason, hint
        )
    return "" if path == "/*" else path[:-1]
