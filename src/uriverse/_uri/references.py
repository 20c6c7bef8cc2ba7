"""List the changes of normalization, and compute comparison keys (RFC 3986, section 6)."""

from __future__ import annotations

from . import engine as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from uriverse._spec.components import AllParts
    from uriverse.schemes._registry import Registry
    from uriverse.typing import Change

    from .signatures import StepOptions


#: The levels of comparison (RFC 3986, 6.2), from the strictest to the most tolerant.
LEVELS = ("string", "syntax", "scheme")


def list_changes(
    text: str, *, iri: bool, scheme: bool | Registry = False, **steps: Unpack[StepOptions]
) -> Iterator[Change]:
    """Yield the changes that `normalize` makes with the same options, in the order of the steps."""
    from uriverse._spec.components import split_all_parts
    from uriverse._spec.normalization import Steps, apply_steps
    from uriverse.schemes._normalization import choose_registry, normalize_by_scheme

    registry = choose_registry(scheme)
    before = split_all_parts(text)
    for step, after in apply_steps(before, Steps(**steps), iri=iri):
        yield from compare_parts(step, before, after)
        before = after
    if registry is not None:
        yield from compare_parts("scheme", before, normalize_by_scheme(before, registry))


def compare_parts(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    from uriverse.typing import Change

    for component, old, new in zip(before._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)


def cut_fragment(value: _engine.Identifier) -> str:
    return _engine.as_text(value)[: value._bounds[6]]


def compute_comparison_key(value: _engine.Identifier, level: str | Registry) -> str:
    """Return a string that is the same for all URIs that are equivalent at a level."""
    if level == "string":
        return _engine.as_text(value)
    if level == "syntax":
        return str(value._to_uri().normalize())
    # `None` without the kernel, and for schemes whose rules only Python has.
    key = _engine.compute_scheme_key(value) if level == "scheme" else None
    if key is not None:
        return key
    from uriverse.schemes._normalization import choose_registry, make_equivalence_key
    from uriverse.schemes._registry import Registry

    rules = choose_registry(True) if level == "scheme" else level
    if not isinstance(rules, Registry):
        expected = f"level must be a Registry or one of {', '.join(LEVELS)}"
        from uriverse._errors import quote_argument

        message = f"{expected}, not {quote_argument(rules)}"
        raise ValueError(message) if isinstance(rules, str) else TypeError(message)
    return make_equivalence_key(str(value._to_uri().normalize(scheme=rules)), rules)
