"""Write a policy in the form that the compiled kernel needs."""

from __future__ import annotations

from typing import Any

from uriverse._policy.hosts import IN_DOCUMENTS, LOCALHOST, SUBDOMAINS
from uriverse._policy.paths import PathPattern
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._uri.engine import kernel
from uriverse.diagnosis import CODES

from .conditions import Conditions
from .judging import IGNORED, IN_COMPONENT
from .rule_sets import LOOPBACK_ADDRESSES
from .rules import Shape

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


def compiled_form(policy: Conditions) -> tuple[Any, ...]:
    """Return what `compiled_policies` returned for a policy when it was created."""
    return policy._compiled


def compiled_policies(policy: Conditions) -> tuple[Any, ...]:
    """Return a policy and its restrictions for the kernel; an empty tuple without the kernel."""
    if kernel is None:
        return ()
    more = (one for other in policy.restrictions for one in other._compiled)
    return (compiled_policy(policy), *more)


def compiled_policy(policy: Conditions) -> Any:
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


def acceptable_in(policy: Conditions, code: str) -> int:
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
