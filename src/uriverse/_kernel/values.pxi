# The class `Identifier`: its methods call the other files. The reference is `uriverse._uri.identifier`.

cdef class Identifier:
    """Identifier(text, /)
--

The base class of `URI`, `URIReference`, `IRI` and `IRIReference`.
"""
    # An owned reference as a plain pointer, so that `fill_value` can set it in memory without a value, in
    # which it is NULL.
    cdef PyObject* held
    cdef object __weakref__
    cdef int32_t scheme_end, authority_start, host_start, host_end, path_start, path_end, query_end

    def __cinit__(self, text, /):
        cdef Scan bounds
        cdef str empty = "", exact
        # While an error is raised, other code can get hold of this object (from the garbage collector).
        # So the object is a valid empty reference until it gets its string.
        Py_INCREF(empty)
        self.held = <PyObject*>empty
        self.scheme_end = self.authority_start = self.host_start = self.host_end = -1
        exact = as_text(text)
        scan_valid(exact, get_rule(type(self)), &bounds)
        fill_value(self, exact, &bounds)
        Py_DECREF(empty)
        if get_public_rule(type(self)) >= 0:
            PyObject_GC_UnTrack(<PyObject*>self)  # see `create_value`

    def __dealloc__(self):
        Py_XDECREF(self.held)

    @classmethod
    def try_parse(type cls, text, /):
        cdef Scan bounds
        cdef str exact = as_text(text)
        if scan_text(exact, get_rule(cls), &bounds) != NOTHING:
            return None
        if get_public_rule(cls) >= 0:
            return create_value(cls, exact, &bounds)
        from uriverse._uri import identifier
        return identifier.try_construct(cls, exact)

    def resolve(self, reference, /, *, bint strict=True):
        require_self(self, Identifier, "resolve")
        cdef str text = as_text(reference), target
        cdef Text base, other, out
        cdef Scan base_bounds, reference_bounds, target_bounds
        cdef Py_ssize_t n
        cdef int rule
        cdef bint ascii
        if self.scheme_end < 0:
            from uriverse._spec import messages
            raise messages.ResolveError(*messages.describe_relative_reference(<str>self.held, "resolve"))
        cdef Identifier quick = resolve_short_ascii(self, reference, text, strict)
        if quick is not None:
            return quick
        base.owned = other.owned = out.owned = NULL
        try:
            open_reference(reference, text, &other, &reference_bounds)
            if not PyUnicode_IS_ASCII(text) and not isinstance(reference, Identifier):
                rule = get_rule(type(self))
                if rule & ASCII_ONLY:
                    from uriverse._spec import messages
                    raise messages.deferred_not_ascii(text, RULES[rule])
            open_reference(self, <str>self.held, &base, &base_bounds)
            # The result has at most the bytes of both strings, a slash before a relative path, a shield
            # of two bytes, and a NUL.
            reserve_text(&out, <size_t>base.n + other.n + 4)
            n = resolve(base.p, &base_bounds, other.p, other.n, &reference_bounds, strict, <unsigned char*>out.p, &target_bounds)
            # Both strings are valid UTF-8, and so is every string composed of their components.
            target = text if n == other.n and memcmp(out.p, other.p, n) == 0 else decode_utf8(out.p, n)
            ascii = PyUnicode_IS_ASCII(target)
            if not ascii:
                convert_to_characters(out.p, NOTHING, &target_bounds)
        finally:
            close_text(&base)
            close_text(&other)
            close_text(&out)
        if PyUnicode_GET_LENGTH(target) > LONGEST_TEXT:
            raise_parse_error(target, 0, TEXT, LONGEST_TEXT)
        return create_value(types[NEEDS_SCHEME | ASCII_ONLY if ascii else NEEDS_SCHEME], target, &target_bounds)

    def relative_to(self, base, /, *, bint walk_up=True):
        require_self(self, Identifier, "relative_to")
        cdef str text = as_text(base), relative
        cdef Text start, end, room
        cdef Scan base_bounds, target_bounds
        cdef Route route
        cdef Identifier quick = relativize_short_ascii(self, base, text, walk_up)
        if quick is not None:
            return quick
        start.owned = end.owned = room.owned = NULL
        try:
            open_reference(base, text, &start, &base_bounds)
            if self.scheme_end < 0 or base_bounds.scheme_end < 0:
                from uriverse._spec import messages
                relative = <str>self.held if self.scheme_end < 0 else text
                raise messages.ResolveError(*messages.describe_relative_reference(relative, "relative_to"))
            open_reference(self, <str>self.held, &end, &target_bounds)
            route.base_text, route.base, route.target_text, route.n, route.target = start.p, &base_bounds, end.p, end.n, &target_bounds
            reserve_text(&room, measure_route(start.n, end.n))
            divide_memory(&route, <unsigned char*>room.p)
            if relativize(&route, walk_up) < 0:
                from uriverse._spec import messages
                raise messages.ResolveError(*messages.describe_unreachable_target(<str>self.held))
            relative = decode_utf8(route.best, route.end)  # made of components of the target
            if not PyUnicode_IS_ASCII(relative):
                convert_to_characters(route.best, NOTHING, &route.reference_bounds)
        finally:
            close_text(&start)
            close_text(&end)
            close_text(&room)
        return create_most_specific(relative, &route.reference_bounds)

    def relative_form(self):
        require_self(self, Identifier, "relative_form")
        cdef str held = <str>self.held, text
        cdef Py_ssize_t start = self.path_start, i = start, shield = 0
        cdef Py_UCS4 c = 0
        cdef Scan bounds
        text = PyUnicode_Substring(held, start, PyUnicode_GET_LENGTH(held))
        if start > 0:  # otherwise the URI has neither a scheme nor an authority
            while i < self.path_end and c != c":" and c != c"/":
                c = PyUnicode_READ_CHAR(held, i)
                i += 1
            if c == c":":
                text, shield = "./" + text, 2
            elif i == start + 1 < self.path_end and PyUnicode_READ_CHAR(held, i) == c"/":
                text, shield = "/." + text, 2
        bounds.scheme_end = bounds.authority = bounds.host = bounds.host_end = -1
        bounds.path = 0
        bounds.path_end = self.path_end - start + shield
        bounds.query_end = self.query_end - start + shield
        # The string is not too long: a shield is not longer than the scheme or the authority.
        return create_most_specific(text, &bounds)

    def normalize(self, *, bint case=True, bint percent_encoding=True, dot_segments=True, bint ipv6=True, scheme=False):
        cdef int rule = get_rule(type(self))
        cdef int triplet_flags = (UNRESERVED_DECODED if percent_encoding else 0) | (UPPER if case else 0)
        cdef int dots = parse_dot_segments(dot_segments)
        cdef Scan bounds
        cdef Identifier normal = None
        if percent_encoding and not rule & ASCII_ONLY:
            triplet_flags |= CHARACTERS_DECODED
        if PyUnicode_IS_ASCII(<str>self.held):
            copy_bounds(self, &bounds)
            if is_plain(
                <const unsigned char*>PyUnicode_DATA(<str>self.held),
                PyUnicode_GET_LENGTH(<str>self.held), &bounds, triplet_flags, case, ipv6, dots,
            ):
                if scheme is False or (
                    scheme is True and follows_scheme_rules(<const unsigned char*>PyUnicode_DATA(<str>self.held), &bounds)
                ):
                    return self
        if scheme is True:
            load_schemes()
            normal = normalize_value(self, rule, triplet_flags, case, ipv6, dots, by_scheme=True)
            if normal is not None:
                return normal
        normal = normalize_value(self, rule, triplet_flags, case, ipv6, dots)
        return normal if scheme is False else apply_rules_in_python(normal, scheme, rule)

    def _to_uri(self):
        if get_public_rule(type(self)) >= ASCII_ONLY:  # a `URI` or a `URIReference`
            return self
        return encode_iri(<str>self.held, self.scheme_end >= 0)

    def _to_iri(self):
        cdef str text = <str>self.held
        if PyUnicode_IS_ASCII(text) and memchr(PyUnicode_DATA(text), c"%", PyUnicode_GET_LENGTH(text)) is NULL:
            return self
        return normalize_value(self, -1, CHARACTERS_DECODED | UPPER_PAST_ASCII, False, False, DOTS_OF_NONE)

    @classmethod
    def _plain_type(type cls):
        return <type>TYPES[get_rule(cls)]

    @classmethod
    def _compose(type cls, scheme, userinfo, host, port, path, query, fragment, /):
        return compose_arguments(cls, None, scheme, userinfo, host, port, path, query, fragment)

    def _with_part(self, int part, text, /):
        if not 0 <= part < 7:
            raise IndexError(part)
        return replace_part(self, part, text)

    def _with_parts(self, dict changes, /):
        cdef Component[7] parts
        split_components(self, parts)
        for name, text in changes.items():
            if name not in PART_NUMBERS:
                return None
            if name == "port":
                text = port = format_port(text)  # `port` keeps the digits alive
            if not store_component(&parts[<int>PART_NUMBERS[name]], text):
                return None
        return compose(type(self), parts, self)

    def _shorten_path(self, Py_ssize_t length, /):
        require_self(self, Identifier, "_shorten_path")
        if not 0 <= length <= self.path_end - self.path_start:
            raise IndexError(length)
        return shorten_path(self, length)

    def _create_params(self, kind, /):
        return create_pairs(kind, get_query(self), True, c"&")

    @property
    def _bounds(self):
        return (
            self.scheme_end,
            self.authority_start,
            self.host_start,
            self.host_end,
            self.path_start,
            self.path_end,
            self.query_end,
        )

    @property
    def scheme(self):
        """The scheme as written, without the colon; `None` without one."""
        cdef const unsigned char* text
        if self.scheme_end < 0:
            return None
        if PyUnicode_IS_ASCII(<str>self.held):
            # These objects exist already, so they take half the time of a new string.
            text = <const unsigned char*>PyUnicode_DATA(<str>self.held)
            if self.scheme_end == 5 and memcmp(text, b"https", 5) == 0:
                return "https"
            if self.scheme_end == 4 and memcmp(text, b"http", 4) == 0:
                return "http"
        return get_substring(self, 0, self.scheme_end)

    @property
    def authority(self):
        """The authority as written, without the `//`; `None` without one."""
        if self.authority_start < 0:
            return None
        return get_substring(self, self.authority_start, self.path_start)

    @property
    def userinfo(self):
        """The userinfo as written, without the `@`; `None` without one."""
        if self.host_start == self.authority_start:
            return None
        return get_substring(self, self.authority_start, self.host_start - 1)

    @property
    def host(self):
        """The host as written; `None` without an authority."""
        return get_substring(self, self.host_start, self.host_end) if self.host_start >= 0 else None

    @property
    def port_text(self):
        """The digits of the port as written; `None` without a port."""
        if self.host_end < 0 or self.host_end == self.path_start:
            return None
        return get_substring(self, self.host_end + 1, self.path_start)

    @property
    def path(self):
        """The path as written, possibly empty."""
        return get_substring(self, self.path_start, self.path_end)

    @property
    def query(self):
        """The query as written, without the `?`; `None` without one."""
        if self.path_end == self.query_end:
            return None
        return get_substring(self, self.path_end + 1, self.query_end)

    @property
    def fragment(self):
        """The fragment as written, without the `#`; `None` without one."""
        cdef Py_ssize_t end = PyUnicode_GET_LENGTH(<str>self.held)
        return get_substring(self, self.query_end + 1, end) if self.query_end < end else None

    @property
    def port(self):
        """The port as an integer; `None` without a port, and for an empty one."""
        cdef int number = read_short_port(self)
        if number >= 0:
            return number
        if self.host_end < 0 or self.host_end + 1 >= self.path_start:
            return None
        from uriverse._uri import identifier
        return identifier.parse_port(self.port_text, <str>self.held, self.host_end + 1)

    def __str__(self):
        return <str>self.held

    def __format__(self, specification):
        require_self(self, Identifier, "__format__")
        return <str>self.held if specification == "" else format(<str>self.held, specification)

    def __repr__(self):
        cls = type(self)
        return format_call(PyType_GetName(<PyTypeObject*>cls), redact(<str>self.held, False, False, True))

    def __reduce__(self):
        require_self(self, Identifier, "__reduce__")
        if get_public_rule(type(self)) >= 0:
            return type(self), (<str>self.held,)
        return type(self), (<str>self.held,), self._get_own_state()

    def __hash__(self):
        return hash(<str>self.held)

    def __richcmp__(self, other, int operation):
        if not isinstance(other, Identifier):
            return NotImplemented
        cdef str mine = <str>(<Identifier>self).held, theirs = <str>(<Identifier>other).held
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(mine)
        cdef bint same
        # Strings of different lengths or kinds are different.
        if operation == Py_EQ or operation == Py_NE:
            same = n == PyUnicode_GET_LENGTH(theirs) and PyUnicode_KIND(mine) == PyUnicode_KIND(theirs)
            same = same and memcmp(PyUnicode_DATA(mine), PyUnicode_DATA(theirs), n * PyUnicode_KIND(mine)) == 0
            return same == (operation == Py_EQ)
        return PyObject_RichCompare(mine, theirs, operation)
