"""Ordinary arguments have the same values without click, and click parses all others."""

from __future__ import annotations

import shlex
from random import Random
from typing import Any

import click
import pytest
from amounts import scaled

from uriverse._cli.commands import uriverse as command_line
from uriverse._cli.declarations import Declared
from uriverse._cli.examples import EXAMPLES
from uriverse._cli.loading import COMMANDS, command_of

DECLARED = {name: found for name in COMMANDS if isinstance(found := command_of(name), Declared)}

#: Words that no option has as its own name.
WORDS = ("http://a/", "-", "", "host", "a b", "é", "--", "-x", "--nope", "a=b", "-f=x", "--json=x")


#: The arguments that some commands require.
BEFORE = {
    "compare": ["a", "b"],
    "policy": ["test", "a.toml"],
    "template": ["match", "/{a}"],
}


def by_click(command: Declared, words: list[str]) -> dict[str, Any] | None:
    """Return the parameters that click finds, or `None` if it rejects the words."""
    program = click.Context(command_line, info_name="uriverse")
    try:
        context = command.in_click().make_context(command.name, list(words), parent=program)
    except (click.ClickException, click.exceptions.Exit):
        return None
    return context.params


def assert_parsed_alike(command: Declared, words: list[str]) -> bool:
    """Compare the values; return whether the words were parsed without click."""
    found = command.parsed(words)
    assert found is None or found == by_click(command, words), words
    return found is not None


def test_all_commands_except_completion_are_declared_without_click() -> None:
    assert set(COMMANDS) - set(DECLARED) == {"completion"}


@pytest.mark.parametrize("name", DECLARED)
def test_the_examples_of_a_command_do_not_need_click(name: str) -> None:
    for example in EXAMPLES[name]:
        words = shlex.split(example.partition("uriverse ")[2], comments=True)
        ends = (n for n, word in enumerate(words) if word in {"|", "<", ">", "&&"})
        words = words[1 : next(ends, len(words))]
        assert assert_parsed_alike(DECLARED[name], words)


@pytest.mark.parametrize("name", DECLARED)
def test_each_option_has_the_same_value(name: str) -> None:
    command = DECLARED[name]
    before = BEFORE.get(name, [])
    for option in command.parameters:
        for flag in option.flags:
            values = [*option.settings.get("type", ("x",)), "-", "", "1"]
            forms = [[flag]] if option.is_flag else [[flag, value] for value in values]
            forms += [[f"{flag}={value}"] for value in values]
            for form in forms:
                assert_parsed_alike(command, [*before, *form])
                assert_parsed_alike(command, [*form, *form, *before])


@pytest.mark.parametrize("name", DECLARED)
def test_random_words_have_the_same_values(name: str) -> None:
    random, command = Random(31), DECLARED[name]
    flags = [flag for option in command.parameters for flag in option.flags]
    choices = [value for option in command.parameters for value in option.settings.get("type", ())]
    for _ in range(scaled(300)):
        words = random.choices([*flags, *WORDS, *choices], k=random.randrange(6))
        assert_parsed_alike(command, words)
