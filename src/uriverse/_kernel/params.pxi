# The base class of `Params`: the compiled counterpart of `uriverse.views.pairs`.

from cpython.bytes cimport PyBytes_FromStringAndSize
from cython cimport critical_section

# The codecs, and for each one the bit in `FLAGS` that marks the characters that it does not encode.
# The classes of the grammar do not use these bits.
CODECS = ("rfc3986", "form")
cdef uint16_t[2] WRITTEN = [0x2000, 0x4000]

# The number of lookups that search the query itself. Later lookups use a table of all names.
cdef enum:
    OFTEN = 8

cdef struct Piece:
    # The offsets of a piece between two separators. Its name ends at "=", or at the end of the piece.
    Py_ssize_t start, name_end, end


cdef inline bint next_piece(const unsigned char* p, Py_ssize_t n, unsigned char separator, Piece* piece) noexcept nogil:
    """Move to the next piece of the query; return False after the last piece."""
    cdef Py_ssize_t i = piece.end + 1
    if i > n:
        return False
    piece.start = i
    while i < n and p[i] != separator and p[i] != c"=":
        i += 1
    piece.name_end = i
    while i < n and p[i] != separator:
        i += 1
    piece.end = i
    return True


cdef inline bint stands_for(
    const unsigned char* p, Py_ssize_t i, Py_ssize_t end, bint form, const unsigned char* data, Py_ssize_t n
) noexcept nogil:
    """Return whether an encoded name or value decodes to the given bytes."""
    cdef Py_ssize_t k = 0
    cdef unsigned char octet
    while i < end and k < n:
        octet = p[i]
        if octet == c"%":
            octet = octet_of(p + i)
            i += 2
        elif octet == c"+" and form:
            octet = c" "
        if octet != data[k]:
            return False
        i += 1
        k += 1
    return i == end and k == n


cdef str data(const unsigned char* p, Py_ssize_t n):
    """Decode bytes as UTF-8; bytes that are not valid UTF-8 become surrogate escapes."""
    cdef str found = text_of(p, n)
    return PyUnicode_DecodeUTF8(<const char*>p, n, "surrogateescape") if found is None else found


cdef str data_of(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, bint form):
    """Return the decoded string of a name or a value."""
    cdef unsigned char here[256]
    cdef unsigned char* out = here
    cdef Py_ssize_t w = 0, k = i
    while k < end and p[k] != c"%" and p[k] != c"+":
        k += 1
    if k == end:
        return text_of(p + i, end - i)  # A slice of a valid query is valid UTF-8.
    if end - i > <Py_ssize_t>sizeof(here):
        out = <unsigned char*>PyMem_Malloc(end - i)
        if out is NULL:
            raise MemoryError
    try:
        while i < end:
            out[w] = p[i]
            if p[i] == c"%":
                out[w] = octet_of(p + i)
                i += 2
            elif p[i] == c"+" and form:
                out[w] = c" "
            w += 1
            i += 1
        return data(out, w)
    finally:
        if out is not here:
            PyMem_Free(out)


cdef Py_ssize_t write_data(const unsigned char* p, Py_ssize_t n, bint form, unsigned char* out, Py_ssize_t w) noexcept nogil:
    """Write the encoded form of data, and return the offset after it."""
    cdef Py_ssize_t i
    for i in range(n):
        if FLAGS[p[i]] & WRITTEN[form]:
            out[w] = p[i]
        elif p[i] == c" " and form:
            out[w] = c"+"
        else:
            out[w] = c"%"
            out[w + 1] = DIGITS[p[i] >> 4]
            out[w + 2] = DIGITS[p[i] & 0x0F]
            w += 2
        w += 1
    return w


cdef int open_name(object name, Text* t) except -1:
    """Convert the name of a parameter to bytes; return False if the name cannot be encoded."""
    t.owned = NULL
    if isinstance(name, bytes):
        t.p = <const unsigned char*>PyBytes_AS_STRING(name)
        t.n = PyBytes_GET_SIZE(name)
        return True
    if not isinstance(name, str):
        raise TypeError(f"parameter name must be a str or bytes, not {type(name).__name__}")
    open_text(<str>name, t)
    if PyUnicode_IS_ASCII(<str>name) or not has_surrogate(t.p, t.n):
        return True
    # The bytes fit into the same memory, because a surrogate escape is one byte.
    escaped = call_reference("pairs.octets_of", name)
    if escaped is None:
        return False
    t.n = PyBytes_GET_SIZE(escaped)
    memcpy(<unsigned char*>t.p, PyBytes_AS_STRING(escaped), t.n)
    return True


