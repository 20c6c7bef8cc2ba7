# Compiled functions for Python functions of the same name, which they call in rare cases; see `use_compiled` in
# `uriverse._uri.engine`.
# Other files call `compose_arguments` and `get_query`.

cdef enum:
    # Numbers for other parts of a URI, after those of the seven components.
    USERNAME = 7
    PASSWORD = 8
    # Numbers for names, for `replace_name` and `read_path_property`.
    NAME, STEM, SUFFIX, SUFFIXES
    RAW_SEGMENTS
    # The longest userinfo that is built on the stack.
    ROOM = 256

# The default of arguments for which `None` has a meaning.
cdef object ABSENT = object()


class URIMethods:
    # Methods and properties of `URI` and the other public types.

    def with_scheme(Identifier self not None, scheme):
        value = replace_part(self, PART_SCHEME, scheme)
        return value if value is not None else URIMethods.with_scheme.__wrapped__(self, scheme)

    def with_userinfo(Identifier self not None, userinfo):
        value = replace_part(self, PART_USERINFO, userinfo)
        return value if value is not None else URIMethods.with_userinfo.__wrapped__(self, userinfo)

    def with_host(Identifier self not None, host):
        value = replace_part(self, PART_HOST, host)
        return value if value is not None else URIMethods.with_host.__wrapped__(self, host)

    def with_port(Identifier self not None, port):
        value = replace_part(self, PART_PORT, port)
        return value if value is not None else URIMethods.with_port.__wrapped__(self, port)

    def with_path(Identifier self not None, path, *, protect_path=False):
        value = replace_part(self, PART_PATH, path)
        return value if value is not None else URIMethods.with_path.__wrapped__(self, path, protect_path=protect_path)

    def with_query(Identifier self not None, query):
        value = replace_part(self, PART_QUERY, query)
        return value if value is not None else URIMethods.with_query.__wrapped__(self, query)

    def with_fragment(Identifier self not None, fragment):
        value = replace_part(self, PART_FRAGMENT, fragment)
        return value if value is not None else URIMethods.with_fragment.__wrapped__(self, fragment)

    def with_authority(Identifier self not None, authority):
        value = replace_authority(self, authority)
        return value if value is not None else URIMethods.with_authority.__wrapped__(self, authority)

    def with_username(Identifier self not None, username):
        value = replace_user_data(self, USERNAME, username)
        return value if value is not None else URIMethods.with_username.__wrapped__(self, username)

    def with_password(Identifier self not None, password):
        value = replace_user_data(self, PASSWORD, password)
        return value if value is not None else URIMethods.with_password.__wrapped__(self, password)

    def with_name(Identifier self not None, name):
        value = replace_name(self, NAME, name)
        return value if value is not None else URIMethods.with_name.__wrapped__(self, name)

    def with_stem(Identifier self not None, stem):
        value = replace_name(self, STEM, stem)
        return value if value is not None else URIMethods.with_stem.__wrapped__(self, stem)

    def with_suffix(Identifier self not None, suffix):
        value = replace_name(self, SUFFIX, suffix)
        return value if value is not None else URIMethods.with_suffix.__wrapped__(self, suffix)

    def with_segments(Identifier self not None, segments, *, protect_path=False):
        value = replace_segments(self, segments) if type(segments) is list or type(segments) is tuple else None
        return value if value is not None else URIMethods.with_segments.__wrapped__(self, segments, protect_path=protect_path)

    def joinpath(Identifier self not None, *segments, protect_path=False):
        value = append_segments(self, segments)
        return value if value is not None else URIMethods.joinpath.__wrapped__(self, *segments, protect_path=protect_path)

    def __truediv__(Identifier self not None, segment):
        value = append_segments(self, (segment,))
        return value if value is not None else URIMethods.__truediv__.__wrapped__(self, segment)

    def with_params(Identifier self not None, params, /):
        value = edit_params(self, BUILD, params, None)
        return value if value is not None else URIMethods.with_params.__wrapped__(self, params)

    def with_param(Identifier self not None, name, value):
        edited = replace_ascii_param(self, <str>name, <str>value) if type(name) is str and type(value) is str else None
        if edited is None:
            edited = edit_params(self, SET, name, value)
        return edited if edited is not None else URIMethods.with_param.__wrapped__(self, name, value)

    def add_param(Identifier self not None, name, value):
        edited = edit_params(self, ADD, name, value)
        return edited if edited is not None else URIMethods.add_param.__wrapped__(self, name, value)

    def without_params(Identifier self not None, *names):
        value = edit_params(self, REMOVE, names, None)
        return value if value is not None else URIMethods.without_params.__wrapped__(self, *names)

    def build(
        type cls, *, scheme=None, authority=None, userinfo=None, username=None, password=None, host=None, port=None,
        path="", segments=None, query=None, params=None, fragment=None, protect_path=False,
    ):
        value = None
        if authority is None and segments is None and protect_path is False:
            if username is not None or password is not None:
                # A conflict with `userinfo` is an error, and so is data that cannot be encoded.
                built_userinfo = encode_userinfo(username, password) if userinfo is None else None
                if built_userinfo is not None:
                    value = compose_arguments(cls, None, scheme, built_userinfo, host, port, path, query, fragment)
            else:
                value = compose_arguments(cls, None, scheme, userinfo, host, port, path, query, fragment)
            if params is not None and value is not None:
                # `with_params` would return the public type.
                value = value.with_params(params) if query is None and get_public_rule(cls) >= 0 else None
        return value if value is not None else URIMethods.build.__wrapped__(
            cls, scheme=scheme, authority=authority, userinfo=userinfo, username=username, password=password,
            host=host, port=port, path=path, segments=segments, query=query, params=params, fragment=fragment,
            protect_path=protect_path,
        )

    def replace(
        Identifier self not None, *, scheme=ABSENT, userinfo=ABSENT, host=ABSENT, port=ABSENT, path=ABSENT,
        query=ABSENT, fragment=ABSENT, **others,
    ):
        if not others:
            value = compose_arguments(type(self), self, scheme, userinfo, host, port, path, query, fragment)
            if value is not None:
                return value
        components = dict(
            scheme=scheme, userinfo=userinfo, host=host, port=port, path=path, query=query, fragment=fragment
        )
        changes = {name: component for name, component in components.items() if component is not ABSENT}
        return URIMethods.replace.__wrapped__(self, **changes, **others)

    def name(Identifier self not None):
        value = read_uri_path(self, NAME)
        return value if value is not None else URIMethods.name.__wrapped__(self)

    def stem(Identifier self not None):
        value = read_uri_path(self, STEM)
        return value if value is not None else URIMethods.stem.__wrapped__(self)

    def suffix(Identifier self not None):
        value = read_uri_path(self, SUFFIX)
        return value if value is not None else URIMethods.suffix.__wrapped__(self)

    def suffixes(Identifier self not None):
        value = read_uri_path(self, SUFFIXES)
        return value if value is not None else URIMethods.suffixes.__wrapped__(self)

    def raw_segments(Identifier self not None):
        value = read_uri_path(self, RAW_SEGMENTS)
        return value if value is not None else URIMethods.raw_segments.__wrapped__(self)

    def segments(Identifier self not None):
        value = get_segments(self)
        return value if value is not None else URIMethods.segments.__wrapped__(self)

    def params(Identifier self not None):
        value = None if params_class is None else create_pairs(params_class, get_query(self), True, c"&")
        return value if value is not None else URIMethods.params.__wrapped__(self)

    def parent(Identifier self not None):
        value = get_parent(self)
        return value if value is not None else URIMethods.parent.__wrapped__(self)

    def effective_port(Identifier self not None):
        value = compute_effective_port(self)
        return value if value is not None else URIMethods.effective_port.__wrapped__(self)

    def is_default_port(Identifier self not None):
        value = has_default_port(self)
        return value if value is not None else URIMethods.is_default_port.__wrapped__(self)

    def path_and_query(Identifier self not None):
        return get_substring(self, self.path_start, self.query_end)

    def username(Identifier self not None):
        cdef Py_ssize_t end = self.host_start - 1
        if end < self.authority_start or self.authority_start < 0:
            return None
        return decode_part(self, self.authority_start, min(end, find_userinfo_colon(self)))

    def password(Identifier self not None):
        cdef Py_ssize_t end = self.host_start - 1, colon
        if end < self.authority_start or self.authority_start < 0:
            return None
        colon = find_userinfo_colon(self)
        return decode_part(self, colon + 1, end) if colon < end else None

    def hostname(Identifier self not None):
        cdef Py_ssize_t start = self.host_start, end = self.host_end, i
        cdef const unsigned char* octets
        cdef unsigned char* out
        cdef str text
        if start < 0:
            return None
        if not PyUnicode_IS_ASCII(<str>self.held):
            from uriverse._uri import identifier
            return identifier.to_hostname(self.host)
        octets = <const unsigned char*>PyUnicode_DATA(<str>self.held)
        if start < end and octets[start] == c"[":
            start += 1
            end -= 1
        text = PyUnicode_New(end - start, 0x7F) if end > start else ""
        out = <unsigned char*>PyUnicode_DATA(text)
        for i in range(end - start):
            out[i] = to_lower(octets[start + i])
        return text

    def origin(Identifier self not None):
        cdef Scan bounds
        cdef str text = None
        cdef Identifier uri = self if PyUnicode_IS_ASCII(<str>self.held) else uri_with_domain(self)
        if uri is not None:
            copy_bounds(uri, &bounds)
            text = compose_web_origin(<const unsigned char*>PyUnicode_DATA(<str>uri.held), &bounds)
        if text is not None:
            return text
        from uriverse.schemes import _normalization
        return _normalization.get_origin(str(self._to_uri().normalize()))

    def host_kind(Identifier self not None):
        cdef bytes host
        cdef const unsigned char* text
        if self.host_start < 0:
            return None
        host = self.host.encode()
        text = host
        if text[0] == c"[":
            return "IPvFuture" if text[1] == c"v" or text[1] == c"V" else "IPv6address"
        return "IPv4address" if is_ipv4(text, 0, len(host)) else "reg-name"

    def is_relative(Identifier self not None):
        return self.scheme_end < 0

    def is_absolute(Identifier self not None):
        return self.scheme_end >= 0 and self.query_end == PyUnicode_GET_LENGTH(<str>self.held)

    def has_port(Identifier self not None):
        return self.host_end >= 0 and self.host_end < self.path_start


