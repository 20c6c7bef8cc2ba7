"""Find the cases of `url_rules` whose URL reaches another place than the rules allow.

There are two reasons to refuse a URL. A client that follows RFC 3986 or the URL Standard may reach
another place than the rules allow: another scheme, host, port, path or query. Or both clients stay
inside the rules, or reject the string, and only other programs may read it in another way. To
refuse such a URL is a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from compare_conformance.url_rule_checkers import (
    InexpressibleError,
    Rule,
    is_host,
    is_port,
    rule_of,
)
from conformance.url_rules import Case
from uriverse import URI, Policy, PolicyError

#: A policy that returns the canonical form of every valid URI.
READER = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=False)

#: What the URL Standard leaves in a path or a query, and a URI must encode.
UNENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})|[^!$%&'()*+,/:;=?@\w.~-]", re.ASCII)

#: The start of a rule with a port.
PORT = re.compile(r"\w+://(\[[^]]*\]|[^:/?]*):")


def reaches_another_place(case: Case) -> bool:
    """Return whether a client by one of the standards leaves the rules of a case."""
    return not all(is_inside(case, uri) for uri in read_url(case.url))


def read_url(url: str) -> Iterator[URI]:
    """Yield the canonical URIs that RFC 3986 and the URL Standard find in a string, if any."""
    import can_ada  # only for this comparison

    with suppress(PolicyError):
        yield READER.enforce(url)
    try:
        parts = can_ada.parse(url)
    except ValueError:
        return
    authority = f"//{parts.host}" if parts.host else ""
    path = UNENCODED.sub(encode_character, parts.pathname + parts.search)
    uri = URI.try_parse(f"{parts.protocol}{authority}{path}")
    if uri is not None:
        yield uri.normalize(scheme=True)


def encode_character(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def is_inside(case: Case, uri: URI) -> bool:
    """Return whether the rules of a case allow the place that a canonical URI names."""
    try:
        allows = [rule_of(text) for text in case.allow or ()]
        denials = [(rule_of(text), text) for text in case.deny]
    except InexpressibleError:  # a network
        allows = []
    if not allows:
        return Policy(allow=case.allow, deny=case.deny, unambiguous=False).allows(uri)
    is_allowed = any(matches(rule, uri, below=rule.folder is not None) for rule in allows)
    return is_allowed and not any(denies(rule, text, uri) for rule, text in denials)


def denies(rule: Rule, text: str, uri: URI) -> bool:
    """Return whether a deny rule, which includes everything below its path, matches a URI."""
    path = rule.path.removesuffix("**").rstrip("/")
    port = rule.port if PORT.match(text) else "*"
    whole = rule._replace(path=f"{path}/", port=port)
    return matches(whole, uri.with_path(f"{uri.path}/"), below=True)


def matches(rule: Rule, uri: URI, *, below: bool) -> bool:
    """Return whether a rule matches a canonical URI, component by component."""
    path = re.escape(rule.folder or rule.path).replace(r"\*", "[^/]+").replace("%2A", r"\*")
    return (
        uri.scheme in rule.schemes
        and is_host((uri.host or "").strip("[]").removesuffix("."), rule)
        and is_port(uri.scheme, uri.port, rule)
        and re.fullmatch(path + ".*" * below, uri.path.replace("%2A", "*")) is not None
        and rule.query in {None, uri.query or ""}
    )
