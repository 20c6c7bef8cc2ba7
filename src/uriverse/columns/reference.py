"""What each function makes of one row, by the types that hold one identifier.

A row that is no identifier, or of which there is nothing to be told, gives `None`: null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from uriverse import percent
from uriverse._engine import parse
from uriverse._spec.syntax import GRAMMARS, LONGEST_TEXT, matches
from uriverse._spec.violation import first_violation
from uriverse.diagnosis import check
from uriverse.errors import URIError
from uriverse.identifiers import IRI, IRIReference
from uriverse.schemes.registry import Registry
from uriverse.typing import Grammar

from .surt import reversed_labels
from .surt import surt as surt_of
from .xxh64 import xxh64

if TYPE_CHECKING:
    from uriverse.typing import Component, DecodeErrors, HostForm, Level

#: What becomes of a row.
Row = Callable[[str], Any]

#: The largest and the least number that a column holds.
LARGEST = 2**63 - 1


def read(text: str) -> IRIReference | None:
    """An identifier of the narrowest type; `None` if the text is none."""
    try:
        return parse(text)  # type: ignore[return-value]  # an engine makes the public types
    except URIError:
        return None


def is_a(text: str, rule: str) -> bool:
    return len(text) <= LONGEST_TEXT and matches(text, rule)


def is_valid(grammar: Grammar) -> Callable[[str], bool]:
    return lambda text: is_a(text, GRAMMARS[grammar])


#: The fields of `parse` that are parts of an identifier, and how it is asked for them.
PARTS: dict[str, Callable[[IRIReference], Any]] = {
    "scheme": lambda value: value.scheme,
    "userinfo": lambda value: value.userinfo,
    "host": lambda value: value.host,
    "port": lambda value: value.port_text,
    "path": lambda value: value.path,
    "query": lambda value: value.query,
    "fragment": lambda value: value.fragment,
    "host_kind": lambda value: value.host_kind,
    "bounds": lambda value: (*value._bounds, len(str(value))),
}

#: The fields that tell of what is no identifier.
FAULT = ("error", "error_position")


def fields(grammar: Grammar, names: tuple[str, ...]) -> Callable[[str], dict[str, Any]]:
    """The fields of those names that `parse` gives."""
    rule = GRAMMARS[grammar]

    def row(text: str) -> dict[str, Any]:
        if is_a(text, rule):
            value = IRIReference(text)
            return {name: PARTS[name](value) if name in PARTS else None for name in names}
        told: dict[str, Any] = dict(zip(FAULT, first_violation(text, rule), strict=True))
        return {name: told.get(name) for name in names}

    return row


def of(part: Callable[[IRIReference], Any]) -> Row:
    """What is told of each row that is an identifier; `None` where that can't be told."""

    def row(text: str) -> Any:
        value = read(text)
        try:
            return None if value is None else part(value)
        except URIError:
            return None

    return row


def host(value: IRIReference) -> str | None:
    return value.host


def hostname(value: IRIReference) -> str | None:
    return value.hostname


def origin(value: IRIReference) -> str | None:
    return value.origin


def reversed_host(value: IRIReference) -> str | None:
    """The labels of a name in reverse order; an address as it is."""
    name = value.hostname
    return reversed_labels(name) if value.host_kind == "reg-name" and name else name


def surt(value: IRIReference) -> str | None:
    return surt_of(str(value.to_uri().normalize(scheme=True)))


def port(value: IRIReference) -> int | None:
    """The number; `None` too where it is larger than a column holds."""
    number = value.port
    return number if number is None or number <= LARGEST else None


def fingerprint(level: Level) -> Row:
    """The key's bits, read as a number with a sign, as Arrow's readers all have it."""

    def row(value: IRIReference) -> int:
        key = xxh64(value.comparison_key(level).encode())
        return key - 2**64 if key > LARGEST else key

    return of(row)


def normalize(steps: Mapping[str, Any], scheme: bool | Registry) -> Row:
    schemes = scheme if isinstance(scheme, Registry) else None
    return of(
        lambda value: str(value.normalize(**steps, scheme=scheme is not False, schemes=schemes))
    )


def to_uri(host: HostForm) -> Row:
    return of(lambda value: str(value.to_uri(host=host)))


def to_iri(value: IRIReference) -> str:
    return str(value.to_iri())


def resolve(strict: bool) -> Callable[[str, str], str | None]:
    def row(base: str, reference: str) -> str | None:
        start, other = read(base), read(reference)
        if start is None or other is None or start.scheme is None:
            return None
        return told(lambda: str(start.resolve(other, strict=strict)))

    return row


def relativize(climb: bool) -> Callable[[str, str], str | None]:
    def row(base: str, target: str) -> str | None:
        start, value = read(base), read(target)
        if not isinstance(start, IRI) or not isinstance(value, IRI):
            return None
        return told(lambda: str(value.relative_to(start, climb=climb)))

    return row


def told(answer: Callable[[], str]) -> str | None:
    """An answer; `None` where there is none."""
    try:
        return answer()
    except URIError:
        return None


def encode(component: Component, iri: bool) -> Row:
    return lambda text: told(lambda: percent.encode(text, component, iri=iri))


def decode(errors: DecodeErrors) -> Row:
    def row(text: str) -> str | None:
        decoded = told(lambda: percent.decode(text, errors))
        # What was no UTF-8 when it came in has no place in a column.
        return decoded if decoded is None or is_unicode(decoded) else None

    return row


def is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def query_param(name: str) -> Row:
    def row(value: IRIReference) -> str | None:
        data = value.params.get(name)
        return data if data is None else as_text(data)

    return of(row)


def query_params(value: IRIReference) -> list[tuple[str, str | None]] | None:
    """The parameters; `None` without a query."""
    if value.query is None:
        return None
    return [
        (as_text(name), data if data is None else as_text(data))
        for name, data in value.params.items()
    ]


def as_text(data: str | bytes) -> str:
    """Data as a text; octets that are not UTF-8 stay encoded, as a column holds text only."""
    if isinstance(data, str):
        return data
    return percent.decode(percent.encode(data, "unreserved"), "keep")


def findings(profile: str) -> Callable[[str], list[str]]:
    return lambda text: [finding.code for finding in check(text, profile)]
