"""Decide whether a policy allows a URI."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from uriverse import hosts
from uriverse._errors import PolicyError
from uriverse._spec.normalization import is_dot_segment
from uriverse._uri import IRI, URI, IRIReference
from uriverse._uri.engine import as_text, redact
from uriverse.diagnosis import CODES
from uriverse.diagnosis._checking import list_first_findings
from uriverse.diagnosis._findings import Finding
from uriverse.schemes._registry import LARGEST_PORT

from .decisions import Prohibition, canonicalize_uri, reject_long_text, reject_uri
from .hosts import (
    format_address,
    get_host_name,
    infer_scopes,
)
from .readings import has_disputed_dot_segments, seems_to_start_with_host
from .rule_sets import AllowedRules
from .rules import ANY_PORT, Rule

if TYPE_CHECKING:
    from . import Policy


MOST_SHOWN = 3

#: Findings that never matter: Java finds no host there, but no program finds another one; and a
#: relative reference has no scheme until the caller resolves it.
IGNORED = frozenset({"label-with-underscore", "missing-scheme"})

#: Findings that tell nothing about the host: in a path and in a query, they matter only to rules
#: that name this component.
IN_COMPONENT = frozenset(
    {
        *("encoded-slash", "double-encoding", "encoded-control", "not-utf8", "ignorable"),
        *("encoded-dot", "dot-lookalike", "dot-with-parameter", "dot-with-space"),
        *("dot-after-name", "dot-after-slashes"),
    }
)

LOOPBACK = frozenset({"loopback"})


class Verdict(NamedTuple):
    """The canonical URI, and the first rule that allows it; `None` if every host is allowed."""

    uri: URI
    rule: Rule | None


def judge_uri(policy: Policy, iri: IRI, *, is_canonical: bool = False) -> Verdict:
    """Judge a URI without the restrictions of a policy; raise `PolicyError` if it is rejected."""
    reject_long_text(str(iri))
    if policy.schemes is not None and iri.scheme.lower() not in policy.schemes:
        reject_uri(iri, "scheme-not-allowed", "scheme", "the policy forbids the scheme")
    if iri.userinfo is not None and not policy.userinfo:
        reject_uri(iri, "userinfo-not-allowed", "userinfo", "the policy forbids userinfo")
    blocking, accepted = classify_findings(policy, iri)
    reject_unaccepted_findings(policy, iri, blocking)
    uri = canonicalize_uri(iri)
    reject_huge_port(iri, uri)
    allow = policy._allow
    matching = None  # every host is allowed
    if allow is not None:
        matching = allow.list_matching_rules(uri)
        matching = filter_accepting_rules(policy, matching, iri, uri, blocking)
        has_finding = bool(blocking or accepted)
        matching = filter_confining_rules(allow, matching, iri, uri, has_finding=has_finding)
    elif blocking:
        components = list_disputed_components(policy, iri, uri)
        reject_first(iri, filter_findings(blocking, components))
    reject_forbidden_parts(policy, iri, uri, matching)
    # The deny rules have already judged the URI of which this is the canonical form.
    if not is_canonical:
        reject_denied(policy, iri, policy._deny.find_matching_rule(uri, iri.path))
    first_rule = allow.rules[matching[0]] if allow is not None and matching else None
    return Verdict(uri, first_rule)


def judge_endpoint(policy: Policy, reference: URI, port: int) -> URI:
    """Judge a host and a port; the connectors check the rest of each request as well."""
    blocking, _ = classify_findings(policy, reference)
    reject_unaccepted_findings(policy, reference, blocking)
    uri = canonicalize_uri(reference)
    allow = policy._allow
    matching = None
    if allow is not None:
        matching = allow.list_endpoint_rules(uri, port)
        matching = filter_accepting_rules(policy, matching, reference, uri, blocking)
    reject_forbidden_parts(policy, reference, uri, matching)
    reject_denied(policy, reference, policy._deny.find_host_rule(uri))
    for other in policy.restrictions:
        judge_endpoint(other, reference, port)
    return uri


def find_narrow_rule(policy: Policy) -> Rule | None:
    allowed = () if policy._allow is None else policy._allow.rules
    for rule in (*allowed, *policy._deny.rules):
        if rule._shape.components:
            return rule
    return next(filter(None, map(find_narrow_rule, policy.restrictions)), None)


def classify_findings(
    policy: Policy, reference: IRIReference
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings for which a policy may reject a reference, and those that it accepts.

    A rule may accept the first ones, or not depend on their components.
    """
    blocking: list[Finding] = []
    accepted: list[Finding] = []
    for finding in list_first_findings(as_text(reference)):
        group = CODES[finding.code].group
        if group not in {"scheme", "ambiguity"} or finding.code in IGNORED:
            continue
        accepts_code = not policy.unambiguous or finding.code in policy.allowed
        if group == "ambiguity" and accepts_code:
            accepted.append(finding)
        else:
            blocking.append(finding)
    # Violations of scheme rules come first, since `False` sorts before `True`.
    blocking.sort(key=lambda finding: CODES[finding.code].group != "scheme")
    return blocking, accepted


