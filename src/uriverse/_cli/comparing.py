"""The commands `uriverse compare`, `uriverse sort` and `uriverse uniq`."""

from __future__ import annotations

import sys

from uriverse import parse
from uriverse._identifiers.references import LEVELS

from .declarations import argument, command, option
from .lines import Inputs, as_argument, takes_inputs, warn_of_files
from .output import MisuseError
from .sites import site

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from uriverse import IRIReference


def path_key(value: IRIReference, level: Any) -> str:
    """Return a key that is the same for URIs with the same scheme, host, port and path."""
    return value.replace(userinfo=None, query=None, fragment=None).comparison_key(level)


#: The parts by which `uniq` groups URIs, each with a function that returns `None` without the part.
GROUPS: dict[str, Callable[[IRIReference, Any], str | None]] = {
    "site": lambda value, _: site(value),
    "host": lambda value, _: value.normalize().hostname or None,
    "path": path_key,
}

level_option = option(
    "--level",
    type=LEVELS,
    default="syntax",
    show_default=True,
    metavar="LEVEL",
    help="Set the level: string, syntax, scheme.",
)


@command("compare")
@argument("a")
@argument("b")
@level_option
@option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def compare_command(a: str, b: str, level: Any, as_json: bool) -> None:
    """Test whether two URIs are equivalent (RFC 3986, 6.2).

    Print "equivalent" or "different". The exit status is 0 if the URIs are equivalent, 1 if
    they are different, and 2 if one of them is invalid.
    """
    warn_of_files((a, b))
    first, second = as_argument("A", lambda: parse(a)), as_argument("B", lambda: parse(b))
    same = first.equivalent(second, level=level)
    if as_json:
        from json import dumps

        print(dumps({"a": a, "b": b, "level": level, "equivalent": same}))
    else:
        print("equivalent" if same else "different")
    sys.exit(0 if same else 1)


@command("sort")
@level_option
@option("-u", "--unique", is_flag=True, help="Print only the first of equivalent URIs.")
@option("-r", "--reverse", is_flag=True, help="Sort in descending order.")
@takes_inputs()
def sort_command(inputs: Inputs, level: Any, unique: bool, reverse: bool) -> None:
    """Sort URIs by their normal forms.

    URIs are printed unchanged. Equivalent URIs keep their input order.
    """
    from itertools import groupby
    from operator import itemgetter

    keyed: list[tuple[str, str]] = []

    def keep(uri: str) -> None:
        keyed.append((parse(uri).comparison_key(level), uri))

    inputs.go_through(keep)
    keyed.sort(key=itemgetter(0), reverse=reverse)
    if unique:
        keyed = [next(same) for _, same in groupby(keyed, key=itemgetter(0))]
    inputs.print_last((uri, uri, key) for key, uri in keyed)


@command("uniq")
@level_option
@option(
    "--by",
    type=tuple(GROUPS),
    metavar="PART",
    help="Print only the first URI of each site, host or path.",
)
@option("--ignore-values", is_flag=True, help="Compare the names of parameters, not the values.")
@option("-c", "--count", is_flag=True, help="Prefix each URI with its count.")
@takes_inputs()
def uniq_command(
    inputs: Inputs, level: Any, by: str | None, ignore_values: bool, count: bool
) -> None:
    """Remove URIs that are equivalent to an earlier one.

    The remaining URIs are printed unchanged. The input need not be sorted. With --count,
    results are printed after all the input has been read.

    With --by, remove URIs of the same host as an earlier one, of the same site (a scheme and
    a registrable domain, such as https and example.co.uk), or of the same path (a scheme, a
    host, a port and a path). URIs without this part are compared as usual.
    """
    if by and ignore_values:
        raise MisuseError("--ignore-values contradicts --by; use one of them")
    first: dict[tuple[str | None, str], str] = {}
    counts: dict[tuple[str | None, str], int] = {}

    def counted(uri: str) -> str | None:
        value = parse(uri)
        if ignore_values:
            value = without_values(value)
        group = GROUPS[by](value, level) if by else None
        key = (group, "" if group else value.comparison_key(level))
        counts[key] = counts.get(key, 0) + 1
        return uri if first.setdefault(key, uri) is uri and counts[key] == 1 else None

    if not count:
        inputs.answer(counted)
    inputs.go_through(lambda uri: counted(uri) and None)
    inputs.print_last((uri, f"{counts[key]:7} {uri}", counts[key]) for key, uri in first.items())


def without_values(value: IRIReference) -> IRIReference:
    """Return a copy of a URI whose query has only the names of its parameters."""
    if value.query is None:
        return value
    return value.with_query("&".join(piece.partition("=")[0] for piece in value.query.split("&")))
