# The base class of `Params`: the compiled counterpart of `uriverse._uri.pairs`.
# Other files call `decode_escaped`, `create_ascii`, `decode_data`, `open_name`, `store_once`,
# `open_query`, `close_query`, `write_room`, `write_span`, `write_edit`, `simplify_value` and
# `create_pairs`.

from cpython.bytes cimport PyBytes_FromStringAndSize
from cython cimport critical_section
from libc.math cimport isfinite

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1
    Py_ssize_t PyList_GET_SIZE(list)
    PyObject* PyList_GET_ITEM(list, Py_ssize_t)
    PyObject* PyDict_GetItemWithError(object, object) except? NULL
    str PyUnicode_FromOrdinal(int)

# The codecs, and for each one the bit in `FLAGS` that marks the characters that it does not encode.
# The classes of the grammar do not use these bits.
CODECS = ("rfc3986", "form")
cdef uint16_t[2] WRITTEN = [0x2000, 0x4000]

# The number of lookups that search the query itself. Later lookups use a table of all names.
cdef enum:
    OFTEN = 8


cdef str decode_escaped(const unsigned char* p, Py_ssize_t n):
    """Decode bytes as UTF-8; bytes that are not valid UTF-8 become surrogate escapes."""
    cdef str found = decode_utf8(p, n)
    return PyUnicode_DecodeUTF8(<const char*>p, n, "surrogateescape") if found is None else found


cdef inline str create_ascii(const unsigned char* p, Py_ssize_t n):
    """Return a string of ASCII bytes."""
    cdef str text
    if n == 1:
        return PyUnicode_FromOrdinal(p[0])  # CPython keeps these strings
    if n == 0:
        return ""
    text = PyUnicode_New(n, 0x7F)
    memcpy(PyUnicode_DATA(text), p, n)
    return text


cdef str decode_data(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, bint form):
    """Return the decoded string of a name or a value."""
    cdef unsigned char here[256]
    cdef unsigned char* out = here
    cdef unsigned char seen = 0
    cdef Py_ssize_t w = 0, k = i
    while k < end and p[k] != c"%" and p[k] != c"+":
        seen |= p[k]
        k += 1
    if k == end and seen < 0x80:
        return create_ascii(p + i, k - i)
    if k == end:
        return decode_utf8(p + i, end - i)  # A slice of a valid query is valid UTF-8.
    if end - i > <Py_ssize_t>sizeof(here):
        out = <unsigned char*>PyMem_Malloc(end - i)
        if out is NULL:
            raise MemoryError
    try:
        while i < end:
            out[w] = p[i]
            if p[i] == c"%":
                out[w] = decode_triplet(p + i)
                i += 2
            elif p[i] == c"+" and form:
                out[w] = c" "
            w += 1
            i += 1
        return decode_escaped(out, w)
    finally:
        if out is not here:
            PyMem_Free(out)


cdef Py_ssize_t write_encoded_octets(const unsigned char* p, Py_ssize_t n, bint form, unsigned char* out, Py_ssize_t w) noexcept nogil:
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
    from uriverse._uri import pairs
    escaped = pairs.try_encode(name)
    if escaped is None:
        return False
    t.n = PyBytes_GET_SIZE(escaped)
    memcpy(<unsigned char*>t.p, PyBytes_AS_STRING(escaped), t.n)
    return True


