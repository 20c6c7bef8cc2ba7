# The functions of `uriverse.columns` for one row, without Python objects. Schemes with normalization steps of
# their own, non-ASCII domain names and strings with findings are left to the Python function for a single row.
# Other files call `scan_copy`, `is_as_looked_up`, `is_displayed_as_written`, `put_data`, `read_base`,
# `convert_port`, `reserve_row` and `discard_rows`.

cdef int reserve_scratch(Scratch* scratch, Py_ssize_t n) noexcept nogil:
    """Ensure that the buffer has room for three octets for each of `n`, and eight more."""
    cdef Py_ssize_t room = measure_room(n, 3)
    return NO_MEMORY if room < 0 else reserve(scratch, room)


cdef int copy_row(Span* span, Scratch* copy, Py_ssize_t* n) noexcept nogil:
    """Copy a row and append NULs; store the length of the copy without them in `n`.

    An octet that is not UTF-8 becomes a lone surrogate, as with `surrogateescape`.
    """
    cdef Py_ssize_t i = 0, length = 0
    cdef int size
    if reserve(copy, span.n + 8) != DONE:
        return NO_MEMORY
    if is_ascii(span.p, span.n) or is_utf8(span.p, span.n):
        memcpy(copy.p, span.p, span.n)
        length = span.n
    else:
        if reserve_scratch(copy, span.n) != DONE:
            return NO_MEMORY
        while i < span.n:
            size = 1 if span.p[i] < 0x80 else measure_character(span.p + i, span.n - i)
            if size == 0:
                # The surrogate U+DC00 + octet, in three octets.
                copy.p[length] = 0xED
                copy.p[length + 1] = 0xB0 | span.p[i] >> 6
                copy.p[length + 2] = 0x80 | (span.p[i] & 0x3F)
                length += 3
                i += 1
            else:
                memcpy(copy.p + length, span.p + i, size)
                length += size
                i += size
    memset(copy.p + length, 0, 8)
    n[0] = length
    return DONE


cdef int scan_copy(Span* span, int rule, Scratch* copy, Scan* bounds) noexcept nogil:
    """Scan a row that the fast scan does not accept; return the invalid component or NOTHING, or -1 without memory.

    The position is that of the first non-ASCII character, or -1; or that of a violation in the copy `copy`.
    """
    cdef Py_ssize_t n
    cdef int invalid
    if copy_row(span, copy, &n) != DONE:
        return -1
    if n > LONGEST_TEXT and count_characters(copy.p, 0, n) > LONGEST_TEXT:
        bounds.position = LONGEST_TEXT
        return TEXT
    invalid = scan_closely(copy.p, n, rule, bounds)
    if invalid == NOTHING:
        bounds.position = find_non_ascii(copy.p, n)
    return invalid


