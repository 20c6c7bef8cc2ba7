# URI Templates: `uriverse.templates`. Errors, unusual values and URIs that need a closer look are left to
# the Python functions: the methods then return `NotImplemented`.
# Other files call `fill_kept_in_expansion`, `expand_spans`, `match_scanned` and `collect_values`.

cdef enum:
    # The shapes of values, and their types.
    ANY_SHAPE = -1
    ONE_VALUE, LIST_OF_VALUES, MAPPING_OF_VALUES, LIST_OR_MAPPING

cdef enum:
    STRING_TYPE, NUMBER_TYPE, CHOICE_TYPE

cdef enum:
    EITHER = 2  # Some forms of the template have a scheme or an authority, and others do not.
    NO_POSITION = 0xFFFF
    MOST_DIGITS = 18  # a number with that many digits is an `int64_t`

# The characters that an expansion keeps: bit 0 for simple expansion, bit 1 for reserved expansion.
cdef unsigned char[256] KEPT_IN_EXPANSION


cdef void fill_kept_in_expansion() noexcept:
    """Fill the table, once the tables of the grammar are filled."""
    cdef int c
    for c in range(256):
        KEPT_IN_EXPANSION[c] = 3 if FLAGS[c] & UNRESERVED else 0
    for c in b":/?#[]@!$&'()*+,;=":
        KEPT_IN_EXPANSION[c] |= 2


# --- expansion

cdef struct VariableEntry:
    Octets label  # its name as it is written
    Py_ssize_t prefix  # the prefix length, or -1
    bint explode
    int kind, shape

cdef struct StepEntry:
    # A literal, which is `first`, or an expression with the variables from `start` to `end`.
    Octets first, separator, empty
    bint named, reserved
    int start, end


cdef class TemplateExpansion:
    """A template in the form in which the kernel expands it.

    Args:
        steps: a literal as bytes; or an expression: its first string, its separator, the string after the
            name of an empty value, whether it is named, whether it keeps reserved characters, and its
            variables: for each one the octets of its name, the prefix length or -1, whether it is exploded,
            its type and its shape.
        names: the names of all variables.
        choices: for each variable, the strings that it may have, if it has the type of choices.
    """

    cdef StepEntry* steps
    cdef VariableEntry* variables
    cdef list kept, names, choices
    cdef int step_count

    def __cinit__(self, list steps, list names, list choices, /):
        cdef StepEntry* step
        cdef VariableEntry* variable
        cdef int k, count = 0
        self.kept, self.names, self.choices = steps, names, choices
        self.steps = <StepEntry*>PyMem_Malloc(max(len(steps), 1) * sizeof(StepEntry))
        self.variables = <VariableEntry*>PyMem_Malloc(max(len(names), 1) * sizeof(VariableEntry))
        if self.steps is NULL or self.variables is NULL:
            raise MemoryError
        for k in range(len(steps)):
            step = &self.steps[k]
            step.start = step.end = count
            if type(steps[k]) is bytes:
                step.first = get_octets(<bytes>steps[k])
                continue
            first, separator, empty, step.named, step.reserved, variables = steps[k]
            step.first, step.separator, step.empty = get_octets(first), get_octets(separator), get_octets(empty)
            for label, prefix, explode, kind, shape in variables:
                variable = &self.variables[count]
                variable.label, variable.prefix, variable.explode = get_octets(label), prefix, explode
                variable.kind, variable.shape = kind, shape
                count += 1
            step.end = count
        self.step_count = len(steps)

    def __dealloc__(self):
        PyMem_Free(self.steps)
        PyMem_Free(self.variables)

    def expand(self, dict values, /):
        """Return the expansion of a template as a string, or `NotImplemented`."""
        cdef Output output
        cdef int k
        open_query(&output, False, c"&")
        try:
            for k in range(self.step_count):
                if self.steps[k].start == self.steps[k].end:
                    write_octets(&output, self.steps[k].first)
                elif not write_expression(&output, self, &self.steps[k], values):
                    return NotImplemented
            return create_ascii(output.out, output.n)
        finally:
            close_query(&output)