cdef class Pairs:
    """Pairs(query=None, /, *, codec='form', separator='&')
--

The base class of `Params`, which stores a query, its codec and its separator.
"""
    # A plain pointer to a str or to None, as in `Identifier`.
    cdef PyObject* held
    # The list of all items, and the table of all values by name; NULL until they are needed.
    cdef PyObject* decoded
    cdef PyObject* index
    cdef object __weakref__
    cdef int asked
    cdef bint form
    cdef unsigned char delimiter

    def __cinit__(self, *given, **named):
        self.form = True
        self.delimiter = c"&"
        if not named and len(given) == 1 and PyUnicode_CheckExact(given[0]) and is_query(<str>given[0]):
            store_query(self, <str>given[0])
            return
        # The reference implementation validates the arguments and raises the errors.
        from uriverse._uri import pairs
        checked = pairs.Pairs(*given, **named)
        self.form = checked.codec == "form"
        self.delimiter = ord(checked.separator)
        store_query(self, checked.query)

    def __dealloc__(self):
        Py_XDECREF(self.held)
        Py_XDECREF(self.decoded)
        Py_XDECREF(self.index)

    @classmethod
    def _create(type cls, str query, str codec, str separator):
        return create_pairs(cls, query, codec == "form", c";" if separator == ";" else c"&")

    @property
    def query(self):
        """The query exactly as written; `None` without one."""
        return <str>self.held

    @property
    def codec(self):
        """The encoding of names and values: `"form"` or `"rfc3986"`."""
        return CODECS[self.form]

    @property
    def separator(self):
        """The separator between two parameters: `"&"` or `";"`."""
        return "&" if self.delimiter == c"&" else ";"

    def _with_query(self, str query):
        return create_pairs(type(self), query, self.form, self.delimiter)

    def _split_pieces(self):
        return [] if <str>self.held is None else (<str>self.held).split(self.separator)

    def _decode_pairs(self):
        return decode_pairs(self)

    def _index_values(self):
        return get_index(self)

    def get(self, name, /, default=None):
        require_self(self, Pairs, "get")
        value = get_first_value(self, name)
        return default if value is None else value

    def getall(self, name, default=...):
        require_self(self, Pairs, "getall")
        values = get_all_values(self, name)
        if values:
            return values
        if default is ...:
            raise KeyError(name)
        return default

    def __getitem__(self, name):
        value = get_first_value(self, name)
        if value is None:
            raise KeyError(name)
        return value

    def __len__(self):
        cdef Text t
        cdef Piece piece
        cdef Py_ssize_t count = 0
        if self.decoded is not NULL:
            return PyList_GET_SIZE(<list>self.decoded)
        if <str>self.held is None:
            return 0
        open_text(<str>self.held, &t)
        piece.end = -1
        while next_piece(t.p, t.n, self.delimiter, &piece):
            count += piece.end > piece.start
        close_text(&t)
        return count

    def __contains__(self, name):
        return isinstance(name, (str, bytes)) and get_first_value(self, name) is not None

    def items(self):
        # The same as `Items(self)`, without a tuple of arguments.
        cdef Items view = <Items>(<PyTypeObject*>Items).tp_alloc(<PyTypeObject*>Items, 0)
        Py_INCREF(self)
        view.pairs = <PyObject*>self
        return view

    def with_param(self, name, value):
        require_self(self, Pairs, "with_param")
        return edit_pairs(self, SET, name, value)

    def add_param(self, name, value):
        require_self(self, Pairs, "add_param")
        return edit_pairs(self, ADD, name, value)

    def _remove(self, tuple names):
        return edit_pairs(self, REMOVE, names, None)

    def _build(self, source):
        return edit_pairs(self, BUILD, source, None)


cdef inline bint is_named(const unsigned char* p, Piece* piece, bint form, Text* name) noexcept nogil:
    """Return whether a piece of the query is a parameter with this name."""
    return piece.end > piece.start and decodes_to(p, piece.start, piece.name_end, form, name.p, name.n)


cdef bint has_value(const unsigned char* p, Piece* piece, bint form, object value) except -1:
    """Return whether a piece already has this value; without "=", both `None` and "" count."""
    cdef Text v
    if value is None:
        return piece.name_end == piece.end
    open_data(value, &v)
    cdef bint same = decodes_to(p, min(piece.name_end + 1, piece.end), piece.end, form, v.p, v.n)
    close_text(&v)
    return same


cdef list decode_pairs(Pairs self):
    """Return the list of `_decode_pairs`, which is decoded on the first call."""
    cdef Text t
    cdef Piece piece
    cdef list found
    with critical_section(self):
        if self.decoded is not NULL:
            return <list>self.decoded
    found = []
    if <str>self.held is not None:
        open_text(<str>self.held, &t)
        piece.end = -1
        try:
            while next_piece(t.p, t.n, self.delimiter, &piece):
                if piece.end > piece.start:
                    found.append(
                        (decode_data(t.p, piece.start, piece.name_end, self.form), decode_value(t.p, &piece, self.form))
                    )
        finally:
            close_text(&t)
    return <list>store_once(self, &self.decoded, found)


