"""The base class of typed URIs, such as `URN`, `DataURI` and `MailtoURI`."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self

from uriverse._errors import ParseError
from uriverse._spec.components import find_bounds
from uriverse._uri import URI
from uriverse._uri.engine import Identifier, as_text

#: The reason and the hint for a parameter that is passed twice.
DUPLICATE_PARAMETER = "duplicate parameter", "pass each name only once: names are case-insensitive"


class TypedURI(URI):
    """A URI that follows the rules of its scheme: the base class of `URN`, `DataURI` and others.

    The constructor checks the rules. Edits may break them, so they return a plain `URI`. Inherited
    properties and methods have the same meaning as in `URI`.

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid URI, has another scheme, or violates the scheme's RFC.
        TypeError: `text` is neither a `str` nor a URI.
    """

    __slots__ = ()

    #: The schemes that the class accepts, in lower case.
    _schemes: ClassVar[tuple[str, ...]]

    #: The name of the scheme's grammar rule, as in the RFC; errors mention it.
    _scheme_rule: ClassVar[str]

    #: The hint for a string without a scheme; by default, to write the last of the schemes.
    _hint_without_scheme: ClassVar[str] = ""

    #: The properties that raise `ConvertError` if the URI is valid but its content is not, such as
    #: invalid base64. `uriverse.check` reads them to report such content.
    _contents: ClassVar[tuple[str, ...]] = ()

    def __new__(cls, text: str | Identifier, /) -> Self:
        try:
            return URI.__new__(cls, text)
        except ParseError as error:
            # If the scheme is missing, its end is negative. Only this class knows the scheme.
            if error.component == "scheme" and find_bounds(error.text).scheme_end < 0:
                error.hint = cls._hint_without_scheme or f'write "{cls._schemes[-1]}:" before it'
            raise

    def __init__(self, _text: str | Identifier, /) -> None:
        try:
            if self.scheme.lower() not in self._schemes:
                schemes = " or ".join(f'"{scheme}"' for scheme in self._schemes)
                reason = f"unexpected scheme: {type(self).__name__} requires {schemes}"
                self._reject(0, "scheme", self._scheme_rule, reason, "use URI for other schemes")
            self._check_scheme_rules()
        except ParseError as error:
            error.well_formed = True
            error.code = "scheme-syntax"
            raise

    def _check_scheme_rules(self) -> None:
        """Raise `ParseError` if the URI violates its RFC; may store what was parsed in a slot."""

    def _reject(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        raise ParseError(as_text(self), position, component, rule, reason, hint)

    # Pickles and copies contain the string only: the constructor parses it again.

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (as_text(self),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self
