"""Answer the vectors of `url_rules` with another checker: `python url_rule_checkers.py NAME`.

Each checker needs only its own package, and none needs uriverse, so that this file can run in the
environment of the checker. Without a name, it prints the versions of the checkers that are
installed, as JSON.

A rule is translated to the language of the checker with the options that fit best. If the language
cannot express a rule, the answer is `null`.
"""

from __future__ import annotations

import json
import logging
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from ipaddress import IPv6Address
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlparse

DEFAULT_PORTS = {"http": "80", "https": "443"}

Matcher = Callable[[str], bool]


class InexpressibleError(Exception):
    """The language of a checker cannot express a rule."""


class Rule(NamedTuple):
    """A rule, divided into its components; `scheme` is `None` for a bare host."""

    scheme: str | None
    host: str
    port: str | None
    path: str
    query: str | None

    @property
    def schemes(self) -> tuple[str, ...]:
        return (self.scheme,) if self.scheme else tuple(DEFAULT_PORTS)

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if self.port else "")

    @property
    def folder(self) -> str | None:
        """The path that the rule includes with everything below; `None` if it is a single path."""
        path = self.path.removesuffix("**")
        return path if path.endswith("/") else None

    @property
    def has_wildcard_in_path(self) -> bool:
        path = self.folder or self.path
        return "*" in path or "%2A" in path


RULE = re.compile(
    r"(?P<scheme>\w+)://(?P<host>\[[^]]*\]|[^:/?]*)(:(?P<port>\*|\d+))?"
    r"(?P<path>/[^?]*)?(\?(?P<query>.*))?"
)


def rule_of(text: str) -> Rule:
    """Parse a rule, and write its components in the form that comparisons of strings need."""
    match = RULE.fullmatch(text)
    if not match:
        require("/" not in text)  # A network.
        return Rule(None, canonical_host(text), "*", "/", None)
    scheme, host, port, path, query = match.group("scheme", "host", "port", "path", "query")
    scheme = scheme.lower()
    return Rule(
        scheme=scheme,
        host=canonical_host(host),
        port=None if port == DEFAULT_PORTS[scheme] else port,
        path=TRIPLET.sub(canonical_triplet, path or "/"),
        query=query,
    )


