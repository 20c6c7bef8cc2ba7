# Repair malformed strings: `uriverse.diagnosis._repairing`.
#
# The kernel makes repairs after which every parser certainly finds the same host: it trims, removes line
# breaks, percent-encodes, and replaces backslashes. All other strings are left to the Python functions, which
# also raise the errors.
# Other files call `write_repair`.

cdef enum:
    # The kinds of changes, as indices of CHANGE_KINDS.
    TRIMMED
    REMOVED
    PERCENT_ENCODED
    SLASHED
    CHANGES_ON_STACK = 32

CHANGE_KINDS = ("trim", "remove", "encode", "backslash")

cdef struct Change:
    # A change: a span of the input, and its replacement in the result.
    int kind
    Py_ssize_t start, end, written, written_end

cdef struct Draft:
    # A string during a repair.
    const unsigned char* given  # the input
    Py_ssize_t place, end  # the offset in the input of the next character to repair, and of its end without whitespace
    const unsigned char* p  # the string without what is trimmed or removed, followed by a NUL
    Py_ssize_t n, i  # its length, and the offset of the next character to repair
    unsigned char* out
    Py_ssize_t written
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
    """Set the classes of results, and the codes of the findings with which parsers disagree about the host.

    The classes are dataclasses with slots.
    """
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


cdef int split_malformed(const unsigned char* p, Py_ssize_t n, Scan* at) noexcept nogil:
    """Split a string into its components; return DONE if its scheme and its authority are clear.

    The userinfo may contain invalid characters that no parser interprets.
    """
    cdef Py_ssize_t i = 0, k, sign
    cdef int invalid
    at.scheme_end = at.authority = at.host = at.host_end = -1
    if FLAGS[p[0]] & ALPHA:
        i = 1
        while FLAGS[p[i]] & IN_SCHEME:
            i += 1
    if i > 0 and p[i] == c":":
        at.scheme_end = i
        i += 1
    else:
        i = 0
        while i < n and not ends_authority(p[i]):
            if p[i] == c":":
                return NULL_ROW if i else BY_REFERENCE  # an invalid scheme
            i += 1
        i = 0
    if p[i] == c"/" and p[i + 1] == c"/":
        at.authority = i + 2
        invalid = scan_authority(p, n, NONE, at)
        if invalid == USERINFO:
            sign = at.authority
            while p[sign] != c"@":  # `scan_authority` found one
                if p[sign] <= 0x20 or p[sign] == 0x7F or p[sign] == c"\\":
                    return NULL_ROW
                if p[sign] > 0x7F or p[sign] == c"[" or p[sign] == c"]":
                    return BY_REFERENCE
                sign += 1
            k = at.authority
            at.authority = sign + 1
            invalid = scan_authority(p, n, NONE, at)
            at.authority = k
        if invalid != NOTHING:
            # Non-ASCII hosts may be domain names.
            return NULL_ROW if p[at.position] < 0x80 else BY_REFERENCE
        i = at.path
    at.path = i
    while i < n and p[i] != c"?" and p[i] != c"#":
        i += 1
    at.path_end = i
    while i < n and p[i] != c"#":
        i += 1
    at.query_end = i
    return DONE


cdef int find_disputes(const unsigned char* p, Py_ssize_t n, Scan* at, bint iri, Rules* rules) noexcept nogil:
    """Return DONE if parsers agree about the host of a split string: `_repairing.find_disputes`.

    `rules` are those of the scheme, or NULL for a relative reference.
    """
    cdef Report r
    cdef int k
    cdef Py_ssize_t i = at.scheme_end + 1
    r.count = r.left = r.first_only = 0
    r.rules = rules
    while p[i] == c"/":
        i += 1
    if at.scheme_end >= 0 and p[i] == c"\\":
        return BY_REFERENCE
    find_outset_ambiguities(p, at, &r)
    if at.authority >= 0:
        find_userinfo_ambiguities(p, n, at, &r)
        find_host_ambiguities(p, at, &r)
        find_port_ambiguities(p, at, &r)
    for k in range(r.count):
        if not IS_UNDISPUTED[r.notes[k].code]:
            return NULL_ROW
    if r.left:
        return BY_REFERENCE
    if at.authority < 0:
        if is_slash(p[at.path]) and is_slash(p[at.path + 1]):
            return NULL_ROW
        # The scheme may be a drive letter.
        if at.scheme_end == 1 or (at.scheme_end < 0 and (may_be_drive(p) or not first_segment_is_clear(p, at, iri))):
            return BY_REFERENCE
    if has_flag(&r, IS_LOCAL) and at.host > at.authority:
        return NULL_ROW
    # The base URI of a reference without a scheme may be a file URI.
    if (at.scheme_end < 0 or has_flag(&r, IS_LOCAL)) and has_drive(p, at):
        return BY_REFERENCE
    return DONE


