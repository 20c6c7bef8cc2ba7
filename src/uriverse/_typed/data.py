"""Parse and build `data` URLs, which contain a whole document ([RFC 2397][1]).

[1]: https://www.rfc-editor.org/rfc/rfc2397
"""

from __future__ import annotations

import codecs
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn, Self, final

from uriverse._errors import BuildError, ConvertError
from uriverse._spec.percent import locate_octet
from uriverse._uri.engine import as_text
from uriverse.percent import decode_bytes, encode
from uriverse.schemes._data import (
    encode_media_type,
    encode_parameter,
    find_base64_violation,
    find_data_component,
    parse_data,
)

from .base import DUPLICATE_PARAMETER, TypedURI

#: The media type and the charset of a URL that omits the media type (RFC 2397, 2).
DEFAULT_TYPE = "text/plain"
DEFAULT_CHARSET = "US-ASCII"

#: Python codecs that are not charsets: they decode host names (some in more than linear time) or
#: escapes in source code.
NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape"}

#: Messages of errors about charsets.
UNKNOWN_CHARSET = "unknown charset"
AS_BYTES = "pass the data as bytes"

# mime-charset       = 1*mime-charset-chars    ; 40 at most
# mime-charset-chars = ALPHA / DIGIT /
#                      "!" / "#" / "$" / "%" / "&" / "'" / "+" / "-" / "^" / "_" / "`" /
#                      "{" / "}" / "~"         ; RFC 2978, 2.3
MIME_CHARSET = re.compile("[A-Za-z0-9!#$%&'+\\-^_`{}~]{1,40}")


