# Fast paths for the scheme rules of `uriverse.schemes`. No other file of the kernel contains the rules
# of a scheme.


cdef inline bint is_web(const unsigned char* p, Py_ssize_t scheme_end) noexcept nogil:
    """Return whether the scheme is "http" or "https"."""
    if scheme_end < 4 or p[0] | 0x20 != c"h" or p[1] | 0x20 != c"t" or p[2] | 0x20 != c"t" or p[3] | 0x20 != c"p":
        return False
    return scheme_end == 4 or (scheme_end == 5 and p[4] | 0x20 == c"s")


cdef inline bint is_file(const unsigned char* p, Py_ssize_t scheme_end) noexcept nogil:
    """Return whether the scheme is "file"."""
    return scheme_end == 4 and p[0] | 0x20 == c"f" and p[1] | 0x20 == c"i" and p[2] | 0x20 == c"l" and p[3] | 0x20 == c"e"


cdef enum:
    # The normalization step of a scheme, in addition to the generic rules.
    GENERIC = 0
    OF_FILES = 1
    OF_ITS_OWN = 2  # implemented in Python only

cdef enum:
    LONGEST_SCHEME = 27
    SCHEME_SLOTS = 2048  # more than twice the number of schemes

cdef struct Rules:
    # The rules of a scheme for scheme-based normalization.
    unsigned char name[LONGEST_SCHEME + 1]
    int32_t length
    int32_t port  # the default port, or -1
    int8_t slash  # whether an empty path is equivalent to "/"
    int8_t step
    int8_t compared  # whether URIs in normal form are compared as strings

cdef Rules SCHEME_RULES[SCHEME_SLOTS]
cdef Rules OTHER_RULES  # the rules of unknown schemes
cdef bint knows_schemes = False


def know_schemes():
    """Load the rules of all schemes of the registry, if they are not loaded."""
    global knows_schemes
    cdef Rules* found
    cdef bytes octets
    if knows_schemes:
        return
    # Another thread may do the same, which does no harm: it writes the same values.
    for name, port, slash, step, compared in call_reference("schemes.rules_for_kernel"):
        octets = name.encode()
        if len(octets) <= LONGEST_SCHEME:
            found = slot_of(octets, len(octets))
            memcpy(found.name, <const unsigned char*>octets, len(octets))
            found.port, found.slash, found.step, found.compared = port, slash, step, compared
            found.length = len(octets)
    OTHER_RULES.port, OTHER_RULES.slash, OTHER_RULES.step, OTHER_RULES.compared = -1, True, GENERIC, True
    knows_schemes = True


