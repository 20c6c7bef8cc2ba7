# The functions of `uriverse.columns` for one row, without Python objects. Schemes with normalization steps of
# their own, non-ASCII domain names and strings with findings are left to the Python function for a single row.
# Other files call `scan_copy`, `is_as_looked_up`, `is_displayed_as_written`, `put_data`, `read_base`,
# `port_number`, `room_for_row` and `take_back`.

cdef int reserve_scratch(Scratch* s, Py_ssize_t n) noexcept nogil:
    """Ensure that the buffer has room for three octets for each of `n`, and eight more."""
    cdef Py_ssize_t room = measure_room(n, 3)
    return NO_MEMORY if room < 0 else reserve(s, room)


cdef int copy_row(Span* s, Scratch* t, Py_ssize_t* n) noexcept nogil:
    """Append NULs; an octet that is not UTF-8 becomes a lone surrogate, as with `surrogateescape`."""
    cdef Py_ssize_t i = 0, w = 0
    cdef int length
    if reserve(t, s.n + 8) != DONE:
        return NO_MEMORY
    if is_ascii(s.p, s.n) or is_utf8(s.p, s.n):
        memcpy(t.p, s.p, s.n)
        w = s.n
    else:
        if reserve_scratch(t, s.n) != DONE:
            return NO_MEMORY
        while i < s.n:
            length = 1 if s.p[i] < 0x80 else measure_character(s.p + i, s.n - i)
            if length == 0:
                t.p[w] = 0xED
                t.p[w + 1] = 0xB0 | s.p[i] >> 6
                t.p[w + 2] = 0x80 | (s.p[i] & 0x3F)
                w += 3
                i += 1
            else:
                memcpy(t.p + w, s.p + i, length)
                w += length
                i += length
    memset(t.p + w, 0, 8)
    n[0] = w
    return DONE


cdef int scan_copy(Span* s, int rule, Scratch* t, Scan* at) noexcept nogil:
    """Scan a row that the fast scan does not accept; return the invalid component or NOTHING, or -1 without memory.

    The position is that of the first non-ASCII character, or -1; or that of a violation in the copy `t`.
    """
    cdef Py_ssize_t n
    cdef int invalid
    if copy_row(s, t, &n) != DONE:
        return -1
    if n > LONGEST_TEXT and count_characters(t.p, 0, n) > LONGEST_TEXT:
        at.position = LONGEST_TEXT
        return TEXT
    invalid = scan_closely(t.p, n, rule, at)
    if invalid == NOTHING:
        at.position = find_non_ascii(t.p, n)
    return invalid


