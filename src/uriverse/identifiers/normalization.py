"""The changes that normalization makes, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from uriverse._spec.components import AllParts, all_parts
from uriverse._spec.normalization import stages
from uriverse.redaction import mask_userinfo, without_passwords
from uriverse.schemes.normalization import registry_of, scheme_based
from uriverse.schemes.registry import Registry
from uriverse.typing import DotSegments


class Change(NamedTuple):
    """What one step of normalisation makes of one component.

    Attributes:
        step: `"percent_encoding"`, `"case"`, `"ipv6"`, `"dot_segments"` or `"scheme"`.
        component: the component's name.
        before: its text before the step, the steps in that order.
        after: its text after the step; `None` if the step has taken it away.
    """

    step: str
    component: str
    before: str
    after: str | None

    def __repr__(self) -> str:
        before, after = self.before, self.after
        if self.component == "userinfo":
            before, after = mask_userinfo(before), mask_userinfo(after or "")
        else:
            before = without_passwords(before)
            after = None if after is None else without_passwords(after)
        return f"Change({self.step!r}, {self.component!r}, {before!r}, {after!r})"


def changes(
    text: str, steps: Mapping[str, DotSegments], schemes: Registry | bool, *, iri: bool
) -> Iterator[Change]:
    """What `normalized` changes, step by step; and then the rules of its scheme, if wanted."""
    before = all_parts(text)
    for step, after in stages(before, steps, iri=iri):
        yield from differences(step, before, after)
        before = after
    if schemes is not False:
        yield from differences("scheme", before, scheme_based(before, registry_of(schemes)))


def differences(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    """What a step has changed."""
    for component, old, new in zip(AllParts._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)
