"""What the typed views share: a URI, seen as what its scheme's RFC says it is."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self

from uriverse.engine import Identifier, as_text
from uriverse.errors import ParseError
from uriverse.identifiers import URI


class View:
    """A URI of one scheme, read once and kept as it is.

    Immutable. `str()` gives back the text exactly; equality and hash are those of the
    text, between views of one type.

    Attributes:
        uri: the URI.
    """

    __slots__ = ("__weakref__", "uri")

    #: The schemes that it is for, in lower case.
    SCHEMES: ClassVar[tuple[str, ...]]

    #: What its RFC calls the whole, for errors.
    RULE: ClassVar[str]

    uri: URI

    def __init__(self, uri: str | Identifier, /) -> None:
        exact = uri if isinstance(uri, URI) else URI(as_text(uri))
        if str(exact.scheme).lower() not in self.SCHEMES:
            schemes = " or ".join(f'"{scheme}"' for scheme in self.SCHEMES)
            reason, hint = f"the scheme is not {schemes}", f"{type(self).__name__} is for those"
            raise ParseError(str(exact), 0, "scheme", self.RULE, reason, hint)
        object.__setattr__(self, "uri", exact)
        self._read()

    def _read(self) -> None:
        """Refuse what the scheme's RFC does not allow; keep what has been found."""

    def _refuse(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        """Raise the error for a place in the text."""
        raise ParseError(str(self), position, component, rule, reason, hint)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} can't be changed")

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
