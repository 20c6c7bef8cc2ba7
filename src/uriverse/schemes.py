"""What is known of schemes: the ports that are meant where none is written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: The default port of a scheme that has one: of its RFC, or by the [registry of ports][1].
#:
#: [1]: https://www.iana.org/assignments/service-names-port-numbers
DEFAULT_PORTS: Mapping[str, int] = MappingProxyType(
    {
        "amqp": 5672,
        "amqps": 5671,
        "coap": 5683,
        "coaps": 5684,
        "dict": 2628,
        "ftp": 21,
        "ftps": 990,
        "git": 9418,
        "http": 80,
        "https": 443,
        "imap": 143,
        "imaps": 993,
        "irc": 194,
        "ircs": 6697,
        "ldap": 389,
        "ldaps": 636,
        "mqtt": 1883,
        "mqtts": 8883,
        "mysql": 3306,
        "pop": 110,
        "postgresql": 5432,
        "redis": 6379,
        "rediss": 6379,
        "rtsp": 554,
        "rtsps": 322,
        "sftp": 22,
        "sip": 5060,
        "sips": 5061,
        "smtp": 25,
        "ssh": 22,
        "telnet": 23,
        "ws": 80,
        "wss": 443,
    }
)
