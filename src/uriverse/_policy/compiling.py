"""Write policies in the form that the kernel needs to decide about most URIs."""

from __future__ import annotations

from functools import cache, lru_cache
from ipaddress import IPv6Address
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from uriverse import hosts
from uriverse._engine import kernel
from uriverse._errors import PolicyError
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._uri import IRI
from uriverse.diagnosis import CODES
from uriverse.diagnosis._checking import list_first_findings
from uriverse.hosts._scopes import load_blocks

from .decisions import canonicalize_uri
from .hosts import IN_DOCUMENTS, LOCALHOST, SUBDOMAINS, HostPattern, get_network
from .judging import IGNORED, IN_COMPONENT
from .paths import PathPattern
from .rule_sets import LOOPBACK_ADDRESSES
from .rules import AMBIGUITIES, ANY_PORT, Shape

if TYPE_CHECKING:
    from . import Policy

#: The finding that every host with non-ASCII characters has.
PAST_ASCII = "host-past-ascii"

#: The numbers of the kernel in `_kernel/rules.pxi`: the decisions without a rule.
NO_RULE, REJECTED, UNDECIDED = -1, -2, -3

#: The numbers for the port of a rule if URIs have no port.
MISSING_PORT = -2

#: The numbers for the kinds of paths, and the byte for a wildcard.
EVERY_PATH, ONE_PATH, ALL_BELOW, WITH_WILDCARDS = 0, 1, 2, 4
WILDCARD = "\0"

#: The kinds of hosts. For a network, the length of its prefix is added to the last one.
ONE_NAME, NAMES_BELOW, NETWORK = 0, 1, 2

#: The decisions of deny rules about a host.
DENIES_HOST, MAY_DENY = 1, 2

#: The bits for the components of findings: those below the host, the host, and all of them.
COMPONENTS = {5: "path", 6: "query", 7: "fragment"}
HOST = 3
EVERYWHERE = 0xFF

#: A domain name or the first address of a network in the form that the kernel needs, and its kind.
HostKey = tuple[bytes, int]

#: The special-use names whose scope a policy may forbid.
SCOPED_NAMES = frozenset(
    (name.encode(), kind)
    for name, kind in product({*SPECIAL_USE_NAMES} - IN_DOCUMENTS, (ONE_NAME, NAMES_BELOW))
)

#: The names and the addresses that reach the loopback addresses.
REACHING_LOOPBACK: tuple[HostKey, ...] = (
    *product((LOCALHOST.encode(),), (ONE_NAME, NAMES_BELOW)),
    *((bytes(size), NETWORK + 8 * size) for size in (4, 16)),
)

#: The first IPv4 address, mapped to IPv6 (RFC 4291, 2.5.5.2).
FIRST_MAPPED = 0xFFFF << 32


def get_compiled_policies(policy: Policy) -> tuple[Any, ...]:
    return policy._compiled


def compile_policies(policy: Policy) -> tuple[Any, ...]:
    if kernel is None:
        return ()
    restrictions = chain.from_iterable(other._compiled for other in policy.restrictions)
    return (compile_policy(policy), *restrictions)


def compile_policy(policy: Policy) -> Any:
    allow = policy._allow
    shapes = () if allow is None else allow.shapes
    scoped_names = frozenset[HostKey]() if policy.scopes is None else SCOPED_NAMES
    #: The decision of deny rules about each host, or 0; names with a scope come first.
    denials = dict.fromkeys(scoped_names, 0)
    for shape in policy._deny.shapes:
        key = make_host_key(shape.host)
        denials[key] = DENIES_HOST if shape.scheme is None else denials.get(key) or MAY_DENY
    undecided = [make_host_key(shape.host) for shape in shapes if shape.suffixes]
    denied_networks = [
        get_network(shape.host) for shape in policy._deny.shapes if shape.host.kind == "network"
    ]
    if any(address in network for address, network in product(LOOPBACK_ADDRESSES, denied_networks)):
        undecided += REACHING_LOOPBACK
    for key in undecided:
        denials[key] = denials.get(key) or MAY_DENY
    keys = [make_host_key(shape.host) for shape in shapes]
    for key in keys:
        denials.setdefault(key, 0)
    numbers = dict(zip(denials, range(len(denials)), strict=True))
    rules = [encode_rule(numbers[key], shape) for key, shape in zip(keys, shapes, strict=True)]
    past_ascii = not policy.unambiguous or any(
        PAST_ASCII in codes for codes in (policy.allowed, *(allow.accepted_sets if allow else ()))
    )
    names_only_hosts = not (policy._deny.components or (allow and allow.components))
    has_ranges = allow is None and policy.scopes is not None
    return kernel.CompiledPolicy(
        denials,
        len(scoped_names),
        None if allow is None else rules,
        None if policy.schemes is None else [scheme.encode() for scheme in policy.schemes],
        None if policy.ports is None else list(policy.ports),
        encode_acceptance(policy),
        encode_ignored_findings(names_only_hosts=names_only_hosts),
        encode_ranges(frozenset(policy.scopes or ())) if has_ranges else None,
        (
            policy.base is not None,
            policy.userinfo,
            policy.single_label,
            past_ascii,
            names_only_hosts,
        ),
    )


