"""What a host leads to, as far as its text tells: addresses in disguise, and what they are for.

Nothing here asks the network. What a name resolves to, now or a moment later, what a proxy,
a hosts file or a redirect makes of it, can't be seen in a text: whoever connects looks at the
address that it connects to, with `scopes`. What can be seen is which texts are addresses,
though they do not look so, and which names never lead to the public Internet.

>>> from ipaddress import ip_address
>>> from uriverse import hosts
>>> hosts.lookalike_ip("0x7f.1")
IPv4Address('127.0.0.1')
>>> sorted(hosts.scopes(ip_address("64:ff9b::10.0.0.1")))
['global', 'private']
>>> hosts.special_use("printer.local")
'local'
"""

from .embedded import EmbeddedAddress, embedded_addresses
from .kinds import host_kind, ip
from .lookalikes import ipv4_form, lookalike_ip
from .names import special_use
from .scopes import PUBLIC_SCOPES, is_globally_reachable, scope, scopes

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
