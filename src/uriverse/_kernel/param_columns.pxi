# Column functions that sort and write parameters, or list their names or values: `uriverse.columns._edits`
# and `uriverse.columns._components`.
# Other files call `open_new_param`.


cdef int open_new_param(NewParam* new, tuple options) except -1:
    """Store a name and at most `MOST_VALUES` values with their encoded forms, which the caller keeps alive."""
    cdef int k
    name, encoded_name, values = options
    new.name, new.name_size = <const unsigned char*><bytes>name, len(<bytes>name)
    new.encoded_name, new.encoded_name_size = <const unsigned char*><bytes>encoded_name, len(<bytes>encoded_name)
    new.count = len(<tuple>values)
    for k in range(new.count):
        value, encoded_value = (<tuple>values)[k]
        new.value_sizes[k] = new.encoded_value_sizes[k] = -1
        if value is not None:
            new.values[k], new.value_sizes[k] = <const unsigned char*><bytes>value, len(<bytes>value)
            new.encoded_values[k], new.encoded_value_sizes[k] = <const unsigned char*><bytes>encoded_value, len(<bytes>encoded_value)
        # A name in a row has at most three octets for each octet. A separator and a "=" are added.
        new.room += 3 * new.name_size + new.encoded_value_sizes[k] + 3
    return 0


cdef Py_ssize_t write_new_value(NewParam* new, int k, unsigned char* out, Py_ssize_t w) noexcept nogil:
    """Write "=" and a value after a name, or nothing; return the offset after it."""
    if new.encoded_value_sizes[k] < 0:
        return w
    out[w] = c"="
    return put(out, w + 1, new.encoded_values[k], 0, new.encoded_value_sizes[k])


cdef Py_ssize_t write_new_params(NewParam* new, int k, unsigned char* out, Py_ssize_t start, Py_ssize_t w) noexcept nogil:
    """Write the values from value `k` on, each with the name, after a query that begins at `start`."""
    for k in range(k, new.count):
        # If the query ends with a separator, the first one follows that separator.
        if w > start and out[w - 1] != c"&":
            out[w] = c"&"
            w += 1
        w = put(out, w, new.encoded_name, 0, new.encoded_name_size)
        w = write_new_value(new, k, out, w)
    return w


cdef bint has_new_value(NewParam* new, int k, const unsigned char* p, Piece* piece) noexcept nogil:
    """Return whether a parameter already has a value; without "=", both a missing and an empty one count."""
    if new.value_sizes[k] < 0:
        return piece.name_end == piece.end
    return decodes_to(p, min(piece.name_end + 1, piece.end), piece.end, True, new.values[k], new.value_sizes[k])


cdef inline bint has_new_name(NewParam* new, const unsigned char* p, Piece* piece) noexcept nogil:
    return piece.end > piece.start and decodes_to(p, piece.start, piece.name_end, True, new.name, new.name_size)


cdef Py_ssize_t write_set_param(NewParam* new, const unsigned char* p, Py_ssize_t n, unsigned char* out, Py_ssize_t start) noexcept nogil:
    """Write a query with other values of a name from offset `start` on; return its end. See `write_changed`."""
    cdef Piece piece
    cdef Py_ssize_t w = start
    cdef int remaining = 0, k = 0, j, end
    cdef bint begun = False
    piece.end = -1
    # The number of parameters with this name matters only if values could remain.
    while new.count > 1 and n > 0 and next_piece(p, n, c"&", &piece):
        remaining += has_new_name(new, p, &piece)
    piece.end = -1
    while n > 0 and next_piece(p, n, c"&", &piece):
        if not has_new_name(new, p, &piece):
            if begun:
                out[w] = c"&"
                w += 1
            w = put(out, w, p, piece.start, piece.end)
            begun = True
            continue
        remaining -= 1
        # All values that remain follow the last parameter of the name.
        end = new.count if remaining == 0 else min(k + 1, new.count)
        for j in range(k, end):
            if begun:
                out[w] = c"&"
                w += 1
            begun = True
            if j == k and has_new_value(new, j, p, &piece):
                w = put(out, w, p, piece.start, piece.end)
            else:
                w = put(out, w, p, piece.start, piece.name_end)
                w = write_new_value(new, j, out, w)
        k = end
    w = write_new_params(new, k, out, start, w)
    # The query is removed if no parameter remains.
    return w if begun or k < new.count or n == 0 else -1


