"""The commands `uriverse normalize`, `resolve`, `relativize` and `compare`."""

from __future__ import annotations

import sys

from uriverse import Resolver, parse
from uriverse._uri.references import LEVELS

from .commands import argument, command, option
from .lines import Inputs, parse_argument, takes_inputs, warn_about_files
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command("normalize")
@option("--keep-case", is_flag=True, help="Do not change the case of letters.")
@option(
    "--keep-percent-encoding", is_flag=True, help="Keep percent-encoding, except %2E for a dot."
)
@option("--keep-dot-segments", is_flag=True, help="Keep . and .. in paths.")
@option("--all-dot-segments", is_flag=True, help="Also remove . and .. from rootless paths.")
@option("--keep-ipv6", is_flag=True, help="Keep the spelling of IPv6 addresses.")
@option("--scheme", is_flag=True, help="Apply scheme-based rules too (RFC 3986, 6.2.3).")
@option("--changes", is_flag=True, help="Print the changes as JSON, not the result.")
@takes_inputs(edits=True)
def normalize_command(
    inputs: Inputs, scheme: bool, changes: bool, all_dot_segments: bool, **keep: bool
) -> None:
    """Normalize URIs (RFC 3986, 6.2.2).

    Print each URI with its scheme and host in lower case, percent-encoded unreserved
    characters decoded, dot segments removed and IPv6 addresses written as in RFC 5952.

    Paths such as text/plain,a/../b in data: URIs keep their dot segments, because they may
    be data; --all-dot-segments removes them as well.
    """
    # `normalize` without options is faster than with all of them.
    steps: dict[str, Any] = {
        option.removeprefix("keep_"): False for option, is_set in keep.items() if is_set
    }
    if all_dot_segments:
        if "dot_segments" in steps:
            raise MisuseError("--keep-dot-segments contradicts --all-dot-segments; use one of them")
        steps["dot_segments"] = "all"
    if scheme:
        steps["scheme"] = True
    if changes:
        inputs.as_json = True
        inputs.write_results(
            lambda uri: [change._asdict() for change in parse(uri).normalization_changes(**steps)]
        )
    inputs.write_results(lambda uri: str(parse(uri).normalize(**steps)))


@command("resolve")
@argument("base")
@option("--non-strict", is_flag=True, help="Ignore the scheme of a reference if BASE has the same.")
@takes_inputs("REFERENCE", edits=True)
def resolve_command(inputs: Inputs, base: str, non_strict: bool) -> None:
    """Resolve URI references against a base URI (RFC 3986, 5).

    Print the target of each REFERENCE. BASE must have a scheme.
    """
    warn_about_files((base,))
    base_uri = parse_argument("BASE", lambda: Resolver(base)).base
    resolve = Resolver(base_uri, strict=not non_strict)
    inputs.write_results(lambda reference: str(resolve(reference)))


@command("relativize")
@argument("base")
@option("--no-walk-up", is_flag=True, help="Reject URIs outside the directory of BASE.")
@takes_inputs(edits=True)
def relativize_command(inputs: Inputs, base: str, no_walk_up: bool) -> None:
    """Make URIs relative to a base URI.

    For each URI, print the shortest reference that resolves to it against BASE.
    """
    warn_about_files((base,))
    base_uri = parse_argument("BASE", lambda: Resolver(base)).base
    inputs.write_results(lambda uri: str(parse(uri).relative_to(base_uri, walk_up=not no_walk_up)))


@command("compare")
@argument("a")
@argument("b")
@option(
    "--level",
    type=LEVELS,
    default="syntax",
    show_default=True,
    help="Set the level: string, syntax, scheme.",
)
@option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def compare_command(a: str, b: str, level: Any, as_json: bool) -> None:
    """Test whether two URIs are equivalent (RFC 3986, 6.2).

    Print "equivalent" or "different". The exit status is 0 if the URIs are equivalent, 1 if
    they are different, and 2 if one of them is invalid.
    """
    warn_about_files((a, b))
    first, second = parse_argument("A", lambda: parse(a)), parse_argument("B", lambda: parse(b))
    is_equivalent = first.equivalent(second, level=level)
    if as_json:
        from json import dumps

        print(dumps({"a": a, "b": b, "level": level, "equivalent": is_equivalent}))
    else:
        print("equivalent" if is_equivalent else "different")
    sys.exit(0 if is_equivalent else 1)
