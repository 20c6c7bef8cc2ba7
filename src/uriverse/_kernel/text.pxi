# Strings of Python as UTF-8 bytes: encoding, scanning, offsets in characters. The reference implementation
# needs none of this: it works on `str`.
# Other files call `as_text`, `open_text`, `reserve_text`, `open_reference`, `scan_text`,
# `convert_to_characters`, `copy_bounds`, `find_userinfo_colon`, `read_short_port`, `decode_part`, `format_call`, `get_substring`,
# `is_utf8` and `is_ascii`.

cpdef str as_text(text):
    """Convert a string, a URI or an IRI to a plain `str`, not a subclass of `str`."""
    if PyUnicode_CheckExact(text):
        return <str>text
    if isinstance(text, str):
        # A subclass of `str` may override `__str__`, so call the method of `str` itself.
        return str.__str__(text)
    if isinstance(text, Identifier):
        return <str>(<Identifier>text).held
    advice = ": decode it first" if isinstance(text, (bytes, bytearray)) else ""
    raise TypeError(f"expected a str or a URI, not {type(text).__name__}{advice}")


cdef int open_text(str text, Text* utf8) except -1:
    """Get UTF-8 for `close_text`; CPython would keep the result of its own encoding together with the string."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), room
    cdef unsigned char* octets = utf8.here
    utf8.owned = NULL
    if PyUnicode_IS_ASCII(text):
        utf8.p = <const unsigned char*>PyUnicode_DATA(text)
        utf8.n = length
        return 0
    room = measure_room(length, 4)
    if room < 0:
        raise MemoryError
    if room > <Py_ssize_t>sizeof(utf8.here):
        octets = utf8.owned = <unsigned char*>PyMem_Malloc(room)
        if octets is NULL:
            raise MemoryError
    utf8.p = octets
    if PyUnicode_KIND(text) == 1:
        utf8.n = encode_utf8(<const Py_UCS1*>PyUnicode_DATA(text), length, octets)
    elif PyUnicode_KIND(text) == 2:
        utf8.n = encode_utf8(<const Py_UCS2*>PyUnicode_DATA(text), length, octets)
    else:
        utf8.n = encode_utf8(<const Py_UCS4*>PyUnicode_DATA(text), length, octets)
    return 0


cdef inline int reserve_text(Text* utf8, size_t size) except -1:
    """Get memory for a string of that many bytes, which `close_text` releases."""
    utf8.p = utf8.here
    utf8.owned = NULL
    if size > sizeof(utf8.here):
        utf8.p = utf8.owned = <unsigned char*>PyMem_Malloc(size)
        if utf8.p is NULL:
            raise MemoryError
    return 0


cdef int open_reference(object value, str text, Text* utf8, Scan* bounds) except -1:
    """Get the UTF-8 of a value, whose string is `text`, and its bounds in bytes; raise `ParseError`."""
    cdef int invalid
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        raise_parse_error(text, 0, TEXT, LONGEST_TEXT)
    open_text(text, utf8)
    if PyUnicode_IS_ASCII(text) and isinstance(value, Identifier):
        copy_bounds(<Identifier>value, bounds)  # the bounds in characters, which are also those in bytes
        return 0
    invalid = scan(utf8.p, utf8.n, 0, bounds)
    if invalid != NOTHING:
        convert_to_characters(utf8.p, invalid, bounds)
        raise_parse_error(text, 0, invalid, bounds.position)
    return 0


cdef int scan_text(str text, int rule, Scan* bounds, bint with_places=True) except -1:
    """Return the invalid component, or NOTHING; `with_places=False` skips converting bounds to code points."""
    cdef Text utf8
    cdef int invalid
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        bounds.position = LONGEST_TEXT
        return TEXT
    if PyUnicode_IS_ASCII(text):  # the common case
        return scan(<const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), rule, bounds)
    if not rule & ASCII_ONLY and scan_characters(text, rule, bounds):
        return NOTHING
    open_text(text, &utf8)
    invalid = scan(utf8.p, utf8.n, rule, bounds)
    if with_places:
        convert_to_characters(utf8.p, invalid, bounds)
    close_text(&utf8)
    return invalid


cdef bint scan_characters(str text, int rule, Scan* bounds) except -1:
    """Return whether a string certainly matches a rule; then `bounds` are in characters.

    A fast scan treats all bytes past ASCII alike. So one byte for each character is as good as UTF-8 for it, if
    every character past ASCII is allowed in all components.
    """
    cdef Text octets
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef bint allowed
    reserve_text(&octets, n)
    if PyUnicode_KIND(text) == 1:
        allowed = replace_past_ascii(<const Py_UCS1*>PyUnicode_DATA(text), n, <unsigned char*>octets.p)
    elif PyUnicode_KIND(text) == 2:
        allowed = replace_past_ascii(<const Py_UCS2*>PyUnicode_DATA(text), n, <unsigned char*>octets.p)
    else:
        allowed = replace_past_ascii(<const Py_UCS4*>PyUnicode_DATA(text), n, <unsigned char*>octets.p)
    allowed = allowed and simd_variant.fast_scan(octets.p, n, bounds) != UNSURE
    close_text(&octets)
    return allowed and accepts(PLAIN, NULL, n, rule, bounds)


cdef bint replace_past_ascii(const Unit* text, Py_ssize_t n, unsigned char* octets) noexcept nogil:
    """Write 0x80 for each character past ASCII; return whether `ucschar` contains all of them."""
    cdef Py_ssize_t i
    cdef unsigned int c, unusual = 0
    # The first range of `ucschar` is U+00A0 to U+D7FF. Compilers turn this loop into one over many characters at a time.
    for i in range(n):
        c = text[i]
        octets[i] = c if c < 0x80 else 0x80
        unusual |= <unsigned int>(c >> 5 == 4) | <unsigned int>(c > 0xD7FF)
    if unusual:
        for i in range(n):
            if text[i] >= 0x80 and not is_in_ranges(text[i], UCSCHAR_RANGES, ucschar_count):
                return False
    return True


cdef Py_ssize_t encode_utf8(const Unit* text, Py_ssize_t length, unsigned char* octets) noexcept nogil:
    """Append a NUL; a lone surrogate becomes three bytes, of a code point that no rule allows."""
    cdef unsigned char* start = octets
    cdef Py_ssize_t i
    cdef unsigned int c
    for i in range(length):
        c = text[i]
        if c < 0x80:
            octets[0] = c
            octets += 1
        elif c < 0x800:
            octets[0] = 0xC0 | c >> 6
            octets[1] = 0x80 | c & 0x3F
            octets += 2
        elif c < 0x10000:
            octets[0] = 0xE0 | c >> 12
            octets[1] = 0x80 | c >> 6 & 0x3F
            octets[2] = 0x80 | c & 0x3F
            octets += 3
        else:
            octets[0] = 0xF0 | c >> 18
            octets[1] = 0x80 | c >> 12 & 0x3F
            octets[2] = 0x80 | c >> 6 & 0x3F
            octets[3] = 0x80 | c & 0x3F
            octets += 4
    octets[0] = 0
    return octets - start


cdef void convert_to_characters(const unsigned char* text, int invalid, Scan* bounds) noexcept nogil:
    """Convert bounds, or the position of a violation, from bytes to characters."""
    cdef Py_ssize_t shift = 0, done = 0
    cdef Py_ssize_t* offsets[6]
    cdef int k
    if invalid != NOTHING:
        bounds.position = count_characters(text, 0, bounds.position)
        return
    # The bounds from left to right. The end of the scheme is the same, because schemes are ASCII.
    offsets[:] = [&bounds.authority, &bounds.host, &bounds.host_end, &bounds.path, &bounds.path_end, &bounds.query_end]
    for k in range(6):
        if offsets[k][0] < 0:
            continue
        shift += (offsets[k][0] - done) - count_characters(text, done, offsets[k][0])
        done = offsets[k][0]
        offsets[k][0] -= shift


cdef inline void copy_bounds(Identifier self, Scan* bounds) noexcept:
    bounds.scheme_end = self.scheme_end
    bounds.authority = self.authority_start
    bounds.host = self.host_start
    bounds.host_end = self.host_end
    bounds.path = self.path_start
    bounds.path_end = self.path_end
    bounds.query_end = self.query_end


cdef Py_ssize_t find_userinfo_colon(Identifier self) noexcept:
    """Return the offset of the first colon in the userinfo, or of the end of the userinfo."""
    cdef Py_ssize_t i = self.authority_start, end = max(self.host_start - 1, i)
    cdef const unsigned char* text
    if PyUnicode_IS_ASCII(<str>self.held):
        text = <const unsigned char*>PyUnicode_DATA(<str>self.held)
        while i < end and text[i] != c":":
            i += 1
    else:
        while i < end and PyUnicode_READ_CHAR(<str>self.held, i) != c":":
            i += 1
    return i


cdef int read_short_port(Identifier self) noexcept:
    """Return the port of an ASCII string, or -1 if it has no digits or more than five."""
    cdef Py_ssize_t i = self.host_end + 1, n = self.path_start - i
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(<str>self.held)
    cdef int number = 0
    if self.host_end < 0 or n <= 0 or n > 5 or not PyUnicode_IS_ASCII(<str>self.held):
        return -1
    for i in range(i, self.path_start):
        number = number * 10 + text[i] - c"0"
    return number


cdef str decode_part(Identifier self, Py_ssize_t start, Py_ssize_t end):
    """Percent-decode a part of the userinfo; octets that are not UTF-8 become surrogate escapes."""
    cdef Text utf8
    cdef str text
    if PyUnicode_IS_ASCII(<str>self.held):
        return decode_data(<const unsigned char*>PyUnicode_DATA(<str>self.held), start, end, False)
    text = get_substring(self, start, end)  # in a variable, because `utf8` points into an ASCII string
    open_text(text, &utf8)
    try:
        return decode_data(utf8.p, 0, utf8.n, False)
    finally:
        close_text(&utf8)


cdef str format_call(str name, str text):
    """Return a call as it is written in Python, such as `URI('http://a/')`."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), length = PyUnicode_GET_LENGTH(name)
    cdef str call
    cdef unsigned char* out
    # An ASCII identifier has no character that `repr` escapes, except for the single quote.
    if not PyUnicode_IS_ASCII(name) or not PyUnicode_IS_ASCII(text) or memchr(PyUnicode_DATA(text), c"'", n) is not NULL:
        return f"{name}({text!r})"
    call = PyUnicode_New(length + n + 4, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(call)
    memcpy(out, PyUnicode_DATA(name), length)
    memcpy(out + length, "('", 2)
    memcpy(out + length + 2, PyUnicode_DATA(text), n)
    memcpy(out + length + 2 + n, "')", 2)
    return call


def draw_caret(text, Py_ssize_t position, bint before, bint after, Py_ssize_t width, /):
    """Implement `uriverse._errors.draw_caret` for printable ASCII characters; return `None` for others."""
    cdef const unsigned char* octets
    cdef Py_ssize_t n, i, start, end
    cdef str caret
    cdef unsigned char* out
    if not PyUnicode_CheckExact(text) or not PyUnicode_IS_ASCII(<str>text):
        return None
    octets, n = <const unsigned char*>PyUnicode_DATA(<str>text), PyUnicode_GET_LENGTH(<str>text)
    if position < 0 or position > n:
        return None
    start, end = max(position - width, 0), min(position + width, n)
    for i in range(start, end):
        if octets[i] < 0x20 or octets[i] == 0x7F:
            return None
    before, after = before or start > 0, after or end < n
    excerpt = PyUnicode_Substring(<str>text, start, end)
    n = 2 + before + position - start
    caret = PyUnicode_New(n + 1, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(caret)
    memset(out, c" ", n)
    out[n] = c"^"
    return f"  {'…' if before else ''}{excerpt}{'…' if after else ''}", caret


cdef inline str get_substring(Identifier self, Py_ssize_t start, Py_ssize_t end):
    return PyUnicode_Substring(<str>self.held, start, end)


cdef bint is_utf8(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef int length
    while i < n:
        if text[i] < 0x80:
            i += 1
            continue
        length = measure_character(text + i, n - i)
        if length == 0:
            return False
        i += length
    return True


cdef bint is_ascii(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef uint64_t eight, seen = 0
    while i + 8 <= n:
        memcpy(&eight, text + i, 8)
        seen |= eight
        i += 8
    while i < n:
        seen |= text[i]
        i += 1
    return not seen & 0x8080808080808080ULL


cdef int grow_scratch(Scratch* scratch, Py_ssize_t n) noexcept nogil:
    cdef unsigned char* text
    cdef Py_ssize_t room
    room = n + n // 2 + 1024
    text = <unsigned char*>realloc(scratch.p, room)
    if text is NULL:
        return NO_MEMORY
    scratch.p, scratch.room = text, room
    return DONE
