# The JSON objects that `uriverse parse` prints: the compiled counterpart of `uriverse._cli.reading`.

cdef enum:
    # Longer strings are left to Python, so that the memory of a record is always small.
    LONGEST_RECORD = 1 << 20
    # More than the octets of all names, quotation marks and types.
    RECORD_FRAME = 320

cdef const unsigned char* LOWER_DIGITS = b"0123456789abcdef"

# The characters that JSON escapes with a letter, each followed by that letter.
cdef const unsigned char* SHORT_ESCAPES = b'""\\\\\bb\ff\nn\rr\tt'

cdef struct Record:
    unsigned char* p
    Py_ssize_t n
    bint ascii  # whether the URI is ASCII, so that no character of it is escaped


cdef inline void put_ascii(Record* record, const char* text) noexcept nogil:
    cdef Py_ssize_t n = strlen(text)
    memcpy(record.p + record.n, text, n)
    record.n += n


cdef inline void put_code_unit(Record* record, unsigned int c) noexcept nogil:
    cdef int k
    record.p[record.n] = c"\\"
    record.p[record.n + 1] = c"u"
    for k in range(4):
        record.p[record.n + 2 + k] = LOWER_DIGITS[c >> 4 * (3 - k) & 0x0F]
    record.n += 6


cdef void put_string(Record* record, const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Write valid UTF-8 as a JSON string in ASCII, as `json.dumps` does."""
    cdef unsigned int c
    cdef int k, length
    record.p[record.n] = c'"'
    record.n += 1
    while i < end:
        c = text[i]
        if c < 0x80:
            length = 1
        else:
            length = 2 if c < 0xE0 else 3 if c < 0xF0 else 4
            c = get_code_point(text + i, length)
        i += length
        if 0x20 <= c < 0x7F and c != c'"' and c != c"\\":
            record.p[record.n] = c
            record.n += 1
            continue
        for k in range(0, 14, 2):  # seven characters, each followed by its letter
            if SHORT_ESCAPES[k] == c:
                record.p[record.n] = c"\\"
                record.p[record.n + 1] = SHORT_ESCAPES[k + 1]
                record.n += 2
                break
        else:
            if c > 0xFFFF:
                put_code_unit(record, 0xD800 + (c - 0x10000 >> 10))  # JSON escapes are of UTF-16
                c = 0xDC00 + (c & 0x3FF)
            put_code_unit(record, c)
    record.p[record.n] = c'"'
    record.n += 1


cdef inline void put_member(
    Record* record, const char* name, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, bint is_present
) noexcept nogil:
    put_ascii(record, name)
    if not is_present:
        put_ascii(record, b"null")
    elif record.ascii:
        record.p[record.n] = c'"'
        memcpy(record.p + record.n + 1, text + i, end - i)
        record.p[record.n + end - i + 1] = c'"'
        record.n += end - i + 2
    else:
        put_string(record, text, i, end)


cdef bint put_decoded_string(
    Record* record, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, unsigned char* room
) noexcept nogil:
    """Write a name or a value of a parameter; return False if its octets are not UTF-8."""
    cdef Py_ssize_t n = decode_octets(text, i, end, True, room)
    if not is_utf8(room, n):
        return False
    put_string(record, room, 0, n)
    return True


cdef bint put_pairs(Record* record, const unsigned char* text, Py_ssize_t n, unsigned char* room) noexcept nogil:
    cdef Piece piece
    cdef bint first = True
    piece.end = -1
    while next_piece(text, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        put_ascii(record, b"[" if first else b", [")
        first = False
        if not put_decoded_string(record, text, piece.start, piece.name_end, room):
            return False
        put_ascii(record, b", ")
        if piece.name_end == piece.end:
            put_ascii(record, b"null")
        elif not put_decoded_string(record, text, piece.name_end + 1, piece.end, room):
            return False
        put_ascii(record, b"]")
    return True


cdef bint write_record(Record* record, const unsigned char* text, Py_ssize_t n, Scan* bounds, const char* kind, unsigned char* room) noexcept nogil:
    """Write the JSON object of a valid string; return False if Python must do it."""
    cdef bint authority = bounds.authority >= 0, query = bounds.path_end < bounds.query_end
    put_member(record, b'{"text": ', text, 0, n, True)
    put_ascii(record, b', "type": "')
    put_ascii(record, kind)
    put_member(record, b'", "scheme": ', text, 0, bounds.scheme_end, bounds.scheme_end >= 0)
    put_member(record, b', "authority": ', text, bounds.authority, bounds.path, authority)
    put_member(record, b', "userinfo": ', text, bounds.authority, bounds.host - 1, authority and bounds.host > bounds.authority)
    put_member(record, b', "host": ', text, bounds.host, bounds.host_end, authority)
    put_ascii(record, b', "host_kind": ')
    if not authority:
        put_ascii(record, b"null")
    elif text[bounds.host] == c"[":
        put_ascii(record, b'"IPvFuture"' if text[bounds.host + 1] | 0x20 == c"v" else b'"IPv6address"')
    else:
        put_ascii(record, b'"IPv4address"' if has_ipv4_host(text, bounds) else b'"reg-name"')
    put_member(record, b', "port": ', text, bounds.host_end + 1, bounds.path, authority and bounds.host_end < bounds.path)
    put_member(record, b', "path": ', text, bounds.path, bounds.path_end, True)
    put_member(record, b', "query": ', text, bounds.path_end + 1, bounds.query_end, query)
    put_member(record, b', "fragment": ', text, bounds.query_end + 1, n, bounds.query_end < n)
    put_ascii(record, b', "params": [')
    if query and not put_pairs(record, text + bounds.path_end + 1, bounds.query_end - bounds.path_end - 1, room):
        return False
    put_ascii(record, b'], "error": null}')
    return True


def format_record(str text, /):
    """Return the line that `uriverse parse` prints; `None` for a string that Python must describe."""
    cdef Text utf8
    cdef Scan bounds
    cdef Record record
    cdef unsigned char* room
    cdef str kind
    cdef str result = None
    if PyUnicode_GET_LENGTH(text) > LONGEST_RECORD:
        return None
    open_text(text, &utf8)
    try:
        if scan(utf8.p, utf8.n, 0, &bounds) != NOTHING:
            return None
        # At most 3 octets for an octet of the string, in three places, for one of a decoded parameter
        # and its pieces: `["", null], ` is longer than the piece and its separator.
        record.n, record.ascii = 0, PyUnicode_IS_ASCII(text)
        room = <unsigned char*>PyMem_Malloc(19 * utf8.n + RECORD_FRAME)
        if room is NULL:
            raise MemoryError
        try:
            record.p = room + utf8.n
            kind = PyType_GetName(<PyTypeObject*>types[(ASCII_ONLY if record.ascii else 0) | (NEEDS_SCHEME if bounds.scheme_end >= 0 else 0)])
            if write_record(&record, utf8.p, utf8.n, &bounds, <const char*>PyUnicode_DATA(kind), room):
                result = PyUnicode_New(record.n, 0x7F)
                memcpy(PyUnicode_DATA(result), record.p, record.n)
        finally:
            PyMem_Free(room)
    finally:
        close_text(&utf8)
    return result
