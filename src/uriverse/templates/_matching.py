"""Match URIs against the pattern of a template, and convert the captured strings to values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple, cast

from uriverse._redaction import MASK, redact_invalid
from uriverse._redaction.secrets import is_secret
from uriverse._spec.percent import pct_encode
from uriverse._uri.engine import Identifier, get_bounds
from uriverse.percent import decode

from ._expansion import decode_reserved_expansion
from ._parsing import OPERATORS, Part
from ._patterns import PATH_REGIONS, Pattern, Region, Slot, format_label, lowercase, normalize_text
from ._safety import Hazard, Head, find_hazards, find_surrounding_hazards, parse_head
from ._sequences import Captures, Readings, Sequence, split_symbols

#: The largest number of ways to match a URI that are examined.
MAX_READINGS = 256

NON_ASCII = re.compile("[^\0-\x7f]+")


class TooManyReadingsError(Exception):
    """A URI matches in more ways than are examined."""


class Target(NamedTuple):
    """A URI in the form in which patterns are compared with it.

    Percent-encoded triplets are in normal form, and non-ASCII characters are percent-encoded.
    """

    has_scheme: bool
    has_authority: bool
    #: The symbols before the query.
    head: list[str]
    #: The same symbols, with the scheme and the host in lower case.
    compared: list[str]
    query: list[str] | None
    #: The parameters as the URI writes them.
    raw_query: list[str] | None
    fragment: str | None


def normalize_target(uri: Identifier) -> Target:
    text = str(uri)
    offsets = get_bounds(uri)  # -1 for undefined components
    scheme_end = max(offsets.scheme_end, 0)
    path_end, query_end = offsets.path_end, offsets.query_end
    # Without an authority, the host is empty, and where the path starts.
    host_start = max(offsets.host, offsets.scheme_end + 1)
    host_end = max(offsets.host_end, offsets.scheme_end + 1)

    def normalize_part(start: int, end: int) -> str:
        return normalize_text(encode_non_ascii(text[start:end]))

    scheme = normalize_part(0, scheme_end)
    before_host = normalize_part(scheme_end, host_start)  # the delimiters and the userinfo
    host = normalize_part(host_start, host_end)
    after_host = normalize_part(host_end, path_end)  # the port and the path
    raw_query = text[path_end + 1 : query_end].split("&") if path_end < query_end else None
    query = raw_query and [normalize_text(encode_non_ascii(raw)) for raw in raw_query]
    return Target(
        has_scheme=offsets.scheme_end >= 0,
        has_authority=offsets.host >= 0,
        head=split_symbols(scheme + before_host + host + after_host),
        compared=split_symbols(scheme.lower() + before_host + lowercase(host) + after_host),
        query=query,
        raw_query=raw_query,
        fragment=normalize_part(query_end + 1, len(text)) if query_end < len(text) else None,
    )


def get_uri_text(uri: str | Identifier) -> str:
    if isinstance(uri, str):
        return str.__str__(uri)
    if isinstance(uri, Identifier):
        return str(uri)
    raise TypeError(f"expected a str or a URI, not {type(uri).__name__}")


def encode_non_ascii(text: str) -> str:
    """Percent-encode non-ASCII characters, lone surrogates too."""
    return NON_ASCII.sub(lambda run: pct_encode(run[0].encode(errors="surrogatepass")), text)


def normalize_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(
        normalize_text(encode_non_ascii(part)) if isinstance(part, str) else part for part in parts
    )


class Component(NamedTuple):
    """A component that matches, with the index of each symbol, and its `head`, if it has one."""

    readings: Readings
    symbols: list[str]
    head: Head | None = None
    offsets: tuple[int, ...] = ()


class ComponentMatch(NamedTuple):
    #: The components that match sequences.
    components: list[Component]
    #: The items of the variables in the query, by slot.
    items: dict[int, list[str]]
    #: The other parameters of the query, as the URI writes them.
    extra: str | None
    #: The components that the URI has.
    regions: frozenset[Region]


def match_components(pattern: Pattern, target: Target) -> ComponentMatch | None:
    if not has_same_components(pattern, target):
        return None
    head = pattern.head.find_readings(target.compared, target.head)
    if head is None:
        return None
    offsets = (0, *accumulate(map(len, target.head)))
    components = [Component(head, target.head, parse_head("".join(target.head)), offsets)]
    items: dict[int, list[str]] = {}
    extra: str | None = None
    regions: set[Region] = set(PATH_REGIONS)
    if pattern.fragment is not None and target.fragment is not None:
        regions.add("fragment")
        if not add_component(components, pattern.fragment, target.fragment):
            return None
    if target.query is not None and target.raw_query is not None:
        regions.add("query")
        if pattern.query is not None:
            if not add_component(components, pattern.query, "&".join(target.query)):
                return None
        else:
            assigned = assign_parameters(pattern, target.query, components, items)
            if assigned is None:
                return None
            other_parameters = [
                raw for index, raw in enumerate(target.raw_query) if index not in assigned
            ]
            # Nothing is between the "?" and the "&" that the template itself writes.
            if any(other_parameters) or (other_parameters and not pattern.needs_query):
                extra = "&".join(other_parameters)
    return ComponentMatch(components, items, extra, frozenset(regions))


def has_same_components(pattern: Pattern, target: Target) -> bool:
    """Return whether a URI has the components that a pattern needs, and no others."""
    if pattern.has_scheme not in {None, target.has_scheme}:  # None: with or without a scheme
        return False
    if pattern.has_authority not in {None, target.has_authority}:
        return False
    if pattern.needs_query and target.query is None:
        return False
    if target.fragment is None:
        return not pattern.needs_fragment
    return pattern.fragment is not None


def add_component(components: list[Component], sequence: Sequence, text: str) -> bool:
    """Add a component if it matches; return whether it does."""
    symbols = split_symbols(text)
    readings = sequence.find_readings(symbols, symbols)
    if readings is None:
        return False
    components.append(Component(readings, symbols))
    return True


def assign_parameters(
    pattern: Pattern, query: list[str], components: list[Component], items: dict[int, list[str]]
) -> set[int] | None:
    """Return the indices of the template's parameters; `None` if the query does not match."""
    pairs = [item.partition("=") for item in query]
    indices_by_name: dict[str, list[int]] = {}
    for index, (name, _, _) in enumerate(pairs):
        indices_by_name.setdefault(name, []).append(index)
    assigned: set[int] = set()
    for parameter in pattern.parameters or ():
        slot = parameter.slot
        if slot is not None and pattern.slots[slot].variable.explode:
            continue
        indices = indices_by_name.get(parameter.name, [])
        if len(indices) > 1 or assigned.intersection(indices) or (not indices and slot is None):
            return None
        assigned.update(indices)
        for index in indices:
            _, equals, value = pairs[index]
            if slot is not None:
                items[slot] = [value]
            elif parameter.value is None:
                if equals:
                    return None
            elif not equals or not add_component(components, parameter.value, value):
                return None
    assign_exploded(pattern, query, indices_by_name, assigned, items)
    return assigned


