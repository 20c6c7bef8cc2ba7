/* Bit masks for 64 bytes of a string, a window, at a time: one bit for each byte.
 *
 * This file contains the code that differs between processors. It includes fast_scan.h, which computes
 * the bounds of components from the masks, once for each SIMD variant. Bytes after the end of a string
 * are only read if they are on the same page of memory as its last byte. Py_ssize_t must be defined
 * before this file is included: by Python.h, or by a typedef if Python is not used.
 */

#ifndef URIVERSE_WINDOW_H
#define URIVERSE_WINDOW_H

#include <stdint.h>
#include <string.h>

#include "scan.h"

/* The kinds of a byte, as flags. */
enum {
    FIT = 128,       /* allowed in a query, or "#" */
    DELIMITER = 64,  /* : / ? # @ */
    QUERY_SIGN = 32, /* ? # */
    HASH_SIGN = 16,  /* # */
    SCHEME_CHARACTER = 8,
    FIRST_OF_SCHEME = 4,
    DIGIT_CHARACTER = 2,
    HEX_CHARACTER = 1,
};

/* The kinds of each byte; 0 for non-ASCII bytes. */
static uint8_t kinds[256];

/* For the first digit of a triplet, the second ones of normal triplets, as bits at their low six bits, which
 * differ for all hexadecimal digits. */
static uint64_t normal_triplets[128];

/* Masks of a window, with the lowest bit for its first byte. Bits after the end of the string have no
 * meaning. */
typedef struct {
    uint64_t odd; /* bytes that are not FIT */
    uint64_t delimiter, query_sign, hash_sign;
    uint64_t scheme; /* of the first 16 bytes; no other bit is set */
} Window;

/* More masks, for a window that contains odd bytes. */
typedef struct {
    uint64_t percent, hex, past_ascii;
} Details;

/* Masks of the bytes that normalization may change, and of those without which nothing is redacted. */
typedef struct {
    uint64_t upper, percent, dot, slash;
    uint64_t hyphen, alphanumeric; /* no upper-case letters */
    uint64_t sign; /* @ = % & \ J, and non-ASCII bytes */
} Marks;

/* The flags of each byte below 128 for `Marks`. */
enum {
    SIGN = 128,
    UPPER_CASE = 64,
    PERCENT = 32,
    DOT = 16,
    SLASH = 8,
    HYPHEN = 4,
    ALPHANUMERIC = 2
};
static uint8_t marks[128];

#if defined(__GNUC__) && defined(__x86_64__)
#define URIVERSE_X86
#include <immintrin.h>
#elif defined(__GNUC__) && defined(__aarch64__) && !defined(__AARCH64EB__)
#define URIVERSE_NEON
#include <arm_neon.h>
#endif

#if defined(URIVERSE_X86) || defined(URIVERSE_NEON)

/* The index of the lowest bit of a mask, or 64. Neither this nor `past_end` has a branch, because a
 * processor cannot predict which strings are shorter than a window. */
#ifdef URIVERSE_X86
#define LOWEST(mask) ((Py_ssize_t)_tzcnt_u64(mask))
#else
#define LOWEST(mask) ((mask) ? __builtin_ctzll(mask) : 64)
#endif
#define RARE(condition) __builtin_expect(!!(condition), 0)

/* The bits of a window that are after the end of the string, if `n` bytes of the string remain. */
static inline uint64_t past_end(Py_ssize_t n)
{
    return ~UINT64_C(0) << (n & 63) & -(uint64_t)(n < 64);
}

/* AddressSanitizer reports each read past the end of a string, even on the same page. It gets copies. */
#ifdef __SANITIZE_ADDRESS__
#define ON_ONE_PAGE(p) 0
#else
#define ON_ONE_PAGE(p) (((uintptr_t)(p) & 4095) <= 4096 - 64)
#endif

/* Return an address at which 64 bytes can be read, of which the first `n` are those at `p`.
 *
 * That is `p` if all of them are on one page, because a page is readable as a whole. Pages have at
 * least 4096 bytes. Otherwise the bytes are copied. */
