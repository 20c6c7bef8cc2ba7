# The functions of `uriverse.percent`, where what is given can be had at once. All else, which
# is errors and policies, is handed over: see `load`.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE

cdef dict COMPONENT_CLASSES = {}
# What becomes of octets that are not UTF-8; where there are none, it is all the same.
cdef tuple POLICIES = ("strict", "replace", "keep", "surrogateescape")


def encode(data, component, /, *, bint iri=False):
    r"""Percent-encode data for a component ([RFC 3986, 2.4 and 2.5][1]).

    Every character that the component's rule does not allow is percent-encoded as UTF-8. The
    percent sign is always encoded, so a triplet in the data is encoded again. A surrogate escape
    (U+DC80 to U+DCFF, as produced by `os.fsdecode`) is encoded as the octet that it represents.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.4
    [2]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

    Args:
        data: a string, or octets.
        component: the rule that the result must match: `"segment"`, `"query"`,
            `"fragment"`, `"userinfo"`, `"reg-name"`, `"segment-nz-nc"` (the first segment
            of a relative path, without a colon), `"path"` (slashes are kept), or
            `"unreserved"` (only unreserved characters are kept).
        iri: whether to keep the non-ASCII characters that are allowed there in an IRI, except
            bidirectional formatting characters ([RFC 3987, 4.1][2]).

    Raises:
        BuildError: the string contains a lone surrogate that is not a surrogate escape, or
            surrogate escapes that together are valid UTF-8: decoding would return another
            string.
        TypeError: the data is neither `str` nor `bytes`.
        ValueError: the component is unknown.

    >>> encode("a b/é?", "segment"), encode("a b/é?", "query"), encode("é", "query", iri=True)
    ('a%20b%2F%C3%A9%3F', 'a%20b/%C3%A9?', 'é')
    >>> encode("\udcff", "segment")
    '%FF'
    """
    cdef Text t
    cdef str text
    cdef int allowed = NONE
    flags = COMPONENT_CLASSES.get(component) if type(component) is str else None
    if flags is None:
        return call_reference("percent.encode", data, component, iri=iri)
    if PyBytes_CheckExact(data):
        return encoded(<const unsigned char*>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), flags, NONE, None)
    if not PyUnicode_CheckExact(data):
        return call_reference("percent.encode", data, component, iri=iri)
    text = data
    if PyUnicode_IS_ASCII(text):
        return encoded(<const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), flags, NONE, text)
    if iri:
        allowed = UCSCHAR_OR_IPRIVATE if component == "query" else UCSCHAR
    open_text(text, &t)
    try:
        if has_surrogate(t.p, t.n):
            return call_reference("percent.encode", data, component, iri=iri)
        return encoded(t.p, t.n, flags, allowed, None)
    finally:
        close_text(&t)


cdef str encoded(const unsigned char* p, Py_ssize_t n, uint16_t characters, int allowed, str text):
    """Data with all encoded that is not of these characters; `text`, if it has nothing else."""
    cdef Py_ssize_t i = 0, room
    cdef unsigned char here[1024]
    cdef unsigned char* out = here
    while i < n and FLAGS[p[i]] & characters:
        i += 1
    if i == n and text is not None:
        return text
    room = room_for(n, 3)
    if room < 0:
        raise MemoryError
    if room > <Py_ssize_t>sizeof(here):
        out = <unsigned char*>PyMem_Malloc(room)
        if out is NULL:
            raise MemoryError
    try:
        n = write_encoded(p, i, n, characters, allowed, out)
        return PyUnicode_DecodeUTF8(<const char*>out, n, NULL)
    finally:
        if out is not here:
            PyMem_Free(out)


cdef Py_ssize_t write_encoded(
    const unsigned char* p, Py_ssize_t i, Py_ssize_t n, uint16_t characters, int allowed, unsigned char* out
) noexcept nogil:
    """Write data of which the first `i` bytes stand for themselves; the length."""
    cdef Py_ssize_t w = put(out, 0, p, 0, i)
    cdef int length
    while i < n:
        if FLAGS[p[i]] & characters:
            out[w] = p[i]
            w += 1
            i += 1
            continue
        # A character begins with this; the bytes after a first one that is encoded are too.
        if p[i] >= 0xC0 and allowed != NONE:
            length = length_past_ascii(p + i, allowed)
            if length > 0 and not in_ranges(code_point(p + i, length), BIDI_RANGES, bidi_count):
                w = put(out, w, p, i, i + length)
                i += length
                continue
        out[w] = c"%"
        out[w + 1] = DIGITS[p[i] >> 4]
        out[w + 2] = DIGITS[p[i] & 0x0F]
        w += 3
        i += 1
    return w


