# The group "ambiguity" of the findings of `check`: `uriverse.diagnosis._ambiguity`.
# Other files call `find_characters`, `find_triplet_ambiguities`, `find_outset_ambiguities`, `find_userinfo_ambiguities`,
# `find_host_ambiguities`, `fill_host_classes`, `contains_a_label`, `find_port_ambiguities` and `find_path_ambiguities`.

cdef int find_component(Scan* bounds, Py_ssize_t i) noexcept nogil:
    """Return the component that contains the octet at an index."""
    if i >= bounds.query_end:
        return FRAGMENT
    if i >= bounds.path_end:
        return QUERY
    if i >= bounds.path:
        return PATH
    return USERINFO if i < bounds.host else HOST


cdef inline bint matches_code(unsigned char c, int code) noexcept nogil:
    if code == CODE_BACKSLASH:
        return c == c"\\"
    if code == CODE_CONTROL:
        return c < 0x20 or c == 0x7F
    return c == c" " or 9 <= c <= 13  # CODE_SPACE


cdef void find_characters(const unsigned char* text, Py_ssize_t n, Scan* bounds, Report* report) noexcept nogil:
    """Find backslashes, control characters and spaces, in the order of `_ambiguity.ANYWHERE`."""
    cdef Py_ssize_t i, start
    cdef int code
    cdef int[3] codes = [CODE_BACKSLASH, CODE_CONTROL, CODE_SPACE]
    for code in codes:
        i = 0
        while i < n:
            start = i
            while i < n and matches_code(text[i], code):
                i += 1
            if i > start:
                add_note(report, code, find_component(bounds, start), start, i)
            i += 1


cdef void find_triplet_ambiguities(const unsigned char* text, Py_ssize_t n, Scan* bounds, Report* report) noexcept nogil:
    """Find percent-encoded controls, octets that are not UTF-8, and double encoding."""
    cdef Py_ssize_t i, start
    cdef unsigned char octets[4]
    cdef unsigned int c
    cdef int length
    cdef bint legal
    # The Python functions search for one code after the other, so that order is kept.
    if not contains_octet(text, 0, n, c"%"):
        return
    i = 0
    while i < n:  # double encoding
        if text[i] == c"%" and text[i + 1] == c"2" and text[i + 2] == c"5" and FLAGS[text[i + 3]] & HEXDIG and FLAGS[text[i + 4]] & HEXDIG:
            add_note(report, CODE_DOUBLE_ENCODING, find_component(bounds, i), i, i + 5)
            i += 5
        else:
            i += 3 if text[i] == c"%" else 1
    i = 0
    while i < n:  # controls
        start = i
        while text[i] == c"%" and (decode_triplet(text + i) < 0x20 or decode_triplet(text + i) == 0x7F):
            i += 3
        if i > start:
            if has_flag(report, MAY_HAVE_LINE_BREAKS):
                report.left |= AMBIGUITY_GROUP
            add_note(report, CODE_ENCODED_CONTROL, find_component(bounds, start), start, i)
        else:
            i += 3 if text[i] == c"%" else 1
    i = 0
    while i < n:  # other octets than those of UTF-8
        start = i
        legal = True
        while text[i] == c"%" and decode_triplet(text + i) >= 0x80:
            length = 0
            while length < 4 and is_triplet(text + i + 3 * length):
                octets[length] = decode_triplet(text + i + 3 * length)
                length += 1
            length = measure_character(octets, length)
            if length == 0:
                legal = False
                if decode_triplet(text + i) >= 0xEF:
                    report.left |= TEXT_GROUP  # the triplets of a noncharacter may begin here
                i += 3
                continue
            c = get_code_point(octets, length)
            # The noncharacters: the last two code points of each plane, and 32 more.
            if c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF:
                report.left |= TEXT_GROUP
            i += 3 * length
        if i == start:
            i += 3 if text[i] == c"%" else 1
        elif not legal:
            add_note(report, CODE_NOT_UTF8, find_component(bounds, start), start, i)


