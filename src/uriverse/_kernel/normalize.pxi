# Percent-decoding and normalization over bytes: `uriverse._spec.percent`, `uriverse._spec.normalization`
# and `uriverse._spec.ipv6`.
# Other files call `write_triplet`, `is_triplet`, `rewrite_triplets`, `is_dots`, `has_dot_segment`, `parse_dot_segments`, `is_plain`,
# `normalize`, `read_ipv6_groups`, `write_ipv6` and `is_before_ipv4`.


cdef const char* DIGITS = b"0123456789ABCDEF"


cdef inline Py_ssize_t write_triplet(unsigned char* out, Py_ssize_t length, unsigned char octet) noexcept nogil:
    out[length] = c"%"
    out[length + 1] = DIGITS[octet >> 4]
    out[length + 2] = DIGITS[octet & 0x0F]
    return length + 3


cdef inline bint is_triplet(const unsigned char* text) noexcept nogil:
    """Return whether a triplet begins at `text`, without reading bytes after a NUL."""
    return text[0] == c"%" and FLAGS[text[1]] & HEXDIG and FLAGS[text[2]] & HEXDIG


cdef inline unsigned char to_upper(unsigned char c) noexcept nogil:
    return c - 32 if c"a" <= c <= c"z" else c


cdef int decode_legal_character(const unsigned char* text, int triplet_flags, unsigned char* octets) noexcept nogil:
    """Return the number of triplets of a non-ASCII character that an IRI allows (RFC 3987, 2.2 and 4.1), or 0."""
    cdef int size = 0
    while size < 4 and is_triplet(text + 3 * size):
        octets[size] = decode_triplet(text + 3 * size)
        size += 1
    size = measure_character(octets, size)
    if size == 0:
        return 0
    if measure_allowed(octets, UCSCHAR_OR_IPRIVATE if triplet_flags & PRIVATE_TOO else UCSCHAR) == 0:
        return 0
    if is_in_ranges(get_code_point(octets, size), BIDI_RANGES, bidi_count):
        return 0
    return size


cdef Py_ssize_t rewrite_triplets(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char* out, Py_ssize_t length, int triplet_flags
) noexcept nogil:
    """Copy a span; return the end of the output, or -1 if a triplet is malformed.

    No hexadecimal digit may follow the span, so that no triplet extends beyond it.
    """
    cdef Py_ssize_t i = start
    cdef unsigned char octet
    cdef unsigned char octets[4]
    cdef int size
    while True:
        start, i = i, find_octet(text, i, end, c"%")
        length = put(out, length, text, start, i)
        while i < end and text[i] == c"%":
            if not is_triplet(text + i):
                return -1
            octet = decode_triplet(text + i)
            size = 0
            if triplet_flags & ALL_DECODED or (triplet_flags & UNRESERVED_DECODED and FLAGS[octet] & UNRESERVED):
                out[length] = octet
                length += 1
                i += 3
                continue
            if octet >= 0x80 and triplet_flags & CHARACTERS_DECODED:
                size = decode_legal_character(text + i, triplet_flags, octets)
                if size > 0:
                    length = put(out, length, octets, 0, size)
                    i += 3 * size
                    continue
            out[length] = c"%"
            if triplet_flags & UPPER or (octet >= 0x80 and triplet_flags & UPPER_PAST_ASCII):
                out[length + 1] = to_upper(text[i + 1])
                out[length + 2] = to_upper(text[i + 2])
            else:
                out[length + 1] = text[i + 1]
                out[length + 2] = text[i + 2]
            length += 3
            i += 3
        if i == end:
            return length


