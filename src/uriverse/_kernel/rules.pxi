# Whether a policy allows a URI: `uriverse._policy.judging.judge_uri`, and the patterns of `uriverse._policy.hosts` and `paths`.
# URIs with other hosts than addresses and domain names of ASCII, or with most findings, are left to the Python
# functions.
# Other files call `decide`.

cdef enum:
    # The ports of a rule, if it is not a port.
    EVERY_PORT = -1
    MISSING_PORT = -2

cdef enum:
    # The kinds of the paths of a rule.
    EVERY_PATH, ONE_PATH, ALL_BELOW
    WITH_WILDCARDS = 4  # a flag

cdef enum:
    # The decisions of deny rules about a host.
    DENIES_NOTHING, DENIES_HOST, MAY_DENY

cdef enum:
    WILDCARD = 0  # the byte that stands for a wildcard in the path of a rule
    MOST_SCHEMES = 8  # A policy with more schemes or ports is left to Python.
    MOST_PORTS = 64
    MOST_LEVELS = 32  # the number of segments of a rule by which it is found

cdef enum:
    # The kinds of hosts: a domain name, or all names below it. For a network, the length of its prefix is added
    # to the last one.
    ONE_NAME
    NAMES_BELOW
    NETWORK

cdef enum:
    ADDRESS_SIZE = 16  # the number of bytes of an IPv6 address, and of an IPv4 address that is mapped to IPv6
    LONGEST_PREFIX = 8 * ADDRESS_SIZE

cdef struct HostEntry:
    # A domain name of a policy, all names below a domain, or a network.
    const unsigned char* name
    Py_ssize_t n
    int kind
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
    int32_t host
    int32_t port
    int32_t next
    int kind

cdef struct PathNode:
    # A node of the tree of the paths of rules for a host: a literal path, or the literal start of paths with
    # wildcards, and below that a segment. Only the literals at both ends of a segment with a wildcard count.
    # Other paths may have the same key, so the rules are compared too.
    uint64_t key
    int32_t host
    int32_t first_rule
    int32_t first_wildcard  # the first of the next nodes that are for a segment with a wildcard, or -1
    int32_t next_wildcard  # the next one with literals of other lengths
    int32_t start_size  # the lengths of these literals; -1 for a node that is in no list
    int32_t end_size
    int32_t longest  # the length of the longest next segment without a wildcard, or -1

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


cdef uint64_t hash_host(const unsigned char* text, Py_ssize_t n, int kind) noexcept nogil:
    """Return the hash of a name or a network, computed from its end."""
    cdef uint64_t key = SEED
    while n > 0:
        n -= 1
        key = stir(key, text[n])
    return stir(key, <unsigned char>kind)


