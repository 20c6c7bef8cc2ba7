# Values that are made of others: resolved, relative, normalized and converted URIs and IRIs, as the methods
# of `uriverse._uri.identifier` return them.
# Other files call `encode_iri`, `resolve_short_ascii`, `relativize_short_ascii`, `normalize_value` and `apply_rules_in_python`.

cdef Identifier encode_iri(str text, bint has_scheme):
    """Percent-encode the non-ASCII characters of a valid IRI reference, and parse the result."""
    cdef Scan at
    cdef Text t
    cdef int rule = ASCII_ONLY | NEEDS_SCHEME if has_scheme else ASCII_ONLY
    if not PyUnicode_IS_ASCII(text):
        open_text(text, &t)
        try:
            # All ASCII characters are kept, because the string is a valid IRI reference.
            text = encode_octets(t.p, t.n, ANY_ASCII, NONE, None)
        finally:
            close_text(&t)
    scan_valid(text, rule, &at)
    return create_value(types[rule], text, &at)


cdef Identifier resolve_short_ascii(Identifier base, reference, str text, bint strict):
    """Resolve a reference if both strings are ASCII and short; otherwise return `None`.

    This is the common case, in which nothing must be encoded, decoded, allocated or released. Also
    return `None` for an invalid reference.
    """
    cdef unsigned char out[1024]
    cdef Scan b, r, t
    cdef str held = <str>base.held
    cdef const unsigned char* q
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), length
    if disabled_shortcut == RESOLVE_SHORT_ASCII or not PyUnicode_IS_ASCII(text) or not PyUnicode_IS_ASCII(held):
        return None
    # See `resolve` for the size.
    if n >= <Py_ssize_t>sizeof(out) or PyUnicode_GET_LENGTH(held) + n + 4 > <Py_ssize_t>sizeof(out):
        return None
    q = <const unsigned char*>PyUnicode_DATA(text)
    if isinstance(reference, Identifier):
        copy_bounds(<Identifier>reference, &r)
    elif not fast_scan(q, n, 0, &r):
        return None
    copy_bounds(base, &b)
    length = resolve(<const unsigned char*>PyUnicode_DATA(held), &b, q, n, &r, strict, out, &t)
    if length != n or memcmp(out, q, n) != 0:
        text = PyUnicode_New(length, 0x7F)
        memcpy(PyUnicode_DATA(text), out, length)
    return create_value(<type>TYPES[NEEDS_SCHEME | ASCII_ONLY], text, &t)


cdef Identifier relativize_short_ascii(Identifier target, base, str text, bint walk_up):
    """Return the shortest reference in the most common case, as `resolve_short_ascii`; else `None`.

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
        copy_bounds(<Identifier>base, &b)
    elif not fast_scan(route.p, PyUnicode_GET_LENGTH(text), 0, &b):
        return None
    copy_bounds(target, &t)
    route.q, route.base, route.target = <const unsigned char*>PyUnicode_DATA(held), &b, &t
    route.best = best
    if b.scheme_end < 0 or not relativize_common_case(&route, walk_up):
        return None
    found = PyUnicode_New(route.end, 0x7F) if route.end else ""
    memcpy(PyUnicode_DATA(found), best, route.end)
    return create_value(<type>TYPES[ASCII_ONLY | (NEEDS_SCHEME if route.at.scheme_end >= 0 else 0)], found, &route.at)


cdef Identifier normalize_value(
    Identifier self, int rule, int how, bint case, bint ipv6_form, int dots, bint by_scheme=False
):
    """Return the result of `normalize` as the public type of a rule, or `self` if nothing changes.

    If the rule is -1, return the most specific type. Return `None` if the rules of the scheme require
    the Python function.
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
            copy_bounds(self, &at)
        else:
            scan(t.p, t.n, 0, &at)
        out.p = out.here
        # An IPv6 address may grow, a shield has two bytes, an empty path becomes a slash, and there is
        # a NUL.
        if t.n + 24 > <Py_ssize_t>sizeof(out.here):
            out.p = out.owned = <unsigned char*>PyMem_Malloc(t.n + 24)
            if out.p is NULL:
                raise MemoryError
        n = normalize(t.p, t.n, &at, how, case, ipv6_form, dots, <unsigned char*>out.p, &done)
        if by_scheme:
            n = apply_scheme_rules(<unsigned char*>out.p, n, &done)
            if n < 0:
                return None
        if n == t.n and memcmp(t.p, out.p, n) == 0:
            return self
        text = PyUnicode_DecodeUTF8(<const char*>out.p, n, NULL)
        ascii = PyUnicode_IS_ASCII(text)
        if not ascii:
            convert_to_characters(out.p, NOTHING, &done)
    finally:
        close_text(&t)
        close_text(&out)
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        raise_parse_error(text, 0, TEXT, LONGEST_TEXT)
    if rule < 0:
        rule = (ASCII_ONLY if ascii else 0) | (NEEDS_SCHEME if done.scheme_end >= 0 else 0)
    return create_value(types[rule], text, &done)


cdef Identifier apply_rules_in_python(Identifier self, scheme, int rule):
    """Apply scheme-based normalization to a value in syntax-based normal form, with Python functions."""
    cdef Scan at
    from uriverse.schemes import _normalization
    cdef str text = _normalization.apply_scheme_rules(<str>self.held, scheme)
    if text == <str>self.held:
        return self
    scan_valid(text, rule, &at)
    return create_value(types[rule], text, &at)


def scheme_key(Identifier value, /):
    """Return the comparison key of a value at the level "scheme".

    Return `None` if it requires the Python functions.
    """
    cdef Scan at
    cdef Identifier normal = value._to_uri().normalize(scheme=True)
    copy_bounds(normal, &at)
    if is_compared_as_string(<const unsigned char*>PyUnicode_DATA(<str>normal.held), &at):
        return <str>normal.held
    return None
