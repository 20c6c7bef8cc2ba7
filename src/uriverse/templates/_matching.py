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

from ._expansion import decoded_reserved
from ._patterns import IN_PATH, Pattern, Region, Slot, label_of, lowercase, normal
from ._safety import Hazard, Head, hazards_around, hazards_in, head_of
from ._sequences import Captures, Readings, Sequence, symbols_of

#: The largest number of ways to match a URI that are examined.
MOST_READINGS = 256

NON_ASCII = re.compile("[^\0-\x7f]+")


class TooManyReadingsError(Exception):
    """A URI matches in more ways than are examined."""


class Target(NamedTuple):
    """A URI in the form in which patterns are compared with it.

    Percent-encoded triplets are in normal form, and non-ASCII characters are percent-encoded.

    Attributes:
        has_scheme: whether the URI has a scheme.
        has_authority: whether the URI has an authority.
        head: the symbols of the scheme, the authority and the path.
        compared: the same symbols, with the scheme and the host in lower case.
        query: the parameters of the query; `None` without a query.
        raw_query: the parameters as the URI writes them.
        fragment: the fragment; `None` without one.
    """

    has_scheme: bool
    has_authority: bool
    head: list[str]
    compared: list[str]
    query: list[str] | None
    raw_query: list[str] | None
    fragment: str | None


def target_of(uri: Identifier) -> Target:
    """Return a URI in the form in which patterns are compared with it."""
    text = str(uri)
    places = get_bounds(uri)
    path_end, query_end = places.path_end, places.query_end
    host = max(places.host, places.scheme_end + 1, 0)
    host_end = max(places.host_end, places.scheme_end + 1, 0)

    def part(start: int, end: int) -> str:
        return normal(to_ascii(text[start:end]))

    scheme = part(0, max(places.scheme_end, 0))
    before, name = part(max(places.scheme_end, 0), host), part(host, host_end)
    rest = part(host_end, path_end)
    has_query, has_fragment = path_end < query_end, query_end < len(text)
    raw_query = text[path_end + 1 : query_end].split("&") if has_query else None
    return Target(
        places.scheme_end >= 0,
        places.host >= 0,
        symbols_of(scheme + before + name + rest),
        symbols_of(scheme.lower() + before + lowercase(name) + rest),
        None if raw_query is None else [normal(to_ascii(item)) for item in raw_query],
        raw_query,
        part(query_end + 1, len(text)) if has_fragment else None,
    )


def text_of(uri: str | Identifier) -> str:
    if isinstance(uri, str):
        return str.__str__(uri)
    if isinstance(uri, Identifier):
        return str(uri)
    raise TypeError(f"expected a str or a URI, not {type(uri).__name__}")


def to_ascii(text: str) -> str:
    """Percent-encode the non-ASCII characters of a string, which may contain lone surrogates."""
    return NON_ASCII.sub(lambda run: pct_encode(run[0].encode(errors="surrogatepass")), text)


class Part(NamedTuple):
    """A component that matches a sequence.

    Attributes:
        readings: the ways to match it.
        symbols: its symbols.
        head: the scheme, the authority and the path, if the component consists of these.
        offsets: the index of each symbol in it.
    """

    readings: Readings
    symbols: list[str]
    head: Head | None = None
    offsets: tuple[int, ...] = ()


class Found(NamedTuple):
    """A URI that matches a pattern.

    Attributes:
        parts: the components that match sequences.
        items: the items of the variables in the query, by slot.
        extra: the other parameters of the query, as the URI writes them; `None` without any.
        regions: the components that the URI has.
    """

    parts: list[Part]
    items: dict[int, list[str]]
    extra: str | None
    regions: frozenset[Region]


def found_in(pattern: Pattern, target: Target) -> Found | None:
    """Match the components of a URI; return `None` if one does not match."""
    if (
        pattern.has_scheme not in {None, target.has_scheme}
        or pattern.has_authority not in {None, target.has_authority}
        or (pattern.needs_query and target.query is None)
        or (pattern.needs_fragment and target.fragment is None)
        or (pattern.fragment is None and target.fragment is not None)
    ):
        return None
    head = pattern.head.readings(target.compared, target.head)
    if head is None:
        return None
    offsets = (0, *accumulate(map(len, target.head)))
    parts = [Part(head, target.head, head_of("".join(target.head)), offsets)]
    items: dict[int, list[str]] = {}
    extra: str | None = None
    regions: set[Region] = set(IN_PATH)
    if pattern.fragment is not None and target.fragment is not None:
        regions.add("fragment")
        if not add_part(parts, pattern.fragment, target.fragment):
            return None
    if target.query is not None and target.raw_query is not None:
        regions.add("query")
        if pattern.query is not None:
            if not add_part(parts, pattern.query, "&".join(target.query)):
                return None
        else:
            taken = take_parameters(pattern, target.query, parts, items)
            if taken is None:
                return None
            others = [raw for n, raw in enumerate(target.raw_query) if n not in taken]
            # Nothing is between the "?" and the "&" that the template itself writes.
            if any(others) or (others and not pattern.needs_query):
                extra = "&".join(others)
    return Found(parts, items, extra, frozenset(regions))