def canonical_host(host: str) -> str:
    """Return a host in lower case, with A-labels, or as the shortest form of an IPv6 address."""
    if ":" in host:
        return f"[{IPv6Address(host.strip('[]'))}]"
    labels = host.lower().split(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def canonical_triplet(match: re.Match[str]) -> str:
    """Return an unreserved character for its triplet, and other triplets in capital letters."""
    character = chr(int(match[0][1:], 16))
    return character if re.fullmatch(r"[\w.~-]", character, re.ASCII) else match[0].upper()


def require(expressible: bool) -> None:
    """Raise `InexpressibleError` if a condition is not met."""
    if not expressible:
        raise InexpressibleError


def by_startswith(rule: Rule) -> Matcher:
    """Compare the start of the string with a prefix that ends with a slash."""
    require(rule.scheme is not None and "*" not in rule.origin and rule.query is None)
    require(rule.folder is not None and not rule.has_wildcard_in_path)
    return lambda url: url.startswith(f"{rule.origin}{rule.folder}")


def denied_by_startswith(rule: Rule) -> Matcher:
    require("*" not in rule.host + rule.path)
    port = f":{rule.port}" if rule.scheme and rule.port else ""
    prefixes = tuple(f"{scheme}://{rule.host}{port}{rule.path}" for scheme in rule.schemes)
    return lambda url: url.startswith(tuple(prefix.rstrip("/") for prefix in prefixes))


def by_urlparse(rule: Rule) -> Matcher:
    """Compare the components that `urllib.parse.urlparse` finds."""
    require(not rule.has_wildcard_in_path)

    def matches(url: str) -> bool:
        parts = urlparse(url)
        path = parts.path or "/"
        below = path.startswith(rule.folder) if rule.folder else path == rule.path
        return (
            parts.scheme in rule.schemes
            and is_host(parts.hostname, rule)
            and is_port(parts.scheme, parts.port, rule)
            and below
            and rule.query in {None, parts.query}
        )

    return matches


def denied_by_urlparse(rule: Rule) -> Matcher:
    require("*" not in rule.path)
    denied = rule.path.rstrip("/").lower()

    def matches(url: str) -> bool:
        parts = urlparse(url)
        return (
            parts.scheme in rule.schemes
            and is_host(parts.hostname, rule)
            and (rule.port is None or is_port(parts.scheme, parts.port, rule))
            and f"{parts.path.lower()}/".startswith(f"{denied}/")
        )

    return matches


def is_host(host: str | None, rule: Rule) -> bool:
    expected = rule.host.strip("[]")
    if expected.startswith("*."):
        return (host or "").endswith(expected[1:])
    return host == expected


def is_port(scheme: str, port: int | None, rule: Rule) -> bool:
    default = DEFAULT_PORTS.get(scheme)
    return rule.port == "*" or str(port or default) == (rule.port or default)


def by_mcp(rule: Rule) -> Matcher:
    """Treat a rule as the URL of a protected resource, which includes everything below."""
    from mcp.shared.auth_utils import check_resource_allowed

    require(rule.scheme is not None and "*" not in rule.origin and rule.query is None)
    require(rule.folder is not None and not rule.has_wildcard_in_path)
    return lambda url: check_resource_allowed(url, f"{rule.origin}{rule.folder}")


LOOPBACK = re.compile(r"localhost|127\..*|\[::1\]")


def by_fastmcp(rule: Rule) -> Matcher:
    """Treat a rule as a pattern of redirect URIs.

    For the local machine, a pattern without a port allows every port, so the default port is added.
    """
    from fastmcp.server.auth.redirect_validation import matches_allowed_pattern

    require(rule.query is None and not rule.has_wildcard_in_path)
    path = "" if rule.folder == "/" else f"{rule.folder}*" if rule.folder else rule.path
    port = rule.port
    if port is None and LOOPBACK.fullmatch(rule.host):
        port = DEFAULT_PORTS[rule.scheme or "http"]
    authority = f"{rule.host}:{port}" if port else rule.host
    patterns = [f"{scheme}://{authority}{path}" for scheme in rule.schemes]
    return lambda url: any(matches_allowed_pattern(url, pattern) for pattern in patterns)


def by_urlpattern(rule: Rule, *, deny: bool = False) -> Matcher:
    """Write a pattern for each component, and require empty userinfo."""
    from urlpattern import URLPattern

    if rule.folder is not None:
        paths = [f"{path_pattern(rule.folder)}*"]
    else:
        paths = [path_pattern(rule.path)]
    if deny:
        path = path_pattern(rule.path.removesuffix("**").rstrip("/"))
        paths = [path or "/", f"{path}/*"]
    patterns = [
        URLPattern(
            {
                "protocol": "|".join(rule.schemes) if rule.scheme else "http{s}?",
                "username": "*" if deny else "",
                "password": "*" if deny else "",
                "hostname": escaped(rule.host).replace(r"\*.", "*."),
                "port": "*" if rule.port == "*" or (deny and not rule.port) else port_of(rule),
                "pathname": path,
                "search": "*" if rule.query is None else escaped(rule.query),
                "hash": "*",
            },
            {"ignoreCase": deny},
        )
        for path in paths
    ]
    return lambda url: any(pattern.test(url) for pattern in patterns)


def denied_by_urlpattern(rule: Rule) -> Matcher:
    return by_urlpattern(rule, deny=True)


def port_of(rule: Rule) -> str:
    """Return the port of a rule, as the URL standard writes it: empty for the default port."""
    return "" if rule.port in {None, DEFAULT_PORTS[rule.scheme or "http"]} else str(rule.port)


def escaped(text: str) -> str:
    return re.sub(r"([\\{}()*+?:])", r"\\\1", text)


def path_pattern(path: str) -> str:
    """Translate `*` to a group of one or more characters except the slash."""
    pieces = re.split(r"(\*|%2A)", path)
    groups = {"*": "([^/]+)", "%2A": r"(\*|%2A)"}
    return "".join(groups.get(piece, escaped(piece)) for piece in pieces)


def by_browser_use(rule: Rule) -> Matcher:
    """Treat a rule as an entry of `allowed_domains`.

    An entry without a scheme or a path is compared with the host. An entry that ends with `/*` is
    compared with the whole URL.
    """
    from browser_use.browser.watchdogs.security_watchdog import SecurityWatchdog

    require(rule.query is None and not rule.has_wildcard_in_path)
    if rule.scheme is None:
        entry = rule.host.strip("[]")
    elif rule.host.startswith("*.") and rule.folder == "/" and rule.port in {None, "*"}:
        entry = f"{rule.scheme}://{rule.host}"
    else:
        require(rule.folder is not None and rule.port != "*" and "[" not in rule.host)
        entry = f"{rule.origin}{rule.folder}*"
    profile = SimpleNamespace(
        allowed_domains=[entry], prohibited_domains=None, block_ip_addresses=False
    )
    session = SimpleNamespace(browser_profile=profile, logger=logging.getLogger(__name__))
    watchdog = SecurityWatchdog.model_construct(event_bus=None, browser_session=session)
    return lambda url: bool(watchdog._is_url_allowed(url))


def cannot_deny(_: Rule) -> Matcher:
    """Raise `InexpressibleError`: the checker has no deny rules that apply to allowed URLs."""
    raise InexpressibleError


class Checker(NamedTuple):
    """A checker: functions that translate an allow rule and a deny rule, and the package."""

    allow: Callable[[Rule], Matcher]
    deny: Callable[[Rule], Matcher]
    package: str | None


CHECKERS = {
    "startswith": Checker(by_startswith, denied_by_startswith, None),
    "urlparse": Checker(by_urlparse, denied_by_urlparse, None),
    "mcp": Checker(by_mcp, cannot_deny, "mcp"),
    "fastmcp": Checker(by_fastmcp, cannot_deny, "fastmcp"),
    "urlpattern": Checker(by_urlpattern, denied_by_urlpattern, "urlpattern"),
    "browser-use": Checker(by_browser_use, cannot_deny, "browser-use"),
}


def answer(checker: Checker, request: dict[str, Any]) -> bool | None:
    """Return whether a checker allows a URL; `None` if it cannot express the rules."""
    if not request["rule"] or request["accept"]:
        return None
    try:
        allows = [checker.allow(rule_of(text)) for text in request["rule"]]
        denials = [checker.deny(rule_of(text)) for text in request["deny"]]
    except InexpressibleError:
        return None
    url = request["url"]
    try:
        return any(allow(url) for allow in allows) and not any(deny(url) for deny in denials)
    except ValueError:  # The checker cannot parse the URL.
        return False


def answers(name: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield json.dumps(answer(CHECKERS[name], json.loads(line)))


def versions() -> dict[str, str]:
    """Return the versions of the checkers that are installed."""
    found = {}
    for name, checker in CHECKERS.items():
        try:
            number = version(checker.package) if checker.package else platform.python_version()
        except PackageNotFoundError:
            continue
        found[name] = number
    return found


def main(argv: list[str]) -> int:
    logging.disable(logging.CRITICAL)
    if not argv:
        print(json.dumps(versions()))
        return 0
    for line in answers(argv[0], sys.stdin):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