cdef inline dict get_index(Pairs self):
    """Return the table of `_index_values`, which is created on the first call."""
    with critical_section(self):
        if self.index is not NULL:
            return <dict>self.index
    return create_index(self)


cdef dict create_index(Pairs self):
    cdef dict index = {}
    for name, value in self._decode_pairs():
        index.setdefault(name, []).append(value)
    return <dict>store_once(self, &self.index, index)


cdef object store_once(owner, PyObject** place, made):
    """Store an object that is kept until its owner is deallocated, unless another thread was faster.

    Return the object that is stored, because other threads may be reading it.
    """
    with critical_section(owner):
        if place[0] is NULL:
            Py_INCREF(made)
            place[0] = <PyObject*>made
        return <object>place[0]


cdef inline bint count_lookup(Pairs self) noexcept:
    """Count a lookup, and return whether to use the table of all names."""
    cdef bint often
    with critical_section(self):
        often = self.asked >= OFTEN
        self.asked += not often
    return often


cdef inline list look_up(Pairs self, name):
    """Return the values of a name in the table of all names, or `None` if the name is missing."""
    # A string that cannot be encoded does not equal any decoded name.
    if type(name) is not str:
        from uriverse._uri import pairs
        name = pairs.convert_name(name)
    cdef PyObject* values = PyDict_GetItemWithError(get_index(self), name)
    return None if values is NULL else <list>values


cdef list get_all_values(Pairs self, name):
    """Return the decoded values of all parameters with this name; `[]` if it is missing."""
    cdef Text t, wanted
    cdef Piece piece
    cdef list found
    if count_lookup(self):
        found = look_up(self, name)
        return [] if found is None else found[:]
    found = []
    t.owned = wanted.owned = NULL
    piece.end = -1
    try:
        if not open_name(name, &wanted) or <str>self.held is None:
            return found
        open_text(<str>self.held, &t)
        while next_piece(t.p, t.n, self.delimiter, &piece):
            if is_named(t.p, &piece, self.form, &wanted):
                found.append(decode_value(t.p, &piece, self.form))
        return found
    finally:
        close_text(&t)
        close_text(&wanted)


cdef str get_first_value(Pairs self, name):
    """Return the decoded value of the first parameter with this name, or `None` if it is missing."""
    cdef Text t, wanted
    cdef Piece piece
    cdef str held = <str>self.held
    cdef list values
    if count_lookup(self):
        values = look_up(self, name)
        return None if values is None else <str>PyList_GET_ITEM(values, 0)
    if type(name) is str and PyUnicode_IS_ASCII(<str>name) and held is not None and PyUnicode_IS_ASCII(held):
        t.p = <const unsigned char*>PyUnicode_DATA(held)
        t.n = PyUnicode_GET_LENGTH(held)
        wanted.p = <const unsigned char*>PyUnicode_DATA(<str>name)
        wanted.n = PyUnicode_GET_LENGTH(<str>name)
        return decode_value(t.p, &piece, self.form) if find_param(&t, self.delimiter, self.form, &wanted, &piece) else None
    t.owned = wanted.owned = NULL
    try:
        if not open_name(name, &wanted) or held is None:
            return None
        open_text(held, &t)
        return decode_value(t.p, &piece, self.form) if find_param(&t, self.delimiter, self.form, &wanted, &piece) else None
    finally:
        close_text(&t)
        close_text(&wanted)


cdef inline bint find_param(Text* t, unsigned char separator, bint form, Text* name, Piece* piece) noexcept nogil:
    """Find the first parameter with a name in a query; return False if the name is missing."""
    piece.end = -1
    while next_piece(t.p, t.n, separator, piece):
        if is_named(t.p, piece, form, name):
            return True
    return False


# --- editing

# The ways to edit a query.
cdef enum:
    SET = 0  # replace the values of a name
    ADD = 1  # add parameters at the end
    REMOVE = 2  # remove some names
    BUILD = 3  # write new parameters only

# The largest number of names that are compared one by one. More names are looked up in a set.
cdef enum:
    FEW = 4

cdef struct Query:
    # An edited query. `out` is `here` or allocated memory, with room for `room` bytes.
    unsigned char* out
    Py_ssize_t n, room
    bint form
    unsigned char delimiter
    bint begun  # whether a separator is needed before the next parameter
    unsigned char here[1024]


