"""Turn malformed strings into the identifiers that browsers make of them, and list every change."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, NoReturn

from uriverse._engine import kernel, use_compiled
from uriverse._errors import ConvertError, ParseError, RepairError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._redaction import MASK, find_secrets
from uriverse._spec.components import split, split_authority
from uriverse._spec.messages import create_parse_error
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import DECODE_AGAIN, LONE_SURROGATE, find_surrogate, pct_encode
from uriverse._spec.syntax import LONGEST_TEXT, RULES, matches
from uriverse._uri import IRIReference, parse
from uriverse._uri.engine import (
    Identifier,
    as_text,
    is_iri_reference,
    is_uri_reference,
    to_ascii,
    to_unicode,
)
from uriverse.schemes import SCHEMES
from uriverse.schemes._registry import SPECIAL_SCHEMES
from uriverse.schemes._violation import Problem

from . import CODES
from ._ambiguity import find_uri_ambiguities
from ._checking import check
from ._parsed_text import ParsedText

__all__ = ["Repair", "Repaired", "repair"]

#: The whitespace and control characters that browsers remove at both ends of a string.
TRIMMED = "".join(map(chr, range(0x21)))

#: The characters that browsers remove everywhere in a string.
REMOVED = re.compile("[\t\n\r]+")

#: The schemes whose hosts browsers convert to domain names.
WITH_DOMAIN = frozenset(name for name in SPECIAL_SCHEMES if SCHEMES[name].domain)

#: A scheme, and slashes and backslashes other than `//` before a host.
WRONG_SLASHES = re.compile(r"([^:/?#]*+):(?!//[^/\\])([/\\]++)(?=[^?#])")

#: The start of a string that `scheme` adds a scheme to: a domain name with at least two labels,
#: `localhost`, an IPv4 address or a host in brackets, and a port.
LIKE_HOST = lazy_pattern(
    r"(?:localhost|\[[^\[\]/?#@]*+\]|[\w\-\u0080-\U0010ffff]++(?:\.[\w\-\u0080-\U0010ffff]++)++\.?)"
    r"(?::[0-9]++)?(?=[/\\?#]|\Z)",
    re.IGNORECASE | re.ASCII,
)

#: The start of a string that `scheme` and `slashes` do not change: a scheme, `//`, and a host.
WITH_HOST = lazy_pattern(r"[\x00-\x20]*+[A-Za-z][A-Za-z0-9+.\-]*+://[^/\\\t\n\r]")

#: A run of backslashes, or of other characters.
BACKSLASHES_OR_OTHERS = re.compile(r"\\+|[^\\]+")

#: The characters that a component consists of, as names of grammar rules or as themselves.
CONTENTS = {
    "userinfo": ("unreserved", "sub-delims", ":"),
    "path": ("pchar", "/"),
    "query": ("pchar", "[/?]"),
    "fragment": ("pchar", "[/?]"),
}

#: The ambiguities with which parsers disagree about the host, wherever they occur.
DISPUTES = frozenset({
    "scheme-odd", "scheme-like-host", "slash-count", "single-slash", "authority-empty",
    "several-at", "at-behind-host", "host-encoded", "host-with-delimiter", "host-characters",
    "host-compatible", "deviation", "bad-a-label", "last-label-number", "ipv4-short", "ipv4-octal",
    "ipv4-hex", "ipv4-integer", "ipv4-overflow", "empty-label", "bracket", "port-odd", "port-huge",
    "file-localhost", "trailing-dot",
})  # fmt: skip

#: The ambiguities with which parsers disagree about the host if they occur in the authority.
DISPUTES_IN_AUTHORITY = frozenset({"backslash", "control", "ignorable", "space"})

#: Characters that show that the first segment of a relative reference is not a host.
NOT_IN_HOST = re.compile(r"[ \[\]]")

#: A segment of a path, and the slash or backslash before it.
SEGMENT = re.compile(r"(?:^|[/\\])([^/\\]*)")

DRIVE = re.compile(r"[A-Za-z]\|")

#: Dot segments in the URL standard (4.1).
SINGLE_DOT = re.compile(r"\.|%2e", re.IGNORECASE | re.ASCII)
DOUBLE_DOT = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that `repair` made to a string.

    Attributes:
        kind: `"trim"` at an end of the string, `"remove"` for tabs and line breaks inside it,
            `"slashes"`, `"scheme"`, `"backslash"`, `"idna"` for a host, or `"encode"`.
        start: the offset in the input at which the changed characters start.
        end: the offset in the input at which they end.
        before: the characters in the input. They may be part of a password.
        after: the characters that replace them; `""` if they were removed.
        secret: whether the characters may be part of a password. If so, `repr()` masks them.

    >>> repair("http://a.example/b c").changes
    (Repair('encode', 18, 19, ' ', '%20'),)
    """

    __module__ = "uriverse"

    kind: Literal["trim", "remove", "slashes", "scheme", "backslash", "idna", "encode"]
    start: int
    end: int
    before: str
    after: str
    secret: bool = False

    def __repr__(self) -> str:
        before, after = (MASK, MASK) if self.secret else (self.before, self.after)
        return f"Repair({self.kind!r}, {self.start}, {self.end}, {before!r}, {after!r})"


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of `repair`: an identifier, and the changes that were necessary.

    `str()` returns the identifier as a string.

    Attributes:
        uri: the identifier, as a `URI`, a `URIReference`, an `IRI` or an `IRIReference`.
        changes: the changes in the order of the input; empty if the input was valid.

    >>> str(repair("http://a.example/b c"))
    'http://a.example/b%20c'
    """

    __module__ = "uriverse"

    uri: IRIReference
    changes: tuple[Repair, ...]

    def __str__(self) -> str:
        return str(self.uri)


if kernel is not None:
    kernel.set_repair_classes(Repaired, Repair, DISPUTES)


@use_compiled("Functions")
def repair(
    text: str | Identifier,
    /,
    *,
    iri: bool = False,
    scheme: str | None = None,
    slashes: bool = False,
) -> Repaired:
    r"""Turn a malformed string into an identifier, and list every change.

    The result is what browsers make of the string, written as a valid URI. A valid URI reference is
    returned unchanged, so a second repair changes nothing. In order:

    - spaces and control characters at both ends are removed, and tabs and line breaks everywhere;
    - in `http`, `https`, `ws`, `wss`, `ftp` and `file` URIs and in references without a scheme, a
      backslash in the path becomes a slash;
    - every other character that its component does not allow is percent-encoded, and so is a `%`
      without two hexadecimal digits;
    - a non-ASCII host becomes an ASCII domain name (`xn--...`).

    After both ends are trimmed, a repair never changes which host a parser finds, except with the
    options `scheme` and `slashes`. If parsers disagree about the host of a malformed string, the
    function raises an error. It also raises an error if the scheme, the host or the port is
    invalid, and if browsers may read a malformed drive letter, as in `/c|/a`.

    In a reference without a scheme, such as `a|b/c`, some programs read the first segment as a
    host. So a repair encodes characters in the first segment only if a space shows that it is not a
    host.

    Args:
        text: any string, or a `URI`, `IRI`, `URIReference` or `IRIReference`.
        iri: whether to keep the non-ASCII characters that an IRI allows. By default, they are
            percent-encoded.
        scheme: a scheme such as `"https"`, which is added to a string that starts with `//`, or
            with a host: a name with a dot, `localhost`, or an IP address, with or without a port.
            Nothing is added to a string that contains an "@" before the path; a backslash before
            the "@" raises an error. `None` never adds a scheme.
        slashes: whether to replace the slashes and backslashes before the host of an `http`,
            `https`, `ws`, `wss` or `ftp` URI with `//`, as in `http:/a.example` and
            `http:\\a.example`.

    Raises:
        RepairError: the string cannot be repaired without guessing. Its `code` is a code of
            `check`.
        TypeError: `text` is neither a `str` nor one of the four URI types.
        ValueError: `scheme` is not a valid scheme.

    >>> repaired = repair(" http://a.example/b c\\d\n")
    >>> repaired.uri
    URI('http://a.example/b%20c/d')
    >>> [(change.kind, change.start) for change in repaired.changes]
    [('trim', 0), ('encode', 19), ('backslash', 21), ('trim', 23)]
    >>> repair("www.example.org/a", scheme="https").uri
    URI('https://www.example.org/a')
    >>> try:
    ...     repair("http://good.example\\@evil.example/")
    ... except RepairError as error:
    ...     print(error.code)
    backslash
    """
    text = as_text(text)
    if scheme is not None and not matches(scheme, "scheme"):
        raise ValueError(f"scheme must be a valid scheme, not {quote_argument(scheme)}")
    # The options change nothing after a scheme, "//" and a host.
    has_no_options = scheme is None and not slashes
    if kernel is not None and (has_no_options or WITH_HOST.match(text)):
        repaired: Repaired | None = kernel.repair(text, bool(iri))
        if repaired is not None:
            return repaired
    if scheme is not None and LIKE_HOST.match(text):
        # Most such strings only lack the scheme.
        completed = f"{scheme}://{text}"
        if is_uri_reference(completed) and not check(completed):
            return Repaired(parse(completed), (Repair("scheme", 0, 0, "", f"{scheme}://"),))
    return repair_text(text, iri=iri, scheme=scheme, slashes=slashes)


def repair_text(text: str, *, iri: bool, scheme: str | None, slashes: bool) -> Repaired:
    is_valid = is_iri_reference if iri else is_uri_reference
    if not slashes and scheme is None and is_valid(text):
        return Repaired(parse(text), ())
    draft = Draft(text)
    if len(text) > LONGEST_TEXT:
        draft.reject_length(LONGEST_TEXT)
    draft.apply(find_trim_edits(text))
    remove_line_breaks(draft)
    if slashes:
        draft.apply(find_slash_edits(draft.text))
    if scheme is not None:
        draft.apply(find_scheme_edits(draft, scheme))
    if draft.changes or not is_valid(draft.text):
        dispute = next(find_disputes(ParsedText(draft.text, SCHEMES, valid=False), iri=iri), None)
        if dispute:
            draft.reject(dispute)
        draft.apply(find_encoding_edits(draft, iri=iri))
    return Repaired(parse_draft(draft), draft.list_repairs())


class Edit(NamedTuple):
    kind: Literal["trim", "remove", "slashes", "scheme", "backslash", "idna", "encode"]
    start: int
    end: int
    after: str


class Draft:
    """A string during a repair: the input, the current string, and the changes in the input.

    `offsets` has the offset in the input of each character of the current string, and of its end.
    """

    def __init__(self, text: str) -> None:
        self.original = self.text = text
        self.offsets = array("q", range(len(text) + 1))
        self.changes: list[Edit] = []

    def apply(self, edits: Iterable[Edit]) -> None:
        """Replace spans of the current string; the edits are sorted and do not overlap."""
        pieces: list[str] = []
        offsets = array("q")
        previous_end = 0
        for kind, start, end, after in edits:
            for run_start, run_end in self.split_runs(start, end):
                offset = self.offsets[run_start]
                replacement = after if run_start == start else ""
                self.changes.append(Edit(kind, offset, offset + run_end - run_start, replacement))
            pieces += self.text[previous_end:start], after
            offsets += self.offsets[previous_end:start]
            offsets += array("q", [self.offsets[start]]) * len(after)
            previous_end = end
        self.text = "".join(pieces) + self.text[previous_end:]
        self.offsets = offsets + self.offsets[previous_end:]

    def split_runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Divide a span of the current string where characters of the input were removed."""
        first = start
        for index in range(start + 1, end):
            if self.offsets[index] != self.offsets[index - 1] + 1:
                yield first, index
                first = index
        yield first, end

    def list_repairs(self) -> tuple[Repair, ...]:
        if not self.changes:
            return ()
        spans = find_secrets(self.original, suspected=True)
        starts = [start for start, _ in spans]

        def overlaps_secret(start: int, end: int) -> bool:
            last = bisect_right(starts, end - 1) - 1  # the last secret that starts before `end`
            return start < end and last >= 0 and spans[last][1] > start

        return tuple(
            Repair(kind, start, end, self.original[start:end], after, overlaps_secret(start, end))
            for kind, start, end, after in sorted(self.changes, key=lambda e: (e.start, e.end))
        )

    def reject(self, problem: Problem) -> NoReturn:
        code = CODES[problem.code]
        reason, hint = problem.message or code.message, problem.suggestion or code.suggestion or ""
        location = self.original, self.offsets[problem.start], problem.component, problem.code
        raise RepairError(*location, reason, hint, code=problem.code)

    def reject_length(self, position: int) -> NoReturn:
        rule = "IRI-reference"
        reason = create_parse_error(self.original, rule, "text", LONGEST_TEXT).reason
        raise RepairError(self.original, position, "text", rule, reason, code="syntax")


