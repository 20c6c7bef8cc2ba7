# Column functions that replace or remove parts of a row, or return a part in another form:
# `uriverse.columns._edits` and `uriverse.columns._components`.
# Other files call `store_patterns`, `store_domains`, `has_many_params`, `is_repeated` and `store_blocks`.


cdef int store_patterns(Patterns* found, tuple octets, bint globs) except -1:
    """Store names or globs, which the caller keeps alive."""
    cdef const unsigned char* p
    cdef Py_ssize_t n
    cdef int k
    found.count, found.globs = len(octets), globs
    for k in range(found.count):
        p = <const unsigned char*><bytes>octets[k]
        n = len(<bytes>octets[k])
        found.p[k], found.n[k] = p, n
        if n > 0 and globs and p[0] == c"*":
            found.every |= n == 1
            memset(found.firsts, 1, 256)
        elif n > 0:
            found.firsts[p[0]] = 1
    return 0


cdef int store_domains(Call* w, tuple octets) except -1:
    """Store domains, which the caller keeps alive and sorts by their last octets."""
    cdef unsigned char last
    store_patterns(&w.kept, octets, False)
    memset(w.first_with, MOST_PATTERNS, 256)
    for k in reversed(range(w.kept.count)):
        last = w.kept.p[k][w.kept.n[k] - 1]
        w.first_with[last] = k
    return 0


cdef bint matches_glob(const unsigned char* p, Py_ssize_t n, const unsigned char* glob, Py_ssize_t size) noexcept nogil:
    """Return whether a string matches a glob whose only special character is `*`."""
    cdef Py_ssize_t i = 0, k = 0, star = -1, behind = 0
    while i < n:
        if k < size and glob[k] == c"*":
            star, behind = k, i
            k += 1
        elif k < size and glob[k] == p[i]:
            i += 1
            k += 1
        elif star >= 0:
            # The last star matches one more octet.
            behind += 1
            i, k = behind, star + 1
        else:
            return False
    while k < size and glob[k] == c"*":
        k += 1
    return k == size


