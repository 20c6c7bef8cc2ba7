"""Resolve references against a base URI ([RFC 3986, 5][2]).

IRI references are resolved by the same algorithm ([RFC 3987, 6.5][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-6.5
[2]: https://www.rfc-editor.org/rfc/rfc3986#section-5
"""

from __future__ import annotations

from itertools import dropwhile

from .components import FiveParts, Parts

#: The segments that reference resolution removes (RFC 3986, 3.3).
DOT_SEGMENTS = (".", "..")


def resolve_parts(base: FiveParts, reference: FiveParts, *, strict: bool = True) -> FiveParts:
    """RFC 3986, 5.2.2. If not `strict`, `http:g` is resolved like `g`, as before RFC 2396."""
    base_scheme, base_authority, base_path, base_query, _ = base
    scheme, authority, path, query, fragment = reference
    if not strict and scheme is not None and base_scheme is not None:
        # Schemes are case-insensitive (RFC 3986, 3.1).
        scheme = None if scheme.lower() == base_scheme.lower() else scheme
    if scheme is not None:
        path = remove_dot_segments(path)
    else:
        if authority is not None:
            path = remove_dot_segments(path)
        else:
            if path == "":
                path = base_path
                query = query if query is not None else base_query
            elif path.startswith("/"):
                path = remove_dot_segments(path)
            else:
                path = remove_dot_segments(merge_paths(base_authority, base_path, path))
            authority = base_authority
        scheme = base_scheme
    return scheme, authority, shield_double_slash(authority, path), query, fragment


def merge_paths(base_authority: str | None, base_path: str, path: str) -> str:
    """RFC 3986, 5.2.3."""
    if base_authority is not None and base_path == "":
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def remove_dot_segments(path: str) -> str:
    """Remove the segments `.` and `..` from a path (RFC 3986, 5.2.4).

    The letters A to E in the comments name the steps of the RFC. The RFC moves one segment at a
    time, with the slash before it, from an input buffer to an output buffer. Here, the buffers are
    lists of segments, which takes linear time. The slashes are those between the segments.

    >>> remove_dot_segments("/a/b/c/./../../g")
    '/a/g'
    """
    if "/." not in path and not path.startswith("."):
        return path  # only E applies
    segments = path.split("/")
    if segments[0] in DOT_SEGMENTS:  # A and D
        segments = list(dropwhile(DOT_SEGMENTS.__contains__, segments))
    if not segments:
        return ""
    output: list[str] = []
    for segment in segments:
        if segment == "..":  # C
            if len(output) > 1:
                output.pop()
            else:
                output[0] = ""  # the next segment keeps the slash before it
        elif segment != ".":  # E; otherwise B
            output.append(segment)
    if segments[-1] in DOT_SEGMENTS:  # B and C replace a final dot segment with a slash
        output.append("")
    return "/".join(output)


def shield_double_slash(authority: str | None, path: str) -> str:
    """Insert a dot segment before a path that would otherwise be parsed as an authority.

    RFC 3986, 3.3, forbids such a path, but 5.2.2 can produce it: the base `foo:/a/b` and the
    reference `..//c` would give `foo://c`. The path of `foo:/.//c` is equivalent and allowed.
    """
    return f"/.{path}" if authority is None and path.startswith("//") else path


def combine_references(first: Parts, second: Parts) -> Parts:
    """Return a reference that resolves like the first and then the second (RFC 3986, 5.2.2)."""
    if second.scheme is not None:
        return second
    if second.authority is not None:
        return second._replace(scheme=first.scheme)
    if second.path == "":
        query = second.query if second.query is not None else first.query
        return first._replace(query=query, fragment=second.fragment)
    if second.path.startswith("/"):
        path = second.path
    elif first.scheme is None and first.authority is None and not first.path.startswith("/"):
        # Only the base determines which segments ".." removes, so all dot segments stay.
        path = extract_directory(first.path) + second.path
    else:
        before = remove_dot_segments(first.path)
        path = remove_dot_segments(merge_paths(first.authority, before, second.path))
        path = shield_double_slash(first.authority, path)
    return Parts(first.scheme, first.authority, path, second.query, second.fragment)


def extract_directory(path: str) -> str:
    """Return a relative path up to its last slash, with a slash after a final dot segment.

    >>> extract_directory("a/b"), extract_directory("a/.."), extract_directory("b")
    ('a/', 'a/../', '')
    """
    before, slash, last = path.rpartition("/")
    return f"{path}/" if last in DOT_SEGMENTS else before + slash
