"""Connect only to addresses that a policy allows.

A `Policy` examines a URI, but a harmless name can resolve to an internal address, and it can
resolve to another address a moment later (DNS rebinding). The connectors of this module look up the
name once, reject the addresses that the policy forbids, and connect to the remaining addresses.
They check every request, every redirect and every new connection. TLS verification, the `Host`
field, pooling, timeouts and HTTP/2 work as usual.

>>> import uriverse
>>> from ipaddress import ip_address
>>> def resolver(name):
...     return [ip_address("93.184.215.14"), ip_address("127.0.0.1")]
>>> policy = uriverse.Policy.public_web()
>>> plan = uriverse.dial.lookup(policy, "https://example.org/", resolver=resolver)
>>> plan.addresses
(IPv4Address('93.184.215.14'),)
>>> plan.rejected[0].reason
'the policy forbids the scope of the host: loopback'
"""

from uriverse import _lazy

from ._connecting import connect
from ._connectors import (
    aiohttp_connector,
    httpcore2_async_backend,
    httpcore2_backend,
    httpcore_async_backend,
    httpcore_backend,
    httpx2_async_transport,
    httpx2_transport,
    httpx_async_transport,
    httpx_transport,
    requests_session,
    urllib3_pool,
    urllib_opener,
)
from ._planning import (
    AsyncResolver,
    ConnectionPlan,
    RejectedAddress,
    Resolver,
    lookup,
    lookup_async,
    system_resolver,
    system_resolver_async,
)

__all__ = [
    "AsyncResolver",
    "ConnectionPlan",
    "RejectedAddress",
    "Resolver",
    "aiohttp_connector",
    "connect",
    "httpcore2_async_backend",
    "httpcore2_backend",
    "httpcore_async_backend",
    "httpcore_backend",
    "httpx2_async_transport",
    "httpx2_transport",
    "httpx_async_transport",
    "httpx_transport",
    "lookup",
    "lookup_async",
    "requests_session",
    "system_resolver",
    "system_resolver_async",
    "urllib3_pool",
    "urllib_opener",
]
__dir__ = __all__.copy

_lazy.publish(globals())
