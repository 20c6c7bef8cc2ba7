# Repair strings so that every parser certainly finds the same host: `uriverse.diagnosis._repairing`. All other
# repairs, and the errors, are left to the Python functions.
# Other files call `write_repair`.

cdef enum:
    # The kinds of changes, as indices of CHANGE_KINDS.
    TRIMMED, REMOVED, PERCENT_ENCODED, SLASHED
    CHANGES_ON_STACK = 32

CHANGE_KINDS = ("trim", "remove", "encode", "backslash")

cdef struct Change:
    # A change: a span of the input, and its replacement in the result.
    int kind
    Py_ssize_t start, end, output_start, output_end

cdef struct Draft:
    # A string during a repair.
    const unsigned char* source  # the input
    Py_ssize_t source_index, end  # the offset in the input of the next character to repair, and of its end without whitespace
    const unsigned char* p  # the string without what is trimmed or removed, followed by a NUL
    Py_ssize_t n, i  # its length, and the offset of the next character to repair
    unsigned char* out
    Py_ssize_t output_size
    Change* changes  # NULL if only the result is needed
    Py_ssize_t count, room
    Change here[CHANGES_ON_STACK]

# Whether a finding, by its code, does not keep the kernel from repairing a string. Until `set_repair_classes` is called, every
# finding does.
cdef bint IS_UNDISPUTED[CODES_REPORTED]

# The classes `Repaired` and `Repair`, and the descriptors of their slots.
cdef type repaired_class = None, change_class = None
cdef tuple repaired_slots = (), change_slots = ()


def set_repair_classes(type repaired, type change, disputes, /):
    """Set the classes of results, which have slots, and the codes of disputes about the host."""
    global repaired_class, repaired_slots, change_class, change_slots
    cdef int code
    for code in range(CODES_REPORTED):
        IS_UNDISPUTED[code] = REPORTED[code] not in disputes
    repaired_slots = tuple([getattr(repaired, name) for name in repaired.__slots__])
    change_slots = tuple([getattr(change, name) for name in change.__slots__])
    repaired_class, change_class = repaired, change


cdef inline bint is_removed(unsigned char c) noexcept nogil:
    """Return whether browsers remove a character everywhere: tabs and line breaks."""
    return c == c"\t" or c == c"\n" or c == c"\r"


# --- disputes

# In these functions, the status NULL_ROW stands for a string that `repair` rejects.


