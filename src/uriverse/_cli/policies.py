"""The command `uriverse policy`, and the policy of `uriverse check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from operator import attrgetter

from uriverse import Policy, PolicyError, Rule, RuleFinding, redact
from uriverse._errors import escape_unprintable
from uriverse.diagnosis._findings import Finding

from .commands import argument, command
from .lines import Inputs, parse_argument, takes_inputs
from .output import InvalidLine, MisuseError, read_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    Check = Callable[[str], list[Finding]]

#: The actions of `uriverse policy`.
ACTIONS = ("review", "test")

#: The reference of findings for URIs that a policy rejects.
REFERENCE = "policy"


@command("policy")
@argument("action", type=ACTIONS)
@argument("policy")
@takes_inputs(quiet="Print nothing; only set the exit status.")
def policy_command(inputs: Inputs, action: str, policy: str) -> None:
    """Review a policy, or test which URIs it allows.

    POLICY is a TOML file, or a JSON file with the suffix .json. Its keys are the arguments of
    the class Policy, such as allow and deny. The exit status is 1 if a rule has a finding, or
    if the policy rejects a URI.

    ACTION  review (report rules that never match, that other rules cover, or
            that match more or less than they seem to) or test (print for each
            URI whether the policy allows it, and why)
    """
    checked_policy = load_policy(policy)
    inputs.failure = "rejected"
    if action == "test":
        print_decisions(inputs, checked_policy)
    else:
        review_policy(inputs, checked_policy)


def review_policy(inputs: Inputs, policy: Policy) -> NoReturn:
    if inputs.arguments or inputs.files:
        raise MisuseError("review reads no URIs; use test for URIs")
    findings = policy.review()
    if not inputs.quiet:
        inputs.output.write_lines([format_rule_finding(finding, inputs) for finding in findings])
    sys.exit(1 if findings else 0)


def format_rule_finding(finding: RuleFinding, inputs: Inputs) -> str:
    if inputs.as_json:
        from json import dumps

        return dumps({**finding._asdict(), "rule": str(finding.rule)})
    rule = redact(str(finding.rule))
    return inputs.escape(f"{rule}: {finding.code}: {finding.message}; {finding.hint}")


def print_decisions(inputs: Inputs, policy: Policy) -> NoReturn:
    def format_decision(text: str) -> str | None:
        decision = policy.decide(text)
        line: str | None = str(decision)
        if inputs.quiet:
            line = None
        elif inputs.as_json:
            from json import dumps

            members = {
                "text": text,
                "allowed": decision.allowed,
                "uri": decision.uri and str(decision.uri),
                "rule": decision.rule and str(decision.rule),
                "code": decision.code,
                "reason": decision.reason,
                "hint": decision.hint,
            }
            line = dumps(members)
        if not decision.allowed:
            raise InvalidLine(line)
        return line

    inputs.print_lines(format_decision)


def load_policy(name: str) -> Policy:
    octets = b"".join(read_chunks(name))
    try:
        text = octets.decode("utf-8-sig")
        if not name.lower().endswith(".json"):
            return Policy.from_toml(text)
        from json import loads

        return Policy.from_dict(loads(text))
    except (ValueError, TypeError) as error:
        raise MisuseError(f"invalid policy {escape_unprintable(name)}: {error}") from None


#: A policy without conditions other than the syntax of URIs.
UNRESTRICTED = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=False)


def add_policy(
    check: Check, name: str | None, allow: tuple[str, ...], deny: tuple[str, ...]
) -> Check:
    """Return a check that also reports the URIs that a policy rejects.

    Deny rules alone do not bring in the other conditions of the default policy.
    """
    if name is None and not allow:
        deny_policy = add_rules(UNRESTRICTED, (), deny)
        return lambda text: report_rejection(deny_policy, text, check(text), only="denied")
    policy = add_rules(Policy() if name is None else load_policy(name), allow, deny)
    return lambda text: report_rejection(policy, text, check(text))


def add_rules(policy: Policy, allow: tuple[str, ...], deny: tuple[str, ...]) -> Policy:
    changes: dict[str, Any] = {"deny": [*policy.deny, *parse_rules("--deny", deny)]}
    if allow:
        changes["allow"] = [*(policy.allow or ()), *parse_rules("--allow", allow)]
    return replace(policy, **changes)


def parse_rules(option: str, texts: tuple[str, ...]) -> list[Rule]:
    return [parse_argument(option, lambda text=text: Rule(text)) for text in texts]  # type: ignore[misc]


def report_rejection(
    policy: Policy, text: str, findings: list[Finding], *, only: str | None = None
) -> list[Finding]:
    """Add an error to findings, or to the one with the same cause, if a policy rejects the URI."""
    try:
        policy.enforce(text)
    except PolicyError as error:
        if only not in {None, error.code}:
            return findings  # only this code counts
        rejection = make_finding(error, text)
    else:
        return findings

    def has_same_cause(finding: Finding) -> bool:
        is_same = (finding.code, finding.start) == (rejection.code, rejection.start)
        return is_same or rejection.code in finding.details

    if not any(map(has_same_cause, findings)):
        return sorted([*findings, rejection], key=attrgetter("start"))
    return [
        finding._replace(severity="error") if has_same_cause(finding) else finding
        for finding in findings
    ]


def make_finding(error: PolicyError, text: str) -> Finding:
    component, start, end = "text", 0, len(text)
    # The error may refer to the resolved or to the canonical URI.
    if error.text == text:
        component, start = error.component, error.position
        end = min(start + 1, end)
    hint = error.hint or None
    return Finding(error.code, "error", component, start, end, error.reason, REFERENCE, hint)
