"""Find the rules of a policy that match a URI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address
from itertools import chain, islice

from uriverse import hosts
from uriverse._lazy import lazy_pattern
from uriverse._spec.domain import ACE_PREFIX
from uriverse._uri import URI
from uriverse.diagnosis._dot_segments import DECODINGS, decode_leniently

from .hosts import HostIndex, get_host_name, infer_scopes, widen_host_pattern
from .paths import PathIndex, PathPattern, Segment, matches_segment, to_comparable
from .readings import (
    INVISIBLE,
    MOST_ODD,
    decode_except_slashes,
    fold_text,
    has_safe_wildcards,
    is_safe_match,
    list_readings,
    stays_in_subtree,
)
from .rules import ANY_PORT, Rule, Shape

#: The addresses that `localhost` and the unspecified address reach.
LOOPBACK_ADDRESSES = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

#: The separators of parameters in a query and in a path.
SEPARATOR = lazy_pattern("[?&;]")

#: A noncharacter that replaces a separator.
SPLIT = "\ufffe"

#: The end of a name or a value, which programs in C, such as PHP, do not read.
AFTER_NUL = lazy_pattern(f"\0[^?&;={SPLIT}]*")


class HostRules:
    """The rules for one pattern of hosts, by path. A rule is a number: its place in the policy."""

    __slots__ = ("components", "numbers", "paths", "schemes_and_ports", "without_path")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.without_path: list[int] = []
        #: The components below the host that the rules name.
        self.components: frozenset[str] = frozenset()
        # Most hosts have no rule with a path, and the others are needed only for some errors.
        self.paths: PathIndex[int] | None = None
        self.schemes_and_ports: set[tuple[str | None, int | None]] | None = None

    def add(self, number: int, shape: Shape) -> None:
        self.numbers.append(number)
        if shape.path is None:
            self.without_path.append(number)
        else:
            self.paths = self.paths or PathIndex()
            self.paths.add(shape.path, number)
        if not shape.components <= self.components:
            self.components |= shape.components

    def find_paths(self, path: str) -> Iterator[int]:
        return iter(()) if self.paths is None else self.paths.find(path)

    def list_schemes_and_ports(self, shapes: Sequence[Shape]) -> set[tuple[str | None, int | None]]:
        if self.schemes_and_ports is None:
            self.schemes_and_ports = {(shapes[n].scheme, shapes[n].port) for n in self.numbers}
        return self.schemes_and_ports


class RuleSet:
    """The rules of `Policy.allow` or `Policy.deny`, and their parts as they are compared."""

    def __init__(self, rules: Sequence[Rule], convert: Callable[[Shape], Shape]) -> None:
        """Index rules by host; `convert` returns the parts with which URIs are compared."""
        self.rules = rules
        self.shapes = [convert(rule._shape) for rule in rules]
        self.component_sets = {shape.components for shape in self.shapes}
        self.components = frozenset[str]().union(*self.component_sets)

    @cached_property
    def index(self) -> HostIndex[HostRules]:
        """The rules by host, which are needed only if the kernel does not decide."""
        index: HostIndex[HostRules] = HostIndex()
        for number, shape in enumerate(self.shapes):
            index.get_or_add(shape.host, HostRules()).add(number, shape)
        return index

    def filter_rules(
        self, numbers: Iterable[int], uri: URI, *, check_query: bool = True
    ) -> Iterator[int]:
        """Yield the numbers of those rules that match a URI, apart from its host and its path."""
        schemes, ports = {None, uri.scheme}, {ANY_PORT, uri.effective_port}
        parameters: set[str] = set()
        for number in numbers:
            shape = self.shapes[number]
            if shape.scheme not in schemes or shape.port not in ports:
                continue
            if check_query and shape.query is not None:
                # Thousands of rules may have queries, so that of the URI is split only once.
                parameters = parameters or self.extract_parameters(uri)
                if not parameters.issuperset(shape.query.split(SPLIT)):
                    continue
            yield number

    def find_host_item(self, host_rules: Iterable[HostRules]) -> int | None:
        """Return the first rule that is a host, whatever the scheme, the port and the path."""
        numbers = (number for rules in host_rules for number in rules.numbers)
        return min((n for n in numbers if self.shapes[n].scheme is None), default=None)

    def extract_parameters(self, uri: URI) -> set[str]:
        # The whole query counts as one parameter. An empty query matches URIs without one, too.
        return {to_comparable(uri.query or "")}


class AllowedRules(RuleSet):
    """The rules of `Policy.allow`, and the codes of findings that each of them accepts.

    A rule for an internationalized domain name accepts it in Unicode if all versions of IDNA agree.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        super().__init__(rules, lambda shape: shape)
        self.accepted = [
            rule._allowed | {"host-past-ascii"} if ACE_PREFIX in shape.host.text else rule._allowed
            for rule, shape in zip(rules, self.shapes, strict=True)
        ]
        self.accepted_sets = {*self.accepted}

    def list_schemes_and_ports(self, uri: URI) -> set[tuple[str | None, int | None]]:
        host_rules = self._find_host_rules(uri)
        return {pair for rules in host_rules for pair in rules.list_schemes_and_ports(self.shapes)}

    def list_host_rules(self, uri: URI) -> list[int]:
        return sorted(
            chain.from_iterable(host_rules.numbers for host_rules in self._find_host_rules(uri))
        )

    def list_matching_rules(self, uri: URI) -> list[int]:
        return sorted(self.find_path_rules(uri, check_query=True))

    def find_path_rules(self, uri: URI, *, check_query: bool) -> Iterator[int]:
        """Yield the rules that match a URI; unless `check_query`, whatever queries they require."""
        path = to_comparable(uri.path)
        numbers = chain.from_iterable(
            chain(rules.without_path, rules.find_paths(path))
            for rules in self._find_host_rules(uri)
        )
        # Most rules with the same path have another query, so a query is compared first, if at all.
        for number in self.filter_rules(numbers, uri, check_query=check_query):
            shape = self.shapes[number]
            if shape.path is not None and not has_safe_wildcards(shape.path, path):
                continue
            if has_allowed_suffix(shape, path):
                yield number

    def list_endpoint_rules(self, uri: URI, port: int) -> list[int]:
        numbers = self.list_host_rules(uri)
        return [number for number in numbers if self.shapes[number].port in {ANY_PORT, port}]

    def confines_path(self, number: int, path: str) -> bool:
        """Return whether all servers read a path inside the subtree of a rule that matches it."""
        pattern = self.shapes[number].path
        if pattern is None or not pattern.below:
            return True
        return stays_in_subtree(path, len(pattern.segments))

    def has_host(self, host: str) -> bool:
        return host in self.index.by_pattern

    def has_address(self, address: IPv4Address | IPv6Address) -> bool:
        """Return whether an item of the policy is an address, or a network that contains it."""
        return self.find_host_item(self.index.find_address(address)) is not None

    def _find_host_rules(self, uri: URI) -> Iterator[HostRules]:
        address = uri.ip
        if address is None:
            return self.index.find_name(get_host_name(uri))
        return self.index.find_address(address)


