"""Check and show the arguments of policies; convert policies from and to configuration files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

from uriverse._errors import URIError, parse_safely, quote_argument
from uriverse._spec.syntax import matches
from uriverse._uri.building import convert_component
from uriverse._uri.engine import redact
from uriverse.diagnosis import CODES
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.typing import Scope

from .hosts import SPECIAL_USE
from .rules import Rule, collected

P = TypeVar("P")

#: Keys that people bring from elsewhere, and the keys to use instead.
INSTEAD = {
    **dict.fromkeys(("hosts", "allowed_hosts", "allowed_domains", "whitelist"), "allow"),
    **dict.fromkeys(("denied_hosts", "blocked_hosts", "blocklist", "blacklist"), "deny"),
    "allowed_ports": "ports",
    **dict.fromkeys(("private", "allow_private"), "scopes"),
}

#: The scopes that a policy can allow.
SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})

#: The largest number of restrictions within each other.
DEEPEST = 20

#: The string that stands for `None`, which TOML cannot express.
ANY = "any"

#: The names of types in errors.
NAMES: dict[type, str] = {str: "a string", int: "an integer", bool: "true or false"}

#: The keys of a table that describes a rule.
RULE_KEYS = ("rule", "allowed", "ignore_case")

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

#: A function that converts a value of a configuration. It also gets the place of the value.
Reader = Callable[[object, str], Any]


# --- from data


def policy_from_toml(create: Callable[..., P], text: str) -> P:
    document = convert_component("text", text)
    from tomllib import loads

    try:
        table = parse_safely(loads, document)
    except RecursionError:
        raise ValueError("the document must not be nested so deeply") from None
    return policy_of(create, table)


def policy_of(create: Callable[..., P], given: object, place: str = "", depth: int = 0) -> P:
    """Return the policy that a table describes."""
    if depth > DEEPEST:
        raise ValueError(f"restrictions must be nested at most {DEEPEST} times")
    arguments: dict[str, Any] = {}
    for key, value in checked_table(given, (*READERS, "restrictions"), place).items():
        at = inside(place, key)
        if key == "restrictions":
            items = checked_list(value, at, "tables")
            arguments[key] = [
                policy_of(create, v, f"{at}[{n}]", depth + 1) for n, v in enumerate(items)
            ]
        else:
            arguments[key] = READERS[key](value, at)
    try:
        return create(**arguments)
    except URIError as error:
        # The rules are valid, so the only other URI is wrong.
        raise with_place(error, inside(place, "base")) from None
    except ValueError as error:
        raise ValueError(inside(place, str(error))) from None


def checked_table(given: object, keys: Collection[str], place: str) -> Mapping[str, object]:
    """Return a table if all its keys are known; raise an error otherwise."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{place or 'a policy'} must be a table, not {type(given).__name__}")
    for key in cast("Mapping[object, object]", given):
        if key not in keys:
            where = f" in {place}" if place else ""
            raise ValueError(
                f"unknown key {quote_argument(key)}{where}; {advice_for(str(key), keys)}"
            )
    return cast("Mapping[str, object]", given)


