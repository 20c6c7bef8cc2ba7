"""Rules for all commands of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from uriverse._cli.commands import uriverse
from uriverse._cli.examples import Command
from uriverse._cli.loading import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


def options() -> Iterator[tuple[str, click.Command, click.Option]]:
    """Yield all options of all commands."""
    context = click.Context(uriverse)
    for name in COMMANDS:
        command = uriverse.get_command(context, name)
        assert isinstance(command, Command)
        for param in command.get_params(context):
            if isinstance(param, click.Option):
                yield name, command, param


@pytest.mark.parametrize(
    ("name", "command", "option"),
    [pytest.param(*case, id=f"{case[0]} {case[2].opts[-1]}") for case in options()],
)
def test_no_command_uses_only_the_last_value_of_a_repeated_option(
    name: str, command: click.Command, option: click.Option
) -> None:
    value = [] if option.is_flag else ["1"]
    words = [option.opts[0], *value, option.opts[-1], *value]
    message = f"{option.opts[-1]} is set more than once; set it once"
    try:
        command.make_context(name, words, resilient_parsing=False)
    except (click.ClickException, click.exceptions.Exit) as error:
        rejected = getattr(error, "message", "") == message
    else:
        rejected = False
    assert rejected == (not option.is_flag and not option.multiple)


def test_options_that_set_the_same_value_contradict_each_other() -> None:
    shared: dict[tuple[str, str | None], list[str]] = {}
    for name, command, option in options():
        shared.setdefault((name, option.name), []).append(option.opts[-1])
        # "--a/--no-a" would be one option, which could contradict itself.
        assert not option.secondary_opts
        alike = shared[name, option.name]
        if len(alike) > 1:
            with pytest.raises(click.UsageError, match=f"{alike[1]} contradicts {alike[0]}; use"):
                command.make_context(name, alike)
    assert [flags for flags in shared.values() if len(flags) > 1] == [["--punycode", "--as-idn"]]


def test_the_program_of_another_distribution_has_its_own_man_page() -> None:
    pages = {path.name for path in (ROOT / "docs" / "man").glob("*.1")}
    (program,) = (ROOT / "compare" / "man").glob("*.1")
    assert program.name == "uriverse-compare.1"
    assert program.name not in pages
    assert ".B uriverse-compare\n[OPTIONS] URI..." in program.read_text("utf-8")
    assert "uriverse-compare-command(1)" in (ROOT / "docs/man/uriverse.1").read_text("utf-8")