class SegmentsMethods:
    # Properties of `Segments`.

    def name(PathParts self not None):
        value = read_segments_path(self, NAME)
        return value if value is not None else SegmentsMethods.name.__wrapped__(self)

    def stem(PathParts self not None):
        value = read_segments_path(self, STEM)
        return value if value is not None else SegmentsMethods.stem.__wrapped__(self)

    def suffix(PathParts self not None):
        value = read_segments_path(self, SUFFIX)
        return value if value is not None else SegmentsMethods.suffix.__wrapped__(self)

    def suffixes(PathParts self not None):
        value = read_segments_path(self, SUFFIXES)
        return value if value is not None else SegmentsMethods.suffixes.__wrapped__(self)


class SuffixesMethods:
    # Methods of `Suffixes`.

    def public_suffix(self, host, /):
        part = find_part_by_table(self, host, SUFFIX_PART)
        return part if part is not NotImplemented else SuffixesMethods.public_suffix.__wrapped__(self, host)

    def registrable_domain(self, host, /):
        part = find_part_by_table(self, host, DOMAIN_PART)
        return part if part is not NotImplemented else SuffixesMethods.registrable_domain.__wrapped__(self, host)

    def subdomain(self, host, /):
        part = find_part_by_table(self, host, SUBDOMAIN_PART)
        return part if part is not NotImplemented else SuffixesMethods.subdomain.__wrapped__(self, host)


