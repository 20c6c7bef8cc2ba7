"""The `Forwarded` field (RFC 7239), and the `X-Forwarded` fields that preceded it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from itertools import zip_longest
from typing import Any, final, overload

from uriverse import hosts
from uriverse._errors import ParseError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import to_plain_str
from uriverse._spec.syntax import find_match_end, matches

from ._fields import (
    QUOTABLE,
    TOKEN,
    Exact,
    ParamValue,
    Scanner,
    decode_field,
    make_plain,
    redact_params,
    reraise_in_field,
    write_param_value,
)
from ._targets import HostField

# node-port = port / obfport, port = 1*5DIGIT
# obfport   = "_" 1*( ALPHA / DIGIT / "." / "_" / "-" )
OBFUSCATED = lazy_pattern(r"_[A-Za-z0-9._\-]++")
NODE_PORT = lazy_pattern(r"[0-9]{1,5}|_[A-Za-z0-9._\-]++")

#: The last element of a field, in the reversed field value. In a quoted string, a backslash is
#: before each quote. An equals sign is before the string.
REVERSED_ELEMENT = lazy_pattern(r'(?:[^",]++|"(?:[^"]++|"(?=\\))*+")*+')

UNKNOWN = "unknown"


@final
@dataclass(frozen=True, slots=True)
class Node(Exact):
    """A client or a proxy in a `Forwarded` field, with an optional port ([RFC 7239, 6][1]).

    `str()` returns exactly the string that was passed in.

    [1]: https://www.rfc-editor.org/rfc/rfc7239#section-6

    Args:
        text: an IPv4 address, an IPv6 address in brackets, `unknown`, or an identifier that starts
            with an underscore; then, optionally, a colon and a port.

    Attributes:
        name: the node without its port.
        port_text: the port; `None` without a port. It may start with an underscore, and then it is
            not a number.

    Raises:
        ParseError: the string is not a node.

    >>> node = Node("[2001:db8::1]:4711")
    >>> node.ip, node.port_text
    (IPv6Address('2001:db8::1'), '4711')
    >>> Node("_hidden").ip is None
    True
    """

    name: str = field(init=False, repr=False, compare=False)
    port_text: str | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        text = self.text
        # node = nodename [ ":" node-port ]; the colons of an IPv6 address are in brackets.
        name_end = text.index("]") + 1 if "]" in text else len(text.partition(":")[0])
        name, port = text[:name_end], text[name_end + 1 :]
        separator = text[name_end : name_end + 1]
        is_identifier = lowercase_ascii(name) == UNKNOWN or OBFUSCATED.fullmatch(name) is not None
        if not is_identifier and hosts.ip(name) is None:
            reason = "invalid node: an IP address, unknown or an identifier expected"
            hint = 'write an IPv6 address in brackets, and an identifier as in "_hidden"'
            raise ParseError(text, 0, "host", "nodename", reason, hint)
        if separator and (separator != ":" or not NODE_PORT.fullmatch(port)):
            reason = "invalid port in node"
            hint = 'write up to five digits after a colon, or an identifier as in "_hidden"'
            raise ParseError(text, name_end, "port", "node-port", reason, hint)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "port_text", port if separator else None)

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The IP address; `None` if the node is unknown or hidden.

        >>> Node("192.0.2.1:80").ip, Node("unknown").ip
        (IPv4Address('192.0.2.1'), None)
        """
        return hosts.ip(self.name)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardedElement:
    """The report of one proxy about the request that it received ([RFC 7239, 4][1]).

    `str()` returns the element as it is written in a `Forwarded` field. Write several elements with
    `", ".join(map(str, elements))`.

    [1]: https://www.rfc-editor.org/rfc/rfc7239#section-4

    Args:
        for_: the client that sent the request to the proxy; `None` if it is not reported.
        by: the address at which the proxy received the request.
        host: the `Host` field that the proxy received.
        proto: the scheme of the request that the proxy received.
        extensions: other parameters, with their names in lower case.

    Raises:
        ParseError: `host` or `proto` is invalid.
        ValueError: the name or the value of an extension cannot be written.

    >>> str(ForwardedElement(for_=Node("[2001:db8::1]"), proto="https"))
    'for="[2001:db8::1]";proto=https'
    """

    for_: Node | None = None
    by: Node | None = None
    host: str | None = None
    proto: str | None = None
    extensions: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for node in (self.for_, self.by):
            if not isinstance(node, Node | None):
                raise TypeError(f"expected a Node or None, not {type(node).__name__}")
        if self.host is not None:
            make_plain(self, "host")
            check_host(self.host)
        if self.proto is not None:
            make_plain(self, "proto")
            check_scheme(self.proto)
        extensions = tuple(
            (to_plain_str(name), to_plain_str(value)) for name, value in self.extensions
        )
        object.__setattr__(self, "extensions", extensions)
        # An extension is neither a parameter with an attribute of its own nor another extension.
        used_names = set(DEFINED_PARAMS)
        for name, value in extensions:
            is_lowercase_token = name == name.lower() and TOKEN.fullmatch(name)
            if name in used_names or not is_lowercase_token or not QUOTABLE.fullmatch(value):
                subject = f"the extension {quote_argument(name)}"
                raise ValueError(f"{subject} must be a new token with a valid value")
            used_names.add(name)

    def __repr__(self) -> str:
        return (
            f"ForwardedElement(for_={self.for_!r}, by={self.by!r}, host={self.host!r}, "
            f"proto={self.proto!r}, extensions={redact_params(self.extensions)!r})"
        )

    def __str__(self) -> str:
        values = {"for": self.for_, "by": self.by, "host": self.host, "proto": self.proto}
        params = [(name, str(value)) for name, value in values.items() if value is not None]
        pairs = [
            f"{name}={write_param_value(value)}" for name, value in (*params, *self.extensions)
        ]
        # Recipients ignore empty elements, so an element without parameters is written as ";". The
        # number of elements is the number of proxies.
        return ";".join(pairs) or ";"


