"""URI schemes: their default ports, rules and normal forms.

>>> from uriverse import SCHEMES
>>> SCHEMES["https"].default_port
443
"""

from __future__ import annotations

from .registry import Registry, Scheme, default_registry

__all__ = ["SCHEMES", "Registry", "Scheme"]

SCHEMES = default_registry()
"""The registry of URI schemes: every scheme that IANA lists, with the rules of well-known schemes.

It maps the name of a scheme, in any letter case, to a `Scheme`. It is immutable; `with_schemes`
returns a registry with schemes of your own.

>>> SCHEMES["HTTPS"].default_port, SCHEMES["urn"].authority, "x-example" in SCHEMES
(443, 'forbidden', False)
"""
