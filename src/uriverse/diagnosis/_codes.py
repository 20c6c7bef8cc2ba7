"""The codes of the findings that `check` reports, with their messages and suggestions."""

from __future__ import annotations

from typing import Literal, NamedTuple

from uriverse._spec import BIDI_EDGE, BIDI_FORBIDDEN, BIDI_MIXED


class Code(NamedTuple):
    """A kind of finding, with its default message and an example.

    Attributes:
        name: the code, such as `"ipv4-hex"`.
        group: the group, which a profile sets to a severity. `"text"` is for problematic Unicode
            characters, `"ambiguity"` for URIs that other software may parse differently, and
            `"form"` for URIs that are relative, not normalized, or of an unregistered scheme.
        reference: the document and section on which the finding is based.
        message: what is wrong, or what another program does with the URI.
        suggestion: what to do, as an instruction; `None` if it depends on the URI, or if there is
            nothing to advise.
        example: a string for which `check` reports the code.
        near_miss: a similar string for which `check` does not report the code.
    """

    name: str
    group: Literal["syntax", "scheme", "text", "deprecated", "ambiguity", "form"]
    reference: str
    message: str
    suggestion: str | None
    example: str
    near_miss: str


Code.__module__ = "uriverse.diagnosis"


GENERIC = "RFC 3986, "
INTERNATIONAL = "RFC 3987, "
WEB = "URL standard, "

#: The start of the message about a host that could be mistaken for another one.
MISLEADING = "the host looks misleading in Unicode"

