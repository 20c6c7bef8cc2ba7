# Recognize strings for which `check` certainly has no findings: `uriverse.diagnosis._prefilter`.


cdef bint names_host(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a host is a host name (RFC 1123, 2.1) that `check` does not report.

    Such a host name has no A-labels, and its last label begins with a letter.
    """
    cdef Py_ssize_t start
    while True:
        start = i
        while FLAGS[p[i]] & (ALPHA | DIGIT) or p[i] == c"-":
            i += 1
        # A label neither begins nor ends with a hyphen.
        if i == start or p[start] == c"-" or p[i - 1] == c"-":
            return False
        # Never read past the NUL: `and` stops at the first comparison that fails.
        if (p[start] | 0x20 == c"x" and p[start + 1] | 0x20 == c"n" and p[start + 2] == c"-" and p[start + 3] == c"-"):
            return False
        if i == end:
            return FLAGS[p[start]] & ALPHA != 0
        if p[i] != c".":
            return False
        i += 1


cdef inline bint is_like_separator(unsigned int c) noexcept nogil:
    """Return whether other software may read a character as a dot, a slash, a backslash or "%"."""
    return c in (
        0xA5, 0xB4, 0x66A, 0x2024, 0x2025, 0x2044, 0x20A9, 0x2215, 0x2216,
        0xFE30, 0xFE52, 0xFE68, 0xFE6A, 0xFF05, 0xFF0E, 0xFF0F, 0xFF3C,
    )


cdef bint triplets_are_plain(const unsigned char* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return whether all percent-encoded triplets of a string are harmless to `check`.

    Their octets must be valid UTF-8, and must not be noncharacters, controls, dots, slashes,
    backslashes or percent signs, or characters that resemble one of the last four.
    """
    cdef const unsigned char* sign
    cdef unsigned char octets[4]
    cdef unsigned int c
    cdef int length
    while True:
        sign = <const unsigned char*>memchr(p + i, c"%", n - i)
        if sign is NULL:
            return True
        c = octet_of(sign)
        length = 1
        if c >= 0x80:
            length = 0
            while length < 4 and is_triplet(sign + 3 * length):
                octets[length] = octet_of(sign + 3 * length)
                length += 1
            length = strict_length(octets, length)
            if length == 0:
                return False
            c = code_point(octets, length)
            # The noncharacters: the last two code points of each plane, and 32 more.
            if c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF or is_like_separator(c):
                return False
        elif c < 0x20 or c == 0x7F or c == c"%" or c == c"." or c == c"/" or c == c"\\":
            return False
        i = sign - p + 3 * length


cdef bint port_is_plain(const unsigned char* p, Scan* at, bint best) noexcept nogil:
    """Return whether a port is a number up to 65535 without leading zeros.

    With `best`, it must not be the default port either.
    """
    cdef Py_ssize_t i = at.host_end + 1
    cdef unsigned int number = 0
    if i > at.path:
        return True  # no port
    if i == at.path or at.path - i > 5 or p[i] == c"0":
        return False
    for i in range(i, at.path):
        number = number * 10 + (p[i] - c"0")
    if best and number == (443 if at.scheme_end == 5 else 80):
        return False
    return number <= 65535


cdef bint path_is_plain(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether a path does not begin with "//", and no software finds other dot segments in it."""
    cdef Py_ssize_t i = at.path, end = at.path_end, start, k
    cdef const unsigned char* slash
    cdef bint steps = False
    if end - i >= 2 and p[i + 1] == c"/":
        return False
    while i < end:
        start = k = i + 1
        while k < end and p[k] == c"%":
            k += 3
        i = k
        while i < end and p[i] == c".":
            i += 1
        if i > k:
            if k == start and i - k <= 2 and (i == end or p[i] == c"/"):
                steps = True
            elif i == end or p[i] == c"/" or p[i] == c";" or p[i] == c"%":
                return False
        slash = <const unsigned char*>memchr(p + i, c"/", end - i)
        if slash is NULL:
            break
        i = slash - p
        if i - start > 2 and p[i - 1] == c"." and p[i - 2] == c"." and p[i - 3] != c".":
            return False
    # A dot segment could remove an empty segment, or one that other software drops or merges.
    if steps:
        for i in range(at.path, end):
            if p[i] == c";" or p[i] == c"%" or (p[i] == c"/" and i + 1 < end and p[i + 1] == c"/"):
                return False
    return True


cdef bint names_file(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether a `file` URI has an empty host, a path without a drive letter, and no query."""
    cdef const unsigned char* path = p + at.path
    if at.path == at.path_end or at.host < at.path or at.path_end < at.query_end:
        return False
    # The letter may be percent-encoded.
    if path[1] == c"%":
        return False
    # Never read past the NUL: `path[2]` is only read if `path[1]` is a letter.
    return not (FLAGS[path[1]] & ALPHA and (path[2] == c":" or path[2] == c"%"))


cdef bint is_localhost(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether the host is "localhost", ignoring case."""
    cdef const char* name = b"localhost"
    cdef int k
    if at.host_end - at.host != 9:
        return False
    for k in range(9):
        if lower(p[at.host + k]) != <unsigned char>name[k]:
            return False
    return True


cdef bint has_late_at(const unsigned char* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return whether there is an "@" between index `i` and the next slash."""
    while i < n and p[i] != c"/":
        if p[i] == c"@":
            return True
        i += 1
    return False


cdef bint certain(const unsigned char* p, Py_ssize_t n, bint best) noexcept nogil:
    """Implement `has_no_findings` for an ASCII string."""
    cdef Scan at
    cdef bint file
    if scan(p, n, NEEDS_SCHEME, &at) != NOTHING:
        return False
    # Require an authority without userinfo.
    if at.authority < 0 or at.host > at.authority:
        return False
    file = is_file(p, at.scheme_end)
    if not file and not is_web(p, at.scheme_end):
        return False
    if best and (at.path == at.path_end or not is_plain(p, n, &at, UNRESERVED_DECODED, True, True, DOTS_OF_ROOTED)):
        return False
    if file:
        if not names_file(p, &at):
            return False
    elif (
        not names_host(p, at.host, at.host_end)
        or not port_is_plain(p, &at, best)
        or has_late_at(p, at.path, n)
    ):
        return False
    return path_is_plain(p, &at) and triplets_are_plain(p, at.path, n)


def has_no_findings(str text, bint best, /):
    """Return whether `check` certainly has no findings about a string; false if that is not certain.

    Args:
        text: any string.
        best: whether the string must also be in normal form.
    """
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    if not PyUnicode_IS_ASCII(text) or n > LONGEST_TEXT:
        return False
    return certain(<const unsigned char*>PyUnicode_DATA(text), n, best)
