"""Registrable domains and sites, with the list of public suffixes that is installed."""

from __future__ import annotations

from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse import IRIReference
    from uriverse.suffixes import Suffixes


def installed_list() -> Suffixes:
    """Return the list in the package `publicsuffixlist`.

    Raises:
        MisuseError: the package is not installed.
    """
    from uriverse.hosts import _sites

    try:
        return _sites.installed_suffixes()
    except ModuleNotFoundError as missing:
        raise MisuseError(
            f"{missing.name} is not installed; run: pip install 'uriverse[suffixes]'"
        ) from None


def registrable_domain(value: IRIReference) -> str | None:
    """Return the registrable domain of a URI, or `None` if it has none."""
    return installed_list().registrable_domain(value)