cdef class Pairs:
    """The base class of `Params`: a query, and how its parameters are encoded and separated."""

    # A plain pointer to a str or to None, as in `Identifier`.
    cdef PyObject* held
    # The table of all values by name; NULL until names have been looked up often.
    cdef PyObject* index
    cdef object __weakref__
    cdef int asked
    cdef bint form
    cdef unsigned char delimiter

    def __cinit__(self, *given, **named):
        self.form = True
        self.delimiter = c"&"
        if not named and len(given) == 1 and PyUnicode_CheckExact(given[0]) and is_query(<str>given[0]):
            hold(self, <str>given[0])
            return
        # The reference implementation validates the arguments and raises the errors.
        checked = call_reference("pairs.Pairs", *given, **named)
        self.form = checked.codec == "form"
        self.delimiter = ord(checked.separator)
        hold(self, checked.query)

    def __dealloc__(self):
        Py_XDECREF(self.held)
        Py_XDECREF(self.index)

    @classmethod
    def _made(type cls, str query, str codec, str separator):
        """Create an object for a string that is known to be a valid query."""
        return pairs(cls, query, codec == "form", c";" if separator == ";" else c"&")

    @property
    def query(self):
        """The query exactly as written, or `None` if the URI has no query.

        The query is also `None` after the last parameter has been removed.

        >>> from uriverse import Params
        >>> Params("a=%7e&&b").query
        'a=%7e&&b'
        """
        return <str>self.held

    @property
    def codec(self):
        """The encoding of names and values: `"form"`, in which "+" is a space, or `"rfc3986"`.

        >>> from uriverse import Params
        >>> Params("a=x+y").codec
        'form'
        """
        return CODECS[self.form]

    @property
    def separator(self):
        """The separator between two parameters: `"&"` or `";"`.

        >>> from uriverse import Params
        >>> Params("a=1;b=2", separator=";").separator
        ';'
        """
        return "&" if self.delimiter == c"&" else ";"

    def _with_query(self, str query):
        """Return a copy with the given valid query, and with the same codec and separator."""
        return pairs(type(self), query, self.form, self.delimiter)

    def _pieces(self):
        """Return the pieces of the query between separators, including empty pieces."""
        return [] if <str>self.held is None else (<str>self.held).split(self.separator)

    def _pairs(self):
        """Return the decoded name and value of every parameter in the query."""
        cdef Text t
        cdef Piece piece
        cdef list found = []
        if <str>self.held is None:
            return found
        open_text(<str>self.held, &t)
        piece.end = -1
        try:
            while next_piece(t.p, t.n, self.delimiter, &piece):
                if piece.end > piece.start:
                    found.append((data_of(t.p, piece.start, piece.name_end, self.form), value_of(t.p, &piece, self.form)))
            return found
        finally:
            close_text(&t)

    def _first(self, name, missing):
        """Return the decoded value of the first parameter with this name, or `missing`."""
        cdef Text t, wanted
        cdef Piece piece
        cdef bint often
        t.owned = wanted.owned = NULL
        piece.end = -1
        try:
            if not open_name(name, &wanted) or <str>self.held is None:
                return missing
            with critical_section(self):
                often = self.asked >= OFTEN
                if not often:
                    self.asked += 1
            if often:
                values = self._values().get(data(wanted.p, wanted.n))
                return values[0] if values else missing
            open_text(<str>self.held, &t)
            while next_piece(t.p, t.n, self.delimiter, &piece):
                if is_named(t.p, &piece, self.form, &wanted):
                    return value_of(t.p, &piece, self.form)
            return missing
        finally:
            close_text(&t)
            close_text(&wanted)

    def _values(self):
        """Return a table that maps each parameter name to the list of its values.

        The table is created on the first call. It makes it possible to look up many names in linear
        time.
        """
        cdef dict index
        with critical_section(self):
            if self.index is not NULL:
                return <dict>self.index
        index = {}
        for name, value in self._pairs():
            index.setdefault(name, []).append(value)
        with critical_section(self):
            # Keep the first table until deallocation, because another thread may be reading it.
            if self.index is NULL:
                Py_INCREF(index)
                self.index = <PyObject*>index
            return <dict>self.index

    def _put(self, name, list values):
        """Return a copy of the parameters in which a name has the given values and no others.

        For the value `None`, the parameter is written without "=".

        Raises:
            BuildError: a name or a value cannot be encoded, or an empty name has the value `None`.
        """
        cdef Text t, n, v, out
        cdef Piece piece
        cdef unsigned char* o
        cdef Py_ssize_t w = 0, k, there = 0, taken = 0, given = len(values), room
        cdef bint begun = False
        t.owned = n.owned = v.owned = out.owned = NULL
        try:
            if not open_name(name, &n):
                call_reference("pairs.octets_to_write", name)
            open_text("" if <str>self.held is None else <str>self.held, &t)
            # The result contains at most the old query and, for each value, the encoded name and
            # value, "=" and a separator. Encoding makes a byte three bytes at most.
            room = t.n + given * (3 * n.n + 2)
            for value in values:
                if open_value(value, &v):
                    room += 3 * v.n
                    close_value(&v)
                elif n.n == 0:
                    call_reference("pairs.piece_of", "", None)
            o = out.here
            if room > <Py_ssize_t>sizeof(out.here):
                o = out.owned = <unsigned char*>PyMem_Malloc(room)
                if o is NULL:
                    raise MemoryError
            piece.end = -1
            # The number of parameters with this name matters only if values could remain.
            while given > 1 and t.n > 0 and next_piece(t.p, t.n, self.delimiter, &piece):
                there += is_named(t.p, &piece, self.form, &n)
            piece.end = -1
            while t.n > 0 and next_piece(t.p, t.n, self.delimiter, &piece):
                if not is_named(t.p, &piece, self.form, &n):
                    w = put_separator(o, w, self.delimiter, begun)
                    begun = True
                    w = put(o, w, t.p, piece.start, piece.end)
                    continue
                there -= 1
                # All values that remain follow the last parameter of the name.
                for k in range(given - taken if there == 0 else min(given - taken, 1)):
                    w = put_separator(o, w, self.delimiter, begun)
                    begun = True
                    value = values[taken]
                    taken += 1
                    if k == 0 and has_value(t.p, &piece, self.form, value, &v):
                        w = put(o, w, t.p, piece.start, piece.end)
                    else:
                        w = put(o, w, t.p, piece.start, piece.name_end)
                        w = put_value(o, w, self.form, value, &v)
            for k in range(taken, given):
                # If the query ends with a separator, write the new piece after that separator.
                w = put_separator(o, w, self.delimiter, w > 0 and o[w - 1] != self.delimiter)
                begun = True
                w = write_data(n.p, n.n, self.form, o, w)
                w = put_value(o, w, self.form, values[k], &v)
            query = text_of(o, w) if begun else <str>self.held if t.n == 0 else None
            return pairs(type(self), query, self.form, self.delimiter)
        finally:
            close_text(&t)
            close_text(&n)
            close_text(&v)
            close_text(&out)