cdef bint is_dots(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a segment is `.` or `..`, percent-encoded or not."""
    cdef int dots = 0
    while i < end and dots < 3:
        if text[i] == c".":
            i += 1
        elif text[i] == c"%" and text[i + 1] == c"2" and text[i + 2] | 0x20 == c"e":
            i += 3
        else:
            return False
        dots += 1
    return i == end and 0 < dots < 3


cdef Py_ssize_t rewrite_path_triplets(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char* out, Py_ssize_t length, int triplet_flags, int dot_segment_flags
) noexcept nogil:
    """Rewrite a path like `rewrite_triplets`, with the flags `dot_segment_flags` for segments that are `.` or `..`."""
    cdef Py_ssize_t i = start, k
    if triplet_flags == dot_segment_flags or not contains_octet(text, start, end, c"%"):
        return rewrite_triplets(text, start, end, out, length, triplet_flags)
    while True:
        k = i
        while k < end and text[k] != c"/":
            k += 1
        length = rewrite_triplets(text, i, k, out, length, dot_segment_flags if is_dots(text, i, k) else triplet_flags)
        if k == end:
            return length
        out[length] = c"/"
        length += 1
        i = k + 1


cdef void lower_host(unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Convert a scheme or host to lower case in place (RFC 3986, 6.2.2.1), except for percent-encoded triplets."""
    cdef Py_ssize_t next
    while i < end:
        next = find_octet(text, i, end, c"%")
        for i in range(i, next):
            text[i] = to_lower(text[i])
        i = next + 3


cdef bint has_dot_segment(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i = find_octet(text, start, end, c".")
    while i < end:
        if i == start or text[i - 1] == c"/":
            i += 1
            if i < end and text[i] == c".":
                i += 1
            if i == end or text[i] == c"/":
                return True
        i = find_octet(text, i + 1, end, c".")
    return False


cdef int parse_dot_segments(dot_segments) except -1:
    if dot_segments is True:
        return DOTS_OF_ROOTED
    if dot_segments is False:
        return DOTS_OF_NONE
    if not (isinstance(dot_segments, str) and dot_segments == "all"):
        from uriverse._spec import normalization
        normalization.check_dot_segments(dot_segments)  # raises an error
    return DOTS_OF_ALL


cdef inline bint removes_dots(const unsigned char* text, Scan* bounds, int dots) noexcept nogil:
    if dots == DOTS_OF_NONE or bounds.scheme_end < 0 or bounds.path == bounds.path_end:
        return False
    return dots == DOTS_OF_ALL or text[bounds.path] == c"/"


cdef bint is_plain(const unsigned char* text, Py_ssize_t n, Scan* bounds, int triplet_flags, bint case, bint ipv6_form, int dots) noexcept nogil:
    """Return whether the enabled steps of normalization certainly change nothing in an ASCII string."""
    cdef Py_ssize_t i
    cdef int seen = simd_variant.is_normal(text, n, bounds)
    if seen == NORMAL or (seen == NORMAL_URI and not triplet_flags & CHARACTERS_DECODED):
        return True
    if disabled_shortcut == IS_PLAIN:
        return False
    if (triplet_flags or dots) and contains_octet(text, 0, n, c"%"):
        return False
    if case:
        for i in range(bounds.scheme_end):
            if c"A" <= text[i] <= c"Z":
                return False
        for i in range(bounds.host, bounds.host_end):
            if c"A" <= text[i] <= c"Z":
                return False
    if ipv6_form and bounds.host < bounds.host_end and text[bounds.host] == c"[":
        return False
    return not (removes_dots(text, bounds, dots) and has_dot_segment(text, bounds.path, bounds.path_end))


cdef Py_ssize_t normalize(
    const unsigned char* text, Py_ssize_t n, Scan* bounds, int triplet_flags, bint case, bint ipv6_form, int dots,
    unsigned char* out, Scan* normal_bounds,
) noexcept nogil:
    """Write to `n + 16` bytes: an IPv6 address may grow, and a path may be shielded."""
    cdef Py_ssize_t length = bounds.path, start
    cdef Py_ssize_t first = find_octet(text, 0, n, c"%") if triplet_flags or dots else n
    cdef int dot_segment_flags
    cdef bint is_literal = bounds.host < bounds.host_end and text[bounds.host] == c"["
    cdef bint steps = removes_dots(text, bounds, dots)
    normal_bounds[0] = bounds[0]
    if first < bounds.path or (is_literal and ipv6_form):
        length = put(out, 0, text, 0, bounds.authority)
        if bounds.host > bounds.authority:
            length = rewrite_triplets(text, bounds.authority, bounds.host - 1, out, length, triplet_flags)
            length = put(out, length, text, bounds.host - 1, bounds.host)
        normal_bounds.host = length
        if is_literal and ipv6_form and text[bounds.host + 1] != c"v" and text[bounds.host + 1] != c"V":
            length = write_ipv6(text, bounds.host, out, length)
        else:
            length = rewrite_triplets(text, bounds.host, bounds.host_end, out, length, triplet_flags)
        normal_bounds.host_end = length
        length = put(out, length, text, bounds.host_end, bounds.path)
    else:
        memcpy(out, text, length)  # everything before the path keeps its length
    if case:
        lower_host(out, 0, bounds.scheme_end)
        lower_host(out, normal_bounds.host, normal_bounds.host_end)
    normal_bounds.path = start = length
    # If dot segments are removed, percent-encoded ones are decoded first. In a relative reference, they
    # stay encoded: resolution does not treat them as dot segments.
    dot_segment_flags = triplet_flags
    if bounds.scheme_end < 0:
        dot_segment_flags = triplet_flags & ~UNRESERVED_DECODED
    elif steps:
        dot_segment_flags = triplet_flags | UNRESERVED_DECODED
    if first < bounds.path_end:
        length = rewrite_path_triplets(text, bounds.path, bounds.path_end, out, length, triplet_flags, dot_segment_flags)
    else:
        length = put(out, length, text, bounds.path, bounds.path_end)
    if steps:
        length = start + remove_dot_segments(out + start, length - start)
        length = insert_shield(out, start, length, bounds.authority >= 0)
    normal_bounds.path_end = length
    if bounds.path_end < bounds.query_end:
        length = rewrite_triplets(text, bounds.path_end, bounds.query_end, out, length, triplet_flags | PRIVATE_TOO)
    normal_bounds.query_end = length
    return rewrite_triplets(text, bounds.query_end, n, out, length, triplet_flags) if bounds.query_end < n else length


cdef void read_ipv6_groups(const unsigned char* text, Py_ssize_t i, unsigned int* numbers) noexcept nogil:
    cdef int count = 0, doubled = -1, k, shift
    cdef unsigned int value
    cdef Py_ssize_t start
    i += 1
    while text[i] != c"]":
        if text[i] == c":":
            if text[i + 1] == c":":
                doubled = count
                i += 1
            i += 1
            continue
        start = i
        value = 0
        while FLAGS[text[i]] & HEXDIG:
            value = value << 4 | get_digit(text[i])
            i += 1
        if text[i] == c".":
            # An IPv4address, which replaces the last two groups.
            i = start
            for k in range(4):
                value = 0
                while FLAGS[text[i]] & DIGIT:
                    value = value * 10 + get_digit(text[i])
                    i += 1
                i += k < 3  # the dot
                if k % 2 == 0:
                    numbers[count] = value << 8
                else:
                    numbers[count] |= value
                    count += 1
            continue
        numbers[count] = value
        count += 1
    if doubled >= 0:
        shift = 8 - count
        for k in range(count - 1, doubled - 1, -1):
            numbers[k + shift] = numbers[k]
        for k in range(doubled, doubled + shift):
            numbers[k] = 0


cdef Py_ssize_t write_ipv6(const unsigned char* text, Py_ssize_t i, unsigned char* out, Py_ssize_t length) noexcept nogil:
    """Write the canonical form (RFC 5952) of the IPv6 address in brackets at `i`; return its end."""
    cdef unsigned int numbers[8]
    cdef int groups = 8, k, longest_start = 0, longest = 1, zeros = 0
    read_ipv6_groups(text, i, numbers)
    if is_before_ipv4(numbers):
        groups = 6
    for k in range(groups):
        zeros = 0 if numbers[k] else zeros + 1
        if zeros > longest:
            longest = zeros
            longest_start = k + 1 - zeros
    out[length] = c"["
    length += 1
    k = 0
    while k < groups:
        if longest > 1 and k == longest_start:
            out[length] = c":"
            out[length + 1] = c":"
            length += 2
            k += longest
            continue
        if k > 0 and not (longest > 1 and k == longest_start + longest):
            out[length] = c":"
            length += 1
        length = write_number(out, length, numbers[k], 16)
        k += 1
    if groups == 6:
        if not (longest > 1 and longest_start + longest == 6):
            out[length] = c":"
            length += 1
        for k in range(4):
            if k > 0:
                out[length] = c"."
                length += 1
            length = write_number(out, length, numbers[6 + k // 2] >> (0 if k % 2 else 8) & 0xFF, 10)
    out[length] = c"]"
    return length + 1


cdef bint is_before_ipv4(const unsigned int* numbers) noexcept nogil:
    """Return whether an IPv4 address follows six groups: see `BEFORE_IPV4` in `uriverse._spec.ipv6`."""
    cdef unsigned int middle = numbers[1] | numbers[2] | numbers[3]
    if numbers[0] == 0x64 and numbers[1] == 0xFF9B:
        return (numbers[2] | numbers[3] | numbers[4] | numbers[5]) == 0
    if numbers[0] | middle:
        return False
    return (numbers[4] == 0 and numbers[5] == 0xFFFF) or (numbers[4] == 0xFFFF and numbers[5] == 0)


cdef Py_ssize_t write_number(unsigned char* out, Py_ssize_t length, unsigned int value, unsigned int base) noexcept nogil:
    cdef unsigned char reversed_digits[5]
    cdef int count = 0
    while True:
        reversed_digits[count] = to_lower(DIGITS[value % base])
        count += 1
        value //= base
        if value == 0:
            break
    while count > 0:
        count -= 1
        out[length] = reversed_digits[count]
        length += 1
    return length
