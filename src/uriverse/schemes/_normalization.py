"""Scheme-based normalization ([RFC 3986, 6.2.3][1]), scheme-based equivalence, and origins.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
"""

from __future__ import annotations

from uriverse._spec.components import (
    AllParts,
    compose_all_parts,
    compose_authority,
    split_all_parts,
)

from ._descriptors import DESCRIPTORS, Descriptor, load_default_registry
from ._registry import SPECIAL_SCHEMES, Registry, Scheme


def apply_scheme_rules(text: str, scheme: bool | Registry) -> str:
    """Normalize a URI by the rules of its scheme, which remove a default port, for example.

    Syntax-based normalization must already have been applied to the URI.
    """
    registry = choose_registry(scheme)
    if registry is None:
        return text
    return compose_all_parts(normalize_by_scheme(split_all_parts(text), registry))


def choose_registry(scheme: bool | Registry) -> Registry | None:
    """Return the registry that the option `scheme` of `normalize` means; `None` for `False`.

    Raises:
        TypeError: `scheme` is neither a `bool` nor a `Registry`.
    """
    if isinstance(scheme, Registry):
        return scheme
    if isinstance(scheme, bool):
        return load_default_registry() if scheme else None
    raise TypeError(f"scheme must be a bool or a Registry, not {type(scheme).__name__}")


def normalize_by_scheme(parts: AllParts, schemes: Registry) -> AllParts:
    """Normalize the components of a URI by the rules of its scheme.

    A relative reference has no scheme, so no default port is known. The function removes only
    leading zeros from its port, and removes an empty port.
    """
    if parts.scheme is None:
        return normalize_port(parts, None)
    rules = schemes.rules_of(parts.scheme)
    parts = normalize_port(parts, rules.default_port)
    if parts.host is not None and parts.path == "":
        parts = parts._replace(path=rules.empty_path)
    return parts if rules.normalize is None else apply_own_step(rules, parts)


def apply_own_step(rules: Scheme, parts: AllParts) -> AllParts:
    """Apply the normalization function of a scheme; it must not move data between components."""
    assert rules.normalize is not None, "the scheme has a step of its own"
    new_parts = rules.normalize(parts)
    moves_data = split_all_parts(compose_all_parts(new_parts)) != new_parts
    if moves_data or get_shape(new_parts) != get_shape(parts):
        raise ValueError(f"normalize of {rules.name!r} must not move data between components")
    return new_parts


def get_shape(parts: AllParts) -> tuple[bool, bool, bool]:
    """Return the properties of a URI that normalization must not change."""
    return parts.scheme is None, parts.host is None, parts.path.startswith("/")


def normalize_port(parts: AllParts, default_port: int | None) -> AllParts:
    """Remove leading zeros from a port, and remove an empty port or the default port.

    RFC 3986, 3.2.3, asks normalizers to remove both, whatever the scheme.
    """
    port = parts.port and (parts.port.lstrip("0") or "0")
    return parts._replace(port=None if port in {"", str(default_port)} else port)


def make_equivalence_key(text: str, schemes: Registry) -> str:
    """Return a string that is the same for all URIs that are equivalent by their scheme's rules.

    The URI is already normalized by scheme.
    """
    parts = split_all_parts(text)
    if parts.scheme is None:
        return text
    rules = schemes.rules_of(parts.scheme)
    parts = convert_host_to_ascii(parts, rules)
    return compose_all_parts(rules.equivalence(parts) if rules.equivalence else parts)


def convert_host_to_ascii(parts: AllParts, rules: Scheme) -> AllParts:
    """Convert a non-ASCII domain name in the host of a URI to ASCII.

    The host is not changed if the hosts of the scheme are not domain names.
    """
    if not rules.domain or parts.host is None or "%" not in parts.host:
        return parts
    from uriverse._spec.domain import (
        convert_encoded_host,  # imported late, because its tables are large
    )

    return parts._replace(host=convert_encoded_host(parts.host))


def get_origin(text: str) -> str | None:
    """Return the origin of a URI, such as `http://example.org`, or `None` for an opaque origin.

    The URI must be in normal form. The origin is written according to [RFC 6454, 6.2][1].

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2
    """
    parts = normalize_by_scheme(split_all_parts(text), load_default_registry())
    if parts.scheme is None or not parts.host:
        return None
    rules = load_default_registry().rules_of(parts.scheme)
    # RFC 6454, 4, step 4, lets implementations choose the origin of a file. Here it is opaque.
    if rules.local or rules.authority == "forbidden":
        return None
    parts = convert_host_to_ascii(parts, rules)
    return f"{parts.scheme}://{compose_authority(None, parts.host, parts.port)}"


def list_kernel_rules() -> list[tuple[str, int, bool, int, bool, int, str]]:
    """Return what the kernel needs to know of each scheme in the default registry.

    These are its name, its default port or -1, whether an empty path is equivalent to "/", its
    normalization step (0: none, 1: that of files, 2: another one), whether URIs in normal form are
    compared as strings, its flags, and the document that defines it.
    """
    return [
        (
            scheme.name,
            -1 if scheme.default_port is None else scheme.default_port,
            scheme.empty_path == "/",
            0 if scheme.normalize is None else 1 if scheme.local else 2,
            scheme.equivalence is None,
            sum(flag << bit for bit, flag in enumerate(list_flags(scheme))),
            scheme.reference,
        )
        for scheme in load_default_registry().values()
    ]


def list_flags(scheme: Scheme) -> tuple[bool, ...]:
    """Return what a scheme requires and forbids, in the order of the kernel's flags."""
    descriptor = DESCRIPTORS.get(scheme.name, Descriptor())
    return (
        scheme.authority == "required",
        scheme.authority == "forbidden",
        not scheme.empty_host,
        scheme.local,
        scheme.userinfo == "deprecated",
        scheme.userinfo == "forbidden",
        not scheme.query,
        not scheme.fragment,
        scheme.path is not None,
        descriptor.module is not None,
        descriptor.typed is not None or descriptor.module is not None,
        scheme.name in SPECIAL_SCHEMES,
    )