def parse_draft(draft: Draft) -> IRIReference:
    if len(draft.text) > LONGEST_TEXT:
        draft.reject_length(draft.offsets[LONGEST_TEXT])
    try:
        return parse(draft.text)
    except ParseError as error:
        location = draft.original, draft.offsets[error.position], error.component, error.rule
        raise RepairError(*location, error.reason, error.hint, code="syntax") from None


def find_trim_edits(text: str) -> Iterator[Edit]:
    """Remove spaces and C0 control characters at both ends (URL standard, 4.4)."""
    start = len(text) - len(text.lstrip(TRIMMED))
    end = len(text.rstrip(TRIMMED))
    if start:
        yield Edit("trim", 0, start, "")
    if start < end < len(text):
        yield Edit("trim", end, len(text), "")


def remove_line_breaks(draft: Draft) -> None:
    """Remove tabs and line breaks, unless they are before the end of the host."""
    first_run = REMOVED.search(draft.text)
    if first_run is None:
        return
    if get_host_context(draft.text) != get_host_context(REMOVED.sub("", draft.text)):
        component = ParsedText(draft.text, SCHEMES, valid=False).get_component(first_run.start())
        draft.reject(Problem("control", component, *first_run.span()))
    draft.apply(Edit("remove", *run.span(), "") for run in REMOVED.finditer(draft.text))