cdef inline void open_query(Query* q, bint form, unsigned char delimiter) noexcept:
    q.out = q.here
    q.n = 0
    q.room = sizeof(q.here)
    q.form = form
    q.delimiter = delimiter
    q.begun = False


cdef inline void close_query(Query* q) noexcept:
    if q.out is not q.here:
        PyMem_Free(q.out)


cdef inline int write_room(Query* q, Py_ssize_t n, int each) except -1:
    """Make room for `each` bytes for each of `n` units, and for eight bytes more."""
    cdef Py_ssize_t more = measure_room(n, each), room
    cdef unsigned char* out
    if 0 <= more <= q.room - q.n:
        return 0
    # Twice as much, so that many small steps copy the query only a few times.
    room = measure_room(q.n + more, 2) if 0 <= more <= PY_SSIZE_T_MAX - q.n else -1
    out = NULL if room < 0 else <unsigned char*>PyMem_Malloc(room)
    if out is NULL:
        raise MemoryError
    memcpy(out, q.out, q.n)
    close_query(q)
    q.out = out
    q.room = room
    return 0


cdef inline int write_span(Query* q, const unsigned char* p, Py_ssize_t start, Py_ssize_t end) except -1:
    """Copy a span of the old query."""
    write_room(q, end - start, 1)
    q.n = put(q.out, q.n, p, start, end)
    return 0


cdef inline int write_separator(Query* q) except -1:
    """Write a separator, except before the first piece."""
    if q.begun:
        write_room(q, 0, 1)
        q.out[q.n] = q.delimiter
        q.n += 1
    q.begun = True
    return 0


cdef inline int write_encoded_data(Query* q, Text* t) except -1:
    """Write the encoded form of data; encoding makes a byte three bytes at most."""
    write_room(q, t.n, 3)
    q.n = write_encoded_octets(t.p, t.n, q.form, q.out, q.n)
    return 0


cdef int write_value(Query* q, Text* name, value) except -1:
    """Write "=" and the encoded value, or nothing for `None`. The name is already written."""
    cdef Text v
    if value is None:
        if name.n == 0:
            from uriverse._uri import pairs
            pairs.join_piece("", None)
        return 0
    open_data(value, &v)
    try:
        write_room(q, 0, 1)
        q.out[q.n] = c"="
        q.n += 1
        write_encoded_data(q, &v)
    finally:
        close_text(&v)
    return 0


cdef int write_param(Query* q, name, values) except -1:
    """Write a parameter for each of one or more values of a name."""
    cdef Text n
    check_name(name)
    value = simplify_value(values)
    cdef list several = convert_values(name, values) if value is ... else None
    open_data(name, &n)
    try:
        if several is None:
            write_separator(q)
            write_encoded_data(q, &n)
            write_value(q, &n, value)
            return 0
        for value in several:
            write_separator(q)
            write_encoded_data(q, &n)
            write_value(q, &n, value)
    finally:
        close_text(&n)
    return 0


cdef int write_params(Query* q, source) except -1:
    """Write the parameters of a mapping or of an iterable of pairs."""
    if type(source) is dict:
        for name, values in (<dict>source).items():
            write_param(q, name, values)
        return 0
    if type(source) is not list and type(source) is not tuple:
        from uriverse._uri import pairs
        source = pairs.iterate_pairs(source)
    for pair in source:
        if type(pair) is not tuple or len(<tuple>pair) != 2:
            from uriverse._uri import pairs
            pair = pairs.to_pair(pair)
        write_param(q, (<tuple>pair)[0], (<tuple>pair)[1])
    return 0


