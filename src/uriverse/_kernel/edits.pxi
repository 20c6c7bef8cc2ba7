# Column functions that replace or remove parts of a row, or return a part in another form:
# `uriverse.columns._edits` and `uriverse.columns._components`.
# Other files call `store_patterns`, `store_domains`, `has_many_params`, `is_repeated` and `store_blocks`.


cdef int store_patterns(Patterns* patterns, tuple octets, bint globs) except -1:
    """Store names or globs, which the caller keeps alive."""
    cdef const unsigned char* text
    cdef Py_ssize_t n
    cdef int k
    patterns.count, patterns.globs = len(octets), globs
    for k in range(patterns.count):
        text = <const unsigned char*><bytes>octets[k]
        n = len(<bytes>octets[k])
        patterns.p[k], patterns.n[k] = text, n
        if n > 0 and globs and text[0] == c"*":  # Matching names begin with any octet.
            patterns.every |= n == 1
            memset(patterns.firsts, 1, 256)
        elif n > 0:
            patterns.firsts[text[0]] = 1
    return 0


cdef int store_domains(Call* call, tuple octets) except -1:
    """Store domains, which the caller keeps alive and sorts by their last octets."""
    cdef unsigned char last
    store_patterns(&call.kept, octets, False)
    memset(call.first_with, MOST_PATTERNS, 256)
    for k in reversed(range(call.kept.count)):
        last = call.kept.p[k][call.kept.n[k] - 1]
        call.first_with[last] = k
    return 0


cdef bint matches_glob(const unsigned char* text, Py_ssize_t n, const unsigned char* glob, Py_ssize_t size) noexcept nogil:
    """Return whether a string matches a glob whose only special character is `*`."""
    cdef Py_ssize_t i = 0, k = 0, star = -1, retry = 0
    while i < n:
        if k < size and glob[k] == c"*":
            star, retry = k, i
            k += 1
        elif k < size and glob[k] == text[i]:
            i += 1
            k += 1
        elif star >= 0:
            # The last star matches one more octet.
            retry += 1
            i, k = retry, star + 1
        else:
            return False
    while k < size and glob[k] == c"*":
        k += 1
    return k == size


