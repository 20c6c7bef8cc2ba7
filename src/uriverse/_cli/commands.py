"""The `uriverse` command and its subcommands."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, Any

import click

from uriverse._carets import visible
from uriverse._redaction import redacted_message

from .declarations import Declared
from .examples import Command
from .loading import COMMANDS, command_of
from .output import (
    MISUSE,
    LeavingQuietly,
    MisuseError,
    UnreadableError,
    complain,
    leave,
    problem,
    version_line,
)


class CommandError(click.ClickException):
    """A usage error, printed as `uriverse COMMAND: <what is wrong>; <what to do>`."""

    exit_code = MISUSE

    def __init__(self, error: click.UsageError) -> None:
        program = error.ctx.command_path if error.ctx else "uriverse"
        message = error.format_message().rstrip(".")
        # Messages of click start with a capital letter, and suggest a name in a second sentence.
        message = message[:1].lower() + message[1:]
        message = re.sub(r"\.? \(?Did you mean ([^?]*\?)\)?", r"; did you mean \1", message)
        if "; " not in message and "\n" not in message:
            message += f"; see '{program} --help'"
        super().__init__(message)
        self.program = program

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002
        # The message may quote an argument, with secrets and control characters.
        lines = redacted_message(self.message).expandtabs(4).splitlines()
        complain("\n".join(map(visible, lines)), self.program)


@contextmanager
def usage_errors() -> Generator[None, None, None]:
    """Convert the usage errors of click to `CommandError`."""
    try:
        yield
    except click.UsageError as error:
        # Without arguments, click raises an error that prints the help.
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        raise CommandError(error) from None


class Program(Command):
    """The command that runs a whole program: usage errors are one line without secrets."""

    def make_context(self, *words: Any, **named: Any) -> click.Context:
        # click would treat a closed pipe as a failure, and exit with status 1: handle it first.
        with usage_errors(), LeavingQuietly():
            return super().make_context(*words, **named)

    def invoke(self, ctx: click.Context) -> Any:
        with usage_errors(), LeavingQuietly():
            try:
                return super().invoke(ctx)
            except UnreadableError as error:
                leave(problem(error))


class Commands(Program, click.Group):
    """A command group that imports the module of a command on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        found = command_of(cmd_name)
        command: click.Command = found.in_click() if isinstance(found, Declared) else found
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        meant = " or ".join(repr(command) for command in get_close_matches(name, COMMANDS))
        advice = f"did you mean {meant}?" if meant else f"see '{ctx.command_path} --help'"
        if not meant and re.search("[:/.]", name):
            import shlex

            example = f"{ctx.command_path} explain {shlex.quote(name)}"
            raise click.UsageError(f"no command before the URI; run: {example}", ctx)
        raise click.UsageError(f"no such command {name!r}; {advice}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    # A command object cuts its summary to fit on one line of a narrow terminal.
                    (name, click.Command(name, help=summary).get_short_help_str(room))
                    for name, (_, summary) in COMMANDS.items()
                ]
            )


def report_misuse(command: Declared, error: MisuseError) -> int:
    """Print the error of a command that runs without click, and return the exit status."""
    program = click.Context(uriverse, info_name=uriverse.name)
    context = click.Context(command.in_click(), parent=program, info_name=command.name)
    CommandError(click.UsageError(str(error), context)).show()
    return MISUSE


def show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    """Print the version and exit, if the option `--version` is set."""
    if value and not ctx.resilient_parsing:
        click.echo(version_line(str(ctx.command.name)))
        ctx.exit()


#: The option `--version` of a program.
version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Print the version and exit.",
)

#: The settings of the help of a program.
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(
    cls=Commands,
    context_settings=SETTINGS,
    # One paragraph, so that the help fits on a screen.
    help="Parse, check, edit, resolve and compare URIs and IRIs (RFC 3986, RFC 3987), in arguments "
    "or on standard input. The exit status is 1 if any is invalid.",
    epilog="Run 'uriverse COMMAND --help' for the options and examples of a command.",
)
@version_option
def uriverse() -> None:
    """Print the help, without a command."""
