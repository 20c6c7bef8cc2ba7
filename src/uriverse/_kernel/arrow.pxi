# Arrow arrays: read rows of strings in place, write new columns, and export them: `uriverse.columns._c_data` and
# `uriverse.columns._buffers`.
# Other files call `is_there`, `number_of`, `number_at`, `row`, `open_bits`, `open_bitmap`,
# `put_missing`, `open_texts`, `close_texts`, `more_places`, `more_room`, `put_null`, `put_text`,
# `copy_steps`, `put_span`, `made_of_texts` and `made_of_bits`.

cdef extern from "Python.h":
    Py_buffer* PyMemoryView_GET_BUFFER(object)
    object PyMemoryView_FromMemory(char*, Py_ssize_t, int)

cdef enum:
    # The layout of an array of strings, as an index into LAYOUTS. NOTHING_THERE is an array of the type
    # null. NUMBERED is a dictionary-encoded array, whose rows are indices of dictionary values.
    STRING
    LARGE_STRING
    VIEW
    NOTHING_THERE
    NUMBERED

LAYOUTS = ("string", "large_string", "string_view", "null")

cdef enum:
    LONGEST_INLINE = 12  # the longest string that is stored in its view

cdef extern from *:
    """
    #include <stdint.h>
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    struct ArrowSchema {
        const char* format;
        const char* name;
        const char* metadata;
        int64_t flags;
        int64_t n_children;
        struct ArrowSchema** children;
        struct ArrowSchema* dictionary;
        void (*release)(struct ArrowSchema*);
        void* private_data;
    };
    struct ArrowArray {
        int64_t length;
        int64_t null_count;
        int64_t offset;
        int64_t n_buffers;
        int64_t n_children;
        const void** buffers;
        struct ArrowArray** children;
        struct ArrowArray* dictionary;
        void (*release)(struct ArrowArray*);
        void* private_data;
    };
    #endif
    #ifndef ARROW_C_STREAM_INTERFACE
    #define ARROW_C_STREAM_INTERFACE
    struct ArrowArrayStream {
        int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema*);
        int (*get_next)(struct ArrowArrayStream*, struct ArrowArray*);
        const char* (*get_last_error)(struct ArrowArrayStream*);
        void (*release)(struct ArrowArrayStream*);
        void* private_data;
    };
    #endif
    """
    cdef struct ArrowSchema:
        const char* format
        const char* name
        int64_t n_children
        ArrowSchema** children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*) noexcept
    cdef struct ArrowArray:
        int64_t length, null_count, offset, n_buffers, n_children
        const void** buffers
        ArrowArray** children
        ArrowArray* dictionary
        void (*release)(ArrowArray*) noexcept
        void* private_data
    cdef struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept
        int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept
        const char* (*get_last_error)(ArrowArrayStream*) noexcept
        void (*release)(ArrowArrayStream*) noexcept
        void* private_data


cdef extern from "memory.h" nogil:
    Py_ssize_t given_out
    void* room_new(size_t size)
    void* room_grown(void* old, size_t used, size_t size)
    void* room_fitted(void* buffer, size_t used)
    void* room_zeroed(size_t size)
    void room_free(void* buffer)


# --- rows that are read


