"""Normalizing is idempotent, keeps the components, and never changes which host is meant."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_to_bytes

from draws import Draws
from outcomes import agreed

from uriverse import ConvertError, IRIReference, parse
from uriverse._spec.ipv6 import parse_groups


def same_host(before: str | None, after: str | None) -> bool:
    """Whether two hosts are equivalent, without calling the normalization code of the library."""
    if before is None or after is None:
        return before is after
    if before.startswith("[") and before[1] not in "vV":
        return after.startswith("[") and parse_groups(before[1:-1]) == parse_groups(after[1:-1])
    return unquote_to_bytes(before).lower() == unquote_to_bytes(after).lower()


def check(data: bytes) -> None:
    """Normalize and convert one string with random options."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference", "IRI")))
    steps = {name: not draws.randrange(3) for name in ("case", "percent_encoding", "ipv6")}
    options: dict[str, Any] = {**steps, "dot_segments": draws.choice((True, False, "all"))}
    scheme = bool(draws.randrange(2))

    def normal(engine: object) -> object:
        value = engine.types["IRI-reference"](text)  # type: ignore[attr-defined]
        return value.normalize(**options, scheme=scheme)

    agreed(normal)
    agreed(lambda engine: engine.types["IRI-reference"](text)._to_uri())
    agreed(lambda engine: engine.types["IRI-reference"](text)._to_iri())
    value = IRIReference.try_parse(text)
    if value is None:
        return
    once = value.normalize(**options, scheme=scheme)
    assert once.normalize(**options, scheme=scheme) is once
    assert once.is_normalized(**options, scheme=scheme)
    without_rules = value.normalize(**options)
    check_same_parts(value, without_rules)
    for other in (without_rules, value.to_uri(), value.to_iri()):
        assert same_host(value.host, other.host)
        assert other == parse(str(other))
    assert value.to_uri().to_iri().to_uri() == value.to_iri().to_uri()
    for level in ("syntax", "scheme"):
        key = value.comparison_key(level)
        assert value.normalize(scheme=level == "scheme").comparison_key(level) == key
        assert value.equivalent(value.to_iri(), level=level)
    decoded = value.to_iri(host="idna")
    if decoded != value.to_iri():
        assert decoded.to_uri(host="idna") == value.to_iri().to_uri(host="idna")
    try:
        name = value.to_uri(host="idna")
    except ConvertError:
        return
    assert str(name).isascii()
    assert name.to_uri(host="idna") == name


def check_same_parts(value: IRIReference, normal: IRIReference) -> None:
    """Check that the same components are defined, and that the path stays rooted or rootless."""
    for name in ("scheme", "userinfo", "host", "port_text", "query", "fragment"):
        assert (getattr(value, name) is None) is (getattr(normal, name) is None)
    assert normal.port_text == value.port_text
    if value.path.startswith("/"):
        assert normal.path.startswith("/")
