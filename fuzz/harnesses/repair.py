"""A repair is valid, idempotent and reported, and keeps valid input and the host.

The kernel makes the same repairs as the Python functions.
"""

from __future__ import annotations

from typing import Any

from draws import Draws
from outcomes import outcome
from walker import SPLICES

from uriverse import (
    Repaired,
    URIReference,
    is_iri_reference,
    is_uri_reference,
    parse,
    repair,
    split,
)
from uriverse.diagnosis._repairing import repair_text

TRIMMED = "".join(map(chr, range(0x21)))


def check(data: bytes) -> None:
    """Repair one string with random options."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI-reference", "IRI")))
    for _ in range(draws.randrange(4)):
        at = draws.randint(0, len(text))
        text = text[:at] + draws.choice(("\\", " ", "\t", "|", "\u3002", *SPLICES)) + text[at:]
    options: dict[str, Any] = {"iri": bool(draws.randrange(2)), "slashes": not draws.randrange(4)}
    if not draws.randrange(4):
        options["scheme"] = draws.choice(("https", "ftp", "foo"))
    check_without_options(text, iri=options["iri"])
    result = outcome(lambda: repair(text, **options))
    if isinstance(result, Repaired):
        assert (is_iri_reference if options["iri"] else is_uri_reference)(str(result))
        assert repair(result.uri, **options) == Repaired(result.uri, ())
        assert applied(result, text) == str(result)


def applied(result: Repaired, text: str) -> str:
    """Apply the changes of a repair to its input."""
    pieces, done = [], 0
    for change in result.changes:
        assert done <= change.start <= change.end <= len(text)
        assert text[change.start : change.end] == change.before != change.after
        pieces += [text[done : change.start], change.after]
        done = change.end
    return "".join(pieces) + text[done:]


def check_without_options(text: str, *, iri: bool) -> None:
    """Check that a repair without options keeps valid strings, schemes and ASCII hosts."""
    result = outcome(lambda: repair(text, iri=iri))
    assert result == outcome(lambda: repair_text(text, iri=iri, scheme=None, slashes=False))
    if (is_iri_reference if iri else is_uri_reference)(text):
        assert result == Repaired(parse(text) if iri else URIReference(text), ())
    if not isinstance(result, Repaired):
        return
    before = split(text.strip(TRIMMED))
    assert result.uri.scheme == before.scheme
    assert (result.uri.authority is None) == (before.authority is None)
    if before.authority is not None and before.authority.isascii():
        host = before.authority.rpartition("@")[2]
        assert str(result.uri.authority).rpartition("@")[2] == host