cdef bint matches_any(Patterns* wanted, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef int k
    if wanted.every:
        return True
    if n > 0 and not wanted.firsts[text[0]]:
        return False
    for k in range(wanted.count):
        if wanted.globs:
            if matches_glob(text, n, wanted.p[k], wanted.n[k]):
                return True
        elif n == wanted.n[k] and memcmp(text, wanted.p[k], n) == 0:
            return True
    return False


cdef int decode_name(Call* call, const unsigned char* query, Piece* piece, const unsigned char** name, Py_ssize_t* n) noexcept nogil:
    """Find the decoded name of a parameter, which is in the query itself or in `call.copy`."""
    cdef Py_ssize_t k = piece.start
    while k < piece.name_end and query[k] != c"%" and query[k] != c"+":
        k += 1
    name[0], n[0] = query + piece.start, k - piece.start
    if k < piece.name_end:
        if reserve(&call.copy, piece.name_end - piece.start) != DONE:
            return NO_MEMORY
        n[0] = decode_octets(query, piece.start, piece.name_end, True, call.copy.p)
        name[0] = call.copy.p
    return DONE


cdef bint has_many_params(Span* span, Scan* bounds) noexcept nogil:
    cdef Py_ssize_t i
    cdef int count = 0
    for i in range(bounds.path_end, bounds.query_end):
        count += span.p[i] == c"&"
    return count > MOST_PATTERNS


cdef int is_repeated(Call* call, const unsigned char* query, Py_ssize_t n, Piece* piece) noexcept nogil:
    """Return whether an earlier parameter has the name of a piece, or -1 if memory runs out."""
    cdef Piece before
    cdef const unsigned char* name
    cdef Py_ssize_t length
    if piece.start == 0:
        return False
    if decode_name(call, query, piece, &name, &length) != DONE:
        return -1
    before.end = -1
    while next_piece(query, n, c"&", &before) and before.start < piece.start:
        if before.end > before.start and decodes_to(query, before.start, before.name_end, True, name, length):
            return True
    return False


cdef int is_param_removed(Call* call, const unsigned char* query, Piece* piece) noexcept nogil:
    """Return whether a piece of a query is a parameter to remove, or -1 if memory runs out."""
    cdef const unsigned char* name = query + piece.start
    cdef Py_ssize_t n = piece.name_end - piece.start
    if piece.end == piece.start:
        return False
    # Most names begin with another octet than all patterns.
    if call.kept.every and n > 0 and not call.dropped.firsts[name[0]] and name[0] != c"%" and name[0] != c"+":
        return False
    if decode_name(call, query, piece, &name, &n) != DONE:
        return -1
    return not matches_any(&call.kept, name, n) or matches_any(&call.dropped, name, n)


cdef bint keeps_params(Call* call, Row* row) noexcept nogil:
    """Return whether no parameter of a row is to be removed; false if memory runs out."""
    cdef Piece piece
    cdef Span* span = &row.span
    cdef Scan* bounds = &row.bounds
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1
    if n < 0:
        return True
    if disabled_shortcut == IS_KEPT:
        return False
    piece.end = -1
    while next_piece(query, n, c"&", &piece):
        if is_param_removed(call, query, &piece):
            return False
    return True


cdef int put_other_params(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Piece piece
    cdef const unsigned char* query = span.p + bounds.path_end + 1
    cdef Py_ssize_t n = bounds.query_end - bounds.path_end - 1, length
    cdef int removed
    if reserve(&call.out, span.n) != DONE:
        return NO_MEMORY
    # Each piece that remains follows "?" or "&".
    length = put(call.out.p, 0, span.p, 0, bounds.path_end)
    piece.end = -1
    while next_piece(query, n, c"&", &piece):
        removed = is_param_removed(call, query, &piece)
        if removed < 0:
            return NO_MEMORY
        if not removed:
            call.out.p[length] = c"?" if length == bounds.path_end else c"&"
            length = put(call.out.p, length + 1, query, piece.start, piece.end)
    length = put(call.out.p, length, span.p, bounds.query_end, span.n)
    return put_text(texts, call.out.p, length)


cdef int put_without(Call* call, Span* span, Py_ssize_t start, Py_ssize_t end, Texts* texts) noexcept nogil:
    """Write a row without the octets from `start` to `end`."""
    cdef Py_ssize_t n
    if start == 0:
        return put_span(texts, span, end, span.n)
    if end == span.n:
        return put_span(texts, span, 0, start)
    if reserve(&call.out, span.n) != DONE:
        return NO_MEMORY
    n = put(call.out.p, 0, span.p, 0, start)
    n = put(call.out.p, n, span.p, end, span.n)
    return put_text(texts, call.out.p, n)


cdef int put_decoded_part(Call* call, Span* span, Py_ssize_t start, Py_ssize_t end, Texts* texts) noexcept nogil:
    cdef Py_ssize_t n
    if end == start or not contains_octet(span.p, start, end, c"%"):
        return put_span(texts, span, start, end)
    if reserve(&call.out, end - start) != DONE:
        return NO_MEMORY
    n = decode_octets(span.p, start, end, False, call.out.p)
    return put_text(texts, call.out.p, n) if is_utf8(call.out.p, n) else BY_REFERENCE


cdef int put_username(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t end = bounds.authority
    if bounds.authority < 0 or bounds.host == bounds.authority:
        return NULL_ROW
    while end < bounds.host - 1 and span.p[end] != c":":
        end += 1
    return put_decoded_part(call, span, bounds.authority, end, texts)


cdef int put_suffix(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    cdef Py_ssize_t start = find_name_start(span.p, bounds.path, bounds.path_end)
    if start == bounds.path_end:
        return put_span(texts, span, start, start)
    if contains_octet(span.p, start, bounds.path_end, c"%"):
        return BY_REFERENCE
    return put_span(texts, span, find_suffix_start(span.p, start, bounds.path_end), bounds.path_end)


cdef int put_address(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the address in the host, without brackets."""
    cdef unsigned int numbers[8]
    cdef unsigned char out[64]
    if bounds.host < 0 or bounds.host == bounds.host_end:
        return NULL_ROW
    if span.p[bounds.host] != c"[":
        return put_span(texts, span, bounds.host, bounds.host_end) if has_ipv4_host(span.p, bounds) else NULL_ROW
    if span.p[bounds.host + 1] | 0x20 == c"v":
        return NULL_ROW
    read_ipv6_groups(span.p, bounds.host, numbers)
    # The module `ipaddress` writes such addresses in a form of its own.
    if is_before_ipv4(numbers):
        return BY_REFERENCE
    return put_text(texts, out + 1, write_ipv6(span.p, bounds.host, out, 0) - 2)  # without the brackets


cdef int store_blocks(AddressBlocks* address_blocks, tuple blocks) except -1:
    """Store address blocks, whose scopes the caller keeps alive."""
    cdef AddressBlock* block
    address_blocks.count = len(blocks)
    for k in range(address_blocks.count):
        block = &address_blocks.blocks[k]
        block.high, block.low, block.high_mask, block.low_mask, scope = blocks[k]
        block.scope, block.n = <const unsigned char*><bytes>scope, len(<bytes>scope)
    return 0


cdef int put_scope(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the scope of the address in the host, which is that of the first block that contains it."""
    cdef unsigned int numbers[8]
    cdef AddressBlocks* known_blocks = &call.blocks[0]
    cdef AddressBlock* block
    cdef uint64_t high = 0, low = 0  # An IPv4 address is in the first 32 of these 128 bits.
    cdef Py_ssize_t i = bounds.host
    cdef unsigned int octet
    cdef int k
    if bounds.host < 0 or bounds.host == bounds.host_end:
        return NULL_ROW
    if span.p[i] == c"[":
        if span.p[i + 1] | 0x20 == c"v":
            return NULL_ROW
        read_ipv6_groups(span.p, i, numbers)
        known_blocks = &call.blocks[1]
        for k in range(4):
            high = high << 16 | numbers[k]
            low = low << 16 | numbers[k + 4]
    elif has_ipv4_host(span.p, bounds):
        for k in range(4):
            octet = 0
            while i < bounds.host_end and span.p[i] != c".":
                octet = octet * 10 + get_digit(span.p[i])
                i += 1
            i += 1  # the dot
            high = high << 8 | octet
        high <<= 32
    else:
        return NULL_ROW
    for k in range(known_blocks.count):
        block = &known_blocks.blocks[k]
        if high & block.high_mask == block.high and low & block.low_mask == block.low:
            return put_text(texts, block.scope, block.n)
    return NULL_ROW


cdef int put_special_use(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the longest special-use domain that contains the host."""
    cdef Py_ssize_t end = bounds.host_end, i, start, size, longest = -1
    cdef const unsigned char* domain
    cdef unsigned char last
    cdef int k
    if bounds.host < 0:
        return NULL_ROW
    if not is_as_looked_up(span.p, bounds):
        return BY_REFERENCE
    if end > bounds.host and span.p[end - 1] == c".":
        end -= 1  # the root
    if end == bounds.host:
        return NULL_ROW
    last = to_lower(span.p[end - 1])
    # The domains with the same last octet follow each other.
    for k in range(call.first_with[last], call.kept.count):
        domain, size = call.kept.p[k], call.kept.n[k]
        start = end - size
        if domain[size - 1] != last:
            break
        if start < bounds.host or (start > bounds.host and span.p[start - 1] != c"."):
            continue  # The domain would begin before the host, or within a label.
        i = 0
        while i < size and to_lower(span.p[start + i]) == domain[i]:
            i += 1
        if i == size and (longest < 0 or size > call.kept.n[longest]):
            longest = k
    return NULL_ROW if longest < 0 else put_text(texts, call.kept.p[longest], call.kept.n[longest])


cdef int put_exchanged(Call* call, Span* span, Py_ssize_t start, Py_ssize_t end, const char* before, const char* behind, Texts* texts) noexcept nogil:
    """Write a row with a new part between `before` and `behind` in the place of the octets from `start` to `end`."""
    cdef Py_ssize_t n
    if reserve(&call.out, span.n + call.new_size + 2) != DONE:
        return NO_MEMORY
    n = put(call.out.p, 0, span.p, 0, start)
    n = put(call.out.p, n, <const unsigned char*>before, 0, strlen(before))
    n = put(call.out.p, n, call.new_part, 0, call.new_size)
    n = put(call.out.p, n, <const unsigned char*>behind, 0, strlen(behind))
    n = put(call.out.p, n, span.p, end, span.n)
    return BY_REFERENCE if n > LONGEST_TEXT else put_text(texts, call.out.p, n)


cdef int put_with_scheme(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    if call.new_part is not NULL:
        return put_exchanged(call, span, 0, bounds.scheme_end + 1, b"", b":", texts)
    # A URI is never turned into a relative reference.
    return put_span(texts, span, 0, span.n) if bounds.scheme_end < 0 else BY_REFERENCE


cdef int put_with_host(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write a row with another host, which is not NULL."""
    if bounds.authority >= 0:
        return put_exchanged(call, span, bounds.host, bounds.host_end, b"", b"", texts)
    if bounds.path < bounds.path_end and span.p[bounds.path] != c"/":
        return NULL_ROW
    return put_exchanged(call, span, bounds.path, bounds.path, b"//", b"", texts)


cdef int put_with_port(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    if bounds.authority < 0:
        return BY_REFERENCE if call.new_part is NULL else NULL_ROW
    if call.new_part is NULL:
        return put_without(call, span, bounds.host_end, bounds.path, texts)
    return put_exchanged(call, span, bounds.host_end, bounds.path, b":", b"", texts)


cdef int put_segments(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    """Write the decoded segments of the path; an empty path has none."""
    cdef Py_ssize_t i = bounds.path, end, first_row = texts.rows, size = texts.n
    cdef int status
    if texts.n + bounds.path_end - i > texts.full or first_row + bounds.path_end - i >= MOST_LIST_ITEMS:
        return FULL
    while i <= bounds.path_end and bounds.path < bounds.path_end:
        end = find_octet(span.p, i, bounds.path_end, c"/")
        status = put_decoded_part(call, span, i, end, texts) if reserve_row(texts) == DONE else NO_MEMORY
        if status != DONE:
            discard_rows(texts, first_row, size)
            return status
        i = end + 1
    return DONE


cdef int put_without_query(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_without(call, span, bounds.path_end, bounds.query_end, texts)


cdef int put_without_userinfo(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_without(call, span, bounds.authority, bounds.host, texts)


cdef int put_name(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil:
    return put_decoded_part(call, span, find_name_start(span.p, bounds.path, bounds.path_end), bounds.path_end, texts)


cdef int count_segments(Call* call, Span* span, Scan* bounds, int64_t* number) noexcept nogil:
    """Count the segments of the path that are not empty."""
    cdef const unsigned char* text = span.p + bounds.path
    cdef Py_ssize_t i, n = bounds.path_end - bounds.path
    cdef int count = n > 0 and text[0] != c"/"
    for i in range(1, n):
        count += (text[i] != c"/") & (text[i - 1] == c"/")
    number[0] = count
    return DONE


cdef int find_effective_port(Call* call, Span* span, Scan* bounds, int64_t* number) noexcept nogil:
    cdef int32_t port
    if bounds.host_end < 0 or bounds.host_end + 1 < bounds.path:
        return convert_port(call, span, bounds, number)
    if bounds.scheme_end < 0:
        return NULL_ROW
    port = get_default_port(span.p, bounds.scheme_end)
    if port < 0:
        return NULL_ROW if port == -1 else BY_REFERENCE  # -1: the scheme has none; -2: unknown
    number[0] = port
    return DONE