cdef inline int write_octets(Output* output, Octets octets) except -1:
    return write_span(output, octets.p, 0, octets.n)


cdef bint write_expression(Output* output, TemplateExpansion program, StepEntry* step, dict values) except -1:
    """Write an expression; return whether all its values are usual ones."""
    cdef VariableEntry* variable
    cdef bint begun = False, is_list
    cdef int k
    for k in range(step.start, step.end):
        value = values.get(program.names[k])
        if value is None:
            continue
        variable = &program.variables[k]
        is_list = type(value) is list or type(value) is tuple
        if is_list or type(value) is dict:
            if variable.prefix >= 0 or variable.kind != STRING_TYPE:
                return False
            if variable.shape == ONE_VALUE or variable.shape == (MAPPING_OF_VALUES if is_list else LIST_OF_VALUES):
                return False
            if not value:
                continue
            if variable.explode:
                if not write_exploded(output, step, variable, value, begun):
                    return False
                begun = True
                continue
        elif variable.shape > ONE_VALUE or (variable.kind == CHOICE_TYPE and value not in <tuple>program.choices[k]):
            return False
        write_octets(output, step.separator if begun else step.first)
        begun = True
        if step.named:
            write_octets(output, variable.label)
        if is_list or type(value) is dict:
            if not write_list(output, step, value):
                return False
        elif not write_member(output, step, variable, value, step.named):
            return False
    return True


cdef bint write_exploded(Output* output, StepEntry* step, VariableEntry* variable, value, bint begun) except -1:
    cdef bint with_keys = type(value) is dict
    for item in value:
        write_octets(output, step.separator if begun else step.first)
        begun = True
        if with_keys:
            if type(item) is not str or not write_text(output, <str>item, -1, step.reserved):
                return False
            if not step.named:
                write_span(output, b"=", 0, 1)
            item = (<dict>value)[item]
        elif type(item) is tuple:  # a list of pairs
            return False
        elif step.named:
            write_octets(output, variable.label)
        if not write_member(output, step, variable, item, step.named):
            return False
    return True


cdef bint write_list(Output* output, StepEntry* step, value) except -1:
    cdef bint with_keys = type(value) is dict, begun = False
    cdef Py_ssize_t start
    if step.named:
        write_span(output, b"=", 0, 1)
    start = output.n
    for item in value:
        if begun:
            write_span(output, b",", 0, 1)
        begun = True
        if with_keys:
            if type(item) is not str or not write_text(output, <str>item, -1, step.reserved):
                return False
            write_span(output, b",", 0, 1)
            item = (<dict>value)[item]
        elif type(item) is tuple:  # a list of pairs
            return False
        if not write_member(output, step, NULL, item, False):
            return False
    if step.named and output.n == start:
        output.n -= 1
        write_octets(output, step.empty)
    return True


cdef bint write_member(Output* output, StepEntry* step, VariableEntry* variable, value, bint named) except -1:
    """Write a value, after "=" if it is named; return whether it is a usual one."""
    if variable is not NULL and variable.kind == NUMBER_TYPE and type(value) is not int:
        return False
    value = simplify_value(value)
    if type(value) is not str:
        return False
    if named:
        if <str>value:
            write_span(output, b"=", 0, 1)
        else:
            write_octets(output, step.empty)
    return write_text(output, <str>value, -1 if variable is NULL else variable.prefix, step.reserved)


cdef bint write_text(Output* output, str text, Py_ssize_t prefix, bint reserved) except -1:
    """Write a string percent-encoded; return whether it is without lone surrogates."""
    cdef Text utf8
    cdef Py_ssize_t n
    open_text(text, &utf8)
    try:
        if not PyUnicode_IS_ASCII(text) and has_surrogate(utf8.p, utf8.n):
            return False
        n = measure_prefix(utf8.p, utf8.n, prefix)
        write_room(output, n, 3)
        output.n = write_expanded(output.out, output.n, utf8.p, n, reserved)
        return True
    finally:
        close_text(&utf8)


