"""Telephone numbers ([RFC 3966](https://www.rfc-editor.org/rfc/rfc3966))."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Self, final

from uriverse._spec.components import all_parts, composed
from uriverse.errors import BuildError
from uriverse.identifiers.building import part_text
from uriverse.percent import encode
from uriverse.schemes import tel

from .decoding import decode
from .view import View

#: The path of a tel URI begins behind "tel:".
PATH_START = 4


@final
class TelURI(View):
    """A telephone number, as [RFC 3966, section 3][1] has it.

    A number is global, and begins with a plus sign, or local, and has a `phone_context`. No
    parameter appears twice. Their order is not looked at when one is read: it is the RFC's in
    what is built, and what `normalize` gives.

    [1]: https://www.rfc-editor.org/rfc/rfc3966#section-3

    Args:
        uri: the text, or an identifier.

    Raises:
        ParseError: it is no telephone-uri.
        TypeError: it is neither a `str` nor an identifier.

    >>> call = TelURI("tel:+1-201-555-0123;ext=7")
    >>> call.number, call.digits, call.is_global, call.extension
    ('+1-201-555-0123', '+12015550123', True, '7')
    >>> call.equivalent(TelURI("TEL:+1(201)555.0123;EXT=7"))
    True
    """

    __slots__ = ("_subscriber",)

    SCHEMES: ClassVar[tuple[str, ...]] = ("tel",)
    RULE: ClassVar[str] = "telephone-uri"

    _subscriber: tel.Subscriber

    def _read(self) -> None:
        uri = self.uri
        if uri.host is not None:
            reason, hint = "a tel URI has no authority", "leave out the slashes"
            self._reject(PATH_START, "host", self.RULE, reason, hint)
        end = PATH_START + len(uri.path)
        violation = tel.violation(uri.path)
        if violation is not None and violation.position < len(uri.path):
            self._reject(*violation._replace(position=PATH_START + violation.position))
        if uri.query is not None:
            reason, hint = "a tel URI has no query", "write %3F for a question mark that is data"
            self._reject(end, "query", self.RULE, reason, hint)
        if uri.fragment is not None:
            reason, hint = "a tel URI has no fragment", "write %23 for a number sign"
            self._reject(end, "fragment", self.RULE, reason, hint)
        if violation is not None:
            self._reject(*violation._replace(position=end))
        object.__setattr__(self, "_subscriber", tel.subscriber(uri.path))

    @classmethod
    def build(
        cls,
        number: str,
        *,
        extension: str | None = None,
        isdn_subaddress: str | bytes | None = None,
        phone_context: str | None = None,
        parameters: Mapping[str, str | bytes | None] | None = None,
    ) -> Self:
        """Make one of a number and its parameters, in the order that the RFC asks for.

        Args:
            number: the text, global with a plus sign, else local; a number sign in it is
                written "%23". Visual separators stay.
            extension: digits behind the number, or `None`.
            isdn_subaddress: data, or `None`.
            phone_context: a domain name or a global number in which a local one is to be
                understood, or `None`.
            parameters: other parameters, as names and data; `None` for one without a value.
                The three above can be given here, too.

        Raises:
            BuildError: a part is not what its rule produces, is empty, or is given twice; or a
                local number has no context.
            TypeError: a part is of another type.

        >>> TelURI.build("7042", phone_context="example.com", parameters={"a": "b c"})
        TelURI('tel:7042;phone-context=example.com;a=b%20c')
        """
        text = number_text(number)
        given: list[tuple[str, str | bytes | None]] = [
            (name, value)
            for name, value in (
                ("ext", extension),
                ("isub", isdn_subaddress),
                ("phone-context", phone_context),
            )
            if value is not None
        ]
        if parameters is not None:
            if not isinstance(parameters, Mapping):
                kind = type(parameters).__name__
                raise TypeError(f"parameters is a mapping of names to values, not {kind}")
            given += parameters.items()
        written: dict[str, str | None] = {}
        for name, value in given:
            lower = name_text(name)
            if lower in written:
                hint = "each name appears once, in any case of its letters"
                raise BuildError(name, 0, "path", "par", "this parameter is given twice", hint)
            written[lower] = value_text(lower, value)
        if not text.startswith("+") and "phone-context" not in written:
            reason = tel.REASONS["context"]
            hint = 'give a phone_context, or begin a global number with "+"'
            raise BuildError(number, len(number), "path", "context", reason, hint)
        return cls(f"tel:{tel.composed_path(text, written)}")

    # --- the number

    @property
    def number(self) -> str:
        """The number as it is written, without parameters.

        >>> TelURI("tel:863-1234;phone-context=+1-914-555").number
        '863-1234'
        """
        return self._subscriber.number

    @property
    def is_global(self) -> bool:
        """Whether the number is one of the whole world ([5.1.4][1]), and begins with "+".

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.4

        >>> TelURI("tel:+1-201-555-0123").is_global
        True
        """
        return self.number.startswith("+")

    @property
    def digits(self) -> str:
        """The number without visual separators ([5.1.1][1]); "%23" is read as "#".

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.1

        >>> TelURI("tel:+1-(201)-555.0123").digits
        '+12015550123'
        """
        return tel.digits(self.number)

    # --- the parameters

    @property
    def parameters(self) -> Mapping[str, str | None]:
        """All parameters in their order: names in lower case, and decoded values; read-only.

        A value is `None` without an equals sign. Octets that are not UTF-8 are surrogate escapes.

        >>> dict(TelURI("tel:+1-201-555-0123;ext=7;NPDI;a=%C3%A9").parameters)
        {'ext': '7', 'npdi': None, 'a': 'é'}
        """
        return MappingProxyType(
            {
                name.lower(): None if value is None else decode(value)
                for name, value, _ in self._subscriber.parameters
            }
        )

    @property
    def extension(self) -> str | None:
        """The digits behind the number, as they are written; `None` without.

        >>> TelURI("tel:+1-201-555-0123;ext=1-2").extension
        '1-2'
        """
        return self._value("ext")

    @property
    def isdn_subaddress(self) -> str | None:
        """The ISDN subaddress, decoded; `None` without one.

        Octets that are not UTF-8 are surrogate escapes.

        >>> TelURI("tel:+1-201-555-0123;isub=a%3Bb").isdn_subaddress
        'a;b'
        """
        value = self._value("isub")
        return None if value is None else decode(value)

    @property
    def phone_context(self) -> str | None:
        """Where a local number is one, as it is written; `None` without.

        It is a domain name, or the beginning of global numbers ([5.1.5][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.5

        >>> TelURI("tel:7042;phone-context=example.com").phone_context
        'example.com'
        """
        return self._value("phone-context")

    def _value(self, name: str) -> str | None:
        """The value of a parameter as it is written."""
        found = (p.value for p in self._subscriber.parameters if p.name.lower() == name)
        return next(found, None)

    # --- comparing

    def _scheme_key(self) -> str:
        """A text that is the same for all that [RFC 3966, section 4][1] has for one number.

        Both are global or both local; neither case matters nor visual separators, nor the order
        of parameters. All parameters count, and what both have is to have the same value.

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-4

        >>> TelURI("TEL:+1(201)555-0123;EXT=7").comparison_key()
        'tel:+12015550123;ext=7'
        >>> local = TelURI("tel:70-42;a=b;phone-context=example.com")
        >>> local.equivalent("tel:7042;phone-context=EXAMPLE.com;A=B")
        True
        """
        return composed(tel.equivalence(all_parts(str(self))))


def number_text(number: object) -> str:
    """The text of a number, in which "%23" stands for the number sign."""
    text = part_text("number", number)
    rule = tel.number_rule(text)
    # To the rules "*" and "%23" are the same; and so places stay what they are.
    seen = text.replace("#", "*")
    if not tel.RULES[rule].fullmatch(seen):
        position, reason = tel.stop(rule, seen), tel.REASONS[rule]
        raise BuildError(text, position, "path", rule, reason, tel.NUMBER_HINT)
    return text.replace("#", "%23")


def name_text(name: object) -> str:
    """The name of a parameter in lower case."""
    text = part_text("the name of a parameter", name)
    if not tel.RULES["pname"].fullmatch(text):
        position = tel.stop("pname", text)
        raise BuildError(text, position, "path", "pname", tel.REASONS["pname"])
    return text.lower()


def value_text(name: str, value: object) -> str | None:
    """The value of a parameter as it is written: data encoded, but for digits and domain names."""
    rule = tel.DEFINED.get(name, "pvalue")
    if value is None:
        if rule == "pvalue":
            return None
        raise BuildError("", 0, "path", rule, f'the parameter "{name}" has a value')
    if rule in {"extension", "descriptor"}:
        text = part_text(f'the value of "{name}"', value)
        if not tel.RULES[rule].fullmatch(text):
            raise BuildError(text, tel.stop(rule, text), "path", rule, tel.REASONS[rule])
        return text
    if not isinstance(value, str | bytes):
        kind = type(value).__name__
        raise TypeError(f'the value of "{name}" is a str or bytes, not {kind}')
    text = tel.value_text(encode(value, "unreserved"))
    if not text:
        hint = "give None for a parameter without a value" if rule == "pvalue" else ""
        raise BuildError("", 0, "path", rule, "the value of a parameter is not empty", hint)
    return text