def make_host_key(pattern: HostPattern) -> HostKey:
    kind, text = pattern
    if kind == "name":
        return text.encode(), ONE_NAME
    if kind == "subdomains":
        return text.removeprefix(SUBDOMAINS).encode(), NAMES_BELOW
    network = get_network(pattern)
    return network.network_address.packed, NETWORK + network.prefixlen


def encode_rule(host_number: int, shape: Shape) -> tuple[Any, ...]:
    """Return an allow rule as `CompiledPolicy` receives it."""
    if shape.scheme is None:  # a host alone
        return host_number, b"", ANY_PORT, EVERY_PATH, b"", None
    scheme = shape.scheme.encode()
    port = MISSING_PORT if shape.port is None else shape.port
    path_kind, path = encode_path(shape.path)
    query = None if shape.query is None else shape.query.encode()
    return host_number, scheme, port, path_kind, path, query


def encode_path(pattern: PathPattern | None) -> tuple[int, bytes]:
    """Return the kind of a path for the kernel, as bits, and the path with `WILDCARD` for "*"."""
    if pattern is None:
        return EVERY_PATH, b""
    path = "/".join(s if isinstance(s, str) else WILDCARD.join(s) for s in pattern.segments)
    kind = ONE_PATH
    if pattern.below:
        kind, path = ALL_BELOW, f"{path}/"
    if WILDCARD in path:
        kind |= WITH_WILDCARDS
    return kind, path.encode()


def encode_acceptance(policy: Policy) -> bytes:
    """Return the components in which each reported code may be accepted, as one byte of bits."""
    allow = policy._allow
    named_sets = allow.component_sets if allow else {frozenset[str]()}
    # A rule that does not name a component accepts findings in it.
    unnamed_bits = sum(
        1 << bit
        for bit, component in COMPONENTS.items()
        if any(component not in named for named in named_sets)
    )
    accepted = IGNORED.union(policy.allowed, *(allow.accepted_sets if allow else ()))
    accepted_everywhere = AMBIGUITIES & accepted if policy.unambiguous else AMBIGUITIES
    bits = dict.fromkeys(AMBIGUITIES & IN_COMPONENT, unnamed_bits)
    bits |= dict.fromkeys(accepted_everywhere, EVERYWHERE)
    return bytes([bits.get(code, 0) for code in kernel.REPORTED])


def encode_ignored_findings(*, names_only_hosts: bool) -> bytes:
    """Return where findings do not matter, as bits by component."""
    bits = {"label-with-underscore": 1 << HOST}
    if names_only_hosts:
        bits |= dict.fromkeys(IN_COMPONENT, sum(1 << bit for bit in COMPONENTS))
    return bytes([bits.get(code, 0) for code in kernel.REPORTED])


@cache
def encode_ranges(scopes: frozenset[str]) -> bytes:
    """Return the first addresses of allowed ranges, and those after the ranges, in order."""
    edges = {0, FIRST_MAPPED, FIRST_MAPPED + 2**32}
    for version, first_address, bits in ((4, FIRST_MAPPED, 32), (6, 0, 128)):
        for length, scopes_by_prefix in load_blocks(version):
            for prefix in scopes_by_prefix:
                start = first_address + (prefix << (bits - length))
                edges |= {start, start + (1 << (bits - length))}
    ranges: list[bytes] = []
    for edge in sorted(edges - {2**128}):
        mapped = IPv6Address(edge).ipv4_mapped
        is_allowed = hosts.scope(mapped or IPv6Address(edge)) in scopes
        if is_allowed != len(ranges) % 2:
            ranges.append(edge.to_bytes(16))
    return b"".join(ranges)


@lru_cache(maxsize=1024)  # programs send many requests to few hosts
def find_ascii_host(host: str) -> str | None:
    """Return the ASCII form of a host with no other finding than that it is not ASCII."""
    iri = IRI(f"https://{host}/")
    codes = {finding.code for finding in list_first_findings(str(iri))} - IGNORED
    if {code for code in codes if CODES[code].group in {"scheme", "ambiguity"}} != {PAST_ASCII}:
        return None
    try:
        uri = canonicalize_uri(iri)
    except PolicyError:
        return None
    return uri.host if uri.host_kind == "reg-name" else None


def accepts_past_ascii(policy: Policy, number: int) -> bool:
    """Return whether a policy accepts a non-ASCII host in a URI that a rule allows."""
    if not all(accepts_past_ascii(other, NO_RULE) for other in policy.restrictions):
        return False
    if not policy.unambiguous or PAST_ASCII in policy.allowed:
        return True
    return (
        number > NO_RULE
        and policy._allow is not None
        and PAST_ASCII in policy._allow.accepted[number]
    )
