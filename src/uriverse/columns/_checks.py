"""Column functions that parse, check and classify each row."""

# ruff: noqa: D417 - the front ends describe the inputs

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args

from uriverse import hosts
from uriverse._errors import quote_argument
from uriverse._spec import GRAMMARS
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._spec.syntax import LONGEST_TEXT, matches
from uriverse._spec.violation import find_first_violation
from uriverse._uri import IRIReference
from uriverse._uri import engine as _engine
from uriverse.diagnosis._checking import check
from uriverse.diagnosis._findings import PROFILES, get_kernel_profile
from uriverse.hosts._scopes import load_blocks
from uriverse.hosts._sites import are_same_site
from uriverse.typing import Field, Grammar

from ._reference import check_suffix_list, parse_identifier, prepare_names, prepare_suffixes
from ._registry import FIELDS, check_choice, column

if TYPE_CHECKING:
    from uriverse._policy import Policy
    from uriverse.suffixes import Suffixes


#: The largest number of policies that the kernel applies to a row.
MOST_POLICIES = 8

#: The largest number of blocks of IP addresses that the kernel compares with an address.
MOST_BLOCKS = 64


# --- parse and validate


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
    "bounds": lambda value: (*_engine.get_bounds(value), len(str(value))),
}

#: All fields that `parse` can return.
ALL_FIELDS: tuple[Field, ...] = get_args(Field)


def check_fields(value: Any) -> tuple[Field, ...]:
    """Check a list of field names, and return it without duplicates."""
    if isinstance(value, str):
        raise TypeError(f"fields must be a list of names; use [{quote_argument(value)}]")
    return tuple(dict.fromkeys(check_choice("field", name, ALL_FIELDS) for name in value))


def prepare_grammar(grammar: Grammar, **options: Any) -> tuple[Any, ...]:
    """Return the arguments for the compiled kernel: the name of the ABNF rule, then the options."""
    return GRAMMARS[grammar], *options.values()


@column(
    {
        "http://a:80/?": {"host": "a", "query": "", "error": None},
        "http://a b/": {"host": None, "query": None, "error": "host"},
    },
    options={"fields": ["host", "query", "error"]},
    kernel=prepare_grammar,
    result="fields",
    checks={"fields": check_fields},
)
def parse(
    row: str,
    grammar: Grammar = "iri-reference",
    *,
    fields: tuple[Field, ...] | list[Field] = FIELDS,
) -> dict[str, Any] | None:
    """Split each URI in a column into its components.

    The result has one field for each component, with the exact characters of the URI. A component
    that the URI does not have is null; a component that is present but empty is an empty string.
    The field `host_kind` is the kind of the host, as in `IRIReference.host_kind`.

    If a row does not match the grammar, only two fields are set: `error`, the name of the invalid
    component, and `error_position`, the index of the first invalid character.

    The optional field `bounds` contains eight offsets, counted in characters: the end of the
    scheme, the start of the authority, the start and the end of the host, the start and the end of
    the path, the end of the query, and the length of the string. An offset is -1 if the URI has no
    such component.

    See [RFC 3986, section 3](https://www.rfc-editor.org/rfc/rfc3986#section-3).

    Args:
        grammar: the grammar rule that a row must match to be valid; see `uriverse.typing.Grammar`.
        fields: the fields to return, in this order; by default, all except `bounds`.

    Returns:
        A struct for each row; null if the row is null.
    """
    if is_valid(row, grammar):
        value = IRIReference(row)
        return {name: COMPONENTS[name](value) if name in COMPONENTS else None for name in fields}
    error, position = find_first_violation(row, GRAMMARS[grammar])
    violation = {"error": error, "error_position": position}
    return {name: violation.get(name) for name in fields}


@column({"a": True, "a b": False, None: None}, kernel=prepare_grammar)
def is_valid(row: str, grammar: Grammar = "iri-reference") -> bool | None:
    """Return whether each string in a column is a valid URI, IRI or reference.

    Args:
        grammar: the grammar rule that a row must match to be valid; see `uriverse.typing.Grammar`.

    Returns:
        True if the row matches the grammar, false otherwise; null if the row is null.
    """
    return len(row) <= LONGEST_TEXT and matches(row, GRAMMARS[grammar])


def prepare_ranks(profile: str) -> tuple[Any, ...]:
    """Return the arguments of `findings` for the compiled kernel.

    These are whether the severity profile enables any finding code of the group `form`, and the
    ranks of the severities of all codes.
    """
    known = get_kernel_profile(profile)
    return known.with_form, known.ranks


