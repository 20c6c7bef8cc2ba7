# The lookup of `Router.match`: `uriverse.templates._sequences`, which decides about all other URIs.

cdef class RouteNode:
    """The nodes that may follow the segments that lead to this node.

    Args:
        literals: the nodes after literal segments.
        variable: the node after a segment that consists of variables, or `None`.
        starts: for each literal at the start of other segments: its octets, the numbers of the templates whose
            number of segments varies from here on, and the nodes after the segments with the octets at their end.
        ends: the numbers of the templates that end here.
    """

    cdef dict literals
    cdef RouteNode variable
    cdef list starts, ends

    def __cinit__(self, dict literals, RouteNode variable, list starts, list ends, /):
        self.literals, self.variable, self.starts, self.ends = literals, variable, starts, ends


cdef class Routes:
    """The templates of a router.

    Args:
        kind: the class `Route`, a named tuple.
        names: the names of the routes, the most specific first.
        programs: the programs of their templates; `None` for those that Python must match, or match first: it
            then adds their programs to this list.
        roots: the paths by the scheme and the authority before them, in lower case.
        everywhere: the numbers of the templates that may match with every scheme and authority.
    """

    cdef list names, programs, everywhere
    cdef dict roots
    cdef type kind

    def __cinit__(self, type kind, list names, list programs, dict roots, list everywhere, /):
        self.kind = kind
        self.names, self.programs, self.roots, self.everywhere = names, programs, roots, everywhere

    def match(self, str text, /):
        """Return the route of the first template that matches, `None`, or `NotImplemented`."""
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), i
        cdef const unsigned char* octets
        cdef Scan bounds
        cdef CapturedItems captured
        cdef DecodedItems items
        cdef TemplateMatching program
        cdef list numbers
        cdef int matched
        if not PyUnicode_IS_ASCII(text) or n > LONGEST_MATCHED:
            return NotImplemented
        octets = <const unsigned char*>PyUnicode_DATA(text)
        if not fast_scan(octets, n, 0, &bounds) or contains_octet(octets, 0, bounds.path_end, c"%"):
            return NotImplemented
        for i in range(bounds.path):
            if c"A" <= octets[i] <= c"Z":
                return NotImplemented
        root = self.roots.get(create_ascii(octets, bounds.path))
        numbers = list(self.everywhere)
        if root is not None:
            find_routes(<RouteNode>root, octets, bounds.path, bounds.path_end, numbers)
        if len(numbers) > 1:
            numbers.sort()
        for number in numbers:
            if self.programs[number] is None:
                return NotImplemented
            program = <TemplateMatching>self.programs[number]
            matched = match_scanned(<void*>program, octets, n, &bounds, &captured, &items)
            if matched == MATCHES:
                # This takes half of the time of calling the class.
                return tuple.__new__(self.kind, (self.names[number], collect_values(program, &captured, &items)))
            if matched == MATCH_UNKNOWN:
                return NotImplemented
        return None


cdef int find_routes(RouteNode node, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, list numbers) except -1:
    """Add the numbers of the templates that a path may match, from the segment at `i` after a node on.

    `i` is one more than `end`, the end of the path, after the last segment.
    """
    cdef Py_ssize_t start, stop
    while i <= end:
        stop = find_octet(text, i, end, c"/")
        start, i = i, stop + 1
        following = node.literals.get(create_ascii(text + start, stop - start)) if node.literals else None
        if node.starts:
            find_partial_routes(node, text, start, stop, end, numbers)
        if node.variable is None:
            if following is None:
                return 0
            node = <RouteNode>following
        else:
            if following is not None:
                find_routes(<RouteNode>following, text, i, end, numbers)
            node = node.variable
    numbers.extend(node.ends)
    return 0


cdef int find_partial_routes(
    RouteNode node, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t end, list numbers
) except -1:
    """Add the numbers of the templates whose next segment starts or ends with a literal."""
    for first, varying, nodes in node.starts:
        if not matches_octets(<bytes>first, text, start, stop):
            continue
        numbers.extend(<list>varying)
        for last, following in <list>nodes:
            if matches_octets(<bytes>last, text, stop - PyBytes_GET_SIZE(<bytes>last), stop):
                # The literals may overlap here. `match_parts` decides.
                find_routes(<RouteNode>following, text, stop + 1, end, numbers)
    return 0


cdef inline bint matches_octets(bytes octets, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop) noexcept:
    """Return whether octets begin at an index, which may be negative, and end before another."""
    cdef Py_ssize_t n = PyBytes_GET_SIZE(octets)
    return start >= 0 and n <= stop - start and memcmp(text + start, PyBytes_AS_STRING(octets), n) == 0
