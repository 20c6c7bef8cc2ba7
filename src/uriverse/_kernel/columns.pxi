# The functions of `uriverse.columns` for one row, without Python objects.
#
# Some cases are not implemented here: schemes with normalization steps of their own, non-ASCII domain
# names, and strings with findings. For these, the Python function for a single row is called.
# Other files call `scan_copy`, `is_as_looked_up`, `same_origin`, `same_site`, `put_displayed`,
# `put_data`, `read_base`, `fingerprint`, `port_number`, `room_for_row`, `take_back`, `put_codes`,
# `presence_of_codes`, `permission`, `put_params`, `is_kept`, `put_row`, `checked`, `open_call` and
# `close_call`.

# The operations.
cdef enum:
    HOST_OF
    HOSTNAME_OF
    REVERSED_HOST_OF
    ORIGIN_OF
    SURT_OF
    NORMAL_FORM_OF
    URI_OF
    IRI_OF
    ENCODED
    DECODED
    REDACTED
    PARAM_OF
    REPAIRED
    TARGET_OF
    REFERENCE_TO
    START_REPLACED
    PUBLIC_SUFFIX_OF  # this and the next two are in suffixes.pxi
    REGISTRABLE_DOMAIN_OF
    SUBDOMAIN_OF
    SCHEME_OF
    USERINFO_OF
    PATH_OF
    QUERY_OF
    FRAGMENT_OF
    PATH_AND_QUERY_OF
    WITHOUT_FRAGMENT
    KIND_OF_HOST
    ROUTE_OF  # in template_columns.pxi
    # These operations are in edits.pxi.
    WITHOUT_QUERY
    WITHOUT_USERINFO
    PARAMS_REMOVED
    PARAMS_FILTERED
    PARAMS_SORTED  # this and the next two are in param_columns.pxi
    PARAM_SET
    PARAM_ADDED
    WITH_SCHEME
    WITH_HOST
    WITH_PORT
    DISPLAYED
    USERNAME_OF
    NAME_OF
    SUFFIX_OF
    ADDRESS_OF
    SCOPE_OF
    SPECIAL_USE_OF
    # The results of these operations are not strings.
    PORT_OF
    PORT_USED_BY
    DEPTH_OF
    FINGERPRINT_OF
    VALIDITY_OF
    PERMISSION_OF
    PRESENCE_OF_CODES
    SAMENESS_OF_ORIGINS
    SAMENESS_OF_SITES  # in suffixes.pxi
    FIELDS_OF
    # The results of these operations are lists.
    CODES_OF
    SEGMENTS_OF
    NAMES_OF_PARAMS
    VALUES_OF_PARAM
    PARAMS_OF
    FIRST_PARAMS_OF
    VARIABLES_OF  # this and the next are in template_columns.pxi
    EXPANSION_OF

# The operations by name: that of the column function, except for `replace_start`, which is for prefix maps.
ACTS = {
    "host": HOST_OF, "hostname": HOSTNAME_OF, "reversed_host": REVERSED_HOST_OF,
    "origin": ORIGIN_OF, "surt": SURT_OF, "normalize": NORMAL_FORM_OF, "to_uri": URI_OF,
    "to_iri": IRI_OF, "encode": ENCODED, "decode": DECODED, "redact": REDACTED,
    "query_param": PARAM_OF, "repair": REPAIRED, "resolve": TARGET_OF, "relativize": REFERENCE_TO,
    "replace_start": START_REPLACED, "public_suffix": PUBLIC_SUFFIX_OF, "registrable_domain": REGISTRABLE_DOMAIN_OF,
    "subdomain": SUBDOMAIN_OF, "port": PORT_OF, "fingerprint": FINGERPRINT_OF,
    "is_valid": VALIDITY_OF, "allowed": PERMISSION_OF, "parse": FIELDS_OF, "findings": CODES_OF, "query_params": PARAMS_OF, "params": FIRST_PARAMS_OF,
    "path_and_query": PATH_AND_QUERY_OF, "without_fragment": WITHOUT_FRAGMENT, "host_kind": KIND_OF_HOST,
    "without_query": WITHOUT_QUERY, "without_userinfo": WITHOUT_USERINFO, "without_params": PARAMS_REMOVED,
    "filter_params": PARAMS_FILTERED, "username": USERNAME_OF, "name": NAME_OF, "suffix": SUFFIX_OF,
    "ip": ADDRESS_OF, "scope": SCOPE_OF, "special_use": SPECIAL_USE_OF, "effective_port": PORT_USED_BY, "path_depth": DEPTH_OF,
    "is_flagged": PRESENCE_OF_CODES, "is_same_origin": SAMENESS_OF_ORIGINS, "path_segments": SEGMENTS_OF,
    "param_names": NAMES_OF_PARAMS, "param_values": VALUES_OF_PARAM, "sorted_params": PARAMS_SORTED, "with_param": PARAM_SET,
    "add_param": PARAM_ADDED, "with_scheme": WITH_SCHEME, "with_host": WITH_HOST, "with_port": WITH_PORT, "display": DISPLAYED,
    "scheme": SCHEME_OF, "userinfo": USERINFO_OF, "path": PATH_OF, "query": QUERY_OF, "fragment": FRAGMENT_OF,
    "is_same_site": SAMENESS_OF_SITES, "route": ROUTE_OF, "match": VARIABLES_OF, "expand": EXPANSION_OF,
}

# The fields that `parse` returns.
FIELDS = (
    "scheme", "userinfo", "host", "port", "path", "query", "fragment", "host_kind", "error",
    "error_position", "bounds",
)
cdef enum:
    FIELD_SCHEME
    FIELD_USERINFO
    FIELD_HOST
    FIELD_PORT
    FIELD_PATH
    FIELD_QUERY
    FIELD_FRAGMENT
    FIELD_HOST_KIND
    FIELD_ERROR
    FIELD_POSITION
    FIELD_BOUNDS
    # Parts of a row that `parse` does not return.
    FIELD_PATH_AND_QUERY
    FIELD_BEFORE_FRAGMENT

