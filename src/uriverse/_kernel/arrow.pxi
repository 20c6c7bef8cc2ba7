# Arrow arrays of strings that are read in place: `uriverse.columns._c_data`, and the functions of
# `uriverse.columns._arrow` that decode rows.
# Other files call `is_there`, `load_typed`, `load_number`, `read_row` and `count_octets`.

cdef extern from "Python.h":
    Py_buffer* PyMemoryView_GET_BUFFER(object)
    object PyMemoryView_FromMemory(char*, Py_ssize_t, int)

cdef enum:
    # The layout of an array of strings, as an index into LAYOUTS. NOTHING_THERE is an array of the type
    # null. NUMBERED is a dictionary-encoded array, whose rows are indices of dictionary values.
    STRING, LARGE_STRING, VIEW, NOTHING_THERE, NUMBERED

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
            raise ColumnError(*_buffers.describe_column_fault("it does not have the buffers of its layout"))
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
            raise ColumnError(*_buffers.describe_column_fault("a buffer is too short for its rows"))
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
        cdef list decoded_rows = [None] * count
        cdef Span span
        cdef const unsigned char* before = NULL
        cdef Py_ssize_t size = 0, i
        cdef str text = ""
        cdef int row_status
        for i in range(count):
            row_status = read_row(self, start + i, &span)
            if row_status == ROW_BROKEN:
                from uriverse._errors import ColumnError
                from uriverse.columns import _buffers
                raise ColumnError(*_buffers.describe_row_fault(start + i))
            if row_status == ROW_THERE:
                # Equal rows that follow each other share one string.
                if span.n != size or (size > 0 and memcmp(span.p, before, size) != 0):
                    text, before, size = decode_escaped(span.p, span.n), span.p, span.n
                decoded_rows[i] = text
        return decoded_rows

    cdef bint is_whole(self, Py_ssize_t rows, Py_ssize_t size, bint indices):
        """Return whether bitmap and offsets are long enough for `rows`; `size` is that of an index."""
        cdef Py_ssize_t places = rows * size
        if not indices:
            places = rows * 16 if self.layout == VIEW else (rows + 1) * get_place_size(self.layout)
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


cdef str decode_c_string(const char* octets):
    return PyUnicode_DecodeUTF8(octets, strlen(octets), "replace")


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
            rows.sizes[k] = load_typed[int64_t](sizes, k, 0)
        else:
            rows.sizes[k] = load_number(rows.places, end, c"i" if layout == STRING else c"q")
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


cdef inline Number load_typed(const unsigned char* buffer, Py_ssize_t i, Number like) noexcept nogil:
    """Return the number at an index of a buffer; `like` only determines the type."""
    memcpy(&like, buffer + i * <Py_ssize_t>sizeof(Number), sizeof(Number))
    return like


cdef inline Py_ssize_t load_number(const unsigned char* buffer, Py_ssize_t i, char kind) noexcept nogil:
    """Return the number at an index of a buffer, given its format character in the module `struct`."""
    if kind == c"b":
        return load_typed[int8_t](buffer, i, 0)
    if kind == c"B":
        return load_typed[uint8_t](buffer, i, 0)
    if kind == c"h":
        return load_typed[int16_t](buffer, i, 0)
    if kind == c"H":
        return load_typed[uint16_t](buffer, i, 0)
    if kind == c"i":
        return load_typed[int32_t](buffer, i, 0)
    if kind == c"I":
        return load_typed[uint32_t](buffer, i, 0)
    # A uint64 above the range of int64 becomes negative, and is rejected as an index as well.
    return load_typed[int64_t](buffer, i, 0)


def indices_of_runs(ends, Py_ssize_t offset, Py_ssize_t length, /):
    """Return, for each row, the index of the run that contains it.

    Args:
        ends: for each run, the index of the first row after it.
        offset: the first row.
        length: the number of rows.

    Raises:
        IndexError: the runs do not cover the rows. Runs after the last row are not read.
    """
    cdef Py_buffer* buffer = PyMemoryView_GET_BUFFER(ends)
    cdef char kind = buffer.format[0]
    cdef Py_ssize_t run = 0, runs = buffer.len // buffer.itemsize, end, before = 0, row = 0
    cdef bytes octets
    cdef int64_t* indices
    # Check this before allocating memory for the claimed number of rows. `offset` and `length` are not
    # negative and their sum fits, so the right-hand side does not overflow.
    if length and not (runs and load_number(<const unsigned char*>buffer.buf, runs - 1, kind) >= offset + length):
        raise IndexError(length)
    octets = PyBytes_FromStringAndSize(NULL, length * sizeof(int64_t))
    indices = <int64_t*>PyBytes_AS_STRING(octets)
    with nogil:
        while row < length and run < runs:
            end = load_number(<const unsigned char*>buffer.buf, run, kind)
            if end <= before:
                break
            before = end
            while row < min(end - offset, length):
                indices[row] = run
                row += 1
            run += 1
    if row < length:
        raise IndexError(row)
    return memoryview(octets).cast("q")


