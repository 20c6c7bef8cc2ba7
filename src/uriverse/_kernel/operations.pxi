# The operations on columns: what each needs, and its functions. Its reference is the function of the same name in
# `uriverse.columns`, which computes the rows that the kernel leaves to Python.
#
# To add an operation, write its row function, and its row at the end of this file. The other files use the
# struct `Call`, in which the opener of an operation stores the options.
# Other files call `open_call`, `close_call`, `get_address`, `add`, `strings` and `number`.

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

cdef struct NormalForm:
    # The options of `normalize` in the core, and whether the rules of the scheme follow.
    int how, dots
    bint case, ipv6, scheme

cdef struct Base:
    # The base that was parsed last, and the column of all bases.
    Span s
    Scan at
    bint is_valid
    int origin  # the kind of its origin
    Py_ssize_t site  # where the site begins in its host
    Scratch copy
    void* rows  # the `Rows` of the bases, if any
    Py_ssize_t start
    bint is_single

cdef struct Call:
    # The state of a call: options, buffers and the current base. `needs` are those of the operation.
    const Operation* operation
    int needs
    NormalForm form
    int rule  # the grammar rule for `is_valid` and `parse`
    int level, allowed
    int part  # of a host
    bint strict, walk_up, domain, iri, with_form, with_choices, usernames, paths, displays, compares, expands
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
    int8_t ranks[CODES_REPORTED]  # of the severities of codes; -1 if disabled
    Scratch copy, copy2, out
    Base base
    # The policies that must all allow a row.
    void* policies[MOST_POLICIES]
    int policy_count
    void* suffixes  # the `SuffixTable`, if any
    # The templates of a router as `TemplateMatching`, the most specific first, and their names.
    void* routes[MOST_ROUTES]
    Octets route_names[MOST_ROUTES]
    int route_count

cdef enum:
    # The needs of an operation, as flags.
    BOUNDS = 1  # the bounds of each row
    VALIDITY = 2  # valid rows: the result of all others is null
    HOST_PARTS = 4  # the bounds of a part of each host
    CHANGE = 8  # rows that are not kept: its row function writes no others
    PAIRS = 16  # a second column of strings
    RULE = 32  # a scan by a grammar rule of its own

cdef enum:
    # The kinds of results.
    TEXT_RESULT
    NUMBER_RESULT
    FLAG_RESULT
    STRUCT_RESULT
    LIST_RESULT

ctypedef int (*Opener)(Call* w, tuple options) except -1
ctypedef int (*Writer)(Call* w, Span* s, Scan* at, Texts* t) noexcept nogil
ctypedef int (*Computation)(Call* w, Span* s, Scan* at, int64_t* number) noexcept nogil
ctypedef bint (*Keeper)(Call* w, Row* one) noexcept nogil

cdef struct Operation:
    int result, needs
    int field  # the part of a row that is the result; -1 for another result
    Opener open  # stores the options; NULL without any
    Writer write  # writes a string or a list
    Computation compute  # computes a number or a flag
    Keeper keeps  # tells whether the result is the row itself, or the part of its host; NULL if that is never known


# --- options


cdef int open_call(Call* w, str name, tuple options) except -1:
    """Store the options of an operation."""
    memset(w, 0, sizeof(Call))
    w.operation = &TABLE[<int>OPERATIONS[name]]
    w.needs = w.operation.needs
    w.form.how = UNRESERVED_DECODED | UPPER
    w.form.case = w.form.ipv6 = True
    w.form.dots = DOTS_OF_ROOTED
    return 0 if w.operation.open is NULL else w.operation.open(w, options)


cdef void close_call(Call* w) noexcept:
    close_text(&w.name)
    free(w.copy.p)
    free(w.copy2.p)
    free(w.out.p)
    free(w.base.copy.p)


cdef void* get_address(object value, kind) except NULL:
    """Return the address of an object of a class of the core, which the caller keeps alive."""
    if type(value) is not kind:
        raise TypeError(type(value))
    return <void*>value


cdef int open_normal_form(Call* w, tuple options) except -1:
    w.form.case, percent_encoding, dot_segments, w.form.ipv6, w.form.scheme = options
    w.form.dots = parse_dot_segments(dot_segments)
    w.form.how = UPPER if w.form.case else 0
    if percent_encoding:
        w.form.how |= UNRESERVED_DECODED | CHARACTERS_DECODED
    return 0