cdef int write_replaced(Query* q, Text* old, name, values) except -1:
    """Write the old query with other values of a name."""
    cdef Text n
    cdef Piece piece
    cdef Py_ssize_t k, there = 0, taken = 0, given
    check_name(name)
    cdef list new = convert_values(name, values)
    given = len(new)
    open_data(name, &n)
    try:
        piece.end = -1
        # The number of parameters with this name matters only if values could remain.
        while given > 1 and old.n > 0 and next_piece(old.p, old.n, q.delimiter, &piece):
            there += is_named(old.p, &piece, q.form, &n)
        piece.end = -1
        while old.n > 0 and next_piece(old.p, old.n, q.delimiter, &piece):
            if not is_named(old.p, &piece, q.form, &n):
                write_separator(q)
                write_span(q, old.p, piece.start, piece.end)
                continue
            there -= 1
            # All values that remain follow the last parameter of the name.
            for k in range(given - taken if there == 0 else min(given - taken, 1)):
                write_separator(q)
                value = new[taken]
                taken += 1
                if k == 0 and has_value(old.p, &piece, q.form, value):
                    write_span(q, old.p, piece.start, piece.end)
                else:
                    write_span(q, old.p, piece.start, piece.name_end)
                    write_value(q, &n, value)
        for k in range(taken, given):
            # If the query ends with a separator, write the new piece after that separator.
            q.begun = q.n > 0 and q.out[q.n - 1] != q.delimiter
            write_separator(q)
            write_encoded_data(q, &n)
            write_value(q, &n, new[k])
    finally:
        close_text(&n)
    return 0


cdef int write_remaining(Query* q, Text* old, tuple names) except -1:
    """Write the old query without the parameters that have one of the given names."""
    cdef Text[FEW] wanted
    cdef Piece piece
    cdef Py_ssize_t k, opened = 0
    cdef bint found
    cdef set many = None
    try:
        if len(names) > FEW:
            from uriverse._uri import pairs
            many = {pairs.convert_name(name) for name in names}
        else:
            for name in names:
                if open_name(name, &wanted[opened]):
                    opened += 1
                else:
                    close_text(&wanted[opened])
        piece.end = -1
        while old.n > 0 and next_piece(old.p, old.n, q.delimiter, &piece):
            if many is not None:
                found = piece.end > piece.start and decode_data(old.p, piece.start, piece.name_end, q.form) in many
            else:
                found = False
                for k in range(opened):
                    found = found or is_named(old.p, &piece, q.form, &wanted[k])
            if not found:
                write_separator(q)
                write_span(q, old.p, piece.start, piece.end)
    finally:
        for k in range(opened):
            close_text(&wanted[k])
    return 0


cdef bint write_edit(Query* q, Text* old, bint present, int edit, first, second) except -1:
    """Write an edited query.

    Args:
        old: the old query, or an empty string.
        present: whether there is an old query.
        edit: `SET` or `ADD`, with a name and its values; `REMOVE`, with a tuple of names; or `BUILD`,
            with a mapping or pairs.

    Returns:
        Whether the result has a query.
    """
    if edit == SET:
        write_replaced(q, old, first, second)
        return q.begun or (present and old.n == 0)
    if edit == ADD:
        write_span(q, old.p, 0, old.n)
        # If the query ends with a separator, write the new parameter after that separator.
        q.begun = old.n > 0 and old.p[old.n - 1] != q.delimiter
        write_param(q, first, second)
        return present or q.n > 0
    if edit == REMOVE:
        write_remaining(q, old, first)
        return q.begun or (present and old.n == 0)
    write_params(q, first)
    return q.begun


cdef Pairs edit_pairs(Pairs self, int edit, first, second):
    """Return a copy of the parameters with an edited query; see `write_edit`."""
    cdef Query q
    cdef Text old
    cdef str query = <str>self.held
    open_query(&q, self.form, self.delimiter)
    old.owned = NULL
    try:
        open_text("" if query is None else query, &old)
        query = decode_utf8(q.out, q.n) if write_edit(&q, &old, query is not None, edit, first, second) else None
        return create_pairs(type(self), query, self.form, self.delimiter)
    finally:
        close_text(&old)
        close_query(&q)


cdef inline int check_name(name) except -1:
    """Raise `TypeError` if the name of a parameter is neither `str` nor `bytes`."""
    if type(name) is not str and not isinstance(name, (str, bytes)):
        from uriverse._uri import pairs
        pairs.convert_name(name)
    return 0


cdef inline int open_data(given, Text* t) except -1:
    """Get the bytes of a name or a value, `str` or `bytes`; raise `BuildError` if it has none."""
    if not open_name(given, t):
        close_text(t)
        from uriverse._uri import pairs
        pairs.encode_data(given)
    return 0


cdef object simplify_value(value):
    """Return a value as `str`, `bytes` or `None` if that is simple; otherwise, return `...`."""
    cdef int overflow = 0
    if type(value) is str or value is None or type(value) is bytes:
        return value
    if type(value) is int:
        PyLong_AsLongLongAndOverflow(value, &overflow)
        return ... if overflow else str(value)
    if type(value) is float and isfinite(<double>value):
        return repr(value)
    return ...