cdef Py_ssize_t measure_prefix(const unsigned char* text, Py_ssize_t n, Py_ssize_t prefix) noexcept nogil:
    """Return the number of octets of the first characters of valid UTF-8; of all without a prefix length."""
    cdef Py_ssize_t i = 0
    if prefix < 0 or prefix >= n:
        return n
    while i < n:
        # A character begins at each byte that does not continue one.
        prefix -= (text[i] & 0xC0) != 0x80
        if prefix < 0:
            break
        i += 1
    return i


cdef Py_ssize_t write_expanded(unsigned char* out, Py_ssize_t length, const unsigned char* text, Py_ssize_t n, bint reserved) noexcept nogil:
    """Write octets percent-encoded to `out`, which has room for three times as many; return the new end."""
    cdef unsigned char mask = 2 if reserved else 1
    cdef Py_ssize_t i = 0
    while i < n:
        if KEPT_IN_EXPANSION[text[i]] & mask:
            out[length] = text[i]
            length += 1
        elif reserved and text[i] == c"%" and i + 2 < n and is_triplet(text + i):
            length = put(out, length, text, i, i + 3)
            i += 2
        else:
            length = write_triplet(out, length, text[i])
        i += 1
    return length


cdef Py_ssize_t expand_spans(void* program, const signed char* places, Span* spans, bint* is_present, Scratch* out) noexcept nogil:
    """Write the expansion by a `TemplateExpansion`; return NO_OUTPUT if Python must do it, or NO_OUTPUT_MEMORY.

    `places` are the indexes of the variables in `spans` of valid UTF-8, or -1.
    """
    cdef StepEntry* step
    cdef VariableEntry* variable
    cdef Span* span
    cdef Py_ssize_t length = 0, n
    cdef int64_t number
    cdef int k, v
    cdef bint begun
    for k in range((<TemplateExpansion>program).step_count):
        step = &(<TemplateExpansion>program).steps[k]
        if step.start == step.end:
            if reserve(out, length + step.first.n) != DONE:
                return NO_OUTPUT_MEMORY
            length = put(out.p, length, step.first.p, 0, step.first.n)
            continue
        begun = False
        for v in range(step.start, step.end):
            if places[v] < 0 or not is_present[places[v]]:
                continue
            variable = &(<TemplateExpansion>program).variables[v]
            span = &spans[places[v]]
            if variable.prefix >= 0 and variable.shape > ONE_VALUE:
                return NO_OUTPUT
            if variable.kind == NUMBER_TYPE and read_number(span.p, span.n, &number) != MATCHES:
                return NO_OUTPUT
            n = measure_prefix(span.p, span.n, variable.prefix)
            # No operator has a string of more than one octet.
            if n > LONGEST_TEXT or reserve(out, length + 3 * n + variable.label.n + 3) != DONE:
                return NO_OUTPUT if n > LONGEST_TEXT else NO_OUTPUT_MEMORY
            if begun:
                length = put(out.p, length, step.separator.p, 0, step.separator.n)
            else:
                length = put(out.p, length, step.first.p, 0, step.first.n)
            begun = True
            if step.named:
                length = put(out.p, length, variable.label.p, 0, variable.label.n)
                if span.n:
                    out.p[length] = c"="
                    length += 1
                else:
                    length = put(out.p, length, step.empty.p, 0, step.empty.n)
            length = write_expanded(out.p, length, span.p, n, step.reserved)
    # The buffer exists also if the expansion is empty.
    return NO_OUTPUT_MEMORY if reserve(out, length + 1) != DONE else length


# --- matching

