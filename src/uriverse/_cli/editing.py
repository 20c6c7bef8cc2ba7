"""The command `uriverse set`."""

from __future__ import annotations

from uriverse import IRIReference

from .declarations import command, option, replacing
from .edits import SETTABLE, Appended, Edit, Setting, pair_of
from .formats import Format
from .getting import format_options, reading_options
from .lines import Inputs, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .getting import Read


#: Rows in the help that stand for several options, so that it fits on a screen.
CONDENSED = (
    (
        "--COMPONENT VALUE",
        "Set a component, such as --host; - removes it.",
        tuple(f"part_{name}" for name in SETTABLE),
    ),
    (
        "--format, --accept-host, ...",
        "Set the options of 'uriverse get'.",
        (
            *("exact", "decoded", "separator", "codec"),
            *("add_scheme", "accept_space", "accept_host", "accept_scheme"),
        ),
    ),
)


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each URI component, such as `--host`, to a command.

    The command receives a dictionary of the options that the user set as the argument `parts`.
    """

    @replacing(command)
    def with_parts(**options: Any) -> None:
        given = {name: options.pop(f"part_{name}") for name in SETTABLE}
        command(parts={name: text for name, text in given.items() if text is not None}, **options)

    for name in reversed(SETTABLE):
        explained = f"Set the {name}; - removes it."
        with_parts = option(f"--{name}", f"part_{name}", metavar="VALUE", help=explained)(
            with_parts
        )
    return with_parts


@command("set", condensed=CONDENSED)
@part_options
@option(
    "-s",
    "--set",
    "settings",
    multiple=True,
    metavar="COMPONENT=DATA",
    help="Percent-encode DATA, then set the component.",
)
@option(
    "--iterate",
    multiple=True,
    metavar="COMPONENT=A,B",
    help="Print one result for each of the values A, B.",
)
@option("--redirect", metavar="REFERENCE", help="Resolve REFERENCE against each URI first.")
@option(
    "-a",
    "--append",
    multiple=True,
    metavar="PART=DATA",
    help="Append a segment (path) or parameter (query).",
)
@option("--query-set", multiple=True, metavar="NAME=DATA", help="Set a query parameter.")
@option("--query-add", multiple=True, metavar="NAME=DATA", help="Add a query parameter.")
@option(
    "--query-replace",
    multiple=True,
    metavar="GLOB=DATA",
    help="Set parameters that are present.",
)
@option(
    "--query-drop", multiple=True, metavar="GLOB", help="Remove parameters whose name matches GLOB."
)
@option(
    "--query-keep",
    multiple=True,
    metavar="GLOB",
    help="Remove parameters whose name does not match.",
)
@option("--sort-query", is_flag=True, help="Sort query parameters by name.")
@option("--normalize", is_flag=True, help="Normalize the result.")
@option("--default-port", is_flag=True, help="Add the default port of the scheme.")
@option("--punycode", "host_form", flag_value="puny", help="Convert the host to Punycode.")
@option("--as-idn", "host_form", flag_value="idn", help="Convert the host to Unicode.")
@format_options
@reading_options
@takes_inputs(edits=True)
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
    --host VALUE and -s COMPONENT:=VALUE expect an encoded VALUE, and -s COMPONENT?=DATA keeps
    an existing component. The URI "" is empty.
    """
    iterated = list(map(Setting.parse, iterate))
    edit = Edit(
        settings=list(map(Setting.parse, settings)),
        iterated=iterated,
        appended=list(map(Appended.parse, append)),
        query_set=list(map(pair_of, query_set)),
        query_add=list(map(pair_of, query_add)),
        query_replace=list(map(pair_of, query_replace)),
        **options,
    )
    shown = inputs.shown

    def printed(value: IRIReference) -> str:
        return shown(str(value)) if form is None else form(value, shown)

    if not iterated:
        inputs.answer(lambda uri: printed(edit(read(uri))), drawn=True)

    if inputs.rewriting is not None:
        raise MisuseError("--iterate prints several results, so it cannot edit files")
    from itertools import product

    def edited(uri: str) -> list[str]:
        value = read(uri)
        rows = product(*(setting.alternatives() for setting in iterated))
        return [printed(edit(value, row)) for row in rows]

    if inputs.as_json:
        inputs.answer(edited)
    inputs.answer(lambda uri: inputs.output.end.join(edited(uri)), drawn=True)
