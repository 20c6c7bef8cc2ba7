"""The command `uriverse normalize`."""

from __future__ import annotations

from uriverse import parse

from .declarations import command, option
from .lines import Inputs, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command("normalize")
@option("--keep-case", is_flag=True, help="Do not change the case of letters.")
@option(
    "--keep-percent-encoding",
    is_flag=True,
    help="Keep percent-encoding, except %2E for a dot.",
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
        inputs.answer(lambda uri: changes_of(uri, steps))
    inputs.answer(lambda uri: str(parse(uri).normalize(**steps)))


def changes_of(uri: str, steps: dict[str, Any]) -> list[dict[str, str | None]]:
    """Return the changes that normalization makes to a URI, as a list of dictionaries for JSON."""
    return [change._asdict() for change in parse(uri).normalization_changes(**steps)]