def add_part(parts: list[Part], sequence: Sequence, text: str) -> bool:
    """Match a component, and add it to the parts; return whether it matches."""
    symbols = symbols_of(text)
    readings = sequence.readings(symbols, symbols)
    if readings is None:
        return False
    parts.append(Part(readings, symbols))
    return True


def take_parameters(
    pattern: Pattern, query: list[str], parts: list[Part], items: dict[int, list[str]]
) -> set[int] | None:
    """Distribute the parameters of a query to the variables.

    Returns:
        The indices of the parameters that belong to the template; `None` if the query does not
        match, also if a parameter that the template contains once occurs more than once.
    """
    pairs = [item.partition("=") for item in query]
    places: dict[str, list[int]] = {}
    for n, (name, _, _) in enumerate(pairs):
        places.setdefault(name, []).append(n)
    taken: set[int] = set()
    for parameter in pattern.parameters or ():
        slot = parameter.slot
        if slot is not None and pattern.slots[slot].variable.explode:
            continue
        found = places.get(parameter.name, [])
        if len(found) > 1 or taken.intersection(found) or (not found and slot is None):
            return None
        taken.update(found)
        for n in found:
            _, equals, value = pairs[n]
            if slot is not None:
                items[slot] = [value]
            elif parameter.value is None:
                if equals:
                    return None
            elif not equals or not add_part(parts, parameter.value, value):
                return None
    take_exploded(pattern, query, places, taken, items)
    return taken


def take_exploded(
    pattern: Pattern,
    query: list[str],
    places: Mapping[str, list[int]],
    taken: set[int],
    items: dict[int, list[str]],
) -> None:
    """Distribute the parameters that are left to the exploded variables."""
    for parameter in pattern.parameters or ():
        slot = parameter.slot
        if slot is None or not pattern.slots[slot].variable.explode:
            continue
        shape = pattern.slots[slot].kind.shape
        chosen = [n for n in places.get(parameter.name, []) if n not in taken]
        if shape == "mapping" or (shape == "either" and not chosen):
            # A mapping has each key once.
            once = [found[0] for found in places.values() if len(found) == 1]
            chosen = [n for n in sorted(once) if n not in taken and query[n]]
        if chosen:
            taken.update(chosen)
            items[slot] = [query[n] for n in chosen]


def matches(
    pattern: Pattern, found: Found, allow: Mapping[str, frozenset[Hazard]]
) -> Iterator[dict[str, Any]]:
    """Yield the values of the variables for each way to match, at most `MOST_READINGS` times.

    Raises:
        TooManyReadingsError: there are more ways to match.
    """
    for number, captured in enumerate(ways_of(found.parts)):
        if number >= MOST_READINGS:
            raise TooManyReadingsError
        values = variables_in(pattern, found, captured, allow)
        if values is not None:
            yield values


def ways_of(parts: list[Part]) -> Iterator[tuple[Captures, ...]]:
    """Yield the captures of all components for each way to match them."""
    chosen: list[Captures] = []
    waiting = [parts[0].readings.captures()]
    while waiting:
        del chosen[len(waiting) - 1 :]
        captures = next(waiting[-1], None)
        if captures is None:
            waiting.pop()
            continue
        chosen.append(captures)
        if len(chosen) == len(parts):
            yield tuple(chosen)
        else:
            waiting.append(parts[len(chosen)].readings.captures())


def variables_in(
    pattern: Pattern,
    found: Found,
    captured: tuple[Captures, ...],
    allow: Mapping[str, frozenset[Hazard]],
) -> dict[str, Any] | None:
    """Convert captured strings to values; return `None` if a variable does not take its string."""
    items = dict(found.items)
    for captures, part in zip(captured, found.parts, strict=True):
        for number, spans in captures.items():
            slot = pattern.slots[number]
            items[number] = ["".join(part.symbols[start:end]) for start, end in spans]
            if not are_safe(part, spans, slot, allow[slot.variable.name]):
                return None
    try:
        return values_of(pattern, found, items, allow)
    except ValueError:
        return None


