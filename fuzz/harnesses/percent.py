"""Decoding inverts encoding, and both engines encode and decode alike."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

from draws import Draws, decoded
from outcomes import ENGINES, outcome

from uriverse import percent
from uriverse._spec import percent as specification
from uriverse._spec.syntax import matches
from uriverse.typing import Component

COMPONENTS = get_args(Component)
ERRORS = specification.DECODE_ERRORS
MODULES = (specification, *(engine.module for engine in ENGINES if engine.name == "kernel"))


def agreed(function: str, *given: Any, **named: Any) -> Any:
    """Assert that a function of both engines has the same outcome, and return the outcome."""
    first, *others = (
        outcome(partial(getattr(module, function), *given, **named)) for module in MODULES
    )
    for other in others:
        assert first == other, f"the engines disagree: {first!r} != {other!r}"
    return first


def check(data: bytes) -> None:
    """Encode and decode the same octets, and decode a string that is perhaps invalid."""
    draws = Draws(data)
    component, iri = draws.choice(COMPONENTS), bool(draws.randrange(2))
    if draws.randrange(2):
        (text,) = draws.strings("ipath-abempty")
        octets = text.encode("utf-8", "surrogatepass")
    else:
        octets = draws.rest()
        text = decoded(octets)
    assert percent.decode_bytes(agreed("encode", octets, component)) == octets
    encoded = agreed("encode", text, component, iri=iri)
    if isinstance(encoded, str):
        assert percent.decode(encoded, "surrogateescape") == text
        if component not in {"path", "unreserved", "segment-nz-nc"}:
            assert matches(encoded, f"i{component}" if iri else component)
    for errors in ERRORS:
        agreed("decode", text, errors)
    agreed("decode_bytes", text)
    for function in ("decode_unreserved", "uppercase"):
        once = agreed(function, text)
        if isinstance(once, str):
            assert percent.decode_bytes(once) == percent.decode_bytes(text)
            # Decoding "%25%32e" gives "%252e", so only the second function is idempotent.
            assert function == "decode_unreserved" or percent.uppercase(once) == once
