"""Decide whether a policy allows a string."""

from __future__ import annotations

from typing import Any

from uriverse import Policy, RuleError

#: The number of characters up to which a policy is tried.
LONGEST = 100_000


def decision(text: str, request: dict[str, Any]) -> dict[str, Any] | None:
    """Return the decision of a policy, and the reason.

    Args:
        text: the string.
        request: the `policy`, with the lines of `allow` and of `deny`. Without a rule in `allow`,
            the policy allows every public host.

    Returns:
        `error`, the message of an invalid rule or argument, or `None`; `allowed`; `uri`, the
        canonical URI; the `rule` that decides; the `code`, the `reason` and the `hint` of a
        rejection. The result is `None` if the string is too long.
    """
    if len(text) > LONGEST:
        return None
    rules = request.get("policy") or {}
    allow, deny = (rules_of(rules.get(name, "")) for name in ("allow", "deny"))
    try:
        policy = Policy(allow=allow or None, deny=deny)
        found = policy.decide(text, base=request.get("base") or None)
    except (RuleError, ValueError) as error:
        return {"error": str(error)}
    return {
        "error": None,
        "allowed": found.allowed,
        "uri": None if found.uri is None else str(found.uri),
        "rule": None if found.rule is None else str(found.rule),
        "code": found.code,
        "reason": found.reason,
        "hint": found.hint,
    }


def rules_of(lines: str) -> list[str]:
    """Return the rules, one for each line that is not empty."""
    return [line.strip() for line in lines.splitlines() if line.strip()]
