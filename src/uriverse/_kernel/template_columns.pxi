# URI Templates for columns: the variables of each URI as the fields of a struct, and the expansion of each
# row: `uriverse.columns._templates`.

cdef enum:
    # The kinds of fields.
    TEXT_FIELD, NUMBER_FIELD, TEXTS_FIELD, PAIRS_FIELD

FIELD_KINDS = ("text", "number", "texts", "pairs")

cdef enum:
    MOST_SOURCES = 32  # the largest number of columns that a template is expanded with

cdef struct FieldColumn:
    # The column of a variable. A list in a column of pairs has the name of the variable in each pair.
    int kind
    Octets name
    Texts texts[2]  # the names and the values of pairs; otherwise, only the second is used
    Bits valid
    int64_t* numbers
    int32_t* ends  # of lists

cdef struct FieldColumns:
    FieldColumn fields[MOST_SLOTS]
    int count
    Bits valid
    CapturedItems captured
    DecodedItems items


def match_column(program, tuple sources, Py_ssize_t count, str layout, row_of, tuple kinds, Py_ssize_t full, /):
    """Match rows against a template, as `apply`.

    `row_of` returns the fields of a row as a mapping, or `None`. `kinds` are those of the fields.
    """
    cdef FieldColumns* columns = <FieldColumns*>room_zeroed(sizeof(FieldColumns))
    cdef Rows rows = sources[0][0]
    cdef Py_ssize_t start = sources[0][1], i = 0
    cdef int status = DONE
    cdef void* matching = get_address(program, TemplateMatching)
    cdef list names = [(<str>name).encode() for name in program.names]
    if columns is NULL:
        raise MemoryError
    try:
        open_bits(&columns.valid, count)
        for k in range(len(kinds)):
            columns.fields[k].name = get_octets(names[k])
            columns.count += 1
            open_field(&columns.fields[k], FIELD_KINDS.index(kinds[k]), count, LAYOUTS.index(layout), full, rows, start)
        with nogil:
            while i < count and status == DONE:
                status = match_row(matching, columns, rows, start, i, row_of)
                i += status == DONE
        check_status(status, start, i)
        return create_struct_array(&columns.valid, i, tuple([create_field_array(&columns.fields[k], i, rows) for k in range(columns.count)])), i
    finally:
        for k in range(columns.count):
            close_texts(&columns.fields[k].texts[0])
            close_texts(&columns.fields[k].texts[1])
            room_free(columns.fields[k].valid.p)
            room_free(columns.fields[k].numbers)
            room_free(columns.fields[k].ends)
        room_free(columns.valid.p)
        room_free(columns)


