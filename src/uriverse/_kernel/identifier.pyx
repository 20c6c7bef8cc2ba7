# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, annotation_typing=False, freethreading_compatible=True, auto_pickle=False
"""The compiled kernel: the class and the functions of `uriverse._spec.identifier`.

This file declares what all others use, and includes them: they implement the modules of
`uriverse._spec`, fast paths of other modules, and column functions. `setup.py` adds the docstrings
and the annotations of the reference implementation.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport Py_EQ, Py_NE, PyObject, PyObject_RichCompare
from cpython.pyport cimport PY_SSIZE_T_MAX
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_Substring
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "Python.h":
    ctypedef PyObject* (*vectorcallfunc)(PyObject*, PyObject* const*, size_t, PyObject*) except NULL
    ctypedef PyObject* (*vectorcallfunc_noexcept "vectorcallfunc")(PyObject*, PyObject* const*, size_t, PyObject*) noexcept
    ctypedef struct PyTypeObject:
        PyObject* tp_dict
        PyObject* tp_mro
        object tp_alloc(PyTypeObject*, Py_ssize_t)
        object tp_new(PyTypeObject*, tuple, PyObject*)
        vectorcallfunc tp_vectorcall
        Py_ssize_t tp_vectorcall_offset
        unsigned long tp_flags
    unsigned long Py_TPFLAGS_HAVE_VECTORCALL
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR
    long PyLong_AsLongAndOverflow(object, int*) except? -1
    PyObject* PyObject_Vectorcall(PyObject*, PyObject* const*, size_t, PyObject*) except NULL
    object PyMethod_New(object, object)
    str PyType_GetName(PyTypeObject*)
    void PyType_Modified(type)
    bint PyType_Check(object)
    bint PyType_IsSubtype(PyTypeObject*, PyTypeObject*)
    vectorcallfunc_noexcept PyVectorcall_Function(object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    void PyErr_SetObject(object, object)
    void PyObject_GC_UnTrack(PyObject*)
    bint PyUnicode_CheckExact(object)
    void* PyUnicode_DATA(str)
    bint PyUnicode_IS_ASCII(str)
    int PyUnicode_KIND(str)
    Py_UCS4 PyUnicode_READ_CHAR(str, Py_ssize_t)
    ctypedef unsigned char Py_UCS1
    ctypedef unsigned short Py_UCS2

    str PyUnicode_FromKindAndData(int, const void*, Py_ssize_t)
    Py_ssize_t PyUnicode_GET_LENGTH(str)
    str PyUnicode_New(Py_ssize_t, Py_UCS4)

# CPython stores each character of a string in one, two or four bytes.
ctypedef fused Unit:
    Py_UCS1
    Py_UCS2
    Py_UCS4

include "scan.pxi"
include "resolve.pxi"
include "relative.pxi"
include "normalize.pxi"
include "percent.pxi"
include "params.pxi"
include "schemes.pxi"
include "prefilter.pxi"
include "domain.pxi"
include "redact.pxi"
include "ntriples.pxi"

cdef Py_ssize_t LONGEST_TEXT = 0x7FFFFFFF  # the bounds are 32 bits wide

# The rules of the public types. The index of each rule is the sum of its flags ASCII_ONLY and
# NEEDS_SCHEME.
cdef tuple RULES = ("IRI-reference", "IRI", "URI-reference", "URI")

# The public types, each at the index of its rule, and the functions set by `register_types`.
cdef tuple types = ()
cdef PyObject* TYPES[4]  # the same, for comparisons without reference counting
cdef object find_error = None
cdef object ParseError = None, deferred_parse_error = None  # see `set_parse_error`
cdef object apply_scheme_rules = None
cdef object origin_of = None
cdef object call_reference = None  # see `load`


def register_types(dict public_types, find_parse_error, normalize_by_scheme, find_origin, /):
    global types, find_error, ParseError, apply_scheme_rules, origin_of
    types = tuple([public_types[rule] for rule in RULES])
    for number in range(4):
        TYPES[number] = <PyObject*>types[number]
        (<PyTypeObject*>types[number]).tp_vectorcall = call
    find_error, ParseError = find_parse_error, None
    apply_scheme_rules = normalize_by_scheme
    origin_of = find_origin


def load(tables, tuple bidi_formatting, params, secrets, schemes_with_passwords, call_python, /):
    """Load the tables of the grammar and the function that calls Python code.

    Args:
        tables: the module `uriverse._grammar.tables`.
        bidi_formatting: the ranges of `uriverse._grammar.bidi`.
        params: the module `uriverse._grammar.params`.
        secrets: the module `uriverse.redaction.secrets`.
        schemes_with_passwords: `uriverse.redaction.userinfo.WITH_PASSWORDS`.
        call_python: calls a Python function of the package, by its module and name, for errors
            and rare cases.
    """
    global ALPHA, DIGIT, HEXDIG, IN_SCHEME, IN_REG_NAME, IN_USERINFO, IN_PATH, IN_QUERY
    global UNRESERVED, IN_SEGMENT, IN_SEGMENT_NC
    global ucschar_count, iprivate_count, bidi_count, call_reference, COMPONENT_CLASSES
    cdef int k
    cdef dict classes = tables.CLASSES
    cdef bytes flags = tables.FLAGS
    for k in range(256):
        FLAGS[k] = flags[2 * k] | flags[2 * k + 1] << 8 | (ANY_ASCII if k < 0x80 else 0)
    for form in range(2):
        for k in params.WRITTEN[CODECS[form]].encode():
            FLAGS[k] |= WRITTEN[form]
    ALPHA, DIGIT, HEXDIG = classes["ALPHA"], classes["DIGIT"], classes["HEXDIG"]
    IN_SCHEME, IN_REG_NAME = classes["SCHEME"], classes["REG_NAME"]
    IN_USERINFO, IN_PATH, IN_QUERY = classes["USERINFO"], classes["PATH"], classes["QUERY"]
    UNRESERVED = classes["UNRESERVED"]
    IN_SEGMENT, IN_SEGMENT_NC = classes["SEGMENT"], classes["SEGMENT_NC"]
    COMPONENT_CLASSES = {
        "unreserved": UNRESERVED,
        "userinfo": IN_USERINFO,
        "reg-name": IN_REG_NAME,
        "path": IN_PATH,
        "segment": IN_SEGMENT,
        "segment-nz-nc": IN_SEGMENT_NC,
        "query": IN_QUERY,
        "fragment": IN_QUERY,
    }
    ucschar_count = fill_ranges(UCSCHAR_RANGES, tables.UCSCHAR)
    iprivate_count = fill_ranges(IPRIVATE_RANGES, tables.IPRIVATE)
    bidi_count = fill_ranges(BIDI_RANGES, bidi_formatting)
    start_fast_scan()
    load_secrets(secrets, schemes_with_passwords)
    call_reference = call_python


def search_last(cls, type last, /):
    """Search attributes of a class in another class after all others, but before `object`.

    With `__getattr__`, each attribute would take longer. The attributes of a base class would be
    listed by `dir` and `help`.
    """
    if not PyType_Check(cls):
        raise TypeError(f"expected a class, not {type(cls).__name__}")
    cdef tuple order = cls.__mro__
    cdef PyTypeObject* kind = <PyTypeObject*>cls
    cdef PyObject* before = kind.tp_mro
    order = (*order[: len(order) - 1], last, object)
    Py_INCREF(order)
    kind.tp_mro = <PyObject*>order
    Py_XDECREF(before)
    PyType_Modified(<type>cls)


def _simd_variants(str name=None, /):
    """Return the names of the SIMD variants that this machine supports, the fastest first.

    If a name is given, select that variant. This is for tests only: `load` selects the fastest.
    """
    global simd_variant
    cdef dict there = {simd_variants[k].name.decode(): k for k in range(SIMD_VARIANTS) if simd_variants[k].there}
    if name is not None:
        simd_variant = &simd_variants[there[name]]
    return list(there)


def _fast_scan(size_t address, Py_ssize_t n, int rule, /):
    """Return the bounds that `fast_scan` finds, or `None` if it does not accept the string.

    For tests only. The string consists of `n` bytes at an address.
    """
    cdef Scan at
    if not fast_scan(<const unsigned char*>address, n, rule, &at):
        return None
    return (
        at.scheme_end, at.authority, at.host, at.host_end, at.path, at.path_end, at.query_end
    )


cdef int fill_ranges(unsigned int[2]* ranges, tuple found) except -1:
    cdef int k
    assert len(found) <= 32
    for k in range(len(found)):
        ranges[k][0], ranges[k][1] = found[k]
    return len(found)


cpdef str as_text(text):
    """Convert a string, a URI or an IRI to a plain `str`, not a subclass of `str`."""
    if PyUnicode_CheckExact(text):
        return <str>text
    if isinstance(text, str):
        # A subclass of `str` may override `__str__`, so call the method of `str` itself.
        return str.__str__(text)
    if isinstance(text, Identifier):
        return <str>(<Identifier>text).held
    raise TypeError(f"expected a str or a URI, not {type(text).__name__}")


cdef inline Py_ssize_t characters(const unsigned char* p, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return the number of characters that begin in a span of UTF-8."""
    cdef Py_ssize_t count = 0, i
    for i in range(start, end):
        count += (p[i] & 0xC0) != 0x80
    return count


