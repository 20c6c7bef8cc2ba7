"""Find the rules of a policy that do not do what their author expects, by URIs that they match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from uriverse import hosts
from uriverse._errors import PolicyError
from uriverse._uri import URI
from uriverse._uri.engine import redact
from uriverse.hosts._sites import check_suffixes
from uriverse.suffixes import Suffixes

from .hosts import SUBDOMAINS, HostPattern, format_address, get_network
from .judging import find_host_prohibition, judge_uri
from .paths import PathPattern, Segment, covers_segment
from .rule_sets import AllowedRules, DeniedRules, RuleSet, widen_shape
from .rules import AMBIGUITIES, ANY_PORT, EVERY_PATH, Rule, Shape

if TYPE_CHECKING:
    from . import Policy


T = TypeVar("T", str, int)

#: Schemes with TLS, and the schemes without TLS under which servers often have the same resources.
WITHOUT_TLS = {"https": "http", "wss": "ws"}

#: The shortest prefixes of networks of a usual size, by the version of IP.
SHORTEST_PREFIX = {4: 8, 6: 16}

#: The number of rules for one host that may examine a whole path, and the longest time that each
#: takes for a URL of 8 KB, in milliseconds.
MOST_WITH_SUFFIXES = 5
MOST_TIME = 3

#: The key of all addresses and networks in rules that are grouped by host.
ADDRESSES = "addresses"


class RuleFinding(NamedTuple):
    """A rule of a policy that does not do what its author expects; see `Policy.review`.

    Attributes:
        code: `"never-matches"`, `"covered"`, `"wide"`, `"narrow"` or `"slow"`.
        rule: the rule.
        message: a description of the problem, without secrets.
        hint: how to fix the problem.

    >>> from uriverse import Policy
    >>> [finding] = Policy(allow=["*.example.org", "*.com"]).review()
    >>> finding.code, finding.rule
    ('wide', Rule('*.com'))
    >>> finding.message
    'the rule allows all names below the top-level domain com'
    """

    code: str
    rule: Rule
    message: str
    hint: str


RuleFinding.__module__ = "uriverse"


class Rejection(NamedTuple):
    """A URI that a rule matches, and the error for it; all others are rejected too."""

    uri: URI
    error: PolicyError
    by_restriction: bool


def review_rules(policy: Policy, suffixes: Suffixes | None) -> Iterator[RuleFinding]:
    review = Review(policy, suffixes)
    yield from report_slow(policy._deny)
    if policy._allow is not None:
        yield from report_slow(policy._allow)
        for number in range(len(policy._allow.rules)):
            yield from review_allow_rule(policy._allow, number, review)
    for number, rule in enumerate(policy._deny.rules):
        yield from report_covered(rule, review.find_covering_deny_rule(policy._deny, number))
        yield from report_narrow(rule, review)


def review_allow_rule(allow: AllowedRules, number: int, review: Review) -> Iterator[RuleFinding]:
    rule = allow.rules[number]
    rejection = review.find_rejection(rule)
    if rejection is not None:
        yield report_never_matching(rule, rejection)
        return
    yield from report_covered(rule, review.find_covering_allow_rule(allow, number))
    yield from report_wide(rule, review)
    if rule._shape.ends_in_wildcard:
        reason = "the rule allows one segment after its last slash, and nothing below"
        hint = "end the rule with / to allow everything below"
        yield RuleFinding("narrow", rule, reason, hint)


class Review:
    """A policy with its restrictions, and data about them that all rules need.

    `schemes` and `ports` are those that all of them allow; `None` for every one. `groups` has, for
    each policy, its allow rules by the patterns that contain their hosts.
    """

    def __init__(self, policy: Policy, suffixes: Suffixes | None) -> None:
        self.policies = [*list_policies(policy)]
        self.schemes = intersect_limits(policy.schemes for policy in self.policies)
        self.ports = intersect_limits(policy.ports for policy in self.policies)
        # The first policy is the reviewed one, whose rules are never searched by a pattern.
        restrictions = self.policies[1:]
        self.groups = [{}, *(group_by_pattern(policy._allow) for policy in restrictions)]
        self.given_suffixes = None if suffixes is None else check_suffixes(suffixes)

    @cached_property
    def suffixes(self) -> Suffixes | None:
        """The list of public suffixes, which few policies need; `None` if none is installed."""
        try:
            return check_suffixes(self.given_suffixes)
        except ModuleNotFoundError:
            return None

    def find_public_suffix(self, host: str) -> str | None:
        return None if self.suffixes is None else self.suffixes.public_suffix(host)

    def make_samples(self, shape: Shape) -> Iterator[Sample]:
        """Yield URIs that a shape matches, with each allowed scheme and for each sample host."""
        shapes = [shape]
        if shape.scheme is None and self.schemes:
            shapes = [shape._replace(scheme=scheme) for scheme in sorted(self.schemes)]
        for sample_shape in shapes:
            for host in list_sample_hosts(sample_shape.host):
                yield Sample(sample_shape, make_sample_uri(sample_shape, host, self.ports))

    def allows_sample(self, shape: Shape) -> bool:
        return any(self.find_rejecting_policy(uri) is None for _, uri in self.make_samples(shape))

    def find_rejecting_policy(self, uri: URI) -> tuple[int, PolicyError] | None:
        for number, policy in enumerate(self.policies):
            try:
                judge_uri(policy, uri)
            except PolicyError as error:
                return number, error
        return None

    def find_rejection(self, rule: Rule) -> Rejection | None:
        """Return why no URI that an allow rule matches is allowed; `None` if one may be allowed."""
        first_rejection = None
        for sample in self.make_samples(rule._shape):
            number_and_error = self.find_rejecting_policy(sample.uri)
            if number_and_error is None:
                return None
            number, error = number_and_error
            if not self.rejects_all(sample, number, error):
                return None
            rejection = Rejection(sample.uri, error, by_restriction=number > 0)
            first_rejection = first_rejection or rejection
        return first_rejection

    def rejects_all(self, sample: Sample, number: int, error: PolicyError) -> bool:
        """Return whether a policy that rejects a sample of a rule rejects all its URIs."""
        policy, host = self.policies[number], sample.shape.host
        if error.code == "denied":
            return denies_all(policy._deny, sample)
        if error.code == "scope-not-allowed" and host.kind == "network":
            return get_network(host).is_private
        allow = policy._allow
        is_restriction = number > 0
        if not is_restriction or allow is None:
            return True
        # Rules of the restriction that do not match the sample may match other URIs. If the host
        # is a pattern, so may rules for the hosts that it contains.
        group = {"subdomains": host.text, "network": ADDRESSES}.get(host.kind, "")
        others = {*allow.list_host_rules(sample.uri), *self.groups[number].get(group, ())}
        others -= {*allow.list_matching_rules(sample.uri)}
        return not any(may_overlap(allow.shapes[other], sample.shape) for other in others)

    def find_covering_allow_rule(self, allow: AllowedRules, number: int) -> Rule | None:
        rules, uri = allow.rules, next(self.make_samples(allow.shapes[number])).uri
        others = [
            # A rule for a single host also allows the host in any scope.
            other
            for other in allow.list_matching_rules(uri)
            if find_host_prohibition(self.policies[0], uri, [other]) is None
        ]

        def covers(other: int, number: int) -> bool:
            accepts_same = allow.accepted[other] >= allow.accepted[number]
            return accepts_same and allow.shapes[other].covers(allow.shapes[number])

        return find_covering_rule(rules, others, number, covers)

    def find_covering_deny_rule(self, deny: DeniedRules, number: int) -> Rule | None:
        rules, shapes = deny.rules, deny.shapes
        uri = next(self.make_samples(rules[number]._shape)).uri
        others = sorted(deny.list_matching_rules(uri, uri.path))

        def covers(other: int, number: int) -> bool:
            # A component that a deny rule names is examined in all URIs with its host, even in
            # those that the rule does not match.
            names_same = shapes[other].components >= shapes[number].components
            is_as_strict = names_same or self.includes_every_uri(shapes[other])
            return is_as_strict and shapes[other].covers(shapes[number])

        return find_covering_rule(rules, others, number, covers)

    def includes_every_uri(self, shape: Shape) -> bool:
        """Return whether a deny rule matches all URIs with its host that the policy may allow."""
        return (
            not shape.components
            and (shape.scheme is None or self.schemes == frozenset({shape.scheme}))
            and (shape.port == ANY_PORT or self.ports == frozenset({shape.port}))
        )


def report_never_matching(rule: Rule, rejection: Rejection) -> RuleFinding:
    error = rejection.error
    subject = "the policy"
    if rejection.by_restriction:
        subject = "a restriction"
        hint = "remove the rule, or change the restriction"
    elif error.code in AMBIGUITIES:
        hint = f'accept the code "{error.code}" in this rule'
    else:
        hint = {
            "scheme-not-allowed": f'add "{rejection.uri.scheme}" to schemes',
            "port-not-allowed": f"add {rejection.uri.effective_port} to ports",
            "scope-not-allowed": "add the scope to scopes, or write a rule for each host",
            "denied": "remove the rule, or narrow the deny rule",
        }.get(error.code, "remove the rule")
    reason = f"{subject} rejects every URI that the rule matches: {error.reason}"
    return RuleFinding("never-matches", rule, reason, hint)


def report_covered(rule: Rule, other: Rule | None) -> Iterator[RuleFinding]:
    if other is not None:
        reason = f"another rule matches everything that the rule matches: {redact(str(other))}"
        yield RuleFinding("covered", rule, reason, "remove this rule")


def report_slow(rules: RuleSet) -> Iterator[RuleFinding]:
    """Report the first rule for a host with many rules such as `/**/*.png`, which search a path."""
    rules_by_host: dict[HostPattern, list[Rule]] = {}
    for rule, shape in zip(rules.rules, rules.shapes, strict=True):
        if shape.suffixes is not None:
            rules_by_host.setdefault(shape.host, []).append(rule)
    for host_rules in rules_by_host.values():
        if len(host_rules) > MOST_WITH_SUFFIXES:
            reason = f"{len(host_rules)} rules for this host take up to {MOST_TIME} ms each"
            hint = "write one rule, such as /**/*.{jpg,png}"
            yield RuleFinding("slow", host_rules[0], reason, hint)


def report_wide(rule: Rule, review: Review) -> Iterator[RuleFinding]:
    shape = rule._shape
    name = shape.host.text.removeprefix(SUBDOMAINS)
    if shape.host.kind == "network":
        network = get_network(shape.host)
        min_bits = SHORTEST_PREFIX[network.version]
        if network.prefixlen < min_bits:
            reason = f"the prefix of the network has only {network.prefixlen} bits"
            yield RuleFinding("wide", rule, reason, f"write a prefix of at least {min_bits} bits")
    elif shape.host.kind == "subdomains":
        if hosts.special_use(name) is None:
            yield from report_public_suffix(rule, name, review)
        if shape.port == ANY_PORT and shape.has_port and review.ports is None:
            reason = f"the rule allows every port of all names below {name}"
            yield RuleFinding("wide", rule, reason, "write the port, or one rule for each port")


def report_public_suffix(rule: Rule, name: str, review: Review) -> Iterator[RuleFinding]:
    """Report a rule for all names below a public suffix, where anyone can register names."""
    pattern = f"{SUBDOMAINS}{name}"
    kind = "public suffix" if "." in name else "top-level domain"
    suffix = review.find_public_suffix(pattern) if "." in name else name
    if suffix == name:
        reason = f"the rule allows all names below the {kind} {name}"
        hint = f"write a longer name, such as *.example.{name}"
        yield RuleFinding("wide", rule, reason, hint)
    elif suffix == pattern:
        # The list has the rule `*.kobe.jp`, and people register names such as a.example.kobe.jp.
        reason = f"the rule allows all names below {name}, which are public suffixes"
        hint = f"write a longer name, such as *.a.example.{name}"
        yield RuleFinding("wide", rule, reason, hint)


def report_narrow(rule: Rule, review: Review) -> Iterator[RuleFinding]:
    # A deny rule without a port denies every port.
    shape = rule._shape if rule._shape.has_port else rule._shape._replace(port=ANY_PORT)
    name = shape.host.text.removeprefix(SUBDOMAINS)
    if shape.host.kind == "subdomains" and "." in name:
        name_shape = shape._replace(host=HostPattern("name", name))
        if review.allows_sample(name_shape):
            reason = f"the rule does not deny {name} itself, which the policy allows"
            name_rule = redact(str(rule)).replace(SUBDOMAINS, "", 1)
            yield RuleFinding("narrow", rule, reason, f'add "{name_rule}" to deny')
    if shape.scheme in WITHOUT_TLS:
        scheme = WITHOUT_TLS[shape.scheme]
        if review.allows_sample(shape._replace(scheme=scheme)):
            reason = f"the rule denies only {shape.scheme}, and the policy allows {scheme}"
            yield RuleFinding("narrow", rule, reason, f"add the same rule with {scheme} to deny")


def list_policies(policy: Policy) -> Iterator[Policy]:
    yield policy
    for restriction in policy.restrictions:
        yield from list_policies(restriction)


def intersect_limits(limits: Iterable[Iterable[T] | None]) -> frozenset[T] | None:
    """Return the values that several arguments allow; `None` for every value."""
    sets = [frozenset(limit) for limit in limits if limit is not None]
    return sets[0].intersection(*sets) if sets else None


def group_by_pattern(allow: AllowedRules | None) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for number, shape in enumerate(allow.shapes if allow is not None else ()):
        for pattern in list_containing_patterns(shape.host):
            groups.setdefault(pattern, []).append(number)
    return groups


def list_containing_patterns(host: HostPattern) -> Iterator[str]:
    if host.kind in {"address", "network"}:
        yield ADDRESSES
        return
    _, *parents = host.text.split(".")
    for start in range(len(parents)):
        yield SUBDOMAINS + ".".join(parents[start:])


def find_covering_rule(
    rules: Sequence[Rule], others: Iterable[int], number: int, covers: Callable[[int, int], bool]
) -> Rule | None:
    """Return a rule that covers the rule `number`. Of equal rules, the first covers the others."""
    for other in others:
        if other == number or not covers(other, number):
            continue
        if other < number or not covers(number, other):
            return rules[other]
    return None


def denies_all(deny: DeniedRules, sample: Sample) -> bool:
    wide_shape = widen_shape(sample.shape)
    wide_shape = wide_shape._replace(port=sample.shape.port, path=wide_shape.path or EVERY_PATH)
    numbers = deny.list_matching_rules(sample.uri, sample.uri.path)
    return any(deny.shapes[number].covers(wide_shape) for number in numbers)


#: The string that takes the place of a wildcard.
ANY_NAME = "x"

#: The scheme of samples if every scheme is allowed.
USUAL_SCHEME = "https"


class Sample(NamedTuple):
    """A canonical URI that a rule matches, and the shape of the rule with its scheme."""

    shape: Shape
    uri: URI


def make_sample_uri(shape: Shape, host: str, ports: Collection[int] | None) -> URI:
    """Return a canonical URI that a shape matches, if possible with one of `ports`."""
    scheme = shape.scheme or USUAL_SCHEME
    path = make_sample_path(shape.path)
    if shape.suffixes:
        path += ANY_NAME + shape.suffixes[0]
    query = f"?{shape.query}" if shape.query else ""
    uri = URI(f"{scheme}://{host}{path}{query}")
    if shape.port not in {None, ANY_PORT}:
        uri = uri.with_port(shape.port)
    elif shape.port == ANY_PORT and ports and uri.effective_port not in ports:
        uri = uri.with_port(min(ports))
    return uri.normalize(scheme=True)


def list_sample_hosts(pattern: HostPattern) -> Iterator[str]:
    if pattern.kind in {"name", "subdomains"}:
        yield pattern.text.replace("*", ANY_NAME)
        return
    network = get_network(pattern)
    for address in dict.fromkeys((network[0], network[-1])):
        yield format_address(address) if network.version == 4 else f"[{format_address(address)}]"


def make_sample_path(pattern: PathPattern | None) -> str:
    if pattern is None:
        return "/"
    segments = (s if isinstance(s, str) else ANY_NAME.join(s) for s in pattern.segments)
    return "/".join(segments) + "/" * pattern.below


def may_overlap(shape: Shape, other: Shape) -> bool:
    """Return whether a URI may match both shapes; `None` and `ANY_PORT` match everything."""
    return (
        (shape.scheme == other.scheme or None in {shape.scheme, other.scheme})
        and (shape.host.contains(other.host) or other.host.contains(shape.host))
        and (shape.port == other.port or ANY_PORT in {shape.port, other.port})
        and (shape.path is None or other.path is None or may_paths_overlap(shape.path, other.path))
        and (shape.query == other.query or None in {shape.query, other.query})
    )


def may_paths_overlap(path: PathPattern, other: PathPattern) -> bool:
    # Every path below a pattern has more segments than the pattern.
    length, other_length = len(path.segments), len(other.segments)
    if path.below == other.below:
        may_have_same_length = path.below or length == other_length
    elif path.below:
        may_have_same_length = other_length > length
    else:
        may_have_same_length = length > other_length
    return may_have_same_length and all(map(may_be_equal, path.segments, other.segments))


def may_be_equal(segment: Segment, other: Segment) -> bool:
    if isinstance(segment, tuple) and isinstance(other, tuple):
        return True
    return covers_segment(segment, other) or covers_segment(other, segment)
