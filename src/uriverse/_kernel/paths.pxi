# Names and segments of the path, for URIs and IRIs that are ASCII strings. Others are left to Python.
# Other files call `shorten_path`, `get_parent`, `read_path_property`, `replace_name`, `replace_segments`,
# `append_segments` and `get_segments`.


cdef tuple split_path(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, bint decode):
    """Return the segments of a path, which is ASCII if they are not to be decoded."""
    cdef Py_ssize_t count = 1, k, segment_end
    cdef tuple segments
    cdef str segment
    if i == end:
        return ()
    for k in range(i, end):
        count += text[k] == c"/"
    segments = PyTuple_New(count)
    for k in range(count):
        segment_end = find_octet(text, i, end, c"/")
        segment = decode_data(text, i, segment_end, False) if decode else create_ascii(text + i, segment_end - i)
        Py_INCREF(segment)
        PyTuple_SET_ITEM(segments, k, segment)  # it takes over a reference
        i = segment_end + 1
    return segments


cdef tuple split_suffixes(const unsigned char* text, Py_ssize_t i, Py_ssize_t end):
    """Return all file extensions of a name without "%"."""
    cdef list suffixes = []
    cdef Py_ssize_t start
    if i < end and text[end - 1] == c".":
        return ()
    while i < end and text[i] == c".":
        i += 1
    while True:
        start = i
        i += 1
        while i < end and text[i] != c".":
            i += 1
        if text[start] == c".":  # false for the stem only
            suffixes.append(create_ascii(text + start, i - start))
        if i >= end:
            return tuple(suffixes)


cdef Identifier shorten_path(Identifier self, Py_ssize_t length):
    cdef Py_ssize_t end = self.path_start + length
    cdef Scan bounds
    if end >= PyUnicode_GET_LENGTH(<str>self.held):
        return self
    copy_bounds(self, &bounds)
    bounds.path_end = bounds.query_end = end
    return derive_value(self, get_substring(self, 0, end), &bounds)


cdef Identifier get_parent(Identifier self):
    """Return the parent of a value, or `None` if Python must find it."""
    cdef Py_ssize_t length
    if not PyUnicode_IS_ASCII(<str>self.held):
        return None
    length = find_name_start(<const unsigned char*>PyUnicode_DATA(<str>self.held), self.path_start, self.path_end)
    length -= self.path_start
    # The slash before the name is removed, except for one at the start of the path.
    return shorten_path(self, length - (length > 1))


cdef object read_path_property(const unsigned char* text, Py_ssize_t start, Py_ssize_t end, int task):
    """Return a property of an ASCII path, or `None` if the Python function must compute it."""
    cdef Py_ssize_t name, suffix
    if task == RAW_SEGMENTS:
        return split_path(text, start, end, False)
    name = find_name_start(text, start, end)
    if task == NAME:
        return decode_data(text, name, end, False)
    if contains_octet(text, name, end, c"%"):
        return None
    if task == SUFFIXES:
        return split_suffixes(text, name, end)
    suffix = find_suffix_start(text, name, end)
    return create_ascii(text + name, suffix - name) if task == STEM else create_ascii(text + suffix, end - suffix)


# --- editing

cdef bint write_segment(Output* output, data, uint16_t characters, bint iri) except -1:
    """Percent-encode all but a class of characters; return False for dot segments and what Python must encode."""
    cdef Text utf8
    cdef bint done = False
    if not PyUnicode_CheckExact(data) or (iri and not PyUnicode_IS_ASCII(<str>data)):
        return False
    open_text(<str>data, &utf8)
    try:
        if not is_dots(utf8.p, 0, utf8.n) and (PyUnicode_IS_ASCII(<str>data) or not has_surrogate(utf8.p, utf8.n)):
            write_room(output, utf8.n, 3)
            output.n += write_encoded(utf8.p, 0, utf8.n, characters, NONE, output.out + output.n)
            done = True
    finally:
        close_text(&utf8)
    return done