cdef struct PositionTable:
    # A sequence in which each character decides the next position.
    const unsigned char* classes
    const uint16_t* following
    const unsigned char* ends
    const int16_t* slots
    const int16_t* begins
    Py_ssize_t kinds
    Octets start  # the literal before the first position

cdef struct SlotEntry:
    int shape, kind, choice_count
    Octets* choices  # the strings that it may have, in UTF-8
    bint reserved, named, is_required, in_path, in_authority, in_fragment, may_be_empty

cdef struct ParameterEntry:
    const unsigned char* name
    Py_ssize_t n
    int slot

cdef struct QueryItem:
    Py_ssize_t start, name_end, end
    bint is_taken


cdef class TemplateMatching:
    """A template in the form in which the kernel matches URIs.

    Args:
        head: the table for the scheme, the authority and the path; see `templates._compiled.table_of`.
        fragment: the table for the fragment, or `None`.
        slots: the variables; see `templates._compiled.slot_for_kernel`.
        parameters: the names of the parameters of the query, and their slots.
        options: whether URIs have a scheme and an authority (2 for both), need a query and a fragment, and
            may have other parameters.
    """

    cdef PositionTable head, fragment
    cdef SlotEntry slots[MOST_SLOTS]
    cdef ParameterEntry parameters[MOST_SLOTS]
    cdef readonly list names
    cdef list kept
    cdef int slot_count, parameter_count, has_scheme, has_authority
    cdef bint needs_query, needs_fragment, extra, has_fragment

    def __cinit__(self, tuple head, fragment, list slots, list parameters, tuple options, /):
        cdef int k
        if len(slots) > MOST_SLOTS or len(parameters) > MOST_SLOTS:
            raise ValueError("too many variables")
        self.kept = [slots, parameters]
        self.names = [slot[0] for slot in slots]
        self.slot_count = len(slots)
        self.parameter_count = len(parameters)
        for k in range(self.parameter_count):
            name, self.parameters[k].slot = parameters[k]
            self.parameters[k].name = name
            self.parameters[k].n = len(name)
        self.has_scheme, self.has_authority, self.needs_query, self.needs_fragment, self.extra = options
        for k in range(self.slot_count):
            (
                _, self.slots[k].shape, self.slots[k].kind, choices, self.slots[k].reserved,
                self.slots[k].named, self.slots[k].is_required, self.slots[k].in_path,
                self.slots[k].in_authority, self.slots[k].in_fragment, self.slots[k].may_be_empty
            ) = slots[k]
            self.slots[k].choices = <Octets*>PyMem_Malloc(max(len(choices), 1) * sizeof(Octets))
            if self.slots[k].choices is NULL:
                raise MemoryError
            for choice in choices:
                self.slots[k].choices[self.slots[k].choice_count] = get_octets(choice)
                self.slots[k].choice_count += 1
        self.load(&self.head, head)
        self.has_fragment = fragment is not None
        if fragment is not None:
            self.load(&self.fragment, fragment)

    cdef int load(self, PositionTable* table, tuple component) except -1:
        start, (classes, following, slots, begins, ends) = component
        self.kept.append(component)
        table.start = get_octets(start)
        table.classes = classes
        table.following = <const uint16_t*><const unsigned char*>following
        table.slots = <const int16_t*><const unsigned char*>slots
        table.begins = <const int16_t*><const unsigned char*>begins
        table.ends = ends
        table.kinds = len(following) // 2 // len(ends)
        return 0

    def __dealloc__(self):
        cdef int k
        for k in range(MOST_SLOTS):
            PyMem_Free(self.slots[k].choices)

    def match(self, str text, /):
        """Return the values of the variables and the other parameters, `None`, or `NotImplemented`."""
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
        cdef const unsigned char* octets
        cdef Scan bounds
        cdef CapturedItems captured
        cdef DecodedItems items
        cdef int matched
        if not PyUnicode_IS_ASCII(text) or n > LONGEST_MATCHED:
            return NotImplemented
        octets = <const unsigned char*>PyUnicode_DATA(text)
        if not fast_scan(octets, n, 0, &bounds):
            return NotImplemented
        matched = match_scanned(<void*>self, octets, n, &bounds, &captured, &items)
        if matched == MATCHES:
            return collect_values(self, &captured, &items), collect_extra(octets, &captured)
        return None if matched == NO_MATCH else NotImplemented


