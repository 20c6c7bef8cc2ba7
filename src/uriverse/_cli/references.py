"""The commands `uriverse resolve` and `uriverse relativize`."""

from __future__ import annotations

from uriverse import Resolver, parse

from .declarations import argument, command, option
from .lines import Inputs, as_argument, takes_inputs, warn_of_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from uriverse import IRIReference


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

    def from_base(uri: IRIReference) -> Callable[[str], str]:
        resolve = Resolver(uri, strict=not non_strict)
        return lambda reference: str(resolve(reference))

    inputs.answer(from_base(start), relative=(start, from_base))


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

    def to_base(uri: str, start: IRIReference = start) -> str:
        return str(parse(uri).relative_to(start, walk_up=not no_walk_up))

    def to_base_on_site(start: IRIReference) -> Callable[[str], str]:
        """Return a function that keeps relative references and the URIs of other sites."""

        def edited(uri: str) -> str:
            value = parse(uri)
            same_site = (value.scheme, value.authority) == (start.scheme, start.authority)
            return to_base(uri, start) if same_site else uri

        return edited

    inputs.answer(to_base, relative=(start, to_base_on_site))