cdef int open_surt(Call* w, tuple options) except -1:
    w.form.scheme = True
    return 0


cdef int open_iri(Call* w, tuple options) except -1:
    w.form.how = CHARACTERS_DECODED | UPPER_PAST_ASCII
    w.form.case = w.form.ipv6 = False
    w.form.dots = DOTS_OF_NONE
    return open_domain(w, options)


cdef int open_domain(Call* w, tuple options) except -1:
    (w.domain,) = options
    return 0


cdef int open_resolution(Call* w, tuple options) except -1:
    (w.strict,) = options
    return 0


cdef int open_reference_to(Call* w, tuple options) except -1:
    (w.walk_up,) = options
    return 0


cdef int open_component(Call* w, tuple options) except -1:
    component, w.iri = options
    w.characters = get_character_class(component)
    w.allowed = UCSCHAR_OR_IPRIVATE if component == "query" else UCSCHAR
    return 0


cdef int open_rule(Call* w, tuple options) except -1:
    w.rule = parse_rule_name(options[0])
    return 0


cdef int open_level(Call* w, tuple options) except -1:
    w.level = LEVELS.index(options[0])
    w.form.scheme = w.level == BY_SCHEME
    return 0


cdef int open_codes(Call* w, tuple options) except -1:
    w.with_form, ranks = options
    memcpy(w.ranks, <const unsigned char*><bytes>ranks, CODES_REPORTED)
    return 0


cdef int open_policies(Call* w, tuple options) except -1:
    for policy in options[0]:
        w.policies[w.policy_count] = get_address(policy, CompiledPolicy)
        w.policy_count += 1
    return 0


cdef int open_repair(Call* w, tuple options) except -1:
    w.iri, scheme, slashes = options
    w.with_choices = scheme is not None or slashes
    return 0


cdef int open_redaction(Call* w, tuple options) except -1:
    load_secrets()
    w.usernames, w.paths = options
    return 0


cdef int open_display(Call* w, tuple options) except -1:
    load_secrets()
    w.displays = True
    return 0


cdef int open_prefixes(Call* w, tuple options) except -1:
    table, w.expands = options
    w.prefixes = <void*><PrefixTable?>table
    return 0


cdef int open_suffix(Call* w, tuple options) except -1:
    w.suffixes, w.part = get_address(options[0], SuffixTable), SUFFIX_PART
    return 0


cdef int open_registrable_domain(Call* w, tuple options) except -1:
    w.suffixes, w.part = get_address(options[0], SuffixTable), DOMAIN_PART
    return 0


cdef int open_subdomain(Call* w, tuple options) except -1:
    w.suffixes, w.part = get_address(options[0], SuffixTable), SUBDOMAIN_PART
    return 0


cdef int open_origins(Call* w, tuple options) except -1:
    w.compares = True
    return 0


cdef int open_sites(Call* w, tuple options) except -1:
    w.suffixes, w.compares = get_address(options[0], SuffixTable), True
    return 0


cdef int open_routes(Call* w, tuple options) except -1:
    for name, program in options[0]:
        w.route_names[w.route_count] = get_octets(name)
        w.routes[w.route_count] = get_address(program, TemplateMatching)
        w.route_count += 1
    return 0


cdef int open_names(Call* w, tuple options) except -1:
    w.kept.every = True
    return store_patterns(&w.dropped, options[0], False)


cdef int open_globs(Call* w, tuple options) except -1:
    store_patterns(&w.kept, options[0], True)
    return store_patterns(&w.dropped, options[1], True)


cdef int open_special_use(Call* w, tuple options) except -1:
    return store_domains(w, options[0])


cdef int open_scopes(Call* w, tuple options) except -1:
    store_blocks(&w.blocks[0], options[0])
    return store_blocks(&w.blocks[1], options[1])


cdef int open_param(Call* w, tuple options) except -1:
    return open_new_param(&w.new_param, options)


cdef int open_part(Call* w, tuple options) except -1:
    if options[0] is not None:
        w.new_part, w.new_size = <const unsigned char*><bytes>options[0], len(<bytes>options[0])
    return 0