cdef int put_with_param(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_new_param(w, s, at, False, t)


cdef int put_added_param(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_new_param(w, s, at, True, t)


cdef int put_new_param(Call* w, Span* s, Scan* at, bint adds, Texts* t) noexcept nogil:
    cdef NewParam* new = &w.new_param
    cdef Py_ssize_t n = at.query_end - at.path_end - 1, start = at.path_end + 1, k
    cdef const unsigned char* p = s.p + start
    if reserve(&w.out, s.n + new.room + 2) != DONE:
        return NO_MEMORY
    put(w.out.p, 0, s.p, 0, at.path_end)
    w.out.p[at.path_end] = c"?"
    if adds:
        k = put(w.out.p, start, p, 0, n) if n > 0 else start
        k = write_new_params(new, 0, w.out.p, start, k)
    else:
        k = write_set_param(new, p, max(n, 0), w.out.p, start)
    if k < 0 or (k == start and n < 0):
        k = at.path_end
    k = put(w.out.p, k, s.p, at.query_end, s.n)
    return BY_REFERENCE if k > LONGEST_TEXT else put_text(t, w.out.p, k)


# --- sorting

cdef inline int next_octet(const unsigned char* p, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the next octet of encoded data, or -1 at its end."""
    cdef int octet
    if i[0] == end:
        return -1
    octet = p[i[0]]
    if octet == c"%":
        octet = decode_triplet(p + i[0])
        i[0] += 2
    elif octet == c"+":
        octet = c" "
    i[0] += 1
    return octet


cdef bint is_name_less(const unsigned char* p, const Piece* one, const Piece* other) noexcept nogil:
    """Return whether the decoded name of a parameter is less than that of another one."""
    cdef Py_ssize_t i = one.start, k = other.start
    cdef int a, b
    while True:
        a, b = next_octet(p, &i, one.name_end), next_octet(p, &k, other.name_end)
        if a != b or a < 0:
            return a < b


cdef bint keeps_order(Call* w, Row* one) noexcept nogil:
    cdef Span* s = &one.s
    cdef Scan* at = &one.at
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1
    cdef Piece piece, before
    if n < 0:
        return True
    if disabled_shortcut == IS_KEPT:
        return False
    piece.end = -1
    next_piece(p, n, c"&", &piece)
    before = piece
    while next_piece(p, n, c"&", &piece):
        if is_name_less(p, &piece, &before):
            return False
        before = piece
    return True


cdef int put_sorted_params(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write a row with its parameters sorted by name; those of the same name keep their order."""
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1, k
    cdef Piece pieces[MOST_PATTERNS]
    cdef Piece piece
    cdef int count = 0, m
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if count == MOST_PATTERNS:
            return BY_REFERENCE
        m = count
        while m > 0 and is_name_less(p, &piece, &pieces[m - 1]):
            pieces[m] = pieces[m - 1]
            m -= 1
        pieces[m] = piece
        count += 1
    if reserve(&w.out, s.n) != DONE:
        return NO_MEMORY
    k = put(w.out.p, 0, s.p, 0, at.path_end)
    for m in range(count):
        w.out.p[k] = c"&" if m else c"?"
        k = put(w.out.p, k + 1, p, pieces[m].start, pieces[m].end)
    k = put(w.out.p, k, s.p, at.query_end, s.n)
    return put_text(t, w.out.p, k)


# --- lists

cdef int put_param_names(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return BY_REFERENCE if has_many_params(s, at) else put_param_list(w, s, at, True, t)


cdef int put_param_values(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_param_list(w, s, at, False, t)


cdef int put_param_list(Call* w, Span* s, Scan* at, bint names, Texts* t) noexcept nogil:
    """Write the names of the parameters of a row, each once, or the values of one name."""
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1, first = t.rows, octets = t.n
    cdef Piece piece
    cdef int status = DONE, repeated
    if n < 0:
        return NULL_ROW
    # Names and values are no longer than the query.
    if t.n + n > t.full or first + n > 0x7FFFFFFF:
        return FULL
    piece.end = -1
    while status == DONE and next_piece(p, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        if names:
            repeated = is_repeated(w, p, n, &piece)
            if repeated < 0:
                return NO_MEMORY
            if repeated:
                continue
        elif not w.name_is_text or not decodes_to(p, piece.start, piece.name_end, True, w.name.p, w.name.n):
            continue
        if room_for_row(t) != DONE:
            status = NO_MEMORY
        elif names:
            status = put_data(p, piece.start, piece.name_end, s, at.path_end + 1, w, t)
        elif piece.name_end == piece.end:
            status = put_null(t)
        else:
            status = put_data(p, piece.name_end + 1, piece.end, s, at.path_end + 1, w, t)
    if status != DONE:
        take_back(t, first, octets)
    return status
