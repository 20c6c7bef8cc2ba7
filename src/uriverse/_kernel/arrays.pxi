# Arrow arrays that are written and exported: `uriverse.columns._buffers`, and nanoarrow in
# `uriverse.columns._arrow`.
# Other files call `open_bits`, `open_bitmap`, `put_missing`, `get_place_size`, `open_texts`, `close_texts`,
# `grow_places`, `grow_data`, `put_null`, `put_text`, `copy_steps`, `put_span`, `make_text_array` and
# `make_bits_array`.

cdef enum:
    LEAST_ROOM = 1 << 14  # the fewest bytes, and the most bytes, to reserve in advance
    MOST_ROOM = 1 << 26
    STEP = 32  # the number of bytes that are copied at once, as part of a longer string or beyond its end

cdef struct Bits:
    # A validity bitmap. It is allocated at the first null.
    unsigned char* p
    Py_ssize_t rows, missing

cdef struct Texts:
    # A column of strings that is being written.
    int layout
    Bits valid
    Py_ssize_t rows, n, room, full
    Py_ssize_t most  # the most octets to reserve in advance
    unsigned char* places  # the offsets or views, with room for `places_for` rows
    Py_ssize_t places_for
    unsigned char* data
    int32_t buffer  # the index of `data` in views


cdef int open_bits(Bits* bits, Py_ssize_t rows) noexcept nogil:
    bits.p = NULL
    bits.rows = rows
    bits.missing = 0
    return DONE


cdef inline int open_bitmap(Bits* bits) noexcept nogil:
    if bits.p is NULL:
        bits.p = <unsigned char*>room_new((bits.rows >> 3) + 1)
        if bits.p is NULL:
            return NO_MEMORY
        memset(bits.p, 0xFF, (bits.rows >> 3) + 1)
    return DONE


cdef inline int put_missing(Bits* bits, Py_ssize_t i) noexcept nogil:
    if open_bitmap(bits) != DONE:
        return NO_MEMORY
    bits.p[i >> 3] &= ~(1 << (i & 7))
    bits.missing += 1
    return DONE


cdef inline Py_ssize_t get_place_size(int layout) noexcept nogil:
    return 4 if layout == STRING else 8 if layout == LARGE_STRING else 16


cdef int open_texts(Texts* texts, int layout, Py_ssize_t rows, Py_ssize_t full, Rows read, Py_ssize_t start) except -1:
    """Begin a column of at most `rows` rows, computed from the rows of `read` from `start` on."""
    memset(texts, 0, sizeof(Texts))
    texts.layout, texts.places_for = layout, rows
    texts.full = PY_SSIZE_T_MAX if layout == LARGE_STRING else full
    # In views, the column's own buffer follows the buffers that it shares with the input.
    texts.buffer = read.shared
    if layout != VIEW:
        texts.most = min(count_octets(read, start, rows) + STEP, <Py_ssize_t>MOST_ROOM)
        # The first rows show how many octets the others need, see `grow_data`.
        texts.room = min(texts.most, max(texts.most >> 4, <Py_ssize_t>LEAST_ROOM))
        texts.data = <unsigned char*>room_new(texts.room)
        if texts.data is NULL:
            raise MemoryError
    open_bits(&texts.valid, rows)
    texts.places = <unsigned char*>room_new((rows + 1) * get_place_size(layout))
    if texts.places is NULL:
        raise MemoryError
    memset(texts.places, 0, get_place_size(layout))
    return 0


cdef void close_texts(Texts* texts) noexcept:
    room_free(texts.places)
    room_free(texts.data)
    room_free(texts.valid.p)


cdef int grow_places(Texts* texts) noexcept nogil:
    """Make room for more rows, if the number of rows is not known in advance."""
    cdef Py_ssize_t rows = 2 * texts.places_for + 16
    cdef Py_ssize_t used = (texts.rows + 1) * get_place_size(texts.layout)
    cdef unsigned char* text
    cdef unsigned char* bits
    # Never copy more entries than were allocated.
    used = min(used, (texts.places_for + 1) * get_place_size(texts.layout))
    text = <unsigned char*>room_grown(texts.places, used, (rows + 1) * get_place_size(texts.layout))
    if text is NULL:
        return NO_MEMORY
    texts.places, texts.places_for = text, rows
    if texts.valid.p is not NULL:
        bits = <unsigned char*>room_grown(texts.valid.p, (texts.valid.rows >> 3) + 1, (rows >> 3) + 1)
        if bits is NULL:
            return NO_MEMORY
        memset(bits + (texts.valid.rows >> 3) + 1, 0xFF, (rows >> 3) - (texts.valid.rows >> 3))
        texts.valid.p = bits
    texts.valid.rows = rows
    return DONE


