# Whether a policy allows a URI: `uriverse._policy.judging.judge_uri`, and the patterns of `uriverse._policy.hosts` and `paths`.
#
# The kernel decides about URIs with an ASCII domain name and without findings. It leaves all others to
# the Python functions.
# Other files call `decide` and `contains_encoded`.

cdef enum:
    # The ports of a rule, if it is not a port.
    EVERY_PORT = -1
    MISSING_PORT = -2

cdef enum:
    # The kinds of the paths of a rule.
    EVERY_PATH
    ONE_PATH
    ALL_BELOW
    WITH_WILDCARDS = 4  # a flag
    PATH_KINDS = 8

cdef enum:
    # The decisions of deny rules about a host.
    DENIES_NOTHING
    DENIES_HOST
    MAY_DENY

cdef enum:
    WILDCARD = 0  # the byte that stands for a wildcard in the path of a rule

cdef struct HostEntry:
    # A domain name of a policy, or all names below a domain.
    const unsigned char* name
    Py_ssize_t n
    bint below
    uint64_t key
    int denial
    int kinds  # the kinds of the rules for some paths, as flags
    bint is_special  # whether names below this domain, and the domain itself, have a scope
    int32_t without_path  # the first rule for every path, or -1

cdef struct RuleEntry:
    # An allow rule. A list of rules ends with -1 as `next`.
    const unsigned char* scheme
    Py_ssize_t scheme_size  # 0 for every scheme
    const unsigned char* path
    Py_ssize_t path_size
    Py_ssize_t literal_size  # the number of bytes of the segments before the first one with a wildcard
    const unsigned char* query
    Py_ssize_t query_size  # -1 for every query
    uint64_t key
    int32_t host
    int32_t port
    int32_t next
    int kind

cdef struct Matches:
    # The rules that match a URI: the first one, and whether one of them is for a single host.
    int32_t first
    bint exact
    bint is_special  # whether the scope of the name may be forbidden, unless a rule contains the name
    bint denied
    bint undecided
    Py_ssize_t name  # the start of a segment that is known to be a plain name, or 0


cdef inline uint64_t stir(uint64_t key, unsigned char c) noexcept nogil:
    # FNV-1a
    return (key ^ c) * 0x100000001B3ULL


cdef inline uint64_t spread(uint64_t key) noexcept nogil:
    return key ^ key >> 32

cdef enum:
    SEED = 0x1B873593


cdef uint64_t hash_name(const unsigned char* p, Py_ssize_t n, bint below) noexcept nogil:
    """Return the hash of a name, computed from its end."""
    cdef uint64_t key = SEED
    while n > 0:
        n -= 1
        key = stir(key, p[n])
    return stir(key, below)


cdef inline uint64_t hash_path(uint64_t path, int32_t host, int kind) noexcept nogil:
    return stir(stir(path, <unsigned char>kind) + <uint64_t>host * 0x9E3779B97F4A7C15ULL, 0)


