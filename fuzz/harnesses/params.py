"""Query parameters: both engines agree, edits change only what they name, building reads back."""

from __future__ import annotations

from functools import partial
from typing import Any

from draws import Draws, decoded
from outcomes import ENGINES, outcome
from walker import sample

from uriverse import Params
from uriverse._uri import pairs as specification

CLASSES: tuple[Any, ...] = (
    specification.Pairs,
    *(engine.module.Pairs for engine in ENGINES if engine.name == "kernel"),
)


def plain(found: Any) -> Any:
    """Return the query and the settings of pairs; return other results unchanged."""
    return (found.query, found.codec, found.separator) if hasattr(found, "query") else found


def agreed(query: str, settings: dict[str, Any], method: str, *given: Any) -> Any:
    """Assert that a method has the same outcome in both engines, and return the outcome."""

    def call(kind: Any) -> Any:
        return plain(getattr(kind(query, **settings), method)(*given))

    first, *others = (outcome(partial(call, kind)) for kind in CLASSES)
    for other in others:
        assert first == other, f"the engines disagree: {first!r} != {other!r}"
    return first


def check(data: bytes) -> None:
    """Read and edit one query in every way, and build a query from its pairs."""
    draws = Draws(data)
    query, name, value = draws.strings("iquery", "iquery", "iquery")
    settings: Any = {
        "codec": draws.choice(("form", "rfc3986")),
        "separator": draws.choice(("&", ";")),
    }
    names = [name, *(name for name, _ in pairs_of(query, settings))]
    name = draws.choice(names)
    values: Any = draws.choice((value, None, [value, None, "x&="], [], draws.randrange(1 << 16)))
    agreed(query, settings, "_decode_pairs")
    for method in ("getall", "get"):
        agreed(query, settings, method, name, "missing")
    for method in ("with_param", "add_param"):
        agreed(query, settings, method, name, values)
    # The kernel compares with a few names one by one, and looks up many names in a set.
    for more in ((), tuple("0123456789")):
        agreed(query, settings, "_remove", (name, value, *more))
    agreed(query, settings, "_build", [(name, values), (value, name), (name, values)])
    agreed(query, settings, "_build", [(sample("iquery", draws), decoded(draws.rest()))])
    check_laws(query, name, value, settings)


def pairs_of(query: str, settings: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the pairs of a query; an empty list if the query is invalid."""
    found = outcome(lambda: Params(query, **settings))
    return list(found.items()) if isinstance(found, Params) else []


def check_laws(query: str, name: str, value: str, settings: dict[str, Any]) -> None:
    """Check the edits of `Params` against a list of pairs."""
    params = outcome(lambda: Params(query, **settings))
    if not isinstance(params, Params):
        return
    assert params.query == query
    pairs = list(params.items())
    others = [pair for pair in pairs if pair[0] != name]
    built = outcome(lambda: Params.build(pairs, **settings))
    if isinstance(built, Params):
        assert list(built.items()) == pairs
    for changed, expected in (
        (outcome(lambda: params.with_param(name, value)), [value]),
        (outcome(lambda: params.add_param(name, value)), [*params.getall(name, []), value]),
        (outcome(lambda: params.without(name)), []),
    ):
        if isinstance(changed, Params):
            assert list(changed.getall(name, [])) == expected
            assert [pair for pair in changed.items() if pair[0] != name] == others
            assert list(Params(changed.query, **settings).items()) == list(changed.items())
