"""Schemes: a registry of rules, and one module with the grammar and equivalence of each."""

from __future__ import annotations

from .registry import Registry, Scheme, default_registry

__all__ = ["SCHEMES", "Registry", "Scheme"]

#: The registry that the library uses by default: IANA's list, and the rules of well-known schemes.
SCHEMES = default_registry()
