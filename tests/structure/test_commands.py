from collections.abc import Iterator
from pathlib import Path

import make_man
import pytest

from uriverse._cli.commands import COMMANDS, HELP, Command, Parameter, find_command
from uriverse._cli.output import MisuseError

ROOT = Path(__file__).resolve().parents[2]


def options() -> Iterator[tuple[str, Command, Parameter]]:
    for name in COMMANDS:
        command = find_command(name)
        for option in dict.fromkeys(command.options.values()):
            yield name, command, option


def test_no_command_uses_only_the_last_value_of_a_repeated_option() -> None:
    for name, command, option in options():
        value = [] if option.is_flag else ["1"]
        words = [option.flags[0], *value, option.flags[-1], *value]
        try:
            command.parse_words(words)
        except MisuseError as error:
            rejected = str(error) == f"{option} is set more than once; set it once"
        else:
            rejected = False
        assert rejected == (not option.is_flag and not option.multiple), f"{name} {option}"


def test_options_that_set_the_same_value_contradict_each_other() -> None:
    shared: dict[tuple[str, str], list[str]] = {}
    for name, command, option in options():
        alike = shared.setdefault((name, option.name), [])
        alike.append(str(option))
        if len(alike) > 1:
            with pytest.raises(MisuseError, match=f"{alike[1]} contradicts {alike[0]}; use"):
                command.parse_words(alike)
    assert [flags for flags in shared.values() if len(flags) > 1] == [["--punycode", "--as-idn"]]


def test_every_option_has_its_own_flags() -> None:
    for name in COMMANDS:
        command = find_command(name)
        flags = [flag for option in (*command.parameters, HELP) for flag in option.flags]
        assert sorted(flags) == sorted(command.options), name


def test_the_flags_of_a_command_are_the_settings_that_the_parser_knows() -> None:
    known = {"metavar", "help", "type", "least", "default", "show_default", "multiple", "nargs"}
    known |= {"is_flag", "flag_value", "is_file"}
    used = {key for name in COMMANDS for p in find_command(name).parameters for key in p.settings}
    assert used == known


def test_the_program_of_another_distribution_has_its_own_man_page() -> None:
    pages = make_man.made()
    (program,) = (path for path in pages if path.parent == ROOT / "compare" / "man")
    assert program.name == "uriverse-compare.1"
    assert ROOT / "docs/man/uriverse-compare.1" not in pages
    assert ".B uriverse-compare\n[OPTIONS] URI..." in pages[program]
    assert "uriverse-compare-command(1)" in pages[ROOT / "docs/man/uriverse.1"]