class DeniedRules(RuleSet):
    """The rules of `Policy.deny`, which match widely."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        super().__init__(rules, widen_shape)

    def find_matching_rule(self, uri: URI, original_path: str) -> int | None:
        return min(self.list_matching_rules(uri, original_path, limit=1), default=None)

    def list_matching_rules(
        self, uri: URI, original_path: str, limit: int | None = None
    ) -> set[int]:
        """Return the numbers of the first rules that match any path that servers may read."""
        host_rules = [*self._find_host_rules(uri)]
        readings: list[str] | None = []
        some_have_paths = any(len(rules.without_path) < len(rules.numbers) for rules in host_rules)
        if some_have_paths:
            readings = list_readings(*dict.fromkeys((uri.path, original_path)))
        if readings is None:
            # There are too many readings, so any rule for the host may match one of them.
            numbers = {number for rules in host_rules for number in rules.numbers}
        else:
            # The slash at the end makes a path match a pattern for everything below it.
            paths = [f"{path}/" for path in readings]
            numbers = {
                number
                for rules in host_rules
                for path in paths
                for number in rules.find_paths(path)
                if self.has_denied_suffix(number, path)
            }.union(*(rules.without_path for rules in host_rules))
        return {*islice(self.filter_rules(sorted(numbers), uri), limit)}

    def list_components(self, uri: URI) -> set[str]:
        return {name for rules in self._find_host_rules(uri) for name in rules.components}

    def has_denied_suffix(self, number: int, path: str) -> bool:
        """Return whether a segment of a path that servers read has a suffix of a rule."""
        suffixes = self.shapes[number].suffixes
        return suffixes is None or any(name.endswith(suffixes) for name in path.split("/"))

    def extract_parameters(self, uri: URI) -> set[str]:
        """Return all parameters that servers may read in a path and a query, with folded case."""
        text = SEPARATOR.sub(SPLIT, f"{uri.path}?{uri.query or ''}")
        # A server decodes the whole text before it splits it, or each parameter.
        parameters = split_parameters(fold_parameters(text), SPLIT)
        for _ in range(DECODINGS):
            if (decoded := decode_leniently(text)) == text:
                break
            text = decoded
            for folded in map(fold_parameters, {text, AFTER_NUL.sub("", text)}):
                parameters |= split_parameters(folded, SPLIT)
                parameters |= split_parameters(folded, f"?&;{SPLIT}")
        return parameters

    def find_host_rule(self, uri: URI) -> int | None:
        return self.find_host_item(self._find_host_rules(uri))

    def find_address_rule(self, address: IPv4Address | IPv6Address) -> int | None:
        reached_addresses = list_reached_addresses(address)
        return self.find_host_item(
            chain.from_iterable(map(self.index.find_address, reached_addresses))
        )

    def _find_host_rules(self, uri: URI) -> Iterator[HostRules]:
        addresses: Iterable[IPv4Address | IPv6Address] = ()
        if uri.ip is None:
            name = get_host_name(uri)
            yield from self.index.find_name(name)
            if "loopback" in infer_scopes(name):
                addresses = LOOPBACK_ADDRESSES
        else:
            addresses = list_reached_addresses(uri.ip)
        for address in addresses:
            yield from self.index.find_address(address)


def list_reached_addresses(
    address: IPv4Address | IPv6Address,
) -> Iterator[IPv4Address | IPv6Address]:
    for embedded in hosts.embedded_addresses(address):
        yield embedded.address
        if embedded.address.is_unspecified:
            yield from LOOPBACK_ADDRESSES


def has_allowed_suffix(shape: Shape, path: str) -> bool:
    """Return whether every server reads a path with a suffix, for a rule such as `/a/**/*.png`."""
    if shape.suffixes is None or shape.path is None:
        return True
    *folders, name = path.split("/")[len(shape.path.segments) :]
    if len(folders) > MOST_ODD:
        return False
    suffixes = shape.suffixes
    if shape.ignore_case:
        name, suffixes = name.lower(), tuple(map(str.lower, suffixes))
    # The patterns are `*.jpg` for the last segment and `*` for those above it. Most rules have
    # another suffix, so the suffix is compared first.
    has_suffix = any(
        matches_segment(("", suffix), name) and is_safe_match(("", suffix), name, is_last=True)
        for suffix in suffixes
    )
    return has_suffix and all(is_safe_match(("", ""), folder, is_last=False) for folder in folders)


def fold_parameters(text: str) -> str:
    """Return a string as parameters are compared: without case and controls."""
    # PHP reads the names "a.b", "a b" and "a[b" as "a_b".
    return fold_text(INVISIBLE.sub("", text)).replace("+", " ").replace(".", "_").replace("[", "_")


def split_parameters(text: str, separators: str) -> set[str]:
    parts = map(str.strip, re.split(f"[{separators}]", text))
    return {part.replace(" ", "_").removesuffix("=") for part in parts}


def widen_query(query: str) -> str:
    """Return the parameters of a deny rule with `SPLIT` between them, decoded and in lower case."""
    text = SEPARATOR.sub(SPLIT, query)
    for _ in range(DECODINGS):
        text = decode_leniently(text)
    return SPLIT.join(sorted(split_parameters(fold_parameters(text), SPLIT)))


def widen_shape(shape: Shape) -> Shape:
    """Return the parts of a deny rule, which match more widely (see `Policy`)."""
    path = shape.path
    if path is not None:
        path = PathPattern(tuple(map(widen_segment, path.segments)), below=True)
    return shape._replace(
        host=widen_host_pattern(shape.host),
        port=shape.port if shape.has_port else ANY_PORT,
        path=path,
        query=shape.query and widen_query(shape.query),
        suffixes=shape.suffixes and tuple(map(widen_piece, shape.suffixes)),
    )


def widen_segment(segment: Segment) -> Segment:
    if isinstance(segment, str):
        return widen_piece(segment)
    return tuple(map(widen_piece, segment))


def widen_piece(text: str) -> str:
    """Decode a piece of a deny rule, except for encoded slashes."""
    for _ in range(DECODINGS):
        text = decode_except_slashes(text)
    return fold_text(text)
