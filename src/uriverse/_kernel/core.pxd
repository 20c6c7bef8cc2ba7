# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, annotation_typing=False, freethreading_compatible=True, auto_pickle=False
# The declarations of core.pyx that columns.pyx uses, and nothing else. Functions that it calls for each
# octet are inline.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free
from cpython.pyport cimport PY_SSIZE_T_MAX
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset, strlen

cdef extern from "Python.h":
    void* PyUnicode_DATA(str)
    Py_ssize_t PyUnicode_GET_LENGTH(str)
    bint PyUnicode_IS_ASCII(str)

cdef extern from "scan.h" nogil:
    ctypedef struct Scan:
        Py_ssize_t scheme_end, authority, host, host_end, path, path_end, query_end
        Py_ssize_t position  # of the first violation, if any
    ctypedef struct Span:
        const unsigned char* p
        Py_ssize_t n
        int32_t buffer, place
        Py_ssize_t behind
    ctypedef struct Row:
        Span span
        int seen, invalid
        Scan bounds
        Py_ssize_t zero, part, part_end
    ctypedef int (*FastScan)(const unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept
    ctypedef bint (*ScanRows)(Row* rows, Py_ssize_t count) noexcept
    ctypedef int (*IsNormal)(const unsigned char* text, Py_ssize_t n, const Scan* bounds) noexcept
    ctypedef int (*IsHarmless)(const unsigned char* text, Py_ssize_t n) noexcept
    ctypedef struct SimdVariant:
        const char* name
        FastScan fast_scan
        ScanRows scan_rows
        IsNormal is_normal, is_unambiguous
        IsHarmless is_harmless
        bint is_supported
    enum:
        BLOCK
        UNSURE, PLAIN, PAST_ASCII
        NORMAL, NORMAL_URI

cdef enum:
    LONGEST_TEXT = 0x7FFFFFFF  # the bounds are 32 bits wide
    MOST_LIST_ITEMS = 0x7FFFFFFF  # of all lists of a column, whose offsets are 32 bits wide

cdef enum:
    # The status of a row, and of a function that writes one.
    DONE
    FULL  # the offsets of one array cannot address more octets
    NO_MEMORY
    NULL_ROW
    BY_REFERENCE  # call the Python function for a single row
    BROKEN  # the input column is malformed

cdef enum:
    # Results of functions that otherwise return the length of what they write.
    NO_OUTPUT = -1  # none exists, or the Python function must write it
    NO_OUTPUT_MEMORY = -2

# --- text

cdef struct Text:
    # The UTF-8 bytes of a string, followed by a NUL. `owned` is the memory to free, or NULL.
    const unsigned char* p
    Py_ssize_t n
    unsigned char* owned
    unsigned char here[1024]

cdef inline Py_ssize_t count_characters(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t count = 0, i
    for i in range(start, end):
        count += (text[i] & 0xC0) != 0x80
    return count

cdef inline Py_ssize_t find_octet(const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char c) noexcept nogil:
    """Return the index of the first octet `c`, or `end`."""
    cdef const unsigned char* match = <const unsigned char*>memchr(text + start, c, end - start)
    return end if match is NULL else match - text

cdef inline bint contains_octet(const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char c) noexcept nogil:
    return memchr(text + start, c, end - start) is not NULL

cdef inline Py_ssize_t measure_room(Py_ssize_t n, int unit_size) noexcept nogil:
    """Return eight bytes more than `n` units need, or -1 if that overflows, as on 32-bit systems."""
    return unit_size * n + 8 if n <= PY_SSIZE_T_MAX // unit_size - 8 else -1

cdef inline void close_text(Text* text) noexcept:
    PyMem_Free(text.owned)

cdef struct Scratch:
    # A buffer that grows as needed.
    unsigned char* p
    Py_ssize_t room

cdef inline int reserve(Scratch* scratch, Py_ssize_t n) noexcept nogil:
    return DONE if n <= scratch.room else grow_scratch(scratch, n)

cdef int grow_scratch(Scratch* scratch, Py_ssize_t n) noexcept nogil

cpdef str as_text(text)

cdef void convert_to_characters(const unsigned char* text, int invalid, Scan* bounds) noexcept nogil
cdef bint is_utf8(const unsigned char* text, Py_ssize_t n) noexcept nogil
cdef bint is_ascii(const unsigned char* text, Py_ssize_t n) noexcept nogil

# --- scan

cdef enum:
    # The flags of a rule: its requirements in addition to those of IRI-reference.
    NEEDS_SCHEME = 1
    ASCII_ONLY = 2
    NO_FRAGMENT = 4

cdef enum:
    # The invalid component, as an index into COMPONENTS.
    NOTHING, SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, TEXT

cdef enum:
    # The non-ASCII characters that are allowed in a component.
    NONE, UCSCHAR, UCSCHAR_OR_IPRIVATE

cdef enum:
    # A character class that no grammar rule has. The classes of the grammar do not use this bit.
    ANY_ASCII = 0x8000

cdef enum:
    # The shortcuts that a test can disable, as indexes into SHORTCUTS.
    FAST_SCAN, SCAN_ROWS, IS_NORMAL, IS_UNAMBIGUOUS, IS_HARMLESS
    RESOLVE_SHORT_ASCII, RELATIVIZE_COMMON_CASE, IS_PLAIN, IS_KEPT

cdef uint16_t FLAGS[256]
cdef SimdVariant* simd_variant
cdef int disabled_shortcut

cdef inline bint is_continuation(unsigned char c) noexcept nogil:
    return c & 0xC0 == 0x80

cdef inline int measure_character(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Read at most `n` bytes at `text`; return 0 if they are not strictly legal UTF-8 (RFC 3629, section 4)."""
    if text[0] < 0xC2 or n < 2 or not is_continuation(text[1]):
        return 0
    if text[0] < 0xE0:
        return 2
    if n < 3 or not is_continuation(text[2]):
        return 0
    if text[0] < 0xF0:
        return 0 if (text[0] == 0xE0 and text[1] < 0xA0) or (text[0] == 0xED and text[1] > 0x9F) else 3
    if n < 4 or not is_continuation(text[3]) or text[0] > 0xF4:
        return 0
    return 0 if (text[0] == 0xF0 and text[1] < 0x90) or (text[0] == 0xF4 and text[1] > 0x8F) else 4

cdef inline bint accepts(int seen, const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil:
    """Return whether a string certainly matches a rule, given the result of its fast scan."""
    if (
        seen == UNSURE
        or (rule & NEEDS_SCHEME and bounds.scheme_end < 0)
        or (rule & NO_FRAGMENT and bounds.query_end < n)
    ):
        return False
    return seen == PLAIN or not rule & ASCII_ONLY and are_characters_allowed(text, n, bounds)

cdef inline bint fast_scan(const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil:
    """Return false if it is not certain that a string matches a rule; `bounds` has no meaning then.

    If true, `bounds` is as after `scan_closely`, and `bounds.position` is the index of the first non-ASCII
    character, or -1. The string need not be followed by a NUL, and need not be valid UTF-8.
    """
    return accepts(simd_variant.fast_scan(text, n, bounds), text, n, rule, bounds)

cdef bint are_characters_allowed(const unsigned char* text, Py_ssize_t n, const Scan* bounds) noexcept nogil
cdef int scan(const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil
cdef int scan_closely(const unsigned char* text, Py_ssize_t n, int rule, Scan* bounds) noexcept nogil
cdef bint has_ipv4_host(const unsigned char* text, Scan* bounds) noexcept nogil

# --- resolve

cdef inline Py_ssize_t put(
    unsigned char* out, Py_ssize_t length, const unsigned char* text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """Copy a span to offset `length` of the output; return the offset after it."""
    memcpy(out + length, text + start, end - start)
    return length + end - start

cdef Py_ssize_t resolve(
    const unsigned char* base_text, Scan* base, const unsigned char* reference_text, Py_ssize_t n, Scan* reference, bint strict,
    unsigned char* out, Scan* target,
) noexcept nogil

# --- normalize

cdef enum:
    # Flags: which triplets to decode, and whose digits to convert to upper case.
    ALL_DECODED = 1
    UNRESERVED_DECODED = 2
    CHARACTERS_DECODED = 4  # non-ASCII characters that an IRI allows
    PRIVATE_TOO = 8  # with CHARACTERS_DECODED: also private-use characters, as in a query
    UPPER = 16
    UPPER_PAST_ASCII = 32

cdef enum:
    # The URIs whose dot segments are removed: none, those whose path starts with "/", or all.
    DOTS_OF_NONE = 0
    DOTS_OF_ROOTED = 1
    DOTS_OF_ALL = 2

cdef inline unsigned char get_digit(unsigned char c) noexcept nogil:
    # Letters of either case have the values 1 to 6 in their low four bits, and the bit 0x40, which
    # decimal digits do not have.
    return (c & 0x0F) + (9 if c & 0x40 else 0)

cdef inline unsigned char decode_triplet(const unsigned char* text) noexcept nogil:
    return get_digit(text[1]) << 4 | get_digit(text[2])

cdef inline unsigned char to_lower(unsigned char c) noexcept nogil:
    return c + 32 if c"A" <= c <= c"Z" else c

cdef int parse_rule_name(str rule) except -1
cdef int get_character_class(component) except -1
cdef int parse_dot_segments(dot_segments) except -1
cdef bint is_before_ipv4(const unsigned int* numbers) noexcept nogil
cdef bint is_plain(const unsigned char* text, Py_ssize_t n, Scan* bounds, int triplet_flags, bint case, bint ipv6_form, int dots) noexcept nogil
cdef Py_ssize_t normalize(
    const unsigned char* text, Py_ssize_t n, Scan* bounds, int triplet_flags, bint case, bint ipv6_form, int dots,
    unsigned char* out, Scan* done,
) noexcept nogil

cdef void read_ipv6_groups(const unsigned char* text, Py_ssize_t i, unsigned int* numbers) noexcept nogil
cdef Py_ssize_t rewrite_triplets(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char* out, Py_ssize_t length, int triplet_flags
) noexcept nogil

cdef Py_ssize_t write_ipv6(const unsigned char* text, Py_ssize_t i, unsigned char* out, Py_ssize_t length) noexcept nogil

# --- other components

cdef Py_ssize_t write_encoded(
    const unsigned char* text, Py_ssize_t i, Py_ssize_t n, uint16_t characters, int allowed, unsigned char* out
) noexcept nogil

cdef struct Piece:
    # The offsets of a piece between two separators. Its name ends at "=", or at the end of the piece.
    Py_ssize_t start, name_end, end

cdef inline bint next_piece(const unsigned char* query, Py_ssize_t n, unsigned char separator, Piece* piece) noexcept nogil:
    """Move to the next piece of the query; return False after the last piece."""
    cdef Py_ssize_t i = piece.end + 1
    if i > n:
        return False
    piece.start = i
    while i < n and query[i] != separator and query[i] != c"=":
        i += 1
    piece.name_end = i
    while i < n and query[i] != separator:
        i += 1
    piece.end = i
    return True

cdef inline bint decodes_to(
    const unsigned char* query, Py_ssize_t i, Py_ssize_t end, bint is_form, const unsigned char* data, Py_ssize_t n
) noexcept nogil:
    """Return whether an encoded name or value decodes to the given bytes."""
    cdef Py_ssize_t k = 0
    cdef unsigned char octet
    while i < end and k < n:
        octet = query[i]
        if octet == c"%":
            octet = decode_triplet(query + i)
            i += 2
        elif octet == c"+" and is_form:
            octet = c" "
        if octet != data[k]:
            return False
        i += 1
        k += 1
    return i == end and k == n

cdef inline Py_ssize_t decode_octets(
    const unsigned char* text, Py_ssize_t i, Py_ssize_t end, bint is_form, unsigned char* out
) noexcept nogil:
    """Write the octets of an encoded name or value; return their number."""
    cdef Py_ssize_t n = 0
    while i < end:
        out[n] = text[i]
        if text[i] == c"%":
            out[n] = decode_triplet(text + i)
            i += 2
        elif text[i] == c"+" and is_form:
            out[n] = c" "
        n += 1
        i += 1
    return n

cdef int open_name(object name, Text* text) except -1
cdef str decode_escaped(const unsigned char* text, Py_ssize_t n)

cdef inline Py_ssize_t find_name_start(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return the offset of the last segment of a path."""
    while end > start and text[end - 1] != c"/":
        end -= 1
    return end

cdef inline Py_ssize_t find_suffix_start(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Find the file extension of a name without "%"; a dot at the start or at the end does not count."""
    cdef Py_ssize_t dot = end - 1
    while dot > start and text[dot] != c".":
        dot -= 1
    return dot if start < dot < end - 1 else end

# --- schemes

cdef bint is_web(const unsigned char* text, Py_ssize_t scheme_end) noexcept nogil
cdef bint is_file(const unsigned char* text, Py_ssize_t scheme_end) noexcept nogil
cdef bint follows_scheme_rules(const unsigned char* text, Scan* bounds) noexcept nogil
cdef bint is_default_port(const unsigned char* text, Py_ssize_t i, Scan* bounds) noexcept nogil
cdef Py_ssize_t apply_scheme_rules(unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil
cdef bint contains_a_label(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil
cdef int load_secrets() except -1
cdef int write_redaction(
    const unsigned char* text, Py_ssize_t n, bint usernames, bint paths, bint displayed, Scratch* out, Py_ssize_t* length
) noexcept nogil

cdef int write_repair(const unsigned char* text, Py_ssize_t n, bint iri, unsigned char* out, Py_ssize_t* length) noexcept nogil
cdef Py_ssize_t write_reference(
    const unsigned char* base_text, Py_ssize_t size, Scan* base, const unsigned char* target_text, Py_ssize_t n, Scan* target, bint walk_up, Scratch* out
) noexcept nogil

cdef int32_t get_default_port(const unsigned char* text, Py_ssize_t n) noexcept nogil

# --- findings and policies

include "codes.pxi"

cdef enum:
    MOST_NOTES = 32  # the most findings in a string

cdef bint is_unremarkable(const unsigned char* text, Py_ssize_t n, Scan* bounds, bint with_form) noexcept nogil
cdef int find_codes(
    const unsigned char* text, Py_ssize_t n, bint ascii, bint with_form, const int8_t* ranks, int* codes, bint* complete
) noexcept nogil

cdef enum:
    LONGEST_DECIDED = 4096  # the number of bytes of the longest URI that the kernel decides about
    # A decision, if it is not the number of a rule.
    NO_RULE = -1  # allowed by a policy without allow rules
    IS_REJECTED = -2
    IS_UNDECIDED = -3

cdef int32_t decide(void* policy, const unsigned char* text, Py_ssize_t n) noexcept nogil

# --- suffixes

cdef enum:
    # The parts of a host.
    SUFFIX_PART, DOMAIN_PART, SUBDOMAIN_PART

cdef enum:
    NOT_FOUND = -2  # as `part` of a row: its host is not simple enough for `find_host_parts`
    MISSING = -2  # as `invalid` of a row: it is null

cdef void find_host_parts(void* suffixes, int part, Row* rows, Py_ssize_t count) noexcept nogil
cdef int narrow_host(
    void* suffixes, int part, const unsigned char* text, Py_ssize_t* start, Py_ssize_t* end, bint* lower
) noexcept nogil

cdef uint64_t xxh64(const unsigned char* text, Py_ssize_t n) noexcept nogil

# --- prefixes

cdef struct Replacement:
    const unsigned char* key
    Py_ssize_t key_size
    const unsigned char* value
    Py_ssize_t value_size
    Py_ssize_t outer  # the index of the longest other key that is a prefix of this key, or -1
    bint ascii  # whether the value is ASCII

cdef class PrefixTable:
    cdef Replacement* entries
    cdef Py_ssize_t count
    cdef list kept  # the octets that the entries refer to

cdef const Replacement* find_longest_key(const Replacement* entries, Py_ssize_t count, const unsigned char* text, Py_ssize_t n) noexcept nogil

# --- templates

cdef enum:
    MOST_SLOTS = 64
    MOST_ITEMS = 256  # the number of captured items, and of parameters in a query
    LONGEST_MATCHED = 65536
    LONGEST_DECODED = 4096  # the most octets of all items of a URI that are decoded

cdef struct Octets:
    const unsigned char* p
    Py_ssize_t n

cdef struct CapturedItem:
    Py_ssize_t start, end
    int slot

cdef enum:
    # Results of matching a template.
    NO_MATCH, MATCHES
    MATCH_UNKNOWN = -1  # Python must decide

cdef struct CapturedItems:
    CapturedItem items[MOST_ITEMS]
    CapturedItem extra[MOST_ITEMS]  # parameters that the template does not contain
    int count, extra_count
    uint64_t mappings  # the slots whose items are names and values, as bits

cdef struct DecodedItems:
    # For each captured item, its value; its name, for a mapping; and its number, for the type `int`.
    Octets names[MOST_ITEMS]
    Octets values[MOST_ITEMS]
    int64_t numbers[MOST_ITEMS]
    unsigned char octets[LONGEST_DECODED]
    Py_ssize_t n

cdef inline Octets get_octets(bytes octets) noexcept:
    """Return the address of bytes, which the caller keeps."""
    cdef Octets view
    view.p = <const unsigned char*>PyBytes_AS_STRING(octets)
    view.n = PyBytes_GET_SIZE(octets)
    return view

cdef int match_scanned(
    void* program, const unsigned char* text, Py_ssize_t n, Scan* bounds, CapturedItems* captured, DecodedItems* items
) noexcept nogil

cdef Py_ssize_t expand_spans(void* program, const signed char* places, Span* spans, bint* is_present, Scratch* out) noexcept nogil