cdef enum:
    ROW_MISSING = 0
    ROW_THERE = 1
    ROW_BROKEN = 2  # the row is not within the buffers


cdef inline bint is_null(Rows rows, Py_ssize_t k) noexcept nogil:
    return rows.layout == NOTHING_THERE or not is_there(rows.valid, k)


cdef inline int read_row(Rows rows, Py_ssize_t i, Span* span) noexcept nogil:
    """Find the string of a row; return ROW_MISSING, ROW_THERE or ROW_BROKEN."""
    if is_null(rows, rows.offset + i):
        return ROW_MISSING
    if rows.layout == NUMBERED:
        return find_dictionary_value(rows, rows.offset + i, span)
    return locate_string(rows, rows.offset + i, span)


cdef int find_dictionary_value(Rows rows, Py_ssize_t k, Span* span) noexcept nogil:
    """Find the dictionary value of a row; a dictionary may itself be dictionary-encoded.

    This is a loop, because compilers do not inline `read_row` if it is recursive.
    """
    cdef void* level = <void*>rows
    cdef Py_ssize_t number
    cdef int row_status
    while (<Rows>level).layout == NUMBERED:
        number = load_number((<Rows>level).places, k, (<Rows>level).code)
        level = (<Rows>level).values
        if not 0 <= number < (<Rows>level).length:
            return ROW_BROKEN
        k = (<Rows>level).offset + number
        if is_null(<Rows>level, k):
            return ROW_MISSING
    row_status = locate_string(<Rows>level, k, span)
    # The buffers are those of the dictionary, so views in a result cannot refer to them.
    span.buffer = -1
    return row_status


cdef inline int locate_string(Rows rows, Py_ssize_t k, Span* span) noexcept nogil:
    """Find the string of a row that is not null, in a layout with offsets or views."""
    cdef Py_ssize_t start, end
    cdef const unsigned char* view
    cdef int32_t size, buffer
    if rows.layout == VIEW:
        view = rows.places + 16 * k
        memcpy(&size, view, 4)
        span.n = size
        if 0 <= size <= LONGEST_INLINE:
            span.p = view + 4
            span.buffer = -1
            span.behind = rows.places_size - 16 * k - 4
            return ROW_THERE
        memcpy(&buffer, view + 8, 4)
        memcpy(&span.place, view + 12, 4)
        span.buffer = buffer
        if size < 0 or not 0 <= buffer < rows.buffers or span.place < 0 or span.place > rows.sizes[buffer] - size:
            return ROW_BROKEN
        span.p = rows.data[buffer] + span.place
        span.behind = rows.sizes[buffer] - span.place
        return ROW_THERE
    if rows.layout == STRING:
        start = load_typed[int32_t](rows.places, k, 0)
        end = load_typed[int32_t](rows.places, k + 1, 0)
    else:
        start = load_typed[int64_t](rows.places, k, 0)
        end = load_typed[int64_t](rows.places, k + 1, 0)
    if not 0 <= start <= end <= rows.sizes[0]:
        return ROW_BROKEN
    span.p = rows.data[0] + start
    span.n = end - start
    span.buffer = rows.named
    span.behind = rows.sizes[0] - start
    span.place = <int32_t>start
    return ROW_THERE


cdef Py_ssize_t count_octets(Rows column, Py_ssize_t start, Py_ssize_t rows) noexcept:
    """Return the number of octets of some rows of a column, or an estimate."""
    cdef Py_ssize_t first = column.offset + start, octets = 0
    if column.layout == STRING:
        octets = load_typed[int32_t](column.places, first + rows, 0)
        octets -= load_typed[int32_t](column.places, first, 0)
    elif column.layout == LARGE_STRING:
        # The difference of invalid offsets may overflow, which is defined for unsigned numbers only.
        octets = <Py_ssize_t>(
            <uint64_t>load_typed[int64_t](column.places, first + rows, 0)
            - <uint64_t>load_typed[int64_t](column.places, first, 0)
        )
    # Invalid offsets are found later, row by row.
    return octets if octets > 0 else 32 * rows