def get_host_context(text: str) -> tuple[str | None, ...]:
    """Return the scheme and the authority, which decide which host a parser finds.

    Without them, some programs read the start of the path as a host and a port.
    """
    scheme, authority, path, _, _ = split(text)
    if scheme is not None or authority is not None:
        return scheme, authority, None
    return None, None, path if ":" in path else get_first_segment(path)


def find_slash_edits(text: str) -> Iterator[Edit]:
    """Replace the slashes and backslashes before a host with `//`.

    If there are backslashes, the next backslash ends the host, as browsers do.
    """
    match = WRONG_SLASHES.match(text)
    if match is None:
        return
    scheme, slashes = match.groups()
    if lowercase_ascii(scheme) in WITH_DOMAIN:
        yield Edit("slashes", *match.span(2), "//")
        if "\\" in slashes:
            yield from find_host_end_edits(text, match.end())


def find_host_end_edits(text: str, start: int) -> Iterator[Edit]:
    """Replace a backslash that ends a host, unless an "@" makes it unclear where the host is."""
    authority = remove_path(text[start:])
    host, backslash, _ = authority.partition("\\")
    if backslash and "@" not in authority:
        host_end = start + len(host)
        yield Edit("backslash", host_end, host_end + 1, "/")


def remove_path(text: str) -> str:
    return re.split("[/?#]", text, maxsplit=1)[0]


