"""The scalar equivalents of the column functions, which process one row in pure Python.

Each function takes the strings of a row, the base first, and the options by name. It returns `None`
if the result is null. Tests compare the kernel with these functions. The kernel also calls them for
the few rows that it does not support.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from uriverse import hosts, percent
from uriverse._errors import URIError
from uriverse._redaction import redacted
from uriverse._spec import GRAMMARS
from uriverse._spec.percent import lone_surrogate
from uriverse._spec.sort_keys import reversed_labels, surt_key
from uriverse._spec.syntax import LONGEST_TEXT, matches
from uriverse._spec.violation import first_violation
from uriverse._uri import IRIReference
from uriverse._uri import engine as _engine
from uriverse._uri.params import optional_items
from uriverse.diagnosis import _repairing
from uriverse.diagnosis._checking import check
from uriverse.hosts._sites import are_same_site
from uriverse.typing import Grammar

from ._templates import fields_of

if TYPE_CHECKING:
    from uriverse._policy import Policy
    from uriverse.suffixes import Suffixes
    from uriverse.templates import Router, Template
    from uriverse.typing import Component, Field, Host, Level, ParamValues


P = ParamSpec("P")
Value = TypeVar("Value")

#: The largest 64-bit integer.
LARGEST = 2**63 - 1


def null_on_error(function: Callable[P, Value]) -> Callable[P, Value | None]:
    @wraps(function)
    def value_or_none(*args: P.args, **kwargs: P.kwargs) -> Value | None:
        try:
            return function(*args, **kwargs)
        except URIError:
            return None

    return value_or_none


def identifier(string: str) -> IRIReference:
    """Parse a string as the most specific of `URI`, `URIReference`, `IRI` and `IRIReference`.

    Raises:
        ParseError: the string is not an IRI reference.
    """
    return _engine.parse(string)  # type: ignore[return-value]  # an engine makes the public types


# --- components

#: Functions that return the fields of `parse` for a valid URI or IRI.
COMPONENTS: dict[str, Callable[[IRIReference], Any]] = {
    "scheme": lambda value: value.scheme,
    "userinfo": lambda value: value.userinfo,
    "host": lambda value: value.host,
    "port": lambda value: value.port_text,
    "path": lambda value: value.path,
    "query": lambda value: value.query,
    "fragment": lambda value: value.fragment,
    "host_kind": lambda value: value.host_kind,
    "bounds": lambda value: (*_engine.bounds(value), len(str(value))),
}


def parse(string: str, grammar: Grammar, fields: tuple[Field, ...]) -> dict[str, Any]:
    if is_valid(string, grammar):
        value = IRIReference(string)
        return {name: COMPONENTS[name](value) if name in COMPONENTS else None for name in fields}
    error, position = first_violation(string, GRAMMARS[grammar])
    return {name: {"error": error, "error_position": position}.get(name) for name in fields}


def is_valid(string: str, grammar: Grammar) -> bool:
    return len(string) <= LONGEST_TEXT and matches(string, GRAMMARS[grammar])


def allowed(string: str, policy: Policy) -> bool:
    return policy.allows(string)


def decision(string: str, policy: Policy) -> dict[str, Any]:
    made = policy.decide(string)
    return {
        "allowed": made.allowed,
        "uri": None if made.uri is None else str(made.uri),
        "rule": None if made.rule is None else str(made.rule),
        "code": made.code or None,
        "reason": made.reason or None,
        "hint": made.hint or None,
    }


def match(string: str, template: Template) -> dict[str, Any] | None:
    return fields_of(string, template)


@null_on_error
def route(string: str, router: Router) -> str | None:
    found = router.match(string)
    return None if found is None else found.name


@null_on_error
def scheme(string: str) -> str | None:
    return identifier(string).scheme


@null_on_error
def userinfo(string: str) -> str | None:
    return identifier(string).userinfo


@null_on_error
def path(string: str) -> str:
    return identifier(string).path


@null_on_error
def query(string: str) -> str | None:
    return identifier(string).query


@null_on_error
def fragment(string: str) -> str | None:
    return identifier(string).fragment


@null_on_error
def host(string: str) -> str | None:
    return identifier(string).host


@null_on_error
def hostname(string: str) -> str | None:
    return identifier(string).hostname


@null_on_error
def port(string: str) -> int | None:
    number = identifier(string).port
    return number if number is None or number <= LARGEST else None


@null_on_error
def origin(string: str) -> str | None:
    return identifier(string).origin


@null_on_error
def public_suffix(string: str, suffixes: Suffixes) -> str | None:
    return suffixes.public_suffix(identifier(string))


@null_on_error
def registrable_domain(string: str, suffixes: Suffixes) -> str | None:
    return suffixes.registrable_domain(identifier(string))


@null_on_error
def subdomain(string: str, suffixes: Suffixes) -> str | None:
    return suffixes.subdomain(identifier(string))


@null_on_error
def username(string: str) -> str | None:
    return as_string_or_none(identifier(string).username)


@null_on_error
def effective_port(string: str) -> int | None:
    number = identifier(string).effective_port
    return number if number is None or number <= LARGEST else None


@null_on_error
def path_and_query(string: str) -> str:
    return identifier(string).path_and_query


@null_on_error
def path_segments(string: str) -> list[str]:
    return [as_string(segment) for segment in identifier(string).segments]


@null_on_error
def path_depth(string: str) -> int:
    return sum(1 for segment in identifier(string).raw_segments if segment)


@null_on_error
def name(string: str) -> str:
    return as_string(identifier(string).name)


@null_on_error
def suffix(string: str) -> str:
    return as_string(identifier(string).suffix)


@null_on_error
def display(string: str) -> str:
    return identifier(string).display()


# --- the kinds of hosts, and comparisons


@null_on_error
def host_kind(string: str) -> str | None:
    return identifier(string).host_kind


@null_on_error
def ip(string: str) -> str | None:
    address = identifier(string).ip
    return None if address is None else str(address)


@null_on_error
def scope(string: str) -> str | None:
    address = identifier(string).ip
    return None if address is None else hosts.scope(address)


@null_on_error
def special_use(string: str) -> str | None:
    value = identifier(string)
    return hosts.special_use(value.host) if value.host_kind == "reg-name" and value.host else None


@null_on_error
def is_same_origin(other: str, string: str) -> bool:
    return identifier(string).is_same_origin(identifier(other))


@null_on_error
def is_same_site(other: str, string: str, suffixes: Suffixes) -> bool:
    return are_same_site(identifier(string).origin, kept_origin(other), suffixes)


# The other URI is often the same in all rows.
@lru_cache(1)
def kept_origin(other: str) -> str | None:
    return identifier(other).origin


def is_flagged(string: str, profile: str) -> bool:
    return bool(check(string, profile))


@null_on_error
def reversed_host(string: str) -> str | None:
    value = identifier(string)
    name = value.hostname
    return reversed_labels(name) if value.host_kind == "reg-name" and name else name


@null_on_error
def surt(string: str) -> str | None:
    return surt_key(str(identifier(string).to_uri().normalize(scheme=True)))


@null_on_error
def fingerprint(string: str, level: Level) -> int:
    key = xxh64(identifier(string).comparison_key(level).encode())
    # Return a signed integer, because some Arrow consumers lack unsigned integers.
    return key - 2**64 if key > LARGEST else key


# --- other identifiers


@null_on_error
def normalize(string: str, **steps: Any) -> str:
    return str(identifier(string).normalize(**steps))


@null_on_error
def resolve(base: str, reference: str, strict: bool) -> str:
    return str(identifier(base).resolve(identifier(reference), strict=strict))


@null_on_error
def relativize(base: str, target: str, walk_up: bool) -> str:
    return str(identifier(target).relative_to(identifier(base), walk_up=walk_up))


@null_on_error
def to_uri(string: str, host: Literal["percent", "idna"]) -> str:
    return str(identifier(string).to_uri(host=host))


@null_on_error
def to_iri(string: str, host: Literal["percent", "idna"]) -> str:
    return str(identifier(string).to_iri(host=host))


@null_on_error
def repair(string: str, iri: bool, scheme: str | None, slashes: bool) -> str:
    return str(_repairing.repair(string, iri=iri, scheme=scheme, slashes=slashes))


def redact(string: str, usernames: bool, paths: bool) -> str | None:
    return redacted(string, usernames=usernames, paths=paths) if is_unicode(string) else None


# --- edited identifiers


@null_on_error
def without_fragment(string: str) -> str:
    return str(identifier(string).without_fragment())


@null_on_error
def without_query(string: str) -> str:
    return str(identifier(string).without_query())


@null_on_error
def without_userinfo(string: str) -> str:
    return str(identifier(string).without_userinfo())


@null_on_error
def without_params(string: str, names: tuple[str, ...]) -> str:
    return str(identifier(string).without_params(*names))


@null_on_error
def filter_params(string: str, keep: tuple[str, ...], drop: tuple[str, ...]) -> str:
    return str(identifier(string).filter_params(keep=keep, drop=drop))


@null_on_error
def sorted_params(string: str) -> str:
    return str(identifier(string).sorted_params())


@null_on_error
def with_param(string: str, name: str, value: ParamValues) -> str:
    return str(identifier(string).with_param(name, value))


@null_on_error
def add_param(string: str, name: str, value: ParamValues) -> str:
    return str(identifier(string).add_param(name, value))


@null_on_error
def with_scheme(string: str, scheme: str | None) -> str:
    return str(identifier(string).with_scheme(scheme))


@null_on_error
def with_host(string: str, host: Host | None) -> str:
    return str(identifier(string).with_host(host))


@null_on_error
def with_port(string: str, port: int | str | None) -> str:
    return str(identifier(string).with_port(port))


@null_on_error
def then(other: str, string: str) -> str:
    return str(identifier(string).then(identifier(other)))


# --- percent-encoding and parameters


@null_on_error
def encode(string: str, component: Component, iri: bool) -> str | None:
    # A row that is not valid UTF-8 contains surrogate escapes here, and its result is null.
    return percent.encode(string, component, iri=iri) if is_unicode(string) else None


@null_on_error
def decode(
    string: str, errors: Literal["strict", "replace", "keep", "surrogateescape"]
) -> str | None:
    decoded = percent.decode(string, errors)
    # Arrow strings cannot contain the surrogate escapes of invalid UTF-8.
    return decoded if is_unicode(decoded) else None


def is_unicode(string: str) -> bool:
    return lone_surrogate(string) < 0


@null_on_error
def query_param(string: str, name: str) -> str | None:
    items = optional_items(identifier(string).params)
    value = next((value for key, value in items if key == name), None)
    return as_string_or_none(value)


@null_on_error
def query_params(string: str) -> list[tuple[str, str | None]] | None:
    value = identifier(string)
    if value.query is None:
        return None
    return [
        (as_string(name), as_string_or_none(data)) for name, data in optional_items(value.params)
    ]


def params(string: str) -> list[tuple[str, str | None]] | None:
    pairs = query_params(string)
    if pairs is None:
        return None
    first: dict[str, str | None] = {}
    for name, value in pairs:
        first.setdefault(name, value)
    return list(first.items())


@null_on_error
def param_names(string: str) -> list[str] | None:
    value = identifier(string)
    return None if value.query is None else list(dict.fromkeys(map(as_string, value.params)))


@null_on_error
def param_values(string: str, name: str) -> list[str | None] | None:
    value = identifier(string)
    if value.query is None:
        return None
    return [as_string_or_none(data) for key, data in optional_items(value.params) if key == name]


def as_string_or_none(data: str | None) -> str | None:
    return None if data is None else as_string(data)


def as_string(data: str) -> str:
    """Percent-encode the surrogate escapes in a string, because Arrow strings cannot have them."""
    if is_unicode(data):
        return data
    return percent.decode(percent.encode(data, "unreserved"), "keep")


# --- findings


def findings(string: str, profile: str) -> list[str]:
    return [finding.code for finding in check(string, profile)]


# --- fingerprints

#: The bit mask for 64-bit integers.
WORD = 0xFFFFFFFFFFFFFFFF

#: The prime constants of XXH64.
PRIMES = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)


def xxh64(data: bytes) -> int:
    """Return the [XXH64 hash](https://github.com/Cyan4973/xxHash) of octets, with seed 0.

    >>> hex(xxh64(b""))
    '0xef46db3751d8e999'
    """
    one, two, three, four, five = PRIMES
    end = len(data) - len(data) % 32
    if end:
        lanes = [(one + two) & WORD, two, 0, -one & WORD]
        for start in range(0, end, 32):
            for k in range(4):
                at = start + 8 * k
                lanes[k] = stirred(lanes[k], int.from_bytes(data[at : at + 8], "little"))
        turns = (1, 7, 12, 18)
        key = sum(turned(lane, by) for lane, by in zip(lanes, turns, strict=True)) & WORD
        for lane in lanes:
            key = ((key ^ stirred(0, lane)) * one + four) & WORD
    else:
        key = five
    key = (key + len(data)) & WORD
    while len(data) - end >= 8:
        lane = stirred(0, int.from_bytes(data[end : end + 8], "little"))
        key = (turned(key ^ lane, 27) * one + four) & WORD
        end += 8
    if len(data) - end >= 4:
        lane = int.from_bytes(data[end : end + 4], "little") * one & WORD
        key = (turned(key ^ lane, 23) * two + three) & WORD
        end += 4
    for octet in data[end:]:
        key = turned(key ^ (octet * five & WORD), 11) * one & WORD
    key = (key ^ key >> 33) * two & WORD
    key = (key ^ key >> 29) * three & WORD
    return key ^ key >> 32


def stirred(lane: int, word: int) -> int:
    """Mix a 64-bit word into a lane of the hash."""
    return turned((lane + word * PRIMES[1]) & WORD, 31) * PRIMES[0] & WORD


def turned(word: int, by: int) -> int:
    """Rotate a 64-bit word to the left."""
    return (word << by | word >> (64 - by)) & WORD
