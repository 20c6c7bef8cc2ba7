"""Cases of third-party suites that contradict an RFC, with the reason and the section.

A case that is listed here must fail. A listed case that passes, and a case that fails without being
listed, are reported as unexplained.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from conformance.suites import Case


class Reason(NamedTuple):
    """The reason why uriverse deviates from a case, and the section of the RFC."""

    text: str
    section: str


Key = tuple[str, ...]

PORT_LIMIT = Reason("the grammar of a port has no upper limit", "RFC 3986, 3.2.3")
ESCAPES = Reason(
    "the suite percent-encodes characters that the grammar does not allow: that repairs the URI",
    "RFC 3986, 2",
)
NORMAL = Reason("the suite normalizes the address; a parser keeps the host", "RFC 3986, 6")
ZONE = Reason("zone identifiers in brackets (RFC 6874) are obsolete", "RFC 9844, 1")
NO_HOST = Reason(
    "the suite turns a path into the host, although there was no authority", "RFC 3986, 3.3"
)
ROOT = Reason("the root of an authority is `/`", "RFC 3986, 5.4.1")
SCHEME_CHECK = Reason(
    "the regular expression splits without validating: text before the colon is the scheme",
    "RFC 3986, Appendix B",
)
HOST_CASE = Reason("hosts are case-insensitive, and normalized to lowercase", "RFC 3986, 6.2.2.1")
ROOTLESS = Reason(
    "the suite removes dot segments from a rootless path in a way of its own", "RFC 3986, 5.2.4"
)
STRICT = Reason("a strict parser keeps the scheme of the reference", "RFC 3986, 5.2.2")
SHORT = Reason("RFC 2141 allows NIDs of one character; RFC 8141 requires two", "RFC 8141, 2")
HYPHEN = Reason(
    "RFC 2141 allows NIDs that end with a hyphen; RFC 8141 requires a letter or a digit",
    "RFC 8141, 2",
)
RESERVED = Reason("RFC 2141 forbids the NID `urn`; RFC 8141 does not", "RFC 8141, 2")
AMPERSAND = Reason(
    "RFC 2141 does not allow `&` in an NSS; in RFC 8141 `&` is a pchar", "RFC 8141, 2"
)
INFORMAL = Reason("IANA may refuse to register this NID, but its syntax is valid", "RFC 8141, 5.2")
GOES_ON = Reason(
    "`?+` never ends a component, and `?=` never ends a q-component", "RFC 8141, 2.3.1, 2.3.2"
)


#: Why IDNA 2008 rejects a name that UTS 46, without its DNS checks, accepts. The keys are the
#: beginnings of error messages.
IDNA_2008 = {
    "Codepoint U+": Reason("symbols and unassigned characters are not allowed", "RFC 5892, 2"),
    "Label too long": Reason("a label has at most 63 octets", "RFC 1035, 2.3.4"),
    "the limit is 63 octets": Reason("a label has at most 63 octets", "RFC 1035, 2.3.4"),
    "the label is empty": Reason("a label is not empty", "RFC 1035, 2.3.1"),
    "Label must not start or end with a hyphen": Reason(
        "a label does not start or end with a hyphen", "RFC 5891, 4.2.3.1"
    ),
    "Label has disallowed hyphens": Reason(
        "a label does not have hyphens as its third and fourth characters", "RFC 5891, 4.2.3.1"
    ),
    "domain name too long": Reason("a domain name has at most 255 octets", "RFC 1035, 2.3.4"),
    "the ASCII form": Reason(
        "the ASCII form has characters that domain names do not allow", "RFC 1034, 3.5"
    ),
    "Unknown directionality": Reason("unassigned characters are not allowed", "RFC 5892, 2"),
}


def key_of(suite: str, case: Case) -> Key:
    """Return the identity of a case in `DEVIATIONS`.

    The target belongs to the identity, because a suite may have the same reference twice: once with
    the right target, and once with a wrong one.
    """
    text = case["input"] if isinstance(case["input"], str) else json.dumps(case["input"])
    match case["kind"]:
        case "resolve":
            return suite, "resolve", case["base"], text, case["expected"]
        case "normalize":
            return suite, "normalize", text, case["expected"]
        case kind if suite == "urn":
            return suite, kind, text, case["grammar"]
        case kind:
            return suite, kind, text


RFC_BASE = "http://a/b/c/d;p?q"
FAST_URIS = {
    "//www.g.com/error\n/bleh/bleh": ESCAPES,
    "//[2001:db8::7%en0]": ZONE,
    "http://user:pass@example.com:123/one/space in.url?q1=a1&q2=a2#body": ESCAPES,
    "http://User:Pass@example.com:123/one/space in.url?q1=a1&q2=a2#body": ESCAPES,
    "#/$defs/string Map": ESCAPES,
    "//10.10.000.10": NORMAL,
    "//[2001:db8::001]:80": NORMAL,
}
URNS = {
    ("parse", "urn:a:b", "urn-rfc2141"): SHORT,
    ("parse", "urn:a::", "urn-rfc2141"): SHORT,
    ("parse", "urn:a:-", "urn-rfc2141"): SHORT,
    ("parse", "URN:x:abc%1Dz%2F%3az", "urn-rfc2141"): SHORT,
    ("parse", "URN:abcd-:x", "urn-rfc2141"): HYPHEN,
    ("invalid", "urn:urn:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:URN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "URN:URN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:UrN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:Urn:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:ietf:params:scim:schemas:core:2.&", "urn-rfc2141"): AMPERSAND,
    ("invalid", "urn:urn-0:nss", "urn"): INFORMAL,
    ("invalid", "urn:urn-s:nss", "urn"): INFORMAL,
    ("invalid", "urn:ex:ex?+a?+", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?=a?=", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?+rcomponent?+rcomponent?=qcomponent", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?+rcomponent?=qcomponent?=q", "urn"): GOES_ON,
}

#: The listed cases, by `key_of`.
DEVIATIONS: dict[Key, Reason] = {
    ("rhymu8354-uri", "invalid", "http://www.example.com:65536/foo/bar"): PORT_LIMIT,
    ("uritools", "parse", "_:"): SCHEME_CHECK,
    ("haskell-network-uri", "resolve", "f:/a", ".//g", "f://g"): NO_HOST,
    ("haskell-network-uri", "resolve", "f:/a/", "..//g", "f://g"): NO_HOST,
    ("rhymu8354-uri", "resolve", RFC_BASE, "../..", "http://a"): ROOT,
    ("rhymu8354-uri", "resolve", RFC_BASE, "../../", "http://a"): ROOT,
    ("uritools", "resolve", RFC_BASE, "http:g", "http://a/b/c/g"): STRICT,
    (
        "haskell-network-uri",
        "normalize",
        "HTTP://EXAMPLE.com/Root/%2a?%2b#%2c",
        "http://EXAMPLE.com/Root/%2A?%2B#%2C",
    ): HOST_CASE,
    ("haskell-network-uri", "normalize", "file:/x/..//y", "file://y"): NO_HOST,
    ("haskell-network-uri", "normalize", "file:x/..//y/", "file:/y/"): ROOTLESS,
    ("haskell-network-uri", "normalize", "foo:a/b/../.././../../e", "foo:e"): ROOTLESS,
    **{("fast-uri", "parse", text): reason for text, reason in FAST_URIS.items()},
    **{("urn", *key): reason for key, reason in URNS.items()},
}
