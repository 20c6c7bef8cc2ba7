/* A string, a row of a column, and what a scan of it finds: the types that both modules of the kernel use. */

#ifndef URIVERSE_SCAN_H
#define URIVERSE_SCAN_H

#include <stdint.h>

/* Bounds in bytes; -1 for an undefined component. `position` is that of the first violation, if any. */
typedef struct {
    Py_ssize_t scheme_end, authority, host, host_end, path, path_end, query_end;
    Py_ssize_t position;
} Scan;

/* A string in the buffers of a column. */
typedef struct {
    const unsigned char *p;
    Py_ssize_t n;
    int32_t buffer;    /* the index of the buffer for views; -1 if views cannot refer to it */
    int32_t place;     /* the offset in that buffer */
    Py_ssize_t behind; /* the number of bytes from `p` to the end of the buffer */
} Span;

/* A row of a column, and the result of its scan. */
typedef struct {
    Span span;
    int seen;    /* by the fast scan */
    int invalid; /* the invalid component, or a number without a component */
    Scan bounds;
    Py_ssize_t zero;
    Py_ssize_t part, part_end; /* the part that is the result of an operation; -1 if it is null */
} Row;

/* The number of rows in a block, which fits in the first cache of a processor. */
enum { BLOCK = 128 };

/* The result of a fast scan. */
enum {
    UNSURE,     /* unknown: the string must be scanned byte by byte */
    PLAIN,      /* a valid IRI-reference that is ASCII */
    PAST_ASCII, /* a valid IRI-reference if its non-ASCII characters are allowed; `position` is that of
                 * the first one */
};

/* Whether normalization does not change a valid ASCII string; NORMAL_URI: if it keeps non-ASCII triplets. */
enum { UNKNOWN_FORM, NORMAL, NORMAL_URI };

typedef int (*FastScan)(const unsigned char *, Py_ssize_t, Scan *);
typedef int (*ScanRows)(Row *, Py_ssize_t);
typedef int (*IsNormal)(const unsigned char *, Py_ssize_t, const Scan *);
typedef int (*IsHarmless)(const unsigned char *, Py_ssize_t);

/* A SIMD variant of the functions in fast_scan.h, and whether this machine supports it. */
typedef struct {
    const char *name;
    FastScan fast_scan;
    ScanRows scan_rows;
    IsNormal is_normal, is_unambiguous;
    IsHarmless is_harmless;
    int is_supported;
} SimdVariant;

#endif
