"""A policy accepts the URIs that it returns, unchanged, and `allows` agrees with `enforce`."""

from __future__ import annotations

from typing import Any

from draws import Draws
from outcomes import outcome

from uriverse import URI, IRIReference, Policy, parse
from uriverse.diagnosis import CODES
from uriverse.hosts import PUBLIC_SCOPES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")
BASES = (None, "http://good.example/a/b", "foo:/a/b", "https://u:p@h.example:8080/%7Ea/")
HOSTS: tuple[Any, ...] = (None, {"good.example", "*.example"}, {"127.0.0.1", "::1", "localhost"})
DENIED: tuple[Any, ...] = ((), {"10.0.0.0/8", "*.example"}, {"good.example", "::1"})


def policy_of(draws: Draws) -> Policy:
    """Return a policy with random options."""
    return Policy(
        schemes=draws.choice((None, None, {"http", "https"})),
        hosts=draws.choice(HOSTS),
        ports=draws.choice((None, None, {80, 443, 8080})),
        userinfo=bool(draws.randrange(2)),
        unambiguous=bool(draws.randrange(2)),
        allowed=draws.choice((frozenset(), frozenset(AMBIGUITIES), {draws.choice(AMBIGUITIES)})),
        scopes=draws.choice((None, None, PUBLIC_SCOPES)),
        denied_hosts=draws.choice(DENIED),
        single_label=not draws.randrange(4),
    )


def check(data: bytes) -> None:
    """Enforce one policy on one string."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference", "IRI")))
    policy, base = policy_of(draws), draws.choice(BASES)
    if draws.randrange(2):
        rest = text.partition(":")[2].removeprefix("//")
        text = draws.choice(("http://", "HTTPS://good.example/", "http://%67ood.example.")) + rest
    enforced: list[URI] = []
    error = outcome(lambda: enforced.append(policy.enforce(text, base=base)))
    assert policy.allows(text, base=base) is bool(enforced)
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
