"""Classify hosts: disguised IP addresses, private addresses and special-use names.

None of these functions uses the network, so they do not know which addresses a host name resolves
to. When you connect, check the resolved address with `scopes`.

>>> from ipaddress import ip_address
>>> from uriverse import hosts
>>> hosts.lookalike_ip("0x7f.1")
IPv4Address('127.0.0.1')
>>> sorted(hosts.scopes(ip_address("64:ff9b::10.0.0.1")))
['global', 'private']
>>> hosts.special_use("printer.local")
'local'
"""

from uriverse import _lazy

from ._kinds import host_kind, ip
from ._lookalikes import ipv4_form, lookalike_ip
from ._names import special_use
from ._scopes import (
    PUBLIC_SCOPES,
    EmbeddedAddress,
    embedded_addresses,
    is_globally_reachable,
    scope,
    scopes,
)

__all__ = [
    "PUBLIC_SCOPES",
    "EmbeddedAddress",
    "embedded_addresses",
    "host_kind",
    "ip",
    "ipv4_form",
    "is_globally_reachable",
    "lookalike_ip",
    "scope",
    "scopes",
    "special_use",
]
__dir__ = __all__.copy

_lazy.publish(globals())
