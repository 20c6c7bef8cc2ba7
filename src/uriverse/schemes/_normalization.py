"""Scheme-based normalization (RFC 3986, 6.2.3), scheme-based equivalence, and origins."""

from __future__ import annotations

from collections.abc import Callable

from uriverse._spec.components import (
    AllParts,
    compose_all_parts,
    compose_authority,
    split_all_parts,
)

from ._descriptors import DESCRIPTORS, Descriptor, load_default_registry
from ._registry import SPECIAL_SCHEMES, Registry, Scheme


def apply_scheme_rules(text: str, scheme: bool | Registry) -> str:
    """Normalize a URI, already in syntax-based normal form, by the rules of its scheme."""
    registry = choose_registry(scheme)
    if registry is None:
        return text
    return compose_all_parts(normalize_by_scheme(split_all_parts(text), registry))


def choose_registry(scheme: bool | Registry) -> Registry | None:
    if isinstance(scheme, Registry):
        return scheme
    if isinstance(scheme, bool):
        return load_default_registry() if scheme else None
    raise TypeError(f"scheme must be a bool or a Registry, not {type(scheme).__name__}")


def normalize_by_scheme(parts: AllParts, schemes: Registry) -> AllParts:
    """Apply the rules of a scheme: its default port, its empty path, and its own function."""
    if parts.scheme is None:  # a relative reference: no port is known to be the default
        return canonicalize_port(parts, None)
    rules = schemes.rules_of(parts.scheme)
    parts = canonicalize_port(parts, rules.default_port)
    if parts.host is not None and parts.path == "":
        parts = parts._replace(path=rules.empty_path)
    return parts if rules.normalize is None else apply_own_step(rules, parts)


def apply_own_step(rules: Scheme, parts: AllParts) -> AllParts:
    """Apply the normalization function of a scheme; it must not move data between components."""
    assert rules.normalize is not None, "the scheme has a step of its own"
    new_parts = rules.normalize(parts)
    shape, new_shape = (
        (p.scheme is None, p.host is None, p.path.startswith("/")) for p in (parts, new_parts)
    )
    if shape != new_shape or split_all_parts(compose_all_parts(new_parts)) != new_parts:
        raise ValueError(f"normalize of {rules.name!r} must not move data between components")
    return new_parts


def canonicalize_port(parts: AllParts, default_port: int | None) -> AllParts:
    """Remove leading zeros from a port, and remove an empty or default port (RFC 3986, 3.2.3)."""
    port = parts.port and (parts.port.lstrip("0") or "0")
    return parts._replace(port=None if port in {"", str(default_port)} else port)


def make_equivalence_key(text: str, schemes: Registry) -> str:
    """Return a string that is the same for equivalent URIs, after they are normalized by scheme."""
    parts = split_all_parts(text)
    if parts.scheme is None:
        return text
    rules = schemes.rules_of(parts.scheme)
    parts = convert_host_to_ascii(parts, rules)
    return compose_all_parts(rules.equivalence(parts) if rules.equivalence else parts)


def convert_host_to_ascii(parts: AllParts, rules: Scheme) -> AllParts:
    if not rules.domain or parts.host is None or "%" not in parts.host:
        return parts
    # Imported late, because its tables are large.
    from uriverse._spec.domain import convert_encoded_host

    return parts._replace(host=convert_encoded_host(parts.host))


def get_origin(text: str) -> str | None:
    """Return the origin of a URI in normal form (RFC 6454, 6.2); `None` for an opaque origin."""
    registry = load_default_registry()
    parts = normalize_by_scheme(split_all_parts(text), registry)
    if parts.scheme is None or not parts.host:
        return None
    rules = registry.rules_of(parts.scheme)
    # RFC 6454, 4, step 4, lets implementations choose the origin of a file. Here it is opaque.
    if rules.local or rules.authority == "forbidden":
        return None
    parts = convert_host_to_ascii(parts, rules)
    return f"{parts.scheme}://{compose_authority(None, parts.host, parts.port)}"


#: The normalization step of a scheme, in addition to the generic rules, as a number of the kernel.
#: The last one is implemented in Python only.
STEPS = ("GENERIC", "OF_FILES", "OF_ITS_OWN")

#: The requirements of a scheme, as flags of the kernel. `tools/make_findings.py` writes their
#: bits, and the numbers of the steps, to `_kernel/codes.pxi`.
FLAGS: dict[str, Callable[[Scheme, Descriptor], bool]] = {
    "AUTHORITY_REQUIRED": lambda scheme, _: scheme.authority == "required",
    "AUTHORITY_FORBIDDEN": lambda scheme, _: scheme.authority == "forbidden",
    "EMPTY_HOST_FORBIDDEN": lambda scheme, _: not scheme.empty_host,
    "IS_LOCAL": lambda scheme, _: scheme.local,
    "USERINFO_DEPRECATED": lambda scheme, _: scheme.userinfo == "deprecated",
    "USERINFO_FORBIDDEN": lambda scheme, _: scheme.userinfo == "forbidden",
    "QUERY_FORBIDDEN": lambda scheme, _: not scheme.query,
    "FRAGMENT_FORBIDDEN": lambda scheme, _: not scheme.fragment,
    "PATH_HAS_RULE": lambda scheme, _: scheme.path is not None,
    # A module may allow line breaks in some places.
    "MAY_HAVE_LINE_BREAKS": lambda _, descriptor: descriptor.module is not None,
    # The scheme has a grammar or findings of its own.
    "OWN_GRAMMAR": lambda _, descriptor: bool(descriptor.typed or descriptor.module),
    # Browsers treat a backslash as a slash.
    "IS_SPECIAL": lambda scheme, _: scheme.name in SPECIAL_SCHEMES,
}


def list_kernel_rules() -> list[tuple[str, int, bool, int, bool, int, str]]:
    """Return what the kernel needs to know of each scheme in the default registry."""
    no_descriptor = Descriptor()
    return [
        (
            scheme.name,
            -1 if scheme.default_port is None else scheme.default_port,
            scheme.empty_path == "/",
            STEPS.index(choose_step(scheme)),
            scheme.equivalence is None,
            sum(
                has(scheme, DESCRIPTORS.get(scheme.name, no_descriptor)) << bit
                for bit, has in enumerate(FLAGS.values())
            ),
            scheme.reference,
        )
        for scheme in load_default_registry().values()
    ]


def choose_step(scheme: Scheme) -> str:
    if scheme.normalize is None:
        return "GENERIC"
    return "OF_FILES" if scheme.local else "OF_ITS_OWN"
