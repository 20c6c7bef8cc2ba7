"""Decide whether a policy allows a URI, and write policies for the kernel, which decides too."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from uriverse import hosts
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._uri import IRI, URI, IRIReference
from uriverse._uri.engine import as_text, kernel, redact
from uriverse.diagnosis import CODES
from uriverse.diagnosis._checking import list_first_findings
from uriverse.diagnosis._findings import Finding
from uriverse.schemes._registry import LARGEST_PORT

from .decisions import Forbidden, canonical_uri, error_of, reject, reject_long
from .hosts import IN_DOCUMENTS, LOCALHOST, SUBDOMAINS, name_of, scopes_of_name, text_of
from .paths import PathPattern
from .readings import has_plain_steps, is_step, seems_to_start_with_host
from .rule_sets import LOOPBACK_ADDRESSES, AllowedRules
from .rules import ANY_PORT, Rule, Shape

if TYPE_CHECKING:
    from . import Policy


#: The number of rules that a hint shows.
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

#: The scope that a name such as `localhost` implies.
LOOPBACK = frozenset({"loopback"})


class Verdict(NamedTuple):
    """A URI that a policy allows.

    Attributes:
        uri: the canonical URI.
        rule: the first rule that allows it; `None` if the policy allows every host.
    """

    uri: URI
    rule: Rule | None


def judge(policy: Policy, given: IRI, *, is_canonical: bool = False) -> Verdict:
    """Return the canonical URI and the rule that allows it; raise `PolicyError` otherwise.

    Args:
        policy: the policy.
        given: the URI.
        is_canonical: whether it is the canonical form of a URI that no deny rule matches.
    """
    reject_long(str(given))
    if policy.schemes is not None and given.scheme.lower() not in policy.schemes:
        reject(given, "scheme-not-allowed", "scheme", "the policy forbids the scheme")
    if given.userinfo is not None and not policy.userinfo:
        reject(given, "userinfo-not-allowed", "userinfo", "the policy forbids userinfo")
    blocking, accepted = findings_of(policy, given)
    allow = policy._allow
    reject_unless_accepted(policy, given, blocking)
    uri = canonical_uri(given)
    reject_huge_port(given, uri)
    if allow is None:
        matching = None
        if blocking:
            reject_first(given, disputed(blocking, disputed_components(policy, given, uri)))
    else:
        matching = matching_rules(policy, allow.matching(uri), given, uri, blocking)
        matching = kept_inside(allow, matching, given, uri, examine=bool(blocking or accepted))
    reject_place(policy, given, uri, matching)
    if not is_canonical:
        reject_denied(policy, given, uri)
    return Verdict(uri, allow.rules[matching[0]] if allow is not None and matching else None)


def judge_endpoint(policy: Policy, given: URI, port: int) -> URI:
    """Return the canonical URI of a host and a port, if the policy allows a URI with both.

    The scheme, the path and the query of a request are not known when a client connects. The
    connectors check each request as well.
    """
    blocking, _ = findings_of(policy, given)
    reject_unless_accepted(policy, given, blocking)
    uri = canonical_uri(given)
    allow = policy._allow
    matching = None
    if allow is not None:
        matching = matching_rules(policy, allow.of_endpoint(uri, port), given, uri, blocking)
    reject_place(policy, given, uri, matching)
    number = policy._deny.matching_host(uri)
    if number is not None:
        rule = policy._deny.rules[number]
        reject(given, "denied", "host", reason_of(rule), denied_by=str(rule))
    for other in policy.restrictions:
        judge_endpoint(other, given, port)
    return uri


def find_narrow_rule(policy: Policy) -> Rule | None:
    """Return a rule of a policy or of its restrictions that limits paths or queries, if any."""
    allowed = () if policy._allow is None else policy._allow.rules
    for rule in (*allowed, *policy._deny.rules):
        if rule._shape.components:
            return rule
    return next(filter(None, map(find_narrow_rule, policy.restrictions)), None)


def findings_of(policy: Policy, given: IRIReference) -> tuple[list[Finding], list[Finding]]:
    """Return the findings for which a policy may reject a reference, and those that it accepts.

    The first ones are sorted: violations of scheme rules come first. A rule may accept the others,
    or not depend on their components.
    """
    blocking: list[Finding] = []
    accepted: list[Finding] = []
    for finding in list_first_findings(as_text(given)):
        group = CODES[finding.code].group
        if group not in {"scheme", "ambiguity"} or finding.code in IGNORED:
            continue
        is_accepted = group == "ambiguity" and (
            not policy.unambiguous or finding.code in policy.allowed
        )
        (accepted if is_accepted else blocking).append(finding)
    blocking.sort(key=lambda finding: CODES[finding.code].group != "scheme")
    return blocking, accepted


def reject_findings(policy: Policy, given: IRIReference) -> None:
    """Raise `PolicyError` for a finding about a relative reference that may matter to a rule."""
    blocking, _ = findings_of(policy, given)
    reject_first(given, disputed(blocking, named_components(policy)))


def reject_first(given: IRIReference, findings: Sequence[Finding]) -> None:
    if findings:
        raise error_of(str(given), findings[0])


def named_components(policy: Policy) -> set[str]:
    """Return the components that a rule of a policy or of its restrictions names."""
    allowed = policy._allow.components if policy._allow else ()
    return {*policy._deny.components, *allowed}.union(*map(named_components, policy.restrictions))


def disputed_components(policy: Policy, given: IRIReference, uri: URI) -> set[str]:
    """Return the components of which the findings matter whichever allow rule matches."""
    is_like_host = seems_to_start_with_host(given.path)
    return policy._deny.components_at(uri).union(["path"] if is_like_host else ())


def disputed(findings: Sequence[Finding], named: AbstractSet[str]) -> list[Finding]:
    """Return the findings that matter to rules that name some components."""
    beyond = {"path", "query", "fragment"} - named
    return [f for f in findings if f.code not in IN_COMPONENT or f.component not in beyond]


def reject_unless_accepted(policy: Policy, given: IRIReference, blocking: list[Finding]) -> None:
    """Raise `PolicyError` for findings that matter to every rule, and that no rule accepts."""
    findings = disputed(blocking, frozenset())
    codes = {finding.code for finding in findings}
    accepted = policy._allow.distinct if policy._allow else set[frozenset[str]]()
    if findings and not any(codes <= each for each in accepted):
        reject_first(given, findings)


def matching_rules(
    policy: Policy, numbers: list[int], given: IRIReference, uri: URI, blocking: list[Finding]
) -> list[int]:
    """Return the matching rules that accept all findings; raise `PolicyError` without one."""
    allow = policy._allow
    if not blocking or allow is None:
        return numbers
    named = disputed_components(policy, given, uri)
    found = [
        n
        for n in numbers
        if allow.accepted[n].issuperset(
            finding.code for finding in disputed(blocking, named | allow.shapes[n].components)
        )
    ]
    if not found:
        reject_first(given, blocking)
    return found


def kept_inside(
    allow: AllowedRules, matching: list[int], given: IRIReference, uri: URI, *, examine: bool
) -> list[int]:
    """Return the rules in whose subtree every server reads a path, which `check` may report."""
    ends_in_step = is_step(given.path.rpartition("/")[2])
    # `check` has no finding for a path that a server converts several times. For example, it
    # decodes "%EF%BC%8E.", strips the dot at the end, and takes the lookalike for a dot.
    text = given.path + uri.path
    if not (examine or ends_in_step or "%" in text or "+" in text):
        return matching
    path = uri.path + "." * ends_in_step
    kept = [n for n in matching if allow.keeps_inside(n, path)]
    if has_plain_steps(given.path):
        return kept
    return [n for n in kept if allow.shapes[n].path is None]


def reject_huge_port(given: IRIReference, uri: URI) -> None:
    """Raise `PolicyError` if the port of a URI is larger than the largest port."""
    # `effective_port` would have to convert the digits, and Python limits their number.
    digits = uri.port_text or ""
    if len(digits) > len(str(LARGEST_PORT)) or (uri.effective_port or 0) > LARGEST_PORT:
        reason = f"port too large: the maximum is {LARGEST_PORT}"
        reject(given, "port-not-allowed", "port", reason)


def reject_place(
    policy: Policy, given: IRIReference, uri: URI, matching: Sequence[int] | None
) -> None:
    """Raise `PolicyError` if the policy does not allow the host, the port or the path of a URI.

    Args:
        policy: the policy.
        given: the reference to which the positions of errors refer.
        uri: the canonical URI.
        matching: the allow rules that match the URI; `None` if the policy allows every host.
    """
    if (matching is not None or policy.scopes is not None) and not uri.host:
        # A lenient program may find a host elsewhere in the URI, as in "gopher:/host".
        reject(given, "host-missing", "host", "the policy requires a host")
    if matching is not None and not matching:
        reject_mismatch(policy, given, uri)
    if policy.ports is not None and uri.effective_port not in policy.ports:
        reject(given, "port-not-allowed", "port", "the policy forbids the port")
    forbidden = forbidden_host(policy, uri, matching or ())
    if forbidden is not None:
        reject(given, forbidden.code, "host", forbidden.reason)


def reject_mismatch(policy: Policy, given: IRIReference, uri: URI) -> NoReturn:
    """Raise `PolicyError` that says which component no allow rule matches."""
    allow = policy._allow
    assert allow is not None, "a policy without rules allows every host"
    of_host = allow.of_host(uri)
    if not of_host:
        # There may be thousands of rules for other hosts.
        reject(given, "host-not-allowed", "host", "the policy forbids the host")
    places = [place for place in allow.places(uri) if place[0] in {None, uri.scheme}]
    if not places:
        reject_component(allow, of_host, given, "scheme")
    ports = {ANY_PORT, uri.effective_port}
    if not any(port in ports for _, port in places):
        reject_component(allow, of_host, given, "port")
    # A rule with this path has another query.
    has_path = any(not [*allow.filter_rules([number], uri)] for number in allow.matching_path(uri))
    reject_component(allow, of_host, given, "query" if has_path else "path")


def reject_component(
    allow: AllowedRules, numbers: Sequence[int], given: IRIReference, component: str
) -> NoReturn:
    """Raise `PolicyError` for a component that differs from the rules for the same host."""
    shown = [redact(str(allow.rules[n])) for n in numbers[:MOST_SHOWN]]
    more = f" and {len(numbers) - MOST_SHOWN} more" if len(numbers) > MOST_SHOWN else ""
    reason = f"no rule for this host allows the {component}"
    hint = f"the rules for this host: {', '.join(shown)}{more}"
    if component == "path" and any(allow.shapes[n].ends_in_wildcard for n in numbers[:MOST_SHOWN]):
        hint += '; "*" is one segment: end the rule with / to allow everything below'
    reject(given, f"{component}-not-allowed", component, reason, hint)


def forbidden_host(policy: Policy, uri: URI, matching: Sequence[int]) -> Forbidden | None:
    """Return why the policy forbids the host of a URI that its rules match; `None` if it does not.

    A rule for a single host allows this host in any scope.
    """
    allow = policy._allow
    if allow is not None and any(allow.shapes[n].host.is_literal for n in matching):
        return None
    address = uri.ip
    if address is not None:
        return forbidden_scope(policy, address)
    name = name_of(uri)
    if name and not policy.single_label:
        if "." not in name:
            return Forbidden("host-not-allowed", "the policy forbids names with a single label")
        if "_" in "".join(name.split(".")[-2:]):
            reason = "the policy forbids an underscore in the last two labels"
            return Forbidden("host-not-allowed", reason)
    return forbidden_scopes(policy, scopes_of_name(name))


def forbidden_scope(policy: Policy, ip: IPv4Address | IPv6Address) -> Forbidden | None:
    """Return why the policy forbids the scope of an address; `None` if it allows the address.

    An item for the address or its network allows it in any scope, but not the addresses that are
    embedded in it, and not the addresses in which it is embedded.
    """
    allow = policy._allow
    is_listed = allow is not None and allow.lists(ip)
    found = (
        hosts.scope(embedded.address)
        for embedded in hosts.embedded_addresses(ip)
        if allow is None or not is_listed or not allow.lists(embedded.address)
    )
    return forbidden_scopes(policy, frozenset(found))


def forbidden_scopes(policy: Policy, found: AbstractSet[str]) -> Forbidden | None:
    """Return why the policy forbids one of several scopes; `None` if it allows all of them."""
    beyond = frozenset[str]() if policy.scopes is None else found - {*policy.scopes}
    if not beyond:
        return None
    named = ", ".join(sorted(beyond))
    return Forbidden("scope-not-allowed", f"the policy forbids the scope of the host: {named}")


def reject_denied(policy: Policy, given: IRIReference, uri: URI) -> None:
    number = policy._deny.matching(uri, given.path)
    if number is not None:
        rule = policy._deny.rules[number]
        component = "host" if policy._deny.shapes[number].path is None else "path"
        reject(given, "denied", component, reason_of(rule), denied_by=str(rule))


def reason_of(rule: Rule) -> str:
    """Return the reason why a policy rejects a URI or an address that a deny rule matches."""
    return f"a deny rule matches: {redact(str(rule))}"


def forbidden_address(
    policy: Policy, name: str, address: IPv4Address | IPv6Address
) -> Forbidden | None:
    """Return why a policy forbids an address of a host name; `None` if it allows the address.

    The policy allows the name itself, which may be an address.
    """
    number = policy._deny.matching_address(address)
    if number is not None:
        return Forbidden("denied", reason_of(policy._deny.rules[number]))
    found = forbidden_scope(policy, address)
    if found is not None and not is_listed(policy, name, address):
        return found
    more = (forbidden_address(other, name, address) for other in policy.restrictions)
    return next(filter(None, more), None)


def is_listed(policy: Policy, name: str, address: IPv4Address | IPv6Address) -> bool:
    """Return whether a rule for a single host allows an address of this host in any scope.

    The host is the address itself, or `localhost` and the address is a loopback address.
    """
    if policy._allow is None or not policy._allow.names(name):
        return False
    return name == text_of(address) or scopes_of_name(name) == LOOPBACK == hosts.scopes(address)


# --- the kernel

#: The numbers of the kernel in `_kernel/rules.pxi`: the decisions without a rule.
REJECTED, UNDECIDED = -2, -3

#: The numbers for the port of a rule if URIs have no port.
MISSING_PORT = -2

#: The numbers for the kinds of paths, and the byte for a wildcard.
EVERY_PATH, ONE_PATH, ALL_BELOW, WITH_WILDCARDS = 0, 1, 2, 4
WILDCARD = "\0"

#: The decisions of deny rules about a host.
DENIES_HOST, MAY_DENY = 1, 2

#: The bits for the components of findings, and for all of them.
COMPONENTS = {5: "path", 6: "query", 7: "fragment"}
EVERYWHERE = 0xFF

#: Special-use names whose scope a policy may forbid.
SCOPED_NAMES = frozenset(SPECIAL_USE_NAMES) - IN_DOCUMENTS


def compiled_form(policy: Policy) -> tuple[Any, ...]:
    """Return what `compiled_policies` returned for a policy when it was created."""
    return policy._compiled


def compiled_policies(policy: Policy) -> tuple[Any, ...]:
    """Return a policy and its restrictions for the kernel; an empty tuple without the kernel."""
    if kernel is None:
        return ()
    more = (one for other in policy.restrictions for one in other._compiled)
    return (compiled_policy(policy), *more)


def compiled_policy(policy: Policy) -> Any:
    """Return a policy for the kernel, without its restrictions."""
    hosts: dict[tuple[str, bool], list[Any]] = {}
    if policy.scopes is not None:
        for name in SCOPED_NAMES:
            for below in (False, True):
                entry(hosts, name, below=below)[3] = True
    for shape in policy._deny.shapes:
        if (pair := name_in(shape)) is not None:
            found = entry(hosts, pair[0], below=pair[1])
            found[2] = DENIES_HOST if shape.scheme is None else found[2] or MAY_DENY
    allow = policy._allow
    undecided = [name_in(shape) for shape in (allow.shapes if allow else ()) if shape.suffixes]
    if any(rules for each in LOOPBACK_ADDRESSES for rules in policy._deny.index.find_address(each)):
        undecided += [(LOCALHOST, False), (LOCALHOST, True)]
    for pair in filter(None, undecided):
        found = entry(hosts, pair[0], below=pair[1])
        found[2] = found[2] or MAY_DENY
    rules = None if allow is None else [rule_for_kernel(hosts, shape) for shape in allow.shapes]
    return kernel.CompiledPolicy(
        [tuple(found[:4]) for found in hosts.values()],
        rules,
        None if policy.schemes is None else [scheme.encode() for scheme in policy.schemes],
        None if policy.ports is None else list(policy.ports),
        bytes(acceptable_in(policy, code) for code in kernel.REPORTED),
        (policy.base is not None, policy.userinfo, policy.single_label),
    )


def entry(hosts: dict[tuple[str, bool], list[Any]], name: str, *, below: bool) -> list[Any]:
    """Return the entry of a pattern of hosts, which may be new."""
    return hosts.setdefault((name, below), [name.encode(), below, 0, False, len(hosts)])


def name_in(shape: Shape) -> tuple[str, bool] | None:
    """Return the domain of a rule, and whether it means the names below; `None` for addresses."""
    kind, text = shape.host
    if kind == "name":
        return text, False
    return (text.removeprefix(SUBDOMAINS), True) if kind == "subdomains" else None


def rule_for_kernel(hosts: dict[tuple[str, bool], list[Any]], shape: Shape) -> tuple[Any, ...]:
    """Return an allow rule, and add its host."""
    place = -1
    if (pair := name_in(shape)) is not None:
        place = entry(hosts, pair[0], below=pair[1])[4]
    query = None if shape.query is None else shape.query.encode()
    port = MISSING_PORT if shape.port is None else shape.port
    return (place, (shape.scheme or "").encode(), port, *path_for_kernel(shape.path), query)


def path_for_kernel(pattern: PathPattern | None) -> tuple[int, bytes]:
    """Return the kind of the path of a rule, and the path."""
    if pattern is None:
        return EVERY_PATH, b""
    segments = [s if isinstance(s, str) else WILDCARD.join(s) for s in pattern.segments]
    path = "/".join(segments) + "/" * pattern.below
    kind = ALL_BELOW if pattern.below else ONE_PATH
    return kind | (WITH_WILDCARDS if WILDCARD in path else 0), path.encode()


def acceptable_in(policy: Policy, code: str) -> int:
    """Return where a policy or one of its rules may accept a finding, as bits by component."""
    if CODES[code].group != "ambiguity":
        return 0
    allow = policy._allow
    accepted = [policy.allowed, IGNORED, *(() if allow is None else allow.distinct)]
    if not policy.unambiguous or any(code in codes for codes in accepted):
        return EVERYWHERE
    if code not in IN_COMPONENT:
        return 0
    named = {shape.components for shape in allow.shapes} if allow else {frozenset[str]()}
    return sum(1 << bit for bit, name in COMPONENTS.items() if any(name not in n for n in named))
