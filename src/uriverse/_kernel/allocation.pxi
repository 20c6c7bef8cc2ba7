# The creation and the deallocation of values.
#
# Over half of the instructions of `URI(text)` were those of CPython's allocation, which is made for any
# class. So the public types have their own, which keeps the memory of some values for the next ones.

cdef enum:
    MOST_KEPT = 64  # about 5 kB

# The memory of deallocated values. It belongs to no type, because the public types have the same layout.
cdef PyObject* kept_values[MOST_KEPT]
cdef int kept_count = 0


cdef Identifier derived(Identifier self, str text, Scan* at):
    """Create the result of an edit from a scanned string, as the public type of a value.

    The result may break the rules of a subclass, so it is never an instance of one.
    """
    return made(<type>TYPES[rule_of(type(self))], text, at)


cdef Identifier made(type cls, str text, Scan* at):
    """Create an instance of a public type from a string and its bounds, without scanning it again."""
    global kept_count
    cdef PyObject* memory
    cdef Identifier self
    if kept_count:
        kept_count -= 1
        memory = PyObject_Init(kept_values[kept_count], <PyTypeObject*>cls)
        self = <Identifier>memory
        Py_DECREF(self)  # the reference of `PyObject_Init` is the one that `self` now has
    else:
        self = <Identifier>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
        # The object references only a str, so it is never part of a reference cycle, and the garbage
        # collector need not track it.
        PyObject_GC_UnTrack(<PyObject*>self)
    fill(self, text, at)
    return self


cdef inline void fill(Identifier self, str text, Scan* at) noexcept:
    """Set the string and the bounds of a value, whose own string is NULL."""
    Py_INCREF(text)
    self.held = <PyObject*>text
    self.scheme_end = <int32_t>at.scheme_end
    self.authority_start = <int32_t>at.authority
    self.host_start = <int32_t>at.host
    self.host_end = <int32_t>at.host_end
    self.path_start = <int32_t>at.path
    self.path_end = <int32_t>at.path_end
    self.query_end = <int32_t>at.query_end


cdef void deallocate(PyObject* self) noexcept:
    """Deallocate a value: the `tp_dealloc` of the public types.

    CPython calls it for a public type directly, and for a subclass after it has deallocated what the
    subclass adds.
    """
    global kept_count
    cdef PyTypeObject* cls = Py_TYPE(self)
    cdef bint direct = cls.tp_dealloc is deallocate, has_finalizer = cls.tp_finalize is not NULL
    # A method `__del__`, which a program can add to a public type, may keep the object alive.
    if direct and has_finalizer and PyObject_CallFinalizerFromDealloc(self) < 0:
        return
    PyObject_GC_UnTrack(self)
    PyObject_ClearWeakRefs(self)
    Py_CLEAR((<Identifier>self).held)
    # A finalized object is marked in its memory, so that memory is not kept.
    if direct and not has_finalizer and kept_count < MOST_KEPT:
        kept_values[kept_count] = self
        kept_count += 1
    else:
        cls.tp_free(self)
    Py_DECREF(<object>cls)  # each value has a reference to its type


cdef void allocate_values() noexcept:
    """Let the public types deallocate their values themselves."""
    cdef int rule
    # Without the global interpreter lock, threads would have to wait for each other.
    if not FREE_THREADED:
        for rule in range(4):
            (<PyTypeObject*>TYPES[rule]).tp_dealloc = deallocate


