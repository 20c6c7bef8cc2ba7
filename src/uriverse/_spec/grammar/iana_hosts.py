"""The IANA registries of special-purpose addresses and of special-use domain names.

From https://www.iana.org/assignments/iana-ipv4-special-registry, as of 2025-10-09.
From https://www.iana.org/assignments/iana-ipv6-special-registry, as of 2025-10-09.
From https://www.iana.org/assignments/special-use-domain-names, as of 2026-05-22.
Generated from the files in `tools/iana` by `tools/make_registries.py`.
"""

#: The date of the last update of each registry.
UPDATED = {
    "iana-ipv4-special-registry": "2025-10-09",
    "iana-ipv6-special-registry": "2025-10-09",
    "special-use-domain-names": "2026-05-22",
}

#: The address blocks: the first address, the prefix length, the name, the document that
#: defines the block, and whether it is globally reachable (`None` if not specified).
IPV4: tuple[tuple[int, int, str, str, bool | None], ...] = (
    (0x00000000, 8, '"This network"', "RFC 791, 3.2", False),  # 0.0.0.0/8
    (0x00000000, 32, '"This host on this network"', "RFC 1122, 3.2.1.3", False),  # 0.0.0.0/32
    (0x0A000000, 8, "Private-Use", "RFC 1918", False),  # 10.0.0.0/8
    (0x64400000, 10, "Shared Address Space", "RFC 6598", False),  # 100.64.0.0/10
    (0x7F000000, 8, "Loopback", "RFC 1122, 3.2.1.3", False),  # 127.0.0.0/8
    (0xA9FE0000, 16, "Link Local", "RFC 3927", False),  # 169.254.0.0/16
    (0xAC100000, 12, "Private-Use", "RFC 1918", False),  # 172.16.0.0/12
    (0xC0000000, 24, "IETF Protocol Assignments", "RFC 6890, 2.1", False),  # 192.0.0.0/24
    (0xC0000000, 29, "IPv4 Service Continuity Prefix", "RFC 7335", False),  # 192.0.0.0/29
    (0xC0000008, 32, "IPv4 dummy address", "RFC 7600", False),  # 192.0.0.8/32
    (0xC0000009, 32, "Port Control Protocol Anycast", "RFC 7723", True),  # 192.0.0.9/32
    (0xC000000A, 32, "Traversal Using Relays around NAT Anycast", "RFC 8155", True),  # 192.0.0.10/32
    (0xC00000AA, 32, "NAT64/DNS64 Discovery", "RFC 8880; RFC 7050, 2.2", False),  # 192.0.0.170/32
    (0xC00000AB, 32, "NAT64/DNS64 Discovery", "RFC 8880; RFC 7050, 2.2", False),  # 192.0.0.171/32
    (0xC0000200, 24, "Documentation (TEST-NET-1)", "RFC 5737", False),  # 192.0.2.0/24
    (0xC01FC400, 24, "AS112-v4", "RFC 7535", True),  # 192.31.196.0/24
    (0xC034C100, 24, "AMT", "RFC 7450", True),  # 192.52.193.0/24
    (0xC0586300, 24, "Deprecated (6to4 Relay Anycast)", "RFC 7526", None),  # 192.88.99.0/24
    (0xC0586302, 32, "6a44-relay anycast address", "RFC 6751", False),  # 192.88.99.2/32
    (0xC0A80000, 16, "Private-Use", "RFC 1918", False),  # 192.168.0.0/16
    (0xC0AF3000, 24, "Direct Delegation AS112 Service", "RFC 7534", True),  # 192.175.48.0/24
    (0xC6120000, 15, "Benchmarking", "RFC 2544", False),  # 198.18.0.0/15
    (0xC6336400, 24, "Documentation (TEST-NET-2)", "RFC 5737", False),  # 198.51.100.0/24
    (0xCB007100, 24, "Documentation (TEST-NET-3)", "RFC 5737", False),  # 203.0.113.0/24
    (0xF0000000, 4, "Reserved", "RFC 1112, 4", False),  # 240.0.0.0/4
    (0xFFFFFFFF, 32, "Limited Broadcast", "RFC 8190; RFC 919, 7", False),  # 255.255.255.255/32
)