cdef bint has_surrogate(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Whether text, as `utf8` writes it, has a lone surrogate."""
    cdef Py_ssize_t i = 0
    cdef const unsigned char* found
    while True:
        found = <const unsigned char*>memchr(p + i, 0xED, n - i)
        if found is NULL:
            return False
        if found[1] >= 0xA0:
            return True
        i = found - p + 1


def decode(text, /, errors="strict"):
    r"""Percent-decode a string ([RFC 3986, 2.1][1]).

    All triplets are decoded, once. Split an identifier into components before decoding: the
    result may contain any delimiter.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        text: a component, or a part of one. Other characters represent themselves.
        errors: how octets that are not UTF-8 are decoded: `"strict"` raises, `"replace"`
            returns U+FFFD for them, `"keep"` leaves them encoded, in upper case, and
            `"surrogateescape"` returns a surrogate escape for each, which `encode` reverses.

    Raises:
        ConvertError: the encoded octets are not UTF-8, and `errors` is `"strict"`.
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.
        ValueError: the policy is unknown.

    >>> decode("caf%C3%A9%2F%2525")
    'café/%25'
    >>> decode("%FF!", errors="keep"), decode("%FF!", errors="surrogateescape")
    ('%FF!', '\udcff!')
    """
    if not PyUnicode_CheckExact(text) or errors not in POLICIES:
        return call_reference("percent.decode", text, errors)
    if PyUnicode_IS_ASCII(<str>text) and memchr(PyUnicode_DATA(<str>text), c"%", PyUnicode_GET_LENGTH(<str>text)) is NULL:
        return text
    result = rewritten(text, ALL_DECODED, False)
    return call_reference("percent.decode", text, errors) if result is None else result


def decode_bytes(text, /):
    r"""Percent-decode a string to octets ([RFC 3986, 2.1][1]).

    All triplets are decoded, once; non-ASCII characters are returned as UTF-8.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> decode_bytes("a%FFé")
    b'a\xff\xc3\xa9'
    """
    result = rewritten(text, ALL_DECODED, True) if PyUnicode_CheckExact(text) else None
    return call_reference("percent.decode_bytes", text) if result is None else result


def decode_unreserved(text, /):
    """Decode the triplets of unreserved characters ([RFC 3986, 2.3][1]).

    The result is equivalent, except for a segment `%2E` or `%2E%2E` of a relative reference:
    resolution does not treat those as dot segments.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.3

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> decode_unreserved("%7Ea%2fb%2525")
    '~a%2fb%2525'
    """
    result = rewritten(text, UNRESERVED_DECODED, False) if PyUnicode_CheckExact(text) else None
    return call_reference("percent.decode_unreserved", text) if result is None else result


def uppercase(text, /):
    """Convert the digits of all triplets to upper case ([RFC 3986, 6.2.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> uppercase("a%3ab")
    'a%3Ab'
    """
    result = rewritten(text, UPPER, False) if PyUnicode_CheckExact(text) else None
    return call_reference("percent.uppercase", text) if result is None else result


cdef object rewritten(str text, int how, bint as_bytes):
    """A text with its triplets changed; `None` where one is malformed, or there is no text in UTF-8."""
    cdef Text t
    cdef unsigned char here[1024]
    cdef unsigned char* out = here
    cdef Py_ssize_t n
    open_text(text, &t)
    try:
        if not PyUnicode_IS_ASCII(text) and has_surrogate(t.p, t.n):
            return None
        if t.n > <Py_ssize_t>sizeof(here):
            out = <unsigned char*>PyMem_Malloc(t.n)
            if out is NULL:
                raise MemoryError
        n = rewrite(t.p, 0, t.n, out, 0, how)
        if n < 0:
            return None
        if as_bytes:
            return PyBytes_FromStringAndSize(<const char*>out, n)
        return text_of(out, n)
    finally:
        if out is not here:
            PyMem_Free(out)
        close_text(&t)


cdef object text_of(const unsigned char* p, Py_ssize_t n):
    """The text that octets are in UTF-8; `None` where they are not.

    As `PyUnicode_DecodeUTF8`, which takes twice the time for a text as short as a component.
    """
    cdef Py_ssize_t i = 0, length = 0
    cdef unsigned int c, largest = 0
    cdef int size
    cdef uint64_t eight
    while i < n:
        if p[i] < 0x80:
            # Eight bytes at a time, as none of them has its high bit set.
            while i + 8 <= n:
                memcpy(&eight, p + i, 8)
                if eight & 0x8080808080808080ULL:
                    break
                i += 8
                length += 8
            if i == n or p[i] >= 0x80:
                continue
            i += 1
        else:
            size = strict_length(p + i, n - i)
            if size == 0:
                return None
            c = code_point(p + i, size)
            largest = max(largest, c)
            i += size
        length += 1
    cdef str text = PyUnicode_New(length, largest if largest else 0x7F)
    if largest < 0x80:
        memcpy(PyUnicode_DATA(text), p, n)
    elif largest < 0x100:
        widen(p, n, <Py_UCS1*>PyUnicode_DATA(text))
    elif largest < 0x10000:
        widen(p, n, <Py_UCS2*>PyUnicode_DATA(text))
    else:
        widen(p, n, <Py_UCS4*>PyUnicode_DATA(text))
    return text


cdef void widen(const unsigned char* p, Py_ssize_t n, Unit* out) noexcept nogil:
    """Write the characters of valid UTF-8, one a unit."""
    cdef Py_ssize_t i = 0, w = 0
    cdef int size
    while i < n:
        if p[i] < 0x80:
            out[w] = p[i]
            i += 1
        else:
            size = 2 if p[i] < 0xE0 else 3 if p[i] < 0xF0 else 4
            out[w] = code_point(p + i, size)
            i += size
        w += 1