cdef int put_route(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the name of the first template of a router that matches a row."""
    cdef CapturedItems captured
    cdef DecodedItems items
    cdef int k, matched
    if span.n > LONGEST_MATCHED or bounds.position >= 0:
        return BY_REFERENCE
    for k in range(call.route_count):
        matched = match_scanned(call.routes[k], span.p, span.n, bounds, &captured, &items)
        if matched == MATCH_UNKNOWN:
            return BY_REFERENCE
        if matched == MATCHES:
            return put_text(texts, call.route_names[k].p, call.route_names[k].n)
    return NULL_ROW


cdef int open_field(FieldColumn* field, int kind, Py_ssize_t count, int layout, Py_ssize_t full, Rows rows, Py_ssize_t start) except -1:
    field.kind = kind
    open_bits(&field.valid, count)
    if kind == NUMBER_FIELD:
        field.numbers = <int64_t*>allocate_zeroed(count * sizeof(int64_t))
        return 0
    if kind != TEXT_FIELD:
        field.ends = <int32_t*>allocate_zeroed(count * sizeof(int32_t))
    if kind == PAIRS_FIELD:
        open_texts(&field.texts[0], layout, count, full, rows, start)
    open_texts(&field.texts[1], layout, count, full, rows, start)
    return 0


cdef Made create_field_array(FieldColumn* field, Py_ssize_t count, Rows rows):
    cdef Made array, items
    cdef Bits always
    if field.kind == NUMBER_FIELD:
        return make_bits_array(&field.valid, count, <void**>&field.numbers)
    items = make_text_array(&field.texts[1], rows)
    if field.kind == TEXT_FIELD:
        return items
    if field.kind == PAIRS_FIELD:
        open_bits(&always, 0)
        items = create_struct_array(&always, field.ends[count], (make_text_array(&field.texts[0], rows), items))
    array = Made(count, field.valid.missing, 2, (items,))
    array.own(1, <void**>&field.ends)
    array.own(0, <void**>&field.valid.p)
    return array


cdef int match_row(void* matching, FieldColumns* columns, Rows rows, Py_ssize_t start, Py_ssize_t i, row_of) except -1 nogil:
    cdef Span span
    cdef Scan bounds
    cdef int row_status = read_row(rows, start + i, &span), matched = NO_MATCH, k, status = DONE
    if row_status == ROW_BROKEN:
        return BROKEN
    if row_status == ROW_THERE:
        matched = MATCH_UNKNOWN
        if span.n <= LONGEST_MATCHED and is_ascii(span.p, span.n) and fast_scan(span.p, span.n, 0, &bounds):
            matched = match_scanned(matching, span.p, span.n, &bounds, &columns.captured, &columns.items)
        if matched == MATCH_UNKNOWN:
            return put_python_fields(columns, i, &span, row_of)
    if matched == MATCHES:
        # All fields of the row fit, or none is written.
        for k in range(columns.count):
            if not field_fits(&columns.fields[k], span.n, columns.captured.count):
                return FULL
    else:
        status = put_missing(&columns.valid, i)
    for k in range(columns.count):
        status |= put_field(&columns.fields[k], i, k, &columns.captured, &columns.items, matched == MATCHES)
    return status


cdef inline bint field_fits(FieldColumn* field, Py_ssize_t n, Py_ssize_t item_count) noexcept nogil:
    """Return whether `n` octets in some items certainly fit."""
    cdef Texts* names = &field.texts[0]
    cdef Texts* values = &field.texts[1]
    if field.kind == NUMBER_FIELD:
        return True
    if field.kind == PAIRS_FIELD and names.n + n + item_count * field.name.n > names.full:
        return False
    return values.n + n <= values.full and values.rows + item_count <= MOST_LIST_ITEMS


cdef int put_field(FieldColumn* field, Py_ssize_t i, int k, CapturedItems* captured, DecodedItems* items, bint matched) noexcept nogil:
    """Write the items of variable `k` in a row that matches, or null."""
    cdef int j, status = DONE
    cdef bint has_item = False
    for j in range(captured.count if matched else 0):
        if captured.items[j].slot != k:
            continue
        has_item = True
        if field.kind == NUMBER_FIELD:
            field.numbers[i] = items.numbers[j]
        elif field.kind == PAIRS_FIELD:
            status |= put_item(&field.texts[0], items.names[j] if captured.mappings >> k & 1 else field.name)
        if field.kind != NUMBER_FIELD:
            status |= put_item(&field.texts[1], items.values[j])
    return status | end_field(field, i, has_item)


cdef inline int put_item(Texts* texts, Octets item) noexcept nogil:
    return NO_MEMORY if reserve_row(texts) != DONE else put_text(texts, item.p, item.n)


cdef inline int end_field(FieldColumn* field, Py_ssize_t i, bint has_item) noexcept nogil:
    """End the row of a field; make it null without an item."""
    if field.kind == TEXT_FIELD:
        return DONE if has_item else put_null(&field.texts[1])
    if field.kind != NUMBER_FIELD:
        field.ends[i + 1] = <int32_t>field.texts[1].rows
    return DONE if has_item else put_missing(&field.valid, i)


cdef int put_python_fields(FieldColumns* columns, Py_ssize_t i, Span* span, row_of) except -1 with gil:
    """Write the fields that the Python function returns for a row: all of them, or none if one does not fit."""
    cdef FieldColumn* field
    cdef int k, status = DONE
    cdef list contents
    mapping = row_of(decode_row(span))
    if mapping is None:
        status = put_missing(&columns.valid, i)
        for k in range(columns.count):
            status |= end_field(&columns.fields[k], i, False)
        return status
    contents = [None if value is None else encode_field(value) for value in (<dict>mapping).values()]
    for k in range(columns.count):
        if contents[k] is not None and columns.fields[k].kind != NUMBER_FIELD:
            size = sum([len(octets) for pair in <list>contents[k] for octets in pair])
            if not field_fits(&columns.fields[k], size, len(<list>contents[k])):
                return FULL
    for k in range(columns.count):
        field = &columns.fields[k]
        if contents[k] is not None and field.kind == NUMBER_FIELD:
            field.numbers[i] = contents[k]
        elif contents[k] is not None:
            for name, text in <list>contents[k]:
                if field.kind == PAIRS_FIELD:
                    status |= put_item(&field.texts[0], get_octets(name))
                status |= put_item(&field.texts[1], get_octets(text))
        status |= end_field(field, i, contents[k] is not None)
    return status


cdef object encode_field(value):
    """Return a number, or the names and strings of a field as octets. Without a name, it is empty."""
    if type(value) is int:
        return value
    if type(value) is str:
        value = [value]
    return [
        (item[0].encode(), item[1].encode()) if type(item) is tuple else (b"", (<str>item).encode())
        for item in value
    ]


# --- expansion

def expand_columns(program, tuple sources, Py_ssize_t count, str layout, row_of, tuple places, Py_ssize_t full, /):
    """Expand a template with the strings of each row, as `apply`.

    At least one column is not repeated. `row_of` returns the expansion for the strings of a row, or `None`.
    `places` are the indexes of the columns of the variables; -1 without one.
    """
    cdef ExpandedRow row
    cdef Texts texts
    if len(sources) > MOST_SOURCES:
        raise ValueError("too many columns")
    cdef Py_ssize_t i = 0, k, start = 0
    cdef int status = DONE
    cdef Rows last
    cdef void* expansion = get_address(program, TemplateExpansion)
    memset(&texts, 0, sizeof(Texts))
    memset(&row.out, 0, sizeof(Scratch))
    for k in range(len(sources)):
        row.rows[k], row.starts[k], row.repeated[k] = <void*>sources[k][0], sources[k][1], sources[k][2]
        # A column with one row, which is repeated, has no offsets for `count` rows.
        if not row.repeated[k]:
            last, start = sources[k][0], row.starts[k]
    row.count = len(sources)
    cdef bytes columns = b"".join([(<int>place).to_bytes(1, "little", signed=True) for place in places])
    row.places = <const signed char*><const unsigned char*>columns
    try:
        open_texts(&texts, LAYOUTS.index(layout), count, full, last, start)
        with nogil:
            while i < count and status == DONE:
                status = expand_row(expansion, &row, i, &texts, row_of)
                i += status == DONE
        check_status(status, start, i)
        return make_text_array(&texts, last), i
    finally:
        close_texts(&texts)
        free(row.out.p)


cdef struct ExpandedRow:
    void* rows[MOST_SOURCES]
    Py_ssize_t starts[MOST_SOURCES]
    bint repeated[MOST_SOURCES]
    Span spans[MOST_SOURCES]
    bint is_present[MOST_SOURCES]
    int count
    const signed char* places
    Scratch out


cdef int expand_row(void* program, ExpandedRow* row, Py_ssize_t i, Texts* texts, row_of) except -1 nogil:
    """Write the expansion with row `i` of each column; only Python expands with strings that are not UTF-8."""
    cdef Scan bounds
    cdef Py_ssize_t n
    cdef int k, row_status
    cdef bint are_all_utf8 = True
    for k in range(row.count):
        row_status = read_row(<Rows>row.rows[k], row.starts[k] + (0 if row.repeated[k] else i), &row.spans[k])
        if row_status == ROW_BROKEN:
            return BROKEN
        row.is_present[k] = row_status == ROW_THERE
        are_all_utf8 = are_all_utf8 and (row_status == ROW_MISSING or is_utf8(row.spans[k].p, row.spans[k].n))
    n = expand_spans(program, row.places, row.spans, row.is_present, &row.out) if are_all_utf8 else NO_OUTPUT
    if n == NO_OUTPUT_MEMORY:
        return NO_MEMORY
    if n >= 0 and is_ascii(row.out.p, n) and n <= LONGEST_TEXT and fast_scan(row.out.p, n, 0, &bounds):
        return put_text(texts, row.out.p, n)
    return put_python_expansion(row, texts, row_of)


cdef int put_python_expansion(ExpandedRow* row, Texts* texts, row_of) except -1 with gil:
    cdef int k
    cdef bytes octets
    expansion = row_of(*[decode_row(&row.spans[k]) if row.is_present[k] else None for k in range(row.count)])
    if expansion is None:
        return put_null(texts)
    octets = (<str>expansion).encode()
    return put_text(texts, <const unsigned char*>octets, len(octets))
