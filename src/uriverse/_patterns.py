"""Regular expressions that are compiled on first use, so that imports are fast."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return an object with the methods of `re.compile(pattern, flags)`.

    The pattern is compiled when one of the methods is first used.
    """
    return LazyPattern(pattern, flags)  # type: ignore[return-value]


class LazyPattern:
    """The regular expression that `lazy_pattern` returns."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Python calls this function only for missing attributes, so each method is as fast as that
        # of a compiled pattern after its first use. `re` caches the compiled pattern.
        import re

        found = getattr(re.compile(*self.arguments), name)
        setattr(self, name, found)
        return found
