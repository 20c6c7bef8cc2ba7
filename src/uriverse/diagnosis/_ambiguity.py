"""Find URIs in which browsers, C libraries or other parsers see a different host, port or path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from ipaddress import IPv6Address
from unicodedata import normalize

from uriverse import hosts
from uriverse._lazy import lazy_pattern
from uriverse._spec.domain import ACE_PREFIX
from uriverse._spec.letters import IGNORABLE, is_plain_letter
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import pct_decode
from uriverse._spec.resolution import remove_dot_segments
from uriverse._spec.syntax import matches
from uriverse._uri.engine import to_ascii, to_unicode
from uriverse.hosts._lookalikes import converts_alike, ends_in_number
from uriverse.schemes._file import letter
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.schemes._violation import Problem

from ._codes import CODES
from ._dot_segments import SURROGATE, WHITE, find_hidden_dot_segments
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


def find_uri_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    yield from find_character_ambiguities(parsed)
    yield from find_scheme_ambiguities(parsed)
    yield from find_slash_ambiguities(parsed)
    if parsed.bounds.authority >= 0:
        yield from find_userinfo_ambiguities(parsed)
        yield from find_late_at_sign(parsed)
        yield from find_host_ambiguities(parsed)
        yield from find_port_ambiguities(parsed)
    yield from find_path_ambiguities(parsed)


def find_character_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    for code, pattern in ANYWHERE.items():
        yield from report_matches(parsed, code, pattern)
    yield from report_matches(
        parsed,
        "encoded-control",
        ENCODED_CONTROL,
        lambda run: not is_expected_line_break(parsed, run),
    )
    if not encodes_utf8(parsed.text):
        yield from report_matches(
            parsed, "not-utf8", ENCODED_PAST_ASCII, lambda run: not encodes_utf8(run[0])
        )


def report_matches(
    parsed: ParsedText,
    code: str,
    pattern: re.Pattern[str],
    is_finding: Callable[[re.Match[str]], bool] = bool,
) -> Iterator[Problem]:
    position = 0
    while run := pattern.search(parsed.text, position):
        position = run.end()
        if is_finding(run):
            component = parsed.get_component(run.start())
            yield Problem(code, component, *run.span())
            if parsed.first_only:
                position = max(position, parsed.get_span(component).end)


def encodes_utf8(run: str) -> bool:
    try:
        pct_decode(run).decode()
    except UnicodeError:
        return False
    return True


def is_expected_line_break(parsed: ParsedText, run: re.Match[str]) -> bool:
    unwanted = parsed.unwanted_line_breaks
    if unwanted is None or run.span() in unwanted:
        return False
    return LINE_BREAKS.fullmatch(run[0]) is not None


def find_scheme_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    bounds = parsed.bounds
    is_relative = bounds.scheme_end < 0
    if is_relative:
        if first_segment := parsed.text[: bounds.path_end].partition("/")[0]:
            yield Problem("missing-scheme", "path", bounds.path, bounds.path + len(first_segment))
    elif not parsed.has_valid_scheme:
        yield Problem("scheme-odd", "scheme", 0, bounds.scheme_end)
    elif "." in parsed.scheme or looks_like_host_and_port(parsed):
        yield Problem("scheme-like-host", "scheme", 0, bounds.scheme_end)


def looks_like_host_and_port(parsed: ParsedText) -> bool:
    if parsed.bounds.authority >= 0 or parsed.rules.authority == "forbidden":
        return False
    return PORT_ONLY.match(parsed.text, parsed.bounds.path) is not None


def find_slash_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    rules, bounds = parsed.rules, parsed.bounds
    slashes = SLASHES.match(parsed.text, bounds.scheme_end + 1)
    assert slashes, "the expression matches every string"
    # After an empty host, the third slash begins the path.
    allowed_counts = {2, 3} if rules.empty_host else {2}
    if rules.local:
        # A missing authority means the same as an empty one (RFC 8089, 2).
        allowed_counts = {0, 1, 2, 3}
    needs_slashes = rules.authority == "required" or rules.local
    is_single = slashes[0] == "/" and slashes.end() < bounds.path_end
    if needs_slashes and len(slashes[0]) not in allowed_counts:
        yield Problem("slash-count", "host", *slashes.span())
    elif is_single and parsed.has_valid_scheme and not rules.local:
        yield Problem("single-slash", "path", *slashes.span())
    if parsed.parts.host == "" and not rules.local:
        yield Problem("authority-empty", "host", bounds.host, bounds.host)


def find_userinfo_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    start, end = parsed.bounds.authority, parsed.bounds.path
    first_at = parsed.text.find("@", start, end)
    last_at = parsed.text.rfind("@", start, end)
    if last_at < 0:
        return
    if first_at < last_at:
        yield Problem("several-at", "userinfo", first_at, last_at + 1)
    userinfo = decode_with_replacement(parsed.text[start:last_at])
    if LIKE_HOST.match(userinfo):
        yield Problem("userinfo-like-host", "userinfo", start, last_at)
    if not ENDS_AUTHORITY.isdisjoint(userinfo):
        yield Problem("host-with-delimiter", "userinfo", start, last_at)


def find_late_at_sign(parsed: ParsedText) -> Iterator[Problem]:
    """Find an "@" in a query or fragment that may seem to end the userinfo.

    For example, some parsers split `http://good.example#@evil.example/` at the "@", and connect to
    `evil.example`. No slash may be between the authority and the "@".
    """
    has_userinfo = parsed.bounds.host > parsed.bounds.authority
    if not has_userinfo and (match := LATE_AT.match(parsed.text, parsed.bounds.path)):
        yield Problem("at-behind-host", parsed.get_component(match.end() - 1), *match.span())


def find_host_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    bounds, host = parsed.bounds, parsed.parts.host or ""
    authority = parsed.text[bounds.authority : bounds.path]
    if parsed.rules.local and authority:
        code = "file-localhost" if lowercase_ascii(authority) in THIS_MACHINE else "file-host"
        yield Problem(code, "host", bounds.authority, bounds.path)
    if "[" in authority or "]" in authority:
        yield from find_ip_literal_ambiguities(parsed, host)
        return
    span = Span("host", bounds.host, bounds.host_end)
    if NOT_IN_DOMAIN.search(host):
        yield Problem("host-characters", *span)
    name = host
    if "%" in host:
        name = decode_with_replacement(host)
        yield Problem("host-encoded", *span)
        if not DELIMITERS.isdisjoint(name):
            yield Problem("host-with-delimiter", *span)
    yield from find_name_ambiguities(name, span)
    if not name.isascii():
        yield from find_non_ascii_ambiguities(name, span)


def find_ip_literal_ambiguities(parsed: ParsedText, host: str) -> Iterator[Problem]:
    bounds = parsed.bounds
    if not matches(host, "IP-literal") or matches(host[1:-1], "IPvFuture"):
        yield Problem("bracket", "host", bounds.host, bounds.path)
    elif len(hosts.embedded_addresses(IPv6Address(host[1:-1]))) > 1:
        yield Problem("ipv6-with-ipv4", "host", bounds.host, bounds.host_end)


def find_name_ambiguities(name: str, span: Span) -> Iterator[Problem]:
    address_form = hosts.ipv4_form(name)
    if address_form == "overflow" and name.removesuffix(".").count(".") > 3:
        message = "the host has more than four numbers: browsers reject it, others look it up"
        yield Problem("ipv4-overflow", *span, message)
    elif f"ipv4-{address_form}" in CODES:  # the other forms have findings of their own
        yield Problem(f"ipv4-{address_form}", *span)
    if name.endswith("."):
        yield Problem("trailing-dot", *span)
    if ".." in name or name.startswith("."):
        yield Problem("empty-label", *span)
    # After decoding, the offsets in the name differ from those in the URI.
    is_decoded = len(name) != span.end - span.start
    for label, offset in locate_labels(name):
        start = span.start + offset
        label_span = span if is_decoded else Span(span.component, start, start + len(label))
        for code in list_label_codes(label):
            yield Problem(code, *label_span)
    if address_form is None and not matches(name, "IPv4address"):
        yield from find_last_label_ambiguities(name, span)


def list_label_codes(label: str) -> Iterator[str]:
    if lowercase_ascii(label[: len(ACE_PREFIX)]) == ACE_PREFIX and not is_valid_domain(label):
        yield "bad-a-label"
    if "_" in label:
        yield "label-with-underscore"
    if label.startswith("-") or label.endswith("-"):
        yield "label-edge-hyphen"


def find_last_label_ambiguities(name: str, span: Span) -> Iterator[Problem]:
    parent, _, last_label = name.removesuffix(".").rpartition(".")
    if ends_in_number(name):
        yield Problem("last-label-number", *span)
    elif parent and "0" <= last_label[:1] <= "9":
        yield Problem("last-label-digit", *span)


def find_non_ascii_ambiguities(name: str, span: Span) -> Iterator[Problem]:
    yield Problem("host-past-ascii", *span)
    # Normalize each character separately: a single character can become a delimiter, and
    # normalizing the whole name takes more than linear time.
    letters = [character for character in set(name) if not character.isascii()]
    if any(not DELIMITERS.isdisjoint(normalize("NFKC", letter)) for letter in letters):
        yield Problem("host-compatible", *span)
    if DEVIATIONS.search(name) or idna_versions_differ(name):
        yield Problem("deviation", *span)


@lru_cache(4096)
def classify_conversion(character: str) -> int:
    """Return a number of the kernel: 2 for a letter that all versions of IDNA convert alike.

    3 stands for a letter with the finding "deviation", and 1 for all other characters.
    """
    lower = character.lower()
    if len(lower) > 1 or not (is_plain_letter(character) and is_plain_letter(lower)):
        return 1
    name = f"a{character}a{character}"  # the last letter of a word may have another lower case
    try:
        ascii_name = to_ascii(name)
    except ValueError:  # the base class of the errors of `to_ascii`
        return 1
    is_like_delimiter = not DELIMITERS.isdisjoint(normalize("NFKC", character))
    if is_like_delimiter or to_unicode(ascii_name) != name.lower():
        return 1
    return 3 if DEVIATIONS.search(name) or not converts_alike(name, ascii_name) else 2


def idna_versions_differ(name: str) -> bool:
    if all(c.isascii() or classify_conversion(c) == 2 for c in set(name)):
        return False
    try:
        return not converts_alike(name, to_ascii(name))
    except ValueError:  # the base class of the errors of `to_ascii`
        return False


def locate_labels(name: str) -> Iterator[tuple[str, int]]:
    start = 0
    for label in name.split("."):
        yield label, start
        start += len(label) + 1


def decode_with_replacement(text: str) -> str:
    return pct_decode(SURROGATE.sub("\ufffd", text)).decode(errors="replace")


def is_valid_domain(name: str) -> bool:
    try:
        to_ascii(name)
    except ValueError:  # the base class of the errors of `to_ascii`
        return False
    return True


def find_port_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    digits = parsed.parts.port
    if digits is None:
        return
    span = parsed.get_span("port")
    significant = digits.lstrip("0")
    is_number = digits.isascii() and digits.isdecimal()
    if digits == "":
        yield Problem("port-empty", "port", span.start - 1, span.end)
    elif not is_number:
        message = "the port is not a number: programs reject it, or find another host or port"
        yield Problem("port-odd", *span, message, "write only the digits 0 to 9")
    elif not significant:
        message = "port 0 is reserved: programs reject it, or use the default port"
        yield Problem("port-odd", *span, message, "write a port from 1 to 65535")
    elif digits.startswith("0"):
        yield Problem("port-odd", *span)
    # Numbers with the same count of digits sort like their strings, so `int` is not needed.
    largest = str(LARGEST_PORT)
    if is_number and (len(significant), significant) > (len(largest), largest):
        yield Problem("port-huge", *span)


def find_path_ambiguities(parsed: ParsedText) -> Iterator[Problem]:
    path, start, end = parsed.parts.path, parsed.bounds.path, parsed.bounds.path_end
    # Without an authority, the path is data, such as that of `data:` and `mailto:`.
    is_opaque = parsed.rules.authority == "forbidden"
    has_dot_segment = STEP.search(path) is not None
    if path.startswith("//") or (has_dot_segment and remove_dot_segments(path).startswith("//")):
        yield Problem("path-like-authority", "path", start, end)
    if has_dot_segment and is_opaque:
        yield Problem("dot-segment", "path", start, end)
    yield from find_hidden_dot_segments(path, start, opaque=is_opaque, first_only=parsed.first_only)
    if "%" in path:
        for slash in ENCODED_SLASH.finditer(parsed.text, start, end):
            yield Problem("encoded-slash", "path", *slash.span())
    yield from find_drive_letter(parsed)


def find_drive_letter(parsed: ParsedText) -> Iterator[Problem]:
    bounds = parsed.bounds
    has_scheme, has_authority = bounds.scheme_end >= 0, bounds.authority >= 0
    if parsed.rules.local:
        start = bounds.authority if parsed.parts.host else bounds.path
    elif has_authority or (has_scheme and bounds.scheme_end != len("c")):
        return
    else:
        start = 0  # as in `/c:/a`, and in `c:/a`, where the drive seems to be a scheme
    if drive := DRIVE.match(parsed.text, start):
        yield Problem("drive-letter", parsed.get_component(start), *drive.span())
