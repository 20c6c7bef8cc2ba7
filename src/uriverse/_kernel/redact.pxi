# Replace secrets: `uriverse.redaction` for common strings.
#
# One pass finds the delimiters. If there may be a secret between percent-encoded delimiters, or a rare
# form of userinfo, the Python function processes the string.

from libc.stdlib cimport malloc

cdef enum:
    # The sizes of the tables.
    MOST_NAMES = 96
    MOST_PAGES = 16
    LONGEST_SECRET_NAME = 24
    # The largest number of spans of which some are moved.
    MOST_MOVED = 1000
cdef enum:
    # The kinds of bytes that are not delimiters.
    ORDINARY = 0
    BREAK = 1

# For each byte: ORDINARY, BREAK, or the byte itself if it is a delimiter, "%" or NUL.
cdef unsigned char MARKS[256]

cdef struct SecretName:
    # A name or an ending of names, from its last character to its first.
    unsigned char reversed[24]
    int n
    bint whole  # whether the name must be equal, not only end this way

cdef SecretName SECRET_NAMES[96]
cdef int FIRST_NAME[256]  # the first of `SECRET_NAMES` with that last character; they are sorted
cdef int secret_count = 0
cdef SecretName PAGE_NAMES[16]
cdef int page_count = 0

cdef struct Secrets:
    # The spans of the secrets in a string, in its order: a start and an end for each.
    Py_ssize_t* spans
    Py_ssize_t count, room
    Py_ssize_t here[64]  # enough for most strings; more spans need memory, which `close_secrets` frees


cdef int load_secrets(secrets) except -1:
    """Load the names of secret parameters from the module `uriverse.redaction.secrets`."""
    global secret_count, page_count
    cdef int k
    cdef unsigned char c
    names = [(name[::-1], True) for name in secrets.NAMES if not name.endswith(secrets.ENDINGS)]
    names += [(ending[::-1], False) for ending in secrets.ENDINGS]
    names.sort()
    secret_count = len(names)
    page_count = len(secrets.PAGES)
    if secret_count > MOST_NAMES or page_count > MOST_PAGES:
        raise ValueError("too many names of secret parameters")
    for k in range(256):
        FIRST_NAME[k] = MOST_NAMES
    for k in range(secret_count - 1, -1, -1):
        fill_name(&SECRET_NAMES[k], names[k][0], names[k][1])
        FIRST_NAME[SECRET_NAMES[k].reversed[0]] = k
    for k, name in enumerate(secrets.PAGES):
        fill_name(&PAGE_NAMES[k], name[::-1], True)
    memset(MARKS, ORDINARY, 256)
    memset(MARKS, BREAK, 0x21)
    MARKS[0] = c"%"  # the Python function handles NULs, like "%" that cannot be decoded
    for c in b"\x7f<>\"`":
        MARKS[c] = BREAK
    for c in b"/\\:?#@&=;%":
        MARKS[c] = c


cdef int fill_name(SecretName* slot, str reversed_name, bint whole) except -1:
    cdef bytes octets = reversed_name.encode()
    slot.n, slot.whole = len(octets), whole
    if slot.n > LONGEST_SECRET_NAME:
        raise ValueError("too long: " + reversed_name)
    memcpy(slot.reversed, <const unsigned char*>octets, slot.n)
    return 0


cdef Py_ssize_t encoded_octet(const unsigned char* p, Py_ssize_t i, Py_ssize_t n, unsigned char* octet) noexcept nogil:
    """Decode the triplet at index `i`, whose percent sign may be encoded again, as in `%2541`.

    Returns the index after it. If no triplet begins here, the octet is "%", and the index is `i + 1`.
    """
    cdef Py_ssize_t k = i + 1
    octet[0] = c"%"
    while k + 1 < n and FLAGS[p[k]] & HEXDIG and FLAGS[p[k + 1]] & HEXDIG:
        octet[0] = octet_of(p + k - 1)
        k += 2
        if octet[0] != c"%":
            return k
    return k if k > i + 1 else i + 1


cdef bint ends_with(const unsigned char* reversed, int n, SecretName* name) noexcept nogil:
    """Return whether a reversed name of `n` characters ends like an entry of the tables."""
    cdef int k
    if n < name.n or (name.whole and n != name.n):
        return False
    for k in range(name.n):
        if reversed[k] != name.reversed[k]:
            return False
    return True


cdef bint is_secret(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Implement `secrets.is_secret` for a name without encoded delimiters."""
    cdef unsigned char octets[256]
    cdef unsigned char c
    cdef Py_ssize_t n = 0, bracket = -1
    if memchr(p + i, c"%", end - i) is NULL and memchr(p + i, c"[", end - i) is NULL:
        return is_secret_plain(p, i, end)
    while i < end and n < 256:
        c = p[i]
        if c == c"%":
            i = encoded_octet(p, i, end, &c)
        else:
            i += 1
        if c == c"[" and bracket < 0:
            bracket = n
        octets[n] = c
        n += 1
    # The Python function decides about names that are longer.
    return i < end or is_secret_plain(octets, 0, n) or (bracket >= 0 and is_secret_plain(octets, 0, bracket))


cdef bint is_secret_plain(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a name that is not encoded is that of a secret parameter."""
    cdef unsigned char reversed[25]
    cdef Py_ssize_t k = end
    cdef int n = 0, name
    while n <= LONGEST_SECRET_NAME and k > i:
        k -= 1
        if FLAGS[p[k]] & (ALPHA | DIGIT):
            reversed[n] = lower(p[k])
            n += 1
    if n == 0:
        return False
    # One character more than the longest name is enough to see that a name is longer.
    name = FIRST_NAME[reversed[0]]
    while name < secret_count and SECRET_NAMES[name].reversed[0] == reversed[0]:
        if ends_with(reversed, n, &SECRET_NAMES[name]):
            for name in range(page_count):
                if ends_with(reversed, n, &PAGE_NAMES[name]):
                    return False
            return True
        name += 1
    return False


cdef inline void open_secrets(Secrets* found) noexcept nogil:
    found.spans = found.here
    found.count, found.room = 0, 32


cdef inline void close_secrets(Secrets* found) noexcept nogil:
    if found.spans != found.here:
        free(found.spans)


cdef bint more_secrets(Secrets* found) noexcept nogil:
    """Double the room for spans; return false if memory runs out."""
    cdef size_t size = 4 * found.room * sizeof(Py_ssize_t)
    cdef Py_ssize_t* spans = <Py_ssize_t*>malloc(size)
    if spans is NULL:
        return False
    memcpy(spans, found.spans, size // 2)
    close_secrets(found)
    found.spans, found.room = spans, 2 * found.room
    return True


cdef inline bint put_secret(Secrets* found, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Add a span; return false if the Python function must process the string."""
    if start >= end:
        return True
    if found.count and start <= found.spans[2 * found.count - 1]:
        return False  # spans that overlap or touch are merged
    if found.count == found.room and not more_secrets(found):
        return False
    found.spans[2 * found.count] = start
    found.spans[2 * found.count + 1] = end
    found.count += 1
    return True


cdef bint may_be_secret(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether a string contains "@", "=" or the start of a JSON Web Token.

    A percent-encoded "@" or "=" counts as well, and so does every escape in a string of JSON.
    """
    cdef Py_ssize_t i = 0
    cdef const unsigned char* sign = <const unsigned char*>memchr(p, c"\\", n)
    if memchr(p, c"=", n) is not NULL or memchr(p, c"@", n) is not NULL or has_jwt(p, n):
        return True
    while sign is not NULL:
        i = sign - p + 1
        if i < n and (p[i] == c"u" or p[i] == c"x"):
            return True
        sign = <const unsigned char*>memchr(p + i, c"\\", n - i)
    i = 0
    while True:
        sign = <const unsigned char*>memchr(p + i, c"%", n - i)
        if sign is NULL:
            return False
        i = sign - p + 1
        while n - i >= 2 and p[i] == c"2" and p[i + 1] == c"5":
            i += 2
        if n - i >= 2 and ((p[i] == c"4" and p[i + 1] == c"0") or (p[i] == c"3" and p[i + 1] | 0x20 == c"d")):
            return True


cdef bint has_jwt(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether a string contains "eyJ", with which JSON Web Tokens start."""
    cdef Py_ssize_t i = 0
    cdef const unsigned char* sign
    while True:
        sign = <const unsigned char*>memchr(p + i, c"J", n - i)
        if sign is NULL:
            return False
        i = sign - p + 1
        if i >= 3 and p[i - 2] == c"y" and p[i - 3] == c"e":
            return True


cdef struct Place:
    # The state of the search: the current token, which lies between two breaks, and its current part.
    Py_ssize_t token, part  # where the token and the current part of it begin
    Py_ssize_t colon, at  # the first colon and the last "@" in the part, or -1
    Py_ssize_t name  # where the name of a parameter may begin, or -1
    Py_ssize_t hidden  # the end of the last secret value
    int colons  # the number of colons in the part
    unsigned char delimiter  # before the name
    bint encoded_name  # whether that delimiter is percent-encoded
    bint in_authority, in_query  # where the part is
    bint in_first_authority  # whether that is the authority of the whole URI
    bint leads  # whether an authority that begins here is the first one


cdef int find_secrets(const unsigned char* p, Py_ssize_t n, bint usernames, Secrets* found) noexcept nogil:
    """Find the secrets in a string; return BY_REFERENCE if the Python function must do it."""
    cdef Place at
    cdef Py_ssize_t i = 0, k, after = -1
    cdef unsigned char c, mark, previous = 0
    # Whether "@", a colon that no slash follows, and encoded delimiters occur where a nested URI may be.
    cdef bint any_at = False, loose_colon = False, encoded = False, bad_port = False
    if not may_be_secret(p, n):
        return DONE
    start_token(&at, 0)
    while True:
        while i < n and MARKS[p[i]] == ORDINARY:
            i += 1
        k = i + 1
        mark = BREAK if i == n else MARKS[p[i]]
        c = mark
        if mark == c"%":
            if p[i] == 0:
                return BY_REFERENCE
            k = encoded_octet(p, i, n, &c)
            c = MARKS[c]
            if c == ORDINARY or c == BREAK or c == c"%":
                i = k
                continue
            encoded = True
        if c == c":" and not at.in_first_authority:
            loose_colon |= not slash_follows(p, k, n)
        elif c == c"@" and (mark == c"%" or not at.in_first_authority):
            any_at = True
        if mark == c"%":
            # At most the name of a parameter changes: the Python function handles all other cases.
            if c == c"=" and at.name >= 0 and is_secret(p, at.name, i):
                return BY_REFERENCE
            elif c != c":" and c != c"@":
                at.name, at.encoded_name = k, True
        elif mark == c":":
            if at.colons == 0:
                at.colon = i
            at.colons += 1
        elif mark == c"@":
            at.at = i
        elif mark == c"&" or mark == c";":
            at.name, at.delimiter, at.encoded_name = k, mark, False
        elif mark == c"=":
            if at.name >= 0 and i >= at.hidden and not at.in_first_authority and is_secret(p, at.name, i):
                # The start of a token may be the scheme of a URI.
                if at.encoded_name or (at.part == at.token and not at.in_query) or i - at.name > 255:
                    return BY_REFERENCE
                if not put_value(p, k, n, &at, found):
                    return BY_REFERENCE
            else:
                at.name = k
            at.delimiter, at.encoded_name = c"=", False
        else:
            if at.at >= 0:
                if not put_userinfo(p, &at, usernames, found):
                    return BY_REFERENCE
            elif at.in_authority and at.colons and not is_port(p, at.colon + 1, i):
                bad_port = True
            if mark == BREAK:
                if i == n:
                    break
                start_token(&at, k)
            elif mark == c"?" or mark == c"#":
                start_part(&at, k)
                at.in_query, at.leads = True, False
                at.name, at.delimiter, at.encoded_name = k, mark, False
            elif mark == c"\\" and k < n and (p[k] == c"u" or p[k] == c"x"):
                return BY_REFERENCE  # an escape in a string of JSON
            elif after == i and (previous == c"/" or previous == c"\\" or previous == c":"):
                # Two slashes, or a colon and a slash.
                c = at.leads and mark == c"/" and previous == c"/"
                at.leads &= previous == c":" and mark == c"/" and at.part == at.token and at.colons == 1
                start_part(&at, k)
                at.in_authority = True
                at.in_first_authority = c
                if at.in_query:
                    at.name, at.delimiter = k, mark
            else:
                # The slashes before the first authority follow nothing, or a scheme and a colon.
                at.leads &= mark == c"/" and at.part == at.token and at.colons == 0
                start_part(&at, k)
                if at.in_query:
                    at.name, at.delimiter = k, mark
        previous, after = mark, k
        i = k
    if (bad_port or encoded) and any_at and (bad_port or loose_colon or usernames):
        return BY_REFERENCE
    return add_tokens(p, n, found)


cdef inline void start_token(Place* at, Py_ssize_t i) noexcept nogil:
    at.token, at.hidden = i, 0
    at.in_query, at.leads = False, True
    start_part(at, i)


cdef inline void start_part(Place* at, Py_ssize_t i) noexcept nogil:
    at.part = i
    at.colon = at.at = at.name = -1
    at.colons = 0
    at.in_authority = at.in_first_authority = at.encoded_name = False


cdef inline bint slash_follows(const unsigned char* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return whether a slash or backslash follows, plain or percent-encoded."""
    cdef unsigned char c
    if i == n:
        return False
    c = p[i]
    if c == c"%":
        encoded_octet(p, i, n, &c)
    return c == c"/" or c == c"\\"


cdef inline bint put_value(const unsigned char* p, Py_ssize_t start, Py_ssize_t n, Place* at, Secrets* found) noexcept nogil:
    """Add the value of a secret parameter; return false if the Python function must do it."""
    cdef Py_ssize_t end = end_of_value(p, start, n, at.delimiter, at.in_query)
    at.hidden = end
    if (end == n or MARKS[p[end]] == BREAK) and (at.token > 0 or end < n or is_opening(p, n)):
        while end < n and p[end] == c'"' and end > start and p[end - 1] == c"\\":
            end -= 1
        while end > start and is_closing(p[end - 1]):
            end -= 1
    # Within the value, an equals sign does not delimit a name.
    at.name = -1 if end > start else start
    return put_secret(found, start, end)


cdef inline bint put_userinfo(const unsigned char* p, Place* at, bint usernames, Secrets* found) noexcept nogil:
    """Add the secrets of a part with an "@"; return false if the Python function must do it."""
    if not at.in_authority:
        # A password may follow a scheme and a user name, as in "http:user:password@host".
        return at.colons < 2
    if found.count and found.spans[2 * found.count - 1] > at.part:
        return False
    if at.colons == 0 or at.colon > at.at:
        return not usernames or put_secret(found, at.part, at.at)
    if not is_password(p, at.colon + 1, at.at):
        return False
    if not at.in_first_authority and memchr(p + at.colon, c"&", at.at - at.colon) is not NULL:
        return False
    if usernames and not put_secret(found, at.part, at.colon):
        return False
    return put_secret(found, at.colon + 1, at.at)


cdef inline bint is_base64url(unsigned char c) noexcept nogil:
    return FLAGS[c] & (ALPHA | DIGIT) != 0 or c == c"-" or c == c"_"


cdef int add_tokens(const unsigned char* p, Py_ssize_t n, Secrets* found) noexcept nogil:
    """Add the JSON Web Tokens; return BY_REFERENCE if one overlaps another secret in part."""
    cdef Py_ssize_t i = 0, start, end
    cdef const unsigned char* sign
    cdef Py_ssize_t k = 0
    cdef int parts
    while i < n:
        sign = <const unsigned char*>memchr(p + i, c"J", n - i)
        if sign is NULL:
            break
        i = sign - p + 1
        start = i - 3
        if start < 0 or p[start] != c"e" or p[start + 1] != c"y":
            continue
        if start > 0 and is_base64url(p[start - 1]):
            # An encoded delimiter, or an escape in a string, may precede the token.
            end = max(start - 9, 0)
            if memchr(p + end, c"%", start - end) is not NULL or memchr(p + end, c"\\", start - end) is not NULL:
                return BY_REFERENCE
            continue
        end, parts = i, 0
        while end < n and is_base64url(p[end]):
            end += 1
        if end - i < 8:
            continue
        while parts < 4 and end < n and p[end] == c".":
            parts += 1
            end += 1
            while end < n and is_base64url(p[end]):
                end += 1
        if parts < 2:
            continue
        i = end
        while k < found.count and found.spans[2 * k + 1] < start:
            k += 1
        if k == found.count:
            if not put_secret(found, start, end):
                return BY_REFERENCE
        elif end < found.spans[2 * k]:
            # Each insertion moves the spans after it, so the kernel inserts only into short lists.
            if found.count >= MOST_MOVED or (found.count == found.room and not more_secrets(found)):
                return BY_REFERENCE
            memmove(&found.spans[2 * k + 2], &found.spans[2 * k], 2 * (found.count - k) * sizeof(Py_ssize_t))
            found.spans[2 * k], found.spans[2 * k + 1] = start, end
            found.count += 1
        elif start < found.spans[2 * k] or found.spans[2 * k + 1] < end:
            return BY_REFERENCE
    return DONE


cdef bint is_opening(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Return whether a string matches `spans.OPENING`."""
    cdef Py_ssize_t i = n > 1 and p[0] == c"b"
    return memchr(b"'*([{", p[i], 5) is not NULL


cdef bint is_closing(unsigned char c) noexcept nogil:
    """Return whether `spans.CLOSING` contains a character."""
    return memchr(b".,:;!?'*)]}", c, 11) is not NULL


cdef bint is_port(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a part of an authority is a port, or a port and "&"."""
    while i < end and FLAGS[p[i]] & DIGIT:
        i += 1
    return i == end or p[i] == c"&"


cdef bint is_password(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether userinfo contains a password at index `i`, and not a port and "&"."""
    while i < end and FLAGS[p[i]] & DIGIT:
        i += 1
    return i == end or p[i] != c"&"


cdef Py_ssize_t end_of_value(const unsigned char* p, Py_ssize_t i, Py_ssize_t n, unsigned char delimiter, bint in_query) noexcept nogil:
    """Return the end of the value of a parameter, without regard to encoded delimiters."""
    cdef unsigned char c
    while i < n:
        c = p[i]
        if MARKS[c] == BREAK or c == c"#" or (c == c"&" and (in_query or delimiter != c";")):
            return i
        if c == c";" and (delimiter == c";" or not in_query):
            return i
        if not in_query and (c == c"/" or c == c"\\" or c == c"?"):
            return i
        i += 1
    return n


cdef Py_ssize_t write_redacted(const unsigned char* p, Py_ssize_t n, Secrets* found, unsigned char* out) noexcept nogil:
    """Write a string with its secrets replaced; return the length.

    A replacement is at most seven octets longer than a secret.
    """
    cdef Py_ssize_t done = 0, w = 0, k
    for k in range(found.count):
        w = put(out, w, p, done, found.spans[2 * k])
        memcpy(out + w, b"REDACTED", 8)
        w += 8
        done = found.spans[2 * k + 1]
    return put(out, w, p, done, n)


def redact(str text, bint usernames, /):
    """Replace the secrets in a string; see `uriverse.redact`."""
    cdef Text t
    cdef Secrets found
    cdef Py_ssize_t n, k
    cdef unsigned char* out
    cdef str result
    open_secrets(&found)
    open_text(text, &t)
    try:
        if find_secrets(t.p, t.n, usernames, &found) != DONE:
            return call_reference("redaction.redacted", text, usernames=usernames)
        if found.count == 0:
            return text
        n = t.n
        for k in range(found.count):
            n += 8 - (found.spans[2 * k + 1] - found.spans[2 * k])
        if PyUnicode_IS_ASCII(text):
            result = PyUnicode_New(n, 0x7F)
            write_redacted(t.p, t.n, &found, <unsigned char*>PyUnicode_DATA(result))
            return result
        out = <unsigned char*>PyMem_Malloc(n)
        if out is NULL:
            raise MemoryError
        try:
            write_redacted(t.p, t.n, &found, out)
            return PyUnicode_DecodeUTF8(<const char*>out, n, "surrogatepass")
        finally:
            PyMem_Free(out)
    finally:
        close_text(&t)
        close_secrets(&found)
