# The operations on columns: what each needs, and its functions. Its reference is the function of the same name in
# `uriverse.columns`, which computes the rows that the kernel leaves to Python.
#
# To add an operation, write its row function, and its row at the end of this file. The other files use the
# struct `Call`, in which the opener of an operation stores the options.
# Other files call `open_call`, `close_call` and `get_address`.

cdef enum:
    MOST_ROUTES = 64  # the largest number of templates that the kernel tries one after the other
    MOST_POLICIES = 8  # the largest number of policies, with restrictions, that the kernel applies
    MOST_PATTERNS = 64  # the largest number of names or globs of parameters that the kernel compares
    MOST_BLOCKS = 64  # the largest number of address blocks of each version of IP

cdef struct Patterns:
    # Names of parameters, or globs.
    const unsigned char* p[MOST_PATTERNS]
    Py_ssize_t n[MOST_PATTERNS]
    int count
    bint globs
    bint every  # whether one of them matches all names
    unsigned char firsts[256]  # whether a name that begins with this octet can match

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
    int triplet_flags, dots
    bint case, ipv6, scheme

cdef struct Base:
    # The base that was parsed last, and the column of all bases.
    Span span
    Scan bounds
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
    TEXT_RESULT, NUMBER_RESULT, FLAG_RESULT, STRUCT_RESULT, LIST_RESULT

ctypedef int (*Opener)(Call* call, tuple options) except -1
ctypedef int (*Writer)(Call* call, Span* span, Scan* bounds, Texts* texts) noexcept nogil
ctypedef int (*Computation)(Call* call, Span* span, Scan* bounds, int64_t* number) noexcept nogil
ctypedef bint (*Keeper)(Call* call, Row* row) noexcept nogil

cdef struct Operation:
    int result, needs
    int field  # the part of a row that is the result; -1 for another result
    Opener open  # stores the options; NULL without any
    Writer write  # writes a string or a list
    Computation compute  # computes a number or a flag
    Keeper keeps  # tells whether the result is the row itself, or the part of its host; NULL if that is never known


# --- options


cdef int open_call(Call* call, str name, tuple options) except -1:
    memset(call, 0, sizeof(Call))
    call.operation = &TABLE[<int>OPERATIONS[name]]
    call.needs = call.operation.needs
    call.form.triplet_flags = UNRESERVED_DECODED | UPPER
    call.form.case = call.form.ipv6 = True
    call.form.dots = DOTS_OF_ROOTED
    return 0 if call.operation.open is NULL else call.operation.open(call, options)


cdef void close_call(Call* call) noexcept:
    close_text(&call.name)
    free(call.copy.p)
    free(call.copy2.p)
    free(call.out.p)
    free(call.base.copy.p)


cdef void* get_address(object value, kind) except NULL:
    """Return the address of an object of a class of the core, which the caller keeps alive."""
    if type(value) is not kind:
        raise TypeError(type(value))
    return <void*>value


cdef int open_normal_form(Call* call, tuple options) except -1:
    call.form.case, percent_encoding, dot_segments, call.form.ipv6, call.form.scheme = options
    call.form.dots = parse_dot_segments(dot_segments)
    call.form.triplet_flags = UPPER if call.form.case else 0
    if percent_encoding:
        call.form.triplet_flags |= UNRESERVED_DECODED | CHARACTERS_DECODED
    return 0


cdef int open_surt(Call* call, tuple options) except -1:
    call.form.scheme = True
    return 0


cdef int open_iri(Call* call, tuple options) except -1:
    call.form.triplet_flags = CHARACTERS_DECODED | UPPER_PAST_ASCII
    call.form.case = call.form.ipv6 = False
    call.form.dots = DOTS_OF_NONE
    return open_domain(call, options)


cdef int open_domain(Call* call, tuple options) except -1:
    (call.domain,) = options
    return 0


cdef int open_resolution(Call* call, tuple options) except -1:
    (call.strict,) = options
    return 0


cdef int open_reference_to(Call* call, tuple options) except -1:
    (call.walk_up,) = options
    return 0


