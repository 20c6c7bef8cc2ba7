# The functions `to_ascii` and `to_unicode` of `uriverse._spec.domain`, and `to_uri(host="idna")`, for
# domain names that are certainly valid. All other names are left to the reference implementation.
# Other files call `is_separator`, `lower_ascii`, `decode_a_label`, `is_u_label`, `classify_character`,
# `is_in_nfc` and `encode_a_label`.

cdef enum:
    LONGEST_LABEL = 63
    LONGEST_NAME = 253
    ROOM_OF_LABEL = 4 + LONGEST_LABEL + 1  # "xn--", ASCII characters, and a hyphen

cdef enum:
    # The kinds of characters, as returned by `uriverse._spec.domain.classify_character`.
    UNMAPPED_CHARACTER = 1
    LETTER = 2
    MARK_LEFT_TO_RIGHT = 3
    MARK = 4
    LETTER_RIGHT_TO_LEFT = 5
    OTHER_CHARACTER = 6
    FORBIDDEN_CHARACTER = 7

cdef enum:
    INVALID_LABEL = -2  # the length of a label that is certainly invalid

cdef enum:
    # Properties of the labels of a name.
    RIGHT_TO_LEFT = 1  # the label consists of right-to-left letters and marks
    BIDI_UNKNOWN = 2  # the label may violate the Bidi rule (RFC 5893, 2)

# For each character, the result of `classify_character`, or 0 if it was not called yet. The operating
# system provides memory only for the pages in use. If two threads store a result, it is the same one.
cdef uint32_t CHARACTERS[0x110000]

# The function `unicodedata.is_normalized`, which is imported late. This is not a `cdef` variable: threads
# may set a variable of the module at the same time.
is_normalized = None


def to_ascii(domain, /):
    cdef str text = as_text(domain), name = convert_certain_domain(text)
    if name is not None:
        return name
    from uriverse._spec.domain import to_ascii as to_ascii_in_python
    return to_ascii_in_python(text)


def uri_with_domain(Identifier value, /):
    """Convert an IRI to a URI; return `None` without a non-ASCII host that is certainly valid."""
    cdef str held = <str>value.held, host, name, tail
    if value.host_start < 0:
        return None
    host = get_substring(value, value.host_start, value.host_end)
    name = None if PyUnicode_IS_ASCII(host) else convert_certain_domain(host)
    if name is None:
        return None
    tail = get_substring(value, value.host_end, PyUnicode_GET_LENGTH(held))
    # A domain name consists of letters, digits, hyphens, underscores and dots, so it cannot affect
    # another component.
    return encode_iri(get_substring(value, 0, value.host_start) + name + tail, value.scheme_end >= 0)


