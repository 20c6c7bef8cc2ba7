"""Find the client behind trusted proxies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from uriverse._errors import parse_safely

from ._forwarded import UNKNOWN, ForwardedElement, Node, check_host, parse_from_right


class ClientRequest(NamedTuple):
    """The client, the scheme and the host of a request, as `client_request` returns them.

    Attributes:
        client: the client; `Node("unknown")` if a trusted proxy does not report it.
        scheme: the scheme of the request that the client sent, in lower case.
        host: the `Host` field that the client sent.

    >>> client_request("192.0.2.1", (), scheme="http", host="a.example").client.ip
    IPv4Address('192.0.2.1')
    """

    client: Node
    scheme: str
    host: str


def client_request(
    peer: str | IPv4Address | IPv6Address | None,
    forwarded: str | bytes | Sequence[ForwardedElement],
    *,
    scheme: str,
    host: str,
    hops: int = 0,
    networks: Collection[str | IPv4Network | IPv6Network] = (),
) -> ClientRequest:
    """Return the client, the scheme and the host of a request that passed through proxies.

    By default, no proxy is trusted and `forwarded` is ignored. Every proxy adds its element at the
    right. The right-most element comes from the proxy that is connected to this server. Everything
    to the left of the elements of trusted proxies can be forged: the client may have sent it. So
    the elements are read from the right, and the first node that is not trusted is the client. All
    elements to the left of it are ignored, even if they are invalid.

    Args:
        peer: the address of the other end of the connection; `None` for a Unix socket.
        forwarded: the value of the `Forwarded` field, or the result of `x_forwarded`. If there are
            several field lines, join them with `", "`. An empty element counts as the report of a
            proxy. The result of `parse_forwarded` is accepted too, but that function drops empty
            elements and rejects invalid ones.
        scheme: the scheme of the connection.
        host: the value of the `Host` field.
        hops: the number of trusted proxies. Clients must not be able to connect to the server
            directly.
        networks: the networks of trusted proxies, as in `"10.0.0.0/8"`. Use either `networks` or
            `hops`.

    Returns:
        The request, as the trusted proxy that is farthest away has received it. A proxy that does
        not report a scheme or a host is assumed not to have changed it.

    Raises:
        ParseError: the element of a trusted proxy is invalid; or `host` is invalid, and no trusted
            proxy reports another host.
        ValueError: the peer is not an address, `hops` is negative, both `hops` and `networks` are
            set, or a network is invalid.

    >>> field = "for=198.51.100.7, for=192.0.2.1;proto=https, for=10.0.0.2"
    >>> client_request("10.0.0.1", field, scheme="http", host="a.example")
    ClientRequest(client=Node(text='10.0.0.1'), scheme='http', host='a.example')
    >>> client_request("10.0.0.1", field, scheme="http", host="a.example", hops=2)
    ClientRequest(client=Node(text='192.0.2.1'), scheme='https', host='a.example')
    >>> client_request(
    ...     "10.0.0.1", field, scheme="http", host="a.example", networks=["10.0.0.0/8"]
    ... ).client
    Node(text='192.0.2.1')
    """
    if hops < 0 or (hops and networks):
        raise ValueError("hops must not be negative, and must be 0 if networks are set")
    trusted = [parse_safely(ip_network, network) for network in networks]
    client = to_node(peer)
    if isinstance(forwarded, str | bytes):
        elements = parse_from_right(forwarded)
    else:
        elements = iter(reversed(forwarded))
    element_count = 0
    # Only the elements of trusted proxies are read: the others may be invalid.
    while element_count < hops or (
        client.ip is not None and any(unmap_address(client.ip) in network for network in trusted)
    ):
        element = next(elements, None)
        if element is None:
            break
        element_count += 1
        client = element.for_ or Node(UNKNOWN)
        scheme = scheme if element.proto is None else element.proto.lower()
        host = host if element.host is None else element.host
    return ClientRequest(client, scheme, check_host(host))


def to_node(peer: str | IPv4Address | IPv6Address | None) -> Node:
    if peer is None:
        return Node(UNKNOWN)
    address = unmap_address(parse_safely(ip_address, peer))
    if isinstance(address, IPv4Address):
        return Node(str(address))
    # RFC 7239 has no zone identifiers.
    return Node(f"[{str(address).partition('%')[0]}]")


def unmap_address(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped
