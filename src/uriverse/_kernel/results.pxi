# The loop over rows that applies a column function, and the kinds of its results:
# `uriverse.columns._execution`.
# Other files call `allocate_zeroed`, `create_struct_array`, `decode_row` and `check_status`.


cdef enum:
    LONGEST_KIND = 11  # the most octets of the name of a component or of a kind of host

# The fields that `parse` returns.
FIELDS = (
    "scheme", "userinfo", "host", "port", "path", "query", "fragment", "host_kind", "error",
    "error_position", "bounds",
)
cdef enum:
    FIELD_SCHEME, FIELD_USERINFO, FIELD_HOST, FIELD_PORT, FIELD_PATH, FIELD_QUERY, FIELD_FRAGMENT
    FIELD_HOST_KIND, FIELD_ERROR, FIELD_POSITION, FIELD_BOUNDS
    # Parts of a row that `parse` does not return.
    FIELD_PATH_AND_QUERY, FIELD_BEFORE_FRAGMENT

# The names of the components in a column of errors.
cdef const char* COMPONENT_NAMES[9]
COMPONENT_NAMES[:] = [b"", b"scheme", b"userinfo", b"host", b"port", b"path", b"query", b"fragment", b"text"]

cdef struct Results:
    # The output columns.
    int kind
    int count  # the number of columns: the fields of a struct, or those of the items of a list
    int fields[11]  # of `parse`, or the part of a row that is the result; -1 for another result
    Texts texts[11]
    Bits valid  # of flags, numbers, structs and lists
    int64_t* numbers
    unsigned char* flags
    int32_t* ends  # of lists
    int32_t* positions
    Bits position_valid
    int32_t* bounds
    Bits bounds_valid

# --- dictionary-encoded columns: the result for each dictionary value is computed once

cdef Py_ssize_t* open_firsts(Rows rows, Py_ssize_t count) except? NULL:
    """Allocate a table of the first row with each dictionary value, whose result is copied later.

    Return NULL without a dictionary, and for one with more values than rows, which costs more than it saves.
    """
    if rows.layout != NUMBERED or rows.dictionary.length > count:
        return NULL
    cdef Py_ssize_t* firsts = <Py_ssize_t*>room_zeroed(rows.dictionary.length * sizeof(Py_ssize_t))
    if firsts is NULL:
        raise MemoryError
    return firsts


cdef inline Py_ssize_t find_first_equal(Py_ssize_t* firsts, Rows rows, Py_ssize_t start, Py_ssize_t i) noexcept nogil:
    """Return an earlier row, counted from `start`, with the same dictionary value as row `i`, or -1."""
    cdef Py_ssize_t k = rows.offset + start + i, number, first
    if firsts is NULL or not is_there(rows.valid, k):
        return -1
    number = load_number(rows.places, k, rows.code)
    if not 0 <= number < (<Rows>rows.values).length:
        return -1
    # Row numbers are stored plus one, because the memory starts as zeros.
    first = firsts[number] - 1
    if first < 0:
        firsts[number] = i + 1
    return -1 if first == i else first