cdef inline bint is_named(const unsigned char* p, Piece* piece, bint form, Text* name) noexcept nogil:
    """Return whether a piece of the query is a parameter with this name."""
    return piece.end > piece.start and stands_for(p, piece.start, piece.name_end, form, name.p, name.n)


cdef bint has_value(const unsigned char* p, Piece* piece, bint form, object value, Text* v) except -1:
    """Return whether a piece already has this value; without "=", both `None` and "" count."""
    if value is None:
        return piece.name_end == piece.end
    open_value(value, v)
    cdef bint same = stands_for(p, min(piece.name_end + 1, piece.end), piece.end, form, v.p, v.n)
    close_value(v)
    return same


cdef inline Py_ssize_t put_separator(unsigned char* out, Py_ssize_t w, unsigned char separator, bint wanted) noexcept nogil:
    out[w] = separator
    return w + 1 if wanted else w


cdef Py_ssize_t put_value(unsigned char* out, Py_ssize_t w, bint form, object value, Text* v) except -1:
    """Write "=" and the encoded value, or nothing for `None`; return the offset after it."""
    if not open_value(value, v):
        return w
    out[w] = c"="
    w = write_data(v.p, v.n, form, out, w + 1)
    close_value(v)
    return w


cdef inline bint open_value(object value, Text* v) except -1:
    """Get the bytes of a value; return False for `None`."""
    if value is None:
        return False
    if not open_name(value, v):
        call_reference("pairs.octets_to_write", value)
    return True


cdef inline void close_value(Text* v) noexcept:
    close_text(v)
    v.owned = NULL


cdef Pairs pairs(cls, str query, bint form, unsigned char delimiter):
    """Create an object for a query that is known to be valid."""
    # The class method `_made` accepts any object as its class. Only write to memory of this class.
    if not (isinstance(cls, type) and PyType_IsSubtype(<PyTypeObject*>cls, <PyTypeObject*>Pairs)):
        raise TypeError(f"{cls} must be a subclass of Pairs")
    cdef Pairs self = <Pairs>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
    hold(self, query)
    self.form = form
    self.delimiter = delimiter
    return self


cdef inline void hold(Pairs self, str query) noexcept:
    Py_INCREF(query)
    self.held = <PyObject*>query


cdef bint is_query(str text) except -1:
    """Return whether a string is a valid query of an IRI."""
    cdef Text t
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return False
    open_text(text, &t)
    cdef bint whole = run(t.p, 0, IN_QUERY, UCSCHAR_OR_IPRIVATE) == t.n
    close_text(&t)
    return whole


cdef inline str value_of(const unsigned char* p, Piece* piece, bint form):
    """Return the decoded value of a parameter; without "=", the value is empty."""
    return data_of(p, piece.name_end + 1, piece.end, form) if piece.name_end < piece.end else ""
