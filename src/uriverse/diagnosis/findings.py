"""What `check` can find: a code for each, what it means, and how much it matters to whom."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

#: How much a finding matters, the most first.
Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")

#: What a code can be set to; `"off"` for what is not to be found.
Setting = Literal["error", "warning", "info", "off"]

#: What each code is set to.
Settings = dict[str, Setting]

#: What a finding is about.
Group = Literal["syntax", "scheme", "text", "deprecated", "ambiguity", "form"]


class Finding(NamedTuple):
    """Something that is wrong with an identifier, or odd about it.

    Attributes:
        code: what it is, by a name that does not change.
        severity: `"error"`, `"warning"` or `"info"`.
        component: the component it is in, or `"text"`.
        start: the index in the text at which it begins.
        end: the index after it; the same where something is missing.
        message: what it is, in a sentence. It holds no password.
        reference: the document and section that say so.
        suggestion: what to do about it; `None` where there is nothing to advise.
    """

    code: str
    severity: Severity
    component: str
    start: int
    end: int
    message: str
    reference: str
    suggestion: str | None

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends, as of a match of `re`.

        >>> from uriverse import check
        >>> [finding.span for finding in check("http://a.example./")]
        [(7, 17)]
        """
        return self.start, self.end


class Code(NamedTuple):
    """What a code means.

    Attributes:
        name: the code.
        group: what it is about.
        reference: the document and section that say so.
        message: what is told of it.
        suggestion: what to do about it; `None` where it hangs on what was found, or
            there is nothing to advise.
        example: a text that has it.
        near_miss: one that is as near to it as can be, and has not.
    """

    name: str
    group: Group
    reference: str
    message: str
    suggestion: str | None
    example: str
    near_miss: str


#: What a profile sets each group to, and some codes to something else.
PROFILES: dict[str, dict[str, Setting]] = {
    # Any identifier: what its documents forbid is wrong, what others read otherwise is odd.
    "generic": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "warning",
        "ambiguity": "warning",
        "form": "off",
        # Right in most places; what reads them otherwise is rare.
        "missing-scheme": "info",
        "authority-empty": "info",
        "drive-letter": "info",
    },
    # What is followed or dialled: there what is read in two ways is a way in.
    "web": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "error",
        "ambiguity": "error",
        "drive-letter": "info",
        "form": "off",
        "relative": "error",
    },
    # Names in RDF 1.1 (Concepts, 3.2) are absolute, compared by text, best in normal form.
    "rdf": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "warning",
        "ambiguity": "warning",
        "form": "warning",
        "missing-scheme": "info",
        "authority-empty": "info",
        "drive-letter": "info",
        "relative": "error",
        "unregistered-scheme": "info",
    },
    # All there is.
    "strict": {
        "syntax": "error",
        "scheme": "error",
        "text": "error",
        "deprecated": "error",
        "ambiguity": "error",
        "form": "warning",
    },
}

GENERIC = "RFC 3986, "
INTERNATIONAL = "RFC 3987, "
WEB = "URL standard, "

