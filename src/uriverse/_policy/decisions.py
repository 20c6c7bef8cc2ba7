"""The result of `Policy.decide`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_type_hints

from uriverse._errors import PolicyError, visible
from uriverse._redaction import without_userinfo
from uriverse._uri import URI
from uriverse._uri.engine import redact

from .rules import Rule


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """The result of `Policy.decide`; true if the policy allows the URI.

    Attributes:
        allowed: whether the policy allows the URI.
        uri: the canonical URI, which is the one to connect to; `None` if the URI is rejected.
        rule: the first rule that allows the URI, or the deny rule that rejects it; `None` if no
            rule decides.
        code: the reason for a rejection as a code, as in a `PolicyError`; `""` if the URI is
            allowed.
        reason: the reason for a rejection, without secrets; `""` if the URI is allowed.
        hint: what would be allowed, or how to fix the URI; `""` without a hint.
        text: the string that was examined, unchanged. It may contain secrets: do not log it.

    >>> from uriverse import Policy
    >>> decision = Policy(deny=["example.com"]).decide("https://example.com/")
    >>> decision.allowed, decision.code, decision.rule
    (False, 'denied', Rule('example.com'))
    """

    __module__ = "uriverse"

    allowed: bool
    uri: URI | None
    rule: Rule | None
    code: str
    reason: str
    hint: str
    text: str

    def __bool__(self) -> bool:
        return self.allowed

    def __str__(self) -> str:
        # Any part of a rejected string may be a password, as in the message of an error.
        shown = visible(without_userinfo(self.text, valid=self.allowed))
        if self.allowed:
            return f"allowed: {shown}" + (f" (rule {redact(str(self.rule))})" if self.rule else "")
        hint = f"; {self.hint}" if self.hint else ""
        return f"rejected: {shown} ({self.code}): {self.reason}{hint}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


# `typing.get_type_hints` would look for the names in the public module.
Decision.__annotations__ = get_type_hints(Decision, globals())


def decision_of(text: str, error: PolicyError, rules: Iterable[Rule]) -> Decision:
    """Return the decision for a string that a policy with these deny rules rejects."""
    rule = next((rule for rule in rules if str(rule) == error.denied_by), None)
    return Decision(False, None, rule, error.code, error.reason, error.hint, text)