cdef int open_param_name(Call* w, tuple options) except -1:
    w.name_is_text = open_name(options[0], &w.name)
    return 0


# --- rows whose result is the row itself


cdef bint keeps_encoded(Call* w, Row* one) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < one.s.n and FLAGS[one.s.p[i]] & w.characters:
        i += 1
    return i == one.s.n


cdef bint keeps_decoded(Call* w, Row* one) noexcept nogil:
    return simd_variant.is_harmless(one.s.p, one.s.n)


cdef bint keeps_redacted(Call* w, Row* one) noexcept nogil:
    return not w.paths and simd_variant.is_harmless(one.s.p, one.s.n)


cdef bint keeps_displayed(Call* w, Row* one) noexcept nogil:
    return (
        one.at.position < 0 and simd_variant.is_harmless(one.s.p, one.s.n) and is_displayed_as_written(one.s.p, one.s.n)
    )


cdef bint keeps_host_part(Call* w, Row* one) noexcept nogil:
    """Return whether `one.part` and `one.part_end` are the bounds of the result."""
    return one.part != NOT_FOUND


cdef bint keeps_normal_form(Call* w, Row* one) noexcept nogil:
    return one.at.position < 0 and is_plain(
        one.s.p, one.s.n, &one.at, w.form.how, w.form.case, w.form.ipv6, w.form.dots
    ) and (not w.form.scheme or follows_scheme_rules(one.s.p, &one.at))


cdef bint keeps_uri(Call* w, Row* one) noexcept nogil:
    return one.at.position < 0 and (not w.domain or is_as_looked_up(one.s.p, &one.at))


cdef bint keeps_iri(Call* w, Row* one) noexcept nogil:
    return one.at.position < 0 and memchr(one.s.p, c"%", one.s.n) is NULL and not (
        w.domain and contains_a_label(one.s.p, one.at.host, one.at.host_end)
    )


cdef bint keeps_repaired(Call* w, Row* one) noexcept nogil:
    """The choices of the caller never change a URI with a scheme and an authority that is not empty."""
    if one.at.position >= 0 and not w.iri:
        return False
    return not w.with_choices or (one.at.scheme_end >= 0 and 0 <= one.at.authority < one.at.path)


cdef bint keeps_query(Call* w, Row* one) noexcept nogil:
    return one.at.path_end == one.at.query_end


cdef bint keeps_userinfo(Call* w, Row* one) noexcept nogil:
    return one.at.authority < 0 or one.at.authority == one.at.host


# --- the table

cdef enum:
    MOST_OPERATIONS = 80
    VALID = BOUNDS | VALIDITY

cdef Operation TABLE[MOST_OPERATIONS]
# The operations by name, which is that of the column function, except for `replace_start`, which is for prefix maps.
OPERATIONS = {}


cdef Operation* add(str name, int result, int needs, Opener open_options) except NULL:
    cdef Operation* operation = &TABLE[len(OPERATIONS)]
    assert len(OPERATIONS) < MOST_OPERATIONS and name not in OPERATIONS
    OPERATIONS[name] = len(OPERATIONS)
    operation.result, operation.needs, operation.field, operation.open = result, needs, -1, open_options
    return operation


cdef int field(str name, int part) except -1:
    add(name, TEXT_RESULT, VALID, NULL).field = part
    return 0


cdef int string(str name, int needs, Opener open_options, Writer write, Keeper keeps) except -1:
    cdef Operation* operation = add(name, TEXT_RESULT, needs, open_options)
    operation.write, operation.keeps = write, keeps
    return 0


cdef int strings(str name, int needs, Opener open_options, Writer write) except -1:
    add(name, LIST_RESULT, needs, open_options).write = write
    return 0


cdef int number(str name, int needs, Opener open_options, Computation compute) except -1:
    add(name, NUMBER_RESULT, needs, open_options).compute = compute
    return 0


cdef int flag(str name, int needs, Opener open_options, Computation compute) except -1:
    add(name, FLAG_RESULT, needs, open_options).compute = compute
    return 0


# Without a function, the result is whether a row is valid, or the fields of all rows.
flag("is_valid", BOUNDS | RULE, open_rule, NULL)
add("parse", STRUCT_RESULT, BOUNDS | RULE, open_rule)

