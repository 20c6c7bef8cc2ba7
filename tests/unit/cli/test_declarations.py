import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest
from amounts import scaled
from command_runner import failure, printed

from uriverse._cli import expand_patterns
from uriverse._cli.commands import COMMANDS, EXAMPLES, argument, command, find_command, option
from uriverse._cli.output import MisuseError


@command("example")
@argument("first", type=("a", "b"))
@argument("others", nargs=-1, metavar="[OTHER]...")
@option("-f", "--file", "files", multiple=True)
@option("-n", "--number", least=1)
@option("--kind", type=("x", "y"), default="x")
@option("--one", "form", flag_value="one")
@option("--two", "form", flag_value="two")
@option("-q", "--quiet", is_flag=True)
@option("-z", "zero", is_flag=True)
def example(**_values: object) -> None:
    """Do nothing."""


DEFAULTS = {
    "first": "a",
    "others": (),
    "files": (),
    "number": None,
    "kind": "x",
    "form": None,
    "quiet": False,
    "zero": False,
}


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("a", {}),
        ("b c - ''", {"first": "b", "others": ("c", "-", "")}),
        ("a -f one --file two --file=", {"files": ("one", "two", "")}),
        *(("-fone a -f=two", {"files": ("one", "=two")}), ("-qz a", {"quiet": True, "zero": True})),
        *(("-qfone a", {"quiet": True, "files": ("one",)}), ("-q -q --quiet a", {"quiet": True})),
        *(("a --number 3", {"number": 3}), ("a -n=3", None), ("a --kind y", {"kind": "y"})),
        *(("a --two --two", {"form": "two"}), ("a -- -q --nope", {"others": ("-q", "--nope")})),
        # A value may look like an option.
        ("a -f -q --file --nope -f --", {"files": ("-q", "--nope", "--")}),
    ],
)
def test_words_have_values(words: str, values: dict[str, Any] | None) -> None:
    if values is None:
        with pytest.raises(MisuseError):
            example.parse_words(shlex.split(words))
    else:
        assert example.parse_words(shlex.split(words)) == DEFAULTS | values


@pytest.mark.parametrize("words", ["-h", "--help a b", "a --help --kind wrong", "-qh", "b -n 0 -h"])
def test_the_help_needs_no_valid_values(words: str) -> None:
    assert example.parse_words(words.split()) is None


def test_a_mistake_has_advice() -> None:
    for words, message in [
        ("", "missing argument 'FIRST'; choose from a, b"),
        ("c", "invalid value for 'FIRST': 'c' is not one of 'a', 'b'"),
        ("a --nope", "no such option '--nope'; did you mean '--one'?"),
        ("a --xyzzy", "no such option '--xyzzy'"),
        ("a --fil x --help", "no such option '--fil'; did you mean '--file'?"),
        ("a --kin=x", "no such option '--kin'; did you mean one of: '--kind', '--one'?"),
        *(("a -qx", "no such option '-x'"), ("a -q=x", "no such option '-='")),
        ("a --quiet=1", "option '--quiet' does not take a value"),
        ("a --help=1", "option '--help' does not take a value"),
        ("a -f", "option '--file' requires an argument"),
        ("a --kind", "option '--kind' requires an argument"),
        ("a --kind=z", "invalid value for '--kind': 'z' is not one of 'x', 'y'"),
        ("a -n 0", "invalid value for '--number': '0' is not a whole number of at least 1"),
        ("a -n x", "invalid value for '--number': 'x' is not a whole number of at least 1"),
        ("a -n 1 --number=1", "--number is set more than once; set it once"),
        ("a --one --two", "--two contradicts --one; use one of them"),
    ]:
        with pytest.raises(MisuseError) as caught:
            example.parse_words(words.split())
        assert str(caught.value) == message


def test_a_mistake_is_reported_in_one_line() -> None:
    for words, message in [
        ("compare a", "compare: missing argument 'B'; see 'uriverse compare --help'"),
        ("compare a b c d", "compare: got unexpected extra arguments (c d); see 'uriverse compare"),
        ("get --json=http://u:secret@a/", "get: option '--json' does not take a value; see 'uriv"),
        ("set -s //u:secret@a/", "set: invalid setting '//u:REDACTED@a/'; write COMPONENT=DATA, "),
        ("policy", "policy: missing argument 'ACTION'; choose from review, test\n"),
        ("set -f", "set: option '--file' requires an argument; see 'uriverse set --help'\n"),
        ("-q", ": no such option '-q'; see 'uriverse --help'\n"),
        ("--hel get", ": no such option '--hel'; did you mean '--help'?\n"),
        ("-", ": no such command '-'; see 'uriverse --help'\n"),
    ]:
        errors = failure(words)
        assert errors.startswith(f"uriverse {message}".replace(" :", ":"))
        assert errors.count("\n") == 1


def test_the_options_of_the_program_come_before_a_command() -> None:
    assert printed("--version get") == printed("--version")
    assert printed("-h get") == printed("--help")
    assert printed("-- get host http://a/") == "a\n"


def test_patterns_of_file_names_are_expanded() -> None:
    Path("a.md").write_text("")
    words = ["http://a/?b", "[x"]
    assert expand_patterns(["check", "*.md", *words]) == ["check", "a.md", *words]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_are_parsed(name: str) -> None:
    for text in EXAMPLES[name]:
        words = shlex.split(text.partition("uriverse ")[2].replace(')"', ""), comments=True)
        ends = (n for n, word in enumerate(words) if word in {"|", "<", ">", "&&"})
        assert find_command(name).parse_words(words[1 : next(ends, len(words))])


@pytest.mark.parametrize("name", COMMANDS)
def test_random_words_are_parsed_or_rejected(name: str) -> None:
    random, found = Random(31), find_command(name)
    choices = [value for parameter in found.parameters for value in parameter.choices]
    others = ["http://a/", "-", "", "a b", "é", "--", "-x", "--nope", "a=b", "-f=x", "--json=x"]
    for _ in range(scaled(100)):
        words = random.choices([*found.options, *others, *choices], k=random.randrange(6))
        try:
            values = found.parse_words(words)
        except MisuseError:
            continue
        names = {parameter.name for parameter in found.parameters}
        assert values is None or values.keys() == names