static inline const unsigned char *readable(const unsigned char *p, Py_ssize_t n,
                                            unsigned char copy[64])
{
    if (n >= 64 || ON_ONE_PAGE(p))
        return p;
    memset(copy, 0, 64);
    memcpy(copy, p, n);
    return copy;
}

/* A kind as two tables that are indexed by four bits of a byte: `rows[kind][low]` has the bit
 * `ROW[high]` if and only if the byte `high << 4 | low` is of that kind. */
enum { FIT_ROWS, DELIMITER_ROWS, SCHEME_ROWS, HEX_ROWS, SIGN_ROWS, UPPER_ROWS, NAME_ROWS, KINDS };
static uint8_t rows[KINDS][16];
static const uint8_t ROW[16] = {1, 2, 4, 8, 16, 32, 64, 128};

/* Find the bounds in an authority whose first ":" or "@" is at `i`; return its end, or -1 if unsure.
 *
 * All bytes of the authority are FIT or belong to triplets or non-ASCII characters. */
static Py_ssize_t divide(const unsigned char *p, Py_ssize_t n, Py_ssize_t i, Scan *bounds)
{
    Py_ssize_t colon = -1;
    int digits = 1;
    for (; i < n && p[i] != '/' && p[i] != '?' && p[i] != '#'; i++) {
        if (p[i] == '@') {
            if (bounds->host > bounds->authority)
                return -1;
            bounds->host = i + 1;
            colon = -1;
            digits = 1;
        } else if (colon >= 0) {
            digits &= kinds[p[i]] / DIGIT_CHARACTER;
        } else if (p[i] == ':') {
            colon = i;
        }
    }
    bounds->host_end = colon < 0 ? i : colon;
    return digits ? i : -1;
}

#endif

#ifdef URIVERSE_X86

#define TARGET __attribute__((target("avx2,bmi,bmi2")))

typedef struct {
    __m256i low, high;
} Halves;

static inline TARGET __m256i avx2_table(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

static inline TARGET Halves avx2_bytes(const unsigned char *p, Py_ssize_t n)
{
    unsigned char copy[64];
    const unsigned char *q = readable(p, n, copy);
    const Halves bytes = {_mm256_loadu_si256((const __m256i *)q),
                          _mm256_loadu_si256((const __m256i *)(q + 32))};
    return bytes;
}

static inline TARGET uint64_t avx2_mask(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline TARGET __m256i avx2_row(__m256i bytes)
{
    return _mm256_shuffle_epi8(
        avx2_table(ROW), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15)));
}

/* The bytes that are not of a kind. A non-ASCII byte has its highest bit set, for which a shuffle
 * gives 0, so it is of no kind. */
static inline TARGET __m256i avx2_not(int kind, __m256i bytes, __m256i row)
{
    const __m256i found =
        _mm256_and_si256(_mm256_shuffle_epi8(avx2_table(rows[kind]), bytes), row);
    return _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
}

static inline TARGET __m256i avx2_is(char c, __m256i bytes)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

static inline TARGET Window avx2_look(const unsigned char *p, Py_ssize_t n)
{
    const Halves bytes = avx2_bytes(p, n);
    const Halves row = {avx2_row(bytes.low), avx2_row(bytes.high)};
    Window w;
    w.odd = avx2_mask(avx2_not(FIT_ROWS, bytes.low, row.low),
                      avx2_not(FIT_ROWS, bytes.high, row.high));
    w.delimiter = ~avx2_mask(avx2_not(DELIMITER_ROWS, bytes.low, row.low),
                             avx2_not(DELIMITER_ROWS, bytes.high, row.high));
    w.scheme = (uint16_t)~_mm256_movemask_epi8(avx2_not(SCHEME_ROWS, bytes.low, row.low));
    w.hash_sign = avx2_mask(avx2_is('#', bytes.low), avx2_is('#', bytes.high));
    w.query_sign = avx2_mask(avx2_is('?', bytes.low), avx2_is('?', bytes.high)) | w.hash_sign;
    return w;
}