cdef class CompiledPolicy:
    """The rules and options of a policy in the form that the kernel needs.

    Args:
        hosts: for each pattern of hosts, its name, whether it matches the names below, what deny rules
            decide, and whether the names have a scope.
        rules: for each allow rule, its place in `hosts` or -1 for addresses, its
            scheme, port, kind of path, path and query; `None` if the policy allows every host.
        schemes: the allowed schemes, or `None`.
        ports: the allowed ports, or `None`.
        accepted: for each code in REPORTED, the components in which the policy or a rule may accept
            it, as bits.
        options: whether there is a base, and whether the policy allows userinfo and single labels.
    """

    cdef HostEntry* hosts
    cdef RuleEntry* rules
    cdef int32_t* host_slots
    cdef int32_t* path_slots
    cdef uint64_t host_mask, path_mask
    cdef int32_t host_count, rule_count
    cdef int deepest  # the largest number of slashes in the literal start of the paths of a rule
    cdef bint every_host, every_scheme, every_port, has_base, userinfo, single_label
    cdef unsigned char accepted[CODES_REPORTED]
    cdef list schemes, ports
    cdef unsigned char scheme_names[8][LONGEST_SCHEME + 1]
    cdef int scheme_sizes[8]
    cdef int scheme_count
    cdef int32_t port_numbers[64]
    cdef int port_count
    cdef bint is_complete  # whether the options have room here
    cdef list kept  # the octets that the entries refer to

    def __cinit__(self, list hosts, rules, schemes, ports, bytes accepted, tuple options, /):
        cdef Py_ssize_t k
        self.has_base, self.userinfo, self.single_label = options
        memcpy(self.accepted, <const unsigned char*>accepted, CODES_REPORTED)
        self.kept = []
        self.every_scheme, self.every_port = schemes is None, ports is None
        self.is_complete = len(schemes or ()) <= 8 and len(ports or ()) <= 64
        if self.is_complete:
            for name in schemes or ():
                if len(name) <= LONGEST_SCHEME:
                    self.scheme_sizes[self.scheme_count] = len(name)
                    memcpy(self.scheme_names[self.scheme_count], <const unsigned char*><bytes>name, len(name))
                    self.scheme_count += 1
            for number in ports or ():
                self.port_numbers[self.port_count] = number
                self.port_count += 1
        self.add_hosts(hosts)
        self.every_host = rules is None
        self.add_rules(rules or [])

    cdef const unsigned char* keep(self, bytes octets) except NULL:
        self.kept.append(octets)
        return octets

    cdef int add_hosts(self, list hosts) except -1:
        cdef Py_ssize_t k, slots = 8
        cdef HostEntry* one
        cdef uint64_t place
        self.host_count = <int32_t>len(hosts)
        while slots < 2 * self.host_count:
            slots *= 2
        self.host_mask = slots - 1
        self.hosts = <HostEntry*>PyMem_Malloc((self.host_count + 1) * sizeof(HostEntry))
        self.host_slots = <int32_t*>PyMem_Malloc(slots * sizeof(int32_t))
        if self.hosts is NULL or self.host_slots is NULL:
            raise MemoryError
        memset(self.host_slots, 0xFF, slots * sizeof(int32_t))
        for k in range(self.host_count):
            one = &self.hosts[k]
            name, one.below, one.denial, one.is_special = hosts[k]
            one.name, one.n = self.keep(name), len(name)
            one.without_path = -1
            one.kinds = 0
            one.key = hash_name(one.name, one.n, one.below)
            place = spread(one.key) & self.host_mask
            while self.host_slots[place] >= 0:
                place = (place + 1) & self.host_mask
            self.host_slots[place] = <int32_t>k
        return 0

    cdef int add_rules(self, list rules) except -1:
        cdef Py_ssize_t k, i, slots = 8
        cdef RuleEntry* one
        cdef int32_t* first
        cdef uint64_t place, key
        self.rule_count = <int32_t>len(rules)
        while slots < 2 * self.rule_count:
            slots *= 2
        self.path_mask = slots - 1
        self.rules = <RuleEntry*>PyMem_Malloc((self.rule_count + 1) * sizeof(RuleEntry))
        self.path_slots = <int32_t*>PyMem_Malloc(slots * sizeof(int32_t))
        if self.rules is NULL or self.path_slots is NULL:
            raise MemoryError
        memset(self.path_slots, 0xFF, slots * sizeof(int32_t))
        # Each list has its rules in the order of the policy, because the last one is added first.
        for k in reversed(range(self.rule_count)):
            one = &self.rules[k]
            one.host, scheme, one.port, one.kind, path, query = rules[k]
            one.scheme, one.scheme_size = self.keep(scheme), len(scheme)
            one.path, one.path_size = self.keep(path), len(path)
            one.query, one.query_size = self.keep(query or b""), -1 if query is None else len(query)
            one.next = -1
            one.key = 0
            if one.host < 0:
                continue
            if one.kind == EVERY_PATH:
                first = &self.hosts[one.host].without_path
            else:
                literal = path
                if one.kind & WITH_WILDCARDS:
                    literal = path[:path.rindex(b"/", 0, path.index(WILDCARD)) + 1]
                one.literal_size = len(literal)
                self.hosts[one.host].kinds |= get_index_kind(one.kind)
                key = SEED
                for i in range(one.literal_size):
                    key = stir(key, one.path[i])
                if one.kind != ONE_PATH:
                    self.deepest = max(self.deepest, literal.count(b"/"))
                one.key = hash_path(key, one.host, get_index_kind(one.kind))
                place = spread(one.key) & self.path_mask
                while self.path_slots[place] >= 0 and not is_same_path(&self.rules[self.path_slots[place]], one):
                    place = (place + 1) & self.path_mask
                first = &self.path_slots[place]
            one.next = first[0]
            first[0] = <int32_t>k
        return 0

    def __dealloc__(self):
        PyMem_Free(self.hosts)
        PyMem_Free(self.rules)
        PyMem_Free(self.host_slots)
        PyMem_Free(self.path_slots)

    def decision(self, str text, /):
        """Return the number of the rule that allows a string, or one of the other decisions."""
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
        if not PyUnicode_IS_ASCII(text):
            return IS_UNDECIDED
        if not knows_schemes:
            load_schemes()
        return decide_text(self, <const unsigned char*>PyUnicode_DATA(text), n)


