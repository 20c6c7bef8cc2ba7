# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, annotation_typing=False, freethreading_compatible=True, auto_pickle=False
"""The core of the compiled kernel: strings, values, and all functions that work on one value.

Its reference is `uriverse._uri.identifier`, and for each file that it includes the module which that file
names. `uriverse` calls its functions and classes without an underscore; columns.pyx calls those that core.pxd
declares. Docstrings of public functions are those of Python functions; see `use_compiled`.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport Py_EQ, Py_NE, PyObject, PyObject_RichCompare
from cpython.ref cimport Py_CLEAR, Py_DECREF, Py_INCREF, Py_XDECREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_Substring

cdef extern from "Python.h":
    ctypedef PyObject* (*vectorcallfunc)(PyObject*, PyObject* const*, size_t, PyObject*) except NULL
    ctypedef void (*destructor)(PyObject*) noexcept
    ctypedef int (*descrsetfunc)(object, object, object) except -1
    ctypedef struct PyTypeObject:
        destructor tp_dealloc
        destructor tp_finalize
        destructor tp_free
        object tp_alloc(PyTypeObject*, Py_ssize_t)
        descrsetfunc tp_descr_set
        object tp_new(PyTypeObject*, tuple, PyObject*)
        vectorcallfunc tp_vectorcall
    long PyLong_AsLongAndOverflow(object, int*) except? -1
    str PyType_GetName(PyTypeObject*)
    bint PyType_IsSubtype(PyTypeObject*, PyTypeObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    void PyErr_SetObject(object, object)
    void PyObject_GC_UnTrack(PyObject*)
    void PyObject_GC_Track(PyObject*)
    int PyObject_GC_IsTracked(PyObject*)
    int PyObject_GC_IsFinalized(PyObject*)
    PyObject* PyObject_Init(PyObject*, PyTypeObject*)
    int PyObject_CallFinalizerFromDealloc(PyObject*)
    void PyObject_ClearWeakRefs(PyObject*)
    PyTypeObject* Py_TYPE(PyObject*)
    bint PyUnicode_CheckExact(object)
    int PyUnicode_KIND(str)
    Py_UCS4 PyUnicode_READ_CHAR(str, Py_ssize_t)
    ctypedef unsigned char Py_UCS1
    ctypedef unsigned short Py_UCS2

    str PyUnicode_FromKindAndData(int, const void*, Py_ssize_t)
    str PyUnicode_New(Py_ssize_t, Py_UCS4)

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define FREE_THREADED 1
    #define publish(flag) _Py_atomic_store_int_release(flag, 1)
    #define is_published(flag) _Py_atomic_load_int_acquire(flag)
    #else
    #define FREE_THREADED 0
    #define publish(flag) (*(flag) = 1)
    #define is_published(flag) (*(flag))
    #endif
    """
    const bint FREE_THREADED
    # Set a flag, after what it stands for is complete. Processors such as those of ARM may show other
    # threads a plain variable too early.
    void publish(int* flag) nogil
    bint is_published(int* flag) nogil

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
include "findings.pxi"
include "dot_segments.pxi"
include "ambiguities.pxi"
include "domain.pxi"
include "redact.pxi"

# The rules of the public types. The index of each rule is the sum of its flags ASCII_ONLY and
# NEEDS_SCHEME.
cdef tuple RULES = ("IRI-reference", "IRI", "URI-reference", "URI")

# The public types, each at the index of its rule; see `load_types`.
cdef tuple types = ()
cdef PyObject* TYPES[4]  # the same, for comparisons without reference counting
cdef object ParseError = None, deferred_parse_error = None  # see `set_parse_error`
cdef int knows_parse_error = False
# The classes `Segments` and `Params`, once their modules are imported; see `register_view`.
cdef object segments_class = None, params_class = None


def load_types(dict public_types, /):
    global types, knows_parse_error
    types = tuple([public_types[rule] for rule in RULES])
    for number in range(4):
        TYPES[number] = <PyObject*>types[number]
        (<PyTypeObject*>types[number]).tp_vectorcall = construct_value
    set_value_deallocators()
    knows_parse_error = False


