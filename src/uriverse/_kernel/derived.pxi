# Values that are made of others: the methods of `uriverse._uri.identifier`.
# Other files call `encode_iri`, `resolve_short_ascii`, `relativize_short_ascii`, `normalize_value` and `apply_rules_in_python`.

cdef Identifier encode_iri(str text, bint has_scheme):
    """Percent-encode the non-ASCII characters of a valid IRI reference, and parse the result."""
    cdef Scan bounds
    cdef Text utf8
    cdef int rule = ASCII_ONLY | NEEDS_SCHEME if has_scheme else ASCII_ONLY
    if not PyUnicode_IS_ASCII(text):
        open_text(text, &utf8)
        try:
            # All ASCII characters are kept, because the string is a valid IRI reference.
            text = encode_octets(utf8.p, utf8.n, ANY_ASCII, NONE, None)
        finally:
            close_text(&utf8)
    scan_valid(text, rule, &bounds)
    return create_value(types[rule], text, &bounds)


cdef Identifier resolve_short_ascii(Identifier base, reference, str text, bint strict):
    """Resolve without encoding, decoding or allocating; `None` in rarer cases, and for an invalid reference."""
    cdef unsigned char out[1024]
    cdef Scan base_bounds, reference_bounds, target_bounds
    cdef str held = <str>base.held
    cdef const unsigned char* octets
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), length
    if disabled_shortcut == RESOLVE_SHORT_ASCII or not PyUnicode_IS_ASCII(text) or not PyUnicode_IS_ASCII(held):
        return None
    # See `resolve` for the size.
    if n >= <Py_ssize_t>sizeof(out) or PyUnicode_GET_LENGTH(held) + n + 4 > <Py_ssize_t>sizeof(out):
        return None
    octets = <const unsigned char*>PyUnicode_DATA(text)
    if isinstance(reference, Identifier):
        copy_bounds(<Identifier>reference, &reference_bounds)
    elif not fast_scan(octets, n, 0, &reference_bounds):
        return None
    copy_bounds(base, &base_bounds)
    length = resolve(<const unsigned char*>PyUnicode_DATA(held), &base_bounds, octets, n, &reference_bounds, strict, out, &target_bounds)
    if length != n or memcmp(out, octets, n) != 0:
        text = PyUnicode_New(length, 0x7F)
        memcpy(PyUnicode_DATA(text), out, length)
    return create_value(<type>TYPES[NEEDS_SCHEME | ASCII_ONLY], text, &target_bounds)


cdef Identifier relativize_short_ascii(Identifier target, base, str text, bint walk_up):
    """Relativize without encoding, decoding or allocating; `None` in rarer cases."""
    cdef unsigned char best[1024]
    cdef Scan base_bounds, target_bounds
    cdef Route route
    cdef str held = <str>target.held, reference
    route.n = PyUnicode_GET_LENGTH(held)
    if not PyUnicode_IS_ASCII(text) or not PyUnicode_IS_ASCII(held) or target.scheme_end < 0:
        return None
    if route.n + REFERENCE_ROOM > <Py_ssize_t>sizeof(best) or PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return None
    route.base_text = <const unsigned char*>PyUnicode_DATA(text)
    if isinstance(base, Identifier):
        copy_bounds(<Identifier>base, &base_bounds)
    elif not fast_scan(route.base_text, PyUnicode_GET_LENGTH(text), 0, &base_bounds):
        return None
    copy_bounds(target, &target_bounds)
    route.target_text, route.base, route.target = <const unsigned char*>PyUnicode_DATA(held), &base_bounds, &target_bounds
    route.best = best
    if base_bounds.scheme_end < 0 or not relativize_common_case(&route, walk_up):
        return None
    reference = PyUnicode_New(route.end, 0x7F) if route.end else ""
    memcpy(PyUnicode_DATA(reference), best, route.end)
    return create_value(<type>TYPES[ASCII_ONLY | (NEEDS_SCHEME if route.reference_bounds.scheme_end >= 0 else 0)], reference, &route.reference_bounds)


cdef Identifier normalize_value(
    Identifier self, int rule, int triplet_flags, bint case, bint ipv6_form, int dots, bint by_scheme=False
):
    """Return the public type of a rule, or the most specific one for -1, or `self` if nothing changes.

    Return `None` if the rules of the scheme require the Python function.
    """
    cdef str held = <str>self.held, text
    cdef Text utf8, out
    cdef Scan bounds, normal_bounds
    cdef Py_ssize_t n
    open_text(held, &utf8)
    out.owned = NULL
    try:
        if PyUnicode_IS_ASCII(held):
            copy_bounds(self, &bounds)
        else:
            scan(utf8.p, utf8.n, 0, &bounds)
        # An IPv6 address may grow, a shield has two bytes, an empty path becomes a slash, and there is
        # a NUL.
        reserve_text(&out, utf8.n + 24)
        n = normalize(utf8.p, utf8.n, &bounds, triplet_flags, case, ipv6_form, dots, <unsigned char*>out.p, &normal_bounds)
        if by_scheme:
            n = apply_scheme_rules(<unsigned char*>out.p, n, &normal_bounds)
            if n < 0:
                return None
        if n == utf8.n and memcmp(utf8.p, out.p, n) == 0:
            return self
        text = create_ascii(out.p, n) if PyUnicode_IS_ASCII(held) and not triplet_flags & CHARACTERS_DECODED else decode_utf8(out.p, n)
        if not PyUnicode_IS_ASCII(text):
            convert_to_characters(out.p, NOTHING, &normal_bounds)
    finally:
        close_text(&utf8)
        close_text(&out)
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        raise_parse_error(text, 0, TEXT, LONGEST_TEXT)
    return create_most_specific(text, &normal_bounds) if rule < 0 else create_value(types[rule], text, &normal_bounds)


cdef Identifier apply_rules_in_python(Identifier self, scheme, int rule):
    cdef Scan bounds
    from uriverse.schemes import _normalization
    cdef str text = _normalization.apply_scheme_rules(<str>self.held, scheme)
    if text == <str>self.held:
        return self
    scan_valid(text, rule, &bounds)
    return create_value(types[rule], text, &bounds)


def scheme_key(Identifier value, /):
    """Return the comparison key of a value at the level "scheme", or `None` if Python must do it."""
    cdef Scan bounds
    cdef Identifier normal = value._to_uri().normalize(scheme=True)
    copy_bounds(normal, &bounds)
    if is_compared_as_string(<const unsigned char*>PyUnicode_DATA(<str>normal.held), &bounds):
        return <str>normal.held
    return None
