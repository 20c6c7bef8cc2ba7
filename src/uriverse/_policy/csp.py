"""Translate source lists of a content security policy ([CSP Level 3][1]) to rules.

[1]: https://www.w3.org/TR/CSP3/#match-url-to-source-list
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from uriverse._engine import Identifier, annotate, as_text
from uriverse._errors import RuleError
from uriverse._identifiers import URI
from uriverse._matching.hosts import is_plain_domain
from uriverse._patterns import lazy_pattern
from uriverse._spec.percent import plain
from uriverse._typed.http import WEB_SCHEMES

from .foreign_rules import EVERY_HOST, PARTS, Given, origin_of
from .rules import Rule

#: A source expression. Only ASCII whitespace separates source expressions.
EXPRESSION = lazy_pattern(r"[^\t\n\f\r ]++")

#: The name of a directive, which people pass with its value by mistake.
DIRECTIVE = lazy_pattern(
    r"[\t\n\f\r ]*+(?P<name>[a-z-]+?-(?:src(?:-elem|-attr)?|action|ancestors|uri))"
    r"(?=[\t\n\f\r ]|\Z)",
    re.IGNORECASE | re.ASCII,
)

SCHEME_SOURCE = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*+:\Z")
HOST_PART = lazy_pattern(r"(?:\*\.)?(?P<name>[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)*+)\Z")

# path-absolute of RFC 3986, but without ";" and ",".
PATH_PART = lazy_pattern(r"/(?!/)(?:[A-Za-z0-9\-._~!$&'()*+=:@/]|%[0-9A-Fa-f]{2})*+")

#: The encoded characters that a path may contain unencoded, except "*".
ENCODED = lazy_pattern(r"%(?:2[146-9BbCc]|3[ABDabd]|40)")

#: The schemes that the scheme of a source matches. It may be upgraded to a secure one.
UPGRADES = {
    "http": ("http", "https"),
    "https": ("https",),
    "ws": ("ws", "wss"),
    "wss": ("wss",),
    "ftp": ("ftp",),
}

#: The keywords that do not affect which URLs match. `'none'` is ignored next to other sources.
OTHER_KEYWORDS = {
    "'none'",
    "'inline-speculation-rules'",
    "'report-sample'",
    "'report-sha256'",
    "'report-sha384'",
    "'report-sha512'",
    "'trusted-types-eval'",
    "'unsafe-allow-redirects'",
    "'unsafe-eval'",
    "'unsafe-hashes'",
    "'unsafe-inline'",
    "'unsafe-webtransport-hashes'",
    "'wasm-unsafe-eval'",
}

#: The starts of quoted sources that no rule can express, with the reason and the hint.
INEXPRESSIBLE = {
    "'strict-dynamic'": (
        "'strict-dynamic' makes browsers ignore the hosts in the list",
        "remove it if the hosts in the list are the ones to allow",
    ),
    "'nonce-": ("a nonce allows an element, not a URL", "remove the nonce"),
    "'sha": ("a hash allows the content of a script or style, not a URL", "remove the hash"),
}


class Origin(NamedTuple):
    """The origin of a page; the port is empty if it is the default port."""

    scheme: str
    host: str
    port: str


def rules_from_csp(source: str, /, *, page: str | Identifier) -> tuple[Rule, ...]:
    """Translate the source list of a content security policy to rules ([CSP Level 3][1]).

    The rules never allow a URL that the source list does not match. They allow fewer URLs in these
    cases:

    - After a redirect, browsers ignore the paths of sources. Rules do not.
    - A `ws` or `wss` source matches WebSocket URLs only. In CSP, it also matches `http` and `https`
      URLs, because a WebSocket connection starts with an HTTP request.
    - In CSP, percent-encoded characters are equal to unencoded ones. A path with encoded reserved
      characters, such as `%3B`, yields two rules: one with all of them encoded, and one with none.
      A rule does not match the encoded form of a reserved character that the source contains
      unencoded.
    - `Policy` rejects ambiguous URLs, such as those with `%2F` in the path.

    Keywords that do not affect URLs, such as `'unsafe-inline'`, are ignored.

    [1]: https://www.w3.org/TR/CSP3/#match-url-to-source-list

    Args:
        source: the value of one directive, without the name of the directive.
        page: the URL of the page that the policy protects, for `'self'` and for sources without a
            scheme.

    Returns:
        The rules, without duplicates, in the order of the sources. For `'none'` and for an empty
        list, the tuple is empty.

    Raises:
        RuleError: a source is invalid, or no rule can express it: `*`, a scheme such as `https:`, a
            nonce, a hash or `'strict-dynamic'`. Or `page` has neither of the schemes `http` and
            `https`.
        ParseError: `page` is not a valid URI.
        TypeError: an argument has the wrong type.

    >>> for rule in rules_from_csp("'self' cdn.example.com/js/", page="https://example.org/"):
    ...     print(rule)
    https://example.org
    wss://example.org
    https://cdn.example.com/js/
    >>> rules_from_csp("'none'", page="https://example.org/")
    ()
    """
    given = Given(plain(source), "serialized-source-list")
    origin = origin_of_page(page)
    directive = DIRECTIVE.match(given.text)
    if directive is not None:
        reason, hint = "unexpected directive name", "pass only the source list after the name"
        raise given.error(directive.start("name"), "text", reason, hint)
    rules: dict[Rule, None] = {}
    for expression in EXPRESSION.finditer(given.text):
        start = expression.start()
        if expression[0].startswith("'"):
            rules |= keyword_rules(given, origin, expression[0].lower(), start)
        else:
            rules |= host_rules(given, origin, expression[0], start)
    return tuple(rules)


rules_from_csp.__module__ = "uriverse"
annotate(rules_from_csp)


def origin_of_page(page: str | Identifier) -> Origin:
    """Return the origin of a page."""
    uri = URI(as_text(page)).normalize(scheme=True)
    if uri.scheme not in WEB_SCHEMES or not uri.host:
        reason, hint = "page without an http or https origin", "pass the http or https URL"
        raise RuleError(as_text(page), 0, "scheme", "origin", reason, hint)
    return Origin(uri.scheme, uri.host, uri.port_text or "")


def keyword_rules(given: Given, origin: Origin, keyword: str, start: int) -> dict[Rule, None]:
    """Return the rules for a source in quotes, as the keys of a dictionary."""
    if keyword == "'self'":
        given.require_host(origin.host, start)
        return {given.rule(text, {"scheme": start}): None for text in own_origins(origin)}
    if keyword in OTHER_KEYWORDS:
        return {}
    for beginning, (reason, hint) in INEXPRESSIBLE.items():
        if keyword.startswith(beginning):
            raise given.error(start, "text", reason, hint)
    raise given.error(start, "text", "unknown keyword", "correct it, or remove it")


def own_origins(origin: Origin) -> Iterator[str]:
    """Return the origins that `'self'` matches.

    The scheme may be upgraded if both ports are the same, or both are default ports.
    """
    secure = ("https", "wss")
    for scheme in ("http", "https", "ws", "wss") if origin.scheme == "http" else secure:
        text = origin_of(scheme, origin.host, origin.port)
        if not origin.port or text.endswith(f":{origin.port}"):
            yield text


def host_rules(given: Given, origin: Origin, expression: str, start: int) -> dict[Rule, None]:
    """Return the rules for a source without quotes, as the keys of a dictionary."""
    if SCHEME_SOURCE.match(expression):
        reason, hint = "a rule cannot allow all URLs of a scheme", EVERY_HOST
        raise given.error(start, "scheme", reason, hint)
    parts = PARTS.fullmatch(expression)
    assert parts is not None, "the pattern matches every string"
    starts = {name: start + max(parts.start(name), 0) for name in parts.groupdict()}
    require_host_part(given, parts["host"], starts["host"])
    scheme = origin.scheme if parts["scheme"] is None else parts["scheme"].lower()
    if scheme not in UPGRADES:
        reason = "unsupported scheme: sources match only URLs whose hosts are domain names"
        raise given.error(start, "scheme", reason, f"use {', '.join(UPGRADES)}")
    port = "" if parts["port"] is None else given.port(parts["port"], starts["port"])
    path = parts["path"] or ""
    require_path_part(given, path, starts["path"])
    if parts["rest"]:
        reason = "a source has no query and no fragment"
        raise given.error(starts["rest"], "query", reason, "remove everything from here on")
    return {
        given.rule(origin_of(upgrade, parts["host"].lower(), port) + spelling, starts): None
        for upgrade in UPGRADES[scheme]
        for spelling in spellings(path)
    }


def require_host_part(given: Given, host: str, start: int) -> None:
    """Raise `RuleError` for a host that is not a domain name, with or without a wildcard."""
    given.require_host(host, start)
    matched = HOST_PART.match(host)
    if matched is None:
        hint = "use only letters, digits, hyphens and dots; write other letters in Punycode"
        raise given.error(start, "host", "invalid host", hint)
    if not is_plain_domain(matched["name"].lower()):
        reason = "a source matches domain names only"
        hint = "if the host is an address, remove the source and write a rule for the address"
        raise given.error(start, "host", reason, hint)


def require_path_part(given: Given, path: str, start: int) -> None:
    """Raise `RuleError` for a path that is invalid in a source."""
    matched = PATH_PART.match(path)
    valid = len(path) and (matched.end() if matched else 1)
    if valid < len(path):
        hint = "percent-encode it; to pass several directives, translate each of them alone"
        raise given.error(start + valid, "path", "invalid character in path", hint)
    given.require_no_dot_segments(path, start)


def spellings(path: str) -> list[str]:
    """Return the paths of the rules for the path of a source.

    CSP compares decoded segments. An asterisk is a wildcard in a rule, but not in a source.
    """
    if path == "/":
        return [""]
    literal = path.replace("*", "%2A")
    return [ENCODED.sub(decoded, literal), literal]


def decoded(triplet: re.Match[str]) -> str:
    """Return the character that a percent-encoded triplet stands for."""
    return chr(int(triplet[0][1:], 16))