def values_of(
    pattern: Pattern,
    found: Found,
    items: Mapping[int, list[str]],
    allow: Mapping[str, frozenset[Hazard]],
) -> dict[str, Any] | None:
    """Convert the items of each slot; return `None` if two slots of a variable disagree.

    Raises:
        ValueError: a variable does not take its items.
    """
    values: dict[str, Any] = {}
    prefixes: dict[str, list[tuple[int, str]]] = {}
    undefined: set[str] = set()
    for number, slot in enumerate(pattern.slots):
        raw = items.get(number)
        name, _, prefix, _ = slot.variable
        if raw is None:
            if not slot.is_required or slot.region not in found.regions:
                # Parameters of a query may be missing.
                undefined |= {name} if slot.region != "query" or pattern.query else set()
                continue
            raw = [""]
        value = ValueReader(slot, allow[name]).value(raw)
        if prefix is not None:
            prefixes.setdefault(name, []).append((prefix, value))
        elif values.setdefault(name, value) != value:
            return None
    is_match = take_prefixes(prefixes, values) and undefined.isdisjoint(values)
    return values if is_match else None


def take_prefixes(prefixes: Mapping[str, list[tuple[int, str]]], values: dict[str, Any]) -> bool:
    """Add the variables with a prefix length; return whether they start like the whole values."""
    for name, starts in prefixes.items():
        # The longest prefix is all that is known about a variable without another occurrence.
        longest = max((start for _, start in starts), key=len)
        whole = str(values.setdefault(name, longest))
        if any(whole[:length] != start for length, start in starts):
            return False
    return True


def are_safe(
    part: Part, spans: list[tuple[int, int]], slot: Slot, allow: frozenset[Hazard]
) -> bool:
    """Return whether values are safe together with the characters around them."""
    if part.head is None:
        return True
    return all(
        allow.issuperset(
            hazards_around(
                part.head, part.offsets[start], part.offsets[end], reserved=slot.reserved
            )
        )
        for start, end in spans
    )


class ValueReader(NamedTuple):
    """Converts the captured items of a variable to a value.

    The methods raise `ValueError` if the variable does not take an item.
    """

    slot: Slot
    allow: frozenset[Hazard]

    def value(self, raw: list[str]) -> Any:
        if self.slot.variable.explode:
            return self.exploded_value(raw)
        text = raw[0].removeprefix("=") if self.slot.named else raw[0]
        kind = self.slot.kind
        if kind.shape == "scalar":
            value = self.data(text)
            prefix = self.slot.variable.prefix
            if prefix is not None and len(value) > prefix:
                raise ValueError
            return kind.read(value)
        parts = text.split(",")
        if kind.shape == "list":
            return self.list_of(parts)
        if len(parts) % 2:
            raise ValueError
        return self.mapping_of(list(zip(parts[::2], parts[1::2], strict=True)))

    def exploded_value(self, raw: list[str]) -> Any:
        kind, named = self.slot.kind, self.slot.named
        pairs = [item.partition("=") for item in raw]
        names = {normal(name) for name, _, _ in pairs}
        own = label_of(self.slot.variable)
        is_list = kind.shape == "list" or (named and kind.shape == "either" and own in names)
        if not is_list:
            if not named and not all(equals for _, equals, _ in pairs):
                raise ValueError
            return self.mapping_of([(name, value) for name, _, value in pairs])
        if not named:
            return self.list_of(raw)
        if names != {own}:
            raise ValueError
        return self.list_of([value for _, _, value in pairs])

    def list_of(self, items: list[str]) -> list[Any]:
        return [self.slot.kind.read(self.data(item)) for item in items]

    def mapping_of(self, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        """Convert the pairs of a mapping, in which each key occurs once."""
        found = {self.data(key): self.slot.kind.read(self.data(item)) for key, item in pairs}
        if len(found) < len(pairs):
            raise ValueError
        return found

    def data(self, text: str) -> str:
        """Decode a string, and reject it if the variable does not take it."""
        found = decoded_reserved(text) if self.slot.reserved else decode(text)
        hazards = hazards_in(found, reserved=self.slot.reserved)
        if self.slot.region in IN_PATH and not self.allow.issuperset(hazards):
            raise ValueError
        return found


def shown_values(template: str, values: dict[str, object]) -> dict[str, object]:
    """Return the values of a match without their secrets."""
    hidden = userinfo_of(template)
    return {
        name: MASK if f"{{{name}}}" in hidden else shown_value(name, value)
        for name, value in values.items()
    }


def userinfo_of(template: str) -> str:
    """Return the userinfo of a template with an authority; `""` without one."""
    before, at, _ = template.partition("@")
    _, slashes, userinfo = before.rpartition("//")
    return userinfo if at and slashes and "/" not in userinfo else ""


def shown_value(name: str, value: object) -> object:
    """Return a value without its secrets."""
    if isinstance(value, list):
        return [shown_value(name, item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {key: shown_value(key, shown_value(name, item)) for key, item in pairs}
    if is_secret(name):
        return MASK
    return redact_invalid(value) if isinstance(value, str) else value
