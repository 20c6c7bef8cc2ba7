"""Find the shortest relative reference from a base URI to a target URI.

This is the inverse of resolution. No RFC specifies an algorithm for it. This module tries every
form of reference (RFC 3986, 4.2 and 4.4), and keeps those that resolve to the target.
"""

from __future__ import annotations

from collections.abc import Iterator

from .components import Parts, compose, split
from .resolution import merge_paths, remove_dot_segments, resolve_parts


def find_shortest_reference(target: Parts, base: Parts, *, walk_up: bool) -> str | None:
    """Return the shortest reference from one URI with a scheme to another.

    Return `None` if `walk_up` is false and no reference stays in the directory of the base URI.
    """
    candidates = (compose(*parts) for parts in reference_candidates(target, base, walk_up=walk_up))
    references = [text for text in candidates if resolve_parts(base, split(text)) == target]
    return min(references, key=len, default=None)


def reference_candidates(target: Parts, base: Parts, *, walk_up: bool) -> Iterator[Parts]:
    """Yield references that might resolve to the target; those with fewer components come first."""
    yield Parts(None, None, "", None, target.fragment)
    yield Parts(None, None, "", target.query, target.fragment)
    for path in relative_paths(target, base, walk_up=walk_up):
        yield Parts(None, None, path, target.query, target.fragment)
    if not walk_up:
        return
    if target.path.startswith("/"):
        # Shield a path that would be parsed as an authority.
        path = f"/.{target.path}" if target.path.startswith("//") else target.path
        yield Parts(None, None, path, target.query, target.fragment)
    if target.authority is not None:
        yield target._replace(scheme=None)
    yield target


def relative_paths(target: Parts, base: Parts, *, walk_up: bool) -> Iterator[str]:
    """Yield the path from the directory of the base, unless it walks up although it must not."""
    base_directory = remove_dot_segments(merge_paths(base.authority, base.path, ""))
    base_segments = base_directory.split("/")[:-1]
    has_shield = target.authority is None and target.path.startswith("/.//")
    # Resolution inserts the shield itself.
    target_segments = target.path.removeprefix("/." if has_shield else "").split("/")
    shared_count = 0
    # The last segment of the target is not a directory, even if the base has one of the same name.
    for base_segment, target_segment in zip(base_segments, target_segments[:-1], strict=False):
        if base_segment != target_segment:
            break
        shared_count += 1
    up_count = len(base_segments) - shared_count
    if up_count and not walk_up:
        return
    steps_up = "../" * up_count
    path = steps_up + "/".join(target_segments[shared_count:])
    if path == steps_up:
        # The target is that directory; an empty path would be a reference to the base itself.
        yield path.removesuffix("/") or "."
    # Shield a path whose first segment is empty or would be parsed as a scheme.
    elif path.startswith("/") or ":" in path.partition("/")[0]:
        yield f"./{path}"
    else:
        yield path


def remove_scheme_and_authority(parts: Parts) -> Parts:
    """Return a relative reference, with a dot segment before the path if needed (RFC 3986, 4.2)."""
    path = parts.path
    if path.startswith("//"):
        path = f"/.{path}"
    elif ":" in path.partition("/")[0]:
        path = f"./{path}"
    return Parts(None, None, path, parts.query, parts.fragment)