def assign_exploded(
    pattern: Pattern,
    query: list[str],
    indices_by_name: Mapping[str, list[int]],
    assigned: set[int],
    items: dict[int, list[str]],
) -> None:
    """Add the parameters of the query that exploded variables take to `assigned` and `items`.

    A list takes the parameters with its name, and a mapping takes the others. A variable of unknown
    shape is a mapping if no parameter has its name.
    """
    for parameter in pattern.parameters or ():
        slot = parameter.slot
        if slot is None or not pattern.slots[slot].variable.explode:
            continue
        shape = pattern.slots[slot].kind.shape
        own_indices = indices_by_name.get(parameter.name, [])
        indices = [index for index in own_indices if index not in assigned]
        is_mapping = shape == "mapping" or (shape == "either" and not indices)
        if is_mapping:
            # A mapping has each key once.
            unique = sorted(same[0] for same in indices_by_name.values() if len(same) == 1)
            indices = [index for index in unique if index not in assigned and query[index]]
        if indices:
            assigned.update(indices)
            items[slot] = [query[index] for index in indices]


def enumerate_values(
    pattern: Pattern, match: ComponentMatch, allow: Mapping[str, frozenset[Hazard]]
) -> Iterator[dict[str, Any]]:
    """Yield the values for each way to match, at most `MAX_READINGS` times."""
    for number, captures in enumerate(combine_captures(match.components)):
        if number >= MAX_READINGS:
            raise TooManyReadingsError
        values = convert_captures(pattern, match, captures, allow)
        if values is not None:
            yield values