cdef int open_component(Call* call, tuple options) except -1:
    component, call.iri = options
    call.characters = get_character_class(component)
    call.allowed = UCSCHAR_OR_IPRIVATE if component == "query" else UCSCHAR
    return 0


cdef int open_rule(Call* call, tuple options) except -1:
    call.rule = parse_rule_name(options[0])
    return 0


cdef int open_level(Call* call, tuple options) except -1:
    call.level = LEVELS.index(options[0])
    call.form.scheme = call.level == BY_SCHEME
    return 0


cdef int open_codes(Call* call, tuple options) except -1:
    call.with_form, ranks = options
    memcpy(call.ranks, <const unsigned char*><bytes>ranks, CODES_REPORTED)
    return 0


cdef int open_policies(Call* call, tuple options) except -1:
    for policy in options[0]:
        call.policies[call.policy_count] = get_address(policy, CompiledPolicy)
        call.policy_count += 1
    return 0


cdef int open_repair(Call* call, tuple options) except -1:
    call.iri, scheme, slashes = options
    call.with_choices = scheme is not None or slashes
    return 0


cdef int open_redaction(Call* call, tuple options) except -1:
    load_secrets()
    call.usernames, call.paths = options
    return 0


cdef int open_display(Call* call, tuple options) except -1:
    load_secrets()
    call.displays = True
    return 0


cdef int open_prefixes(Call* call, tuple options) except -1:
    table, call.expands = options
    call.prefixes = <void*><PrefixTable?>table
    return 0


cdef int open_suffix(Call* call, tuple options) except -1:
    call.suffixes, call.part = get_address(options[0], SuffixTable), SUFFIX_PART
    return 0


cdef int open_registrable_domain(Call* call, tuple options) except -1:
    call.suffixes, call.part = get_address(options[0], SuffixTable), DOMAIN_PART
    return 0


cdef int open_subdomain(Call* call, tuple options) except -1:
    call.suffixes, call.part = get_address(options[0], SuffixTable), SUBDOMAIN_PART
    return 0


cdef int open_origins(Call* call, tuple options) except -1:
    call.compares = True
    return 0


cdef int open_sites(Call* call, tuple options) except -1:
    call.suffixes, call.compares = get_address(options[0], SuffixTable), True
    return 0


cdef int open_routes(Call* call, tuple options) except -1:
    for name, program in options[0]:
        call.route_names[call.route_count] = get_octets(name)
        call.routes[call.route_count] = get_address(program, TemplateMatching)
        call.route_count += 1
    return 0


cdef int open_names(Call* call, tuple options) except -1:
    call.kept.every = True
    return store_patterns(&call.dropped, options[0], False)


cdef int open_globs(Call* call, tuple options) except -1:
    store_patterns(&call.kept, options[0], True)
    return store_patterns(&call.dropped, options[1], True)


cdef int open_special_use(Call* call, tuple options) except -1:
    return store_domains(call, options[0])


cdef int open_scopes(Call* call, tuple options) except -1:
    store_blocks(&call.blocks[0], options[0])
    return store_blocks(&call.blocks[1], options[1])


cdef int open_param(Call* call, tuple options) except -1:
    return open_new_param(&call.new_param, options)


cdef int open_part(Call* call, tuple options) except -1:
    if options[0] is not None:
        call.new_part, call.new_size = <const unsigned char*><bytes>options[0], len(<bytes>options[0])
    return 0


cdef int open_param_name(Call* call, tuple options) except -1:
    call.name_is_text = open_name(options[0], &call.name)
    return 0


# --- rows whose result is the row itself


cdef bint keeps_encoded(Call* call, Row* row) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < row.span.n and FLAGS[row.span.p[i]] & call.characters:
        i += 1
    return i == row.span.n


cdef bint keeps_decoded(Call* call, Row* row) noexcept nogil:
    return simd_variant.is_harmless(row.span.p, row.span.n)


cdef bint keeps_redacted(Call* call, Row* row) noexcept nogil:
    return not call.paths and simd_variant.is_harmless(row.span.p, row.span.n)


