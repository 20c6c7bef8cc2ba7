# Fast paths for the scheme rules of `uriverse.schemes`. No other file of the kernel contains the rules
# of a scheme.
# Other files call `is_web`, `is_file`, `load_scheme`, `apply_scheme_rules`, `is_compared_as_string`,
# `find_rules`, `follows_scheme_rules`, `is_default_port`, `compose_web_origin`, `is_localhost`,
# `follows_grammar`, `has_prefix` and `get_default_port`.


cdef bint is_web(const unsigned char* text, Py_ssize_t scheme_end) noexcept nogil:
    """Return whether the scheme is "http" or "https"."""
    if scheme_end < 4 or text[0] | 0x20 != c"h" or text[1] | 0x20 != c"t" or text[2] | 0x20 != c"t" or text[3] | 0x20 != c"p":
        return False
    return scheme_end == 4 or (scheme_end == 5 and text[4] | 0x20 == c"s")


cdef bint is_file(const unsigned char* text, Py_ssize_t scheme_end) noexcept nogil:
    return scheme_end == 4 and text[0] | 0x20 == c"f" and text[1] | 0x20 == c"i" and text[2] | 0x20 == c"l" and text[3] | 0x20 == c"e"


cdef enum:
    LONGEST_SCHEME = 27
    SCHEME_SLOTS = 2048  # more than twice the number of schemes

cdef struct Rules:
    # The rules of a scheme.
    unsigned char name[LONGEST_SCHEME + 1]
    int32_t length
    int32_t port  # the default port, or -1
    int8_t slash  # whether an empty path is equivalent to "/"
    int8_t step
    int8_t compared  # whether URIs in normal form are compared as strings
    int16_t flags
    int32_t reference  # the index of the document that defines the scheme

cdef Rules SCHEME_RULES[SCHEME_SLOTS]
cdef Rules OTHER_RULES  # the rules of unknown schemes
cdef PyObject* SCHEME_REFERENCES[SCHEME_SLOTS]  # strings that are never freed, because threads read them without a lock
cdef int knows_schemes = False, knows_web_schemes = False

# The rows of these schemes in `list_kernel_rules`. Importing the registry takes longer than most commands.
WEB_FLAGS = AUTHORITY_REQUIRED | EMPTY_HOST_FORBIDDEN | USERINFO_DEPRECATED | OWN_GRAMMAR | IS_SPECIAL
WEB_RULES = [
    ("http", 80, True, GENERIC, True, WEB_FLAGS, "RFC 9110, 4.2.1"),
    ("https", 443, True, GENERIC, True, WEB_FLAGS, "RFC 9110, 4.2.2"),
]


cdef int load_scheme(str text) except -1:
    """Load the rules for the scheme of a string: for http and https only theirs, which takes much less time."""
    cdef const unsigned char* octets
    if is_published(&knows_schemes):
        return 0
    if PyUnicode_IS_ASCII(text) and PyUnicode_GET_LENGTH(text) > 5:
        octets = <const unsigned char*>PyUnicode_DATA(text)
        if is_web(octets, 4 if octets[4] == c":" else 5 if octets[5] == c":" else 0):
            if not is_published(&knows_web_schemes):
                store_rules(WEB_RULES)
                publish(&knows_web_schemes)
            return 0
    load_schemes()
    return 0


def load_schemes():
    """Load the rules of all schemes of the registry, if they are not loaded."""
    if not is_published(&knows_schemes):
        # The web schemes come first in both calls, so that the indices of their references stay.
        from uriverse.schemes import _normalization
        rules = dict.fromkeys([*WEB_RULES, *_normalization.list_kernel_rules()])
        store_rules(list(rules))
        publish(&knows_schemes)


