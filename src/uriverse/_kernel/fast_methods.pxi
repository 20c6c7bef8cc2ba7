# Methods that set components, for the common case in which their arguments are valid, and properties.

cdef enum:
    # Numbers for other parts of a URI, after those of the seven components.
    USERNAME = 7
    PASSWORD = 8
    AUTHORITY = 9
    # Numbers for other methods.
    BUILT = 10
    REPLACED = 11
    CHECKED = 12  # the function `check`
    WITH_NAME = 13
    WITH_STEM = 14
    WITH_SUFFIX = 15
    WITH_SEGMENTS = 16
    JOINED = 17
    WITH_PARAMS = 18
    WITH_PARAM = 19
    ADD_PARAM = 20
    WITHOUT_PARAMS = 21
    # Numbers for properties.
    NAME = 22
    STEM = 23
    SUFFIX = 24
    SUFFIXES = 25
    PARENT = 26
    RAW_SEGMENTS = 27
    SEGMENTS = 28
    PARAMS = 29
    EFFECTIVE_PORT = 30
    IS_DEFAULT_PORT = 31
    MENDED = 32  # the function `repair`
    # The longest userinfo that is built on the stack.
    ROOM = 256

FAST_METHODS = {
    **PART_NUMBERS, "username": USERNAME, "password": PASSWORD, "authority": AUTHORITY, "build": BUILT,
    "replace": REPLACED, "check": CHECKED, "repair": MENDED, "with_name": WITH_NAME, "with_stem": WITH_STEM,
    "with_suffix": WITH_SUFFIX, "with_segments": WITH_SEGMENTS, "joinpath": JOINED,
    "with_params": WITH_PARAMS, "with_param": WITH_PARAM, "add_param": ADD_PARAM,
    "without_params": WITHOUT_PARAMS,
}
FAST_PROPERTIES = {
    "name": NAME, "stem": STEM, "suffix": SUFFIX, "suffixes": SUFFIXES, "parent": PARENT,
    "raw_segments": RAW_SEGMENTS, "segments": SEGMENTS, "params": PARAMS,
    "effective_port": EFFECTIVE_PORT, "is_default_port": IS_DEFAULT_PORT,
}


cdef class FastMethod:
    """A Python function with a fast path in the kernel, or a function of the kernel.

    The fast path handles the common case of a method that sets components, in which its arguments
    are valid, or of a property. In all other cases, the object calls the Python function.

    To `help`, `inspect` and `typing`, both are Python functions.
    """

    cdef vectorcallfunc vectorcall
    cdef vectorcallfunc_noexcept inner
    cdef object function
    cdef int part

    def __cinit__(self, str task, function, /):
        self.function = function
        self.inner = PyVectorcall_Function(function)
        if self.inner is NULL:
            raise TypeError(f"expected a function, not {type(function).__name__}")
        if task is None:
            self.vectorcall = <vectorcallfunc>call_inner
        elif task in FAST_PROPERTIES:
            self.vectorcall = call_fast_property
            self.part = FAST_PROPERTIES[task]
        elif task in SUFFIX_METHODS:
            self.vectorcall = call_suffix_method
            self.part = SUFFIX_METHODS[task]
        else:
            self.vectorcall = call_fast_method
            self.part = FAST_METHODS[task]
        # These settings make calls as cheap as those of functions: no bound method and no tuple of
        # arguments are created (PEP 590).
        cdef PyTypeObject* cls = <PyTypeObject*>FastMethod
        cls.tp_vectorcall_offset = <char*>&self.vectorcall - <char*><PyObject*>self
        cls.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)

    def __get__(self, value, cls):
        return self if value is None else PyMethod_New(self, value)

    def __getattr__(self, name):
        return getattr(self.function, name)

    def __setattr__(self, name, value):
        setattr(self.function, name, value)

    @property
    def __class__(self):
        from types import FunctionType
        return FunctionType

    @property
    def __wrapped__(self):
        return self.function

    @property
    def __doc__(self):
        return self.function.__doc__

    def __repr__(self):
        return repr(self.function)

    def __reduce__(self):
        return self.function.__qualname__


