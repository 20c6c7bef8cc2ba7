"""The command that sets up a shell: completion."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

#: How each shell takes the script that is printed.
SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands.

    To be put where the shell reads what it begins with:

    \b
    eval "$(uriverse completion bash)"       # in ~/.bashrc
    eval "$(uriverse completion zsh)"        # in ~/.zshrc
    uriverse completion fish | source        # in ~/.config/fish/config.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    script = kind(root.command, {}, "uriverse", "_URIVERSE_COMPLETE")
    click.echo(script.source_template % script.source_vars())
