"""Check and show the arguments of policies; convert policies from and to configuration files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from uriverse._errors import URIError, parse_safely, quote_argument
from uriverse._spec.syntax import matches
from uriverse._uri.building import convert_component
from uriverse._uri.engine import redact
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.typing import Scope

from .hosts import SPECIAL_USE
from .rules import AMBIGUITIES, Rule, collect_members

if TYPE_CHECKING:
    from . import Policy

P = TypeVar("P")

#: Keys that people bring from elsewhere, and the keys to use instead.
INSTEAD = {
    **dict.fromkeys(("hosts", "allowed_hosts", "allowed_domains", "whitelist"), "allow"),
    **dict.fromkeys(("denied_hosts", "blocked_hosts", "blocklist", "blacklist"), "deny"),
    "allowed_ports": "ports",
    **dict.fromkeys(("private", "allow_private"), "scopes"),
}

SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})

#: The largest number of restrictions within each other.
DEEPEST = 20

#: The string that stands for `None`, which TOML cannot express.
ANY = "any"

NAMES: dict[type, str] = {str: "a string", int: "an integer", bool: "true or false"}

RULE_KEYS = ("rule", "allowed", "ignore_case")

#: A function that converts a value of a configuration. It also gets the location of the value.
Reader = Callable[[object, str], Any]


def read_toml_policy(create: Callable[..., P], text: str) -> P:
    document = convert_component("text", text)
    from tomllib import loads

    try:
        table = parse_safely(loads, document)
    except RecursionError:
        raise ValueError("the document must not be nested so deeply") from None
    return read_policy_table(create, table)


def read_policy_table(
    create: Callable[..., P], raw_table: object, location: str = "", depth: int = 0
) -> P:
    """Create a policy from a table; errors name its `location`, such as `restrictions[0]`."""
    if depth > DEEPEST:
        raise ValueError(f"restrictions must be nested at most {DEEPEST} times")
    arguments: dict[str, Any] = {}
    for key, raw in require_table(raw_table, (*READERS, "restrictions"), location).items():
        key_location = join_location(location, key)
        if key == "restrictions":
            items = require_list(raw, key_location, "tables")
            arguments[key] = [
                read_policy_table(create, item, f"{key_location}[{number}]", depth + 1)
                for number, item in enumerate(items)
            ]
        else:
            arguments[key] = READERS[key](raw, key_location)
    try:
        return create(**arguments)
    except URIError as error:
        # The rules are valid, so the only other URI is wrong.
        add_location(error, join_location(location, "base"))
        raise error from None
    except ValueError as error:
        raise ValueError(join_location(location, str(error))) from None


def require_table(raw: object, known_keys: Collection[str], location: str) -> Mapping[str, object]:
    if not isinstance(raw, Mapping):
        raise TypeError(f"{location or 'a policy'} must be a table, not {type(raw).__name__}")
    for key in cast("Mapping[object, object]", raw):
        if key not in known_keys:
            hint = suggest_key(str(key), known_keys)
            shown_key = quote_argument(key) + (f" in {location}" if location else "")
            raise ValueError(f"unknown key {shown_key}; {hint}")
    return cast("Mapping[str, object]", raw)


def suggest_key(key: str, keys: Collection[str]) -> str:
    from difflib import get_close_matches

    nearest = [INSTEAD[key]] if INSTEAD.get(key) in keys else get_close_matches(key, keys, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else f"the keys are {', '.join(keys)}"


def require_list(raw: object, location: str, members: str) -> list[object]:
    if not isinstance(raw, list | tuple):
        raise TypeError(f"{location} must be a list of {members}, not {type(raw).__name__}")
    return list(cast("Collection[object]", raw))


def make_type_reader(kind: type) -> Reader:
    def read(raw: object, location: str) -> object:
        if type(raw) is not kind:
            raise TypeError(f"{location} must be {NAMES[kind]}, not {type(raw).__name__}")
        return raw

    return read


def make_list_reader(read_one: Reader, members: str) -> Reader:
    def read(raw: object, location: str) -> list[Any]:
        items = require_list(raw, location, members)
        return [read_one(item, f"{location}[{number}]") for number, item in enumerate(items)]

    return read


def make_optional_reader(none: Collection[object], read: Reader) -> Reader:
    return lambda raw, location: (
        None if isinstance(raw, str | None) and raw in none else read(raw, location)
    )


def make_list_or_any_reader(read_one: Reader, members: str) -> Reader:
    return make_optional_reader((None, ANY), make_list_reader(read_one, f'{members} or "{ANY}"'))


read_string = make_type_reader(str)
read_strings = make_list_reader(read_string, "strings")
read_flag = make_type_reader(bool)


def read_rule(raw: object, location: str) -> Rule:
    if isinstance(raw, str):
        table: Mapping[str, object] = {"rule": raw}
    elif isinstance(raw, Mapping):
        table = require_table(cast("object", raw), RULE_KEYS, location)
    else:
        raise TypeError(f"{location} must be a string or a table, not {type(raw).__name__}")
    if "rule" not in table:
        raise ValueError(f"{location} must have the key 'rule'")
    text = read_string(table["rule"], join_location(location, "rule"))
    codes = read_strings(table.get("allowed", []), join_location(location, "allowed"))
    flag_location = join_location(location, "ignore_case")
    ignore_case = bool(read_flag(table.get("ignore_case", False), flag_location))
    try:
        return Rule(text, allowed=codes, ignore_case=ignore_case)
    except URIError as error:
        add_location(error, location)
        raise error from None
    except ValueError as error:
        raise ValueError(join_location(location, str(error))) from None


def join_location(location: str, key: str) -> str:
    """Return the location of a key in a table; also for a message that begins with a key."""
    return f"{location}.{key}" if location else key


def add_location(error: URIError, location: str) -> None:
    error.reason = f"{location}: {error.reason}"
    error.args = (error.reason,)


#: The readers of the values by key, except for `restrictions`.
READERS: dict[str, Reader] = {
    "schemes": make_list_or_any_reader(read_string, "strings"),
    "allow": make_list_or_any_reader(read_rule, "rules"),
    "deny": make_list_reader(read_rule, "rules"),
    "ports": make_list_or_any_reader(make_type_reader(int), "integers"),
    "userinfo": read_flag,
    "unambiguous": read_flag,
    "allowed": read_strings,
    "scopes": make_list_or_any_reader(read_string, "strings"),
    "single_label": read_flag,
    "base": make_optional_reader((None,), read_string),
}


def serialize_argument(argument: object) -> Any:
    if argument is None:
        # TOML has no null. `None` differs from the default only where it allows everything.
        return ANY
    if isinstance(argument, frozenset):
        return sorted(cast("frozenset[str]", argument))
    if isinstance(argument, tuple):
        # The members are rules or policies. This module cannot import `Policy`, which imports it.
        return [
            serialize_rule(member) if isinstance(member, Rule) else member.to_dict()
            for member in cast("tuple[Rule | Policy, ...]", argument)
        ]
    return argument


def serialize_rule(rule: Rule) -> str | dict[str, Any]:
    options: dict[str, Any] = {}
    if rule.allowed:
        options["allowed"] = sorted(rule.allowed)
    if rule.ignore_case:
        options["ignore_case"] = True
    return {"rule": str(rule), **options} if options else str(rule)


def make_policy_schema() -> dict[str, Any]:
    codes = make_list_schema({"enum": sorted(AMBIGUITIES)})
    flag = {"type": "boolean"}
    text = {"type": "string", "minLength": 1}
    keys = {"rule": text, "allowed": codes, "ignore_case": flag}
    rule = {"anyOf": [text, make_table_schema(keys, ["rule"])]}
    properties = {
        "schemes": make_optional_schema(
            make_list_schema({"type": "string", "pattern": "^[a-z][a-z0-9+.-]*$"})
        ),
        "allow": make_optional_schema(make_list_schema(rule)),
        "deny": make_list_schema(rule),
        "ports": make_optional_schema(
            make_list_schema({"type": "integer", "minimum": 0, "maximum": LARGEST_PORT})
        ),
        "userinfo": flag,
        "unambiguous": flag,
        "allowed": codes,
        "scopes": make_optional_schema(make_list_schema({"enum": sorted(SCOPES)})),
        "single_label": flag,
        "base": {"type": ["string", "null"]},
        "restrictions": make_list_schema({"$ref": "#"}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Policy",
        **make_table_schema(properties, []),
    }


def make_table_schema(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**schema, "required": required} if required else schema


def make_list_schema(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def make_optional_schema(other: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [{"enum": [None, ANY]}, other]}


def check_schemes(schemes: object) -> frozenset[str] | None:
    members = collect_members("schemes", schemes, str)
    for scheme in members or ():
        if not matches(scheme, "scheme") or scheme != scheme.lower():
            shown_scheme = quote_argument(scheme)
            raise ValueError(f"schemes must be valid and in lower case, not {shown_scheme}")
    return members


def check_ports(ports: object) -> frozenset[int] | None:
    members = collect_members("ports", ports, int)
    for port in members or ():
        if not 0 <= port <= LARGEST_PORT:
            raise ValueError(f"ports must be from 0 to {LARGEST_PORT}, not {port}")
    return members


def check_scopes(scopes: object) -> frozenset[str] | None:
    members = collect_members("scopes", scopes, str)
    if members is not None and not members <= SCOPES:
        choices = ", ".join(sorted(SCOPES))
        unknown_scope = quote_argument(min(members - SCOPES))
        raise ValueError(f"scopes must be among {choices}, not {unknown_scope}")
    return members


MOST_SHOWN = 6


def show_argument(argument: object) -> str:
    """Format an argument for a `repr`; collections are sorted and truncated."""
    if isinstance(argument, str):
        return repr(redact(argument))
    if isinstance(argument, tuple):
        return show_members("[", cast("tuple[object, ...]", argument), "]")
    if isinstance(argument, frozenset):
        return show_members("{", sorted(cast("frozenset[str]", argument)), "}")
    return repr(argument)


def show_members(start: str, members: Sequence[object], end: str) -> str:
    items = [
        # A string is enough for most rules.
        repr(
            redact(str(member))
            if isinstance(member, Rule) and member == Rule(str(member))
            else member
        )
        for member in members[:MOST_SHOWN]
    ]
    hidden_count = len(members) - len(items)
    return start + ", ".join(items + [f"... and {hidden_count} more"] * bool(hidden_count)) + end
