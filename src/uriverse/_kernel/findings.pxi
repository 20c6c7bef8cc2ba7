# The findings of `check`: `uriverse.diagnosis`. For each group of findings, the kernel either finds all of them,
# or leaves the group to the Python functions.
# Other files call `add_note`, `has_flag`, `examine`, `is_unremarkable`, `find_codes`, `get_settings` and
# `find_with_settings`.

# The names of the codes, in the order of their numbers.
REPORTED = tuple([CODE_NAMES[k].decode() for k in range(CODES_REPORTED)])


cdef struct Note:
    int code
    int component
    Py_ssize_t start
    Py_ssize_t end
    int cause  # the index of the finding of which this one is a detail, or its own index

cdef struct Report:
    # The findings about a string, and the groups that are left to the Python functions.
    Note notes[MOST_NOTES]
    int count
    bint first_only  # whether to find only the first finding of each code in each component
    int left
    bint valid
    bint is_plain  # whether the string is a valid ASCII string
    Rules* rules  # of the scheme; NULL for a relative reference
    Scan bounds  # the bounds of the components of a valid ASCII string


cdef inline void add_note(Report* report, int code, int component, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef int k
    for k in range(report.count if report.first_only else 0):
        if report.notes[k].code == code and report.notes[k].component == component:
            return
    if report.count == MOST_NOTES:
        report.left = EVERY_GROUP  # a hostile string
        return
    report.notes[report.count].code, report.notes[report.count].component = code, component
    report.notes[report.count].start, report.notes[report.count].end = start, end
    report.count += 1


cdef inline bint has_flag(Report* report, int flag) noexcept nogil:
    return report.rules is not NULL and report.rules.flags & flag != 0


cdef void examine(const unsigned char* text, Py_ssize_t n, bint ascii, bint with_form, Report* report) noexcept nogil:
    """Examine UTF-8 followed by a NUL; the offsets of the findings count characters.

    Long strings that are not ASCII URIs are left to the Python functions.
    """
    cdef Scan bounds
    cdef unsigned char letters[LONGEST_COPIED + 1]
    cdef unsigned char copy[LONGEST_COPIED + 1]
    cdef Invalid invalid
    cdef const unsigned char* original
    cdef const unsigned char* utf8 = text
    cdef Py_ssize_t past_ascii = PY_SSIZE_T_MAX  # the offset of the first non-ASCII character
    cdef int left = 0
    report.count = 0
    report.left = EVERY_GROUP if with_form else EVERY_GROUP & ~FORM_GROUP
    report.rules = NULL
    if not ascii:
        # The rules examine a copy with "x" in the place of each non-ASCII character.
        n = replace_characters(text, n, letters, &past_ascii, &left) if n <= LONGEST_COPIED else -1
        if n < 0:
            return
        text = letters
    original = text
    report.valid = fast_scan(text, n, 0, &bounds) or scan(text, n, 0, &bounds) == NOTHING
    invalid.in_path = invalid.percent = invalid.anywhere = False
    if not report.valid:
        # The rules examine a valid copy with the same components.
        if n > LONGEST_COPIED:
            return
        replace_invalid(text, n, copy, &invalid)
        text = copy
        if scan(text, n, 0, &bounds) != NOTHING:
            return
    # Before the host, octets of UTF-8 and characters have the same offsets.
    if past_ascii < (bounds.host if report.valid and bounds.authority >= 0 else bounds.path):
        return
    report.is_plain = report.valid and ascii
    report.bounds = bounds
    if bounds.scheme_end >= 0:
        report.rules = find_rules(text, bounds.scheme_end)
        if report.rules is NULL:
            return
    report.left = left
    if not report.valid:
        find_invalid(original, n, &invalid, report)
        # A backslash may be one of the slashes before a host.
        if invalid.in_path and bounds.host == bounds.host_end:
            report.left |= AMBIGUITY_GROUP
        # Look for a drive letter, as in "c|/a".
        if has_flag(report, IS_LOCAL) and (invalid.in_path or invalid.first[HOST] >= 0):
            report.left |= AMBIGUITY_GROUP
    find_scheme_violations(text, n, &bounds, report)
    find_deprecated(text, &bounds, report)
    if not report.valid and invalid.anywhere:
        find_characters(original, n, &bounds, report)
    find_triplet_ambiguities(text, n, &bounds, report)
    find_outset_ambiguities(text, &bounds, report)
    if bounds.authority >= 0:
        find_userinfo_ambiguities(text, n, &bounds, report)
        find_host_ambiguities(text, utf8 + bounds.host, past_ascii < bounds.host_end, &bounds, report)
        find_port_ambiguities(text, &bounds, report)
    find_path_ambiguities(original, past_ascii, &bounds, report)
    if with_form:
        find_form_findings(text, n, &bounds, report)


cdef bint is_unremarkable(const unsigned char* text, Py_ssize_t n, Scan* bounds, bint with_form) noexcept nogil:
    """Return whether `examine` certainly finds nothing in a valid ASCII string, as in most links."""
    # Only a web URI without userinfo and port is accepted.
    if not is_web(text, bounds.scheme_end) or not 0 <= bounds.authority == bounds.host < bounds.host_end == bounds.path:
        return False
    if bounds.path == bounds.path_end:
        # An "@" may follow, or a rule may require a slash.
        if with_form or bounds.path < n:
            return False
    elif bounds.path + 1 < bounds.path_end and text[bounds.path + 1] == c"/":
        return False
    return simd_variant.is_unambiguous(text, n, bounds)


# --- the group "syntax"

cdef enum:
    LONGEST_COPIED = 1000  # the number of bytes of the longest string of which the rules examine a copy

cdef struct Invalid:
    # Invalid characters: the first one of each component, or -1, and what the others are.
    Py_ssize_t first[FRAGMENT + 1]
    bint in_path
    bint percent  # whether a path contains a "%" that begins no percent-encoded triplet
    bint anywhere  # whether there are backslashes, spaces or control characters


cdef enum:
    # Which rules of `check` examine a character in a path, query or fragment.
    NOT_CLASSIFIED = 0
    BY_NO_RULE = 1
    BY_TEXT_RULES = 2
    BY_OTHER_RULES = 3

cdef uint8_t EXAMINATIONS[0x110000]


cdef void classify_examination(unsigned int c) noexcept with gil:
    try:
        from uriverse.diagnosis import _dot_segments
        EXAMINATIONS[c] = _dot_segments.classify_examination(chr(c))
    except Exception:
        pass  # so the string is left to the Python functions


cdef Py_ssize_t replace_characters(
    const unsigned char* text, Py_ssize_t n, unsigned char* out, Py_ssize_t* first, int* left
) noexcept nogil:
    """Copy UTF-8 with "x" for each non-ASCII character, the first of which is at `first` in the copy.

    Return the number of characters, or -1 if rules of other groups than those in `left` examine one.
    """
    cdef Py_ssize_t i = 0, length = 0
    cdef int size
    cdef unsigned int c
    while i < n:
        out[length] = text[i]
        if text[i] < 0x80:
            i += 1
        else:
            size = measure_character(text + i, n - i)
            if size == 0:
                return -1
            c = get_code_point(text + i, size)
            if EXAMINATIONS[c] == NOT_CLASSIFIED:
                classify_examination(c)
            if EXAMINATIONS[c] == BY_TEXT_RULES:
                left[0] |= TEXT_GROUP
            elif EXAMINATIONS[c] != BY_NO_RULE:
                return -1
            out[length] = c"x"
            first[0] = min(first[0], length)
            i += size
        length += 1
    out[length] = 0
    return length


cdef inline bint is_replaceable_in_host(unsigned char c) noexcept nogil:
    """Return whether parsers that accept this character in a host treat it as they treat "!"."""
    return memchr(b'"<>^`{|}', c, 8) is not NULL


cdef void replace_invalid(const unsigned char* text, Py_ssize_t n, unsigned char* out, Invalid* invalid) noexcept nogil:
    """Copy a string with "!" for invalid characters, but never for delimiters, so that its components remain."""
    cdef Py_ssize_t i = 0, start = 0
    cdef int component = PATH
    for i in range(FRAGMENT + 1):
        invalid.first[i] = -1
    memcpy(out, text, n + 1)
    # RFC 3986, Appendix B
    i = 0
    while i < n and text[i] != c":" and not ends_authority(text[i]):
        i += 1
    if i > 0 and text[i] == c":":
        start = i + 1
    i = start
    if text[i] == c"/" and text[i + 1] == c"/":
        i += 2
        start = i
        while i < n and not ends_authority(text[i]):
            i += 1
            if text[i - 1] == c"@":
                start = i
        for start in range(start, i):
            if is_replaceable_in_host(text[start]):
                out[start] = c"!"
                if invalid.first[HOST] < 0:
                    invalid.first[HOST] = start
    while i < n:
        if text[i] == c"?" and component == PATH:
            component = QUERY
        elif text[i] == c"#" and component < FRAGMENT:
            component = FRAGMENT
        elif is_triplet(text + i):
            i += 2
        elif not FLAGS[text[i]] & (IN_PATH if component == PATH else IN_QUERY):
            if invalid.first[component] < 0:
                invalid.first[component] = i
                if text[i] == c"%":
                    # The invalid character is the one in the place of a hexadecimal digit.
                    invalid.first[component] += 2 if FLAGS[text[i + 1]] & HEXDIG else 1
            invalid.in_path |= component == PATH
            invalid.percent |= text[i] == c"%" and component == PATH
            invalid.anywhere |= text[i] == c"\\" or text[i] <= 0x20 or text[i] == 0x7F
            out[i] = c"!"
        i += 1


cdef void find_invalid(const unsigned char* text, Py_ssize_t n, Invalid* invalid, Report* report) noexcept nogil:
    """Find the first invalid character of each component."""
    cdef int component
    for component in range(HOST, FRAGMENT + 1):
        if invalid.first[component] >= 0:
            add_note(report, CODE_SYNTAX, component, invalid.first[component], min(invalid.first[component] + 1, n))


# --- the group "scheme"

cdef void find_scheme_violations(const unsigned char* text, Py_ssize_t n, Scan* bounds, Report* report) noexcept nogil:
    cdef int count = report.count
    if report.rules is NULL:
        return
    if report.rules.flags & PATH_HAS_RULE:
        report.left |= SCHEME_GROUP
        return
    if bounds.authority < 0 and report.rules.flags & AUTHORITY_REQUIRED:
        add_note(report, CODE_AUTHORITY_MISSING, HOST, bounds.path, bounds.path)
    if bounds.authority >= 0 and report.rules.flags & AUTHORITY_FORBIDDEN:
        add_note(report, CODE_AUTHORITY_MISPLACED, HOST, bounds.authority - 2, bounds.path)
    if bounds.authority >= 0 and bounds.host == bounds.host_end and report.rules.flags & EMPTY_HOST_FORBIDDEN:
        add_note(report, CODE_HOST_MISSING, HOST, bounds.host, bounds.host)
    if bounds.host > bounds.authority and report.rules.flags & USERINFO_FORBIDDEN:
        add_note(report, CODE_USERINFO_MISPLACED, USERINFO, bounds.authority, bounds.host - 1)
    if bounds.path_end < bounds.query_end and report.rules.flags & QUERY_FORBIDDEN:
        add_note(report, CODE_QUERY_MISPLACED, QUERY, bounds.path_end + 1, bounds.query_end)
    if bounds.query_end < n and report.rules.flags & FRAGMENT_FORBIDDEN:
        add_note(report, CODE_FRAGMENT_MISPLACED, FRAGMENT, bounds.query_end + 1, n)
    # With such a violation, the grammar of the scheme is not checked.
    if report.count == count and report.rules.flags & OWN_GRAMMAR and not (
        follows_grammar(text, n, bounds) if report.is_plain else is_web(text, bounds.scheme_end)
    ):
        report.left |= SCHEME_GROUP


# --- the group "deprecated"

cdef void find_deprecated(const unsigned char* text, Scan* bounds, Report* report) noexcept nogil:
    cdef Py_ssize_t i = bounds.authority
    if bounds.host <= bounds.authority:
        return
    if has_flag(report, USERINFO_DEPRECATED):
        add_note(report, CODE_USERINFO, USERINFO, bounds.authority, bounds.host - 1)
    while i < bounds.host - 1 and text[i] != c":":
        i += 1
    if i + 1 < bounds.host - 1:
        add_note(report, CODE_PASSWORD, USERINFO, i + 1, bounds.host - 1)


# --- the group "form"

cdef void find_form_findings(const unsigned char* text, Py_ssize_t n, Scan* bounds, Report* report) noexcept nogil:
    """Find relative references and unregistered schemes. URIs in another form are left to Python."""
    if bounds.scheme_end < 0:
        add_note(report, CODE_RELATIVE, SCHEME, 0, 0)
    elif report.rules is &OTHER_RULES:
        add_note(report, CODE_UNREGISTERED_SCHEME, SCHEME, 0, bounds.scheme_end)
    if not report.valid:
        return
    # Normalization changes nothing: neither its general steps, nor those of the scheme.
    if report.is_plain and is_plain(text, n, bounds, UNRESERVED_DECODED | UPPER, True, True, DOTS_OF_ROOTED):
        if follows_scheme_rules(text, bounds):
            return
        if bounds.authority < 0 and (report.rules is NULL or report.rules.step == GENERIC):
            return
    report.left |= FORM_GROUP


# --- for Python

# For each code, the bits of the codes that can be its details: `uriverse.diagnosis._codes.DETAILS`.
cdef uint64_t DETAIL_BITS[CODES_REPORTED]


cdef inline bint precedes(Note* one, Note* other, const int8_t* ranks) noexcept nogil:
    """Return whether a finding is sorted before another one: by start, severity and end."""
    return (one.start - other.start or ranks[one.code] - ranks[other.code] or one.end - other.end) < 0


cdef void sort_notes(Report* report, const int8_t* ranks, bint grouped) noexcept nogil:
    """Remove the findings of disabled codes, whose rank is -1, and of groups that are not done.

    If `grouped`, also find their causes: `uriverse.diagnosis._findings.group_details`.
    """
    cdef int k, m, code, other, count = 0
    cdef int causes[MOST_NOTES]
    cdef Note moved
    for k in range(report.count):
        moved = report.notes[k]
        if ranks[moved.code] < 0 or report.left & find_group(moved.code):
            continue
        m = count
        while m > 0 and precedes(&moved, &report.notes[m - 1], ranks):
            report.notes[m] = report.notes[m - 1]
            m -= 1
        report.notes[m] = moved
        count += 1
    report.count = count
    for k in range(count):
        causes[k], code = k, report.notes[k].code
        for m in range(k if grouped else 0):
            other = report.notes[m].code
            if report.notes[m].end < report.notes[k].start:
                continue
            if causes[k] == k and DETAIL_BITS[other] >> code & 1:
                causes[k] = m
            elif causes[m] == m and DETAIL_BITS[code] >> other & 1:
                causes[m] = k
    for k in range(count):
        m = k
        while causes[m] != m:
            m = causes[m]
        report.notes[k].cause = k if ranks[report.notes[m].code] > ranks[report.notes[k].code] else m


cdef int find_codes(
    const unsigned char* text, Py_ssize_t n, bint ascii, bint with_form, const int8_t* ranks, int* codes, bint* complete
) noexcept nogil:
    """Find codes, except those of details; `complete` tells whether no group is left to Python."""
    cdef Report report
    cdef int k, count = 0
    report.first_only = False
    examine(text, n, ascii, with_form, &report)
    complete[0] = report.left == 0
    sort_notes(&report, ranks, True)
    for k in range(report.count):
        if report.notes[k].cause == k:
            codes[count] = report.notes[k].code
            count += 1
    return count


# The class of findings, and the settings of each profile of `check`, as `findings` accepts them.
cdef type finding_class = None
cdef dict profile_settings = {}
cdef tuple usual_settings = None  # those of the profile "generic"


def set_finding_class(type kind, dict settings, dict details, /):
    """Set the class of findings, a named tuple, the arguments of `findings` for each profile, and details."""
    global finding_class, profile_settings, usual_settings
    cdef int k
    for k in range(CODES_REPORTED):
        for code in {*REPORTED}.intersection(details.get(REPORTED[k], ())):
            DETAIL_BITS[k] |= <uint64_t>1 << <int>REPORTED.index(code)
    finding_class, profile_settings, usual_settings = kind, settings, settings["generic"]


cdef tuple get_settings(profile):
    return profile_settings.get(profile) if PyUnicode_CheckExact(profile) else None


cdef list find_with_settings(text, tuple settings):
    """Return the findings with the settings of a profile; `None` if Python functions must find some."""
    cdef Report report
    if settings is None or not PyUnicode_CheckExact(text):
        return None
    fill_report(text, settings[0], False, &report)
    return None if report.left else list_findings(text, &report, <bytes>settings[1], <tuple>settings[2], True)


def examine_text(str text, bint with_form, bytes ranks, tuple words, /, bint first_only=False):
    """Return the groups of findings that the Python functions must find, as bits, and all others, sorted.

    Args:
        ranks: the rank of the severity of each code in REPORTED; 255 for a disabled code.
        words: for each code in REPORTED, its severity, message, reference and suggestion.
        first_only: whether to return only the first finding of each code in each component.
    """
    cdef Report report
    fill_report(text, with_form, first_only, &report)
    return report.left, list_findings(text, &report, ranks, words, False)


cdef int fill_report(str text, bint with_form, bint first_only, Report* report) except -1:
    cdef Text t
    report.left, report.count, report.first_only = EVERY_GROUP, 0, first_only
    if PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return 0
    load_scheme(text)
    open_text(text, &t)
    examine(t.p, t.n, PyUnicode_IS_ASCII(text), with_form, report)
    close_text(&t)
    return 0


cdef list list_findings(str text, Report* report, bytes ranks, tuple words, bint grouped):
    """Return the findings of the groups that are done, or if `grouped` only the causes with their details."""
    cdef Note* note
    cdef int k, m
    cdef list findings = []
    cdef tuple details
    sort_notes(report, <const int8_t*><const unsigned char*>ranks, grouped)
    for k in range(report.count):
        note = &report.notes[k]
        if note.cause != k:
            continue  # a detail of another finding
        details = ()
        for m in range(report.count):
            if m != k and report.notes[m].cause == k and REPORTED[report.notes[m].code] not in details:
                details += (REPORTED[report.notes[m].code],)
        severity, message, reference, suggestion = <tuple>words[note.code]
        if note.code == CODE_SYNTAX:
            from uriverse._spec import messages
            message, suggestion = messages.explain_named_component(text, COMPONENTS[note.component], note.start)
        elif find_group(note.code) == SCHEME_GROUP:
            reference = <str>SCHEME_REFERENCES[report.rules.reference] or reference
        findings.append(create_finding((
            REPORTED[note.code], severity, COMPONENTS[note.component], note.start, note.end,
            message, reference, suggestion, details,
        )))
    return findings


cdef object create_finding(tuple fields):
    """Return a named tuple with the fields, as `tuple.__new__` does, but without a call of Python code."""
    return (<PyTypeObject*>tuple).tp_new(<PyTypeObject*>finding_class, (fields,), NULL)