cdef class Rows:
    """An array of strings, whose buffers are read in place.

    Args:
        layout: one of `LAYOUTS`.
        length: the number of rows.
        offset: the index of the first row in the buffers.
        buffers: the buffers of the layout. The first is the validity bitmap, which may be empty.
        dictionary: the dictionary values if the second buffer contains indices of them, else `None`.
    """

    cdef int layout
    cdef readonly Py_ssize_t length
    cdef Py_ssize_t offset
    cdef const unsigned char* valid
    cdef const unsigned char* places  # offsets or views
    cdef Py_ssize_t places_size
    cdef int buffers  # the number of buffers with strings
    cdef int32_t named  # the index of the first one in views; -1 if it is too long for 32-bit offsets
    cdef const unsigned char** data
    cdef Py_ssize_t* sizes
    cdef Py_buffer* held
    cdef int holds  # the number of buffers in `held`
    cdef readonly Rows dictionary
    cdef void* values  # the same as `dictionary`, to be used without the GIL
    cdef char code  # the format character of the indices, as in the module `struct`
    cdef int shared  # the number of buffers that views can refer to
    cdef object owner  # the object that the buffers belong to, if they do not keep it alive

    def __cinit__(self, str layout, Py_ssize_t length, Py_ssize_t offset, tuple buffers, Rows dictionary=None):
        cdef int k, count = len(buffers)
        self.layout = LAYOUTS.index(layout)
        self.length, self.offset = length, offset
        if self.layout == NOTHING_THERE:
            return
        if count < (2 if dictionary is not None or self.layout == VIEW else 3):
            from uriverse._errors import ColumnError
            from uriverse.columns import _buffers
            raise ColumnError(*_buffers.describe_fault("it does not have the buffers of its layout"))
        self.held = <Py_buffer*>room_zeroed(count * sizeof(Py_buffer))
        self.data = <const unsigned char**>room_zeroed(count * sizeof(void*))
        self.sizes = <Py_ssize_t*>room_zeroed(count * sizeof(Py_ssize_t))
        if self.held is NULL or self.data is NULL or self.sizes is NULL:
            raise MemoryError
        for k in range(count):
            PyObject_GetBuffer(buffers[k], &self.held[k], PyBUF_SIMPLE)
            self.holds += 1
        if self.held[0].len > 0:
            self.valid = <const unsigned char*>self.held[0].buf
        self.places, self.places_size = <const unsigned char*>self.held[1].buf, self.held[1].len
        if length > 0 and not self.is_whole(offset + length, memoryview(buffers[1]).itemsize, dictionary is not None):
            from uriverse._errors import ColumnError
            from uriverse.columns import _buffers
            raise ColumnError(*_buffers.describe_fault("a buffer is too short for its rows"))
        for k in range(2, count):
            self.data[k - 2] = <const unsigned char*>self.held[k].buf
            self.sizes[k - 2] = self.held[k].len
        self.buffers = count - 2
        if dictionary is None:
            self.count_shared()
        else:
            code = memoryview(buffers[1]).format
            self.set_dictionary(dictionary, code[len(code) - 1])

    cdef void count_shared(self) noexcept:
        """Determine which buffers views can refer to; their offsets have 32 bits."""
        self.named = 0 if self.buffers > 0 and self.sizes[0] <= 0x7FFFFFFF else -1
        self.shared = self.buffers if self.named == 0 or self.layout == VIEW else 0

    cdef void set_dictionary(self, Rows dictionary, str code):
        """Make the array a dictionary-encoded one, with indices of a type of the module `struct`."""
        self.layout, self.named, self.code = NUMBERED, -1, ord(code)
        self.dictionary, self.values = dictionary, <void*>dictionary

    def __dealloc__(self):
        cdef int k
        for k in range(self.holds):
            PyBuffer_Release(&self.held[k])
        room_free(self.held)
        room_free(self.data)
        room_free(self.sizes)

    def strings(self, Py_ssize_t start, Py_ssize_t count, /):
        """Return rows as strings, with `None` for null; octets that are not UTF-8 become lone surrogates."""
        cdef list found = [None] * count
        cdef Span s
        cdef const unsigned char* before = NULL
        cdef Py_ssize_t size = 0, i
        cdef str text = ""
        cdef int there
        for i in range(count):
            there = row(self, start + i, &s)
            if there == ROW_BROKEN:
                from uriverse._errors import ColumnError
                from uriverse.columns import _buffers
                raise ColumnError(*_buffers.describe_row_fault(start + i))
            if there == ROW_THERE:
                # Equal rows that follow each other share one string.
                if s.n != size or (size > 0 and memcmp(s.p, before, size) != 0):
                    text, before, size = decode_escaped(s.p, s.n), s.p, s.n
                found[i] = text
        return found

    cdef bint is_whole(self, Py_ssize_t rows, Py_ssize_t size, bint indices):
        """Return whether bitmap and offsets are long enough for `rows`; `size` is that of an index."""
        cdef Py_ssize_t places = rows * size
        if not indices:
            places = rows * 16 if self.layout == VIEW else (rows + 1) * place_size(self.layout)
        return self.held[1].len >= places and (self.valid is NULL or self.held[0].len >= (rows + 7) >> 3)


