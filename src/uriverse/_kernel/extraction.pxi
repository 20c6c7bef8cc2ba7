# Find URIs in running text: the common cases of `uriverse.diagnosis._extraction`.

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4)

cdef enum:
    LONGEST_RUN = 500  # as in the pattern `RUN`
    OTHER = 0x80  # the octet for a non-ASCII character


cdef inline bint is_space(unsigned char c) noexcept nogil:
    return c == 0x20 or 0x09 <= c <= 0x0D or 0x1C <= c <= 0x1F


cdef inline bint ends_run(unsigned char c) noexcept nogil:
    return (
        c <= 0x20 and is_space(c) or c == c"<" or c == c">" or c == c'"' or c == c"`"
        or c == c"{" or c == c"}" or c == c"|" or c == c"\\" or c == c"^"
    )


cdef void mask_characters(const Unit* text, unsigned char* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = text[i] if text[i] < 0x80 else OTHER


def mask_non_ascii(str text, /):
    """Return an octet for each character: itself if it is ASCII, otherwise `OTHER`."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef bytes octets = PyBytes_FromStringAndSize(NULL, n)
    cdef unsigned char* out = <unsigned char*>PyBytes_AS_STRING(octets)
    if PyUnicode_KIND(text) == 1:
        mask_characters(<const Py_UCS1*>PyUnicode_DATA(text), out, n)
    elif PyUnicode_KIND(text) == 2:
        mask_characters(<const Py_UCS2*>PyUnicode_DATA(text), out, n)
    else:
        mask_characters(<const Py_UCS4*>PyUnicode_DATA(text), out, n)
    return octets


cdef bint follows_name(const unsigned char* text, Py_ssize_t colon, tuple names):
    """Return whether one of the names, which are in lower case, precedes a colon."""
    cdef bytes name
    cdef Py_ssize_t n, k
    for name in names:
        n = PyBytes_GET_SIZE(name)
        if n > colon:
            continue
        k = 0
        while k < n and to_lower(text[colon - n + k]) == <unsigned char>PyBytes_AS_STRING(name)[k]:
            k += 1
        if k == n:
            return True
    return False


def find_next_uri(str text, bytes octets, Py_ssize_t floor, tuple names, /):
    """Return the next URI, its start and its end: the search of `_extraction.find_next_candidate`.

    Return the `floor` for Python if it must decide about the next colon; `None` if no URI follows.

    Args:
        octets: the result of `mask_non_ascii`.
        floor: the index after the last colon or URI that was found.
        names: the schemes that need no "//", and the prefixes of URIs, in lower case.
    """
    cdef const unsigned char* characters = <const unsigned char*>PyBytes_AS_STRING(octets)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(octets), i = floor, colon, start, end, unopened, k
    cdef unsigned char c, before, after
    cdef Scan bounds
    cdef str exact
    cdef bint quoted
    while True:
        colon = find_octet(characters, i, n, c":")
        if colon == n:
            return None
        i = colon + 1
        # The octets of the string end with a NUL, so that the next three can be compared in turn.
        c = characters[colon - 1] if colon else 0
        if c >= OTHER:
            return floor
        if not FLAGS[c] & IN_SCHEME:
            continue
        after = characters[colon + 3] if characters[colon + 1] == c"/" and characters[colon + 2] == c"/" else 0
        if after == 0 or is_space(after) or after == c"<" or after == c">" or after == c'"':
            if after == 0 and colon + 3 < n and characters[colon + 1] == c"/" and characters[colon + 2] == c"/":
                return floor  # a NUL in the string
            if FLAGS[c] & ALPHA and follows_name(characters, colon, names):
                return floor
            continue
        start = colon
        while start > floor and FLAGS[characters[start - 1]] & IN_SCHEME:
            start -= 1
        while start < colon and not FLAGS[characters[start]] & ALPHA:
            start += 1
        before = characters[start - 1] if start else c" "
        if after >= OTHER or before >= OTHER:
            return floor
        if start == colon or FLAGS[before] & (ALPHA | DIGIT) or before == c"_":
            floor = i  # a word, not a scheme
            continue
        k = start
        while k > floor and is_space(characters[k - 1]):
            k -= 1
        if k > floor and (characters[k - 1] == c"<" or characters[k - 1] == OTHER and Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, k - 1))):
            return floor
        quoted = False
        if before == c'"':
            end = start
            while end < n and characters[end] != c'"' and characters[end] != c"\r" and characters[end] != c"\n":
                if characters[end] == OTHER:
                    return floor
                end += 1
            quoted = end < n and characters[end] == c'"'
            if quoted and start > 1 and characters[start - 2] == c"\\":
                return floor
        if quoted:
            while is_space(characters[end - 1]):
                end -= 1
            exact = PyUnicode_Substring(text, start, end)
            if scan_text(exact, ASCII_ONLY | NEEDS_SCHEME, &bounds) != NOTHING:
                floor = i = end
                continue
        else:
            if before == c"(" or before == c"'" or before == c"*" or before == c"|":
                return floor
            end = i
            while end < n and end - start <= LONGEST_RUN and not ends_run(characters[end]):
                # A non-ASCII character, or another URI after a separator.
                if characters[end] == OTHER or (characters[end] == c":" and characters[end + 1] == c"/" and characters[end + 2] == c"/"):
                    return floor
                end += 1
            after = characters[end] if end < n else c" "
            if end - start > LONGEST_RUN or after == c"{" or after == c"|" or after == c"\\" or after == c"^":
                return floor
            exact = PyUnicode_Substring(text, start, end)
            if scan_text(exact, ASCII_ONLY | NEEDS_SCHEME, &bounds) != NOTHING:
                return floor
            if bounds.path == end - start and not is_space(after):
                return floor  # other parsers may find a longer host
            unopened = 0
            for k in range(i, end):
                unopened += (characters[k] == c")") - (characters[k] == c"(")
            k = end
            while True:
                c = characters[k - 1]
                if c == c")" and unopened > 0:
                    unopened -= 1
                elif c == c"(":
                    unopened += 1
                elif not (c == c"." or c == c"," or c == c";" or c == c":" or c == c"!" or c == c"?" or c == c"'"):
                    break
                k -= 1
            if k < end:
                end = k
                exact = PyUnicode_Substring(text, start, end)
            if scan_text(exact, ASCII_ONLY | NEEDS_SCHEME, &bounds) != NOTHING:
                    return floor
        floor = i = end
        # A URI without host, path and query identifies nothing.
        if bounds.host_end > bounds.host or bounds.path_end > bounds.path or bounds.query_end > bounds.path_end + 1:
            return create_value(types[ASCII_ONLY | NEEDS_SCHEME], exact, &bounds), start, end
