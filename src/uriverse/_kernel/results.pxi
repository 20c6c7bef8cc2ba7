# The loop over rows that applies a column function, and the kinds of its results.


cdef enum:
    # The kinds of results.
    TEXT_RESULT
    NUMBER_RESULT
    FLAG_RESULT
    STRUCT_RESULT
    LIST_RESULT

cdef struct Result:
    # The output columns.
    int kind
    int count  # the number of columns: the fields of a struct, or those of the items of a list
    int which[11]  # fields of `parse`
    Texts texts[11]
    Bits valid  # of flags, numbers, structs and lists
    int64_t* numbers
    unsigned char* flags
    int32_t* ends  # of lists
    int32_t* positions
    Bits position_valid
    int32_t* bounds
    Bits bounds_valid
    bint limited  # whether the strings have 32-bit offsets, which limits their total length

# --- dictionary-encoded columns: the result for each dictionary value is computed once


cdef Py_ssize_t* open_firsts(Rows rows, Py_ssize_t count) except? NULL:
    """Allocate a table of the first row with each dictionary value, whose result is copied later.

    Returns NULL for a column without a dictionary. Also returns NULL if the dictionary has more values
    than there are rows, because the table would cost more than it saves.
    """
    if rows.layout != NUMBERED or rows.dictionary.length > count:
        return NULL
    cdef Py_ssize_t* firsts = <Py_ssize_t*>room_zeroed(rows.dictionary.length * sizeof(Py_ssize_t))
    if firsts is NULL:
        raise MemoryError
    return firsts


cdef inline Py_ssize_t first_with(Py_ssize_t* firsts, Rows rows, Py_ssize_t start, Py_ssize_t i) noexcept nogil:
    """Return the first row, counted from `start`, with the same dictionary value as row `i`.

    Returns -1 if that is row `i` itself, and if row `i` is null or has an invalid index.
    """
    cdef Py_ssize_t k = rows.offset + start + i, number, first
    if firsts is NULL or not is_there(rows.valid, k):
        return -1
    number = number_at(rows.places, k, rows.code)
    if not 0 <= number < (<Rows>rows.values).length:
        return -1
    # Row numbers are stored plus one, because the memory starts as zeros.
    first = firsts[number] - 1
    if first < 0:
        firsts[number] = i + 1
    return first


