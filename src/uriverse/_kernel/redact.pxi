# Replace secrets: the modules `uriverse._redaction.marks`, `userinfo` and `masking`.
# Other files call `load_secrets`, `open_secrets`, `close_secrets`, `find_secrets` and
# `write_redaction`.

from libc.stdlib cimport malloc, qsort

cdef enum:
    # The kinds of bytes.
    ORDINARY, SPACE
    # The sizes of the tables.
    MOST_ENTRIES = 64
    LONGEST_ENTRY = 32
    # The number of octets of `masking.MASK`.
    MASK_LENGTH = 8
    # As in `uriverse._redaction.userinfo`.
    LONGEST_HOST = 64
    # The depths of delimiters, as in `uriverse._redaction.marks`.
    DEEPEST = 3
    DATA = 4
cdef enum:
    # The states of `read_marks`: of the slashes before an authority, and of that authority.
    BEFORE_SLASHES, AFTER_COLON, AFTER_SLASH, IN_AUTHORITY, AFTER_AUTHORITY

# For each byte: ORDINARY, SPACE, or the byte itself if it is a delimiter, a quotation mark, "%" or "\".
cdef unsigned char SIGNS[256]

cdef struct Entry:
    # A string of the tables of `uriverse._redaction.secrets`.
    unsigned char text[32]
    int n

cdef struct Table:
    Entry entries[64]
    int count

cdef Table SCHEMES_TABLE, PATHS_TABLE, TOKENS_TABLE

cdef enum:
    # States and symbols of `NAMES`. The symbol of a letter is its position in the alphabet.
    MOST_STATES = 1280
    START_STATE = 1
    DIGIT_SYMBOL = 0

cdef struct States:
    # An automaton of Aho and Corasick: for each state, the next one for each symbol, and whether a name that ends
    # there has a secret value.
    unsigned short following[1280][32]
    unsigned char found[1280]

cdef States NAMES

cdef struct Mark:
    # A delimiter, as in `uriverse._redaction.marks`.
    Py_ssize_t start
    unsigned char n  # the number of characters
    unsigned char sign, depth, in_authority

cdef enum:
    HAS_AT = 1
    HAS_EQUALS = 2
    HAS_COLON = 4

cdef struct Marks:
    # The delimiters of a chunk: enough for most URIs without further memory.
    Mark* at
    Py_ssize_t count, room
    unsigned int signs  # which of "@", "=" and ":" occur, as flags
    unsigned int depths  # the depths that occur, as bits
    Mark here[96]

cdef struct SecretSpan:
    Py_ssize_t start, end

cdef struct Secrets:
    # The spans of the secrets in a string.
    SecretSpan* spans
    Py_ssize_t count, room
    Py_ssize_t start, end  # spans outside are ignored
    SecretSpan here[32]

cdef struct Part:
    # A part of a URI, as in `uriverse._redaction.userinfo`; -1 stands for `None`.
    Py_ssize_t start, name, at, at_end
    Py_ssize_t colon, colon_end, port, port_end, ampersand, ampersand_end
    bint starts_uri, cannot_be_path, bracket


# --- tables

cdef int secrets_loaded = False

# Columns read the tables without the global interpreter lock. If two threads load them at once, both
# copy the same octets, so a reader never sees others.
cdef int load_secrets() except -1:
    if not is_published(&secrets_loaded):
        from uriverse._redaction import secrets
        from uriverse._redaction import userinfo
        fill_secrets(secrets, userinfo)
    return 0


cdef int fill_secrets(secrets, userinfo) except -1:
    cdef unsigned char c
    cdef unsigned char[256] signs
    fill_names(secrets)
    fill_table(&SCHEMES_TABLE, userinfo.WITH_PASSWORDS)
    fill_table(&PATHS_TABLE, secrets.PATH_WORDS)
    fill_table(&TOKENS_TABLE, userinfo.TOKENS)
    memset(signs, ORDINARY, 256)
    memset(signs, SPACE, 0x21)
    signs[0x7F] = SPACE
    for c in b"/\\:?#@&=;[%":
        signs[c] = c
    for c in b"\"<>`":
        signs[c] = c'"'
    memcpy(SIGNS, signs, 256)
    publish(&secrets_loaded)
    return 0


cdef int fill_table(Table* table, strings) except -1:
    """Store strings in a table at once, because other threads may read the table."""
    cdef Table filled
    cdef bytes octets
    memset(&filled, 0, sizeof(Table))
    for string in strings:
        octets = string.encode()
        if filled.count == MOST_ENTRIES or len(octets) > LONGEST_ENTRY:
            raise ValueError(f"too many strings, or too long: {octets}")
        filled.entries[filled.count].n = len(octets)
        memcpy(filled.entries[filled.count].text, <const unsigned char*>octets, len(octets))
        filled.count += 1
    memcpy(table, &filled, sizeof(Table))
    return 0