cdef Py_ssize_t find_non_ascii(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return the offset of the first non-ASCII byte, or -1."""
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] >= 0x80:
            return i
    return -1


cdef inline int terminate_row(Span* s, Scratch* t) noexcept nogil:
    if reserve(t, s.n + 8) != DONE:
        return NO_MEMORY
    memcpy(t.p, s.p, s.n)
    memset(t.p + s.n, 0, 8)
    return DONE


# --- normal forms

cdef Py_ssize_t write_normal_form(Call* w, const unsigned char* p, Py_ssize_t n, Scan* at, Scan* done) noexcept nogil:
    """Write to `w.out`; return the length, -1 if Python must do it, or -2 without memory."""
    if reserve(&w.out, n + 32) != DONE:
        return -2
    n = normalize(p, n, at, w.form.how, w.form.case, w.form.ipv6, w.form.dots, w.out.p, done)
    return apply_scheme_rules(w.out.p, n, done) if w.form.scheme else n


cdef int put_normal_form(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef int how = w.form.how, status
    if at.position < 0:
        # A URI must remain a URI, so non-ASCII characters are decoded in IRIs only.
        w.form.how &= ~CHARACTERS_DECODED
    status = put_rewritten(w, s, at, t)
    w.form.how = how
    return status


cdef int put_iri(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return BY_REFERENCE if w.domain and contains_a_label(s.p, at.host, at.host_end) else put_rewritten(w, s, at, t)


cdef int put_rewritten(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Scan done
    cdef Py_ssize_t n
    if terminate_row(s, &w.copy2) != DONE:
        return NO_MEMORY
    n = write_normal_form(w, w.copy2.p, s.n, at, &done)
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if n > LONGEST_TEXT:
        return BY_REFERENCE
    if n == s.n and memcmp(s.p, w.out.p, n) == 0:
        return put_span(t, s, 0, n)
    return put_text(t, w.out.p, n)


cdef int put_uri(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Scan uri
    cdef Py_ssize_t n
    if w.domain and not is_as_looked_up(s.p, at):
        return BY_REFERENCE
    n = convert_to_uri(w, s, at, &uri)
    if n < 0:
        return NO_MEMORY
    return BY_REFERENCE if n > LONGEST_TEXT else put_text(t, w.copy2.p, n)


cdef Py_ssize_t convert_to_uri(Call* w, Span* s, Scan* at, Scan* done) noexcept nogil:
    """Convert a row to a URI at `w.copy2`; return its length, or -1 if memory runs out."""
    cdef Py_ssize_t n
    if at.position < 0:
        done[0] = at[0]
        return s.n if terminate_row(s, &w.copy2) == DONE else -1
    if reserve_scratch(&w.copy2, s.n) != DONE:
        return -1
    n = write_encoded(s.p, 0, s.n, ANY_ASCII, NONE, w.copy2.p)
    memset(w.copy2.p + n, 0, 8)
    scan(w.copy2.p, n, 0, done)
    return n


# --- hosts

cdef bint is_as_looked_up(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether the host, if any, has neither non-ASCII characters nor percent signs."""
    cdef Py_ssize_t i
    for i in range(at.host, at.host_end):
        if p[i] >= 0x80 or p[i] == c"%":
            return False
    return True


cdef int put_hostname(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the host without brackets, in lower case."""
    cdef Py_ssize_t i, start = at.host, end = at.host_end
    cdef bint lowered = True
    if start < 0:
        return NULL_ROW
    if end > start and s.p[start] == c"[":
        start += 1
        end -= 1
    for i in range(start, end):
        lowered &= not c"A" <= s.p[i] <= c"Z"
    return put_span(t, s, start, end) if lowered else put_lowered(w, s, start, end, t)


cdef int put_lowered(Call* w, Span* s, Py_ssize_t start, Py_ssize_t end, Texts* t) noexcept nogil:
    cdef Py_ssize_t i
    if reserve(&w.out, end - start) != DONE:
        return NO_MEMORY
    for i in range(start, end):
        w.out.p[i - start] = to_lower(s.p[i])
    return put_text(t, w.out.p, end - start)


cdef Py_ssize_t put_labels(const unsigned char* p, Py_ssize_t start, Py_ssize_t end, unsigned char sign, unsigned char* out) noexcept nogil:
    """Write labels in reverse order, separated by `sign`; return the length."""
    cdef Py_ssize_t i = end, w = 0
    while True:
        while i > start and p[i - 1] != c".":
            i -= 1
        w = put(out, w, p, i, end)
        if i == start:
            return w
        out[w] = sign
        w += 1
        i -= 1
        end = i


cdef int put_reversed_host(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t n = at.host_end - at.host, k
    if n == 0 or s.p[at.host] == c"[" or has_ipv4_host(s.p, at):
        return put_hostname(w, s, at, t)
    if reserve(&w.out, n) != DONE:
        return NO_MEMORY
    n = put_labels(s.p, at.host, at.host_end, c".", w.out.p)
    for k in range(n):
        w.out.p[k] = to_lower(w.out.p[k])
    return put_text(t, w.out.p, n)


cdef enum:
    # The kinds of origins.
    NO_ORIGIN
    WEB_ORIGIN  # of an http or https URI whose host is ASCII
    OTHER_ORIGIN  # the Python function has to find it


cdef int get_origin_kind(const unsigned char* p, Scan* at) noexcept nogil:
    cdef Py_ssize_t i
    if at.scheme_end < 0 or at.host < 0 or at.host == at.host_end or is_file(p, at.scheme_end):
        return NO_ORIGIN
    if not is_web(p, at.scheme_end):
        return OTHER_ORIGIN
    for i in range(at.host, at.host_end):
        if p[i] == c"%" or p[i] == c"[" or p[i] >= 0x80:
            return OTHER_ORIGIN
    return WEB_ORIGIN


cdef Py_ssize_t find_origin_port(const unsigned char* p, Scan* at) noexcept nogil:
    """Return where the port of an http or https URI begins; that is its end if it is empty or the default."""
    cdef Py_ssize_t i = at.host_end
    if i < at.path:
        i += 1
        while i < at.path - 1 and p[i] == c"0":
            i += 1
        if i < at.path and is_default_port(p, i, at):
            i = at.path
    return i


cdef int put_origin(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the origin of an http or https URI, and null for `file`; other schemes need Python."""
    cdef Py_ssize_t i, n
    cdef unsigned char* out
    cdef int kind = get_origin_kind(s.p, at)
    if kind != WEB_ORIGIN:
        return NULL_ROW if kind == NO_ORIGIN else BY_REFERENCE
    if reserve(&w.out, at.path + 8) != DONE:
        return NO_MEMORY
    out = w.out.p
    for i in range(at.scheme_end):
        out[i] = to_lower(s.p[i])
    n = put(out, at.scheme_end, b"://", 0, 3)
    for i in range(at.host, at.host_end):
        out[n] = to_lower(s.p[i])
        n += 1
    i = find_origin_port(s.p, at)
    if i < at.path:
        out[n] = c":"
        n = put(out, n + 1, s.p, i, at.path)
    return put_text(t, out, n)


cdef int has_same_origin(Call* w, Span* s, Scan* at, int64_t* same) noexcept nogil:
    cdef Scan* base = &w.base.at
    cdef int kind
    cdef Py_ssize_t i, port, base_port
    same[0] = False
    if not w.base.is_valid:
        return NULL_ROW
    kind = get_origin_kind(s.p, at)
    if kind == OTHER_ORIGIN or w.base.origin == OTHER_ORIGIN:
        return BY_REFERENCE
    if kind == NO_ORIGIN or w.base.origin == NO_ORIGIN or at.scheme_end != base.scheme_end:
        return DONE
    if at.host_end - at.host != base.host_end - base.host:
        return DONE
    for i in range(at.host_end - at.host):
        if to_lower(s.p[at.host + i]) != to_lower(w.base.s.p[base.host + i]):
            return DONE
    port, base_port = find_origin_port(s.p, at), find_origin_port(w.base.s.p, base)
    same[0] = at.path - port == base.path - base_port and memcmp(
        s.p + port, w.base.s.p + base_port, at.path - port
    ) == 0
    return DONE


cdef int find_site(Call* w, const unsigned char* p, Scan* at, Py_ssize_t* start) noexcept nogil:
    """Return the kind of origin of a valid row, and find where its site begins in the host."""
    cdef Py_ssize_t end = at.host_end
    cdef bint lowered
    cdef int kind = get_origin_kind(p, at)
    # A host without a registrable domain is a site of its own.
    start[0] = at.host
    if kind == WEB_ORIGIN and narrow_host(w.suffixes, DOMAIN_PART, p, start, &end, &lowered) == BY_REFERENCE:
        return OTHER_ORIGIN
    return kind


cdef int has_same_site(Call* w, Span* s, Scan* at, int64_t* same) noexcept nogil:
    cdef Scan* base = &w.base.at
    cdef Py_ssize_t start, n, i
    cdef int kind
    same[0] = False
    if not w.base.is_valid:
        return NULL_ROW
    kind = find_site(w, s.p, at, &start)
    if kind == NO_ORIGIN or w.base.origin == NO_ORIGIN:
        return DONE
    if kind == OTHER_ORIGIN or w.base.origin == OTHER_ORIGIN:
        return BY_REFERENCE
    n = at.host_end - start
    if at.scheme_end != base.scheme_end or n != base.host_end - w.base.site:
        return DONE
    for i in range(n):
        if to_lower(s.p[start + i]) != to_lower(w.base.s.p[w.base.site + i]):
            return DONE
    same[0] = True
    return DONE


cdef int put_suffix_part(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t start = at.host, end = at.host_end
    cdef bint lowered
    cdef int status
    if start < 0:
        return NULL_ROW
    status = narrow_host(w.suffixes, w.part, s.p, &start, &end, &lowered)
    if status != DONE:
        return status
    return put_span(t, s, start, end) if lowered else put_lowered(w, s, start, end, t)


cdef int put_surt(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the SURT key of a row; see `columns._reference.surt`."""
    cdef Scan uri, done
    cdef Py_ssize_t n, k
    cdef unsigned char* out
    if at.scheme_end < 0 and (at.host < 0 or at.host == at.host_end):
        return NULL_ROW
    n = convert_to_uri(w, s, at, &uri)
    if n < 0:
        return NO_MEMORY
    n = write_normal_form(w, w.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if done.host < 0 or done.host == done.host_end:
        return put_text(t, w.out.p, done.query_end)
    if reserve(&w.copy2, done.query_end + 8) != DONE:
        return NO_MEMORY
    out = w.copy2.p
    if w.out.p[done.host] == c"[" or has_ipv4_host(w.out.p, &done):
        k = put(out, 0, w.out.p, done.host, done.host_end)
    else:
        k = put_labels(w.out.p, done.host, done.host_end, c",", out)
    k = put(out, k, w.out.p, done.host_end, done.path)
    out[k] = c")"
    k = put(out, k + 1, w.out.p, done.path, done.query_end)
    return put_text(t, out, k)


# --- percent-encoding and parameters

cdef int put_encoded(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    cdef int allowed = NONE
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    if w.iri:
        allowed = w.allowed
    if reserve_scratch(&w.out, s.n) != DONE:
        return NO_MEMORY
    n = write_encoded(s.p, 0, s.n, w.characters, allowed, w.out.p)
    return put_text(t, w.out.p, n)


cdef int put_decoded(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    # Without this check, an octet and a decoded triplet could form a character together.
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    if memchr(s.p, c"%", s.n) is NULL:
        return put_span(t, s, 0, s.n)
    if terminate_row(s, &w.copy) != DONE or reserve(&w.out, s.n) != DONE:
        return NO_MEMORY
    n = rewrite_triplets(w.copy.p, 0, s.n, w.out.p, 0, ALL_DECODED)
    if n < 0:
        return NULL_ROW
    # Octets that are not UTF-8 are left to the Python function, which applies the option `errors`.
    return put_text(t, w.out.p, n) if is_utf8(w.out.p, n) else BY_REFERENCE


cdef int put_redacted(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    cdef int status
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    status = write_redaction(s.p, s.n, w.usernames, w.paths, w.displays, &w.out, &n)
    if status != DONE:
        return status
    return put_span(t, s, 0, s.n) if n < 0 else put_text(t, w.out.p, n)


cdef bint is_displayed_as_written(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether `display` decodes nothing in an ASCII string without secrets."""
    cdef const unsigned char* end = p + n
    cdef const unsigned char* sign = p
    while True:
        sign = <const unsigned char*>memchr(sign, c"%", end - sign)
        if sign is NULL:
            break
        # Only non-ASCII characters are decoded.
        if end - sign > 1 and get_digit(sign[1]) >= 8:
            return False
        sign += 1
    sign = p + 2
    while sign < end:
        sign = <const unsigned char*>memchr(sign, c"-", end - sign)
        if sign is NULL or end - sign < 2:
            break
        # An A-label begins with "xn--".
        if sign[1] == c"-" and (sign - 1)[0] | 0x20 == c"n" and (sign - 2)[0] | 0x20 == c"x":
            return False
        sign += 1
    return True


cdef int put_displayed(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write a row for display, if only secrets have to be replaced."""
    if at.position >= 0 or not is_displayed_as_written(s.p, s.n):
        return BY_REFERENCE
    return put_redacted(w, s, at, t)


cdef int put_replaced(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write a row whose start is replaced; rows that the fast scan does not accept need Python."""
    cdef Py_ssize_t tail_size, n
    cdef const Replacement* one
    if s.n == 0:
        return BY_REFERENCE
    # The IRI is the row, or the result.
    if not w.expands and (s.n > LONGEST_TEXT or not fast_scan(s.p, s.n, NEEDS_SCHEME, at)):
        return BY_REFERENCE
    one = find_longest_key((<PrefixTable>w.prefixes).entries, (<PrefixTable>w.prefixes).count, s.p, s.n)
    if one is NULL:
        return BY_REFERENCE if w.expands else NULL_ROW
    tail_size = s.n - one.key_size
    n = one.value_size + tail_size
    if reserve(&w.out, n) != DONE:
        return NO_MEMORY
    memcpy(w.out.p, one.value, one.value_size)
    memcpy(w.out.p + one.value_size, s.p + one.key_size, tail_size)
    if w.expands and (n > LONGEST_TEXT or not fast_scan(w.out.p, n, NEEDS_SCHEME, at)):
        return BY_REFERENCE
    return put_text(t, w.out.p, n)


cdef int put_data(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, Span* s, Py_ssize_t at, Call* w, Texts* t) noexcept nogil:
    """Write the decoded form of a name or value; the query begins at offset `at` in the row."""
    cdef Py_ssize_t k = i, n
    while k < end and p[k] != c"%" and p[k] != c"+":
        k += 1
    if k == end:
        return put_span(t, s, at + i, at + end)
    if reserve(&w.out, end - i) != DONE:
        return NO_MEMORY
    n = decode_octets(p, i, end, True, w.out.p)
    return put_text(t, w.out.p, n) if is_utf8(w.out.p, n) else BY_REFERENCE


cdef int put_param(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Piece piece
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1
    if n < 0 or not w.name_is_text:
        return NULL_ROW
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if piece.end > piece.start and decodes_to(p, piece.start, piece.name_end, True, w.name.p, w.name.n):
            if piece.name_end == piece.end:
                return NULL_ROW
            return put_data(p, piece.name_end + 1, piece.end, s, at.path_end + 1, w, t)
    return NULL_ROW


# --- references

cdef int read_base(Call* w, Span* base) noexcept nogil:
    """Parse a base, unless it is the one that was parsed last."""
    cdef int invalid
    if w.base.s.p is not NULL and base.n == w.base.s.n and (base.p == w.base.s.p or memcmp(base.p, w.base.s.p, base.n) == 0):
        return DONE
    w.base.s = base[0]
    invalid = NOTHING
    if base.n > LONGEST_TEXT or not fast_scan(base.p, base.n, 0, &w.base.at):
        invalid = scan_copy(base, 0, &w.base.copy, &w.base.at)
    w.base.is_valid = invalid == NOTHING
    if w.base.is_valid and w.compares and w.suffixes is NULL:
        w.base.origin = get_origin_kind(base.p, &w.base.at)
    elif w.base.is_valid and w.compares:
        w.base.origin = find_site(w, base.p, &w.base.at, &w.base.site)
    return NO_MEMORY if invalid < 0 else DONE


cdef int put_target(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Scan target
    cdef Py_ssize_t n
    if not w.base.is_valid or w.base.at.scheme_end < 0:
        return NULL_ROW
    # The target has at most the octets of both strings, a slash from `merge`, a shield of two octets,
    # and a NUL.
    if reserve(&w.out, w.base.s.n + s.n + 4) != DONE:
        return NO_MEMORY
    n = resolve(w.base.s.p, &w.base.at, s.p, s.n, at, w.strict, w.out.p, &target)
    if n > LONGEST_TEXT and count_characters(w.out.p, 0, n) > LONGEST_TEXT:
        return NULL_ROW
    return put_text(t, w.out.p, n)


cdef int put_reference(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the shortest reference that the current base resolves to the row's URI."""
    cdef Py_ssize_t n
    if not w.base.is_valid or w.base.at.scheme_end < 0 or at.scheme_end < 0:
        return NULL_ROW
    n = write_reference(w.base.s.p, w.base.s.n, &w.base.at, s.p, s.n, at, w.walk_up, &w.out)
    if n < 0:
        return NULL_ROW if n == -1 else NO_MEMORY
    return put_text(t, w.out.p, n)


# --- keys

cdef int fingerprint(Call* w, Span* s, Scan* at, int64_t* number) noexcept nogil:
    cdef Scan uri, done
    cdef Py_ssize_t n
    if w.level == BY_STRING:
        number[0] = <int64_t>xxh64(s.p, s.n)
        return DONE
    if at.position < 0 and w.level == BY_SYNTAX and is_plain(s.p, s.n, at, w.form.how, True, True, DOTS_OF_ROOTED):
        number[0] = <int64_t>xxh64(s.p, s.n)
        return DONE
    n = convert_to_uri(w, s, at, &uri)
    if n < 0:
        return NO_MEMORY
    n = write_normal_form(w, w.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if w.level == BY_SCHEME and done.scheme_end >= 0:
        # Non-ASCII domain names, and `file` URIs without an authority, need the Python function.
        if done.host >= 0 and memchr(w.out.p + done.host, c"%", done.host_end - done.host) is not NULL:
            return BY_REFERENCE
        if done.authority < 0 and done.scheme_end == 4 and memcmp(w.out.p, b"file", 4) == 0:
            return BY_REFERENCE
    number[0] = <int64_t>xxh64(w.out.p, n)
    return DONE


cdef int port_number(Call* w, Span* s, Scan* at, int64_t* number) noexcept nogil:
    """Convert a port to a number; the result is null if the number has more than 63 bits."""
    cdef Py_ssize_t i = at.host_end + 1
    cdef int64_t value = 0
    cdef int digit_here
    if at.host_end < 0 or i >= at.path:
        return NULL_ROW
    for i in range(i, at.path):
        digit_here = s.p[i] - c"0"
        if value > (0x7FFFFFFFFFFFFFFFLL - digit_here) // 10:
            return NULL_ROW
        value = value * 10 + digit_here
    number[0] = value
    return DONE


cdef inline int room_for_row(Texts* t) noexcept nogil:
    return DONE if t.rows < t.places_for else more_places(t)


cdef void take_back(Texts* t, Py_ssize_t rows, Py_ssize_t n) noexcept nogil:
    """Discard all rows after the first `rows`, and all octets after the first `n`."""
    cdef Py_ssize_t i
    for i in range(rows, t.rows):
        if not is_there(t.valid.p, i):
            t.valid.p[i >> 3] |= 1 << (i & 7)
            t.valid.missing -= 1
    t.rows, t.n = rows, n


cdef inline int examine_row(Call* w, Span* s, Scan* at, int* codes, int* count, bint* complete) noexcept nogil:
    """Find the codes of a row's findings; return BY_REFERENCE if it is too long."""
    count[0], complete[0] = 0, True
    # Without a valid row, all bounds are -1.
    if at.position < 0 and is_unremarkable(s.p, s.n, at, w.with_form):
        return DONE
    if s.n > LONGEST_TEXT:
        return BY_REFERENCE
    if terminate_row(s, &w.copy) != DONE:
        return NO_MEMORY
    count[0] = find_codes(w.copy.p, s.n, is_ascii(s.p, s.n), w.with_form, w.ranks, codes, complete)
    return DONE


cdef int put_codes(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef int codes[MOST_NOTES]
    cdef int k, count
    cdef bint complete
    cdef int status = examine_row(w, s, at, codes, &count, &complete)
    if status != DONE or not complete:
        return BY_REFERENCE if status == DONE else status
    if t.rows + count > 0x7FFFFFFF or t.n + count * LONGEST_CODE > t.full:
        return FULL
    for k in range(count):
        if room_for_row(t) != DONE or put_text(t, <const unsigned char*>CODE_NAMES[codes[k]], strlen(CODE_NAMES[codes[k]])) != DONE:
            return NO_MEMORY
    return DONE


cdef int has_codes(Call* w, Span* s, Scan* at, int64_t* is_flagged) noexcept nogil:
    cdef int codes[MOST_NOTES]
    cdef int count
    cdef bint complete
    cdef int status = examine_row(w, s, at, codes, &count, &complete)
    is_flagged[0] = status == DONE and count > 0
    return BY_REFERENCE if status == DONE and not complete and count == 0 else status


cdef int is_allowed(Call* w, Span* s, Scan* at, int64_t* allowed) noexcept nogil:
    cdef int k
    cdef int32_t decision
    allowed[0] = False
    if s.n > LONGEST_DECIDED or not is_ascii(s.p, s.n):
        return BY_REFERENCE
    if terminate_row(s, &w.copy) != DONE:
        return NO_MEMORY
    for k in range(w.policy_count):
        decision = decide(w.policies[k], w.copy.p, s.n)
        if decision == IS_UNDECIDED:
            return BY_REFERENCE
        if decision == IS_REJECTED:
            return DONE
    allowed[0] = True
    return DONE


cdef int put_first_params(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return BY_REFERENCE if has_many_params(s, at) else put_param_pairs(w, s, at, True, t)


cdef int put_params(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_param_pairs(w, s, at, False, t)


cdef int put_param_pairs(Call* w, Span* s, Scan* at, bint first_only, Texts* t) noexcept nogil:
    cdef Piece piece
    cdef const unsigned char* p
    cdef Py_ssize_t n, first = t[0].rows, keys = t[0].n, values = t[1].n
    cdef int status, repeated
    p = s.p + at.path_end + 1
    n = at.query_end - at.path_end - 1
    if n < 0:
        return NULL_ROW
    # Names and values are no longer than the query.
    if t[0].n + n > t[0].full or t[1].n + n > t[1].full:
        return FULL
    if first + n > 0x7FFFFFFF:
        return FULL
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        if first_only:
            repeated = is_repeated(w, p, n, &piece)
            if repeated < 0:
                return NO_MEMORY
            if repeated:
                continue
        if room_for_row(&t[0]) != DONE or room_for_row(&t[1]) != DONE:
            return NO_MEMORY
        status = put_data(p, piece.start, piece.name_end, s, at.path_end + 1, w, &t[0])
        if status == DONE:
            if piece.name_end == piece.end:
                status = put_null(&t[1])
            else:
                status = put_data(p, piece.name_end + 1, piece.end, s, at.path_end + 1, w, &t[1])
        if status != DONE:
            # Discard what has been written for this row.
            take_back(&t[0], first, keys)
            take_back(&t[1], first, values)
            return status
    return DONE


cdef int put_repaired(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t size, n
    cdef int status
    if w.with_choices or s.n > LONGEST_TEXT // 16:
        return BY_REFERENCE
    if copy_row(s, &w.copy, &size) != DONE or reserve(&w.out, 4 * size + 8) != DONE:
        return NO_MEMORY
    status = write_repair(w.copy.p, size, w.iri, w.out.p, &n)
    return put_text(t, w.out.p, n) if status == DONE else status