def reject_findings(policy: Policy, reference: IRIReference) -> None:
    blocking, _ = classify_findings(policy, reference)
    reject_first(reference, filter_findings(blocking, list_named_components(policy)))


def reject_first(reference: IRIReference, findings: Sequence[Finding]) -> None:
    if not findings:
        return
    finding = findings[0]
    code, hint = finding.code, finding.suggestion or ""
    location = str(reference), finding.start, finding.component, code
    raise PolicyError(*location, finding.message, hint, code=code)


def list_named_components(policy: Policy) -> set[str]:
    allowed = policy._allow.components if policy._allow else ()
    return {*policy._deny.components, *allowed}.union(
        *map(list_named_components, policy.restrictions)
    )


def list_disputed_components(policy: Policy, reference: IRIReference, uri: URI) -> set[str]:
    is_like_host = seems_to_start_with_host(reference.path)
    return policy._deny.list_components(uri).union(["path"] if is_like_host else ())


def filter_findings(findings: Sequence[Finding], components: AbstractSet[str]) -> list[Finding]:
    other_components = {"path", "query", "fragment"} - components
    return [
        finding
        for finding in findings
        if finding.code not in IN_COMPONENT or finding.component not in other_components
    ]


def reject_unaccepted_findings(
    policy: Policy, reference: IRIReference, blocking: list[Finding]
) -> None:
    """Reject findings that matter to every rule, unless one rule accepts all of them."""
    findings = filter_findings(blocking, frozenset())
    codes = {finding.code for finding in findings}
    accepted_sets = policy._allow.accepted_sets if policy._allow else set[frozenset[str]]()
    if not any(codes <= accepted_codes for accepted_codes in accepted_sets):
        reject_first(reference, findings)


def filter_accepting_rules(
    policy: Policy, numbers: list[int], reference: IRIReference, uri: URI, blocking: list[Finding]
) -> list[int]:
    """Return the numbers of the rules that accept all findings in the components they depend on."""
    allow = policy._allow
    if not blocking or allow is None:
        return numbers
    disputed_components = list_disputed_components(policy, reference, uri)
    accepting: list[int] = []
    for number in numbers:
        components = disputed_components | allow.shapes[number].components
        findings = filter_findings(blocking, components)
        if allow.accepted[number].issuperset(finding.code for finding in findings):
            accepting.append(number)
    if not accepting:
        reject_first(reference, blocking)
    return accepting


def filter_confining_rules(
    allow: AllowedRules, numbers: list[int], reference: IRIReference, uri: URI, *, has_finding: bool
) -> list[int]:
    """Return the numbers of the rules that also allow every other path that a server may read."""
    ends_in_dot_segment = is_dot_segment(reference.path.rpartition("/")[2])
    # `check` has no finding for a path that a server converts several times. For example, it
    # decodes "%EF%BC%8E.", strips the dot at the end, and takes the lookalike for a dot.
    paths = reference.path + uri.path
    is_convertible = "%" in paths or "+" in paths
    if not (has_finding or ends_in_dot_segment or is_convertible):
        return numbers
    if has_disputed_dot_segments(reference.path):
        # Servers remove different segments, so only rules for every path are safe.
        return [number for number in numbers if allow.shapes[number].path is None]
    # Some programs read `/a/b/..` as `/a`, which is not below `/a/`.
    path = f"{uri.path}." if ends_in_dot_segment else uri.path
    return [number for number in numbers if allow.confines_path(number, path)]


def reject_huge_port(reference: IRIReference, uri: URI) -> None:
    # `effective_port` would have to convert the digits, and Python limits their number.
    digits = uri.port_text or ""
    if len(digits) > len(str(LARGEST_PORT)) or (uri.effective_port or 0) > LARGEST_PORT:
        reason = f"port too large: the maximum is {LARGEST_PORT}"
        reject_uri(reference, "port-not-allowed", "port", reason)


def reject_forbidden_parts(
    policy: Policy, reference: IRIReference, uri: URI, matching: Sequence[int] | None
) -> None:
    """Reject a URI by host, port or scope; `matching` is `None` if every host is allowed."""
    if (matching is not None or policy.scopes is not None) and not uri.host:
        # A lenient program may find a host elsewhere in the URI, as in "gopher:/host".
        reject_uri(reference, "host-missing", "host", "the policy requires a host")
    if matching is not None and not matching:
        reject_mismatch(policy, reference, uri)
    if policy.ports is not None and uri.effective_port not in policy.ports:
        reject_uri(reference, "port-not-allowed", "port", "the policy forbids the port")
    prohibition = find_host_prohibition(policy, uri, matching or ())
    if prohibition is not None:
        reject_uri(reference, prohibition.code, "host", prohibition.reason)


