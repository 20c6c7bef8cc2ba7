# The base class of `Params`: the compiled counterpart of `uriverse._uri.pairs`.
# Other files call `decode_escaped`, `create_ascii`, `decode_data`, `write_encoded_octets`, `open_name`,
# `store_once`, `find_param`, `next_named`, `open_query`, `close_query`, `write_room`, `write_span`,
# `write_edit`, `simplify_value` and `create_pairs`.

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


cdef str decode_escaped(const unsigned char* octets, Py_ssize_t n):
    """Decode bytes as UTF-8; bytes that are not valid UTF-8 become surrogate escapes."""
    cdef str text = decode_utf8(octets, n)
    return PyUnicode_DecodeUTF8(<const char*>octets, n, "surrogateescape") if text is None else text


cdef inline str create_ascii(const unsigned char* octets, Py_ssize_t n):
    cdef str text
    if n == 1:
        return PyUnicode_FromOrdinal(octets[0])  # CPython keeps these strings
    if n == 0:
        return ""
    text = PyUnicode_New(n, 0x7F)
    memcpy(PyUnicode_DATA(text), octets, n)
    return text


cdef str decode_data(const unsigned char* text, Py_ssize_t start, Py_ssize_t end, bint is_form):
    """Decode a name or value of a query, or a segment of a path."""
    cdef unsigned char here[256]
    cdef unsigned char* out = here
    cdef unsigned char all_bits = 0
    cdef Py_ssize_t i = start
    while i < end and text[i] != c"%" and text[i] != c"+":
        all_bits |= text[i]
        i += 1
    if i == end and all_bits < 0x80:
        return create_ascii(text + start, end - start)
    if i == end:
        return decode_utf8(text + start, end - start)  # A slice of a valid query is valid UTF-8.
    if end - start > <Py_ssize_t>sizeof(here):
        out = <unsigned char*>PyMem_Malloc(end - start)
        if out is NULL:
            raise MemoryError
    try:
        return decode_escaped(out, decode_octets(text, start, end, is_form, out))
    finally:
        if out is not here:
            PyMem_Free(out)


