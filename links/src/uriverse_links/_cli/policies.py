"""The policy of `uriverse-links check`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from json import loads
from operator import attrgetter
from typing import Any

from uriverse import Finding, Policy, PolicyError, Rule, URIError

from .document_files import read_octets
from .output import MisuseError, escape_controls

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: The reference of findings for URIs that a policy rejects.
REFERENCE = "policy"

#: A policy without conditions other than the syntax of URIs.
UNRESTRICTED = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=False)


def add_policy(check: Check, name: str | None, allow: Sequence[str], deny: Sequence[str]) -> Check:
    """Return a check that also reports the URIs that a policy rejects.

    Args:
        check: returns the other findings for a string.
        name: the file of the policy; `None` for the default policy.
        allow: more allow rules.
        deny: more deny rules. Alone, they do not bring in the other conditions of the default
            policy, so that other URIs have no more findings than before.
    """
    if name is None and not allow:
        denying = add_rules(UNRESTRICTED, (), deny)
        return lambda text: add_decision(denying, text, check(text), only="denied")
    policy = add_rules(Policy() if name is None else read_policy(name), allow, deny)
    return lambda text: add_decision(policy, text, check(text))


def read_policy(name: str) -> Policy:
    """Return the policy in a TOML file or a JSON file."""
    octets = read_octets(name)
    try:
        text = octets.decode("utf-8-sig")
        return (
            Policy.from_dict(loads(text))
            if name.lower().endswith(".json")
            else Policy.from_toml(text)
        )
    except (ValueError, TypeError) as error:
        raise MisuseError(f"invalid policy {escape_controls(name)}: {error}") from None


def add_rules(policy: Policy, allow: Sequence[str], deny: Sequence[str]) -> Policy:
    """Return a policy with more rules from the command line."""
    more: dict[str, Any] = {"deny": [*policy.deny, *parse_rules("--deny", deny)]}
    if allow:
        more["allow"] = [*(policy.allow or ()), *parse_rules("--allow", allow)]
    return replace(policy, **more)


def parse_rules(option: str, texts: Sequence[str]) -> list[Rule]:
    """Parse the rules of an option."""
    try:
        return [Rule(text) for text in texts]
    except URIError as error:
        raise MisuseError(f"invalid {option}: {error}") from None


def add_decision(
    policy: Policy, text: str, findings: list[Finding], *, only: str | None = None
) -> list[Finding]:
    """Add an error to the findings for a string if a policy rejects it.

    Args:
        policy: the policy.
        text: the string.
        findings: the findings for the string.
        only: the code of the only rejection that counts; `None` to count all of them.
    """
    try:
        policy.enforce(text)
    except PolicyError as error:
        if only not in {None, error.code}:
            return findings
        added = describe_rejection(error, text)
    else:
        return findings
    key = added.code, added.start
    same = [f for f in findings if (f.code, f.start) == key or added.code in f.details]
    if same:
        return [f._replace(severity="error") if f in same else f for f in findings]
    return sorted([*findings, added], key=attrgetter("start"))


def describe_rejection(error: PolicyError, text: str) -> Finding:
    """Return the finding for a string that a policy rejects."""
    component, start, end = "text", 0, len(text)
    # The error may refer to the resolved or to the canonical URI.
    if error.text == text:
        component, start = error.component, error.position
        end = min(start + 1, end)
    hint = error.hint or None
    return Finding(error.code, "error", component, start, end, error.reason, REFERENCE, hint)