cdef bint matches_any(Patterns* wanted, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether a decoded name matches one of the patterns."""
    cdef int k
    if wanted.every:
        return True
    if n > 0 and not wanted.firsts[p[0]]:
        return False
    for k in range(wanted.count):
        if wanted.globs:
            if matches_glob(p, n, wanted.p[k], wanted.n[k]):
                return True
        elif n == wanted.n[k] and memcmp(p, wanted.p[k], n) == 0:
            return True
    return False


cdef Py_ssize_t decode_param_data(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, bint form, unsigned char* out) noexcept nogil:
    """Write the decoded form of data; return its length."""
    cdef Py_ssize_t n = 0
    while i < end:
        out[n] = p[i]
        if p[i] == c"%":
            out[n] = decode_triplet(p + i)
            i += 2
        elif p[i] == c"+" and form:
            out[n] = c" "
        n += 1
        i += 1
    return n


cdef int decode_name(Call* w, const unsigned char* p, Piece* piece, const unsigned char** name, Py_ssize_t* n) noexcept nogil:
    """Find the decoded name of a parameter, which is in the query itself or in `w.copy`."""
    cdef Py_ssize_t k = piece.start
    while k < piece.name_end and p[k] != c"%" and p[k] != c"+":
        k += 1
    name[0], n[0] = p + piece.start, k - piece.start
    if k < piece.name_end:
        if reserve(&w.copy, piece.name_end - piece.start) != DONE:
            return NO_MEMORY
        n[0] = decode_param_data(p, piece.start, piece.name_end, True, w.copy.p)
        name[0] = w.copy.p
    return DONE


cdef bint has_many_params(Span* s, Scan* at) noexcept nogil:
    """Return whether a row has so many parameters that comparing all pairs of them would take long."""
    cdef Py_ssize_t i
    cdef int count = 0
    for i in range(at.path_end, at.query_end):
        count += s.p[i] == c"&"
    return count > MOST_PATTERNS


cdef int is_repeated(Call* w, const unsigned char* p, Py_ssize_t n, Piece* piece) noexcept nogil:
    """Return whether an earlier parameter has the name of a piece, or -1 if memory runs out."""
    cdef Piece before
    cdef const unsigned char* name
    cdef Py_ssize_t length
    if piece.start == 0:
        return False
    if decode_name(w, p, piece, &name, &length) != DONE:
        return -1
    before.end = -1
    while next_piece(p, n, c"&", &before) and before.start < piece.start:
        if before.end > before.start and decodes_to(p, before.start, before.name_end, True, name, length):
            return True
    return False


cdef int is_param_removed(Call* w, const unsigned char* p, Piece* piece) noexcept nogil:
    """Return whether a piece of a query is a parameter to remove, or -1 if memory runs out."""
    cdef const unsigned char* name = p + piece.start
    cdef Py_ssize_t n = piece.name_end - piece.start
    if piece.end == piece.start:
        return False
    # Most names begin with another octet than all patterns.
    if w.kept.every and n > 0 and not w.dropped.firsts[name[0]] and name[0] != c"%" and name[0] != c"+":
        return False
    if decode_name(w, p, piece, &name, &n) != DONE:
        return -1
    return not matches_any(&w.kept, name, n) or matches_any(&w.dropped, name, n)


cdef bint keeps_params(Call* w, Row* one) noexcept nogil:
    """Return whether no parameter of a row is to be removed; false if memory runs out."""
    cdef Piece piece
    cdef Span* s = &one.s
    cdef Scan* at = &one.at
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1
    if n < 0:
        return True
    if disabled_shortcut == IS_KEPT:
        return False
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if is_param_removed(w, p, &piece):
            return False
    return True


cdef int put_other_params(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write a row without the parameters that are to be removed, and without an empty query."""
    cdef Piece piece
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1, k
    cdef int removed
    if reserve(&w.out, s.n) != DONE:
        return NO_MEMORY
    # Each piece that remains follows "?" or "&".
    k = put(w.out.p, 0, s.p, 0, at.path_end)
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        removed = is_param_removed(w, p, &piece)
        if removed < 0:
            return NO_MEMORY
        if not removed:
            w.out.p[k] = c"?" if k == at.path_end else c"&"
            k = put(w.out.p, k + 1, p, piece.start, piece.end)
    k = put(w.out.p, k, s.p, at.query_end, s.n)
    return put_text(t, w.out.p, k)


cdef int put_without(Call* w, Span* s, Py_ssize_t start, Py_ssize_t end, Texts* t) noexcept nogil:
    """Write a row without the octets from `start` to `end`."""
    cdef Py_ssize_t n
    if start == 0:
        return put_span(t, s, end, s.n)
    if end == s.n:
        return put_span(t, s, 0, start)
    if reserve(&w.out, s.n) != DONE:
        return NO_MEMORY
    n = put(w.out.p, 0, s.p, 0, start)
    n = put(w.out.p, n, s.p, end, s.n)
    return put_text(t, w.out.p, n)


cdef int put_decoded_part(Call* w, Span* s, Py_ssize_t start, Py_ssize_t end, Texts* t) noexcept nogil:
    """Write a part of a row, percent-decoded."""
    cdef Py_ssize_t n
    if end == start or memchr(s.p + start, c"%", end - start) is NULL:
        return put_span(t, s, start, end)
    if reserve(&w.out, end - start) != DONE:
        return NO_MEMORY
    n = decode_param_data(s.p, start, end, False, w.out.p)
    return put_text(t, w.out.p, n) if is_utf8(w.out.p, n) else BY_REFERENCE


cdef int put_username(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    cdef Py_ssize_t end = at.authority
    if at.authority < 0 or at.host == at.authority:
        return NULL_ROW
    while end < at.host - 1 and s.p[end] != c":":
        end += 1
    return put_decoded_part(w, s, at.authority, end, t)


cdef int put_suffix(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the file extension of the last segment."""
    cdef Py_ssize_t start = find_name_start(s.p, at.path, at.path_end)
    if start == at.path_end:
        return put_span(t, s, start, start)
    if memchr(s.p + start, c"%", at.path_end - start) is not NULL:
        return BY_REFERENCE
    return put_span(t, s, find_suffix_start(s.p, start, at.path_end), at.path_end)


cdef int put_address(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the address in the host, without brackets."""
    cdef unsigned int numbers[8]
    cdef unsigned char out[64]
    if at.host < 0 or at.host == at.host_end:
        return NULL_ROW
    if s.p[at.host] != c"[":
        return put_span(t, s, at.host, at.host_end) if has_ipv4_host(s.p, at) else NULL_ROW
    if s.p[at.host + 1] | 0x20 == c"v":
        return NULL_ROW
    read_ipv6_groups(s.p, at.host, numbers)
    # The module `ipaddress` writes such addresses in a form of its own.
    if is_before_ipv4(numbers):
        return BY_REFERENCE
    return put_text(t, out + 1, write_ipv6(s.p, at.host, out, 0) - 2)


cdef int store_blocks(AddressBlocks* found, tuple blocks) except -1:
    """Store address blocks, whose scopes the caller keeps alive."""
    cdef AddressBlock* one
    found.count = len(blocks)
    for k in range(found.count):
        one = &found.blocks[k]
        one.high, one.low, one.high_mask, one.low_mask, scope = blocks[k]
        one.scope, one.n = <const unsigned char*><bytes>scope, len(<bytes>scope)
    return 0


cdef int put_scope(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the scope of the address in the host, which is that of the first block that contains it."""
    cdef unsigned int numbers[8]
    cdef AddressBlocks* known = &w.blocks[0]
    cdef AddressBlock* one
    cdef uint64_t high = 0, low = 0
    cdef Py_ssize_t i = at.host
    cdef unsigned int value
    cdef int k
    if at.host < 0 or at.host == at.host_end:
        return NULL_ROW
    if s.p[i] == c"[":
        if s.p[i + 1] | 0x20 == c"v":
            return NULL_ROW
        read_ipv6_groups(s.p, i, numbers)
        known = &w.blocks[1]
        for k in range(4):
            high = high << 16 | numbers[k]
            low = low << 16 | numbers[k + 4]
    elif has_ipv4_host(s.p, at):
        for k in range(4):
            value = 0
            while i < at.host_end and s.p[i] != c".":
                value = value * 10 + get_digit(s.p[i])
                i += 1
            i += 1
            high = high << 8 | value
        high <<= 32
    else:
        return NULL_ROW
    for k in range(known.count):
        one = &known.blocks[k]
        if high & one.high_mask == one.high and low & one.low_mask == one.low:
            return put_text(t, one.scope, one.n)
    return NULL_ROW


cdef int put_special_use(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the longest special-use domain that contains the host."""
    cdef Py_ssize_t n = at.host_end - at.host, i, start, longest = -1
    cdef const unsigned char* name
    cdef unsigned char last
    cdef int k
    if at.host < 0:
        return NULL_ROW
    if not is_as_looked_up(s.p, at):
        return BY_REFERENCE
    n -= n > 0 and s.p[at.host_end - 1] == c"."
    if n == 0:
        return NULL_ROW
    last = to_lower(s.p[at.host + n - 1])
    # The domains with the same last octet follow each other.
    for k in range(w.first_with[last], w.kept.count):
        name, start = w.kept.p[k], at.host + n - w.kept.n[k]
        if name[w.kept.n[k] - 1] != last:
            break
        if start < at.host or (start > at.host and s.p[start - 1] != c"."):
            continue
        i = 0
        while i < w.kept.n[k] and to_lower(s.p[start + i]) == name[i]:
            i += 1
        if i == w.kept.n[k] and (longest < 0 or i > w.kept.n[longest]):
            longest = k
    return NULL_ROW if longest < 0 else put_text(t, w.kept.p[longest], w.kept.n[longest])


cdef int put_exchanged(Call* w, Span* s, Py_ssize_t start, Py_ssize_t end, const char* before, const char* behind, Texts* t) noexcept nogil:
    """Write a row with a new part between `before` and `behind` in the place of the octets from `start` to `end`."""
    cdef Py_ssize_t n
    if reserve(&w.out, s.n + w.new_size + 2) != DONE:
        return NO_MEMORY
    n = put(w.out.p, 0, s.p, 0, start)
    n = put(w.out.p, n, <const unsigned char*>before, 0, strlen(before))
    n = put(w.out.p, n, w.new_part, 0, w.new_size)
    n = put(w.out.p, n, <const unsigned char*>behind, 0, strlen(behind))
    n = put(w.out.p, n, s.p, end, s.n)
    return BY_REFERENCE if n > LONGEST_TEXT else put_text(t, w.out.p, n)


cdef int put_with_scheme(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    if w.new_part is not NULL:
        return put_exchanged(w, s, 0, at.scheme_end + 1, b"", b":", t)
    # A URI is never turned into a relative reference.
    return put_span(t, s, 0, s.n) if at.scheme_end < 0 else BY_REFERENCE


cdef int put_with_host(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write a row with another host, which is not NULL."""
    if at.authority >= 0:
        return put_exchanged(w, s, at.host, at.host_end, b"", b"", t)
    if at.path < at.path_end and s.p[at.path] != c"/":
        return NULL_ROW
    return put_exchanged(w, s, at.path, at.path, b"//", b"", t)


cdef int put_with_port(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    if at.authority < 0:
        return BY_REFERENCE if w.new_part is NULL else NULL_ROW
    if w.new_part is NULL:
        return put_without(w, s, at.host_end, at.path, t)
    return put_exchanged(w, s, at.host_end, at.path, b":", b"", t)


cdef int put_segments(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the decoded segments of the path of a row."""
    cdef Py_ssize_t i = at.path, end, first = t.rows, octets = t.n
    cdef const unsigned char* slash
    cdef int status
    if t.n + at.path_end - i > t.full or first + at.path_end - i >= 0x7FFFFFFF:
        return FULL
    while i <= at.path_end and at.path < at.path_end:
        slash = <const unsigned char*>memchr(s.p + i, c"/", at.path_end - i)
        end = at.path_end if slash is NULL else slash - s.p
        status = put_decoded_part(w, s, i, end, t) if room_for_row(t) == DONE else NO_MEMORY
        if status != DONE:
            take_back(t, first, octets)
            return status
        i = end + 1
    return DONE


cdef int put_without_query(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_without(w, s, at.path_end, at.query_end, t)


cdef int put_without_userinfo(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_without(w, s, at.authority, at.host, t)


cdef int put_name(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    return put_decoded_part(w, s, find_name_start(s.p, at.path, at.path_end), at.path_end, t)


cdef int count_segments(Call* w, Span* s, Scan* at, int64_t* number) noexcept nogil:
    """Count the segments of the path that are not empty."""
    cdef const unsigned char* p = s.p + at.path
    cdef Py_ssize_t i, n = at.path_end - at.path
    cdef int count = n > 0 and p[0] != c"/"
    for i in range(1, n):
        count += (p[i] != c"/") & (p[i - 1] == c"/")
    number[0] = count
    return DONE


cdef int find_effective_port(Call* w, Span* s, Scan* at, int64_t* number) noexcept nogil:
    """Return the port, or the default port of the scheme if the port is missing or empty."""
    cdef int32_t port
    if at.host_end < 0 or at.host_end + 1 < at.path:
        return port_number(w, s, at, number)
    if at.scheme_end < 0:
        return NULL_ROW
    port = get_default_port(s.p, at.scheme_end)
    if port < 0:
        return NULL_ROW if port == -1 else BY_REFERENCE
    number[0] = port
    return DONE
