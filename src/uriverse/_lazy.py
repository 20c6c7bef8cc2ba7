"""Names and patterns on first use, so that imports are fast."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any


def import_later(package: dict[str, Any], modules: dict[str, str]) -> Callable[[str], object]:
    """Return the function `__getattr__` of a package with these `globals()`.

    `modules` has the public names of each module, with the module itself if it is public.
    """
    module_names = {name: module for module, names in modules.items() for name in names.split()}

    def load(attribute: str) -> object:
        module_name = module_names.get(attribute)
        if module_name is None:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {attribute!r}")
        # `importlib` would import more modules than it is worth here.
        module = __import__(f"{package['__name__']}.{module_name}", fromlist=[attribute])
        member = module if attribute == module_name else getattr(module, attribute)
        set_public_module(member, package["__name__"])
        package[attribute] = member  # last, because other threads see it from here on
        return member

    return load


def publish(package: dict[str, Any]) -> None:
    """Give the members of a package its name, for tracebacks and pickles, once imported."""
    for name in package["__all__"]:
        set_public_module(package.get(name), package["__name__"])


def set_public_module(member: Any, public_module: str) -> None:
    # An instance has the module of its class, and an alias of a type that of the type.
    is_private = hasattr(member, "__qualname__") and "._" in member.__module__
    if is_private and member.__module__.startswith("uriverse."):
        member.__module__ = public_module


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return an object with the methods of `re.compile(...)`, which is called on first use."""
    return LazyPattern(pattern, flags)  # type: ignore[return-value]


class LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Python calls this function only for missing attributes, so each method is as fast as that
        # of a compiled pattern after its first use. `re` caches the compiled pattern.
        import re

        method = getattr(re.compile(*self.arguments), name)
        setattr(self, name, method)
        return method


def explain_missing_module(missing: ModuleNotFoundError, module: str, extra: str) -> str:
    """Return the message for a failed import: which extra of uriverse to install."""
    return f"{module} needs {missing.name}; run pip install 'uriverse[{extra}]'"
