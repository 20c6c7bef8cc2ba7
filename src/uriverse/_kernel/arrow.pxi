# Columns as Arrow keeps them: rows that are read where they stand, and columns that are written.
#
# https://arrow.apache.org/docs/format/Columnar.html and CDataInterface.html

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from cpython.ref cimport Py_DECREF
from libc.stdlib cimport free

cdef extern from "Python.h":
    Py_buffer* PyMemoryView_GET_BUFFER(object)

cdef enum:
    # How strings are laid out; the names in the same order: LAYOUTS. A column of nulls has no
    # strings, and the rows of a dictionary are numbers of its values.
    STRING
    LARGE_STRING
    VIEW
    NOTHING_THERE
    NUMBERED

LAYOUTS = ("string", "large_string", "string_view", "null")

cdef enum:
    LONGEST_INLINE = 12  # as a view holds it itself

cdef struct Span:
    # A text in the buffers of a column.
    const unsigned char* p
    Py_ssize_t n
    int32_t buffer  # which of those that views can name; -1 for none of them
    int32_t place  # where in it
    Py_ssize_t behind  # how many bytes of the same buffer may be read from `p` on

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
    """An array of texts, read where it stands.

    Args:
        layout: one of `LAYOUTS`.
        length: the rows of the array.
        offset: where they begin in its buffers.
        buffers: those of the layout, the bitmap first, which may be empty.
        dictionary: the texts that the rows are indices of, in the second buffer; else `None`.
    """

    cdef int layout
    cdef Py_ssize_t length, offset
    cdef const unsigned char* valid
    cdef const unsigned char* places  # offsets or views
    cdef int buffers  # of texts
    cdef int32_t named  # the index of the first in views; -1 if their 32-bit offsets are too small
    cdef const unsigned char** data
    cdef Py_ssize_t* sizes
    cdef Py_buffer* held
    cdef int holds  # how many
    cdef Rows dictionary
    cdef void* values  # the dictionary again, to be read without the interpreter's lock
    cdef char code  # type of the numbers, as the module `struct` writes it
    cdef readonly tuple shared  # the buffers that views can name

    def __cinit__(self, str layout, Py_ssize_t length, Py_ssize_t offset, tuple buffers, Rows dictionary=None):
        cdef int k, count = len(buffers)
        self.layout = LAYOUTS.index(layout)
        self.length, self.offset = length, offset
        self.shared = ()
        if self.layout == NOTHING_THERE:
            return
        if count < (2 if dictionary is not None or self.layout == VIEW else 3):
            raise call_reference("buffers.broken", "it does not have the buffers of its layout")
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
        self.places = <const unsigned char*>self.held[1].buf
        if length > 0 and not self.is_whole(offset + length, memoryview(buffers[1]).itemsize, dictionary is not None):
            raise call_reference("buffers.broken", "a buffer is too short for its rows")
        for k in range(2, count):
            self.data[k - 2] = <const unsigned char*>self.held[k].buf
            self.sizes[k - 2] = self.held[k].len
        self.buffers = count - 2
        # Views have 32-bit offsets.
        self.named = 0 if dictionary is None and self.buffers > 0 and self.sizes[0] <= 0x7FFFFFFF else -1
        if self.named == 0 or (dictionary is None and self.layout == VIEW):
            self.shared = buffers[2:]
        if dictionary is not None:
            self.layout = NUMBERED
            self.dictionary, self.values = dictionary, <void*>dictionary
            code = memoryview(buffers[1]).format
            self.code = ord(code[len(code) - 1])

    def __dealloc__(self):
        cdef int k
        for k in range(self.holds):
            PyBuffer_Release(&self.held[k])
        room_free(self.held)
        room_free(self.data)
        room_free(self.sizes)

    cdef bint is_whole(self, Py_ssize_t rows, Py_ssize_t size, bint indices):
        """Whether bitmap and places are there for so many rows; `size` is that of an index."""
        cdef Py_ssize_t places = rows * size
        if not indices:
            places = rows * 16 if self.layout == VIEW else (rows + 1) * place_size(self.layout)
        return self.held[1].len >= places and (self.valid is NULL or self.held[0].len >= (rows + 7) >> 3)


cdef inline bint is_there(const unsigned char* valid, Py_ssize_t i) noexcept nogil:
    """Whether a row is not null, by the bitmap; without one all rows are there."""
    return valid is NULL or valid[i >> 3] >> (i & 7) & 1


# Numbers in columns. They need not be aligned, so they are copied; compilers make that one load.
ctypedef fused Number:
    int8_t
    uint8_t
    int16_t
    uint16_t
    int32_t
    uint32_t
    int64_t


cdef inline Number number_of(const unsigned char* p, Py_ssize_t i, Number like) noexcept nogil:
    """The number at an index of a buffer, of the same type as `like`."""
    memcpy(&like, p + i * <Py_ssize_t>sizeof(Number), sizeof(Number))
    return like