def combine_captures(components: list[Component]) -> Iterator[tuple[Captures, ...]]:
    """Yield the captures of all components for each way to match them."""
    combination: list[Captures] = []
    iterators = [components[0].readings.captures()]
    while iterators:
        del combination[len(iterators) - 1 :]
        captures = next(iterators[-1], None)
        if captures is None:
            iterators.pop()
            continue
        combination.append(captures)
        if len(combination) == len(components):
            yield tuple(combination)
        else:
            iterators.append(components[len(combination)].readings.captures())


def convert_captures(
    pattern: Pattern,
    match: ComponentMatch,
    component_captures: tuple[Captures, ...],
    allow: Mapping[str, frozenset[Hazard]],
) -> dict[str, Any] | None:
    """Convert captured strings; return `None` if a variable does not take its string."""
    items = dict(match.items)  # the strings that each slot captures
    for captures, component in zip(component_captures, match.components, strict=True):
        for slot_number, spans in captures.items():
            slot = pattern.slots[slot_number]
            items[slot_number] = ["".join(component.symbols[start:end]) for start, end in spans]
            if not are_safe(component, spans, slot, allow[slot.variable.name]):
                return None
            if slot.named and not are_complete(component, spans, slot):
                return None
    try:
        return convert_items(pattern, match, items, allow)
    except ValueError:
        return None


def convert_items(
    pattern: Pattern,
    match: ComponentMatch,
    items: Mapping[int, list[str]],
    allow: Mapping[str, frozenset[Hazard]],
) -> dict[str, Any] | None:
    """Convert the items of each slot; `None` if two slots of a variable disagree."""
    values: dict[str, Any] = {}
    prefixes: dict[str, list[tuple[int, str]]] = {}  # values cut to a length, with this length
    undefined: set[str] = set()
    for number, slot in enumerate(pattern.slots):
        name, prefix_length = slot.variable.name, slot.variable.prefix
        encoded_items = items.get(number)
        if encoded_items is None and slot.is_required and slot.region in match.regions:
            encoded_items = [""]
        if encoded_items is None:
            # Any parameter of a query may be missing, so that says nothing about the variable.
            if slot.region != "query" or pattern.query:
                undefined.add(name)
            continue
        value = ValueReader(slot, allow[name]).build_value(encoded_items)
        if prefix_length is not None:
            prefixes.setdefault(name, []).append((prefix_length, value))
        elif values.setdefault(name, value) != value:
            return None
    is_match = merge_prefixes(prefixes, values) and undefined.isdisjoint(values)
    return values if is_match else None


def merge_prefixes(prefixes: Mapping[str, list[tuple[int, str]]], values: dict[str, Any]) -> bool:
    """Add the values known only by their first characters; return whether all of them agree."""
    for name, starts in prefixes.items():
        # The longest prefix is all that is known about a variable without another occurrence.
        longest = max((start for _, start in starts), key=len)
        text = str(values.setdefault(name, longest))
        if any(text[:length] != start for length, start in starts):
            return False
    return True


def are_safe(
    component: Component, spans: list[tuple[int, int]], slot: Slot, allow: frozenset[Hazard]
) -> bool:
    """Return whether values are safe together with the characters around them."""
    if component.head is None:
        return True
    for start, end in spans:
        span = component.offsets[start], component.offsets[end]
        hazards = find_surrounding_hazards(component.head, *span, reserved=slot.reserved)
        if not allow.issuperset(hazards):
            return False
    return True


