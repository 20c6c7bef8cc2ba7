# Composing URIs from components, and replacing one component: `uriverse._spec.components`.
# Other files call `replace_part`, `splice_part`, `store_component`, `format_port`, `split_components` and `compose`.

cdef struct Component:
    # A component as a slice of a string; `text` is NULL if the component is absent.
    PyObject* text
    Py_ssize_t start, n

cdef enum:
    # The seven components of a URI, in their order.
    PART_SCHEME, PART_USERINFO, PART_HOST, PART_PORT, PART_PATH, PART_QUERY, PART_FRAGMENT

PART_NUMBERS = {name: part for part, name in enumerate(COMPONENTS[1:8])}

# The delimiters before and after each of the seven components; 0 for no delimiter.
cdef const char* BEFORE = b"\0\0\0:\0?#"
cdef const char* BEHIND = b":@\0\0\0\0\0"


cdef Identifier replace_part(Identifier self, int part, text):
    cdef Component[7] parts
    cdef Identifier value
    if part == PART_PORT:
        text = format_port(text)
    if part == PART_HOST and (text is None or self.authority_start < 0):
        return None  # `replace` adds and removes authorities
    value = splice_part(self, part, text)
    if value is not None:
        return value
    split_components(self, parts)
    if not store_component(&parts[part], text):
        return None
    return compose(type(self), parts, self)


cdef Identifier splice_part(Identifier self, int part, text):
    """Validate only the new component; return `None` if that is not sufficient, or if it may be invalid."""
    cdef str held = <str>self.held, composed
    cdef const unsigned char* octets
    cdef const unsigned char* new = NULL
    cdef unsigned char* out
    cdef Py_ssize_t start, end, n, delimited_size = 0, size = 0, length, shift
    cdef Scan bounds
    cdef int32_t[8] offsets
    if not PyUnicode_IS_ASCII(held):
        return None
    if text is not None:
        if not PyUnicode_CheckExact(text) or not PyUnicode_IS_ASCII(<str>text):
            return None
        new = <const unsigned char*>PyUnicode_DATA(<str>text)
        size = PyUnicode_GET_LENGTH(<str>text)
        delimited_size = size + (BEFORE[part] != 0) + (BEHIND[part] != 0)
    n = PyUnicode_GET_LENGTH(held)
    octets = <const unsigned char*>PyUnicode_DATA(held)
    offsets[:] = [
        0, self.authority_start, self.host_start, self.host_end, self.path_start, self.path_end,
        self.query_end, n,
    ]
    # With their delimiters, the seven components cover the whole string except for "//".
    start, end = offsets[part], offsets[part + 1]
    if part == PART_SCHEME:
        end = self.scheme_end + 1  # an authority begins after the "//"
    if start < 0 or n + delimited_size > LONGEST_TEXT or not is_valid_part(self, part, new, size):
        return None
    if end - start == delimited_size and (delimited_size == 0 or memcmp(octets + start + (BEFORE[part] != 0), new, size) == 0):
        return self
    composed = PyUnicode_New(n + delimited_size - (end - start), 0x7F)
    out = <unsigned char*>PyUnicode_DATA(composed)
    length = put(out, 0, octets, 0, start)
    if new is not NULL:
        if BEFORE[part]:
            out[length] = BEFORE[part]
            length += 1
        length = put(out, length, new, 0, size)
        if BEHIND[part]:
            out[length] = BEHIND[part]
            length += 1
    put(out, length, octets, end, n)
    copy_bounds(self, &bounds)
    # All offsets after the component move by the same number.
    shift = delimited_size - (end - start)
    if part == PART_SCHEME:
        bounds.scheme_end = size
        bounds.authority = bounds.authority + shift if bounds.authority >= 0 else -1
    if part <= PART_USERINFO:
        bounds.host = bounds.host + shift if bounds.host >= 0 else -1
    if part <= PART_HOST:
        bounds.host_end = bounds.host_end + shift if bounds.host_end >= 0 else -1
    if part <= PART_PORT:
        bounds.path += shift
    if part <= PART_PATH:
        bounds.path_end += shift
    if part <= PART_QUERY:
        bounds.query_end += shift
    return derive_value(self, composed, &bounds)


