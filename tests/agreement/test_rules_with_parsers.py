from functools import cache
from random import Random

import pytest
from amounts import scaled
from readers import host_in, reads_only_the_authority

from compare_conformance.mutants import mutant
from uriverse import Policy
from uriverse._spec.domain import to_ascii
from uriverse_compare import Parser, Reading, installed

RULES = (
    *("http://good.example", "https://good.example", "http://*.good.example:*", "https://1.2.3.4"),
    *("https://www.good.example:8443/a/", "http://[2001:db8::1]:8080"),
    "http://xn--bcher-kva.example",
)
STARTS = (
    *("http://good.example/a", "https://good.example:443/?b#c", "http://www.good.example:81/a/b"),
    *("https://www.good.example:8443/a/b?c", "http://[2001:db8::1]:8080/", "https://1.2.3.4/a"),
    *("http://b\u00fccher.example/", "HTTP://Good.Example", "http://good.example?@evil.example"),
)
PIECES = (
    *("@", "\\", "/", "//", "?", "#", ":", ":80", ":443", ":00080", ":65536", "%2F", "%40", "%00"),
    *("%5C", "evil.example", "@evil.example", ".", "..", "\u3002", "%E3%80%82", "\uff0f", "_", "["),
    *("]", "\t", "\n", " ", "127.1", "0x7f.1", "a", "%61", "\u00ad", "\u212a", "%", "&", ";"),
    *("user:pw@", ":0"),
)

#: The default ports of the schemes of the rules.
DEFAULT_PORTS = {"http": 80, "https": 443}

PARSERS = [
    parser
    for parser in installed()
    # Adapters of libpq replace the scheme.
    if {"http", "https"} <= parser.dials
    and parser.name != "libpq"
    and (parser.name != "OpenSSL" or reads_only_the_authority(parser))
]

POLICIES = (
    Policy(allow=RULES),
    Policy(allow=RULES, unambiguous=False),
    Policy(allow=RULES, allowed={"host-past-ascii", "trailing-dot", "port-odd"}),
)


@cache
def allowed_urls() -> dict[str, str]:
    """Return URLs that no program may read differently, and the canonical URI of each.

    A policy that accepts ambiguities adds the canonical URI only.
    """
    random = Random(1)
    found: dict[str, str] = {}
    for _ in range(scaled(60_000)):
        url = mutant(random, STARTS, PIECES)
        for policy in POLICIES:
            decision = policy.decide(url)
            if decision:
                canonical = str(decision.uri)
                found[canonical] = canonical
                if policy.unambiguous and not policy.allowed:
                    found[url] = canonical
    return found


def authority_in(reading: Reading) -> tuple[str, str, int | None] | None:
    """Return the scheme, the host and the port that a parser sees; `None` if it rejects the URL."""
    host = host_in(reading)
    if not host:
        return None  # there is nothing to connect to
    scheme = (reading.scheme or "").lower()
    port = int(reading.port) if reading.port else DEFAULT_PORTS.get(scheme)
    # A rule with an internationalized host allows that spelling too; all versions of IDNA agree.
    return scheme, (host if host.isascii() else to_ascii(host)).removesuffix("."), port


def test_many_mutants_are_allowed() -> None:
    found = allowed_urls()
    assert len(found) > len({*found.values()}) > 50


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_a_parser_sees_the_authority_of_the_canonical_uri(parser: Parser) -> None:
    given, canonical = allowed_urls().keys(), allowed_urls().values()
    ours = installed(["uriverse"])[0].read([*canonical])
    differences = [
        (url, seen)
        for url, theirs, reading in zip(given, parser.read([*given]), ours, strict=True)
        if (seen := authority_in(theirs)) not in {None, authority_in(reading)}
    ]
    assert differences == []