def read_schema(size_t address, Py_ssize_t max_children, /):
    """Read an `ArrowSchema` structure as `uriverse.columns._c_data.read_schema` does; `None` if it is not valid."""
    cdef ArrowSchema* schema = <ArrowSchema*>address
    cdef Py_ssize_t k, count
    cdef list children = []
    if schema is NULL or schema.format is NULL or schema.release is NULL or schema.n_children < 0:
        return None
    count = min(schema.n_children, max_children)
    if count and schema.children is NULL:
        return None
    # In a comprehension, Cython 3.3 would free an element twice if the list cannot grow.
    for k in range(count):
        children.append(<size_t>schema.children[k])
    return (
        decode_c_string(schema.format),
        "" if schema.name is NULL else decode_c_string(schema.name),
        schema.n_children,
        tuple(children),
        <size_t>schema.dictionary,
    )


cdef str decode_c_string(const char* p):
    return PyUnicode_DecodeUTF8(p, strlen(p), "replace")


def read_array(size_t address, tuple formats, owner, /):
    """Read an `ArrowArray` structure in place, and return its rows.

    Args:
        address: the address of the structure.
        formats: the type of the indices of each dictionary, as in the module `struct`, and one of `LAYOUTS`.
        owner: the object that keeps the array alive.

    Returns:
        `None` if the array is empty or not valid: `uriverse.columns._c_data` then reads it, and raises the error.
    """
    return read_rows(<ArrowArray*>address, formats, 0, owner)


cdef Rows read_rows(const ArrowArray* array, tuple formats, int level, owner):
    """Return the rows of an array, or of its dictionary, or `None`."""
    cdef bint is_numbered = level < len(formats) - 1
    cdef Rows rows, dictionary = None
    cdef const unsigned char* sizes
    cdef Py_ssize_t end, most_rows = PY_SSIZE_T_MAX // 64  # `MOST_ROWS` of `uriverse.columns._c_data`
    cdef int k, layout, count
    if array is NULL or array.release is NULL or array.buffers is NULL or array.n_children:
        return None
    if not 0 < array.length <= most_rows or not 0 <= array.offset <= most_rows - array.length:
        return None
    if not -1 <= array.null_count <= array.length or not 2 <= array.n_buffers <= 0x7FFFFFFF:
        return None
    if array.buffers[1] is NULL or (array.null_count > 0 and array.buffers[0] is NULL):
        return None
    layout = NUMBERED if is_numbered else LAYOUTS.index(formats[level])
    count = <int>array.n_buffers - (3 if layout == VIEW else 2)
    if count < 0 or (layout != VIEW and count != (0 if is_numbered else 1)):
        return None
    if is_numbered:
        dictionary = read_rows(array.dictionary, formats, level + 1, owner)
        if dictionary is None:
            return None
    end = array.offset + array.length
    rows = Rows("null", array.length, array.offset, ())
    rows.layout, rows.buffers, rows.owner = layout, count, owner
    rows.valid, rows.places = <const unsigned char*>array.buffers[0], <const unsigned char*>array.buffers[1]
    rows.places_size = 16 * end
    if is_numbered:
        rows.set_dictionary(dictionary, formats[level])
        return rows
    rows.data = <const unsigned char**>room_zeroed(count * sizeof(void*))
    rows.sizes = <Py_ssize_t*>room_zeroed(count * sizeof(Py_ssize_t))
    if rows.data is NULL or rows.sizes is NULL:
        raise MemoryError
    sizes = <const unsigned char*>array.buffers[array.n_buffers - 1]
    if layout == VIEW and count and sizes is NULL:
        return None
    for k in range(count):
        rows.data[k] = <const unsigned char*>array.buffers[2 + k]
        if layout == VIEW:
            rows.sizes[k] = number_of[int64_t](sizes, k, 0)
        else:
            rows.sizes[k] = number_at(rows.places, end, c"i" if layout == STRING else c"q")
        if rows.sizes[k] < 0 or (rows.sizes[k] and rows.data[k] is NULL):
            return None
        if rows.data[k] is NULL:
            rows.data[k] = <const unsigned char*>b""
    rows.count_shared()
    return rows


cdef inline bint is_there(const unsigned char* valid, Py_ssize_t i) noexcept nogil:
    """Return whether the validity bitmap has a bit for a row; without a bitmap no row is null."""
    return valid is NULL or valid[i >> 3] >> (i & 7) & 1


