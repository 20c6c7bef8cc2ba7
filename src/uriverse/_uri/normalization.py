"""List the changes that normalization makes, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict, Unpack

from uriverse._spec.components import AllParts, all_parts
from uriverse._spec.normalization import Steps, stages
from uriverse.schemes._normalization import registry_of, scheme_based
from uriverse.schemes._registry import Registry
from uriverse.typing import Change, DotSegments


class StepOptions(TypedDict, total=False):
    """The options of `URI.normalize` that control the steps of syntax-based normalization."""

    case: bool
    percent_encoding: bool
    dot_segments: DotSegments
    ipv6: bool


class NormalizeOptions(StepOptions, total=False):
    """The keyword arguments of `URI.normalize`, which some other methods accept as well."""

    scheme: bool | Registry


def changes(
    text: str,
    *,
    iri: bool,
    scheme: bool | Registry = False,
    **steps: Unpack[StepOptions],
) -> Iterator[Change]:
    """Yield the changes that `normalize` makes with the same options, in the order of the steps."""
    registry = registry_of(scheme)
    before = all_parts(text)
    for step, after in stages(before, Steps(**steps), iri=iri):
        yield from differences(step, before, after)
        before = after
    if registry is not None:
        yield from differences("scheme", before, scheme_based(before, registry))


def differences(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    """Yield a `Change` for each component that a step has changed."""
    for component, old, new in zip(AllParts._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)
