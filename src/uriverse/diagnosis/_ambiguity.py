"""Find ambiguities: URIs in which other software sees a different host, port or path.

Strict parsing does not protect against ambiguities, because most ambiguous URIs are valid. The
rules in this module come from the behavior of browsers (the [URL standard][1]), of the resolvers in
C libraries, and of other Python libraries. Tests compare the rules with those programs.

[1]: https://url.spec.whatwg.org/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address
from unicodedata import normalize

from uriverse import hosts
from uriverse._lazy import lazy_pattern
from uriverse._spec.domain import ACE_PREFIX
from uriverse._spec.letters import IGNORABLE
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import pct_decode
from uriverse._spec.resolution import remove_dot_segments
from uriverse._spec.syntax import matches
from uriverse._uri.engine import to_ascii
from uriverse.hosts._lookalikes import converts_alike, ends_in_number
from uriverse.schemes._file import letter
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.schemes._violation import Found

from ._codes import CODES
from ._dot_segments import SURROGATE, WHITE, dot_segments
from ._parsed_text import ParsedText, Span

#: Patterns for characters and percent-encoded triplets that are ambiguous in every component, by
#: finding code. A search for a single character first is faster.
ANYWHERE = {
    "backslash": lazy_pattern(r"\\+"),
    "control": lazy_pattern(r"[\0-\x1f\x7f-\x9f][\0-\x1f\x7f-\x9f]*+"),
    "space": lazy_pattern(rf"[ \t-\r{WHITE}][ \t-\r{WHITE}]*+"),
    "ignorable": lazy_pattern(f"[{IGNORABLE}][{IGNORABLE}]*+"),
    "double-encoding": lazy_pattern("%25[0-9A-Fa-f]{2}"),
}

ENCODED_CONTROL = lazy_pattern("%(?:[01][0-9A-Fa-f]|7[Ff])(?:%(?:[01][0-9A-Fa-f]|7[Ff]))*+")
LINE_BREAKS = lazy_pattern("(?:%0[DdAa])+")

#: A run of percent-encoded triplets that encode non-ASCII octets.
ENCODED_PAST_ASCII = lazy_pattern("(?:%[89A-Fa-f][0-9A-Fa-f])+")

#: Characters that move the start or the end of the host if a parser decodes a URI before splitting.
DELIMITERS = frozenset("/?#@:[]\\%")
ENDS_AUTHORITY = frozenset("/?#\\")

#: The beginning of a string that looks like a host: a name with a dot, an address, or `localhost`.
LIKE_HOST = lazy_pattern(r"[^:]*[^:.]\.[^:.]|\[|localhost\b|[0-9]+\b", re.IGNORECASE)

#: A possible port number after a scheme. In `localhost:8080`, the scheme is probably a host.
PORT_ONLY = lazy_pattern(r"[0-9]{1,5}(?=[/?#\\]|\Z)")

SLASHES = lazy_pattern(r"[/\\]*")

#: ASCII characters that domain names do not contain, except for "%", which has findings of its own.
NOT_IN_DOMAIN = lazy_pattern(r"[\0-$&-,/:-@\[-^`{-\x7f]")

#: Characters that the two modes of UTS 46 map differently.
DEVIATIONS = lazy_pattern("[\u00df\u03c2\u1e9e\u200c\u200d]+")

#: The userinfo that a parser sees if it searches for an "@" up to the first slash.
LATE_AT = lazy_pattern("[^/@]*@")

#: The hosts of file URIs that curl ignores.
THIS_MACHINE = frozenset({"localhost", "127.0.0.1"})

#: A dot segment, literal or percent-encoded.
STEP = lazy_pattern(r"(?<![^/])(?:\.|%2[Ee]){1,2}(?![^/])")
ENCODED_SLASH = lazy_pattern("%2[Ff]|%5[Cc]")

#: A Windows drive letter at the start of a path, or in the place of a scheme or a host.
DRIVE = lazy_pattern(rf"/*{letter}(?:[:|]|%3[Aa]|%7[Cc])(?=[/\\?#]|\Z)")


def ambiguity(parsed: ParsedText) -> Iterator[Found]:
    yield from anywhere(parsed)
    yield from outset(parsed)
    if parsed.at.authority >= 0:
        yield from userinfo(parsed)
        yield from late_at(parsed)
        yield from host(parsed)
        yield from port(parsed)
    yield from path(parsed)


def anywhere(parsed: ParsedText) -> Iterator[Found]:
    """Find characters and percent-encoded octets that are ambiguous in every component."""
    for code, pattern in ANYWHERE.items():
        yield from runs(parsed, code, pattern)
    yield from runs(
        parsed,
        "encoded-control",
        ENCODED_CONTROL,
        lambda run: not is_expected_line_break(parsed, run),
    )
    if not is_utf8(parsed.text):
        yield from runs(parsed, "not-utf8", ENCODED_PAST_ASCII, lambda run: not is_utf8(run[0]))


def runs(
    parsed: ParsedText,
    code: str,
    pattern: re.Pattern[str],
    is_finding: Callable[[re.Match[str]], bool] = bool,
) -> Iterator[Found]:
    position = 0
    while run := pattern.search(parsed.text, position):
        position = run.end()
        if is_finding(run):
            component = parsed.component_at(run.start())
            yield Found(code, component, *run.span())
            if parsed.first_only:
                position = max(position, parsed.span_of(component).end)


def is_utf8(run: str) -> bool:
    try:
        pct_decode(run).decode()
    except UnicodeError:
        return False
    return True


def is_expected_line_break(parsed: ParsedText, run: re.Match[str]) -> bool:
    """Return whether percent-encoded characters are line breaks that the URI's scheme allows."""
    unwanted = parsed.unwanted_line_breaks
    expected = unwanted is not None and run.span() not in unwanted
    return expected and LINE_BREAKS.fullmatch(run[0]) is not None