def check_host(text: str) -> str:
    return str(HostField(text))


def check_scheme(text: str) -> str:
    if matches(text, "scheme"):
        return text
    reason, hint = "invalid scheme in proto", 'write a scheme such as "https"'
    raise ParseError(text, 0, "scheme", "scheme", reason, hint)


#: The parameters that RFC 7239, 5, defines, and the functions that convert their values.
DEFINED_PARAMS: Mapping[str, Callable[[str], Any]] = {
    "for": Node,
    "by": Node,
    "host": check_host,
    "proto": check_scheme,
}


def parse_forwarded(value: str | bytes, /) -> tuple[ForwardedElement, ...]:
    """Parse a `Forwarded` field ([RFC 7239, 4][1]).

    Anyone can send such a field, and one invalid element is an error. To find the elements that
    trusted proxies have added, pass the field value to `client_request`, which does not read the
    others.

    [1]: https://www.rfc-editor.org/rfc/rfc7239#section-4

    Args:
        value: the field value. If there are several field lines, join them with `", "`.

    Returns:
        The elements in their order. Each proxy adds its element at the end.

    Raises:
        ParseError: the field value is invalid.
        TypeError: the value is neither a `str` nor `bytes`.

    >>> first, second = parse_forwarded('for="[2001:db8::1]:80";proto=https, for=_proxy')
    >>> first.for_, first.proto, second.for_
    (Node(text='[2001:db8::1]:80'), 'https', Node(text='_proxy'))
    """
    scanner = Scanner(value, "Forwarded")
    return tuple(read_element(scanner) for _ in scanner.elements())


def parse_from_right(value: str | bytes) -> Iterator[ForwardedElement]:
    """Yield the elements of a `Forwarded` field from right to left; parse each when it is reached.

    Reading from the left would fail, or find other elements, if a client has sent a quote without
    the second one. An empty element counts as an element without parameters, as in `x_forwarded`.
    """
    text = decode_field(value)
    if not text.strip(" \t"):
        return
    backwards = text[::-1]
    start = 0
    while start <= len(text):
        end = find_match_end(REVERSED_ELEMENT, backwards, start)
        if not backwards.startswith(",", end):
            # An element with an unpaired quote is invalid, so where it starts does not matter.
            end = len(text)
        elements = parse_forwarded(backwards[start:end][::-1])
        yield elements[0] if elements else ForwardedElement()
        start = end + 1  # after the comma