cdef PyObject* call_inner(
    PyObject* method, PyObject* const* arguments, size_t count, PyObject* names
) noexcept:
    cdef object function = (<FastMethod>method).function
    cdef PyObject* result = (<FastMethod>method).inner(<PyObject*>function, arguments, count, names)
    if result is NULL:
        reword_error(function, arguments, count, names)
    return result


cdef void reword_error(function, PyObject* const* arguments, size_t count, PyObject* names) noexcept:
    """Change the message of the pending error if it is a `TypeError` about the call of a function."""
    cdef PyObject *kind
    cdef PyObject *error
    cdef PyObject *traceback
    if not PyErr_ExceptionMatches(TypeError):
        return
    PyErr_Fetch(&kind, &error, &traceback)
    PyErr_NormalizeException(&kind, &error, &traceback)
    try:
        owner = <object>arguments[0] if PyVectorcall_NARGS(count) else None
        from uriverse._uri import calls
        calls.reword_call_error(<object>error, function, owner, <object>names if names is not NULL else ())
    except BaseException:
        pass  # the message stays
    PyErr_Restore(kind, error, traceback)


cdef int present_methods(type cls) except -1:
    """Make a `FastMethod` of each method of a compiled class."""
    cdef dict members = <dict>(<PyTypeObject*>cls).tp_dict
    for name, member in list(members.items()):
        if type(member) is type(parse):
            members[name] = FastMethod(None, member)
        elif type(member) is classmethod:
            members[name] = classmethod(FastMethod(None, member.__func__))
    PyType_Modified(<type>cls)
    return 0


cdef PyObject* call_fast_method(
    PyObject* method, PyObject* const* arguments, size_t count, PyObject* names
) except NULL:
    cdef Identifier value = None
    cdef int part = (<FastMethod>method).part
    cdef Py_ssize_t given = PyVectorcall_NARGS(count)
    cdef object found = None
    if part == CHECKED or part == MENDED:
        if given == 1 and names is NULL:
            if part == CHECKED:
                found = usual_findings(<object>arguments[0], usual_settings)
            else:
                found = repair(as_text(<object>arguments[0]), False)
        elif part == CHECKED and given == 2 and names is NULL:
            if PyUnicode_CheckExact(<object>arguments[1]):
                found = usual_findings(<object>arguments[0], profile_settings.get(<object>arguments[1]))
        if found is not None:
            Py_INCREF(found)
            return <PyObject*>found
    elif part == BUILT:
        if given == 1 and names is not NULL and isinstance(<object>arguments[0], type):
            value = built(<type>arguments[0], None, arguments + 1, <tuple>names)
    elif given > 0 and not is_identifier(<object>arguments[0]):
        # Calls on a class, such as `URI.with_host("http://a/", "b")`.
        function = (<FastMethod>method).function
        kind = type(<object>arguments[0]).__name__
        raise TypeError(f"{function.__qualname__}() requires a URI or an IRI as self, not {kind}")
    elif part == REPLACED:
        if given == 1 and names is not NULL:
            value = built(type(<object>arguments[0]), <Identifier>arguments[0], arguments + 1, <tuple>names)
    elif names is NULL and given > 0:
        value = edited_value(<Identifier>arguments[0], part, arguments + 1, given - 1)
    if value is not None:
        Py_INCREF(value)
        return <PyObject*>value
    return call_inner(method, arguments, count, names)


