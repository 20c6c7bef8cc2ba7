"""Make the man pages of the command line, of what its --help says.

python tools/make_man.py            # write docs/man/*.1
python tools/make_man.py --check    # say whether they are as they should be
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click_man.core import generate_man_page  # type: ignore[import-untyped]  # it has no types
from generated import write_or_check

from uriverse.cli.commands import uriverse
from uriverse.version import __version__

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "man"

#: A date would make another page each day; the version says which one it is.
NO_DATE = " "

#: What is left of a paragraph that is marked to stay on its lines.
ON_LINES = re.compile(r"\.PP\n\x08\n((?:[^.\n].*\n)+)")


def pages() -> Iterator[tuple[str, str]]:
    """Each page by its file's name."""
    root = click.Context(uriverse, info_name="uriverse")
    for name in uriverse.list_commands(root):
        command = uriverse.get_command(root, name)
        assert command is not None
        # Where the page of them all looks for what it lists.
        uriverse.commands[name] = command
        yield f"uriverse-{name}.1", page(click.Context(command, info_name=name, parent=root))
    yield "uriverse.1", page(root)


def page(context: click.Context) -> str:
    """A page, with its examples on lines of their own and all of its first sentence."""
    text: str = generate_man_page(context, version=__version__, date=NO_DATE)
    sentence = (context.command.help or "").split("\n")[0].rstrip(".")
    text = re.sub(r"(?<=\n.SH NAME\n)(.*?\\- ).*", lambda name: name[1] + sentence, text)
    return ON_LINES.sub(on_lines, text).rstrip() + "\n"


def on_lines(paragraph: re.Match[str]) -> str:
    """A paragraph whose lines are not to be filled, and whose backslashes are its own."""
    lines = paragraph[1].replace("\\", "\\e")
    return f".PP\n.nf\n{lines}.fi\n"


def made() -> dict[Path, str]:
    """Each page's path and text."""
    return {FOLDER / name: text for name, text in pages()}


if __name__ == "__main__":
    if left := sorted(path.name for path in set(FOLDER.glob("*.1")) - made().keys()):
        sys.exit(f"there are pages of no command: {', '.join(left)}")
    sys.exit(write_or_check(__doc__, made()))
