"""The `Link` field (RFC 8288), and non-ASCII parameter values (RFC 8187)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, Self, final

from uriverse._errors import BuildError, ParseError
from uriverse._lazy import lazy_pattern
from uriverse._spec.messages import format_reason
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import pct_decode, pct_encode, to_plain_str
from uriverse._spec.syntax import find_match_end
from uriverse._uri import URI, URIReference
from uriverse._uri.engine import Identifier, redact

from ._fields import (
    QUOTABLE,
    TOKEN,
    Scanner,
    make_plain,
    name_field_character,
    ows,
    quoted,
    redact_params,
    remove_backslashes,
    require_host,
    reraise_in_field,
    token,
    write_param_value,
)

# link-param = token BWS [ "=" BWS ( token / quoted-string ) ]
#
# Whitespace around "=" must not be written, but must be accepted. The last alternative makes sure
# that "=" is followed by a value.
TARGET = lazy_pattern("<([^>]*+)>")
SEMICOLON = lazy_pattern(f"{ows};")
PARAM = lazy_pattern(
    rf"{ows};{ows}({token}){ows}"
    rf'(?:={ows}(?:({token})|"({quoted})")|(?!=))'
)

#: The end of the names of parameters whose values are encoded by RFC 8187.
STAR = "*"


@final
@dataclass(frozen=True, slots=True)
class Link:
    """A link from a `Link` field: a target and its parameters ([RFC 8288, 3][1]).

    `str()` returns the link as it is written in the field. Write several links with
    `", ".join(map(str, links))`. To create a link with a relation type and a title, use
    `Link.build`.

    [1]: https://www.rfc-editor.org/rfc/rfc8288#section-3

    Args:
        target: the target, a URI reference as written between `<` and `>`.
        params: the parameters in their order, as pairs of a name in lower case and a value. Values
            are without quotes and backslashes, but values of names that end with `*` are encoded.
            `None` is the value of a parameter without `=`.

    Raises:
        ParseError: the target is not a URI reference, or the value of a name with `*` is invalid.
        BuildError: a name is not a token in lower case, or a value cannot be written.

    >>> link = Link("/a", (("rel", "next"), ("title", "a=b")))
    >>> str(link)
    '</a>; rel=next; title="a=b"'
    """

    target: str
    params: tuple[tuple[str, str | None], ...] = ()

    def __post_init__(self) -> None:
        make_plain(self, "target")
        URIReference(self.target)
        params = tuple(
            (to_plain_str(name), value and to_plain_str(value)) for name, value in self.params
        )
        object.__setattr__(self, "params", params)
        for name, value in params:
            require_param(name, value)

    @classmethod
    def build(
        cls,
        target: str | Identifier,
        /,
        rel: str | Iterable[str],
        *,
        title: str | None = None,
        anchor: str | Identifier | None = None,
        params: Iterable[tuple[str, str | None]] = (),
    ) -> Self:
        """Build a link from a target, its relation types and its other parameters.

        A title that is not ASCII is written as `title*` ([RFC 8288, 3.4.1][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc8288#section-3.4.1

        Args:
            target: the target, a URI reference.
            rel: the relation type, or several of them.
            title: the title.
            anchor: the context of the link, if it is not the URI of the response.
            params: other parameters, as in `Link`.

        Raises:
            ParseError: `target` or `anchor` is not a URI reference.
            BuildError: a parameter cannot be written.

        >>> print(Link.build("/a", rel=["next", "last"], title="Café"))
        </a>; rel="next last"; title*=UTF-8''Caf%C3%A9
        """
        relation_types = rel if isinstance(rel, str) else " ".join(rel)
        own_params: list[tuple[str, str | None]] = [("rel", relation_types)]
        if anchor is not None:
            own_params.append(("anchor", str(URIReference(str(anchor)))))
        if title is not None and title.isascii():
            own_params.append(("title", title))
        elif title is not None:
            own_params.append((f"title{STAR}", encode_ext_value(title)))
        return cls(str(target), (*own_params, *params))

    def get(self, name: str, /) -> str | None:
        """Return the first value of a parameter, or `None` if the link has no such parameter.

        The value of a name that ends with `*` is decoded.

        Args:
            name: the name; upper and lower case are the same.

        >>> Link("/a", (("type", "text/html"),)).get("Type")
        'text/html'
        """
        name = lowercase_ascii(name)
        value = next((value for param_name, value in self.params if param_name == name), None)
        if value is None or not name.endswith(STAR):
            return value
        return decode_ext_value(value).value

    @property
    def rel(self) -> tuple[str, ...]:
        """The relation types, in lower case, because they are compared case-insensitively.

        If `rel` occurs more than once, only the first counts ([RFC 8288, 3.3][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc8288#section-3.3

        >>> Link("/a", (("rel", "Next last"),)).rel
        ('next', 'last')
        """
        return tuple(filter(None, lowercase_ascii(self.get("rel") or "").split(" ")))

    @property
    def title(self) -> str | None:
        """The title; `None` if the link has no title. `title*` takes precedence over `title`.

        >>> Link("/a", (("title", "Cafe"), ("title*", "UTF-8''Caf%C3%A9"))).title
        'Café'
        """
        encoded = self.get(f"title{STAR}")
        return self.get("title") if encoded is None else encoded

    def target_uri(self, base: str | Identifier, /) -> URI:
        """Return the target of the link, resolved against a base URI.

        Args:
            base: the URI of the response with the `Link` field.

        Raises:
            ParseError: `base` is not a valid URI, or the result is an `http` or `https` URI without
                a host.

        >>> Link("../b").target_uri("http://a.example/c/d")
        URI('http://a.example/b')
        """
        return require_host(URI(base).resolve(URIReference(self.target)))

    def context_uri(self, base: str | Identifier, /) -> URI:
        """Return the context of the link: its resolved `anchor`, or the base URI if it has none.

        Ignore links of other sites about your pages: an anchor can name any URI
        ([RFC 8288, 3.2][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc8288#section-3.2

        Args:
            base: the URI of the response with the `Link` field.

        Raises:
            ParseError: `base` is not a valid URI, `anchor` is not a URI reference, or the result is
                an `http` or `https` URI without a host.

        >>> Link("/a", (("anchor", "#b"),)).context_uri("http://a.example/c")
        URI('http://a.example/c#b')
        """
        anchor = self.get("anchor")
        uri = URI(base)
        return require_host(uri if anchor is None else uri.resolve(URIReference(anchor)))

    def __repr__(self) -> str:
        return f"Link(target={redact(self.target)!r}, params={redact_params(self.params)!r})"

    def __str__(self) -> str:
        params = (
            name if value is None else f"{name}={write_param_value(value)}"
            for name, value in self.params
        )
        return "; ".join((f"<{self.target}>", *params))


def require_param(name: str, value: str | None) -> None:
    """Raise an error for a parameter that cannot be written in a `Link` field."""
    if not TOKEN.fullmatch(name) or name != name.lower():
        reason, hint = "invalid parameter name", "write the name in lower case, as in hreflang"
        raise BuildError(name, 0, "text", "token", reason, hint)
    if name.endswith(STAR):
        decode_ext_value(value or "")  # raises the error of an invalid value
    elif value is not None:
        valid_length = find_match_end(QUOTABLE, value)
        if valid_length < len(value):
            reason = format_reason(name_field_character(value, valid_length), "parameter value")
            hint = f'remove it, or encode the value for the parameter "{name}{STAR}"'
            raise BuildError(value, valid_length, "text", "quoted-string", reason, hint)


def parse_links(value: str | bytes, /) -> tuple[Link, ...]:
    """Parse a `Link` field ([RFC 8288, 3][1]).

    A parameter whose name ends with `*` is skipped if its value cannot be decoded ([RFC 8288,
    B.3][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc8288#section-3
    [2]: https://www.rfc-editor.org/rfc/rfc8288#appendix-B.3

    Args:
        value: the field value. If there are several field lines, join them with `", "`.

    Raises:
        ParseError: the field value is invalid.
        TypeError: the value is neither a `str` nor `bytes`.

    >>> for link in parse_links('</b>; rel=next; title="a=b, c", </>; rel="start up"'):
    ...     print(link.target, link.rel, link.title)
    /b ('next',) a=b, c
    / ('start', 'up') None
    """
    scanner = Scanner(value, "Link")
    return tuple(read_link(scanner) for _ in scanner.elements())


def read_link(scanner: Scanner) -> Link:
    """Read `"<" URI-Reference ">" *( OWS ";" OWS link-param )`, and move the scanner after it."""
    text = scanner.text
    match = TARGET.match(text, scanner.position)
    if match is None:
        reject_link_target(scanner)
    target, target_start = match[1], match.start(1)
    try:
        URIReference(target)
    except ParseError as error:
        reraise_in_field(error, text, target_start + error.position)
    params: list[tuple[str, str | None]] = []
    end = match.end()
    while match := PARAM.match(text, end):
        name, bare_value, quoted_value = match.groups()
        name = name.lower()
        value = bare_value if quoted_value is None else remove_backslashes(quoted_value)
        # A value that cannot be decoded is ignored (RFC 8288, B.3).
        if not name.endswith(STAR) or is_ext_value(value or ""):
            params.append((name, value))
        end = match.end()
    scanner.position = end
    if SEMICOLON.match(text, end):  # no valid parameter follows it
        reject_param(scanner)
    link = object.__new__(Link)  # without validating its arguments again
    object.__setattr__(link, "target", target)
    object.__setattr__(link, "params", tuple(params))
    return link


def is_ext_value(value: str) -> bool:
    try:
        decode_ext_value(value)
    except ParseError:
        return False
    return True


def reject_link_target(scanner: Scanner) -> NoReturn:
    if not scanner.skip("<"):
        scanner.reject("link-value", 'write the target between "<" and ">"')
    text = scanner.text
    reason, hint = 'missing ">" after the target in Link field', 'write ">" after the target'
    raise ParseError(text, len(text), "text", "link-value", reason, hint)


def reject_param(scanner: Scanner) -> NoReturn:
    # Read an invalid parameter piece by piece: one of the steps raises the error.
    scanner.skip_whitespace()
    scanner.skip(";")
    scanner.skip_whitespace()
    scanner.read_token("write a parameter as in rel=next, or remove the semicolon")
    scanner.skip_whitespace()
    scanner.skip("=")
    scanner.skip_whitespace()
    scanner.read_value()
    raise AssertionError("one of these parts is invalid")


# value-chars = *( pct-encoded / attr-char )
ATTR_CHAR = r"0-9A-Za-z!#$&+\-.^_`|~"
VALUE_CHARS = lazy_pattern(f"(?:[{ATTR_CHAR}]++|%[0-9A-Fa-f]{{2}})*+")
NOT_ATTR_CHARS = lazy_pattern(f"[^{ATTR_CHAR}]++")

# language = <Language-Tag, see RFC 5646, 2.1>
LANGUAGE = lazy_pattern(r"(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*+)?")

CHARSET = "UTF-8"

VALUE_HINT = "write the value as in UTF-8'en'caf%C3%A9"
LANGUAGE_HINT = 'write a language tag such as "en"'


class ExtValue(NamedTuple):
    """A decoded value with its language, as `decode_ext_value` returns it.

    Attributes:
        value: the decoded string.
        language: the language tag; `""` if the value has no language.

    >>> decode_ext_value("UTF-8'en'%C2%A3").language
    'en'
    """

    value: str
    language: str


def decode_ext_value(text: str, /) -> ExtValue:
    """Decode the value of a parameter such as `title*` ([RFC 8187, 3.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1

    Args:
        text: the value, such as `UTF-8'en'%C2%A3`.

    Raises:
        ParseError: the value is invalid, or its encoding is not UTF-8, which RFC 8187 requires.

    >>> decode_ext_value("UTF-8''%e2%82%ac%20rates")
    ExtValue(value='€ rates', language='')
    """
    text = to_plain_str(text)
    charset, first_quote, language_and_value = text.partition("'")
    language, second_quote, encoded = language_and_value.partition("'")
    if not second_quote:
        reason = "incomplete value: two single quotes expected"
        raise ParseError(text, len(text), "text", "ext-value", reason, VALUE_HINT)
    if charset.upper() != CHARSET:
        reason = f"unexpected encoding: RFC 8187 requires {CHARSET}"
        raise ParseError(text, 0, "text", "charset", reason, VALUE_HINT)
    if not LANGUAGE.fullmatch(language):
        position, reason = len(charset + first_quote), "invalid language tag"
        raise ParseError(text, position, "text", "language", reason, LANGUAGE_HINT)
    encoded_start = len(text) - len(encoded)
    position = find_match_end(VALUE_CHARS, text, encoded_start)
    if position < len(text):
        reason = format_reason(name_field_character(text, position), "value")
        hint = "percent-encode it as UTF-8"
        raise ParseError(text, position, "text", "value-chars", reason, hint)
    try:
        return ExtValue(pct_decode(encoded).decode(), language)
    except UnicodeDecodeError:
        reason, hint = "invalid UTF-8 in value", "encode the string as UTF-8"
        raise ParseError(text, encoded_start, "text", "value-chars", reason, hint) from None


def encode_ext_value(value: str, language: str = "", /) -> str:
    """Encode a string as the value of a parameter such as `title*` ([RFC 8187, 3.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1

    Args:
        value: the string.
        language: a language tag, such as `"en"`.

    Raises:
        BuildError: the language tag is invalid, or the string contains a lone surrogate.

    >>> encode_ext_value("€ rates", "en")
    "UTF-8'en'%E2%82%AC%20rates"
    """
    value, language = to_plain_str(value), to_plain_str(language)
    if not LANGUAGE.fullmatch(language):
        raise BuildError(language, 0, "text", "language", "invalid language tag", LANGUAGE_HINT)
    try:
        encoded = NOT_ATTR_CHARS.sub(lambda match: pct_encode(match[0].encode()), value)
    except UnicodeEncodeError as error:
        reason = "invalid lone surrogate in value"
        hint = "decode the original bytes again: a lone surrogate is not a character"
        position = value.index(error.object[error.start])
        raise BuildError(value, position, "text", "value-chars", reason, hint) from None
    return f"{CHARSET}'{language}'{encoded}"
