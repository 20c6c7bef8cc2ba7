"""The commands that encode and decode: encode, decode, to-uri, to-iri."""

from __future__ import annotations

from typing import Any, get_args

import click

from uriverse import parse, percent
from uriverse.typing import Component, DecodeErrors

from .lines import Texts, on_texts


@click.command("encode")
@click.option(
    "--component",
    type=click.Choice(get_args(Component)),
    default="unreserved",
    show_default=True,
    metavar="RULE",
    help=f"The rule that the result is to meet: {', '.join(get_args(Component))}.",
)
@click.option(
    "--iri", is_flag=True, help="Leave characters past ASCII, where an IRI may hold them."
)
@on_texts
def encode_command(texts: Texts, component: Any, iri: bool) -> None:
    """Percent-encode each TEXT.

    It is data, and is encoded for a component.

    \b
    uriverse encode --component segment "50% of a/b"
    uriverse encode --component query --iri < data.txt
    """
    # Octets that are not UTF-8 are surrogate escapes in the text, and are data as well.
    texts.answer(lambda text: percent.encode(text, component, iri=iri))


@click.command("decode")
@click.option(
    "--errors",
    # The output is text, so it cannot have surrogate escapes.
    type=click.Choice([name for name in get_args(DecodeErrors) if name != "surrogateescape"]),
    default="strict",
    show_default=True,
    help="How to decode octets that are not UTF-8.",
)
@on_texts
def decode_command(texts: Texts, errors: Any) -> None:
    """Decode the percent-encoding of each TEXT.

    Once. What is decoded may hold line feeds: to tell it apart take --json.

    \b
    uriverse decode "caf%C3%A9%2F%2525"
    uriverse decode --errors keep --json < queries.txt
    """
    texts.answer(lambda text: percent.decode(text, errors))


@click.command("to-uri")
@click.option(
    "--host",
    type=click.Choice(["percent", "idna"]),
    default="percent",
    show_default=True,
    help="How a host past ASCII is written.",
)
@on_texts
def to_uri_command(texts: Texts, host: Any) -> None:
    """Print the URI that each IRI maps to.

    By RFC 3987, 3.1.

    \b
    uriverse to-uri "http://bücher.example/rosé"
    uriverse to-uri --host idna < iris.txt
    """
    texts.answer(lambda text: str(parse(text).to_uri(host=host)))


@click.command("to-iri")
@on_texts
def to_iri_command(texts: Texts) -> None:
    """Print the IRI that each URI maps to.

    By RFC 3987, 3.2.

    \b
    uriverse to-iri "http://example.org/ros%C3%A9"
    uriverse to-iri < urls.txt
    """
    texts.answer(lambda text: str(parse(text).to_iri()))
