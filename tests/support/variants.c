/* Run the SIMD variants of src/uriverse/_kernel/window.h on strings, without Python.
 *
 *     variants             print the variants for this processor, each with 1 if the machine has it
 *     variants NAME        read cases from standard input and print one line for each
 *
 * A case is a length (four bytes, little-endian) and that many bytes. The first five cases list the
 * characters of each kind: query, scheme, first of a scheme, DIGIT, HEXDIG.
 *
 * A line is "unsure", or "plain" or "past-ascii" followed by the bounds. The line ends in a remark if
 * a mask differs from the mask computed byte by byte, or if the result depends on the address of the
 * string or on the bytes around it. The strings lie between pages that cannot be read, so reading
 * past a string crashes the program.
 */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef ptrdiff_t Py_ssize_t;
#include "window.h"

/* The variant that all others are compared with: it computes the masks byte by byte. */
#ifdef URIVERSE_X86
#define TARGET __attribute__((target("bmi")))
#else
#define TARGET
#endif

static Window plain_look(const unsigned char *p, Py_ssize_t n)
{
    Window w = {0, 0, 0, 0, 0};
    for (int k = 0; k < 64 && k < n; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        const uint8_t kind = kinds[p[k]];
        w.odd |= kind & FIT ? 0 : bit;
        w.delimiter |= kind & DELIMITER ? bit : 0;
        w.query_sign |= kind & QUERY_SIGN ? bit : 0;
        w.hash_sign |= kind & HASH_SIGN ? bit : 0;
        w.scheme |= kind & SCHEME_CHARACTER && k < 16 ? bit : 0; /* see `Window` */
    }
    return w;
}

static Details plain_details(const unsigned char *p, Py_ssize_t n)
{
    Details d = {0, 0, 0};
    for (int k = 0; k < 64 && k < n; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        d.percent |= p[k] == '%' ? bit : 0;
        d.hex |= kinds[p[k]] & HEX_CHARACTER ? bit : 0;
        d.past_ascii |= p[k] >= 0x80 ? bit : 0;
    }
    return d;
}

static Marks plain_marks(const unsigned char *p, Py_ssize_t n)
{
    Marks m = {0, 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < 64 && k < n; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        m.upper |= p[k] >= 'A' && p[k] <= 'Z' ? bit : 0;
        m.percent |= p[k] == '%' ? bit : 0;
        m.dot |= p[k] == '.' ? bit : 0;
        m.slash |= p[k] == '/' ? bit : 0;
        m.hyphen |= p[k] == '-' ? bit : 0;
        m.alphanumeric |= (p[k] >= 'a' && p[k] <= 'z') || (p[k] >= '0' && p[k] <= '9') ? bit : 0;
        m.sign |= p[k] >= 0x80 || (p[k] && strchr("@=%&\\J", p[k])) ? bit : 0;
    }
    return m;
}

#define AS(name) plain_##name
#include "fast_scan.h"

typedef struct {
    const char *name;
    int (*fast_scan)(const unsigned char *, Py_ssize_t, Scan *);
    Window (*look)(const unsigned char *, Py_ssize_t);
    Details (*details)(const unsigned char *, Py_ssize_t);
    Marks (*marks)(const unsigned char *, Py_ssize_t);
    int (*scan_rows)(Row *, Py_ssize_t);
    int (*is_normal)(const unsigned char *, Py_ssize_t, const Scan *);
    int (*is_unambiguous)(const unsigned char *, Py_ssize_t, const Scan *);
    int (*is_harmless)(const unsigned char *, Py_ssize_t);
} Variant;

