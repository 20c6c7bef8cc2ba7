"""Look up the rules of URI schemes, such as default ports, and define new schemes.

>>> from uriverse import SCHEMES
>>> SCHEMES["https"].default_port
443
"""

from __future__ import annotations

from uriverse import _lazy as _lazy  # first, as all public modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._registry import Registry, Scheme

SCHEMES: Registry
"""The registry of URI schemes: those that IANA lists, with the rules of well-known schemes.

It maps the name of a scheme, in any letter case, to a `Scheme`. It is immutable; `with_schemes`
returns a registry with schemes of your own.

>>> SCHEMES["HTTPS"].default_port, SCHEMES["urn"].authority, "x-example" in SCHEMES
(443, 'forbidden', False)
"""

__all__ = ["SCHEMES", "Registry", "Scheme"]
__dir__ = __all__.copy


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, because the registry takes time to build."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _descriptors, _registry

    if name == "SCHEMES":
        public_object: object = _descriptors.load_default_registry()
    else:
        public_object = getattr(_registry, name)
    globals()[name] = public_object
    return public_object