cdef bint may_be_drive(const unsigned char* p) noexcept nogil:
    """Return whether a path may begin with a drive letter: `_ambiguity.DRIVE`."""
    cdef Py_ssize_t i = 0
    while p[i] == c"/":
        i += 1
    if FLAGS[p[i]] & ALPHA:
        i += 1
    elif is_triplet(p + i):
        i += 3
    else:
        return False
    if p[i] == c":" or p[i] == c"|":
        i += 1
    elif is_triplet(p + i):
        i += 3
    else:
        return False
    return p[i] == 0 or ends_authority(p[i]) or p[i] == c"\\"


cdef bint first_segment_is_clear(const unsigned char* p, Scan* at, bint iri) noexcept nogil:
    """Return whether no program reads the first segment of a path as a host that a repair would change."""
    cdef Py_ssize_t i = 0, end = at.path_end
    cdef bint changes, like_path = False
    while i < end and not is_slash(p[i]):
        if p[i] == c"@":
            return False
        like_path |= p[i] == c" " or p[i] == c"[" or p[i] == c"]"
        i += 1
    changes = find_run_end(p, 0, IN_PATH, UCSCHAR if iri else NONE) < i
    if (changes or memchr(p, c"\\", end) is not NULL) and memchr(p, c":", end) is not NULL:
        return False
    return like_path or not changes