cdef inline Py_ssize_t room_for(Py_ssize_t n, int each) noexcept nogil:
    """Return the size of a buffer with `each` bytes for each of `n` units, and eight bytes more.

    Returns -1 if the size does not fit in a `Py_ssize_t`, as may happen on 32-bit systems.
    """
    return each * n + 8 if n <= PY_SSIZE_T_MAX // each - 8 else -1


cdef struct Text:
    # The UTF-8 bytes of a string, followed by a NUL. `owned` is the memory to free, or NULL.
    const unsigned char* p
    Py_ssize_t n
    unsigned char* owned
    unsigned char here[1024]


cdef int open_text(str text, Text* t) except -1:
    """Get the UTF-8 bytes of a string, which `close_text` releases.

    An ASCII string is used in place. Any other string is encoded into a temporary buffer: CPython
    would keep the result of its own encoding together with the string.
    """
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), room
    cdef unsigned char* p = t.here
    t.owned = NULL
    if PyUnicode_IS_ASCII(text):
        t.p = <const unsigned char*>PyUnicode_DATA(text)
        t.n = length
        return 0
    room = room_for(length, 4)
    if room < 0:
        raise MemoryError
    if room > <Py_ssize_t>sizeof(t.here):
        p = t.owned = <unsigned char*>PyMem_Malloc(room)
        if p is NULL:
            raise MemoryError
    t.p = p
    if PyUnicode_KIND(text) == 1:
        t.n = utf8(<const Py_UCS1*>PyUnicode_DATA(text), length, p)
    elif PyUnicode_KIND(text) == 2:
        t.n = utf8(<const Py_UCS2*>PyUnicode_DATA(text), length, p)
    else:
        t.n = utf8(<const Py_UCS4*>PyUnicode_DATA(text), length, p)
    return 0


cdef inline int reserve_text(Text* t, size_t size) except -1:
    """Get memory for a string of that many bytes, which `close_text` releases."""
    t.p = t.here
    t.owned = NULL
    if size > sizeof(t.here):
        t.p = t.owned = <unsigned char*>PyMem_Malloc(size)
        if t.p is NULL:
            raise MemoryError
    return 0


cdef int open_reference(object value, str text, Text* t, Scan* at) except -1:
    """Get the UTF-8 bytes of a string or a value and its bounds in bytes.

    `text` is the string of the value. A string that is not an IRI reference raises a `ParseError`.
    """
    cdef int invalid
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        refuse(text, 0, TEXT, LONGEST_TEXT)
    open_text(text, t)
    if PyUnicode_IS_ASCII(text) and isinstance(value, Identifier):
        places(<Identifier>value, at)  # the bounds in characters, which are also those in bytes
        return 0
    invalid = scan(t.p, t.n, 0, at)
    if invalid != NOTHING:
        in_characters(t.p, invalid, at)
        refuse(text, 0, invalid, at.position)
    return 0


cdef inline void close_text(Text* t) noexcept:
    PyMem_Free(t.owned)


cdef int scan_text(str text, int rule, Scan* at, bint with_places=True) except -1:
    """Scan a string, with bounds in code points; return the invalid component, or NOTHING.

    `with_places=False` skips the bounds, which saves time for strings that are not ASCII.
    """
    cdef Text t
    cdef int invalid
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        at.position = LONGEST_TEXT
        return TEXT
    if PyUnicode_IS_ASCII(text):  # the common case
        return scan(<const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), rule, at)
    open_text(text, &t)
    invalid = scan(t.p, t.n, rule, at)
    if with_places:
        in_characters(t.p, invalid, at)
    close_text(&t)
    return invalid


cdef Py_ssize_t utf8(const Unit* text, Py_ssize_t length, unsigned char* p) noexcept nogil:
    """Encode a string as UTF-8 and append a NUL; return the number of bytes without the NUL.

    A lone surrogate is encoded as three bytes. They decode to a code point that no rule allows.
    """
    cdef unsigned char* start = p
    cdef Py_ssize_t i
    cdef unsigned int c
    for i in range(length):
        c = text[i]
        if c < 0x80:
            p[0] = c
            p += 1
        elif c < 0x800:
            p[0] = 0xC0 | c >> 6
            p[1] = 0x80 | c & 0x3F
            p += 2
        elif c < 0x10000:
            p[0] = 0xE0 | c >> 12
            p[1] = 0x80 | c >> 6 & 0x3F
            p[2] = 0x80 | c & 0x3F
            p += 3
        else:
            p[0] = 0xF0 | c >> 18
            p[1] = 0x80 | c >> 12 & 0x3F
            p[2] = 0x80 | c >> 6 & 0x3F
            p[3] = 0x80 | c & 0x3F
            p += 4
    p[0] = 0
    return p - start


cdef void in_characters(const unsigned char* p, int invalid, Scan* at) noexcept nogil:
    """Convert bounds, or the position of a violation, from bytes to characters."""
    cdef Py_ssize_t shift = 0, done = 0
    cdef Py_ssize_t* bounds[6]
    cdef int k
    if invalid != NOTHING:
        at.position = characters(p, 0, at.position)
        return
    # The bounds from left to right. The end of the scheme is the same, because schemes are ASCII.
    bounds[:] = [&at.authority, &at.host, &at.host_end, &at.path, &at.path_end, &at.query_end]
    for k in range(6):
        if bounds[k][0] < 0:
            continue
        shift += (bounds[k][0] - done) - characters(p, done, bounds[k][0])
        done = bounds[k][0]
        bounds[k][0] -= shift


cdef inline bint is_a(object text, int rule) except -1:
    cdef Scan at
    return scan_text(as_text(text), rule, &at, with_places=False) == NOTHING


def is_uri(text, /):
    return is_a(text, ASCII_ONLY | NEEDS_SCHEME)


def is_uri_reference(text, /):
    return is_a(text, ASCII_ONLY)


def is_absolute_uri(text, /):
    return is_a(text, ASCII_ONLY | NEEDS_SCHEME | NO_FRAGMENT)


def is_iri(text, /):
    return is_a(text, NEEDS_SCHEME)


def is_iri_reference(text, /):
    return is_a(text, 0)


def parse(text, /):
    cdef Scan at
    cdef str exact = as_text(text)
    check(exact, 0, &at)
    # An ASCII string matches a rule of RFC 3986 if and only if it matches that of RFC 3987.
    cdef int rule = ASCII_ONLY if PyUnicode_IS_ASCII(exact) else 0
    return made(types[rule | NEEDS_SCHEME if at.scheme_end >= 0 else rule], exact, &at)


cdef int check(str text, int rule, Scan* at) except -1:
    """Scan a string, and raise a `ParseError` if it violates the rule."""
    cdef int invalid = scan_text(text, rule, at)
    return 0 if invalid == NOTHING else set_parse_error(text, rule, invalid, at.position)


cdef int refuse(str text, int rule, int invalid, Py_ssize_t position) except -1:
    """Raise the `ParseError` for a string."""
    return set_parse_error(text, rule, invalid, position)


