# Find the bounds of the components and the first violation in one pass.
#
# Most strings are valid: `fast_scan` recognizes them by a few bit masks of their bytes, and may be
# unsure. `scan` reads the others byte by byte, and also finds the violation.
#
# Every string that `scan` reads has a NUL byte after its last byte, as CPython stores them.
# NUL belongs to no class, so a run stops there without comparing indices, and the
# one or two bytes looked at past a "%" or a ":" are always there.

cdef extern from "window.h" nogil:
    ctypedef struct Scan:
        Py_ssize_t scheme_end, authority, host, host_end, path, path_end, query_end
        Py_ssize_t position  # of the first offence, if there is one
    ctypedef int (*FastScan)(const unsigned char* p, Py_ssize_t n, Scan* at) noexcept
    ctypedef struct SimdVariant:
        const char* name
        FastScan fast_scan
        bint there
    enum:
        UNSURE, PLAIN, PAST_ASCII
        FIT, SCHEME_CHARACTER, FIRST_OF_SCHEME, DIGIT_CHARACTER, HEX_CHARACTER
        SIMD_VARIANTS
    uint8_t kinds[256]
    SimdVariant simd_variants[]
    void open_windows()

cdef enum:
    # What a rule asks for beyond IRI-reference; a rule is a sum of these.
    NEEDS_SCHEME = 1
    ASCII_ONLY = 2
    NO_FRAGMENT = 4

cdef enum:
    # The invalid component. The names in the same order: COMPONENTS.
    NOTHING
    SCHEME
    USERINFO
    HOST
    PORT
    PATH
    QUERY
    FRAGMENT
    TEXT

COMPONENTS = ("", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "text")

cdef enum:
    # Which characters past ASCII a component may hold.
    NONE
    UCSCHAR
    UCSCHAR_OR_IPRIVATE

cdef uint16_t FLAGS[256]
cdef uint16_t ALPHA, DIGIT, HEXDIG, IN_SCHEME, IN_REG_NAME, IN_USERINFO, IN_PATH, IN_QUERY
cdef enum:
    # A class of our own, which no rule has; the grammar's leave this bit free.
    ANY_ASCII = 0x8000

cdef uint16_t UNRESERVED, IN_SEGMENT, IN_SEGMENT_NC
cdef unsigned int UCSCHAR_RANGES[32][2]
cdef unsigned int IPRIVATE_RANGES[32][2]
cdef unsigned int BIDI_RANGES[32][2]
cdef int ucschar_count = 0
cdef int iprivate_count = 0
cdef int bidi_count = 0


cdef inline bint in_ranges(unsigned int c, unsigned int[2]* ranges, int count) noexcept nogil:
    cdef int k
    for k in range(count):
        if c <= ranges[k][1]:
            return c >= ranges[k][0]  # the ranges are in order
    return False


