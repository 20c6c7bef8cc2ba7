"""URIs whose host is an internal or a public address, in every notation, and what a policy allows.

The policy is `Policy.public_web` on any port.
"""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

#: IPv4 addresses that a program must not reach: loopback, private, metadata services, and others.
INTERNAL_IPV4 = (
    *("127.0.0.1", "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.100.100.200"),
    *("192.0.0.192", "168.63.129.16", "0.0.0.0"),
)

#: IPv6 addresses that a program must not reach.
INTERNAL_IPV6 = ("::1", "::", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "fec0::1", "ff02::1")

PUBLIC_IPV4 = ("93.184.215.14", "8.8.8.8", "1.1.1.1")
PUBLIC_IPV6 = ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2001:4860:4860::8888")

#: Names that a policy for the public web rejects without a lookup.
INTERNAL_NAMES = [
    *("localhost", "LOCALHOST", "a.localhost", "ip6-localhost", "ip6-loopback"),
    *("localhost.localdomain", "localhost6.localdomain6", "metadata.google.internal", "metadata"),
    *("metadata.goog", "metadata.azure.com", "instance-data.ec2.internal", "host.docker.internal"),
    *("host.containers.internal", "kubernetes.default.svc"),
    *("kubernetes.default.svc.cluster.local", "consul.service.consul", "printer.local"),
    *("router.lan", "nas.home", "wiki.corp", "intranet", "mail.intranet", "a.private"),
    *("router.home.arpa", "x.onion", "db.test", "x.invalid", "vm1.internal.cloudapp.net"),
]

#: Names that resolve to internal addresses, and their addresses.
REBINDING_NAMES = {
    "127.0.0.1.nip.io": ("127.0.0.1",),
    "7f000001.nip.io": ("127.0.0.1",),
    "10-0-0-1.sslip.io": ("10.0.0.1",),
    "localtest.me": ("127.0.0.1", "::1"),
    "cname-to-private.example.com": ("192.168.0.1",),
    "metadata.nip.io": ("169.254.169.254",),
    "azure.example.com": ("168.63.129.16",),
    "mapped.example.com": ("::ffff:127.0.0.1",),
    "nat64.example.com": ("64:ff9b::7f00:1",),
    "6to4.example.com": ("2002:7f00:1::",),
    "teredo.example.com": ("2001:0:4136:e378:8000:63bf:80ff:fffe",),
    "zero.example.com": ("0.0.0.0", "::"),
    "ula.example.com": ("fd00:ec2::254",),
    "zone.example.com": ("fe80::1%1",),
    "all.example.com": ("10.0.0.1", "::1", "169.254.169.254", "fe80::1%2"),
}


@dataclass(frozen=True)
class Disguise:
    uri: str
    answer: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def notations_of_ipv4(text: str) -> list[str]:
    number = int(IPv4Address(text))
    octets = [number >> shift & 0xFF for shift in (24, 16, 8, 0)]
    short = f"{octets[0]}.{number & 0xFFFFFF}"
    wide = text.translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)})
    return [
        *(text, str(number), f"0x{number:08x}", f"0{number:o}"),
        ".".join(f"0{octet:o}" for octet in octets),
        ".".join(f"0x{octet:x}" for octet in octets),
        *(short, f"{octets[0]}.{octets[1]}.{number & 0xFFFF}"),
        *(f"0x{octets[0]:x}.{number & 0xFFFFFF}", f"{text}.", wide, text.replace(".", "\u3002")),
        "".join(f"%{ord(character):02x}" for character in text),
        *(text.replace(".", "%2E"), f"user@{text}", f"good.example%40{text}"),
        f"good.example@{text}",
    ]


def notations_of_ipv6(text: str) -> list[str]:
    address = IPv6Address(text)
    return [f"[{text}]", f"[{address.exploded}]", f"[{text.upper()}]", f"[{text}%25eth0]"]


