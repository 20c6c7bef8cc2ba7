"""A policy accepts the URIs that it returns, unchanged, and `allows` agrees with `enforce`.

The kernel decides like the Python functions.
"""

from __future__ import annotations

from typing import Any

import random_policies
from draws import Draws
from outcomes import outcome

from uriverse import URI, IRIReference, Policy, Rule, RuleError, parse
from uriverse._engine import compiled
from uriverse.diagnosis import CODES
from uriverse.hosts import PUBLIC_SCOPES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")
BASES = (None, "http://good.example/a/b", "foo:/a/b", "https://u:p@h.example:8080/%7Ea/")
HOSTS: tuple[Any, ...] = (
    None,
    {"good.example", "*.example"},
    {"127.0.0.1", "::1", "localhost"},
    ["http://good.example/", "https://good.example:*/a/*", "*.example"],
    ["https://good.example/a*b/?", Rule("http://*.example:*/a/**", allowed={"encoded-slash"})],
)
DENIED: tuple[Any, ...] = (
    (),
    {"10.0.0.0/8", "*.example"},
    {"good.example", "::1"},
    ["https://good.example/a", "http://good.example:*/*/b"],
    ["http://*.example/%20*/"],
)
RESTRICTIONS = (
    (),
    (),
    (Policy(schemes=None, scopes=None, allow=["https://good.example/", "*.example"]),),
    (Policy(unambiguous=False, deny=["https://good.example/*b"]).restrict(Policy()),),
)
#: Characters of rules, beside those of the string.
PIECES = (
    "https://",
    "http://",
    "*.",
    "*",
    "/",
    "**",
    "%2A",
    "good.example",
    ":*",
    "?",
    "10.0.0.0/8",
)


def policy_of(draws: Draws) -> Policy:
    """Return a policy with random options."""
    return Policy(
        schemes=draws.choice((None, None, {"http", "https"})),
        allow=draws.choice(HOSTS),
        ports=draws.choice((None, None, {80, 443, 8080})),
        userinfo=bool(draws.randrange(2)),
        unambiguous=bool(draws.randrange(2)),
        allowed=draws.choice((frozenset(), frozenset(AMBIGUITIES), {draws.choice(AMBIGUITIES)})),
        scopes=draws.choice((None, None, PUBLIC_SCOPES)),
        deny=draws.choice(DENIED),
        single_label=not draws.randrange(4),
        restrictions=draws.choice(RESTRICTIONS),
    )


def check_rule(draws: Draws, text: str) -> None:
    """Parse a rule; it covers itself, and a policy accepts it."""
    pieces = [draws.choice(PIECES) for _ in range(draws.randrange(4))]
    try:
        rule = Rule("".join(pieces) + text)
    except RuleError:
        return
    assert Rule(str(rule)) == rule
    assert rule.covers(rule)
    Policy(allow=[rule]).allows(text)


def check_kernel(draws: Draws) -> None:
    """Decide about URLs that often match a rule of a policy, in the kernel and in Python."""
    policy = random_policies.policy_of(draws)
    for _ in range(4):
        random_policies.check_decision(policy, random_policies.url_of(draws, policy))


def check(data: bytes) -> None:
    """Enforce one policy on one string."""
    draws = Draws(data)
    if compiled and not draws.randrange(3):
        check_kernel(draws)
        return
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference", "IRI")))
    policy, base = policy_of(draws), draws.choice(BASES)
    check_rule(draws, text)
    if draws.randrange(2):
        rest = text.partition(":")[2].removeprefix("//")
        text = draws.choice(("http://", "HTTPS://good.example/", "http://%67ood.example.")) + rest
    enforced: list[URI] = []
    error = outcome(lambda: enforced.append(policy.enforce(text, base=base)))
    assert policy.allows(text, base=base) is bool(enforced)
    assert bool(policy.decide(text, base=base)) is bool(enforced)
    for restriction in policy.restrictions:
        assert not enforced or restriction.allows(enforced[0])
    if not enforced:
        assert error[0] == "PolicyError"
        return
    (uri,) = enforced
    assert type(uri) is URI
    assert policy.enforce(uri) == uri
    assert policy.enforce(str(uri)) == uri
    assert uri.is_normalized(scheme=True)
    assert policy.schemes is None or uri.scheme in policy.schemes
    assert policy.userinfo or uri.userinfo is None
    reference = IRIReference(text)
    given = reference if base is None else parse(base).resolve(reference)
    assert (given.host is None) is (uri.host is None)
