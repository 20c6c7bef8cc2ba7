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


cdef Py_ssize_t write_new_value(NewParam* new, int k, unsigned char* out, Py_ssize_t length) noexcept nogil:
    """Write "=" and a value after a name, or nothing; return the offset after it."""
    if new.encoded_value_sizes[k] < 0:
        return length
    out[length] = c"="
    return put(out, length + 1, new.encoded_values[k], 0, new.encoded_value_sizes[k])


cdef Py_ssize_t write_new_params(NewParam* new, int k, unsigned char* out, Py_ssize_t start, Py_ssize_t length) noexcept nogil:
    """Write the values from value `k` on, each with the name, after a query that begins at `start`."""
    for k in range(k, new.count):
        # If the query ends with a separator, the first one follows that separator.
        if length > start and out[length - 1] != c"&":
            out[length] = c"&"
            length += 1
        length = put(out, length, new.encoded_name, 0, new.encoded_name_size)
        length = write_new_value(new, k, out, length)
    return length


cdef bint has_new_value(NewParam* new, int k, const unsigned char* query, Piece* piece) noexcept nogil:
    """Return whether a parameter already has a value; without "=", both a missing and an empty one count."""
    if new.value_sizes[k] < 0:
        return piece.name_end == piece.end
    return decodes_to(query, min(piece.name_end + 1, piece.end), piece.end, True, new.values[k], new.value_sizes[k])


cdef inline bint has_new_name(NewParam* new, const unsigned char* query, Piece* piece) noexcept nogil:
    return piece.end > piece.start and decodes_to(query, piece.start, piece.name_end, True, new.name, new.name_size)


cdef Py_ssize_t write_set_param(NewParam* new, const unsigned char* query, Py_ssize_t n, unsigned char* out, Py_ssize_t start) noexcept nogil:
    """Write a query with other values of a name from offset `start` on; return its end, or -1 if no parameter remains.

    The first values take the places of the old ones. Further values follow the last of these, or all parameters.
    """
    cdef Piece piece
    cdef Py_ssize_t length = start
    cdef int remaining = 0, k = 0, j, end
    cdef bint has_output = False
    piece.end = -1
    # The number of parameters with this name matters only if values could remain.
    while new.count > 1 and n > 0 and next_piece(query, n, c"&", &piece):
        remaining += has_new_name(new, query, &piece)
    piece.end = -1
    while n > 0 and next_piece(query, n, c"&", &piece):
        if not has_new_name(new, query, &piece):
            if has_output:
                out[length] = c"&"
                length += 1
            length = put(out, length, query, piece.start, piece.end)
            has_output = True
            continue
        remaining -= 1
        # All values that remain follow the last parameter of the name.
        end = new.count if remaining == 0 else min(k + 1, new.count)
        for j in range(k, end):
            if has_output:
                out[length] = c"&"
                length += 1
            has_output = True
            if j == k and has_new_value(new, j, query, &piece):
                length = put(out, length, query, piece.start, piece.end)
            else:
                length = put(out, length, query, piece.start, piece.name_end)
                length = write_new_value(new, j, out, length)
        k = end
    length = write_new_params(new, k, out, start, length)
    return length if has_output or k < new.count or n == 0 else -1