cdef inline int put_missing_again(Bits* bits, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    """Make a row null if the row `first` is null."""
    return DONE if is_there(bits.p, first) else put_missing(bits, i)


cdef inline Py_ssize_t place_of(Texts* t, Py_ssize_t i) noexcept nogil:
    """Return the offset at which a row begins, in a layout with offsets."""
    return (<int32_t*>t.places)[i] if t.layout == STRING else (<int64_t*>t.places)[i]


cdef inline bint fits_again(Texts* t, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a second copy of the octets of earlier rows fits; views need no copy."""
    return t.layout != STRING or t.n + place_of(t, end) - place_of(t, start) <= t.full


cdef int put_again(Texts* t, Py_ssize_t first) noexcept nogil:
    """Copy the result of an earlier row of the same column."""
    cdef Py_ssize_t start, n
    if not is_there(t.valid.p, first):
        return put_null(t)
    if t.layout == VIEW:
        memcpy(t.places + 16 * t.rows, t.places + 16 * first, 16)
        t.rows += 1
        return DONE
    start = place_of(t, first)
    n = place_of(t, first + 1) - start
    # Grow the buffer before taking an address in it, because growing may move the octets.
    if t.n + n > t.room and more_room(t, n) != DONE:
        return NO_MEMORY
    return put_text(t, t.data + start, n)


# --- structs: the fields of `parse`


cdef int put_field(Result* r, int k, Span* s, Scan* at) noexcept nogil:
    """Write one field of a valid row."""
    cdef Texts* t = &r.texts[k]
    cdef int which = r.which[k]
    if which == FIELD_SCHEME:
        return put_span(t, s, 0, at.scheme_end) if at.scheme_end >= 0 else put_null(t)
    if which == FIELD_USERINFO:
        return put_span(t, s, at.authority, at.host - 1) if at.host > at.authority else put_null(t)
    if which == FIELD_HOST:
        return put_span(t, s, at.host, at.host_end) if at.host >= 0 else put_null(t)
    if which == FIELD_PORT:
        if at.host_end >= 0 and at.host_end < at.path:
            return put_span(t, s, at.host_end + 1, at.path)
        return put_null(t)
    if which == FIELD_PATH:
        return put_span(t, s, at.path, at.path_end)
    if which == FIELD_QUERY:
        return put_span(t, s, at.path_end + 1, at.query_end) if at.path_end < at.query_end else put_null(t)
    if which == FIELD_FRAGMENT:
        return put_span(t, s, at.query_end + 1, s.n) if at.query_end < s.n else put_null(t)
    if which == FIELD_HOST_KIND:
        if at.host < 0:
            return put_null(t)
        if at.host < at.host_end and s.p[at.host] == c"[":
            if s.p[at.host + 1] | 0x20 == c"v":
                return put_text(t, b"IPvFuture", 9)
            return put_text(t, b"IPv6address", 11)
        return put_text(t, b"IPv4address", 11) if host_is_ipv4(s.p, at) else put_text(t, b"reg-name", 8)
    return put_null(t)


cdef int put_fields(Result* r, Py_ssize_t i, Span* s, int component, Scan* at, Scratch* copy) noexcept nogil:
    """Write all fields of a row."""
    cdef int k, status
    cdef Py_ssize_t place
    cdef Scan seen
    for k in range(r.count):
        if r.which[k] == FIELD_POSITION:
            if component == NOTHING:
                status = put_missing(&r.position_valid, i)
            else:
                place = at.position
                # If the string is too long, the position is already in characters.
                r.positions[i] = <int32_t>(place if component == TEXT else characters(copy.p, 0, place))
                status = DONE
        elif r.which[k] == FIELD_BOUNDS:
            status = DONE
            if component == NOTHING:
                seen = at[0]
                place = s.n
                if at.position >= 0:
                    in_characters(s.p, NOTHING, &seen)
                    place = characters(s.p, 0, s.n)
                r.bounds[8 * i] = <int32_t>seen.scheme_end
                r.bounds[8 * i + 1] = <int32_t>seen.authority
                r.bounds[8 * i + 2] = <int32_t>seen.host
                r.bounds[8 * i + 3] = <int32_t>seen.host_end
                r.bounds[8 * i + 4] = <int32_t>seen.path
                r.bounds[8 * i + 5] = <int32_t>seen.path_end
                r.bounds[8 * i + 6] = <int32_t>seen.query_end
                r.bounds[8 * i + 7] = <int32_t>place
            else:
                status = put_missing(&r.bounds_valid, i)
                memset(r.bounds + 8 * i, 0, 32)
        elif component == NOTHING:
            status = put_field(r, k, s, at)
        elif r.which[k] == FIELD_ERROR:
            status = put_text(&r.texts[k], <const unsigned char*>COMPONENT_NAMES[component], strlen(COMPONENT_NAMES[component]))
        else:
            status = put_null(&r.texts[k])
        if status != DONE:
            return status
    return DONE


cdef int put_fields_again(Result* r, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    """Copy the fields of an earlier row: all of them, or none if they do not fit."""
    cdef int k, status
    for k in range(r.count):
        if r.texts[k].places is not NULL and not fits_again(&r.texts[k], first, first + 1):
            return FULL
    status = put_missing_again(&r.valid, i, first)
    for k in range(r.count):
        if r.which[k] == FIELD_POSITION:
            r.positions[i] = r.positions[first]
            status |= put_missing_again(&r.position_valid, i, first)
        elif r.which[k] == FIELD_BOUNDS:
            memcpy(r.bounds + 8 * i, r.bounds + 8 * first, 32)
            status |= put_missing_again(&r.bounds_valid, i, first)
        else:
            status |= put_again(&r.texts[k], first)
    return status


cdef int put_no_fields(Result* r, Py_ssize_t i) noexcept nogil:
    """Write a null row."""
    cdef int k, status = put_missing(&r.valid, i)
    for k in range(r.count):
        if r.which[k] == FIELD_POSITION:
            status |= put_missing(&r.position_valid, i)
        elif r.which[k] == FIELD_BOUNDS:
            status |= put_missing(&r.bounds_valid, i)
            memset(r.bounds + 8 * i, 0, 32)
        else:
            status |= put_null(&r.texts[k])
    return status


cdef inline bint is_full(Result* r, Py_ssize_t n) noexcept nogil:
    """Return whether `n` more octets might not fit in a field."""
    cdef int k
    for k in range(r.count):
        if r.texts[k].n + n > r.texts[k].full and r.texts[k].places is not NULL:
            return True
    return False


# --- lists: findings and parameters


cdef int put_list_again(Texts* t, int columns, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Copy the list of an earlier row, whose items are the rows `start` to `end` of the columns."""
    cdef Py_ssize_t i
    cdef int k
    if t[0].rows + end - start > 0x7FFFFFFF:
        return FULL
    for k in range(columns):
        if not fits_again(&t[k], start, end):
            return FULL
    for k in range(columns):
        for i in range(start, end):
            if room_for_row(&t[k]) != DONE or put_again(&t[k], i) != DONE:
                return NO_MEMORY
    return DONE


cdef int put_answers(Texts* t, int columns, values, Py_ssize_t full) except -1:
    """Write the list that a Python function returned for a row: strings, or pairs of strings."""
    cdef Py_ssize_t n = 0
    cdef int k
    if values is None:
        return NULL_ROW
    octets = [
        [None if text is None else (<str>text).encode() for text in (value if columns == 2 else (value,))]
        for value in values
    ]
    for pair in octets:
        n += sum([len(text) for text in pair if text is not None])
    for k in range(columns):
        if t[k].layout != LARGE_STRING and t[k].n + n > full:
            return FULL
    if t[0].rows + len(octets) > 0x7FFFFFFF:
        return FULL
    for pair in octets:
        for k in range(columns):
            text = pair[k]
            if room_for_row(&t[k]) != DONE or (put_null(&t[k]) if text is None else put_text(&t[k], text, len(<bytes>text))) != DONE:
                return NO_MEMORY
    return DONE


# --- one row, of any kind


cdef inline int put_result(Call* w, Result* r, Py_ssize_t i, Span* s) noexcept nogil:
    """Write the result of a row."""
    cdef Scan at
    cdef int component
    if r.kind == TEXT_RESULT:
        return put_row(w, s, &r.texts[0])
    if r.kind == LIST_RESULT:
        return put_codes(w, s, r.texts) if w.act == CODES_OF else put_params(w, s, &at, r.texts)
    # No field is longer than the row, or than the longest name of a component or host kind.
    if r.limited and is_full(r, s.n + 11):
        return FULL
    component = scan_row(s, w.rule, &w.copy, &at)
    if component < 0:
        return NO_MEMORY
    if r.kind == STRUCT_RESULT:
        return put_fields(r, i, s, component, &at, &w.copy)
    if r.kind == FLAG_RESULT:
        r.flags[i >> 3] |= (component == NOTHING) << (i & 7)
        return DONE
    return put_number(w, r, i, s, &at) if component == NOTHING else NULL_ROW


cdef int put_number(Call* w, Result* r, Py_ssize_t i, Span* s, Scan* at) noexcept nogil:
    """Write the port or the fingerprint of a valid row."""
    # Computing a fingerprint changes the span, but `row_of` may still need the original.
    cdef Span same = s[0]
    if w.act == PORT_OF:
        return port_number(s, at, &r.numbers[i])
    return fingerprint(&same, at, at.position < 0, w, &r.numbers[i])


cdef inline int put_result_again(Result* r, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    """Write the result of an earlier row once more."""
    cdef int status
    if r.kind == TEXT_RESULT:
        return put_again(&r.texts[0], first)
    if r.kind == STRUCT_RESULT:
        return put_fields_again(r, i, first)
    if r.kind == LIST_RESULT:
        status = put_list_again(r.texts, r.count, r.ends[first], r.ends[first + 1])
        return put_missing_again(&r.valid, i, first) if status == DONE else status
    if r.kind == FLAG_RESULT:
        r.flags[i >> 3] |= is_there(r.flags, first) << (i & 7)
    else:
        r.numbers[i] = r.numbers[first]
    return put_missing_again(&r.valid, i, first)


cdef inline int put_no_result(Result* r, Py_ssize_t i) noexcept nogil:
    """Write a null."""
    if r.kind == TEXT_RESULT:
        return put_null(&r.texts[0])
    return put_no_fields(r, i) if r.kind == STRUCT_RESULT else put_missing(&r.valid, i)


cdef int put_python_value(Result* r, Py_ssize_t i, value) except -1:
    """Write the result that a Python function has computed for a row."""
    cdef bytes octets
    if value is None:
        return NULL_ROW
    if r.kind == LIST_RESULT:
        return put_answers(r.texts, r.count, value, r.texts[0].full)
    if r.kind == NUMBER_RESULT:
        r.numbers[i] = value
        return DONE
    octets = (<str>value).encode()
    return put_text(&r.texts[0], octets, len(octets))


# --- all rows


def apply(str act, tuple sources, Py_ssize_t count, str layout, row_of, tuple options, Py_ssize_t full, /):
    """Apply a column function to rows.

    Args:
        act: one of `ACTS`.
        sources: for each input column: its `Rows`, the first row, and whether to repeat that row.
        count: the number of rows.
        layout: the layout of strings in the result.
        row_of: the Python function for a single row, which is called if the kernel cannot compute
            the result of a row.
        options: the options of the function, see `open_call`; for `parse`, also the field names.
        full: the largest number of octets in one array.

    Returns:
        An array and the number of its rows, which is less than `count` if the array is full.

    Raises:
        OverflowError: one row is longer than the layout permits.
        ColumnError: a row is not in the buffers of its chunk.
    """
    cdef Call w
    cdef Result r
    cdef Span s, base
    cdef bint two = len(sources) == 2
    cdef Rows bases = sources[0][0], rows = sources[1 if two else 0][0]
    cdef Py_ssize_t base_start = sources[0][1], start = sources[1 if two else 0][1], i = 0
    cdef bint one_base = sources[0][2]
    cdef int status = DONE, there, base_there = ROW_THERE
    cdef Py_ssize_t first
    cdef Py_ssize_t* firsts = NULL
    memset(&r, 0, sizeof(Result))
    open_call(&w, ACTS[act], options)
    try:
        open_result(&r, w.act, count, LAYOUTS.index(layout), options, full, rows, start)
        # With a column of base URIs, the result also depends on the base of each row.
        if one_base or not two:
            firsts = open_firsts(rows, count)
        with nogil:
            while i < count:
                first = first_with(firsts, rows, start, i)
                if first >= 0:
                    status = put_result_again(&r, i, first)
                else:
                    there = row(rows, start + i, &s)
                    if two:
                        base_there = row(bases, base_start if one_base else base_start + i, &base)
                    if there == ROW_BROKEN or base_there == ROW_BROKEN:
                        status = BROKEN
                    elif there == ROW_MISSING or base_there == ROW_MISSING:
                        status = NULL_ROW
                    else:
                        status = read_base(&w, &base) if two else DONE
                        if status == DONE:
                            status = put_result(&w, &r, i, &s)
                        if status == BY_REFERENCE:
                            with gil:
                                status = put_python_value(&r, i, row_of(as_str(&s)))
                    if status == NULL_ROW:
                        status = put_no_result(&r, i)
                if status != DONE:
                    break
                i += 1
                if r.kind == LIST_RESULT:
                    r.ends[i] = <int32_t>r.texts[0].rows
        end_of(status, start, i)
        return made_of_result(&r, i, rows), i
    finally:
        room_free(firsts)
        close_result(&r)
        close_call(&w)


cdef int open_result(Result* r, int act, Py_ssize_t count, int layout, tuple options, Py_ssize_t full, Rows rows, Py_ssize_t start) except -1:
    """Reserve the memory for the results of `count` rows."""
    cdef int k
    open_bits(&r.valid, count)
    if act == PORT_OF or act == FINGERPRINT_OF:
        r.kind = NUMBER_RESULT
        r.numbers = <int64_t*>reserved(count * sizeof(int64_t))
    elif act == VALIDITY_OF:
        r.kind = FLAG_RESULT
        r.flags = <unsigned char*>reserved(count >> 3)
    elif act == FIELDS_OF:
        r.kind = STRUCT_RESULT
        r.limited = layout != LARGE_STRING
        open_bits(&r.position_valid, count)
        open_bits(&r.bounds_valid, count)
        for name in options[1]:
            k = r.count
            r.count += 1  # first, so that the field is freed if opening it fails
            r.which[k] = FIELDS.index(name)
            if r.which[k] == FIELD_POSITION:
                r.positions = <int32_t*>reserved(count * sizeof(int32_t))
            elif r.which[k] == FIELD_BOUNDS:
                r.bounds = <int32_t*>reserved(count * 8 * sizeof(int32_t))
            else:
                open_texts(&r.texts[k], layout, count, full, rows, start)
    else:
        r.kind = TEXT_RESULT
        r.count = 2 if act == PARAMS_OF else 1
        if act == PARAMS_OF or act == CODES_OF:
            r.kind = LIST_RESULT
            r.ends = <int32_t*>reserved(count * sizeof(int32_t))
        for k in range(r.count):
            open_texts(&r.texts[k], layout, count, full, rows, start)
    return 0


cdef void* reserved(Py_ssize_t size) except NULL:
    """Return zeroed memory of `size + 8` octets, so that it is never empty."""
    cdef void* found = room_zeroed(size + 8)
    if found is NULL:
        raise MemoryError
    return found


cdef void close_result(Result* r) noexcept:
    """Free the buffers that no array has taken over."""
    cdef int k
    for k in range(r.count):
        close_texts(&r.texts[k])
    room_free(r.numbers)
    room_free(r.flags)
    room_free(r.ends)
    room_free(r.positions)
    room_free(r.bounds)
    room_free(r.valid.p)
    room_free(r.position_valid.p)
    room_free(r.bounds_valid.p)


cdef Made made_of_result(Result* r, Py_ssize_t rows, Rows source):
    """Create an array from the results of the first `rows` rows."""
    cdef Made made
    cdef Bits always
    cdef int k
    cdef list children = []
    if r.kind == NUMBER_RESULT:
        return made_of_bits(&r.valid, rows, <void**>&r.numbers)
    if r.kind == FLAG_RESULT:
        return made_of_bits(&r.valid, rows, <void**>&r.flags)
    for k in range(r.count):
        if r.kind == STRUCT_RESULT and r.which[k] == FIELD_POSITION:
            children.append(made_of_bits(&r.position_valid, rows, <void**>&r.positions))
        elif r.kind == STRUCT_RESULT and r.which[k] == FIELD_BOUNDS:
            children.append(made_of_bounds(&r.bounds_valid, rows, <void**>&r.bounds))
        else:
            children.append(made_of_texts(&r.texts[k], source))
    if r.kind == TEXT_RESULT:
        return children[0]
    if r.kind == STRUCT_RESULT:
        return made_of_struct(&r.valid, rows, tuple(children))
    if r.count == 2:
        open_bits(&always, 0)
        children = [made_of_struct(&always, r.ends[rows], tuple(children))]
    made = Made(rows, r.valid.missing, 2, tuple(children))
    made.own(1, <void**>&r.ends)
    made.own(0, <void**>&r.valid.p)
    return made


cdef Made made_of_bounds(Bits* valid, Py_ssize_t rows, void** data):
    """Create an array of lists of eight numbers each."""
    cdef Made made = Made(8 * rows, 0, 2), lists
    made.own(1, data)
    lists = Made(rows, valid.missing, 1, (made,))
    lists.own(0, <void**>&valid.p)
    return lists


cdef Made made_of_struct(Bits* valid, Py_ssize_t rows, tuple children):
    cdef Made made = Made(rows, valid.missing, 1, children)
    made.own(0, <void**>&valid.p)
    return made


cdef str as_str(Span* s):
    """Return a row as a `str`; an octet that is not UTF-8 becomes a lone surrogate."""
    return PyUnicode_DecodeUTF8(<const char*>s.p, s.n, "surrogateescape")


cdef int end_of(int status, Py_ssize_t start, Py_ssize_t done) except -1:
    """Raise an error if the status that ended the loop is an error.

    Raises:
        OverflowError: a single row is longer than the layout permits.
        ColumnError: a row is not in the buffers of its chunk.
    """
    if status == NO_MEMORY:
        raise MemoryError
    if status == BROKEN:
        raise call_reference("buffers.broken_row", start + done)
    if status == FULL and done == 0:
        raise OverflowError("a string is too long for this layout; use large_string")
    return 0
