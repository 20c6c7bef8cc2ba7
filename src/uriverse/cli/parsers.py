"""The command `uriverse compare-parsers`."""

from __future__ import annotations

import json
import sys

import click

from .examples import Command


@click.command("compare-parsers", cls=Command)
@click.argument("texts", nargs=-1, required=True, metavar="URI...")
@click.option("--all", "every", is_flag=True, help="Print every component that each parser finds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def compare_parsers_command(texts: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Show which hosts and ports other software finds in URIs.

    The software is what is installed: Python packages, C libraries and other languages. None
    of it connects to a host. The exit status is 1 if two parsers find different hosts or ports.
    """
    from uriverse.parsers import compare_all
    from uriverse.parsers.drawing import by_parser, by_target

    found = compare_all(texts)
    if as_json:
        print("\n".join(json.dumps(comparison.as_dict()) for comparison in found))
    else:
        draw = by_parser if every else by_target
        print("\n\n".join(map(draw, found)))
    sys.exit(int(any(comparison.differ for comparison in found)))
