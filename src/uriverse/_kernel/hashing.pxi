# XXH64: `uriverse.columns._reference.xxh64`. Columns call `xxh64`, and suffixes.pxi the functions for words.
# Other files call `rotate` and `xxh64`.


cdef extern from *:
    """
    /* Reads eight octets as a little-endian word. */
    static inline uint64_t word_at(const unsigned char *p)
    {
        uint64_t word;
        memcpy(&word, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
    #endif
        return word;
    }
    """
    uint64_t word_at(const unsigned char* p) noexcept nogil


cdef uint64_t[5] PRIMES = [
    0x9E3779B185EBCA87ULL, 0xC2B2AE3D27D4EB4FULL, 0x165667B19E3779F9ULL,
    0x85EBCA77C2B2AE63ULL, 0x27D4EB2F165667C5ULL,
]


cdef inline uint64_t rotate(uint64_t word, int by) noexcept nogil:
    return word << by | word >> (64 - by)


cdef inline uint64_t mix_word(uint64_t lane, uint64_t word) noexcept nogil:
    return rotate(lane + word * PRIMES[1], 31) * PRIMES[0]


cdef uint64_t xxh64(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return the XXH64 hash with seed 0; see `columns._reference`."""
    cdef uint64_t key, word
    cdef uint64_t lanes[4]
    cdef Py_ssize_t i = 0
    cdef int k
    if n >= 32:
        lanes[0] = PRIMES[0] + PRIMES[1]
        lanes[1] = PRIMES[1]
        lanes[2] = 0
        lanes[3] = 0 - PRIMES[0]
        while i + 32 <= n:
            for k in range(4):
                lanes[k] = mix_word(lanes[k], word_at(text + i + 8 * k))
            i += 32
        key = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18)
        for k in range(4):
            key = (key ^ mix_word(0, lanes[k])) * PRIMES[0] + PRIMES[3]
    else:
        key = PRIMES[4]
    key += <uint64_t>n
    while i + 8 <= n:
        key = rotate(key ^ mix_word(0, word_at(text + i)), 27) * PRIMES[0] + PRIMES[3]
        i += 8
    if i + 4 <= n:
        word = <uint64_t>text[i] | <uint64_t>text[i + 1] << 8 | <uint64_t>text[i + 2] << 16 | <uint64_t>text[i + 3] << 24
        key = rotate(key ^ word * PRIMES[0], 23) * PRIMES[1] + PRIMES[2]
        i += 4
    while i < n:
        key = rotate(key ^ text[i] * PRIMES[4], 11) * PRIMES[0]
        i += 1
    key = (key ^ key >> 33) * PRIMES[1]
    key = (key ^ key >> 29) * PRIMES[2]
    return key ^ key >> 32
