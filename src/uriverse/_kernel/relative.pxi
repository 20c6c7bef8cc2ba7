# Relativization over bytes: `uriverse._spec.relative`. It finds a reference from a base to a target.
# Other files call `measure_route`, `divide_memory`, `relativize_common_case`, `relativize` and
# `write_reference`.

cdef enum:
    # More bytes than a form can have in addition to those of the target: a shield of two bytes. Also
    # more than `resolve` writes in addition to the base and the reference: a slash, a shield and a NUL.
    REFERENCE_ROOM = 8


cdef struct Route:
    # The base, the target, and the shortest reference found so far that resolves to the target.
    const unsigned char* base_text
    Scan* base
    const unsigned char* target_text
    Py_ssize_t n
    Scan* target
    unsigned char* reference  # the one to try
    unsigned char* resolved  # its target
    unsigned char* best
    Scan reference_bounds  # the bounds of `best`
    Py_ssize_t end  # the length of `best` in bytes
    Py_ssize_t least  # the length of `best` in characters; -1 if none was found yet


cdef inline Py_ssize_t measure_route(Py_ssize_t base, Py_ssize_t target) noexcept nogil:
    return 2 * (target + REFERENCE_ROOM) + (base + target + 2 * REFERENCE_ROOM)


cdef inline void divide_memory(Route* route, unsigned char* room) noexcept nogil:
    route.best = room
    route.reference = room + route.n + REFERENCE_ROOM
    route.resolved = route.reference + route.n + REFERENCE_ROOM


cdef inline void try_reference(Route* route, Scan* bounds, Py_ssize_t path_end, Py_ssize_t tail) noexcept nogil:
    """Complete a reference whose path ends at `path_end` with the target from `tail` on.

    Keep it if it is the shortest so far that resolves to the target.
    """
    cdef Scan resolved_bounds
    cdef Py_ssize_t n = put(route.reference, path_end, route.target_text, tail, route.n)
    cdef Py_ssize_t characters = count_characters(route.reference, 0, n)
    if 0 <= route.least <= characters:
        return
    bounds.path_end = path_end
    bounds.query_end = path_end + route.target.query_end - tail
    # Equal strings have equal components, so it is enough to compare the strings.
    if resolve(route.base_text, route.base, route.reference, n, bounds, True, route.resolved, &resolved_bounds) == route.n:
        if memcmp(route.resolved, route.target_text, route.n) == 0:
            memcpy(route.best, route.reference, n)
            route.reference_bounds = bounds[0]
            route.end, route.least = n, characters


cdef void try_relative_path(Route* route, Scan* bounds, bint walk_up) noexcept nogil:
    """Try the relative path from the directory of the base to the path of the target."""
    cdef const unsigned char* target_text = route.target_text
    cdef unsigned char* directory = route.resolved
    cdef Py_ssize_t start = route.target.path, end = route.target.path_end
    cdef Py_ssize_t i = 0, length = 0, shared = 0, up = 0, n
    n = put(directory, 0, route.base_text, route.base.path, find_directory_end(route.base_text, route.base))
    if n == 0 and route.base.authority >= 0:
        directory[0] = c"/"  # see `find_directory_end`
        n = 1
    n = remove_dot_segments(directory, n)
    if route.target.authority < 0 and end - start >= 4 and memcmp(target_text + start, b"/.//", 4) == 0:
        # Resolution inserts the shield itself.
        start += 2
    # Both paths share the segments up to the last slash of their common prefix.
    while i < n and start + i < end and directory[i] == target_text[start + i]:
        i += 1
        if target_text[start + i - 1] == c"/":
            shared = i
    for i in range(shared, n):
        up += directory[i] == c"/"
    start += shared
    # The target is a reference to itself, so a longer reference is never the shortest. The limit allows
    # one byte more, because a slash may be removed below. After the path, the reference equals the
    # target, so the limit also keeps the reference within `n + 1` bytes, which fit. Lengths are compared
    # in characters, but a limit in bytes excludes no shorter reference: "../" is ASCII, and the part of
    # the target that it replaces has at least as many bytes as characters.
    if up and (not walk_up or 3 * up + end - start > route.target.path_end + 1):
        return
    for i in range(up):
        memcpy(route.reference + length, b"../", 3)
        length += 3
    if start == end:
        if up:
            length -= 1
        else:
            route.reference[0] = c"."
            length = 1
    elif not up:
        # Shield a path whose first segment is empty or would be parsed as a scheme.
        i = start
        while i < end and target_text[i] != c"/" and target_text[i] != c":":
            i += 1
        if target_text[start] == c"/" or (i < end and target_text[i] == c":"):
            memcpy(route.reference, b"./", 2)
            length = 2
    length = put(route.reference, length, target_text, start, end)
    try_reference(route, bounds, length, route.target.path_end)


