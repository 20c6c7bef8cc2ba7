"""Which list of public suffixes to use, and the sites of origins, as HTML defines them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from uriverse._errors import quote_argument
from uriverse._uri.engine import parse
from uriverse.suffixes import Suffixes

KEPT = 4096


@cache
def load_installed_suffixes() -> Suffixes:
    return Suffixes()


def check_suffixes(suffixes: object) -> Suffixes:
    """Return a list of public suffixes; `None` is the list in the package `publicsuffixlist`."""
    if suffixes is None:
        return load_installed_suffixes()
    if not isinstance(suffixes, Suffixes):
        raise TypeError(f"suffixes must be a Suffixes or None, not {type(suffixes).__name__}")
    return suffixes


def get_kernel_table(suffixes: Suffixes) -> Any:
    """Return the rules for the kernel; `None` without it, and if only Python can apply them."""
    return suffixes._table


def are_same_site(
    origin: str | None, other: str | None, public_suffix: Suffixes | Callable[[str], str]
) -> bool:
    """Return whether two origins have equal schemes and registrable domains; `None` is opaque."""
    if origin is None or other is None:
        return False
    if isinstance(public_suffix, Suffixes):
        return find_site(origin, public_suffix) == find_site(other, public_suffix)
    if get_scheme(origin) != get_scheme(other):
        return False
    return find_site_host(origin, public_suffix) == find_site_host(other, public_suffix)


def get_scheme(origin: str) -> str:
    return origin.partition(":")[0]


# Many URIs have the same few origins.
@lru_cache(KEPT)
def find_site(origin: str, suffixes: Suffixes) -> str:
    host = str(parse(origin).host)
    return f"{get_scheme(origin)}://{suffixes.registrable_domain(host) or host}"


def find_site_host(origin: str, public_suffix: Callable[[str], str]) -> str:
    """Return the host in the site of an origin, with a function that finds public suffixes."""
    uri = parse(origin)
    host = str(uri.host)
    if uri.host_kind != "reg-name":
        return host
    name = host.removesuffix(".")
    suffix = public_suffix(name)
    if suffix in ("", name):
        return host
    name_before_suffix = name.removesuffix(f".{suffix}")
    if name_before_suffix == name:
        expectation = f"a suffix of {quote_argument(name)}"
        raise ValueError(f"public_suffix must return {expectation}, not {quote_argument(suffix)}")
    return name_before_suffix.rpartition(".")[2] + host[len(name_before_suffix) :]