def are_complete(component: Component, spans: list[tuple[int, int]], slot: Slot) -> bool:
    """Return whether nothing continues an empty parameter in the spelling that no expansion has.

    Expansions are `;name` and `&name=`; matching also accepts `;name=` and `&name`.
    """
    operator = OPERATORS[slot.variable.operator]
    delimiters = {operator.separator, "/" if slot.region in PATH_REGIONS else "&"}
    for start, end in spans:
        _, equals, value = "".join(component.symbols[start:end]).partition("=")
        has_other_spelling = not value and equals != operator.empty
        next_symbol = component.symbols[end : end + 1]  # empty at the end
        if has_other_spelling and not delimiters.issuperset(next_symbol):
            return False
    return True


class ValueReader(NamedTuple):
    """Converts the captured items of a variable; `ValueError` if it does not take one."""

    slot: Slot
    allow: frozenset[Hazard]

    def build_value(self, items: list[str]) -> Any:
        if self.slot.variable.explode:
            return self.convert_exploded(items)
        encoded = items[0]  # a variable that is not exploded captures one string
        if self.slot.named:
            encoded = encoded.removeprefix("=")
        kind = self.slot.kind
        if kind.shape == "scalar":
            text = self.decode_item(encoded)
            prefix_length = self.slot.variable.prefix
            if prefix_length is not None and len(text) > prefix_length:
                raise ValueError
            return kind.read_scalar(text)
        list_items = encoded.split(",")
        if kind.shape == "list":
            return self.convert_list(list_items)
        # RFC 6570, 3.2.1: keys and values of a mapping alternate.
        if len(list_items) % 2:
            raise ValueError
        return self.convert_mapping(list(zip(list_items[::2], list_items[1::2], strict=True)))

    def convert_exploded(self, items: list[str]) -> Any:
        """Convert items to a list, or to a mapping: `name=a&name=b`, `a,b` or `key=a,key2=b`."""
        kind, named = self.slot.kind, self.slot.named
        pairs = [item.partition("=") for item in items]
        names = {normalize_text(name) for name, _, _ in pairs}
        own_name = format_label(self.slot.variable)
        is_list = kind.shape == "list" or (named and kind.shape == "either" and own_name in names)
        if not is_list:
            if not named and not all(equals for _, equals, _ in pairs):
                raise ValueError
            return self.convert_mapping([(name, value) for name, _, value in pairs])
        if not named:
            return self.convert_list(items)
        if names != {own_name}:
            raise ValueError
        return self.convert_list([value for _, _, value in pairs])

    def convert_list(self, items: list[str]) -> list[Any]:
        return [self.slot.kind.read_scalar(self.decode_item(item)) for item in items]

    def convert_mapping(self, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        """Convert the pairs of a mapping, in which each key occurs once."""
        mapping = {
            self.decode_item(key): self.slot.kind.read_scalar(self.decode_item(item))
            for key, item in pairs
        }
        if len(mapping) < len(pairs):
            raise ValueError
        return mapping

    def decode_item(self, text: str) -> str:
        decoded = decode_reserved_expansion(text) if self.slot.reserved else decode(text)
        hazards = find_hazards(decoded, reserved=self.slot.reserved)
        if self.slot.region in PATH_REGIONS and not self.allow.issuperset(hazards):
            raise ValueError
        return decoded


def redact_values(template: str, values: dict[str, object]) -> dict[str, object]:
    userinfo = find_userinfo(template)
    return {
        name: MASK if f"{{{name}}}" in userinfo else redact_value(name, value)
        for name, value in values.items()
    }


def find_userinfo(template: str) -> str:
    """Return the userinfo of a template with an authority; `""` without one."""
    authority_start, at_sign, _ = template.partition("@")
    _, slashes, userinfo = authority_start.rpartition("//")
    return userinfo if at_sign and slashes and "/" not in userinfo else ""


def redact_value(name: str, value: object) -> object:
    """Replace the strings of a value that are secrets because of its name or their keys."""
    if isinstance(value, list):
        return [redact_value(name, item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {key: redact_value(key, redact_value(name, item)) for key, item in pairs}
    if is_secret(name):
        return MASK
    return redact_invalid(value) if isinstance(value, str) else value
