"""The command `uriverse-compare`."""

from __future__ import annotations

import json

import click

from uriverse._cli import execute, status_of
from uriverse._cli.commands import SETTINGS, Program, version_option

from ._browsers import FINDERS as BROWSERS
from ._comparing import compare_all
from ._installed import NAMES, installed


class CompareProgram(Program):
    @property
    def examples(self) -> tuple[str, ...]:
        return (
            "uriverse-compare 'http://good.example\\@evil.example/'",
            'uriverse-compare --all "http://good.example:80/"',
            "uriverse-compare --json 'http://0x7f.1/' | jq .groups",
        )


@click.command("uriverse-compare", cls=CompareProgram, context_settings=SETTINGS)
@click.argument("texts", nargs=-1, required=True, metavar="URI...")
@click.option("--all", "every", is_flag=True, help="Print every component that each parser finds.")
@click.option("--browsers", is_flag=True, help="Run browsers too, which takes some seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@version_option
def uriverse_compare(texts: tuple[str, ...], every: bool, browsers: bool, as_json: bool) -> None:
    """Show which hosts and ports other software finds in URIs.

    The command runs the Python packages, C libraries and other languages that are installed.
    Parsers that find the same host and port share a line. No parser opens a network
    connection.
    """
    found = compare_all(texts, installed([*NAMES, *BROWSERS]) if browsers else None)
    if as_json:
        print("\n".join(json.dumps(comparison.as_dict()) for comparison in found))
    else:
        tables = [comparison.in_full() if every else str(comparison) for comparison in found]
        print("\n\n".join(tables))


def main() -> None:
    """Run the command with the arguments of the process, and exit with its status."""
    execute(lambda: status_of(uriverse_compare))