cdef int grow_data(Texts* texts, Py_ssize_t n) noexcept nogil:
    """Make room for `n` more octets, and for the remaining rows if these are like the rows so far."""
    cdef double all_rows = 1.125 * (texts.n + n) / (texts.rows + 1) * texts.places_for
    cdef Py_ssize_t room = max(texts.room + texts.room // 2, texts.n + n + 4096)
    cdef unsigned char* text
    room = max(room, <Py_ssize_t>min(all_rows, <double>texts.most))
    text = <unsigned char*>room_grown(texts.data, texts.n, room)
    if text is NULL:
        return NO_MEMORY
    texts.data, texts.room = text, room
    return DONE


cdef inline void end_row(Texts* texts) noexcept nogil:
    """Write the end of a row, in a layout with offsets."""
    texts.rows += 1
    if texts.layout == STRING:
        (<int32_t*>texts.places)[texts.rows] = <int32_t>texts.n
    else:
        (<int64_t*>texts.places)[texts.rows] = texts.n


cdef inline int put_null(Texts* texts) noexcept nogil:
    cdef int status = put_missing(&texts.valid, texts.rows)
    if texts.layout == VIEW:
        memset(texts.places + 16 * texts.rows, 0, 16)
        texts.rows += 1
    else:
        end_row(texts)
    return status


cdef inline void put_view(Texts* texts, const unsigned char* text, Py_ssize_t n, int32_t buffer, int32_t place) noexcept nogil:
    """Write a view: a short string itself, or the first four bytes of a string and its location."""
    cdef unsigned char* view = texts.places + 16 * texts.rows
    cdef int32_t size = <int32_t>n
    memcpy(view, &size, 4)
    if n <= LONGEST_INLINE:
        memset(view + 4, 0, 12)
        if n > 0:  # the address of an empty string may be NULL
            memcpy(view + 4, text, n)
    else:
        memcpy(view + 4, text, 4)
        memcpy(view + 8, &buffer, 4)
        memcpy(view + 12, &place, 4)
    texts.rows += 1


cdef inline int put_text(Texts* texts, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Write a string that views cannot share with the input."""
    if texts.layout == VIEW and n <= LONGEST_INLINE:
        put_view(texts, text, n, 0, 0)
        return DONE
    if texts.n + n > texts.full:
        return FULL
    if texts.n + n > texts.room and grow_data(texts, n) != DONE:
        return NO_MEMORY
    if n > 0:
        memcpy(texts.data + texts.n, text, n)
    if texts.layout == VIEW:
        put_view(texts, text, n, texts.buffer, <int32_t>texts.n)
        texts.n += n
    else:
        texts.n += n
        end_row(texts)
    return DONE


cdef inline void copy_steps(unsigned char* out, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Copy `n` bytes, and fewer than `STEP` bytes after them, without a function call."""
    cdef Py_ssize_t i = 0
    while i < n:
        memcpy(out + i, text + i, STEP)
        i += STEP


cdef inline int put_span(Texts* texts, Span* span, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Write a part of an input row; views share the buffer of the row if they can refer to it."""
    cdef Py_ssize_t n = end - start
    if texts.layout == VIEW:
        if span.buffer >= 0:
            put_view(texts, span.p + start, n, span.buffer, <int32_t>(span.place + start))
            return DONE
    elif span.behind - start >= n + STEP and texts.n + n + STEP <= min(texts.room, texts.full):
        copy_steps(texts.data + texts.n, span.p + start, n)
        texts.n += n
        end_row(texts)
        return DONE
    return put_text(texts, span.p + start, n)


# --- arrays that are exported


cdef class Made:
    """An Arrow array that owns its buffers, which are freed when the last exported copy is released.

    Attributes:
        held: the objects whose buffers the array shares.
    """

    cdef ArrowArray array  # a template, which is copied by `export_array` and never released itself
    cdef const void** buffers
    cdef unsigned char* owned  # for each buffer, whether it is freed with this array
    cdef tuple children, held

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t missing, int count, tuple children=(), tuple held=()):
        self.buffers = <const void**>room_zeroed(count * sizeof(void*))
        self.owned = <unsigned char*>room_zeroed(count)
        if self.buffers is NULL or self.owned is NULL:
            raise MemoryError
        self.array.length = rows
        self.array.null_count = missing
        self.array.n_buffers = count
        self.array.buffers = self.buffers
        self.array.n_children = len(children)
        self.children, self.held = children, held

    def __dealloc__(self):
        cdef int k
        if self.owned is not NULL:
            for k in range(self.array.n_buffers):
                if self.owned[k]:
                    room_free(<void*>self.buffers[k])
        room_free(self.buffers)
        room_free(self.owned)

    cdef void own(self, int k, void** buffer) noexcept:
        """Take ownership of a buffer, and set the caller's pointer to NULL so that it is freed once."""
        self.buffers[k] = buffer[0]
        self.owned[k] = True
        buffer[0] = NULL

    def __len__(self):
        return self.array.length

    def slice_rows(self, Py_ssize_t start, Py_ssize_t rows):
        """Return an array with a range of the rows, which shares the buffers of this array."""
        cdef Made made = Made(rows, -1 if self.array.null_count else 0, self.array.n_buffers, self.children, (self,))
        memcpy(made.buffers, self.buffers, self.array.n_buffers * sizeof(void*))
        made.array.offset = self.array.offset + start
        return made

    cdef Made first_rows(self, Py_ssize_t rows):
        """Return an array with the first rows, which is this array if it has no others."""
        return self if rows == self.array.length else self.slice_rows(0, rows)

    def rows(self, str layout, /):
        """Return the array, whose strings have a layout, as `Rows`."""
        cdef int kind = LAYOUTS.index(layout)
        cdef Py_ssize_t end = self.array.offset + self.array.length, k, bitmap_size = (end + 7) >> 3 if self.buffers[0] else 0
        cdef list sizes, buffers = []
        cdef const unsigned char* view_sizes
        cdef Rows rows
        if kind == VIEW:
            sizes = [bitmap_size, end * get_place_size(kind)]
            view_sizes = <const unsigned char*>self.buffers[self.array.n_buffers - 1]
            for k in range(self.array.n_buffers - 3):
                sizes.append(load_typed[int64_t](view_sizes, k, 0))
        else:
            # The data ends with the last string, at the last offset.
            data_size = load_number(<const unsigned char*>self.buffers[1], end, c"i" if kind == STRING else c"q")
            sizes = [bitmap_size, (end + 1) * get_place_size(kind), data_size]
        for k, size in enumerate(sizes):
            buffers.append(PyMemoryView_FromMemory(<char*>self.buffers[k], size, PyBUF_READ) if size else b"")
        rows = Rows(layout, self.array.length, self.array.offset, tuple(buffers))
        rows.owner = self
        return rows

    def capsule(self):
        """Export the array as a PyCapsule of the Arrow C data interface."""
        cdef ArrowArray* array = <ArrowArray*>room_zeroed(sizeof(ArrowArray))
        if array is NULL:
            raise MemoryError
        try:
            export_array(self, array)
            return PyCapsule_New(array, "arrow_array", release_array_capsule)
        except:
            if array.release is not NULL:
                array.release(array)
            room_free(array)
            raise


def make_array(Py_ssize_t rows, Py_ssize_t missing, tuple buffers, tuple children, /):
    """Create an array with aligned copies of the given buffers; `None` for a bitmap if no row is null."""
    cdef Made made = Made(rows, missing, len(buffers), children)
    cdef Py_buffer* given
    cdef void* copy
    cdef int k
    for k in range(len(buffers)):
        if buffers[k] is None:
            continue
        octets = memoryview(buffers[k])
        given = PyMemoryView_GET_BUFFER(octets)
        copy = room_new(given.len)
        if copy is NULL:
            raise MemoryError
        memcpy(copy, given.buf, given.len)
        made.own(k, &copy)
    return made


cdef int export_array(Made made, ArrowArray* array) except -1:
    """Export an array and its children; after an error, nothing remains allocated."""
    cdef Py_ssize_t k, count = len(made.children)
    array[0] = made.array
    array.n_children = 0
    Py_INCREF(made)
    array.private_data = <void*>made
    array.release = release_array
    try:
        if count:
            array.children = <ArrowArray**>room_zeroed(count * sizeof(ArrowArray*))
            if array.children is NULL:
                raise MemoryError
        for k in range(count):
            array.children[k] = <ArrowArray*>room_zeroed(sizeof(ArrowArray))
            if array.children[k] is NULL:
                raise MemoryError
            array.n_children += 1
            export_array(<Made>made.children[k], array.children[k])
    except:
        array.release(array)
        raise
    return 0


cdef void release_array(ArrowArray* array) noexcept with gil:
    """Release an exported array. The consumer may have moved children elsewhere, as Arrow allows."""
    cdef Py_ssize_t k
    for k in range(array.n_children):
        if array.children[k].release is not NULL:
            array.children[k].release(array.children[k])
        room_free(array.children[k])
    room_free(array.children)
    array.release = NULL
    Py_DECREF(<object>array.private_data)


cdef void release_array_capsule(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release is not NULL:
        array.release(array)
    room_free(array)


cdef class Stream:
    """The state of an Arrow C stream: the arrays, and the index of the next one."""

    cdef object schema  # an object with the method `__arrow_c_schema__`
    cdef list arrays
    cdef Py_ssize_t next


def stream(schema, list arrays, /):
    """Export arrays as a PyCapsule of the Arrow C stream interface."""
    cdef Stream state = Stream.__new__(Stream)
    cdef ArrowArrayStream* given
    state.schema, state.arrays = schema, arrays
    given = <ArrowArrayStream*>room_zeroed(sizeof(ArrowArrayStream))
    if given is NULL:
        raise MemoryError
    given.get_schema = stream_schema
    given.get_next = stream_next
    given.get_last_error = stream_error
    given.release = release_stream
    Py_INCREF(state)
    given.private_data = <void*>state
    try:
        return PyCapsule_New(given, "arrow_array_stream", release_stream_capsule)
    except:
        given.release(given)
        room_free(given)
        raise


cdef int stream_schema(ArrowArrayStream* given, ArrowSchema* out) noexcept with gil:
    cdef ArrowSchema* schema
    try:
        capsule = (<Stream>given.private_data).schema.__arrow_c_schema__()
        schema = <ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema")
        out[0] = schema[0]
        schema.release = NULL  # moved to `out`, as the C data interface specifies
        return 0
    except BaseException:
        return ENOMEM


cdef int stream_next(ArrowArrayStream* given, ArrowArray* out) noexcept with gil:
    cdef Stream state = <Stream>given.private_data
    try:
        out.release = NULL  # marks the end of the stream
        if state.next < len(state.arrays):
            export_array(<Made>state.arrays[state.next], out)
            state.next += 1
        return 0
    except BaseException:
        return ENOMEM


cdef const char* stream_error(ArrowArrayStream* given) noexcept:
    return NULL


cdef void release_stream(ArrowArrayStream* given) noexcept with gil:
    given.release = NULL
    Py_DECREF(<object>given.private_data)


cdef void release_stream_capsule(object capsule) noexcept:
    cdef ArrowArrayStream* given = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    if given.release is not NULL:
        given.release(given)
    room_free(given)


cdef Made make_text_array(Texts* texts, Rows rows):
    """Create an array from a column of strings, and take ownership of its buffers."""
    cdef Made made
    cdef int k, count = rows.shared
    cdef int64_t* sizes
    # The buffer must exist even if it is empty.
    cdef unsigned char* data = <unsigned char*>room_fitted(texts.data, texts.n)
    if data is NULL:
        raise MemoryError
    texts.data = data
    if texts.layout != VIEW:
        made = Made(texts.rows, texts.valid.missing, 3)
        made.own(2, <void**>&texts.data)
    else:
        # The buffers shared with the input, the column's own buffer, and the sizes of all of them.
        made = Made(texts.rows, texts.valid.missing, count + 4, (), (rows,))
        sizes = <int64_t*>room_new((count + 1) * sizeof(int64_t))
        if sizes is NULL:
            raise MemoryError
        for k in range(count):
            made.buffers[2 + k] = rows.data[k]
            sizes[k] = rows.sizes[k]
        sizes[count] = texts.n
        made.own(count + 2, <void**>&texts.data)
        made.own(count + 3, <void**>&sizes)
    made.own(1, <void**>&texts.places)
    made.own(0, <void**>&texts.valid.p)
    return made


def encode_rows(list rows, str layout, str surrogates, Py_ssize_t full, /):
    """Create an array from strings, URI objects and `None`; return `None` if it has more than `full` octets.

    Lone surrogates are encoded as by `str.encode` with that argument.
    """
    cdef Texts texts
    cdef Py_ssize_t i
    cdef int status = DONE
    cdef bytes octets
    memset(&texts, 0, sizeof(Texts))
    try:
        open_texts(&texts, LAYOUTS.index(layout), len(rows), full, NO_ROWS, 0)
        texts.most = MOST_ROOM
        for i in range(len(rows)):
            try:
                text = None if rows[i] is None else as_text(rows[i])
            except TypeError as error:
                raise TypeError(f"row {i}: {error}") from None
            if text is None:
                status = put_null(&texts)
            elif PyUnicode_IS_ASCII(text):
                status = put_text(&texts, <const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
            else:
                octets = (<str>text).encode("utf-8", surrogates)
                status = put_text(&texts, octets, len(octets))
            if status == NO_MEMORY:
                raise MemoryError
            if status == FULL:
                return None
        return make_text_array(&texts, NO_ROWS)
    finally:
        close_texts(&texts)


cdef Rows NO_ROWS = Rows("null", 0, 0, ())


cdef Made make_bits_array(Bits* valid, Py_ssize_t rows, void** data):
    """Create an array with one buffer besides the bitmap, and take ownership of both."""
    cdef Made made = Made(rows, valid.missing, 2)
    made.own(1, data)
    made.own(0, <void**>&valid.p)
    return made


def _count_buffers_in_use():
    """Return the number of buffers in use. This is for tests only."""
    return given_out
