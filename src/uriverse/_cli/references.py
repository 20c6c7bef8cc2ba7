"""The commands `uriverse resolve` and `uriverse relativize`."""

from __future__ import annotations

from uriverse import Resolver, parse

from .declarations import argument, command, option
from .lines import Inputs, as_argument, takes_inputs, warn_of_files


@command("resolve")
@argument("base")
@option("--non-strict", is_flag=True, help="Ignore the scheme of a reference if BASE has the same.")
@takes_inputs("REFERENCE", edits=True)
def resolve_command(inputs: Inputs, base: str, non_strict: bool) -> None:
    """Resolve URI references against a base URI (RFC 3986, 5).

    Print the target of each REFERENCE. BASE must have a scheme.
    """
    warn_of_files((base,))
    start = as_argument("BASE", lambda: Resolver(base)).base

    resolve = Resolver(start, strict=not non_strict)
    inputs.answer(lambda reference: str(resolve(reference)))


@command("relativize")
@argument("base")
@option("--no-walk-up", is_flag=True, help="Reject URIs outside the directory of BASE.")
@takes_inputs(edits=True)
def relativize_command(inputs: Inputs, base: str, no_walk_up: bool) -> None:
    """Make URIs relative to a base URI.

    For each URI, print the shortest reference that resolves to it against BASE.
    """
    warn_of_files((base,))
    start = as_argument("BASE", lambda: Resolver(base)).base

    inputs.answer(lambda uri: str(parse(uri).relative_to(start, walk_up=not no_walk_up)))