# Numbers in buffers. They may be unaligned, so they are copied, which compiles to a single load.
ctypedef fused Number:
    int8_t
    uint8_t
    int16_t
    uint16_t
    int32_t
    uint32_t
    int64_t


cdef inline Number number_of(const unsigned char* p, Py_ssize_t i, Number like) noexcept nogil:
    """Return the number at an index of a buffer; `like` only determines the type."""
    memcpy(&like, p + i * <Py_ssize_t>sizeof(Number), sizeof(Number))
    return like


cdef inline Py_ssize_t number_at(const unsigned char* p, Py_ssize_t i, char kind) noexcept nogil:
    """Return the number at an index of a buffer, given its format character in the module `struct`."""
    if kind == c"b":
        return number_of[int8_t](p, i, 0)
    if kind == c"B":
        return number_of[uint8_t](p, i, 0)
    if kind == c"h":
        return number_of[int16_t](p, i, 0)
    if kind == c"H":
        return number_of[uint16_t](p, i, 0)
    if kind == c"i":
        return number_of[int32_t](p, i, 0)
    if kind == c"I":
        return number_of[uint32_t](p, i, 0)
    # A uint64 above the range of int64 becomes negative, and is rejected as an index as well.
    return number_of[int64_t](p, i, 0)


def indices_of_runs(ends, Py_ssize_t offset, Py_ssize_t length, /):
    """Return, for each row, the index of the run that contains it.

    Args:
        ends: for each run, the index of the first row after it.
        offset: the first row.
        length: the number of rows.

    Raises:
        IndexError: the runs do not cover the rows. Runs after the last row are not read.
    """
    cdef Py_buffer* held = PyMemoryView_GET_BUFFER(ends)
    cdef char kind = held.format[0]
    cdef Py_ssize_t run = 0, runs = held.len // held.itemsize, end, before = 0, row = 0
    cdef bytes made
    cdef int64_t* indices
    # Check this before allocating memory for the claimed number of rows. `offset` and `length` are not
    # negative and their sum fits, so the right-hand side does not overflow.
    if length and not (runs and number_at(<const unsigned char*>held.buf, runs - 1, kind) >= offset + length):
        raise IndexError(length)
    made = PyBytes_FromStringAndSize(NULL, length * sizeof(int64_t))
    indices = <int64_t*>PyBytes_AS_STRING(made)
    with nogil:
        while row < length and run < runs:
            end = number_at(<const unsigned char*>held.buf, run, kind)
            if end <= before:
                break
            before = end
            while row < min(end - offset, length):
                indices[row] = run
                row += 1
            run += 1
    if row < length:
        raise IndexError(row)
    return memoryview(made).cast("q")


cdef enum:
    ROW_MISSING = 0
    ROW_THERE = 1
    ROW_BROKEN = 2  # the row is not within the buffers


cdef inline bint is_null(Rows rows, Py_ssize_t k) noexcept nogil:
    return rows.layout == NOTHING_THERE or not is_there(rows.valid, k)


cdef inline int row(Rows rows, Py_ssize_t i, Span* s) noexcept nogil:
    """Find the string of a row; return ROW_MISSING, ROW_THERE or ROW_BROKEN."""
    if is_null(rows, rows.offset + i):
        return ROW_MISSING
    if rows.layout == NUMBERED:
        return value(rows, rows.offset + i, s)
    return place(rows, rows.offset + i, s)


cdef int value(Rows rows, Py_ssize_t k, Span* s) noexcept nogil:
    """Find the dictionary value of a row; a dictionary may itself be dictionary-encoded.

    This is a loop, because compilers do not inline `row` if it is recursive.
    """
    cdef void* level = <void*>rows
    cdef Py_ssize_t number
    cdef int there
    while (<Rows>level).layout == NUMBERED:
        number = number_at((<Rows>level).places, k, (<Rows>level).code)
        level = (<Rows>level).values
        if not 0 <= number < (<Rows>level).length:
            return ROW_BROKEN
        k = (<Rows>level).offset + number
        if is_null(<Rows>level, k):
            return ROW_MISSING
    there = place(<Rows>level, k, s)
    # The buffers are those of the dictionary, so views in a result cannot refer to them.
    s.buffer = -1
    return there


