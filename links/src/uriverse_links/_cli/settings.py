"""The settings of `uriverse-links check` in a file: `.uriverse.toml` or `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from os.path import basename, dirname, isfile, join
from tomllib import loads
from typing import Any, NamedTuple, cast, get_args

from uriverse import Rule, URIError, redact
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.typing import Grammar
from uriverse_links._destinations import quote_text

from .document_files import read_octets
from .output import MisuseError, UnreadableError, escape_controls

#: The names of settings files. In the same folder, the first one takes precedence.
OWN, SHARED = ".uriverse.toml", "pyproject.toml"

#: The values that a setting may have, by the name of its option. Other settings have other types.
CHOICES: dict[str, tuple[str, ...]] = {
    "profile": tuple(PROFILES),
    "fail-on": (*SEVERITIES, "never"),
    "type": get_args(Grammar),
}

#: The severities that a code or a group of codes can be set to.
SETTINGS = (*SEVERITIES, "off")

GROUPS = tuple(dict.fromkeys(code.group for code in CODES.values()))


class Settings(NamedTuple):
    folder: str
    values: Mapping[str, Any]


def find_settings(config: str | None) -> Settings:
    for name in list_nearest() if config is None else (config,):
        try:
            settings = read_settings(name, optional=config is None)
        except UnreadableError as error:
            raise MisuseError(
                f"cannot read the settings in {escape_controls(name)}: {error.strerror}"
            ) from None
        except (ValueError, TypeError) as error:
            raise MisuseError(f"invalid settings in {escape_controls(name)}: {error}") from None
        if settings is not None:
            return settings
    return Settings("", {})


def list_nearest() -> Iterator[str]:
    """Yield the settings files of this folder, of the folder above it, and so on."""
    folder = os.getcwd()  # noqa: PTH109
    while True:
        for name in (OWN, SHARED):
            if isfile(path := join(folder, name)):  # noqa: PTH113, PTH118
                yield os.path.relpath(path)
        if folder == dirname(folder):  # noqa: PTH120
            return
        folder = dirname(folder)  # noqa: PTH120


def read_settings(name: str, *, optional: bool) -> Settings | None:
    """Read a settings file. For an optional `pyproject.toml` without settings, return `None`."""
    octets = read_octets(name)
    is_shared = basename(name) == SHARED  # noqa: PTH119
    # A file of other tools may be invalid, so it is not parsed.
    if is_shared and optional and b"uriverse" not in octets:
        return None
    table: Any = parse_toml(octets)
    key_path = ""
    if is_shared:
        key_path = "tool.uriverse"
        tools: Any = table.get("tool")
        table = cast("Any", tools).get("uriverse") if isinstance(tools, dict) else None
        if table is None and optional:
            return None
        if table is None:
            raise ValueError("missing table [tool.uriverse.check]")
    check_settings = check_table(table, ("check",), key_path).get("check", {})
    key_path = f"{key_path}.check".removeprefix(".")
    values = {
        option: READERS[option](value, f"{key_path}.{option}")
        for option, value in check_table(check_settings, READERS, key_path).items()
    }
    # Paths in the file are relative to its folder.
    folder = dirname(name)  # noqa: PTH120
    for option in PATHS & values.keys():
        values[option] = join(folder, values[option])  # noqa: PTH118
    return Settings(folder, values)


def parse_toml(octets: bytes) -> dict[str, Any]:
    try:
        return loads(octets.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"the file is not UTF-8 (octet {error.start})") from None
    except RecursionError:
        raise ValueError("the file must not be nested so deeply") from None
    except ValueError as error:
        raise ValueError(redact(str(error))) from None


def check_table(value: object, keys: Collection[str], key_path: str) -> Mapping[str, object]:
    """Return a table that has only some keys; `key_path` names it in errors."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{key_path} must be a table, not {type(value).__name__}")
    for key in cast("Mapping[str, object]", value):
        if key not in keys:
            advice = f"the keys are {', '.join(keys)}"
            if nearest := get_close_matches(key, keys, n=1):
                advice = f"did you mean {nearest[0]!r}?"
            position = f" in {key_path}" if key_path else ""
            raise ValueError(f"unknown key {quote_text(key)}{position}; {advice}")
    return cast("Mapping[str, object]", value)


def read_string(value: object, key_path: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{key_path} must be a string, not {type(value).__name__}")
    return value


def read_string_list(value: object, key_path: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{key_path} must be a list of strings, not {type(value).__name__}")
    items = enumerate(cast("list[object]", value))
    return tuple(read_string(item, f"{key_path}[{number}]") for number, item in items)


def read_choice(value: object, key_path: str, choices: Collection[str] = ()) -> str:
    """Return one of the choices, by default those of the option that ends the name of the place."""
    text = read_string(value, key_path)
    choices = choices or CHOICES[key_path.rpartition(".")[2]]
    if text not in choices:
        raise ValueError(f"{key_path} must be one of {', '.join(choices)}, not {quote_text(text)}")
    return text


def read_severities(value: object, key_path: str) -> tuple[str, ...]:
    table = check_table(value, (*GROUPS, *CODES), key_path).items()
    return tuple(
        f"{code}={read_choice(severity, f'{key_path}.{code}', SETTINGS)}"
        for code, severity in table
    )


def read_rules(value: object, key_path: str) -> tuple[str, ...]:
    rules = read_string_list(value, key_path)
    for number, rule in enumerate(rules):
        try:
            Rule(rule)
        except URIError as error:
            raise ValueError(f"{key_path}[{number}]: {error.reason}") from None
    return rules


#: The readers of settings, by the names of their options.
READERS: dict[str, Callable[[object, str], Any]] = {
    "profile": read_choice,
    "severity": read_severities,
    "fail-on": read_choice,
    "type": read_choice,
    "exclude": read_string_list,
    "policy": read_string,
    "allow": read_rules,
    "deny": read_rules,
    "baseline": read_string,
}

#: The settings that are paths.
PATHS = {"policy", "baseline"}