class Functions:
    # Functions of the package.

    def check(text, /, profile="generic", *, severities=None, schemes=None):
        findings = None
        if severities is None and schemes is None:
            findings = find_with_settings(text, usual_settings if profile is "generic" else get_settings(profile))
        return findings if findings is not None else Functions.check.__wrapped__(
            text, profile, severities=severities, schemes=schemes
        )

    def repair(text, /, *, iri=False, scheme=None, slashes=False):
        repaired = None
        if iri is False and scheme is None and slashes is False:
            repaired = repair(as_text(text), False)
        return repaired if repaired is not None else Functions.repair.__wrapped__(
            text, iri=iri, scheme=scheme, slashes=slashes
        )


cdef object read_uri_path(Identifier self, int task):
    """Return a property of the path of a value, or `None` if Python must compute it."""
    if not PyUnicode_IS_ASCII(<str>self.held):
        return None
    return read_path_property(
        <const unsigned char*>PyUnicode_DATA(<str>self.held), self.path_start, self.path_end, task
    )


cdef object read_segments_path(PathParts self, int task):
    """Return a property of the path of segments, or `None` if Python must compute it."""
    cdef str path = <str>self.held
    if not PyUnicode_IS_ASCII(path):
        return None
    return read_path_property(<const unsigned char*>PyUnicode_DATA(path), 0, PyUnicode_GET_LENGTH(path), task)