cdef Identifier edited_value(Identifier self, int task, PyObject* const* arguments, Py_ssize_t count):
    """Call a method that edits a value, or return `None` if Python must do it."""
    if task == JOINED:
        return with_segments(self, None, arguments, count)
    if task == WITHOUT_PARAMS:
        return with_edited_params(self, REMOVE, tuple([<object>arguments[k] for k in range(count)]), None)
    if count == 2 and (task == WITH_PARAM or task == ADD_PARAM):
        return with_edited_params(
            self, SET if task == WITH_PARAM else ADD, <object>arguments[0], <object>arguments[1]
        )
    if count != 1:
        return None
    argument = <object>arguments[0]
    if task < USERNAME:
        return with_part(self, task, argument)
    if task == AUTHORITY:
        return with_authority(self, argument)
    if task < AUTHORITY:
        return with_user_data(self, task, argument)
    if task < WITH_SEGMENTS:
        return with_new_name(self, task, argument)
    if task == WITH_PARAMS:
        return with_edited_params(self, BUILD, argument, None)
    if task == WITH_SEGMENTS and (type(argument) is list or type(argument) is tuple):
        return with_segments(self, argument, NULL, 0)
    return None


cdef PyObject* call_fast_property(
    PyObject* method, PyObject* const* arguments, size_t count, PyObject* names
) except NULL:
    cdef object found = None
    if PyVectorcall_NARGS(count) == 1 and names is NULL:
        found = read_property(<object>arguments[0], (<FastMethod>method).part)
        if found is not None:
            Py_INCREF(found)
            return <PyObject*>found
    return PyObject_Vectorcall(<PyObject*>(<FastMethod>method).function, arguments, count, names)


cdef object read_property(object owner, int task):
    """Return a property of a value or of its segments, or `None` if Python must compute it."""
    cdef Identifier value
    cdef str path
    if not is_identifier(owner):
        if not isinstance(owner, PathParts):
            return None
        path = <str>(<PathParts>owner).held
        if not PyUnicode_IS_ASCII(path):
            return None
        return read_path(<const unsigned char*>PyUnicode_DATA(path), 0, PyUnicode_GET_LENGTH(path), task)
    value = <Identifier>owner
    if task == SEGMENTS:
        return segments_of(value)
    if task == PARAMS:
        return None if params_class is None else pairs(params_class, query_of(value), True, c"&")
    if not PyUnicode_IS_ASCII(<str>value.held):
        return None
    if task == PARENT:
        return parent_of(value)
    if task == EFFECTIVE_PORT:
        return effective_port(value)
    if task == IS_DEFAULT_PORT:
        return has_default_port(value)
    return read_path(
        <const unsigned char*>PyUnicode_DATA(<str>value.held), value.path_start, value.path_end, task
    )


cdef object effective_port(Identifier self):
    """Return the port of an ASCII string or the default port of its scheme; see `read_property`."""
    cdef int number = short_port(self)
    if number < 0 and self.host_end >= 0 and self.host_end + 1 >= self.path_start:
        number = default_port(self)
    return number if number >= 0 else None


cdef object has_default_port(Identifier self):
    """Return whether an ASCII string has the default port of its scheme; see `read_property`."""
    cdef int number = short_port(self), default = default_port(self)
    if default < 0 or (number < 0 and self.host_end + 1 < self.path_start):
        return None
    return number < 0 or number == default


cdef int default_port(Identifier self) except -2:
    """Return the default port of the scheme of an ASCII string, or -1 if Python must find it."""
    cdef Rules* rules
    if self.scheme_end < 0 or self.authority_start < 0:
        return -1
    know_schemes()
    rules = rules_of_any_case(<const unsigned char*>PyUnicode_DATA(<str>self.held), self.scheme_end)
    return -1 if rules is NULL else rules.port


