"""List the changes that normalization makes, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypedDict, Unpack

from uriverse._spec.components import AllParts, all_parts
from uriverse._spec.normalization import Steps, stages
from uriverse.redaction import redacted_component
from uriverse.schemes.normalization import registry_of, scheme_based, with_scheme_rules
from uriverse.schemes.registry import Registry
from uriverse.typing import DotSegments


class Change(NamedTuple):
    """A change that one step of normalization makes to one component of a URI.

    Attributes:
        step: the option of `normalize` that turns the step on: `"percent_encoding"`, `"case"`,
            `"ipv6"`, `"dot_segments"` or `"scheme"`. The steps are applied in this order.
        component: the name of the component, such as `"path"`.
        before: the component before the step.
        after: the component after the step; `None` if the step removes it, `""` if it is empty.

    >>> URI("HTTP://a/").normalization_changes()
    (Change('case', 'scheme', 'HTTP', 'http'),)
    """

    step: str
    component: str
    before: str
    after: str | None

    def __repr__(self) -> str:
        before, after = self.before, self.after
        before = redacted_component(self.component, before)
        after = None if after is None else redacted_component(self.component, after)
        return f"Change({self.step!r}, {self.component!r}, {before!r}, {after!r})"


class StepOptions(TypedDict, total=False):
    """The options of `URI.normalize` that control the steps of syntax-based normalization."""

    case: bool
    percent_encoding: bool
    dot_segments: DotSegments
    ipv6: bool


class NormalizeOptions(StepOptions, total=False):
    """The keyword arguments of `URI.normalize`, which some other methods accept as well."""

    scheme: bool
    schemes: Registry | None


def changes(
    text: str,
    *,
    iri: bool,
    scheme: bool = False,
    schemes: Registry | None = None,
    **steps: Unpack[StepOptions],
) -> Iterator[Change]:
    """Yield the changes that `normalize` makes with the same options, in the order of the steps."""
    registry = checked_registry(scheme, schemes)
    before = all_parts(text)
    for step, after in stages(before, Steps(**steps), iri=iri):
        yield from differences(step, before, after)
        before = after
    if scheme:
        yield from differences("scheme", before, scheme_based(before, registry))


def apply_scheme_rules(text: str, scheme: bool, schemes: Registry | None) -> str:
    """Normalize a URI by the rules of its scheme, but only if the option `scheme` is set.

    The URI must already be in normal form under syntax-based normalization.
    """
    registry = checked_registry(scheme, schemes)
    return with_scheme_rules(text, registry) if scheme else text


def checked_registry(scheme: object, schemes: Registry | None) -> Registry:
    """Check the types of the scheme options, and return the registry of schemes to use.

    Raises:
        TypeError: `scheme` is not a `bool`, or `schemes` is not a `Registry`.
    """
    if not isinstance(scheme, bool):
        advice = ": pass it as schemes" if isinstance(scheme, Registry) else ""
        raise TypeError(f"scheme must be a bool, not {type(scheme).__name__}{advice}")
    return registry_of(schemes)


def differences(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    """Yield a `Change` for each component that a step has changed."""
    for component, old, new in zip(AllParts._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)
