# Dot segments that only other software sees: `uriverse.diagnosis._dot_segments`. Each conversion shortens its
# string, and so works in place.
# Other files call `is_slash`, `find_dot_segments` and `may_climb`.

cdef enum:
    # How servers read a non-ASCII character, as returned by `_dot_segments.pack_character`. The
    # lower bits are an ASCII lookalike, and the number of times that it is written.
    IS_KNOWN = 0x8000
    IS_SPACE = 0x4000  # servers strip the character

cdef enum:
    # The kinds of the parts between the slashes and backslashes of a converted string.
    PLAIN_STEP = 1
    SPACED_STEP = 2  # a dot segment with spaces
    NAMED = 4  # a part that no server drops
    ANY_STEP = 3

cdef inline bint is_slash(unsigned char c) noexcept nogil:
    """Return whether a browser reads a character as a slash."""
    return c == c"/" or c == c"\\"


# For each character, how servers read it, or 0 if that is not known yet.
cdef uint16_t READ_AS[0x110000]


cdef void learn_character(unsigned int c) noexcept with gil:
    try:
        from uriverse.diagnosis import _dot_segments
        READ_AS[c] = _dot_segments.pack_character(chr(c))
    except Exception:
        pass


cdef inline int read_character(const unsigned char* text, Py_ssize_t n, int* length) noexcept nogil:
    """Return how servers read the character at the start of a string in UTF-8, and its length."""
    cdef unsigned int c = text[0]
    length[0] = 1
    if c < 0x80:
        return IS_SPACE if c <= 0x20 or c == 0x7F else 0
    length[0] = measure_character(text, n)
    c = get_code_point(text, length[0])
    if READ_AS[c] == 0:
        learn_character(c)
    return READ_AS[c]


