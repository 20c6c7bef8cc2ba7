"""After any sequence of edits, a value reparses, and only the edited components have changed."""

from __future__ import annotations

from typing import Any

from draws import Draws
from outcomes import outcome
from walker import mutate, sample, walk

from uriverse import IRI, URI, IRIReference, URIReference

TYPES = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}
#: Each component, and a rule for most of its new values.
RULES = {
    "scheme": "scheme",
    "userinfo": "iuserinfo",
    "host": "ihost",
    "port": "port",
    "path": "ipath-abempty",
    "query": "iquery",
    "fragment": "ifragment",
}
Parts = dict[str, Any]


def parts_of(value: IRIReference) -> Parts:
    """Return the components, parsed again from the string of a value."""
    again = type(value)(str(value))
    assert again._bounds == value._bounds
    found: Parts = {name: getattr(again, name) for name in RULES}
    assert {name: getattr(value, name) for name in RULES} == found
    return {**found, "port": again.port_text}


def check(data: bytes) -> None:
    """Edit one value several times, and compare its components with those of a dictionary."""
    draws = Draws(data)
    rule = draws.choice(tuple(TYPES))
    (text,) = draws.strings(rule)
    value = TYPES[rule].try_parse(text)
    if value is None:
        return
    for _ in range(1 + draws.randrange(5)):
        edit = draws.choice((with_component, replace, with_params, with_segments))
        value = edit(value, draws)


def new_part(name: str, draws: Draws) -> str | None:
    """Return a new value for a component: mostly valid, sometimes mutated, sometimes None."""
    kind = draws.randrange(8)
    if kind == 0 and name != "path":
        return None
    if kind == 1:
        return sample("IRI-reference", draws)
    text = walk(RULES[name], draws)
    return mutate(text, draws) if kind == 2 else text


def edited(value: IRIReference, changed: Any, expected: Parts) -> IRIReference:
    """Return the result of an edit, whose components must be the expected ones."""
    if isinstance(changed, tuple):
        return value  # An error.
    assert type(changed) is type(value)
    host = expected["host"]
    if host and ":" in host and not host.startswith("["):
        expected = {**expected, "host": f"[{host}]"}  # Edits put IPv6 addresses in brackets.
    assert parts_of(changed) == expected
    return changed


def apply(value: IRIReference, method: str, *given: Any, **named: Any) -> Any:
    """Return the result of a method, or the description of its error; the value stays the same."""
    before, bounds = str(value), value._bounds
    results: list[Any] = []

    def call() -> None:
        results.append(getattr(value, method)(*given, **named))

    error = outcome(call)
    assert (str(value), value._bounds) == (before, bounds)
    return results[0] if results else error


def with_component(value: IRIReference, draws: Draws) -> IRIReference:
    """Replace one component with its method; `replace` must give the same result."""
    name = draws.choice(tuple(RULES))
    new = new_part(name, draws)
    changed = apply(value, f"with_{name}", new)
    assert apply(value, "replace", **{name: new}) == changed
    return edited(value, changed, {**parts_of(value), name: new})


def replace(value: IRIReference, draws: Draws) -> IRIReference:
    """Replace several components at once."""
    names = draws.sample(tuple(RULES), 1 + draws.randrange(4))
    changes = {name: new_part(name, draws) for name in names}
    return edited(value, apply(value, "replace", **changes), {**parts_of(value), **changes})


def with_params(value: IRIReference, draws: Draws) -> IRIReference:
    """Edit the query parameters; only the query may change."""
    name, data = walk("iquery", draws), draws.choice((None, walk("iquery", draws), ["a", "b&="]))
    method = draws.choice(("with_param", "add_param", "without_params"))
    changed = apply(value, method, name, *([] if method == "without_params" else [data]))
    if isinstance(changed, tuple):
        return value
    if method == "with_param":
        expected = ["" if one is None else one for one in (data if type(data) is list else [data])]
        assert list(changed.params.getall(name)) == expected
    if method == "without_params":
        assert name not in changed.params
    return edited(value, changed, {**parts_of(value), "query": changed.query})


def with_segments(value: IRIReference, draws: Draws) -> IRIReference:
    """Replace the path segments with data; only the path may change."""
    segments = [walk("isegment", draws) for _ in range(draws.randrange(4))]
    changed = apply(value, "with_segments", ["", *segments])
    if isinstance(changed, tuple):
        return value
    assert list(changed.segments) == (["", ""] if segments in ([], [""]) else ["", *segments])
    return edited(value, changed, {**parts_of(value), "path": changed.path})