def find_scheme_edits(draft: Draft, scheme: str) -> Iterator[Edit]:
    """Add a scheme before `//` and an authority, or before what looks like a host."""
    text = draft.text
    if text.startswith("//"):
        if split(text).authority:
            yield Edit("scheme", 0, 0, f"{scheme}:")
    elif LIKE_HOST.match(text):
        authority = remove_path(text)
        if "@" in authority:
            # In "a.example\\@b.example", browsers end the host at the backslash. For other parsers,
            # the host is after the "@".
            # `LIKE_HOST` matches no "@", so a backslash precedes it.
            host_end = authority.index("\\")
            draft.reject(Problem("backslash", "path", host_end, host_end + 1))
        yield Edit("scheme", 0, 0, f"{scheme}://")
        yield from find_host_end_edits(text, 0)


def find_disputes(parsed: ParsedText, *, iri: bool) -> Iterator[Problem]:
    """Yield the reasons not to repair a string: parsers disagree, mostly about the host."""
    bounds = parsed.bounds
    surrogate = find_surrogate(parsed.text)
    if surrogate >= 0:
        component = parsed.get_component(surrogate)
        yield Problem("syntax", component, surrogate, surrogate + 1, LONE_SURROGATE, DECODE_AGAIN)
    for problem in find_uri_ambiguities(parsed):
        in_authority = 0 <= bounds.authority <= problem.start < bounds.path
        if (
            problem.code in DISPUTES
            or (problem.code in DISPUTES_IN_AUTHORITY and in_authority)
            or (problem.code == "drive-letter" and not parsed.rules.local)
        ):
            yield problem
    yield from find_path_disputes(parsed)
    if parsed.rules.local and bounds.host > bounds.authority:
        yield Problem("file-host", "userinfo", bounds.authority, bounds.host)
    if bounds.authority < 0 and bounds.scheme_end < 0:
        yield from find_first_segment_disputes(parsed.parts.path, iri=iri)
    if parsed.parts.host and not parsed.parts.host.isascii():
        yield from find_non_ascii_disputes(parsed)


def find_path_disputes(parsed: ParsedText) -> Iterator[Problem]:
    bounds = parsed.bounds
    # Browsers read two slashes or backslashes as the start of an authority.
    if bounds.authority < 0 and re.match(r"[/\\]{2}", parsed.text[bounds.path : bounds.path + 2]):
        yield Problem("backslash", "path", bounds.path, bounds.path + 2)
    # The base URI of a reference without a scheme may be a file URI.
    if parsed.rules.local or bounds.scheme_end < 0:
        yield from find_drive_letter_disputes(parsed)


