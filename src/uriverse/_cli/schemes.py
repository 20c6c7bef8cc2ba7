"""The command `uriverse schemes`."""

from __future__ import annotations

import json
import sys
from typing import Any, get_args

from uriverse._carets import visible
from uriverse._spec.normalization import lower
from uriverse.schemes import SCHEMES, Scheme
from uriverse.typing import Status

from .declarations import argument, command, option
from .lines import warn_of_files
from .output import MisuseError


@command("schemes")
@argument("names", nargs=-1, metavar="[SCHEME]...")
@option(
    "--status",
    type=get_args(Status),
    metavar="STATUS",
    help=f"List only {', '.join(get_args(Status)[:-1])} or {get_args(Status)[-1]} schemes.",
)
@option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def schemes_command(names: tuple[str, ...], status: str | None, as_json: bool) -> None:
    """List known URI schemes, or show the rules of schemes.

    The list contains the schemes that IANA registers and a few others in common use. The
    exit status is 1 if a SCHEME is unknown.
    """
    if names and status:
        raise MisuseError("both schemes and --status are given; give one or the other")
    warn_of_files(names, "scheme")
    shown = [SCHEMES.rules_of(as_scheme(name)) for name in names]
    listed = shown or [s for s in SCHEMES.values() if status in {None, s.status}]
    for scheme in listed:
        if as_json:
            print(json.dumps(described(scheme)))
        elif shown:
            print("\n".join(f"{name}: {value}" for name, value in described(scheme).items()))
        else:
            port = "" if scheme.default_port is None else scheme.default_port
            registered = scheme.status or "unregistered"
            print(
                f"{scheme.name:28} {registered:12} {port!s:6} {visible(scheme.reference)}".rstrip()
            )
    sys.exit(0 if all(scheme.name in SCHEMES for scheme in shown) else 1)


def as_scheme(name: str) -> str:
    """Return a scheme in lower case and without a colon at its end."""
    try:
        return Scheme(name=lower(name.removesuffix(":"))).name
    except ValueError as error:
        raise MisuseError(str(error)) from None


def described(scheme: Scheme) -> dict[str, Any]:
    """Return the attributes of a scheme as data for JSON."""
    known = {name: getattr(scheme, name) for name in scheme.__slots__}
    return {name: str(data) if callable(data) else data for name, data in known.items()}
