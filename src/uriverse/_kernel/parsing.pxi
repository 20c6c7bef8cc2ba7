# The functions that parse and validate strings, and the errors that they raise: the functions of
# `uriverse._uri.identifier`.
# Other files call `scan_valid`, `raise_parse_error`, `get_public_rule`, `is_identifier`,
# `get_rule`, `require_self` and `parse_rule_name`.

cdef inline bint matches_rule(object text, int rule) except -1:
    cdef Scan bounds
    return scan_text(as_text(text), rule, &bounds, with_places=False) == NOTHING


def is_uri(text, /):
    return matches_rule(text, ASCII_ONLY | NEEDS_SCHEME)


def is_uri_reference(text, /):
    return matches_rule(text, ASCII_ONLY)


def is_absolute_uri(text, /):
    return matches_rule(text, ASCII_ONLY | NEEDS_SCHEME | NO_FRAGMENT)


def is_iri(text, /):
    return matches_rule(text, NEEDS_SCHEME)


def is_iri_reference(text, /):
    return matches_rule(text, 0)


def parse(text, /):
    cdef Scan bounds
    cdef str exact = as_text(text)
    scan_valid(exact, 0, &bounds)
    # An ASCII string matches a rule of RFC 3986 if and only if it matches that of RFC 3987.
    return create_most_specific(exact, &bounds)


cdef int scan_valid(str text, int rule, Scan* bounds) except -1:
    cdef int invalid = scan_text(text, rule, bounds)
    return 0 if invalid == NOTHING else set_parse_error(text, rule, invalid, bounds.position)


cdef int raise_parse_error(str text, int rule, int invalid, Py_ssize_t position) except -1:
    return set_parse_error(text, rule, invalid, position)


cdef int set_parse_error(str text, int rule, int invalid, Py_ssize_t position) except -2:
    """Set the `ParseError` for a string as the current exception, and return -1.

    Unlike the `raise` statement, this does not add a line of the kernel to the traceback. Adding
    the lines of all callers would take longer than everything else. A caller can pass the exception
    on without adding its line, if it returns its error value explicitly.
    """
    global ParseError, deferred_parse_error
    if not is_published(&knows_parse_error):
        from uriverse._spec import messages
        deferred_parse_error = messages.deferred_parse_error
        ParseError = deferred_parse_error.kind
        publish(&knows_parse_error)
    # This is `raise deferred_parse_error(...)` without calls of Python functions. `tp_new` is the
    # function of `BaseException`, which stores the tuple as `args`.
    PyErr_SetObject(
        ParseError,
        (<PyTypeObject*>ParseError).tp_new(
            <PyTypeObject*>ParseError,
            (deferred_parse_error, text, RULES[rule], COMPONENTS[invalid], position),
            NULL,
        ),
    )
    return -1


cdef inline int get_public_rule(type cls) noexcept:
    """Return the rule of a public type, or -1 for any other type."""
    cdef int rule
    for rule in range(4):
        if <PyObject*>cls is TYPES[rule]:
            return rule
    return -1


cdef inline bint is_identifier(object value) noexcept:
    """Return whether an object is an `Identifier`, and save the search in its base classes if possible."""
    return get_public_rule(type(value)) >= 0 or isinstance(value, Identifier)


cdef inline int get_rule(type cls) except -1:
    """Return the grammar rule that a class of URIs or IRIs must match, as an index of `RULES`."""
    cdef int rule = get_public_rule(cls)
    if rule >= 0:
        return rule
    # Callers can pass any class to a class method, so make sure that its objects have our layout.
    if issubclass(cls, Identifier) and hasattr(cls, "_rule"):
        return RULES.index(cls._rule)
    raise TypeError(f"{cls.__name__} must be a subclass of IRIReference")


cdef PyObject* construct_value(
    PyObject* cls, PyObject* const* arguments, size_t count, PyObject* names
) except NULL:
    """Implement `cls(text)` of public types as their `tp_vectorcall`, which subclasses do not inherit (PEP 590)."""
    cdef Scan bounds
    cdef str text
    cdef Identifier self
    if PyVectorcall_NARGS(count) != 1 or names is not NULL:
        name = (<type>cls).__name__
        raise TypeError(f"{name}() takes one string: use build for components, repair to mend a string")
    if type(<object>arguments[0]) is <type>cls:
        Py_INCREF(<object>arguments[0])  # values are immutable
        return arguments[0]
    # `get_public_rule` would not do: if the package is imported again, this function is still called for
    # the types of the first import.
    cdef int rule = get_rule(<type>cls), known = get_public_rule(type(<object>arguments[0])), invalid
    text = as_text(<object>arguments[0])
    if known >= 0 and known & rule == rule:
        copy_bounds(<Identifier><object>arguments[0], &bounds)  # a URI is also an IRI, and so on
    else:
        invalid = scan_text(text, rule, &bounds)
        if invalid != NOTHING:
            set_parse_error(text, rule, invalid, bounds.position)
            return NULL
    self = create_value(<type>cls, text, &bounds)
    Py_INCREF(self)
    return <PyObject*>self


cdef inline int require_self(object value, type cls, str method) except -1:
    """Raise `TypeError` if a method is called on its class with another object as `self`.

    Cython checks the type of all arguments but that one: `map(URI.relative_form, texts)` would read
    memory outside of the object.
    """
    cdef type kind = type(value)
    if kind is cls or (cls is Identifier and get_public_rule(kind) >= 0):
        return 0  # the common cases
    # `isinstance` would believe an object that claims another `__class__`, such as a mock.
    if not PyType_IsSubtype(<PyTypeObject*>kind, <PyTypeObject*>cls):
        raise TypeError(f"{method}() requires {cls.__name__} as self, not {kind.__name__}")
    return 0


cdef int parse_rule_name(str rule) except -1:
    cdef int number = RULES.index(rule.replace("absolute-", ""))
    return number | NO_FRAGMENT if rule.startswith("absolute-") else number
