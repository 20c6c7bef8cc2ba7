# Reference resolution over bytes: `uriverse._spec.resolution`. The result is written to one buffer.

from libc.string cimport memcpy, memmove


cdef inline Py_ssize_t put(
    unsigned char* out, Py_ssize_t at, const unsigned char* p, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """Copy a span to offset `at` of the output; return the offset after it."""
    memcpy(out + at, p + start, end - start)
    return at + end - start


cdef Py_ssize_t remove_dot_segments(unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Remove the dot segments of a path in place (RFC 3986, 5.2.4); return the new length.

    No step makes the path longer, so the write index never overtakes the read index. A NUL is written
    after the path, so that the bytes after a slash can be read. The letters A to E are the RFC's
    steps.
    """
    cdef Py_ssize_t i = 0, w = 0
    p[n] = 0
    while p[i] == c".":  # A and D
        if p[i + 1] == c"/":
            i += 2
        elif p[i + 1] == c"." and p[i + 2] == c"/":
            i += 3
        elif i + 1 == n or (p[i + 1] == c"." and i + 2 == n):
            return 0
        else:
            break
    while i < n and p[i] != c"/":  # E, for a first segment without a slash
        p[w] = p[i]
        w += 1
        i += 1
    while i < n:
        # At this point the next character is a slash.
        if p[i + 1] == c"." and (p[i + 2] == c"/" or i + 2 == n):  # B
            i += 2
        elif p[i + 1] == c"." and p[i + 2] == c"." and (p[i + 3] == c"/" or i + 3 == n):  # C
            i += 3
            while w > 0:
                w -= 1
                if p[w] == c"/":
                    break
        else:  # E
            while True:
                p[w] = p[i]
                w += 1
                i += 1
                if i == n:
                    return w
                if p[i] == c"/":
                    break
            continue
        if i == n:  # the path ended in "/." or "/..", which leaves a slash
            p[w] = c"/"
            return w + 1
    return w


cdef inline Py_ssize_t shielded(
    unsigned char* out, Py_ssize_t start, Py_ssize_t w, bint authority
) noexcept nogil:
    """Insert `/.` before a path that would be parsed as an authority; return the end of the path."""
    if authority or w - start < 2 or out[start] != c"/" or out[start + 1] != c"/":
        return w
    memmove(out + start + 2, out + start, w - start)
    out[start + 1] = c"."  # the slash before the dot is there already
    return w + 2


cdef bint same_scheme(const unsigned char* p, Scan* a, const unsigned char* q, Scan* b) noexcept nogil:
    """Return whether two schemes are equal, ignoring case (RFC 3986, 3.1)."""
    cdef Py_ssize_t i
    if a.scheme_end != b.scheme_end:
        return False
    for i in range(a.scheme_end):
        # This bit is the difference between upper and lower case. Setting it in other characters of a
        # scheme, which are digits, "+", "-" and ".", changes nothing.
        if p[i] | 0x20 != q[i] | 0x20:
            return False
    return True


cdef Py_ssize_t resolve(
    const unsigned char* p,
    Scan* base,
    const unsigned char* q,
    Py_ssize_t n,
    Scan* reference,
    bint strict,
    unsigned char* out,
    Scan* target,
) noexcept nogil:
    """Resolve a reference (RFC 3986, 5.2.2): write the target and its bounds; return its length.

    `p` is the string of the base. `q` is the string of the reference, which has `n` bytes.
    """
    cdef Py_ssize_t w, start
    cdef bint own_scheme = reference.scheme_end >= 0 and (
        strict or not same_scheme(p, base, q, reference)
    )
    cdef bint own_authority = own_scheme or reference.authority >= 0
    # The bounds and the string that contain the authority of the target.
    cdef Scan* at = reference if own_authority else base
    cdef const unsigned char* text = q if own_authority else p

    if own_scheme:
        w = put(out, 0, q, 0, reference.scheme_end + 1)
    else:
        w = put(out, 0, p, 0, base.scheme_end + 1)
    target.scheme_end = w - 1

    target.authority = target.host = target.host_end = -1
    if at.authority >= 0:
        target.authority = w + 2
        target.host = target.authority + at.host - at.authority
        target.host_end = target.authority + at.host_end - at.authority
        w = put(out, w, text, at.authority - 2, at.path)

    target.path = start = w
    if not own_authority and reference.path == reference.path_end:
        w = put(out, w, p, base.path, base.path_end)
    else:
        if not own_authority and q[reference.path] != c"/":
            w = merge(out, w, p, base)
        w = put(out, w, q, reference.path, reference.path_end)
        w = start + remove_dot_segments(out + start, w - start)
    w = shielded(out, start, w, at.authority >= 0)
    target.path_end = w

    if reference.path_end < reference.query_end or own_authority or reference.path < reference.path_end:
        w = put(out, w, q, reference.path_end, reference.query_end)
    else:
        w = put(out, w, p, base.path_end, base.query_end)
    target.query_end = w
    return put(out, w, q, reference.query_end, n)


cdef Py_ssize_t merge(unsigned char* out, Py_ssize_t w, const unsigned char* p, Scan* base) noexcept nogil:
    """Write the part of the base path that precedes a relative path; return the end of that part.

    See RFC 3986, 5.2.3.
    """
    cdef Py_ssize_t end = base.path_end
    if base.authority >= 0 and base.path == base.path_end:
        out[w] = c"/"
        return w + 1
    while end > base.path and p[end - 1] != c"/":
        end -= 1
    return put(out, w, p, base.path, end)
