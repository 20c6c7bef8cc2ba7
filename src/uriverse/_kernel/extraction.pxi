# Find URIs in running text: the common cases of `uriverse.diagnosis._extraction`.

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4)
    bint Py_UNICODE_ISALNUM(Py_UCS4)
    bint Py_UNICODE_ISDECIMAL(Py_UCS4)
    bint Py_UNICODE_ISLOWER(Py_UCS4)
    bint Py_UNICODE_ISUPPER(Py_UCS4)
    Py_ssize_t PyUnicode_FindChar(str, Py_UCS4, Py_ssize_t, Py_ssize_t, int) except -2

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


cdef inline bint is_any_space(str text, const unsigned char* characters, Py_ssize_t i):
    return Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, i)) if characters[i] == OTHER else is_space(characters[i])


cdef inline int choose_rule(str text):
    return ASCII_ONLY | NEEDS_SCHEME if PyUnicode_IS_ASCII(text) else NEEDS_SCHEME


cdef bint is_ending(str text, Py_ssize_t i, str endings):
    """Return whether a non-ASCII character ends a URI: `_extraction.ENDING`."""
    cdef Py_UCS4 c = PyUnicode_READ_CHAR(text, i), following
    if PyUnicode_FindChar(endings, c, 0, PyUnicode_GET_LENGTH(endings), 1) < 0:
        return False
    following = PyUnicode_READ_CHAR(text, i + 1) if c == 0x2019 and i + 1 < PyUnicode_GET_LENGTH(text) else c"."
    return following != c"_" and not Py_UNICODE_ISALNUM(following)


cdef Py_ssize_t find_closing(str text, const unsigned char* characters, Py_ssize_t i, Py_ssize_t n, str endings):
    """Return where the delimiter before the index `i` is closed, or `n`: `_extraction.CLOSED`."""
    cdef unsigned char c, opening = characters[i - 1], closing = c")" if opening == c"(" else opening
    cdef bint is_inside = False
    while i < n:
        c = characters[i]
        if c == closing and not is_inside:
            return i
        if c == c"<" or c == c">" or c == c'"' or is_any_space(text, characters, i) or (c == OTHER and is_ending(text, i, endings)):
            return n
        if opening == c"(" == c and is_inside:
            return n
        is_inside = opening == c"(" and (c == c"(" or (is_inside and c != c")"))
        i += 1
    return n


cdef bint may_host_go_on(str text, const unsigned char* characters, Py_ssize_t i, Py_ssize_t n):
    """Return false if a host certainly ends at an index for all parsers: `_extraction.HOST_GOES_ON`."""
    cdef bint has_other = False
    while i < n and characters[i] != c"@":
        if characters[i] < OTHER and Py_UNICODE_ISALNUM(characters[i]):
            return has_other  # perhaps one that browsers take for a dot
        has_other = has_other or characters[i] == OTHER
        if Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(text, i)) or is_any_space(text, characters, i) or memchr(b"/?#<>_", characters[i], 6) is not NULL:
            return False
        i += 1
    return i < n


