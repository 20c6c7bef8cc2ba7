"""Parse and build `tel` URIs, which contain a telephone number ([RFC 3966][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3966
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self, final

from uriverse._errors import BuildError
from uriverse._uri.building import convert_component
from uriverse._uri.segments import decode_segment
from uriverse.percent import encode
from uriverse.schemes import _tel

from .base import DUPLICATE_PARAMETER, TypedURI

#: The offset of the path, which follows "tel:".
PATH_START = 4


@final
class TelURI(TypedURI):
    """A `tel` URI: a telephone number and parameters such as an extension ([RFC 3966][1]).

    A global number starts with "+". A local number has a `phone_context`. A parameter must not be
    repeated. Parameters may be in any order; `from_parts` and `normalize` put them in the order
    that the RFC requires. A fragment is allowed, but it is not part of the number.

    [1]: https://www.rfc-editor.org/rfc/rfc3966#section-3

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid `tel` URI.
        TypeError: `text` is neither a `str` nor a URI.

    >>> call = TelURI("tel:+1-201-555-0123;ext=7")
    >>> call.number, call.digits, call.is_global, call.extension
    ('+1-201-555-0123', '+12015550123', True, '7')
    >>> call.equivalent("TEL:+1(201)555.0123;EXT=7", level="scheme")
    True
    """

    __module__ = "uriverse"

    __slots__ = ("_subscriber",)

    _schemes = ("tel",)
    _scheme_rule = "telephone-uri"

    def _check_scheme_rules(self) -> None:
        if self.host is not None:
            reason, hint = 'invalid "//": a tel URI has no authority', "remove the two slashes"
            self._reject(PATH_START, "host", self._scheme_rule, reason, hint)
        violation = _tel.find_tel_violation(self.path)
        # A violation at the end of the path may be due to a literal "?" or "#" there.
        is_valid_to_end = violation is None or violation.position == len(self.path)
        if self.query is not None and is_valid_to_end:
            reason, hint = "unexpected query: a tel URI has no query", 'write a literal "?" as %3F'
            self._reject(PATH_START + len(self.path), "query", self._scheme_rule, reason, hint)
        if violation is not None:
            position, component, rule, reason, hint = violation
            if self.fragment is not None and is_valid_to_end:
                hint = 'write the key "#" as %23'
            self._reject(PATH_START + position, component, rule, reason, hint)
        self._subscriber = _tel.parse_subscriber(self.path)

    @classmethod
    def from_parts(
        cls,
        number: str,
        *,
        extension: str | None = None,
        isdn_subaddress: str | bytes | None = None,
        phone_context: str | None = None,
        parameters: Mapping[str, str | bytes | None] | None = None,
    ) -> Self:
        """Build a `tel` URI from a telephone number and its parameters.

        The parameters are written in the order that the RFC requires. Their values are
        percent-encoded where necessary.

        Args:
            number: the number, which is global if it starts with "+". Hyphens, dots and parentheses
                are kept, and "#" is written as "%23".
            extension: the digits of the extension; `None` for no extension.
            isdn_subaddress: the ISDN subaddress, unencoded; `None` for no subaddress.
            phone_context: the domain name or global number in whose context a local number is
                valid; `None` for a global number.
            parameters: other parameters by name, with unencoded values; `None` as a value for a
                parameter without "=". The three parameters above may be given here instead, by the
                names `ext`, `isub` and `phone-context`.

        Raises:
            BuildError: a component is invalid, empty or given twice; or a local number has no
                context.
            TypeError: an argument has the wrong type.

        >>> TelURI.from_parts("7042", phone_context="example.com", parameters={"a": "b c"})
        TelURI('tel:7042;phone-context=example.com;a=b%20c')
        """
        encoded_number = encode_number(number)
        named = {"ext": extension, "isub": isdn_subaddress, "phone-context": phone_context}
        pairs: list[tuple[str, str | bytes | None]] = [
            (name, value) for name, value in named.items() if value is not None
        ]
        if parameters is not None:
            if not isinstance(parameters, Mapping):
                kind = type(parameters).__name__
                raise TypeError(f"parameters must be a mapping of names to values, not {kind}")
            pairs += parameters.items()
        encoded_parameters: dict[str, str | None] = {}
        for name, value in pairs:
            lower_name = check_parameter_name(name)
            if lower_name in encoded_parameters:
                raise BuildError(name, 0, "path", "par", *DUPLICATE_PARAMETER)
            encoded_parameters[lower_name] = encode_parameter_value(lower_name, value)
        if not encoded_number.startswith("+") and "phone-context" not in encoded_parameters:
            reason = _tel.REASONS["context"]
            hint = 'pass phone_context, or start a global number with "+"'
            raise BuildError(number, len(number), "path", "context", reason, hint)
        return cls(f"tel:{_tel.compose_path(encoded_number, encoded_parameters)}")

    @property
    def number(self) -> str:
        """The telephone number as written, without parameters.

        >>> TelURI("tel:863-1234;phone-context=+1-914-555").number
        '863-1234'
        """
        return self._subscriber.number

    @property
    def is_global(self) -> bool:
        """True if the telephone number is global and so starts with "+" ([RFC 3966, 5.1.4][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.4

        >>> TelURI("tel:+1-201-555-0123").is_global
        True
        """
        return self.number.startswith("+")

    @property
    def digits(self) -> str:
        """The telephone number without its hyphens, dots and parentheses ([RFC 3966, 5.1.1][1]).

        "%23" in the number is decoded to "#".

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.1

        >>> TelURI("tel:+1-(201)-555.0123").digits
        '+12015550123'
        """
        return _tel.extract_digits(self.number)

    @property
    def parameters(self) -> Mapping[str, str | None]:
        """All parameters in order, as a read-only mapping of names to decoded values.

        Names are in lower case. The value of a parameter without "=" is `None`. Bytes that are not
        valid UTF-8 become surrogate escapes, as in `os.fsdecode`.

        >>> dict(TelURI("tel:+1-201-555-0123;ext=7;NPDI;a=%C3%A9").parameters)
        {'ext': '7', 'npdi': None, 'a': 'é'}
        """
        parameters = {
            name.lower(): None if value is None else decode_segment(value)
            for name, value, _ in self._subscriber.parameters
        }
        return MappingProxyType(parameters)

    @property
    def extension(self) -> str | None:
        """The digits of the extension as written, or `None` if the number has no extension.

        >>> TelURI("tel:+1-201-555-0123;ext=1-2").extension
        '1-2'
        """
        return self._find_value("ext")

    @property
    def isdn_subaddress(self) -> str | None:
        """The percent-decoded ISDN subaddress, or `None` if the number has no subaddress.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`.

        >>> TelURI("tel:+1-201-555-0123;isub=a%3Bb").isdn_subaddress
        'a;b'
        """
        value = self._find_value("isub")
        return None if value is None else decode_segment(value)

    @property
    def phone_context(self) -> str | None:
        """The `phone-context` parameter as written, or `None` if the URI has no such parameter.

        A local number is valid only in this context, which is a domain name or the first digits of
        global numbers ([RFC 3966, 5.1.5][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.5

        >>> TelURI("tel:7042;phone-context=example.com").phone_context
        'example.com'
        """
        return self._find_value("phone-context")

    def _find_value(self, name: str) -> str | None:
        for parameter in self._subscriber.parameters:
            if parameter.name.lower() == name:
                return parameter.value
        return None


def encode_number(number: object) -> str:
    text = convert_component("number", number)
    rule = _tel.choose_number_rule(text)
    # The grammar allows "*" and "%23" at the same places. Replacing "#" with "*", which is also one
    # character, keeps all offsets.
    equivalent = text.replace("#", "*")
    if not _tel.RULES[rule].fullmatch(equivalent):
        position, reason = _tel.find_invalid_character(rule, equivalent), _tel.REASONS[rule]
        raise BuildError(text, position, "path", rule, reason, _tel.NUMBER_HINT)
    return text.replace("#", "%23")


def check_parameter_name(name: object) -> str:
    text = convert_component("a parameter name", name)
    if not _tel.RULES["pname"].fullmatch(text):
        position = _tel.find_invalid_character("pname", text)
        raise BuildError(text, position, "path", "pname", _tel.REASONS["pname"])
    return text.lower()


def encode_parameter_value(name: str, value: object) -> str | None:
    """Percent-encode the value of a parameter; `None` is a parameter without an equals sign."""
    rule = _tel.DEFINED.get(name, "pvalue")
    if value is None:
        if rule == "pvalue":
            return None
        raise BuildError("", 0, "path", rule, _tel.describe_missing_value(name), "pass a value")
    if rule not in _tel.PERCENT_ENCODED:
        plain_value = convert_component(f'the value of parameter "{name}"', value)
        if not _tel.RULES[rule].fullmatch(plain_value):
            position = _tel.find_invalid_character(rule, plain_value)
            raise BuildError(plain_value, position, "path", rule, _tel.REASONS[rule])
        return plain_value
    if not isinstance(value, str | bytes):
        kind = type(value).__name__
        raise TypeError(f'the value of parameter "{name}" must be a str or bytes, not {kind}')
    encoded_value = _tel.decode_plain_characters(encode(value, "unreserved"))
    if not encoded_value:
        hint = "pass None for a parameter without a value" if rule == "pvalue" else ""
        raise BuildError("", 0, "path", rule, "empty parameter value", hint)
    return encoded_value
