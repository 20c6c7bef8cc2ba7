"""The options and arguments of commands, in one table for the parser, the help and completion."""

from __future__ import annotations

from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Run = TypeVar("Run", bound=Callable[..., None])


class Parameter:
    """An option, or an argument if no name starts with a hyphen.

    Settings:
        metavar: the name of the value in the help; by default the name of an argument.
        help: the help of an option.
        type: a tuple of choices.
        least: the lowest value of a number.
        default: the value if the option is not set. With `show_default`, the help shows it.
        multiple: whether the option can be repeated. Its value is a tuple.
        nargs: -1 for an argument that takes all other words.
        is_flag, flag_value: for an option without a value.
        is_file: whether the value is the name of a file.
    """

    def __init__(self, names: tuple[str, ...], settings: dict[str, Any]) -> None:
        self.settings = settings
        self.flags = [name for name in names if name.startswith("-")]
        own = [name for name in names if name not in self.flags]
        # By default, an option is named after its first long form.
        long = [flag[2:].replace("-", "_") for flag in self.flags if flag.startswith("--")]
        [self.name, *_] = own or long
        self.metavar: str = settings.get("metavar") or self.name.upper()
        self.choices: Sequence[str] = settings.get("type", ())
        self.multiple = bool(settings.get("multiple"))
        self.takes_rest = "nargs" in settings
        self.is_flag = "is_flag" in settings or "flag_value" in settings

    @property
    def default(self) -> Any:
        if self.multiple:
            return ()
        return self.settings.get("default", False if "is_flag" in self.settings else None)

    def __str__(self) -> str:
        return self.flags[-1] if self.flags else self.metavar

    def add_value(self, values: dict[str, Any], attached: str | None, rest: Iterator[str]) -> Any:
        """Return the value of an option, which is attached to its flag or the next word."""
        if self.is_flag:
            return self.settings.get("flag_value", True)
        value = next(rest, None) if attached is None else attached
        if value is None:
            raise MisuseError(f"option '{self}' requires an argument")
        if self.multiple:
            return (*values.get(self.name, ()), value)
        if self.name in values:
            raise MisuseError(f"{self} is set more than once; set it once")
        return value

    def convert(self, value: Any) -> Any:
        """Return the value for a word.

        Raises:
            MisuseError: the word is not one of the choices, or not a number.
        """
        if self.choices and value not in self.choices:
            reason = f"{value!r} is not one of {', '.join(map(repr, self.choices))}"
        elif "least" in self.settings:
            least = self.settings["least"]
            if value.isdecimal() and int(value) >= least:
                return int(value)
            reason = f"{value!r} is not a whole number of at least {least}"
        else:
            return value
        raise MisuseError(f"invalid value for '{self}': {reason}")


HELP = Parameter(("-h", "--help"), {"is_flag": True, "help": "Show this message and exit."})


class Command:
    """A command.

    Args:
        name: its name.
        run: the function that it calls with the values of its parameters.
        parameters: its options and arguments, in the order of its help.
        summary: its help; by default the docstring of the function.
        condensed: rows in the help that stand for several options, each with their names.
    """

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        parameters: Sequence[Parameter],
        summary: str | None = None,
        condensed: Sequence[tuple[str, str, tuple[str, ...]]] = (),
    ) -> None:
        self.name = name
        self.run = run
        self.parameters = parameters
        self.summary: str = summary or run.__doc__ or ""
        self.condensed = condensed
        self.options = {flag: option for option in (*parameters, HELP) for flag in option.flags}

    def parse(self, words: Sequence[str]) -> dict[str, Any] | None:
        """Return the values of the parameters, or `None` if `--help` is among the words.

        Raises:
            MisuseError: the words are not allowed.
        """
        values: dict[str, Any] = {}
        set_by: dict[str, Parameter] = {}
        others: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "--":
                others += rest
            elif word == "-" or not word.startswith("-"):
                others.append(word)
            else:
                for option, attached in self.split_flags(word):
                    first = set_by.setdefault(option.name, option)
                    if first is not option:
                        raise MisuseError(f"{option} contradicts {first}; use one of them")
                    values[option.name] = option.add_value(values, attached, rest)
        return None if HELP.name in values else self.complete_values(values, others)

    def split_flags(self, word: str) -> Iterator[tuple[Parameter, str | None]]:
        """Yield the options in a word such as `--file=a`, `-fa` or `-qz`, with attached values."""
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            option = self.find_option(flag)
            if equals and option.is_flag:
                raise MisuseError(f"option '{flag}' does not take a value")
            yield option, value if equals else None
            return
        for end, letter in enumerate(word[1:], 2):
            option = self.find_option(f"-{letter}")
            if not option.is_flag:
                yield option, word[end:] or None
                return
            yield option, None

    def find_option(self, flag: str) -> Parameter:
        if flag in self.options:
            return self.options[flag]
        from difflib import get_close_matches

        alike = [f"'{each}'" for each in sorted(get_close_matches(flag, self.options))]
        one_of = "one of: " if len(alike) > 1 else ""
        advice = f"; did you mean {one_of}{', '.join(alike)}?" if alike else ""
        raise MisuseError(f"no such option {flag!r}{advice}")

    def complete_values(self, values: dict[str, Any], words: list[str]) -> dict[str, Any]:
        """Convert the values of options, and add those of arguments and the defaults."""
        for parameter in self.parameters:
            name = parameter.name
            if parameter.flags and name not in values:
                values[name] = parameter.default
            elif parameter.takes_rest:
                values[name], words = tuple(words), []
            elif parameter.multiple:
                values[name] = tuple(map(parameter.convert, values[name]))
            elif parameter.flags or words:
                value = values[name] if parameter.flags else words.pop(0)
                values[name] = value if parameter.is_flag else parameter.convert(value)
            else:
                choices = ", ".join(parameter.choices)
                advice = f"; choose from {choices}" if choices else ""
                raise MisuseError(f"missing argument '{parameter}'{advice}")
        if words:
            noun = "argument" if len(words) == 1 else "arguments"
            raise MisuseError(f"got unexpected extra {noun} ({' '.join(words)})")
        return values


def option(*names: str, **settings: Any) -> Callable[[Run], Run]:
    """Decorate a function with an option, or with an argument if no name starts with "-"."""

    def declare(run: Run) -> Run:
        vars(run).setdefault("parameters", []).append(Parameter(names, settings))
        return run

    return declare


def replacing(run: Callable[..., None]) -> Callable[[Run], Run]:
    """Decorate a function that takes the place of another, and gets its parameters and docstring.

    `functools.wraps` does the same and more, but takes longer to import.
    """

    def declare(outer: Run) -> Run:
        vars(outer).update(vars(run))
        outer.__doc__ = run.__doc__
        return outer

    return declare


#: An argument is declared like an option.
argument = option


def command(name: str, **settings: Any) -> Callable[[Callable[..., None]], Command]:
    """Decorate a function to make it a command; the settings are those of `Command`."""

    def declare(run: Callable[..., None]) -> Command:
        return Command(name, run, vars(run).pop("parameters", [])[::-1], **settings)

    return declare
