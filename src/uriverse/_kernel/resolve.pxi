# Reference resolution over bytes: `uriverse._spec.resolution`. The result is written to one buffer.
# Other files call `find_slash_and_dot`, `remove_dot_segments`, `insert_shield`, `resolve` and `find_directory_end`.


cdef inline uint64_t mark_zero_bytes(uint64_t word) noexcept nogil:
    """Return 0 if no byte is 0; otherwise, the lowest bit that is set belongs to such a byte."""
    return (word - <uint64_t>0x0101010101010101) & ~word & <uint64_t>0x8080808080808080


cdef inline Py_ssize_t find_slash_and_dot(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the index of the next slash that is followed by a dot, from `i` on; `n` if not found."""
    cdef uint64_t here, after, slashes = 0x2F2F2F2F2F2F2F2F, dots = 0x2E2E2E2E2E2E2E2E
    cdef Py_ssize_t end
    while i + 9 <= n:
        memcpy(&here, text + i, 8)
        memcpy(&after, text + i + 1, 8)
        # The bytes must be compared one by one if a mask is not 0, because of its higher bits.
        if mark_zero_bytes(here ^ slashes) and mark_zero_bytes(after ^ dots):
            end = i + 8
            while i < end:
                if text[i] == c"/" and text[i + 1] == c".":
                    return i
                i += 1
        else:
            i += 8
    while i + 1 < n:
        if text[i] == c"/" and text[i + 1] == c".":
            return i
        i += 1
    return n


cdef Py_ssize_t remove_dot_segments(unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Shorten a path in place, and write a NUL after it (RFC 3986, 5.2.4, with its letters A to E)."""
    cdef Py_ssize_t i = 0, length = 0, next
    text[n] = 0
    while text[i] == c".":  # A and D
        if text[i + 1] == c"/":
            i += 2
        elif text[i + 1] == c"." and text[i + 2] == c"/":
            i += 3
        elif i + 1 == n or (text[i + 1] == c"." and i + 2 == n):
            return 0
        else:
            break
    while True:
        # E, for all segments before the next one that begins with a dot.
        next = find_slash_and_dot(text, i, n)
        if length != i:
            memmove(text + length, text + i, next - i)
        length += next - i
        i = next
        if i == n:
            return length
        if text[i + 2] == c"/" or i + 2 == n:  # B
            i += 2
        elif text[i + 2] == c"." and (text[i + 3] == c"/" or i + 3 == n):  # C
            i += 3
            while length > 0:
                length -= 1
                if text[length] == c"/":
                    break
        else:  # E, for a segment such as ".a" or "..."
            text[length] = c"/"
            text[length + 1] = c"."
            length += 2
            i += 2
            continue
        if i == n:  # the path ended in "/." or "/..", which leaves a slash
            text[length] = c"/"
            return length + 1


cdef inline Py_ssize_t insert_shield(
    unsigned char* out, Py_ssize_t start, Py_ssize_t length, bint authority
) noexcept nogil:
    """Insert `/.` before a path that would be parsed as an authority; return the end of the path."""
    if authority or length - start < 2 or out[start] != c"/" or out[start + 1] != c"/":
        return length
    memmove(out + start + 2, out + start, length - start)
    out[start + 1] = c"."  # the slash before the dot is there already
    return length + 2


cdef bint has_same_scheme(const unsigned char* base_text, Scan* base, const unsigned char* reference_text, Scan* reference) noexcept nogil:
    """Return whether two schemes are equal, ignoring case (RFC 3986, 3.1)."""
    cdef Py_ssize_t i
    if base.scheme_end != reference.scheme_end:
        return False
    for i in range(base.scheme_end):
        # This bit is the difference between upper and lower case. Setting it in other characters of a
        # scheme, which are digits, "+", "-" and ".", changes nothing.
        if base_text[i] | 0x20 != reference_text[i] | 0x20:
            return False
    return True


cdef Py_ssize_t resolve(
    const unsigned char* base_text, Scan* base, const unsigned char* reference_text, Py_ssize_t n, Scan* reference, bint strict,
    unsigned char* out, Scan* target,
) noexcept nogil:
    """Resolve `reference_text`, which has `n` bytes, against the base `base_text`; return the length of the target (RFC 3986, 5.2.2).

    The target begins like the base and ends like the reference. Only the path between may need changes.
    """
    cdef Py_ssize_t length, tail, shift
    if reference.scheme_end >= 0 and (strict or not has_same_scheme(base_text, base, reference_text, reference)):
        length = tail = 0
        target[0] = reference[0]
    elif reference.authority >= 0:
        tail = reference.authority - 2
        length = put(out, 0, base_text, 0, base.scheme_end + 1)
        shift = length - tail
        target.scheme_end = base.scheme_end
        target.authority = reference.authority + shift
        target.host = reference.host + shift
        target.host_end = reference.host_end + shift
        target.path = reference.path + shift
    else:
        target[0] = base[0]
        tail = reference.path
        if reference.path == reference.path_end:
            # The path of the base stays as it is, and so does its query if the reference has none.
            length = base.path_end if tail < reference.query_end else base.query_end
            put(out, 0, base_text, 0, length)
            if tail < reference.query_end:
                target.query_end = length + reference.query_end - tail
            return put(out, length, reference_text, tail, n)
        length = put(out, 0, base_text, 0, base.path if reference_text[tail] == c"/" else find_directory_end(base_text, base))
        if reference_text[tail] != c"/" and base.authority >= 0 and base.path == base.path_end:
            out[length] = c"/"  # see `find_directory_end`
            length += 1
    length = put(out, length, reference_text, tail, reference.path_end)
    length = target.path + remove_dot_segments(out + target.path, length - target.path)
    length = insert_shield(out, target.path, length, target.authority >= 0)
    target.path_end = length
    target.query_end = length + reference.query_end - reference.path_end
    return put(out, length, reference_text, reference.path_end, n)


cdef inline Py_ssize_t find_directory_end(const unsigned char* base_text, Scan* base) noexcept nogil:
    """Find what precedes a relative path (RFC 3986, 5.2.3); after an authority without a path, add a slash."""
    cdef Py_ssize_t end = base.path_end
    while end > base.path and base_text[end - 1] != c"/":
        end -= 1
    return end
