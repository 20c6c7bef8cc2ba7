"""The base class of typed views of URIs, such as `URN`, `DataURI` and `MailtoURI`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from uriverse._engine import Identifier, as_text
from uriverse.errors import ParseError
from uriverse.identifiers import URI
from uriverse.typing import Level

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

#: The reason and the hint for a parameter that is passed twice.
DUPLICATE_PARAMETER = "duplicate parameter", "pass each name only once: names are case-insensitive"


class View:
    """A URI of one scheme, with properties for the components that the scheme's RFC defines.

    The base class of `URN`, `DataURI`, `MailtoURI`, `FileURI`, `TelURI` and `HTTPURI`. Use these
    subclasses, or `view_of` to find the class for a scheme.

    Views are immutable. `str()` returns exactly the string of the URI. Two views are equal if they
    have the same class and the same string; `equivalent` compares them by the rules of the scheme.
    A view is not a `URI` itself: the methods of URIs are available on its `uri`.

    Args:
        uri: a string, a URI, or another typed view, whose URI is used.

    Attributes:
        uri: the URI, exactly as it was given.

    Raises:
        ParseError: `uri` is not a valid URI, has another scheme, or violates the scheme's RFC.
        TypeError: `uri` is neither a `str`, nor a URI, nor a typed view.
    """

    __slots__ = ("__weakref__", "uri")

    #: The schemes that the class accepts, in lower case.
    SCHEMES: ClassVar[tuple[str, ...]]

    #: The properties that raise `ConvertError` if the URI is valid but its content is not, such as
    #: invalid base64. `uriverse.check` reads them to report such content.
    CONTENTS: ClassVar[tuple[str, ...]] = ()

    #: The name of the scheme's grammar rule, as in the RFC; errors mention it.
    RULE: ClassVar[str]

    #: The URI, exactly as it was given.
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
            error.code = "scheme-syntax"
            raise

    def _judge_scheme(self) -> None:
        """Raise `ParseError` if the class does not support the scheme of the URI."""
        if self.uri.scheme.lower() not in self.SCHEMES:
            schemes = " or ".join(f'"{scheme}"' for scheme in self.SCHEMES)
            reason = f"unexpected scheme: {type(self).__name__} requires {schemes}"
            self._reject(0, "scheme", self.RULE, reason, "use URI for other schemes")

    def _parse(self) -> None:
        """Parse the URI by the rules of its scheme; subclasses override this method.

        A subclass stores the result in the object, and raises `ParseError` if the URI is invalid.
        """

    def _reject(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        """Raise `ParseError` for the character at the given offset in the URI."""
        raise ParseError(str(self), position, component, rule, reason, hint)

    # --- comparing

    def comparison_key(self, level: Level = "scheme", /) -> str:
        """Return a comparison key: a string that is the same for all equivalent URIs.

        `level` decides which URIs are equivalent. Use the key to find duplicates with a `dict` or a
        `set`. The key is not always a valid URI.

        Args:
            level: `"scheme"` to compare by the rules of the scheme's RFC, as `View.equivalent`
                does; `"syntax"` and `"string"` are the levels of `URI.comparison_key`.

        Raises:
            ValueError: the level is unknown.

        >>> from uriverse import HTTPURI
        >>> HTTPURI("HTTP://Example.org:80").comparison_key()
        'http://example.org/'
        """
        return self._scheme_key() if level == "scheme" else self.uri.comparison_key(level)

    def _scheme_key(self) -> str:
        """Return a string that is the same for all URIs that the scheme's RFC calls equivalent."""
        return self.uri.comparison_key("scheme")

    def equivalent(self, other: str | Identifier | View, /) -> bool:
        """Return True if both URIs are equivalent under the rules of the RFC of their scheme.

        Args:
            other: a string, a URI or a view; it is parsed as the same class.

        Raises:
            ParseError: `other` cannot be parsed as the same class.
            TypeError: `other` is neither a `str`, nor a URI, nor a typed view.

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

    def _repr_html_(self) -> str:
        """Return a table of the components, which IPython and Jupyter show."""
        return self.uri._repr_html_()

    def __eq__(self, other: object) -> bool:
        return self.uri == other.uri if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self.uri))

    def __reduce__(self) -> tuple[type[Self], tuple[URI]]:
        return type(self), (self.uri,)

    # --- fields of pydantic models; see `uriverse.identifiers.pydantic_schema`

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        from uriverse.identifiers.pydantic_schema import field_schema

        return field_schema(cls, (Identifier, View))

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: Any) -> dict[str, Any]:
        from uriverse.identifiers.pydantic_schema import json_schema

        return json_schema(cls._json_schema_format(), handler)

    @classmethod
    def _json_schema_format(cls) -> str:
        """Return the format of JSON Schema for strings of this type."""
        return "uri"


def as_uri(given: str | Identifier | View) -> URI:
    """Convert a string, a URI or a typed view, such as a `URN`, to a `URI`."""
    if isinstance(given, View):
        return given.uri
    return given if isinstance(given, URI) else URI(as_text(given))


def unchangeable(view: View) -> AttributeError:
    return AttributeError(f"{type(view).__name__} is immutable")