cdef void try_paths(Route* route, bint walk_up) noexcept nogil:
    """Try the references that have neither a scheme nor an authority."""
    cdef Scan bounds
    cdef Scan* target = route.target
    cdef Py_ssize_t length = 0
    bounds.scheme_end = bounds.authority = bounds.host = bounds.host_end = -1
    bounds.path = 0
    try_reference(route, &bounds, 0, target.query_end)
    try_reference(route, &bounds, 0, target.path_end)
    try_relative_path(route, &bounds, walk_up)
    if walk_up and target.path < target.path_end and route.target_text[target.path] == c"/":
        if target.path + 1 < target.path_end and route.target_text[target.path + 1] == c"/":
            # Shield a path that would be parsed as an authority.
            memcpy(route.reference, b"/.", 2)
            length = 2
        length = put(route.reference, length, route.target_text, target.path, target.path_end)
        try_reference(route, &bounds, length, target.path_end)


cdef inline Py_ssize_t count_common_bytes(
    const unsigned char* one, const unsigned char* other, Py_ssize_t n
) noexcept nogil:
    """Return the length of the common prefix of two strings of at least `n` bytes; at most `n`."""
    cdef Py_ssize_t i = 0
    while i + 8 <= n and memcmp(one + i, other + i, 8) == 0:
        i += 8
    while i < n and one[i] == other[i]:
        i += 1
    return i


cdef inline bint finish_reference(Route* route, Py_ssize_t length, Py_ssize_t tail) noexcept nogil:
    """Complete `best` with the target from `tail` on, a part of its path or what follows the path."""
    route.reference_bounds.scheme_end = route.reference_bounds.authority = route.reference_bounds.host = route.reference_bounds.host_end = -1
    route.reference_bounds.path = 0
    route.reference_bounds.path_end = length + max(route.target.path_end - tail, 0)
    route.reference_bounds.query_end = length + route.target.query_end - tail
    route.end = put(route.best, length, route.target_text, tail, route.n)
    return True