cdef bint is_valid_part(Identifier self, int part, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return whether an ASCII component, followed by a NUL, is certainly valid; NULL removes it (RFC 3986, 3)."""
    cdef Py_ssize_t i = 0
    if part == PART_SCHEME:
        # Only a URI with a scheme keeps the rule for its path.
        if text is NULL or self.scheme_end < 0 or not FLAGS[text[0]] & ALPHA:
            return False
        while FLAGS[text[i]] & IN_SCHEME:
            i += 1
        return i == n
    if text is NULL:
        return part in (PART_USERINFO, PART_PORT, PART_QUERY, PART_FRAGMENT)
    if part == PART_PORT:
        while FLAGS[text[i]] & DIGIT:
            i += 1
        return i == n
    if part == PART_PATH:
        # Without an authority, other rules restrict the beginning of a path.
        return self.authority_start >= 0 and (n == 0 or text[0] == c"/") and find_run_end(text, 0, IN_PATH, NONE) == n
    if part == PART_USERINFO:
        return find_run_end(text, 0, IN_USERINFO, NONE) == n
    if part == PART_HOST:
        # An IP literal begins with "[", which no registered name contains.
        return find_run_end(text, 0, IN_REG_NAME, NONE) == n
    return find_run_end(text, 0, IN_QUERY, NONE) == n


cdef inline bint store_component(Component* part, text) noexcept:
    """Store a component that is a plain `str` or `None`; return False for other types."""
    part.start = 0
    part.text = NULL
    if text is None:
        return True
    if not PyUnicode_CheckExact(text):
        return False
    part.text = <PyObject*>text
    part.n = PyUnicode_GET_LENGTH(<str>text)
    return True


cdef object format_port(port):
    """Convert a port number to decimal digits; return any other object unchanged."""
    cdef unsigned char[5] digits
    cdef int overflow = 0, i = 5
    cdef long number
    if type(port) is not int:
        return port
    number = PyLong_AsLongAndOverflow(port, &overflow)
    if overflow or not 0 <= number <= 65535:
        return port
    while True:
        i -= 1
        digits[i] = c"0" + number % 10
        number //= 10
        if number == 0:
            return decode_utf8(digits + i, 5 - i)


cdef void split_components(Identifier self, Component* parts) noexcept:
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(<str>self.held)
    cdef bint authority = self.authority_start >= 0
    store_slice(self, &parts[PART_SCHEME], self.scheme_end >= 0, 0, self.scheme_end)
    store_slice(self, &parts[PART_USERINFO], self.host_start > self.authority_start, self.authority_start, self.host_start - 1)
    store_slice(self, &parts[PART_HOST], authority, self.host_start, self.host_end)
    store_slice(self, &parts[PART_PORT], authority and self.host_end < self.path_start, self.host_end + 1, self.path_start)
    store_slice(self, &parts[PART_PATH], True, self.path_start, self.path_end)
    store_slice(self, &parts[PART_QUERY], self.path_end < self.query_end, self.path_end + 1, self.query_end)
    store_slice(self, &parts[PART_FRAGMENT], self.query_end < n, self.query_end + 1, n)


cdef inline void store_slice(Identifier self, Component* part, bint present, Py_ssize_t start, Py_ssize_t end) noexcept:
    part.text = self.held if present else NULL
    part.start = start
    part.n = end - start


cdef Identifier compose(type cls, Component* parts, Identifier before):
    """Compose a `cls`, or the public type of the value `before`, from seven components (RFC 3986, 5.3).

    Return `None` if the string does not parse into these components, and `before` if it is its string.
    """
    cdef Scan bounds, intended
    cdef str composed
    cdef bint ascii = True, unchanged
    cdef Py_ssize_t n = 2  # for the slashes before an authority
    cdef int k
    if parts[PART_PATH].text is NULL or (parts[PART_HOST].text is NULL and (parts[PART_USERINFO].text is not NULL or parts[PART_PORT].text is not NULL)):
        return None  # the path is always present, and an authority always has a host
    for k in range(7):
        if parts[k].text is not NULL:
            n += parts[k].n + 1
            ascii = ascii and PyUnicode_IS_ASCII(<str>parts[k].text)
    if n > LONGEST_TEXT:
        return None
    composed = join_ascii_parts(parts, &intended) if ascii else join_parts(parts, &intended)
    unchanged = before is not None and composed == <str>before.held
    if unchanged:
        copy_bounds(before, &bounds)
    elif scan_text(composed, get_rule(cls), &bounds) != NOTHING:
        return None
    if (
        bounds.scheme_end != intended.scheme_end or bounds.authority != intended.authority
        or bounds.host != intended.host or bounds.host_end != intended.host_end or bounds.path != intended.path
        or bounds.path_end != intended.path_end or bounds.query_end != intended.query_end
    ):
        return None
    if unchanged:
        return before
    if before is not None:
        return derive_value(before, composed, &bounds)
    return create_value(cls, composed, &bounds) if get_public_rule(cls) >= 0 else cls(composed)


cdef Py_ssize_t measure_parts(Component* parts, Scan* bounds) noexcept:
    """Compute the offset of each component in the composed string; return its length."""
    cdef Py_ssize_t length = 0
    bounds.scheme_end = bounds.authority = bounds.host = bounds.host_end = -1
    if parts[PART_SCHEME].text is not NULL:
        bounds.scheme_end = parts[PART_SCHEME].n
        length = parts[PART_SCHEME].n + 1
    if parts[PART_HOST].text is not NULL:
        length = bounds.authority = length + 2
        if parts[PART_USERINFO].text is not NULL:
            length += parts[PART_USERINFO].n + 1
        bounds.host = length
        length = bounds.host_end = length + parts[PART_HOST].n
        if parts[PART_PORT].text is not NULL:
            length += 1 + parts[PART_PORT].n
    bounds.path = length
    length = bounds.path_end = length + parts[PART_PATH].n
    if parts[PART_QUERY].text is not NULL:
        length += 1 + parts[PART_QUERY].n
    bounds.query_end = length
    return length if parts[PART_FRAGMENT].text is NULL else length + 1 + parts[PART_FRAGMENT].n


cdef str join_ascii_parts(Component* parts, Scan* bounds):
    """Compose a string as `join_parts` does; for ASCII, without creating a string for each component."""
    cdef str composed = PyUnicode_New(measure_parts(parts, bounds), 0x7F)
    cdef unsigned char* out = <unsigned char*>PyUnicode_DATA(composed)
    cdef int k
    for k in range(7):
        if k == PART_USERINFO and parts[PART_HOST].text is not NULL:
            out[0] = out[1] = c"/"
            out += 2
        if parts[k].text is NULL:
            continue
        if BEFORE[k]:
            out[0] = BEFORE[k]
            out += 1
        memcpy(out, <const unsigned char*>PyUnicode_DATA(<str>parts[k].text) + parts[k].start, parts[k].n)
        out += parts[k].n
        if BEHIND[k]:
            out[0] = BEHIND[k]
            out += 1
    return composed


cdef str join_parts(Component* parts, Scan* bounds):
    cdef list pieces = []
    cdef int k
    measure_parts(parts, bounds)
    for k in range(7):
        if k == PART_USERINFO and parts[PART_HOST].text is not NULL:
            pieces.append("//")
        if parts[k].text is NULL:
            continue
        if BEFORE[k]:
            pieces.append(chr(BEFORE[k]))
        pieces.append(PyUnicode_Substring(<str>parts[k].text, parts[k].start, parts[k].start + parts[k].n))
        if BEHIND[k]:
            pieces.append(chr(BEHIND[k]))
    return "".join(pieces)