#: All that can be found, group by group.
CODES: dict[str, Code] = {
    code.name: code
    for code in (
        # --- syntax
        Code(
            "syntax",
            "syntax",
            "RFC 3986, Appendix A; RFC 3987, 2.2",
            "it is no IRI reference",
            None,
            "http://a/b c",
            "http://a/b%20c",
        ),
        # --- scheme
        Code(
            "authority-missing",
            "scheme",
            GENERIC + "3.2",
            "this scheme demands an authority",
            'write "//" and a host behind the colon',
            "http:a/b",
            "x:a/b",
        ),
        Code(
            "authority-misplaced",
            "scheme",
            GENERIC + "3.2",
            "this scheme has no authority",
            'leave out "//"',
            "urn://example/a",
            "urn:example:a",
        ),
        Code(
            "host-missing",
            "scheme",
            GENERIC + "3.2.2",
            "this scheme demands a host that is not empty",
            "write a host",
            "http:///a",
            "file:///a",
        ),
        Code(
            "userinfo-misplaced",
            "scheme",
            GENERIC + "3.2.1",
            "this scheme has no userinfo",
            'leave it out, and the "@"',
            "ws://me@a.example/",
            "ftp://me@a.example/",
        ),
        Code(
            "path-misshapen",
            "scheme",
            GENERIC + "3.3",
            "this scheme has paths of another form",
            None,
            "acct:/a@b.example",
            "acct:a@b.example",
        ),
        Code(
            "query-misplaced",
            "scheme",
            GENERIC + "3.4",
            "this scheme has no query",
            "write %3F for a question mark that is data",
            "file:///a?b",
            "file:///a%3Fb",
        ),
        Code(
            "fragment-misplaced",
            "scheme",
            GENERIC + "3.5",
            "this scheme has no fragment",
            "write %23 for a number sign that is data",
            "ws://a.example/#b",
            "http://a.example/#b",
        ),
        Code(
            "scheme-syntax",
            "scheme",
            GENERIC + "3.1",
            "it is not what its scheme's own document says",
            None,
            "urn:a:b",
            "urn:ab:c",
        ),
        Code(
            "content",
            "scheme",
            GENERIC + "3.1",
            "what it holds is not what its form says",
            None,
            "urn:isbn:0-395-36341-2",
            "urn:isbn:0-395-36341-1",
        ),
        Code(
            "header-ignored",
            "scheme",
            "RFC 6068, 3",
            "whoever makes a mail of it has to ignore this header field",
            "leave it out",
            "mailto:a@b.example?From=c@d.example",
            "mailto:a@b.example?Cc=c@d.example",
        ),
        # --- text
        Code(
            "bidi-formatting",
            "text",
            INTERNATIONAL + "4.1",
            "a character that formats text must not stand in an IRI",
            "leave it out",
            "http://a.example/\u202eb",
            "http://a.example/%E2%80%AEb",
        ),
        Code(
            "bidi-mixed",
            "text",
            INTERNATIONAL + "4.2",
            "it uses characters that run from right to left, and others",
            None,
            "http://a.example/\u05d0a",
            "http://a.example/\u05d0/a",
        ),
        Code(
            "bidi-edge",
            "text",
            INTERNATIONAL + "4.2",
            "it runs from right to left, but does not begin and end so",
            None,
            "http://a.example/\u05d01",
            "http://a.example/\u05d01\u05d0",
        ),
        Code(
            "not-nfc",
            "text",
            INTERNATIONAL + "5.3.2.2",
            "it is not in Normalization Form C",
            None,
            "http://a.example/e\u0301",
            "http://a.example/\u00e9",
        ),
        Code(
            "private-use",
            "text",
            INTERNATIONAL + "2.2",
            "a character for private use means nothing to others",
            "leave it out",
            "http://a.example/?\ue000",
            "http://a.example/?\u4e00",
        ),
        Code(
            "noncharacter",
            "text",
            "The Unicode Standard, 23.7",
            "this is no character, and is not meant to be exchanged",
            "leave it out",
            "http://a.example/%EF%BF%BF",
            "http://a.example/%EF%BF%BD",
        ),
        # --- deprecated
        Code(
            "password",
            "deprecated",
            GENERIC + "3.2.1",
            "a password in an identifier is deprecated: it ends in logs and histories",
            "leave it out, and hand it over otherwise",
            "ftp://me:secret@a.example/",
            "ftp://me@a.example/",
        ),
        Code(
            "userinfo",
            "deprecated",
            "RFC 9110, 4.2.4",
            "userinfo is deprecated for this scheme: it serves to hide the host",
            'leave it out, and the "@"',
            "https://me@a.example/",
            "ftp://me@a.example/",
        ),
        Code(
            "zone-identifier",
            "deprecated",
            "RFC 9844, 5",
            "a zone identifier is no part of a URI any more",
            "leave out all from the % up to the bracket",
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1]/",
        ),
        # --- ambiguity: what other software reads otherwise
        Code(
            "backslash",
            "ambiguity",
            WEB + "4.4",
            "browsers take a backslash for a slash, so a host may end or begin there",
            "write / or %5C",
            "http://evil.example\\@good.example/",
            "http://good.example/%5Ca",
        ),
        Code(
            "control",
            "ambiguity",
            WEB + "4.4",
            "a control character is left out by some, and ends the text for others",
            "leave it out, or percent-encode it",
            "http://a.exa\tmple/",
            "http://a.example/",
        ),
        Code(
            "space",
            "ambiguity",
            WEB + "4.4",
            "a space is cut off by some, encoded by others, and ends the text for others",
            "leave it out, or write %20",
            " http://a.example/",
            "http://a.example/%20",
        ),
        Code(
            "ignorable",
            "ambiguity",
            "UTS 46, 4",
            "a character that can't be seen is left out by some",
            "leave it out",
            "http://a\u00ad.example/",
            "http://a-.example/",
        ),
        Code(
            "not-utf8",
            "ambiguity",
            GENERIC + "2.5",
            "what is percent-encoded is not UTF-8: others take it for other characters",
            "encode it as UTF-8",
            "http://a.example/%E9",
            "http://a.example/%C3%A9",
        ),
        Code(
            "double-encoding",
            "ambiguity",
            GENERIC + "2.4",
            "decoded twice, it is something else than decoded once",
            "encode once, where the data is put in",
            "http://a.example/%2541",
            "http://a.example/%25zz",
        ),
        Code(
            "encoded-control",
            "ambiguity",
            GENERIC + "7.3",
            "a control character is encoded: decoded, it may end a line, a header or a name",
            "leave it out",
            "http://a.example/%0D%0Ab",
            "http://a.example/%20b",
        ),
        Code(
            "missing-scheme",
            "ambiguity",
            GENERIC + "4.2",
            "without a scheme some take the first segment for a host",
            "write a scheme before it, or begin with a slash",
            "good.example/a",
            "/good.example/a",
        ),
        Code(
            "scheme-odd",
            "ambiguity",
            GENERIC + "3.1",
            "what stands before the first colon is no scheme: some take it for a host",
            "write a scheme before it",
            "ht%74p://good.example/",
            "http://good.example/",
        ),
        Code(
            "scheme-like-host",
            "ambiguity",
            GENERIC + "3.1",
            "the scheme looks like a host: some take it for one",
            'write "//" or another scheme before it, if it is one',
            "localhost:80/a",
            "localhost:a/b",
        ),
        Code(
            "slash-count",
            "ambiguity",
            WEB + "4.4",
            "some read as many slashes as there are for two, and find a host behind them",
            "write two slashes, and a host",
            "http:/good.example",
            "file:/good.example",
        ),
        Code(
            "authority-empty",
            "ambiguity",
            GENERIC + "3.2",
            "without a host some take the first segment for one",
            "write a host",
            "x:///good.example/",
            "file:///good.example/",
        ),
        Code(
            "userinfo-like-host",
            "ambiguity",
            GENERIC + "7.6",
            'what stands before the "@" looks like the host, and is not',
            "leave it out",
            "http://good.example@evil.example/",
            "http://good-example@evil.example/",
        ),
        Code(
            "several-at",
            "ambiguity",
            GENERIC + "3.2.1",
            'the host may begin behind the first "@", or behind the last',
            "write %40 for those that are data",
            "http://a@b@c.example/",
            "http://a%40b@c.example/",
        ),
        Code(
            "host-encoded",
            "ambiguity",
            GENERIC + "3.2.2",
            "some decode a percent-encoded host, and some look it up as it is",
            "write the domain name in ASCII",
            "http://%61.example/",
            "http://a.example/%61",
        ),
        Code(
            "host-with-delimiter",
            "ambiguity",
            GENERIC + "7.3",
            "decoded, the host holds a delimiter, and ends there for some",
            "leave it out",
            "http://good.example%2F@evil.example/",
            "http://good-example%21@evil.example/",
        ),
        Code(
            "host-characters",
            "ambiguity",
            GENERIC + "3.2.2",
            "the host holds what no domain name does: some refuse it, some end it there",
            "write a domain name",
            "http://a;b.example/",
            "http://a_b.example/",
        ),
        Code(
            "host-past-ascii",
            "ambiguity",
            "RFC 5895, 2",
            "a host past ASCII is mapped to a domain name by one of several tables",
            "write the domain name in ASCII",
            "http://b\u00fccher.example/",
            "http://xn--bcher-kva.example/",
        ),
        Code(
            "host-compatible",
            "ambiguity",
            "UTS 46, 4",
            "in its compatible form (NFKC) the host holds a delimiter",
            "leave it out",
            "http://good.example\uff0fevil.example/",
            "http://good.example\uff0devil.example/",
        ),
        Code(
            "deviation",
            "ambiguity",
            "UTS 46, 4.1.1",
            "IDNA 2003 and 2008 make two names of this character",
            "write the domain name in ASCII",
            "http://fa\u00df.example/",
            "http://fass.example/",
        ),
        Code(
            "bad-a-label",
            "ambiguity",
            "RFC 5891, 5.4",
            "what looks like an encoded label encodes none: some refuse it, some look it up",
            None,
            "http://xn--a.example/",
            "http://xn--bcher-kva.example/",
        ),
        Code(
            "ipv4-short",
            "ambiguity",
            GENERIC + "7.4",
            "it is no IPv4 address to the grammar, and one of fewer parts to others",
            "write four numbers",
            "http://127.1/",
            "http://127.0.0.1/",
        ),
        Code(
            "ipv4-octal",
            "ambiguity",
            GENERIC + "7.4",
            "a number that begins with 0 is octal to some, and decimal to others",
            "write it without zeros before it",
            "http://0177.0.0.1/",
            "http://177.0.0.1/",
        ),
        Code(
            "ipv4-hex",
            "ambiguity",
            GENERIC + "7.4",
            "it is no IPv4 address to the grammar, and one with hexadecimal numbers to others",
            "write decimal numbers",
            "http://0x7f.0.0.1/",
            "http://x7f.0.0.1/",
        ),
        Code(
            "ipv4-integer",
            "ambiguity",
            GENERIC + "7.4",
            "it is no IPv4 address to the grammar, and a whole one to others",
            "write four numbers",
            "http://2130706433/",
            "http://n2130706433/",
        ),
        Code(
            "ipv4-overflow",
            "ambiguity",
            GENERIC + "7.4",
            "its number is larger than an IPv4 address can hold: some refuse it, some cut it off",
            "write four numbers up to 255",
            "http://1.2.3.400/",
            "http://1.2.3.40/",
        ),
        Code(
            "ipv6-with-ipv4",
            "ambiguity",
            "RFC 4291, 2.5.5",
            "this address stands for an IPv4 address, which is what may be reached",
            "write that address",
            "http://[::ffff:127.0.0.1]/",
            "http://[2001:db8::1]/",
        ),
        Code(
            "trailing-dot",
            "ambiguity",
            GENERIC + "3.2.2",
            "with a dot at its end a host is another to those who compare texts",
            "leave out the dot",
            "http://a.example./",
            "http://a.example/.",
        ),
        Code(
            "empty-label",
            "ambiguity",
            "RFC 1034, 3.1",
            "no domain name has an empty label: some refuse it, some leave it out",
            "write one dot",
            "http://a..example/",
            "http://a.example/..",
        ),
        Code(
            "bracket",
            "ambiguity",
            GENERIC + "3.2.2",
            "brackets that hold no IPv6 address end the host here for some, and there for others",
            "write brackets around an IPv6 address only",
            "http://[v1.a]/",
            "http://[::1]/",
        ),
        Code(
            "port-empty",
            "ambiguity",
            GENERIC + "3.2.3",
            "a colon without a port is left out by some, and kept by others",
            "leave it out",
            "http://a.example:/",
            "http://a.example:8080/",
        ),
        Code(
            "port-odd",
            "ambiguity",
            GENERIC + "3.2.3",
            "the port is not written as others do: some refuse it, some read another host",
            "write digits without zeros before them",
            "http://a.example:0080/",
            "http://a.example:8080/",
        ),
        Code(
            "port-huge",
            "ambiguity",
            GENERIC + "3.2.3",
            "no port is larger than 65535: some refuse it, some cut it off",
            "write a number up to 65535",
            "http://a.example:65536/",
            "http://a.example:65535/",
        ),
        Code(
            "path-like-authority",
            "ambiguity",
            GENERIC + "3.3",
            "without what stands before it, the path would be read as an authority",
            "write one slash",
            "http://a.example//evil.example/",
            "http://a.example/evil.example//",
        ),
        Code(
            "dot-segment",
            "ambiguity",
            GENERIC + "6.2.2.3",
            "normalising and resolving take steps in a path, also where it is no path of steps",
            "write / as %2F where it is data",
            "data:,a/../b",
            "data:,a/..b",
        ),
        Code(
            "encoded-dot",
            "ambiguity",
            GENERIC + "6.2.2.2",
            "an encoded segment of dots is a step to some, and a name to others",
            "write the path without it",
            "http://a.example/%2e%2e/b",
            "http://a.example/%2e%2eb",
        ),
        Code(
            "encoded-slash",
            "ambiguity",
            GENERIC + "7.3",
            "an encoded slash is data to some, and separates segments to others",
            None,
            "http://a.example/b%2Fc",
            "http://a.example/?b%2Fc",
        ),
        Code(
            "file-localhost",
            "ambiguity",
            "RFC 8089, 2",
            "some leave out this host, and some look for the file on it",
            "leave it out",
            "file://localhost/a",
            "http://localhost/a",
        ),
        Code(
            "drive-letter",
            "ambiguity",
            "RFC 8089, E.2",
            "on Windows a letter and a colon name a drive; elsewhere they do not",
            None,
            "file:///c:/a",
            "file:///ca:/a",
        ),
        # --- form
        Code(
            "relative",
            "form",
            GENERIC + "4.2",
            "it is relative",
            "resolve it on its base",
            "/a",
            "x:/a",
        ),
        Code(
            "unregistered-scheme",
            "form",
            "RFC 7595, 3.8",
            "IANA does not list the scheme",
            None,
            "x-uriverse:a",
            "tag:a.example,2026:a",
        ),
        Code(
            "not-normalized",
            "form",
            GENERIC + "6.2",
            "it is not in normal form",
            None,
            "HTTP://a.example/",
            "http://a.example/",
        ),
    )
}