cdef int store_rules(list rules) except -1:
    # Another thread may do the same, which does no harm: it writes the same values.
    cdef Rules* slot
    cdef bytes octets
    cdef int count = 0
    for name, port, slash, step, compared, flags, reference in rules:
        octets = name.encode()
        if len(octets) <= LONGEST_SCHEME:
            slot = find_scheme_slot(octets, len(octets))
            memcpy(slot.name, <const unsigned char*>octets, len(octets))
            slot.port, slot.slash, slot.step, slot.compared = port, slash, step, compared
            slot.flags, slot.reference = flags, count
            if SCHEME_REFERENCES[count] is NULL:
                Py_INCREF(reference)
                SCHEME_REFERENCES[count] = <PyObject*>reference
            count += 1
            slot.length = len(octets)
    OTHER_RULES.port, OTHER_RULES.slash, OTHER_RULES.step, OTHER_RULES.compared = -1, True, GENERIC, True
    return 0


cdef Rules* find_scheme_slot(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the slot of a lower-case scheme in the hash table; the slot of unknown schemes is empty."""
    cdef uint32_t key = 0
    cdef Py_ssize_t i
    for i in range(n):
        key = key * 31 + text[i]
    # There are always empty slots, so the loop terminates.
    while True:
        key %= SCHEME_SLOTS
        if SCHEME_RULES[key].length == 0 or (SCHEME_RULES[key].length == n and memcmp(SCHEME_RULES[key].name, text, n) == 0):
            return &SCHEME_RULES[key]
        key += 1


cdef Rules* find_scheme_rules(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the rules of a lower-case scheme, or NULL if the scheme is longer than all known ones."""
    cdef Rules* rules
    if n > LONGEST_SCHEME:
        return NULL
    rules = find_scheme_slot(text, n)
    return rules if rules.length else &OTHER_RULES


cdef Py_ssize_t apply_scheme_rules(unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil:
    """Apply the rules of the scheme in place to a string in normal form; see `apply_rules`."""
    cdef Rules relative_rules
    cdef Rules* rules
    if bounds.scheme_end < 0:
        if bounds.authority < 0:
            return n
        # The scheme of a relative reference depends on its base URI, so only its port is normalized.
        relative_rules = OTHER_RULES
        relative_rules.slash = False
        return apply_rules(text, n, bounds, &relative_rules)
    rules = find_rules(text, bounds.scheme_end)
    return NO_OUTPUT if rules is NULL else apply_rules(text, n, bounds, rules)


cdef bint is_compared_as_string(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return false for percent-encoded hosts, which may be domain names with another form in ASCII."""
    if bounds.scheme_end < 0:
        return True
    if bounds.scheme_end > LONGEST_SCHEME or contains_octet(text, bounds.host, bounds.host_end, c"%"):
        return False
    return find_scheme_rules(text, bounds.scheme_end).compared


cdef Py_ssize_t apply_rules(unsigned char* text, Py_ssize_t n, Scan* bounds, Rules* rules) noexcept nogil:
    """Change a string in normal form in place, with room for one byte more; return -1 if Python must do it."""
    cdef Py_ssize_t i, k, digits
    cdef int number = 0
    if bounds.authority < 0:
        return -1 if rules.step == OF_ITS_OWN and not is_in_own_form(text, n, bounds) else n
    if bounds.host_end < bounds.path:
        i = bounds.host_end + 1
        while i < bounds.path - 1 and text[i] == c"0":
            i += 1
        digits = bounds.path - i
        if 0 < digits <= 5:
            for k in range(i, bounds.path):
                number = number * 10 + (text[k] - c"0")
        if digits == 0 or (digits <= 5 and number == rules.port):
            i, digits = bounds.path, 0
            k = bounds.host_end
        else:
            k = bounds.host_end + 1
        memmove(text + k, text + i, n - i)
        shift_path(bounds, k - i)
        n += k - i
    if bounds.path == bounds.path_end and rules.slash:
        memmove(text + bounds.path + 1, text + bounds.path, n - bounds.path)
        text[bounds.path] = c"/"
        n += 1
        bounds.path_end += 1
        bounds.query_end += 1
    if rules.step == OF_FILES:
        if bounds.host == bounds.host_end or bounds.host > bounds.authority or bounds.host_end < bounds.path:
            return n
        if bounds.path_end - bounds.path >= 2 and text[bounds.path] == c"/" and text[bounds.path + 1] == c"/":
            return n
        # Remove the host `localhost`, in upper or lower case. A host with triplets requires the Python
        # function.
        if is_localhost(text, bounds):
            memmove(text + bounds.host, text + bounds.host_end, n - bounds.host_end)
            n -= bounds.host_end - bounds.host
            shift_path(bounds, bounds.host - bounds.host_end)
            bounds.host_end = bounds.host
            return n
        return -1 if contains_octet(text, bounds.host, bounds.host_end, c"%") else n
    return -1 if rules.step == OF_ITS_OWN else n


cdef bint is_in_own_form(const unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil:
    """Return whether the step of its own certainly does not change a URI without an authority."""
    cdef Py_ssize_t i = bounds.path
    cdef bint is_tel = has_prefix(text, b"tel:", 4)
    if not follows_grammar(text, n, bounds):
        return False
    # After the namespace of a URN and the media type of a data URL, the step changes nothing.
    while i < bounds.path_end and text[i] != c":" and text[i] != c",":
        if to_lower(text[i]) != text[i] or (is_tel and not FLAGS[text[i]] & DIGIT and text[i] != c"+"):
            return False
        i += 1
    return True


cdef inline void shift_path(Scan* bounds, Py_ssize_t by) noexcept nogil:
    bounds.path += by
    bounds.path_end += by
    bounds.query_end += by


cdef Rules* find_rules(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the rules of a scheme as `find_scheme_rules`, ignoring case."""
    cdef unsigned char name[LONGEST_SCHEME]
    cdef Py_ssize_t k
    if n > LONGEST_SCHEME:
        return NULL
    for k in range(n):
        name[k] = to_lower(text[k])
    return find_scheme_rules(name, n)


cdef bint follows_scheme_rules(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return whether a string in normal form certainly remains; false for all schemes but http, https and file."""
    if bounds.scheme_end == 4 and bounds.authority >= 0 and memcmp(text, b"file", 4) == 0:
        return bounds.host == bounds.host_end == bounds.path and bounds.path < bounds.path_end
    if not is_web(text, bounds.scheme_end):
        return False
    return bounds.authority >= 0 and bounds.host_end == bounds.path and bounds.path < bounds.path_end


cdef bint is_default_port(const unsigned char* text, Py_ssize_t i, Scan* bounds) noexcept nogil:
    """Return whether the port that begins at `i` is the default port of http or https."""
    if bounds.scheme_end == 4:
        return bounds.path - i == 2 and text[i] == c"8" and text[i + 1] == c"0"
    return bounds.path - i == 3 and text[i] == c"4" and text[i + 1] == c"4" and text[i + 2] == c"3"


cdef str compose_web_origin(const unsigned char* text, Scan* bounds):
    """Return the origin of an http or https URI (RFC 6454, 6.2), or `None` if Python must do it."""
    cdef Py_ssize_t i, port = bounds.path, host_size = bounds.host_end - bounds.host, length
    cdef unsigned char* out
    cdef str origin
    if not is_web(text, bounds.scheme_end) or bounds.authority < 0 or host_size == 0:
        return None
    if text[bounds.host] == c"[" or contains_octet(text, bounds.host, bounds.host_end, c"%"):
        return None
    if bounds.host_end + 1 < bounds.path:  # the port is not empty
        port = bounds.host_end + 1
        while port < bounds.path - 1 and text[port] == c"0":
            port += 1
        if is_default_port(text, port, bounds):
            port = bounds.path
    origin = PyUnicode_New(bounds.scheme_end + 3 + host_size + (bounds.path - port) + (port < bounds.path), 0x7F)
    out = <unsigned char*>PyUnicode_DATA(origin)
    for i in range(bounds.scheme_end):
        out[i] = to_lower(text[i])
    length = put(out, bounds.scheme_end, b"://", 0, 3)
    for i in range(host_size):
        out[length + i] = to_lower(text[bounds.host + i])
    if port < bounds.path:
        out[length + host_size] = c":"
        put(out, length + host_size + 1, text, port, bounds.path)
    return origin


cdef bint is_localhost(const unsigned char* text, Scan* bounds) noexcept nogil:
    return bounds.host_end - bounds.host == 9 and has_prefix(text + bounds.host, b"localhost", 9)


# --- the grammar of schemes, for findings

cdef bint follows_grammar(const unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil:
    """Return whether a URI certainly follows the grammar of its scheme, and is one of the usual kind."""
    cdef Py_ssize_t path = bounds.path
    cdef int scheme_end = bounds.scheme_end
    if is_web(text, scheme_end):
        return True  # the only additional rule is that the host is not empty
    if is_file(text, scheme_end):
        return bounds.host_end == path and path < bounds.path_end and text[path] == c"/" and text[path + 1] != c"/"
    if bounds.path_end < bounds.query_end:
        return False
    if scheme_end == 6 and has_prefix(text, b"mailto", 6):
        return is_plain_address(text, path, bounds.path_end)
    if scheme_end == 3 and has_prefix(text, b"tel", 3):
        return is_global_number(text, path, bounds.path_end)
    if scheme_end == 3 and has_prefix(text, b"urn", 3):
        return is_plain_name(text, path, bounds.path_end)
    if scheme_end == 4 and has_prefix(text, b"data", 4):
        return is_plain_data(text, path, bounds.path_end)
    return False


cdef inline bint has_prefix(const unsigned char* text, const char* name, int length) noexcept nogil:
    """Return whether a string begins with a lower-case name, ignoring case."""
    cdef int k
    for k in range(length):
        if to_lower(text[k]) != <unsigned char>name[k]:
            return False
    return True


cdef bint is_plain_address(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path is an address of letters, digits, hyphens, underscores and single dots."""
    cdef int parts
    for parts in range(2):  # before and after the "@"
        while True:
            if not (FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"-" or text[i] == c"_"):
                return False
            while FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"-" or text[i] == c"_":
                i += 1
            if text[i] != c".":
                break
            i += 1
        if parts == 0:
            if text[i] != c"@":
                return False
            i += 1
    return i == end


cdef bint is_global_number(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path consists of a plus sign, digits and visual separators (RFC 3966, 3)."""
    cdef bint digits = False
    if text[i] != c"+":
        return False
    i += 1
    while FLAGS[text[i]] & DIGIT or text[i] in (c"-", c".", c"(", c")"):
        digits |= FLAGS[text[i]] & DIGIT != 0
        i += 1
    return digits and i == end


cdef bint is_plain_name(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path is `NID ":" NSS` (RFC 8141, 2); false for reserved NIDs, and those that `check` examines."""
    cdef Py_ssize_t start = i, size
    while FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"-":
        i += 1
    size = i - start
    if not 2 <= size <= 32 or text[start] == c"-" or text[i - 1] == c"-" or text[i] != c":":
        return False
    if size >= 4 and has_prefix(text + start, b"urn-", 4):
        return False
    if size == 4 and (has_prefix(text + start, b"uuid", 4) or has_prefix(text + start, b"isbn", 4)):
        return False
    if size == 3 and has_prefix(text + start, b"oid", 3):
        return False
    return i + 1 < end and text[i + 1] != c"/"


cdef bint is_plain_data(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path is a simple media type, possibly a charset or base64, and data (RFC 2397)."""
    cdef Py_ssize_t start, pad = 0
    cdef int k
    cdef bint base64 = False
    if text[i] != c"," and text[i] != c";":
        for k in range(2):
            start = i
            while FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] in (c"-", c"+", c"."):
                i += 1
            if i == start or (k == 0 and text[i] != c"/"):
                return False
            i += k == 0  # the slash
    if text[i] == c";" and has_prefix(text + i, b";charset=", 9):
        start = i = i + 9
        while FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"-":
            i += 1
        if i == start:
            return False
    if text[i] == c";" and has_prefix(text + i, b";base64,", 8):
        base64 = True
        i += 7
    if text[i] != c",":
        return False
    if not base64:
        return True
    i += 1
    start = i
    while FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"+" or text[i] == c"/":
        i += 1
    # RFC 4648, 3.5: the unused bits before the padding are zero. Padded data is left to Python.
    return i == end and (end - start) % 4 == 0


cdef int32_t get_default_port(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the default port of a scheme, -1 without one, or -2 if only Python knows it."""
    cdef Rules* rules = find_rules(text, n)
    return -2 if rules is NULL else rules.port
