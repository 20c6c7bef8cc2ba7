"""The command `uriverse repair`."""

from __future__ import annotations

from uriverse import Repaired, repair

from .declarations import command, option
from .getting import add_scheme_option, choose_scheme
from .lines import Inputs, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@command("repair")
@option("--iri", is_flag=True, help="Keep the non-ASCII characters that IRIs may contain.")
@add_scheme_option
@option("--slashes", is_flag=True, help="Correct slashes, as in http:/example.org.")
@option("--changes", is_flag=True, help="Print the changes as JSON, not the result.")
@takes_inputs("STRING", edits=True)
def repair_command(
    inputs: Inputs, iri: bool, add_scheme: str | None, slashes: bool, changes: bool
) -> None:
    """Turn malformed strings into valid URIs.

    Print each STRING as browsers read it: spaces at the ends are removed, and characters that
    a URI must not contain are percent-encoded. A valid URI is printed unchanged. A malformed
    string is an error if different programs would find different hosts in it.
    """

    def repaired(text: str) -> Repaired:
        return repair(text, iri=iri, scheme=choose_scheme(text, add_scheme), slashes=slashes)

    try:
        repaired("")
    except ValueError as error:
        raise MisuseError(str(error)) from None
    if changes:
        inputs.as_json = True
        inputs.answer(lambda text: changes_of(repaired(text)))
    inputs.answer(lambda text: str(repaired(text)))


def changes_of(repaired: Repaired) -> list[dict[str, Any]]:
    """Return the changes of a repair as a list of dictionaries for JSON."""
    from dataclasses import asdict

    return [asdict(change) for change in repaired.changes]