cdef int put_with_param(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_new_param(call, span, bounds, False, texts)


cdef int put_added_param(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_new_param(call, span, bounds, True, texts)


cdef int put_new_param(Call* call, Span* span, Scan* bounds, bint adds, Texts* texts) noexcept nogil:
    cdef NewParam* new = &call.new_param
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1, start = bounds.path_end + 1, length
    cdef const unsigned char* query = span.p + start
    if reserve(&call.out, span.n + new.room + 2) != DONE:
        return NO_MEMORY
    put(call.out.p, 0, span.p, 0, bounds.path_end)
    call.out.p[bounds.path_end] = c"?"
    if adds:
        length = put(call.out.p, start, query, 0, n) if n > 0 else start
        length = write_new_params(new, 0, call.out.p, start, length)
    else:
        length = write_set_param(new, query, max(n, 0), call.out.p, start)
    if length < 0 or (length == start and n < 0):  # no query, or none as before
        length = bounds.path_end
    length = put(call.out.p, length, span.p, bounds.query_end, span.n)
    return BY_REFERENCE if length > LONGEST_TEXT else put_text(texts, call.out.p, length)


# --- sorting

cdef inline int next_octet(const unsigned char* query, Py_ssize_t* i, Py_ssize_t end) noexcept nogil:
    """Return the next octet of encoded data, or -1 at its end."""
    cdef int octet
    if i[0] == end:
        return -1
    octet = query[i[0]]
    if octet == c"%":
        octet = decode_triplet(query + i[0])
        i[0] += 2
    elif octet == c"+":
        octet = c" "
    i[0] += 1
    return octet


cdef bint is_name_less(const unsigned char* query, const Piece* one, const Piece* other) noexcept nogil:
    """Return whether the decoded name of a parameter is less than that of another one."""
    cdef Py_ssize_t i = one.start, k = other.start
    cdef int a, b
    while True:
        a, b = next_octet(query, &i, one.name_end), next_octet(query, &k, other.name_end)
        if a != b or a < 0:
            return a < b


cdef bint keeps_order(Call* call, Row* row) noexcept nogil:
    """Return whether the parameters of a row are already sorted by name."""
    cdef Span* span = &row.span
    cdef Scan* bounds = &row.bounds
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1
    cdef Piece piece, before
    if n < 0:
        return True
    if disabled_shortcut == IS_KEPT:
        return False
    piece.end = -1
    next_piece(query, n, c"&", &piece)
    before = piece
    while next_piece(query, n, c"&", &piece):
        if is_name_less(query, &piece, &before):
            return False
        before = piece
    return True


cdef int put_sorted_params(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write a row with its parameters sorted by name; those of the same name keep their order."""
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1, length
    cdef Piece pieces[MOST_PATTERNS]
    cdef Piece piece
    cdef int count = 0, k
    piece.end = -1
    while next_piece(query, n, c"&", &piece):
        if count == MOST_PATTERNS:
            return BY_REFERENCE
        k = count
        while k > 0 and is_name_less(query, &piece, &pieces[k - 1]):
            pieces[k] = pieces[k - 1]
            k -= 1
        pieces[k] = piece
        count += 1
    if reserve(&call.out, span.n) != DONE:
        return NO_MEMORY
    length = put(call.out.p, 0, span.p, 0, bounds.path_end)
    for k in range(count):
        call.out.p[length] = c"&" if k else c"?"
        length = put(call.out.p, length + 1, query, pieces[k].start, pieces[k].end)
    length = put(call.out.p, length, span.p, bounds.query_end, span.n)
    return put_text(texts, call.out.p, length)


# --- lists

cdef int put_param_names(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return BY_REFERENCE if has_many_params(span, bounds) else put_param_list(call, span, bounds, True, texts)


cdef int put_param_values(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_param_list(call, span, bounds, False, texts)


cdef int put_param_list(Call* call, Span* span, Scan* bounds, bint lists_names, Texts* texts) noexcept nogil:
    """Write the names of the parameters of a row, each once, or the values of one name."""
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1, first_row = texts.rows, size = texts.n
    cdef Piece piece
    cdef int status = DONE, repeated
    if n < 0:
        return NULL_ROW
    # Names and values are no longer than the query.
    if texts.n + n > texts.full or first_row + n > MOST_LIST_ITEMS:
        return FULL
    piece.end = -1
    while status == DONE and next_piece(query, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        if lists_names:
            repeated = is_repeated(call, query, n, &piece)
            if repeated < 0:
                return NO_MEMORY
            if repeated:
                continue
        elif not call.name_is_text or not decodes_to(query, piece.start, piece.name_end, True, call.name.p, call.name.n):
            continue
        if reserve_row(texts) != DONE:
            status = NO_MEMORY
        elif lists_names:
            status = put_data(query, piece.start, piece.name_end, span, bounds.path_end + 1, call, texts)
        elif piece.name_end == piece.end:
            status = put_null(texts)
        else:
            status = put_data(query, piece.name_end + 1, piece.end, span, bounds.path_end + 1, call, texts)
    if status != DONE:
        discard_rows(texts, first_row, size)
    return status