cdef inline int write_slash(Output* output) except -1:
    write_room(output, 0, 1)
    output.out[output.n] = c"/"
    output.n += 1
    return 0


cdef Identifier replace_name(Identifier self, int task, data):
    """Replace the name, the stem or the suffix; return `None` for rare or wrong arguments."""
    cdef Output output
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(<str>self.held)
    cdef Py_ssize_t end = self.path_end, name = find_name_start(text, self.path_start, end), suffix, n
    cdef uint16_t characters = IN_SEGMENT
    cdef bint iri = not get_rule(type(self)) & ASCII_ONLY
    if not PyUnicode_IS_ASCII(<str>self.held) or not PyUnicode_CheckExact(data):
        return None
    if task != NAME and contains_octet(text, name, end, c"%"):
        return None
    n = PyUnicode_GET_LENGTH(<str>data)
    open_query(&output, False, c"/")
    try:
        if name == self.path_start:
            if self.authority_start >= 0:
                write_slash(&output)  # after an authority, a path starts with a slash
            elif self.scheme_end < 0:
                characters = IN_SEGMENT_NC
        suffix = find_suffix_start(text, name, end)
        if task == SUFFIX:
            # Neither the old nor the new name may be empty or a dot segment, which may be the stem.
            if name == end or is_dots(text, name, end) or is_dots(text, name, suffix):
                return None
            if n == 1 or (n > 1 and PyUnicode_READ_CHAR(<str>data, 0) != c"."):
                return None
            write_span(&output, text, name, suffix)
        elif task == STEM and n == 0:
            return None
        if not write_segment(&output, data, characters, iri):
            return None
        if task == STEM:
            write_span(&output, text, suffix, end)
        return replace_path_end(self, name, &output)
    finally:
        close_query(&output)


