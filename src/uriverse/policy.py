"""Decide which identifiers a program may connect to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NoReturn, TypeVar, cast, get_args

from . import hosts
from ._engine import Identifier, as_text
from ._spec.components import Bounds
from ._spec.domain import to_ascii
from ._spec.ipv6 import canonical
from ._spec.syntax import matches
from .diagnosis import CODES, Finding, check
from .errors import ConvertError, ParseError, PolicyError
from .hosts import PUBLIC_SCOPES
from .identifiers import IRI, URI, IRIReference, parse
from .schemes.registry import LARGEST_PORT
from .typing import Scope

#: The name of this machine, whose scope is that of its address ([RFC 6761, 6.3][1]).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
LOCALHOST = "localhost"

#: Special-use names for documentation, which nevertheless resolve to public hosts.
IN_DOCUMENTS = {"example", "example.com", "example.net", "example.org"}

#: The scope of the other special-use names: they never resolve to public hosts.
SPECIAL_USE = "special-use"

#: All scopes that a policy can allow.
SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})

#: The rank of findings that a policy ignores: higher than that of any other.
NO_WEIGHT = 2

#: The message about an invalid pattern.
INVALID_PATTERN = "hosts must be names, addresses, or '*.' and a name"

T = TypeVar("T", str, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Conditions that a URI must satisfy before a program connects to it.

    A policy examines the string only. It does not see which addresses a name resolves to, now or at
    the time of the connection, where a redirect points, or what a proxy does. Check each redirect,
    and check the resolved address (`uriverse.hosts.scopes`) when you connect.

    Args:
        schemes: the allowed schemes, in lower case; `None` for all.
        hosts: the allowed hosts: a name or an address, or `*.` and a name for all names below it,
            excluding the name itself; `None` for all.
        ports: the allowed ports; a URI without a port has the default port of its scheme; `None`
            for all.
        userinfo: whether userinfo is allowed.
        unambiguous: whether to reject URIs that other software may parse differently, by any
            finding of `check` in the group "ambiguity". If false, a host that other software
            interprets as an address is treated as that address.
        allowed: the codes of findings to accept nevertheless, such as `"encoded-slash"`.
        scopes: if the host is an address, the allowed scopes (`uriverse.hosts.scope`) of it and of
            all addresses embedded in it; `"loopback"` also allows names of this machine, and
            `"special-use"` other special-use names; `None` for all.

    URIs without a host are rejected if `hosts` or `scopes` is set, and so is any port that
    is larger than 65535.

    Raises:
        ValueError: a host, a scheme, a port, a scope or a code is invalid.
        TypeError: an argument is not a collection of strings, or of numbers, as required.

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

        Connect to the result of `enforce`, which also gives the reason for a rejection. Arguments
        and other errors are the same.

        >>> Policy().allows("https://example.org/"), Policy().allows("http://127.0.0.1/")
        (True, False)
        """
        try:
            self.enforce(uri, base=base)
        except PolicyError:
            return False
        return True

    def enforce(self, uri: str | Identifier, /, *, base: str | Identifier | None = None) -> URI:
        """Return the canonical URI to connect to, or raise an error with the reason.

        It is in ASCII and in the normal form of its scheme. Connect to it, not to the input.
        The canonical URI is checked like the input, so a policy accepts every URI that it
        returns: `enforce(enforce(x)) == enforce(x)`.

        Args:
            uri: a URI or an IRI, or with `base` any reference.
            base: the URI against which a relative reference is resolved, such as that of the
                page that redirects; `None` rejects relative references.

        Raises:
            PolicyError: the policy does not allow it; `code` says why: a code of `check`, or
                `"scheme-not-allowed"`, `"host-not-allowed"`, `"port-not-allowed"`,
                `"userinfo-not-allowed"`, `"scope-not-allowed"`. If only its canonical form is
                not allowed, `reason` says so, and `text` and `position` refer to that form.
            ResolveError: the base has no scheme.
            ParseError: the base is not an IRI reference.
            TypeError: an argument is neither a `str` nor an identifier.
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
        """Raise an error if the policy rejects the canonical URI that it produced.

        Decoding can produce what the given text did not contain: "%25%32e" becomes "%252e".
        """
        try:
            again = self._canonical(canonical)
        except PolicyError as error:
            reason = f"canonical form rejected: {error.reason}"
            place = (error.position, error.component, error.rule)
            raise PolicyError(error.text, *place, reason, error.hint, code=error.code) from None
        assert again == canonical, "the canonical form of a canonical URI is that URI"

    def _canonical(self, given: IRI) -> URI:
        """Apply the policy to an identifier that has a scheme, and return its canonical URI."""
        if self.schemes is not None and given.scheme.lower() not in self.schemes:
            reject(given, "scheme-not-allowed", "scheme", "the policy forbids the scheme")
        if given.userinfo is not None and not self.userinfo:
            reject(given, "userinfo-not-allowed", "userinfo", "the policy forbids userinfo")
        self._reject_findings(given)
        canonical = canonical_uri(given)
        self._reject_place(given, canonical)
        return canonical

    def _reject_findings(self, given: IRIReference) -> None:
        """Reject violations of scheme rules, and URIs that other software may parse differently."""
        # A relative reference has no scheme, and the caller resolves it.
        skipped = {*self.allowed, *(["missing-scheme"] if given.scheme is None else [])}
        found = check(given, severities=dict.fromkeys(skipped, "off") if skipped else None)
        first = min(found, key=self._weight, default=None)
        if first is not None and self._weight(first) < NO_WEIGHT:
            raise error_of(str(given), first)

    def _weight(self, finding: Finding) -> int:
        """Return the rank of a finding: violations of scheme rules come before ambiguities."""
        groups = ("scheme", "ambiguity") if self.unambiguous else ("scheme",)
        group = CODES[finding.code].group
        return groups.index(group) if group in groups else NO_WEIGHT

    def _reject_place(self, given: IRIReference, uri: URI) -> None:
        """Reject a host, its scope, or a port that is not allowed."""
        if (self.hosts is not None or self.scopes is not None) and not uri.host:
            # A program that connects anyway finds a host elsewhere in the URI, as in
            # "gopher:/host".
            reject(given, "host-missing", "host", "the policy requires a host")
        if self.hosts is not None and not is_listed(uri, self.hosts):
            reject(given, "host-not-allowed", "host", "the policy forbids the host")
        # A port with more digits is too large, and may have too many to convert.
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
    """Parse a string; convert its `ParseError` to a `PolicyError`."""
    try:
        return parse(text)
    except ParseError as error:
        at = (error.position, error.component, error.rule, error.reason, error.hint)
        raise PolicyError(text, *at, code="syntax") from None


def canonical_uri(given: IRIReference) -> URI:
    """Return the URI to connect to: ASCII, normalized, with a domain name or address as host."""
    try:
        uri = given.to_uri(host="idna").normalize(scheme=True)
    except ConvertError as error:
        reject(given, "host-not-allowed", "host", error.reason)
    assert isinstance(uri, URI), "the identifier has a scheme"
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
    """Raise the error for a component of an identifier."""
    at = Bounds(*given._bounds)
    starts = {"scheme": 0, "userinfo": at.authority, "host": at.host, "port": at.host_end}
    position = max(starts[component], 0)
    raise PolicyError(str(given), position, component, code, reason, hint, code=code)


def error_of(text: str, finding: Finding) -> PolicyError:
    """Return the error for a finding."""
    place = (finding.start, finding.component, finding.code)
    hint = finding.suggestion or ""
    return PolicyError(text, *place, finding.message, hint, code=finding.code)


def is_plain_domain(host: str) -> bool:
    """Return whether an ASCII host is a domain name whose last label is not a number.

    The [URL standard][1] parses a host that ends in a number as an IPv4 address, or fails.

    [1]: https://url.spec.whatwg.org/#ends-in-a-number-checker
    """
    last_label = host.removesuffix(".").rpartition(".")[2]
    try:
        return to_ascii(host) == host and hosts.ipv4_form(last_label) is None
    except ConvertError:
        return False


def require_bool(name: str, given: object) -> None:
    """Reject a flag that is not a `bool`: a string such as "false" would be true."""
    if type(given) is not bool:
        raise TypeError(f"{name} must be a bool, not {type(given).__name__}")


def collected(name: str, given: object, kind: type[T]) -> frozenset[T] | None:
    """Return a collection of strings or numbers as a `frozenset`; `None` stays `None`."""
    if given is None:
        return None
    if isinstance(given, Iterable) and not isinstance(given, str):
        members = frozenset(cast("Iterable[T]", given))
        if all(type(member) is kind for member in members):
            return members
    raise TypeError(f"{name} must be a collection of {kind.__name__}, or None")


def canonical_pattern(pattern: str) -> str:
    """Return a host pattern (a host, or `*.` and a name) in the form used for comparison."""
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
    """Return whether the host of a canonical URI equals one of the patterns, or is below one."""
    name = name_of(uri)
    if name in patterns or uri.host_kind != "reg-name":
        return name in patterns
    labels = name.split(".")
    return any(f"*.{'.'.join(labels[n:])}" in patterns for n in range(1, len(labels)))


def name_of(uri: URI) -> str:
    """Return the host of a canonical URI in the form used for comparison."""
    return str(uri.hostname).removesuffix(".")


def scopes_of(uri: URI) -> AbstractSet[str]:
    """Return the scopes of a canonical URI's host; empty for names that need a lookup."""
    address = uri.ip
    if address is not None:
        return hosts.scopes(address)
    name = hosts.special_use(uri.hostname or "")
    if name is None or name in IN_DOCUMENTS:
        return frozenset()
    return frozenset({"loopback" if name == LOCALHOST else SPECIAL_USE})
