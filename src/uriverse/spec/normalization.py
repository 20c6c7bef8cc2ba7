"""Normalisation: other texts for the same, made one ([RFC 3986, 6.2.2][1], [RFC 3987, 5.3.2][2]).

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
[2]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from uriverse.errors import MASK

from . import ipv6
from .components import AllParts, all_parts, composed
from .percent import with_characters_decoded, with_uppercase_triplets
from .percent import with_unreserved_decoded as decoded
from .resolution import remove_dot_segments, shielded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scheme import Registry

#: The components that may hold triplets.
ENCODED = ("userinfo", "host", "path", "query", "fragment")


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
            before, after = masked(before), masked(after or "")
        return f"Change({self.step!r}, {self.component!r}, {before!r}, {after!r})"


def normalized(text: str, steps: Mapping[str, bool], *, iri: bool) -> str:
    """An identifier's text, after the steps that are wanted; `iri` if it need not be ASCII."""
    result = all_parts(text)
    for _, parts in stages(result, steps, iri=iri):
        result = parts
    return composed(result)


def changes(
    text: str, steps: Mapping[str, bool], schemes: Registry | bool, *, iri: bool
) -> Iterator[Change]:
    """What `normalized` changes, step by step; and then the rules of its scheme, if wanted."""
    before = all_parts(text)
    for step, after in stages(before, steps, iri=iri):
        yield from differences(step, before, after)
        before = after
    if schemes is not False:
        from .scheme_based import registry_of, scheme_based

        yield from differences("scheme", before, scheme_based(before, registry_of(schemes)))


def differences(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    """What a step has changed."""
    for component, old, new in zip(AllParts._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)


def stages(
    parts: AllParts, steps: Mapping[str, bool], *, iri: bool
) -> Iterator[tuple[str, AllParts]]:
    """The parts after each step."""
    for step, change in (IRI_STEPS if iri else STEPS).items():
        if steps[step]:
            parts = change(parts)
            yield step, parts


def percent_encoding(parts: AllParts) -> AllParts:
    """What need not be encoded is decoded (6.2.2.2).

    In a relative reference, but for segments that are encoded dots: resolution (5.2.4) does
    not decode, so that they are no steps there, and would become some.
    """
    path = parts.path
    done = changed(parts, ENCODED, lambda _, text: decoded(text))
    if parts.scheme is None:
        return done._replace(path=by_segment(path, lambda s: s if is_dots(s) else decoded(s)))
    return done


def iri_percent_encoding(parts: AllParts) -> AllParts:
    """In an IRI that is all that RFC 3987, 3.2, decodes when it makes one of a URI (5.3.2.3)."""
    return changed(
        percent_encoding(parts),
        ENCODED,
        lambda component, text: with_characters_decoded(text, component, upper=False),
    )


def case(parts: AllParts) -> AllParts:
    """Scheme and host in lower case, the digits of triplets in upper case (6.2.2.1).

    Past ASCII case is left alone (RFC 3987, 5.3.2.1).
    """
    parts = changed(parts, ("scheme", "host"), lambda _, text: lower(text))
    return changed(parts, ENCODED, lambda _, text: with_uppercase_triplets(text))


def ipv6_form(parts: AllParts) -> AllParts:
    """An IPv6 address as RFC 5952 writes it."""
    host = parts.host or ""
    if not host.startswith("[") or host[1] in "vV":
        return parts
    return parts._replace(host=f"[{ipv6.canonical(host[1:-1])}]")


def dot_segments(parts: AllParts) -> AllParts:
    """A path without `.` and `..` (6.2.2.3); in a relative reference they have a meaning.

    Encoded ones are the same (6.2.2.2), whether or not all else that may be is decoded.

    A path that begins without a slash still does so afterwards, other than in 5.2.4, which
    is for paths that are merged: its segments are removed as if a slash stood before it.
    """
    if parts.scheme is None:
        return parts
    path = by_segment(parts.path, lambda s: decoded(s) if is_dots(s) else s)
    if parts.host is not None or path.startswith("/"):
        return parts._replace(path=shielded(parts.host, remove_dot_segments(path)))
    path = remove_dot_segments(f"/{path}").removeprefix("/")
    # Shielded where its first segment is empty: the slash would make it another path.
    return parts._replace(path=f"./{path}" if path.startswith("/") else path)


#: The steps by name, in the order in which they are done: what is decoded may be a
#: letter of the host, or a dot.
STEPS: dict[str, Callable[[AllParts], AllParts]] = {
    "percent_encoding": percent_encoding,
    "case": case,
    "ipv6": ipv6_form,
    "dot_segments": dot_segments,
}
IRI_STEPS = {**STEPS, "percent_encoding": iri_percent_encoding}


def changed(
    parts: AllParts, components: Collection[str], change: Callable[[str, str], str]
) -> AllParts:
    """The parts with a change made to some of them, where they are defined."""
    texts = {name: getattr(parts, name) for name in components}
    return parts._replace(
        **{name: change(name, text) for name, text in texts.items() if text is not None}
    )


def by_segment(path: str, change: Callable[[str], str]) -> str:
    return "/".join(map(change, path.split("/")))


def is_dots(segment: str) -> bool:
    """Whether a segment is `.` or `..`, encoded or not."""
    # Any triplet is three characters: a longer one is not looked at.
    return len(segment) <= len("%2E%2E") and decoded(segment) in {".", ".."}


def masked(userinfo: str) -> str:
    """The userinfo without its password."""
    name, colon, password = userinfo.partition(":")
    return name + colon + (MASK if password else "")


def lower(text: str) -> str:
    """A text with its ASCII letters in lower case, and no others: U+212A would become a k."""
    return text.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")