cdef inline uint64_t hash_octets(uint64_t key, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        key = stir(key, text[i])
    return key


cdef uint64_t hash_ends(uint64_t key, const unsigned char* text, Py_ssize_t n, Py_ssize_t start_size, Py_ssize_t end_size) noexcept nogil:
    """Return the key after a segment with a wildcard between literals of some lengths."""
    key = stir(hash_octets(key, text, start_size), WILDCARD)
    return stir(hash_octets(key, text + n - end_size, end_size), c"/")


cdef inline uint64_t hash_path(uint64_t path, int32_t host, int kind) noexcept nogil:
    return stir(stir(path, <unsigned char>kind) + <uint64_t>host * 0x9E3779B97F4A7C15ULL, 0)


cdef class CompiledPolicy:
    """The rules and options of a policy in the form that the kernel needs.

    Args:
        hosts: for each pattern of hosts, that is its name or the first address of its network, and its kind,
            what deny rules decide.
        scoped_count: the number of those at the start of `hosts` whose names have a scope.
        rules: for each allow rule, its place in `hosts`, its scheme, port, kind of path, path and query;
            `None` if the policy allows every host.
        schemes: the allowed schemes, or `None`.
        ports: the allowed ports, or `None`.
        accepted: for each code in REPORTED, the components in which the policy or a rule may accept
            it, as bits.
        ignored: the same for the components in which a finding never matters. Below the host, it does if the
            path may be read as one that starts with a host.
        ranges: the addresses from which on the scopes of addresses are allowed, and from which on they are
            not, in turn; `None` if all scopes are allowed.
        options: whether there is a base, whether the policy allows userinfo, single labels, and hosts with
            non-ASCII characters, and whether no rule names a path or a query.
    """

    cdef HostEntry* hosts
    cdef RuleEntry* rules
    cdef int32_t* host_slots
    cdef PathNode* nodes
    cdef int32_t* node_slots
    cdef uint64_t host_mask, node_mask
    cdef int32_t host_count, rule_count, node_count
    cdef int deepest  # the largest number of slashes in the literal start of the paths of a rule
    cdef bint every_host, every_scheme, every_port, has_base, userinfo, single_label, past_ascii
    cdef bint names_only_hosts  # whether no rule names a path or a query
    cdef unsigned char accepted[CODES_REPORTED]
    cdef unsigned char ignored[CODES_REPORTED]
    cdef unsigned char prefix_lengths[LONGEST_PREFIX + 1]  # the different lengths of the prefixes of networks
    cdef int prefix_count
    cdef const unsigned char* ranges
    cdef Py_ssize_t range_count  # -1 if all scopes are allowed
    cdef list schemes, ports
    cdef unsigned char scheme_names[MOST_SCHEMES][LONGEST_SCHEME + 1]
    cdef int scheme_sizes[MOST_SCHEMES]
    cdef int scheme_count
    cdef int32_t port_numbers[MOST_PORTS]
    cdef int port_count
    cdef bint is_complete  # whether the options have room here
    cdef list kept  # the octets that the entries refer to

    def __cinit__(self, dict hosts, int scoped_count, rules, schemes, ports, bytes accepted, bytes ignored, bytes ranges, tuple options, /):
        cdef Py_ssize_t k
        self.has_base, self.userinfo, self.single_label, self.past_ascii, self.names_only_hosts = options
        memcpy(self.accepted, <const unsigned char*>accepted, CODES_REPORTED)
        memcpy(self.ignored, <const unsigned char*>ignored, CODES_REPORTED)
        self.kept = []
        self.range_count = -1
        if ranges is not None:
            self.ranges, self.range_count = self.keep(ranges), len(ranges) // ADDRESS_SIZE
        self.every_scheme, self.every_port = schemes is None, ports is None
        self.is_complete = len(schemes or ()) <= MOST_SCHEMES and len(ports or ()) <= MOST_PORTS
        if self.is_complete:
            for name in schemes or ():
                if len(name) <= LONGEST_SCHEME:
                    self.scheme_sizes[self.scheme_count] = len(name)
                    memcpy(self.scheme_names[self.scheme_count], <const unsigned char*><bytes>name, len(name))
                    self.scheme_count += 1
            for number in ports or ():
                self.port_numbers[self.port_count] = number
                self.port_count += 1
        self.add_hosts(hosts, scoped_count)
        self.every_host = rules is None
        self.add_rules(rules or [])

    cdef const unsigned char* keep(self, bytes octets) except NULL:
        self.kept.append(octets)
        return octets

    cdef int add_hosts(self, dict hosts, int scoped_count) except -1:
        cdef Py_ssize_t k, slots = 8
        cdef HostEntry* host
        cdef uint64_t slot
        self.host_count = <int32_t>len(hosts)
        while slots < 2 * self.host_count:
            slots *= 2
        self.host_mask = slots - 1
        self.hosts = <HostEntry*>PyMem_Malloc((self.host_count + 1) * sizeof(HostEntry))
        self.host_slots = <int32_t*>PyMem_Malloc(slots * sizeof(int32_t))
        if self.hosts is NULL or self.host_slots is NULL:
            raise MemoryError
        memset(self.host_slots, 0xFF, slots * sizeof(int32_t))
        for k, ((name, kind), denial) in enumerate(hosts.items()):
            host = &self.hosts[k]
            host.kind, host.denial, host.is_special = kind, denial, k < scoped_count
            host.name, host.n = self.keep(name), len(name)
            if host.kind >= NETWORK and memchr(self.prefix_lengths, host.kind - NETWORK, self.prefix_count) is NULL:
                self.prefix_lengths[self.prefix_count] = <unsigned char>(host.kind - NETWORK)
                self.prefix_count += 1
            host.without_path = -1
            host.kinds = 0
            host.key = hash_host(host.name, host.n, host.kind)
            slot = spread(host.key) & self.host_mask
            while self.host_slots[slot] >= 0:
                slot = (slot + 1) & self.host_mask
            self.host_slots[slot] = <int32_t>k
        return 0

    cdef int add_rules(self, list rules) except -1:
        cdef Py_ssize_t k, slots = 8, most_nodes = 1
        cdef RuleEntry* rule
        cdef int32_t* first
        cdef uint64_t key
        self.rule_count = <int32_t>len(rules)
        for _, _, _, kind, path, _ in rules:
            if kind != EVERY_PATH:
                most_nodes += min(path.count(b"/"), MOST_LEVELS) + 1 if kind & WITH_WILDCARDS else 1
        while slots < 2 * most_nodes:
            slots *= 2
        self.node_mask = slots - 1
        self.rules = <RuleEntry*>PyMem_Malloc((self.rule_count + 1) * sizeof(RuleEntry))
        self.nodes = <PathNode*>PyMem_Malloc(most_nodes * sizeof(PathNode))
        self.node_slots = <int32_t*>PyMem_Malloc(slots * sizeof(int32_t))
        if self.rules is NULL or self.nodes is NULL or self.node_slots is NULL:
            raise MemoryError
        memset(self.node_slots, 0xFF, slots * sizeof(int32_t))
        # Each list has its rules in the order of the policy, because the last one is added first.
        for k in reversed(range(self.rule_count)):
            rule = &self.rules[k]
            rule.host, scheme, rule.port, rule.kind, path, query = rules[k]
            rule.scheme, rule.scheme_size = self.keep(scheme), len(scheme)
            rule.path, rule.path_size = self.keep(path), len(path)
            rule.query, rule.query_size = self.keep(query or b""), -1 if query is None else len(query)
            if rule.kind == EVERY_PATH:
                first = &self.hosts[rule.host].without_path
            else:
                literal = path
                if rule.kind & WITH_WILDCARDS:
                    literal = path[:path.rindex(b"/", 0, path.index(WILDCARD)) + 1]
                rule.literal_size = len(literal)
                kind = WITH_WILDCARDS if rule.kind & WITH_WILDCARDS else rule.kind
                self.hosts[rule.host].kinds |= kind
                if rule.kind != ONE_PATH:
                    self.deepest = max(self.deepest, literal.count(b"/"))
                key = hash_path(hash_octets(SEED, rule.path, rule.literal_size), rule.host, kind)
                first = &self.nodes[self.add_segments(rule, key)].first_rule
            rule.next = first[0]
            first[0] = <int32_t>k
        return 0

    cdef int32_t get_or_add_node(self, int32_t host, uint64_t key):
        cdef int32_t* slot = find_slot(self, host, key)
        cdef PathNode* node = &self.nodes[self.node_count]
        if slot[0] >= 0:
            return slot[0]
        slot[0] = self.node_count
        node.key, node.host = key, host
        node.first_rule = node.first_wildcard = node.next_wildcard = node.start_size = node.longest = -1
        self.node_count += 1
        return self.node_count - 1

    cdef int32_t add_segments(self, const RuleEntry* rule, uint64_t key):
        """Add the nodes for the segments of a path from the first one with a wildcard on; return the last one."""
        cdef int32_t number = self.get_or_add_node(rule.host, key), other
        cdef PathNode* node
        cdef PathNode* child
        cdef Py_ssize_t i = rule.literal_size, end, n = rule.path_size - (rule.kind & ALL_BELOW) // ALL_BELOW
        cdef Py_ssize_t start_size, end_size
        cdef int level = 0
        while i < n and level < MOST_LEVELS:
            end = find_octet(rule.path, i, n, c"/")
            node = &self.nodes[number]
            start_size = find_octet(rule.path, i, end, WILDCARD) - i
            if start_size == end - i:
                node.longest = max(node.longest, <int32_t>start_size)
                number = self.get_or_add_node(rule.host, stir(hash_octets(node.key, rule.path + i, start_size), c"/"))
            else:
                end_size = 0
                while rule.path[end - end_size - 1] != WILDCARD:
                    end_size += 1
                key = hash_ends(node.key, rule.path + i, end - i, start_size, end_size)
                number = self.get_or_add_node(rule.host, key)
                other = node.first_wildcard
                while other >= 0 and (self.nodes[other].start_size != start_size or self.nodes[other].end_size != end_size):
                    other = self.nodes[other].next_wildcard
                child = &self.nodes[number]
                if other < 0 and child.start_size < 0:
                    child.start_size, child.end_size = <int32_t>start_size, <int32_t>end_size
                    child.next_wildcard, node.first_wildcard = node.first_wildcard, number
            i = end + 1
            level += 1
        return number

    def __dealloc__(self):
        PyMem_Free(self.hosts)
        PyMem_Free(self.rules)
        PyMem_Free(self.host_slots)
        PyMem_Free(self.nodes)
        PyMem_Free(self.node_slots)

    def decision(self, str text, /):
        """Return the number of the rule that allows a string, or one of the other decisions."""
        cdef Text utf8
        cdef int32_t decision
        if PyUnicode_GET_LENGTH(text) > LONGEST_DECIDED:
            return IS_UNDECIDED
        if not is_published(&knows_schemes):
            load_schemes()
        open_text(text, &utf8)
        decision = decide(<void*>self, utf8.p, utf8.n)
        close_text(&utf8)
        return decision


cdef int32_t decide(void* policy, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Decide about UTF-8 that is followed by a NUL, given the address of a `CompiledPolicy`."""
    if n > LONGEST_DECIDED or not (<CompiledPolicy>policy).is_complete:
        return IS_UNDECIDED
    return decide_uri(<CompiledPolicy>policy, text, n) if is_ascii(text, n) else decide_iri(<CompiledPolicy>policy, text, n)


cdef int32_t decide_iri(CompiledPolicy policy, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Decide about a string with non-ASCII characters: about its findings, and about the URI for it (RFC 3987, 3.1)."""
    cdef Report report
    cdef Scan bounds
    cdef Py_ssize_t i
    cdef unsigned char out[3 * LONGEST_DECIDED + 1]
    if scan(text, n, 0, &bounds) != NOTHING:
        return IS_REJECTED
    if bounds.scheme_end < 0:
        return IS_UNDECIDED if policy.has_base else IS_REJECTED
    if not policy.every_scheme and not allows_scheme(policy, text, bounds.scheme_end):
        return IS_REJECTED
    for i in range(bounds.host, bounds.host_end):
        if text[i] >= 0x80:
            return IS_UNDECIDED if policy.past_ascii else IS_REJECTED
    report.first_only = True
    examine(text, n, False, False, &report)
    if report.left & (SCHEME_GROUP | AMBIGUITY_GROUP) or find_blocking_note(policy, &report, False) != NULL:
        return IS_UNDECIDED
    # No ASCII character is added or changed but in triplets, so the components stay what they are.
    n = write_encoded(text, 0, n, ANY_ASCII, NONE, out)
    out[n] = 0
    return decide_uri(policy, out, n) if n <= LONGEST_DECIDED else IS_UNDECIDED


cdef Note* find_blocking_note(CompiledPolicy policy, Report* report, bint is_inert) noexcept nogil:
    """Return the first finding that matters to a policy, or NULL."""
    cdef Note* note
    cdef int k
    for k in range(report.count):
        note = &report.notes[k]
        if not find_group(note.code) & (SCHEME_GROUP | AMBIGUITY_GROUP):
            continue
        if (is_inert or note.component < PATH) and policy.ignored[note.code] >> note.component & 1:
            continue
        return note
    return NULL


cdef int32_t decide_uri(CompiledPolicy policy, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Decide about ASCII followed by a NUL."""
    cdef Report report
    cdef Scan normal_bounds
    cdef Scan* bounds = &report.bounds
    cdef Note* note
    cdef unsigned char out[LONGEST_DECIDED + 32]
    cdef bint is_inert
    report.valid = report.is_plain = False
    report.first_only = True
    examine(text, n, True, False, &report)
    if not report.valid:
        return IS_REJECTED
    if bounds.scheme_end >= 0 and not policy.every_scheme and not allows_scheme(policy, text, bounds.scheme_end):
        return IS_REJECTED
    if not report.is_plain or report.left & (SCHEME_GROUP | AMBIGUITY_GROUP):
        return IS_UNDECIDED
    if bounds.scheme_end < 0:
        return IS_UNDECIDED if policy.has_base else IS_REJECTED
    if bounds.host < 0 or bounds.host == bounds.host_end:
        return IS_UNDECIDED
    is_inert = policy.names_only_hosts and is_path_inert(text + bounds.path, bounds.path_end - bounds.path, out)
    note = find_blocking_note(policy, &report, is_inert)
    if note is not NULL:
        return IS_UNDECIDED if policy.accepted[note.code] >> note.component & 1 else IS_REJECTED
    if bounds.host > bounds.authority:
        return IS_UNDECIDED if policy.userinfo else IS_REJECTED
    # The decoding of "%25" could lead to other findings, and "%2A" stands for the same as "*". Servers
    # may take an ellipsis for dots.
    if not is_inert and (
        contains_encoded(text, bounds.path, n, b"\x25", 1) or contains_encoded(text, bounds.path, n, b"\xE2\x80\xA6", 3)
        or contains_encoded(text, bounds.path, n, b"\xEF\xB8\x99", 3)
        or (not policy.every_host and contains_encoded(text, bounds.path, n, b"\x2A", 1))
    ):
        return IS_UNDECIDED
    if report.rules is NULL or report.rules.step != GENERIC:
        return IS_UNDECIDED
    # The Python functions decide whether servers read a path inside the rule, if one may not.
    if not is_inert and not policy.every_host and bounds.path < bounds.path_end and (
        text[bounds.path_end - 1] == c"." or may_climb(text + bounds.path, bounds.path_end - bounds.path, out)
    ):
        return IS_UNDECIDED
    if not is_address(text, bounds) and not is_domain_name(text, bounds.host, bounds.host_end):
        return IS_UNDECIDED
    if bounds.path < bounds.path_end and simd_variant.is_normal(text, n, bounds):
        return decide_normal_form(policy, text, bounds, report.rules)
    n = normalize(text, n, bounds, UNRESERVED_DECODED | UPPER, True, True, DOTS_OF_ROOTED, out, &normal_bounds)
    if normal_bounds.path == normal_bounds.path_end and report.rules.slash:
        memmove(out + normal_bounds.path + 1, out + normal_bounds.path, n - normal_bounds.path)
        out[normal_bounds.path] = c"/"
        normal_bounds.path_end += 1
        normal_bounds.query_end += 1
    return decide_normal_form(policy, out, &normal_bounds, report.rules)


cdef bint is_path_inert(const unsigned char* text, Py_ssize_t n, unsigned char* out) noexcept nogil:
    """Return whether a path certainly has no dot segments, and no server reads two slashes at its start."""
    cdef Py_ssize_t i
    if n < 2:
        return True
    if not FLAGS[text[1]] & IN_SEGMENT or text[1] == c"%" or text[1] == c";" or text[1] == c"+":
        return False
    i = find_octet(text, 0, n, c".")
    while i < n:
        if text[i - 1] == c"/":
            return False
        i = find_octet(text, i + 1, n, c".")
    return not may_climb(text, n, out)


cdef int32_t decide_normal_form(CompiledPolicy policy, const unsigned char* text, Scan* bounds, Rules* rules) noexcept nogil:
    """Decide about a URI in normal form with a domain name."""
    cdef int32_t port = get_effective_port(text, bounds, rules)
    cdef Matches matches
    if not policy.every_scheme and not allows_scheme(policy, text, bounds.scheme_end):
        return IS_REJECTED
    if is_address(text, bounds):
        return decide_address(policy, text, bounds, port)
    match_names(policy, text, bounds, port, &matches)
    if matches.denied:
        return IS_REJECTED
    if matches.undecided:
        return IS_UNDECIDED
    if not policy.every_host and matches.first == policy.rule_count:
        return IS_REJECTED
    # Python tells whether a rule contains the special name itself.
    if matches.is_special and not matches.exact:
        return IS_UNDECIDED
    if not policy.every_port and not allows_port(policy, port):
        return IS_REJECTED
    if not (matches.exact or policy.single_label or is_registrable(text, bounds.host, bounds.host_end)):
        return IS_REJECTED
    return NO_RULE if policy.every_host else matches.first


cdef int32_t decide_address(CompiledPolicy policy, const unsigned char* text, Scan* bounds, int32_t port) noexcept nogil:
    """Decide about a URI in normal form whose host is an address, in which no other one is embedded."""
    cdef Matches matches
    cdef unsigned char address[ADDRESS_SIZE]
    cdef int size = read_address(text, bounds, address)
    cdef Py_ssize_t k = 0
    match_networks(policy, address + ADDRESS_SIZE - size, size, text, bounds, port, &matches)
    if matches.denied:
        return IS_REJECTED
    if matches.undecided:
        return IS_UNDECIDED
    if not policy.every_port and not allows_port(policy, port):
        return IS_REJECTED
    if not policy.every_host:
        # A rule for an address or a network allows it in any scope.
        return IS_REJECTED if matches.first == policy.rule_count else matches.first
    while k < policy.range_count and memcmp(policy.ranges + k * ADDRESS_SIZE, address, ADDRESS_SIZE) <= 0:
        k += 1
    return IS_REJECTED if policy.range_count >= 0 and k % 2 == 0 else NO_RULE


cdef inline bint is_address(const unsigned char* text, Scan* bounds) noexcept nogil:
    return text[bounds.host] == c"[" or has_ipv4_host(text, bounds)


cdef int read_address(const unsigned char* text, Scan* bounds, unsigned char* address) noexcept nogil:
    """Write an address in network byte order; return its size. IPv4 is mapped to IPv6 (RFC 4291, 2.5.5.2)."""
    cdef unsigned int groups[8]
    cdef unsigned int number = 0
    cdef int k = 12
    cdef Py_ssize_t i
    if text[bounds.host] == c"[":
        read_ipv6_groups(text, bounds.host, groups)
        for k in range(8):
            address[2 * k], address[2 * k + 1] = groups[k] >> 8, groups[k] & 0xFF
        return ADDRESS_SIZE
    memcpy(address, b"\0\0\0\0\0\0\0\0\0\0\xFF\xFF", 12)
    for i in range(bounds.host, bounds.host_end):
        if text[i] == c".":
            address[k] = <unsigned char>number
            number = 0
            k += 1
        else:
            number = number * 10 + (text[i] - c"0")
    address[k] = <unsigned char>number
    return 4


cdef void match_networks(
    CompiledPolicy policy, const unsigned char* address, int size, const unsigned char* text, Scan* bounds, int32_t port,
    Matches* matches,
) noexcept nogil:
    """Find the rules for an address and for the networks that contain it."""
    cdef unsigned char prefix[ADDRESS_SIZE]
    cdef int k, length
    clear_matches(policy, matches)
    for k in range(policy.prefix_count):
        length = policy.prefix_lengths[k]
        if length > 8 * size:
            continue
        memset(prefix, 0, size)
        memcpy(prefix, address, (length + 7) // 8)
        if length % 8:
            prefix[length // 8] &= 0xFF00 >> length % 8
        match_host_rules(
            policy, hash_host(prefix, size, NETWORK + length), prefix, size, NETWORK + length, text, bounds, port, matches
        )


cdef bint contains_encoded(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, const unsigned char* octets, int count) noexcept nogil:
    """Return whether valid components contain octets that are percent-encoded."""
    cdef int k
    i = find_octet(text, i, end, c"%")
    while i < end:
        k = 0
        while k < count and is_triplet(text + i + 3 * k) and decode_triplet(text + i + 3 * k) == octets[k]:
            k += 1
        if k == count:
            return True
        i = find_octet(text, i + 1, end, c"%")  # an invalid "%" may be the last octet
    return False


cdef bint is_domain_name(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a host without findings certainly is a domain name; `check` examines A-labels."""
    cdef Py_ssize_t k = end - 1, start = i
    if text[i] == c"[" or end - i >= LONGEST_NAME:
        return False
    # The last label of a domain name is not a number, so a letter is near the end.
    while k >= i and not FLAGS[text[k]] & ALPHA:
        k -= 1
    if k < i:
        return False
    if end - start < LONGEST_LABEL:
        return True
    for k in range(start, end):
        if text[k] == c".":
            start = k + 1
        elif k - start >= LONGEST_LABEL:
            return False
    return True


cdef bint is_registrable(const unsigned char* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Return whether a domain name has two labels or more, and no underscore in the last two."""
    cdef int dots = 0
    while end > start and dots < 2:
        end -= 1
        if text[end] == c"_":
            return False
        dots += text[end] == c"."
    return dots > 0


cdef bint allows_scheme(CompiledPolicy policy, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    cdef int k
    for k in range(policy.scheme_count):
        if policy.scheme_sizes[k] == n and has_prefix(text, <const char*>policy.scheme_names[k], <int>n):
            return True
    return False


cdef bint allows_port(CompiledPolicy policy, int32_t port) noexcept nogil:
    cdef int k
    for k in range(policy.port_count):
        if policy.port_numbers[k] == port:
            return True
    return False


cdef int32_t get_effective_port(const unsigned char* text, Scan* bounds, Rules* rules) noexcept nogil:
    """Return the port of a URI without findings, or the default port of its scheme."""
    cdef Py_ssize_t i
    cdef int32_t number = 0
    if bounds.host_end == bounds.path:
        return rules.port if rules.port >= 0 else MISSING_PORT
    for i in range(bounds.host_end + 1, bounds.path):
        number = number * 10 + (text[i] - c"0")
    return number


cdef void clear_matches(CompiledPolicy policy, Matches* matches) noexcept nogil:
    matches.first = policy.rule_count
    matches.exact = matches.is_special = matches.denied = matches.undecided = False
    matches.name = 0


cdef void match_names(CompiledPolicy policy, const unsigned char* text, Scan* bounds, int32_t port, Matches* matches) noexcept nogil:
    """Find the rules for a domain name, and for all names below each of its domains."""
    cdef uint64_t key = SEED
    cdef Py_ssize_t i = bounds.host_end, end = bounds.host_end
    clear_matches(policy, matches)
    while i > bounds.host:
        i -= 1
        if text[i] == c".":
            match_host_rules(policy, stir(key, NAMES_BELOW), text + i + 1, end - i - 1, NAMES_BELOW, text, bounds, port, matches)
        key = stir(key, text[i])
    match_host_rules(policy, stir(key, ONE_NAME), text + i, end - i, ONE_NAME, text, bounds, port, matches)


cdef void match_host_rules(
    CompiledPolicy policy, uint64_t key, const unsigned char* name, Py_ssize_t n, int kind,
    const unsigned char* text, Scan* bounds, int32_t port, Matches* matches,
) noexcept nogil:
    """Find the rules of one pattern of hosts that match a URI."""
    cdef uint64_t slot = spread(key) & policy.host_mask
    cdef HostEntry* host
    cdef int32_t k
    while True:
        k = policy.host_slots[slot]
        if k < 0:
            return
        host = &policy.hosts[k]
        if host.key == key and host.kind == kind and host.n == n and memcmp(host.name, name, n) == 0:
            break
        slot = (slot + 1) & policy.host_mask
    matches.is_special |= host.is_special
    # The path of a deny rule matches all that a server may read as this path.
    matches.denied |= host.denial == DENIES_HOST
    matches.undecided |= host.denial == MAY_DENY
    match_rule_list(policy, host.without_path, text, bounds, port, matches)
    if host.kinds:
        match_path_rules(policy, k, host.kinds, text, bounds, port, matches)


cdef void match_path_rules(
    CompiledPolicy policy, int32_t host, int kinds, const unsigned char* text, Scan* bounds, int32_t port, Matches* matches
) noexcept nogil:
    """Find the rules for a host by the path, and by each of its first directories."""
    cdef uint64_t path = SEED
    cdef Py_ssize_t i, end = bounds.path_end + 1
    cdef int slashes = policy.deepest if kinds & (ALL_BELOW | WITH_WILDCARDS) else 0
    for i in range(bounds.path, bounds.path_end):
        if slashes == 0 and not kinds & ONE_PATH:
            return
        path = stir(path, text[i])
        if text[i] == c"/" and slashes > 0:
            slashes -= 1
            if kinds & ALL_BELOW:
                match_node(policy, host, hash_path(path, host, ALL_BELOW), text, end, bounds, port, matches)
            if kinds & WITH_WILDCARDS:
                match_node(policy, host, hash_path(path, host, WITH_WILDCARDS), text, i + 1, bounds, port, matches)
    if kinds & ONE_PATH:
        match_node(policy, host, hash_path(path, host, ONE_PATH), text, end, bounds, port, matches)


cdef int32_t* find_slot(CompiledPolicy policy, int32_t host, uint64_t key) noexcept nogil:
    """Return the slot with the number of a node, or the one for it."""
    cdef uint64_t slot = spread(key) & policy.node_mask
    cdef int32_t k = policy.node_slots[slot]
    while k >= 0 and not (policy.nodes[k].key == key and policy.nodes[k].host == host):
        slot = (slot + 1) & policy.node_mask
        k = policy.node_slots[slot]
    return &policy.node_slots[slot]


cdef void match_node(
    CompiledPolicy policy, int32_t host, uint64_t key, const unsigned char* text, Py_ssize_t start, Scan* bounds,
    int32_t port, Matches* matches,
) noexcept nogil:
    """Find the rules of a node and of those below it, for the segments from an index on."""
    cdef int32_t k = find_slot(policy, host, key)[0]
    cdef PathNode* node
    cdef Py_ssize_t end
    cdef uint64_t next_key
    if k < 0:
        return
    node = &policy.nodes[k]
    match_rule_list(policy, node.first_rule, text, bounds, port, matches)
    if start > bounds.path_end:
        return
    end = find_octet(text, start, bounds.path_end, c"/")
    if end - start <= node.longest:
        next_key = stir(hash_octets(key, text + start, end - start), c"/")
        match_node(policy, host, next_key, text, end + 1, bounds, port, matches)
    k = node.first_wildcard
    while k >= 0:
        node = &policy.nodes[k]
        if node.start_size + node.end_size < end - start:
            next_key = hash_ends(key, text + start, end - start, node.start_size, node.end_size)
            match_node(policy, host, next_key, text, end + 1, bounds, port, matches)
        k = node.next_wildcard


cdef void match_rule_list(CompiledPolicy policy, int32_t k, const unsigned char* text, Scan* bounds, int32_t port, Matches* matches) noexcept nogil:
    """Find the first rule of a list that matches a URI, and whether one of them is for a single host."""
    cdef RuleEntry* rule
    cdef int is_match
    while k >= 0 and not matches.undecided:
        rule = &policy.rules[k]
        is_match = rule.scheme_size == 0 or (
            rule.scheme_size == bounds.scheme_end and memcmp(rule.scheme, text, rule.scheme_size) == 0
        )
        is_match = is_match and (rule.port == EVERY_PORT or rule.port == port)
        if is_match and rule.query_size >= 0:
            is_match = matches_query(rule, text, bounds)
        if is_match and rule.kind != EVERY_PATH:
            is_match = matches_path(rule, text, bounds, matches)
        if is_match:
            matches.first = min(matches.first, k)
            matches.exact |= policy.hosts[rule.host].kind == ONE_NAME
        k = rule.next


cdef bint matches_query(RuleEntry* rule, const unsigned char* text, Scan* bounds) noexcept nogil:
    # An empty query of a rule also matches URIs without a query.
    cdef Py_ssize_t start = min(bounds.path_end + 1, bounds.query_end), n = bounds.query_end - start
    return n == rule.query_size and memcmp(rule.query, text + start, n) == 0


cdef bint matches_path(RuleEntry* rule, const unsigned char* text, Scan* bounds, Matches* matches) noexcept nogil:
    cdef Py_ssize_t n = bounds.path_end - bounds.path
    if n < rule.literal_size or memcmp(rule.path, text + bounds.path, rule.literal_size) != 0:
        return False
    if not rule.kind & WITH_WILDCARDS:
        return rule.kind == ALL_BELOW or n == rule.literal_size
    # Most rules differ in a literal, and comparing literals takes no time for long segments.
    return matches_segments(rule, text, bounds, NULL) and matches_segments(rule, text, bounds, matches)


cdef bint matches_segments(RuleEntry* rule, const unsigned char* text, Scan* bounds, Matches* matches) noexcept nogil:
    """Compare a path with the pattern of a rule, from its first wildcard on, segment by segment: `_policy.paths`.

    Without `matches`, compare only literal segments and the number of segments.
    """
    cdef Py_ssize_t pattern_start = rule.literal_size, pattern_end, start = bounds.path + rule.literal_size, end
    while True:
        pattern_end = find_octet(rule.path, pattern_start, rule.path_size, c"/")
        end = find_octet(text, start, bounds.path_end, c"/")
        if pattern_end == pattern_start and pattern_end == rule.path_size and rule.kind & ALL_BELOW:
            return True  # the slash at the end of the pattern
        if contains_octet(rule.path, pattern_start, pattern_end, WILDCARD):
            if matches is not NULL and not matches_segment(rule.path, pattern_start, pattern_end, text, start, end, matches):
                return False
        elif pattern_end - pattern_start != end - start or memcmp(rule.path + pattern_start, text + start, pattern_end - pattern_start) != 0:
            return False
        if pattern_end == rule.path_size or end == bounds.path_end:
            return pattern_end == rule.path_size and end == bounds.path_end
        pattern_start, start = pattern_end + 1, end + 1


cdef bint matches_segment(
    const unsigned char* pattern, Py_ssize_t pattern_start, Py_ssize_t pattern_end, const unsigned char* text, Py_ssize_t start, Py_ssize_t end,
    Matches* matches,
) noexcept nogil:
    """Leave wildcards that stand for other characters than those of plain names to Python."""
    cdef Py_ssize_t j, piece = pattern_start, last = pattern_end
    while pattern[piece] != WILDCARD:
        piece += 1
    while pattern[last - 1] != WILDCARD:
        last -= 1
    # The first and the last piece are at the ends of the segment.
    if end - start <= piece - pattern_start + pattern_end - last or memcmp(pattern + pattern_start, text + start, piece - pattern_start) != 0 or (
        memcmp(pattern + last, text + end - (pattern_end - last), pattern_end - last) != 0
    ):
        return False
    if matches.name != start:
        # Servers strip dots and spaces at the ends of a segment, and some take a plus sign for a space.
        matches.undecided = text[start] == c"." or text[end - 1] == c"." or text[start] == c"+" or text[end - 1] == c"+"
        for j in range(start, end):
            if not FLAGS[text[j]] & IN_SEGMENT or text[j] == c";" or text[j] == c"%":
                matches.undecided = True
        if matches.undecided:
            return False
        matches.name = start
    start += piece - pattern_start + 1  # at least one character
    end -= pattern_end - last
    # The first place of each other piece is the best one, since it leaves most characters for the others.
    while piece + 1 < last:
        pattern_start = piece + 1
        piece = pattern_start
        while pattern[piece] != WILDCARD:
            piece += 1
        while start + (piece - pattern_start) <= end and memcmp(pattern + pattern_start, text + start, piece - pattern_start) != 0:
            start += 1
        start += piece - pattern_start + 1
        if start > end:
            return False
    return start <= end