cdef list convert_values(name, given):
    """Return one value, or a sequence of values, as a list of `str`, `bytes` and `None`."""
    cdef list found = []
    for value in given if type(given) is list or type(given) is tuple else (given,):
        value = simplify_value(value)
        if value is ...:
            from uriverse._uri import pairs
            return pairs.convert_values(given, pairs.convert_name(name))
        found.append(value)
    return found


cdef Pairs create_pairs(cls, str query, bint form, unsigned char delimiter):
    """Create an object for a query that is known to be valid."""
    # The class method `_create` accepts any object as its class. Only write to memory of this class.
    if not (isinstance(cls, type) and PyType_IsSubtype(<PyTypeObject*>cls, <PyTypeObject*>Pairs)):
        raise TypeError(f"{cls} must be a subclass of Pairs")
    cdef Pairs self
    if cls is params_class:
        self = <Pairs>allocate_object(cls, &kept_params)
        self.asked = 0
    else:
        self = <Pairs>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
    store_query(self, query)
    self.form = form
    self.delimiter = delimiter
    return self


cdef inline void store_query(Pairs self, str query) noexcept:
    Py_INCREF(query)
    self.held = <PyObject*>query


cdef bint is_query(str text) except -1:
    """Return whether a string is a valid query of an IRI."""
    cdef Text t
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return False
    open_text(text, &t)
    cdef bint whole = find_run_end(t.p, 0, IN_QUERY, UCSCHAR_OR_IPRIVATE) == t.n
    close_text(&t)
    return whole


cdef inline str decode_value(const unsigned char* p, Piece* piece, bint form):
    """Return the decoded value of a parameter; without "=", the value is empty."""
    return decode_data(p, piece.name_end + 1, piece.end, form) if piece.name_end < piece.end else ""


cdef class Items:

    cdef PyObject* pairs  # an owned reference; see `Identifier.held`
    cdef PyObject* found  # the set of all items; NULL until an item has been searched for

    def __cinit__(self, Pairs pairs not None, /):
        Py_INCREF(pairs)
        self.pairs = <PyObject*>pairs

    def __dealloc__(self):
        Py_XDECREF(self.pairs)
        Py_XDECREF(self.found)

    def __len__(self):
        return len(<Pairs><object>self.pairs)

    def __iter__(self):
        return iter(decode_pairs(<Pairs><object>self.pairs))

    def __contains__(self, item):
        cdef object found
        with critical_section(self):
            found = None if self.found is NULL else <object>self.found
        if found is None:
            found = store_once(self, &self.found, frozenset(decode_pairs(<Pairs><object>self.pairs)))
        try:
            return item in found
        except TypeError:  # An object that cannot be hashed is not a pair of strings.
            return False

    # The reference implementation, a `collections.abc.ItemsView`, implements sets. Its objects take
    # longer to create.

    def __repr__(self):
        return repr(create_reference_items(self))

    def isdisjoint(self, other):
        return create_reference_items(self).isdisjoint(other)

    def __lt__(self, other):
        return create_reference_items(self).__lt__(other)

    def __le__(self, other):
        return create_reference_items(self).__le__(other)

    def __eq__(self, other):
        return create_reference_items(self).__eq__(other)

    def __gt__(self, other):
        return create_reference_items(self).__gt__(other)

    def __ge__(self, other):
        return create_reference_items(self).__ge__(other)

    def __and__(self, other):
        return create_reference_items(self).__and__(other)

    def __rand__(self, other):
        return create_reference_items(self).__rand__(other)

    def __or__(self, other):
        return create_reference_items(self).__or__(other)

    def __ror__(self, other):
        return create_reference_items(self).__ror__(other)

    def __sub__(self, other):
        return create_reference_items(self).__sub__(other)

    def __rsub__(self, other):
        return create_reference_items(self).__rsub__(other)

    def __xor__(self, other):
        return create_reference_items(self).__xor__(other)

    def __rxor__(self, other):
        return create_reference_items(self).__rxor__(other)


cdef object create_reference_items(Items self):
    from uriverse._uri import pairs
    return pairs.Items(<object>self.pairs)