cdef bint is_in_table(Table* table, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef int k
    for k in range(table.count):
        if table.entries[k].n == n and memcmp(text, table.entries[k].text, n) == 0:
            return True
    return False


# --- names of parameters

cdef int fill_names(secrets) except -1:
    """Store the automaton that reads names as `secrets.is_secret_simplified` does, at once as in `fill_table`."""
    cdef bytearray memory = bytearray(sizeof(States))
    cdef States* names = <States*><char*>memory
    cdef unsigned short[1280] queue, fallbacks
    cdef unsigned short* following
    cdef int state, fallback, count = 1, k = 0, waiting = 1, flag, symbol
    cdef unsigned char letter
    # The first state is `START_STATE`. Until the end, `found` holds flags.
    for flag, before, strings in ((1, "^", secrets.NAMES), (2, "", secrets.ENDINGS), (4, "", secrets.PUBLIC_ENDINGS), (8, "", secrets.WORDS)):
        for string in strings:
            state = 0
            for letter in <bytes>(before + string).encode():
                following = &names.following[state][letter & 31]
                if not following[0]:
                    if count == MOST_STATES:
                        raise ValueError("too many strings")
                    following[0] = count
                    count += 1
                state = following[0]
            names.found[state] |= flag
    queue[0] = fallbacks[0] = 0
    while k < waiting:
        state = queue[k]
        k += 1
        for symbol in range(32):
            following = &names.following[state][symbol]
            fallback = names.following[fallbacks[state]][symbol] if state else 0
            if following[0]:
                fallbacks[following[0]] = fallback
                names.found[following[0]] |= names.found[fallback]
                queue[waiting] = following[0]
                waiting += 1
            else:
                following[0] = fallback
    for state in range(count):
        if names.found[state] & 8:
            for symbol in range(32):
                names.following[state][symbol] = state
        elif names.found[state] & 4:
            names.found[state] &= 1
    memcpy(&NAMES, names, sizeof(States))
    return 0


cdef bint is_secret(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether the end of a name, or a part of it in brackets as in `user[password]`, is the name of a secret."""
    # The states of the whole name and of the part in brackets, also before the digits at their ends, which do not
    # matter as in `password2`.
    cdef int name = START_STATE, name_end = START_STATE, part = START_STATE, part_end = START_STATE
    cdef bint is_found = False
    cdef unsigned char c
    while i < end:
        c = text[i]
        if c == c"%":
            i = decode_nested_triplet(text, i, end, &c)
        else:
            i += 1
        if FLAGS[c] & ALPHA:
            name = name_end = NAMES.following[name][c & 31]
            part = part_end = NAMES.following[part][c & 31]
        elif FLAGS[c] & DIGIT:
            name, part = NAMES.following[name][DIGIT_SYMBOL], NAMES.following[part][DIGIT_SYMBOL]
        elif c == c"[" or c == c"]":
            is_found = is_found or NAMES.found[part_end]
            part = part_end = START_STATE
        elif c == c"?" or c == c"&" or c == c"#" or c == c";" or c == c"=" or c == c"/" or c == c"\\":
            name = name_end = part = part_end = START_STATE
            is_found = False
    return is_found or NAMES.found[part_end] or NAMES.found[name_end]


cdef Py_ssize_t decode_nested_triplet(const unsigned char* text, Py_ssize_t i, Py_ssize_t n, unsigned char* octet) noexcept nogil:
    """Decode a triplet whose "%" may be encoded again, as in `%2541`; return the index after it.

    If no triplet begins here, the octet is "%", and the index is `i + 1`.
    """
    cdef Py_ssize_t k = i + 1
    octet[0] = c"%"
    while k + 1 < n and FLAGS[text[k]] & HEXDIG and FLAGS[text[k + 1]] & HEXDIG:
        octet[0] = decode_triplet(text + k - 1)
        k += 2
        if octet[0] != c"%":
            return k
    return k


# --- spans

cdef inline void open_secrets(Secrets* secrets) noexcept nogil:
    secrets.spans = secrets.here
    secrets.count, secrets.room = 0, 32
    secrets.start, secrets.end = 0, PY_SSIZE_T_MAX


cdef inline void close_secrets(Secrets* secrets) noexcept nogil:
    if secrets.spans != secrets.here:
        free(secrets.spans)


cdef bint put_secret(Secrets* secrets, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Add a span if it is not empty, and not ignored; return false if memory runs out."""
    cdef SecretSpan* spans
    if start >= end or start >= secrets.end or end <= secrets.start:
        return True
    if secrets.count == secrets.room:
        spans = <SecretSpan*>malloc(2 * secrets.room * sizeof(SecretSpan))
        if spans is NULL:
            return False
        memcpy(spans, secrets.spans, secrets.room * sizeof(SecretSpan))
        close_secrets(secrets)
        secrets.spans = spans
        secrets.room *= 2
    secrets.spans[secrets.count].start = start
    secrets.spans[secrets.count].end = end
    secrets.count += 1
    return True


cdef int compare_starts(const void* one, const void* other) noexcept nogil:
    cdef Py_ssize_t first = (<const SecretSpan*>one).start, second = (<const SecretSpan*>other).start
    return (first > second) - (first < second)


cdef void merge_spans(Secrets* secrets) noexcept nogil:
    """Sort the spans by their starts, and merge those that overlap or touch."""
    cdef Py_ssize_t k, last = 0
    cdef SecretSpan* spans = secrets.spans
    for k in range(1, secrets.count):
        if spans[k].start < spans[k - 1].start:
            qsort(spans, secrets.count, sizeof(SecretSpan), compare_starts)
            break
    for k in range(1, secrets.count):
        if spans[k].start <= spans[last].end:
            spans[last].end = max(spans[last].end, spans[k].end)
        else:
            last += 1
            spans[last] = spans[k]
    secrets.count = last + 1 if secrets.count else 0


# --- delimiters

cdef bint put_mark(Marks* marks, Py_ssize_t start, Py_ssize_t end, unsigned char sign, unsigned char depth, bint in_authority) noexcept nogil:
    """Add a delimiter; return false if memory runs out."""
    cdef Mark* mark
    if marks.count == marks.room:
        mark = <Mark*>malloc(2 * marks.room * sizeof(Mark))
        if mark is NULL:
            return False
        memcpy(mark, marks.at, marks.count * sizeof(Mark))
        if marks.at != marks.here:
            free(marks.at)
        marks.at = mark
        marks.room *= 2
    mark = &marks.at[marks.count]
    mark.start, mark.n = start, end - start
    mark.sign, mark.depth, mark.in_authority = sign, depth, in_authority
    marks.count += 1
    marks.depths |= 1 << depth
    if sign == c"@":
        marks.signs |= HAS_AT
    elif sign == c"=":
        marks.signs |= HAS_EQUALS
    elif sign == c":":
        marks.signs |= HAS_COLON
    return True


cdef inline unsigned char read_hex_delimiter(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the delimiter whose code are the two hexadecimal digits at index `i`; 0 without one."""
    cdef unsigned char c
    if i + 1 >= n or not (FLAGS[text[i]] & HEXDIG and FLAGS[text[i + 1]] & HEXDIG):
        return 0
    c = decode_triplet(text + i - 1)  # as if a "%" preceded the digits
    # "%" and quotation marks are not encoded delimiters.
    return c if SIGNS[c] == c and c != c"%" and c != c'"' and c != SPACE else 0


cdef Py_ssize_t find_escape_end(const unsigned char* text, Py_ssize_t i, Py_ssize_t n, unsigned char* sign) noexcept nogil:
    """Return the end of an escaped "&" or "=" after its first character `sign`, or `i`; store the sign."""
    cdef unsigned char c = 0
    if sign[0] == c"\\":
        if i < n and text[i] == c"=":
            sign[0] = c"="
            return i + 1
        return i
    if i + 3 >= n or text[i] != c"#":
        return i
    if text[i + 3] == c";":
        c = c"&" if text[i + 1] == c"3" and text[i + 2] == c"8" else c"=" if text[i + 1] == c"6" and text[i + 2] == c"1" else 0
        n = i + 4
    elif i + 4 < n and text[i + 4] == c";" and to_lower(text[i + 1]) == c"x":
        c = read_hex_delimiter(text, i + 2, n)
        n = i + 5
    if c == c"&" or c == c"=":
        sign[0] = c
        return n
    return i


cdef Py_ssize_t read_marks(const unsigned char* text, Py_ssize_t i, Py_ssize_t n, bint is_invalid_uri, Marks* marks) noexcept nogil:
    """Implement `marks.find_marks` up to the next space; return its index, or -1 without memory.

    With `is_invalid_uri`, neither spaces nor quotation marks are delimiters.
    """
    cdef int state = BEFORE_SLASHES, depth
    cdef unsigned char sign
    cdef Py_ssize_t last = i, colon_end = -1, start, k
    marks.count = marks.signs = marks.depths = 0
    while i < n:
        sign = SIGNS[text[i]]
        if sign == ORDINARY:
            i += 1
            continue
        if sign == SPACE:
            if not is_invalid_uri:
                return i
            i += 1
            continue
        start = i
        i += 1
        if sign == c"%":
            depth, k = 1, i
            while k + 1 < n and text[k] == c"2" and text[k + 1] == c"5":
                depth += 1
                k += 2
            sign = read_hex_delimiter(text, k, n)
            # Without a delimiter, the octets that were read cannot start another one.
            i = k
            if sign:
                i = k + 2
                colon_end = i if sign == c":" else -1
                if depth <= DEEPEST and not put_mark(
                    marks, start, i, sign, DATA if state == IN_AUTHORITY and not is_invalid_uri else depth, state == IN_AUTHORITY
                ):
                    return -1
            continue
        if sign == c"&" or sign == c"\\":
            i = find_escape_end(text, i, n, &sign)
        if sign == c"\\":
            # In JSON within JSON, the escape has several backslashes.
            k = i
            while k < n and k < i + 7 and text[k] == c"\\":
                k += 1
            if k < n and text[k] == c"x":
                k += 1
            elif k + 2 < n and text[k] == c"u" and text[k + 1] == c"0" and text[k + 2] == c"0":
                k += 3
            else:
                k = n
            k = k if read_hex_delimiter(text, k, n) else n
            if k < n:
                sign = read_hex_delimiter(text, k, n)
                i = k + 2
        if sign == c'"':
            if is_invalid_uri:
                continue
            state = BEFORE_SLASHES
        elif state == IN_AUTHORITY:
            if sign == c"/" or sign == c"\\" or sign == c"?" or sign == c"#":
                state = AFTER_AUTHORITY
        elif state == AFTER_COLON or state == AFTER_SLASH:
            state = state + 1 if sign == c"/" and start == last else AFTER_AUTHORITY
        elif state == BEFORE_SLASHES:
            if sign == c":":
                state = AFTER_COLON
            elif sign == c"/":
                state = AFTER_AUTHORITY if start == colon_end else AFTER_SLASH
            elif sign == c"\\" or sign == c"?" or sign == c"#":
                state = AFTER_AUTHORITY
        last = i
        if not put_mark(marks, start, i, sign, 0, state == IN_AUTHORITY):
            return -1
    return n


# --- parameters

cdef bint find_secret_values(const unsigned char* text, Py_ssize_t n, Py_ssize_t end, Marks* marks, int depth, bint alone, bint is_invalid_uri, Secrets* secrets) noexcept nogil:
    """Implement `marks.find_secret_values`; return false if memory runs out."""
    cdef Py_ssize_t name = 0 if is_invalid_uri else -1, hidden = 0, k, stop
    cdef bint after_semicolon = False, in_query = False, in_outer_query = False, like_query
    cdef Mark* mark
    cdef unsigned char sign
    for k in range(marks.count):
        mark = &marks.at[k]
        sign = mark.sign
        if mark.depth > depth or mark.start < hidden:
            continue
        if sign == c'"':
            name, in_query, in_outer_query = -1, False, False
        elif mark.in_authority and not is_invalid_uri:
            name = -1
        elif sign == c"?" or sign == c"#":
            name, after_semicolon, in_query = mark.start + mark.n, False, True
            in_outer_query |= mark.depth == 0
        elif sign == c"&" or sign == c";":
            name, after_semicolon = mark.start + mark.n, sign == c";"
        elif sign == c"/" or sign == c"\\":
            name, after_semicolon = mark.start + mark.n if in_query else -1, False
        elif sign == c"=":
            if mark.start >= secrets.end:
                return True  # every further value is outside the part that matters
            like_query = is_invalid_uri and not after_semicolon
            if name >= 0 and is_secret(text, name, mark.start):
                stop = find_value_end(
                    marks, k + 1, end, depth, in_query or like_query, after_semicolon, not (in_outer_query or like_query)
                )
                if stop == end or SIGNS[text[stop]] == c'"':
                    if stop < n and text[stop] == c'"':
                        while stop > mark.start + mark.n and text[stop - 1] == c"\\":
                            stop -= 1
                    while not alone and not is_invalid_uri and stop > mark.start + mark.n and is_closing(text[stop - 1]):
                        stop -= 1
                if stop > mark.start + mark.n:
                    hidden = stop
                    if not put_secret(secrets, mark.start + mark.n, stop):
                        return False
            name, after_semicolon = mark.start + mark.n, False
    return True


cdef Py_ssize_t find_value_end(Marks* marks, Py_ssize_t k, Py_ssize_t end, int depth, bint in_query, bint after_semicolon, bint in_segment) noexcept nogil:
    cdef Mark* mark
    cdef unsigned char sign
    while k < marks.count:
        mark = &marks.at[k]
        sign = mark.sign
        if mark.depth <= depth:
            if sign == c"#" or sign == c'"':
                return mark.start
            if sign == c"&" and (in_query or not after_semicolon):
                return mark.start
            if sign == c";" and (not in_query or after_semicolon or (in_segment and mark.depth == 0)):
                return mark.start
            if (sign == c"/" or sign == c"\\" or sign == c"?") and (not in_query or (in_segment and mark.depth == 0)):
                return mark.start
        k += 1
    return end


cdef bint is_closing(unsigned char c) noexcept nogil:
    """Return whether `spans.CLOSING` contains a character."""
    return memchr(b".,:;!?'*)]}", c, 11) is not NULL


# --- user names and passwords

cdef inline void start_part(Part* part, Py_ssize_t start, bint is_authority, bint starts_uri, bint cannot_be_path) noexcept nogil:
    part.start = start
    part.name = start if is_authority else -1
    part.colon = part.port = part.at = part.ampersand = -1
    part.starts_uri, part.cannot_be_path, part.bracket = starts_uri, cannot_be_path, False


cdef inline bint are_digits(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    while i < end and FLAGS[text[i]] & DIGIT:
        i += 1
    return i == end


cdef bint follows_scheme(const unsigned char* text, Py_ssize_t i, Py_ssize_t colon) noexcept nogil:
    """Return whether one of `userinfo.WITH_PASSWORDS` precedes a colon."""
    cdef unsigned char word[8]
    cdef Py_ssize_t start = colon, k
    while start > i and colon - start < 8 and FLAGS[text[start - 1]] & (ALPHA | DIGIT):
        start -= 1
    for k in range(colon - start):
        word[k] = to_lower(text[start + k])
    return is_in_table(&SCHEMES_TABLE, word, colon - start)


cdef void add_delimiter(const unsigned char* text, Part* part, Mark* mark, Py_ssize_t previous_end) noexcept nogil:
    """Update a part for a delimiter that does not end it; the previous one ends at `previous_end`: `URIPart.add_delimiter`."""
    if mark.sign == c"@":
        part.at, part.at_end = mark.start, mark.start + mark.n
        part.port, part.ampersand, part.bracket = -1, -1, False
    elif mark.sign == c"[":
        part.bracket = part.bracket or part.port < 0
    elif mark.sign == c"&":
        part.ampersand, part.ampersand_end = mark.start, mark.start + mark.n
        if part.colon >= 0 and part.colon_end == previous_end and not part.starts_uri and are_digits(text, previous_end, mark.start):
            # The colon was that of a port, because the "&" belongs to the outer URI.
            part.name = part.colon = part.port = -1
    elif mark.sign == c":":
        if part.name < 0:
            if follows_scheme(text, max(previous_end, part.start), mark.start):
                part.name = mark.start + mark.n
        else:
            if part.colon < 0:
                part.colon, part.colon_end = mark.start, mark.start + mark.n
            if part.port < 0:
                part.port, part.port_end = mark.start, mark.start + mark.n


cdef bint is_port(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether digits, or a name in braces, are a port in this place: `userinfo.PORT`."""
    cdef Py_ssize_t start = i
    while i < end and FLAGS[text[i]] & DIGIT:
        i += 1
    if i == end or text[i] == c"&" or (i > start and is_closing(text[i])):
        return True
    if i > start or text[i] != c"{":
        return False
    i += 1
    while i < end and (FLAGS[text[i]] & (ALPHA | DIGIT) or text[i] == c"_"):
        i += 1
    return i < end and text[i] == c"}"


cdef bint is_between_strings(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return whether a string matches `userinfo.BETWEEN_STRINGS` at an index."""
    while i < n and text[i] == c"\\":
        i += 1
    if i >= n or text[i] != c'"':
        return False
    i += 1
    while i < n and (text[i] == c"}" or text[i] == c"]"):
        i += 1
    if i >= n or (text[i] != c"," and text[i] != c":"):
        return False
    i += 1
    while i < n and (text[i] == c"[" or text[i] == c"{"):
        i += 1
    while i < n and text[i] == c"\\":
        i += 1
    return i < n and text[i] == c'"'


cdef Py_ssize_t find_spaced_at_sign(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return where "@" follows according to `userinfo.SPACED`, or -1."""
    cdef unsigned char c
    cdef Py_ssize_t k = i
    if i < n and (text[i] == c" " or text[i] == c"\t"):
        k += 1
        while k < n:
            c = text[k]
            if c == c"/" or c == c"\\" or c == c"?" or c == c"#" or c == c"@" or c == c"\r" or c == c"\n" or SIGNS[c] == c'"':
                break
            k += 1
        if k < n and text[k] == c"@":
            return k
        k = i
    while k < n and (text[k] == c"\t" or text[k] == c"\r" or text[k] == c"\n"):
        k += 1
    return k if i < k < n and text[k] == c"@" else -1


cdef Py_ssize_t find_last_at_sign(Marks* marks, int depth) noexcept nogil:
    """Return the index of the last "@" that is a delimiter at a depth, or -1."""
    cdef Py_ssize_t k = marks.count
    while k > 0:
        k -= 1
        if marks.at[k].sign == c"@" and marks.at[k].depth <= depth:
            return marks.at[k].start
    return -1


cdef bint has_quote(const unsigned char* text, Part* part, Marks* marks, Py_ssize_t k, int depth, Py_ssize_t last) noexcept nogil:
    """Return whether the quotation mark `k` is in a password, because an "@" follows: `userinfo.URIPart.has_quote`.

    Before it, the part has a colon and an "@". After a host, which ends a URI, another "@" must follow before any
    other delimiter does. Otherwise `last`, the index of the last "@", counts as well.
    """
    cdef unsigned char sign
    cdef Py_ssize_t i = part.at_end, quote = marks.at[k].start
    cdef int characters = 0
    if i == quote or text[i] == c":":
        return last > quote
    while i < quote and characters < LONGEST_HOST:
        if SIGNS[text[i]] == c'"' or memchr(b"!$&'()*+,;=^|{}", text[i], 15) is not NULL:
            return last > quote
        i += 1
        characters += text[i] & 0xC0 != 0x80
    k += 1
    while k < marks.count:
        sign = marks.at[k].sign
        if marks.at[k].depth <= depth:
            if sign == c"@":
                return True
            if sign == c"/" or sign == c"\\" or sign == c"?" or sign == c"#" or sign == c'"':
                return False
        k += 1
    return False


cdef inline bint is_end(unsigned char c) noexcept nogil:
    return c == c"/" or c == c"\\" or c == c"?" or c == c"#"


cdef void find_other_colon(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, Py_ssize_t* start, Py_ssize_t* stop) noexcept nogil:
    """Find a character that is taken for the colon before a password: `userinfo.COLON`; or the end of the userinfo."""
    cdef int size
    while i < end:
        size = 0
        if text[i] == c";" or text[i] == c",":
            size = 1
        elif end - i >= 3 and (
            memcmp(text + i, b"\xEF\xBC\x9A", 3) == 0 or memcmp(text + i, b"\xEF\xB9\x95", 3) == 0
            or memcmp(text + i, b"\xEF\xB8\x93", 3) == 0 or (text[i] == c"%" and text[i + 1] == c"3" and text[i + 2] | 0x20 == c"a")
        ):
            size = 3  # colons of other scripts, and a percent-encoded one
        if size:
            start[0], stop[0] = i, i + size
            return
        i += 1
    start[0] = stop[0] = end


cdef bint is_token(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a user name is an access token: it starts like a known kind, or looks random."""
    cdef Py_ssize_t i
    cdef bint has_digit = False
    cdef int n
    for i in range(TOKENS_TABLE.count):
        n = TOKENS_TABLE.entries[i].n
        if n <= end - start and memcmp(text + start, TOKENS_TABLE.entries[i].text, n) == 0:
            return True
    for i in range(start, end):
        if not is_base64url(text[i]):
            return False
        has_digit |= FLAGS[text[i]] & DIGIT
    return has_digit and end - start >= 20


cdef bint find_userinfos(const unsigned char* text, Py_ssize_t n, Py_ssize_t start, Py_ssize_t end, Marks* marks, int depth, bint usernames, bint is_invalid_uri, Secrets* secrets) noexcept nogil:
    """Implement `userinfo.find_userinfos`; return false if memory runs out."""
    cdef Part part, following
    cdef Mark* mark
    cdef Mark sentinel
    cdef Py_ssize_t k, stop, last, before = start
    cdef Py_ssize_t[2] last_ats
    cdef unsigned char sign, previous = c'"', sign_before = 0
    cdef bint adjacent, doubled = False, domain, spaced = depth == 0
    sentinel.start, sentinel.n = end, 0
    sentinel.sign, sentinel.depth, sentinel.in_authority = c'"', 0, False
    last_ats[0], last_ats[1] = find_last_at_sign(marks, depth), find_last_at_sign(marks, DATA)
    start_part(&part, start, False, False, False)
    part.colon_end = part.port_end = part.at_end = part.ampersand_end = start  # never read, but compilers cannot know
    for k in range(marks.count + 1):
        mark = &marks.at[k] if k < marks.count else &sentinel
        if mark.depth > depth or mark.start < part.start:
            continue
        sign, stop = mark.sign, mark.start
        adjacent = before == stop
        if sign == c"\\" and adjacent and previous == c"@":
            before = stop + mark.n
            continue
        if not (sign == c"/" and adjacent and previous == c"\\"):
            doubled = adjacent and (previous == c"/" or previous == c"\\")
            if (sign == c"/" or sign == c"\\") and not doubled:
                if adjacent:
                    sign_before = previous
                else:
                    sign_before = c'"' if stop > start and memchr(b"'*([{,", text[stop - 1], 6) is not NULL else 0
        if sign == c"=" and part.ampersand >= 0 and not part.starts_uri:
            stop = part.ampersand
            start_part(&following, part.ampersand_end, False, False, False)
        elif not (sign == c"/" or sign == c"\\" or sign == c"?" or sign == c"#" or sign == c'"') or (
            sign == c'"' and k < marks.count and part.colon >= 0 and part.at >= 0
            and not is_between_strings(text, stop, n) and has_quote(text, &part, marks, k, depth, last_ats[0])
        ):
            add_delimiter(text, &part, mark, before)
            before, previous = mark.start + mark.n, sign
            continue
        elif (sign == c"/" or sign == c"\\") and (doubled or sign_before == c":") and not (
            sign == c"\\" and part.cannot_be_path and part.name == part.start and part.colon < 0 and part.at < 0
        ):
            start_part(&following, mark.start + mark.n, True, mark.in_authority, is_invalid_uri or sign_before == c":" or sign_before == c"=" or sign_before == c'"')
        else:
            domain = sign == c"\\" and part.name == part.start and part.colon < 0 and part.at < 0
            start_part(&following, mark.start + mark.n, domain, domain and part.starts_uri, domain and part.cannot_be_path)
        last = part.at
        if (
            part.name >= 0 and part.port >= 0 and sign != c"=" and part.cannot_be_path and not part.bracket
            and (not is_port(text, part.port_end, stop) or (part.port_end == stop < n and is_end(text[stop])))
            and not is_between_strings(text, stop, n)
        ):
            last = last_ats[0] if last_ats[0] > part.port_end else last_ats[1]
            if last <= part.port_end:
                last = find_spaced_at_sign(text, end, n) if spaced and stop == end else -1
            if last >= 0:
                start_part(&following, last, False, False, False)
            else:
                last = part.at
        if part.name >= 0 and last >= 0:
            if part.colon < 0 or part.colon > last:
                find_other_colon(text, part.name, last, &part.colon, &part.colon_end)
            if (usernames or is_token(text, part.name, part.colon)) and not put_secret(secrets, part.name, part.colon):
                return False
            if not put_secret(secrets, part.colon_end, last):
                return False
        part = following
        before, previous = mark.start + mark.n, sign
    return True


# --- strings

cdef inline bint is_base64url(unsigned char c) noexcept nogil:
    return FLAGS[c] & (ALPHA | DIGIT) != 0 or c == c"-" or c == c"_"


cdef bint starts_token(const unsigned char* text, Py_ssize_t i) noexcept nogil:
    """Return whether a JSON Web Token may start at an index, by the characters before it."""
    cdef Py_ssize_t k
    if i == 0 or not is_base64url(text[i - 1]):
        return True
    if i >= 2 and text[i - 2] == c"\\" and (text[i - 1] == c"n" or text[i - 1] == c"r" or text[i - 1] == c"t"):
        return True
    # Otherwise, only a triplet may precede it, whose "%" may be encoded again as in `%252F`.
    if i < 3 or not (FLAGS[text[i - 1]] & HEXDIG and FLAGS[text[i - 2]] & HEXDIG):
        return False
    k = i - 3
    while k > i - 7 and k >= 2 and text[k] == c"5" and text[k - 1] == c"2":
        k -= 2
    return text[k] == c"%"


cdef bint find_tokens(const unsigned char* text, Py_ssize_t n, Secrets* secrets) noexcept nogil:
    """Add the JSON Web Tokens: `secrets.JWT`; return false if memory runs out."""
    cdef Py_ssize_t i = 0, start, end
    cdef int parts
    while i < n:
        i = find_octet(text, i, n, c"J") + 1
        if i > n:
            break
        start = i - 3
        if start < 0 or text[start] != c"e" or text[start + 1] != c"y" or not starts_token(text, start):
            continue
        end, parts = i, 0
        while end < n and is_base64url(text[end]):
            end += 1
        if end - i < 8:
            continue
        while parts < 4 and end < n and text[end] == c".":
            parts += 1
            end += 1
            while end < n and is_base64url(text[end]):
                end += 1
        if parts < 2:
            continue
        i = end
        if not put_secret(secrets, start, end):
            return False
    return True


cdef bint is_opening(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return whether letters and then opening punctuation start a string: `masking.OPENING`."""
    cdef Py_ssize_t i = 0
    while i < n and FLAGS[text[i]] & ALPHA:
        i += 1
    return i < n and memchr(b"'*([{", text[i], 5) is not NULL


cdef bint find_chunk_secrets(const unsigned char* text, Py_ssize_t n, Py_ssize_t start, Py_ssize_t end, Marks* marks, bint has_at, bint usernames, bint is_invalid_uri, Secrets* secrets) noexcept nogil:
    """Add the secrets in a chunk, which ends at a space; return false if memory runs out.

    Delimiters that are percent-encoded once are at depth 1, and so on. The chunk is searched once for each depth.
    """
    cdef bint alone = not is_invalid_uri and end - start == n and not is_opening(text, n)
    cdef int depth
    cdef unsigned int userinfo_signs
    for depth in range(DEEPEST + 1):
        if depth > 0 and not marks.depths >> depth & 1:
            continue
        if marks.signs & HAS_EQUALS and not find_secret_values(text, n, end, marks, depth, alone, is_invalid_uri, secrets):
            return False
        # At depth 0, a password with spaces extends beyond the chunk, and so the "@" may follow later.
        userinfo_signs = HAS_AT | HAS_COLON if has_at and depth == 0 else HAS_AT
        if marks.signs & userinfo_signs and not find_userinfos(
            text, n, start, end, marks, depth, usernames, is_invalid_uri, secrets
        ):
            return False
    return True


cdef Py_ssize_t find_public_end(const unsigned char* text, Py_ssize_t i, Py_ssize_t n, bint has_at, bint is_invalid_uri) noexcept nogil:
    """Return the end of a chunk that certainly has no secrets; otherwise -1. `has_at` is whether "@" occurs at all."""
    cdef Py_ssize_t name = i, k
    cdef unsigned char sign
    while i < n:
        sign = SIGNS[text[i]]
        i += 1
        if sign == ORDINARY:
            continue
        if sign == c"=":
            if is_secret(text, name, i - 1):
                return -1
            name = i
        elif sign == SPACE:
            if not is_invalid_uri:
                return i - 1
        elif sign == c"/" or sign == c"?" or sign == c"#" or sign == c";":
            name = i
        elif sign == c"&":
            if i < n and text[i] == c"#":
                return -1
            name = i
        elif sign == c"%":
            k = i
            while k + 1 < n and text[k] == c"2" and text[k + 1] == c"5":
                k += 2
            if read_hex_delimiter(text, k, n):
                return -1
        elif sign == c"\\" or sign == c"@" or (sign == c":" and has_at):
            return -1
    return n


cdef int find_secrets(const unsigned char* text, Py_ssize_t n, bint usernames, bint suspected, Secrets* secrets) noexcept nogil:
    """Add the secrets of a string: `masking.find_secret_spans`; return DONE or NO_MEMORY.

    If `suspected`, the string is one invalid URI, and more is added: `masking.find_secrets_of_invalid_uri`.
    """
    cdef Marks marks
    cdef Py_ssize_t i = 0, start
    cdef int status = DONE
    cdef bint has_at, has_sign
    if simd_variant.is_harmless(text, n):
        return DONE
    has_at = contains_octet(text, 0, n, c"@")
    if not find_tokens(text, n, secrets) or (suspected and not find_suspected_password(text, n, secrets)):
        return NO_MEMORY
    marks.at, marks.room = marks.here, 96
    has_sign = has_at or contains_octet(text, 0, n, c"=") or contains_octet(text, 0, n, c"%")
    has_sign = has_sign or contains_octet(text, 0, n, c"\\") or contains_octet(text, 0, n, c"&")
    # Without a sign, there are only tokens.
    while has_sign and i < n and status == DONE:
        start = i
        i = find_public_end(text, start, n, has_at, suspected)
        if i < 0:
            i = read_marks(text, start, n, suspected, &marks)
            if i < 0 or not find_chunk_secrets(text, n, start, i, &marks, has_at, usernames, suspected, secrets):
                status = NO_MEMORY
        i += 1
    if marks.at != marks.here:
        free(marks.at)
    merge_spans(secrets)
    return status


cdef bint find_suspected_password(const unsigned char* text, Py_ssize_t n, Secrets* secrets) noexcept nogil:
    """Implement `masking.find_suspected_password`; return false if memory runs out."""
    cdef Py_ssize_t i = 0, k, at_sign = n - 1
    cdef bint before
    while at_sign >= 0 and text[at_sign] != c"@":
        at_sign -= 1
    if at_sign < 0:
        return True
    while i < n and text[i] != c":" and text[i] != c"/" and text[i] != c"?" and text[i] != c"#":
        i += 1
    # A scheme, if it is followed by a slash; or else only the slash at the start.
    i = i + 1 if 0 < i < n and text[i] == c":" else 0
    before = i < n and (text[i] == c"/" or text[i] == c"\\")
    i = i + 1 if before else 0
    while i < at_sign:
        if text[i] == c":":
            k = i + 1
            while k < at_sign and FLAGS[text[k]] & DIGIT:
                k += 1
            if not before or k == at_sign or not (text[k] == c"/" or text[k] == c"?" or text[k] == c"#"):
                return put_secret(secrets, i + 1, at_sign)
        i += 1
    return True


cdef Py_ssize_t write_redacted(const unsigned char* text, Py_ssize_t n, Secrets* secrets, unsigned char* out) noexcept nogil:
    """Replace secrets; a replacement is at most seven octets longer than a secret."""
    cdef Py_ssize_t done = 0, length = 0, k
    for k in range(secrets.count):
        length = put(out, length, text, done, secrets.spans[k].start)
        memcpy(out + length, b"REDACTED", MASK_LENGTH)
        length += MASK_LENGTH
        done = secrets.spans[k].end
    return put(out, length, text, done, n)


cdef bint holds_delimiter(const unsigned char* text, Secrets* secrets) noexcept nogil:
    """Return whether a secret extends over the "/", "?" or "#" that ends a component."""
    cdef Py_ssize_t k, i
    for k in range(secrets.count):
        for i in range(secrets.spans[k].start, secrets.spans[k].end):
            if text[i] == c"/" or text[i] == c"?" or text[i] == c"#":
                return True
    return False


# --- paths

cdef Py_ssize_t find_slash_end(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the end of the slash at an index, which may be percent-encoded several times, or -1."""
    if text[i] == c"/":
        return i + 1
    if text[i] != c"%":
        return -1
    i += 1
    while i + 1 < n and text[i] == c"2" and text[i + 1] == c"5":
        i += 2
    return i + 2 if i + 1 < n and text[i] == c"2" and text[i + 1] | 0x20 == c"f" else -1


cdef bint is_path_word(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef unsigned char word[LONGEST_ENTRY]
    cdef Py_ssize_t k
    if end - i > LONGEST_ENTRY:
        return False
    for k in range(end - i):
        word[k] = to_lower(text[i + k])
    return is_in_table(&PATHS_TABLE, word, end - i)


cdef Py_ssize_t find_bot_end(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the end of the number and the key of a bot, or -1: `paths.BOT`, after "bot"."""
    cdef Py_ssize_t start = i
    while i < n and FLAGS[text[i]] & DIGIT:
        i += 1
    if i == start or i == n:
        return -1
    if text[i] == c":":
        i += 1
    elif text[i] == c"%":
        i += 1
        while i + 1 < n and text[i] == c"2" and text[i + 1] == c"5":
            i += 2
        if i + 1 >= n or text[i] != c"3" or text[i + 1] | 0x20 != c"a":
            return -1
        i += 2
    else:
        return -1
    start = i
    while i < n and is_base64url(text[i]):
        i += 1
    return i if i > start else -1


cdef bint is_random(const unsigned char* text, Py_ssize_t i, Py_ssize_t stop, Py_ssize_t end) noexcept nogil:
    """Return whether the part of a segment up to `stop` is long, or less long and with a digit: `paths.RANDOM`."""
    if stop - i >= 24:
        return True
    if stop - i < 10:
        return False
    while i < end and text[i] != c"/" and text[i] != c"%":
        if FLAGS[text[i]] & DIGIT:
            return True
        i += 1
    return False


cdef int find_path_secrets(const unsigned char* text, Py_ssize_t n, Py_ssize_t path, Secrets* secrets) noexcept nogil:
    """Implement `secrets.find_path_secrets` from the index `path` on; return DONE, NO_MEMORY or BY_REFERENCE."""
    cdef Py_ssize_t i = 0, start, stop, end = 0
    # `end` is the end of the segments after a word. Until it, other words do not matter.
    while i < n:
        start = find_slash_end(text, i, n)
        if start < 0:
            i += 1
            continue
        if start + 3 < n and memcmp(text + start, b"bot", 3) == 0:
            stop = find_bot_end(text, start + 3, n)
            if stop >= 0 and start + 3 >= path and not put_secret(secrets, start + 3, stop):
                return NO_MEMORY
        if i >= end:
            stop = start
            while stop < n and text[stop] != c"/" and text[stop] != c"%" and stop - start <= LONGEST_ENTRY:
                stop += 1
            if stop < n and find_slash_end(text, stop, n) >= 0 and is_path_word(text, start, stop):
                i = end = stop
                while end < n and SIGNS[text[end]] != SPACE and SIGNS[text[end]] != c'"' and memchr(b"?#&", text[end], 3) is NULL:
                    if text[end] >= 0x80:
                        return BY_REFERENCE  # letters of other scripts count as well
                    end += 1
                continue
        else:
            stop = start
            while stop < end and (FLAGS[text[stop]] & UNRESERVED or memchr(b":=@+", text[stop], 4) is not NULL):
                stop += 1
            if is_random(text, start, stop, end):
                if start >= path and not put_secret(secrets, start, stop):
                    return NO_MEMORY
                i = stop
                continue
        i += 1
    merge_spans(secrets)
    return DONE


cdef Py_ssize_t find_authority_end(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the end of the authority of a valid reference, or 0: `masking.TO_AUTHORITY`."""
    cdef Py_ssize_t i = 0
    while i < n and text[i] != c":" and not ends_authority(text[i]):
        i += 1
    i = i + 1 if 0 < i < n and text[i] == c":" else 0  # after the scheme, if any
    if i + 1 >= n or text[i] != c"/" or text[i + 1] != c"/":
        return 0
    i += 2
    while i < n and not ends_authority(text[i]):
        i += 1
    return i


def redact(str text, bint usernames, bint paths, bint valid, /):
    """Replace the secrets in a string, which is a valid URI if `valid`: `masking.redact_text`, `masking.redact_valid`."""
    cdef Text utf8
    cdef Secrets secrets
    cdef Py_ssize_t n, k
    cdef unsigned char* out
    cdef str result
    cdef int status
    load_secrets()
    open_secrets(&secrets)
    open_text(text, &utf8)
    try:
        status = find_secrets(utf8.p, utf8.n, usernames, False, &secrets)
        if paths and status == DONE:
            status = find_path_secrets(utf8.p, utf8.n, find_authority_end(utf8.p, utf8.n) if valid else 0, &secrets)
        if status == NO_MEMORY:
            raise MemoryError
        if status == BY_REFERENCE or (valid and holds_delimiter(utf8.p, &secrets)):
            from uriverse import _redaction
            function = _redaction.redact_valid if valid else _redaction.redact_text
            return function(text, usernames=usernames, paths=paths)
        if secrets.count == 0:
            return text
        n = utf8.n
        for k in range(secrets.count):
            n += MASK_LENGTH - (secrets.spans[k].end - secrets.spans[k].start)
        if PyUnicode_IS_ASCII(text):
            result = PyUnicode_New(n, 0x7F)
            write_redacted(utf8.p, utf8.n, &secrets, <unsigned char*>PyUnicode_DATA(result))
            return result
        out = <unsigned char*>PyMem_Malloc(n)
        if out is NULL:
            raise MemoryError
        try:
            write_redacted(utf8.p, utf8.n, &secrets, out)
            return PyUnicode_DecodeUTF8(<const char*>out, n, "surrogatepass")
        finally:
            PyMem_Free(out)
    finally:
        close_text(&utf8)
        close_secrets(&secrets)


cdef Py_ssize_t find_byte_offset(Text* utf8, Py_ssize_t character) noexcept nogil:
    """Return the offset of a character in UTF-8, or the length if there are fewer characters."""
    cdef Py_ssize_t i = 0
    while i < utf8.n and (character > 0 or utf8.p[i] & 0xC0 == 0x80):
        character -= utf8.p[i] & 0xC0 != 0x80
        i += 1
    return i


def list_secrets(source, bint usernames, bint suspected, Py_ssize_t start, Py_ssize_t end, /):
    """Return the spans of the secrets in a string that overlap the part from `start` to `end`."""
    cdef str text = as_text(source)
    cdef Text utf8
    cdef Secrets secrets
    cdef Py_ssize_t done = 0, characters = 0, size, k
    cdef bint ascii = PyUnicode_IS_ASCII(text)
    cdef list spans = []
    load_secrets()
    open_secrets(&secrets)
    open_text(text, &utf8)
    try:
        secrets.start, secrets.end = start, end
        if not ascii:
            secrets.start, secrets.end = find_byte_offset(&utf8, start), find_byte_offset(&utf8, end)
        if find_secrets(utf8.p, utf8.n, usernames, suspected, &secrets) != DONE:
            raise MemoryError
        for k in range(secrets.count):
            start, end = secrets.spans[k].start, secrets.spans[k].end
            if not ascii:
                # Count characters instead of octets.
                characters += count_characters(utf8.p, done, start)
                size = count_characters(utf8.p, start, end)
                start, done = characters, end
                end = characters = start + size
            spans.append((start, end))
        return spans
    finally:
        close_text(&utf8)
        close_secrets(&secrets)


cdef int write_redaction(
    const unsigned char* text, Py_ssize_t n, bint usernames, bint paths, bint displayed, Scratch* out, Py_ssize_t* length
) noexcept nogil:
    """Write UTF-8 without its secrets; `length` becomes -1 if it has none. Return DONE, NO_MEMORY or BY_REFERENCE.

    In a URI that is displayed, secrets never extend over a delimiter.
    """
    cdef Secrets secrets
    cdef int status
    length[0] = -1
    open_secrets(&secrets)
    status = find_secrets(text, n, usernames, False, &secrets)
    if status == DONE and paths:
        status = find_path_secrets(text, n, 0, &secrets)
    if status == DONE and displayed and holds_delimiter(text, &secrets):
        status = BY_REFERENCE
    if status == DONE and secrets.count > 0:
        status = reserve(out, n + MASK_LENGTH * secrets.count)
        if status == DONE:
            length[0] = write_redacted(text, n, &secrets, out.p)
    close_secrets(&secrets)
    return status