cdef inline int measure_overlong(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the length of an ASCII character in more octets than UTF-8 allows; 0 for all others."""
    # The first octet tells the length; more than four octets were legal before RFC 3629. The code is in the low
    # bits of the last two octets, and all bits before it are 0.
    cdef int size = (
        2 if text[0] == 0xC0 or text[0] == 0xC1 else 3 if text[0] == 0xE0 else 4 if text[0] == 0xF0
        else 5 if text[0] == 0xF8 else 6 if text[0] == 0xFC else 0
    ), k
    if size == 0 or size > n or text[size - 1] & 0xC0 != 0x80 or (size > 2 and text[size - 2] & 0xFE != 0x80):
        return 0
    for k in range(1, size - 2):
        if text[k] != 0x80:
            return 0
    return size


cdef Py_ssize_t decode_once(unsigned char* text, Py_ssize_t n, bint more=True) noexcept nogil:
    """Write a NUL after the decoded string; `more` decodes Microsoft's encoding and overlong sequences too."""
    cdef Py_ssize_t i = 0, length = 0
    cdef int size
    cdef unsigned int c
    if not contains_octet(text, 0, n, c"%"):
        return n
    while i < n and more:
        if text[i] == c"%" and text[i + 1] | 0x20 == c"u" and (
            FLAGS[text[i + 2]] & FLAGS[text[i + 3]] & FLAGS[text[i + 4]] & FLAGS[text[i + 5]] & HEXDIG
        ):
            c = decode_triplet(text + i + 1) << 8 | decode_triplet(text + i + 3)
            i += 6
            if c < 0x80:
                text[length] = <unsigned char>c
                length += 1
            elif c < 0x800:
                text[length], text[length + 1] = 0xC0 | c >> 6, 0x80 | c & 0x3F
                length += 2
            elif not 0xD800 <= c < 0xE000:
                text[length], text[length + 1], text[length + 2] = 0xE0 | c >> 12, 0x80 | c >> 6 & 0x3F, 0x80 | c & 0x3F
                length += 3
        else:
            text[length] = text[i]
            length += 1
            i += 1
    text[length if more else n] = 0
    n, i, length = length if more else n, 0, 0
    while i < n:
        if is_triplet(text + i):
            text[length] = decode_triplet(text + i)
            i += 3
        else:
            text[length] = text[i]
            i += 1
        length += 1
    n, i, length = length, 0, 0
    while i < n:
        size = 1 if text[i] < 0x80 else measure_character(text + i, n - i)
        if size > 0:
            memmove(text + length, text + i, size)
            length += size
            i += size
            continue
        size = measure_overlong(text + i, n - i) if more else 0
        if size > 0:
            text[length] = (text[i + size - 2] & 1) << 6 | text[i + size - 1] & 0x3F
            length += 1
        i += max(size, 1)
    text[length] = 0
    return length


cdef Py_ssize_t decode_all(unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Decode like `_dot_segments.decode_repeatedly`; return the new length."""
    cdef int k
    for k in range(3):
        n = decode_once(text, n)
    return n


cdef Py_ssize_t replace_lookalikes(unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, length = 0
    cdef int size, kind, count
    while i < n:
        kind = read_character(text + i, n - i, &size)
        count = kind >> 8 & 3
        memmove(text + length, text + i, size)
        if count > 0:
            memset(text + length, kind & 0x7F, count)
        length += count if count > 0 else size
        i += size
    text[length] = 0
    return length


cdef int read_parts(const unsigned char* text, Py_ssize_t n, bint cut) noexcept nogil:
    """Return the kinds of the parts of a string, as flags; `cut` removes their suffixes (`SUFFIX`)."""
    cdef Py_ssize_t i = 0
    cdef int kinds = 0, length, first = 0, run = 0
    cdef bint other = False, spaced = False, named = False, ended = False
    while True:
        if i == n or is_slash(text[i]):
            if not other and 1 <= first <= 2:
                kinds |= SPACED_STEP if spaced else PLAIN_STEP
            if other or named or 1 <= run <= 2:
                kinds |= NAMED
            if i == n:
                return kinds
            first = run = 0
            other = spaced = named = ended = False
            i += 1
        elif text[i] == c".":
            run += 1
            first += not ended  # the dots of the first run
            i += 1
        elif cut and (text[i] == c";" or text[i] == c"?" or text[i] == c"#" or text[i] == 0):
            while i < n and not is_slash(text[i]):
                i += 1
        else:
            named |= 1 <= run <= 2
            ended = first > 0
            run = 0
            if read_character(text + i, n - i, &length) & IS_SPACE:
                spaced = True
            else:
                other = True
            i += length


cdef int detect_hidden_dot_segment(const unsigned char* text, Py_ssize_t n, unsigned char* out, bint* dropped) noexcept nogil:
    """Implement `detect_hidden_dot_segment` for a segment and the slash after it: return the code of a finding, or -1.

    `dropped` becomes whether the segment disappears when a program merges slashes.
    """
    cdef Py_ssize_t k = 0
    cdef int code = -1, kinds
    cdef bint after_name = False, visible = read_parts(text, n, False) & PLAIN_STEP
    while k < n and FLAGS[text[k]] & IN_SEGMENT and text[k] != c"." and text[k] != c"%" and text[k] != c";":
        k += 1
    dropped[0] = n == 0 or text[0] == c"/"
    if k == n or (k == n - 1 and text[k] == c"/"):
        return code
    memcpy(out, text, n)
    out[n] = 0
    n = decode_all(out, n)
    if read_parts(out, n, False) & PLAIN_STEP:
        code = CODE_ENCODED_DOT
    for k in range(1, n - 2):
        after_name |= (
            out[k] == c"." and out[k + 1] == c"." and is_slash(out[k + 2])
            and out[k - 1] != c"." and not is_slash(out[k - 1])
        )
    n = decode_all(out, replace_lookalikes(out, n))
    if code < 0 and read_parts(out, n, False) & PLAIN_STEP:
        code = CODE_DOT_LOOKALIKE
    kinds = read_parts(out, n, True)
    dropped[0] = not kinds & NAMED
    if code >= 0 and not visible:
        return code
    if kinds & ANY_STEP and not visible:
        return CODE_DOT_WITH_PARAMETER if kinds & PLAIN_STEP else CODE_DOT_WITH_SPACE
    return CODE_DOT_AFTER_NAME if after_name else -1


cdef void find_dot_segments(const unsigned char* text, Scan* bounds, bint opaque, Report* report) noexcept nogil:
    cdef Py_ssize_t i = bounds.path, end = bounds.path_end, n = end - i, start, depth = 0
    cdef unsigned char[1024] usual  # long enough for most paths
    cdef unsigned char* out = usual
    if 2 * n + 32 > sizeof(usual):
        out = <unsigned char*>malloc(2 * n + 32)
    if out is NULL:
        report.left |= AMBIGUITY_GROUP
        return
    cdef unsigned char* dropped = out + n + 16  # for each segment that ".." can remove
    cdef bint drops
    cdef int code
    if has_dot_segment(text, i, end) and not (text[i] == c"/" and text[i + 1] == c"/"):
        memcpy(out, text + i, n)
        n = remove_dot_segments(out, n)
        if n > 1 and out[0] == c"/" and out[1] == c"/":
            add_note(report, CODE_PATH_LIKE_AUTHORITY, PATH, i, end)
    while True:
        start = i
        i = find_octet(text, i, end, c"/")
        if i - start == 2 and text[start] == c"." and text[start + 1] == c".":
            if depth > 0:
                depth -= 1
                if dropped[depth] and not opaque:
                    add_note(report, CODE_DOT_AFTER_SLASHES, PATH, start, i)
        elif (i > start or start > bounds.path) and not (i - start == 1 and text[start] == c"."):
            code = detect_hidden_dot_segment(text + start, min(i + 1, end) - start, out, &drops)
            dropped[depth] = drops
            depth += 1
            if code == CODE_ENCODED_DOT or (code >= 0 and not opaque):
                add_note(report, code, PATH, start, i)
        if i == end:
            break
        i += 1
    if out != usual:
        free(out)


cdef bint may_climb(const unsigned char* text, Py_ssize_t n, unsigned char* out) noexcept nogil:
    """Return whether a path with a percent or plus sign may have a dot segment: `readings.MAY_CLIMB`."""
    cdef Py_ssize_t i = 0
    cdef int times, reading, length
    cdef bint at_start = True
    if not contains_octet(text, 0, n, c"%") and not contains_octet(text, 0, n, c"+"):
        return False
    memcpy(out, text, n)
    out[n] = 0
    for times in range(3):  # Servers may decode several times.
        n = replace_lookalikes(out, decode_once(out, n))
    while i < n:
        if at_start and out[i] == c".":
            return True
        reading = read_character(out + i, n - i, &length)
        at_start = is_slash(out[i]) or (at_start and (reading & IS_SPACE or out[i] == c"+"))
        i += length
    return False


# --- for Python

def decode_leniently(str text, int times, bint lookalikes, bint more=True, /):
    """Return what `decode_leniently` returns after several calls, or `readings.decode_fully` with lookalikes.

    Return `None` if the string contains a surrogate.
    """
    cdef bytes octets
    cdef unsigned char* copy
    cdef Py_ssize_t n
    try:
        octets = text.encode() + bytes(16)
    except UnicodeEncodeError:
        return None
    copy, n = octets, len(octets) - 16
    for _ in range(times):
        n = decode_once(copy, n, more)
        n = replace_lookalikes(copy, n) if lookalikes else n
    return octets[:n].decode()


def find_hidden_dot_segments(str path, bint opaque, /):
    """Return the code, the start and the end of the first finding of each code: `find_hidden_dot_segments`."""
    cdef Report report
    cdef bytes octets = path.encode()
    cdef int k
    report.count = report.left = report.bounds.path = 0
    report.first_only = True
    report.bounds.path_end = len(octets)
    find_dot_segments(octets, &report.bounds, opaque, &report)
    if report.left:
        raise MemoryError
    return [
        (REPORTED[report.notes[k].code], len(octets[:report.notes[k].start].decode()), len(octets[:report.notes[k].end].decode()))
        for k in range(report.count) if report.notes[k].code != CODE_PATH_LIKE_AUTHORITY
    ]