cdef object compute_effective_port(Identifier self):
    """Return the port of a value or the default port of its scheme, or `None` if Python must find it."""
    cdef int number
    if not PyUnicode_IS_ASCII(<str>self.held):
        return None
    number = read_short_port(self)
    if number < 0 and self.host_end >= 0 and self.host_end + 1 >= self.path_start:
        number = find_default_port(self)
    return number if number >= 0 else None


cdef object has_default_port(Identifier self):
    """Return whether a value has the default port of its scheme, or `None` if Python must find it."""
    cdef int number, default
    if not PyUnicode_IS_ASCII(<str>self.held):
        return None
    number, default = read_short_port(self), find_default_port(self)
    if default < 0 or (number < 0 and self.host_end + 1 < self.path_start):
        return None
    return number < 0 or number == default


cdef int find_default_port(Identifier self) except -2:
    """Return the default port of the scheme of an ASCII string, or -1 if Python must find it."""
    cdef Rules* rules
    if self.scheme_end < 0 or self.authority_start < 0:
        return -1
    load_schemes()
    rules = find_rules(<const unsigned char*>PyUnicode_DATA(<str>self.held), self.scheme_end)
    return -1 if rules is NULL else rules.port


cdef Identifier compose_arguments(
    type cls, Identifier before, scheme, userinfo, host, port, path, query, fragment
):
    """Use the components of the value `before` for `ABSENT`; return `None` for rare or wrong arguments."""
    cdef Component[7] parts
    if before is not None:
        split_components(before, parts)
    port = format_port(port)
    # The arguments keep the strings alive while `parts` points to them.
    if (
        store_argument(&parts[PART_SCHEME], scheme) and store_argument(&parts[PART_USERINFO], userinfo)
        and store_argument(&parts[PART_HOST], host) and store_argument(&parts[PART_PORT], port)
        and store_argument(&parts[PART_PATH], path) and store_argument(&parts[PART_QUERY], query)
        and store_argument(&parts[PART_FRAGMENT], fragment)
    ):
        return compose(cls, parts, before)
    return None


cdef inline bint store_argument(Component* part, text) noexcept:
    return text is ABSENT or store_component(part, text)