cdef inline int place(Rows rows, Py_ssize_t k, Span* s) noexcept nogil:
    """Find the string of a row that is not null, in a layout with offsets or views."""
    cdef Py_ssize_t start, end
    cdef const unsigned char* view
    cdef int32_t size, buffer
    if rows.layout == VIEW:
        view = rows.places + 16 * k
        memcpy(&size, view, 4)
        s.n = size
        if 0 <= size <= LONGEST_INLINE:
            s.p = view + 4
            s.buffer = -1
            s.behind = rows.places_size - 16 * k - 4
            return ROW_THERE
        memcpy(&buffer, view + 8, 4)
        memcpy(&s.place, view + 12, 4)
        s.buffer = buffer
        if size < 0 or not 0 <= buffer < rows.buffers or s.place < 0 or s.place > rows.sizes[buffer] - size:
            return ROW_BROKEN
        s.p = rows.data[buffer] + s.place
        s.behind = rows.sizes[buffer] - s.place
        return ROW_THERE
    if rows.layout == STRING:
        start = number_of[int32_t](rows.places, k, 0)
        end = number_of[int32_t](rows.places, k + 1, 0)
    else:
        start = number_of[int64_t](rows.places, k, 0)
        end = number_of[int64_t](rows.places, k + 1, 0)
    if not 0 <= start <= end <= rows.sizes[0]:
        return ROW_BROKEN
    s.p = rows.data[0] + start
    s.n = end - start
    s.buffer = rows.named
    s.behind = rows.sizes[0] - start
    s.place = <int32_t>start
    return ROW_THERE


# --- columns that are written


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
    """Make a row null."""
    if open_bitmap(bits) != DONE:
        return NO_MEMORY
    bits.p[i >> 3] &= ~(1 << (i & 7))
    bits.missing += 1
    return DONE


cdef inline Py_ssize_t place_size(int layout) noexcept nogil:
    return 4 if layout == STRING else 8 if layout == LARGE_STRING else 16


cdef int open_texts(Texts* t, int layout, Py_ssize_t rows, Py_ssize_t full, Rows read, Py_ssize_t start) except -1:
    """Begin a column of at most `rows` rows, computed from the rows of `read` from `start` on."""
    memset(t, 0, sizeof(Texts))
    t.layout, t.places_for = layout, rows
    t.full = PY_SSIZE_T_MAX if layout == LARGE_STRING else full
    # In views, the column's own buffer follows the buffers that it shares with the input.
    t.buffer = read.shared
    if layout != VIEW:
        t.most = min(octets_of(read, start, rows) + STEP, <Py_ssize_t>MOST_ROOM)
        # The first rows show how many octets the others need, see `more_room`.
        t.room = min(t.most, max(t.most >> 4, <Py_ssize_t>LEAST_ROOM))
        t.data = <unsigned char*>room_new(t.room)
        if t.data is NULL:
            raise MemoryError
    open_bits(&t.valid, rows)
    t.places = <unsigned char*>room_new((rows + 1) * place_size(layout))
    if t.places is NULL:
        raise MemoryError
    memset(t.places, 0, place_size(layout))
    return 0


cdef Py_ssize_t octets_of(Rows read, Py_ssize_t start, Py_ssize_t rows) noexcept:
    """Return the number of octets of the given rows, or an estimate."""
    cdef Py_ssize_t first = read.offset + start, octets = 0
    if read.layout == STRING:
        octets = number_of[int32_t](read.places, first + rows, 0)
        octets -= number_of[int32_t](read.places, first, 0)
    elif read.layout == LARGE_STRING:
        # The difference of invalid offsets may overflow, which is defined for unsigned numbers only.
        octets = <Py_ssize_t>(
            <uint64_t>number_of[int64_t](read.places, first + rows, 0)
            - <uint64_t>number_of[int64_t](read.places, first, 0)
        )
    # Invalid offsets are found later, row by row.
    return octets if octets > 0 else 32 * rows


cdef void close_texts(Texts* t) noexcept:
    room_free(t.places)
    room_free(t.data)
    room_free(t.valid.p)


