# Create and deallocate values, segments and parameters, which Python does for `uriverse._uri.identifier`.
# Other files call `allocate_object`, `derive_value`, `create_value`, `create_most_specific`, `fill_value`, `set_value_deallocators` and `set_view_deallocator`.

cdef enum:
    MOST_KEPT = 64  # about 5 kB

cdef struct Pool:
    # The memory of deallocated objects. It belongs to no type: the public types have the same layout.
    PyObject* memory[MOST_KEPT]
    int count

cdef Pool value_pool, segments_pool, params_pool


cdef inline object allocate_object(cls, Pool* pool):
    """Create an object whose pointers are NULL, and whose other fields may have any value."""
    cdef PyObject* memory
    cdef object self
    if pool.count:
        pool.count -= 1
        memory = PyObject_Init(pool.memory[pool.count], <PyTypeObject*>cls)
        self = <object>memory
        Py_DECREF(self)  # the reference of `PyObject_Init` is the one that `self` now has
    else:
        self = (<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
        # The object references only strings, and tuples, lists and a dict of strings. So it is never
        # part of a reference cycle, and the garbage collector need not track it.
        PyObject_GC_UnTrack(<PyObject*>self)
    return self


cdef Identifier derive_value(Identifier self, str text, Scan* bounds):
    """Create the result of an edit as a public type: it may break the rules of a subclass."""
    return create_value(<type>TYPES[get_rule(type(self))], text, bounds)


cdef Identifier create_value(type cls, str text, Scan* bounds):
    cdef Identifier self = <Identifier>allocate_object(cls, &value_pool)
    fill_value(self, text, bounds)
    return self


cdef inline Identifier create_most_specific(str text, Scan* bounds):
    cdef int rule = ASCII_ONLY if PyUnicode_IS_ASCII(text) else 0
    return create_value(<type>types[rule | NEEDS_SCHEME if bounds.scheme_end >= 0 else rule], text, bounds)


cdef inline void fill_value(Identifier self, str text, Scan* bounds) noexcept:
    """Set the string and the bounds of a value, whose own string is NULL."""
    Py_INCREF(text)
    self.held = <PyObject*>text
    self.scheme_end = <int32_t>bounds.scheme_end
    self.authority_start = <int32_t>bounds.authority
    self.host_start = <int32_t>bounds.host
    self.host_end = <int32_t>bounds.host_end
    self.path_start = <int32_t>bounds.path
    self.path_end = <int32_t>bounds.path_end
    self.query_end = <int32_t>bounds.query_end


# CPython calls these functions for an exact type directly, and for a subclass after it has deallocated
# what the subclass adds.

cdef void deallocate(PyObject* self) noexcept:
    if start_deallocation(self, deallocate):
        Py_CLEAR((<Identifier>self).held)
        finish_deallocation(self, deallocate, &value_pool)


cdef void deallocate_segments(PyObject* self) noexcept:
    if start_deallocation(self, deallocate_segments):
        Py_CLEAR((<PathParts>self).held)
        Py_CLEAR((<PathParts>self).decoded)
        finish_deallocation(self, deallocate_segments, &segments_pool)


cdef void deallocate_params(PyObject* self) noexcept:
    if start_deallocation(self, deallocate_params):
        Py_CLEAR((<Pairs>self).held)
        Py_CLEAR((<Pairs>self).decoded)
        Py_CLEAR((<Pairs>self).index)
        finish_deallocation(self, deallocate_params, &params_pool)


cdef inline bint start_deallocation(PyObject* self, destructor own) noexcept:
    """Return whether to deallocate an object; `own` is the `tp_dealloc` of exact types."""
    cdef PyTypeObject* cls = Py_TYPE(self)
    # A method `__del__`, which a program can add to a public type, may keep the object alive. CPython
    # requires that the garbage collector tracks such an object, as its own deallocation does.
    if cls.tp_dealloc is own and cls.tp_finalize is not NULL:
        if not PyObject_GC_IsTracked(self):
            PyObject_GC_Track(self)
        if PyObject_CallFinalizerFromDealloc(self) < 0:
            return False
    PyObject_GC_UnTrack(self)
    PyObject_ClearWeakRefs(self)
    return True


cdef inline void finish_deallocation(PyObject* self, destructor own, Pool* pool) noexcept:
    """Keep or free the memory of an object whose pointers are NULL."""
    cdef PyTypeObject* cls = Py_TYPE(self)
    # A finalized object is marked in its memory, so that memory is not kept.
    if cls.tp_dealloc is own and pool.count < MOST_KEPT and not PyObject_GC_IsFinalized(self):
        pool.memory[pool.count] = self
        pool.count += 1
    else:
        cls.tp_free(self)
    Py_DECREF(<object>cls)  # each object has a reference to its type


cdef void set_value_deallocators() noexcept:
    cdef int rule
    # Without the global interpreter lock, threads would have to wait for each other.
    if not FREE_THREADED:
        for rule in range(4):
            (<PyTypeObject*>TYPES[rule]).tp_dealloc = deallocate


cdef void set_view_deallocator(cls, destructor own) noexcept:
    """Let `Segments` or `Params` deallocate their objects themselves; see `set_value_deallocators`."""
    if not FREE_THREADED:
        (<PyTypeObject*>cls).tp_dealloc = own