cdef Identifier built(type cls, Identifier before, PyObject* const* values, tuple names):
    """Build a value from the arguments of `URI.build`, or of `replace` on the value `before`.

    Return `None` if the arguments are rare ones, or if they may be wrong.
    """
    cdef Component[7] parts
    cdef object name, value, port, userinfo, username = None, password = None, params = None
    cdef int k
    cdef Py_ssize_t i
    if before is None:
        for k in range(7):
            parts[k].text = NULL
        is_component(&parts[4], "")
    else:
        components_of(before, parts)
    for i in range(len(names)):
        # Names in source code are interned, so they are the same objects as these constants.
        name, value = names[i], <object>values[i]
        if name is "scheme":
            k = 0
        elif name is "host":
            k = 2
        elif name is "port":
            value = port = digits_of(value)  # `port` keeps the digits alive
            k = 3
        elif name is "path":
            k = 4
        elif name is "query":
            k = 5
        elif name is "fragment":
            k = 6
        elif name is "userinfo":
            k = 1
        elif before is not None:
            return None
        elif name is "username":
            username = value
            continue
        elif name is "password":
            password = value
            continue
        elif name is "params":
            if public_rule(cls) < 0:
                return None  # `with_params` would not return a `cls`
            params = value
            continue
        else:
            return None
        if not is_component(&parts[k], value):
            return None
    if username is not None or password is not None:
        userinfo = userinfo_of(username, password)
        if userinfo is None or parts[1].text is not NULL:
            return None
        is_component(&parts[1], userinfo)
    if params is not None and parts[5].text is not NULL:
        return None
    found = compose(cls, parts, before)
    return found if found is None or params is None else found.with_params(params)


cdef Identifier with_authority(Identifier self, authority):
    """Replace the authority of an ASCII string by another one.

    Return `None` if the old or the new string has no authority, or if the new one is invalid.
    """
    cdef str held = <str>self.held, whole
    cdef const unsigned char* p
    cdef unsigned char* out
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), w, shift
    cdef Scan at
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(held):
        return None
    if not PyUnicode_CheckExact(authority) or not PyUnicode_IS_ASCII(<str>authority):
        return None
    shift = PyUnicode_GET_LENGTH(<str>authority) - (self.path_start - self.authority_start)
    if n + shift > LONGEST_TEXT:
        return None
    whole = PyUnicode_New(n + shift, 0x7F)
    p, out = <const unsigned char*>PyUnicode_DATA(held), <unsigned char*>PyUnicode_DATA(whole)
    w = put(out, 0, p, 0, self.authority_start)
    w = put(out, w, <const unsigned char*>PyUnicode_DATA(<str>authority), 0, PyUnicode_GET_LENGTH(<str>authority))
    put(out, w, p, self.path_start, n)
    if scan_text(whole, rule_of(type(self)), &at) != NOTHING:
        return None
    # Everything before and after the authority is the same if these bounds are where they should be.
    if (
        at.scheme_end != self.scheme_end or at.authority != self.authority_start or at.path != w
        or at.path_end != self.path_end + shift or at.query_end != self.query_end + shift
    ):
        return None
    return derived(self, whole, &at)


cdef Identifier with_user_data(Identifier self, int part, data):
    """Replace the user name or the password by ASCII data, and keep the other one.

    Return `None` for other data, and for a URI without an authority.
    """
    cdef unsigned char[ROOM] out
    cdef const unsigned char* held
    cdef Py_ssize_t w = 0, at = self.host_start - 1, colon
    if self.authority_start < 0 or not PyUnicode_IS_ASCII(<str>self.held):
        return None
    at = max(at, self.authority_start)  # without userinfo, both offsets are those of the host
    if at - self.authority_start >= ROOM:
        return None
    colon = colon_in_userinfo(self)
    held = <const unsigned char*>PyUnicode_DATA(<str>self.held)
    if part == PASSWORD:
        w = put(out, 0, held, self.authority_start, colon)
        out[w] = c":"
        w += 1
    w = put_user_data(out, w, data)
    if w < 0 or w + at - colon > ROOM:
        return None
    if part == USERNAME:
        w = put(out, w, held, colon, at)
    return with_part(self, 1, text_of(out, w))


