# The findings of `check`: `uriverse.diagnosis`.
#
# The kernel examines a valid ASCII string in one pass. For each group of findings, it either finds all
# of them, or leaves the group to the Python functions.

cdef enum:
    # The groups of findings, in the order of `uriverse.diagnosis._examination.LOOKS`.
    SYNTAX_GROUP = 1
    SCHEME_GROUP = 2
    TEXT_GROUP = 4
    DEPRECATED_GROUP = 8
    AMBIGUITY_GROUP = 16
    FORM_GROUP = 32
    EVERY_GROUP = 63

cdef enum:
    # The codes that the kernel reports, as indices of REPORTED, sorted by group.
    AUTHORITY_MISSING
    AUTHORITY_MISPLACED
    HOST_MISSING
    USERINFO_MISPLACED
    QUERY_MISPLACED
    FRAGMENT_MISPLACED
    DEPRECATED_USERINFO
    DEPRECATED_PASSWORD
    DOUBLE_ENCODING
    ENCODED_CONTROL
    NOT_UTF8
    MISSING_SCHEME
    SCHEME_LIKE_HOST
    SLASH_COUNT
    SINGLE_SLASH
    AUTHORITY_EMPTY
    USERINFO_LIKE_HOST
    AT_BEHIND_HOST
    FILE_LOCALHOST
    FILE_HOST
    HOST_CHARACTERS
    BRACKET
    IPV6_WITH_IPV4
    TRAILING_DOT
    EMPTY_LABEL
    LABEL_WITH_UNDERSCORE
    LABEL_EDGE_HYPHEN
    PORT_EMPTY
    PORT_ODD
    PORT_HUGE
    ENCODED_SLASH
    RELATIVE
    UNREGISTERED_SCHEME
    CODES_REPORTED

# The codes in the order of the numbers above.
REPORTED = (
    "authority-missing", "authority-misplaced", "host-missing", "userinfo-misplaced",
    "query-misplaced", "fragment-misplaced", "userinfo", "password", "double-encoding",
    "encoded-control", "not-utf8", "missing-scheme", "scheme-like-host", "slash-count",
    "single-slash", "authority-empty", "userinfo-like-host", "at-behind-host", "file-localhost",
    "file-host", "host-characters", "bracket", "ipv6-with-ipv4", "trailing-dot", "empty-label",
    "label-with-underscore", "label-edge-hyphen", "port-empty", "port-odd", "port-huge",
    "encoded-slash", "relative", "unregistered-scheme",
)

cdef enum:
    MOST_NOTES = 32
    LONGEST_CODE = 24

# The same codes as UTF-8, for columns.
cdef unsigned char CODE_NAMES[CODES_REPORTED][LONGEST_CODE]
cdef int CODE_LENGTHS[CODES_REPORTED]


cdef int write_code_names() except -1:
    cdef int k
    cdef bytes name
    assert len(REPORTED) == CODES_REPORTED
    for k in range(CODES_REPORTED):
        name = REPORTED[k].encode()
        assert len(name) <= LONGEST_CODE
        CODE_LENGTHS[k] = len(name)
        memcpy(CODE_NAMES[k], <const unsigned char*>name, len(name))
    return 0

write_code_names()


cdef struct Note:
    int code
    int component
    Py_ssize_t start
    Py_ssize_t end

cdef struct Report:
    # The findings about a string, and the groups that are left to the Python functions.
    Note notes[MOST_NOTES]
    int count
    int left
    Rules* rules  # of the scheme; NULL for a relative reference


cdef inline int group_of(int code) noexcept nogil:
    if code < DEPRECATED_USERINFO:
        return SCHEME_GROUP
    if code < DOUBLE_ENCODING:
        return DEPRECATED_GROUP
    return AMBIGUITY_GROUP if code < RELATIVE else FORM_GROUP


