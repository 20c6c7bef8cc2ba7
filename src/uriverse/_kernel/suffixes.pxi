# The division of hosts by the rules of a list of public suffixes: the compiled counterpart of `uriverse.suffixes`.
# Hosts that need percent-decoding or Unicode normalization are left to the Python functions.
# Other files call `find_part_by_table`, `find_host_parts` and `narrow_host`.

cdef extern from "Python.h":
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4)

cdef extern from *:
    """
    #define LOWERCASE_BITS UINT64_C(0x2020202020202020)
    #define HIGH_BITS UINT64_C(0x8080808080808080)
    #define UPPER_HALF UINT64_C(0xFFFFFFFF00000000)

    /* The highest bit of a mask that is not zero. */
    static inline int highest_bit(uint64_t mask)
    {
    #ifdef __GNUC__
        return 63 - __builtin_clzll(mask);
    #else
        int index = 63;
        while (!(mask >> index & 1))
            index--;
        return index;
    #endif
    }
    #ifdef __SSE2__
    #include <emmintrin.h>
    #else
    /* The highest bits of the octets of a word, of which the other bits are zero. */
    static inline uint64_t bits_of(uint64_t word)
    {
        return ((word >> 7) * UINT64_C(0x0102040810204080)) >> 56;
    }

    /* A word with the highest bit of each octet that is equal to an ASCII character. */
    static inline uint64_t octets_equal(uint64_t word, unsigned char c)
    {
        word ^= c * UINT64_C(0x0101010101010101);
        return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word) & HIGH_BITS;
    }

    /* A word with the highest bit of each octet that is an uppercase letter. */
    static inline uint64_t uppercase_letters(uint64_t word)
    {
        uint64_t low = word & ~HIGH_BITS, once = UINT64_C(0x0101010101010101);
        return (low + (0x80 - 'A') * once) & ~(low + (0x7F - 'Z') * once) & ~word & HIGH_BITS;
    }
    #endif

    /* The dots in 32 or 64 octets, and the uppercase letters, percent signs and octets that are not ASCII. */
    static inline uint64_t dots_in(const unsigned char *p, int octets, uint64_t *others)
    {
        uint64_t dots = 0;
        *others = 0;
    #ifdef __SSE2__
        for (int k = 0; k < octets; k += 16) {
            __m128i x = _mm_loadu_si128((const __m128i *)(p + k));
            /* The addition moves the uppercase letters to the highest signed numbers. */
            __m128i upper =
                _mm_cmpgt_epi8(_mm_add_epi8(x, _mm_set1_epi8(0x7F - 'Z')), _mm_set1_epi8(0x7F - 26));
            __m128i other = _mm_or_si128(_mm_or_si128(x, upper), _mm_cmpeq_epi8(x, _mm_set1_epi8('%')));
            dots |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('.'))) << k;
            *others |= (uint64_t)_mm_movemask_epi8(other) << k;
        }
    #else
        for (int k = 0; k < octets; k += 8) {
            uint64_t word = word_at(p + k);
            uint64_t other = (word & HIGH_BITS) | octets_equal(word, '%') | uppercase_letters(word);
            dots |= bits_of(octets_equal(word, '.')) << k;
            *others |= bits_of(other) << k;
        }
    #endif
        return dots;
    }
    """
    uint64_t dots_in(const unsigned char* p, int octets, uint64_t* others) noexcept nogil
    int highest_bit(uint64_t mask) noexcept nogil
    # Bits that make letters lowercase. All other characters in rules and in hosts have this bit, except for
    # underscores, which remain unique.
    uint64_t LOWERCASE_BITS
    uint64_t UPPER_HALF

cdef enum:
    # Flags of nodes: which rules end here.
    HAS_RULE = 1
    HAS_WILDCARD = 2  # a rule that consists of a wildcard and the labels of this node
    HAS_EXCEPTION = 4
    MOST_LABELS = 15  # the largest number of labels in a rule

cdef enum:
    FILTER_OCTETS = 0x4000
    FILTER_WORDS = 0x800
    KNOWN_LABELS = 0x1000  # the size of the tables of last labels and of second labels

cdef struct LastLabel:
    # A rule's last label of at most eight octets, and the flags of its node.
    uint64_t octets
    int64_t flags