cdef int match_scanned(
    void* program, const unsigned char* text, Py_ssize_t n, Scan* bounds, CapturedItems* captured, DecodedItems* items
) noexcept nogil:
    """Match with a `TemplateMatching`; return a result of matching."""
    cdef int matched = match_parts(<TemplateMatching>program, text, n, bounds, captured)
    return decode_items(<TemplateMatching>program, text, captured, items) if matched == MATCHES else matched


cdef int match_parts(TemplateMatching program, const unsigned char* text, Py_ssize_t n, Scan* bounds, CapturedItems* captured) noexcept nogil:
    """Match all components; return a result of matching."""
    cdef bint has_query = bounds.path_end < bounds.query_end, has_fragment = bounds.query_end < n
    cdef Py_ssize_t i
    cdef int matched
    captured.count = captured.extra_count = 0
    captured.mappings = 0
    if (
        (program.has_scheme != EITHER and program.has_scheme != (bounds.scheme_end >= 0))
        or (program.has_authority != EITHER and program.has_authority != (bounds.host >= 0))
        or (program.needs_query and not has_query)
        or (has_fragment and not program.has_fragment)
        or (program.needs_fragment and not has_fragment)
    ):
        return NO_MATCH
    # Schemes and hosts are compared in lower case, and triplets in normal form.
    for i in range(max(bounds.host_end, bounds.scheme_end)):
        if c"A" <= text[i] <= c"Z":
            return MATCH_UNKNOWN
    if not has_normal_triplets(text, n):
        return MATCH_UNKNOWN
    matched = follow_table(&program.head, text, 0, bounds.path_end, captured)
    if matched == MATCHES and may_have_dot_segment(text, bounds.path, bounds.path_end):
        return MATCH_UNKNOWN
    if matched == MATCHES and has_fragment:
        matched = follow_table(&program.fragment, text, bounds.query_end + 1, n, captured)
    if matched == MATCHES and has_query:
        matched = match_query(program, text, bounds.path_end + 1, bounds.query_end, captured)
    return add_required(program, captured, has_fragment) if matched == MATCHES else matched


