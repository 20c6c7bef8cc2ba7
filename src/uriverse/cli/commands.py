"""The commands by name. Exit status: 0 if all input is valid, 1 if some is not, 2 for misuse."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from uriverse.version import __version__

from .output import leaving_quietly, version_line

#: The module of each command; only the module of the chosen command is imported.
COMMANDS = {
    "explain": "reading",
    "parse": "reading",
    "check": "checking",
    "schemes": "checking",
    "get": "editing",
    "set": "editing",
    "resolve": "references",
    "relativize": "references",
    "normalize": "references",
    "compare": "references",
    "sort": "references",
    "uniq": "references",
    "extract": "extracting",
    "encode": "coding",
    "decode": "coding",
    "to-uri": "coding",
    "to-iri": "coding",
    "columns": "columns",
    "completion": "shell",
}


class Commands(click.Group):
    """A command group that imports the module of a command on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__package__}.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def make_context(self, *words: Any, **named: Any) -> click.Context:
        # click would treat a closed pipe as a failure, and exit with status 1: handle it first.
        with leaving_quietly():
            return super().make_context(*words, **named)

    def invoke(self, ctx: click.Context) -> Any:
        with leaving_quietly():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="uriverse COMMAND --help says more, with examples.",
)
@click.version_option(__version__, message=version_line())
def uriverse() -> None:
    """Take apart, edit, compare and find URIs and IRIs, exactly (RFC 3986 and RFC 3987).

    Each command takes TEXTs, or lines of standard input. The status is 0 if all are
    valid, 1 if some are not, 2 for misuse; what is wrong is told on standard error.

    \b
    uriverse explain "http://example.org/a b"
    uriverse set --host example.org --query-drop 'utm_*' < urls.txt
    uriverse extract --unique README.md
    """