#define VARIANT(name)                                                                              \
    {#name,        name##_fast_scan, name##_look,      name##_details,                             \
     name##_marks, name##_scan_rows, name##_is_normal, name##_is_unambiguous,                      \
     name##_is_harmless}
static const Variant variants[] = {
    VARIANT(plain),
#ifdef URIVERSE_X86
    VARIANT(avx512),
    VARIANT(avx2),
#endif
#ifdef URIVERSE_NEON
    VARIANT(neon),
#endif
};

/* The result of a variant for a string; the bounds are meaningless if the variant is unsure. */
typedef struct {
    int said;
    Scan at;
    int normal, unambiguous, harmless;
} Answer;

static Answer answer(const Variant *variant, const unsigned char *p, Py_ssize_t n)
{
    Answer found = {UNSURE, {0, 0, 0, 0, 0, 0, 0, -1}, 0, 0, variant->is_harmless(p, n)};
    Row row = {.span = {.p = p, .n = n}};
    const int plain = variant->scan_rows(&row, 1);
    if (row.seen != variant->fast_scan(p, n, &found.at) || plain != (row.seen == PLAIN))
        exit(3);
    if (row.seen == UNSURE) {
        memset(&found.at, 0, sizeof found.at);
        return found;
    }
    if (memcmp(&row.bounds, &found.at, sizeof found.at))
        exit(3);
    found.said = row.seen;
    found.normal = variant->is_normal(p, n, &found.at);
    found.unambiguous = variant->is_unambiguous(p, n, &found.at);
    return found;
}

/* Return whether all masks of all windows equal those computed byte by byte. */
static int right_masks(const Variant *variant, const unsigned char *p, Py_ssize_t n)
{
    for (Py_ssize_t start = 0; start < n; start += 64) {
        const uint64_t kept = ~past_end(n - start), first = kept & 0xFFFF;
        const Window w = variant->look(p + start, n - start), v = plain_look(p + start, n - start);
        const Details d = variant->details(p + start, n - start);
        const Details e = plain_details(p + start, n - start);
        const Marks m = variant->marks(p + start, n - start), o = plain_marks(p + start, n - start);
        if (((w.odd ^ v.odd) | (w.delimiter ^ v.delimiter) | (w.query_sign ^ v.query_sign) |
             (w.hash_sign ^ v.hash_sign) | (d.percent ^ e.percent) | (d.hex ^ e.hex) |
             (d.past_ascii ^ e.past_ascii) | (m.upper ^ o.upper) | (m.percent ^ o.percent) |
             (m.dot ^ o.dot) | (m.slash ^ o.slash) | (m.hyphen ^ o.hyphen) |
             (m.alphanumeric ^ o.alphanumeric) | (m.sign ^ o.sign)) & kept ||
            (w.scheme ^ v.scheme) & first)
            return 0;
    }
    return 1;
}

static unsigned char *room; /* memory between two pages that cannot be read */
static size_t room_size;

static void make_room(size_t least)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    room_size = (least / page + 1) * page;
    unsigned char *all = mmap(NULL, room_size + 2 * page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) ||
        mprotect(all + page + room_size, page, PROT_NONE))
        exit(2);
    room = all + page;
}

static unsigned char text[1 << 20];

/* Read the next case; return its length, or -1 after the last case. */
static Py_ssize_t next_case(void)
{
    unsigned char head[4];
    if (fread(head, 1, 4, stdin) != 4)
        return -1;
    const size_t n = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    if (n > sizeof text || fread(text, 1, n, stdin) != n)
        exit(2);
    return (Py_ssize_t)n;
}

static void answer_case(const Variant *variant, Py_ssize_t n)
{
    static const char *const SAID[] = {"unsure", "plain", "past-ascii"};
    static const unsigned char AROUND[] = {'a', '%', ':', '#', 0xFF};
    unsigned char *p = room + room_size - n; /* the string ends at the end of its page */
    memcpy(p, text, n);
    const Answer found = answer(variant, p, n);
    int masks = right_masks(variant, p, n), same = 1;
    for (size_t k = 0; k < sizeof AROUND; k++) {
        /* At the start of a page, across two pages if the string is short, and at odd addresses. */
        p = room + (k == 0 ? 0 : k == 1 && n < 64 ? 4096 - n / 2 : 2 * (Py_ssize_t)k - 1);
        memset(p, AROUND[k], n + 2 * 64);
        memcpy(p, text, n);
        const Answer again = answer(variant, p, n);
        same &= found.said == again.said && !memcmp(&found.at, &again.at, sizeof found.at) &&
                found.normal == again.normal && found.unambiguous == again.unambiguous &&
                found.harmless == again.harmless;
    }
    masks &= right_masks(variant, p, n);
    fputs(SAID[found.said], stdout);
    if (found.said != UNSURE)
        printf(" %d %d %d %d %d %d %d %d", (int)found.at.scheme_end, (int)found.at.authority,
               (int)found.at.host, (int)found.at.host_end, (int)found.at.path,
               (int)found.at.path_end, (int)found.at.query_end, (int)found.at.position);
    puts(!masks ? " with wrong masks" : !same ? " but not everywhere" : "");
}

int main(int count, char **words)
{
    static const uint8_t KINDS_GIVEN[] = {FIT, SCHEME_CHARACTER, FIRST_OF_SCHEME, DIGIT_CHARACTER,
                                          HEX_CHARACTER};
    const Variant *variant = variants, *end = variants + sizeof variants / sizeof *variants;
    if (count < 2) {
        open_windows();
        for (int k = 0; k < SIMD_VARIANTS; k++)
            printf("%s %d\n", simd_variants[k].name, simd_variants[k].is_supported);
        return 0;
    }
    while (variant < end && strcmp(variant->name, words[1]))
        variant++;
    if (variant == end)
        return 2;
    for (size_t k = 0; k < sizeof KINDS_GIVEN; k++)
        for (Py_ssize_t n = next_case(); n > 0; n--)
            kinds[text[n - 1]] |= KINDS_GIVEN[k];
    open_windows();
    make_room(sizeof text + 4096 + 2 * 64);
    for (Py_ssize_t n; (n = next_case()) >= 0;)
        answer_case(variant, n);
    return 0;
}