cdef int set_parse_error(str text, int rule, int invalid, Py_ssize_t position) except -2:
    """Set the `ParseError` for a string as the current exception, and return -1.

    Unlike the `raise` statement, this does not add a line of the kernel to the traceback. Adding
    the lines of all callers would take longer than everything else. A caller can pass the exception
    on without adding its line, if it returns its error value explicitly.
    """
    global ParseError, deferred_parse_error
    if ParseError is None:
        deferred_parse_error = find_error()
        ParseError = deferred_parse_error.kind  # set last, because it is checked first
    # This is `raise deferred_parse_error(...)` without calls of Python functions. `tp_new` is the
    # function of `BaseException`, which stores the tuple as `args`.
    PyErr_SetObject(
        ParseError,
        (<PyTypeObject*>ParseError).tp_new(
            <PyTypeObject*>ParseError,
            (deferred_parse_error, text, RULES[rule], COMPONENTS[invalid], position),
            NULL,
        ),
    )
    return -1


cdef inline int public_rule(type cls) noexcept:
    """Return the rule of a public type, or -1 for any other type."""
    cdef int rule
    for rule in range(4):
        if <PyObject*>cls is TYPES[rule]:
            return rule
    return -1


cdef int rule_of(type cls) except -1:
    """Return the grammar rule that a class of URIs or IRIs must match, as an index of `RULES`."""
    cdef int rule = public_rule(cls)
    if rule >= 0:
        return rule
    # Callers can pass any class to a class method, so make sure that its objects have our layout.
    if issubclass(cls, Identifier) and hasattr(cls, "_rule"):
        return RULES.index(cls._rule)
    raise TypeError(f"{cls.__name__} must be a subclass of IRIReference")


cdef PyObject* call(
    PyObject* cls, PyObject* const* arguments, size_t count, PyObject* names
) except NULL:
    """Implement the call `cls(text)` of a public type without creating a tuple of arguments.

    Calling a class calls its `tp_vectorcall` instead of `tp_new` (PEP 590). Subclasses do not
    inherit it, so their objects are created by `__cinit__`, and their own `__init__` is called.
    """
    cdef Scan at
    cdef str text
    cdef Identifier self
    if PyVectorcall_NARGS(count) != 1 or names is not NULL:
        raise TypeError(f"{(<type>cls).__name__} takes exactly one positional argument")
    if type(<object>arguments[0]) is <type>cls:
        Py_INCREF(<object>arguments[0])  # values are immutable
        return arguments[0]
    # `public_rule` would not do: if the package is imported again, this function is still called for
    # the types of the first import.
    cdef int rule = rule_of(<type>cls), known = public_rule(type(<object>arguments[0])), invalid
    text = as_text(<object>arguments[0])
    if known >= 0 and known & rule == rule:
        places(<Identifier><object>arguments[0], &at)  # a URI is also an IRI, and so on
    else:
        invalid = scan_text(text, rule, &at)
        if invalid != NOTHING:
            set_parse_error(text, rule, invalid, at.position)
            return NULL
    self = made(<type>cls, text, &at)
    Py_INCREF(self)
    return <PyObject*>self


cdef Identifier derived(Identifier self, str text, Scan* at):
    """Create the result of an edit from a scanned string, as the public type of a value.

    The result may break the rules of a subclass, so it is never an instance of one.
    """
    return made(types[rule_of(type(self))], text, at)


cdef Identifier made(type cls, str text, Scan* at):
    """Create an instance of a class from a string and its bounds, without scanning it again."""
    cdef Identifier self = <Identifier>(<PyTypeObject*>cls).tp_alloc(<PyTypeObject*>cls, 0)
    fill(self, text, at)
    return self


cdef inline void fill(Identifier self, str text, Scan* at) noexcept:
    if public_rule(type(self)) >= 0:
        # The object references only a str, so it is never part of a reference cycle, and the garbage
        # collector need not track it.
        PyObject_GC_UnTrack(<PyObject*>self)
    cdef PyObject* before = self.held
    Py_INCREF(text)
    self.held = <PyObject*>text
    Py_XDECREF(before)
    self.scheme_end = <int32_t>at.scheme_end
    self.authority_start = <int32_t>at.authority
    self.host_start = <int32_t>at.host
    self.host_end = <int32_t>at.host_end
    self.path_start = <int32_t>at.path
    self.path_end = <int32_t>at.path_end
    self.query_end = <int32_t>at.query_end


cdef inline int require_self(object value, type cls, str method) except -1:
    """Raise `TypeError` if a method is called on its class with another object as `self`.

    Cython checks the type of all arguments but that one: `map(URI.relative_form, texts)` would read
    memory outside of the object.
    """
    cdef type kind = type(value)
    if kind is cls or (cls is Identifier and public_rule(kind) >= 0):
        return 0  # the common cases
    # `isinstance` would believe an object that claims another `__class__`, such as a mock.
    if not PyType_IsSubtype(<PyTypeObject*>kind, <PyTypeObject*>cls):
        raise TypeError(f"{method}() requires {cls.__name__} as self, not {kind.__name__}")
    return 0