cdef inline int get_index_kind(int kind) noexcept nogil:
    """Return the kind of path by which a rule is found: rules with wildcards are alike."""
    return WITH_WILDCARDS if kind & WITH_WILDCARDS else kind


cdef inline bint is_same_path(const RuleEntry* one, const RuleEntry* other) noexcept nogil:
    return (
        one.key == other.key and one.host == other.host and get_index_kind(one.kind) == get_index_kind(other.kind)
        and one.literal_size == other.literal_size and memcmp(one.path, other.path, one.literal_size) == 0
    )


cdef int32_t decide(void* policy, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Decide about an ASCII string that is followed by a NUL, given the address of a `CompiledPolicy`."""
    return decide_text(<CompiledPolicy>policy, p, n)


cdef int32_t decide_text(CompiledPolicy policy, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    """Decide about an ASCII string that is followed by a NUL.

    The string must be shorter than the longest URI that `check` examines.
    """
    cdef Report r
    cdef Scan done
    cdef Scan* at = &r.at
    cdef unsigned char out[LONGEST_DECIDED + 32]
    cdef int k, code
    if n > LONGEST_DECIDED or not policy.is_complete:
        return IS_UNDECIDED
    r.valid = r.is_plain = False
    r.first_only = True
    examine(p, n, True, False, &r)
    if not r.valid:
        return IS_REJECTED
    if not r.is_plain or r.left & (SCHEME_GROUP | AMBIGUITY_GROUP):
        return IS_UNDECIDED
    if at.scheme_end < 0:
        return IS_UNDECIDED if policy.has_base else IS_REJECTED
    if at.host < 0 or at.host == at.host_end:
        return IS_UNDECIDED
    for k in range(r.count):
        code = r.notes[k].code
        if find_group(code) & (SCHEME_GROUP | AMBIGUITY_GROUP):
            return IS_UNDECIDED if policy.accepted[code] >> r.notes[k].component & 1 else IS_REJECTED
    if at.host > at.authority:
        return IS_UNDECIDED if policy.userinfo else IS_REJECTED
    # The decoding of "%25" could lead to other findings, and "%2A" stands for the same as "*". Servers
    # may take an ellipsis for dots.
    if contains_encoded(p, at.path, n, b"\x25", 1) or contains_encoded(p, at.path, n, b"\xE2\x80\xA6", 3) or (
        contains_encoded(p, at.path, n, b"\xEF\xB8\x99", 3)
    ) or (not policy.every_host and contains_encoded(p, at.path, n, b"\x2A", 1)):
        return IS_UNDECIDED
    if r.rules is NULL or r.rules.step != GENERIC:
        return IS_UNDECIDED
    # The Python functions decide whether servers read a path inside the rule, if one may not.
    if not policy.every_host and at.path < at.path_end and (
        p[at.path_end - 1] == c"." or may_climb(p + at.path, at.path_end - at.path, out)
    ):
        return IS_UNDECIDED
    if not is_domain_name(p, at.host, at.host_end):
        return IS_UNDECIDED
    if at.path < at.path_end and simd_variant.is_normal(p, n, at):
        return decide_normal_form(policy, p, at, r.rules)
    n = normalize(p, n, at, UNRESERVED_DECODED | UPPER, True, True, DOTS_OF_ROOTED, out, &done)
    if done.path == done.path_end and r.rules.slash:
        memmove(out + done.path + 1, out + done.path, n - done.path)
        out[done.path] = c"/"
        done.path_end += 1
        done.query_end += 1
    return decide_normal_form(policy, out, &done, r.rules)


cdef int32_t decide_normal_form(CompiledPolicy policy, const unsigned char* p, Scan* at, Rules* rules) noexcept nogil:
    """Decide about a URI in normal form with a domain name."""
    cdef int32_t port = get_effective_port(p, at, rules)
    cdef Matches found
    if not policy.every_scheme and not allows_scheme(policy, p, at.scheme_end):
        return IS_REJECTED
    match_rules(policy, p, at, port, &found)
    if found.denied:
        return IS_REJECTED
    if found.undecided:
        return IS_UNDECIDED
    if not policy.every_host and found.first == policy.rule_count:
        return IS_REJECTED
    if found.is_special and not found.exact:
        return IS_UNDECIDED
    if not policy.every_port and not allows_port(policy, port):
        return IS_REJECTED
    if not (found.exact or policy.single_label or memchr(p + at.host, c".", at.host_end - at.host)):
        return IS_REJECTED
    return NO_RULE if policy.every_host else found.first


cdef bint contains_encoded(const unsigned char* p, Py_ssize_t i, Py_ssize_t end, const unsigned char* octets, int count) noexcept nogil:
    """Return whether valid components contain octets that are percent-encoded."""
    cdef const unsigned char* found
    cdef int k
    while i < end:
        found = <const unsigned char*>memchr(p + i, c"%", end - i)
        if found is NULL:
            return False
        i = found - p
        k = 0
        while k < count and is_triplet(p + i + 3 * k) and decode_triplet(p + i + 3 * k) == octets[k]:
            k += 1
        if k == count:
            return True
        i += 3
    return False


cdef bint is_domain_name(const unsigned char* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a host without findings certainly is a domain name of ASCII labels.

    `check` has a finding for each character that no domain name contains, and for empty labels.
    """
    cdef Py_ssize_t k = end - 1, start = i
    cdef const unsigned char* hyphen
    if p[i] == c"[" or end - i >= LONGEST_NAME:
        return False
    # The last label of a domain name is not a number, so a letter is near the end.
    while k >= i and not FLAGS[p[k]] & ALPHA:
        k -= 1
    if k < i:
        return False
    # A-labels, and labels that IDNA reserves, have two hyphens in a row.
    hyphen = <const unsigned char*>memchr(p + i, c"-", end - i)
    while hyphen is not NULL:
        if hyphen[1] == c"-":
            return False
        i = hyphen + 1 - p
        hyphen = <const unsigned char*>memchr(p + i, c"-", end - i)
    if end - start < LONGEST_LABEL:
        return True
    for k in range(start, end):
        if p[k] == c".":
            start = k + 1
        elif k - start >= LONGEST_LABEL:
            return False
    return True


cdef bint allows_scheme(CompiledPolicy policy, const unsigned char* p, Py_ssize_t n) noexcept nogil:
    cdef int k
    for k in range(policy.scheme_count):
        if policy.scheme_sizes[k] == n and memcmp(policy.scheme_names[k], p, n) == 0:
            return True
    return False


cdef bint allows_port(CompiledPolicy policy, int32_t port) noexcept nogil:
    cdef int k
    for k in range(policy.port_count):
        if policy.port_numbers[k] == port:
            return True
    return False


cdef int32_t get_effective_port(const unsigned char* p, Scan* at, Rules* rules) noexcept nogil:
    """Return the port of a URI without findings, or the default port of its scheme."""
    cdef Py_ssize_t i
    cdef int32_t number = 0
    if at.host_end == at.path:
        return rules.port if rules.port >= 0 else MISSING_PORT
    for i in range(at.host_end + 1, at.path):
        number = number * 10 + (p[i] - c"0")
    return number


cdef void match_rules(CompiledPolicy policy, const unsigned char* p, Scan* at, int32_t port, Matches* found) noexcept nogil:
    """Find the rules that match a URI in normal form."""
    cdef uint64_t key = SEED
    cdef Py_ssize_t i = at.host_end
    found.first = policy.rule_count
    found.exact = found.is_special = found.denied = found.undecided = False
    found.name = 0
    while i > at.host:
        i -= 1
        if p[i] == c".":
            match_host_rules(policy, stir(key, True), p, i + 1, at, True, port, found)
        key = stir(key, p[i])
    match_host_rules(policy, stir(key, False), p, at.host, at, False, port, found)


cdef void match_host_rules(
    CompiledPolicy policy, uint64_t key, const unsigned char* p, Py_ssize_t start, Scan* at, bint below,
    int32_t port, Matches* found,
) noexcept nogil:
    """Find the rules of one pattern of hosts that match a URI: that of a name, or of all names below it."""
    cdef uint64_t place = spread(key) & policy.host_mask
    cdef HostEntry* host
    cdef int32_t k
    while True:
        k = policy.host_slots[place]
        if k < 0:
            return
        host = &policy.hosts[k]
        if (
            host.key == key and host.below == below and host.n == at.host_end - start
            and memcmp(host.name, p + start, host.n) == 0
        ):
            break
        place = (place + 1) & policy.host_mask
    found.is_special |= host.is_special
    # The path of a deny rule matches all that a server may read as this path.
    found.denied |= host.denial == DENIES_HOST
    found.undecided |= host.denial == MAY_DENY
    match_rule_list(policy, host.without_path, p, at, port, found)
    if host.kinds:
        match_path_rules(policy, k, host.kinds, p, at, port, found)


cdef void match_path_rules(
    CompiledPolicy policy, int32_t host, int kinds, const unsigned char* p, Scan* at, int32_t port, Matches* found
) noexcept nogil:
    """Find the rules for a host by the path, and by each of its first directories."""
    cdef uint64_t path = SEED
    cdef Py_ssize_t i
    cdef int slashes = policy.deepest if kinds & (ALL_BELOW | WITH_WILDCARDS) else 0
    for i in range(at.path, at.path_end):
        if slashes == 0 and not kinds & ONE_PATH:
            return
        path = stir(path, p[i])
        if p[i] == c"/" and slashes > 0:
            slashes -= 1
            if kinds & ALL_BELOW:
                match_hashed_path(policy, path, host, ALL_BELOW, p, i + 1, at, port, found)
            if kinds & WITH_WILDCARDS:
                match_hashed_path(policy, path, host, WITH_WILDCARDS, p, i + 1, at, port, found)
    if kinds & ONE_PATH:
        match_hashed_path(policy, path, host, ONE_PATH, p, at.path_end, at, port, found)


cdef void match_hashed_path(
    CompiledPolicy policy, uint64_t path, int32_t host, int kind, const unsigned char* p, Py_ssize_t end,
    Scan* at, int32_t port, Matches* found,
) noexcept nogil:
    cdef uint64_t key = hash_path(path, host, kind), place = spread(key) & policy.path_mask
    cdef RuleEntry* one
    cdef int32_t k
    while True:
        k = policy.path_slots[place]
        if k < 0:
            return
        one = &policy.rules[k]
        if (
            one.key == key and one.host == host and get_index_kind(one.kind) == kind
            and one.literal_size == end - at.path and memcmp(one.path, p + at.path, one.literal_size) == 0
        ):
            match_rule_list(policy, k, p, at, port, found)
            return
        place = (place + 1) & policy.path_mask


cdef void match_rule_list(CompiledPolicy policy, int32_t k, const unsigned char* p, Scan* at, int32_t port, Matches* found) noexcept nogil:
    """Find the first rule of a list that matches a URI, and whether one of them is for a single host."""
    cdef RuleEntry* one
    cdef int is_match
    while k >= 0 and not found.undecided:
        one = &policy.rules[k]
        is_match = (
            (one.scheme_size == 0 or (one.scheme_size == at.scheme_end and memcmp(one.scheme, p, one.scheme_size) == 0))
            and (one.port == EVERY_PORT or one.port == port)
        )
        if is_match and one.query_size >= 0:
            is_match = matches_query(one, p, at)
        if is_match and one.kind & WITH_WILDCARDS:
            # Most rules differ in a literal, and comparing literals takes no time for long segments.
            is_match = matches_segments(one, p, at, NULL) and matches_segments(one, p, at, found)
        if is_match:
            found.first = min(found.first, k)
            found.exact |= not policy.hosts[one.host].below
        k = one.next


cdef bint matches_query(RuleEntry* one, const unsigned char* p, Scan* at) noexcept nogil:
    # An empty query of a rule also matches URIs without a query.
    cdef Py_ssize_t start = min(at.path_end + 1, at.query_end), n = at.query_end - start
    return n == one.query_size and memcmp(one.query, p + start, n) == 0


cdef bint matches_segments(RuleEntry* one, const unsigned char* p, Scan* at, Matches* found) noexcept nogil:
    """Return whether a path matches a pattern with wildcards; see `_matching.paths`.

    Without `found`, compare only the literal segments and the number of segments.
    """
    cdef Py_ssize_t i = 0, end, k = at.path, stop
    cdef const unsigned char* slash
    while True:
        slash = <const unsigned char*>memchr(one.path + i, c"/", one.path_size - i)
        end = one.path_size if slash is NULL else slash - one.path
        slash = <const unsigned char*>memchr(p + k, c"/", at.path_end - k)
        stop = at.path_end if slash is NULL else slash - p
        if end == i and end == one.path_size and one.kind & ALL_BELOW:
            return True  # the slash at the end of the pattern
        if memchr(one.path + i, WILDCARD, end - i) is not NULL:
            if found is not NULL and not matches_segment(one.path, i, end, p, k, stop, found):
                return False
        elif end - i != stop - k or memcmp(one.path + i, p + k, end - i) != 0:
            return False
        if end == one.path_size or stop == at.path_end:
            return end == one.path_size and stop == at.path_end
        i, k = end + 1, stop + 1


cdef bint matches_segment(
    const unsigned char* q, Py_ssize_t i, Py_ssize_t end, const unsigned char* p, Py_ssize_t k, Py_ssize_t stop,
    Matches* found,
) noexcept nogil:
    """Return whether a segment matches a segment of a pattern with wildcards.

    If a wildcard stands for other characters than those of plain names, the Python functions decide.
    """
    cdef Py_ssize_t j, piece = i, last = end
    while q[piece] != WILDCARD:
        piece += 1
    while q[last - 1] != WILDCARD:
        last -= 1
    # The first and the last piece are at the ends of the segment.
    if stop - k <= piece - i + end - last or memcmp(q + i, p + k, piece - i) != 0 or (
        memcmp(q + last, p + stop - (end - last), end - last) != 0
    ):
        return False
    if found.name != k:
        # Servers strip dots and spaces at the ends of a segment, and some take a plus sign for a space.
        found.undecided = p[k] == c"." or p[stop - 1] == c"." or p[k] == c"+" or p[stop - 1] == c"+"
        for j in range(k, stop):
            if not FLAGS[p[j]] & IN_SEGMENT or p[j] == c";" or p[j] == c"%":
                found.undecided = True
        if found.undecided:
            return False
        found.name = k
    k += piece - i + 1  # at least one character
    stop -= end - last
    # The first place of each other piece is the best one, since it leaves most characters for the others.
    while piece + 1 < last:
        i = piece + 1
        piece = i
        while q[piece] != WILDCARD:
            piece += 1
        while k + (piece - i) <= stop and memcmp(q + i, p + k, piece - i) != 0:
            k += 1
        k += piece - i + 1
        if k > stop:
            return False
    return k <= stop