#: The codes of each group. The tuples are the attributes of `Code` that follow the group.
CODES_BY_GROUP: dict[
    Literal["syntax", "scheme", "text", "deprecated", "ambiguity", "form"],
    dict[str, tuple[str, str, str | None, str, str]],
] = {
    "syntax": {
        "syntax": (
            "RFC 3986, Appendix A; RFC 3987, 2.2",
            "the string is not a valid URI or IRI reference",
            None,
            "http://a/b c",
            "http://a/b%20c",
        ),
    },
    "scheme": {
        "authority-missing": (
            GENERIC + "3.2",
            "URIs of this scheme require an authority",
            'write "//" and a host after the colon',
            "http:a/b",
            "x:a/b",
        ),
        "authority-misplaced": (
            GENERIC + "3.2",
            "URIs of this scheme have no authority",
            'remove the "//"',
            "urn://example/a",
            "urn:example:a",
        ),
        "host-missing": (
            GENERIC + "3.2.2",
            "URIs of this scheme require a host that is not empty",
            'write a host after the "//"',
            "http:///a",
            "file:///a",
        ),
        "userinfo-misplaced": (
            GENERIC + "3.2.1",
            "URIs of this scheme have no userinfo",
            'remove the userinfo and the "@"',
            "ws://me@a.example/",
            "ftp://me@a.example/",
        ),
        "path-misshapen": (
            GENERIC + "3.3",
            "the path does not have the form that this scheme requires",
            None,
            "acct:/a@b.example",
            "acct:a@b.example",
        ),
        "query-misplaced": (
            GENERIC + "3.4",
            "URIs of this scheme have no query",
            'remove the query, or write a literal "?" as %3F',
            "file:///a?b",
            "file:///a%3Fb",
        ),
        "fragment-misplaced": (
            GENERIC + "3.5",
            "URIs of this scheme have no fragment",
            'remove the fragment, or write a literal "#" as %23',
            "ws://a.example/#b",
            "http://a.example/#b",
        ),
        "scheme-syntax": (
            GENERIC + "3.1",
            "the URI violates the syntax of its scheme",
            None,
            "urn:a:b",
            "urn:ab:c",
        ),
        "content": (
            GENERIC + "3.1",
            "the URI has valid syntax, but breaks a rule of its scheme, such as a check digit",
            None,
            "urn:isbn:0-395-36341-2",
            "urn:isbn:0-395-36341-1",
        ),
        "header-ignored": (
            "RFC 6068, 3",
            "mail programs must ignore this header field",
            "remove the header field",
            "mailto:a@b.example?From=c@d.example",
            "mailto:a@b.example?Cc=c@d.example",
        ),
    },
    "text": {
        "bidi-formatting": (
            INTERNATIONAL + "4.1",
            BIDI_FORBIDDEN,
            "remove the character",
            "http://a.example/\u202eb",
            "http://a.example/%E2%80%AEb",
        ),
        "bidi-mixed": (
            INTERNATIONAL + "4.2",
            BIDI_MIXED,
            None,
            "http://a.example/\u05d0a",
            "http://a.example/\u05d0/a",
        ),
        "bidi-edge": (
            INTERNATIONAL + "4.2",
            BIDI_EDGE,
            None,
            "http://a.example/\u05d01",
            "http://a.example/\u05d01\u05d0",
        ),
        "not-nfc": (
            INTERNATIONAL + "5.3.2.2",
            "the component is not in Unicode Normalization Form C",
            "convert the component to Normalization Form C (NFC)",
            "http://a.example/e\u0301",
            "http://a.example/\u00e9",
        ),
        "private-use": (
            INTERNATIONAL + "2.2",
            "other programs do not know the meaning of a private-use character",
            "remove the character",
            "http://a.example/?\ue000",
            "http://a.example/?\u4e00",
        ),
        "noncharacter": (
            "The Unicode Standard, 23.7",
            "the URI contains a Unicode noncharacter, which is not meant for interchange",
            "remove the noncharacter",
            "http://a.example/%EF%BF%BF",
            "http://a.example/%EF%BF%BD",
        ),
        "misleading-host": (
            INTERNATIONAL + "8",
            f"{MISLEADING}, so display() shows its xn-- form",
            "check that the host is the one that you expect",
            "http://xn--80ak6aa92e.com/",
            "http://xn--bcher-kva.com/",
        ),
    },
    "deprecated": {
        "password": (
            GENERIC + "3.2.1",
            "a password in a URI is deprecated, because URIs end up in logs and histories",
            "remove the password, and pass it separately",
            "ftp://me:secret@a.example/",
            "ftp://me@a.example/",
        ),
        "userinfo": (
            "RFC 9110, 4.2.4",
            "userinfo is deprecated for this scheme, because it can disguise the host",
            'remove the userinfo and the "@"',
            "https://me@a.example/",
            "ftp://me@a.example/",
        ),
        "zone-identifier": (
            "RFC 9844, 5",
            "a zone identifier is no longer allowed in a URI",
            'remove the zone identifier: "%" and everything up to the bracket',
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1]/",
        ),
    },
    # Other programs may read the string differently.
    "ambiguity": {
        "backslash": (
            WEB + "4.4",
            'browsers treat "\\" as "/", so the host may start or end there',
            'replace it with "/" or %5C',
            "http://evil.example\\@good.example/",
            "http://good.example/%5Ca",
        ),
        "control": (
            WEB + "4.4",
            "some programs ignore the control character, and others end the URI there",
            "remove or percent-encode the character",
            "http://a.exa\tmple/",
            "http://a.example/",
        ),
        "space": (
            WEB + "4.4",
            "some programs strip the space, some percent-encode it, and some end the URI there",
            "remove the space, or percent-encode it",
            " http://a.example/",
            "http://a.example/%20",
        ),
        "ignorable": (
            "UTS 46, 4",
            "some programs remove the invisible character",
            "remove the character",
            "http://a\u00ad.example/",
            "http://a-.example/",
        ),
        "not-utf8": (
            GENERIC + "2.5",
            "the percent-encoded octets are not UTF-8, so programs decode them differently",
            "percent-encode the characters as UTF-8",
            "http://a.example/%E9",
            "http://a.example/%C3%A9",
        ),
        "double-encoding": (
            GENERIC + "2.4",
            "decoding the URI twice gives a different result than decoding it once",
            "percent-encode data only once, when you insert it",
            "http://a.example/%2541",
            "http://a.example/%25zz",
        ),
        "encoded-control": (
            GENERIC + "7.3",
            "after decoding, the control character may end a line, a header or a file name",
            "remove the encoded control character",
            "http://a.example/%0D%0Ab",
            "http://a.example/%20b",
        ),
        "missing-scheme": (
            GENERIC + "4.2",
            "the scheme is missing, so some programs read the first path segment as the host",
            'write a full URI, as in https://good.example/a, or a path that starts with "/"',
            "good.example/a",
            "/good.example/a",
        ),
        "scheme-odd": (
            GENERIC + "3.1",
            (
                "the part before the first colon is not a scheme, "
                "so some programs read that part as the host"
            ),
            "start with a valid scheme",
            "ht%74p://good.example/",
            "http://good.example/",
        ),
        "scheme-like-host": (
            GENERIC + "3.1",
            "the scheme looks like a host, and some programs read it as one",
            'if this is a host, write "//" or a scheme before it',
            "localhost:80/a",
            "localhost:a/b",
        ),
        "slash-count": (
            WEB + "4.4",
            'some programs read any number of slashes as "//", and find a host after them',
            "write two slashes and a host",
            "http:/good.example",
            "file:/good.example",
        ),
        "single-slash": (
            GENERIC + "3.3",
            "curl, if it accepts any scheme, reads the first path segment as the host",
            'if you mean a host, write "//" instead of "/"',
            "foo:/good.example/a",
            "foo://good.example/a",
        ),
        "authority-empty": (
            GENERIC + "3.2",
            "the host is empty, so some programs read the first path segment as the host",
            'write a host after the "//"',
            "x:///good.example/",
            "file:///good.example/",
        ),
        "userinfo-like-host": (
            GENERIC + "7.6",
            'the userinfo looks like a host, but the real host follows the "@"',
            "remove the userinfo",
            "http://good.example@evil.example/",
            "http://good-example@evil.example/",
        ),
        "several-at": (
            GENERIC + "3.2.1",
            'programs disagree about whether the host starts after the first "@" or after the last',
            'write a literal "@" as %40',
            "http://a@b@c.example/",
            "http://a%40b@c.example/",
        ),
        "at-behind-host": (
            GENERIC + "3.2",
            'libpq and some releases of OpenSSL read the part after the "@" as the host',
            'write "/" after the host, or write the "@" as %40',
            "http://good.example#@evil.example/",
            "http://good.example/#@evil.example/",
        ),
        "host-encoded": (
            GENERIC + "3.2.2",
            "some programs decode the percent-encoded host, and others look it up unchanged",
            "write the domain name without percent-encoding",
            "http://%61.example/",
            "http://a.example/%61",
        ),
        "host-with-delimiter": (
            GENERIC + "7.3",
            "the authority has a misplaced or encoded delimiter, so some programs see another host",
            "remove the delimiter",
            "http://good.example%2F@evil.example/",
            "http://good-example%21@evil.example/",
        ),
        "host-characters": (
            GENERIC + "3.2.2",
            (
                "the host has a character that no domain name has: some programs reject it or cut "
                "it short"
            ),
            "write a valid domain name",
            "http://a;b.example/",
            "http://a_b.example/",
        ),
        "host-past-ascii": (
            "RFC 5895, 2",
            "programs differ in how they convert a non-ASCII host to a domain name",
            "write the domain name in ASCII",
            "http://b\u00fccher.example/",
            "http://xn--bcher-kva.example/",
        ),
        "host-compatible": (
            "UTS 46, 4",
            "Unicode normalization (NFKC) turns a character of the host into a delimiter",
            "remove the character",
            "http://good.example\uff0fevil.example/",
            "http://good.example\uff0devil.example/",
        ),
        "deviation": (
            "UTS 46, 4.1.1",
            "IDNA 2003, IDNA 2008 and UTS 46 do not all convert this host to the same domain name",
            "write the domain name that you mean in ASCII (xn--...)",
            "http://fa\u00df.example/",
            "http://fass.example/",
        ),
        "bad-a-label": (
            "RFC 5891, 5.4",
            'the "xn--" label is invalid: some programs reject it, and others look it up',
            None,
            "http://xn--a.example/",
            "http://xn--bcher-kva.example/",
        ),
        "label-with-underscore": (
            "RFC 1123, 2.1",
            'java.net.URI finds no host, because host names do not contain "_"',
            "use only letters, digits and hyphens in the host",
            "http://a_b.example/",
            "http://a-b.example/",
        ),
        "label-edge-hyphen": (
            "RFC 1123, 2.1",
            "java.net.URI finds no host, because a label starts or ends with a hyphen",
            "start and end each label with a letter or a digit",
            "http://a-.example/",
            "http://a-b.example/",
        ),
        "last-label-digit": (
            "RFC 1123, 2.1",
            "java.net.URI finds no host, because the last label starts with a digit",
            "start the last label with a letter",
            "http://a.1b/",
            "http://1b/",
        ),
        "last-label-number": (
            WEB + "3.5",
            "browsers reject the host as a malformed IPv4 address, and other programs look it up",
            "write an IPv4 address, or a name whose last label is not a number",
            "http://foo.09/",
            "http://09.foo/",
        ),
        "ipv4-short": (
            GENERIC + "7.4",
            (
                "the host is a name by RFC 3986, "
                "but some programs treat it as a shortened IPv4 address"
            ),
            "write all four numbers of the address, as in 127.0.0.1",
            "http://127.1/",
            "http://127.0.0.1/",
        ),
        "ipv4-octal": (
            GENERIC + "7.4",
            "some programs read a number with a leading zero as octal, and others as decimal",
            "write the host without leading zeros",
            "http://0177.0.0.1/",
            "http://177.0.0.1/",
        ),
        "ipv4-hex": (
            GENERIC + "7.4",
            (
                "the host is a name by RFC 3986, "
                "but some programs treat it as a hexadecimal IPv4 address"
            ),
            "write the address as four decimal numbers, as in 127.0.0.1",
            "http://0x7f.0.0.1/",
            "http://x7f.0.0.1/",
        ),
        "ipv4-integer": (
            GENERIC + "7.4",
            "the host is a name by RFC 3986, but some programs treat the number as an IPv4 address",
            "write the address as four numbers",
            "http://2130706433/",
            "http://n2130706433/",
        ),
        "ipv4-overflow": (
            GENERIC + "7.4",
            "an IPv4 number is too large: some programs reject it, others keep only its low bits",
            "write four numbers from 0 to 255",
            "http://1.2.3.400/",
            "http://1.2.3.40/",
        ),
        "ipv6-with-ipv4": (
            "RFC 4291, 2.5.5",
            "the IPv6 address embeds an IPv4 address, which a connection may reach instead",
            "write the IPv4 address instead",
            "http://[::ffff:127.0.0.1]/",
            "http://[2001:db8::1]/",
        ),
        "trailing-dot": (
            GENERIC + "3.2.2",
            "programs that compare strings treat a host with a trailing dot as a different host",
            "remove the trailing dot",
            "http://a.example./",
            "http://a.example/.",
        ),
        "empty-label": (
            "RFC 1034, 3.1",
            "the host has an empty label: some programs reject it, and others drop the label",
            "remove the extra dot",
            "http://a..example/",
            "http://a.example/..",
        ),
        "bracket": (
            GENERIC + "3.2.2",
            "the brackets contain no IPv6 address, so programs disagree about where the host ends",
            "use brackets only around an IPv6 address",
            "http://[v1.a]/",
            "http://[::1]/",
        ),
        "port-empty": (
            GENERIC + "3.2.3",
            "some programs drop a colon without a port, and others keep it",
            "remove the colon",
            "http://a.example:/",
            "http://a.example:8080/",
        ),
        "port-odd": (
            GENERIC + "3.2.3",
            "the port has leading zeros: programs reject it, or find another host or port",
            "write the port without leading zeros",
            "http://a.example:0080/",
            "http://a.example:8080/",
        ),
        "port-huge": (
            GENERIC + "3.2.3",
            "the port is larger than 65535: some programs reject it, and others truncate it",
            "write a port of at most 65535",
            "http://a.example:65536/",
            "http://a.example:65535/",
        ),
        "path-like-authority": (
            GENERIC + "3.3",
            "as a relative reference, this path would name another host",
            "start the path with a single slash",
            "http://a.example//evil.example/",
            "http://a.example/evil.example//",
        ),
        "dot-segment": (
            GENERIC + "5.2.4",
            "reference resolution removes the dot segments, although the path is data",
            'percent-encode the "/" before or after the dots as %2F',
            "data:,a/../b",
            "data:,a/..b",
        ),
        "encoded-dot": (
            GENERIC + "6.2.2.2",
            "some programs resolve the encoded dot segment, and others treat it as a name",
            "remove the dot segment",
            "http://a.example/%2e%2e/b",
            "http://a.example/%2e%2eb",
        ),
        "dot-with-parameter": (
            GENERIC + "3.3",
            "servers such as Tomcat remove the part after the dots, and resolve the dot segment",
            "remove the dot segment",
            "http://a.example/b/..;c/d",
            "http://a.example/b;../c",
        ),
        "dot-with-space": (
            GENERIC + "7.3",
            "some servers strip spaces and invisible characters, and resolve the dot segment",
            "remove the dot segment",
            "http://a.example/b/..%20/c",
            "http://a.example/b/..%20c",
        ),
        "dot-lookalike": (
            GENERIC + "7.3",
            "Unicode normalization (NFKC) or a Windows code page makes this a dot segment",
            "remove the dot segment",
            "http://a.example/%EF%BC%8E%EF%BC%8E/b",
            "http://a.example/%EF%BC%8E%EF%BC%8Eb",
        ),
        "dot-after-slashes": (
            GENERIC + "5.2.4",
            (
                "some servers, such as nginx, merge slashes first, so the dot segment removes "
                "another segment"
            ),
            "remove the empty segment and the dot segment",
            "http://a.example/b//../c",
            "http://a.example/b/../c//d",
        ),
        "dot-after-name": (
            GENERIC + "7.3",
            (
                "nginx with an alias for a prefix without a slash at its end reads the dots as a "
                "dot segment"
            ),
            "remove the dots",
            "http://a.example/b../c",
            "http://a.example/b..",
        ),
        "encoded-slash": (
            GENERIC + "7.3",
            "some programs treat the encoded slash as data, and others as a separator",
            None,
            "http://a.example/b%2Fc",
            "http://a.example/?b%2Fc",
        ),
        "fragment-rejected": (
            "RFC 7252, 6.4",
            "clients reject a request for a URI with a fragment, or ignore the fragment",
            "remove the fragment before you make a request",
            "coap://a.example/#b",
            "coap://a.example/b",
        ),
        "file-localhost": (
            "RFC 8089, 2",
            "curl ignores the host and opens a local file, but other programs contact the host",
            "write file:/// without a host",
            "file://127.0.0.1/a",
            "http://127.0.0.1/a",
        ),
        "file-host": (
            "RFC 8089, 2",
            "some programs ignore the host and open a local file, and others contact the host",
            "write file:/// for a local file",
            "file://server/a",
            "file:///server/a",
        ),
        "drive-letter": (
            "RFC 8089, E.2",
            "Windows reads the letter and the colon as a drive, and other systems do not",
            None,
            "file:///c:/a",
            "file:///ca:/a",
        ),
    },
    "form": {
        "relative": (
            GENERIC + "4.2",
            "the reference is relative",
            "resolve it against its base URI",
            "/a",
            "x:/a",
        ),
        "unregistered-scheme": (
            "RFC 7595, 3.8",
            "the scheme is not registered with IANA",
            None,
            "x-uriverse:a",
            "tag:a.example,2026:a",
        ),
        "not-normalized": (
            GENERIC + "6.2",
            "the component is not in normal form",
            "normalize the URI",
            "HTTP://a.example/",
            "http://a.example/",
        ),
    },
}

