"""Both engines parse every string alike, lose nothing, and report errors within the string."""

from __future__ import annotations

import pickle

from draws import Draws
from engines import ASKED
from outcomes import agreed

from uriverse import IRI, URI, IRIReference, URIReference, compose, is_iri_reference, parse, split

TYPES = {kind._rule: kind for kind in (IRIReference, IRI, URIReference, URI)}
NAMES = ("scheme", "authority", "userinfo", "host", "port_text", "path", "query", "fragment")


def check(data: bytes) -> None:
    """Check the laws of parsing for one string."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI", "URI-reference", "IRI-reference")))
    for rule in TYPES:
        agreed(lambda engine, rule=rule: engine.types[rule](text))  # type: ignore[misc]
    agreed(lambda engine: engine.parse(text))
    if is_iri_reference(text):
        for name in (*NAMES, "host_kind", "port", "username", "password", "hostname", "origin"):
            agreed(lambda engine, name=name: getattr(engine.parse(text), name))  # type: ignore[misc]
    accepted = agreed(lambda engine: engine.accepts(text))
    for rule, kind in TYPES.items():
        value = kind.try_parse(text)
        for function, asked in zip(ASKED, accepted, strict=True):
            if ASKED[function] == rule:
                assert asked is (value is not None)
        if value is not None:
            check_components(value, text)
    assert compose(*split(text)) == text
    if parsed := IRIReference.try_parse(text):
        narrowest = parse(text)
        assert narrowest == parsed
        assert isinstance(narrowest, URIReference) is text.isascii()
        assert isinstance(narrowest, IRI) is (parsed.scheme is not None)


def check_components(value: IRIReference, text: str) -> None:
    """Check that the components are those of Appendix B, and form the string again."""
    assert str(value) == text
    assert (value.scheme, value.authority, value.path, value.query, value.fragment) == split(text)
    built = type(value).build(
        **{
            name: getattr(value, "port_text" if name == "port" else name)
            for name in ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
        }
    )
    assert built == value
    copied = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own pickle
    assert (copied, hash(copied), copied._bounds) == (value, hash(value), value._bounds)
