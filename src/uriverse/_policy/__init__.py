"""Decide which URIs a program may connect to, against request forgery and open redirects."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Self, cast

from uriverse._errors import PolicyError
from uriverse._spec.normalization import is_dot_segment
from uriverse._uri import IRI, URI, IRIReference, parse
from uriverse._uri.engine import Identifier, as_text, get_bounds
from uriverse.hosts import PUBLIC_SCOPES
from uriverse.hosts._names import INTERNAL_DOMAINS, METADATA_NAMES, PLATFORM_NETWORKS
from uriverse.suffixes import Suffixes

from .compiling import (
    REJECTED,
    UNDECIDED,
    accepts_past_ascii,
    compile_policies,
    find_ascii_host,
)
from .compiling import get_compiled_policies as get_compiled_policies
from .configuration import SCOPES as SCOPES
from .configuration import (
    check_ports,
    check_schemes,
    check_scopes,
    make_policy_schema,
    read_policy_table,
    read_toml_policy,
    serialize_argument,
    show_argument,
)
from .decisions import Decision, describe_rejection
from .decisions import parse_or_reject as parse_or_reject
from .decisions import reject_uri as reject_uri
from .hosts import LONGEST_NAME, get_host_name
from .judging import Verdict, judge_uri, reject_findings
from .review import RuleFinding, review_rules
from .rule_sets import AllowedRules, DeniedRules
from .rules import Rule, check_codes, collect_rules, require_bool

__all__ = ["Decision", "Policy", "Rule", "RuleFinding"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Policy:
    """Conditions that a URI must satisfy before a program connects to it.

    A policy examines only the URI: it does not look up the host name, and it does not follow
    redirects. To connect, use a connector of `uriverse.dial`. It looks up the name, connects only
    to addresses that the policy allows, and checks every redirect.

    A policy is immutable. It rejects ports larger than 65535. If `allow` or `scopes` is not `None`,
    it also rejects URIs without a host. Its `repr` shows the arguments that differ from the
    defaults.

    An item of `allow` or `deny` is a host, such as `"api.example.com"` or `"*.example.com"`, an
    address, a network such as `"10.0.0.0/8"`, or a URL with wildcards, such as
    `"https://api.example.com/v1/"`. `Rule` describes all forms. Rules match the canonical form of a
    URI, component by component.

    Args:
        schemes: the allowed schemes, in lower case; `None` allows every scheme.
        allow: the rules for allowed URIs; `None` allows every host, and `[]` none. All other
            arguments apply as well: a rule with the scheme `ftp` matches nothing unless `schemes`
            contains `"ftp"`. Only `scopes` does not apply to the host of a rule without a
            wildcard, as in `"http://localhost:8080/"`, and to addresses in a network such as
            `"10.0.0.0/8"`. A rule for an IPv4 address allows no IPv6 address in which it is
            embedded.
        deny: the rules for rejected URIs, even if `allow` allows them. Deny rules match widely: a
            rule without a port matches every port. A path also matches everything below it, with
            or without a slash at its end, in any letter case, and in the other spellings that
            servers read as this path, such as encoded ones. A host alone matches every scheme.
            Addresses and networks match embedded addresses too (see
            `uriverse.hosts.embedded_addresses`), and the loopback addresses match `localhost` and
            `0.0.0.0`. A query matches if the URI has all its parameters, in any order and spelling.
        ports: the allowed ports; `None` allows every port. If a URI has no port, its port is the
            default port of its scheme.
        userinfo: whether to allow userinfo (`user:password@`).
        unambiguous: whether to reject URIs that other software may parse differently: those with a
            finding of `check` in the group "ambiguity". A finding in a path or a query matters only
            if the rule that matches, or a deny rule for the same host, has a path or a query, or if
            the path seems to start with two slashes. An underscore in a host does not matter.
        allowed: the codes of ambiguity findings to accept nevertheless. For example, a rule for
            GitLab's API needs `"encoded-slash"`, because of `group%2Fproject`. To accept a code in
            one place only, pass it to `Rule`. If a rule limits the path, no server may read the
            path outside of the rule's subtree. If you accept a host that other software reads as
            an IPv4 address, such as `127.1`, then `allow` and `scopes` apply to that address, and
            `enforce` returns it as the host. The same is true if `unambiguous` is false.
        scopes: the allowed scopes of IP addresses (see `uriverse.hosts.scope`); `None` allows every
            scope. If the host is an address, its scope and the scopes of all addresses embedded in
            it must be allowed. Ordinary host names have no scope, because the policy does not look
            them up. `"loopback"` allows `localhost` and names below it. `"special-use"` allows
            other special-use names ([RFC 6761][1]), such as `printer.local`, except those for
            documentation, such as `example.com`, which have no scope either. `uriverse.dial`
            applies `scopes` to the addresses that a name resolves to.
        single_label: whether to allow host names without a dot, such as `intranet`, and names with
            an underscore in one of the last two labels, which no registry of domains accepts. A
            name in a rule is always allowed.
        base: the URI against which relative references are resolved, unless `enforce` receives
            another base. References that start with `//` are then rejected.
        restrictions: other policies that must allow the URI too; see `restrict`.

    [1]: https://www.rfc-editor.org/rfc/rfc6761

    Raises:
        RuleError: a rule is invalid.
        PolicyError: `base` is not a URI that the policy allows.
        ValueError: a scheme, a port, a scope or a code is invalid.
        TypeError: an argument has the wrong type, for example one string instead of a collection.

    >>> policy = Policy(allow=["https://*.example.org/"])
    >>> policy.enforce("HTTPS://www.Example.org:443/a")
    URI('https://www.example.org/a')
    >>> policy.enforce("https://www.example.org@10.1/a")
    Traceback (most recent call last):
        ...
    uriverse.PolicyError: the policy forbids userinfo (userinfo-not-allowed, position 8)
      https://REDACTED@10.1/a
              ^
    """

    __module__ = "uriverse"

    schemes: Collection[str] | None = frozenset({"http", "https"})
    allow: Collection[str | Rule] | None = None
    deny: Collection[str | Rule] = ()
    ports: Collection[int] | None = None
    userinfo: bool = False
    unambiguous: bool = True
    allowed: Collection[str] = frozenset()
    scopes: Collection[str] | None = PUBLIC_SCOPES
    single_label: bool = True
    base: str | None = None
    restrictions: Collection[Policy] = ()
    _allow: AllowedRules | None = field(init=False, repr=False, compare=False)
    _deny: DeniedRules = field(init=False, repr=False, compare=False)
    #: This policy and its restrictions for the kernel; empty without the kernel.
    _compiled: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("userinfo", "unambiguous", "single_label"):
            require_bool(name, getattr(self, name))
        allow = collect_rules("allow", self.allow)
        deny = collect_rules("deny", self.deny) or ()
        is_one_policy = isinstance(self.restrictions, Policy)
        restrictions = () if is_one_policy else tuple(self.restrictions)
        if is_one_policy or not all(isinstance(policy, Policy) for policy in restrictions):
            raise TypeError("restrictions must be a collection of Policy")
        immutable_collections = {
            "schemes": check_schemes(self.schemes),
            "allow": allow,
            "deny": deny,
            "ports": check_ports(self.ports),
            "allowed": check_codes("allowed", self.allowed),
            "scopes": check_scopes(self.scopes),
            "restrictions": restrictions,
            "_allow": None if allow is None else AllowedRules(allow),
            "_deny": DeniedRules(deny),
        }
        # A frozen dataclass requires `object.__setattr__`.
        for name, collection in immutable_collections.items():
            object.__setattr__(self, name, collection)
        object.__setattr__(self, "_compiled", compile_policies(self))
        if self.base is not None:
            # The policy must allow its own base, which is stored in canonical form.
            object.__setattr__(self, "base", str(self.enforce(self.base)))

    @classmethod
    def public_web(cls, **arguments: Any) -> Self:
        """Return a policy for URLs of the public web: `http` and `https` on their default ports.

        It also rejects hosts that the default policy allows: names with a single label, names that
        are common inside networks, such as `printer.lan` and `metadata.google.internal`, and
        addresses of cloud platforms that look public, such as `168.63.129.16`.

        It allows non-ASCII hosts that IDNA 2003, IDNA 2008 and both modes of UTS 46 convert to the
        same domain name, and `enforce` returns that name. It allows underscores, except in the last
        two labels.

        Args:
            arguments: arguments of `Policy`. The rules of `deny` and the codes of `allowed` are
                added to those of this policy, and other arguments replace its own.

        Raises:
            RuleError: a rule is invalid.
            ValueError: an argument has an invalid value.
            TypeError: an argument is unknown, or has the wrong type.

        >>> policy = Policy.public_web()
        >>> policy.allows("https://example.org/"), policy.allows("http://intranet/")
        (True, False)
        >>> policy.allows("http://metadata.google.internal/"), policy.allows("http://168.63.129.16/")
        (False, False)
        >>> policy.enforce("https://bücher.example/")
        URI('https://xn--bcher-kva.example/')
        """
        internal = (*INTERNAL_DOMAINS, *METADATA_NAMES)
        rules = (*internal, *(f"*.{name}" for name in internal), *PLATFORM_NETWORKS)
        deny: list[str | Rule] = [*rules]
        deny += collect_rules("deny", arguments.pop("deny", ())) or ()
        allowed = {"host-past-ascii", *check_codes("allowed", arguments.pop("allowed", ()))}
        arguments = {"ports": {80, 443}, "single_label": False, **arguments}
        return cls(deny=deny, allowed=allowed, **arguments)

    @classmethod
    def for_redirects(cls, base: str | Identifier, /, allow: Collection[str | Rule] = ()) -> Self:
        """Return a policy for redirect targets, such as the value of a parameter `next`.

        It allows URIs with the scheme and the port of `base` whose host is that of `base`, or that
        match a rule of `allow`. It resolves relative references against `base`.
        It rejects references that start with `//`, and everything that programs may parse
        differently. Redirect to the URI that `enforce` returns.

        Args:
            base: the URI of the page that redirects, or of the site.
            allow: rules for other URIs to allow, as in `Policy.allow`.

        Raises:
            PolicyError: `base` is not a URI with a host, or it is ambiguous.
            RuleError: a rule is invalid.
            TypeError: an argument has the wrong type.

        >>> policy = Policy.for_redirects("https://example.org/login", allow={"*.example.org"})
        >>> policy.enforce("/account?tab=2")
        URI('https://example.org/account?tab=2')
        >>> policy.allows("//evil.example/"), policy.allows("https://www.example.org/")
        (False, True)
        """
        rules = collect_rules("allow", allow) or ()
        uri = cls(schemes=None, scopes=None, userinfo=True).enforce(base)
        if not uri.host:
            reject_uri(uri, "host-missing", "host", "the policy requires a host")
        port = uri.effective_port
        return cls(
            schemes={uri.scheme},
            allow=[get_host_name(uri), *rules],
            ports=None if port is None else {port},
            scopes=None,
            base=str(uri.without_userinfo()),
        )

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any], /) -> Self:
        """Return the policy that a configuration describes, for example one from a JSON file.

        The keys are the names of the arguments of `Policy`, and missing keys have the defaults. An
        item of `allow` or `deny` is a string, or a table with the keys `rule` and `allowed`; see
        `Rule`. An item of `restrictions` is a table of the same form as the whole. The string
        `"any"` has the same meaning as `None`, which TOML cannot express. `to_dict` is the inverse.

        Args:
            mapping: the configuration.

        Raises:
            RuleError: a rule is invalid.
            PolicyError: `base` is not a URI that the policy allows.
            ValueError: a key is unknown, or its value is invalid.
            TypeError: a value has the wrong type.

        >>> gitlab = {"rule": "https://gitlab.com/api/v4/", "allowed": ["encoded-slash"]}
        >>> policy = Policy.from_dict({"schemes": ["https"], "allow": ["*.example.com", gitlab]})
        >>> policy.allows("https://gitlab.com/api/v4/projects/group%2Fproject")
        True
        >>> Policy.from_dict({"restrictions": [{"schema": ["https"]}]})
        Traceback (most recent call last):
            ...
        ValueError: unknown key 'schema' in restrictions[0]; did you mean 'schemes'?
        """
        return read_policy_table(cls, mapping)

    @classmethod
    def from_toml(cls, text: str, /) -> Self:
        """Return the policy that a TOML document describes; see `from_dict`.

        Args:
            text: the document, not the name of a file.

        Raises:
            RuleError: a rule is invalid.
            PolicyError: `base` is not a URI that the policy allows.
            ValueError: the document is invalid TOML, a key is unknown, or its value is invalid.
            TypeError: `text` is not a string, or a value has the wrong type.

        >>> policy = Policy.from_toml('''
        ... schemes = ["https"]
        ... allow = ["*.example.com", "https://api.example.org/v1/"]
        ... ports = "any"
        ... ''')
        >>> policy.allows("https://api.example.org/v1/users")
        True
        """
        return read_toml_policy(cls, text)

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments that differ from the defaults as data for JSON or TOML.

        Sets become sorted lists, and `None` becomes `"any"`. The result may contain secrets if
        `base` has userinfo.

        >>> Policy(schemes={"https"}, scopes=None, deny=["10.0.0.0/8"]).to_dict()
        {'schemes': ['https'], 'deny': ['10.0.0.0/8'], 'scopes': 'any'}
        >>> Policy.from_dict(Policy(ports={80}).to_dict()) == Policy(ports={80})
        True
        """
        arguments = self._list_changed_arguments()
        return {name: serialize_argument(argument) for name, argument in arguments.items()}

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the [JSON Schema][1] (draft 2020-12) of the configurations of policies.

        Editors use it to complete and to check configuration files. It accepts every result of
        `to_dict`. It does not check the syntax of rules.

        [1]: https://json-schema.org/draft/2020-12

        >>> Policy.json_schema()["properties"]["restrictions"]["items"]
        {'$ref': '#'}
        """
        return make_policy_schema()

    def __repr__(self) -> str:
        arguments = self._list_changed_arguments().items()
        shown_arguments = ", ".join(f"{name}={show_argument(value)}" for name, value in arguments)
        return f"{type(self).__name__}({shown_arguments})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._list_changed_arguments()), ()

    def _list_changed_arguments(self) -> dict[str, Any]:
        values = {f.name: (getattr(self, f.name), f.default) for f in fields(self) if f.init}
        return {name: value for name, (value, default) in values.items() if value != default}

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
        decision = UNDECIDED if base is not None else self._ask_kernel(as_text(uri))
        if decision != UNDECIDED:
            return decision != REJECTED
        try:
            self._judge_text(as_text(uri), base)
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
                `"host-not-allowed"`, `"host-missing"`, `"port-not-allowed"`, `"path-not-allowed"`,
                `"query-not-allowed"`, `"scope-not-allowed"`, `"denied"`, `"too-long"`, `"relative"`
                or `"scheme-relative"`. If the policy rejects only the canonical form, `text` and
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
        return self._reach_verdict(as_text(uri), base).uri

    def decide(self, uri: str | Identifier, /, *, base: str | Identifier | None = None) -> Decision:
        """Decide whether the policy allows a URI, and say why.

        Unlike `enforce`, the method returns a result for URIs that it rejects as well. A decision
        is true if the URI is allowed. Its `str` is one line for a log, or for a language model that
        asked for the URI, without secrets.

        Args:
            uri: a URI or an IRI; any reference if `base` is given.
            base: the URI against which a relative reference is resolved; `None` for the base of
                the policy. Without either, relative references are rejected.

        Raises:
            ResolveError: `base` has no scheme.
            ParseError: `base` is not an IRI reference.
            TypeError: an argument is neither a `str` nor one of the four URI types.

        >>> policy = Policy(allow=["https://api.example.com/v1/"])
        >>> policy.decide("https://api.example.com/v1/users/../me").uri
        URI('https://api.example.com/v1/me')
        >>> print(policy.decide("https://a.example/?token=1234"))
        rejected: https://a.example/?token=REDACTED (host-not-allowed): the policy forbids the host
        """
        text = as_text(uri)
        try:
            verdict = self._reach_verdict(text, base)
        except PolicyError as error:
            return describe_rejection(text, error, self._list_deny_rules())
        return Decision(True, verdict.uri, verdict.rule, "", "", "", text)

    def restrict(self, other: Policy, /) -> Self:
        """Return a policy that allows only what this policy and another one allow.

        For example, an organization has a policy, and its users restrict it further. No later
        restriction can allow more. Relative references are resolved against the base of this
        policy. The codes that this policy and its rules accept are accepted in the other one as
        well; they never let a path leave its rules.

        Args:
            other: the other policy.

        Raises:
            PolicyError: the other policy does not allow the base of this one.
            TypeError: `other` is not a `Policy`.

        >>> organization = Policy(allow=["*.example.com"])
        >>> mine = organization.restrict(Policy(allow=["https://api.example.com/v1/"]))
        >>> mine.allows("https://api.example.com/v1/me"), mine.allows("https://www.example.com/")
        (True, False)
        """
        if not isinstance(other, Policy):
            raise TypeError(f"other must be a Policy, not {type(other).__name__}")
        rules = cast("tuple[Rule, ...]", self.allow or ())
        codes = frozenset(self.allowed).union(*(rule.allowed for rule in rules))
        return replace(self, restrictions=(*self.restrictions, other._accept_codes(codes)))

    def review(self, *, suffixes: Suffixes | None = None) -> list[RuleFinding]:
        """Find rules that do not do what their author expects.

        The codes of the findings are:

        - `"never-matches"`: an allow rule allows no URI, for example because its scheme is not in
          `schemes`, because a deny rule covers it, or because a restriction rejects its URIs. The
          method tries samples, such as `x.example.com` for `*.example.com`. In doubt, it reports
          nothing.
        - `"covered"`: another rule matches everything that the rule matches, and the policy allows
          the same URIs without the rule.
        - `"wide"`: an allow rule contains all names below a public suffix, such as `*.com` and
          `*.github.io`, all ports of all names below a domain, or a very large network.
        - `"narrow"`: a deny rule for `*.example.com` does not deny `example.com`, or a deny rule
          for `https` does not deny `http`, and the policy allows both. Or an allow rule ends in
          `/*`, which is one segment, and not everything below.
        - `"slow"`: many rules with `**` inside, such as `/**/*.png`, are for the same host.

        The method finds the rules that match a sample as `decide` does, and compares only these.
        Its time grows with the number of rules; only rules for the same host with wildcards in
        their paths are compared with each other. The rules of restrictions have no findings.

        Args:
            suffixes: the list of public suffixes; `None` for the list in the package
                `publicsuffixlist`. If the package is not installed, the method knows only top-level
                domains.

        Raises:
            TypeError: `suffixes` is neither a `Suffixes` nor `None`.

        >>> [finding] = Policy(allow=["*.example.com", "https://www.example.com/"]).review()
        >>> finding.code, finding.rule
        ('covered', Rule('https://www.example.com/'))
        """
        return list(review_rules(self, suffixes))

    def _accept_codes(self, codes: AbstractSet[str]) -> Policy:
        if not codes:
            return self
        others = [other._accept_codes(codes) for other in self.restrictions]
        return replace(self, allowed={*self.allowed, *codes}, restrictions=others)

    def _list_deny_rules(self) -> Iterator[Rule]:
        yield from self._deny.rules
        for policy in self.restrictions:
            yield from policy._list_deny_rules()

    def _reach_verdict(self, text: str, base: str | Identifier | None) -> Verdict:
        number = UNDECIDED if base is not None else self._ask_kernel(text)
        if number <= REJECTED:
            # The kernel gives no reason for a rejection.
            return self._judge_text(text, base)
        rule = None if self._allow is None else self._allow.rules[number]
        return Verdict(IRI(text).to_uri(host="idna").normalize(scheme=True), rule)

    def _judge_text(self, text: str, base: str | Identifier | None) -> Verdict:
        """Judge a reference without the kernel; raise `PolicyError` if it is rejected."""
        iri = self._resolve(parse_or_reject(text), base)
        if not isinstance(iri, IRI):
            reason = "missing scheme: the reference is relative"
            hint = 'add a scheme such as "https://", or resolve the reference first'
            reject_uri(iri, "relative", "scheme", reason, hint)
        verdict = self._judge(iri)
        if verdict.uri != iri:
            self._reject_canonical(verdict.uri)
        return verdict

    def _resolve(self, reference: IRIReference, base: str | Identifier | None) -> IRIReference:
        """Return a relative reference as it is if neither `base` nor the policy has a base."""
        if base is None and self.base is not None:
            base = self.base
            if reference.scheme is None and reference.authority is not None:
                reason = "scheme-relative reference: the host can be that of another site"
                reject_uri(reference, "scheme-relative", "host", reason)
        if reference.scheme is not None or base is None:
            return reference
        reject_findings(self, reference)
        target = parse(base).resolve(reference)
        if is_dot_segment(reference.path.rpartition("/")[2]):
            # Some programs resolve the reference without the slash at the end.
            return target.with_path(target.path + ".")
        return target

    def _ask_kernel(self, text: str) -> int:
        """Return the number of the rule that allows a string, `REJECTED` or `UNDECIDED`."""
        if not self._compiled:
            return UNDECIDED
        decision, *others = [int(policy.decision(text)) for policy in self._compiled]
        # A relative reference is undecided, but the restrictions of the policy have no base.
        if decision != UNDECIDED and REJECTED in others:
            return REJECTED
        if UNDECIDED not in (decision, *others):
            return decision
        return UNDECIDED if text.isascii() else self._decide_by_ascii_host(text)

    def _decide_by_ascii_host(self, text: str) -> int:
        """Return what the kernel decides about a string with the ASCII form of its host."""
        iri = IRI.try_parse(text)
        if iri is None or not iri.host or iri.host.isascii() or len(iri.host) > LONGEST_NAME:
            return UNDECIDED
        ascii_host = find_ascii_host(iri.host)
        if ascii_host is None:
            return UNDECIDED
        bounds = get_bounds(iri)
        decision = self._ask_kernel(text[: bounds.host] + ascii_host + text[bounds.host_end :])
        if decision <= REJECTED or accepts_past_ascii(self, decision):
            return decision
        return UNDECIDED

    def _judge(self, iri: IRI, *, is_canonical: bool = False) -> Verdict:
        verdict = judge_uri(self, iri, is_canonical=is_canonical)
        for policy in self.restrictions:
            policy._judge(iri, is_canonical=is_canonical)
        return verdict

    def _reject_canonical(self, canonical: URI) -> None:
        """Raise `PolicyError` if the policy rejects the canonical form of an accepted URI.

        Normalization can decode a percent-encoded triplet into the start of another triplet:
        "%25%32e" becomes "%252e", which some programs decode twice.
        """
        try:
            canonical_again = self._judge(canonical, is_canonical=True).uri
        except PolicyError as error:
            location = error.text, error.position, error.component, error.rule
            reason = f"canonical form rejected: {error.reason}"
            raise PolicyError(
                *location, reason, error.hint, code=error.code, denied_by=error.denied_by
            ) from None
        assert canonical_again == canonical, "the canonical form of a canonical URI is that URI"