@final
class DataURI(TypedURI):
    """A `data` URL, which contains a document in the URL itself ([RFC 2397][1]).

    The data extends up to the fragment and includes any "?". The fragment is not part of the data.

    [1]: https://www.rfc-editor.org/rfc/rfc2397

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid `data` URL.
        TypeError: `text` is neither a `str` nor a URI.

    >>> note = DataURI("data:,A%20brief%20note")
    >>> note.media_type, note.charset, note.data, note.text()
    ('text/plain', 'US-ASCII', b'A brief note', 'A brief note')
    """

    __module__ = "uriverse"

    __slots__ = ("_url",)

    _schemes = ("data",)
    _scheme_rule = "dataurl"
    _contents = ("data",)

    def _check_scheme_rules(self) -> None:
        self._url = parse_data(as_text(self))

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case; `"text/plain"` if the URL omits it.

        >>> DataURI("data:Image/GIF;base64,R0lG").media_type, DataURI("data:,").media_type
        ('image/gif', 'text/plain')
        """
        return f"{self._url.type}/{self._url.subtype}".lower() if self._url.type else DEFAULT_TYPE

    @property
    def media_type_text(self) -> str | None:
        """The media type with its parameters, exactly as written; `None` if the URL omits both.

        >>> DataURI("data:;charset=UTF-8,").media_type_text
        ';charset=UTF-8'
        """
        return self._url.mediatype or None

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of the media type: a read-only mapping of names to decoded values.

        Names are in lower case. If a name is repeated, its first value is used.

        >>> dict(DataURI("data:text/csv;header=present;Charset=utf-8,").parameters)
        {'header': 'present', 'charset': 'utf-8'}
        """
        values: dict[str, str] = {}
        for parameter in self._url.parameters:
            values.setdefault(parameter.attribute.lower(), parameter.value)
        return MappingProxyType(values)

    @property
    def charset(self) -> str | None:
        """The charset of the data, as written; `None` if the media type does not specify one.

        If the URL omits the media type and all parameters, the charset is `"US-ASCII"`, the default
        of [RFC 2397](https://www.rfc-editor.org/rfc/rfc2397#section-2).

        >>> DataURI("data:,").charset, DataURI("data:text/html,").charset
        ('US-ASCII', None)
        """
        default = None if self._url.mediatype else DEFAULT_CHARSET
        return self.parameters.get("charset", default)

    @property
    def is_base64(self) -> bool:
        """True if the data is encoded in base64.

        >>> DataURI("data:;base64,YQ==").is_base64, DataURI("data:,a").is_base64
        (True, False)
        """
        return self._url.is_base64

    @property
    def data(self) -> bytes:
        r"""The data of the URL as bytes, after percent-decoding and base64 decoding.

        Base64 decoding applies only if `is_base64` is True. Base64 must be valid
        under [RFC 4648][1]: with padding, and without white space or other characters outside its
        alphabet.

        [1]: https://www.rfc-editor.org/rfc/rfc4648#section-3

        Raises:
            ConvertError: the data is not valid base64; `position` of the error is an offset in the
                URL.

        >>> DataURI("data:;base64,YT9i").data, DataURI("data:,a?%FF").data
        (b'a?b', b'a?\xff')
        """
        octets = decode_bytes(self._url.data)
        if not self.is_base64:
            return octets
        violation = find_base64_violation(octets)
        if violation:
            index, reason, hint = violation
            encoded_index = len(self._url.data)
            if index < len(octets):
                encoded_index = locate_octet(self._url.data, index)
            self._reject_data(encoded_index, "base64", reason, hint)
        return a2b_base64(octets)

    def text(self, encoding: str | None = None) -> str:
        """Decode the data to a string, using the charset of the URL, or UTF-8 if it has no charset.

        Args:
            encoding: the name of a charset to use instead; `None` for the charset of the URL.

        Raises:
            ConvertError: the data is not valid base64, the charset is unknown, or the data is not
                valid in the charset.

        >>> DataURI("data:;charset=iso-8859-7,%be%d3%be").text()
        'ΎΣΎ'
        >>> DataURI("data:,caf%C3%A9").text(encoding="utf-8")
        'café'
        """
        own_charset = "utf-8" if self.charset is None else self.charset
        name = own_charset if encoding is None else encoding
        codec = find_codec(name)
        if codec is None:
            self._reject_charset(is_own=encoding is None)
        octets = self.data
        try:
            text, _ = codec.decode(octets)
        except UnicodeDecodeError as error:
            # A base64 character encodes six bits, so four characters encode three bytes.
            index = error.start * 4 // 3 if self.is_base64 else error.start
            reason = f'invalid data for charset "{name}"'
            hint = "use the data attribute for the bytes, or pass another encoding"
            encoded_index = locate_octet(self._url.data, index)
            self._reject_data(encoded_index, "data", reason, hint)
        return text

    @classmethod
    def from_parts(
        cls,
        data: bytes | str,
        media_type: str | None = None,
        *,
        parameters: Mapping[str, str] | None = None,
        base64: bool | None = None,
    ) -> Self:
        """Build a `data` URL that contains the given bytes or string.

        Pass all arguments unencoded: `from_parts` percent-encodes them where necessary. Slashes in
        the data are always encoded. Otherwise, `.` and `..` between slashes would be dot segments,
        which reference resolution removes.

        Args:
            data: the data as bytes; or a string, which is encoded in the charset that `parameters`
                specify, or else in UTF-8. If neither a media type nor a charset is given, the
                parameter `charset=utf-8` is added for a string.
            media_type: the media type without parameters, such as `"text/html"`; `None` to omit it.
            parameters: the parameters of the media type, by name; `None` for no parameters.
            base64: True to write the data in base64, False to percent-encode it; `None` for the
                shorter of the two.

        Raises:
            BuildError: the media type or the name of a parameter is not a valid token, a name is
                given twice, a value contains a control character, or the charset is unknown or
                cannot encode the string.
            TypeError: an argument has the wrong type.

        >>> DataURI.from_parts("café", "text/html", parameters={"charset": "utf-8"})
        DataURI('data:text/html;charset=utf-8,caf%C3%A9')
        >>> str(DataURI.from_parts(bytes(6))), str(DataURI.from_parts("A brief note"))
        ('data:;base64,AAAAAAAA', 'data:;charset=utf-8,A%20brief%20note')
        """
        parameters = {} if parameters is None else dict(parameters)
        for text in (media_type or "", *parameters, *parameters.values()):
            if not isinstance(text, str):
                kind = type(text).__name__
                raise TypeError(f"media_type and parameters must be str, not {kind}")
        if isinstance(data, str):
            charsets = (parameters[name] for name in parameters if name.lower() == "charset")
            charset = next(charsets, None)
            if charset is None and media_type is None:
                parameters["charset"] = "utf-8"
            data = encode_document(data, "utf-8" if charset is None else charset)
        elif not isinstance(data, bytes):
            raise TypeError(f"data must be bytes or a str, not {type(data).__name__}")
        pieces = ["" if media_type is None else encode_media_type(media_type)]
        prefix = f"data:{';'.join(pieces + encode_parameters(parameters))}"
        percent_encoded = "" if base64 else encode(data, "segment")
        # Base64 needs four characters for every three bytes, plus the marker ";base64".
        base64_length = len(";base64") + (len(data) + 2) // 3 * 4
        if base64 or (base64 is None and base64_length < len(percent_encoded)):
            return cls(f"{prefix};base64,{b2a_base64(data, newline=False).decode()}")
        return cls(f"{prefix},{percent_encoded}")

    def _reject_data(self, index: int, rule: str, reason: str, hint: str) -> NoReturn:
        """Raise `ConvertError` for data that cannot be decoded; `index` is an offset in it."""
        position = self._url.start + index
        component = find_data_component(as_text(self), position)
        # Without a cause: the error of the codec contains the data, which may be secret.
        raise ConvertError(as_text(self), position, component, rule, reason, hint) from None

    def _reject_charset(self, *, is_own: bool) -> NoReturn:
        parameters = reversed(self._url.parameters)
        starts = {parameter.attribute.lower(): parameter.start for parameter in parameters}
        position = starts["charset"] if is_own else self._url.start
        hint = "use the data attribute for the bytes, or pass an encoding"
        raise ConvertError(as_text(self), position, "path", "parameter", UNKNOWN_CHARSET, hint)


def find_codec(charset: str) -> codecs.CodecInfo | None:
    # The interpreter caches every name, so names that are invalid or long are not looked up.
    if not MIME_CHARSET.fullmatch(charset):
        return None
    try:
        codec = codecs.lookup(charset)
        # The codec may convert bytes to bytes. The only public test for that is to encode a string.
        " ".encode(charset)
    except (LookupError, ValueError):  # ValueError: the codec "undefined"
        return None
    return None if codec.name in NO_CHARSETS else codec


def encode_document(text: str, charset: str) -> bytes:
    codec = find_codec(charset)
    if codec is None:
        raise BuildError(charset, 0, "path", "value", UNKNOWN_CHARSET, AS_BYTES)
    try:
        return codec.encode(text)[0]
    except UnicodeEncodeError as error:
        reason = "invalid character in data: the charset does not contain it"
        raise BuildError(text, error.start, "path", "data", reason, AS_BYTES) from None


def encode_parameters(parameters: Mapping[str, str]) -> list[str]:
    names: set[str] = set()
    encoded: list[str] = []
    for name, value in parameters.items():
        encoded.append(encode_parameter(name, value))
        if name.lower() in names:
            raise BuildError(name, 0, "path", "attribute", *DUPLICATE_PARAMETER)
        names.add(name.lower())
    return encoded
