# The functions of `uriverse.percent`. Errors and the handling of octets that are not UTF-8 are left
# to the reference implementation, which they import.
# Other files call `get_character_class`, `encode_octets`, `write_encoded`, `has_surrogate` and `decode_utf8`.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE

cdef dict COMPONENT_CLASSES = {}


cdef int get_character_class(component) except -1:
    return COMPONENT_CLASSES[component]
# How to handle octets that are not UTF-8. Without such octets, all of them give the same result.
cdef tuple POLICIES = ("strict", "replace", "keep", "surrogateescape")


def encode(data, component, /, *, bint iri=False):
    cdef Text utf8
    cdef str text
    cdef int allowed = NONE
    flags = COMPONENT_CLASSES.get(component) if type(component) is str else None
    if flags is not None and PyBytes_CheckExact(data):
        return encode_octets(<const unsigned char*>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), flags, NONE, None)
    if flags is None or not PyUnicode_CheckExact(data):
        from uriverse._spec import percent
        return percent.encode(data, component, iri=iri)
    text = data
    if PyUnicode_IS_ASCII(text):
        return encode_octets(<const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), flags, NONE, text)
    if iri:
        allowed = UCSCHAR_OR_IPRIVATE if component == "query" else UCSCHAR
    open_text(text, &utf8)
    try:
        if has_surrogate(utf8.p, utf8.n):
            from uriverse._spec import percent
            return percent.encode(data, component, iri=iri)
        return encode_octets(utf8.p, utf8.n, flags, allowed, None)
    finally:
        close_text(&utf8)


cdef str encode_octets(const unsigned char* octets, Py_ssize_t n, uint16_t characters, int allowed, str text):
    """Percent-encode all but a class of characters; return `text`, if given, without any to encode."""
    cdef Py_ssize_t i = 0, room
    cdef Text out
    while i < n and FLAGS[octets[i]] & characters:
        i += 1
    if i == n and text is not None:
        return text
    room = measure_room(n, 3)
    if room < 0:
        raise MemoryError
    reserve_text(&out, room)
    try:
        n = write_encoded(octets, i, n, characters, allowed, <unsigned char*>out.p)
        return PyUnicode_DecodeUTF8(<const char*>out.p, n, NULL)
    finally:
        close_text(&out)


cdef Py_ssize_t write_encoded(
    const unsigned char* text, Py_ssize_t i, Py_ssize_t n, uint16_t characters, int allowed, unsigned char* out
) noexcept nogil:
    """Write data whose first `i` bytes need no encoding; return the length of the result."""
    cdef Py_ssize_t length = put(out, 0, text, 0, i)
    cdef int size
    while i < n:
        if FLAGS[text[i]] & characters:
            out[length] = text[i]
            length += 1
            i += 1
            continue
        # The first byte of a non-ASCII character. If the character is encoded, its continuation bytes
        # are not in this branch, and are encoded one by one.
        if text[i] >= 0xC0 and allowed != NONE:
            size = measure_allowed(text + i, allowed)
            if size > 0 and not is_in_ranges(get_code_point(text + i, size), BIDI_RANGES, bidi_count):
                length = put(out, length, text, i, i + size)
                i += size
                continue
        length = write_triplet(out, length, text[i])
        i += 1
    return length


cdef bint has_surrogate(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Find a lone surrogate as `encode_utf8` writes it: 0xED, and a byte from 0xA0 on."""
    cdef Py_ssize_t i = find_octet(text, 0, n, 0xED)
    while i < n and text[i + 1] < 0xA0:
        i = find_octet(text, i + 1, n, 0xED)
    return i < n


def decode(text, /, errors="strict"):
    if not PyUnicode_CheckExact(text) or errors not in POLICIES:
        from uriverse._spec import percent
        return percent.decode(text, errors)
    if PyUnicode_IS_ASCII(<str>text) and memchr(PyUnicode_DATA(<str>text), c"%", PyUnicode_GET_LENGTH(<str>text)) is NULL:
        return text
    result = rewrite_text(text, ALL_DECODED, False)
    if result is not None:
        return result
    from uriverse._spec import percent
    return percent.decode(text, errors)


def decode_bytes(text, /):
    result = rewrite_text(text, ALL_DECODED, True) if PyUnicode_CheckExact(text) else None
    if result is not None:
        return result
    from uriverse._spec import percent
    return percent.decode_bytes(text)


def decode_unreserved(text, /):
    result = rewrite_text(text, UNRESERVED_DECODED, False) if PyUnicode_CheckExact(text) else None
    if result is not None:
        return result
    from uriverse._spec import percent
    return percent.decode_unreserved(text)


def uppercase(text, /):
    result = rewrite_text(text, UPPER, False) if PyUnicode_CheckExact(text) else None
    if result is not None:
        return result
    from uriverse._spec import percent
    return percent.uppercase(text)


cdef object rewrite_text(str text, int triplet_flags, bint as_bytes):
    """Return a `str`, or `bytes` if `as_bytes` is true.

    Return `None` if a triplet is malformed, the string contains a lone surrogate, or the result is not UTF-8.
    """
    cdef Text utf8, out
    cdef Py_ssize_t n
    out.owned = NULL
    open_text(text, &utf8)
    try:
        if not PyUnicode_IS_ASCII(text) and has_surrogate(utf8.p, utf8.n):
            return None
        reserve_text(&out, utf8.n)
        n = rewrite_triplets(utf8.p, 0, utf8.n, <unsigned char*>out.p, 0, triplet_flags)
        if n < 0:
            return None
        if as_bytes:
            return PyBytes_FromStringAndSize(<const char*>out.p, n)
        return decode_utf8(out.p, n)
    finally:
        close_text(&out)
        close_text(&utf8)


cdef object decode_utf8(const unsigned char* octets, Py_ssize_t n):
    """Return `None` if the octets are not UTF-8; for short strings twice as fast as `PyUnicode_DecodeUTF8`."""
    cdef Py_ssize_t i = 0, length = 0
    cdef unsigned int c, largest = 0
    cdef int size
    cdef uint64_t eight
    while i < n:
        if octets[i] < 0x80:
            # Skip eight bytes at a time while none of them has its high bit set.
            while i + 8 <= n:
                memcpy(&eight, octets + i, 8)
                if eight & 0x8080808080808080ULL:
                    break
                i += 8
                length += 8
            if i == n or octets[i] >= 0x80:
                continue
            i += 1
        else:
            size = measure_character(octets + i, n - i)
            if size == 0:
                return None
            c = get_code_point(octets + i, size)
            largest = max(largest, c)
            i += size
        length += 1
    cdef str text = PyUnicode_New(length, largest if largest else 0x7F)
    if largest < 0x80:
        memcpy(PyUnicode_DATA(text), octets, n)
    elif largest < 0x100:
        decode_into(octets, n, <Py_UCS1*>PyUnicode_DATA(text))
    elif largest < 0x10000:
        decode_into(octets, n, <Py_UCS2*>PyUnicode_DATA(text))
    else:
        decode_into(octets, n, <Py_UCS4*>PyUnicode_DATA(text))
    return text


cdef void decode_into(const unsigned char* text, Py_ssize_t n, Unit* out) noexcept nogil:
    """Decode valid UTF-8 into an array of code points."""
    cdef Py_ssize_t i = 0, length = 0
    cdef int size
    while i < n:
        if text[i] < 0x80:
            out[length] = text[i]
            i += 1
        else:
            size = 2 if text[i] < 0xE0 else 3 if text[i] < 0xF0 else 4
            out[length] = get_code_point(text + i, size)
            i += size
        length += 1