def reject_mismatch(policy: Policy, reference: IRIReference, uri: URI) -> NoReturn:
    """Reject a URI by the first component that no rule for its host allows."""
    allow = policy._allow
    assert allow is not None, "a policy without rules allows every host"
    host_rules = allow.list_host_rules(uri)
    if not host_rules:
        # There may be thousands of rules for other hosts.
        reject_uri(reference, "host-not-allowed", "host", "the policy forbids the host")
    schemes_and_ports = allow.list_schemes_and_ports(uri)
    allowed_ports = {port for scheme, port in schemes_and_ports if scheme in {None, uri.scheme}}
    if not allowed_ports:
        reject_component(allow, host_rules, reference, "scheme")
    if allowed_ports.isdisjoint({ANY_PORT, uri.effective_port}):
        reject_component(allow, host_rules, reference, "port")
    has_other_query = any(
        number not in allow.filter_rules([number], uri)
        for number in allow.find_path_rules(uri, check_query=False)
    )
    # A rule may match, but not all other paths that servers may read: then the path is to blame.
    reject_component(allow, host_rules, reference, "query" if has_other_query else "path")


def reject_component(
    allow: AllowedRules, numbers: Sequence[int], reference: IRIReference, component: str
) -> NoReturn:
    shown_numbers = numbers[:MOST_SHOWN]
    rules = [redact(str(allow.rules[number])) for number in shown_numbers]
    reason = f"no rule for this host allows the {component}"
    hint = f"the rules for this host: {', '.join(rules)}"
    if len(numbers) > MOST_SHOWN:
        hint += f" and {len(numbers) - MOST_SHOWN} more"
    if component == "path" and any(allow.shapes[n].ends_in_wildcard for n in shown_numbers):
        hint += '; "*" is one segment: end the rule with / to allow everything below'
    reject_uri(reference, f"{component}-not-allowed", component, reason, hint)


def find_host_prohibition(policy: Policy, uri: URI, matching: Sequence[int]) -> Prohibition | None:
    allow = policy._allow
    # A rule for a single host allows this host in any scope.
    if allow is not None and any(allow.shapes[n].host.is_literal for n in matching):
        return None
    address = uri.ip
    if address is not None:
        return find_address_prohibition(policy, address)
    name = get_host_name(uri)
    if name and not policy.single_label:
        if "." not in name:
            return Prohibition("host-not-allowed", "the policy forbids names with a single label")
        last_two_labels = name.split(".")[-2:]
        if any("_" in label for label in last_two_labels):
            reason = "the policy forbids an underscore in the last two labels"
            return Prohibition("host-not-allowed", reason)
    return find_scope_prohibition(policy, infer_scopes(name))


def find_address_prohibition(policy: Policy, ip: IPv4Address | IPv6Address) -> Prohibition | None:
    """Return why the policy forbids the scope of an address.

    An item for the address or its network allows it in any scope, but not the addresses that are
    embedded in it, and not the addresses in which it is embedded.
    """
    allow = policy._allow
    addresses = [embedded.address for embedded in hosts.embedded_addresses(ip)]
    if allow is not None and allow.has_address(ip):
        addresses = [address for address in addresses if not allow.has_address(address)]
    return find_scope_prohibition(policy, frozenset(map(hosts.scope, addresses)))


def find_scope_prohibition(policy: Policy, scopes: AbstractSet[str]) -> Prohibition | None:
    forbidden_scopes = frozenset[str]() if policy.scopes is None else scopes - {*policy.scopes}
    if not forbidden_scopes:
        return None
    reason = f"the policy forbids the scope of the host: {', '.join(sorted(forbidden_scopes))}"
    return Prohibition("scope-not-allowed", reason)


def reject_denied(policy: Policy, reference: IRIReference, number: int | None) -> None:
    """Reject a URI that the deny rule with this number matches; do nothing without one."""
    if number is not None:
        rule = policy._deny.rules[number]
        component = "host" if policy._deny.shapes[number].path is None else "path"
        reject_uri(reference, "denied", component, describe_denial(rule), denied_by=str(rule))


def describe_denial(rule: Rule) -> str:
    return f"a deny rule matches: {redact(str(rule))}"


def find_connection_prohibition(
    policy: Policy, name: str, address: IPv4Address | IPv6Address
) -> Prohibition | None:
    """Return why a policy forbids an address of a host name, which itself is allowed."""
    number = policy._deny.find_address_rule(address)
    if number is not None:
        return Prohibition("denied", describe_denial(policy._deny.rules[number]))
    prohibition = find_address_prohibition(policy, address)
    if prohibition is not None and not is_address_listed(policy, name, address):
        return prohibition
    for restriction in policy.restrictions:
        if prohibition := find_connection_prohibition(restriction, name, address):
            return prohibition
    return None


def is_address_listed(policy: Policy, name: str, address: IPv4Address | IPv6Address) -> bool:
    """Return whether a rule for a single host allows an address of this host in any scope."""
    if policy._allow is None or not policy._allow.has_host(name):
        return False
    return name == format_address(address) or infer_scopes(name) == LOOPBACK == hosts.scopes(
        address
    )
