"""Scheme-based normalisation ([RFC 3986, 6.2.3][1]), and what else a scheme tells.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
"""

from __future__ import annotations

from .components import AllParts, all_parts, authority_of, composed
from .scheme import Registry, default_registry


def with_scheme_rules(text: str, schemes: Registry | bool) -> str:
    """An identifier's text in the normal form of its syntax, normalised by its scheme too."""
    return composed(scheme_based(all_parts(text), registry_of(schemes)))


def registry_of(schemes: Registry | bool) -> Registry:
    """The registry that is meant; the default one for `True`."""
    if isinstance(schemes, Registry):
        return schemes
    if schemes is True:
        return default_registry()
    raise TypeError(f"scheme is a bool or a Registry, not {type(schemes).__name__}")


def scheme_based(parts: AllParts, schemes: Registry) -> AllParts:
    """The parts, by the rules of their scheme. A relative reference takes that of its base."""
    if parts.scheme is None:
        return without_needless_port(parts, None)
    rules = schemes.rules_of(parts.scheme)
    parts = without_needless_port(parts, rules.default_port)
    if parts.host is not None and parts.path == "":
        parts = parts._replace(path=rules.empty_path)
    return rules.normalize(parts) if rules.normalize else parts


def without_needless_port(parts: AllParts, default: int | None) -> AllParts:
    """Without a port that is empty, which no scheme tells apart (3.2.3), or the default."""
    return parts._replace(port=None) if port_number(parts.port) in {None, default} else parts


def port_number(digits: str | None) -> int | None:
    """The number of a port; `None` for one that is none, or of more digits than any has."""
    significant = (digits or "").lstrip("0")[:6]
    return int(significant or "0") if digits else None


def equivalence_key(text: str) -> str:
    """What is the same for URIs that are equivalent by their scheme.

    Args:
        text: of a URI, with scheme-based normalisation done.
    """
    parts = all_parts(text)
    if parts.scheme is None:
        return text
    rules = default_registry().rules_of(parts.scheme)
    if rules.domain and parts.host:
        parts = parts._replace(host=domain_in_ascii(parts.host))
    return composed(rules.equivalence(parts) if rules.equivalence else parts)


def domain_in_ascii(host: str) -> str:
    """A host past ASCII as a domain name in ASCII, where it has one ([RFC 3987, 5.3.3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.3
    """
    if "%" not in host:
        return host
    from .domain import to_ascii
    from .percent import with_characters_decoded

    try:
        return to_ascii(with_characters_decoded(host, "host", upper=True))
    except ValueError:  # as the errors of `domain` are
        return host


def origin(text: str) -> str | None:
    """The origin of a URI in normal form ([RFC 6454, 6.2][1]); `None` if it has none of its own.

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2
    """
    parts = scheme_based(all_parts(text), default_registry())
    # Section 4, step 4, leaves that of a file to whoever asks: each of them is its own here.
    if parts.scheme in {None, "file"} or not parts.host:
        return None
    host, port = parts.host, parts.port and (parts.port.lstrip("0") or "0")
    if default_registry().rules_of(str(parts.scheme)).domain:
        host = domain_in_ascii(host)
    return f"{parts.scheme}://{authority_of(parts._replace(userinfo=None, host=host, port=port))}"