#: The codes of each group.
GROUPS: dict[str, list[str]] = {}
for _code in CODES.values():
    GROUPS.setdefault(_code.group, []).append(_code.name)


@cache
def settings_of(profile: str) -> Settings:
    """What a profile sets each code to."""
    own = PROFILES[profile]
    return {name: own.get(name) or own[code.group] for name, code in CODES.items()}


def with_settings(settings: Settings, own: Mapping[str, Setting]) -> Settings:
    """What codes are set to, some otherwise than the profile does; a code comes before its group.

    Raises:
        ValueError: there is no such code, group or severity.
    """
    for name, setting in own.items():
        if name not in CODES and name not in GROUPS:
            raise ValueError(f"there is no code or group {name!r}")
        if setting not in {*SEVERITIES, "off"}:
            raise ValueError(f"{setting!r} is none of {', '.join(SEVERITIES)}, off")
    return {
        name: own.get(name) or own.get(CODES[name].group) or setting
        for name, setting in settings.items()
    }


def tells_of(group: str, settings: Settings) -> bool:
    """Whether anything of a group is told."""
    return any(settings[name] != "off" for name in GROUPS[group])


@cache
def tells_of_form(profile: str) -> bool:
    """Whether a profile tells anything about the form of an identifier."""
    return tells_of("form", settings_of(profile))