cdef int split_malformed(const unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil:
    """Return DONE if scheme and authority are clear; the userinfo may have characters that no parser interprets."""
    cdef Py_ssize_t i = 0, k, sign
    cdef int invalid
    bounds.scheme_end = bounds.authority = bounds.host = bounds.host_end = -1
    if FLAGS[text[0]] & ALPHA:
        i = 1
        while FLAGS[text[i]] & IN_SCHEME:
            i += 1
    if i > 0 and text[i] == c":":
        bounds.scheme_end = i
        i += 1
    else:
        i = 0
        while i < n and not ends_authority(text[i]):
            if text[i] == c":":
                return NULL_ROW if i else BY_REFERENCE  # an invalid scheme
            i += 1
        i = 0
    if text[i] == c"/" and text[i + 1] == c"/":
        bounds.authority = i + 2
        invalid = scan_authority(text, n, NONE, bounds)
        if invalid == USERINFO:
            sign = bounds.authority
            while text[sign] != c"@":  # `scan_authority` found one
                if text[sign] <= 0x20 or text[sign] == 0x7F or text[sign] == c"\\":
                    return NULL_ROW
                if text[sign] > 0x7F or text[sign] == c"[" or text[sign] == c"]":
                    return BY_REFERENCE
                sign += 1
            k = bounds.authority
            bounds.authority = sign + 1
            invalid = scan_authority(text, n, NONE, bounds)
            bounds.authority = k
        if invalid != NOTHING:
            # Non-ASCII hosts may be domain names.
            return NULL_ROW if text[bounds.position] < 0x80 else BY_REFERENCE
        i = bounds.path
    bounds.path = i
    while i < n and text[i] != c"?" and text[i] != c"#":
        i += 1
    bounds.path_end = i
    while i < n and text[i] != c"#":
        i += 1
    bounds.query_end = i
    return DONE


cdef int find_disputes(const unsigned char* text, Py_ssize_t n, Scan* bounds, bint iri, Rules* rules) noexcept nogil:
    """Return DONE if parsers agree about the host; `rules` are NULL for a relative reference."""
    cdef Report report
    cdef int k
    cdef Py_ssize_t i = bounds.scheme_end + 1
    report.count = report.left = report.first_only = 0
    report.rules = rules
    while text[i] == c"/":
        i += 1
    if bounds.scheme_end >= 0 and text[i] == c"\\":
        return BY_REFERENCE
    find_outset_ambiguities(text, bounds, &report)
    if bounds.authority >= 0:
        find_userinfo_ambiguities(text, n, bounds, &report)
        find_host_ambiguities(text, text + bounds.host, False, bounds, &report)
        find_port_ambiguities(text, bounds, &report)
    for k in range(report.count):
        if not IS_UNDISPUTED[report.notes[k].code]:
            return NULL_ROW
    if report.left:
        return BY_REFERENCE
    if bounds.authority < 0:
        if is_slash(text[bounds.path]) and is_slash(text[bounds.path + 1]):
            return NULL_ROW
        # The scheme may be a drive letter.
        if bounds.scheme_end == 1 or (bounds.scheme_end < 0 and (may_be_drive(text) or not first_segment_is_clear(text, bounds, iri))):
            return BY_REFERENCE
    if has_flag(&report, IS_LOCAL) and bounds.host > bounds.authority:
        return NULL_ROW
    # The base URI of a reference without a scheme may be a file URI.
    if (bounds.scheme_end < 0 or has_flag(&report, IS_LOCAL)) and has_drive(text, bounds):
        return BY_REFERENCE
    return DONE


cdef bint may_be_drive(const unsigned char* text) noexcept nogil:
    """Return whether a path may begin with a drive letter: `_ambiguity.DRIVE`."""
    cdef Py_ssize_t i = 0
    while text[i] == c"/":
        i += 1
    if FLAGS[text[i]] & ALPHA:
        i += 1
    elif is_triplet(text + i):
        i += 3
    else:
        return False
    if text[i] == c":" or text[i] == c"|":
        i += 1
    elif is_triplet(text + i):
        i += 3
    else:
        return False
    return text[i] == 0 or ends_authority(text[i]) or text[i] == c"\\"


cdef bint first_segment_is_clear(const unsigned char* text, Scan* bounds, bint iri) noexcept nogil:
    """Return whether no program reads the first segment of a path as a host that a repair would change."""
    cdef Py_ssize_t i = 0, end = bounds.path_end
    cdef bint changes, like_path = False
    while i < end and not is_slash(text[i]):
        if text[i] == c"@":
            return False
        like_path |= text[i] == c" " or text[i] == c"[" or text[i] == c"]"
        i += 1
    changes = find_run_end(text, 0, IN_PATH, UCSCHAR if iri else NONE) < i
    if (changes or contains_octet(text, 0, end, c"\\")) and contains_octet(text, 0, end, c":"):
        return False
    return like_path or not changes


cdef bint has_drive(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return whether a segment of the path is a letter and "|"."""
    cdef Py_ssize_t i
    for i in range(bounds.path + 1, bounds.path_end):
        if (
            text[i] == c"|" and FLAGS[text[i - 1]] & ALPHA
            and (i - 1 == bounds.path or is_slash(text[i - 2]))
            and (i + 1 == bounds.path_end or is_slash(text[i + 1]))
        ):
            return True
    return False


cdef Py_ssize_t find_host_end(const unsigned char* text, Py_ssize_t n, Scan* bounds) noexcept nogil:
    """Return the offset of the delimiter that ends what decides about the host: `_repairing.get_host_context`."""
    cdef Py_ssize_t i = 0
    if bounds.authority >= 0:
        return bounds.path
    if bounds.scheme_end >= 0:
        return bounds.scheme_end
    if contains_octet(text, 0, bounds.path_end, c":"):
        return bounds.path_end
    while i < bounds.path_end and not is_slash(text[i]):
        i += 1
    return i


# --- changes

cdef bint add_change(Draft* draft, int kind, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Add a change whose replacement begins at the end of the result; return false if memory runs out."""
    cdef Change* changes
    cdef Change* change
    if draft.count == draft.room:
        changes = <Change*>malloc(2 * draft.room * sizeof(Change))
        if changes is NULL:
            return False
        memcpy(changes, draft.changes, draft.count * sizeof(Change))
        close_changes(draft)
        draft.changes = changes
        draft.room *= 2
    change = &draft.changes[draft.count]
    change.kind, change.start, change.end = kind, start, end
    change.output_start = change.output_end = draft.output_size
    draft.count += 1
    return True


cdef inline void close_changes(Draft* draft) noexcept nogil:
    if draft.changes != draft.here:
        free(draft.changes)


cdef bint advance_place(Draft* draft, Py_ssize_t i) noexcept nogil:
    """Set the place of the character at offset `i`; add a change for each run of characters removed before it."""
    cdef Py_ssize_t start
    while True:
        start = draft.source_index
        while draft.source_index < draft.end and is_removed(draft.source[draft.source_index]):
            draft.source_index += 1
        if start < draft.source_index and not add_change(draft, REMOVED, start, draft.source_index):
            return False
        if draft.i == i:
            return True
        draft.i += 1
        draft.source_index += 1


cdef bint extend_changes(Draft* draft, int kind, Py_ssize_t i, Py_ssize_t length) noexcept nogil:
    """Add the change of a character, or extend the change of the character before it, if it is of the same kind."""
    cdef Change* last
    if draft.changes is NULL:
        return True
    if not advance_place(draft, i):
        return False
    if draft.count:
        last = &draft.changes[draft.count - 1]
        if last.kind == kind and last.end == draft.source_index:
            last.end += length
            return True
    return add_change(draft, kind, draft.source_index, draft.source_index + length)


cdef int repair_part(Draft* draft, Py_ssize_t i, Py_ssize_t end, uint16_t characters, int allowed, bint to_slashes) noexcept nogil:
    """Write a component, with the characters that it does not allow replaced."""
    cdef Py_ssize_t k
    cdef int length
    while True:
        k = find_run_end(draft.p, i, characters, allowed)
        draft.output_size = put(draft.out, draft.output_size, draft.p, i, k)
        i = k
        if i >= end:
            return DONE
        length = 1 if draft.p[i] < 0x80 else 2 if draft.p[i] < 0xE0 else 3 if draft.p[i] < 0xF0 else 4
        if draft.p[i] == 0xED and draft.p[i + 1] >= 0xA0:
            return BY_REFERENCE  # a lone surrogate
        if to_slashes and draft.p[i] == c"\\":
            if not extend_changes(draft, SLASHED, i, 1):
                return NO_MEMORY
            draft.out[draft.output_size] = c"/"
            draft.output_size += 1
            i += 1
        else:
            if not extend_changes(draft, PERCENT_ENCODED, i, length):
                return NO_MEMORY
            k = i + length
            while i < k:
                draft.output_size = write_triplet(draft.out, draft.output_size, draft.p[i])
                i += 1
        if draft.changes is not NULL:
            draft.changes[draft.count - 1].output_end = draft.output_size


cdef int repair_text(const unsigned char* text, Py_ssize_t n, bint iri, unsigned char* room, Draft* draft, Scan* done) noexcept nogil:
    """Repair a string that is not valid; return DONE, NULL_ROW, BY_REFERENCE or NO_MEMORY.

    Args:
        text: the string, followed by a NUL.
        n: its length.
        iri: whether to keep non-ASCII characters.
        room: memory for four bytes for each byte of the string, and eight more.
        draft: its `changes` are NULL if only the result is needed.
        done: gets the bounds of the result.
    """
    cdef Scan bounds
    cdef Rules* rules = NULL
    cdef Py_ssize_t i, k, start = 0, end = n, removed = -1
    cdef int allowed = UCSCHAR if iri else NONE, status
    cdef unsigned char* copy = room + 3 * n + 4
    if n > LONGEST_TEXT // 3:
        return BY_REFERENCE
    while start < n and text[start] <= 0x20:
        start += 1
    while end > start and text[end - 1] <= 0x20:
        end -= 1
    for i in range(start, end):
        if is_removed(text[i]):
            removed = i - start
            break
    draft.source, draft.source_index, draft.end = text, start, end
    draft.p, draft.n, draft.i = text + start, end - start, 0
    draft.out, draft.output_size, draft.count = room, 0, 0
    if end < n or removed >= 0:
        k = 0
        for i in range(start, end):
            if not is_removed(text[i]):
                copy[k] = text[i]
                k += 1
        copy[k] = 0
        draft.p, draft.n = copy, k
    if start and draft.changes is not NULL:
        add_change(draft, TRIMMED, 0, start)
    status = split_malformed(draft.p, draft.n, &bounds)
    if status != DONE:
        return status
    if removed >= 0 and removed <= find_host_end(draft.p, draft.n, &bounds):
        return NULL_ROW
    if bounds.scheme_end >= 0:
        rules = find_rules(draft.p, bounds.scheme_end)
        if rules is NULL:
            return BY_REFERENCE
    status = find_disputes(draft.p, draft.n, &bounds, iri, rules)
    if status != DONE:
        return status
    i = 0
    if bounds.host > bounds.authority:
        draft.output_size = i = put(room, 0, draft.p, 0, bounds.authority)
        status = repair_part(draft, bounds.authority, bounds.host - 1, IN_USERINFO, NONE, False)
        if status != DONE:
            return status
        i = bounds.host - 1
    draft.output_size = put(room, draft.output_size, draft.p, i, bounds.path)
    status = repair_part(draft, bounds.path, bounds.path_end, IN_PATH, allowed, rules is NULL or rules.flags & IS_SPECIAL)
    if status == DONE and bounds.path_end < bounds.query_end:
        draft.output_size = put(room, draft.output_size, b"?", 0, 1)
        status = repair_part(draft, bounds.path_end + 1, bounds.query_end, IN_QUERY, UCSCHAR_OR_IPRIVATE if iri else NONE, False)
    if status == DONE and bounds.query_end < draft.n:
        draft.output_size = put(room, draft.output_size, b"#", 0, 1)
        status = repair_part(draft, bounds.query_end + 1, draft.n, IN_QUERY, allowed, False)
    if status != DONE:
        return status
    if draft.changes is not NULL and not (advance_place(draft, draft.n) and (start == end or end == n or add_change(draft, TRIMMED, end, n))):
        return NO_MEMORY
    room[draft.output_size] = 0
    if draft.output_size > LONGEST_TEXT or scan(room, draft.output_size, 0 if iri else ASCII_ONLY, done) != NOTHING:
        return BY_REFERENCE
    return DONE


# --- for Python

cdef object create_with_slots(type kind, tuple slots, tuple values):
    """Create an instance of a frozen dataclass with slots without calling its `__init__`."""
    cdef object instance = (<PyTypeObject*>kind).tp_alloc(<PyTypeObject*>kind, 0)
    cdef Py_ssize_t k
    for k in range(len(values)):
        Py_TYPE(<PyObject*>slots[k]).tp_descr_set(slots[k], instance, values[k])
    return instance


def repair(str text, bint iri, /):
    """Repair a string, or return `None` if the Python functions must decide."""
    cdef Text utf8, room
    cdef Scan bounds
    cdef Draft draft
    cdef str result
    cdef int status
    if scan_text(text, 0 if iri else ASCII_ONLY, &bounds) == NOTHING:
        return create_with_slots(repaired_class, repaired_slots, (create_most_specific(text, &bounds), ()))
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT // 16:
        return None
    load_schemes()
    utf8.owned = room.owned = NULL
    draft.changes, draft.room = draft.here, CHANGES_ON_STACK
    try:
        open_text(text, &utf8)
        reserve_text(&room, 4 * utf8.n + 8)
        status = repair_text(utf8.p, utf8.n, iri, <unsigned char*>room.p, &draft, &bounds)
        if status == NO_MEMORY:
            raise MemoryError
        if status != DONE:
            return None
        result = decode_utf8(draft.out, draft.output_size)
        if not PyUnicode_IS_ASCII(result):
            convert_to_characters(draft.out, NOTHING, &bounds)
        return create_with_slots(repaired_class, repaired_slots, (create_most_specific(result, &bounds), list_changes(&draft, text, &utf8)))
    finally:
        close_changes(&draft)
        close_text(&utf8)
        close_text(&room)


cdef tuple list_changes(Draft* draft, str text, Text* utf8):
    """Return the changes as objects; those that overlap a secret are marked."""
    cdef Secrets secrets
    cdef Change* change
    cdef Py_ssize_t k, next_secret = 0, done = 0, shift = 0, start, end
    cdef bint ascii = PyUnicode_IS_ASCII(text)
    cdef list changes = []
    load_secrets()
    open_secrets(&secrets)
    try:
        if find_secrets(utf8.p, utf8.n, False, True, &secrets) != DONE:
            raise MemoryError
        for k in range(draft.count):
            change = &draft.changes[k]
            while next_secret < secrets.count and secrets.spans[next_secret].end <= change.start:
                next_secret += 1
            start, end = change.start, change.end
            if not ascii:
                # Count characters instead of bytes.
                shift += start - done - count_characters(utf8.p, done, start)
                start -= shift
                shift += end - change.start - count_characters(utf8.p, change.start, end)
                done = end
                end -= shift
            changes.append(create_with_slots(change_class, change_slots, (
                CHANGE_KINDS[change.kind], start, end, PyUnicode_Substring(text, start, end),
                decode_utf8(draft.out + change.output_start, change.output_end - change.output_start),
                next_secret < secrets.count and secrets.spans[next_secret].start < change.end,
            )))
        return tuple(changes)
    finally:
        close_secrets(&secrets)


cdef int write_repair(const unsigned char* text, Py_ssize_t n, bint iri, unsigned char* out, Py_ssize_t* length) noexcept nogil:
    """Repair a string as `repair_text` does, without a list of the changes."""
    cdef Draft draft
    cdef Scan done
    draft.changes = NULL
    cdef int status = repair_text(text, n, iri, out, &draft, &done)
    length[0] = draft.output_size
    return status