def load(tables, constants, /):
    """Load the module `uriverse._spec.tables`, and constants of the package `uriverse._spec`."""
    global ALPHA, DIGIT, HEXDIG, IN_SCHEME, IN_REG_NAME, IN_USERINFO, IN_PATH, IN_QUERY
    global UNRESERVED, IN_SEGMENT, IN_SEGMENT_NC
    global ucschar_count, iprivate_count, bidi_count, COMPONENT_CLASSES
    cdef int k
    cdef dict classes = tables.CLASSES
    cdef bytes flags = tables.FLAGS
    for k in range(256):
        FLAGS[k] = flags[2 * k] | flags[2 * k + 1] << 8 | (ANY_ASCII if k < 0x80 else 0)
    for codec in range(2):
        for k in constants.WRITTEN[CODECS[codec]].encode():
            FLAGS[k] |= WRITTEN[codec]
    ALPHA, DIGIT, HEXDIG = classes["ALPHA"], classes["DIGIT"], classes["HEXDIG"]
    IN_SCHEME, IN_REG_NAME = classes["SCHEME"], classes["REG_NAME"]
    IN_USERINFO, IN_PATH, IN_QUERY = classes["USERINFO"], classes["PATH"], classes["QUERY"]
    UNRESERVED = classes["UNRESERVED"]
    fill_kept_in_expansion()
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
    ucschar_count = load_ranges(UCSCHAR_RANGES, tables.UCSCHAR)
    iprivate_count = load_ranges(IPRIVATE_RANGES, tables.IPRIVATE)
    bidi_count = load_ranges(BIDI_RANGES, constants.BIDI_FORMATTING)
    select_fast_scan()
    fill_host_classes()


def _simd_variants(str name=None, /):
    """Return the names of the supported SIMD variants, the fastest first; select one for a test."""
    global simd_variant
    cdef dict variants = {simd_variants[k].name.decode(): k for k in range(SIMD_VARIANTS) if simd_variants[k].is_supported}
    if name is not None:
        simd_variant = &simd_variants[variants[name]]
    return list(variants)


def _disable_shortcut(str name=None, /):
    """Disable a shortcut of SHORTCUTS, and enable all others. This is for tests only."""
    global simd_variant, incomplete_variant, disabled_shortcut
    cdef SimdVariant* bytewise = &simd_variants[SIMD_VARIANTS - 1]
    disabled_shortcut = -1 if name is None else SHORTCUTS.index(name)
    select_fast_scan()
    incomplete_variant = simd_variant[0]
    if disabled_shortcut == FAST_SCAN:
        incomplete_variant.fast_scan = bytewise.fast_scan
    elif disabled_shortcut == SCAN_ROWS:
        incomplete_variant.scan_rows = bytewise.scan_rows
    elif disabled_shortcut == IS_NORMAL:
        incomplete_variant.is_normal = bytewise.is_normal
    elif disabled_shortcut == IS_UNAMBIGUOUS:
        incomplete_variant.is_unambiguous = bytewise.is_unambiguous
    elif disabled_shortcut == IS_HARMLESS:
        incomplete_variant.is_harmless = bytewise.is_harmless
    simd_variant = &incomplete_variant


def _fast_scan(size_t address, Py_ssize_t n, int rule, /):
    """Return the bounds that `fast_scan` finds in `n` bytes at an address, or `None`; for tests only."""
    cdef Scan bounds
    if not fast_scan(<const unsigned char*>address, n, rule, &bounds):
        return None
    return (
        bounds.scheme_end, bounds.authority, bounds.host, bounds.host_end, bounds.path, bounds.path_end, bounds.query_end
    )


cdef int load_ranges(unsigned int[2]* ranges, tuple pairs) except -1:
    cdef int k
    assert len(pairs) <= 32
    for k in range(len(pairs)):
        ranges[k][0], ranges[k][1] = pairs[k]
    return len(pairs)

include "text.pxi"
include "parsing.pxi"
include "allocation.pxi"
include "values.pxi"
include "derived.pxi"
include "components.pxi"
include "paths.pxi"
include "methods.pxi"
include "templates.pxi"
include "routes.pxi"
include "repair.pxi"
include "prefixes.pxi"
include "rules.pxi"
include "hashing.pxi"
include "suffixes.pxi"
include "records.pxi"
include "extraction.pxi"