CODES: dict[str, Code] = {
    name: Code(name, group, *described)
    for group, codes in CODES_BY_GROUP.items()
    for name, described in codes.items()
}

#: For each code, the codes that it causes at the same place: details, which need no other advice.
DETAILS: dict[str, tuple[str, ...]] = {
    "syntax": (
        *("backslash", "bracket", "control", "drive-letter", "host-characters", "ignorable"),
        *("noncharacter", "port-odd", "private-use", "scheme-odd", "several-at", "space"),
        "zone-identifier",
    ),
    "authority-missing": ("slash-count",),
    "host-missing": ("authority-empty", "slash-count"),
    "userinfo-misplaced": ("password", "userinfo-like-host"),
    "scheme-syntax": ("drive-letter", "port-empty", "port-huge", "port-odd"),
    "bidi-formatting": ("ignorable",),
    "misleading-host": ("host-past-ascii",),
    "password": ("userinfo",),
    "backslash": ("authority-missing", "host-with-delimiter", "userinfo-like-host"),
    "control": ("space",),
    "ignorable": ("deviation", "host-past-ascii"),
    "scheme-like-host": ("unregistered-scheme",),
    "userinfo-like-host": ("host-with-delimiter", "userinfo"),
    "host-with-delimiter": ("host-encoded",),
    "host-past-ascii": ("host-encoded",),
    "host-compatible": ("host-past-ascii",),
    "deviation": ("host-past-ascii",),
    "port-huge": ("port-odd",),
    **dict.fromkeys(
        ("encoded-dot", "dot-with-parameter", "dot-with-space", "dot-lookalike"),
        ("double-encoding", "encoded-control", "encoded-slash", "not-utf8"),
    ),
    "drive-letter": ("file-host", "single-slash", "unregistered-scheme"),
}

GROUPS: dict[str, list[str]] = {group: list(codes) for group, codes in CODES_BY_GROUP.items()}