cdef Identifier replace_path_end(Identifier self, Py_ssize_t end, Output* output):
    """Return a value that begins with `end` bytes of an ASCII string, and ends with a part of a path."""
    cdef str held = <str>self.held, composed
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(held)
    cdef unsigned char* out
    cdef Scan bounds
    cdef Py_ssize_t n = end + output.n
    if n > LONGEST_TEXT:
        return None
    if n == PyUnicode_GET_LENGTH(held) and memcmp(text + end, output.out, output.n) == 0:
        return self
    composed = PyUnicode_New(n, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(composed)
    memcpy(out, text, end)
    memcpy(out + end, output.out, output.n)
    copy_bounds(self, &bounds)
    bounds.path_end = bounds.query_end = n
    return derive_value(self, composed, &bounds)


cdef Identifier replace_segments(Identifier self, segments):
    """Return `None` for rare or wrong arguments."""
    cdef Output output
    cdef bint iri = not get_rule(type(self)) & ASCII_ONLY
    # After an authority, a path is empty or starts with a slash, so it can contain any segments.
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(<str>self.held):
        return None
    open_query(&output, False, c"/")
    try:
        for segment in segments:
            if output.begun:
                write_slash(&output)
            output.begun = True
            if not write_segment(&output, segment, IN_SEGMENT, iri):
                return None
        return None if output.n == 0 else splice_part(self, PART_PATH, decode_utf8(output.out, output.n))
    finally:
        close_query(&output)


cdef Identifier append_segments(Identifier self, tuple segments):
    cdef Output output
    cdef bint iri = not get_rule(type(self)) & ASCII_ONLY
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(<str>self.held):
        return None
    open_query(&output, False, c"/")
    try:
        write_span(&output, <const unsigned char*>PyUnicode_DATA(<str>self.held), self.path_start, self.path_end)
        for segment in segments:
            if output.n == 0 or output.out[output.n - 1] != c"/":
                write_slash(&output)
            if not write_segment(&output, segment, IN_SEGMENT, iri):
                return None
        return None if output.n == 0 else splice_part(self, PART_PATH, decode_utf8(output.out, output.n))
    finally:
        close_query(&output)


# --- the class `Segments`

cdef class PathParts:
    """PathParts(path='', /)
--

The base class of `Segments`, which stores a path.
"""
    # A plain pointer to a str, as in `Identifier`.
    cdef PyObject* held
    # The tuple of decoded segments; NULL until it is needed.
    cdef PyObject* decoded
    cdef object __weakref__
    cdef bint iri, relative

    def __cinit__(self, path="", /):
        from uriverse._uri import segments
        store_path(self, segments.validate_path(path), False, False)

    def __dealloc__(self):
        Py_XDECREF(self.held)
        Py_XDECREF(self.decoded)

    @classmethod
    def _from_valid_path(type cls, str path not None, *, bint iri, bint relative):
        return create_path_parts(cls, path, iri, relative)

    def _with(self, str path not None):
        require_self(self, PathParts, "_with")
        return create_path_parts(type(self), path, self.iri, self.relative)

    @property
    def _iri(self):
        return self.iri

    @property
    def _relative(self):
        return self.relative

    @property
    def path(self):
        """The path as written; the same string as `str(segments)`."""
        return <str>self.held

    @property
    def raw(self):
        """The segments of the path as written; `()` for an empty path."""
        return decode_segments(self) if "%" not in <str>self.held else tuple((<str>self.held).split("/"))

    def __len__(self):
        return len(decode_segments(self))

    def __getitem__(self, index):
        cdef tuple raw
        if not isinstance(index, slice):
            return decode_segments(self)[index]
        raw = self.raw[index]
        return create_path_parts(type(self), "/" if raw == ("",) else "/".join(raw), self.iri, self.relative)

    def __iter__(self):
        return iter(decode_segments(self))

    def __str__(self):
        return <str>self.held


cdef PathParts create_path_parts(cls, str path, bint iri, bint relative):
    # The class method `_from_valid_path` accepts any object as its class. Only write to memory of this class.
    if not (isinstance(cls, type) and PyType_IsSubtype(<PyTypeObject*>cls, <PyTypeObject*>PathParts)):
        raise TypeError(f"{cls} must be a subclass of PathParts")
    cdef PathParts self
    if cls is segments_class:
        self = <PathParts>allocate_object(cls, &segments_pool)
    else:
        self = <PathParts>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
    store_path(self, path, iri, relative)
    return self


cdef inline void store_path(PathParts self, str path, bint iri, bint relative) noexcept:
    Py_INCREF(path)
    self.held = <PyObject*>path
    self.iri = iri
    self.relative = relative


cdef tuple decode_segments(PathParts self):
    cdef Text utf8
    cdef tuple segments
    cdef bint encoded
    with critical_section(self):
        if self.decoded is not NULL:
            return <tuple>self.decoded
    open_text(<str>self.held, &utf8)
    try:
        # Without "%", the segments of an ASCII path are their own data.
        encoded = not PyUnicode_IS_ASCII(<str>self.held) or contains_octet(utf8.p, 0, utf8.n, c"%")
        segments = split_path(utf8.p, 0, utf8.n, encoded)
    finally:
        close_text(&utf8)
    return <tuple>store_once(self, &self.decoded, segments)


def register_view(kind, /):
    """Set the class whose objects the properties `segments` or `params` return."""
    global segments_class, params_class
    if issubclass(kind, PathParts):
        segments_class = kind
        set_view_deallocator(kind, deallocate_segments)
    elif issubclass(kind, Pairs):
        params_class = kind
        set_view_deallocator(kind, deallocate_params)
    else:
        raise TypeError(f"{kind.__name__} must be a subclass of PathParts or Pairs")


cdef object get_segments(Identifier self):
    """Return the segments of a value, or `None` if their class is not imported."""
    cdef bint iri = not get_rule(type(self)) & ASCII_ONLY
    if segments_class is None:
        return None
    return create_path_parts(
        segments_class, get_substring(self, self.path_start, self.path_end), iri,
        self.scheme_end < 0 and self.authority_start < 0,
    )
