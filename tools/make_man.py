"""Generate the man pages of the command line from its --help texts.

python tools/make_man.py            # write docs/man/*.1
python tools/make_man.py --check    # fail if a page is out of date
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

#: The pages have no date, so that they change only with the commands and the version.
NO_DATE = " "

#: The output of click-man for a paragraph that click must not rewrap, which it marks with \b.
ON_LINES = re.compile(r"\.PP\n\x08\n((?:[^.\n].*\n)+)")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the file name and the content of each page."""
    root = click.Context(uriverse, info_name="uriverse")
    for name in uriverse.list_commands(root):
        command = uriverse.get_command(root, name)
        assert command is not None
        # The page of `uriverse` itself lists the commands in this dictionary.
        uriverse.commands[name] = command
        yield f"uriverse-{name}.1", page(click.Context(command, info_name=name, parent=root))
    yield "uriverse.1", page(root)


def page(context: click.Context) -> str:
    """Return a man page that keeps the line breaks of examples and the whole first sentence."""
    text: str = generate_man_page(context, version=__version__, date=NO_DATE)
    sentence = (context.command.help or "").split("\n")[0].rstrip(".")
    text = re.sub(r"(?<=\n.SH NAME\n)(.*?\\- ).*", lambda name: name[1] + sentence, text)
    return ON_LINES.sub(on_lines, text).rstrip() + "\n"


def on_lines(paragraph: re.Match[str]) -> str:
    """Return a paragraph in which line breaks are kept and backslashes are escaped."""
    lines = paragraph[1].replace("\\", "\\e")
    return f".PP\n.nf\n{lines}.fi\n"


def made() -> dict[Path, str]:
    """Return the content of each page by its path."""
    return {FOLDER / name: text for name, text in pages()}


if __name__ == "__main__":
    if left := sorted(path.name for path in set(FOLDER.glob("*.1")) - made().keys()):
        sys.exit(f"there are pages of no command: {', '.join(left)}")
    sys.exit(write_or_check(__doc__, made()))
