"""Generate the man pages in docs/man and compare/man from the help of the commands.

python tools/make_man.py            # write docs/man/*.1 and compare/man/uriverse-compare.1
python tools/make_man.py --check    # fail if the files are out of date
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click_man.core import generate_man_page  # type: ignore[import-untyped]  # it has no types
from generated import write_or_check

from uriverse._cli.commands import uriverse
from uriverse._cli.examples import EXAMPLES
from uriverse._version import __version__

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "man"

#: The pages whose name is not that of the command: `uriverse-compare` is a program of its own.
NAMES = {"compare": "compare-command"}

#: The pages have no date, because it would change them every day.
NO_DATE = " "

#: A paragraph that click does not wrap, because it starts with `\\b`.
ON_LINES = re.compile(r"\.PP\n\x08\n((?:[^.\n].*\n)+)")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the file name and the content of each page."""
    root = click.Context(uriverse, info_name="uriverse")
    for name in uriverse.list_commands(root):
        command = uriverse.get_command(root, name)
        assert command is not None
        # The main page lists the commands in this dictionary.
        uriverse.commands[name] = command
        text = page(click.Context(command, info_name=name, parent=root))
        title = NAMES.get(name, name)
        yield f"uriverse-{title}.1", text.replace(rf"\-{name} \-", rf"\-{title} \-", 1)
    main_page = page(root)
    for name, other in NAMES.items():
        main_page = main_page.replace(f"uriverse-{name}(1)", f"uriverse-{other}(1)")
    yield "uriverse.1", main_page


def program_page() -> str:
    """Return the page of the program `uriverse-compare`, which its distribution installs."""
    sys.path.insert(0, str(ROOT / "compare" / "src"))
    program = importlib.import_module("uriverse_compare._cli").uriverse_compare
    return page(click.Context(program, info_name="uriverse-compare"))


def page(context: click.Context) -> str:
    """Return the man page of a command, with its full first sentence and its examples."""
    text: str = generate_man_page(context, version=__version__, date=NO_DATE)
    sentence = (context.command.help or "").split("\n")[0].rstrip(".")
    text = re.sub(r"(?<=\n.SH NAME\n)(.*?\\- ).*", lambda name: name[1] + sentence, text)
    for name, command in getattr(context.command, "commands", {}).items():
        # click_man shortens the descriptions of commands.
        summary = (command.help or "").split("\n")[0]
        heading = rf"(?<=\n\\fB{name}\\fP\n)"
        text = re.sub(heading + ".*", "  " + summary.replace("\\", r"\\"), text)
    text = ON_LINES.sub(on_lines, text).rstrip()
    examples = "".join(f"{example}\n" for example in examples_of(context))
    return f"{text}\n.SH EXAMPLES\n.nf\n{escaped(examples)}.fi\n"


def examples_of(context: click.Context) -> tuple[str, ...]:
    """Return the examples of a command or a program."""
    return getattr(context.command, "examples", ()) or EXAMPLES[str(context.info_name)]


def escaped(lines: str) -> str:
    """Escape lines that start with a control character of roff, and backslashes."""
    return re.sub(r"^(?=[.'])", r"\\&", lines.replace("\\", "\\e"), flags=re.MULTILINE)


def on_lines(paragraph: re.Match[str]) -> str:
    """Return a preformatted paragraph, in which roff does not join lines."""
    return f".PP\n.nf\n{escaped(paragraph[1])}.fi\n"


def made() -> dict[Path, str]:
    """Return the content of each page by its path."""
    program = ROOT / "compare" / "man" / "uriverse-compare.1"
    return {program: program_page(), **{FOLDER / name: text for name, text in pages()}}


if __name__ == "__main__":
    if left := sorted(path.name for path in set(FOLDER.glob("*.1")) - made().keys()):
        sys.exit(f"delete the pages of commands that no longer exist: {', '.join(left)}")
    sys.exit(write_or_check(__doc__, made()))