cdef struct SecondLabel:
    # A rule of two labels of at most eight octets each, to which no other rule adds labels, such as "co.uk".
    uint64_t octets, last_label

cdef struct SuffixNode:
    # A node of a trie of rules, whose labels are in reverse order.
    const unsigned char* label
    uint64_t last  # the last eight octets of the label, or all of them; see `read_last_octets`
    int32_t n  # the length of the label
    int32_t parent  # the number of the node before, or 0
    int32_t flags

cdef struct Division:
    # The parts of a host. The domain is -1 if the host is a public suffix; both are -1 if it is not a domain name.
    Py_ssize_t domain, suffix
    bint lower  # whether all letters are lowercase

cdef struct DividedHost:
    # The last host that was divided, and where the part is in it; -1 without the part.
    const unsigned char* p
    Py_ssize_t size, part, part_end
    uint64_t first_octets


cdef class SuffixTable:
    """The rules of a list of public suffixes, as a trie.

    Args:
        rules: the rules, in lower case and ASCII, with at most `MOST_LABELS` labels. Only the first label of a rule
            may be a wildcard.
    """

    cdef SuffixNode* nodes  # the first one is unused
    cdef uint64_t* slots  # a hash table: the upper half of a hash, and the number of a node
    cdef uint64_t mask  # the number of slots, which is a power of two, minus 1
    cdef uint8_t filter[FILTER_OCTETS]  # bits for the hashes of all nodes, which fit in the fastest cache
    cdef uint64_t seconds[FILTER_WORDS]  # two bits in one word for each second label of a rule
    # Most hosts end with one of a few labels, so these have a table with one entry for each hash.
    cdef LastLabel last_labels[KNOWN_LABELS]
    cdef SecondLabel second_labels[KNOWN_LABELS]
    cdef list kept  # the octets that the nodes refer to

    def __cinit__(self, tuple rules, /):
        cdef dict flags = {}
        cdef Py_ssize_t slots = 1024, k
        # For each sequence of labels, the last one first, which rules end there.
        for rule in rules:
            labels = (<str>rule).removeprefix("!").removeprefix("*.").split(".")[::-1]
            for k in range(len(labels)):
                flags.setdefault(tuple(labels[: k + 1]), 0)
            flag = HAS_EXCEPTION if (<str>rule)[0] == "!" else HAS_WILDCARD if (<str>rule)[:2] == "*." else HAS_RULE
            flags[tuple(labels)] |= flag
        # At most half of the slots are used, so most searches end at the first one.
        while slots < 2 * len(flags):
            slots *= 2
        self.mask = slots - 1
        self.slots = <uint64_t*>PyMem_Malloc(slots * sizeof(uint64_t))
        self.nodes = <SuffixNode*>PyMem_Malloc((len(flags) + 1) * sizeof(SuffixNode))
        if self.slots is NULL or self.nodes is NULL:
            raise MemoryError
        memset(self.slots, 0, slots * sizeof(uint64_t))
        self.kept = []
        longer = {labels[: len(labels) - 1] for labels in flags}
        added = {(): (0, 0)}
        for labels in sorted(flags, key=len):
            added[labels] = self.add(
                len(added), labels[len(labels) - 1].encode(), added[labels[: len(labels) - 1]], flags[labels]
            )
            self.add_known(added[labels][0], labels not in longer)

    def __dealloc__(self):
        PyMem_Free(self.slots)
        PyMem_Free(self.nodes)

    cdef tuple add(self, int32_t number, bytes label, tuple parent, int32_t flags):
        """Add a node; return its number and its hash."""
        cdef uint64_t key = hash_labels(label, 0, len(label), parent[1], False), slot = key & self.mask
        while self.slots[slot]:
            slot = (slot + 1) & self.mask
        self.slots[slot] = (key & UPPER_HALF) | number
        self.filter[key >> 50] |= 1 << (key >> 47 & 7)
        self.nodes[number] = SuffixNode(label, read_last_octets(label, 0, len(label), False), len(label), parent[0], flags)
        self.kept.append(label)
        return number, key

    cdef void add_known(self, int32_t number, bint ends) noexcept:
        """Keep the first of several nodes in one place, which is of a common suffix; no node follows if `ends`."""
        cdef SuffixNode* node = &self.nodes[number]
        cdef SuffixNode* last = &self.nodes[node.parent]
        cdef LastLabel* known
        cdef SecondLabel* pair
        cdef uint64_t second
        if node.parent == 0:
            known = &self.last_labels[get_label_slot(node.last)]
            if node.n <= 8 and known.octets == 0:
                known.octets, known.flags = node.last, node.flags
        elif last.parent == 0:
            second = hash_second_label(node.last, last.last)
            self.seconds[second >> 53] |= get_filter_bits(second)
            pair = &self.second_labels[second >> 52]
            if ends and node.flags == HAS_RULE and node.n <= 8 and last.n <= 8 and pair.octets == 0:
                pair.octets, pair.last_label = node.last, last.last


