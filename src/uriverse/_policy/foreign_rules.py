"""Translate rules of other languages: source lists, match patterns and URL patterns.

This module contains the parts that the three languages share. They all follow the URL standard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from uriverse._errors import RuleError
from uriverse._patterns import lazy_pattern
from uriverse.schemes._registry import LARGEST_PORT

from .rules import Rule

#: The schemes whose hosts are domain names, and their default ports ([URL standard][1]).
#:
#: [1]: https://url.spec.whatwg.org/#special-scheme
DEFAULT_PORTS = {"ftp": 21, "http": 80, "https": 443, "ws": 80, "wss": 443}

#: Splits a rule. The group `rest` contains the query, the fragment, and whatever fits nowhere else.
PARTS = lazy_pattern(
    r"(?s)(?:(?P<scheme>[^:/?#]*+)://)?(?P<host>\[[^\]/?#]*+\]|[^:/?#]*+)(?::(?P<port>[^/?#]*+))?"
    r"(?P<path>/[^?#]*+)?(?P<rest>.*+)"
)

#: A dot segment of a path, or the start of a segment that continues with a wildcard.
DOT_SEGMENT = lazy_pattern(r"/(?:\.|%2[Ee]){1,2}(?=[/*]|\Z)")

#: A number with at most five digits, not counting leading zeros.
PORT = lazy_pattern(r"(?=[0-9])0*+(?P<digits>[0-9]{0,5})\Z")

#: How to allow every host.
EVERY_HOST = "name the hosts; or pass allow=None, which allows every host"


@dataclass(frozen=True, slots=True)
class Given:
    """The string to translate.

    Attributes:
        text: the string.
        grammar: the name of the grammar rule that it must match.
        result: the kind of the result.
    """

    text: str
    grammar: str
    result: str = "a rule"

    def error(self, position: int, component: str, reason: str, hint: str) -> RuleError:
        """Return the error for a string that is invalid, or that no rule can express."""
        return RuleError(self.text, position, component, self.grammar, reason, hint)

    def rule(self, text: str, starts: Mapping[str, int]) -> Rule:
        """Return a rule. An error refers to the given string, at the start of the component."""
        try:
            return Rule(text)
        except RuleError as error:
            position = starts.get(error.component, starts["scheme"])
            message = (error.reason, error.hint)
            raise self.error(position, error.component, *message) from None

    def require_host(self, host: str, position: int) -> None:
        """Raise `RuleError` for a host that is missing, or that a rule would match differently."""
        name = host.removeprefix("*.")
        if "@" in host:
            reason = "unexpected userinfo: a policy rejects URLs with userinfo"
            raise self.error(position, "userinfo", reason, 'remove it and the "@"')
        if not name:
            raise self.error(position, "host", "missing host", "name the host")
        if host == "*":
            raise self.error(position, "host", "a rule cannot allow every host", EVERY_HOST)
        if "*" in name:
            at = position + len(host) - len(name) + name.index("*")
            hint = 'write "*." and a name, such as "*.example.com", or list the hosts'
            raise self.error(at, "host", "invalid wildcard in host", hint)
        if name.endswith("."):
            at = position + len(host) - 1
            reason = "trailing dot in host: a policy rejects URLs with such hosts"
            raise self.error(at, "host", reason, "remove the dot")

    def port(self, port: str, position: int) -> str:
        """Return a port without leading zeros; `"*"` stands for every port."""
        if port == "*":
            return port
        matched = PORT.match(port)
        if matched is None or int(matched["digits"] or "0") > LARGEST_PORT:
            hint = f'write a number from 0 to {LARGEST_PORT}, or "*" for every port'
            raise self.error(position, "port", "invalid port", hint)
        return matched["digits"] or "0"

    def require_no_dot_segments(self, path: str, position: int) -> None:
        """Raise `RuleError` for a path with dot segments, which the paths of URLs never have."""
        matched = DOT_SEGMENT.search(path)
        if matched is not None:
            reason = "dot segment in path: URL parsers remove dot segments, so no URL matches"
            hint = "write the path without dot segments"
            raise self.error(position + matched.start() + 1, "path", reason, hint)

    def require_exact_path(self, path: str, position: int) -> None:
        """Raise `RuleError` for a path that ends with a slash, but does not stand for a subtree."""
        if path.endswith("/"):
            reason = 'a rule whose path ends with "/" also allows everything below'
            hint = 'append "*" to allow everything below'
            raise self.error(position + len(path) - 1, "path", reason, hint)


def origin_of(scheme: str, host: str, port: str) -> str:
    """Return the start of a rule, without a default port."""
    default = str(DEFAULT_PORTS[scheme])
    return f"{scheme}://{host}:{port}" if port and port != default else f"{scheme}://{host}"