cdef Identifier replace_authority(Identifier self, authority):
    """Return `None` without an old or a new authority, for non-ASCII strings, or if the new one is invalid."""
    cdef str held = <str>self.held, composed
    cdef const unsigned char* text
    cdef unsigned char* out
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), length, shift
    cdef Scan bounds
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(held):
        return None
    if not PyUnicode_CheckExact(authority) or not PyUnicode_IS_ASCII(<str>authority):
        return None
    shift = PyUnicode_GET_LENGTH(<str>authority) - (self.path_start - self.authority_start)
    if n + shift > LONGEST_TEXT:
        return None
    composed = PyUnicode_New(n + shift, 0x7F)
    text, out = <const unsigned char*>PyUnicode_DATA(held), <unsigned char*>PyUnicode_DATA(composed)
    length = put(out, 0, text, 0, self.authority_start)
    length = put(out, length, <const unsigned char*>PyUnicode_DATA(<str>authority), 0, PyUnicode_GET_LENGTH(<str>authority))
    put(out, length, text, self.path_start, n)
    if scan_text(composed, get_rule(type(self)), &bounds) != NOTHING:
        return None
    # Everything before and after the authority is the same if these bounds are where they should be.
    if (
        bounds.scheme_end != self.scheme_end or bounds.authority != self.authority_start or bounds.path != length
        or bounds.path_end != self.path_end + shift or bounds.query_end != self.query_end + shift
    ):
        return None
    return derive_value(self, composed, &bounds)


cdef Identifier replace_user_data(Identifier self, int part, data):
    """Replace the user name or the password by ASCII data; return `None` for other data, and without authority."""
    cdef unsigned char[ROOM] out
    cdef const unsigned char* held
    cdef Py_ssize_t length = 0, at_sign = self.host_start - 1, colon
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(<str>self.held):
        return None
    at_sign = max(at_sign, self.authority_start)  # without userinfo, both offsets are those of the host
    if at_sign - self.authority_start >= ROOM:
        return None
    colon = find_userinfo_colon(self)
    held = <const unsigned char*>PyUnicode_DATA(<str>self.held)
    if part == PASSWORD:
        length = put(out, 0, held, self.authority_start, colon)
        out[length] = c":"
        length += 1
    length = encode_user_data(out, length, data)
    if length < 0 or length + at_sign - colon > ROOM:
        return None
    if part == USERNAME:
        length = put(out, length, held, colon, at_sign)
    return replace_part(self, PART_USERINFO, decode_utf8(out, length))


cdef str encode_userinfo(username, password):
    """Encode a user name and a password, each of which may be `None`; return `None` if one is not ASCII."""
    cdef unsigned char[ROOM] out
    cdef Py_ssize_t length = 0
    if username is not None:
        length = encode_user_data(out, 0, username)
    if length >= 0 and password is not None:
        if length == ROOM:
            return None
        out[length] = c":"
        length = encode_user_data(out, length + 1, password)
    return None if length < 0 else decode_utf8(out, length)


cdef Py_ssize_t encode_user_data(unsigned char* out, Py_ssize_t length, data):
    """Percent-encode also colons; return -1 if the data is not ASCII or may not fit into `ROOM` bytes."""
    cdef const unsigned char* text
    cdef Py_ssize_t i, n
    if not PyUnicode_CheckExact(data) or not PyUnicode_IS_ASCII(<str>data):
        return -1
    text, n = <const unsigned char*>PyUnicode_DATA(<str>data), PyUnicode_GET_LENGTH(<str>data)
    if length + 3 * n > ROOM:
        return -1
    for i in range(n):
        if FLAGS[text[i]] & IN_USERINFO and text[i] != c":":
            out[length] = text[i]
            length += 1
        else:
            length = write_triplet(out, length, text[i])
    return length


