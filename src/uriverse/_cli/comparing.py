"""The command `uriverse compare`."""

from __future__ import annotations

import sys

from uriverse import parse
from uriverse._uri.references import LEVELS

from .declarations import argument, command, option
from .lines import as_argument, warn_of_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command("compare")
@argument("a")
@argument("b")
@option(
    "--level",
    type=LEVELS,
    default="syntax",
    show_default=True,
    metavar="LEVEL",
    help="Set the level: string, syntax, scheme.",
)
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
