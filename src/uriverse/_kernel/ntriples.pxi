# Find the IRIs of an N-Triples document that may be invalid: `uriverse.rdf._ntriples`.


cdef inline bint ends_line(unsigned char c) noexcept nogil:
    return c == c"\n" or c == c"\r"


cdef inline bint opens_triple_term(unsigned char c) noexcept nogil:
    return c == c" " or c == c"\t" or c == c"(" or c == c"<" or c == c"_"


cdef Py_ssize_t end_of_literal(const unsigned char* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the index after a literal, of which `i` is the index after the opening quotation mark.

    A literal that is not closed ends before the line break, or before a backslash at the end of its
    line.
    """
    while i < n and not ends_line(p[i]):
        if p[i] == c'"':
            return i + 1
        if p[i] == c"\\":
            i += 1
            if i == n or ends_line(p[i]):
                return i - 1
        i += 1
    return i


cdef Py_ssize_t next_suspect(const unsigned char* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Implement `next_suspect_iri`."""
    cdef Scan at
    cdef Py_ssize_t start
    while i < n:
        if p[i] == c"<":
            start = i + 1
            # The "<<" of RDF 1.2 starts a triple term. A NUL follows the last byte.
            if p[start] == c"<" and opens_triple_term(p[start + 1]):
                i += 2
                continue
            i = start
            while i < n and p[i] != c">" and p[i] != c"<" and not ends_line(p[i]):
                i += 1
            if (
                i == n
                or p[i] != c">"
                or i - start > LONGEST_TEXT
                or not fast_scan(p + start, i - start, NEEDS_SCHEME, &at)
            ):
                return start - 1
        elif p[i] == c'"':
            i = end_of_literal(p, i + 1, n)
            continue
        elif p[i] == c"#":
            while i < n and not ends_line(p[i]):
                i += 1
            continue
        i += 1
    return n


def next_suspect_iri(bytes octets, Py_ssize_t start, /):
    """Return the index of the first IRI in an N-Triples document that may be invalid.

    Args:
        octets: the document.
        start: the index to start from, which must not be in an IRI, a literal or a comment.

    Returns:
        The index of the "<" before the IRI, or the length of the document if all the IRIs are
        valid.
    """
    cdef const unsigned char* p = octets
    cdef Py_ssize_t n = len(octets), found
    if not 0 <= start <= n:
        raise IndexError(start)
    with nogil:
        found = next_suspect(p, start, n)
    return found