cdef bint relativize_common_case(Route* route, bint walk_up) noexcept nogil:
    """Write the shortest reference to `best` if it is known without resolving any; otherwise return False.

    With an authority, and no segment that begins with a dot, every form that has all components of the
    target, or inherits them from the base, resolves to the target, so the shortest is the result.
    """
    cdef const unsigned char* text = route.base_text
    cdef const unsigned char* target_text = route.target_text
    cdef Scan* base = route.base
    cdef Scan* target = route.target
    cdef Py_ssize_t start = target.path, end = target.path_end
    cdef Py_ssize_t i, shared, up = 0, length = 0, shared_length
    if disabled_shortcut == RELATIVIZE_COMMON_CASE:
        return False
    if target.authority < 0 or find_slash_and_dot(target_text, start, end) < end:
        return False
    if base.path != start or memcmp(text, target_text, start) != 0:
        if not walk_up:
            return False
        # The scheme, or else the authority, differs.
        route.reference_bounds = target[0]
        if base.scheme_end == target.scheme_end and memcmp(text, target_text, base.scheme_end) == 0:
            length = target.scheme_end + 1
            route.reference_bounds.scheme_end = -1
            route.reference_bounds.authority -= length
            route.reference_bounds.host -= length
            route.reference_bounds.host_end -= length
            route.reference_bounds.path -= length
            route.reference_bounds.path_end -= length
            route.reference_bounds.query_end -= length
        route.end = put(route.best, 0, target_text, length, route.n)
        return True
    # An empty path is equivalent to "/" in some cases only.
    if start == end or start == base.path_end or find_slash_and_dot(text, start, base.path_end) < base.path_end:
        return False
    i = start + count_common_bytes(text + start, target_text + start, min(end, base.path_end) - start)
    if i == end and i == base.path_end:
        if (
            base.query_end == target.query_end
            and memcmp(text + end, target_text + end, target.query_end - end) == 0
        ):
            return finish_reference(route, 0, target.query_end)
        if end < target.query_end:
            return finish_reference(route, 0, end)
    # The paths share the segments up to the last slash of their common prefix.
    shared = i
    while target_text[shared - 1] != c"/":
        shared -= 1
    for i in range(shared, base.path_end):
        up += text[i] == c"/"
    if up and not walk_up:
        return False
    # Compare the length of "../" for each segment, "." or "./" with that of the shared segments: one of
    # the two precedes the rest of the target.
    shared_length = count_characters(target_text, start, shared)
    if start + 1 < end and target_text[start + 1] == c"/":
        shared_length += 2
    if 3 * up - (shared == end) > shared_length:
        return finish_rooted(route)
    while length < 3 * up:
        memcpy(route.best + length, b"../", 3)
        length += 3
    if shared == end:
        if up:
            length -= 1  # the last slash
        else:
            route.best[0] = c"."
            length = 1
    elif not up:
        # Shield a path whose first segment is empty or would be parsed as a scheme.
        i = shared
        while i < end and target_text[i] != c"/" and target_text[i] != c":":
            i += 1
        if i < end and (i == shared or target_text[i] == c":"):
            if walk_up and shared_length < 2:
                return finish_rooted(route)
            memcpy(route.best, b"./", 2)
            length = 2
    return finish_reference(route, length, shared)


cdef inline bint finish_rooted(Route* route) noexcept nogil:
    """Write the path of the target from its root, with a shield if it begins with two slashes."""
    cdef Py_ssize_t length = 0
    if route.target.path + 1 < route.target.path_end and route.target_text[route.target.path + 1] == c"/":
        memcpy(route.best, b"/.", 2)
        length = 2
    return finish_reference(route, length, route.target.path)


cdef Py_ssize_t relativize(Route* route, bint walk_up) noexcept nogil:
    """Relativize URIs in the order of `_spec.relative.reference_candidates`; return -1 without a result."""
    cdef Scan* base = route.base
    cdef Scan* target = route.target
    cdef Scan bounds = target[0]
    cdef Py_ssize_t length = target.scheme_end + 1
    route.least = route.end = -1
    if relativize_common_case(route, walk_up):
        return route.end
    # A reference without a scheme and an authority takes both from the base, so they must be equal to
    # those of the target.
    if base.path == target.path and memcmp(route.base_text, route.target_text, target.path) == 0:
        try_paths(route, walk_up)
    if not walk_up:
        return route.end
    if target.authority >= 0 and base.scheme_end + 1 == length and memcmp(route.base_text, route.target_text, length) == 0:
        bounds.scheme_end = -1
        bounds.authority, bounds.host, bounds.host_end = target.authority - length, target.host - length, target.host_end - length
        bounds.path = target.path - length
        try_reference(route, &bounds, put(route.reference, 0, route.target_text, length, target.path_end), target.path_end)
    bounds = target[0]
    try_reference(route, &bounds, put(route.reference, 0, route.target_text, 0, target.path_end), target.path_end)
    return route.end


cdef Py_ssize_t write_reference(
    const unsigned char* base_text, Py_ssize_t size, Scan* base, const unsigned char* target_text, Py_ssize_t n, Scan* target, bint walk_up, Scratch* out
) noexcept nogil:
    """Write the shortest reference from a base to a target; return its length, or NO_OUTPUT or NO_OUTPUT_MEMORY."""
    cdef Route route
    if reserve(out, measure_route(size, n)) != DONE:
        return NO_OUTPUT_MEMORY
    route.base_text, route.base, route.target_text, route.n, route.target = base_text, base, target_text, n, target
    divide_memory(&route, out.p)
    return NO_OUTPUT if relativize(&route, walk_up) < 0 else route.end
