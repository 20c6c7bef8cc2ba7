"""The command `uriverse compare-parsers`."""

from __future__ import annotations

import json

import click

from .examples import Command


@click.command("compare-parsers", cls=Command)
@click.argument("texts", nargs=-1, required=True, metavar="URI...")
@click.option("--all", "every", is_flag=True, help="Print every component that each parser finds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def compare_parsers_command(texts: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Show which hosts and ports other software finds in URIs.

    The command runs the Python packages, C libraries and other languages that are installed.
    Parsers that find the same host and port share a line. No parser connects to a host.
    """
    from uriverse.parsers import compare_all

    found = compare_all(texts)
    if as_json:
        print("\n".join(json.dumps(comparison.as_dict()) for comparison in found))
    else:
        tables = [comparison.in_full() if every else str(comparison) for comparison in found]
        print("\n\n".join(tables))