cdef inline unsigned int code_point(const unsigned char* p, int length) noexcept nogil:
    """The character past ASCII that is written with so many bytes of UTF-8."""
    if length == 2:
        return (p[0] & 0x1F) << 6 | (p[1] & 0x3F)
    if length == 3:
        return (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)
    return (p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | (p[3] & 0x3F)


cdef inline bint continues(unsigned char c) noexcept nogil:
    return c & 0xC0 == 0x80


cdef inline int strict_length(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """How many of `n` bytes are strictly legal UTF-8 of one character past ASCII; 0 if none are.

    RFC 3629, section 4: nothing overlong, no surrogates, nothing past U+10FFFF.
    """
    if p[0] < 0xC2 or n < 2 or not continues(p[1]):
        return 0
    if p[0] < 0xE0:
        return 2
    if n < 3 or not continues(p[2]):
        return 0
    if p[0] < 0xF0:
        return 0 if (p[0] == 0xE0 and p[1] < 0xA0) or (p[0] == 0xED and p[1] > 0x9F) else 3
    if n < 4 or not continues(p[3]) or p[0] > 0xF4:
        return 0
    return 0 if (p[0] == 0xF0 and p[1] < 0x90) or (p[0] == 0xF4 and p[1] > 0x8F) else 4


cdef inline int length_past_ascii(const unsigned char* p, int allowed) noexcept nogil:
    """The bytes of the character at `p` where it is allowed, else 0; `p` is valid UTF-8."""
    cdef int length = 2 if p[0] < 0xE0 else 3 if p[0] < 0xF0 else 4
    cdef unsigned int c
    if allowed == NONE:
        return 0
    c = code_point(p, length)
    if in_ranges(c, UCSCHAR_RANGES, ucschar_count):
        return length
    if allowed == UCSCHAR_OR_IPRIVATE and in_ranges(c, IPRIVATE_RANGES, iprivate_count):
        return length
    return 0


cdef inline Py_ssize_t run(
    const unsigned char* p, Py_ssize_t i, uint16_t characters, int allowed
) noexcept nogil:
    """Where a run of a class's characters and of pct-encoded ones ends."""
    cdef int length
    while True:
        while FLAGS[p[i]] & characters:
            i += 1
        if p[i] == c"%":
            if not (FLAGS[p[i + 1]] & HEXDIG and FLAGS[p[i + 2]] & HEXDIG):
                return i
            i += 3
        elif p[i] >= 0x80:
            length = length_past_ascii(p + i, allowed)
            if length == 0:
                return i
            i += length
        else:
            return i


cdef Py_ssize_t culprit(const unsigned char* p, Py_ssize_t i) noexcept nogil:
    """The wrong character where a run ended: of a "%", what is no hexadecimal digit after it."""
    if p[i] != c"%":
        return i
    return i + 2 if FLAGS[p[i + 1]] & HEXDIG else i + 1


cdef inline bint ends_authority(unsigned char c) noexcept nogil:
    return c == c"/" or c == c"?" or c == c"#"


cdef bint octet(const unsigned char* p, Py_ssize_t* i) noexcept nogil:
    """Read the longest dec-octet; false where there is none."""
    cdef int value = 0
    cdef Py_ssize_t start = i[0]
    # Without leading zeros: what follows a first "0" is not part of it.
    while FLAGS[p[i[0]]] & DIGIT and (value > 0 or i[0] == start):
        if value * 10 + (p[i[0]] - c"0") > 255:
            break
        value = value * 10 + (p[i[0]] - c"0")
        i[0] += 1
    return i[0] > start


cdef bint octets(const unsigned char* p, Py_ssize_t* i, int count) noexcept nogil:
    """Read that many dec-octets with dots between; where it is false, `i` is the offence."""
    while True:
        if not octet(p, i):
            return False
        count -= 1
        if count == 0:
            return True
        if p[i[0]] != c".":
            return False
        i[0] += 1


cdef bint ipv6(const unsigned char* p, Py_ssize_t* at) noexcept nogil:
    """Read `IPv6address "]"`; where it is false, `at` is the offence.

    The nine forms in one: eight groups, or at most seven and one "::". The last
    two groups may be an IPv4address.
    """
    cdef Py_ssize_t i = at[0], start, end
    cdef int groups = 0
    cdef bint doubled = False
    if p[i] == c":":
        if p[i + 1] != c":":
            at[0] = i + 1
            return False
        doubled = True
        i += 2
    while True:
        start = i
        while i < start + 4 and FLAGS[p[i]] & HEXDIG:
            i += 1
        at[0] = i
        if i == start:
            # Nothing but the end may stand here, and that only after "::".
            if p[i] == c"]" and doubled and p[i - 1] == c":" and p[i - 2] == c":":
                at[0] = i + 1
                return True
            return False
        if groups == (7 if doubled else 8):
            at[0] = start
            return False
        groups += 1
        if p[i] == c"]":
            if doubled or groups == 8:
                at[0] = i + 1
                return True
            return False
        if p[i] == c".":
            end = start
            if not octet(p, &end) or end != i or not (groups <= 6 if doubled else groups == 7):
                return False
            at[0] = i + 1
            if not octets(p, at, 3) or p[at[0]] != c"]":
                return False
            at[0] += 1
            return True
        if p[i] != c":" or groups == (7 if doubled else 8):
            return False
        if p[i + 1] != c":":
            i += 1
            continue
        if doubled:
            return False  # "::" is one sign, so the place is its first colon
        doubled = True
        i += 2


cdef bint ip_literal(const unsigned char* p, Py_ssize_t* at) noexcept nogil:
    """Read what follows a "[" up to its "]"; where it is false, `at` is the offence."""
    cdef Py_ssize_t i = at[0], start
    if p[i] != c"v" and p[i] != c"V":
        return ipv6(p, at)
    i += 1
    start = i
    while FLAGS[p[i]] & HEXDIG:
        i += 1
    at[0] = i
    if i == start or p[i] != c".":
        return False
    i += 1
    start = i
    while FLAGS[p[i]] & IN_USERINFO:
        i += 1
    at[0] = i
    if i == start or p[i] != c"]":
        return False
    at[0] = i + 1
    return True


cdef bint is_ipv4(const unsigned char* p, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return FLAGS[p[start]] & DIGIT and octets(p, &start, 4) and start == end


cdef int scan_authority(const unsigned char* p, Py_ssize_t n, int allowed, Scan* at) noexcept nogil:
    """Read the authority from `at.authority`; the invalid component, or NOTHING."""
    cdef Py_ssize_t i = run(p, at.authority, IN_REG_NAME, allowed), end, sign
    at.host = at.authority
    if i == n or ends_authority(p[i]):
        at.host_end = at.path = i
        return NOTHING
    end = i
    sign = -1
    while end < n and not ends_authority(p[end]):
        if p[end] == c"@" and sign < 0:
            sign = end
        end += 1
    at.path = end
    if sign >= 0:
        i = run(p, i, IN_USERINFO, allowed)
        if i != sign:
            at.position = culprit(p, i)
            return USERINFO
        at.host = sign + 1
        i = run(p, at.host, IN_REG_NAME, allowed)
    if p[at.host] == c"[":
        i = at.host + 1
        if not ip_literal(p, &i) or (i < end and p[i] != c":"):
            at.position = i
            return HOST
    elif i < end and p[i] != c":":
        at.position = culprit(p, i)
        return HOST
    at.host_end = i
    if i < end:
        i += 1
        while FLAGS[p[i]] & DIGIT:
            i += 1
        if i < end:
            at.position = i
            return PORT
    return NOTHING


cdef SimdVariant* simd_variant = &simd_variants[SIMD_VARIANTS - 1]  # the fastest that this machine supports


cdef int start_fast_scan() except -1:
    """Hand the character classes to the C code and select the fastest variant."""
    global simd_variant
    cdef int c, k
    for c in range(0x80):
        # `fast_scan.h` derives bounds from masks on these assumptions.
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
    open_windows()
    for k in range(SIMD_VARIANTS):
        if simd_variants[k].there:
            simd_variant = &simd_variants[k]
            break
    return 0


cdef bint fast_scan(const unsigned char* p, Py_ssize_t n, int rule, Scan* at) noexcept nogil:
    """Whether a whole text is plainly right by a rule; where it is not, take `scan`.

    It is never wrong where it is true, and the bounds are then those of `scan`, and the position
    that of the first character past ASCII, or -1 without one. Else `at` means nothing. No NUL is needed past the text, and none of it need be valid UTF-8.
    """
    cdef int seen = simd_variant.fast_scan(p, n, at)
    if (
        seen == UNSURE
        or (rule & NEEDS_SCHEME and at.scheme_end < 0)
        or (rule & NO_FRAGMENT and at.query_end < n)
    ):
        return False
    if seen == PLAIN:
        at.position = -1
        return True
    return not rule & ASCII_ONLY and allowed_past_ascii(p, n, at)


cdef bint allowed_past_ascii(const unsigned char* p, Py_ssize_t n, const Scan* at) noexcept nogil:
    """Whether all characters past ASCII are allowed where they stand, and are legal UTF-8."""
    cdef Py_ssize_t i = at.position
    cdef int length
    cdef unsigned int c
    while i < n:
        if p[i] < 0x80:
            i += 1
            continue
        length = strict_length(p + i, n - i)
        if length == 0:
            return False
        c = code_point(p + i, length)
        if not in_ranges(c, UCSCHAR_RANGES, ucschar_count) and not (
            at.path_end <= i < at.query_end and in_ranges(c, IPRIVATE_RANGES, iprivate_count)
        ):
            return False
        i += length
    return True


cdef int scan(const unsigned char* p, Py_ssize_t n, int rule, Scan* at) noexcept nogil:
    """Read a whole text by a rule; the invalid component, or NOTHING.

    Bounds are those of `uriverse._spec.components.Bounds`, in bytes.
    """
    return NOTHING if fast_scan(p, n, rule, at) else scan_closely(p, n, rule, at)


cdef int scan_closely(const unsigned char* p, Py_ssize_t n, int rule, Scan* at) noexcept nogil:
    """The same as `scan`, byte by byte."""
    cdef Py_ssize_t i = 0, k
    cdef int invalid
    cdef int allowed = NONE if rule & ASCII_ONLY else UCSCHAR
    at.scheme_end = at.authority = at.host = at.host_end = -1

    if FLAGS[p[0]] & ALPHA:
        i = 1
        while FLAGS[p[i]] & IN_SCHEME:
            i += 1
    if p[i] == c":" and i > 0:
        at.scheme_end = i
        i += 1
    else:
        k = i
        while k < n and p[k] != c":" and not ends_authority(p[k]):
            k += 1
        if rule & NEEDS_SCHEME or (p[k] == c":" and k > 0):
            at.position = i
            return SCHEME
        if p[k] == c":":
            at.position = 0
            return PATH
        i = 0

    if p[i] == c"/" and p[i + 1] == c"/":
        at.authority = i + 2
        invalid = scan_authority(p, n, allowed, at)
        if invalid != NOTHING:
            return invalid
        i = at.path
    at.path = i

    i = run(p, i, IN_PATH, allowed)
    if i < n and p[i] != c"?" and p[i] != c"#":
        at.position = culprit(p, i)
        return PATH
    at.path_end = at.query_end = i

    if p[i] == c"?":
        i = run(p, i + 1, IN_QUERY, UCSCHAR_OR_IPRIVATE if allowed else NONE)
        if i < n and p[i] != c"#":
            at.position = culprit(p, i)
            return QUERY
        at.query_end = i

    if i < n:
        at.position = i
        if rule & NO_FRAGMENT:
            return FRAGMENT
        i = run(p, i + 1, IN_QUERY, allowed)
        if i < n:
            at.position = culprit(p, i)
            return FRAGMENT
    return NOTHING