cdef Rules* slot_of(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return the slot of a lower-case scheme in the hash table; the slot of unknown schemes is empty."""
    cdef uint32_t key = 0
    cdef Py_ssize_t i
    for i in range(n):
        key = key * 31 + p[i]
    # There are always empty slots, so the loop terminates.
    while True:
        key %= SCHEME_SLOTS
        if SCHEME_RULES[key].length == 0 or (SCHEME_RULES[key].length == n and memcmp(SCHEME_RULES[key].name, p, n) == 0):
            return &SCHEME_RULES[key]
        key += 1


cdef Rules* rules_of(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return the rules of a lower-case scheme, or NULL if the scheme is longer than all known ones."""
    cdef Rules* found
    if n > LONGEST_SCHEME:
        return NULL
    found = slot_of(p, n)
    return found if found.length else &OTHER_RULES


cdef Py_ssize_t scheme_based(unsigned char* p, Py_ssize_t n, Scan* at) noexcept nogil:
    """Apply the rules of the scheme in place to a string in normal form; see `by_rules`."""
    cdef Rules rules
    cdef Rules* found
    cdef unsigned char name[LONGEST_SCHEME + 1]
    cdef int k
    if at.scheme_end < 0:
        if at.authority < 0:
            return n
        # The scheme of a relative reference depends on its base URI, so only its port is normalized.
        rules = OTHER_RULES
        rules.slash = False
        return by_rules(p, n, at, &rules)
    if at.scheme_end > LONGEST_SCHEME:
        return -1
    for k in range(at.scheme_end):
        name[k] = lower(p[k])
    found = rules_of(name, at.scheme_end)
    return by_rules(p, n, at, found)


cdef bint is_compared_as_string(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether URIs in normal form with the scheme and the host of `p` are compared as strings.

    Percent-encoded hosts may be domain names, which have another form in ASCII.
    """
    if at.scheme_end < 0:
        return True
    if at.scheme_end > LONGEST_SCHEME or memchr(p + at.host, c"%", at.host_end - at.host) is not NULL:
        return False
    return rules_of(p, at.scheme_end).compared


cdef Py_ssize_t by_rules(unsigned char* p, Py_ssize_t n, Scan* at, Rules* rules) noexcept nogil:
    """Apply the rules of a scheme in place to a string in normal form; return the new length.

    Returns -1 if the scheme requires the Python function. The buffer must have room for one more byte.
    A string without an authority does not change.
    """
    cdef Py_ssize_t i, k, digits
    cdef int number = 0
    if at.authority < 0:
        return -1 if rules.step == OF_ITS_OWN else n
    if at.host_end < at.path:
        i = at.host_end + 1
        while i < at.path - 1 and p[i] == c"0":
            i += 1
        digits = at.path - i
        if 0 < digits <= 5:
            for k in range(i, at.path):
                number = number * 10 + (p[k] - c"0")
        if digits == 0 or (digits <= 5 and number == rules.port):
            i, digits = at.path, 0
            k = at.host_end
        else:
            k = at.host_end + 1
        memmove(p + k, p + i, n - i)
        shift(at, k - i)
        n += k - i
    if at.path == at.path_end and rules.slash:
        memmove(p + at.path + 1, p + at.path, n - at.path)
        p[at.path] = c"/"
        n += 1
        at.path_end += 1
        at.query_end += 1
    if rules.step == OF_FILES:
        if at.host == at.host_end or at.host > at.authority or at.host_end < at.path:
            return n
        if at.path_end - at.path >= 2 and p[at.path] == c"/" and p[at.path + 1] == c"/":
            return n
        # Remove the host `localhost`, in upper or lower case. A host with triplets requires the Python
        # function.
        if is_localhost(p, at):
            memmove(p + at.host, p + at.host_end, n - at.host_end)
            n -= at.host_end - at.host
            shift(at, at.host - at.host_end)
            at.host_end = at.host
            return n
        return -1 if memchr(p + at.host, c"%", at.host_end - at.host) is not NULL else n
    return -1 if rules.step == OF_ITS_OWN else n


cdef inline void shift(Scan* at, Py_ssize_t by) noexcept nogil:
    """Shift the bounds that follow the port."""
    at.path += by
    at.path_end += by
    at.query_end += by


cdef bint is_by_rules(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether the rules of its scheme certainly do not change a string in normal form.

    Only the schemes http, https and file are supported; false for all others.
    """
    if at.scheme_end == 4 and at.authority >= 0 and memcmp(p, b"file", 4) == 0:
        return at.host == at.host_end == at.path and at.path < at.path_end
    if not is_web(p, at.scheme_end):
        return False
    return at.authority >= 0 and at.host_end == at.path and at.path < at.path_end


cdef bint is_default_port(const unsigned char* p, Py_ssize_t i, Scan* at) noexcept nogil:
    """Return whether the port that begins at `i` is the default port of http or https."""
    if at.scheme_end == 4:
        return at.path - i == 2 and p[i] == c"8" and p[i + 1] == c"0"
    return at.path - i == 3 and p[i] == c"4" and p[i + 1] == c"4" and p[i + 2] == c"3"


cdef str web_origin(const unsigned char* p, Scan* at):
    """Return the origin of an http or https URI (RFC 6454, 6.2).

    Return `None` for other schemes, and for hosts that require the Python function: IP literals, and
    hosts with percent-encoded triplets.
    """
    cdef Py_ssize_t i, port = at.path, host = at.host_end - at.host, w
    cdef unsigned char* out
    cdef str found
    if not is_web(p, at.scheme_end) or at.authority < 0 or host == 0:
        return None
    if p[at.host] == c"[" or memchr(p + at.host, c"%", host) is not NULL:
        return None
    if at.host_end + 1 < at.path:  # the port is not empty
        port = at.host_end + 1
        while port < at.path - 1 and p[port] == c"0":
            port += 1
        if is_default_port(p, port, at):
            port = at.path
    found = PyUnicode_New(at.scheme_end + 3 + host + (at.path - port) + (port < at.path), 0x7F)
    out = <unsigned char*>PyUnicode_DATA(found)
    for i in range(at.scheme_end):
        out[i] = lower(p[i])
    w = put(out, at.scheme_end, b"://", 0, 3)
    for i in range(host):
        out[w + i] = lower(p[at.host + i])
    if port < at.path:
        out[w + host] = c":"
        put(out, w + host + 1, p, port, at.path)
    return found
