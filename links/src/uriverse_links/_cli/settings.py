"""The settings of `uriverse check` in a file: `.uriverse.toml` or `pyproject.toml`."""

from __future__ import annotations

import os
from os.path import basename, dirname, isfile, join
from typing import NamedTuple, cast

from uriverse._carets import visible

from .lines import complete_file_name
from .output import MisuseError, UnreadableError
from .streams import octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from .declarations import Parameter

#: The names of settings files. In the same folder, the first one takes precedence.
OWN, SHARED = ".uriverse.toml", "pyproject.toml"

#: Options by the names of their settings: those of the options, without the hyphens.
Options = dict[str, "Parameter"]


class Settings(NamedTuple):
    """The settings in a file.

    Attributes:
        folder: the folder of the file, to which the paths in it are relative.
        values: the values of options by the names of their settings.
    """

    folder: str
    values: Mapping[str, Any]

    def added_to(self, given: Mapping[str, Any], options: Options) -> dict[str, Any]:
        """Add the settings and the defaults to the values of options on the command line.

        The command line takes precedence. If an option can be repeated, its values there follow
        those in the file.
        """
        result = dict(given)
        for key, option in options.items():
            if option.multiple:
                result[option.name] = (*self.values.get(key, ()), *given[option.name])
            elif given[option.name] is None:
                result[option.name] = self.values.get(key, option.settings.get("default"))
        return result


def options_of(parameters: Iterable[Parameter]) -> Options:
    """Return the options of a command that can be set in a file."""
    return {each.flags[-1].removeprefix("--"): each for each in parameters if each.configurable}


def settings_in(config: str | None, options: Options) -> Settings:
    """Return the settings in a file.

    Args:
        config: the name of the file; `None` for the nearest one, in the current folder or in a
            folder above it.
        options: the options that can be set.

    Raises:
        MisuseError: the file cannot be read, or a setting is invalid.
    """
    names = nearest() if config is None else (config,)
    for name in names:
        try:
            found = read(name, options, optional=config is None)
        except UnreadableError as error:
            raise MisuseError(
                f"cannot read the settings in {visible(name)}: {error.strerror}"
            ) from None
        except (ValueError, TypeError) as error:
            raise MisuseError(f"invalid settings in {visible(name)}: {error}") from None
        if found is not None:
            return found
    return Settings("", {})


def nearest() -> Iterable[str]:
    """Yield the names of the files that may contain settings, the nearest first."""
    folder = os.getcwd()  # noqa: PTH109 - `pathlib` takes long to import
    while True:
        for name in (OWN, SHARED):
            if isfile(path := join(folder, name)):  # noqa: PTH113, PTH118
                yield os.path.relpath(path)
        if folder == dirname(folder):  # noqa: PTH120
            return
        folder = dirname(folder)  # noqa: PTH120


def read(name: str, options: Options, *, optional: bool) -> Settings | None:
    """Read a settings file.

    Args:
        name: the name of the file.
        options: the options that can be set.
        optional: whether to return `None` for a `pyproject.toml` without settings of uriverse.
    """
    octets = b"".join(octets_of(name))
    shared = basename(name) == SHARED  # noqa: PTH119
    # Parsing the settings of all other tools takes a while.
    if shared and optional and b"uriverse" not in octets:
        return None
    from uriverse._policy import checked_table

    table = parsed(octets)
    place = ""
    if shared:
        tools = table.get("tool")
        table = cast("Any", tools).get("uriverse") if isinstance(tools, dict) else None
        place = "tool.uriverse"
        if table is None:
            if optional:
                return None
            raise ValueError("missing table [tool.uriverse.check]")
    table = checked_table(table, ("check",), place)
    place = f"{place}.check".removeprefix(".")
    folder = dirname(name)  # noqa: PTH120
    values = {
        key: value_of(options[key], value, f"{place}.{key}", folder)
        for key, value in checked_table(table.get("check", {}), options, place).items()
    }
    return Settings(folder, values)


def parsed(octets: bytes) -> Any:
    """Parse TOML."""
    from tomllib import loads

    from uriverse._quoting import parsed_with

    try:
        text = octets.decode("utf-8-sig")
        return parsed_with(loads, text)
    except UnicodeDecodeError as error:
        raise ValueError(f"the file is not UTF-8 (octet {error.start})") from None
    except RecursionError:
        raise ValueError("the file must not be nested so deeply") from None


def value_of(option: Parameter, given: object, place: str, folder: str) -> Any:
    """Check the value of a setting, and return it as the command line would."""
    from uriverse._policy import STRING, STRINGS

    if option.name in READERS:
        return READERS[option.name](given, place)
    if option.multiple:
        return tuple(STRINGS(given, place))
    value: str = STRING(given, place)
    checked_choice(value, option.settings.get("type"), place)
    is_file = option.settings.get("shell_complete") is complete_file_name
    return join(folder, value) if is_file else value  # noqa: PTH118


def severities_in(given: object, place: str) -> tuple[str, ...]:
    """Check the severities of codes and groups, and return them as on the command line."""
    from uriverse._policy import STRING, checked_table
    from uriverse.diagnosis import CODES, SEVERITIES
    from uriverse.diagnosis._codes import GROUPS

    found: list[str] = []
    for code, severity in checked_table(given, (*GROUPS, *CODES), place).items():
        value = STRING(severity, f"{place}.{code}")
        checked_choice(value, (*SEVERITIES, "off"), f"{place}.{code}")
        found.append(f"{code}={value}")
    return tuple(found)


def rules_in(given: object, place: str) -> tuple[str, ...]:
    """Check the rules of a policy, and return them as on the command line."""
    from uriverse import Rule, URIError
    from uriverse._policy import STRINGS

    rules = tuple(STRINGS(given, place))
    for number, rule in enumerate(rules):
        try:
            Rule(rule)
        except URIError as error:
            raise ValueError(f"{place}[{number}]: {error.reason}") from None
    return rules


#: The readers of values that have a syntax of their own, by the name of the option.
READERS: dict[str, Callable[[object, str], tuple[str, ...]]] = {
    "severities": severities_in,
    "allow": rules_in,
    "deny": rules_in,
}


def checked_choice(value: str, choices: Sequence[str] | None, place: str) -> None:
    """Raise an error if a value is not one of the choices."""
    if choices is not None and value not in choices:
        from uriverse._quoting import quoted

        raise ValueError(f"{place} must be one of {', '.join(choices)}, not {quoted(value)}")