cdef class Identifier:
    # An owned reference as a plain pointer, so that `fill` can set it in an object that was just
    # allocated, in which it is NULL.
    cdef PyObject* held
    cdef object __weakref__
    cdef int32_t scheme_end, authority_start, host_start, host_end, path_start, path_end, query_end

    def __cinit__(self, text, /):
        cdef Scan at
        cdef str exact = ""
        # While an error is raised, other code can get hold of this object (from the garbage collector).
        # So the object is a valid empty reference until it gets its string.
        Py_INCREF(exact)
        self.held = <PyObject*>exact
        self.scheme_end = self.authority_start = self.host_start = self.host_end = -1
        exact = as_text(text)
        check(exact, rule_of(type(self)), &at)
        fill(self, exact, &at)

    def __dealloc__(self):
        Py_XDECREF(self.held)

    @classmethod
    def try_parse(type cls, text, /):
        cdef Scan at
        cdef str exact = as_text(text)
        if scan_text(exact, rule_of(cls), &at) != NOTHING:
            return None
        if public_rule(cls) >= 0:
            return made(cls, exact, &at)
        return call_reference("identifier.constructed", cls, exact)

    def resolve(self, reference, /, *, bint strict=True):
        require_self(self, Identifier, "resolve")
        cdef str text = as_text(reference), target
        cdef Text base, other, out
        cdef Scan b, r, t
        cdef Py_ssize_t n
        cdef int rule
        cdef bint ascii
        if self.scheme_end < 0:
            raise call_reference("messages.without_scheme", <str>self.held, "resolve")
        cdef Identifier quick = resolved_quickly(self, reference, text, strict)
        if quick is not None:
            return quick
        base.owned = other.owned = out.owned = NULL
        try:
            open_reference(reference, text, &other, &r)
            if not PyUnicode_IS_ASCII(text) and not isinstance(reference, Identifier):
                rule = rule_of(type(self))
                if rule & ASCII_ONLY:
                    raise call_reference("messages.deferred_not_ascii", text, RULES[rule])
            open_reference(self, <str>self.held, &base, &b)
            # The result has at most the bytes of both strings, a slash before a relative path, a shield
            # of two bytes, and a NUL.
            reserve_text(&out, <size_t>base.n + other.n + 4)
            n = resolve(base.p, &b, other.p, other.n, &r, strict, <unsigned char*>out.p, &t)
            # Both strings are valid UTF-8, and so is every string composed of their components.
            target = text if n == other.n and memcmp(out.p, other.p, n) == 0 else text_of(out.p, n)
            ascii = PyUnicode_IS_ASCII(target)
            if not ascii:
                in_characters(out.p, NOTHING, &t)
        finally:
            close_text(&base)
            close_text(&other)
            close_text(&out)
        if PyUnicode_GET_LENGTH(target) > LONGEST_TEXT:
            refuse(target, 0, TEXT, LONGEST_TEXT)
        return made(types[NEEDS_SCHEME | ASCII_ONLY if ascii else NEEDS_SCHEME], target, &t)

    def relative_to(self, base, /, *, bint walk_up=True):
        require_self(self, Identifier, "relative_to")
        cdef str text = as_text(base), found
        cdef Text start, end, room
        cdef Scan b, t
        cdef Route route
        cdef bint ascii
        cdef Identifier quick = relative_quickly(self, base, text, walk_up)
        if quick is not None:
            return quick
        start.owned = end.owned = room.owned = NULL
        try:
            open_reference(base, text, &start, &b)
            if self.scheme_end < 0:
                raise call_reference("messages.without_scheme", <str>self.held, "relative_to")
            if b.scheme_end < 0:
                raise call_reference("messages.without_scheme", text, "relative_to")
            open_reference(self, <str>self.held, &end, &t)
            route.p, route.base, route.q, route.n, route.target = start.p, &b, end.p, end.n, &t
            reserve_text(&room, route_room(start.n, end.n))
            lay_out(&route, <unsigned char*>room.p)
            if relative(&route, walk_up) < 0:
                raise call_reference("messages.not_relative", <str>self.held)
            found = text_of(route.best, route.end)  # made of components of the target
            ascii = PyUnicode_IS_ASCII(found)
            if not ascii:
                in_characters(route.best, NOTHING, &route.at)
        finally:
            close_text(&start)
            close_text(&end)
            close_text(&room)
        cdef int rule = ASCII_ONLY if ascii else 0
        return made(types[rule | NEEDS_SCHEME if route.at.scheme_end >= 0 else rule], found, &route.at)

    def relative_form(self):
        require_self(self, Identifier, "relative_form")
        cdef str held = <str>self.held, text
        cdef Py_ssize_t start = self.path_start, i = start, shield = 0
        cdef Py_UCS4 c = 0
        cdef Scan at
        text = PyUnicode_Substring(held, start, PyUnicode_GET_LENGTH(held))
        if start > 0:  # otherwise the URI has neither a scheme nor an authority
            while i < self.path_end and c != c":" and c != c"/":
                c = PyUnicode_READ_CHAR(held, i)
                i += 1
            if c == c":":
                text, shield = "./" + text, 2
            elif i == start + 1 < self.path_end and PyUnicode_READ_CHAR(held, i) == c"/":
                text, shield = "/." + text, 2
        at.scheme_end = at.authority = at.host = at.host_end = -1
        at.path = 0
        at.path_end = self.path_end - start + shield
        at.query_end = self.query_end - start + shield
        # The string is not too long: a shield is not longer than the scheme or the authority.
        return made(types[ASCII_ONLY if PyUnicode_IS_ASCII(text) else 0], text, &at)

    def normalize(self, *, bint case=True, bint percent_encoding=True, dot_segments=True, bint ipv6=True, scheme=False):
        cdef int rule = rule_of(type(self))
        cdef int how = (UNRESERVED_DECODED if percent_encoding else 0) | (UPPER if case else 0)
        cdef int dots = dots_of(dot_segments)
        cdef Scan at
        if percent_encoding and not rule & ASCII_ONLY:
            how |= CHARACTERS_DECODED
        if PyUnicode_IS_ASCII(<str>self.held):
            places(self, &at)
            if is_plain(
                <const unsigned char*>PyUnicode_DATA(<str>self.held),
                PyUnicode_GET_LENGTH(<str>self.held), &at, how, case, ipv6, dots,
            ):
                return self if scheme is False else by_scheme(self, scheme, rule)
        cdef Identifier normal = changed(self, rule, how, case, ipv6, dots)
        return normal if scheme is False else by_scheme(normal, scheme, rule)

    def _to_uri(self):
        if public_rule(type(self)) >= ASCII_ONLY:  # a `URI` or a `URIReference`
            return self
        return uri_of(<str>self.held, self.scheme_end >= 0)

    def _to_iri(self):
        cdef str text = <str>self.held
        if PyUnicode_IS_ASCII(text) and memchr(PyUnicode_DATA(text), c"%", PyUnicode_GET_LENGTH(text)) is NULL:
            return self
        return changed(self, -1, CHARACTERS_DECODED | UPPER_PAST_ASCII, False, False, DOTS_OF_NONE)

    @classmethod
    def _composed(type cls, scheme, userinfo, host, port, path, query, fragment, /):
        cdef Component[7] parts
        port = digits_of(port)
        # The arguments keep the strings alive while `parts` points to them.
        if (
            is_component(&parts[0], scheme) and is_component(&parts[1], userinfo)
            and is_component(&parts[2], host) and is_component(&parts[3], port)
            and is_component(&parts[4], path) and is_component(&parts[5], query)
            and is_component(&parts[6], fragment)
        ):
            return compose(cls, parts, None)
        return None

    def _with_part(self, int part, text, /):
        if not 0 <= part < 7:
            raise IndexError(part)
        return with_part(self, part, text)

    def _with_parts(self, dict changes, /):
        cdef Component[7] parts
        components_of(self, parts)
        for name, text in changes.items():
            if name not in PART_NUMBERS:
                return None
            if name == "port":
                text = port = digits_of(text)  # `port` keeps the digits alive
            if not is_component(&parts[<int>PART_NUMBERS[name]], text):
                return None
        return compose(type(self), parts, self)

    def _params(self, kind, /):
        return pairs(kind, query_of(self), True, c"&")

    def _edited_params(self, int edit, first, second=None, /):
        cdef Query q
        cdef Text old
        cdef str query = None  # it keeps the bytes of the old query alive
        if edit == BUILD and first is None:
            return None
        if edit == BUILD and isinstance(first, Pairs):
            return with_part(self, 5, <str>(<Pairs>first).held)
        begin(&q, True, c"&")
        old.owned = NULL
        try:
            if PyUnicode_IS_ASCII(<str>self.held):
                old.p = <const unsigned char*>PyUnicode_DATA(<str>self.held) + self.path_end + 1
                old.n = max(self.query_end - self.path_end - 1, 0)
            else:
                query = query_of(self)
                open_text("" if query is None else query, &old)
            present = write_edited(&q, &old, self.path_end < self.query_end, edit, first, second)
            return with_query(self, &q, present)
        finally:
            close_text(&old)
            close_query(&q)

    @property
    def _bounds(self):
        return (
            self.scheme_end,
            self.authority_start,
            self.host_start,
            self.host_end,
            self.path_start,
            self.path_end,
            self.query_end,
        )

    @property
    def scheme(self):
        return part(self, 0, self.scheme_end) if self.scheme_end >= 0 else None

    @property
    def authority(self):
        if self.authority_start < 0:
            return None
        return part(self, self.authority_start, self.path_start)

    @property
    def userinfo(self):
        if self.host_start == self.authority_start:
            return None
        return part(self, self.authority_start, self.host_start - 1)

    @property
    def host(self):
        return part(self, self.host_start, self.host_end) if self.host_start >= 0 else None

    @property
    def port_text(self):
        if self.host_end < 0 or self.host_end == self.path_start:
            return None
        return part(self, self.host_end + 1, self.path_start)

    @property
    def path(self):
        return part(self, self.path_start, self.path_end)

    @property
    def query(self):
        if self.path_end == self.query_end:
            return None
        return part(self, self.path_end + 1, self.query_end)

    @property
    def path_and_query(self):
        return part(self, self.path_start, self.query_end)

    @property
    def fragment(self):
        cdef Py_ssize_t end = PyUnicode_GET_LENGTH(<str>self.held)
        return part(self, self.query_end + 1, end) if self.query_end < end else None

    @property
    def port(self):
        cdef Py_ssize_t i = self.host_end + 1, n = self.path_start - i
        cdef int number = 0
        if self.host_end < 0 or n <= 0:
            return None
        if n <= 5 and PyUnicode_IS_ASCII(<str>self.held):
            for i in range(i, self.path_start):
                number = number * 10 + (<const unsigned char*>PyUnicode_DATA(<str>self.held))[i] - c"0"
            return number
        return call_reference("identifier.port_number", self.port_text, <str>self.held, i)

    @property
    def username(self):
        cdef Py_ssize_t end = self.host_start - 1
        if end < self.authority_start or self.authority_start < 0:
            return None
        return decoded(self, self.authority_start, min(end, colon_in_userinfo(self)))

    @property
    def password(self):
        cdef Py_ssize_t end = self.host_start - 1, colon
        if end < self.authority_start or self.authority_start < 0:
            return None
        colon = colon_in_userinfo(self)
        return decoded(self, colon + 1, end) if colon < end else None

    @property
    def hostname(self):
        cdef Py_ssize_t start = self.host_start, end = self.host_end, i
        cdef const unsigned char* p
        cdef unsigned char* out
        cdef str found
        if start < 0:
            return None
        if not PyUnicode_IS_ASCII(<str>self.held):
            return call_reference("identifier.hostname_of", self.host)
        p = <const unsigned char*>PyUnicode_DATA(<str>self.held)
        if start < end and p[start] == c"[":
            start += 1
            end -= 1
        found = PyUnicode_New(end - start, 0x7F) if end > start else ""
        out = <unsigned char*>PyUnicode_DATA(found)
        for i in range(end - start):
            out[i] = lower(p[start + i])
        return found

    @property
    def origin(self):
        cdef Scan at
        cdef str found = None
        if PyUnicode_IS_ASCII(<str>self.held):
            places(self, &at)
            found = web_origin(<const unsigned char*>PyUnicode_DATA(<str>self.held), &at)
        return origin_of(self) if found is None else found

    @property
    def host_kind(self):
        cdef bytes host
        cdef const unsigned char* p
        if self.host_start < 0:
            return None
        host = self.host.encode()
        p = host
        if p[0] == c"[":
            return "IPvFuture" if p[1] == c"v" or p[1] == c"V" else "IPv6address"
        return "IPv4address" if is_ipv4(p, 0, len(host)) else "reg-name"

    def __str__(self):
        return <str>self.held

    def __format__(self, specification):
        require_self(self, Identifier, "__format__")
        return <str>self.held if specification == "" else format(<str>self.held, specification)

    def __repr__(self):
        cls = type(self)
        return call_shown(PyType_GetName(<PyTypeObject*>cls), redact(<str>self.held, False, True))

    def __reduce__(self):
        require_self(self, Identifier, "__reduce__")
        if public_rule(type(self)) >= 0:
            return type(self), (<str>self.held,)
        return type(self), (<str>self.held,), self._own_state()

    def __hash__(self):
        return hash(<str>self.held)

    def __richcmp__(self, other, int operation):
        if not isinstance(other, Identifier):
            return NotImplemented
        cdef str mine = <str>(<Identifier>self).held, theirs = <str>(<Identifier>other).held
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(mine)
        cdef bint same
        # Strings of different lengths or kinds are different.
        if operation == Py_EQ or operation == Py_NE:
            same = n == PyUnicode_GET_LENGTH(theirs) and PyUnicode_KIND(mine) == PyUnicode_KIND(theirs)
            same = same and memcmp(PyUnicode_DATA(mine), PyUnicode_DATA(theirs), n * PyUnicode_KIND(mine)) == 0
            return same == (operation == Py_EQ)
        return PyObject_RichCompare(mine, theirs, operation)


