"""The parameters of commands, declared without click, because importing click takes long.

`Declared.parsed` reads ordinary arguments. For all others, such as `--help` and mistakes, click
creates the command from the same declarations.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    import click

    Run = TypeVar("Run", bound=Callable[..., None])


class Parameter:
    """An option or an argument, with the arguments of `click.Option` or `click.Argument`.

    `type` may be a tuple of choices. `least` is the lowest value of a number.
    """

    def __init__(self, names: tuple[str, ...], settings: dict[str, Any]) -> None:
        self.names = names
        self.settings = settings
        self.flags = [name for name in names if name.startswith("-")]
        own = [name for name in names if name not in self.flags]
        # Like click, name an option after its first long form.
        long = [flag[2:].replace("-", "_") for flag in self.flags if flag.startswith("--")]
        [self.name, *_] = own or long
        self.multiple = bool(settings.get("multiple"))
        self.takes_rest = settings.get("nargs") == -1
        self.is_flag = "is_flag" in settings or "flag_value" in settings

    @property
    def default(self) -> Any:
        if self.multiple:
            return ()
        return self.settings.get("default", False if "is_flag" in self.settings else None)

    def accepts(self, value: str) -> bool:
        """Return whether a value needs no conversion, and no message of click."""
        choices = self.settings.get("type")
        return "least" not in self.settings and (choices is None or value in choices)

    def in_click(self) -> click.Parameter:
        import click

        settings = dict(self.settings)
        if "type" in settings:
            settings["type"] = click.Choice(settings["type"])
        if "least" in settings:
            settings["type"] = click.IntRange(settings.pop("least"))
        return (click.Option if self.flags else click.Argument)(self.names, **settings)


class Declared:
    """A command.

    Args:
        name: its name.
        run: the function that it calls with the values of its parameters.
        parameters: its options and arguments, in the order of its help.
        summary: its help; by default the docstring of the function.
        kind: the class for click, a key of `examples.CLASSES`.
    """

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        parameters: Sequence[Parameter],
        summary: str | None,
        kind: str,
    ) -> None:
        self.name = name
        self.run = run
        self.parameters = parameters
        self.summary = summary
        self.kind = kind

    def parsed(self, words: Sequence[str]) -> dict[str, Any] | None:
        """Return the values of the parameters, or `None` if click must parse the words."""
        options = {flag: each for each in self.parameters for flag in each.flags}
        found: dict[str, Any] = {}
        others: list[str] = []
        rest = iter(words)
        for word in rest:
            if not word.startswith("-") or word == "-":
                others.append(word)
                continue
            flag, equals, text = word.partition("=")
            option = options.get(flag)
            if option is None or (equals and (option.is_flag or not flag.startswith("--"))):
                return None
            value: Any = text
            if option.is_flag:
                value = option.settings.get("flag_value", True)
            elif not equals:
                value = next(rest, None)
            if value is None or not (option.is_flag or option.accepts(value)):
                return None
            if option.multiple:
                found[option.name] = (*found.get(option.name, ()), value)
            elif option.name in found:
                return None
            else:
                found[option.name] = value
        return self.completed(found, others)

    def completed(self, found: dict[str, Any], words: list[str]) -> dict[str, Any] | None:
        """Add the values of arguments and the defaults of options to those of `found`."""
        for each in self.parameters:
            if each.flags and each.name not in found and not each.settings.get("required"):
                found[each.name] = each.default
            elif each.takes_rest and (words or not each.settings.get("required")):
                found[each.name], words = tuple(words), []
            elif not (each.flags or each.takes_rest) and words and each.accepts(words[0]):
                found[each.name] = words.pop(0)
            elif each.name not in found:
                return None
        return None if words else found

    def in_click(self) -> click.Command:
        """Return the command as click needs it."""
        from .examples import CLASSES

        return CLASSES[self.kind](
            self.name,
            params=[each.in_click() for each in self.parameters],
            callback=self.run,
            help=self.summary or self.run.__doc__,
        )


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


def command(
    name: str, *, summary: str | None = None, kind: str = "Command"
) -> Callable[[Callable[..., None]], Declared]:
    """Decorate a function to make it a command; see `Declared`."""

    def declare(run: Callable[..., None]) -> Declared:
        return Declared(name, run, vars(run).pop("parameters", [])[::-1], summary, kind)

    return declare
