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

/* Bounds in bytes; -1 for an undefined component. `position` is that of the first violation, if any. */
typedef struct {
    Py_ssize_t scheme_end, authority, host, host_end, path, path_end, query_end;
    Py_ssize_t position;
} Scan;

/* The result of a fast scan. */
enum {
    UNSURE,     /* unknown: the string must be scanned byte by byte */
    PLAIN,      /* a valid IRI-reference that is ASCII */
    PAST_ASCII, /* a valid IRI-reference if its non-ASCII characters are allowed; `position` is that of
                 * the first one */
};

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

/* Masks of a window, with the lowest bit for its first byte. Bits after the end of the string have no
 * meaning. */
typedef struct {
    uint64_t odd; /* bytes that are not FIT */
    uint64_t delimiter, query_sign, hash_sign;
    uint64_t scheme; /* of the first 16 bytes only */
} Window;

/* More masks, for a window that contains odd bytes. */
typedef struct {
    uint64_t percent, hex, past_ascii;
} Details;

#if defined(__GNUC__) && defined(__x86_64__)
#define URIVERSE_X86
#include <immintrin.h>
#elif defined(__GNUC__) && defined(__aarch64__) && !defined(__AARCH64EB__)
#define URIVERSE_NEON
#include <arm_neon.h>
#endif

#if defined(URIVERSE_X86) || defined(URIVERSE_NEON)

#define LOWEST(mask) ((mask) ? __builtin_ctzll(mask) : 64)
#define RARE(condition) __builtin_expect(!!(condition), 0)

/* The bits of a window that are after the end of the string, if `n` bytes of the string remain. */
static inline uint64_t past_end(Py_ssize_t n)
{
    return n < 64 ? ~UINT64_C(0) << n : 0;
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
enum { FIT_ROWS, DELIMITER_ROWS, SCHEME_ROWS, HEX_ROWS, KINDS };
static uint8_t rows[KINDS][16];
static const uint8_t ROW[16] = {1, 2, 4, 8, 16, 32, 64, 128};

/* Find the bounds in an authority whose first ":" or "@" is at `i`; return its end, or -1 if unsure.
 *
 * All bytes of the authority are FIT or belong to triplets or non-ASCII characters. */
static Py_ssize_t divide(const unsigned char *p, Py_ssize_t n, Py_ssize_t i, Scan *at)
{
    Py_ssize_t colon = -1;
    int digits = 1;
    for (; i < n && p[i] != '/' && p[i] != '?' && p[i] != '#'; i++) {
        if (p[i] == '@') {
            if (at->host > at->authority)
                return -1;
            at->host = i + 1;
            colon = -1;
            digits = 1;
        } else if (colon >= 0) {
            digits &= kinds[p[i]] / DIGIT_CHARACTER;
        } else if (p[i] == ':') {
            colon = i;
        }
    }
    at->host_end = colon < 0 ? i : colon;
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
    w.scheme = ~_mm256_movemask_epi8(avx2_not(SCHEME_ROWS, bytes.low, row.low));
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

#define AS(name) avx2_##name
#include "fast_scan.h"
#undef AS
#undef TARGET

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2")))

/* The kinds of each byte, looked up by its low seven bits. */
static inline TARGET __m512i avx512_kinds(__m512i bytes)
{
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(kinds), bytes,
                                    _mm512_loadu_si512(kinds + 64));
}

static inline TARGET Window avx512_look(const unsigned char *p, Py_ssize_t n)
{
    const uint64_t past = past_end(n);
    const __m512i bytes = _mm512_maskz_loadu_epi8(~past, p);
    __m512i kind = avx512_kinds(bytes);
    Window w;
    w.odd = ~_mm512_movepi8_mask(_mm512_andnot_si512(bytes, kind));
    if (RARE(w.odd & ~past))
        kind = _mm512_maskz_mov_epi8(~_mm512_movepi8_mask(bytes), kind);
    w.scheme = _mm_test_epi8_mask(_mm512_castsi512_si128(kind), _mm_set1_epi8(SCHEME_CHARACTER));
    w.delimiter = _mm512_test_epi8_mask(kind, _mm512_set1_epi8(DELIMITER));
    w.query_sign = _mm512_test_epi8_mask(kind, _mm512_set1_epi8(QUERY_SIGN));
    w.hash_sign = _mm512_test_epi8_mask(kind, _mm512_set1_epi8(HASH_SIGN));
    return w;
}

static inline TARGET Details avx512_details(const unsigned char *p, Py_ssize_t n)
{
    const __m512i bytes = _mm512_maskz_loadu_epi8(~past_end(n), p);
    Details d;
    d.past_ascii = _mm512_movepi8_mask(bytes);
    d.percent = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('%'));
    d.hex = _mm512_mask_test_epi8_mask(~d.past_ascii, avx512_kinds(bytes),
                                       _mm512_set1_epi8(HEX_CHARACTER));
    return d;
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
    w.scheme = neon_in(SCHEME_ROWS, bytes);
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

#define AS(name) neon_##name
#include "fast_scan.h"
#undef AS
#undef TARGET

#endif

/* The variant for processors without an implementation above: every string is scanned byte by byte. */
static int no_fast_scan(const unsigned char *p, Py_ssize_t n, Scan *at)
{
    (void)p, (void)n, (void)at;
    return UNSURE;
}

/* A SIMD variant of `fast_scan`, and whether this machine supports it. */
typedef struct {
    const char *name;
    int (*fast_scan)(const unsigned char *, Py_ssize_t, Scan *);
    int there;
} SimdVariant;

/* All SIMD variants, the fastest first; the last is always supported. */
static SimdVariant simd_variants[] = {
#ifdef URIVERSE_X86
    {"avx512", avx512_fast_scan, 0},
    {"avx2", avx2_fast_scan, 0},
#endif
#ifdef URIVERSE_NEON
    {"neon", neon_fast_scan, 1},
#endif
    {"none", no_fast_scan, 1},
};
enum { SIMD_VARIANTS = sizeof(simd_variants) / sizeof(simd_variants[0]) };

/* Complete the tables of kinds, and find out which SIMD variants this machine supports. */
static void open_windows(void)
{
    for (const char *c = ":/?#@"; *c; c++)
        kinds[(uint8_t)*c] |= DELIMITER;
    kinds['?'] |= QUERY_SIGN;
    kinds['#'] |= QUERY_SIGN | HASH_SIGN | FIT;
#if defined(URIVERSE_X86) || defined(URIVERSE_NEON)
    static const uint8_t KIND[KINDS] = {FIT, DELIMITER, SCHEME_CHARACTER, HEX_CHARACTER};
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < 128; c++)
            if (kinds[c] & KIND[k])
                rows[k][c & 15] |= ROW[c >> 4];
#endif
#ifdef URIVERSE_X86
    __builtin_cpu_init();
    simd_variants[1].there = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
    simd_variants[0].there = simd_variants[1].there && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512vbmi");
#endif
}

#endif