cdef Identifier uri_of(str text, bint has_scheme):
    """Percent-encode the non-ASCII characters of a valid IRI reference, and parse the result."""
    cdef Scan at
    cdef Text t
    cdef int rule = ASCII_ONLY | NEEDS_SCHEME if has_scheme else ASCII_ONLY
    if not PyUnicode_IS_ASCII(text):
        open_text(text, &t)
        try:
            # All ASCII characters are kept, because the string is a valid IRI reference.
            text = encoded(t.p, t.n, ANY_ASCII, NONE, None)
        finally:
            close_text(&t)
    check(text, rule, &at)
    return made(types[rule], text, &at)


cdef Identifier resolved_quickly(Identifier base, reference, str text, bint strict):
    """Resolve a reference if both strings are ASCII and short; otherwise return `None`.

    This is the common case, in which nothing must be encoded, decoded, allocated or released. Also
    return `None` for an invalid reference.
    """
    cdef unsigned char out[1024]
    cdef Scan b, r, t
    cdef str held = <str>base.held
    cdef const unsigned char* q
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), length
    if not PyUnicode_IS_ASCII(text) or not PyUnicode_IS_ASCII(held):
        return None
    # See `resolve` for the size.
    if n >= <Py_ssize_t>sizeof(out) or PyUnicode_GET_LENGTH(held) + n + 4 > <Py_ssize_t>sizeof(out):
        return None
    q = <const unsigned char*>PyUnicode_DATA(text)
    if isinstance(reference, Identifier):
        places(<Identifier>reference, &r)
    elif not fast_scan(q, n, 0, &r):
        return None
    places(base, &b)
    length = resolve(<const unsigned char*>PyUnicode_DATA(held), &b, q, n, &r, strict, out, &t)
    if length != n or memcmp(out, q, n) != 0:
        text = PyUnicode_New(length, 0x7F)
        memcpy(PyUnicode_DATA(text), out, length)
    return made(<type>TYPES[NEEDS_SCHEME | ASCII_ONLY], text, &t)


cdef Identifier relative_quickly(Identifier target, base, str text, bint walk_up):
    """Return the shortest reference in the most common case, as `resolved_quickly`; else `None`.

    `text` is the string of the base.
    """
    cdef unsigned char best[1024]
    cdef Scan b, t
    cdef Route route
    cdef str held = <str>target.held, found
    route.n = PyUnicode_GET_LENGTH(held)
    if not PyUnicode_IS_ASCII(text) or not PyUnicode_IS_ASCII(held) or target.scheme_end < 0:
        return None
    if route.n + FORM_MORE > <Py_ssize_t>sizeof(best) or PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return None
    route.p = <const unsigned char*>PyUnicode_DATA(text)
    if isinstance(base, Identifier):
        places(<Identifier>base, &b)
    elif not fast_scan(route.p, PyUnicode_GET_LENGTH(text), 0, &b):
        return None
    places(target, &t)
    route.q, route.base, route.target = <const unsigned char*>PyUnicode_DATA(held), &b, &t
    route.best = best
    if b.scheme_end < 0 or not relative_in_common_case(&route, walk_up):
        return None
    found = PyUnicode_New(route.end, 0x7F) if route.end else ""
    memcpy(PyUnicode_DATA(found), best, route.end)
    return made(<type>TYPES[ASCII_ONLY | (NEEDS_SCHEME if route.at.scheme_end >= 0 else 0)], found, &route.at)


cdef Identifier changed(Identifier self, int rule, int how, bint case, bint ipv6_form, int dots):
    """Return the result of `normalize` as the public type of a rule, or `self` if nothing changes.

    If the rule is -1, return the most specific type.
    """
    cdef str held = <str>self.held, text
    cdef Text t, out
    cdef Scan at, done
    cdef Py_ssize_t n
    cdef bint ascii
    open_text(held, &t)
    out.owned = NULL
    try:
        if PyUnicode_IS_ASCII(held):
            places(self, &at)
        else:
            scan(t.p, t.n, 0, &at)
        out.p = out.here
        # An IPv6 address may grow, a shield has two bytes, and there is a NUL.
        if t.n + 20 > <Py_ssize_t>sizeof(out.here):
            out.p = out.owned = <unsigned char*>PyMem_Malloc(t.n + 20)
            if out.p is NULL:
                raise MemoryError
        n = normalize(t.p, t.n, &at, how, case, ipv6_form, dots, <unsigned char*>out.p, &done)
        if n == t.n and memcmp(t.p, out.p, n) == 0:
            return self
        text = PyUnicode_DecodeUTF8(<const char*>out.p, n, NULL)
        ascii = PyUnicode_IS_ASCII(text)
        if not ascii:
            in_characters(out.p, NOTHING, &done)
    finally:
        close_text(&t)
        close_text(&out)
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        refuse(text, 0, TEXT, LONGEST_TEXT)
    if rule < 0:
        rule = (ASCII_ONLY if ascii else 0) | (NEEDS_SCHEME if done.scheme_end >= 0 else 0)
    return made(types[rule], text, &done)


cdef Identifier by_scheme(Identifier self, scheme, int rule):
    """Apply scheme-based normalization to a value in syntax-based normal form."""
    cdef Scan at
    cdef str text
    if scheme is True and PyUnicode_IS_ASCII(<str>self.held):
        places(self, &at)
        if is_by_rules(<const unsigned char*>PyUnicode_DATA(<str>self.held), &at):
            return self
    text = apply_scheme_rules(<str>self.held, scheme)
    if text == <str>self.held:
        return self
    check(text, rule, &at)
    return made(types[rule], text, &at)


