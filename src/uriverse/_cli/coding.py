"""The commands `uriverse encode`, `decode`, `to-uri` and `to-iri`."""

from __future__ import annotations

from uriverse import parse, percent
from uriverse._spec.percent import COMPONENTS, DECODE_ERRORS

from .commands import command, option
from .lines import Inputs, takes_inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENCODE_HELP = f"""Percent-encode strings for use in a URI.

Each STRING is treated as data: "%" and all characters that the component does not allow are
percent-encoded.

COMPONENT  {", ".join(COMPONENTS[:4])},
           {", ".join(COMPONENTS[4:])}
"""


@command("encode", summary=ENCODE_HELP)
@option(
    "--component",
    type=COMPONENTS,
    default="unreserved",
    show_default=True,
    help="Encode for this component.",
)
@option("--iri", is_flag=True, help="Keep the non-ASCII characters that IRIs may contain.")
@takes_inputs("STRING", edits=True)
def encode_command(inputs: Inputs, component: Any, iri: bool) -> None:
    # Bytes that are not UTF-8 are surrogate escapes in the input string, and are encoded too.
    inputs.write_results(lambda string: percent.encode(string, component, iri=iri))


@command("decode")
@option(
    "--errors",
    # The output is text, so it cannot have surrogate escapes.
    type=tuple(name for name in DECODE_ERRORS if name != "surrogateescape"),
    default="strict",
    show_default=True,
    metavar="POLICY",
    help="Set the policy for invalid UTF-8.",
)
@takes_inputs("STRING", edits=True)
def decode_command(inputs: Inputs, errors: Any) -> None:
    """Decode percent-encoded strings.

    Each STRING is decoded once: %2525 becomes %25. A decoded string may contain line breaks;
    print JSON with --json to keep results apart.

    POLICY  strict (fail), replace (print U+FFFD) or keep (do not decode)
    """
    inputs.write_results(lambda string: percent.decode(string, errors))


HOST_FORM = option(
    "--host",
    type=("percent", "idna"),
    metavar="[percent|idna]",
    default="percent",
    show_default=True,
    help="Choose how to convert hosts.",
)


@command("to-uri")
@HOST_FORM
@takes_inputs("IRI", edits=True)
def to_uri_command(inputs: Inputs, host: Any) -> None:
    """Convert IRIs to URIs (RFC 3987, 3.1).

    Non-ASCII characters are percent-encoded as UTF-8. With --host idna, the labels of a host
    are converted to Punycode instead, as for a DNS lookup.
    """
    inputs.write_results(lambda string: str(parse(string).to_uri(host=host)))


@command("to-iri")
@HOST_FORM
@takes_inputs(edits=True)
def to_iri_command(inputs: Inputs, host: Any) -> None:
    """Convert URIs to IRIs (RFC 3987, 3.2).

    Percent-encoded characters are decoded if an IRI may contain them. With --host idna, the
    Punycode labels of a host are decoded too, if "to-uri --host idna" restores the host.
    """
    inputs.write_results(lambda string: str(parse(string).to_iri(host=host)))