cdef str convert_certain_domain(str domain):
    """Convert a domain name to ASCII; return `None` if it is not certainly valid."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(domain), i, length = 0
    cdef unsigned char out[LONGEST_NAME + 1 + ROOM_OF_LABEL]
    cdef uint32_t label[LONGEST_LABEL]
    cdef uint32_t c
    cdef int size = 0, properties = 0
    # Each character takes at least one octet of the result, unless the mapping removes it.
    if n > LONGEST_NAME + 1:
        return None
    for i in range(n + 1):
        c = domain[i] if i < n else c"."
        if not is_separator(c):
            if size == LONGEST_LABEL:
                return None
            label[size] = lower_ascii(c) if c < 0x80 else classify_character(c) >> 3
            size += 1
        elif size > 0:
            length = append_label(label, size, out, length, &properties)
            if length < 0 or length > LONGEST_NAME:
                return None
            out[length] = c"."
            length += 1
            size = 0
        elif i < n or n < 2:  # an empty label, except for the root after the last dot
            return None
    # If one label contains right-to-left characters, all labels must satisfy the Bidi rule.
    if properties == RIGHT_TO_LEFT | BIDI_UNKNOWN:
        return None
    return create_ascii(out, length if is_separator(domain[n - 1]) else length - 1)


def to_unicode(text, /):
    cdef str label = as_text(text)
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(label), i
    cdef uint32_t code_points[LONGEST_LABEL]
    cdef uint32_t decoded[LONGEST_LABEL]
    cdef int size, properties = 0
    if not has_ace_prefix(label, n) or n > LONGEST_LABEL:
        return label
    if PyUnicode_IS_ASCII(label):
        for i in range(n):
            code_points[i] = lower_ascii(label[i])
        size = decode_a_label(code_points, <int>n, decoded, &properties)
        if size > 0:
            return PyUnicode_FromKindAndData(4, decoded, size)
    from uriverse._spec import domain
    return domain.to_unicode(label)


cdef inline bint is_separator(uint32_t c) noexcept nogil:
    """Return whether a character separates labels, as `SEPARATOR` in `uriverse._spec.domain`."""
    return c == c"." or c == 0x3002 or c == 0xFF0E or c == 0xFF61


cdef inline bint has_ace_prefix(str label, Py_ssize_t n) except -1:
    return n >= 4 and lower_ascii(label[0]) == c"x" and lower_ascii(label[1]) == c"n" and label[2] == c"-" and label[3] == c"-"


cdef inline uint32_t lower_ascii(uint32_t c) noexcept nogil:
    return c | 0x20 if c"A" <= c <= c"Z" else c


cdef Py_ssize_t append_label(const uint32_t* label, int n, unsigned char* out, Py_ssize_t length, int* properties) except -2:
    """Append the ASCII form of a mapped label; return the new length, or -1 if it is not certain."""
    cdef uint32_t decoded[LONGEST_LABEL]
    cdef int i
    for i in range(n):
        if label[i] >= 0x80:
            return encode_a_label(label, n, out, length) if is_u_label(label, n, properties) else -1
    for i in range(n):
        if not (FLAGS[label[i]] & (ALPHA | DIGIT) or label[i] == c"-" or label[i] == c"_"):
            return -1
        out[length + i] = <unsigned char>label[i]
    if n >= 4 and memcmp(out + length, b"xn--", 4) == 0:
        return length + n if decode_a_label(label, n, decoded, properties) > 0 else -1
    # The Bidi rule (RFC 5893, 2) allows ASCII labels that begin with a letter and end with a letter or a
    # digit.
    if not (FLAGS[label[0]] & ALPHA and FLAGS[label[n - 1]] & (ALPHA | DIGIT)):
        properties[0] |= BIDI_UNKNOWN
    return length + n


cdef int decode_a_label(const uint32_t* label, int n, uint32_t* decoded, int* properties) except -1:
    """Return the length of the U-label, which encodes to this A-label again; 0 if that is not certain.

    Return `INVALID_LABEL` if it is certain that there is no such U-label.
    """
    cdef unsigned char out[ROOM_OF_LABEL]
    cdef int size = decode_punycode(label + 4, n - 4, decoded), i
    cdef uint32_t entry
    for i in range(size):
        entry = classify_character(decoded[i]) if decoded[i] >= 0x80 else 0
        # IDNA 2008 allows no character that UTS 46 maps to another one.
        if entry and (entry & 7 == UNMAPPED_CHARACTER or entry & 7 == FORBIDDEN_CHARACTER or entry >> 3 != decoded[i]):
            return INVALID_LABEL
    if size == 0:
        return INVALID_LABEL
    if not is_u_label(decoded, size, properties) or encode_a_label(decoded, size, out, 0) != n:
        return 0
    for i in range(n):
        if out[i] != label[i]:
            return 0
    return size


cdef bint is_u_label(const uint32_t* label, int n, int* properties) except -1:
    """Return whether UTS 46 certainly does not change a label, which is not empty; add its properties."""
    cdef int i, kind
    cdef uint32_t entry
    cdef bint ascii = True, left_to_right = False, right_to_left = False
    for i in range(n):
        if label[i] < 0x80:
            if label[i] == c"-":
                # RFC 5891, 4.2.3.1
                if i == 0 or i == n - 1 or (i == 3 and label[2] == c"-"):
                    return False
            elif not (c"a" <= label[i] <= c"z" or c"0" <= label[i] <= c"9"):
                return False
            left_to_right = True
            continue
        ascii = False
        entry = classify_character(label[i])
        kind = entry & 7
        if entry >> 3 != label[i] or kind == UNMAPPED_CHARACTER or kind >= OTHER_CHARACTER:
            return False
        if i == 0 and kind != LETTER and kind != LETTER_RIGHT_TO_LEFT:
            return False
        if kind == LETTER_RIGHT_TO_LEFT:
            right_to_left = True
        elif kind != MARK:
            left_to_right = True
    if ascii or (left_to_right and right_to_left) or not is_in_nfc(label, n):
        return False
    # Labels of right-to-left letters and marks satisfy the Bidi rule. Others may contain digits, or
    # marks after a hyphen.
    properties[0] |= RIGHT_TO_LEFT if right_to_left else BIDI_UNKNOWN
    return True


cdef inline uint32_t classify_character(uint32_t c) except 0:
    if CHARACTERS[c] == 0:
        from uriverse._spec import domain
        CHARACTERS[c] = domain.classify_character(chr(c))
    return CHARACTERS[c]


cdef bint is_in_nfc(const uint32_t* label, int n) except -1:
    global is_normalized
    if is_normalized is None:
        from uriverse._spec import domain
        is_normalized = domain.get_normal_form_test()
    return is_normalized("NFC", PyUnicode_FromKindAndData(4, label, n))


# --- Punycode (RFC 3492)

cdef Py_ssize_t encode_a_label(const uint32_t* label, int n, unsigned char* out, Py_ssize_t length) noexcept nogil:
    """Append an A-label (RFC 3492, 6.3) to `ROOM_OF_LABEL` bytes; return -1 if it would be too long."""
    cdef Py_ssize_t end = length + LONGEST_LABEL
    cdef uint32_t code = 0x80, following, delta = 0, bias = 72, q, t, k  # q, t and k as in the RFC
    cdef int i, basic = 0, handled
    memcpy(out + length, b"xn--", 4)
    length += 4
    for i in range(n):
        if label[i] < 0x80:
            out[length] = <unsigned char>label[i]
            length += 1
            basic += 1
    if basic:
        out[length] = c"-"
        length += 1
    handled = basic
    while handled < n:
        following = 0x110000
        for i in range(n):
            if code <= label[i] < following:
                following = label[i]
        # No overflow: a label has at most 63 characters below 0x110000.
        delta += (following - code) * (handled + 1)
        code = following
        for i in range(n):
            if label[i] < code:
                delta += 1
            elif label[i] == code:
                q = delta
                k = 36
                while True:
                    if length >= end:
                        return -1
                    t = get_threshold(k, bias)
                    if q < t:
                        break
                    out[length] = DIGITS_OF_PUNYCODE[t + (q - t) % (36 - t)]
                    length += 1
                    q = (q - t) // (36 - t)
                    k += 36
                out[length] = DIGITS_OF_PUNYCODE[q]
                length += 1
                handled += 1
                bias = adapt_bias(delta, handled, handled == basic + 1)
                delta = 0
        delta += 1
        code += 1
    return length


cdef int decode_punycode(const uint32_t* code_points, int n, uint32_t* out) noexcept nogil:
    """Decode at most 59 characters (RFC 3492, 6.2), or return 0.

    Any result must be verified by encoding it: overflow is not detected.
    """
    cdef uint64_t index = 0, before, weight, digit
    cdef uint32_t bias = 72, code = 0x80, t, k
    cdef int size = 0, i = 0, basic
    for basic in range(n, 0, -1):
        if code_points[basic - 1] == c"-":
            size = basic - 1
            i = basic
            break
    memcpy(out, code_points, size * sizeof(uint32_t))
    while i < n:
        before = index
        weight = 1
        k = 36
        while True:
            if i == n:
                return 0
            if c"a" <= code_points[i] <= c"z":
                digit = code_points[i] - c"a"
            elif c"0" <= code_points[i] <= c"9":
                digit = code_points[i] - c"0" + 26
            else:
                return 0
            i += 1
            index += digit * weight
            t = get_threshold(k, bias)
            if digit < t:
                break
            weight *= 36 - t
            k += 36
        size += 1
        bias = adapt_bias(<uint32_t>(index - before), size, before == 0)
        if index // size > 0x10FFFF - code:
            return 0
        code += <uint32_t>(index // size)
        index %= size
        # Each character takes at least one digit, so the result is not longer than the input.
        memmove(out + index + 1, out + index, (size - 1 - index) * sizeof(uint32_t))
        out[index] = code
        index += 1
    return size


cdef const char* DIGITS_OF_PUNYCODE = b"abcdefghijklmnopqrstuvwxyz0123456789"


cdef inline uint32_t get_threshold(uint32_t k, uint32_t bias) noexcept nogil:
    return 1 if k <= bias else 26 if k >= bias + 26 else k - bias


cdef inline uint32_t adapt_bias(uint32_t delta, uint32_t count, bint first) noexcept nogil:
    """Return the new bias (RFC 3492, 6.1)."""
    cdef uint32_t k = 0
    delta = delta // 700 if first else delta // 2
    delta += delta // count
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38)