cdef object find_part_by_table(suffixes, host, int part):
    """Return a part of a host for a method of `Suffixes`; see `find_part`."""
    table = getattr(suffixes, "_table", None)
    return find_part(<SuffixTable>table, host, part) if type(table) is SuffixTable else NotImplemented


cdef object find_part(SuffixTable table, host, int part):
    """Return a part of a host; `NotImplemented` if only Python can find it."""
    cdef Division division
    cdef Py_ssize_t start = 0, end, k
    cdef const unsigned char* octets
    cdef unsigned char* out
    cdef str text, lowered
    if PyUnicode_CheckExact(host):
        text = <str>host
        end = PyUnicode_GET_LENGTH(text)
    elif is_identifier(host):
        text = <str>(<Identifier>host).held
        start, end = (<Identifier>host).host_start, (<Identifier>host).host_end
        if start < 0:
            return None
    else:
        return NotImplemented
    if not PyUnicode_IS_ASCII(text):
        return find_unicode_part(table, text[start:end], part)
    octets = <const unsigned char*>PyUnicode_DATA(text)
    if divide_host(table, octets, start, end, &division) != DONE:
        return NotImplemented
    if not narrow_to_part(part, &division, &start, &end):
        return None
    if division.lower:
        return text if start == 0 and end == PyUnicode_GET_LENGTH(text) else create_ascii(octets + start, end - start)
    lowered = PyUnicode_New(end - start, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(lowered)
    for k in range(end - start):
        out[k] = to_lower(octets[start + k])
    return lowered


cdef object find_unicode_part(SuffixTable table, str host, int part):
    """Return a part of a host that is not ASCII; `NotImplemented` if only Python can find it."""
    cdef uint32_t mapped[LONGEST_NAME + 1]  # the host as UTS 46 maps it, and a dot
    cdef unsigned char name[LONGEST_NAME + 1 + ROOM_OF_LABEL]  # the same with A-labels
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(host), length = 0, label = 0, i
    cdef uint32_t c, entry
    if n > LONGEST_NAME:
        return NotImplemented
    for i in range(n + 1):
        c = host[i] if i < n else c"."
        if is_separator(c):
            mapped[i] = c"."
            length = append_a_label(mapped + label, i - label, name, length)
            if not 0 <= length <= LONGEST_NAME:
                return NotImplemented
            name[length] = c"."
            length += 1
            label = i + 1
            continue
        if c >= 0x80:
            entry = classify_character(c)
            c = entry >> 3
            if entry & 7 == UNMAPPED_CHARACTER or Py_UNICODE_TOLOWER(c) != c:
                return NotImplemented
        if c == c"%" or (c < 0x80 and not FLAGS[c] & IN_REG_NAME):
            return NotImplemented
        mapped[i] = lower_ascii(c)
    ascii_part = find_part(table, create_ascii(name, length - 1), part)
    if ascii_part is NotImplemented or not ascii_part:
        return ascii_part
    # Both forms have the same labels.
    count = (<str>ascii_part).count(".") + 1
    labels = PyUnicode_FromKindAndData(4, mapped, n).split(".")
    return ".".join(labels[:count] if part == SUBDOMAIN_PART else labels[len(labels) - count :])


cdef Py_ssize_t append_a_label(const uint32_t* label, Py_ssize_t n, unsigned char* out, Py_ssize_t length) except -2:
    """Append a label, as an A-label if it is not ASCII; return the new length, or -1 if only Python can convert it."""
    cdef Py_ssize_t i
    if n > LONGEST_LABEL:
        return -1
    for i in range(n):
        if label[i] >= 0x80:
            return encode_a_label(label, <int>n, out, length) if is_in_nfc(label, <int>n) else -1
        out[length + i] = <unsigned char>label[i]
    return length + n


cdef void find_host_parts(void* suffixes, int part_wanted, Row* rows, Py_ssize_t count) noexcept nogil:
    """Find a part of the host of each row, if the host is simple enough; see `NOT_FOUND`."""
    cdef Division division
    cdef DividedHost last
    cdef Row* row
    cdef Py_ssize_t start, end, k
    cdef const unsigned char* host
    last.p, last.size, last.part, last.part_end, last.first_octets = NULL, -1, -1, -1, 0
    for k in range(count):
        row = &rows[k]
        start, end = row.bounds.host, row.bounds.host_end
        row.part = row.part_end = -1
        if start < 0 or row.invalid == MISSING:
            continue
        row.part = NOT_FOUND
        # Many octets are read at a time.
        if start < 7 or start + 64 > row.span.behind:
            continue
        # In sorted columns, many rows have the host of the row before.
        host = row.span.p + start
        if not is_same_host(&last, host, end - start):
            if not divide_short_host(<SuffixTable>suffixes, row.span.p, start, end, &division):
                continue
            last.p, last.size, last.part, last.first_octets = host, end - start, -1, word_at(host)
            if narrow_to_part(part_wanted, &division, &start, &end):
                last.part, last.part_end = start - row.bounds.host, end - row.bounds.host
        row.part = -1 if last.part < 0 else row.bounds.host + last.part
        row.part_end = row.bounds.host + last.part_end


cdef inline bint is_same_host(DividedHost* last, const unsigned char* host, Py_ssize_t size) noexcept nogil:
    # A single branch on the first octets and the size is easier to predict than two.
    cdef uint64_t difference = (word_at(host) ^ last.first_octets) | <uint64_t>(size - last.size)
    return difference == 0 and memcmp(host, last.p, size) == 0


cdef int narrow_host(
    void* suffixes, int part, const unsigned char* text, Py_ssize_t* start, Py_ssize_t* end, bint* lower
) noexcept nogil:
    """Narrow a host to a part; return NULL_ROW without it. `lower` tells whether all letters are lowercase."""
    cdef Division division
    cdef int status = divide_host(<SuffixTable>suffixes, text, start[0], end[0], &division)
    lower[0] = division.lower
    return NULL_ROW if status == DONE and not narrow_to_part(part, &division, start, end) else status


cdef inline bint narrow_to_part(int part, Division* division, Py_ssize_t* start, Py_ssize_t* end) noexcept nogil:
    """Change the start and the end of a host to those of a part; return whether the host has the part."""
    if division.suffix < 0 or (part != SUFFIX_PART and division.domain < 0):
        return False
    if part == SUBDOMAIN_PART:
        end[0] = division.domain - (division.domain > start[0])  # without the dot after the subdomain, if any
    else:
        start[0] = division.suffix if part == SUFFIX_PART else division.domain
    return True


cdef int divide_host(
    SuffixTable table, const unsigned char* text, Py_ssize_t start, Py_ssize_t end, Division* division
) noexcept nogil:
    """Find the parts of a host of ASCII characters; return BY_REFERENCE if only Python can find them."""
    cdef Py_ssize_t starts[MOST_LABELS + 3]
    cdef Py_ssize_t i, label_end
    cdef int32_t node = 0, flags = 0
    cdef uint64_t key = 0
    cdef int depth = 0, count = 1, exception = 0
    cdef bint searches = True, encoded = False, upper = False
    cdef unsigned char c
    division.domain = division.suffix = -1
    division.lower = False
    if end > start and text[end - 1] == c".":
        end -= 1
    i = label_end = end
    while True:
        c = text[i - 1] if i > start else c"."
        if c != c".":
            if c == c"%" or c >= 0x80:
                encoded = True
            elif not FLAGS[c] & IN_REG_NAME:
                return DONE
            upper |= c"A" <= c <= c"Z"
            i -= 1
            continue
        if i == label_end:  # an empty label
            return DONE
        depth += 1
        if depth < MOST_LABELS + 3:
            starts[depth] = i
        if searches:
            if flags & HAS_WILDCARD:
                count = depth
            node = find_next_node(table, text, i, label_end, node, &key, False)
            searches = node != 0
            if searches:
                flags = table.nodes[node].flags
                if flags & HAS_RULE:
                    count = depth
                if flags & HAS_EXCEPTION:
                    exception = depth
        if i == start:
            break
        i -= 1
        label_end = i
    if encoded:
        return BY_REFERENCE
    if FLAGS[text[starts[1]]] & DIGIT:
        # A last label of digits is a number, and perhaps another one, such as `0x1f`, is too.
        i = starts[1]
        while i < end and FLAGS[text[i]] & DIGIT:
            i += 1
        if i == end:
            return DONE
        if text[starts[1]] == c"0" and i == starts[1] + 1 and to_lower(text[i]) == c"x":
            return BY_REFERENCE
    if exception:
        count = max(exception - 1, 1)
    division.suffix = starts[count]
    division.domain = starts[count + 1] if depth > count else -1
    division.lower = not upper
    return DONE


cdef inline bint divide_short_host(
    SuffixTable table, const unsigned char* text, Py_ssize_t start, Py_ssize_t end, Division* division
) noexcept nogil:
    """Find the parts of a valid host, many octets at a time; return whether the host is simple enough.

    Such a host has up to 64 octets and no uppercase letters, and all of it is as `divide_host` expects it. The 7 octets
    before `start` and the 64 octets after it can be read.
    """
    cdef Py_ssize_t n, last, second = -1
    cdef uint64_t others, dots, inside, octets, second_octets, key
    cdef LastLabel* known
    cdef SecondLabel* pair
    division.domain = division.suffix = -1
    division.lower = True
    if end > start and text[end - 1] == c".":
        end -= 1
    n = end - start
    if not 0 < n <= 64 or text[start] == c"[":
        return False
    # Only two sizes, because a processor cannot predict lengths.
    dots = dots_in(text + start, 32, &others) if n <= 32 else dots_in(text + start, 64, &others)
    inside = ~<uint64_t>0 >> (64 - n)
    if others & inside:
        return False
    dots &= inside
    if dots & 1 or dots >> (n - 1) or dots & dots >> 1:  # an empty label
        return True
    last = start + highest_bit(dots << 1 | 1)
    if FLAGS[text[last]] & DIGIT:
        return False
    # Most hosts end with a label that only simple rules have. Most second labels are in no rule, and most others are
    # the first labels of a rule.
    octets = read_last_octets(text, last, end, True)
    known = &table.last_labels[get_label_slot(octets)]
    if known.octets != octets or end - last > 8 or known.flags & (HAS_WILDCARD | HAS_EXCEPTION):
        divide_by_labels(table, text, start, end, dots, division)
        return True
    if last > start:
        dots ^= <uint64_t>1 << (last - 1 - start)
        second = start + highest_bit(dots << 1 | 1)
        second_octets = read_last_octets(text, second, last - 1, True)
        key = hash_second_label(second_octets, octets)
        if not get_filter_bits(key) & ~table.seconds[key >> 53]:
            pair = &table.second_labels[key >> 52]
            if pair.octets != second_octets or pair.last_label != octets or last - 1 - second > 8:
                divide_by_labels(table, text, start, end, dots | <uint64_t>1 << (last - 1 - start), division)
                return True
            last, second = second, -1
            if last > start:
                second = start + highest_bit((dots ^ <uint64_t>1 << (last - 1 - start)) << 1 | 1)
    division.suffix, division.domain = last, second
    return True


cdef void divide_by_labels(
    SuffixTable table, const unsigned char* text, Py_ssize_t start, Py_ssize_t end, uint64_t dots, Division* division
) noexcept nogil:
    """Find the parts of a host whose dots are the bits of `dots`, one label after the other."""
    cdef Py_ssize_t starts[MOST_LABELS + 3]
    cdef Py_ssize_t label_end = end, label_start
    cdef uint64_t key = 0
    cdef int32_t node = 0, flags = 0
    cdef int depth = 0, count = 1, exception = 0
    cdef bint searches = True
    while True:
        label_start = start + highest_bit(dots << 1 | 1)
        depth += 1
        starts[depth] = label_start
        if searches:
            if flags & HAS_WILDCARD:
                count = depth
            node = find_next_node(table, text, label_start, label_end, node, &key, True)
            searches = node != 0
            if searches:
                flags = table.nodes[node].flags
                if flags & HAS_RULE:
                    count = depth
                if flags & HAS_EXCEPTION:
                    exception = depth
        if label_start == start or (depth > count and not searches):
            break
        label_end = label_start - 1
        dots ^= <uint64_t>1 << (label_end - start)
    if exception:
        count = max(exception - 1, 1)
    division.suffix = starts[count]
    division.domain = starts[count + 1] if depth > count else -1


cdef inline uint64_t get_label_slot(uint64_t octets) noexcept nogil:
    return octets * PRIMES[0] >> 52


cdef inline uint64_t hash_second_label(uint64_t octets, uint64_t last_label) noexcept nogil:
    """Return the hash of the last octets of a second label and of the last label."""
    return (octets ^ last_label * PRIMES[0]) * PRIMES[1]


cdef inline uint64_t get_filter_bits(uint64_t second) noexcept nogil:
    """Return the bits for a second label in its word of the filter."""
    return <uint64_t>1 << (second >> 47 & 63) | <uint64_t>1 << (second >> 41 & 63)


cdef inline int32_t find_next_node(
    SuffixTable table, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, int32_t parent, uint64_t* hashed, bint far
) noexcept nogil:
    """Return 0 without a node after the label; `far` says that seven octets or more precede the label."""
    cdef uint64_t key = hash_labels(text, i, end, hashed[0], far)
    hashed[0] = key
    # Most labels are in no rule, and end here.
    return search_node(table, text, i, end, parent, key) if table.filter[key >> 50] >> (key >> 47 & 7) & 1 else 0


cdef int32_t search_node(
    SuffixTable table, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, int32_t parent, uint64_t key
) noexcept nogil:
    """Return the number of the node with a hash, or 0."""
    cdef uint64_t slot = key & table.mask
    cdef int32_t number
    while table.slots[slot]:
        if not (table.slots[slot] ^ key) & UPPER_HALF:
            number = <int32_t>table.slots[slot]
            if table.nodes[number].parent == parent and is_label(text, i, end, &table.nodes[number]):
                return number
        slot = (slot + 1) & table.mask
    return 0


cdef inline uint64_t hash_labels(
    const unsigned char* text, Py_ssize_t i, Py_ssize_t end, uint64_t key, bint far
) noexcept nogil:
    """Hash a label and those after it, ignoring case, without their node: processors compute both at once."""
    cdef uint64_t first = read_last_octets(text, i, min(i + 8, end), far), last = read_last_octets(text, i, end, far)
    key = (rotate(key, 7) ^ last ^ rotate(first, 29) ^ <uint64_t>(end - i)) * PRIMES[1]
    return key ^ key >> 32


cdef inline bint is_label(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, SuffixNode* node) noexcept nogil:
    """Return whether a label, which may have uppercase letters, is that of a node."""
    if node.n != end - i or read_last_octets(text, i, end, False) != node.last:
        return False
    while end - i > 8:
        end -= 8
        if read_last_octets(text, i, end, False) != read_last_octets(node.label, 0, end - i, False):
            return False
    return True


cdef inline uint64_t read_last_octets(const unsigned char* text, Py_ssize_t i, Py_ssize_t end, bint far) noexcept nogil:
    """Return the last eight octets of a label, or all of them if it has fewer, in lower case."""
    cdef uint64_t word = word_at(text + end - 8) if far or end >= 8 else read_short_word(text, end)
    return (word | LOWERCASE_BITS) >> 8 * (8 - min(end - i, <Py_ssize_t>8))


cdef uint64_t read_short_word(const unsigned char* text, Py_ssize_t end) noexcept nogil:
    """Return fewer than eight octets as the highest ones of a word."""
    cdef uint64_t word = 0
    cdef Py_ssize_t k
    for k in range(end):
        word |= <uint64_t>text[k] << 8 * (8 - end + k)
    return word
