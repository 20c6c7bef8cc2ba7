"""The one seam: the compiled kernel where it is built, the specification where not.

`URIVERSE_KERNEL` chooses: `auto` (the default) takes the kernel if it is there,
`require` fails without it, `disable` never takes it.
"""

from __future__ import annotations

import os

#: Known to type checkers, which read the specification; false when running.
TYPE_CHECKING = False

SWITCH = "URIVERSE_KERNEL"
CHOICES = ("auto", "require", "disable")

#: The longest run of digits that is made a number, or of one: below it the interpreter
#: never looks at `sys.set_int_max_str_digits`, so what is accepted does not hang on it.
LONGEST_NUMBER = 640

#: Whether the compiled kernel does the work.
compiled = False


def slowly(act: str, *arguments: object, **named: object) -> object:
    """Call a function of the specification, as `percent.encode`.

    The kernel leaves errors and policies to it.
    """
    from importlib import import_module

    module, name = act.split(".")
    return getattr(import_module(f".spec.{module}", __package__), name)(*arguments, **named)


def pairs_type() -> object:
    """What `Params` is built on, with either engine."""
    if compiled:
        return _engine.Pairs  # type: ignore[attr-defined]  # of the kernel
    # Only now, as not every program needs it.
    from .spec.params import Pairs

    return Pairs


def columns() -> object | None:
    """What does whole columns, where the kernel is; `None` on the specification."""
    return _engine if compiled else None


def percent_functions() -> object:
    """The module that has the functions of `uriverse.percent`, with either engine."""
    if compiled:
        return _engine
    # Only now, as not every program needs it.
    from .spec import percent

    return percent


_choice = os.environ.get(SWITCH, "auto")
if _choice not in CHOICES:
    raise ImportError(f"{SWITCH} is {_choice!r}; it can be one of {', '.join(CHOICES)}")

if not TYPE_CHECKING and _choice != "disable":
    try:
        from .kernel import identifier as _engine
    except ImportError as _missing:
        if _choice == "require":
            raise ImportError(
                f"{SWITCH} is 'require', but the kernel of uriverse is not built here: "
                "install it with a C compiler at hand, or without URIVERSE_KERNEL=disable"
            ) from _missing
    else:
        from .grammar import bidi as _bidi
        from .grammar import params as _params
        from .grammar import tables as _tables

        _engine.load(_tables, _bidi.BIDI_FORMATTING, _params, slowly)
        compiled = True
if TYPE_CHECKING or not compiled:
    from .spec import identifier as _engine

Identifier = _engine.Identifier
adopt = _engine.adopt
as_text = _engine.as_text
is_absolute_uri = _engine.is_absolute_uri
is_iri = _engine.is_iri
is_iri_reference = _engine.is_iri_reference
is_ordinary = _engine.is_ordinary
is_uri = _engine.is_uri
is_uri_reference = _engine.is_uri_reference
parse = _engine.parse
