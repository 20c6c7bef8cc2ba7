# Replace namespaces with prefixes, and prefixes with namespaces: `uriverse.rdf`.
# Other files call `find_longest_key`.


cdef class PrefixTable:
    """Strings that replace the start of other strings.

    To compact IRIs, the keys are namespaces and the values are prefixes with a colon. To expand CURIEs,
    the keys are prefixes with a colon and the values are namespaces.

    Args:
        given: the replacements by key. No key may be empty.
    """

    def __cinit__(self, dict given, /):
        cdef Py_ssize_t k, outer
        cdef bytes key, value
        self.kept = sorted([(one.encode(), other.encode()) for one, other in given.items()])
        self.count = len(self.kept)
        self.entries = <Replacement*>PyMem_Malloc((self.count + 1) * sizeof(Replacement))
        if self.entries is NULL:
            raise MemoryError
        for k in range(self.count):
            key, value = self.kept[k]
            self.entries[k].key = key
            self.entries[k].key_size = len(key)
            self.entries[k].value = value
            self.entries[k].value_size = len(value)
            self.entries[k].ascii = value.isascii()
            # In sorted order, a key follows those that are prefixes of it.
            outer = k - 1
            while outer >= 0 and not has_key(key, len(key), &self.entries[outer]):
                outer = self.entries[outer].outer
            self.entries[k].outer = outer

    def __dealloc__(self):
        PyMem_Free(self.entries)


cdef inline bint has_key(const unsigned char* text, Py_ssize_t n, const Replacement* replacement) noexcept nogil:
    return replacement.key_size <= n and memcmp(text, replacement.key, replacement.key_size) == 0


cdef inline bint exceeds(const Replacement* replacement, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef int order = memcmp(replacement.key, text, replacement.key_size if replacement.key_size < n else n)
    return order > 0 or (order == 0 and replacement.key_size > n)


cdef const Replacement* find_longest_key(const Replacement* entries, Py_ssize_t count, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the entry whose key a string starts with, or NULL; a key before "//" is ignored."""
    cdef Py_ssize_t low = 0, high = count, middle, end
    # The longest key is the last one that does not sort after the string, or it is a prefix of that
    # one, because all the keys in between start with it.
    while low < high:
        middle = (low + high) // 2
        if exceeds(&entries[middle], text, n):
            high = middle
        else:
            low = middle + 1
    low -= 1
    while low >= 0:
        if has_key(text, n, &entries[low]):
            end = entries[low].key_size
            if n - end < 2 or text[end] != c"/" or text[end + 1] != c"/":
                return &entries[low]
        low = entries[low].outer
    return NULL


def compact_iri(str text, PrefixTable table not None, /):
    """Return the CURIE of an IRI; `""` if no namespace matches; `None` to call the Python function."""
    cdef Scan bounds
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), tail_size
    cdef const unsigned char* octets
    cdef const Replacement* replacement
    cdef str curie
    if not PyUnicode_IS_ASCII(text) or n > LONGEST_TEXT:
        return None
    octets = <const unsigned char*>PyUnicode_DATA(text)
    if not fast_scan(octets, n, NEEDS_SCHEME, &bounds):
        return None
    replacement = find_longest_key(table.entries, table.count, octets, n)
    if replacement is NULL:
        return ""
    if not replacement.ascii:
        return None
    tail_size = n - replacement.key_size
    curie = PyUnicode_New(replacement.value_size + tail_size, 0x7F)
    memcpy(PyUnicode_DATA(curie), replacement.value, replacement.value_size)
    memcpy(<unsigned char*>PyUnicode_DATA(curie) + replacement.value_size, octets + replacement.key_size, tail_size)
    return curie