def find_drive_letter_disputes(parsed: ParsedText) -> Iterator[Problem]:
    """Find a drive letter such as `c|` where the path of a file URI begins (URL standard, 4.4).

    Dot segments may precede it. Elsewhere, browsers do not change the characters.
    """
    depth = 0
    for match in SEGMENT.finditer(parsed.parts.path):
        segment, start = match[1], parsed.bounds.path + match.start(1)
        if depth == 0 and DRIVE.fullmatch(segment):
            message = 'browsers change the "|" after a drive letter to ":"'
            suggestion = 'write ":" after the drive letter'
            yield Problem("drive-letter", "path", start, start + 2, message, suggestion=suggestion)
        is_before_first_slash = match.start(1) == 0
        if DOUBLE_DOT.fullmatch(segment):
            depth = max(depth - 1, 0)
        elif not SINGLE_DOT.fullmatch(segment) and (segment or not is_before_first_slash):
            depth += 1


def find_first_segment_disputes(path: str, *, iri: bool) -> Iterator[Problem]:
    """Find a first segment that some programs read as a host, and that a repair would change.

    A space or a bracket shows that the segment is not a host, unless a port follows in the path.
    """
    segment = get_first_segment(path)
    _, host, _ = split_authority(segment)
    changes_host = compile_invalid_runs("path", iri=iri).search(host) is not None
    changes_port = ":" in path and (changes_host or "\\" in path)
    if changes_port or (changes_host and not NOT_IN_HOST.search(host)):
        yield Problem("missing-scheme", "path", 0, len(segment))


def get_first_segment(path: str) -> str:
    return re.split(r"[/\\]", path, maxsplit=1)[0]


def find_non_ascii_disputes(parsed: ParsedText) -> Iterator[Problem]:
    """Find a non-ASCII host that some programs do not convert to the same domain name."""
    host = parsed.parts.host or ""
    reason = ""
    if parsed.scheme in {"", *WITH_DOMAIN}:
        try:
            domain = to_ascii(host)
        except ConvertError as error:
            reason = error.reason
        else:
            # Perl encodes the host without mapping its characters, and with the colon after it.
            is_unmapped = ".".join(map(to_unicode, domain.split("."))) == lowercase_ascii(host)
            if is_unmapped and parsed.parts.port != "":
                return
    yield Problem("host-past-ascii", "host", parsed.bounds.host, parsed.bounds.host_end, reason)


@cache
def compile_invalid_runs(component: str, *, iri: bool) -> re.Pattern[str]:
    """Return the pattern of runs of characters that a component does not allow."""
    rules = ["pct-encoded", *CONTENTS[component]]
    if iri:
        # The rules of RFC 3987 that extend those of RFC 3986 have an "i" before the name.
        rules = [f"i{rule}" if f"i{rule}" in RULES else rule for rule in rules]
        if component == "query":
            rules.append("iprivate")
    allowed = "|".join(RULES.get(rule, rule) for rule in rules)
    return re.compile(rf"(?:(?!{allowed})(?s:.))++")


def find_encoding_edits(draft: Draft, *, iri: bool) -> Iterator[Edit]:
    """Convert a non-ASCII host to ASCII, and replace all characters that are not allowed."""
    parsed = ParsedText(draft.text, SCHEMES, valid=False)
    # Without a scheme, that of the base URI applies, which may be special.
    may_be_special = not parsed.scheme or parsed.scheme in SPECIAL_SCHEMES
    for component, start, end in parsed.spans:
        if component == "host" and not iri and not draft.text[start:end].isascii():
            yield Edit("idna", start, end, to_ascii(draft.text[start:end]))
        if component not in CONTENTS:
            continue
        is_special_path = component == "path" and may_be_special
        find_edits = find_special_path_edits if is_special_path else find_percent_edits
        for run in compile_invalid_runs(component, iri=iri).finditer(draft.text, start, end):
            yield from find_edits(draft, *run.span())


def find_special_path_edits(draft: Draft, start: int, end: int) -> Iterator[Edit]:
    """Replace backslashes with slashes, as browsers do, and percent-encode other characters."""
    for match in BACKSLASHES_OR_OTHERS.finditer(draft.text, start, end):
        if match[0].startswith("\\"):
            for first, last in draft.split_runs(*match.span()):
                yield Edit("backslash", first, last, "/" * (last - first))
        else:
            yield from find_percent_edits(draft, *match.span())


def find_percent_edits(draft: Draft, start: int, end: int) -> Iterator[Edit]:
    for first, last in draft.split_runs(start, end):
        yield Edit("encode", first, last, pct_encode(draft.text[first:last].encode()))