cdef inline void note(Report* r, int code, int component, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    if r.count == MOST_NOTES:
        r.left = EVERY_GROUP  # a hostile string
        return
    r.notes[r.count].code, r.notes[r.count].component = code, component
    r.notes[r.count].start, r.notes[r.count].end = start, end
    r.count += 1


cdef inline bint has_flag(Report* r, int flag) noexcept nogil:
    return r.rules is not NULL and r.rules.flags & flag != 0


cdef void examine(const unsigned char* p, Py_ssize_t n, bint with_form, Report* r) noexcept nogil:
    """Examine an ASCII string followed by a NUL; `with_form` enables the group "form"."""
    cdef Scan at
    r.count = 0
    r.left = EVERY_GROUP if with_form else EVERY_GROUP & ~FORM_GROUP
    if scan(p, n, 0, &at) != NOTHING:
        return
    r.rules = NULL
    if at.scheme_end >= 0:
        r.rules = rules_of_any_case(p, at.scheme_end)
        if r.rules is NULL:
            return
    r.left = 0
    find_scheme_violations(p, n, &at, r)
    find_deprecated(p, &at, r)
    find_in_triplets(p, n, &at, r)
    find_at_outset(p, &at, r)
    if at.authority >= 0:
        find_in_userinfo(p, n, &at, r)
        find_in_host(p, &at, r)
        find_in_port(p, &at, r)
    find_in_path(p, n, &at, r)
    if with_form:
        find_in_form(p, n, &at, r)


# --- the group "scheme"


cdef void find_scheme_violations(const unsigned char* p, Py_ssize_t n, Scan* at, Report* r) noexcept nogil:
    cdef int count = r.count
    if r.rules is NULL:
        return
    if r.rules.flags & PATH_HAS_RULE:
        r.left |= SCHEME_GROUP
        return
    if at.authority < 0 and r.rules.flags & AUTHORITY_REQUIRED:
        note(r, AUTHORITY_MISSING, HOST, at.path, at.path)
    if at.authority >= 0 and r.rules.flags & AUTHORITY_FORBIDDEN:
        note(r, AUTHORITY_MISPLACED, HOST, at.authority - 2, at.path)
    if at.authority >= 0 and at.host == at.host_end and r.rules.flags & EMPTY_HOST_FORBIDDEN:
        note(r, HOST_MISSING, HOST, at.host, at.host)
    if at.host > at.authority and r.rules.flags & USERINFO_FORBIDDEN:
        note(r, USERINFO_MISPLACED, USERINFO, at.authority, at.host - 1)
    if at.path_end < at.query_end and r.rules.flags & QUERY_FORBIDDEN:
        note(r, QUERY_MISPLACED, QUERY, at.path_end + 1, at.query_end)
    if at.query_end < n and r.rules.flags & FRAGMENT_FORBIDDEN:
        note(r, FRAGMENT_MISPLACED, FRAGMENT, at.query_end + 1, n)
    # With such a violation, the grammar of the scheme is not checked.
    if r.count == count and r.rules.flags & OWN_GRAMMAR and not follows_grammar(p, n, at):
        r.left |= SCHEME_GROUP


# --- the group "deprecated"


cdef void find_deprecated(const unsigned char* p, Scan* at, Report* r) noexcept nogil:
    cdef Py_ssize_t i = at.authority
    if at.host <= at.authority:
        return
    if has_flag(r, USERINFO_DEPRECATED):
        note(r, DEPRECATED_USERINFO, USERINFO, at.authority, at.host - 1)
    while i < at.host - 1 and p[i] != c":":
        i += 1
    if i + 1 < at.host - 1:
        note(r, DEPRECATED_PASSWORD, USERINFO, i + 1, at.host - 1)


# --- the group "form"


cdef void find_in_form(const unsigned char* p, Py_ssize_t n, Scan* at, Report* r) noexcept nogil:
    """Find relative references and unregistered schemes. URIs in another form are left to Python."""
    if at.scheme_end < 0:
        note(r, RELATIVE, SCHEME, 0, 0)
    elif r.rules is &OTHER_RULES:
        note(r, UNREGISTERED_SCHEME, SCHEME, 0, at.scheme_end)
    if not is_plain(p, n, at, UNRESERVED_DECODED | UPPER, True, True, DOTS_OF_ROOTED) or (
        not is_by_rules(p, at) and not (at.authority < 0 and (r.rules is NULL or r.rules.step == GENERIC))
    ):
        r.left |= FORM_GROUP


# --- for Python


cdef inline bint is_before(Note* a, Note* b, const int8_t* ranks) noexcept nogil:
    """Return whether a finding is sorted before another one: by start, severity and end."""
    if a.start != b.start:
        return a.start < b.start
    if ranks[a.code] != ranks[b.code]:
        return ranks[a.code] < ranks[b.code]
    return a.end < b.end


cdef void sort_notes(Report* r, const int8_t* ranks) noexcept nogil:
    """Sort the findings of the groups that are done; remove those of other groups, and disabled ones.

    A disabled code has the rank -1.
    """
    cdef int k, m, count = 0
    cdef Note moved
    for k in range(r.count):
        moved = r.notes[k]
        if ranks[moved.code] < 0 or r.left & group_of(moved.code):
            continue
        m = count
        while m > 0 and is_before(&moved, &r.notes[m - 1], ranks):
            r.notes[m] = r.notes[m - 1]
            m -= 1
        r.notes[m] = moved
        count += 1
    r.count = count


cdef object new_tuple = tuple.__new__

# The settings of `check` without other arguments than a string, and the class of findings.
cdef bint usual_form = False
cdef bytes usual_ranks = None
cdef tuple usual_words = None
cdef object finding_class = None


def use_settings(kind, bint with_form, bytes ranks, tuple words, /):
    """Set the class of findings, a named tuple, and the settings of `check` without arguments.

    Args:
        kind: the class.
        with_form: whether the group "form" is enabled.
        ranks: the rank of the severity of each code in REPORTED; 255 for a disabled code.
        words: for each code in REPORTED, its severity, message, reference and suggestion.
    """
    global finding_class, usual_form, usual_ranks, usual_words
    finding_class, usual_form, usual_ranks, usual_words = kind, with_form, ranks, words


cdef list usual_findings(text):
    """Return all findings with the usual settings; `None` if Python functions must find some."""
    cdef Report r
    if not PyUnicode_CheckExact(text) or not PyUnicode_IS_ASCII(<str>text) or PyUnicode_GET_LENGTH(<str>text) > LONGEST_TEXT:
        return None
    know_schemes()
    examine(<const unsigned char*>PyUnicode_DATA(<str>text), PyUnicode_GET_LENGTH(<str>text), usual_form, &r)
    return None if r.left else finding_list(&r, usual_ranks, usual_words)


def findings(str text, bint with_form, bytes ranks, tuple words, /):
    """Return the groups of findings that the Python functions must find, as bits, and all others.

    The arguments are those of `use_settings`.
    """
    cdef Report r
    if not PyUnicode_IS_ASCII(text) or PyUnicode_GET_LENGTH(text) > LONGEST_TEXT:
        return EVERY_GROUP, []
    know_schemes()
    examine(<const unsigned char*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), with_form, &r)
    return r.left, finding_list(&r, ranks, words)


cdef list finding_list(Report* r, bytes ranks, tuple words):
    """Return findings as objects for Python."""
    cdef Note* found
    cdef int k
    cdef list result = []
    cdef tuple own
    if r.count == 0:
        return result
    sort_notes(r, <const int8_t*><const unsigned char*>ranks)
    for k in range(r.count):
        found = &r.notes[k]
        own = <tuple>words[found.code]
        reference = own[2]
        if found.code < DEPRECATED_USERINFO:
            reference = <str>scheme_references[r.rules.reference] or reference
        result.append(new_tuple(finding_class, (
            REPORTED[found.code], own[0], COMPONENTS[found.component], found.start, found.end,
            own[1], reference, own[3],
        )))
    return result