#: The same for IPv6.
IPV6: tuple[tuple[int, int, str, str, bool | None], ...] = (
    (0x00000000000000000000000000000001, 128, "Loopback Address", "RFC 4291", False),  # ::1/128
    (0x00000000000000000000000000000000, 128, "Unspecified Address", "RFC 4291", False),  # ::/128
    (0x00000000000000000000FFFF00000000, 96, "IPv4-mapped Address", "RFC 4291", False),  # ::ffff:0:0/96
    (0x0064FF9B000000000000000000000000, 96, "IPv4-IPv6 Translat.", "RFC 6052", True),  # 64:ff9b::/96
    (0x0064FF9B000100000000000000000000, 48, "IPv4-IPv6 Translat.", "RFC 8215", False),  # 64:ff9b:1::/48
    (0x01000000000000000000000000000000, 64, "Discard-Only Address Block", "RFC 6666", False),  # 100::/64
    (0x01000000000000010000000000000000, 64, "Dummy IPv6 Prefix", "RFC 9780", False),  # 100:0:0:1::/64
    (0x20010000000000000000000000000000, 23, "IETF Protocol Assignments", "RFC 2928", False),  # 2001::/23
    (0x20010000000000000000000000000000, 32, "TEREDO", "RFC 4380; RFC 8190", None),  # 2001::/32
    (0x20010001000000000000000000000001, 128, "Port Control Protocol Anycast", "RFC 7723", True),  # 2001:1::1/128
    (0x20010001000000000000000000000002, 128, "Traversal Using Relays around NAT Anycast", "RFC 8155", True),  # 2001:1::2/128
    (0x20010001000000000000000000000003, 128, "DNS-SD Service Registration Protocol Anycast", "RFC 9665", True),  # 2001:1::3/128
    (0x20010002000000000000000000000000, 48, "Benchmarking", "RFC 5180; RFC Errata 1752", False),  # 2001:2::/48
    (0x20010003000000000000000000000000, 32, "AMT", "RFC 7450", True),  # 2001:3::/32
    (0x20010004011200000000000000000000, 48, "AS112-v6", "RFC 7535", True),  # 2001:4:112::/48
    (0x20010010000000000000000000000000, 28, "Deprecated (previously ORCHID)", "RFC 4843", None),  # 2001:10::/28
    (0x20010020000000000000000000000000, 28, "ORCHIDv2", "RFC 7343", True),  # 2001:20::/28
    (0x20010030000000000000000000000000, 28, "Drone Remote ID Protocol Entity Tags (DETs) Prefix", "RFC 9374", True),  # 2001:30::/28
    (0x20010DB8000000000000000000000000, 32, "Documentation", "RFC 3849", False),  # 2001:db8::/32
    (0x20020000000000000000000000000000, 16, "6to4", "RFC 3056", None),  # 2002::/16
    (0x2620004F800000000000000000000000, 48, "Direct Delegation AS112 Service", "RFC 7534", True),  # 2620:4f:8000::/48
    (0x3FFF0000000000000000000000000000, 20, "Documentation", "RFC 9637", False),  # 3fff::/20
    (0x5F000000000000000000000000000000, 16, "Segment Routing (SRv6) SIDs", "RFC 9602", False),  # 5f00::/16
    (0xFC000000000000000000000000000000, 7, "Unique-Local", "RFC 4193; RFC 8190", False),  # fc00::/7
    (0xFE800000000000000000000000000000, 10, "Link-Local Unicast", "RFC 4291", False),  # fe80::/10
)

#: The documents that define special-use names, and the names, without a trailing dot.
DEFINED_NAMES = {
    "RFC 6761": (
        "10.in-addr.arpa 16.172.in-addr.arpa 168.192.in-addr.arpa 17.172.in-addr.arpa "
        "18.172.in-addr.arpa 19.172.in-addr.arpa 20.172.in-addr.arpa 21.172.in-addr.arpa "
        "22.172.in-addr.arpa 23.172.in-addr.arpa 24.172.in-addr.arpa 25.172.in-addr.arpa "
        "26.172.in-addr.arpa 27.172.in-addr.arpa 28.172.in-addr.arpa 29.172.in-addr.arpa "
        "30.172.in-addr.arpa 31.172.in-addr.arpa example example.com example.net example.org "
        "invalid localhost test"
    ),
    "RFC 6762": "254.169.in-addr.arpa 8.e.f.ip6.arpa 9.e.f.ip6.arpa a.e.f.ip6.arpa b.e.f.ip6.arpa local",
    "RFC 7686": "onion",
    "RFC 8375": "home.arpa",
    "RFC 8880": "170.0.0.192.in-addr.arpa 171.0.0.192.in-addr.arpa ipv4only.arpa",
    "RFC 9031": "6tisch.arpa",
    "RFC 9140": "eap-noob.arpa",
    "RFC 9462": "resolver.arpa",
    "RFC 9476": "alt",
    "RFC 9665": "service.arpa",
    "RFC 9965": "eap.arpa",
}

#: The document that defines each special-use name.
SPECIAL_USE_NAMES = {
    name: document for document, names in DEFINED_NAMES.items() for name in names.split()
}