cdef Py_ssize_t write_encoded_octets(const unsigned char* text, Py_ssize_t n, bint is_form, unsigned char* out, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if FLAGS[text[i]] & WRITTEN[is_form]:
            out[length] = text[i]
            length += 1
        elif text[i] == c" " and is_form:
            out[length] = c"+"
            length += 1
        else:
            length = write_triplet(out, length, text[i])
    return length


cdef int open_name(object name, Text* utf8) except -1:
    """Convert the name of a parameter to bytes; return False if the name cannot be encoded."""
    utf8.owned = NULL
    if type(name) is str and PyUnicode_IS_ASCII(<str>name):
        utf8.p, utf8.n = <const unsigned char*>PyUnicode_DATA(<str>name), PyUnicode_GET_LENGTH(<str>name)
        return True
    if isinstance(name, bytes):
        utf8.p = <const unsigned char*>PyBytes_AS_STRING(name)
        utf8.n = PyBytes_GET_SIZE(name)
        return True
    if not isinstance(name, str):
        raise TypeError(f"parameter name must be a str or bytes, not {type(name).__name__}")
    open_text(<str>name, utf8)
    if PyUnicode_IS_ASCII(<str>name) or not has_surrogate(utf8.p, utf8.n):
        return True
    # The bytes fit into the same memory, because a surrogate escape is one byte.
    from uriverse._uri import pairs
    escaped = pairs.try_encode(name)
    if escaped is None:
        return False
    utf8.n = PyBytes_GET_SIZE(escaped)
    memcpy(<unsigned char*>utf8.p, PyBytes_AS_STRING(escaped), utf8.n)
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
    cdef bint is_form
    cdef unsigned char delimiter

    def __cinit__(self, *given, **named):
        self.is_form = True
        self.delimiter = c"&"
        if not named and len(given) == 1 and PyUnicode_CheckExact(given[0]) and is_query(<str>given[0]):
            store_query(self, <str>given[0])
            return
        # The reference implementation validates the arguments and raises the errors.
        from uriverse._uri import pairs
        checked = pairs.Pairs(*given, **named)
        self.is_form = checked.codec == "form"
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
        return CODECS[self.is_form]

    @property
    def separator(self):
        """The separator between two parameters: `"&"` or `";"`."""
        return "&" if self.delimiter == c"&" else ";"

    def _with_query(self, str query):
        return create_pairs(type(self), query, self.is_form, self.delimiter)

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
        cdef Text utf8
        cdef Piece piece
        cdef Py_ssize_t count = 0
        if self.decoded is not NULL:
            return PyList_GET_SIZE(<list>self.decoded)
        if <str>self.held is None:
            return 0
        open_text(<str>self.held, &utf8)
        piece.end = -1
        while next_piece(utf8.p, utf8.n, self.delimiter, &piece):
            count += piece.end > piece.start
        close_text(&utf8)
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


cdef inline bint is_named(const unsigned char* text, Piece* piece, bint is_form, Text* name) noexcept nogil:
    return piece.end > piece.start and decodes_to(text, piece.start, piece.name_end, is_form, name.p, name.n)


cdef bint has_value(const unsigned char* text, Piece* piece, bint is_form, object value) except -1:
    """Return whether a piece already has this value; without "=", both `None` and "" count."""
    cdef Text encoded
    if value is None:
        return piece.name_end == piece.end
    open_data(value, &encoded)
    cdef bint same = decodes_to(text, min(piece.name_end + 1, piece.end), piece.end, is_form, encoded.p, encoded.n)
    close_text(&encoded)
    return same


cdef list decode_pairs(Pairs self):
    """Return the list of `_decode_pairs`, which is decoded on the first call."""
    cdef Text utf8
    cdef Piece piece
    cdef list decoded_pairs
    with critical_section(self):
        if self.decoded is not NULL:
            return <list>self.decoded
    decoded_pairs = []
    if <str>self.held is not None:
        open_text(<str>self.held, &utf8)
        piece.end = -1
        try:
            while next_piece(utf8.p, utf8.n, self.delimiter, &piece):
                if piece.end > piece.start:
                    decoded_pairs.append(
                        (decode_data(utf8.p, piece.start, piece.name_end, self.is_form), decode_value(utf8.p, &piece, self.is_form))
                    )
        finally:
            close_text(&utf8)
    return <list>store_once(self, &self.decoded, decoded_pairs)


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


cdef object store_once(owner, PyObject** slot, created):
    """Store an object until its owner is deallocated; return the one of another thread that was faster."""
    with critical_section(owner):
        if slot[0] is NULL:
            Py_INCREF(created)
            slot[0] = <PyObject*>created
        return <object>slot[0]


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
    cdef Text utf8, wanted
    cdef Piece piece
    cdef list values
    if count_lookup(self):
        values = look_up(self, name)
        return [] if values is None else values[:]
    values = []
    utf8.owned = wanted.owned = NULL
    piece.end = -1
    try:
        if not open_name(name, &wanted) or <str>self.held is None:
            return values
        open_text(<str>self.held, &utf8)
        while next_named(&utf8, self.delimiter, self.is_form, &wanted, &piece):
            values.append(decode_value(utf8.p, &piece, self.is_form))
        return values
    finally:
        close_text(&utf8)
        close_text(&wanted)


cdef str get_first_value(Pairs self, name):
    """Return the value of the first parameter with a name, or `None`."""
    cdef Text utf8, wanted
    cdef Piece piece
    cdef str held = <str>self.held
    cdef list values
    if count_lookup(self):
        values = look_up(self, name)
        return None if values is None else <str>PyList_GET_ITEM(values, 0)
    if type(name) is str and PyUnicode_IS_ASCII(<str>name) and held is not None and PyUnicode_IS_ASCII(held):
        utf8.p, utf8.n = <const unsigned char*>PyUnicode_DATA(held), PyUnicode_GET_LENGTH(held)
        wanted.p, wanted.n = <const unsigned char*>PyUnicode_DATA(<str>name), PyUnicode_GET_LENGTH(<str>name)
        return decode_value(utf8.p, &piece, self.is_form) if find_param(&utf8, self.delimiter, self.is_form, &wanted, &piece) else None
    utf8.owned = wanted.owned = NULL
    try:
        if not open_name(name, &wanted) or held is None:
            return None
        open_text(held, &utf8)
        if not find_param(&utf8, self.delimiter, self.is_form, &wanted, &piece):
            return None
        return decode_value(utf8.p, &piece, self.is_form)
    finally:
        close_text(&utf8)
        close_text(&wanted)


cdef inline bint find_param(Text* utf8, unsigned char separator, bint is_form, Text* name, Piece* piece) noexcept nogil:
    piece.end = -1
    return next_named(utf8, separator, is_form, name, piece)


cdef bint next_named(Text* query, unsigned char separator, bint is_form, Text* name, Piece* piece) noexcept nogil:
    """Move to the next piece with a name, and return whether there is one; compare each name before its end is known."""
    cdef Py_ssize_t i, k
    cdef unsigned char octet
    while piece.end < query.n:
        i, k, piece.start = piece.end + 1, 0, piece.end + 1
        while i < query.n and k < name.n and query.p[i] != separator and query.p[i] != c"=":
            octet = query.p[i]
            if octet == c"%":
                octet = decode_triplet(query.p + i)
            elif octet == c"+" and is_form:
                octet = c" "
            if octet != name.p[k]:
                break
            i += 3 if query.p[i] == c"%" else 1
            k += 1
        piece.name_end = i
        piece.end = find_octet(query.p, i, query.n, separator)
        if k == name.n and piece.end > piece.start and (i == piece.end or query.p[i] == c"="):
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

cdef struct Output:
    # An edited query. `out` is `here` or allocated memory, with room for `room` bytes.
    unsigned char* out
    Py_ssize_t n, room
    bint is_form
    unsigned char delimiter
    bint begun  # whether a separator is needed before the next parameter
    unsigned char here[1024]


cdef inline void open_query(Output* output, bint is_form, unsigned char delimiter) noexcept:
    output.out = output.here
    output.n = 0
    output.room = sizeof(output.here)
    output.is_form = is_form
    output.delimiter = delimiter
    output.begun = False


cdef inline void close_query(Output* output) noexcept:
    if output.out is not output.here:
        PyMem_Free(output.out)


cdef inline int write_room(Output* output, Py_ssize_t n, int unit_size) except -1:
    """Make room for `unit_size` bytes for each of `n` units, and for eight bytes more."""
    cdef Py_ssize_t more = measure_room(n, unit_size), room
    cdef unsigned char* out
    if 0 <= more <= output.room - output.n:
        return 0
    # Twice as much, so that many small steps copy the query only a few times.
    room = measure_room(output.n + more, 2) if 0 <= more <= PY_SSIZE_T_MAX - output.n else -1
    out = NULL if room < 0 else <unsigned char*>PyMem_Malloc(room)
    if out is NULL:
        raise MemoryError
    memcpy(out, output.out, output.n)
    close_query(output)
    output.out = out
    output.room = room
    return 0


cdef inline int write_span(Output* output, const unsigned char* text, Py_ssize_t start, Py_ssize_t end) except -1:
    write_room(output, end - start, 1)
    output.n = put(output.out, output.n, text, start, end)
    return 0


cdef inline int write_separator(Output* output) except -1:
    """Write a separator, except before the first piece."""
    if output.begun:
        write_room(output, 0, 1)
        output.out[output.n] = output.delimiter
        output.n += 1
    output.begun = True
    return 0


cdef inline int write_encoded_data(Output* output, Text* utf8) except -1:
    """Write the encoded form of data; encoding makes a byte three bytes at most."""
    write_room(output, utf8.n, 3)
    output.n = write_encoded_octets(utf8.p, utf8.n, output.is_form, output.out, output.n)
    return 0


cdef int write_value(Output* output, Text* name, value) except -1:
    """Write "=" and the encoded value, or nothing for `None`. The name is already written."""
    cdef Text encoded
    if value is None:
        if name.n == 0:
            from uriverse._uri import pairs
            pairs.join_piece("", None)
        return 0
    open_data(value, &encoded)
    try:
        write_room(output, 0, 1)
        output.out[output.n] = c"="
        output.n += 1
        write_encoded_data(output, &encoded)
    finally:
        close_text(&encoded)
    return 0


cdef int write_param(Output* output, name, values) except -1:
    """Write a parameter for each of one or more values of a name."""
    cdef Text encoded_name
    check_name(name)
    value = simplify_value(values)
    cdef list value_list = convert_values(name, values) if value is ... else None
    open_data(name, &encoded_name)
    try:
        if value_list is None:
            write_separator(output)
            write_encoded_data(output, &encoded_name)
            write_value(output, &encoded_name, value)
            return 0
        for value in value_list:
            write_separator(output)
            write_encoded_data(output, &encoded_name)
            write_value(output, &encoded_name, value)
    finally:
        close_text(&encoded_name)
    return 0


cdef int write_params(Output* output, source) except -1:
    if type(source) is dict:
        for name, values in (<dict>source).items():
            write_param(output, name, values)
        return 0
    if type(source) is not list and type(source) is not tuple:
        from uriverse._uri import pairs
        source = pairs.iterate_pairs(source)
    for pair in source:
        if type(pair) is not tuple or len(<tuple>pair) != 2:
            from uriverse._uri import pairs
            pair = pairs.to_pair(pair)
        write_param(output, (<tuple>pair)[0], (<tuple>pair)[1])
    return 0


cdef int write_replaced(Output* output, Text* old, name, values) except -1:
    """Write the old query with other values of a name."""
    cdef Text encoded_name
    cdef Piece piece
    cdef Py_ssize_t k, old_count = 0, used = 0, value_count, kept = 0
    check_name(name)
    cdef list new = convert_values(name, values)
    value_count = len(new)
    open_data(name, &encoded_name)
    try:
        piece.end = -1
        # The number of parameters with this name matters only if values could remain.
        while value_count > 1 and next_named(old, output.delimiter, output.is_form, &encoded_name, &piece):
            old_count += 1
        piece.end = -1
        while next_named(old, output.delimiter, output.is_form, &encoded_name, &piece):
            if kept < piece.start:
                write_separator(output)
                write_span(output, old.p, kept, piece.start - 1)
            kept = piece.end + 1
            old_count -= 1
            # All values that remain follow the last parameter of the name.
            for k in range(value_count - used if old_count == 0 else min(value_count - used, 1)):
                write_separator(output)
                value = new[used]
                used += 1
                if k == 0 and has_value(old.p, &piece, output.is_form, value):
                    write_span(output, old.p, piece.start, piece.end)
                else:
                    write_span(output, old.p, piece.start, piece.name_end)
                    write_value(output, &encoded_name, value)
        if kept <= old.n and old.n > 0:
            write_separator(output)
            write_span(output, old.p, kept, old.n)
        for k in range(used, value_count):
            # If the query ends with a separator, write the new piece after that separator.
            output.begun = output.n > 0 and output.out[output.n - 1] != output.delimiter
            write_separator(output)
            write_encoded_data(output, &encoded_name)
            write_value(output, &encoded_name, new[k])
    finally:
        close_text(&encoded_name)
    return 0


cdef int write_remaining(Output* output, Text* old, tuple names) except -1:
    """Write the old query without the parameters that have one of the given names."""
    cdef Text[FEW] wanted
    cdef Piece piece
    cdef Py_ssize_t k, opened = 0
    cdef bint is_named_here
    cdef set name_set = None
    try:
        if len(names) > FEW:
            from uriverse._uri import pairs
            name_set = {pairs.convert_name(name) for name in names}
        else:
            for name in names:
                if open_name(name, &wanted[opened]):
                    opened += 1
                else:
                    close_text(&wanted[opened])
        piece.end = -1
        while old.n > 0 and next_piece(old.p, old.n, output.delimiter, &piece):
            if name_set is not None:
                is_named_here = piece.end > piece.start and decode_data(old.p, piece.start, piece.name_end, output.is_form) in name_set
            else:
                is_named_here = False
                for k in range(opened):
                    is_named_here = is_named_here or is_named(old.p, &piece, output.is_form, &wanted[k])
            if not is_named_here:
                write_separator(output)
                write_span(output, old.p, piece.start, piece.end)
    finally:
        for k in range(opened):
            close_text(&wanted[k])
    return 0


cdef bint write_edit(Output* output, Text* old, bint present, int edit, first, second) except -1:
    """Return whether the result has a query; `present` tells whether there is an old one.

    `edit` is `SET` or `ADD`, with a name and its values; `REMOVE`, with a tuple of names; or `BUILD`,
    with a mapping or pairs.
    """
    if edit == SET:
        write_replaced(output, old, first, second)
        return output.begun or (present and old.n == 0)
    if edit == ADD:
        write_span(output, old.p, 0, old.n)
        # If the query ends with a separator, write the new parameter after that separator.
        output.begun = old.n > 0 and old.p[old.n - 1] != output.delimiter
        write_param(output, first, second)
        return present or output.n > 0
    if edit == REMOVE:
        write_remaining(output, old, first)
        return output.begun or (present and old.n == 0)
    write_params(output, first)
    return output.begun


cdef Pairs edit_pairs(Pairs self, int edit, first, second):
    cdef Output output
    cdef Text old
    cdef str query = <str>self.held
    open_query(&output, self.is_form, self.delimiter)
    old.owned = NULL
    try:
        open_text("" if query is None else query, &old)
        query = decode_utf8(output.out, output.n) if write_edit(&output, &old, query is not None, edit, first, second) else None
        return create_pairs(type(self), query, self.is_form, self.delimiter)
    finally:
        close_text(&old)
        close_query(&output)


cdef inline int check_name(name) except -1:
    """Raise `TypeError` if the name of a parameter is neither `str` nor `bytes`."""
    if type(name) is not str and not isinstance(name, (str, bytes)):
        from uriverse._uri import pairs
        pairs.convert_name(name)
    return 0


cdef inline int open_data(name_or_value, Text* utf8) except -1:
    """Get the bytes of a name or a value, `str` or `bytes`; raise `BuildError` if it has none."""
    if not open_name(name_or_value, utf8):
        close_text(utf8)
        from uriverse._uri import pairs
        pairs.encode_data(name_or_value)
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


cdef list convert_values(name, values):
    """Return one value, or a sequence of values, as a list of `str`, `bytes` and `None`."""
    cdef list converted = []
    for value in values if type(values) is list or type(values) is tuple else (values,):
        value = simplify_value(value)
        if value is ...:
            from uriverse._uri import pairs
            return pairs.convert_values(values, pairs.convert_name(name))
        converted.append(value)
    return converted


cdef Pairs create_pairs(cls, str query, bint is_form, unsigned char delimiter):
    # The class method `_create` accepts any object as its class. Only write to memory of this class.
    if not (isinstance(cls, type) and PyType_IsSubtype(<PyTypeObject*>cls, <PyTypeObject*>Pairs)):
        raise TypeError(f"{cls} must be a subclass of Pairs")
    cdef Pairs self
    if cls is params_class:
        self = <Pairs>allocate_object(cls, &params_pool)
        self.asked = 0
    else:
        self = <Pairs>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
    store_query(self, query)
    self.is_form = is_form
    self.delimiter = delimiter
    return self


cdef inline void store_query(Pairs self, str query) noexcept:
    Py_INCREF(query)
    self.held = <PyObject*>query


cdef bint is_query(str text) except -1:
    cdef Text utf8
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return False
    open_text(text, &utf8)
    cdef bint is_valid = find_run_end(utf8.p, 0, IN_QUERY, UCSCHAR_OR_IPRIVATE) == utf8.n
    close_text(&utf8)
    return is_valid


cdef inline str decode_value(const unsigned char* text, Piece* piece, bint is_form):
    """Return the decoded value of a parameter; without "=", the value is empty."""
    return decode_data(text, piece.name_end + 1, piece.end, is_form) if piece.name_end < piece.end else ""


# The methods of comparisons, each at the number of its operation.
cdef tuple COMPARISONS = ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")


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

    def __richcmp__(self, other, int operation):
        return getattr(create_reference_items(self), COMPARISONS[operation])(other)

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