cdef bint has_normal_triplets(const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return whether all triplets have upper-case digits, and none is of an unreserved character."""
    cdef Py_ssize_t i = find_octet(text, 0, n, c"%")
    while i < n:
        if text[i + 1] >= c"a" or text[i + 2] >= c"a" or FLAGS[decode_triplet(text + i)] & UNRESERVED:
            return False
        i = find_octet(text, i + 3, n, c"%")
    return True


cdef inline bint add_item(CapturedItems* captured, int slot, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Add a captured item; return false if there are too many."""
    if captured.count == MOST_ITEMS:
        return False
    captured.items[captured.count].slot = slot
    captured.items[captured.count].start = start
    captured.items[captured.count].end = end
    captured.count += 1
    return True


cdef int follow_table(PositionTable* table, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, CapturedItems* captured) noexcept nogil:
    """Match a component, and add its captured items; return a result of matching."""
    cdef Py_ssize_t position = 0, start
    cdef const uint16_t* row
    cdef int open_slot = -1
    cdef int16_t slot
    if end - i < table.start.n or memcmp(text + i, table.start.p, table.start.n):
        return NO_MATCH
    i += table.start.n
    while i < end:
        position = table.following[position * table.kinds + table.classes[text[i]]]
        if position == NO_POSITION:
            return NO_MATCH
        start = i
        i += 3 if text[i] == c"%" else 1
        slot = table.slots[position]
        if slot >= 0:
            # Most characters of a run stay at its position.
            row = table.following + position * table.kinds
            while i < end and row[table.classes[text[i]]] == position:
                i += 3 if text[i] == c"%" else 1
            if slot == open_slot:
                captured.items[captured.count - 1].end = i
            elif not add_item(captured, slot, start, i):
                return MATCH_UNKNOWN
            open_slot = slot
        elif table.begins[position] >= 0:
            open_slot = table.begins[position]
            if not add_item(captured, open_slot, i, i):
                return MATCH_UNKNOWN
    return table.ends[position]  # MATCHES or NO_MATCH


cdef bint may_have_dot_segment(const unsigned char* text, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    """Return whether a segment is, or may disguise, a dot segment."""
    cdef Py_ssize_t stop, k
    if not contains_octet(text, i, end, c"."):
        return False
    while i <= end:
        stop = find_octet(text, i, end, c"/")
        k = i
        while k < stop and text[k] == c".":
            k += 1
        # One or two dots, also before path parameters, as in `..;a`, and before or after encoded characters.
        if 1 <= k - i <= 2 and (k == stop or text[k] == c";" or text[k] == c"%"):
            return True
        if k == i and k < stop and text[k] == c"%" and contains_octet(text, k, stop, c"."):
            return True
        i = stop + 1
    return False


cdef int add_required(TemplateMatching program, CapturedItems* captured, bint has_fragment) noexcept nogil:
    """Add the empty values of variables that nothing is captured for; return MATCHES or MATCH_UNKNOWN."""
    cdef SlotEntry* slot
    cdef int k, j
    for k in range(program.slot_count):
        slot = &program.slots[k]
        if slot.is_required and (has_fragment or not slot.in_fragment):
            j = 0
            while j < captured.count and captured.items[j].slot != k:
                j += 1
            if j == captured.count and (slot.shape != ONE_VALUE or not add_item(captured, k, 0, 0)):
                return MATCH_UNKNOWN
    return MATCHES


cdef int match_query(TemplateMatching program, const unsigned char* text, Py_ssize_t i, Py_ssize_t end, CapturedItems* captured) noexcept nogil:
    """Distribute the parameters of a query; return a result of matching."""
    cdef QueryItem[MOST_ITEMS] query
    cdef int count = 0, k, j, times, slot
    cdef bint is_list, has_more = False
    while True:
        if count == MOST_ITEMS:
            return MATCH_UNKNOWN
        query[count].start = i
        query[count].is_taken = False
        query[count].end = find_octet(text, i, end, c"&")
        query[count].name_end = find_octet(text, i, query[count].end, c"=")
        i = query[count].end + 1
        count += 1
        if i > end:
            break
    for k in range(program.parameter_count):
        slot = program.parameters[k].slot
        if program.slots[slot].shape != ONE_VALUE:
            continue
        times = 0
        for j in range(count):
            if has_parameter_name(text, &query[j], &program.parameters[k]):
                times += 1
                query[j].is_taken = True
                if times > 1:
                    return NO_MATCH
                if not add_item(captured, slot, min(query[j].name_end + 1, query[j].end), query[j].end):
                    return MATCH_UNKNOWN
    for k in range(program.parameter_count):
        slot = program.parameters[k].slot
        if program.slots[slot].shape == ONE_VALUE:
            continue
        is_list = False
        for j in range(count if program.slots[slot].shape != MAPPING_OF_VALUES else 0):
            if not query[j].is_taken and has_parameter_name(text, &query[j], &program.parameters[k]):
                is_list = query[j].is_taken = True
                if not add_item(captured, slot, min(query[j].name_end + 1, query[j].end), query[j].end):
                    return MATCH_UNKNOWN
        if is_list or program.slots[slot].shape == LIST_OF_VALUES:
            continue
        captured.mappings |= <uint64_t>1 << slot
        for j in range(count):
            if not query[j].is_taken and query[j].start < query[j].end:
                query[j].is_taken = True
                if not add_item(captured, slot, query[j].start, query[j].end):
                    return MATCH_UNKNOWN
    for j in range(count):
        if not query[j].is_taken:
            has_more |= query[j].start < query[j].end
            captured.extra[captured.extra_count].start = query[j].start
            captured.extra[captured.extra_count].end = query[j].end
            captured.extra_count += 1
    # Nothing is between the "?" and the "&" that the template itself writes.
    if program.needs_query and not has_more:
        captured.extra_count = 0
    return MATCHES if program.extra or not captured.extra_count else NO_MATCH


cdef inline bint has_parameter_name(const unsigned char* text, QueryItem* item, ParameterEntry* parameter) noexcept nogil:
    cdef Py_ssize_t n = item.name_end - item.start
    return n == parameter.n and memcmp(text + item.start, parameter.name, n) == 0


# --- the values

cdef int decode_items(TemplateMatching program, const unsigned char* text, CapturedItems* captured, DecodedItems* out) noexcept nogil:
    """Decode and check all captured items; return a result of matching."""
    cdef SlotEntry* slot
    cdef CapturedItem* item
    cdef Py_ssize_t start
    cdef int j, matched
    out.n = 0
    for j in range(captured.count):
        item = &captured.items[j]
        slot = &program.slots[item.slot]
        start = item.start
        if captured.mappings >> item.slot & 1:  # The item is a name and a value.
            start = find_octet(text, start, item.end, c"=")
            if not decode_item(slot, text, item.start, start, out, &out.names[j]):
                return MATCH_UNKNOWN
            if is_name_repeated(captured, out, j):
                return MATCH_UNKNOWN
            start = min(start + 1, item.end)
        elif slot.named:
            start += 1  # The value in `;name=value` follows the sign.
            if start >= item.end:
                return MATCH_UNKNOWN  # The parameter may not end after a name without a value.
        if not decode_item(slot, text, start, item.end, out, &out.values[j]):
            return MATCH_UNKNOWN
        matched = accepts_value(slot, &out.values[j], &out.numbers[j])
        if matched != MATCHES:
            return matched
    return MATCHES


cdef inline bint are_equal(Octets* one, Octets* other) noexcept nogil:
    return one.n == other.n and memcmp(one.p, other.p, one.n) == 0


cdef bint is_name_repeated(CapturedItems* captured, DecodedItems* out, int j) noexcept nogil:
    """Return whether an earlier item of the same mapping has the same name; a mapping takes neither."""
    cdef int k
    for k in range(j):
        if captured.items[k].slot == captured.items[j].slot and are_equal(&out.names[k], &out.names[j]):
            return True
    return False


cdef int accepts_value(SlotEntry* slot, Octets* value, int64_t* number) noexcept nogil:
    """Match a value with the type of its variable."""
    cdef int k
    if slot.kind == STRING_TYPE:
        return MATCHES
    if slot.kind == NUMBER_TYPE:
        return read_number(value.p, value.n, number)
    for k in range(slot.choice_count):
        if are_equal(value, &slot.choices[k]):
            return MATCHES
    return NO_MATCH


cdef int read_number(const unsigned char* text, Py_ssize_t n, int64_t* number) noexcept nogil:
    """Read a number in canonical form; return NO_MATCH for another string, MATCH_UNKNOWN for too many digits."""
    cdef Py_ssize_t first = 1 if n > 0 and text[0] == c"-" else 0
    cdef Py_ssize_t i = first
    if n - first > MOST_DIGITS:
        return MATCH_UNKNOWN
    if n == first or (text[first] == c"0" and n > 1):
        return NO_MATCH
    number[0] = 0
    while i < n:
        if not c"0" <= text[i] <= c"9":
            return NO_MATCH
        number[0] = number[0] * 10 + (text[i] - c"0")
        i += 1
    if first:
        number[0] = -number[0]
    return MATCHES


cdef bint decode_item(
    SlotEntry* slot, const unsigned char* text, Py_ssize_t start, Py_ssize_t end, DecodedItems* out, Octets* item
) noexcept nogil:
    """Decode an item; return False if it might be unsafe or is not UTF-8."""
    cdef Py_ssize_t i = start, length = out.n
    cdef unsigned char c
    if slot.in_path and start == end and not slot.may_be_empty:
        return False
    if not contains_octet(text, start, end, c"%"):
        item.p, item.n = text + start, end - start
        return not slot.in_path or is_safe_in_path(slot, item.p, item.n)
    if end - start > LONGEST_DECODED - length:
        return False
    while i < end:
        c = text[i]
        i += 1
        if c == c"%":
            c = decode_triplet(text + i - 1)
            i += 2
            # In an authority, an encoded delimiter may end the host.
            if (slot.reserved or slot.in_authority) and (KEPT_IN_EXPANSION[c] == 2 or c == c"%"):
                return False
            if slot.in_path and (c < 0x20 or c == 0x7F or c == c"/" or c == c"\\" or c == c"%"):
                return False
            # The C1 controls begin with this octet.
            if slot.in_path and c == 0xC2:
                return False
        out.octets[length] = c
        length += 1
    item.p, item.n = out.octets + out.n, length - out.n
    out.n = length
    return is_utf8(item.p, item.n) and (not slot.in_path or is_safe_in_path(slot, item.p, item.n))


cdef bint is_safe_in_path(SlotEntry* slot, const unsigned char* text, Py_ssize_t n) noexcept nogil:
    """Return whether a decoded value has no dot segments, and no slash that may join an empty segment."""
    cdef Py_ssize_t i = 0, k, dots
    # Some non-ASCII characters look like dots or slashes, and some disappear. A character that looks like
    # dots begins with one of two octets.
    if not is_ascii(text, n) and (
        contains_octet(text, 0, n, c".") or contains_octet(text, 0, n, 0xE2) or contains_octet(text, 0, n, 0xEF)
    ):
        return False
    while True:
        k = i
        while k < n and text[k] == c" ":
            k += 1
        dots = k
        while k < n and text[k] == c".":
            k += 1
        if 1 <= k - dots <= 2 and (k == n or memchr(b"/;?# ", text[k], 5)):
            return False
        if not slot.reserved:
            return True
        while k < n and text[k] != c"/":
            k += 1
        if k == n:
            return True
        # A slash at an end of the value may meet one of the template.
        if k == 0 or k + 1 == n or text[k + 1] == c"/":
            return False
        i = k + 1


cdef dict collect_values(TemplateMatching program, CapturedItems* captured, DecodedItems* items):
    cdef dict values = {}
    cdef int k, j
    for k in range(program.slot_count):
        value = None
        for j in range(captured.count):
            if captured.items[j].slot != k:
                continue
            decoded = items.numbers[j] if program.slots[k].kind == NUMBER_TYPE else decode_utf8(items.values[j].p, items.values[j].n)
            if program.slots[k].shape == ONE_VALUE:
                value = decoded
            elif captured.mappings >> k & 1:
                value = {} if value is None else value
                (<dict>value)[decode_utf8(items.names[j].p, items.names[j].n)] = decoded
            else:
                value = [] if value is None else value
                (<list>value).append(decoded)
        if value is not None:
            values[program.names[k]] = value
    return values


cdef str collect_extra(const unsigned char* text, CapturedItems* captured):
    """Return the parameters that the template does not contain; `None` without any."""
    cdef int j
    if not captured.extra_count:
        return None
    return "&".join([
        create_ascii(text + captured.extra[j].start, captured.extra[j].end - captured.extra[j].start)
        for j in range(captured.extra_count)
    ])
