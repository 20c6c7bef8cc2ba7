"""Use the types of uriverse in other libraries.

Each module of this package supports one library, and is loaded only if you import it explicitly. It
raises `ModuleNotFoundError` if its library is not installed; the message names the command that
installs it. `exact` works with the URL class of any library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from uriverse import _redaction
from uriverse._errors import ConvertError
from uriverse._uri import IRIReference, parse
from uriverse._uri.engine import get_bounds

__all__ = ["exact"]
__dir__ = __all__.copy

_Url = TypeVar("_Url")


def exact(
    uri: str | IRIReference, factory: Callable[[str], _Url], /, *, text: Callable[[_Url], str] = str
) -> _Url:
    """Create a URL object of another library that has exactly the characters of a URI.

    Most libraries change URLs: they write the host in lowercase, remove `:80`, decode `%7E`, or
    drop an empty query. This function raises an error instead. If the changes do not matter to you,
    pass `str(uri)` to the library.

    Args:
        uri: a URI, an IRI or a reference.
        factory: the class of the other library, such as `httpx.URL`, or a function that creates an
            object from a string.
        text: a function that returns the string of the object, if `str` does not.

    Returns:
        The object that the factory creates.

    Raises:
        ConvertError: the library would change or reject the URI. If it would change the URI, the
            error has the position and the component of the first changed character.
        ParseError: `uri` is a string that is not a valid URI, IRI or reference.

    >>> import httpx
    >>> exact("http://example.org/%7Ea?b=c", httpx.URL)
    URL('http://example.org/%7Ea?b=c')
    >>> try:
    ...     exact("http://example.org:80/", httpx.URL)
    ... except ConvertError as error:
    ...     print(error.reason)
    cannot keep every character: httpx would change the port
    >>> from urllib.request import Request
    >>> exact("http://example.org/?", Request, text=Request.get_full_url).full_url
    'http://example.org/?'
    """
    value = parse(uri)
    uri_text = str(value)
    try:
        url = factory(uri_text)
        library_text = text(url)
    except TypeError:  # an incorrect call: the URI is not the cause
        raise
    except Exception as error:  # noqa: BLE001 - not always a `ValueError`
        raise ConvertError(
            uri_text, 0, _find_component(value, 0), "URL", _explain_rejection(uri_text, error)
        ) from None
    if library_text == uri_text:
        return url
    position = 0  # of the first difference
    for uri_character, library_character in zip(uri_text, library_text, strict=False):
        if uri_character != library_character:
            break
        position += 1
    component = _find_component(value, position)
    library = type(url).__module__.partition(".")[0]
    reason = f"cannot keep every character: {library} would change the {component}"
    hint = f"to accept the change, pass str(uri) to {library}"
    raise ConvertError(uri_text, position, component, "URL", reason, hint)


def _explain_rejection(text: str, error: Exception) -> str:
    library = type(error).__module__.partition(".")[0].replace("builtins", "the other library")
    reason = f"{library} rejects the URI"
    # The message of the library may show the URI.
    return reason if _redaction.find_secrets(text, suspected=True) else f"{reason}: {error}"


def _find_component(value: IRIReference, position: int) -> str:
    offsets = get_bounds(value)
    ends = {
        "scheme": offsets.scheme_end + 1,
        "userinfo": offsets.host if offsets.host > offsets.authority else 0,
        "host": offsets.host_end,
        "port": offsets.path,
        "path": offsets.path_end,
        "query": offsets.query_end,
    }
    return next((name for name, end in ends.items() if position < end), "fragment")