def outset(parsed: ParsedText) -> Iterator[Found]:
    text, at = parsed.text, parsed.at
    if at.scheme_end < 0:
        if first := text[: at.path_end].split("/", 1)[0]:
            yield Found("missing-scheme", "path", at.path, at.path + len(first))
    elif not parsed.scheme_is_one:
        yield Found("scheme-odd", "scheme", 0, at.scheme_end)
    elif "." in parsed.scheme or is_port_behind_scheme(parsed):
        yield Found("scheme-like-host", "scheme", 0, at.scheme_end)
    yield from slashes(parsed)
    if parsed.parts.host == "" and not parsed.rules.local:
        yield Found("authority-empty", "host", at.host, at.host)


def is_port_behind_scheme(parsed: ParsedText) -> bool:
    """Return whether the URI looks like a host and a port number, as in `localhost:8080`."""
    found = PORT_ONLY.match(parsed.text, parsed.at.path) if parsed.at.authority < 0 else None
    return bool(found) and parsed.rules.authority != "forbidden"


def slashes(parsed: ParsedText) -> Iterator[Found]:
    """Find a wrong number of slashes between the scheme and the host."""
    rules = parsed.rules
    run = SLASHES.match(parsed.text, parsed.at.scheme_end + 1)
    assert run, "the expression matches every string"
    allowed = {2, 3} if rules.empty_host else {2}
    if rules.local:
        # A missing authority means the same as an empty one (RFC 8089, 2).
        allowed = {0, 1, 2, 3}
    single = run[0] == "/" and run.end() < parsed.at.path_end
    if (rules.authority == "required" or rules.local) and len(run[0]) not in allowed:
        yield Found("slash-count", "host", *run.span())
    elif single and parsed.scheme_is_one and not rules.local:
        yield Found("single-slash", "path", *run.span())


