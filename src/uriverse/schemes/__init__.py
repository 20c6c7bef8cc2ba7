"""The scheme registry, and a module for each scheme with a grammar and equivalence of its own."""

from __future__ import annotations

from .registry import Registry, Scheme, default_registry

__all__ = ["SCHEMES", "Registry", "Scheme"]

#: The default registry: the schemes in IANA's list, with the rules of well-known schemes.
SCHEMES = default_registry()