cdef Identifier edit_params(Identifier self, int edit, first, second):
    """Return `None` if the result may be invalid, or if the query is to be removed; see `write_edit`."""
    cdef Output output
    cdef Text old
    cdef str query = None  # it keeps the bytes of the old query alive
    if edit == BUILD and first is None:
        return None
    if edit == BUILD and isinstance(first, Pairs):
        return replace_part(self, PART_QUERY, <str>(<Pairs>first).held)
    open_query(&output, True, c"&")
    old.owned = NULL
    try:
        if PyUnicode_IS_ASCII(<str>self.held):
            old.p = <const unsigned char*>PyUnicode_DATA(<str>self.held) + self.path_end + 1
            old.n = max(self.query_end - self.path_end - 1, 0)
        else:
            query = get_query(self)
            open_text("" if query is None else query, &old)
        present = write_edit(&output, &old, self.path_end < self.query_end, edit, first, second)
        return replace_query(self, &output, present)
    finally:
        close_text(&old)
        close_query(&output)


cdef Identifier replace_ascii_param(Identifier self, str name, str value):
    """Give the only parameter of a name another short value in an ASCII string; return `None` in other cases."""
    cdef str held = <str>self.held, composed
    cdef Text query, encoded_name
    cdef Piece piece, other
    cdef Scan bounds
    cdef unsigned char encoded[ROOM]
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(held)
    cdef const unsigned char* octets = <const unsigned char*>PyUnicode_DATA(value)
    cdef unsigned char* out
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), size = PyUnicode_GET_LENGTH(value), length, start, end
    if not PyUnicode_IS_ASCII(held) or not PyUnicode_IS_ASCII(name) or not PyUnicode_IS_ASCII(value) or 3 * size > ROOM or n >= LONGEST_TEXT - ROOM:
        return None
    start = self.path_end + 1  # of the query
    query.p, query.n = text + start, self.query_end - start
    encoded_name.p, encoded_name.n = <const unsigned char*>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name)
    if not find_param(&query, c"&", True, &encoded_name, &piece):
        return None
    other = piece
    if next_named(&query, c"&", True, &encoded_name, &other):
        return None
    if decodes_to(query.p, min(piece.name_end + 1, piece.end), piece.end, True, octets, size):
        return self
    size = write_encoded_octets(octets, size, True, encoded, 0)
    start, end = start + piece.name_end, start + piece.end
    length = n + 1 + size - (end - start)
    composed = PyUnicode_New(length, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(composed)
    put(out, 0, text, 0, start)
    out[start] = c"="
    put(out, put(out, start + 1, encoded, 0, size), text, end, n)
    copy_bounds(self, &bounds)
    bounds.query_end += length - n
    return derive_value(self, composed, &bounds)


cdef inline str get_query(Identifier self):
    return get_substring(self, self.path_end + 1, self.query_end) if self.path_end < self.query_end else None


cdef Identifier replace_query(Identifier self, Output* output, bint present):
    """Replace or remove the query of a value; it consists of pieces of the old query and of encoded data."""
    cdef Scan bounds
    cdef str held = <str>self.held, composed
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), end, length
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(held)
    cdef unsigned char* out
    end = self.path_end + (output.n + 1 if present else 0)
    length = end + n - self.query_end
    if length > LONGEST_TEXT or not PyUnicode_IS_ASCII(held):
        return replace_part(self, PART_QUERY, decode_utf8(output.out, output.n) if present else None)
    if end == self.query_end and (not present or memcmp(text + self.path_end + 1, output.out, output.n) == 0):
        return self
    composed = PyUnicode_New(length, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(composed)
    memcpy(out, text, self.path_end)
    if present:
        out[self.path_end] = c"?"
        memcpy(out + self.path_end + 1, output.out, output.n)
    memcpy(out + end, text + self.query_end, n - self.query_end)
    copy_bounds(self, &bounds)
    bounds.query_end = end
    return derive_value(self, composed, &bounds)
