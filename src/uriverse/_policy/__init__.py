"""Decide which URIs a program may connect to.

A policy protects a program that connects to URIs from other people: from server-side request
forgery (SSRF), and from open redirects. `uriverse.dial` enforces a policy on connections.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from ipaddress import IPv4Address, IPv6Address
from typing import Self, get_args, get_type_hints

from uriverse import hosts
from uriverse._engine import Identifier, as_text
from uriverse._errors import PolicyError
from uriverse._identifiers import IRI, URI, IRIReference, parse
from uriverse._quoting import quoted
from uriverse._spec.syntax import matches
from uriverse.diagnosis import CODES
from uriverse.diagnosis._checking import check
from uriverse.diagnosis._findings import Finding
from uriverse.hosts import PUBLIC_SCOPES
from uriverse.hosts._internal import INTERNAL_DOMAINS, METADATA_NAMES, PLATFORM_NETWORKS
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.typing import Scope

from .arguments import collected, require_bool, shown_value
from .patterns import (
    SPECIAL_USE,
    canonical_denial,
    canonical_pattern,
    in_networks,
    is_listed,
    name_of,
    pattern_of,
    scopes_of_name,
)
from .rejections import Forbidden, canonical_uri, error_of, parse_or_reject, reject

__all__ = ["Policy"]

#: The scopes that a policy can allow.
SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})

#: The rank of findings that a policy ignores. All other ranks are lower.
NO_WEIGHT = 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Policy:
    """Conditions that a URI must satisfy before a program connects to it.

    A policy examines only the URI: it does not look up the host name, and it does not follow
    redirects. To connect, use a connector of `uriverse.dial`. It looks up the name, connects only
    to addresses that the policy allows, and checks every redirect.

    A policy is immutable. It rejects ports larger than 65535. If `hosts` or `scopes` is not `None`,
    it also rejects URIs without a host. Its `repr` shows the arguments that differ from the
    defaults.

    Args:
        schemes: the allowed schemes, in lower case; `None` allows every scheme.
        hosts: the allowed hosts; `None` allows every host. An entry is a host name, an IP address,
            or `*.` followed by a name. `*.example.org` allows all names below `example.org`, but
            not `example.org` itself.
        ports: the allowed ports; `None` allows every port. If a URI has no port, its port is the
            default port of its scheme.
        userinfo: whether to allow userinfo (`user:password@`).
        unambiguous: whether to reject URIs that other software may parse differently: those with a
            finding of `check` in the group "ambiguity".
        allowed: the codes of ambiguity findings to accept nevertheless. For example, GitLab's API
            needs `"encoded-slash"`, because its URIs contain `group%2Fproject`. If you accept a
            host that other software reads as an IPv4 address, such as `127.1`, then `hosts` and
            `scopes` apply to that address, and `enforce` returns it as the host. The same is true
            if `unambiguous` is false.
        scopes: the allowed scopes of IP addresses (see `uriverse.hosts.scope`); `None` allows every
            scope. If the host is an address, its scope and the scopes of all addresses embedded in
            it must be allowed. Ordinary host names have no scope, because the policy does not look
            them up. `"loopback"` allows `localhost` and names below it. `"special-use"` allows
            other special-use names ([RFC 6761][1]), such as `printer.local`, except those for
            documentation, such as `example.com`, which have no scope either. An address or a
            name that is itself an entry of `hosts`, not only matched by `*.`, may have any scope.
            `uriverse.dial` applies `scopes` to the addresses that such a name resolves to.
        denied_hosts: hosts to reject, even if other arguments allow them. An entry has the form of
            an entry of `hosts`, or is a network such as `10.0.0.0/8`. Addresses and networks also
            apply to embedded addresses (see `uriverse.hosts.embedded_addresses`).
        single_label: whether to allow host names without a dot, such as `intranet`, and names with
            an underscore in one of the last two labels, which no registry of domains accepts. An
            entry of `hosts` is always allowed.
        base: the URI against which relative references are resolved, unless `enforce` receives
            another base. References that start with `//` are then rejected.

    [1]: https://www.rfc-editor.org/rfc/rfc6761

    Raises:
        ValueError: a scheme, a host, a port, a scope or a code is invalid.
        TypeError: an argument has the wrong type, for example one string instead of a collection.

    >>> policy = Policy(schemes={"https"}, hosts={"*.example.org"})
    >>> policy.enforce("HTTPS://www.Example.org:443/a")
    URI('https://www.example.org/a')
    >>> policy.enforce("https://www.example.org@10.1/a")
    Traceback (most recent call last):
        ...
    uriverse.PolicyError: the policy forbids userinfo (userinfo-not-allowed, position 8)
      https://www.example.org@10.1/a
              ^
    """

    __module__ = "uriverse"

    schemes: Collection[str] | None = frozenset({"http", "https"})
    hosts: Collection[str] | None = None
    ports: Collection[int] | None = None
    userinfo: bool = False
    unambiguous: bool = True
    allowed: Collection[str] = frozenset()
    scopes: Collection[str] | None = PUBLIC_SCOPES
    denied_hosts: Collection[str] = frozenset()
    single_label: bool = True
    base: str | None = None

    def __post_init__(self) -> None:
        require_bool("userinfo", self.userinfo)
        require_bool("unambiguous", self.unambiguous)
        require_bool("single_label", self.single_label)
        schemes = collected("schemes", self.schemes, str)
        for scheme in schemes or ():
            if not matches(scheme, "scheme") or scheme != scheme.lower():
                raise ValueError(f"schemes must be valid and in lower case, not {quoted(scheme)}")
        ports = collected("ports", self.ports, int)
        for port in ports or ():
            if not 0 <= port <= LARGEST_PORT:
                raise ValueError(f"ports must be from 0 to {LARGEST_PORT}, not {port}")
        scopes = collected("scopes", self.scopes, str)
        if scopes is not None and not scopes <= SCOPES:
            choices = ", ".join(sorted(SCOPES))
            raise ValueError(f"scopes must be among {choices}, not {quoted(min(scopes - SCOPES))}")
        allowed = collected("allowed", self.allowed, str) or frozenset()
        for code in allowed:
            if code not in CODES or CODES[code].group != "ambiguity":
                raise ValueError(
                    f"allowed must be codes of the group ambiguity, not {quoted(code)}"
                )
        patterns = collected("hosts", self.hosts, str)
        denials = collected("denied_hosts", self.denied_hosts, str) or frozenset()
        kept = {
            "schemes": schemes,
            "hosts": None if patterns is None else frozenset(map(canonical_pattern, patterns)),
            "ports": ports,
            "allowed": allowed,
            "scopes": scopes,
            "denied_hosts": frozenset(map(canonical_denial, denials)),
        }
        # The collections are stored in immutable form; a frozen dataclass requires
        # `object.__setattr__`.
        for name, collection in kept.items():
            object.__setattr__(self, name, collection)
        if self.base is not None:
            object.__setattr__(self, "base", str(self.enforce(self.base)))

    @classmethod
    def public_web(cls) -> Self:
        """Return a policy for URLs of the public web: `http` and `https` on their default ports.

        It also rejects hosts that the default policy allows: names with a single label, names that
        are common inside networks, such as `printer.lan` and `metadata.google.internal`, and
        addresses of cloud platforms that look public, such as `168.63.129.16`.

        It allows non-ASCII hosts that IDNA 2003, IDNA 2008 and both modes of UTS 46 convert to the
        same domain name, and `enforce` returns that name. It also allows underscores, except in the
        last two labels.

        >>> policy = Policy.public_web()
        >>> policy.allows("https://example.org/"), policy.allows("http://intranet/")
        (True, False)
        >>> policy.allows("http://metadata.google.internal/"), policy.allows("http://168.63.129.16/")
        (False, False)
        >>> policy.enforce("https://bücher.example/")
        URI('https://xn--bcher-kva.example/')
        """
        internal = {*INTERNAL_DOMAINS, *METADATA_NAMES}
        return cls(
            ports={80, 443},
            allowed={"host-past-ascii", "label-with-underscore"},
            denied_hosts={*internal, *(f"*.{name}" for name in internal), *PLATFORM_NETWORKS},
            single_label=False,
        )

    @classmethod
    def for_redirects(cls, base: str | Identifier, /, hosts: Collection[str] = ()) -> Self:
        """Return a policy for redirect targets, such as the value of a parameter `next`.

        It allows URIs with the scheme and the port of `base` whose host is that of `base` or
        matches an entry of `hosts`. It resolves relative references against `base`.
        It rejects references that start with `//`, and everything that programs may parse
        differently. Redirect to the URI that `enforce` returns.

        Args:
            base: the URI of the page that redirects, or of the site.
            hosts: other hosts to allow, in the form of `Policy.hosts`.

        Raises:
            PolicyError: `base` is not a URI with a host, or it is ambiguous.
            ValueError: an entry of `hosts` is invalid.
            TypeError: an argument has the wrong type.

        >>> policy = Policy.for_redirects("https://example.org/login", hosts={"*.example.org"})
        >>> policy.enforce("/account?tab=2")
        URI('https://example.org/account?tab=2')
        >>> policy.allows("//evil.example/"), policy.allows("https://www.example.org/")
        (False, True)
        """
        listed = collected("hosts", hosts, str) or frozenset()
        uri = cls(schemes=None, scopes=None, userinfo=True).enforce(base)
        if not uri.host:
            reject(uri, "host-missing", "host", "the policy requires a host")
        port = uri.effective_port
        return cls(
            schemes={uri.scheme},
            hosts={name_of(uri), *listed},
            ports=None if port is None else {port},
            scopes=None,
            base=str(uri.without_userinfo()),
        )

    def __repr__(self) -> str:
        """Return the arguments that differ from the defaults."""
        shown: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                shown.append(f"{field.name}={shown_value(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def allows(self, uri: str | Identifier, /, *, base: str | Identifier | None = None) -> bool:
        """Return whether the policy allows connecting to a URI.

        To connect, use the URI that `enforce` returns instead: it is unambiguous and normalized.

        Args:
            uri: a URI or an IRI; any reference if `base` is given.
            base: the URI against which a relative reference is resolved; `None` for the base of
                the policy. Without either, relative references are rejected.

        Raises:
            ResolveError: `base` has no scheme.
            ParseError: `base` is not an IRI reference.
            TypeError: an argument is neither a `str` nor one of the four URI types.

        >>> Policy().allows("https://example.org/"), Policy().allows("http://127.0.0.1/")
        (True, False)
        """
        try:
            self.enforce(uri, base=base)
        except PolicyError:
            return False
        return True

    def enforce(self, uri: str | Identifier, /, *, base: str | Identifier | None = None) -> URI:
        """Check a URI against the policy, and return the canonical URI to connect to.

        Connect to the canonical URI, not to the one that was passed in. The canonical URI is ASCII
        and normalized by the rules of its scheme. It satisfies the policy as well:
        `enforce(enforce(x)) == enforce(x)`.

        Args:
            uri: a URI or an IRI; any reference if `base` is given.
            base: the URI against which a relative reference is resolved, such as the page that
                sent a redirect; `None` for the base of the policy. Without either, relative
                references are rejected.

        Raises:
            PolicyError: the policy does not allow the URI. Its `code` is the code of a finding of
                `check`, or `"scheme-not-allowed"`, `"userinfo-not-allowed"`,
                `"host-not-allowed"`, `"port-not-allowed"`, `"scope-not-allowed"` or
                `"scheme-relative"`. If the policy rejects only the canonical form, `text` and
                `position` refer to that form.
            ResolveError: `base` has no scheme.
            ParseError: `base` is not an IRI reference.
            TypeError: an argument is neither a `str` nor one of the four URI types.

        >>> policy = Policy(schemes={"https"})
        >>> policy.enforce("/a/../b", base="https://example.org/login")
        URI('https://example.org/b')
        >>> try:
        ...     policy.enforce("https://127.0.0.1/")
        ... except PolicyError as error:
        ...     print(error.code)
        scope-not-allowed
        """
        given = parse_or_reject(as_text(uri))
        if base is None and self.base is not None:
            base = self.base
            if given.scheme is None and given.authority is not None:
                reason = "scheme-relative reference: the host can be that of another site"
                reject(given, "scheme-relative", "host", reason)
        if given.scheme is None and base is not None:
            reject_findings(self, given)
            given = parse(base).resolve(given)
        if not isinstance(given, IRI):
            reject(
                given,
                "relative",
                "scheme",
                "missing scheme: the reference is relative",
                "pass the base URI of the reference as base",
            )
        canonical = self._canonical(given)
        if canonical != given:
            self._reject_canonical(canonical)
        return canonical

    def _reject_canonical(self, canonical: URI) -> None:
        """Raise `PolicyError` if the policy rejects the canonical form of an accepted URI.

        Normalization can decode a percent-encoded triplet into the start of another triplet:
        "%25%32e" becomes "%252e", which some programs decode twice.
        """
        try:
            again = self._canonical(canonical)
        except PolicyError as error:
            reason = f"canonical form rejected: {error.reason}"
            place = (error.position, error.component, error.rule)
            raise PolicyError(error.text, *place, reason, error.hint, code=error.code) from None
        assert again == canonical, "the canonical form of a canonical URI is that URI"

    def _canonical(self, given: IRI) -> URI:
        """Apply the policy to an IRI, and return its canonical URI."""
        if self.schemes is not None and given.scheme.lower() not in self.schemes:
            reject(given, "scheme-not-allowed", "scheme", "the policy forbids the scheme")
        if given.userinfo is not None and not self.userinfo:
            reject(given, "userinfo-not-allowed", "userinfo", "the policy forbids userinfo")
        reject_findings(self, given)
        canonical = canonical_uri(given)
        reject_place(self, given, canonical)
        return canonical


# `typing.get_type_hints` would look for the names in the public module.
Policy.__annotations__ = get_type_hints(Policy, globals())


def reject_findings(policy: Policy, given: IRIReference) -> None:
    """Raise `PolicyError` if `check` reports a violation of scheme rules or an ambiguity."""
    # A relative reference has no scheme yet. The caller resolves it, which adds one.
    skipped = {*policy.allowed, *(["missing-scheme"] if given.scheme is None else [])}
    found = check(given, severities=dict.fromkeys(skipped, "off") if skipped else None)
    first = min(found, key=lambda finding: weight(policy, finding), default=None)
    if first is not None and weight(policy, first) < NO_WEIGHT:
        raise error_of(str(given), first)


def weight(policy: Policy, finding: Finding) -> int:
    """Return the rank of a finding of `check`; a policy reports the finding of lowest rank.

    Violations of scheme rules rank before ambiguities. All other findings have the rank
    `NO_WEIGHT`, so the policy ignores them.
    """
    groups = ("scheme", "ambiguity") if policy.unambiguous else ("scheme",)
    group = CODES[finding.code].group
    return groups.index(group) if group in groups else NO_WEIGHT


def reject_place(policy: Policy, given: IRIReference, uri: URI) -> None:
    """Raise `PolicyError` if the policy does not allow the host or the port of a URI.

    The scope of the host, such as loopback or private, must be allowed as well.
    """
    if (policy.hosts is not None or policy.scopes is not None) and not uri.host:
        # A lenient program may find a host elsewhere in the URI, as in "gopher:/host".
        reject(given, "host-missing", "host", "the policy requires a host")
    if policy.hosts is not None and not is_listed(uri, policy.hosts):
        reject(given, "host-not-allowed", "host", "the policy forbids the host")
    # A port with more than five digits is too large. `effective_port` would have to convert it,
    # and Python limits the number of digits that `int` converts.
    port = uri.effective_port if len(uri.port_text or "") <= len(str(LARGEST_PORT)) else None
    if uri.port_text and (port is None or port > LARGEST_PORT):
        reason = f"port too large: the maximum is {LARGEST_PORT}"
        reject(given, "port-not-allowed", "port", reason)
    if policy.ports is not None and port not in policy.ports:
        reject(given, "port-not-allowed", "port", "the policy forbids the port")
    address = uri.ip
    if address is not None:
        forbidden = forbidden_address(policy, address)
    else:
        forbidden = forbidden_name(policy, uri)
    if forbidden is not None:
        reject(given, forbidden.code, "host", forbidden.reason)


def forbidden_name(policy: Policy, uri: URI) -> Forbidden | None:
    """Return why the policy forbids the host name of a URI; `None` if it allows the name."""
    name = name_of(uri)
    if is_listed(uri, policy.denied_hosts):
        return Forbidden("host-not-allowed", "the policy forbids the host")
    if policy.hosts is not None and name in policy.hosts:
        return None
    if name and not policy.single_label:
        if "." not in name:
            return Forbidden("host-not-allowed", "the policy forbids names with a single label")
        if "_" in "".join(name.split(".")[-2:]):
            reason = "the policy forbids an underscore in the last two labels"
            return Forbidden("host-not-allowed", reason)
    return forbidden_scopes(policy, scopes_of_name(name))


def forbidden_address(policy: Policy, ip: IPv4Address | IPv6Address) -> Forbidden | None:
    """Return why the policy forbids an IP address; `None` if it allows the address."""
    if in_networks(ip, frozenset(policy.denied_hosts)):
        return Forbidden("host-not-allowed", "the policy forbids the address")
    if policy.hosts is not None and pattern_of(ip) in policy.hosts:
        return None
    return forbidden_scopes(policy, hosts.scopes(ip))


def forbidden_scopes(policy: Policy, found: AbstractSet[str]) -> Forbidden | None:
    """Return why the policy forbids one of several scopes; `None` if it allows all of them."""
    beyond = frozenset[str]() if policy.scopes is None else found - {*policy.scopes}
    if not beyond:
        return None
    named = ", ".join(sorted(beyond))
    return Forbidden("scope-not-allowed", f"the policy forbids the scope of the host: {named}")