static inline TARGET Details avx2_details(const unsigned char *p, Py_ssize_t n)
{
    const Halves bytes = avx2_bytes(p, n);
    Details d;
    d.percent = avx2_mask(avx2_is('%', bytes.low), avx2_is('%', bytes.high));
    d.hex = ~avx2_mask(avx2_not(HEX_ROWS, bytes.low, avx2_row(bytes.low)),
                       avx2_not(HEX_ROWS, bytes.high, avx2_row(bytes.high)));
    d.past_ascii = avx2_mask(bytes.low, bytes.high);
    return d;
}

static inline TARGET Marks avx2_marks(const unsigned char *p, Py_ssize_t n)
{
    const Halves bytes = avx2_bytes(p, n);
    const Halves row = {avx2_row(bytes.low), avx2_row(bytes.high)};
    Marks m;
    m.upper = ~avx2_mask(avx2_not(UPPER_ROWS, bytes.low, row.low),
                         avx2_not(UPPER_ROWS, bytes.high, row.high));
    m.percent = avx2_mask(avx2_is('%', bytes.low), avx2_is('%', bytes.high));
    m.dot = avx2_mask(avx2_is('.', bytes.low), avx2_is('.', bytes.high));
    m.slash = avx2_mask(avx2_is('/', bytes.low), avx2_is('/', bytes.high));
    m.hyphen = avx2_mask(avx2_is('-', bytes.low), avx2_is('-', bytes.high));
    m.alphanumeric = ~avx2_mask(avx2_not(NAME_ROWS, bytes.low, row.low),
                                avx2_not(NAME_ROWS, bytes.high, row.high));
    m.sign = avx2_mask(bytes.low, bytes.high) | ~avx2_mask(avx2_not(SIGN_ROWS, bytes.low, row.low),
                                                           avx2_not(SIGN_ROWS, bytes.high, row.high));
    return m;
}

#define AS(name) avx2_##name
#include "fast_scan.h"
#undef AS
#undef TARGET

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2")))

/* The entry of a table for each byte, looked up by its low seven bits. */
static inline TARGET __m512i avx512_table(const uint8_t *table, __m512i bytes)
{
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(table), bytes,
                                    _mm512_loadu_si512(table + 64));
}

/* A masked load reads no page of which it needs no byte, but it takes longer. */
static inline TARGET __m512i avx512_bytes(const unsigned char *p, Py_ssize_t n)
{
    return RARE(!ON_ONE_PAGE(p)) ? _mm512_maskz_loadu_epi8(~past_end(n), p) : _mm512_loadu_si512(p);
}

static inline TARGET Window avx512_look(const unsigned char *p, Py_ssize_t n)
{
    const __m512i bytes = avx512_bytes(p, n);
    __m512i kind = avx512_table(kinds, bytes);
    Window w;
    w.odd = ~_mm512_movepi8_mask(_mm512_andnot_si512(bytes, kind));
    if (RARE(w.odd & ~past_end(n)))
        kind = _mm512_maskz_mov_epi8(~_mm512_movepi8_mask(bytes), kind);
    /* The flags of a kind in turn: an addition moves the next one to the highest bit. */
    kind = _mm512_add_epi8(kind, kind);
    w.delimiter = _mm512_movepi8_mask(kind);
    kind = _mm512_add_epi8(kind, kind);
    w.query_sign = _mm512_movepi8_mask(kind);
    kind = _mm512_add_epi8(kind, kind);
    w.hash_sign = _mm512_movepi8_mask(kind);
    kind = _mm512_add_epi8(kind, kind);
    w.scheme = _mm_movepi8_mask(_mm512_castsi512_si128(kind));
    return w;
}

static inline TARGET Details avx512_details(const unsigned char *p, Py_ssize_t n)
{
    const __m512i bytes = avx512_bytes(p, n);
    Details d;
    d.past_ascii = _mm512_movepi8_mask(bytes);
    d.percent = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('%'));
    d.hex = _mm512_mask_test_epi8_mask(~d.past_ascii, avx512_table(kinds, bytes),
                                       _mm512_set1_epi8(HEX_CHARACTER));
    return d;
}

