# Find the bounds of the components and the first violation in one pass: `uriverse._spec.components`.
#
# Most strings are valid. `fast_scan` accepts most of these, using a few bit masks for 64 bytes at a
# time. `scan_closely` reads all other strings byte by byte, and also finds the violation.
#
# Every string that `scan_closely` reads has a NUL byte after its last byte, as CPython stores strings.
# NUL belongs to no character class. So a run of characters of a class ends there without a comparison
# of indices, and the one or two bytes after a "%" or a ":" can always be read.
# Other files call `is_in_ranges`, `get_code_point`, `measure_allowed`, `find_run_end`,
# `ends_authority`, `is_ipv4`, `scan_authority`, `select_fast_scan`, `scan`, `scan_closely` and
# `has_ipv4_host`.

cdef extern from "window.h" nogil:
    enum:
        FIT, SCHEME_CHARACTER, FIRST_OF_SCHEME, DIGIT_CHARACTER, HEX_CHARACTER
        SIMD_VARIANTS
    uint8_t kinds[256]
    uint64_t normal_triplets[128]
    SimdVariant simd_variants[]
    void open_windows()

cdef tuple COMPONENTS = ("", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "text")
cdef uint16_t ALPHA, DIGIT, HEXDIG, IN_SCHEME, IN_REG_NAME, IN_USERINFO, IN_PATH, IN_QUERY
cdef uint16_t UNRESERVED, IN_SEGMENT, IN_SEGMENT_NC
cdef unsigned int UCSCHAR_RANGES[32][2]
cdef unsigned int IPRIVATE_RANGES[32][2]
cdef unsigned int BIDI_RANGES[32][2]
cdef int ucschar_count = 0, iprivate_count = 0, bidi_count = 0


cdef inline bint is_in_ranges(unsigned int c, unsigned int[2]* ranges, int count) noexcept nogil:
    cdef int k
    for k in range(count):
        if c <= ranges[k][1]:
            return c >= ranges[k][0]  # the ranges are sorted
    return False


cdef inline unsigned int get_code_point(const unsigned char* text, int length) noexcept nogil:
    if length == 2:
        return (text[0] & 0x1F) << 6 | (text[1] & 0x3F)
    if length == 3:
        return (text[0] & 0x0F) << 12 | (text[1] & 0x3F) << 6 | (text[2] & 0x3F)
    return (text[0] & 0x07) << 18 | (text[1] & 0x3F) << 12 | (text[2] & 0x3F) << 6 | (text[3] & 0x3F)


cdef inline int measure_allowed(const unsigned char* text, int allowed) noexcept nogil:
    """Return 0 if a character of valid UTF-8, or a surrogate as `encode_utf8` writes it, is not allowed."""
    cdef int length = 2 if text[0] < 0xE0 else 3 if text[0] < 0xF0 else 4
    cdef unsigned int c
    if allowed == NONE:
        return 0
    c = get_code_point(text, length)
    if is_in_ranges(c, UCSCHAR_RANGES, ucschar_count):
        return length
    if allowed == UCSCHAR_OR_IPRIVATE and is_in_ranges(c, IPRIVATE_RANGES, iprivate_count):
        return length
    return 0


cdef inline Py_ssize_t find_run_end(
    const unsigned char* text, Py_ssize_t i, uint16_t characters, int allowed
) noexcept nogil:
    """Return the end of a run of characters of a class, allowed non-ASCII characters, and triplets."""
    cdef int length
    while True:
        while FLAGS[text[i]] & characters:
            i += 1
        if text[i] == c"%":
            if not (FLAGS[text[i + 1]] & HEXDIG and FLAGS[text[i + 2]] & HEXDIG):
                return i
            i += 3
        elif text[i] >= 0x80:
            length = measure_allowed(text + i, allowed)
            if length == 0:
                return i
            i += length
        else:
            return i


cdef Py_ssize_t find_violation(const unsigned char* text, Py_ssize_t i) noexcept nogil:
    """Return the invalid character at the end of a run: after a "%", the first that is not a hexadecimal digit."""
    if text[i] != c"%":
        return i
    return i + 2 if FLAGS[text[i + 1]] & HEXDIG else i + 1


cdef inline bint ends_authority(unsigned char c) noexcept nogil:
    return c == c"/" or c == c"?" or c == c"#"


cdef bint read_octet(const unsigned char* text, Py_ssize_t* i) noexcept nogil:
    """Read the longest dec-octet; return false if no dec-octet begins at `i`."""
    cdef int value = 0
    cdef Py_ssize_t start = i[0]
    # A dec-octet has no leading zeros, so a digit after a first "0" is not part of it.
    while FLAGS[text[i[0]]] & DIGIT and (value > 0 or i[0] == start):
        if value * 10 + (text[i[0]] - c"0") > 255:
            break
        value = value * 10 + (text[i[0]] - c"0")
        i[0] += 1
    return i[0] > start