cdef inline int put_missing_again(Bits* bits, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    return DONE if is_there(bits.p, first) else put_missing(bits, i)


cdef inline Py_ssize_t get_row_offset(Texts* texts, Py_ssize_t i) noexcept nogil:
    return (<int32_t*>texts.places)[i] if texts.layout == STRING else (<int64_t*>texts.places)[i]


cdef inline bint fits_again(Texts* texts, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a second copy of the octets of earlier rows fits; views need no copy."""
    return texts.layout == VIEW or texts.n + get_row_offset(texts, end) - get_row_offset(texts, start) <= texts.full


cdef int put_again(Texts* texts, Py_ssize_t first) noexcept nogil:
    cdef Py_ssize_t start, n
    if not is_there(texts.valid.p, first):
        return put_null(texts)
    if texts.layout == VIEW:
        memcpy(texts.places + 16 * texts.rows, texts.places + 16 * first, 16)
        texts.rows += 1
        return DONE
    start = get_row_offset(texts, first)
    n = get_row_offset(texts, first + 1) - start
    # Grow the buffer before taking an address in it, because growing may move the octets.
    if texts.n + n > texts.room and grow_data(texts, n) != DONE:
        return NO_MEMORY
    return put_text(texts, texts.data + start, n)


# --- blocks of rows, which are scanned before their results are written

cdef struct Block:
    Row rows[BLOCK]
    Py_ssize_t count, missing  # the numbers of rows and of nulls
    Py_ssize_t octets  # of all rows
    bint at_end  # whether less than `STEP` octets follow a row in its buffer
    bint broken  # whether the row after the block is malformed

cdef struct Extent:
    # Where a part of a row begins and ends: the offsets of two members of `Row`, and what to add to those.
    Py_ssize_t start, past_sign, end, before_sign

cdef Row LIKE  # for the offsets of its members


cdef Extent create_extent(Py_ssize_t* start, int past_sign, Py_ssize_t* end, int before_sign) noexcept:
    cdef Extent extent
    extent.start, extent.past_sign = <char*>start - <char*>&LIKE, past_sign
    extent.end, extent.before_sign = <char*>end - <char*>&LIKE, before_sign
    return extent


cdef inline Py_ssize_t read_member(const Row* row, Py_ssize_t offset) noexcept nogil:
    return (<const Py_ssize_t*>(<const char*>row + offset))[0]


cdef Extent WHOLE = create_extent(&LIKE.zero, 0, &LIKE.span.n, 0)
cdef Extent PART = create_extent(&LIKE.part, 0, &LIKE.part_end, 0)
cdef Extent EXTENTS[FIELD_BEFORE_FRAGMENT + 1]
EXTENTS[FIELD_SCHEME] = create_extent(&LIKE.zero, 0, &LIKE.bounds.scheme_end, 0)
EXTENTS[FIELD_USERINFO] = create_extent(&LIKE.bounds.authority, 0, &LIKE.bounds.host, -1)
EXTENTS[FIELD_HOST] = create_extent(&LIKE.bounds.host, 0, &LIKE.bounds.host_end, 0)
EXTENTS[FIELD_PORT] = create_extent(&LIKE.bounds.host_end, 1, &LIKE.bounds.path, 0)
EXTENTS[FIELD_PATH] = create_extent(&LIKE.bounds.path, 0, &LIKE.bounds.path_end, 0)
EXTENTS[FIELD_QUERY] = create_extent(&LIKE.bounds.path_end, 1, &LIKE.bounds.query_end, 0)
EXTENTS[FIELD_FRAGMENT] = create_extent(&LIKE.bounds.query_end, 1, &LIKE.span.n, 0)
EXTENTS[FIELD_PATH_AND_QUERY] = create_extent(&LIKE.bounds.path, 0, &LIKE.bounds.query_end, 0)
EXTENTS[FIELD_BEFORE_FRAGMENT] = create_extent(&LIKE.zero, 0, &LIKE.bounds.query_end, 0)


cdef int read_block(
    Call* call, Rows rows, Py_ssize_t start, Py_ssize_t i, Py_ssize_t count, Py_ssize_t* firsts, Block* block
) noexcept nogil:
    """Read and scan rows from row `i` on, up to a row with the same dictionary value as an earlier one."""
    cdef Row* row
    cdef Py_ssize_t k = 0
    cdef int row_status = ROW_THERE
    count = min(count - i, <Py_ssize_t>BLOCK)
    block.missing = block.octets = block.at_end = 0
    # Most columns have one of these layouts, so most rows are read in these loops.
    if rows.layout == STRING:
        k = read_strings[int32_t](rows, start + i, count, block, 0)
    elif rows.layout == LARGE_STRING:
        k = read_strings[int64_t](rows, start + i, count, block, 0)
    while k < count and find_first_equal(firsts, rows, start, i + k) < 0:
        row = &block.rows[k]
        row_status = read_row(rows, start + i + k, &row.span)
        if row_status == ROW_BROKEN:
            break
        row.invalid, row.zero = NOTHING, 0
        if row_status == ROW_MISSING:
            row.invalid, row.span.n = MISSING, 0
            block.missing += 1
        else:
            block.octets += row.span.n
            block.at_end |= row.span.behind < row.span.n + STEP
        k += 1
    block.count, block.broken = k, row_status == ROW_BROKEN
    return scan_block(call, block) if call.needs & BOUNDS else DONE


cdef Py_ssize_t read_strings(Rows rows, Py_ssize_t i, Py_ssize_t count, Block* block, Number like) noexcept nogil:
    """Read rows with offsets up to one that is malformed; return their number. `like` determines the type."""
    cdef const unsigned char* valid = rows.valid
    cdef const unsigned char* data = rows.data[0]
    cdef const unsigned char* places
    cdef Py_ssize_t size = rows.sizes[0], k = 0, start, end, last = 0, octets = 0, missing = 0
    cdef int32_t buffer = rows.named
    cdef Row* row
    i += rows.offset
    places = rows.places + i * <Py_ssize_t>sizeof(Number)
    end = load_typed(places, 0, like)
    while k < count:
        row = &block.rows[k]
        start = end
        end = load_typed(places, k + 1, like)
        row.invalid, row.zero = NOTHING, 0
        if not is_there(valid, i + k):
            row.invalid, row.span.n = MISSING, 0
            missing += 1
        elif 0 <= start <= end <= size:
            row.span.p, row.span.n = data + start, end - start
            row.span.buffer, row.span.place, row.span.behind = buffer, <int32_t>start, size - start
            octets += end - start
            last = end
        else:
            break
        k += 1
    # Later rows of a column are further back in the buffer, or the next row is malformed.
    block.octets, block.missing, block.at_end = octets, missing, size - last < STEP
    return k


cdef inline void remove_components(Scan* bounds) noexcept nogil:
    memset(bounds, 0xFF, 7 * sizeof(Py_ssize_t))  # the bounds are -1, and the position remains


cdef int scan_block(Call* call, Block* block) noexcept nogil:
    """Set all bounds of rows that are not valid to -1, and the position to that of the violation in characters."""
    cdef Row* row
    cdef Scan* bounds
    cdef Py_ssize_t k
    if simd_variant.scan_rows(block.rows, block.count):
        # All rows are valid URI references.
        if not call.rule & (NEEDS_SCHEME | NO_FRAGMENT) and block.octets <= LONGEST_TEXT:
            return DONE
    for k in range(block.count):
        row = &block.rows[k]
        bounds = &row.bounds
        if row.span.n <= LONGEST_TEXT and accepts(row.seen, row.span.p, row.span.n, call.rule, bounds):
            continue
        if row.invalid != MISSING:
            row.invalid = scan_copy(&row.span, call.rule, &call.copy, bounds)
            if row.invalid < 0:
                return NO_MEMORY
            if row.invalid != NOTHING and row.invalid != TEXT:
                bounds.position = count_characters(call.copy.p, 0, bounds.position)
        if row.invalid != NOTHING:
            remove_components(bounds)
    return DONE


cdef inline void invert_bits(unsigned char* text, Py_ssize_t i, uint64_t bits) noexcept nogil:
    """Invert bits of a bitmap from bit `i` on, given as 32 bits."""
    bits <<= i & 7
    i >>= 3
    while bits:
        text[i] ^= bits & 0xFF
        bits >>= 8
        i += 1


cdef void put_flags(unsigned char* flags, Py_ssize_t i, Block* block) noexcept nogil:
    cdef Py_ssize_t k = 0, first
    cdef uint64_t bits
    while k < block.count:
        first, bits = k, 0
        for k in range(k, min(k + 32, block.count)):
            bits |= <uint64_t>(block.rows[k].invalid == NOTHING) << (k - first)
        invert_bits(flags, i + first, bits)
        k += 1


cdef int put_missing_rows(Bits* valid, Py_ssize_t i, Block* block, Py_ssize_t k, Py_ssize_t end) noexcept nogil:
    for k in range(k, end if block.missing else k):
        if block.rows[k].invalid == MISSING and put_missing(valid, i + k) != DONE:
            return NO_MEMORY
    return DONE


cdef void remove_missing(Block* block) noexcept nogil:
    """Remove all components of rows that are null, which have those of an empty string."""
    cdef Py_ssize_t k
    for k in range(block.count if block.missing else 0):
        if block.rows[k].invalid == MISSING:
            remove_components(&block.rows[k].bounds)


# --- structs: the fields of `parse`

cdef int put_parts(Texts* texts, Extent part, Block* block, Py_ssize_t k, Py_ssize_t end, Number like) noexcept nogil:
    """Write a part of rows with offsets of the type of `like`; there is room for all octets and `STEP` more."""
    cdef Number* ends = <Number*>texts.places + texts.rows + 1 - k
    cdef unsigned char* data = texts.data
    cdef unsigned char* out = data + texts.n
    cdef Row* row
    cdef Py_ssize_t first, start, n, missing = 0, first_row = texts.rows - k
    cdef uint64_t nulls
    texts.rows += end - k
    while k < end:
        first, nulls = k, 0
        for k in range(k, min(k + 32, end)):
            row = &block.rows[k]
            start = read_member(row, part.start)
            n = read_member(row, part.end) + part.before_sign - start - part.past_sign
            if start < 0 or n < 0:
                nulls |= 1ULL << (k - first)
                missing += 1
            else:
                # The bytes after the part are overwritten next.
                copy_steps(out, row.span.p + start + part.past_sign, n)
                out += n
            ends[k] = <Number>(out - data)
        k += 1
        if nulls:
            if open_bitmap(&texts.valid) != DONE:
                return NO_MEMORY
            invert_bits(texts.valid.p, first_row + first, nulls)
    texts.valid.missing += missing
    texts.n = out - data
    return DONE


cdef int put_extent(Texts* texts, Extent part, Block* block, Py_ssize_t k, Py_ssize_t end, Py_ssize_t octets) noexcept nogil:
    """Write a part of rows with that many octets; the rows before one that does not fit remain written."""
    cdef Row* row
    cdef Py_ssize_t room = octets + STEP, start, stop
    cdef int status = DONE
    if end - k > 1 and texts.layout != VIEW and not block.at_end and texts.n + room <= texts.full:
        if texts.n + room > texts.room and grow_data(texts, room) != DONE:
            return NO_MEMORY
        if texts.layout == STRING:
            return put_parts[int32_t](texts, part, block, k, end, 0)
        return put_parts[int64_t](texts, part, block, k, end, 0)
    while k < end and status == DONE:
        row = &block.rows[k]
        start = read_member(row, part.start)
        stop = read_member(row, part.end) + part.before_sign
        if 0 <= start <= stop - part.past_sign:
            status = put_span(texts, &row.span, start + part.past_sign, stop)
        else:
            status = put_null(texts)
        k += 1
    return status


cdef int put_names(Texts* texts, int field, Block* block, Py_ssize_t k, Py_ssize_t end) noexcept nogil:
    """Write the invalid components of rows, or the kinds of their hosts."""
    cdef const char* name
    cdef Row* row
    cdef int status = DONE
    while k < end and status == DONE:
        row = &block.rows[k]
        if field == FIELD_HOST_KIND:
            name = get_host_kind(row.span.p, &row.bounds)
        else:
            name = COMPONENT_NAMES[row.invalid] if row.invalid > NOTHING else NULL
        status = put_null(texts) if name is NULL else put_text(texts, <const unsigned char*>name, strlen(name))
        k += 1
    return status


cdef const char* get_host_kind(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return the name of the grammar rule that the host matches, or NULL without a host."""
    if bounds.host < 0:
        return NULL
    if bounds.host < bounds.host_end and text[bounds.host] == c"[":
        return b"IPvFuture" if text[bounds.host + 1] | 0x20 == c"v" else b"IPv6address"
    return b"IPv4address" if has_ipv4_host(text, bounds) else b"reg-name"


cdef int put_position(Results* results, Py_ssize_t i, Row* row) noexcept nogil:
    if row.invalid <= NOTHING:
        return put_missing(&results.position_valid, i)
    results.positions[i] = <int32_t>row.bounds.position
    return DONE


cdef int put_bounds(Results* results, Py_ssize_t i, Row* row) noexcept nogil:
    """Write the seven bounds of a row and its length, in characters."""
    cdef int32_t* bounds = results.bounds + 8 * i
    cdef Scan seen = row.bounds
    cdef int k
    if row.invalid != NOTHING:
        memset(bounds, 0, 8 * sizeof(int32_t))
        return put_missing(&results.bounds_valid, i)
    seen.position = row.span.n  # the last member of `Scan`, after the bounds
    if row.bounds.position >= 0:
        convert_to_characters(row.span.p, NOTHING, &seen)
        seen.position = count_characters(row.span.p, 0, row.span.n)
    for k in range(8):
        bounds[k] = <int32_t>(<Py_ssize_t*>&seen)[k]
    return DONE


cdef int put_fields(Results* results, Py_ssize_t i, Block* block, Py_ssize_t k, Py_ssize_t end) noexcept nogil:
    cdef int field, status = put_missing_rows(&results.valid, i, block, k, end) if results.kind == STRUCT_RESULT else DONE
    cdef Py_ssize_t j
    for field in range(results.count):
        if status != DONE:
            break
        if results.fields[field] == FIELD_POSITION:
            for j in range(k, end):
                status |= put_position(results, i + j, &block.rows[j])
        elif results.fields[field] == FIELD_BOUNDS:
            for j in range(k, end):
                status |= put_bounds(results, i + j, &block.rows[j])
        elif results.fields[field] <= FIELD_FRAGMENT or results.fields[field] > FIELD_BOUNDS:  # a part of the row
            status = put_extent(&results.texts[field], EXTENTS[results.fields[field]], block, k, end, block.octets)
        else:
            status = put_names(&results.texts[field], results.fields[field], block, k, end)
    return status


cdef int put_fields_again(Results* results, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    """Copy the fields of an earlier row: all of them, or none if they do not fit."""
    cdef int k, status
    for k in range(results.count):
        if results.texts[k].places is not NULL and not fits_again(&results.texts[k], first, first + 1):
            return FULL
    status = put_missing_again(&results.valid, i, first)
    for k in range(results.count):
        if results.fields[k] == FIELD_POSITION:
            results.positions[i] = results.positions[first]
            status |= put_missing_again(&results.position_valid, i, first)
        elif results.fields[k] == FIELD_BOUNDS:
            memcpy(results.bounds + 8 * i, results.bounds + 8 * first, 8 * sizeof(int32_t))
            status |= put_missing_again(&results.bounds_valid, i, first)
        else:
            status |= put_again(&results.texts[k], first)
    return status


cdef inline bint is_full(Results* results, Py_ssize_t n) noexcept nogil:
    """Return whether `n` more octets might not fit in a field."""
    cdef int k
    for k in range(results.count):
        if results.texts[k].n + n > results.texts[k].full and results.texts[k].places is not NULL:
            return True
    return False


# --- lists: findings and parameters

cdef int put_list_again(Texts* texts, int columns, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Copy the list of an earlier row, whose items are the rows `start` to `end` of the columns."""
    cdef Py_ssize_t i
    cdef int k
    if texts[0].rows + end - start > MOST_LIST_ITEMS:
        return FULL
    for k in range(columns):
        if not fits_again(&texts[k], start, end):
            return FULL
    for k in range(columns):
        for i in range(start, end):
            if reserve_row(&texts[k]) != DONE or put_again(&texts[k], i) != DONE:
                return NO_MEMORY
    return DONE


cdef int put_answers(Texts* texts, int columns, values) except -1:
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
        if texts[k].n + n > texts[k].full:
            return FULL
    if texts[0].rows + len(octets) > MOST_LIST_ITEMS:
        return FULL
    for pair in octets:
        for k in range(columns):
            text = pair[k]
            if reserve_row(&texts[k]) != DONE or (put_null(&texts[k]) if text is None else put_text(&texts[k], text, len(<bytes>text))) != DONE:
                return NO_MEMORY
    return DONE


# --- one row, of any kind

cdef inline int put_result(Call* call, Results* results, Py_ssize_t i, Row* row) noexcept nogil:
    cdef int64_t number = 0
    cdef int status
    if row.invalid != NOTHING and call.needs & VALIDITY:
        return NULL_ROW
    if results.kind == TEXT_RESULT or results.kind == LIST_RESULT:
        return call.operation.write(call, &row.span, &row.bounds, results.texts)
    status = call.operation.compute(call, &row.span, &row.bounds, &number)
    if results.kind == NUMBER_RESULT:
        results.numbers[i] = number
    else:
        results.flags[i >> 3] |= (number != 0) << (i & 7)
    return status


cdef inline int put_result_again(Results* results, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
    cdef int status
    if results.kind == TEXT_RESULT:
        return put_again(&results.texts[0], first)
    if results.kind == STRUCT_RESULT:
        return put_fields_again(results, i, first)
    if results.kind == LIST_RESULT:
        status = put_list_again(results.texts, results.count, results.ends[first], results.ends[first + 1])
        results.ends[i + 1] = <int32_t>results.texts[0].rows
        return put_missing_again(&results.valid, i, first) if status == DONE else status
    if results.kind == FLAG_RESULT:
        results.flags[i >> 3] |= is_there(results.flags, first) << (i & 7)
    else:
        results.numbers[i] = results.numbers[first]
    return put_missing_again(&results.valid, i, first)


cdef int put_python_value(Call* call, Results* results, Py_ssize_t i, Span* span, PyObject* row_of) except -1 with gil:
    cdef object function = <object>row_of
    cdef bytes octets
    value = function(decode_row(span)) if call.base.rows is NULL else function(decode_row(&call.base.span), decode_row(span))
    if value is None:
        return NULL_ROW
    if results.kind == LIST_RESULT:
        return put_answers(results.texts, results.count, value)
    if results.kind == NUMBER_RESULT:
        results.numbers[i] = value
        return DONE
    if results.kind == FLAG_RESULT:
        results.flags[i >> 3] |= <bint>value << (i & 7)
        return DONE
    octets = (<str>value).encode()
    return put_text(&results.texts[0], octets, len(octets))


# --- all rows

cdef int put_block(Call* call, Results* results, Py_ssize_t* done, Block* block, PyObject* row_of) except -1 nogil:
    """Write the results of a block of rows; add the number of rows that are written to `done`."""
    cdef Py_ssize_t i = done[0], k
    cdef int status = DONE
    if results.kind == FLAG_RESULT and call.operation.compute is NULL:
        # Whether each row is valid.
        put_flags(results.flags, i, block)
        status = put_missing_rows(&results.valid, i, block, 0, block.count)
        done[0] += block.count
    elif results.kind == TEXT_RESULT and results.fields[0] < 0:
        status = put_text_block(call, results, i, block, row_of)
        done[0] = results.texts[0].rows
    elif results.kind == STRUCT_RESULT or results.kind == TEXT_RESULT:
        status = put_field_block(results, done, block)
    else:
        for k in range(block.count):
            status = put_one(call, results, i + k, &block.rows[k], row_of)
            if status != DONE:
                break
            done[0] += 1
    return BROKEN if status == DONE and block.broken else status


cdef int put_text_block(Call* call, Results* results, Py_ssize_t i, Block* block, PyObject* row_of) except -1 nogil:
    """Write strings: several rows at once that are kept as they are, and all other rows one by one."""
    cdef Py_ssize_t first = 0, k = 0, octets = 0, may_keep = block.count
    cdef int status = DONE
    cdef Extent kept_part = PART if call.needs & HOST_PARTS else WHOLE
    cdef Keeper keeps = call.operation.keeps
    if call.needs & HOST_PARTS:
        find_host_parts(call.suffixes, call.part, block.rows, block.count)
    # Some operations cannot write the rows that are kept, so the shortcut is not disabled for them.
    if keeps is NULL or (disabled_shortcut == IS_KEPT and not call.needs & CHANGE):
        may_keep = 0
    while first < block.count and status == DONE:
        while k < may_keep and block.rows[k].invalid == NOTHING and keeps(call, &block.rows[k]):
            octets += block.rows[k].span.n
            k += 1
        if first < k:
            status = put_extent(&results.texts[0], kept_part, block, first, k, octets)
            first, octets = k, 0
        if k < block.count and status == DONE:
            status = put_one(call, results, i + k, &block.rows[k], row_of)
            k += 1
            first = k
    return status


cdef int put_field_block(Results* results, Py_ssize_t* done, Block* block) noexcept nogil:
    """Write parts of rows: all rows at once, or one by one if they might not fit."""
    cdef Py_ssize_t i = done[0], k = 0, step = block.count
    cdef int status
    if results.kind == TEXT_RESULT:
        remove_missing(block)
    # No field is longer than its row, or than the longest name of a component or host kind.
    if is_full(results, block.octets + LONGEST_KIND * block.count):
        step = 1
    while k < block.count:
        if step == 1 and results.kind == STRUCT_RESULT and is_full(results, block.rows[k].span.n + LONGEST_KIND):
            return FULL
        status = put_fields(results, i, block, k, k + step)
        if status != DONE:
            return status
        k += step
        done[0] += step
    return DONE


cdef int put_one(Call* call, Results* results, Py_ssize_t i, Row* row, PyObject* row_of) except -1 nogil:
    """Write the result of row `i`: null if the row or its base is null, or by the Python function if necessary."""
    cdef Span base
    cdef int status = NULL_ROW if row.invalid == MISSING else DONE
    cdef int base_status
    if call.base.rows is not NULL:
        base_status = read_row(<Rows>call.base.rows, call.base.start + (0 if call.base.is_single else i), &base)
        if base_status == ROW_BROKEN:
            return BROKEN
        if base_status == ROW_MISSING:
            status = NULL_ROW
        elif status == DONE:
            status = read_base(call, &base)
    if status == DONE:
        status = put_result(call, results, i, row)
    if status == BY_REFERENCE:
        status = put_python_value(call, results, i, &row.span, row_of)
    if status == NULL_ROW:
        status = put_null(&results.texts[0]) if results.kind == TEXT_RESULT else put_missing(&results.valid, i)
    if status == DONE and results.kind == LIST_RESULT:
        results.ends[i + 1] = <int32_t>results.texts[0].rows
    return status


def apply(str act, tuple sources, Py_ssize_t count, str layout, row_of, tuple options, Py_ssize_t full, /):
    """Apply an operation to rows; return an array and the number of its rows, less than `count` if it is full.

    Args:
        sources: for each input column: its `Rows`, the first row, and whether to repeat that row.
        row_of: the Python function for a single row whose result the kernel cannot compute.
        options: the options of the function, see `open_call`; for `parse`, also the field names.
        full: the largest number of octets in one array.

    For errors, see `check_status`.
    """
    if act in WHOLE_COLUMNS:
        return WHOLE_COLUMNS[act](options[0], sources, count, layout, row_of, options[1], full)
    cdef Call w
    cdef Results results
    cdef Block block
    cdef bint two = len(sources) == 2
    cdef Rows rows = sources[1 if two else 0][0]
    cdef Py_ssize_t start = sources[1 if two else 0][1], i = 0, first
    cdef int status = DONE
    cdef Py_ssize_t* firsts = NULL
    memset(&results, 0, sizeof(Results))
    open_call(&w, act, options)
    if two:
        w.base.rows, w.base.start, w.base.is_single = <void*>sources[0][0], sources[0][1], sources[0][2]
    try:
        open_result(&results, w.operation, count, LAYOUTS.index(layout), options, full, rows, start)
        # With a column of base URIs, the result also depends on the base of each row.
        if w.base.is_single or not two:
            firsts = open_firsts(rows, count)
        with nogil:
            while i < count and status == DONE:
                first = find_first_equal(firsts, rows, start, i)
                if first >= 0:
                    status = put_result_again(&results, i, first)
                    i += status == DONE
                    continue
                status = read_block(&w, rows, start, i, count, firsts, &block)
                if status == DONE:
                    status = put_block(&w, &results, &i, &block, <PyObject*>row_of)
        check_status(status, start, i)
        return create_result_array(&results, i, rows), i
    finally:
        room_free(firsts)
        close_result(&results)
        close_call(&w)


cdef struct Each:
    # One of several column functions, its results, and the number of rows that it has written.
    Call call
    Results results
    PyObject* row_of
    Py_ssize_t done


def is_shared(str act, tuple options, /):
    """Return whether a column function can use the scan of rows by the grammar rule `IRI-reference`."""
    if act in WHOLE_COLUMNS:
        return False
    return not TABLE[<int>OPERATIONS[act]].needs & RULE or parse_rule_name(options[0]) == 0


def apply_each(tuple functions, tuple source, Py_ssize_t count, str layout, Py_ssize_t full, /):
    """Do as `apply` for several functions, with an array for each, but read and scan each row once.

    `functions` has the name, `row_of` and the options of each, for which `is_shared` is true. `source` has
    the `Rows` of the column, and the first row.
    """
    cdef Rows rows = source[0]
    cdef Py_ssize_t start = source[1], i = 0, first, k, number = len(functions)
    cdef int status = DONE, here
    cdef Py_ssize_t* firsts = NULL
    cdef Call scanning
    cdef Block block
    cdef Each* one
    memset(&scanning, 0, sizeof(Call))
    scanning.needs = BOUNDS
    cdef Each* all_of = <Each*>room_zeroed(number * sizeof(Each))
    if all_of is NULL:
        raise MemoryError
    try:
        for k, (act, row_of, options) in enumerate(functions):
            one = &all_of[k]
            one.row_of = <PyObject*>row_of  # `functions` keeps it alive
            open_call(&one.call, act, options)
            open_result(&one.results, one.call.operation, count, LAYOUTS.index(layout), options, full, rows, start)
        firsts = open_firsts(rows, count)
        with nogil:
            while i < count and status == DONE:
                first = find_first_equal(firsts, rows, start, i)
                if first < 0:
                    status = read_block(&scanning, rows, start, i, count, firsts, &block)
                if status != DONE:
                    break
                for k in range(number):
                    one = &all_of[k]
                    if first < 0:
                        here = put_block(&one.call, &one.results, &one.done, &block, one.row_of)
                    else:
                        here = put_result_again(&one.results, i, first)
                        one.done += here == DONE
                    # If an array is full, the other functions still write this block.
                    status = max(status, here)
                i = all_of[0].done
        # The array that is full has the fewest rows.
        for k in range(number):
            i = min(i, all_of[k].done)
        check_status(status, start, i)
        return [create_result_array(&all_of[k].results, all_of[k].done, rows).first_rows(i) for k in range(number)], i
    finally:
        room_free(firsts)
        for k in range(number):
            close_result(&all_of[k].results)
            close_call(&all_of[k].call)
        room_free(all_of)
        close_call(&scanning)


cdef int open_result(
    Results* results, const Operation* operation, Py_ssize_t count, int layout, tuple options, Py_ssize_t full, Rows rows,
    Py_ssize_t start,
) except -1:
    cdef int k
    open_bits(&results.valid, count)
    results.kind = operation.result
    if results.kind == NUMBER_RESULT:
        results.numbers = <int64_t*>allocate_zeroed(count * sizeof(int64_t))
    elif results.kind == FLAG_RESULT:
        results.flags = <unsigned char*>allocate_zeroed(count >> 3)
    elif results.kind == STRUCT_RESULT:
        open_bits(&results.position_valid, count)
        open_bits(&results.bounds_valid, count)
        for name in options[1]:
            k = results.count
            results.count += 1  # first, so that the field is freed if opening it fails
            results.fields[k] = FIELDS.index(name)
            if results.fields[k] == FIELD_POSITION:
                results.positions = <int32_t*>allocate_zeroed(count * sizeof(int32_t))
            elif results.fields[k] == FIELD_BOUNDS:
                results.bounds = <int32_t*>allocate_zeroed(count * 8 * sizeof(int32_t))
            else:
                open_texts(&results.texts[k], layout, count, full, rows, start)
    else:
        results.fields[0] = operation.field
        results.count = 2 if operation.needs & PAIRS else 1
        if results.kind == LIST_RESULT:
            results.ends = <int32_t*>allocate_zeroed(count * sizeof(int32_t))
        for k in range(results.count):
            open_texts(&results.texts[k], layout, count, full, rows, start)
    return 0


cdef void* allocate_zeroed(Py_ssize_t size) except NULL:
    """Return zeroed memory of `size + 8` octets, so that it is never empty."""
    cdef void* memory = room_zeroed(size + 8)
    if memory is NULL:
        raise MemoryError
    return memory


cdef void close_result(Results* results) noexcept:
    """Free the buffers that no array has taken over."""
    cdef int k
    for k in range(results.count):
        close_texts(&results.texts[k])
    room_free(results.numbers)
    room_free(results.flags)
    room_free(results.ends)
    room_free(results.positions)
    room_free(results.bounds)
    room_free(results.valid.p)
    room_free(results.position_valid.p)
    room_free(results.bounds_valid.p)


cdef Made create_result_array(Results* results, Py_ssize_t rows, Rows source):
    cdef Made array
    cdef Bits always
    cdef int k
    cdef list children = []
    if results.kind == NUMBER_RESULT:
        return make_bits_array(&results.valid, rows, <void**>&results.numbers)
    if results.kind == FLAG_RESULT:
        return make_bits_array(&results.valid, rows, <void**>&results.flags)
    for k in range(results.count):
        if results.kind == STRUCT_RESULT and results.fields[k] == FIELD_POSITION:
            children.append(make_bits_array(&results.position_valid, rows, <void**>&results.positions))
        elif results.kind == STRUCT_RESULT and results.fields[k] == FIELD_BOUNDS:
            children.append(create_bounds_array(&results.bounds_valid, rows, <void**>&results.bounds))
        else:
            children.append(make_text_array(&results.texts[k], source))
    if results.kind == TEXT_RESULT:
        return children[0]
    if results.kind == STRUCT_RESULT:
        return create_struct_array(&results.valid, rows, tuple(children))
    if results.count == 2:
        open_bits(&always, 0)  # No pair is null.
        children = [create_struct_array(&always, results.ends[rows], tuple(children))]
    array = Made(rows, results.valid.missing, 2, tuple(children))
    array.own(1, <void**>&results.ends)
    array.own(0, <void**>&results.valid.p)
    return array


cdef Made create_bounds_array(Bits* valid, Py_ssize_t rows, void** data):
    cdef Made array = Made(8 * rows, 0, 2), lists
    array.own(1, data)
    lists = Made(rows, valid.missing, 1, (array,))
    lists.own(0, <void**>&valid.p)
    return lists


cdef Made create_struct_array(Bits* valid, Py_ssize_t rows, tuple children):
    cdef Made array = Made(rows, valid.missing, 1, children)
    array.own(0, <void**>&valid.p)
    return array


cdef str decode_row(Span* span):
    """Return a row as a `str`; an octet that is not UTF-8 becomes a lone surrogate."""
    return PyUnicode_DecodeUTF8(<const char*>span.p, span.n, "surrogateescape")


cdef int check_status(int status, Py_ssize_t start, Py_ssize_t done) except -1:
    """Raise `OverflowError` for a row that is too long, `ColumnError` for one outside of its buffers."""
    if status == NO_MEMORY:
        raise MemoryError
    if status == BROKEN:
        from uriverse._errors import ColumnError
        from uriverse.columns import _buffers
        raise ColumnError(*_buffers.describe_row_fault(start + done))
    if status == FULL and done == 0:
        raise OverflowError("a string is too long for this layout; use large_string")
    return 0