def read_element(scanner: Scanner) -> ForwardedElement:
    # forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
    # forwarded-pair    = token "=" value
    values: dict[str, ParamValue] = {}
    while True:
        scanner.skip_whitespace()
        start = scanner.position
        has_pair = scanner.text[start : start + 1] not in {"", ";", ","}
        if has_pair:
            name = scanner.read_token("write a parameter as in for=192.0.2.1").lower()
            if name in values:
                reason = "duplicate parameter in Forwarded field"
                hint = "write each parameter only once in an element"
                raise ParseError(scanner.text, start, "text", "forwarded-pair", reason, hint)
            if not scanner.skip("="):
                scanner.reject("forwarded-pair", 'write "=" and a value after the parameter')
            values[name] = scanner.read_value()
            scanner.skip_whitespace()
        if not scanner.skip(";"):
            return create_element(scanner.text, values)


def create_element(text: str, values: dict[str, ParamValue]) -> ForwardedElement:
    """Create an element from its parameters; those that RFC 7239 does not define are extensions."""
    attributes: dict[str, Any] = {}
    extensions: list[tuple[str, str]] = []
    for name, value in values.items():
        if name not in DEFINED_PARAMS:
            extensions.append((name, value.text))
            continue
        attribute = "for_" if name == "for" else name
        try:
            attributes[attribute] = DEFINED_PARAMS[name](value.text)
        except ParseError as error:
            reraise_in_field(error, text, value.locate(error.position))
    return ForwardedElement(**attributes, extensions=tuple(extensions))


def x_forwarded(
    *,
    for_: str | bytes | None = None,
    proto: str | bytes | None = None,
    host: str | bytes | None = None,
    port: str | bytes | None = None,
) -> Sequence[ForwardedElement]:
    """Convert `X-Forwarded` fields to the elements of a `Forwarded` field.

    Pass only the fields that your proxies set or remove. A field that they pass on unchanged comes
    from the client. The last values of all fields belong to the same proxy, and so on. An empty
    value counts too: it is the report of a proxy that did not know the value. If there are several
    lines of a field, join them with `", "`: the first line may come from the client.

    Each element is parsed when it is read, so invalid values from clients do not affect the
    elements of trusted proxies: `client_request` reads only those.

    Args:
        for_: the value of `X-Forwarded-For`. IPv6 addresses may be without brackets.
        proto: the value of `X-Forwarded-Proto`.
        host: the value of `X-Forwarded-Host`.
        port: the value of `X-Forwarded-Port`, for hosts without a port. If your proxies do not
            change the `Host` field, pass its value as `host`.

    Returns:
        The elements, as a sequence. Reading an element with an invalid value raises `ParseError`.

    Raises:
        ValueError: `port` is passed without `host`.

    >>> [str(element) for element in x_forwarded(for_="192.0.2.1, 192.0.2.2", proto="https")]
    ['for=192.0.2.1', 'for=192.0.2.2;proto=https']
    >>> str(x_forwarded(for_="(null), 192.0.2.2")[-1])
    'for=192.0.2.2'
    """
    if port is not None and host is None:
        raise ValueError("port requires host: pass the value of the Host field")
    # The last values belong together, so the columns are joined from the right.
    columns = [split_elements(value)[::-1] for value in (for_, proto, host, port)]
    size = max(map(len, columns[:-1]))
    return XForwarded([*zip_longest(*columns, fillvalue="")][:size][::-1])


@final
@dataclass(frozen=True, slots=True, repr=False)
class XForwarded(Sequence[ForwardedElement]):
    """The elements of `X-Forwarded` fields: rows of the node, scheme, host and port, or `""`."""

    rows: list[tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> ForwardedElement: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ForwardedElement]: ...
    def __getitem__(self, index: int | slice) -> ForwardedElement | Sequence[ForwardedElement]:
        if isinstance(index, slice):
            return XForwarded(self.rows[index])
        node, proto, host, port = self.rows[index]  # "" if a field has no value
        # X-Forwarded-Port completes a host without a port, which may end with a colon.
        if host and port and not HostField(host).port_text:
            host = f"{host.removesuffix(':')}:{port}"
        # IPv6 addresses usually have no brackets in X-Forwarded-For.
        if matches(node, "IPv6address"):
            node = f"[{node}]"
        for_ = Node(node) if node else None
        return ForwardedElement(for_=for_, host=host or None, proto=proto or None)


def split_elements(value: str | bytes | None) -> list[str]:
    text = "" if value is None else decode_field(value).strip(" \t")
    return [element.strip(" \t") for element in text.split(",")] if text else []
