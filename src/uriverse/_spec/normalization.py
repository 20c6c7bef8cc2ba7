"""Normalisation: other texts for the same, made one ([RFC 3986, 6.2.2][1], [RFC 3987, 5.3.2][2]).

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
[2]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Literal, NamedTuple, TypeAlias

from . import ipv6
from .components import AllParts, all_parts, composed
from .percent import with_characters_decoded, with_uppercase_triplets
from .percent import with_unreserved_decoded as decoded
from .resolution import remove_dot_segments, shielded

#: The URIs whose paths lose their dot segments: those with a path that starts with `/`
#: (`True`), all (`"all"`), or none (`False`).
DotSegments: TypeAlias = bool | Literal["all"]

#: The components that may hold triplets.
ENCODED = ("userinfo", "host", "path", "query", "fragment")


class Steps(NamedTuple):
    """The enabled steps of syntax-based normalization, in the order in which they are applied.

    What the first step decodes may be a letter of the host, or a dot.
    """

    percent_encoding: bool = True
    case: bool = True
    ipv6: bool = True
    dot_segments: DotSegments = True


def normalized(text: str, steps: Steps, *, iri: bool) -> str:
    """Apply the enabled steps to an identifier; `iri` allows characters that are not ASCII."""
    result = all_parts(text)
    for _, parts in stages(result, steps, iri=iri):
        result = parts
    return composed(result)


def stages(parts: AllParts, steps: Steps, *, iri: bool) -> Iterator[tuple[str, AllParts]]:
    """Yield the name of each enabled step, and the parts after it."""
    check_dot_segments(steps.dot_segments)
    functions: dict[str, Callable[[AllParts], AllParts]] = {
        "percent_encoding": iri_percent_encoding if iri else percent_encoding,
        "case": case,
        "ipv6": ipv6_form,
        "dot_segments": all_dot_segments if steps.dot_segments == "all" else dot_segments,
    }
    for step, enabled in steps._asdict().items():
        if enabled:
            parts = functions[step](parts)
            yield step, parts


def check_dot_segments(setting: object) -> None:
    """Check that a value is a `DotSegments`, that is, `True`, `False` or `"all"`.

    Raises:
        TypeError: it is neither a `bool` nor a `str`.
        ValueError: it is a `str` other than `"all"`.
    """
    if isinstance(setting, str):
        if setting != "all":
            raise ValueError(f"dot_segments is True, False or 'all', not {setting!r}")
    elif not isinstance(setting, bool):
        raise TypeError(f"dot_segments is a bool or 'all', not {type(setting).__name__}")


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
    """Remove dot segments from the path of a URI if the path starts with `/` (6.2.2.3).

    Rootless paths keep them, which departs from the "should" of that section: in
    `data:text/plain,a/../b` they are data, and comparison must avoid false positives (6.1).
    """
    return all_dot_segments(parts) if parts.path.startswith("/") else parts


def all_dot_segments(parts: AllParts) -> AllParts:
    """Remove dot segments from the path of any URI, as in RFC 3986, 5.2.4.

    Encoded ones are equivalent to them (6.2.2.2), even if nothing else is decoded. Relative
    references keep theirs: only resolution gives those a meaning.
    """
    if parts.scheme is None:
        return parts
    path = by_segment(parts.path, lambda s: decoded(s) if is_dots(s) else s)
    return parts._replace(path=shielded(parts.host, remove_dot_segments(path)))


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


def lower(text: str) -> str:
    """A text with its ASCII letters in lower case, and no others: U+212A would become a k."""
    return text.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")
