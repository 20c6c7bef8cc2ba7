"""Calls of functions of `urllib.parse`, with the differences of `uriverse.compat.urllib`."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from unicodedata import normalize

from uriverse import URIError, is_iri_reference, parse
from uriverse.compat import urllib as compat

FUNCTIONS = sorted(name for name in compat.__all__ if name.islower())
ORIGINALS: dict[str, Callable[..., Any]] = {name: getattr(urllib.parse, name) for name in FUNCTIONS}
REPLACEMENTS: dict[str, Callable[..., Any]] = {name: getattr(compat, name) for name in FUNCTIONS}

#: The attributes of results that are compared, besides the components.
ATTRIBUTES = ("username", "password", "hostname", "port")


#: The functions that reject other types than `str` and `bytes`.
STRICT = {"urlsplit", "urljoin", "urlunsplit", "urlunparse"}


class Case(NamedTuple):
    """A call, with its results in both modules; an error is represented by its class."""

    function: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    theirs: object
    ours: object

    @classmethod
    def of(cls, function: str, args: tuple[Any, ...], options: Mapping[str, Any]) -> Case:
        both = (outcome(one[function], args, options) for one in (ORIGINALS, REPLACEMENTS))
        return cls(function, args, dict(options), *both)

    def is_different(self) -> bool:
        if isinstance(self.theirs, type) and isinstance(self.ours, type):
            return not issubclass(self.ours, self.theirs)
        return self.theirs != self.ours

    def is_unexplained(self) -> bool:
        return self.is_different() and not any(explains(self) for explains in DIFFERENCES.values())


def outcome(function: Callable[..., Any], args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """Return the result of a call in a form that can be compared, or the class of its error."""
    try:
        found = function(*args, **options)
    except Exception as error:  # noqa: BLE001 - the classes are compared
        return type(error)
    if not isinstance(found, tuple):
        return type(found), found
    attributes = [attribute(found, name) for name in ATTRIBUTES if hasattr(type(found), name)]
    return type(found).__name__, tuple(found), attributes


def attribute(found: object, name: str, *args: str) -> object:
    """Return an attribute or what the method of this name returns, or the class of its error."""
    try:
        value = getattr(found, name)
        return value(*args) if callable(value) else value
    except ValueError as error:
        return type(error)


def texts(case: Case) -> list[str]:
    """Return the URLs or the components that a call passes."""
    given = [*case.args, *case.options.values()]
    parts = given[0] if case.function == "urlunsplit" else given[: case.function.count("join") + 1]
    return [one if isinstance(one, str) else text_of(one) for one in parts]


def text_of(value: object) -> str:
    return bytes(value).decode("ascii", "replace") if isinstance(value, bytes | bytearray) else ""


def rejects(case: Case) -> bool:
    return isinstance(case.ours, type) and issubclass(case.ours, (URIError, UnicodeDecodeError))


def resolves(case: Case, is_so: Callable[[Any, Any], bool]) -> bool:
    """Return whether a call resolves a valid reference, and both satisfy a condition."""
    if case.function != "urljoin" or isinstance(case.ours, type):
        return False
    base, url = map(parse, texts(case))
    return is_so(base, url)


def has_other_types(case: Case) -> bool:
    """Return whether the arguments are not all strings, or not all `bytes`."""
    given = [*case.args, *case.options.values()]
    allowed: set[type] = {bool}
    if "keep_empty" in case.options:
        allowed.add(type(None))
    elif case.function == "urlunparse":
        return False
    elif case.function == "urlparse":
        # Older versions reject the default of Python 3.15.
        return None in given[1:]
    if case.function.startswith("urlun"):
        given = list(given[0]) if isinstance(given[0], list | tuple) else []
    kinds = {type(one) for one in given} - allowed
    return case.function in STRICT and kinds not in ({str}, {bytes})


#: The differences that the guide lists, each with a test for the calls that show it.
DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "other types": has_other_types,
    "invalid strings": lambda case: (
        case.function in {"urlsplit", "urljoin"}
        and rejects(case)
        and not all(is_iri_reference(one) for one in texts(case))
    ),
    "invalid components": lambda case: case.function == "urlunsplit" and rejects(case),
    "`allow_fragments=False`": lambda case: (
        case.function in {"urlsplit", "urljoin"}
        and rejects(case)
        and any("#" in one for one in texts(case))
        and False in [*case.args, *case.options.values()]
    ),
    "compatibility characters": lambda case: (
        case.function in {"urlsplit", "urljoin"}
        and case.theirs is ValueError
        and any(one != normalize("NFKC", one) for one in texts(case))
    ),
    "IP literals of other versions": lambda case: (
        case.function in {"urlsplit", "urljoin"}
        and bool(re.search(r"\[[vV]", "".join(texts(case))))
    ),
    "results of `urlsplit`": lambda case: (
        case.function == "urlunsplit"
        and isinstance(case.args[0], compat.SplitResult | compat.SplitResultBytes)
        and not rejects(case)
    ),
    "paths that start with `//`": lambda case: (
        case.function == "urlunsplit" and not texts(case)[1] and texts(case)[2].startswith("//")
    ),
    "rootless paths without an authority": lambda case: (
        case.function == "urlunsplit" and not texts(case)[1] and texts(case)[2][:1] not in {"", "/"}
    ),
    "empty components, in `urljoin`": lambda case: resolves(
        case,
        lambda base, url: (
            "" in {base.authority, base.query, url.authority, url.query, url.fragment}
        ),
    ),
    "schemes in upper case, in `urljoin`": lambda case: resolves(
        case, lambda base, url: any(map(str.isupper, f"{base.scheme or ''}{url.scheme or ''}"))
    ),
    "other schemes": lambda case: resolves(
        case, lambda base, _: (base.scheme or "").lower() not in urllib.parse.uses_relative
    ),
    "references with a scheme": lambda case: resolves(case, lambda _, url: url.scheme is not None),
    "empty references": lambda case: resolves(case, lambda _, url: str(url) == ""),
    "empty segments": lambda case: resolves(case, lambda base, url: "//" in base.path + url.path),
    "path parameters": lambda case: resolves(case, lambda base, url: ";" in base.path + url.path),
    "bases without an authority": lambda case: resolves(
        case, lambda base, _: base.scheme is not None and base.authority is None
    ),
    "bases without a scheme": lambda case: resolves(case, lambda base, _: base.scheme is None),
}