static inline TARGET Marks avx512_marks(const unsigned char *p, Py_ssize_t n)
{
    const __m512i bytes = avx512_bytes(p, n);
    __m512i mark = _mm512_maskz_mov_epi8(~_mm512_movepi8_mask(bytes), avx512_table(marks, bytes));
    Marks m;
    m.sign = _mm512_movepi8_mask(_mm512_or_si512(bytes, mark));
    mark = _mm512_add_epi8(mark, mark);
    m.upper = _mm512_movepi8_mask(mark);
    mark = _mm512_add_epi8(mark, mark);
    m.percent = _mm512_movepi8_mask(mark);
    mark = _mm512_add_epi8(mark, mark);
    m.dot = _mm512_movepi8_mask(mark);
    mark = _mm512_add_epi8(mark, mark);
    m.slash = _mm512_movepi8_mask(mark);
    mark = _mm512_add_epi8(mark, mark);
    m.hyphen = _mm512_movepi8_mask(mark);
    mark = _mm512_add_epi8(mark, mark);
    m.alphanumeric = _mm512_movepi8_mask(mark);
    return m;
}

#define AS(name) avx512_##name
#include "fast_scan.h"
#undef AS
#undef TARGET

#endif

#ifdef URIVERSE_NEON

#define TARGET

typedef struct {
    uint8x16_t part[4];
} Quarters;

static inline Quarters neon_bytes(const unsigned char *p, Py_ssize_t n)
{
    unsigned char copy[64];
    const unsigned char *q = readable(p, n, copy);
    Quarters bytes;
    for (int k = 0; k < 4; k++)
        bytes.part[k] = vld1q_u8(q + 16 * k);
    return bytes;
}