# The names of the components in a column of errors.
cdef const char* COMPONENT_NAMES[9]
COMPONENT_NAMES[:] = [b"", b"scheme", b"userinfo", b"host", b"port", b"path", b"query", b"fragment", b"text"]

cdef enum:
    MOST_ROUTES = 64  # the largest number of templates that the kernel tries one after the other

cdef enum:
    MOST_POLICIES = 8  # the largest number of policies, with restrictions, that the kernel applies

cdef enum:
    MOST_PATTERNS = 64  # the largest number of names or globs of parameters that the kernel compares

cdef struct Patterns:
    # Names of parameters, or globs.
    const unsigned char* p[MOST_PATTERNS]
    Py_ssize_t n[MOST_PATTERNS]
    int count
    bint globs
    bint every  # whether one of them matches all names
    unsigned char firsts[256]  # whether a name that begins with this octet can match

cdef enum:
    MOST_BLOCKS = 64  # the largest number of address blocks of each version of IP

cdef struct AddressBlock:
    # The first address of a block, its mask, and its scope. IPv4 addresses are the first 32 bits of 128.
    uint64_t high, low, high_mask, low_mask
    const unsigned char* scope
    Py_ssize_t n

cdef struct AddressBlocks:
    # The blocks with the longest prefixes come first, and one without a prefix is the last one.
    AddressBlock blocks[MOST_BLOCKS]
    int count

cdef enum:
    MOST_VALUES = 16  # the largest number of values that the kernel writes for a parameter

cdef struct NewParam:
    # A parameter to write: its data, and the encoded form. A value without a "=" has a negative length.
    const unsigned char* name
    const unsigned char* encoded_name
    Py_ssize_t name_size, encoded_name_size
    const unsigned char* values[MOST_VALUES]
    const unsigned char* encoded_values[MOST_VALUES]
    Py_ssize_t value_sizes[MOST_VALUES]
    Py_ssize_t encoded_value_sizes[MOST_VALUES]
    int count
    Py_ssize_t room  # the octets that all values may add to a row

cdef enum:
    # The levels of `comparison_key`.
    BY_STRING
    BY_SYNTAX
    BY_SCHEME

LEVELS = ("string", "syntax", "scheme")


cdef struct Call:
    # The state of a call: options, buffers and the current base.
    int act, how, dots, level, allowed
    bint case, ipv6, scheme, strict, walk_up, domain, iri, with_form, with_choices, usernames, paths
    int rule  # the grammar rule for `is_valid` and `parse`
    uint16_t characters
    Text name
    bint name_is_text
    Patterns kept, dropped  # names of parameters to keep and to remove; or `kept` has special-use domains
    unsigned char first_with[256]  # for each last octet, the first such domain
    const unsigned char* new_part  # the new scheme, host or port; NULL to remove it
    Py_ssize_t new_size
    NewParam new_param
    AddressBlocks blocks[2]  # of IPv4 and of IPv6
    void* prefixes  # the `PrefixTable`, if any
    bint expands
    int8_t ranks[CODES_REPORTED]  # of the severities of codes; -1 if disabled
    Scratch copy, copy2, out
    # The base that was parsed last: its span, its bounds, and whether it is a valid base.
    Span base
    Scan base_at
    bint base_is_valid
    int base_origin  # the kind of its origin
    Py_ssize_t base_site  # where the site begins in its host
    Scratch base_copy
    void* bases  # the `Rows` of the bases, if any
    Py_ssize_t base_start
    bint one_base
    # The policies that must all allow a row.
    void* policies[MOST_POLICIES]
    int policy_count
    void* suffixes  # the `SuffixTable`, if any
    # The templates of a router as `TemplateMatching`, the most specific first, and their names.
    void* routes[MOST_ROUTES]
    Octets route_names[MOST_ROUTES]
    int route_count
    bint scans  # whether the operation needs the bounds of rows


cdef int reserve_for(Scratch* s, Py_ssize_t n) noexcept nogil:
    """Ensure that the buffer has room for three octets for each of `n`, and eight more."""
    cdef Py_ssize_t room = room_for(n, 3)
    return NO_MEMORY if room < 0 else reserve(s, room)


cdef int copied(Span* s, Scratch* t, Py_ssize_t* n) noexcept nogil:
    """Copy a row and append NULs; an octet that is not UTF-8 becomes a lone surrogate.

    So the position of a violation is the same as in a `str` decoded with `surrogateescape`.
    """
    cdef Py_ssize_t i = 0, w = 0
    cdef int length
    if reserve(t, s.n + 8) != DONE:
        return NO_MEMORY
    if is_ascii(s.p, s.n) or is_utf8(s.p, s.n):
        memcpy(t.p, s.p, s.n)
        w = s.n
    else:
        if reserve_for(t, s.n) != DONE:
            return NO_MEMORY
        while i < s.n:
            length = 1 if s.p[i] < 0x80 else strict_length(s.p + i, s.n - i)
            if length == 0:
                t.p[w] = 0xED
                t.p[w + 1] = 0xB0 | s.p[i] >> 6
                t.p[w + 2] = 0x80 | (s.p[i] & 0x3F)
                w += 3
                i += 1
            else:
                memcpy(t.p + w, s.p + i, length)
                w += length
                i += length
    memset(t.p + w, 0, 8)
    n[0] = w
    return DONE