def userinfo(parsed: ParsedText) -> Iterator[Found]:
    """Find userinfo that looks like a host, or that some programs split at a different place.

    Such userinfo contains a second, unencoded "@", or a percent-encoded `/`, `?`, `#` or backslash.
    """
    at = parsed.at
    authority = parsed.text[at.authority : at.path]
    first, last = authority.find("@"), authority.rfind("@")
    if last < 0:
        return
    if first < last:
        yield Found("several-at", "userinfo", at.authority + first, at.authority + last + 1)
    name = decode_leniently(authority[:last])
    place = ("userinfo", at.authority, at.authority + last)
    if LIKE_HOST.match(name):
        yield Found("userinfo-like-host", *place)
    if not ENDS_AUTHORITY.isdisjoint(name):
        yield Found("host-with-delimiter", *place)


def late_at(parsed: ParsedText) -> Iterator[Found]:
    """Yield a finding if a query or fragment contains an "@" that may seem to end the userinfo.

    For example, some parsers split `http://good.example#@evil.example/` at the "@", and connect to
    `evil.example`. The URI must have no userinfo, and no slash between the authority and the "@".
    """
    at = parsed.at
    found = LATE_AT.match(parsed.text, at.path) if at.host == at.authority else None
    if found:
        yield Found("at-behind-host", parsed.component_at(found.end() - 1), *found.span())


def host(parsed: ParsedText) -> Iterator[Found]:
    at, text = parsed.at, parsed.parts.host or ""
    authority = parsed.text[at.authority : at.path]
    if parsed.rules.local and authority:
        code = "file-localhost" if lowercase_ascii(authority) in THIS_MACHINE else "file-host"
        yield Found(code, "host", at.authority, at.path)
    if "[" in authority or "]" in authority:
        yield from in_brackets(parsed, text)
        return
    place = Span("host", at.host, at.host_end)
    if NOT_IN_DOMAIN.search(text):
        yield Found("host-characters", *place)
    name = text
    if "%" in text:
        name = decode_leniently(text)
        yield Found("host-encoded", *place)
        if not DELIMITERS.isdisjoint(name):
            yield Found("host-with-delimiter", *place)
    yield from names(name, place)
    if not name.isascii():
        yield from names_past_ascii(name, place)


def in_brackets(parsed: ParsedText, text: str) -> Iterator[Found]:
    """Find hosts in brackets that are not IPv6 addresses or that embed an IPv4 address."""
    at = parsed.at
    if not matches(text, "IP-literal") or matches(text[1:-1], "IPvFuture"):
        yield Found("bracket", "host", at.host, at.path)
    elif len(hosts.embedded_addresses(IPv6Address(text[1:-1]))) > 1:
        yield Found("ipv6-with-ipv4", "host", at.host, at.host_end)


def names(name: str, place: Span) -> Iterator[Found]:
    """Find ambiguities in a host name, such as an empty label or a number as the last label."""
    form = hosts.ipv4_form(name)
    if form == "overflow" and name.removesuffix(".").count(".") > 3:
        message = "the host has more than four numbers: browsers reject it, others look it up"
        yield Found("ipv4-overflow", *place, message)
    elif f"ipv4-{form}" in CODES:  # the other forms have findings of their own
        yield Found(f"ipv4-{form}", *place)
    if name.endswith("."):
        yield Found("trailing-dot", *place)
    if ".." in name or name.startswith("."):
        yield Found("empty-label", *place)
    for label, start in labels_of(name):
        begin, end = place.start + start, place.start + start + len(label)
        # After decoding, the offsets in the name differ from those in the URI.
        exact = len(name) == place.end - place.start
        for code in odd_label(label):
            yield Found(code, place.component, *((begin, end) if exact else place[1:]))
    if form is None and not matches(name, "IPv4address"):
        yield from last_label(name, place)


def odd_label(label: str) -> Iterator[str]:
    """Yield the codes of the findings about one label of a host name, such as `bad-a-label`."""
    if lowercase_ascii(label[: len(ACE_PREFIX)]) == ACE_PREFIX and not is_domain(label):
        yield "bad-a-label"
    if "_" in label:
        yield "label-with-underscore"
    if label.startswith("-") or label.endswith("-"):
        yield "label-edge-hyphen"