cdef str userinfo_of(username, password):
    """Percent-encode a user name and a password, each of which may be `None`.

    Return `None` for data that is not ASCII.
    """
    cdef unsigned char[ROOM] out
    cdef Py_ssize_t w = 0
    if username is not None:
        w = put_user_data(out, 0, username)
    if w >= 0 and password is not None:
        if w == ROOM:
            return None
        out[w] = c":"
        w = put_user_data(out, w + 1, password)
    return None if w < 0 else text_of(out, w)


cdef Py_ssize_t put_user_data(unsigned char* out, Py_ssize_t w, data):
    """Percent-encode a user name or a password, including colons, which end the user name.

    Return the offset after it, or `-1` if the data is not ASCII or may not fit into `ROOM` bytes.
    """
    cdef const unsigned char* p
    cdef Py_ssize_t i, n
    if not PyUnicode_CheckExact(data) or not PyUnicode_IS_ASCII(<str>data):
        return -1
    p, n = <const unsigned char*>PyUnicode_DATA(<str>data), PyUnicode_GET_LENGTH(<str>data)
    if w + 3 * n > ROOM:
        return -1
    for i in range(n):
        if FLAGS[p[i]] & IN_USERINFO and p[i] != c":":
            out[w] = p[i]
            w += 1
        else:
            out[w] = c"%"
            out[w + 1] = DIGITS[p[i] >> 4]
            out[w + 2] = DIGITS[p[i] & 0x0F]
            w += 3
    return w


cdef Identifier with_edited_params(Identifier self, int edit, first, second):
    """Edit the parameters of a query; see `write_edited`.

    Return `None` if the result may be invalid, or if the query is to be removed.
    """
    cdef Query q
    cdef Text old
    cdef str query = None  # it keeps the bytes of the old query alive
    if edit == BUILD and first is None:
        return None
    if edit == BUILD and isinstance(first, Pairs):
        return with_part(self, 5, <str>(<Pairs>first).held)
    begin(&q, True, c"&")
    old.owned = NULL
    try:
        if PyUnicode_IS_ASCII(<str>self.held):
            old.p = <const unsigned char*>PyUnicode_DATA(<str>self.held) + self.path_end + 1
            old.n = max(self.query_end - self.path_end - 1, 0)
        else:
            query = query_of(self)
            open_text("" if query is None else query, &old)
        present = write_edited(&q, &old, self.path_end < self.query_end, edit, first, second)
        return with_query(self, &q, present)
    finally:
        close_text(&old)
        close_query(&q)


cdef inline str query_of(Identifier self):
    return part(self, self.path_end + 1, self.query_end) if self.path_end < self.query_end else None


cdef Identifier with_query(Identifier self, Query* q, bint present):
    """Return a copy of a value with an edited query, or without a query.

    An ASCII string need not be scanned again: the query consists of pieces of the old query and of
    percent-encoded data, and no other component changes.
    """
    cdef Scan at
    cdef str held = <str>self.held, whole
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(held), end, length
    cdef const unsigned char* p = <const unsigned char*>PyUnicode_DATA(held)
    cdef unsigned char* out
    end = self.path_end + (q.n + 1 if present else 0)
    length = end + n - self.query_end
    if length > LONGEST_TEXT or not PyUnicode_IS_ASCII(held):
        return with_part(self, 5, text_of(q.out, q.n) if present else None)
    if end == self.query_end and (not present or memcmp(p + self.path_end + 1, q.out, q.n) == 0):
        return self
    whole = PyUnicode_New(length, 0x7F)
    out = <unsigned char*>PyUnicode_DATA(whole)
    memcpy(out, p, self.path_end)
    if present:
        out[self.path_end] = c"?"
        memcpy(out + self.path_end + 1, q.out, q.n)
    memcpy(out + end, p + self.query_end, n - self.query_end)
    places(self, &at)
    at.query_end = end
    return derived(self, whole, &at)