static inline uint64_t neon_mask(Quarters q)
{
    static const uint8_t BITS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vld1q_u8(BITS);
    const uint8x16_t first = vpaddq_u8(vandq_u8(q.part[0], bits), vandq_u8(q.part[1], bits));
    const uint8x16_t last = vpaddq_u8(vandq_u8(q.part[2], bits), vandq_u8(q.part[3], bits));
    const uint8x16_t all = vpaddq_u8(first, last);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

/* The bytes that are of a kind. For non-ASCII bytes ROW[high] is 0, so they are of no kind. */
static inline uint64_t neon_in(int kind, Quarters bytes)
{
    Quarters found;
    for (int k = 0; k < 4; k++)
        found.part[k] = vtstq_u8(
            vqtbl1q_u8(vld1q_u8(rows[kind]), vandq_u8(bytes.part[k], vdupq_n_u8(15))),
            vqtbl1q_u8(vld1q_u8(ROW), vshrq_n_u8(bytes.part[k], 4)));
    return neon_mask(found);
}

static inline uint64_t neon_is(char c, Quarters bytes)
{
    Quarters found;
    for (int k = 0; k < 4; k++)
        found.part[k] = vceqq_u8(bytes.part[k], vdupq_n_u8(c));
    return neon_mask(found);
}

static inline Window neon_look(const unsigned char *p, Py_ssize_t n)
{
    const Quarters bytes = neon_bytes(p, n);
    Window w;
    w.odd = ~neon_in(FIT_ROWS, bytes);
    w.delimiter = neon_in(DELIMITER_ROWS, bytes);
    w.scheme = neon_in(SCHEME_ROWS, bytes) & 0xFFFF;
    w.hash_sign = neon_is('#', bytes);
    w.query_sign = neon_is('?', bytes) | w.hash_sign;
    return w;
}

static inline Details neon_details(const unsigned char *p, Py_ssize_t n)
{
    const Quarters bytes = neon_bytes(p, n);
    Quarters past_ascii;
    Details d;
    d.percent = neon_is('%', bytes);
    d.hex = neon_in(HEX_ROWS, bytes);
    for (int k = 0; k < 4; k++)
        past_ascii.part[k] = vcltzq_s8(vreinterpretq_s8_u8(bytes.part[k]));
    d.past_ascii = neon_mask(past_ascii);
    return d;
}

static inline Marks neon_marks(const unsigned char *p, Py_ssize_t n)
{
    const Quarters bytes = neon_bytes(p, n);
    Quarters past_ascii;
    Marks m;
    m.upper = neon_in(UPPER_ROWS, bytes);
    m.percent = neon_is('%', bytes);
    m.dot = neon_is('.', bytes);
    m.slash = neon_is('/', bytes);
    m.hyphen = neon_is('-', bytes);
    m.alphanumeric = neon_in(NAME_ROWS, bytes);
    for (int k = 0; k < 4; k++)
        past_ascii.part[k] = vcltzq_s8(vreinterpretq_s8_u8(bytes.part[k]));
    m.sign = neon_mask(past_ascii) | neon_in(SIGN_ROWS, bytes);
    return m;
}

#define AS(name) neon_##name
#include "fast_scan.h"
#undef AS
#undef TARGET

#endif

/* The variant for processors without an implementation above: every string is scanned byte by byte. */
static int no_fast_scan(const unsigned char *p, Py_ssize_t n, Scan *bounds)
{
    (void)p, (void)n, (void)bounds;
    return UNSURE;
}

static int no_scan_rows(Row *rows, Py_ssize_t count)
{
    for (Py_ssize_t k = 0; k < count; k++)
        rows[k].seen = UNSURE;
    return 0;
}

static int never_normal(const unsigned char *p, Py_ssize_t n, const Scan *bounds)
{
    (void)p, (void)n, (void)bounds;
    return 0;
}

static int never_harmless(const unsigned char *p, Py_ssize_t n)
{
    (void)p, (void)n;
    return 0;
}

/* All SIMD variants, the fastest first; the last is always supported. */
static SimdVariant simd_variants[] = {
#ifdef URIVERSE_X86
    {"avx512", avx512_fast_scan, avx512_scan_rows, avx512_is_normal, avx512_is_unambiguous,
     avx512_is_harmless, 0},
    {"avx2", avx2_fast_scan, avx2_scan_rows, avx2_is_normal, avx2_is_unambiguous, avx2_is_harmless,
     0},
#endif
#ifdef URIVERSE_NEON
    {"neon", neon_fast_scan, neon_scan_rows, neon_is_normal, neon_is_unambiguous, neon_is_harmless,
     1},
#endif
    {"none", no_fast_scan, no_scan_rows, never_normal, never_normal, never_harmless, 1},
};
enum { SIMD_VARIANTS = sizeof(simd_variants) / sizeof(simd_variants[0]) };

/* Complete the tables of kinds, and find out which SIMD variants this machine supports. */
static void open_windows(void)
{
    for (const char *c = ":/?#@"; *c; c++)
        kinds[(uint8_t)*c] |= DELIMITER;
    kinds['?'] |= QUERY_SIGN;
    kinds['#'] |= QUERY_SIGN | HASH_SIGN | FIT;
    for (const char *c = "@=%&\\J"; *c; c++)
        marks[(uint8_t)*c] |= SIGN;
    for (int c = 'A'; c <= 'Z'; c++) {
        marks[c] |= UPPER_CASE;
        marks[c | 0x20] |= ALPHANUMERIC;
    }
    for (int c = '0'; c <= '9'; c++)
        marks[c] |= ALPHANUMERIC;
    marks['%'] |= PERCENT;
    marks['.'] |= DOT;
    marks['/'] |= SLASH;
    marks['-'] |= HYPHEN;
#if defined(URIVERSE_X86) || defined(URIVERSE_NEON)
    static const uint8_t FLAG[KINDS] = {FIT,  DELIMITER,  SCHEME_CHARACTER, HEX_CHARACTER,
                                        SIGN, UPPER_CASE, ALPHANUMERIC};
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < 128; c++)
            if ((k < SIGN_ROWS ? kinds : marks)[c] & FLAG[k])
                rows[k][c & 15] |= ROW[c >> 4];
#endif
#ifdef URIVERSE_X86
    __builtin_cpu_init();
    simd_variants[1].is_supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
    simd_variants[0].is_supported = simd_variants[1].is_supported && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512vbmi");
#endif
}

#endif