cdef int more_places(Texts* t) noexcept nogil:
    """Make room for more rows, if the number of rows is not known in advance."""
    cdef Py_ssize_t rows = 2 * t.places_for + 16
    cdef Py_ssize_t used = (t.rows + 1) * place_size(t.layout)
    cdef unsigned char* p
    cdef unsigned char* bits
    # Never copy more entries than were allocated.
    used = min(used, (t.places_for + 1) * place_size(t.layout))
    p = <unsigned char*>room_grown(t.places, used, (rows + 1) * place_size(t.layout))
    if p is NULL:
        return NO_MEMORY
    t.places, t.places_for = p, rows
    if t.valid.p is not NULL:
        bits = <unsigned char*>room_grown(t.valid.p, (t.valid.rows >> 3) + 1, (rows >> 3) + 1)
        if bits is NULL:
            return NO_MEMORY
        memset(bits + (t.valid.rows >> 3) + 1, 0xFF, (rows >> 3) - (t.valid.rows >> 3))
        t.valid.p = bits
    t.valid.rows = rows
    return DONE


cdef int more_room(Texts* t, Py_ssize_t n) noexcept nogil:
    """Make room for `n` more octets, and for the remaining rows if these are like the rows so far."""
    cdef double all_rows = 1.125 * (t.n + n) / (t.rows + 1) * t.places_for
    cdef Py_ssize_t room = max(t.room + t.room // 2, t.n + n + 4096)
    cdef unsigned char* p
    room = max(room, <Py_ssize_t>min(all_rows, <double>t.most))
    p = <unsigned char*>room_grown(t.data, t.n, room)
    if p is NULL:
        return NO_MEMORY
    t.data, t.room = p, room
    return DONE


cdef inline void end_row(Texts* t) noexcept nogil:
    """Write the end of a row, in a layout with offsets."""
    t.rows += 1
    if t.layout == STRING:
        (<int32_t*>t.places)[t.rows] = <int32_t>t.n
    else:
        (<int64_t*>t.places)[t.rows] = t.n


cdef inline int put_null(Texts* t) noexcept nogil:
    cdef int status = put_missing(&t.valid, t.rows)
    if t.layout == VIEW:
        memset(t.places + 16 * t.rows, 0, 16)
        t.rows += 1
    else:
        end_row(t)
    return status


cdef inline void put_view(Texts* t, const unsigned char* p, Py_ssize_t n, int32_t buffer, int32_t place) noexcept nogil:
    """Write a view: a short string itself, or the first four bytes of a string and its location."""
    cdef unsigned char* view = t.places + 16 * t.rows
    cdef int32_t size = <int32_t>n
    memcpy(view, &size, 4)
    if n <= LONGEST_INLINE:
        memset(view + 4, 0, 12)
        if n > 0:  # the address of an empty string may be NULL
            memcpy(view + 4, p, n)
    else:
        memcpy(view + 4, p, 4)
        memcpy(view + 8, &buffer, 4)
        memcpy(view + 12, &place, 4)
    t.rows += 1


cdef inline int put_text(Texts* t, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Write a string that views cannot share with the input."""
    if t.layout == VIEW and n <= LONGEST_INLINE:
        put_view(t, p, n, 0, 0)
        return DONE
    if t.n + n > t.full:
        return FULL
    if t.n + n > t.room and more_room(t, n) != DONE:
        return NO_MEMORY
    if n > 0:
        memcpy(t.data + t.n, p, n)
    if t.layout == VIEW:
        put_view(t, p, n, t.buffer, <int32_t>t.n)
        t.n += n
    else:
        t.n += n
        end_row(t)
    return DONE


cdef inline void copy_steps(unsigned char* out, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Copy `n` bytes, and fewer than `STEP` bytes after them, without a function call."""
    cdef Py_ssize_t i = 0
    while i < n:
        memcpy(out + i, p + i, STEP)
        i += STEP


cdef inline int put_span(Texts* t, Span* s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Write a part of an input row; views share the buffer of the row if they can refer to it."""
    cdef Py_ssize_t n = end - start
    if t.layout == VIEW:
        if s.buffer >= 0:
            put_view(t, s.p + start, n, s.buffer, <int32_t>(s.place + start))
            return DONE
    elif s.behind - start >= n + STEP and t.n + n + STEP <= min(t.room, t.full):
        copy_steps(t.data + t.n, s.p + start, n)
        t.n += n
        end_row(t)
        return DONE
    return put_text(t, s.p + start, n)


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

    def sliced(self, Py_ssize_t start, Py_ssize_t rows):
        """Return an array with a range of the rows, which shares the buffers of this array."""
        cdef Made made = Made(rows, -1 if self.array.null_count else 0, self.array.n_buffers, self.children, (self,))
        memcpy(made.buffers, self.buffers, self.array.n_buffers * sizeof(void*))
        made.array.offset = self.array.offset + start
        return made

    cdef Made first_rows(self, Py_ssize_t rows):
        """Return an array with the first rows, which is this array if it has no others."""
        return self if rows == self.array.length else self.sliced(0, rows)

    def rows(self, str layout, /):
        """Return the array, whose strings have a layout, as `Rows`."""
        cdef int kind = LAYOUTS.index(layout)
        cdef Py_ssize_t end = self.array.offset + self.array.length, k
        cdef list sizes = [(end + 7) >> 3 if self.buffers[0] else 0, (end + (kind != VIEW)) * place_size(kind)], buffers = []
        cdef const unsigned char* last = <const unsigned char*>self.buffers[1 if kind != VIEW else self.array.n_buffers - 1]
        cdef Rows rows
        for k in range(self.array.n_buffers - (2 if kind != VIEW else 3)):
            # The end of the last string, or the sizes of the buffers of views.
            sizes.append(number_at(last, end if kind != VIEW else k, c"i" if kind == STRING else c"q"))
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


def made_of(Py_ssize_t rows, Py_ssize_t missing, tuple buffers, tuple children, /):
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


cdef Made made_of_texts(Texts* t, Rows rows):
    """Create an array from a column of strings, and take ownership of its buffers."""
    cdef Made made
    cdef int k, count = rows.shared
    cdef int64_t* sizes
    # The buffer must exist even if it is empty.
    cdef unsigned char* data = <unsigned char*>room_fitted(t.data, t.n)
    if data is NULL:
        raise MemoryError
    t.data = data
    if t.layout != VIEW:
        made = Made(t.rows, t.valid.missing, 3)
        made.own(2, <void**>&t.data)
    else:
        # The buffers shared with the input, the column's own buffer, and the sizes of all of them.
        made = Made(t.rows, t.valid.missing, count + 4, (), (rows,))
        sizes = <int64_t*>room_new((count + 1) * sizeof(int64_t))
        if sizes is NULL:
            raise MemoryError
        for k in range(count):
            made.buffers[2 + k] = rows.data[k]
            sizes[k] = rows.sizes[k]
        sizes[count] = t.n
        made.own(count + 2, <void**>&t.data)
        made.own(count + 3, <void**>&sizes)
    made.own(1, <void**>&t.places)
    made.own(0, <void**>&t.valid.p)
    return made


def encode_rows(list rows, str layout, str surrogates, Py_ssize_t full, /):
    """Create an array from strings, URI objects and `None`; return `None` if it has more than `full` octets.

    Lone surrogates are encoded as by `str.encode` with that argument.
    """
    cdef Texts t
    cdef Py_ssize_t i
    cdef int status = DONE
    cdef bytes octets
    memset(&t, 0, sizeof(Texts))
    try:
        open_texts(&t, LAYOUTS.index(layout), len(rows), full, NO_ROWS, 0)
        t.most = MOST_ROOM
        for i in range(len(rows)):
            try:
                text = None if rows[i] is None else as_text(rows[i])
            except TypeError as error:
                raise TypeError(f"row {i}: {error}") from None
            if text is None:
                status = put_null(&t)
            elif PyUnicode_IS_ASCII(text):
                status = put_text(&t, <const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
            else:
                octets = (<str>text).encode("utf-8", surrogates)
                status = put_text(&t, octets, len(octets))
            if status == NO_MEMORY:
                raise MemoryError
            if status == FULL:
                return None
        return made_of_texts(&t, NO_ROWS)
    finally:
        close_texts(&t)


cdef Rows NO_ROWS = Rows("null", 0, 0, ())


cdef Made made_of_bits(Bits* valid, Py_ssize_t rows, void** data):
    """Create an array with one buffer besides the bitmap, and take ownership of both."""
    cdef Made made = Made(rows, valid.missing, 2)
    made.own(1, data)
    made.own(0, <void**>&valid.p)
    return made


def _given_out():
    """Return the number of buffers in use. This is for tests only."""
    return given_out