cdef inline Py_ssize_t number_at(const unsigned char* p, Py_ssize_t i, char kind) noexcept nogil:
    """A number in a buffer, by the sign of its type in the module `struct`."""
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
    """`spec.columns.indices_of_runs`."""
    cdef Py_buffer* held = PyMemoryView_GET_BUFFER(ends)
    cdef char kind = held.format[0]
    cdef Py_ssize_t run = 0, runs = held.len // held.itemsize, end, before = 0, row = 0
    cdef bytes made
    cdef int64_t* indices
    # Before memory is taken for as many rows as the array claims. `offset` and `length` are not
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
    ROW_BROKEN = 2  # it is no place in the buffers


cdef inline bint is_null(Rows rows, Py_ssize_t k) noexcept nogil:
    return rows.layout == NOTHING_THERE or not is_there(rows.valid, k)


cdef inline int row(Rows rows, Py_ssize_t i, Span* s) noexcept nogil:
    """Find a row."""
    if is_null(rows, rows.offset + i):
        return ROW_MISSING
    if rows.layout == NUMBERED:
        return value(rows, rows.offset + i, s)
    return place(rows, rows.offset + i, s)


cdef int value(Rows rows, Py_ssize_t k, Span* s) noexcept nogil:
    """Find the dictionary value of a row; a dictionary may have a dictionary in turn.

    A loop, because compilers do not inline `row` if it is recursive.
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
    # The buffers are those of the dictionary, so views of this column cannot name them.
    s.buffer = -1
    return there


cdef inline int place(Rows rows, Py_ssize_t k, Span* s) noexcept nogil:
    """Find the octets of a row that is not null, in a layout with offsets or views."""
    cdef Py_ssize_t start, end
    cdef const unsigned char* view
    cdef int32_t size, buffer
    if rows.layout == VIEW:
        view = rows.places + 16 * k
        memcpy(&size, view, 4)
        s.n = s.behind = size
        if 0 <= size <= LONGEST_INLINE:
            s.p = view + 4
            s.buffer = -1
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
    MOST_ROOM = 1 << 26  # that is taken without need

cdef enum:
    DONE = 0
    FULL = 1  # no more can be told by the offsets of one array
    NO_MEMORY = 2

cdef struct Bits:
    # The bitmap of rows that are there, which is made when the first is missing.
    unsigned char* p
    Py_ssize_t rows, missing

cdef struct Texts:
    # A column of texts that is being written.
    int layout
    Bits valid
    Py_ssize_t rows, n, room, full
    unsigned char* places  # offsets or views, with room for all rows
    Py_ssize_t places_for
    unsigned char* data
    int32_t buffer  # by which views name it


cdef int open_bits(Bits* bits, Py_ssize_t rows) noexcept nogil:
    bits.p = NULL
    bits.rows = rows
    bits.missing = 0
    return DONE


cdef inline int put_missing(Bits* bits, Py_ssize_t i) noexcept nogil:
    """Make a row null."""
    if bits.p is NULL:
        bits.p = <unsigned char*>room_new((bits.rows >> 3) + 1)
        if bits.p is NULL:
            return NO_MEMORY
        memset(bits.p, 0xFF, (bits.rows >> 3) + 1)
    bits.p[i >> 3] &= ~(1 << (i & 7))
    bits.missing += 1
    return DONE


cdef inline Py_ssize_t place_size(int layout) noexcept nogil:
    return 4 if layout == STRING else 8 if layout == LARGE_STRING else 16


cdef int open_texts(Texts* t, int layout, Py_ssize_t rows, Py_ssize_t full, Rows read, Py_ssize_t start) except -1:
    """Begin a column of so many rows at most, made of those from `start` on."""
    memset(t, 0, sizeof(Texts))
    t.layout, t.full, t.places_for = layout, full, rows
    # As views, its own buffer is named behind those that it shares.
    t.buffer = len(read.shared)
    if layout != VIEW:
        # What is not touched costs nothing, and what is over is given back.
        t.room = min(octets_of(read, start, rows), <Py_ssize_t>MOST_ROOM)
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
    """How many octets rows have, or a guess."""
    cdef Py_ssize_t first = read.offset + start, octets = 0
    if read.layout == STRING:
        octets = number_of[int32_t](read.places, first + rows, 0)
        octets -= number_of[int32_t](read.places, first, 0)
    elif read.layout == LARGE_STRING:
        # Invalid offsets may overflow; for unsigned numbers that is defined.
        octets = <Py_ssize_t>(
            <uint64_t>number_of[int64_t](read.places, first + rows, 0)
            - <uint64_t>number_of[int64_t](read.places, first, 0)
        )
    # Where it is broken, this is found row by row.
    return octets if octets > 0 else 32 * rows


cdef void close_texts(Texts* t) noexcept:
    room_free(t.places)
    room_free(t.data)
    room_free(t.valid.p)


cdef int more_places(Texts* t) noexcept nogil:
    """Make room for another row, where it is not known how many there will be."""
    cdef Py_ssize_t rows = 2 * t.places_for + 16
    cdef Py_ssize_t used = (t.rows + 1) * place_size(t.layout)
    cdef unsigned char* p
    cdef unsigned char* bits
    # A view more than there are has no place yet.
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
    """Make room for so many octets more."""
    cdef Py_ssize_t room = max(t.room + t.room // 2, t.n + n + 4096)
    cdef unsigned char* p = <unsigned char*>room_grown(t.data, t.n, room)
    if p is NULL:
        return NO_MEMORY
    t.data, t.room = p, room
    return DONE


cdef inline void end_row(Texts* t) noexcept nogil:
    """Note where a row of a layout with offsets ends."""
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
    """Write a view of a text: it, or its beginning and where it stands."""
    cdef unsigned char* view = t.places + 16 * t.rows
    cdef int32_t size = <int32_t>n
    memcpy(view, &size, 4)
    if n <= LONGEST_INLINE:
        memset(view + 4, 0, 12)
        memcpy(view + 4, p, n)
    else:
        memcpy(view + 4, p, 4)
        memcpy(view + 8, &buffer, 4)
        memcpy(view + 12, &place, 4)
    t.rows += 1


cdef inline int put_text(Texts* t, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Write a text that stands in no buffer of the column read."""
    if t.layout == VIEW and n <= LONGEST_INLINE:
        put_view(t, p, n, 0, 0)
        return DONE
    if t.n + n > t.full and t.layout != LARGE_STRING:
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


