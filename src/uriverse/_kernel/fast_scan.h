/* Compute the bounds of a string from its masks. window.h includes this file once for each SIMD variant.
 *
 * A fast scan may return UNSURE for any string. If it accepts a string, the string is valid. The reason
 * is a property of the grammar: a character that is allowed in a query is also allowed in the userinfo,
 * host, path and fragment, except for the delimiters ":", "/", "?" and "@". This code looks for each of
 * those delimiters, and checks the scheme and the port separately.
 */

/* Check the odd bytes of a window. Each must belong to a triplet or to a non-ASCII character. Return the
 * result for the windows up to this one, of which `verdict` is the result so far. */
static TARGET __attribute__((noinline)) int AS(judge)(const unsigned char *p, Py_ssize_t n,
                                                      Py_ssize_t start, uint64_t odd, int verdict,
                                                      Scan *bounds)
{
    const Details d = AS(details)(p + start, n - start);
    const uint64_t kept = ~past_end(n - start), percent = d.percent & kept, hex = d.hex & kept;
    const uint64_t past_ascii = d.past_ascii & kept;
    if (odd & ~(percent | past_ascii) || percent << 2 >> 2 & ~(hex >> 1 & hex >> 2))
        return UNSURE;
    if (percent >> 62) { /* a triplet ends in the next window */
        const Py_ssize_t k = start + (percent >> 62 & 1 ? 62 : 63);
        if (n < k + 3 || !(kinds[p[k + 1]] & kinds[p[k + 2]] & HEX_CHARACTER))
            return UNSURE;
    }
    if (!past_ascii)
        return verdict;
    if (verdict == PLAIN)
        bounds->position = start + LOWEST(past_ascii);
    return PAST_ASCII;
}

/* Scan the first window of a string, and return whether the string is valid so far. If the string goes on,
 * `path_end` and `query_end` are 64 where they are not known yet. */
static inline __attribute__((always_inline)) TARGET int AS(scan_start)(const unsigned char *p,
                                                                       Py_ssize_t n, Scan *bounds)
{
    if (n <= 0)
        return UNSURE;
    const uint64_t past = past_end(n);
    const Window w = AS(look)(p, n);
    int verdict = PLAIN;
    bounds->position = -1;
    if (RARE(w.odd & ~past)) {
        verdict = AS(judge)(p, n, 0, w.odd & ~past, PLAIN, bounds);
        if (verdict == UNSURE)
            return UNSURE;
    }

    bounds->scheme_end = bounds->authority = bounds->host = bounds->host_end = -1;
    const uint64_t stops = w.delimiter | past;
    const Py_ssize_t first = LOWEST(stops);
    Py_ssize_t i = 0;
    if (first == 64 && n > 64)
        return UNSURE;
    if (first < n && p[first] == ':') {
        if (~w.scheme & ~stops & (stops - 1) || !(kinds[p[0]] & FIRST_OF_SCHEME))
            return UNSURE;
        bounds->scheme_end = first;
        i = first + 1;
    } else if (first < n && p[first] == '@') {
        return UNSURE; /* a colon may follow in the first segment, which must not contain one */
    }

    if (n - i >= 2 && !memcmp(p + i, "//", 2)) {
        i += 2;
        if (i >= 64)
            return UNSURE;
        Py_ssize_t end = LOWEST(stops & ~UINT64_C(0) << i);
        if (end == 64 && n > 64)
            return UNSURE;
        bounds->authority = bounds->host = i;
        bounds->host_end = end;
        if (end < n && (p[end] == ':' || p[end] == '@')) {
            end = divide(p, n, end, bounds);
            if (end < 0)
                return UNSURE;
        }
        i = end;
    }
    bounds->path = i;
    bounds->path_end = LOWEST(w.query_sign | past);
    bounds->query_end = LOWEST(w.hash_sign | past);
    const uint64_t hashes = w.hash_sign & ~past;
    return hashes & (hashes - 1) ? UNSURE : verdict;
}

/* Scan the other windows of a string, of which `verdict` is the result so far. */
static TARGET int AS(scan_rest)(const unsigned char *p, Py_ssize_t n, int verdict, Scan *bounds)
{
    Py_ssize_t path_end = bounds->path_end, query_end = bounds->query_end;
    uint64_t second = 0;
    for (Py_ssize_t start = 64; start < n; start += 64) {
        const uint64_t past = past_end(n - start);
        const Window w = AS(look)(p + start, n - start);
        if (RARE(w.odd & ~past)) {
            verdict = AS(judge)(p, n, start, w.odd & ~past, verdict, bounds);
            if (verdict == UNSURE)
                return UNSURE;
        }
        const uint64_t hashes = w.hash_sign & ~past;
        second |= hashes & (query_end < start ? ~UINT64_C(0) : hashes - 1);
        if (path_end == start)
            path_end += LOWEST(w.query_sign | past);
        if (query_end == start)
            query_end += LOWEST(w.hash_sign | past);
    }
    bounds->path_end = path_end;
    bounds->query_end = query_end;
    return second ? UNSURE : verdict;
}

