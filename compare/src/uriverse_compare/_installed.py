"""The parsers that are installed on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from uriverse import redact

from . import _browsers, _libraries, _packages, _probes, _programs
from ._reading import Parser

#: Functions that find the software, by name. They return `None` if it is not installed.
FINDERS: Mapping[str, Callable[[], Parser | None]] = {
    **_packages.FINDERS,
    **_libraries.FINDERS,
    **_programs.FINDERS,
    **_probes.FINDERS,
    **_browsers.FINDERS,
}

ON_REQUEST = (*_probes.FINDERS, *_browsers.FINDERS)
"""The names of the parsers that take seconds to start, or to read many strings."""

NAMES = tuple(name for name in FINDERS if name not in ON_REQUEST)
"""The names of all other parsers, ours first."""


def installed(names: Iterable[str] | None = None) -> list[Parser]:
    """Return the parsers that are installed.

    Args:
        names: the names of the parsers, from `NAMES` and `ON_REQUEST`; `None` for all of `NAMES`.

    Returns:
        The parsers in the order of their names, without those that are not installed.

    Raises:
        ValueError: a name is unknown.

    >>> from uriverse_compare import installed
    >>> [parser.name for parser in installed(["uriverse", "urllib.parse"])]
    ['uriverse', 'urllib.parse']
    """
    chosen_names = NAMES if names is None else tuple(names)
    for name in chosen_names:
        if name not in FINDERS:
            known = ", ".join(FINDERS)
            raise ValueError(f"unknown parser {redact(name)!r}; the parsers are {known}")
    parsers = (FINDERS[name]() for name in chosen_names)
    return [parser for parser in parsers if parser]