def last_label(name: str, place: Span) -> Iterator[Found]:
    """Find host names whose last label is a number or begins with a digit."""
    rest, _, last = name.removesuffix(".").rpartition(".")
    if ends_in_number(name):
        yield Found("last-label-number", *place)
    elif rest and "0" <= last[:1] <= "9":
        yield Found("last-label-digit", *place)


def names_past_ascii(name: str, place: Span) -> Iterator[Found]:
    """Find non-ASCII host names that different versions of IDNA convert to different names."""
    yield Found("host-past-ascii", *place)
    # Normalize each character separately: a single character can become a delimiter, and
    # normalizing the whole name takes more than linear time.
    if any(not DELIMITERS.isdisjoint(normalize("NFKC", c)) for c in set(name) if not c.isascii()):
        yield Found("host-compatible", *place)
    if DEVIATIONS.search(name) or idna_versions_differ(name):
        yield Found("deviation", *place)


def idna_versions_differ(name: str) -> bool:
    """Return whether other versions of IDNA reject a domain name, or convert it differently."""
    try:
        return not converts_alike(name, to_ascii(name))
    except ValueError:  # the base class of the errors of `to_ascii`
        return False


def labels_of(name: str) -> Iterator[tuple[str, int]]:
    """Yield each label of a host name and its offset."""
    start = 0
    for label in name.split("."):
        yield label, start
        start += len(label) + 1


def decode_leniently(text: str) -> str:
    """Percent-decode a string once; invalid UTF-8 becomes U+FFFD."""
    return pct_decode(SURROGATE.sub("\ufffd", text)).decode(errors="replace")


def is_domain(name: str) -> bool:
    try:
        to_ascii(name)
    except ValueError:  # the base class of the errors of `to_ascii`
        return False
    return True


def port(parsed: ParsedText) -> Iterator[Found]:
    """Find ports that are empty, too large, zero, not a number, or have leading zeros."""
    digits = parsed.parts.port
    if digits is None:
        return
    place = parsed.span_of("port")
    significant = digits.lstrip("0")
    number = digits.isascii() and digits.isdecimal()
    if digits == "":
        yield Found("port-empty", "port", place.start - 1, place.end)
    elif not number:
        message = "the port is not a number: programs reject it, or find another host or port"
        yield Found("port-odd", *place, message, "write only the digits 0 to 9")
    elif not significant:
        message = "port 0 is reserved: programs reject it, or use the default port"
        yield Found("port-odd", *place, message, "write a port from 1 to 65535")
    elif digits.startswith("0"):
        yield Found("port-odd", *place)
    # Numbers with the same count of digits sort like their strings, so `int` is not needed.
    largest = str(LARGEST_PORT)
    if number and (len(significant), significant) > (len(largest), largest):
        yield Found("port-huge", *place)


def path(parsed: ParsedText) -> Iterator[Found]:
    text, at, opaque = parsed.parts.path, parsed.at, parsed.rules.authority == "forbidden"
    steps = STEP.search(text) is not None
    if text.startswith("//") or (steps and remove_dot_segments(text).startswith("//")):
        yield Found("path-like-authority", "path", at.path, at.path_end)
    if steps and opaque:
        yield Found("dot-segment", "path", at.path, at.path_end)
    yield from dot_segments(text, at.path, opaque=opaque, first_only=parsed.first_only)
    if "%" in text:
        for slash in ENCODED_SLASH.finditer(parsed.text, at.path, at.path_end):
            yield Found("encoded-slash", "path", *slash.span())
    yield from drive(parsed)


def drive(parsed: ParsedText) -> Iterator[Found]:
    """Find a Windows drive letter in a `file` URI, or in the place of a scheme."""
    at = parsed.at
    if parsed.rules.local:
        start = at.authority if parsed.parts.host else at.path
    elif at.scheme_end in {-1, 1} and at.authority < 0:
        start = 0
    else:
        return
    if letter := DRIVE.match(parsed.text, start):
        yield Found("drive-letter", parsed.component_at(start), *letter.span())
