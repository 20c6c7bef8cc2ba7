"""What the typed views share: a URI, seen as what its scheme's RFC says it is."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self

from uriverse._engine import Identifier, as_text
from uriverse.errors import ParseError
from uriverse.identifiers import URI
from uriverse.typing import Level


class View:
    """A URI of one scheme, read once and kept as it is.

    Immutable. `str()` gives back the text exactly; equality and hash are those of the
    text, between views of one type. A view is no identifier: `uri` is, and has all that
    identifiers do. To compare what is meant there is `equivalent`.

    Args:
        uri: a text, an identifier, or another view, whose URI is taken.

    Attributes:
        uri: the URI.

    Raises:
        ParseError: it is no URI, or not of the scheme, or not what the scheme's RFC allows.
        TypeError: it is neither a `str`, nor an identifier, nor a view.
    """

    __slots__ = ("__weakref__", "uri")

    #: The schemes that it is for, in lower case.
    SCHEMES: ClassVar[tuple[str, ...]]

    #: What can be wrong with it though its grammar is kept: attributes that raise `ConvertError`.
    CONTENTS: ClassVar[tuple[str, ...]] = ()

    #: What its RFC calls the whole, for errors.
    RULE: ClassVar[str]

    uri: URI

    def __init__(self, uri: str | Identifier | View, /) -> None:
        if hasattr(self, "uri"):
            raise unchangeable(self)
        object.__setattr__(self, "uri", as_uri(uri))
        try:
            self._judge_scheme()
            self._read()
        except ParseError as error:
            error.well_formed = True
            raise

    def _judge_scheme(self) -> None:
        """Refuse a URI of another scheme."""
        if self.uri.scheme.lower() not in self.SCHEMES:
            schemes = " or ".join(f'"{scheme}"' for scheme in self.SCHEMES)
            reason, hint = f"the scheme is not {schemes}", f"{type(self).__name__} is for those"
            self._reject(0, "scheme", self.RULE, reason, hint)

    def _read(self) -> None:
        """Refuse what the scheme's RFC does not allow; keep what has been found."""

    def _reject(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        """Raise the error for a place in the text."""
        raise ParseError(str(self), position, component, rule, reason, hint)

    # --- comparing

    def comparison_key(self, level: Level = "scheme", /) -> str:
        """Return a string that is the same for all views that are equivalent at a level.

        Use it as a key of a `dict` or a `set`.

        Args:
            level: `"scheme"` for the equivalence that the scheme's specification defines, as
                `equivalent` has it; the other levels are those of `URI.comparison_key`.

        Raises:
            ValueError: the level does not exist.

        >>> from uriverse import HTTPURI
        >>> HTTPURI("HTTP://Example.org:80").comparison_key()
        'http://example.org/'
        """
        return self._scheme_key() if level == "scheme" else self.uri.comparison_key(level)

    def _scheme_key(self) -> str:
        """Return the key by the equivalence of the scheme."""
        return self.uri.comparison_key("scheme")

    def equivalent(self, other: str | Identifier | View, /) -> bool:
        """Whether this and another mean the same, as far as their scheme's RFC tells.

        Args:
            other: a text, an identifier or a view; it is read as one of this type.

        Raises:
            ParseError: the other can't be read as one of this type.
            TypeError: the other is neither a `str`, nor an identifier, nor a view.

        >>> from uriverse import URN
        >>> URN("urn:example:a%2cb").equivalent("URN:EXAMPLE:a%2Cb?=c")
        True
        """
        theirs: View = type(self)(other)
        return self._scheme_key() == theirs._scheme_key()

    # --- being a value

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
    """The URI of what is accepted as one."""
    if isinstance(given, View):
        return given.uri
    return given if isinstance(given, URI) else URI(as_text(given))


def unchangeable(view: View) -> AttributeError:
    return AttributeError(f"{type(view).__name__} can't be changed")