cdef bint keeps_displayed(Call* call, Row* row) noexcept nogil:
    return (
        row.bounds.position < 0 and simd_variant.is_harmless(row.span.p, row.span.n) and is_displayed_as_written(row.span.p, row.span.n)
    )


cdef bint keeps_host_part(Call* call, Row* row) noexcept nogil:
    """Return whether `row.part` and `row.part_end` are the bounds of the result."""
    return row.part != NOT_FOUND


cdef bint keeps_normal_form(Call* call, Row* row) noexcept nogil:
    return row.bounds.position < 0 and is_plain(
        row.span.p, row.span.n, &row.bounds, call.form.triplet_flags, call.form.case, call.form.ipv6, call.form.dots
    ) and (not call.form.scheme or follows_scheme_rules(row.span.p, &row.bounds))


cdef bint keeps_uri(Call* call, Row* row) noexcept nogil:
    return row.bounds.position < 0 and (not call.domain or is_as_looked_up(row.span.p, &row.bounds))


cdef bint keeps_iri(Call* call, Row* row) noexcept nogil:
    return row.bounds.position < 0 and memchr(row.span.p, c"%", row.span.n) is NULL and not (
        call.domain and contains_a_label(row.span.p, row.bounds.host, row.bounds.host_end)
    )


cdef bint keeps_repaired(Call* call, Row* row) noexcept nogil:
    """The choices of the caller never change a URI with a scheme and an authority that is not empty."""
    if row.bounds.position >= 0 and not call.iri:
        return False
    return not call.with_choices or (row.bounds.scheme_end >= 0 and 0 <= row.bounds.authority < row.bounds.path)


cdef bint keeps_query(Call* call, Row* row) noexcept nogil:
    return row.bounds.path_end == row.bounds.query_end


cdef bint keeps_userinfo(Call* call, Row* row) noexcept nogil:
    return row.bounds.authority < 0 or row.bounds.authority == row.bounds.host


# --- the table

cdef enum:
    MOST_OPERATIONS = 80
    VALID = BOUNDS | VALIDITY

cdef Operation TABLE[MOST_OPERATIONS]
# The operations by name, which is that of the column function, except for `replace_start`, which is for prefix maps.
OPERATIONS = {}


cdef Operation* add_operation(str name, int result, int needs, Opener open_options) except NULL:
    cdef Operation* operation = &TABLE[len(OPERATIONS)]
    assert len(OPERATIONS) < MOST_OPERATIONS and name not in OPERATIONS
    OPERATIONS[name] = len(OPERATIONS)
    operation.result, operation.needs, operation.field, operation.open = result, needs, -1, open_options
    return operation


cdef int add_field(str name, int part) except -1:
    add_operation(name, TEXT_RESULT, VALID, NULL).field = part
    return 0


cdef int add_string(str name, int needs, Opener open_options, Writer write, Keeper keeps) except -1:
    cdef Operation* operation = add_operation(name, TEXT_RESULT, needs, open_options)
    operation.write, operation.keeps = write, keeps
    return 0


cdef int add_strings(str name, int needs, Opener open_options, Writer write) except -1:
    add_operation(name, LIST_RESULT, needs, open_options).write = write
    return 0


cdef int add_number(str name, int needs, Opener open_options, Computation compute) except -1:
    add_operation(name, NUMBER_RESULT, needs, open_options).compute = compute
    return 0


cdef int add_flag(str name, int needs, Opener open_options, Computation compute) except -1:
    add_operation(name, FLAG_RESULT, needs, open_options).compute = compute
    return 0


# Without a function, the result is whether a row is valid, or the fields of all rows.
add_flag("is_valid", BOUNDS | RULE, open_rule, NULL)
add_operation("parse", STRUCT_RESULT, BOUNDS | RULE, open_rule)

add_field("scheme", FIELD_SCHEME)
add_field("userinfo", FIELD_USERINFO)
add_field("host", FIELD_HOST)
add_field("host_kind", FIELD_HOST_KIND)
add_field("path", FIELD_PATH)
add_field("path_and_query", FIELD_PATH_AND_QUERY)
add_field("query", FIELD_QUERY)
add_field("fragment", FIELD_FRAGMENT)
add_field("without_fragment", FIELD_BEFORE_FRAGMENT)

