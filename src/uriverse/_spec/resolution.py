"""Resolve references against a base URI ([RFC 3986, 5][2]).

IRI references are resolved by the same algorithm ([RFC 3987, 6.5][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-6.5
[2]: https://www.rfc-editor.org/rfc/rfc3986#section-5
"""

from __future__ import annotations

from .components import Parts


def resolve(base: Parts, reference: Parts, *, strict: bool = True) -> Parts:
    """Resolve a reference against a base URI, following the pseudocode of RFC 3986, 5.2.2.

    Args:
        base: the components of the base, which must have a scheme. Its fragment is ignored (RFC
            3986, 5.1).
        reference: the components of the reference.
        strict: if false, ignore the scheme of a reference if the base has the same scheme. So
            `http:g` is resolved like `g`, as it was before RFC 2396.
    """
    scheme = reference.scheme
    if not strict and scheme is not None and base.scheme is not None:
        # Schemes are case-insensitive (RFC 3986, 3.1).
        scheme = None if scheme.lower() == base.scheme.lower() else scheme
    if scheme is not None:
        authority = reference.authority
        path = remove_dot_segments(reference.path)
        query = reference.query
    else:
        if reference.authority is not None:
            authority = reference.authority
            path = remove_dot_segments(reference.path)
            query = reference.query
        else:
            if reference.path == "":
                path = base.path
                query = reference.query if reference.query is not None else base.query
            else:
                if reference.path.startswith("/"):
                    path = remove_dot_segments(reference.path)
                else:
                    path = remove_dot_segments(merge(base, reference.path))
                query = reference.query
            authority = base.authority
        scheme = base.scheme
    return Parts(scheme, authority, shielded(authority, path), query, reference.fragment)


def merge(base: Parts, path: str) -> str:
    """Replace the last segment of the base URI's path with a relative path (RFC 3986, 5.2.3)."""
    if base.authority is not None and base.path == "":
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def remove_dot_segments(path: str) -> str:
    """Remove the segments `.` and `..` from a path (RFC 3986, 5.2.4).

    The letters A to E in the comments name the steps of the RFC. Instead of cutting characters off
    the input buffer, the function moves the index `at`. This avoids copies, so the function takes
    linear time. The output buffer is a list of segments, each with the slash before it.

    >>> remove_dot_segments("/a/b/c/./../../g")
    '/a/g'
    """
    output: list[str] = []
    at = 0
    while at < len(path):
        if path.startswith(("../", "./"), at):  # A
            at = path.index("/", at) + 1
        elif path.startswith("/./", at):  # B
            at += len("/.")
        elif path.endswith("/.") and at == len(path) - len("/."):  # B
            output.append("/")
            at = len(path)
        elif path.startswith("/../", at):  # C
            at += len("/..")
            del output[-1:]
        elif path.endswith("/..") and at == len(path) - len("/.."):  # C
            del output[-1:]
            output.append("/")
            at = len(path)
        elif path[at : at + 3] in {".", ".."}:  # D
            at = len(path)
        else:  # E
            end = path.find("/", at + 1)
            end = len(path) if end < 0 else end
            output.append(path[at:end])
            at = end
    return "".join(output)


def shielded(authority: str | None, path: str) -> str:
    """Insert a dot segment before a path that would otherwise be parsed as an authority.

    Without an authority, RFC 3986, 5.2.2, can produce a path that begins with "//": for example,
    from the base `foo:/a/b` and the reference `..//c`. The composed string (RFC 3986, 5.3) would be
    `foo://c`, in which `c` is the host. RFC 3986, 3.3, forbids such a path. With a dot segment, the
    path is equivalent and allowed: `foo:/.//c`.
    """
    return f"/.{path}" if authority is None and path.startswith("//") else path


def combine(first: Parts, second: Parts) -> Parts:
    """Combine two references into one that resolves like the first and then the second.

    For every base URI, resolving the result gives the same target as resolving `first` against the
    base, and then `second` against that target. The cases are those of RFC 3986, 5.2.2.
    """
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
        path = directory(first.path) + second.path
    else:
        target = first._replace(path=remove_dot_segments(first.path))
        path = shielded(first.authority, remove_dot_segments(merge(target, second.path)))
    return Parts(first.scheme, first.authority, path, second.query, second.fragment)


def directory(path: str) -> str:
    """Return a relative path up to its last slash, with a slash after a final dot segment.

    >>> directory("a/b"), directory("a/.."), directory("b")
    ('a/', 'a/../', '')
    """
    before, slash, last = path.rpartition("/")
    return f"{path}/" if last in {".", ".."} else before + slash
