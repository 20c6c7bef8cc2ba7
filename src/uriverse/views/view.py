"""The base class of typed views: a URI, interpreted as the RFC of its scheme defines."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self

from uriverse._engine import Identifier, as_text
from uriverse.errors import ParseError
from uriverse.identifiers import URI
from uriverse.typing import Level

#: The reason and the hint for a parameter that is passed twice.
DUPLICATE_PARAMETER = "duplicate parameter", "pass each name only once: names are case-insensitive"


class View:
    """A URI of one scheme, parsed once as the scheme's RFC defines.

    Immutable. `str()` returns the exact string of the URI. Views are equal if they are of one type
    and their strings are equal; use `equivalent` to compare their meaning. A view is not an
    identifier: its `uri` is, and has all methods of identifiers.

    Args:
        uri: a string, an identifier, or another view, whose URI is used.

    Attributes:
        uri: the URI.

    Raises:
        ParseError: `uri` is not a URI, is of another scheme, or is not allowed by the scheme's RFC.
        TypeError: `uri` is neither a `str`, nor an identifier, nor a view.
    """

    __slots__ = ("__weakref__", "uri")

    #: The schemes of this view, in lower case.
    SCHEMES: ClassVar[tuple[str, ...]]

    #: Attributes that raise `ConvertError` if the content of a grammatically valid URI is invalid.
    CONTENTS: ClassVar[tuple[str, ...]] = ()

    #: The RFC's name for the rule of the whole URI, for errors.
    RULE: ClassVar[str]

    uri: URI

    def __init__(self, uri: str | Identifier | View, /) -> None:
        if hasattr(self, "uri"):
            raise unchangeable(self)
        object.__setattr__(self, "uri", as_uri(uri))
        try:
            self._judge_scheme()
            self._parse()
        except ParseError as error:
            error.well_formed = True
            raise

    def _judge_scheme(self) -> None:
        """Raise `ParseError` if the URI is of another scheme."""
        if self.uri.scheme.lower() not in self.SCHEMES:
            schemes = " or ".join(f'"{scheme}"' for scheme in self.SCHEMES)
            reason = f"unexpected scheme: {type(self).__name__} requires {schemes}"
            self._reject(0, "scheme", self.RULE, reason, "use URI for other schemes")

    def _parse(self) -> None:
        """Parse the URI as the scheme's RFC defines, and store the result; raise `ParseError`."""

    def _reject(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        """Raise `ParseError` for an offset in the URI."""
        raise ParseError(str(self), position, component, rule, reason, hint)

    # --- comparing

    def comparison_key(self, level: Level = "scheme", /) -> str:
        """Return a string that is equal for all views that are equivalent at a level.

        Use it as a key of a `dict` or a `set`.

        Args:
            level: `"scheme"` for the equivalence that the scheme's specification defines, as in
                `equivalent`; the other levels are those of `URI.comparison_key`.

        Raises:
            ValueError: the level does not exist.

        >>> from uriverse import HTTPURI
        >>> HTTPURI("HTTP://Example.org:80").comparison_key()
        'http://example.org/'
        """
        return self._scheme_key() if level == "scheme" else self.uri.comparison_key(level)

    def _scheme_key(self) -> str:
        """Return the key for the equivalence that the scheme defines."""
        return self.uri.comparison_key("scheme")

    def equivalent(self, other: str | Identifier | View, /) -> bool:
        """Return True if both URIs are equivalent, as far as the RFC of their scheme determines it.

        Args:
            other: a string, an identifier or a view; it is parsed as this type.

        Raises:
            ParseError: `other` cannot be parsed as this type.
            TypeError: `other` is neither a `str`, nor an identifier, nor a view.

        >>> from uriverse import URN
        >>> URN("urn:example:a%2cb").equivalent("URN:EXAMPLE:a%2Cb?=c")
        True
        """
        theirs: View = type(self)(other)
        return self._scheme_key() == theirs._scheme_key()

    # --- special methods

    def __setattr__(self, name: str, value: object) -> None:
        raise unchangeable(self)

    def __delattr__(self, name: str) -> None:
        raise unchangeable(self)

    def __str__(self) -> str:
        return str(self.uri)

    def __repr__(self) -> str:
        return repr(self.uri).replace(type(self.uri).__name__, type(self).__name__, 1)

    def __eq__(self, other: object) -> bool:
        return self.uri == other.uri if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self.uri))

    def __reduce__(self) -> tuple[type[Self], tuple[URI]]:
        return type(self), (self.uri,)


def as_uri(given: str | Identifier | View) -> URI:
    """Return the URI of a string, an identifier or a view."""
    if isinstance(given, View):
        return given.uri
    return given if isinstance(given, URI) else URI(as_text(given))


def unchangeable(view: View) -> AttributeError:
    return AttributeError(f"{type(view).__name__} is immutable")
