"""Decide which URIs a program may connect to.

A policy protects a program that connects to URIs from other people: from server-side request
forgery (SSRF), and from open redirects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NoReturn, TypeVar, cast, get_args

from . import hosts
from ._engine import Identifier, as_text, to_ascii
from ._spec.components import Bounds
from ._spec.ipv6 import canonical
from ._spec.syntax import matches
from .diagnosis import CODES, Finding, check
from .errors import ConvertError, ParseError, PolicyError
from .hosts import PUBLIC_SCOPES
from .identifiers import IRI, URI, IRIReference, parse
from .schemes.registry import LARGEST_PORT
from .typing import Scope

#: The name of the local machine. It always resolves to a loopback address ([RFC 6761, 6.3][1]).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
LOCALHOST = "localhost"

#: Special-use names for documentation. They resolve to public hosts, unlike the other names.
IN_DOCUMENTS = {"example", "example.com", "example.net", "example.org"}

#: The scope of all other special-use names. They never resolve to public hosts.
SPECIAL_USE = "special-use"

#: The scopes that a policy can allow.
SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})

#: The rank of findings that a policy ignores. All other ranks are lower.
NO_WEIGHT = 2

#: The message about an invalid pattern.
INVALID_PATTERN = "hosts must be names, addresses, or '*.' and a name"

T = TypeVar("T", str, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Conditions that a URI must satisfy before a program connects to it.

    A policy examines only the URI. It does not look up the host name or follow redirects, and it
    does not know whether a proxy connects to another address. So check every redirect too, and
    check the resolved address with `uriverse.hosts.scopes` when you connect.

    A policy is immutable. It rejects ports larger than 65535. If `hosts` or `scopes` is not `None`,
    it also rejects URIs without a host.

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
        allowed: the codes of ambiguity findings to accept nevertheless, such as `"encoded-slash"`.
            If you accept a host that other software reads as an IPv4 address, such as `127.1`, then
            `hosts` and `scopes` apply to that address, and `enforce` returns it as the host. The
            same is true if `unambiguous` is false.
        scopes: the allowed scopes of IP addresses (see `uriverse.hosts.scope`); `None` allows every
            scope. If the host is an address, its scope and the scopes of all addresses embedded in
            it must be allowed. Ordinary host names have no scope, because the policy does not look
            them up. `"loopback"` allows `localhost` and names below it. `"special-use"` allows
            other special-use names ([RFC 6761][1]), such as `printer.local`, except those for
            documentation, such as `example.com`, which have no scope either. An address or a
            name that is itself an entry of `hosts`, not only matched by `*.`, may have any scope.

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
    uriverse.errors.PolicyError: the policy forbids userinfo (userinfo-not-allowed, position 8)
      https://www.example.org@10.1/a
              ^
    """

    schemes: Collection[str] | None = frozenset({"http", "https"})
    hosts: Collection[str] | None = None
    ports: Collection[int] | None = None
    userinfo: bool = False
    unambiguous: bool = True
    allowed: Collection[str] = frozenset()
    scopes: Collection[str] | None = PUBLIC_SCOPES

    def __post_init__(self) -> None:
        require_bool("userinfo", self.userinfo)
        require_bool("unambiguous", self.unambiguous)
        schemes = collected("schemes", self.schemes, str)
        for scheme in schemes or ():
            if not matches(scheme, "scheme") or scheme != scheme.lower():
                raise ValueError(f"schemes must be valid and in lower case, not {scheme!r}")
        ports = collected("ports", self.ports, int)
        for port in ports or ():
            if not 0 <= port <= LARGEST_PORT:
                raise ValueError(f"ports must be from 0 to {LARGEST_PORT}, not {port}")
        scopes = collected("scopes", self.scopes, str)
        if scopes is not None and not scopes <= SCOPES:
            choices = ", ".join(sorted(SCOPES))
            raise ValueError(f"scopes must be among {choices}, not {min(scopes - SCOPES)!r}")
        allowed = collected("allowed", self.allowed, str) or frozenset()
        for code in allowed:
            if code not in CODES or CODES[code].group != "ambiguity":
                raise ValueError(f"allowed must be codes of the group ambiguity, not {code!r}")
        patterns = collected("hosts", self.hosts, str)
        kept = {
            "schemes": schemes,
            "hosts": None if patterns is None else frozenset(map(canonical_pattern, patterns)),
            "ports": ports,
            "allowed": allowed,
            "scopes": scopes,
        }
        # The collections are stored in immutable form; a frozen dataclass requires
        # `object.__setattr__`.
        for name, collection in kept.items():
            object.__setattr__(self, name, collection)

    def allows(self, uri: str | Identifier, /, *, base: str | Identifier | None = None) -> bool:
        """Return whether the policy allows connecting to a URI.

        To connect, use the URI that `enforce` returns instead: it is unambiguous and normalized.

        Args:
            uri: a URI or an IRI; any reference if `base` is given.
            base: the URI against which a relative reference is resolved; `None` rejects relative
                references.

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
                sent a redirect; `None` rejects relative references.

        Raises:
            PolicyError: the policy does not allow the URI. Its `code` is the code of a finding of
                `check`, or `"scheme-not-allowed"`, `"userinfo-not-allowed"`,
                `"host-not-allowed"`, `"port-not-allowed"` or `"scope-not-allowed"`. If the policy
                rejects only the canonical form, `text` and `position` refer to that form.
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
        if given.scheme is None and base is not None:
            self._reject_findings(given)
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
        self._reject_findings(given)
        canonical = canonical_uri(given)
        self._reject_place(given, canonical)
        return canonical

    def _reject_findings(self, given: IRIReference) -> None:
        """Raise `PolicyError` if `check` reports a violation of scheme rules or an ambiguity."""
        # A relative reference has no scheme yet. The caller resolves it, which adds one.
        skipped = {*self.allowed, *(["missing-scheme"] if given.scheme is None else [])}
        found = check(given, severities=dict.fromkeys(skipped, "off") if skipped else None)
        first = min(found, key=self._weight, default=None)
        if first is not None and self._weight(first) < NO_WEIGHT:
            raise error_of(str(given), first)

    def _weight(self, finding: Finding) -> int:
        """Return the rank of a finding of `check`; a policy reports the finding of lowest rank.

        Violations of scheme rules rank before ambiguities. All other findings have the rank
        `NO_WEIGHT`, so the policy ignores them.
        """
        groups = ("scheme", "ambiguity") if self.unambiguous else ("scheme",)
        group = CODES[finding.code].group
        return groups.index(group) if group in groups else NO_WEIGHT

    def _reject_place(self, given: IRIReference, uri: URI) -> None:
        """Raise `PolicyError` if the policy does not allow the host or the port of a URI.

        The scope of the host, such as loopback or private, must be allowed as well.
        """
        if (self.hosts is not None or self.scopes is not None) and not uri.host:
            # A lenient program may find a host elsewhere in the URI, as in "gopher:/host".
            reject(given, "host-missing", "host", "the policy requires a host")
        if self.hosts is not None and not is_listed(uri, self.hosts):
            reject(given, "host-not-allowed", "host", "the policy forbids the host")
        # A port with more than five digits is too large. `effective_port` would have to convert it,
        # and Python limits the number of digits that `int` converts.
        port = uri.effective_port if len(uri.port_text or "") <= len(str(LARGEST_PORT)) else None
        if uri.port_text and (port is None or port > LARGEST_PORT):
            reason = f"port too large: the maximum is {LARGEST_PORT}"
            reject(given, "port-not-allowed", "port", reason)
        if self.ports is not None and port not in self.ports:
            reject(given, "port-not-allowed", "port", "the policy forbids the port")
        listed = self.hosts is not None and name_of(uri) in self.hosts
        beyond = scopes_of(uri) - (SCOPES if self.scopes is None or listed else {*self.scopes})
        if beyond:
            named = ", ".join(sorted(beyond))
            reason = f"the policy forbids the scope of the host: {named}"
            reject(given, "scope-not-allowed", "host", reason)


def parse_or_reject(text: str) -> IRIReference:
    """Parse a string as a URI or a reference; raise `PolicyError` if the string is invalid."""
    try:
        return parse(text)
    except ParseError as error:
        at = (error.position, error.component, error.rule, error.reason, error.hint)
        raise PolicyError(text, *at, code="syntax") from None


def canonical_uri(given: IRIReference) -> URI:
    """Return the normalized ASCII URI to connect to, whose host is a domain name or an address."""
    try:
        uri = given.to_uri(host="idna").normalize(scheme=True)
    except ConvertError as error:
        reject(given, "host-not-allowed", "host", error.reason)
    assert isinstance(uri, URI), "an IRI has a scheme"
    if uri.host_kind == "reg-name" and uri.host:
        lookalike = hosts.lookalike_ip(uri.host)
        if lookalike is not None:
            return uri.with_host(str(lookalike))
        if not is_plain_domain(uri.host):
            reject(given, "host-not-allowed", "host", "invalid host: not a domain name")
    if uri.host_kind == "IPvFuture":
        reject(given, "host-not-allowed", "host", "invalid host: IPvFuture is unsupported")
    return uri


def reject(given: IRIReference, code: str, component: str, reason: str, hint: str = "") -> NoReturn:
    """Raise a `PolicyError` whose position is the start of the given component."""
    at = Bounds(*given._bounds)
    starts = {"scheme": 0, "userinfo": at.authority, "host": at.host, "port": at.host_end}
    position = max(starts[component], 0)
    raise PolicyError(str(given), position, component, code, reason, hint, code=code)


def error_of(text: str, finding: Finding) -> PolicyError:
    """Convert a finding of `check` to a `PolicyError`."""
    place = (finding.start, finding.component, finding.code)
    hint = finding.suggestion or ""
    return PolicyError(text, *place, finding.message, hint, code=finding.code)


def is_plain_domain(host: str) -> bool:
    """Return whether an ASCII host is a domain name whose last label is not a number.

    If the last label is a number, browsers parse the host as an IPv4 address or reject it (see the
    [URL standard][1]).

    [1]: https://url.spec.whatwg.org/#ends-in-a-number-checker
    """
    last_label = host.removesuffix(".").rpartition(".")[2]
    try:
        return to_ascii(host) == host and hosts.ipv4_form(last_label) is None
    except ConvertError:
        return False


def require_bool(name: str, given: object) -> None:
    """Raise `TypeError` for a flag that is not a `bool`, such as the string "false"."""
    if type(given) is not bool:
        raise TypeError(f"{name} must be a bool, not {type(given).__name__}")


def collected(name: str, given: object, kind: type[T]) -> frozenset[T] | None:
    """Convert a collection of strings or numbers to a `frozenset`; return `None` for `None`."""
    if given is None:
        return None
    if isinstance(given, Iterable) and not isinstance(given, str):
        members = frozenset(cast("Iterable[T]", given))
        if all(type(member) is kind for member in members):
            return members
    raise TypeError(f"{name} must be a collection of {kind.__name__}, or None")


def canonical_pattern(pattern: str) -> str:
    """Return the canonical form of an entry of `Policy.hosts`: a host, or `*.` and a name."""
    wildcard, name = ("*.", pattern[2:]) if pattern.startswith("*.") else ("", pattern)
    bracketed = name if name.startswith("[") else f"[{name}]"
    if not wildcard and hosts.ip(bracketed) is not None:
        return canonical(bracketed[1:-1])
    if not wildcard and hosts.ip(name) is not None:
        return name
    try:
        domain = to_ascii(name)
    except ConvertError as error:
        raise ValueError(f"{INVALID_PATTERN}, not {pattern!r}") from error
    if not is_plain_domain(domain):
        raise ValueError(f"{INVALID_PATTERN}, not {pattern!r}: write IPv4 addresses in full")
    return wildcard + domain.removesuffix(".")


def is_listed(uri: URI, patterns: Collection[str]) -> bool:
    """Return whether the host of a canonical URI matches an entry of `Policy.hosts`."""
    name = name_of(uri)
    if name in patterns or uri.host_kind != "reg-name":
        return name in patterns
    labels = name.split(".")
    return any(f"*.{'.'.join(labels[n:])}" in patterns for n in range(1, len(labels)))


def name_of(uri: URI) -> str:
    """Return the host of a normalized URI, without its brackets and its trailing dot."""
    return str(uri.hostname).removesuffix(".")


def scopes_of(uri: URI) -> AbstractSet[str]:
    """Return the address scopes of the host of a URI, such as `"loopback"` or `"private"`.

    The set is empty for a name whose scope is known only after a DNS lookup.
    """
    address = uri.ip
    if address is not None:
        return hosts.scopes(address)
    name = hosts.special_use(uri.hostname or "")
    if name is None or name in IN_DOCUMENTS:
        return frozenset()
    return frozenset({"loopback" if name == LOCALHOST else SPECIAL_USE})