cdef Py_ssize_t find_non_ascii(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the offset of the first non-ASCII byte, or -1."""
    cdef Py_ssize_t i
    for i in range(n):
        if text[i] >= 0x80:
            return i
    return -1


cdef inline int terminate_row(Span* span, Scratch* copy) noexcept nogil:
    if reserve(copy, span.n + 8) != DONE:
        return NO_MEMORY
    memcpy(copy.p, span.p, span.n)
    memset(copy.p + span.n, 0, 8)
    return DONE


# --- normal forms

cdef Py_ssize_t write_normal_form(Call* call, const unsigned char* text, Py_ssize_t n, Scan* bounds, Scan* done) noexcept nogil:
    """Write to `call.out`; return the length, NO_OUTPUT if Python must do it, or NO_OUTPUT_MEMORY."""
    if reserve(&call.out, n + 32) != DONE:
        return NO_OUTPUT_MEMORY
    n = normalize(text, n, bounds, call.form.triplet_flags, call.form.case, call.form.ipv6, call.form.dots, call.out.p, done)
    return apply_scheme_rules(call.out.p, n, done) if call.form.scheme else n


cdef int put_normal_form(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef int triplet_flags = call.form.triplet_flags, status
    if bounds.position < 0:
        # A URI must remain a URI, so non-ASCII characters are decoded in IRIs only.
        call.form.triplet_flags &= ~CHARACTERS_DECODED
    status = put_rewritten(call, span, bounds, texts)
    call.form.triplet_flags = triplet_flags
    return status


cdef int put_iri(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return BY_REFERENCE if call.domain and contains_a_label(span.p, bounds.host, bounds.host_end) else put_rewritten(call, span, bounds, texts)


cdef int put_rewritten(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Scan done
    cdef Py_ssize_t n
    if terminate_row(span, &call.copy2) != DONE:
        return NO_MEMORY
    n = write_normal_form(call, call.copy2.p, span.n, bounds, &done)
    if n < 0:
        return BY_REFERENCE if n == NO_OUTPUT else NO_MEMORY
    if n > LONGEST_TEXT:
        return BY_REFERENCE
    if n == span.n and memcmp(span.p, call.out.p, n) == 0:
        return put_span(texts, span, 0, n)
    return put_text(texts, call.out.p, n)


cdef int put_uri(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Scan uri
    cdef Py_ssize_t n
    if call.domain and not is_as_looked_up(span.p, bounds):
        return BY_REFERENCE
    n = convert_to_uri(call, span, bounds, &uri)
    if n < 0:
        return NO_MEMORY
    return BY_REFERENCE if n > LONGEST_TEXT else put_text(texts, call.copy2.p, n)


cdef Py_ssize_t convert_to_uri(Call* call, Span* span, Scan* bounds, Scan* done) noexcept nogil:
    """Convert a row to a URI at `call.copy2`; return its length, or -1 if memory runs out."""
    cdef Py_ssize_t n
    if bounds.position < 0:
        done[0] = bounds[0]
        return span.n if terminate_row(span, &call.copy2) == DONE else -1
    if reserve_scratch(&call.copy2, span.n) != DONE:
        return -1
    n = write_encoded(span.p, 0, span.n, ANY_ASCII, NONE, call.copy2.p)
    memset(call.copy2.p + n, 0, 8)
    scan(call.copy2.p, n, 0, done)
    return n


# --- hosts

cdef bint is_as_looked_up(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return whether the host, if any, has neither non-ASCII characters nor percent signs."""
    cdef Py_ssize_t i
    for i in range(bounds.host, bounds.host_end):
        if text[i] >= 0x80 or text[i] == c"%":
            return False
    return True


cdef int put_hostname(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the host without brackets, in lower case."""
    cdef Py_ssize_t i, start = bounds.host, end = bounds.host_end
    cdef bint lowered = True
    if start < 0:
        return NULL_ROW
    if end > start and span.p[start] == c"[":
        start += 1
        end -= 1
    for i in range(start, end):
        lowered &= not c"A" <= span.p[i] <= c"Z"
    return put_span(texts, span, start, end) if lowered else put_lowered(call, span, start, end, texts)


cdef int put_lowered(Call* call, Span* span, Py_ssize_t start, Py_ssize_t end, Texts* texts) noexcept nogil:
    cdef Py_ssize_t i
    if reserve(&call.out, end - start) != DONE:
        return NO_MEMORY
    for i in range(start, end):
        call.out.p[i - start] = to_lower(span.p[i])
    return put_text(texts, call.out.p, end - start)


cdef Py_ssize_t put_labels(const unsigned char* text, Py_ssize_t start, Py_ssize_t end, unsigned char separator, unsigned char* out) noexcept nogil:
    """Write the labels of a host in reverse order; return the length."""
    cdef Py_ssize_t i = end, length = 0
    while True:
        while i > start and text[i - 1] != c".":
            i -= 1
        length = put(out, length, text, i, end)
        if i == start:
            return length
        out[length] = separator
        length += 1
        i -= 1  # the dot before the label
        end = i


cdef int put_reversed_host(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t n = bounds.host_end - bounds.host, k
    if n == 0 or span.p[bounds.host] == c"[" or has_ipv4_host(span.p, bounds):
        return put_hostname(call, span, bounds, texts)
    if reserve(&call.out, n) != DONE:
        return NO_MEMORY
    n = put_labels(span.p, bounds.host, bounds.host_end, c".", call.out.p)
    for k in range(n):
        call.out.p[k] = to_lower(call.out.p[k])
    return put_text(texts, call.out.p, n)


cdef enum:
    # The kinds of origins.
    NO_ORIGIN
    WEB_ORIGIN  # of an http or https URI whose host is ASCII
    OTHER_ORIGIN  # the Python function has to find it


cdef int get_origin_kind(const unsigned char* text, Scan* bounds) noexcept nogil:
    cdef Py_ssize_t i
    if bounds.scheme_end < 0 or bounds.host < 0 or bounds.host == bounds.host_end or is_file(text, bounds.scheme_end):
        return NO_ORIGIN
    if not is_web(text, bounds.scheme_end):
        return OTHER_ORIGIN
    for i in range(bounds.host, bounds.host_end):
        if text[i] == c"%" or text[i] == c"[" or text[i] >= 0x80:
            return OTHER_ORIGIN
    return WEB_ORIGIN


cdef Py_ssize_t find_origin_port(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return where the port of an http or https URI begins; that is its end if it is empty or the default."""
    cdef Py_ssize_t port = bounds.host_end
    if port < bounds.path:
        port += 1  # the colon
        while port < bounds.path - 1 and text[port] == c"0":
            port += 1
        if port < bounds.path and is_default_port(text, port, bounds):
            port = bounds.path
    return port


cdef int put_origin(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the origin of an http or https URI, and null for `file`; other schemes need Python."""
    cdef Py_ssize_t i, port, n
    cdef unsigned char* out
    cdef int kind = get_origin_kind(span.p, bounds)
    if kind != WEB_ORIGIN:
        return NULL_ROW if kind == NO_ORIGIN else BY_REFERENCE
    if reserve(&call.out, bounds.path + 8) != DONE:
        return NO_MEMORY
    out = call.out.p
    for i in range(bounds.scheme_end):
        out[i] = to_lower(span.p[i])
    n = put(out, bounds.scheme_end, b"://", 0, 3)
    for i in range(bounds.host, bounds.host_end):
        out[n] = to_lower(span.p[i])
        n += 1
    port = find_origin_port(span.p, bounds)
    if port < bounds.path:
        out[n] = c":"
        n = put(out, n + 1, span.p, port, bounds.path)
    return put_text(texts, out, n)


cdef int has_same_origin(Call* call, Span* span, Scan* bounds, int64_t* same) noexcept nogil:
    """Find whether a row has the origin of the current base: the same scheme, host and port (RFC 6454, 5)."""
    cdef Scan* base = &call.base.bounds
    cdef int kind
    cdef Py_ssize_t i, port, base_port
    same[0] = False
    if not call.base.is_valid:
        return NULL_ROW
    kind = get_origin_kind(span.p, bounds)
    if kind == OTHER_ORIGIN or call.base.origin == OTHER_ORIGIN:
        return BY_REFERENCE
    if kind == NO_ORIGIN or call.base.origin == NO_ORIGIN or bounds.scheme_end != base.scheme_end:
        return DONE
    if bounds.host_end - bounds.host != base.host_end - base.host:
        return DONE
    for i in range(bounds.host_end - bounds.host):
        if to_lower(span.p[bounds.host + i]) != to_lower(call.base.span.p[base.host + i]):
            return DONE
    port, base_port = find_origin_port(span.p, bounds), find_origin_port(call.base.span.p, base)
    same[0] = bounds.path - port == base.path - base_port and memcmp(
        span.p + port, call.base.span.p + base_port, bounds.path - port
    ) == 0
    return DONE


cdef int find_site(Call* call, const unsigned char* text, Scan* bounds, Py_ssize_t* start) noexcept nogil:
    """Return the kind of origin of a valid row; store where its registrable domain begins in `start`."""
    cdef Py_ssize_t end = bounds.host_end
    cdef bint lowered
    cdef int kind = get_origin_kind(text, bounds)
    # A host without a registrable domain is a site of its own.
    start[0] = bounds.host
    if kind == WEB_ORIGIN and narrow_host(call.suffixes, DOMAIN_PART, text, start, &end, &lowered) == BY_REFERENCE:
        return OTHER_ORIGIN
    return kind


cdef int has_same_site(Call* call, Span* span, Scan* bounds, int64_t* same) noexcept nogil:
    """Find whether a row has the site of the current base: the same scheme and registrable domain."""
    cdef Scan* base = &call.base.bounds
    cdef Py_ssize_t start, n, i
    cdef int kind
    same[0] = False
    if not call.base.is_valid:
        return NULL_ROW
    kind = find_site(call, span.p, bounds, &start)
    if kind == NO_ORIGIN or call.base.origin == NO_ORIGIN:
        return DONE
    if kind == OTHER_ORIGIN or call.base.origin == OTHER_ORIGIN:
        return BY_REFERENCE
    n = bounds.host_end - start
    if bounds.scheme_end != base.scheme_end or n != base.host_end - call.base.site:
        return DONE
    for i in range(n):
        if to_lower(span.p[start + i]) != to_lower(call.base.span.p[call.base.site + i]):
            return DONE
    same[0] = True
    return DONE


cdef int put_suffix_part(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t start = bounds.host, end = bounds.host_end
    cdef bint lowered
    cdef int status
    if start < 0:
        return NULL_ROW
    status = narrow_host(call.suffixes, call.part, span.p, &start, &end, &lowered)
    if status != DONE:
        return status
    return put_span(texts, span, start, end) if lowered else put_lowered(call, span, start, end, texts)


cdef int put_surt(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write a sort key without the scheme, such as `com,example,www:8080)/path?query`; or the URI, without a host."""
    cdef Scan uri, done
    cdef Py_ssize_t n
    cdef unsigned char* out
    if bounds.scheme_end < 0 and (bounds.host < 0 or bounds.host == bounds.host_end):
        return NULL_ROW
    n = convert_to_uri(call, span, bounds, &uri)
    if n < 0:
        return NO_MEMORY
    n = write_normal_form(call, call.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == NO_OUTPUT else NO_MEMORY
    if done.host < 0 or done.host == done.host_end:
        return put_text(texts, call.out.p, done.query_end)
    if reserve(&call.copy2, done.query_end + 8) != DONE:
        return NO_MEMORY
    out = call.copy2.p
    if call.out.p[done.host] == c"[" or has_ipv4_host(call.out.p, &done):
        n = put(out, 0, call.out.p, done.host, done.host_end)
    else:
        n = put_labels(call.out.p, done.host, done.host_end, c",", out)
    n = put(out, n, call.out.p, done.host_end, done.path)
    out[n] = c")"
    n = put(out, n + 1, call.out.p, done.path, done.query_end)
    return put_text(texts, out, n)


# --- percent-encoding and parameters

cdef int put_encoded(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t n
    cdef int allowed = NONE
    if not is_ascii(span.p, span.n) and not is_utf8(span.p, span.n):
        return NULL_ROW
    if call.iri:
        allowed = call.allowed
    if reserve_scratch(&call.out, span.n) != DONE:
        return NO_MEMORY
    n = write_encoded(span.p, 0, span.n, call.characters, allowed, call.out.p)
    return put_text(texts, call.out.p, n)


cdef int put_decoded(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t n
    # Without this check, an octet and a decoded triplet could form a character together.
    if not is_ascii(span.p, span.n) and not is_utf8(span.p, span.n):
        return NULL_ROW
    if memchr(span.p, c"%", span.n) is NULL:
        return put_span(texts, span, 0, span.n)
    if terminate_row(span, &call.copy) != DONE or reserve(&call.out, span.n) != DONE:
        return NO_MEMORY
    n = rewrite_triplets(call.copy.p, 0, span.n, call.out.p, 0, ALL_DECODED)
    if n < 0:
        return NULL_ROW
    # Octets that are not UTF-8 are left to the Python function, which applies the option `errors`.
    return put_text(texts, call.out.p, n) if is_utf8(call.out.p, n) else BY_REFERENCE


cdef int put_redacted(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t n
    cdef int status
    if not is_ascii(span.p, span.n) and not is_utf8(span.p, span.n):
        return NULL_ROW
    status = write_redaction(span.p, span.n, call.usernames, call.paths, call.displays, &call.out, &n)
    if status != DONE:
        return status
    return put_span(texts, span, 0, span.n) if n < 0 else put_text(texts, call.out.p, n)


cdef bint is_displayed_as_written(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return whether `display` decodes nothing in an ASCII string without secrets."""
    cdef const unsigned char* end = text + n
    cdef const unsigned char* sign = text
    while True:
        sign = <const unsigned char*>memchr(sign, c"%", end - sign)
        if sign is NULL:
            break
        # Only non-ASCII characters are decoded.
        if end - sign > 1 and get_digit(sign[1]) >= 8:
            return False
        sign += 1
    sign = text + 2
    while sign < end:
        sign = <const unsigned char*>memchr(sign, c"-", end - sign)
        if sign is NULL or end - sign < 2:
            break
        # An A-label begins with "xn--".
        if sign[1] == c"-" and (sign - 1)[0] | 0x20 == c"n" and (sign - 2)[0] | 0x20 == c"x":
            return False
        sign += 1
    return True


cdef int put_displayed(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write a row for display, if only secrets have to be replaced."""
    if bounds.position >= 0 or not is_displayed_as_written(span.p, span.n):
        return BY_REFERENCE
    return put_redacted(call, span, bounds, texts)


cdef int put_replaced(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write a row with a prefix for its namespace or, if `call.expands`, with a namespace for its prefix.

    The longer of the two must be an IRI. If the fast scan does not accept it, Python must decide.
    """
    cdef Py_ssize_t tail_size, n
    cdef const Replacement* entry
    if span.n == 0:
        return BY_REFERENCE
    if not call.expands and (span.n > LONGEST_TEXT or not fast_scan(span.p, span.n, NEEDS_SCHEME, bounds)):
        return BY_REFERENCE
    entry = find_longest_key((<PrefixTable>call.prefixes).entries, (<PrefixTable>call.prefixes).count, span.p, span.n)
    if entry is NULL:
        return BY_REFERENCE if call.expands else NULL_ROW
    tail_size = span.n - entry.key_size
    n = entry.value_size + tail_size
    if reserve(&call.out, n) != DONE:
        return NO_MEMORY
    memcpy(call.out.p, entry.value, entry.value_size)
    memcpy(call.out.p + entry.value_size, span.p + entry.key_size, tail_size)
    if call.expands and (n > LONGEST_TEXT or not fast_scan(call.out.p, n, NEEDS_SCHEME, bounds)):
        return BY_REFERENCE
    return put_text(texts, call.out.p, n)


cdef int put_data(const unsigned char* query, Py_ssize_t start, Py_ssize_t end, Span* span, Py_ssize_t query_start, Call* call, Texts* texts) noexcept nogil:
    """Write the decoded form of a name or value; the query begins at offset `query_start` in the row."""
    cdef Py_ssize_t i = start, n
    while i < end and query[i] != c"%" and query[i] != c"+":
        i += 1
    if i == end:
        return put_span(texts, span, query_start + start, query_start + end)
    if reserve(&call.out, end - start) != DONE:
        return NO_MEMORY
    n = decode_octets(query, start, end, True, call.out.p)
    return put_text(texts, call.out.p, n) if is_utf8(call.out.p, n) else BY_REFERENCE


cdef int put_param(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the value of the first parameter with a name; null without "=", as without the parameter."""
    cdef Piece piece
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1
    if n < 0 or not call.name_is_text:
        return NULL_ROW
    piece.end = -1
    while next_piece(query, n, c"&", &piece):
        if piece.end > piece.start and decodes_to(query, piece.start, piece.name_end, True, call.name.p, call.name.n):
            if piece.name_end == piece.end:
                return NULL_ROW
            return put_data(query, piece.name_end + 1, piece.end, span, bounds.path_end + 1, call, texts)
    return NULL_ROW


# --- references

cdef int read_base(Call* call, Span* base) noexcept nogil:
    """Parse a base, unless it is the one that was parsed last."""
    cdef int invalid
    cdef const Span* last = &call.base.span
    if last.p is not NULL and base.n == last.n and (base.p == last.p or memcmp(base.p, last.p, base.n) == 0):
        return DONE
    call.base.span = base[0]
    invalid = NOTHING
    if base.n > LONGEST_TEXT or not fast_scan(base.p, base.n, 0, &call.base.bounds):
        invalid = scan_copy(base, 0, &call.base.copy, &call.base.bounds)
    call.base.is_valid = invalid == NOTHING
    if call.base.is_valid and call.compares and call.suffixes is NULL:
        call.base.origin = get_origin_kind(base.p, &call.base.bounds)
    elif call.base.is_valid and call.compares:
        call.base.origin = find_site(call, base.p, &call.base.bounds, &call.base.site)
    return NO_MEMORY if invalid < 0 else DONE


cdef int put_target(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Scan target
    cdef Py_ssize_t n
    if not call.base.is_valid or call.base.bounds.scheme_end < 0:
        return NULL_ROW
    # The target has at most the octets of both strings, a slash from `merge`, a shield of two octets,
    # and a NUL.
    if reserve(&call.out, call.base.span.n + span.n + 4) != DONE:
        return NO_MEMORY
    n = resolve(call.base.span.p, &call.base.bounds, span.p, span.n, bounds, call.strict, call.out.p, &target)
    if n > LONGEST_TEXT and count_characters(call.out.p, 0, n) > LONGEST_TEXT:
        return NULL_ROW
    return put_text(texts, call.out.p, n)


cdef int put_reference(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the shortest reference that the current base resolves to the row's URI."""
    cdef Py_ssize_t n
    if not call.base.is_valid or call.base.bounds.scheme_end < 0 or bounds.scheme_end < 0:
        return NULL_ROW
    n = write_reference(call.base.span.p, call.base.span.n, &call.base.bounds, span.p, span.n, bounds, call.walk_up, &call.out)
    if n < 0:
        return NULL_ROW if n == NO_OUTPUT else NO_MEMORY
    return put_text(texts, call.out.p, n)


# --- keys

cdef int compute_fingerprint(Call* call, Span* span, Scan* bounds, int64_t* number) noexcept nogil:
    cdef Scan uri, done
    cdef Py_ssize_t n
    if call.level == BY_STRING:
        number[0] = <int64_t>xxh64(span.p, span.n)
        return DONE
    if bounds.position < 0 and call.level == BY_SYNTAX and is_plain(span.p, span.n, bounds, call.form.triplet_flags, True, True, DOTS_OF_ROOTED):
        number[0] = <int64_t>xxh64(span.p, span.n)
        return DONE
    n = convert_to_uri(call, span, bounds, &uri)
    if n < 0:
        return NO_MEMORY
    n = write_normal_form(call, call.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == NO_OUTPUT else NO_MEMORY
    if call.level == BY_SCHEME and done.scheme_end >= 0:
        # Non-ASCII domain names, and `file` URIs without an authority, need the Python function.
        if done.host >= 0 and memchr(call.out.p + done.host, c"%", done.host_end - done.host) is not NULL:
            return BY_REFERENCE
        if done.authority < 0 and done.scheme_end == 4 and memcmp(call.out.p, b"file", 4) == 0:
            return BY_REFERENCE
    number[0] = <int64_t>xxh64(call.out.p, n)
    return DONE


cdef int convert_port(Call* call, Span* span, Scan* bounds, int64_t* number) noexcept nogil:
    """Convert a port to a number; the result is null if the number has more than 63 bits."""
    cdef Py_ssize_t i = bounds.host_end + 1
    cdef int64_t port = 0
    cdef int digit
    if bounds.host_end < 0 or i >= bounds.path:
        return NULL_ROW
    for i in range(i, bounds.path):
        digit = span.p[i] - c"0"
        if port > (0x7FFFFFFFFFFFFFFFLL - digit) // 10:
            return NULL_ROW
        port = port * 10 + digit
    number[0] = port
    return DONE


cdef inline int reserve_row(Texts* texts) noexcept nogil:
    return DONE if texts.rows < texts.places_for else grow_places(texts)


cdef void discard_rows(Texts* texts, Py_ssize_t rows, Py_ssize_t n) noexcept nogil:
    """Discard all rows after the first `rows`, and all octets after the first `n`."""
    cdef Py_ssize_t i
    for i in range(rows, texts.rows):
        if not is_there(texts.valid.p, i):
            # The row is null no longer.
            texts.valid.p[i >> 3] |= 1 << (i & 7)
            texts.valid.missing -= 1
    texts.rows, texts.n = rows, n


cdef inline int examine_row(Call* call, Span* span, Scan* bounds, int* codes, int* count, bint* complete) noexcept nogil:
    """Find the codes of a row's findings; return BY_REFERENCE if it is too long."""
    count[0], complete[0] = 0, True
    # Without a valid row, all bounds are -1.
    if bounds.position < 0 and is_unremarkable(span.p, span.n, bounds, call.with_form):
        return DONE
    if span.n > LONGEST_TEXT:
        return BY_REFERENCE
    if terminate_row(span, &call.copy) != DONE:
        return NO_MEMORY
    count[0] = find_codes(call.copy.p, span.n, is_ascii(span.p, span.n), call.with_form, call.ranks, codes, complete)
    return DONE


cdef int put_codes(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef int codes[MOST_NOTES]
    cdef int k, count
    cdef bint complete
    cdef const char* name
    cdef int status = examine_row(call, span, bounds, codes, &count, &complete)
    if status != DONE:
        return status
    if not complete:
        return BY_REFERENCE
    if texts.rows + count > MOST_LIST_ITEMS or texts.n + count * LONGEST_CODE > texts.full:
        return FULL
    for k in range(count):
        name = CODE_NAMES[codes[k]]
        if reserve_row(texts) != DONE or put_text(texts, <const unsigned char*>name, strlen(name)) != DONE:
            return NO_MEMORY
    return DONE


cdef int has_codes(Call* call, Span* span, Scan* bounds, int64_t* is_flagged) noexcept nogil:
    cdef int codes[MOST_NOTES]
    cdef int count
    cdef bint complete
    cdef int status = examine_row(call, span, bounds, codes, &count, &complete)
    is_flagged[0] = status == DONE and count > 0
    if status == DONE and count == 0 and not complete:
        return BY_REFERENCE  # Python may find another code.
    return status


cdef int is_allowed(Call* call, Span* span, Scan* bounds, int64_t* allowed) noexcept nogil:
    """Find whether all policies allow a row. `decide` accepts only ASCII, and may leave a decision to Python."""
    cdef int k
    cdef int32_t decision
    allowed[0] = False
    if span.n > LONGEST_DECIDED:
        return BY_REFERENCE
    if terminate_row(span, &call.copy) != DONE:
        return NO_MEMORY
    for k in range(call.policy_count):
        decision = decide(call.policies[k], call.copy.p, span.n)
        if decision == IS_UNDECIDED:
            return BY_REFERENCE
        if decision == IS_REJECTED:
            return DONE
    allowed[0] = True
    return DONE


cdef int put_first_params(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return BY_REFERENCE if has_many_params(span, bounds) else put_param_pairs(call, span, bounds, True, texts)


cdef int put_params(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_param_pairs(call, span, bounds, False, texts)


cdef int put_param_pairs(Call* call, Span* span, Scan* bounds, bint first_only, Texts* texts) noexcept nogil:
    """Write the names and values of the parameters of a row to two columns: all of them, or none."""
    cdef Texts* names = &texts[0]
    cdef Texts* values = &texts[1]
    cdef Piece piece
    cdef Py_ssize_t query_start = bounds.path_end + 1, n = bounds.query_end - query_start
    cdef Py_ssize_t first_row = names.rows, names_size = names.n, values_size = values.n
    cdef const unsigned char* query = span.p + query_start
    cdef int status, repeated
    if n < 0:
        return NULL_ROW
    # Names and values are no longer than the query.
    if names.n + n > names.full or values.n + n > values.full or first_row + n > MOST_LIST_ITEMS:
        return FULL
    piece.end = -1
    while next_piece(query, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        if first_only:
            repeated = is_repeated(call, query, n, &piece)
            if repeated < 0:
                return NO_MEMORY
            if repeated:
                continue
        if reserve_row(names) != DONE or reserve_row(values) != DONE:
            return NO_MEMORY
        status = put_data(query, piece.start, piece.name_end, span, query_start, call, names)
        if status == DONE:
            if piece.name_end == piece.end:
                status = put_null(values)
            else:
                status = put_data(query, piece.name_end + 1, piece.end, span, query_start, call, values)
        if status != DONE:
            discard_rows(names, first_row, names_size)
            discard_rows(values, first_row, values_size)
            return status
    return DONE


cdef int put_repaired(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t size, n
    cdef int status
    if call.with_choices or span.n > LONGEST_TEXT // 16:  # a safe limit: a repair writes up to four times as much
        return BY_REFERENCE
    if copy_row(span, &call.copy, &size) != DONE or reserve(&call.out, 4 * size + 8) != DONE:
        return NO_MEMORY
    status = write_repair(call.copy.p, size, call.iri, call.out.p, &n)
    return put_text(texts, call.out.p, n) if status == DONE else status