@column(
    {
        "http://a.example/": [],
        "http://a.example:080/": ["port-odd"],
        "a b": ["missing-scheme", "syntax"],
    },
    kernel=prepare_ranks,
    checks={"profile": tuple(PROFILES)},
)
def findings(row: str, profile: str = "generic") -> list[str] | None:
    """Check each URI in a column, and return the codes of the findings.

    A finding is a problem that `uriverse.check` reports: a syntax error, or a valid URI that other
    software may misread. Names are not compared with those of brands: `paypaI.com`, with a capital
    i, has no finding.

    Args:
        profile: the profile of the check, which selects the findings, as in `uriverse.check`.

    Returns:
        A list of codes, in the order of `uriverse.check`, empty if nothing was found; null if the
        row is null.
    """
    return [finding.code for finding in check(row, profile)]


# --- apply a policy


def check_policy(value: Any) -> Policy:
    from uriverse._policy import Policy  # late: most programs have no policy

    if isinstance(value, str):
        return Policy.from_toml(value)
    if not isinstance(value, Policy):
        raise TypeError(f"policy must be a Policy or a str, not {type(value).__name__}")
    return value


def prepare_policy(policy: Policy) -> tuple[Any, ...] | None:
    from uriverse._policy import get_compiled_policies  # late: as above

    compiled = get_compiled_policies(policy)
    return (compiled,) if len(compiled) <= MOST_POLICIES else None


@column(
    {"https://a.example/v1/b": True, "https://a.example/v1/../b": False, None: None},
    options={"policy": "allow = ['https://a.example/v1/']"},
    kernel=prepare_policy,
    checks={"policy": check_policy},
)
def allowed(row: str, policy: Policy | str) -> bool | None:
    """Return whether a policy allows each URI in a column.

    The result is that of `Policy.allows`. An invalid row is not allowed.

    Args:
        policy: the policy, or a string with a TOML document as in `Policy.from_toml`.

    Returns:
        Whether the policy allows the URI; null if the row is null.
    """
    return check_policy(policy).allows(row)


@column(
    {
        "HTTP://A": {
            "allowed": True,
            "uri": "http://a/",
            "rule": "a",
            "code": None,
            "reason": None,
            "hint": None,
        }
    },
    options={"policy": "allow = ['a']"},
    kernel=None,
    result="decision_fields",
    checks={"policy": check_policy},
)
def decision(row: str, policy: Policy | str) -> dict[str, Any] | None:
    """Decide whether a policy allows each URI in a column, and say why.

    The fields are those of `Decision`: `allowed`; `uri`, the canonical URI; `rule`, the rule that
    decides; and for a rejected row, `code`, `reason` and `hint`. A field without a value is null.

    Args:
        policy: the policy, or a string with a TOML document as in `Policy.from_toml`.

    Returns:
        A struct for each row; null if the row is null.
    """
    row_decision = check_policy(policy).decide(row)
    return {
        "allowed": row_decision.allowed,
        "uri": None if row_decision.uri is None else str(row_decision.uri),
        "rule": None if row_decision.rule is None else str(row_decision.rule),
        "code": row_decision.code or None,
        "reason": row_decision.reason or None,
        "hint": row_decision.hint or None,
    }


# --- classify


@column(
    {
        "http://[::1]/": "IPv6address",
        "http://127.0.0.1/": "IPv4address",
        "http://a/": "reg-name",
        "a": None,
    }
)
def host_kind(row: str) -> str | None:
    """Return the kind of host of each URI in a column.

    The result is that of `URI.host_kind`.

    See [RFC 3986, section 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2).

    Returns:
        `"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or `"reg-name"`; null if the row is null, is
        invalid or has no host.
    """
    return parse_identifier(row).host_kind


@column(
    {
        "http://[2001:DB8:0::1]/": "2001:db8::1",
        "http://127.0.0.1:80/": "127.0.0.1",
        "http://0x7f.1/": None,
    }
)
def ip(row: str) -> str | None:
    """Return the IP address in the host of each URI in a column, in canonical form.

    IPv6 addresses are written as RFC 5952 recommends, without brackets. Only addresses that match
    the URI grammar count: `0x7f.1` is a name, which `findings` reports.

    Returns:
        The address; null if the row is null or invalid, or if the host is not an address.
    """
    address = parse_identifier(row).ip
    return None if address is None else str(address)


