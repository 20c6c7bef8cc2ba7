"""Difficult strings, with the answers that RFC 3986, RFC 3987 and the URL Standard require."""

from __future__ import annotations

from typing import NamedTuple

#: The answer of a parser that rejects a string.
REJECTED = None
#: The answer of a parser that accepts a string, for the operations `accept` and `accept_iri`.
VALID = "valid"


class Edge(NamedTuple):
    """One difficult case.

    Attributes:
        title: the case in a few words.
        operation: `accept`, `accept_iri`, `host`, `resolve`, `normalize`, `text` or `to_iri`.
        arguments: one string, or for `resolve` the base and the reference.
        answer: the answer that the RFC requires; None if the string must be rejected.
        section: the section of the RFC.
        note: why this is the answer.
        whatwg: the answers that the URL Standard of WHATWG requires; empty if it agrees.
        relative: whether the string is a relative reference.
        allowed: other answers that an RFC allows.
    """

    title: str
    operation: str
    arguments: tuple[str, ...]
    answer: str | None
    section: str
    note: str
    whatwg: tuple[str | None, ...] = ()
    relative: bool = False
    allowed: tuple[str | None, ...] = ()


BASE = "http://a/b/c/d;p?q"

EDGES = (
    Edge(
        "one level up", "resolve", (BASE, "../g"), "http://a/b/g", "RFC 3986, 5.4.1",
        "This is one of the normal examples of the RFC.",
    ),
    Edge(
        "too many levels up", "resolve", (BASE, "../../../g"), "http://a/g", "RFC 3986, 5.4.2",
        "Dot segments that would leave the root are removed.",
    ),
    Edge(
        "dot segments in a query", "resolve", (BASE, "g?y/../x"), "http://a/b/c/g?y/../x",
        "RFC 3986, 5.4.2", "Dot segments have a meaning only in a path.",
    ),
    Edge(
        "scheme without authority", "resolve", (BASE, "http:g"), "http:g", "RFC 3986, 5.2.2",
        "A reference with a scheme is already complete. For backward compatibility, the RFC allows"
        " parsers to ignore the scheme if it is that of the base.", allowed=("http://a/b/c/g",),
    ),
    Edge(
        "empty reference", "resolve", ("http://a/b?q#f", ""), "http://a/b?q", "RFC 3986, 5.2.2",
        "The target keeps the query of the base, but not its fragment.",
    ),
    Edge(
        "empty query", "resolve", (BASE, "?"), "http://a/b/c/d;p?", "RFC 3986, 5.2.2",
        "An empty query is not the same as a missing query, so it replaces the query of the base.",
    ),
    Edge(
        "base with dot segments", "resolve", ("http://a/b/../c", "#x"), "http://a/b/../c#x",
        "RFC 3986, 5.2.2", "If the path of the reference is empty, the path of the base is copied."
        " The target `http://a/c#x` is equivalent after normalization.", ("http://a/c#x",),
    ),
    Edge(
        "encoded dot segments", "resolve", ("http://a/b/", "%2E%2E/g"), "http://a/b/%2E%2E/g",
        "RFC 3986, 5.2.4", "Resolution does not decode percent-encoded triplets. The target"
        " `http://a/g` is equivalent after normalization.", ("http://a/g",),
    ),
    Edge(
        "path that starts with two slashes", "resolve", ("foo:/a/b", "../..//c"), "foo:/.//c",
        "RFC 3986, 3.3", "Without an authority, a path must not start with `//`, so the result"
        " starts with the segment `.`. Parsers that follow the algorithm of section 5.3 to the"
        " letter return `foo://c`, whose host is `c`.", allowed=("foo://c",),
    ),
    Edge(
        "base without a path", "resolve", ("http://a", "g"), "http://a/g", "RFC 3986, 5.2.3",
        "If the base has an authority and an empty path, a slash precedes the reference.",
    ),
    Edge(
        "colon in the first segment", "resolve", ("http://a/b/", "./x:y"), "http://a/b/x:y",
        "RFC 3986, 4.2", "The dot segment shows that `x` is not a scheme.",
    ),
    Edge(
        "empty port", "accept", ("http://h:/",), VALID, "RFC 3986, 3.2.3",
        "A port is any number of digits, including none.",
    ),
    Edge(
        "port above 65535", "accept", ("http://h:65536/",), VALID, "RFC 3986, 3.2.3",
        "The generic syntax has no largest port number. TCP has one, so a program that connects"
        " has a reason to reject this port.", (REJECTED,),
    ),
    Edge(
        "IPv6 address in brackets", "host", ("http://[::1]:80/",), "::1", "RFC 3986, 3.2.2",
        "Brackets enclose an IPv6 address, so its colons do not start the port.",
    ),
    Edge(
        "IPv6 address without brackets", "accept", ("http://::1/",), REJECTED, "RFC 3986, 3.2.2",
        "Colons are not allowed in a registered name.",
    ),
    Edge(
        "IPvFuture", "host", ("http://[v1.a:b]/",), "v1.a:b", "RFC 3986, 3.2.2",
        "The grammar reserves this form for later versions of the Internet Protocol. Such"
        " addresses do not exist yet, so a program that connects has a reason to reject them.",
        (REJECTED,),
    ),
    Edge(
        "zone identifier", "accept", ("http://[fe80::1%25eth0]/",), REJECTED, "RFC 3986, 3.2.2",
        "RFC 6874 of 2013 allowed zone identifiers in URIs. RFC 9844 of 2025 made it obsolete.",
    ),
    Edge(
        "percent-encoded host", "accept", ("http://a%20b/",), VALID, "RFC 3986, 3.2.2",
        "A registered name may contain percent-encoded triplets. This one is not a domain name, so"
        " a program that connects has a reason to reject it.", (REJECTED,),
    ),
    Edge(
        "two colons in the userinfo", "host", ("http://user:a:b@h/",), "h", "RFC 3986, 3.2.1",
        "Colons are allowed in the userinfo, which ends at `@`.",
    ),
    Edge(
        "empty host", "host", ("http:///x",), "", "RFC 3986, 3.2.2",
        "The generic syntax allows an empty host, so `x` is a part of the path. RFC 9110 requires"
        " that recipients reject `http` URIs with an empty host.", ("x",), allowed=(REJECTED,),
    ),
    Edge(
        "two at signs", "accept", ("http://a@b@c/",), REJECTED, "RFC 3986, 3.2.1",
        "The userinfo does not allow `@`, so it is not clear which host is meant.", (VALID,),
    ),
    Edge(
        "malformed percent-encoding", "accept", ("http://h/%zz",), REJECTED, "RFC 3986, 2.1",
        "A percent sign must precede two hexadecimal digits.", (VALID,),
    ),
    Edge(
        "case of percent-encoding", "normalize", ("http://h/%3a%7Ea",), "http://h/%3A~a",
        "RFC 3986, 6.2.2",
        "Normal forms use uppercase hexadecimal digits, and decode unreserved characters. In some"
        " parsers, normalization only removes dot segments, or changes other components.",
        ("http://h/%3a%7Ea",),
    ),
    Edge(
        "space", "accept", ("http://h/a b",), REJECTED, "RFC 3986, 2",
        "A space must be percent-encoded.", (VALID,),
    ),
    Edge(
        "non-ASCII character in a URI", "accept", ("http://h/\xe9",), REJECTED, "RFC 3986, 2",
        "A URI consists of ASCII characters. Many parsers also accept IRIs.", (VALID,),
    ),
    Edge(
        "non-ASCII character in an IRI", "accept_iri", ("http://h/\xe9",), VALID, "RFC 3987, 2.2",
        "IRIs allow this character.",
    ),
    Edge(
        "private use character in a path", "accept_iri", ("http://h/\ue000",), REJECTED,
        "RFC 3987, 2.2", "IRIs allow private use characters only in a query.", (VALID,),
    ),
    Edge(
        "private use character in a query", "accept_iri", ("http://h/?\ue000",), VALID,
        "RFC 3987, 2.2", "IRIs allow private use characters in a query.",
    ),
    Edge(
        "lone surrogate", "accept_iri", ("http://h/\ud800",), REJECTED, "RFC 3987, 2.2",
        "A surrogate is not a character.", (VALID,),
    ),
    Edge(
        "bidirectional formatting character", "to_iri", ("http://h/%E2%80%AE",),
        "http://h/%E2%80%AE", "RFC 3987, 4.1", "These characters must stay percent-encoded,"
        " because they reorder the displayed text.",
    ),
    Edge(
        "tab", "accept", ("http://h/a\tb",), REJECTED, "RFC 3986, 2",
        "Control characters are not allowed.", (VALID,),
    ),
    Edge(
        "backslash before the at sign", "host", ("http://a\\@b/",), REJECTED, "RFC 3986, 2",
        "A backslash is not allowed. Browsers find the host `a`, and some other parsers find `b`.",
        ("a",),
    ),
    Edge(
        "NUL", "accept", ("http://h/\0",), REJECTED, "RFC 3986, 2",
        "Control characters are not allowed. C strings end at NUL, so the comparison rejects this"
        " string for libcurl.", (VALID,),
    ),
    Edge(
        "final line break", "accept", ("http://h/\n",), REJECTED, "RFC 3986, 2",
        "Control characters are not allowed, even at the end of the string.", (VALID,),
    ),
    Edge(
        "scheme that starts with a digit", "accept", ("1http://h/",), REJECTED, "RFC 3986, 3.1",
        "A scheme starts with a letter, and the first segment of a relative reference does not"
        " contain a colon.",
    ),
    Edge(
        "empty string", "accept", ("",), VALID, "RFC 3986, 4.4",
        "An empty reference refers to the same document.", relative=True,
    ),
    Edge(
        "empty query and fragment", "text", ("http://h/?#",), "http://h/?#", "RFC 3986, 5.3",
        "An empty component has its delimiter; a missing component does not.",
    ),
    Edge(
        "two fragments", "accept", ("http://h/#a#b",), REJECTED, "RFC 3986, 3.5",
        "A fragment does not allow `#`.", (VALID,),
    ),
)  # fmt: skip
