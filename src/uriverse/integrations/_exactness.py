"""Verify that another library keeps every character of a URI."""

from __future__ import annotations

from typing import Any

from uriverse import _redaction
from uriverse._engine import bounds
from uriverse._errors import ConvertError
from uriverse._identifiers import IRIReference, parse


def exact_url(package: Any, uri: str | IRIReference) -> Any:
    """Convert a URI to a URL of httpx or httpx2 with exactly the same characters."""
    value = parse(uri)
    try:
        url = package.URL(str(value))
    except package.InvalidURL as error:
        raise rejected(value, package.__name__, error) from None
    verify_unchanged(value, str(url), package.__name__)
    return url


def parse_url(package: Any, url: object) -> IRIReference:
    """Convert an object of the type `URL` of a package to the narrowest of the four types."""
    if not isinstance(url, package.URL):
        raise TypeError(f"url must be {package.__name__}.URL, not {type(url).__name__}")
    return parse(str(url))


def verify_unchanged(value: IRIReference, converted: str, library: str) -> None:
    """Raise `ConvertError` if a library returns another string for a URI."""
    text = str(value)
    if converted == text:
        return
    pairs = enumerate(zip(text, converted, strict=False))
    shorter = min(len(text), len(converted))
    position = next((index for index, (a, b) in pairs if a != b), shorter)
    component = component_at(value, position)
    reason = f"cannot keep every character: {library} would change the {component}"
    hint = f"to accept the change, pass str(uri) to {library}"
    raise ConvertError(text, position, component, f"{library} URL", reason, hint)


def rejected(value: IRIReference, library: str, error: Exception) -> ConvertError:
    """Return a `ConvertError` for a URI that a library rejects.

    The message of the library may show the URI, so it is omitted if the URI contains secrets.
    """
    reason = f"{library} rejects the URI"
    if not _redaction.find_secrets(str(value), suspected=True):
        reason = f"{reason}: {error}"
    return ConvertError(str(value), 0, component_at(value, 0), f"{library} URL", reason)


def component_at(value: IRIReference, position: int) -> str:
    """Return the name of the component that contains the character at an index."""
    at = bounds(value)
    ends = {
        "scheme": at.scheme_end + 1,
        "userinfo": at.host if at.host > at.authority else 0,
        "host": at.host_end,
        "port": at.path,
        "path": at.path_end,
        "query": at.query_end,
    }
    return next((name for name, end in ends.items() if position < end), "fragment")