cdef void find_outset_ambiguities(const unsigned char* text, Scan* bounds, Report* report) noexcept nogil:
    """Find ambiguities in the scheme and in the slashes after it."""
    cdef Py_ssize_t i, start = bounds.scheme_end + 1
    cdef int slashes, allowed
    cdef bint local = has_flag(report, IS_LOCAL)
    if bounds.scheme_end < 0:
        i = 0
        while i < bounds.path_end and text[i] != c"/":
            i += 1
        if i > 0:
            add_note(report, CODE_MISSING_SCHEME, PATH, bounds.path, bounds.path + i)
    elif contains_octet(text, 0, bounds.scheme_end, c".") or (
        bounds.authority < 0 and not has_flag(report, AUTHORITY_FORBIDDEN) and is_like_port(text, bounds.path, bounds.path_end)
    ):
        add_note(report, CODE_SCHEME_LIKE_HOST, SCHEME, 0, bounds.scheme_end)
    i = start
    while text[i] == c"/":
        i += 1
    slashes = <int>min(i - start, 4)
    allowed = 0b100 if has_flag(report, EMPTY_HOST_FORBIDDEN) else 0b1100  # bits by number of slashes
    if local:
        allowed = 0b1111
    if (has_flag(report, AUTHORITY_REQUIRED) or local) and not allowed >> slashes & 1:
        add_note(report, CODE_SLASH_COUNT, HOST, start, i)
    elif slashes == 1 and i < bounds.path_end and bounds.scheme_end >= 0 and not local:
        add_note(report, CODE_SINGLE_SLASH, PATH, start, i)
    if bounds.authority >= 0 and bounds.host == bounds.host_end and not local:
        add_note(report, CODE_AUTHORITY_EMPTY, HOST, bounds.host, bounds.host)


