"""Convert the hosts of IRIs to ASCII domain names, and A-labels to Unicode."""

from __future__ import annotations

from . import engine as _engine


def require_idna(host: str) -> None:
    if host != "idna":
        from uriverse._errors import quote_argument

        raise ValueError(f"host must be 'percent' or 'idna', not {quote_argument(host)}")


def decode_a_labels(iri: _engine.Identifier) -> _engine.Identifier:
    """Return a copy of the IRI with U-labels, or the IRI if they convert to another host."""
    host = iri.host
    if host is None or "xn--" not in host.lower():
        return iri
    from uriverse._errors import URIError
    from uriverse._spec.domain import LABEL, LONGEST_TEXT

    if len(host) > LONGEST_TEXT:
        return iri
    decoded = LABEL.sub(lambda label: _engine.to_unicode(label[0]), host)
    text = _engine.as_text(iri)
    _, _, host_start, host_end, *_ = iri._bounds
    try:
        candidate = _engine.parse(text[:host_start] + decoded + text[host_end:])
        is_restored = decoded != host and convert_domain(candidate) == convert_domain(iri)
    except URIError:  # the host is an IPvFuture, or not a valid domain name
        return iri
    return candidate if is_restored else iri


def convert_domain(value: _engine.Identifier) -> _engine.Identifier:
    """Return a copy with an ASCII domain name, also for a host that is percent-encoded."""
    host = value.host
    if host is None or (host.isascii() and "%" not in host):
        return value
    from uriverse._errors import ConvertError

    decoded = host if "%" not in host else decode_iri_host(host)
    if decoded is None:
        return value
    text = _engine.as_text(value)
    _, _, host_start, host_end, *_ = value._bounds
    try:
        domain = _engine.to_ascii(decoded)
    except ConvertError as error:
        # If the host was percent-encoded, the position of the label is unknown.
        error.position = host_start + (error.position if decoded == host else 0)
        error.text = text
        raise
    # The domain consists of letters, digits, hyphens, underscores and dots, so it replaces the host
    # and cannot affect another component.
    return _engine.parse(text[:host_start] + domain + text[host_end:])


def decode_iri_host(host: str) -> str | None:
    """Percent-decode a host; return `None` if it contains no character or octet beyond ASCII."""
    from uriverse._spec.percent import PAST_ASCII, decode_iri_characters, decode_unreserved_triplets

    if host.isascii() and not PAST_ASCII.search(host):
        return None
    return decode_iri_characters(decode_unreserved_triplets(host), "host", upper=True)
