"""The parsers that are installed on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from .packages import PACKAGES, package_parser
from .reading import Parser

#: Functions that find the software, by name. They return `None` if it is not installed.
FINDERS: Mapping[str, Callable[[], Parser | None]] = {
    **{name: partial(package_parser, name) for name in PACKAGES},
}

BROWSERS: tuple[str, ...] = ()
"""The names of the browsers that uriverse can compare."""

NAMES = tuple(FINDERS)
"""The names of the other parsers that uriverse can compare, ours first."""


def installed(names: Iterable[str] | None = None) -> list[Parser]:
    """Return the parsers that are installed, in the order of `NAMES`.

    Args:
        names: the names of the parsers, from `NAMES`; `None` for all but the browsers, which take
            seconds to start.

    Returns:
        The parsers; those that are not installed are missing.

    Raises:
        ValueError: a name is unknown.

    >>> from uriverse import parsers
    >>> [parser.name for parser in parsers.installed(["uriverse", "urllib.parse"])]
    ['uriverse', 'urllib.parse']
    """
    chosen = NAMES if names is None else tuple(names)
    for name in chosen:
        if name not in FINDERS:
            raise ValueError(f"unknown parser {name!r}; the parsers are {', '.join(NAMES)}")
    found = (FINDERS[name]() for name in chosen)
    return [parser for parser in found if parser]
