"""Resolution the other way round: the reference that leads from a base to a target.

No RFC has an algorithm for it. Here every form that a reference can take is tried (RFC
3986, 4.2 and 4.4), and what does not resolve to the target is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from .components import Parts, compose, split
from .resolution import merge, remove_dot_segments, resolve


def relative(target: Parts, base: Parts, *, climb: bool) -> str | None:
    """The shortest reference that resolves to a target; `None` if there is none.

    Args:
        target: the components of the target, which is to have a scheme.
        base: the components of the base, which is to have a scheme.
        climb: whether it may lead out of the base's directory.
    """
    forms = map(compose_parts, candidates(target, base, climb=climb))
    right = [form for form in forms if resolve(base, split(form)) == target]
    return min(right, key=len, default=None)


def compose_parts(parts: Parts) -> str:
    return compose(*parts)


def candidates(target: Parts, base: Parts, *, climb: bool) -> Iterator[Parts]:
    """References that may resolve to a target, those of fewer components first."""
    yield Parts(None, None, "", None, target.fragment)
    yield Parts(None, None, "", target.query, target.fragment)
    for path in relative_paths(target, base, climb=climb):
        yield Parts(None, None, path, target.query, target.fragment)
    if climb and target.path.startswith("/"):
        # Shielded where it begins with "//", which would be read as an authority.
        path = f"/.{target.path}" if target.path.startswith("//") else target.path
        yield Parts(None, None, path, target.query, target.fragment)
    if climb and target.authority is not None:
        yield target._replace(scheme=None)
    if climb:
        yield target


def relative_paths(target: Parts, base: Parts, *, climb: bool) -> Iterator[str]:
    """Paths that lead from the base's directory to the target's path."""
    directory = remove_dot_segments(merge(base, "")).split("/")[:-1]
    shielded = target.authority is None and target.path.startswith("/.//")
    # Resolution puts the shield there itself.
    segments = target.path.removeprefix("/." if shielded else "").split("/")
    shared = 0
    # The last segment of the target is no directory, even where its name is that of one.
    for ours, theirs in zip(directory, segments[:-1], strict=False):
        if ours != theirs:
            break
        shared += 1
    up = len(directory) - shared
    if up and not climb:
        return
    path = "../" * up + "/".join(segments[shared:])
    if path == "../" * up:
        yield path.removesuffix("/") or "."
    # Shielded where its first segment is empty, or would be read as a scheme.
    elif path.startswith("/") or ":" in path.partition("/")[0]:
        yield f"./{path}"
    else:
        yield path
