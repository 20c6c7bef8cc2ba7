"""Scheme-based normalisation ([RFC 3986, 6.2.3][1]), and what else a scheme tells.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
"""

from __future__ import annotations

from uriverse._spec.components import AllParts, all_parts, authority_of, composed

from .registry import Registry, Scheme, default_registry


def with_scheme_rules(text: str, schemes: Registry | None = None) -> str:
    """Apply the rules of its scheme to an identifier in the normal form of its syntax."""
    return composed(scheme_based(all_parts(text), registry_of(schemes)))


def registry_of(schemes: Registry | None) -> Registry:
    """Return the registry that an argument stands for; the default one for `None`.

    Raises:
        TypeError: it is neither a `Registry` nor `None`.
    """
    if schemes is None:
        return default_registry()
    if isinstance(schemes, Registry):
        return schemes
    raise TypeError(f"schemes is a Registry, not {type(schemes).__name__}")


def scheme_based(parts: AllParts, schemes: Registry) -> AllParts:
    """The parts, by the rules of their scheme. A relative reference takes that of its base."""
    if parts.scheme is None:
        return with_port_in_normal_form(parts, None)
    rules = schemes.rules_of(parts.scheme)
    parts = with_port_in_normal_form(parts, rules.default_port)
    if parts.host is not None and parts.path == "":
        parts = parts._replace(path=rules.empty_path)
    return parts if rules.normalize is None else kept_apart(rules, parts)


def kept_apart(rules: Scheme, parts: AllParts) -> AllParts:
    """What a scheme's own step makes of the parts, which is to keep the laws of normalising.

    Raises:
        ValueError: it does not: then it is a mistake of whoever has made the scheme.
    """
    assert rules.normalize is not None, "it has such a step"
    done = rules.normalize(parts)
    if all_parts(composed(done)) != done or shape(done) != shape(parts):
        raise ValueError(f"the step of the scheme {rules.name!r} moves what belongs apart")
    return done


def shape(parts: AllParts) -> tuple[bool, bool, bool]:
    """What normalising never changes."""
    return parts.scheme is None, parts.host is None, parts.path.startswith("/")


def with_port_in_normal_form(parts: AllParts, default: int | None) -> AllParts:
    """With the decimal number that a port is (3.2.3), without zeros before it.

    Without a port that is empty, which no scheme tells apart, or the default one.
    """
    port = parts.port and (parts.port.lstrip("0") or "0")
    return parts._replace(port=None if port in {"", str(default)} else port)


def equivalence_key(text: str, schemes: Registry | None) -> str:
    """What is the same for URIs that are equivalent by their scheme.

    Args:
        text: of a URI, with scheme-based normalisation done.
        schemes: the rules of schemes; `None` for those of `SCHEMES`.
    """
    parts = all_parts(text)
    if parts.scheme is None:
        return text
    rules = registry_of(schemes).rules_of(parts.scheme)
    parts = with_domain_in_ascii(parts, rules)
    return composed(rules.equivalence(parts) if rules.equivalence else parts)


def with_domain_in_ascii(parts: AllParts, rules: Scheme) -> AllParts:
    """With a host past ASCII as a domain name in ASCII, where hosts are such names."""
    if not rules.domain or parts.host is None or "%" not in parts.host:
        return parts
    from uriverse._spec.domain import domain_in_ascii  # its tables are large

    return parts._replace(host=domain_in_ascii(parts.host))


def origin(text: str) -> str | None:
    """The origin of a URI in normal form ([RFC 6454, 6.2][1]); `None` if it has none of its own.

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2
    """
    parts = scheme_based(all_parts(text), default_registry())
    if parts.scheme is None or not parts.host:
        return None
    rules = default_registry().rules_of(parts.scheme)
    # Section 4, step 4, leaves that of a file to whoever asks: each of them is its own here.
    if rules.local or rules.authority == "forbidden":
        return None
    parts = with_domain_in_ascii(parts, rules)
    return f"{parts.scheme}://{authority_of(parts._replace(userinfo=None))}"