field("scheme", FIELD_SCHEME)
field("userinfo", FIELD_USERINFO)
field("host", FIELD_HOST)
field("host_kind", FIELD_HOST_KIND)
field("path", FIELD_PATH)
field("path_and_query", FIELD_PATH_AND_QUERY)
field("query", FIELD_QUERY)
field("fragment", FIELD_FRAGMENT)
field("without_fragment", FIELD_BEFORE_FRAGMENT)

# The needs of each, its opener, its row function, and the function that tells whether a row is its own result.
string("hostname", VALID, NULL, put_hostname, NULL)
string("reversed_host", VALID, NULL, put_reversed_host, NULL)
string("public_suffix", VALID | HOST_PARTS, open_suffix, put_suffix_part, keeps_host_part)
string("registrable_domain", VALID | HOST_PARTS, open_registrable_domain, put_suffix_part, keeps_host_part)
string("subdomain", VALID | HOST_PARTS, open_subdomain, put_suffix_part, keeps_host_part)
string("origin", VALID, NULL, put_origin, NULL)
string("surt", VALID, open_surt, put_surt, NULL)
string("ip", VALID, NULL, put_address, NULL)
string("scope", VALID, open_scopes, put_scope, NULL)
string("special_use", VALID, open_special_use, put_special_use, NULL)
string("username", VALID, NULL, put_username, NULL)
string("name", VALID, NULL, put_name, NULL)
string("suffix", VALID, NULL, put_suffix, NULL)
string("route", VALID, open_routes, put_route, NULL)
string("query_param", VALID, open_param_name, put_param, NULL)
string("normalize", VALID, open_normal_form, put_normal_form, keeps_normal_form)
string("to_uri", VALID, open_domain, put_uri, keeps_uri)
string("to_iri", VALID, open_iri, put_iri, keeps_iri)
string("display", VALID, open_display, put_displayed, keeps_displayed)
string("encode", 0, open_component, put_encoded, keeps_encoded)
string("decode", 0, NULL, put_decoded, keeps_decoded)
string("redact", 0, open_redaction, put_redacted, keeps_redacted)
string("repair", BOUNDS | CHANGE, open_repair, put_repaired, keeps_repaired)
string("replace_start", 0, open_prefixes, put_replaced, NULL)
string("resolve", VALID, open_resolution, put_target, NULL)
string("relativize", VALID, open_reference_to, put_reference, NULL)
string("without_query", VALID | CHANGE, NULL, put_without_query, keeps_query)
string("without_userinfo", VALID | CHANGE, NULL, put_without_userinfo, keeps_userinfo)
string("without_params", VALID | CHANGE, open_names, put_other_params, keeps_params)
string("filter_params", VALID | CHANGE, open_globs, put_other_params, keeps_params)
string("sorted_params", VALID | CHANGE, NULL, put_sorted_params, keeps_order)
string("with_param", VALID, open_param, put_with_param, NULL)
string("add_param", VALID, open_param, put_added_param, NULL)
string("with_scheme", VALID, open_part, put_with_scheme, NULL)
string("with_host", VALID, open_part, put_with_host, NULL)
string("with_port", VALID, open_part, put_with_port, NULL)

strings("findings", BOUNDS, open_codes, put_codes)
strings("path_segments", VALID, NULL, put_segments)
strings("param_names", VALID, NULL, put_param_names)
strings("param_values", VALID, open_param_name, put_param_values)
strings("params", VALID | PAIRS, NULL, put_first_params)
strings("query_params", VALID | PAIRS, NULL, put_params)

number("port", VALID, NULL, port_number)
number("effective_port", VALID, NULL, find_effective_port)
number("path_depth", VALID, NULL, count_segments)
number("fingerprint", VALID, open_level, fingerprint)

flag("allowed", 0, open_policies, is_allowed)
flag("is_flagged", BOUNDS, open_codes, has_codes)
flag("is_same_origin", VALID, open_origins, has_same_origin)
flag("is_same_site", VALID, open_sites, has_same_site)

# Operations with functions for whole columns.
WHOLE_COLUMNS = {"match": match_column, "expand": expand_columns}