def advice_for(key: str, keys: Collection[str]) -> str:
    """Return the hint for an unknown key: the nearest known key, or all of them."""
    from difflib import get_close_matches

    nearest = [INSTEAD[key]] if INSTEAD.get(key) in keys else get_close_matches(key, keys, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else f"the keys are {', '.join(keys)}"


def checked_list(given: object, place: str, members: str) -> list[object]:
    if not isinstance(given, list | tuple):
        raise TypeError(f"{place} must be a list of {members}, not {type(given).__name__}")
    return list(cast("Collection[object]", given))


def one(kind: type) -> Reader:
    """Return a reader of values of a type."""

    def read(given: object, place: str) -> object:
        if type(given) is not kind:
            raise TypeError(f"{place} must be {NAMES[kind]}, not {type(given).__name__}")
        return given

    return read


def many(read_one: Reader, members: str) -> Reader:
    """Return a reader of lists."""

    def read(given: object, place: str) -> list[Any]:
        items = checked_list(given, place, members)
        return [read_one(item, f"{place}[{number}]") for number, item in enumerate(items)]

    return read


def unless(none: Collection[object], read: Reader) -> Reader:
    """Return a reader that converts some values to `None`."""
    return lambda given, place: (
        None if isinstance(given, str | None) and given in none else read(given, place)
    )


def many_or_any(read_one: Reader, members: str) -> Reader:
    """Return a reader of lists that also accepts the values that mean `None`."""
    return unless((None, ANY), many(read_one, f'{members} or "{ANY}"'))


STRING = one(str)
STRINGS = many(STRING, "strings")
FLAG = one(bool)


def read_rule(given: object, place: str) -> Rule:
    """Return the rule that a string or a table describes."""
    if isinstance(given, str):
        table: Mapping[str, object] = {"rule": given}
    elif isinstance(given, Mapping):
        table = checked_table(cast("object", given), RULE_KEYS, place)
    else:
        raise TypeError(f"{place} must be a string or a table, not {type(given).__name__}")
    if "rule" not in table:
        raise ValueError(f"{place} must have the key 'rule'")
    text = STRING(table["rule"], inside(place, "rule"))
    codes = STRINGS(table.get("allowed", []), inside(place, "allowed"))
    ignore_case = bool(FLAG(table.get("ignore_case", False), inside(place, "ignore_case")))
    try:
        return Rule(text, allowed=codes, ignore_case=ignore_case)
    except URIError as error:
        raise with_place(error, place) from None
    except ValueError as error:
        raise ValueError(inside(place, str(error))) from None


def inside(place: str, key: str) -> str:
    """Return the place of a key in a table; also for a message that begins with a key."""
    return f"{place}.{key}" if place else key


def with_place(error: URIError, place: str) -> URIError:
    """Add the place in a configuration to an error."""
    error.reason = f"{place}: {error.reason}"
    error.args = (error.reason,)
    return error


#: The readers of the values by key, except for `restrictions`.
READERS: dict[str, Reader] = {
    "schemes": many_or_any(STRING, "strings"),
    "allow": many_or_any(read_rule, "rules"),
    "deny": many(read_rule, "rules"),
    "ports": many_or_any(one(int), "integers"),
    "userinfo": FLAG,
    "unambiguous": FLAG,
    "allowed": STRINGS,
    "scopes": many_or_any(STRING, "strings"),
    "single_label": FLAG,
    "base": unless((None,), STRING),
}


# --- to data


def table_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a policy as a table."""
    return {key: data_of(value) for key, value in arguments.items()}


def data_of(value: object) -> Any:
    """Return the value of an argument, which is not the default, as data."""
    if value is None:
        return ANY
    if isinstance(value, frozenset):
        return sorted(cast("frozenset[str]", value))
    if isinstance(value, tuple):
        return [item_of(item) for item in cast("tuple[object, ...]", value)]
    return value


def item_of(item: Any) -> Any:
    """Return a rule or a restriction as data."""
    if not isinstance(item, Rule):
        return item.to_dict()
    options = {"allowed": sorted(item.allowed), "ignore_case": item.ignore_case}
    chosen = {name: value for name, value in options.items() if value}
    return {"rule": str(item), **chosen} if chosen else str(item)


# --- the schema


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the configurations of policies."""
    codes = list_of({"enum": AMBIGUITIES})
    flag = {"type": "boolean"}
    text = {"type": "string", "minLength": 1}
    keys = {"rule": text, "allowed": codes, "ignore_case": flag}
    rule = {"anyOf": [text, object_with(keys, ["rule"])]}
    properties = {
        "schemes": any_or(list_of({"type": "string", "pattern": "^[a-z][a-z0-9+.-]*$"})),
        "allow": any_or(list_of(rule)),
        "deny": list_of(rule),
        "ports": any_or(list_of({"type": "integer", "minimum": 0, "maximum": LARGEST_PORT})),
        "userinfo": flag,
        "unambiguous": flag,
        "allowed": codes,
        "scopes": any_or(list_of({"enum": sorted(SCOPES)})),
        "single_label": flag,
        "base": {"type": ["string", "null"]},
        "restrictions": list_of({"$ref": "#"}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Policy",
        **object_with(properties, []),
    }


def object_with(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return the schema of a table with only known keys."""
    known = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**known, "required": required} if required else known


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def any_or(other: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be `None`."""
    return {"anyOf": [{"enum": [None, ANY]}, other]}


# --- arguments


def checked_schemes(given: object) -> frozenset[str] | None:
    schemes = collected("schemes", given, str)
    for scheme in schemes or ():
        if not matches(scheme, "scheme") or scheme != scheme.lower():
            raise ValueError(
                f"schemes must be valid and in lower case, not {quote_argument(scheme)}"
            )
    return schemes


def checked_ports(given: object) -> frozenset[int] | None:
    ports = collected("ports", given, int)
    for port in ports or ():
        if not 0 <= port <= LARGEST_PORT:
            raise ValueError(f"ports must be from 0 to {LARGEST_PORT}, not {port}")
    return ports


def checked_scopes(given: object) -> frozenset[str] | None:
    scopes = collected("scopes", given, str)
    if scopes is not None and not scopes <= SCOPES:
        choices = ", ".join(sorted(SCOPES))
        raise ValueError(
            f"scopes must be among {choices}, not {quote_argument(min(scopes - SCOPES))}"
        )
    return scopes


# --- output

#: The number of members of a collection that `shown_value` shows.
MOST_SHOWN = 6


def shown_value(value: object) -> str:
    """Return an argument as a string; a collection is sorted, and has only its first members."""
    if isinstance(value, str):
        return repr(redact(value))
    if isinstance(value, tuple):
        return shown_members("[", cast("tuple[object, ...]", value), "]")
    if isinstance(value, frozenset):
        return shown_members("{", sorted(cast("frozenset[str]", value)), "}")
    return repr(value)


def shown_members(start: str, members: Sequence[object], end: str) -> str:
    """Return the first members of a collection as a string; rules are shown as strings."""
    shown = [
        # A string is enough for most rules.
        repr(redact(str(one)) if isinstance(one, Rule) and one == Rule(str(one)) else one)
        for one in members[:MOST_SHOWN]
    ]
    more = len(members) - len(shown)
    return start + ", ".join(shown + [f"... and {more} more"] * bool(more)) + end