cdef struct Component:
    # A component as a slice of a string; `text` is NULL if the component is absent.
    PyObject* text
    Py_ssize_t start, n

PART_NUMBERS = {"scheme": 0, "userinfo": 1, "host": 2, "port": 3, "path": 4, "query": 5, "fragment": 6}

# The delimiters before and after each of the seven components; 0 for no delimiter.
cdef const char* BEFORE = b"\0\0\0:\0?#"
cdef const char* BEHIND = b":@\0\0\0\0\0"


cdef Identifier with_part(Identifier self, int part, text):
    """Replace or remove a component; see `Identifier._with_part`."""
    cdef Component[7] parts
    cdef Identifier value
    if part == 3:
        text = digits_of(text)
    if part == 2 and (text is None or self.authority_start < 0):
        return None  # `replace` adds and removes authorities
    value = exchanged(self, part, text)
    if value is not None:
        return value
    components_of(self, parts)
    if not is_component(&parts[part], text):
        return None
    return compose(type(self), parts, self)


cdef Identifier exchanged(Identifier self, int part, text):
    """Replace or remove a component of an ASCII string, and shift the bounds after it.

    Only the new component is validated. Return `None` if that is not sufficient: if the component may
    be invalid, or the rule for another component depends on it.
    """
    cdef str held = <str>self.held, whole
    cdef const unsigned char* p
    cdef const unsigned char* new = NULL
    cdef unsigned char* out
    cdef Py_ssize_t start, end, n, added = 0, size = 0, w
    cdef Scan at
    cdef int32_t[8] bounds
    if not PyUnicode_IS_ASCII(held):
        return None
    if text is not None:
        if not PyUnicode_CheckExact(text) or not PyUnicode_IS_ASCII(<str>text):
            return None
        new = <const unsigned char*>PyUnicode_DATA(<str>text)
        size = PyUnicode_GET_LENGTH(<str>text)
        added = size + (BEFORE[part] != 0) + (BEHIND[part] != 0)
    n = PyUnicode_GET_LENGTH(held)
    p = <const unsigned char*>PyUnicode_DATA(held)
    bounds[:] = [
        0, self.authority_start, self.host_start, self.host_end, self.path_start, self.path_end,
        self.query_end, n,
    ]
    # With their delimiters, the seven components cover the whole string except for "//".
    start, end = bounds[part], bounds[part + 1]
    if part == 0:
        end = self.scheme_end + 1
    if start < 0 or n + added > LONGEST_TEXT or not fits(self, part, new, size):
        return None
    if end - start == added and (added == 0 or memcmp(p + start + (BEFORE[part] != 0), new, size) == 0):
        return self
    whole = PyUnicode_New(n + added - (end - start), 0x7F)
    out = <unsigned char*>PyUnicode_DATA(whole)
    w = put(out, 0, p, 0, start)
    if new is not NULL:
        if BEFORE[part]:
            out[w] = BEFORE[part]
            w += 1
        w = put(out, w, new, 0, size)
        if BEHIND[part]:
            out[w] = BEHIND[part]
            w += 1
    put(out, w, p, end, n)
    places(self, &at)
    n = added - (end - start)
    if part == 0:
        at.scheme_end = size
        at.authority = at.authority + n if at.authority >= 0 else -1
    if part <= 1:
        at.host = at.host + n if at.host >= 0 else -1
    if part <= 2:
        at.host_end = at.host_end + n if at.host_end >= 0 else -1
    if part <= 3:
        at.path += n
    if part <= 4:
        at.path_end += n
    if part <= 5:
        at.query_end += n
    return derived(self, whole, &at)