cdef inline int scan_row(Span* s, int rule, Scratch* t, Scan* at) noexcept nogil:
    """Scan a row; return the invalid component or NOTHING, or -1 if memory runs out.

    If the fast scan does not accept the row, the row is copied to `t`, and the position of a violation
    refers to the copy. Without a violation, the position is that of the first non-ASCII character, or
    -1 for an ASCII string.
    """
    if s.n <= LONGEST_TEXT and fast_scan(s.p, s.n, rule, at):
        return NOTHING
    return scan_copy(s, rule, t, at)


cdef int scan_copy(Span* s, int rule, Scratch* t, Scan* at) noexcept nogil:
    """Like `scan_row`, for a row that the fast scan does not accept."""
    cdef Py_ssize_t n
    cdef int invalid
    if copied(s, t, &n) != DONE:
        return -1
    if n > LONGEST_TEXT and characters(t.p, 0, n) > LONGEST_TEXT:
        at.position = LONGEST_TEXT
        return TEXT
    invalid = scan_closely(t.p, n, rule, at)
    if invalid == NOTHING:
        at.position = past_ascii(t.p, n)
    return invalid


cdef Py_ssize_t past_ascii(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return the offset of the first non-ASCII byte, or -1."""
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] >= 0x80:
            return i
    return -1


cdef inline int terminated(Span* s, Scratch* t) noexcept nogil:
    """Copy a valid row and append NULs."""
    if reserve(t, s.n + 8) != DONE:
        return NO_MEMORY
    memcpy(t.p, s.p, s.n)
    memset(t.p + s.n, 0, 8)
    return DONE


# --- normal forms


cdef Py_ssize_t normal_form(Call* w, const unsigned char* p, Py_ssize_t n, Scan* at, Scan* done) noexcept nogil:
    """Write the normal form of a string to `w.out`; return its length.

    Returns -1 if the string requires the Python function, and -2 if memory runs out.
    """
    if reserve(&w.out, n + 32) != DONE:
        return -2
    n = normalize(p, n, at, w.how, w.case, w.ipv6, w.dots, w.out.p, done)
    return scheme_based(w.out.p, n, done) if w.scheme else n


cdef int normal_row(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the normal form of a row."""
    cdef Scan done
    cdef Py_ssize_t n
    cdef int how = w.how
    if terminated(s, &w.copy2) != DONE:
        return NO_MEMORY
    if at.position < 0 and w.act == NORMAL_FORM_OF:
        # A URI must remain a URI, so non-ASCII characters are decoded in IRIs only.
        w.how &= ~CHARACTERS_DECODED
    n = normal_form(w, w.copy2.p, s.n, at, &done)
    w.how = how
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if n > LONGEST_TEXT:
        return BY_REFERENCE
    if n == s.n and memcmp(s.p, w.out.p, n) == 0:
        return put_span(t, s, 0, n)
    return put_text(t, w.out.p, n)


cdef Py_ssize_t as_uri(Call* w, Span* s, Scan* at, Scan* done) noexcept nogil:
    """Convert a row to a URI at `w.copy2`; return its length, or -1 if memory runs out."""
    cdef Py_ssize_t n
    if at.position < 0:
        done[0] = at[0]
        return s.n if terminated(s, &w.copy2) == DONE else -1
    if reserve_for(&w.copy2, s.n) != DONE:
        return -1
    n = write_encoded(s.p, 0, s.n, ANY_ASCII, NONE, w.copy2.p)
    memset(w.copy2.p + n, 0, 8)
    scan(w.copy2.p, n, 0, done)
    return n


# --- hosts


cdef bint is_as_looked_up(const unsigned char* p, Scan* at) noexcept nogil:
    """Return whether the host, if any, has neither non-ASCII characters nor percent signs."""
    cdef Py_ssize_t i
    for i in range(at.host, at.host_end):
        if p[i] >= 0x80 or p[i] == c"%":
            return False
    return True


cdef int put_hostname(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write the host without brackets, in lower case."""
    cdef Py_ssize_t i, start = at.host, end = at.host_end
    cdef bint lowered = True
    if end > start and s.p[start] == c"[":
        start += 1
        end -= 1
    for i in range(start, end):
        lowered &= not c"A" <= s.p[i] <= c"Z"
    if lowered:
        return put_span(t, s, start, end)
    if reserve(&w.out, end - start) != DONE:
        return NO_MEMORY
    for i in range(start, end):
        w.out.p[i - start] = lower(s.p[i])
    return put_text(t, w.out.p, end - start)


cdef Py_ssize_t put_labels(const unsigned char* p, Py_ssize_t start, Py_ssize_t end, unsigned char sign, unsigned char* out) noexcept nogil:
    """Write labels in reverse order, separated by `sign`; return the length."""
    cdef Py_ssize_t i = end, w = 0
    while True:
        while i > start and p[i - 1] != c".":
            i -= 1
        w = put(out, w, p, i, end)
        if i == start:
            return w
        out[w] = sign
        w += 1
        i -= 1
        end = i


cdef int put_reversed_host(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    cdef Py_ssize_t n = at.host_end - at.host, k
    if n == 0 or s.p[at.host] == c"[" or host_is_ipv4(s.p, at):
        return put_hostname(s, at, w, t)
    if reserve(&w.out, n) != DONE:
        return NO_MEMORY
    n = put_labels(s.p, at.host, at.host_end, c".", w.out.p)
    for k in range(n):
        w.out.p[k] = lower(w.out.p[k])
    return put_text(t, w.out.p, n)


cdef enum:
    # The kinds of origins.
    NO_ORIGIN
    WEB_ORIGIN  # of an http or https URI whose host is ASCII
    OTHER_ORIGIN  # the Python function has to find it


cdef int kind_of_origin(const unsigned char* p, Scan* at) noexcept nogil:
    """Return the kind of origin of a valid row."""
    cdef Py_ssize_t i
    if at.scheme_end < 0 or at.host < 0 or at.host == at.host_end or is_file(p, at.scheme_end):
        return NO_ORIGIN
    if not is_web(p, at.scheme_end):
        return OTHER_ORIGIN
    for i in range(at.host, at.host_end):
        if p[i] == c"%" or p[i] == c"[" or p[i] >= 0x80:
            return OTHER_ORIGIN
    return WEB_ORIGIN


cdef Py_ssize_t port_of_origin(const unsigned char* p, Scan* at) noexcept nogil:
    """Return where the port of an http or https URI begins; that is its end if it is empty or the default."""
    cdef Py_ssize_t i = at.host_end
    if i < at.path:
        i += 1
        while i < at.path - 1 and p[i] == c"0":
            i += 1
        if i < at.path and is_default_port(p, i, at):
            i = at.path
    return i


cdef int put_origin(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write the origin of an http or https URI, and null for `file`.

    Other schemes need the Python function.
    """
    cdef Py_ssize_t i, n
    cdef unsigned char* out
    cdef int kind = kind_of_origin(s.p, at)
    if kind != WEB_ORIGIN:
        return NULL_ROW if kind == NO_ORIGIN else BY_REFERENCE
    if reserve(&w.out, at.path + 8) != DONE:
        return NO_MEMORY
    out = w.out.p
    for i in range(at.scheme_end):
        out[i] = lower(s.p[i])
    n = put(out, at.scheme_end, b"://", 0, 3)
    for i in range(at.host, at.host_end):
        out[n] = lower(s.p[i])
        n += 1
    i = port_of_origin(s.p, at)
    if i < at.path:
        out[n] = c":"
        n = put(out, n + 1, s.p, i, at.path)
    return put_text(t, out, n)


cdef int same_origin(Call* w, Span* s, Scan* at, bint* same) noexcept nogil:
    """Decide whether a valid row has the same origin as the current base."""
    cdef Scan* base = &w.base_at
    cdef int kind
    cdef Py_ssize_t i, port, base_port
    same[0] = False
    if not w.base_is_valid:
        return NULL_ROW
    kind = kind_of_origin(s.p, at)
    if kind == OTHER_ORIGIN or w.base_origin == OTHER_ORIGIN:
        return BY_REFERENCE
    if kind == NO_ORIGIN or w.base_origin == NO_ORIGIN or at.scheme_end != base.scheme_end:
        return DONE
    if at.host_end - at.host != base.host_end - base.host:
        return DONE
    for i in range(at.host_end - at.host):
        if lower(s.p[at.host + i]) != lower(w.base.p[base.host + i]):
            return DONE
    port, base_port = port_of_origin(s.p, at), port_of_origin(w.base.p, base)
    same[0] = at.path - port == base.path - base_port and memcmp(
        s.p + port, w.base.p + base_port, at.path - port
    ) == 0
    return DONE


cdef int kind_of_site(Call* w, const unsigned char* p, Scan* at, Py_ssize_t* start) noexcept nogil:
    """Return the kind of origin of a valid row, and find where its site begins in the host."""
    cdef Py_ssize_t end = at.host_end
    cdef bint lowered
    cdef int kind = kind_of_origin(p, at)
    # A host without a registrable domain is a site of its own.
    start[0] = at.host
    if kind == WEB_ORIGIN and narrow_host(w.suffixes, DOMAIN_PART, p, start, &end, &lowered) == BY_REFERENCE:
        return OTHER_ORIGIN
    return kind


cdef int same_site(Call* w, Span* s, Scan* at, bint* same) noexcept nogil:
    """Decide whether a valid row has the same site as the current base."""
    cdef Scan* base = &w.base_at
    cdef Py_ssize_t start, n, i
    cdef int kind
    same[0] = False
    if not w.base_is_valid:
        return NULL_ROW
    kind = kind_of_site(w, s.p, at, &start)
    if kind == NO_ORIGIN or w.base_origin == NO_ORIGIN:
        return DONE
    if kind == OTHER_ORIGIN or w.base_origin == OTHER_ORIGIN:
        return BY_REFERENCE
    n = at.host_end - start
    if at.scheme_end != base.scheme_end or n != base.host_end - w.base_site:
        return DONE
    for i in range(n):
        if lower(s.p[start + i]) != lower(w.base.p[w.base_site + i]):
            return DONE
    same[0] = True
    return DONE


cdef int put_suffix_part(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write a part of the host of a row."""
    cdef Py_ssize_t start = at.host, end = at.host_end, i
    cdef bint lowered
    cdef int status
    if start < 0:
        return NULL_ROW
    status = narrow_host(w.suffixes, w.act - PUBLIC_SUFFIX_OF, s.p, &start, &end, &lowered)
    if status != DONE:
        return status
    if lowered:
        return put_span(t, s, start, end)
    if reserve(&w.out, end - start) != DONE:
        return NO_MEMORY
    for i in range(start, end):
        w.out.p[i - start] = lower(s.p[i])
    return put_text(t, w.out.p, end - start)


cdef int put_surt(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write the SURT key of a row; see `columns._reference.surt`."""
    cdef Scan uri, done
    cdef Py_ssize_t n, k
    cdef unsigned char* out
    if at.scheme_end < 0 and (at.host < 0 or at.host == at.host_end):
        return NULL_ROW
    n = as_uri(w, s, at, &uri)
    if n < 0:
        return NO_MEMORY
    n = normal_form(w, w.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if done.host < 0 or done.host == done.host_end:
        return put_text(t, w.out.p, done.query_end)
    if reserve(&w.copy2, done.query_end + 8) != DONE:
        return NO_MEMORY
    out = w.copy2.p
    if w.out.p[done.host] == c"[" or host_is_ipv4(w.out.p, &done):
        k = put(out, 0, w.out.p, done.host, done.host_end)
    else:
        k = put_labels(w.out.p, done.host, done.host_end, c",", out)
    k = put(out, k, w.out.p, done.host_end, done.path)
    out[k] = c")"
    k = put(out, k + 1, w.out.p, done.path, done.query_end)
    return put_text(t, out, k)


# --- percent-encoding and parameters


cdef int put_encoded(Span* s, Call* w, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    cdef int allowed = NONE
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    if w.iri:
        allowed = w.allowed
    if reserve_for(&w.out, s.n) != DONE:
        return NO_MEMORY
    n = write_encoded(s.p, 0, s.n, w.characters, allowed, w.out.p)
    return put_text(t, w.out.p, n)


cdef int put_decoded(Span* s, Call* w, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    # Without this check, an octet and a decoded triplet could form a character together.
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    if memchr(s.p, c"%", s.n) is NULL:
        return put_span(t, s, 0, s.n)
    if terminated(s, &w.copy) != DONE or reserve(&w.out, s.n) != DONE:
        return NO_MEMORY
    n = rewrite(w.copy.p, 0, s.n, w.out.p, 0, ALL_DECODED)
    if n < 0:
        return NULL_ROW
    # Octets that are not UTF-8 are left to the Python function, which applies the option `errors`.
    return put_text(t, w.out.p, n) if is_utf8(w.out.p, n) else BY_REFERENCE


cdef int put_redacted(Span* s, Call* w, Texts* t) noexcept nogil:
    cdef Py_ssize_t n
    cdef int status
    if not is_ascii(s.p, s.n) and not is_utf8(s.p, s.n):
        return NULL_ROW
    status = write_redaction(s.p, s.n, w.usernames, w.paths, w.act == DISPLAYED, &w.out, &n)
    if status != DONE:
        return status
    return put_span(t, s, 0, s.n) if n < 0 else put_text(t, w.out.p, n)


cdef bint is_displayed_as_written(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether `display` decodes nothing in an ASCII string without secrets."""
    cdef const unsigned char* end = p + n
    cdef const unsigned char* sign = p
    while True:
        sign = <const unsigned char*>memchr(sign, c"%", end - sign)
        if sign is NULL:
            break
        # Only non-ASCII characters are decoded.
        if end - sign > 1 and digit(sign[1]) >= 8:
            return False
        sign += 1
    sign = p + 2
    while sign < end:
        sign = <const unsigned char*>memchr(sign, c"-", end - sign)
        if sign is NULL or end - sign < 2:
            break
        # An A-label begins with "xn--".
        if sign[1] == c"-" and (sign - 1)[0] | 0x20 == c"n" and (sign - 2)[0] | 0x20 == c"x":
            return False
        sign += 1
    return True


cdef int put_displayed(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write a row for display, if only secrets have to be replaced."""
    if at.position >= 0 or not is_displayed_as_written(s.p, s.n):
        return BY_REFERENCE
    return put_redacted(s, w, t)


cdef int put_replaced(Call* w, Span* s, Texts* t) noexcept nogil:
    """Write a row whose start is replaced; rows that the fast scan does not accept need Python."""
    cdef Scan at
    cdef Py_ssize_t rest, n
    cdef const Replacement* one
    if s.n == 0:
        return BY_REFERENCE
    # The IRI is the row, or the result.
    if not w.expands and (s.n > LONGEST_TEXT or not fast_scan(s.p, s.n, NEEDS_SCHEME, &at)):
        return BY_REFERENCE
    one = longest_key((<PrefixTable>w.prefixes).entries, (<PrefixTable>w.prefixes).count, s.p, s.n)
    if one is NULL:
        return BY_REFERENCE if w.expands else NULL_ROW
    rest = s.n - one.key_size
    n = one.value_size + rest
    if reserve(&w.out, n) != DONE:
        return NO_MEMORY
    memcpy(w.out.p, one.value, one.value_size)
    memcpy(w.out.p + one.value_size, s.p + one.key_size, rest)
    if w.expands and (n > LONGEST_TEXT or not fast_scan(w.out.p, n, NEEDS_SCHEME, &at)):
        return BY_REFERENCE
    return put_text(t, w.out.p, n)


cdef int put_data(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, Span* s, Py_ssize_t at, Call* w, Texts* t) noexcept nogil:
    """Write the decoded form of a name or value; the query begins at offset `at` in the row."""
    cdef Py_ssize_t k = i, n = 0
    while k < end and p[k] != c"%" and p[k] != c"+":
        k += 1
    if k == end:
        return put_span(t, s, at + i, at + end)
    if reserve(&w.out, end - i) != DONE:
        return NO_MEMORY
    while i < end:
        w.out.p[n] = p[i]
        if p[i] == c"%":
            w.out.p[n] = octet_of(p + i)
            i += 2
        elif p[i] == c"+":
            w.out.p[n] = c" "
        n += 1
        i += 1
    return put_text(t, w.out.p, n) if is_utf8(w.out.p, n) else BY_REFERENCE


cdef int put_param(Span* s, Scan* at, Call* w, Texts* t) noexcept nogil:
    """Write the first value of the requested parameter."""
    cdef Piece piece
    cdef const unsigned char* p = s.p + at.path_end + 1
    cdef Py_ssize_t n = at.query_end - at.path_end - 1
    if n < 0 or not w.name_is_text:
        return NULL_ROW
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if piece.end > piece.start and stands_for(p, piece.start, piece.name_end, True, w.name.p, w.name.n):
            if piece.name_end == piece.end:
                return NULL_ROW
            return put_data(p, piece.name_end + 1, piece.end, s, at.path_end + 1, w, t)
    return NULL_ROW


# --- references


cdef int read_base(Call* w, Span* base) noexcept nogil:
    """Parse a base, unless it is the one that was parsed last."""
    cdef int invalid
    if w.base.p is not NULL and base.n == w.base.n and (base.p == w.base.p or memcmp(base.p, w.base.p, base.n) == 0):
        return DONE
    w.base = base[0]
    invalid = scan_row(base, 0, &w.base_copy, &w.base_at)
    w.base_is_valid = invalid == NOTHING
    if w.base_is_valid and w.act == SAMENESS_OF_ORIGINS:
        w.base_origin = kind_of_origin(base.p, &w.base_at)
    if w.base_is_valid and w.act == SAMENESS_OF_SITES:
        w.base_origin = kind_of_site(w, base.p, &w.base_at, &w.base_site)
    return NO_MEMORY if invalid < 0 else DONE


cdef int put_target(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the target of a reference resolved against the current base."""
    cdef Scan target
    cdef Py_ssize_t n
    if not w.base_is_valid or w.base_at.scheme_end < 0:
        return NULL_ROW
    # The target has at most the octets of both strings, a slash from `merge`, a shield of two octets,
    # and a NUL.
    if reserve(&w.out, w.base.n + s.n + 4) != DONE:
        return NO_MEMORY
    n = resolve(w.base.p, &w.base_at, s.p, s.n, at, w.strict, w.out.p, &target)
    if n > LONGEST_TEXT and characters(w.out.p, 0, n) > LONGEST_TEXT:
        return NULL_ROW
    return put_text(t, w.out.p, n)


cdef int put_reference(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the shortest reference that the current base resolves to the row's URI."""
    cdef Py_ssize_t n
    if not w.base_is_valid or w.base_at.scheme_end < 0 or at.scheme_end < 0:
        return NULL_ROW
    n = write_reference(w.base.p, w.base.n, &w.base_at, s.p, s.n, at, w.walk_up, &w.out)
    if n < 0:
        return NULL_ROW if n == -1 else NO_MEMORY
    return put_text(t, w.out.p, n)


# --- keys


cdef int fingerprint(Span* s, Scan* at, Call* w, int64_t* number) noexcept nogil:
    """Compute the fingerprint of a row at a level of comparison."""
    cdef Scan uri, done
    cdef Py_ssize_t n
    if w.level == BY_STRING:
        number[0] = <int64_t>xxh64(s.p, s.n)
        return DONE
    if at.position < 0 and w.level == BY_SYNTAX and is_plain(s.p, s.n, at, w.how, True, True, DOTS_OF_ROOTED):
        number[0] = <int64_t>xxh64(s.p, s.n)
        return DONE
    n = as_uri(w, s, at, &uri)
    if n < 0:
        return NO_MEMORY
    n = normal_form(w, w.copy2.p, n, &uri, &done)
    if n < 0:
        return BY_REFERENCE if n == -1 else NO_MEMORY
    if w.level == BY_SCHEME and done.scheme_end >= 0:
        # Non-ASCII domain names, and `file` URIs without an authority, need the Python function.
        if done.host >= 0 and memchr(w.out.p + done.host, c"%", done.host_end - done.host) is not NULL:
            return BY_REFERENCE
        if done.authority < 0 and done.scheme_end == 4 and memcmp(w.out.p, b"file", 4) == 0:
            return BY_REFERENCE
    number[0] = <int64_t>xxh64(w.out.p, n)
    return DONE


cdef int port_number(Span* s, Scan* at, int64_t* number) noexcept nogil:
    """Convert a port to a number; the result is null if the number has more than 63 bits."""
    cdef Py_ssize_t i = at.host_end + 1
    cdef int64_t value = 0
    cdef int digit_here
    if at.host_end < 0 or i >= at.path:
        return NULL_ROW
    for i in range(i, at.path):
        digit_here = s.p[i] - c"0"
        if value > (0x7FFFFFFFFFFFFFFFLL - digit_here) // 10:
            return NULL_ROW
        value = value * 10 + digit_here
    number[0] = value
    return DONE


cdef inline int room_for_row(Texts* t) noexcept nogil:
    return DONE if t.rows < t.places_for else more_places(t)


cdef void take_back(Texts* t, Py_ssize_t rows, Py_ssize_t n) noexcept nogil:
    """Discard all rows after the first `rows`, and all octets after the first `n`."""
    cdef Py_ssize_t i
    for i in range(rows, t.rows):
        if not is_there(t.valid.p, i):
            t.valid.p[i >> 3] |= 1 << (i & 7)
            t.valid.missing -= 1
    t.rows, t.n = rows, n


cdef inline int examine_row(Call* w, Row* one, int* codes, int* count, bint* complete) noexcept nogil:
    """Find the codes of a row's findings; return BY_REFERENCE if it is too long."""
    cdef Span* s = &one.s
    count[0], complete[0] = 0, True
    if one.invalid == NOTHING and one.at.position < 0 and is_unremarkable(s.p, s.n, &one.at, w.with_form):
        return DONE
    if s.n > LONGEST_TEXT:
        return BY_REFERENCE
    if terminated(s, &w.copy) != DONE:
        return NO_MEMORY
    count[0] = find_codes(w.copy.p, s.n, is_ascii(s.p, s.n), w.with_form, w.ranks, codes, complete)
    return DONE


cdef int put_codes(Call* w, Row* one, Texts* t) noexcept nogil:
    """Write the codes of a row's findings."""
    cdef int codes[MOST_NOTES]
    cdef int k, count
    cdef bint complete
    cdef int status = examine_row(w, one, codes, &count, &complete)
    if status != DONE or not complete:
        return BY_REFERENCE if status == DONE else status
    if t.rows + count > 0x7FFFFFFF or t.n + count * LONGEST_CODE > t.full:
        return FULL
    for k in range(count):
        if room_for_row(t) != DONE or put_text(t, CODE_NAMES[codes[k]], CODE_LENGTHS[codes[k]]) != DONE:
            return NO_MEMORY
    return DONE


cdef int presence_of_codes(Call* w, Row* one, bint* found) noexcept nogil:
    """Decide whether a row has findings."""
    cdef int codes[MOST_NOTES]
    cdef int count
    cdef bint complete
    cdef int status = examine_row(w, one, codes, &count, &complete)
    found[0] = status == DONE and count > 0
    return BY_REFERENCE if status == DONE and not complete and count == 0 else status


cdef int permission(Call* w, Span* s, bint* allowed) noexcept nogil:
    """Decide whether all policies allow a row."""
    cdef int k
    cdef int32_t decision
    allowed[0] = False
    if s.n > LONGEST_DECIDED or not is_ascii(s.p, s.n):
        return BY_REFERENCE
    if terminated(s, &w.copy) != DONE:
        return NO_MEMORY
    for k in range(w.policy_count):
        decision = decide(w.policies[k], w.copy.p, s.n)
        if decision == IS_UNDECIDED:
            return BY_REFERENCE
        if decision == IS_REJECTED:
            return DONE
    allowed[0] = True
    return DONE


cdef int put_params(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil:
    """Write the names and values of a row's parameters."""
    cdef Piece piece
    cdef const unsigned char* p
    cdef Py_ssize_t n, first = t[0].rows, keys = t[0].n, values = t[1].n
    cdef int status, repeated
    p = s.p + at.path_end + 1
    n = at.query_end - at.path_end - 1
    if n < 0:
        return NULL_ROW
    # Names and values are no longer than the query.
    if t[0].n + n > t[0].full or t[1].n + n > t[1].full:
        return FULL
    if first + n > 0x7FFFFFFF:
        return FULL
    piece.end = -1
    while next_piece(p, n, c"&", &piece):
        if piece.end == piece.start:
            continue
        if w.act == FIRST_PARAMS_OF:
            repeated = is_repeated(w, p, n, &piece)
            if repeated < 0:
                return NO_MEMORY
            if repeated:
                continue
        if room_for_row(&t[0]) != DONE or room_for_row(&t[1]) != DONE:
            return NO_MEMORY
        status = put_data(p, piece.start, piece.name_end, s, at.path_end + 1, w, &t[0])
        if status == DONE:
            if piece.name_end == piece.end:
                status = put_null(&t[1])
            else:
                status = put_data(p, piece.name_end + 1, piece.end, s, at.path_end + 1, w, &t[1])
        if status != DONE:
            # Discard what has been written for this row.
            take_back(&t[0], first, keys)
            take_back(&t[1], first, values)
            return status
    return DONE


cdef inline bint is_repaired(Call* w, Scan* at) noexcept nogil:
    """Return whether `repair` keeps a valid row unchanged.

    The choices of the caller never change a URI with a scheme and an authority that is not empty.
    """
    if at.position >= 0 and not w.iri:
        return False
    return not w.with_choices or (at.scheme_end >= 0 and 0 <= at.authority < at.path)


cdef int put_repaired(Call* w, Span* s, Texts* t) noexcept nogil:
    """Write a row that `repair` changes."""
    cdef Py_ssize_t n, written
    cdef int status
    if w.with_choices or s.n > LONGEST_TEXT // 16:
        return BY_REFERENCE
    if copied(s, &w.copy, &n) != DONE or reserve(&w.out, 4 * n + 8) != DONE:
        return NO_MEMORY
    status = write_repair(w.copy.p, n, w.iri, w.out.p, &written)
    return put_text(t, w.out.p, written) if status == DONE else status


cdef bint is_kept(Call* w, Row* one) noexcept nogil:
    """Return whether the result of a row is certainly the row itself.

    For the parts of hosts, return whether `one.part` and `one.part_end` are the bounds of the result.
    """
    cdef Span* s = &one.s
    cdef Scan* at = &one.at
    cdef Py_ssize_t i = 0
    cdef bint ascii = w.scans and at.position < 0
    if w.act == DECODED:
        return simd_variant.is_harmless(s.p, s.n)
    if w.act == REDACTED:
        return not w.paths and simd_variant.is_harmless(s.p, s.n)
    if w.act == ENCODED:
        while i < s.n and FLAGS[s.p[i]] & w.characters:
            i += 1
        return i == s.n
    if PUBLIC_SUFFIX_OF <= w.act <= SUBDOMAIN_OF:
        return one.part != NOT_FOUND
    if one.invalid != NOTHING:
        return False
    if w.act == NORMAL_FORM_OF:
        return ascii and is_plain(s.p, s.n, at, w.how, w.case, w.ipv6, w.dots) and (
            not w.scheme or is_by_rules(s.p, at)
        )
    if w.act == DISPLAYED:
        return ascii and simd_variant.is_harmless(s.p, s.n) and is_displayed_as_written(s.p, s.n)
    if w.act == WITHOUT_QUERY:
        return at.path_end == at.query_end
    if w.act == WITHOUT_USERINFO:
        return at.authority < 0 or at.authority == at.host
    if w.act == PARAMS_REMOVED or w.act == PARAMS_FILTERED:
        return at.path_end == at.query_end or keeps_params(w, s, at)
    if w.act == PARAMS_SORTED:
        return at.path_end == at.query_end or has_sorted_params(s, at)
    if w.act == URI_OF:
        return ascii and (not w.domain or is_as_looked_up(s.p, at))
    if w.act == IRI_OF:
        return ascii and memchr(s.p, c"%", s.n) is NULL and not (w.domain and has_a_label(s.p, at.host, at.host_end))
    return w.act == REPAIRED and is_repaired(w, at)


cdef int put_row(Call* w, Span* s, int invalid, Scan* at, Texts* t) noexcept nogil:
    """Write the string result of a row that is not kept.

    `invalid` and `at` are those of a scan, if the operation needs one.
    """
    cdef Scan uri
    cdef Py_ssize_t n
    if w.act == START_REPLACED:
        return put_replaced(w, s, t)
    if w.act == ENCODED:
        return put_encoded(s, w, t)
    if w.act == DECODED:
        return put_decoded(s, w, t)
    if w.act == REDACTED:
        return put_redacted(s, w, t)
    if w.act == REPAIRED:
        return put_repaired(w, s, t)
    if invalid != NOTHING:
        return NULL_ROW
    if WITHOUT_QUERY <= w.act <= SPECIAL_USE_OF:
        return put_edited(w, s, at, t)
    if w.act == TARGET_OF:
        return put_target(w, s, at, t)
    if w.act == REFERENCE_TO:
        return put_reference(w, s, at, t)
    if w.act == PARAM_OF:
        return put_param(s, at, w, t)
    if w.act <= REVERSED_HOST_OF:
        if at.host < 0:
            return NULL_ROW
        return put_hostname(s, at, w, t) if w.act == HOSTNAME_OF else put_reversed_host(s, at, w, t)
    if PUBLIC_SUFFIX_OF <= w.act <= SUBDOMAIN_OF:
        return put_suffix_part(s, at, w, t)
    if w.act == ORIGIN_OF:
        return put_origin(s, at, w, t)
    if w.act == SURT_OF:
        return put_surt(s, at, w, t)
    if w.act == ROUTE_OF:
        return put_route(w, s, at, t)
    if w.act == URI_OF:
        if w.domain and not is_as_looked_up(s.p, at):
            return BY_REFERENCE
        n = as_uri(w, s, at, &uri)
        if n < 0:
            return NO_MEMORY
        return BY_REFERENCE if n > LONGEST_TEXT else put_text(t, w.copy2.p, n)
    if w.domain and has_a_label(s.p, at.host, at.host_end):
        return BY_REFERENCE
    return normal_row(w, s, at, t)


cdef void* checked(object value, kind) except NULL:
    """Return the address of an object of a class of the core, which the caller keeps alive."""
    if type(value) is not kind:
        raise TypeError(type(value))
    return <void*>value


cdef int open_call(Call* w, int act, tuple options) except -1:
    """Store the options of a function."""
    memset(w, 0, sizeof(Call))
    w.act = act
    w.scans = act not in (START_REPLACED, ENCODED, DECODED, REDACTED, PERMISSION_OF)
    w.how = UNRESERVED_DECODED | UPPER
    w.case = w.ipv6 = True
    w.dots = DOTS_OF_ROOTED
    if act == NORMAL_FORM_OF:
        w.case, percent_encoding, dot_segments, w.ipv6, w.scheme = options
        w.dots = dots_of(dot_segments)
        w.how = (UNRESERVED_DECODED | CHARACTERS_DECODED if percent_encoding else 0) | (UPPER if w.case else 0)
    elif act == IRI_OF:
        w.how = CHARACTERS_DECODED | UPPER_PAST_ASCII
        w.case = w.ipv6 = False
        w.dots = DOTS_OF_NONE
        (w.domain,) = options
    elif act == SURT_OF:
        w.scheme = True
    elif act == TARGET_OF:
        (w.strict,) = options
    elif act == REFERENCE_TO:
        (w.walk_up,) = options
    elif act == URI_OF:
        (w.domain,) = options
    elif act == ENCODED:
        component, w.iri = options
        w.characters = class_of(component)
        w.allowed = UCSCHAR_OR_IPRIVATE if component == "query" else UCSCHAR
    elif act == VALIDITY_OF or act == FIELDS_OF:
        w.rule = rule_number(options[0])
    elif act == FINGERPRINT_OF:
        w.level = LEVELS.index(options[0])
        w.scheme = w.level == BY_SCHEME
    elif act == CODES_OF or act == PRESENCE_OF_CODES:
        w.with_form, ranks = options
        memcpy(w.ranks, <const unsigned char*><bytes>ranks, CODES_REPORTED)
    elif act == PERMISSION_OF:
        for policy in options[0]:
            w.policies[w.policy_count] = checked(policy, CompiledPolicy)
            w.policy_count += 1
    elif act == REPAIRED:
        w.iri, scheme, slashes = options
        w.with_choices = scheme is not None or slashes
    elif act == REDACTED:
        need_secrets()
        w.usernames, w.paths = options
    elif act == START_REPLACED:
        table, w.expands = options
        w.prefixes = <void*><PrefixTable?>table
    elif PUBLIC_SUFFIX_OF <= act <= SUBDOMAIN_OF or act == SAMENESS_OF_SITES:
        w.suffixes = checked(options[0], SuffixTable)
    elif act == ROUTE_OF:
        for name, program in options[0]:
            w.route_names[w.route_count] = octets_in(name)
            w.routes[w.route_count] = checked(program, TemplateMatching)
            w.route_count += 1
    elif act == PARAMS_REMOVED:
        w.kept.every = True
        open_patterns(&w.dropped, options[0], False)
    elif act == SPECIAL_USE_OF:
        open_domains(w, options[0])
    elif act == SCOPE_OF:
        open_blocks(&w.blocks[0], options[0])
        open_blocks(&w.blocks[1], options[1])
    elif act == PARAMS_FILTERED:
        open_patterns(&w.kept, options[0], True)
        open_patterns(&w.dropped, options[1], True)
    elif act == PARAM_SET or act == PARAM_ADDED:
        open_new_param(&w.new_param, options)
    elif WITH_SCHEME <= act <= WITH_PORT:
        if options[0] is not None:
            w.new_part, w.new_size = <const unsigned char*><bytes>options[0], len(<bytes>options[0])
    elif act == DISPLAYED:
        need_secrets()
    elif act == PARAM_OF or act == VALUES_OF_PARAM:
        w.name_is_text = open_name(options[0], &w.name)
    return 0


cdef void close_call(Call* w) noexcept:
    close_text(&w.name)
    free(w.copy.p)
    free(w.copy2.p)
    free(w.out.p)
    free(w.base_copy.p)