# The needs of each, its opener, its row function, and the function that tells whether a row is its own result.
add_string("hostname", VALID, NULL, put_hostname, NULL)
add_string("reversed_host", VALID, NULL, put_reversed_host, NULL)
add_string("public_suffix", VALID | HOST_PARTS, open_suffix, put_suffix_part, keeps_host_part)
add_string("registrable_domain", VALID | HOST_PARTS, open_registrable_domain, put_suffix_part, keeps_host_part)
add_string("subdomain", VALID | HOST_PARTS, open_subdomain, put_suffix_part, keeps_host_part)
add_string("origin", VALID, NULL, put_origin, NULL)
add_string("surt", VALID, open_surt, put_surt, NULL)
add_string("ip", VALID, NULL, put_address, NULL)
add_string("scope", VALID, open_scopes, put_scope, NULL)
add_string("special_use", VALID, open_special_use, put_special_use, NULL)
add_string("username", VALID, NULL, put_username, NULL)
add_string("name", VALID, NULL, put_name, NULL)
add_string("suffix", VALID, NULL, put_suffix, NULL)
add_string("route", VALID, open_routes, put_route, NULL)
add_string("query_param", VALID, open_param_name, put_param, NULL)
add_string("normalize", VALID, open_normal_form, put_normal_form, keeps_normal_form)
add_string("to_uri", VALID, open_domain, put_uri, keeps_uri)
add_string("to_iri", VALID, open_iri, put_iri, keeps_iri)
add_string("display", VALID, open_display, put_displayed, keeps_displayed)
add_string("encode", 0, open_component, put_encoded, keeps_encoded)
add_string("decode", 0, NULL, put_decoded, keeps_decoded)
add_string("redact", 0, open_redaction, put_redacted, keeps_redacted)
add_string("repair", BOUNDS | CHANGE, open_repair, put_repaired, keeps_repaired)
add_string("replace_start", 0, open_prefixes, put_replaced, NULL)
add_string("resolve", VALID, open_resolution, put_target, NULL)
add_string("relativize", VALID, open_reference_to, put_reference, NULL)
add_string("without_query", VALID | CHANGE, NULL, put_without_query, keeps_query)
add_string("without_userinfo", VALID | CHANGE, NULL, put_without_userinfo, keeps_userinfo)
add_string("without_params", VALID | CHANGE, open_names, put_other_params, keeps_params)
add_string("filter_params", VALID | CHANGE, open_globs, put_other_params, keeps_params)
add_string("sorted_params", VALID | CHANGE, NULL, put_sorted_params, keeps_order)
add_string("with_param", VALID, open_param, put_with_param, NULL)
add_string("add_param", VALID, open_param, put_added_param, NULL)
add_string("with_scheme", VALID, open_part, put_with_scheme, NULL)
add_string("with_host", VALID, open_part, put_with_host, NULL)
add_string("with_port", VALID, open_part, put_with_port, NULL)

add_strings("findings", BOUNDS, open_codes, put_codes)
add_strings("path_segments", VALID, NULL, put_segments)
add_strings("param_names", VALID, NULL, put_param_names)
add_strings("param_values", VALID, open_param_name, put_param_values)
add_strings("params", VALID | PAIRS, NULL, put_first_params)
add_strings("query_params", VALID | PAIRS, NULL, put_params)

add_number("port", VALID, NULL, convert_port)
add_number("effective_port", VALID, NULL, find_effective_port)
add_number("path_depth", VALID, NULL, count_segments)
add_number("fingerprint", VALID, open_level, compute_fingerprint)

add_flag("allowed", 0, open_policies, is_allowed)
add_flag("is_flagged", BOUNDS, open_codes, has_codes)
add_flag("is_same_origin", VALID, open_origins, has_same_origin)
add_flag("is_same_site", VALID, open_sites, has_same_site)

# Operations with functions for whole columns.
WHOLE_COLUMNS = {"match": match_column, "expand": expand_columns}
