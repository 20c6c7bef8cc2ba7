"""Choose the engine: the compiled kernel, or the reference implementation where it is not built.

The environment variable `URIVERSE_KERNEL` decides: `auto` (the default) uses the kernel if it is
built, `require` raises `ImportError` if it is not, and `disable` never uses it.
"""

from __future__ import annotations

import os

#: True for type checkers, which read the reference implementation; false at run time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SWITCH = "URIVERSE_KERNEL"
CHOICES = ("auto", "require", "disable")

#: The longest run of digits that is converted to a number, or made from one. It equals the lowest
#: limit that `sys.set_int_max_str_digits` can set, so results never depend on that setting.
LONGEST_NUMBER = 640

#: The compiled kernel; `None` if the reference implementation runs.
kernel: Any = None

#: Modules with the Python functions that the kernel calls, by the name that it uses. A layer above
#: this one adds its own when it is imported.
reference_modules = {
    "normalization": f"{__package__}._spec.normalization",
    "percent": f"{__package__}._spec.percent",
}


def call_reference(function: str, *arguments: object, **named: object) -> object:
    """Call a Python function for the kernel, which leaves errors and rare cases to it.

    Args:
        function: the name of a reference module and of a function in it, as in `percent.encode`.
        arguments: its positional arguments.
        named: its keyword arguments.
    """
    from importlib import import_module

    module, name = function.split(".")
    return getattr(import_module(reference_modules[module]), name)(*arguments, **named)


_choice = os.environ.get(SWITCH, "auto")
if _choice not in CHOICES:
    raise ImportError(f"{SWITCH} must be one of {', '.join(CHOICES)}, not {_choice!r}")

if not TYPE_CHECKING and _choice != "disable":
    try:
        from ._kernel import identifier as kernel
    except ImportError as _missing:
        if _choice == "require":
            raise ImportError(
                f"{SWITCH} is 'require', but the compiled kernel of uriverse is not installed: "
                f"install uriverse again, with a C compiler and without {SWITCH}=disable"
            ) from _missing
    else:
        from ._grammar import bidi as _bidi
        from ._grammar import params as _params
        from ._grammar import tables as _tables

        kernel.load(_tables, _bidi.BIDI_FORMATTING, _params, call_reference)
if TYPE_CHECKING or kernel is None:
    from ._spec import identifier as _engine
else:
    _engine = kernel

#: Whether the compiled kernel runs.
compiled = kernel is not None

#: The four public types by the rule that each accepts; `identifiers.types` registers them.
public_types: dict[str, type[Any]] = {}

Identifier = _engine.Identifier
as_text = _engine.as_text
is_absolute_uri = _engine.is_absolute_uri
is_iri = _engine.is_iri
is_iri_reference = _engine.is_iri_reference
is_uri = _engine.is_uri
is_uri_reference = _engine.is_uri_reference
parse = _engine.parse
register_types = _engine.register_types

# Tracebacks and pickles show the public module, not the private one of the engine.
for _public in (is_absolute_uri, is_iri, is_iri_reference, is_uri, is_uri_reference, parse):
    _public.__module__ = "uriverse"