cdef bint has_drive(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether a segment of the path is a letter and "|"."""
    cdef Py_ssize_t i
    for i in range(at.path + 1, at.path_end):
        if (
            p[i] == c"|" and FLAGS[p[i - 1]] & ALPHA
            and (i - 1 == at.path or is_slash(p[i - 2]))
            and (i + 1 == at.path_end or is_slash(p[i + 1]))
        ):
            return True
    return False


cdef Py_ssize_t find_host_end(const unsigned char* p, Py_ssize_t n, Scan* at) noexcept nogil:
    """Return the offset of the delimiter that ends what decides about the host: `_repairing.get_host_context`."""
    cdef Py_ssize_t i = 0
    if at.authority >= 0:
        return at.path
    if at.scheme_end >= 0:
        return at.scheme_end
    if memchr(p, c":", at.path_end) is not NULL:
        return at.path_end
    while i < at.path_end and not is_slash(p[i]):
        i += 1
    return i


# --- changes


cdef bint add_change(Draft* d, int kind, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Add a change whose replacement begins at the end of the result; return false if memory runs out."""
    cdef Change* changes
    cdef Change* change
    if d.count == d.room:
        changes = <Change*>malloc(2 * d.room * sizeof(Change))
        if changes is NULL:
            return False
        memcpy(changes, d.changes, d.count * sizeof(Change))
        close_changes(d)
        d.changes = changes
        d.room *= 2
    change = &d.changes[d.count]
    change.kind, change.start, change.end = kind, start, end
    change.written = change.written_end = d.written
    d.count += 1
    return True


cdef inline void close_changes(Draft* d) noexcept nogil:
    if d.changes != d.here:
        free(d.changes)


cdef bint advance_place(Draft* d, Py_ssize_t i) noexcept nogil:
    """Set the place of the character at offset `i`; add a change for each run of characters removed before it."""
    cdef Py_ssize_t start
    while True:
        start = d.place
        while d.place < d.end and is_removed(d.given[d.place]):
            d.place += 1
        if start < d.place and not add_change(d, REMOVED, start, d.place):
            return False
        if d.i == i:
            return True
        d.i += 1
        d.place += 1


cdef bint extend_changes(Draft* d, int kind, Py_ssize_t i, Py_ssize_t length) noexcept nogil:
    """Add the change of a character, or extend the change of the character before it, if it is of the same kind."""
    cdef Change* last
    if d.changes is NULL:
        return True
    if not advance_place(d, i):
        return False
    if d.count:
        last = &d.changes[d.count - 1]
        if last.kind == kind and last.end == d.place:
            last.end += length
            return True
    return add_change(d, kind, d.place, d.place + length)


cdef int repair_part(Draft* d, Py_ssize_t i, Py_ssize_t end, uint16_t characters, int allowed, bint to_slashes) noexcept nogil:
    """Write a component, with the characters that it does not allow replaced."""
    cdef Py_ssize_t k
    cdef int length
    while True:
        k = find_run_end(d.p, i, characters, allowed)
        d.written = put(d.out, d.written, d.p, i, k)
        i = k
        if i >= end:
            return DONE
        length = 1 if d.p[i] < 0x80 else 2 if d.p[i] < 0xE0 else 3 if d.p[i] < 0xF0 else 4
        if d.p[i] == 0xED and d.p[i + 1] >= 0xA0:
            return BY_REFERENCE  # a lone surrogate
        if to_slashes and d.p[i] == c"\\":
            if not extend_changes(d, SLASHED, i, 1):
                return NO_MEMORY
            d.out[d.written] = c"/"
            d.written += 1
            i += 1
        else:
            if not extend_changes(d, PERCENT_ENCODED, i, length):
                return NO_MEMORY
            k = i + length
            while i < k:
                d.out[d.written] = c"%"
                d.out[d.written + 1] = DIGITS[d.p[i] >> 4]
                d.out[d.written + 2] = DIGITS[d.p[i] & 0x0F]
                d.written += 3
                i += 1
        if d.changes is not NULL:
            d.changes[d.count - 1].written_end = d.written


cdef int repair_text(const unsigned char* p, Py_ssize_t n, bint iri, unsigned char* room, Draft* d, Scan* done) noexcept nogil:
    """Repair a string that is not valid; return DONE, NULL_ROW, BY_REFERENCE or NO_MEMORY.

    Args:
        p: the string, followed by a NUL.
        n: its length.
        iri: whether to keep non-ASCII characters.
        room: memory for four bytes for each byte of the string, and eight more.
        d: its `changes` are NULL if only the result is needed.
        done: gets the bounds of the result.
    """
    cdef Scan at
    cdef Rules* rules = NULL
    cdef Py_ssize_t i, k, start = 0, end = n, removed = -1
    cdef int allowed = UCSCHAR if iri else NONE, status
    cdef unsigned char* copy = room + 3 * n + 4
    if n > LONGEST_TEXT // 3:
        return BY_REFERENCE
    while start < n and p[start] <= 0x20:
        start += 1
    while end > start and p[end - 1] <= 0x20:
        end -= 1
    for i in range(start, end):
        if is_removed(p[i]):
            removed = i - start
            break
    d.given, d.place, d.end = p, start, end
    d.p, d.n, d.i = p + start, end - start, 0
    d.out, d.written, d.count = room, 0, 0
    if end < n or removed >= 0:
        k = 0
        for i in range(start, end):
            if not is_removed(p[i]):
                copy[k] = p[i]
                k += 1
        copy[k] = 0
        d.p, d.n = copy, k
    if start and d.changes is not NULL:
        add_change(d, TRIMMED, 0, start)
    status = split_malformed(d.p, d.n, &at)
    if status != DONE:
        return status
    if removed >= 0 and removed <= find_host_end(d.p, d.n, &at):
        return NULL_ROW
    if at.scheme_end >= 0:
        rules = find_rules(d.p, at.scheme_end)
        if rules is NULL:
            return BY_REFERENCE
    status = find_disputes(d.p, d.n, &at, iri, rules)
    if status != DONE:
        return status
    i = 0
    if at.host > at.authority:
        d.written = i = put(room, 0, d.p, 0, at.authority)
        status = repair_part(d, at.authority, at.host - 1, IN_USERINFO, NONE, False)
        if status != DONE:
            return status
        i = at.host - 1
    d.written = put(room, d.written, d.p, i, at.path)
    status = repair_part(d, at.path, at.path_end, IN_PATH, allowed, rules is NULL or rules.flags & IS_SPECIAL)
    if status == DONE and at.path_end < at.query_end:
        d.written = put(room, d.written, b"?", 0, 1)
        status = repair_part(d, at.path_end + 1, at.query_end, IN_QUERY, UCSCHAR_OR_IPRIVATE if iri else NONE, False)
    if status == DONE and at.query_end < d.n:
        d.written = put(room, d.written, b"#", 0, 1)
        status = repair_part(d, at.query_end + 1, d.n, IN_QUERY, allowed, False)
    if status != DONE:
        return status
    if d.changes is not NULL and not (advance_place(d, d.n) and (start == end or end == n or add_change(d, TRIMMED, end, n))):
        return NO_MEMORY
    room[d.written] = 0
    if d.written > LONGEST_TEXT or scan(room, d.written, 0 if iri else ASCII_ONLY, done) != NOTHING:
        return BY_REFERENCE
    return DONE


# --- for Python


cdef object create_with_slots(type kind, tuple slots, tuple values):
    """Create an instance of a frozen dataclass with slots without calling its `__init__`."""
    cdef object made = (<PyTypeObject*>kind).tp_alloc(<PyTypeObject*>kind, 0)
    cdef Py_ssize_t k
    for k in range(len(values)):
        Py_TYPE(<PyObject*>slots[k]).tp_descr_set(slots[k], made, values[k])
    return made


cdef inline Identifier create_most_specific(str text, Scan* at):
    """Create a value of the most specific public type, as `parse`."""
    cdef int rule = ASCII_ONLY if PyUnicode_IS_ASCII(text) else 0
    return create_value(<type>types[rule | NEEDS_SCHEME if at.scheme_end >= 0 else rule], text, at)


def repair(str text, bint iri, /):
    """Repair a string, or return `None` if the Python functions must decide."""
    cdef Text t, room
    cdef Scan at
    cdef Draft d
    cdef str result
    cdef int status
    if scan_text(text, 0 if iri else ASCII_ONLY, &at) == NOTHING:
        return create_with_slots(repaired_class, repaired_slots, (create_most_specific(text, &at), ()))
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT // 16:
        return None
    load_schemes()
    t.owned = room.owned = NULL
    d.changes, d.room = d.here, CHANGES_ON_STACK
    try:
        open_text(text, &t)
        reserve_text(&room, 4 * t.n + 8)
        status = repair_text(t.p, t.n, iri, <unsigned char*>room.p, &d, &at)
        if status == NO_MEMORY:
            raise MemoryError
        if status != DONE:
            return None
        result = decode_utf8(d.out, d.written)
        if not PyUnicode_IS_ASCII(result):
            convert_to_characters(d.out, NOTHING, &at)
        return create_with_slots(repaired_class, repaired_slots, (create_most_specific(result, &at), list_changes(&d, text, &t)))
    finally:
        close_changes(&d)
        close_text(&t)
        close_text(&room)


cdef tuple list_changes(Draft* d, str text, Text* t):
    """Return the changes as objects; those that overlap a secret are marked."""
    cdef Secrets secrets
    cdef Change* change
    cdef Py_ssize_t k, s = 0, done = 0, shift = 0, start, end
    cdef bint ascii = PyUnicode_IS_ASCII(text)
    cdef list changes = []
    load_secrets()
    open_secrets(&secrets)
    try:
        if find_secrets(t.p, t.n, False, True, &secrets) != DONE:
            raise MemoryError
        for k in range(d.count):
            change = &d.changes[k]
            while s < secrets.count and secrets.spans[2 * s + 1] <= change.start:
                s += 1
            start, end = change.start, change.end
            if not ascii:
                # Count characters instead of bytes.
                shift += start - done - count_characters(t.p, done, start)
                start -= shift
                shift += end - change.start - count_characters(t.p, change.start, end)
                done = end
                end -= shift
            changes.append(create_with_slots(change_class, change_slots, (
                CHANGE_KINDS[change.kind], start, end, PyUnicode_Substring(text, start, end),
                decode_utf8(d.out + change.written, change.written_end - change.written),
                s < secrets.count and secrets.spans[2 * s] < change.end,
            )))
        return tuple(changes)
    finally:
        close_secrets(&secrets)


cdef int write_repair(const unsigned char* p, Py_ssize_t n, bint iri, unsigned char* out, Py_ssize_t* written) noexcept nogil:
    """Repair a string as `repair_text` does, without a list of the changes."""
    cdef Draft d
    cdef Scan done
    d.changes = NULL
    cdef int status = repair_text(p, n, iri, out, &d, &done)
    written[0] = d.written
    return status