static TARGET int AS(fast_scan)(const unsigned char *p, Py_ssize_t n, Scan *bounds)
{
    const int verdict = AS(scan_start)(p, n, bounds);
    return n > 64 && verdict != UNSURE ? AS(scan_rest)(p, n, verdict, bounds) : verdict;
}

/* Scan the strings of a block, and return whether all are PLAIN. The long ones follow the others, so that
 * each loop has few branches that a processor cannot predict. */
static TARGET int AS(scan_rows)(Row *rows, Py_ssize_t count)
{
    uint8_t longer[BLOCK];
    Py_ssize_t others = 0;
    int plain = 1;
    for (Py_ssize_t k = 0; k < count; k++) {
        rows[k].seen = AS(scan_start)(rows[k].span.p, rows[k].span.n, &rows[k].bounds);
        longer[others] = k;
        others += rows[k].span.n > 64 && rows[k].seen != UNSURE;
        plain &= rows[k].seen == PLAIN;
    }
    for (Py_ssize_t k = 0; k < others; k++) {
        Row *row = &rows[longer[k]];
        row->seen = AS(scan_rest)(row->span.p, row->span.n, row->seen, &row->bounds);
        plain &= row->seen == PLAIN;
    }
    return plain;
}

/* Return whether the host is in the first window of a string, consists of letters and digits with single dots
 * and hyphens between them, and has a last label that begins with a letter. */
static inline TARGET int AS(has_plain_host)(const unsigned char *p, Marks m, const Scan *bounds)
{
    if (bounds->host < 1 || bounds->host == bounds->host_end || bounds->host_end > 63)
        return 0;
    const uint64_t first = UINT64_C(1) << bounds->host, inside = (UINT64_C(1) << bounds->host_end) - first;
    const uint64_t dots = m.dot & inside, joints = dots | (m.hyphen & inside);
    if (((m.alphanumeric & inside) | joints) != inside)
        return 0;
    if (joints & (joints << 1 | first) || joints >> (bounds->host_end - 1))
        return 0;
    return !(kinds[p[64 - __builtin_clzll(dots | first >> 1)]] & DIGIT_CHARACTER);
}

/* Return NORMAL if a valid ASCII string has no upper-case letters up to the end of the host, no IP literal, no
 * triplet that is not normal, and no segment that begins with a dot. If `strict` is true, it must have no triplets,
 * no segment before a slash may end with a dot either, and the host must be plain. */
static inline __attribute__((always_inline)) TARGET int
AS(is_plain)(const unsigned char *p, Py_ssize_t n, const Scan *bounds, int strict)
{
    const Py_ssize_t end = bounds->host < 0 ? bounds->scheme_end : bounds->host_end;
    uint64_t slash = 0, dot = 0;
    int form = NORMAL;
    if ((bounds->host >= 0 && bounds->host < end && p[bounds->host] == '[') || (bounds->path < n && p[bounds->path] == '.'))
        return 0;
    for (Py_ssize_t start = 0; start < n; start += 64) {
        const Marks m = AS(marks)(p + start, n - start);
        const uint64_t found = (m.dot & (m.slash << 1 | slash)) | (strict ? m.percent : 0) |
                               (start < end ? m.upper & ~past_end(end - start) : 0) |
                               (strict ? m.slash & (m.dot << 1 | dot) : 0);
        slash = m.slash >> 63;
        dot = m.dot >> 63;
        if (found & ~past_end(n - start) || (strict && start == 0 && !AS(has_plain_host)(p, m, bounds)))
            return UNKNOWN_FORM;
        /* Both digits of a triplet are in the string, because it is valid. */
        for (uint64_t percent = m.percent & ~past_end(n - start); percent; percent &= percent - 1) {
            const unsigned char *digits = p + start + LOWEST(percent) + 1;
            if (!(normal_triplets[digits[0]] >> (digits[1] & 63) & 1))
                return UNKNOWN_FORM;
            if (digits[0] >= '8')
                form = NORMAL_URI;
        }
    }
    return form;
}

/* Return whether normalization certainly does not change a valid ASCII string. */
static TARGET int AS(is_normal)(const unsigned char *p, Py_ssize_t n, const Scan *bounds)
{
    return AS(is_plain)(p, n, bounds, 0);
}

/* Return whether a valid ASCII string is normal, and all programs certainly find the same host in it and the
 * same segments in its path, which begins with a slash or is empty. */
static TARGET int AS(is_unambiguous)(const unsigned char *p, Py_ssize_t n, const Scan *bounds)
{
    return AS(is_plain)(p, n, bounds, 1);
}

/* Return whether a string is ASCII and certainly contains no secret; see `find_secrets`. */
static TARGET int AS(is_harmless)(const unsigned char *p, Py_ssize_t n)
{
    for (Py_ssize_t start = 0; start < n; start += 64)
        if (AS(marks)(p + start, n - start).sign & ~past_end(n - start))
            return 0;
    return 1;
}
