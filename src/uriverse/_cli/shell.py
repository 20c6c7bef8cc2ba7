"""The command `uriverse completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .examples import Command

#: The shells that have a completion script.
SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print a script that completes commands in a shell.

    SHELL is bash, zsh or fish. Run the script when the shell starts, as in the examples.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    script = kind(root.command, {}, "uriverse", "_URIVERSE_COMPLETE")
    click.echo(script.source_template % script.source_vars())