cdef bint fits(Identifier self, int part, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether an ASCII component is certainly valid in its place (RFC 3986, 3).

    `p` is NULL if the component is removed. The string `p` ends with a NUL.
    """
    cdef Py_ssize_t i = 0
    if part == 0:
        # Only a URI with a scheme keeps the rule for its path.
        if p is NULL or self.scheme_end < 0 or not FLAGS[p[0]] & ALPHA:
            return False
        while FLAGS[p[i]] & IN_SCHEME:
            i += 1
        return i == n
    if p is NULL:
        return part == 1 or part == 3 or part == 5 or part == 6
    if part == 3:
        while FLAGS[p[i]] & DIGIT:
            i += 1
        return i == n
    if part == 4:
        # Without an authority, other rules restrict the beginning of a path.
        return self.authority_start >= 0 and (n == 0 or p[0] == c"/") and run(p, 0, IN_PATH, NONE) == n
    # An IP literal begins with "[", which no registered name contains.
    return run(p, 0, IN_USERINFO if part == 1 else IN_REG_NAME if part == 2 else IN_QUERY, NONE) == n


cdef inline bint is_component(Component* part, text) noexcept:
    """Store a component that is a plain `str` or `None`; return False for other types."""
    part.start = 0
    part.text = NULL
    if text is None:
        return True
    if not PyUnicode_CheckExact(text):
        return False
    part.text = <PyObject*>text
    part.n = PyUnicode_GET_LENGTH(<str>text)
    return True


cdef object digits_of(port):
    """Convert a port number to decimal digits; return any other object unchanged."""
    cdef unsigned char[5] digits
    cdef int overflow = 0, i = 5
    cdef long number
    if type(port) is not int:
        return port
    number = PyLong_AsLongAndOverflow(port, &overflow)
    if overflow or not 0 <= number <= 65535:
        return port
    while True:
        i -= 1
        digits[i] = c"0" + number % 10
        number //= 10
        if number == 0:
            return text_of(digits + i, 5 - i)


cdef void components_of(Identifier self, Component* parts) noexcept:
    """Store the components of a value, as slices of its string."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(<str>self.held)
    cdef bint authority = self.authority_start >= 0
    slice_of(self, &parts[0], self.scheme_end >= 0, 0, self.scheme_end)
    slice_of(self, &parts[1], self.host_start > self.authority_start, self.authority_start, self.host_start - 1)
    slice_of(self, &parts[2], authority, self.host_start, self.host_end)
    slice_of(self, &parts[3], authority and self.host_end < self.path_start, self.host_end + 1, self.path_start)
    slice_of(self, &parts[4], True, self.path_start, self.path_end)
    slice_of(self, &parts[5], self.path_end < self.query_end, self.path_end + 1, self.query_end)
    slice_of(self, &parts[6], self.query_end < n, self.query_end + 1, n)


cdef inline void slice_of(Identifier self, Component* part, bint present, Py_ssize_t start, Py_ssize_t end) noexcept:
    part.text = self.held if present else NULL
    part.start = start
    part.n = end - start


cdef Identifier compose(type cls, Component* parts, Identifier before):
    """Compose a value from seven components (RFC 3986, 5.3).

    The result is a `cls`, or the public type of the value `before`. Return `None` if the string is
    invalid or does not parse into these components, and `before` if it has the same string.
    """
    cdef Scan at, intended
    cdef str whole
    cdef bint ascii = True, unchanged
    cdef Py_ssize_t n = 2  # for the slashes before an authority
    cdef int k
    if parts[4].text is NULL or (parts[2].text is NULL and (parts[1].text is not NULL or parts[3].text is not NULL)):
        return None  # the path is always present, and an authority always has a host
    for k in range(7):
        if parts[k].text is not NULL:
            n += parts[k].n + 1
            ascii = ascii and PyUnicode_IS_ASCII(<str>parts[k].text)
    if n > LONGEST_TEXT:
        return None
    whole = joined_ascii(parts, &intended) if ascii else joined(parts, &intended)
    unchanged = before is not None and whole == <str>before.held
    if unchanged:
        places(before, &at)
    elif scan_text(whole, rule_of(cls), &at) != NOTHING:
        return None
    if (
        at.scheme_end != intended.scheme_end or at.authority != intended.authority
        or at.host != intended.host or at.host_end != intended.host_end or at.path != intended.path
        or at.path_end != intended.path_end or at.query_end != intended.query_end
    ):
        return None
    if unchanged:
        return before
    if before is not None:
        return derived(before, whole, &at)
    return made(cls, whole, &at) if public_rule(cls) >= 0 else cls(whole)


cdef Py_ssize_t lay_out_parts(Component* parts, Scan* at) noexcept:
    """Compute the offset of each component in the composed string; return its length."""
    cdef Py_ssize_t w = 0
    at.scheme_end = at.authority = at.host = at.host_end = -1
    if parts[0].text is not NULL:
        at.scheme_end = parts[0].n
        w = parts[0].n + 1
    if parts[2].text is not NULL:
        w = at.authority = w + 2
        if parts[1].text is not NULL:
            w += parts[1].n + 1
        at.host = w
        w = at.host_end = w + parts[2].n
        if parts[3].text is not NULL:
            w += 1 + parts[3].n
    at.path = w
    w = at.path_end = w + parts[4].n
    if parts[5].text is not NULL:
        w += 1 + parts[5].n
    at.query_end = w
    return w if parts[6].text is NULL else w + 1 + parts[6].n


cdef str joined_ascii(Component* parts, Scan* at):
    """Join ASCII components; store the offset of each component."""
    cdef str whole = PyUnicode_New(lay_out_parts(parts, at), 0x7F)
    cdef unsigned char* out = <unsigned char*>PyUnicode_DATA(whole)
    cdef int k
    for k in range(7):
        if k == 1 and parts[2].text is not NULL:
            out[0] = out[1] = c"/"
            out += 2
        if parts[k].text is NULL:
            continue
        if BEFORE[k]:
            out[0] = BEFORE[k]
            out += 1
        memcpy(out, <const unsigned char*>PyUnicode_DATA(<str>parts[k].text) + parts[k].start, parts[k].n)
        out += parts[k].n
        if BEHIND[k]:
            out[0] = BEHIND[k]
            out += 1
    return whole


cdef str joined(Component* parts, Scan* at):
    """Join components that may contain non-ASCII characters; store the offset of each component."""
    cdef list pieces = []
    cdef int k
    lay_out_parts(parts, at)
    for k in range(7):
        if k == 1 and parts[2].text is not NULL:
            pieces.append("//")
        if parts[k].text is NULL:
            continue
        if BEFORE[k]:
            pieces.append(chr(BEFORE[k]))
        pieces.append(PyUnicode_Substring(<str>parts[k].text, parts[k].start, parts[k].start + parts[k].n))
        if BEHIND[k]:
            pieces.append(chr(BEHIND[k]))
    return "".join(pieces)


cdef enum:
    # Numbers for other parts of a URI, after those of the seven components.
    USERNAME = 7
    PASSWORD = 8
    AUTHORITY = 9
    # Numbers for methods that set several components.
    BUILT = 10
    REPLACED = 11
    # The longest userinfo that is built on the stack.
    ROOM = 256

FAST_METHODS = {**PART_NUMBERS, "username": USERNAME, "password": PASSWORD, "authority": AUTHORITY, "build": BUILT, "replace": REPLACED}


cdef class FastMethod:
    """A Python function with a fast path in the kernel, or a function of the kernel.

    The fast path handles the common case of a method that sets components, in which its arguments
    are valid. In all other cases, the object calls the Python function.

    To `help`, `inspect` and `typing`, both are Python functions.
    """

    cdef vectorcallfunc vectorcall
    cdef vectorcallfunc_noexcept inner
    cdef object function
    cdef int part

    def __cinit__(self, str task, function, /):
        self.function = function
        if task is None:
            self.vectorcall = <vectorcallfunc>call_inner
            self.inner = PyVectorcall_Function(function)
            if self.inner is NULL:
                raise TypeError(f"expected a function of the kernel, not {type(function).__name__}")
        else:
            self.vectorcall = call_fast_method
            self.part = FAST_METHODS[task]
        # These settings make calls as cheap as those of functions: no bound method and no tuple of
        # arguments are created (PEP 590).
        cdef PyTypeObject* cls = <PyTypeObject*>FastMethod
        cls.tp_vectorcall_offset = <char*>&self.vectorcall - <char*><PyObject*>self
        cls.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)

    def __get__(self, value, cls):
        return self if value is None else PyMethod_New(self, value)

    def __getattr__(self, name):
        return getattr(self.function, name)

    def __setattr__(self, name, value):
        setattr(self.function, name, value)

    @property
    def __class__(self):
        return type(call_reference)

    @property
    def __wrapped__(self):
        return self.function

    @property
    def __doc__(self):
        return self.function.__doc__

    def __repr__(self):
        return repr(self.function)

    def __reduce__(self):
        return self.function.__qualname__


cdef PyObject* call_inner(
    PyObject* method, PyObject* const* arguments, size_t count, PyObject* names
) noexcept:
    return (<FastMethod>method).inner(<PyObject*>(<FastMethod>method).function, arguments, count, names)


cdef int present_methods(type cls) except -1:
    """Make a `FastMethod` of each method of a compiled class."""
    cdef dict members = <dict>(<PyTypeObject*>cls).tp_dict
    for name, member in list(members.items()):
        if type(member) is type(parse):
            members[name] = FastMethod(None, member)
        elif type(member) is classmethod:
            members[name] = classmethod(FastMethod(None, member.__func__))
    PyType_Modified(<type>cls)
    return 0


cdef PyObject* call_fast_method(
    PyObject* method, PyObject* const* arguments, size_t count, PyObject* names
) except NULL:
    cdef Identifier value = None
    cdef int part = (<FastMethod>method).part
    cdef Py_ssize_t given = PyVectorcall_NARGS(count)
    if part == BUILT:
        if given == 1 and names is not NULL and isinstance(<object>arguments[0], type):
            value = built(<type>arguments[0], None, arguments + 1, <tuple>names)
    elif given > 0 and not isinstance(<object>arguments[0], Identifier):
        # Calls on a class, such as `URI.with_host("http://a/", "b")`.
        function = (<FastMethod>method).function
        kind = type(<object>arguments[0]).__name__
        raise TypeError(f"{function.__qualname__}() requires a URI or an IRI as self, not {kind}")
    elif part == REPLACED:
        if given == 1 and names is not NULL:
            value = built(type(<object>arguments[0]), <Identifier>arguments[0], arguments + 1, <tuple>names)
    elif given == 2 and names is NULL:
        if part < USERNAME:
            value = with_part(<Identifier>arguments[0], part, <object>arguments[1])
        elif part == AUTHORITY:
            value = with_authority(<Identifier>arguments[0], <object>arguments[1])
        else:
            value = with_user_data(<Identifier>arguments[0], part, <object>arguments[1])
    if value is not None:
        Py_INCREF(value)
        return <PyObject*>value
    return PyObject_Vectorcall(<PyObject*>(<FastMethod>method).function, arguments, count, names)


cdef Identifier built(type cls, Identifier before, PyObject* const* values, tuple names):
    """Build a value from the arguments of `URI.build`, or of `replace` on the value `before`.

    Return `None` if the arguments are rare ones, or if they may be wrong.
    """
    cdef Component[7] parts
    cdef object name, value, port, userinfo, username = None, password = None, params = None
    cdef int k
    cdef Py_ssize_t i
    if before is None:
        for k in range(7):
            parts[k].text = NULL
        is_component(&parts[4], "")
    else:
        components_of(before, parts)
    for i in range(len(names)):
        # Names in source code are interned, so they are the same objects as these constants.
        name, value = names[i], <object>values[i]
        if name is "scheme":
            k = 0
        elif name is "host":
            k = 2
        elif name is "port":
            value = port = digits_of(value)  # `port` keeps the digits alive
            k = 3
        elif name is "path":
            k = 4
        elif name is "query":
            k = 5
        elif name is "fragment":
            k = 6
        elif name is "userinfo":
            k = 1
        elif before is not None:
            return None
        elif name is "username":
            username = value
            continue
        elif name is "password":
            password = value
            continue
        elif name is "params":
            if public_rule(cls) < 0:
                return None  # `with_params` would not return a `cls`
            params = value
            continue
        else:
            return None
        if not is_component(&parts[k], value):
            return None
    if username is not None or password is not None:
        userinfo = userinfo_of(username, password)
        if userinfo is None or parts[1].text is not NULL:
            return None
        is_component(&parts[1], userinfo)
    if params is not None and parts[5].text is not NULL:
        return None
    found = compose(cls, parts, before)
    return found if found is None or params is None else found.with_params(params)


