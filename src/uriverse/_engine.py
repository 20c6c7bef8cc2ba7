"""Choose the engine: the kernel, if it is built and `URIVERSE_KERNEL` allows it, or Python."""

from __future__ import annotations

import os

#: False at run time. Type checkers take it as true, and so analyze the reference implementation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

SWITCH = "URIVERSE_KERNEL"
CHOICES = ("auto", "require", "disable")


def load_kernel() -> tuple[Any, str]:
    """Return the compiled kernel, or `None` and why the reference implementation is used."""
    choice = os.environ.get(SWITCH, "auto")
    if choice not in CHOICES:
        raise ImportError(f"{SWITCH} must be one of {', '.join(CHOICES)}, not {choice!r}")
    if choice == "disable":
        return None, f"{SWITCH}=disable"
    try:
        from uriverse._kernel import core  # type: ignore[attr-defined]
    except ImportError as missing:
        if choice == "require":
            raise ImportError(
                f"{SWITCH} is 'require', but the compiled kernel of uriverse cannot be imported "
                f"({missing}): install uriverse again, with a C compiler and without "
                f"{SWITCH}=disable"
            ) from missing
        # A second interpreter of a process, among others, cannot load a kernel that is built.
        if missing.name == "uriverse._kernel":
            return None, "no compiled kernel"
        return None, f"the kernel cannot be loaded: {missing}"
    return core, ""  # pyright: ignore[reportUnknownVariableType]


#: The compiled kernel, or `None`; and why the reference implementation is used, if it is.
kernel, kernel_absence = load_kernel()

#: Whether the compiled kernel is used.
compiled = kernel is not None


def use_compiled(group: str | None = None) -> Callable[[Function], Function]:
    """Return a decorator: the compiled function of the same name stands for the Python function.

    It takes its documentation and signature from the Python function, and calls it in rare cases.
    Without the kernel, the Python function stays. `group` is the class of the kernel with it.
    """

    def choose_function(function: Function) -> Function:
        if not compiled:
            return function
        owner: Any = getattr(kernel, group) if group else kernel
        member = owner.__dict__[function.__name__]
        twin: Any = getattr(member, "__func__", member)  # of a class method
        for name in ("__module__", "__qualname__", "__doc__", "__annotations__"):
            setattr(twin, name, getattr(function, name))
        twin.__wrapped__ = function
        compiled_function: Function = twin
        return compiled_function

    return choose_function
