# The reference that leads from a base to a target, over bytes: `uriverse._spec.relative`.

cdef enum:
    # More than a form has besides the target's text, which is a shield of two; and more than what
    # `resolve` writes besides two texts, which is a slash, a shield and a NUL.
    FORM_MORE = 8


cdef struct Route:
    # From a base to a target; the shortest reference so far that leads there.
    const unsigned char* p
    Scan* base
    const unsigned char* q
    Py_ssize_t n
    Scan* target
    unsigned char* form  # what is tried
    unsigned char* there  # what it resolves to
    unsigned char* best
    Py_ssize_t end  # where it ends
    Py_ssize_t least  # how many characters it has; -1 while there is none


cdef inline Py_ssize_t route_room(Py_ssize_t base, Py_ssize_t target) noexcept nogil:
    """How much room a route takes between texts of such lengths."""
    return 2 * (target + FORM_MORE) + (base + target + 2 * FORM_MORE)


cdef inline void lay_out(Route* route, unsigned char* room) noexcept nogil:
    """Divide the room."""
    route.best = room
    route.form = room + route.n + FORM_MORE
    route.there = route.form + route.n + FORM_MORE


cdef inline void try_form(Route* route, Scan* at, Py_ssize_t w, Py_ssize_t rest) noexcept nogil:
    """Keep a form if it is shorter than the best, and resolves to the target.

    It is written up to the end of its path, `w`; from `rest` on it is as the target.
    """
    cdef Scan there
    cdef Py_ssize_t n = put(route.form, w, route.q, rest, route.n)
    cdef Py_ssize_t length = characters(route.form, 0, n)
    if 0 <= route.least <= length:
        return
    at.path_end = w
    at.query_end = w + route.target.query_end - rest
    # Texts that are the same have the same components, so it is enough to look at those.
    if resolve(route.p, route.base, route.form, n, at, True, route.there, &there) == route.n:
        if memcmp(route.there, route.q, route.n) == 0:
            memcpy(route.best, route.form, n)
            route.end, route.least = n, length


cdef void try_relative_path(Route* route, Scan* at, bint climb) noexcept nogil:
    """Try the path that leads from the base's directory to the target's path."""
    cdef const unsigned char* q = route.q
    cdef unsigned char* directory = route.there
    cdef Py_ssize_t start = route.target.path, end = route.target.path_end
    cdef Py_ssize_t i = 0, w = 0, shared = 0, up = 0, n
    n = remove_dot_segments(directory, merge(directory, 0, route.p, route.base))
    if route.target.authority < 0 and end - start >= 4 and memcmp(q + start, b"/.//", 4) == 0:
        # Resolution puts the shield there itself.
        start += 2
    # Segments that both go through end with a slash in both.
    while i < n and start + i < end and directory[i] == q[start + i]:
        i += 1
        if q[start + i - 1] == c"/":
            shared = i
    for i in range(shared, n):
        up += directory[i] == c"/"
    start += shared
    # The target itself resolves to the target, so a longer form is never the shortest; one slash may be
    # removed below. From `path_end` on the form equals the target, so the limit also keeps it within
    # `n + 1` bytes, which fit. A prefix has at most as many characters as bytes: no shorter form is lost.
    if up and (not climb or 3 * up + end - start > route.target.path_end + 1):
        return
    for i in range(up):
        memcpy(route.form + w, b"../", 3)
        w += 3
    if start == end:
        if up:
            w -= 1
        else:
            route.form[0] = c"."
            w = 1
    elif not up:
        # Shielded where its first segment is empty, or would be read as a scheme.
        i = start
        while i < end and q[i] != c"/" and q[i] != c":":
            i += 1
        if q[start] == c"/" or (i < end and q[i] == c":"):
            memcpy(route.form, b"./", 2)
            w = 2
    w = put(route.form, w, q, start, end)
    try_form(route, at, w, route.target.path_end)


cdef void try_paths(Route* route, bint climb) noexcept nogil:
    """Try the forms that have neither scheme nor authority."""
    cdef Scan at
    cdef Scan* target = route.target
    cdef Py_ssize_t w = 0
    at.scheme_end = at.authority = at.host = at.host_end = -1
    at.path = 0
    try_form(route, &at, 0, target.query_end)
    try_form(route, &at, 0, target.path_end)
    try_relative_path(route, &at, climb)
    if climb and target.path < target.path_end and route.q[target.path] == c"/":
        if target.path + 1 < target.path_end and route.q[target.path + 1] == c"/":
            # Shielded where it would be read as an authority.
            memcpy(route.form, b"/.", 2)
            w = 2
        w = put(route.form, w, route.q, target.path, target.path_end)
        try_form(route, &at, w, target.path_end)


cdef Py_ssize_t relative(Route* route, bint climb) noexcept nogil:
    """Write at `best` the shortest reference that leads from a base to a target; where it ends, or -1.

    Both have a scheme. The forms are tried in the order in which `candidates` has them.
    """
    cdef Scan* base = route.base
    cdef Scan* target = route.target
    cdef Scan at = target[0]
    cdef Py_ssize_t w = target.scheme_end + 1
    route.least = route.end = -1
    # What a form does not have it takes from the base, where it must be as in the target.
    if base.path == target.path and memcmp(route.p, route.q, target.path) == 0:
        try_paths(route, climb)
    if not climb:
        return route.end
    if target.authority >= 0 and base.scheme_end + 1 == w and memcmp(route.p, route.q, w) == 0:
        at.scheme_end = -1
        at.authority, at.host, at.host_end = target.authority - w, target.host - w, target.host_end - w
        at.path = target.path - w
        try_form(route, &at, put(route.form, 0, route.q, w, target.path_end), target.path_end)
    at = target[0]
    try_form(route, &at, put(route.form, 0, route.q, 0, target.path_end), target.path_end)
    return route.end
