"""The command `uriverse set`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import product
from typing import Any

import click

from uriverse import IRIReference

from .edits import SETTABLE, Appended, Edit, Setting, pair_of, replacement_of
from .examples import Command
from .formats import Format, MisuseError
from .getting import Read, format_options, reading_options
from .lines import Inputs, misuse, takes_inputs

PART_OPTIONS = {f"part_{name}" for name in SETTABLE}


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each URI component, such as `--host`, to a command.

    The command receives a dictionary of the options that the user set as the argument `parts`.
    """

    @functools.wraps(command)
    def with_parts(**options: Any) -> None:
        given = {name: options.pop(f"part_{name}") for name in SETTABLE}
        command(parts={name: text for name, text in given.items() if text is not None}, **options)

    for name in reversed(SETTABLE):
        option = click.option(
            f"--{name}", f"part_{name}", metavar="VALUE", help=f"Set the {name}; - removes it."
        )
        with_parts = option(with_parts)
    return with_parts


class SetCommand(Command):
    """The class of the command `set`, which has an option for every component.

    Its `--help` describes these options in a single entry, `--COMPONENT VALUE`, to stay short.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        shown = (option for option in options if option.name not in PART_OPTIONS)
        rows = [record for option in shown if (record := option.get_help_record(ctx))]
        parts = ("--COMPONENT VALUE", "Set a component, such as --host; - removes it.")
        with formatter.section("Options"):
            formatter.write_dl([parts, *rows])


@click.command("set", cls=SetCommand)
@part_options
@click.option(
    "-s",
    "--set",
    "settings",
    multiple=True,
    metavar="COMPONENT=DATA",
    help="Percent-encode DATA, then set the component.",
)
@click.option(
    "--iterate",
    multiple=True,
    metavar="COMPONENT=A,B",
    help="Print one result for each of the values A, B.",
)
@click.option("--redirect", metavar="REFERENCE", help="Resolve REFERENCE against each URI first.")
@click.option(
    "-a",
    "--append",
    multiple=True,
    metavar="PART=DATA",
    help="Append a segment (path) or parameter (query).",
)
@click.option("--query-set", multiple=True, metavar="NAME=DATA", help="Set a query parameter.")
@click.option("--query-add", multiple=True, metavar="NAME=DATA", help="Add a query parameter.")
@click.option(
    "--query-replace", multiple=True, metavar="NAME=DATA", help="Set a query parameter if present."
)
@click.option(
    "--query-drop", multiple=True, metavar="GLOB", help="Remove parameters whose name matches GLOB."
)
@click.option(
    "--query-keep",
    multiple=True,
    metavar="GLOB",
    help="Remove parameters whose name does not match.",
)
@click.option("--sort-query", is_flag=True, help="Sort query parameters by name.")
@click.option("--normalize", is_flag=True, help="Normalize the result.")
@click.option("--default-port", is_flag=True, help="Add the default port of the scheme.")
@click.option("--punycode", "host_form", flag_value="puny", help="Convert the host to Punycode.")
@click.option("--as-idn", "host_form", flag_value="idn", help="Convert the host to Unicode.")
@format_options
@reading_options
@takes_inputs()
def set_command(
    inputs: Inputs,
    read: Read,
    form: Format | None,
    settings: tuple[str, ...],
    iterate: tuple[str, ...],
    append: tuple[str, ...],
    query_set: tuple[str, ...],
    query_add: tuple[str, ...],
    query_replace: tuple[str, ...],
    **options: Any,
) -> None:
    """Edit components and query parameters of URIs.

    Components are scheme, userinfo, username, password, host, port, path, query and fragment.
    --host VALUE and its like expect an encoded VALUE. -s COMPONENT=DATA encodes DATA,
    COMPONENT:=VALUE does not, and COMPONENT?=DATA keeps an existing component. Everything
    else stays as it is. Give "" as URI to start from nothing.
    """
    try:
        iterated = list(map(Setting.parse, iterate))
        edit = Edit(
            settings=list(map(Setting.parse, settings)),
            iterated=iterated,
            appended=list(map(Appended.parse, append)),
            query_set=list(map(pair_of, query_set)),
            query_add=list(map(pair_of, query_add)),
            query_replace=list(map(replacement_of, query_replace)),
            **options,
        )
    except MisuseError as error:
        raise misuse(str(error)) from None
    shown = inputs.shown

    def printed(value: IRIReference) -> str:
        return shown(str(value)) if form is None else form(value, shown)

    if not iterated:
        inputs.answer(lambda uri: printed(edit(read(uri))), drawn=True)

    def edited(uri: str) -> list[str]:
        value = read(uri)
        rows = product(*(setting.alternatives() for setting in iterated))
        return [printed(edit(value, row)) for row in rows]

    if inputs.as_json:
        inputs.answer(edited)
    inputs.answer(lambda uri: "\n".join(edited(uri)), drawn=True)