cdef Identifier with_authority(Identifier self, authority):
    """Replace the authority of an ASCII string by another one.

    Return `None` if the old or the new string has no authority, or if the new one is invalid.
    """
    cdef str held = <str>self.held, whole
    cdef const unsigned char* p
    cdef unsigned char* out
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), w, shift
    cdef Scan at
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(held):
        return None
    if not PyUnicode_CheckExact(authority) or not PyUnicode_IS_ASCII(<str>authority):
        return None
    shift = PyUnicode_GET_LENGTH(<str>authority) - (self.path_start - self.authority_start)
    if n + shift > LONGEST_TEXT:
        return None
    whole = PyUnicode_New(n + shift, 0x7F)
    p, out = <const unsigned char*>PyUnicode_DATA(held), <unsigned char*>PyUnicode_DATA(whole)
    w = put(out, 0, p, 0, self.authority_start)
    w = put(out, w, <const unsigned char*>PyUnicode_DATA(<str>authority), 0, PyUnicode_GET_LENGTH(<str>authority))
    put(out, w, p, self.path_start, n)
    if scan_text(whole, rule_of(type(self)), &at) != NOTHING:
        return None
    # Everything before and after the authority is the same if these bounds are where they should be.
    if (
        at.scheme_end != self.scheme_end or at.authority != self.authority_start or at.path != w
        or at.path_end != self.path_end + shift or at.query_end != self.query_end + shift
    ):
        return None
    return derived(self, whole, &at)


cdef Identifier with_user_data(Identifier self, int part, data):
    """Replace the user name or the password by ASCII data, and keep the other one.

    Return `None` for other data, and for a URI without an authority.
    """
    cdef unsigned char[ROOM] out
    cdef const unsigned char* held
    cdef Py_ssize_t w = 0, at = self.host_start - 1, colon
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(<str>self.held):
        return None
    at = max(at, self.authority_start)  # without userinfo, both offsets are those of the host
    if at - self.authority_start >= ROOM:
        return None
    colon = colon_in_userinfo(self)
    held = <const unsigned char*>PyUnicode_DATA(<str>self.held)
    if part == PASSWORD:
        w = put(out, 0, held, self.authority_start, colon)
        out[w] = c":"
        w += 1
    w = put_user_data(out, w, data)
    if w < 0 or w + at - colon > ROOM:
        return None
    if part == USERNAME:
        w = put(out, w, held, colon, at)
    return with_part(self, 1, text_of(out, w))


cdef str userinfo_of(username, password):
    """Percent-encode a user name and a password, each of which may be `None`.

    Return `None` for data that is not ASCII.
    """
    cdef unsigned char[ROOM] out
    cdef Py_ssize_t w = 0
    if username is not None:
        w = put_user_data(out, 0, username)
    if w >= 0 and password is not None:
        if w == ROOM:
            return None
        out[w] = c":"
        w = put_user_data(out, w + 1, password)
    return None if w < 0 else text_of(out, w)


cdef Py_ssize_t put_user_data(unsigned char* out, Py_ssize_t w, data):
    """Percent-encode a user name or a password, including colons, which end the user name.

    Return the offset after it, or `-1` if the data is not ASCII or may not fit into `ROOM` bytes.
    """
    cdef const unsigned char* p
    cdef Py_ssize_t i, n
    if not PyUnicode_CheckExact(data) or not PyUnicode_IS_ASCII(<str>data):
        return -1
    p, n = <const unsigned char*>PyUnicode_DATA(<str>data), PyUnicode_GET_LENGTH(<str>data)
    if w + 3 * n > ROOM:
        return -1
    for i in range(n):
        if FLAGS[p[i]] & IN_USERINFO and p[i] != c":":
            out[w] = p[i]
            w += 1
        else:
            out[w] = c"%"
            out[w + 1] = DIGITS[p[i] >> 4]
            out[w + 2] = DIGITS[p[i] & 0x0F]
            w += 3
    return w


cdef inline str query_of(Identifier self):
    return part(self, self.path_end + 1, self.query_end) if self.path_end < self.query_end else None


cdef Identifier with_query(Identifier self, Query* q, bint present):
    """Return a copy of a value with an edited query, or without a query.

    An ASCII string need not be scanned again: the query consists of pieces of the old query and of
    percent-encoded data, and no other component changes.
    """
    cdef Scan at
    cdef str held = <str>self.held, whole
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), end, length
    cdef const unsigned char* p = <const unsigned char*>PyUnicode_DATA(held)
    cdef unsigned char* out
    end = self.path_end + (q.n + 1 if present else 0)
    length = end + n - self.query_end
    if length > LONGEST_TEXT or not PyUnicode_IS_ASCII(held):
        return self._with_query(text_of(q.out, q.n) if present else None)
    if end == self.query_end and (not present or memcmp(p + self.path_end + 1, q.out, q.n) == 0):
        return self
    whole = PyUnicode_New(length, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(whole)
    memcpy(out, p, self.path_end)
    if present:
        out[self.path_end] = c"?"
        memcpy(out + self.path_end + 1, q.out, q.n)
    memcpy(out + end, p + self.query_end, n - self.query_end)
    places(self, &at)
    at.query_end = end
    return derived(self, whole, &at)


cdef inline void places(Identifier self, Scan* at) noexcept:
    """Copy the bounds of a value into a `Scan`."""
    at.scheme_end = self.scheme_end
    at.authority = self.authority_start
    at.host = self.host_start
    at.host_end = self.host_end
    at.path = self.path_start
    at.path_end = self.path_end
    at.query_end = self.query_end


cdef Py_ssize_t colon_in_userinfo(Identifier self) noexcept:
    """Return the offset of the first colon in the userinfo, or of the end of the userinfo."""
    cdef Py_ssize_t i = self.authority_start, end = max(self.host_start - 1, i)
    cdef const unsigned char* p
    if PyUnicode_IS_ASCII(<str>self.held):
        p = <const unsigned char*>PyUnicode_DATA(<str>self.held)
        while i < end and p[i] != c":":
            i += 1
    else:
        while i < end and PyUnicode_READ_CHAR(<str>self.held, i) != c":":
            i += 1
    return i


cdef str decoded(Identifier self, Py_ssize_t start, Py_ssize_t end):
    """Percent-decode a part of the userinfo; octets that are not UTF-8 become surrogate escapes."""
    cdef Text t
    cdef str text
    if PyUnicode_IS_ASCII(<str>self.held):
        return data_of(<const unsigned char*>PyUnicode_DATA(<str>self.held), start, end, False)
    text = part(self, start, end)  # in a variable, because `t` points into an ASCII string
    open_text(text, &t)
    try:
        return data_of(t.p, 0, t.n, False)
    finally:
        close_text(&t)


cdef str call_shown(str name, str text):
    """Return a call as it is written in Python, such as `URI('http://a/')`."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), w = PyUnicode_GET_LENGTH(name)
    cdef str whole
    cdef unsigned char* out
    # An ASCII identifier has no character that `repr` escapes, except for the single quote.
    if not PyUnicode_IS_ASCII(name) or not PyUnicode_IS_ASCII(text) or memchr(PyUnicode_DATA(text), c"'", n) is not NULL:
        return f"{name}({text!r})"
    whole = PyUnicode_New(w + n + 4, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(whole)
    memcpy(out, PyUnicode_DATA(name), w)
    memcpy(out + w, "('", 2)
    memcpy(out + w + 2, PyUnicode_DATA(text), n)
    memcpy(out + w + 2 + n, "')", 2)
    return whole


cdef inline str part(Identifier self, Py_ssize_t start, Py_ssize_t end):
    return PyUnicode_Substring(<str>self.held, start, end)


# --- columns

include "arrow.pxi"
include "prefixes.pxi"
include "columns.pxi"
include "results.pxi"

present_methods(Identifier)
present_methods(Pairs)