cdef bint is_like_port(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path begins with one to five digits and nothing else up to a delimiter."""
    cdef Py_ssize_t start = i
    while FLAGS[text[i]] & DIGIT:
        i += 1
    return 0 < i - start <= 5 and (i == end or is_slash(text[i]))


cdef inline bint is_word(unsigned char c) noexcept nogil:
    """Return whether an ASCII character is a letter, a digit or an underscore."""
    return FLAGS[c] & (ALPHA | DIGIT) != 0 or c == c"_"


cdef bint is_like_host(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether userinfo without triplets looks like a host: `_ambiguity.LIKE_HOST`."""
    cdef Py_ssize_t i = start
    while i < end and text[i] != c":":
        if (
            text[i] == c"." and start < i and text[i - 1] != c"."
            and i + 1 < end and text[i + 1] != c"." and text[i + 1] != c":"
        ):
            return True
        i += 1
    if end - start >= 9 and has_prefix(text + start, b"localhost", 9) and (start + 9 == end or not is_word(text[start + 9])):
        return True
    i = start
    while i < end and FLAGS[text[i]] & DIGIT:
        i += 1
    return i > start and (i == end or not is_word(text[i]))


cdef void find_userinfo_ambiguities(const unsigned char* text, Py_ssize_t n, Scan* bounds, Report* report) noexcept nogil:
    """Find userinfo that looks like a host, or an "@" that seems to end the userinfo."""
    cdef Py_ssize_t i = bounds.path
    if bounds.host > bounds.authority:
        if contains_octet(text, bounds.authority, bounds.host, c"%"):
            report.left |= AMBIGUITY_GROUP
        elif is_like_host(text, bounds.authority, bounds.host - 1):
            add_note(report, CODE_USERINFO_LIKE_HOST, USERINFO, bounds.authority, bounds.host - 1)
        return
    while i < n and text[i] != c"/":
        if text[i] == c"@":
            add_note(report, CODE_AT_BEHIND_HOST, find_component(bounds, i), bounds.path, i + 1)
            return
        i += 1


cdef void find_host_ambiguities(
    const unsigned char* text, const unsigned char* host, bint past_ascii, Scan* bounds, Report* report
) noexcept nogil:
    """Examine a host, of which `host` is the UTF-8; in `text`, an "x" stands for each non-ASCII character."""
    cdef Py_ssize_t i, start = bounds.host, end = bounds.host_end, last
    cdef int code = -1
    cdef bint is_number
    # A dot at the start of the host follows another one.
    cdef uint8_t c, before = IS_DOT, seen = 0, pairs = 0
    if has_flag(report, IS_LOCAL) and bounds.authority < bounds.path:
        add_note(report, CODE_FILE_LOCALHOST if is_this_machine(text, bounds) else CODE_FILE_HOST, HOST, bounds.authority, bounds.path)
    if start == end:
        return
    if text[start] == c"[":
        if text[start + 1] | 0x20 == c"v":
            add_note(report, CODE_BRACKET, HOST, start, bounds.path)
        elif embeds_ipv4(text, start):
            add_note(report, CODE_IPV6_WITH_IPV4, HOST, start, end)
        return
    if is_ipv4(text, start, end):
        return
    # One pass finds the classes of all characters, and whether a dot follows another one.
    for i in range(start, end):
        c = HOST_CLASSES[text[i]]
        seen |= c
        pairs |= c & before
        before = c
    if seen & IS_PERCENT or past_ascii or (seen & IS_HYPHEN and contains_a_label(text, start, end)):
        if seen & IS_ODD or not find_name_ambiguities(host, start, end, report):
            report.left |= AMBIGUITY_GROUP | TEXT_GROUP
        return
    last = end - (before == IS_DOT)
    i = last
    while last > start and text[last - 1] != c".":
        last -= 1
    if seen & IS_ODD:
        add_note(report, CODE_HOST_CHARACTERS, HOST, start, end)
    # If the last label is a number, other software may interpret the host as an IPv4 address.
    is_number = is_like_number(text, last, i)
    if is_number:
        code = find_address_notation(text, start, i)
        if code < -1 or before == IS_DOT:
            # This overflow has a message of its own, and with a dot at its end, an address is a name.
            report.left |= AMBIGUITY_GROUP
        elif code >= 0:
            is_number = False
            add_note(report, code, HOST, start, end)
    if before == IS_DOT:
        add_note(report, CODE_TRAILING_DOT, HOST, start, end)
    if pairs & IS_DOT:
        add_note(report, CODE_EMPTY_LABEL, HOST, start, end)
    if seen & (IS_HYPHEN | IS_UNDERSCORE):
        find_label_ambiguities(text, start, end, report)
    if is_number:
        add_note(report, CODE_LAST_LABEL_NUMBER, HOST, start, end)
    elif code < 0 and FLAGS[text[last]] & DIGIT and last - 1 > start:
        add_note(report, CODE_LAST_LABEL_DIGIT, HOST, start, end)


cdef enum:
    # The classes of the characters of a host.
    IS_DOT = 1
    IS_HYPHEN = 2
    IS_UNDERSCORE = 4
    IS_PERCENT = 8
    IS_ODD = 16  # in no domain name

cdef uint8_t HOST_CLASSES[256]


cdef void fill_host_classes() noexcept:
    cdef int c
    for c in range(256):
        HOST_CLASSES[c] = 0 if FLAGS[c] & (ALPHA | DIGIT) else IS_ODD
    HOST_CLASSES[c"."], HOST_CLASSES[c"-"], HOST_CLASSES[c"_"] = IS_DOT, IS_HYPHEN, IS_UNDERSCORE
    HOST_CLASSES[c"%"] = IS_PERCENT


cdef bint contains_a_label(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a host contains "xn--", ignoring case."""
    while i + 4 <= end:
        if text[i] | 0x20 == c"x" and text[i + 1] | 0x20 == c"n" and text[i + 2] == c"-" and text[i + 3] == c"-":
            return True
        i += 1
    return False


cdef bint is_like_number(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a label is a number in the URL standard: `parse_number` in `hosts._lookalikes`."""
    cdef int digits = DIGIT
    if i == end:
        return False
    if text[i] == c"0" and i + 1 < end and text[i + 1] | 0x20 == c"x":
        i, digits = i + 2, HEXDIG
    while i < end and FLAGS[text[i]] & digits:
        i += 1
    return i == end


cdef int find_address_notation(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return the code for an address (`hosts.ipv4_form`), -1 for a name, or -2 for more than four numbers."""
    cdef uint64_t number = 0, limit = 256
    cdef int count = 0, base
    cdef bint hexadecimal = False, octal = False, overflow = False, known
    while True:
        base, known = 10, True
        if text[i] == c"0" and text[i + 1] | 0x20 == c"x":
            i, base = i + 2, 16
        elif not FLAGS[text[i]] & DIGIT:
            return -1
        elif text[i] == c"0" and FLAGS[text[i + 1]] & DIGIT:
            base = 8
        hexadecimal |= base == 16
        octal |= base == 8
        number = 0
        while i < end and text[i] != c".":
            if not FLAGS[text[i]] & (HEXDIG if base == 16 else DIGIT):
                return -1
            known &= base != 8 or text[i] < c"8"
            number = min(number * base + get_digit(text[i]), <uint64_t>1 << 32)
            i += 1
        count += 1
        # The last number fills the remaining octets.
        if i == end:
            limit = <uint64_t>1 << 8 * (5 - count) if count < 5 else 0
        overflow |= known and number >= limit
        if i == end:
            break
        i += 1
    if count > 4:
        return -2
    if overflow:
        return CODE_IPV4_OVERFLOW
    if hexadecimal or octal:
        return CODE_IPV4_HEX if hexadecimal else CODE_IPV4_OCTAL
    return CODE_IPV4_INTEGER if count == 1 else CODE_IPV4_SHORT


cdef void find_label_ambiguities(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, Report* report) noexcept nogil:
    """Find the labels of a host with "_", and those with a hyphen at an end, which no domain name has."""
    cdef Py_ssize_t start
    while i < end:
        start = i
        while i < end and text[i] != c".":
            i += 1
        if i > start:
            if contains_octet(text, start, i, c"_"):
                add_note(report, CODE_LABEL_WITH_UNDERSCORE, HOST, start, i)
            if text[start] == c"-" or text[i - 1] == c"-":
                add_note(report, CODE_LABEL_EDGE_HYPHEN, HOST, start, i)
        i += 1


cdef bint find_name_ambiguities(const unsigned char* host, Py_ssize_t start, Py_ssize_t end, Report* report) noexcept with gil:
    """Examine a host with non-ASCII characters, triplets or A-labels; return false to leave it to Python."""
    cdef int count = report.count
    try:
        if try_name(host, start, end, report):
            return True
    except Exception:
        pass  # as Python functions may raise, which classify characters
    report.count = count
    return False


cdef bint try_name(const unsigned char* host, Py_ssize_t start, Py_ssize_t end, Report* report) except -1:
    cdef uint32_t name[LONGEST_NAME + 1]
    cdef uint32_t label[LONGEST_LABEL]
    cdef uint32_t decoded[LONGEST_LABEL]
    cdef unsigned char out[ROOM_OF_LABEL]
    cdef uint32_t c
    cdef int i, size = 0, u_size, length = 0, label_start = 0, properties = 0
    cdef bint encoded = False, past_ascii = False, deviates = False, is_bad = False, has_a_label = False, is_u, is_numeric
    cdef int n = decode_host_name(host, end - start, name, &encoded)
    if n < 1:
        return False
    if encoded:
        add_note(report, CODE_HOST_ENCODED, HOST, start, end)
    if name[n - 1] == c".":
        add_note(report, CODE_TRAILING_DOT, HOST, start, end)
        n -= 1
    is_u, is_numeric = False, True
    for i in range(n + 1):
        c = name[i] if i < n else c"."
        if c != c".":
            if size == LONGEST_LABEL or (c < 0x80 and not (FLAGS[c] & (ALPHA | DIGIT) or c == c"-")):
                return False
            is_numeric &= c < 0x80 and FLAGS[c] & DIGIT != 0
            label[size] = lower_ascii(c)
            if c >= 0x80:
                if CONVERSIONS[c] == NOT_EXAMINED:
                    from uriverse.diagnosis import _ambiguity
                    CONVERSIONS[c] = _ambiguity.classify_conversion(chr(c))
                if CONVERSIONS[c] == CONVERTED_OTHERWISE:
                    return False
                deviates |= CONVERSIONS[c] == DEVIATING
                is_u = True
                label[size] = classify_character(c) >> 3
            size += 1
            continue
        if size == 0 or label[0] == c"-" or label[size - 1] == c"-":
            return False
        if is_u:
            u_size = <int>encode_a_label(label, size, out, 0)
            if u_size < 0 or not is_u_label(label, size, &properties) or not is_shown(label, size):
                return False
            length += u_size - size
            past_ascii = True
        elif size >= 4 and label[0] == c"x" and label[1] == c"n" and label[2] == c"-" and label[3] == c"-":
            u_size = decode_a_label(label, size, decoded, &properties)
            if u_size == INVALID_LABEL:
                is_bad = True
                add_note(report, CODE_BAD_A_LABEL, HOST, start + (0 if encoded else label_start), end if encoded else start + i)
            elif u_size == 0 or not is_shown(decoded, u_size):
                return False
            else:
                has_a_label = True
        length += size + 1
        if i < n:
            size, label_start, is_u, is_numeric = 0, i + 1, False, True
    # The Python functions examine numbers, and A-labels in a name that has no ASCII form.
    if is_numeric or (not is_u and label[0] == c"0" and size > 1 and label[1] == c"x"):
        return False
    if (encoded or past_ascii or is_bad) and (has_a_label or (is_bad and past_ascii)):
        return False
    if properties & RIGHT_TO_LEFT or length > LONGEST_NAME + 1:
        return False
    if label_start > 0 and c"0" <= label[0] <= c"9":
        add_note(report, CODE_LAST_LABEL_DIGIT, HOST, start, end)
    if past_ascii:
        add_note(report, CODE_HOST_PAST_ASCII, HOST, start, end)
    if deviates:
        add_note(report, CODE_DEVIATION, HOST, start, end)
    return True


cdef int decode_host_name(const unsigned char* host, Py_ssize_t count, uint32_t* name, bint* encoded) noexcept nogil:
    """Decode UTF-8 of `count` characters, and triplets in it; return the number of code points, or -1."""
    cdef unsigned char octets[4 * (LONGEST_NAME + 1)]
    cdef Py_ssize_t i = 0, n = 0
    cdef int size
    if count > LONGEST_NAME + 1:
        return -1
    while count > 0:
        if host[i] == c"%":
            octets[n] = decode_triplet(host + i)
            encoded[0] = True
            n, i, count = n + 1, i + 3, count - 3
            continue
        size = 1 if host[i] < 0x80 else measure_character(host + i, 4)
        memcpy(octets + n, host + i, size)
        n, i, count = n + size, i + size, count - 1
    i = 0
    while i < n:
        size = 1 if octets[i] < 0x80 else measure_character(octets + i, n - i)
        if size == 0:
            return -1
        name[count] = octets[i] if size == 1 else get_code_point(octets + i, size)
        i += size
        count += 1
    return <int>count


cdef bint is_shown(const uint32_t* label, int n) except -1:
    """Return whether `display` shows a label in Unicode, if no letter is written from right to left."""
    cdef uint32_t look, looks = EVERY_SCRIPT, distinct = 0, before = 0
    cdef int k
    for k in range(n):
        if LOOKS[label[k]] == 0:
            from uriverse._spec import letters
            LOOKS[label[k]] = letters.classify_look(chr(label[k]))
        look = LOOKS[label[k]]
        # Next to a Latin letter or a digit, a stroke would be mistaken for a letter.
        if k > 0 and (look | before) & IS_STROKE and (label[k] < 0x80 or label[k - 1] < 0x80):
            return False
        looks &= look
        distinct |= look
        before = look
    return looks != 0 and distinct & IS_DISTINCT != 0


cdef enum:
    IS_DISTINCT = 1 << 30  # the letter does not look like a Latin letter of ASCII
    IS_STROKE = 1 << 29
    EVERY_SCRIPT = IS_STROKE - 1

# For each character, the result of `classify_look`, or 0 if it was not called yet.
cdef uint32_t LOOKS[0x110000]

cdef enum:
    # How the versions of IDNA convert a letter.
    NOT_EXAMINED = 0
    CONVERTED_OTHERWISE = 1
    CONVERTED_ALIKE = 2
    DEVIATING = 3

# For each non-ASCII character, the result of `classify_conversion`, or 0 if it was not called yet.
cdef uint8_t CONVERSIONS[0x110000]


cdef bint is_this_machine(const unsigned char* text, Scan* bounds) noexcept nogil:
    """Return whether an authority is "localhost" or "127.0.0.1": `_ambiguity.THIS_MACHINE`."""
    if bounds.authority < bounds.host or bounds.host_end < bounds.path:
        return False
    return is_localhost(text, bounds) or (bounds.path - bounds.host == 9 and memcmp(text + bounds.host, b"127.0.0.1", 9) == 0)


cdef bint embeds_ipv4(const unsigned char* text, Py_ssize_t i) noexcept nogil:
    """Examine the IPv6 address in brackets at `i`; see `uriverse.hosts.embedded_addresses`."""
    cdef unsigned int g[8]
    cdef bint zeros
    read_ipv6_groups(text, i, g)
    zeros = (g[0] | g[1] | g[2] | g[3]) == 0
    if zeros and g[4] == 0 and (g[5] == 0xFFFF or (g[5] == 0 and (g[6] or g[7] > 1))):
        return True  # mapped, compatible
    if zeros and g[4] == 0xFFFF and g[5] == 0:
        return True  # translated
    if g[0] == 0x64 and g[1] == 0xFF9B and (g[2] == 1 or (g[2] | g[3] | g[4] | g[5]) == 0):
        return True  # NAT64
    if g[0] == 0x2002 or (g[0] == 0x2001 and g[1] == 0):
        return True  # 6to4, Teredo
    return (g[4] == 0 or g[4] == 0x200) and g[5] == 0x5EFE  # ISATAP


cdef void find_port_ambiguities(const unsigned char* text, Scan* bounds, Report* report) noexcept nogil:
    """Find ports that are empty, too large, or have leading zeros. Port 0 is left to Python."""
    cdef Py_ssize_t start = bounds.host_end + 1, i = start, k
    cdef unsigned int number = 0
    if start > bounds.path:
        return
    if start == bounds.path:
        add_note(report, CODE_PORT_EMPTY, PORT, start - 1, start)
        return
    if text[start] == c"0":
        add_note(report, CODE_PORT_ODD, PORT, start, bounds.path)
    while i < bounds.path and text[i] == c"0":
        i += 1
    if i == bounds.path:
        report.left |= AMBIGUITY_GROUP
    for k in range(i, min(bounds.path, i + 6)):  # Six digits without leading zeros are too large a number.
        number = number * 10 + (text[k] - c"0")
    if number > 65535:
        add_note(report, CODE_PORT_HUGE, PORT, start, bounds.path)


cdef bint may_have_dot_segments(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a path may contain dot segments, also after other software converts it."""
    if contains_octet(text, i, end, c"%") or contains_octet(text, i, end, c";") or text[i] == c".":
        return True
    # Without these characters, only a dot segment or a name that ends with two dots matters.
    i = find_octet(text, i, end, c".")
    while i < end:
        if text[i - 1] == c"/" or (text[i + 1] == c"." and (i + 2 == end or text[i + 2] == c"/")):
            return True
        i = find_octet(text, i + 1, end, c".")
    return False


cdef bint has_encoded_step(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a segment consists of one or two dots, at least one of which is percent-encoded."""
    cdef Py_ssize_t start
    cdef int dots
    while i < end:
        start, dots = i, 0
        while i < end and (text[i] == c"." or (is_triplet(text + i) and decode_triplet(text + i) == c".")):
            i += 3 if text[i] == c"%" else 1
            dots += 1
        if 0 < dots < 3 and (i == end or text[i] == c"/") and i > start + dots:
            return True
        i = find_octet(text, i, end, c"/") + 1
    return False


cdef void find_path_ambiguities(const unsigned char* text, Py_ssize_t past_ascii, Scan* bounds, Report* report) noexcept nogil:
    cdef Py_ssize_t i = bounds.path, end = bounds.path_end, k, start = 0, drive_end = 0
    cdef bint opaque = has_flag(report, AUTHORITY_FORBIDDEN)
    # Look for a drive letter, as in "c:/a" or "/c%3A".
    if has_flag(report, IS_LOCAL) or (bounds.scheme_end < 2 and bounds.authority < 0):
        k = start = bounds.authority if has_flag(report, IS_LOCAL) and bounds.host < bounds.host_end else i if bounds.scheme_end != 1 else 0
        while text[k] == c"/":
            k += 1
        if FLAGS[text[k]] & ALPHA or (is_triplet(text + k) and FLAGS[decode_triplet(text + k)] & ALPHA):
            k += 3 if text[k] == c"%" else 1
            drive_end = k + 3 if is_triplet(text + k) and decode_triplet(text + k) in (c":", c"|") else k + (text[k] == c":")
            if drive_end == k or not (text[drive_end] == 0 or ends_authority(text[drive_end])):
                drive_end = 0
            elif drive_end > past_ascii:  # an "x" may stand for another letter
                report.left |= AMBIGUITY_GROUP
    if opaque and (has_dot_segment(text, i, end) or has_encoded_step(text, i, end)):
        report.left |= AMBIGUITY_GROUP
        return
    if end - i >= 2 and text[i] == c"/" and text[i + 1] == c"/":
        add_note(report, CODE_PATH_LIKE_AUTHORITY, PATH, i, end)
    if i < end and (not report.valid or may_have_dot_segments(text, i, end)):
        find_dot_segments(text, bounds, opaque, report)
    while i < end:
        if is_triplet(text + i) and (decode_triplet(text + i) == c"/" or decode_triplet(text + i) == c"\\"):
            add_note(report, CODE_ENCODED_SLASH, PATH, i, i + 3)
        i += 1
    if drive_end > 0:
        add_note(report, CODE_DRIVE_LETTER, SCHEME if bounds.scheme_end == 1 else find_component(bounds, start), start, drive_end)