def find_next_uri(str text, bytes octets, Py_ssize_t floor, tuple names, str endings, str punctuation, /):
    """Return the next URI, its start and its end: the search of `_extraction.find_next_candidate`.

    Return the `floor` for Python if it must decide about the next colon; `None` if no URI follows.

    Args:
        octets: the result of `mask_non_ascii`.
        floor: the index after the last colon or URI that was found.
        names: the schemes that need no "//", and the prefixes of URIs, in lower case.
        endings: `_extraction.ENDING_CHARACTERS`.
        punctuation: `_extraction.PUNCTUATION`.
    """
    cdef const unsigned char* characters = <const unsigned char*>PyBytes_AS_STRING(octets)
    cdef Py_ssize_t n = PyBytes_GET_SIZE(octets), i = floor, colon, start, end, limit, unopened, k
    cdef unsigned char c, before, after
    cdef Py_UCS4 character
    cdef Scan bounds
    cdef str exact
    cdef bint enclosed
    while True:
        colon = find_octet(characters, i, n, c":")
        if colon == n:
            return None
        i = colon + 1
        # The octets of the string end with a NUL, so that the next three can be compared in turn.
        c = characters[colon - 1] if colon else 0
        if not FLAGS[c] & IN_SCHEME:
            continue
        after = characters[colon + 3] if characters[colon + 1] == c"/" and characters[colon + 2] == c"/" else 0
        # A separator between two URIs, or a character that ends one.
        if memchr(b",;|", after, 3) is not NULL or (
            after == OTHER and (is_any_space(text, characters, colon + 3) or is_ending(text, colon + 3, endings))
        ):
            return floor
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
        character = PyUnicode_READ_CHAR(text, start - 1) if start else c" "
        # Before the scheme may be a letter of a script without upper and lower case.
        if start == colon or FLAGS[before] & (ALPHA | DIGIT) or before == c"_" or (
            before == OTHER and (Py_UNICODE_ISDECIMAL(character) or Py_UNICODE_ISLOWER(character) or Py_UNICODE_ISUPPER(character))
        ):
            floor = i  # a word, not a scheme
            continue
        k = start
        while k > floor and is_any_space(text, characters, k - 1):
            k -= 1
        end = i
        enclosed = k > floor and characters[k - 1] == c"<"
        if enclosed:
            while end < n and characters[end] != c"<" and characters[end] != c">" and not is_any_space(text, characters, end):
                end += 1
            if end == n or characters[end] != c">":
                return floor  # perhaps the URI is wrapped over lines
        elif before == c'"':
            while end < n and characters[end] != c'"' and characters[end] != c"\r" and characters[end] != c"\n":
                end += 1
            enclosed = end < n and characters[end] == c'"'
            if enclosed and start > 1 and characters[start - 2] == c"\\":
                return floor
        if enclosed:
            while is_any_space(text, characters, end - 1):
                end -= 1
            exact = PyUnicode_Substring(text, start, end)
            if scan_text(exact, choose_rule(exact), &bounds) != NOTHING:
                floor = i = end
                continue
        else:
            limit = find_closing(text, characters, start, n, endings) if memchr(b"('*|", before, 4) is not NULL else n
            end = i
            while end < limit and end - start <= LONGEST_RUN and not ends_run(characters[end]):
                if characters[end] == OTHER and is_ending(text, end, endings):
                    break
                # Another URI after a separator.
                if characters[end] == c":" and characters[end + 1] == c"/" and characters[end + 2] == c"/":
                    return floor
                end += 1
            after = characters[end] if end < limit else c" "
            if end - start > LONGEST_RUN or after == c"{" or after == c"|" or after == c"\\" or after == c"^":
                return floor
            exact = PyUnicode_Substring(text, start, end)
            if scan_text(exact, choose_rule(exact), &bounds) != NOTHING:
                return floor
            if bounds.path == end - start and may_host_go_on(text, characters, end, n):
                return floor
            unopened = 0
            for k in range(i, end):
                unopened += (characters[k] == c")") - (characters[k] == c"(")
            k = end
            while True:
                character = PyUnicode_READ_CHAR(text, k - 1)
                if character == c")" and unopened > 0:
                    unopened -= 1
                elif character == c"(":
                    unopened += 1
                elif PyUnicode_FindChar(punctuation, character, 0, PyUnicode_GET_LENGTH(punctuation), 1) < 0:
                    break
                k -= 1
            if k < end:
                end = k
                exact = PyUnicode_Substring(text, start, end)
                if scan_text(exact, choose_rule(exact), &bounds) != NOTHING:
                    return floor
        floor = i = end
        # A URI without host, path and query identifies nothing.
        if bounds.host_end > bounds.host or bounds.path_end > bounds.path or bounds.query_end > bounds.path_end + 1:
            return create_value(types[choose_rule(exact)], exact, &bounds), start, end
