"""Parse the rules of a policy: hosts, networks, and URLs with wildcards; check collections."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from uriverse._errors import ParseError, RuleError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._uri import IRI, URI, parse
from uriverse._uri.engine import get_bounds, redact
from uriverse.diagnosis import CODES
from uriverse.schemes._registry import LARGEST_PORT

from .hosts import HostPattern, parse_host_pattern, parse_plain_pattern
from .paths import PathPattern, parse_path_pattern, to_comparable
from .readings import has_safe_wildcards, stays_in_subtree

T = TypeVar("T", str, int)

#: The codes of the findings that a policy or a rule may accept.
AMBIGUITIES = frozenset(code for code in CODES if CODES[code].group == "ambiguity")

#: The port of a rule that matches every port.
ANY_PORT = -1

#: The pattern of every path that starts with a slash.
EVERY_PATH = PathPattern(("",), below=True)

#: A group of suffixes at the end of the path of a rule.
SUFFIXES = lazy_pattern(r"/\*\*/\*\.(?:\{([\w.~,-]+)\}|([\w.~-]+))(?=\?|\Z)", re.ASCII)

#: The digit that replaces the wildcard in the port of a rule before the rule is parsed.
ANY_PORT_DIGIT = "0"


#: The components that a rule names, if it has no path and no query, a path, a query, or both.
NAMED_COMPONENTS = [*map(frozenset[str], ((), ("path",), ("query",), ("path", "query")))]


class Shape(NamedTuple):
    """The parts of a rule, in canonical form.

    `None` means every scheme, path, query or suffix, and `ANY_PORT` means every port. The port is
    `None` if URIs with this scheme have no port; `has_port` is whether the rule specifies it.
    `ignore_case` is for the suffixes, of which the path must have one.
    """

    scheme: str | None
    host: HostPattern
    port: int | None = ANY_PORT
    has_port: bool = False
    path: PathPattern | None = None
    query: str | None = None
    suffixes: tuple[str, ...] | None = None
    ignore_case: bool = False

    @property
    def components(self) -> frozenset[str]:
        return NAMED_COMPONENTS[(self.path is not None) + 2 * (self.query is not None)]

    @property
    def ends_in_wildcard(self) -> bool:
        """Whether the last segment is `*`, which people write for everything below."""
        return self.path is not None and not self.path.below and self.path.segments[-1] == ("", "")

    def covers(self, other: Shape) -> bool:
        """Return whether the shape matches every URI that another shape matches."""
        return (
            self.scheme in {None, other.scheme}
            and self.host.covers(other.host)
            and self.port in {ANY_PORT, other.port}
            and covers_path(self.path, other.path)
            and self.query in {None, other.query}
            and self.covers_suffixes(other)
        )

    def covers_suffixes(self, other: Shape) -> bool:
        if self.suffixes is None:
            return True
        if other.suffixes is None or (other.ignore_case and not self.ignore_case):
            return False
        return {*self.suffixes}.issuperset(other.suffixes)


class Rule:
    """A rule of a policy: a host, a network, or a URL with wildcards.

    A rule matches URIs by their components in canonical form, never as strings. A rule is
    immutable. `str(rule)` is the string that it was created from.

    These are the parts of a rule, with their meaning in `Policy.allow`:

    - Scheme: the same scheme. A rule that consists of a host has none, and allows every scheme and
      every port.
    - Host: a name, an address, or `*.` and a name, which means all names below it. A rule without a
      scheme can also be a network, such as `10.0.0.0/8`.
    - Port: the same port. Without one, the default port of the scheme; `:*` means every port.
    - Path: everything below a path that ends with `/` or `/**`; otherwise, that path alone. Without
      one, every path. A `*` stands for one or more characters of one segment. A literal `*` is
      written `%2A`, and matches both spellings. `/**/*.{jpg,png}` at the end means every file below
      with one of these suffixes.
    - Query: the same query. Without one, every query; `?` alone means no query, or an empty one.

    In `Policy.deny`, rules match more widely: see `Policy`.

    Args:
        text: the rule.
        allowed: the codes of findings of `check` that this rule accepts, such as `"encoded-slash"`;
            see `Policy.allowed`.
        ignore_case: whether the suffixes after `/**/*.` match in any letter case.

    Raises:
        RuleError: the rule is invalid.
        ValueError: a code is unknown, or not of the group "ambiguity"; or `ignore_case` is true for
            a rule without suffixes.
        TypeError: an argument has the wrong type.

    >>> rule = Rule("https://api.example.com/v1/")
    >>> rule.covers(Rule("https://api.example.com/v1/users/*"))
    True
    >>> rule.covers(Rule("https://api.example.com/v2"))
    False
    """

    __module__ = "uriverse"
    __slots__ = ("_allowed", "_shape", "_text")
    _text: str
    _shape: Shape
    _allowed: frozenset[str]

    def __init__(
        self, text: str, /, *, allowed: Collection[str] = (), ignore_case: bool = False
    ) -> None:
        if type(text) is not str:
            raise TypeError(f"a rule must be a str, not {type(text).__name__}")
        require_bool("ignore_case", ignore_case)
        codes = check_codes("allowed", allowed)
        shape = parse_shape(text)
        if ignore_case:
            if shape.suffixes is None:
                raise ValueError("ignore_case requires suffixes, as in /**/*.{jpg,png}")
            shape = shape._replace(ignore_case=True)
        # The class rejects assignments, because rules are immutable.
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "_shape", shape)
        object.__setattr__(self, "_allowed", codes)

    @property
    def allowed(self) -> frozenset[str]:
        """The codes of findings of `check` that the rule accepts.

        >>> Rule("https://gitlab.com/api/v4/projects/", allowed={"encoded-slash"}).allowed
        frozenset({'encoded-slash'})
        """
        return self._allowed

    @property
    def ignore_case(self) -> bool:
        """Whether the suffixes of the rule match in any letter case.

        >>> Rule("https://a.example/**/*.{jpg,png}", ignore_case=True).ignore_case
        True
        """
        return self._shape.ignore_case

    def covers(self, other: Rule, /) -> bool:
        """Return whether this rule allows everything that another rule allows.

        Args:
            other: the other rule.

        Raises:
            TypeError: `other` is not a `Rule`.

        >>> Rule("*.example.com").covers(Rule("https://www.example.com/a"))
        True
        """
        if not isinstance(other, Rule):
            raise TypeError(f"other must be a Rule, not {type(other).__name__}")
        return self._allowed >= other._allowed and self._shape.covers(other._shape)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        codes = f", allowed={{{str(sorted(self._allowed))[1:-1]}}}" if self._allowed else ""
        case = ", ignore_case=True" if self.ignore_case else ""
        return f"{type(self).__name__}({redact(self._text)!r}{codes}{case})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        mine, theirs = (rule.__reduce__()[1][1:] for rule in (self, other))
        return bool(mine == theirs)

    def __hash__(self) -> int:
        return hash(self._text)  # few rules differ in nothing but their codes

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self._text, self._allowed, self.ignore_case)


# Pickles of rules name this function. A pickle of an old version has no `ignore_case`.
def restored(kind: type[Rule], text: str, allowed: frozenset[str], *ignore_case: bool) -> Rule:
    return kind(text, allowed=allowed, ignore_case=any(ignore_case))


def check_codes(name: str, codes: object) -> frozenset[str]:
    if (type(codes), codes) == (tuple, ()):
        return frozenset()  # as for most rules
    members = collect_members(name, codes, str) or frozenset()
    for code in members:
        if code not in AMBIGUITIES:
            shown_code = quote_argument(code)
            raise ValueError(f"{name} must be codes of the group ambiguity, not {shown_code}")
    return members


def require_bool(name: str, flag: object) -> None:
    if type(flag) is not bool:
        raise TypeError(f"{name} must be a bool, not {type(flag).__name__}")


def collect_members(name: str, collection: object, kind: type[T]) -> frozenset[T] | None:
    """Return the members of the argument `name`; raise `TypeError` unless all are of one kind."""
    if collection is None:
        return None
    if isinstance(collection, Iterable) and not isinstance(collection, str):
        members = frozenset(cast("Iterable[T]", collection))
        # `isinstance` would accept `True` as an `int`.
        if all(type(member) is kind for member in members):
            return members
    if isinstance(collection, kind):
        advice = f"not a single {kind.__name__}: write [{quote_argument(collection)}]"
        raise TypeError(f"{name} must be a collection of {kind.__name__}, {advice}")
    raise TypeError(f"{name} must be a collection of {kind.__name__}, or None")


def collect_rules(name: str, collection: object) -> tuple[Rule, ...] | None:
    """Return the distinct rules of the argument `name`; strings become rules."""
    if collection is None:
        return None
    if isinstance(collection, str):
        advice = f"not a single str: write [{quote_argument(collection)}]"
        raise TypeError(f"{name} must be a collection of str or Rule, {advice}")
    if isinstance(collection, Iterable):
        members: list[object] = list(cast("Iterable[object]", collection))
        if all(issubclass(kind, str | Rule) for kind in {*map(type, members)}):
            rules = [rule if isinstance(rule, Rule) else Rule(str(rule)) for rule in members]
            if isinstance(collection, AbstractSet):
                rules.sort(key=str)  # the order of a set is different in each process
            return tuple(dict.fromkeys(rules))
    raise TypeError(f"{name} must be a collection of str or Rule, or None")


def covers_path(pattern: PathPattern | None, other: PathPattern | None) -> bool:
    """Return whether a pattern matches all paths that another one matches; `None` is every path.

    The wildcard of an allow rule matches only segments that are a name for every server. No server
    may read the paths of the other pattern outside of the subtree of the first one.
    """
    if pattern is None or other is None:
        return pattern is None
    # Test one path of the other pattern: a wildcard stands for the shortest name.
    segments = [segment if isinstance(segment, str) else "a" for segment in other.segments]
    path = "/".join(segments) + "/" * other.below
    return (
        pattern.covers(other)
        and has_safe_wildcards(pattern, path)
        and (not pattern.below or stays_in_subtree(path, len(pattern.segments)))
    )


def parse_shape(text: str) -> Shape:
    if plain_pattern := parse_plain_pattern(text):
        return Shape(None, plain_pattern)
    if "://" in text:
        return parse_url_shape(text)
    # Without a scheme, a rule consists of a host, an address or a network.
    host, colon, port = text.partition(":")
    if colon and (port == "*" or (port.isascii() and port.isdecimal())):
        reject_missing_scheme(text, len(host), "port", "missing scheme before a port", "https://")
    host_end = next((i for i, character in enumerate(text) if character in "/?#"), len(text))
    if host_end < len(text) and not looks_like_network(text):
        reject_missing_scheme(text, host_end, "path", "missing scheme before a path", "https://")
    return Shape(None, parse_host_pattern(text))


def reject_missing_scheme(
    text: str, position: int, component: str, reason: str, scheme: str
) -> NoReturn:
    hint = f"write {scheme} at the start of the rule"
    raise RuleError(text, position, component, "scheme", reason, hint)


def looks_like_network(text: str) -> bool:
    address, _, length = text.partition("/")
    return (
        length.isdecimal()
        and bool(address)
        and (":" in address or not address.strip("0123456789."))
    )


def parse_url_shape(text: str) -> Shape:
    if text.startswith("://"):
        reject_missing_scheme(text, 0, "scheme", "missing scheme before a host", "https")
    if group := SUFFIXES.search(text):
        shape = parse_url_shape(text[: group.start() + 1] + text[group.end() :])
        suffixes = [f".{suffix}" for suffix in (group[1] or group[2]).split(",")]
        return shape._replace(path=shape.path or EVERY_PATH, suffixes=tuple(suffixes))
    masked_text = mask_port_wildcard(text)
    try:
        iri = parse(masked_text or text)
    except ParseError as error:
        location = text, error.position, error.component, error.rule
        raise RuleError(*location, error.reason, error.hint) from None
    offsets = get_bounds(iri)
    if not isinstance(iri, IRI) or iri.authority is None:
        reason = "missing scheme: a rule for URLs starts with a scheme"
        raise RuleError(text, 0, "scheme", "scheme", reason, "write https:// before the host")
    if iri.userinfo is not None:
        reason = "unexpected userinfo: a rule has no user name and no password"
        hint = "remove the userinfo"
        raise RuleError(text, offsets.authority, "userinfo", "userinfo", reason, hint)
    if iri.fragment is not None:
        reason, hint = "unexpected fragment: a rule has no fragment", "remove the fragment"
        raise RuleError(text, offsets.query_end, "fragment", "fragment", reason, hint)
    host = parse_rule_host(text, iri.host or "", offsets.host)
    # The host may be a pattern, so the other components are normalized with another one.
    colon_and_port = f":{iri.port_text}" if iri.port_text else ""
    sample = parse(f"{iri.scheme}://a{colon_and_port}{text[offsets.path :]}")
    uri = sample.to_uri().normalize(scheme=True)
    assert isinstance(uri, URI), "the sample has a scheme"
    path = parse_rule_path(text, offsets.path, offsets.path_end, uri.path)
    if path == EVERY_PATH and uri.with_path("").normalize(scheme=True).path:
        path = None  # an empty path is the same as "/" (RFC 3986, 6.2.3)
    port = ANY_PORT if masked_text else parse_rule_port(text, iri, uri)
    query = parse_rule_query(text, offsets.path_end, uri.query)
    return Shape(uri.scheme, host, port, iri.port is not None, path, query)


def mask_port_wildcard(text: str) -> str | None:
    start = text.index("://") + 3
    end = next((i for i in range(start, len(text)) if text[i] in "/?#"), len(text))
    if not text[start:end].endswith(":*"):
        return None
    return text[: end - 1] + ANY_PORT_DIGIT + text[end:]


def parse_rule_host(text: str, host: str, start: int) -> HostPattern:
    if not host:
        reason = "missing host: a rule names a host"
        raise RuleError(text, start, "host", "host", reason, "write a name, or *. and a name")
    try:
        return parse_host_pattern(host)
    except RuleError as error:
        position, rule = start + error.position, error.rule
        raise RuleError(text, position, "host", rule, error.reason, error.hint) from None


def parse_rule_port(text: str, iri: IRI, uri: URI) -> int | None:
    digits = iri.port_text
    if digits is not None and not is_port_number(digits):
        reason = f"invalid port: a port is a number from 0 to {LARGEST_PORT} without leading zeros"
        hint = "write the number, or :* for every port"
        raise RuleError(text, get_bounds(iri).host_end + 1, "port", "port", reason, hint)
    return uri.effective_port


def is_port_number(digits: str) -> bool:
    """Return whether digits are a port number in its shortest form."""
    return digits == "0" or (
        0 < len(digits) <= len(str(LARGEST_PORT))
        and digits[0] != "0"
        and int(digits) <= LARGEST_PORT
    )


def parse_rule_path(text: str, start: int, end: int, path: str) -> PathPattern | None:
    """Return the pattern of `path`, the normal form of `text[start:end]`; `None` without a path."""
    if start == end:
        return None
    position = start
    segments = text[start:end].split("/")
    for index, segment in enumerate(segments):
        is_last = index == len(segments) - 1
        if "**" in segment and not (is_last and segment == "**"):
            reason = 'misplaced "**" in path: only the last segment can be "**"'
            hint = 'write "*" for one segment, or end the rule after the slash'
            position += segment.index("**")
            raise RuleError(text, position, "path", "path", reason, hint)
        if segment.lower().replace("%2e", ".") in {".", ".."}:
            reason = "dot segment in path: a URI in canonical form has none"
            raise RuleError(text, position, "path", "path", reason, "remove the dot segment")
        position += len(segment) + 1
    return parse_path_pattern(path)


def parse_rule_query(text: str, path_end: int, query: str | None) -> str | None:
    """Return the query of a rule as it is compared; `None` for every query."""
    if query is not None and "*" in query:
        reason = "wildcard in query: a query is compared as it is"
        hint = "remove the query to allow every query, or write %2A for the character *"
        position = text.index("*", path_end)
        raise RuleError(text, position, "query", "query", reason, hint)
    return None if query is None else to_comparable(query)