cdef inline int put_span(Texts* t, Span* s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Write a part of a row, which views share where they can name its buffer."""
    cdef Py_ssize_t n = end - start
    if t.layout == VIEW:
        if s.buffer >= 0:
            put_view(t, s.p + start, n, s.buffer, <int32_t>(s.place + start))
            return DONE
    elif n <= 32 and s.behind - start >= 32 and t.n + 32 <= min(t.room, t.full):
        # A copy of fixed size takes no call; what is behind the part is written over next.
        memcpy(t.data + t.n, s.p + start, 32)
        t.n += n
        end_row(t)
        return DONE
    return put_text(t, s.p + start, n)


# --- arrays that are handed over


cdef class Made:
    """An array that was made, whose buffers live as long as anybody has it.

    Attributes:
        held: what has the buffers that are shared with the column read.
    """

    cdef ArrowArray array  # never released itself: see `export_array`
    cdef const void** buffers
    cdef unsigned char* owned  # which buffers are freed with it
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
        """Take over a buffer and set its pointer to NULL, so that the caller cannot free it too."""
        self.buffers[k] = buffer[0]
        self.owned[k] = True
        buffer[0] = NULL

    def __len__(self):
        return self.array.length

    def capsule(self):
        """The array as a capsule of the C data interface."""
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
    """Make an array with aligned copies of these buffers; `None` for a bitmap without nulls."""
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
    """Export an array with its children; on an error, nothing stays allocated."""
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
    """What whoever has an array calls in the end; children may have been moved away."""
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
    """Arrays one after the other."""

    cdef object schema  # which speaks the PyCapsule protocol
    cdef list arrays
    cdef Py_ssize_t next


def stream(schema, list arrays, /):
    """Arrays as a capsule of the C stream interface."""
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
        schema.release = NULL  # moved: see the C data interface
        return 0
    except BaseException:
        return ENOMEM


cdef int stream_next(ArrowArrayStream* given, ArrowArray* out) noexcept with gil:
    cdef Stream state = <Stream>given.private_data
    try:
        out.release = NULL  # which tells the end
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
    """The array of a column of texts, whose buffers it takes."""
    cdef Made made
    cdef int k, count = len(rows.shared)
    cdef int64_t* sizes
    # A buffer is always there, though nothing is in it.
    cdef unsigned char* data = <unsigned char*>room_fitted(t.data, t.n)
    if data is NULL:
        raise MemoryError
    t.data = data
    if t.layout != VIEW:
        made = Made(t.rows, t.valid.missing, 3)
        made.own(2, <void**>&t.data)
    else:
        # Those of the column read, this one's own, and their sizes.
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


cdef Made made_of_bits(Bits* valid, Py_ssize_t rows, void** data):
    """The array of what has one buffer, which it takes."""
    cdef Made made = Made(rows, valid.missing, 2)
    made.own(1, data)
    made.own(0, <void**>&valid.p)
    return made


def _given_out():
    """The number of buffers that are in use; for tests."""
    return given_out