cdef bint read_octets(const unsigned char* text, Py_ssize_t* i, int count) noexcept nogil:
    """Read `count` dec-octets separated by dots; if that fails, `i` is the index of the violation."""
    while True:
        if not read_octet(text, i):
            return False
        count -= 1
        if count == 0:
            return True
        if text[i[0]] != c".":
            return False
        i[0] += 1


cdef bint read_ipv6_literal(const unsigned char* text, Py_ssize_t* index) noexcept nogil:
    """Read `IPv6address "]"`; if that fails, `index` is the index of the violation.

    The nine alternatives of the grammar are equivalent to: eight groups, or at most seven groups and
    one "::". An IPv4address may replace the last two groups.
    """
    cdef Py_ssize_t i = index[0], start, end
    cdef int groups = 0
    cdef bint doubled = False
    if text[i] == c":":
        if text[i + 1] != c":":
            index[0] = i + 1
            return False
        doubled = True
        i += 2
    while True:
        start = i
        while i < start + 4 and FLAGS[text[i]] & HEXDIG:
            i += 1
        index[0] = i
        if i == start:
            # Without a group, only the end of the address is possible, and only after "::".
            if text[i] == c"]" and doubled and text[i - 1] == c":" and text[i - 2] == c":":
                index[0] = i + 1
                return True
            return False
        if groups == (7 if doubled else 8):
            index[0] = start
            return False
        groups += 1
        if text[i] == c"]":
            if doubled or groups == 8:
                index[0] = i + 1
                return True
            return False
        if text[i] == c".":
            end = start
            if not read_octet(text, &end) or end != i or not (groups <= 6 if doubled else groups == 7):
                return False
            index[0] = i + 1
            if not read_octets(text, index, 3) or text[index[0]] != c"]":
                return False
            index[0] += 1
            return True
        if text[i] != c":" or groups == (7 if doubled else 8):
            return False
        if text[i + 1] != c":":
            i += 1
            continue
        if doubled:
            return False  # "::" is a single token, so the violation is at its first colon
        doubled = True
        i += 2


cdef bint read_ip_literal(const unsigned char* text, Py_ssize_t* index) noexcept nogil:
    """Read an IP-literal after its "["; if that fails, `index` is the index of the violation."""
    # IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
    cdef Py_ssize_t i = index[0], start
    if text[i] != c"v" and text[i] != c"V":
        return read_ipv6_literal(text, index)
    i += 1
    start = i
    while FLAGS[text[i]] & HEXDIG:
        i += 1
    index[0] = i
    if i == start or text[i] != c".":
        return False
    i += 1
    start = i
    while FLAGS[text[i]] & IN_USERINFO:
        i += 1
    index[0] = i
    if i == start or text[i] != c"]":
        return False
    index[0] = i + 1
    return True