def embedding(text: str) -> list[str]:
    number = int(IPv4Address(text))
    high, low = number >> 16, number & 0xFFFF
    inverted = number ^ 0xFFFF_FFFF
    return [
        *(f"[::ffff:{text}]", f"[::ffff:{high:x}:{low:x}]", f"[::{text}]", f"[::ffff:0:{text}]"),
        *(f"[64:ff9b::{text}]", f"[64:ff9b:1::{text}]", f"[2002:{high:x}:{low:x}::1]"),
        f"[2001:0:808:808:8000:0:{inverted >> 16:x}:{inverted & 0xFFFF:x}]",
    ]


def disguises() -> list[Disguise]:
    refused: list[Disguise] = []
    for text in INTERNAL_IPV4:
        refused += [Disguise(f"http://{host}{{}}/") for host in notations_of_ipv4(text)]
        refused += [Disguise(f"http://{host}{{}}/") for host in embedding(text)]
    for text in INTERNAL_IPV6:
        refused += [Disguise(f"http://{host}{{}}/") for host in notations_of_ipv6(text)]
    refused += [Disguise(f"http://{name}{{}}/", ("127.0.0.1",)) for name in INTERNAL_NAMES]
    refused += [Disguise(f"http://{name}{{}}/", to) for name, to in REBINDING_NAMES.items()]
    refused += [
        Disguise(text, ("127.0.0.1",))
        for text in (
            *("http://evil.example\\@127.0.0.1{}/", "http://127.0.0.1{}\\@good.example/"),
            *("http:\\\\127.0.0.1{}/", "http:/127.0.0.1{}/", "http:127.0.0.1{}/"),
            *("http:///127.0.0.1{}/", "http://127.0.0.1{}#@good.example/"),
            *("http://127.0.0.1{}?@good.example/", "http://good.example@127.0.0.1{}/"),
            *("http://127.0.0.1%00.good.example{}/", "http://127.0.0.1%0a{}/"),
            *("http://127.0.0.1\t{}/", "http://local\thost{}/", "http://loc\u00adalhost{}/"),
            "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3{}/",
            *("http://localhost.{}/", "http://good.example.{}/", "http://[::1]{}@good.example/"),
            *("file:///etc/passwd", "file://127.0.0.1{}/etc/passwd", "gopher://127.0.0.1{}/_x"),
            *("dict://127.0.0.1{}/", "ftp://127.0.0.1{}/"),
            *("http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "unix:/var/run/docker.sock"),
            *("data:text/plain,a", "javascript:alert(1)", "//127.0.0.1{}/", "127.0.0.1{}"),
        )
    ]
    passed = [Disguise(f"http://{ip}{{}}/", (), (ip,)) for ip in PUBLIC_IPV4]
    passed += [Disguise(f"http://[{ip}]{{}}/", (), (ip,)) for ip in PUBLIC_IPV6]
    passed += [
        Disguise("http://example.com{}/", (PUBLIC_IPV4[0],), (PUBLIC_IPV4[0],)),
        Disguise("HTTP://EXAMPLE.com{}/", (PUBLIC_IPV4[0],), (PUBLIC_IPV4[0],)),
        Disguise("http://xn--bcher-kva.example{}/", (PUBLIC_IPV6[0],), (PUBLIC_IPV6[0],)),
        Disguise("http://localhost.example.com{}/a?b", (PUBLIC_IPV4[0],), (PUBLIC_IPV4[0],)),
        Disguise("http://10.example.com{}/", (PUBLIC_IPV4[1],), (PUBLIC_IPV4[1],)),
        Disguise("http://internal.example.com{}/", (PUBLIC_IPV4[1],), (PUBLIC_IPV4[1],)),
        Disguise("http://mixed.example.com{}/", ("127.0.0.1", "8.8.8.8"), ("8.8.8.8",)),
        Disguise("http://mixed6.example.com{}/", ("::1", PUBLIC_IPV6[0]), (PUBLIC_IPV6[0],)),
        Disguise("http://nat64.example.com{}/", ("64:ff9b::808:808",), ("64:ff9b::808:808",)),
        Disguise("http://8-8-8-8.nip.io{}/", ("8.8.8.8",), ("8.8.8.8",)),
    ]
    return refused + passed