@cache
def prepare_scopes() -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel: the address blocks of IPv4 and of IPv6.

    Each block has its first address and its mask, in two halves of 64 bits, and its scope. IPv4
    addresses are the first 32 bits of 128. Return `None` if there are more blocks than the kernel
    compares.
    """
    blocks_by_version = tuple(tuple(list_address_blocks(version)) for version in (4, 6))
    return blocks_by_version if max(map(len, blocks_by_version)) <= MOST_BLOCKS else None


def list_address_blocks(version: int) -> Iterator[tuple[Any, ...]]:
    for length, scopes in load_blocks(version):
        mask = -1 << (128 - length)
        for prefix, scope in scopes.items():
            first_address = prefix << (128 - length)
            yield (*split_halves(first_address), *split_halves(mask), scope.encode())


def split_halves(number: int) -> tuple[int, int]:
    half = (1 << 64) - 1
    return number >> 64 & half, number & half


@column(
    {
        "http://192.168.0.1/": "private",
        "http://[::1]/": "loopback",
        "//1.1.1.1": "global",
        "//a": None,
    },
    kernel=prepare_scopes,
)
def scope(row: str) -> str | None:
    """Return the scope of the IP address in the host of each URI in a column.

    The result is that of `uriverse.hosts.scope`, such as `"global"`, `"private"` or `"loopback"`.
    Names are not looked up.

    See [RFC 6890](https://www.rfc-editor.org/rfc/rfc6890).

    Returns:
        The scope; null if the row is null or invalid, or if the host is not an address.
    """
    address = parse_identifier(row).ip
    return None if address is None else hosts.scope(address)


def prepare_special_use_names() -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: special-use domains, by their last octets."""
    return prepare_names(tuple(sorted(SPECIAL_USE_NAMES, key=lambda name: name[-1])))


@column(
    {"http://printer.local/": "local", "//localhost:8080": "localhost", "http://a/": None},
    kernel=prepare_special_use_names,
)
def special_use(row: str) -> str | None:
    """Return the special-use domain that contains the host of each URI in a column.

    The result is that of `uriverse.hosts.special_use`: a domain in IANA's registry, such as
    `localhost`, `local` or `onion`.

    See [RFC 6761](https://www.rfc-editor.org/rfc/rfc6761).

    Returns:
        The domain in lower case; null if the row is null or invalid, or if no special-use domain
        contains the host.
    """
    value = parse_identifier(row)
    return hosts.special_use(value.host) if value.host_kind == "reg-name" and value.host else None


@column(
    {"HTTPS://A.example:443/b": True, "http://a.example/": False, "a b": None},
    base="https://a.example/",
)
def is_same_origin(row: str, other: str) -> bool | None:
    """Return whether each URI in a column has the same origin as another URI.

    The result is that of `URI.is_same_origin`. URIs without an origin, such as relative references
    and `data:` URIs, are never of the same origin. If `other` is one string for all rows, it needs
    a scheme.

    See [RFC 6454, section 5](https://www.rfc-editor.org/rfc/rfc6454#section-5).

    Returns:
        Whether the origins are the same; null if one of the two URIs is null or invalid.
    """
    return parse_identifier(row).is_same_origin(parse_identifier(other))


# The other URI is often the same in all rows.
@lru_cache(1)
def get_other_origin(other: str) -> str | None:
    return parse_identifier(other).origin


@column(
    {"https://b.shop.co.uk:81/": True, "https://other.co.uk/": False, "a b": None},
    base="https://a.shop.co.uk/",
    kernel=prepare_suffixes,
    checks={"suffixes": check_suffix_list},
)
def is_same_site(row: str, other: str, *, suffixes: Suffixes | None = None) -> bool | None:
    """Return whether each URI in a column is same site with another URI.

    Two URIs are same site if their schemes and their registrable domains are equal, or their hosts
    if these have no registrable domain. Ports are ignored. For web URIs, the result is that of
    `HTTPURI.is_same_site`. URIs without an origin, such as relative references and `data:` URIs,
    are never same site. If `other` is one string for all rows, it needs a scheme.

    See [HTML standard, same site](https://html.spec.whatwg.org/multipage/browsers.html#same-site).

    Args:
        suffixes: the list of public suffixes, as a `uriverse.suffixes.Suffixes`; `None` for the
            list in the package `publicsuffixlist`, with its private section.

    Returns:
        Whether the URIs are same site; null if one of the two URIs is null or invalid.
    """
    return are_same_site(
        parse_identifier(row).origin, get_other_origin(other), check_suffix_list(suffixes)
    )


@column(
    {"http://a.example/": False, "http://a.example:080/": True, "a b": True},
    kernel=prepare_ranks,
    checks={"profile": tuple(PROFILES)},
)
def is_flagged(row: str, profile: str = "generic") -> bool | None:
    """Return whether a check of each URI in a column finds a problem.

    The result is true if `findings` returns a code for the row, so also for an invalid row.

    Args:
        profile: the profile of the check, which selects the findings, as in `uriverse.check`.

    Returns:
        Whether the check finds a problem; null if the row is null.
    """
    return bool(check(row, profile))