cdef bint is_ipv4(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return FLAGS[text[start]] & DIGIT and read_octets(text, &start, 4) and start == end


cdef int scan_authority(const unsigned char* text, Py_ssize_t n, int allowed, Scan* bounds) noexcept nogil:
    """Read the authority at `bounds.authority`; return the invalid component, or NOTHING."""
    cdef Py_ssize_t i = find_run_end(text, bounds.authority, IN_REG_NAME, allowed), end, sign
    bounds.host = bounds.authority
    if i == n or ends_authority(text[i]):
        bounds.host_end = bounds.path = i
        return NOTHING
    end = i
    sign = -1
    while end < n and not ends_authority(text[end]):
        if text[end] == c"@" and sign < 0:
            sign = end
        end += 1
    bounds.path = end
    if sign >= 0:
        i = find_run_end(text, i, IN_USERINFO, allowed)
        if i != sign:
            bounds.position = find_violation(text, i)
            return USERINFO
        bounds.host = sign + 1
        i = find_run_end(text, bounds.host, IN_REG_NAME, allowed)
    if text[bounds.host] == c"[":
        i = bounds.host + 1
        if not read_ip_literal(text, &i) or (i < end and text[i] != c":"):
            bounds.position = i
            return HOST
    elif i < end and text[i] != c":":
        bounds.position = find_violation(text, i)
        return HOST
    bounds.host_end = i
    if i < end:
        i += 1
        while FLAGS[text[i]] & DIGIT:
            i += 1
        if i < end:
            bounds.position = i
            return PORT
    return NOTHING


simd_variant = &simd_variants[SIMD_VARIANTS - 1]  # the fastest that this machine supports

# The shortcuts that `_disable_shortcut` disables. Without them, other code has the same results.
SHORTCUTS = (
    "fast_scan", "scan_rows", "is_normal", "is_unambiguous", "is_harmless", "resolve_short_ascii",
    "relativize_common_case", "is_plain", "is_kept",
)
disabled_shortcut = -1  # an index of SHORTCUTS
cdef SimdVariant incomplete_variant  # the one of the machine, without the disabled shortcut


cdef int select_fast_scan() except -1:
    """Pass the character classes to the C code, and select the fastest SIMD variant."""
    global simd_variant
    cdef int c, k
    for c in range(0x80):
        # `fast_scan.h` relies on these relations between the character classes.
        assert (FLAGS[c] & IN_PATH != 0) == (FLAGS[c] & IN_QUERY and c != c"?")
        assert (FLAGS[c] & IN_USERINFO != 0) == (FLAGS[c] & IN_PATH and c not in b"/@")
        assert (FLAGS[c] & IN_REG_NAME != 0) == (FLAGS[c] & IN_USERINFO and c != c":")
        kinds[c] = (
            (FIT if FLAGS[c] & IN_QUERY else 0)
            | (SCHEME_CHARACTER if FLAGS[c] & IN_SCHEME else 0)
            | (FIRST_OF_SCHEME if FLAGS[c] & ALPHA else 0)
            | (DIGIT_CHARACTER if FLAGS[c] & DIGIT else 0)
            | (HEX_CHARACTER if FLAGS[c] & HEXDIG else 0)
        )
    for c in range(256):
        if not FLAGS[c] & UNRESERVED:
            normal_triplets[<unsigned char>DIGITS[c >> 4]] |= <uint64_t>1 << (DIGITS[c & 15] & 63)
    open_windows()
    for k in range(SIMD_VARIANTS):
        if simd_variants[k].is_supported:
            simd_variant = &simd_variants[k]
            break
    return 0


cdef bint are_characters_allowed(const unsigned char* text, Py_ssize_t n, const Scan* bounds) noexcept nogil:
    """Return whether all non-ASCII characters are legal UTF-8 and allowed in their component."""
    cdef Py_ssize_t i = bounds.position
    cdef int length
    cdef unsigned int c
    while i < n:
        if text[i] < 0x80:
            i += 1
            continue
        length = measure_character(text + i, n - i)
        if length == 0:
            return False
        c = get_code_point(text + i, length)
        # A query may also contain private-use characters.
        if not is_in_ranges(c, UCSCHAR_RANGES, ucschar_count) and not (
            bounds.path_end <= i < bounds.query_end and is_in_ranges(c, IPRIVATE_RANGES, iprivate_count)
        ):
            return False
        i += length
    return True


cdef int scan(const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil:
    """Return the component that violates the rule, or NOTHING; `bounds` gets the bounds or the position, in bytes."""
    return NOTHING if fast_scan(text, n, rule, bounds) else scan_closely(text, n, rule, bounds)


cdef int scan_closely(const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil:
    """Implement `scan` byte by byte."""
    cdef Py_ssize_t i = 0, k
    cdef int invalid
    cdef int allowed = NONE if rule & ASCII_ONLY else UCSCHAR
    bounds.scheme_end = bounds.authority = bounds.host = bounds.host_end = -1

    if FLAGS[text[0]] & ALPHA:
        i = 1
        while FLAGS[text[i]] & IN_SCHEME:
            i += 1
    if text[i] == c":" and i > 0:
        bounds.scheme_end = i
        i += 1
    else:
        k = i
        while k < n and text[k] != c":" and not ends_authority(text[k]):
            k += 1
        if rule & NEEDS_SCHEME or (text[k] == c":" and k > 0):
            bounds.position = i
            return SCHEME
        if text[k] == c":":
            bounds.position = 0
            return PATH
        i = 0

    if text[i] == c"/" and text[i + 1] == c"/":
        bounds.authority = i + 2
        invalid = scan_authority(text, n, allowed, bounds)
        if invalid != NOTHING:
            return invalid
        i = bounds.path
    bounds.path = i

    i = find_run_end(text, i, IN_PATH, allowed)
    if i < n and text[i] != c"?" and text[i] != c"#":
        bounds.position = find_violation(text, i)
        return PATH
    bounds.path_end = bounds.query_end = i

    if text[i] == c"?":
        i = find_run_end(text, i + 1, IN_QUERY, UCSCHAR_OR_IPRIVATE if allowed else NONE)
        if i < n and text[i] != c"#":
            bounds.position = find_violation(text, i)
            return QUERY
        bounds.query_end = i

    if i < n:
        bounds.position = i
        if rule & NO_FRAGMENT:
            return FRAGMENT
        i = find_run_end(text, i + 1, IN_QUERY, allowed)
        if i < n:
            bounds.position = find_violation(text, i)
            return FRAGMENT
    return NOTHING


cdef bint has_ipv4_host(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return whether the host is an IPv4address, without reading bytes after it."""
    cdef unsigned char here[17]
    cdef Py_ssize_t n = bounds.host_end - bounds.host
    if n < 7 or n > 15 or not FLAGS[text[bounds.host]] & DIGIT:
        return False
    memcpy(here, text + bounds.host, n)
    here[n] = 0
    return is_ipv4(here, 0, n)
