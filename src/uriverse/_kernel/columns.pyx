# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, annotation_typing=False, freethreading_compatible=True, auto_pickle=False
"""The part of the compiled kernel for columns, which `uriverse.columns` loads when it first needs it.

Its references are the functions for one row in `uriverse.columns`. It uses the functions of core.pyx that
core.pxd declares. `uriverse.columns` calls the functions and classes without an underscore.
"""

from cpython.buffer cimport PyBUF_READ, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.pyport cimport PY_SSIZE_T_MAX
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.errno cimport ENOMEM
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset, strlen

from uriverse._kernel.core cimport *
from uriverse._kernel.core import CompiledPolicy, SuffixTable, TemplateExpansion, TemplateMatching

include "arrow.pxi"
include "arrays.pxi"
include "rows.pxi"
include "edits.pxi"
include "param_columns.pxi"
include "template_columns.pxi"
include "operations.pxi"
include "results.pxi"
